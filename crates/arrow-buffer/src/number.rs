//! Numbers for which Rust has no stable type, or only a type that needs more alignment than buffers have, and intervals with
//! several units.

pub(crate) mod decimal;
pub(crate) mod f16;
pub(crate) mod i128;
pub(crate) mod i256;
pub(crate) mod notation;
pub(crate) mod view;

/// The days and the milliseconds of an interval. A day is not a fixed number of milliseconds.
///
/// Specification: `Interval` with unit `DAY_TIME`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[repr(C)]
pub struct IntervalDayTime {
    /// Days, each of 23, 24 or 25 hours.
    pub days: i32,
    /// Milliseconds; may exceed one day.
    pub milliseconds: i32,
}

/// The months, days and nanoseconds of an interval. A month has no fixed number of days, and a day no fixed length.
///
/// Specification: `Interval` with unit `MONTH_DAY_NANO`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[repr(C, align(8))]
pub struct IntervalMonthDayNano {
    /// Months, each of 28 to 31 days.
    pub months: i32,
    /// Days, each of 23, 24 or 25 hours.
    pub days: i32,
    /// Nanoseconds; may exceed one day.
    pub nanoseconds: i64,
}
