//! Writers of streams and files. An encoder makes the bytes, which are written to an [`AsyncWrite`].

use arrow_data::RecordBatch;
use arrow_ipc::{Encoded, FileEncoder, IpcSchema, Result, StreamEncoder, WriteOptions};
use arrow_schema::Metadata;
use tokio::io::AsyncWrite;

mod pending;
mod sending;

use self::sending::{Sending, SinkEncoder};

/// Writes record batches as an IPC stream.
///
/// [`write`](AsyncStreamWriter::write) waits until all preceding bytes have been written. Then it accepts the batch,
/// and writes as many of its bytes as the sink takes at once. The next call of a method that writes also writes the
/// remaining bytes. If a future is dropped before it is ready, its batch is not in the stream, and you can make the
/// call again. All other batches are in the stream once. Call [`flush`](AsyncStreamWriter::flush) if a reader waits for
/// the last batch, and [`finish`](AsyncStreamWriter::finish) at the end. Dropping the writer writes nothing.
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::WriteOptions;
/// # use arrow_schema::DataType;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use arrow_ipc_async::AsyncStreamWriter;
///
/// let mut writer = AsyncStreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// writer.write(&batch).await?;
/// writer.finish().await?;
/// let stream: Vec<u8> = writer.into_inner();
/// assert!(stream.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AsyncStreamWriter<W> {
    inner: Sending<StreamEncoder, W>,
}

/// Writes record batches as an IPC file, from start to end, without seeking.
///
/// The methods work like those of [`AsyncStreamWriter`].
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::WriteOptions;
/// # use arrow_schema::DataType;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use arrow_ipc_async::AsyncFileWriter;
///
/// let mut writer = AsyncFileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// writer.write(&batch).await?;
/// writer.finish().await?;
/// assert!(writer.into_inner().ends_with(b"ARROW1"));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AsyncFileWriter<W> {
    inner: Sending<FileEncoder, W>,
}

/// Implements the methods that both writers have.
macro_rules! impl_writer {
    ($writer:ident, $encoder:ident, $what:literal) => {
        impl<W: AsyncWrite + Unpin> $writer<W> {
            #[doc = concat!("Begins a ", $what, ". Its schema is written with the first batch, or by a flush.")]
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($encoder), "::try_new`].")]
            pub fn try_new(
                sink: W,
                schema: impl Into<IpcSchema>,
                options: WriteOptions,
            ) -> Result<$writer<W>> {
                Ok($writer { inner: Sending::begin($encoder::try_new(schema, options)?, sink)? })
            }

            /// Waits until all preceding bytes have been written. Then accepts the batch, and writes as many bytes of
            /// its dictionaries and of the batch as the sink takes at once. If the future is dropped before it is
            /// ready, the writer has not accepted the batch.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($encoder), "::encode`]; the next batch can still be written then.")]
            #[doc = concat!("If the sink fails, which leaves the ", $what, " incomplete: later calls fail.")]
            pub async fn write(&mut self, batch: &RecordBatch) -> Result<()> {
                self.write_with_metadata(batch, &Metadata::new()).await
            }

            #[doc = concat!("As [`write`](", stringify!($writer), "::write), with custom metadata of the batch's message.")]
            ///
            /// # Errors
            #[doc = concat!("As [`write`](", stringify!($writer), "::write).")]
            pub async fn write_with_metadata(
                &mut self,
                batch: &RecordBatch,
                metadata: &Metadata,
            ) -> Result<()> {
                self.inner.put(|encoder| encoder.encode_with_metadata(batch, metadata)).await
            }

            /// Writes all bytes of accepted batches, and flushes the sink, so that a reader at the other end receives them.
            ///
            /// # Errors
            /// If the sink fails, or has failed before.
            pub async fn flush(&mut self) -> Result<()> {
                self.inner.flush().await
            }

            #[doc = concat!("Writes the end of the ", $what, ", and flushes. A call after that does nothing.")]
            ///
            /// # Errors
            /// If the sink fails, or has failed before.
            #[doc = concat!("As [`", stringify!($encoder), "::finish`].")]
            pub async fn finish(&mut self) -> Result<()> {
                self.inner.finish().await
            }

            /// Sets the custom metadata of the next message of a dictionary.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($encoder), "::set_dictionary_metadata`].")]
            pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
                self.inner.encoder_mut().set_dictionary_metadata(id, metadata)
            }
        }

        impl<W> $writer<W> {
            /// The schema of the written batches.
            pub fn schema(&self) -> &IpcSchema {
                self.inner.encoder().schema()
            }

            /// The number of bytes of all accepted batches, including bytes that have not been written.
            pub fn position(&self) -> u64 {
                self.inner.encoder().position()
            }

            /// The number of bytes of accepted batches that have not been written.
            pub fn n_pending_bytes(&self) -> u64 {
                self.inner.n_pending_bytes()
            }

            /// The sink.
            pub fn sink(&self) -> &W {
                self.inner.sink()
            }

            #[doc = concat!("The sink. Before [`finish`](", stringify!($writer), "::finish) is ready, the sink may not have")]
            /// received all bytes of accepted batches. The other bytes are lost.
            pub fn into_inner(self) -> W {
                self.inner.into_sink()
            }
        }
    };
}

impl_writer!(AsyncStreamWriter, StreamEncoder, "stream");
impl_writer!(AsyncFileWriter, FileEncoder, "file");

impl<W: AsyncWrite + Unpin> AsyncStreamWriter<W> {
    /// Accepts a tensor and writes it, like [`write`](AsyncStreamWriter::write). Tensors may stand between batches.
    /// Readers of other libraries refuse such streams.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::encode_tensor`]. For an error of the sink, see [`write`](AsyncStreamWriter::write).
    #[cfg(feature = "tensor")]
    pub async fn write_tensor(
        &mut self,
        tensor: arrow_ipc::tensor::TensorRef<'_>,
        metadata: &Metadata,
    ) -> Result<()> {
        self.inner.put(|encoder| encoder.encode_tensor(tensor, metadata)).await
    }
}

impl SinkEncoder for StreamEncoder {
    fn start(&mut self) -> Result<Encoded<'_>> {
        StreamEncoder::start(self)
    }

    fn finish(&mut self) -> Result<Encoded<'_>> {
        StreamEncoder::finish(self)
    }
}

impl SinkEncoder for FileEncoder {
    fn start(&mut self) -> Result<Encoded<'_>> {
        FileEncoder::start(self)
    }

    fn finish(&mut self) -> Result<Encoded<'_>> {
        FileEncoder::finish(self)
    }
}
