//! Encodes batches as the bytes of a stream, in segments. Does no I/O.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Metadata, Schema};

use super::output::{BodyOutput, MessageOutput, MessageRows};
#[cfg(feature = "tensor")]
use crate::tensor::TensorRef;
use crate::{
    batch::{Shaping, Trim},
    columns::{DictionaryIdx, SchemaColumns},
    compression::Compressor,
    dictionary::DictionaryTracker,
    error::{IpcErrorKind, Result},
    message::{DictionaryMessage, MessageFormat},
    options::WriteOptions,
    protocol::{Endianness, WrittenContainer},
    schema::{IpcSchema, SchemaPart, check_depth},
    segment::encoded::{Encoded, EncodedMessage, OwnedEncoded},
};

/// Encodes record batches as an IPC stream, without I/O. The bytes are returned as segments.
///
/// Version and byte order are those of the [`WriteOptions`], even if the schema was read from a stream or file with another version or byte
/// order. If an array is not sliced and uses all of its data, no buffer of 4 KiB or more is copied, unless the options change its bytes.
/// For other arrays, only the bytes to which slots refer are written. The same batches always give the same bytes.
///
/// In a stream, all dictionaries are written before the first batch; in a file, a dictionary is written before the
/// first batch that needs it. If the values of a dictionary change, the [`DictionaryPolicy`](crate::DictionaryPolicy)
/// decides; by default, the dictionary is written again.
///
/// Write the segments before the next call, which reuses their memory, or keep them with [`Encoded::into_owned`].
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
    /// The last schema of a batch that was compared with the schema of the stream, and fits. The next batch mostly
    /// shares this schema.
    known_to_fit: Arc<Schema>,
    columns: SchemaColumns,
    options: WriteOptions,
    tracker: Box<dyn DictionaryTracker>,
    state: EncoderState,
    n_batches: u64,
    /// Custom metadata for the next message of each dictionary, in the order of the columns' dictionaries. The vector is
    /// empty if no metadata was set.
    dictionary_metadata: Vec<Option<Metadata>>,
    /// The bytes before the schema message.
    start: &'static [u8],
    output: MessageOutput,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EncoderState {
    Fresh,
    Started,
    Finished,
}

