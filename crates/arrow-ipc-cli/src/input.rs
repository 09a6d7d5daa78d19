//! Where data comes from: files, read by position, and pipes, read as they come.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_ipc::{
    Container, FileReader, Header, IpcError, IpcErrorKind, IpcSchema, Message, MessageStep, Messages,
    ReadOptions, Source, StreamReader,
};
use arrow_schema::Metadata;

use crate::{
    columns::{ColumnNames, SelectError, Selection, advice},
    exit::Failure,
};

/// What was given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputName {
    Stdin,
    Path(PathBuf),
}

/// An input that has been opened and looked at.
pub(crate) struct Input {
    name: InputName,
    container: Container,
    bytes: Bytes,
}

enum Bytes {
    /// A regular file.
    File(File),
    /// Standard input, a named pipe: what has been read of it, and the rest.
    Pipe { start: Vec<Buffer>, rest: Box<dyn Read> },
}

/// Where rows come from.
#[derive(Debug)]
pub(crate) enum Rows {
    Stream {
        reader: Box<StreamReader<StreamSource>>,
        /// Of the schema's message, where streams have what files have in their footer.
        metadata: Metadata,
        /// The length of a regular file.
        n_bytes: Option<u64>,
    },
    File {
        reader: FileReader<Arc<File>>,
        file: Arc<File>,
    },
}

/// The bytes of a stream.
pub(crate) struct StreamSource {
    rest: Box<dyn Read>,
    /// The length of a regular file.
    n_bytes: Option<u64>,
}

/// Enough to tell what an input is.
const START_BYTES: usize = 8;

impl InputName {
    /// As it is written on a command line.
    pub(crate) fn as_argument(&self) -> String {
        let InputName::Path(path) = self else { return "-".to_owned() };
        let text = path.to_string_lossy();
        let is_plain = |char: char| char.is_alphanumeric() || "/._-+,:@%=".contains(char);
        if text.chars().all(is_plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    }
}

impl Input {
    /// Opens an input and finds out what it is.
    ///
    /// # Errors
    /// If it cannot be opened or read, or is neither a stream nor a file.
    pub(crate) fn open(name: &InputName) -> Result<Input, Failure> {
        let read = |error| Failure::Read { name: name.clone(), error };
        let (start, bytes) = match name {
            InputName::Stdin => open_pipe(Box::new(io::stdin())).map_err(read)?,
            InputName::Path(path) => open_path(path).map_err(read)?,
        };
        let name = name.clone();
        match Container::of_start(&start) {
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

    /// Whether it can be read at any position without a copy of it.
    pub(crate) fn is_regular_file(&self) -> bool {
        matches!(self.bytes, Bytes::File(_))
    }

    /// The length of a regular file.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        match &self.bytes {
            Bytes::File(file) => file.n_bytes().ok(),
            Bytes::Pipe { .. } => None,
        }
    }

    /// The input as something that can be read at any position: itself, or a temporary copy of a pipe.
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

    /// The input to be read twice, one after the other: of a pipe a temporary copy.
    ///
    /// # Errors
    /// If the copy cannot be made.
    pub(crate) fn twice(self) -> Result<[Input; 2], Failure> {
        let (name, container) = (self.name.clone(), self.container);
        let file = self.into_file()?;
        let again = file.try_clone().map_err(|error| Failure::Read { name: name.clone(), error })?;
        Ok([file, again].map(|file| Input { name: name.clone(), container, bytes: Bytes::File(file) }))
    }

    /// The input from its beginning, read as it comes: what has been read of it already, and the rest.
    ///
    /// # Errors
    /// If a file does not let itself be read from its start.
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

    /// The rows of the input, all columns of them.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn into_rows(self) -> Result<Rows, Failure> {
        Ok(self.into_selected_rows(None)?.0)
    }

