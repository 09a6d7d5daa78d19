//! The bytes to write, as a list of [`Segment`]s. Buffers of 4 KiB or more are shared with the caller; smaller buffers
//! and metadata are copied together.
//!
//! **Invariant:** an encoder keeps at most as much memory for small buffers, lists and rebuilt buffers as the last call
//! needed, and at most 64 MiB. No call allocates for each column.

use std::slice;

use arrow_buffer::{Buffer, BufferMut};

pub(crate) mod encoded;
pub(crate) mod parts;
mod raw;
mod rebuilt;
mod write;

pub use self::raw::{BodyPart, RawMessage};
use self::rebuilt::RebuiltMemory;
pub(crate) use self::{raw::RawHeader, write::write_all};

/// Shorter buffers are copied together with the bytes around them.
pub(crate) const GATHER_BYTES: usize = 4 << 10;

/// The initial capacity for gathered bytes: enough for the metadata of a few columns.
const FIRST_BYTES: usize = 1 << 10;

/// Padding is written as slices of these zeros.
static ZEROS: [u8; GATHER_BYTES] = [0; GATHER_BYTES];

/// A part of the output of an encoder. [`slices`](Segment::slices) returns its bytes.
#[derive(Debug, Clone, Copy)]
pub enum Segment<'a> {
    /// Metadata and small buffers that were copied together.
    Gathered(&'a [u8]),
    /// A buffer of an array, or a buffer that was rebuilt: see [`WriteStats`].
    Data(&'a Buffer),
    /// This number of zero bytes.
    Zeros(usize),
}

/// Iterates over the bytes of a [`Segment`] in slices.
#[derive(Debug, Clone)]
pub struct Slices<'a> {
    bytes: &'a [u8],
    n_zeros: usize,
    max_bytes: usize,
}

impl<'a> Segment<'a> {
    /// The length of the segment in bytes.
    pub fn n_bytes(&self) -> usize {
        match self {
            Segment::Gathered(bytes) => bytes.len(),
            Segment::Data(buffer) => buffer.len(),
            Segment::Zeros(n_bytes) => *n_bytes,
        }
    }

    /// The part of the segment from `start` on, of `n_bytes` bytes. Both must lie inside it.
    pub(crate) fn range(self, start: usize, n_bytes: usize) -> Segment<'a> {
        match self {
            Segment::Data(_) if start == 0 && n_bytes == self.n_bytes() => self,
            Segment::Data(buffer) => Segment::Gathered(&buffer[start..start + n_bytes]),
            Segment::Gathered(bytes) => Segment::Gathered(&bytes[start..start + n_bytes]),
            Segment::Zeros(_) => Segment::Zeros(n_bytes),
        }
    }

    /// The bytes of the segment in slices of at most `max_bytes` bytes. `usize::MAX` means no maximum, and 0 counts as
    /// 1. Slices of zeros have at most 4 KiB.
    pub fn slices(self, max_bytes: usize) -> Slices<'a> {
        let max_bytes = max_bytes.max(1);
        match self {
            Segment::Gathered(bytes) => Slices { bytes, n_zeros: 0, max_bytes },
            Segment::Data(buffer) => Slices { bytes: buffer.as_slice(), n_zeros: 0, max_bytes },
            Segment::Zeros(n_zeros) => Slices { bytes: &[], n_zeros, max_bytes },
        }
    }

    /// Returns the bytes as a buffer that outlives the segment. The buffer shares the memory of [`Segment::Data`], and
    /// is a copy for other segments.
    pub fn to_buffer(&self) -> Buffer {
        match self {
            Segment::Gathered(bytes) => Buffer::copy_from(bytes),
            Segment::Data(buffer) => Buffer::clone(buffer),
            Segment::Zeros(n_bytes) => Buffer::zeroed(*n_bytes),
        }
    }
}

