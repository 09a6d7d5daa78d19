//! Bodies that the caller takes, or leaves out of the input.

use arrow_buffer::Buffer;

use super::{Bodies, Messages, State};
use crate::message::Head;

impl Messages {
    /// Returns record batches whose body has more bytes before it has come, and without it: see
    /// [`n_body_bytes_left`](Messages::n_body_bytes_left).
    pub(in crate::stream) fn keeping_bodies_up_to(self, n_body_bytes: u64) -> Messages {
        Messages { bodies: Bodies::KeptUpTo(n_body_bytes), ..self }
    }

    /// How many bytes of the body of the message that was returned last are neither taken nor left out; 0 if it was returned with
    /// its body.
    pub(in crate::stream) fn n_body_bytes_left(&self) -> u64 {
        match self.state {
            State::Apart { n_left, .. } => n_left,
            State::Prefix
            | State::Metadata { .. }
            | State::Body { .. }
            | State::LeftOut { .. }
            | State::EndMarker
            | State::EndOfInput
            | State::Failed => 0,
        }
    }

    /// The next bytes of that body, as far as they have come.
    pub(in crate::stream) fn take_body_bytes(&mut self) -> Option<Buffer> {
        let bytes = self.input.take_some(self.n_body_bytes_left())?;
        self.leave_out_body_bytes(bytes.len() as u64);
        Some(bytes)
    }

    /// Says that so many of the next bytes of that body do not come.
    pub(in crate::stream) fn leave_out_body_bytes(&mut self, n_bytes: u64) {
        if let State::Apart { head, n_left } = &mut self.state {
            *n_left = n_left.saturating_sub(n_bytes);
            if *n_left == 0 {
                let head = head.clone();
                self.end_apart(head);
            }
        }
    }

    /// Goes on after that body. Its message has been returned.
    pub(super) fn end_apart(&mut self, head: Head) {
        drop(self.finish(head, Buffer::new()));
    }
}
