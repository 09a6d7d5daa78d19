//! Counts the memory that buffers keep allocated, each byte once.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::buffer::Buffer;

/// The allocations to which buffers refer. It counts the bytes that stay allocated as long as the buffers live, each once,
/// however many buffers share them.
///
/// An allocation counts as a whole, even if buffers refer to a part of it: the capacity of a vector, all bytes of a mapped
/// file, the bytes that skip to an aligned address. Static memory does not count. Of an owner from another library that does
/// not say which memory it keeps, only the bytes of the buffers count. Memory besides the bytes, such as
/// reference counts, does not count.
///
/// The set knows allocations by their addresses, so the buffers must live as long as it is used: memory that was freed and
/// allocated again counts once.
///
/// ```
/// use arrow_buffer::{AllocationSet, Buffer};
///
/// let numbers = Buffer::from(vec![0_i64; 100]);
/// let part = numbers.slice(0..8);
/// let mut allocations = AllocationSet::new();
/// assert_eq!(allocations.insert(&part), 800);
/// assert_eq!(allocations.insert(&numbers), 0);
/// assert_eq!(allocations.n_bytes(), 800);
/// ```
#[derive(Debug, Clone, Default)]
pub struct AllocationSet {
    /// The end of each range of addresses, by its start. Ranges do not overlap.
    ranges: BTreeMap<usize, usize>,
    n_bytes: u64,
}

impl AllocationSet {
    /// A set without allocations.
    pub const fn new() -> AllocationSet {
        AllocationSet { ranges: BTreeMap::new(), n_bytes: 0 }
    }

    /// Adds the allocation to which a buffer refers. Returns the number of its bytes that were not in the set.
    pub fn insert(&mut self, buffer: &Buffer) -> u64 {
        let n_bytes = self.insert_addresses(buffer.allocation());
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        n_bytes
    }

    /// The number of bytes of all allocations.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    fn insert_addresses(&mut self, added: Range<usize>) -> u64 {
        if added.is_empty() {
            return 0;
        }
        let Range { mut start, mut end } = added;
        let mut n_known = 0_u64;
        // The ranges that overlap the new one, from the last to the first, become one range with it.
        while let Some((known_start, known_end)) = self.ranges.range(..end).next_back() {
            let (known_start, known_end) = (*known_start, *known_end);
            if known_end <= start {
                break;
            }
            if known_start <= start && end <= known_end {
                return 0;
            }
            n_known = n_known.saturating_add((known_end - known_start) as u64);
            self.ranges.remove(&known_start);
            start = start.min(known_start);
            end = end.max(known_end);
        }
        self.ranges.insert(start, end);
        ((end - start) as u64).saturating_sub(n_known)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::budget::MemoryBudget;
    use crate::buffer::mutable::BufferMut;

    #[test]
    fn overlapping_ranges_count_once() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..200 {
            let mut set = AllocationSet::new();
            let mut naive = [false; 100];
            for _ in 0..20 {
                let start = below(90) as usize;
                let end = start + below(11) as usize;
                let n_new = naive[start..end].iter().filter(|is_known| !**is_known).count();
                naive[start..end].fill(true);
                assert_eq!(set.insert_addresses(start..end), n_new as u64, "{start}..{end}");
            }
        }
    }

    #[test]
    fn each_owner_counts_what_it_keeps() {
        let n_bytes = |buffer: &Buffer| AllocationSet::new().insert(buffer);
        let mut spare = Vec::<u32>::with_capacity(50);
        spare.push(7);
        assert_eq!(n_bytes(&Buffer::from(spare)), 200);
        assert_eq!(n_bytes(&Buffer::from_static(b"forever")), 0);
        assert_eq!(n_bytes(&Buffer::new()), 0);

        // Memory for 100 bytes has 128, and 48 to find a multiple of 64 among them.
        let own = BufferMut::from(&[1_u8; 100][..]).freeze();
        assert_eq!((n_bytes(&own), n_bytes(&own.slice(7..7))), (176, 176));
        let large = Buffer::zeroed(5 << 20);
        assert!(n_bytes(&large.slice(..1)) >= 5 << 20);

        let shared: Arc<[u8]> = Arc::from([1; 30]);
        let mut set = AllocationSet::new();
        set.insert(&Buffer::from_owner(Arc::clone(&shared)));
        set.insert(&Buffer::from_owner(shared));
        assert_eq!(set.n_bytes(), 30);

        let charge = MemoryBudget::unlimited().try_charge(1).unwrap();
        assert_eq!(n_bytes(&own.with_charge(charge)), 176);
    }
}
