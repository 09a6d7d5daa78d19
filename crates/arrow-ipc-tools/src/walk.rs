//! Walks over the messages of an input, without decoding their bodies. Also compares a file with the stream inside, and passes
//! messages on.

pub(crate) mod footer_check;
pub(crate) mod relay;

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_ipc::{
    FileReader, IpcError, IpcErrorKind, Limits, MessageScan, MessageStep, Messages, Source,
    file::{Block, Footer},
    message::Message,
    planner::{METADATA_REQUEST_BYTES, RangeQueue},
};

use crate::{
    error::{InputContext, ToolError, trailing::TrailingBytes},
    input::{Input, MAGIC_BYTES, StreamSource, continuation::Continuation, next_step},
    rows::walked_stream,
    source::{PositionedRead, SharedSource},
};

/// The messages of a stream, or of the stream inside a file.
pub(crate) enum Walk {
    /// Reads only metadata, by position. `n_bytes` is the length of the source.
    Scan { scan: Box<MessageScan<SharedSource>>, file: SharedSource, n_bytes: u64, metadata: RangeQueue },
    /// Reads messages as they arrive.
    Pipe { messages: Box<Messages>, pipe: WalkedPipe, has_failed: bool },
}

/// A source that is read as it arrives.
pub(crate) struct WalkedPipe {
    source: StreamSource,
    limits: Arc<Limits>,
    /// Whether messages are returned with their bodies. Otherwise bodies are read a few bytes at a time, and dropped.
    has_bodies: bool,
}

impl Walk {
    /// Walks over the messages of a stream, which have no bodies.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn open_without_bodies(input: Input) -> Result<Walk, ToolError> {
        let has_bodies = false;
        Walk::open(input, has_bodies)
    }

    fn open(input: Input, has_bodies: bool) -> Result<Walk, ToolError> {
        let name = input.name().clone();
        let limits = Arc::clone(&input.limits);
        if input.has_positions() {
            let walk = Walk::from_stream(input.into_source()?, 0);
            return walk.in_input(name);
        }
        let (start, source) = input.into_stream()?;
        Ok(WalkedPipe { source, limits, has_bodies }.messages(0, start))
    }

    /// Walks over the messages of a stream, for tools that need only their metadata. Where several short requests at a time
    /// are better than all bytes in order, the metadata is found first. Messages from a pipe have bodies.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn open_metadata(input: Input) -> Result<Walk, ToolError> {
        let has_bodies = true;
        let Some(reader) = walked_stream(&input) else { return Walk::open(input, has_bodies) };
        Walk::over_metadata(&reader).in_input(input.name().clone())
    }

    /// Walks over the metadata of a stream that a reader has found. Requests several at a time.
    ///
    /// # Errors
    /// If the length of the source is unknown.
    pub(crate) fn over_metadata(reader: &FileReader<SharedSource>) -> Result<Walk, IpcError> {
        let file = reader.source().clone();
        let metadata = metadata_and_gaps(&file, reader.footer());
        Walk::from_stream_with(file, 0, metadata)
    }

    /// Walks over the stream inside a file, up to `end`, where the footer begins.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn file(file: SharedSource, footer: Option<&Footer>, end: u64) -> Result<Walk, IpcError> {
        let mut metadata = footer.map(|footer| metadata_and_gaps(&file, footer)).unwrap_or_default();
        file.prefetch_next(&mut metadata, 0..usize::MAX);
        let n_bytes = file.n_bytes()?;
        let scan = file.scan(MAGIC_BYTES..end)?.with_skipped_gaps().with_bare_schema();
        Ok(Walk::Scan { scan: Box::new(scan), file, n_bytes, metadata })
    }

    /// Walks over the messages of a stream that is read by position, and begins at `start`.
    ///
    /// # Errors
    /// If the length of the source is unknown.
    pub(crate) fn from_stream(file: SharedSource, start: u64) -> Result<Walk, IpcError> {
        Walk::from_stream_with(file, start, RangeQueue::default())
    }

    fn from_stream_with(file: SharedSource, start: u64, metadata: RangeQueue) -> Result<Walk, IpcError> {
        let n_bytes = file.n_bytes()?;
        let scan = file.scan(start..u64::MAX)?;
        Ok(Walk::Scan { scan: Box::new(scan), file, n_bytes, metadata })
    }

    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read or is malformed. After an error there are no more messages.
    pub(crate) fn next_message(&mut self) -> Result<Option<Message>, IpcError> {
        match self {
            Walk::Scan { scan, file, metadata, .. } => {
                file.prefetch(metadata.next_at(MessageScan::position(scan)));
                scan.next_message()
            }
            Walk::Pipe { has_failed: true, .. } => Ok(None),
            Walk::Pipe { messages, pipe, has_failed } => {
                let next = next_step(messages, &mut pipe.source, |_| {});
                *has_failed = next.is_err();
                next.map(|step| if let MessageStep::Message(message) = step { Some(message) } else { None })
            }
        }
    }

    /// The source of the bodies; `None` for a pipe, whose messages contain their bodies.
    pub(crate) fn source(&self) -> Option<&SharedSource> {
        match self {
            Walk::Scan { file, .. } => Some(file),
            Walk::Pipe { .. } => None,
        }
    }

    /// The limits of reading.
    pub(crate) fn limits(&self) -> &Limits {
        match self {
            Walk::Scan { file, .. } => file.limits(),
            Walk::Pipe { pipe, .. } => &pipe.limits,
        }
    }

    /// The byte offset after the last message, or after the end marker.
    pub(crate) fn position(&self) -> u64 {
        match self {
            Walk::Scan { scan, .. } => MessageScan::position(scan),
            Walk::Pipe { messages, .. } => messages.position(),
        }
    }

    /// Whether the stream has an end marker; `false` before the last message was returned.
    pub(crate) fn has_end_marker(&self) -> bool {
        match self {
            Walk::Scan { scan, .. } => scan.has_end_marker(),
            Walk::Pipe { messages, .. } => messages.has_end_marker(),
        }
    }

    /// Detects what follows the stream in its input. Call this after the last message.
    ///
    /// # Errors
    /// If the input cannot be read, or another stream begins with a malformed message.
    pub(crate) fn after_end(self) -> Result<StreamSuccessor, IpcError> {
        if !self.has_end_marker() {
            return Ok(StreamSuccessor::Nothing);
        }
        let end = self.position();
        match self {
            Walk::Scan { file, n_bytes, .. } => {
                let mut rest = PositionedRead::new(file.clone(), end);
                Ok(match Continuation::detect(end, Vec::new(), &mut rest, Some(n_bytes), file.limits())? {
                    Continuation::Nothing => StreamSuccessor::Nothing,
                    Continuation::Other(rest) => StreamSuccessor::Other(rest),
                    Continuation::Stream { start, .. } => {
                        StreamSuccessor::Stream(Box::new(Walk::from_stream(file, start)?))
                    }
                })
            }
            Walk::Pipe { messages, mut pipe, .. } => Ok(
                match Continuation::detect(end, messages.into_rest(), &mut pipe.source, None, &pipe.limits)? {
                    Continuation::Nothing => StreamSuccessor::Nothing,
                    Continuation::Other(rest) => StreamSuccessor::Other(rest),
                    Continuation::Stream { start, bytes } => {
                        StreamSuccessor::Stream(Box::new(pipe.messages(start, bytes)))
                    }
                },
            ),
        }
    }
}

