//! A cursor over the messages of a range of bytes. Needs only their prefixes and metadata, and does no I/O.

use std::ops::Range;

use arrow_buffer::Buffer;

use crate::error::{FormatErrorKind, Result};
use arrow_ipc_format::{Limits, Message, NextMessage};

/// The next message, its index, and the state after the last message.
#[derive(Debug, Clone)]
pub(crate) struct MessageCursor {
    pub(crate) limits: Limits,
    /// The position after the last message, or after the end marker.
    pub(crate) position: u64,
    /// The end of the range.
    pub(crate) end: u64,
    pub(crate) index: u64,
    pub(crate) state: CursorState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CursorState {
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

/// A result of [`MessageCursor::step`].
pub(crate) enum CursorStep {
    /// The bytes that the cursor needs are missing.
    NeedBytes,
    /// The next message, without its body.
    Message(Message),
    /// The end of the messages: an end marker, or the end of the range.
    End,
}

impl MessageCursor {
    /// A cursor over the messages from `range.start` on. The first has this index.
    pub(crate) fn new(range: Range<u64>, index: u64, limits: Limits) -> MessageCursor {
        MessageCursor { limits, position: range.start, end: range.end, index, state: CursorState::Messages }
    }

    /// The position and the index of the next message.
    pub(crate) fn location(&self) -> (u64, u64) {
        (self.position, self.index)
    }

    pub(crate) fn state(&self) -> CursorState {
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
    ) -> Result<CursorStep> {
        match self.state {
            CursorState::EndMarker { .. } | CursorState::EndOfBytes | CursorState::Failed => {
                Ok(CursorStep::End)
            }
            CursorState::CutBody { n_bytes: needed, .. } => {
                let available = self.end.saturating_sub(self.position);
                Err(FormatErrorKind::Truncated { what: "body", needed, available }.into())
            }
            CursorState::Messages => self.advance(find),
        }
    }

    fn advance(&mut self, find: &mut impl FnMut(Range<u64>) -> Result<Option<Buffer>>) -> Result<CursorStep> {
        let start = self.position;
        let message = match NextMessage::read(self.index, start..self.end, &self.limits, find)? {
            None => return Ok(CursorStep::NeedBytes),
            Some(NextMessage::Message(message)) => message,
            Some(NextMessage::EndMarker { n_bytes }) => {
                self.position = start.saturating_add(n_bytes);
                self.state = CursorState::EndMarker { n_bytes };
                return Ok(CursorStep::End);
            }
            Some(NextMessage::EndOfBytes) => {
                self.state = CursorState::EndOfBytes;
                return Ok(CursorStep::End);
            }
        };
        let n_body_bytes = message.n_body_bytes();
        self.index = self.index.saturating_add(1);
        match message.body_position().checked_add(n_body_bytes).filter(|end| *end <= self.end) {
            Some(end) => self.position = end,
            None => {
                self.position = message.body_position();
                self.state = CursorState::CutBody { message_start: start, n_bytes: n_body_bytes };
            }
        }
        Ok(CursorStep::Message(message))
    }
}
