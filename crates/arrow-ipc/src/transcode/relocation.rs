//! Bodies whose buffers get other places and stay what they are: what the caller has to copy.

use crate::{body::BodyRange, encoded::Encoded};

/// A message whose body the caller copies, buffer by buffer: [`Transcoder::relocate`](crate::Transcoder::relocate) makes it.
///
/// Write the bytes of the [`head`](Relocation::head), then a body of [`n_body_bytes`](Relocation::n_body_bytes) bytes: each
/// of the [`moves`](Relocation::moves), with zeros between and after them.
#[derive(Debug)]
pub struct Relocation<'a> {
    pub(super) head: Encoded<'a>,
    pub(super) moves: &'a [BufferMove],
    pub(super) n_body_bytes: u64,
}

/// Where some bytes of a body are, and where they go in another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferMove {
    pub(super) from: BodyRange,
    pub(super) start: u64,
}

impl<'a> Relocation<'a> {
    /// The same as [`head`](Relocation::head), without the moves.
    pub fn into_head(self) -> Encoded<'a> {
        self.head
    }

    /// What precedes the body. With the first message, that includes the start of the stream or file.
    pub fn head(&self) -> &Encoded<'_> {
        &self.head
    }

    /// The buffers, in the order of their new places.
    pub fn moves(&self) -> &[BufferMove] {
        self.moves
    }

    /// The length of the new body.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }
}

impl BufferMove {
    /// The bytes in the old body.
    pub fn from(&self) -> BodyRange {
        self.from
    }

    /// Where they begin in the new body.
    pub fn start(&self) -> u64 {
        self.start
    }
}
