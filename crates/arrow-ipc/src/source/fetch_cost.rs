//! The cost model that decides which ranges a reader requests together.

use std::{ops::Range, time::Duration};

use arrow_ipc_format::length_of;

mod cheapest;
mod requests;

#[cfg(feature = "file")]
pub(crate) use self::{
    cheapest::PricedRange,
    requests::{join, merge},
};
#[cfg(test)]
pub(crate) use self::{cheapest::cheapest, requests::join_up_to};

/// The cost of requests: the time until the first byte of a request arrives, the bytes per second after that, and the
/// number of concurrent requests.
///
/// At most [`requests_in_flight`](FetchCost::requests_in_flight) requests receive bytes at the same time. Other
/// requests wait for their first byte. At most [`small_requests_in_flight`](FetchCost::small_requests_in_flight)
/// requests receive or wait. In this model, the cost of a request for *n* bytes is the longer of two
/// durations:
///
/// - (request + *n* ÷ bytes per second) ÷ small requests in flight: the time of the request, divided by the number of
///   requests that run at the same time;
/// - *n* ÷ bytes per second ÷ requests in flight: the time to receive the bytes, divided by the number of requests that
///   receive bytes at the same time.
///
/// So a small request costs little more than its share of the waiting time, and a large request costs as much as its
/// bytes. Readers join two ranges if one request for both is cheaper, and read a whole block if that is cheaper than
/// requests for its ranges: see [`NeededRanges::merged_for`](crate::file::NeededRanges::merged_for). The model
/// considers time, not money. If you pay for bytes, choose fewer bytes per second.
///
/// ```
/// use std::time::Duration;
/// use arrow_ipc::FetchCost;
///
/// let slow = FetchCost::new(Duration::from_millis(100), 1_000_000).with_requests_in_flight(4);
/// assert_eq!(slow.n_bytes_per_request(), 100_000);
/// // Two requests and 300,000 bytes: 0.2 s and 0.3 s, by four connections.
/// assert_eq!(slow.time_of(&[0..100_000, 500_000..700_000]), Duration::from_millis(125));
///
/// // A hundred requests of 1,000 bytes: as many may wait at the same time.
/// let many = slow.with_small_requests_in_flight(100);
/// let ranges: Vec<_> = (0..100).map(|idx| idx * 100_000..idx * 100_000 + 1_000).collect();
/// assert_eq!(many.time_of(&ranges), Duration::from_millis(101));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchCost {
    request: Duration,
    bytes_per_second: u64,
    n_in_flight: u32,
    n_small_in_flight: u32,
}

impl FetchCost {
    /// Requests cost nothing, so each range is requested alone, without the bytes between ranges.
    pub const FREE_REQUESTS: FetchCost = FetchCost::new(Duration::ZERO, 1);

    /// Copying bytes in memory: 100 ns and 10 GB/s. A request costs as much as 1,000 bytes.
    pub const MEMORY: FetchCost = FetchCost::new(Duration::from_nanos(100), 10_000_000_000);

    /// A file on a local disk: 4 µs and 1 GB/s, one request at a time. A request costs as much as 4,000 bytes, about a
    /// page.
    pub const DISK: FetchCost = FetchCost::new(Duration::from_micros(4), 1_000_000_000);

    /// An object store in the same region, or a file server: 30 ms; ten requests at a time with 25 MB/s each, and up to
    /// 200 small requests. A request costs as much as 750,000 bytes.
    pub const OBJECT_STORE: FetchCost = FetchCost::new(Duration::from_millis(30), 25_000_000)
        .with_requests_in_flight(10)
        .with_small_requests_in_flight(200);

    /// A cost with one request at a time. 0 bytes per second count as 1.
    pub const fn new(request: Duration, bytes_per_second: u64) -> FetchCost {
        let bytes_per_second = if bytes_per_second == 0 { 1 } else { bytes_per_second };
        FetchCost { request, bytes_per_second, n_in_flight: 1, n_small_in_flight: 1 }
    }

