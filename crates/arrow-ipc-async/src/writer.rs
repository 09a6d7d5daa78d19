//! Writers of streams and files: an encoder, and an [`AsyncWrite`] for its bytes.

use std::{
    future::poll_fn,
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use arrow_data::RecordBatch;
use arrow_ipc::{
    BatchEncoder, Encoded, EndOfStream, FileEncoder, IpcErrorKind, IpcSchema, Result, StreamEncoder, Trailer,
    WriteOptions, file::FooterEncoder,
};
use arrow_schema::{Metadata, Schema};
use tokio::io::AsyncWrite;

use crate::pending::PendingMessages;

/// Writes record batches as an IPC stream.
///
/// [`write`](AsyncStreamWriter::write) first waits until all earlier bytes are written. Then it accepts the batch, and
/// writes as many of its bytes as the sink takes without waiting; the next call writes the rest. If you drop the future
/// before it is ready, the writer has not accepted its batch, and you can make the call again. Each accepted batch is
/// in the stream once. If a reader waits for the last batch, call [`flush`](AsyncStreamWriter::flush). At the end, call
/// [`finish`](AsyncStreamWriter::finish); dropping the writer writes nothing.
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use arrow_ipc_async::AsyncStreamWriter;
///
/// let mut writer = AsyncStreamWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch).await?;
/// let stream: Vec<u8> = writer.finish().await?;
/// assert!(stream.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type AsyncStreamWriter<W> = AsyncWriter<EndOfStream, W>;

/// Writes record batches as an IPC file, from start to end. The sink need not support seeking.
///
/// `write`, `flush` and `finish` work like those of [`AsyncStreamWriter`].
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use arrow_ipc_async::AsyncFileWriter;
///
/// let mut writer = AsyncFileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch).await?;
/// assert!(writer.finish().await?.ends_with(b"ARROW1"));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type AsyncFileWriter<W> = AsyncWriter<FooterEncoder, W>;

/// Writes record batches as messages. An [`AsyncStreamWriter`] writes a stream, and an [`AsyncFileWriter`] writes a file.
///
/// The writer, and not a future, holds the messages that are encoded but not written. So futures can be dropped.
#[derive(Debug)]
pub struct AsyncWriter<T, W> {
    encoder: BatchEncoder<T>,
    sink: W,
    pending: PendingMessages,
    state: WriterState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WriterState {
    Open,
    /// The end has been encoded.
    Finished,
    /// The sink has failed. No more bytes are written to it.
    Failed,
}

/// The maximum number of slices in one vectored write. Most messages have fewer.
const MAX_SLICES: usize = 64;

impl<W: AsyncWrite + Unpin> AsyncStreamWriter<W> {
    /// Begins a stream. Its schema is written with the first batch, or by a flush.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`].
    pub fn try_new(sink: W, schema: impl Into<IpcSchema>) -> Result<AsyncStreamWriter<W>> {
        AsyncStreamWriter::try_new_with(sink, schema, WriteOptions::default())
    }

    /// Like [`try_new`](AsyncStreamWriter::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](AsyncStreamWriter::try_new).
    pub fn try_new_with(
        sink: W,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<AsyncStreamWriter<W>> {
        AsyncWriter::begin(StreamEncoder::try_new_with(schema, options)?, sink)
    }

    /// Writes what `encode` encodes, like [`write`](AsyncStreamWriter::write): for example a tensor of `arrow-ipc-tensor`.
    ///
    /// # Errors
    /// The errors of `encode`. For an error of the sink, see [`write`](AsyncStreamWriter::write).
    pub async fn write_with(
        &mut self,
        encode: impl FnOnce(&mut StreamEncoder) -> Result<Encoded<'_>>,
    ) -> Result<()> {
        self.put(encode).await
    }
}

impl<W: AsyncWrite + Unpin> AsyncFileWriter<W> {
    /// Begins a file. Its schema is written with the first batch, or by a flush.
    ///
    /// # Errors
    /// The errors of [`FileEncoder::try_new`].
    pub fn try_new(sink: W, schema: impl Into<IpcSchema>) -> Result<AsyncFileWriter<W>> {
        AsyncFileWriter::try_new_with(sink, schema, WriteOptions::default())
    }

    /// Like [`try_new`](AsyncFileWriter::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](AsyncFileWriter::try_new).
    pub fn try_new_with(
        sink: W,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<AsyncFileWriter<W>> {
        AsyncWriter::begin(FileEncoder::try_new_with(schema, options)?, sink)
    }
}

impl<T: Trailer, W: AsyncWrite + Unpin> AsyncWriter<T, W> {
    /// Encodes the bytes before the first batch. Writes no bytes.
    fn begin(mut encoder: BatchEncoder<T>, sink: W) -> Result<AsyncWriter<T, W>> {
        let pending = PendingMessages::new(encoder.start()?.into_owned());
        Ok(AsyncWriter { encoder, sink, pending, state: WriterState::Open })
    }

    /// Waits until all preceding bytes have been written. Then accepts the batch, and writes as many bytes of its
    /// dictionaries and of the batch as the sink takes at once. If the future is dropped before it is ready, the writer
    /// has not accepted the batch.
    ///
    /// # Errors
    /// The errors of [`BatchEncoder::encode`]; the next batch can still be written then. If the sink fails, the stream
    /// or file is incomplete, and later calls fail.
    pub async fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write_with_metadata(batch, &Metadata::new()).await
    }

    /// Like [`write`](AsyncWriter::write), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`write`](AsyncWriter::write).
    pub async fn write_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        self.put(|encoder| encoder.encode_with_metadata(batch, metadata)).await
    }

    /// Writes all bytes of accepted batches, and flushes the sink, so that a reader at the other end receives them.
    ///
    /// # Errors
    /// If the sink fails, or has failed before.
    pub async fn flush(&mut self) -> Result<()> {
        poll_fn(|context| self.poll_flushed(context)).await
    }

    /// Writes the end of the stream or file, flushes, and returns the sink. If the future is dropped before it is ready, the
    /// writer is dropped, too: call [`write_end`](AsyncWriter::write_end) first if that can happen.
    ///
    /// # Errors
    /// If the sink fails, or has failed before. The errors of [`BatchEncoder::finish`].
    pub async fn finish(mut self) -> Result<W> {
        self.write_end().await?;
        Ok(self.sink)
    }

    /// Writes the end of the stream or file, and flushes. A call after that does nothing.
    ///
    /// # Errors
    /// The errors of [`finish`](AsyncWriter::finish).
    pub async fn write_end(&mut self) -> Result<()> {
        poll_fn(|context| self.poll_written(context)).await?;
        if self.state == WriterState::Open {
            self.pending = PendingMessages::new(self.encoder.finish()?.into_owned());
            self.state = WriterState::Finished;
        }
        self.flush().await
    }

    /// Sets the custom metadata of the next message of a dictionary.
    ///
    /// # Errors
    /// The errors of [`BatchEncoder::set_dictionary_metadata`].
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        self.encoder.set_dictionary_metadata(id, metadata)
    }

    /// Waits until all preceding bytes have been written, and calls `encode`. Then writes as many bytes as the sink
    /// takes at once.
    async fn put(&mut self, encode: impl FnOnce(&mut BatchEncoder<T>) -> Result<Encoded<'_>>) -> Result<()> {
        poll_fn(|context| self.poll_written(context)).await?;
        self.pending = PendingMessages::new(encode(&mut self.encoder)?.into_owned());
        // From here on, the future must not wait: after `encode`, a dropped future would leave the caller without a result.
        poll_fn(|context| match self.poll_written(context) {
            Poll::Ready(written) => Poll::Ready(written),
            Poll::Pending => Poll::Ready(Ok(())),
        })
        .await
    }

    fn poll_flushed(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        ready!(self.poll_written(context))?;
        let flushed = ready!(Pin::new(&mut self.sink).poll_flush(context));
        Poll::Ready(self.checked(flushed))
    }

    /// Writes the pending messages.
    fn poll_written(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        if self.state == WriterState::Failed {
            return Poll::Ready(Err(IpcErrorKind::AlreadyFailed { what: "writer" }.into()));
        }
        loop {
            let mut slices = [IoSlice::new(&[]); MAX_SLICES];
            let slices = self.pending.next_slices(&mut slices);
            if slices.is_empty() {
                // The messages refer to buffers of the caller, so they are dropped.
                self.pending = PendingMessages::default();
                return Poll::Ready(Ok(()));
            }
            let n_given = slices.iter().map(|slice| slice.len()).fold(0, usize::saturating_add);
            let written = match ready!(Pin::new(&mut self.sink).poll_write_vectored(context, slices)) {
                Ok(0) => Err(io::ErrorKind::WriteZero.into()),
                // A sink may return a greater number than the number of bytes. This must not cause a panic.
                Ok(n_bytes) if n_bytes > n_given => Err(io::ErrorKind::InvalidData.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                written => written,
            };
            let n_bytes = self.checked(written)?;
            self.pending.advance(n_bytes);
        }
    }

    /// Records a failure of the sink. After it, no bytes are written.
    fn checked<R>(&mut self, written: io::Result<R>) -> Result<R> {
        written.map_err(|error| {
            self.state = WriterState::Failed;
            IpcErrorKind::Write(error).into()
        })
    }
}

impl<T: Trailer, W> AsyncWriter<T, W> {
    /// The schema of the written batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.ipc_schema().schema()
    }

    /// The schema of the stream or file, with the version, byte order and features of the options.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.encoder.ipc_schema()
    }

    /// The number of bytes of all accepted batches, including bytes that have not been written.
    pub fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// The number of bytes of accepted batches that have not been written.
    pub fn n_pending_bytes(&self) -> u64 {
        self.pending.n_bytes()
    }

    /// The sink.
    pub fn sink(&self) -> &W {
        &self.sink
    }

    /// The sink. Before [`write_end`](AsyncWriter::write_end) is ready, the sink may not have received all bytes of accepted
    /// batches. The other bytes are lost.
    pub fn into_inner(self) -> W {
        self.sink
    }
}
