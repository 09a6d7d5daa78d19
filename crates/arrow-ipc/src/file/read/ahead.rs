//! Reads batches of a file ahead, without I/O: which are begun, what is requested for them, and when.

use std::{collections::VecDeque, mem, ops::Range, sync::Arc};

use arrow_buffer::Buffer;

use super::{
    batch::ReadBatch, decoder::FileDecoder, opened::FetchedBatch, outlook::Outlook, provided::Provided,
    ranges::NeededRanges,
};
use crate::{
    alignment::length_of,
    body::Body,
    error::{IpcError, IpcErrorKind, Result},
    message::OpenBatch,
    source::{PricedRange, merge},
};

/// Batches of a file that are read one after the other, without I/O: says which ranges to fetch, before the batches that
/// need them are taken. Ranges of several batches are one request if that is cheaper. Answers may come in any order.
///
/// What is requested and what has been fetched has at most [`read_ahead_bytes`](crate::ReadOptions::with_read_ahead_bytes),
/// but the next batch may always be requested. If something cannot be fetched, the next batch is read alone, so that an
/// error belongs to it.
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
    /// Set if the caller fetches all requests at once, and then waits for them. A batch that needs more bytes is left to the
    /// caller then, and so is one that must be read alone.
    max_batch_bytes: Option<u64>,
    /// Batches that were begun and are begun again. They come before the rest.
    again: VecDeque<usize>,
    rest: Range<usize>,
    /// In the order of the footer.
    begun: VecDeque<Begun>,
    /// The ranges that begun batches have asked for since requests were made of them.
    wanted: Vec<WantedRange>,
    /// Requests that have not been handed out, in the order of their first batches.
    waiting: VecDeque<AheadRequest>,
    under_way: VecDeque<AheadRequest>,
    /// How many bytes begun batches will need, as far as known.
    n_planned_bytes: u64,
    /// How many bytes have been requested for begun batches.
    n_held_bytes: u64,
    /// Whether batches are begun now. They are until a bound is reached, and then again when there is room for a whole
    /// request, so that neighbours can be requested together.
    is_filling: bool,
    /// How many batches are read alone after the next failure, besides the first. The number doubles if reading ahead
    /// fails again.
    n_alone: usize,
    n_alone_left: usize,
    /// Whether the batch that was taken last was read alone.
    has_taken_alone: bool,
}

/// A batch that is being fetched, or has been.
#[derive(Debug)]
struct Begun {
    batch: ReadBatch,
    bytes: Provided,
    state: BegunState,
    /// Whether no other batch is read at the same time.
    is_alone: bool,
    loads_dictionaries: bool,
    /// How many parts of requests have not been provided.
    n_missing: usize,
    n_planned_bytes: u64,
    n_held_bytes: u64,
}

#[derive(Debug)]
enum BegunState {
    Fetching,
    Fetched(Result<(Arc<OpenBatch>, Body)>),
    Left,
}

#[derive(Debug)]
struct WantedRange {
    batch_idx: usize,
    priced: PricedRange,
}

/// The parts of a request are in the order of the file.
#[derive(Debug)]
struct AheadRequest {
    range: Range<u64>,
    parts: VecDeque<RequestPart>,
}

/// What one batch needs of a request.
#[derive(Debug)]
struct RequestPart {
    batch_idx: usize,
    range: Range<u64>,
}

/// The most batches that are read alone before reading ahead is tried again.
const MOST_ALONE: usize = 1 << 20;

/// At most one batch is begun for each this many bytes to read ahead, even if batches are shorter: each takes memory of
/// its own.
const LEAST_BATCH_BYTES: u64 = 256;

