//! Reads batches of a file ahead, without I/O. Decides which ranges to request, for which batches, and when. A batch is
//! in progress from its first request until it is handed out or dropped.
//!
//! These rules hold after each call:
//!
//! - **Each batch that was handed out can be decoded**, by any thread. Dictionaries are requested separately and before
//!   all batches, and batches wait for them. A batch that is read alone requests its dictionaries itself, so that an
//!   error in a dictionary is reported for this batch.
//! - **There is progress.** A missing range has not been requested, or its request waits or is under way. Requests wait
//!   in the order of the batches that need them, and requests for the next batch do not wait for room. So there is a next
//!   batch, or a request is under way, or a request can be made.
//! - **Each range that a batch needs lies inside its request**, however the footer's blocks overlap.
//! - **Batches in progress count**: their number, and the bytes requested for them. Dropped batches request no more
//!   bytes.

use std::{collections::VecDeque, mem, ops::Range};

use arrow_buffer::Buffer;

use super::{
    batch::ReadBatch, decoder::FileDecoder, dictionaries, opened::FetchedBatch, outlook::Outlook,
    ranges::NeededRanges,
};
use crate::{
    error::{IpcError, Result},
    source::{PlacedBytes, PricedRange, merge},
};
use arrow_ipc_format::length_of;

mod begun;
mod request;

use self::{
    begun::{AskedBytes, Begun, BegunState, n_bytes_of, position_of},
    request::{AheadRequest, WantedBy, WantedRange, around, push_part},
};

/// Reads batches of a file in order, without I/O. [`next_request`](ReadAhead::next_request) returns the ranges to fetch
/// for the next batches. One request can contain ranges of several batches if that is cheaper. The bytes of requests may
/// arrive in any order.
///
/// All requested and fetched ranges together have at most
/// [`read_ahead_bytes`](crate::ReadOptions::with_read_ahead_bytes). Only the next batch may need more. If a request
/// fails, the next batch is requested again, alone, so that it does not return an error in the bytes of another batch.
///
/// [`FileReader`](crate::FileReader) fetches all requests at once when it needs the next batch:
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::FileDecoder;
///
/// /// Here the file is in memory.
/// fn count_rows(decoder: &FileDecoder, file: &Buffer) -> arrow_ipc::Result<usize> {
///     let (mut ahead, mut n_rows) = (decoder.read_ahead(0..decoder.n_batches()), 0);
///     while ahead.n_left() > 0 {
///         while let Some(range) = ahead.next_request(|_| true) {
///             let bytes = file.slice(range.start as usize..range.end as usize);
///             ahead.provide(range, bytes)?;
///         }
///         while let Some(fetched) = ahead.take_next() {
///             n_rows += fetched.decode()?.batch.n_rows();
///         }
///     }
///     Ok(n_rows)
/// }
/// ```
#[derive(Debug)]
pub struct ReadAhead {
    decoder: FileDecoder,
    max_bytes: u64,
    /// Set if the caller fetches all requests at once and then waits for them. The caller must itself read batches that
    /// need more bytes, and batches that must be read alone.
    max_batch_bytes: Option<u64>,
    /// Dropped batches, which are requested again before other batches.
    again: VecDeque<usize>,
    rest: Range<usize>,
    /// The batches in progress, in the order of the footer.
    begun: VecDeque<Begun>,
    /// The ranges that the dictionaries need, until they are loaded.
    dictionaries: Option<AskedBytes>,
    /// Whether all needed dictionaries are loaded. If not, batches wait for them.
    has_dictionaries: bool,
    /// Needed ranges without a request.
    wanted: Vec<WantedRange>,
    /// Requests that have not been handed out, in the order of the first batches that need them.
    waiting: VecDeque<AheadRequest>,
    under_way: VecDeque<AheadRequest>,
    n_under_way_bytes: u64,
    /// The estimated number of bytes for batches in progress and the dictionaries.
    n_planned_bytes: u64,
    /// The number of bytes requested for batches in progress and the dictionaries.
    n_held_bytes: u64,
    /// Whether requests for more batches may start. `false` after a limit was reached, until there is room for a whole
    /// request. So one request can serve several neighbouring batches.
    is_filling: bool,
    /// The number of batches to read alone after a batch for which reading ahead has failed. Doubles with each failure.
    n_alone: usize,
    n_alone_left: usize,
    /// Whether the last taken batch was read alone.
    has_taken_alone: bool,
}

