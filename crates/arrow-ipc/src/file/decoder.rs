//! A file without I/O: the decoder asks for the byte ranges that it needs.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use arrow_schema::{Metadata, Schema};

use super::{
    batch::{ReadBatch, ReadRows},
    block::Block,
    dictionaries::{CheckDictionaries, DictionaryBlocks, FileDictionary, ListDictionaries, LoadDictionaries},
    footer::Footer,
    group::{FetchBatches, FetchedBatch, Fit},
    layouts::Layouts,
    metadata::KeptMetadata,
    of_message::MessagePlace,
    opening::{CheckStart, FirstBytes, Open, ReadFooter},
    plan::{ReadPlan, Work},
    provided::{FilePart, Provided},
    rows::{CountRows, LocateRows},
    schema_message::ReadSchemaMessage,
};
use crate::{
    batch::{CompressedBuffers, RowBounds},
    compression::Then,
    error::{BlockIndex, IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    options::{Projection, ReadOptions},
    session::Session,
    stats::ReadStats,
    stream::BatchWithMetadata,
};

/// Decodes a file without I/O: it asks for the byte ranges that it needs.
///
/// [`open`](FileDecoder::open) and the methods that read give a [`ReadPlan`] each, which asks for ranges and then gives
/// its result. Any number of plans may be worked on side by side. What one of them has read of the file and
/// others need too is shared: its end, the metadata of blocks, dictionaries. [`FileReader`](crate::FileReader) is a loop
/// over this; so is a reader for whatever else answers for a range.
///
/// Fetch [`NeededRanges::merged_for`](crate::NeededRanges::merged_for) the cost of a request: it joins ranges that are near to
/// each other, and includes those that the plan will most likely need next, which saves round trips.
///
/// Plans do not wait for each other: those that need the same dictionary at the same time each read it, and one result is
/// kept. If that costs too much, run [`load_dictionaries`](FileDecoder::load_dictionaries) before them.
///
/// Clones and [`project`](FileDecoder::project)ed decoders share all of that.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FetchCost, FileDecoder, ReadPlan, PlanStep, ReadOptions};
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
///     let decoder = run(file, FileDecoder::open(file.len() as u64, ReadOptions::new()))?;
///     let mut n_rows = 0;
///     for batch_idx in 0..decoder.n_batches() {
///         n_rows += run(file, decoder.batch(batch_idx)?)?.batch.n_rows();
///     }
///     Ok(n_rows)
/// }
/// # assert!(count_rows(&Buffer::from_static(b"a file of another kind")).is_err());
/// ```
#[derive(Debug, Clone)]
pub struct FileDecoder {
    pub(super) file: Arc<FileShared>,
    pub(super) session: Session,
}

/// What all decoders and plans of one file share.
#[derive(Debug)]
pub(super) struct FileShared {
    pub(super) footer: Footer,
    pub(super) n_bytes: u64,
    /// The end of the file as it was read, or all of it.
    pub(super) base: Option<FilePart>,
    pub(super) kept: KeptMetadata,
    /// Once it is looked for; nothing if the footer has none.
    pub(super) layouts: OnceLock<Option<Layouts>>,
    /// Whether layouts stand for the metadata of batches that has not been read.
    pub(super) believes_layouts: bool,
    /// Once the metadata of all dictionaries has been read.
    pub(super) dictionary_blocks: OnceLock<DictionaryBlocks>,
    /// If it is no file, but the body of this message of a stream.
    pub(super) of_message: Option<MessagePlace>,
}

impl FileDecoder {
    /// So often readers [open](FileDecoder::open) a file whose length changes meanwhile, since somebody appends to it.
    pub const MAX_ATTEMPTS: u32 = 100;

    /// Opens a file of this many bytes: asks for its end, and for its footer if that is longer. The magic at the start is
    /// asked for only if the end is wrong, to tell what the file is. This plan, and each one after it, checks that magic when the
    /// first eight bytes have been provided to it; so provide them too where that costs little.
    ///
    /// The plan fails if it is no Arrow file that can be read, or if the projection of the options does not fit its
    /// schema.
    pub fn open(file_bytes: u64, options: ReadOptions) -> ReadPlan<FileDecoder> {
        let (limits, tail_bytes) = (options.limits.clone(), options.tail_bytes_of(file_bytes));
        let footer = ReadFooter { file_bytes, limits, tail_bytes, start: FirstBytes::IfProvided };
        ReadPlan::of_length(file_bytes, Open { footer, options })
    }

    /// A decoder of other columns of the same file. The projection is one of the file's schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub fn project(&self, projection: &Projection) -> Result<FileDecoder> {
        Ok(FileDecoder { file: Arc::clone(&self.file), session: self.session.project(projection)? })
    }

    /// The schema of the batches: that of the file, or the projected one.
    pub fn schema(&self) -> &Arc<Schema> {
        self.session.schema()
    }

    /// The schema of the file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.session.ipc_schema()
    }

    /// The footer.
    pub fn footer(&self) -> &Footer {
        &self.file.footer
    }

    /// The number of batches.
    pub fn n_batches(&self) -> usize {
        self.file.footer.n_batches()
    }

    /// How the file is read.
    pub fn options(&self) -> &ReadOptions {
        self.session.options()
    }

    /// What had to be copied, by all plans of this file.
    pub fn stats(&self) -> ReadStats {
        self.session.counters().snapshot()
    }

    /// Reads one batch: the selected columns of it, and the dictionaries that they need.
    ///
    /// # Errors
    /// If there is no such batch.
    pub fn batch(&self, batch_idx: usize) -> Result<ReadPlan<BatchWithMetadata>> {
        let block = self.block(batch_idx)?;
        let plan = ReadPlan::of_file(self, ReadBatch { decoder: self.clone(), batch_idx, block });
        Ok(plan.about(BlockIndex::RecordBatch(batch_idx), block.position()))
    }

    /// The same of a file that is there as a whole, without a plan; `None` if it is not.
    pub(super) fn batch_in_memory(&self, batch_idx: usize) -> Result<Option<BatchWithMetadata>> {
        if !self.is_in_memory() {
            return Ok(None);
        }
        let block = self.block(batch_idx)?;
        let mut bytes = Provided::of_file(self);
        let read = ReadBatch { decoder: self.clone(), batch_idx, block }.advance(&mut bytes);
        self.file.located(read)
    }

    /// Fetches batches together: of these, as many from the first on as need `max_bytes` of the file at most, 256 for each at
    /// least, and one in any case. The metadata of all of them is asked for at once, with that of the dictionaries; then what the selected columns need of
    /// all bodies, and the dictionaries. Whole bodies are asked for with the metadata. So there are three round trips, however
    /// many batches there are; where [`later`](crate::NeededRanges::later) ranges are fetched whole, one or two.
    ///
    /// Each batch waits to be decoded, with an error of its own if it has one. Those that lie near to each other share memory: it
    /// is given back when all of them are dropped. What the plan fails with concerns all of them: dictionaries.
    ///
    /// ```
    /// # use arrow_buffer::Buffer;
    /// use arrow_ipc::{FileDecoder, PlanStep, ReadPlan};
    ///
    /// # fn run<T>(plan: ReadPlan<T>) -> arrow_ipc::Result<T> { unreachable!() }
    /// fn count_rows(file: &FileDecoder) -> arrow_ipc::Result<usize> {
    ///     let (mut n_rows, mut first) = (0, 0);
    ///     while first < file.n_batches() {
    ///         // `run` fetches what the plan needs.
    ///         for fetched in run(file.fetch_batches(first..file.n_batches(), 16 << 20)?)? {
    ///             first = fetched.batch_idx() + 1;
    ///             n_rows += fetched.decode()?.batch.n_rows();
    ///         }
    ///     }
    ///     Ok(n_rows)
    /// }
    /// ```
    ///
    /// # Errors
    /// If not all of these batches are there. Of an empty range, nothing is fetched.
    pub fn fetch_batches(
        &self,
        batches: Range<usize>,
        max_bytes: u64,
    ) -> Result<ReadPlan<Vec<FetchedBatch>>> {
        let one = match (batches.clone().next(), batches.clone().next_back()) {
            (Some(first), Some(last)) => {
                let block = self.block(last)?;
                (first == last).then_some((BlockIndex::RecordBatch(first), block.position()))
            }
            (None, _) | (_, None) => None,
        };
        let fit = Fit { max_bytes, max_batch_bytes: u64::MAX, at_least_one: true };
        let plan = ReadPlan::of_file(self, FetchBatches { decoder: self.clone(), batches, fit });
        Ok(match one {
            Some((batch, position)) => plan.about(batch, position),
            None => plan,
        })
    }

    /// Reads rows of one batch, counted from its first: the selected columns of them, and the dictionaries that they need.
    /// The result is that [`slice`](arrow_data::RecordBatch::slice) of the batch; other rows are not checked.
    ///
    /// Of the body only what these rows need is asked for, as far as the layout lets it be known: bits and values of a fixed
    /// width directly; offsets, views, type ids and sizes of these rows first, and then what they point at; run ends as a
    /// whole, and then the values of the runs. Of the data of views that is, in each buffer, what lies between the first and
    /// the last byte that these rows name. Compressed buffers are read and decompressed from their front to the last byte that
    /// is needed, and no further: what comes after it is not checked, nor is a checksum of all of an LZ4 frame. Offsets and views that
    /// point past what was left out are copied.
    ///
    /// The plan fails if the batch has no such rows. A number that points out of bounds is an error at every level of
    /// validation.
    ///
    /// # Errors
    /// If there is no such batch.
    pub fn batch_rows(&self, batch_idx: usize, rows: Range<u64>) -> Result<ReadPlan<BatchWithMetadata>> {
        let block = self.block(batch_idx)?;
        let batch = ReadBatch { decoder: self.clone(), batch_idx, block };
        let (compressed, bounds) = (CompressedBuffers::default(), RowBounds::default());
        let work = ReadRows { batch, rows, compressed, then: Then::End, account: None, bounds };
        let plan = ReadPlan::of_file(self, work);
        Ok(plan.about(BlockIndex::RecordBatch(batch_idx), block.position()))
    }

    /// Finds the batches that have some rows, which are counted over all batches; of each the rows, counted from its first. The
    /// footer knows if it has [row counts](crate::RowCounts); else the metadata of all batches is asked for at once. The plan fails
    /// if there are no such rows.
    pub fn batches_of_rows(&self, rows: Range<u64>) -> ReadPlan<Vec<(usize, Range<u64>)>> {
        ReadPlan::of_file(self, LocateRows { decoder: self.clone(), rows })
    }

    /// Reads the number of rows of one batch, which is in its metadata. If that has not been read and the footer has
    /// [row counts](crate::RowCounts), it is what these say, and nothing is asked for.
    ///
    /// # Errors
    /// If there is no such batch.
    pub fn n_rows_of(&self, batch_idx: usize) -> Result<ReadPlan<u64>> {
        let block = self.block(batch_idx)?;
        let work = CountRows { decoder: self.clone(), batches: batch_idx..batch_idx.saturating_add(1) };
        let plan = ReadPlan::<u64>::of_file(self, work);
        Ok(plan.about(BlockIndex::RecordBatch(batch_idx), block.position()))
    }

    /// Reads the number of rows of each of these batches, as [`n_rows_of`](FileDecoder::n_rows_of): the metadata of all of them
    /// is asked for at once.
    ///
    /// # Errors
    /// If not all of these batches are there.
    pub fn n_rows_of_each(&self, batches: Range<usize>) -> Result<ReadPlan<Vec<u64>>> {
        if let Some(last) = batches.clone().next_back() {
            self.block(last)?;
        }
        Ok(ReadPlan::of_file(self, CountRows { decoder: self.clone(), batches }))
    }

    /// Reads the number of rows in all batches: the metadata of each, and of all at once. What the footer counts is not asked
    /// for, as in [`n_rows_of`](FileDecoder::n_rows_of).
    pub fn n_rows(&self) -> ReadPlan<u64> {
        let work = CountRows { decoder: self.clone(), batches: 0..self.n_batches() };
        ReadPlan::of_file(self, work)
    }

    /// Reads the dictionaries that the selected columns need, unless they have been read. Plans that read batches do so too;
    /// call this before several of them start, so that they do not read the same dictionaries at the same time.
    pub fn load_dictionaries(&self) -> ReadPlan<()> {
        ReadPlan::of_file(self, LoadDictionaries(self.clone()))
    }

    /// Whether all of the file is there.
    pub(super) fn is_in_memory(&self) -> bool {
        self.file.base.as_ref().is_some_and(|base| base.bytes.len() as u64 == self.file.n_bytes)
    }

    /// Reads the first eight bytes of the file, and checks the magic in them. [`open`](FileDecoder::open) and other plans do so
    /// if they are given these bytes, but do not ask for them.
    pub fn check_start(&self) -> ReadPlan<()> {
        ReadPlan::of_file(self, CheckStart)
    }

    /// Reads and checks all dictionaries of the file, those that no batch and no selected column needs included.
    pub fn check_dictionaries(&self) -> ReadPlan<()> {
        ReadPlan::of_file(self, CheckDictionaries(self.with_all_dictionaries()))
    }

    /// The same, but it needs all dictionaries of the schema.
    pub(super) fn with_all_dictionaries(&self) -> FileDecoder {
        FileDecoder { file: Arc::clone(&self.file), session: self.session.with_all_dictionaries() }
    }

    /// Reads id, kind and custom metadata of the dictionary messages, in the order of the footer.
    pub fn dictionaries(&self) -> ReadPlan<Vec<FileDictionary>> {
        ReadPlan::of_file(self, ListDictionaries(self.clone()))
    }

    /// Reads the custom metadata of the schema message, with which the stream inside of the file begins; `None` if there
    /// is no schema message. The metadata of the [`footer`](Footer::metadata) is another.
    pub fn schema_message_metadata(&self) -> ReadPlan<Option<Metadata>> {
        let end = self.file.footer.position();
        ReadPlan::of_file(self, ReadSchemaMessage { end, limits: self.options().limits.clone() })
    }

    pub(super) fn block(&self, batch_idx: usize) -> Result<Block> {
        let footer = &self.file.footer;
        let error = || IpcErrorKind::NoSuchBatch { batch_idx, n_batches: footer.n_batches() };
        Ok(footer.batch(batch_idx).ok_or_else(error)?)
    }
}
