//! Replaces the module `tensor` if the feature of this name is off. No tensor exists, and reading one is an error.

use arrow_buffer::Buffer;

use crate::{
    error::{IpcErrorKind, Result, Unsupported, WireResult},
    limits::{Budget, Limits},
};

pub(crate) use self::NoTensor as AnyTensor;
pub(crate) use self::NoTensor as TensorHeader;
pub(crate) use self::NoTensor as SparseTensorHeader;

/// A tensor, or its header. It has no values without the feature `tensor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTensor {}

impl NoTensor {
    /// Takes the reference to a header, and does not follow it.
    #[cold]
    pub(crate) fn parse(_: u32, _: u64, _: &Limits, _: Budget) -> WireResult<NoTensor> {
        Err(IpcErrorKind::Unsupported { what: Unsupported::NO_TENSORS }.into())
    }

    pub(crate) fn read(&self, _: &Buffer) -> Result<NoTensor> {
        match *self {}
    }

    pub(crate) fn to_other_byte_order(&self) -> Result<NoTensor> {
        match *self {}
    }

    pub(crate) fn validate(&self) -> Result<()> {
        match *self {}
    }
}
