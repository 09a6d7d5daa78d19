//! Adds the location to an error. Each layer adds what it has: message, block, field or buffer.

use arrow_data::Role;
use arrow_ipc_format::Message;
use arrow_schema::FieldPath;

use super::{BlockIndex, FooterPart, IpcError, Result};

/// Adds message, block, field or buffer to the location of an error. Does not change the parts that an inner layer has
/// set.
pub trait Context<T> {
    /// Adds the index of the buffer in the message, and its role.
    ///
    /// # Errors
    /// The error of `self`.
    fn in_buffer(self, buffer_idx: usize, role: Option<Role>) -> Result<T>;

    /// Adds the field.
    ///
    /// # Errors
    /// The error of `self`.
    fn in_field(self, path: impl Fn() -> FieldPath) -> Result<T>;

    /// Adds the message and the position of its first byte.
    ///
    /// # Errors
    /// The error of `self`.
    fn in_message(self, index: u64, byte_offset: u64) -> Result<T>;

    /// Adds the index and the position of the message, if it has a [location](Message::location).
    ///
    /// # Errors
    /// The error of `self`.
    fn at_message(self, message: &Message) -> Result<T>;

    /// Adds the block and its position.
    ///
    /// # Errors
    /// The error of `self`.
    fn in_block(self, block: BlockIndex, byte_offset: u64) -> Result<T>;

    /// Adds the position.
    ///
    /// # Errors
    /// The error of `self`.
    fn at_byte(self, byte_offset: u64) -> Result<T>;
}

// Only the path without an error is inlined, so that large values are not moved. Paths with an error are functions,
// shared by all types.
impl<T, E: Into<IpcError>> Context<T> for std::result::Result<T, E> {
    #[inline(always)]
    fn in_buffer(self, buffer_idx: usize, role: Option<Role>) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into().with_buffer(buffer_idx, role)),
        }
    }

    #[inline(always)]
    fn in_field(self, path: impl Fn() -> FieldPath) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into().with_field(&path)),
        }
    }

    #[inline(always)]
    fn in_message(self, index: u64, byte_offset: u64) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into().in_message(index, byte_offset)),
        }
    }

    #[inline(always)]
    fn at_message(self, message: &Message) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into().at_message(message)),
        }
    }

    #[inline(always)]
    fn in_block(self, block: BlockIndex, byte_offset: u64) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into().with_block(block, byte_offset)),
        }
    }

    #[inline(always)]
    fn at_byte(self, byte_offset: u64) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into().at_byte(byte_offset)),
        }
    }
}

impl IpcError {
    /// Replaces the block in the location by a message. A batch of a stream may be decoded like a block of a file.
    #[cfg(feature = "file")]
    #[cold]
    pub(crate) fn with_message(mut self, index: u64, byte_offset: u64) -> IpcError {
        let at = &mut self.0.at;
        if at.block.take().is_some() || at.message.is_none() {
            at.message = Some(index);
            at.byte_offset = Some(byte_offset);
        }
        self
    }

    #[cold]
    #[inline(never)]
    fn with_buffer(mut self, buffer_idx: usize, role: Option<Role>) -> IpcError {
        self.0.at.buffer.get_or_insert((buffer_idx as u64, role));
        self
    }

    #[cold]
    #[inline(never)]
    fn with_field(mut self, path: &dyn Fn() -> FieldPath) -> IpcError {
        if self.0.at.field.is_none() {
            self.0.at.field = Some(self.0.kind.prefix_path(path()));
        }
        self
    }

    /// Adds the message and its position to the location, unless it has them.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn in_message(mut self, index: u64, byte_offset: u64) -> IpcError {
        self.0.at.message.get_or_insert(index);
        self.at_byte(byte_offset)
    }

    #[cold]
    #[inline(never)]
    fn at_message(self, message: &Message) -> IpcError {
        match message.location() {
            Some((index, byte_offset)) => self.in_message(index, byte_offset),
            None => self,
        }
    }

    /// Adds the index of a message to the location, unless it has one.
    #[cold]
    pub(crate) fn with_message_index(mut self, index: u64) -> IpcError {
        self.0.at.message.get_or_insert(index);
        self
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn with_block(mut self, block: BlockIndex, byte_offset: u64) -> IpcError {
        // An error of a dictionary that the batch needs already has the block of the dictionary.
        if self.0.at.block.is_some() {
            return self;
        }
        self.0.at.block = Some(block);
        self.at_byte(byte_offset)
    }

    /// Adds the part of the footer to the location, unless it has one.
    #[cold]
    #[must_use]
    pub fn in_footer_part(mut self, part: FooterPart) -> IpcError {
        self.0.at.footer_part.get_or_insert(part);
        self
    }

    /// Adds the position to the location, unless it has one.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn at_byte(mut self, byte_offset: u64) -> IpcError {
        self.0.at.byte_offset.get_or_insert(byte_offset);
        self
    }
}
