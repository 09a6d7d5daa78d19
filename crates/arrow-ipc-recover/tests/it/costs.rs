//! What a recovery visits: bytes of metadata, damaged bytes, spans and dictionaries. It grows in proportion to the input.

use arrow_array::{DictionaryArray, Int32Array};
use arrow_data::RecordBatch;
use arrow_schema::work_done;
use testing_support::ints;

use super::harness::{RecoveryResult, recover, stream_of};

/// The result of a recovery, and the number of visits.
fn visited(bytes: &[u8]) -> (RecoveryResult, u64) {
    let before = work_done();
    let found = recover(bytes).unwrap();
    (found, work_done() - before)
}

#[test]
fn dictionaries_are_not_visited_again_after_each_message() {
    let [few, many] = [1_000, 2_000].map(|n| {
        let words =
            |idx| DictionaryArray::try_new(Int32Array::from_iter([0]), ints([idx])).unwrap().into_data();
        let columns = (0..n).map(|idx| (format!("column {idx}"), words(idx)));
        let bytes = stream_of(&[RecordBatch::try_from_columns(columns).unwrap()]);
        let (found, n_visited) = visited(&bytes);
        assert_eq!((found.n_dictionaries(), found.batches.len()), (n as usize, 1));
        n_visited
    });
    assert!(many <= few / 10 * 22, "{few}, then {many}");
}
