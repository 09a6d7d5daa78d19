//! The dictionaries that have been written: which ones a batch needs to be written before it.

use std::sync::Arc;

use arrow_data::{ArrayData, Layout};

use crate::{
    columns::{Columns, DictionaryColumns, DictionaryIdx, SchemaColumns},
    error::{Context, IpcErrorKind, Result},
};

/// Remembers what each dictionary of a schema holds at the reader.
///
/// A batch is first looked at as a whole, so that its dictionaries can be written before it; what has been decided
/// counts from [`commit`](DictionaryTracker::commit) on.
///
/// An array without a valid index, often an empty one, asks for no dictionary: the values that it brings do not
/// replace those that have been written, nor are they compared with those of other fields. They are written only if a
/// reader has to be given some before there are others.
#[derive(Debug)]
pub(crate) struct DictionaryTracker {
    replacement: Replacement,
    /// The top-level columns with a dictionary somewhere in them.
    roots: Vec<usize>,
    /// All dictionaries, inner ones before those whose values they are in.
    inner_first: Vec<DictionaryIdx>,
    /// Those directly inside of the values of each, by the place in the schema's columns.
    inside: Vec<Vec<DictionaryIdx>>,
    /// By the place in the schema's columns.
    entries: Vec<Entry>,
    pending: Vec<PendingDictionary>,
}

/// What is known of one dictionary.
#[derive(Debug, Clone, Default)]
struct Entry {
    /// What the reader has.
    written: Option<Arc<ArrayData>>,
    /// The values that valid indices of the batch refer to.
    needed: Option<Needed>,
    /// Whether it lies inside of values that will be written: readers that decode those at once look for it.
    is_inside: bool,
    /// Whether the batch gives the reader other values than it has.
    is_replaced: bool,
    /// The first values that came with an array without a valid index.
    idle: Option<Arc<ArrayData>>,
    /// The same of the batch.
    idle_in_batch: Option<Arc<ArrayData>>,
}

#[derive(Debug, Clone)]
struct Needed {
    values: Arc<ArrayData>,
    is_written: bool,
}

/// Whether other values may take the place of those that have been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// In a stream, for the batches that follow. Each dictionary has to be there before the first batch: there are
    /// readers that ask for all of them then.
    Allowed,
    /// In a file, whose batches are read in any order. Dictionaries may come after batches that do not need them.
    Refused,
}

/// Values that have to be written before the batch.
#[derive(Debug, Clone)]
pub(crate) struct PendingDictionary {
    pub(crate) dictionary: DictionaryIdx,
    pub(crate) values: Arc<ArrayData>,
    /// Whether they follow those that have been written.
    pub(crate) is_delta: bool,
}

impl DictionaryTracker {
    /// Nothing has been written.
    pub(crate) fn new(columns: &SchemaColumns, replacement: Replacement) -> DictionaryTracker {
        let n_dictionaries = columns.dictionaries.len();
        let roots = columns.batch.roots().iter().enumerate();
        let with_dictionary =
            roots.filter(|(_, root)| columns.batch.dictionaries_below(&[**root]).next().is_some());
        DictionaryTracker {
            replacement,
            roots: with_dictionary.map(|(root_idx, _)| root_idx).collect(),
            inner_first: InnerFirst::of(columns),
            inside: columns
                .dictionaries
                .iter()
                .map(|dictionary| dictionary.columns.dictionaries_below(dictionary.columns.roots()).collect())
                .collect(),
            entries: vec![Entry::default(); n_dictionaries],
            pending: Vec::new(),
        }
    }

