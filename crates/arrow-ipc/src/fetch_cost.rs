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
}

impl FetchCost {
    /// Requests cost nothing: exactly what is needed is asked for, each range by itself.
    pub const FREE_REQUESTS: FetchCost = FetchCost::new(Duration::ZERO, 1);

    /// Bytes in memory, which are copied: 100 ns and 10 GB/s. A request is worth 1,000 bytes.
    pub const MEMORY: FetchCost = FetchCost::new(Duration::from_nanos(100), 10_000_000_000);

    /// A file on a local disk: 4 µs and 1 GB/s, one request at a time. A request is worth 4,000 bytes: about a page.
    pub const DISK: FetchCost = FetchCost::new(Duration::from_micros(4), 1_000_000_000);

    /// An object store in the same region, or a server of files: 30 ms, ten requests at a time with 25 MB/s each. A request is
    /// worth 750,000 bytes.
    pub const OBJECT_STORE: FetchCost =
        FetchCost::new(Duration::from_millis(30), 25_000_000).with_requests_in_flight(10);

    /// One request at a time. 0 bytes per second are taken as 1.
    pub const fn new(request: Duration, bytes_per_second: u64) -> FetchCost {
        let bytes_per_second = if bytes_per_second == 0 { 1 } else { bytes_per_second };
        FetchCost { request, bytes_per_second, n_in_flight: 1 }
    }

    /// How many requests run at the same time, each with its own bytes per second. 0 is taken as 1.
    #[must_use]
    pub const fn with_requests_in_flight(self, n_in_flight: u32) -> FetchCost {
        let n_in_flight = if n_in_flight == 0 { 1 } else { n_in_flight };
        FetchCost { n_in_flight, ..self }
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

    /// How many bytes keep all requests busy, up to 64 MiB: as much is read ahead. Nothing where one request runs at a time.
    pub(crate) fn n_bytes_in_flight(&self) -> u64 {
        const MAX_BYTES: u64 = 64 << 20;
        match self.n_in_flight {
            1 => 0,
            n_in_flight => self.n_full_request_bytes().saturating_mul(n_in_flight.into()).min(MAX_BYTES),
        }
    }
}
