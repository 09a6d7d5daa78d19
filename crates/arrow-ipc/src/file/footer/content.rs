//! The end of a file: the footer, its length and the magic. Parses bytes without I/O.

use std::{ops::Range, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc_format::{flatbuffer::TypedTable, tables as fb};
use arrow_schema::{Metadata, Schema};

use super::{
    block::{Block, START_BYTES},
    blocks::Blocks,
    faults::FooterFaults,
    irregular::FooterIrregularity,
    packed::unpack,
    row_counts::BatchRowCounts,
};
use crate::error::{FooterPart, FormatError, FormatErrorKind, IpcError, IpcErrorKind, Result};
use arrow_ipc_format::{
    Container, FILE_MAGIC, Header, IpcSchema, Limits, Message, MetadataVersion, decode_metadata,
    decode_schema, required,
};

/// An end of the blocks of a footer that was moved. A sum of such positions does not overflow.
const ANYWHERE: u64 = 1 << 62;

/// What the first bytes of a file show, in errors about other inputs.
pub(crate) const FILE: &str = "an Arrow IPC file";
pub(crate) const FILE_OR_STREAM: &str = "an Arrow IPC file or stream";

/// The number of bytes after the footer of a file: its length and the magic.
pub const TAIL_BYTES: u64 = 10;

/// The checked content of a footer. Each block lies between the magic and the footer.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileWriter, Limits, file::Footer};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let file = Buffer::from(writer.finish()?);
///
/// let footer = Footer::read(&file, &Limits::default())?;
/// assert_eq!(footer.schema(), batch.schema());
/// let block = footer.batches()[0];
/// assert!(block.position() + block.n_bytes() <= footer.position());
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Footer {
    schema: IpcSchema,
    dictionaries: Blocks,
    batches: Blocks,
    metadata: Metadata,
    batch_row_counts: Option<BatchRowCounts>,
    position: u64,
    /// Whether its bytes end with a length and the magic.
    is_extended: bool,
}

impl Footer {
    /// The key of the custom metadata with the [row counts](crate::RowCounts).
    pub const ROW_COUNTS_KEY: &'static str = "__POLARS_IPC_METADATA";

    /// The key of the custom metadata with the [statistics](crate::FileEncoder::set_statistics) of batches.
    pub const STATISTICS_KEY: &'static str = "arrow-ipc.statistics";

    /// Removes row counts and statistics from metadata. They are valid only for the file that has them.
    ///
    /// ```
    /// use arrow_ipc::file::Footer;
    /// use arrow_schema::Metadata;
    ///
    /// let metadata = Metadata::from_iter([("a", "b"), (Footer::ROW_COUNTS_KEY, "{}")]);
    /// assert_eq!(Footer::without_own_keys(&metadata), Metadata::from_iter([("a", "b")]));
    /// ```
    #[must_use]
    pub fn without_own_keys(metadata: &Metadata) -> Metadata {
        let keys = [Footer::ROW_COUNTS_KEY, Footer::STATISTICS_KEY];
        let found = keys.into_iter().filter(|key| metadata.get(key).is_some());
        found.fold(metadata.clone(), |metadata, key| metadata.without(key))
    }

    /// Checks the magic in the first bytes of a file. `expected` says in the error what the input should be.
    pub(crate) fn check_start(start: &[u8], expected: &'static str) -> Result<()> {
        if start.starts_with(FILE_MAGIC) {
            return Ok(());
        }
        if start.is_empty() {
            let needed = START_BYTES + TAIL_BYTES;
            return Err(FormatErrorKind::Truncated { what: "file", needed, available: 0 }.into());
        }
        let found = Container::detect(start);
        Err(IpcErrorKind::WrongContainer { expected, found }.into())
    }

    /// The range of the footer. `tail` are the last [`TAIL_BYTES`](super::TAIL_BYTES) bytes of the file.
    ///
    /// # Errors
    /// If the file does not end with the magic, or the footer would exceed the file or the limit.
    pub fn range(tail: &[u8], file_bytes: u64, limits: &Limits) -> Result<Range<u64>> {
        let Some((length, magic)) = tail.split_first_chunk::<4>() else {
            let needed = TAIL_BYTES;
            let available = tail.len() as u64;
            return Err(FormatErrorKind::Truncated { what: "file's end", needed, available }.into());
        };
        if magic != FILE_MAGIC {
            return Err(IpcErrorKind::EndMagic { found: magic.to_vec() }.into());
        }
        let found = i32::from_le_bytes(*length);
        let end = file_bytes.saturating_sub(TAIL_BYTES);
        let n_bytes = u64::try_from(found).ok().filter(|n_bytes| *n_bytes > 0);
        let start =
            n_bytes.and_then(|n_bytes| end.checked_sub(n_bytes)).filter(|start| *start >= START_BYTES);
        match (start, n_bytes) {
            (Some(start), Some(n_bytes)) => {
                Limits::check("bytes of footer", n_bytes, limits.max_metadata_bytes())?;
                Ok(start..end)
            }
            _ => Err(IpcErrorKind::FooterLength { found: found.into(), file_bytes }.into()),
        }
    }

    /// Parses the bytes of a footer that begins at `position`. [`Footer::read`] also finds it in a file.
    ///
    /// # Errors
    /// If the footer is malformed, unsupported or over a limit.
    pub fn parse(footer: &Buffer, position: u64, limits: &Limits) -> Result<Footer> {
        Footer::parse_within(footer, (position, position), limits, &mut FooterFaults::refused())
    }

    /// Parses the footer of a file that lacks bytes before the footer. The positions in the blocks may then be too large.
    pub(crate) fn parse_shifted(footer: &Buffer, position: u64, limits: &Limits) -> Result<Footer> {
        Footer::parse_within(footer, (position, ANYWHERE), limits, &mut FooterFaults::refused())
    }

    /// Parses the parts of a damaged footer that can be read, and reports the others. Blocks may lie after the footer. If the
    /// schema is unreadable, it has no columns. A block that cannot be a message gets the numbers that its neighbours
    /// suggest.
    ///
    /// # Errors
    /// If no part can be read.
    pub fn parse_parts(footer: &Buffer, position: u64, limits: &Limits) -> Result<(Footer, FooterFaults)> {
        let mut faults = FooterFaults::recorded();
        let footer = Footer::parse_within(footer, (position, ANYWHERE), limits, &mut faults)?;
        Ok((footer, faults))
    }

    fn parse_within(
        footer: &Buffer,
        (position, end): (u64, u64),
        limits: &Limits,
        faults: &mut FooterFaults,
    ) -> Result<Footer> {
        let root = fb::Footer::root(footer)?;
        // Old writers left out the version of the footer, which then reads as V1. This is accepted, since each message
        // has its own version. Newer versions are refused.
        let version = match faults.take(FooterPart::Version, root.version())? {
            Some(fb::MetadataVersion::V5) | None => MetadataVersion::V5,
            Some(
                fb::MetadataVersion::V1
                | fb::MetadataVersion::V2
                | fb::MetadataVersion::V3
                | fb::MetadataVersion::V4,
            ) => MetadataVersion::V4,
        };
        let mut budget = limits.schema_budget(footer.len());
        let metadata = root.custom_metadata().map_err(FormatError::from);
        let metadata = metadata.and_then(|pairs| decode_metadata(pairs, &mut budget));
        let metadata = faults.take(FooterPart::Metadata, metadata)?;
        if metadata.is_none() {
            budget = limits.schema_budget(footer.len());
        }
        let metadata = metadata.unwrap_or_default();
        let table = root.schema().map_err(FormatError::from);
        let table = table.and_then(|table| required(table, "the footer's schema"));
        let schema = table.and_then(|table| decode_schema(table, limits, budget));
        let schema = faults.take(FooterPart::Schema, schema)?;
        let schema = match schema {
            Some(schema) => schema,
            None => IpcSchema::try_with_dictionary_ids(Arc::new(Schema::new([])), Vec::new())?,
        };
        let schema = schema.with_version(version);
        let located = (footer, end);
        let dictionaries = Blocks::from_footer(located, root, FooterPart::Dictionaries, faults)?;
        let batches = Blocks::from_footer(located, root, FooterPart::Batches, faults)?;
        faults.take(FooterPart::Batches, check_overlap([&dictionaries, &batches], end))?;
        let row_counts = metadata.get(Footer::ROW_COUNTS_KEY);
        let batch_row_counts = row_counts.and_then(|json| BatchRowCounts::parse(json, batches.len()));
        let is_extended = footer.ends_with(FILE_MAGIC);
        Ok(Footer { schema, dictionaries, batches, metadata, batch_row_counts, position, is_extended })
    }

    /// Checks whether the blocks fit before `end`.
    ///
    /// # Errors
    /// If they have more bytes together.
    pub(crate) fn check_overlap(&self, end: u64) -> Result<()> {
        let checked = check_overlap([&self.dictionaries, &self.batches], end);
        checked.map_err(|kind| IpcError::from(kind).in_footer_part(FooterPart::Batches))
    }

    /// The footer of messages that were found without one.
    pub(super) fn from_messages(
        schema: IpcSchema,
        metadata: Metadata,
        (dictionaries, batches, batch_row_counts): (Blocks, Blocks, BatchRowCounts),
        position: u64,
    ) -> Footer {
        let batch_row_counts = Some(batch_row_counts);
        Footer { schema, dictionaries, batches, metadata, batch_row_counts, position, is_extended: false }
    }

    /// The footer for the body of one record batch, which is read like a file.
    ///
    /// # Errors
    /// If the body is longer than the format can express.
    pub(crate) fn try_from_message(schema: IpcSchema, metadata: Metadata, block: Block) -> Result<Footer> {
        let dictionaries = Blocks::default();
        let batches = Blocks::try_from_block(block)?;
        let (batch_row_counts, position) = (None, block.end());
        Ok(Footer { schema, dictionaries, batches, metadata, batch_row_counts, position, is_extended: false })
    }

    /// The footer with another schema, in place of an unreadable one.
    #[must_use]
    pub fn with_ipc_schema(self, schema: IpcSchema) -> Footer {
        Footer { schema, ..self }
    }

    /// The footer with its schema and its metadata, without blocks.
    #[must_use]
    pub fn without_blocks(self) -> Footer {
        let dictionaries = Blocks::default();
        let batches = Blocks::default();
        Footer { dictionaries, batches, batch_row_counts: None, ..self }
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.ipc_schema().schema()
    }

    /// The schema, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.schema
    }

    /// The blocks of the dictionary batches. The first call makes the slice.
    pub fn dictionaries(&self) -> &[Block] {
        self.dictionaries.all()
    }

    /// The blocks of the record batches. The first call makes the slice. [`batch`](Footer::batch) does not need the
    /// slice.
    pub fn batches(&self) -> &[Block] {
        self.batches.all()
    }

    /// The block of one record batch; `None` if out of bounds.
    pub fn batch(&self, batch_idx: usize) -> Option<Block> {
        self.batches.get(batch_idx)
    }

    /// The number of record batches, without dictionary batches.
    pub fn n_batches(&self) -> usize {
        self.batches.len()
    }

    pub(crate) fn dictionary_blocks(&self) -> &Blocks {
        &self.dictionaries
    }

    pub(crate) fn batch_blocks(&self) -> &Blocks {
        &self.batches
    }

    /// The same footer, without shared memory of the file.
    pub(crate) fn into_copied(self) -> Footer {
        let dictionaries = self.dictionaries.into_copied();
        let batches = self.batches.into_copied();
        Footer { dictionaries, batches, ..self }
    }

    /// The custom metadata of the footer.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The number of rows in all batches; `None` without row counts in the metadata, or if it exceeds 2⁶⁴ − 1.
    /// [`RowCounts::Written`](crate::RowCounts::Written) writes them, and so does Polars. Row counts are stated by the
    /// producer: a reader compares them with each batch that it reads.
    pub fn n_rows(&self) -> Option<u64> {
        self.batch_row_counts.as_ref().and_then(BatchRowCounts::n_rows)
    }

    /// The number of rows of one batch; `None` without row counts in the metadata. See [`n_rows`](Footer::n_rows).
    pub fn n_rows_of(&self, batch_idx: usize) -> Option<u64> {
        self.batch_row_counts.as_ref()?.n_rows_of(batch_idx)
    }

    /// The stream of statistics; `None` without statistics in the metadata.
    /// [`FileEncoder::set_statistics`](crate::FileEncoder::set_statistics) writes them. Each call decodes the stream from
    /// text. The producer states the statistics, which have not been compared with the batches. `arrow-ipc-statistics`
    /// interprets them.
    pub fn statistics(&self) -> Option<Vec<u8>> {
        unpack(self.metadata.get(Footer::STATISTICS_KEY)?)
    }

    pub(crate) fn batch_row_counts(&self) -> Option<&BatchRowCounts> {
        self.batch_row_counts.as_ref()
    }

    /// Compares the row counts in the metadata with the number of rows of a batch.
    ///
    /// # Errors
    /// If the numbers differ.
    pub(crate) fn check_n_rows(&self, batch_idx: usize, message: u64) -> Result<()> {
        match self.n_rows_of(batch_idx) {
            Some(footer) if footer != message => Err(IpcErrorKind::RowCount { footer, message }.into()),
            Some(_) | None => Ok(()),
        }
    }

    /// Compares the lengths and the row count of a block in the footer with its message.
    ///
    /// # Errors
    /// If the numbers differ.
    pub fn check_block(&self, block_idx: usize, message: &Message, header: &Header) -> Result<()> {
        let (blocks, n_rows) = match header {
            Header::RecordBatch(batch) => (&self.batches, Some(batch.n_rows())),
            Header::DictionaryBatch { .. } => (&self.dictionaries, None),
            Header::Schema(_) | Header::Tensor | Header::SparseTensor => return Ok(()),
        };
        if let Some(block) = blocks.get(block_idx) {
            block.compare("the metadata", block.n_metadata_bytes(), message.n_metadata_bytes())?;
            block.compare("the body", block.n_body_bytes(), message.n_body_bytes())?;
        }
        n_rows.map_or(Ok(()), |n_rows| self.check_n_rows(block_idx, n_rows))
    }

    /// The irregular blocks: first blocks out of order, in the order of the footer; then repeated and overlapping blocks,
    /// in the order of the file. Empty if the file follows the specification.
    pub fn irregularities(&self) -> Vec<FooterIrregularity> {
        FooterIrregularity::find(self.dictionaries(), self.batches())
    }

    /// The position of the footer, from the start of the file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether an appender has moved the footer to a later position, and not yet flushed: its bytes then end with an earlier length and
    /// magic.
    pub(crate) fn is_extended(&self) -> bool {
        self.is_extended
    }

    /// Finds a complete footer, with its length and the magic, that begins at index `at` of these bytes, or up to seven zeros before. Returns
    /// the index of its end; `None` if there is none. The bytes are at `position` in the file. Tries 16 positions of the magic at most.
    pub fn end_of_complete(bytes: &Buffer, at: usize, position: u64, limits: &Limits) -> Option<usize> {
        const MAX_TRIES: usize = 16;
        const MAX_ZEROS: usize = 7;
        let magics = bytes.get(at..)?.windows(FILE_MAGIC.len()).enumerate();
        let mut ends = magics.filter(|(_, window)| window == FILE_MAGIC).map(|(idx, _)| idx).take(MAX_TRIES);
        ends.find_map(|idx| {
            let end_of_footer = at.checked_add(idx)?.checked_sub(size_of::<i32>())?;
            let length = i32::from_le_bytes(*bytes.get(end_of_footer..)?.first_chunk()?);
            let start = end_of_footer.checked_sub(usize::try_from(length).ok()?)?;
            let zeros = bytes.get(start..at).filter(|zeros| zeros.len() <= MAX_ZEROS)?;
            let position = position.saturating_add(start as u64);
            let is_footer = zeros.iter().all(|byte| *byte == 0)
                && Footer::parse(&bytes.slice(start..end_of_footer), position, limits).is_ok();
            is_footer.then(|| end_of_footer.saturating_add(TAIL_BYTES as usize))
        })
    }
}

/// If blocks could overlap, a small file could make a reader decode the same bytes many times.
fn check_overlap(blocks: [&Blocks; 2], end: u64) -> std::result::Result<(), IpcErrorKind> {
    let n_bytes =
        blocks.iter().fold(0u64, |n_bytes, blocks| n_bytes.saturating_add(blocks.n_message_bytes()));
    let n_available = end.saturating_sub(START_BYTES);
    if n_bytes > n_available {
        return Err(IpcErrorKind::BlocksOverlap { n_bytes, n_available });
    }
    Ok(())
}
