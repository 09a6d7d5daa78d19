//! Converts between intervals and spans of `jiff`.
//!
//! A span has a number for each unit, like an interval. A year becomes twelve months, and a week becomes seven days. Hours and
//! smaller units are added up. Days are not converted to hours, nor months to days.

use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano};
use jiff::Span;

use super::{JiffValue, TemporalError};
use crate::types::{IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType};

/// The units of a span, added up to the three numbers that an interval has.
struct IntervalParts {
    months: i64,
    days: i64,
    nanoseconds: i128,
}

impl IntervalParts {
    fn new(span: &Span) -> IntervalParts {
        let times = [
            (i64::from(span.get_hours()), 3_600_000_000_000),
            (span.get_minutes(), 60_000_000_000),
            (span.get_seconds(), 1_000_000_000),
            (span.get_milliseconds(), 1_000_000),
            (span.get_microseconds(), 1_000),
            (span.get_nanoseconds(), 1),
        ];
        // This does not overflow: a span is limited to some twenty thousand years in each unit.
        IntervalParts {
            months: i64::from(span.get_years()) * 12 + i64::from(span.get_months()),
            days: i64::from(span.get_weeks()) * 7 + i64::from(span.get_days()),
            nanoseconds: times.map(|(n, size)| i128::from(n) * size).into_iter().sum(),
        }
    }
}

fn span(months: i32, days: i32, nanoseconds: i64) -> Result<Span, TemporalError> {
    let signs = [months.signum(), days.signum(), nanoseconds.signum() as i32];
    if signs.contains(&1) && signs.contains(&-1) {
        return Err(TemporalError::MixedSigns);
    }
    let out_of_range = |stored, unit| TemporalError::OutOfRange { stored, unit, into: "jiff::Span" };
    let span = Span::new().try_months(months).map_err(|_| out_of_range(months.into(), "months"))?;
    let span = span.try_days(days).map_err(|_| out_of_range(days.into(), "days"))?;
    span.try_nanoseconds(nanoseconds).map_err(|_| out_of_range(nanoseconds, "nanoseconds"))
}

fn to_i32(number: i64, unit: &'static str) -> Result<i32, TemporalError> {
    i32::try_from(number).map_err(|_| TemporalError::Overflow { n_bits: 32, unit })
}

/// Returns an error if `amount` is not zero. `amount` counts a unit that the array cannot store.
fn without(amount: i128, part: &'static str, into: &'static str) -> Result<(), TemporalError> {
    if amount == 0 { Ok(()) } else { Err(TemporalError::Unstorable { part, into }) }
}

impl JiffValue<IntervalYearMonthType> for Span {
    fn from_stored(months: i32, (): ()) -> Result<Span, TemporalError> {
        span(months, 0, 0)
    }

    fn to_stored(&self, (): ()) -> Result<i32, TemporalError> {
        let parts = IntervalParts::new(self);
        let into = "interval(year_month)";
        without(parts.days.into(), "days", into)?;
        without(parts.nanoseconds, "units of time", into)?;
        to_i32(parts.months, "months")
    }
}

impl JiffValue<IntervalDayTimeType> for Span {
    fn from_stored(stored: IntervalDayTime, (): ()) -> Result<Span, TemporalError> {
        // Milliseconds are not converted to other units, so the span prints like the interval.
        let whole = span(0, stored.days, stored.milliseconds.into())?;
        let milliseconds = stored.milliseconds;
        let into = "jiff::Span";
        whole.nanoseconds(0).try_milliseconds(milliseconds).map_err(|_| TemporalError::OutOfRange {
            stored: milliseconds.into(),
            unit: "milliseconds",
            into,
        })
    }

    fn to_stored(&self, (): ()) -> Result<IntervalDayTime, TemporalError> {
        let parts = IntervalParts::new(self);
        without(parts.months.into(), "months", "interval(day_time)")?;
        let unit = "milliseconds";
        if parts.nanoseconds % 1_000_000 != 0 {
            return Err(TemporalError::Inexact { unit });
        }
        let milliseconds = i64::try_from(parts.nanoseconds / 1_000_000)
            .map_err(|_| TemporalError::Overflow { n_bits: 32, unit })?;
        Ok(IntervalDayTime { days: to_i32(parts.days, "days")?, milliseconds: to_i32(milliseconds, unit)? })
    }
}

impl JiffValue<IntervalMonthDayNanoType> for Span {
    fn from_stored(stored: IntervalMonthDayNano, (): ()) -> Result<Span, TemporalError> {
        span(stored.months, stored.days, stored.nanoseconds)
    }

    fn to_stored(&self, (): ()) -> Result<IntervalMonthDayNano, TemporalError> {
        let parts = IntervalParts::new(self);
        let overflow = TemporalError::Overflow { n_bits: 64, unit: "nanoseconds" };
        Ok(IntervalMonthDayNano {
            months: to_i32(parts.months, "months")?,
            days: to_i32(parts.days, "days")?,
            nanoseconds: i64::try_from(parts.nanoseconds).map_err(|_| overflow)?,
        })
    }
}
