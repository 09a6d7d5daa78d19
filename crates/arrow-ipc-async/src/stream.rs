//! Reads a stream from an [`AsyncRead`]. A `StreamDecoder` does everything except the reading.

use std::{
    future::poll_fn,
    io, mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    BatchWithMetadata, IpcErrorKind, IpcSchema, Projection, ReadOptions, ReadStats, Result, Step,
    StreamDecoder,
};
use arrow_schema::{Metadata, Schema};
use futures_core::{FusedStream, Stream};
use tokio::io::{AsyncRead, ReadBuf};

/// Reads record batches from a stream. The reader is a `Stream` (of `futures-core`) of batches.
///
/// The reader requests many bytes at once, so the source need not be buffered. Large bodies are read directly into the
/// memory that arrays will use. Dropping a future loses no bytes: the next call continues.
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::StreamWriter;
/// # use arrow_schema::DataType;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// # writer.write(&batch)?;
/// # let bytes = writer.finish()?;
/// # let source = &*bytes;
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use arrow_ipc_async::AsyncStreamReader;
///
/// let mut reader = AsyncStreamReader::try_new(source).await?;
/// assert_eq!(reader.schema().to_string(), "id: int64");
/// while let Some(next) = reader.next_batch().await? {
///     println!("{} rows", next.batch.n_rows());
/// }
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AsyncStreamReader<R> {
    source: R,
    decoder: StreamDecoder,
    position: ReaderPosition,
    /// The schemas of the current stream, or of the stream that has just ended.
    schemas: Schemas,
}

#[derive(Debug)]
struct Schemas {
    ipc_schema: IpcSchema,
    projected: Arc<Schema>,
}

/// Where the reader is: inside a stream, or between streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReaderPosition {
    /// Before the schema of a stream.
    Start,
    /// Inside a stream, after its schema.
    Inside,
    /// At the end of a stream, or after an error.
    Done,
    /// After a stream. No byte of the next stream has been read.
    Between,
    /// At the end of the source.
    Ended,
}

impl<R: AsyncRead + Unpin> AsyncStreamReader<R> {
    /// Reads the schema of the stream.
    ///
    /// # Errors
    /// If the source fails, or does not begin with a readable schema message.
    pub async fn try_new(source: R) -> Result<AsyncStreamReader<R>> {
        AsyncStreamReader::try_new_with(source, ReadOptions::default()).await
    }

    /// Like [`try_new`](AsyncStreamReader::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](AsyncStreamReader::try_new). If the projection does not fit the schema.
    pub async fn try_new_with(source: R, options: ReadOptions) -> Result<AsyncStreamReader<R>> {
        AsyncStreamReader::try_resume_with(Vec::new(), source, options).await
    }

    /// Reads a stream from `start` and then from `source`. Pass the bytes of the stream that were already read, for
    /// example to detect the format, or by a reader that returned them from
    /// [`into_inner`](AsyncStreamReader::into_inner).
    ///
    /// # Errors
    /// The errors of [`try_new_with`](AsyncStreamReader::try_new_with).
    pub async fn try_resume_with(
        start: Vec<Buffer>,
        mut source: R,
        options: ReadOptions,
    ) -> Result<AsyncStreamReader<R>> {
        let mut decoder = StreamDecoder::new_with(options);
        start.into_iter().for_each(|bytes| decoder.feed(bytes));
        let schemas = poll_fn(|context| poll_schemas(&mut source, &mut decoder, context)).await?;
        Ok(AsyncStreamReader { source, decoder, position: ReaderPosition::Inside, schemas })
    }

    /// The next batch and the metadata of its message; `None` at the end of the stream.
    ///
    /// # Errors
    /// If the source fails, or the stream is invalid, truncated, unsupported or over a limit. If the next message is a
    /// tensor, which only [`next_step`](AsyncStreamReader::next_step) returns. After an error the reader is exhausted.
    pub async fn next_batch(&mut self) -> Result<Option<BatchWithMetadata>> {
        poll_fn(|context| self.poll_batch(context)).await
    }

