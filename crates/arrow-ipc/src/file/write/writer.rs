//! Writes a file to a sink.

use std::{fs::File, io::Write, path::Path};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::{AtomicFile, FileEncoder, FooterEncoder};
use crate::{
    dictionary::DictionaryPolicy,
    error::{IpcErrorKind, Result},
    options::WriteOptions,
    stream::{SinkWriter, write_batches},
};
use arrow_ipc_format::IpcSchema;

/// Writes record batches as an IPC file.
///
/// Each call uses vectored writes, so the sink needs no buffer and no `Seek`. The file is complete once
/// [`finish`](FileWriter::finish) has returned. Dropping the writer writes nothing.
///
/// To write to memory, use [`write_to_buffer`](FileWriter::write_to_buffer) if you have all batches. Otherwise use a
/// [`BufferMut`] as the sink, since a `Vec<u8>` copies its content when it grows.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::FileWriter;
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let file: Vec<u8> = writer.finish()?;
/// assert!(file.starts_with(b"ARROW1") && file.ends_with(b"ARROW1"));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub type FileWriter<W> = SinkWriter<FooterEncoder, W>;

impl FileWriter<BufferMut> {
    /// Writes a file with these batches to memory.
    /// [`StreamWriter::write_to_buffer`](crate::StreamWriter::write_to_buffer) does the same for streams.
    ///
    /// With the default [`DictionaryPolicy`], batches may have different dictionaries: the file gets one dictionary with all
    /// values, as with [`WriteOptions::with_unified_dictionaries`].
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{FileReader, FileWriter};
    /// use arrow_schema::DataType;
    ///
    /// let batches = [RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?];
    /// let file = FileWriter::write_to_buffer(batches[0].schema(), &batches)?;
    /// assert_eq!(FileReader::try_from_buffer(file)?.n_batches(), 1);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`FileEncoder::try_new`], [`FileEncoder::encode`] and [`FileEncoder::finish`]. With the default policy,
    /// the errors of [`WriteOptions::with_unified_dictionaries`].
    ///
    /// # Panics
    /// If the system refuses to allocate memory.
    pub fn write_to_buffer(schema: impl Into<IpcSchema>, batches: &[RecordBatch]) -> Result<Buffer> {
        FileWriter::write_to_buffer_with(schema, batches, WriteOptions::default())
    }

    /// Like [`write_to_buffer`](FileWriter::write_to_buffer), with options.
    ///
    /// # Errors
    /// The errors of [`write_to_buffer`](FileWriter::write_to_buffer).
    ///
    /// # Panics
    /// The panics of [`write_to_buffer`](FileWriter::write_to_buffer).
    pub fn write_to_buffer_with(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Buffer> {
        Ok(write_batches::<BufferMut>(encoder_of(schema.into(), batches, options)?, batches)?.freeze())
    }
}

impl FileWriter<Vec<u8>> {
    /// Like [`write_to_buffer`](FileWriter::write_to_buffer), but returns a vector.
    ///
    /// # Errors
    /// The errors of [`write_to_buffer`](FileWriter::write_to_buffer).
    ///
    /// # Panics
    /// The panics of [`write_to_buffer`](FileWriter::write_to_buffer).
    pub fn write_to_vec(schema: impl Into<IpcSchema>, batches: &[RecordBatch]) -> Result<Vec<u8>> {
        FileWriter::write_to_vec_with(schema, batches, WriteOptions::default())
    }

