//! Sources of the bytes of a file that answer requests for ranges asynchronously.

use std::{error::Error, fmt, future::Future, io, ops::Range, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Source};

/// A source that returns ranges of bytes asynchronously, such as an object in a store or a file on another machine.
///
/// A call of [`fetch`](AsyncSource::fetch) is one request. Readers run as many requests at the same time as their
/// [`FetchCost`] allows, and accept answers in any order. If a reader no longer needs an answer, it drops the future.
///
/// A reader returns an error if the length of an answer differs from the length of the range. The errors of readers
/// contain the range and the cause. Wrap the errors of a client with [`io::Error::other`].
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
    /// The length of the file in bytes.
    ///
    /// # Errors
    /// If the source cannot determine its length.
    fn n_bytes(&self) -> impl Future<Output = io::Result<u64>> + Send;

    /// Returns the bytes of a range, which is not empty. The buffer must have the length of the range.
    ///
    /// # Errors
    /// If the source cannot return these bytes.
    fn fetch(&self, range: Range<u64>) -> impl Future<Output = io::Result<Buffer>> + Send;

    /// Returns the last `max_bytes` bytes (all bytes if the file is shorter) and the length of the file. The default
    /// implementation makes two requests. Many stores can return both with one request.
    ///
    /// # Errors
    /// If a request fails.
    fn fetch_tail(&self, max_bytes: u64) -> impl Future<Output = io::Result<Tail>> + Send {
        async move {
            let file_bytes = self.n_bytes().await?;
            let start = file_bytes.saturating_sub(max_bytes);
            let bytes = if start < file_bytes { self.fetch(start..file_bytes).await? } else { Buffer::new() };
            Ok(Tail { file_bytes, bytes })
        }
    }

    /// The cost of a request. It decides which ranges a reader requests together, and how many requests run at the same
    /// time, unless the options of the reader set another cost. Default: [`FetchCost::OBJECT_STORE`].
    fn fetch_cost(&self) -> FetchCost {
        FetchCost::OBJECT_STORE
    }

    /// All bytes of the file, if they are in memory. Readers then make no requests. Default: `None`.
    fn whole(&self) -> Option<Buffer> {
        None
    }
}

/// The last bytes of a file, and the length of the file. [`AsyncSource::fetch_tail`] returns it.
#[derive(Debug, Clone)]
pub struct Tail {
    /// The number of bytes of the whole file.
    pub file_bytes: u64,
    /// The last bytes of the file.
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

/// Returns `bytes`, the answer to a request for `range`. Fails if their lengths differ.
pub(crate) fn checked(bytes: Buffer, range: &Range<u64>) -> io::Result<Buffer> {
    let found = bytes.len() as u64;
    let expected = n_bytes_of(range);
    if found == expected {
        return Ok(bytes);
    }
    let kind = if found < expected { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
    Err(io::Error::new(kind, AnswerLength { expected, found }))
}

/// The reason why [`checked`] fails: the length of the answer differs from the length of the range.
#[derive(Debug)]
struct AnswerLength {
    expected: u64,
    found: u64,
}

impl fmt::Display for AnswerLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerLength { expected, found } = self;
        write!(f, "the source gave {found} bytes; {expected} were requested")
    }
}

impl Error for AnswerLength {}

pub(crate) fn n_bytes_of(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}
