//! The columns to read, by names and paths.

mod names;
mod pattern;
mod projected;
mod query;
mod selection;

use arrow_ipc::{IpcSchema, UnsupportedColumn, error::UnsupportedPart};
use arrow_schema::{DataType, Field, Schema};

pub(crate) use self::names::first_of;
pub use self::{
    names::{ColumnName, ColumnNames},
    query::RowQuery,
    selection::Selection,
};

/// The positions of the columns that are dictionaries, or have some inside.
pub fn dictionary_columns(schema: &Schema) -> Vec<usize> {
    let has_dictionaries = |field: &Field| {
        let column = Schema::new([field.clone()]);
        column.fields_in_pre_order().any(|field| field.data_type().is_dictionary())
    };
    let fields = schema.fields().iter().enumerate().filter(|(_, field)| has_dictionaries(field));
    fields.map(|(position, _)| position).collect()
}

/// Merges the columns of known types and the columns of unknown types, in the order of the schema.
pub fn merge_unsupported_columns<'a, T>(
    schema: &'a IpcSchema,
    mut supported: impl Iterator<Item = T>,
    unsupported: impl Fn(&'a UnsupportedColumn) -> T,
) -> Vec<T> {
    let mut columns = Vec::new();
    for column in schema.unsupported_columns() {
        let n_between = column.position().saturating_sub(columns.len());
        columns.extend(supported.by_ref().take(n_between));
        columns.push(unsupported(column));
    }
    columns.extend(supported);
    columns
}

/// The schema in which 128-bit integers, which polars writes, are replaced by fixed-size binary values with the same
/// buffers. If a column is of another unknown type, the schema is unchanged.
pub(crate) fn with_wide_integers_as_bytes(schema: &IpcSchema) -> IpcSchema {
    let is_wide = |column: &UnsupportedColumn| {
        column.path().steps().len() == 1 && matches!(column.reason(), UnsupportedPart::WideInteger { .. })
    };
    let (Ok(bytes), true) =
        (DataType::fixed_size_binary(16), schema.unsupported_columns().iter().all(is_wide))
    else {
        return schema.clone();
    };
    let supported = schema.schema().fields().iter().cloned();
    let fields =
        merge_unsupported_columns(schema, supported, |column| Field::new(column.name(), bytes.clone()));
    let fields = Schema::new(fields).with_metadata(schema.schema().metadata().clone());
    schema.try_with_columns(fields, schema.dictionary_ids()).unwrap_or_else(|_| schema.clone())
}
