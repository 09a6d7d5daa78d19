//! Reads a stream from a [`Read`]. The decoder does everything except the reading.

mod large_bodies;

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::decoder::{Step, StreamDecoder};
use crate::{
    batch::{BatchWithMetadata, ReadStats},
    error::{IpcError, IpcErrorKind, Result},
    options::{Projection, ReadOptions},
};
use arrow_ipc_format::IpcSchema;

/// Reads record batches from a stream. The reader is an iterator of batches.
///
/// The iterator ends with the stream. If another stream may follow in the source, then call
/// [`next_stream`](StreamReader::next_stream).
///
/// The reader requests many bytes at once, so the source need not be buffered. Long bodies are read directly into the
/// memory that arrays will use.
///
/// ```no_run
/// use arrow_ipc::StreamReader;
///
/// let reader = StreamReader::try_new(std::io::stdin().lock())?;
/// println!("{}", reader.schema());
/// for batch in reader {
///     println!("{} rows", batch?.n_rows());
/// }
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct StreamReader<R> {
    source: R,
    decoder: StreamDecoder,
    ipc_schema: IpcSchema,
    schema: Arc<Schema>,
    is_done: bool,
}

/// The number of bytes that show whether another stream follows.
const N_PROBED_BYTES: usize = 8;

impl StreamReader<io::Empty> {
    /// Reads a stream in memory, or one that `Buffer::map` (feature `mmap` of `arrow-buffer`) has mapped. Arrays share this
    /// memory.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{StreamReader, StreamWriter};
    /// use arrow_schema::DataType;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let stream = StreamWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
    /// assert_eq!(StreamReader::try_from_buffer(stream)?.count(), 1);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes do not begin with a readable schema message.
    pub fn try_from_buffer(bytes: Buffer) -> Result<StreamReader<io::Empty>> {
        StreamReader::try_from_buffer_with(bytes, ReadOptions::default())
    }

    /// Like [`try_from_buffer`](StreamReader::try_from_buffer), with options.
    ///
    /// # Errors
    /// The errors of [`try_from_buffer`](StreamReader::try_from_buffer). If the projection does not fit the schema.
    pub fn try_from_buffer_with(bytes: Buffer, options: ReadOptions) -> Result<StreamReader<io::Empty>> {
        StreamReader::try_resume_with(vec![bytes], io::empty(), options)
    }
}

impl StreamReader<File> {
    /// Opens a file that contains a stream, and reads the schema.
    ///
    /// # Errors
    /// If the file cannot be opened, or does not begin with a readable schema message.
    pub fn open(path: impl AsRef<Path>) -> Result<StreamReader<File>> {
        StreamReader::open_with(path, ReadOptions::default())
    }

    /// Like [`open`](StreamReader::open), with options.
    ///
    /// # Errors
    /// The errors of [`open`](StreamReader::open). If the projection does not fit the schema.
    pub fn open_with(path: impl AsRef<Path>, options: ReadOptions) -> Result<StreamReader<File>> {
        let path = path.as_ref();
        let file = File::open(path)
            .map_err(|error| IpcError::from(IpcErrorKind::Open { path: path.to_owned(), error }))?;
        StreamReader::try_new_with(file, options)
    }
}

impl<R: Read> StreamReader<R> {
    /// Reads the schema of the stream.
    ///
    /// # Errors
    /// If the source fails, or does not begin with a readable schema message.
    pub fn try_new(source: R) -> Result<StreamReader<R>> {
        StreamReader::try_new_with(source, ReadOptions::default())
    }

    /// Like [`try_new`](StreamReader::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](StreamReader::try_new). If the projection does not fit the schema.
    pub fn try_new_with(source: R, options: ReadOptions) -> Result<StreamReader<R>> {
        StreamReader::try_resume_with(Vec::new(), source, options)
    }

