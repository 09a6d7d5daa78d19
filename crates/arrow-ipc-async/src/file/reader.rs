//! Reads a file from an [`AsyncSource`]. A [`FileDecoder`] does everything except the requests.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::RecordBatch;
use arrow_ipc::{
    BatchWithMetadata, Container, FileDecoder, IpcErrorKind, IpcSchema, Projection, ReadOptions, ReadStats,
    Result,
    file::{FileDictionary, Footer, ReadPlan, StreamEnd, StreamIndex, UnreferencedBytes},
};
use arrow_schema::{Metadata, Schema};

use crate::{
    requests::run,
    source::{AsyncSource, Tail, checked},
};

/// Reads record batches of a file, in any order. Several calls can run at the same time.
///
/// [`try_new`](AsyncFileReader::try_new) reads the footer. Each method that returns a batch reads only the selected columns
/// of this batch, and the dictionaries that they need. Clones and [`project`](AsyncFileReader::project)ed readers share
/// the source, and the metadata and dictionaries that have been read.
///
/// An IPC stream is read like a file: see [`FileReader`](arrow_ipc::FileReader). Opening then reads the prefix and the
/// metadata of each message.
///
/// Dropping a future cancels its requests and does not change the reader, so you can make the same call again.
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::FileWriter;
/// # use arrow_schema::DataType;
/// use arrow_buffer::Buffer;
/// use arrow_ipc::Projection;
/// use arrow_ipc_async::AsyncFileReader;
///
/// # let columns = [("id", ArrayData::new_empty(&DataType::Int64)), ("name", ArrayData::new_empty(&DataType::Utf8))];
/// # let batch = RecordBatch::try_from_columns(columns)?;
/// # let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// # writer.write(&batch)?;
/// # let bytes = writer.finish()?;
/// # let source = Buffer::from(bytes);
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let file = AsyncFileReader::try_new(source).await?;
/// let names = file.project(&Projection::names(["name"]))?;
/// for batch_idx in 0..names.n_batches() {
///     println!("{} rows", names.batch(batch_idx).await?.n_rows());
/// }
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AsyncFileReader<S> {
    source: Arc<S>,
    decoder: FileDecoder,
}

