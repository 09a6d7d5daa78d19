//! The blocks that a footer lists, and what is there of them.

use std::{collections::HashMap, ops::Range};

use arrow_ipc::{Block, Footer, MessageKind, Source};

use crate::source::SharedSource;

/// The number of a block in its list of the footer, by position and kind; the first of those that begin together.
pub(super) type Blocks = HashMap<(u64, MessageKind), usize>;

pub(super) fn listed(footer: &Footer) -> Blocks {
    let mut listed = Blocks::new();
    for (kind, block_idx, block) in footer_blocks(footer) {
        listed.entry((block.position(), kind)).or_insert(block_idx);
    }
    listed
}

/// The blocks of both lists.
pub(super) fn footer_blocks(footer: &Footer) -> impl Iterator<Item = (MessageKind, usize, &Block)> {
    let dictionaries = footer.dictionaries().iter().enumerate();
    let batches = footer.batches().iter().enumerate();
    dictionaries
        .map(|(block_idx, block)| (MessageKind::DictionaryBatch, block_idx, block))
        .chain(batches.map(|(block_idx, block)| (MessageKind::RecordBatch, block_idx, block)))
}

/// How many bytes of metadata the prefix at the start of a range claims, as far as they are in the range.
pub(super) fn n_claimed_bytes(file: &SharedSource, range: &Range<u64>) -> u64 {
    let n_bytes = range.end.saturating_sub(range.start);
    let prefix = file.fetch(range.start..range.start.saturating_add(n_bytes.min(8)));
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
    // What cannot be read is reported by the scan.
    let claimed = prefix.map_or(0, |prefix| match word(&prefix) {
        u32::MAX => word(prefix.get(4..).unwrap_or_default()),
        legacy => legacy,
    });
    u64::from(claimed).min(n_bytes)
}
