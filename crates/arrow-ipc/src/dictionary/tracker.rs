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
#[derive(Debug)]
pub(crate) struct DictionaryTracker {
    replacement: Replacement,
    /// The top-level columns with a dictionary somewhere in them.
    roots: Vec<usize>,
    /// By the place in the schema's columns.
    written: Vec<Option<Arc<ArrayData>>>,
    /// What the batch that is looked at has.
    in_batch: Vec<Option<Arc<ArrayData>>>,
    pending: Vec<PendingDictionary>,
}

/// Whether other values may take the place of those that have been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// In a stream, for the batches that follow.
    Allowed,
    /// In a file, whose batches are read in any order.
    Refused,
}

/// How the values of a batch's dictionary are to those that have been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    New,
    Unchanged,
    Replacement,
}

/// Values that have to be written before the batch.
#[derive(Debug, Clone)]
pub(crate) struct PendingDictionary {
    pub(crate) dictionary: DictionaryIdx,
    pub(crate) values: Arc<ArrayData>,
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
            written: vec![None; n_dictionaries],
            in_batch: vec![None; n_dictionaries],
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
        Ok(&self.pending)
    }

    /// Says that all pending dictionaries have been written.
    pub(crate) fn commit(&mut self) {
        for pending in self.pending.drain(..) {
            self.written[pending.dictionary.0] = Some(pending.values);
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.pending.clear();
        if !self.roots.is_empty() {
            self.in_batch.fill(None);
        }
    }

    fn visit(
        &mut self,
        schema: &SchemaColumns,
        columns: &Columns,
        position: usize,
        array: &ArrayData,
    ) -> Result<()> {
        let (dictionary, values) = (columns.at(position).dictionary, array.dictionary());
        if let (Some(dictionary), Some(values)) = (dictionary, values) {
            self.see(schema, dictionary, array, values).in_field(|| columns.path(position))?;
        }
        columns
            .children(position)
            .zip(array.children())
            .try_for_each(|(child_position, child)| self.visit(schema, columns, child_position, child))
    }

    fn see(
        &mut self,
        schema: &SchemaColumns,
        dictionary: DictionaryIdx,
        indices: &ArrayData,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        let DictionaryColumns { id, columns, .. } = &schema.dictionaries[dictionary.0];
        let written = &self.written[dictionary.0];
        if written.is_some() && indices.null_count() == indices.len() {
            // Nothing refers to these values, often an empty array's none: those that are written need not go.
            return Ok(());
        }
        if let Some(first) = &self.in_batch[dictionary.0] {
            if same_values(first, values) {
                return Ok(());
            }
            return Err(IpcErrorKind::SharedDictionaryValues { id: *id }.into());
        }
        let change = match written {
            None => Change::New,
            Some(written) if same_values(written, values) => Change::Unchanged,
            Some(_) => Change::Replacement,
        };
        self.in_batch[dictionary.0] = Some(Arc::clone(values));
        // The values may have dictionaries themselves, which readers need first.
        for root in columns.roots() {
            self.visit(schema, columns, *root, values)?;
        }
        match (change, self.replacement) {
            (Change::Unchanged, _) => return Ok(()),
            (Change::Replacement, Replacement::Refused) => {
                return Err(IpcErrorKind::ReplacedDictionary { id: *id }.into());
            }
            (Change::New, _) | (Change::Replacement, Replacement::Allowed) => {}
        }
        self.pending.push(PendingDictionary { dictionary, values: Arc::clone(values) });
        Ok(())
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