impl<'a> Iterator for Slices<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if !self.bytes.is_empty() {
            let (slice, rest) = self.bytes.split_at(self.bytes.len().min(self.max_bytes));
            self.bytes = rest;
            return Some(slice);
        }
        let (zeros, _) = ZEROS.split_at(self.n_zeros.min(self.max_bytes).min(ZEROS.len()));
        self.n_zeros -= zeros.len();
        Some(zeros).filter(|zeros| !zeros.is_empty())
    }
}

/// Counts of the buffers of 4 KiB or more that were rebuilt, because a writer could not write the bytes in memory
/// unchanged. These are mostly buffers of slices: offsets, views, run ends and union offsets that refer to a part of
/// their data, and bits that do not start at a byte. Data with more unused than used bytes is also rebuilt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteStats {
    /// The number of rebuilt buffers.
    pub n_rebuilt_buffers: u64,
    /// The total length of the rebuilt buffers in bytes.
    pub n_rebuilt_bytes: u64,
}

/// Collects segments. [`clear`](Segments::clear) keeps the memory for the next segments.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    pieces: Vec<SegmentPiece>,
    /// The bytes of all [`Segment::Gathered`].
    gathered: BufferMut,
    /// The start of the gathered bytes that are not in a segment yet.
    run_start: usize,
    n_bytes: u64,
    /// The number of zeros to write before the next bytes.
    n_zeros: usize,
    rebuilt: RebuiltMemory,
    stats: WriteStats,
}

#[derive(Debug)]
enum SegmentPiece {
    Gathered { start: usize, end: usize },
    Data(Buffer),
    Rebuilt(Buffer),
    Zeros(usize),
}

/// A reserved range for metadata. Metadata depends on the body, which comes after it.
#[derive(Debug)]
pub(crate) struct ReservedMetadata {
    /// The index of the segment that contains the metadata.
    piece_idx: usize,
    /// The offset of the metadata in `gathered`, if its length was expected.
    start: usize,
    n_bytes: usize,
}

