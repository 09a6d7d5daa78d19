//! Encodes batches as a stream, without I/O. The result is a list of segments.

mod pieces;

use std::sync::Arc;

#[cfg(feature = "file")]
use arrow_data::ArrayData;
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};
use arrow_select::UnusedValues;

use super::{
    output::{BodyOutput, MessageOutput, MessageRows},
    trailer::{EndOfStream, Trailer},
};
use crate::{
    batch::{BodyTransform, zero_nulls},
    compression::BodyCompressor,
    dictionary::{DictionaryTracker, IndexMaps},
    error::{FormatErrorKind, IpcErrorKind, Result},
    options::WriteOptions,
    segment::{
        RawMessage,
        encoded::{Encoded, MessageSize},
    },
    unused::UnusedData,
};
#[cfg(feature = "file")]
use arrow_ipc_format::columns::DictionaryIdx;
use arrow_ipc_format::{
    DictionaryHeader, Endianness, IpcSchema, MessageFormat, SchemaPart, WrittenContainer, check_readable,
    columns::SchemaColumns,
};

/// Encodes record batches as an IPC stream, without I/O. Each call returns the encoded bytes as segments.
///
/// The [`WriteOptions`] set the metadata version and the byte order, even if the schema comes from data with another
/// version or byte order. If an array is not sliced and uses all of its data, its buffers of 4 KiB or more are not
/// copied, unless an option changes their bytes. Other arrays are trimmed to the range of data that slots refer to;
/// [`WriteOptions::with_unused_items`] says what happens to unused data inside this range. The same batches are always
/// encoded as the same bytes.
///
/// In a stream, all dictionaries are written before the first batch; in a file, a dictionary is written before the
/// first batch that needs it. [`DictionaryPolicy`](crate::DictionaryPolicy) says what happens if the values of a
/// dictionary change. By default, a stream gets the dictionary again.
///
/// The next call reuses the memory of the segments. Write the segments before that call, or keep them with
/// [`Encoded::into_owned`].
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::StreamEncoder;
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = StreamEncoder::try_new(batch.schema())?;
/// let mut stream = Vec::new();
/// encoder.start()?.write_to(&mut stream)?;
/// encoder.encode(&batch)?.write_to(&mut stream)?;
/// encoder.finish()?.write_to(&mut stream)?;
/// assert!(stream.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub type StreamEncoder = BatchEncoder<EndOfStream>;

/// Encodes record batches as messages, without I/O. A [`StreamEncoder`] encodes a stream, and a
/// [`FileEncoder`](crate::FileEncoder) encodes a file.
#[derive(Debug)]
pub struct BatchEncoder<T> {
    schema: IpcSchema,
    schema_part: Option<Arc<SchemaPart>>,
    /// The last schema of a batch that was compared with `schema` and fits. The next batch usually has the same schema
    /// in memory.
    known_to_fit: Arc<Schema>,
    columns: SchemaColumns,
    options: WriteOptions,
    tracker: Box<dyn DictionaryTracker>,
    state: EncoderState,
    n_batches: u64,
    /// Custom metadata for the next message of each dictionary, by dictionary index. Empty if none was set.
    dictionary_metadata: Vec<Option<Metadata>>,
    output: MessageOutput,
    trailer: T,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EncoderState {
    Fresh,
    Started,
    Finished,
}

/// What the messages of the pieces of a batch have in common.
#[derive(Debug, Clone, Copy)]
struct RowsForm<'a> {
    metadata: &'a Metadata,
    /// Whether indices are written as indices into the dictionaries that the encoder has written. Otherwise they are written as
    /// they are, since the reader has the dictionaries of the batch.
    maps_indices: bool,
}

impl RowsForm<'_> {
    fn maps<'a>(&self, tracker: &'a dyn DictionaryTracker) -> &'a IndexMaps {
        if self.maps_indices { tracker.maps() } else { IndexMaps::NONE }
    }
}

