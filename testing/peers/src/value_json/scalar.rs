//! Single values: floats, decimals, dates and times.

use half::f16;
use std::fmt::Write;

const SECONDS_PER_DAY: i128 = 86_400;

/// The text of a floating-point number. `shortest` is its shortest decimal form in its own width.
pub(super) fn float_text(value: f64, shortest: String) -> String {
    match value {
        value if value.is_nan() => "\"NaN\"".to_owned(),
        f64::INFINITY => "\"Infinity\"".to_owned(),
        f64::NEG_INFINITY => "\"-Infinity\"".to_owned(),
        _ => shortest,
    }
}

/// The text with the fewest digits that reads back as the same half float. The exact value is a double.
pub(super) fn half_text(value: f16) -> String {
    let exact = f64::from(value);
    let shortest = (0..5)
        .filter_map(|n_decimals| format!("{exact:.n_decimals$e}").parse::<f64>().ok())
        .find(|&candidate| f16::from_f64(candidate) == value);
    float_text(exact, format!("{:?}", shortest.unwrap_or(exact)))
}

pub(super) fn decimal_text(unscaled: &str, scale: i8) -> String {
    let (sign, digits) = match unscaled.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", unscaled),
    };
    let width = usize::from(scale.unsigned_abs());
    if scale <= 0 {
        let zeros = if digits == "0" { 0 } else { width };
        return format!("\"{sign}{digits}{}\"", "0".repeat(zeros));
    }
    let digits = format!("{digits:0>min$}", min = width + 1);
    let (whole, fraction) = digits.split_at(digits.len() - width);
    format!("\"{sign}{whole}.{fraction}\"")
}

pub(super) fn hex_text(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        write!(out, "{byte:02x}").expect("a string takes all");
    }
    out + "\""
}

/// The date that is this number of days after 1970-01-01, in the proleptic Gregorian calendar.
pub(super) fn date_text(days: i128) -> String {
    // Whole cycles of 400 years, then year by year: slow, obvious, and unlike the arithmetic of the Python script.
    let (mut year, mut day) = (1970 + 400 * days.div_euclid(146_097), days.rem_euclid(146_097));
    let is_leap = |year: i128| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let n_days = |year| if is_leap(year) { 366 } else { 365 };
    while day >= n_days(year) {
        day -= n_days(year);
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for n_days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < n_days {
            break;
        }
        day -= n_days;
        month += 1;
    }
    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
    };
    format!("{year}-{month:02}-{:02}", day + 1)
}

pub(super) fn date64_text(milliseconds: i64) -> String {
    let (days, rest) = split_day(milliseconds.into(), 3);
    if rest == 0 { date_text(days) } else { timestamp_text(milliseconds, 3) }
}

/// A time of day; the stored number if it is not a time of day.
pub(super) fn time_text(ticks: i64, n_digits: u32) -> String {
    match split_day(ticks.into(), n_digits) {
        (0, rest) => format!("\"{}\"", clock_text(rest, n_digits)),
        _ => ticks.to_string(),
    }
}

pub(super) fn timestamp_text(ticks: i64, n_digits: u32) -> String {
    let (days, rest) = split_day(ticks.into(), n_digits);
    format!("{}T{}", date_text(days), clock_text(rest, n_digits))
}

fn split_day(ticks: i128, n_digits: u32) -> (i128, i128) {
    let per_day = SECONDS_PER_DAY * 10_i128.pow(n_digits);
    (ticks.div_euclid(per_day), ticks.rem_euclid(per_day))
}

fn clock_text(ticks: i128, n_digits: u32) -> String {
    let per_second = 10_i128.pow(n_digits);
    let (seconds, fraction) = (ticks / per_second, ticks % per_second);
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match n_digits {
        0 => clock,
        _ => format!("{clock}.{fraction:0width$}", width = n_digits as usize),
    }
}
