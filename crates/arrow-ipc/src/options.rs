//! The options for writing; `reading` has the options for reading.

use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use crate::{
    compression::Compression,
    dictionary::{DictionaryPolicy, DictionaryUnifier},
    error::{Context, IpcError, IpcErrorKind, Result},
    threads::Threads,
    unused::UnusedData,
};
use arrow_ipc_format::{
    Alignment, Endianness, Feature, Framing, IpcSchema, Limits, MetadataVersion, columns::SchemaColumns,
};

mod named;
mod projection;
mod reading;

pub(crate) use self::projection::ProjectedColumns;
pub use self::{
    named::{DictionaryMode, OptionError},
    projection::Projection,
    reading::{Copies, ReadOptions},
};
pub use arrow_data::Validation;
pub use arrow_select::UnusedValues;

/// Options for writing streams and files. The writer refuses legacy framing with metadata V5, and compressed bodies or
/// newer types with metadata V4.
///
/// ```
/// use arrow_ipc::{Compression, Framing, IpcErrorKind, MetadataVersion, StreamWriter, WriteOptions};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("text", DataType::Utf8View)]);
/// let options = WriteOptions::new().with_compression(Compression::lz4().with_min_savings_percent(10));
/// # #[cfg(feature = "lz4")]
/// assert!(StreamWriter::try_new_with(Vec::new(), schema.clone(), options).is_ok());
///
/// let old = WriteOptions::new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy);
/// let error = StreamWriter::try_new_with(Vec::new(), schema, old).unwrap_err();
/// assert!(matches!(error.kind(), IpcErrorKind::NotInVersion { .. }));
/// ```
///
/// Options are equal if each option has the same value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WriteOptions {
    pub(crate) file_metadata: Metadata,
    pub(crate) footer_metadata: Option<Metadata>,
    pub(crate) row_counts: RowCounts,
    pub(crate) has_same_metadata: bool,
    pub(crate) features: Vec<Feature>,
    pub(crate) alignment: Option<usize>,
    pub(crate) shared_buffers: SharedBuffers,
    unused_items: Option<UnusedValues>,
    unused_values: Option<UnusedValues>,
    pub(crate) threads: Threads,
    pub(crate) version: MetadataVersion,
    pub(crate) framing: Framing,
    pub(crate) endianness: Endianness,
    pub(crate) compression: Option<Compression>,
    pub(crate) null_slots: NullSlots,
    pub(crate) dictionaries: DictionaryPolicy,
    max_fields: Option<u64>,
    pub(crate) max_message_bytes: Option<u64>,
}

/// The bytes that are written for null slots. Readers ignore these bytes, but arrays may contain leftovers of other
/// data there, which you may not want to disclose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NullSlots {
    /// The bytes that the arrays have. Nothing is copied.
    #[default]
    Keep,
    /// Zeros. Buffers of columns with nulls are copied, and offsets of some slices; see
    /// [`with_zeroed_nulls`](arrow_select::Select::with_zeroed_nulls).
    Zeros,
}

/// How often the writer writes a buffer that several columns of a batch share in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SharedBuffers {
    /// Each column has its own copy of the buffer in the message.
    #[default]
    Repeated,
    /// The buffer is written once in a message, and all columns refer to it. Buffers of less than 64 bytes are still
    /// written for each column.
    Once,
}

/// Whether the footer of a file contains the number of rows of each batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RowCounts {
    /// Row counts are not written. To count rows, a reader reads the metadata of each batch.
    #[default]
    NotWritten,
    /// Row counts are written, in custom metadata under the key `__POLARS_IPC_METADATA`: `{"record_batch_cum_len":[3,6]}` for
    /// two batches of three rows. Readers of this library and of polars then count and find rows without reading batches.
    Written,
}

impl WriteOptions {
    /// The default options. Each `with_…` method states its default.
    pub fn new() -> WriteOptions {
        WriteOptions::default()
    }

