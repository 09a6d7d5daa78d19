//! JSON as text. Each value stays text until its expected kind is known, so no number is rounded.

use std::{fmt, str::FromStr};

use serde_core::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{DocumentErrorKind as Kind, Result};

/// A value of a document whose syntax has been checked. Objects and arrays are parsed one level at a time, without
/// recursion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Json<'a>(&'a RawValue);

/// The members of an object.
pub(crate) struct Object<'a>(Vec<(String, &'a RawValue)>);

/// The number of bytes of a value that an error shows.
const SHOWN_BYTES: usize = 40;

impl<'a> Json<'a> {
    /// Checks the syntax of a whole document.
    pub(crate) fn parse(text: &'a str) -> Result<Json<'a>> {
        Ok(Json(serde_json::from_str(text)?))
    }

    /// The text of the value.
    pub(crate) fn text(self) -> &'a str {
        self.0.get()
    }

    pub(crate) fn object(self) -> Result<Object<'a>> {
        if !self.0.get().starts_with('{') {
            return Err(self.expected("an object"));
        }
        Ok(serde_json::from_str(self.0.get())?)
    }

    pub(crate) fn array(self) -> Result<Vec<Json<'a>>> {
        if !self.0.get().starts_with('[') {
            return Err(self.expected("an array"));
        }
        let items: Vec<&'a RawValue> = serde_json::from_str(self.0.get())?;
        Ok(items.into_iter().map(Json).collect())
    }

    pub(crate) fn string(self) -> Result<String> {
        if !self.0.get().starts_with('"') {
            return Err(self.expected("a string"));
        }
        Ok(serde_json::from_str(self.0.get())?)
    }

    /// A number, or a string of digits.
    pub(crate) fn number_or_string<T: FromStr>(self, expected: &'static str) -> Result<T> {
        if self.0.get().starts_with('"') {
            return self.string()?.parse().map_err(|_| self.expected(expected));
        }
        self.number(expected)
    }

    pub(crate) fn number<T: FromStr>(self, expected: &'static str) -> Result<T> {
        let is_number = self.0.get().starts_with(|first: char| first == '-' || first.is_ascii_digit());
        let number = if is_number { self.0.get().parse().ok() } else { None };
        number.ok_or_else(|| self.expected(expected))
    }

    /// Reads `true` or `false`. Old documents have 1 or 0 instead.
    pub(crate) fn boolean(self) -> Result<bool> {
        match self.0.get() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(self.expected("true or false")),
        }
    }

    /// The error for a value of another kind than `expected`.
    pub(crate) fn expected<E: From<Kind>>(self, expected: &'static str) -> E {
        let text = self.0.get();
        let shown = &text[..text.floor_char_boundary(SHOWN_BYTES)];
        let found = format!("{shown}{}", if shown.len() < text.len() { "…" } else { "" });
        Kind::Expected { expected, found }.into()
    }
}

impl<'a> Object<'a> {
    /// The value of a member, if the member exists.
    pub(crate) fn get(&self, name: &'static str) -> Result<Option<Json<'a>>> {
        let mut found = self.0.iter().filter(|(member, _)| member == name);
        let first = found.next().map(|(_, value)| Json(value));
        match found.next() {
            Some(_) => Err(Kind::Repeated { name: name.to_owned() }.into()),
            None => Ok(first),
        }
    }

    /// Reads the value of a required member. Errors contain the name of the member.
    pub(crate) fn read<T>(&self, name: &'static str, read: impl FnOnce(Json<'a>) -> Result<T>) -> Result<T> {
        match self.read_if_there(name, read)? {
            Some(value) => Ok(value),
            None => Err(Kind::Missing { name }.into()),
        }
    }

    /// Reads the value of an optional member.
    pub(crate) fn read_if_there<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(Json<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        self.get(name)?.map(|value| read(value).map_err(|error| error.in_member(name))).transpose()
    }

    /// Reads each element of a member, which must be an array.
    pub(crate) fn read_all<T>(
        &self,
        name: &'static str,
        mut read: impl FnMut(Json<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.read(name, |array| read_items(&array.array()?, |_, item| read(item)))
    }
}

/// Reads each of these elements. Errors contain the index of the element.
pub(crate) fn read_items<'a, T>(
    items: &[Json<'a>],
    mut read: impl FnMut(usize, Json<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let items = items.iter().enumerate();
    items.map(|(idx, item)| read(idx, *item).map_err(|error| error.in_item(idx))).collect()
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Object(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let document = Json::parse(r#"{"a": [9223372036854775807, "18446744073709551615", 0.1]}"#).unwrap();
        let items = document.object().unwrap().read("a", |array| array.array()).unwrap();
        assert_eq!(items[0].number::<i64>("a number").unwrap(), i64::MAX);
        assert_eq!(items[1].number_or_string::<u64>("a number").unwrap(), u64::MAX);
        assert_eq!(items[2].number::<f32>("a number").unwrap().to_bits(), 0.1_f32.to_bits());
        assert!(items[1].number::<u64>("a number").is_err());
        assert!(items[2].number::<i64>("a number").is_err());
    }

    #[test]
    fn nesting_costs_no_stack() {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(Json::parse(&deep).unwrap().array().unwrap().len(), 1);
    }
}
