//! Splits bytes into messages. Reads only three fields of the metadata: the kind, the version, and the length of the
//! body.

use arrow_buffer::Buffer;

use crate::{
    error::{Context, CopyCause, FormatErrorKind, IpcErrorKind, Result},
    frame::UnreadBytes,
    options::{Copies, ReadOptions},
};
use arrow_ipc_format::{Container, Limits, Message, MessageKind, PREFIX_BYTES, Prefix, cut_prefix};

/// Splits a stream into messages, without I/O. Pass bytes to [`feed`](Messages::feed), or read them into
/// [`spare`](Messages::spare) and call [`filled`](Messages::filled). Then call [`step`](Messages::step) for the
/// messages.
///
/// [`StreamDecoder`](crate::StreamDecoder) is based on this type. Tools can use it to handle messages directly.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{Limits, MessageKind, MessageStep, Messages, StreamWriter};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let stream = writer.finish()?;
///
/// let mut messages = Messages::new(Limits::default());
/// let mut pieces = stream.chunks(100);
/// let mut kinds = Vec::new();
/// loop {
///     match messages.step()? {
///         MessageStep::Message(message) => kinds.push(message.kind()),
///         MessageStep::NeedBytes(_) => match pieces.next() {
///             Some(piece) => messages.feed(Buffer::copy_from(piece)),
///             None => messages.finish_input(),
///         },
///         _ => break,
///     }
/// }
/// assert_eq!(kinds, [MessageKind::Schema, MessageKind::RecordBatch]);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct Messages {
    limits: Limits,
    input: UnreadBytes,
    state: State,
    index: u64,
    /// The position after the last message that was returned.
    position: u64,
    message_start: u64,
    n_prefix_bytes: u64,
    is_input_complete: bool,
    /// Whether bytes came after the end of the input.
    is_fed_after_end: bool,
    bodies: BodyRule,
    /// Whether to request only the bytes of the next message.
    has_exact_reads: bool,
    copies: Copies,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyRule {
    Read,
    Skipped,
    /// Record batches with a longer body are returned without the body, which the caller takes later.
    ReadUpTo(u64),
}

#[derive(Debug)]
enum State {
    Prefix,
    Metadata {
        n_bytes: usize,
    },
    /// Skips metadata that is over the limit; `n_left` bytes have not arrived. If the input ends within the metadata,
    /// the error is `Truncated` instead of `LimitExceeded`.
    OverLimit {
        n_bytes: u64,
        n_left: u64,
    },
    /// The body has not arrived completely.
    Body {
        message: Message,
        n_bytes: usize,
    },
    /// The body is skipped; `n_left` of its bytes have not arrived. If the caller may take the body, `step` has already
    /// returned the message.
    Apart {
        message: Message,
        n_left: u64,
    },
    EndMarker,
    EndOfInput,
    Failed,
}

/// A result of [`Messages::step`].
#[derive(Debug)]
pub enum MessageStep {
    /// The next step needs at least this number of bytes. You may pass more or fewer.
    NeedBytes(u64),
    /// The next message.
    Message(Message),
    /// The stream has ended. [`into_rest`](Messages::into_rest) returns the bytes after it.
    End,
}

impl Messages {
    /// Splits a stream that begins with the first byte of the input.
    pub fn new(limits: Limits) -> Messages {
        Messages::with_input(limits, UnreadBytes::default())
    }

    /// Uses the limits, the memory and the memory budget of the options.
    pub fn new_with(options: ReadOptions) -> Messages {
        let input = UnreadBytes::with_memory(options.memory_to_recycle(), options.memory_budget.clone());
        let messages = Messages::with_input(options.limits, input);
        Messages { has_exact_reads: options.has_exact_reads, copies: options.copies, ..messages }
    }

    fn with_input(limits: Limits, input: UnreadBytes) -> Messages {
        Messages {
            limits,
            input,
            state: State::Prefix,
            index: 0,
            position: 0,
            message_start: 0,
            n_prefix_bytes: 0,
            is_input_complete: false,
            is_fed_after_end: false,
            bodies: BodyRule::Read,
            has_exact_reads: false,
            copies: Copies::Allowed,
        }
    }

    /// Skips all bodies, so they are never in memory. The returned messages have empty bodies.
    #[must_use]
    pub fn without_bodies(self) -> Messages {
        Messages { bodies: BodyRule::Skipped, ..self }
    }

