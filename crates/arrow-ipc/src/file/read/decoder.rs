//! The decoder of a file, and the state that its plans share.

use std::sync::{Arc, OnceLock};

use arrow_schema::Schema;

use super::{
    dictionaries,
    metadata::MetadataCache,
    plan::{Pass, PlanInput, ReadPlan, Work},
    provided_ranges::ProvidedRanges,
    state::{FileOrigin, FileState, RowEnds},
    stream_dictionaries::{DictionaryState, StreamDictionaries},
    walk::WalkedStream,
};
use crate::{
    batch::ReadStats,
    error::{BlockIndex, Context, IpcErrorKind, Result},
    file::{
        footer::{Block, Footer},
        stream_index::StreamEnd,
    },
    message_decoder::MessageDecoder,
    options::{Projection, ReadOptions},
    source::LocatedBytes,
};
use arrow_ipc_format::{Container, IpcSchema, Limits};

/// Decodes a file without I/O: the caller provides the byte ranges that the decoder needs.
///
/// [`plan_open`](FileDecoder::plan_open) and all methods that read return a [`ReadPlan`]. A plan requests ranges, and then returns
/// its result. Any number of plans may run side by side. All plans share the end of the file, the metadata of blocks, and
/// the dictionaries that have been read. [`FileReader`](crate::FileReader) is a loop around this type. You can write such
/// a loop for any source of ranges.
///
/// Fetch the ranges that [`NeededRanges::merged_for`](crate::file::NeededRanges::merged_for) returns for the cost of your
/// requests. To save round trips, it joins ranges that are near each other, and adds ranges that the plan will probably
/// need next.
///
/// Plans do not wait for each other. If two plans need the same dictionary, both read it, and one result is dropped. To
/// read each dictionary once, run [`plan_load_dictionaries`](FileDecoder::plan_load_dictionaries) first.
///
/// Clones and [`project`](FileDecoder::project)ed decoders share the same state.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FetchCost, FileDecoder, file::{PlanStep, ReadPlan}};
///
/// /// Here the file is in memory.
/// fn run<T>(file: &Buffer, mut plan: ReadPlan<T>) -> arrow_ipc::Result<T> {
///     loop {
///         match plan.step()? {
///             PlanStep::Ready(ready) => return Ok(ready),
///             PlanStep::Need(ranges) => {
///                 for range in ranges.merged_for(&FetchCost::MEMORY) {
///                     let bytes = file.slice(range.start as usize..range.end as usize);
///                     plan.provide(range, bytes)?;
///                 }
///             }
///         }
///     }
/// }
///
/// fn count_rows(file: &Buffer) -> arrow_ipc::Result<usize> {
///     let decoder = run(file, FileDecoder::plan_open(file.len() as u64))?;
///     let mut n_rows = 0;
///     for batch_idx in 0..decoder.n_batches() {
///         n_rows += run(file, decoder.plan_batch(batch_idx)?)?.batch.n_rows();
///     }
///     Ok(n_rows)
/// }
/// # assert!(count_rows(&Buffer::from_static(b"a file of another kind")).is_err());
/// ```
#[derive(Debug, Clone)]
#[must_use = "opening and projecting return a decoder, and read no batches"]
pub struct FileDecoder {
    pub(crate) file: Arc<FileState>,
    pub(crate) message_decoder: MessageDecoder,
    /// The dictionaries of a stream; `None` if the input is a file.
    pub(super) dictionaries: Option<Arc<StreamDictionaries>>,
    /// What [`project`](FileDecoder::project) has selected; `None` for the projection in the options.
    pub(super) projection: Option<Arc<Projection>>,
}

impl FileDecoder {
    /// The decoder of a stream whose messages were found.
    pub(super) fn from_stream(walked: WalkedStream, input_bytes: u64, bytes: &ProvidedRanges) -> FileDecoder {
        let WalkedStream { decoder, footer, messages } = walked;
        let is_whole = |part: &&LocatedBytes| part.bytes.len() as u64 == input_bytes;
        let base = bytes.whole().filter(is_whole).cloned();
        let max_cached_bytes = decoder.options().metadata_cache_bytes();
        let metadata_cache = match &base {
            Some(_) => MetadataCache::for_dictionaries(&footer, max_cached_bytes),
            None => MetadataCache::new(&footer, max_cached_bytes),
        };
        let dictionaries = StreamDictionaries::new(&footer, &messages.dictionaries);
        let limits = decoder.options().limits().clone();
        let file = FileState {
            footer,
            n_bytes: input_bytes,
            tail: base,
            whole: OnceLock::new(),
            metadata_cache: Arc::new(metadata_cache),
            limits,
            dictionary_blocks: OnceLock::new(),
            row_ends: RowEnds::default(),
            origin: FileOrigin::Stream(messages),
        };
        FileDecoder {
            file: Arc::new(file),
            message_decoder: decoder,
            dictionaries: Some(Arc::new(dictionaries)),
            projection: None,
        }
    }

