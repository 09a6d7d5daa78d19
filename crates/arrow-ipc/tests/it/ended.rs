//! Iterators over input that is broken end: what goes on after errors, as `flatten` does, stops, too.

use std::fs;

use arrow_buffer::Buffer;
use arrow_ipc::{FileReader, IpcError, Limits, MessageScan, StreamReader};
use arrow_ipc_tensor::TensorReader;

/// A number of messages that no input of the corpus has.
const MANY: usize = 10_000;

/// At most one error, and nothing after it.
fn check_ended<T>(name: &str, items: &mut dyn Iterator<Item = Result<T, IpcError>>) -> usize {
    let (mut n_items, mut n_errors) = (0, 0);
    for item in items.take(MANY) {
        assert_eq!(n_errors, 0, "{name}: an item after an error");
        n_items += 1;
        n_errors += usize::from(item.is_err());
    }
    assert!(n_items < MANY, "{name}");
    assert!(items.next().is_none(), "{name}");
    n_errors
}

#[test]
fn an_error_is_the_end() {
    let folder = testing_support::corpus_dir().join("hostile");
    let mut files = testing_support::files_below(&folder, ".stream");
    files.extend(testing_support::files_below(&folder, ".arrow_file"));
    let mut n_errors = [0; 4];
    for path in files {
        let name = &path.display().to_string();
        let bytes = Buffer::from(fs::read(&path).unwrap());
        let scan = || MessageScan::try_new(bytes.clone(), 0..u64::MAX, Limits::default()).unwrap();
        n_errors[0] += check_ended(name, &mut scan());
        n_errors[0] += check_ended(name, &mut scan().with_skipped_gaps());
        n_errors[1] += check_ended(name, &mut TensorReader::new(&*bytes));
        if let Ok(mut reader) = StreamReader::try_new(&*bytes) {
            n_errors[2] += check_ended(name, &mut reader);
        }
        // The batches of a file are independent of each other: there are as many items as blocks, and then none.
        if let Ok(reader) = FileReader::try_from_buffer(bytes) {
            let (n_batches, mut batches) = (reader.n_batches(), reader.batches());
            // The last item of a stream that is cut is its error.
            let n_items = n_batches + usize::from(reader.check_end().is_err());
            assert_eq!(batches.by_ref().take(MANY).count(), n_items, "{name}");
            assert!(batches.next().is_none());
            n_errors[3] += reader.batches().filter(Result::is_err).count();
            if let Ok(mut rows) = reader.n_rows().and_then(|n_rows| reader.rows(0..n_rows)) {
                assert!(rows.by_ref().take(MANY).count() <= n_batches, "{name}");
                assert!(rows.next().is_none());
            }
        }
    }
    assert!(n_errors.iter().all(|n| *n > 10), "{n_errors:?}");
}

/// A source that fails always.
#[test]
fn a_source_that_fails_gets_one_request() {
    struct FailingSource;
    impl std::io::Read for FailingSource {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    impl arrow_ipc::Source for FailingSource {
        fn n_bytes(&self) -> std::io::Result<u64> {
            Ok(1 << 40)
        }

        fn fetch(&self, _: std::ops::Range<u64>) -> std::io::Result<Buffer> {
            Err(std::io::Error::other("broken"))
        }
    }
    assert_eq!(check_ended("tensors", &mut TensorReader::new(FailingSource)), 1);
    assert_eq!(
        check_ended(
            "scan",
            &mut MessageScan::try_new(FailingSource, 0..u64::MAX, Limits::default()).unwrap()
        ),
        1
    );
}
