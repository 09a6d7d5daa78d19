//! Casts intervals of months, and of days and milliseconds, to those that have all of these parts.

use arrow_array::AnyArray;
use arrow_buffer::{Buffer, IntervalMonthDayNano};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, IntervalUnit};

use super::{CastContext, error::CastResult, memory};

const NANOSECONDS_OF_MILLISECOND: i64 = 1_000_000;

impl CastContext<'_> {
    /// Casts intervals to months, days and nanoseconds. `None` if the array has no intervals, or `to` is another type. No value can
    /// be too large.
    pub(super) fn intervals(self, array: &AnyArray, to: &DataType) -> CastResult<Option<ArrayData>> {
        if *to != DataType::Interval(IntervalUnit::MonthDayNano) {
            return Ok(None);
        }
        let none = IntervalMonthDayNano::default();
        let bytes = || memory::bytes(array.len() as u128 * size_of_val(&none) as u128, self.budget);
        let intervals = if let AnyArray::IntervalYearMonth(intervals) = array {
            let mut bytes = bytes()?;
            for months in intervals.values() {
                bytes.push(IntervalMonthDayNano { months: *months, ..none });
            }
            bytes
        } else if let AnyArray::IntervalDayTime(intervals) = array {
            let mut bytes = bytes()?;
            for interval in intervals.values() {
                let nanoseconds = i64::from(interval.milliseconds).saturating_mul(NANOSECONDS_OF_MILLISECOND);
                bytes.push(IntervalMonthDayNano { days: interval.days, nanoseconds, ..none });
            }
            bytes
        } else {
            return Ok(None);
        };
        let parts = ArrayParts::new(to.clone(), array.len());
        let validity = array.validity().cloned();
        let parts = ArrayParts { validity, buffers: [intervals.freeze(), Buffer::new()], ..parts };
        Ok(Some(ArrayData::try_new(parts)?.validate(Validation::Content)?))
    }
}
