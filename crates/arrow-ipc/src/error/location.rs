//! Where in a stream or file an error is.

use std::fmt;

use arrow_data::Role;
use arrow_schema::FieldPath;

/// One of the blocks that a footer lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockIndex {
    /// The dictionary batch at this position of the footer's list.
    Dictionary(usize),
    /// The record batch at this position of the footer's list.
    RecordBatch(usize),
}

impl fmt::Display for BlockIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlockIndex::Dictionary(idx) => write!(f, "dictionary batch {idx}"),
            BlockIndex::RecordBatch(idx) => write!(f, "record batch {idx}"),
        }
    }
}

/// Where in a stream or file an error is; every part is filled in by the layer that knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    pub(super) message: Option<u64>,
    pub(super) block: Option<BlockIndex>,
    pub(super) byte_offset: Option<u64>,
    pub(super) field: Option<FieldPath>,
    pub(super) buffer: Option<(u64, Option<Role>)>,
}

impl Location {
    /// The message, counting the first one of the stream as 0. For what is read through the footer of a file, see
    /// [`block`](Location::block).
    pub fn message(&self) -> Option<u64> {
        self.message
    }

    /// The block of a file's footer.
    pub fn block(&self) -> Option<BlockIndex> {
        self.block
    }

    /// The position of that message's first byte in the stream or file.
    pub fn byte_offset(&self) -> Option<u64> {
        self.byte_offset
    }

    /// The field.
    pub fn field(&self) -> Option<&FieldPath> {
        self.field.as_ref()
    }

    /// The position of the buffer in the message's list, and its role.
    pub fn buffer(&self) -> Option<(u64, Option<Role>)> {
        self.buffer
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(message) = self.message {
            write!(f, "message {message}")?;
            separator = " ";
        }
        if let Some(block) = self.block {
            write!(f, "{block}")?;
            separator = " ";
        }
        if let Some(byte_offset) = self.byte_offset {
            write!(f, "{separator}at byte {byte_offset}")?;
            separator = ", ";
        }
        if !separator.is_empty() {
            separator = ", ";
        }
        if let Some(field) = &self.field {
            write!(f, "{separator}field `{field}`")?;
            separator = ", ";
        }
        if let Some((buffer_idx, role)) = self.buffer {
            write!(f, "{separator}buffer {buffer_idx}")?;
            if let Some(role) = role {
                write!(f, " ({role})")?;
            }
        }
        Ok(())
    }
}