    /// Sets the position of the first byte in a larger input. The positions of messages then count from the start of
    /// that input.
    #[must_use]
    pub fn with_start_position(mut self, position: u64) -> Messages {
        self.position = position;
        self.message_start = position;
        self
    }

    /// Appends bytes to the input. A message that is inside one buffer shares its memory.
    pub fn feed(&mut self, bytes: Buffer) {
        self.is_fed_after_end |= self.is_input_complete && !bytes.is_empty();
        self.input.feed(bytes);
    }

    /// Memory for the next bytes of the input. Read into it, then call [`filled`](Messages::filled) with the number of
    /// bytes. Long bodies are read directly into the memory that arrays will use.
    pub fn spare(&mut self) -> &mut [u8] {
        let n_needed = usize::try_from(self.n_missing()).unwrap_or(usize::MAX);
        let spare = self.input.spare(n_needed);
        let n_bytes = if self.has_exact_reads { spare.len().min(n_needed.max(1)) } else { spare.len() };
        spare.get_mut(..n_bytes).unwrap_or_default()
    }

    /// Checks that there was memory for the input so far. If not, [`spare`](Messages::spare) has one byte from then on, and the
    /// next step returns the same error: who passes many bytes between two steps stops here.
    ///
    /// # Errors
    /// If the budget or the system has refused memory to [`spare`](Messages::spare) or to a step.
    pub fn check_memory(&self) -> Result<()> {
        Ok(self.input.check()?)
    }

    /// Appends the first `n_bytes` bytes of [`spare`](Messages::spare) to the input. 0 means that no bytes have arrived yet,
    /// as for a socket that would block. At the end of the input, call [`finish_input`](Messages::finish_input).
    pub fn filled(&mut self, n_bytes: usize) {
        if n_bytes > 0 {
            self.is_fed_after_end |= self.is_input_complete;
            self.input.filled(n_bytes);
        }
    }

    /// Declares that the input ends here. The next step after the last whole message is then the end, or an error if a
    /// message is incomplete. If more bytes are passed afterwards, the next step fails.
    pub fn finish_input(&mut self) {
        self.is_input_complete = true;
    }

    /// The position after the last message that was returned, or after the end marker.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether the stream has an end marker; `false` before the [end](MessageStep::End).
    pub fn has_end_marker(&self) -> bool {
        matches!(self.state, State::EndMarker)
    }

    /// The bytes of the input after the last returned message. After the end, these are the bytes after the stream.
    /// Before the end, they may begin with a part of a message. Bytes that were skipped are missing.
    pub fn into_rest(self) -> Vec<Buffer> {
        let partial = match &self.state {
            State::Metadata { n_bytes } => {
                vec![Buffer::from(Prefix::to_bytes(self.n_prefix_bytes, *n_bytes as u64))]
            }
            State::OverLimit { n_bytes, .. } => {
                vec![Buffer::from(Prefix::to_bytes(self.n_prefix_bytes, *n_bytes))]
            }
            State::Body { message, .. } | State::Apart { message, .. } => {
                let metadata = message.envelope().metadata();
                let prefix = Prefix::to_bytes(self.n_prefix_bytes, metadata.len() as u64);
                vec![Buffer::from(prefix), metadata.clone()]
            }
            State::Prefix | State::EndMarker | State::EndOfInput | State::Failed => Vec::new(),
        };
        partial.into_iter().filter(|bytes| !bytes.is_empty()).chain(self.input.into_rest()).collect()
    }

    /// The number of bytes that were copied because a message was not inside one buffer of the input.
    pub fn n_reassembled_bytes(&self) -> u64 {
        self.input.n_reassembled_bytes()
    }

    /// Returns the next message, or [`NeedBytes`](MessageStep::NeedBytes) if it has not arrived.
    ///
    /// # Errors
    /// If the framing is broken, a length is over a limit, or the input ends inside a message. Metadata over the limit
    /// is skipped first; if the input ends inside this metadata, the error says that the input is truncated. After an
    /// error, every step fails.
    pub fn step(&mut self) -> Result<MessageStep> {
        let step = self.advance();
        // If there was no memory for arrived bytes, the step may ask for bytes that have arrived. So the error about
        // memory comes first.
        match self.check_memory().and(step) {
            Ok(step) => Ok(step),
            Err(error) => {
                self.fail();
                Err(error).in_message(self.index, self.message_start)
            }
        }
    }

