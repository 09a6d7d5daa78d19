//! Sums up the lengths of values.

use arrow_array::{AnyArray, Lists, MapArray, with_bytes, with_list};
use arrow_data::Physical;

use super::slots::{CountedSlot, Slots};

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