    /// Looks for the dictionaries of a batch that have to be written before it: inner ones before those whose
    /// values they are in. Forgets an earlier batch that has not been committed.
    ///
    /// # Errors
    /// If fields that share a dictionary have different values, or values would have to be replaced where they may
    /// not.
    pub(crate) fn look_at(
        &mut self,
        columns: &SchemaColumns,
        arrays: &[ArrayData],
    ) -> Result<&[PendingDictionary]> {
        self.forget();
        for root_idx in 0..self.roots.len() {
            let root_idx = self.roots[root_idx];
            if let (Some(root), Some(array)) = (columns.batch.roots().get(root_idx), arrays.get(root_idx)) {
                self.visit(columns, &columns.batch, *root, array)?;
            }
        }
        self.look_inside();
        for dictionary in &self.inner_first {
            let entry = &self.entries[dictionary.0];
            let is_early = entry.is_inside || self.replacement == Replacement::Allowed;
            // What is inside of these values has been replaced, so their indices mean something else now.
            let is_stale = self.inside[dictionary.0].iter().any(|inner| self.entries[inner.0].is_replaced);
            let values = match (&entry.needed, &entry.written) {
                (Some(needed), _) => (!needed.is_written).then(|| Arc::clone(&needed.values)),
                (None, None) if is_early => Some(entry.stand_in(columns, *dictionary)),
                (None, Some(_)) if is_stale => {
                    Some(Arc::new(ArrayData::empty(&columns.dictionaries[dictionary.0].value_type)))
                }
                (None, _) => None,
            };
            let is_replaced = entry.written.is_some() && values.is_some();
            self.entries[dictionary.0].is_replaced = is_replaced;
            self.pending.extend(values.map(|values| PendingDictionary {
                dictionary: *dictionary,
                values,
                is_delta: false,
            }));
        }
        Ok(&self.pending)
    }

    /// Finds the dictionaries inside of values that will be written.
    fn look_inside(&mut self) {
        for dictionary in self.inner_first.iter().rev() {
            let Entry { needed, is_inside, .. } = &self.entries[dictionary.0];
            if *is_inside || needed.as_ref().is_some_and(|needed| !needed.is_written) {
                for inner in &self.inside[dictionary.0] {
                    self.entries[inner.0].is_inside = true;
                }
            }
        }
    }

    /// The dictionaries of a file that no valid index of any batch has asked for. Readers may still look for them.
    pub(crate) fn look_at_end(&mut self, columns: &SchemaColumns) -> &[PendingDictionary] {
        self.forget();
        for dictionary in &self.inner_first {
            let entry = &self.entries[dictionary.0];
            if entry.written.is_none() {
                let values = entry.stand_in(columns, *dictionary);
                self.pending.push(PendingDictionary { dictionary: *dictionary, values, is_delta: false });
            }
        }
        &self.pending
    }

    /// Says that all pending dictionaries have been written.
    pub(crate) fn commit(&mut self) {
        for pending in self.pending.drain(..) {
            self.entries[pending.dictionary.0].written = Some(pending.values);
        }
        for entry in &mut self.entries {
            let idle = entry.idle.take().or_else(|| entry.idle_in_batch.take());
            // Once others are there, it is of no use.
            entry.idle = idle.filter(|_| entry.written.is_none());
        }
        self.forget();
    }

    /// Forgets a batch that was looked at and is not written.
    pub(crate) fn forget(&mut self) {
        self.pending.clear();
        for entry in &mut self.entries {
            (entry.needed, entry.idle_in_batch) = (None, None);
            (entry.is_inside, entry.is_replaced) = (false, false);
        }
    }

    fn visit(
        &mut self,
        schema: &SchemaColumns,
        columns: &Columns,
        position: usize,
        array: &ArrayData,
    ) -> Result<()> {
        // Nothing below an empty array is written, whatever its children hold.
        if array.is_empty() && columns.at(position).dictionary.is_none() {
            return Ok(());
        }
        let (dictionary, values) = (columns.at(position).dictionary, array.dictionary());
        if let (Some(dictionary), Some(values)) = (dictionary, values) {
            if array.null_count() == array.len() {
                let entry = &mut self.entries[dictionary.0];
                entry.idle_in_batch.get_or_insert_with(|| Arc::clone(values));
            } else {
                self.need(schema, dictionary, values).in_field(|| columns.path(position))?;
            }
        }
        columns
            .children(position)
            .zip(array.children())
            .try_for_each(|(child_position, child)| self.visit(schema, columns, child_position, child))
    }

