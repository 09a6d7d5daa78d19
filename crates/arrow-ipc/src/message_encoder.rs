//! Encodes batches as single messages, which another protocol carries.

use std::sync::Arc;

use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use crate::{
    error::Result,
    options::WriteOptions,
    segment::encoded::{Encoded, MessageSize},
    stream::StreamEncoder,
};
use arrow_ipc_format::{Framing, IpcSchema, PREFIX_BYTES};

/// Encodes record batches as messages for protocols that frame messages themselves: Flight, ADBC, queues and databases.
/// [`parts`](crate::OwnedEncoded::parts) of its results are the messages without prefixes. A [`StreamEncoder`] encodes a
/// whole stream, with its schema message and its end.
///
/// A dictionary is a message of its own before the first batch that needs it. The [`WriteOptions`] say what happens if
/// its values change: by default, it is sent again. [`MessageDecoder`](crate::MessageDecoder) has an example with both
/// sides.
///
/// The next call reuses the memory of the messages. Send or copy them before that call, or keep them with
/// [`Encoded::into_owned`].
///
/// # Messages of limited size
///
/// What [`encode`](MessageEncoder::encode) has returned counts as sent. If you encode a batch, find it too large and
/// encode parts of it instead, its dictionaries are not encoded again, and the receiver never gets them. Ask
/// [`message_sizes`](MessageEncoder::message_sizes) before:
///
/// ```
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{Encoded, MessageEncoder};
///
/// /// Sends the batch, in parts if its message would be too large.
/// fn send(
///     encoder: &mut MessageEncoder,
///     batch: &RecordBatch,
///     max_bytes: u64,
///     sink: &mut impl FnMut(Encoded<'_>),
/// ) -> arrow_ipc::Result<()> {
///     let n_bytes = encoder.message_sizes(batch)?.last().map_or(0, |size| size.n_bytes());
///     let n_rows = batch.n_rows();
///     if n_bytes > max_bytes && n_rows > 1 {
///         send(encoder, &batch.slice(0, n_rows / 2), max_bytes, sink)?;
///         return send(encoder, &batch.slice(n_rows / 2, n_rows - n_rows / 2), max_bytes, sink);
///     }
///     sink(encoder.encode(batch)?);
///     Ok(())
/// }
/// # use arrow_array::Int64Array;
/// # let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1000).into())])?;
/// # let mut encoder = MessageEncoder::try_new(batch.schema())?;
/// # let mut n_messages = 0;
/// # send(&mut encoder, &batch, 1500, &mut |encoded| n_messages += encoded.parts().count())?;
/// # assert_eq!(n_messages, 8);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
///
/// # Example
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{MessageEncoder, MessageKind};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = MessageEncoder::try_new(batch.schema())?;
/// let schema = encoder.encode_schema()?;
/// assert!(schema.parts().all(|message| message.kind() == MessageKind::Schema));
/// for message in encoder.encode(&batch)?.parts() {
///     // Flight calls them `data_header` and `data_body`.
///     let header: &[u8] = message.metadata_bytes();
///     let body: Vec<&[u8]> = message.body().flat_map(|segment| segment.slices(usize::MAX)).collect();
///     assert_eq!(body.concat().len() as u64, message.n_body_bytes());
/// #   assert!(!header.is_empty());
/// }
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct MessageEncoder {
    encoder: StreamEncoder,
}

impl MessageEncoder {
    /// Makes an encoder for batches of a schema. The dictionaries of a [`Schema`](arrow_schema::Schema) get ids from 0
    /// on. The dictionaries of an [`IpcSchema`] keep their ids.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`].
    pub fn try_new(schema: impl Into<IpcSchema>) -> Result<MessageEncoder> {
        MessageEncoder::try_new_with(schema, WriteOptions::default())
    }

    /// Like [`try_new`](MessageEncoder::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](MessageEncoder::try_new).
    pub fn try_new_with(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<MessageEncoder> {
        let options = options.with_framing(Framing::Current);
        let mut encoder = StreamEncoder::try_new_with(schema, options)?;
        encoder.continue_at(0, 0);
        Ok(MessageEncoder { encoder })
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.encoder.schema()
    }

    /// The schema of the messages, with the version, byte order and features of the options.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.encoder.ipc_schema()
    }

    /// Encodes the schema message. No other call encodes it.
    ///
    /// # Errors
    /// If names and metadata of the schema are longer than the format can express.
    pub fn encode_schema(&mut self) -> Result<Encoded<'_>> {
        self.encoder.encode_schema()
    }

    /// Encodes a batch. Messages of its new and changed dictionaries come first. They count as sent, even if you drop
    /// them: [`message_sizes`](MessageEncoder::message_sizes) returns the sizes without encoding.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::encode`](crate::BatchEncoder::encode). After an error, the encoder is as before the
    /// call.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>> {
        self.encoder.encode(batch)
    }

    /// Like [`encode`](MessageEncoder::encode), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`encode`](MessageEncoder::encode).
    pub fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        self.encoder.encode_with_metadata(batch, metadata)
    }

    /// The exact sizes of the messages that [`encode`](MessageEncoder::encode) would return for a batch, without prefixes:
    /// of its new and changed dictionaries first, of the batch last. See
    /// [`BatchEncoder::message_sizes`](crate::BatchEncoder::message_sizes).
    ///
    /// # Errors
    /// The errors of [`encode`](MessageEncoder::encode).
    pub fn message_sizes(&mut self, batch: &RecordBatch) -> Result<Vec<MessageSize>> {
        let without_prefix = |size: MessageSize| {
            MessageSize::new(size.n_metadata_bytes().saturating_sub(PREFIX_BYTES), size.n_body_bytes())
        };
        Ok(self.encoder.message_sizes(batch)?.into_iter().map(without_prefix).collect())
    }

    /// Sets the custom metadata of the next message of a dictionary. Returns metadata that was set and not encoded.
    ///
    /// # Errors
    /// If the schema has no dictionary with this id.
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        self.encoder.set_dictionary_metadata(id, metadata)
    }

    /// Drops the messages of the last call, which share the buffers of their batch.
    pub fn clear(&mut self) {
        self.encoder.clear();
    }

    /// Forgets the dictionaries that were sent, for a new receiver. Reuses allocated memory.
    pub fn reset(&mut self) {
        self.encoder.reset();
        self.encoder.continue_at(0, 0);
    }
}
