//! Encodes the metadata of messages: continuation marker, length, flatbuffer, padding. See "Encapsulated message
//! format" in the specification.

use arrow_buffer::BufferMut;
use arrow_ipc_format::flatbuf as fb;
use arrow_schema::Metadata;

use super::{DictionaryMessage, experimental::without_codec};
#[cfg(feature = "tensor")]
use crate::tensor::{TensorRef, encode_tensor};
use crate::{
    alignment::Alignment,
    error::Result,
    flatbuffer::{TableLayout, put, put_reference},
    frame::{CONTINUATION, END_MARKER},
    limits::Limits,
    protocol::{Codec, Framing, MetadataVersion},
    schema::{SchemaFlatbuffer, SchemaPart, check_fits, encode_metadata, n_metadata_bytes},
};

mod batch_bytes;
mod lists;

pub(crate) use self::lists::BatchLists;

/// A prefix with the continuation marker and the length 0.
const NO_LENGTH: [u8; PREFIX_BYTES] = {
    let [a, b, c, d] = CONTINUATION;
    [a, b, c, d, 0, 0, 0, 0]
};

/// The length of a prefix with the current framing: the continuation marker and the length field.
pub(crate) const PREFIX_BYTES: usize = 8;

/// The properties that all messages of a stream share.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MessageFormat {
    pub(crate) version: MetadataVersion,
    pub(crate) framing: Framing,
    pub(crate) codec: Option<Codec>,
    pub(crate) alignment: Alignment,
}

/// Encodes the metadata of messages. Reuses its memory for each message.
#[derive(Debug, Default)]
pub(crate) struct MessageEncoder {
    /// The builder for messages that `DirectBatch` cannot encode.
    builder: Option<Box<planus::Builder>>,
    format: MessageFormat,
    /// The position of the next message. It is a multiple of the alignment, unless another writer wrote the start of
    /// the file.
    position: u64,
}

/// A batch message that is encoded without the generated code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DirectBatch {
    /// The id of the dictionary; `None` for a record batch.
    kind: Option<DictionaryMessage>,
    n_flatbuffer_bytes: usize,
    n_bytes: usize,
    /// The length in the prefix: flatbuffer and padding.
    length: i32,
}

impl MessageFormat {
    pub(crate) fn end_of_stream(self) -> &'static [u8] {
        match self.framing {
            Framing::Current => &END_MARKER,
            Framing::Legacy => &[0; 4],
        }
    }

    /// Appends a prefix, the bytes that `write` appends, and padding. `position` is the position of the message in the
    /// output. Returns the length of all three.
    fn frame(self, to: &mut BufferMut, position: u64, write: impl FnOnce(&mut BufferMut)) -> Result<u64> {
        let start = to.len();
        // The length field is filled in at the end.
        match self.framing {
            Framing::Current => to.extend_from_slice(&NO_LENGTH),
            Framing::Legacy => to.extend_from_slice(&[0; 4]),
        }
        let n_prefix_bytes = to.len() - start;
        write(to);
        let n_written = (to.len() - start) as u64;
        let (n_bytes, length) = self.framed(position, n_prefix_bytes as u64, n_written)?;
        // The padding is shorter than the alignment, so the number fits.
        to.extend_zeros((n_bytes - n_written) as usize);
        to.as_mut_slice()[start + n_prefix_bytes - 4..start + n_prefix_bytes]
            .copy_from_slice(&length.to_le_bytes());
        Ok(n_bytes)
    }

    /// Returns the length of prefix, metadata and padding, and the length for the prefix. `n_written` is the number of
    /// bytes of prefix and metadata. `position` is the position of the message.
    #[inline]
    fn framed(self, position: u64, n_prefix_bytes: u64, n_written: u64) -> Result<(u64, i32)> {
        let alignment = self.alignment.n_bytes();
        let past = position.wrapping_add(n_written) % alignment;
        let n_bytes = n_written.saturating_add((alignment - past) % alignment);
        let length = Limits::fit("bytes of metadata", n_bytes - n_prefix_bytes, Limits::MAX_I32)?;
        Ok((n_bytes, length))
    }
}

impl MessageEncoder {
    pub(crate) fn new(format: MessageFormat) -> MessageEncoder {
        MessageEncoder { builder: None, format, position: 0 }
    }

    pub(crate) fn format(&self) -> MessageFormat {
        self.format
    }

    pub(crate) fn begin_at(&mut self, position: u64) {
        self.position = position;
    }

