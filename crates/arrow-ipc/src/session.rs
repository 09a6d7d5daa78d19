//! The state of reading with one schema: its columns, the selected columns, dictionaries, options and counters.
//!
//! A session takes messages with their bytes, and returns batches. It never fetches and never waits. A stream decoder
//! passes all messages in order. A file decoder passes the messages that a batch needs.

use std::{ops::Range, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Schema;

use crate::{
    batch::{BatchDecoder, Counters, DecodeContext, ProjectedSchema},
    body::Body,
    columns::{Columns, DictionaryIdx, SchemaColumns},
    dictionary::{DictionaryStore, GrowthLimits, KeptRoom},
    error::Result,
    message::OpenBatch,
    options::{Projection, ReadOptions},
    recycled::{KeptMemory, RecycledMemory},
    schema::{IpcSchema, SharedList},
};

mod files;
mod streams;

pub(crate) use self::files::FileDictionaryBatch;

/// The state of reading with one selection of columns. Clones and projections share everything except the selection.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    shared: Arc<SharedState>,
    dictionaries: Arc<DictionaryStore>,
    selection: ProjectedSchema,
    /// For each dictionary, by its position in the columns: whether the selected columns need it, directly or inside
    /// another dictionary.
    is_needed: SharedList<bool>,
}

#[derive(Debug)]
struct SharedState {
    ipc_schema: IpcSchema,
    columns: SchemaColumns,
    options: ReadOptions,
    counters: Arc<Counters>,
    memory: RecycledMemory,
}

impl SharedState {
    /// The limits on the memory that deltas of dictionaries may take.
    fn growth_limits(&self) -> GrowthLimits<'_> {
        GrowthLimits { limits: &self.options.limits, budget: self.options.memory_budget.as_ref() }
    }
}

/// Finds the dictionaries that the selected columns need.
fn needed_dictionaries(columns: &SchemaColumns, selection: &ProjectedSchema) -> SharedList<bool> {
    if columns.dictionaries.is_empty() {
        return SharedList::default();
    }
    columns.needed_dictionaries(selection.ranges(&columns.batch)).into()
}

impl Session {
    /// A session with the projection of the options. It counts copies in `counters`.
    ///
    /// # Errors
    /// If the dictionaries of the schema contradict each other, or the projection does not fit the schema.
    pub(crate) fn try_new(
        ipc_schema: IpcSchema,
        options: ReadOptions,
        counters: Arc<Counters>,
    ) -> Result<Session> {
        let columns = SchemaColumns::to_read(&ipc_schema)?;
        let dictionaries = Arc::new(DictionaryStore::new(&columns, &options.limits));
        let selection = ProjectedSchema::try_new(&options.projection, &columns.batch, &ipc_schema)?;
        let is_needed = needed_dictionaries(&columns, &selection);
        let memory = options.memory_to_recycle();
        let shared = Arc::new(SharedState { ipc_schema, columns, options, counters, memory });
        Ok(Session { shared, dictionaries, selection, is_needed })
    }

    /// Makes a session that reads other columns. The projection refers to the whole schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub(crate) fn project(&self, projection: &Projection) -> Result<Session> {
        let columns = &self.columns().batch;
        Ok(self.selecting(ProjectedSchema::try_new(projection, columns, self.ipc_schema())?))
    }

    /// A session with some of the selected columns.
    ///
    /// # Errors
    /// If `columns` is out of bounds of the selected columns.
    pub(crate) fn part(&self, columns: Range<usize>) -> Result<Session> {
        Ok(self.selecting(self.selection.part(columns)?))
    }

    fn selecting(&self, selection: ProjectedSchema) -> Session {
        let is_needed = needed_dictionaries(self.columns(), &selection);
        Session { selection, is_needed, ..self.clone() }
    }

    /// The schema of the stream or file.
    pub(crate) fn ipc_schema(&self) -> &IpcSchema {
        &self.shared.ipc_schema
    }

    /// The schema of the decoded batches.
    pub(crate) fn schema(&self) -> &Arc<Schema> {
        self.selection.schema()
    }

    pub(crate) fn selection(&self) -> &ProjectedSchema {
        &self.selection
    }

    /// Describes how much of a body is selected: the number of ranges with selected columns, and the numbers of selected columns and of all
    /// columns. Children count as columns.
    pub(crate) fn selected_share(&self) -> (u64, (u64, u64)) {
        let columns = &self.columns().batch;
        let mut ranges = self.selection.ranges(columns);
        ranges.sort_unstable_by_key(|range| range.start);
        let (mut n_ranges, mut n_selected, mut end) = (0, 0u64, None);
        for range in ranges {
            n_ranges += u64::from(end != Some(range.start));
            n_selected = n_selected.saturating_add(range.len() as u64);
            end = Some(range.end);
        }
        (n_ranges, (n_selected, columns.n_columns() as u64))
    }

    /// The memory into which bodies are read and decompressed.
    pub(crate) fn memory(&self) -> &RecycledMemory {
        &self.shared.memory
    }

    pub(crate) fn options(&self) -> &ReadOptions {
        &self.shared.options
    }

    pub(crate) fn counters(&self) -> &Arc<Counters> {
        &self.shared.counters
    }

    pub(crate) fn columns(&self) -> &SchemaColumns {
        &self.shared.columns
    }

    fn dictionary_columns(&self, dictionary: DictionaryIdx) -> &Columns {
        &self.columns().dictionaries[dictionary.0].columns
    }

    fn is_needed(&self, dictionary: DictionaryIdx) -> bool {
        self.is_needed[dictionary.0]
    }

    /// A decoder for a record batch whose body may not have arrived. Compares the lists of the batch with the schema.
    ///
    /// # Errors
    /// If the lists do not have the lengths that the schema needs.
    pub(crate) fn batch_decoder<'a>(&'a self, message: &'a OpenBatch) -> Result<BatchDecoder<'a>> {
        BatchDecoder::try_new(
            &self.shared.columns.batch,
            message,
            self.context(self.shared.memory.decompressed()),
        )
    }

    /// Decodes the selected columns of a record batch. Its dictionaries must have arrived.
    ///
    /// # Errors
    /// If the batch is malformed, unsupported, over a limit, or needs a dictionary that has not arrived.
    pub(crate) fn record_batch(&self, message: &OpenBatch, body: &Body) -> Result<RecordBatch> {
        self.batch_decoder(message)?.record_batch(&self.selection, body)
    }

    /// The dictionaries to which the values of one dictionary refer.
    pub(crate) fn dictionaries_inside(
        &self,
        dictionary: DictionaryIdx,
    ) -> impl Iterator<Item = DictionaryIdx> + '_ {
        let columns = self.dictionary_columns(dictionary);
        columns.dictionaries_below(columns.roots())
    }

    /// Decodes the values of a dictionary batch, within the limit of `room`.
    fn dictionary_values(
        &self,
        dictionary: DictionaryIdx,
        room: KeptRoom,
        message: &OpenBatch,
        body: &Body,
    ) -> Result<ArrayData> {
        // Dictionaries stay in use for long, so their memory is not recycled.
        let not_kept = KeptMemory::default();
        let (columns, context) = (self.dictionary_columns(dictionary), self.context(&not_kept));
        BatchDecoder::try_new(columns, message, context)?.within(room).dictionary_values(body)
    }

    fn context<'a>(&'a self, kept: &'a KeptMemory) -> DecodeContext<'a> {
        DecodeContext {
            dictionaries: &self.dictionaries,
            options: &self.shared.options,
            endianness: self.shared.ipc_schema.endianness(),
            counters: &self.shared.counters,
            kept,
        }
    }
}
