//! A source that is read by position, of any type.

pub(crate) mod before_footer;
mod gathering;
mod read_queue;
#[cfg(feature = "text")]
pub(crate) mod recording;

use std::{
    fmt,
    io::{self, Read},
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, IpcError, Limits, MessageScan, ReadAt, Source, file::SplitRanges};

pub(crate) use self::gathering::{GatheredRequest, MAX_BYTES, MAX_RANGES, RangeCache, requests_for};
pub(crate) use self::read_queue::ReadQueue;

/// A source of any kind, and the limits of reading it. Clones share the source.
#[derive(Clone)]
pub struct SharedSource {
    shared: Arc<GatheringSource<dyn Source>>,
    limits: Arc<Limits>,
}

struct GatheringSource<S: ?Sized> {
    /// Bytes that were fetched in advance and are still in memory.
    gathered: Mutex<RangeCache>,
    source: S,
}

impl SharedSource {
    pub(crate) fn new(source: impl Source + 'static) -> SharedSource {
        let shared = Arc::new(GatheringSource { gathered: Mutex::default(), source });
        SharedSource { shared, limits: Arc::default() }
    }

    pub(crate) fn with_limits(self, limits: Arc<Limits>) -> SharedSource {
        SharedSource { limits, ..self }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The messages in a range of the source.
    ///
    /// # Errors
    /// If the length of the source is unknown.
    pub(crate) fn scan(&self, range: Range<u64>) -> Result<MessageScan<SharedSource>, IpcError> {
        MessageScan::try_new(self.clone(), range, Limits::clone(&self.limits))
    }

    /// Whether [`gather`](SharedSource::gather) saves time: requests have a high latency, and several can run at the
    /// same time.
    pub(crate) fn is_far(&self) -> bool {
        self.shared.source.fetch_cost().requests_in_flight() > 1 && self.shared.source.whole().is_none()
    }

    /// Fetches ranges together before they are read. The bytes stay in memory until later ranges need the room.
    /// Errors are not reported: the reader fetches a missing range again, and gets the error.
    pub(crate) fn gather(&self, ranges: &[Range<u64>]) {
        let wanted: Vec<Range<u64>> = {
            let gathered = self.gathered();
            ranges.iter().filter(|range| gathered.find(range).is_none()).cloned().collect()
        };
        let cost = self.fetch_cost();
        for requests in requests_for(wanted, &cost) {
            let whole: Vec<Range<u64>> = requests.iter().map(|request| request.range.clone()).collect();
            let Ok(fetched) = self.fetch_in_pieces(&whole) else { return };
            let mut gathered = self.gathered();
            for (request, bytes) in requests.iter().zip(fetched) {
                gathered.add(request, &bytes);
            }
        }
    }

    /// The bytes of a range that were [gathered](SharedSource::gather); `None` if they are no longer in memory.
    pub(crate) fn kept(&self, range: &Range<u64>) -> Option<Buffer> {
        self.gathered().find(range)
    }

    /// Fetches ranges, each up to the end of the source. Long ranges are divided into several requests.
    fn fetch_in_pieces(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let in_pieces = SplitRanges::new(ranges, &self.fetch_cost());
        let fetched = self.shared.source.fetch_many(in_pieces.pieces())?;
        let joined = in_pieces.join(fetched);
        joined.map(|joined| joined.map(|(_, bytes)| bytes).map_err(io::Error::other)).collect()
    }

    fn gathered(&self) -> MutexGuard<'_, RangeCache> {
        self.shared.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for SharedSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.shared.source.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        if let Some(bytes) = self.kept(&range) {
            return Ok(bytes);
        }
        if self.is_far() {
            let n_bytes = self.n_bytes()?;
            let with_more = self.gathered().read_on(&range, &self.fetch_cost(), n_bytes);
            if with_more != range {
                self.gather(&[with_more]);
                if let Some(bytes) = self.kept(&range) {
                    return Ok(bytes);
                }
            }
        }
        if self.fetch_cost().pieces_of(range.clone()).nth(1).is_some() {
            let fetched = self.fetch_in_pieces(std::slice::from_ref(&range))?;
            return fetched.into_iter().next().ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
        }
        self.shared.source.fetch(range)
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let found: Vec<Option<Buffer>> = {
            let gathered = self.gathered();
            ranges.iter().map(|range| gathered.find(range)).collect()
        };
        let missing = ranges.iter().zip(&found).filter(|(_, found)| found.is_none());
        let missing: Vec<Range<u64>> = missing.map(|(range, _)| range.clone()).collect();
        let mut fetched =
            if missing.is_empty() { Vec::new() } else { self.shared.source.fetch_many(&missing)? }
                .into_iter();
        let mut all: Vec<Buffer> =
            found.into_iter().map_while(|found| found.or_else(|| fetched.next())).collect();
        // If the source returns too many buffers, all are returned, so that the caller detects the wrong number.
        all.extend(fetched);
        Ok(all)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.shared.source.fetch_cost()
    }

