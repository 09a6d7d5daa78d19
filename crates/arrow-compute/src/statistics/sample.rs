//! Numbers of some rows, evenly spread.

use arrow_array::{AnyArray, PrimitiveArray, PrimitiveType, with_ordered};
use arrow_buffer::{F16, I128, I256};

use super::slots::{Slot, Slots};

/// Between half as many and so many values are kept.
const MAX_VALUES: usize = 4096;

/// Every n-th number; n doubles when there are too many.
#[derive(Debug)]
pub(super) struct Sample {
    numbers: Vec<f64>,
    /// Of so many values, one is kept.
    stride: u64,
    /// How many values are passed over before the next that is kept.
    n_until_next: u64,
}

impl Default for Sample {
    fn default() -> Sample {
        Sample { numbers: Vec::new(), stride: 1, n_until_next: 0 }
    }
}

impl Sample {
    pub(super) fn add(&mut self, array: &AnyArray, slots: &Slots) {
        with_ordered!(array, numbers => self.add_numbers(numbers, slots), _ => {});
    }

    fn add_numbers<T: PrimitiveType<Native: Approximate>>(
        &mut self,
        array: &PrimitiveArray<T>,
        slots: &Slots,
    ) {
        if let Slots::All(n_slots) = slots {
            let mut idx = self.n_until_next;
            while let Some(number) = usize::try_from(idx).ok().and_then(|idx| array.values().get(idx)) {
                self.push(number.approximate());
                idx = idx.saturating_add(self.stride);
            }
            self.n_until_next = idx.saturating_sub(*n_slots as u64);
            return;
        }
        slots.for_each(|Slot { idx, n_rows }| {
            while self.n_until_next < n_rows {
                self.push(array.get(idx).unwrap_or_default().approximate());
                self.n_until_next = self.n_until_next.saturating_add(self.stride);
            }
            self.n_until_next -= n_rows;
        });
    }

    fn push(&mut self, number: f64) {
        if self.numbers.len() >= MAX_VALUES {
            let mut is_kept = false;
            self.numbers.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.stride = self.stride.saturating_mul(2);
        }
        self.numbers.push(number);
    }

    pub(super) fn histogram(&self, n_bins: usize) -> Option<Vec<u64>> {
        let finite = || self.numbers.iter().copied().filter(|number| number.is_finite());
        let (min, max) = (finite().reduce(f64::min)?, finite().reduce(f64::max)?);
        let mut bins = vec![0_u64; n_bins];
        let last = n_bins.checked_sub(1)?;
        // Halves, since the difference of finite numbers may be infinite.
        let width = max / 2.0 - min / 2.0;
        for number in finite() {
            let share = if width > 0.0 { (number / 2.0 - min / 2.0) / width } else { 0.0 };
            // Casts of floats saturate.
            let bin = ((share * n_bins as f64) as usize).min(last);
            if let Some(bin) = bins.get_mut(bin) {
                *bin += 1;
            }
        }
        Some(bins)
    }
}

/// A number as one of 64 bits, which need not be exact.
pub(super) trait Approximate: PartialOrd + Default + Copy {
    fn approximate(self) -> f64;
}

macro_rules! approximate {
    ($($number:ty: $value:ident => $approximate:expr;)*) => {$(
        impl Approximate for $number {
            #[inline]
            fn approximate(self) -> f64 {
                let $value = self;
                $approximate
            }
        }
    )*};
}

approximate! {
    i8: number => f64::from(number);
    i16: number => f64::from(number);
    i32: number => f64::from(number);
    i64: number => number as f64;
    u8: number => f64::from(number);
    u16: number => f64::from(number);
    u32: number => f64::from(number);
    u64: number => number as f64;
    F16: number => f64::from(number.to_f32());
    f32: number => f64::from(number);
    f64: number => number;
    I128: number => i128::from(number) as f64;
    I256: number => i128::try_from(number).map_or_else(|_| number.to_string().parse().unwrap_or(f64::NAN), |number| number as f64);
}
