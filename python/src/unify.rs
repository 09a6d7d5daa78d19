//! Writes one dictionary with the values of all batches, which are read before the first one is written.

use std::{iter, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, IpcSchema, UnusedValues, WriteOptions,
    dictionary::{DictionaryUnifier, UnifiedDictionaries},
};
use arrow_ipc_tools::columns::dictionary_columns;
use arrow_schema::Schema;

use crate::{
    data::{BoxedBatches, SecondPass},
    error::{Failure, Result},
    write::check_signals,
};

/// Reads all batches, and returns them with options for one dictionary. If the batches have dictionaries, they are
/// all in memory at the same time.
pub(crate) fn unify(
    schema: &Arc<Schema>,
    batches: BoxedBatches,
    options: WriteOptions,
) -> Result<(BoxedBatches, WriteOptions)> {
    let schema = IpcSchema::from(schema);
    if schema.dictionary_ids().is_empty() {
        return Ok((batches, options));
    }
    let collected = batches.map(|batch| check_signals().map_err(Failure::from).and(batch));
    let collected: Vec<RecordBatch> = collected.collect::<Result<_>>()?;
    let mut unifier = options.dictionary_unifier(schema)?;
    collected.iter().try_for_each(|batch| unifier.observe(batch))?;
    let options = options.with_dictionaries(DictionaryPolicy::Unify(unifier.finish()?));
    Ok((Box::new(collected.into_iter().map(Ok)), options))
}

/// Like [`unify`], for batches that can be read twice. The options stay the same if all batches have the same dictionaries, and if
/// these cannot be unified: the writer then says why, or adds the values of ordered dictionaries as a delta.
pub(crate) fn unify_in_memory(
    schema: &Arc<Schema>,
    (batches, second_pass): (BoxedBatches, SecondPass),
    options: WriteOptions,
) -> Result<(BoxedBatches, WriteOptions)> {
    let ids = IpcSchema::from(schema);
    if ids.dictionary_ids().is_empty() {
        return Ok((batches, options));
    }
    let (batches, unified) = match second_pass {
        SecondPass::InMemory => {
            let mut seen = DictionaryChanges::try_new(ids, &options)?;
            let mut collected = Vec::new();
            for batch in batches {
                check_signals()?;
                let batch = batch?;
                seen.observe(&batch);
                collected.push(batch);
            }
            (Box::new(collected.into_iter().map(Ok)) as BoxedBatches, seen.finish())
        }
        SecondPass::File(_) if options.unused_values() != UnusedValues::Remove => (batches, None),
        SecondPass::File(look) | SecondPass::Reading(look) => {
            let positions = dictionary_columns(schema);
            // Other columns have no ids, so the ids stay in the same order.
            let columns =
                IpcSchema::try_with_dictionary_ids(schema.project(&positions)?, ids.dictionary_ids())?;
            let mut seen = DictionaryChanges::try_new(columns, &options)?;
            for batch in look(&positions)? {
                check_signals()?;
                seen.observe(&batch?);
            }
            (batches, seen.finish())
        }
    };
    let options = match unified {
        Some(unified) => options.with_dictionaries(DictionaryPolicy::Unify(unified)),
        None => options,
    };
    Ok((batches, options))
}

/// The dictionaries of the batches up to now.
struct DictionaryChanges {
    /// `None` after dictionaries that cannot be unified.
    unifier: Option<DictionaryUnifier>,
    /// The dictionaries of the first batch.
    first: Option<Vec<Arc<ArrayData>>>,
    n_batches: usize,
    /// Whether each batch has the dictionaries of the first, in the same memory.
    are_same: bool,
    leaves_out: bool,
}

impl DictionaryChanges {
    fn try_new(schema: IpcSchema, options: &WriteOptions) -> Result<DictionaryChanges> {
        let leaves_out = options.unused_values() == UnusedValues::Remove;
        let unifier = Some(options.dictionary_unifier(schema)?);
        Ok(DictionaryChanges { unifier, first: None, n_batches: 0, are_same: true, leaves_out })
    }

    fn observe(&mut self, batch: &RecordBatch) {
        let Some(unifier) = &mut self.unifier else { return };
        if unifier.observe(batch).is_err() {
            self.unifier = None;
            return;
        }
        self.n_batches += 1;
        let mut found = Vec::new();
        batch.columns().iter().for_each(|column| dictionaries_in(column, &mut found));
        match &self.first {
            None => self.first = Some(found),
            Some(first) => {
                let same = |(one, other): (&Arc<ArrayData>, &Arc<ArrayData>)| one.same_memory(other);
                self.are_same &= first.len() == found.len() && iter::zip(first, &found).all(same);
            }
        }
    }

    /// One dictionary for all batches; `None` if they have one already, or cannot have one.
    fn finish(self) -> Option<UnifiedDictionaries> {
        let is_needed = !self.are_same || self.leaves_out && self.n_batches > 1;
        if is_needed { self.unifier?.finish().ok() } else { None }
    }
}

/// Adds the dictionaries of an array, of its children and of dictionaries.
pub(crate) fn dictionaries_in(array: &ArrayData, found: &mut Vec<Arc<ArrayData>>) {
    if let Some(dictionary) = array.dictionary() {
        found.push(Arc::clone(dictionary));
        dictionaries_in(dictionary, found);
    }
    array.children().iter().for_each(|child| dictionaries_in(child, found));
}
