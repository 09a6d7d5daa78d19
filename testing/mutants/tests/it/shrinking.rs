//! Files that become shorter, or are replaced, while they are read. The result must be an error or the old data. Memory
//! maps of such files are excluded, since the contract of `Buffer::map` forbids them.

use std::{fs, path::PathBuf};

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, ReadOptions};
use testing_support::{Generator, Rng};

use crate::faults::same;

/// A temporary file, which is removed when it is dropped.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn batches() -> Vec<RecordBatch> {
    let schema = "a: int64\nb: utf8\nc: dictionary<int8, utf8>".parse().expect("a schema");
    let first = Generator::new(3).batch(&schema, 200, testing_support::Nulls::Some);
    vec![first.clone(), first.slice(50, 100), first]
}

#[test]
fn files_that_shrink_are_errors() {
    let path =
        TemporaryFile(std::env::temp_dir().join(format!("arrow-ipc-shrinking-{}", std::process::id())));
    let batches = batches();
    let bytes = FileWriter::write_to_vec(batches[0].schema(), &batches).expect("generated");
    let mut rng = Rng::new(1);
    let (mut n_errors, mut n_read) = (0, 0);
    for n_bytes in (0..bytes.len()).step_by(97) {
        fs::write(&path.0, &bytes).expect("a temporary file");
        // Little is read when it is opened, so that the rest is read of the shorter file.
        let options = ReadOptions::new().with_tail_bytes(64);
        let reader = FileReader::open_with(&path.0, options).expect("it is sound");
        let file = fs::File::options().write(true).open(&path.0).expect("it is there");
        file.set_len(n_bytes as u64).expect("it can be cut");
        let read = |batch_idx| match reader.batch(batch_idx) {
            Ok(batch) => {
                assert!(same(&[batch], &batches[batch_idx..=batch_idx]), "other rows of {n_bytes} bytes");
                true
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                false
            }
        };
        let n_whole = (0..batches.len()).filter(|batch_idx| read(*batch_idx)).count();
        n_read += n_whole;
        n_errors += batches.len() - n_whole;
        // As long as before, with other bytes: an error, or rows that are checked.
        fs::write(&path.0, rng.bytes(bytes.len())).expect("a temporary file");
        for batch_idx in 0..batches.len() {
            let _ = reader.batch(batch_idx).map(|batch| testing_support::rows(&batch));
        }
    }
    assert!(n_errors > 100 && n_read > 10, "{n_errors} errors, {n_read} read");
}
