//! Reads a schema message without a prefix. Polars writes one at the start of files.

use arrow_buffer::Buffer;

use crate::{
    error::Result,
    flatbuffer::TypedTable,
    limits::Limits,
    message::Envelope,
    prefix::CONTINUATION,
    tables::{Message, MessageHeaderTag},
};

/// The length of a flatbuffer is a multiple of this number.
const WORD_BYTES: usize = 8;

/// Reads a schema message without a prefix at the start of the input, as Polars writes it in files. Its length is not
/// stated, so the function finds the smallest number of 8-byte words that contains all tables. `fetch(n)` returns the
/// first `n` bytes, or fewer at the end of the input.
///
/// The function returns `None` if the input begins with something else.
///
/// # Errors
/// If bytes cannot be fetched.
pub fn bare_schema<E>(
    limits: &Limits,
    mut fetch: impl FnMut(u64) -> std::result::Result<Buffer, E>,
) -> std::result::Result<Option<Envelope>, E> {
    const LOOK_BYTES: u64 = 4 << 10;
    if !begins_like_schema(&fetch(LOOK_BYTES)?) {
        return Ok(None);
    }
    // A number in the schema may look like a marker. Then another attempt reads at least twice as many bytes.
    let mut n_least = 0;
    let (metadata, mut found) = loop {
        let (metadata, is_marked) = up_to_marker(n_least, limits.max_metadata_bytes(), &mut fetch)?;
        match schema_of_words(&metadata, metadata.len().div_ceil(WORD_BYTES), limits) {
            Ok(found) => break (metadata, found),
            Err(_) if is_marked => n_least = metadata.len().max(WORD_BYTES) * 2,
            Err(_) => return Ok(None),
        }
    };
    let mut too_few = 0;
    let mut enough = metadata.len().div_ceil(WORD_BYTES);
    while enough - too_few > 1 {
        let middle = too_few.midpoint(enough);
        match schema_of_words(&metadata, middle, limits) {
            Ok(shorter) => (found, enough) = (shorter, middle),
            Err(_) => too_few = middle,
        }
    }
    Ok(Some(found))
}

/// Whether the root table belongs to a schema message. The other tables may be far away and are not read.
fn begins_like_schema(start: &[u8]) -> bool {
    let tag = Message::root(start).and_then(Message::header_tag);
    tag.is_ok_and(|tag| tag == Some(MessageHeaderTag::Schema))
}

fn schema_of_words(metadata: &Buffer, n_words: usize, limits: &Limits) -> Result<Envelope> {
    let n_bytes = (n_words * WORD_BYTES).min(metadata.len());
    let envelope = Envelope::parse(metadata.try_slice(0, n_bytes as u64)?, limits)?;
    envelope.schema(limits)?;
    Ok(envelope)
}

/// Returns the bytes before the first continuation marker at a multiple of 8, from `n_least` on, and `true`. Without a
/// marker, returns all bytes up to `max_bytes`, and `false`.
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
