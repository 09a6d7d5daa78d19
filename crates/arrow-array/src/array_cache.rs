//! Caches values for shared arrays. The cache does not keep the arrays alive.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use arrow_data::ArrayData;

/// Stores a value for each of several shared arrays, by the address of the array.
///
/// Entries of dropped arrays are removed from time to time. Until then, the `Weak` reserves the address, so no other array gets
/// it.
#[derive(Debug)]
pub(crate) struct ArrayCache<T> {
    entries: HashMap<usize, (Weak<ArrayData>, T)>,
    n_inserted: usize,
}

/// `insert` removes entries of dropped arrays when an eighth of the entries are new. So few entries are stale, and the average
/// cost of an insertion is constant.
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
        let mut cache = ArrayCache::default();
        let array = Arc::new(ArrayData::default());
        cache.insert(&array, 7);
        for n in 0..1_000 {
            let other = Arc::new(ArrayData::default());
            assert_eq!(cache.get(&other), None);
            cache.insert(&other, n);
            assert_eq!((cache.get(&other), cache.get(&array)), (Some(&n), Some(&7)));
            assert!(cache.entries.len() <= 3, "{} entries", cache.entries.len());
        }
        let alive: Vec<_> = (0..1_000).map(|_| Arc::new(ArrayData::default())).collect();
        for (n, array) in alive.iter().enumerate() {
            cache.insert(array, n);
        }
        assert!(alive.iter().enumerate().all(|(n, array)| cache.get(array) == Some(&n)));
    }
}
