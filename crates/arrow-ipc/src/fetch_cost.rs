//! What it costs to fetch: the model by which a reader decides which ranges to request.

use std::{ops::Range, time::Duration};

/// What requests and bytes cost: how long a request takes before its first byte arrives, how many bytes arrive in a second
/// after that, and how many requests run at the same time.
///
/// By the model, *k* requests for *n* bytes take (*k* × request + *n* ÷ bytes per second) ÷ requests in flight. So a request
/// is worth [`n_bytes_per_request`](FetchCost::n_bytes_per_request) bytes: where less than that lies between two ranges, one
/// request for both is cheaper, and a whole block is cheaper than many ranges of it.
/// [`NeededRanges::merged_for`](crate::NeededRanges::merged_for) decides by that. The model is about time. If
/// bytes cost money, choose a smaller number of bytes per second.
///
/// Requests of few bytes keep no connection busy: most of the time they only wait. So more of them may run at the same time, as
/// many as together have the bytes that all connections receive in the time of a request: see
/// [`requests_in_flight_of`](FetchCost::requests_in_flight_of). What is requested is decided without counting on that.
///
/// ```
/// use std::time::Duration;
/// use arrow_ipc::FetchCost;
///
/// let slow = FetchCost::new(Duration::from_millis(100), 1_000_000).with_requests_in_flight(4);
/// assert_eq!(slow.n_bytes_per_request(), 100_000);
/// // Two requests and 300,000 bytes: 0.2 s and 0.3 s, by four connections.
/// assert_eq!(slow.time_of(&[0..100_000, 500_000..700_000]), Duration::from_millis(125));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchCost {
    request: Duration,
    bytes_per_second: u64,
    n_in_flight: u32,
    n_small_in_flight: u32,
}

impl FetchCost {
    /// Requests cost nothing: exactly what is needed is asked for, each range by itself.
    pub const FREE_REQUESTS: FetchCost = FetchCost::new(Duration::ZERO, 1);

    /// Bytes in memory, which are copied: 100 ns and 10 GB/s. A request is worth 1,000 bytes.
    pub const MEMORY: FetchCost = FetchCost::new(Duration::from_nanos(100), 10_000_000_000);

    /// A file on a local disk: 4 µs and 1 GB/s, one request at a time. A request is worth 4,000 bytes: about a page.
    pub const DISK: FetchCost = FetchCost::new(Duration::from_micros(4), 1_000_000_000);

    /// An object store in the same region, or a server of files: 30 ms, ten requests at a time with 25 MB/s each, and up to 200
    /// small ones. A request is worth 750,000 bytes.
    pub const OBJECT_STORE: FetchCost = FetchCost::new(Duration::from_millis(30), 25_000_000)
        .with_requests_in_flight(10)
        .with_small_requests_in_flight(200);

    /// One request at a time. 0 bytes per second are taken as 1.
    pub const fn new(request: Duration, bytes_per_second: u64) -> FetchCost {
        let bytes_per_second = if bytes_per_second == 0 { 1 } else { bytes_per_second };
        FetchCost { request, bytes_per_second, n_in_flight: 1, n_small_in_flight: 1 }
    }

    /// How many requests run at the same time, each with its own bytes per second; no more of small ones, unless
    /// [`with_small_requests_in_flight`](FetchCost::with_small_requests_in_flight) then says so. 0 is taken as 1.
    #[must_use]
    pub const fn with_requests_in_flight(self, n_in_flight: u32) -> FetchCost {
        let n_in_flight = if n_in_flight == 0 { 1 } else { n_in_flight };
        FetchCost { n_in_flight, n_small_in_flight: n_in_flight, ..self }
    }

    /// How many requests of few bytes run at the same time, at most. Fewer than all requests is taken as many.
    #[must_use]
    pub const fn with_small_requests_in_flight(self, n_small_in_flight: u32) -> FetchCost {
        let is_less = n_small_in_flight < self.n_in_flight;
        let n_small_in_flight = if is_less { self.n_in_flight } else { n_small_in_flight };
        FetchCost { n_small_in_flight, ..self }
    }

