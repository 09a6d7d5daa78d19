//! Plans of streams and files: the exact position of each byte, computed from the lengths of columns and buffers
//! without their values.
//!
//! A [`Plan`] is built from a [`BatchShape`] for each batch. A plan knows the length of the
//! stream or file, and which header, buffer or padding is at each position. When you read bytes from a plan, a
//! [`BufferProvider`] supplies the content of buffers.
//!
//! **Invariant:** plans and writers compute lengths, offsets, headers and footers with the same functions.

mod builder;
mod from_arrays;
mod lists;
mod nesting;
mod pack;
mod parts;
mod pieces;
mod read;
mod shape;
mod shapes;
mod varint;

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::Role;
use arrow_ipc::{
    EncodedMessage, IpcError, IpcErrorKind, MessageSize, Result,
    error::{BlockIndex, Context},
};
use arrow_ipc_format::{
    BatchHeaderBuilder, IpcSchema, MessageFormat, MessageKind, MetadataEncoder, WrittenContainer,
    columns::{DictionaryIdx, SchemaColumns},
};
use arrow_schema::{FieldPath, LookupError, Schema};

use self::shapes::{PackedShape, PackedShapes, kind_of};
pub use self::{
    builder::PlanBuilder,
    parts::PlanParts,
    pieces::{PlannedBuffer, PlannedPart, PlannedPiece},
    read::{BufferProvider, PlanSegment, PlannedData, PlannedSource},
    shape::{BatchShape, ColumnShape},
};
use crate::error::RewriteError;

/// The exact bytes of a stream or file, planned from the shapes of its batches. They are computed when they are read. A
/// [`BufferProvider`] then supplies the content of buffers.
///
/// A plan stores the schema, each distinct shape once, and a few numbers for each series of batches with the same
/// shape. Headers of batches are computed when they are read.
///
/// ```
/// use arrow_data::Role;
/// use arrow_ipc::WrittenContainer;
/// use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("id", DataType::Int64)]);
/// let path = schema.path("id")?;
/// let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File)?;
/// builder.push(&BatchShape::new(1_000_000), 1_000)?;
/// let plan = builder.finish()?;
/// assert!(plan.len() > 8_000_000_000);
/// let values = plan.locate(999, &path, Role::Values)?;
/// assert_eq!(values.end - values.start, 8_000_000);
/// assert_eq!(plan.at(values.start + 5)?.part.to_string(), "values of `id` in record batch 999");
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct Plan {
    schema: IpcSchema,
    columns: SchemaColumns,
    paths: Paths,
    format: MessageFormat,
    shapes: PackedShapes,
    /// Runs of messages with the same shape, by position.
    runs: Vec<MessageRun>,
    n_batches: usize,
    n_dictionaries: usize,
    /// The magic of a file with its padding, and the schema message.
    start: Buffer,
    container: WrittenContainer,
    end_position: u64,
    /// The bytes after the last message: the end of the stream, and in a file the footer, its length and the magic.
    end: Buffer,
}

/// Consecutive messages of the same shape.
#[derive(Debug, Clone, Copy)]
struct MessageRun {
    position: u64,
    shape_idx: usize,
    n_messages: usize,
    n_batches_before: usize,
    n_dictionaries_before: usize,
}

/// The paths of the columns of batches and of dictionary values, in the order of the columns.
#[derive(Debug)]
struct Paths {
    batch: Vec<FieldPath>,
    dictionaries: Vec<Vec<FieldPath>>,
}

#[derive(Debug, Clone, Copy)]
struct PlannedMessage {
    block: BlockIndex,
    shape_idx: usize,
    position: u64,
    n_rows: u64,
    size: MessageSize,
}

impl Plan {
    /// The planned container.
    pub fn container(&self) -> WrittenContainer {
        self.container
    }

    /// The length of the magic and its padding: 8 in files, 0 in streams.
    fn n_magic_bytes(&self) -> u64 {
        self.container.start().len() as u64
    }

    /// The length of the stream or file in bytes.
    pub fn len(&self) -> u64 {
        self.end_position.saturating_add(self.end.len() as u64)
    }

