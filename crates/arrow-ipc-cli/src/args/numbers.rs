//! Parses numbers in arguments, with errors in plain words.

use std::{num::NonZeroU64, str::FromStr};

/// Parses a number that may not be 0.
pub(crate) fn at_least_1<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "must be at least 1, and a whole number below 2^64")
}

/// Parses a number that may be 0.
pub(crate) fn at_least_0(text: &str) -> Result<u64, &'static str> {
    if text.starts_with('+') {
        // `tail -n +3` of other programs begins at the third line.
        return Err("must be a number without a sign; `cat --offset N` skips the first N rows");
    }
    if text.starts_with('-') {
        // `head -n -2` of other programs leaves out the last two lines.
        return Err(
            "must be at least 0; `count` says how many rows there are, and `tail -n N` shows the last N",
        );
    }
    text.parse().map_err(|_| "must be at least 0, and a whole number below 2^64")
}

/// Accepts a value that begins with a hyphen, such as `-999`. A value that looks like the name of an option is an
/// error, because the real value is then probably missing.
pub(crate) fn no_option(text: &str) -> Result<String, String> {
    let is_option = |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic());
    if text.strip_prefix("--").is_some_and(is_option) {
        Err("it is the name of an option: is the value before it missing?".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// Parses a length of at least 1 byte: `128MB`, `1GiB`, `4096`.
pub(crate) fn n_bytes(text: &str) -> Result<NonZeroU64, &'static str> {
    const UNITS: [(&str, u32, u64); 6] = [
        ("KB", 1, 1000),
        ("MB", 2, 1000),
        ("GB", 3, 1000),
        ("KiB", 1, 1024),
        ("MiB", 2, 1024),
        ("GiB", 3, 1024),
    ];
    let (number, unit) = text.split_at(text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len()));
    let found = UNITS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(unit.trim()));
    let factor = if unit.is_empty() { Some(1) } else { found.map(|(_, power, base)| base.pow(*power)) };
    let n_bytes =
        number.parse::<u64>().ok().zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    let n_bytes = n_bytes.ok_or("must be a whole number of bytes, such as 128MB, 1GiB or 4096")?;
    NonZeroU64::new(n_bytes).ok_or("must be at least 1 byte, such as 128MB, 1GiB or 4096")
}
