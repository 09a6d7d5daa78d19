//! Inputs of tools. Files and memory are read by position; the bytes of pipes are read in order as they arrive. Also inputs
//! that need more: Feather version 1, rows that were made, bodies longer than memory, and streams one after the other.

pub(crate) mod continuation;
pub(crate) mod feather;
pub(crate) mod generated_rows;
pub(crate) mod origin;
pub(crate) mod stream;

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;
use arrow_ipc::{
    Container, ErrorClass, IpcError, Limits, MessageKind, MessageScan, MessageStep, Messages, Projection,
    ReadOptions, Source, file::StreamIndex, message::Message,
};
use arrow_schema::Schema;

pub(crate) use self::stream::StreamSource;
use self::{generated_rows::GeneratedRows, origin::OriginLosses};
use crate::{
    byte_counter::ByteCounter,
    error::{
        InputContext, ToolError, ToolErrorKind,
        foreign::{LOOKED_AT_BYTES, not_arrow},
        name::InputName,
    },
    source::{PositionedRead, SharedSource},
};

/// An opened Arrow IPC file, or one or several streams in sequence. Also the table of a Feather file of version 1, whose
/// columns take memory while they are read.
///
/// ```
/// use arrow_ipc::{Container, StreamWriter};
/// use arrow_ipc_tools::Input;
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
///
/// let pipe = std::io::Cursor::new(stream.clone());
/// assert_eq!(Input::try_from_reader("pipe", pipe)?.container(), Container::Stream);
/// assert_eq!(Input::try_from_buffer("memory", stream.into())?.container(), Container::Stream);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Input {
    name: InputName,
    container: Container,
    bytes: InputBytes,
    /// The same bytes as those of a pipe, read by position.
    positions: Option<SharedSource>,
    pub(crate) limits: Arc<Limits>,
    /// The index of a stream, if it was saved.
    pub(crate) index: Option<Arc<StreamIndex>>,
    /// What the rows lack of what they are made of. Complete after they are read.
    pub(crate) origin: OriginLosses,
    /// Counts the bytes of the text from which the rows of this input are parsed.
    pub(crate) bytes_read: Option<ByteCounter>,
}

enum InputBytes {
    Positioned(SharedSource),
    /// A source that is read as its bytes arrive. `start` has the bytes that were read to detect the container, and
    /// `rest` returns the bytes after them.
    Pipe {
        start: Vec<Buffer>,
        rest: Box<dyn Read + Send>,
    },
    /// Batches that do not come from an Arrow stream or file.
    Rows(GeneratedRows),
}

/// The length of the magic of a file, with its padding. The stream inside begins after it, so messages of a file begin
/// at this byte offset or later.
pub(crate) const MAGIC_BYTES: u64 = 8;

/// The number of leading bytes from which the container is detected.
const START_BYTES: usize = 8;

impl Input {
    /// Opens a file, and detects its container. Named pipes and devices are read as their bytes arrive.
    ///
    /// # Errors
    /// If the file cannot be opened or read, or is neither a stream nor a file of Arrow IPC.
    pub fn open(path: impl AsRef<Path>) -> Result<Input, ToolError> {
        Input::from_opened(path.as_ref().into(), open_path(path.as_ref()))
    }

    /// Opens bytes in memory. Copies nothing.
    ///
    /// # Errors
    /// If the bytes are neither a stream nor a file of Arrow IPC.
    pub fn try_from_buffer(name: impl Into<InputName>, bytes: Buffer) -> Result<Input, ToolError> {
        Input::try_new(name, bytes)
    }

    /// Opens a source that is read by position.
    ///
    /// # Errors
    /// If the source cannot be read, or is neither a stream nor a file of Arrow IPC.
    pub fn try_new(name: impl Into<InputName>, source: impl Source + 'static) -> Result<Input, ToolError> {
        let source = SharedSource::new(source);
        let start = source.n_bytes().and_then(|n_bytes| source.fetch(0..n_bytes.min(START_BYTES as u64)));
        let bytes = InputBytes::Positioned(source);
        Input::from_opened(name.into(), start.map(|start| (start, bytes)))
    }

    /// Opens a reader, whose bytes are read as they arrive. Tools that must read by position, or twice, first copy
    /// the bytes to a temporary file.
    ///
    /// # Errors
    /// The errors of [`try_new`](Input::try_new).
    pub fn try_from_reader(
        name: impl Into<InputName>,
        reader: impl Read + Send + 'static,
    ) -> Result<Input, ToolError> {
        Input::from_opened(name.into(), open_pipe(Box::new(reader)))
    }

