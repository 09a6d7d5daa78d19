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
/// [`WriteOptions::with_max_message_bytes`] limits the length of the messages of batches: header and body together.
/// Do not encode a batch, find it too large and encode parts of it instead. What [`encode`](MessageEncoder::encode) has
/// returned counts as sent, so its dictionaries are not encoded again, and the receiver never gets them.
/// [`message_sizes`](MessageEncoder::message_sizes) returns the sizes beforehand.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{MessageEncoder, WriteOptions};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1000).into())])?;
/// let options = WriteOptions::new().with_max_message_bytes(1500);
/// let mut encoder = MessageEncoder::try_new_with(batch.schema(), options)?;
/// let sizes = encoder.message_sizes(&batch)?;
/// assert!(sizes.iter().all(|size| size.n_bytes() <= 1500));
/// assert_eq!(encoder.encode(&batch)?.parts().count(), sizes.len());
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
        let options = match options.max_message_bytes() {
            Some(max_bytes) => options.with_max_message_bytes(max_bytes.saturating_add(PREFIX_BYTES)),
            None => options,
        };
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
        self.message_sizes_with_metadata(batch, &Metadata::new())
    }

    /// Like [`message_sizes`](MessageEncoder::message_sizes), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`encode`](MessageEncoder::encode).
    pub fn message_sizes_with_metadata(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
    ) -> Result<Vec<MessageSize>> {
        self.encoder.message_sizes_with_metadata(batch, metadata).map(without_prefixes)
    }

    /// Upper bounds of the sizes, without prefixes: see
    /// [`BatchEncoder::max_message_sizes`](crate::BatchEncoder::max_message_sizes).
    ///
    /// # Errors
    /// The errors of [`encode`](MessageEncoder::encode).
    pub fn max_message_sizes(&mut self, batch: &RecordBatch) -> Result<Vec<MessageSize>> {
        self.encoder.max_message_sizes(batch).map(without_prefixes)
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

fn without_prefixes(mut sizes: Vec<MessageSize>) -> Vec<MessageSize> {
    for size in &mut sizes {
        *size = MessageSize::new(size.n_metadata_bytes().saturating_sub(PREFIX_BYTES), size.n_body_bytes());
    }
    sizes
}