impl<S: AsyncSource + 'static> AsyncFileReader<S> {
    /// Opens a file with the default options. Reads its last bytes, which contain the footer.
    ///
    /// # Errors
    /// If the source fails, or its content is not a readable Arrow file or stream.
    pub async fn try_new(source: S) -> Result<AsyncFileReader<S>> {
        AsyncFileReader::try_new_with(source, ReadOptions::default()).await
    }

    /// Like [`try_new`](AsyncFileReader::try_new), with options. The [`fetch_cost`](ReadOptions::with_fetch_cost) decides
    /// which ranges are requested together, and how many requests run at the same time. Default: the [cost of the
    /// source](AsyncSource::fetch_cost).
    ///
    /// # Errors
    /// The errors of [`try_new`](AsyncFileReader::try_new). If the projection does not fit the schema.
    pub async fn try_new_with(source: S, options: ReadOptions) -> Result<AsyncFileReader<S>> {
        let source = Arc::new(source);
        let cost = options.fetch_cost().unwrap_or_else(|| source.fetch_cost());
        let options = options.with_fetch_cost(cost);
        for _ in 1..FileDecoder::MAX_ATTEMPTS {
            let (file_bytes, opened) = open_end(&source, &options).await?;
            // If the length has changed meanwhile, the footer has moved, and the file is opened again.
            if opened.is_ok() || !source.n_bytes().await.is_ok_and(|n_bytes| n_bytes != file_bytes) {
                return Ok(AsyncFileReader { source, decoder: opened? });
            }
        }
        let decoder = open_end(&source, &options).await?.1?;
        Ok(AsyncFileReader { source, decoder })
    }

    /// Opens a stream with its index, in two requests and without a walk over its messages. See
    /// [`FileReader::try_new_indexed`](arrow_ipc::FileReader::try_new_indexed).
    ///
    /// # Errors
    /// If the source fails, the index belongs to another stream, or the schema cannot be read.
    pub async fn try_new_indexed(source: S, index: &StreamIndex) -> Result<AsyncFileReader<S>> {
        AsyncFileReader::try_new_indexed_with(source, index, ReadOptions::default()).await
    }

    /// Like [`try_new_indexed`](AsyncFileReader::try_new_indexed), with options.
    ///
    /// # Errors
    /// The errors of [`try_new_indexed`](AsyncFileReader::try_new_indexed). If the projection does not fit the schema.
    pub async fn try_new_indexed_with(
        source: S,
        index: &StreamIndex,
        options: ReadOptions,
    ) -> Result<AsyncFileReader<S>> {
        let source = Arc::new(source);
        let cost = options.fetch_cost().unwrap_or_else(|| source.fetch_cost());
        let options = options.with_fetch_cost(cost);
        let plan = |n_bytes| {
            let mut plan = FileDecoder::plan_open_indexed_with(n_bytes, index, options.clone());
            if let Some(bytes) = source.whole() {
                plan.provide(0..bytes.len() as u64, bytes)?;
            }
            Result::Ok(plan)
        };
        // At a store, the first answer tells the length, so that is not requested before.
        let indexed_bytes = index.stream_bytes();
        let decoder = match plan(indexed_bytes) {
            Ok(plan) => run(&source, plan, &options).await,
            Err(error) => Err(error),
        };
        let n_bytes = source.n_bytes().await?;
        let decoder = match decoder {
            Ok(decoder) if n_bytes == indexed_bytes => decoder,
            Ok(_) | Err(_) => run(&source, plan(n_bytes)?, &options).await?,
        };
        Ok(AsyncFileReader { source, decoder })
    }

    /// A reader of a source that is already open: its decoder was [made](FileDecoder::reopen_with) for the same bytes.
    /// Makes no request.
    pub fn from_decoder(source: S, decoder: FileDecoder) -> AsyncFileReader<S> {
        AsyncFileReader { source: Arc::new(source), decoder }
    }

    /// Makes the index of a stream, with which it can be opened without a walk over its messages.
    ///
    /// # Errors
    /// If the input is a file, or the source fails.
    pub async fn index(&self) -> Result<StreamIndex> {
        self.run(self.decoder.plan_index()).await
    }

    /// Returns a reader of other columns of the same file. Positions in `projection` count the columns of the file, not
    /// of this reader.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub fn project(&self, projection: &Projection) -> Result<AsyncFileReader<S>> {
        Ok(AsyncFileReader { source: Arc::clone(&self.source), decoder: self.decoder.project(projection)? })
    }

    /// The schema of the batches, after the projection.
    pub fn schema(&self) -> &Arc<Schema> {
        self.decoder.schema()
    }

    /// The schema of the file with its dictionary ids, without a projection.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.decoder.ipc_schema()
    }

    /// The footer of the file. It lists the batches and dictionaries.
    pub fn footer(&self) -> &Footer {
        self.decoder.footer()
    }

    /// The custom metadata of the footer, which applies to the whole file.
    pub fn footer_metadata(&self) -> &Metadata {
        self.decoder.footer().metadata()
    }

    /// The number of record batches in the file. In a stream, those before its end, or before a message that is cut or
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

    /// Returns the error of the message at which a stream ends, if it is cut or malformed. See
    /// [`FileReader::check_end`](arrow_ipc::FileReader::check_end).
    ///
    /// # Errors
    /// If the stream ends with a message that is cut or malformed, or the source fails.
    pub async fn check_end(&self) -> Result<()> {
        self.run(self.decoder.plan_check_end()).await
    }

    /// The bytes before the footer that none of its blocks has, such as a second file; `None` if there are none. See
    /// [`FileReader::unreferenced_bytes`](arrow_ipc::FileReader::unreferenced_bytes).
    ///
    /// # Errors
    /// If the source fails.
    pub async fn unreferenced_bytes(&self) -> Result<Option<UnreferencedBytes>> {
        self.run(self.decoder.plan_unreferenced_bytes()).await
    }

    /// Finds the messages that a writer has appended to a stream since it was opened, and reads only these. Of a file, reads
    /// the footer again. See [`FileReader::refresh`](arrow_ipc::FileReader::refresh).
    ///
    /// # Errors
    /// If the source fails, or is shorter than the messages that were found.
    pub async fn refresh(&self) -> Result<AsyncFileReader<S>> {
        let n_bytes = self.source.n_bytes().await?;
        let mut plan = self.decoder.plan_refresh(n_bytes)?;
        if let Some(bytes) = self.source.whole() {
            plan.provide(0..bytes.len() as u64, bytes)?;
        }
        let decoder = self.run(plan).await?;
        Ok(AsyncFileReader { source: Arc::clone(&self.source), decoder })
    }

    /// The number of rows in all batches. If the footer has [row counts](arrow_ipc::RowCounts), this reads nothing, and
    /// the reader compares the row counts with each batch that it reads later. Otherwise, this reads the metadata of
    /// each batch, but no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is invalid. The error of [`check_end`](AsyncFileReader::check_end).
    pub async fn n_rows(&self) -> Result<u64> {
        self.run(self.decoder.plan_n_rows()).await
    }

    /// The number of rows of a batch. Reads the metadata of the batch, or nothing if the footer has [row
    /// counts](arrow_ipc::RowCounts).
    ///
    /// # Errors
    /// If `batch_idx` is out of bounds, or the metadata cannot be read or is invalid.
    pub async fn n_rows_of(&self, batch_idx: usize) -> Result<u64> {
        self.run(self.decoder.plan_n_rows_of(batch_idx)?).await
    }

    /// Reads a batch. `batch_idx` is its index in the footer.
    ///
    /// # Errors
    /// If `batch_idx` is out of bounds, or the batch cannot be read, is invalid, unsupported or over a limit.
    pub async fn batch(&self, batch_idx: usize) -> Result<RecordBatch> {
        Ok(self.batch_with_metadata(batch_idx).await?.batch)
    }

    /// Reads a batch and the custom metadata of its message.
    ///
    /// # Errors
    /// The errors of [`batch`](AsyncFileReader::batch).
    pub async fn batch_with_metadata(&self, batch_idx: usize) -> Result<BatchWithMetadata> {
        self.run(self.decoder.plan_batch(batch_idx)?).await
    }

    /// Reads some rows of a batch. `rows` counts from the first row of the batch. Where the layout allows it, only the
    /// bytes of these rows are read: see [`FileDecoder::plan_batch_rows`].
    ///
    /// # Errors
    /// The errors of [`batch`](AsyncFileReader::batch). If `rows` is out of bounds.
    pub async fn batch_rows(&self, batch_idx: usize, rows: Range<u64>) -> Result<RecordBatch> {
        Ok(self.run(self.decoder.plan_batch_rows(batch_idx, rows)?).await?.batch)
    }

    /// Reads and validates all dictionaries of the file, even if no column needs them.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is invalid, unsupported, over a limit, or has an id that no field has.
    pub async fn check_dictionaries(&self) -> Result<()> {
        self.run(self.decoder.plan_check_dictionaries()).await
    }

    /// Reads the dictionaries that the selected columns need, unless they have been read. Reading a batch does this,
    /// too. If you read several batches at the same time, call this first, so each dictionary is read once.
    /// [`batches`](AsyncFileReader::batches) needs no such call.
    ///
    /// # Errors
    /// If a dictionary cannot be read, is invalid, unsupported or over a limit.
    pub async fn load_dictionaries(&self) -> Result<()> {
        self.run(self.decoder.plan_load_dictionaries()).await
    }

    /// The ids, kinds and custom metadata of the dictionary messages, in the order of the footer. Reads no bodies.
    ///
    /// # Errors
    /// If metadata cannot be read or is invalid.
    pub async fn dictionaries(&self) -> Result<Vec<FileDictionary>> {
        self.run(self.decoder.plan_dictionaries()).await
    }

    /// The custom metadata of the schema message at the start of the file; `None` if there is none. The
    /// [`footer_metadata`](AsyncFileReader::footer_metadata) of the footer may differ.
    ///
    /// # Errors
    /// If the message cannot be read or is invalid.
    pub async fn schema_message_metadata(&self) -> Result<Option<Metadata>> {
        self.run(self.decoder.plan_schema_message_metadata()).await
    }

    /// Runs a plan of the [`decoder`](AsyncFileReader::decoder) of this file: requests the ranges that the plan needs,
    /// and returns its result.
    ///
    /// # Errors
    /// If the source or the plan fails.
    pub async fn run<T>(&self, plan: ReadPlan<T>) -> Result<T> {
        run(&self.source, plan, self.decoder.options()).await
    }
}