    /// Makes every later step fail, because a message is invalid.
    pub(super) fn fail(&mut self) {
        self.state = State::Failed;
    }

    /// Makes [`step`](Messages::step) return a record batch without its body if the body has more than `n_body_bytes`
    /// bytes.
    pub(super) fn with_max_body_bytes(self, n_body_bytes: u64) -> Messages {
        Messages { bodies: BodyRule::ReadUpTo(n_body_bytes), ..self }
    }

    /// The number of bytes of the last message's body that are neither taken nor left out; 0 if the message has its
    /// body.
    pub(super) fn n_remaining_body_bytes(&self) -> u64 {
        if let State::Apart { n_left, .. } = self.state { n_left } else { 0 }
    }

    /// Takes the next bytes of the last message's body; `None` if none have arrived.
    pub(super) fn read_body_bytes(&mut self) -> Option<Buffer> {
        let bytes = self.input.take_some(self.n_remaining_body_bytes())?;
        self.skip_body_bytes(bytes.len() as u64);
        Some(bytes)
    }

    /// Declares that the input does not contain the next `n_bytes` bytes of the body.
    pub(super) fn skip_body_bytes(&mut self, n_bytes: u64) {
        if let State::Apart { message, n_left } = &mut self.state {
            *n_left = n_left.saturating_sub(n_bytes);
            if *n_left == 0 {
                let message = message.clone();
                // The message was already returned.
                drop(self.finish(message));
            }
        }
    }

