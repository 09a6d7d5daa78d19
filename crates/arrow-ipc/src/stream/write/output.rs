//! Encodes messages as segments.

use arrow_data::ArrayData;
use arrow_schema::Metadata;

use crate::{
    batch::{
        BodyTransform, CompressionBound, EncodeRules, RepeatedBuffers, SegmentSink, TransformSink, encode,
    },
    dictionary::IndexMaps,
    error::Result,
    options::SharedBuffers,
    segment::{
        RawHeader, RawMessage, ReservedMetadata,
        encoded::{Encoded, EncodedMessage, MessageSize, OwnedEncoded},
    },
};
use arrow_ipc_format::{
    BatchHeaderBuilder, DictionaryHeader, Limits, MessageFormat, MessageKind, MetadataEncoder, SchemaPart,
    columns::Columns,
};

/// The messages of one call of an encoder, and the position in the stream or file.
#[derive(Debug, Default)]
pub struct MessageOutput {
    /// The number of bytes of earlier calls.
    position: u64,
    /// The number of bytes of bodies that the caller writes itself.
    n_bytes_elsewhere: u64,
    encoder: MetadataEncoder,
    transform: BodyTransform,
    lists: BatchHeaderBuilder,
    repeats: RepeatedBuffers,
    expected: MetadataLengths,
    bodies: BodyOutput,
    encoded: OwnedEncoded,
}

/// The length of the last metadata of each kind. It is mostly also the length of the next metadata.
#[derive(Debug, Clone, Copy, Default)]
struct MetadataLengths {
    record: usize,
    dictionary: usize,
}

/// What to do with the bodies of batches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum BodyOutput {
    /// Bodies are encoded as segments.
    #[default]
    Made,
    /// Only the lengths of bodies are computed, or upper bounds of them: see
    /// [`knows_lengths`](MessageOutput::knows_lengths).
    Counted,
}

/// The arrays of one message.
pub(super) struct MessageRows<'a> {
    pub(super) columns: &'a Columns,
    pub(super) maps: &'a IndexMaps,
    pub(super) arrays: &'a [ArrayData],
    pub(super) n_rows: usize,
}

impl MessageOutput {
    pub(super) fn new(format: MessageFormat, transform: BodyTransform) -> MessageOutput {
        let lists = BatchHeaderBuilder::new(format.alignment);
        MessageOutput { encoder: MetadataEncoder::new(format), transform, lists, ..MessageOutput::default() }
    }

    /// The format of the messages.
    pub fn format(&self) -> MessageFormat {
        self.encoder.format()
    }

