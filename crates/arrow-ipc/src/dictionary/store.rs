//! The dictionaries that have been read, by their place in the schema's columns.

use std::sync::{Arc, OnceLock};

use arrow_data::{ArrayData, ArrayParts, Level};
use arrow_schema::DataType;

use crate::{
    columns::{DictionaryIdx, SchemaColumns},
    error::{IpcErrorKind, Result},
};

/// What each dictionary of a schema holds now. Batches that were decoded keep the values they got.
#[derive(Debug, Clone, Default)]
pub(crate) struct DictionaryStore {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    id: i64,
    values: Option<Arc<ArrayData>>,
    value_type: DataType,
    /// Stands in for a dictionary that has not come while every index is null. Made once, so that all batches share
    /// it, and only where it is needed.
    empty: OnceLock<Arc<ArrayData>>,
}

impl DictionaryStore {
    /// A store without values.
    pub(crate) fn new(columns: &SchemaColumns) -> DictionaryStore {
        let entry = |dictionary: &crate::columns::DictionaryColumns| Entry {
            id: dictionary.id,
            values: None,
            value_type: dictionary.value_type.clone(),
            empty: OnceLock::new(),
        };
        DictionaryStore { entries: columns.dictionaries.iter().map(entry).collect() }
    }

    /// Whether the dictionary has values.
    pub(crate) fn is_defined(&self, dictionary: DictionaryIdx) -> bool {
        self.entries.get(dictionary.0).is_some_and(|entry| entry.values.is_some())
    }

    /// Gives the dictionary its values, instead of those it had.
    pub(crate) fn define(&mut self, dictionary: DictionaryIdx, values: Arc<ArrayData>) {
        if let Some(entry) = self.entries.get_mut(dictionary.0) {
            entry.values = Some(values);
        }
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
        let entry = self.entries.get(dictionary.0).ok_or(IpcErrorKind::Missing { what: "a dictionary" })?;
        match &entry.values {
            Some(values) => Ok(Arc::clone(values)),
            None if has_no_valid_slot(indices) => {
                Ok(Arc::clone(entry.empty.get_or_init(|| entry.no_values())))
            }
            None => Err(IpcErrorKind::MissingDictionary { id: entry.id }.into()),
        }
    }
}

impl Entry {
    /// An array without slots holds every level; it is proven here, so that no batch has to do it.
    fn no_values(&self) -> Arc<ArrayData> {
        let empty = ArrayData::empty(&self.value_type);
        Arc::new(empty.clone().validate(Level::Strict).unwrap_or(empty))
    }
}

fn has_no_valid_slot(indices: &ArrayParts) -> bool {
    match &indices.validity {
        None => indices.n_slots == 0,
        Some(validity) => validity.count_set() == 0,
    }
}
