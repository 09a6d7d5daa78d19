//! The stream inside a file that comes through a pipe. Its first rows arrive before the footer.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Write},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_ipc::Container;

use super::{Input, InputBytes, Positioned};
use crate::{
    error::{ToolError, ToolErrorKind},
    name::InputName,
    source::SharedSource,
};

/// The magic and its padding, which precede the stream.
const MAGIC_BYTES: usize = 8;

/// How many bytes of a file that is read as a stream are kept in memory. More are kept in a temporary file.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// A file whose stream was read. All of its bytes are kept.
pub struct FileAgain {
    name: InputName,
    start: Vec<Buffer>,
    pipe: Arc<Mutex<Pipe>>,
}

/// What is left of a pipe, and what was read of it.
struct Pipe {
    rest: Box<dyn Read + Send>,
    kept: KeptInput,
}

enum KeptInput {
    Memory(Vec<u8>),
    File(File),
}

/// Reads a pipe and keeps the bytes.
struct Keeping(Arc<Mutex<Pipe>>);

impl Input {
    /// Splits a file that comes through a pipe into the stream inside, and the file. If the stream is not enough, read
    /// the rest from the file, whose footer may list other batches. Up to 64 MiB of the stream are kept in memory, and
    /// more in a temporary file.
    ///
    /// # Errors
    /// Returns any other input unchanged.
    pub fn into_stream_inside(self) -> Result<(Input, FileAgain), Input> {
        let Input { name, container, bytes } = self;
        let (start, rest) = match (container, bytes) {
            (Container::File, InputBytes::Pipe { start, rest }) => (start, rest),
            (container, bytes) => return Err(Input { name, container, bytes }),
        };
        let pipe = Arc::new(Mutex::new(Pipe { rest, kept: KeptInput::Memory(Vec::new()) }));
        let mut n_skipped = MAGIC_BYTES;
        let inside = start.iter().map(|piece| {
            let n_here = n_skipped.min(piece.len());
            n_skipped -= n_here;
            piece.slice(n_here..piece.len())
        });
        let bytes = InputBytes::Pipe { start: inside.collect(), rest: Box::new(Keeping(Arc::clone(&pipe))) };
        let stream = Input { name: name.clone(), container: Container::Stream, bytes };
        Ok((stream, FileAgain { name, start, pipe }))
    }
}

impl FileAgain {
    /// The whole file. The stream must not be read any more.
    ///
    /// # Errors
    /// If the rest of the pipe cannot be read, or a temporary copy cannot be made.
    pub fn into_input(self) -> Result<Input, ToolError> {
        let FileAgain { name, start, pipe } = self;
        let failed = |kind: fn(io::Error) -> ToolErrorKind| {
            let name = name.clone();
            move |error| ToolError::new(name, kind(error))
        };
        io::copy(&mut Keeping(Arc::clone(&pipe)), &mut io::sink()).map_err(failed(ToolErrorKind::Read))?;
        let kept = mem::replace(&mut lock(&pipe).kept, KeptInput::Memory(Vec::new()));
        let positioned = match kept {
            KeptInput::Memory(kept) => {
                let mut bytes = BufferMut::new();
                start.iter().for_each(|piece| bytes.extend_from_slice(piece));
                bytes.extend_from_slice(&kept);
                Positioned::Source(SharedSource::new(bytes.freeze()))
            }
            KeptInput::File(mut rest) => {
                let mut copy = || {
                    let mut file = tempfile::tempfile()?;
                    start.iter().try_for_each(|piece| file.write_all(piece))?;
                    io::Seek::rewind(&mut rest)?;
                    io::copy(&mut rest, &mut file)?;
                    Ok(Positioned::File(Arc::new(file)))
                };
                copy().map_err(failed(ToolErrorKind::Spool))?
            }
        };
        Ok(Input { name, container: Container::File, bytes: InputBytes::Positioned(positioned) })
    }
}

impl KeptInput {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            KeptInput::Memory(kept) if kept.len().saturating_add(bytes.len()) <= MAX_KEPT_BYTES => {
                kept.extend_from_slice(bytes);
            }
            KeptInput::Memory(kept) => {
                let mut file = tempfile::tempfile()?;
                file.write_all(kept)?;
                file.write_all(bytes)?;
                *self = KeptInput::File(file);
            }
            KeptInput::File(file) => file.write_all(bytes)?,
        }
        Ok(())
    }
}

impl Read for Keeping {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        let mut pipe = lock(&self.0);
        let n_bytes = pipe.rest.read(place)?;
        pipe.kept.add(place.get(..n_bytes).unwrap_or_default())?;
        Ok(n_bytes)
    }
}

/// Locks the pipe, also after a panic: no code that holds the lock panics halfway.
fn lock(pipe: &Mutex<Pipe>) -> MutexGuard<'_, Pipe> {
    pipe.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for FileAgain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileAgain").field("name", &self.name).finish_non_exhaustive()
    }
}
