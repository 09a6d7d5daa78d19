//! Finds messages by reading only their metadata, for tools.

use std::{io, iter::FusedIterator, ops::Range};

use arrow_buffer::Buffer;

use crate::{
    error::{Context, ErrorClass, IpcErrorKind, Result},
    file::{FILE, Footer, START_BYTES},
    frame::cursor::{CursorState, CursorStep, MessageCursor},
    source::{
        Source,
        planner::{METADATA_REQUEST_BYTES, MetadataWindows, RangePlanner, fetch_requests},
    },
};
use arrow_ipc_format::{Limits, Message, PREFIX_BYTES, bare_schema, length_of};

/// Finds the messages of a stream, or of the stream inside a file, and reads only their metadata.
///
/// The scan is for tools that inspect messages. The [`body`](Message::body) of the returned messages is empty;
/// [`n_body_bytes`](Message::n_body_bytes) and [`body_position`](Message::body_position) say where the body is in the
/// source. If a body is truncated, the scan returns its message first, and then the error.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileWriter, Limits, MessageKind, MessageScan};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let file = Buffer::from(writer.finish()?);
///
/// // Of a stream: `MessageScan::try_new(source, 0..u64::MAX, limits)`.
/// let mut scan = MessageScan::try_from_file(file, Limits::default())?;
/// let mut kinds = Vec::new();
/// while let Some(message) = scan.next_message()? {
///     assert!(message.body().is_empty());
///     kinds.push(message.kind());
/// }
/// assert_eq!(kinds, [MessageKind::Schema, MessageKind::RecordBatch]);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct MessageScan<S> {
    source: S,
    cursor: MessageCursor,
    metadata: MetadataRequests,
    /// Whether zeros between messages are skipped. Otherwise they are the end marker of legacy streams.
    skips_gaps: bool,
    /// Whether a schema message without a prefix is accepted as the first message.
    may_begin_bare: bool,
}

/// Requests the metadata of messages, and holds what has been fetched after the last message.
#[derive(Debug)]
struct MetadataRequests {
    /// `None` if requests cost nothing, or all bytes are in memory: then nothing is fetched that may not be needed.
    windows: Option<MetadataWindows>,
    planner: RangePlanner,
}

impl<S: Source> MessageScan<S> {
    /// Scans a range of the source, up to the end of the source.
    ///
    /// # Errors
    /// If the source cannot return its length.
    pub fn try_new(source: S, range: Range<u64>, limits: Limits) -> Result<MessageScan<S>> {
        let end = range.end.min(source.n_bytes()?);
        let cursor = MessageCursor::new(range.start..end, 0, limits);
        let metadata = MetadataRequests::new(&source, end);
        Ok(MessageScan { source, cursor, metadata, skips_gaps: false, may_begin_bare: false })
    }

    /// Scans the messages between the magic and the footer of a file, and skips gaps between them. If no footer is at the
    /// end, the scan continues to the end of the file.
    ///
    /// The scan does not compare the footer with the messages. [`Footer::read`] returns the footer.
    ///
    /// # Errors
    /// If the source fails, or does not begin like an Arrow file.
    pub fn try_from_file(source: S, limits: Limits) -> Result<MessageScan<S>> {
        let n_bytes = source.n_bytes()?;
        Footer::check_start(&source.fetch(0..n_bytes.min(START_BYTES))?, FILE)?;
        let end = match Footer::read(&source, &limits) {
            Ok(footer) => footer.position(),
            Err(error) if error.class() == ErrorClass::Io => return Err(error),
            Err(_) => Footer::find_position(&source, &limits)?.unwrap_or(n_bytes),
        };
        Ok(MessageScan::try_new(source, START_BYTES..end, limits)?.with_skipped_gaps())
    }

    /// Skips zeros between messages, for files: their footer lists the positions of messages, so there may be gaps. In
    /// a stream, zeros are the legacy end marker.
    #[must_use]
    pub fn with_skipped_gaps(self) -> MessageScan<S> {
        MessageScan { skips_gaps: true, ..self }
    }

    /// Accepts a schema message without a prefix at the start of the range. Polars writes such a message at the start
    /// of files. [`has_prefix`](Message::has_prefix) returns `false` for it.
    #[must_use]
    pub fn with_bare_schema(self) -> MessageScan<S> {
        MessageScan { may_begin_bare: true, ..self }
    }

    /// The position after the last message that was returned, or after the end marker.
    pub fn position(&self) -> u64 {
        self.cursor.position
    }

    /// Whether the scan has reached an end marker.
    pub fn has_end_marker(&self) -> bool {
        matches!(self.cursor.state, CursorState::EndMarker { .. })
    }

    /// Skips zeros after a legacy end marker, up to a multiple of eight, and returns whether other bytes follow. The
    /// padding of the magic and gaps between messages look like this marker. Skips nothing after a current end marker.
    fn skip_zeros(&mut self) -> Result<bool> {
        if !matches!(self.cursor.state, CursorState::EndMarker { n_bytes } if n_bytes < PREFIX_BYTES) {
            return Ok(false);
        }
        // Messages begin at multiples of eight.
        let Some(mut position) = self.cursor.position.checked_next_multiple_of(PREFIX_BYTES) else {
            return Ok(false);
        };
        loop {
            let bytes = self.fetch(position, METADATA_REQUEST_BYTES)?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let Some(n_zeros) = bytes.iter().position(|byte| *byte != 0) else {
                position = position.saturating_add(bytes.len() as u64);
                continue;
            };
            let n_zeros = n_zeros as u64;
            self.cursor.position = position.saturating_add(n_zeros - n_zeros % PREFIX_BYTES);
            self.cursor.state = CursorState::Messages;
            self.may_begin_bare = false;
            return Ok(true);
        }
    }

