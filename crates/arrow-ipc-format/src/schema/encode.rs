//! Encodes a schema with its dictionary ids as a flatbuffer. The caller checks the number of fields and the depth of the
//! types with `check_readable`.

use std::fmt;

use crate::tables as fb;
use arrow_buffer::BufferMut;
use arrow_schema::{FieldPath, Metadata, Schema};

use super::metadata::{check_fits, n_metadata_bytes};
use crate::{
    error::{FormatError, FormatErrorKind, Result},
    flatbuffer::{ROOT_BYTES, TableLayout, put, put_reference},
    limits::Limits,
    protocol::Endianness,
    schema::IpcSchema,
};

mod fields;
mod shared;
#[cfg(test)]
mod tests;

use self::{
    fields::{FieldLengths, FieldWriter},
    shared::SharedParts,
};

/// Checks that there are at most `max_fields` fields, and that no type is nested deeper than readers accept.
///
/// # Errors
/// If there are more fields, or a type is nested deeper. The error names the top-level column of this type.
pub fn check_readable(schema: &Schema, max_fields: u64) -> Result<()> {
    /// Each field takes at least 24 bytes, so metadata cannot hold more. Types may share their fields, so that a small
    /// schema may have too many to be counted.
    const MAX_FIELDS: u64 = Limits::DEFAULT_METADATA_BYTES / 24;
    let limit = Limits::MAX_DEPTH;
    let max_fields = max_fields.min(MAX_FIELDS);
    let n_fields = (0..=max_fields).zip(schema.fields_in_pre_order()).count() as u64;
    if n_fields > max_fields {
        return Err(FormatErrorKind::TooManyFields { found: None, limit: max_fields }.into());
    }
    if let Some((position, field)) =
        schema.fields().iter().enumerate().find(|(_, field)| field.data_type().depth() > limit)
    {
        return Err(FormatError::from(FormatErrorKind::TooDeep { limit }).in_field(&|| {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            FieldPath::root().child(position, field.to_shared_name())
        }));
    }
    Ok(())
}

/// The bytes of a schema for a flatbuffer. The schema message and the footer of a file both contain these bytes.
///
/// | what | |
/// |---|---|
/// | schema | vtable and table of the schema |
/// | fields | the list of fields; for each field its table, its name and its list of children |
/// | shared | vtables, types and an empty list of children, which fields share; then metadata |
///
/// References lead forward, except those to vtables. A vtable comes after all references to its tables, since some
/// readers refuse a vtable that precedes such a reference. No reference leads out of these bytes.
pub struct SchemaPart {
    /// In a flatbuffer, the bytes must begin at a multiple of eight plus [`PART_START`], so that values of eight bytes
    /// are aligned.
    bytes: Vec<u8>,
    table: usize,
    /// The length of all names and metadata.
    n_text_bytes: u64,
}

impl fmt::Debug for SchemaPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchemaPart").field("n_bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// The position of a [`SchemaPart`] in a flatbuffer, modulo eight.
const PART_START: usize = 4;

