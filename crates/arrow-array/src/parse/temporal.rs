//! Parses dates, times of day and timestamps.

use arrow_schema::{Time32Unit, Time64Unit, TimeUnit};

use super::{
    days::days_of,
    error::{Expectation, ValueError, ValueResult},
    integer,
};

const SECONDS_PER_DAY: i64 = 86_400;
const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// Parses a date. Returns the number of days since 1970-01-01.
pub fn date32(text: &str) -> ValueResult<i32> {
    let mut rest = Rest(text.as_bytes());
    let days = rest.date().ok_or_else(|| ValueError::new(Expectation::Date, text))?;
    if !rest.is_over() {
        return Err(ValueError::new(Expectation::Date, text));
    }
    i32::try_from(days).map_err(|_| ValueError::new(Expectation::TimestampInRange { n_bits: 32 }, text))
}

/// Parses a date or a timestamp. Returns milliseconds since 1970-01-01. The specification allows only whole days, but some
/// files contain other values.
pub(super) fn date64(text: &str) -> ValueResult<i64> {
    let mut rest = Rest(text.as_bytes());
    let days = rest.date().ok_or_else(|| ValueError::new(Expectation::DateOrTimestamp, text))?;
    if rest.is_over() {
        let milliseconds = days.checked_mul(MILLISECONDS_PER_DAY);
        return milliseconds
            .ok_or_else(|| ValueError::new(Expectation::TimestampInRange { n_bits: 64 }, text));
    }
    parse_timestamp(text, TimeUnit::Millisecond, Expectation::DateOrTimestamp)
}

/// Parses a time of day, or the stored number of 32 bits.
pub(super) fn time32(text: &str, unit: Time32Unit) -> ValueResult<i32> {
    let expected = Expectation::Time { min: i32::MIN.into(), max: i32::MAX.into() };
    let ticks = time(text, unit.into(), expected.clone())?;
    i32::try_from(ticks).map_err(|_| ValueError::new(expected, text))
}

/// Parses a time of day, or the stored number of 64 bits.
pub fn time64(text: &str, unit: Time64Unit) -> ValueResult<i64> {
    time(text, unit.into(), Expectation::Time { min: i64::MIN, max: i64::MAX })
}

fn time(text: &str, unit: TimeUnit, expected: Expectation) -> ValueResult<i64> {
    if !text.contains(':') {
        return integer(text).map_err(|_| ValueError::new(expected, text));
    }
    let mut rest = Rest(text.as_bytes());
    let Some((seconds, fraction)) = rest.clock() else { return Err(ValueError::new(expected, text)) };
    if !rest.is_over() {
        return Err(ValueError::new(expected, text));
    }
    // This does not overflow, since the sum is less than a day.
    Ok(seconds * unit.per_second() + ticks_of(fraction, unit, text)?)
}

/// Parses a timestamp without a time zone. Returns its distance from 1970-01-01T00:00:00 in `unit`.
pub fn timestamp(text: &str, unit: TimeUnit) -> ValueResult<i64> {
    parse_timestamp(text, unit, Expectation::Timestamp)
}

/// Parses a timestamp that ends with `Z` or an offset from UTC. Returns its distance from 1970-01-01T00:00:00Z in `unit`.
pub fn timestamp_with_zone(text: &str, unit: TimeUnit) -> ValueResult<i64> {
    parse_timestamp(text, unit, Expectation::ZonedTimestamp)
}

fn parse_timestamp(text: &str, unit: TimeUnit, expected: Expectation) -> ValueResult<i64> {
    let has_zone = expected == Expectation::ZonedTimestamp;
    let (days, (seconds, fraction)) =
        split_timestamp(text, has_zone).ok_or_else(|| ValueError::new(expected, text))?;
    let ticks = ticks_of(fraction, unit, text)?;
    // This does not overflow: days have at most 15 digits, so seconds have 20, and ticks 29.
    let seconds = i128::from(days) * i128::from(SECONDS_PER_DAY) + i128::from(seconds);
    let ticks = seconds * i128::from(unit.per_second()) + i128::from(ticks);
    i64::try_from(ticks).map_err(|_| ValueError::new(Expectation::TimestampInRange { n_bits: 64 }, text))
}

