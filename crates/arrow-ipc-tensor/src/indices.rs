//! Reads the numbers in the index of a sparse tensor.

use arrow_schema::IndexType;

/// The numbers in a buffer of a sparse tensor's index: coordinates or pointers.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{SparseTensor, SparseTensorIndex, SparseTensorParts, TensorDim};
/// use arrow_schema::{DataType, IndexType};
///
/// let tensor = SparseTensor::try_new(SparseTensorParts {
///     data_type: DataType::UInt8,
///     shape: vec![TensorDim::new(9)],
///     non_zero_length: 2,
///     index: SparseTensorIndex::coo(IndexType::UInt16),
///     index_buffers: vec![Buffer::from(vec![3u16, 8])],
///     data: Buffer::from(vec![1u8, 2]),
/// })?;
/// let coordinates = tensor.indices(0).expect("coordinates have one buffer");
/// assert_eq!((coordinates.index_type(), coordinates.iter().collect::<Vec<_>>()), (IndexType::UInt16, vec![3, 8]));
/// # Ok::<(), arrow_ipc_tensor::TensorError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Indices<'a> {
    index_type: IndexType,
    bytes: &'a [u8],
}

impl<'a> Indices<'a> {
    pub(crate) fn new(index_type: IndexType, bytes: &'a [u8]) -> Indices<'a> {
        Indices { index_type, bytes }
    }

    /// The type of the numbers in the buffer.
    pub fn index_type(&self) -> IndexType {
        self.index_type
    }

    /// The number of numbers in the buffer.
    pub fn len(&self) -> usize {
        self.bytes.len() / n_index_bytes(self.index_type)
    }

    /// Whether the buffer contains no number.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at an index; `None` if out of bounds. It may be any number of the type, unless
    /// [`validate`](super::SparseTensor::validate) has checked the tensor.
    pub fn get(&self, idx: usize) -> Option<i128> {
        self.at_byte(idx.checked_mul(n_index_bytes(self.index_type))?)
    }

    /// All numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = i128> + use<'a> {
        let all = *self;
        (0..all.len()).map_while(move |idx| all.get(idx))
    }

    /// The number at byte `start` of the buffer; `None` if out of bounds.
    pub(crate) fn at_byte(&self, start: usize) -> Option<i128> {
        let bytes = self.bytes.get(start..)?;
        Some(match self.index_type {
            IndexType::Int8 => i8::from_ne_bytes(*bytes.first_chunk()?).into(),
            IndexType::Int16 => i16::from_ne_bytes(*bytes.first_chunk()?).into(),
            IndexType::Int32 => i32::from_ne_bytes(*bytes.first_chunk()?).into(),
            IndexType::Int64 => i64::from_ne_bytes(*bytes.first_chunk()?).into(),
            IndexType::UInt8 => u8::from_ne_bytes(*bytes.first_chunk()?).into(),
            IndexType::UInt16 => u16::from_ne_bytes(*bytes.first_chunk()?).into(),
            IndexType::UInt32 => u32::from_ne_bytes(*bytes.first_chunk()?).into(),
            IndexType::UInt64 => u64::from_ne_bytes(*bytes.first_chunk()?).into(),
        })
    }
}

/// The length of a number in bytes, at least 1.
pub(crate) fn n_index_bytes(index_type: IndexType) -> usize {
    (index_type.n_bits() / 8) as usize
}
