//! Finds the blocks of a footer, and the messages at their positions.

use std::{collections::HashMap, ops::Range};

use arrow_ipc::{
    FormatErrorKind, IpcErrorKind, MessageKind, Source,
    file::{Block, Footer},
};

use super::{inspection::Inspection, view::Listing};
use crate::{
    error::{ToolError, ToolErrorKind},
    source::SharedSource,
};

/// The index of each block in its list of the footer, by the position and kind of its message. If several blocks
/// have the same position, the first counts.
pub(super) type BlockNumbers = HashMap<(u64, MessageKind), usize>;

pub(super) fn listed(footer: &Footer) -> BlockNumbers {
    let mut listed = BlockNumbers::new();
    for (kind, block_idx, block) in footer_blocks(footer) {
        listed.entry((block.position(), kind)).or_insert(block_idx);
    }
    listed
}

impl Inspection<'_> {
    /// Inspects the messages that only the footer lists, each once, even if the footer lists it several times.
    /// Overlapping blocks may have more metadata in total than the file, so this stops after reading four times the
    /// length of the file.
    pub(super) fn blocks_left(
        &mut self,
        file: &SharedSource,
        footer: &Footer,
        mut left: BlockNumbers,
    ) -> Result<(), ToolError> {
        const MAX_TIMES: u64 = 4;
        let n_available = footer.position();
        let mut n_read = 0u64;
        for (kind, _, block) in footer_blocks(footer) {
            let Some(block_idx) = left.remove(&(block.position(), kind)) else { continue };
            let range = block.position()..footer.position();
            n_read = n_read.saturating_add(n_declared_bytes(file, &range));
            let message = if n_read > n_available.saturating_mul(MAX_TIMES) {
                Err(IpcErrorKind::BlocksOverlap { n_bytes: n_read, n_available }.into())
            } else {
                file.scan(range).and_then(|mut scan| scan.next_message())
            };
            let missing = || {
                IpcErrorKind::Format(FormatErrorKind::Missing { what: "the message of the footer's block" })
                    .into()
            };
            match message.and_then(|message| message.ok_or_else(missing)) {
                Ok(message) => self.message(&message, None, Listing::Block(block_idx))?,
                Err(error) => {
                    let is_end = matches!(error.kind(), IpcErrorKind::BlocksOverlap { .. });
                    let position = block.position();
                    self.damaged(ToolErrorKind::Block { kind, position, error });
                    if is_end {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

/// All blocks of the footer: dictionaries, then record batches.
fn footer_blocks(footer: &Footer) -> impl Iterator<Item = (MessageKind, usize, &Block)> {
    let dictionaries = footer.dictionaries().iter().enumerate();
    let batches = footer.batches().iter().enumerate();
    dictionaries
        .map(|(block_idx, block)| (MessageKind::DictionaryBatch, block_idx, block))
        .chain(batches.map(|(block_idx, block)| (MessageKind::RecordBatch, block_idx, block)))
}

/// The length of the metadata according to the prefix at the start of a range. At most the length of the range.
fn n_declared_bytes(file: &SharedSource, range: &Range<u64>) -> u64 {
    let n_bytes = range.end.saturating_sub(range.start);
    let prefix = file.fetch(range.start..range.start.saturating_add(n_bytes.min(8)));
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
    // If the prefix cannot be read, the scan of the message returns the error.
    let declared = prefix.map_or(0, |prefix| match word(&prefix) {
        u32::MAX => word(prefix.get(4..).unwrap_or_default()),
        legacy => legacy,
    });
    u64::from(declared).min(n_bytes)
}
