//! Where the bytes of a file come from: memory, a file, or anything that answers for a range.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::{Arc, Mutex},
};

use arrow_buffer::{Buffer, BufferMut};

use crate::fetch_cost::FetchCost;

/// Bytes that can be asked for by range, from several threads at once.
///
/// Implemented for [`Buffer`], which shares its memory, for [`File`], which is read by position, and for
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

    /// The bytes of several ranges, in their order. A source with latency should fetch them in parallel; by default they are
    /// fetched one after the other.
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
        // Memory for what the file has is taken at once: growing in steps would copy, and touch twice the pages.
        if range.end > self.n_bytes()? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let n_bytes = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        let place = BufferMut::with_capacity(n_bytes.min(MAX_FIRST_BYTES));
        read_range(range, place, |place, position| read_at(self, place, position))
    }
}

#[cfg(unix)]
fn read_at(file: &File, place: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, place, position)
}

#[cfg(windows)]
fn read_at(file: &File, place: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, place, position)
}

/// Where files cannot be read by position they have one place to read from, which is taken for each read.
#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, place: &mut [u8], position: u64) -> io::Result<usize> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    file.seek(SeekFrom::Start(position))?;
    file.read(place)
}

/// A [`Source`] over anything that reads and seeks; one thread at a time.
#[derive(Debug)]
pub struct SeekSource<R>(Mutex<R>);

impl<R: Read + Seek> SeekSource<R> {
    /// Takes the reader; its position does not matter.
    pub fn new(reader: R) -> SeekSource<R> {
        SeekSource(Mutex::new(reader))
    }
}

impl<R: Read + Seek + Send> Source for SeekSource<R> {
    fn n_bytes(&self) -> io::Result<u64> {
        self.locked(|reader| reader.seek(SeekFrom::End(0)))
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.locked(|reader| {
            reader.seek(SeekFrom::Start(range.start))?;
            read_range(range, BufferMut::new(), |place, _| reader.read(place))
        })
    }
}

impl<R> SeekSource<R> {
    /// A panic of another thread leaves the reader at some place; each use seeks first.
    fn locked<T>(&self, read: impl FnOnce(&mut R) -> io::Result<T>) -> io::Result<T> {
        match self.0.lock() {
            Ok(mut reader) => read(&mut reader),
            Err(poisoned) => read(&mut poisoned.into_inner()),
        }
    }
}

/// So many bytes are read in the first step, if a file has them: it may be sparse, and longer than what was ever written.
const MAX_FIRST_BYTES: usize = 16 << 20;

/// Reads a range in as many steps as it takes. Memory grows with what arrives.
fn read_range(
    range: Range<u64>,
    mut bytes: BufferMut,
    mut read: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
) -> io::Result<Buffer> {
    let mut position = range.start;
    while position < range.end {
        let n_wanted = usize::try_from(range.end.saturating_sub(position)).unwrap_or(usize::MAX);
        let place = bytes.spare(n_wanted);
        let n_place = place.len();
        match read(place, position) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n_read) if n_read > n_place => return Err(io::ErrorKind::InvalidData.into()),
            Ok(n_read) => {
                bytes.filled(n_read);
                position = position.saturating_add(n_read as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes.freeze())
}
