//! Who owns the memory of buffers. Nothing in here writes to it.

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
    /// Anything else that can show bytes.
    Foreign(Box<dyn AsRef<[u8]> + Send + Sync>),
}
