//! Reads rows in the simplest notation without the parser, in half the time.
//!
//! Such a row is an object whose values are not nested, without escapes. The parser would read the same values. It reads all other
//! rows, and tells what is wrong with them.

use std::ops::Range;

use arrow_buffer::{FindAll, any_byte, find_all};
use serde_core::de::value::Error;

use super::members::JsonStruct;

/// Rows of at most this many columns are closed by looking at all of them, which takes less time for each.
const FEW_COLUMNS: usize = 64;

/// Whether [`append_row`] may read a line: it has no escapes, and no white space but spaces.
pub(super) fn is_plain(line: &str) -> bool {
    !any_byte(line.as_bytes(), |byte| byte < b' ' || byte == b'\\')
}

/// Appends the row of a plain line, none of whose columns are nested. `None` if the parser must read the line; values that have been
/// appended stay.
pub(super) fn append_row(line: &str, mut row: JsonStruct<'_, '_>) -> Option<()> {
    let mut text = PlainText { text: line, at: 0, quotes: find_all(line.as_bytes(), [b'"']) };
    text.eat(b'{')?;
    if row.members().nodes.len() <= FEW_COLUMNS {
        row.begin_whole();
    }
    let mut position = 0;
    loop {
        let name = text.string()?;
        text.eat(b':')?;
        position = row.members().find(line.get(name.start + 1..name.end - 1)?, position)?;
        let slot = row.slot::<Error>(position).ok()?;
        let appended: Result<(), Error> = match text.first()? {
            b'"' => {
                let range = text.string()?;
                slot.append_text(line.get(range.clone())?, line.get(range.start + 1..range.end - 1))
            }
            b'n' => {
                text.word("null")?;
                slot.append_null()
            }
            b't' => slot.append_text(text.word("true")?, None),
            b'f' => slot.append_text(text.word("false")?, None),
            _ => slot.append_text(text.number()?, None),
        };
        appended.ok()?;
        row.has_read(position);
        position += 1;
        if text.first()? != b',' {
            break;
        }
        text.eat(b',')?;
    }
    text.eat(b'}')?;
    if text.is_over() { row.fill_up::<Error>().ok() } else { None }
}

/// A text without escapes, and how far it has been read. Spaces before each part are skipped.
struct PlainText<'a> {
    text: &'a str,
    at: usize,
    /// The quotes that have not been read.
    quotes: FindAll<'a, 1>,
}

impl<'a> PlainText<'a> {
    /// The next byte that is no space.
    fn first(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        match rest.first()? {
            b' ' => {
                self.at += rest.iter().position(|byte| *byte != b' ')?;
                self.text.as_bytes().get(self.at).copied()
            }
            byte => Some(*byte),
        }
    }

    fn is_over(&mut self) -> bool {
        self.first().is_none()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.first()? == byte).then(|| self.at += 1)
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<Range<usize>> {
        self.first()?;
        let start = self.quotes.next().filter(|start| *start == self.at)?;
        self.at = self.quotes.next()? + 1;
        Some(start..self.at)
    }

    fn word(&mut self, word: &str) -> Option<&'a str> {
        let found = self.text.get(self.at..self.at + word.len()).filter(|found| *found == word)?;
        self.at += word.len();
        Some(found)
    }

    fn number(&mut self) -> Option<&'a str> {
        let text = self.text.get(self.at..)?;
        let number = text.get(..n_bytes_of_number(text.as_bytes())?)?;
        self.at += number.len();
        Some(number)
    }
}

/// The length of the number at the start of a text. `None` if there is none.
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
