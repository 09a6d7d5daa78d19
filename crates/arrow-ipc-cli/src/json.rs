//! JSON that the program writes about files: small, and with members in a fixed order.

use std::fmt;

use arrow_schema::{Metadata, Quoted};

/// A JSON value. Its strings hold no raw control characters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Integer(i128),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// Pairs in order, since keys may repeat or be absent.
    pub(crate) fn pairs(metadata: &Metadata) -> Json {
        let text = |text: Option<&str>| text.map_or(Json::Null, Json::from);
        Json::List(metadata.iter().map(|(key, value)| Json::List(vec![text(key), text(value)])).collect())
    }

    /// The display of something.
    pub(crate) fn display(value: impl fmt::Display) -> Json {
        Json::Text(value.to_string())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => fmt::Display::fmt(value, f),
            Json::Integer(value) => fmt::Display::fmt(value, f),
            Json::Text(text) => fmt::Display::fmt(&Quoted(text), f),
            Json::List(items) => {
                f.write_str("[")?;
                for (position, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if position == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (position, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}{}:{value}", if position == 0 { "" } else { "," }, Quoted(name))?;
                }
                f.write_str("}")
            }
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Integer(value.into())
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Json {
        Json::Integer(value.into())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_json() {
        let value = Json::Object(vec![
            ("text", Json::from("a\"\\\u{7}\u{9b}é")),
            ("list", Json::List(vec![Json::Null, Json::from(true), Json::from(u64::MAX), Json::from(-1i64)])),
            ("empty", Json::Object(Vec::new())),
        ]);
        let text = value.to_string();
        assert_eq!(
            text,
            "{\"text\":\"a\\\"\\\\\\u0007\\u009bé\",\"list\":[null,true,18446744073709551615,-1],\"empty\":{}}"
        );
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(parsed["text"], "a\"\\\u{7}\u{9b}é");
    }
}