    /// The time before the first byte of a request arrives.
    pub fn request(&self) -> Duration {
        self.request
    }

    /// How many bytes of one request arrive in a second.
    pub fn bytes_per_second(&self) -> u64 {
        self.bytes_per_second
    }

    /// How many requests run at the same time.
    pub fn requests_in_flight(&self) -> u32 {
        self.n_in_flight
    }

    /// How many requests of few bytes run at the same time, at most.
    pub fn small_requests_in_flight(&self) -> u32 {
        self.n_small_in_flight
    }

    /// How many requests run at the same time if none of them has more bytes than this: as many as together have the bytes that
    /// [`requests_in_flight`](FetchCost::requests_in_flight) connections receive in the time of a request, no fewer than these,
    /// and no more than [`small_requests_in_flight`](FetchCost::small_requests_in_flight).
    ///
    /// ```
    /// use arrow_ipc::FetchCost;
    ///
    /// let cost = FetchCost::OBJECT_STORE;
    /// assert_eq!(cost.requests_in_flight_of(5_000), 200);
    /// assert_eq!(cost.requests_in_flight_of(75_000), 100);
    /// assert_eq!(cost.requests_in_flight_of(1_000_000), 10);
    /// ```
    pub fn requests_in_flight_of(&self, n_bytes: u64) -> u32 {
        let n_bytes_at_once = self.n_bytes_per_request().saturating_mul(self.n_in_flight.into());
        let n_requests = n_bytes_at_once.checked_div(n_bytes).unwrap_or(u64::MAX);
        u32::try_from(n_requests).unwrap_or(u32::MAX).clamp(self.n_in_flight, self.n_small_in_flight)
    }

    /// How many bytes arrive in the time that a request takes before its first byte.
    pub fn n_bytes_per_request(&self) -> u64 {
        const NANOS_PER_SECOND: u128 = 1_000_000_000;
        // No overflow: both factors have less than 64 bits, but for durations of centuries.
        let n_bytes = self.request.as_nanos().saturating_mul(self.bytes_per_second.into()) / NANOS_PER_SECOND;
        u64::try_from(n_bytes).unwrap_or(u64::MAX)
    }

    /// How long it takes to fetch these ranges, each with a request of its own.
    pub fn time_of(&self, ranges: &[Range<u64>]) -> Duration {
        let n_bytes = ranges.iter().map(|range| range.end.saturating_sub(range.start));
        let n_bytes = n_bytes.fold(0u64, u64::saturating_add);
        let n_requests = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
        let transfer = Duration::try_from_secs_f64(n_bytes as f64 / self.bytes_per_second as f64);
        self.request.saturating_mul(n_requests).saturating_add(transfer.unwrap_or(Duration::MAX))
            / self.n_in_flight
    }

    /// A request that runs beside others is not made longer than this by what could be fetched by another request: that one
    /// costs at most a twentieth more.
    pub(crate) fn n_full_request_bytes(&self) -> u64 {
        match self.n_in_flight {
            1 => u64::MAX,
            _ => self.n_bytes_per_request().saturating_mul(20),
        }
    }

