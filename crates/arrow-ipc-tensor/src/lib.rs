//! Tensors: arrays of several dimensions, dense ([`Tensor`]) or sparse ([`SparseTensor`]). Each tensor has its own
//! message. See `Tensor.fbs` and `SparseTensor.fbs` in the specification.
//!
//! - [`TensorReader`] and [`TensorWriter`] read and write tensor messages without a stream. [`TensorEncoder`] does no I/O.
//! - A stream may also contain tensors between its batches: [`WriteTensor`] and [`EncodeTensor`] write them. A reader of
//!   streams hands out [`Step::Tensor`](arrow_ipc::Step::Tensor), whose message [`AnyTensor::try_from_message`] reads.
//! - [`AnyTensorHeader`] is what is known of a tensor without its body.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod any;
mod dense;
mod dim;
mod elements;
mod encode;
mod error;
mod header;
mod index;
mod indices;
mod reader;
mod sparse;
mod sparse_header;
mod strided;
mod visit;
mod writer;

pub use crate::{
    any::{AnyTensor, AnyTensorHeader, TensorRef, TensorWithMetadata},
    dense::Tensor,
    dim::TensorDim,
    elements::Elements,
    error::TensorError,
    header::TensorHeader,
    index::{CompressedAxis, SparseTensorIndex},
    indices::Indices,
    reader::TensorReader,
    sparse::{SparseTensor, SparseTensorParts},
    sparse_header::SparseTensorHeader,
    writer::{EncodeTensor, TensorEncoder, TensorWriter, WriteTensor},
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
