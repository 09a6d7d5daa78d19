//! The blocks of each dictionary in a file.

use std::{collections::HashMap, ops::Range};

use arrow_buffer::Buffer;

use super::provided_ranges::ProvidedRanges;
use crate::{
    error::{BlockIndex, FormatErrorKind, Result},
    file::footer::Block,
    message_decoder::MessageDecoder,
    options::Copies,
};
use arrow_ipc_format::{BatchView, DictionaryHeader, MessageKind};

#[derive(Debug)]
pub(super) struct DictionaryBlocks {
    /// For each dictionary with blocks: its first message and its deltas, in the order of the footer.
    pub(super) by_dictionary: HashMap<usize, Vec<DictionaryBlock>>,
    /// For each dictionary, whether it is inside a dictionary with deltas. Appending deltas reads the values of inner
    /// dictionaries.
    pub(super) is_joined: Vec<bool>,
    pub(super) bodies: DictionaryBodies,
}

/// For each dictionary batch, in the order of the file: the position of its body, and the sum of the body lengths up to its
/// end.
#[derive(Debug)]
pub(super) struct DictionaryBodies(Vec<(u64, u64)>);

/// A dictionary batch in the footer, and its index in the list of dictionary batches.
#[derive(Debug, Clone, Copy)]
pub(super) struct DictionaryBlock {
    pub(super) block_idx: usize,
    pub(super) block: Block,
}

impl DictionaryBlock {
    pub(super) fn index(&self) -> BlockIndex {
        BlockIndex::Dictionary(self.block_idx)
    }
}

impl DictionaryBodies {
    pub(super) fn new(blocks: &[Block]) -> DictionaryBodies {
        let mut bodies: Vec<(u64, u64)> =
            blocks.iter().map(|block| (block.body_position(), block.n_body_bytes())).collect();
        bodies.sort_unstable();
        let mut sum = 0u64;
        for (_, n_bytes) in &mut bodies {
            // No overflow: all blocks together are no longer than the file.
            sum += *n_bytes;
            *n_bytes = sum;
        }
        DictionaryBodies(bodies)
    }

    /// The sum of the lengths of the bodies that begin in a range of the file.
    fn n_bytes_in(&self, range: &Range<u64>) -> u64 {
        let n_before = |position: u64| {
            let n_bodies = self.0.partition_point(|(start, _)| *start < position);
            n_bodies.checked_sub(1).and_then(|last| self.0.get(last)).map_or(0, |(_, sum)| *sum)
        };
        n_before(range.end) - n_before(range.start)
    }

    /// Copies the body of a dictionary if less than half of the memory around it belongs to dictionaries. Without the
    /// copy, the dictionary would keep all of this memory, as it does if copies are refused.
    pub(super) fn detach(
        &self,
        body: &mut Buffer,
        range: &Range<u64>,
        bytes: &ProvidedRanges,
        message_decoder: &MessageDecoder,
    ) -> Result<()> {
        let options = message_decoder.options();
        let Some(part) = bytes.part_around(range) else { return Ok(()) };
        if options.copies == Copies::Refused {
            return Ok(());
        }
        let n_rest_bytes = (part.end - part.start).saturating_sub(self.n_bytes_in(&part));
        if n_rest_bytes > (part.end - part.start) / 2 {
            message_decoder.counters().detached(body.len());
            *body = Buffer::try_copy_in(body, options.memory_budget())?;
        }
        Ok(())
    }
}

/// The id and the kind of a dictionary message.
///
/// # Errors
/// If the message is a record batch.
pub(super) fn dictionary_of(message: &BatchView) -> Result<DictionaryHeader> {
    message.dictionary().ok_or_else(|| {
        let (expected, found) = ("a dictionary batch", MessageKind::RecordBatch);
        FormatErrorKind::UnexpectedMessage { expected, found }.into()
    })
}