    /// Appends a schema message and pads it to a multiple of the alignment, counted from `position`. Returns its
    /// length.
    pub(crate) fn schema(
        &mut self,
        to: &mut BufferMut,
        schema: &SchemaPart,
        metadata: &Metadata,
        position: u64,
    ) -> Result<u64> {
        /// The tag of a schema in the union `MessageHeader`.
        const SCHEMA: u8 = 1;
        let n_bytes = schema.n_text_bytes().saturating_add(n_metadata_bytes(metadata));
        check_fits(n_bytes)?;
        // The lengths of the fields: version, type of the header, header, body length, custom metadata. Without a body,
        // its length is absent.
        let layout = TableLayout::of([2, 1, 4, 0, 4 * u16::from(!metadata.is_empty())]);
        let (mut front, table) = SchemaFlatbuffer::front(&layout);
        let mut flatbuffer = SchemaFlatbuffer::new(schema, front.len());
        put(&mut front, table + layout.place(0), (wire_version(self.format.version) as i16).to_le_bytes());
        put(&mut front, table + layout.place(1), [SCHEMA]);
        put_reference(&mut front, table + layout.place(2), Some(flatbuffer.table()));
        put_reference(&mut front, table + layout.place(4), flatbuffer.add_metadata(metadata));
        self.format.frame(to, position, |to| flatbuffer.write(&front, to))
    }

    /// Appends the metadata of a record batch or dictionary batch, and pads it to a multiple of the alignment. Returns
    /// the number of bytes appended.
    pub(crate) fn batch(
        &mut self,
        to: &mut BufferMut,
        kind: Option<DictionaryMessage>,
        lists: &BatchLists,
        metadata: &Metadata,
    ) -> Result<u64> {
        if let Some(direct) = self.direct(kind, lists, metadata)? {
            to.reserve(direct.n_bytes);
            direct.write(to.spare(direct.n_bytes), lists);
            to.filled(direct.n_bytes);
            return Ok(direct.n_bytes as u64);
        }
        let (format, position) = (self.format, self.position);
        let bytes = self.build_batch(kind, lists, metadata)?;
        format.frame(to, position, |to| to.extend_from_slice(bytes))
    }

    /// Appends a prefix, unchanged metadata, and the padding that the alignment needs. Returns the number of bytes
    /// appended.
    pub(crate) fn copied(&self, to: &mut BufferMut, metadata: &[u8], position: u64) -> Result<u64> {
        self.format.frame(to, position, |to| to.extend_from_slice(metadata))
    }

    /// The number of bytes that [`batch`](MessageEncoder::batch) would append. A message that
    /// [`direct`](MessageEncoder::direct) accepts is not built.
    ///
    /// # Errors
    /// The errors of [`batch`](MessageEncoder::batch).
    pub(crate) fn n_batch_bytes(
        &mut self,
        kind: Option<DictionaryMessage>,
        lists: &BatchLists,
        metadata: &Metadata,
    ) -> Result<u64> {
        match self.direct(kind, lists, metadata)? {
            Some(direct) => Ok(direct.n_bytes as u64),
            None => self.batch(&mut BufferMut::new(), kind, lists, metadata),
        }
    }

    /// The batch message for encoding without the generated code; `None` if the message needs the generated code. On
    /// big-endian machines this is always `None`, since the lists are copied as they are in memory.
    ///
    /// # Errors
    /// The errors of [`batch`](MessageEncoder::batch).
    pub(crate) fn direct(
        &self,
        kind: Option<DictionaryMessage>,
        lists: &BatchLists,
        metadata: &Metadata,
    ) -> Result<Option<DirectBatch>> {
        let MessageFormat { version, framing, codec, .. } = self.format;
        let is_plain = version == MetadataVersion::V5 && framing == Framing::Current && codec.is_none();
        if !is_plain
            || kind.is_some_and(|dictionary| dictionary.is_delta)
            || !metadata.is_empty()
            || cfg!(target_endian = "big")
        {
            return Ok(None);
        }
        let (n_nodes, n_buffers) = (lists.nodes().len() as u64, lists.buffers().len() as u64);
        let n_flatbuffer_bytes =
            batch_bytes::n_bytes(kind, n_nodes, n_buffers, lists.variadic_counts().len() as u64);
        let n_prefix_bytes = PREFIX_BYTES as u64;
        let n_written = n_flatbuffer_bytes.saturating_add(n_prefix_bytes);
        let (n_bytes, length) = self.format.framed(self.position, n_prefix_bytes, n_written)?;
        // The numbers fit: they are less than 2 GiB plus the prefix.
        let (n_flatbuffer_bytes, n_bytes) = (n_flatbuffer_bytes as usize, n_bytes as usize);
        Ok(Some(DirectBatch { kind, n_flatbuffer_bytes, n_bytes, length }))
    }

