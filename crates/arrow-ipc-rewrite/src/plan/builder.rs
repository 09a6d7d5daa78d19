//! Builds a plan from the shapes of dictionaries and batches: appends one message after the other.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_schema::Schema;

use super::{
    MessageRun, Paths, Plan,
    lists::MAX_BYTES,
    nesting::Nesting,
    pack::PackedNumbers,
    shape::BatchShape,
    shapes::{NewMessage, PackedShapes, ShapeIndex},
};
use crate::{error::RewriteError, shape_error::ShapeError};
use arrow_ipc::{
    ContainerEncoder, DictionaryPolicy, FormatErrorKind, IpcErrorKind, NullSlots, Result, SharedBuffers,
    UnusedValues, WriteOptions,
    error::{BlockIndex, Context},
};
use arrow_ipc_format::{
    IpcSchema, Limits, MessageKind, MetadataEncoder, WrittenContainer,
    columns::{DictionaryIdx, SchemaColumns},
};

/// Builds a plan from the shapes of batches and dictionaries, in the order in which they will be written.
///
/// [`finish`](PlanBuilder::finish) returns the plan. A call that fails does not change the builder.
///
/// ```
/// use arrow_ipc::WrittenContainer;
/// use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, Plan, PlanBuilder};
/// use arrow_schema::{DataType, Field, IndexType, Schema};
///
/// let words = DataType::dictionary(IndexType::Int32, DataType::Utf8)?;
/// let mut builder = PlanBuilder::try_new(Schema::new([Field::new("word", words)]), WrittenContainer::File)?;
/// // Two values, which have 8 bytes together.
/// builder.push_dictionary(0, &BatchShape::new(2).with_columns([ColumnShape::bytes(8)]))?;
/// builder.push(&BatchShape::new(1_000), 10)?;
/// let plan = builder.finish()?;
/// assert_eq!((plan.n_dictionaries(), plan.n_batches()), (1, 10));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct PlanBuilder {
    encoder: ContainerEncoder,
    messages: MetadataEncoder,
    index: ShapeIndex,
    packed: PackedNumbers,
    /// Whether the policy refuses other values of a dictionary.
    refuses_changes: bool,
    /// The number of values of each written dictionary, by dictionary index. `None` if the dictionary is not written.
    written: Vec<Option<u64>>,
    /// The previous entries of `written` that the current call has changed.
    written_before: Vec<(DictionaryIdx, Option<u64>)>,
    nesting: Nesting,
    image: Plan,
}

impl PlanBuilder {
    /// Begins the plan of a stream or file with these options.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`](arrow_ipc::StreamEncoder::try_new). If an option makes lengths depend on
    /// values: compression, zeros in null slots, shared buffers, leaving out unused values or items, or the dictionary
    /// policies `Delta` and `Unify`.
    pub fn try_new(schema: impl Into<IpcSchema>, container: WrittenContainer) -> Result<PlanBuilder> {
        PlanBuilder::try_new_with(schema, container, WriteOptions::default())
    }

    /// Like [`try_new`](PlanBuilder::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](PlanBuilder::try_new).
    pub fn try_new_with(
        schema: impl Into<IpcSchema>,
        container: WrittenContainer,
        options: WriteOptions,
    ) -> Result<PlanBuilder> {
        check_options(&options)?;
        let refuses_changes = matches!(options.dictionaries(), DictionaryPolicy::Error);
        let mut encoder = ContainerEncoder::try_new_with(schema.into(), container, options)?;
        let start = encoder.start()?.to_bytes().freeze();
        let schema = encoder.ipc_schema().clone();
        let format = encoder.format();
        // Made a second time, since the plan outlives the encoder, which does not share its columns.
        let columns = SchemaColumns::try_new(&schema)?;
        Ok(PlanBuilder {
            encoder,
            messages: MetadataEncoder::new(format),
            index: ShapeIndex::new(format),
            packed: PackedNumbers::default(),
            refuses_changes,
            written: vec![None; columns.dictionaries.len()],
            written_before: Vec::new(),
            nesting: Nesting::new(&columns),
            image: Plan {
                schema,
                paths: Paths::from_columns(&columns),
                columns,
                format,
                shapes: PackedShapes::new(),
                runs: Vec::new(),
                n_batches: 0,
                n_dictionaries: 0,
                end_position: start.len() as u64,
                start,
                container,
                end: Buffer::new(),
            },
        })
    }

