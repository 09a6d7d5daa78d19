//! Cuts text that is too long.

use std::fmt;

/// The maximum length of a value in the output of `Debug`.
pub(crate) const DEBUG_BYTES: usize = 1 << 10;

/// Passes the text that `write` writes to `out`, and ends it with `…` after `n_bytes`. Writing more text is an error for
/// `write`, so that it stops even for an almost endless value.
pub(crate) fn write_cut(
    out: &mut dyn fmt::Write,
    n_bytes: usize,
    write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> fmt::Result {
    let mut cut = CutText { out, n_left: n_bytes, is_over: false };
    let written = write(&mut cut);
    if cut.is_over { out.write_str("…") } else { written }
}

struct CutText<'a> {
    out: &'a mut dyn fmt::Write,
    n_left: usize,
    is_over: bool,
}

impl fmt::Write for CutText<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = arrow_buffer::floor_char_boundary(text, self.n_left);
        let (shown, rest) = text.split_at(end);
        self.out.write_str(shown)?;
        self.n_left -= end;
        if rest.is_empty() {
            return Ok(());
        }
        self.is_over = true;
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_over_is_cut() {
        let cases: &[(&[&str], &str)] = &[
            (&[], ""),
            (&["abc", "", "d"], "abcd"),
            (&["abcd"], "abcd"),
            (&["abcd", "e", "f"], "abcd…"),
            (&["abcdefgh"], "abcd…"),
            (&["abc", "é"], "abc…"),
        ];
        for (pieces, expected) in cases {
            let mut out = String::new();
            write_cut(&mut out, 4, |out| pieces.iter().try_for_each(|piece| out.write_str(piece))).unwrap();
            assert_eq!(out, *expected);
        }
    }
}
