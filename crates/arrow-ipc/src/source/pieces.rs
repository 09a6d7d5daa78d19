//! Splits long ranges into pieces, so that several requests fetch each range.

use std::ops::Range;

use arrow_buffer::{BudgetError, Buffer, BufferMut};

use crate::source::FetchCost;
use arrow_ipc_format::length_of;

/// Ranges, split into [pieces](FetchCost::pieces_of) with one request for each piece. If requests run in parallel, a
/// single request for a long range would use only one connection. [`FileReader`](crate::FileReader) requests ranges in
/// pieces.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FetchCost, Source, file::SplitRanges};
///
/// let source = Buffer::zeroed(40_000_000);
/// let ranges = [0..100, 1_000..30_000_000];
/// let in_pieces = SplitRanges::new(&ranges, &FetchCost::OBJECT_STORE);
/// assert_eq!(in_pieces.pieces().len(), 5);
/// let joined: Vec<_> = in_pieces.join(source.fetch_many(in_pieces.pieces())?).collect::<Result<_, _>>()?;
/// assert_eq!((&joined[1].0, joined[1].1.len()), (&ranges[1], 29_999_000));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct SplitRanges<'a> {
    ranges: &'a [Range<u64>],
    /// The pieces of all ranges, in order.
    pieces: Vec<Range<u64>>,
    n_pieces: Vec<usize>,
}

impl<'a> SplitRanges<'a> {
    /// Splits each range that is longer than a piece for this cost.
    pub fn new(ranges: &'a [Range<u64>], cost: &FetchCost) -> SplitRanges<'a> {
        let mut pieces = Vec::with_capacity(ranges.len());
        let mut n_pieces = Vec::with_capacity(ranges.len());
        for range in ranges {
            let n_before = pieces.len();
            pieces.extend(cost.pieces_of(range.clone()));
            n_pieces.push(pieces.len() - n_before);
        }
        SplitRanges { ranges, pieces, n_pieces }
    }

    /// The ranges to request, in order.
    pub fn pieces(&self) -> &[Range<u64>] {
        &self.pieces
    }

    /// Joins the answers, which must be in the order of [`pieces`](SplitRanges::pieces), and returns each range with its
    /// bytes. If an answer has the wrong length, the last item is its piece with the wrong bytes, and later answers are
    /// dropped.
    ///
    /// # Errors
    /// If there is not enough memory to join pieces.
    pub fn join(
        &self,
        answers: Vec<Buffer>,
    ) -> impl Iterator<Item = Result<(Range<u64>, Buffer), BudgetError>> {
        let mut answered = self.pieces.iter().zip(answers);
        let mut is_wrong = false;
        self.ranges.iter().zip(&self.n_pieces).map_while(move |(range, n_pieces)| {
            if is_wrong {
                return None;
            }
            let mut joined = JoinedPieces::new(range.clone());
            for (piece, bytes) in answered.by_ref().take(*n_pieces) {
                if bytes.len() as u64 != length_of(piece) {
                    is_wrong = true;
                    return Some(Ok((piece.clone(), bytes)));
                }
                if let Err(error) = joined.push(bytes) {
                    return Some(Err(error));
                }
            }
            Some(Ok((range.clone(), joined.into_buffer())))
        })
    }
}

/// The alignment of the buffers of columns in a file.
const ALIGNMENT: u64 = 64;

/// Joins the pieces of one range, from first to last. Each byte is in memory once: a single piece is not copied, and
/// several pieces are copied as they arrive. JoinState bytes have the same alignment in memory as in the file, so that
/// buffers of columns need no other copy.
#[derive(Debug)]
pub struct JoinedPieces {
    range: Range<u64>,
    state: JoinState,
}

#[derive(Debug)]
enum JoinState {
    Nothing,
    One(Buffer),
    /// The number of zeros that align the joined bytes, and a buffer with these zeros and the joined bytes.
    Several(usize, BufferMut),
}

impl JoinedPieces {
    /// Starts to join the pieces of this range.
    pub fn new(range: Range<u64>) -> JoinedPieces {
        JoinedPieces { range, state: JoinState::Nothing }
    }

