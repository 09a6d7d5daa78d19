//! Bodies whose bytes the caller takes, or skips in the input.

use arrow_buffer::Buffer;

use super::{BodyHandling, Messages, State};

impl Messages {
    /// Makes [`step`](Messages::step) return a record batch whose body has more than `n_body_bytes` bytes without its
    /// body, before the body has arrived: see [`n_body_bytes_left`](Messages::n_body_bytes_left).
    pub(in crate::stream::read) fn keeping_bodies_up_to(self, n_body_bytes: u64) -> Messages {
        Messages { bodies: BodyHandling::KeptUpTo(n_body_bytes), ..self }
    }

    /// The number of bytes of the body of the last message that are neither taken nor skipped; 0 if the message was returned with
    /// its body.
    pub(in crate::stream::read) fn n_body_bytes_left(&self) -> u64 {
        if let State::Apart { n_left, .. } = self.state { n_left } else { 0 }
    }

    /// The next bytes of the body of the last message; `None` if none have arrived.
    pub(in crate::stream::read) fn take_body_bytes(&mut self) -> Option<Buffer> {
        let bytes = self.input.take_some(self.n_body_bytes_left())?;
        self.leave_out_body_bytes(bytes.len() as u64);
        Some(bytes)
    }

    /// Notes that the next `n_bytes` bytes of the body are left out of the input.
    pub(in crate::stream::read) fn leave_out_body_bytes(&mut self, n_bytes: u64) {
        if let State::Apart { message, n_left } = &mut self.state {
            *n_left = n_left.saturating_sub(n_bytes);
            if *n_left == 0 {
                let message = message.clone();
                // The caller has this message already.
                drop(self.finish(message));
            }
        }
    }
}