impl<S> AsyncFileReader<S> {
    /// The decoder of this reader. It makes plans for [`run`](AsyncFileReader::run).
    pub fn decoder(&self) -> &FileDecoder {
        &self.decoder
    }

    /// How many bytes and buffers this reader and its clones have copied so far.
    pub fn stats(&self) -> ReadStats {
        self.decoder.stats()
    }
}

impl<S: AsyncSource> AsyncFileReader<S> {
    pub(super) fn source(&self) -> &Arc<S> {
        &self.source
    }
}

impl<S> Clone for AsyncFileReader<S> {
    fn clone(&self) -> AsyncFileReader<S> {
        AsyncFileReader { source: Arc::clone(&self.source), decoder: self.decoder.clone() }
    }
}

/// Reads the end of the source and opens the file. Also returns the length of the source.
async fn open_end<S: AsyncSource + 'static>(
    source: &Arc<S>,
    options: &ReadOptions,
) -> Result<(u64, Result<FileDecoder>)> {
    let Tail { file_bytes, bytes } = match source.whole() {
        Some(bytes) => Tail { file_bytes: bytes.len() as u64, bytes },
        // The decoder needs bytes from an aligned position on, so a few more bytes are fetched.
        None => fetch_tail(&**source, options.tail_bytes().saturating_add(ALIGNMENT as u64 - 1)).await?,
    };
    let mut plan = FileDecoder::plan_open_with(file_bytes, options.clone());
    plan.provide(file_bytes.saturating_sub(bytes.len() as u64)..file_bytes, bytes)?;
    Ok((file_bytes, run(source, plan, options).await))
}

