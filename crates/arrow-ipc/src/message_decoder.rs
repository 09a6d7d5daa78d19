//! Decodes messages of one schema to record batches: columns, projection, dictionaries, options and counters. Does no
//! I/O.
//!
//! A stream decoder passes all messages in order; a file decoder passes the messages that a batch needs.
//!
//! **Invariant:** no lock is held while bytes are fetched, decompressed or decoded. Two threads may decode the same
//! dictionary; one result is retained.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Metadata, Schema};

use crate::{
    batch::{BatchDecoder, BatchWithMetadata, Counters, DecodeContext, ProjectedSchema, ReadStats},
    dictionary::{DictionaryQuota, DictionaryStore, DictionaryValues, GrowthLimits},
    error::{Context, CopyCause, FormatErrorKind, IpcErrorKind, Result},
    frame::Body,
    options::{Projection, ReadOptions},
    recycled::{BufferPool, RecycledMemory},
};
use arrow_ipc_format::{
    BatchView, DictionaryHeader, Envelope, IpcSchema, Message, MessageKind, SharedList, check_metadata_utf8,
    columns::{DictionaryIdx, SchemaColumns},
};

#[cfg(feature = "file")]
mod files;

#[cfg(feature = "file")]
pub(crate) use self::files::FileDictionaryBatch;

/// Decodes single messages of one schema, without I/O and without framing: a dictionary batch is retained for the record
/// batches that follow, and a record batch becomes a [`RecordBatch`]. Take it if messages arrive by another way than a
/// stream or a file: Flight, ADBC, queues and databases. A [`StreamDecoder`](crate::StreamDecoder) also finds the
/// messages in a stream, and a [`FileReader`](crate::FileReader) in a file.
///
/// Pass messages in the order of the stream. [`Message::try_new`] makes a schema message of the two byte strings that such
/// a protocol carries, and [`decode_parts`](Self::decode_parts) takes those of the messages after it.
/// [`MessageEncoder`](crate::MessageEncoder) makes these byte strings of batches. A clone has the dictionaries that have
/// arrived; later ones arrive at each decoder alone.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{Limits, MessageDecoder, MessageEncoder, message::Message};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// /// What Flight sends for each message.
/// struct FlightData {
///     data_header: Buffer,
///     data_body: Buffer,
/// }
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut sent = Vec::new();
/// let mut encoder = MessageEncoder::try_new(batch.schema())?;
/// for message in encoder.encode_schema()?.parts() {
///     sent.push(FlightData { data_header: Buffer::copy_from(message.metadata_bytes()), data_body: message.to_body() });
/// }
/// // The dictionaries of the batch, then the batch.
/// for message in encoder.encode(&batch)?.parts() {
///     sent.push(FlightData { data_header: Buffer::copy_from(message.metadata_bytes()), data_body: message.to_body() });
/// }
///
/// let mut received = sent.into_iter();
/// let first = received.next().expect("the schema");
/// let first = Message::try_new(first.data_header, first.data_body, &Limits::default())?;
/// let mut decoder = MessageDecoder::try_from_schema_message(&first)?;
/// let mut batches = Vec::new();
/// for data in received {
///     batches.extend(decoder.decode_parts(data.data_header, data.data_body)?);
/// }
/// assert_eq!(batches[0].batch.n_rows(), batch.n_rows());
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MessageDecoder {
    shared: Arc<SharedState>,
    dictionaries: Arc<DictionaryStore>,
    selection: ProjectedSchema,
    /// For each dictionary, by its index in the columns: whether the selected columns need it, directly or inside
    /// another dictionary.
    is_needed: SharedList<bool>,
    /// The index of the next message, for errors of messages without a location. The schema has index 0.
    next_index: u64,
}

/// A decoded message.
pub(crate) enum DecodedMessage {
    Batch(BatchWithMetadata),
    Dictionary(DictionaryHeader, Metadata),
}

#[derive(Debug)]
struct SharedState {
    ipc_schema: IpcSchema,
    columns: SchemaColumns,
    options: ReadOptions,
    counters: Arc<Counters>,
    memory: RecycledMemory,
}

impl SharedState {
    /// The limits on the memory of dictionaries with deltas.
    fn growth_limits(&self) -> GrowthLimits<'_> {
        GrowthLimits { limits: &self.options.limits, budget: self.options.memory_budget.as_ref() }
    }
}

fn needed_dictionaries(columns: &SchemaColumns, selection: &ProjectedSchema) -> SharedList<bool> {
    if columns.dictionaries.is_empty() {
        return SharedList::default();
    }
    columns.needed_dictionaries(selection.ranges(&columns.batch)).into()
}

