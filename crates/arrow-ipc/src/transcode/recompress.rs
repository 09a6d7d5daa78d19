//! Changes the compression of buffers one by one. Each thread has one decompressed buffer in memory at a time.

use std::sync::{Mutex, PoisonError};

use arrow_buffer::{BudgetError, Buffer, BufferMut};

#[cfg(feature = "rayon")]
use crate::threads::{is_worth_threads, largest_first};
use crate::{
    body::BodyRange,
    compression::{CodecEncoder, Compressed, Compression, Opened},
    error::{Context, Result},
    limits::Budget,
    protocol::Codec,
    threads::Threads,
};

/// If the memory of a decompressed buffer is longer than this, it is freed after the message.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Compresses buffers, which may be compressed already. The recompressor reuses the tables and contexts of its codecs.
#[derive(Debug)]
pub(crate) struct Recompressor {
    compression: Compression,
    #[cfg_attr(not(feature = "rayon"), expect(dead_code, reason = "only `rayon` knows other threads"))]
    threads: Threads,
    /// Workers that are not in use.
    spare: Mutex<Vec<Worker>>,
}

/// The memory and codecs of one thread.
#[derive(Debug)]
struct Worker {
    encoder: CodecEncoder,
    decompressed: BufferMut,
    frame: BufferMut,
}

/// A function that returns the bytes of a buffer, given its position in the list of the message and its range in the
/// body.
pub(crate) type Fetch<'a> = &'a (dyn Fn(usize, BodyRange) -> Result<Buffer> + Sync);

/// The buffers of one message.
pub(crate) struct Frames<'a> {
    /// The codec of the fetched bytes; `None` if they are not compressed.
    pub(crate) codec: Option<Codec>,
    /// The range of each buffer, by its position in the list of the message.
    pub(crate) ranges: &'a [(usize, BodyRange)],
    /// The function that returns the bytes of a range.
    pub(crate) fetch: Fetch<'a>,
    /// The number of bytes that the buffers may decompress to.
    pub(crate) budget: Budget,
}

/// A buffer as a compressed body stores it.
#[derive(Debug)]
pub(crate) enum Recompressed {
    /// The buffer's length, followed by a frame.
    Frame(Buffer),
    /// The bytes of the buffer, without compression, to be written after [`RAW_PREFIX`](Compressed::RAW_PREFIX).
    Raw(Buffer),
}

impl Recompressor {
    pub(crate) fn new(compression: Compression, threads: Threads) -> Recompressor {
        Recompressor { compression, threads, spare: Mutex::default() }
    }

    /// The settings of the compression.
    pub(crate) fn compression(&self) -> Compression {
        self.compression
    }

    /// The buffers with new frames, in order. Several threads make the frames if that is faster.
    ///
    /// # Errors
    /// The error of the first buffer that cannot be fetched or decompressed, or that exceeds the budget.
    pub(crate) fn recompress(&self, frames: Frames<'_>) -> Result<Vec<Recompressed>> {
        let Frames { codec, ranges, fetch, budget } = frames;
        let budget = Mutex::new(budget);
        let one = |(idx, range): &(usize, BodyRange)| {
            fetch(*idx, *range).and_then(|bytes| self.one(codec, bytes, &budget)).in_buffer(*idx, None)
        };
        #[cfg(feature = "rayon")]
        if self.threads == Threads::Pool
            && is_worth_threads(ranges.iter().map(|(_, range)| range.n_bytes() as usize))
        {
            let n_bytes = |(_, range): &&(usize, BodyRange)| range.n_bytes() as usize;
            return largest_first(ranges.iter().collect(), n_bytes, one).into_iter().collect();
        }
        ranges.iter().map(one).collect()
    }

    fn one(&self, codec: Option<Codec>, bytes: Buffer, budget: &Mutex<Budget>) -> Result<Recompressed> {
        let opened = match codec {
            None => Opened::Raw(bytes),
            Some(codec) => Opened::try_new(codec, bytes)?,
        };
        let n_bytes = opened.n_bytes();
        if let Opened::Frame(_) = &opened {
            let mut budget = budget.lock().unwrap_or_else(PoisonError::into_inner);
            budget.spend("bytes of decompressed buffers", n_bytes as u64)?;
        }
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = match spare {
            Some(worker) => worker,
            None => Worker::try_new(self.compression)?,
        };
        let made = worker.make(opened);
        worker.tidy();
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        made
    }
}

impl Worker {
    fn try_new(compression: Compression) -> Result<Worker> {
        let encoder = CodecEncoder::try_new(compression)?;
        Ok(Worker { encoder, decompressed: BufferMut::new(), frame: BufferMut::new() })
    }

    fn make(&mut self, opened: Opened) -> Result<Recompressed> {
        let Worker { encoder, decompressed, frame } = self;
        frame.clear();
        match opened {
            Opened::Raw(bytes) => Ok(match encoder.append(&bytes, frame)? {
                Compressed::Frame => Recompressed::Frame(Buffer::copy_from(frame)),
                Compressed::Raw => Recompressed::Raw(bytes),
            }),
            Opened::Frame(source) => {
                let n_bytes = source.n_bytes;
                if decompressed.capacity() < n_bytes {
                    // The old content is not needed, so it need not be copied to larger memory.
                    *decompressed = BufferMut::new();
                    let refused = BudgetError::OutOfMemory { requested: n_bytes as u64 };
                    *decompressed = BufferMut::try_with_capacity(n_bytes).ok_or(refused)?;
                }
                decompressed.clear();
                let place = decompressed.spare(n_bytes).get_mut(..n_bytes).unwrap_or_default();
                source.decompress(place)?;
                Ok(match encoder.append(place, frame)? {
                    Compressed::Frame => Recompressed::Frame(Buffer::copy_from(frame)),
                    Compressed::Raw => Recompressed::Raw(Buffer::copy_from(place)),
                })
            }
        }
    }

    fn tidy(&mut self) {
        for memory in [&mut self.decompressed, &mut self.frame] {
            if memory.capacity() > MAX_KEPT_BYTES {
                *memory = BufferMut::new();
            }
        }
    }
}
