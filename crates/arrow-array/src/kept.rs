//! Caches values for shared arrays, without keeping the arrays alive.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use arrow_data::ArrayData;

/// A value for each of several shared arrays, found by the address of the array.
///
/// An entry does not keep its array alive. Entries of dropped arrays are removed from time to time. Until then, their
/// addresses stay in use, so no other array can have the same address.
#[derive(Debug)]
pub(crate) struct ArrayCache<T> {
    entries: HashMap<usize, (Weak<ArrayData>, T)>,
    n_inserted: usize,
}

/// All entries are checked when their number has grown by this fraction (one in eight). So few entries belong to
/// dropped arrays, and on average an insertion checks a fixed number of entries.
const SWEEP_PART: usize = 8;

impl<T> ArrayCache<T> {
    pub(crate) fn get(&self, array: &Arc<ArrayData>) -> Option<&T> {
        self.entries.get(&Arc::as_ptr(array).addr()).map(|(_, value)| value)
    }

    pub(crate) fn insert(&mut self, array: &Arc<ArrayData>, value: T) {
        if self.n_inserted.saturating_mul(SWEEP_PART) >= self.entries.len() {
            self.entries.retain(|_, (array, _)| array.strong_count() > 0);
            self.n_inserted = 0;
        }
        self.n_inserted = self.n_inserted.saturating_add(1);
        self.entries.insert(Arc::as_ptr(array).addr(), (Arc::downgrade(array), value));
    }
}

impl<T> Default for ArrayCache<T> {
    fn default() -> ArrayCache<T> {
        ArrayCache { entries: HashMap::new(), n_inserted: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_go_with_their_arrays() {
        let mut kept = ArrayCache::default();
        let array = Arc::new(ArrayData::default());
        kept.insert(&array, 7);
        for n in 0..1_000 {
            let other = Arc::new(ArrayData::default());
            assert_eq!(kept.get(&other), None);
            kept.insert(&other, n);
            assert_eq!((kept.get(&other), kept.get(&array)), (Some(&n), Some(&7)));
            assert!(kept.entries.len() <= 3, "{} entries", kept.entries.len());
        }
        let alive: Vec<_> = (0..1_000).map(|_| Arc::new(ArrayData::default())).collect();
        for (n, array) in alive.iter().enumerate() {
            kept.insert(array, n);
        }
        assert!(alive.iter().enumerate().all(|(n, array)| kept.get(array) == Some(&n)));
    }
}