    /// Opens a file for [`recover`](crate::recover()). The file may have any content.
    ///
    /// # Errors
    /// If the file cannot be opened or read.
    pub fn open_damaged(path: impl AsRef<Path>) -> Result<Input, ToolError> {
        Input::damaged(path.as_ref().into(), open_path(path.as_ref()))
    }

    /// Like [`open_damaged`](Input::open_damaged), for bytes in memory or another source that is read by position.
    pub fn from_damaged(name: impl Into<InputName>, source: impl Source + 'static) -> Input {
        Input::new(name.into(), Container::Unknown, InputBytes::Positioned(SharedSource::new(source)))
    }

    /// Like [`open_damaged`](Input::open_damaged), for a reader whose bytes are read as they arrive.
    ///
    /// # Errors
    /// If the reader returns an error.
    pub fn try_from_damaged_reader(
        name: impl Into<InputName>,
        reader: impl Read + Send + 'static,
    ) -> Result<Input, ToolError> {
        Input::damaged(name.into(), open_pipe(Box::new(reader)))
    }

    /// Makes an input from batches. Tools treat it like a stream of these batches, without encoding them.
    pub fn from_batches(
        name: impl Into<InputName>,
        schema: Arc<Schema>,
        batches: impl Iterator<Item = Result<RecordBatch, ToolError>> + Send + 'static,
    ) -> Input {
        Input::from_rows(name.into(), GeneratedRows::new(schema, batches))
    }

    pub(crate) fn from_rows(name: InputName, rows: GeneratedRows) -> Input {
        Input::new(name, Container::Stream, InputBytes::Rows(rows))
    }

    fn new(name: InputName, container: Container, bytes: InputBytes) -> Input {
        let limits = Arc::default();
        let origin = OriginLosses::default();
        Input { name, container, bytes, positions: None, limits, index: None, origin, bytes_read: None }
    }

    fn damaged(name: InputName, opened: io::Result<(Buffer, InputBytes)>) -> Result<Input, ToolError> {
        let (start, bytes) = opened.in_input(&name)?;
        Ok(Input::new(name, Container::detect(&start), bytes))
    }

    fn from_opened(name: InputName, opened: io::Result<(Buffer, InputBytes)>) -> Result<Input, ToolError> {
        let (start, bytes) = opened.in_input(&name)?;
        if Container::detect(&start) == Container::FeatherV1 {
            return Input::from_feather(name, bytes);
        }
        match not_arrow(&start, || bytes.beginning(start.clone())) {
            Some(kind) => Err(ToolError::new(name, kind)),
            None => Ok(Input::new(name, Container::detect(&start), bytes)),
        }
    }

    /// The table of a Feather file of version 1. Tools treat it like a stream of batches.
    fn from_feather(name: InputName, bytes: InputBytes) -> Result<Input, ToolError> {
        let rows = feather::open(&name, positioned(&name, bytes)?)?;
        Ok(Input::new(name, Container::FeatherV1, InputBytes::Rows(rows)))
    }

