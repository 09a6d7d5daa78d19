//! The decoder of a file, and the state that its plans share.

use std::sync::Arc;

use arrow_schema::Schema;

use super::{
    dictionaries,
    plan::{Pass, PlanInput, ReadPlan, Work},
    provided_ranges::ProvidedRanges,
    state::{FileOrigin, FileState},
    stream_dictionaries::{DictionaryState, StreamDictionaries},
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

    pub(super) fn is_in_memory(&self) -> bool {
        self.file.base.as_ref().is_some_and(|base| base.bytes.len() as u64 == self.file.n_bytes)
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
            ProvidedRanges::new(file.n_bytes, file.base.clone(), Arc::clone(message_decoder.counters()))
                .with_options(message_decoder.options());
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