    /// Always `false`: a plan has at least the schema message.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The schema of the planned batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.ipc_schema().schema()
    }

    /// The schema of the planned stream or file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.schema
    }

    /// The number of record batches. Dictionary batches are not counted.
    pub fn n_batches(&self) -> usize {
        self.n_batches
    }

    /// The number of dictionary batches, including the empty ones that the plan added.
    pub fn n_dictionaries(&self) -> usize {
        self.n_dictionaries
    }

    /// The range of the message of a record batch in bytes: prefix, metadata and body.
    ///
    /// # Errors
    /// If there is no such batch.
    pub fn batch(&self, batch_idx: usize) -> Result<Range<u64>> {
        self.message(BlockIndex::RecordBatch(batch_idx)).map(range_of)
    }

    /// The range of the message of a dictionary batch in bytes. `dictionary_idx` is an index into all dictionary
    /// batches of the stream or file, whatever their dictionary id.
    ///
    /// # Errors
    /// If there is no such dictionary batch.
    pub fn dictionary(&self, dictionary_idx: usize) -> Result<Range<u64>> {
        self.message(BlockIndex::Dictionary(dictionary_idx)).map(range_of)
    }

    /// The position and lengths of the message of a record batch or dictionary batch.
    ///
    /// # Errors
    /// If there is no such message.
    pub fn message(&self, block: BlockIndex) -> Result<EncodedMessage> {
        Ok(self.located(block)?.message())
    }

    /// All messages by position. The first one is the schema. An iteration over all messages takes time for each
    /// message, also within a run of equal batches.
    pub fn messages(&self) -> impl Iterator<Item = EncodedMessage> + '_ {
        let size = MessageSize::new((self.start.len() as u64).saturating_sub(self.n_magic_bytes()), 0);
        let schema = EncodedMessage::new(MessageKind::Schema, self.n_magic_bytes(), 0, size);
        let run_messages = move |run: &MessageRun| {
            let run = *run;
            (0..run.n_messages).map(move |nth| self.located_in(&run, nth).message())
        };
        std::iter::once(schema).chain(self.runs.iter().flat_map(run_messages))
    }

    /// The lengths of all [`messages`](Plan::messages), in their order.
    pub fn message_sizes(&self) -> impl Iterator<Item = MessageSize> + '_ {
        self.messages().map(|message| *message)
    }

    /// The range of a buffer of a record batch, in bytes of the stream or file.
    /// [`Schema::path`](arrow_schema::Schema::path) returns the path of a field name. The range is empty if the buffer
    /// has no bytes, such as the validity of a column without nulls. For [`Role::Variadic`]
    /// it is the range of the first data buffer of a view column.
    ///
    /// # Errors
    /// If the batch or field does not exist, or the field has no buffer with this role.
    pub fn locate(&self, batch_idx: usize, field: &FieldPath, role: Role) -> Result<Range<u64>> {
        self.locate_in(BlockIndex::RecordBatch(batch_idx), field, role, 0)
    }

    /// The range of a buffer of a record batch or dictionary batch, in bytes of the stream or file. The path of a field
    /// inside a dictionary begins with the path of the first column that has the dictionary, followed by the step
    /// [`dictionary`](FieldPath::dictionary). `data_buffer_idx` is the index of a data buffer of views; pass 0 for all
    /// other buffers.
    ///
    /// # Errors
    /// If the message or field does not exist, or the field has no such buffer.
    pub fn locate_in(
        &self,
        block: BlockIndex,
        field: &FieldPath,
        role: Role,
        data_buffer_idx: usize,
    ) -> Result<Range<u64>> {
        let located = self.located(block)?;
        let paths = self.paths.for_dictionary(self.shapes.at(located.shape_idx).dictionary);
        if !paths.contains(field) {
            return Err(LookupError::Missing { name: field.to_string().into() }.into());
        }
        let lists = self.lists(located.shape_idx)?;
        let found = self.buffers(&located, &lists).find(|(buffer, _)| {
            let idx = buffer.data_buffer_idx.unwrap_or(0);
            buffer.field == field && buffer.role == role && idx == data_buffer_idx
        });
        let found = found.map(|(_, range)| range).ok_or(RewriteError::NoSuchBuffer { role, data_buffer_idx });
        found.in_field(|| field.clone())
    }

    /// Divides the stream or file into byte ranges for a multipart upload. Each range begins at a multiple of
    /// `alignment`. Each range except the last has at least `min_bytes` bytes.
    ///
    /// ```
    /// # use arrow_ipc::WrittenContainer;
    /// # use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder};
    /// # use arrow_schema::{DataType, Field, Schema};
    /// # let mut plan = PlanBuilder::try_new(Schema::new([Field::new("id", DataType::Int64)]), WrittenContainer::File)?;
    /// # plan.push(&BatchShape::new(1_000_000), 10)?;
    /// # let plan = plan.finish()?;
    /// let parts: Vec<_> = plan.parts(5 << 20, 64).collect();
    /// assert_eq!(parts.first(), Some(&(0..5 << 20)));
    /// assert_eq!(parts.last().map(|last| last.end), Some(plan.len()));
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    pub fn parts(&self, min_bytes: u64, alignment: u64) -> PlanParts {
        PlanParts::new(self.len(), min_bytes, alignment)
    }

    fn check_range(&self, range: &Range<u64>) -> Result<()> {
        if range.start <= range.end && range.end <= self.len() {
            Ok(())
        } else {
            Err(self.outside(range).into())
        }
    }

    fn outside(&self, range: &Range<u64>) -> RewriteError {
        RewriteError::OutOfPlan { start: range.start, end: range.end, n_bytes: self.len() }
    }

    fn located(&self, block: BlockIndex) -> Result<PlannedMessage> {
        let is_before: fn(&MessageRun) -> usize;
        let nth;
        match block {
            BlockIndex::RecordBatch(batch_idx) => {
                let n_batches = self.n_batches;
                if batch_idx >= n_batches {
                    return Err(IpcErrorKind::NoSuchBatch { batch_idx, n_batches }.into());
                }
                is_before = |run| run.n_batches_before;
                nth = batch_idx;
            }
            BlockIndex::Dictionary(dictionary_idx) => {
                let n_dictionaries = self.n_dictionaries;
                if dictionary_idx >= n_dictionaries {
                    return Err(RewriteError::NoSuchDictionaryBatch { dictionary_idx, n_dictionaries }.into());
                }
                is_before = |run| run.n_dictionaries_before;
                nth = dictionary_idx;
            }
        }
        // `run_idx` is the first run that begins after the message, so the run before it contains the message.
        let run_idx = self.runs.partition_point(|run| is_before(run) <= nth);
        let run = run_idx.checked_sub(1).and_then(|run_idx| self.runs.get(run_idx));
        let run = run.ok_or_else(|| IpcError::internal("a counted message belongs to no run"))?;
        Ok(self.located_in(run, nth.saturating_sub(is_before(run))))
    }

    /// The message that contains a byte; `None` before the first batch.
    fn located_at(&self, byte: u64) -> Option<PlannedMessage> {
        let run_idx = self.runs.partition_point(|run| run.position <= byte).checked_sub(1)?;
        let run = self.runs.get(run_idx)?;
        let n_bytes = self.shapes.at(run.shape_idx).size.n_bytes();
        let nth = byte.checked_sub(run.position)?.checked_div(n_bytes)?;
        Some(self.located_in(run, usize::try_from(nth).ok()?))
    }

    /// The message with index `nth` in a run. The sums do not overflow: they are at most the end of the image, which
    /// was checked.
    fn located_in(&self, run: &MessageRun, nth: usize) -> PlannedMessage {
        let shape = self.shapes.at(run.shape_idx);
        let block = match shape.dictionary {
            None => BlockIndex::RecordBatch(run.n_batches_before.saturating_add(nth)),
            Some(_) => BlockIndex::Dictionary(run.n_dictionaries_before.saturating_add(nth)),
        };
        let position = run.position.saturating_add(shape.size.n_bytes().saturating_mul(nth as u64));
        let PackedShape { n_rows, size, .. } = *shape;
        PlannedMessage { block, shape_idx: run.shape_idx, position, n_rows, size }
    }

    /// The nodes and buffers that all messages of a shape have.
    fn lists(&self, shape_idx: usize) -> Result<BatchHeaderBuilder> {
        self.shapes.lists(shape_idx, &self.columns, self.format)
    }

    /// The prefix, metadata and padding that all messages of a shape have.
    fn header(&self, shape_idx: usize, lists: &BatchHeaderBuilder) -> Result<Buffer> {
        let kind = kind_of(&self.columns, self.shapes.at(shape_idx).dictionary);
        let mut bytes = BufferMut::new();
        MetadataEncoder::new(self.format).batch(&mut bytes, kind, lists, self.shapes.metadata(shape_idx))?;
        Ok(bytes.freeze())
    }

    fn columns_of(&self, shape_idx: usize) -> (&arrow_ipc_format::columns::Columns, &[FieldPath]) {
        let dictionary = self.shapes.at(shape_idx).dictionary;
        (self.columns.for_dictionary(dictionary), self.paths.for_dictionary(dictionary))
    }

    fn dictionary_id(&self, shape_idx: usize) -> Option<i64> {
        let dictionary = self.shapes.at(shape_idx).dictionary?;
        self.columns.dictionaries.get(dictionary.0).map(|dictionary| dictionary.id)
    }
}

impl Paths {
    fn from_columns(columns: &SchemaColumns) -> Paths {
        let dictionaries = columns.dictionaries.iter();
        Paths {
            batch: columns.batch.paths(),
            dictionaries: dictionaries.map(|dictionary| dictionary.columns.paths()).collect(),
        }
    }

    fn for_dictionary(&self, dictionary: Option<DictionaryIdx>) -> &[FieldPath] {
        match dictionary {
            None => &self.batch,
            Some(dictionary) => self.dictionaries.get(dictionary.0).map_or(&[], Vec::as_slice),
        }
    }
}

impl PlannedMessage {
    fn message(&self) -> EncodedMessage {
        let kind = match self.block {
            BlockIndex::RecordBatch(_) => MessageKind::RecordBatch,
            BlockIndex::Dictionary(_) => MessageKind::DictionaryBatch,
        };
        EncodedMessage::new(kind, self.position, self.n_rows, self.size)
    }
}

fn range_of(message: EncodedMessage) -> Range<u64> {
    message.position()..message.position().saturating_add(message.n_bytes())
}