    /// The next dictionary, batch or tensor, or the end of the stream.
    ///
    /// # Errors
    /// The errors of [`next_batch`](AsyncStreamReader::next_batch). After an error the reader is exhausted.
    pub async fn next_step(&mut self) -> Result<Step> {
        poll_fn(|context| self.poll_step(context)).await
    }

    /// Continues with the next stream in the source, and reads its schema; returns `false` if the source ends. It first
    /// reads and checks the rest of the current stream. It does so even if the source has failed before, or if
    /// [`next_batch`](AsyncStreamReader::next_batch) has refused a tensor. A projection by
    /// [`project`](AsyncStreamReader::project) does not apply to the next stream.
    ///
    /// # Errors
    /// If the source fails, or the current stream is invalid, truncated, unsupported or over a limit, even if an
    /// earlier call has returned the error. If the next stream does not begin with a readable schema message.
    pub async fn next_stream(&mut self) -> Result<bool> {
        poll_fn(|context| self.poll_next_stream(context)).await
    }

    fn poll_step(&mut self, context: &mut Context<'_>) -> Poll<Result<Step>> {
        if self.position != ReaderPosition::Inside {
            return Poll::Ready(Ok(Step::End));
        }
        let step = ready!(poll_decoder(&mut self.source, &mut self.decoder, context));
        if matches!(step, Ok(Step::End) | Err(_)) {
            self.position = ReaderPosition::Done;
        }
        Poll::Ready(step)
    }

    fn poll_batch(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<BatchWithMetadata>>> {
        loop {
            let step = ready!(self.poll_step(context))?;
            if let Step::Batch(batch) = step {
                return Poll::Ready(Ok(Some(batch)));
            }
            if matches!(step, Step::End) {
                return Poll::Ready(Ok(None));
            }
            if matches!(step, Step::Tensor(_)) {
                self.position = ReaderPosition::Done;
                return Poll::Ready(Err(self.decoder.tensor_error()));
            }
        }
    }

    fn poll_next_stream(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        if matches!(self.position, ReaderPosition::Inside | ReaderPosition::Done) {
            while !matches!(ready!(poll_decoder(&mut self.source, &mut self.decoder, context))?, Step::End) {}
            let next = StreamDecoder::new_with(self.decoder.options().clone());
            let rest = mem::replace(&mut self.decoder, next).into_rest();
            self.position = if rest.iter().all(|bytes| bytes.is_empty()) {
                ReaderPosition::Between
            } else {
                ReaderPosition::Start
            };
            rest.into_iter().for_each(|bytes| self.decoder.feed(bytes));
        }
        if self.position == ReaderPosition::Between {
            let n_bytes = ready!(poll_read(&mut self.source, &mut self.decoder, context))?;
            self.position = if n_bytes == 0 { ReaderPosition::Ended } else { ReaderPosition::Start };
        }
        if self.position == ReaderPosition::Ended {
            return Poll::Ready(Ok(false));
        }
        let schemas = ready!(poll_schemas(&mut self.source, &mut self.decoder, context));
        self.position = if schemas.is_ok() { ReaderPosition::Inside } else { ReaderPosition::Done };
        self.schemas = schemas?;
        Poll::Ready(Ok(true))
    }
}

impl<R> AsyncStreamReader<R> {
    /// The schema of the batches, after the projection.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schemas.projected
    }

