//! Sources of the bytes of a file: memory, a file, or anything that can return ranges.

use std::{fs::File, io, ops::Range, sync::Arc};

use arrow_buffer::Buffer;

#[cfg(feature = "file")]
use crate::error::{IpcErrorKind, Result};
use crate::recycled::BufferPool;

mod cost_estimator;
mod fetch_cost;
#[cfg(feature = "file")]
mod pieces;
#[cfg(feature = "file")]
pub mod planner;
mod read_at;

#[cfg(test)]
pub(crate) use self::fetch_cost::{cheapest, join_up_to};
#[cfg(feature = "file")]
pub use self::pieces::{JoinedPieces, SplitRanges};
pub(crate) use self::read_at::read_range;
pub use self::{
    cost_estimator::FetchCostEstimator,
    fetch_cost::FetchCost,
    read_at::{ReadAt, SeekSource},
};
#[cfg(feature = "file")]
pub(crate) use self::{
    fetch_cost::{PricedRange, join, merge},
    read_at::ReadRangeError,
};

/// Bytes that can be fetched by range, from several threads at once.
///
/// [`Buffer`], [`File`](std::fs::File) and [`SeekSource`] over any `Read + Seek` implement this trait. A buffer shares
/// its memory, and a file is read by position. To write another source, implement two functions:
///
/// ```
/// use std::{io, ops::Range};
///
/// use arrow_buffer::Buffer;
/// use arrow_ipc::Source;
///
/// /// A file inside of an archive.
/// struct Member<S> {
///     archive: S,
///     range: Range<u64>,
/// }
///
/// impl<S: Source> Source for Member<S> {
///     fn n_bytes(&self) -> io::Result<u64> {
///         Ok(self.range.end - self.range.start)
///     }
///
///     fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
///         if range.end > self.n_bytes()? {
///             return Err(io::ErrorKind::UnexpectedEof.into());
///         }
///         self.archive.fetch(self.range.start + range.start..self.range.start + range.end)
///     }
/// }
///
/// let member = Member { archive: Buffer::from_static(b"...ARROW1"), range: 3..9 };
/// assert_eq!(&*member.fetch(0..5)?, b"ARROW");
/// # Ok::<(), io::Error>(())
/// ```
pub trait Source: Send + Sync {
    /// The length of the source in bytes.
    ///
    /// # Errors
    /// If the source cannot determine its length.
    fn n_bytes(&self) -> io::Result<u64>;

    /// Returns the bytes of a range. The buffer must have the length of the range.
    ///
    /// # Errors
    /// If the bytes cannot be read, or if the range extends past the end of the source.
    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer>;

    /// Returns the bytes of several ranges, in the order of the ranges. By default, it fetches one range after the
    /// other. A source with latency should fetch in parallel, with at most
    /// [`requests_in_flight_for`](FetchCost::requests_in_flight_for) requests at a time. If the fetch cost allows
    /// parallel requests, readers split long ranges into [pieces](FetchCost::pieces_of) before they call this method.
    ///
    /// # Errors
    /// The errors of [`fetch`](Source::fetch).
    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        ranges.iter().map(|range| self.fetch(range.clone())).collect()
    }

    /// The cost of a request, unless the options of a reader set another cost. Default: the cost of a local disk. A
    /// source with latency should return its own cost, which a [`FetchCostEstimator`] can estimate.
    fn fetch_cost(&self) -> FetchCost {
        FetchCost::DISK
    }

    /// All bytes, if they are in memory. The reader then fetches nothing. Default: `None`.
    fn whole(&self) -> Option<Buffer> {
        None
    }

    /// The bytes of a range that are in memory already, so that they need no request. Default: a part of
    /// [`whole`](Source::whole).
    fn cached(&self, range: &Range<u64>) -> Option<Buffer> {
        self.whole()?.try_slice(range.start, range.end.checked_sub(range.start)?).ok()
    }

    /// The source as [`ReadAt`], if it can read into memory of the caller. A reader then reads each range into memory
    /// that it reuses, and does not call [`fetch`](Source::fetch). Default: `None`.
    fn read_at(&self) -> Option<&dyn ReadAt> {
        None
    }
}

macro_rules! impl_source_for_pointers {
    ($($pointer:ty),+) => {$(
        impl<S: Source + ?Sized> Source for $pointer {
            fn n_bytes(&self) -> io::Result<u64> {
                (**self).n_bytes()
            }

            fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
                (**self).fetch(range)
            }

            fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
                (**self).fetch_many(ranges)
            }

            fn fetch_cost(&self) -> FetchCost {
                (**self).fetch_cost()
            }

            fn whole(&self) -> Option<Buffer> {
                (**self).whole()
            }

            fn cached(&self, range: &Range<u64>) -> Option<Buffer> {
                (**self).cached(range)
            }

            fn read_at(&self) -> Option<&dyn ReadAt> {
                (**self).read_at()
            }
        }
    )+};
}

impl_source_for_pointers!(&S, Box<S>, Arc<S>);

impl Source for Buffer {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let n_bytes = range.end.checked_sub(range.start).ok_or(io::ErrorKind::InvalidInput)?;
        self.try_slice(range.start, n_bytes)
            .map_err(|error| io::Error::new(io::ErrorKind::UnexpectedEof, error))
    }

    fn fetch_cost(&self) -> FetchCost {
        FetchCost::MEMORY
    }

    fn whole(&self) -> Option<Buffer> {
        Some(self.clone())
    }
}

impl Source for File {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        fetch(self, range)
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        Some(self)
    }
}

/// Reads a range into new memory. Fails if the range extends past the end of the source.
fn fetch(source: &(impl Source + ReadAt), range: Range<u64>) -> io::Result<Buffer> {
    if range.end > source.n_bytes()? {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(read_range(source, range, &[], &BufferPool::default(), None)?)
}

/// Some bytes of a file, input or body, and their position in it.
#[cfg(feature = "file")]
#[derive(Debug, Clone)]
pub(crate) struct LocatedBytes {
    pub(crate) start: u64,
    pub(crate) bytes: Buffer,
}

#[cfg(feature = "file")]
impl LocatedBytes {
    /// Checks bytes that a caller provides. `file_bytes` is the length of the file or input.
    ///
    /// # Errors
    /// If the number of bytes is not the length of the range, or the range ends after the file.
    pub(crate) fn try_new(range: Range<u64>, bytes: Buffer, file_bytes: u64) -> Result<LocatedBytes> {
        let (Range { start, end }, found) = (range, bytes.len() as u64);
        if end.checked_sub(start) != Some(found) || end > file_bytes {
            return Err(IpcErrorKind::ProvidedRange { start, end, found, file_bytes }.into());
        }
        Ok(LocatedBytes { start, bytes })
    }

    pub(crate) fn end(&self) -> u64 {
        // No overflow: the bytes lie inside the file, input or body.
        self.start + self.bytes.len() as u64
    }

    /// The bytes of a range; `None` if some of them are not here.
    pub(crate) fn slice(&self, range: &Range<u64>) -> Option<Buffer> {
        let start = range.start.checked_sub(self.start)?;
        self.bytes.try_slice(start, range.end.checked_sub(range.start)?).ok()
    }
}
