//! Caches the cast values of dictionaries for later arrays that share them.
//!
//! Functions here do not recurse. They are separate, so that recursive functions use little stack.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use arrow_buffer::{Charge, MemoryBudget};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use arrow_select::GrowingArray;

use super::{
    error::{CastError, CastResult},
    memory,
};

/// The dictionary that was last cast for each position in a type.
#[derive(Debug, Default)]
pub(super) struct DictionaryCache {
    known: Mutex<HashMap<u64, Box<CastDictionary>>>,
    /// The last dictionary with a value that cannot be cast, so that the value is not searched for each array again.
    refused: Mutex<HashMap<u64, RefusedDictionary>>,
    /// The dictionary whose values that lose digits were last counted. Several threads may cast a dictionary at the same time.
    counted: Mutex<HashMap<u64, CountedDictionary>>,
}

#[derive(Debug)]
struct CountedDictionary {
    values: ArrayData,
    n_cut: u64,
}

#[derive(Debug)]
struct RefusedDictionary {
    values: ArrayData,
    to: DataType,
    error: CastError,
}

impl DictionaryCache {
    /// The error of a dictionary that cannot be cast, if `values` are equal to it or continue it.
    #[inline(never)]
    pub(super) fn refusal(&self, child_id: u64, values: &ArrayData, to: &DataType) -> Option<CastError> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let last = refused.get(&child_id)?;
        let is_continued = last.to == *to
            && last.values.data_type() == values.data_type()
            && values.continues_memory(&last.values);
        is_continued.then(|| last.error.clone())
    }

    /// Stores the error of a dictionary, if a value is at fault, and returns it.
    #[inline(never)]
    pub(super) fn refuse(
        &self,
        child_id: u64,
        (values, to): (&ArrayData, &DataType),
        error: CastError,
    ) -> CastError {
        if error.kind().is_of_value() {
            let last = RefusedDictionary { values: values.clone(), to: to.clone(), error: error.clone() };
            self.refused.lock().unwrap_or_else(PoisonError::into_inner).insert(child_id, last);
        }
        error
    }

    /// Returns the stored dictionary if `values` are equal to it or continue it. If `values` continue it, removes it from the
    /// map, so that it can grow without a copy.
    #[inline(never)]
    pub(super) fn find(
        &self,
        child_id: u64,
        values: &ArrayData,
        to: &DataType,
    ) -> Option<Box<CastDictionary>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let last = known.get(&child_id).filter(|last| last.is_continued_by(values, to))?;
        if last.old.len() == values.len() {
            Some(CastDictionary::first(values, last.new.clone(), last.n_cut))
        } else {
            known.remove(&child_id)
        }
    }

    /// Stores a dictionary. Returns its cast values, and how many of them have lost digits and were not counted before.
    #[inline(never)]
    pub(super) fn keep(&self, child_id: u64, mut next: Box<CastDictionary>) -> (ArrayData, u64) {
        let n_uncounted = self.count(child_id, &mut next);
        let new = next.new.clone();
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(child_id, next);
        (new, n_uncounted)
    }

    /// Counts the values of a dictionary that have lost digits. Another thread may have counted some of them.
    fn count(&self, child_id: u64, next: &mut CastDictionary) -> u64 {
        let values = &next.old;
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let last = counted.get(&child_id).filter(|last| last.values.data_type() == values.data_type());
        let n_counted = match last {
            // Another thread has counted more values.
            Some(last) if last.values.len() > values.len() && last.values.continues_memory(values) => {
                return 0;
            }
            Some(last) if values.continues_memory(&last.values) => last.n_cut,
            Some(_) | None => 0,
        };
        // Dictionaries in this one may have been counted by the other thread alone.
        next.n_cut = next.n_cut.max(n_counted);
        counted.insert(child_id, CountedDictionary { values: values.clone(), n_cut: next.n_cut });
        next.n_cut.saturating_sub(n_counted)
    }
}