    /// Returns a decoder for some columns of the same file. `projection` selects from all columns of the file, not only
    /// from the columns of this decoder.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub fn project(&self, projection: &Projection) -> Result<FileDecoder> {
        let message_decoder = self.message_decoder.projected(projection)?;
        let projection = Some(Arc::new(projection.clone()));
        Ok(FileDecoder { projection, ..self.with_message_decoder(message_decoder) })
    }

    /// A decoder of the same input with other options, which is opened without a request. It shares the footer and the
    /// bytes that opening has read, but nothing that was read later, such as dictionaries. A program that keeps a decoder
    /// to open the input again thus keeps little memory.
    ///
    /// The decoder has the batches that opening has found. If a stream ended there at a message that was over a limit, and
    /// the new limits allow the message, then reading to the end fails with
    /// [`StreamContinues`](IpcErrorKind::StreamContinues). [`plan_refresh`](FileDecoder::plan_refresh) finds the messages
    /// from there on.
    ///
    /// # Errors
    /// If the projection in the options does not fit the schema, or the schema is over their limits.
    ///
    /// ```
    /// # use arrow_array::Int64Array;
    /// # use arrow_data::RecordBatch;
    /// use arrow_ipc::{FileReader, FileWriter, Projection, ReadOptions};
    ///
    /// # let columns = [("id", Int64Array::from_iter(0..3).into()), ("size", Int64Array::from_iter(4..7).into())];
    /// # let batch = RecordBatch::try_from_columns(columns)?;
    /// let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
    /// let decoder = FileReader::try_from_buffer(file)?.decoder().clone();
    /// let sizes = decoder.reopen_with(ReadOptions::new().with_projection(Projection::names(["size"])))?;
    /// assert_eq!((sizes.n_batches(), sizes.schema().to_string().as_str()), (1, "size: int64"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reopen_with(&self, options: ReadOptions) -> Result<FileDecoder> {
        let footer = &self.file.footer;
        let message_decoder = MessageDecoder::try_new_with(footer.ipc_schema().clone(), options)?;
        message_decoder.check_metadata(footer.metadata())?;
        Ok(self.reopened(footer.clone(), self.file.base().cloned(), message_decoder))
    }

    /// Like [`reopen_with`](FileDecoder::reopen_with), but the decoders share the metadata of messages, up to the
    /// [limit](ReadOptions::with_metadata_cache_bytes) of this one: what one of them has read is not requested again.
    ///
    /// # Errors
    /// The errors of [`reopen_with`](FileDecoder::reopen_with).
    pub fn reopen_cached_with(&self, options: ReadOptions) -> Result<FileDecoder> {
        let mut reopened = self.reopen_with(options)?;
        // Nothing else has the new file yet.
        if let Some(file) = Arc::get_mut(&mut reopened.file) {
            file.metadata_cache = Arc::clone(&self.file.metadata_cache);
        }
        Ok(reopened)
    }

    /// A decoder of the same input without the bytes at its end, which opening has read, and without what was read later. It
    /// keeps what the footer says, so a program can keep many decoders to open their inputs again. Plans request the bytes
    /// that they need, also those at the end.
    ///
    /// ```
    /// # use arrow_array::Int64Array;
    /// # use arrow_data::RecordBatch;
    /// use arrow_ipc::{FileReader, FileWriter, file::PlanStep};
    ///
    /// # let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..3).into())])?;
    /// let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
    /// let decoder = FileReader::try_from_buffer(file)?.decoder().without_tail();
    /// assert_eq!(decoder.n_batches(), 1);
    /// assert!(matches!(decoder.plan_batch(0)?.step()?, PlanStep::Need(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_tail(&self) -> FileDecoder {
        if let FileOrigin::Body(_) = self.file.origin {
            // The metadata of its only batch was read with the message, and is not read again.
            return self.clone();
        }
        let footer = self.file.footer.clone().into_copied();
        let reopened = self.reopened(footer, None, self.message_decoder.without_dictionaries());
        FileDecoder { projection: self.projection.clone(), ..reopened }
    }

    /// A decoder that shares nothing that was read after opening.
    fn reopened(
        &self,
        footer: Footer,
        base: Option<LocatedBytes>,
        message_decoder: MessageDecoder,
    ) -> FileDecoder {
        let FileState { n_bytes, origin, .. } = &*self.file;
        let options = message_decoder.options();
        let max_cached_bytes = options.metadata_cache_bytes();
        let is_in_memory = base.as_ref().is_some_and(|base| base.bytes.len() as u64 == *n_bytes);
        let metadata_cache = if is_in_memory {
            MetadataCache::for_dictionaries(&footer, max_cached_bytes)
        } else {
            MetadataCache::new(&footer, max_cached_bytes)
        };
        let dictionaries = match origin {
            FileOrigin::Stream(messages) => {
                Some(Arc::new(StreamDictionaries::new(&footer, &messages.dictionaries)))
            }
            FileOrigin::File | FileOrigin::Body(_) => None,
        };
        let file = FileState {
            footer,
            n_bytes: *n_bytes,
            tail: base,
            whole: OnceLock::new(),
            metadata_cache: Arc::new(metadata_cache),
            limits: options.limits().clone(),
            dictionary_blocks: OnceLock::new(),
            row_ends: RowEnds::default(),
            origin: origin.clone(),
        };
        FileDecoder { file: Arc::new(file), message_decoder, dictionaries, projection: None }
    }

    /// The schema of the batches: the projected schema, or the schema of the file.
    pub fn schema(&self) -> &Arc<Schema> {
        self.message_decoder.schema()
    }

    /// The schema of the file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.message_decoder.ipc_schema()
    }

    /// The footer, with the lists of all blocks.
    pub fn footer(&self) -> &Footer {
        &self.file.footer
    }

    /// The number of record batches in the footer.
    pub fn n_batches(&self) -> usize {
        self.file.footer.n_batches()
    }

    /// The options that were passed to [`plan_open`](FileDecoder::plan_open).
    pub fn options(&self) -> &ReadOptions {
        self.message_decoder.options()
    }

    /// Counts the bytes and buffers that all plans of this file have copied.
    pub fn stats(&self) -> ReadStats {
        self.message_decoder.stats()
    }

    /// What the input is: a file, or a stream that is read like a file.
    pub fn container(&self) -> Container {
        match self.file.origin {
            FileOrigin::File => Container::File,
            FileOrigin::Stream(_) | FileOrigin::Body(_) => Container::Stream,
        }
    }

    /// How the messages of a stream end; `None` if the input is a file.
    pub fn stream_end(&self) -> Option<StreamEnd> {
        self.file.stream().map(|messages| messages.end)
    }

    /// The number of bytes after the end marker of a stream, which do not belong to it: perhaps another stream. 0 if the stream has
    /// no end marker, and for a file.
    pub fn n_bytes_after_end(&self) -> u64 {
        let ended = self.file.stream().filter(|messages| messages.end == StreamEnd::Marker);
        ended.map_or(0, |messages| self.file.n_bytes.saturating_sub(messages.next.0))
    }

    /// The number of tensors between the batches of a stream, which are not read. 0 in a file, whose footer does not list
    /// tensors.
    pub fn n_tensors(&self) -> u64 {
        self.file.stream().map_or(0, |messages| messages.tensors.len() as u64)
    }

    /// The state of the dictionaries at a batch. All batches of a file have the same dictionaries.
    pub(super) fn dictionary_state(&self, block: &Block) -> Option<DictionaryState> {
        let dictionaries = self.dictionaries.as_ref()?;
        Some(dictionaries.state_at(&self.file, &self.message_decoder, block.position()))
    }

    /// Loads the dictionaries that the selected columns need: in a file all, in a stream those of a state, which this decoder
    /// then has. Returns whether all of them are loaded.
    ///
    /// # Errors
    /// If a dictionary is malformed, unsupported or over a limit.
    pub(super) fn load_dictionaries(
        &mut self,
        state: Option<DictionaryState>,
        bytes: &mut ProvidedRanges,
    ) -> Result<bool> {
        let FileDecoder { file, message_decoder, dictionaries, .. } = self;
        let Some((stream, state)) = dictionaries.as_ref().zip(state) else {
            return dictionaries::load(file, message_decoder, bytes);
        };
        if dictionaries::are_loaded(file, message_decoder) {
            return Ok(true);
        }
        let Some(loaded) = stream.load(file, message_decoder, state, bytes)? else {
            return Ok(false);
        };
        *message_decoder = loaded;
        Ok(true)
    }

    /// Uses the dictionaries that were loaded before the stream grew.
    pub(super) fn with_loaded_dictionaries_of(mut self, before: Option<&StreamDictionaries>) -> FileDecoder {
        let stream = self.dictionaries.as_mut().and_then(Arc::get_mut);
        if let Some((stream, before)) = stream.zip(before) {
            stream.share_cache_of(before);
        }
        self
    }

    pub(super) fn is_in_memory(&self) -> bool {
        self.file.is_in_memory()
    }

    /// A decoder that needs all dictionaries of the schema.
    pub(crate) fn with_all_dictionaries(&self) -> FileDecoder {
        self.with_message_decoder(self.message_decoder.with_all_dictionaries())
    }

    /// A decoder of the same file with another decoder of messages, for example with other columns.
    pub(super) fn with_message_decoder(&self, message_decoder: MessageDecoder) -> FileDecoder {
        FileDecoder { message_decoder, ..self.clone() }
    }

    pub(super) fn plan<T, W: Work<T>>(&self, work: impl FnOnce(Arc<PlanInput>) -> W) -> ReadPlan<T> {
        ReadPlan::new(self.provided(), self.file.message_location(), work)
    }

    /// A plan that is one pass.
    pub(crate) fn plan_pass<T>(&self, pass: impl Pass<T> + Send + 'static) -> ReadPlan<T> {
        self.plan(|input| async move { input.pass(pass).await })
    }

    /// The bytes of a new plan, which begins with the shared bytes of all plans.
    pub(super) fn provided(&self) -> ProvidedRanges {
        let FileDecoder { file, message_decoder, .. } = self;
        let provided =
            ProvidedRanges::new(file.n_bytes, file.base().cloned(), Arc::clone(message_decoder.counters()))
                .with_options(message_decoder.options())
                .with_whole(file, message_decoder.options().whole_file_bytes());
        match file.origin {
            FileOrigin::File => provided.with_unchecked_start(),
            FileOrigin::Stream(_) | FileOrigin::Body(_) => provided,
        }
    }

    pub(super) fn block(&self, batch_idx: usize) -> Result<Block> {
        let footer = &self.file.footer;
        let error = || IpcErrorKind::NoSuchBatch { batch_idx, n_batches: footer.n_batches() };
        Ok(footer.batch(batch_idx).ok_or_else(error)?)
    }

    /// The number of rows of a batch, from its metadata if this was read, otherwise from the footer. If neither has the
    /// number, requests the metadata and returns `None`.
    pub(super) fn known_rows(&self, batch_idx: usize, bytes: &mut ProvidedRanges) -> Result<Option<u64>> {
        let file = &self.file;
        let Some(block) = file.footer.batch(batch_idx) else { return Ok(Some(0)) };
        let is_here = file.cached_batch(batch_idx).is_some() || bytes.find(&block.metadata_range()).is_some();
        if !is_here && let Some(stated) = file.footer.n_rows_of(batch_idx) {
            return Ok(Some(stated));
        }
        let index = BlockIndex::RecordBatch(batch_idx);
        let message = file.record_batch(index, &block, bytes);
        Ok(message.in_block(index, block.position())?.map(|message| message.n_rows()))
    }

    /// Adds `n_rows` to a sum. A sum of more than 2⁶³ − 1 is an error.
    pub(super) fn add_rows(&self, sum: u64, n_rows: u64, batch_idx: usize) -> Result<u64> {
        // A saturated sum exceeds the limit, too.
        let sum = sum.saturating_add(n_rows);
        let position = self.file.footer.batch(batch_idx).map_or(0, |block| block.position());
        Limits::check("rows of several batches", sum, i64::MAX.unsigned_abs())
            .in_block(BlockIndex::RecordBatch(batch_idx), position)?;
        Ok(sum)
    }
}
