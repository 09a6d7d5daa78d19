//! JSON values as text. A value is parsed when its expected kind is known, so no number is rounded.

use std::{fmt, str::FromStr};

use serde_core::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{Result, SchemaJsonError, SchemaJsonErrorKind as Kind};

/// A JSON value whose syntax has been checked. Objects and arrays are parsed level by level, without recursion.
#[derive(Debug, Clone, Copy)]
pub(super) struct JsonValue<'a>(&'a RawValue);

pub(super) struct ObjectMembers<'a>(Vec<(String, &'a RawValue)>);

/// The maximum length of a value in an error, in bytes.
const SHOWN_BYTES: usize = 40;

impl<'a> JsonValue<'a> {
    /// Checks the syntax of a whole text.
    pub(super) fn parse(text: &'a str) -> Result<JsonValue<'a>> {
        Ok(JsonValue(serde_json::from_str(text).map_err(syntax)?))
    }

    pub(super) fn object(self) -> Result<ObjectMembers<'a>> {
        self.read('{', "an object")
    }

    pub(super) fn array(self) -> Result<Vec<JsonValue<'a>>> {
        let items: Vec<&'a RawValue> = self.read('[', "an array")?;
        Ok(items.into_iter().map(JsonValue).collect())
    }

    /// Reads each item of an array. Errors contain its index.
    pub(super) fn items<T>(self, mut read: impl FnMut(JsonValue<'a>) -> Result<T>) -> Result<Vec<T>> {
        let items = self.array()?.into_iter().enumerate();
        items.map(|(idx, item)| read(item).map_err(|error| error.in_item(idx))).collect()
    }

    pub(super) fn string(self) -> Result<String> {
        self.read('"', "a string")
    }

    /// Parses a value that begins with `first`.
    fn read<T: Deserialize<'a>>(self, first: char, expected: &'static str) -> Result<T> {
        if !self.0.get().starts_with(first) {
            return Err(self.expected(expected));
        }
        serde_json::from_str(self.0.get()).map_err(syntax)
    }

    pub(super) fn number<T: FromStr>(self, expected: &'static str) -> Result<T> {
        let is_number = self.0.get().starts_with(|first: char| first == '-' || first.is_ascii_digit());
        let number = if is_number { self.0.get().parse().ok() } else { None };
        number.ok_or_else(|| self.expected(expected))
    }

    /// Reads `true` or `false`. Old files contain 1 or 0 instead.
    pub(super) fn boolean(self) -> Result<bool> {
        match self.0.get() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(self.expected("true or false")),
        }
    }

    pub(super) fn is_null(self) -> bool {
        self.0.get() == "null"
    }

    /// The error for a value that is not of the expected kind.
    pub(super) fn expected(self, expected: &'static str) -> SchemaJsonError {
        let text = self.0.get();
        let shown = &text[..arrow_buffer::floor_char_boundary(text, SHOWN_BYTES)];
        let found = format!("{shown}{}", if shown.len() < text.len() { "…" } else { "" });
        Kind::Expected { expected, found }.into()
    }
}

#[cold]
fn syntax(error: serde_json::Error) -> SchemaJsonError {
    Kind::Syntax { problem: error.to_string() }.into()
}

impl<'a> ObjectMembers<'a> {
    /// The value of a member. `None` if the member does not exist.
    pub(super) fn get(&self, name: &'static str) -> Result<Option<JsonValue<'a>>> {
        let mut found = self.0.iter().filter(|(member, _)| member == name);
        let first = found.next().map(|(_, value)| JsonValue(value));
        match found.next() {
            Some(_) => Err(Kind::Repeated { name }.into()),
            None => Ok(first),
        }
    }

    /// Reads a required member. Errors contain its name.
    pub(super) fn read<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(JsonValue<'a>) -> Result<T>,
    ) -> Result<T> {
        match self.read_if_there(name, read)? {
            Some(value) => Ok(value),
            None => Err(Kind::Missing { name }.into()),
        }
    }

    /// Reads an optional member. `None` if the member does not exist.
    pub(super) fn read_if_there<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(JsonValue<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        self.get(name)?.map(|value| read(value).map_err(|error| error.in_member(name))).transpose()
    }

    /// Reads each item of a required member, which must be an array.
    pub(super) fn read_all<T>(
        &self,
        name: &'static str,
        read: impl FnMut(JsonValue<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.read(name, |array| array.items(read))
    }
}

impl<'de> Deserialize<'de> for ObjectMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = ObjectMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ObjectMembers<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(ObjectMembers(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
