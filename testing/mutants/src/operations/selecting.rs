//! Compares the results of `take`, `filter`, `concat` and comparisons with values that are read one by one.

use arrow_buffer::Bitmap;
use arrow_data::{DataError, DataErrorKind, RecordBatch, Validation};
use arrow_select::{Select, SelectError, SelectErrorKind, concat_batches};
use testing_support::{Value, rows};

pub(super) fn select(batch: &RecordBatch) -> Result<(), String> {
    let batch = batch.clone().validate(Validation::Content).map_err(|error| error.to_string())?;
    let all = rows(&batch);
    let n_rows = batch.n_rows();
    let same = batch.same_values(&batch.slice(0, n_rows));
    if same != Ok(true) {
        return Err(format!("a batch and itself: {same:?}"));
    }
    // Every other row, from the last one; one of them twice.
    let indices: Vec<usize> = (0..n_rows).rev().step_by(2).chain((n_rows > 0).then_some(0)).collect();
    let expected: Vec<_> = indices.iter().map(|row| all[*row].clone()).collect();
    compare("take", batch.take(&indices), &expected)?;
    let mask: Bitmap = (0..n_rows).map(|row| row % 3 != 1).collect();
    let expected: Vec<_> = (0..n_rows).filter(|row| row % 3 != 1).map(|row| all[row].clone()).collect();
    compare("filter", batch.filter(&mask), &expected)?;
    let tail = batch.slice(n_rows / 2, n_rows - n_rows / 2);
    let expected: Vec<_> = all.iter().chain(&all[n_rows / 2..]).cloned().collect();
    compare("concat", concat_batches(batch.schema().clone(), &[batch.clone(), tail]), &expected)
}

fn compare(
    what: &str,
    made: Result<RecordBatch, SelectError>,
    expected: &[Vec<Value>],
) -> Result<(), String> {
    match made {
        Ok(made) if rows(&made) == expected => Ok(()),
        Ok(_) => Err(format!("{what} gives other rows")),
        // What has no place in the type: indices, offsets, run ends that overflow.
        Err(error) if is_overflow(&error) => Ok(()),
        Err(error) => Err(format!("{what}: {error}")),
    }
}

fn is_overflow(error: &SelectError) -> bool {
    matches!(
        error.kind(),
        SelectErrorKind::IndexOverflow { .. }
            | SelectErrorKind::OffsetOverflow { .. }
            | SelectErrorKind::OrderedDictionaries
            | SelectErrorKind::RunEndOverflow { .. }
            | SelectErrorKind::UnionOffsetOverflow { .. }
    ) || matches!(error.data().map(DataError::kind), Some(DataErrorKind::SizeOverflow { .. }))
}
