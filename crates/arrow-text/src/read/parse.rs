//! Parses the text of values that are not nested, in the notations of `docs/JSON.md`.
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

pub(super) use self::error::start_of;
pub use self::error::{Expected, ValueError};
pub(crate) use self::{
    bytes::{hex, hex_of_width},
    decimal::decimal,
    digits::{has_needless_digits, is_exact, is_exact_in_float, is_whole, n_digits},
    error::excerpt,
    float::float,
    integer::{boolean, boolean_or_integer, integer},
    interval::{interval_day_time, interval_month_day_nano, interval_year_month},
    temporal::{Zone, date32, date64, time32, time64, timestamp},
};
