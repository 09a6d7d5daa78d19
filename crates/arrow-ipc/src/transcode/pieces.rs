//! Decompresses and compresses buffers in pieces of 1 MiB, so whole buffers need not be in memory.

use std::ops::Range;

use arrow_buffer::{Buffer, BufferMut};

use crate::{
    compression::{
        Claim, CodecEncoder, Compression, Forward, FrameProgress, Opened, PREFIX_BYTES, Piece, Then,
        check_available,
    },
    error::{IpcError, Result},
};
use arrow_ipc_format::{BodyRange, Budget, Codec, length_of};

/// The length of a piece. It is a multiple of the block size of both codecs.
const PIECE_BYTES: u64 = 1 << 20;

/// A function that returns the bytes of a range of a body.
pub(crate) type FetchRange<'a> = &'a dyn Fn(BodyRange) -> Result<Buffer>;

/// A buffer that is decompressed in pieces.
pub(crate) struct BufferInPieces<'a> {
    codec: Option<Codec>,
    /// The range of the buffer in the body. For a compressed buffer, this is the range of the frame, without the length
    /// that precedes it.
    range: BodyRange,
    claim: Claim,
    fetch: FetchRange<'a>,
}

impl<'a> BufferInPieces<'a> {
    /// Reads the decompressed length of a buffer, and charges the budget for it.
    ///
    /// # Errors
    /// If the codec is not built in. If the length is invalid, exceeds the budget, or is more than the frame can
    /// contain.
    pub(crate) fn try_new(
        codec: Option<Codec>,
        range: BodyRange,
        fetch: FetchRange<'a>,
        budget: &mut Budget,
    ) -> Result<BufferInPieces<'a>> {
        let Some(codec) = codec else {
            return Ok(BufferInPieces {
                codec,
                range,
                claim: Claim::Raw { n_bytes: range.n_bytes() },
                fetch,
            });
        };
        check_available(codec)?;
        let prefix = range.shortened(PREFIX_BYTES as u64);
        let claim = Claim::try_new(codec, &fetch(prefix)?, range.n_bytes())?;
        let range = range.after(PREFIX_BYTES as u64);
        if let Claim::Frame { claimed } = claim {
            budget.spend("bytes of decompressed buffers", claimed)?;
        }
        Ok(BufferInPieces { codec: Some(codec), range, claim, fetch })
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.claim.n_bytes()
    }

    /// Calls `take` with the decompressed bytes of the buffer, in pieces of 1 MiB.
    ///
    /// # Errors
    /// If the bytes of the buffer cannot be fetched, if its frame is damaged or does not end with the buffer, or if
    /// `take` fails.
    pub(crate) fn each(&self, mut take: impl FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let n_bytes = self.n_bytes();
        let (Claim::Frame { claimed }, Some(codec)) = (self.claim, self.codec) else {
            return pieces_of(n_bytes).try_for_each(|piece| {
                let end = piece.end;
                take(Piece::new(&self.fetch(piece)?, end, n_bytes))
            });
        };
        let start = self.fetch(0..self.range.n_bytes().min(PIECE_BYTES))?;
        let Some(mut frame) = Forward::try_new(codec, &start, self.range.n_bytes(), claimed)? else {
            return self.each_of_whole(codec, take);
        };
        // The bytes of the frame that were fetched but not decompressed.
        let (mut bytes, mut made) =
            (start.slice(usize::try_from(frame.n_used()).unwrap_or(usize::MAX)..), BufferMut::new());
        for piece in pieces_of(claimed) {
            made.clear();
            frame.begin(&piece, &mut made)?;
            loop {
                let n_before = frame.n_used();
                let progress = frame.advance(&bytes, &piece, Then::GoOn, &mut made)?;
                let n_used = frame.n_used() - n_before;
                bytes.advance(usize::try_from(n_used).unwrap_or(usize::MAX).min(bytes.len()));
                let FrameProgress::Needs(n_needed) = progress else { break };
                let n_next = n_needed.max(PIECE_BYTES);
                bytes = self.fetch(frame.n_used()..frame.n_used().saturating_add(n_next))?;
            }
            frame.leave(&piece, &made);
            take(Piece::new(&made, piece.end, claimed))?;
        }
        Ok(())
    }

    /// Decompresses a whole frame, for frames that cannot be decompressed in pieces.
    fn each_of_whole(&self, codec: Codec, mut take: impl FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let mut bytes = BufferMut::new();
        bytes.extend_from_slice(&self.n_bytes().to_le_bytes());
        bytes.extend_from_slice(&self.fetch(0..self.range.n_bytes())?);
        let Opened::Frame(frame) = Opened::try_new(codec, bytes.freeze())? else {
            return Err(IpcError::internal("a frame is decompressed that is none"));
        };
        let mut content = vec![0; frame.n_bytes];
        frame.decompress(&mut content)?;
        take(Piece::Last(&content))
    }

    /// Fetches a part of the buffer. `range` counts from the start of the frame.
    fn fetch(&self, range: Range<u64>) -> Result<Buffer> {
        let range = self.range.after(range.start).shortened(length_of(&range));
        (self.fetch)(range)
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

/// Compresses content that arrives in pieces of 1 MiB.
pub(crate) struct FrameInPieces {
    encoder: CodecEncoder,
    made: BufferMut,
}

impl FrameInPieces {
    /// # Errors
    /// If the codec is not built in, or does not have the level.
    pub(crate) fn try_new(compression: Compression) -> Result<FrameInPieces> {
        Ok(FrameInPieces { encoder: CodecEncoder::try_new(compression)?, made: BufferMut::new() })
    }

    /// Compresses a buffer, and calls `put` with the bytes of the frame. Returns whether the frame saves enough bytes.
    ///
    /// # Errors
    /// If the content cannot be read or compressed, or `put` fails.
    pub(crate) fn make(
        &mut self,
        content: &BufferInPieces<'_>,
        mut put: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<bool> {
        let FrameInPieces { encoder, made } = self;
        let mut n_bytes = 0usize;
        made.clear();
        encoder.begin(content.n_bytes(), made)?;
        content.each(|piece| {
            encoder.add(piece, made)?;
            n_bytes = n_bytes.saturating_add(made.len());
            put(made)?;
            made.clear();
            Ok(())
        })?;
        let n_content_bytes = usize::try_from(content.n_bytes()).unwrap_or(usize::MAX);
        Ok(encoder.saves_enough(n_content_bytes, n_bytes))
    }
}
