//! The schema that inputs have together.

use std::{
    borrow::{Borrow, Cow},
    collections::BTreeMap,
};

use arrow_compute::{Digits, cast, wider_type};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, MergeError, MergeErrorKind, MergeOptions, MetadataRule, Schema};

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

/// The schema with these types of columns. Their values are those of the type, such as texts instead of JSON.
pub fn with_types<'a>(schema: &'a Schema, types: &BTreeMap<String, DataType>) -> Cow<'a, Schema> {
    if types.is_empty() {
        return Cow::Borrowed(schema);
    }
    let typed = |field: &Field| match types.get(field.name()) {
        Some(data_type) => field.clone().without_extension().with_data_type(data_type.clone()),
        None => field.clone(),
    };
    let fields = schema.fields().iter().map(typed).collect::<Vec<Field>>();
    Cow::Owned(Schema::new(fields).with_metadata(schema.metadata().clone()))
}

/// A type to which the values of both types can be cast, although no wider type has them: where they conflict, it has text or
/// bytes. `None` if none is known.
pub(crate) fn castable_type(types: &[DataType; 2]) -> Option<DataType> {
    let schemas = types.clone().map(|data_type| Schema::new([Field::new("", data_type)]));
    let options = MergeOptions::new().with_metadata(MetadataRule::KeepFirst).with_wider_types(text_or_bytes);
    let merged = Schema::try_merge_with(&schemas, options).ok()?;
    let to = merged.field(0)?.data_type().clone();
    types.iter().all(|from| is_cast(from, &to)).then_some(to)
}

/// The wider type of two types; if there is none, text or bytes that have the values of both.
fn text_or_bytes(left: &DataType, right: &DataType) -> Option<DataType> {
    let has_both = |to: &DataType| is_cast(left, to) && is_cast(right, to);
    wider_type(left, right).or_else(|| [DataType::Utf8, DataType::Binary].into_iter().find(has_both))
}

/// Whether there is a cast between two types. Values may still not fit.
fn is_cast(from: &DataType, to: &DataType) -> bool {
    cast(&ArrayData::new_empty(from), to, Digits::Keep).is_ok()
}
