//! Objects as inputs for threads that block until answers arrive.

use std::{
    io::{self, Read},
    ops::Range,
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Source};
use arrow_ipc_object_store::{BlockingObject, Chunks};
use tokio::runtime::Runtime;

use super::secrets::Secrets;

/// An object that is read by ranges. Its errors do not contain secrets of the URL.
pub(crate) struct SecretObject {
    pub(crate) object: BlockingObject,
    /// The runtime that makes the requests. It stops when it is dropped.
    pub(crate) _runtime: Arc<Runtime>,
    pub(crate) secrets: Secrets,
}

impl Source for SecretObject {
    fn n_bytes(&self) -> io::Result<u64> {
        self.object.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.object.fetch(range).map_err(|error| self.secrets.hide(error))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.object.fetch_many(ranges).map_err(|error| self.secrets.hide(error))
    }

    fn fetch_cost(&self) -> FetchCost {
        self.object.fetch_cost()
    }
}

/// An object that is read from start to end, with one request.
pub(crate) struct BlockingChunks {
    pub(crate) chunks: Chunks,
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) secrets: Secrets,
    /// The bytes of the last chunk that have not been read.
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
