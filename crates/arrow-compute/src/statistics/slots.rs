//! Decoded values, with the number of rows that have each value.

use arrow_array::{AnyArray, Array, ArrayError, DictionaryArray, RunEndEncodedArray};
use arrow_buffer::Bitmap;
use arrow_data::Physical;

use super::StatisticsError;

/// The decoded values of an array, with the number of rows that have each value.
pub(crate) struct ValueCounts {
    /// The array that contains the values. Text is an array of bytes.
    pub(crate) array: AnyArray,
    /// The slots whose values occur in rows. None of them is null.
    pub(crate) slots: Slots,
    pub(crate) n_rows: u64,
}

/// A set of slots that are not null.
pub(crate) enum Slots {
    All(usize),
    /// The slots whose bit is set, one row for each.
    Valid(Bitmap),
    /// These slots, each with its number of rows.
    Listed(Vec<CountedSlot>),
}

/// A slot, and the number of rows with its value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedSlot {
    pub(super) idx: usize,
    pub(super) n_rows: u64,
}

impl ValueCounts {
    /// Decodes dictionaries and runs. Memory and time are in proportion to the slots of the array. Slots without bytes are only
    /// counted, not visited.
    pub(crate) fn from_array(array: AnyArray) -> Result<ValueCounts, StatisticsError> {
        let (mut array, mut slots) = (array, None);
        loop {
            let (values, found) = if let Some(dictionary) = array.downcast_ref::<DictionaryArray>() {
                (dictionary.values().clone(), through_indices(dictionary, slots.take()))
            } else if let Some(runs) = array.downcast_ref::<RunEndEncodedArray>() {
                (runs.values().clone(), through_runs(runs, slots.take()))
            } else {
                break;
            };
            array = AnyArray::try_from(values)?;
            slots = Some(found);
        }
        if let Some(bytes) = array.data().text_as_bytes() {
            array = AnyArray::try_from(bytes)?;
        }
        Ok(ValueCounts::from_values(array, slots)?)
    }

    fn from_values(array: AnyArray, listed: Option<Vec<CountedSlot>>) -> Result<ValueCounts, ArrayError> {
        if array.data().layout().physical() == Physical::Null {
            return Ok(ValueCounts { array, slots: Slots::Listed(Vec::new()), n_rows: 0 });
        }
        if listed.is_none() && !array.is_empty() && array.data().is_uniform() {
            let n_rows = array.len() as u64;
            return Ok(ValueCounts {
                array,
                slots: Slots::Listed(vec![CountedSlot { idx: 0, n_rows }]),
                n_rows,
            });
        }
        let validity = array.data().logical_validity()?;
        let (slots, n_rows) = match (listed, validity) {
            (None, None) => (Slots::All(array.len()), array.len() as u64),
            (None, Some(validity)) => {
                let n_rows = validity.count_set() as u64;
                (Slots::Valid(validity), n_rows)
            }
            (Some(mut listed), validity) => {
                if let Some(validity) = validity {
                    listed.retain(|slot| validity.get(slot.idx) == Some(true));
                }
                let n_rows = listed.iter().map(|slot| slot.n_rows).sum();
                (Slots::Listed(listed), n_rows)
            }
        };
        Ok(ValueCounts { array, slots, n_rows })
    }
}

impl Slots {
    /// Calls `call` for each slot, in ascending order.
    #[inline]
    pub(super) fn for_each(&self, mut call: impl FnMut(CountedSlot)) {
        match self {
            Slots::All(n_slots) => (0..*n_slots).for_each(|idx| call(CountedSlot { idx, n_rows: 1 })),
            Slots::Valid(validity) => {
                validity.iter_set().for_each(|idx| call(CountedSlot { idx, n_rows: 1 }))
            }
            Slots::Listed(slots) => slots.iter().for_each(|slot| call(*slot)),
        }
    }

    /// Like [`for_each`](Slots::for_each), up to the first error.
    pub(super) fn try_for_each<E>(
        &self,
        mut call: impl FnMut(CountedSlot) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Slots::All(n_slots) => (0..*n_slots).try_for_each(|idx| call(CountedSlot { idx, n_rows: 1 })),
            Slots::Valid(validity) => {
                validity.iter_set().try_for_each(|idx| call(CountedSlot { idx, n_rows: 1 }))
            }
            Slots::Listed(slots) => slots.iter().try_for_each(|slot| call(*slot)),
        }
    }

    /// Calls `call` with the value of each slot and its number of rows.
    #[inline]
    pub(crate) fn for_each_value<'a, A: Array>(&self, array: &'a A, mut call: impl FnMut(A::Item<'a>, u64)) {
        self.for_each(|slot| {
            if let Some(value) = array.get(slot.idx) {
                call(value, slot.n_rows);
            }
        });
    }
}

/// The values of a dictionary that rows select. If the dictionary has more values than there are rows, a value may be listed
/// twice.
fn through_indices(dictionary: &DictionaryArray, slots: Option<Vec<CountedSlot>>) -> Vec<CountedSlot> {
    let n_slots = slots.as_ref().map_or(dictionary.len(), Vec::len);
    let found = listed(dictionary, slots);
    let n_values = dictionary.values().len();
    if n_values > n_slots {
        return found.collect();
    }
    let mut counts = vec![0_u64; n_values];
    for slot in found {
        if let Some(count) = counts.get_mut(slot.idx) {
            *count = count.saturating_add(slot.n_rows);
        }
    }
    let used = counts.into_iter().enumerate().filter(|(_, n_rows)| *n_rows > 0);
    used.map(|(idx, n_rows)| CountedSlot { idx, n_rows }).collect()
}

fn through_runs(runs: &RunEndEncodedArray, slots: Option<Vec<CountedSlot>>) -> Vec<CountedSlot> {
    if slots.is_some() {
        return listed(runs, slots).collect();
    }
    let covered = (0..runs.n_runs()).map(|idx| CountedSlot { idx, n_rows: runs.run_slots(idx).len() as u64 });
    covered.filter(|slot| slot.n_rows > 0).collect()
}

/// The values that `slots` select, each with its number of rows.
fn listed<A: for<'a> Array<Item<'a> = usize>>(
    array: &A,
    slots: Option<Vec<CountedSlot>>,
) -> Box<dyn Iterator<Item = CountedSlot> + '_> {
    match slots {
        None => Box::new(array.iter().flatten().map(|idx| CountedSlot { idx, n_rows: 1 })),
        Some(slots) => Box::new(slots.into_iter().filter_map(|CountedSlot { idx, n_rows }| {
            let idx = array.get(idx)?;
            Some(CountedSlot { idx, n_rows })
        })),
    }
}
