//! A record batch of a stream that is too large for memory. The body is read by position, like the body of a batch in a
//! file.

use std::sync::Arc;

use arrow_buffer::Buffer;

use crate::{
    batch::BatchWithMetadata,
    body::Body,
    error::{Context, Result},
    message::{Message, OpenBatch},
    options::ReadOptions,
    schema::IpcSchema,
    session::Session,
};

/// A record batch of a stream, before its body has arrived, with everything else that is needed to [read](LargeBatch::open)
/// the batch. See [`StreamReader::with_large_batches_over`](crate::StreamReader::with_large_batches_over).
#[derive(Debug)]
pub struct LargeBatch {
    /// The message, without its body.
    pub(crate) message: Message,
    pub(crate) session: Session,
}

impl LargeBatch {
    /// A batch that a [`MessageScan`](crate::MessageScan) has found, in a stream with this schema and without
    /// dictionaries.
    ///
    /// # Errors
    /// If the projection does not fit the schema, or the dictionaries of the schema contradict each other.
    pub fn try_from_message(message: Message, schema: IpcSchema, options: ReadOptions) -> Result<LargeBatch> {
        Ok(LargeBatch::new(message, &Session::try_new(schema, options, Arc::default())?))
    }

    /// The batch of this message, with the dictionaries that the session has now.
    pub(super) fn new(message: Message, session: &Session) -> LargeBatch {
        session.receive(message.head.n_message_bytes());
        LargeBatch { message, session: session.snapshot() }
    }

    /// The length of the body in bytes, as the message claims.
    pub fn n_body_bytes(&self) -> u64 {
        self.message.n_body_bytes()
    }

    /// The position of the body's first byte in the stream.
    pub fn body_position(&self) -> u64 {
        self.message.body_position()
    }

    /// The batch, after its body has arrived. Programs that only read streams use this function, so they do not contain
    /// the reader of files.
    pub(super) fn read(self, body: Buffer) -> Result<BatchWithMetadata> {
        let LargeBatch { message, session } = self;
        let read = || -> Result<_> {
            let limits = session.options().limits();
            let message = OpenBatch::parse(message.head.clone(), limits)?;
            let batch = session.record_batch(&message, &Body::Whole(body))?;
            Ok(BatchWithMetadata { batch, metadata: message.custom_metadata })
        };
        read().in_message(message.index(), message.position())
    }
}
