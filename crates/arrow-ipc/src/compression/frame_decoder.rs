//! Decompresses a frame step by step while its bytes arrive, up to the bytes that the caller needs.

use std::ops::Range;

use arrow_buffer::BufferMut;
#[cfg(feature = "file")]
use arrow_buffer::{Charge, MemoryBudget};

use super::{codec::FrameStream, frame_codec};
use crate::error::{FrameError, IpcErrorKind, Result};
use arrow_ipc_format::Codec;

/// A frame, and the state of its decompression. The rest of the frame is unchecked: it may be damaged, and the content
/// may be shorter or longer than declared.
#[derive(Debug)]
pub(crate) struct FrameDecoder {
    codec: Codec,
    stream: Box<dyn FrameStream>,
    declared: u64,
    n_frame_bytes: u64,
    /// The number of bytes of the frame that have been decompressed so far. They decompress to `n_decompressed` bytes.
    n_used: u64,
    n_decompressed: u64,
    is_at_end: bool,
    /// The decompressed bytes after the requested range, and the last bytes of that range. Empty if later steps need no
    /// more content.
    left: Vec<u8>,
    /// The start of the valid bytes in `left`.
    left_start: usize,
    /// The charge for the memory of this state.
    #[cfg(feature = "file")]
    charge: Option<Charge>,
}

/// The use of the rest of a frame after the requested range. It decides how far the frame is decompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameRest {
    /// No more content.
    #[cfg(feature = "file")]
    Unneeded,
    /// More content, which begins near the end of the requested range.
    Needed,
    /// No more content, but the frame is decompressed to its end to check it.
    Checked,
}

/// The progress of [`FrameDecoder::advance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameProgress {
    /// The requested range has been decompressed.
    Done,
    /// At least this many bytes of the frame, after the used bytes, are needed to continue.
    Needs(u64),
}

impl FrameDecoder {
    /// Reads the header of a frame. `start` are its first bytes. Returns `None` if the window of the frame is too large
    /// for decompression in several steps.
    ///
    /// # Errors
    /// If the header is invalid or unsupported, or states a content length other than `declared`.
    pub(crate) fn try_new(
        codec: Codec,
        start: &[u8],
        n_frame_bytes: u64,
        declared: u64,
    ) -> Result<Option<FrameDecoder>> {
        let stream = frame_codec(codec)?
            .open(start, declared)
            .map_err(|error| IpcErrorKind::Frame { codec, error })?;
        Ok(stream.map(|(stream, n_used)| FrameDecoder {
            codec,
            stream,
            declared,
            n_frame_bytes,
            n_used: n_used as u64,
            n_decompressed: 0,
            is_at_end: false,
            left: Vec::new(),
            left_start: 0,
            #[cfg(feature = "file")]
            charge: None,
        }))
    }

    /// The number of used bytes of the frame. [`advance`](FrameDecoder::advance) needs the bytes after these.
    pub(crate) fn n_used(&self) -> u64 {
        self.n_used
    }

    /// The decompressed length from the prefix of the buffer. It may be wrong.
    #[cfg(feature = "file")]
    pub(crate) fn declared(&self) -> u64 {
        self.declared
    }

    /// The number of decompressed bytes so far.
    #[cfg(feature = "file")]
    pub(crate) fn n_decompressed(&self) -> u64 {
        self.n_decompressed
    }

    /// Whether decompression can continue to byte `start` of the content. Otherwise the caller must begin a new
    /// `FrameDecoder`.
    #[cfg(feature = "file")]
    pub(crate) fn reaches(&self, start: u64) -> bool {
        start >= self.n_decompressed.saturating_sub(self.left().len() as u64)
    }

