//! A value in a JSON document, with the path to it.

use std::sync::Arc;

use arrow_schema::Metadata;
use arrow_text::format::first_chars;
use serde_json::{Map, Value};

use super::error::{SchemaFromJsonError, SchemaFromJsonErrorKind as Kind};

pub(super) type NodeResult<T> = Result<T, SchemaFromJsonError>;

/// A JSON value, and the path to it in the document.
#[derive(Clone, Copy)]
pub(super) struct JsonNode<'a> {
    pub(super) value: &'a Value,
    pub(super) path: JsonPath<'a>,
}

/// The path to a value. Each step refers to the step before it.
#[derive(Clone, Copy)]
pub(super) enum JsonPath<'a> {
    Root,
    Member(&'a JsonPath<'a>, &'static str),
    Item(&'a JsonPath<'a>, usize),
}

impl JsonPath<'_> {
    /// The path as text, such as `fields[0].name`.
    fn text(&self) -> String {
        match self {
            JsonPath::Root => String::new(),
            JsonPath::Member(JsonPath::Root, name) => (*name).to_owned(),
            JsonPath::Member(parent, name) => format!("{}.{name}", parent.text()),
            JsonPath::Item(parent, idx) => format!("{}[{idx}]", parent.text()),
        }
    }
}

impl<'a> JsonNode<'a> {
    pub(super) fn error(&self, kind: Kind) -> SchemaFromJsonError {
        SchemaFromJsonError::new(kind, self.path.text())
    }

    pub(super) fn expected(&self, expected: &'static str) -> SchemaFromJsonError {
        const MAX_CHARS: usize = 40;
        let found = match self.value {
            Value::Array(_) => "an array".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => self.value.to_string(),
        };
        self.error(Kind::Expected { expected, found: first_chars(found, MAX_CHARS) })
    }

    pub(super) fn object(&self) -> NodeResult<&'a Map<String, Value>> {
        self.value.as_object().ok_or_else(|| self.expected("an object"))
    }

    pub(super) fn string(&self) -> NodeResult<&'a str> {
        self.value.as_str().ok_or_else(|| self.expected("text"))
    }

    pub(super) fn optional<T>(
        &self,
        members: &Map<String, Value>,
        name: &'static str,
        read: impl FnOnce(JsonNode<'_>) -> NodeResult<T>,
    ) -> NodeResult<Option<T>> {
        let member = |value| JsonNode { value, path: JsonPath::Member(&self.path, name) };
        members.get(name).map(|value| read(member(value))).transpose()
    }

    pub(super) fn required<T>(
        &self,
        members: &Map<String, Value>,
        name: &'static str,
        read: impl FnOnce(JsonNode<'_>) -> NodeResult<T>,
    ) -> NodeResult<T> {
        let found = self.optional(members, name, read)?;
        found.ok_or_else(|| self.error(Kind::Missing { name }))
    }

    pub(super) fn items<T>(&self, mut read: impl FnMut(JsonNode<'_>) -> NodeResult<T>) -> NodeResult<Vec<T>> {
        let items = self.value.as_array().ok_or_else(|| self.expected("an array"))?;
        let item = |(idx, value)| JsonNode { value, path: JsonPath::Item(&self.path, idx) };
        items.iter().enumerate().map(|each| read(item(each))).collect()
    }

    /// Reads metadata from an array of pairs, as `schema --json` writes it. An object is impossible, because keys may
    /// repeat or be null.
    pub(super) fn metadata(&self) -> NodeResult<Metadata> {
        let pairs = self.items(|pair| {
            let parts = pair.items(|part| match part.value {
                Value::Null => Ok(None),
                Value::String(text) => Ok(Some(Arc::from(text.as_str()))),
                Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    Err(part.expected("text or null"))
                }
            })?;
            let parts: [Option<Arc<str>>; 2] =
                parts.try_into().map_err(|_| pair.expected("a pair of key and value"))?;
            Ok(parts.into())
        })?;
        Ok(Metadata::from_pairs(pairs))
    }
}
