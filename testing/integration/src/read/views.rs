//! Views and their data buffers, as the document has them.

use arrow_buffer::{Buffer, MAX_INLINE_BYTES, View};

use super::{bytes::bytes, slots::Slots};
use crate::{
    error::{DocumentErrorKind as Kind, Result},
    json::{Json, Object},
    types::Notation,
};

/// The views of all slots, and the data buffers.
pub(super) fn read_views(
    object: &Object<'_>,
    slots: &Slots,
    notation: Notation,
) -> Result<(Buffer, Vec<Buffer>)> {
    let views = slots.read_values(object, "VIEWS", |json| view(json, notation), View::default)?;
    let data =
        object.read_all("VARIADIC_DATA_BUFFERS", |json| bytes(json, Notation::Hex).map(Buffer::from))?;
    Ok((Buffer::from(views), data))
}

fn view(json: Json<'_>, notation: Notation) -> Result<View> {
    let object = json.object()?;
    let n_bytes: i32 = object.read("SIZE", |json| json.number("a size"))?;
    if usize::try_from(n_bytes).is_ok_and(|n_bytes| n_bytes > MAX_INLINE_BYTES) {
        let prefix = object.read("PREFIX_HEX", |json| {
            let prefix = bytes(json, Notation::Hex)?;
            prefix.as_array::<4>().copied().ok_or_else(|| json.expected("eight hexadecimal digits"))
        })?;
        let buffer_idx = object.read("BUFFER_INDEX", |json| json.number("the index of a buffer"))?;
        let offset = object.read("OFFSET", |json| json.number("an offset"))?;
        return Ok(View::from_parts(n_bytes, prefix, buffer_idx, offset));
    }
    let value = object.read("INLINED", |json| bytes(json, notation))?;
    let view = View::inline(&value).filter(|view| view.n_bytes() == n_bytes);
    view.ok_or_else(|| Kind::ValueLength { expected: i128::from(n_bytes), found: value.len() }.into())
}
