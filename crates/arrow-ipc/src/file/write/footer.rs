//! Encodes the footer of a file.

use arrow_buffer::BufferMut;
use arrow_ipc_format::tables as fb;
use arrow_schema::Metadata;

use crate::{
    error::{FormatErrorKind, Result},
    file::footer::{BLOCK_BYTES, BatchRowCounts, Block, Footer, WireBlock, pack},
    options::{RowCounts, WriteOptions},
    segment::encoded::{EncodedMessage, OwnedEncoded},
    stream::{MessageOutput, Trailer},
};
use arrow_ipc_format::{
    FILE_MAGIC, Limits, MessageKind, SchemaFlatbuffer, SchemaPart, WrittenContainer,
    flatbuffer::{TableLayout, put, put_reference},
    n_metadata_bytes, wire_version,
};

/// The most bytes of a footer that are neither of its schema nor of a list: its table, the lengths of lists, and padding.
const MAX_FRONT_BYTES: usize = 128;

/// The most bytes of a pair of custom metadata in addition to its key and value: a table, references, lengths and padding.
const MAX_PAIR_BYTES: usize = 64;

/// The number of pairs that the footer adds to those of the options: row counts and statistics.
const N_OWN_PAIRS: usize = 2;

/// The footer of a [`FileEncoder`](crate::FileEncoder). It grows with each message.
#[derive(Debug, Default)]
pub struct FooterEncoder {
    bytes: BufferMut,
    dictionaries: Vec<[u8; BLOCK_BYTES]>,
    batches: Vec<[u8; BLOCK_BYTES]>,
    row_counts: RowCounts,
    /// The row counts, if they are written or compared with the metadata of the options. Otherwise empty.
    batch_row_counts: BatchRowCounts,
    counts_rows: bool,
    /// The statistics, encoded as text.
    statistics: Option<String>,
    /// The length of the custom metadata of the options.
    n_metadata_bytes: u64,
    /// The maximal number of pairs of custom metadata.
    n_pairs: usize,
    /// Whether the footer has no statistics, so that its metadata is that of the schema message.
    has_same_metadata: bool,
    pub(super) bounds: FooterBounds,
}

/// The maximum length of a footer.
#[derive(Debug, Clone, Copy)]
pub(super) struct FooterBounds {
    pub(super) n_bytes: u64,
}

impl Default for FooterBounds {
    fn default() -> FooterBounds {
        FooterBounds { n_bytes: Limits::DEFAULT_METADATA_BYTES }
    }
}

impl FooterBounds {
    /// # Errors
    /// If readers would refuse a footer of `n_bytes` bytes by default.
    pub(super) fn check(&self, n_bytes: u64) -> Result<()> {
        Ok(Limits::check("bytes of footer", n_bytes, self.n_bytes)?)
    }
}

/// The options with which a file is written. If the schema and the footer have the same metadata, it is the metadata of the file.
pub(super) fn resolved(mut options: WriteOptions) -> WriteOptions {
    if !options.has_same_metadata {
        return options;
    }
    let footer = Footer::without_own_keys(options.footer_metadata());
    let message = Footer::without_own_keys(&options.file_metadata);
    let rest = message.iter().filter(|(key, _)| footer.iter().all(|(known, _)| known != *key));
    let pairs = footer.iter().chain(rest).map(|(key, value)| (key.map(Into::into), value.map(Into::into)));
    options.file_metadata = Metadata::from_pairs(pairs.collect());
    options.footer_metadata = None;
    options.row_counts = RowCounts::NotWritten;
    options
}

impl FooterEncoder {
    pub(super) fn new(options: &WriteOptions) -> FooterEncoder {
        let row_counts = options.row_counts();
        let counts_rows = row_counts != RowCounts::NotWritten
            || options.footer_metadata().get(Footer::ROW_COUNTS_KEY).is_some();
        let n_metadata_bytes = n_metadata_bytes(options.footer_metadata());
        let has_same_metadata = options.has_same_metadata;
        FooterEncoder {
            row_counts,
            counts_rows,
            n_metadata_bytes,
            n_pairs: options.footer_metadata().len().saturating_add(N_OWN_PAIRS),
            has_same_metadata,
            ..FooterEncoder::default()
        }
    }

    /// Sets the statistics of the batches, in the form of a stream. Returns `false` if the footer has none: if it has the
    /// same metadata as the schema message, or might exceed the length that readers accept by default. The end of the file
    /// may list `n_dictionaries` more blocks.
    pub(super) fn set_statistics(
        &mut self,
        stream: &[u8],
        schema: &SchemaPart,
        n_dictionaries: usize,
    ) -> bool {
        self.statistics = None;
        if self.has_same_metadata {
            return false;
        }
        let statistics = pack(stream);
        let n_table_bytes = self.n_pairs.saturating_mul(MAX_PAIR_BYTES).saturating_add(MAX_FRONT_BYTES);
        let n_more_bytes = n_dictionaries.saturating_mul(BLOCK_BYTES).saturating_add(n_table_bytes) as u64;
        let n_schema_bytes = schema.n_bytes().max(schema.n_text_bytes());
        let parts = [n_schema_bytes, n_more_bytes, statistics.len() as u64];
        if self.bounds.check(parts.into_iter().fold(self.n_bytes(), u64::saturating_add)).is_ok() {
            self.statistics = Some(statistics);
        }
        self.statistics.is_some()
    }

