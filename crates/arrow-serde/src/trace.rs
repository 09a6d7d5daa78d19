//! Finds schemas of serde types: from samples, or from what a type requests.

mod kind;
mod sample;
mod schema;
mod type_tracer;

use arrow_schema::Schema;
use serde_core::{de::DeserializeOwned, ser::Serialize};

use self::{kind::TracedType, sample::Sample, type_tracer::TypeTracer};
use crate::error::Result;

/// Finds a schema for rows from samples, from their Rust type, or from both.
///
/// ```
/// use arrow_serde::SchemaTracer;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Person {
///     name: String,
///     age: Option<u8>,
///     tags: Vec<String>,
/// }
///
/// let mut tracer = SchemaTracer::new();
/// tracer.add_type::<Person>()?;
/// let by_type = tracer.schema()?;
/// assert_eq!(by_type.to_string(), "name: utf8 not null\nage: uint8\ntags: list<item: utf8 not null> not null");
///
/// let mut tracer = SchemaTracer::new();
/// tracer.add(&Person { name: "ada".to_owned(), age: None, tags: vec!["new".to_owned()] })?;
/// tracer.add(&Person { name: "eve".to_owned(), age: Some(7), tags: vec![] })?;
/// assert_eq!(tracer.schema()?, by_type);
/// # Ok::<(), arrow_serde::SerdeError>(())
/// ```
///
/// | what rows have | becomes |
/// |---|---|
/// | `bool`, integers, `f32`, `f64` | the type of that name; if a field has several, the smallest type that contains them, `int64` for `u64` beside signed integers, and `float64` for integers beside floating-point numbers |
/// | `i128`, `u128` | `decimal128(38, 0)` |
/// | `char`, text | `utf8`, also for dates and times that are written as text |
/// | bytes | `binary` |
/// | `Option` | the type of the values, nullable |
/// | `()` | `null` |
/// | sequences | `list` |
/// | tuples, arrays, tuple structs | `fixed_size_list` if all items have the same type, otherwise `struct` with the names `0`, `1`, … |
/// | structs, and rows that are maps | `struct` |
/// | maps | `map` |
/// | enums whose variants have no values | `dictionary<int32, utf8>` |
/// | enums with values, also `()` | `dense_union` of the variants in the samples; variants without values have the type `null` |
///
/// The types of values decide, not their size. So a few samples may not fit the schema, which is an error when they are
/// written: `u64` above the range of `int64`, integers that `float64` does not store exactly, and integers of more than
/// 38 digits. For integers beside floating-point numbers, no other type would be exact, since floating-point numbers
/// cannot be written to decimals.
///
/// A field that some samples lack is nullable. For other types, such as dates, encodings or large lists, change the schema or
/// write your own: [`RowWriter`](crate::RowWriter) accepts any schema.
#[derive(Debug, Default)]
pub struct SchemaTracer {
    rows: TracedType,
    n_samples: u64,
    /// Whether fields without any value get the type null. Otherwise they are errors.
    has_null_fields: bool,
}

impl SchemaTracer {
    /// Makes a tracer without samples and types.
    pub fn new() -> SchemaTracer {
        SchemaTracer::default()
    }

    /// Gives the type `null` to fields that are `None` in all samples, and to the items of lists that are always empty. Without
    /// this option, such fields and lists are errors.
    #[must_use]
    pub fn with_null_fields(self) -> SchemaTracer {
        SchemaTracer { has_null_fields: true, ..self }
    }

    /// Adds a sample of a row.
    ///
    /// # Errors
    /// If a field has values of different kinds that no type fits, or if types nest deeper than the limit of 64 levels. The
    /// row of the error is the number of the sample, counted from 0. Parts of the sample may have been added: to go on without
    /// it, trace the other samples again.
    pub fn add<T: Serialize + ?Sized>(&mut self, sample: &T) -> Result<()> {
        let row = self.n_samples;
        self.n_samples = row.saturating_add(1);
        sample.serialize(Sample::for_row(&mut self.rows)).map_err(|error| error.at_row(row))
    }

    /// Finds the fields and values that a Rust type reads. Structs, tuples, options, sequences, maps, numbers and text need no
    /// samples.
    ///
    /// # Errors
    /// If the contents of the type cannot be found: those of variants of enums, of types that accept any value, of
    /// structs with an alias for a field, and of types that parse text, such as dates, since they reject the text that the tracer passes. If types nest deeper
    /// than the limit of 64 levels, for example because a type contains itself. If the fields differ from the fields of
    /// samples.
    pub fn add_type<T: DeserializeOwned>(&mut self) -> Result<()> {
        T::deserialize(TypeTracer::for_row(&mut self.rows)).map(drop)
    }

    /// The schema that fits all samples and types added so far.
    ///
    /// # Errors
    /// If no sample or type has been added. If rows are not structs, maps or tuples. If all samples of a field are null. If an
    /// enum with values is optional, or some samples lack its field, since unions have no nulls.
    pub fn schema(&self) -> Result<Schema> {
        self.rows.schema(self.has_null_fields)
    }
}
