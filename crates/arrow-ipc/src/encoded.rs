//! What an encoder has made of one call: messages, and the segments that they consist of.

use std::io::{self, Write};

use arrow_buffer::BufferMut;

use crate::{
    message::MessageKind,
    segment::{Segment, Segments, WriteStats, write_all},
};

/// Encoded messages, as segments in the order in which they are to be written.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{MessageKind, StreamEncoder, WriteOptions};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::empty(&DataType::Int64))])?;
/// let mut encoder = StreamEncoder::new(batch.schema(), WriteOptions::default())?;
/// encoder.start()?;
/// let encoded = encoder.encode(&batch)?;
/// assert_eq!(encoded.messages()[0].kind(), MessageKind::RecordBatch);
/// let n_bytes: usize = encoded.segments().map(|segment| segment.n_bytes()).sum();
/// assert_eq!(encoded.n_bytes(), n_bytes as u64);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Encoded<'a> {
    segments: &'a Segments,
    messages: &'a [EncodedMessage],
}

/// Where one encoded message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodedMessage {
    pub(crate) kind: MessageKind,
    pub(crate) position: u64,
    pub(crate) n_metadata_bytes: u64,
    pub(crate) n_body_bytes: u64,
}

impl<'a> Encoded<'a> {
    pub(crate) fn new(segments: &'a Segments, messages: &'a [EncodedMessage]) -> Encoded<'a> {
        Encoded { segments, messages }
    }

    /// All bytes.
    pub fn n_bytes(&self) -> u64 {
        self.segments.n_bytes()
    }

    /// The segments, in order.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = Segment<'a>> + Clone + use<'a> {
        self.segments.iter()
    }

    /// The messages, in order. The magics and the footer of a file, and the end of a stream, are none.
    pub fn messages(&self) -> &'a [EncodedMessage] {
        self.messages
    }

    /// Which buffers had to be rebuilt.
    pub fn stats(&self) -> WriteStats {
        self.segments.stats()
    }

    /// Writes all segments, with as few calls of `write_vectored` as possible.
    ///
    /// # Errors
    /// What the sink reports; what is interrupted is tried again. Some bytes may have been written then.
    pub fn write_to(&self, sink: &mut impl Write) -> io::Result<()> {
        write_all(self.segments(), sink)
    }

    /// All bytes in one piece, which copies them.
    pub fn to_bytes(&self) -> BufferMut {
        let n_bytes = self.segments().map(|segment| segment.n_bytes()).sum();
        let mut bytes = BufferMut::with_capacity(n_bytes);
        for segment in self.segments() {
            match segment {
                Segment::Gathered(gathered) => bytes.extend_from_slice(gathered),
                Segment::Data(buffer) => bytes.extend_from_slice(buffer),
                Segment::Zeros(n_bytes) => bytes.extend_zeros(n_bytes),
            }
        }
        bytes
    }
}

impl EncodedMessage {
    /// What it is.
    pub fn kind(&self) -> MessageKind {
        self.kind
    }

    /// The position of its first byte in the stream or file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Bytes before the body: prefix, metadata and its padding.
    pub fn n_metadata_bytes(&self) -> u64 {
        self.n_metadata_bytes
    }

    /// Bytes of the body.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// All bytes of the message.
    pub fn n_bytes(&self) -> u64 {
        self.n_metadata_bytes.saturating_add(self.n_body_bytes)
    }
}