    /// Sets metadata of the whole file or stream, in addition to the metadata of the schema. The writer puts it into
    /// the custom metadata of the schema message and of the footer.
    /// [`with_footer_metadata`](WriteOptions::with_footer_metadata) sets other metadata for the footer.
    #[must_use]
    pub fn with_file_metadata(self, file_metadata: Metadata) -> WriteOptions {
        WriteOptions { file_metadata, ..self }
    }

    /// Sets the custom metadata of a file's footer. Default: the custom metadata of the schema message. Streams have no
    /// footer. The writer removes [row counts](RowCounts) of another file from this metadata.
    #[must_use]
    pub fn with_footer_metadata(self, footer_metadata: Metadata) -> WriteOptions {
        WriteOptions { footer_metadata: Some(footer_metadata), ..self }
    }

    /// Sets whether the footer of a file contains the number of rows of each batch. Default [`RowCounts::NotWritten`].
    #[must_use]
    pub fn with_row_counts(self, row_counts: RowCounts) -> WriteOptions {
        WriteOptions { row_counts, ..self }
    }

    /// Writes the same custom metadata into the schema message and the footer of a file, as the specification requires since
    /// May 2026 ("IPC File Format"). By default, the footer may have more. Both get the pairs of the footer and, for other
    /// keys, those of the schema message. Row counts and statistics are not written, since they are not known when the schema
    /// message is written. No effect on appenders, whose file already has a schema message.
    ///
    /// ```
    /// use arrow_ipc::{FileReader, FileWriter, WriteOptions};
    /// use arrow_schema::{Metadata, Schema};
    ///
    /// let [message, footer] = ["message", "footer"].map(|key| Metadata::from_iter([(key, "1")]));
    /// let options = WriteOptions::new().with_file_metadata(message).with_footer_metadata(footer).with_same_metadata();
    /// let file = FileWriter::try_new_with(Vec::new(), Schema::default(), options)?.finish()?;
    /// let file = FileReader::try_from_buffer(file.into())?;
    /// assert_eq!(file.footer_metadata().get("message"), Some("1"));
    /// assert_eq!(file.schema_message_metadata()?.as_ref(), Some(file.footer_metadata()));
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    #[must_use]
    pub fn with_same_metadata(self) -> WriteOptions {
        WriteOptions { has_same_metadata: true, ..self }
    }

    /// Sets the features that the schema declares. The format requires readers to support these features. Default:
    /// none. The writer does not check that its output uses only these features.
    #[must_use]
    pub fn with_features(self, features: impl IntoIterator<Item = Feature>) -> WriteOptions {
        WriteOptions { features: features.into_iter().collect(), ..self }
    }

    /// Sets which threads compress buffers. Default [`Threads::Pool`]. The output is the same for each setting.
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> WriteOptions {
        WriteOptions { threads, ..self }
    }

    /// Sets how bodies are compressed. Default: `None`, uncompressed.
    #[must_use]
    pub fn with_compression(self, compression: impl Into<Option<Compression>>) -> WriteOptions {
        WriteOptions { compression: compression.into(), ..self }
    }

    /// Sets the version of the metadata. Default [`MetadataVersion::V5`]; V4 is for readers from before Arrow 1.0.
    #[must_use]
    pub fn with_version(self, version: MetadataVersion) -> WriteOptions {
        WriteOptions { version, ..self }
    }

    /// Sets the framing, which is the form of the prefix of messages. Default [`Framing::Current`]; the legacy form is
    /// for readers from before Arrow 0.15, and needs version V4.
    #[must_use]
    pub fn with_framing(self, framing: Framing) -> WriteOptions {
        WriteOptions { framing, ..self }
    }

    /// Sets the byte order of bodies. Default: the byte order of this machine. Writing the other byte order copies all
    /// numbers.
    #[must_use]
    pub fn with_endianness(self, endianness: Endianness) -> WriteOptions {
        WriteOptions { endianness, ..self }
    }