    /// The pieces in which a range is requested. Where requests run beside each other, one range would keep only one of them busy:
    /// a range that is long enough is requested in pieces of about the same length, a multiple of 64 bytes, and of no less than
    /// 1 MiB. Each has as many bytes as a request may have while others run.
    ///
    /// ```
    /// use arrow_ipc::FetchCost;
    ///
    /// assert_eq!(FetchCost::OBJECT_STORE.pieces_of(0..50_000_000).count(), 7);
    /// assert_eq!(FetchCost::OBJECT_STORE.pieces_of(0..10_000_000).count(), 1);
    /// assert_eq!(FetchCost::DISK.pieces_of(0..50_000_000).count(), 1);
    /// ```
    pub fn pieces_of(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> + use<> {
        const MIN_BYTES: u64 = 1 << 20;
        let n_bytes = range.end.saturating_sub(range.start);
        let n_at_once = self.n_bytes_in_flight().checked_div(self.n_in_flight.into()).unwrap_or(0);
        let n_pieces = match self.n_in_flight {
            1 => 1,
            _ => n_bytes.checked_div(n_at_once.max(MIN_BYTES)).unwrap_or(0).max(1),
        };
        let n_piece_bytes = n_bytes.div_ceil(n_pieces).checked_next_multiple_of(64).unwrap_or(n_bytes);
        let mut start = range.start;
        std::iter::from_fn(move || {
            let end = start.saturating_add(n_piece_bytes).min(range.end);
            let piece = start..end;
            start = end;
            Some(piece).filter(|piece| !piece.is_empty())
        })
    }

    /// How many bytes keep all requests busy, up to 64 MiB: as much is read ahead. Nothing where one request runs at a time.
    pub(crate) fn n_bytes_in_flight(&self) -> u64 {
        const MAX_BYTES: u64 = 64 << 20;
        match self.n_in_flight {
            1 => 0,
            n_in_flight => self.n_full_request_bytes().saturating_mul(n_in_flight.into()).min(MAX_BYTES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_range() {
        let costs = [
            FetchCost::OBJECT_STORE,
            FetchCost::DISK,
            FetchCost::FREE_REQUESTS,
            FetchCost::new(Duration::MAX, u64::MAX).with_requests_in_flight(u32::MAX),
            FetchCost::new(Duration::ZERO, 0).with_requests_in_flight(3),
        ];
        for cost in costs {
            for n_bytes in [1, 63, 64, 1 << 20, 3 << 20, (3 << 20) + 1, 50_000_001, 1 << 30] {
                for start in [0, 8, 1 << 40] {
                    let range = start..start + n_bytes;
                    let pieces: Vec<_> = cost.pieces_of(range.clone()).collect();
                    assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].start));
                    assert_eq!((pieces[0].start, pieces[pieces.len() - 1].end), (start, range.end));
                    let lengths = pieces.iter().map(|piece| piece.end - piece.start);
                    assert!(
                        pieces.len() == 1
                            || lengths.clone().rev().skip(1).all(|n| n % 64 == 0 && n >= 1 << 20)
                    );
                    assert!(lengths.clone().max() <= lengths.min().map(|n| n + 64 * pieces.len() as u64));
                }
            }
            // No range is too long, or none.
            assert!(cost.pieces_of(0..u64::MAX).take(1_000).all(|piece| piece.end > piece.start));
            assert_eq!(cost.pieces_of(7..7).count(), 0);
        }
    }

    #[test]
    fn small_requests_have_the_bytes_of_one_round_trip() {
        let cost = FetchCost::OBJECT_STORE;
        for n_bytes in [0, 1, 37_500, 37_501, 100_000, 749_999, 750_000, 1 << 30, u64::MAX] {
            let n_requests = u64::from(cost.requests_in_flight_of(n_bytes));
            assert!((10..=200).contains(&n_requests), "{n_bytes}");
            assert!(n_requests == 10 || n_requests.saturating_mul(n_bytes) <= 7_500_000, "{n_bytes}");
            assert!(n_requests == 200 || (n_requests + 1).saturating_mul(n_bytes) > 7_500_000, "{n_bytes}");
        }
        // A bound of requests is one of small requests, too.
        let few = cost.with_requests_in_flight(4);
        assert_eq!((few.requests_in_flight_of(0), few.small_requests_in_flight()), (4, 4));
        assert_eq!(few.with_small_requests_in_flight(2).requests_in_flight_of(1), 4);
    }
}
