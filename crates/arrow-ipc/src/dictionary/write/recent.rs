//! Remembers the dictionaries of recent batches.

use std::sync::{Arc, Weak};

use arrow_data::ArrayData;

use arrow_ipc_format::columns::DictionaryColumns;

/// The last dictionaries that were looked up or compared, as weak references, each with the result.
#[derive(Debug, Clone)]
pub(super) struct RecentDictionaries<T>(Vec<(Weak<ArrayData>, T)>);

/// The number of dictionaries to remember. Most sources of batches alternate between fewer dictionaries.
const N_RECENT: usize = 8;

impl<T> Default for RecentDictionaries<T> {
    fn default() -> RecentDictionaries<T> {
        RecentDictionaries(Vec::new())
    }
}

impl<T> RecentDictionaries<T> {
    /// The result for these values, or for values in the same memory.
    pub(super) fn recall(&self, values: &Arc<ArrayData>) -> Option<&T> {
        let same_address = |(known, _): &&(Weak<ArrayData>, T)| known.as_ptr() == Arc::as_ptr(values);
        let same_memory = |(known, _): &&(Weak<ArrayData>, T)| {
            known.upgrade().is_some_and(|known| known.same_memory(values))
        };
        let found = self.0.iter().find(same_address).or_else(|| self.0.iter().find(same_memory));
        found.map(|(_, found)| found)
    }

    pub(super) fn remember(&mut self, values: &Arc<ArrayData>, found: T) {
        let same_address = |(known, _): &(Weak<ArrayData>, T)| known.as_ptr() == Arc::as_ptr(values);
        if self.0.last().is_some_and(same_address) {
            return;
        }
        self.0.retain(|known| !same_address(known) && known.0.strong_count() > 0);
        if self.0.len() == N_RECENT {
            self.0.remove(0);
        }
        self.0.push((Arc::downgrade(values), found));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The values of the first array without a valid index. They are written only if the reader needs a dictionary and no
/// other values exist.
#[derive(Debug, Clone, Default)]
pub(super) struct UnusedDictionary {
    first: Option<Arc<ArrayData>>,
    /// The values of the first array without a valid index in the current batch.
    in_batch: Option<Arc<ArrayData>>,
}

impl UnusedDictionary {
    /// Stores the values of an array without a valid index.
    pub(super) fn observe(&mut self, values: &Arc<ArrayData>) {
        self.in_batch.get_or_insert_with(|| Arc::clone(values));
    }

    /// Records that the current batch has been written.
    pub(super) fn commit(&mut self) {
        self.first = self.first.take().or_else(|| self.in_batch.take());
        self.in_batch = None;
    }

    /// Removes the values of the current batch, which was not written.
    pub(super) fn forget(&mut self) {
        self.in_batch = None;
    }

    /// The values to write for a dictionary to which no valid index refers. These are the values of an array, since a
    /// later batch probably has the same values. If they contain dictionaries, which could conflict with other
    /// dictionaries, returns an empty array.
    pub(super) fn stand_in(&self, dictionary: &DictionaryColumns) -> Arc<ArrayData> {
        let DictionaryColumns { columns, value_type, .. } = dictionary;
        let is_flat = columns.dictionaries_below(columns.roots()).next().is_none();
        let idle = self.first.as_ref().or(self.in_batch.as_ref());
        match idle {
            Some(values) if is_flat => Arc::clone(values),
            Some(_) | None => Arc::new(ArrayData::new_empty(value_type)),
        }
    }
}