impl StreamEncoder {
    /// Makes an encoder of a stream for batches of a schema. The dictionaries of a [`Schema`] get ids from 0 on. The
    /// dictionaries of an [`IpcSchema`] keep their ids.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share a dictionary. If types nest deeper than
    /// readers accept by default: see [`Limits::max_depth`](crate::Limits::max_depth). If the metadata version does not
    /// allow a type or an option. If a dictionary of the schema is not among the unified dictionaries. If the codec is
    /// not built in, or the level does not exist. If the alignment is not allowed.
    pub fn try_new(schema: impl Into<IpcSchema>) -> Result<StreamEncoder> {
        StreamEncoder::try_new_with(schema, WriteOptions::default())
    }

    /// Like [`try_new`](StreamEncoder::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](StreamEncoder::try_new).
    pub fn try_new_with(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<StreamEncoder> {
        BatchEncoder::with_trailer(EndOfStream, schema.into(), options)
    }
}

impl<T: Trailer> BatchEncoder<T> {
    /// Makes an encoder of the container to which `trailer` belongs.
    pub(crate) fn with_trailer(
        trailer: T,
        schema: IpcSchema,
        mut options: WriteOptions,
    ) -> Result<BatchEncoder<T>> {
        let schema = schema.with_version(options.version).with_endianness(options.endianness);
        let schema = schema.with_features(options.features.to_vec());
        check_readable(schema.schema(), options.max_fields())?;
        let columns = SchemaColumns::try_new(&schema)?;
        options.check_version(&columns)?;
        // Unified dictionaries may be large. The tracker takes what it needs, and the rest is dropped.
        let policy = std::mem::take(&mut options.dictionaries);
        let compressor = options.compression.map(BodyCompressor::try_new).transpose()?;
        let compressor = compressor.map(|compressor| compressor.with_threads(options.threads));
        let codec = compressor.as_ref().map(BodyCompressor::codec);
        let version = options.version;
        let framing = options.framing;
        let alignment = options.checked_alignment()?;
        let format = MessageFormat { version, framing, codec, alignment };
        let swaps = options.endianness != Endianness::NATIVE;
        let shared_buffers = options.shared_buffers;
        let unused_items = options.unused_items();
        let transform = BodyTransform { swaps, compressor, shared_buffers, unused_items };
        Ok(BatchEncoder {
            known_to_fit: Arc::clone(schema.schema()),
            tracker: <dyn DictionaryTracker>::try_new(&columns, trailer.written(), policy)?,
            schema,
            schema_part: None,
            columns,
            options,
            state: EncoderState::Fresh,
            n_batches: 0,
            dictionary_metadata: Vec::new(),
            output: MessageOutput::new(format, transform),
            trailer,
        })
    }

    /// Continues a file at `position`, after `n_batches` batches.
    pub(crate) fn continue_at(&mut self, position: u64, n_batches: u64) {
        self.output.begin_at(position);
        self.state = EncoderState::Started;
        self.n_batches = n_batches;
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.ipc_schema().schema()
    }

    /// The schema of the stream or file, with the version, byte order and features of the options.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.schema
    }

    /// The number of bytes that have been encoded. This is the position of the next message.
    pub fn position(&self) -> u64 {
        self.output.position()
    }

    /// Encodes the schema message (in a file, after the magic), unless an earlier call has encoded it. Without this
    /// call, the schema message is encoded with the first batch.
    ///
    /// # Errors
    /// If names and metadata of the schema are longer than the format can express.
    pub fn start(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        self.commit();
        Ok(self.encoded())
    }

