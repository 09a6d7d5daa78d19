//! The results of the steps of a recovery.

use std::ops::Range;

use arrow_data::RecordBatch;

use super::lost::LostPart;
use crate::{message::Message, schema::IpcSchema};

/// A result of [`Recovery::step`](super::Recovery::step).
#[derive(Debug)]
#[non_exhaustive]
pub enum RecoveryStep {
    /// Bytes are needed: provide them, and step again.
    Need(Range<u64>),
    /// The schema of the schema message or of the footer, which comes before messages.
    Schema(IpcSchema),
    /// A complete and valid dictionary, batch or tensor.
    Message {
        /// The message, with its body.
        message: Message,
        /// The batch; `None` for other messages.
        batch: Option<RecordBatch>,
    },
    /// A part of the input is lost.
    Lost(LostPart),
    /// The whole input has been read.
    End,
}

/// What happens to dictionaries of a stream that damaged bytes may have replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DoubtfulDictionaries {
    Lost,
    Kept,
}
