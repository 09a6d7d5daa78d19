//! A file from a [`Source`]: random access by batch and column.

use std::{
    fs::File,
    ops::Range,
    path::Path,
    sync::{Arc, OnceLock},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::{
    batches::Batches,
    block::Block,
    dictionaries::FileDictionaries,
    footer::{Footer, START_BYTES, TAIL_BYTES},
};
use crate::{
    batch::{BatchDecoder, DecodeContext, Selection},
    body::{Body, Part},
    columns::{DictionaryIdx, SchemaColumns},
    compression::KeptMemory,
    dictionary::DictionaryStore,
    error::{BlockIndex, Context, IpcError, IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    limits::Limits,
    message::{BatchMessage, BodyRange, Head, MessageKind},
    options::{Projection, ReadOptions},
    source::Source,
    stats::{Counters, ReadStats},
    stream::BatchWithMetadata,
};

/// Reads record batches of a file, in any order, from any thread.
///
/// Opening reads the footer. Each batch is read when asked for, and of it only the columns that are selected;
/// dictionaries are read when a selected column needs them. Over a [`Buffer`] nothing is copied. Clones and
/// [`project`](FileReader::project)ed readers share the source and what has been read of it.
///
/// ```no_run
/// use arrow_ipc::{FileReader, Projection};
///
/// let file = FileReader::open("people.arrow")?;
/// println!("{}\n{} batches", file.schema(), file.n_batches());
/// let names = file.project(&Projection::names(["name"]))?;
/// for batch in names.batches() {
///     println!("{} rows", batch?.n_rows());
/// }
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct FileReader<S = File> {
    shared: Arc<FileShared<S>>,
    selection: Selection,
    needed_dictionaries: Arc<[DictionaryIdx]>,
    /// The needed dictionaries, once they have been read.
    dictionaries: Arc<OnceLock<DictionaryStore>>,
}

/// What all readers of one file share.
#[derive(Debug)]
pub(super) struct FileShared<S> {
    source: S,
    pub(super) options: ReadOptions,
    pub(super) footer: Footer,
    pub(super) columns: SchemaColumns,
    pub(super) counters: Counters,
    kept: KeptMemory,
    dictionaries: FileDictionaries,
}

/// What has been fetched of a message.
pub(super) struct Fetched {
    pub(super) head: Head,
    pub(super) body: Option<Buffer>,
}

impl FileReader<File> {
    /// Opens a file, which is read by position.
    ///
    /// # Errors
    /// If it cannot be opened, or is no Arrow file that can be read.
    pub fn open(path: impl AsRef<Path>) -> Result<FileReader<File>> {
        FileReader::open_with(path, ReadOptions::default())
    }

    /// As [`open`](FileReader::open), with options.
    ///
    /// # Errors
    /// As [`open`](FileReader::open), or if the projection does not fit the schema.
    pub fn open_with(path: impl AsRef<Path>, options: ReadOptions) -> Result<FileReader<File>> {
        let path = path.as_ref();
        let file = File::open(path)
            .map_err(|error| IpcError::from(IpcErrorKind::Open { path: path.to_owned(), error }))?;
        FileReader::from_source(file, options)
    }
}

impl FileReader<Buffer> {
    /// Reads a file that is in memory, or mapped to it by `Buffer::map` (feature `mmap` of `arrow-buffer`). Arrays
    /// share this memory.
    ///
    /// # Errors
    /// If it is no Arrow file that can be read.
    pub fn from_buffer(bytes: Buffer) -> Result<FileReader<Buffer>> {
        FileReader::from_source(bytes, ReadOptions::default())
    }
}

impl<S: Source> FileReader<S> {
    /// Reads a file from any source.
    ///
    /// # Errors
    /// If the source fails, or holds no Arrow file that can be read, or the projection does not fit the schema.
    pub fn from_source(source: S, options: ReadOptions) -> Result<FileReader<S>> {
        let footer = Footer::read(&source, &options.limits)?;
        let columns = SchemaColumns::try_new(footer.schema())?;
        let projection = options.projection.clone();
        let dictionaries = FileDictionaries::new(&columns);
        let (counters, kept) = (Counters::default(), KeptMemory::default());
        let shared = Arc::new(FileShared { source, options, footer, columns, counters, kept, dictionaries });
        FileReader::select(shared, &projection)
    }

    fn select(shared: Arc<FileShared<S>>, projection: &Projection) -> Result<FileReader<S>> {
        let columns = &shared.columns.batch;
        let selection = Selection::try_new(projection, columns, shared.footer.schema().schema())?;
        let ranges = selection.ranges(columns);
        let needed_dictionaries =
            ranges.into_iter().flat_map(|range| columns.dictionaries_in(range)).collect();
        Ok(FileReader { shared, selection, needed_dictionaries, dictionaries: Arc::default() })
    }

    /// A reader of other columns of the same file. The projection is one of the file's schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub fn project(&self, projection: &Projection) -> Result<FileReader<S>> {
        FileReader::select(Arc::clone(&self.shared), projection)
    }

    /// The schema of the batches: that of the file, or the projected one.
    pub fn schema(&self) -> &Arc<Schema> {
        self.selection.schema()
    }

    /// The schema of the file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.shared.footer.schema()
    }

    /// The footer.
    pub fn footer(&self) -> &Footer {
        &self.shared.footer
    }

    /// The metadata of the whole file, which is in its footer.
    pub fn metadata(&self) -> &Metadata {
        self.shared.footer.metadata()
    }

    /// The number of batches.
    pub fn n_batches(&self) -> usize {
        self.shared.footer.batches().len()
    }

    /// The number of rows in all batches. Reads the metadata of each, no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is malformed.
    pub fn n_rows(&self) -> Result<u64> {
        let n_rows = |batch_idx| self.n_rows_of(batch_idx);
        (0..self.n_batches()).map(n_rows).try_fold(0u64, |sum, n_rows| Ok(sum.saturating_add(n_rows?)))
    }

    /// The number of rows of one batch. Reads its metadata only.
    ///
    /// # Errors
    /// If there is no such batch, or its metadata cannot be read or is malformed.
    pub fn n_rows_of(&self, batch_idx: usize) -> Result<u64> {
        let block = self.block(batch_idx)?;
        let n_rows = || {
            let fetched = self.shared.fetch_metadata(&block)?;
            Ok::<_, IpcError>(self.parse(&fetched)?.lists.n_rows())
        };
        n_rows().in_block(BlockIndex::RecordBatch(batch_idx), block.position())
    }

    /// One batch.
    ///
    /// # Errors
    /// If there is no such batch, or it cannot be read, is malformed, not supported or over a limit.
    pub fn batch(&self, batch_idx: usize) -> Result<RecordBatch> {
        Ok(self.batch_with_metadata(batch_idx)?.batch)
    }

    /// One batch, with the custom metadata of its message.
    ///
    /// # Errors
    /// As [`batch`](FileReader::batch).
    pub fn batch_with_metadata(&self, batch_idx: usize) -> Result<BatchWithMetadata> {
        let block = self.block(batch_idx)?;
        self.read_batch(&block).in_block(BlockIndex::RecordBatch(batch_idx), block.position())
    }

    /// All batches, in the order of the footer; each is read when it is taken.
    pub fn batches(&self) -> Batches<S> {
        Batches::new(self.clone())
    }

    /// Reads and checks all dictionaries of the file, those that no batch and no selected column needs included.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is malformed, not supported, over a limit, or of an id that no field has.
    pub fn check_dictionaries(&self) -> Result<()> {
        if self.shared.footer.dictionaries().is_empty() {
            return Ok(());
        }
        let all: Vec<DictionaryIdx> =
            (0..self.shared.columns.dictionaries.len()).map(DictionaryIdx).collect();
        self.shared.dictionaries.check_blocks(&self.shared)?;
        self.shared.dictionaries.with(&all, &self.shared).map(drop)
    }

    /// What had to be copied.
    pub fn stats(&self) -> ReadStats {
        self.shared.counters.snapshot()
    }

    fn block(&self, batch_idx: usize) -> Result<Block> {
        let batches = self.shared.footer.batches();
        let error = || IpcErrorKind::NoSuchBatch { batch_idx, n_batches: batches.len() };
        Ok(*batches.get(batch_idx).ok_or_else(error)?)
    }

    fn read_batch(&self, block: &Block) -> Result<BatchWithMetadata> {
        let shared = &*self.shared;
        let fetched = if self.selection.is_all() {
            shared.fetch_block(block)?
        } else {
            shared.fetch_metadata(block)?
        };
        let message = self.parse(&fetched)?;
        let decoder = BatchDecoder::try_new(&shared.columns.batch, message.lists, message.version)?;
        let body = match &fetched.body {
            Some(body) => Body::Whole(body.clone()),
            None => shared.fetch_parts(block, decoder.needed_ranges(&self.selection)?)?,
        };
        let context = DecodeContext {
            dictionaries: self.dictionaries()?,
            level: shared.options.validation.level(),
            endianness: shared.footer.schema().endianness(),
            counters: &shared.counters,
            kept: &shared.kept,
        };
        let batch = decoder.record_batch(&self.selection, &body, context)?;
        Ok(BatchWithMetadata { batch, metadata: message.custom_metadata })
    }

    /// Two threads may both read them at first; what one of them read is kept.
    fn dictionaries(&self) -> Result<&DictionaryStore> {
        if let Some(dictionaries) = self.dictionaries.get() {
            return Ok(dictionaries);
        }
        let dictionaries = self.shared.dictionaries.with(&self.needed_dictionaries, &self.shared)?;
        Ok(self.dictionaries.get_or_init(|| dictionaries))
    }

    fn parse<'a>(&'a self, fetched: &'a Fetched) -> Result<BatchMessage<'a>> {
        let message = fetched.head.batch(&self.shared.options.limits)?;
        if message.dictionary.is_some() {
            let (expected, found) = ("a record batch", MessageKind::DictionaryBatch);
            return Err(IpcErrorKind::UnexpectedMessage { expected, found }.into());
        }
        Ok(message)
    }
}

