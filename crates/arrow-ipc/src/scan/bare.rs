//! A schema message without its prefix, which polars writes at the start of files.

use arrow_buffer::Buffer;

use crate::{
    error::Result, flatbuffer::root_table, frame::CONTINUATION, limits::Limits, message::Head,
    protocol::MessageKind,
};

/// A flatbuffer ends at a multiple of this number.
const WORD_BYTES: usize = 8;

/// The schema message without prefix at the start of these bytes. The length of the message is unknown, so the function
/// reads as many whole words as the tables need. `fetch(n)` returns the first `n` bytes, or fewer if the input ends
/// before.
///
/// # Errors
/// If bytes cannot be fetched.
pub(crate) fn bare_schema<E>(
    limits: &Limits,
    mut fetch: impl FnMut(u64) -> std::result::Result<Buffer, E>,
) -> std::result::Result<Option<Head>, E> {
    const LOOK_BYTES: u64 = 4 << 10;
    if !begins_like_schema(&fetch(LOOK_BYTES)?) {
        return Ok(None);
    }
    // A number in the schema may look like the marker. Too many bytes do no harm, so each attempt has twice as many as the last.
    let mut n_least = 0;
    let (metadata, mut found) = loop {
        let (metadata, is_marked) = up_to_marker(n_least, limits.max_metadata_bytes, &mut fetch)?;
        match schema_of_words(&metadata, metadata.len().div_ceil(WORD_BYTES), limits) {
            Ok(found) => break (metadata, found),
            Err(_) if is_marked => n_least = metadata.len().max(WORD_BYTES) * 2,
            Err(_) => return Ok(None),
        }
    };
    let (mut too_few, mut enough) = (0, metadata.len().div_ceil(WORD_BYTES));
    while enough - too_few > 1 {
        let middle = too_few.midpoint(enough);
        match schema_of_words(&metadata, middle, limits) {
            Ok(shorter) => (found, enough) = (shorter, middle),
            Err(_) => too_few = middle,
        }
    }
    Ok(Some(found))
}

/// Whether the root table is that of a schema message. The other tables, and their vtables, may be far after it.
fn begins_like_schema(start: &[u8]) -> bool {
    let tag =
        root_table(start, "[MessageRef]").and_then(|message| message.access(1, "Message", "header_type"));
    tag.is_ok_and(|tag: Option<u8>| tag.and_then(MessageKind::of_tag) == Some(MessageKind::Schema))
}

fn schema_of_words(metadata: &Buffer, n_words: usize, limits: &Limits) -> Result<Head> {
    let n_bytes = (n_words * WORD_BYTES).min(metadata.len());
    let head = Head::parse(metadata.try_slice(0, n_bytes as u64)?, limits)?;
    head.schema(limits)?;
    Ok(head)
}

/// The bytes before the first continuation marker at a multiple of 8, after at least `n_least` bytes; and `true`. If there is no such
/// marker, all bytes that may be metadata, and `false`.
fn up_to_marker<E>(
    n_least: usize,
    max_bytes: u64,
    mut fetch: impl FnMut(u64) -> std::result::Result<Buffer, E>,
) -> std::result::Result<(Buffer, bool), E> {
    const FIRST_BYTES: u64 = 256 << 10;
    let mut n_bytes = FIRST_BYTES.min(max_bytes);
    loop {
        let bytes = fetch(n_bytes)?;
        let mut words = bytes.chunks(WORD_BYTES).enumerate().skip(n_least.div_ceil(WORD_BYTES));
        if let Some((n_words, _)) = words.find(|(_, word)| word.starts_with(&CONTINUATION)) {
            let n_before = n_words.saturating_mul(WORD_BYTES) as u64;
            return Ok((bytes.try_slice(0, n_before).unwrap_or(bytes), true));
        }
        if (bytes.len() as u64) < n_bytes || n_bytes == max_bytes {
            return Ok((bytes, false));
        }
        n_bytes = n_bytes.saturating_mul(4).min(max_bytes);
    }
}