    /// Encodes a batch. Messages of its new and changed dictionaries come first. They count as written, even if you drop
    /// them: [`message_sizes`](BatchEncoder::message_sizes) returns the sizes without encoding. If the options [limit the
    /// length of messages](WriteOptions::with_max_message_bytes), the batch may become several messages.
    ///
    /// # Errors
    /// If names, types or nullability differ from the schema's; the error names the first difference. If the policy
    /// does not allow the dictionaries of the batch. With the default policy, this happens only if fields that share a
    /// dictionary id have different dictionaries, or if a dictionary of a file has other values than the written ones.
    /// If a slice of an unchecked array turns out to be invalid. If the footer of a file would become longer than
    /// readers accept by default: 256 MiB, or about ten million batches. If the message of a single row is longer than the
    /// options allow. After an error, the encoder is as before the call.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>> {
        self.encode_with_metadata(batch, &Metadata::new())
    }

    /// Like [`encode`](BatchEncoder::encode), with custom metadata of the batch's message, or of the message of each piece.
    ///
    /// # Errors
    /// The errors of [`encode`](BatchEncoder::encode).
    pub fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        self.add(|encoder| encoder.add_batch(batch, metadata))?;
        self.n_batches += 1;
        Ok(self.encoded())
    }

    /// The exact sizes of the messages that [`encode`](BatchEncoder::encode) would return for a batch: of the schema if it
    /// has not been encoded, of new and changed dictionaries, and last of the batch, or of its
    /// [pieces](WriteOptions::with_max_message_bytes). The encoder is as before the call: dictionaries do not count as written.
    ///
    /// The call is fast, since it reads only null counts, first and last offsets, views, and the values of new
    /// dictionaries. But if bodies are compressed, or [shared buffers](crate::SharedBuffers::Once) are written once, it
    /// encodes the batch and drops the result: [`max_message_sizes`](BatchEncoder::max_message_sizes) does not. Values of
    /// null slots that are to be [zeros](crate::NullSlots::Zeros) are copied.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::StreamEncoder;
    /// use arrow_schema::DataType;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let mut encoder = StreamEncoder::try_new(batch.schema())?;
    /// encoder.start()?;
    /// let n_bytes: u64 = encoder.message_sizes(&batch)?.iter().map(|size| size.n_bytes()).sum();
    /// assert_eq!(encoder.encode(&batch)?.n_bytes(), n_bytes);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`encode`](BatchEncoder::encode), except about the footer.
    pub fn message_sizes(&mut self, batch: &RecordBatch) -> Result<Vec<MessageSize>> {
        self.message_sizes_with_metadata(batch, &Metadata::new())
    }

    /// Like [`message_sizes`](BatchEncoder::message_sizes), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`message_sizes`](BatchEncoder::message_sizes).
    pub fn message_sizes_with_metadata(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
    ) -> Result<Vec<MessageSize>> {
        let bodies = if self.output.knows_lengths() { BodyOutput::Counted } else { BodyOutput::Made };
        self.sizes(batch, metadata, bodies)
    }

    /// Upper bounds of the [`message_sizes`](BatchEncoder::message_sizes), without compression. A bound is exact if bodies are
    /// not compressed and [shared buffers](crate::SharedBuffers::Repeated) are repeated. Otherwise it is the size that
    /// the message would have if no buffer became shorter.
    ///
    /// # Errors
    /// The errors of [`message_sizes`](BatchEncoder::message_sizes).
    pub fn max_message_sizes(&mut self, batch: &RecordBatch) -> Result<Vec<MessageSize>> {
        self.sizes(batch, &Metadata::new(), BodyOutput::Counted)
    }

    fn sizes(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
        bodies: BodyOutput,
    ) -> Result<Vec<MessageSize>> {
        self.clear();
        self.output.set_bodies(bodies);
        let added = self.add_start().and_then(|()| self.add_batch(batch, metadata));
        let sizes = self.encoded().messages().iter().map(|message| **message).collect();
        self.output.set_bodies(BodyOutput::Made);
        self.clear();
        added.map(|()| sizes)
    }

    /// Encodes the end of the stream. In a file, the dictionaries that no batch has used precede the end, and the footer
    /// and the magic follow it. Nothing can be encoded afterwards.
    ///
    /// # Errors
    /// The errors of [`start`](BatchEncoder::start). If the footer is longer than readers accept by default: 256 MiB.
    pub fn finish(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        // Readers may expect all dictionaries of the schema.
        if self.n_batches > 0 {
            self.tracker.observe_end(&self.columns);
            self.add_dictionaries()?;
        }
        self.list()?;
        if let Err(error) = self.add_end() {
            self.trailer.remove_all(&self.output.encoded());
            return Err(error);
        }
        self.commit();
        self.state = EncoderState::Finished;
        Ok(self.encoded())
    }

    /// Encodes a schema message, whether or not one was encoded before.
    ///
    /// # Errors
    /// If names and metadata of the schema are longer than the format can express.
    pub(crate) fn encode_schema(&mut self) -> Result<Encoded<'_>> {
        self.add(|encoder| {
            let schema = encoder.schema_part()?;
            encoder.output.add_schema(&schema, &encoder.options.file_metadata)
        })?;
        Ok(self.encoded())
    }

    /// Encodes a batch without its dictionaries: their messages must have been encoded with
    /// [`encode_message`](BatchEncoder::encode_message), and have the values of the batch. So the policy of the options does not
    /// count, indices are written as they are, and unused values of dictionaries are not left out.
    ///
    /// # Errors
    /// If names, types or nullability of the batch differ from the schema's. If a slice of an unchecked array turns out to
    /// be invalid. After an error, the encoder is as before the call.
    pub fn encode_without_dictionaries(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
    ) -> Result<Encoded<'_>> {
        self.add(|encoder| {
            encoder.check_columns(batch)?;
            let unused = UnusedData::new(encoder.options.unused_items(), UnusedValues::Keep);
            let prepared = encoder.prepare(batch, unused, encoder.options.max_message_bytes)?;
            let form = RowsForm { metadata, maps_indices: false };
            encoder.add_rows(prepared.as_ref().unwrap_or(batch), form)
        })?;
        Ok(self.encoded())
    }

    /// Encodes a message whose metadata and body are there, such as the copy of a message, or a batch whose buffers another
    /// program has made. The encoder does not compare it with the schema, and does not know the values of a dictionary that it
    /// encodes: a batch of arrays with this dictionary writes it again, which readers of a file refuse. `arrow-ipc-tensor` and `arrow-ipc-rewrite` encode
    /// their messages in this way.
    ///
    /// # Errors
    /// If the body or the metadata is longer than the format can express. If parts of the body overlap. If the encoder is
    /// finished. If the footer of a file would become longer than readers accept by default. After an error, the encoder is
    /// as before the call.
    pub fn encode_message(&mut self, message: RawMessage<'_>) -> Result<Encoded<'_>> {
        self.add(|encoder| encoder.output.add_message(message))?;
        Ok(self.encoded())
    }

    fn add_end(&mut self) -> Result<()> {
        self.output.gather(self.output.format().end_of_stream());
        match self.container() {
            WrittenContainer::Stream => Ok(()),
            WrittenContainer::File => {
                let schema = self.schema_part()?;
                self.trailer.add_to(&mut self.output, &schema, &self.options)
            }
        }
    }

    /// Sets the custom metadata of the next message of a dictionary, which precedes the batch that needs it. If the
    /// dictionary is not written again, the metadata waits for a later message; [`reset`](BatchEncoder::reset) drops
    /// it. Returns the metadata of an earlier call for this dictionary, if it was not written.
    ///
    /// # Errors
    /// If the schema has no dictionary with this id.
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        let dictionary = self.columns.dictionary(id).ok_or(FormatErrorKind::UnknownDictionary { id })?;
        self.dictionary_metadata.resize(self.columns.dictionaries.len(), None);
        Ok(self.dictionary_metadata[dictionary.0].replace(metadata))
    }

    /// Begins the next stream or file, with the same schema and options. Reuses allocated memory. Drops the state of
    /// the current stream or file, even if its end was not encoded.
    pub fn reset(&mut self) {
        self.clear();
        self.output.begin_at(0);
        self.tracker.reset();
        self.dictionary_metadata.clear();
        self.trailer.clear();
        self.state = EncoderState::Fresh;
        self.n_batches = 0;
    }

    /// Drops the encoded messages, which share the buffers of arrays.
    pub fn clear(&mut self) {
        self.output.clear();
        // Dictionaries of a batch that was refused are dropped, too.
        self.tracker.forget();
    }

    fn encoded(&mut self) -> Encoded<'_> {
        self.output.encoded()
    }

    /// The columns of the schema.
    pub fn columns(&self) -> &SchemaColumns {
        &self.columns
    }

    /// The options, without the dictionary policy.
    pub fn options(&self) -> &WriteOptions {
        &self.options
    }

    /// Whether a stream or a file is encoded.
    pub fn container(&self) -> WrittenContainer {
        self.trailer.written()
    }

    /// What follows the messages, for messages that the encoder has not encoded:
    /// [`FooterEncoder::add_block`](crate::file::FooterEncoder::add_block) lists them in the footer of a file.
    pub fn trailer_mut(&mut self) -> &mut T {
        &mut self.trailer
    }

    /// The length of the stream or file that these batches are encoded to; `None` if it is unknown before bodies are
    /// encoded. Afterwards, the encoder has the same state as before this call: only its start has been encoded, which has
    /// `n_start_bytes` bytes.
    ///
    /// # Errors
    /// The errors of [`encode`](BatchEncoder::encode) and [`finish`](BatchEncoder::finish).
    pub(super) fn count_bytes(&mut self, batches: &[RecordBatch], n_start_bytes: u64) -> Result<Option<u64>> {
        if !self.output.knows_lengths() {
            return Ok(None);
        }
        self.output.set_bodies(BodyOutput::Counted);
        let encoded = batches.iter().try_for_each(|batch| self.encode(batch).map(drop));
        let finished = encoded.and_then(|()| self.finish().map(drop));
        let n_bytes = self.position();
        self.reset();
        self.continue_at(n_start_bytes, 0);
        self.output.set_bodies(BodyOutput::Made);
        finished.map(|()| Some(n_bytes))
    }

    /// The format of the messages: version, framing, codec and alignment.
    pub fn format(&self) -> MessageFormat {
        self.output.format()
    }

    /// Advances the position by the added messages, and stores the new state of dictionaries.
    fn commit(&mut self) {
        self.output.commit();
        self.state = EncoderState::Started;
        if !self.dictionary_metadata.is_empty() {
            for pending in self.tracker.pending() {
                self.dictionary_metadata[pending.dictionary.0] = None;
            }
        }
        self.tracker.commit();
    }

    /// Adds messages. If that fails, or a footer cannot list them, none of them is added.
    fn add(&mut self, add: impl FnOnce(&mut BatchEncoder<T>) -> Result<()>) -> Result<()> {
        self.clear();
        let added = self.add_start().and_then(|()| add(self)).and_then(|()| self.list());
        match added {
            Ok(()) => self.commit(),
            Err(_) => self.clear(),
        }
        added
    }

    /// Lists the added messages in the footer of a file.
    fn list(&mut self) -> Result<()> {
        self.trailer.add_all(&self.output.encoded())
    }

    fn add_start(&mut self) -> Result<()> {
        match self.state {
            EncoderState::Fresh => {}
            EncoderState::Started => return Ok(()),
            EncoderState::Finished => return Err(IpcErrorKind::AlreadyFinished { what: "a message" }.into()),
        }
        self.output.gather(self.container().start());
        let schema = self.schema_part()?;
        self.output.add_schema(&schema, &self.options.file_metadata)
    }

    /// The encoded schema. The encoder of a file keeps it for the footer.
    ///
    /// # Errors
    /// If names and metadata of the schema are longer than the format can express.
    pub(crate) fn schema_part(&mut self) -> Result<Arc<SchemaPart>> {
        if let Some(part) = &self.schema_part {
            return Ok(Arc::clone(part));
        }
        let part = Arc::new(SchemaPart::try_new(&self.schema)?);
        let is_file = self.container() == WrittenContainer::File;
        self.schema_part = is_file.then(|| Arc::clone(&part));
        Ok(part)
    }

    fn add_batch(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        let observed = self.observe(batch, self.options.max_message_bytes)?;
        self.add_dictionaries()?;
        let form = RowsForm { metadata, maps_indices: true };
        self.add_rows(observed.as_ref().unwrap_or(batch), form)
    }

    /// Adds the message of a batch, whose columns must fit the schema, or the messages of its pieces.
    fn add_rows(&mut self, batch: &RecordBatch, form: RowsForm<'_>) -> Result<()> {
        match self.options.max_message_bytes {
            None => self.add_message(batch, form),
            Some(max_bytes) => self.add_pieces(batch, form, max_bytes),
        }
    }

    fn add_message(&mut self, batch: &RecordBatch, form: RowsForm<'_>) -> Result<()> {
        let columns = &self.columns.batch;
        let maps = form.maps(&*self.tracker);
        let rows = MessageRows { columns, maps, arrays: batch.columns(), n_rows: batch.n_rows() };
        self.output.add(None, &rows, form.metadata)
    }

    /// Adds the messages of new and changed dictionaries.
    fn add_dictionaries(&mut self) -> Result<()> {
        let BatchEncoder { columns, options, tracker, output, dictionary_metadata, .. } = self;
        let maps = tracker.maps();
        let pending = tracker.pending();
        if pending.is_empty() {
            return Ok(());
        }
        let none = Metadata::new();
        // Only the first message of a dictionary gets the metadata.
        let mut has_metadata = vec![true; dictionary_metadata.len()];
        pending.iter().try_for_each(|one| {
            let idx = one.dictionary.0;
            let is_first = has_metadata.get_mut(idx).is_some_and(std::mem::take);
            let metadata =
                if is_first { dictionary_metadata.get(idx).and_then(Option::as_ref) } else { None };
            let metadata = metadata.unwrap_or(&none);
            let columns = &columns.dictionaries[idx];
            let arrays = std::slice::from_ref(&*one.values);
            let zeroed = zero_nulls(&columns.columns, arrays, options.null_slots)?;
            let arrays = zeroed.as_deref().unwrap_or(arrays);
            let kind = DictionaryHeader { id: columns.id, is_delta: one.is_delta };
            let rows = MessageRows { columns: &columns.columns, maps, arrays, n_rows: one.values.len() };
            output.add(Some(kind), &rows, metadata)
        })
    }
}

