//! Tensors: arrays of several dimensions, dense ([`Tensor`]) or sparse ([`SparseTensor`]). Each tensor has its own
//! message. See `Tensor.fbs` and `SparseTensor.fbs` in the specification.
//!
//! [`TensorReader`](crate::TensorReader) and [`TensorWriter`](crate::TensorWriter) read and write tensor messages
//! without a stream. A stream may also contain tensors between its batches.

mod any;
mod byte_order;
mod dense;
mod dim;
mod elements;
mod encode;
mod header;
mod index;
mod indices;
mod sparse;
mod sparse_header;
mod strided;
mod visit;

pub use self::{
    any::{AnyTensor, AnyTensorHeader, TensorRef, TensorWithMetadata},
    dense::Tensor,
    dim::TensorDim,
    elements::Elements,
    header::TensorHeader,
    index::{CompressedAxis, SparseTensorIndex},
    indices::Indices,
    sparse::{SparseTensor, SparseTensorParts},
    sparse_header::SparseTensorHeader,
};

pub(crate) use crate::error::TensorError;

pub(crate) use self::encode::encode_message;