impl SchemaPart {
    /// # Errors
    /// If names and metadata, or fields, exceed what a flatbuffer can hold. An internal error if there are more
    /// dictionaries than ids, which `IpcSchema` excludes.
    pub fn try_new(schema: &IpcSchema) -> Result<SchemaPart> {
        let lengths = FieldLengths::from_fields(schema.schema().fields());
        let is_big = schema.endianness() == Endianness::Big;
        let has_metadata = !schema.schema().metadata().is_empty();
        let has_features = !schema.features().is_empty();
        // Little-endian is the default of the format, so it is not written.
        let layout = TableLayout::new([
            2 * u16::from(is_big),
            4,
            4 * u16::from(has_metadata),
            4 * u16::from(has_features),
        ]);
        let n_metadata_bytes = n_metadata_bytes(schema.schema().metadata());
        let n_text_bytes = lengths.n_text_bytes.saturating_add(n_metadata_bytes);
        let n_bytes = (layout.n_bytes() as u64).saturating_add(lengths.n_field_bytes);
        check_fits(n_bytes.max(n_text_bytes))?;
        // The length fits: it is less than 2 GiB.
        let mut shared = SharedParts::starting_at(PART_START + n_bytes as usize);
        let metadata = shared.metadata(schema.schema().metadata());
        let features = shared.features(schema.features());
        let mut part = Vec::with_capacity(shared.start() + shared.n_likely_bytes());
        part.resize(shared.start(), 0);
        let bytes = part.as_mut_slice();
        let table = layout.put_table(bytes, PART_START);
        let mut fields =
            FieldWriter::new(bytes, table + layout.n_table_bytes(), &mut shared, schema.dictionary_ids());
        let fields = fields.list(schema.schema().fields())?;
        if is_big {
            put(
                bytes,
                table + layout.offset_of(fb::Schema::ENDIANNESS.index),
                (fb::Endianness::Big as i16).to_le_bytes(),
            );
        }
        for (slot, at) in [
            (fb::Schema::FIELDS, Some(fields)),
            (fb::Schema::CUSTOM_METADATA, metadata),
            (fb::Schema::FEATURES, features),
        ] {
            put_reference(bytes, table + layout.offset_of(slot.index), at);
        }
        let shared = shared.finish();
        part.reserve_exact(shared.len());
        part.extend_from_slice(&shared);
        Ok(SchemaPart { bytes: part, table: table - PART_START, n_text_bytes })
    }

    /// The length of all names and metadata.
    pub fn n_text_bytes(&self) -> u64 {
        self.n_text_bytes
    }

    /// The length of the part in a flatbuffer.
    pub fn n_bytes(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[PART_START..]
    }
}

/// A flatbuffer with a schema, after the table of a message or footer. Lists that this table refers to come last.
pub struct SchemaFlatbuffer<'a> {
    schema: &'a SchemaPart,
    n_front_bytes: usize,
    lists: SharedParts,
}

impl<'a> SchemaFlatbuffer<'a> {
    /// `n_front_bytes` is the length of the bytes that [`front`](SchemaFlatbuffer::front) returns.
    pub fn new(schema: &'a SchemaPart, n_front_bytes: usize) -> SchemaFlatbuffer<'a> {
        let lists = SharedParts::starting_at(n_front_bytes + schema.as_slice().len());
        SchemaFlatbuffer { schema, n_front_bytes, lists }
    }

    /// The start of a flatbuffer: a reference to the root table, its vtable, and the table with this layout and without
    /// values. Also returns the position of the table. The schema follows directly.
    pub fn front<const N: usize>(layout: &TableLayout<N>) -> (Vec<u8>, usize) {
        let mut front = vec![0; ROOT_BYTES + layout.n_bytes()];
        debug_assert_eq!(front.len() % 8, PART_START, "the part would not be aligned");
        let table = layout.put_table(&mut front, ROOT_BYTES);
        put_reference(&mut front, 0, Some(table));
        (front, table)
    }

    /// The position of the schema's table in the flatbuffer.
    pub fn table(&self) -> usize {
        self.n_front_bytes + self.schema.table
    }

    /// Adds custom metadata. Returns its position in the flatbuffer; `None` without pairs.
    pub fn add_metadata(&mut self, metadata: &Metadata) -> Option<usize> {
        self.lists.metadata(metadata)
    }

    /// Adds the blocks of a footer. Returns the position of the list in the flatbuffer.
    pub fn add_blocks(&mut self, blocks: &[[u8; 24]]) -> usize {
        self.lists.blocks(blocks)
    }

    /// Appends the finished flatbuffer to `to`.
    pub fn write(self, front: &[u8], to: &mut BufferMut) {
        let lists = self.lists.finish();
        to.reserve(front.len() + self.schema.as_slice().len() + lists.len());
        for part in [front, self.schema.as_slice(), &lists] {
            to.extend_from_slice(part);
        }
    }
}

/// Encodes the list of a `custom_metadata`, with the tables and texts that it refers to. The list is at position
/// `start` of a flatbuffer, a multiple of four.
pub(crate) fn metadata_list(start: usize, metadata: &Metadata) -> Vec<u8> {
    let mut parts = SharedParts::starting_at(start);
    parts.metadata(metadata);
    parts.finish()
}