    /// Lists a message as a block, if footers list messages of its kind, and counts the rows of a batch, if the options have
    /// row counts. Encoders list what they encode.
    ///
    /// # Errors
    /// If the file is too long for the positions in a footer. If the footer exceeds the length that readers accept by
    /// default.
    pub fn add_block(&mut self, message: &EncodedMessage) -> Result<()> {
        let position = message.position();
        let block = WireBlock::try_new(position, message.n_metadata_bytes(), message.n_body_bytes());
        let Some(block) = block.map(WireBlock::to_bytes) else {
            let what = "bytes of file";
            let limit = Limits::MAX_I64;
            return Err(FormatErrorKind::LimitExceeded { what, requested: position, limit }.into());
        };
        self.bounds.check(self.n_bytes().saturating_add(BLOCK_BYTES as u64))?;
        match message.kind() {
            MessageKind::DictionaryBatch => self.dictionaries.push(block),
            MessageKind::RecordBatch => {
                self.batches.push(block);
                if self.counts_rows {
                    self.batch_row_counts.push(message.n_rows());
                }
                self.statistics = None;
            }
            MessageKind::Schema | MessageKind::Tensor | MessageKind::SparseTensor => {}
        }
        Ok(())
    }

    /// An upper bound of the length of the blocks and of the custom metadata.
    fn n_bytes(&self) -> u64 {
        let n_blocks = self.dictionaries.len() + self.batches.len();
        let n_count_bytes = if self.writes_counts() { self.batch_row_counts.most_json_bytes() } else { 0 };
        let n_statistics_bytes = self.statistics.as_ref().map_or(0, String::len) as u64;
        let n_text_bytes =
            self.n_metadata_bytes.saturating_add(n_count_bytes).saturating_add(n_statistics_bytes);
        (n_blocks.saturating_mul(BLOCK_BYTES) as u64).saturating_add(n_text_bytes)
    }

    fn writes_counts(&self) -> bool {
        self.row_counts != RowCounts::NotWritten
    }

    /// Lists the blocks of an existing file. If the file has row counts, rows of later batches are counted. Its statistics
    /// stay until a batch follows.
    pub(super) fn continuing(footer: &Footer, options: &WriteOptions) -> Result<FooterEncoder> {
        let wire = |block: &Block| block.to_wire().map(WireBlock::to_bytes);
        let all = |blocks: &[Block]| blocks.iter().map(wire).collect::<Result<Vec<_>>>();
        let dictionaries = all(footer.dictionaries())?;
        let batches = all(footer.batches())?;
        let statistics = footer.metadata().get(Footer::STATISTICS_KEY).map(str::to_owned);
        // The metadata of the options may be that of the file, so the same text would count twice.
        let n_metadata_bytes = n_metadata_bytes(&options.footer_metadata().without(Footer::STATISTICS_KEY));
        let row_counts = RowCounts::NotWritten;
        let new = FooterEncoder::new(options);
        let listed = FooterEncoder { dictionaries, batches, statistics, n_metadata_bytes, row_counts, ..new };
        let Some(batch_row_counts) = footer.batch_row_counts().cloned() else { return Ok(listed) };
        Ok(FooterEncoder { batch_row_counts, row_counts: RowCounts::Written, counts_rows: true, ..listed })
    }

    /// The custom metadata of the footer. Adds row counts if they are enabled. Row counts in the options may belong to
    /// another file, so they are written only if they are correct for this file.
    fn metadata(&self, metadata: &Metadata) -> Metadata {
        let is_written = self.writes_counts();
        let n_batches = self.batches.len();
        let counts = &self.batch_row_counts;
        let is_counted = self.counts_rows && counts.n_batches() == n_batches && counts.fits();
        let given = metadata.get(Footer::ROW_COUNTS_KEY);
        let given_counts = given.and_then(|json| BatchRowCounts::parse(json, n_batches));
        let is_true = is_counted && given_counts.as_ref() == Some(counts);
        let mut written = metadata.clone();
        if given.is_some() && (is_written || !is_true) {
            written = written.without(Footer::ROW_COUNTS_KEY);
        }
        if metadata.get(Footer::STATISTICS_KEY).is_some() {
            written = written.without(Footer::STATISTICS_KEY);
        }
        if is_written && is_counted {
            written = written.with(Footer::ROW_COUNTS_KEY, self.batch_row_counts.to_json());
        }
        if let Some(statistics) = &self.statistics {
            written = written.with(Footer::STATISTICS_KEY, statistics.clone());
        }
        written
    }
}

