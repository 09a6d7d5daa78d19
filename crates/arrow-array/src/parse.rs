//! Parses the text of values that are not nested, in the notations of `NOTATION.md` of `arrow-text`.
//!
//! Each kind of value has a function. It returns the stored number, or an error that says what was expected. Only
//! floating-point numbers are rounded, to the nearest number of their width. Any other value that a type cannot store exactly
//! is an error.

mod bytes;
mod days;
mod decimal;
mod digits;
mod error;
mod float;
mod integer;
mod interval;
mod temporal;
#[cfg(test)]
mod tests;
mod value;

use self::{
    bytes::{hex, hex_of_width},
    decimal::decimal,
    digits::is_exact_in_float,
    float::float,
    integer::{boolean_or_integer, integer},
    interval::{interval_day_time, interval_month_day_nano, interval_year_month},
    temporal::{date64, time32},
};
pub use self::{
    digits::{has_needless_digits, is_exact, is_whole, n_digits},
    error::{Expectation, ValueError, excerpt, start_of},
    integer::boolean,
    temporal::{date32, time64, timestamp, timestamp_with_zone},
    value::{ExtraDigits, SourceText, ValueNotation, ValueParser, append_text},
};

/// Whether a text is a number that float64 can store, perhaps rounded.
pub fn is_float64(text: &str) -> bool {
    float::<f64>(text).is_ok()
}