impl Segments {
    /// Removes all segments and their references to buffers.
    pub(crate) fn clear(&mut self) {
        // Without segments, `rebuilt` contains memory of an earlier message, which the next message reuses.
        if !self.pieces.is_empty() {
            self.keep_rebuilt();
        }
        self.gathered.clear();
        self.run_start = 0;
        self.n_bytes = 0;
        self.n_zeros = 0;
        self.stats = WriteStats::default();
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    pub(crate) fn stats(&self) -> WriteStats {
        self.stats
    }

    /// Reserves a range for metadata, which is written after its body. If the length is as expected and short, the
    /// metadata shares a segment with small buffers.
    pub(crate) fn open_metadata(&mut self, n_expected: usize) -> ReservedMetadata {
        if n_expected == 0 || n_expected > GATHER_BYTES {
            self.flush_zeros();
            self.close();
            self.pieces.push(SegmentPiece::Gathered { start: 0, end: 0 });
            return ReservedMetadata { piece_idx: self.pieces.len() - 1, start: 0, n_bytes: 0 };
        }
        self.gather_zeros();
        let start = self.gathered.len();
        self.gathered.extend_zeros(n_expected);
        ReservedMetadata { piece_idx: self.pieces.len(), start, n_bytes: n_expected }
    }

    /// Fills the reserved range with `n_bytes` bytes from `write`.
    pub(crate) fn fill_metadata_with(
        &mut self,
        reserved: ReservedMetadata,
        n_bytes: usize,
        write: impl FnOnce(&mut [u8]),
    ) {
        // Pending zeros belong to the body, so they are written first.
        self.flush_zeros();
        if reserved.n_bytes > 0 && reserved.n_bytes == n_bytes {
            self.n_bytes += n_bytes as u64;
            return write(&mut self.gathered.as_mut_slice()[reserved.start..reserved.start + n_bytes]);
        }
        self.fill_metadata(reserved, |to| {
            to.reserve(n_bytes);
            write(to.spare(n_bytes));
            to.filled(n_bytes);
        });
    }

    /// Fills the reserved range with the bytes that `write` appends.
    pub(crate) fn fill_metadata<T>(
        &mut self,
        reserved: ReservedMetadata,
        write: impl FnOnce(&mut BufferMut) -> T,
    ) -> T {
        // Pending zeros belong to the body, so they are written first.
        self.flush_zeros();
        let start = self.gathered.len();
        self.reserve_first();
        let written = write(&mut self.gathered);
        let end = self.gathered.len();
        self.n_bytes += (end - start) as u64;
        if reserved.n_bytes > 0 && reserved.n_bytes == end - start {
            let (before, metadata) = self.gathered.as_mut_slice().split_at_mut(start);
            before[reserved.start..reserved.start + reserved.n_bytes].copy_from_slice(metadata);
            self.gathered.truncate(start);
            return written;
        }
        self.close_at(start);
        self.run_start = end;
        let metadata = SegmentPiece::Gathered { start, end };
        if let SegmentPiece::Gathered { start, end } = self.pieces[reserved.piece_idx]
            && reserved.n_bytes > 0
        {
            // The reserved range has the wrong length, so it is removed.
            let before = SegmentPiece::Gathered { start, end: reserved.start };
            let after = SegmentPiece::Gathered { start: reserved.start + reserved.n_bytes, end };
            let is_empty =
                |piece: &SegmentPiece| matches!(piece, SegmentPiece::Gathered { start, end } if start == end);
            let split = [before, metadata, after].into_iter().filter(|piece| !is_empty(piece));
            self.pieces.splice(reserved.piece_idx..=reserved.piece_idx, split);
        } else {
            self.pieces[reserved.piece_idx] = metadata;
        }
        written
    }

    #[inline]
    pub(crate) fn zeros(&mut self, n_bytes: usize) {
        self.n_zeros += n_bytes;
        self.n_bytes += n_bytes as u64;
    }

    /// Appends zeros, of which many are a segment of their own that takes no memory.
    pub(crate) fn gap(&mut self, n_bytes: usize) {
        if n_bytes < GATHER_BYTES {
            return self.zeros(n_bytes);
        }
        self.push(SegmentPiece::Zeros(n_bytes), n_bytes);
    }

    /// Appends a copy of `bytes`, of any length.
    #[inline]
    pub(crate) fn gather(&mut self, bytes: &[u8]) {
        self.gather_zeros();
        self.gathered.extend_from_slice(bytes);
        self.n_bytes += bytes.len() as u64;
    }

    /// Appends the bytes that `write` appends to its argument.
    pub(crate) fn gather_with<T, E>(
        &mut self,
        write: impl FnOnce(&mut BufferMut) -> Result<T, E>,
    ) -> Result<T, E> {
        self.gather_zeros();
        let start = self.gathered.len();
        let written = write(&mut self.gathered);
        self.n_bytes += (self.gathered.len() - start) as u64;
        written
    }

    /// Appends a range of a buffer. Copies it if it is shorter than 4 KiB, and otherwise shares it.
    #[inline]
    pub(crate) fn share(&mut self, buffer: &Buffer, start: usize, end: usize) {
        if end - start < GATHER_BYTES {
            return self.gather(&buffer[start..end]);
        }
        self.push(SegmentPiece::Data(buffer.slice(start..end)), end - start);
    }

    /// Appends `n_bytes` bytes, which `write` fills. `write` must overwrite all of them.
    pub(crate) fn rebuild<E>(
        &mut self,
        n_bytes: usize,
        write: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if n_bytes == 0 {
            return write(&mut []);
        }
        if n_bytes < GATHER_BYTES {
            return self.gather_with(|gathered| {
                gathered.reserve(n_bytes);
                write(gathered.spare(n_bytes))?;
                gathered.filled(n_bytes);
                Ok(())
            });
        }
        let mut rebuilt = self.rebuilt.take(n_bytes);
        write(rebuilt.spare(n_bytes))?;
        rebuilt.filled(n_bytes);
        self.count_rebuilt(n_bytes);
        self.push(SegmentPiece::Rebuilt(rebuilt.freeze()), n_bytes);
        Ok(())
    }

    /// Counts a rebuilt buffer of 4 KiB or more.
    pub(crate) fn count_rebuilt(&mut self, n_bytes: usize) {
        if n_bytes >= GATHER_BYTES {
            self.stats.n_rebuilt_buffers += 1;
            self.stats.n_rebuilt_bytes += n_bytes as u64;
        }
    }

    /// Completes the last segment. Call this before `iter`.
    pub(crate) fn close(&mut self) {
        self.close_at(self.gathered.len());
    }

    /// All segments, in order. No zeros are pending, because filling in the metadata has written them.
    pub(crate) fn iter(&self) -> SegmentIter<'_> {
        debug_assert!(self.run_start == self.gathered.len(), "the last segment is not closed");
        SegmentIter::new(&self.pieces, &self.gathered)
    }

