//! Finds the columns, and the fields inside structs, that can have statistics.

use arrow_compute::{ColumnBounds, StatisticsError};
use arrow_data::{DataErrorKind, RecordBatch};
use arrow_schema::{Field, FieldPath, Schema};

/// The paths of columns and of fields inside structs, each with its index. The index counts all fields depth-first,
/// parents before children, as the specification requires.
pub(crate) fn numbered(schema: &Schema) -> Vec<(i32, FieldPath)> {
    let mut found = Vec::new();
    let mut next = 0;
    for (position, field) in (0..).zip(schema.fields()) {
        number(field, Some(FieldPath::root().child(position, field.to_shared_name())), &mut next, &mut found);
    }
    found
}

/// The number of columns and all fields inside them.
pub(crate) fn n_fields(schema: &Schema) -> usize {
    fn of(fields: &[Field]) -> usize {
        fields.iter().fold(fields.len(), |sum, field| sum.saturating_add(of(field.children())))
    }
    of(schema.fields())
}

fn number(field: &Field, path: Option<FieldPath>, next: &mut i32, found: &mut Vec<(i32, FieldPath)>) {
    let is_struct = field.data_type().is_struct();
    if let Some(path) = &path {
        found.push((*next, path.clone()));
    }
    // No schema has so many fields.
    *next = next.saturating_add(1);
    for (position, child) in (0..).zip(field.children()) {
        let inside = if is_struct { path.as_ref() } else { None };
        number(child, inside.map(|path| path.clone().child(position, child.to_shared_name())), next, found);
    }
}

/// Computes the bounds of the values at a path. Returns no bounds if a struct around the values has nulls, and their
/// type cannot have nulls.
pub(crate) fn bounds_at(
    batch: &RecordBatch,
    path: &FieldPath,
    max_bytes: usize,
) -> Result<ColumnBounds, StatisticsError> {
    match batch.at_path(path) {
        Ok(values) => ColumnBounds::from_array(&values, max_bytes),
        Err(error) if matches!(error.kind(), DataErrorKind::NullsAbove { .. }) => Ok(ColumnBounds::default()),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn is_unknown(known: &ColumnBounds) -> bool {
    known.null_count.is_none() && known.min.is_none() && known.max.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbered_depth_first() {
        let schema: Schema = "a: int8\nb: struct<x: list<item: int8>, y: struct<z: utf8>>\nc: list<item: struct<u: int8>>\nd: utf8".parse().unwrap();
        let found: Vec<String> =
            numbered(&schema).iter().map(|(number, path)| format!("{number}={path}")).collect();
        assert_eq!(found.join(" "), "0=a 1=b 2=b.x 4=b.y 5=b.y.z 6=c 9=d");
    }
}
