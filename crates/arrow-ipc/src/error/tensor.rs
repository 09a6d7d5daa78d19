//! Why parts are not a tensor.

use arrow_schema::DataType;

/// Why parts are not a tensor, why the content of one is not valid, or why it is not copied.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{Tensor, TensorError};
/// use arrow_schema::DataType;
///
/// let error = Tensor::try_new(DataType::Int32, [2, 3], Buffer::from(vec![1i32, 2, 3])).unwrap_err();
/// assert!(matches!(error, TensorError::TooShort { needed: 24, available: 12, .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum TensorError {
    /// The values are not of a fixed width, or not of whole bytes.
    #[error("tensor elements need a fixed width in whole bytes; {found} has none")]
    ElementType { found: DataType },
    /// An array has nulls, and a tensor has no place for them.
    #[error("{n_nulls} values are null; a tensor has no nulls")]
    Nulls { n_nulls: usize },
    /// More dimensions than are read and written here.
    #[error("requested {found} dimensions; the limit is {limit}")]
    TooManyDimensions { found: usize, limit: usize },
    /// The size of a dimension, or a stride, is larger than the format can express.
    #[error("{what} is {found}, more than 2⁶³ − 1")]
    NumberRange { what: &'static str, found: u64 },
    /// The number of elements, or of their bytes, is beyond all memory.
    #[error("a tensor of the shape {shape} has more than 2⁶³ − 1 bytes")]
    ShapeOverflow { shape: String },
    /// Another number of strides than of dimensions.
    #[error("{found} strides for {expected} dimensions")]
    StrideCount { expected: usize, found: usize },
    /// The strides lead beyond all memory.
    #[error("the strides reach beyond 2⁶⁴ bytes")]
    StrideOverflow,
    /// A buffer has fewer bytes than shape, strides and the number of values ask for.
    #[error("{what} needs {needed} bytes and has {available}")]
    TooShort { what: &'static str, needed: u64, available: u64 },
    /// The bytes of a buffer of the index are no whole number of numbers.
    #[error("{what} has {n_bytes} bytes, not a multiple of {width}")]
    PartOfNumber { what: &'static str, n_bytes: u64, width: u64 },
    /// A sparse tensor without dimensions, which has no place for an index.
    #[error("a sparse tensor needs at least one dimension")]
    NoDimensions,
    /// Compressed rows or columns of something else than a matrix.
    #[error("compressed rows and columns need 2 dimensions; the tensor has {n_dims}")]
    NoMatrix { n_dims: usize },
    /// Another number of buffers than the index takes.
    #[error("the index needs {expected} {what}; there are {found}")]
    IndexBufferCount { what: &'static str, expected: usize, found: usize },
    /// The order of the axes of compressed fibres does not name each dimension once.
    #[error("the axis order {found:?} does not name each of the {n_dims} dimensions once")]
    AxisOrder { found: Vec<i64>, n_dims: usize },
    /// The last level of compressed fibres has another number of nodes than there are values.
    #[error("the last level has {found} nodes for {non_zero_length} values")]
    LeafCount { found: u64, non_zero_length: u64 },
    /// A coordinate is negative, or not inside of its dimension.
    #[error("coordinate {position} of dimension {dim} is {found}, out of bounds of its size {size}")]
    Coordinate { position: u64, dim: usize, found: i128, size: u64 },
    /// Coordinates that are said to be sorted and different from each other are not.
    #[error(
        "the coordinates of value {position} are not greater than the preceding ones; the index claims to be canonical"
    )]
    NotCanonical { position: u64 },
    /// The pointers of an index do not begin at 0, decrease, or do not end at the last node of the next level.
    #[error("pointer {position} of level {level} is {found}; allowed: {min} to {max}")]
    Pointer { level: usize, position: u64, found: i128, min: u64, max: u64 },
    /// An invariant of this library does not hold. Please report it.
    #[error("internal error: {what}; please report it")]
    Internal { what: &'static str },
    /// A copy would have more bytes than the caller allows.
    #[error("requested {requested} bytes of elements; the limit is {limit}")]
    TooLarge { requested: u128, limit: u64 },
}

impl TensorError {
    /// Whether it is about a limit, and no rule of the format is broken.
    pub(crate) fn is_limit(&self) -> bool {
        matches!(self, TensorError::TooManyDimensions { .. } | TensorError::TooLarge { .. })
    }

    /// Whether this library broke a rule of its own.
    pub(crate) fn is_internal(&self) -> bool {
        matches!(self, TensorError::Internal { .. })
    }
}
