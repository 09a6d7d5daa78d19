//! What all decoders and plans of a file share.

use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use arrow_buffer::MemoryBudget;

use super::{
    dictionary_blocks::DictionaryBlocks,
    metadata::MetadataCache,
    plan::{MessageLocation, located},
    provided_ranges::ProvidedRanges,
    walk::StreamMessages,
};
use crate::{
    error::{BlockIndex, FormatErrorKind, Result},
    file::footer::{Block, Footer, START_BYTES},
    source::{LocatedBytes, planner::METADATA_REQUEST_BYTES},
};
use arrow_ipc_format::{BatchView, Limits, Message, MessageKind, NextMessage};

/// The state that all decoders and plans of a file share.
#[derive(Debug)]
pub(crate) struct FileState {
    pub(crate) footer: Footer,
    pub(super) n_bytes: u64,
    /// The bytes that were read at the end of the file when it was opened, or the whole file.
    pub(super) tail: Option<LocatedBytes>,
    /// The whole file, once it was provided to a plan that needed most of it.
    pub(super) whole: OnceLock<LocatedBytes>,
    /// Decoders that were reopened with the metadata of this one share it.
    pub(super) metadata_cache: Arc<MetadataCache>,
    /// The limits for the metadata of blocks.
    pub(super) limits: Limits,
    /// The blocks of each dictionary. Set once the metadata of all dictionary batches has been read.
    pub(super) dictionary_blocks: OnceLock<DictionaryBlocks>,
    pub(super) row_ends: RowEnds,
    pub(super) origin: FileOrigin,
}

/// What is read as a file.
#[derive(Debug, Clone)]
pub(super) enum FileOrigin {
    File,
    /// A stream, whose messages a walk has found.
    Stream(StreamMessages),
    /// The body of a message. The location is that of the message in its stream.
    Body(MessageLocation),
}

impl FileState {
    /// The bytes with which all plans begin.
    pub(super) fn base(&self) -> Option<&LocatedBytes> {
        self.whole.get().or(self.tail.as_ref())
    }

    /// Whether the bytes of the whole file are stored when a plan gets them: unless the file is in memory or too long, or the budget has
    /// too little for much more than the file.
    pub(super) fn stores_whole(&self, max_bytes: u64, budget: Option<&MemoryBudget>) -> bool {
        let available =
            budget.map_or(u64::MAX, |budget| budget.limit().saturating_sub(budget.n_bytes_allocated()));
        self.n_bytes <= max_bytes && self.n_bytes <= available / 4 && !self.is_in_memory()
    }

    pub(super) fn is_in_memory(&self) -> bool {
        self.base().is_some_and(|base| base.bytes.len() as u64 == self.n_bytes)
    }

    /// The message of a record batch, if its metadata is in memory.
    pub(super) fn cached_batch(&self, batch_idx: usize) -> Option<Arc<BatchView>> {
        self.metadata_cache.batches.get(batch_idx)?.clone()
    }

    /// The message of a block. `None` if its metadata has not been provided.
    pub(super) fn message(
        &self,
        index: BlockIndex,
        block: &Block,
        bytes: &mut ProvidedRanges,
    ) -> Result<Option<Arc<BatchView>>> {
        let (messages, idx) = self.metadata_cache.messages_of(index);
        if let Some(Some(cached)) = messages.get(idx) {
            return Ok(Some(Arc::clone(cached)));
        }
        let range = block.metadata_range();
        let is_in_base = bytes.is_in_base(&range);
        let Some(found) = bytes.take(range) else { return Ok(None) };
        let mut message =
            BatchView::parse(block.message(0, &found, &self.limits)?.into_parts().0, &self.limits)?;
        if !self.metadata_cache.has_quota(message.n_memory_bytes()) {
            return Ok(Some(Arc::new(message)));
        }
        if !is_in_base {
            // The metadata is copied, since it may share memory with many bytes that were fetched in the same request.
            message = message.into_copied();
        }
        let message = Arc::new(message);
        self.metadata_cache.keep(index, &message);
        Ok(Some(message))
    }

