//! Compares batches, value by value.

use arrow_array::{ColumnText, TextStyle};
use arrow_data::{ArrayData, RecordBatch, differences};

use super::mismatch::MismatchKind;

/// Checks that the numbers of batches and rows, and all values, are equal.
pub(super) fn check_batches(expected: &[RecordBatch], found: &[RecordBatch]) -> Result<(), MismatchKind> {
    if expected.len() != found.len() {
        return Err(MismatchKind::BatchCount { expected: expected.len(), found: found.len() });
    }
    for (idx, (expected, found)) in expected.iter().zip(found).enumerate() {
        check_batch(idx, expected, found)?;
    }
    Ok(())
}

fn check_batch(idx: usize, expected: &RecordBatch, found: &RecordBatch) -> Result<(), MismatchKind> {
    if expected.n_rows() != found.n_rows() {
        return Err(MismatchKind::RowCount { idx, expected: expected.n_rows(), found: found.n_rows() });
    }
    let differences = differences(expected, found);
    let mut differences = differences.map_err(|error| MismatchKind::Incomparable { idx, error })?;
    match differences.next() {
        None => Ok(()),
        Some(row) => {
            let (expected, found) = (show(row.difference().left()), show(row.difference().right()));
            Err(MismatchKind::Value { idx, location: row.to_string(), expected, found })
        }
    }
}

/// The value of an array with one slot, as text.
fn show(array: &ArrayData) -> String {
    match ColumnText::try_new(array, TextStyle::Json) {
        Ok(column) => column.value(0).to_string(),
        Err(error) => format!("a value that cannot be shown ({error})"),
    }
}
