//! Writes a file to a sink, from front to back.

use std::{fs::File, io::Write, path::Path};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::{AtomicFile, FileEncoder};
use crate::{
    error::{IpcErrorKind, Result},
    options::WriteOptions,
    schema::IpcSchema,
    stream::{SinkWriter, write_batches, write_to_buffer},
};

/// Writes record batches as an IPC file.
///
/// Each call uses vectored writes, so the sink needs neither buffering nor `Seek`. A file is complete when
/// [`finish`](FileWriter::finish) has returned. Dropping the writer writes nothing.
///
/// To write to memory, use [`to_buffer`](FileWriter::to_buffer) if you have all batches. Otherwise write to a
/// [`BufferMut`], since a `Vec<u8>` copies its content whenever it grows.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{FileWriter, WriteOptions};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// writer.write(&batch)?;
/// let file: Vec<u8> = writer.finish()?;
/// assert!(file.starts_with(b"ARROW1") && file.ends_with(b"ARROW1"));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub type FileWriter<W> = SinkWriter<FileEncoder, W>;

impl FileWriter<BufferMut> {
    /// Writes a file with these batches to memory. [`StreamWriter::to_buffer`](crate::StreamWriter::to_buffer) does the
    /// same for streams.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{FileReader, FileWriter, WriteOptions};
    /// use arrow_schema::DataType;
    ///
    /// let batches = [RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?];
    /// let file = FileWriter::to_buffer(batches[0].schema(), &batches, WriteOptions::default())?;
    /// assert_eq!(FileReader::try_from_buffer(file)?.n_batches(), 1);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`FileEncoder::try_new`], [`FileEncoder::encode`] and [`FileEncoder::finish`].
    ///
    /// # Panics
    /// If the system refuses memory, like `Vec`.
    pub fn to_buffer(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Buffer> {
        write_to_buffer(FileEncoder::try_new(schema, options)?, batches)
    }
}

impl FileWriter<Vec<u8>> {
    /// Like [`to_buffer`](FileWriter::to_buffer), as a vector.
    ///
    /// # Errors
    /// The errors of [`to_buffer`](FileWriter::to_buffer).
    ///
    /// # Panics
    /// Panics like [`to_buffer`](FileWriter::to_buffer).
    pub fn to_vec(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Vec<u8>> {
        write_batches(FileEncoder::try_new(schema, options)?, batches)
    }
}

impl FileWriter<File> {
    /// Creates a file, or truncates the existing one, and writes magic and schema.
    ///
    /// # Errors
    /// If the file cannot be created or written. The errors of [`FileEncoder::try_new`].
    pub fn create(
        path: impl AsRef<Path>,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<FileWriter<File>> {
        let encoder = FileEncoder::try_new(schema, options)?;
        let path = path.as_ref();
        let file = File::create(path).map_err(|error| IpcErrorKind::Open { path: path.into(), error })?;
        SinkWriter::of(encoder, file).begin()
    }
}

impl FileWriter<AtomicFile> {
    /// Like [`create`](FileWriter::create), but the file gets its name only when it is complete: see [`AtomicFile`]. If
    /// [`finish`](FileWriter::finish) is not called, no file remains.
    ///
    /// # Errors
    /// The errors of [`create`](FileWriter::create).
    pub fn create_atomic(
        path: impl AsRef<Path>,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<FileWriter<AtomicFile>> {
        let encoder = FileEncoder::try_new(schema, options)?;
        let path = path.as_ref();
        let file =
            AtomicFile::create(path).map_err(|error| IpcErrorKind::Open { path: path.into(), error })?;
        SinkWriter::of(encoder, file).committing(AtomicFile::commit).begin()
    }
}

impl<W: Write> FileWriter<W> {
    /// Writes magic and schema.
    ///
    /// # Errors
    /// If the sink fails. The errors of [`FileEncoder::try_new`].
    pub fn try_new(sink: W, schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<FileWriter<W>> {
        SinkWriter::of(FileEncoder::try_new(schema, options)?, sink).begin()
    }

    /// The custom metadata of the footer. Row counts are added when the footer is written.
    pub fn metadata(&self) -> &Metadata {
        self.encoder().metadata()
    }

    /// Sets the statistics in the footer of this file. [`next_file`](FileWriter::next_file) drops them.
    ///
    /// # Errors
    /// The errors of [`FileEncoder::set_statistics`].
    pub fn set_statistics(&mut self, stream: &[u8]) -> Result<()> {
        self.encoder_mut().set_statistics(stream)
    }

    /// Completes the file like [`finish`](FileWriter::finish), and returns its sink. Later calls write another file to
    /// the sink that you pass, with the same schema and options. Magic and schema of the next file are written with its
    /// first batch, or with its end. The encoder reuses its memory.
    ///
    /// # Errors
    /// The errors of [`finish`](FileWriter::finish). If the sink fails, later calls fail, too.
    pub fn next_file(&mut self, sink: W) -> Result<W> {
        self.next(sink)
    }
}