impl ReadAhead {
    pub(super) fn new(decoder: &FileDecoder, batches: Range<usize>) -> ReadAhead {
        let mut ahead = ReadAhead {
            max_bytes: decoder.options().read_ahead_bytes(),
            max_batch_bytes: None,
            decoder: decoder.clone(),
            again: VecDeque::new(),
            rest: 0..0,
            begun: VecDeque::new(),
            wanted: Vec::new(),
            waiting: VecDeque::new(),
            under_way: VecDeque::new(),
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

    /// For a caller who fetches all requests at once: at most this many bytes. Batches that need more than `max_batch_bytes`
    /// are left to the caller, and so are those that must be read alone.
    pub(super) fn at_once(self, max_bytes: u64, max_batch_bytes: u64) -> ReadAhead {
        ReadAhead { max_bytes, max_batch_bytes: Some(max_batch_bytes.min(max_bytes)), ..self }
    }

    pub(super) fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Whether no batch has been begun.
    pub(super) fn is_empty(&self) -> bool {
        self.begun.is_empty()
    }

    /// The number of batches that have not been taken.
    pub fn n_left(&self) -> usize {
        // No overflow: no more than the footer has.
        self.again.len() + self.rest.len() + self.begun.len()
    }

    /// From now on, these batches are the next ones. Drops those before them.
    pub(super) fn reach(&mut self, batches: Range<usize>) {
        while let Some(begun) = self.begun.pop_front_if(|begun| begun.batch_idx() < batches.start) {
            self.forget(&begun);
        }
        self.again.retain(|batch_idx| *batch_idx >= batches.start);
        let last = self.begun.back().map(Begun::batch_idx).max(self.again.back().copied());
        let after = last.and_then(|last| last.checked_add(1)).unwrap_or(0);
        self.rest = batches.start.max(after)..batches.end.min(self.decoder.n_batches());
    }

    /// The next range to request, if the bounds allow one more, and if `has_room` allows it beside the requests that are under way.
    /// Either [`provide`](ReadAhead::provide) it, or [`fail`](ReadAhead::fail).
    pub fn next_request(&mut self, has_room: impl FnOnce(&Range<u64>) -> bool) -> Option<Range<u64>> {
        self.is_filling |= self.n_held_bytes.saturating_add(self.max_group_bytes()) <= self.max_bytes;
        let is_full = self.begin();
        self.make_requests();
        self.is_filling &= !(is_full && self.waiting.is_empty());
        let AheadRequest { range, parts } = self.waiting.front()?;
        // Without this one, no batch could be taken.
        let first = self.begun.iter().find(|begun| begun.is_fetching())?.batch_idx();
        let is_first = |part: &RequestPart| part.batch_idx == first;
        let room = self.room();
        let fits = |part: &&RequestPart| part.range.end.saturating_sub(range.start) <= room;
        let n_fitting = parts.iter().take_while(fits).count();
        self.is_filling &= n_fitting == parts.len();
        let n_parts = match parts.iter().take_while(|part| is_first(part)).count() {
            0 if !self.is_filling => return None,
            n_first => n_first.max(n_fitting),
        };
        let end = parts.get(n_parts.checked_sub(1)?)?.range.end;
        if !has_room(&(range.start..end)) {
            return None;
        }
        let mut request = self.waiting.pop_front()?;
        if n_parts < request.parts.len() {
            let parts = request.parts.split_off(n_parts);
            let range = parts.front()?.range.start..request.range.end;
            self.waiting.push_front(AheadRequest { range, parts });
            request.range.end = end;
        }
        let mut held_end = request.range.start;
        for part in &request.parts {
            let n_bytes = part.range.end.saturating_sub(held_end);
            held_end = part.range.end;
            self.hold(part.batch_idx, n_bytes);
        }
        let range = request.range.clone();
        self.under_way.push_back(request);
        Some(range)
    }

    /// Takes the bytes of a request. What is no longer wanted is ignored.
    ///
    /// # Errors
    /// If the bytes do not have the length of the range.
    pub fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        let (Range { start, end }, found) = (range, bytes.len() as u64);
        if end.checked_sub(start) != Some(found) {
            let file_bytes = self.decoder.file.n_bytes;
            return Err(IpcErrorKind::ProvidedRange { start, end, found, file_bytes }.into());
        }
        let place = self.under_way.iter().position(|request| request.range == (start..end));
        let Some(request) = place.and_then(|place| self.under_way.remove(place)) else { return Ok(()) };
        for part in request.parts {
            let Some(begun) = position_of(&self.begun, part.batch_idx) else { continue };
            let Some(begun) = self.begun.get_mut(begun) else { continue };
            // What dictionaries keep in memory is known from all of it.
            let place = if begun.loads_dictionaries { start..end } else { part.range };
            let n_before = place.start.saturating_sub(start);
            let bytes = bytes.try_slice(n_before, length_of(&place)).map_err(IpcError::from)?;
            begun.bytes.provide(place, bytes)?;
            begun.n_missing = begun.n_missing.saturating_sub(1);
            if begun.n_missing == 0 {
                self.step(part.batch_idx, &mut None);
            }
        }
        Ok(())
    }

    /// Takes the error of a request that could not be fetched. Other requests that are under way are no longer wanted.
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

    /// Puts back a batch that was taken, because there was not enough memory to decode it. Drops everything that has been
    /// read ahead; the batch is then read alone. Returns whether it is; `false` if it was alone already.
    pub fn put_back(&mut self, batch_idx: usize) -> bool {
        if self.has_taken_alone {
            return false;
        }
        self.begin_again();
        self.again.push_front(batch_idx);
        true
    }

    /// Whether batches are read one by one, because what was read ahead could not be fetched, or took too much memory.
    pub fn is_reading_alone(&self) -> bool {
        self.has_taken_alone
    }

    /// The next batch, if it has been fetched.
    pub fn take_next(&mut self) -> Option<FetchedBatch> {
        let next = self.begun.pop_front_if(|begun| begun.is_done())?;
        self.taken(next)
    }

    /// Any batch that has been fetched.
    pub fn take_any(&mut self) -> Option<FetchedBatch> {
        // Batches that are decoded before the dictionaries have been read would have none.
        let is_loading = self.begun.iter().any(|begun| begun.loads_dictionaries && begun.is_fetching());
        let place = self.begun.iter().position(|begun| begun.is_done() && !is_loading)?;
        let begun = self.begun.remove(place)?;
        self.taken(begun)
    }

    /// Whether the next batch has been fetched, or is left to the caller.
    pub(super) fn has_next(&self) -> bool {
        self.begun.front().is_some_and(Begun::is_done)
    }

    /// The first batch, if it is at this position and has been fetched. If it was left to the caller, it is dropped.
    pub(super) fn take_front(&mut self, batch_idx: usize) -> Option<FetchedBatch> {
        let front = self.begun.pop_front_if(|begun| begun.batch_idx() == batch_idx)?;
        self.taken(front)
    }

    /// As [`take_front`](ReadAhead::take_front), of the last batch.
    pub(super) fn take_back(&mut self, batch_idx: usize) -> Option<FetchedBatch> {
        let back = self.begun.pop_back_if(|begun| begun.batch_idx() == batch_idx)?;
        self.taken(back)
    }

    fn taken(&mut self, begun: Begun) -> Option<FetchedBatch> {
        self.forget(&begun);
        self.has_taken_alone = begun.is_alone;
        match begun.state {
            BegunState::Fetched(fetched) => Some(FetchedBatch { batch: begun.batch, fetched }),
            BegunState::Fetching | BegunState::Left => None,
        }
    }

    /// Gives back the room of a batch.
    fn forget(&mut self, begun: &Begun) {
        self.n_planned_bytes = self.n_planned_bytes.saturating_sub(begun.n_planned_bytes);
        self.n_held_bytes = self.n_held_bytes.saturating_sub(begun.n_held_bytes);
    }

    /// Drops all that has been begun. The next batch is read alone, and if this happens again, some after it.
    fn begin_again(&mut self) {
        self.drop_requests();
        for begun in mem::take(&mut self.begun).into_iter().rev() {
            self.forget(&begun);
            self.again.push_front(begun.batch_idx());
        }
        self.n_alone_left = self.n_alone + 1;
        self.n_alone = (self.n_alone * 2).clamp(1, MOST_ALONE);
    }

    fn drop_requests(&mut self) {
        self.wanted.clear();
        self.waiting.clear();
        self.under_way.clear();
    }

    /// How many more bytes may be requested.
    fn room(&self) -> u64 {
        let room = self.max_bytes.saturating_sub(self.n_held_bytes);
        let Some(budget) = &self.decoder.options().memory_budget else { return room };
        let n_under_way = self.under_way.iter().map(|request| length_of(&request.range));
        let n_taken = n_under_way.fold(budget.n_bytes_allocated(), u64::saturating_add);
        room.min(budget.limit().saturating_sub(n_taken))
    }

    /// A request of more bytes would hardly be cheaper, or would leave nothing for others that could run at the same time.
    fn max_group_bytes(&self) -> u64 {
        let cost = self.decoder.options().known_fetch_cost();
        let n_requests = u64::from(cost.requests_in_flight()).max(2);
        cost.n_bytes_per_request().saturating_mul(20).min(self.max_bytes / n_requests)
    }

    /// Begins batches as far as the bounds allow. Returns whether there is no room for another one.
    fn begin(&mut self) -> bool {
        let mut outlook = None;
        while let Some(batch_idx) = self.next_to_begin() {
            let n_planned_bytes = self.n_likely_bytes(batch_idx, &mut outlook);
            if !self.has_place_for(n_planned_bytes) {
                return true;
            }
            if self.again.pop_front().is_none() {
                self.rest.next();
            }
            // Those that are to be begun exist.
            let Ok(batch) = ReadBatch::of(&self.decoder, batch_idx) else { return false };
            let n_alone_left = self.n_alone_left.checked_sub(1);
            let is_alone = n_alone_left.is_some();
            self.n_alone_left = n_alone_left.unwrap_or(0);
            let is_loaded = || self.begun.iter().any(|begun| begun.loads_dictionaries);
            let begun = Begun {
                n_planned_bytes,
                bytes: self.decoder.provided(),
                batch,
                is_alone,
                loads_dictionaries: is_alone
                    || !self.decoder.session.has_needed_dictionaries() && !is_loaded(),
                n_missing: 0,
                n_held_bytes: 0,
                state: BegunState::Fetching,
            };
            self.n_planned_bytes = self.n_planned_bytes.saturating_add(begun.n_planned_bytes);
            match self.begun.back() {
                // One that is begun again.
                Some(last) if last.batch_idx() > batch_idx => {
                    let place = self.begun.partition_point(|other| other.batch_idx() < batch_idx);
                    self.begun.insert(place, begun);
                }
                Some(_) | None => self.begun.push_back(begun),
            }
            self.step(batch_idx, &mut outlook);
        }
        false
    }

    /// The next batch, if it may be begun beside others.
    fn next_to_begin(&self) -> Option<usize> {
        let next = self.again.front().copied().or(self.rest.clone().next())?;
        let Some(last) = self.begun.back() else { return Some(next) };
        let may_begin =
            self.is_filling && self.n_alone_left == 0 && !last.is_alone && !self.decoder.is_in_memory();
        // Requests are joined in the order of the file; of blocks that are listed in another, gaps would count.
        let block = self.decoder.file.footer.batch(next).filter(|_| may_begin)?;
        Some(next).filter(|_| last.batch.block.body_range().end <= block.position())
    }

    /// Whether there is room for what a batch will probably need. There is for the first.
    fn has_place_for(&self, n_bytes: u64) -> bool {
        let n_batches = self.begun.len() as u64;
        let n_bytes = self.n_planned_bytes.saturating_add(n_bytes);
        n_batches == 0 || n_bytes <= self.max_bytes && n_batches < self.max_bytes / LEAST_BATCH_BYTES
    }

    /// About how many bytes a batch needs.
    fn n_likely_bytes(&self, batch_idx: usize, outlook: &mut Option<Outlook>) -> u64 {
        let Some(block) = self.decoder.file.footer.batch(batch_idx) else { return 0 };
        let outlook = outlook.get_or_insert_with(|| Outlook::of(&self.decoder, batch_idx));
        outlook.n_fetched_bytes(&block)
    }

    /// Continues a batch as far as its bytes allow, and notes what it asks for.
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
            self.wanted.push(WantedRange { batch_idx, priced });
            return;
        }
        let read = begun.read(outlook);
        let needed = match read {
            Ok(Some(found)) => {
                begun.state = BegunState::Fetched(Ok(found));
                self.n_alone = if begun.is_alone { self.n_alone } else { 0 };
                return;
            }
            Ok(None) => begun.bytes.needed(),
            Err(error) => Err(error),
        };
        match needed {
            Ok(needed) if max_batch_bytes.is_some_and(|max_bytes| n_bytes_of(&needed) > max_bytes) => {
                begun.state = BegunState::Left;
            }
            Ok(needed) => self.want(batch_idx, &needed),
            // Others would be decoded without the dictionaries.
            Err(_) if begun.loads_dictionaries && !begun.is_alone => self.begin_again(),
            Err(error) => begun.state = BegunState::Fetched(Err(error)),
        }
    }

    fn want(&mut self, batch_idx: usize, needed: &NeededRanges) {
        let cost = self.decoder.options().known_fetch_cost();
        let max_bytes = self.max_batch_bytes.unwrap_or(u64::MAX);
        let priced = needed.priced_for(&cost).filter(|priced| {
            !priced.range.is_empty()
                && (priced.price_without.is_none() || length_of(&priced.range) <= max_bytes)
        });
        self.wanted.extend(priced.map(|priced| WantedRange { batch_idx, priced }));
    }

    /// Makes requests of the wanted ranges.
    fn make_requests(&mut self) {
        if self.wanted.is_empty() {
            return;
        }
        let mut wanted = mem::take(&mut self.wanted);
        wanted.sort_unstable_by_key(|wanted| wanted.priced.range.start);
        let priced = wanted.iter().map(|wanted| wanted.priced.clone()).collect();
        let cost = self.decoder.options().known_fetch_cost();
        // All at once keep the connections busy, whatever their lengths; else what is long is a long wait.
        let is_at_once = self.max_batch_bytes.is_some();
        let max_bytes = if is_at_once { cost.n_full_request_bytes() } else { self.max_group_bytes() };
        let requests = merge(priced, &cost, max_bytes);
        let mut wanted = wanted.drain(..).peekable();
        for range in requests {
            let mut request = AheadRequest { range: range.clone(), parts: VecDeque::new() };
            while let Some(WantedRange { batch_idx, priced }) =
                wanted.next_if(|wanted| wanted.priced.range.start < range.end)
            {
                // What a request does not have is left out.
                if range.start <= priced.range.start && priced.range.end <= range.end {
                    request.push(batch_idx, priced.range);
                }
            }
            for part in &request.parts {
                let place = position_of(&self.begun, part.batch_idx);
                if let Some(begun) = place.and_then(|place| self.begun.get_mut(place)) {
                    // No overflow: no more than there are parts in memory.
                    begun.n_missing += 1;
                }
            }
            let first = request.first_batch();
            let place = self.waiting.partition_point(|other| other.first_batch() <= first);
            self.waiting.insert(place, request);
        }
    }

    /// Counts bytes that are requested for a batch.
    fn hold(&mut self, batch_idx: usize, n_bytes: u64) {
        let place = position_of(&self.begun, batch_idx);
        let Some(begun) = place.and_then(|place| self.begun.get_mut(place)) else { return };
        begun.n_held_bytes = begun.n_held_bytes.saturating_add(n_bytes);
        self.n_held_bytes = self.n_held_bytes.saturating_add(n_bytes);
        let n_more = begun.n_held_bytes.saturating_sub(begun.n_planned_bytes);
        begun.n_planned_bytes = begun.n_planned_bytes.saturating_add(n_more);
        self.n_planned_bytes = self.n_planned_bytes.saturating_add(n_more);
    }
}