impl<S> Clone for FileReader<S> {
    fn clone(&self) -> FileReader<S> {
        FileReader {
            shared: Arc::clone(&self.shared),
            selection: self.selection.clone(),
            needed_dictionaries: Arc::clone(&self.needed_dictionaries),
            dictionaries: Arc::clone(&self.dictionaries),
        }
    }
}

impl<S: Source> FileShared<S> {
    pub(super) fn fetch(&self, range: Range<u64>) -> Result<Buffer> {
        Ok(self.source.fetch(range)?)
    }

    pub(super) fn fetch_metadata(&self, block: &Block) -> Result<Fetched> {
        let bytes = self.fetch(block.metadata_range())?;
        let head = block.metadata(bytes, &self.options.limits)?;
        Ok(Fetched { head, body: None })
    }

    /// Metadata and body at once.
    pub(super) fn fetch_block(&self, block: &Block) -> Result<Fetched> {
        let bytes = self.fetch(block.range())?;
        let metadata = bytes.try_slice(0, block.n_metadata_bytes())?;
        let head = block.metadata(metadata, &self.options.limits)?;
        let body = bytes.try_slice(block.n_metadata_bytes(), block.n_body_bytes())?;
        Ok(Fetched { head, body: Some(body) })
    }

    /// Fetches ranges of a body, those near to each other at once.
    fn fetch_parts(&self, block: &Block, mut ranges: Vec<BodyRange>) -> Result<Body> {
        ranges.retain(|range| range.n_bytes() > 0);
        ranges.sort_unstable_by_key(BodyRange::start);
        let mut merged: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start() <= last.end.saturating_add(self.options.merge_gap_bytes) => {
                    last.end = last.end.max(range.end());
                }
                _ => merged.push(range.start()..range.end()),
            }
        }
        // No overflow: the ranges lie inside of the body, whose end the block's parser has computed.
        let position = block.body_position();
        let fetch = |range: Range<u64>| {
            let bytes = self.fetch(position + range.start..position + range.end)?;
            Ok(Part { start: range.start, bytes })
        };
        Ok(Body::Parts(merged.into_iter().map(fetch).collect::<Result<_>>()?))
    }
}

impl Footer {
    /// Reads the footer of a file, and nothing else of it but its first bytes. Tools that look at files need no more;
    /// a [`FileReader`] does this itself.
    ///
    /// # Errors
    /// If the source fails, is no Arrow file, or its footer is malformed, not supported or over a limit.
    pub fn read(source: &impl Source, limits: &Limits) -> Result<Footer> {
        let file_bytes = source.n_bytes()?;
        let start = source.fetch(0..file_bytes.min(START_BYTES))?;
        Footer::check_start(&start)?;
        let Some(tail) = file_bytes.checked_sub(TAIL_BYTES).filter(|tail| *tail >= START_BYTES) else {
            let needed = START_BYTES + TAIL_BYTES;
            return Err(IpcErrorKind::Truncated { what: "file", needed, available: file_bytes }.into());
        };
        let tail = source.fetch(tail..file_bytes)?;
        let range = Footer::range(&tail, file_bytes, limits)?;
        let position = range.start;
        let footer = source.fetch(range)?;
        Footer::parse(&footer, position, limits).at_byte(position)
    }
}
