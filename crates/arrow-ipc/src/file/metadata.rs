//! The metadata of a file's blocks, read once and kept.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use super::{block::Block, decoder::FileShared, footer::Footer, provided::Provided};
use crate::{
    error::{BlockIndex, IpcErrorKind, Result},
    limits::Limits,
    message::{BatchMessage, Head},
    protocol::MessageKind,
};

/// What has been read of all blocks, up to a number of bytes.
#[derive(Debug, Default)]
pub(super) struct KeptMetadata {
    batches: Box<[OnceLock<Box<Head>>]>,
    dictionaries: Box<[OnceLock<Box<Head>>]>,
    n_bytes_left: AtomicU64,
}

impl KeptMetadata {
    pub(super) fn new(footer: &Footer, max_bytes: u64) -> KeptMetadata {
        let places = |blocks: &[Block]| blocks.iter().map(|_| OnceLock::new()).collect();
        KeptMetadata {
            batches: places(footer.batches()),
            dictionaries: places(footer.dictionaries()),
            n_bytes_left: AtomicU64::new(max_bytes),
        }
    }

    fn place(&self, block: BlockIndex) -> Option<&OnceLock<Box<Head>>> {
        match block {
            BlockIndex::RecordBatch(idx) => self.batches.get(idx),
            BlockIndex::Dictionary(idx) => self.dictionaries.get(idx),
        }
    }

    /// Keeps a copy: what was fetched along with the metadata may be large.
    fn keep(&self, block: BlockIndex, head: &Head) {
        let n_bytes = head.metadata().len() as u64;
        let spend = |left: u64| left.checked_sub(n_bytes);
        let Some(place) = self.place(block).filter(|place| place.get().is_none()) else { return };
        if self.n_bytes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_ok() {
            // Another thread may have been faster, with the same.
            place.get_or_init(|| Box::new(head.copied()));
        }
    }
}

impl FileShared {
    /// The metadata of a block; `None` if it has not been provided yet.
    pub(super) fn message(
        &self,
        (index, block): (BlockIndex, &Block),
        bytes: &mut Provided,
        limits: &Limits,
    ) -> Result<Option<Head>> {
        if let Some(kept) = self.kept.place(index).and_then(OnceLock::get) {
            return Ok(Some(Head::clone(kept)));
        }
        let range = block.metadata_range();
        let is_in_base = bytes.is_in_base(&range);
        let Some(found) = bytes.take(range) else { return Ok(None) };
        let head = block.metadata(found, limits)?;
        if !is_in_base {
            self.kept.keep(index, &head);
        }
        Ok(Some(head))
    }
}

/// What a record batch says.
///
/// # Errors
/// If it is malformed, or no record batch.
pub(super) fn record_batch<'a>(head: &'a Head, limits: &'a Limits) -> Result<BatchMessage<'a>> {
    let message = head.batch(limits)?;
    if message.dictionary.is_some() {
        let (expected, found) = ("a record batch", MessageKind::DictionaryBatch);
        return Err(IpcErrorKind::UnexpectedMessage { expected, found }.into());
    }
    Ok(message)
}
