//! Inputs: files, which are read by position, and pipes, which are read as they arrive.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Seek},
    path::Path,
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_ipc::{
    Container, ErrorClass, IpcError, IpcErrorKind, Limits, Message, MessageKind, MessageScan, MessageStep,
    Messages, Source,
};

use crate::{exit::Failure, names::InputName};

/// An opened input of a known kind.
pub(crate) struct Input {
    name: InputName,
    container: Container,
    bytes: Bytes,
}

enum Bytes {
    /// A regular file.
    File(File),
    /// Standard input or a named pipe: the bytes read so far, and the rest.
    Pipe { start: Vec<Buffer>, rest: Box<dyn Read> },
}

/// The bytes of a stream.
pub(crate) struct StreamSource {
    rest: Box<dyn Read>,
    /// The length of a regular file.
    n_bytes: Option<u64>,
}

/// Enough bytes to tell what an input is.
const START_BYTES: usize = 8;

impl Input {
    /// Opens an input and detects its kind.
    ///
    /// # Errors
    /// If it cannot be opened or read, or is neither a stream nor a file.
    pub(crate) fn open(name: &InputName) -> Result<Input, Failure> {
        let path = match name {
            InputName::Stdin => return Input::from_pipe(name.clone(), Box::new(io::stdin())),
            InputName::Path(path) => path,
        };
        let opened = open_path(path).map_err(|error| Failure::Read { name: name.clone(), error })?;
        Input::of(name.clone(), opened)
    }

    /// An input that is read as it arrives.
    ///
    /// # Errors
    /// As [`open`](Input::open).
    pub(crate) fn from_pipe(name: InputName, pipe: Box<dyn Read>) -> Result<Input, Failure> {
        match open_pipe(pipe) {
            Ok(opened) => Input::of(name, opened),
            Err(error) => Err(Failure::Read { name, error }),
        }
    }

    fn of(name: InputName, (start, bytes): (Buffer, Bytes)) -> Result<Input, Failure> {
        match Container::detect(&start) {
            container @ (Container::Stream | Container::File) => Ok(Input { name, container, bytes }),
            Container::Unknown if start.is_empty() => Err(Failure::Empty { name }),
            Container::Unknown => Err(Failure::NotArrow { name }),
            found => {
                let expected = "an Arrow IPC stream or file";
                Err(Failure::Input { name, error: IpcErrorKind::WrongContainer { expected, found }.into() })
            }
        }
    }

    pub(crate) fn name(&self) -> &InputName {
        &self.name
    }

    pub(crate) fn container(&self) -> Container {
        self.container
    }

    /// Whether it can be read at any position without a temporary copy.
    pub(crate) fn is_regular_file(&self) -> bool {
        matches!(self.bytes, Bytes::File(_))
    }

    /// Whether the first message is a tensor: then there are no rows. Of a pipe, the message is read and kept.
    ///
    /// # Errors
    /// If the input cannot be read. A malformed message is reported later, when it is read.
    pub(crate) fn holds_tensors_alone(&mut self) -> Result<bool, Failure> {
        let first = match &mut self.bytes {
            Bytes::File(file) => MessageScan::try_new(&*file, 0..u64::MAX, Limits::default())
                .and_then(|mut scan| scan.next_message()),
            Bytes::Pipe { start, rest } => first_message(start, rest),
        };
        match first {
            Ok(first) => {
                let kind = first.map(|message| message.kind());
                Ok(matches!(kind, Some(MessageKind::Tensor | MessageKind::SparseTensor)))
            }
            Err(error) if error.class() == ErrorClass::Io => {
                Err(Failure::Input { name: self.name.clone(), error })
            }
            Err(_) => Ok(false),
        }
    }

