//! Reuses the memory of rebuilt buffers for the next message.

use std::collections::VecDeque;

use arrow_buffer::{Buffer, BufferMut};

/// The maximum length of retained memory. Longer memory is freed, since the system can quickly provide huge pages.
const MAX_RETAINED_BYTES: usize = 64 << 20;

/// The memory of the buffers that the last message rebuilt, in order. Batches of one schema mostly rebuild the same
/// buffers, so the memory need not be allocated and cleared again.
#[derive(Debug, Default)]
pub(super) struct RebuiltMemory {
    retained: VecDeque<BufferMut>,
}

impl RebuiltMemory {
    /// Retains the memory of these buffers if nothing else refers to it, and drops the memory retained before.
    pub(super) fn keep(&mut self, buffers: impl Iterator<Item = Buffer>) {
        self.retained.clear();
        let mut n_bytes = 0usize;
        for memory in buffers.filter_map(|buffer| buffer.try_recycle().ok()) {
            n_bytes += memory.capacity();
            if n_bytes > MAX_RETAINED_BYTES {
                return;
            }
            self.retained.push_back(memory);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.retained.is_empty()
    }

    /// Memory for `n_bytes`: the next retained memory if its length fits, or new memory.
    pub(super) fn take(&mut self, n_bytes: usize) -> BufferMut {
        let fits = |memory: &BufferMut| (n_bytes..=n_bytes.saturating_mul(2)).contains(&memory.capacity());
        self.retained.pop_front().filter(fits).unwrap_or_else(|| BufferMut::with_capacity(n_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_retained_bytes(memory: &RebuiltMemory) -> usize {
        memory.retained.iter().map(BufferMut::capacity).sum()
    }

    #[test]
    fn retained_memory_is_bounded_and_of_the_last_call() {
        let buffers = |sizes: &[usize]| sizes.iter().map(|n| Buffer::zeroed(n << 20)).collect::<Vec<_>>();
        let mut memory = RebuiltMemory::default();
        memory.keep(buffers(&[40, 20, 10]).into_iter());
        assert_eq!(memory.retained.len(), 2);
        assert!((60 << 20..=MAX_RETAINED_BYTES).contains(&n_retained_bytes(&memory)));
        memory.keep(buffers(&[1]).into_iter());
        assert!((1 << 20..2 << 20).contains(&n_retained_bytes(&memory)));
        memory.keep(buffers(&[65]).into_iter());
        assert!(memory.is_empty());
    }
}
