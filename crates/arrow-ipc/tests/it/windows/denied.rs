//! Batches that declare to have no rows.

use super::*;

/// A batch that declares no rows has no rows that would be checked.
#[test]
fn a_batch_without_rows_is_checked() {
    let numbers = arrow_array::Int64Array::from_iter(0..777).into_data();
    let batch = RecordBatch::try_from_columns([("a", numbers)]).unwrap();
    let whole = file(&batch, WriteOptions::new()).unwrap();
    let mut bytes = whole.bytes.to_vec();
    let count = 777_i64.to_le_bytes();
    let positions: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&count)).collect();
    let mut n_refused = 0;
    for position in positions {
        bytes[position..position + 8].fill(0);
        let reader = open(&CountedSource { bytes: bytes.clone().into(), ..whole.clone() }, u64::MAX);
        if reader.n_rows_of(0).is_ok_and(|n_rows| n_rows == 0) {
            let expected = reader.batch(0).unwrap_err().to_string();
            assert_eq!(
                reader.parts_of(0, 0..0, 8).unwrap().next().unwrap().unwrap_err().to_string(),
                expected
            );
            n_refused += 1;
        }
        bytes[position..position + 8].copy_from_slice(&count);
    }
    assert_eq!(n_refused, 1);
    let none =
        RecordBatch::try_from_columns([("a", arrow_array::Int64Array::from_iter([0; 0]).into())]).unwrap();
    let reader = open(&file(&none, WriteOptions::new()).unwrap(), u64::MAX);
    let parts: Vec<_> = reader.parts_of(0, 0..0, 8).unwrap().map(Result::unwrap).collect();
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].n_rows(), 0);
}