    /// Sets how many requests receive bytes at the same time, each with the full bytes per second. 0 counts as 1. This
    /// also limits the number of all requests, until you call
    /// [`with_small_requests_in_flight`](FetchCost::with_small_requests_in_flight).
    #[must_use]
    pub const fn with_requests_in_flight(self, n_in_flight: u32) -> FetchCost {
        let n_in_flight = if n_in_flight == 0 { 1 } else { n_in_flight };
        FetchCost { n_in_flight, n_small_in_flight: n_in_flight, ..self }
    }

    /// Sets the maximum number of requests that run at the same time, if most of them wait for their first byte. The
    /// minimum is [`requests_in_flight`](FetchCost::requests_in_flight).
    #[must_use]
    pub const fn with_small_requests_in_flight(self, n_small_in_flight: u32) -> FetchCost {
        let is_less = n_small_in_flight < self.n_in_flight;
        let n_small_in_flight = if is_less { self.n_in_flight } else { n_small_in_flight };
        FetchCost { n_small_in_flight, ..self }
    }

    /// The time until the first byte of a request arrives.
    pub fn request(&self) -> Duration {
        self.request
    }

    /// The number of bytes that one request receives per second, after its first byte.
    pub fn bytes_per_second(&self) -> u64 {
        self.bytes_per_second
    }

    /// The number of requests that receive bytes at the same time.
    pub fn requests_in_flight(&self) -> u32 {
        self.n_in_flight
    }

    /// The maximum number of requests that run at the same time, including those that wait for their first byte.
    pub fn small_requests_in_flight(&self) -> u32 {
        self.n_small_in_flight
    }

    /// How many requests of this length run at the same time: up to
    /// [`requests_in_flight`](FetchCost::requests_in_flight) that receive bytes, and others that wait for their first
    /// byte. The maximum is [`small_requests_in_flight`](FetchCost::small_requests_in_flight).
    ///
    /// ```
    /// use arrow_ipc::FetchCost;
    ///
    /// let cost = FetchCost::OBJECT_STORE;
    /// assert_eq!(cost.requests_in_flight_of(5_000), 200);
    /// assert_eq!(cost.requests_in_flight_of(75_000), 110);
    /// assert_eq!(cost.requests_in_flight_of(750_000), 20);
    /// assert_eq!(cost.requests_in_flight_of(15_000_000), 10);
    /// ```
    pub fn requests_in_flight_of(&self, n_bytes: u64) -> u32 {
        let n_waiting_bytes = self.n_bytes_per_request().saturating_mul(self.n_in_flight.into());
        let n_waiting = n_waiting_bytes.checked_div(n_bytes).unwrap_or(u64::MAX);
        let n_requests = n_waiting.saturating_add(self.n_in_flight.into());
        u32::try_from(n_requests).unwrap_or(u32::MAX).min(self.n_small_in_flight)
    }

    /// How many requests for these ranges run at the same time. This is the result of
    /// [`requests_in_flight_of`](FetchCost::requests_in_flight_of) for their average length.
    pub fn requests_in_flight_for(&self, ranges: &[Range<u64>]) -> u32 {
        let n_bytes = ranges.iter().map(length_of).fold(0u64, u64::saturating_add);
        self.requests_in_flight_of(n_bytes.checked_div(ranges.len() as u64).unwrap_or(0))
    }

    /// The number of bytes that one request could receive while another waits for its first byte.
    pub fn n_bytes_per_request(&self) -> u64 {
        const NANOS_PER_SECOND: u128 = 1_000_000_000;
        // No overflow for durations of less than centuries, since both factors have fewer than 64 bits.
        let n_bytes = self.request.as_nanos().saturating_mul(self.bytes_per_second.into()) / NANOS_PER_SECOND;
        u64::try_from(n_bytes).unwrap_or(u64::MAX)
    }

