//! Writers of streams and files: an encoder, and an [`AsyncWrite`] for its bytes.

use arrow_data::RecordBatch;
use arrow_ipc::{FileEncoder, IpcSchema, Result, StreamEncoder, WriteOptions};
use arrow_schema::Metadata;
use tokio::io::AsyncWrite;

mod pending;
mod sending;

use self::sending::Sending;

/// Writes record batches as an IPC stream.
///
/// [`write`](AsyncStreamWriter::write) first waits until all earlier bytes are written. Then it accepts the batch, and
/// writes as many of its bytes as the sink takes without waiting; the next call writes the others. If you drop the
/// future before it is ready, the writer has not accepted its batch, and you can make the call again. Each accepted
/// batch is in the stream once. If a reader waits for the last batch, call [`flush`](AsyncStreamWriter::flush). At the
/// end, call [`finish`](AsyncStreamWriter::finish); dropping the writer writes nothing.
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

/// Writes record batches as an IPC file, from start to end. The sink need not support seeking.
///
/// `write`, `flush` and `finish` work like those of [`AsyncStreamWriter`].
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

/// Implements the methods that the two writers have in common.
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
                let mut encoder = $encoder::try_new(schema, options)?;
                let start = encoder.start()?.into_owned();
                Ok($writer { inner: Sending::new(encoder, sink, start) })
            }

            /// Waits until all earlier bytes are written. Then accepts the batch, and writes as many bytes of its
            /// dictionaries and of the batch as the sink takes without waiting. If you drop the future before it is
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

            /// Writes all bytes of accepted batches and flushes the sink, for example to let a reader at the other end
            /// get them.
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
                self.inner.finish($encoder::finish).await
            }

            /// Sets the custom metadata of the next message of a dictionary. Messages that are already encoded do not
            /// change.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($encoder), "::set_dictionary_metadata`].")]
            pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
                self.inner.encoder_mut().set_dictionary_metadata(id, metadata)
            }
        }

        impl<W> $writer<W> {
            /// The schema of the output, with the version, byte order and features of the options.
            pub fn schema(&self) -> &IpcSchema {
                self.inner.encoder().schema()
            }

            /// The length of all accepted batches in bytes, including bytes that are not written yet.
            pub fn position(&self) -> u64 {
                self.inner.encoder().position()
            }

            /// The number of bytes of accepted batches that are not written yet.
            pub fn n_pending_bytes(&self) -> u64 {
                self.inner.n_pending_bytes()
            }

            /// The sink. It may not have all bytes of accepted batches yet.
            pub fn sink(&self) -> &W {
                self.inner.sink()
            }

            #[doc = concat!("The sink. Before [`finish`](", stringify!($writer), "::finish) is ready, the sink may not have")]
            /// all bytes of accepted batches yet. The missing bytes are lost.
            pub fn into_inner(self) -> W {
                self.inner.into_sink()
            }
        }
    };
}

impl_writer!(AsyncStreamWriter, StreamEncoder, "stream");
impl_writer!(AsyncFileWriter, FileEncoder, "file");

impl<W: AsyncWrite + Unpin> AsyncStreamWriter<W> {
    /// Writes a tensor between batches, like [`write`](AsyncStreamWriter::write). Readers of other libraries refuse
    /// streams with tensors.
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