impl StreamEncoder {
    /// An encoder for batches of a schema. The dictionaries of a [`Schema`] get ids from 0 on; those of an
    /// [`IpcSchema`] have the ids of that schema.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share a dictionary. If types nest deeper than
    /// readers accept by default: see [`Limits::max_depth`](crate::Limits::max_depth). If the metadata version of the
    /// options does not allow a type, or another option. If a dictionary of the schema is not among the unified
    /// dictionaries. If a codec is not built in, or does not have the requested level. If the alignment is not allowed.
    pub fn try_new(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<StreamEncoder> {
        StreamEncoder::beginning_with(&[], schema.into(), options)
    }

    /// An encoder for the stream inside a file. The file begins with the bytes `start`. Dictionaries are never
    /// replaced.
    pub(crate) fn beginning_with(
        start: &'static [u8],
        schema: IpcSchema,
        mut options: WriteOptions,
    ) -> Result<StreamEncoder> {
        let place = if start.is_empty() { WrittenContainer::Stream } else { WrittenContainer::File };
        let schema = schema.with_version(options.version).with_endianness(options.endianness);
        let schema = schema.with_features(options.features.to_vec());
        check_depth(schema.schema())?;
        let columns = SchemaColumns::try_new(&schema)?;
        options.check_version(&columns)?;
        // Unified dictionaries may be large, so they are dropped when the tracker has taken what it needs.
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
            tracker: <dyn DictionaryTracker>::try_new(&columns, place, policy)?,
            schema,
            schema_part: None,
            columns,
            options,
            state: EncoderState::Fresh,
            n_batches: 0,
            dictionary_metadata: Vec::new(),
            start,
            output: MessageOutput::new(format, shaping),
        })
    }

    /// Continues at `position`, after `n_batches` batches that were written before.
    pub(crate) fn continue_at(&mut self, position: u64, n_batches: u64) {
        self.output.begin_at(position);
        (self.state, self.n_batches) = (EncoderState::Started, n_batches);
    }

    /// Notes that a dictionary was written before, with these values.
    ///
    /// # Errors
    /// If the content of the values is invalid, or the unified dictionary has other values.
    pub(crate) fn know_dictionary(
        &mut self,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        self.tracker.know(&self.columns, dictionary, values)
    }

    /// The schema of the stream.
    pub fn schema(&self) -> &IpcSchema {
        &self.schema
    }

    /// The number of bytes that have been encoded, which is the position of the next message.
    pub fn position(&self) -> u64 {
        self.output.position()
    }

    /// Encodes the schema message, unless it has been encoded. Without this call it is encoded with the first batch.
    ///
    /// # Errors
    /// If the schema's metadata is longer than the format can express.
    pub fn start(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        self.commit();
        Ok(self.encoded())
    }

    /// Encodes a batch, after its new and changed dictionaries.
    ///
    /// # Errors
    /// If names, types or nullability differ from the schema's; the error names the first difference. If the policy
    /// does not allow the dictionaries of the batch. With the default policy, this happens only if fields that share a
    /// dictionary id have different dictionaries. If a slice of an unchecked array turns out to be invalid. After an
    /// error, the encoder is as before the call.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>> {
        self.encode_with_metadata(batch, &Metadata::new())
    }

    /// Like [`encode`](StreamEncoder::encode), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`encode`](StreamEncoder::encode).
    pub fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        self.encode_if(batch, metadata, |_| Ok(()))
    }

    /// Like [`encode_with_metadata`](StreamEncoder::encode_with_metadata), but `accept` can refuse the messages.
    pub(crate) fn encode_if(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
        accept: impl FnOnce(&OwnedEncoded) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        self.add_if(|encoder| encoder.add_batch(batch, metadata), accept)?;
        self.n_batches += 1;
        Ok(self.encoded())
    }

    /// Encodes a tensor between batches. The tensor need not fit the schema. Readers of other libraries refuse such streams.
    ///
    /// # Errors
    /// If names of dimensions, or the metadata, are longer than the format can express. After an error, the encoder is as
    /// before the call.
    #[cfg(feature = "tensor")]
    pub fn encode_tensor<'a>(
        &mut self,
        tensor: impl Into<TensorRef<'a>>,
        metadata: &Metadata,
    ) -> Result<Encoded<'_>> {
        self.add_message(|output, _| output.add_tensor(tensor.into(), metadata))
    }

    /// Encodes the end of the stream. Nothing can be encoded afterwards.
    ///
    /// # Errors
    /// The errors of [`start`](StreamEncoder::start).
    pub fn finish(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        Ok(self.end_with(&[]))
    }

    /// Encodes a message that does not consist of arrays. After an error, the encoder is as before the call.
    pub(crate) fn add_message(
        &mut self,
        add: impl FnOnce(&mut MessageOutput, &SchemaColumns) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        self.add_message_if(add, |_| Ok(()))
    }

    /// Adds the message, unless `accept` refuses the result.
    pub(crate) fn add_message_if(
        &mut self,
        add: impl FnOnce(&mut MessageOutput, &SchemaColumns) -> Result<()>,
        accept: impl FnOnce(&OwnedEncoded) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        self.add_if(|encoder| add(&mut encoder.output, &encoder.columns), accept)?;
        Ok(self.encoded())
    }

    /// Encodes dictionaries that no batch has used, because readers may expect all dictionaries of the schema. In the
    /// stream inside a file, these dictionaries precede the end. Call [`end_with`](StreamEncoder::end_with) next.
    pub(crate) fn begin_end(&mut self) -> Result<&[EncodedMessage]> {
        self.clear();
        self.add_start()?;
        if self.n_batches > 0 {
            self.tracker.look_at_end(&self.columns);
            self.add_dictionaries()?;
        }
        Ok(self.output.messages())
    }

    /// Encodes the end of the stream, and the bytes of `trailer` after it.
    pub(crate) fn end_with(&mut self, trailer: &[&[u8]]) -> Encoded<'_> {
        self.add_end(trailer);
        self.commit();
        self.state = EncoderState::Finished;
        self.encoded()
    }

    /// Encodes an end of the stream, and the bytes of `trailer` after it. The next message overwrites both.
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

    /// Sets the custom metadata of the next message of a dictionary, which precedes the batch that needs it. If the
    /// dictionary is not written again, the metadata waits for a later message; [`reset`](StreamEncoder::reset) drops
    /// it. Returns the metadata of an earlier call for this dictionary, if it was not written.
    ///
    /// # Errors
    /// If the schema has no dictionary with this id.
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        let dictionary = self.columns.dictionary(id).ok_or(IpcErrorKind::UnknownDictionary { id })?;
        self.dictionary_metadata.resize(self.columns.dictionaries.len(), None);
        Ok(self.dictionary_metadata[dictionary.0].replace(metadata))
    }

    /// Begins the next stream, with the same schema and options. Allocated memory is used again; the state of the
    /// current stream is dropped, even if its end was not encoded.
    pub fn reset(&mut self) {
        self.clear();
        self.output.reset();
        self.tracker.reset();
        self.dictionary_metadata.clear();
        (self.state, self.n_batches) = (EncoderState::Fresh, 0);
    }

    /// Releases the buffers of the last encoded messages.
    pub fn clear(&mut self) {
        self.output.clear();
        // The dictionaries that a refused batch would have needed are forgotten.
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

    /// Whether the length of each message is known before its body is made.
    pub(super) fn knows_lengths(&self) -> bool {
        self.output.knows_lengths()
    }

    /// Sets whether later bodies are made or only counted.
    pub(super) fn set_bodies(&mut self, bodies: BodyOutput) {
        self.output.set_bodies(bodies);
    }

    /// The properties that all messages of the stream share.
    pub(crate) fn format(&self) -> MessageFormat {
        self.output.format()
    }

    /// Counts the added messages as encoded.
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

    /// Adds messages. If that fails, or the messages are refused, none of them is added.
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

    fn add_start(&mut self) -> Result<()> {
        match self.state {
            EncoderState::Fresh => {}
            EncoderState::Started => return Ok(()),
            EncoderState::Finished => return Err(IpcErrorKind::AlreadyFinished { what: "a message" }.into()),
        }
        self.output.gather(self.start);
        let schema = self.schema_part()?;
        self.output.add_schema(&schema, &self.options.file_metadata)
    }

    /// The encoded schema of the stream. The encoder of a file keeps it for the footer.
    ///
    /// # Errors
    /// If the schema's metadata is longer than the format can express.
    pub(crate) fn schema_part(&mut self) -> Result<Arc<SchemaPart>> {
        if let Some(part) = &self.schema_part {
            return Ok(Arc::clone(part));
        }
        let part = Arc::new(SchemaPart::try_new(&self.schema)?);
        let is_file = !self.start.is_empty();
        self.schema_part = is_file.then(|| Arc::clone(&part));
        Ok(part)
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
        let (columns, maps) = (&self.columns.batch, self.tracker.maps());
        let rows = MessageRows { columns, maps, arrays: batch.columns(), n_rows: batch.n_rows() };
        self.output.add(None, &rows, metadata)
    }

    /// Adds the messages of the dictionaries that have to be written.
    fn add_dictionaries(&mut self) -> Result<()> {
        let StreamEncoder { columns, tracker, output, dictionary_metadata, .. } = self;
        let (maps, pending) = (tracker.maps(), tracker.pending());
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
            let (columns, arrays) = (&columns.dictionaries[idx], std::slice::from_ref(&*one.values));
            let kind = DictionaryMessage { id: columns.id, is_delta: one.is_delta };
            let rows = MessageRows { columns: &columns.columns, maps, arrays, n_rows: one.values.len() };
            output.add(Some(kind), &rows, metadata)
        })
    }
}
