//! Files: whatever is read, the result is that of `FileReader`, errors included.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FetchCost, FileReader, Projection, ReadOptions, Result};
use arrow_ipc_async::{AsyncFileReader, FetchOptions};
use testing_support::rows;

use crate::support::{Store, corpus, drive};

/// What is compared of a result: the values, or the text of the error.
fn outcome(batch: Result<RecordBatch>) -> std::result::Result<Vec<Vec<testing_support::Value>>, String> {
    batch.map(|batch| rows(&batch)).map_err(|error| error.to_string())
}

/// No byte of the end is read in advance, so that every read has to ask.
fn options() -> ReadOptions {
    ReadOptions::new().with_tail_bytes(64)
}

pub(crate) fn compare(name: &str, bytes: &Buffer) -> usize {
    let store = Store::new(bytes.clone());
    let expected = FileReader::try_from_source(bytes.clone(), options());
    let found = drive(AsyncFileReader::open_with_options(store.clone(), options()));
    let (expected, found) = match (expected, found) {
        (Ok(expected), Ok(found)) => {
            (expected, found.with_fetch_options(FetchOptions::new().with_max_requests(3)))
        }
        (Err(expected), Err(found)) => {
            assert_eq!(found.to_string(), expected.to_string(), "{name}");
            return 0;
        }
        (expected, found) => panic!("{name}: {:?}, not {:?}", found.map(drop), expected.map(drop)),
    };
    assert_eq!(found.schema(), expected.schema(), "{name}");
    assert_eq!(found.n_batches(), expected.n_batches(), "{name}");
    let text = |result: Result<u64>| result.map_err(|error| error.to_string());
    assert_eq!(text(drive(found.n_rows())), text(expected.n_rows()), "{name}");
    for batch_idx in 0..expected.n_batches().min(20) {
        let batch = outcome(drive(found.batch(batch_idx)));
        assert_eq!(batch, outcome(expected.batch(batch_idx)), "{name}");
        let n_rows = drive(found.n_rows_of(batch_idx)).unwrap_or(0);
        let some = n_rows / 3..n_rows;
        let batch = outcome(drive(found.batch_rows(batch_idx, some.clone())));
        assert_eq!(batch, outcome(expected.batch_rows(batch_idx, some)), "{name}");
    }
    let last = Projection::Positions(vec![expected.schema().fields().len().saturating_sub(1)]);
    if let (Ok(expected), Ok(found)) = (expected.project(&last), found.project(&last)) {
        for batch_idx in 0..expected.n_batches().min(20) {
            assert_eq!(outcome(drive(found.batch(batch_idx))), outcome(expected.batch(batch_idx)), "{name}");
        }
    }
    expected.n_batches()
}

#[test]
fn files_of_others_read_as_without_waiting() {
    let mut n_batches = 0;
    for suffix in [".arrow", ".arrow_file"] {
        for (path, bytes) in corpus(suffix).iter().filter(|(_, bytes)| bytes.len() < 100_000) {
            n_batches += compare(&path.display().to_string(), bytes);
        }
    }
    assert!(n_batches > 200, "{n_batches}");
}

#[test]
fn the_end_of_a_file_comes_with_one_request() {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/fifty-columns.arrow");
    let store = Store::new(std::fs::read(path).unwrap());
    let n_bytes = store.bytes.len() as u64;
    let options = ReadOptions::new().with_tail_bytes(n_bytes - 100).with_fetch_cost(FetchCost::FREE_REQUESTS);
    let file = drive(AsyncFileReader::open_with_options(store.clone(), options)).unwrap();
    // And one for the magic.
    assert_eq!(store.take_requests(), [100 - 63..n_bytes, 0..8]);
    assert!(drive(file.batch(0)).is_ok());
    assert_eq!(file.stats().n_realigned_bytes, 0, "what is near the end of the file lies aligned in memory");
}
