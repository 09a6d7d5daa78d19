//! The result of `relocate`: new positions for unchanged buffers.

use arrow_ipc::Encoded;
use arrow_ipc_format::BodyRange;

/// A message without its body: the caller copies the buffers of the body. See
/// [`Transcoder::relocate`](crate::Transcoder::relocate).
///
/// First write the [`metadata`](Relocation::metadata). Then write a body of [`n_body_bytes`](Relocation::n_body_bytes) bytes:
/// for each of the [`moves`](Relocation::moves), copy a range of the old body to its new position. All other bytes are
/// zeros.
#[derive(Debug)]
pub struct Relocation<'a> {
    pub(super) metadata: Encoded<'a>,
    pub(super) moves: &'a [BufferMove],
    pub(super) n_body_bytes: u64,
}

/// A range of the old body, and its position in the new body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferMove {
    pub(super) from: BodyRange,
    pub(super) start: u64,
}

impl<'a> Relocation<'a> {
    /// Like [`metadata`](Relocation::metadata), but consumes the relocation.
    pub fn into_metadata(self) -> Encoded<'a> {
        self.metadata
    }

    /// The bytes before the body. For the first message, these include the start of the stream or file.
    pub fn metadata(&self) -> &Encoded<'_> {
        &self.metadata
    }

    /// The moves, in the order of the new body.
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

    /// The position of the first byte in the new body.
    pub fn start(&self) -> u64 {
        self.start
    }
}
