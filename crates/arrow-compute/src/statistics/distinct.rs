//! Counts distinct values: exactly up to a limit, then as an estimate from hashes.

mod estimate;
mod hash_table;

use arrow_array::{AnyArray, with_bytes};
use arrow_data::{ArrayData, Physical};
use arrow_select::{SelectError, SelectErrorKind, ValueBytes};

use self::{
    estimate::Estimate,
    hash_table::{HashTable, NumberTable, StringTable, hash_of_bytes, hash_of_number},
};
use super::{
    StatisticsError,
    slots::{CountedSlot, Slots},
};

/// Up to these limits, the distinct values of a column are counted exactly. Counting takes the memory of these values, plus 16
/// KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatisticsLimits {
    /// The maximum number of distinct values; 65,536 by default. Each takes 16 to 32 bytes.
    pub max_distinct: usize,
    /// The maximum total length of distinct values that have more than 8 bytes; 4 MiB by default.
    pub max_distinct_bytes: usize,
}

impl Default for StatisticsLimits {
    fn default() -> StatisticsLimits {
        StatisticsLimits { max_distinct: 1 << 16, max_distinct_bytes: 4 << 20 }
    }
}

/// The number of distinct values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DistinctCount {
    /// All values were counted.
    Exact(u64),
    /// An estimate. Its error is less than 2.5 % for 19 of 20 columns, unless someone chose the values by their hashes.
    Estimate(u64),
    /// The values were not counted. Either values share items or bytes so often that counting would take too long, or a nested
    /// value takes more than 16 MiB.
    Unknown,
}

/// The distinct values that have been added.
#[derive(Debug)]
pub(super) struct DistinctValues {
    limits: StatisticsLimits,
    state: DistinctForm,
    /// Reused memory for the bytes of nested values.
    scratch: Vec<u8>,
}

#[derive(Debug)]
enum DistinctForm {
    None,
    Numbers(NumberTable),
    Strings(StringTable),
    Estimate(Estimate),
    Unknown,
}

/// How many decoded bytes are allowed for each byte of an array.
const UNFOLDED: usize = 64;
const LEAST_UNFOLDED: usize = 16 << 20;

/// The maximum length of all decoded values of an array. Views and lists may refer to the same bytes and items many times.
pub(crate) fn n_unfolded_bytes(data: &ArrayData) -> usize {
    let n_bytes = usize::try_from(data.n_bytes()).unwrap_or(usize::MAX);
    n_bytes.saturating_mul(UNFOLDED).saturating_add(LEAST_UNFOLDED)
}

fn is_too_long(error: &SelectError) -> bool {
    matches!(error.kind(), SelectErrorKind::ValueBytes { .. })
}

impl DistinctValues {
    pub(super) fn new(limits: StatisticsLimits) -> DistinctValues {
        DistinctValues { limits, state: DistinctForm::None, scratch: Vec::new() }
    }

    pub(super) fn distinct(&self) -> DistinctCount {
        match &self.state {
            DistinctForm::None => DistinctCount::Exact(0),
            DistinctForm::Numbers(numbers) => DistinctCount::Exact(numbers.len()),
            DistinctForm::Strings(strings) => DistinctCount::Exact(strings.len()),
            DistinctForm::Estimate(estimate) => DistinctCount::Estimate(estimate.count()),
            DistinctForm::Unknown => DistinctCount::Unknown,
        }
    }