    /// Sets how often a writer writes a buffer that several columns of a batch share. Default
    /// [`SharedBuffers::Repeated`].
    #[must_use]
    pub fn with_shared_buffers(self, shared_buffers: SharedBuffers) -> WriteOptions {
        WriteOptions { shared_buffers, ..self }
    }

    /// Sets what happens to data to which no valid slot refers: bytes in data buffers of views, items of list views,
    /// and values in children of dense unions. Default [`UnusedValues::Bounded`]: a message has at most as many unused bytes
    /// as used bytes, and a buffer is not copied if at least half of it is used. [`UnusedValues::Keep`] copies no buffers.
    /// [`UnusedValues::Remove`] writes no unused data; to find this data, the writer first validates the content of columns.
    #[must_use]
    pub fn with_unused_items(self, unused_items: UnusedValues) -> WriteOptions {
        WriteOptions { unused_items: Some(unused_items), ..self }
    }

    /// Sets what happens to dictionary values to which no valid index of the batch refers. Default [`UnusedValues::Keep`].
    /// Ordered dictionaries inside the values of dictionaries keep them always.
    /// With the other choices, the writer first validates the content of columns, and each batch gets its own
    /// dictionary. [`DictionaryPolicy::Delta`] then writes each value once, before the first batch that uses it, and
    /// [`with_unified_dictionaries`](WriteOptions::with_unified_dictionaries) writes one dictionary with the values that any
    /// batch uses.
    #[must_use]
    pub fn with_unused_values(self, unused_values: UnusedValues) -> WriteOptions {
        WriteOptions { unused_values: Some(unused_values), ..self }
    }

    /// Sets the alignment in bytes of messages, bodies and buffers. Default 64. Powers of two from 8 to 65,536 are
    /// allowed: 8 gives the least padding, 4,096 suits mapped pages. A buffer that is shorter than the alignment is
    /// aligned to 64 bytes if it has at least 64 bytes, and otherwise to 8. Buffers of compressed bodies are aligned to
    /// 8.
    #[must_use]
    pub fn with_alignment(self, n_bytes: usize) -> WriteOptions {
        WriteOptions { alignment: Some(n_bytes), ..self }
    }

    /// Sets the bytes that are written for null slots. Default [`NullSlots::Keep`].
    #[must_use]
    pub fn with_null_slots(self, null_slots: NullSlots) -> WriteOptions {
        WriteOptions { null_slots, ..self }
    }

    /// Sets what the writer does if a dictionary changes between batches. Default [`DictionaryPolicy::Replace`]: a
    /// stream gets the new dictionary; in a file, the change is an error.
    #[must_use]
    pub fn with_dictionaries(self, dictionaries: DictionaryPolicy) -> WriteOptions {
        WriteOptions { dictionaries, ..self }
    }

    /// Limits the number of fields in the schema, including nested fields. Default: the number that readers accept by
    /// default, one million; see [`Limits::with_max_fields`]. Readers need the same limit to read what a writer with a
    /// higher limit writes. Metadata of more than 256 MiB is refused with any limit. If batches are appended to a file,
    /// the file may have as many fields.
    #[must_use]
    pub fn with_max_fields(self, max_fields: u64) -> WriteOptions {
        WriteOptions { max_fields: Some(max_fields), ..self }
    }

