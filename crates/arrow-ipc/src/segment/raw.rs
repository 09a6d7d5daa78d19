//! A message whose metadata and buffers are there, for encoders that only frame it.

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use crate::error::{IpcErrorKind, Result};
use arrow_ipc_format::{BatchHeaderBuilder, DictionaryHeader, Envelope, MessageKind};

/// A message that is not encoded from arrays: a copy of another message, a batch whose buffers are there, or a message of
/// a kind that only the caller knows. [`BatchEncoder::encode_message`](crate::BatchEncoder::encode_message) puts it into a
/// stream or file.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{
///     StreamEncoder, StreamReader,
///     segment::{BodyPart, RawMessage},
/// };
/// use arrow_ipc_format::BatchHeaderBuilder;
/// use arrow_schema::{DataType, Field, Metadata, Schema};
///
/// // Three rows of a column, whose values are in a cache.
/// let values = BodyPart { offset: 0, bytes: Buffer::from(vec![7_i64, 8, 9]) };
/// let schema = Schema::new([Field::new("id", DataType::Int64)]);
/// let mut encoder = StreamEncoder::try_new(schema)?;
/// let mut header = BatchHeaderBuilder::new(encoder.format().alignment);
/// header.begin(3);
/// header.add_node(3, 0);
/// header.add_buffer(0);
/// header.add_buffer(values.bytes.len());
/// header.end_body();
///
/// let metadata = Metadata::new();
/// let body = [values];
/// let message = RawMessage::from_header(None, &header, &metadata).with_body(&body);
/// let mut stream = Vec::new();
/// encoder.encode_message(message)?.write_to(&mut stream)?;
/// encoder.finish()?.write_to(&mut stream)?;
/// assert_eq!(StreamReader::try_new(&*stream)?.next().unwrap()?.n_rows(), 3);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct RawMessage<'a> {
    pub(crate) header: RawHeader<'a>,
    pub(crate) n_body_bytes: u64,
    /// `None` if the caller writes the body itself.
    pub(crate) body: Option<&'a [BodyPart]>,
}

/// The metadata of a [`RawMessage`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum RawHeader<'a> {
    /// A whole flatbuffer.
    Flatbuffer { kind: MessageKind, n_rows: u64, bytes: &'a [u8] },
    /// The lists of a batch, of which a flatbuffer is made.
    Batch { dictionary: Option<DictionaryHeader>, header: &'a BatchHeaderBuilder, metadata: &'a Metadata },
}

/// Bytes of a body, with their offset in it.
#[derive(Debug, Clone)]
pub struct BodyPart {
    /// The offset of the first byte.
    pub offset: u64,
    /// The bytes.
    pub bytes: Buffer,
}

impl<'a> RawMessage<'a> {
    /// A message with the metadata of another one. `n_rows` is the number of rows of a batch, and 0 for other messages.
    pub fn from_envelope(envelope: &'a Envelope, n_rows: u64) -> RawMessage<'a> {
        RawMessage::from_flatbuffer(envelope.kind(), n_rows, envelope.metadata(), envelope.n_body_bytes())
    }

    /// A message with this flatbuffer as its metadata, whose body has `n_body_bytes` bytes.
    pub fn from_flatbuffer(
        kind: MessageKind,
        n_rows: u64,
        bytes: &'a [u8],
        n_body_bytes: u64,
    ) -> RawMessage<'a> {
        RawMessage { header: RawHeader::Flatbuffer { kind, n_rows, bytes }, n_body_bytes, body: None }
    }

    /// A record batch, or the batch of a dictionary. The offsets in `header` must have the alignment of the encoder, and the
    /// codec of its buffers must be that of the encoder.
    pub fn from_header(
        dictionary: Option<DictionaryHeader>,
        header: &'a BatchHeaderBuilder,
        metadata: &'a Metadata,
    ) -> RawMessage<'a> {
        let n_body_bytes = header.n_body_bytes();
        RawMessage { header: RawHeader::Batch { dictionary, header, metadata }, n_body_bytes, body: None }
    }

    /// Sets the bytes of the body, in the order of their offsets. All bytes between the parts are zeros. Without this call,
    /// the encoder encodes no body, and the caller writes it after what is encoded.
    #[must_use]
    pub fn with_body(self, parts: &'a [BodyPart]) -> RawMessage<'a> {
        RawMessage { body: Some(parts), ..self }
    }

    /// The parts of the body, each after its number of zeros; then the number of zeros at the end.
    ///
    /// # Errors
    /// If parts overlap, or are not inside the body.
    pub(crate) fn try_for_each_part(
        &self,
        parts: &[BodyPart],
        mut take: impl FnMut(usize, Option<&Buffer>),
    ) -> Result<()> {
        let mut end = 0u64;
        let gap = |end: u64, start: u64| {
            let n_zeros = start.checked_sub(end).and_then(|n_zeros| usize::try_from(n_zeros).ok());
            n_zeros.ok_or(IpcErrorKind::BodyParts { end, next: start })
        };
        for part in parts {
            take(gap(end, part.offset)?, Some(&part.bytes));
            end = part.offset.saturating_add(part.bytes.len() as u64);
        }
        take(gap(end, self.n_body_bytes)?, None);
        Ok(())
    }
}
