//! Columns of unknown types, between columns of known ones.

use arrow_ipc::{IpcSchema, UnsupportedColumn};

/// The columns of a schema in order, those of unknown types included.
pub fn columns_in_order<T>(
    schema: &IpcSchema,
    mut supported: impl Iterator<Item = T>,
    unsupported: impl Fn(&UnsupportedColumn) -> T,
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

/// Why a column cannot be read.
pub fn unsupported_note(column: &UnsupportedColumn) -> String {
    let (path, reason) = (column.path(), column.reason());
    if path.steps().len() == 1 {
        return format!("unsupported {reason}");
    }
    format!("unsupported {reason} of field {path}")
}