impl WalkedPipe {
    /// The messages from the position `start`. `bytes` were already read.
    fn messages(self, start: u64, bytes: Vec<Buffer>) -> Walk {
        let mut messages = Messages::new(Limits::clone(&self.limits)).with_start_position(start);
        if !self.has_bodies {
            messages = messages.without_bodies();
        }
        bytes.into_iter().for_each(|bytes| messages.feed(bytes));
        Walk::Pipe { messages: Box::new(messages), pipe: self, has_failed: false }
    }
}

/// After an error, the iterator ends.
impl Iterator for Walk {
    type Item = Result<Message, IpcError>;

    fn next(&mut self) -> Option<Result<Message, IpcError>> {
        self.next_message().transpose()
    }
}

/// The error for a stream that ends before its schema message.
pub(crate) fn missing_schema(walk: &Walk) -> IpcError {
    if walk.has_end_marker() { IpcErrorKind::NoSchema.into() } else { IpcErrorKind::EmptyInput.into() }
}

/// What follows a stream in its input.
pub(crate) enum StreamSuccessor {
    Nothing,
    /// Another stream, with its messages.
    Stream(Box<Walk>),
    /// Bytes that are neither a stream nor all zero.
    Other(TrailingBytes),
}

fn in_order_of_file(footer: &Footer) -> Vec<&Block> {
    let mut blocks: Vec<&Block> = footer.dictionaries().iter().chain(footer.batches()).collect();
    blocks.sort_unstable_by_key(|block| block.position());
    blocks
}

/// The ranges that a walk over a file reads: all bytes before the first block, the metadata of each block, and the
/// bytes after the last block.
fn metadata_and_gaps(file: &SharedSource, footer: &Footer) -> RangeQueue {
    /// The maximal number of bytes that are fetched before the first block. Schema messages are rarely longer.
    const MAX_START_BYTES: u64 = 1 << 20;
    let blocks = in_order_of_file(footer);
    let end = footer.position();
    let range = |position: u64, n_bytes: u64| position.min(end)..position.saturating_add(n_bytes).min(end);
    let last = blocks.last().map_or(0, |block| block.range().end);
    let start = range(0, first_block(footer).clamp(MAGIC_BYTES + METADATA_REQUEST_BYTES, MAX_START_BYTES));
    let metadata = file.queue_of(blocks, |_, block| {
        range(block.position(), block.n_metadata_bytes().max(METADATA_REQUEST_BYTES))
    });
    metadata.between(start, range(last, METADATA_REQUEST_BYTES))
}

/// The byte offset of the first block, or of the footer if it lists no blocks.
pub(crate) fn first_block(footer: &Footer) -> u64 {
    let blocks = footer.dictionaries().iter().chain(footer.batches());
    blocks.map(Block::position).min().unwrap_or(footer.position())
}