    /// Limits the length of the messages of batches, for receivers that refuse longer ones. Default: no limit. An encoder or
    /// writer splits a batch whose message would be longer into the fewest pieces that fit, as
    /// [`split_by_encoded_bytes`](crate::split_by_encoded_bytes) does. If a row does not fit alone, encoding is an error
    /// that names the row, and nothing of the batch is encoded.
    ///
    /// The length is that of the whole message: prefix, metadata and body; a
    /// [`MessageEncoder`](crate::MessageEncoder) writes no prefix, and does not count it. If bodies are compressed, or
    /// shared buffers are written once, the limit holds for the [upper
    /// bound](crate::BatchEncoder::max_message_sizes), so messages may be much shorter. Messages of schemas and
    /// dictionaries, and messages that are copied, are not split. Statistics in a footer have one entry for each written
    /// batch, so readers ignore statistics of batches that were split here; collect them of pieces that you split before.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc::{StreamReader, StreamWriter, WriteOptions};
    ///
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1000).into())])?;
    /// let options = WriteOptions::new().with_max_message_bytes(4096);
    /// let stream = StreamWriter::write_to_vec_with(batch.schema(), &[batch.clone()], options)?;
    /// let pieces: Vec<RecordBatch> = StreamReader::try_new(&*stream)?.collect::<arrow_ipc::Result<_>>()?;
    /// assert_eq!(pieces.iter().map(|piece| piece.n_rows()).collect::<Vec<_>>(), [488, 488, 24]);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    #[must_use]
    pub fn with_max_message_bytes(self, max_message_bytes: u64) -> WriteOptions {
        WriteOptions { max_message_bytes: Some(max_message_bytes), ..self }
    }

    /// Sets [`DictionaryPolicy::Unify`] with the values of the dictionaries of `batches`. These must be all batches that are
    /// written. Values that these options leave out are left out: set [`with_unused_values`](WriteOptions::with_unused_values)
    /// before this call. To pass batches one by one, use [`dictionary_unifier`](WriteOptions::dictionary_unifier).
    ///
    /// # Errors
    /// The errors of [`DictionaryUnifier::try_new`], [`DictionaryUnifier::observe`] and [`DictionaryUnifier::finish`].
    ///
    /// ```
    /// use arrow_array::{DictionaryBuilder, Utf8Builder};
    /// use arrow_buffer::Buffer;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc::{FileReader, FileWriter, WriteOptions};
    /// use arrow_schema::IndexType;
    ///
    /// let batch = |word| -> Result<RecordBatch, Box<dyn std::error::Error>> {
    ///     let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new())?;
    ///     column.append(word);
    ///     Ok(RecordBatch::try_from_columns([("word", column.finish()?.into())])?)
    /// };
    /// let batches = [batch("ada")?, batch("grace")?];
    /// let schema = batches[0].schema();
    /// let options = WriteOptions::new().with_unified_dictionaries(schema, &batches)?;
    /// let mut writer = FileWriter::try_new_with(Vec::new(), schema, options)?;
    /// batches.iter().try_for_each(|batch| writer.write(batch))?;
    /// let file = FileReader::try_from_buffer(Buffer::from(writer.finish()?))?;
    /// assert_eq!(file.footer().dictionaries().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_unified_dictionaries<'a>(
        self,
        schema: impl Into<IpcSchema>,
        batches: impl IntoIterator<Item = &'a RecordBatch>,
    ) -> Result<WriteOptions> {
        let mut unifier = self.dictionary_unifier(schema)?;
        batches.into_iter().try_for_each(|batch| unifier.observe(batch))?;
        Ok(self.with_dictionaries(DictionaryPolicy::Unify(unifier.finish()?)))
    }

    /// A unifier of the dictionaries that a writer with these options will write. It leaves out the values that the writer
    /// leaves out.
    ///
    /// # Errors
    /// The errors of [`DictionaryUnifier::try_new`].
    pub fn dictionary_unifier(&self, schema: impl Into<IpcSchema>) -> Result<DictionaryUnifier> {
        DictionaryUnifier::try_with_unused(schema.into(), self.unused_data())
    }

    pub(crate) fn unused_data(&self) -> UnusedData {
        UnusedData::new(self.unused_items(), self.unused_values())
    }

    /// See [`with_file_metadata`](WriteOptions::with_file_metadata).
    pub fn file_metadata(&self) -> &Metadata {
        &self.file_metadata
    }

    /// See [`with_footer_metadata`](WriteOptions::with_footer_metadata).
    pub fn footer_metadata(&self) -> &Metadata {
        self.footer_metadata.as_ref().unwrap_or(&self.file_metadata)
    }

    /// See [`with_row_counts`](WriteOptions::with_row_counts).
    pub fn row_counts(&self) -> RowCounts {
        self.row_counts
    }

    /// See [`with_same_metadata`](WriteOptions::with_same_metadata).
    pub fn has_same_metadata(&self) -> bool {
        self.has_same_metadata
    }

    /// See [`with_features`](WriteOptions::with_features).
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// See [`with_threads`](WriteOptions::with_threads).
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// See [`with_compression`](WriteOptions::with_compression).
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// See [`with_version`](WriteOptions::with_version).
    pub fn version(&self) -> MetadataVersion {
        self.version
    }

    /// See [`with_framing`](WriteOptions::with_framing).
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// See [`with_endianness`](WriteOptions::with_endianness).
    pub fn endianness(&self) -> Endianness {
        self.endianness
    }

    /// See [`with_shared_buffers`](WriteOptions::with_shared_buffers).
    pub fn shared_buffers(&self) -> SharedBuffers {
        self.shared_buffers
    }

    /// See [`with_unused_items`](WriteOptions::with_unused_items).
    pub fn unused_items(&self) -> UnusedValues {
        self.unused_items.unwrap_or(UnusedValues::Bounded)
    }

    /// See [`with_unused_values`](WriteOptions::with_unused_values).
    pub fn unused_values(&self) -> UnusedValues {
        self.unused_values.unwrap_or(UnusedValues::Keep)
    }

    /// The alignment that was set, before it is checked: see [`with_alignment`](WriteOptions::with_alignment).
    pub fn alignment(&self) -> usize {
        self.alignment.unwrap_or(64)
    }

    /// # Errors
    /// If the requested alignment is not allowed.
    pub(crate) fn checked_alignment(&self) -> Result<Alignment> {
        Ok(self.alignment.map(Alignment::try_new).transpose()?.unwrap_or_default())
    }

    /// See [`with_null_slots`](WriteOptions::with_null_slots).
    pub fn null_slots(&self) -> NullSlots {
        self.null_slots
    }

    /// See [`with_dictionaries`](WriteOptions::with_dictionaries).
    pub fn dictionaries(&self) -> &DictionaryPolicy {
        &self.dictionaries
    }

    /// See [`with_max_fields`](WriteOptions::with_max_fields).
    pub fn max_fields(&self) -> u64 {
        self.max_fields.unwrap_or_else(|| Limits::default().max_fields())
    }

    /// See [`with_max_message_bytes`](WriteOptions::with_max_message_bytes).
    pub fn max_message_bytes(&self) -> Option<u64> {
        self.max_message_bytes
    }

    /// Options to read the file to which a writer with these options appends.
    #[cfg(feature = "file")]
    pub(crate) fn to_read_options(&self) -> ReadOptions {
        ReadOptions::new().with_limits(Limits::default().with_max_fields(self.max_fields()))
    }

    /// Refuses options that the metadata version does not allow. Readers of that version would misread the output.
    pub(crate) fn check_version(&self, columns: &SchemaColumns) -> Result<()> {
        match (self.version, self.framing) {
            (MetadataVersion::V5, Framing::Current) => return Ok(()),
            (MetadataVersion::V5, Framing::Legacy) => {
                let what = "legacy framing";
                let version = self.version;
                return Err(IpcErrorKind::NotInVersion { what, version }.into());
            }
            (MetadataVersion::V4, _) => {}
        }
        if self.compression.is_some() {
            let what = "a compressed body";
            let version = self.version;
            return Err(IpcErrorKind::NotInVersion { what, version }.into());
        }
        match columns.first_since_v5() {
            None => Ok(()),
            Some((path, what)) => {
                let kind = IpcErrorKind::NotInVersion { what, version: self.version };
                Err(IpcError::from(kind)).in_field(|| path.clone())
            }
        }
    }
}
