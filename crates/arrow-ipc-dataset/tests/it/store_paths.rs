//! Paths in stores, which are other files if any byte differs.

use std::{collections::BTreeMap, ffi::OsString, io, ops::Range, path::Path, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::Source;
use arrow_ipc_dataset::{
    Dataset, DatasetBatches, DatasetOptions, FileStamp, FileStore, FileVersion, OpenFiles, ReadTask,
    StoredFile,
};

use super::support::{file_of, ids_batch, rows_of, rows_of_set};

/// Files in memory, by the bytes of their paths.
#[derive(Debug)]
struct MemoryFiles(BTreeMap<OsString, Buffer>);

#[derive(Debug)]
struct MemoryFile(Buffer);

impl FileStore for MemoryFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        let file = self.0.get(path.as_os_str()).ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(MemoryFile(file.clone())))
    }
}

impl Source for MemoryFile {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.try_slice(range.start, range.end - range.start).map_err(io::Error::other)
    }
}

impl StoredFile for MemoryFile {
    /// All files have the same version.
    fn version(&self) -> io::Result<FileVersion> {
        Ok(FileVersion { n_bytes: self.n_bytes()?, stamp: FileStamp::Tag(7) })
    }
}

#[test]
fn each_spelling_of_a_path_is_a_file() {
    let paths = [
        "s3://b/x//a.arrow",
        "s3://b/x/a.arrow",
        "s3://b/x/./a.arrow",
        "s3://b/x/a.arrow/",
        "s3:/b/x/a.arrow",
    ];
    let file = |idx: usize| {
        let first = idx as i64 * 10;
        file_of(&[ids_batch(first..first + 2), ids_batch(first + 2..first + 4)])
    };
    let files = paths.iter().enumerate().map(|(idx, path)| (path.into(), file(idx).into()));
    let store: Arc<dyn FileStore> = Arc::new(MemoryFiles(files.collect()));
    // Each input counts, also one that is repeated.
    let inputs = paths.iter().chain(&paths[..2]);
    let set = Dataset::open_with(inputs, DatasetOptions::new().with_store(Arc::clone(&store))).unwrap();
    let rows_of_file = |idx: usize| (idx * 10..idx * 10 + 4).map(|id| id.to_string());
    let expected: Vec<String> = (0..paths.len()).chain(0..2).flat_map(rows_of_file).collect();
    assert_eq!(rows_of_set(&set), expected);
    for target_bytes in [1, u64::MAX] {
        let tasks: Vec<ReadTask> = set.split(target_bytes).unwrap();
        let batches =
            DatasetBatches::from_store(OpenFiles::new(Arc::clone(&store)), set.schema().clone(), tasks, 2);
        let rows: Vec<String> = batches.flat_map(|batch| rows_of(&batch.unwrap())).collect();
        assert_eq!(rows, expected, "{target_bytes}");
    }
    // The first batch of a file and the second of another are not of one file.
    let some = set.with_batches([0, 3]).unwrap();
    assert_eq!(rows_of_set(&some), ["0", "1", "12", "13"]);
}
