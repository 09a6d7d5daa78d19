//! Writes dates, times, timestamps and intervals.

use std::fmt;

use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano};
use arrow_schema::TimeUnit;

use super::{civil::Date, numbers::NumberFormat};
use crate::{
    digits::{AsciiText, two_digits},
    time_zone::ZoneRules,
};

const SECONDS_PER_DAY: i64 = 86_400;

/// Splits a number of `unit` into whole seconds and the rest. Divides by constants, which is fast.
fn split(ticks: i64, unit: TimeUnit) -> (i64, i64) {
    match unit {
        TimeUnit::Second => (ticks, 0),
        TimeUnit::Millisecond => (ticks.div_euclid(1_000), ticks.rem_euclid(1_000)),
        TimeUnit::Microsecond => (ticks.div_euclid(1_000_000), ticks.rem_euclid(1_000_000)),
        TimeUnit::Nanosecond => (ticks.div_euclid(1_000_000_000), ticks.rem_euclid(1_000_000_000)),
    }
}

/// Appends `HH:MM:SS` and a fraction in the digits of the unit. The time is within a day.
#[inline]
fn push_clock((seconds, fraction): (i64, i64), unit: TimeUnit, text: &mut AsciiText) -> fmt::Result {
    let seconds = seconds.unsigned_abs();
    let [h1, h2] = two_digits(seconds / 3_600);
    let [m1, m2] = two_digits(seconds / 60 % 60);
    let [s1, s2] = two_digits(seconds % 60);
    text.push_bytes(&[h1, h2, b':', m1, m2, b':', s1, s2])?;
    match unit.n_fraction_digits() {
        0 => Ok(()),
        n_digits => {
            text.push(".")?;
            text.push_padded(fraction.unsigned_abs(), n_digits)
        }
    }
}

#[inline]
fn push_timestamp(ticks: i64, unit: TimeUnit, text: &mut AsciiText) -> fmt::Result {
    push_split(split(ticks, unit), unit, text)
}

#[inline]
fn push_split((seconds, fraction): (i64, i64), unit: TimeUnit, text: &mut AsciiText) -> fmt::Result {
    Date::from_days(seconds.div_euclid(SECONDS_PER_DAY)).push(text)?;
    text.push("T")?;
    push_clock((seconds.rem_euclid(SECONDS_PER_DAY), fraction), unit, text)
}

fn push_quoted(
    text: &mut AsciiText,
    quote: &str,
    push: impl FnOnce(&mut AsciiText) -> fmt::Result,
) -> fmt::Result {
    text.push(quote)?;
    push(text)?;
    text.push(quote)
}

/// Writes days since 1970-01-01 as dates.
pub(super) struct Days;

impl NumberFormat<i32> for Days {
    fn push(&self, days: i32, quote: &str, text: &mut AsciiText) -> fmt::Result {
        push_quoted(text, quote, |text| Date::from_days(days.into()).push(text))
    }
}

/// Writes milliseconds since 1970-01-01. The format requires whole days, which are written as dates. Others are written as
/// timestamps.
pub(super) struct Milliseconds;

impl NumberFormat<i64> for Milliseconds {
    fn push(&self, milliseconds: i64, quote: &str, text: &mut AsciiText) -> fmt::Result {
        push_quoted(text, quote, |text| match milliseconds.rem_euclid(SECONDS_PER_DAY * 1_000) {
            0 => Date::from_days(milliseconds.div_euclid(SECONDS_PER_DAY * 1_000)).push(text),
            _ => push_timestamp(milliseconds, TimeUnit::Millisecond, text),
        })
    }
}

/// Writes times of day. Numbers outside of a day are written as numbers.
pub(super) struct Clock(pub(super) TimeUnit);

impl<N: Into<i64> + 'static> NumberFormat<N> for Clock {
    fn push(&self, ticks: N, quote: &str, text: &mut AsciiText) -> fmt::Result {
        let ticks = ticks.into();
        if !(0..SECONDS_PER_DAY * self.0.per_second()).contains(&ticks) {
            return text.push_integer(ticks);
        }
        push_quoted(text, quote, |text| push_clock(split(ticks, self.0), self.0, text))
    }
}

/// Writes timestamps with a suffix, which is `Z` for UTC.
pub(super) struct Timestamps {
    pub(super) unit: TimeUnit,
    pub(super) suffix: &'static str,
}

