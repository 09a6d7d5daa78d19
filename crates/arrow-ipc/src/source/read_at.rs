//! Sources, such as files, that are read into memory of the caller.

use std::{fs::File, io, ops::Range};

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

use crate::{
    alignment::length_of,
    recycled::{KeptMemory, MIN_KEPT_BYTES},
};

/// Reads bytes by position into memory of the caller, from several threads at once.
pub trait ReadAt: Send + Sync {
    /// Reads bytes from `position` on into `place`, and returns their number. The function may return fewer bytes than
    /// fit. It returns 0 only if `place` is empty or the source ends at `position`.
    ///
    /// # Errors
    /// If the bytes cannot be read.
    fn read_at(&self, place: &mut [u8], position: u64) -> io::Result<usize>;
}

/// The reason why a range was not read.
#[derive(Debug)]
pub(crate) enum ReadRangeError {
    Io(io::Error),
    Memory(BudgetError),
}

/// The number of bytes that are read in the first step. Memory must not be reserved for the length that a file claims, since a sparse file
/// may be much longer than its written bytes.
const MAX_FIRST_BYTES: usize = 16 << 20;

/// Reads a range into its final memory. The memory is reused, or charged to a budget if there is one. The source must
/// claim to be long enough. The bytes `after` follow the range, and are copied to the end of the result.
pub(crate) fn read_range(
    source: &dyn ReadAt,
    range: Range<u64>,
    after: &[u8],
    kept: &KeptMemory,
    budget: Option<&MemoryBudget>,
) -> Result<Buffer, ReadRangeError> {
    let n_bytes = usize::try_from(length_of(&range)).unwrap_or(usize::MAX);
    let n_bytes = n_bytes.saturating_add(after.len());
    let is_kept = n_bytes >= MIN_KEPT_BYTES;
    let recycled = if is_kept { kept.recycled(n_bytes, budget) } else { None };
    let place = match recycled {
        Some(place) => place,
        None if is_kept => kept.fresh(n_bytes.min(MAX_FIRST_BYTES), budget)?,
        None => BufferMut::try_with_capacity_in(n_bytes, budget)?,
    };
    let mut bytes = fill(source, range, place)?;
    bytes.try_extend_from_slice(after)?;
    Ok(if is_kept { kept.give_out(bytes) } else { bytes.freeze() })
}

/// Reads a range in as many steps as necessary. Memory grows with the bytes that arrive.
fn fill(source: &dyn ReadAt, range: Range<u64>, mut bytes: BufferMut) -> Result<BufferMut, ReadRangeError> {
    let mut position = range.start;
    while position < range.end {
        let n_wanted = usize::try_from(range.end.saturating_sub(position)).unwrap_or(usize::MAX);
        let place = bytes.try_spare(n_wanted)?;
        let n_place = place.len();
        match source.read_at(place, position) {
            Ok(0) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            Ok(n_read) if n_read > n_place => return Err(io::Error::from(io::ErrorKind::InvalidData).into()),
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
    fn read_at(&self, place: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, place, position)
    }

    #[cfg(windows)]
    fn read_at(&self, place: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, place, position)
    }

    /// Reads after moving to the position, under a lock, on systems where files cannot be read by position.
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, place: &mut [u8], position: u64) -> io::Result<usize> {
        use std::io::{Read, Seek, SeekFrom};
        static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock();
        let mut file = self;
        file.seek(SeekFrom::Start(position))?;
        file.read(place)
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
