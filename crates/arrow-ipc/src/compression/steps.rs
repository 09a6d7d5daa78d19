//! The input and the output of one step of a codec.

/// The result of decompressing the next bytes of a frame.
#[derive(Debug, Default)]
pub(super) struct Next<'a> {
    /// How many bytes were used.
    pub(super) n_used: usize,
    pub(super) made: &'a [u8],
    /// Whether the frame ends after the used bytes.
    pub(super) is_end: bool,
    /// How many bytes are needed to continue, if nothing was used or made.
    pub(super) n_needed: usize,
}

/// Bytes of the content of a buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// A piece that is not the last one.
    Next(&'a [u8]),
    /// The last piece.
    Last(&'a [u8]),
}

impl<'a> Piece<'a> {
    /// A piece that ends at this position of content of this length.
    pub(crate) fn new(bytes: &'a [u8], end: u64, n_bytes: u64) -> Piece<'a> {
        if end < n_bytes { Piece::Next(bytes) } else { Piece::Last(bytes) }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Piece::Next(bytes) | Piece::Last(bytes) => bytes,
        }
    }
}