    /// Reads a stream from `start` and then from `source`. Pass the bytes of the stream that were already read, for
    /// example to detect the format, or by a reader that returned them from [`into_inner`](StreamReader::into_inner).
    ///
    /// # Errors
    /// The errors of [`try_new_with`](StreamReader::try_new_with).
    pub fn try_resume_with(
        start: Vec<Buffer>,
        mut source: R,
        options: ReadOptions,
    ) -> Result<StreamReader<R>> {
        let mut decoder = StreamDecoder::new_with(options);
        for bytes in start {
            decoder.feed(bytes);
        }
        let Step::Schema(ipc_schema) = next_step(&mut source, &mut decoder)? else {
            // The decoder returns the schema first.
            return Err(IpcError::internal("a decoder returned data before the schema"));
        };
        let schema = Arc::clone(decoder.schema().unwrap_or(ipc_schema.schema()));
        Ok(StreamReader { source, decoder, ipc_schema, schema, is_done: false })
    }

    /// The schema of the batches, after the projection.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The schema of the stream with its dictionary ids, without a projection.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.ipc_schema
    }

    /// The custom metadata of the schema message, which applies to the whole stream. The schema has its own metadata:
    /// see [`schema`](StreamReader::schema).
    pub fn schema_message_metadata(&self) -> &Metadata {
        self.decoder.schema_message_metadata()
    }

    /// Selects other columns of this stream, from the next batch on. Positions in `projection` count all columns of the
    /// stream. Later streams of the source use the projection of the options.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{Projection, StreamReader, StreamWriter};
    /// use arrow_schema::DataType;
    ///
    /// # let columns = [("id", ArrayData::new_empty(&DataType::Int64)), ("name", ArrayData::new_empty(&DataType::Utf8))];
    /// # let batch = RecordBatch::try_from_columns(columns)?;
    /// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
    /// writer.write(&batch)?;
    /// let stream = writer.finish()?;
    ///
    /// let mut reader = StreamReader::try_new(&*stream)?;
    /// let last = reader.schema().fields().len() - 1;
    /// reader.project(&Projection::Positions(vec![last]))?;
    /// for batch in reader {
    ///     assert_eq!(batch?.schema().to_string(), "name: utf8");
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If the projection does not fit the schema, or needs a dictionary that was skipped because no selected column
    /// needed it. After an error, the old projection still applies.
    pub fn project(&mut self, projection: &Projection) -> Result<()> {
        self.decoder.project(projection)?;
        self.schema = Arc::clone(self.decoder.schema().unwrap_or(self.ipc_schema.schema()));
        Ok(())
    }

    /// The number of bytes of the stream that have been decoded.
    pub fn n_bytes_consumed(&self) -> u64 {
        self.decoder.n_bytes_consumed()
    }

    /// Whether the stream has an end marker; `false` before the end. See [`StreamDecoder::has_end_marker`].
    ///
    /// ```
    /// use arrow_ipc::{StreamReader, StreamWriter};
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let schema = Schema::new([Field::new("id", DataType::Int64)]);
    /// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
    /// // The marker has eight bytes.
    /// for (n_bytes, expected) in [(stream.len(), true), (stream.len() - 8, false)] {
    ///     let mut reader = StreamReader::try_new(&stream[..n_bytes])?;
    ///     while reader.next_batch()?.is_some() {}
    ///     assert_eq!(reader.has_end_marker(), expected);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    pub fn has_end_marker(&self) -> bool {
        self.decoder.has_end_marker()
    }

    /// Counts the bytes and buffers that the reader has copied so far.
    pub fn stats(&self) -> ReadStats {
        self.decoder.stats()
    }

    /// The next batch and the metadata of its message; `None` at the end of the stream.
    ///
    /// # Errors
    /// If the source fails, or the stream is malformed, truncated, unsupported or over a limit. If the next message is
    /// a tensor, which only [`next_step`](StreamReader::next_step) returns. After an error the reader is exhausted.
    pub fn next_batch(&mut self) -> Result<Option<BatchWithMetadata>> {
        loop {
            match self.next_step()? {
                Step::Batch(batch) => return Ok(Some(batch)),
                Step::End => return Ok(None),
                Step::Tensor(..) => {
                    self.is_done = true;
                    return Err(self.decoder.tensor_error());
                }
                Step::LargeBatch(batch) => {
                    let whole = self.whole(batch);
                    self.is_done = whole.is_err();
                    return whole.map(Some);
                }
                Step::NeedBytes(_) | Step::Schema(_) | Step::Dictionary { .. } => {}
            }
        }
    }

    /// The next dictionary, batch or tensor, or the end of the stream.
    ///
    /// # Errors
    /// The errors of [`next_batch`](StreamReader::next_batch). After an error the reader is exhausted.
    pub fn next_step(&mut self) -> Result<Step> {
        if self.is_done {
            return Ok(Step::End);
        }
        let step = next_step(&mut self.source, &mut self.decoder);
        self.is_done = matches!(step, Ok(Step::End) | Err(_));
        step
    }

    /// Returns a reader of the stream after this one; `None` if the source ends. It first reads and checks the rest of
    /// this stream. It does so even if the source has failed before, or if [`next_batch`](StreamReader::next_batch) has
    /// refused a tensor.
    ///
    /// Each stream of a source has its own schema and dictionaries.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{StreamReader, StreamWriter};
    /// use arrow_schema::DataType;
    ///
    /// let mut streams = Vec::new();
    /// for name in ["a", "b"] {
    ///     let batch = RecordBatch::try_from_columns([(name, ArrayData::new_empty(&DataType::Int64))])?;
    ///     streams = StreamWriter::try_new(streams, batch.schema())?.finish()?;
    /// }
    /// let first = StreamReader::try_new(&*streams)?;
    /// let second = first.next_stream()?.expect("another one");
    /// assert_eq!(second.schema().to_string(), "b: int64");
    /// assert!(second.next_stream()?.is_none());
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// The options also apply to the next stream. A projection by [`project`](StreamReader::project) does not, since
    /// the next stream has its own schema.
    ///
    /// # Errors
    /// If the source fails. If this stream is malformed, truncated, unsupported or over a limit, even if an earlier
    /// call has returned the error. If [`try_new_with`](StreamReader::try_new_with) fails for the next stream.
    pub fn next_stream(mut self) -> Result<Option<StreamReader<R>>> {
        loop {
            match next_step(&mut self.source, &mut self.decoder)? {
                Step::End => break,
                Step::LargeBatch(batch) => drop(self.whole(batch)?),
                Step::NeedBytes(_)
                | Step::Schema(_)
                | Step::Dictionary { .. }
                | Step::Batch(_)
                | Step::Tensor(..) => {}
            }
        }
        let options = self.decoder.options().clone();
        let (mut source, mut before) = self.into_inner();
        if before.iter().all(|bytes| bytes.is_empty()) {
            let mut next = BufferMut::new();
            match read_some(&mut source, next.spare(N_PROBED_BYTES))? {
                0 => return Ok(None),
                n_bytes => next.filled(n_bytes),
            }
            before.push(next.freeze());
        }
        StreamReader::try_resume_with(before, source, options).map(Some)
    }

    /// The source, and the bytes that were read but not decoded. After the end, these are the bytes after the stream.
    pub fn into_inner(self) -> (R, Vec<Buffer>) {
        (self.source, self.decoder.into_rest())
    }
}

/// The iterator ends after an error.
impl<R: Read> Iterator for StreamReader<R> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        match self.next_batch() {
            Ok(batch) => batch.map(|next| Ok(next.batch)),
            Err(error) => Some(Err(error)),
        }
    }
}

impl<R: Read> std::iter::FusedIterator for StreamReader<R> {}

/// Reads any number of bytes; 0 at the end of the source. Interrupted reads are repeated.
pub(super) fn read_some(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Reads from the source until the decoder has a result.
fn next_step(source: &mut impl Read, decoder: &mut StreamDecoder) -> Result<Step> {
    loop {
        match decoder.step()? {
            Step::NeedBytes(_) => match read_some(source, decoder.spare())? {
                0 => decoder.finish_input(),
                n_bytes => decoder.filled(n_bytes),
            },
            step @ (Step::Schema(_)
            | Step::Dictionary { .. }
            | Step::Batch(_)
            | Step::LargeBatch(_)
            | Step::Tensor(..)
            | Step::End) => {
                return Ok(step);
            }
        }
    }
}