/// The maximum number of batches that are read alone before reading ahead is tried again.
const MOST_ALONE: usize = 1 << 20;

/// The minimum number of read-ahead bytes for each batch in progress, which needs more than 1 KB of memory even if it is
/// shorter.
const LEAST_BATCH_BYTES: u64 = 2_048;

/// This many batches may be in progress in any case.
const FEW_BATCHES: u64 = 64;

impl ReadAhead {
    pub(super) fn new(decoder: &FileDecoder, batches: Range<usize>) -> ReadAhead {
        let mut ahead = ReadAhead {
            max_bytes: decoder.options().read_ahead_bytes(),
            max_batch_bytes: None,
            decoder: decoder.clone(),
            again: VecDeque::new(),
            rest: 0..0,
            begun: VecDeque::new(),
            dictionaries: None,
            has_dictionaries: false,
            wanted: Vec::new(),
            waiting: VecDeque::new(),
            under_way: VecDeque::new(),
            n_under_way_bytes: 0,
            n_planned_bytes: 0,
            n_held_bytes: 0,
            is_filling: true,
            n_alone: 0,
            n_alone_left: 0,
            has_taken_alone: false,
        };
        ahead.reach(batches);
        ahead
    }

    /// Adapts to a caller that fetches all requests at once, with at most `max_bytes` bytes. The caller must itself
    /// read batches that need more than `max_batch_bytes`, and batches that must be read alone.
    pub(super) fn at_once(self, max_bytes: u64, max_batch_bytes: u64) -> ReadAhead {
        ReadAhead { max_bytes, max_batch_bytes: Some(max_batch_bytes.min(max_bytes)), ..self }
    }

