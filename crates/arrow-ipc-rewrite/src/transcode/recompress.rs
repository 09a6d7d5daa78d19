//! Changes the compression of buffers. Each thread has one decompressed buffer in memory at a time.

use std::sync::{Mutex, PoisonError};

use arrow_buffer::{Budget, BudgetError, Buffer, BufferMut};

use arrow_ipc::{
    Compression, Result, Threads,
    compression::{BufferCompressor, BufferEncoding, CompressedBuffer},
    error::Context,
};
use arrow_ipc_format::{BodyRange, Codec};

/// If the memory of a thread is longer than this, it is freed after each buffer.
const MAX_POOLED_BYTES: usize = 64 << 20;

/// Compresses buffers that may be compressed already. Reuses the memory of its codecs.
#[derive(Debug)]
pub(crate) struct Recompressor {
    compression: Compression,
    threads: Threads,
    /// The workers that no thread uses.
    spare: Mutex<Vec<Worker>>,
}

/// The memory and codecs of one thread.
#[derive(Debug)]
struct Worker {
    encoder: BufferCompressor,
    decompressed: BufferMut,
    frame: BufferMut,
}

/// Returns the bytes of a buffer. The arguments are its index in the message and its range in the body.
pub(crate) type FetchBuffer<'a> = &'a (dyn Fn(usize, BodyRange) -> Result<Buffer> + Sync);

/// The input buffers of one message.
pub(crate) struct Frames<'a> {
    /// The codec of the bytes that `fetch` returns; `None` if they are not compressed.
    pub(crate) codec: Option<Codec>,
    /// The index of each buffer in the message, and its range in the body.
    pub(crate) ranges: &'a [(usize, BodyRange)],
    pub(crate) fetch: FetchBuffer<'a>,
    /// The total number of bytes to which the buffers may be decompressed.
    pub(crate) budget: Budget,
}

/// A buffer of a compressed body.
#[derive(Debug)]
pub(crate) enum RecompressedBuffer {
    /// The uncompressed length, then a frame.
    Frame(Buffer),
    /// Uncompressed bytes. [`RAW_PREFIX`](BufferEncoding::RAW_PREFIX) has to be written before them.
    Raw(Buffer),
}

impl Recompressor {
    pub(crate) fn new(compression: Compression, threads: Threads) -> Recompressor {
        Recompressor { compression, threads, spare: Mutex::default() }
    }

    pub(crate) fn compression(&self) -> Compression {
        self.compression
    }

    /// Compresses all buffers, and returns them in order. Uses several threads if that is faster.
    ///
    /// # Errors
    /// If a buffer cannot be fetched or decompressed, or the budget is exceeded. Returns the error of the first such
    /// buffer.
    pub(crate) fn recompress(&self, frames: Frames<'_>) -> Result<Vec<RecompressedBuffer>> {
        let Frames { codec, ranges, fetch, budget } = frames;
        let budget = Mutex::new(budget);
        let one = |(idx, range): &(usize, BodyRange)| {
            fetch(*idx, *range).and_then(|bytes| self.one(codec, bytes, &budget)).in_buffer(*idx, None)
        };
        let n_bytes = |(_, range): &&(usize, BodyRange)| range.n_bytes() as usize;
        self.threads.try_run(ranges.iter().collect(), n_bytes, one)
    }

    fn one(&self, codec: Option<Codec>, bytes: Buffer, budget: &Mutex<Budget>) -> Result<RecompressedBuffer> {
        let opened = match codec {
            None => CompressedBuffer::Raw(bytes),
            Some(codec) => CompressedBuffer::try_new(codec, bytes)?,
        };
        opened.charge(&mut budget.lock().unwrap_or_else(PoisonError::into_inner))?;
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = match spare {
            Some(worker) => worker,
            None => Worker::try_new(self.compression)?,
        };
        let results = worker.make(opened);
        worker.tidy();
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        results
    }
}

impl Worker {
    fn try_new(compression: Compression) -> Result<Worker> {
        let encoder = BufferCompressor::try_new(compression)?;
        Ok(Worker { encoder, decompressed: BufferMut::new(), frame: BufferMut::new() })
    }

    fn make(&mut self, opened: CompressedBuffer) -> Result<RecompressedBuffer> {
        let Worker { encoder, decompressed, frame } = self;
        frame.clear();
        match opened {
            CompressedBuffer::Raw(bytes) => Ok(match encoder.compress(&bytes, frame)? {
                BufferEncoding::Frame => RecompressedBuffer::Frame(Buffer::copy_from(frame)),
                BufferEncoding::Raw => RecompressedBuffer::Raw(bytes),
            }),
            CompressedBuffer::Frame(source) => {
                let n_bytes = source.n_bytes();
                if decompressed.capacity() < n_bytes {
                    // Dropping the memory first avoids copying its content to the new memory.
                    *decompressed = BufferMut::new();
                    let refused = BudgetError::OutOfMemory { requested: n_bytes as u64 };
                    *decompressed = BufferMut::try_with_capacity(n_bytes).ok_or(refused)?;
                }
                decompressed.clear();
                let raw = decompressed.spare(n_bytes).get_mut(..n_bytes).unwrap_or_default();
                source.decompress(raw)?;
                Ok(match encoder.compress(raw, frame)? {
                    BufferEncoding::Frame => RecompressedBuffer::Frame(Buffer::copy_from(frame)),
                    BufferEncoding::Raw => RecompressedBuffer::Raw(Buffer::copy_from(raw)),
                })
            }
        }
    }

    fn tidy(&mut self) {
        for memory in [&mut self.decompressed, &mut self.frame] {
            if memory.capacity() > MAX_POOLED_BYTES {
                *memory = BufferMut::new();
            }
        }
    }
}
