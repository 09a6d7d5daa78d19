//! Batches to the bytes of a stream, as segments. No I/O.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Metadata, Schema};

use super::output::{BatchContext, Bodies, MessageOutput};
use crate::{
    batch::{Shaping, Trim},
    columns::{DictionaryIdx, SchemaColumns},
    compression::Compressor,
    dictionary::{DictionaryTracker, Place},
    encoded::{Encoded, EncodedMessage, OwnedEncoded},
    error::{IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    message::MessageFormat,
    options::WriteOptions,
    protocol::Endianness,
    schema::{SchemaPart, check_depth},
    tensor::TensorRef,
};

mod start;

/// Encodes record batches as an IPC stream, without I/O: what is to be written comes out as segments.
///
/// Version and byte order are those of the [`WriteOptions`], whatever the schema came from. Arrays that are not sliced,
/// and use all of their data, are written as they are, without a copy of any buffer of 4 KiB or more, unless the options
/// ask for other bytes; of others no more is written than they refer to. The same batches give the same bytes.
///
/// Dictionaries are written before the batch that first needs them, or in a stream before the first batch. Where their
/// values change, they are written again, or what a [`DictionaryPolicy`](crate::DictionaryPolicy) says.
///
/// Write what has been encoded before the next call, which uses its memory again, or keep it by
/// [`Encoded::into_owned`].
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{StreamEncoder, WriteOptions};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = StreamEncoder::try_new(batch.schema(), WriteOptions::default())?;
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
    schema_part: Option<Arc<SchemaPart>>,
    /// The schema of the last batch that was found to fit: mostly the next one's, too.
    known_to_fit: Arc<Schema>,
    columns: SchemaColumns,
    options: WriteOptions,
    tracker: DictionaryTracker,
    state: State,
    n_batches: u64,
    /// For the next message of each dictionary, by the place in the columns; empty if there is none.
    dictionary_metadata: Vec<Option<Metadata>>,
    /// What comes before the schema message.
    start: &'static [u8],
    output: MessageOutput,
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
    /// If a dictionary contains itself, or fields of different types share one. If types nest deeper than readers go
    /// by default: see [`Limits::max_depth`](crate::Limits::max_depth). If the metadata version of the options cannot
    /// carry a type, or another option. If dictionaries of the schema are not among the unified ones. If a codec is not
    /// built in, or does not have the level that is asked for. If the alignment is none that bodies can have.
    pub fn try_new(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<StreamEncoder> {
        StreamEncoder::beginning_with(&[], schema.into(), options)
    }

    /// The same for a stream inside of a file, which has something before it. Dictionaries are not replaced there.
    pub(crate) fn beginning_with(
        start: &'static [u8],
        schema: IpcSchema,
        mut options: WriteOptions,
    ) -> Result<StreamEncoder> {
        let place = if start.is_empty() { Place::Stream } else { Place::File };
        let schema = schema.with_version(options.version).with_endianness(options.endianness);
        let schema = schema.with_features(options.features.to_vec());
        check_depth(schema.schema())?;
        let columns = SchemaColumns::try_new(&schema)?;
        options.check_version(&columns)?;
        // Unified dictionaries may be large, and the tracker takes what it needs of them.
        let policy = std::mem::take(&mut options.dictionaries);
        let compressor = options.compression.map(Compressor::try_new).transpose()?;
        let compressor = compressor.map(|compressor| compressor.with_threads(options.threads));
        let codec = compressor.as_ref().map(Compressor::codec);
        let (version, framing) = (options.version, options.framing);
        let alignment = options.checked_alignment()?;
        let format = MessageFormat { version, framing, codec, alignment };
        let swaps = options.endianness != Endianness::NATIVE;
        let (null_slots, shared_buffers) = (options.null_slots, options.shared_buffers);
        let unused_items = options.unused_items();
        let shaping = Shaping { swaps, null_slots, compressor, shared_buffers, unused_items };
        Ok(StreamEncoder {
            known_to_fit: Arc::clone(schema.schema()),
            tracker: DictionaryTracker::try_new(&columns, place, policy)?,
            schema,
            schema_part: None,
            columns,
            options,
            state: State::Fresh,
            n_batches: 0,
            dictionary_metadata: Vec::new(),
            start,
            output: MessageOutput::new(format, shaping),
        })
    }

    /// Goes on after `n_batches` batches that were written before, at this position.
    pub(crate) fn continue_at(&mut self, position: u64, n_batches: u64) {
        self.output.begin_at(position);
        (self.state, self.n_batches) = (State::Started, n_batches);
    }

    /// Says that a dictionary was written before, with these values.
    ///
    /// # Errors
    /// If their content is not valid, or unified dictionaries have others.
    pub(crate) fn know_dictionary(
        &mut self,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        self.tracker.know(&self.columns, dictionary, values)
    }

    /// The schema as it is written.
    pub fn schema(&self) -> &IpcSchema {
        &self.schema
    }

    /// The bytes of all that has been encoded, which is where the next message begins.
    pub fn position(&self) -> u64 {
        self.output.position()
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
    /// If names, types or nullability differ from the schema's; the first difference is named. If the policy does
    /// not allow what the batch has in its dictionaries: by default, if fields that share one have different ones. If a
    /// slice of an array that has not been checked turns out not to be sound. The encoder can be used further in any
    /// case, as if it had not been called.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>> {
        self.encode_with_metadata(batch, &Metadata::new())
    }

    /// As [`encode`](StreamEncoder::encode), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// As [`encode`](StreamEncoder::encode).
    pub fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        self.encode_if(batch, metadata, |_| Ok(()))
    }

    /// The same, unless `accept` refuses the messages.
    pub(crate) fn encode_if(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
        accept: impl FnOnce(&OwnedEncoded) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        self.add_if(|encoder| encoder.add_batch(batch, metadata), accept)?;
        self.n_batches = self.n_batches.saturating_add(1);
        Ok(self.encoded())
    }

    /// The message of a tensor, between batches; it need not fit the schema. Readers of other libraries refuse such
    /// streams.
    ///
    /// # Errors
    /// If names of dimensions, or the metadata, are longer than the format can express. The encoder can be used
    /// further, as if it had not been called.
    pub fn encode_tensor<'a>(
        &mut self,
        tensor: impl Into<TensorRef<'a>>,
        metadata: &Metadata,
    ) -> Result<Encoded<'_>> {
        self.add_message(|output, _| output.add_tensor(tensor.into(), metadata))
    }

    /// The end of the stream. Nothing can be encoded after it.
    ///
    /// # Errors
    /// As [`start`](StreamEncoder::start).
    pub fn finish(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        Ok(self.end_with(&[]))
    }

    /// A message that is not made of arrays. After an error the encoder can be used further, as if it had not been called.
    pub(crate) fn add_message(
        &mut self,
        add: impl FnOnce(&mut MessageOutput, &SchemaColumns) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        self.add_message_if(add, |_| Ok(()))
    }

    /// The same, unless `accept` refuses the message.
    pub(crate) fn add_message_if(
        &mut self,
        add: impl FnOnce(&mut MessageOutput, &SchemaColumns) -> Result<()>,
        accept: impl FnOnce(&OwnedEncoded) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        self.add_if(|encoder| add(&mut encoder.output, &encoder.columns), accept)?;
        Ok(self.encoded())
    }

    /// What the stream inside of a file has before its end: dictionaries that no batch has needed, but readers look
    /// for. To be followed by [`end_with`](StreamEncoder::end_with).
    pub(crate) fn begin_end(&mut self) -> Result<&[EncodedMessage]> {
        self.clear();
        self.add_start()?;
        if self.n_batches > 0 {
            self.tracker.look_at_end(&self.columns);
            self.add_dictionaries()?;
        }
        Ok(self.output.messages())
    }

    /// The end of the stream, and what follows it.
    pub(crate) fn end_with(&mut self, trailer: &[&[u8]]) -> Encoded<'_> {
        self.add_end(trailer);
        self.commit();
        self.state = State::Finished;
        self.encoded()
    }

    /// The end of the stream as if it were now, and what follows it. The next message takes its place.
    pub(crate) fn provisional_end(&mut self, trailer: &[&[u8]]) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        self.add_end(trailer);
        Ok(self.encoded())
    }

    fn add_end(&mut self, trailer: &[&[u8]]) {
        self.output.gather(self.output.format().end_of_stream());
        trailer.iter().for_each(|bytes| self.output.gather(bytes));
    }

    /// Gives the next message of a dictionary custom metadata: the one that is written before the batch that needs it. A
    /// dictionary that is not written again keeps it for the one after, and [`reset`](StreamEncoder::reset) forgets it. Returns what
    /// was set before and has not been written.
    ///
    /// # Errors
    /// If the schema has no dictionary with this id.
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        let dictionary = self.columns.dictionary(id).ok_or(IpcErrorKind::UnknownDictionary { id })?;
        self.dictionary_metadata.resize(self.columns.dictionaries.len(), None);
        Ok(self.dictionary_metadata[dictionary.0].replace(metadata))
    }

    /// Begins the next stream, of the same schema and with the same options. Memory is kept; of what has been written
    /// nothing counts, whether or not its end has been encoded.
    pub fn reset(&mut self) {
        self.clear();
        self.output.reset();
        self.tracker.reset();
        self.dictionary_metadata.clear();
        (self.state, self.n_batches) = (State::Fresh, 0);
    }

    /// Lets go of the buffers of what has been encoded last.
    pub fn clear(&mut self) {
        self.output.clear();
        // What a batch that was refused would have needed counts for nothing.
        self.tracker.forget();
    }

    fn encoded(&mut self) -> Encoded<'_> {
        self.output.encoded()
    }

    pub(crate) fn columns(&self) -> &SchemaColumns {
        &self.columns
    }

    pub(crate) fn options(&self) -> &WriteOptions {
        &self.options
    }

    /// Whether the bytes of messages are known before their bodies are made.
    pub(super) fn knows_lengths(&self) -> bool {
        self.output.knows_lengths()
    }

    /// What becomes of bodies from now on.
    pub(super) fn set_bodies(&mut self, bodies: Bodies) {
        self.output.set_bodies(bodies);
    }

    /// What all its messages have in common.
    pub(crate) fn format(&self) -> MessageFormat {
        self.output.format()
    }

    /// Counts what has been added as handed out.
    fn commit(&mut self) {
        self.output.commit();
        self.state = State::Started;
        if !self.dictionary_metadata.is_empty() {
            for pending in self.tracker.pending() {
                self.dictionary_metadata[pending.dictionary.0] = None;
            }
        }
        self.tracker.commit();
    }

    /// Counts what is added, unless that fails or is refused: then nothing has been.
    fn add_if(
        &mut self,
        add: impl FnOnce(&mut StreamEncoder) -> Result<()>,
        accept: impl FnOnce(&OwnedEncoded) -> Result<()>,
    ) -> Result<()> {
        self.clear();
        let added = self.add_start().and_then(|()| add(self)).and_then(|()| accept(&self.encoded()));
        match added {
            Ok(()) => self.commit(),
            Err(_) => self.clear(),
        }
        added
    }

    fn add_batch(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        if !Arc::ptr_eq(&self.known_to_fit, batch.schema()) {
            self.schema.schema().check_same_columns(batch.schema()).map_err(IpcErrorKind::Schema)?;
            self.known_to_fit = Arc::clone(batch.schema());
        }
        let trimmed = Trim::new(&self.options).batch(&self.columns.batch, batch)?;
        let batch = trimmed.as_ref().unwrap_or(batch);
        self.tracker.look_at(&self.columns, batch.columns())?;
        self.add_dictionaries()?;
        let context = BatchContext { schema: &self.columns, maps: self.tracker.maps() };
        self.output.add_batch(context, batch, metadata)
    }

    /// The dictionaries that have to be written.
    fn add_dictionaries(&mut self) -> Result<()> {
        let StreamEncoder { columns, tracker, output, dictionary_metadata, .. } = self;
        let context = BatchContext { schema: columns, maps: tracker.maps() };
        let pending = tracker.pending();
        if pending.is_empty() {
            return Ok(());
        }
        let none = Metadata::new();
        // The metadata goes with the first message of a dictionary.
        let mut has_metadata = vec![true; dictionary_metadata.len()];
        pending.iter().try_for_each(|one| {
            let idx = one.dictionary.0;
            let is_first = has_metadata.get_mut(idx).is_some_and(std::mem::take);
            let metadata = dictionary_metadata.get(idx).and_then(Option::as_ref);
            let metadata = metadata.filter(|_| is_first).unwrap_or(&none);
            output.add_dictionary(context, one, metadata)
        })
    }
}
