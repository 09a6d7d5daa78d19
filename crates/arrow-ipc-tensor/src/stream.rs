//! Tensors between the batches of a stream.

use std::io::Write;

use arrow_ipc::{Encoded, Result, StreamEncoder, StreamWriter};
use arrow_ipc_format::Endianness;
use arrow_schema::Metadata;

use crate::{TensorRef, encode::TensorMessage};

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
