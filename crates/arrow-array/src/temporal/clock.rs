//! Converts dates, times of day, timestamps and durations.

use arrow_schema::{DataType, Time32Unit, Time64Unit, TimeUnit};
use jiff::{
    SignedDuration, Span, Timestamp,
    civil::{Date, DateTime, Time, date},
};

use super::{JiffValue, TemporalError, sealed::Sealed};
use crate::types::{Date32Type, Date64Type, DurationType, Time32Type, Time64Type, TimestampType};

const EPOCH: Date = date(1970, 1, 1);
const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// The name of a unit, and its length in nanoseconds.
fn unit_of(unit: TimeUnit) -> (&'static str, i64) {
    match unit {
        TimeUnit::Second => ("seconds", 1_000_000_000),
        TimeUnit::Millisecond => ("milliseconds", 1_000_000),
        TimeUnit::Microsecond => ("microseconds", 1_000),
        TimeUnit::Nanosecond => ("nanoseconds", 1),
    }
}

/// Converts nanoseconds to a whole number of `unit`. Returns an error if there is a remainder.
fn count(nanoseconds: i128, unit: TimeUnit) -> Result<i64, TemporalError> {
    let (unit, n_nanoseconds) = unit_of(unit);
    let n_nanoseconds = i128::from(n_nanoseconds);
    if nanoseconds % n_nanoseconds != 0 {
        return Err(TemporalError::Inexact { unit });
    }
    i64::try_from(nanoseconds / n_nanoseconds).map_err(|_| TemporalError::Overflow { n_bits: 64, unit })
}

fn nanoseconds(stored: i64, unit: TimeUnit) -> i128 {
    i128::from(stored) * i128::from(unit_of(unit).1)
}

fn date_of_days(days: i64) -> Option<Date> {
    EPOCH.checked_add(Span::new().try_days(days).ok()?).ok()
}

fn days_of_date(date: Date) -> i64 {
    EPOCH.duration_until(date).as_secs() / 86_400
}

fn time_of_day(nanoseconds: i128) -> Option<Time> {
    let since_midnight = SignedDuration::from_nanos(i64::try_from(nanoseconds).ok()?);
    Time::midnight().checked_add(since_midnight).ok()
}

fn read_time(stored: i64, unit: TimeUnit) -> Result<Time, TemporalError> {
    let out_of_range = TemporalError::OutOfRange { stored, unit: unit_of(unit).0, into: "jiff::civil::Time" };
    time_of_day(nanoseconds(stored, unit)).ok_or(out_of_range)
}

fn count_time(time: &Time, unit: TimeUnit) -> Result<i64, TemporalError> {
    count(Time::midnight().duration_until(*time).as_nanos(), unit)
}

impl JiffValue<Date32Type> for Date {
    fn from_stored(days: i32, (): ()) -> Result<Date, TemporalError> {
        let stored = i64::from(days);
        let out_of_range = TemporalError::OutOfRange { stored, unit: "days", into: "jiff::civil::Date" };
        date_of_days(stored).ok_or(out_of_range)
    }

    fn to_stored(&self, (): ()) -> Result<i32, TemporalError> {
        let overflow = TemporalError::Overflow { n_bits: 32, unit: "days" };
        i32::try_from(days_of_date(*self)).map_err(|_| overflow)
    }
}

impl JiffValue<Date64Type> for Date {
    /// The day that contains the stored millisecond. The format allows only the first millisecond of a day.
    fn from_stored(stored: i64, (): ()) -> Result<Date, TemporalError> {
        let out_of_range =
            TemporalError::OutOfRange { stored, unit: "milliseconds", into: "jiff::civil::Date" };
        date_of_days(stored.div_euclid(MILLISECONDS_PER_DAY)).ok_or(out_of_range)
    }

    fn to_stored(&self, (): ()) -> Result<i64, TemporalError> {
        let overflow = TemporalError::Overflow { n_bits: 64, unit: "milliseconds" };
        days_of_date(*self).checked_mul(MILLISECONDS_PER_DAY).ok_or(overflow)
    }
}

impl JiffValue<Time32Type> for Time {
    fn from_stored(stored: i32, unit: Time32Unit) -> Result<Time, TemporalError> {
        read_time(stored.into(), unit.into())
    }

    fn to_stored(&self, unit: Time32Unit) -> Result<i32, TemporalError> {
        let overflow = TemporalError::Overflow { n_bits: 32, unit: unit_of(unit.into()).0 };
        i32::try_from(count_time(self, unit.into())?).map_err(|_| overflow)
    }
}

impl JiffValue<Time64Type> for Time {
    fn from_stored(stored: i64, unit: Time64Unit) -> Result<Time, TemporalError> {
        read_time(stored, unit.into())
    }

    fn to_stored(&self, unit: Time64Unit) -> Result<i64, TemporalError> {
        count_time(self, unit.into())
    }
}

/// Local times: timestamps without a time zone.
impl JiffValue<TimestampType> for DateTime {
    fn from_stored(stored: i64, unit: TimeUnit) -> Result<DateTime, TemporalError> {
        const DAY: i128 = 86_400_000_000_000;
        let nanoseconds = nanoseconds(stored, unit);
        let days = i64::try_from(nanoseconds.div_euclid(DAY)).ok().and_then(date_of_days);
        let parts = days.zip(time_of_day(nanoseconds.rem_euclid(DAY)));
        let into = "jiff::civil::DateTime";
        let out_of_range = TemporalError::OutOfRange { stored, unit: unit_of(unit).0, into };
        parts.map(|(date, time)| DateTime::from_parts(date, time)).ok_or(out_of_range)
    }

    fn to_stored(&self, unit: TimeUnit) -> Result<i64, TemporalError> {
        count(EPOCH.to_datetime(Time::midnight()).duration_until(*self).as_nanos(), unit)
    }
}

impl Sealed for DateTime {
    fn check_type(data_type: &DataType) -> Result<(), TemporalError> {
        match data_type.as_timestamp() {
            Some((_, Some(_))) => Err(TemporalError::HasZone),
            Some((_, None)) | None => Ok(()),
        }
    }
}

/// Timestamps with any time zone.
impl JiffValue<TimestampType> for Timestamp {
    fn from_stored(stored: i64, unit: TimeUnit) -> Result<Timestamp, TemporalError> {
        let out_of_range =
            TemporalError::OutOfRange { stored, unit: unit_of(unit).0, into: "jiff::Timestamp" };
        Timestamp::from_nanosecond(nanoseconds(stored, unit)).map_err(|_| out_of_range)
    }

    fn to_stored(&self, unit: TimeUnit) -> Result<i64, TemporalError> {
        count(self.as_nanosecond(), unit)
    }
}

impl Sealed for Timestamp {
    fn check_type(data_type: &DataType) -> Result<(), TemporalError> {
        match data_type.as_timestamp() {
            Some((_, None)) => Err(TemporalError::NoZone),
            Some((_, Some(_))) | None => Ok(()),
        }
    }
}

impl JiffValue<DurationType> for SignedDuration {
    fn from_stored(stored: i64, unit: TimeUnit) -> Result<SignedDuration, TemporalError> {
        Ok(match unit {
            TimeUnit::Second => SignedDuration::from_secs(stored),
            TimeUnit::Millisecond => SignedDuration::from_millis(stored),
            TimeUnit::Microsecond => SignedDuration::from_micros(stored),
            TimeUnit::Nanosecond => SignedDuration::from_nanos(stored),
        })
    }

    fn to_stored(&self, unit: TimeUnit) -> Result<i64, TemporalError> {
        count(self.as_nanos(), unit)
    }
}
