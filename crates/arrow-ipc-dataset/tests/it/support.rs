//! Temporary folders with small files, and rows as text.

use std::{fs, path::Path};

use arrow_array::{AnyArray, Int64Array, Utf8Array};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::FileWriter;
use arrow_ipc_dataset::{Dataset, DatasetError, TaskBatches};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::Schema;

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file into the folder, and makes the folders of its path.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes a file of one batch with the column `id`.
    pub(crate) fn write_ids(&self, path: &str, ids: impl IntoIterator<Item = i64>) {
        self.write(path, &file_of(&[ids_batch(ids)]));
    }

    /// Opens inputs with paths below the folder.
    pub(crate) fn open(&self, inputs: &[&str]) -> Result<Dataset, DatasetError> {
        Dataset::open(inputs.iter().map(|input| self.path().join(input)))
    }

    /// The text of an error, with paths relative to the folder.
    pub(crate) fn text_of(&self, error: &DatasetError) -> String {
        let root = format!("{}{}", self.path().display(), std::path::MAIN_SEPARATOR);
        error.to_string().replace(&root, "").replace(self.path().to_str().unwrap(), ".")
    }
}

pub(crate) fn ids_batch(ids: impl IntoIterator<Item = i64>) -> RecordBatch {
    RecordBatch::try_from_columns([("id", Int64Array::from_iter(ids).into_data())]).unwrap()
}

pub(crate) fn texts(values: &[&str]) -> ArrayData {
    Utf8Array::try_from_iter(values.iter().copied()).unwrap().into_data()
}

pub(crate) fn file_of(batches: &[RecordBatch]) -> Vec<u8> {
    file_with(batches[0].schema(), batches)
}

pub(crate) fn file_with(schema: &Schema, batches: &[RecordBatch]) -> Vec<u8> {
    FileWriter::write_to_buffer(schema.clone(), batches).unwrap().to_vec()
}

/// A file with statistics of any length in its footer.
pub(crate) fn file_with_statistics(schema: &Schema, batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), schema.clone()).unwrap();
    let mut statistics = StatisticsBuilder::new(schema);
    for batch in batches {
        writer.write(batch).unwrap();
        statistics.add(batch).unwrap();
    }
    if let Some(stream) = statistics.finish(1 << 20).unwrap() {
        writer.set_statistics(&stream).unwrap();
    }
    writer.finish().unwrap()
}

/// Each row of a batch as text, with a comma between values.
pub(crate) fn rows_of(batch: &RecordBatch) -> Vec<String> {
    let columns: Vec<AnyArray> =
        batch.columns().iter().map(|column| AnyArray::try_new(column).unwrap()).collect();
    let row = |row: usize| {
        let cells: Vec<String> = columns.iter().map(|column| column.display(row).to_string()).collect();
        cells.join(",")
    };
    (0..batch.n_rows()).map(row).collect()
}

/// All rows, or the rows before an error and the error. Checks that nothing comes after the error.
pub(crate) fn all_rows(mut batches: TaskBatches) -> Result<Vec<String>, (Vec<String>, DatasetError)> {
    let mut rows = Vec::new();
    let schema = batches.schema().clone();
    while let Some(batch) = batches.next() {
        match batch {
            Ok(batch) => {
                assert_eq!(batch.schema(), &schema);
                rows.extend(rows_of(&batch));
            }
            Err(error) => {
                assert!(batches.next().is_none());
                return Err((rows, error));
            }
        }
    }
    Ok(rows)
}

pub(crate) fn rows_of_set(set: &Dataset) -> Vec<String> {
    all_rows(set.read().unwrap()).unwrap()
}
