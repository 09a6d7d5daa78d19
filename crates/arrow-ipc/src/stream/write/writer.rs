//! The writer of streams: an encoder with a sink.

use std::io::Write;

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;

use super::{EndOfStream, SinkWriter, StreamEncoder, write_batches};
use crate::{error::Result, options::WriteOptions, segment::encoded::Encoded};
use arrow_ipc_format::IpcSchema;

/// Writes record batches as an IPC stream.
///
/// Each call uses vectored writes, so the sink needs no buffering. The stream is complete after
/// [`finish`](StreamWriter::finish). Dropping the writer writes nothing.
///
/// If you have all batches, use [`write_to_buffer`](StreamWriter::write_to_buffer) to write them to memory. Otherwise
/// write to a [`BufferMut`], which grows without copying where the system allows it. A `Vec<u8>` copies its content when it grows.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::StreamWriter;
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let stream: Vec<u8> = writer.finish()?;
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub type StreamWriter<W> = SinkWriter<EndOfStream, W>;

impl StreamWriter<BufferMut> {
    /// Writes these batches as a stream to memory. The buffers are aligned, so readers copy nothing.
    ///
    /// The memory is allocated once, with the length of the stream. If bodies are compressed or [shared
    /// buffers](WriteOptions::with_shared_buffers) are written once, the length is unknown before, so the memory grows.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{Step, StreamDecoder, StreamWriter};
    /// use arrow_schema::DataType;
    ///
    /// let batches = [RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?];
    /// let stream = StreamWriter::write_to_buffer(batches[0].schema(), &batches)?;
    ///
    /// // Arrays that are read share its memory.
    /// let mut decoder = StreamDecoder::new();
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
    pub fn write_to_buffer(schema: impl Into<IpcSchema>, batches: &[RecordBatch]) -> Result<Buffer> {
        StreamWriter::write_to_buffer_with(schema, batches, WriteOptions::default())
    }

    /// Like [`write_to_buffer`](StreamWriter::write_to_buffer), with options.
    ///
    /// # Errors
    /// The errors of [`write_to_buffer`](StreamWriter::write_to_buffer).
    ///
    /// # Panics
    /// The panics of [`write_to_buffer`](StreamWriter::write_to_buffer).
    pub fn write_to_buffer_with(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Buffer> {
        Ok(write_batches::<BufferMut>(StreamEncoder::try_new_with(schema, options)?, batches)?.freeze())
    }
}

impl StreamWriter<Vec<u8>> {
    /// Like [`write_to_buffer`](StreamWriter::write_to_buffer), but returns a vector, and does not reuse memory.
    ///
    /// # Errors
    /// The errors of [`write_to_buffer`](StreamWriter::write_to_buffer).
    ///
    /// # Panics
    /// Panics like [`write_to_buffer`](StreamWriter::write_to_buffer).
    pub fn write_to_vec(schema: impl Into<IpcSchema>, batches: &[RecordBatch]) -> Result<Vec<u8>> {
        StreamWriter::write_to_vec_with(schema, batches, WriteOptions::default())
    }

    /// Like [`write_to_vec`](StreamWriter::write_to_vec), with options.
    ///
    /// # Errors
    /// The errors of [`write_to_vec`](StreamWriter::write_to_vec).
    ///
    /// # Panics
    /// The panics of [`write_to_vec`](StreamWriter::write_to_vec).
    pub fn write_to_vec_with(
        schema: impl Into<IpcSchema>,
        batches: &[RecordBatch],
        options: WriteOptions,
    ) -> Result<Vec<u8>> {
        write_batches(StreamEncoder::try_new_with(schema, options)?, batches)
    }
}

impl<W: Write> StreamWriter<W> {
    /// Writes what `encode` encodes, such as a [message](StreamEncoder::encode_message) that is no batch.
    ///
    /// # Errors
    /// The errors of `encode`. If the sink fails. The stream is then incomplete, and later calls fail.
    pub fn write_with(
        &mut self,
        encode: impl FnOnce(&mut StreamEncoder) -> Result<Encoded<'_>>,
    ) -> Result<()> {
        let written = self.put(encode);
        // Drops the references to the buffers of the message.
        self.encoder_mut().clear();
        written
    }

    /// Writes the schema of the stream to the sink.
    ///
    /// # Errors
    /// If the sink fails. The errors of [`StreamEncoder::try_new`].
    pub fn try_new(sink: W, schema: impl Into<IpcSchema>) -> Result<StreamWriter<W>> {
        StreamWriter::try_new_with(sink, schema, WriteOptions::default())
    }

    /// Like [`try_new`](StreamWriter::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](StreamWriter::try_new).
    pub fn try_new_with(
        sink: W,
        schema: impl Into<IpcSchema>,
        options: WriteOptions,
    ) -> Result<StreamWriter<W>> {
        SinkWriter::from_encoder(StreamEncoder::try_new_with(schema, options)?, sink).begin()
    }

    /// Writes the end of the stream, flushes and returns the sink, like [`finish`](StreamWriter::finish). The writer
    /// then continues with another stream in `sink`, with the same schema and options. It writes the schema with the
    /// first batch, or with the end. The encoder reuses its memory.
    ///
    /// ```
    /// # use arrow_data::{ArrayData, RecordBatch};
    /// # use arrow_ipc::StreamWriter;
    /// # use arrow_schema::DataType;
    /// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
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
