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

use super::Secrets;

/// An object that is read by ranges. Its errors do not contain secrets of the URL.
#[derive(Clone)]
pub(crate) struct SecretObject {
    pub(crate) object: BlockingObject,
    /// The runtime that makes the requests. It stops when it is dropped.
    pub(crate) runtime: Arc<Runtime>,
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

/// An object that is read from start to end, with one request. The request is made after the first bytes were read,
/// which opening the object has fetched: commands that need few bytes read them by position.
pub(crate) struct BlockingChunks {
    object: SecretObject,
    chunks: Option<Chunks>,
    /// The number of bytes that are left out of the next chunks, since they were read before the request.
    n_read: usize,
    /// The bytes of the last chunk that have not been read.
    rest: Buffer,
}

impl BlockingChunks {
    pub(crate) fn new(object: SecretObject) -> BlockingChunks {
        BlockingChunks { object, chunks: None, n_read: 0, rest: Buffer::new() }
    }

    /// The next bytes; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Buffer>> {
        let runtime = &self.object.runtime;
        if let Some(chunks) = &mut self.chunks {
            return runtime.block_on(chunks.next_chunk());
        }
        let start = self.object.object.start();
        if self.n_read < start.len() {
            self.n_read = start.len();
            return Ok(Some(start.clone()));
        }
        let object = self.object.object.object();
        let chunks = self.chunks.insert(runtime.block_on(object.chunks())?);
        runtime.block_on(chunks.next_chunk())
    }
}

impl Read for BlockingChunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.next().map_err(|error| self.object.secrets.hide(error))? {
                Some(bytes) => self.rest = bytes,
                None => return Ok(0),
            }
            if self.chunks.is_some() {
                let n_read = self.n_read.min(self.rest.len());
                self.n_read = self.n_read.saturating_sub(n_read);
                self.rest.advance(n_read);
            }
        }
        let bytes = self.rest.split_to(self.rest.len().min(buffer.len()));
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}
