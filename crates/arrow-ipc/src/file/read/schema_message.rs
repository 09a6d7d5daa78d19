//! Reads the schema message at the start of a file.

use super::{provided_ranges::ProvidedRanges, state::FileState};
use crate::{error::Result, file::footer::START_BYTES};
use arrow_ipc_format::{Envelope, MessageKind, PREFIX_BYTES, Prefix};

/// The length of the first request. Most schema messages, with prefix and metadata, are shorter.
const FIRST_BYTES: u64 = 4 << 10;

/// The schema message at the start of a file, and the position after its metadata. Outer `None`: bytes are missing. Inner
/// `None`: the file has no schema message.
///
/// # Errors
/// If the bytes before the footer do not begin with a message.
pub(crate) fn read_schema_message(
    file: &FileState,
    bytes: &mut ProvidedRanges,
) -> Result<Option<Option<(Envelope, u64)>>> {
    let limits = &file.limits;
    let footer_start = file.footer.position();
    let end = |n_bytes: u64| footer_start.min(START_BYTES + n_bytes);
    let Some(prefix) = bytes.take(START_BYTES..end(PREFIX_BYTES)) else {
        bytes.hint(START_BYTES..end(FIRST_BYTES));
        return Ok(None);
    };
    let Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) = Prefix::parse(&prefix)? else {
        return Ok(Some(None));
    };
    // No overflow: the length of the metadata has 32 bits.
    let start = START_BYTES + n_prefix_bytes;
    let needed = u64::from(n_metadata_bytes);
    limits.check_metadata(needed, footer_start.saturating_sub(start))?;
    let Some(metadata) = bytes.take(start..start + needed) else { return Ok(None) };
    let envelope = Envelope::parse(metadata, limits)?;
    Ok(Some((envelope.kind() == MessageKind::Schema).then_some((envelope, start + needed))))
}