    /// Removes the segments, but retains the memory of rebuilt buffers.
    fn keep_rebuilt(&mut self) {
        if self.stats.n_rebuilt_buffers == 0 && self.rebuilt.is_empty() {
            return self.pieces.clear();
        }
        self.rebuilt.keep(self.pieces.drain(..).filter_map(|piece| match piece {
            SegmentPiece::Rebuilt(buffer) => Some(buffer),
            SegmentPiece::Gathered { .. } | SegmentPiece::Data(_) | SegmentPiece::Zeros(_) => None,
        }));
    }

    fn push(&mut self, piece: SegmentPiece, n_bytes: usize) {
        self.flush_zeros();
        self.close();
        self.n_bytes = self.n_bytes.saturating_add(n_bytes as u64);
        self.pieces.push(piece);
    }

    fn close_at(&mut self, end: usize) {
        if self.run_start < end {
            self.pieces.push(SegmentPiece::Gathered { start: self.run_start, end });
            self.run_start = end;
        }
    }

    /// Appends the pending zeros to the gathered bytes.
    #[inline]
    fn gather_zeros(&mut self) {
        self.reserve_first();
        if self.n_zeros > 0 {
            self.gathered.extend_zeros(std::mem::take(&mut self.n_zeros));
        }
    }

    /// Reserves memory before the first bytes are gathered.
    fn reserve_first(&mut self) {
        if self.gathered.capacity() == 0 {
            self.gathered.reserve(FIRST_BYTES);
        }
    }

    /// Appends the pending zeros after the last segment.
    fn flush_zeros(&mut self) {
        if self.run_start < self.gathered.len() {
            self.gather_zeros();
        } else if self.n_zeros > 0 {
            self.pieces.push(SegmentPiece::Zeros(std::mem::take(&mut self.n_zeros)));
        }
    }
}

/// An iterator over segments. A writer that continues after a partial write skips the segments before it in constant time.
#[derive(Debug, Clone)]
pub(crate) struct SegmentIter<'a> {
    pieces: slice::Iter<'a, SegmentPiece>,
    gathered: &'a [u8],
}

impl<'a> SegmentIter<'a> {
    fn new(pieces: &'a [SegmentPiece], gathered: &'a [u8]) -> SegmentIter<'a> {
        SegmentIter { pieces: pieces.iter(), gathered }
    }

    #[inline]
    fn segment(&self, piece: &'a SegmentPiece) -> Segment<'a> {
        #[cfg(test)]
        tests::count_visited();
        match piece {
            SegmentPiece::Gathered { start, end } => Segment::Gathered(&self.gathered[*start..*end]),
            SegmentPiece::Data(buffer) | SegmentPiece::Rebuilt(buffer) => Segment::Data(buffer),
            SegmentPiece::Zeros(n_bytes) => Segment::Zeros(*n_bytes),
        }
    }
}

impl<'a> Iterator for SegmentIter<'a> {
    type Item = Segment<'a>;

    #[inline]
    fn next(&mut self) -> Option<Segment<'a>> {
        self.pieces.next().map(|piece| self.segment(piece))
    }

    fn nth(&mut self, n: usize) -> Option<Segment<'a>> {
        self.pieces.nth(n).map(|piece| self.segment(piece))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.pieces.size_hint()
    }
}

impl ExactSizeIterator for SegmentIter<'_> {}

#[cfg(test)]
mod tests;
