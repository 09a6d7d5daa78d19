//! The output of an encoder: messages, and the segments of their bytes.

use std::{
    io::{self, IoSlice, Write},
    mem,
    ops::Deref,
};

use arrow_buffer::BufferMut;

use super::parts::MessageParts;
use crate::segment::{Segment, Segments, WriteStats, write_all};
use arrow_ipc_format::MessageKind;

/// Encoded messages that borrow the memory of the encoder. Dereferences to [`OwnedEncoded`].
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{MessageKind, StreamEncoder};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = StreamEncoder::try_new(batch.schema())?;
/// encoder.start()?;
/// let encoded = encoder.encode(&batch)?;
/// assert_eq!(encoded.messages()[0].kind(), MessageKind::RecordBatch);
/// let n_bytes: usize = encoded.segments().map(|segment| segment.n_bytes()).sum();
/// assert_eq!(encoded.n_bytes(), n_bytes as u64);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct Encoded<'a> {
    output: &'a mut OwnedEncoded,
}

/// Encoded messages that own their bytes or share them with arrays, so they can wait in a queue or go to another
/// thread. [`Encoded::into_owned`] returns them.
///
/// ```
/// use std::sync::mpsc;
/// # use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{OwnedEncoded, StreamEncoder};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let (queue, received) = mpsc::channel::<OwnedEncoded>();
/// let writer = std::thread::spawn(move || {
///     let mut sink = Vec::new();
///     received.into_iter().try_for_each(|encoded| encoded.write_to(&mut sink)).map(|()| sink)
/// });
/// let mut encoder = StreamEncoder::try_new(batch.schema())?;
/// queue.send(encoder.encode(&batch)?.into_owned())?;
/// queue.send(encoder.finish()?.into_owned())?;
/// drop(queue);
/// let stream = writer.join().expect("it does not panic")?;
/// assert_eq!(stream.len() as u64, encoder.position());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct OwnedEncoded {
    pub(crate) segments: Segments,
    pub(crate) messages: Vec<EncodedMessage>,
    /// The position of the first segment in the stream or file.
    pub(crate) position: u64,
}

/// The kind, position and length of an encoded message. Dereferences to its [`MessageSize`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodedMessage {
    kind: MessageKind,
    position: u64,
    n_rows: u64,
    size: MessageSize,
}

impl<'a> Encoded<'a> {
    pub(crate) fn new(output: &'a mut OwnedEncoded) -> Encoded<'a> {
        output.segments.close();
        Encoded { output }
    }

    /// Detaches the messages from the encoder. Copies nothing; the encoder allocates new memory for its next messages.
    pub fn into_owned(self) -> OwnedEncoded {
        mem::take(self.output)
    }
}

impl Deref for Encoded<'_> {
    type Target = OwnedEncoded;

    fn deref(&self) -> &OwnedEncoded {
        self.output
    }
}

impl OwnedEncoded {
    /// The length of all segments in bytes.
    pub fn n_bytes(&self) -> u64 {
        self.segments.n_bytes()
    }

    /// The segments. Write them in this order. To skip some of them takes constant time.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = Segment<'_>> + Clone {
        self.segments.iter()
    }

    /// The bytes of all segments in slices of at most `max_bytes` bytes: see [`Segment::slices`].
    pub fn slices(&self, max_bytes: usize) -> impl Iterator<Item = &[u8]> + Clone {
        self.segments().flat_map(move |segment| segment.slices(max_bytes))
    }

    /// The bytes of all segments, for vectored writes. [`IoSlice::advance_slices`] skips the bytes that a sink has
    /// written. Operating systems accept about a thousand slices in one call.
    pub fn io_slices(&self) -> impl Iterator<Item = IoSlice<'_>> + Clone {
        self.slices(usize::MAX).map(IoSlice::new)
    }

    /// The kinds, positions and sizes of the messages, in order; [`parts`](OwnedEncoded::parts) also returns their bytes. The
    /// magics and the footer of a file, and the end marker of a stream, are not messages.
    pub fn messages(&self) -> &[EncodedMessage] {
        &self.messages
    }

    /// The number and total length of the rebuilt buffers.
    pub fn stats(&self) -> WriteStats {
        self.segments.stats()
    }

    /// Writes all segments to `sink`, with as few calls of `write_vectored` as possible.
    ///
    /// # Errors
    /// If the sink fails; some bytes may have been written then. Interrupted writes are repeated.
    pub fn write_to(&self, sink: &mut (impl Write + ?Sized)) -> io::Result<()> {
        write_all(self.segments(), sink)
    }

    /// Copies the bytes of all segments to one buffer.
    pub fn to_bytes(&self) -> BufferMut {
        let n_bytes = self.segments().map(|segment| segment.n_bytes()).sum();
        let mut bytes = BufferMut::with_capacity(n_bytes);
        self.slices(usize::MAX).for_each(|slice| bytes.extend_from_slice(slice));
        bytes
    }

    /// Removes all messages and segments, but keeps their memory. The next segment has this position.
    pub(crate) fn clear(&mut self, position: u64) {
        self.segments.clear();
        self.messages.clear();
        self.position = position;
    }

    /// The parts of the [`messages`](OwnedEncoded::messages), in the order in which they must be sent. They copy nothing.
    pub fn parts(&self) -> impl Iterator<Item = MessageParts<'_>> + Clone {
        let mut segment_idx = 0;
        let mut segment_start = self.position;
        self.messages().iter().map(move |message| {
            // The metadata is inside one segment: the first that ends after the start of the message.
            for segment in self.segments().skip(segment_idx) {
                let end = segment_start + segment.n_bytes() as u64;
                if end > message.position() {
                    break;
                }
                segment_start = end;
                segment_idx += 1;
            }
            let offset = message.position().saturating_sub(segment_start);
            MessageParts { encoded: self, message, segment_idx, offset }
        })
    }
}

impl EncodedMessage {
    /// A message at this position. `n_rows` is the number of rows of a batch, or of values of a dictionary, and 0 for other
    /// messages.
    pub fn new(kind: MessageKind, position: u64, n_rows: u64, size: MessageSize) -> EncodedMessage {
        EncodedMessage { kind, position, n_rows, size }
    }

    /// The number of rows of a batch, or of values of a dictionary; 0 for other messages.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The kind of the message.
    pub fn kind(&self) -> MessageKind {
        self.kind
    }

    /// The position of the message's first byte in the stream or file.
    pub fn position(&self) -> u64 {
        self.position
    }
}

impl Deref for EncodedMessage {
    type Target = MessageSize;

    fn deref(&self) -> &MessageSize {
        &self.size
    }
}

/// The lengths of the metadata and the body of a message, as they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageSize {
    n_metadata_bytes: u64,
    n_body_bytes: u64,
}

impl MessageSize {
    /// The size of a message with these lengths.
    pub fn new(n_metadata_bytes: u64, n_body_bytes: u64) -> MessageSize {
        MessageSize { n_metadata_bytes, n_body_bytes }
    }

    /// The number of bytes before the body: prefix (if the message has one), metadata, and padding of the metadata.
    pub fn n_metadata_bytes(&self) -> u64 {
        self.n_metadata_bytes
    }

    /// The length of the body in bytes.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// The length of the whole message in bytes, to the end of its body.
    pub fn n_bytes(&self) -> u64 {
        self.n_metadata_bytes.saturating_add(self.n_body_bytes)
    }
}