impl Begun {
    fn batch_idx(&self) -> usize {
        self.batch.batch_idx
    }

    fn is_fetching(&self) -> bool {
        matches!(self.state, BegunState::Fetching)
    }

    fn is_done(&self) -> bool {
        !self.is_fetching()
    }

    /// Whether it is left to the caller before anything has been requested for it.
    fn is_left(&self, max_bytes: u64) -> bool {
        let is_whole = self.batch.decoder.session.selection().is_all();
        self.is_alone || is_whole && self.batch.block.n_bytes() > max_bytes
    }

    /// The whole batch, if its metadata is not here, and requesting all of it is cheapest in any case.
    fn whole(&self, outlook: &mut Option<Outlook>) -> Option<Range<u64>> {
        let (file, block) = (&self.batch.decoder.file, &self.batch.block);
        let is_known = self.loads_dictionaries
            || file.believes_layouts
            || file.kept_batch(self.batch_idx()).is_some()
            || self.bytes.find(&block.metadata_range()).is_some();
        if is_known {
            return None;
        }
        let outlook = outlook.get_or_insert_with(|| Outlook::of(&self.batch.decoder, self.batch_idx()));
        let is_whole = outlook.is_whole(block) && (outlook.is_all || file.layouts().is_none());
        is_whole.then(|| block.position()..block.body_range().end)
    }

