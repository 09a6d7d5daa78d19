//! Caches the metadata of blocks.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use crate::{error::BlockIndex, file::footer::Footer};
use arrow_ipc_format::BatchView;

/// The messages of blocks that have been read, up to a total number of bytes.
#[derive(Debug, Default)]
pub(super) struct MetadataCache {
    pub(super) batches: CachedMessages,
    dictionaries: CachedMessages,
    n_bytes_left: AtomicU64,
}

/// Empty before the message is read. `None` if the quota did not suffice for the message; the reader does not try again.
type CachedMessage = OnceLock<Option<Arc<BatchView>>>;

/// The cached messages of one list of blocks. Memory is allocated for a group of blocks when one of them is first needed.
#[derive(Debug, Default)]
pub(super) struct CachedMessages(Box<[OnceLock<Box<[CachedMessage; GROUP_SLOTS]>>]>);

/// The number of blocks in a group.
const GROUP_SLOTS: usize = 32;

impl CachedMessages {
    fn new(n_blocks: usize) -> CachedMessages {
        CachedMessages((0..n_blocks.div_ceil(GROUP_SLOTS)).map(|_| OnceLock::new()).collect())
    }

    /// The cached message of a block. The outer `None` means that the message has not been read.
    pub(super) fn get(&self, idx: usize) -> Option<&Option<Arc<BatchView>>> {
        self.0.get(idx / GROUP_SLOTS)?.get()?.get(idx % GROUP_SLOTS)?.get()
    }

    fn slot(&self, idx: usize) -> Option<&CachedMessage> {
        let group = self.0.get(idx / GROUP_SLOTS)?;
        group.get_or_init(|| Box::new([const { OnceLock::new() }; GROUP_SLOTS])).get(idx % GROUP_SLOTS)
    }
}

impl MetadataCache {
    pub(super) fn new(footer: &Footer, max_bytes: u64) -> MetadataCache {
        let batches = CachedMessages::new(footer.n_batches());
        MetadataCache { batches, ..MetadataCache::for_dictionaries(footer, max_bytes) }
    }

    /// Caches only dictionary messages, for a file in memory. They are used twice: to find dictionaries, and to read
    /// them. A message of a record batch is used once.
    pub(super) fn for_dictionaries(footer: &Footer, max_bytes: u64) -> MetadataCache {
        MetadataCache {
            batches: CachedMessages::default(),
            dictionaries: CachedMessages::new(footer.dictionary_blocks().len()),
            n_bytes_left: AtomicU64::new(max_bytes),
        }
    }

    /// Caches the message of the only batch, without a limit.
    pub(super) fn from_message(message: BatchView) -> MetadataCache {
        let batches = CachedMessages::new(1);
        if let Some(slot) = batches.slot(0) {
            slot.get_or_init(|| Some(Arc::new(message)));
        }
        MetadataCache { batches, ..MetadataCache::default() }
    }

    /// The list with the messages of this kind of block, and the index in the list.
    pub(super) fn messages_of(&self, block: BlockIndex) -> (&CachedMessages, usize) {
        match block {
            BlockIndex::RecordBatch(idx) => (&self.batches, idx),
            BlockIndex::Dictionary(idx) => (&self.dictionaries, idx),
        }
    }

    pub(super) fn has_quota(&self, n_bytes: u64) -> bool {
        self.n_bytes_left.load(Ordering::Relaxed) >= n_bytes
    }

    /// Caches a message if the quota suffices. If several threads read the same message, it counts once.
    pub(super) fn keep(&self, block: BlockIndex, message: &Arc<BatchView>) {
        let n_bytes = message.n_memory_bytes();
        let spend = |left: u64| left.checked_sub(n_bytes);
        let pay = || self.n_bytes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_ok();
        let (messages, idx) = self.messages_of(block);
        if let Some(slot) = messages.slot(idx) {
            slot.get_or_init(|| pay().then(|| Arc::clone(message)));
        }
    }
}
