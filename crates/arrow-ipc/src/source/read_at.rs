//! Sources that read into memory of the caller, such as files.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::{Mutex, PoisonError},
};

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

use super::{Source, fetch};
use crate::recycled::{BufferPool, MIN_RETAINED_BYTES};
use arrow_ipc_format::length_of;

/// Reads bytes by position into memory of the caller, from several threads at once.
pub trait ReadAt: Send + Sync {
    /// Reads bytes that begin at `position` into `buffer`. Returns the number of bytes read, which may be less than the
    /// length of `buffer`. 0 means that `buffer` is empty or the source ends at `position`.
    ///
    /// # Errors
    /// If the bytes cannot be read.
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize>;
}

/// Why a range was not read.
#[derive(Debug)]
pub(crate) enum ReadRangeError {
    Io(io::Error),
    Memory(BudgetError),
}

/// The initial memory for a long range. A sparse file may state a far greater length than it has bytes.
const MAX_FIRST_BYTES: usize = 16 << 20;

/// The size of a page of memory. If pages are larger, [`read_range`] is only slower.
const PAGE_BYTES: usize = 4 << 10;

/// From this length on, new memory for a range consists of whole pages, which the system provides at once: it can provide large
/// ones. The allocator keeps shorter memory for the next reader, and the pages of it are there already.
const MIN_MAPPED_BYTES: usize = 2 << 20;

/// From this length on, bytes have the same offset in a page of memory as in a page of the file.
const MIN_PAGE_ALIGNED_BYTES: usize = 1 << 20;

/// Reads a range, followed by a copy of `after`. The memory is reused, or new and charged to `budget`. The caller has
/// checked the range against the length of the source.
pub(crate) fn read_range(
    source: &dyn ReadAt,
    range: Range<u64>,
    after: &[u8],
    pool: &BufferPool,
    budget: Option<&MemoryBudget>,
) -> Result<Buffer, ReadRangeError> {
    let n_bytes = usize::try_from(length_of(&range)).unwrap_or(usize::MAX);
    let is_page_aligned = n_bytes >= MIN_PAGE_ALIGNED_BYTES;
    let n_bytes = n_bytes.saturating_add(after.len() + if is_page_aligned { PAGE_BYTES } else { 0 });
    let is_pooled = n_bytes >= MIN_RETAINED_BYTES;
    let recycled = if is_pooled { pool.recycled(n_bytes, budget) } else { None };
    let mut memory = match recycled {
        Some(memory) => memory,
        None if n_bytes >= MIN_MAPPED_BYTES => {
            pool.freeing(|| BufferMut::try_with_pages_in(n_bytes.min(MAX_FIRST_BYTES), budget))?
        }
        None if is_pooled => pool.fresh(n_bytes, budget)?,
        None => BufferMut::try_with_capacity_in(n_bytes, budget)?,
    };
    // The system copies fastest if each byte has the same offset in its page of the file and of memory. If the offset
    // in memory is a few bytes greater, copying takes several times as long.
    let mut n_before = 0;
    if is_page_aligned {
        n_before = to_same_page_offset(&memory, range.start);
        memory.try_spare(n_before)?;
        memory.filled(n_before);
    }
    let mut bytes = fill(source, range, memory)?;
    bytes.try_extend_from_slice(after)?;
    let bytes = if is_pooled { pool.freeze(bytes) } else { bytes.freeze() };
    Ok(bytes.slice(n_before..bytes.len()))
}

/// The first offset in `memory` that lies at the same offset in its page of memory as `position` in its page of the
/// file.
fn to_same_page_offset(memory: &[u8], position: u64) -> usize {
    let in_page = position % PAGE_BYTES as u64;
    (in_page as usize).wrapping_sub(memory.as_ptr().addr()) % PAGE_BYTES
}

