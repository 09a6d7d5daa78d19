//! Prefetches batches of a file, without I/O. Decides which ranges to request, for which batches, and when. A batch is
//! in progress from its first request until it is handed out or dropped.
//!
//! These rules hold after each call:
//!
//! - **Each batch that was handed out can be decoded**, by any thread. Dictionaries are requested separately and before
//!   all batches, and batches wait for them. A batch that is read in isolation requests its dictionaries itself, so that an
//!   error in a dictionary is reported for this batch.
//! - **There is progress.** A missing range has not been requested, or its request waits or is in flight. Requests wait
//!   in the order of the batches that need them, and requests for the next batch do not wait for headroom. So there is a next
//!   batch, or a request is in flight, or a request can be made.
//! - **Each range that a batch needs lies inside its request**, however the footer's blocks overlap.
//! - **Batches in progress count**: their number, and the bytes requested for them. Dropped batches request no more
//!   bytes.

use std::{collections::VecDeque, mem, ops::Range};

use arrow_buffer::Buffer;

use super::{
    batch::ReadBatch, decoder::FileDecoder, dictionaries, estimate::BodyEstimate,
    fetched_batch::FetchedBatch, ranges::NeededRanges, stream_dictionaries::DictionaryState,
};
use crate::{
    error::{IpcError, Result},
    source::{LocatedBytes, PricedRange, merge},
};
use arrow_ipc_format::length_of;

mod batch_queue;
mod in_flight;

pub(super) use self::batch_queue::BatchRuns;
use self::{
    batch_queue::Backoff,
    in_flight::{
        InFlightBatch, InFlightState, PrefetchRequest, RangeOwner, RequestedBytes, RequiredRange, around,
        n_bytes_of, position_of, push_part,
    },
};

/// Reads batches of a file in order, without I/O. [`next_request`](BatchPrefetcher::next_request) returns the ranges to fetch
/// for the next batches. One request can contain ranges of several batches if that is cheaper. The bytes of requests may
/// arrive in any order.
///
/// All requested and fetched ranges together have at most
/// [`prefetch_bytes`](crate::ReadOptions::with_prefetch_bytes). Only the next batch may need more. If a request
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
///     let (mut prefetcher, mut n_rows) = (decoder.prefetcher(0..decoder.n_batches()), 0);
///     while prefetcher.n_left() > 0 {
///         while let Some(range) = prefetcher.next_request(|_| true) {
///             let bytes = file.slice(range.start as usize..range.end as usize);
///             prefetcher.provide(range, bytes)?;
///         }
///         while let Some(fetched) = prefetcher.take_next() {
///             n_rows += fetched.decode()?.batch.n_rows();
///         }
///     }
///     Ok(n_rows)
/// }
/// ```
#[derive(Debug)]
pub struct BatchPrefetcher {
    decoder: FileDecoder,
    max_bytes: u64,
    mode: RequestMode,
    /// Dropped batches, which are requested again before other batches.
    retries: VecDeque<usize>,
    remaining: BatchRuns,
    /// The batches in progress, in the order of the footer.
    in_flight: VecDeque<InFlightBatch>,
    /// The ranges that the dictionaries need, until they are loaded.
    dictionaries: Option<RequestedBytes>,
    /// Whether all needed dictionaries are loaded. If not, batches wait for them.
    has_dictionaries: bool,
    /// The decoder that loads the dictionaries. In a stream, it has the dictionaries of the batches in progress, which all
    /// have the same.
    loader: FileDecoder,
    state: Option<DictionaryState>,
    /// Needed ranges without a request.
    required: Vec<RequiredRange>,
    /// Requests that have not been handed out, in the order of the first batches that need them.
    queued: VecDeque<PrefetchRequest>,
    in_flight_requests: VecDeque<PrefetchRequest>,
    /// The estimated number of bytes for batches in progress and the dictionaries. A sum that is stored, since small batches
    /// in progress can be thousands.
    n_planned_bytes: u64,
    /// The number of bytes requested for batches in progress and the dictionaries.
    n_reserved_bytes: u64,
    /// Whether requests for more batches may start. `false` after a limit was reached, until there is headroom for a whole
    /// request. So one request can serve several neighbouring batches.
    is_filling: bool,
    backoff: Backoff,
    /// Whether the last taken batch was read alone.
    is_taken_isolated: bool,
}

