//! Maps the values of a batch's dictionary to the written dictionary, and so old indices to new indices.

use std::{ops::Range, sync::Arc};

use arrow_data::ArrayData;
use arrow_select::{Insertion, SelectError, ValueReader, ValueTable};

use arrow_ipc_format::columns::DictionaryIdx;

/// The new indices for one dictionary of a batch.
#[derive(Debug, Clone)]
pub(crate) enum Mapping {
    /// The new indices equal the old indices.
    Same,
    /// The new index for each old index.
    Table(Arc<[u64]>),
}

/// The result of looking up the values of a dictionary.
#[derive(Debug)]
pub(super) struct MergeResult {
    pub(super) mapping: Mapping,
    pub(super) added: NewSlots,
}

/// Which slots of the dictionary have new values.
#[derive(Debug)]
pub(super) enum NewSlots {
    /// This range, which is empty or extends to the end of the dictionary.
    Range(Range<usize>),
    /// These slots, in the order of writing.
    Slots(Vec<usize>),
}

/// Finds the values of a dictionary in `pool`, and adds the new values.
///
/// If the dictionary begins with all values of the pool, the rest is added unchanged, with repetitions, so that indices
/// stay the same. Otherwise, each new value is added once.
///
/// # Errors
/// If the values exceed the size that the reader allows. Some values may have been added; truncate the pool to remove
/// them.
pub(super) fn absorb(pool: &mut ValueTable, mut values: ValueReader) -> Result<MergeResult, SelectError> {
    let n_values = values.n_slots();
    let n_known = pool.len();
    let n_same = pool.n_same(&mut values)?;
    if n_same == n_values {
        return Ok(MergeResult { mapping: Mapping::Same, added: NewSlots::Range(0..0) });
    }
    if n_same == n_known {
        pool.reserve(n_values - n_same, &values);
        for slot in n_same..n_values {
            pool.push(&mut values, slot)?;
        }
        return Ok(MergeResult { mapping: Mapping::Same, added: NewSlots::Range(n_same..n_values) });
    }
    let mut table: Vec<u64> = (0..n_same as u64).collect();
    let mut added = Vec::new();
    for slot in n_same..n_values {
        let position = match pool.insert(&mut values, slot)? {
            Insertion::Known(position) => position,
            Insertion::New(position) => {
                added.push(slot);
                position
            }
        };
        table.push(position as u64);
    }
    Ok(MergeResult { mapping: Mapping::Table(table.into()), added: NewSlots::Slots(added) })
}

impl Mapping {
    /// The new index for each old index; `None` if indices stay the same.
    pub(crate) fn table(&self) -> Option<&[u64]> {
        match self {
            Mapping::Same => None,
            Mapping::Table(table) => Some(table),
        }
    }
}

impl NewSlots {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            NewSlots::Range(range) => range.is_empty(),
            NewSlots::Slots(slots) => slots.is_empty(),
        }
    }
}

/// For each dictionary of a batch and of pending values, the new index of each value. The address of a dictionary
/// identifies it, since the batch keeps its arrays in memory.
#[derive(Debug, Default)]
pub(crate) struct IndexMaps {
    /// The mappings for each dictionary of the schema, by its position. Most dictionaries have one mapping.
    by_dictionary: Vec<Vec<(Arc<ArrayData>, Mapping)>>,
}

impl IndexMaps {
    /// Mappings that change no index.
    pub(crate) const NONE: &'static IndexMaps = &IndexMaps { by_dictionary: Vec::new() };

