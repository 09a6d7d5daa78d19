//! Types for tensors that may be dense or sparse.

use arrow_buffer::Buffer;
use arrow_ipc::{ReadOptions, Validation};
use arrow_ipc_format::{Endianness, Limits, Message, MessageKind, check_metadata_utf8};
use arrow_schema::{DataType, Metadata, is_not_utf8};

use crate::{SparseTensor, SparseTensorHeader, Tensor, TensorDim, TensorError, TensorHeader};
use arrow_ipc::{FormatErrorKind, Result};

/// A dense or sparse tensor.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{AnyTensor, Tensor};
/// use arrow_schema::DataType;
///
/// let tensor = AnyTensor::from(Tensor::try_new(DataType::Int16, [2, 3], Buffer::from(vec![0i16; 6]))?);
/// assert_eq!(tensor.shape().len(), 2);
/// assert!(tensor.as_dense().is_some() && tensor.as_sparse().is_none());
/// # Ok::<(), arrow_ipc_tensor::TensorError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyTensor {
    /// A dense tensor, which stores all elements.
    Dense(Tensor),
    /// A sparse tensor, which stores only some elements.
    Sparse(SparseTensor),
}

/// The header of a tensor message, dense or sparse: what is known of a tensor without its body.
#[derive(Debug, Clone)]
pub enum AnyTensorHeader {
    /// The header of a dense tensor.
    Dense(TensorHeader),
    /// The header of a sparse tensor.
    Sparse(SparseTensorHeader),
}

/// A reference to a dense or sparse tensor, for writing.
#[derive(Debug, Clone, Copy)]
pub enum TensorRef<'a> {
    /// A dense tensor, which stores all elements.
    Dense(&'a Tensor),
    /// A sparse tensor, which stores only some elements.
    Sparse(&'a SparseTensor),
}

/// A tensor with the custom metadata of its message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TensorWithMetadata {
    /// The tensor, dense or sparse.
    pub tensor: AnyTensor,
    /// The custom metadata of the message; empty if it has none.
    pub metadata: Metadata,
}

impl AnyTensorHeader {
    /// Reads the header of a tensor message.
    ///
    /// # Errors
    /// If the message is not a tensor, or is invalid, unsupported or over a limit.
    pub fn try_from_message(message: &Message, limits: &Limits) -> Result<AnyTensorHeader> {
        match message.kind() {
            MessageKind::Tensor => {
                TensorHeader::try_from_message(message, limits).map(AnyTensorHeader::Dense)
            }
            MessageKind::SparseTensor => {
                SparseTensorHeader::try_from_message(message, limits).map(AnyTensorHeader::Sparse)
            }
            found @ (MessageKind::Schema | MessageKind::DictionaryBatch | MessageKind::RecordBatch) => {
                Err(FormatErrorKind::UnexpectedMessage { expected: "a tensor", found }.into())
            }
        }
    }

    /// The dimensions.
    pub fn shape(&self) -> &[TensorDim] {
        match self {
            AnyTensorHeader::Dense(header) => header.shape(),
            AnyTensorHeader::Sparse(header) => header.shape(),
        }
    }

    /// Checks that the names of all dimensions are UTF-8. The format requires it, but readers
    /// [escape](arrow_schema::decode_text) what is not, unless they are strict.
    ///
    /// # Errors
    /// If a name is not UTF-8.
    pub fn check_utf8(&self) -> Result<()> {
        if self.shape().iter().filter_map(TensorDim::name).any(is_not_utf8) {
            return Err(FormatErrorKind::NotUtf8 { what: "the name of a dimension" }.into());
        }
        Ok(())
    }
}

impl AnyTensor {
    /// The tensor of a tensor message. It shares the bytes of the body. [`SparseTensor::validate`] checks the indices of
    /// a sparse tensor; this function does not.
    ///
    /// # Errors
    /// If the message is not a tensor, is invalid, unsupported or over a limit, or if its body was skipped.
    pub fn try_from_message(message: &Message, limits: &Limits) -> Result<AnyTensor> {
        AnyTensor::read(&AnyTensorHeader::try_from_message(message, limits)?, message)
    }

    fn read(header: &AnyTensorHeader, message: &Message) -> Result<AnyTensor> {
        match header {
            AnyTensorHeader::Dense(header) => header.read(message.body()).map(AnyTensor::from),
            AnyTensorHeader::Sparse(header) => header.read(message.body()).map(AnyTensor::from),
        }
    }

    /// The tensor of a message of a stream whose bodies have this byte order: in the byte order of this machine, and with
    /// checked indices unless the validation is [`Structure`](arrow_ipc::Validation::Structure).
    ///
    /// # Errors
    /// The errors of [`try_from_message`](AnyTensor::try_from_message). If an index is invalid. If the validation is
    /// [`Strict`](arrow_ipc::Validation::Strict), and a name or the custom metadata is not UTF-8.
    pub fn try_from_message_with(
        message: &Message,
        endianness: Endianness,
        options: ReadOptions,
    ) -> Result<AnyTensor> {
        let header = AnyTensorHeader::try_from_message(message, options.limits())?;
        if options.validation() == Validation::Strict {
            header.check_utf8()?;
            check_metadata_utf8(&message.envelope().custom_metadata(options.limits())?)?;
        }
        let mut tensor = AnyTensor::read(&header, message)?;
        if endianness != Endianness::NATIVE {
            tensor = tensor.to_other_byte_order()?;
        }
        if options.validation() != Validation::Structure {
            tensor.validate()?;
        }
        Ok(tensor)
    }

