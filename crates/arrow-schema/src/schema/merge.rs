//! Merges several schemas into one.

mod error;
mod fields;
mod metadata;
mod options;

use self::fields::Fields;
use crate::{Metadata, Schema};

pub use self::error::{MergeError, MergeErrorKind};
pub use self::options::{DifferenceRule, MergeOptions, MetadataRule, MissingFieldRule, WiderType};

impl Schema {
    /// Makes a schema with the columns of all these schemas. Columns are matched by name, and come in the order in which
    /// they first appear.
    ///
    /// - Columns with the same name need the same type, unless the options allow a difference. The fields of structs,
    ///   at any depth, are merged by name, like columns. Items of lists, keys and values of maps, children of unions,
    ///   and values of dictionaries and of runs are merged by position. They get the names of the first schema.
    ///   Children of unions need the same names. No field is added to a struct inside an extension type.
    /// - Metadata of schemas and of fields is joined key by key, in the order in which keys first appear. If several
    ///   schemas have a key, its values must be the same, including duplicates, unless the options say otherwise.
    /// - A single schema is returned unchanged. Without schemas, the result is a schema without columns.
    ///
    /// Takes time in proportion to the number of all fields, plus the number of schemas times the size of the merged
    /// metadata and structs.
    ///
    /// ```
    /// use arrow_schema::Schema;
    ///
    /// let old: Schema = "id: int64 not null\naddress: struct<city: utf8>\nnote: null".parse()?;
    /// let new: Schema = "id: int64 not null\nnote: utf8\naddress: struct<zip: int32, city: utf8>".parse()?;
    /// let merged = Schema::try_merge([&old, &new])?;
    /// assert_eq!(
    ///     merged.to_string(),
    ///     "id: int64 not null\naddress: struct<city: utf8, zip: int32>\nnote: utf8"
    /// );
    /// let other: Schema = "address: struct<city: binary>".parse()?;
    /// let error = Schema::try_merge([&merged, &other]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "field address.city, schema 1: the type is binary; preceding schemas say utf8"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first conflict: the field, the position of the schema that contradicts the preceding schemas, and both
    /// values. A name that occurs twice in a schema or struct is a conflict if the schema or struct is merged with
    /// another one.
    pub fn try_merge<'a>(schemas: impl IntoIterator<Item = &'a Schema>) -> Result<Schema, MergeError> {
        Schema::try_merge_with(schemas, MergeOptions::new())
    }

    /// Like [`try_merge`](Schema::try_merge), with options.
    ///
    /// # Errors
    /// The errors of [`try_merge`](Schema::try_merge).
    pub fn try_merge_with<'a>(
        schemas: impl IntoIterator<Item = &'a Schema>,
        options: MergeOptions,
    ) -> Result<Schema, MergeError> {
        merge(&schemas.into_iter().collect::<Vec<&Schema>>(), &options)
    }
}

fn merge(schemas: &[&Schema], options: &MergeOptions) -> Result<Schema, MergeError> {
    if let [schema] = schemas {
        return Ok((*schema).clone());
    }
    let mut fields = Fields::new(options);
    let mut metadata = Metadata::new();
    for (schema_idx, schema) in schemas.iter().enumerate() {
        let in_schema = |error: MergeError| error.in_schema(schema_idx);
        fields.add(schema.fields()).map_err(in_schema)?;
        metadata =
            metadata::merge(&metadata, schema.metadata(), options).map_err(|kind| in_schema(kind.into()))?;
    }
    Ok(Schema::new(fields.finish()).with_metadata(metadata))
}
