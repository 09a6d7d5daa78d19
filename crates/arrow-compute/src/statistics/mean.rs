//! The mean of numbers, and of the lengths of values.

use arrow_array::{AnyArray, Lists, MapArray, with_bytes, with_list, with_ordered};
use arrow_data::Physical;
use arrow_schema::DataType;

use super::{
    ApproximateNumber,
    decimal_sum::DecimalSum,
    slots::{CountedSlot, Slots},
    value_type,
};

/// The number of values in a block. Adding a block to the total takes more steps than adding a value to the block.
const BLOCK: usize = 128;

/// The sum of the numbers of a column, and the number of numbers.
#[derive(Debug)]
pub(super) struct NumberSum {
    sum: Sum,
    n_numbers: u64,
    n_nans: u64,
}

#[derive(Debug)]
enum Sum {
    NoNumbers,
    /// Neumaier's sum, which includes the rounding error.
    Floats {
        sum: f64,
        lost: f64,
    },
    Decimals {
        sum: DecimalSum,
        scale: i32,
    },
}

impl NumberSum {
    /// Makes an empty sum for a column of this type.
    pub(super) fn new(data_type: &DataType) -> NumberSum {
        let data_type = value_type(data_type);
        let sum = match data_type.as_decimal() {
            Some((_, scale)) => Sum::Decimals { sum: DecimalSum::default(), scale },
            None if data_type.is_numeric() => Sum::Floats { sum: 0.0, lost: 0.0 },
            None => Sum::NoNumbers,
        };
        NumberSum { sum, n_numbers: 0, n_nans: 0 }
    }

    pub(super) fn add(&mut self, array: &AnyArray, slots: &Slots) {
        match self.sum {
            Sum::NoNumbers => {}
            Sum::Floats { .. } => {
                with_ordered!(array, numbers => self.add_numbers(numbers.values(), slots), _ => {});
            }
            Sum::Decimals { .. } => {
                with_ordered!(array, numbers => self.add_decimals(numbers.values(), slots), _ => {});
            }
        }
    }

    #[inline(never)]
    fn add_decimals<N: ApproximateNumber>(&mut self, values: &[N], slots: &Slots) {
        let Sum::Decimals { sum, .. } = &mut self.sum else { return };
        slots.for_each(|slot| {
            sum.add(values.get(slot.idx).copied().unwrap_or_default().integer(), slot.n_rows);
            self.n_numbers = self.n_numbers.saturating_add(slot.n_rows);
        });
    }

    /// Adds numbers. Types with the same Rust type share the compiled code.
    #[inline(never)]
    fn add_numbers<N: ApproximateNumber>(&mut self, values: &[N], slots: &Slots) {
        if let Slots::All(n_slots) = slots {
            for block in values.get(..*n_slots).unwrap_or(values).chunks(BLOCK) {
                let numbers = || block.iter().map(|number| number.approximate());
                let n_nans = numbers().filter(|number| number.is_nan()).count() as u64;
                let sum = numbers().filter(|number| !number.is_nan()).sum();
                self.n_nans = self.n_nans.saturating_add(n_nans);
                self.add_sum(sum, (block.len() as u64).saturating_sub(n_nans));
            }
            return;
        }
        slots.for_each(|slot| {
            let number = values.get(slot.idx).copied().unwrap_or_default().approximate();
            if number.is_nan() {
                self.n_nans = self.n_nans.saturating_add(slot.n_rows);
            } else {
                self.add_sum(number * slot.n_rows as f64, slot.n_rows);
            }
        });
    }

    #[inline]
    fn add_sum(&mut self, number: f64, n_numbers: u64) {
        let Sum::Floats { sum, lost } = &mut self.sum else { return };
        let next = *sum + number;
        let (large, small) = if sum.abs() >= number.abs() { (*sum, number) } else { (number, *sum) };
        *lost += large - next + small;
        *sum = next;
        self.n_numbers = self.n_numbers.saturating_add(n_numbers);
    }

    /// The mean. `None` if it is not finite.
    pub(super) fn mean(&self) -> Option<f64> {
        let mean = match &self.sum {
            Sum::NoNumbers => None,
            Sum::Floats { sum, lost } => Some((sum + lost) / self.n_numbers as f64),
            Sum::Decimals { sum, scale } => sum.mean(self.n_numbers, *scale),
        };
        mean.filter(|mean| mean.is_finite())
    }

    pub(super) fn n_nans(&self) -> u64 {
        self.n_nans
    }
}

/// The sum of the lengths of all values, and the number of values.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    sum: u128,
    n_values: u64,
}

impl Lengths {
    /// Adds the lengths of the values in `slots`. They are the values of `n_rows` rows.
    pub(super) fn add(&mut self, array: &AnyArray, slots: &Slots, n_rows: u64) {
        // Items of a fixed-size list may take no bytes, so there may be too many to visit.
        if let Physical::FixedSizeList(n_items) = array.data().layout().physical() {
            return self.count(n_items.as_usize(), n_rows);
        }
        with_bytes!(
            array,
            values => slots.for_each_value(values, |value, n_rows| self.count(value.len(), n_rows)),
            other => with_list!(
                other,
                lists => self.add_lists(slots, |idx| Lists::range(lists, idx).len()),
                other => if let Some(maps) = other.downcast_ref::<MapArray>() {
                    self.add_lists(slots, |idx| maps.range(idx).len());
                }
            )
        );
    }

    fn add_lists(&mut self, slots: &Slots, len: impl Fn(usize) -> usize) {
        slots.for_each(|CountedSlot { idx, n_rows }| self.count(len(idx), n_rows));
    }

    #[inline]
    fn count(&mut self, len: usize, n_rows: u64) {
        self.sum = self.sum.saturating_add(u128::from(n_rows).saturating_mul(len as u128));
        self.n_values = self.n_values.saturating_add(n_rows);
    }

    pub(super) fn mean(&self) -> Option<f64> {
        (self.n_values > 0).then(|| self.sum as f64 / self.n_values as f64)
    }
}
