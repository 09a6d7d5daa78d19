//! Chooses the ranges that are requested together.

use std::ops::Range;

use arrow_ipc::FetchCost;

use super::{
    ahead::Ahead,
    begun::{Begun, RequestedPart},
};
use crate::{answer::n_bytes_of, source::AsyncSource};

/// The next request.
pub(super) struct RequestGroup {
    range: Range<u64>,
    parts: Vec<RequestedPart>,
    /// Whether ranges of the next batch may still be added.
    pub(super) is_open: bool,
}

impl RequestGroup {
    fn of(batch_idx: usize, range: Range<u64>) -> RequestGroup {
        let mut group = RequestGroup { range: range.start..range.start, parts: Vec::new(), is_open: true };
        group.push(batch_idx, range);
        group
    }

    fn push(&mut self, batch_idx: usize, range: Range<u64>) {
        let held_bytes = range.end.saturating_sub(self.range.end);
        self.range.end = range.end;
        self.parts.push(RequestedPart { batch_idx, range, held_bytes });
    }

    /// Whether a range is requested together with the others, because that is cheaper and there is room for all.
    fn takes(&self, range: &Range<u64>, cost: &FetchCost, room: u64) -> bool {
        let follows = range.start >= self.range.end && cost.is_one_request(&self.range, range);
        follows && range.end.saturating_sub(self.range.start) <= room
    }
}

impl<S: AsyncSource + 'static> Ahead<S> {
    /// The first range that a batch waits for, with those after it that are requested along with it.
    pub(super) fn next_group(&self) -> Option<RequestGroup> {
        let cost = self.reader.cost();
        let room = self.max_bytes().saturating_sub(self.held_bytes()).min(self.max_group_bytes());
        let mut waiting = self
            .begun
            .iter()
            .flat_map(|begun| begun.waiting().map(|range| (begun.batch_idx(), range.clone())));
        let (batch_idx, range) = waiting.next()?;
        let mut group = RequestGroup::of(batch_idx, range);
        for (batch_idx, range) in waiting {
            if !group.takes(&range, &cost, room) {
                group.is_open = false;
                break;
            }
            group.push(batch_idx, range);
        }
        Some(group)
    }

    /// The most bytes of a request. Longer ones would hardly be cheaper, or would leave nothing for others that could
    /// run at the same time.
    pub(super) fn max_group_bytes(&self) -> u64 {
        let n_full_bytes = self.reader.cost().n_bytes_per_request().saturating_mul(20);
        let n_requests = u64::from(self.reader.cost().requests_in_flight());
        n_full_bytes.min(self.max_bytes().checked_div(n_requests).unwrap_or(0))
    }

    /// Starts a request. Returns whether it could be started.
    pub(super) fn start(&mut self, group: RequestGroup) -> bool {
        let RequestGroup { range, parts, .. } = group;
        let n_bytes = self.held_bytes().saturating_add(n_bytes_of(&range));
        // Without this one, no batch could be given.
        let first = self.begun.iter().find(|begun| begun.is_fetching()).map(Begun::batch_idx);
        let is_first = parts.first().map(|part| part.batch_idx) == first;
        if !self.requests.has_room_for(&range) || !is_first && n_bytes > self.max_bytes() {
            return false;
        }
        let batches: Vec<usize> = parts.iter().map(|part| part.batch_idx).collect();
        let budget = self.reader.decoder().options().memory_budget();
        let started = self.requests.start(self.reader.source(), range, budget, parts);
        let mut begun = self.begun.iter_mut();
        match started {
            Ok(()) => {
                for begun in begun {
                    let batch_idx = begun.batch_idx();
                    begun.requested(batches.iter().filter(|idx| **idx == batch_idx).count());
                }
                true
            }
            Err(error) if is_first => {
                begun.find(|begun| begun.is_fetching()).into_iter().for_each(|begun| begun.fail(error));
                true
            }
            // Until memory is given back.
            Err(_) => false,
        }
    }
}
