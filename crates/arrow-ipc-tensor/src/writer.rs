//! Writes tensors: messages alone, or between the batches of a stream.

use std::io::Write;

use arrow_ipc::{Encoded, IpcErrorKind, RawMessageEncoder, Result, StreamEncoder, StreamWriter};
use arrow_ipc_format::Endianness;
use arrow_schema::Metadata;

use crate::{TensorRef, encode::TensorMessage};

/// Encodes tensors as messages without a stream and without I/O. Each call returns segments, which share the buffers of
/// the tensor.
///
/// Messages have metadata V5. Tensors have the byte order of this machine, which the messages do not state. The length
/// of each message is a multiple of 64, so if you begin at a multiple of 64, all bodies begin at multiples of 64.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{TensorEncoder, Tensor};
/// use arrow_schema::DataType;
///
/// let tensor = Tensor::try_new(DataType::UInt8, [100, 100], Buffer::zeroed(10_000))?;
/// let mut encoder = TensorEncoder::new();
/// let message = encoder.encode(&tensor)?;
/// assert_eq!(message.messages()[0].n_body_bytes(), 10_048);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Default)]
pub struct TensorEncoder {
    encoder: RawMessageEncoder,
}

impl TensorEncoder {
    /// Makes an encoder. The position of its first message is 0.
    pub fn new() -> TensorEncoder {
        TensorEncoder::default()
    }

    /// The number of bytes that have been encoded. This is the position of the next message.
    pub fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// Encodes a tensor. The next call reuses the memory of the message, so write the message before that call.
    ///
    /// # Errors
    /// If names of dimensions are longer than the format can express.
    pub fn encode<'a>(&mut self, tensor: impl Into<TensorRef<'a>>) -> Result<Encoded<'_>> {
        self.encode_with_metadata(tensor, &Metadata::new())
    }

    /// Like [`encode`](TensorEncoder::encode), with custom metadata of the message.
    ///
    /// # Errors
    /// The errors of [`encode`](TensorEncoder::encode). If the metadata is longer than the format can express.
    pub fn encode_with_metadata<'a>(
        &mut self,
        tensor: impl Into<TensorRef<'a>>,
        metadata: &Metadata,
    ) -> Result<Encoded<'_>> {
        self.encoder.clear();
        let message = TensorMessage::try_new(self.encoder.format(), tensor.into(), metadata)?;
        self.encoder.encode(message.as_raw())
    }

    /// Drops the last message, which shares the buffers of its tensor.
    pub fn clear(&mut self) {
        self.encoder.clear();
    }
}

/// Writes tensor messages that are not in a stream: there is no schema and no end marker. Other libraries also write
/// and read such messages.
///
/// Each call uses vectored writes, so the sink needs no buffering.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{TensorWriter, Tensor};
/// use arrow_schema::DataType;
///
/// let tensor = Tensor::try_new(DataType::Float64, [2], Buffer::from(vec![0.5, 1.5]))?;
/// let mut writer = TensorWriter::new(Vec::new());
/// writer.write(&tensor)?;
/// let bytes = writer.finish()?;
/// assert_eq!(bytes.len() % 64, 0);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct TensorWriter<W> {
    encoder: TensorEncoder,
    sink: W,
    has_failed: bool,
}

impl<W: Write> TensorWriter<W> {
    /// Makes a writer. It writes nothing before the first tensor.
    pub fn new(sink: W) -> TensorWriter<W> {
        TensorWriter { encoder: TensorEncoder::new(), sink, has_failed: false }
    }

    /// The number of bytes that have been written.
    pub fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// The sink. It has received all bytes of written tensors, but may have buffered some of them.
    pub fn sink(&self) -> &W {
        &self.sink
    }

    /// Writes a tensor.
    ///
    /// # Errors
    /// The errors of [`TensorEncoder::encode`]. If the sink fails; later calls then fail, too.
    pub fn write<'a>(&mut self, tensor: impl Into<TensorRef<'a>>) -> Result<()> {
        self.write_with_metadata(tensor, &Metadata::new())
    }

    /// Like [`write`](TensorWriter::write), with custom metadata of the message.
    ///
    /// # Errors
    /// The errors of [`write`](TensorWriter::write).
    pub fn write_with_metadata<'a>(
        &mut self,
        tensor: impl Into<TensorRef<'a>>,
        metadata: &Metadata,
    ) -> Result<()> {
        self.check()?;
        let written = self.encoder.encode_with_metadata(tensor, metadata)?.write_to(&mut self.sink);
        self.has_failed = written.is_err();
        // Drops the references to the buffers of the tensor.
        self.encoder.clear();
        Ok(written.map_err(IpcErrorKind::Write)?)
    }

    /// Flushes the sink.
    ///
    /// # Errors
    /// If the sink fails, or has failed before.
    pub fn flush(&mut self) -> Result<()> {
        self.check()?;
        let flushed = self.sink.flush();
        self.has_failed = flushed.is_err();
        Ok(flushed.map_err(IpcErrorKind::Write)?)
    }

    /// Flushes and returns the sink. Tensors have no end marker.
    ///
    /// # Errors
    /// If the sink fails, or has failed before.
    pub fn finish(mut self) -> Result<W> {
        self.flush()?;
        Ok(self.sink)
    }

    fn check(&self) -> Result<()> {
        if self.has_failed { Err(IpcErrorKind::AlreadyFailed { what: "writer" }.into()) } else { Ok(()) }
    }
}

/// Encodes a tensor between the batches of a stream. The tensor need not fit the schema. Readers of other libraries
/// refuse such streams.
pub trait EncodeTensor {
    /// Encodes a tensor in the byte order of the stream, with the custom metadata of its message.
    ///
    /// # Errors
    /// If names of dimensions, or the metadata, are longer than the format can express. After an error, the encoder is as
    /// before the call.
    fn encode_tensor<'a>(
        &mut self,
        tensor: impl Into<TensorRef<'a>>,
        metadata: &Metadata,
    ) -> Result<Encoded<'_>>;
}

/// Writes a tensor between the batches of a stream. Readers of other libraries refuse such streams.
pub trait WriteTensor {
    /// Writes a tensor in the byte order of the stream, with the custom metadata of its message.
    ///
    /// # Errors
    /// The errors of [`EncodeTensor::encode_tensor`]. If the sink fails; later calls then fail, too.
    fn write_tensor<'a>(&mut self, tensor: impl Into<TensorRef<'a>>, metadata: &Metadata) -> Result<()>;
}

impl EncodeTensor for StreamEncoder {
    fn encode_tensor<'a>(
        &mut self,
        tensor: impl Into<TensorRef<'a>>,
        metadata: &Metadata,
    ) -> Result<Encoded<'_>> {
        let tensor = tensor.into();
        let is_native = self.ipc_schema().endianness() == Endianness::NATIVE;
        let swapped = if is_native { None } else { Some(tensor.to_other_byte_order()?) };
        let tensor = swapped.as_ref().map_or(tensor, TensorRef::from);
        let message = TensorMessage::try_new(self.format(), tensor, metadata)?;
        StreamEncoder::encode_message(self, message.as_raw())
    }
}

impl<W: Write> WriteTensor for StreamWriter<W> {
    fn write_tensor<'a>(&mut self, tensor: impl Into<TensorRef<'a>>, metadata: &Metadata) -> Result<()> {
        self.write_with(|encoder| encoder.encode_tensor(tensor, metadata))
    }
}
