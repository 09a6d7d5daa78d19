//! The mean of numbers.

use arrow_array::{AnyArray, with_ordered};
use arrow_schema::DataType;

use super::{Approximate, Slots, value_type};

/// The number of values that are summed before their sum is added to the total, since adding to the total takes more
/// steps.
const BLOCK: usize = 128;

/// The sum of the numbers of a column with its rounding error (Neumaier's sum), and the number of numbers.
#[derive(Debug)]
pub(super) struct NumberSum {
    /// The power of ten by which stored numbers are divided. `None` if values are not numbers.
    scale: Option<i32>,
    sum: f64,
    lost: f64,
    n_numbers: u64,
    n_nans: u64,
}

impl NumberSum {
    /// The sum of a column of this type, without values.
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

    /// Adds numbers. The function is compiled once for all types with such numbers.
    #[inline(never)]
    fn add_numbers<N: Approximate>(&mut self, values: &[N], slots: &Slots) {
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

    /// The mean, if it is finite.
    pub(super) fn mean(&self) -> Option<f64> {
        let mean = (self.sum + self.lost) / self.n_numbers as f64;
        let power = 10_f64.powi(self.scale?);
        (mean.is_finite() && power.is_normal()).then(|| mean / power).filter(|mean| mean.is_finite())
    }

    pub(super) fn n_nans(&self) -> u64 {
        self.n_nans
    }
}
