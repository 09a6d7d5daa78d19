//! Reads a file from a [`Source`]: fetches the ranges that a [`FileDecoder`] asks for, and does nothing else.

use std::{fs::File, io, ops::Range, path::Path, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::{
    decoder::FileDecoder,
    dictionaries::FileDictionary,
    fetching::{Fetching, TakesBytes, fetch, run},
    opened::FetchedBatch,
    opening::{FirstBytes, ReadFooter},
    plan::ReadPlan,
};
use crate::{
    batch::{BatchWithMetadata, ReadStats},
    error::{IpcError, IpcErrorKind, Result},
    file::footer::{Footer, START_BYTES},
    limits::Limits,
    options::{Projection, ReadOptions},
    recycled::KeptMemory,
    schema::IpcSchema,
    source::{Source, read_range},
};

/// Reads record batches of a file, in any order, from any thread.
///
/// Opening reads the footer. A batch is read when you ask for it, and only its selected columns are read. Dictionaries
/// are read when a selected column needs them. A reader over a [`Buffer`] copies nothing. Clones and
/// [`project`](FileReader::project)ed readers share the source, and the metadata and dictionaries that were read.
///
/// Threads do not wait for each other. If several threads need the same dictionary, each of them reads it, and one
/// result is kept. To read each dictionary once, call [`load_dictionaries`](FileReader::load_dictionaries) before you
/// start threads.
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
    source: Arc<S>,
    decoder: FileDecoder,
}

impl FileReader<File> {
    /// Opens a file and reads it by position.
    ///
    /// # Errors
    /// If the file cannot be opened, or is not a readable Arrow file.
    pub fn open(path: impl AsRef<Path>) -> Result<FileReader<File>> {
        FileReader::open_with_options(path, ReadOptions::default())
    }

    /// Like [`open`](FileReader::open), with options.
    ///
    /// # Errors
    /// The errors of [`open`](FileReader::open); it is also an error if the projection does not fit the schema.
    pub fn open_with_options(path: impl AsRef<Path>, options: ReadOptions) -> Result<FileReader<File>> {
        let path = path.as_ref();
        let file = File::open(path)
            .map_err(|error| IpcError::from(IpcErrorKind::Open { path: path.to_owned(), error }))?;
        // The range at the end covers a short file as a whole. On a local disk, checking the magic at the start of a longer file costs
        // almost nothing.
        let tail_bytes = options.tail_bytes();
        FileReader::begin(file, options, |file, n_bytes| match n_bytes <= tail_bytes {
            true => Ok(None),
            false => {
                let start = read_range(file, 0..n_bytes.min(START_BYTES), &[], &KeptMemory::default(), None);
                Ok(Some(start.map_err(io::Error::from)?))
            }
        })
    }
}

impl FileReader<Buffer> {
    /// Reads a file that is in memory, or that was mapped by `Buffer::map` (feature `mmap` of `arrow-buffer`). Arrays
    /// share this memory.
    ///
    /// # Errors
    /// If the bytes are not a readable Arrow file.
    pub fn try_from_buffer(bytes: Buffer) -> Result<FileReader<Buffer>> {
        FileReader::try_from_source(bytes, ReadOptions::default())
    }
}

impl<S: Source> FileReader<S> {
    /// Reads a file from any source. Opening reads the end of the source. [`open`](FileReader::open) also reads the magic
    /// at the start.
    ///
    /// # Errors
    /// If the source fails, if it is not a readable Arrow file, or if the projection does not fit the schema.
    pub fn try_from_source(source: S, options: ReadOptions) -> Result<FileReader<S>> {
        FileReader::begin(source, options, |_, _| Ok(None))
    }

    /// Opens a file of this length. `start` reads the first bytes, or returns `None`.
    fn begin(
        source: S,
        options: ReadOptions,
        start: impl Fn(&S, u64) -> Result<Option<Buffer>>,
    ) -> Result<FileReader<S>> {
        let fetch_cost = Some(options.fetch_cost.unwrap_or_else(|| source.fetch_cost()));
        let options = ReadOptions { fetch_cost, ..options };
        let decoder = at_its_length(&source, |n_bytes| {
            let mut plan = FileDecoder::open(n_bytes, options.clone());
            for bytes in source.whole().into_iter().chain(start(&source, n_bytes)?) {
                plan.provide(0..bytes.len() as u64, bytes)?;
            }
            let memory = options.memory_to_recycle();
            run(&source, plan, Fetching::of(&options, memory.bodies()))
        })?;
        Ok(FileReader::new(source, decoder))
    }

