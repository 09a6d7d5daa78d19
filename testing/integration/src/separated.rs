//! JSON arrays.

/// Appends `[`, each item as `write` writes it, with commas between the items, and `]`.
pub(crate) fn separated<T>(
    out: &mut String,
    things: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    out.push('[');
    for (idx, thing) in things.into_iter().enumerate() {
        if idx > 0 {
            out.push(',');
        }
        write(out, thing);
    }
    out.push(']');
}
