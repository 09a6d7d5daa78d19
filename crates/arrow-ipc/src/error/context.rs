//! Adds positions to an error. Each layer adds what it knows.

use arrow_data::Role;
use arrow_schema::FieldPath;

use super::{BlockIndex, Inner, IpcError, IpcErrorKind, Location, Result};

/// Adds what the current layer knows. It never overwrites what an inner layer has set.
pub(crate) trait Context<T> {
    fn in_buffer(self, buffer_idx: usize, role: Option<Role>) -> Result<T>;
    fn in_field(self, path: impl FnOnce() -> FieldPath) -> Result<T>;
    fn in_message(self, index: u64, byte_offset: u64) -> Result<T>;
    fn in_block(self, block: BlockIndex, byte_offset: u64) -> Result<T>;
    fn at_byte(self, byte_offset: u64) -> Result<T>;
}

// The good path is inlined, so that large values are not moved; the rest is kept out of line.
impl<T, E: Into<IpcError>> Context<T> for std::result::Result<T, E> {
    #[inline(always)]
    fn in_buffer(self, buffer_idx: usize, role: Option<Role>) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(add(error.into(), |at, _| {
                at.buffer.get_or_insert((buffer_idx as u64, role));
            })),
        }
    }

    #[inline(always)]
    fn in_field(self, path: impl FnOnce() -> FieldPath) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(add(error.into(), |at, kind| {
                if at.field.is_none() {
                    at.field = Some(kind.prefix_path(path()));
                }
            })),
        }
    }

    #[inline(always)]
    fn in_message(self, index: u64, byte_offset: u64) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(add(error.into(), |at, _| {
                at.message.get_or_insert(index);
                at.byte_offset.get_or_insert(byte_offset);
            })),
        }
    }

    #[inline(always)]
    fn in_block(self, block: BlockIndex, byte_offset: u64) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(add(error.into(), |at, _| {
                // A dictionary that a batch needs has said where it is.
                if at.block.is_none() {
                    at.block = Some(block);
                    at.byte_offset.get_or_insert(byte_offset);
                }
            })),
        }
    }

    #[inline(always)]
    fn at_byte(self, byte_offset: u64) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(add(error.into(), |at, _| {
                at.byte_offset.get_or_insert(byte_offset);
            })),
        }
    }
}

impl IpcError {
    /// Adds the position of a batch that was read as a block, but is this message of a stream.
    #[cold]
    pub(crate) fn of_message(self, index: u64, byte_offset: u64) -> IpcError {
        add(self, |at, _| {
            if at.block.take().is_some() || at.message.is_none() {
                (at.message, at.byte_offset) = (Some(index), Some(byte_offset));
            }
        })
    }
}

#[cold]
#[inline(never)]
fn add(mut error: IpcError, what: impl FnOnce(&mut Location, &mut IpcErrorKind)) -> IpcError {
    let Inner { at, kind } = &mut *error.0;
    what(at, kind);
    error
}
