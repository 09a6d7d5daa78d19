//! A source that is read by position, of any type.

pub(crate) mod before_footer;
#[cfg(feature = "text")]
pub(crate) mod recording;

use std::{
    fmt,
    io::{self, Read},
    ops::{Deref, Range},
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_ipc::{
    FetchCost, IpcError, Limits, MessageScan, ReadAt, Source,
    file::Block,
    planner::{PrefetchSource, RangeQueue},
};

/// A source of any kind, and the limits of reading it. Clones share the source.
#[derive(Clone)]
pub struct SharedSource {
    shared: Arc<PrefetchSource<dyn Source>>,
    limits: Arc<Limits>,
}

impl SharedSource {
    pub(crate) fn new(source: impl Source + 'static) -> SharedSource {
        SharedSource { shared: Arc::new(PrefetchSource::new(source)), limits: Arc::default() }
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

    /// A queue with a range for each of these blocks. Empty if requests have a low latency.
    pub(crate) fn queue_of(
        &self,
        blocks: Vec<&Block>,
        range_of: impl Fn(usize, &Block) -> Range<u64>,
    ) -> RangeQueue {
        if !self.is_far() {
            return RangeQueue::default();
        }
        let ranges = blocks.iter().map(|block| block.range()).collect();
        RangeQueue::from_blocks(ranges, |idx, range| {
            blocks.get(idx).map_or(range, |block| range_of(idx, block))
        })
    }
}

impl Deref for SharedSource {
    type Target = PrefetchSource<dyn Source>;

    fn deref(&self) -> &PrefetchSource<dyn Source> {
        &self.shared
    }
}

impl Source for SharedSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.shared.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.shared.fetch(range)
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.shared.fetch_many(ranges)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.shared.fetch_cost()
    }

    fn whole(&self) -> Option<Buffer> {
        self.shared.whole()
    }

    fn cached(&self, range: &Range<u64>) -> Option<Buffer> {
        self.shared.cached(range)
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        self.shared.read_at()
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
    fn source_range(&self, range: Range<u64>) -> Range<u64> {
        let in_source = |position: u64| self.range.start.saturating_add(position).min(self.range.end);
        in_source(range.start)..in_source(range.end)
    }
}

impl<S: Source> Source for Section<S> {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.range.end.saturating_sub(self.range.start))
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.source.fetch(self.source_range(range))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let ranges: Vec<Range<u64>> = ranges.iter().map(|range| self.source_range(range.clone())).collect();
        self.source.fetch_many(&ranges)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.source.fetch_cost()
    }

    fn whole(&self) -> Option<Buffer> {
        let Range { start, end } = self.range;
        self.source.whole()?.try_slice(start, end.saturating_sub(start)).ok()
    }

    fn cached(&self, range: &Range<u64>) -> Option<Buffer> {
        self.source.cached(&self.source_range(range.clone()))
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        self.source.read_at().is_some().then_some(self as &dyn ReadAt)
    }
}

impl<S: Source> ReadAt for Section<S> {
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        let Some(source) = self.source.read_at() else { return Err(io::ErrorKind::Unsupported.into()) };
        let Range { start, end } = self.source_range(position..position.saturating_add(buffer.len() as u64));
        let n_bytes = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX).min(buffer.len());
        source.read_at(&mut buffer[..n_bytes], start)
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
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(source) = self.source.read_at() {
            let n_read = source.read_at(buffer, self.position)?;
            self.position = self.position.saturating_add(n_read as u64);
            return Ok(n_read);
        }
        let n_left = self.source.n_bytes()?.saturating_sub(self.position);
        let n_requested = n_left.min(buffer.len() as u64);
        if n_requested == 0 {
            return Ok(0);
        }
        let bytes = self.source.fetch(self.position..self.position.saturating_add(n_requested))?;
        let n_read = bytes.len().min(buffer.len());
        buffer[..n_read].copy_from_slice(&bytes[..n_read]);
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
