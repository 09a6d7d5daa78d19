//! The schema message at the start of a file. The footer repeats its schema.

use arrow_schema::Metadata;

use super::provided::Provided;
use crate::{
    error::Result,
    file::footer::START_BYTES,
    frame::{PREFIX_BYTES, Prefix},
    limits::Limits,
    message::Head,
    protocol::MessageKind,
};

/// Most schema messages, with prefix and metadata, fit in one request of this size.
const FIRST_BYTES: u64 = 4 << 10;

/// Reads the custom metadata of the schema message; `None` inside if there is none.
pub(super) fn read_metadata(
    footer_start: u64,
    limits: &Limits,
    bytes: &mut Provided,
) -> Result<Option<Option<Metadata>>> {
    let end = |n_bytes: u64| START_BYTES.saturating_add(n_bytes).min(footer_start);
    let Some(prefix) = bytes.take(START_BYTES..end(PREFIX_BYTES)) else {
        bytes.hint(START_BYTES..end(FIRST_BYTES));
        return Ok(None);
    };
    let Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) = Prefix::parse(&prefix)? else {
        return Ok(Some(None));
    };
    let needed = u64::from(n_metadata_bytes);
    let start = START_BYTES.saturating_add(n_prefix_bytes);
    let available = footer_start.saturating_sub(start);
    limits.check_metadata(needed, available)?;
    let Some(metadata) = bytes.take(start..start.saturating_add(needed)) else { return Ok(None) };
    let head = Head::parse(metadata, limits)?;
    match head.kind() {
        MessageKind::Schema => Ok(Some(Some(head.custom_metadata(limits)?))),
        MessageKind::DictionaryBatch
        | MessageKind::RecordBatch
        | MessageKind::Tensor
        | MessageKind::SparseTensor => Ok(Some(None)),
    }
}
