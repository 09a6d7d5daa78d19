//! Relocation of bodies: the caller copies the unchanged buffers to new positions.

use crate::{body::BodyRange, segment::encoded::Encoded};

/// A message whose body the caller copies, buffer by buffer. See [`Transcoder::relocate`](crate::transcode::Transcoder::relocate).
///
/// First write the bytes of the [`head`](Relocation::head). Then write a body of
/// [`n_body_bytes`](Relocation::n_body_bytes) bytes: the range of each of the [`moves`](Relocation::moves), with zeros
/// between and after these ranges.
#[derive(Debug)]
pub struct Relocation<'a> {
    pub(super) head: Encoded<'a>,
    pub(super) moves: &'a [BufferMove],
    pub(super) n_body_bytes: u64,
}

/// A range of bytes in the old body, and its position in the new body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferMove {
    pub(super) from: BodyRange,
    pub(super) start: u64,
}

impl<'a> Relocation<'a> {
    /// The same as [`head`](Relocation::head), for callers that do not need the moves any more.
    pub fn into_head(self) -> Encoded<'a> {
        self.head
    }

    /// The bytes before the body. For the first message, these include the start of the stream or file.
    pub fn head(&self) -> &Encoded<'_> {
        &self.head
    }

    /// The moves, in the order of their positions in the new body.
    pub fn moves(&self) -> &[BufferMove] {
        self.moves
    }

    /// The length of the new body in bytes.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }
}

impl BufferMove {
    /// The range of the bytes in the old body.
    pub fn from(&self) -> BodyRange {
        self.from
    }

    /// The position of the bytes in the new body.
    pub fn start(&self) -> u64 {
        self.start
    }
}
