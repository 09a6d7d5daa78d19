//! Bytes in memory that were fetched before they are read.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
};

use arrow_buffer::Buffer;

use super::RangePlanner;

/// Bytes in memory, by their position. The oldest bytes are dropped first.
#[derive(Debug, Default)]
pub(super) struct RangeCache {
    pieces: BTreeMap<u64, Buffer>,
    /// The starts of the pieces, the oldest first. May have starts of pieces that were dropped.
    order: VecDeque<u64>,
    n_bytes: u64,
}

impl RangeCache {
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    pub(super) fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// The bytes of a range; `None` if they are not in memory.
    pub(super) fn find(&self, range: &Range<u64>) -> Option<Buffer> {
        /// The number of buffers that are searched, from the start of the range backwards. The first is mostly
        /// enough; more are needed if one buffer is inside another.
        const MAX_AROUND: usize = 4;
        let n_bytes = range.end.checked_sub(range.start)?;
        let mut before = self.pieces.range(..=range.start).rev().take(MAX_AROUND);
        before.find_map(|(start, piece)| piece.try_slice(range.start.checked_sub(*start)?, n_bytes).ok())
    }

    /// Adds a piece, unless a longer one begins at the same position.
    pub(super) fn insert(&mut self, start: u64, piece: Buffer) {
        if self.pieces.get(&start).is_some_and(|longer| longer.len() >= piece.len()) {
            return;
        }
        let n_bytes = piece.len() as u64;
        match self.pieces.insert(start, piece) {
            Some(replaced) => self.n_bytes = self.n_bytes.saturating_sub(replaced.len() as u64),
            None => self.order.push_back(start),
        }
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        while self.n_bytes > RangePlanner::MAX_BYTES || self.order.len() > 2 * RangePlanner::MAX_RANGES {
            let Some(oldest) = self.order.pop_front() else { return };
            self.remove(oldest);
        }
    }

    /// Drops the pieces that end at or before a position, in the order in which they were inserted.
    pub(super) fn release_before(&mut self, position: u64) {
        while let Some(oldest) = self.order.front().copied() {
            if self.pieces.get(&oldest).is_some_and(|piece| end_of(oldest, piece) > position) {
                return;
            }
            self.order.pop_front();
            self.remove(oldest);
        }
    }

    fn remove(&mut self, start: u64) {
        let n_bytes = self.pieces.remove(&start).map_or(0, |piece| piece.len() as u64);
        self.n_bytes = self.n_bytes.saturating_sub(n_bytes);
    }
}

fn end_of(start: u64, piece: &Buffer) -> u64 {
    start.saturating_add(piece.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded() {
        let mut cache = RangeCache::default();
        let piece = Buffer::zeroed(1 << 20);
        for idx in 0..200 {
            cache.insert(idx << 20, piece.clone());
            assert!(cache.n_bytes <= RangePlanner::MAX_BYTES && cache.pieces.len() == cache.order.len());
        }
        assert!(cache.find(&(199 << 20..200 << 20)).is_some() && cache.find(&(0..9)).is_none());
    }

    #[test]
    fn a_shorter_piece_replaces_no_longer_one() {
        let mut cache = RangeCache::default();
        for n_bytes in [10, 30, 20] {
            cache.insert(8, Buffer::zeroed(n_bytes));
        }
        assert_eq!((cache.n_bytes, cache.n_pieces(), cache.order.len()), (30, 1, 1));
        assert!(cache.find(&(8..38)).is_some());
    }

    #[test]
    fn a_reader_that_does_not_go_back_holds_what_is_after_it() {
        let mut cache = RangeCache::default();
        for idx in 0..10 {
            cache.insert(idx * 100, Buffer::zeroed(100));
        }
        cache.release_before(450);
        assert_eq!((cache.n_bytes, cache.n_pieces()), (600, 6));
        assert!(cache.find(&(400..500)).is_some() && cache.find(&(300..301)).is_none());
        cache.release_before(u64::MAX);
        assert_eq!((cache.n_bytes, cache.n_pieces(), cache.order.len()), (0, 0, 0));
    }
}