impl Trailer for FooterEncoder {
    fn written(&self) -> WrittenContainer {
        WrittenContainer::File
    }

    /// Lists the messages of a call: dictionaries, then a batch or its pieces.
    ///
    /// # Errors
    /// The errors of [`add_block`](FooterEncoder::add_block). After an error, no message of the call is listed.
    fn add_all(&mut self, encoded: &OwnedEncoded) -> Result<()> {
        let n_dictionaries = self.dictionaries.len();
        let n_batches = self.batches.len();
        let n_counted = self.batch_row_counts.n_batches();
        // A batch drops the statistics, but not if it is refused.
        let has_batch = encoded.messages().iter().any(|message| message.kind() == MessageKind::RecordBatch);
        let statistics = self.statistics.take_if(|_| has_batch);
        let added = encoded.messages().iter().try_for_each(|message| self.add_block(message));
        if added.is_err() {
            self.dictionaries.truncate(n_dictionaries);
            self.batches.truncate(n_batches);
            self.batch_row_counts.truncate(n_counted);
            self.statistics = statistics.or(self.statistics.take());
        }
        added
    }

    fn remove_all(&mut self, encoded: &OwnedEncoded) {
        let n_of =
            |kind: MessageKind| encoded.messages().iter().filter(|message| message.kind() == kind).count();
        self.dictionaries
            .truncate(self.dictionaries.len().saturating_sub(n_of(MessageKind::DictionaryBatch)));
        self.batches.truncate(self.batches.len().saturating_sub(n_of(MessageKind::RecordBatch)));
        self.batch_row_counts.truncate(self.batches.len());
    }

    /// Adds the flatbuffer, its length and the magic.
    fn add_to(
        &mut self,
        output: &mut MessageOutput,
        schema: &SchemaPart,
        options: &WriteOptions,
    ) -> Result<()> {
        let metadata = &self.metadata(options.footer_metadata());
        let n_block_bytes = (self.dictionaries.len() + self.batches.len()).saturating_mul(BLOCK_BYTES);
        // The lengths of the fields: version, schema, dictionaries, record batches and custom metadata.
        let layout = TableLayout::new([2, 4, 4, 4, 4 * u16::from(!metadata.is_empty())]);
        let (mut front, table) = SchemaFlatbuffer::front(&layout);
        let mut flatbuffer = SchemaFlatbuffer::new(schema, front.len());
        let n_text_bytes = schema.n_text_bytes().saturating_add(n_metadata_bytes(metadata));
        self.bounds.check(n_text_bytes.saturating_add(n_block_bytes as u64))?;
        let version = wire_version(options.version) as i16;
        put(&mut front, table + layout.offset_of(fb::Footer::VERSION.index), version.to_le_bytes());
        put_reference(
            &mut front,
            table + layout.offset_of(fb::Footer::SCHEMA.index),
            Some(flatbuffer.table()),
        );
        let dictionaries = flatbuffer.add_blocks(&self.dictionaries);
        put_reference(
            &mut front,
            table + layout.offset_of(fb::Footer::DICTIONARIES.index),
            Some(dictionaries),
        );
        let batches = flatbuffer.add_blocks(&self.batches);
        put_reference(&mut front, table + layout.offset_of(fb::Footer::RECORD_BATCHES.index), Some(batches));
        put_reference(
            &mut front,
            table + layout.offset_of(fb::Footer::CUSTOM_METADATA.index),
            flatbuffer.add_metadata(metadata),
        );
        self.bytes.clear();
        flatbuffer.write(&front, &mut self.bytes);
        let bytes = self.bytes.as_slice();
        self.bounds.check(bytes.len() as u64)?;
        let length: i32 = Limits::fit("bytes of footer", bytes.len() as u64, Limits::MAX_I32)?;
        [bytes, &length.to_le_bytes(), FILE_MAGIC].into_iter().for_each(|part| output.gather(part));
        Ok(())
    }

    fn clear(&mut self) {
        self.dictionaries.clear();
        self.batches.clear();
        self.batch_row_counts.clear();
        self.statistics = None;
    }
}

/// The trailer of a file, or of a stream, which has no footer.
impl Trailer for Option<FooterEncoder> {
    fn written(&self) -> WrittenContainer {
        self.as_ref().map_or(WrittenContainer::Stream, Trailer::written)
    }

    fn add_all(&mut self, encoded: &OwnedEncoded) -> Result<()> {
        self.as_mut().map_or(Ok(()), |footer| footer.add_all(encoded))
    }

    fn remove_all(&mut self, encoded: &OwnedEncoded) {
        self.iter_mut().for_each(|footer| footer.remove_all(encoded));
    }

    fn add_to(
        &mut self,
        output: &mut MessageOutput,
        schema: &SchemaPart,
        options: &WriteOptions,
    ) -> Result<()> {
        self.as_mut().map_or(Ok(()), |footer| footer.add_to(output, schema, options))
    }

    fn clear(&mut self) {
        self.iter_mut().for_each(Trailer::clear);
    }
}
