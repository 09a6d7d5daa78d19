//! Reads and writes custom metadata: ordered pairs of a key and a value, each of which may be absent.

use std::sync::Arc;

use crate::{
    flatbuffer::{FlatbufferWriter, TableLayout, Tables, back},
    tables as fb,
};
use arrow_buffer::Budget;
use arrow_schema::Metadata;

use crate::{error::Result, limits::Limits};

type KeyValues<'a> = Tables<'a, fb::KeyValue<'a>>;

/// The bytes charged for a pair besides its texts: its entry in the list.
const PAIR_BYTES: u64 = 40;

/// The bytes charged for a key or a value besides its text: two reference counts.
const TEXT_BYTES: u64 = 16;

/// Reads the pairs of a `custom_metadata`. Charges the budget for each pair.
pub fn decode_metadata(pairs: Option<KeyValues<'_>>, budget: &mut Budget) -> Result<Metadata> {
    let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else { return Ok(Metadata::new()) };
    budget.spend("bytes of decoded metadata", PAIR_BYTES.saturating_mul(pairs.len() as u64))?;
    let mut decoded = Vec::with_capacity(pairs.len());
    for pair in pairs.iter() {
        let pair = pair?;
        let (key, value) = (pair.key()?, pair.value()?);
        for text in [&key, &value].into_iter().flatten() {
            budget.spend("bytes of decoded metadata", TEXT_BYTES.saturating_add(text.len() as u64))?;
        }
        decoded.push((key.as_deref().map(Arc::from), value.as_deref().map(Arc::from)));
    }
    Ok(Metadata::from_pairs(decoded))
}

/// Writes the pairs of a `custom_metadata`; `None` if there are none.
pub fn write_metadata(writer: &mut FlatbufferWriter, metadata: &Metadata) -> Option<usize> {
    if metadata.is_empty() {
        return None;
    }
    let list = writer.references(metadata.len());
    // Key and value may be absent, so there are up to four vtables.
    let mut vtables = [None; 4];
    for (idx, (key, value)) in metadata.iter().enumerate() {
        let form = usize::from(key.is_some()) + 2 * usize::from(value.is_some());
        let layout = TableLayout::new([4 * u16::from(key.is_some()), 4 * u16::from(value.is_some())]);
        let vtable = match vtables[form] {
            Some(vtable) => vtable,
            None => writer.vtable(&layout),
        };
        vtables[form] = Some(vtable);
        let table = writer.zeros(layout.n_table_bytes(), 0, 4);
        writer.refer(list + 4 + 4 * idx, table);
        writer.put(table, back(table, vtable));
        for (slot, text) in [(fb::KeyValue::KEY, key), (fb::KeyValue::VALUE, value)] {
            if let Some(text) = text {
                let at = writer.text(text);
                writer.refer(table + layout.offset_of(slot.index), at);
            }
        }
    }
    Some(list)
}

/// The total length of all keys and values.
pub fn n_metadata_bytes(metadata: &Metadata) -> u64 {
    let n_bytes = |text: Option<&str>| text.map_or(0, str::len) as u64;
    metadata
        .iter()
        .fold(0, |sum: u64, (key, value)| sum.saturating_add(n_bytes(key)).saturating_add(n_bytes(value)))
}

/// The approximate number of bytes of memory that the pairs use.
pub(crate) fn n_decoded_bytes(metadata: &Metadata) -> u64 {
    let n_pairs = metadata.len() as u64;
    n_pairs.saturating_mul(PAIR_BYTES).saturating_add(n_metadata_bytes(metadata))
}

/// Refuses text or metadata that is longer than readers accept by default, before it is built.
pub fn check_fits(n_bytes: u64) -> Result<()> {
    Limits::check("bytes of metadata", n_bytes, Limits::DEFAULT_METADATA_BYTES)
}
