//! Batches to the bytes of a stream, as segments. No I/O.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Metadata, Schema};

use crate::{
    batch::{SegmentSink, encode},
    columns::{Columns, SchemaColumns},
    dictionary::{DictionaryTracker, Replacement},
    encoded::{Encoded, EncodedMessage},
    error::{IpcErrorKind, Result},
    ipc_schema::{Endianness, IpcSchema, MetadataVersion},
    message::{BatchKind, BatchLists, END_OF_STREAM, MessageEncoder, MessageKind},
    options::WriteOptions,
    segment::Segments,
};

/// Encodes record batches as an IPC stream, without I/O: what is to be written comes out as segments.
///
/// The stream is of metadata version 5 and in the byte order of this machine, whatever the schema came from. Arrays
/// that are not sliced are written as they are, without a copy of any buffer of 4 KiB or more. The same batches give
/// the same bytes.
///
/// What has been encoded is to be written before the next call: then its memory is used again.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{StreamEncoder, WriteOptions};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::empty(&DataType::Int64))])?;
/// let mut encoder = StreamEncoder::new(batch.schema(), WriteOptions::default())?;
/// let mut stream = Vec::new();
/// encoder.start()?.write_to(&mut stream)?;
/// encoder.encode(&batch)?.write_to(&mut stream)?;
/// encoder.finish()?.write_to(&mut stream)?;
/// assert!(stream.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StreamEncoder {
    schema: IpcSchema,
    /// The schema of the last batch that was found to fit: mostly the next one's, too.
    known_to_fit: Arc<Schema>,
    columns: SchemaColumns,
    options: WriteOptions,
    tracker: DictionaryTracker,
    state: State,
    /// What comes before the schema message.
    start: &'static [u8],
    /// Bytes of all that has been handed out.
    position: u64,
    // What follows is kept for its memory.
    metadata: MessageEncoder,
    lists: BatchLists,
    segments: Segments,
    messages: Vec<EncodedMessage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Fresh,
    Started,
    Finished,
}

impl StreamEncoder {
    /// An encoder for batches of a schema. Made of a plain schema, dictionaries get ids from 0 on; an [`IpcSchema`]
    /// keeps those that it has.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share one.
    pub fn new(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<StreamEncoder> {
        StreamEncoder::beginning_with(&[], schema.into(), options)
    }

    /// The same for a stream inside of a file, which has something before it. Dictionaries are not replaced there.
    pub(crate) fn beginning_with(
        start: &'static [u8],
        schema: IpcSchema,
        options: WriteOptions,
    ) -> Result<StreamEncoder> {
        let replacement = if start.is_empty() { Replacement::Allowed } else { Replacement::Refused };
        let schema = schema.with_version(MetadataVersion::V5).with_endianness(Endianness::NATIVE);
        let columns = SchemaColumns::try_new(&schema)?;
        Ok(StreamEncoder {
            known_to_fit: Arc::clone(schema.schema()),
            tracker: DictionaryTracker::new(&columns, replacement),
            schema,
            columns,
            options,
            state: State::Fresh,
            start,
            position: 0,
            metadata: MessageEncoder::default(),
            lists: BatchLists::default(),
            segments: Segments::default(),
            messages: Vec::new(),
        })
    }

    /// The schema as it is written.
    pub fn schema(&self) -> &IpcSchema {
        &self.schema
    }

    /// The bytes of all that has been encoded, which is where the next message begins.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The schema message, unless it has been encoded already. Without this call it comes before the first batch.
    ///
    /// # Errors
    /// If the schema's metadata is longer than the format can express.
    pub fn start(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        self.commit();
        Ok(self.encoded())
    }

    /// The message of a batch, after those of dictionaries that are new or have other values than before.
    ///
    /// # Errors
    /// If names, types or nullability differ from the schema's; the first difference is named. If fields that share a
    /// dictionary have different ones. If a slice of an array that has not been checked turns out not to be sound.
    /// The encoder can be used further in any case, as if it had not been called.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>> {
        self.encode_with_metadata(batch, &Metadata::new())
    }

