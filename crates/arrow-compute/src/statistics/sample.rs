//! Samples the numbers of a column.

use arrow_array::{AnyArray, with_ordered};
use arrow_buffer::{F16, I128, I256};

use super::slots::{CountedSlot, Slots};

/// The maximum number of values in the sample. Once the column has more values, the sample has at least half of this number.
const MAX_VALUES: usize = 4096;

/// A random sample that has one of each `stride` consecutive numbers, so periodic values are sampled in proportion. The stride
/// doubles when the sample is too large.
#[derive(Debug)]
pub(super) struct NumberSample {
    numbers: Vec<f64>,
    /// The number of consecutive values of which one is in the sample.
    stride: u64,
    /// The number of values that have been added, whether sampled or not.
    n_added: u64,
    /// The index of the next value to sample, counted from the first value of the column.
    next: u64,
}

impl Default for NumberSample {
    fn default() -> NumberSample {
        NumberSample { numbers: Vec::new(), stride: 1, n_added: 0, next: 0 }
    }
}

impl NumberSample {
    pub(super) fn add(&mut self, array: &AnyArray, slots: &Slots) {
        with_ordered!(array, numbers => self.add_numbers(numbers.values(), slots), _ => {});
    }

    /// Adds numbers. Types with the same Rust type share the compiled code.
    #[inline(never)]
    fn add_numbers<N: ApproximateNumber>(&mut self, values: &[N], slots: &Slots) {
        if let Slots::All(n_slots) = slots {
            let next = |sample: &NumberSample| usize::try_from(sample.next_idx()?).ok();
            while let Some(number) = next(self).and_then(|idx| values.get(idx)) {
                self.push(number.approximate());
            }
            self.pass(*n_slots as u64);
            return;
        }
        slots.for_each(|CountedSlot { idx, n_rows }| {
            while self.next_idx().is_some_and(|idx| idx < n_rows) {
                self.push(values.get(idx).copied().unwrap_or_default().approximate());
            }
            self.pass(n_rows);
        });
    }

    /// The index of the next value to sample among those that are added now. `None` if the column has more values than can be
    /// counted: those are not sampled.
    fn next_idx(&self) -> Option<u64> {
        (self.next < u64::MAX).then(|| self.next - self.n_added)
    }

    /// Counts `n_values` values, but not beyond the next value to sample.
    fn pass(&mut self, n_values: u64) {
        self.n_added = self.n_added.saturating_add(n_values).min(self.next);
    }

    fn push(&mut self, number: f64) {
        if self.numbers.len() >= MAX_VALUES {
            let n_pairs = self.numbers.len() / 2;
            for pair in 0..n_pairs {
                let chosen = pair * 2 + (random(pair as u64, self.stride) % 2) as usize;
                if chosen < self.numbers.len() {
                    self.numbers.swap(pair, chosen);
                }
            }
            self.numbers.truncate(n_pairs);
            self.stride = self.stride.saturating_mul(2);
        }
        self.numbers.push(number);
        let n_sampled = self.numbers.len() as u64;
        let within = random(n_sampled, self.stride) % self.stride;
        // The next value to sample comes after all counted values, since each `stride` values have one sample.
        let next = n_sampled.saturating_mul(self.stride).saturating_add(within);
        self.next = next.max(self.next.saturating_add(1));
    }

    /// The number of sampled numbers in each of `n_bins` intervals of equal width, from the least to the greatest number of the
    /// column. `None` if one of these is unknown or not finite.
    pub(super) fn histogram(&self, n_bins: usize, range: Option<[f64; 2]>) -> Option<Vec<u64>> {
        let finite = || self.numbers.iter().copied().filter(|number| number.is_finite());
        let [min, max] = match range {
            Some(range) if range.iter().all(|number| number.is_finite()) => range,
            _ => [finite().reduce(f64::min)?, finite().reduce(f64::max)?],
        };
        finite().next()?;
        let mut bins = vec![0_u64; n_bins];
        let last = n_bins.checked_sub(1)?;
        // The difference of two finite numbers may be infinite, so their halves are subtracted.
        let width = max / 2.0 - min / 2.0;
        for number in finite() {
            let share = if width > 0.0 { (number / 2.0 - min / 2.0) / width } else { 0.0 };
            // A cast of a float to an integer saturates.
            let bin = ((share * n_bins as f64) as usize).min(last);
            if let Some(bin) = bins.get_mut(bin) {
                *bin += 1;
            }
        }
        Some(bins)
    }
}

/// The least and the greatest number in an array of both.
pub(super) fn range(extremes: &AnyArray) -> Option<[f64; 2]> {
    with_ordered!(
        extremes,
        numbers => match numbers.values() {
            [min, max] => Some([min.approximate(), max.approximate()]),
            _ => None,
        },
        _ => None
    )
}

/// A pseudo-random number (SplitMix64), which is the same in each run for the same arguments.
fn random(position: u64, stride: u64) -> u64 {
    let mut bits = position.wrapping_add(stride.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A number that can be approximated as a floating-point number of 64 bits.
pub(crate) trait ApproximateNumber: PartialOrd + Default + Copy {
    fn approximate(self) -> f64;

    /// The number of a decimal before its scale. Zero for types of which no decimal is.
    fn integer(self) -> I256 {
        I256::ZERO
    }
}

macro_rules! approximate {
    ($($number:ty: $value:ident => $approximate:expr $(, $integer:expr)?;)*) => {$(
        impl ApproximateNumber for $number {
            #[inline]
            fn approximate(self) -> f64 {
                let $value = self;
                $approximate
            }

            $(
                #[inline]
                fn integer(self) -> I256 {
                    let $value = self;
                    $integer
                }
            )?
        }
    )*};
}

approximate! {
    i8: number => f64::from(number);
    i16: number => f64::from(number);
    i32: number => f64::from(number), I256::from(i64::from(number));
    i64: number => number as f64, I256::from(number);
    u8: number => f64::from(number);
    u16: number => f64::from(number);
    u32: number => f64::from(number);
    u64: number => number as f64;
    F16: number => f64::from(number.to_f32());
    f32: number => f64::from(number);
    f64: number => number;
    I128: number => i128::from(number) as f64, I256::from(i128::from(number));
    I256: number => i128::try_from(number).map_or_else(|_| number.to_string().parse().unwrap_or(f64::NAN), |number| number as f64), number;
}