    /// Sets the limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Input {
        Input { limits: Arc::new(limits), ..self }
    }

    /// Sets the index of a stream, as [`index_stream`](crate::index_stream) returns it. Rows are then found without a walk
    /// over the messages, where the input is read by position.
    #[must_use]
    pub fn with_index(self, index: StreamIndex) -> Input {
        Input { index: Some(Arc::new(index)), ..self }
    }

    /// Adds a source of the same bytes to a [reader](Input::try_from_reader). Tools that need few of the bytes read them by
    /// position, and do not read from the reader. For objects in stores, of which one request returns all bytes.
    #[must_use]
    pub fn with_positions(self, source: impl Source + 'static) -> Input {
        Input { positions: Some(SharedSource::new(source)), ..self }
    }

    /// Makes progress count the bytes of the text from which the batches are parsed.
    #[must_use]
    pub fn with_bytes_read(self, bytes_read: ByteCounter) -> Input {
        Input { bytes_read: Some(bytes_read), ..self }
    }

    /// The limits of reading.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The name of the input in errors and reports.
    pub fn name(&self) -> &InputName {
        &self.name
    }

    /// Whether the input is a file, a stream, or a Feather file of version 1. A damaged input may be none of them.
    pub fn container(&self) -> Container {
        self.container
    }

    /// The batches that were passed to [`from_batches`](Input::from_batches).
    ///
    /// # Errors
    /// Returns any other input unchanged.
    pub(crate) fn into_generated_rows(self) -> Result<GeneratedRows, Box<Input>> {
        match self.bytes {
            InputBytes::Rows(rows) => Ok(rows),
            bytes @ (InputBytes::Positioned(_) | InputBytes::Pipe { .. }) => {
                Err(Box::new(Input { bytes, ..self }))
            }
        }
    }

    /// Says that the rows have only the columns that the query needs.
    #[cfg(feature = "text")]
    pub(crate) fn with_narrowed_columns(mut self) -> Input {
        if let InputBytes::Rows(rows) = &mut self.bytes {
            rows.is_narrowed = true;
        }
        self
    }

    /// Whether the input can be read by position without a temporary copy.
    pub(crate) fn has_positions(&self) -> bool {
        matches!(self.bytes, InputBytes::Positioned(_))
    }

    /// The same input for a tool that needs few of the bytes: read by position, if the input has [other
    /// positions](Input::with_positions).
    pub(crate) fn by_position(self) -> Input {
        let Input { positions, bytes, .. } = self;
        let bytes = positions.map_or(bytes, InputBytes::Positioned);
        Input { positions: None, bytes, ..self }
    }

    /// Whether the input has [other positions](Input::with_positions).
    pub(crate) fn has_other_positions(&self) -> bool {
        self.positions.is_some()
    }

    /// Options to read no column, so that columns of unknown types are no error.
    pub(crate) fn metadata_options(&self) -> ReadOptions {
        let options = ReadOptions::new().with_limits(Limits::clone(&self.limits));
        options.with_projection(Projection::Positions(Vec::new()))
    }

    /// The source of a stream that can be read by position; `None` for other inputs.
    pub(crate) fn positioned_stream(&self) -> Option<SharedSource> {
        let source = match &self.bytes {
            InputBytes::Positioned(source) => Some(source),
            InputBytes::Pipe { .. } | InputBytes::Rows(_) => self.positions.as_ref(),
        };
        if self.container == Container::Stream { source.cloned() } else { None }
    }

    /// Whether the first message is a tensor. An input that begins with a tensor has no rows. The input keeps the
    /// bytes that this method reads from a pipe.
    ///
    /// # Errors
    /// If the input cannot be read. A malformed message is reported later, when it is read.
    pub fn holds_tensors_alone(&mut self) -> Result<bool, ToolError> {
        let limits = Limits::clone(&self.limits);
        let first = match &mut self.bytes {
            InputBytes::Positioned(source) => {
                MessageScan::try_new(&*source, 0..u64::MAX, limits).and_then(|mut scan| scan.next_message())
            }
            InputBytes::Pipe { start, rest } => first_message(start, rest, limits),
            InputBytes::Rows(_) => return Ok(false),
        };
        match first {
            Ok(first) => {
                let kind = first.map(|message| message.kind());
                Ok(matches!(kind, Some(MessageKind::Tensor | MessageKind::SparseTensor)))
            }
            Err(error) if error.class() == ErrorClass::Io => {
                Err(ToolError::new(&self.name, ToolErrorKind::Input(error)))
            }
            Err(_) => Ok(false),
        }
    }

    /// The length in bytes; `None` if the input cannot be read by position.
    pub fn n_bytes(&self) -> Option<u64> {
        match &self.bytes {
            InputBytes::Positioned(source) => source.n_bytes().ok(),
            InputBytes::Pipe { .. } | InputBytes::Rows(_) => self.positions.as_ref()?.n_bytes().ok(),
        }
    }

    /// A source that is read by position: the input itself, or a temporary copy of a pipe.
    ///
    /// # Errors
    /// If the copy cannot be made.
    pub fn into_source(self) -> Result<SharedSource, ToolError> {
        positioned(&self.name, self.bytes).map(|source| source.with_limits(self.limits))
    }

    /// Returns a function that opens the input again from its start. A pipe is first copied to a temporary file.
    ///
    /// # Errors
    /// If the copy cannot be made.
    pub fn into_repeated(self) -> Result<impl Fn() -> Input, ToolError> {
        let Input { name, container, bytes, positions: _, limits, index, origin, bytes_read: _ } = self;
        // The temporary copy of rows is a stream.
        let container = if matches!(bytes, InputBytes::Rows(_)) { Container::Stream } else { container };
        let bytes = positioned(&name, bytes)?;
        let bytes = move || InputBytes::Positioned(bytes.clone());
        Ok(move || Input {
            limits: Arc::clone(&limits),
            index: index.clone(),
            origin: origin.clone(),
            ..Input::new(name.clone(), container, bytes())
        })
    }

    /// Opens the input twice; see [`into_repeated`](Input::into_repeated).
    pub(crate) fn twice(self) -> Result<[Input; 2], ToolError> {
        self.into_repeated().map(|open| [open(), open()])
    }

    /// The bytes that were already read, and a source of the bytes after them.
    ///
    /// # Errors
    /// If the input cannot be read from its start.
    pub(crate) fn into_stream(self) -> Result<(Vec<Buffer>, StreamSource), ToolError> {
        let bytes = match self.bytes {
            InputBytes::Pipe { start, rest } => return Ok((start, StreamSource::Pipe(rest))),
            bytes @ (InputBytes::Positioned(_) | InputBytes::Rows(_)) => bytes,
        };
        let source = positioned(&self.name, bytes)?;
        let n_bytes = source.n_bytes().in_input(self.name)?;
        let start: Vec<Buffer> = source.whole().into_iter().collect();
        let position = if start.is_empty() { 0 } else { n_bytes };
        Ok((start, StreamSource::Positioned(PositionedRead::new(source, position), n_bytes)))
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Input");
        shown.field("name", &self.name).field("container", &self.container).finish_non_exhaustive()
    }
}