    /// The length of a regular file.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        match &self.bytes {
            Bytes::File(file) => file.n_bytes().ok(),
            Bytes::Pipe { .. } => None,
        }
    }

    /// An input that can be read at any position: itself, or a temporary copy of a pipe.
    ///
    /// # Errors
    /// If the copy cannot be made.
    pub(crate) fn into_file(self) -> Result<File, Failure> {
        match self.bytes {
            Bytes::File(file) => Ok(file),
            Bytes::Pipe { start, mut rest } => {
                let mut copy = || {
                    let mut file = tempfile::tempfile()?;
                    start.iter().try_for_each(|bytes| io::Write::write_all(&mut file, bytes))?;
                    io::copy(&mut rest, &mut file)?;
                    Ok(file)
                };
                copy().map_err(|error| Failure::Spool { name: self.name, error })
            }
        }
    }

    /// An input that can be read twice: itself, or a temporary copy of a pipe.
    ///
    /// # Errors
    /// If the copy cannot be made.
    pub(crate) fn twice(self) -> Result<[Input; 2], Failure> {
        let (name, container) = (self.name.clone(), self.container);
        let file = self.into_file()?;
        let again = file.try_clone().map_err(|error| Failure::Read { name: name.clone(), error })?;
        Ok([file, again].map(|file| Input { name: name.clone(), container, bytes: Bytes::File(file) }))
    }

    /// A reader of the input from its beginning: the bytes read so far, then the rest.
    ///
    /// # Errors
    /// If a file cannot be read from its start.
    pub(crate) fn into_stream(self) -> Result<(Vec<Buffer>, StreamSource), Failure> {
        match self.bytes {
            Bytes::Pipe { start, rest } => Ok((start, StreamSource { rest, n_bytes: None })),
            Bytes::File(mut file) => {
                let length = file.rewind().and_then(|()| file.n_bytes());
                let n_bytes = length.map_err(|error| Failure::Read { name: self.name, error })?;
                Ok((Vec::new(), StreamSource { rest: Box::new(file), n_bytes: Some(n_bytes) }))
            }
        }
    }
}

/// Reads until the first message is complete. All bytes are kept in `start`.
fn first_message(start: &mut Vec<Buffer>, rest: &mut impl Read) -> Result<Option<Message>, IpcError> {
    let mut messages = Messages::new(Limits::default());
    start.iter().for_each(|bytes| messages.feed(bytes.clone()));
    loop {
        match messages.step()? {
            MessageStep::Message(message) => return Ok(Some(message)),
            MessageStep::NeedBytes(_) => {
                let piece = read_piece(rest)?;
                if piece.is_empty() {
                    messages.end_of_input();
                } else {
                    start.push(piece.clone());
                    messages.feed(piece);
                }
            }
            _ => return Ok(None),
        }
    }
}

/// The total number of bytes.
pub(crate) fn n_bytes_of(pieces: &[Buffer]) -> u64 {
    pieces.iter().fold(0, |n_bytes, piece| n_bytes.saturating_add(piece.len() as u64))
}

/// Reads once; an empty buffer is the end.
pub(crate) fn read_piece(source: &mut impl Read) -> io::Result<Buffer> {
    const PIECE_BYTES: usize = 64 << 10;
    let mut bytes = BufferMut::new();
    loop {
        match source.read(bytes.spare(PIECE_BYTES)) {
            Ok(n_bytes) => {
                bytes.filled(n_bytes);
                // Short reads would leave most of the memory unused.
                let is_small = n_bytes < PIECE_BYTES / 4;
                return Ok(if is_small { Buffer::copy_from(&bytes) } else { bytes.freeze() });
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn open_path(path: &Path) -> io::Result<(Buffer, Bytes)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        // Opening a folder fails here, with the system's error.
        return open_pipe(Box::new(file));
    }
    let start = file.fetch(0..metadata.len().min(START_BYTES as u64))?;
    Ok((start, Bytes::File(file)))
}

fn open_pipe(mut rest: Box<dyn Read>) -> io::Result<(Buffer, Bytes)> {
    let mut bytes = BufferMut::new();
    while bytes.len() < START_BYTES {
        let piece = read_piece(&mut rest)?;
        if piece.is_empty() {
            break;
        }
        bytes.extend_from_slice(&piece);
    }
    let start = bytes.freeze();
    Ok((start.clone(), Bytes::Pipe { start: vec![start], rest }))
}

impl StreamSource {
    /// The length of a regular file.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        self.n_bytes
    }
}

impl Read for StreamSource {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        self.rest.read(place)
    }
}

impl fmt::Debug for StreamSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamSource").field("n_bytes", &self.n_bytes).finish_non_exhaustive()
    }
}
