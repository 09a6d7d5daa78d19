//! Bodies whose bytes are not those of the arrays: of the other byte order, or compressed. The walk collects what buffers
//! consist of; then each is brought into shape and gets its place.

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::Swap;

use super::{
    compressed,
    sink::{Sink, shift},
};
use crate::{
    compression::Compressor, error::Result, message::BatchLists, options::NullSlots, segment::Segments,
};

/// What the buffers of a body go through before they are written.
#[derive(Debug, Default)]
pub(crate) struct Shaping {
    /// The body is of the other byte order than this machine.
    pub(crate) swaps: bool,
    /// Before that, arrays get zeros below nulls.
    pub(crate) null_slots: NullSlots,
    /// What compresses, last of all.
    pub(crate) compressor: Option<Compressor>,
}

impl Shaping {
    /// Whether bytes are written as they are.
    pub(crate) fn is_plain(&self) -> bool {
        !self.swaps && self.compressor.is_none()
    }
}

/// Collects the buffers of a message.
#[derive(Debug)]
pub(crate) struct ShapedSink<'a> {
    lists: &'a mut BatchLists,
    pieces: Vec<Piece>,
}

/// One buffer as the arrays have it, and the words that it consists of.
#[derive(Debug)]
struct Piece {
    swap: Swap,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    /// Of the caller.
    Shared(Buffer),
    /// Made for this message.
    Made(BufferMut),
}

impl<'a> ShapedSink<'a> {
    pub(crate) fn new(lists: &'a mut BatchLists) -> ShapedSink<'a> {
        ShapedSink { lists, pieces: Vec::new() }
    }

    /// Brings all buffers into shape, and gives them their places.
    pub(crate) fn finish(self, shaping: &mut Shaping, segments: &mut Segments) -> Result<()> {
        let swaps = shaping.swaps;
        let shape = |piece: Piece| if swaps { piece.swapped() } else { piece.bytes.freeze() };
        let shaped = self.pieces.into_iter().map(shape);
        if let Some(compressor) = &mut shaping.compressor {
            let buffers: Vec<Buffer> = shaped.collect();
            return compressed::append(compressor, &buffers, self.lists, segments);
        }
        for bytes in shaped {
            segments.zeros(self.lists.add_buffer(bytes.len()));
            if !bytes.is_empty() {
                segments.share(&bytes, 0, bytes.len());
            }
        }
        Ok(())
    }

    fn push(&mut self, swap: Swap, bytes: Bytes) {
        self.pieces.push(Piece { swap, bytes });
    }
}

impl Piece {
    fn swapped(self) -> Buffer {
        if !self.swap.changes_bytes() {
            return self.bytes.freeze();
        }
        let mut bytes = match self.bytes {
            Bytes::Shared(bytes) => BufferMut::from(&*bytes),
            Bytes::Made(bytes) => bytes,
        };
        self.swap.from_native(&mut bytes);
        bytes.freeze()
    }
}

impl Bytes {
    fn freeze(self) -> Buffer {
        match self {
            Bytes::Shared(bytes) => bytes,
            Bytes::Made(bytes) => bytes.freeze(),
        }
    }
}

impl Sink for ShapedSink<'_> {
    fn node(&mut self, n_slots: usize, n_nulls: usize) {
        self.lists.add_node(n_slots, n_nulls);
    }

    fn variadic_count(&mut self, n_buffers: usize) {
        self.lists.add_variadic_count(n_buffers);
    }

    fn share(&mut self, swap: Swap, buffer: &Buffer, start: usize, end: usize) {
        self.push(swap, Bytes::Shared(buffer.slice(start..end)));
    }

    fn bits(&mut self, buffer: &Buffer, bit_offset: usize, n_bits: usize) {
        if bit_offset.is_multiple_of(8) && n_bits.is_multiple_of(8) {
            let start = bit_offset / 8;
            return self.share(Swap::None, buffer, start, start + n_bits / 8);
        }
        let mut bytes = BufferMut::with_capacity(n_bits.div_ceil(8));
        bytes.extend_zeros(n_bits.div_ceil(8));
        shift(buffer, bit_offset, n_bits, &mut bytes).unwrap_or_else(|never| match never {});
        self.push(Swap::None, Bytes::Made(bytes));
    }

    fn rebuild(
        &mut self,
        swap: Swap,
        n_bytes: usize,
        write: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let mut bytes = BufferMut::with_capacity(n_bytes);
        bytes.extend_zeros(n_bytes);
        write(&mut bytes)?;
        self.push(swap, Bytes::Made(bytes));
        Ok(())
    }

    fn n_buffers(&self) -> usize {
        self.pieces.len()
    }
}