impl InputBytes {
    /// The first `LOOKED_AT_BYTES` bytes, to find the reason for an error; `start` if they cannot be read.
    fn beginning(&self, start: Buffer) -> Buffer {
        let InputBytes::Positioned(source) = self else { return start };
        let n_bytes = source.n_bytes().unwrap_or(0).min(LOOKED_AT_BYTES);
        source.fetch(0..n_bytes).unwrap_or(start)
    }
}

/// The input itself if it is read by position; otherwise a temporary copy of a pipe.
fn positioned(name: &InputName, bytes: InputBytes) -> Result<SharedSource, ToolError> {
    let (start, mut rest) = match bytes {
        InputBytes::Positioned(bytes) => return Ok(bytes),
        InputBytes::Pipe { start, rest } => (start, rest),
        InputBytes::Rows(rows) => return Ok(SharedSource::new(rows.spooled(name)?)),
    };
    let mut copy = || {
        let mut file = tempfile::tempfile()?;
        start.iter().try_for_each(|bytes| io::Write::write_all(&mut file, bytes))?;
        io::copy(&mut rest, &mut file)?;
        Ok(SharedSource::new(file))
    };
    copy().map_err(ToolErrorKind::Spool).in_input(name)
}

/// Reads until the next step of `messages` is complete. Passes all bytes that are read to `keep`.
///
/// # Errors
/// If the source cannot be read, or a message is malformed.
pub(crate) fn next_step(
    messages: &mut Messages,
    source: &mut impl Read,
    mut keep: impl FnMut(&Buffer),
) -> Result<MessageStep, IpcError> {
    loop {
        let step = messages.step()?;
        let MessageStep::NeedBytes(_) = step else { return Ok(step) };
        let piece = read_piece(source)?;
        if piece.is_empty() {
            messages.finish_input();
        } else {
            keep(&piece);
            messages.feed(piece);
        }
    }
}

/// Reads until the first message is complete. Appends all bytes that are read to `start`.
fn first_message(
    start: &mut Vec<Buffer>,
    rest: &mut impl Read,
    limits: Limits,
) -> Result<Option<Message>, IpcError> {
    let mut messages = Messages::new(limits);
    start.iter().for_each(|bytes| messages.feed(bytes.clone()));
    let step = next_step(&mut messages, rest, |piece| start.push(piece.clone()))?;
    Ok(if let MessageStep::Message(message) = step { Some(message) } else { None })
}

/// The total length of these buffers.
pub(crate) fn n_bytes_of(pieces: &[Buffer]) -> u64 {
    pieces.iter().fold(0, |n_bytes, piece| n_bytes.saturating_add(piece.len() as u64))
}

/// Reads once from the source. An empty buffer means the end of the source.
pub(crate) fn read_piece(source: &mut impl Read) -> io::Result<Buffer> {
    const PIECE_BYTES: usize = 64 << 10;
    let mut bytes = BufferMut::new();
    loop {
        match source.read(bytes.spare(PIECE_BYTES)) {
            Ok(n_bytes) => {
                bytes.filled(n_bytes);
                // A short read leaves most of the memory unused, so its bytes are copied.
                let is_small = n_bytes < PIECE_BYTES / 4;
                return Ok(if is_small { Buffer::copy_from(&bytes) } else { bytes.freeze() });
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn open_path(path: &Path) -> io::Result<(Buffer, InputBytes)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        // Reading a folder as a pipe fails with the error of the system.
        return open_pipe(Box::new(file));
    }
    let start = file.fetch(0..metadata.len().min(START_BYTES as u64))?;
    Ok((start, InputBytes::Positioned(SharedSource::new(file))))
}

fn open_pipe(mut rest: Box<dyn Read + Send>) -> io::Result<(Buffer, InputBytes)> {
    let mut bytes = BufferMut::new();
    while bytes.len() < START_BYTES {
        let piece = read_piece(&mut rest)?;
        if piece.is_empty() {
            break;
        }
        bytes.extend_from_slice(&piece);
    }
    let start = bytes.freeze();
    Ok((start.clone(), InputBytes::Pipe { start: vec![start], rest }))
}
