//! The bytes that were provided to a plan, and the ranges that the plan requests.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

use super::{
    ranges::{LaterRanges, NeededRanges},
    state::FileState,
};
use crate::{
    batch::Counters,
    error::{CopyCause, IpcErrorKind, Result},
    file::footer::{FILE_OR_STREAM, Footer, START_BYTES},
    options::{Copies, ReadOptions},
    source::LocatedBytes,
};
use arrow_ipc_format::length_of;

/// The bytes that were provided to a plan, and the ranges that the plan has requested.
#[derive(Debug)]
pub(crate) struct ProvidedRanges {
    file_bytes: u64,
    /// Bytes that all plans of a file share: the end of the file, or the whole file.
    base: Option<LocatedBytes>,
    /// The provided bytes, by their start. No part lies inside another part.
    parts: BTreeMap<u64, LocatedBytes>,
    needed: NeededRanges,
    n_needed_bytes: u64,
    /// A range that is needed in one buffer, but is not complete.
    incomplete: Option<Range<u64>>,
    /// The error of the memory budget, if it has refused memory to join a range.
    refused: Option<BudgetError>,
    /// Whether to check the magic at the start once its bytes are provided.
    has_unchecked_start: bool,
    /// Counts joined bytes.
    counters: Arc<Counters>,
    copies: Copies,
    /// Pays for joined bytes.
    budget: Option<MemoryBudget>,
    /// The length of a range that was not joined, because copies are refused.
    n_scattered_bytes: Option<u64>,
    /// The file that stores the whole bytes if they are provided; `None` if it stores none.
    whole: Option<Arc<FileState>>,
}

impl ProvidedRanges {
    pub(super) fn new(
        file_bytes: u64,
        base: Option<LocatedBytes>,
        counters: Arc<Counters>,
    ) -> ProvidedRanges {
        let parts = BTreeMap::new();
        let needed = NeededRanges::default();
        ProvidedRanges {
            file_bytes,
            base,
            parts,
            needed,
            n_needed_bytes: 0,
            incomplete: None,
            refused: None,
            has_unchecked_start: false,
            counters,
            copies: Copies::Allowed,
            budget: None,
            n_scattered_bytes: None,
            whole: None,
        }
    }

    /// Stores the whole file for later plans, if it is provided.
    pub(super) fn with_whole(self, file: &Arc<FileState>, max_bytes: u64) -> ProvidedRanges {
        let whole = file.stores_whole(max_bytes, self.budget.as_ref()).then(|| Arc::clone(file));
        ProvidedRanges { whole, ..self }
    }

    /// Sets whether ranges may be joined, and the budget for the memory that this takes.
    pub(super) fn with_options(self, options: &ReadOptions) -> ProvidedRanges {
        ProvidedRanges { copies: options.copies, ..self.with_memory_budget(options.memory_budget()) }
    }

    /// Sets the budget for the memory that joining ranges takes.
    pub(super) fn with_memory_budget(self, budget: Option<&MemoryBudget>) -> ProvidedRanges {
        ProvidedRanges { budget: budget.cloned(), ..self }
    }

    /// Makes [`check_start`](ProvidedRanges::check_start) check the magic, unless the first bytes were read when the file was
    /// opened.
    pub(super) fn with_unchecked_start(self) -> ProvidedRanges {
        // If `base` begins at 0, the magic was checked when the file was opened.
        let has_start = self.base.as_ref().is_some_and(|base| base.start == 0);
        ProvidedRanges { has_unchecked_start: !has_start, ..self }
    }

    /// Checks the magic at the start, if its bytes have been provided and it has not been checked.
    ///
    /// # Errors
    /// If the magic is wrong.
    pub(super) fn check_start(&mut self) -> Result<()> {
        if self.has_unchecked_start
            && let Some(start) = self.find(&(0..START_BYTES))
        {
            Footer::check_start(&start, FILE_OR_STREAM)?;
            self.has_unchecked_start = false;
        }
        Ok(())
    }

