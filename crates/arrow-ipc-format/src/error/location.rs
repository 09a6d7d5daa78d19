//! The location of an error in a stream or file.

use std::fmt;

use arrow_data::Role;
use arrow_schema::FieldPath;

/// A block in the footer of a file: which list has the block, and its index in this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockIndex {
    /// An index in the list of dictionary batches.
    Dictionary(usize),
    /// An index in the list of record batches.
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

/// A part of the footer of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FooterPart {
    /// The metadata version.
    Version,
    /// The custom metadata of the footer itself.
    Metadata,
    /// The schema.
    Schema,
    /// The list of the blocks of dictionary batches.
    Dictionaries,
    /// The list of the blocks of record batches.
    Batches,
}

impl fmt::Display for FooterPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FooterPart::Version => "version of the footer",
            FooterPart::Metadata => "custom metadata of the footer",
            FooterPart::Schema => "schema of the footer",
            FooterPart::Dictionaries => "dictionary batches of the footer",
            FooterPart::Batches => "record batches of the footer",
        })
    }
}

/// The location of an error in a stream or file. A part that is not known is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The index of the message, from 0 at the start of the stream. `None` if the message was read through the footer of
    /// a file: then `block` has the index.
    pub message: Option<u64>,
    /// The block, if the message was read through the footer of a file.
    pub block: Option<BlockIndex>,
    /// The position of the first byte of the message or block, from the start of the stream or file.
    pub byte_offset: Option<u64>,
    /// The part of the footer.
    pub footer_part: Option<FooterPart>,
    /// The path of the field, beginning at a top-level field.
    pub field: Option<FieldPath>,
    /// The index in the message's list of buffers, and the role of the buffer.
    pub buffer: Option<(u64, Option<Role>)>,
}

impl Location {
    /// The location together with the role of a buffer and a slot, which replace those of the location.
    pub fn with_slot(&self, role: Option<Role>, slot: Option<u64>) -> impl fmt::Display {
        SlotLocation { at: self, role, slot }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_slot(None, None).fmt(f)
    }
}

/// A location with a slot, shown in one order: message or block, byte, field, buffer, slot.
#[derive(Debug, Clone, Copy)]
struct SlotLocation<'a> {
    at: &'a Location,
    role: Option<Role>,
    slot: Option<u64>,
}

impl fmt::Display for SlotLocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location { message, block, byte_offset, footer_part, field, buffer } = self.at;
        let mut parts = SeparatedParts { f, separator: "" };
        match (message, block) {
            (Some(message), _) => parts.add(format_args!("message {message}"))?,
            (None, Some(block)) => parts.add(format_args!("{block}"))?,
            (None, None) => {}
        }
        if let Some(byte_offset) = byte_offset {
            if !parts.separator.is_empty() {
                parts.separator = " ";
            }
            parts.add(format_args!("at byte {byte_offset}"))?;
        }
        if let Some(part) = footer_part {
            parts.add(format_args!("{part}"))?;
        }
        if let Some(field) = field
            && !field.is_root()
        {
            parts.add(format_args!("field `{field}`"))?;
        }
        let buffer_idx = buffer.map(|(buffer_idx, _)| buffer_idx);
        match (buffer_idx, self.role.or(buffer.and_then(|(_, role)| role))) {
            (Some(buffer_idx), None) => parts.add(format_args!("buffer {buffer_idx}"))?,
            (Some(buffer_idx), Some(role)) => parts.add(format_args!("buffer {buffer_idx} ({role})"))?,
            (None, Some(role)) => parts.add(format_args!("{role}"))?,
            (None, None) => {}
        }
        match self.slot {
            Some(slot) => parts.add(format_args!("slot {slot}")),
            None => Ok(()),
        }
    }
}

/// Writes the known parts of a location, with separators between them.
struct SeparatedParts<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    separator: &'static str,
}

impl SeparatedParts<'_, '_> {
    fn add(&mut self, part: fmt::Arguments<'_>) -> fmt::Result {
        write!(self.f, "{}{part}", self.separator)?;
        self.separator = ", ";
        Ok(())
    }
}
