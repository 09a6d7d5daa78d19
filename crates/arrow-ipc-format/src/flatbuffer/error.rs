//! Errors in the flatbuffers of metadata and footers.

use std::fmt;

use super::Slot;

/// An error in the flatbuffer of a message or footer: which table or field breaks the flatbuffer schema of the format,
/// where it is, and why.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FlatbufferError {
    part: Part,
    position: usize,
    cause: FlatbufferCause,
}

/// The part of a flatbuffer that an error is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The table of this name with which the flatbuffer begins.
    Root(&'static str),
    Field(&'static Slot),
    /// An item of a vector of tables of this name.
    Item(&'static str),
}

/// The reason why a table or field of metadata cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlatbufferCause {
    /// An offset points outside the metadata.
    Offset,
    /// A vector, string or vtable is longer than the rest of the metadata.
    Length,
    /// A table's vtable has an odd number of bytes, or fewer than 4.
    Vtable {
        /// The length that the vtable declares.
        n_bytes: u16,
    },
    /// A required field is absent.
    Absent,
    /// A union has a tag, but no value.
    UnionWithoutValue,
    /// An enumeration has no member with this number. A newer version of the format may have one.
    Enumeration {
        /// The number that was found.
        found: i64,
    },
    /// A union has no member with this tag. A newer version of the format may have one.
    Union {
        /// The tag that was found.
        tag: u8,
    },
}

impl FlatbufferError {
    #[cold]
    pub(super) fn in_root(table: &'static str, cause: FlatbufferCause) -> FlatbufferError {
        FlatbufferError { part: Part::Root(table), position: 0, cause }
    }

    #[cold]
    pub(super) fn in_field(slot: &'static Slot, position: usize, cause: FlatbufferCause) -> FlatbufferError {
        FlatbufferError { part: Part::Field(slot), position, cause }
    }

    #[cold]
    pub(super) fn in_item(table: &'static str, position: usize, cause: FlatbufferCause) -> FlatbufferError {
        FlatbufferError { part: Part::Item(table), position, cause }
    }

    /// The name in the flatbuffer schema of the format, for example `Message`.
    pub fn table(&self) -> &'static str {
        match self.part {
            Part::Root(table) | Part::Item(table) => table,
            Part::Field(slot) => slot.table,
        }
    }

    /// The name in the flatbuffer schema of the format; `None` if the table as a whole is malformed.
    pub fn field(&self) -> Option<&'static str> {
        match self.part {
            Part::Field(slot) => Some(slot.field),
            Part::Root(_) | Part::Item(_) => None,
        }
    }

    /// The offset in bytes of the table, or of the vector item, from the start of the metadata.
    pub fn byte_offset(&self) -> u64 {
        self.position as u64
    }

    /// The reason why the table or field cannot be read.
    pub fn cause(&self) -> FlatbufferCause {
        self.cause
    }
}

impl fmt::Display for FlatbufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FlatbufferError { part, position, cause } = self;
        match part {
            Part::Root(table) => write!(f, "the root table {table} {cause}"),
            Part::Field(Slot { table, field, .. }) => {
                write!(f, "`{field}` of the {table} at byte {position} of the metadata {cause}")
            }
            Part::Item(table) => {
                write!(f, "the {table} listed at byte {position} of the metadata {cause}")
            }
        }
    }
}

impl fmt::Debug for FlatbufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for FlatbufferError {}

impl fmt::Display for FlatbufferCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlatbufferCause::Offset => f.write_str("has an offset outside of the metadata"),
            FlatbufferCause::Length => f.write_str("has a length past the end of the metadata"),
            FlatbufferCause::Vtable { n_bytes } => {
                write!(f, "has a vtable of {n_bytes} bytes; its length must be even and at least 4")
            }
            FlatbufferCause::Absent => f.write_str("is absent"),
            FlatbufferCause::UnionWithoutValue => f.write_str("has a tag, but no value"),
            FlatbufferCause::Enumeration { found } => write!(f, "has the unknown value {found}"),
            FlatbufferCause::Union { tag } => write!(f, "has the unknown tag {tag}"),
        }
    }
}
