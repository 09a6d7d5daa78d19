//! Where a value is in a JSON document: its line, and the path to it.

use std::fmt::Write;

use arrow_schema::Quoted;
use serde_json::{Deserializer, Value};

/// The path to a value. Each step refers to the step before it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'a> {
    Whole,
    Member(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

/// The line of a value, and the path to it, for errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportedPlace {
    pub(super) line: usize,
    pub(super) place: String,
}

impl Place<'_> {
    /// Converts the path to text, and finds the line of the value in `text`, the JSON text of the document.
    pub(super) fn source(&self, text: &str) -> ReportedPlace {
        let mut place = String::new();
        self.add_to(&mut place);
        let mut cursor = JsonCursor { bytes: text.as_bytes(), position: 0 };
        // The path is from this text, so the value is found. Otherwise, this would report the last value on the path
        // that is found.
        let _ = self.find(&mut cursor);
        cursor.skip_spaces();
        let before = &cursor.bytes[..cursor.position.min(text.len())];
        ReportedPlace { line: 1 + before.iter().filter(|byte| **byte == b'\n').count(), place }
    }

    fn add_to(&self, text: &mut String) {
        match self {
            Place::Whole => {}
            Place::Member(parent, name) => {
                parent.add_to(text);
                let dot = if text.is_empty() { "" } else { "." };
                let is_plain =
                    !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || char == '_');
                // Writing to a `String` never fails.
                let _ = if is_plain {
                    write!(text, "{dot}{name}")
                } else {
                    write!(text, "{dot}{}", Quoted(name))
                };
            }
            Place::Item(parent, idx) => {
                parent.add_to(text);
                let _ = write!(text, "[{idx}]");
            }
        }
    }

    /// Moves to the value. If several members have the same name, the last one counts, as in `serde_json`.
    fn find(&self, cursor: &mut JsonCursor<'_>) -> Option<()> {
        match self {
            Place::Whole => Some(()),
            Place::Member(parent, name) => {
                parent.find(cursor)?;
                cursor.expect(b'{')?;
                let mut found = None;
                while cursor.peek()? != b'}' {
                    let is_it = cursor.value()? == *name;
                    cursor.expect(b':')?;
                    found = if is_it { Some(cursor.position) } else { found };
                    cursor.value()?;
                    cursor.skip_comma();
                }
                cursor.position = found?;
                Some(())
            }
            Place::Item(parent, idx) => {
                parent.find(cursor)?;
                cursor.expect(b'[')?;
                for _ in 0..*idx {
                    cursor.value()?;
                    cursor.skip_comma();
                }
                Some(())
            }
        }
    }
}

/// A position in JSON text. The text was already parsed without an error.
struct JsonCursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl JsonCursor<'_> {
    fn skip_spaces(&mut self) {
        while self.bytes.get(self.position).is_some_and(u8::is_ascii_whitespace) {
            self.position += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip_spaces();
        self.bytes.get(self.position).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.position += 1)
    }

    fn skip_comma(&mut self) {
        let _ = self.expect(b',');
    }

    /// Reads the next value.
    fn value(&mut self) -> Option<Value> {
        let rest = self.bytes.get(self.position..)?;
        let mut values = Deserializer::from_slice(rest).into_iter::<Value>();
        let value = values.next()?.ok()?;
        self.position += values.byte_offset();
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_places_are_found() {
        let text = "\n{\"a\": [1, \"]\\\"}\",\n {\"b c\": -1.5e3, \"a\": true}],\n \"d\" :\n null, \"\\u0065\": [], \"a\"\n:\n[\n7]}";
        let whole = Place::Whole;
        let (a, d, e) = (Place::Member(&whole, "a"), Place::Member(&whole, "d"), Place::Member(&whole, "e"));
        let a0 = Place::Item(&a, 0);
        let cases = [(whole, 2, ""), (a, 7, "a"), (a0, 8, "a[0]"), (d, 5, "d"), (e, 5, "e")];
        for (place, line, name) in cases {
            assert_eq!(place.source(text), ReportedPlace { line, place: name.to_owned() });
        }
        let text = text.replace("\"a\"\n", "\"f\"\n");
        let (a1, a2) = (Place::Item(&a, 1), Place::Item(&a, 2));
        let cases = [
            (a, 2, "a"),
            (a1, 2, "a[1]"),
            (a2, 3, "a[2]"),
            (Place::Member(&a2, "b c"), 3, "a[2].\"b c\""),
            (Place::Member(&a2, "a"), 3, "a[2].a"),
        ];
        for (place, line, name) in cases {
            assert_eq!(place.source(&text), ReportedPlace { line, place: name.to_owned() });
        }
    }
}
