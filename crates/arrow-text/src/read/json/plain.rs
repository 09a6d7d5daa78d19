//! Reads rows in the simplest notation, many rows at once, column by column and without the parser.
//!
//! A plain row is an object on one line, without nested values and without escapes. The result is the same as with the parser,
//! which reads all other rows and reports their errors.

use arrow_buffer::{FindAll, any_byte, find_all};
use serde_core::de::value::Error;

use super::{
    RowTarget,
    context::{Line, RowContext},
    slot::JsonSlot,
};
use crate::read::{
    error::RowErrorKind,
    node::Members,
    records::{BlockExtent, BlockLimits, Cell, RecordBlock},
};

/// Whether rows of these columns can be plain. `false` for many columns: a block has a cell even for each missing member.
pub(super) fn may_be_plain(members: &Members) -> bool {
    const MAX_COLUMNS: usize = 1_024;
    members.is_flat && members.nodes.len() <= MAX_COLUMNS
}

/// Finds the plain rows at the start of `bytes`, up to the limits, and returns their tokens by column. A missing member is an
/// empty cell. `None` if the first row is not plain.
// This function is not generic, so it is compiled in this crate, which is optimised for speed.
#[inline(never)]
pub(super) fn find_rows<'a>(
    bytes: &'a [u8],
    members: &Members,
    limits: BlockLimits,
    cells: &'a mut Vec<Cell>,
) -> Option<RecordBlock<'a>> {
    cells.clear();
    let mut text = PlainText { bytes, at: 0, marks: find_all(bytes, [b'"', b'\\', b'\n', b'\r']) };
    let mut extent = BlockExtent::default();
    while extent.n_records < limits.n_records {
        let start = text.at;
        let n_before = cells.len();
        cells.resize(n_before + members.nodes.len(), Cell { start: 0, end: 0, is_quoted: false });
        let row = cells.get_mut(n_before..).and_then(|cells| text.row(members, cells));
        let (Some(end), true) = (row, text.at <= limits.n_bytes) else {
            cells.truncate(n_before);
            break;
        };
        extent = BlockExtent {
            n_records: extent.n_records + 1,
            n_bytes: extent.n_bytes + (end - start),
            n_text_bytes: text.at - 1,
            line_end: b'\n',
        };
    }
    (extent.n_records > 0).then_some(RecordBlock { bytes, cells, extent })
}

/// Appends the rows of a block, column by column.
#[inline(never)]
pub(super) fn append_rows(block: RecordBlock<'_>, target: &mut RowTarget) -> Result<(), RowErrorKind> {
    let columns = block.columns().map_err(|_| RowErrorKind::NotUtf8)?;
    // JSON allows control characters only as white space.
    if any_byte(columns.text().as_bytes(), |byte| byte < b' ' && byte != b'\n' && byte != b'\r') {
        return Err(RowErrorKind::Missing);
    }
    let RowTarget { members, rows, budget, parser: values, .. } = target;
    // The context needs no text: after an error, the parser reads the rows again.
    let mut context = RowContext::new(Line::Whole(""), budget, values);
    let failed = |_: Error| RowErrorKind::Missing;
    rows.try_append_many_with(columns.n_records(), |builders| {
        for (position, (node, builder)) in members.nodes.iter().zip(builders).enumerate() {
            for (token, _) in columns.column(position) {
                match token.as_bytes() {
                    [] => {
                        node.spend_missing(context.budget)?;
                        node.append_null(builder)?;
                        continue;
                    }
                    b"null" => JsonSlot { node, builder, context: &mut context }.append_null(),
                    [b'"', inner @ ..] => {
                        let string = token.get(1..inner.len());
                        JsonSlot { node, builder, context: &mut context }.append_text(token, string)
                    }
                    [..] => JsonSlot { node, builder, context: &mut context }.append_text(token, None),
                }
                .map_err(failed)?;
            }
        }
        Ok(())
    })
}

/// A text without escapes, which is read token by token.
struct PlainText<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The remaining quotes, backslashes and line ends.
    marks: FindAll<'a, 4>,
}

impl PlainText<'_> {
    /// Reads a line, and stores the positions of its tokens in the cells of their columns. Returns the end of its text. `None`
    /// if the line is not plain. Also `None` if it has values for few of many columns, which the parser reads faster.
    fn row(&mut self, members: &Members, cells: &mut [Cell]) -> Option<usize> {
        self.eat(b'{')?;
        let mut position = 0;
        let mut n_members = 0;
        loop {
            let [start, end] = self.string()?;
            position = members.find(self.bytes.get(start + 1..end - 1)?, position)?;
            self.eat(b':')?;
            let [start, end] = match self.first()? {
                b'"' => self.string()?,
                b'n' => self.word(b"null")?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                _ => self.number()?,
            };
            let cell = cells.get_mut(position).filter(|cell| cell.end == 0)?;
            *cell = Cell { start, end, is_quoted: false };
            position += 1;
            n_members += 1;
            if self.eat(b',').is_none() {
                break;
            }
        }
        self.eat(b'}')?;
        let has_few = cells.len() / 4 > n_members;
        if has_few || self.first().is_none() {
            return None;
        }
        let end = self.at;
        // A carriage return here would be part of the line end.
        self.at = match self.bytes.get(end..)? {
            [b'\n', ..] => end + 1,
            [b'\r', b'\n', ..] => end + 2,
            [..] => return None,
        };
        Some(end)
    }

    /// Skips spaces, and returns the next byte.
    #[inline]
    fn first(&mut self) -> Option<u8> {
        while self.bytes.get(self.at)? == &b' ' {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.first()? == byte).then(|| self.at += 1)
    }

    /// Reads a string, and returns its range with the quotes.
    #[inline(never)]
    fn string(&mut self) -> Option<[usize; 2]> {
        self.first().filter(|byte| *byte == b'"')?;
        let start = self.at;
        loop {
            let at = self.marks.next()?;
            // Other marks before the opening quote are only allowed if they are line ends.
            if at > start {
                self.at = at + 1;
                return (self.bytes.get(at) == Some(&b'"')).then_some([start, self.at]);
            }
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<[usize; 2]> {
        let start = self.at;
        self.bytes.get(start..start + word.len()).filter(|found| *found == word)?;
        self.at += word.len();
        Some([start, self.at])
    }

    fn number(&mut self) -> Option<[usize; 2]> {
        let start = self.at;
        self.at += n_bytes_of_number(self.bytes.get(start..)?)?;
        Some([start, self.at])
    }
}

/// The length of the number at the start of a text. `None` if the text does not begin with a number.
fn n_bytes_of_number(text: &[u8]) -> Option<usize> {
    let after_digits = |start: usize| {
        let digits = text.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit());
        Some(start + digits.count()).filter(|end| *end > start)
    };
    let start = usize::from(text.first() == Some(&b'-'));
    let mut end = if text.get(start) == Some(&b'0') { start + 1 } else { after_digits(start)? };
    if text.get(end) == Some(&b'.') {
        end = after_digits(end + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(end) {
        end = after_digits(end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-'))))?;
    }
    Some(end)
}