    fn need(
        &mut self,
        schema: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        let DictionaryColumns { id, columns, .. } = &schema.dictionaries[dictionary.0];
        let entry = &mut self.entries[dictionary.0];
        if let Some(needed) = &entry.needed {
            if same_values(&needed.values, values) {
                return Ok(());
            }
            return Err(IpcErrorKind::SharedDictionaryValues { id: *id }.into());
        }
        let is_written = entry.written.as_ref().is_some_and(|written| same_values(written, values));
        if !is_written && entry.written.is_some() && self.replacement == Replacement::Refused {
            return Err(IpcErrorKind::ReplacedDictionary { id: *id }.into());
        }
        entry.needed = Some(Needed { values: Arc::clone(values), is_written });
        // The values may have dictionaries themselves; few have.
        if self.inside[dictionary.0].is_empty() {
            return Ok(());
        }
        columns.roots().iter().try_for_each(|root| self.visit(schema, columns, *root, values))
    }
}

impl Entry {
    /// Values for a reader that needs none: those that came along, so that they need not be replaced if others are
    /// never needed. Not if they have dictionaries inside of them, which might be in the way of what is needed there.
    fn stand_in(&self, schema: &SchemaColumns, dictionary: DictionaryIdx) -> Arc<ArrayData> {
        let DictionaryColumns { columns, value_type, .. } = &schema.dictionaries[dictionary.0];
        let is_flat = columns.dictionaries_below(columns.roots()).next().is_none();
        let idle = self.idle.as_ref().or(self.idle_in_batch.as_ref());
        match idle.filter(|_| is_flat) {
            Some(values) => Arc::clone(values),
            None => Arc::new(ArrayData::empty(value_type)),
        }
    }
}

/// Puts the dictionaries of a schema in order.
struct InnerFirst {
    ordered: Vec<DictionaryIdx>,
    is_ordered: Vec<bool>,
}

impl InnerFirst {
    fn of(schema: &SchemaColumns) -> Vec<DictionaryIdx> {
        let n_dictionaries = schema.dictionaries.len();
        let mut order = InnerFirst { ordered: Vec::new(), is_ordered: vec![false; n_dictionaries] };
        (0..n_dictionaries).for_each(|idx| order.add(schema, DictionaryIdx(idx)));
        order.ordered
    }

    /// Adds those inside of a dictionary, then itself. There are no cycles: the columns were made without one.
    fn add(&mut self, schema: &SchemaColumns, dictionary: DictionaryIdx) {
        if std::mem::replace(&mut self.is_ordered[dictionary.0], true) {
            return;
        }
        let columns = &schema.dictionaries[dictionary.0].columns;
        columns.dictionaries_below(columns.roots()).for_each(|inner| self.add(schema, inner));
        self.ordered.push(dictionary);
    }
}

/// Whether two arrays are the same or consist of equal bytes. Arrays that differ may still hold equal values.
fn same_values(left: &Arc<ArrayData>, right: &Arc<ArrayData>) -> bool {
    Arc::ptr_eq(left, right) || left.data_type().same_type(right.data_type()) && same_bytes(left, right)
}

/// The same for arrays of one type, with their children and dictionaries.
fn same_bytes(left: &ArrayData, right: &ArrayData) -> bool {
    let all_valid = left.null_count() == 0 && right.null_count() == 0;
    left.len() == right.len()
        && left.offset() == right.offset()
        && (all_valid || left.validity() == right.validity())
        && same_buffers(&left.layout(), left, right)
        && left.variadic() == right.variadic()
        && left.children().len() == right.children().len()
        && left.children().iter().zip(right.children()).all(|(left, right)| same_bytes(left, right))
        && match (left.dictionary(), right.dictionary()) {
            (Some(left), Some(right)) => same_values(left, right),
            (left, right) => left.is_none() && right.is_none(),
        }
}

/// Compares what slots need of each buffer: it may be longer.
fn same_buffers(layout: &Layout, left: &ArrayData, right: &ArrayData) -> bool {
    let n_elements = left.len().saturating_add(left.offset()) as u64;
    layout.data_buffers().iter().enumerate().all(|(k, spec)| {
        let (left, right) = (left.buffer(k), right.buffer(k));
        let needed = spec.min_bytes(n_elements).and_then(|n_bytes| usize::try_from(n_bytes).ok());
        match needed.filter(|needed| *needed > 0 && spec.bits > 1) {
            Some(needed) => left.same_memory(right) || left.get(..needed) == right.get(..needed),
            None => left == right,
        }
    })
}
