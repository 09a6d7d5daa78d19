//! Small files and streams as inputs of the tests.

use std::{io, ops::Range};

use arrow_array::Int64Array;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, Source, StreamWriter};

/// A file on a disk. Each range that is read is copied to new memory.
pub(crate) struct OnDisk(pub(crate) Buffer);

impl Source for OnDisk {
    fn n_bytes(&self) -> io::Result<u64> {
        self.0.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Ok(Buffer::copy_from(&self.0.fetch(range)?))
    }
}

/// A batch of one column, `id`.
pub(crate) fn ids(ids: impl IntoIterator<Item = i64>) -> RecordBatch {
    RecordBatch::try_from_columns([("id", Int64Array::from_iter(ids).into_data())]).unwrap()
}

pub(crate) fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

pub(crate) fn file(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}
