//! The metadata of a file's blocks, read once and kept.

use std::{
    ops::Range,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_buffer::Buffer;

use super::{decoder::FileShared, provided::Provided};
use crate::{
    error::{BlockIndex, IpcErrorKind, Result},
    file::footer::{Block, Footer, Layouts},
    limits::Limits,
    message::BatchMessage,
    protocol::MessageKind,
};

/// The metadata that has been read, up to a number of bytes.
#[derive(Debug, Default)]
pub(super) struct KeptMetadata {
    batches: CachedMessages,
    dictionaries: CachedMessages,
    n_bytes_left: AtomicU64,
}

/// Empty until the message is read; `None` if there was no room to keep it. Its length is always the same, and the room
/// does not grow, so it is not tried again.
type CachedMessage = OnceLock<Option<Arc<BatchMessage>>>;

/// Metadata for one list of blocks. Memory is allocated in groups when a place of the group is needed.
#[derive(Debug, Default)]
struct CachedMessages(Box<[OnceLock<Box<[CachedMessage; GROUP_PLACES]>>]>);

/// How many places a group has.
const GROUP_PLACES: usize = 32;

impl CachedMessages {
    fn new(n_blocks: usize) -> CachedMessages {
        CachedMessages((0..n_blocks.div_ceil(GROUP_PLACES)).map(|_| OnceLock::new()).collect())
    }

    /// The metadata of a block, if it is kept.
    fn get(&self, idx: usize) -> Option<&Option<Arc<BatchMessage>>> {
        self.0.get(idx / GROUP_PLACES)?.get()?.get(idx % GROUP_PLACES)?.get()
    }

    /// The place for the metadata of a block.
    fn place(&self, idx: usize) -> Option<&CachedMessage> {
        let group = self.0.get(idx / GROUP_PLACES)?;
        group.get_or_init(|| Box::new([const { OnceLock::new() }; GROUP_PLACES])).get(idx % GROUP_PLACES)
    }
}

impl KeptMetadata {
    pub(super) fn new(footer: &Footer, max_bytes: u64) -> KeptMetadata {
        let batches = CachedMessages::new(footer.n_batches());
        KeptMetadata { batches, ..KeptMetadata::of_dictionaries(footer, max_bytes) }
    }

    /// Keeps only dictionary messages, for a file in memory. Each batch needs its message once. Dictionary messages are
    /// needed twice: to find dictionaries, and to read them.
    pub(super) fn of_dictionaries(footer: &Footer, max_bytes: u64) -> KeptMetadata {
        KeptMetadata {
            batches: CachedMessages::default(),
            dictionaries: CachedMessages::new(footer.dictionary_blocks().len()),
            n_bytes_left: AtomicU64::new(max_bytes),
        }
    }

    /// Keeps the message of the only batch, however long it is.
    pub(super) fn of_message(message: BatchMessage) -> KeptMetadata {
        let batches = CachedMessages::new(1);
        if let Some(place) = batches.place(0) {
            place.get_or_init(|| Some(Arc::new(message)));
        }
        KeptMetadata { batches, ..KeptMetadata::default() }
    }

    /// The list with the message of a block, and its number there.
    fn places(&self, block: BlockIndex) -> (&CachedMessages, usize) {
        match block {
            BlockIndex::RecordBatch(idx) => (&self.batches, idx),
            BlockIndex::Dictionary(idx) => (&self.dictionaries, idx),
        }
    }

    fn has_room(&self, n_bytes: u64) -> bool {
        self.n_bytes_left.load(Ordering::Relaxed) >= n_bytes
    }

    /// Keeps a message if there is room. If several threads read the same message, it is only counted once.
    fn keep(&self, block: BlockIndex, message: &Arc<BatchMessage>) {
        let n_bytes = message.n_kept_bytes();
        let spend = |left: u64| left.checked_sub(n_bytes);
        let pay = || self.n_bytes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_ok();
        let (places, idx) = self.places(block);
        if let Some(place) = places.place(idx) {
            place.get_or_init(|| pay().then(|| Arc::clone(message)));
        }
    }
}

impl FileShared {
    /// The message of a record batch, if it is kept.
    pub(super) fn kept_batch(&self, batch_idx: usize) -> Option<Arc<BatchMessage>> {
        self.kept.batches.get(batch_idx)?.clone()
    }

    /// The message of a block; `None` if its metadata has not been provided yet.
    pub(super) fn message(
        &self,
        index: BlockIndex,
        block: &Block,
        bytes: &mut Provided,
        limits: &Limits,
    ) -> Result<Option<Arc<BatchMessage>>> {
        let (places, idx) = self.kept.places(index);
        if let Some(Some(kept)) = places.get(idx) {
            return Ok(Some(Arc::clone(kept)));
        }
        let range = block.metadata_range();
        let is_in_base = bytes.is_in_base(&range);
        let Some(found) = self.metadata(index, range, bytes)? else { return Ok(None) };
        let mut message = BatchMessage::parse(block.metadata(&found, limits)?, limits)?;
        if !self.kept.has_room(message.n_kept_bytes()) {
            return Ok(Some(Arc::new(message)));
        }
        if !is_in_base {
            // What was fetched with the metadata may be large.
            message = message.into_copied();
        }
        let message = Arc::new(message);
        self.kept.keep(index, &message);
        Ok(Some(message))
    }

    /// The bytes of a block's metadata. They are compared with the layout in the footer, or taken from it if layouts are
    /// believed.
    fn metadata(&self, index: BlockIndex, range: Range<u64>, bytes: &mut Provided) -> Result<Option<Buffer>> {
        let BlockIndex::RecordBatch(batch_idx) = index else { return Ok(bytes.take(range)) };
        let Some(layouts) = self.layouts() else { return Ok(bytes.take(range)) };
        if self.believes_layouts && bytes.find(&range).is_none() {
            return Ok(layouts.metadata_of(batch_idx).cloned());
        }
        let found = bytes.take(range);
        found.iter().try_for_each(|found| layouts.check(batch_idx, found))?;
        Ok(found)
    }

    pub(crate) fn layouts(&self) -> Option<&Layouts> {
        self.layouts.get_or_init(|| Layouts::find(&self.footer)).as_ref()
    }

    /// The message of a record batch according to the footer.
    pub(super) fn likely_batch(&self, batch_idx: usize, limits: &Limits) -> Option<BatchMessage> {
        let block = self.footer.batch(batch_idx)?;
        let metadata = self.layouts()?.metadata_of(batch_idx)?;
        BatchMessage::parse(block.metadata(metadata, limits).ok()?, limits).ok()
    }

    /// The message of a record batch.
    pub(crate) fn record_batch(
        &self,
        index: BlockIndex,
        block: &Block,
        bytes: &mut Provided,
        limits: &Limits,
    ) -> Result<Option<Arc<BatchMessage>>> {
        let message = self.message(index, block, bytes, limits)?;
        if message.as_ref().is_some_and(|message| message.dictionary().is_some()) {
            let (expected, found) = ("a record batch", MessageKind::DictionaryBatch);
            return Err(IpcErrorKind::UnexpectedMessage { expected, found }.into());
        }
        if let (Some(message), BlockIndex::RecordBatch(batch_idx)) = (&message, index) {
            self.footer.check_n_rows(batch_idx, message.n_rows())?;
        }
        Ok(message)
    }
}
