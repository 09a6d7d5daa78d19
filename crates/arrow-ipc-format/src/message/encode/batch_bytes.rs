//! Writes the flatbuffer of a batch message, part after part: the tables, the lists as they are in memory, and custom
//! metadata.
//!
//! The tables have fixed positions in their parts, because nearly every field is written, even with its default. The
//! variadic counts may be absent: their four bytes in the table are then unused, and the vtable marks the field as
//! absent. Fields that few messages have make a part longer: custom metadata and `isDelta` by 8 bytes each, and a codec
//! by 24 bytes. All bytes of a part are written, including its padding.
//!
//! | part | length | vtable, then table |
//! |---|---|---|
//! | `Message`, after its position | 36 | 4, 16 |
//! | `DictionaryBatch`, of dictionary batches | 40 | 0, 16 |
//! | `RecordBatch`, with the length of `nodes` at the end | 44 | 0, 16 |
//!
//! The elements of each vector are aligned to eight bytes. The four bytes of its length come directly before them. So
//! the vector begins four bytes after a multiple of eight, and so do all parts except the first.

use crate::tables::MessageHeaderTag;
use arrow_schema::Metadata;

use super::{
    builder::BatchHeaderBuilder,
    format::{MessageFormat, wire_codec, wire_version},
};
use crate::{
    error::Result,
    flatbuffer::{distance, put, put_vtable, word},
    message::DictionaryHeader,
    protocol::{Codec, MetadataVersion},
    schema::{check_fits, metadata_list, n_metadata_bytes},
};

/// The bytes before the elements of a vector: padding, and the length of the vector.
const VECTOR_BYTES: usize = 8;

/// The lengths of the parts.
const MESSAGE_BYTES: usize = 36;
const DICTIONARY_BYTES: usize = 40;
const RECORD_BYTES: usize = 44;
/// The bytes that custom metadata or `isDelta` adds: a field, with padding.
const FIELD_BYTES: usize = 8;
/// The bytes that a codec adds: a field with padding, then a vtable and a table of eight bytes each.
const CODEC_BYTES: usize = 24;
/// The length of the vtable of a header with its padding. The table of the header follows.
const VTABLE_BYTES: usize = 16;

/// The flatbuffer of a batch message before it is written, without the lists.
#[derive(Debug)]
pub(super) struct BatchFlatbuffer {
    version: MetadataVersion,
    codec: Option<Codec>,
    kind: Option<DictionaryHeader>,
    /// The position after the lists.
    lists_end: usize,
    /// The custom metadata, which follows the lists; empty if there is none.
    metadata: Vec<u8>,
}

impl BatchFlatbuffer {
    /// # Errors
    /// If the flatbuffer is longer than the format can express.
    #[inline]
    pub(super) fn try_new(
        format: MessageFormat,
        kind: Option<DictionaryHeader>,
        lists: &BatchHeaderBuilder,
        metadata: &Metadata,
    ) -> Result<BatchFlatbuffer> {
        let MessageFormat { version, codec, .. } = format;
        let mut n_table_bytes = MESSAGE_BYTES + RECORD_BYTES;
        if let Some(DictionaryHeader { is_delta, .. }) = kind {
            n_table_bytes += DICTIONARY_BYTES + if is_delta { FIELD_BYTES } else { 0 };
        }
        if codec.is_some() {
            n_table_bytes += CODEC_BYTES;
        }
        if !metadata.is_empty() {
            n_table_bytes += FIELD_BYTES;
        }
        let lists_end = n_table_bytes + n_list_bytes(lists);
        let metadata = if metadata.is_empty() {
            Vec::new()
        } else {
            check_fits((lists_end as u64).saturating_add(n_metadata_bytes(metadata)))?;
            metadata_list(lists_end, metadata)
        };
        Ok(BatchFlatbuffer { version, codec, kind, lists_end, metadata })
    }

    #[inline]
    pub(super) fn n_bytes(&self) -> usize {
        self.lists_end + self.metadata.len()
    }

    /// Fills `to` with the flatbuffer of `n_bytes` bytes. `lists` are the lists from which `self` was made. The caller
    /// has checked that the length of the body fits.
    #[inline]
    pub(super) fn write(&self, to: &mut [u8], lists: &BatchHeaderBuilder) {
        let rest = self.put_message(to, lists);
        let rest = match self.kind {
            None => rest,
            Some(kind) => put_dictionary_batch(rest, kind),
        };
        let rest = self.put_record_batch(rest, lists);
        let rest = put_numbers(rest, lists.nodes().as_flattened());
        let mut rest = put_vector(rest, lists.buffers().len(), lists.buffers().as_flattened());
        let counts = lists.variadic_counts();
        if !counts.is_empty() {
            rest = put_vector(rest, counts.len(), counts);
        }
        if !self.metadata.is_empty() {
            put_first(rest, &self.metadata);
        }
    }