impl NumberFormat<i64> for Timestamps {
    fn push(&self, ticks: i64, quote: &str, text: &mut AsciiText) -> fmt::Result {
        push_quoted(text, quote, |text| {
            push_timestamp(ticks, self.unit, text)?;
            text.push(self.suffix)
        })
    }
}

/// Writes timestamps as local times of a zone, with their offset from UTC.
pub(super) struct LocalTimestamps {
    pub(super) unit: TimeUnit,
    pub(super) zone: ZoneRules,
}

impl NumberFormat<i64> for LocalTimestamps {
    fn push(&self, ticks: i64, quote: &str, text: &mut AsciiText) -> fmt::Result {
        push_quoted(text, quote, |text| {
            let (seconds, fraction) = split(ticks, self.unit);
            let offset = self.zone.offset_at(seconds);
            let Some(local) = seconds.checked_add(offset.into()) else {
                push_timestamp(ticks, self.unit, text)?;
                return text.push("Z");
            };
            push_split((local, fraction), self.unit, text)?;
            push_offset(offset, text)
        })
    }
}

/// Appends an offset from UTC, such as `+02:00`. Until about 1900, the offsets of many zones also have seconds.
fn push_offset(offset: i32, text: &mut AsciiText) -> fmt::Result {
    let sign = if offset < 0 { b'-' } else { b'+' };
    let seconds = u64::from(offset.unsigned_abs());
    let [h1, h2] = two_digits(seconds / 3_600);
    let [m1, m2] = two_digits(seconds / 60 % 60);
    text.push_bytes(&[sign, h1, h2, b':', m1, m2])?;
    if seconds % 60 == 0 {
        return Ok(());
    }
    let [s1, s2] = two_digits(seconds % 60);
    text.push_bytes(&[b':', s1, s2])
}

/// Writes durations with their unit, such as `5 s`.
pub(super) struct Spans(pub(super) TimeUnit);

impl NumberFormat<i64> for Spans {
    const IS_PLAIN: bool = false;

    fn push(&self, ticks: i64, _quote: &str, text: &mut AsciiText) -> fmt::Result {
        text.push_integer(ticks)?;
        text.push(" ")?;
        text.push_display(self.0)
    }
}

/// Writes intervals as objects with a member for each unit.
pub(super) struct Intervals;

impl NumberFormat<i32> for Intervals {
    const IS_PLAIN: bool = false;

    fn push(&self, months: i32, _quote: &str, text: &mut AsciiText) -> fmt::Result {
        text.push_display(format_args!("{{\"months\":{months}}}"))
    }
}

impl NumberFormat<IntervalDayTime> for Intervals {
    const IS_PLAIN: bool = false;

    fn push(&self, interval: IntervalDayTime, _quote: &str, text: &mut AsciiText) -> fmt::Result {
        let IntervalDayTime { days, milliseconds } = interval;
        text.push_display(format_args!("{{\"days\":{days},\"milliseconds\":{milliseconds}}}"))
    }
}

impl NumberFormat<IntervalMonthDayNano> for Intervals {
    const IS_PLAIN: bool = false;

