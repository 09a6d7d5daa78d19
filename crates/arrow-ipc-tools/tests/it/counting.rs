//! Rows are counted from the metadata. The count equals the number of rows that a reader returns.

use std::{fs, io::Cursor};

use arrow_buffer::Buffer;
use arrow_ipc_tools::{Input, Rows, ToolErrorKind, count_rows};

use crate::{
    ALLOCATOR,
    samples::{file, ids, stream},
};

/// The numbers of rows and batches, and whether bytes follow. Counts in memory and in a pipe.
fn count(bytes: &[u8]) -> (u64, u64, bool) {
    let inputs = [
        Input::try_from_buffer("memory", Buffer::copy_from(bytes)),
        Input::try_from_reader("pipe", Cursor::new(bytes.to_vec())),
    ];
    let [a, b] = inputs.map(|input| count_rows(input.unwrap(), &mut ()).unwrap());
    assert_eq!(a, b);
    (a.n_rows, a.n_batches, a.remarks.trailing_bytes.is_some())
}

#[test]
fn counts_are_those_of_the_batches() {
    let golden = testing_support::corpus_dir().join("golden");
    let [files, streams] = [".arrow", ".arrows"].map(|suffix| testing_support::files_below(&golden, suffix));
    let mut n_all_rows = 0;
    for path in files.into_iter().chain(streams) {
        let bytes = fs::read(&path).unwrap();
        let input = Input::try_from_buffer("memory", bytes.clone().into()).unwrap();
        let n_rows_of: Vec<usize> = match Rows::open(input).unwrap() {
            Rows::Streams(mut streams) => {
                let batches = std::iter::from_fn(|| streams.next_batch().unwrap());
                batches.map(|batch| batch.n_rows()).collect()
            }
            Rows::File { reader } => reader.batches().map(|batch| batch.unwrap().n_rows()).collect(),
        };
        let n_rows: usize = n_rows_of.iter().sum();
        let expected = (n_rows as u64, n_rows_of.len() as u64, false);
        assert_eq!(count(&bytes), expected, "{}", path.display());
        n_all_rows += n_rows;
    }
    assert!(n_all_rows > 1000, "{n_all_rows} rows");
}

#[test]
fn all_streams_count_and_trailing_bytes_are_reported() {
    let [two, three] = [2, 3].map(|n| stream(&[ids(0..n), ids(0..n)]));
    assert_eq!(count(&two), (4, 2, false));
    assert_eq!(count(&[&two[..], &three].concat()), (10, 4, false));
    assert_eq!(count(&[&two[..], &[0; 16], &three].concat()), (10, 4, false));
    assert_eq!(count(&[&two[..], b"more"].concat()), (4, 2, true));
    assert_eq!(count(&file(&[ids(0..5), ids(0..7)])), (12, 2, false));
}

/// A body in a pipe is skipped without storing it.
#[test]
fn memory_is_less_than_a_body() {
    let bytes = stream(&[ids(0..1_000_000), ids(0..3)]);
    let input = Input::try_from_reader("pipe", Cursor::new(bytes)).unwrap();
    let (count, usage) = ALLOCATOR.measure(|| count_rows(input, &mut ()).unwrap());
    assert_eq!((count.n_rows, count.n_batches), (1_000_003, 2));
    assert!(usage.peak_bytes < 1 << 20, "{} bytes", usage.peak_bytes);
}

#[test]
fn damage_is_found_where_metadata_is() {
    let stream = stream(&[ids(0..40), ids(0..40)]);
    for n_bytes in [12, 200, stream.len() - 40] {
        let input = Input::try_from_reader("pipe", Cursor::new(stream[..n_bytes].to_vec())).unwrap();
        let error = count_rows(input, &mut ()).unwrap_err();
        assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{n_bytes}: {error}");
        let input = Input::try_from_buffer("memory", stream[..n_bytes].to_vec().into()).unwrap();
        assert!(count_rows(input, &mut ()).is_err(), "{n_bytes}");
    }
    let tensors = testing_support::corpus_dir().join("tensors/pyarrow-26.0.1/dense-int32.tensor");
    let error = count_rows(Input::open(tensors).unwrap(), &mut ()).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::TensorsAlone), "{error}");
}
