//! How much is asked for at the same time.

/// How many requests are under way at the same time, and how many bytes are held.
///
/// ```
/// use arrow_ipc_async::FetchOptions;
///
/// let options = FetchOptions::new().with_max_requests(32);
/// assert_eq!((options.max_requests(), options.max_bytes()), (32, 64 << 20));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOptions {
    max_requests: usize,
    max_bytes: u64,
    joined_bytes: u64,
}

impl FetchOptions {
    /// The defaults.
    pub fn new() -> FetchOptions {
        FetchOptions::default()
    }

    /// At most this many requests are under way at the same time; 0 counts as 1. Default 10.
    #[must_use]
    pub fn with_max_requests(self, max_requests: usize) -> FetchOptions {
        FetchOptions { max_requests: max_requests.max(1), ..self }
    }

    /// A stream of batches requests no more bytes as long as it holds this many: those of requests under way, and of batches
    /// that it has not given out. What the next batch needs is requested all the same. Default 64 MiB.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: u64) -> FetchOptions {
        FetchOptions { max_bytes, ..self }
    }

    /// What neighbouring batches need is requested together, up to this many bytes, if that is cheaper by the
    /// [`fetch_cost`](arrow_ipc::ReadOptions::with_fetch_cost). Default 4 MiB.
    #[must_use]
    pub fn with_joined_bytes(self, joined_bytes: u64) -> FetchOptions {
        FetchOptions { joined_bytes, ..self }
    }

    /// See [`with_max_requests`](FetchOptions::with_max_requests).
    pub fn max_requests(&self) -> usize {
        self.max_requests
    }

    /// See [`with_max_bytes`](FetchOptions::with_max_bytes).
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// See [`with_joined_bytes`](FetchOptions::with_joined_bytes).
    pub fn joined_bytes(&self) -> u64 {
        self.joined_bytes
    }
}

impl Default for FetchOptions {
    fn default() -> FetchOptions {
        FetchOptions { max_requests: 10, max_bytes: 64 << 20, joined_bytes: 4 << 20 }
    }
}