    pub(crate) fn record_batch(
        &self,
        index: BlockIndex,
        block: &Block,
        bytes: &mut ProvidedRanges,
    ) -> Result<Option<Arc<BatchView>>> {
        let message = self.message(index, block, bytes)?;
        if message.as_ref().is_some_and(|message| message.dictionary().is_some()) {
            let (expected, found) = ("a record batch", MessageKind::DictionaryBatch);
            return Err(FormatErrorKind::UnexpectedMessage { expected, found }.into());
        }
        if let (Some(message), BlockIndex::RecordBatch(batch_idx)) = (&message, index) {
            self.footer.check_n_rows(batch_idx, message.n_rows())?;
        }
        Ok(message)
    }

    /// Adds the position of the message to an error, if the batch belongs to a stream.
    pub(super) fn located<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| located(error, self.message_location()))
    }

    /// The location of the message, if the input is the body of a message.
    pub(super) fn message_location(&self) -> Option<MessageLocation> {
        match self.origin {
            FileOrigin::Body(location) => Some(location),
            FileOrigin::File | FileOrigin::Stream(_) => None,
        }
    }

    /// The messages of the stream, if the input is a stream.
    pub(super) fn stream(&self) -> Option<&StreamMessages> {
        match &self.origin {
            FileOrigin::Stream(stream) => Some(stream),
            FileOrigin::File | FileOrigin::Body(_) => None,
        }
    }

    /// The schema message at the start of a file. Outer `None`: bytes are missing. Inner `None`: the file has no schema
    /// message.
    ///
    /// # Errors
    /// If the bytes before the footer do not begin with a message.
    pub(crate) fn schema_message(&self, bytes: &mut ProvidedRanges) -> Result<Option<Option<Message>>> {
        let footer_start = self.footer.position();
        let fetch = |range: Range<u64>| -> Result<_> {
            let found = bytes.take(range.clone());
            if found.is_none() && range.start == START_BYTES {
                bytes.hint(START_BYTES..footer_start.min(START_BYTES + METADATA_REQUEST_BYTES));
            }
            Ok(found)
        };
        Ok(match NextMessage::read(0, START_BYTES..footer_start, &self.limits, fetch)? {
            None => None,
            Some(NextMessage::Message(message)) if message.kind() == MessageKind::Schema => {
                Some(Some(message))
            }
            Some(NextMessage::Message(_) | NextMessage::EndMarker { .. } | NextMessage::EndOfBytes) => {
                Some(None)
            }
        })
    }

    /// Whether the bytes of a dictionary message are in memory. If not, requests them.
    pub(super) fn find_dictionary(&self, block_idx: usize, bytes: &mut ProvidedRanges) -> bool {
        match self.footer.dictionary_blocks().get(block_idx) {
            Some(block) => bytes.take(block.range()).is_some(),
            None => true,
        }
    }
}

/// Where the rows of the first batches end, counted over all batches. These batches are not counted again.
#[derive(Debug, Default)]
pub(super) struct RowEnds(Mutex<Vec<u64>>);

impl RowEnds {
    fn lock(&self) -> MutexGuard<'_, Vec<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first batch that may have this row or a later one, and the number of rows before the batch.
    pub(super) fn batch_from(&self, row: u64) -> (usize, u64) {
        let ends = self.lock();
        let batch_idx = ends.partition_point(|end| *end <= row);
        let n_before = batch_idx.checked_sub(1).and_then(|before| ends.get(before));
        (batch_idx, n_before.copied().unwrap_or_default())
    }

    /// The number of rows of a batch, if it has been counted.
    pub(super) fn n_rows_of(&self, batch_idx: usize) -> Option<u64> {
        let ends = self.lock();
        let n_before = batch_idx.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied())?;
        ends.get(batch_idx)?.checked_sub(n_before)
    }

    /// Remembers where the rows of a batch end, if it is the next one. Without memory, it is counted again.
    pub(super) fn keep(&self, batch_idx: usize, end: u64) {
        let mut ends = self.lock();
        if ends.len() == batch_idx && ends.try_reserve(1).is_ok() {
            ends.push(end);
        }
    }
}