    /// Appends the metadata of a tensor. `lists` contains the positions of its buffers. Returns the number of bytes
    /// appended.
    #[cfg(feature = "tensor")]
    pub(crate) fn tensor(
        &mut self,
        to: &mut BufferMut,
        tensor: TensorRef<'_>,
        lists: &BatchLists,
        metadata: &Metadata,
    ) -> Result<u64> {
        check_fits(n_metadata_bytes(metadata).saturating_add(tensor.n_text_bytes()))?;
        let version = self.format.version;
        let builder = self.builder.get_or_insert_default();
        builder.clear();
        let header = encode_tensor(builder, tensor, lists.buffers())?;
        let metadata = encode_metadata(builder, metadata);
        let n_body_bytes = lists.wire_body_bytes()?;
        let message = fb::Message::create(builder, wire_version(version), header, n_body_bytes, metadata);
        let bytes = builder.finish(message, None);
        self.format.frame(to, self.position, |to| to.extend_from_slice(bytes))
    }

    /// Builds the message with the generated code, which is slower but can encode every message.
    fn build_batch(
        &mut self,
        kind: Option<DictionaryMessage>,
        lists: &BatchLists,
        metadata: &Metadata,
    ) -> Result<&[u8]> {
        check_fits(n_metadata_bytes(metadata))?;
        let MessageFormat { version, codec, .. } = self.format;
        let builder = self.builder.get_or_insert_default();
        builder.clear();
        let node =
            |[length, null_count]: &[i64; 2]| fb::FieldNode { length: *length, null_count: *null_count };
        let buffer = |[offset, length]: &[i64; 2]| fb::Buffer { offset: *offset, length: *length };
        let nodes: Vec<fb::FieldNode> = lists.nodes().iter().map(node).collect();
        let buffers: Vec<fb::Buffer> = lists.buffers().iter().map(buffer).collect();
        let counts = Some(lists.variadic_counts()).filter(|counts| !counts.is_empty());
        let n_rows = lists.wire_rows();
        let compression = codec.map(|codec| {
            let method = fb::BodyCompressionMethod::Buffer;
            fb::BodyCompression::create(builder, wire_codec(codec), method)
        });
        let (nodes, buffers) = (nodes.as_slice(), buffers.as_slice());
        let batch = fb::RecordBatch::create(builder, n_rows, nodes, buffers, compression, counts);
        let header = match kind {
            None => fb::MessageHeader::create_record_batch(builder, batch),
            Some(DictionaryMessage { id, is_delta }) => {
                let dictionary = fb::DictionaryBatch::create(builder, id, batch, is_delta);
                fb::MessageHeader::create_dictionary_batch(builder, dictionary)
            }
        };
        let metadata = encode_metadata(builder, &without_codec(version, metadata));
        let n_body_bytes = lists.wire_body_bytes()?;
        let version = wire_version(version);
        let message = fb::Message::create(builder, version, header, n_body_bytes, metadata);
        Ok(builder.finish(message, None))
    }
}

impl DirectBatch {
    pub(crate) fn n_bytes(self) -> usize {
        self.n_bytes
    }

    /// Fills `to` with prefix, flatbuffer and padding. [`direct`](MessageEncoder::direct) must have made `self` from
    /// the same `lists`.
    pub(crate) fn write(self, to: &mut [u8], lists: &BatchLists) {
        let (prefix, rest) = to.split_at_mut(PREFIX_BYTES);
        prefix[..4].copy_from_slice(&CONTINUATION);
        prefix[4..].copy_from_slice(&self.length.to_le_bytes());
        let (flatbuffer, padding) = rest.split_at_mut(self.n_flatbuffer_bytes);
        batch_bytes::write(flatbuffer, self.kind, lists);
        padding.fill(0);
    }
}

pub(crate) fn wire_version(version: MetadataVersion) -> fb::MetadataVersion {
    match version {
        MetadataVersion::V4 => fb::MetadataVersion::V4,
        MetadataVersion::V5 => fb::MetadataVersion::V5,
    }
}

fn wire_codec(codec: Codec) -> fb::CompressionType {
    match codec {
        Codec::Lz4Frame => fb::CompressionType::Lz4Frame,
        Codec::Zstd => fb::CompressionType::Zstd,
    }
}

#[cfg(test)]
mod tests;