impl MessageDecoder {
    /// Makes a decoder of messages that have this schema. Columns are selected as the options say.
    ///
    /// # Errors
    /// If the dictionaries of the schema contradict each other, or the projection does not fit the schema.
    pub fn try_new(schema: IpcSchema) -> Result<MessageDecoder> {
        MessageDecoder::try_new_with(schema, ReadOptions::default())
    }

    /// Like [`try_new`](MessageDecoder::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](MessageDecoder::try_new).
    pub fn try_new_with(schema: IpcSchema, options: ReadOptions) -> Result<MessageDecoder> {
        MessageDecoder::with_counters(schema, options, Arc::default())
    }

    /// Makes a decoder of the messages that follow a schema message.
    ///
    /// # Errors
    /// If the message is not a schema, or is malformed or over a limit. The errors of [`try_new`](Self::try_new).
    pub fn try_from_schema_message(message: &Message) -> Result<MessageDecoder> {
        MessageDecoder::try_from_schema_message_with(message, ReadOptions::default())
    }

    /// Like [`try_from_schema_message`](MessageDecoder::try_from_schema_message), with options.
    ///
    /// # Errors
    /// The errors of [`try_from_schema_message`](MessageDecoder::try_from_schema_message).
    pub fn try_from_schema_message_with(message: &Message, options: ReadOptions) -> Result<MessageDecoder> {
        let schema = message.envelope().schema(&options.limits).at_message(message);
        let schema = schema.map_err(|error| error.with_message_index(0))?;
        MessageDecoder::try_new_with(schema, options)
    }

    /// Counts copies in `counters`.
    pub(crate) fn with_counters(
        ipc_schema: IpcSchema,
        options: ReadOptions,
        counters: Arc<Counters>,
    ) -> Result<MessageDecoder> {
        counters.utf8(ipc_schema.check_utf8(), options.validation())?;
        let columns = SchemaColumns::to_read(&ipc_schema)?;
        let dictionaries = Arc::new(DictionaryStore::new(&columns, &options.limits));
        let selection = ProjectedSchema::try_new(&options.projection, &columns.batch, &ipc_schema)?;
        let is_needed = needed_dictionaries(&columns, &selection);
        let memory = options.memory_to_recycle();
        let shared = Arc::new(SharedState { ipc_schema, columns, options, counters, memory });
        Ok(MessageDecoder { shared, dictionaries, selection, is_needed, next_index: 1 })
    }

    /// Checks the custom metadata of a schema message or a footer.
    ///
    /// # Errors
    /// If it is not UTF-8, and reading is strict.
    pub(crate) fn check_metadata(&self, metadata: &Metadata) -> Result<()> {
        self.shared.counters.utf8(check_metadata_utf8(metadata), self.options().validation())
    }

    /// Decodes the next message. Keeps the values of a dictionary batch, unless no selected column needs them, and returns
    /// `None`. Of a record batch, decodes the selected columns.
    ///
    /// # Errors
    /// If the message is of another kind, malformed, unsupported or over a limit. If its body has another length than its
    /// metadata states. If a record batch or a delta needs a dictionary that has not arrived. The location of the error has
    /// the index and the position of the message; if the message has no location, its index among the messages that were
    /// passed to the decoder, from 1, since the schema has index 0. The decoder is as before the call, unless a delta failed: then its
    /// dictionary is missing until it arrives again.
    pub fn decode(&mut self, message: &Message) -> Result<Option<BatchWithMetadata>> {
        let decoded = match message.check_body() {
            Ok(()) => self.decode_owned(message.clone()),
            Err(error) => Err(error.into()),
        };
        self.number_message(decoded.at_message(message))
    }

    /// Like [`decode`](Self::decode), for the metadata and the body of a message that arrived without a prefix.
    ///
    /// # Errors
    /// The errors of [`decode`](Self::decode), and of [`Message::try_new`] with the limits of the decoder's options.
    pub fn decode_parts(&mut self, metadata: Buffer, body: Buffer) -> Result<Option<BatchWithMetadata>> {
        let decoded = match Message::try_new(metadata, body, &self.shared.options.limits) {
            Ok(message) => self.decode_owned(message),
            Err(error) => Err(error.into()),
        };
        self.number_message(decoded)
    }

    /// Counts a message that was passed by hand.
    fn number_message(&mut self, decoded: Result<DecodedMessage>) -> Result<Option<BatchWithMetadata>> {
        let index = self.next_index;
        self.next_index = index.saturating_add(1);
        match decoded.map_err(|error| error.with_message_index(index))? {
            DecodedMessage::Batch(batch) => Ok(Some(batch)),
            DecodedMessage::Dictionary(..) => Ok(None),
        }
    }

