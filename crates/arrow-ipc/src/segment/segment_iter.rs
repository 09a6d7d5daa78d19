//! Iterates over segments. A writer that continues after a partial write skips the segments before it in constant time.

use std::slice;

use super::{Segment, SegmentPiece};

/// An iterator over segments.
#[derive(Debug, Clone)]
pub(crate) struct SegmentIter<'a> {
    pieces: slice::Iter<'a, SegmentPiece>,
    gathered: &'a [u8],
}

impl<'a> SegmentIter<'a> {
    pub(super) fn new(pieces: &'a [SegmentPiece], gathered: &'a [u8]) -> SegmentIter<'a> {
        SegmentIter { pieces: pieces.iter(), gathered }
    }

    #[inline]
    fn segment(&self, piece: &'a SegmentPiece) -> Segment<'a> {
        #[cfg(test)]
        super::tests::count_visited();
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
