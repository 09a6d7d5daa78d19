//! A record batch of a stream with a body that is too large for memory. It is read by position, like a batch of a file.

use arrow_buffer::Buffer;

use crate::{
    batch::BatchWithMetadata,
    error::{Context, Result},
    frame::Body,
    message_decoder::MessageDecoder,
    options::ReadOptions,
};
use arrow_ipc_format::{BatchView, IpcSchema, Message};

/// A record batch of a stream without its body, and the dictionaries that [reading the batch](LargeBatch::try_into_reader) needs.
/// See [`StreamReader::with_large_batches_over`](crate::StreamReader::with_large_batches_over).
#[derive(Debug)]
pub struct LargeBatch {
    /// The message, without its body.
    pub(crate) message: Message,
    pub(crate) message_decoder: MessageDecoder,
}

impl LargeBatch {
    /// Makes a large batch from a message of a [`MessageScan`](crate::MessageScan). The stream must have this schema,
    /// and no dictionaries.
    ///
    /// # Errors
    /// If the projection does not fit the schema, or the dictionaries of the schema contradict each other.
    pub fn try_from_message(message: Message, schema: IpcSchema) -> Result<LargeBatch> {
        LargeBatch::try_from_message_with(message, schema, ReadOptions::default())
    }

    /// Like [`try_from_message`](LargeBatch::try_from_message), with options.
    ///
    /// # Errors
    /// The errors of [`try_from_message`](LargeBatch::try_from_message).
    pub fn try_from_message_with(
        message: Message,
        schema: IpcSchema,
        options: ReadOptions,
    ) -> Result<LargeBatch> {
        Ok(LargeBatch::new(message, &MessageDecoder::try_new_with(schema, options)?))
    }

    /// Makes a large batch, which uses the current dictionaries of the decoder.
    pub(super) fn new(message: Message, message_decoder: &MessageDecoder) -> LargeBatch {
        message_decoder.receive(message.envelope().n_message_bytes());
        LargeBatch { message, message_decoder: message_decoder.snapshot() }
    }

    /// The length of the body in bytes, as the message states it.
    pub fn n_body_bytes(&self) -> u64 {
        self.message.n_body_bytes()
    }

    /// The position of the body's first byte in the stream.
    pub fn body_position(&self) -> u64 {
        self.message.body_position()
    }

    /// Decodes the whole batch. Readers of streams use this function, so that programs that only read streams do not
    /// contain the code for files.
    pub(super) fn read(self, body: Buffer) -> Result<BatchWithMetadata> {
        let LargeBatch { message, message_decoder } = self;
        let read = || -> Result<_> {
            let limits = message_decoder.options().limits();
            let message = BatchView::parse(message.envelope().clone(), limits)?;
            let batch = message_decoder.record_batch(&message, &Body::Whole(body))?;
            Ok(BatchWithMetadata { batch, metadata: message.into_custom_metadata() })
        };
        read().at_message(&message)
    }
}
