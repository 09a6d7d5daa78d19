//! Messages that are made of arrays, to be written between those that are copied.

use arrow_data::RecordBatch;
use arrow_ipc::{IpcError, IpcErrorKind, Limits, MessageStep, Messages, StreamEncoder, message::Message};
use arrow_schema::Metadata;

/// The message of a batch, whose dictionaries have been written.
pub(crate) fn message_of(
    encoder: &mut StreamEncoder,
    batch: &RecordBatch,
    metadata: &Metadata,
) -> Result<Message, IpcError> {
    let encoded = encoder.encode_with_metadata(batch, metadata)?;
    // The last message is that of the batch.
    let n_bytes = encoded.messages().last().map_or(0, |message| message.n_bytes());
    let start = encoded.n_bytes().saturating_sub(n_bytes);
    let bytes = encoded.to_bytes().freeze().try_slice(start, n_bytes)?;
    let mut messages = Messages::new(Limits::default());
    messages.feed(bytes);
    if let MessageStep::Message(message) = messages.step()? {
        return Ok(message);
    }
    Err(IpcErrorKind::Missing { what: "the message of a batch" }.into())
}