    /// Whether all indices stay the same.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_dictionary.is_empty()
    }

    pub(crate) fn new(n_dictionaries: usize) -> IndexMaps {
        IndexMaps { by_dictionary: vec![Vec::new(); n_dictionaries] }
    }

    /// The mapping for the values of an array; `None` if no valid index refers to them.
    pub(crate) fn get(&self, dictionary: DictionaryIdx, values: &Arc<ArrayData>) -> Option<&Mapping> {
        let known = self.by_dictionary.get(dictionary.0)?;
        known.iter().find(|(known, _)| Arc::ptr_eq(known, values)).map(|(_, mapping)| mapping)
    }

    pub(super) fn add(&mut self, dictionary: DictionaryIdx, values: &Arc<ArrayData>, mapping: Mapping) {
        self.by_dictionary[dictionary.0].push((Arc::clone(values), mapping));
    }

    pub(super) fn drain(
        &mut self,
        dictionary: DictionaryIdx,
    ) -> impl Iterator<Item = (Arc<ArrayData>, Mapping)> {
        self.by_dictionary[dictionary.0].drain(..)
    }
}

#[cfg(test)]
mod tests {
    use arrow_data::ArrayParts;
    use arrow_schema::DataType;
    use testing_support::{Rng, ints};

    use super::*;

    /// Adds numbers to a pool and to a list, and compares both.
    fn absorb_numbers(pool: &mut ValueTable, known: &mut Vec<i32>, numbers: &[i32]) {
        let values = ValueReader::try_new(&ints(numbers.iter().copied())).unwrap();
        let MergeResult { mapping, added } = absorb(pool, values).unwrap();
        let added: Vec<usize> = match added {
            NewSlots::Range(range) => range.collect(),
            NewSlots::Slots(slots) => slots,
        };
        let is_continued = numbers.starts_with(known) || known.starts_with(numbers);
        let n_known = known.len();
        known.extend(added.iter().map(|slot| numbers[*slot]));
        assert_eq!(pool.len(), known.len());
        match mapping {
            Mapping::Same => assert!(is_continued && known.starts_with(numbers), "{numbers:?} in {known:?}"),
            Mapping::Table(table) => {
                assert!(!is_continued);
                let found: Vec<i32> = table.iter().map(|position| known[*position as usize]).collect();
                assert_eq!(found, numbers);
                let mut once = known[n_known..].to_vec();
                once.sort();
                once.dedup();
                assert_eq!(once.len(), added.len(), "{numbers:?} in {known:?}");
                assert!(
                    !known[..n_known].iter().any(|number| once.contains(number)),
                    "{numbers:?} in {known:?}"
                );
            }
        }
    }

    #[test]
    fn agrees_with_a_list() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut pool = ValueTable::default();
            let mut known = Vec::new();
            for _ in 0..30 {
                let n_max = 1 + rng.below(12);
                let mut numbers: Vec<i32> = (0..n_max).map(|_| rng.below(9) as i32).collect();
                if rng.one_in(3) {
                    numbers.splice(0..0, known.iter().copied());
                }
                absorb_numbers(&mut pool, &mut known, &numbers);
                if rng.one_in(3) {
                    let n_values = rng.below(known.len() + 1);
                    pool.truncate(n_values);
                    known.truncate(n_values);
                }
            }
        }
    }

    #[test]
    fn values_without_bytes_are_counted() {
        for data_type in [DataType::Null, DataType::fixed_size_binary(0).unwrap(), DataType::struct_([])] {
            let values = ArrayData::try_new(ArrayParts::new(data_type, 1 << 60)).unwrap();
            let values = ValueReader::try_new(&values).unwrap();
            assert!(absorb(&mut ValueTable::default(), values).is_err());
        }
    }

    #[test]
    fn too_many_bytes_are_refused_and_forgotten() {
        let values = |n, max_bytes| ValueReader::try_new(&ints(0..n)).unwrap().with_max_bytes(max_bytes);
        let mut pool = ValueTable::default();
        // In the table, the bytes of a number have one byte before them, and each value counts 48 bytes more.
        absorb(&mut pool, values(10, 10 * (5 + 48))).unwrap();
        assert!(absorb(&mut pool, values(30, 1000)).is_err());
        pool.truncate(10);
        let MergeResult { added, .. } = absorb(&mut pool, values(12, 1000)).unwrap();
        assert!(matches!(added, NewSlots::Range(range) if range == (10..12)));
    }
}
