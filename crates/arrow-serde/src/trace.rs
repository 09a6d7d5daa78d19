//! Finds schemas of serde types, from samples or from the fields that a type requests.

mod kind;
mod sample;
mod schema;
mod type_of;

use arrow_schema::Schema;
use serde_core::{de::DeserializeOwned, ser::Serialize};

use self::{kind::Traced, sample::Sample, type_of::TypeOf};
use crate::error::Result;

/// Finds the schema of rows: from samples, from their type alone, or from both.
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
/// | `bool`, integers, `f32`, `f64` | the type of that name; in a field with several of them the type that has all values, else `int64` |
/// | `i128`, `u128` | `decimal128(38, 0)` |
/// | `char`, text | `utf8`, also of dates and times |
/// | bytes | `binary` |
/// | `Option` | the type of the values, nullable |
/// | `()` | `null` |
/// | sequences | `list` |
/// | tuples, arrays, tuple structs | `fixed_size_list` if all have one type, else `struct` with the names `0`, `1`, … |
/// | structs, and rows that are maps | `struct` |
/// | maps | `map` |
/// | enums of names alone | `dictionary<int32, utf8>` |
/// | enums with values | `dense_union` of the variants that were seen; those without values are of type `null` |
///
/// Fields that some samples lack are nullable. For other types, such as dates, encodings or large lists, change the
/// schema or write your own: [`RowWriter`](crate::RowWriter) takes any schema.
#[derive(Debug, Default)]
pub struct SchemaTracer {
    rows: Traced,
    n_samples: u64,
    untold: Untold,
}

/// What happens to fields that only had nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Untold {
    #[default]
    Refuse,
    Null,
}

impl SchemaTracer {
    /// Makes a tracer without any knowledge about rows.
    pub fn new() -> SchemaTracer {
        SchemaTracer::default()
    }

    /// Gives the type `null` to fields that were always `None`, and to the items of lists that were always empty. Otherwise
    /// both are errors.
    #[must_use]
    pub fn with_null_fields(self) -> SchemaTracer {
        SchemaTracer { untold: Untold::Null, ..self }
    }

    /// Looks at a row.
    ///
    /// # Errors
    /// If a field has values of different kinds that no type fits, or types are nested more than 64 levels deep. The row in the
    /// error counts samples from 0.
    pub fn add<T: Serialize + ?Sized>(&mut self, sample: &T) -> Result<()> {
        let row = self.n_samples;
        self.n_samples = row.saturating_add(1);
        sample.serialize(Sample::of_row(&mut self.rows)).map_err(|error| error.at_row(row))
    }

    /// Finds out from a type which fields and values it reads. Structs, tuples, options, sequences, maps, numbers and text
    /// need no samples.
    ///
    /// # Errors
    /// If the contents of the type are unknown: this is so for variants of enums, for types that read any value, and
    /// for types that parse text, such as dates, which fail on the text of the tracer. If types are nested more than 64
    /// levels deep, for example because a type contains itself. If the fields differ from the fields of samples.
    pub fn add_type<T: DeserializeOwned>(&mut self) -> Result<()> {
        T::deserialize(TypeOf::of_row(&mut self.rows)).map(drop)
    }

    /// The schema of everything that was seen.
    ///
    /// # Errors
    /// If nothing was seen. If rows are not structs, maps or tuples. If only nulls are known of a field. If an enum with values
    /// may be absent, since unions have no nulls.
    pub fn schema(&self) -> Result<Schema> {
        self.rows.schema(self.untold)
    }
}