    pub(super) fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.begun.is_empty()
    }

    /// The number of batches that have not been taken.
    pub fn n_left(&self) -> usize {
        // No overflow: the sum is at most the number of batches.
        self.again.len() + self.rest.len() + self.begun.len()
    }

    /// Sets the next batches to read. Drops all batches before them.
    pub(super) fn reach(&mut self, batches: Range<usize>) {
        let mut has_waiting = false;
        while let Some(begun) = self.begun.pop_front_if(|begun| begun.batch_idx() < batches.start) {
            self.forget(&begun.asked);
            has_waiting |= begun.is_fetching();
        }
        if has_waiting {
            self.drop_wanted(
                |owner| matches!(owner, WantedBy::Batch(batch_idx) if batch_idx < batches.start),
            );
        }
        self.again.retain(|batch_idx| *batch_idx >= batches.start);
        let last = self.begun.back().map(Begun::batch_idx).max(self.again.back().copied());
        let after = last.and_then(|last| last.checked_add(1)).unwrap_or(0);
        self.rest = batches.start.max(after)..batches.end.min(self.decoder.n_batches());
    }

    /// Returns the next range to request. Returns `None` if no range is needed now, if the limits allow no further
    /// request, or if `has_room` returns `false` for the range. Pass the bytes to [`provide`](ReadAhead::provide), or the
    /// error to [`fail`](ReadAhead::fail). If there is a memory budget, charge each request immediately: this function
    /// returns further requests while the budget has room.
    pub fn next_request(&mut self, has_room: impl FnOnce(&Range<u64>) -> bool) -> Option<Range<u64>> {
        self.is_filling |= self.n_held_bytes.saturating_add(self.max_group_bytes()) <= self.max_bytes;
        let is_full = self.begin();
        self.make_requests();
        self.is_filling &= !(is_full && self.waiting.is_empty());
        let AheadRequest { range, parts, .. } = self.waiting.front()?;
        // Without the dictionaries and the first batch, no batch can be taken.
        let next = self.begun.front().filter(|next| next.is_fetching()).map(Begun::owner);
        let is_next = |owner: WantedBy| owner == WantedBy::Dictionaries || Some(owner) == next;
        let n_next = parts.iter().rposition(|part| is_next(part.owner)).map_or(0, |last| last + 1);
        let room = self.room();
        let n_fitting = parts.iter().take_while(|part| part.range.end - range.start <= room).count();
        self.is_filling &= n_fitting == parts.len();
        if n_next == 0 && !self.is_filling {
            return None;
        }
        let n_parts = n_next.max(n_fitting);
        if !has_room(&around(parts.iter().take(n_parts))?) {
            return None;
        }
        let (request, rest) = self.waiting.pop_front()?.split(n_parts);
        rest.into_iter().for_each(|rest| self.add_waiting(rest));
        let request = request?;
        let mut held_end = request.range.start;
        for part in &request.parts {
            if let Some(n_bytes) = part.range.end.checked_sub(held_end) {
                self.hold(part.owner, n_bytes);
                held_end = part.range.end;
            }
        }
        let range = request.range.clone();
        self.n_under_way_bytes = self.n_under_way_bytes.saturating_add(length_of(&range));
        self.under_way.push_back(request);
        Some(range)
    }

    /// Accepts the bytes of a request. Ignores bytes that are no longer needed.
    ///
    /// # Errors
    /// If the number of bytes is not the length of the range, or the range ends after the file.
    pub fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        let PlacedBytes { start, bytes } =
            PlacedBytes::try_new(range.clone(), bytes, self.decoder.file.n_bytes)?;
        let place = self.under_way.iter().position(|request| request.range == range);
        let Some(request) = place.and_then(|place| self.under_way.remove(place)) else { return Ok(()) };
        self.n_under_way_bytes = self.n_under_way_bytes.saturating_sub(bytes.len() as u64);
        let is_alone = self.begun.front().is_some_and(|begun| begun.is_alone);
        for part in request.parts {
            let Some(asked) = self.asked_by(part.owner) else { continue };
            // Dictionaries get the whole request, since the memory that they keep is known only when all of their bytes
            // have arrived.
            let is_all = is_alone || part.owner == WantedBy::Dictionaries;
            let place = if is_all { range.clone() } else { part.range };
            let n_before = place.start - start;
            let bytes = bytes.try_slice(n_before, length_of(&place)).map_err(IpcError::from)?;
            asked.bytes.provide(place, bytes)?;
            let Some(n_missing) = asked.n_missing.checked_sub(1) else { continue };
            asked.n_missing = n_missing;
            if n_missing == 0 {
                match part.owner {
                    WantedBy::Dictionaries => self.step_dictionaries(),
                    WantedBy::Batch(batch_idx) => self.step(batch_idx, &mut None),
                }
            }
        }
        Ok(())
    }

    /// Reports that a request failed. This drops all requests under way: do not wait for their bytes.
    pub fn fail(&mut self, error: impl Into<IpcError>) {
        let alone = self.begun.iter_mut().find(|begun| begun.is_alone && begun.is_fetching());
        match alone {
            Some(alone) => {
                alone.state = BegunState::Fetched(Err(error.into()));
                self.drop_requests();
            }
            None => self.begin_again(),
        }
    }

    /// Puts back a taken batch for which there was not enough memory. Drops all batches and requests, so that this batch
    /// is read alone. Returns `false` if the batch was already read alone.
    pub fn put_back(&mut self, batch_idx: usize) -> bool {
        if self.has_taken_alone {
            return false;
        }
        self.begin_again();
        self.again.push_front(batch_idx);
        true
    }

    /// Whether the last taken batch was read alone, because reading ahead failed or needed too much memory.
    pub fn is_reading_alone(&self) -> bool {
        self.has_taken_alone
    }

    /// Takes the next batch. Returns `None` if it has not been fetched.
    pub fn take_next(&mut self) -> Option<FetchedBatch> {
        let has_dictionaries = self.has_dictionaries;
        let next = self.begun.pop_front_if(|begun| begun.is_ready(has_dictionaries))?;
        self.taken(next)
    }

    /// Takes the first batch that has been fetched, in the order of the footer. Returns `None` if there is none.
    pub fn take_any(&mut self) -> Option<FetchedBatch> {
        let place = self.begun.iter().position(|begun| begun.is_ready(self.has_dictionaries))?;
        let begun = self.begun.remove(place)?;
        self.taken(begun)
    }

    /// Whether the next batch has been fetched, or the caller must read it.
    pub(super) fn has_next(&self) -> bool {
        self.begun.front().is_some_and(|next| next.is_ready(self.has_dictionaries))
    }

    /// Takes the first batch in progress if it has this index and was fetched. If the caller must read it, drops it and
    /// returns `None`.
    pub(super) fn take_front(&mut self, batch_idx: usize) -> Option<FetchedBatch> {
        let front = self.begun.pop_front_if(|begun| begun.batch_idx() == batch_idx)?;
        self.taken(front)
    }

    /// Like [`take_front`](ReadAhead::take_front), for the last batch in progress.
    pub(super) fn take_back(&mut self, batch_idx: usize) -> Option<FetchedBatch> {
        let back = self.begun.pop_back_if(|begun| begun.batch_idx() == batch_idx)?;
        self.taken(back)
    }

    fn taken(&mut self, begun: Begun) -> Option<FetchedBatch> {
        self.forget(&begun.asked);
        self.has_taken_alone = begun.is_alone;
        if begun.is_fetching() {
            self.drop_wanted(|owner| owner == begun.owner());
        }
        let is_ready = begun.is_ready(self.has_dictionaries);
        match begun.state {
            BegunState::Fetched(fetched) if is_ready => {
                self.n_alone = if begun.is_alone { self.n_alone } else { 0 };
                Some(FetchedBatch { batch: begun.batch, fetched })
            }
            BegunState::Fetching | BegunState::Fetched(_) | BegunState::Left => None,
        }
    }

    /// Subtracts the bytes that were counted for a batch or for the dictionaries.
    fn forget(&mut self, asked: &AskedBytes) {
        self.n_planned_bytes = self.n_planned_bytes.saturating_sub(asked.n_planned_bytes);
        self.n_held_bytes = self.n_held_bytes.saturating_sub(asked.n_held_bytes);
    }

    /// Removes the ranges that dropped batches need from requests that wait.
    fn drop_wanted(&mut self, is_dropped: impl Fn(WantedBy) -> bool) {
        self.wanted.retain(|wanted| !is_dropped(wanted.owner));
        for AheadRequest { mut parts, .. } in mem::take(&mut self.waiting) {
            parts.retain(|part| !is_dropped(part.owner));
            AheadRequest::of(parts).into_iter().for_each(|request| self.add_waiting(request));
        }
    }

    /// Drops all batches in progress. The next batch is then read alone. After a repeated failure, some batches after it
    /// are also read alone.
    fn begin_again(&mut self) {
        self.drop_requests();
        self.dictionaries = None;
        (self.n_planned_bytes, self.n_held_bytes) = (0, 0);
        for begun in mem::take(&mut self.begun).into_iter().rev() {
            self.again.push_front(begun.batch_idx());
        }
        self.n_alone_left = self.n_alone + 1;
        self.n_alone = (self.n_alone * 2).clamp(1, MOST_ALONE);
    }

    fn drop_requests(&mut self) {
        self.wanted.clear();
        self.waiting.clear();
        self.under_way.clear();
        self.n_under_way_bytes = 0;
    }

    /// The number of bytes that may still be requested.
    fn room(&self) -> u64 {
        let room = self.max_bytes.saturating_sub(self.n_held_bytes);
        let Some(budget) = &self.decoder.options().memory_budget else { return room };
        // If all requests are fetched at once, the budget is charged only once all requests are known.
        let n_uncharged = self.max_batch_bytes.map_or(0, |_| self.n_under_way_bytes);
        let n_taken = budget.n_bytes_allocated().saturating_add(n_uncharged);
        room.min(budget.limit().saturating_sub(n_taken))
    }

    /// The maximum number of bytes in a request. Longer requests are hardly cheaper, or leave no bytes for requests that
    /// could run at the same time.
    fn max_group_bytes(&self) -> u64 {
        let cost = self.decoder.options().known_fetch_cost();
        let n_requests = u64::from(cost.requests_in_flight()).max(2);
        cost.n_bytes_per_request().saturating_mul(20).min(self.max_bytes / n_requests)
    }

    /// Begins batches until there is no room. Returns whether a batch remains for which there is no room.
    fn begin(&mut self) -> bool {
        let mut outlook = None;
        // Plans for single batches may have loaded the dictionaries.
        if !self.has_dictionaries && dictionaries::are_here(&self.decoder.file, &self.decoder.message_decoder)
        {
            self.dictionaries_are_here();
        }
        while let Some(batch_idx) = self.next_to_begin() {
            let n_planned_bytes = self.n_likely_bytes(batch_idx, &mut outlook);
            if !self.has_place_for(n_planned_bytes) {
                return true;
            }
            if self.again.pop_front().is_none() {
                self.rest.next();
            }
            // `ReadBatch::of` succeeds, since the caller has checked that the batches exist.
            let Ok(batch) = ReadBatch::of(&self.decoder, batch_idx) else { return false };
            let n_alone_left = self.n_alone_left.checked_sub(1);
            let is_alone = n_alone_left.is_some();
            self.n_alone_left = n_alone_left.unwrap_or(0);
            let asked = AskedBytes { n_planned_bytes, ..AskedBytes::nothing(&self.decoder) };
            let begun = Begun { asked, batch, is_alone, state: BegunState::Fetching };
            self.n_planned_bytes = self.n_planned_bytes.saturating_add(n_planned_bytes);
            match self.begun.back() {
                // This batch was dropped and is begun again.
                Some(last) if last.batch_idx() > batch_idx => {
                    let place = self.begun.partition_point(|other| other.batch_idx() < batch_idx);
                    self.begun.insert(place, begun);
                }
                Some(_) | None => self.begun.push_back(begun),
            }
            self.step(batch_idx, &mut outlook);
            self.begin_dictionaries(batch_idx);
        }
        false
    }

    /// The next batch to request; `None` if it must wait until other batches are taken.
    fn next_to_begin(&self) -> Option<usize> {
        let next = self.again.front().copied().or(self.rest.clone().next())?;
        let Some(last) = self.begun.back() else { return Some(next) };
        let may_begin =
            self.is_filling && self.n_alone_left == 0 && !last.is_alone && !self.decoder.is_in_memory();
        // Requests are joined in the order of the file. With blocks in another order, the gaps between them would be
        // fetched.
        let block = self.decoder.file.footer.batch(next).filter(|_| may_begin)?;
        Some(next).filter(|_| last.batch.block.body_range().end <= block.position())
    }

    /// Whether there is room for a batch that needs about `n_bytes` bytes. There is room for the first batch in any case.
    fn has_place_for(&self, n_bytes: u64) -> bool {
        let n_batches = self.begun.len() as u64;
        let n_bytes = self.n_planned_bytes.saturating_add(n_bytes);
        let max_batches = (self.max_bytes / LEAST_BATCH_BYTES).max(FEW_BATCHES);
        n_batches == 0 || n_bytes <= self.max_bytes && n_batches < max_batches
    }

    /// The estimated number of bytes to fetch for a batch.
    fn n_likely_bytes(&self, batch_idx: usize, outlook: &mut Option<Outlook>) -> u64 {
        let Some(block) = self.decoder.file.footer.batch(batch_idx) else { return 0 };
        let outlook = outlook.get_or_insert_with(|| Outlook::of(&self.decoder, batch_idx));
        outlook.n_fetched_bytes(&block)
    }

    /// Reads a batch until bytes are missing, and stores the ranges that it needs.
    fn step(&mut self, batch_idx: usize, outlook: &mut Option<Outlook>) {
        let Some(place) = position_of(&self.begun, batch_idx) else { return };
        let Some(begun) = self.begun.get_mut(place) else { return };
        let max_batch_bytes = self.max_batch_bytes;
        if max_batch_bytes.is_some_and(|max_bytes| begun.is_left(max_bytes)) {
            begun.state = BegunState::Left;
            return;
        }
        if let Some(range) = begun.whole(outlook) {
            let priced = PricedRange { range, price_without: None };
            self.wanted.push(WantedRange { owner: begun.owner(), priced });
            return;
        }
        let read = begun.read(outlook);
        let needed = match read {
            Ok(Some(found)) => {
                begun.state = BegunState::Fetched(Ok(found));
                return;
            }
            Ok(None) => begun.asked.bytes.needed(),
            Err(error) => Err(error),
        };
        match needed {
            Ok(needed) if max_batch_bytes.is_some_and(|max_bytes| n_bytes_of(&needed) > max_bytes) => {
                begun.state = BegunState::Left;
            }
            Ok(needed) => self.want(WantedBy::Batch(batch_idx), &needed),
            Err(error) => begun.state = BegunState::Fetched(Err(error)),
        }
    }

    /// Begins to load the dictionaries, if this is the first batch that waits for them. Ignores the limits, since no
    /// batch can be read without dictionaries.
    fn begin_dictionaries(&mut self, batch_idx: usize) {
        let begun = position_of(&self.begun, batch_idx).and_then(|place| self.begun.get(place));
        let waits = begun.is_some_and(|begun| !begun.is_alone && !matches!(begun.state, BegunState::Left));
        if waits && !self.has_dictionaries && self.dictionaries.is_none() {
            self.dictionaries = Some(AskedBytes::nothing(&self.decoder));
            self.step_dictionaries();
        }
    }

    /// Loads the dictionaries until bytes are missing. Drops an error: it occurs again when the next batch is read alone.
    fn step_dictionaries(&mut self) {
        let Some(AskedBytes { bytes, .. }) = &mut self.dictionaries else { return };
        let FileDecoder { file, message_decoder } = &self.decoder;
        let loaded = bytes.check_start().and_then(|()| dictionaries::load(file, message_decoder, bytes));
        match loaded.and_then(|is_loaded| Ok((is_loaded, bytes.needed()?))) {
            Ok((true, _)) => self.dictionaries_are_here(),
            Ok((false, needed)) => self.want(WantedBy::Dictionaries, &needed),
            Err(_) => self.begin_again(),
        }
    }

    fn dictionaries_are_here(&mut self) {
        self.has_dictionaries = true;
        if let Some(asked) = self.dictionaries.take() {
            self.forget(&asked);
            self.drop_wanted(|owner| owner == WantedBy::Dictionaries);
        }
    }

    fn want(&mut self, owner: WantedBy, needed: &NeededRanges) {
        let cost = self.decoder.options().known_fetch_cost();
        let max_bytes = self.max_batch_bytes.unwrap_or(u64::MAX);
        let priced = needed.priced_for(&cost).filter(|priced| {
            !priced.range.is_empty()
                && (priced.price_without.is_none() || length_of(&priced.range) <= max_bytes)
        });
        self.wanted.extend(priced.map(|priced| WantedRange { owner, priced }));
    }

    fn make_requests(&mut self) {
        if self.wanted.is_empty() {
            return;
        }
        let mut wanted = mem::take(&mut self.wanted);
        wanted.sort_unstable_by_key(|wanted| wanted.priced.range.start);
        let priced = wanted.iter().map(|wanted| wanted.priced.clone()).collect();
        let cost = self.decoder.options().known_fetch_cost();
        // If all requests are fetched at once, long requests do no harm, since the connections stay busy. Otherwise a
        // long request delays the next batch.
        let is_at_once = self.max_batch_bytes.is_some();
        let max_bytes = if is_at_once { cost.n_full_request_bytes() } else { self.max_group_bytes() };
        let requests = merge(priced, &cost, max_bytes);
        let mut wanted = wanted.drain(..).peekable();
        for range in requests {
            let mut parts = VecDeque::new();
            while let Some(wanted) = wanted.next_if(|wanted| wanted.priced.range.start < range.end) {
                let place = &wanted.priced.range;
                // Ranges outside the request are dropped.
                if range.start <= place.start && place.end <= range.end {
                    push_part(&mut parts, wanted);
                }
            }
            for part in &parts {
                if let Some(asked) = self.asked_by(part.owner) {
                    // No overflow: each missing range takes memory.
                    asked.n_missing += 1;
                }
            }
            AheadRequest::of(parts).into_iter().for_each(|request| self.add_waiting(request));
        }
    }

    fn add_waiting(&mut self, request: AheadRequest) {
        let place = self.waiting.partition_point(|other| other.first <= request.first);
        self.waiting.insert(place, request);
    }

    fn asked_by(&mut self, owner: WantedBy) -> Option<&mut AskedBytes> {
        let WantedBy::Batch(batch_idx) = owner else { return self.dictionaries.as_mut() };
        let place = position_of(&self.begun, batch_idx)?;
        self.begun.get_mut(place).map(|begun| &mut begun.asked)
    }

    /// Counts requested bytes of a batch or the dictionaries.
    fn hold(&mut self, owner: WantedBy, n_bytes: u64) {
        let Some(asked) = self.asked_by(owner) else { return };
        asked.n_held_bytes = asked.n_held_bytes.saturating_add(n_bytes);
        let n_more = asked.n_held_bytes.saturating_sub(asked.n_planned_bytes);
        asked.n_planned_bytes = asked.n_planned_bytes.max(asked.n_held_bytes);
        self.n_held_bytes = self.n_held_bytes.saturating_add(n_bytes);
        self.n_planned_bytes = self.n_planned_bytes.saturating_add(n_more);
    }
}
