//! Reads a file from a [`Source`]: fetches the ranges that the plans of a [`FileDecoder`] request.

use std::{fs::File, io, ops::Range, path::Path, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::{
    decoder::FileDecoder,
    dictionaries::FileDictionary,
    fetch::{BytesReceiver, FetchContext, fetch, run},
    fetched_batch::FetchedBatch,
    plan::ReadPlan,
    unreferenced::UnreferencedBytes,
};
use crate::{
    batch::{BatchWithMetadata, ReadStats},
    error::{IpcError, IpcErrorKind, Result},
    file::{
        footer::{Footer, START_BYTES},
        stream_index::{StreamEnd, StreamIndex},
        write::FileEncoder,
    },
    options::{Projection, ReadOptions, WriteOptions},
    recycled::BufferPool,
    source::{Source, read_range},
};
use arrow_ipc_format::{Container, IpcSchema};

/// Reads record batches of a file, in any order and from any thread.
///
/// Opening reads the footer. Each batch is read on request, with only the selected columns and their dictionaries. A
/// reader of a [`Buffer`] copies nothing.
///
/// A stream is read like a file: opening reads the prefix and the metadata of each message, and no bodies. Each batch has
/// the dictionaries that a [`StreamReader`](crate::StreamReader) has at the batch, however they grow or are replaced.
/// Read batches of a stream with deltas in order, where you can: each message of a dictionary is then decoded once.
/// Otherwise a batch needs all deltas before it.
/// [`container`](FileReader::container) returns what the input is.
///
/// Clones and [`project`](FileReader::project)ed readers share the source, and the metadata and dictionaries that were
/// read.
///
/// Threads do not wait for each other. If several threads need the same dictionary, each of them reads it, and one result
/// is used. To read each dictionary once, call [`load_dictionaries`](FileReader::load_dictionaries) before you start
/// threads.
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
#[must_use = "opening and projecting return a reader, and read no batches"]
pub struct FileReader<S = File> {
    source: Arc<S>,
    decoder: FileDecoder,
}

impl FileReader<File> {
    /// Opens a file or a stream. All reads are positional, so threads share the file.
    ///
    /// # Errors
    /// If the file cannot be opened, or is not a readable Arrow file or stream.
    pub fn open(path: impl AsRef<Path>) -> Result<FileReader<File>> {
        FileReader::open_with(path, ReadOptions::default())
    }

    /// Like [`open`](FileReader::open), with options.
    ///
    /// # Errors
    /// The errors of [`open`](FileReader::open). If the projection does not fit the schema.
    pub fn open_with(path: impl AsRef<Path>, options: ReadOptions) -> Result<FileReader<File>> {
        let path = path.as_ref();
        let file = File::open(path)
            .map_err(|error| IpcError::from(IpcErrorKind::Open { path: path.to_owned(), error }))?;
        // For a short file, the range at the end is the whole file. For a longer file on a local disk, also reading the
        // magic at the start costs almost nothing.
        let tail_bytes = options.tail_bytes();
        FileReader::begin(file, options, |file, n_bytes| {
            if n_bytes <= tail_bytes {
                Ok(None)
            } else {
                let start = read_range(file, 0..n_bytes.min(START_BYTES), &[], &BufferPool::default(), None);
                Ok(Some(start.map_err(io::Error::from)?))
            }
        })
    }
}

impl FileReader<Buffer> {
    /// Reads a file or a stream in memory, or one that `Buffer::map` (feature `mmap` of `arrow-buffer`) has mapped. Arrays share this
    /// memory.
    ///
    /// # Errors
    /// If the bytes are not a readable Arrow file or stream.
    pub fn try_from_buffer(bytes: Buffer) -> Result<FileReader<Buffer>> {
        FileReader::try_new(bytes)
    }

    /// Like [`try_from_buffer`](FileReader::try_from_buffer), with options.
    ///
    /// # Errors
    /// The errors of [`try_from_buffer`](FileReader::try_from_buffer). If the projection does not fit the schema.
    pub fn try_from_buffer_with(bytes: Buffer, options: ReadOptions) -> Result<FileReader<Buffer>> {
        FileReader::try_new_with(bytes, options)
    }
}

impl<S: Source> FileReader<S> {
    /// Reads a file or a stream from any source. Opening reads the end of the source and, if there is no footer, its start.
    ///
    /// # Errors
    /// If the source fails, or is not a readable Arrow file or stream.
    pub fn try_new(source: S) -> Result<FileReader<S>> {
        FileReader::try_new_with(source, ReadOptions::default())
    }

    /// Like [`try_new`](FileReader::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](FileReader::try_new). If the projection does not fit the schema.
    pub fn try_new_with(source: S, options: ReadOptions) -> Result<FileReader<S>> {
        FileReader::begin(source, options, |_, _| Ok(None))
    }

    /// Opens a stream with its index: reads the prefix and the metadata of the first and the last message, and none between
    /// them. If the stream has no end marker, also finds the messages that were appended after it was indexed.
    ///
    /// Take an index only from where you would take the stream: only the first and the last message are compared now, the
    /// others when they are read.
    ///
    /// # Errors
    /// If the source fails, the index belongs to another stream, or the schema cannot be read.
    pub fn try_new_indexed(source: S, index: &StreamIndex) -> Result<FileReader<S>> {
        FileReader::try_new_indexed_with(source, index, ReadOptions::default())
    }

    /// Like [`try_new_indexed`](FileReader::try_new_indexed), with options.
    ///
    /// # Errors
    /// The errors of [`try_new_indexed`](FileReader::try_new_indexed). If the projection does not fit the schema.
    pub fn try_new_indexed_with(
        source: S,
        index: &StreamIndex,
        options: ReadOptions,
    ) -> Result<FileReader<S>> {
        let fetch_cost = Some(options.fetch_cost.unwrap_or_else(|| source.fetch_cost()));
        let options = ReadOptions { fetch_cost, ..options }.for_one_reader();
        let open = |n_bytes| {
            let mut plan = FileDecoder::plan_open_indexed_with(n_bytes, index, options.clone());
            if let Some(bytes) = source.whole() {
                plan.provide(0..bytes.len() as u64, bytes)?;
            }
            let memory = options.memory_to_recycle();
            run(&source, plan, FetchContext::new(&options, memory.bodies()))
        };
        // At a store, the first answer tells the length, so that is not requested before.
        let indexed_bytes = index.stream_bytes();
        let decoder = match open(indexed_bytes) {
            Ok(decoder) if source.n_bytes()? == indexed_bytes => decoder,
            Ok(_) | Err(_) => at_its_length(&source, open)?,
        };
        Ok(FileReader::new(source, decoder))
    }

    /// Makes the index of a stream: the position and length of each message. With it, the stream can be opened without a
    /// walk: see [`StreamIndex`].
    ///
    /// # Errors
    /// If the input is a file, or the source fails.
    pub fn index(&self) -> Result<StreamIndex> {
        self.run(self.decoder.plan_index())
    }

    /// Reads a file that `decoder` has opened before, such as one of [`reopen_with`](FileDecoder::reopen_with). Reads nothing: neither the
    /// footer of a file nor the messages of a stream. The source must have the same version of the file.
    ///
    /// ```
    /// # use arrow_array::Int64Array;
    /// # use arrow_data::RecordBatch;
    /// use arrow_ipc::{FileReader, ReadOptions, StreamWriter};
    ///
    /// # let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..3).into())])?;
    /// let stream = StreamWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
    /// let known = FileReader::try_from_buffer(stream.clone())?.decoder().without_tail();
    /// // Later, from another connection to the same stream.
    /// let reopened = FileReader::try_from_decoder(stream, known.reopen_with(ReadOptions::new())?)?;
    /// assert_eq!(reopened.n_rows()?, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the source fails, or has another length.
    pub fn try_from_decoder(source: S, decoder: FileDecoder) -> Result<FileReader<S>> {
        let (file_bytes, found) = (decoder.file.n_bytes, source.n_bytes()?);
        if found != file_bytes {
            return Err(IpcErrorKind::ProvidedRange { start: 0, end: file_bytes, found, file_bytes }.into());
        }
        Ok(FileReader::new(source, decoder))
    }

    /// Opens a file at its present length. `start` reads the first bytes, or returns `None` to skip this.
    fn begin(
        source: S,
        options: ReadOptions,
        start: impl Fn(&S, u64) -> Result<Option<Buffer>>,
    ) -> Result<FileReader<S>> {
        let fetch_cost = Some(options.fetch_cost.unwrap_or_else(|| source.fetch_cost()));
        let options = ReadOptions { fetch_cost, ..options }.for_one_reader();
        let decoder = at_its_length(&source, |n_bytes| {
            let mut plan = FileDecoder::plan_open_with(n_bytes, options.clone());
            for bytes in source.whole().into_iter().chain(start(&source, n_bytes)?) {
                plan.provide(0..bytes.len() as u64, bytes)?;
            }
            let memory = options.memory_to_recycle();
            run(&source, plan, FetchContext::new(&options, memory.bodies()))
        })?;
        Ok(FileReader::new(source, decoder))
    }

    pub(crate) fn run<T>(&self, plan: ReadPlan<T>) -> Result<T> {
        run(
            &*self.source,
            plan,
            FetchContext::new(self.decoder.options(), self.decoder.message_decoder.memory().bodies()),
        )
    }

    /// See [`FileDecoder::plan_continue_writing`](crate::FileDecoder::plan_continue_writing).
    pub(crate) fn continue_writing(&self, options: WriteOptions) -> Result<FileEncoder> {
        self.run(self.decoder().plan_continue_writing(options))
    }

    pub(super) fn fetch_for(&self, ranges: &[Range<u64>], taker: &mut impl BytesReceiver) -> Result<()> {
        let pool = self.decoder.message_decoder.memory().bodies();
        fetch(&*self.source, ranges, taker, FetchContext::new(self.decoder.options(), pool))
    }

    pub(super) fn new(source: S, decoder: FileDecoder) -> FileReader<S> {
        FileReader { source: Arc::new(source), decoder }
    }

    pub(super) fn with_decoder(&self, decoder: FileDecoder) -> FileReader<S> {
        FileReader { source: Arc::clone(&self.source), decoder }
    }

    /// Returns a reader for some columns of the same file. `projection` selects from all columns of the file, not only
    /// from the columns of this reader.
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

    /// The footer, with the lists of all blocks.
    ///
    /// A clone of the footer may share memory of the file, and keep it in use.
    pub fn footer(&self) -> &Footer {
        self.decoder.footer()
    }

    /// The custom metadata of the footer, which describes the whole file.
    pub fn footer_metadata(&self) -> &Metadata {
        self.decoder.footer().metadata()
    }

    /// The number of record batches in the footer. In a stream, those before its end, or before a message that is cut or
    /// malformed.
    pub fn n_batches(&self) -> usize {
        self.decoder.n_batches()
    }

    /// What the input is: a file, or a stream that is read like a file.
    pub fn container(&self) -> Container {
        self.decoder.container()
    }

    /// How the messages of a stream end; `None` if the input is a file.
    pub fn stream_end(&self) -> Option<StreamEnd> {
        self.decoder.stream_end()
    }

    /// The number of tensors between the batches of a stream, which are not read. 0 in a file, whose footer does not list
    /// tensors.
    pub fn n_tensors(&self) -> u64 {
        self.decoder.n_tensors()
    }

    /// Returns the error of the message at which a stream ends, if it is cut or malformed: the error that a
    /// [`StreamReader`](crate::StreamReader) returns after the last batch. [`batches`](FileReader::batches) and
    /// [`n_rows`](FileReader::n_rows) return it, too. Of a file and of a complete stream, reads nothing.
    ///
    /// # Errors
    /// If the stream ends with a message that is cut or malformed, or the source fails.
    pub fn check_end(&self) -> Result<()> {
        self.run(self.decoder.plan_check_end())
    }

    /// Finds the messages that a writer has appended to a stream since it was opened, and reads only these. Of a file, reads
    /// the footer again. The result has the options, the columns and the memory of this reader.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let before = FileReader::open("log.arrows")?;
    /// let now = before.refresh()?;
    /// for batch_idx in before.n_batches()..now.n_batches() {
    ///     println!("{:?}", now.batch(batch_idx)?);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If the source fails, or is shorter than the messages that were found.
    pub fn refresh(&self) -> Result<FileReader<S>> {
        let decoder = at_its_length(&*self.source, |n_bytes| {
            let mut plan = self.decoder.plan_refresh(n_bytes)?;
            if let Some(bytes) = self.source.whole() {
                plan.provide(0..bytes.len() as u64, bytes)?;
            }
            self.run(plan)
        })?;
        Ok(self.with_decoder(decoder))
    }

    /// The number of rows in all batches. If the footer has [row counts](crate::RowCounts), this reads nothing, and the
    /// reader compares the row counts with each batch that it reads. Otherwise, this reads the metadata of each batch,
    /// but no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is malformed. The error of [`check_end`](FileReader::check_end).
    pub fn n_rows(&self) -> Result<u64> {
        self.run(self.decoder.plan_n_rows())
    }

    /// The number of rows of one batch. Reads its metadata, or nothing if the footer has [row counts](crate::RowCounts).
    ///
    /// # Errors
    /// If the file has no such batch, or its metadata cannot be read or is malformed.
    pub fn n_rows_of(&self, batch_idx: usize) -> Result<u64> {
        self.run(self.decoder.plan_n_rows_of(batch_idx)?)
    }

    /// The number of rows of each of these batches, like [`n_rows_of`](FileReader::n_rows_of). Reads the metadata of all
    /// these batches at once.
    ///
    /// # Errors
    /// If the file does not have one of the batches, the range ends before it starts, or metadata cannot be read or is malformed.
    pub fn n_rows_of_each(&self, batches: Range<usize>) -> Result<Vec<u64>> {
        self.run(self.decoder.plan_n_rows_of_each(batches)?)
    }

    /// Reads the selected columns of one batch.
    ///
    /// # Errors
    /// If the file has no such batch, or the batch cannot be read, is malformed, unsupported or over a limit.
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
            None => self.run(self.decoder.plan_batch(batch_idx)?),
        }
    }

    /// Fetches one batch, and reads the dictionaries that it needs. Any thread can decode the result.
    ///
    /// # Errors
    /// If the file has no such batch, the source fails, or a dictionary cannot be read. Decoding returns the other errors
    /// of [`batch`](FileReader::batch).
    pub fn fetch(&self, batch_idx: usize) -> Result<FetchedBatch> {
        self.run(self.decoder.plan_fetch(batch_idx)?)
    }

    /// Reads some rows of one batch, counted from its first row. Reads only the bytes that these rows need, where the
    /// layout of a column allows it. See [`FileDecoder::plan_batch_rows`].
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
    /// The errors of [`batch`](FileReader::batch). If the batch does not have all of these rows.
    pub fn batch_rows(&self, batch_idx: usize, rows: Range<u64>) -> Result<RecordBatch> {
        Ok(self.batch_rows_with_metadata(batch_idx, rows)?.batch)
    }

    /// Like [`batch_rows`](FileReader::batch_rows), with the custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`batch_rows`](FileReader::batch_rows).
    pub fn batch_rows_with_metadata(&self, batch_idx: usize, rows: Range<u64>) -> Result<BatchWithMetadata> {
        self.run(self.decoder.plan_batch_rows(batch_idx, rows)?)
    }

    /// Reads the first eight bytes of the file, and checks the magic in them. [`open`](FileReader::open) does this, too.
    /// Other readers check the magic only if they read the first bytes for another reason.
    ///
    /// # Errors
    /// If the bytes cannot be read, or the magic is wrong.
    pub fn check_start(&self) -> Result<()> {
        self.run(self.decoder.plan_check_start())
    }

    /// The bytes before the footer that none of its blocks has, such as a second file, as of `cat a.arrow b.arrow`; `None` if there are
    /// none. Readers return nothing of them. Most files are known to have none without reading anything; see
    /// [`plan_unreferenced_bytes`](FileDecoder::plan_unreferenced_bytes).
    ///
    /// # Errors
    /// If the source fails.
    pub fn unreferenced_bytes(&self) -> Result<Option<UnreferencedBytes>> {
        self.run(self.decoder.plan_unreferenced_bytes())
    }

    /// Reads and checks all dictionaries of the file, including those that no batch or selected column needs.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is malformed, unsupported or over a limit, or has an id that no field has.
    pub fn check_dictionaries(&self) -> Result<()> {
        self.run(self.decoder.plan_check_dictionaries())
    }

    /// Reads the dictionaries that the selected columns need, unless they have been read. Reading a batch does this, too.
    /// Call it before several threads read batches, so that each dictionary is read only once.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is malformed, unsupported or over a limit.
    pub fn load_dictionaries(&self) -> Result<()> {
        self.run(self.decoder.plan_load_dictionaries())
    }

    /// The id, the kind and the custom metadata of each dictionary message, in the order of the footer. Reads no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is malformed.
    pub fn dictionaries(&self) -> Result<Vec<FileDictionary>> {
        self.run(self.decoder.plan_dictionaries())
    }

    /// The custom metadata of the schema message at the start of the file; `None` if there is no schema message. This is
    /// not the metadata of the footer, which [`footer_metadata`](FileReader::footer_metadata) returns.
    ///
    /// # Errors
    /// If the message cannot be read or is malformed.
    pub fn schema_message_metadata(&self) -> Result<Option<Metadata>> {
        self.run(self.decoder.plan_schema_message_metadata())
    }

    /// The source of the file.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The decoder whose plans this reader runs.
    pub fn decoder(&self) -> &FileDecoder {
        &self.decoder
    }

    /// Counts the bytes and buffers that had to be copied, by all clones together.
    pub fn stats(&self) -> ReadStats {
        self.decoder.stats()
    }
}

impl<S> Clone for FileReader<S> {
    fn clone(&self) -> FileReader<S> {
        FileReader { source: Arc::clone(&self.source), decoder: self.decoder.clone() }
    }
}

/// Opens a source at its present length. After an error, tries again if the length has changed, because another program
/// appends to the file.
pub(super) fn at_its_length<S: Source, T>(source: &S, open: impl Fn(u64) -> Result<T>) -> Result<T> {
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
