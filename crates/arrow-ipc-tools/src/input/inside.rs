//! The stream inside a file from a pipe. Its rows can be read before the footer arrives.

use std::{
    fmt,
    io::{self, Read, Write},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arrow_buffer::Buffer;
use arrow_ipc::{Container, Limits};
use tempfile::{SpooledData, SpooledTempFile};

use super::{Input, InputBytes};
use crate::{
    error::{InInput, ToolError},
    name::InputName,
    source::SharedSource,
};

/// The length of the magic with its padding. The stream begins after it, so messages of a file begin at this byte
/// offset or later.
pub(crate) const MAGIC_BYTES: u64 = 8;

/// The maximal number of bytes of the file that stay in memory while the stream is read. A longer file is stored in a
/// temporary file.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Stores a file from a pipe while its stream is read, so that the file can be read again.
pub struct FileAgain {
    name: InputName,
    limits: Arc<Limits>,
    pipe: Arc<Mutex<Pipe>>,
}

/// A pipe, and the bytes that were read from it.
struct Pipe {
    rest: Box<dyn Read + Send>,
    kept: SpooledTempFile,
}

/// Reads the pipe, and stores the bytes that it returns.
struct Keeping(Arc<Mutex<Pipe>>);

impl Input {
    /// Returns the stream inside a file that comes through a pipe, and the file itself. If the footer lists other
    /// batches than the stream has, read the file instead. The bytes that are read stay in memory, or in a temporary
    /// file if they are more than 64 MiB.
    ///
    /// # Errors
    /// Returns any other input unchanged.
    pub fn into_stream_inside(self) -> Result<(Input, FileAgain), Input> {
        let (start, rest) = match (self.container, self.bytes) {
            (Container::File, InputBytes::Pipe { start, rest }) => (start, rest),
            (_, bytes) => return Err(Input { bytes, ..self }),
        };
        let mut kept = SpooledTempFile::new(MAX_KEPT_BYTES);
        if start.iter().try_for_each(|piece| kept.write_all(piece)).is_err() {
            return Err(Input { bytes: InputBytes::Pipe { start, rest }, ..self });
        }
        let pipe = Arc::new(Mutex::new(Pipe { rest, kept }));
        let mut n_skipped = MAGIC_BYTES as usize;
        let inside = start.iter().map(|piece| {
            let n_here = n_skipped.min(piece.len());
            n_skipped -= n_here;
            piece.slice(n_here..piece.len())
        });
        let bytes = InputBytes::Pipe { start: inside.collect(), rest: Box::new(Keeping(Arc::clone(&pipe))) };
        let again = FileAgain { name: self.name.clone(), limits: self.limits.clone(), pipe };
        Ok((Input { container: Container::Stream, bytes, ..self }, again))
    }
}

impl FileAgain {
    /// Opens the whole file. The stream cannot be read after this call, because this reads the rest of the pipe.
    ///
    /// # Errors
    /// If the rest of the pipe cannot be read, or cannot be stored.
    pub fn into_input(self) -> Result<Input, ToolError> {
        let FileAgain { name, limits, pipe } = self;
        io::copy(&mut Keeping(Arc::clone(&pipe)), &mut io::sink()).in_input(&name)?;
        let kept = mem::replace(&mut lock(&pipe).kept, SpooledTempFile::new(0));
        let positioned = match kept.into_inner() {
            SpooledData::InMemory(bytes) => SharedSource::new(Buffer::from(bytes.into_inner())),
            SpooledData::OnDisk(file) => SharedSource::new(file),
        };
        Ok(Input { limits, ..Input::new(name, Container::File, InputBytes::Positioned(positioned)) })
    }
}

impl Read for Keeping {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        let mut pipe = lock(&self.0);
        let n_bytes = pipe.rest.read(place)?;
        pipe.kept.write_all(place.get(..n_bytes).unwrap_or_default())?;
        Ok(n_bytes)
    }
}

/// Locks the pipe, even after a panic of a thread with the lock: a panic does not leave the pipe inconsistent.
fn lock(pipe: &Mutex<Pipe>) -> MutexGuard<'_, Pipe> {
    pipe.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for FileAgain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileAgain").field("name", &self.name).finish_non_exhaustive()
    }
}