    /// The schema of the stream with its dictionary ids, without a projection.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.schemas.ipc_schema
    }

    /// The custom metadata of the schema message, which applies to the whole stream. The schema has its own metadata:
    /// see [`schema`](AsyncStreamReader::schema).
    pub fn schema_message_metadata(&self) -> &Metadata {
        self.decoder.schema_message_metadata()
    }

    /// Selects other columns of the current stream, from the next batch on. Positions in `projection` count all columns
    /// of the stream. Later streams use the projection of the options.
    ///
    /// # Errors
    /// If the projection does not fit the schema, or needs a dictionary that was
    /// skipped because no selected column needed it. After an error, the old projection still applies.
    pub fn project(&mut self, projection: &Projection) -> Result<()> {
        self.decoder.project(projection)?;
        if let Some(projected) = self.decoder.schema() {
            self.schemas.projected = Arc::clone(projected);
        }
        Ok(())
    }

    /// The number of bytes of the current stream that have been decoded.
    pub fn n_bytes_consumed(&self) -> u64 {
        self.decoder.n_bytes_consumed()
    }

    /// How many bytes and buffers the reader has copied so far.
    pub fn stats(&self) -> ReadStats {
        self.decoder.stats()
    }

    /// The source, and the bytes that were read but not decoded. At the end of a stream, these are the bytes after the
    /// stream.
    pub fn into_inner(self) -> (R, Vec<Buffer>) {
        (self.source, self.decoder.into_rest())
    }
}

/// The stream ends after an error.
impl<R: AsyncRead + Unpin> Stream for AsyncStreamReader<R> {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<RecordBatch>>> {
        Poll::Ready(match ready!(self.poll_batch(context)) {
            Ok(next) => next.map(|next| Ok(next.batch)),
            Err(error) => Some(Err(error)),
        })
    }
}

impl<R: AsyncRead + Unpin> FusedStream for AsyncStreamReader<R> {
    fn is_terminated(&self) -> bool {
        self.position != ReaderPosition::Inside
    }
}

/// Reads the schema, with which a stream begins.
fn poll_schemas<R: AsyncRead + Unpin>(
    source: &mut R,
    decoder: &mut StreamDecoder,
    context: &mut Context<'_>,
) -> Poll<Result<Schemas>> {
    let Step::Schema(ipc_schema) = ready!(poll_decoder(source, decoder, context))? else {
        // The decoder returns the schema first.
        return Poll::Ready(Err(IpcErrorKind::NoSchemaYet { what: "the schema" }.into()));
    };
    let projected = Arc::clone(decoder.schema().unwrap_or(ipc_schema.schema()));
    Poll::Ready(Ok(Schemas { ipc_schema, projected }))
}

/// Reads from the source until the decoder has a result.
fn poll_decoder<R: AsyncRead + Unpin>(
    source: &mut R,
    decoder: &mut StreamDecoder,
    context: &mut Context<'_>,
) -> Poll<Result<Step>> {
    loop {
        let step = decoder.step()?;
        if !matches!(step, Step::NeedBytes(_)) {
            return Poll::Ready(Ok(step));
        }
        ready!(poll_read(source, decoder, context))?;
    }
}

/// Reads bytes into the memory of the decoder. Returns their number.
fn poll_read<R: AsyncRead + Unpin>(
    source: &mut R,
    decoder: &mut StreamDecoder,
    context: &mut Context<'_>,
) -> Poll<Result<usize>> {
    loop {
        let spare = decoder.spare();
        let start = spare.as_ptr();
        let n_spare = spare.len();
        let mut read_buf = ReadBuf::new(spare);
        match ready!(Pin::new(&mut *source).poll_read(context, &mut read_buf)) {
            // The source has replaced the buffer, so the bytes are not in the memory of the decoder.
            Ok(()) if read_buf.filled().as_ptr() != start || read_buf.filled().len() > n_spare => {
                return Poll::Ready(Err(io::Error::from(io::ErrorKind::InvalidData).into()));
            }
            Ok(()) => {
                let n_bytes = read_buf.filled().len();
                match n_bytes {
                    0 => decoder.finish_input(),
                    _ => decoder.filled(n_bytes),
                }
                return Poll::Ready(Ok(n_bytes));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Poll::Ready(Err(error.into())),
        }
    }
}
