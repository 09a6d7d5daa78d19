//! A schema message without its prefix, which polars writes at the start of files.

use arrow_buffer::Buffer;

use crate::{error::Result, frame::CONTINUATION, limits::Limits, message::Head, protocol::MessageKind};

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
    let is_schema = |head: Head| head.kind == MessageKind::Schema;
    if !Head::parse(fetch(LOOK_BYTES)?, limits).is_ok_and(is_schema) {
        return Ok(None);
    }
    let metadata = up_to_marker(limits.max_metadata_bytes, fetch)?;
    let (mut too_few, mut enough) = (0, metadata.len().div_ceil(WORD_BYTES));
    let Ok(mut found) = schema_of_words(&metadata, enough, limits) else { return Ok(None) };
    while enough - too_few > 1 {
        let middle = too_few.midpoint(enough);
        match schema_of_words(&metadata, middle, limits) {
            Ok(shorter) => (found, enough) = (shorter, middle),
            Err(_) => too_few = middle,
        }
    }
    Ok(Some(found))
}

fn schema_of_words(metadata: &Buffer, n_words: usize, limits: &Limits) -> Result<Head> {
    let n_bytes = (n_words * WORD_BYTES).min(metadata.len());
    let head = Head::parse(metadata.try_slice(0, n_bytes as u64)?, limits)?;
    head.schema(limits)?;
    Ok(head)
}

/// The bytes before the first continuation marker at a multiple of 8. If there is no marker, these are all bytes that may be metadata.
fn up_to_marker<E>(
    max_bytes: u64,
    mut fetch: impl FnMut(u64) -> std::result::Result<Buffer, E>,
) -> std::result::Result<Buffer, E> {
    const FIRST_BYTES: u64 = 256 << 10;
    let mut n_bytes = FIRST_BYTES.min(max_bytes);
    loop {
        let bytes = fetch(n_bytes)?;
        let mut words = bytes.chunks(WORD_BYTES);
        if let Some(n_words) = words.position(|word| word.starts_with(&CONTINUATION)) {
            let n_before = n_words.saturating_mul(WORD_BYTES) as u64;
            return Ok(bytes.try_slice(0, n_before).unwrap_or(bytes));
        }
        if (bytes.len() as u64) < n_bytes || n_bytes == max_bytes {
            return Ok(bytes);
        }
        n_bytes = n_bytes.saturating_mul(4).min(max_bytes);
    }
}
