//! The reasons why a tensor is invalid, or cannot be made or copied.

use std::fmt;

use arrow_ipc::{ErrorClass, IpcError, IpcErrorKind};
use arrow_schema::DataType;

/// The reason why a tensor has invalid content, or cannot be made or copied.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{Tensor, TensorError};
/// use arrow_schema::DataType;
///
/// let error = Tensor::try_new(DataType::Int32, [2, 3], Buffer::from(vec![1i32, 2, 3])).unwrap_err();
/// assert!(matches!(error, TensorError::TooShort { needed: 24, available: 12, .. }));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum TensorError {
    /// The type of the values has no fixed width in whole bytes.
    ElementType { found: DataType },
    /// An array has nulls, which a tensor cannot have.
    Nulls { null_count: usize },
    /// There are more dimensions than this library supports.
    TooManyDimensions { found: usize, limit: usize },
    /// The size of a dimension, or a stride, is too large for the format.
    NumberRange { what: &'static str, found: u64 },
    /// The elements have more than 2⁶³ − 1 bytes.
    ShapeOverflow { shape: String },
    /// There are more or fewer strides than dimensions.
    StrideCount { expected: usize, found: usize },
    /// The strides lead to elements past 2⁶⁴ bytes.
    StrideOverflow,
    /// A buffer is too short for the shape, the strides or the number of values.
    TooShort { what: &'static str, needed: u64, available: u64 },
    /// The length of an index buffer is not a multiple of the width of its elements.
    PartOfNumber { what: &'static str, n_bytes: u64, width: u64 },
    /// A sparse tensor has no dimensions, but needs at least one.
    NoDimensions,
    /// The index has compressed rows or columns, but the tensor is not a matrix.
    NoMatrix { n_dims: usize },
    /// The index has the wrong number of buffers.
    IndexBufferCount { what: &'static str, expected: usize, found: usize },
    /// The axis order of compressed fibres does not list each dimension once.
    AxisOrder { found: Vec<i64>, n_dims: usize },
    /// In the last level of compressed fibres, the number of nodes differs from the number of values.
    LeafCount { found: u64, non_zero_length: u64 },
    /// A coordinate is negative, or outside its dimension.
    Coordinate { position: u64, dim: usize, found: i128, size: u64 },
    /// The coordinates are declared sorted and unique, but are not.
    NotCanonical { position: u64 },
    /// The pointers of an index decrease, do not begin at 0, or do not end at the number of nodes in the next level.
    Pointer { level: usize, position: u64, found: i128, min: u64, max: u64 },
    /// An invariant of this library does not hold. Please report it.
    Internal { what: &'static str },
    /// A copy needs more bytes than the caller allows.
    TooLarge { requested: u128, limit: u64 },
    /// The system refuses to allocate memory for a copy.
    OutOfMemory { requested: u64 },
}

impl TensorError {
    /// The error for a broken invariant of this crate.
    pub(crate) const fn internal(what: &'static str) -> TensorError {
        TensorError::Internal { what }
    }
}

impl fmt::Display for TensorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TensorError::ElementType { found } => {
                write!(f, "tensor elements need a fixed width in whole bytes; {found} has none")
            }
            TensorError::Nulls { null_count } => {
                write!(f, "{null_count} values are null; a tensor has no nulls")
            }
            TensorError::TooManyDimensions { found, limit } => {
                write!(f, "the tensor has {found} dimensions or strides; at most {limit} are supported")
            }
            TensorError::NumberRange { what, found } => write!(f, "{what} is {found}, more than 2⁶³ − 1"),
            TensorError::ShapeOverflow { shape } => {
                write!(f, "a tensor of the shape {shape} has more than 2⁶³ − 1 bytes")
            }
            TensorError::StrideCount { expected, found } => {
                write!(f, "the tensor has {found} strides for {expected} dimensions")
            }
            TensorError::StrideOverflow => f.write_str("the strides reach beyond 2⁶⁴ bytes"),
            TensorError::TooShort { what, needed, available } => {
                write!(f, "{what} needs {needed} bytes and has {available}")
            }
            TensorError::PartOfNumber { what, n_bytes, width } => {
                write!(f, "{what} has {n_bytes} bytes, not a multiple of {width}")
            }
            TensorError::NoDimensions => f.write_str("a sparse tensor needs at least one dimension"),
            TensorError::NoMatrix { n_dims } => {
                write!(f, "compressed rows and columns need 2 dimensions; the tensor has {n_dims}")
            }
            TensorError::IndexBufferCount { what, expected, found } => {
                write!(f, "the index needs {expected} {what}; there are {found}")
            }
            TensorError::AxisOrder { found, n_dims } => {
                write!(
                    f,
                    "the axis order is {found:?}; it needs each of the {n_dims} axes once, counted from 0"
                )
            }
            TensorError::LeafCount { found, non_zero_length } => {
                write!(
                    f,
                    "the last level of the index has {found} nodes; the tensor has {non_zero_length} values"
                )
            }
            TensorError::Coordinate { position, dim, found, size } => write!(
                f,
                "coordinate {position} of dimension {dim} is {found}; the size of the dimension is {size}"
            ),
            TensorError::NotCanonical { position } => write!(
                f,
                "the coordinates of value {position} are not greater than the preceding ones; the index claims to be canonical"
            ),
            TensorError::Pointer { level, position, found, min, max } => {
                write!(f, "pointer {position} of level {level} is {found}; allowed: {min} to {max}")
            }
            TensorError::Internal { what } => write!(f, "internal error: {what}; please report it"),
            TensorError::TooLarge { requested, limit } => {
                write!(f, "the elements take {requested} bytes; the limit is {limit}")
            }
            TensorError::OutOfMemory { requested } => {
                write!(f, "the system cannot provide {requested} bytes of memory for elements")
            }
        }
    }
}

impl std::error::Error for TensorError {}

impl TensorError {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            TensorError::TooManyDimensions { .. } | TensorError::TooLarge { .. } => ErrorClass::LimitExceeded,
            TensorError::OutOfMemory { .. } => ErrorClass::OutOfMemory,
            TensorError::Internal { .. } => ErrorClass::Internal,
            TensorError::ElementType { .. }
            | TensorError::Nulls { .. }
            | TensorError::NumberRange { .. }
            | TensorError::ShapeOverflow { .. }
            | TensorError::StrideCount { .. }
            | TensorError::StrideOverflow
            | TensorError::TooShort { .. }
            | TensorError::PartOfNumber { .. }
            | TensorError::NoDimensions
            | TensorError::NoMatrix { .. }
            | TensorError::IndexBufferCount { .. }
            | TensorError::AxisOrder { .. }
            | TensorError::LeafCount { .. }
            | TensorError::Coordinate { .. }
            | TensorError::NotCanonical { .. }
            | TensorError::Pointer { .. } => ErrorClass::Malformed,
        }
    }
}

impl From<TensorError> for IpcError {
    fn from(error: TensorError) -> IpcError {
        let class = error.class();
        IpcErrorKind::Other { what: "malformed tensor", class, error: Box::new(error) }.into()
    }
}

arrow_error::debug_as_display!(TensorError);