    pub(super) fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// Adds the bytes of a range.
    ///
    /// # Errors
    /// If the number of bytes is not the length of the range, or the range ends after the file.
    pub(super) fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        let part = LocatedBytes::try_new(range, bytes, self.file_bytes)?;
        if let Some(file) = self.whole.as_ref().filter(|_| part.bytes.len() as u64 == self.file_bytes) {
            file.whole.get_or_init(|| part.clone());
        }
        if !part.bytes.is_empty() && self.last_from(part.start).is_none_or(|last| last.end() < part.end()) {
            self.insert(part);
        }
        Ok(())
    }

    fn last_from(&self, position: u64) -> Option<&LocatedBytes> {
        self.parts.range(..=position).next_back().map(|(_, part)| part)
    }

    /// Adds a part, and removes the parts inside it. The new part must not lie inside another part.
    fn insert(&mut self, new: LocatedBytes) {
        let end = new.end();
        while let Some((start, part)) = self.parts.range(new.start..).next() {
            let start = *start;
            if part.end() > end {
                break;
            }
            self.parts.remove(&start);
        }
        self.parts.insert(new.start, new);
    }

    /// Returns the bytes of a range. If bytes are missing, requests them and returns `None`. Bytes that were provided in
    /// several buffers are copied once.
    pub(crate) fn take(&mut self, range: Range<u64>) -> Option<Buffer> {
        if range.is_empty() {
            return Some(Buffer::new());
        }
        if let Some(bytes) = self.base.as_ref().and_then(|base| base.slice(&range)) {
            return Some(bytes);
        }
        if let Some(bytes) = self.last_from(range.start).and_then(|part| part.slice(&range)) {
            return Some(bytes);
        }
        self.gather(range)
    }

    /// Joins the provided bytes of a range in one buffer. If bytes are missing, requests them and returns `None`.
    fn gather(&mut self, range: Range<u64>) -> Option<Buffer> {
        let mut position = range.start;
        let mut missing = Vec::new();
        let first = self.last_from(range.start).map_or(range.start, |part| part.start);
        for part in self.parts.range(first..range.end).map(|(_, part)| part) {
            if part.start > position {
                missing.push(position..part.start);
            }
            position = position.max(part.end());
        }
        if position < range.end {
            missing.push(position..range.end);
        }
        let is_complete = missing.is_empty();
        match self.copies {
            Copies::Allowed => missing.into_iter().for_each(|missing| self.needed.require(missing)),
            // The range is needed in one buffer, so provided parts are read again.
            Copies::Refused if !is_complete => self.needed.require(range.clone()),
            Copies::Refused => {
                self.n_scattered_bytes = Some(length_of(&range));
                return None;
            }
        }
        if !is_complete {
            let n_bytes = length_of(&range);
            self.n_needed_bytes = self.n_needed_bytes.saturating_add(n_bytes);
            self.incomplete = Some(range);
            return None;
        }
        let n_bytes = usize::try_from(length_of(&range)).unwrap_or(usize::MAX);
        let mut joined = match BufferMut::try_with_capacity_in(n_bytes, self.budget.as_ref()) {
            Ok(joined) => joined,
            Err(error) => {
                self.refused = Some(error);
                return None;
            }
        };
        let mut position = range.start;
        for part in self.parts.range(first..range.end).map(|(_, part)| part) {
            let piece = position.max(part.start)..range.end.min(part.end());
            if let Some(bytes) =
                Some(&piece).filter(|piece| !piece.is_empty()).and_then(|piece| part.slice(piece))
            {
                joined.extend_from_slice(&bytes);
                position = piece.end;
            }
        }
        let bytes = joined.freeze();
        self.counters.gathered(bytes.len() as u64);
        // The next step finds the joined bytes as one buffer.
        self.insert(LocatedBytes { start: range.start, bytes: bytes.clone() });
        Some(bytes)
    }

    /// The provided bytes that directly follow a missing range, if one buffer must contain both. Otherwise empty.
    pub(super) fn joined_after(&self, range: &Range<u64>) -> Buffer {
        if self.copies == Copies::Refused {
            return Buffer::new();
        }
        let incomplete = self.incomplete.as_ref();
        let after = incomplete.filter(|around| around.start <= range.start && range.end < around.end);
        let found = after.and_then(|around| self.find(&(range.end..around.end)));
        found.inspect(|found| self.counters.gathered(found.len() as u64)).unwrap_or_default()
    }

    /// Drops the parts inside a range, which will not be needed again.
    pub(super) fn release(&mut self, range: &Range<u64>) {
        if range.is_empty() {
            return;
        }
        let inside = |part: &LocatedBytes| part.end() <= range.end;
        while let Some((start, _)) = self.parts.range(range.clone()).find(|(_, part)| inside(part)) {
            let start = *start;
            self.parts.remove(&start);
        }
    }

    /// Whether all plans of the file share the bytes of a range.
    pub(super) fn is_in_base(&self, range: &Range<u64>) -> bool {
        self.base.as_ref().is_some_and(|base| base.slice(range).is_some())
    }

    /// The range of the provided buffer that contains `range`. `None` if the buffer is shared with other plans.
    pub(super) fn part_around(&self, range: &Range<u64>) -> Option<Range<u64>> {
        if range.is_empty() || self.is_in_base(range) {
            return None;
        }
        self.last_from(range.start).map(|part| part.start..part.end())
    }

    /// Returns the bytes of a range if all of them have been provided in one buffer. Does not request missing bytes.
    pub(super) fn find(&self, range: &Range<u64>) -> Option<Buffer> {
        self.base.iter().chain(self.last_from(range.start)).find_map(|part| part.slice(range))
    }

    /// Hints at a range that the plan will probably need next.
    pub(super) fn hint(&mut self, range: Range<u64>) {
        if self.find(&range).is_none() {
            self.needed.hint(range);
        }
    }

    /// Announces later ranges of a body whose positions are unknown.
    pub(super) fn expect(&mut self, later: LaterRanges) {
        if self.find(&later.within).is_none() {
            self.needed.expect(later);
        }
    }

    /// The sum of the lengths of missing ranges since the last call of [`needed`](ProvidedRanges::needed).
    pub(super) fn n_needed_bytes(&self) -> u64 {
        self.n_needed_bytes
    }

    /// Returns the requested ranges, and forgets them.
    ///
    /// # Errors
    /// If there was not enough memory to join a range, or copies are refused.
    pub(super) fn needed(&mut self) -> Result<NeededRanges> {
        self.refused.map_or(Ok(()), Err)?;
        if let Some(n_bytes) = self.n_scattered_bytes {
            return Err(IpcErrorKind::CopyRefused { cause: CopyCause::Scattered, n_bytes }.into());
        }
        self.n_needed_bytes = 0;
        let needed = std::mem::take(&mut self.needed);
        Ok(needed.with_whole_file(self.whole.as_ref().map(|_| self.file_bytes)))
    }

    /// The bytes that are shared by all plans, or else the first part that was provided.
    pub(super) fn whole(&self) -> Option<&LocatedBytes> {
        self.base.as_ref().or_else(|| self.parts.first_key_value().map(|(_, part)| part))
    }

    pub(super) fn last_part(&self) -> Option<&LocatedBytes> {
        self.parts.last_key_value().map(|(_, part)| part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

    fn provided(file_bytes: u64) -> ProvidedRanges {
        ProvidedRanges::new(file_bytes, None, Arc::default())
    }

    fn provide(provided: &mut ProvidedRanges, range: Range<usize>) {
        let bytes = Buffer::copy_from(&FILE[range.clone()]);
        provided.provide(range.start as u64..range.end as u64, bytes).unwrap();
    }

    #[test]
    fn pieces_in_any_order_give_the_same_bytes() {
        let orders: [&[Range<usize>]; 6] = [
            &[0..26, 0..26],
            &[10..26, 0..10],
            &[0..5, 3..12, 12..26],
            &[20..26, 3..21, 0..4],
            &[5..6, 5..7, 4..8, 0..9, 9..26, 8..10],
            &[0..13, 0..26, 2..3],
        ];
        for order in orders {
            let mut provided = provided(26);
            order.iter().for_each(|range| provide(&mut provided, range.clone()));
            for start in 0..26 {
                for end in start..26 {
                    let found = provided.take(start as u64..end as u64);
                    assert_eq!(found.as_deref(), Some(&FILE[start..end]), "{order:?}");
                }
            }
            assert!(provided.needed().unwrap().is_empty());
        }
    }

    #[test]
    fn what_is_missing_is_requested() {
        let mut provided = provided(26);
        provide(&mut provided, 3..5);
        provide(&mut provided, 8..10);
        assert_eq!(provided.take(0..12), None);
        assert_eq!(provided.needed().unwrap().normalized().required(), [0..3, 5..8, 10..12]);
        assert_eq!(provided.take(4..9), None);
        assert_eq!(provided.needed().unwrap().normalized().required(), std::slice::from_ref(&(5..8)));
        provide(&mut provided, 5..9);
        assert_eq!(provided.take(4..9).as_deref(), Some(&b"efghi"[..]));
        assert_eq!(provided.take(4..9).as_deref(), Some(&b"efghi"[..]));
        assert_eq!(provided.counters.snapshot().n_reassembled_bytes, 5, "once");
    }

    #[test]
    fn what_is_there_after_a_missing_range_is_joined_to_it() {
        let mut provided = provided(26);
        provide(&mut provided, 8..20);
        provide(&mut provided, 20..26);
        assert_eq!(provided.take(3..18), None);
        // These bytes are needed with the range, and no more. The result is empty if the whole range is missing.
        assert_eq!(*provided.joined_after(&(3..8)), FILE[8..18]);
        assert_eq!(provided.counters.snapshot().n_reassembled_bytes, 10);
        for range in [0..8, 3..7, 3..18, 3..19, 18..26] {
            assert!(provided.joined_after(&range).is_empty(), "{range:?}");
        }
        provide(&mut provided, 3..18);
        assert_eq!(provided.take(3..18).as_deref(), Some(&FILE[3..18]));
        assert_eq!(provided.counters.snapshot().n_reassembled_bytes, 10, "once");
    }

    #[test]
    fn a_hundred_thousand_parts_in_reverse_order_take_no_quadratic_time() {
        const N_PARTS: u64 = 100_000;
        let mut provided = provided(N_PARTS);
        let letter = Buffer::copy_from(b"a");
        for start in (0..N_PARTS).rev() {
            provided.provide(start..start + 1, letter.clone()).unwrap();
        }
        for start in (0..N_PARTS - 1).rev() {
            assert_eq!(provided.take(start..start + 2).as_deref(), Some(&b"aa"[..]));
        }
        assert_eq!(provided.take(0..N_PARTS).map(|bytes| bytes.len() as u64), Some(N_PARTS));
        assert_eq!(provided.parts.len(), 1);
    }

    #[test]
    fn wrong_ranges_are_refused() {
        let mut provided = provided(26);
        #[allow(clippy::reversed_empty_ranges)] // One of the ranges is reversed on purpose.
        for range in [0..3, 0..5, 5..1, 23..27, u64::MAX - 4..u64::MAX] {
            assert!(provided.provide(range, Buffer::copy_from(b"abcd")).is_err());
        }
    }
}
