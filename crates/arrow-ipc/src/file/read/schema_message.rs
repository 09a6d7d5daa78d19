//! Reads the schema message at the start of a file.

use std::ops::Range;

use super::{provided_ranges::ProvidedRanges, state::FileState};
use crate::{error::Result, file::footer::START_BYTES, source::planner::METADATA_REQUEST_BYTES};
use arrow_ipc_format::{Message, MessageKind, NextMessage};

/// The schema message at the start of a file. Outer `None`: bytes are missing. Inner `None`: the file has no schema
/// message.
///
/// # Errors
/// If the bytes before the footer do not begin with a message.
pub(crate) fn read_schema_message(
    file: &FileState,
    bytes: &mut ProvidedRanges,
) -> Result<Option<Option<Message>>> {
    let footer_start = file.footer.position();
    let fetch = |range: Range<u64>| -> Result<_> {
        let found = bytes.take(range.clone());
        if found.is_none() && range.start == START_BYTES {
            bytes.hint(START_BYTES..footer_start.min(START_BYTES + METADATA_REQUEST_BYTES));
        }
        Ok(found)
    };
    Ok(match NextMessage::read(0, START_BYTES..footer_start, &file.limits, fetch)? {
        None => None,
        Some(NextMessage::Message(message)) if message.kind() == MessageKind::Schema => Some(Some(message)),
        Some(NextMessage::Message(_) | NextMessage::EndMarker { .. } | NextMessage::EndOfBytes) => Some(None),
    })
}