    /// The rows of the input, with the columns that are needed for what is named, and how to get that from them.
    ///
    /// # Errors
    /// If the input cannot be read, or has not one column or field of each name.
    pub(crate) fn into_selected_rows(
        self,
        columns: Option<&ColumnNames>,
    ) -> Result<(Rows, Selection), Failure> {
        let name = self.name.clone();
        let mut options = ReadOptions::default();
        let failed = |error| Failure::Input { name: name.clone(), error };
        let select = |schema: &IpcSchema| match columns {
            None => Ok(Selection::default()),
            Some(columns) => columns.select(schema.schema()).map_err(|error| match error {
                SelectError::Lookup(error) => {
                    let advice = advice(&error, schema.schema());
                    Failure::Columns { name: name.clone(), error, advice }
                }
                SelectError::Path(error) => Failure::Path { name: name.clone(), error },
            }),
        };
        if self.container == Container::File {
            let file = Arc::new(self.into_file()?);
            let reader = FileReader::from_source(Arc::clone(&file), options).map_err(failed)?;
            let selection = select(reader.ipc_schema())?;
            let reader = reader.project(selection.projection()).map_err(failed)?;
            return Ok((Rows::File { reader, file }, selection));
        }
        let (mut start, mut source) = self.into_stream()?;
        let message = read_schema_message(&mut start, &mut source, &options).map_err(failed)?;
        let mut selection = Selection::default();
        if columns.is_some()
            && let Header::Schema(schema) = message.header(options.limits()).map_err(failed)?
        {
            selection = select(&schema)?;
            options = options.with_projection(selection.projection().clone());
        }
        let metadata = message.custom_metadata().map_err(failed)?;
        let n_bytes = source.n_bytes;
        let reader = Box::new(StreamReader::after(start, source, options).map_err(failed)?);
        Ok((Rows::Stream { reader, metadata, n_bytes }, selection))
    }
}

/// What follows a stream that has been read to its end, where that is known without waiting for more.
pub(crate) fn n_bytes_behind(reader: StreamReader<StreamSource>) -> u64 {
    let n_consumed = reader.n_bytes_consumed();
    let (source, rest) = reader.into_inner();
    match source.n_bytes {
        Some(n_bytes) => n_bytes.saturating_sub(n_consumed),
        None => n_bytes_of(&rest),
    }
}

/// How many bytes several pieces have.
pub(crate) fn n_bytes_of(pieces: &[Buffer]) -> u64 {
    pieces.iter().fold(0, |n_bytes, piece| n_bytes.saturating_add(piece.len() as u64))
}

/// Reads until the first message is known. The bytes that are read are kept for whoever reads the stream.
fn read_schema_message(
    start: &mut Vec<Buffer>,
    source: &mut impl Read,
    options: &ReadOptions,
) -> Result<Message, IpcError> {
    let mut messages = Messages::new(options.limits().clone());
    start.drain(..).for_each(|bytes| messages.feed(bytes));
    loop {
        match messages.step()? {
            MessageStep::NeedBytes(_) => match source.read(messages.spare()) {
                Ok(n_bytes) => messages.filled(n_bytes),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            },
            MessageStep::Message(message) => {
                start.extend([prefix_of(&message), message.metadata_bytes().clone(), message.body().clone()]);
                start.extend(messages.into_rest());
                return Ok(message);
            }
            _ => return Err(IpcErrorKind::Missing { what: "the schema" }.into()),
        }
    }
}

/// What stood before the metadata of a message.
fn prefix_of(message: &Message) -> Buffer {
    let length = u32::try_from(message.metadata_bytes().len()).unwrap_or(u32::MAX).to_le_bytes();
    let marker: &[u8] = if message.has_legacy_framing() { &[] } else { &[0xff; 4] };
    Buffer::from([marker, &length].concat())
}

/// Reads once; nothing means the end.
pub(crate) fn read_piece(source: &mut impl Read) -> io::Result<Buffer> {
    const PIECE_BYTES: usize = 64 << 10;
    let mut bytes = BufferMut::new();
    loop {
        match source.read(bytes.spare(PIECE_BYTES)) {
            Ok(n_bytes) => {
                bytes.filled(n_bytes);
                // A source that gives little at a time would leave most of the memory unused.
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
        // A folder fails here, with the words of the system.
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

impl fmt::Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputName::Stdin => f.write_str("standard input"),
            InputName::Path(path) => fmt::Display::fmt(&path.display(), f),
        }
    }
}
