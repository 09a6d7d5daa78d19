//! Compresses buffers for a compressed body. A buffer is stored as its length and a frame, or uncompressed if
//! compression saves too little.

use std::fmt;
#[cfg(feature = "rayon")]
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "rayon")]
use arrow_buffer::Buffer;
use arrow_buffer::BufferMut;

#[cfg(feature = "rayon")]
use super::BufferPool;
use super::{
    Compression, PREFIX_BYTES,
    codec::{FrameEncoder, Piece},
    frame_codec,
};
#[cfg(feature = "rayon")]
use crate::threads::{is_worth_threads, largest_first};
use crate::{
    error::{FrameError, IpcError, IpcErrorKind, Result},
    threads::Threads,
};
use arrow_ipc_format::Codec;

/// How a buffer is stored in a compressed body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferEncoding {
    /// As its length and a frame. The compressor has appended both.
    Frame,
    /// As unchanged bytes after [`RAW_PREFIX`](BufferEncoding::RAW_PREFIX), or as no bytes if the buffer is empty. The
    /// compressor has appended nothing.
    Raw,
}

impl BufferEncoding {
    /// The prefix of a buffer that is stored uncompressed.
    pub const RAW_PREFIX: [u8; PREFIX_BYTES] = super::RAW.to_le_bytes();
}

/// Compresses the buffers of messages. Reuses the tables and contexts of its codec.
#[derive(Debug)]
pub(crate) struct BodyCompressor {
    #[cfg_attr(not(feature = "rayon"), expect(dead_code, reason = "only `rayon` knows other threads"))]
    threads: Threads,
    pub(super) encoder: BufferCompressor,
    /// Encoders of other threads, stored here between two calls.
    #[cfg(feature = "rayon")]
    spare: Mutex<Vec<BufferCompressor>>,
    /// The memory of the last frames that several threads made, which the next call reuses.
    #[cfg(feature = "rayon")]
    frames: BufferPool,
}

/// Compresses single buffers. Reuses the tables and contexts of its codec. [`CompressedBuffer`](super::CompressedBuffer)
/// reads what it makes.
pub struct BufferCompressor {
    compression: Compression,
    pub(super) frames: Box<dyn FrameEncoder>,
}

impl BodyCompressor {
    /// # Errors
    /// If the codec is not built in, or does not have the level.
    pub(crate) fn try_new(compression: Compression) -> Result<BodyCompressor> {
        Ok(BodyCompressor {
            encoder: BufferCompressor::try_new(compression)?,
            threads: Threads::default(),
            #[cfg(feature = "rayon")]
            spare: Mutex::default(),
            #[cfg(feature = "rayon")]
            frames: BufferPool::default(),
        })
    }

    pub(crate) fn with_threads(self, threads: Threads) -> BodyCompressor {
        BodyCompressor { threads, ..self }
    }

    pub(crate) fn codec(&self) -> Codec {
        self.encoder.compression.codec()
    }

    /// Appends the length of a buffer and its frame. Appends nothing if the frame saves too few bytes.
    pub(crate) fn compress(&mut self, bytes: &[u8], to: &mut BufferMut) -> Result<BufferEncoding> {
        self.encoder.compress(bytes, to)
    }

    /// Compresses many buffers on several threads. Returns how each buffer is stored and, for [`BufferEncoding::Frame`], its
    /// length and frame. All frames share one allocation, which is reused after they have been written. Returns `None` if
    /// threads would not save time.
    #[cfg(feature = "rayon")]
    pub(crate) fn compress_all(&self, buffers: &[Buffer]) -> Result<Option<Vec<(BufferEncoding, Buffer)>>> {
        if self.threads == Threads::One || !is_worth_threads(buffers.iter().map(Buffer::len)) {
            return Ok(None);
        }
        let max_bytes_of = |buffer: &Buffer| match buffer.len() {
            0 => 0,
            n_bytes => self.encoder.frames.max_frame_bytes(n_bytes).saturating_add(PREFIX_BYTES),
        };
        let n_bytes = buffers.iter().map(max_bytes_of).fold(0, usize::saturating_add);
        let Ok(mut memory) = self.frames.take(n_bytes, None) else { return Ok(None) };
        let mut left = memory.spare(n_bytes);
        let mut jobs = Vec::with_capacity(buffers.len());
        for buffer in buffers {
            let (destination, rest) = std::mem::take(&mut left).split_at_mut(max_bytes_of(buffer));
            jobs.push((buffer, destination));
            left = rest;
        }
        let compress = |(buffer, destination): (&Buffer, &mut [u8])| {
            let lent = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut encoder = match lent {
                Some(encoder) => encoder,
                None => BufferCompressor::try_new(self.encoder.compression)?,
            };
            let compressed = encoder.put(buffer, destination);
            self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(encoder);
            compressed
        };
        let compressed = largest_first(jobs, |(buffer, _)| buffer.len(), compress);
        memory.filled(n_bytes);
        let memory = self.frames.freeze(memory);
        let mut start = 0;
        let frames = buffers.iter().zip(compressed).map(|(buffer, compressed)| {
            let (compressed, n_bytes) = compressed?;
            let frame = memory.slice(start..start + n_bytes);
            start += max_bytes_of(buffer);
            Ok((compressed, frame))
        });
        frames.collect::<Result<_>>().map(Some)
    }
}