    /// Like [`write_to_vec`](FileWriter::write_to_vec), with options.
    ///
    /// # Errors
    /// The errors of [`write_to_vec`](FileWriter::write_to_vec).
    ///
    /// # Panics
    /// The panics of [`write_to_vec`](FileWriter::write_to_vec).
    pub fn write_to_vec_with(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Vec<u8>> {
        write_batches(encoder_of(schema.into(), batches, options)?, batches)
    }
}

/// An encoder for batches that are all in memory. With the default policy, it writes one dictionary for all batches.
fn encoder_of(schema: IpcSchema, batches: &[RecordBatch], options: WriteOptions) -> Result<FileEncoder> {
    if matches!(options.dictionaries(), DictionaryPolicy::Replace) && !schema.dictionary_ids().is_empty() {
        let options = options.with_unified_dictionaries(&schema, batches)?;
        return FileEncoder::try_new_with(schema, options);
    }
    FileEncoder::try_new_with(schema, options)
}

impl FileWriter<File> {
    /// Creates a file, or truncates an existing file, and writes magic and schema.
    ///
    /// # Errors
    /// If the file cannot be created or written. The errors of [`FileEncoder::try_new`].
    pub fn create(path: impl AsRef<Path>, schema: impl Into<IpcSchema>) -> Result<FileWriter<File>> {
        FileWriter::create_with(path, schema, WriteOptions::default())
    }

    /// Like [`create`](FileWriter::create), with options.
    ///
    /// # Errors
    /// The errors of [`create`](FileWriter::create).
    pub fn create_with(
        path: impl AsRef<Path>,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<FileWriter<File>> {
        let encoder = FileEncoder::try_new_with(schema, options)?;
        let path = path.as_ref();
        let file = File::create(path).map_err(|error| IpcErrorKind::Open { path: path.into(), error })?;
        SinkWriter::from_encoder(encoder, file).begin()
    }
}

impl FileWriter<AtomicFile> {
    /// Like [`create`](FileWriter::create), but the file gets its final name in [`finish`](FileWriter::finish): see
    /// [`AtomicFile`]. If `finish` is not called, no file remains.
    ///
    /// # Errors
    /// The errors of [`create`](FileWriter::create).
    pub fn create_atomic(
        path: impl AsRef<Path>,
        schema: impl Into<IpcSchema>,
    ) -> Result<FileWriter<AtomicFile>> {
        FileWriter::create_atomic_with(path, schema, WriteOptions::default())
    }

    /// Like [`create_atomic`](FileWriter::create_atomic), with options.
    ///
    /// # Errors
    /// The errors of [`create_atomic`](FileWriter::create_atomic).
    pub fn create_atomic_with(
        path: impl AsRef<Path>,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<FileWriter<AtomicFile>> {
        let encoder = FileEncoder::try_new_with(schema, options)?;
        let path = path.as_ref();
        let file =
            AtomicFile::create(path).map_err(|error| IpcErrorKind::Open { path: path.into(), error })?;
        SinkWriter::from_encoder(encoder, file).with_commit(AtomicFile::commit).begin()
    }
}

impl<W: Write> FileWriter<W> {
    /// Starts a file: writes magic and schema to the sink.
    ///
    /// # Errors
    /// If the sink fails. The errors of [`FileEncoder::try_new`].
    pub fn try_new(sink: W, schema: impl Into<IpcSchema>) -> Result<FileWriter<W>> {
        FileWriter::try_new_with(sink, schema, WriteOptions::default())
    }

    /// Like [`try_new`](FileWriter::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](FileWriter::try_new).
    pub fn try_new_with(
        sink: W,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<FileWriter<W>> {
        SinkWriter::from_encoder(FileEncoder::try_new_with(schema, options)?, sink).begin()
    }

    /// The custom metadata of the footer. Writing the footer adds or updates row counts and statistics.
    pub fn footer_metadata(&self) -> &Metadata {
        self.encoder().footer_metadata()
    }

    /// Sets the statistics in the footer of this file, and returns whether it will have them. They do not apply to the
    /// [`next_file`](FileWriter::next_file).
    ///
    /// # Errors
    /// The errors of [`FileEncoder::set_statistics`].
    pub fn set_statistics(&mut self, stream: &[u8]) -> Result<bool> {
        self.encoder_mut().set_statistics(stream)
    }

    /// Completes the file like [`finish`](FileWriter::finish), and returns its sink. Later calls write another file to
    /// the new `sink`, with the same schema and options. Its magic and schema are written with its first batch or its
    /// end. The encoder reuses its memory.
    ///
    /// # Errors
    /// The errors of [`finish`](FileWriter::finish). If a sink fails, later calls fail, too.
    pub fn next_file(&mut self, sink: W) -> Result<W> {
        self.next(sink)
    }
}