    /// As [`encode`](StreamEncoder::encode), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// As [`encode`](StreamEncoder::encode).
    pub fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        self.clear();
        let added = self.add_start().and_then(|()| self.add_batch(batch, metadata));
        if added.is_err() {
            self.clear();
        }
        added?;
        self.commit();
        Ok(self.encoded())
    }

    /// The end of the stream. Nothing can be encoded after it.
    ///
    /// # Errors
    /// As [`start`](StreamEncoder::start).
    pub fn finish(&mut self) -> Result<Encoded<'_>> {
        self.finish_with(&[])
    }

    /// The end of the stream, and what comes behind it.
    pub(crate) fn finish_with(&mut self, trailer: &[&[u8]]) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        self.segments.gather(&END_OF_STREAM);
        trailer.iter().for_each(|bytes| self.segments.gather(bytes));
        self.commit();
        self.state = State::Finished;
        Ok(self.encoded())
    }

    /// Lets go of the buffers of what has been encoded last.
    pub fn clear(&mut self) {
        self.segments.clear();
        self.messages.clear();
    }

    fn encoded(&self) -> Encoded<'_> {
        Encoded::new(&self.segments, &self.messages)
    }

    pub(crate) fn options(&self) -> &WriteOptions {
        &self.options
    }

    /// Counts what has been added as handed out.
    fn commit(&mut self) {
        self.position = self.position.saturating_add(self.segments.n_bytes());
        self.state = State::Started;
        self.tracker.commit();
    }

    fn add_start(&mut self) -> Result<()> {
        match self.state {
            State::Fresh => {}
            State::Started => return Ok(()),
            State::Finished => return Err(IpcErrorKind::AlreadyFinished { what: "a message" }.into()),
        }
        self.segments.gather(self.start);
        let position = self.segments.n_bytes();
        let place = self.segments.open_metadata();
        let (metadata, schema) = (&mut self.metadata, &self.schema);
        let file_metadata = &self.options.file_metadata;
        let written =
            self.segments.fill_metadata(place, |to| metadata.schema(to, schema, file_metadata, position));
        self.messages.push(EncodedMessage {
            kind: MessageKind::Schema,
            position,
            n_metadata_bytes: written?,
            n_body_bytes: 0,
        });
        Ok(())
    }

    fn add_batch(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        if !Arc::ptr_eq(&self.known_to_fit, batch.schema()) {
            self.schema.schema().check_same_columns(batch.schema()).map_err(IpcErrorKind::Schema)?;
            self.known_to_fit = Arc::clone(batch.schema());
        }
        let StreamEncoder { columns, tracker, position, segments, .. } = self;
        let position = position.saturating_add(segments.n_bytes());
        let mut output = MessageOutput {
            encoder: &mut self.metadata,
            lists: &mut self.lists,
            segments,
            messages: &mut self.messages,
            position,
        };
        for pending in tracker.look_at(columns, batch.columns())? {
            let dictionary = &columns.dictionaries[pending.dictionary.0];
            let (kind, values) =
                (BatchKind::Dictionary { id: dictionary.id }, std::slice::from_ref(&*pending.values));
            let rows = Rows { columns: &dictionary.columns, arrays: values, n_rows: pending.values.len() };
            output.add(kind, rows, &Metadata::new())?;
        }
        let rows = Rows { columns: &columns.batch, arrays: batch.columns(), n_rows: batch.n_rows() };
        output.add(BatchKind::Record, rows, metadata)
    }
}

/// Where messages are added.
struct MessageOutput<'a> {
    encoder: &'a mut MessageEncoder,
    lists: &'a mut BatchLists,
    segments: &'a mut Segments,
    messages: &'a mut Vec<EncodedMessage>,
    position: u64,
}

/// The content of one message.
struct Rows<'a> {
    columns: &'a Columns,
    arrays: &'a [ArrayData],
    n_rows: usize,
}

impl MessageOutput<'_> {
    /// One message: first its body is planned and its segments listed, then its metadata takes the place before it.
    fn add(&mut self, kind: BatchKind, rows: Rows<'_>, metadata: &Metadata) -> Result<()> {
        let place = self.segments.open_metadata();
        self.lists.begin(rows.n_rows);
        let mut sink = SegmentSink { lists: self.lists, segments: self.segments };
        encode(rows.columns, rows.arrays, &mut sink)?;
        let n_padding = self.lists.end_body();
        self.segments.zeros(n_padding);
        self.lists.wire_body_bytes()?;
        let (encoder, lists) = (&mut *self.encoder, &*self.lists);
        let written = self.segments.fill_metadata(place, |to| encoder.batch(to, kind, lists, metadata));
        let message = EncodedMessage {
            kind: match kind {
                BatchKind::Record => MessageKind::RecordBatch,
                BatchKind::Dictionary { .. } => MessageKind::DictionaryBatch,
            },
            position: self.position,
            n_metadata_bytes: written?,
            n_body_bytes: lists.n_body_bytes(),
        };
        self.position = self.position.saturating_add(message.n_bytes());
        self.messages.push(message);
        Ok(())
    }
}