    /// Like [`decode`](Self::decode), for a message with its whole body. The error has no message in its location.
    pub(crate) fn decode_owned(&mut self, message: Message) -> Result<DecodedMessage> {
        let (envelope, body) = message.into_parts();
        if !matches!(envelope.kind(), MessageKind::RecordBatch | MessageKind::DictionaryBatch) {
            let (expected, found) = ("a record batch or a dictionary batch", envelope.kind());
            return Err(FormatErrorKind::UnexpectedMessage { expected, found }.into());
        }
        let message = BatchView::parse(envelope, &self.shared.options.limits)?;
        let n_message_bytes = message.envelope().n_message_bytes();
        self.receive(n_message_bytes);
        let decoded = self.decode_view(message, &Body::Whole(body));
        if decoded.is_err() {
            self.dictionaries.take_back(n_message_bytes);
        }
        decoded
    }

    fn decode_view(&mut self, message: BatchView, body: &Body) -> Result<DecodedMessage> {
        let Some(dictionary) = message.dictionary() else {
            let batch = self.record_batch(&message, body)?;
            return Ok(DecodedMessage::Batch(BatchWithMetadata {
                batch,
                metadata: message.into_custom_metadata(),
            }));
        };
        self.take_dictionary(&message, dictionary, body)?;
        Ok(DecodedMessage::Dictionary(dictionary, message.into_custom_metadata()))
    }

    /// Compares the numbers of nodes, buffers and variadic counts of a record batch with the schema. Does not need its
    /// body.
    ///
    /// # Errors
    /// If the message is of another kind, malformed or over a limit, or the numbers do not fit the schema.
    pub fn check_batch(&self, metadata: &Envelope) -> Result<()> {
        let message = BatchView::parse(metadata.clone(), &self.shared.options.limits)?;
        self.batch_decoder(&message).map(|_| ())
    }

    /// Selects other columns, from the next message on. Positions in `projection` count all columns of the schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema, or needs a dictionary that was skipped. After an error, the old
    /// projection still applies.
    pub fn project(&mut self, projection: &Projection) -> Result<()> {
        let projected = self.projected(projection)?;
        for (idx, is_needed) in projected.is_needed.iter().enumerate() {
            if *is_needed && self.dictionaries.is_skipped(DictionaryIdx(idx)) {
                let id = self.columns().dictionaries[idx].id;
                return Err(IpcErrorKind::SkippedDictionary { id }.into());
            }
        }
        *self = projected;
        Ok(())
    }

    /// Drops the values of a dictionary. Batches that need it fail until it arrives again.
    pub fn forget_dictionary(&mut self, id: i64) {
        if let Ok(Some(idx)) = self.columns().dictionary_to_read(id) {
            self.store().skip(idx);
        }
    }

