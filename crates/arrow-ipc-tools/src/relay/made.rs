//! Encodes batches as messages that are written between copied messages.

use arrow_data::RecordBatch;
use arrow_ipc::{
    IpcError, IpcErrorKind, IpcSchema, Limits, MessageStep, Messages, StreamEncoder, WriteOptions,
    message::Message,
};
use arrow_schema::Metadata;

/// Encodes batches whose messages cannot be copied unchanged.
pub(crate) struct MessageMaker {
    schema: IpcSchema,
    writing: WriteOptions,
    /// The encoder; created for the first batch.
    encoder: Option<StreamEncoder>,
}

impl MessageMaker {
    pub(crate) fn new(schema: IpcSchema, writing: WriteOptions) -> MessageMaker {
        MessageMaker { schema, writing, encoder: None }
    }

    pub(crate) fn writing(&self) -> &WriteOptions {
        &self.writing
    }

    /// Encodes a batch as a message. The messages of its dictionaries must already be in the output.
    ///
    /// # Errors
    /// If the batch cannot be encoded.
    pub(crate) fn message(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Message, IpcError> {
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            none => none.insert(StreamEncoder::try_new(&self.schema, self.writing.clone())?),
        };
        let encoded = encoder.encode_with_metadata(batch, metadata)?;
        // The encoder returns the messages of the dictionaries first, then the message of the batch.
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
}
