//! A file from a [`Source`]: fetches what a [`FileDecoder`] asks for, and nothing else.

use std::{fs::File, io, ops::Range, path::Path, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::{
    batches::Batches,
    decoder::FileDecoder,
    dictionaries::FileDictionary,
    fetching::{Fetching, run},
    footer::{Footer, START_BYTES},
    group::FetchedBatch,
    opening::{FirstBytes, ReadFooter},
    plan::ReadPlan,
};
use crate::{
    error::{IpcError, IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    limits::Limits,
    options::{Projection, ReadOptions},
    recycled::KeptMemory,
    source::{Source, read_range},
    stats::ReadStats,
    stream::BatchWithMetadata,
};

/// Reads record batches of a file, in any order, from any thread.
///
/// Opening reads the footer. Each batch is read when asked for, and of it only the columns that are selected;
/// dictionaries are read when a selected column needs them. Over a [`Buffer`] nothing is copied. Clones and
/// [`project`](FileReader::project)ed readers share the source and what has been read of it.
///
/// Threads do not wait for each other: those that need the same dictionary at the same time each read it, and one result is
/// kept. [`load_dictionaries`](FileReader::load_dictionaries) reads each of them once, before the threads start.
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
    /// Opens a file, which is read by position.
    ///
    /// # Errors
    /// If it cannot be opened, or is no Arrow file that can be read.
    pub fn open(path: impl AsRef<Path>) -> Result<FileReader<File>> {
        FileReader::open_with_options(path, ReadOptions::default())
    }

    /// As [`open`](FileReader::open), with options.
    ///
    /// # Errors
    /// As [`open`](FileReader::open), or if the projection does not fit the schema.
    pub fn open_with_options(path: impl AsRef<Path>, options: ReadOptions) -> Result<FileReader<File>> {
        let path = path.as_ref();
        let file = File::open(path)
            .map_err(|error| IpcError::from(IpcErrorKind::Open { path: path.to_owned(), error }))?;
        // The end that is read of a short file is all of it. On a local disk it costs next to nothing to check the magic at the
        // start of a longer one.
        let tail_bytes = options.tail_bytes();
        FileReader::begin(file, options, |file, n_bytes| match n_bytes <= tail_bytes {
            true => Ok(None),
            false => {
                let start =
                    read_range(file, 0..n_bytes.min(START_BYTES), &[], (&KeptMemory::default(), None));
                Ok(Some(start.map_err(io::Error::from)?))
            }
        })
    }
}

impl FileReader<Buffer> {
    /// Reads a file that is in memory, or mapped to it by `Buffer::map` (feature `mmap` of `arrow-buffer`). Arrays
    /// share this memory.
    ///
    /// # Errors
    /// If it is no Arrow file that can be read.
    pub fn try_from_buffer(bytes: Buffer) -> Result<FileReader<Buffer>> {
        FileReader::try_from_source(bytes, ReadOptions::default())
    }
}

impl<S: Source> FileReader<S> {
    /// Reads a file from any source. To open it, its end is read; [`open`](FileReader::open) reads its first bytes too, where
    /// the magic is.
    ///
    /// # Errors
    /// If the source fails, or holds no Arrow file that can be read, or the projection does not fit the schema.
    pub fn try_from_source(source: S, options: ReadOptions) -> Result<FileReader<S>> {
        FileReader::begin(source, options, |_, _| Ok(None))
    }

    /// Opens a file; of one with so many bytes, the first ones are perhaps there.
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

    /// Fetches what a plan needs until it is done.
    pub(super) fn run<T>(&self, plan: ReadPlan<T>) -> Result<T> {
        run(&*self.source, plan, Fetching::of(self.decoder.options(), self.decoder.session.memory().bodies()))
    }

    /// A reader of what is in a source.
    pub(super) fn new(source: S, decoder: FileDecoder) -> FileReader<S> {
        FileReader { source: Arc::new(source), decoder }
    }

    /// The same with another decoder of the same file.
    pub(super) fn with_decoder(&self, decoder: FileDecoder) -> FileReader<S> {
        FileReader { source: Arc::clone(&self.source), decoder }
    }

    /// A reader of other columns of the same file. The projection is one of the file's schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub fn project(&self, projection: &Projection) -> Result<FileReader<S>> {
        Ok(self.with_decoder(self.decoder.project(projection)?))
    }

    /// The schema of the batches: that of the file, or the projected one.
    pub fn schema(&self) -> &Arc<Schema> {
        self.decoder.schema()
    }

    /// The schema of the file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.decoder.ipc_schema()
    }

    /// The footer.
    ///
    /// A clone of it may refer to bytes of the file, and keeps those in memory.
    pub fn footer(&self) -> &Footer {
        self.decoder.footer()
    }

    /// The metadata of the whole file, which is in its footer.
    pub fn metadata(&self) -> &Metadata {
        self.decoder.footer().metadata()
    }

    /// The number of batches.
    pub fn n_batches(&self) -> usize {
        self.decoder.n_batches()
    }

    /// The number of rows in all batches. Reads nothing if the footer has [row counts](crate::RowCounts), which are compared
    /// with each batch that is read before or later; else the metadata of each batch, no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is malformed.
    pub fn n_rows(&self) -> Result<u64> {
        self.run(self.decoder.n_rows())
    }

    /// The number of rows of one batch. Reads its metadata only, or nothing if the footer has
    /// [row counts](crate::RowCounts).
    ///
    /// # Errors
    /// If there is no such batch, or its metadata cannot be read or is malformed.
    pub fn n_rows_of(&self, batch_idx: usize) -> Result<u64> {
        self.run(self.decoder.n_rows_of(batch_idx)?)
    }

    /// The number of rows of each of these batches, as [`n_rows_of`](FileReader::n_rows_of): the metadata of all of them is read
    /// at once.
    ///
    /// # Errors
    /// If one is not there, or its metadata cannot be read or is malformed.
    pub fn n_rows_of_each(&self, batches: Range<usize>) -> Result<Vec<u64>> {
        self.run(self.decoder.n_rows_of_each(batches)?)
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
        match self.decoder.batch_in_memory(batch_idx)? {
            Some(batch) => Ok(batch),
            None => self.run(self.decoder.batch(batch_idx)?),
        }
    }

    /// The bytes of one batch, and the dictionaries that it needs: it waits to be decoded, here or by another thread.
    ///
    /// # Errors
    /// If there is no such batch, or the source fails, or a dictionary cannot be read. Other errors are those of the batch.
    pub fn fetch(&self, batch_idx: usize) -> Result<FetchedBatch> {
        let fetched = self.run(self.decoder.fetch_batches(batch_idx..batch_idx.saturating_add(1), 0)?)?;
        let fetched = fetched.into_iter().next();
        fetched.ok_or_else(|| IpcError::internal("a batch is there that was not fetched"))
    }

    /// Rows of one batch, counted from its first; of the file only the bytes that they need are read, as far as the layout
    /// lets it be known. See [`FileDecoder::batch_rows`].
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
    /// As [`batch`](FileReader::batch), or if the batch has no such rows.
    pub fn batch_rows(&self, batch_idx: usize, rows: Range<u64>) -> Result<RecordBatch> {
        Ok(self.batch_rows_with_metadata(batch_idx, rows)?.batch)
    }

    /// As [`batch_rows`](FileReader::batch_rows), with the custom metadata of the batch's message.
    ///
    /// # Errors
    /// As [`batch_rows`](FileReader::batch_rows).
    pub fn batch_rows_with_metadata(&self, batch_idx: usize, rows: Range<u64>) -> Result<BatchWithMetadata> {
        self.run(self.decoder.batch_rows(batch_idx, rows)?)
    }

    /// All batches, in the order of the footer. Each is decoded when it is taken. As many are fetched together as the options
    /// [say](ReadOptions::with_read_ahead_bytes): small ones by default; they share memory, which is given back when all of them
    /// are dropped.
    pub fn batches(&self) -> Batches<S> {
        Batches::new(self.clone())
    }

    /// Reads the first eight bytes of the file, and checks the magic in them. [`open`](FileReader::open) has done so; a reader of
    /// another source checks it only if it happens to read these bytes.
    ///
    /// # Errors
    /// If they cannot be read, or the magic is wrong.
    pub fn check_start(&self) -> Result<()> {
        self.run(self.decoder.check_start())
    }

    /// Reads and checks all dictionaries of the file, those that no batch and no selected column needs included.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is malformed, not supported, over a limit, or of an id that no field has.
    pub fn check_dictionaries(&self) -> Result<()> {
        self.run(self.decoder.check_dictionaries())
    }

    /// Reads the dictionaries that the selected columns need, unless they have been read. Batches do so when they are read;
    /// call this before several threads read them, so that each dictionary is read once.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is malformed, not supported or over a limit.
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

    /// The custom metadata of the schema message, with which the stream inside of the file begins; `None` if there is no
    /// schema message. The [`metadata`](FileReader::metadata) of the footer is another.
    ///
    /// # Errors
    /// If the message cannot be read or is malformed.
    pub fn schema_message_metadata(&self) -> Result<Option<Metadata>> {
        self.run(self.decoder.schema_message_metadata())
    }

    /// The decoder that it drives.
    pub fn decoder(&self) -> &FileDecoder {
        &self.decoder
    }

    /// What had to be copied.
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
    /// Reads the footer of a file, and nothing else of it but its first bytes. Tools that look at files need no more;
    /// a [`FileReader`] does this itself.
    ///
    /// # Errors
    /// If the source fails, is no Arrow file, or its footer is malformed, not supported or over a limit.
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

/// Opens what ends at the length of a source. If that fails, and the length has changed meanwhile, it is tried again:
/// somebody appends to the file.
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