/// Splits a timestamp into days, seconds of the day, and digits of a fraction. With a time zone, the seconds are converted to
/// UTC, so they may lie outside of the day.
fn split_timestamp(text: &str, has_zone: bool) -> Option<(i64, (i64, &[u8]))> {
    let mut rest = Rest(text.as_bytes());
    let days = rest.date()?;
    if !(rest.eat(b'T') || rest.eat(b' ')) {
        return None;
    }
    let (seconds, fraction) = rest.clock()?;
    let to_utc = if has_zone { rest.distance_to_utc()? } else { 0 };
    rest.is_over().then_some((days, (seconds - to_utc, fraction)))
}

/// Converts the digits of a fraction of a second to a number of `unit`.
fn ticks_of(fraction: &[u8], unit: TimeUnit, text: &str) -> ValueResult<i64> {
    let n_digits = unit.n_fraction_digits();
    let (stored, dropped) = fraction.split_at(fraction.len().min(n_digits));
    if dropped.iter().any(|digit| *digit != b'0') {
        return Err(ValueError::new(Expectation::Fraction { n_digits }, text));
    }
    // The index is in bounds, since there are at most nine digits.
    let unit = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
    Ok(number(stored).cast_signed() * unit[n_digits - stored.len()])
}

/// The part of a text that has not been parsed.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn eat(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// Parses all digits at the start.
    fn digits(&mut self) -> &'a [u8] {
        let n_digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(n_digits);
        self.0 = rest;
        digits
    }

    /// Parses a number of two digits that is at most `max`.
    fn two(&mut self, max: u64) -> Option<u64> {
        let (digits, rest) = self.0.split_first_chunk::<2>()?;
        let number = digits.iter().all(u8::is_ascii_digit).then(|| number(digits))?;
        self.0 = rest;
        (number <= max).then_some(number)
    }

    /// Parses `YYYY-MM-DD`. Returns days since 1970-01-01. The year has four digits, or a sign and six to twelve digits.
    fn date(&mut self) -> Option<i64> {
        if let Some((date, rest)) = self.0.split_first_chunk()
            && let Some((year, month, day)) = plain_date(date)
        {
            self.0 = rest;
            return days_of(year.cast_signed(), month, day);
        }
        let is_negative = self.eat(b'-');
        let has_sign = is_negative || self.eat(b'+');
        let digits = self.digits();
        // Dates in longer years do not fit into seconds of 64 bits.
        let has_right_length = if has_sign { (6..=12).contains(&digits.len()) } else { digits.len() == 4 };
        if !has_right_length {
            return None;
        }
        let year = number(digits).cast_signed();
        let year = if is_negative { -year } else { year };
        let month = self.eat(b'-').then(|| self.two(12))??;
        let day = self.eat(b'-').then(|| self.two(31))??;
        days_of(year, month, day)
    }

    /// Parses `HH:MM`, or `HH:MM:SS` with an optional fraction. Returns the seconds, and the digits of the fraction.
    fn clock(&mut self) -> Option<(i64, &'a [u8])> {
        let Some((clock, rest)) = self.0.split_first_chunk() else { return self.minutes() };
        let Some([hours, minutes, seconds]) = plain_clock(clock) else { return self.minutes() };
        self.0 = rest;
        let fraction =
            if self.eat(b'.') { Some(self.digits()).filter(|digits| !digits.is_empty())? } else { &[] };
        Some(((hours * 3_600 + minutes * 60 + seconds).cast_signed(), fraction))
    }

    /// Parses `HH:MM`. Returns seconds.
    #[cold]
    #[inline(never)]
    fn minutes(&mut self) -> Option<(i64, &'a [u8])> {
        let hours = self.two(23)?;
        let minutes = self.eat(b':').then(|| self.two(59))??;
        let has_more = self.0.first().is_some_and(|byte| matches!(byte, b':' | b'.' | b'0'..=b'9'));
        (!has_more).then_some(((hours * 3_600 + minutes * 60).cast_signed(), &[]))
    }

    /// Parses `Z`, or an offset such as `+HH:MM`, `-HHMM`, `+HH` or `+HH:MM:SS`. Returns the seconds to subtract for UTC.
    fn distance_to_utc(&mut self) -> Option<i64> {
        if self.eat(b'Z') {
            return Some(0);
        }
        let is_negative = self.eat(b'-');
        if !is_negative && !self.eat(b'+') {
            return None;
        }
        let hours = self.two(23)?;
        // An offset is `+02:00`, `+0200` or `+02`.
        let has_colon = self.eat(b':');
        let minutes = if has_colon || !self.0.is_empty() { self.two(59)? } else { 0 };
        // Until about 1900, the offsets of many zones have seconds.
        let seconds = if has_colon && self.eat(b':') { self.two(59)? } else { 0 };
        let seconds = (hours * 3_600 + minutes * 60 + seconds).cast_signed();
        Some(if is_negative { -seconds } else { seconds })
    }
}

