//! Encodes the metadata of messages.

use arrow_buffer::BufferMut;
use arrow_schema::Metadata;

use super::{DictionaryHeader, batch_view::without_codec};
use crate::{
    error::Result,
    flatbuffer::{TableLayout, put, put_reference},
    schema::{SchemaFlatbuffer, SchemaPart, check_fits, n_metadata_bytes},
    tables as fb,
};

mod builder;
mod format;

mod batch_bytes;

use self::{batch_bytes::BatchFlatbuffer, format::FrameLengths};
pub use self::{
    builder::BatchHeaderBuilder,
    format::{MessageFormat, wire_version},
};

/// Encodes the metadata of messages. Reuses its memory for each message.
#[derive(Debug, Default)]
pub struct MetadataEncoder {
    format: MessageFormat,
    /// The position of the next message. It is a multiple of the alignment, unless another writer wrote the start of
    /// the file.
    position: u64,
}

/// The metadata of a record batch or dictionary batch, before it is written.
#[derive(Debug)]
pub struct BatchMetadata {
    flatbuffer: BatchFlatbuffer,
    lengths: FrameLengths,
}

impl MetadataEncoder {
    /// An encoder of messages of this format. The position of its first message is 0.
    pub fn new(format: MessageFormat) -> MetadataEncoder {
        MetadataEncoder { format, ..MetadataEncoder::default() }
    }

    /// The format of the messages.
    pub fn format(&self) -> MessageFormat {
        self.format
    }

    /// Sets the position of the next message.
    pub fn begin_at(&mut self, position: u64) {
        self.position = position;
    }

    /// Appends a schema message and pads it to a multiple of the alignment, counted from `position`. Returns its
    /// length.
    pub fn schema(
        &mut self,
        to: &mut BufferMut,
        schema: &SchemaPart,
        metadata: &Metadata,
        position: u64,
    ) -> Result<u64> {
        let n_bytes = schema.n_text_bytes().saturating_add(n_metadata_bytes(metadata));
        check_fits(n_bytes)?;
        // The lengths of the fields: version, type of the header, header, body length, custom metadata. Without a body,
        // its length is absent.
        let layout = TableLayout::new([2, 1, 4, 0, 4 * u16::from(!metadata.is_empty())]);
        let (mut front, table) = SchemaFlatbuffer::front(&layout);
        let mut flatbuffer = SchemaFlatbuffer::new(schema, front.len());
        put(
            &mut front,
            table + layout.offset_of(fb::Message::VERSION.index),
            (wire_version(self.format.version) as i16).to_le_bytes(),
        );
        put(
            &mut front,
            table + layout.offset_of(fb::Message::HEADER_TAG.index),
            [fb::MessageHeaderTag::Schema as u8],
        );
        put_reference(
            &mut front,
            table + layout.offset_of(fb::Message::HEADER.index),
            Some(flatbuffer.table()),
        );
        put_reference(
            &mut front,
            table + layout.offset_of(fb::Message::CUSTOM_METADATA.index),
            flatbuffer.add_metadata(metadata),
        );
        self.format.frame(to, position, |to| flatbuffer.write(&front, to))
    }

    /// Appends the metadata of a record batch or dictionary batch, and pads it to a multiple of the alignment.
    ///
    /// # Errors
    /// The errors of [`batch_metadata`](MetadataEncoder::batch_metadata).
    pub fn batch(
        &self,
        to: &mut BufferMut,
        kind: Option<DictionaryHeader>,
        lists: &BatchHeaderBuilder,
        metadata: &Metadata,
    ) -> Result<()> {
        let metadata = self.batch_metadata(kind, lists, metadata)?;
        to.reserve(metadata.n_bytes());
        metadata.write(to.spare(metadata.n_bytes()), lists);
        to.filled(metadata.n_bytes());
        Ok(())
    }

    /// Appends a prefix, unchanged metadata, and the padding that the alignment needs. Returns the number of bytes
    /// appended.
    pub fn copied(&self, to: &mut BufferMut, metadata: &[u8], position: u64) -> Result<u64> {
        self.format.frame(to, position, |to| to.extend_from_slice(metadata))
    }

    /// The metadata of a record batch or dictionary batch, before it is written.
    ///
    /// # Errors
    /// If the metadata is longer than readers accept by default.
    pub fn batch_metadata(
        &self,
        kind: Option<DictionaryHeader>,
        lists: &BatchHeaderBuilder,
        metadata: &Metadata,
    ) -> Result<BatchMetadata> {
        let metadata = without_codec(self.format.version, metadata);
        let flatbuffer = BatchFlatbuffer::try_new(self.format, kind, lists, &metadata)?;
        let lengths = self.format.framed(self.position, flatbuffer.n_bytes())?;
        Ok(BatchMetadata { flatbuffer, lengths })
    }
}

impl BatchMetadata {
    /// The length of prefix, flatbuffer and padding.
    #[inline]
    pub fn n_bytes(&self) -> usize {
        self.lengths.n_bytes
    }

    /// Fills `to` with prefix, flatbuffer and padding. `lists` are the lists from which `self` was made.
    #[inline]
    pub fn write(&self, to: &mut [u8], lists: &BatchHeaderBuilder) {
        let rest = self.lengths.put_prefix(to);
        let (flatbuffer, padding) = rest.split_at_mut(self.flatbuffer.n_bytes());
        self.flatbuffer.write(flatbuffer, lists);
        padding.fill(0);
    }
}

#[cfg(test)]
mod tests;
