//! Bodies that the caller takes in pieces, or leaves out of the input.

use arrow_buffer::Buffer;

use super::{BodyHandling, Messages, State};

impl Messages {
    /// Makes [`step`](Messages::step) return a record batch without its body if the body has more than `n_body_bytes`
    /// bytes.
    pub(in crate::stream::read) fn keeping_bodies_up_to(self, n_body_bytes: u64) -> Messages {
        Messages { bodies: BodyHandling::KeptUpTo(n_body_bytes), ..self }
    }

    /// The number of bytes of the last message's body that are neither taken nor left out; 0 if the message has its
    /// body.
    pub(in crate::stream::read) fn n_body_bytes_left(&self) -> u64 {
        if let State::Apart { n_left, .. } = self.state { n_left } else { 0 }
    }

    /// Takes the next bytes of the last message's body; `None` if none have arrived.
    pub(in crate::stream::read) fn take_body_bytes(&mut self) -> Option<Buffer> {
        let bytes = self.input.take_some(self.n_body_bytes_left())?;
        self.leave_out_body_bytes(bytes.len() as u64);
        Some(bytes)
    }

    /// Declares that the input does not contain the next `n_bytes` bytes of the body.
    pub(in crate::stream::read) fn leave_out_body_bytes(&mut self, n_bytes: u64) {
        if let State::Apart { message, n_left } = &mut self.state {
            *n_left = n_left.saturating_sub(n_bytes);
            if *n_left == 0 {
                let message = message.clone();
                // The message was already returned.
                drop(self.finish(message));
            }
        }
    }
}