    pub(super) fn add(&mut self, array: &AnyArray, slots: &Slots) -> Result<(), StatisticsError> {
        if let Slots::All(0) = slots {
            return Ok(());
        }
        let data = array.data();
        match data.layout().physical() {
            Physical::Null => {}
            Physical::Bits => {
                let bits = data.buffer(0).as_slice();
                let offset = data.offset();
                self.add_numbers(slots, |idx| {
                    let at = offset.saturating_add(idx);
                    bits.get(at / 8).map(|byte| u64::from(byte >> (at % 8) & 1))
                });
            }
            Physical::Fixed(n_bytes) => self.add_fixed(data.buffer(0).as_slice(), n_bytes.as_usize(), slots),
            Physical::Bytes(_) | Physical::Views => {
                let mut n_left = n_unfolded_bytes(data);
                with_bytes!(
                    array,
                    values => slots.for_each_value(values, |value, _| self.add_within(value, &mut n_left)),
                    _ => {}
                );
            }
            Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_)
            | Physical::Dictionary(_) => self.add_nested(array, slots)?,
        }
        Ok(())
    }

    fn add_fixed(&mut self, bytes: &[u8], n_bytes: usize, slots: &Slots) {
        macro_rules! numbers {
            ($number:ty) => {{
                let (numbers, _) = bytes.as_chunks::<{ size_of::<$number>() }>();
                self.add_numbers(slots, |idx| {
                    numbers.get(idx).map(|number| u64::from(<$number>::from_ne_bytes(*number)))
                })
            }};
        }
        match n_bytes {
            1 => numbers!(u8),
            2 => numbers!(u16),
            4 => numbers!(u32),
            8 => numbers!(u64),
            _ => slots.for_each(|CountedSlot { idx, .. }| {
                let start = idx.saturating_mul(n_bytes);
                self.add_bytes(bytes.get(start..start.saturating_add(n_bytes)).unwrap_or_default());
            }),
        }
    }

    fn add_nested(&mut self, array: &AnyArray, slots: &Slots) -> Result<(), StatisticsError> {
        if matches!(self.state, DistinctForm::Unknown) {
            return Ok(());
        }
        let values = ValueBytes::try_new(array.data())?;
        let mut n_left = n_unfolded_bytes(array.data());
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = slots.try_for_each(|CountedSlot { idx, .. }| {
            scratch.clear();
            values.append(idx, &mut scratch, n_left.min(LEAST_UNFOLDED))?;
            n_left = n_left.saturating_sub(scratch.len());
            self.add_bytes(&scratch);
            Ok(())
        });
        scratch.clear();
        scratch.shrink_to(1 << 16);
        self.scratch = scratch;
        match result {
            Err(error) if is_too_long(&error) => self.state = DistinctForm::Unknown,
            result => result?,
        }
        Ok(())
    }

    /// Adds numbers of at most 64 bits. `number` returns the bits of the number in a slot.
    fn add_numbers(&mut self, slots: &Slots, number: impl Fn(usize) -> Option<u64>) {
        if matches!(self.state, DistinctForm::None) {
            self.state = DistinctForm::Numbers(NumberTable::default());
        }
        let mut last = None;
        slots.for_each(|CountedSlot { idx, .. }| {
            let number = number(idx);
            if number == last {
                return;
            }
            last = number;
            let hash = hash_of_number(number.unwrap_or_default());
            match &mut self.state {
                DistinctForm::Numbers(numbers) => {
                    if !numbers.insert(hash, self.limits.max_distinct) {
                        self.estimate(hash);
                    }
                }
                DistinctForm::Estimate(estimate) => estimate.insert(hash),
                DistinctForm::None | DistinctForm::Strings(_) | DistinctForm::Unknown => {}
            }
        });
    }

    /// Adds a value. If it is longer than `n_left`, the number of values becomes unknown.
    #[inline]
    fn add_within(&mut self, value: &[u8], n_left: &mut usize) {
        match n_left.checked_sub(value.len()) {
            Some(left) => {
                *n_left = left;
                self.add_bytes(value);
            }
            None => self.state = DistinctForm::Unknown,
        }
    }

    #[inline]
    fn add_bytes(&mut self, value: &[u8]) {
        match self.state {
            DistinctForm::Unknown => return,
            DistinctForm::None => self.state = DistinctForm::Strings(StringTable::default()),
            DistinctForm::Numbers(_) | DistinctForm::Strings(_) | DistinctForm::Estimate(_) => {}
        }
        let hash = hash_of_bytes(value);
        match &mut self.state {
            DistinctForm::Strings(strings) => {
                if !strings.insert(hash, value, &self.limits) {
                    self.estimate(hash);
                }
            }
            DistinctForm::Estimate(estimate) => estimate.insert(hash),
            DistinctForm::None | DistinctForm::Numbers(_) | DistinctForm::Unknown => {}
        }
    }

    /// Switches to an estimate. Adds the hashes of all values so far, and `hash`.
    #[cold]
    fn estimate(&mut self, hash: u64) {
        let mut estimate = Estimate::default();
        match &self.state {
            DistinctForm::Numbers(numbers) => numbers.hashes().for_each(|hash| estimate.insert(hash)),
            DistinctForm::Strings(strings) => strings.hashes().for_each(|hash| estimate.insert(hash)),
            DistinctForm::None | DistinctForm::Estimate(_) | DistinctForm::Unknown => {}
        }
        estimate.insert(hash);
        self.state = DistinctForm::Estimate(estimate);
    }
}