/// Parses `YYYY-MM-DD` with a year of four digits. Returns year, month and day.
fn plain_date(text: &[u8; 10]) -> Option<(u64, u64, u64)> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text else { return None };
    let digits = [y1, y2, y3, y4, m1, m2, d1, d2];
    let are_digits = digits.iter().fold(true, |all, byte| all & byte.is_ascii_digit());
    are_digits.then(|| (number(&[y1, y2, y3, y4]), number(&[m1, m2]), number(&[d1, d2])))
}

/// Parses `HH:MM:SS`. Returns hours, minutes and seconds.
fn plain_clock(text: &[u8; 8]) -> Option<[u64; 3]> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *text else { return None };
    let are_digits = [h1, h2, m1, m2, s1, s2].iter().fold(true, |all, byte| all & byte.is_ascii_digit());
    let clock = are_digits.then(|| [number(&[h1, h2]), number(&[m1, m2]), number(&[s1, s2])]);
    clock.filter(|[hours, minutes, seconds]| *hours <= 23 && *minutes <= 59 && *seconds <= 59)
}

/// The value of at most twelve digits.
fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value, or the text of what was expected.
    fn outcome<T: Into<i64>>(result: ValueResult<T>) -> std::result::Result<i64, String> {
        let short = |error: ValueError| error.expected().to_string().chars().take(16).collect();
        result.map(Into::into).map_err(short)
    }

    #[test]
    fn dates_by_hand() {
        const FORM: std::result::Result<i64, &str> = Err("a date such as 2");
        const RANGE: std::result::Result<i64, &str> = Err("a timestamp that");
        let cases = [
            ("1970-01-01", Ok(0)),
            ("2024-02-29", Ok(19_782)),
            ("0000-01-01", Ok(-719_528)),
            ("-000001-12-31", Ok(-719_529)),
            ("+010000-01-01", Ok(2_932_897)),
            ("+002024-02-29", Ok(19_782)),
            ("+5881580-07-11", Ok(i32::MAX.into())),
            ("-5877641-06-23", Ok(i32::MIN.into())),
            ("+5881580-07-12", RANGE),
            ("-5877641-06-22", RANGE),
            ("+999999999999-01-01", RANGE),
            ("+9999999999999-01-01", FORM),
            ("2023-02-29", FORM),
            ("1900-02-29", FORM),
            ("2024-00-01", FORM),
            ("2024-13-01", FORM),
            ("2024-04-31", FORM),
            ("2024-01-00", FORM),
            ("2024-1-01", FORM),
            ("2024-01-1", FORM),
            ("20240101", FORM),
            ("10000-01-01", FORM),
            ("+2024-01-01", FORM),
            ("--002024-01-01", FORM),
            ("-+002024-01-01", FORM),
            ("2024-01-01 ", FORM),
            ("2024-01-01T00:00:00", FORM),
            ("٢٠٢٤-01-01", FORM),
            ("19782", FORM),
            ("", FORM),
        ];
        for (text, expected) in cases {
            assert_eq!(outcome(date32(text)), expected.map_err(str::to_owned), "{text}");
        }
        let cases = [
            ("1970-01-02", Ok(86_400_000)),
            ("1969-12-31T23:59:59.999", Ok(-1)),
            ("1970-01-02T00:00:00", Ok(86_400_000)),
            ("+292278994-08-17T07:12:55.807", Ok(i64::MAX)),
            ("+292278994-08-17T07:12:55.808", RANGE),
            ("+999999999999-01-01", RANGE),
            ("1970-01-01T00:00:00Z", FORM),
            ("1970-01-01T", FORM),
            ("1970-01-01T00:00:00.0001", Err("at most 3 digits")),
        ];
        for (text, expected) in cases {
            assert_eq!(outcome(date64(text)), expected.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn times_by_hand() {
        use TimeUnit::*;
        const FORM: std::result::Result<i64, &str> = Err("a time of day su");
        let cases = [
            ("00:00:00", Second, Ok(0)),
            ("23:59:59", Second, Ok(86_399)),
            ("23:59:59", Millisecond, Ok(86_399_000)),
            ("12:34:56.5", Millisecond, Ok(45_296_500)),
            ("12:34:56.000", Second, Ok(45_296)),
            ("00:00:00.0000010", Microsecond, Ok(1)),
            ("23:59:59.999999999", Nanosecond, Ok(86_399_999_999_999)),
            ("86400", Second, Ok(86_400)),
            ("-1", Nanosecond, Ok(-1)),
            ("2147483648", Millisecond, FORM),
            ("9223372036854775808", Nanosecond, FORM),
            ("24:00:00", Second, FORM),
            ("00:60:00", Second, FORM),
            ("00:00:60", Second, FORM),
            ("0:00:00", Second, FORM),
            ("00:00", Second, Ok(0)),
            ("12:30", Second, Ok(45_000)),
            ("23:59", Nanosecond, Ok(86_340_000_000_000)),
            ("24:00", Second, FORM),
            ("12:60", Second, FORM),
            ("1:30", Second, FORM),
            ("12:3", Second, FORM),
            ("12:", Second, FORM),
            ("12:30:", Second, FORM),
            ("12:300", Second, FORM),
            ("12:30.5", Millisecond, FORM),
            ("12:30:5", Second, FORM),
            ("12:30Z", Second, FORM),
            ("12:30 ", Second, FORM),
            ("00:00:00.", Second, FORM),
            ("00:00:00Z", Second, FORM),
            ("-00:00:01", Second, FORM),
            ("00:00:00,5", Millisecond, FORM),
            ("", Second, FORM),
            ("00:00:00.1", Second, Err("at most 0 digits")),
            ("00:00:00.0000000001", Nanosecond, Err("at most 9 digits")),
        ];
        for (text, unit, expected) in cases {
            let found = match unit {
                Second => outcome(time32(text, Time32Unit::Second)),
                Millisecond => outcome(time32(text, Time32Unit::Millisecond)),
                Microsecond => outcome(time64(text, Time64Unit::Microsecond)),
                Nanosecond => outcome(time64(text, Time64Unit::Nanosecond)),
            };
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        }
    }

    /// Parses a time of day without optimisation: numbers of two digits between colons.
    fn naive(text: &str) -> Option<i64> {
        let (whole, fraction) =
            text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        let numbers: Vec<&str> = whole.split(':').collect();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let are_right = numbers.iter().all(|number| number.len() == 2 && is_number(number))
            && fraction
                .is_none_or(|fraction| is_number(fraction) && numbers.len() == 3 && fraction.len() <= 3);
        let numbers: Vec<i64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
        let (hours, minutes, seconds) = match numbers[..] {
            [hours, minutes] => (hours, minutes, 0),
            [hours, minutes, seconds] => (hours, minutes, seconds),
            _ => return None,
        };
        let thousandths: i64 = format!("{:0<3}", fraction.unwrap_or("")).parse().ok()?;
        let is_time = are_right && hours < 24 && minutes < 60 && seconds < 60;
        is_time.then_some(((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths)
    }

    /// Parses each text that is made from pieces of times like `naive`.
    #[test]
    fn times_are_those_of_the_naive_reading() {
        const PIECES: [&str; 12] = ["", "0", "00", "12", "23", "24", "59", "60", "5", ":", ".", " "];
        for first in ["00", "12", "23", "24", "5", "", "005"] {
            for (second, third) in PIECES.iter().flat_map(|one| PIECES.map(|two| (one, two))) {
                for (fourth, fifth) in PIECES.iter().flat_map(|one| PIECES.map(|two| (one, two))) {
                    let text = format!("{first}:{second}{third}{fourth}{fifth}");
                    let found = time32(&text, Time32Unit::Millisecond).ok().map(i64::from);
                    assert_eq!(found, naive(&text), "{text}");
                    let on_epoch_day = format!("1970-01-01T{text}");
                    let found = timestamp(&on_epoch_day, TimeUnit::Millisecond).ok();
                    assert_eq!(found, naive(&text), "{on_epoch_day}");
                }
            }
        }
    }

    #[test]
    fn timestamps_by_hand() {
        use TimeUnit::*;
        const FORM: std::result::Result<i64, &str> = Err("a timestamp such");
        const RANGE: std::result::Result<i64, &str> = Err("a timestamp that");
        let cases = [
            ("1970-01-01T00:00:00", Second, Ok(0)),
            ("1970-01-01 00:00:01", Second, Ok(1)),
            ("2000-02-29T12:34:56.7", Millisecond, Ok(951_827_696_700)),
            ("1969-12-31T23:59:59.999999999", Nanosecond, Ok(-1)),
            ("1969-12-31T23:59:59.999999999000", Nanosecond, Ok(-1)),
            ("+292277026596-12-04T15:30:07", Second, Ok(i64::MAX)),
            ("-292277022657-01-27T08:29:52", Second, Ok(i64::MIN)),
            ("2262-04-11T23:47:16.854775807", Nanosecond, Ok(i64::MAX)),
            ("1677-09-21T00:12:43.145224192", Nanosecond, Ok(i64::MIN)),
            ("+292277026596-12-04T15:30:08", Second, RANGE),
            ("-292277022657-01-27T08:29:51", Second, RANGE),
            ("2262-04-11T23:47:16.854775808", Nanosecond, RANGE),
            ("-999999999999-01-01T00:00:00", Nanosecond, RANGE),
            ("1970-01-01T00:00:00.5", Second, Err("at most 0 digits")),
            ("1970-01-01T24:00:00", Second, FORM),
            ("1970-01-01t00:00:00", Second, FORM),
            ("1970-01-01T00:00", Second, Ok(0)),
            ("1970-01-01 12:30", Millisecond, Ok(45_000_000)),
            ("1970-01-01T12:3", Second, FORM),
            ("1970-01-01T12:60", Second, FORM),
            ("1970-01-01T12:30:", Second, FORM),
            ("1970-01-01T12", Second, FORM),
            ("1970-01-01", Second, FORM),
            ("0", Second, FORM),
            ("", Second, FORM),
        ];
        for (text, unit, expected) in cases {
            let expected = expected.map_err(str::to_owned);
            assert_eq!(outcome(timestamp(text, unit)), expected, "{text}");
            for suffix in ["Z", "+00:00", "-00:00"] {
                let zoned = format!("{text}{suffix}");
                assert_eq!(outcome(timestamp_with_zone(&zoned, unit)), expected, "{zoned}");
                assert_eq!(outcome(timestamp(&zoned, unit)), FORM.map_err(str::to_owned), "{zoned}");
            }
            assert_eq!(outcome(timestamp_with_zone(text, unit)), FORM.map_err(str::to_owned), "{text}");
        }
        let zoned = [
            ("1970-01-01T02:00:00+02:00", Ok(0)),
            ("1969-12-31T18:30:00-05:30", Ok(0)),
            ("1970-01-01T02:30+02:30", Ok(0)),
            ("1970-01-01T02:30+0230", Ok(0)),
            ("1970-01-01 02:00+02", Ok(0)),
            ("-292277022657-01-27T08:29:52+00:01", RANGE),
            ("1970-01-01T00:00:00+2:00", FORM),
            ("1970-01-01T02:00:00+0200", Ok(0)),
            ("1970-01-01T02:00:00+02", Ok(0)),
            ("1970-01-01T00:09:21+00:09:21", Ok(0)),
            ("1969-12-31T23:59:59-00:00:01", Ok(0)),
            ("1970-01-01T00:00:00+00:00:60", FORM),
            ("1970-01-01T00:00:00+00:00:", FORM),
            ("1970-01-01T00:00:00+000000", FORM),
            ("1970-01-01T00:00:00+02:", FORM),
            ("1970-01-01T00:00:00+020", FORM),
            ("1970-01-01T00:00:00+0260", FORM),
            ("1970-01-01T00:00:00+02000", FORM),
            ("1970-01-01T00:00:00+24:00", FORM),
            ("1970-01-01T00:00:00ZZ", FORM),
            ("1970-01-01T00:00:00 Z", FORM),
        ];
        for (text, expected) in zoned {
            assert_eq!(outcome(timestamp_with_zone(text, Second)), expected.map_err(str::to_owned), "{text}");
        }
    }
}
