//! The written values of a dictionary: an array, and a table for looking values up. The table is filled only once a
//! batch has a dictionary that does not continue the written values.

use std::sync::Arc;

use arrow_data::{ArrayData, Validation};
use arrow_select::{SelectError, ValueReader, ValueTable};

use super::pool::{Mapping, MergeResult, NewSlots, absorb};

/// The written values, and the new values of the current batch, in the order of writing.
///
/// A dictionary continues the array if it has the same memory, or begins with the same values. Otherwise, its values are
/// looked up in the table.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownValues {
    /// The first values, as an array.
    array: Option<Arc<ArrayData>>,
    /// The last dictionary that begins like the array but has other memory, and the number of values that are known to be
    /// equal.
    other: Option<(Arc<ArrayData>, usize)>,
    /// A table for looking values up. It has the first values of the array, or all values.
    table: ValueTable,
    /// The state at the last commit. Later values belong to the current batch.
    committed: CommittedValues,
}

#[derive(Debug, Clone, Default)]
struct CommittedValues {
    array: Option<Arc<ArrayData>>,
    n_values: usize,
}

impl KnownValues {
    /// Starts with an array whose values are all in `table`.
    pub(super) fn new(array: Arc<ArrayData>, table: ValueTable) -> KnownValues {
        let mut known = KnownValues { array: Some(array), table, ..KnownValues::default() };
        known.commit();
        known
    }

    pub(super) fn len(&self) -> usize {
        self.n_in_array().max(self.table.len())
    }

