//! The dictionaries that have been read, by their place in the schema's columns.

use std::sync::{Arc, OnceLock};

use arrow_data::{ArrayData, ArrayParts, DataError, Level};
use arrow_schema::DataType;

use super::growth::{Growth, GrowthLimits, Values};
use crate::{
    columns::{DictionaryIdx, SchemaColumns},
    error::{IpcErrorKind, Result},
};

/// What each dictionary of a schema holds now. Batches that were decoded keep the values they got.
#[derive(Debug, Clone)]
pub(crate) struct DictionaryStore {
    /// By the place in the schema's columns.
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    id: i64,
    state: State,
    /// The values that were published; files publish those of each dictionary once.
    published: OnceLock<Arc<ArrayData>>,
    value_type: DataType,
    /// Used for a dictionary that has not come, if every index is null. Made once, so that all batches share
    /// it, and only where it is needed.
    empty: OnceLock<Arc<ArrayData>>,
}

#[derive(Debug, Clone)]
enum State {
    /// Has not come, or adding to it failed.
    Missing,
    /// Was sent while no selected column needed it.
    Skipped,
    /// As it came.
    Whole { values: Arc<ArrayData>, n_message_bytes: u64 },
    /// With deltas. An array of all values is made when a batch needs it, for all deltas before it at once.
    Grown { growth: Box<Growth>, values: OnceLock<Arc<ArrayData>> },
}

impl DictionaryStore {
    /// A store without values.
    pub(crate) fn new(columns: &SchemaColumns) -> DictionaryStore {
        let entry = |dictionary: &crate::columns::DictionaryColumns| Entry {
            id: dictionary.id,
            state: State::Missing,
            published: OnceLock::new(),
            value_type: dictionary.value_type.clone(),
            empty: OnceLock::new(),
        };
        DictionaryStore { entries: columns.dictionaries.iter().map(entry).collect() }
    }

    /// Whether the dictionary has values.
    pub(crate) fn is_defined(&self, dictionary: DictionaryIdx) -> bool {
        self.values(dictionary).is_some()
    }

    /// Gives the dictionary its values, instead of those it had. `n_message_bytes` are those of their message.
    pub(crate) fn define(&mut self, dictionary: DictionaryIdx, values: Arc<ArrayData>, n_message_bytes: u64) {
        self.entries[dictionary.0].state = State::Whole { values, n_message_bytes };
    }

    /// Gives a dictionary its values for all sessions that share the store. The first call wins.
    pub(crate) fn publish(&self, dictionary: DictionaryIdx, values: Arc<ArrayData>) {
        self.entries[dictionary.0].published.get_or_init(|| values);
    }

    /// Notes that the dictionary has been sent and was not read.
    pub(crate) fn skip(&mut self, dictionary: DictionaryIdx) {
        self.entries[dictionary.0].state = State::Skipped;
    }

    /// Whether the dictionary has been sent and was not read.
    pub(crate) fn is_skipped(&self, dictionary: DictionaryIdx) -> bool {
        matches!(self.entries[dictionary.0].state, State::Skipped)
    }

    /// Adds values to those that the dictionary has. Returns how many bytes that copied.
    ///
    /// # Errors
    /// If the dictionary has no values yet, if all values together exceed their type, or if more would be copied than is
    /// reasonable for its size.
    pub(crate) fn add(
        &mut self,
        dictionary: DictionaryIdx,
        delta: Values<'_>,
        limits: GrowthLimits<'_>,
    ) -> Result<u64> {
        let entry = &mut self.entries[dictionary.0];
        let (growth, n_before) = match std::mem::replace(&mut entry.state, State::Missing) {
            State::Missing | State::Skipped => {
                return Err(IpcErrorKind::DeltaOfMissing { id: entry.id }.into());
            }
            State::Whole { values, n_message_bytes } => {
                let base = Values { array: &values, n_message_bytes };
                (Box::new(Growth::new(&entry.value_type).add(base, limits)?), 0)
            }
            State::Grown { growth, values } => {
                // Bits are copied while another array refers to the last ones.
                drop(values);
                let n_before = growth.n_copied_bytes();
                (growth, n_before)
            }
        };
        let growth = Box::new(growth.add(delta, limits)?);
        let n_copied = growth.n_copied_bytes().saturating_sub(n_before);
        entry.state = State::Grown { growth, values: OnceLock::new() };
        Ok(n_copied)
    }

    /// Checks the content of a dictionary's values, unless that has been done: for values with an index into them that
    /// will be looked at themselves, over and over.
    ///
    /// # Errors
    /// If the content is wrong.
    pub(crate) fn prove(&mut self, dictionary: DictionaryIdx) -> std::result::Result<(), DataError> {
        if let State::Whole { values, .. } = &mut self.entries[dictionary.0].state
            && values.checked() < Level::Content
        {
            *values = Arc::new(ArrayData::clone(values).validate(Level::Content)?);
        }
        Ok(())
    }

    /// The values for an array of indices.
    ///
    /// # Errors
    /// If they have not come yet. An array without any valid index does not need them: producers may send the
    /// dictionary later.
    pub(crate) fn values_for(
        &self,
        dictionary: DictionaryIdx,
        indices: &ArrayParts,
    ) -> Result<Arc<ArrayData>> {
        if let Some(values) = self.values(dictionary) {
            return Ok(Arc::clone(values));
        }
        let entry = &self.entries[dictionary.0];
        if has_no_valid_slot(indices) {
            return Ok(Arc::clone(entry.empty.get_or_init(|| entry.no_values())));
        }
        Err(IpcErrorKind::MissingDictionary { id: entry.id }.into())
    }

    /// The values that the dictionary has.
    pub(crate) fn values(&self, dictionary: DictionaryIdx) -> Option<&Arc<ArrayData>> {
        let entry = &self.entries[dictionary.0];
        match &entry.state {
            State::Missing | State::Skipped => entry.published.get(),
            State::Whole { values, .. } => Some(values),
            State::Grown { growth, values } => Some(values.get_or_init(|| growth.values())),
        }
    }
}

impl Entry {
    /// An array without slots holds every level; it is proven here, so that no batch has to do it.
    fn no_values(&self) -> Arc<ArrayData> {
        let empty = ArrayData::new_empty(&self.value_type);
        Arc::new(empty.clone().validate(Level::Strict).unwrap_or(empty))
    }
}

fn has_no_valid_slot(indices: &ArrayParts) -> bool {
    match &indices.validity {
        None => indices.n_slots == 0,
        Some(validity) => validity.count_set() == 0,
    }
}