    fn push(&self, interval: IntervalMonthDayNano, _quote: &str, text: &mut AsciiText) -> fmt::Result {
        let IntervalMonthDayNano { months, days, nanoseconds } = interval;
        text.push_display(format_args!(
            "{{\"months\":{months},\"days\":{days},\"nanoseconds\":{nanoseconds}}}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_texts_fit() {
        let interval = IntervalMonthDayNano { months: i32::MIN, days: i32::MIN, nanoseconds: i64::MIN };
        let expected = r#"{"months":-2147483648,"days":-2147483648,"nanoseconds":-9223372036854775808}"#;
        assert_eq!(text(&Intervals, interval), expected);
        let interval = IntervalDayTime { days: i32::MIN, milliseconds: i32::MIN };
        assert_eq!(text(&Intervals, interval), r#"{"days":-2147483648,"milliseconds":-2147483648}"#);
        assert_eq!(text(&Spans(TimeUnit::Nanosecond), i64::MIN), "-9223372036854775808 ns");
    }

    fn text<N>(format: &impl NumberFormat<N>, number: N) -> String {
        let mut out = String::new();
        format.write(number, "\"", &mut out).unwrap();
        out
    }

    #[test]
    fn timestamps_by_hand() {
        use TimeUnit::*;
        let cases = [
            (0, Second, "1970-01-01T00:00:00"),
            (-1, Second, "1969-12-31T23:59:59"),
            (951_827_696, Second, "2000-02-29T12:34:56"),
            (253_402_300_799, Second, "9999-12-31T23:59:59"),
            (253_402_300_800, Second, "+010000-01-01T00:00:00"),
            (-62_167_219_200, Second, "0000-01-01T00:00:00"),
            (-62_167_219_201, Second, "-000001-12-31T23:59:59"),
            (i64::MAX, Second, "+292277026596-12-04T15:30:07"),
            (i64::MIN, Second, "-292277022657-01-27T08:29:52"),
            (-1, Millisecond, "1969-12-31T23:59:59.999"),
            (i64::MAX, Millisecond, "+292278994-08-17T07:12:55.807"),
            (i64::MIN, Millisecond, "-292275055-05-16T16:47:04.192"),
            (1, Microsecond, "1970-01-01T00:00:00.000001"),
            (i64::MAX, Microsecond, "+294247-01-10T04:00:54.775807"),
            (i64::MIN, Microsecond, "-290308-12-21T19:59:05.224192"),
            (-1, Nanosecond, "1969-12-31T23:59:59.999999999"),
            (i64::MAX, Nanosecond, "2262-04-11T23:47:16.854775807"),
            (i64::MIN, Nanosecond, "1677-09-21T00:12:43.145224192"),
        ];
        for (ticks, unit, expected) in cases {
            assert_eq!(text(&Timestamps { unit, suffix: "" }, ticks), format!("\"{expected}\""));
            assert_eq!(text(&Timestamps { unit, suffix: "Z" }, ticks), format!("\"{expected}Z\""));
        }
    }

    #[test]
    fn local_timestamps_by_hand() {
        use TimeUnit::*;
        let cases = [
            (0, Second, 19_800, "1970-01-01T05:30:00+05:30"),
            (-1, Millisecond, -12_600, "1969-12-31T20:29:59.999-03:30"),
            (0, Second, 561, "1970-01-01T00:09:21+00:09:21"),
            (0, Nanosecond, -1, "1969-12-31T23:59:59.000000000-00:00:01"),
            (i64::MAX, Second, -3_600, "+292277026596-12-04T14:30:07-01:00"),
            (i64::MAX, Second, 3_600, "+292277026596-12-04T15:30:07Z"),
            (i64::MIN, Second, -3_600, "-292277022657-01-27T08:29:52Z"),
        ];
        for (ticks, unit, offset, expected) in cases {
            let zone = ZoneRules::fixed(offset);
            assert_eq!(text(&LocalTimestamps { unit, zone }, ticks), format!("\"{expected}\""));
        }
    }

    #[test]
    fn dates_by_hand() {
        const DAY: i64 = 86_400_000;
        for (milliseconds, date) in [
            (0, "1970-01-01"),
            (-DAY, "1969-12-31"),
            (DAY - 1, "1970-01-01T23:59:59.999"),
            (-1, "1969-12-31T23:59:59.999"),
            (i64::MAX, "+292278994-08-17T07:12:55.807"),
            (i64::MAX / DAY * DAY, "+292278994-08-17"),
        ] {
            assert_eq!(text(&Milliseconds, milliseconds), format!("\"{date}\""));
        }
        assert_eq!(text(&Days, -719_529), "\"-000001-12-31\"");
    }

    #[test]
    fn times_by_hand() {
        use TimeUnit::*;
        for (ticks, unit, time) in [
            (0_i64, Second, "\"00:00:00\""),
            (86_399, Second, "\"23:59:59\""),
            (86_400, Second, "86400"),
            (-1, Second, "-1"),
            (3_661_001, Millisecond, "\"01:01:01.001\""),
            (86_400_000, Millisecond, "86400000"),
            (1, Microsecond, "\"00:00:00.000001\""),
            (86_399_999_999_999, Nanosecond, "\"23:59:59.999999999\""),
            (86_400_000_000_000, Nanosecond, "86400000000000"),
            (i64::MIN, Nanosecond, "-9223372036854775808"),
        ] {
            assert_eq!(text(&Clock(unit), ticks), time);
        }
    }
}