    fn n_in_array(&self) -> usize {
        match &self.array {
            Some(array) => array.len(),
            None => 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn into_table(self) -> ValueTable {
        self.table
    }

    /// Finds the values of a dictionary among the known values, and adds the new values.
    ///
    /// # Errors
    /// If the values are invalid, or the table would become too large.
    pub(super) fn absorb(&mut self, values: &Arc<ArrayData>) -> Result<MergeResult, SelectError> {
        let n_known = self.len();
        let continues = match &self.array {
            None => n_known == 0,
            Some(array) if values.len() >= array.len() => values.continues_memory(array),
            Some(array) => array.continues_memory(values),
        };
        if continues && let Some(absorbed) = self.resume(values) {
            return Ok(absorbed);
        }
        let values = &checked(values)?;
        if !continues && self.same_start(values)? {
            let n_same = self.n_in_array().min(values.len());
            self.other = Some((Arc::clone(values), n_same));
            if let Some(absorbed) = self.resume(values) {
                return Ok(absorbed);
            }
        }
        self.fill_table()?;
        let absorbed = absorb(&mut self.table, ValueReader::try_new(values)?)?;
        let is_all = matches!(absorbed.mapping, Mapping::Same) && values.len() == self.table.len();
        self.array = is_all.then(|| Arc::clone(values)).or(self.array.take());
        Ok(absorbed)
    }

    /// Whether the values and the array are equal up to the length of the shorter one. Skips values that were compared
    /// before, which have the same memory.
    fn same_start(&self, values: &ArrayData) -> Result<bool, SelectError> {
        let Some(array) = &self.array else { return Ok(false) };
        let n_common = array.len().min(values.len());
        let n_seen = match &self.other {
            Some((other, n_same)) if values.continues_memory(other) => n_common.min(*n_same),
            Some(_) | None => 0,
        };
        let rest = |of: &ArrayData| of.try_slice(n_seen, n_common - n_seen);
        Ok(rest(array)?.begins_with(&rest(values)?)?)
    }

    /// Accepts values that begin with the array, or that the array begins with. Returns `None` if the table has values
    /// that the array does not have: then the values must be looked up.
    fn resume(&mut self, values: &Arc<ArrayData>) -> Option<MergeResult> {
        let n_known = self.len();
        let n_values = values.len();
        let n_array = self.n_in_array();
        if n_values > n_array {
            if n_array < n_known {
                return None;
            }
            self.array = Some(Arc::clone(values));
        }
        let added = NewSlots::Range(n_known.min(n_values)..n_values);
        Some(MergeResult { mapping: Mapping::Same, added })
    }

    /// Adds the remaining values of the array to the table.
    fn fill_table(&mut self) -> Result<(), SelectError> {
        let Some(array) = &self.array else { return Ok(()) };
        let n_looked_up = self.table.len();
        if n_looked_up < array.len() {
            let mut reader = ValueReader::try_new(array)?;
            self.table.reserve(array.len() - n_looked_up, &reader);
            for slot in n_looked_up..array.len() {
                self.table.push(&mut reader, slot)?;
            }
        }
        Ok(())
    }

    /// Records that all values have been written.
    pub(super) fn commit(&mut self) {
        self.committed = CommittedValues { array: self.array.clone(), n_values: self.len() };
    }

    /// Removes the values since the last commit.
    pub(super) fn forget(&mut self) {
        self.array.clone_from(&self.committed.array);
        let n_left = self.n_in_array();
        self.other.iter_mut().for_each(|(_, n_same)| *n_same = n_left.min(*n_same));
        self.table.truncate(self.committed.n_values);
    }
}

/// Checks the content of the values, unless it has been checked.
pub(super) fn checked(values: &Arc<ArrayData>) -> Result<Arc<ArrayData>, SelectError> {
    if values.checked() >= Validation::Content {
        Ok(Arc::clone(values))
    } else {
        Ok(Arc::new(ArrayData::clone(values).validate(Validation::Content)?))
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::DataType;
    use arrow_select::GrowingArray;
    use testing_support::{Rng, ints};

    use super::*;

    fn numbers(numbers: impl IntoIterator<Item = i32>) -> Arc<ArrayData> {
        Arc::new(ints(numbers))
    }

    /// Adds numbers to the known values and to a list, and compares both.
    fn absorb_numbers(known: &mut KnownValues, list: &mut Vec<i32>, values: &Arc<ArrayData>) {
        let numbers: Vec<i32> = values.buffer(0).view::<i32>().unwrap().to_vec();
        let MergeResult { mapping, added } = known.absorb(values).unwrap();
        let added: Vec<usize> = match added {
            NewSlots::Range(range) => range.collect(),
            NewSlots::Slots(slots) => slots,
        };
        let is_continued = numbers.starts_with(list) || list.starts_with(&numbers);
        list.extend(added.iter().map(|slot| numbers[*slot]));
        assert_eq!(known.len(), list.len());
        match mapping {
            Mapping::Same => assert!(is_continued && list.starts_with(&numbers), "{numbers:?} in {list:?}"),
            Mapping::Table(table) => {
                assert!(!is_continued);
                let found: Vec<i32> = table.iter().map(|position| list[*position as usize]).collect();
                assert_eq!(found, numbers);
            }
        }
    }

    /// Dictionaries in new memory, parts of earlier dictionaries, and dictionaries that grow in place. Some are not
    /// written.
    #[test]
    fn agrees_with_a_list() {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut known = KnownValues::default();
            let mut list = Vec::new();
            let mut committed = Vec::new();
            let mut growing = GrowingArray::new(&DataType::Int32);
            let mut before: Vec<Arc<ArrayData>> = Vec::new();
            for _ in 0..25 {
                let some: Vec<i32> = (0..1 + rng.below(6)).map(|_| rng.below(9) as i32).collect();
                let values = match rng.below(5) {
                    0 => numbers(some),
                    1 => numbers(list.iter().copied().chain(some)),
                    2 if !before.is_empty() => {
                        let of = rng.pick(&before);
                        let n_values = 1 + rng.below(of.len());
                        Arc::new(of.slice(0, n_values))
                    }
                    _ => {
                        growing = growing.append(&numbers(some), u64::MAX).unwrap();
                        Arc::new(growing.array())
                    }
                };
                absorb_numbers(&mut known, &mut list, &values);
                before.push(values);
                if rng.one_in(4) {
                    known.forget();
                    list.clone_from(&committed);
                } else if rng.one_in(2) {
                    known.commit();
                    committed.clone_from(&list);
                }
            }
        }
    }

    /// While each dictionary continues the previous one, no value is looked up, wherever the values lie in memory.
    #[test]
    fn values_that_follow_are_not_looked_up() {
        let mut known = KnownValues::default();
        let mut copies = KnownValues::default();
        let mut growing = GrowingArray::new(&DataType::Int32);
        for k in 0..500 {
            growing = growing.append(&ints([k, k]), u64::MAX).unwrap();
            let values = Arc::new(growing.array());
            let copy = numbers(values.buffer(0).view::<i32>().unwrap().to_vec());
            for (known, values) in [(&mut known, values), (&mut copies, copy)] {
                let MergeResult { mapping, added } = known.absorb(&values).unwrap();
                known.commit();
                assert!(matches!(mapping, Mapping::Same));
                assert!(
                    matches!(added, NewSlots::Range(range) if range == (2 * k as usize..2 * k as usize + 2))
                );
                assert_eq!(known.table.len(), 0);
            }
        }
        // Each value of a dictionary that does not continue the last one is looked up once.
        for known in [&mut known, &mut copies] {
            let absorbed = known.absorb(&numbers([7, -1])).unwrap();
            assert_eq!(absorbed.mapping.table(), Some(&[15, 1000][..]));
            assert_eq!(known.table.len(), 1001);
        }
    }
}
