//! Writes the flatbuffer of a batch message without the generated code: tables at fixed positions, then the lists as
//! they are in memory.
//!
//! The positions are fixed because every field is written, even with its default. Only the variadic counts may be
//! absent: their four bytes in the table are then unused, and the vtable marks the field as absent.
//!
//! | content | record batch | dictionary batch |
//! |---|---|---|
//! | position of the root | 0 | 0 |
//! | vtable of `Message`, then `Message` | 4, 16 | 4, 16 |
//! | vtable of `DictionaryBatch`, then `DictionaryBatch` | | 36, 52 |
//! | vtable of `RecordBatch`, then `RecordBatch` | 36, 52 | 76, 92 |
//! | length of `nodes`, then the nodes | 76 | 116 |
//!
//! The elements of each vector are aligned to eight bytes. The four bytes of its length come directly before them, so the vector begins
//! four bytes after a multiple of eight.

use super::BatchLists;
use crate::{
    flatbuffer::{put, put_vtable, word},
    message::DictionaryMessage,
};

/// The number of bytes of a field node, or of a buffer's offset and length.
const PAIR_BYTES: u64 = 16;
/// The bytes before the elements of a vector: padding, and the length of the vector.
const VECTOR_BYTES: u64 = 8;

pub(super) fn n_bytes(
    kind: Option<DictionaryMessage>,
    n_nodes: u64,
    n_buffers: u64,
    n_variadic_counts: u64,
) -> u64 {
    let n_before_nodes = match kind {
        None => RECORD_BYTES,
        Some(_) => DICTIONARY_BYTES,
    } as u64;
    let n_list_bytes =
        PAIR_BYTES.saturating_mul(n_nodes.saturating_add(n_buffers)).saturating_add(VECTOR_BYTES);
    let n_count_bytes = if n_variadic_counts == 0 {
        0
    } else {
        VECTOR_BYTES.saturating_mul(n_variadic_counts).saturating_add(VECTOR_BYTES)
    };
    n_before_nodes.saturating_add(n_list_bytes).saturating_add(n_count_bytes)
}

/// The positions of the nodes in a record batch and in a dictionary batch.
const RECORD_BYTES: usize = 80;
const DICTIONARY_BYTES: usize = 120;

/// The positions of the vtables. A table follows each vtable.
const MESSAGE_AT: usize = 4;
const HEADER_AT: usize = 36;
const DICTIONARY_DATA_AT: usize = 76;

/// The tags of the batches in the union `MessageHeader`.
const DICTIONARY_BATCH: u8 = 2;
const RECORD_BATCH: u8 = 3;

/// The number of metadata V5 in the enum `MetadataVersion`.
const VERSION_5: u16 = 4;

/// Fills `to` with the flatbuffer. `to` has [`n_bytes`] bytes. The caller has checked that the length of the body fits.
pub(super) fn write(to: &mut [u8], kind: Option<DictionaryMessage>, lists: &BatchLists) {
    let rest = match kind {
        None => {
            let mut bytes = [0; RECORD_BYTES];
            put_message(&mut bytes, RECORD_BATCH, lists);
            put_record_batch(&mut bytes, HEADER_AT, lists);
            put_first(to, &bytes)
        }
        Some(DictionaryMessage { id, .. }) => {
            let mut bytes = [0; DICTIONARY_BYTES];
            put_message(&mut bytes, DICTIONARY_BATCH, lists);
            put_dictionary_batch(&mut bytes, id);
            put_record_batch(&mut bytes, DICTIONARY_DATA_AT, lists);
            put_first(to, &bytes)
        }
    };
    let rest = put_first(rest, bytemuck::cast_slice(lists.nodes()));
    let rest = put_vector(rest, lists.buffers().len(), bytemuck::cast_slice(lists.buffers()));
    let counts = lists.variadic_counts();
    if !counts.is_empty() {
        put_vector(rest, counts.len(), bytemuck::cast_slice(counts));
    }
}

/// Writes `Message`: version, header and body length, without custom metadata. The table of the header is at 52.
fn put_message(bytes: &mut [u8], header_type: u8, lists: &BatchLists) {
    put(bytes, 0, 16u32.to_le_bytes());
    put_vtable(bytes, MESSAGE_AT, [12, 20, 16, 18, 4, 8]);
    put(bytes, 16, 12u32.to_le_bytes());
    put(bytes, 20, (52u32 - 20).to_le_bytes());
    put(bytes, 24, lists.n_body_bytes().to_le_bytes());
    put(bytes, 32, VERSION_5.to_le_bytes());
    put(bytes, 34, [header_type]);
}

/// Writes `DictionaryBatch`: id and data. `isDelta` is absent, which means false.
fn put_dictionary_batch(bytes: &mut [u8], id: i64) {
    put_vtable(bytes, HEADER_AT, [10, 16, 4, 12, 0]);
    put(bytes, 52, 16u32.to_le_bytes());
    put(bytes, 56, id.to_le_bytes());
    put(bytes, 64, (92u32 - 64).to_le_bytes());
}

/// Writes `RecordBatch`: length, nodes, buffers, and variadic counts if there are any, without compression. The last
/// bytes are the length of the vector of nodes. The caller writes the nodes after them.
fn put_record_batch(bytes: &mut [u8], vtable_at: usize, lists: &BatchLists) {
    let (n_nodes, n_buffers) = (lists.nodes().len(), lists.buffers().len());
    let has_counts = !lists.variadic_counts().is_empty();
    put_vtable(bytes, vtable_at, [14, 24, 4, 12, 16, 0, if has_counts { 20 } else { 0 }]);
    let table = vtable_at + 16;
    put(bytes, table, 16u32.to_le_bytes());
    put(bytes, table + 4, lists.wire_rows().to_le_bytes());
    // An offset is the distance from its own position to the length of the vector.
    put(bytes, table + 12, 12u32.to_le_bytes());
    put(bytes, table + 16, word((n_nodes + 1) * 16));
    if has_counts {
        put(bytes, table + 20, word((n_nodes + n_buffers) * 16 + 20));
    }
    put(bytes, table + 24, word(n_nodes));
}

/// Writes a vector of 8-byte numbers: padding, length, elements. Returns the rest of `to`.
fn put_vector<'a>(to: &'a mut [u8], n_elements: usize, elements: &[u8]) -> &'a mut [u8] {
    let mut head = [0; VECTOR_BYTES as usize];
    put(&mut head, 4, word(n_elements));
    put_first(put_first(to, &head), elements)
}

/// Writes `bytes` at the start of `to`. Returns the rest of `to`.
fn put_first<'a>(to: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    let (place, rest) = to.split_at_mut(bytes.len());
    place.copy_from_slice(bytes);
    rest
}
