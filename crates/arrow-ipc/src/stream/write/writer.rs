//! Writes a stream to a sink.

use std::io::Write;

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::{SinkWriter, StreamEncoder, write_batches, write_to_buffer};
#[cfg(feature = "tensor")]
use crate::tensor::TensorRef;
use crate::{error::Result, options::WriteOptions, schema::IpcSchema};

/// Writes record batches as an IPC stream.
///
/// Each call uses vectored writes, so the sink needs no buffering. A stream is complete when
/// [`finish`](StreamWriter::finish) has returned. Dropping the writer writes nothing.
///
/// To write to memory, use [`to_buffer`](StreamWriter::to_buffer) if you have all batches. Otherwise write to a
/// [`BufferMut`], which grows without copying where the system allows that; a `Vec<u8>` copies its content whenever it
/// grows.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{StreamWriter, WriteOptions};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// writer.write(&batch)?;
/// let stream: Vec<u8> = writer.finish()?;
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub type StreamWriter<W> = SinkWriter<StreamEncoder, W>;

impl StreamWriter<BufferMut> {
    /// A stream of these batches in memory, aligned so that readers need no copies.
    ///
    /// The memory is allocated once, with the length of the stream. If bodies are compressed, or if [shared
    /// buffers](WriteOptions::with_shared_buffers) are written once, the length is not known in advance, and the memory grows. Memory of
    /// dropped batches and streams is [reused](crate::RecycledMemory::shared); such memory may be twice as long as the stream.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{ReadOptions, Step, StreamDecoder, StreamWriter, WriteOptions};
    /// use arrow_schema::DataType;
    ///
    /// let batches = [RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?];
    /// let stream = StreamWriter::to_buffer(batches[0].schema(), &batches, WriteOptions::default())?;
    ///
    /// // Arrays that are read share its memory.
    /// let mut decoder = StreamDecoder::new(ReadOptions::default());
    /// decoder.feed(stream);
    /// # while !matches!(decoder.step()?, Step::Batch(_)) {}
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`] and [`StreamEncoder::encode`].
    ///
    /// # Panics
    /// If the system refuses memory, like `Vec`.
    pub fn to_buffer(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Buffer> {
        write_to_buffer(StreamEncoder::try_new(schema, options)?, batches)
    }
}

impl StreamWriter<Vec<u8>> {
    /// Like [`to_buffer`](StreamWriter::to_buffer), as a vector.
    ///
    /// # Errors
    /// The errors of [`to_buffer`](StreamWriter::to_buffer).
    ///
    /// # Panics
    /// Panics like [`to_buffer`](StreamWriter::to_buffer).
    pub fn to_vec(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Vec<u8>> {
        write_batches(StreamEncoder::try_new(schema, options)?, batches)
    }
}

impl<W: Write> StreamWriter<W> {
    /// Writes the schema.
    ///
    /// # Errors
    /// If the sink fails. The errors of [`StreamEncoder::try_new`].
    pub fn try_new(sink: W, schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<StreamWriter<W>> {
        SinkWriter::of(StreamEncoder::try_new(schema, options)?, sink).begin()
    }

    /// Writes a tensor between the batches. [`StreamDecoder`](crate::StreamDecoder) returns such tensors. Other libraries
    /// refuse such streams.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::encode_tensor`]. For an error of the sink, see [`write`](StreamWriter::write).
    #[cfg(feature = "tensor")]
    pub fn write_tensor<'a>(&mut self, tensor: impl Into<TensorRef<'a>>, metadata: &Metadata) -> Result<()> {
        let written = self.put(|encoder| encoder.encode_tensor(tensor, metadata));
        // Releases the tensor's buffers, which belong to the caller.
        self.encoder_mut().clear();
        written
    }

    /// Writes the end of the stream, flushes, and returns the sink, like [`finish`](StreamWriter::finish). Later calls
    /// write another stream to `sink`, with the same schema and options. The schema of the new stream is written with
    /// its first batch, or with its end. The encoder reuses its memory.
    ///
    /// ```
    /// # use arrow_data::{ArrayData, RecordBatch};
    /// # use arrow_ipc::{StreamWriter, WriteOptions};
    /// # use arrow_schema::DataType;
    /// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
    /// writer.write(&batch)?;
    /// let first: Vec<u8> = writer.next_stream(Vec::new())?;
    /// writer.write(&batch)?;
    /// assert_eq!(writer.finish()?, first);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If the sink fails, or has failed before. Later calls then fail.
    pub fn next_stream(&mut self, sink: W) -> Result<W> {
        self.next(sink)
    }
}
