//! Where the bytes of a file come from: memory, a file, or anything that answers for a range.

use std::{io, ops::Range, sync::Arc};

use arrow_buffer::Buffer;

use crate::fetch_cost::FetchCost;

mod read_at;
mod seek;

pub(crate) use self::read_at::{ReadRangeError, read_range};
pub use self::{read_at::ReadAt, seek::SeekSource};

/// Bytes that can be asked for by range, from several threads at once.
///
/// Implemented for [`Buffer`], which shares its memory, for [`File`](std::fs::File), which is read by position, and for
/// [`SeekSource`] over any `Read + Seek`. Whatever else can be asked for a range needs two functions:
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
    /// The number of bytes there are.
    ///
    /// # Errors
    /// If that cannot be found out.
    fn n_bytes(&self) -> io::Result<u64>;

    /// The bytes of a range; exactly as many as it is long.
    ///
    /// # Errors
    /// If they cannot be read, or there are not as many.
    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer>;

    /// The bytes of several ranges, in their order. A source with latency should fetch them in parallel, as many as
    /// [`requests_in_flight_for`](FetchCost::requests_in_flight_for) says; by default they are fetched one after the other. What is
    /// long is asked for in [pieces](FetchCost::pieces_of), if its cost says that requests run at the same time.
    ///
    /// # Errors
    /// As [`fetch`](Source::fetch).
    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        ranges.iter().map(|range| self.fetch(range.clone())).collect()
    }

    /// What it costs to fetch, unless the options say. By default that of a local disk; a source with latency should say so.
    fn fetch_cost(&self) -> FetchCost {
        FetchCost::DISK
    }

    /// All bytes, if they are in memory: then nothing is fetched. By default `None`.
    fn whole(&self) -> Option<Buffer> {
        None
    }

    /// What reads into memory of the caller, if that is how the source is read. Then a reader does not
    /// [`fetch`](Source::fetch): it reads each range by itself, into memory that it has used before. By default `None`.
    fn read_at(&self) -> Option<&dyn ReadAt> {
        None
    }
}

/// What points at a source is one.
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