    /// The schema of the planned batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.ipc_schema().schema()
    }

    /// The schema of the planned stream or file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.image.schema
    }

    /// Plans `n_batches` batches of one shape. Equal shapes are stored once.
    ///
    /// Before the batch, push the dictionaries that its valid indices refer to, with
    /// [`push_dictionary`](PlanBuilder::push_dictionary). The plan contains an empty dictionary for each other
    /// dictionary: before the first batch of a stream, and at the end of a file, like the output of a writer.
    ///
    /// # Errors
    /// If the shape contradicts the schema, or its own numbers contradict each other. If the plan becomes longer than
    /// the format can express. If the footer of a file becomes longer than readers accept by default: 256 MiB, or
    /// 11,184,810 blocks. If a column has valid indices and its dictionary has not been pushed, or has no values. The
    /// error names the field and the number.
    pub fn push(&mut self, shape: &BatchShape, n_batches: usize) -> Result<()> {
        let fields = self.image.schema.schema().fields();
        let is_nullable = |idx: usize| fields.get(idx).is_none_or(arrow_schema::Field::is_nullable);
        self.packed.pack(&self.image.columns.batch, shape, is_nullable)?;
        self.check_dictionaries(None)?;
        let shape_idx = self.add_shape(None, shape)?;
        if self.is_file() || n_batches == 0 || !self.written.contains(&None) {
            return self.add_run(shape_idx, n_batches);
        }
        self.all_or_nothing(|builder| {
            builder.add_stand_ins(&Arc::clone(&builder.nesting.inner_first))?;
            builder.add_run(shape_idx, n_batches)
        })
    }

    /// Plans a dictionary. `values` describes its values as a batch with one column. `id` is a dictionary id of the
    /// schema. By default, ids are counted from 0 in the order of the fields. The dictionary precedes batches that are
    /// pushed later.
    ///
    /// In a stream, a later call with the same `id` replaces the values, unless the
    /// [`DictionaryPolicy`](arrow_ipc::DictionaryPolicy) is `Error`. If a dictionary is nested in the values of another
    /// dictionary, push the outer dictionary again after the inner one. Otherwise the plan contains an empty outer
    /// dictionary.
    ///
    /// # Errors
    /// If the schema has no dictionary with this id, or if the dictionary was already pushed and cannot be replaced. If
    /// the shape contradicts the type of the values: see [`push`](PlanBuilder::push).
    pub fn push_dictionary(&mut self, id: i64, values: &BatchShape) -> Result<()> {
        let columns = &self.image.columns;
        let dictionary = columns.dictionary(id).ok_or(FormatErrorKind::UnknownDictionary { id })?;
        let is_replaced = self.written.get(dictionary.0).is_some_and(Option::is_some);
        if is_replaced {
            self.check_replacement(id)?;
        }
        self.packed.pack(columns.for_dictionary(Some(dictionary)), values, |_| true)?;
        self.check_dictionaries(Some(dictionary))?;
        let shape_idx = self.add_shape(Some(dictionary), values)?;
        let inside = self.nesting.inside(dictionary);
        self.all_or_nothing(|builder| {
            builder.add_stand_ins(&inside)?;
            builder.add_dictionary(dictionary, shape_idx, values.n_rows())
        })?;
        if is_replaced {
            self.forget_outer(dictionary);
        }
        Ok(())
    }

    /// # Errors
    /// If a dictionary that was pushed cannot be replaced.
    fn check_replacement(&self, id: i64) -> Result<()> {
        if self.refuses_changes {
            return Err(IpcErrorKind::ChangedDictionary { id }.into());
        }
        if self.is_file() {
            return Err(IpcErrorKind::ReplacedDictionary { id }.into());
        }
        Ok(())
    }

    fn is_file(&self) -> bool {
        self.encoder.container() == WrittenContainer::File
    }

    /// Calls `add`. If it fails, restores the state before the call.
    fn all_or_nothing(&mut self, add: impl FnOnce(&mut PlanBuilder) -> Result<()>) -> Result<()> {
        let Plan { runs, n_batches, n_dictionaries, end_position, .. } = &self.image;
        let before = (*n_batches, *n_dictionaries, *end_position);
        let n_runs = runs.len();
        let last = runs.last().copied();
        self.written_before.clear();
        let added = add(self);
        if added.is_err() {
            let Plan { runs, n_batches, n_dictionaries, end_position, .. } = &mut self.image;
            (*n_batches, *n_dictionaries, *end_position) = before;
            // The last run may have got more messages, so it is restored, too.
            runs.truncate(n_runs.saturating_sub(1));
            runs.extend(last);
            for (dictionary, before) in self.written_before.drain(..).rev() {
                self.written[dictionary.0] = before;
            }
        }
        added
    }

    /// Marks dictionaries as not written if their values refer to a replaced dictionary: their indices now select other
    /// values.
    fn forget_outer(&mut self, dictionary: DictionaryIdx) {
        for outer in self.nesting.outward.reached_from(dictionary) {
            self.written[outer.0] = None;
        }
    }

    /// Checks that the dictionaries that valid slots of `packed` refer to have been planned, with at least one value.
    fn check_dictionaries(&self, dictionary: Option<DictionaryIdx>) -> Result<()> {
        for (needed, position) in &self.packed.needed {
            let path = || self.image.columns.for_dictionary(dictionary).path(*position);
            match self.written.get(needed.0).copied().flatten() {
                Some(0) => {
                    let what = "values in its dictionary";
                    return Err(ShapeError::TooFew { what, found: 0, min: 1 }).in_field(path);
                }
                Some(_) => {}
                None => {
                    let id = self.image.columns.dictionaries[needed.0].id;
                    return Err(RewriteError::UnplannedDictionary { id }).in_field(path);
                }
            }
        }
        Ok(())
    }

    /// The index of a packed shape in the list of shapes. Adds the shape if it is new.
    fn add_shape(&mut self, dictionary: Option<DictionaryIdx>, shape: &BatchShape) -> Result<usize> {
        let Plan { columns, shapes, .. } = &mut self.image;
        let message = NewMessage { schema: columns, dictionary, shape, packed: &self.packed };
        shapes.find_or_add(&mut self.index, message, &self.messages)
    }

    /// Plans an empty dictionary for each of `dictionaries` that has not been written.
    fn add_stand_ins(&mut self, dictionaries: &[DictionaryIdx]) -> Result<()> {
        for dictionary in dictionaries {
            if self.written.get(dictionary.0).is_some_and(Option::is_none) {
                let empty = BatchShape::new(0);
                let columns = self.image.columns.for_dictionary(Some(*dictionary));
                self.packed.pack(columns, &empty, |_| true)?;
                let shape_idx = self.add_shape(Some(*dictionary), &empty)?;
                self.add_dictionary(*dictionary, shape_idx, 0)?;
            }
        }
        Ok(())
    }

    fn add_dictionary(&mut self, dictionary: DictionaryIdx, shape_idx: usize, n_values: u64) -> Result<()> {
        self.add_run(shape_idx, 1)?;
        if let Some(written) = self.written.get_mut(dictionary.0) {
            self.written_before.push((dictionary, written.replace(n_values)));
        }
        Ok(())
    }

    fn add_run(&mut self, shape_idx: usize, n_messages: usize) -> Result<()> {
        if n_messages == 0 {
            return Ok(());
        }
        let is_file = self.is_file();
        let Plan { shapes, runs, n_batches, n_dictionaries, end_position, .. } = &mut self.image;
        let shape = shapes.at(shape_idx);
        let run = MessageRun {
            position: *end_position,
            shape_idx,
            n_messages,
            n_batches_before: *n_batches,
            n_dictionaries_before: *n_dictionaries,
        };
        let (n_counted, block) = match shape.dictionary {
            None => (n_batches, BlockIndex::RecordBatch(run.n_batches_before)),
            Some(_) => (n_dictionaries, BlockIndex::Dictionary(run.n_dictionaries_before)),
        };
        let n_bytes = u128::from(shape.size.n_bytes()).saturating_mul(n_messages as u128);
        let end =
            check_bytes(u128::from(run.position).saturating_add(n_bytes)).in_block(block, run.position)?;
        // Each message has at least one byte, so the number of messages fits like the number of bytes.
        let count = n_counted.saturating_add(n_messages);
        if is_file {
            check_footer(count).in_block(block, run.position)?;
        }
        *n_counted = count;
        *end_position = end;
        match runs.last_mut().filter(|last| last.shape_idx == shape_idx) {
            Some(last) => last.n_messages = last.n_messages.saturating_add(n_messages),
            None => runs.push(run),
        }
        Ok(())
    }

    /// Completes the plan with the bytes after the last batch: the end of the stream and, in a file, the footer. In a
    /// file, the plan also gets empty dictionaries for dictionaries that were not pushed.
    ///
    /// # Errors
    /// If the footer is longer than readers accept by default: 256 MiB. If the stream or file is longer than 2^63 − 1
    /// bytes.
    pub fn finish(mut self) -> Result<Plan> {
        if self.is_file() && self.image.n_batches > 0 {
            self.add_stand_ins(&Arc::clone(&self.nesting.inner_first))?;
        }
        let PlanBuilder { mut encoder, mut image, index, .. } = self;
        drop(index);
        if let Some(footer) = encoder.trailer_mut() {
            let blocks = image.messages().filter(|message| message.kind() != MessageKind::Schema);
            blocks.into_iter().try_for_each(|message| footer.add_block(&message))?;
        }
        image.end = encoder.finish()?.to_bytes().freeze();
        check_bytes(image.len().into())?;
        image.shapes.shrink();
        image.runs.shrink_to_fit();
        Ok(image)
    }
}

