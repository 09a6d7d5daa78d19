//! Encodes batches as single messages, which another protocol carries.

use std::sync::Arc;

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use crate::{
    error::Result,
    options::WriteOptions,
    segment::{
        Segment,
        encoded::{Encoded, EncodedMessage},
    },
    stream::StreamEncoder,
};
use arrow_ipc_format::{Framing, IpcSchema, MessageKind, PREFIX_BYTES};

/// Encodes record batches as messages for protocols that frame messages themselves: Flight, ADBC, queues and databases.
/// A [`StreamEncoder`] also encodes the prefixes and the end of a stream.
///
/// A dictionary is a message of its own before the first batch that needs it. The [`WriteOptions`] say what happens if
/// its values change: by default, it is sent again. [`MessageDecoder`](crate::MessageDecoder) has an example with both
/// sides.
///
/// The next call reuses the memory of the messages, so send or copy them before that call.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{MessageEncoder, MessageKind};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = MessageEncoder::try_new(batch.schema())?;
/// let schema = encoder.encode_schema()?;
/// assert!(schema.iter().all(|message| message.kind() == MessageKind::Schema));
/// for message in encoder.encode(&batch)?.iter() {
///     // Flight calls them `data_header` and `data_body`.
///     let header: &[u8] = message.metadata();
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
    pub fn encode_schema(&mut self) -> Result<EncodedMessages<'_>> {
        Ok(EncodedMessages { encoded: self.encoder.encode_schema()? })
    }

    /// Encodes a batch. Messages of its new and changed dictionaries come first.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::encode`](crate::BatchEncoder::encode). After an error, the encoder is as before the
    /// call.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<EncodedMessages<'_>> {
        Ok(EncodedMessages { encoded: self.encoder.encode(batch)? })
    }

    /// Like [`encode`](MessageEncoder::encode), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`encode`](MessageEncoder::encode).
    pub fn encode_with_metadata(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
    ) -> Result<EncodedMessages<'_>> {
        Ok(EncodedMessages { encoded: self.encoder.encode_with_metadata(batch, metadata)? })
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

/// The messages of one call of a [`MessageEncoder`]. They borrow its memory.
#[derive(Debug)]
pub struct EncodedMessages<'a> {
    /// **Invariant:** the messages follow each other, from the first byte of the segments to the last.
    encoded: Encoded<'a>,
}

impl EncodedMessages<'_> {
    /// The messages, in the order in which they must be sent.
    pub fn iter(&self) -> impl Iterator<Item = MessageParts<'_>> {
        let mut segment_idx = 0;
        let mut segment_start = 0;
        let mut start = 0;
        self.encoded.messages().iter().map(move |message| {
            // The metadata is inside one segment: the first that ends after the start of the message.
            for segment in self.encoded.segments_from(segment_idx) {
                let end = segment_start + segment.n_bytes() as u64;
                if end > start {
                    break;
                }
                segment_start = end;
                segment_idx += 1;
            }
            let parts =
                MessageParts { encoded: &self.encoded, message, segment_idx, offset: start - segment_start };
            start += message.n_bytes();
            parts
        })
    }
}

/// One message of [`EncodedMessages`]: its metadata, and the segments of its body.
#[derive(Debug, Clone, Copy)]
pub struct MessageParts<'a> {
    encoded: &'a Encoded<'a>,
    message: &'a EncodedMessage,
    /// The segment in which the message begins, and the offset in it.
    segment_idx: usize,
    offset: u64,
}

impl<'a> MessageParts<'a> {
    /// The kind of the message.
    pub fn kind(&self) -> MessageKind {
        self.message.kind()
    }

    /// The flatbuffer, with its padding and without a prefix.
    pub fn metadata(&self) -> &'a [u8] {
        let n_bytes = self.message.n_metadata_bytes().saturating_sub(PREFIX_BYTES);
        let first = self.range(PREFIX_BYTES, n_bytes).next();
        first.and_then(|segment| segment.slices(usize::MAX).next()).unwrap_or_default()
    }

    /// The length of the body in bytes. It is a multiple of the alignment.
    pub fn n_body_bytes(&self) -> u64 {
        self.message.n_body_bytes()
    }

    /// The segments of the body, in order. They copy nothing.
    pub fn body(&self) -> impl Iterator<Item = Segment<'a>> + Clone {
        self.range(self.message.n_metadata_bytes(), self.n_body_bytes())
    }

    /// The body as one buffer. It is a copy, unless the body has only one segment that shares memory with an array.
    pub fn to_body(&self) -> Buffer {
        let mut segments = self.body();
        if let (Some(only), None) = (segments.next(), segments.next()) {
            return only.to_buffer();
        }
        let n_bytes = self.body().map(|segment| segment.n_bytes()).sum();
        let mut bytes = BufferMut::with_capacity(n_bytes);
        self.body()
            .flat_map(|segment| segment.slices(usize::MAX))
            .for_each(|slice| bytes.extend_from_slice(slice));
        bytes.into()
    }

    /// The segments of `n_bytes` bytes that begin `start` bytes after the start of the message.
    fn range(&self, start: u64, n_bytes: u64) -> impl Iterator<Item = Segment<'a>> + Clone {
        let mut n_before = self.offset.saturating_add(start);
        let mut n_left = n_bytes;
        self.encoded
            .segments_from(self.segment_idx)
            .map_while(move |segment| {
                let n_skipped = n_before.min(segment.n_bytes() as u64);
                let n_taken = n_left.min(segment.n_bytes() as u64 - n_skipped);
                n_before -= n_skipped;
                let is_end = n_left == 0;
                n_left -= n_taken;
                (!is_end).then(|| segment.range(n_skipped as usize, n_taken as usize))
            })
            .filter(|segment| segment.n_bytes() > 0)
    }
}