    /// Appends bytes of `needed` that previous steps have stored.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub(crate) fn begin(&self, needed: &Range<u64>, to: &mut BufferMut) -> Result<()> {
        let start = self.n_decompressed.saturating_sub(self.left().len() as u64);
        Ok(to.try_extend_from_slice(part_of(self.left(), &(start..self.n_decompressed), needed))?)
    }

    /// Drops the stored decompressed bytes.
    #[cfg(feature = "file")]
    pub(crate) fn drop_stored(&mut self) {
        self.left.clear();
        self.left_start = 0;
    }

    fn left(&self) -> &[u8] {
        self.left.get(self.left_start..).unwrap_or_default()
    }

    /// Charges the maximum memory of this state to `budget`. Dropping the state returns the charge.
    ///
    /// # Errors
    /// If the budget refuses the charge.
    #[cfg(feature = "file")]
    pub(crate) fn charge_to(&mut self, budget: &MemoryBudget) -> Result<()> {
        let n_bytes = self.stream.max_retained_bytes();
        self.charge = Some(budget.try_charge(n_bytes.min(self.declared.saturating_mul(2)))?);
        Ok(())
    }

    /// Stores the bytes after the requested range, and the last 8 bytes of the range: the last offset of one window is
    /// also the first offset of the next.
    pub(crate) fn leave(&mut self, needed: &Range<u64>, to: &BufferMut) {
        const LAST_BYTES: usize = 8;
        let n_after = usize::try_from(self.n_decompressed.saturating_sub(needed.end)).unwrap_or(usize::MAX);
        let after = self.left.len().saturating_sub(n_after);
        let n_before = after.saturating_sub(self.left_start);
        if n_before >= LAST_BYTES {
            self.left_start = after - LAST_BYTES;
            return;
        }
        // `left` has fewer than 8 bytes of the requested range, so the last 8 bytes are copied from `to`.
        let last = to.get(to.len().saturating_sub(LAST_BYTES)..).unwrap_or_default();
        self.left.splice(..after, last.iter().copied());
        self.left_start = 0;
    }

    /// Decompresses the next bytes of the frame, and appends those in the range `needed` to `to`. If this range ends
    /// where the declared content ends, the frame must end there. With [`FrameRest::Checked`], continues to the end of the
    /// frame.
    ///
    /// # Errors
    /// If the frame is damaged or truncated, or ends before the end of `needed`.
    pub(crate) fn advance(
        &mut self,
        bytes: &[u8],
        needed: &Range<u64>,
        frame_rest: FrameRest,
        to: &mut BufferMut,
    ) -> Result<FrameProgress> {
        let codec = self.codec;
        let declared = self.declared;
        let failed = |error| IpcErrorKind::Frame { codec, error };
        let mut left = bytes;
        loop {
            if self.is_at_end && self.n_decompressed != declared {
                return Err(failed(FrameError::Size { declared, found: self.n_decompressed }).into());
            }
            let is_enough = needed.end < declared && frame_rest != FrameRest::Checked;
            if self.n_decompressed >= needed.end && (is_enough || self.is_at_end) {
                return Ok(FrameProgress::Done);
            }
            let n_left = usize::try_from(declared.saturating_sub(self.n_decompressed)).unwrap_or(usize::MAX);
            let next = self.stream.next(left, n_left).map_err(failed)?;
            let part = self.n_decompressed..self.n_decompressed.saturating_add(next.bytes.len() as u64);
            if part.end > declared {
                return Err(failed(FrameError::Size { declared, found: part.end }).into());
            }
            to.try_extend_from_slice(part_of(next.bytes, &part, needed))?;
            if frame_rest == FrameRest::Needed && part.end >= needed.end && !next.bytes.is_empty() {
                self.left.clear();
                self.left_start = 0;
                self.left.extend_from_slice(next.bytes);
            }
            let is_stuck = next.n_used == 0 && next.bytes.is_empty() && !next.is_end;
            left = left.get(next.n_used..).unwrap_or_default();
            self.n_used = self.n_used.saturating_add(next.n_used as u64);
            self.n_decompressed = part.end;
            self.is_at_end = next.is_end;
            let n_after = self.n_frame_bytes.saturating_sub(self.n_used);
            if self.is_at_end && n_after > 0 {
                return Err(failed(FrameError::TrailingBytes { n_bytes: n_after }).into());
            }
            if is_stuck {
                let n_least = left.len() as u64 + 1;
                if n_least > n_after {
                    return Err(failed(FrameError::Truncated).into());
                }
                return Ok(FrameProgress::Needs((next.n_needed as u64).clamp(n_least, n_after)));
            }
        }
    }
}

/// The part of `bytes` inside `needed`. `part` is the range of `bytes` in the content.
fn part_of<'a>(bytes: &'a [u8], part: &Range<u64>, needed: &Range<u64>) -> &'a [u8] {
    let [start, end] = [needed.start, needed.end].map(|position| {
        // The result is at most the length of `bytes`.
        usize::try_from(position.clamp(part.start, part.end) - part.start).unwrap_or(usize::MAX)
    });
    bytes.get(start..end).unwrap_or_default()
}