    /// Returns a decoder with another projection of the same schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub(crate) fn projected(&self, projection: &Projection) -> Result<MessageDecoder> {
        let columns = &self.columns().batch;
        Ok(self.with_selection(ProjectedSchema::try_new(projection, columns, self.ipc_schema())?))
    }

    fn with_selection(&self, selection: ProjectedSchema) -> MessageDecoder {
        let is_needed = needed_dictionaries(self.columns(), &selection);
        MessageDecoder { selection, is_needed, ..self.clone() }
    }

    /// The schema of the messages, without a projection.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.shared.ipc_schema
    }

    /// The schema of the decoded batches, after the projection.
    pub fn schema(&self) -> &Arc<Schema> {
        self.selection.schema()
    }

    /// The options that the decoder was made with.
    pub fn options(&self) -> &ReadOptions {
        &self.shared.options
    }

    /// Counts the bytes and buffers that the decoder and its clones have copied so far.
    pub fn stats(&self) -> ReadStats {
        self.counters().snapshot()
    }

    pub(crate) fn counters(&self) -> &Arc<Counters> {
        &self.shared.counters
    }

    pub(crate) fn columns(&self) -> &SchemaColumns {
        &self.shared.columns
    }

    fn is_needed(&self, dictionary: DictionaryIdx) -> bool {
        self.is_needed[dictionary.0]
    }

    /// Returns a decoder for a record batch. The body may still be missing. Compares the nodes and buffers with the
    /// schema.
    ///
    /// # Errors
    /// If the numbers of nodes, buffers or variadic counts do not fit the schema.
    pub(crate) fn batch_decoder<'a>(&'a self, message: &'a BatchView) -> Result<BatchDecoder<'a>> {
        BatchDecoder::try_new(
            &self.shared.columns.batch,
            message,
            self.context(self.shared.memory.decompressed()),
        )
    }

    /// Decodes the selected columns of a record batch. Its dictionaries must have been stored before.
    ///
    /// # Errors
    /// If the batch is malformed, unsupported, over a limit, or needs a dictionary that was not stored.
    pub(crate) fn record_batch(&self, message: &BatchView, body: &Body) -> Result<RecordBatch> {
        self.batch_decoder(message)?.record_batch(&self.selection, body)
    }

    /// Decodes a dictionary batch and stores its values. Skips the batch if no selected column needs the dictionary. The
    /// bytes of the message must be counted as [received](MessageDecoder::receive).
    ///
    /// # Errors
    /// If no field has the id of the dictionary, or the batch is malformed, unsupported or over a limit. If the batch
    /// is a delta of a dictionary that has not arrived.
    pub(crate) fn take_dictionary(
        &mut self,
        message: &BatchView,
        dictionary: DictionaryHeader,
        body: &Body,
    ) -> Result<()> {
        let DictionaryHeader { id, is_delta } = dictionary;
        let n_message_bytes = message.envelope().n_message_bytes();
        let Some(idx) = self.columns().dictionary_to_read(id)? else { return Ok(()) };
        if !self.is_needed(idx) {
            self.store().skip(idx);
            return Ok(());
        }
        if is_delta {
            self.validate_inner_dictionaries(idx)?;
        }
        let quota = if is_delta {
            self.dictionaries.quota_to_add(idx, 0)
        } else {
            self.dictionaries.quota_to_replace(idx)
        };
        let values = self.dictionary_values(idx, quota, message, body)?;
        let inside: Vec<DictionaryIdx> = self.columns().dictionaries_inside(idx).collect();
        if !is_delta {
            return self.store().define(idx, Arc::new(values), n_message_bytes, &inside);
        }
        let allowed = self.options().allow_copy(CopyCause::Deltas, values.n_bytes());
        allowed.in_field(|| self.columns().for_dictionary(Some(idx)).values_path())?;
        let shared = Arc::clone(&self.shared);
        let delta = DictionaryValues { array: &values, n_message_bytes };
        let added = self.store().add(idx, delta, shared.growth_limits(), &inside);
        shared.counters.joined(added.in_field(|| self.columns().for_dictionary(Some(idx)).values_path())?);
        Ok(())
    }

    /// Validates the dictionaries inside the values of a dictionary, once. Adding a delta reads their content, and
    /// would otherwise validate it each time.
    fn validate_inner_dictionaries(&mut self, idx: DictionaryIdx) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        for inner in shared.columns.dictionaries_inside(idx) {
            let proven = self.store().prove(inner);
            proven.in_field(|| self.columns().for_dictionary(Some(inner)).values_path())?;
        }
        Ok(())
    }

    /// Decodes the values of a dictionary batch, which may take as much memory as `quota` allows.
    fn dictionary_values(
        &self,
        dictionary: DictionaryIdx,
        quota: DictionaryQuota,
        message: &BatchView,
        body: &Body,
    ) -> Result<ArrayData> {
        // The memory of dictionaries is not recycled, since they stay in use for long.
        let pool = BufferPool::default();
        let columns = self.columns().for_dictionary(Some(dictionary));
        let context = self.context(&pool);
        BatchDecoder::try_new(columns, message, context)?.with_dictionary_quota(quota).dictionary_values(body)
    }

    /// The dictionaries, to change them. A clone of the decoder shares them, and gets a copy only
    /// here.
    fn store(&mut self) -> &mut DictionaryStore {
        Arc::make_mut(&mut self.dictionaries)
    }

    /// Counts received bytes. The more bytes arrive, the more memory dictionaries may take.
    pub(crate) fn receive(&self, n_bytes: u64) {
        self.dictionaries.receive(n_bytes);
    }

    /// Returns a decoder for a batch that is read later. Its dictionaries keep their current values.
    pub(crate) fn snapshot(&self) -> MessageDecoder {
        MessageDecoder { dictionaries: Arc::new(self.dictionaries.snapshot()), ..self.clone() }
    }

    fn context<'a>(&'a self, pool: &'a BufferPool) -> DecodeContext<'a> {
        DecodeContext {
            dictionaries: &self.dictionaries,
            options: &self.shared.options,
            endianness: self.shared.ipc_schema.endianness(),
            version: self.shared.ipc_schema.version(),
            counters: &self.shared.counters,
            pool,
        }
    }
}