    /// The next message; `None` at the end of the stream or range.
    ///
    /// # Errors
    /// If the source fails, the framing is broken, a length is over a limit, or the bytes end inside a message. After
    /// an error, the scan returns `None`.
    pub fn next_message(&mut self) -> Result<Option<Message>> {
        let (index, position) = match self.cursor.state {
            CursorState::CutBody { message_start, .. } => {
                (self.cursor.index.saturating_sub(1), message_start)
            }
            CursorState::Messages
            | CursorState::EndMarker { .. }
            | CursorState::EndOfBytes
            | CursorState::Failed => (self.cursor.index, self.cursor.position),
        };
        let next = self.advance_over_gaps();
        if next.is_err() {
            self.cursor.state = CursorState::Failed;
        }
        next.in_message(index, position)
    }

    fn advance_over_gaps(&mut self) -> Result<Option<Message>> {
        loop {
            let next = match self.advance() {
                Err(error) if self.may_begin_bare && self.cursor.index == 0 => {
                    Some(self.bare_schema()?.ok_or(error)?)
                }
                next => next?,
            };
            if next.is_some() || !self.skips_gaps || !self.skip_zeros()? {
                return Ok(next);
            }
        }
    }

    fn bare_schema(&mut self) -> Result<Option<Message>> {
        let position = self.cursor.position;
        let bare = bare_schema(&self.cursor.limits, |n_bytes| self.fetch(position, n_bytes))?;
        let Some(envelope) = bare else { return Ok(None) };
        let message = Message::from_parts(self.cursor.index, position, 0, envelope, Buffer::new());
        self.cursor.index = self.cursor.index.saturating_add(1);
        self.cursor.position = message.body_position();
        Ok(Some(message))
    }

    fn advance(&mut self) -> Result<Option<Message>> {
        let MessageScan { source, cursor, metadata, .. } = self;
        let start = cursor.position;
        match cursor.step(&mut |range: Range<u64>| Ok(metadata.read(range, source)?))? {
            CursorStep::Message(message) => {
                metadata.passed(start..cursor.position, message.body_position());
                Ok(Some(message))
            }
            CursorStep::End => Ok(None),
            CursorStep::NeedBytes => {
                let (start, end) = (cursor.position, cursor.end);
                Err(IpcErrorKind::Fetch { start, end, error: io::ErrorKind::UnexpectedEof.into() }.into())
            }
        }
    }

    /// Up to `n_bytes` bytes from `position` on, fewer at the end of the range.
    fn fetch(&self, position: u64, n_bytes: u64) -> Result<Buffer> {
        let range = position..self.cursor.end.min(position.saturating_add(n_bytes));
        if range.is_empty() {
            return Ok(Buffer::new());
        }
        self.metadata.planner.find(&range).map_or_else(|| Ok(self.source.fetch(range)?), Ok)
    }
}

impl MetadataRequests {
    /// Requests for messages that end at `end` or before.
    fn new(source: &impl Source, end: u64) -> MetadataRequests {
        let cost = source.fetch_cost();
        let is_free = cost.n_bytes_per_request() == 0 || source.whole().is_some();
        let windows = (!is_free).then(|| MetadataWindows::new(&cost, end));
        MetadataRequests { windows, planner: RangePlanner::default() }
    }

    /// The bytes of a range; `None` if the source returns too few. If they are missing, fetches them with metadata that
    /// comes later.
    fn read(&mut self, range: Range<u64>, source: &impl Source) -> io::Result<Option<Buffer>> {
        let MetadataRequests { windows, planner } = self;
        let Some(windows) = windows else {
            return Ok(source.fetch(range.clone())?.try_slice(0, length_of(&range)).ok());
        };
        if let Some(found) = planner.find(&range).or_else(|| source.cached(&range)) {
            return Ok(Some(detached(found)));
        }
        let requests: Vec<Range<u64>> = windows.requests(range.clone()).collect();
        let around = requests.first().unwrap_or(&range).clone();
        if requests.len() > 1 {
            fetch_into(planner, requests, source);
        }
        if let Some(found) = planner.find(&range) {
            return Ok(Some(detached(found)));
        }
        // If the bytes around it fail, the range alone may not.
        let bytes = source.fetch(around).or_else(|_| source.fetch(range.clone()))?;
        let is_window = bytes.len() as u64 > length_of(&range).saturating_mul(2);
        let found = bytes.try_slice(0, length_of(&range)).ok();
        planner.insert(range.start, bytes);
        Ok(if is_window { found.map(detached) } else { found })
    }

    fn passed(&mut self, message: Range<u64>, body_position: u64) {
        self.planner.release_before(message.end);
        self.windows.iter_mut().for_each(|windows| windows.passed(message.clone(), body_position));
    }
}

/// A copy, so that a message that is held for long does not hold a window of many messages.
fn detached(found: Buffer) -> Buffer {
    if found.len() as u64 <= PREFIX_BYTES { found } else { Buffer::copy_from(&found) }
}

/// Fetches these ranges together. Errors are found when a range is fetched alone.
fn fetch_into(planner: &mut RangePlanner, ranges: Vec<Range<u64>>, source: &impl Source) {
    let cost = source.fetch_cost();
    for requests in planner.requests(ranges, &cost) {
        let Ok(fetched) = fetch_requests(source, &requests, &cost) else { return };
        requests.iter().zip(&fetched).for_each(|(request, bytes)| planner.provide(request, bytes));
    }
}

/// The iterator ends after an error.
impl<S: Source> Iterator for MessageScan<S> {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Result<Message>> {
        self.next_message().transpose()
    }
}

impl<S: Source> FusedIterator for MessageScan<S> {}

#[cfg(test)]
mod tests;