    /// Fetches the ranges that a plan needs, until the plan is done.
    pub(crate) fn run<T>(&self, plan: ReadPlan<T>) -> Result<T> {
        run(&*self.source, plan, Fetching::of(self.decoder.options(), self.decoder.session.memory().bodies()))
    }

    pub(super) fn fetch_for(&self, ranges: &[Range<u64>], taker: &mut impl TakesBytes) -> Result<()> {
        let kept = self.decoder.session.memory().bodies();
        fetch(&*self.source, ranges, taker, Fetching::of(self.decoder.options(), kept))
    }

    pub(super) fn new(source: S, decoder: FileDecoder) -> FileReader<S> {
        FileReader { source: Arc::new(source), decoder }
    }

    /// A reader with another decoder of the same file.
    pub(super) fn with_decoder(&self, decoder: FileDecoder) -> FileReader<S> {
        FileReader { source: Arc::clone(&self.source), decoder }
    }

    /// A reader of the selected columns of the same file. The projection selects from the schema of the file.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub fn project(&self, projection: &Projection) -> Result<FileReader<S>> {
        Ok(self.with_decoder(self.decoder.project(projection)?))
    }

    /// The schema of the batches: the projected schema, or the schema of the file.
    pub fn schema(&self) -> &Arc<Schema> {
        self.decoder.schema()
    }

    /// The schema of the file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.decoder.ipc_schema()
    }

    /// The footer, with the list of all blocks.
    ///
    /// A clone of the footer may refer to bytes of the file, and keep them in memory.
    pub fn footer(&self) -> &Footer {
        self.decoder.footer()
    }

    /// The custom metadata of the footer, which describes the whole file.
    pub fn metadata(&self) -> &Metadata {
        self.decoder.footer().metadata()
    }

    /// The number of batches.
    pub fn n_batches(&self) -> usize {
        self.decoder.n_batches()
    }

    /// The number of rows in all batches. Reads nothing if the footer has [row counts](crate::RowCounts), which are
    /// compared with each batch that is read. Otherwise this function reads the metadata of each batch, but no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is malformed.
    pub fn n_rows(&self) -> Result<u64> {
        self.run(self.decoder.n_rows())
    }

    /// The number of rows of one batch. Reads only its metadata, or nothing if the footer has
    /// [row counts](crate::RowCounts).
    ///
    /// # Errors
    /// If there is no such batch, or its metadata cannot be read or is malformed.
    pub fn n_rows_of(&self, batch_idx: usize) -> Result<u64> {
        self.run(self.decoder.n_rows_of(batch_idx)?)
    }

    /// The number of rows of each of these batches, like [`n_rows_of`](FileReader::n_rows_of). The metadata of all
    /// these batches is read at once.
    ///
    /// # Errors
    /// If a batch does not exist, or its metadata cannot be read or is malformed.
    pub fn n_rows_of_each(&self, batches: Range<usize>) -> Result<Vec<u64>> {
        self.run(self.decoder.n_rows_of_each(batches)?)
    }

    /// Reads the selected columns of one batch.
    ///
    /// # Errors
    /// If there is no such batch, or it cannot be read, is malformed, unsupported or over a limit.
    pub fn batch(&self, batch_idx: usize) -> Result<RecordBatch> {
        Ok(self.batch_with_metadata(batch_idx)?.batch)
    }

    /// Like [`batch`](FileReader::batch), with the custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`batch`](FileReader::batch).
    pub fn batch_with_metadata(&self, batch_idx: usize) -> Result<BatchWithMetadata> {
        match self.decoder.batch_in_memory(batch_idx)? {
            Some(batch) => Ok(batch),
            None => self.run(self.decoder.batch(batch_idx)?),
        }
    }

    /// Fetches one batch, and the dictionaries that it needs. Any thread can decode the result.
    ///
    /// # Errors
    /// If there is no such batch, or the source fails, or a dictionary cannot be read. Decoding returns the other
    /// errors of [`batch`](FileReader::batch).
    pub fn fetch(&self, batch_idx: usize) -> Result<FetchedBatch> {
        self.run(self.decoder.fetch(batch_idx)?)
    }

    /// Some rows of one batch, counted from its first row. Only the bytes that these rows need are read, as far as the layout of the
    /// columns allows it. See [`FileDecoder::batch_rows`].
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// let first = file.batch_rows(0, 0..1)?;
    /// assert_eq!(first.n_rows(), 1);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`batch`](FileReader::batch); it is also an error if the batch does not have these rows.
    pub fn batch_rows(&self, batch_idx: usize, rows: Range<u64>) -> Result<RecordBatch> {
        Ok(self.batch_rows_with_metadata(batch_idx, rows)?.batch)
    }

    /// Like [`batch_rows`](FileReader::batch_rows), with the custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`batch_rows`](FileReader::batch_rows).
    pub fn batch_rows_with_metadata(&self, batch_idx: usize, rows: Range<u64>) -> Result<BatchWithMetadata> {
        self.run(self.decoder.batch_rows(batch_idx, rows)?)
    }

    /// Reads the first eight bytes of the file, and checks the magic in them. [`open`](FileReader::open) does this. A
    /// reader of another source checks the magic only if it reads the first bytes for another reason.
    ///
    /// # Errors
    /// If the bytes cannot be read, or the magic is wrong.
    pub fn check_start(&self) -> Result<()> {
        self.run(self.decoder.check_start())
    }

    /// Reads and checks all dictionaries of the file, also those that no batch or selected column needs.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is malformed, unsupported, over a limit, or has an id that no field has.
    pub fn check_dictionaries(&self) -> Result<()> {
        self.run(self.decoder.check_dictionaries())
    }

    /// Reads the dictionaries that the selected columns need, unless they have been read. Reading a batch also reads its
    /// dictionaries. Call this before several threads read batches, so that each dictionary is read once.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is malformed, unsupported or over a limit.
    pub fn load_dictionaries(&self) -> Result<()> {
        self.run(self.decoder.load_dictionaries())
    }

    /// Id, kind and custom metadata of the dictionary messages, in the order of the footer. Reads no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is malformed.
    pub fn dictionaries(&self) -> Result<Vec<FileDictionary>> {
        self.run(self.decoder.dictionaries())
    }

    /// The custom metadata of the schema message at the start of the file; `None` if there is no schema message. It
    /// is not the metadata of the footer, which [`metadata`](FileReader::metadata) returns.
    ///
    /// # Errors
    /// If the message cannot be read or is malformed.
    pub fn schema_message_metadata(&self) -> Result<Option<Metadata>> {
        self.run(self.decoder.schema_message_metadata())
    }

    /// The source of the file.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The decoder of this file.
    pub fn decoder(&self) -> &FileDecoder {
        &self.decoder
    }

    /// Counts of the bytes and buffers that had to be copied.
    pub fn stats(&self) -> ReadStats {
        self.decoder.stats()
    }
}

