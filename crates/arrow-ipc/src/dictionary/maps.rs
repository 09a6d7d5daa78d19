//! What the indices of a batch become when its dictionaries are part of larger ones.

use std::sync::Arc;

use arrow_data::ArrayData;

use super::pool::Mapping;
use crate::columns::DictionaryIdx;

/// For the dictionaries of a batch, and of the values that are written before it, what their slots are in those that
/// the reader has. Dictionaries are told apart by where they are in memory: the arrays are there as long as the batch is.
#[derive(Debug, Default)]
pub(crate) struct IndexMaps {
    /// By the place in the schema's columns. Mostly one for each.
    by_dictionary: Vec<Vec<(Arc<ArrayData>, Mapping)>>,
}

impl IndexMaps {
    /// No indices change.
    pub(crate) const NONE: &'static IndexMaps = &IndexMaps { by_dictionary: Vec::new() };

    /// Whether no indices change, whatever the arrays are.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_dictionary.is_empty()
    }

    pub(super) fn new(n_dictionaries: usize) -> IndexMaps {
        IndexMaps { by_dictionary: vec![Vec::new(); n_dictionaries] }
    }

    /// What the slots of an array's values are; nothing where no valid index asks.
    pub(crate) fn get(&self, dictionary: DictionaryIdx, values: &Arc<ArrayData>) -> Option<&Mapping> {
        let known = self.by_dictionary.get(dictionary.0)?;
        known.iter().find(|(known, _)| Arc::ptr_eq(known, values)).map(|(_, mapping)| mapping)
    }

    pub(super) fn add(&mut self, dictionary: DictionaryIdx, values: &Arc<ArrayData>, mapping: Mapping) {
        self.by_dictionary[dictionary.0].push((Arc::clone(values), mapping));
    }

    /// Forgets all, and tells those of each dictionary.
    pub(super) fn drain(
        &mut self,
    ) -> impl Iterator<Item = (usize, impl Iterator<Item = (Arc<ArrayData>, Mapping)>)> {
        self.by_dictionary.iter_mut().map(|known| known.drain(..)).enumerate()
    }
}