impl BufferCompressor {
    /// Makes a compressor.
    ///
    /// # Errors
    /// If the codec is not built in, or does not have the level.
    pub fn try_new(compression: Compression) -> Result<BufferCompressor> {
        check_level(&compression)?;
        let codec = compression.codec();
        let level = compression.level();
        let frames =
            frame_codec(codec)?.encoder(level).map_err(|error| IpcErrorKind::Frame { codec, error })?;
        Ok(BufferCompressor { compression, frames })
    }

    fn failed(&self, error: FrameError) -> IpcError {
        IpcErrorKind::Frame { codec: self.compression.codec(), error }.into()
    }

    /// Begins a frame for content of `n_bytes` bytes, which follow in several calls of [`add`](Self::add). The frame is
    /// what follows the prefix of a buffer.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn begin(&mut self, n_bytes: u64, to: &mut BufferMut) -> Result<()> {
        self.frames.begin(n_bytes, to).map_err(|error| self.failed(error))
    }

    /// Compresses the next bytes of the content, and appends the result. The length of each piece except the last must be
    /// a multiple of 64 KiB.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn add(&mut self, piece: Piece<'_>, to: &mut BufferMut) -> Result<()> {
        let reserved = to.try_reserve(self.frames.max_frame_bytes(piece.bytes().len()));
        let added = reserved.map_err(|_| FrameError::OutOfMemory).and_then(|()| self.frames.add(piece, to));
        added.map_err(|error| self.failed(error))
    }

    /// Whether a frame of `n_bytes` bytes saves enough compared with `n_content_bytes` uncompressed bytes.
    pub fn saves_enough(&self, n_content_bytes: usize, n_bytes: usize) -> bool {
        self.compression.saves_enough(n_content_bytes, n_bytes)
    }

    /// Appends the length of a buffer and its frame. Appends nothing if the frame saves too few bytes.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn compress(&mut self, bytes: &[u8], to: &mut BufferMut) -> Result<BufferEncoding> {
        let max_bytes = self.frames.max_frame_bytes(bytes.len()).saturating_add(PREFIX_BYTES);
        to.try_reserve(max_bytes)?;
        let (compressed, n_bytes) = self.put(bytes, to.spare(max_bytes))?;
        to.filled(n_bytes);
        Ok(compressed)
    }

    /// Writes the length of a buffer and its frame to `destination`, which must have
    /// [`max_frame_bytes`](FrameEncoder::max_frame_bytes) for both.
    /// Returns the number of written bytes; 0 if the frame saves too few bytes.
    fn put(&mut self, bytes: &[u8], destination: &mut [u8]) -> Result<(BufferEncoding, usize)> {
        if bytes.is_empty() {
            return Ok((BufferEncoding::Raw, 0));
        }
        let (prefix, frame) = destination.split_at_mut(PREFIX_BYTES);
        prefix.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        let n_bytes = self.frames.compress(bytes, frame).map_err(|error| self.failed(error))?;
        if !self.saves_enough(bytes.len(), n_bytes) {
            return Ok((BufferEncoding::Raw, 0));
        }
        Ok((BufferEncoding::Frame, PREFIX_BYTES + n_bytes))
    }
}

impl fmt::Debug for BufferCompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufferCompressor").field("compression", &self.compression).finish_non_exhaustive()
    }
}

/// If the codec is not built in, or does not have the level.
fn check_level(compression: &Compression) -> Result<()> {
    let codec = compression.codec();
    let levels = frame_codec(codec)?.levels();
    let Some(level) = compression.level() else { return Ok(()) };
    match levels {
        Some((least, most)) if (least..=most).contains(&level) => Ok(()),
        _ => Err(IpcErrorKind::CompressionLevel { codec, level, levels }.into()),
    }
}