impl<S> Clone for FileReader<S> {
    fn clone(&self) -> FileReader<S> {
        FileReader { source: Arc::clone(&self.source), decoder: self.decoder.clone() }
    }
}

impl Footer {
    /// Reads the footer of a file, and checks the magic at the start. Use this in tools that only inspect the footer. A
    /// [`FileReader`] already has its [`footer`](FileReader::footer).
    ///
    /// # Errors
    /// If the source fails, is not an Arrow file, or its footer is malformed, unsupported or over a limit.
    pub fn read(source: &impl Source, limits: &Limits) -> Result<Footer> {
        let footer = at_its_length(source, |file_bytes| {
            let limits = limits.clone();
            let work = ReadFooter { file_bytes, limits, tail_bytes: 0, start: FirstBytes::Required };
            run(
                source,
                ReadPlan::of_length(file_bytes, work),
                Fetching { cost: source.fetch_cost(), budget: None, kept: &KeptMemory::default() },
            )
        });
        footer.map(Footer::into_copied)
    }
}

/// Opens a source of its current length. If that fails and the length has changed, another program appends to the file,
/// so the function tries again.
fn at_its_length<S: Source, T>(source: &S, open: impl Fn(u64) -> Result<T>) -> Result<T> {
    let mut n_bytes = source.n_bytes()?;
    for _ in 1..FileDecoder::MAX_ATTEMPTS {
        let opened = open(n_bytes);
        let before = n_bytes;
        if opened.is_err() {
            n_bytes = source.n_bytes()?;
        }
        if n_bytes == before {
            return opened;
        }
    }
    open(n_bytes)
}
