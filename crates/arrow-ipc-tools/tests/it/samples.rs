//! Small files and streams to use the tools on.

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, StreamWriter, WriteOptions};

/// A batch of one column, `id`.
pub(crate) fn ids(ids: impl IntoIterator<Item = i64>) -> RecordBatch {
    RecordBatch::try_from_columns([("id", Int64Array::from_iter(ids).into_data())]).unwrap()
}

pub(crate) fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema(), WriteOptions::new()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

pub(crate) fn file(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema(), WriteOptions::new()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}
