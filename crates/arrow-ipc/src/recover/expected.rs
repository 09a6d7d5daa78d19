//! The blocks that a footer lists, by their places in the file.

use std::ops::Range;

use crate::{
    file::{Block, Footer},
    protocol::MessageKind,
};

/// The blocks of a footer, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Expected {
    blocks: Vec<ExpectedBlock>,
}

/// A message that the footer lists.
#[derive(Debug, Clone)]
pub(super) struct ExpectedBlock {
    pub(super) kind: MessageKind,
    pub(super) range: Range<u64>,
    n_body_bytes: u64,
}

impl Expected {
    pub(super) fn of(footer: &Footer) -> Expected {
        let of_kind = |kind| {
            move |block: &Block| {
                let range = block.position()..block.position().saturating_add(block.n_bytes());
                ExpectedBlock { kind, range, n_body_bytes: block.n_body_bytes() }
            }
        };
        let dictionaries = footer.dictionaries().iter().map(of_kind(MessageKind::DictionaryBatch));
        let batches = footer.batches().iter().map(of_kind(MessageKind::RecordBatch));
        let mut blocks: Vec<ExpectedBlock> = dictionaries.chain(batches).collect();
        blocks.sort_by_key(|block| block.range.start);
        Expected { blocks }
    }

    /// The block that begins here.
    pub(super) fn at(&self, position: u64) -> Option<&ExpectedBlock> {
        self.from(position).first().filter(|block| block.range.start == position)
    }

    /// Where the first block begins from here on.
    pub(super) fn next_start(&self, position: u64) -> Option<u64> {
        Some(self.from(position).first()?.range.start)
    }

    /// How many blocks begin before this position; `None` if none is listed.
    pub(super) fn n_before(&self, position: u64) -> Option<u64> {
        let n_before = self.blocks.partition_point(|block| block.range.start < position);
        (!self.blocks.is_empty()).then_some(n_before as u64)
    }

    /// Whether a dictionary begins in these bytes.
    pub(super) fn has_dictionary_in(&self, range: &Range<u64>) -> bool {
        let inside = self.from(range.start).iter().take_while(|block| block.range.start < range.end);
        inside.into_iter().any(|block| block.kind == MessageKind::DictionaryBatch)
    }

    fn from(&self, position: u64) -> &[ExpectedBlock] {
        let first = self.blocks.partition_point(|block| block.range.start < position);
        self.blocks.get(first..).unwrap_or_default()
    }
}

impl ExpectedBlock {
    /// Whether a message with a body of this length, which ends here, is this block.
    pub(super) fn is(&self, n_body_bytes: u64, end: u64) -> bool {
        self.n_body_bytes == n_body_bytes && self.range.end == end
    }
}
