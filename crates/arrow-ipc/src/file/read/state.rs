//! What all decoders and plans of a file share.

use std::sync::{Arc, OnceLock};

use super::{
    dictionary_blocks::DictionaryBlocks,
    metadata::MetadataCache,
    plan::{MessageLocation, located},
    provided_ranges::ProvidedRanges,
    row_ends::RowEnds,
    walk::StreamMessages,
};
use crate::{
    error::{BlockIndex, FormatErrorKind, Result},
    file::footer::{Block, Footer},
    source::LocatedBytes,
};
use arrow_ipc_format::{BatchView, Limits, MessageKind};

/// The state that all decoders and plans of a file share.
#[derive(Debug)]
pub(crate) struct FileState {
    pub(crate) footer: Footer,
    pub(super) n_bytes: u64,
    /// The bytes that were read at the end of the file, or the whole file.
    pub(super) base: Option<LocatedBytes>,
    pub(super) metadata_cache: MetadataCache,
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
}