/// A dictionary before and after a cast.
#[derive(Debug)]
pub(super) struct CastDictionary {
    pub(super) old: ArrayData,
    pub(super) new: ArrayData,
    /// The number of values that have lost digits.
    n_cut: u64,
    /// The cast dictionary as an array that can grow, and the charge of its memory. `None` until it grows for the first time.
    growing: Option<(GrowingArray, Charge)>,
}

impl CastDictionary {
    pub(super) fn first(old: &ArrayData, new: ArrayData, n_cut: u64) -> Box<CastDictionary> {
        Box::new(CastDictionary { old: old.clone(), new, n_cut, growing: None })
    }

    fn is_continued_by(&self, values: &ArrayData, to: &DataType) -> bool {
        self.new.data_type() == to
            && self.old.data_type() == values.data_type()
            && values.continues_memory(&self.old)
    }

    /// The values after those of the stored dictionary. The result is boxed, so that recursive callers use little stack.
    pub(super) fn added(&self, values: &ArrayData) -> Box<ArrayData> {
        Box::new(values.slice(self.old.len(), values.len().saturating_sub(self.old.len())))
    }

    /// Appends the cast values `added`, of which `n_cut` have lost digits, to the dictionary. `None` if their cast has failed, or if they cannot be appended.
    #[inline(never)]
    pub(super) fn grown(
        self: Box<Self>,
        values: &ArrayData,
        (added, n_cut): (&CastResult<ArrayData>, u64),
        budget: &MemoryBudget,
    ) -> Option<Box<CastDictionary>> {
        let n_cut = self.n_cut.saturating_add(n_cut);
        let (added, CastDictionary { new, growing, .. }) = (added.as_ref().ok()?, *self);
        // The memory that has grown before is part of what is charged now.
        let growing = growing.map(|(growing, _charge)| growing);
        let n_bytes = u128::from(new.n_bytes()).saturating_add(u128::from(added.n_bytes()));
        let charge = memory::charge(n_bytes, budget).ok()?;
        let growing = match growing {
            Some(growing) => growing,
            None => GrowingArray::new(new.data_type()).append(&new, u64::MAX).ok()?,
        };
        let growing = growing.append(added, u64::MAX).ok()?;
        let new = growing.array();
        let growing = Some((growing, charge));
        Some(Box::new(CastDictionary { old: values.clone(), new, n_cut, growing }))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Int64Array;

    use super::*;

    /// A thread may find that another one has cast the same dictionary, a longer or a shorter one in the meantime.
    #[test]
    fn values_that_lose_digits_count_once_in_all_threads() {
        let all = Int64Array::from_iter(0..9).into_data();
        let other = Int64Array::from_iter(0..9).into_data();
        let cache = DictionaryCache::default();
        let n_uncounted =
            |values: &ArrayData, n_cut| cache.keep(0, CastDictionary::first(values, values.clone(), n_cut)).1;
        assert_eq!(n_uncounted(&all.slice(0, 4), 3), 3);
        assert_eq!(n_uncounted(&all.slice(0, 4), 3), 0, "the same");
        assert_eq!(n_uncounted(&all, 5), 2, "a longer one");
        assert_eq!(n_uncounted(&all.slice(0, 4), 3), 0, "a shorter one");
        assert_eq!(n_uncounted(&all, 5), 0, "the longer one again");
        assert_eq!(n_uncounted(&other, 5), 5, "another one");
        // One thread has counted the values of a dictionary in the first two values, and the other one these two.
        let [first, added] = [other.slice(0, 2), other.slice(2, 1)];
        let values = other.slice(0, 3);
        let cache = DictionaryCache::default();
        for (n_cut, expected) in [(3, 3), (0, 0)] {
            let stored = cache.keep(0, CastDictionary::first(&first, first.clone(), n_cut));
            assert_eq!(stored.1, expected);
        }
        let last = cache.find(0, &values, &DataType::Int64).expect("it is continued");
        let grown = last.grown(&values, (&Ok(added), 2), &MemoryBudget::unlimited()).expect("memory");
        assert_eq!(cache.keep(0, grown).1, 2);
        let other_child = cache.keep(1, CastDictionary::first(&other, other.clone(), 5)).1;
        assert_eq!(other_child, 5);
    }
}