/// The last `max_bytes` bytes of a file, or the whole file if it is shorter. Checks their number.
async fn fetch_tail(source: &impl AsyncSource, max_bytes: u64) -> Result<Tail> {
    let Tail { file_bytes, bytes } = source.fetch_tail(max_bytes).await?;
    let range = file_bytes.saturating_sub(max_bytes)..file_bytes;
    let Range { start, end } = range;
    let bytes = checked(bytes, &range).map_err(|error| IpcErrorKind::Fetch { start, end, error })?;
    Ok(Tail { file_bytes, bytes: like_the_file(bytes, range.start) })
}

/// Buffers of columns begin at multiples of this number in a file.
const ALIGNMENT: usize = 64;

/// Copies `bytes` if their alignment in memory differs from their alignment in the file, where they begin at `start`.
/// Arrays can then share the memory of the result.
fn like_the_file(bytes: Buffer, start: u64) -> Buffer {
    let n_before = usize::try_from(start % ALIGNMENT as u64).unwrap_or(0);
    if bytes.as_ptr().addr() % ALIGNMENT == n_before {
        return bytes;
    }
    let mut copy = BufferMut::with_capacity(bytes.len().saturating_add(n_before));
    copy.extend_zeros(n_before);
    copy.extend_from_slice(&bytes);
    copy.freeze().slice(n_before..)
}
