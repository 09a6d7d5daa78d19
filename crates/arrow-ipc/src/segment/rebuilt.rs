//! The memory of buffers that were rebuilt, for those of the next message.

use std::collections::VecDeque;

use arrow_buffer::{Buffer, BufferMut};

/// More is freed: the system provides so much again quickly, in huge pages.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Memory of the buffers that the last call rebuilt, in their order. Batches of one schema mostly rebuild the same ones, so
/// what has been used once is neither allocated nor cleared again.
#[derive(Debug, Default)]
pub(super) struct RebuiltMemory {
    kept: VecDeque<BufferMut>,
}

impl RebuiltMemory {
    /// Keeps the memory of these buffers, as far as nobody else refers to it, instead of what was kept before.
    pub(super) fn keep(&mut self, buffers: impl Iterator<Item = Buffer>) {
        self.kept.clear();
        let mut n_bytes = 0usize;
        for memory in buffers.filter_map(|buffer| buffer.try_recycle().ok()) {
            n_bytes = n_bytes.saturating_add(memory.capacity());
            if n_bytes > MAX_KEPT_BYTES {
                return;
            }
            self.kept.push_back(memory);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Room for `n_bytes`, and not much more.
    pub(super) fn take(&mut self, n_bytes: usize) -> BufferMut {
        let fits = |memory: &BufferMut| (n_bytes..=n_bytes.saturating_mul(2)).contains(&memory.capacity());
        self.kept.pop_front().filter(fits).unwrap_or_else(|| BufferMut::with_capacity(n_bytes))
    }
}