    /// The time to fetch these ranges, with one request for each range.
    pub fn time_of(&self, ranges: &[Range<u64>]) -> Duration {
        let time = |range: &Range<u64>| {
            let transfer =
                Duration::try_from_secs_f64(length_of(range) as f64 / self.bytes_per_second as f64);
            let transfer = transfer.unwrap_or(Duration::MAX);
            let waiting = self.request.saturating_add(transfer) / self.n_small_in_flight;
            waiting.max(transfer / self.n_in_flight)
        };
        ranges.iter().map(time).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// The price of a request for 0 bytes. A [`Price`] is a time. Its unit is the time in which one request receives a
    /// byte, divided by the number of all requests in flight and by the number of requests that receive bytes.
    pub(crate) fn price_of_request(&self) -> Price {
        i128::from(self.n_in_flight).saturating_mul(self.n_bytes_per_request().into())
    }

    /// Two prices of a byte: the price for waiting, and the price for receiving. The price of a request is the larger
    /// of two sums: [`price_of_request`](FetchCost::price_of_request) plus the first price for each byte, or the second
    /// price for each byte. The first sum is larger for short requests, the second for long requests.
    pub(crate) fn prices_of_byte(&self) -> (Price, Price) {
        (self.n_in_flight.into(), self.n_small_in_flight.into())
    }

    /// The length up to which the sum for waiting is larger. For longer requests, the sum for receiving is larger.
    pub(crate) fn n_bytes_until_receiving(&self) -> u64 {
        let (waiting, receiving) = self.prices_of_byte();
        match self.price_of_request().checked_div(receiving.saturating_sub(waiting)) {
            Some(n_bytes) => u64::try_from(n_bytes).unwrap_or(u64::MAX),
            // If both prices are equal, the sum for waiting is always larger.
            None => u64::MAX,
        }
    }

    /// The price of `n_requests` requests of about the same length, for `n_bytes` bytes in total.
    pub(crate) fn price_of(&self, n_requests: u64, n_bytes: u64) -> Price {
        let (waiting, receiving) = self.prices_of_byte();
        let waiting = waiting.saturating_mul(n_bytes.into());
        let waiting = self.price_of_request().saturating_mul(n_requests.into()).saturating_add(waiting);
        waiting.max(receiving.saturating_mul(n_bytes.into()))
    }

    /// Whether one request should fetch both ranges. `first` must begin first, otherwise the result is `false`. The
    /// result is `true` if one request costs no more than two. It is also `true` if the gap costs at most as much as a
    /// request, and is at most a twentieth of `second`: stores charge for each request.
    ///
    /// ```
    /// use arrow_ipc::FetchCost;
    ///
    /// let cost = FetchCost::OBJECT_STORE;
    /// // Two small requests have a price, and few bytes between them a lower one.
    /// assert!(cost.is_one_request(&(0..1_000), &(50_000..51_000)));
    /// assert!(!cost.is_one_request(&(0..1_000), &(100_000..101_000)));
    /// // Large requests cost what their bytes cost.
    /// assert!(cost.is_one_request(&(0..1_000_000), &(1_010_000..2_000_000)));
    /// assert!(!cost.is_one_request(&(0..1_000_000), &(1_090_000..2_000_000)));
    /// ```
    pub fn is_one_request(&self, first: &Range<u64>, second: &Range<u64>) -> bool {
        let joined = first.start..first.end.max(second.end);
        let price = |range| self.price_of(1, length_of(range));
        let is_cheaper = price(&joined) <= price(first).saturating_add(price(second));
        let gap_bytes = second.start.saturating_sub(first.end);
        let max_gap_bytes = self.n_bytes_per_request().min(length_of(second) / 20);
        second.start >= first.start && (is_cheaper || gap_bytes <= max_gap_bytes)
    }

    /// If requests run in parallel, a request of this length or more is not joined with others. Two requests for these
    /// bytes cost at most a twentieth more than one.
    pub(crate) fn n_full_request_bytes(&self) -> u64 {
        match self.n_in_flight {
            1 => u64::MAX,
            _ => self.n_bytes_per_request().saturating_mul(20),
        }
    }

    /// Splits a range into the pieces in which a reader requests it. A long range has several pieces if requests run in
    /// parallel, so it uses several connections. The pieces have about the same length, a multiple of 64 bytes and at
    /// least 1 MiB. They are also at least as long as the default for prefetching, divided by the requests in flight.
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
        let n_bytes = length_of(&range);
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

    /// The default for prefetching: the number of bytes that keep all requests busy, at most 64 MiB. If requests run
    /// one by one, it is the number of bytes that cost as much as four requests. Requests are then a fifth of the total
    /// cost.
    pub(crate) fn n_bytes_in_flight(&self) -> u64 {
        const MAX_BYTES: u64 = 64 << 20;
        let n_bytes = match self.n_in_flight {
            1 => self.n_bytes_per_request().saturating_mul(4),
            n_in_flight => self.n_full_request_bytes().saturating_mul(n_in_flight.into()),
        };
        n_bytes.min(MAX_BYTES)
    }
}

/// A time as an integer. The unit makes all prices whole numbers.
pub(crate) type Price = i128;

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
            // No ranges, or a very long range.
            assert!(cost.pieces_of(0..u64::MAX).take(1_000).all(|piece| piece.end > piece.start));
            assert_eq!(cost.pieces_of(7..7).count(), 0);
        }
    }

    #[test]
    fn as_many_requests_run_as_keep_all_connections_busy() {
        let cost = FetchCost::OBJECT_STORE;
        for n_bytes in
            [0, 1, 39_473, 39_474, 100_000, 749_999, 750_000, 7_500_000, 7_500_001, 1 << 30, u64::MAX]
        {
            let n_requests = u64::from(cost.requests_in_flight_of(n_bytes));
            assert!((10..=200).contains(&n_requests), "{n_bytes}");
            // Ten requests receive bytes, and all others wait for their first byte. A request waits as long as 750,000
            // bytes take.
            let n_waiting = n_requests - 10;
            assert!(n_waiting.saturating_mul(n_bytes) <= 7_500_000, "{n_bytes}");
            assert!(n_requests == 200 || (n_waiting + 1).saturating_mul(n_bytes) > 7_500_000, "{n_bytes}");
        }
        // A limit on all requests also limits small requests.
        let few = cost.with_requests_in_flight(4);
        assert_eq!((few.requests_in_flight_of(0), few.small_requests_in_flight()), (4, 4));
        assert_eq!(few.with_small_requests_in_flight(2).requests_in_flight_of(1), 4);
        assert_eq!(cost.requests_in_flight_for(&[0..10_000, 20_000..160_000]), 110);
        assert_eq!(cost.requests_in_flight_for(&[]), 200);
    }

    /// The prices are proportional to the times.
    #[test]
    fn prices_and_times_are_in_proportion() {
        for cost in
            [FetchCost::OBJECT_STORE, FetchCost::DISK, FetchCost::OBJECT_STORE.with_requests_in_flight(3)]
        {
            for n_bytes in [0, 1_000, 39_000, 40_000, 1_000_000, 1 << 30] {
                let time = cost.time_of(std::slice::from_ref(&(8..8 + n_bytes))).as_secs_f64();
                let unit = cost.bytes_per_second() as f64
                    * f64::from(cost.requests_in_flight())
                    * f64::from(cost.small_requests_in_flight());
                let price = cost.price_of(1, n_bytes) as f64 / unit;
                assert!(
                    (time - price).abs() <= time * 1e-3 + 1e-8,
                    "{cost:?}, {n_bytes} bytes: {time}, {price}"
                );
            }
        }
    }
}
