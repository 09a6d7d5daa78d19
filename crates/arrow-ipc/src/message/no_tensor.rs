//! Stands in for the module `tensor` if the feature `tensor` is off. Reading a tensor then fails with an error.

use arrow_buffer::Buffer;

use crate::{
    error::{IpcErrorKind, Result, Unsupported, WireResult},
    limits::{Budget, Limits},
};

pub(crate) use self::NoTensor as AnyTensor;
pub(crate) use self::NoTensor as TensorHeader;
pub(crate) use self::NoTensor as SparseTensorHeader;

/// A type without values: the tensors and headers if the feature `tensor` is off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTensor {}

impl NoTensor {
    /// Fails without reading the header of the tensor.
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