/// How the caller fetches requests.
#[derive(Debug, Clone, Copy)]
enum RequestMode {
    /// Requests are fetched while earlier batches are decoded.
    Continuous,
    /// The caller fetches all requests at once and then waits for them. The caller must itself read batches that need
    /// more than `max_batch_bytes`, and batches that must be read alone.
    AtOnce { max_batch_bytes: u64 },
}

impl RequestMode {
    /// The limit above which the caller reads a batch itself; `None` if it reads no batch itself.
    fn max_batch_bytes(self) -> Option<u64> {
        match self {
            RequestMode::Continuous => None,
            RequestMode::AtOnce { max_batch_bytes } => Some(max_batch_bytes),
        }
    }
}

/// The minimum number of prefetched bytes for each batch in progress, which needs more than 1 KB of memory even if it is
/// shorter.
const MIN_BATCH_BYTES: u64 = 2_048;

/// This many batches may be in progress in any case.
const MIN_BATCHES: u64 = 64;

impl BatchPrefetcher {
    pub(super) fn new(decoder: &FileDecoder, batches: BatchRuns) -> BatchPrefetcher {
        BatchPrefetcher {
            max_bytes: decoder.options().prefetch_bytes(),
            mode: RequestMode::Continuous,
            decoder: decoder.clone(),
            loader: decoder.clone(),
            state: None,
            retries: VecDeque::new(),
            remaining: batches,
            in_flight: VecDeque::new(),
            dictionaries: None,
            has_dictionaries: false,
            required: Vec::new(),
            queued: VecDeque::new(),
            in_flight_requests: VecDeque::new(),
            n_planned_bytes: 0,
            n_reserved_bytes: 0,
            is_filling: true,
            backoff: Backoff::None,
            is_taken_isolated: false,
        }
    }

    /// Adapts to a caller that fetches all requests at once, with at most `max_bytes` bytes. The caller must itself
    /// read batches that need more than `max_batch_bytes`, and batches that must be read alone.
    pub(super) fn at_once(self, max_bytes: u64, max_batch_bytes: u64) -> BatchPrefetcher {
        let mode = RequestMode::AtOnce { max_batch_bytes: max_batch_bytes.min(max_bytes) };
        BatchPrefetcher { max_bytes, mode, ..self }
    }