    /// Appends the next piece of the range.
    ///
    /// # Errors
    /// If there is not enough memory for the range.
    pub fn push(&mut self, piece: Buffer) -> Result<(), BudgetError> {
        self.state = match std::mem::replace(&mut self.state, JoinState::Nothing) {
            JoinState::Nothing => JoinState::One(piece),
            JoinState::One(first) => {
                let n_before = usize::try_from(self.range.start % ALIGNMENT).unwrap_or(0);
                let n_bytes = length_of(&self.range);
                let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX).saturating_add(n_before);
                let mut joined = BufferMut::try_with_capacity_in(n_bytes, None)?;
                joined.extend_zeros(n_before);
                joined.extend_from_slice(&first);
                joined.extend_from_slice(&piece);
                JoinState::Several(n_before, joined)
            }
            JoinState::Several(n_before, mut joined) => {
                joined.extend_from_slice(&piece);
                JoinState::Several(n_before, joined)
            }
        };
        Ok(())
    }

    /// The bytes of all pieces that were pushed.
    pub fn into_buffer(self) -> Buffer {
        match self.state {
            JoinState::Nothing => Buffer::new(),
            JoinState::One(bytes) => bytes,
            JoinState::Several(n_before, joined) => joined.freeze().slice(n_before..),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of a file in which no two neighbours of 4 bytes are the same.
    fn answers(pieces: &[Range<u64>]) -> Vec<Buffer> {
        let bytes = |piece: &Range<u64>| {
            (piece.start..piece.end).map(|at| (at / 4).to_le_bytes()[(at % 4) as usize]).collect::<Vec<u8>>()
        };
        pieces.iter().map(|piece| bytes(piece).into()).collect()
    }

    const RANGES: [Range<u64>; 3] = [8..100, 1_000..30_000_001, 30_000_008..30_000_016];

    #[test]
    fn joined_pieces_are_the_ranges() {
        let cost = FetchCost::OBJECT_STORE;
        let in_pieces = SplitRanges::new(&RANGES, &cost);
        assert_eq!(in_pieces.pieces().len(), 6, "four for the long range");
        let joined: Vec<_> = in_pieces.join(answers(in_pieces.pieces())).map(Result::unwrap).collect();
        assert!(joined.iter().map(|(range, _)| range).eq(&RANGES));
        for ((range, bytes), expected) in joined.iter().zip(answers(&RANGES)) {
            assert!(*bytes == expected, "{range:?}");
        }
        let (range, bytes) = &joined[1];
        assert_eq!(bytes.as_ptr().addr() as u64 % 64, range.start % 64);
        // One request at a time: each range is one piece.
        assert_eq!(SplitRanges::new(&RANGES, &FetchCost::DISK).pieces(), RANGES);
    }

    #[test]
    fn a_piece_of_another_length_is_the_last() {
        let in_pieces = SplitRanges::new(&RANGES, &FetchCost::OBJECT_STORE);
        let pieces = in_pieces.pieces().to_vec();
        for wrong in 0..pieces.len() {
            let mut answers = answers(&pieces);
            let n_bytes = answers[wrong].len();
            answers[wrong] = answers[wrong].slice(..n_bytes - 1);
            // The next answer is too long by the same number of bytes, so the sum of the lengths is right.
            if wrong + 1 < pieces.len() {
                answers[wrong + 1] = [&[0], &answers[wrong + 1][..]].concat().into();
            }
            let joined: Vec<_> = in_pieces.join(answers).map(Result::unwrap).collect();
            let (range, bytes) = joined.last().unwrap();
            assert_eq!((range, bytes.len()), (&pieces[wrong], n_bytes - 1));
        }
    }
}
