//! A source of the bytes of a file, whose ranges are requested and awaited.

use std::{future::Future, io, ops::Range, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Source};

/// Bytes that are requested by range and arrive later: an object in a store, a file on another machine.
///
/// A call of [`fetch`](AsyncSource::fetch) is one request. Readers run several requests at the same time, at most the
/// number that their [`FetchCost`] sets, and take answers in any order. If an answer is no longer needed, the future of
/// its request is dropped.
///
/// Answers are checked: it is an error if an answer does not have the length of its range. Errors contain the range and
/// their cause; wrap errors of a client with [`io::Error::other`].
///
/// ```
/// use std::{io, ops::Range};
///
/// use arrow_buffer::Buffer;
/// use arrow_ipc_async::AsyncSource;
/// # struct Client;
/// # impl Client {
/// #     async fn length(&self, _: &str) -> Result<u64, std::fmt::Error> { Ok(9) }
/// #     async fn get(&self, _: &str, range: Range<u64>) -> Result<Vec<u8>, std::fmt::Error> { Ok(vec![0; (range.end - range.start) as usize]) }
/// # }
///
/// struct Object {
///     client: Client,
///     name: String,
/// }
///
/// impl AsyncSource for Object {
///     async fn n_bytes(&self) -> io::Result<u64> {
///         self.client.length(&self.name).await.map_err(io::Error::other)
///     }
///
///     async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
///         let bytes = self.client.get(&self.name, range).await.map_err(io::Error::other)?;
///         Ok(Buffer::from(bytes))
///     }
/// }
/// ```
pub trait AsyncSource: Send + Sync {
    /// The number of bytes of the file.
    ///
    /// # Errors
    /// If the length is unknown.
    fn n_bytes(&self) -> impl Future<Output = io::Result<u64>> + Send;

    /// The bytes of a range, with exactly its length. The range is not empty.
    ///
    /// # Errors
    /// If the source cannot return these bytes.
    fn fetch(&self, range: Range<u64>) -> impl Future<Output = io::Result<Buffer>> + Send;

    /// The last `max_bytes` bytes, or all bytes if there are fewer, and the length of the file. By default, this makes
    /// two requests; many stores only need one.
    ///
    /// # Errors
    /// The errors of [`n_bytes`](AsyncSource::n_bytes) and [`fetch`](AsyncSource::fetch).
    fn fetch_tail(&self, max_bytes: u64) -> impl Future<Output = io::Result<Tail>> + Send {
        async move {
            let file_bytes = self.n_bytes().await?;
            let start = file_bytes.saturating_sub(max_bytes);
            let bytes = if start < file_bytes { self.fetch(start..file_bytes).await? } else { Buffer::new() };
            Ok(Tail { file_bytes, bytes })
        }
    }

    /// The cost of fetching, which decides which ranges are requested together, and how many requests run at the same
    /// time. The options of a reader can set another cost. Default: [`FetchCost::OBJECT_STORE`].
    fn fetch_cost(&self) -> FetchCost {
        FetchCost::OBJECT_STORE
    }

    /// All bytes, if they are in memory and need not be fetched. By default `None`.
    fn whole(&self) -> Option<Buffer> {
        None
    }
}

/// The end of a file; see [`AsyncSource::fetch_tail`].
#[derive(Debug, Clone)]
pub struct Tail {
    /// The number of bytes of the whole file.
    pub file_bytes: u64,
    /// The last bytes.
    pub bytes: Buffer,
}

impl AsyncSource for Buffer {
    async fn n_bytes(&self) -> io::Result<u64> {
        Source::n_bytes(self)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Source::fetch(self, range)
    }

    fn fetch_cost(&self) -> FetchCost {
        FetchCost::MEMORY
    }

    fn whole(&self) -> Option<Buffer> {
        Some(self.clone())
    }
}

/// Implements the trait for pointers to sources.
macro_rules! impl_async_source_for_pointers {
    ($($pointer:ty),+) => {$(
        impl<S: AsyncSource + ?Sized> AsyncSource for $pointer {
            fn n_bytes(&self) -> impl Future<Output = io::Result<u64>> + Send {
                (**self).n_bytes()
            }

            fn fetch(&self, range: Range<u64>) -> impl Future<Output = io::Result<Buffer>> + Send {
                (**self).fetch(range)
            }

            fn fetch_tail(&self, max_bytes: u64) -> impl Future<Output = io::Result<Tail>> + Send {
                (**self).fetch_tail(max_bytes)
            }

            fn fetch_cost(&self) -> FetchCost {
                (**self).fetch_cost()
            }

            fn whole(&self) -> Option<Buffer> {
                (**self).whole()
            }
        }
    )+};
}

impl_async_source_for_pointers!(&S, Box<S>, Arc<S>);
