//! The metadata and the body of each encoded message, without a copy.

use arrow_buffer::{Buffer, BufferMut};
use arrow_ipc_format::{CONTINUATION, LEGACY_PREFIX_BYTES, MessageKind, PREFIX_BYTES};

use super::{
    Segment,
    encoded::{EncodedMessage, OwnedEncoded},
};

/// One message of an encoder: its metadata, and the segments of its body. [`OwnedEncoded::parts`] returns them.
#[derive(Debug, Clone, Copy)]
pub struct MessageParts<'a> {
    pub(super) encoded: &'a OwnedEncoded,
    pub(super) message: &'a EncodedMessage,
    /// The segment in which the message begins, and the offset in it.
    pub(super) segment_idx: usize,
    pub(super) offset: u64,
}

impl<'a> MessageParts<'a> {
    /// The kind of the message.
    pub fn kind(&self) -> MessageKind {
        self.message.kind()
    }

    /// The number of rows of a batch, or of values of a dictionary; 0 for other messages.
    pub fn n_rows(&self) -> u64 {
        self.message.n_rows()
    }

    /// The flatbuffer of the metadata with its padding, without the prefix.
    pub fn metadata_bytes(&self) -> &'a [u8] {
        let n_prefix_bytes = self.n_prefix_bytes();
        self.bytes_at(n_prefix_bytes, self.message.n_metadata_bytes().saturating_sub(n_prefix_bytes))
    }

    /// The length of the body in bytes. It is a multiple of the alignment.
    pub fn n_body_bytes(&self) -> u64 {
        self.message.n_body_bytes()
    }

    /// The segments of the body, in order. They copy nothing. There are none if the body of a
    /// [`RawMessage`](super::RawMessage) is written elsewhere.
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

    /// In current framing, the prefix begins with a marker; in legacy framing, it is the length of the metadata.
    fn n_prefix_bytes(&self) -> u64 {
        let marker = self.bytes_at(0, CONTINUATION.len() as u64);
        if marker == CONTINUATION { PREFIX_BYTES } else { LEGACY_PREFIX_BYTES }
    }

    /// Bytes of the prefix or the metadata, which are inside one segment.
    fn bytes_at(&self, start: u64, n_bytes: u64) -> &'a [u8] {
        let first = self.range(start, n_bytes).next();
        first.and_then(|segment| segment.slices(usize::MAX).next()).unwrap_or_default()
    }

    /// The segments of `n_bytes` bytes that begin `start` bytes after the start of the message.
    fn range(&self, start: u64, n_bytes: u64) -> impl Iterator<Item = Segment<'a>> + Clone {
        let mut n_before = self.offset.saturating_add(start);
        let mut n_left = n_bytes;
        self.encoded
            .segments()
            .skip(self.segment_idx)
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
