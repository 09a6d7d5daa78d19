//! The mean of numbers.

use arrow_array::{AnyArray, with_ordered};
use arrow_schema::DataType;

use super::{ApproximateNumber, Slots, value_type};

/// The number of values in a block. Adding a block to the total takes more steps than adding a value to the block.
const BLOCK: usize = 128;

/// Neumaier's sum of the numbers of a column, which includes the rounding error, and the number of numbers.
#[derive(Debug)]
pub(super) struct NumberSum {
    /// The mean is divided by ten to the power of this scale. `None` if the values are not numbers.
    scale: Option<i32>,
    sum: f64,
    lost: f64,
    n_numbers: u64,
    n_nans: u64,
}

impl NumberSum {
    /// Makes an empty sum for a column of this type.
    pub(super) fn new(data_type: &DataType) -> NumberSum {
        let data_type = value_type(data_type);
        let scale = match data_type.as_decimal() {
            Some((_, scale)) => Some(scale),
            None => data_type.is_numeric().then_some(0),
        };
        NumberSum { scale, sum: 0.0, lost: 0.0, n_numbers: 0, n_nans: 0 }
    }

    pub(super) fn add(&mut self, array: &AnyArray, slots: &Slots) {
        if self.scale.is_some() {
            with_ordered!(array, numbers => self.add_numbers(numbers.values(), slots), _ => {});
        }
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
        let sum = self.sum + number;
        let (large, small) =
            if self.sum.abs() >= number.abs() { (self.sum, number) } else { (number, self.sum) };
        self.lost += large - sum + small;
        self.sum = sum;
        self.n_numbers = self.n_numbers.saturating_add(n_numbers);
    }

    /// The mean. `None` if it is not finite.
    pub(super) fn mean(&self) -> Option<f64> {
        let mean = (self.sum + self.lost) / self.n_numbers as f64;
        let power = 10_f64.powi(self.scale?);
        (mean.is_finite() && power.is_normal()).then(|| mean / power).filter(|mean| mean.is_finite())
    }

    pub(super) fn n_nans(&self) -> u64 {
        self.n_nans
    }
}
