//! A cursor over the messages of a range of bytes. Needs only their prefixes and metadata, and does no I/O.

use std::ops::Range;

use arrow_buffer::Buffer;

use crate::error::{FormatErrorKind, Result};
use arrow_ipc_format::{Envelope, Limits, Message, PREFIX_BYTES, Prefix};

/// The next message, its index, and the state after the last message.
#[derive(Debug, Clone)]
pub(crate) struct HeadCursor {
    pub(crate) limits: Limits,
    /// The position after the last message, or after the end marker.
    pub(crate) position: u64,
    /// The end of the range.
    pub(crate) end: u64,
    pub(crate) index: u64,
    pub(crate) state: HeadState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeadState {
    Messages,
    /// The last message states a body of this length, but the range ends before the end of the body.
    CutBody {
        message_start: u64,
        n_bytes: u64,
    },
    EndMarker {
        n_bytes: u64,
    },
    EndOfBytes,
    Failed,
}

/// A result of [`HeadCursor::step`].
pub(crate) enum HeadStep {
    /// The bytes that the cursor needs are missing.
    NeedBytes,
    /// The next message, without its body.
    Message(Message),
    /// The end of the messages: an end marker, or the end of the range.
    End,
}

impl HeadCursor {
    /// A cursor over the messages from `range.start` on. The first has this index.
    pub(crate) fn new(range: Range<u64>, index: u64, limits: Limits) -> HeadCursor {
        HeadCursor { limits, position: range.start, end: range.end, index, state: HeadState::Messages }
    }

    /// The position and the index of the next message.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.position, self.index)
    }

    pub(crate) fn state(&self) -> HeadState {
        self.state
    }

    /// The next message. `find` returns the bytes of a range, or `None` if they are missing; then the next call asks for
    /// the same range. If a body ends after the range, returns its message first, and then the error.
    ///
    /// # Errors
    /// The errors of `find`. If the framing is broken, a length is over a limit, or the range ends inside a message.
    pub(crate) fn step(
        &mut self,
        find: &mut impl FnMut(Range<u64>) -> Result<Option<Buffer>>,
    ) -> Result<HeadStep> {
        match self.state {
            HeadState::EndMarker { .. } | HeadState::EndOfBytes | HeadState::Failed => Ok(HeadStep::End),
            HeadState::CutBody { n_bytes: needed, .. } => {
                let available = self.end.saturating_sub(self.position);
                Err(FormatErrorKind::Truncated { what: "body", needed, available }.into())
            }
            HeadState::Messages => self.advance(find),
        }
    }

    fn advance(&mut self, find: &mut impl FnMut(Range<u64>) -> Result<Option<Buffer>>) -> Result<HeadStep> {
        let start = self.position;
        if start >= self.end {
            self.state = HeadState::EndOfBytes;
            return Ok(HeadStep::End);
        }
        let Some(prefix) = find(start..self.end.min(start.saturating_add(PREFIX_BYTES)))? else {
            return Ok(HeadStep::NeedBytes);
        };
        let (n_prefix_bytes, n_metadata_bytes) = match Prefix::parse(&prefix)? {
            None => {
                let what = "message prefix";
                let needed = PREFIX_BYTES;
                let available = prefix.len() as u64;
                return Err(FormatErrorKind::Truncated { what, needed, available }.into());
            }
            Some(Prefix::EndOfStream { n_prefix_bytes }) => {
                self.position = start.saturating_add(n_prefix_bytes);
                self.state = HeadState::EndMarker { n_bytes: n_prefix_bytes };
                return Ok(HeadStep::End);
            }
            Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) => (n_prefix_bytes, n_metadata_bytes),
        };
        let needed = u64::from(n_metadata_bytes);
        let metadata_start = start.saturating_add(n_prefix_bytes);
        self.limits.check_metadata(needed, self.end.saturating_sub(metadata_start))?;
        let Some(metadata) = find(metadata_start..metadata_start.saturating_add(needed))? else {
            return Ok(HeadStep::NeedBytes);
        };
        let envelope = Envelope::parse(metadata, &self.limits)?;
        let n_body_bytes = envelope.n_body_bytes();
        let message = Message::from_parts(self.index, start, n_prefix_bytes, envelope, Buffer::new());
        self.index = self.index.saturating_add(1);
        match message.body_position().checked_add(n_body_bytes).filter(|end| *end <= self.end) {
            Some(end) => self.position = end,
            None => {
                self.position = message.body_position();
                self.state = HeadState::CutBody { message_start: start, n_bytes: n_body_bytes };
            }
        }
        Ok(HeadStep::Message(message))
    }
}
