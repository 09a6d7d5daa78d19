//! Writes descriptions of inputs as JSON. The members of objects have a fixed order.

mod difference;
mod explanation;
mod message;
mod schema;
mod summary;
mod tensor;

use std::{fmt, io};

use arrow_schema::Metadata;
use arrow_text::format::EscapedJson;
use serde_json::Value;

pub use self::{
    difference::{diff_summary_as_json, difference_as_json},
    explanation::explanation_as_json,
    message::{JsonLinesReport, JsonReport},
    schema::schema_as_json,
    summary::summary_as_json,
    tensor::tensor_as_json,
};

/// The members of an object, in order.
pub(crate) type JsonMembers = Vec<(&'static str, Value)>;

pub(crate) fn object(members: JsonMembers) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A JSON object whose last members are long lists. The items of these lists are created one by one, because all of
/// them together may take many times the memory of the input.
struct LongObject<'a> {
    members: JsonMembers,
    lists: Vec<(&'static str, JsonItems<'a>)>,
}

type JsonItems<'a> = Box<dyn Iterator<Item = Value> + 'a>;

impl LongObject<'_> {
    fn into_value(self) -> Value {
        let lists = self.lists.into_iter().map(|(name, items)| (name, Value::Array(items.collect())));
        object(self.members.into_iter().chain(lists).collect())
    }

    /// Writes the object on one line, like [`JsonLine`]. Only one item of a list is in memory at a time.
    fn write_line(self, out: &mut impl io::Write) -> io::Result<()> {
        let mut separator = "{";
        for (name, value) in self.members {
            write!(out, "{separator}\"{name}\":{}", JsonLine(&value))?;
            separator = ",";
        }
        for (name, items) in self.lists {
            write!(out, "{separator}\"{name}\":[")?;
            separator = ",";
            let mut before_item = "";
            for item in items {
                write!(out, "{before_item}{}", JsonLine(&item))?;
                before_item = ",";
            }
            write!(out, "]")?;
        }
        writeln!(out, "}}")
    }
}

/// Writes metadata as an array of pairs. An object is impossible, because keys may repeat or be null.
pub(crate) fn pairs(metadata: &Metadata) -> Value {
    each_pair(metadata).collect()
}

fn each_pair(metadata: &Metadata) -> impl Iterator<Item = Value> {
    metadata.iter().map(|(key, value)| Value::from_iter([key, value]))
}

/// Formats a value with `Display`, as a JSON string.
fn display(value: impl fmt::Display) -> Value {
    Value::from(value.to_string())
}

/// Formats a JSON value on one line. Escapes characters that can control a terminal.
#[derive(Debug, Clone, Copy)]
pub struct JsonLine<'a>(pub &'a Value);

impl fmt::Display for JsonLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        EscapedJson(&self.0.to_string()).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_control_characters_are_escaped() {
        let value = object(vec![
            ("text", Value::from("a\"\\\u{7}\u{9b}é\u{202e}")),
            (
                "list",
                Value::from_iter([Value::Null, Value::from(true), Value::from(u64::MAX), Value::from(-1i64)]),
            ),
            ("empty", object(Vec::new())),
        ]);
        let text = JsonLine(&value).to_string();
        assert_eq!(
            text,
            "{\"text\":\"a\\\"\\\\\\u0007\\u009bé\\u202e\",\"list\":[null,true,18446744073709551615,-1],\"empty\":{}}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
