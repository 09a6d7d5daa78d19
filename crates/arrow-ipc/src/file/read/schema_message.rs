//! The schema message at the start of a file. The footer repeats its schema.

use arrow_schema::Metadata;

use super::{plan::Work, provided::Provided};
use crate::{
    error::{Context, Result},
    file::footer::START_BYTES,
    frame::{PREFIX_BYTES, Prefix},
    limits::Limits,
    message::Head,
    protocol::MessageKind,
};

/// Most schema messages, with prefix and metadata, fit in one request of this size.
const FIRST_BYTES: u64 = 4 << 10;

/// Reads the custom metadata of the schema message.
#[derive(Debug)]
pub(super) struct ReadSchemaMessage {
    /// The position of the footer.
    pub(super) end: u64,
    pub(super) limits: Limits,
}

impl Work<Option<Metadata>> for ReadSchemaMessage {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Option<Metadata>>> {
        self.read(bytes).at_byte(START_BYTES)
    }
}

impl ReadSchemaMessage {
    fn read(&self, bytes: &mut Provided) -> Result<Option<Option<Metadata>>> {
        let end = |n_bytes: u64| START_BYTES.saturating_add(n_bytes).min(self.end);
        let Some(prefix) = bytes.take(START_BYTES..end(PREFIX_BYTES)) else {
            bytes.hint(START_BYTES..end(FIRST_BYTES));
            return Ok(None);
        };
        let Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) = Prefix::parse(&prefix)? else {
            return Ok(Some(None));
        };
        let needed = u64::from(n_metadata_bytes);
        let start = START_BYTES.saturating_add(n_prefix_bytes);
        let available = self.end.saturating_sub(start);
        self.limits.check_metadata(needed, available)?;
        let Some(metadata) = bytes.take(start..start.saturating_add(needed)) else { return Ok(None) };
        let head = Head::parse(metadata, &self.limits)?;
        match head.kind() {
            MessageKind::Schema => Ok(Some(Some(head.custom_metadata(&self.limits)?))),
            MessageKind::DictionaryBatch
            | MessageKind::RecordBatch
            | MessageKind::Tensor
            | MessageKind::SparseTensor => Ok(Some(None)),
        }
    }
}
