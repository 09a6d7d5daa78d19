//! Encodes a schema with its dictionary ids as a flatbuffer. The depth of the types has been checked.

use std::fmt;

use arrow_buffer::BufferMut;
use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{FieldPath, Metadata, Schema};

use super::metadata::{check_fits, n_metadata_bytes};
use crate::{
    error::{Context, IpcError, IpcErrorKind, Result},
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

/// Checks that no type is nested deeper than the default limit of readers.
///
/// # Errors
/// If a type is nested deeper. The error names the top-level field.
pub(crate) fn check_depth(schema: &Schema) -> Result<()> {
    let limit = Limits::default().max_depth;
    match schema.fields().iter().enumerate().find(|(_, field)| field.data_type().depth() > limit) {
        None => Ok(()),
        Some((position, field)) => Err(IpcError::from(IpcErrorKind::TooDeep { limit })).in_field(|| {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            FieldPath::root().child(position, field.to_shared_name())
        }),
    }
}

/// A schema as bytes inside a flatbuffer, written from start to end. The first message and the footer of a file share it.
///
/// | what | |
/// |---|---|
/// | schema | its vtable, then its table |
/// | fields | the list of fields; for each its table, its name, and the list of its children |
/// | shared | vtables, types and an empty list of children, which several fields refer to; then metadata |
///
/// References only lead forward, except those to vtables. Vtables come after all references to their tables, since some
/// readers do not accept a table before a reference to it. No reference leads out of these bytes.
pub(crate) struct SchemaPart {
    /// The bytes. Values of eight bytes are aligned if the position of these bytes is a multiple of eight plus [`PART_START`].
    bytes: Vec<u8>,
    table: usize,
    /// The sum of the lengths of all names and metadata.
    n_text_bytes: u64,
}

impl fmt::Debug for SchemaPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchemaPart").field("n_bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// The remainder of the position of a [`SchemaPart`] after division by eight. Messages and footers put the right number
/// of bytes before it.
const PART_START: usize = 4;

impl SchemaPart {
    /// # Errors
    /// If names and metadata, or fields, exceed what a flatbuffer can hold. An internal error if there are more
    /// dictionaries than ids, which `IpcSchema` excludes.
    pub(crate) fn try_new(schema: &IpcSchema) -> Result<SchemaPart> {
        let lengths = FieldLengths::of(schema.schema().fields());
        let (is_big, has_metadata, has_features) = (
            schema.endianness() == Endianness::Big,
            !schema.schema().metadata().is_empty(),
            !schema.features().is_empty(),
        );
        // The default of the format is little-endian, so nothing is written for it.
        let layout = TableLayout::of([
            2 * u16::from(is_big),
            4,
            4 * u16::from(has_metadata),
            4 * u16::from(has_features),
        ]);
        let n_metadata_bytes = n_metadata_bytes(schema.schema().metadata());
        let n_text_bytes = lengths.n_text_bytes.saturating_add(n_metadata_bytes);
        let n_bytes = (layout.n_bytes() as u64).saturating_add(lengths.n_field_bytes);
        check_fits("bytes of metadata", n_bytes.max(n_text_bytes))?;
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
            put(bytes, table + layout.place(0), (fb::Endianness::Big as i16).to_le_bytes());
        }
        for (part, at) in [(1, Some(fields)), (2, metadata), (3, features)] {
            put_reference(bytes, table + layout.place(part), at);
        }
        let shared = shared.finish();
        part.reserve_exact(shared.len());
        part.extend_from_slice(&shared);
        Ok(SchemaPart { bytes: part, table: table - PART_START, n_text_bytes })
    }

    /// The sum of the lengths of all names and metadata of the schema.
    pub(crate) fn n_text_bytes(&self) -> u64 {
        self.n_text_bytes
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[PART_START..]
    }
}

/// A flatbuffer with a schema. It begins with the table of a message or footer, which has a fixed length; the schema
/// and the lists to which this table refers follow.
pub(crate) struct SchemaFlatbuffer<'a> {
    schema: &'a SchemaPart,
    n_front_bytes: usize,
    lists: SharedParts,
}

impl<'a> SchemaFlatbuffer<'a> {
    /// A flatbuffer whose first table takes `n_front_bytes`, the length of the result of
    /// [`front`](SchemaFlatbuffer::front).
    pub(crate) fn new(schema: &'a SchemaPart, n_front_bytes: usize) -> SchemaFlatbuffer<'a> {
        let lists = SharedParts::starting_at(n_front_bytes + schema.as_slice().len());
        SchemaFlatbuffer { schema, n_front_bytes, lists }
    }

    /// Encodes the start of a flatbuffer: a reference to a table with this layout, the vtable, and an empty table.
    /// Returns the position of the table. The schema can follow directly.
    pub(crate) fn front<const N: usize>(layout: &TableLayout<N>) -> (Vec<u8>, usize) {
        let mut front = vec![0; ROOT_BYTES + layout.n_bytes()];
        debug_assert_eq!(front.len() % 8, PART_START, "the part would not be aligned");
        let table = layout.put_table(&mut front, ROOT_BYTES);
        put_reference(&mut front, 0, Some(table));
        (front, table)
    }

    /// The position that the table of the schema will have.
    pub(crate) fn table(&self) -> usize {
        self.n_front_bytes + self.schema.table
    }

    /// Adds custom metadata, and returns the position that it will have; `None` without pairs.
    pub(crate) fn add_metadata(&mut self, metadata: &Metadata) -> Option<usize> {
        self.lists.metadata(metadata)
    }

    /// Adds a list of blocks, and returns the position that it will have.
    pub(crate) fn add_blocks(&mut self, blocks: &[[u8; 24]]) -> usize {
        self.lists.blocks(blocks)
    }

    /// Appends the whole flatbuffer.
    pub(crate) fn write(self, front: &[u8], to: &mut BufferMut) {
        let lists = self.lists.finish();
        to.reserve(front.len() + self.schema.as_slice().len() + lists.len());
        for part in [front, self.schema.as_slice(), &lists] {
            to.extend_from_slice(part);
        }
    }
}