    /// The number of bytes of all messages that were committed: the position of the next message.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The messages that were added since the last [`clear`](MessageOutput::clear).
    pub fn encoded(&mut self) -> Encoded<'_> {
        Encoded::new(&mut self.encoded)
    }

    /// Drops the added messages and their references to buffers.
    pub fn clear(&mut self) {
        self.encoded.clear(self.position);
        self.repeats.clear();
        self.n_bytes_elsewhere = 0;
    }

    /// Continues at a position of a stream or file, and uses the same memory.
    pub(super) fn begin_at(&mut self, position: u64) {
        self.position = position;
        self.clear();
    }

    pub(super) fn set_bodies(&mut self, bodies: BodyOutput) {
        self.bodies = bodies;
    }

    /// Whether the lengths of bodies are known before they are encoded. They are, unless bodies are compressed or
    /// shared buffers are written once.
    pub(super) fn knows_lengths(&self) -> bool {
        let is_once = match self.transform.shared_buffers {
            SharedBuffers::Repeated => false,
            SharedBuffers::Once => true,
        };
        self.transform.compressor.is_none() && !is_once
    }

    /// Advances the position by the added messages.
    pub fn commit(&mut self) {
        self.position = self.next_position();
        self.n_bytes_elsewhere = 0;
    }

    pub(crate) fn gather(&mut self, bytes: &[u8]) {
        self.encoded.segments.gather(bytes);
    }

    /// Adds a message whose metadata and body are there, in the framing and alignment of the output.
    ///
    /// # Errors
    /// If the body or the metadata is longer than the format can express. If parts of the body overlap.
    pub fn add_message(&mut self, message: RawMessage<'_>) -> Result<()> {
        let position = self.next_position();
        self.encoder.begin_at(position);
        Limits::check("bytes of body", message.n_body_bytes, Limits::MAX_I64)?;
        let reserved = self.encoded.segments.open_metadata(0);
        match message.body {
            None => self.n_bytes_elsewhere = self.n_bytes_elsewhere.saturating_add(message.n_body_bytes),
            Some(parts) => {
                let segments = &mut self.encoded.segments;
                message.try_for_each_part(parts, |n_zeros, bytes| {
                    segments.gap(n_zeros);
                    if let Some(bytes) = bytes {
                        segments.share(bytes, 0, bytes.len());
                    }
                })?;
            }
        }
        let encoder = &self.encoder;
        let segments = &mut self.encoded.segments;
        let (kind, n_rows, n_bytes) = match message.header {
            RawHeader::Flatbuffer { kind, n_rows, bytes } => {
                let n_bytes = segments.fill_metadata(reserved, |to| encoder.copied(to, bytes, position))?;
                (kind, n_rows, n_bytes)
            }
            RawHeader::Batch { dictionary, header, metadata } => {
                let metadata = encoder.batch_metadata(dictionary, header, metadata)?;
                segments.fill_metadata_with(reserved, metadata.n_bytes(), |to| metadata.write(to, header));
                (kind_of(dictionary), header.n_rows(), metadata.n_bytes() as u64)
            }
        };
        let size = MessageSize::new(n_bytes, message.n_body_bytes);
        self.encoded.messages.push(EncodedMessage::new(kind, position, n_rows, size));
        Ok(())
    }

    pub(super) fn add_schema(&mut self, schema: &SchemaPart, file_metadata: &Metadata) -> Result<()> {
        let position = self.next_position();
        let reserved = self.encoded.segments.open_metadata(0);
        let encoder = &mut self.encoder;
        let written = self
            .encoded
            .segments
            .fill_metadata(reserved, |to| encoder.schema(to, schema, file_metadata, position));
        let kind = MessageKind::Schema;
        let size = MessageSize::new(written?, 0);
        self.encoded.messages.push(EncodedMessage::new(kind, position, 0, size));
        Ok(())
    }

    /// Adds one message: first its body, then its metadata in the range reserved before the body.
    pub(super) fn add(
        &mut self,
        kind: Option<DictionaryHeader>,
        rows: &MessageRows<'_>,
        metadata: &Metadata,
    ) -> Result<()> {
        let position = self.next_position();
        self.encoder.begin_at(position);
        let n_expected = match self.bodies {
            BodyOutput::Made => *self.expected.for_kind(kind),
            BodyOutput::Counted => 0,
        };
        let reserved = self.encoded.segments.open_metadata(n_expected);
        self.lists.begin(rows.n_rows as u64);
        match self.bodies {
            BodyOutput::Made => self.add_body(rows)?,
            BodyOutput::Counted => {
                self.count_body(rows)?;
                let n_bytes = Limits::fit("bytes of body", self.lists.n_body_bytes(), usize::MAX as u64)?;
                self.encoded.segments.zeros(n_bytes);
            }
        }
        self.end(kind, position, reserved, metadata)
    }

    /// The size that the message of a batch would have at a position. It is an upper bound if the length of the body is
    /// unknown: see [`knows_lengths`](MessageOutput::knows_lengths). Adds nothing.
    pub(super) fn measure(
        &mut self,
        position: u64,
        rows: &MessageRows<'_>,
        metadata: &Metadata,
    ) -> Result<MessageSize> {
        self.encoder.begin_at(position);
        self.lists.begin(rows.n_rows as u64);
        self.count_body(rows)?;
        self.lists.wire_body_bytes()?;
        let n_metadata_bytes = self.encoder.batch_metadata(None, &self.lists, metadata)?.n_bytes();
        Ok(MessageSize::new(n_metadata_bytes as u64, self.lists.n_body_bytes()))
    }

    fn add_body(&mut self, rows: &MessageRows<'_>) -> Result<()> {
        let rules = self.rules(rows);
        let repeats = match self.transform.shared_buffers {
            SharedBuffers::Repeated => None,
            SharedBuffers::Once => Some(&mut self.repeats),
        };
        if self.transform.is_plain() {
            let segments = &mut self.encoded.segments;
            let mut sink = SegmentSink { lists: &mut self.lists, segments, repeats };
            encode(rows.columns, rows.arrays, rules, &mut sink)?;
        } else {
            let mut sink = TransformSink::new(&mut self.lists, &self.transform, repeats);
            encode(rows.columns, rows.arrays, rules, &mut sink)?;
            sink.finish(&mut self.transform, &mut self.encoded.segments)?;
        }
        self.repeats.clear();
        let n_padding = self.lists.end_body();
        self.encoded.segments.zeros(n_padding);
        Ok(())
    }

    fn rules<'a>(&self, rows: &MessageRows<'a>) -> EncodeRules<'a> {
        let unused_items = self.transform.unused_items;
        EncodeRules { version: self.format().version, maps: rows.maps, unused_items }
    }

    fn count_body(&mut self, rows: &MessageRows<'_>) -> Result<()> {
        let rules = self.rules(rows);
        match self.transform.compressor {
            None => encode(rows.columns, rows.arrays, rules, &mut self.lists)?,
            Some(_) => encode(rows.columns, rows.arrays, rules, &mut CompressionBound(&mut self.lists))?,
        }
        self.lists.end_body();
        Ok(())
    }

    /// Ends a message: writes its metadata into the range reserved before the body.
    fn end(
        &mut self,
        kind: Option<DictionaryHeader>,
        position: u64,
        reserved: ReservedMetadata,
        metadata: &Metadata,
    ) -> Result<()> {
        self.lists.wire_body_bytes()?;
        let encoder = &self.encoder;
        let lists = &self.lists;
        let segments = &mut self.encoded.segments;
        let metadata = encoder.batch_metadata(kind, lists, metadata)?;
        segments.fill_metadata_with(reserved, metadata.n_bytes(), |to| metadata.write(to, lists));
        *self.expected.for_kind(kind) = metadata.n_bytes();
        let size = MessageSize::new(metadata.n_bytes() as u64, self.lists.n_body_bytes());
        self.encoded.messages.push(EncodedMessage::new(kind_of(kind), position, self.lists.n_rows(), size));
        Ok(())
    }

    /// The position of the next message, after the added ones.
    pub(super) fn next_position(&self) -> u64 {
        let n_added = self.encoded.segments.n_bytes().saturating_add(self.n_bytes_elsewhere);
        self.position.saturating_add(n_added)
    }
}

