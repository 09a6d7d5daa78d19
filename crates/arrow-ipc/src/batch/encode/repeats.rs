//! Finds buffers of a message that have the same memory, so that their bytes are written once.

use std::{
    collections::HashMap,
    mem::{Discriminant, discriminant},
};

use arrow_buffer::Buffer;
use arrow_data::Swap;

/// The buffers of a message by their memory, each with its position. They are retained until [`clear`](Self::clear), so no
/// address is reused: some of them belong to arrays that the walk makes and drops before the message is complete.
#[derive(Debug, Default)]
pub(crate) struct RepeatedBuffers {
    by_memory: HashMap<MemoryKey, (usize, Buffer)>,
}

/// The memory of a buffer, and the kind of its words if their byte order may change.
type MemoryKey = (BufferMemory, Option<Discriminant<Swap>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BufferMemory {
    address: usize,
    bit_offset: usize,
    n_bits: usize,
}

/// Buffers of fewer bits are written each time, since a reference to them saves nothing.
const MIN_BITS: usize = 64 * 8;

impl BufferMemory {
    pub(super) fn from_bits(buffer: &Buffer, bit_offset: usize, n_bits: usize) -> BufferMemory {
        let address = buffer.as_ptr().addr().wrapping_add(bit_offset / 8);
        BufferMemory { address, bit_offset: bit_offset % 8, n_bits }
    }

    pub(super) fn from_bytes(buffer: &Buffer, start: usize, end: usize) -> BufferMemory {
        BufferMemory::from_bits(buffer, start.saturating_mul(8), (end - start).saturating_mul(8))
    }
}

impl RepeatedBuffers {
    /// Removes all buffers. Must be called after each message, even if it fails.
    #[inline]
    pub(crate) fn clear(&mut self) {
        // Few writers have any.
        if !self.by_memory.is_empty() {
            self.by_memory.clear();
        }
    }

    /// Returns the position of an earlier buffer with this memory and this kind of words. If there is none, stores
    /// `position` and returns `None`. The memory must lie in `buffer`.
    pub(super) fn find_or_add(
        &mut self,
        memory: BufferMemory,
        buffer: &Buffer,
        swap: Swap,
        position: usize,
    ) -> Option<usize> {
        if memory.n_bits < MIN_BITS {
            return None;
        }
        // Buffers without words are never swapped, so their kind of words does not matter.
        let swap = swap.changes_bytes().then(|| discriminant(&swap));
        let (earlier, _) = self.by_memory.entry((memory, swap)).or_insert_with(|| (position, buffer.clone()));
        (*earlier != position).then_some(*earlier)
    }
}
