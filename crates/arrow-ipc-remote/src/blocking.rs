//! An object for readers that block.

use std::{
    io::{self, Read},
    ops::Range,
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Source};
use arrow_ipc_async::{AsyncSource, Tail};
use arrow_ipc_object_store::{Chunks, ObjectSource};
use tokio::runtime::Runtime;

use crate::secrets::Secrets;

/// An object that is read by position. Several ranges are requested at the same time.
pub(crate) struct BlockingObject {
    pub(crate) object: ObjectSource,
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) secrets: Secrets,
    /// Its first bytes, as far as they are known.
    pub(crate) start: Buffer,
    /// Its last bytes.
    pub(crate) tail: Tail,
}

impl BlockingObject {
    /// A range that was read when the object was opened.
    fn kept(&self, range: &Range<u64>) -> Option<Buffer> {
        let n_bytes = range.end.checked_sub(range.start)?;
        let tail_start = self.tail.file_bytes.checked_sub(self.tail.bytes.len() as u64)?;
        let start = || self.start.try_slice(range.start, n_bytes).ok();
        let tail = || self.tail.bytes.try_slice(range.start.checked_sub(tail_start)?, n_bytes).ok();
        start().or_else(tail)
    }
}

impl Source for BlockingObject {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.tail.file_bytes)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        if let Some(bytes) = self.kept(&range) {
            return Ok(bytes);
        }
        self.runtime.block_on(self.object.fetch(range)).map_err(|error| self.secrets.hide(error))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let far = |range: &&Range<u64>| self.kept(range).is_none();
        let wanted: Vec<Range<u64>> = ranges.iter().filter(far).cloned().collect();
        let max_requests = self.fetch_cost().requests_in_flight_for(&wanted);
        let max_requests = usize::try_from(max_requests).unwrap_or(usize::MAX);
        let fetched = self.runtime.block_on(self.object.fetch_many(&wanted, max_requests));
        let mut fetched = fetched.map_err(|error| self.secrets.hide(error))?.into_iter();
        // One for each range that is not kept.
        let next = |range| self.kept(range).or_else(|| fetched.next());
        Ok(ranges.iter().map_while(next).collect())
    }

    fn fetch_cost(&self) -> FetchCost {
        FetchCost::OBJECT_STORE
    }
}

/// An object that is read from front to back, by one request.
pub(crate) struct BlockingChunks {
    pub(crate) chunks: Chunks,
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) secrets: Secrets,
    /// What of the last chunk has not been read.
    pub(crate) rest: Buffer,
}

impl Read for BlockingChunks {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            let next = self.runtime.block_on(self.chunks.next_chunk());
            match next.map_err(|error| self.secrets.hide(error))? {
                Some(bytes) => self.rest = bytes,
                None => return Ok(0),
            }
        }
        let bytes = self.rest.split_to(self.rest.len().min(place.len()));
        place[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}