    fn whole(&self) -> Option<Buffer> {
        self.shared.source.whole()
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        self.shared.source.read_at()
    }
}

impl fmt::Debug for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedSource").finish_non_exhaustive()
    }
}

/// A range of a source, as a source of its own.
pub(crate) struct Section<S = SharedSource> {
    source: S,
    range: Range<u64>,
}

impl<S> Section<S> {
    pub(crate) fn new(source: S, range: Range<u64>) -> Section<S> {
        Section { source, range }
    }

    /// Converts a range of this section to a range of the source, cut at the end of the section.
    fn placed(&self, range: Range<u64>) -> Range<u64> {
        let place = |position: u64| self.range.start.saturating_add(position).min(self.range.end);
        place(range.start)..place(range.end)
    }
}

impl<S: Source> Source for Section<S> {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.range.end.saturating_sub(self.range.start))
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.source.fetch(self.placed(range))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let ranges: Vec<Range<u64>> = ranges.iter().map(|range| self.placed(range.clone())).collect();
        self.source.fetch_many(&ranges)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.source.fetch_cost()
    }

    fn whole(&self) -> Option<Buffer> {
        let Range { start, end } = self.range;
        self.source.whole()?.try_slice(start, end.saturating_sub(start)).ok()
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        self.source.read_at().is_some().then_some(self as &dyn ReadAt)
    }
}

impl<S: Source> ReadAt for Section<S> {
    fn read_at(&self, place: &mut [u8], position: u64) -> io::Result<usize> {
        let Some(source) = self.source.read_at() else { return Err(io::ErrorKind::Unsupported.into()) };
        let Range { start, end } = self.placed(position..position.saturating_add(place.len() as u64));
        let n_bytes = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX).min(place.len());
        source.read_at(&mut place[..n_bytes], start)
    }
}

/// Reads a source from a position to the end.
pub(crate) struct PositionedRead {
    source: SharedSource,
    position: u64,
}

impl PositionedRead {
    pub(crate) fn new(source: SharedSource, position: u64) -> PositionedRead {
        PositionedRead { source, position }
    }

    pub(crate) fn source(&self) -> &SharedSource {
        &self.source
    }

    /// Skips `n_bytes` bytes, or fewer at the end of the source. Returns the number of skipped bytes.
    ///
    /// # Errors
    /// If the length of the source is unknown.
    pub(crate) fn skip(&mut self, n_bytes: u64) -> io::Result<u64> {
        let n_skipped = self.source.n_bytes()?.saturating_sub(self.position).min(n_bytes);
        self.position = self.position.saturating_add(n_skipped);
        Ok(n_skipped)
    }
}

impl Read for PositionedRead {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        if let Some(source) = self.source.read_at() {
            let n_read = source.read_at(place, self.position)?;
            self.position = self.position.saturating_add(n_read as u64);
            return Ok(n_read);
        }
        let n_left = self.source.n_bytes()?.saturating_sub(self.position);
        let n_wanted = n_left.min(place.len() as u64);
        if n_wanted == 0 {
            return Ok(0);
        }
        let bytes = self.source.fetch(self.position..self.position.saturating_add(n_wanted))?;
        let n_read = bytes.len().min(place.len());
        place[..n_read].copy_from_slice(&bytes[..n_read]);
        self.position = self.position.saturating_add(n_read as u64);
        Ok(n_read)
    }
}

/// Whether all of these bytes are zero.
pub(crate) fn is_zero(source: &impl Source, range: Range<u64>) -> Result<bool, IpcError> {
    const CHUNK_BYTES: u64 = 64 << 10;
    let mut start = range.start;
    while start < range.end {
        let end = start.saturating_add(CHUNK_BYTES).min(range.end);
        if source.fetch(start..end)?.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        start = end;
    }
    Ok(true)
}