/// What is done to a batch before it is written.
impl<T: Trailer> BatchEncoder<T> {
    /// Compares a batch with the schema, and its dictionaries with those that were written. Returns the batch as
    /// [`prepare`](BatchEncoder::prepare) does.
    fn observe(&mut self, batch: &RecordBatch, max_bytes: Option<u64>) -> Result<Option<RecordBatch>> {
        self.check_columns(batch)?;
        let observed = self.prepare(batch, self.options.unused_data(), max_bytes)?;
        self.tracker.observe(&self.columns, observed.as_ref().unwrap_or(batch).columns())?;
        Ok(observed)
    }

    /// The batch without unused items and values, with null slots as the options want them, and as it must be to split it;
    /// `None` if it is the same. All of this is done before a batch is split, since pieces share the children of the batch.
    fn prepare(
        &self,
        batch: &RecordBatch,
        unused: UnusedData,
        max_bytes: Option<u64>,
    ) -> Result<Option<RecordBatch>> {
        let columns = &self.columns.batch;
        let trimmed = unused.trim(columns, batch)?;
        let checked = match (trimmed, max_bytes) {
            (None, Some(_)) => pieces::checked(columns, batch, self.options.unused_items())?,
            (trimmed, _) => trimmed,
        };
        let arrays = checked.as_ref().unwrap_or(batch).columns();
        match zero_nulls(columns, arrays, self.options.null_slots)? {
            Some(arrays) if !arrays.is_empty() => {
                Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), arrays)?))
            }
            Some(_) | None => Ok(checked),
        }
    }

    /// # Errors
    /// If names, types or nullability differ from the schema's.
    fn check_columns(&mut self, batch: &RecordBatch) -> Result<()> {
        if !Arc::ptr_eq(&self.known_to_fit, batch.schema()) {
            self.schema.schema().check_same_columns(batch.schema()).map_err(IpcErrorKind::Schema)?;
            self.known_to_fit = Arc::clone(batch.schema());
        }
        Ok(())
    }
}

/// Continuing a file that another writer has started.
#[cfg(feature = "file")]
impl<T: Trailer> BatchEncoder<T> {
    /// Registers a dictionary with these values as already written.
    ///
    /// # Errors
    /// If the content of the values is invalid, or the unified dictionary has other values.
    pub(crate) fn register_dictionary(
        &mut self,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        self.tracker.register(&self.columns, dictionary, values)
    }

    /// Encodes the end of the stream or file with all batches so far. [`position`](BatchEncoder::position) does not count
    /// these bytes, since the next batch or end overwrites them. Dictionaries to which no valid index refers are missing in
    /// a file: [`finish`](BatchEncoder::finish) encodes them.
    ///
    /// # Errors
    /// The errors of [`finish`](BatchEncoder::finish).
    pub(crate) fn provisional_end(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        self.add_end()?;
        Ok(self.encoded())
    }
}
