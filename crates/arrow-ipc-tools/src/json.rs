//! What is said of inputs as JSON: members in a fixed order.

mod message;
mod schema;
mod tensor;

use std::fmt;

use arrow_schema::Metadata;
use serde_json::Value;

pub use self::{message::JsonReport, schema::schema_as_json, tensor::tensor_as_json};
use crate::escape::EscapedJson;

/// The members of an object, in order.
type Members = Vec<(&'static str, Value)>;

fn object(members: Members) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Pairs in order, since keys may repeat or be absent.
pub(crate) fn pairs(metadata: &Metadata) -> Value {
    metadata.iter().map(|(key, value)| Value::from_iter([key, value])).collect()
}

/// The `Display` form of a value, as a JSON string.
fn display(value: impl fmt::Display) -> Value {
    Value::from(value.to_string())
}

/// A value on one line, safe for a terminal.
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
