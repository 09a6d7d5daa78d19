//! Appends run-end encoded and dictionary-encoded arrays. If one dictionary begins with the values of the other, the
//! longer one is used. Other dictionaries are merged.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Budget, Buffer, GrowingBuffer, NativeType};
use arrow_data::{
    ArrayData, ArrayParts,
    positions::{DictionaryIndices, RunEnds, inside, run_end_type},
};
use arrow_schema::{DataType, IndexType, RunEndType};

use super::{
    node::{ChildRange, GrowingNode, GrowingStorage, charge_copy},
    offsets::append_numbers,
};
use crate::{
    error::{SelectError, SelectErrorKind},
    select::{ValueNumbers, check_reachable},
    value_bytes::{Insertion, ValueReader, ValueTable},
};

/// Appends run ends, counted from the first slot of the whole array. Run ends increase, and the last one is the number
/// of slots. Returns the range of values that belong to the runs.
#[inline(never)]
pub(super) fn append_runs(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<ChildRange, SelectError> {
    let own = RunEnds::try_new(part)?;
    // The array has at least one slot, so it has a run.
    let (start, last) = inside(own.run_of(0).zip(own.run_of(part.len().saturating_sub(1))))?;
    let n_runs = inside(last.checked_sub(start))?.saturating_add(1);
    charge_copy(budget, n_runs.saturating_mul(size_of::<i64>()))?;
    let n_before = node.n_slots;
    let mut ends: Vec<usize> = Vec::with_capacity(n_runs);
    own.for_each_run(0..part.len(), |_, slots| {
        // No overflow: the sum is at most the number of all appended slots, which have been counted.
        ends.push(n_before + slots.end);
        Ok(())
    })?;
    let run_end_type = run_end_type(&node.data_type)?;
    let appended = match run_end_type {
        RunEndType::Int16 => append_ends::<i16>(node, &ends)?,
        RunEndType::Int32 => append_ends::<i32>(node, &ends)?,
        RunEndType::Int64 => append_ends::<i64>(node, &ends)?,
    };
    if appended.is_none() {
        let n_slots = n_before.saturating_add(part.len()) as u64;
        return Err(SelectErrorKind::RunEndOverflow { run_end_type: run_end_type.into(), n_slots }.into());
    }
    Ok(ChildRange::Range { start, n_slots: ends.len() })
}

/// Appends run ends; `None` if one of them does not fit the type.
fn append_ends<T: NativeType + TryFrom<usize>>(
    node: &mut GrowingNode,
    ends: &[usize],
) -> Result<Option<()>, SelectError> {
    let ends: Option<Vec<T>> = ends.iter().map(|end| T::try_from(*end).ok()).collect();
    ends.map(|ends| append_numbers(node, 0, &ends)).transpose()
}

/// Whether the longer dictionary has, at the same indices, the values that the old slots and the part select.
#[inline(never)]
pub(super) fn fits(node: &GrowingNode, part: &ArrayData, budget: &mut Budget) -> Result<bool, SelectError> {
    let (known, values) = inside(node.dictionary.as_ref().zip(part.dictionary()))?;
    let (shorter, longer) = if known.len() <= values.len() { (known, values) } else { (values, known) };
    if Arc::ptr_eq(known, values) || longer.continues_memory(shorter) {
        return Ok(true);
    }
    charge_copy(budget, weight(shorter))?;
    let same = if known.len() < values.len() {
        same_values(known, values, 0..known.len())
    } else {
        let mut slots = Vec::new();
        used(part)?.number(|value| {
            slots.push(value);
            Ok(0)
        })?;
        same_values(known, values, slots)
    };
    match same {
        // The values are too many or too long to be compared. `false` merges the dictionaries, which compares only
        // values that slots refer to.
        Err(error) if matches!(error.kind(), SelectErrorKind::ValueBytes { .. }) => Ok(false),
        same => same,
    }
}

/// Whether two dictionaries have the same values in these slots.
fn same_values(
    left: &ArrayData,
    right: &ArrayData,
    slots: impl IntoIterator<Item = usize>,
) -> Result<bool, SelectError> {
    let mut readers = [ValueReader::try_new(left)?, ValueReader::try_new(right)?];
    let mut values = [Vec::new(), Vec::new()];
    for slot in slots {
        for (reader, value) in readers.iter_mut().zip(&mut values) {
            value.clear();
            reader.append(slot, value)?;
        }
        if values[0] != values[1] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The values that valid slots refer to.
fn used(array: &ArrayData) -> Result<ValueNumbers, SelectError> {
    let indices = DictionaryIndices::try_new(array)?;
    let dictionary = inside(array.dictionary())?;
    let mut used = ValueNumbers::new(dictionary.len(), array.len());
    for slot in (0..array.len()).filter(|slot| array.is_valid(*slot)) {
        used.set(inside(indices.get(slot))?, 0)?;
    }
    Ok(used)
}

/// Appends a part with another dictionary. The new dictionary has the values that the old slots and the part refer to.
#[inline(never)]
pub(super) fn merge(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<(), SelectError> {
    let dictionary = inside(node.data_type.as_dictionary())?;
    let so_far = Box::new(node.array());
    // If one of the two has only nulls, the values of the other keep their order.
    if dictionary.is_ordered() && [&*so_far, part].iter().all(|array| array.null_count() < array.len()) {
        return Err(SelectErrorKind::OrderedDictionaries.into());
    }
    let index = dictionary.index();
    charge_copy(budget, weight(&so_far).saturating_add(weight(part)))?;
    let mut merged = Box::new(MergedValues::new(dictionary.value()));
    let (old, new) = (merged.add(&so_far, budget)?, merged.add(part, budget)?);
    check_reachable(index, merged.values.len())?;
    let buffers = [merged.indices(part, index, &new)?.snapshot(), Buffer::new()];
    let values = Arc::new(merged.values.array());
    node.storage = GrowingStorage::Buffers([merged.indices(&so_far, index, &old)?, GrowingBuffer::new()]);
    node.dictionary = Some(Arc::clone(&values));
    let parts = ArrayParts { buffers, dictionary: Some(values), ..part.clone().into_parts() };
    let moved = ArrayData::try_new(parts)?.assume_checked(part.checked(), Some(part.null_count()));
    node.append(&Box::new(moved), budget)
}

/// The values that several arrays refer to, each once.
struct MergedValues {
    values: GrowingNode,
    known: ValueTable,
    /// The position in the merged dictionary of each value in the table.
    positions: Vec<usize>,
}

impl MergedValues {
    fn new(value_type: &DataType) -> MergedValues {
        MergedValues {
            values: GrowingNode::new(value_type),
            known: ValueTable::default(),
            positions: Vec::new(),
        }
    }

    /// Adds the values to which the array refers. Returns the position of each value in the merged dictionary.
    fn add(&mut self, array: &ArrayData, budget: &mut Budget) -> Result<ValueNumbers, SelectError> {
        let dictionary = inside(array.dictionary())?;
        let (numbers, ranges) = self.look_up(array, dictionary)?;
        // The values are first joined with each other, so that dictionaries inside them are merged once.
        let mut own = Box::new(GrowingNode::new(dictionary.data_type()));
        for range in ranges {
            own.append_slice(dictionary, range.start, range.len(), budget)?;
        }
        self.values.append(&Box::new(own.array()), budget)?;
        Ok(numbers)
    }

    /// Numbers the values, and returns the ranges of the values that have to be added.
    #[inline(never)]
    fn look_up(
        &mut self,
        array: &ArrayData,
        dictionary: &ArrayData,
    ) -> Result<(ValueNumbers, Vec<Range<usize>>), SelectError> {
        /// The greatest number of ranges that are appended one by one. If values share bytes or items, each range would
        /// append all shared bytes again. So with more ranges, all values are appended at once.
        const MAX_RANGES: usize = 16;
        let mut reader = ValueReader::try_new(dictionary)?;
        let mut new = Vec::new();
        let mut numbers = used(array)?;
        numbers.number(|value| {
            Ok(match self.known.insert(&mut reader, value)? {
                Insertion::Known(number) => number,
                Insertion::New(number) => {
                    new.push(value);
                    number
                }
            })
        })?;
        let mut ranges: Vec<Range<usize>> = new
            .chunk_by(|one, next| one + 1 == *next)
            .map(|range| range[0]..range[0] + range.len())
            .collect();
        if ranges.len() > MAX_RANGES && shares(dictionary) {
            ranges = new.first().zip(new.last()).map(|(first, last)| *first..last + 1).into_iter().collect();
        }
        let mut new = new.into_iter().peekable();
        let mut n_before = self.values.len();
        for range in &ranges {
            while let Some(value) = new.next_if(|value| range.contains(value)) {
                self.positions.push(n_before + (value - range.start));
            }
            n_before += range.len();
        }
        Ok((numbers, ranges))
    }

    /// Converts the indices of an array to indices into the merged dictionary; 0 in null slots.
    #[inline(never)]
    fn indices(
        &self,
        array: &ArrayData,
        index: IndexType,
        numbers: &ValueNumbers,
    ) -> Result<GrowingBuffer, SelectError> {
        let own = DictionaryIndices::try_new(array)?;
        let n_bytes = index.n_bits() as usize / 8;
        let mut indices = GrowingBuffer::new();
        for slot in 0..array.len() {
            let position = match own.get(slot) {
                Some(value) if array.is_valid(slot) => {
                    *inside(numbers.get(value).and_then(|number| self.positions.get(number)))?
                }
                _ => 0,
            };
            let bytes = (position as u64).to_ne_bytes();
            let start = if cfg!(target_endian = "big") { bytes.len() - n_bytes } else { 0 };
            indices.extend_from_slice(inside(bytes.get(start..start + n_bytes))?);
        }
        Ok(indices)
    }
}

/// Whether a few slots may refer to as much memory as all slots, at any depth.
fn shares(array: &ArrayData) -> bool {
    array.layout().may_share() || array.children().iter().any(shares)
}

/// The cost of reading an array: its bytes plus its slots, since slots may have no bytes.
fn weight(array: &ArrayData) -> usize {
    let own = usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
    own.saturating_add(n_slots(array))
}

fn n_slots(array: &ArrayData) -> usize {
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
    below.map(n_slots).fold(array.len(), usize::saturating_add)
}
