//! Encodes messages as segments.

use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::Metadata;
use arrow_select::Select;

use crate::{
    batch::{EncodeRules, RepeatedBuffers, SegmentSink, ShapedSink, Shaping, encode},
    dictionary::IndexMaps,
    error::{Context, Result},
    options::{NullSlots, SharedBuffers},
    segment::{
        MetadataPlace, Segments,
        encoded::{Encoded, EncodedMessage, MessageSize, OwnedEncoded},
    },
};
use arrow_ipc_format::{
    BatchHeaderBuilder, DictionaryHeader, Envelope, Limits, MessageFormat, MessageKind, MetadataEncoder,
    MetadataVersion, SchemaPart, columns::Columns,
};

/// The messages of one call of an encoder, and the position in the stream or file. Crates that encode messages of their own
/// add them here.
#[derive(Debug, Default)]
pub struct MessageOutput {
    /// The number of bytes of earlier calls.
    position: u64,
    /// The number of bytes of bodies that the caller writes itself.
    n_bytes_elsewhere: u64,
    encoder: MetadataEncoder,
    shaping: Shaping,
    lists: BatchHeaderBuilder,
    repeats: RepeatedBuffers,
    expected: MetadataLengths,
    bodies: BodyOutput,
    made: OwnedEncoded,
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
    /// Only the lengths of bodies are computed.
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
    pub(super) fn new(format: MessageFormat, shaping: Shaping) -> MessageOutput {
        let lists = BatchHeaderBuilder::new(format.alignment);
        MessageOutput { encoder: MetadataEncoder::new(format), shaping, lists, ..MessageOutput::default() }
    }

    pub(super) fn format(&self) -> MessageFormat {
        self.encoder.format()
    }

