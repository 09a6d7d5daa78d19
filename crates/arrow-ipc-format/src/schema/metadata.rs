//! Reads and writes custom metadata: ordered pairs of a key and a value, each of which may be absent.

use std::sync::Arc;

use crate::flatbuf as fb;
use arrow_schema::Metadata;

use crate::{
    error::{Result, WireResult},
    limits::{Budget, Limits},
};

type KeyValues<'a> = planus::Vector<'a, planus::Result<fb::KeyValueRef<'a>>>;

/// The bytes charged for a pair besides its text: its entry in the list, and two reference counts.
const PAIR_BYTES: u64 = 80;

/// Reads the pairs of a `custom_metadata`. Charges the budget for each pair.
pub fn decode_metadata(pairs: Option<KeyValues<'_>>, budget: &mut Budget) -> WireResult<Metadata> {
    let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else { return Ok(Metadata::new()) };
    budget.spend("bytes of decoded metadata", PAIR_BYTES.saturating_mul(pairs.len() as u64))?;
    let mut decoded = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let pair = pair?;
        let (key, value) = (pair.key()?, pair.value()?);
        let n_bytes = key.map_or(0, str::len) as u64 + value.map_or(0, str::len) as u64;
        budget.spend("bytes of decoded metadata", n_bytes)?;
        decoded.push((key.map(Arc::from), value.map(Arc::from)));
    }
    Ok(Metadata::from_pairs(decoded))
}

/// Encodes the pairs of a `custom_metadata`; `None` if there are none.
pub fn encode_metadata(
    builder: &mut planus::Builder,
    metadata: &Metadata,
) -> Option<Vec<planus::Offset<fb::KeyValue>>> {
    if metadata.is_empty() {
        return None;
    }
    let pair = |(key, value): (Option<&str>, Option<&str>)| fb::KeyValue::create(builder, key, value);
    Some(metadata.iter().map(pair).collect())
}

/// The total length of all keys and values.
pub fn n_metadata_bytes(metadata: &Metadata) -> u64 {
    let n_bytes = |text: Option<&str>| text.map_or(0, str::len) as u64;
    metadata
        .iter()
        .fold(0, |sum: u64, (key, value)| sum.saturating_add(n_bytes(key)).saturating_add(n_bytes(value)))
}

/// The approximate number of bytes of memory that the pairs use.
pub fn n_decoded_bytes(metadata: &Metadata) -> u64 {
    let n_pairs = metadata.len() as u64;
    n_pairs.saturating_mul(PAIR_BYTES).saturating_add(n_metadata_bytes(metadata))
}

/// Refuses text or metadata that is longer than readers accept by default, before it is built.
pub fn check_fits(n_bytes: u64) -> Result<()> {
    Limits::check("bytes of metadata", n_bytes, Limits::DEFAULT_METADATA_BYTES)
}