/// Checks that the end of the last message is at most 2^63 − 1.
fn check_bytes(end: u128) -> Result<u64> {
    let end = u64::try_from(end).unwrap_or(u64::MAX);
    Limits::check("bytes of stream or file", end, MAX_BYTES)?;
    Ok(end)
}

/// Refuses a footer with more blocks than readers accept by default, before memory is allocated for the blocks.
fn check_footer(n_blocks: usize) -> Result<()> {
    let n_bytes = (n_blocks as u64).saturating_mul(24);
    Ok(Limits::check("bytes of footer", n_bytes, Limits::DEFAULT_METADATA_BYTES)?)
}

/// Refuses options that make lengths depend on values, since a plan contains no values.
///
/// # Errors
/// If an option makes lengths depend on values.
fn check_options(options: &WriteOptions) -> Result<()> {
    let by_values = "the length of a buffer depends on its values";
    let refused = if options.compression().is_some() {
        Some(("compression", by_values))
    } else if options.null_slots() == NullSlots::Zeros {
        Some(("null slots of zeros", "values come from the provider, which can give zeros itself"))
    } else if options.shared_buffers() == SharedBuffers::Once {
        Some(("shared buffers written once", "buffers with the same bytes cannot be found from shapes"))
    } else if options.unused_items() == UnusedValues::Remove || options.unused_values() != UnusedValues::Keep
    {
        Some(("leaving out unused values", by_values))
    } else {
        match options.dictionaries() {
            DictionaryPolicy::Replace | DictionaryPolicy::Error => None,
            DictionaryPolicy::Delta => {
                Some(("the dictionary policy `Delta`", "which values are new depends on the values"))
            }
            DictionaryPolicy::Unify(_) => {
                Some(("the dictionary policy `Unify`", "which values are the same depends on the values"))
            }
            _ => Some(("this dictionary policy", by_values)),
        }
    };
    refused.map_or(Ok(()), |(what, why)| Err(RewriteError::NotPlannable { what, why }.into()))
}