    fn advance(&mut self) -> Result<MessageStep> {
        if self.is_fed_after_end && !matches!(self.state, State::Failed) {
            return Err(IpcErrorKind::InputFinished.into());
        }
        loop {
            match std::mem::replace(&mut self.state, State::Failed) {
                State::Failed => return Err(IpcErrorKind::AlreadyFailed { what: "stream" }.into()),
                ended @ (State::EndMarker | State::EndOfInput) => {
                    self.state = ended;
                    return Ok(MessageStep::End);
                }
                State::Prefix => match Prefix::parse(self.input.peek(&mut [0; PREFIX_BYTES as usize]))? {
                    None => {
                        self.state = State::Prefix;
                        return self.need_prefix();
                    }
                    Some(Prefix::EndOfStream { n_prefix_bytes }) => {
                        self.input.skip(n_prefix_bytes);
                        self.position = self.position.saturating_add(n_prefix_bytes);
                        self.state = State::EndMarker;
                    }
                    Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) => {
                        self.input.skip(n_prefix_bytes);
                        // The state is stored only if bytes are missing, since storing it moves the large message.
                        if let Some(step) = self.begin_metadata(n_prefix_bytes, n_metadata_bytes)? {
                            return Ok(step);
                        }
                    }
                },
                State::Metadata { n_bytes } => {
                    if let Some(step) = self.metadata(n_bytes)? {
                        return Ok(step);
                    }
                }
                State::Body { message, n_bytes } => return self.body(message, n_bytes),
                State::OverLimit { n_bytes, n_left } => match self.skip("metadata", n_bytes, n_left)? {
                    0 => Limits::check("bytes of metadata", n_bytes, self.limits.max_metadata_bytes())?,
                    n_left => return Ok(self.wait_in(State::OverLimit { n_bytes, n_left })),
                },
                State::Apart { message, n_left } => {
                    let n_left = self.skip("body", message.envelope().n_body_bytes(), n_left)?;
                    if n_left > 0 {
                        return Ok(self.wait_in(State::Apart { message, n_left }));
                    }
                    let step = self.finish(message);
                    if self.bodies == BodyRule::Skipped {
                        return Ok(step);
                    }
                }
            }
        }
    }

    /// Stores a prefix, and reads the metadata after it. `None` if bytes have to be skipped first.
    fn begin_metadata(&mut self, n_prefix_bytes: u64, n_metadata_bytes: u32) -> Result<Option<MessageStep>> {
        if self.index == 0 && n_prefix_bytes < 8 {
            // The first bytes may be another format, since a legacy prefix is only a length.
            let found = Container::detect(&n_metadata_bytes.to_le_bytes());
            if found != Container::Stream {
                return Err(IpcErrorKind::WrongContainer { expected: "an Arrow IPC stream", found }.into());
            }
        }
        self.n_prefix_bytes = n_prefix_bytes;
        let n_bytes = u64::from(n_metadata_bytes);
        if n_bytes > self.limits.max_metadata_bytes() {
            self.state = State::OverLimit { n_bytes, n_left: n_bytes };
            return Ok(None);
        }
        self.metadata(usize::try_from(n_bytes).unwrap_or(usize::MAX))
    }

    /// Reads the metadata, and the body unless it is skipped. `None` if the body has to be skipped first.
    fn metadata(&mut self, n_bytes: usize) -> Result<Option<MessageStep>> {
        let Some(metadata) = self.input.take(n_bytes) else {
            self.state = State::Metadata { n_bytes };
            return self.need("metadata", n_bytes).map(Some);
        };
        let (index, position) = (self.index, self.message_start);
        let message = Message::without_body(index, position, self.n_prefix_bytes, metadata, &self.limits)?;
        let requested = message.envelope().n_body_bytes();
        match self.bodies {
            BodyRule::Skipped => {
                self.state = State::Apart { message, n_left: requested };
                return Ok(None);
            }
            BodyRule::ReadUpTo(n_bytes)
                if requested > n_bytes && message.envelope().kind() == MessageKind::RecordBatch =>
            {
                self.state = State::Apart { message: message.clone(), n_left: requested };
                return Ok(Some(MessageStep::Message(message)));
            }
            BodyRule::Read | BodyRule::ReadUpTo(_) => {}
        }
        let n_bytes = Limits::fit("bytes of body", requested, usize::MAX as u64)?;
        self.body(message, n_bytes).map(Some)
    }

    fn body(&mut self, message: Message, n_bytes: usize) -> Result<MessageStep> {
        if self.copies == Copies::Refused && self.input.must_gather(n_bytes) {
            let kind = IpcErrorKind::CopyRefused { cause: CopyCause::Scattered, n_bytes: n_bytes as u64 };
            return Err(kind.into());
        }
        let Some(body) = self.input.take(n_bytes) else {
            self.state = State::Body { message, n_bytes };
            return self.need("body", n_bytes);
        };

        Ok(self.finish(message.with_body(body)))
    }

    /// Prepares for the next message, and returns this one.
    fn finish(&mut self, message: Message) -> MessageStep {
        let n_bytes = message.n_prefix_bytes().saturating_add(message.envelope().n_message_bytes());
        self.position = self.position.saturating_add(n_bytes);
        self.message_start = self.position;
        self.index += 1;
        self.state = State::Prefix;
        MessageStep::Message(message)
    }

    /// Handles a missing prefix. At the end of the input, this is the end of the stream.
    fn need_prefix(&mut self) -> Result<MessageStep> {
        let n_bytes = self.input.n_bytes();
        match (self.is_input_complete, n_bytes) {
            (false, _) => Ok(MessageStep::NeedBytes(self.n_missing())),
            (true, 0) => {
                self.state = State::EndOfInput;
                Ok(MessageStep::End)
            }
            (true, _) => Err(cut_prefix(n_bytes).into()),
        }
    }

    fn wait_in(&mut self, state: State) -> MessageStep {
        self.state = state;
        MessageStep::NeedBytes(self.n_missing())
    }

    fn need(&self, what: &'static str, needed: usize) -> Result<MessageStep> {
        if self.is_input_complete {
            return self.truncated(what, self.input.n_bytes(), needed as u64);
        }
        Ok(MessageStep::NeedBytes(self.n_missing()))
    }

    /// Skips up to `n_left` bytes that have arrived. Returns the number of bytes that are still to be skipped.
    fn skip(&mut self, what: &'static str, n_bytes: u64, n_left: u64) -> Result<u64> {
        let n_left = n_left.saturating_sub(self.input.skip(n_left));
        if n_left > 0 && self.is_input_complete {
            return self.truncated(what, n_bytes.saturating_sub(n_left), n_bytes);
        }
        Ok(n_left)
    }

    fn truncated<T>(&self, what: &'static str, available: u64, needed: u64) -> Result<T> {
        Err(FormatErrorKind::Truncated { what, needed, available }.into())
    }

    fn n_missing(&self) -> u64 {
        let needed = match &self.state {
            State::Prefix => PREFIX_BYTES,
            State::Metadata { n_bytes } | State::Body { n_bytes, .. } => *n_bytes as u64,
            State::OverLimit { n_left, .. } | State::Apart { n_left, .. } => *n_left,
            State::EndMarker | State::EndOfInput | State::Failed => 0,
        };
        needed.saturating_sub(self.input.n_bytes())
    }
}
