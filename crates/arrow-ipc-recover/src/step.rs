//! What a step of a recovery returns.

use std::ops::Range;

use arrow_data::RecordBatch;
use arrow_ipc_format::{IpcSchema, Message};

use super::lost::LostPart;

/// A result of [`Recovery::step`](super::Recovery::step).
#[derive(Debug)]
#[non_exhaustive]
pub enum RecoveryStep {
    /// The recovery needs this range of the input: call [`provide`](super::Recovery::provide), then
    /// [`step`](super::Recovery::step) again.
    Need(Range<u64>),
    /// The schema of the input. It comes before the first message.
    Schema(IpcSchema),
    /// A complete and valid dictionary, batch or tensor.
    Message {
        /// The message, with its body.
        message: Message,
        /// The decoded batch; `None` if the message is no record batch.
        batch: Option<RecordBatch>,
    },
    /// A range of the input that cannot be recovered.
    Lost(LostPart),
    /// The whole input has been read.
    End,
}
