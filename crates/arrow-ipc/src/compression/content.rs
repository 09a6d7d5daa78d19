//! The content of a buffer in pieces of 1 MiB, so that the whole buffer need not be in memory.

use std::{fmt, ops::Range};

use arrow_buffer::{Budget, Buffer, BufferMut};

use super::{
    CompressedBuffer, DeclaredLength, FrameDecoder, FrameProgress, FrameRest, PREFIX_BYTES, Piece,
    check_available,
};
use crate::error::{IpcError, Result};
use arrow_ipc_format::{BodyRange, Codec, length_of};

/// The length of a piece. It is a multiple of the block size of both codecs.
const PIECE_BYTES: u64 = 1 << 20;

/// A function that returns the bytes of a range of a body.
pub type FetchRange<'a> = &'a dyn Fn(BodyRange) -> Result<Buffer>;

/// The content of one buffer of a body that is not in memory. A compressed buffer is decompressed piece by piece.
///
/// [`BufferCompressor::add`](super::BufferCompressor::add) takes such pieces.
pub struct BufferContent<'a> {
    codec: Option<Codec>,
    /// The range of the buffer in the body. For a compressed buffer, this is the range of the frame, without the length
    /// that precedes it.
    range: BodyRange,
    length: DeclaredLength,
    fetch: FetchRange<'a>,
}

impl<'a> BufferContent<'a> {
    /// Reads the decompressed length of the buffer at a range of a body, and charges it to the budget. `codec` is the
    /// codec of the body, and `fetch` returns its bytes.
    ///
    /// # Errors
    /// If the codec is not built in. If the length is invalid, exceeds the budget, or is more than the frame can
    /// contain.
    pub fn try_new(
        codec: Option<Codec>,
        range: BodyRange,
        fetch: FetchRange<'a>,
        budget: &mut Budget,
    ) -> Result<BufferContent<'a>> {
        let raw = DeclaredLength::Raw { n_bytes: range.n_bytes() };
        let Some(codec) = codec else { return Ok(BufferContent { codec, range, length: raw, fetch }) };
        check_available(codec)?;
        // An empty buffer has no prefix.
        if range.n_bytes() == 0 {
            return Ok(BufferContent { codec: None, range, length: raw, fetch });
        }
        let prefix = range.shortened(PREFIX_BYTES as u64);
        let length = DeclaredLength::try_new(codec, &prefix.exactly(fetch(prefix)?)?, range.n_bytes())?;
        let range = range.after(PREFIX_BYTES as u64);
        if let DeclaredLength::Frame { declared } = length {
            budget.spend("bytes of decompressed buffers", declared)?;
        }
        Ok(BufferContent { codec: Some(codec), range, length, fetch })
    }

    /// The number of uncompressed bytes. A frame only declares it; [`for_each`](BufferContent::for_each) compares it.
    pub fn n_bytes(&self) -> u64 {
        self.length.n_bytes()
    }

    /// Calls `take` with the uncompressed bytes of the buffer, in pieces of 1 MiB.
    ///
    /// # Errors
    /// If the bytes of the buffer cannot be fetched, if its frame is damaged or does not end with the buffer, or if
    /// `take` fails.
    pub fn for_each(&self, mut take: impl FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let n_bytes = self.n_bytes();
        let (DeclaredLength::Frame { declared }, Some(codec)) = (self.length, self.codec) else {
            return pieces_of(n_bytes).try_for_each(|piece| {
                let end = piece.end;
                take(Piece::new(&self.fetch(piece)?, end, n_bytes))
            });
        };
        let start = self.fetch(0..self.range.n_bytes().min(PIECE_BYTES))?;
        let Some(mut frame) = FrameDecoder::try_new(codec, &start, self.range.n_bytes(), declared)? else {
            return self.take_whole(codec, take);
        };
        // The bytes of the frame that were fetched but not decompressed.
        let mut bytes = start.slice(usize::try_from(frame.n_used()).unwrap_or(usize::MAX)..);
        let mut decompressed = BufferMut::new();
        for piece in pieces_of(declared) {
            decompressed.clear();
            frame.begin(&piece, &mut decompressed)?;
            loop {
                let n_before = frame.n_used();
                let progress = frame.advance(&bytes, &piece, FrameRest::Needed, &mut decompressed)?;
                let n_used = frame.n_used() - n_before;
                bytes.advance(usize::try_from(n_used).unwrap_or(usize::MAX).min(bytes.len()));
                let FrameProgress::Needs(n_needed) = progress else { break };
                let n_next = n_needed.max(PIECE_BYTES);
                bytes = self.fetch(frame.n_used()..frame.n_used().saturating_add(n_next))?;
            }
            frame.leave(&piece, &decompressed);
            take(Piece::new(&decompressed, piece.end, declared))?;
        }
        Ok(())
    }

    /// Decompresses a whole frame, for frames that cannot be decompressed in pieces.
    fn take_whole(&self, codec: Codec, mut take: impl FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let mut bytes = BufferMut::new();
        bytes.try_extend_from_slice(&self.n_bytes().to_le_bytes())?;
        bytes.try_extend_from_slice(&self.fetch(0..self.range.n_bytes())?)?;
        let CompressedBuffer::Frame(frame) = CompressedBuffer::try_new(codec, bytes.freeze())? else {
            return Err(IpcError::internal("an uncompressed buffer was decompressed"));
        };
        let mut content = BufferMut::new();
        content.try_reserve(frame.n_bytes())?;
        let to = content.try_spare(frame.n_bytes())?.get_mut(..frame.n_bytes()).unwrap_or_default();
        frame.decompress(to)?;
        content.filled(frame.n_bytes());
        take(Piece::Last(&content))
    }

    /// Fetches a part of the buffer. `range` counts from the start of the frame.
    fn fetch(&self, range: Range<u64>) -> Result<Buffer> {
        let range = self.range.after(range.start).shortened(length_of(&range));
        Ok(range.exactly((self.fetch)(range)?)?)
    }
}

/// Splits `n_bytes` bytes into ranges of 1 MiB. If `n_bytes` is 0, returns one empty range.
fn pieces_of(n_bytes: u64) -> impl Iterator<Item = Range<u64>> {
    let n_pieces = n_bytes.div_ceil(PIECE_BYTES).max(1);
    (0..n_pieces).map(move |piece| {
        let start = piece * PIECE_BYTES;
        start..start + PIECE_BYTES.min(n_bytes - start)
    })
}

impl fmt::Debug for BufferContent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufferContent")
            .field("codec", &self.codec)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}