    /// The number of bytes of all messages that were committed: the position of the next message.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The messages that were added since the last [`clear`](MessageOutput::clear).
    pub fn encoded(&mut self) -> Encoded<'_> {
        Encoded::new(&mut self.made)
    }

    /// Drops the added messages and their references to buffers.
    pub fn clear(&mut self) {
        self.made.clear();
        self.n_bytes_elsewhere = 0;
    }

    /// Continues at a position of a stream or file, and uses the same memory.
    pub(super) fn begin_at(&mut self, position: u64) {
        self.clear();
        self.position = position;
    }

    pub(super) fn set_bodies(&mut self, bodies: BodyOutput) {
        self.bodies = bodies;
    }

    /// Whether the lengths of bodies are known before they are encoded. They are, unless bodies are compressed or
    /// shared buffers are written once.
    pub(super) fn knows_lengths(&self) -> bool {
        let is_once = match self.shaping.shared_buffers {
            SharedBuffers::Repeated => false,
            SharedBuffers::Once => true,
        };
        self.shaping.compressor.is_none() && !is_once
    }

    /// Advances the position by the added messages.
    pub fn commit(&mut self) {
        self.position = self.next_position();
        self.n_bytes_elsewhere = 0;
    }

    pub(crate) fn gather(&mut self, bytes: &[u8]) {
        self.made.segments.gather(bytes);
    }

    /// Adds a message with unchanged metadata, in the framing and alignment of the output. Without `body`, the caller
    /// writes the body.
    pub(crate) fn add_copied(&mut self, head: &Envelope, n_rows: u64, body: Option<&Buffer>) -> Result<()> {
        let position = self.next_position();
        let place = self.made.segments.open_metadata(0);
        match body {
            Some(body) => self.made.segments.share(body, 0, body.len()),
            None => self.n_bytes_elsewhere = self.n_bytes_elsewhere.saturating_add(head.n_body_bytes),
        }
        let encoder = &self.encoder;
        let metadata = &head.metadata;
        let written = self.made.segments.fill_metadata(place, |to| encoder.copied(to, metadata, position));
        let size = MessageSize::new(written?, head.n_body_bytes);
        self.made.messages.push(EncodedMessage { kind: head.kind, position, n_rows, size });
        Ok(())
    }

    pub(super) fn add_schema(&mut self, schema: &SchemaPart, file_metadata: &Metadata) -> Result<()> {
        let position = self.next_position();
        let place = self.made.segments.open_metadata(0);
        let encoder = &mut self.encoder;
        let written =
            self.made.segments.fill_metadata(place, |to| encoder.schema(to, schema, file_metadata, position));
        let (kind, size) = (MessageKind::Schema, MessageSize::new(written?, 0));
        self.made.messages.push(EncodedMessage { kind, position, n_rows: 0, size });
        Ok(())
    }

    /// Adds a message that is no schema, batch or dictionary: its buffers as a body, and the flatbuffer that `encode` makes
    /// of the positions of these buffers.
    ///
    /// # Errors
    /// The errors of `encode`. If the body or the metadata is longer than the format can express.
    pub fn add_buffers<'b>(
        &mut self,
        kind: MessageKind,
        buffers: impl IntoIterator<Item = &'b Buffer>,
        encode: impl FnOnce(MetadataVersion, &BatchHeaderBuilder) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let position = self.next_position();
        self.encoder.begin_at(position);
        let place = self.made.segments.open_metadata(0);
        self.lists.begin(0);
        for buffer in buffers {
            let n_padding = self.lists.add_buffer(buffer.len());
            self.made.segments.zeros(n_padding);
            self.made.segments.share(buffer, 0, buffer.len());
        }
        let n_padding = self.lists.end_body();
        self.made.segments.zeros(n_padding);
        let encoder = &self.encoder;
        let flatbuffer = encode(encoder.format().version, &self.lists)?;
        let written = self.made.segments.fill_metadata(place, |to| encoder.copied(to, &flatbuffer, position));
        let size = MessageSize::new(written?, self.lists.n_body_bytes());
        self.made.messages.push(EncodedMessage { kind, position, n_rows: 0, size });
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
            BodyOutput::Made => *self.expected.of(kind),
            BodyOutput::Counted => 0,
        };
        let place = self.made.segments.open_metadata(n_expected);
        self.lists.begin(rows.n_rows as u64);
        let blank = match self.shaping.null_slots {
            NullSlots::AsTheyAre => None,
            NullSlots::Zeros => Some(blank(rows)?),
        };
        let rows = &MessageRows { arrays: blank.as_deref().unwrap_or(rows.arrays), ..*rows };
        match self.bodies {
            BodyOutput::Made => self.add_body(rows)?,
            BodyOutput::Counted => self.count_body(rows)?,
        }
        self.end(kind, position, place, metadata)
    }

    fn add_body(&mut self, rows: &MessageRows<'_>) -> Result<()> {
        let rules = self.rules(rows);
        self.repeats.clear();
        let repeats = match self.shaping.shared_buffers {
            SharedBuffers::Repeated => None,
            SharedBuffers::Once => Some(&mut self.repeats),
        };
        if self.shaping.is_plain() {
            let segments = &mut self.made.segments;
            let mut sink = SegmentSink { lists: &mut self.lists, segments, repeats };
            encode(rows.columns, rows.arrays, rules, &mut sink)?;
        } else {
            let mut sink = ShapedSink::new(&mut self.lists, &self.shaping, repeats);
            encode(rows.columns, rows.arrays, rules, &mut sink)?;
            sink.finish(&mut self.shaping, &mut self.made.segments)?;
        }
        let n_padding = self.lists.end_body();
        self.made.segments.zeros(n_padding);
        Ok(())
    }

    fn rules<'a>(&self, rows: &MessageRows<'a>) -> EncodeRules<'a> {
        let unused_items = self.shaping.unused_items;
        EncodeRules { version: self.format().version, maps: rows.maps, unused_items }
    }

    fn count_body(&mut self, rows: &MessageRows<'_>) -> Result<()> {
        let rules = self.rules(rows);
        encode(rows.columns, rows.arrays, rules, &mut self.lists)?;
        self.lists.end_body();
        let n_bytes = Limits::fit("bytes of body", self.lists.n_body_bytes(), usize::MAX as u64)?;
        self.made.segments.zeros(n_bytes);
        Ok(())
    }

    /// Adds one message. `fill` adds its lists and its body, and returns how many bytes of the body the caller writes
    /// itself.
    pub(crate) fn add_listed(
        &mut self,
        kind: Option<DictionaryHeader>,
        n_rows: u64,
        metadata: &Metadata,
        fill: impl FnOnce(&mut BatchHeaderBuilder, &mut Segments) -> Result<u64>,
    ) -> Result<()> {
        let position = self.next_position();
        let place = self.made.segments.open_metadata(0);
        self.lists.begin(n_rows);
        let n_bytes_elsewhere = fill(&mut self.lists, &mut self.made.segments)?;
        self.end(kind, position, place, metadata)?;
        self.n_bytes_elsewhere = self.n_bytes_elsewhere.saturating_add(n_bytes_elsewhere);
        Ok(())
    }

    /// Ends a message: writes its metadata into the range reserved before the body.
    fn end(
        &mut self,
        kind: Option<DictionaryHeader>,
        position: u64,
        place: MetadataPlace,
        metadata: &Metadata,
    ) -> Result<()> {
        self.lists.wire_body_bytes()?;
        let (encoder, lists, segments) = (&self.encoder, &self.lists, &mut self.made.segments);
        let metadata = encoder.batch_metadata(kind, lists, metadata)?;
        segments.fill_metadata_with(place, metadata.n_bytes(), |to| metadata.write(to, lists));
        *self.expected.of(kind) = metadata.n_bytes();
        let kind = match kind {
            None => MessageKind::RecordBatch,
            Some(_) => MessageKind::DictionaryBatch,
        };
        let size = MessageSize::new(metadata.n_bytes() as u64, self.lists.n_body_bytes());
        let n_rows = self.lists.n_rows();
        self.made.messages.push(EncodedMessage { kind, position, n_rows, size });
        Ok(())
    }

    fn next_position(&self) -> u64 {
        let n_added = self.made.segments.n_bytes().saturating_add(self.n_bytes_elsewhere);
        self.position.saturating_add(n_added)
    }
}

impl MetadataLengths {
    fn of(&mut self, kind: Option<DictionaryHeader>) -> &mut usize {
        match kind {
            None => &mut self.record,
            Some(_) => &mut self.dictionary,
        }
    }
}

fn blank(rows: &MessageRows<'_>) -> Result<Vec<ArrayData>> {
    let arrays = rows.arrays.iter().zip(rows.columns.roots());
    let blank = arrays.map(|(array, root)| array.with_blank_nulls().in_field(|| rows.columns.path(*root)));
    blank.collect()
}