/// Encodes messages whose metadata and body are there, without a schema before them and an end after them.
/// `arrow-ipc-tensor` encodes tensors in this way.
#[derive(Debug, Default)]
pub struct RawMessageEncoder {
    output: MessageOutput,
}

impl RawMessageEncoder {
    /// The format of the messages: that of default options.
    pub fn format(&self) -> MessageFormat {
        self.output.format()
    }

    /// The number of bytes that have been encoded. This is the position of the next message.
    pub fn position(&self) -> u64 {
        self.output.position()
    }

    /// Encodes a message.
    ///
    /// # Errors
    /// If the body or the metadata is longer than the format can express. If parts of the body overlap. The position is
    /// then as before the call.
    pub fn encode(&mut self, message: RawMessage<'_>) -> Result<Encoded<'_>> {
        self.output.clear();
        if let Err(error) = self.output.add_message(message) {
            self.output.clear();
            return Err(error);
        }
        self.output.commit();
        Ok(self.output.encoded())
    }

    /// Drops the last message, which shares the buffers of its body.
    pub fn clear(&mut self) {
        self.output.clear();
    }
}

fn kind_of(dictionary: Option<DictionaryHeader>) -> MessageKind {
    match dictionary {
        None => MessageKind::RecordBatch,
        Some(_) => MessageKind::DictionaryBatch,
    }
}

impl MetadataLengths {
    fn for_kind(&mut self, kind: Option<DictionaryHeader>) -> &mut usize {
        match kind {
            None => &mut self.record,
            Some(_) => &mut self.dictionary,
        }
    }
}