    /// Writes `Message`: version, header, body length, and custom metadata if there is any. Returns the rest of `to`.
    #[inline]
    fn put_message<'a>(&self, to: &'a mut [u8], lists: &BatchHeaderBuilder) -> &'a mut [u8] {
        let version = (wire_version(self.version) as i16).to_le_bytes();
        let tag = match self.kind {
            Some(_) => MessageHeaderTag::DictionaryBatch,
            None => MessageHeaderTag::RecordBatch,
        };
        let tag = [tag as u8, 0];
        let n_body_bytes = lists.n_body_bytes().to_le_bytes();
        if self.metadata.is_empty() {
            let (part, rest) = to.split_at_mut(MESSAGE_BYTES);
            put(part, 0, 16u32.to_le_bytes());
            put_vtable(part, 4, [12, 20, 16, 18, 4, 8]);
            put(part, 16, 12u32.to_le_bytes());
            put(part, 20, distance(20, MESSAGE_BYTES + VTABLE_BYTES));
            put(part, 24, n_body_bytes);
            put(part, 32, version);
            put(part, 34, tag);
            return rest;
        }
        let (part, rest) = to.split_at_mut(MESSAGE_BYTES + FIELD_BYTES);
        put(part, 0, 20u32.to_le_bytes());
        put_vtable(part, 4, [14, 24, 20, 22, 12, 4, 16, 0]);
        put(part, 20, 16u32.to_le_bytes());
        put(part, 24, n_body_bytes);
        put(part, 32, distance(32, MESSAGE_BYTES + FIELD_BYTES + VTABLE_BYTES));
        put(part, 36, distance(36, self.lists_end));
        put(part, 40, version);
        put(part, 42, tag);
        rest
    }

    /// Writes `RecordBatch`: length, nodes, buffers, and codec and variadic counts if there are any. The last bytes are
    /// the length of the vector of nodes. Returns the rest of `to`, where the nodes begin.
    #[inline]
    fn put_record_batch<'a>(&self, to: &'a mut [u8], lists: &BatchHeaderBuilder) -> &'a mut [u8] {
        let n_nodes = lists.nodes().len();
        let n_buffers = lists.buffers().len();
        let (n_field_bytes, codec, n_more) = match self.codec {
            None => (24, 0, 0),
            Some(_) => (28, 24, CODEC_BYTES),
        };
        // A reference is the distance from its own position to the length of the vector.
        let (counts, to_counts) = match lists.variadic_counts().len() {
            0 => (0, 0),
            _ => (20, (n_nodes + n_buffers) * 16 + 20 + n_more),
        };
        let (part, mut rest) = to.split_at_mut(RECORD_BYTES - 4);
        put_vtable(part, 0, [14, n_field_bytes, 4, 12, 16, codec, counts, 0]);
        put(part, 16, 16u32.to_le_bytes());
        put(part, 20, lists.wire_rows().to_le_bytes());
        put(part, 28, word(12 + n_more));
        put(part, 32, word((n_nodes + 1) * 16 + n_more));
        put(part, 36, word(to_counts));
        if let Some(codec) = self.codec {
            rest = put_codec(rest, codec);
        }
        put_first(rest, &word(n_nodes))
    }
}

/// The length of the lists, including the bytes before the elements of each list except the nodes. It does not
/// overflow, since the lists are in memory.
fn n_list_bytes(lists: &BatchHeaderBuilder) -> usize {
    let n_count_bytes = match size_of_val(lists.variadic_counts()) {
        0 => 0,
        n_bytes => VECTOR_BYTES + n_bytes,
    };
    size_of_val(lists.nodes()) + VECTOR_BYTES + size_of_val(lists.buffers()) + n_count_bytes
}

/// Writes `DictionaryBatch`: id, data, and `isDelta` if it is true. Returns the rest of `to`.
fn put_dictionary_batch(to: &mut [u8], kind: DictionaryHeader) -> &mut [u8] {
    let DictionaryHeader { id, is_delta } = kind;
    let (n_field_bytes, delta, n_more) = if is_delta { (17, 16, FIELD_BYTES) } else { (16, 0, 0) };
    let (part, rest) = to.split_at_mut(DICTIONARY_BYTES);
    put_vtable(part, 0, [10, n_field_bytes, 4, 12, delta, 0, 0, 0]);
    put(part, 16, 16u32.to_le_bytes());
    put(part, 20, id.to_le_bytes());
    put(part, 28, word(DICTIONARY_BYTES + n_more + VTABLE_BYTES - 28));
    put(part, 32, u64::from(is_delta).to_le_bytes());
    if is_delta { put_first(rest, &[0; FIELD_BYTES]) } else { rest }
}

/// Writes the reference to `BodyCompression`, its vtable and its table. The method is absent, which means that each
/// buffer is compressed. Returns the rest of `to`.
fn put_codec(to: &mut [u8], codec: Codec) -> &mut [u8] {
    let (part, rest) = to.split_at_mut(CODEC_BYTES);
    put(part, 0, 12u32.to_le_bytes());
    put_vtable(part, 4, [6, 5, 4, 0]);
    put(part, 12, 8u32.to_le_bytes());
    put(part, 16, i64::from(wire_codec(codec) as i8).to_le_bytes());
    rest
}

/// Writes a vector of 8-byte numbers: padding, length, elements. Returns the rest of `to`.
fn put_vector<'a>(to: &'a mut [u8], n_elements: usize, numbers: &[i64]) -> &'a mut [u8] {
    let (part, rest) = to.split_at_mut(VECTOR_BYTES);
    put(part, 0, [0; 4]);
    put(part, 4, word(n_elements));
    put_numbers(rest, numbers)
}

/// Writes numbers at the start of `to`. Returns the rest of `to`.
fn put_numbers<'a>(to: &'a mut [u8], numbers: &[i64]) -> &'a mut [u8] {
    if cfg!(target_endian = "little") {
        return put_first(to, bytemuck::cast_slice(numbers));
    }
    numbers.iter().fold(to, |to, number| put_first(to, &number.to_le_bytes()))
}

/// Writes `bytes` at the start of `to`. Returns the rest of `to`.
fn put_first<'a>(to: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    let (target, rest) = to.split_at_mut(bytes.len());
    target.copy_from_slice(bytes);
    rest
}
