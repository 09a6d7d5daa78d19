//! Requests a long range in several pieces, and joins the answers in order.

use std::{
    collections::VecDeque,
    future::Future,
    io,
    ops::Range,
    pin::Pin,
    task::{Context, Poll},
};

use arrow_buffer::Buffer;
use arrow_ipc::file::JoinedPieces;

use crate::source::{checked, n_bytes_of};

pub(crate) type FetchFuture = Pin<Box<dyn Future<Output = io::Result<Buffer>> + Send>>;

/// The requests for the pieces of a range. Each byte is in memory once: in the joined bytes, or in the answer for a
/// piece that waits for earlier pieces.
pub(crate) struct PieceRequests {
    fetch: Box<dyn Fn(Range<u64>) -> FetchFuture + Send>,
    /// The pieces that have not been joined, in order.
    left: VecDeque<RequestedPiece>,
    /// `None` after the bytes have been returned.
    joined: Option<JoinedPieces>,
}

struct RequestedPiece {
    range: Range<u64>,
    answer: PieceAnswer,
}

enum PieceAnswer {
    /// Not requested yet.
    Waiting,
    Awaited(FetchFuture),
    Here(Buffer),
}

impl PieceRequests {
    pub(crate) fn new(
        range: Range<u64>,
        pieces: impl Iterator<Item = Range<u64>>,
        fetch: impl Fn(Range<u64>) -> FetchFuture + Send + 'static,
    ) -> PieceRequests {
        let left = pieces.map(|range| RequestedPiece { range, answer: PieceAnswer::Waiting }).collect();
        PieceRequests { fetch: Box::new(fetch), left, joined: Some(JoinedPieces::new(range)) }
    }

    /// The number of pieces that have not arrived.
    pub(crate) fn n_missing(&self) -> usize {
        self.left.iter().filter(|piece| !matches!(piece.answer, PieceAnswer::Here(_))).count()
    }

    /// The number of pieces that are requested and have not arrived.
    pub(crate) fn n_awaited(&self) -> usize {
        self.left.iter().filter(|piece| matches!(piece.answer, PieceAnswer::Awaited(_))).count()
    }

    /// The length of the longest piece that is not joined.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.left.iter().map(|piece| n_bytes_of(&piece.range)).max().unwrap_or(0)
    }

    /// Requests up to `max_requests` more pieces. Returns how many.
    pub(crate) fn begin(&mut self, max_requests: usize) -> usize {
        let waiting = self.left.iter_mut().filter(|piece| matches!(piece.answer, PieceAnswer::Waiting));
        let started = waiting.take(max_requests).map(|piece| {
            piece.answer = PieceAnswer::Awaited((self.fetch)(piece.range.clone()));
        });
        started.count()
    }

    /// The bytes of the range when all pieces have arrived, or the first error.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Buffer>> {
        for piece in &mut self.left {
            if let PieceAnswer::Awaited(fetching) = &mut piece.answer
                && let Poll::Ready(bytes) = fetching.as_mut().poll(context)
            {
                piece.answer = PieceAnswer::Here(checked(bytes?, &piece.range)?);
            }
        }
        while self.left.front().is_some_and(|piece| matches!(piece.answer, PieceAnswer::Here(_)))
            && let Some(piece) = self.left.pop_front()
        {
            if let (PieceAnswer::Here(bytes), Some(joined)) = (piece.answer, &mut self.joined) {
                joined.push(bytes).map_err(io::Error::other)?;
            }
        }
        if !self.left.is_empty() {
            return Poll::Pending;
        }
        Poll::Ready(Ok(self.joined.take().map(JoinedPieces::into_buffer).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use testing_support::Rng;

    use super::*;

    const FILE: [u8; 1_000] = {
        let mut file = [0; 1_000];
        let mut position = 0;
        while position < 1_000 {
            file[position] = (position % 251) as u8;
            position += 1;
        }
        file
    };

    /// A request that is pending `n_polls` times. Then it returns the bytes of the range, or an error if the range
    /// begins at `fails_at`.
    fn fetch(range: Range<u64>, n_polls: usize, fails_at: Option<u64>) -> FetchFuture {
        let mut n_left = n_polls;
        Box::pin(std::future::poll_fn(move |_| {
            if let Some(n) = n_left.checked_sub(1) {
                n_left = n;
                return Poll::Pending;
            }
            Poll::Ready(if fails_at == Some(range.start) {
                Err(io::ErrorKind::TimedOut.into())
            } else {
                Ok(Buffer::copy_from(&FILE[range.start as usize..range.end as usize]))
            })
        }))
    }

    /// Polls until all pieces have arrived. At most `max_requests` requests run at the same time.
    fn drive(pieces: &mut PieceRequests, max_requests: usize) -> io::Result<Buffer> {
        loop {
            pieces.begin(max_requests - pieces.n_awaited());
            assert!(pieces.n_awaited() <= max_requests);
            if let Poll::Ready(bytes) = pieces.poll(&mut Context::from_waker(Waker::noop())) {
                return bytes;
            }
        }
    }

    #[test]
    fn pieces_in_any_order_are_the_range() {
        let mut rng = Rng::new(1);
        for round in 0..200 {
            let mut ends: Vec<u64> = (0..2 + round % 9).map(|_| rng.below(1_001) as u64).collect();
            ends.sort_unstable();
            let ranges = ends.windows(2).map(|pair| pair[0]..pair[1]).filter(|range| !range.is_empty());
            let ranges: Vec<_> = ranges.collect();
            let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else { continue };
            let expected = &FILE[first.start as usize..last.end as usize];
            let seed = rng.below(7);
            let n_polls = move |start: u64| (start as usize).wrapping_mul(31 + seed) % 5;
            let of = |fails_at| {
                PieceRequests::new(
                    first.start..last.end,
                    ranges.clone().into_iter(),
                    move |range: Range<u64>| {
                        let n_polls = n_polls(range.start);
                        fetch(range, n_polls, fails_at)
                    },
                )
            };
            let mut pieces = of(None);
            assert_eq!(pieces.n_missing(), ranges.len());
            let bytes = drive(&mut pieces, 1 + round % 4).unwrap();
            assert_eq!(*bytes, *expected);
            assert_eq!((pieces.n_missing(), pieces.n_awaited(), pieces.max_bytes()), (0, 0, 0));
            if ranges.len() > 1 {
                assert_eq!(bytes.as_ptr().addr() as u64 % 64, first.start % 64);
            }
            let failing = ranges[rng.below(ranges.len())].start;
            assert_eq!(drive(&mut of(Some(failing)), 3).unwrap_err().kind(), io::ErrorKind::TimedOut);
        }
    }

    #[test]
    fn a_piece_of_another_length_is_an_error() {
        for n_bytes in [9, 11] {
            let fetch = move |range: Range<u64>| fetch(range.start..range.start + n_bytes, 0, None);
            let mut pieces = PieceRequests::new(0..20, [0..10, 10..20].into_iter(), fetch);
            drive(&mut pieces, 2).unwrap_err();
        }
    }
}