    fn read(&mut self, outlook: &mut Option<Outlook>) -> Result<Option<(Arc<OpenBatch>, Body)>> {
        self.bytes.check_start()?;
        let fetched = self.batch.fetch_whole(&mut self.bytes, outlook)?;
        let is_loaded = !self.loads_dictionaries || self.batch.load_dictionaries(&mut self.bytes)?;
        Ok(fetched.filter(|_| is_loaded))
    }
}

impl AheadRequest {
    /// Parts of a batch that follow each other become one.
    fn push(&mut self, batch_idx: usize, range: Range<u64>) {
        match self.parts.back_mut() {
            Some(last) if last.batch_idx == batch_idx => last.range.end = last.range.end.max(range.end),
            Some(_) | None => self.parts.push_back(RequestPart { batch_idx, range }),
        }
    }

    fn first_batch(&self) -> Option<usize> {
        self.parts.iter().map(|part| part.batch_idx).min()
    }
}

fn n_bytes_of(needed: &NeededRanges) -> u64 {
    needed.required().iter().chain(needed.useful()).map(length_of).fold(0, u64::saturating_add)
}

fn position_of(begun: &VecDeque<Begun>, batch_idx: usize) -> Option<usize> {
    // Mostly, there is none missing between them.
    let place = batch_idx.checked_sub(begun.front()?.batch_idx())?;
    match begun.get(place) {
        Some(found) if found.batch_idx() == batch_idx => Some(place),
        Some(_) | None => begun.binary_search_by_key(&batch_idx, Begun::batch_idx).ok(),
    }
}
