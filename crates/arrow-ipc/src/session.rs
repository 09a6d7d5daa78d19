//! The state of reading with one schema: columns, projection, dictionaries, options and counters.
//!
//! A session decodes messages to batches. It does no I/O. A stream decoder passes all messages in order; a file decoder
//! passes the messages that a batch needs.
//!
//! **Invariant:** no lock is held while bytes are fetched, decompressed or decoded. Two threads may decode the same
//! dictionary; one result is kept.

use std::{ops::Range, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Schema;

use crate::{
    batch::{BatchDecoder, Counters, DecodeContext, ProjectedSchema},
    columns::{DictionaryIdx, SchemaColumns},
    dictionary::{DictionaryStore, GrowthLimits, KeptRoom},
    error::Result,
    frame::Body,
    message::OpenBatch,
    options::{Projection, ReadOptions},
    recycled::{KeptMemory, RecycledMemory},
    schema::{IpcSchema, SharedList},
};

mod files;
mod streams;

pub(crate) use self::files::FileDictionaryBatch;

/// Decodes the messages of a stream or file. Clones and projected sessions share everything except the projection.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    shared: Arc<SharedState>,
    dictionaries: Arc<DictionaryStore>,
    selection: ProjectedSchema,
    /// For each dictionary, by its index in the columns: whether the selected columns need it, directly or inside
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
    /// The limits on the memory of dictionaries with deltas.
    fn growth_limits(&self) -> GrowthLimits<'_> {
        GrowthLimits { limits: &self.options.limits, budget: self.options.memory_budget.as_ref() }
    }
}

fn needed_dictionaries(columns: &SchemaColumns, selection: &ProjectedSchema) -> SharedList<bool> {
    if columns.dictionaries.is_empty() {
        return SharedList::default();
    }
    columns.needed_dictionaries(selection.ranges(&columns.batch)).into()
}

impl Session {
    /// Applies the projection of the options. Counts copies in `counters`.
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

    /// Returns a session with another projection of the same schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema.
    pub(crate) fn project(&self, projection: &Projection) -> Result<Session> {
        let columns = &self.columns().batch;
        Ok(self.selecting(ProjectedSchema::try_new(projection, columns, self.ipc_schema())?))
    }

    /// Returns a session with a range of the selected columns.
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

    pub(crate) fn ipc_schema(&self) -> &IpcSchema {
        &self.shared.ipc_schema
    }

    /// The schema of the decoded batches, after the projection.
    pub(crate) fn schema(&self) -> &Arc<Schema> {
        self.selection.schema()
    }

    pub(crate) fn selection(&self) -> &ProjectedSchema {
        &self.selection
    }

    /// The number of ranges of selected columns, the number of selected columns, and the number of all columns.
    /// Children count as columns.
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

    fn is_needed(&self, dictionary: DictionaryIdx) -> bool {
        self.is_needed[dictionary.0]
    }

    /// Returns a decoder for a record batch. The body may still be missing. Compares the nodes and buffers with the
    /// schema.
    ///
    /// # Errors
    /// If the numbers of nodes, buffers or variadic counts do not fit the schema.
    pub(crate) fn batch_decoder<'a>(&'a self, message: &'a OpenBatch) -> Result<BatchDecoder<'a>> {
        BatchDecoder::try_new(
            &self.shared.columns.batch,
            message,
            self.context(self.shared.memory.decompressed()),
        )
    }

    /// Decodes the selected columns of a record batch. Its dictionaries must have been stored before.
    ///
    /// # Errors
    /// If the batch is malformed, unsupported, over a limit, or needs a dictionary that was not stored.
    pub(crate) fn record_batch(&self, message: &OpenBatch, body: &Body) -> Result<RecordBatch> {
        self.batch_decoder(message)?.record_batch(&self.selection, body)
    }

    /// Decodes the values of a dictionary batch, which may take as much memory as `room` allows.
    fn dictionary_values(
        &self,
        dictionary: DictionaryIdx,
        room: KeptRoom,
        message: &OpenBatch,
        body: &Body,
    ) -> Result<ArrayData> {
        // The memory of dictionaries is not recycled, since they stay in use for long.
        let not_kept = KeptMemory::default();
        let (columns, context) = (self.columns().of(Some(dictionary)), self.context(&not_kept));
        BatchDecoder::try_new(columns, message, context)?.within(room).dictionary_values(body)
    }

    fn context<'a>(&'a self, kept: &'a KeptMemory) -> DecodeContext<'a> {
        DecodeContext {
            dictionaries: &self.dictionaries,
            options: &self.shared.options,
            endianness: self.shared.ipc_schema.endianness(),
            version: self.shared.ipc_schema.version(),
            counters: &self.shared.counters,
            kept,
        }
    }
}