    /// The tensor if it is dense; otherwise `None`.
    pub fn as_dense(&self) -> Option<&Tensor> {
        match self {
            AnyTensor::Dense(tensor) => Some(tensor),
            AnyTensor::Sparse(_) => None,
        }
    }

    /// The tensor if it is sparse; otherwise `None`.
    pub fn as_sparse(&self) -> Option<&SparseTensor> {
        match self {
            AnyTensor::Dense(_) => None,
            AnyTensor::Sparse(tensor) => Some(tensor),
        }
    }

    /// Checks the numbers in the index of a sparse tensor. A dense tensor has no index and is always valid.
    ///
    /// # Errors
    /// If [`SparseTensor::validate`] fails.
    pub fn validate(&self) -> std::result::Result<(), TensorError> {
        match self {
            AnyTensor::Dense(_) => Ok(()),
            AnyTensor::Sparse(tensor) => tensor.validate(),
        }
    }

    /// The type of the elements, which has a fixed width.
    pub fn data_type(&self) -> &DataType {
        match self {
            AnyTensor::Dense(tensor) => tensor.data_type(),
            AnyTensor::Sparse(tensor) => tensor.data_type(),
        }
    }

    /// The dimensions, outermost first.
    pub fn shape(&self) -> &[TensorDim] {
        match self {
            AnyTensor::Dense(tensor) => tensor.shape(),
            AnyTensor::Sparse(tensor) => tensor.shape(),
        }
    }

    /// A copy with all elements byte-swapped. Use it if a tensor was read in the wrong byte order.
    ///
    /// # Errors
    /// If elements of a dense tensor overlap, and a copy without overlap would be longer than the data.
    pub fn to_other_byte_order(&self) -> std::result::Result<AnyTensor, TensorError> {
        TensorRef::from(self).to_other_byte_order()
    }
}

impl<'a> TensorRef<'a> {
    /// The kind of its message.
    pub(crate) fn kind(self) -> MessageKind {
        match self {
            TensorRef::Dense(_) => MessageKind::Tensor,
            TensorRef::Sparse(_) => MessageKind::SparseTensor,
        }
    }

    /// The buffers of the body, in order: the buffers of the index if the tensor is sparse, then the values.
    pub(crate) fn buffers(self) -> impl Iterator<Item = &'a Buffer> {
        let (index, data): (&[Buffer], &Buffer) = match self {
            TensorRef::Dense(tensor) => (&[], tensor.data()),
            TensorRef::Sparse(tensor) => (tensor.index_buffers(), tensor.data()),
        };
        index.iter().chain([data])
    }

    /// The length of all dimension names, in bytes.
    pub(crate) fn n_text_bytes(self) -> u64 {
        let shape = match self {
            TensorRef::Dense(tensor) => tensor.shape(),
            TensorRef::Sparse(tensor) => tensor.shape(),
        };
        let names = shape.iter().filter_map(TensorDim::name);
        names.fold(0, |n_bytes, name| n_bytes.saturating_add(name.len() as u64))
    }

    pub(crate) fn to_other_byte_order(self) -> std::result::Result<AnyTensor, TensorError> {
        match self {
            TensorRef::Dense(tensor) => tensor.to_other_byte_order().map(AnyTensor::Dense),
            TensorRef::Sparse(tensor) => tensor.to_other_byte_order().map(AnyTensor::Sparse),
        }
    }
}

impl From<Tensor> for AnyTensor {
    fn from(tensor: Tensor) -> AnyTensor {
        AnyTensor::Dense(tensor)
    }
}

impl From<SparseTensor> for AnyTensor {
    fn from(tensor: SparseTensor) -> AnyTensor {
        AnyTensor::Sparse(tensor)
    }
}

impl<'a> From<&'a Tensor> for TensorRef<'a> {
    fn from(tensor: &'a Tensor) -> TensorRef<'a> {
        TensorRef::Dense(tensor)
    }
}

impl<'a> From<&'a SparseTensor> for TensorRef<'a> {
    fn from(tensor: &'a SparseTensor) -> TensorRef<'a> {
        TensorRef::Sparse(tensor)
    }
}

impl<'a> From<&'a AnyTensor> for TensorRef<'a> {
    fn from(tensor: &'a AnyTensor) -> TensorRef<'a> {
        match tensor {
            AnyTensor::Dense(tensor) => TensorRef::Dense(tensor),
            AnyTensor::Sparse(tensor) => TensorRef::Sparse(tensor),
        }
    }
}
