//! Fetches ranges of a source together in advance, if requests have a high latency.

use std::{
    collections::{BTreeMap, VecDeque},
    iter,
    ops::Range,
};

use arrow_buffer::Buffer;
use arrow_ipc::FetchCost;

/// The limit for bytes that are fetched at once, and for bytes in memory.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// The maximal number of ranges that are fetched at once, because each takes additional memory.
pub(crate) const MAX_RANGES: usize = 1 << 16;

/// The maximal length of a joined request. Longer requests save no time.
const FULL_REQUEST_BYTES: u64 = 4 << 20;

/// Bytes in memory that were fetched, by their position. The oldest bytes are dropped first.
#[derive(Debug, Default)]
pub(crate) struct RangeCache {
    pieces: BTreeMap<u64, Buffer>,
    order: VecDeque<u64>,
    n_bytes: u64,
    /// The end of the last fetched range.
    last_end: u64,
    n_ahead_bytes: u64,
}

/// A request, and the needed ranges inside it, in order of their starts.
#[derive(Debug)]
pub(crate) struct GatheredRequest {
    pub(crate) range: Range<u64>,
    wanted: Vec<Range<u64>>,
}

/// Plans the requests for some ranges. Two ranges are joined if one request is cheaper than two. Each inner list has
/// requests to make at the same time.
pub(crate) fn requests_for(mut ranges: Vec<Range<u64>>, cost: &FetchCost) -> Vec<Vec<GatheredRequest>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    let merged = cost.joined(ranges.clone(), FULL_REQUEST_BYTES);
    let mut ranges = ranges.into_iter().peekable();
    let requests = merged.into_iter().map(|range| {
        let wanted = iter::from_fn(|| ranges.next_if(|wanted| wanted.start < range.end)).collect();
        GatheredRequest { range, wanted }
    });
    let mut groups = Vec::<Vec<GatheredRequest>>::new();
    let mut n_group_bytes = 0u64;
    for request in requests {
        let n_bytes = n_bytes_of(&request.range);
        n_group_bytes = n_group_bytes.saturating_add(n_bytes);
        match groups.last_mut() {
            Some(group) if n_group_bytes <= MAX_BYTES => group.push(request),
            Some(_) | None => {
                n_group_bytes = n_bytes;
                groups.push(vec![request]);
            }
        }
    }
    groups
}

impl RangeCache {
    /// The number of bytes in memory.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The number of buffers in memory.
    pub(crate) fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// The bytes of a range; `None` if they are not in memory.
    pub(crate) fn find(&self, range: &Range<u64>) -> Option<Buffer> {
        /// The number of buffers that are searched, from the start of the range backwards. The first is mostly
        /// enough; more are needed if one buffer is inside another.
        const MAX_AROUND: usize = 4;
        let n_bytes = range.end.checked_sub(range.start)?;
        let mut before = self.pieces.range(..=range.start).rev().take(MAX_AROUND);
        before.find_map(|(start, piece)| piece.try_slice(range.start.checked_sub(*start)?, n_bytes).ok())
    }

    /// The range to fetch for a short range that is not in memory. If it continues the last range, with at most a
    /// small gap, the fetched range is twice as long as the last fetched range, up to 64 MiB.
    pub(super) fn read_on(
        &mut self,
        range: &Range<u64>,
        cost: &FetchCost,
        n_source_bytes: u64,
    ) -> Range<u64> {
        const SHORT_BYTES: u64 = 1 << 20;
        /// The number of bytes before the range that are fetched with it, because readers may go back a little.
        const BEFORE_BYTES: u64 = 4 << 10;
        let n_bytes = n_bytes_of(range);
        let after = self.last_end..=self.last_end.saturating_add(cost.n_bytes_per_request());
        let goes_on = after.contains(&range.start) || (range.start..=range.end).contains(&self.last_end);
        if !goes_on || range.start == 0 || n_bytes > SHORT_BYTES {
            self.last_end = range.end;
            self.n_ahead_bytes = n_bytes;
            return range.clone();
        }
        self.n_ahead_bytes = self.n_ahead_bytes.max(n_bytes).saturating_mul(2).min(MAX_BYTES);
        let start = range.start.saturating_sub(BEFORE_BYTES);
        self.last_end = start.saturating_add(self.n_ahead_bytes).min(n_source_bytes).max(range.end);
        start..self.last_end
    }

    /// Stores the needed ranges of a request in memory, and drops the bytes between them. Stores nothing if `bytes`
    /// has the wrong length.
    pub(crate) fn add(&mut self, request: &GatheredRequest, bytes: &Buffer) {
        let n_request_bytes = n_bytes_of(&request.range);
        if bytes.len() as u64 != n_request_bytes {
            return;
        }
        let n_wanted = request.wanted.iter().map(n_bytes_of).fold(0u64, u64::saturating_add);
        let is_sparse = n_wanted < n_request_bytes / 2;
        for range in &request.wanted {
            let at = range.start.saturating_sub(request.range.start);
            let Ok(piece) = bytes.try_slice(at, n_bytes_of(range)) else { continue };
            let piece = if is_sparse { Buffer::copy_from(&piece) } else { piece };
            self.keep(range.start, piece);
        }
    }

    fn keep(&mut self, start: u64, piece: Buffer) {
        let n_bytes = piece.len() as u64;
        let replaced = self.pieces.insert(start, piece);
        match replaced {
            Some(replaced) => self.n_bytes = self.n_bytes.saturating_sub(replaced.len() as u64),
            None => self.order.push_back(start),
        }
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        while self.n_bytes > MAX_BYTES || self.order.len() > 2 * MAX_RANGES {
            let Some(oldest) = self.order.pop_front() else { return };
            let gone = self.pieces.remove(&oldest).map_or(0, |piece| piece.len() as u64);
            self.n_bytes = self.n_bytes.saturating_sub(gone);
        }
    }
}

pub(super) fn n_bytes_of(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_kept() {
        let mut gathered = RangeCache::default();
        let piece = Buffer::zeroed(1 << 20);
        for idx in 0..200 {
            gathered.keep(idx << 20, piece.clone());
            assert!(gathered.n_bytes <= MAX_BYTES && gathered.pieces.len() == gathered.order.len());
        }
        assert!(gathered.find(&(199 << 20..200 << 20)).is_some() && gathered.find(&(0..9)).is_none());
    }
}