/// Reads a range in several steps. Memory grows as bytes arrive.
fn fill(source: &dyn ReadAt, range: Range<u64>, mut bytes: BufferMut) -> Result<BufferMut, ReadRangeError> {
    let mut position = range.start;
    while position < range.end {
        let n_requested = usize::try_from(range.end.saturating_sub(position)).unwrap_or(usize::MAX);
        let spare = bytes.try_spare(n_requested)?;
        let n_spare = spare.len();
        match source.read_at(spare, position) {
            Ok(0) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            Ok(n_read) if n_read > n_spare => return Err(io::Error::from(io::ErrorKind::InvalidData).into()),
            Ok(n_read) => {
                bytes.filled(n_read);
                position = position.saturating_add(n_read as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(bytes)
}

impl ReadAt for File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, position)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, position)
    }

    /// Seeks and reads under a lock, on systems that cannot read files by position.
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        use std::io::{Read, Seek, SeekFrom};
        static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock();
        let mut file = self;
        file.seek(SeekFrom::Start(position))?;
        file.read(buffer)
    }
}

/// A [`Source`] over a reader that can seek. One thread at a time uses the reader.
#[derive(Debug)]
pub struct SeekSource<R>(Mutex<R>);

impl<R: Read + Seek> SeekSource<R> {
    /// Wraps a reader. Positions are counted from the start of the reader, and not from its current position.
    pub fn new(reader: R) -> SeekSource<R> {
        SeekSource(Mutex::new(reader))
    }
}

impl<R: Read + Seek + Send> Source for SeekSource<R> {
    fn n_bytes(&self) -> io::Result<u64> {
        self.locked(|reader| reader.seek(SeekFrom::End(0)))
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        fetch(self, range)
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        Some(self)
    }
}

impl<R: Read + Seek + Send> ReadAt for SeekSource<R> {
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        self.locked(|reader| {
            reader.seek(SeekFrom::Start(position))?;
            reader.read(buffer)
        })
    }
}

impl<R> SeekSource<R> {
    /// Calls `read` with the locked reader. A panic of another thread does no harm, since each use begins with a seek.
    fn locked<T>(&self, read: impl FnOnce(&mut R) -> io::Result<T>) -> io::Result<T> {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl From<ReadRangeError> for io::Error {
    fn from(error: ReadRangeError) -> io::Error {
        match error {
            ReadRangeError::Io(error) => error,
            ReadRangeError::Memory(error) => io::Error::new(io::ErrorKind::OutOfMemory, error),
        }
    }
}

impl From<io::Error> for ReadRangeError {
    fn from(error: io::Error) -> ReadRangeError {
        ReadRangeError::Io(error)
    }
}

impl From<BudgetError> for ReadRangeError {
    fn from(error: BudgetError) -> ReadRangeError {
        ReadRangeError::Memory(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ReadAt for Vec<u8> {
        fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
            let rest = self.get(usize::try_from(position).unwrap()..).unwrap_or_default();
            let n_bytes = buffer.len().min(rest.len()).min(300_000);
            buffer[..n_bytes].copy_from_slice(&rest[..n_bytes]);
            Ok(n_bytes)
        }
    }

    /// Bytes of long ranges have the same offset in a page as in the file, also in reused memory.
    #[test]
    fn long_ranges_have_the_page_offset_of_the_file() {
        let file: Vec<u8> = (0..3 << 20).map(|n: u32| (n / 3) as u8).collect();
        let pool = BufferPool::default();
        for (start, n_bytes) in
            [(0, 0), (0, 100), (8, 40_000), (8, 1 << 20), (2416, 2 << 20), (4095, 1 << 20), (4096, 1 << 20)]
        {
            for after in [&b""[..], b"more"] {
                let range = start..start + n_bytes as u64;
                let found = read_range(&file, range, after, &pool, None).unwrap();
                let from = usize::try_from(start).unwrap();
                assert_eq!(*found, *[&file[from..from + n_bytes], after].concat(), "{start} {n_bytes}");
                if n_bytes >= MIN_PAGE_ALIGNED_BYTES {
                    assert_eq!(found.as_ptr().addr() % PAGE_BYTES, from % PAGE_BYTES, "{start} {n_bytes}");
                }
            }
        }
        let error = read_range(&file, (2 << 20)..(4 << 20), b"", &pool, None).unwrap_err();
        assert_eq!(io::Error::from(error).kind(), io::ErrorKind::UnexpectedEof);
    }
}
