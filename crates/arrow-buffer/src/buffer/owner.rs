//! Who owns the memory of buffers. Nothing in here writes to it.

use std::sync::Arc;

use crate::budget::Charge;
use crate::buffer::vec::VecMemory;
use crate::memory::Memory;

/// The owner of memory that buffers refer to; dropped with the last of them.
pub(super) enum Owner {
    /// Memory that was built by a `BufferMut`.
    Memory(Memory),
    /// The memory of a `Vec`.
    Vec(VecMemory),
    /// A mapped file.
    #[cfg(feature = "mmap")]
    Map(#[expect(dead_code, reason = "kept for its drop")] memmap2::Mmap),
    /// Any other owner of bytes.
    Foreign(Box<dyn ShowBytes>),
    /// Another owner, or static memory, and what buffers over it are charged.
    Charged(#[expect(dead_code, reason = "kept for its drop")] (Option<Arc<Owner>>, Charge)),
    /// What keeps memory alive without showing it; see `foreign.rs`.
    Kept(#[expect(dead_code, reason = "kept for its drop")] Arc<dyn Send + Sync>),
}

/// Shows the bytes of an owner that is in its final place.
pub(super) trait ShowBytes: Send + Sync {
    fn bytes(&self) -> &[u8];
}

/// A foreign owner, and which of its bytes are meant.
pub(super) struct SelectedBytes<O, F> {
    pub(super) owner: O,
    pub(super) select: F,
}

impl<O: Send + Sync, F: Fn(&O) -> &[u8] + Send + Sync> ShowBytes for SelectedBytes<O, F> {
    fn bytes(&self) -> &[u8] {
        (self.select)(&self.owner)
    }
}