    pub(super) fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.in_flight.is_empty()
    }

    /// The number of requests whose bytes are awaited. It is 0 after what was prefetched has been dropped for lack of memory:
    /// requests that are still in flight can then be cancelled, since their bytes are ignored.
    pub fn n_requests(&self) -> usize {
        self.in_flight_requests.len()
    }

    /// The number of batches that have not been taken.
    pub fn n_left(&self) -> usize {
        // No overflow: the sum is at most the number of batches.
        self.retries.len() + self.remaining.n_left() + self.in_flight.len()
    }

    /// Sets the next batches to read. Drops all batches before them.
    pub(super) fn set_batches(&mut self, batches: Range<usize>) {
        let mut has_waiting = false;
        while self.in_flight.front().is_some_and(|in_flight| in_flight.batch_idx() < batches.start)
            && let Some(in_flight) = self.in_flight.pop_front()
        {
            self.release(&in_flight.requested);
            has_waiting |= in_flight.is_fetching();
        }
        if has_waiting {
            self.drop_required(
                |owner| matches!(owner, RangeOwner::Batch(batch_idx) if batch_idx < batches.start),
            );
        }
        self.retries.retain(|batch_idx| *batch_idx >= batches.start);
        let last = self.in_flight.back().map(InFlightBatch::batch_idx).max(self.retries.back().copied());
        let after = last.and_then(|last| last.checked_add(1)).unwrap_or(0);
        self.remaining =
            BatchRuns::from_range(batches.start.max(after)..batches.end.min(self.decoder.n_batches()));
    }

    /// Returns the next range to request. Returns `None` if no range is needed now, if the limits allow no further
    /// request, or if `fits` returns `false` for the range. Pass the bytes to [`provide`](BatchPrefetcher::provide), or the
    /// error to [`fail`](BatchPrefetcher::fail). If there is a memory budget, charge each request immediately: this function
    /// returns further requests while the budget has headroom.
    pub fn next_request(&mut self, fits: impl FnOnce(&Range<u64>) -> bool) -> Option<Range<u64>> {
        self.is_filling |= self.n_reserved_bytes.saturating_add(self.max_group_bytes()) <= self.max_bytes;
        let is_full = self.start_batches();
        self.make_requests();
        self.is_filling &= !(is_full && self.queued.is_empty());
        let PrefetchRequest { range, parts, .. } = self.queued.front()?;
        // Without the dictionaries and the first batch, no batch can be taken.
        let next = self.in_flight.front().filter(|next| next.is_fetching()).map(InFlightBatch::owner);
        let is_next = |owner: RangeOwner| owner == RangeOwner::Dictionaries || Some(owner) == next;
        let n_next = parts.iter().rposition(|part| is_next(part.owner)).map_or(0, |last| last + 1);
        let headroom = self.headroom();
        let n_fitting = parts.iter().take_while(|part| part.range.end - range.start <= headroom).count();
        self.is_filling &= n_fitting == parts.len();
        if n_next == 0 && !self.is_filling {
            return None;
        }
        let n_parts = n_next.max(n_fitting);
        if !fits(&around(parts.iter().take(n_parts))?) {
            return None;
        }
        let (request, rest) = self.queued.pop_front()?.split(n_parts);
        rest.into_iter().for_each(|rest| self.enqueue(rest));
        let request = request?;
        let mut reserved_end = request.range.start;
        for part in &request.parts {
            if let Some(n_bytes) = part.range.end.checked_sub(reserved_end) {
                self.reserve(part.owner, n_bytes);
                reserved_end = part.range.end;
            }
        }
        let range = request.range.clone();
        self.in_flight_requests.push_back(request);
        Some(range)
    }

    /// Accepts the bytes of a request. Ignores bytes that are no longer needed.
    ///
    /// # Errors
    /// If the number of bytes is not the length of the range, or the range ends after the file.
    pub fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        let LocatedBytes { start, bytes } =
            LocatedBytes::try_new(range.clone(), bytes, self.decoder.file.n_bytes)?;
        let idx = self.in_flight_requests.iter().position(|request| request.range == range);
        let Some(request) = idx.and_then(|idx| self.in_flight_requests.remove(idx)) else {
            return Ok(());
        };
        let is_isolated = self.in_flight.front().is_some_and(|in_flight| in_flight.is_isolated);
        for part in request.parts {
            let Some(requested) = self.requested_by(part.owner) else { continue };
            // Dictionaries get the whole request, since the memory that they keep is known only when all of their bytes
            // have arrived.
            let is_all = is_isolated || part.owner == RangeOwner::Dictionaries;
            let range = if is_all { range.clone() } else { part.range };
            let n_before = range.start - start;
            let bytes = bytes.try_slice(n_before, length_of(&range)).map_err(IpcError::from)?;
            requested.bytes.provide(range, bytes)?;
            let Some(n_missing) = requested.n_missing.checked_sub(1) else { continue };
            requested.n_missing = n_missing;
            if n_missing == 0 {
                match part.owner {
                    RangeOwner::Dictionaries => self.advance_dictionaries(),
                    RangeOwner::Batch(batch_idx) => self.advance(batch_idx, &mut None),
                }
            }
        }
        Ok(())
    }

    /// Reports that a request failed. This drops all requests in flight: do not wait for their bytes.
    pub fn fail(&mut self, error: impl Into<IpcError>) {
        let alone =
            self.in_flight.iter_mut().find(|in_flight| in_flight.is_isolated && in_flight.is_fetching());
        match alone {
            Some(alone) => {
                alone.state = InFlightState::Fetched(Err(error.into()));
                self.drop_requests();
            }
            None => self.retry_isolated(),
        }
    }

    /// Puts back a taken batch for which there was not enough memory. Drops all batches and requests, so that this batch
    /// is read alone. Returns `false` if the batch was already read alone.
    pub fn put_back(&mut self, batch_idx: usize) -> bool {
        if self.is_taken_isolated {
            return false;
        }
        self.retry_isolated();
        self.retries.push_front(batch_idx);
        true
    }

    /// Whether the last taken batch was read alone, because prefetching failed or needed too much memory.
    pub fn is_reading_alone(&self) -> bool {
        self.is_taken_isolated
    }

    /// Takes the next batch. Returns `None` if it has not been fetched.
    pub fn take_next(&mut self) -> Option<FetchedBatch> {
        self.in_flight.front().filter(|next| next.is_ready(self.has_dictionaries))?;
        let next = self.in_flight.pop_front()?;
        self.taken(next)
    }

    /// Takes the first batch that has been fetched, in the order of the footer. Returns `None` if there is none.
    pub fn take_any(&mut self) -> Option<FetchedBatch> {
        let idx = self.in_flight.iter().position(|in_flight| in_flight.is_ready(self.has_dictionaries))?;
        let in_flight = self.in_flight.remove(idx)?;
        self.taken(in_flight)
    }

    /// Whether the next batch has been fetched, or the caller must read it.
    pub(super) fn has_next(&self) -> bool {
        self.in_flight.front().is_some_and(|next| next.is_ready(self.has_dictionaries))
    }

    /// Takes the first batch in progress if it has this index and was fetched. If the caller must read it, drops it and
    /// returns `None`.
    pub(super) fn take_front(&mut self, batch_idx: usize) -> Option<FetchedBatch> {
        self.in_flight.front().filter(|front| front.batch_idx() == batch_idx)?;
        let front = self.in_flight.pop_front()?;
        self.taken(front)
    }

    /// Like [`take_front`](BatchPrefetcher::take_front), for the last batch in progress.
    pub(super) fn take_back(&mut self, batch_idx: usize) -> Option<FetchedBatch> {
        self.in_flight.back().filter(|back| back.batch_idx() == batch_idx)?;
        let back = self.in_flight.pop_back()?;
        self.taken(back)
    }

    fn taken(&mut self, in_flight: InFlightBatch) -> Option<FetchedBatch> {
        self.release(&in_flight.requested);
        self.is_taken_isolated = in_flight.is_isolated;
        if in_flight.is_fetching() {
            self.drop_required(|owner| owner == in_flight.owner());
        }
        let is_ready = in_flight.is_ready(self.has_dictionaries);
        match in_flight.state {
            InFlightState::Fetched(fetched) if is_ready => {
                if !in_flight.is_isolated {
                    self.backoff = Backoff::None;
                }
                let mut batch = in_flight.batch;
                if self.state.is_some() && !in_flight.is_isolated {
                    batch.decoder = self.loader.clone();
                }
                Some(FetchedBatch { batch, fetched })
            }
            InFlightState::Fetching | InFlightState::Fetched(_) | InFlightState::LeftToCaller => None,
        }
    }

    /// Subtracts the bytes that were counted for a batch or for the dictionaries.
    fn release(&mut self, requested: &RequestedBytes) {
        self.n_planned_bytes = self.n_planned_bytes.saturating_sub(requested.n_planned_bytes);
        self.n_reserved_bytes = self.n_reserved_bytes.saturating_sub(requested.n_reserved_bytes);
    }

    /// Removes the ranges that dropped batches need from requests that wait.
    fn drop_required(&mut self, is_dropped: impl Fn(RangeOwner) -> bool) {
        self.required.retain(|needed| !is_dropped(needed.owner));
        for PrefetchRequest { mut parts, .. } in mem::take(&mut self.queued) {
            parts.retain(|part| !is_dropped(part.owner));
            PrefetchRequest::try_new(parts).into_iter().for_each(|request| self.enqueue(request));
        }
    }

    /// Drops all batches in progress. The next batch is then read alone. After a repeated failure, some batches after it
    /// are also read alone.
    fn retry_isolated(&mut self) {
        self.drop_requests();
        self.dictionaries = None;
        self.n_planned_bytes = 0;
        self.n_reserved_bytes = 0;
        for in_flight in mem::take(&mut self.in_flight).into_iter().rev() {
            self.retries.push_front(in_flight.batch_idx());
        }
        self.backoff = self.backoff.failed();
    }

    fn drop_requests(&mut self) {
        self.required.clear();
        self.queued.clear();
        self.in_flight_requests.clear();
    }

    /// The number of bytes that may still be requested.
    fn headroom(&self) -> u64 {
        let headroom = self.max_bytes.saturating_sub(self.n_reserved_bytes);
        let Some(budget) = &self.decoder.options().memory_budget else { return headroom };
        let n_uncharged = match self.mode {
            RequestMode::Continuous => 0,
            // The budget is charged only once all requests are known.
            RequestMode::AtOnce { .. } => {
                let in_flight = self.in_flight_requests.iter().map(|request| length_of(&request.range));
                in_flight.fold(0, u64::saturating_add)
            }
        };
        let n_taken = budget.n_bytes_allocated().saturating_add(n_uncharged);
        headroom.min(budget.limit().saturating_sub(n_taken))
    }

    /// The maximum number of bytes in a request. Longer requests are hardly cheaper, or leave no bytes for requests that
    /// could run at the same time.
    fn max_group_bytes(&self) -> u64 {
        let cost = self.decoder.options().known_fetch_cost();
        let n_requests = u64::from(cost.requests_in_flight()).max(2);
        cost.n_bytes_per_request().saturating_mul(20).min(self.max_bytes / n_requests)
    }

    /// Begins batches until there is no headroom. Returns whether a batch remains for which there is no headroom.
    fn start_batches(&mut self) -> bool {
        let mut estimate = None;
        self.change_state();
        // Plans for single batches may have loaded the dictionaries.
        if !self.has_dictionaries
            && dictionaries::are_loaded(&self.decoder.file, &self.decoder.message_decoder)
        {
            self.finish_dictionaries();
        }
        while let Some(batch_idx) = self.next_to_start() {
            let n_planned_bytes = self.estimated_bytes(batch_idx, &mut estimate);
            if !self.has_headroom_for(n_planned_bytes) {
                return true;
            }
            if self.retries.pop_front().is_none() {
                self.remaining.pop();
            }
            // `ReadBatch::try_new` succeeds, since the caller has checked that the batches exist.
            let Ok(batch) = ReadBatch::try_new(&self.decoder, batch_idx) else { return false };
            let is_isolated = self.backoff.begin();
            let requested = RequestedBytes { n_planned_bytes, ..RequestedBytes::new(&self.decoder) };
            let in_flight = InFlightBatch { requested, batch, is_isolated, state: InFlightState::Fetching };
            self.n_planned_bytes = self.n_planned_bytes.saturating_add(n_planned_bytes);
            match self.in_flight.back() {
                // This batch was dropped and starts again.
                Some(last) if last.batch_idx() > batch_idx => {
                    let idx = self.in_flight.partition_point(|other| other.batch_idx() < batch_idx);
                    self.in_flight.insert(idx, in_flight);
                }
                Some(_) | None => self.in_flight.push_back(in_flight),
            }
            self.advance(batch_idx, &mut estimate);
            self.start_dictionaries(batch_idx);
        }
        false
    }

    /// If no batch is in progress, prepares for the dictionaries of the next batch.
    fn change_state(&mut self) {
        let next = self.next_index().and_then(|next| self.state_of(next));
        if self.in_flight.is_empty() && next.is_some() && next != self.state {
            self.state = next;
            self.loader = self.decoder.clone();
            self.has_dictionaries = false;
            self.drop_dictionaries();
        }
    }

    fn next_index(&self) -> Option<usize> {
        self.retries.front().copied().or(self.remaining.first())
    }

    /// The state of the dictionaries at a batch. Always `None` in a file.
    fn state_of(&self, batch_idx: usize) -> Option<DictionaryState> {
        self.decoder.dictionary_state(&self.decoder.file.footer.batch(batch_idx)?)
    }

    /// The next batch to request; `None` if it must wait until other batches are taken. Batches wait for those that have
    /// other dictionaries.
    fn next_to_start(&self) -> Option<usize> {
        let next = self.next_index()?;
        let Some(last) = self.in_flight.back() else { return Some(next) };
        let may_begin = self.is_filling
            && !self.backoff.is_next_alone()
            && !last.is_isolated
            && !self.decoder.is_in_memory();
        if !may_begin || self.state_of(next) != self.state {
            return None;
        }
        // Requests are joined in the order of the file. With blocks in another order, the gaps between them would be
        // fetched.
        let block = self.decoder.file.footer.batch(next)?;
        (last.batch.block.body_range().end <= block.position()).then_some(next)
    }

    /// Whether there is headroom for a batch that needs about `n_bytes` bytes. There is headroom for the first batch in any case.
    fn has_headroom_for(&self, n_bytes: u64) -> bool {
        let n_batches = self.in_flight.len() as u64;
        let n_bytes = self.n_planned_bytes.saturating_add(n_bytes);
        let max_batches = (self.max_bytes / MIN_BATCH_BYTES).max(MIN_BATCHES);
        n_batches == 0 || n_bytes <= self.max_bytes && n_batches < max_batches
    }

    /// The estimated number of bytes to fetch for a batch.
    fn estimated_bytes(&self, batch_idx: usize, estimate: &mut Option<BodyEstimate>) -> u64 {
        let Some(block) = self.decoder.file.footer.batch(batch_idx) else { return 0 };
        let estimate = estimate.get_or_insert_with(|| BodyEstimate::new(&self.decoder, batch_idx));
        estimate.n_fetched_bytes(&block)
    }

    /// Reads a batch until bytes are missing, and stores the ranges that it needs.
    fn advance(&mut self, batch_idx: usize, estimate: &mut Option<BodyEstimate>) {
        let Some(idx) = position_of(&self.in_flight, batch_idx) else { return };
        let Some(in_flight) = self.in_flight.get_mut(idx) else { return };
        let max_batch_bytes = self.mode.max_batch_bytes();
        if max_batch_bytes.is_some_and(|max_bytes| in_flight.is_left_to_caller(max_bytes)) {
            in_flight.state = InFlightState::LeftToCaller;
            return;
        }
        if let Some(range) = in_flight.whole(estimate) {
            let priced = PricedRange { range, price_without: None };
            self.required.push(RequiredRange { owner: in_flight.owner(), priced });
            return;
        }
        let read = in_flight.read(estimate);
        let needed = match read {
            Ok(Some(found)) => {
                in_flight.state = InFlightState::Fetched(Ok(found));
                return;
            }
            Ok(None) => in_flight.requested.bytes.needed(),
            Err(error) => Err(error),
        };
        match needed {
            Ok(needed) if max_batch_bytes.is_some_and(|max_bytes| n_bytes_of(&needed) > max_bytes) => {
                in_flight.state = InFlightState::LeftToCaller;
            }
            Ok(needed) => self.require(RangeOwner::Batch(batch_idx), &needed),
            Err(error) => in_flight.state = InFlightState::Fetched(Err(error)),
        }
    }

    /// Begins to load the dictionaries, if this is the first batch that waits for them. Ignores the limits, since no
    /// batch can be read without dictionaries.
    fn start_dictionaries(&mut self, batch_idx: usize) {
        let in_flight = position_of(&self.in_flight, batch_idx).and_then(|idx| self.in_flight.get(idx));
        let waits = in_flight.is_some_and(|in_flight| {
            !in_flight.is_isolated && !matches!(in_flight.state, InFlightState::LeftToCaller)
        });
        if waits && !self.has_dictionaries && self.dictionaries.is_none() {
            self.dictionaries = Some(RequestedBytes::new(&self.decoder));
            self.advance_dictionaries();
        }
    }

    /// Loads the dictionaries until bytes are missing. Drops an error: it occurs again when the next batch is read alone.
    fn advance_dictionaries(&mut self) {
        let Some(RequestedBytes { bytes, .. }) = &mut self.dictionaries else { return };
        let loaded = bytes.check_start().and_then(|()| self.loader.load_dictionaries(self.state, bytes));
        match loaded.and_then(|is_loaded| Ok((is_loaded, bytes.needed()?))) {
            Ok((true, _)) => self.finish_dictionaries(),
            Ok((false, needed)) => self.require(RangeOwner::Dictionaries, &needed),
            Err(_) => self.retry_isolated(),
        }
    }

    fn finish_dictionaries(&mut self) {
        self.has_dictionaries = true;
        self.drop_dictionaries();
    }

    /// Stops to request dictionaries, and ignores the bytes that arrive for them.
    fn drop_dictionaries(&mut self) {
        let Some(requested) = self.dictionaries.take() else { return };
        self.release(&requested);
        self.drop_required(|owner| owner == RangeOwner::Dictionaries);
        for request in &mut self.in_flight_requests {
            request.parts.retain(|part| part.owner != RangeOwner::Dictionaries);
        }
    }

    fn require(&mut self, owner: RangeOwner, needed: &NeededRanges) {
        let cost = self.decoder.options().known_fetch_cost();
        let max_bytes = self.mode.max_batch_bytes().unwrap_or(u64::MAX);
        let priced = needed.priced_for(&cost).filter(|priced| {
            !priced.range.is_empty()
                && (priced.price_without.is_none() || length_of(&priced.range) <= max_bytes)
        });
        self.required.extend(priced.map(|priced| RequiredRange { owner, priced }));
    }

    fn make_requests(&mut self) {
        if self.required.is_empty() {
            return;
        }
        let mut needed = mem::take(&mut self.required);
        needed.sort_unstable_by_key(|needed| needed.priced.range.start);
        let priced = needed.iter().map(|needed| needed.priced.clone()).collect();
        let cost = self.decoder.options().known_fetch_cost();
        let max_bytes = match self.mode {
            // A long request delays the next batch.
            RequestMode::Continuous => self.max_group_bytes(),
            // Long requests do no harm, since the connections stay busy.
            RequestMode::AtOnce { .. } => cost.n_full_request_bytes(),
        };
        let requests = merge(priced, &cost, max_bytes);
        let mut needed = needed.drain(..).peekable();
        for range in requests {
            let mut parts = VecDeque::new();
            while let Some(needed) = needed.next_if(|needed| needed.priced.range.start < range.end) {
                let requested_range = &needed.priced.range;
                // Ranges outside the request are dropped.
                if range.start <= requested_range.start && requested_range.end <= range.end {
                    push_part(&mut parts, needed);
                }
            }
            for part in &parts {
                if let Some(requested) = self.requested_by(part.owner) {
                    // No overflow: each missing range takes memory.
                    requested.n_missing += 1;
                }
            }
            PrefetchRequest::try_new(parts).into_iter().for_each(|request| self.enqueue(request));
        }
    }

    fn enqueue(&mut self, request: PrefetchRequest) {
        let idx = self.queued.partition_point(|other| other.first <= request.first);
        self.queued.insert(idx, request);
    }

    fn requested_by(&mut self, owner: RangeOwner) -> Option<&mut RequestedBytes> {
        let RangeOwner::Batch(batch_idx) = owner else { return self.dictionaries.as_mut() };
        let idx = position_of(&self.in_flight, batch_idx)?;
        self.in_flight.get_mut(idx).map(|in_flight| &mut in_flight.requested)
    }

    /// Counts requested bytes of a batch or the dictionaries.
    fn reserve(&mut self, owner: RangeOwner, n_bytes: u64) {
        let Some(requested) = self.requested_by(owner) else { return };
        requested.n_reserved_bytes = requested.n_reserved_bytes.saturating_add(n_bytes);
        let n_more = requested.n_reserved_bytes.saturating_sub(requested.n_planned_bytes);
        requested.n_planned_bytes = requested.n_planned_bytes.max(requested.n_reserved_bytes);
        self.n_reserved_bytes = self.n_reserved_bytes.saturating_add(n_bytes);
        self.n_planned_bytes = self.n_planned_bytes.saturating_add(n_more);
    }
}
