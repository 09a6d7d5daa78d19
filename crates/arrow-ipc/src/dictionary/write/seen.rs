//! The dictionaries that a tracker remembers.

use std::sync::{Arc, Weak};

use arrow_data::ArrayData;

use crate::columns::DictionaryColumns;

/// The last dictionaries that were looked up or compared, each with the result. They are remembered while they live.
#[derive(Debug, Clone)]
pub(super) struct Recent<T>(Vec<(Weak<ArrayData>, T)>);

/// The number of remembered dictionaries. Sources of batches alternate between fewer dictionaries than this.
const N_RECENT: usize = 8;

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(Vec::new())
    }
}

impl<T> Recent<T> {
    /// The result for these values, which are recognised by their memory.
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

/// The first values of a dictionary that belong to an array without a valid index. They are only written if the reader
/// needs a dictionary and there are no other values.
#[derive(Debug, Clone, Default)]
pub(super) struct Idle {
    first: Option<Arc<ArrayData>>,
    /// The first values of an idle array in the current batch.
    in_batch: Option<Arc<ArrayData>>,
}

impl Idle {
    /// Remembers the values of an array of the batch.
    pub(super) fn see(&mut self, values: &Arc<ArrayData>) {
        self.in_batch.get_or_insert_with(|| Arc::clone(values));
    }

    /// Notes that the batch is written.
    pub(super) fn commit(&mut self) {
        self.first = self.first.take().or_else(|| self.in_batch.take());
        self.in_batch = None;
    }

    /// Forgets the current batch, which is not written.
    pub(super) fn forget(&mut self) {
        self.in_batch = None;
    }

    /// The values that are written for a dictionary if no valid index refers to a value. They come from an array without a valid index, so
    /// that they need not be replaced later. If these values contain dictionaries, which might conflict with dictionaries that are needed,
    /// an empty array is used.
    pub(super) fn stand_in(&self, dictionary: &DictionaryColumns) -> Arc<ArrayData> {
        let DictionaryColumns { columns, value_type, .. } = dictionary;
        let is_flat = columns.dictionaries_below(columns.roots()).next().is_none();
        let idle = self.first.as_ref().or(self.in_batch.as_ref());
        match idle.filter(|_| is_flat) {
            Some(values) => Arc::clone(values),
            None => Arc::new(ArrayData::new_empty(value_type)),
        }
    }
}
