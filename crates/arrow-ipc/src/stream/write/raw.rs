//! Encodes messages that belong to no stream.

use super::output::MessageOutput;
use crate::{
    error::Result,
    segment::{RawMessage, encoded::Encoded},
};
use arrow_ipc_format::MessageFormat;

/// Encodes messages whose metadata and body are there, without a schema before them and an end after them.
/// `arrow-ipc-tensor` encodes tensors in this way.
#[derive(Debug, Default)]
pub struct RawMessageEncoder {
    output: MessageOutput,
}

impl RawMessageEncoder {
    /// The format of the messages: that of default options.
    pub fn format(&self) -> MessageFormat {
        self.output.format()
    }

    /// The number of bytes that have been encoded. This is the position of the next message.
    pub fn position(&self) -> u64 {
        self.output.position()
    }

    /// Encodes a message.
    ///
    /// # Errors
    /// If the body or the metadata is longer than the format can express. If parts of the body overlap. The position is
    /// then as before the call.
    pub fn encode(&mut self, message: RawMessage<'_>) -> Result<Encoded<'_>> {
        self.output.clear();
        if let Err(error) = self.output.add_message(message) {
            self.output.clear();
            return Err(error);
        }
        self.output.commit();
        Ok(self.output.encoded())
    }

    /// Drops the last message, which shares the buffers of its body.
    pub fn clear(&mut self) {
        self.output.clear();
    }
}
