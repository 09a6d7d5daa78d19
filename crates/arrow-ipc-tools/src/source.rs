//! What is read by position, whatever it is.

use std::{
    fmt,
    io::{self, Read},
    ops::Range,
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, ReadAt, Source};

/// A source of any kind, which clones share.
#[derive(Clone)]
pub struct SharedSource(Arc<dyn Source>);

impl SharedSource {
    pub(crate) fn new(source: impl Source + 'static) -> SharedSource {
        SharedSource(Arc::new(source))
    }
}

impl Source for SharedSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.0.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.fetch(range)
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.0.fetch_many(ranges)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.0.fetch_cost()
    }

    fn whole(&self) -> Option<Buffer> {
        self.0.whole()
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        self.0.read_at()
    }
}

impl fmt::Debug for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedSource").finish_non_exhaustive()
    }
}

/// Reads a source from a position to its end.
pub(crate) struct PositionedRead {
    source: SharedSource,
    position: u64,
}

impl PositionedRead {
    pub(crate) fn new(source: SharedSource, position: u64) -> PositionedRead {
        PositionedRead { source, position }
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
