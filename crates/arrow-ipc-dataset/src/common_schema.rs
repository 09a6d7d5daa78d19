//! The schema that inputs have together.

use std::borrow::Borrow;

use arrow_compute::wider_type;
use arrow_schema::{Field, MergeError, MergeErrorKind, MergeOptions, MetadataRule, Schema};

/// A schema for the rows of all inputs with these schemas: the columns of all, in the order in which their names are first
/// found.
///
/// - If a column has several types, its type is the first of them that can hold all values, or a wider type: see
///   [`MergeOptions::with_wider_types`] for layouts and encodings, and [`wider_type`](arrow_compute::wider_type()) for numbers and
///   times.
/// - Metadata that differs is that of the first schema with the key. An extension type stays if all inputs with the column have it,
///   and the values are the same.
///
/// [`FileColumns`](crate::FileColumns) gives the rows of an input these columns.
///
/// ```
/// use arrow_ipc_dataset::common_schema;
/// use arrow_schema::Schema;
///
/// let schemas = ["id: int32\nname: utf8", "name: utf8_view\nid: int64\nday: date32"];
/// let schemas: Vec<Schema> = schemas.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
/// assert_eq!(common_schema(&schemas)?.to_string(), "id: int64\nname: utf8\nday: date32");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a column has types without a wider type, or the name of a column repeats.
pub fn common_schema<S: Borrow<Schema>>(schemas: impl IntoIterator<Item = S>) -> Result<Schema, MergeError> {
    let schemas: Vec<S> = schemas.into_iter().collect();
    let options = MergeOptions::new().with_metadata(MetadataRule::KeepFirst).with_wider_types(wider_type);
    Schema::try_merge_with(schemas.iter().map(Borrow::borrow), options)
}

/// Whether the [common schema](common_schema) of inputs has all metadata of the schema of one of them. Ignores the types of columns, but
/// not their extension types.
pub fn has_metadata_of(all: &Schema, own: &Schema) -> bool {
    let is_start = all.metadata() == own.metadata() && all.fields().starts_with(own.fields());
    let options = MergeOptions::new().with_wider_types(wider_type);
    let has_same = |merged: &Schema| {
        let metadata_of_fields =
            |schema: &Schema| schema.fields_in_pre_order().map(Field::metadata).cloned().collect::<Vec<_>>();
        merged.metadata() == all.metadata() && metadata_of_fields(merged) == metadata_of_fields(all)
    };
    is_start
        || match Schema::try_merge_with([all, own], options) {
            Ok(merged) => has_same(&merged),
            Err(error) => {
                !matches!(error.kind(), MergeErrorKind::Metadata { .. } | MergeErrorKind::Extension { .. })
            }
        }
}
