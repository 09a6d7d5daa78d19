//! Writes results as JSON, by `serde_json`. The members of objects have a fixed order.

mod difference;
mod explanation;
mod line;
mod message;
mod schema;
mod summary;
mod tensor;

use std::fmt;

use arrow_schema::Metadata;
use serde_core::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;

pub(crate) use self::line::write_line;
pub use self::{
    line::JsonLine,
    message::{JsonLinesReport, JsonReport},
    schema::SchemaJson,
};

/// A result with the members of a JSON object. `JSON.md` of `arrow-ipc-cli` lists the members.
///
/// Several results can give their members to one object, as `flatten` of serde's derive does. Members are made while they
/// are written, because all of them together may take many times the memory of the input.
///
/// ```
/// use arrow_ipc_report::{JsonMembers, JsonObject};
/// use serde_core::ser::SerializeMap;
///
/// struct Size(u64);
///
/// impl JsonMembers for Size {
///     fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
///         object.serialize_entry("n_bytes", &self.0)
///     }
/// }
///
/// assert_eq!(JsonObject(Size(8)).to_value().to_string(), r#"{"n_bytes":8}"#);
/// ```
pub trait JsonMembers {
    /// Writes the members in order.
    ///
    /// # Errors
    /// The error of `object`.
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error>;
}

impl<T: JsonMembers> JsonMembers for &T {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        T::serialize_members(self, object)
    }
}

/// Serializes a result as a JSON object.
#[derive(Debug, Clone, Copy)]
pub struct JsonObject<T>(pub T);

impl<T: JsonMembers> JsonObject<T> {
    /// The object as a value in memory.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("keys are text, and numbers have at most 64 bits")
    }
}

impl<T: JsonMembers> Serialize for JsonObject<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.0.serialize_members(&mut object)?;
        object.end()
    }
}

/// The members of a result, after the name of its input as `input`.
#[derive(Debug, Clone, Copy)]
pub struct WithInput<'a, T> {
    /// The name; `None` to leave it out.
    pub input: Option<&'a str>,
    /// The result.
    pub result: T,
}

impl<T: JsonMembers> JsonMembers for WithInput<'_, T> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        if let Some(input) = self.input {
            object.serialize_entry("input", input)?;
        }
        self.result.serialize_members(object)
    }
}

/// Serializes an array. Its items are made while they are written.
pub(crate) struct Items<F>(pub(crate) F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Items<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Serializes what a value displays, as a string.
pub(crate) struct AsText<T>(pub(crate) T);

impl<T: fmt::Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Serializes metadata as an array of pairs. An object is impossible, because keys may repeat or be null.
pub(crate) struct Pairs<'a>(pub(crate) &'a Metadata);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}
