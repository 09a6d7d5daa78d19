//! A schema as a flatbuffer, with its dictionary ids. Walks types as deep as they are: that has been checked.

use arrow_buffer::BufferMut;
use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{Field, FieldPath, Metadata, Schema};

use super::metadata::{check_fits, n_metadata_bytes};
use crate::{
    error::{Context, IpcError, IpcErrorKind, Result},
    flatbuffer::{TableLayout, put, put_reference},
    ipc_schema::IpcSchema,
    limits::Limits,
    protocol::Endianness,
};

mod fields;
#[cfg(test)]
mod oracle;
mod shared;
#[cfg(test)]
mod tests;

use self::{
    fields::{FieldWriter, Lengths},
    shared::Shared,
};

/// Checks that no type nests deeper than readers go, counted as they do.
///
/// # Errors
/// Names the top-level field.
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

/// A flatbuffer with a schema in it, written from its start to its end:
///
/// | what | |
/// |---|---|
/// | front | what is around the schema, of a fixed length: the caller's |
/// | schema | its vtable, then its table |
/// | fields | the list of fields; for each its table, its name, and the list of its children |
/// | shared | what several fields refer to: vtables, types, an empty list of children; then metadata, and the caller's lists |
///
/// References lead forward only, but to vtables, which lie after all references to their tables: some readers see nothing
/// before a reference.
pub(crate) struct SchemaFlatbuffer<'a> {
    schema: &'a IpcSchema,
    n_front_bytes: usize,
    /// Endianness, fields, custom metadata, features.
    layout: TableLayout<4>,
    lengths: Lengths,
    shared: Shared,
}

impl<'a> SchemaFlatbuffer<'a> {
    /// One with a front of so many bytes, a multiple of four.
    ///
    /// # Errors
    /// If names and metadata, or fields, are more than a flatbuffer can hold.
    pub(crate) fn try_new(schema: &'a IpcSchema, n_front_bytes: usize) -> Result<SchemaFlatbuffer<'a>> {
        let lengths = Lengths::of(schema.schema().fields());
        let (is_big, has_metadata, has_features) = (
            schema.endianness() == Endianness::Big,
            !schema.schema().metadata().is_empty(),
            !schema.features().is_empty(),
        );
        // Little-endian is what a schema is that does not say.
        let layout = TableLayout::of([
            2 * u16::from(is_big),
            4,
            4 * u16::from(has_metadata),
            4 * u16::from(has_features),
        ]);
        let n_before = (n_front_bytes as u64).saturating_add(layout.n_bytes() as u64);
        let n_bytes = n_before.saturating_add(lengths.n_field_bytes);
        check_fits("bytes of metadata", n_bytes.max(lengths.n_text_bytes))?;
        // Less than 2 GiB.
        let shared = Shared::starting_at(n_bytes as usize);
        Ok(SchemaFlatbuffer { schema, n_front_bytes, layout, lengths, shared })
    }

    /// The bytes of all names and metadata of the schema.
    pub(crate) fn n_text_bytes(&self) -> u64 {
        self.lengths.n_text_bytes.saturating_add(n_metadata_bytes(self.schema.schema().metadata()))
    }

    /// Where the table of the schema will be.
    pub(crate) fn table(&self) -> usize {
        self.n_front_bytes + self.layout.n_vtable_bytes()
    }

    /// Adds custom metadata of what is around the schema, and tells where it will be; none where there are no pairs.
    pub(crate) fn add_metadata(&mut self, metadata: &Metadata) -> Option<usize> {
        self.shared.metadata(metadata)
    }

    /// Adds a list of blocks, and tells where it will be.
    pub(crate) fn add_blocks(&mut self, blocks: &[fb::Block]) -> usize {
        self.shared.blocks(blocks)
    }

    /// Appends all of it.
    ///
    /// # Errors
    /// An internal error if there are more dictionaries than ids: `IpcSchema` has compared the numbers.
    pub(crate) fn write(self, front: &[u8], to: &mut BufferMut) -> Result<()> {
        let (schema, layout, mut shared) = (self.schema, self.layout, self.shared);
        let metadata = shared.metadata(schema.schema().metadata());
        let features = shared.features(schema.features());
        let start = to.len();
        to.reserve(shared.start() + shared.n_likely_bytes());
        to.extend_zeros(shared.start());
        let bytes = &mut to.as_mut_slice()[start..];
        bytes[..front.len()].copy_from_slice(front);
        let table = layout.put_table(bytes, front.len());
        let fields = (&mut *bytes, table + layout.n_table_bytes());
        let mut fields = FieldWriter::new(fields, &mut shared, schema.dictionary_ids());
        let fields = fields.list(schema.schema().fields())?;
        if schema.endianness() == Endianness::Big {
            put(bytes, table + layout.place(0), (fb::Endianness::Big as i16).to_le_bytes());
        }
        for (part, at) in [(1, Some(fields)), (2, metadata), (3, features)] {
            put_reference(bytes, table + layout.place(part), at);
        }
        to.extend_from_slice(&shared.finish());
        Ok(())
    }
}

/// The bytes of name and metadata of a field alone.
fn n_own_text_bytes(field: &Field) -> u64 {
    (field.name().len() as u64).saturating_add(n_metadata_bytes(field.metadata()))
}
