//! Reads the text of values that are not nested, in the form of `docs/JSON.md`.
//!
//! Each kind of value has a function that returns the stored number, or says what was expected. Nothing is lost: a value that a
//! type cannot hold exactly is an error, except for floating-point numbers, which are the nearest ones of their width.

mod bytes;
mod days;
mod decimal;
mod digits;
mod error;
mod float;
mod integer;
mod interval;
mod notation;
#[cfg(test)]
mod round_trip;
mod temporal;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_was_expected_and_found() {
        let long = "é".repeat(100);
        let error = boolean(&long).expect_err("it is no boolean");
        assert_eq!(error.expected(), &Expected::Boolean);
        assert_eq!(error.found(), "é".repeat(32) + "…");
        let cases = [
            (boolean("TRUE\u{1b}").map(drop), r#"expected true or false, found "TRUE\u{1b}""#),
            (integer::<i8>("128").map(drop), r#"expected an integer from -128 to 127, found "128""#),
            (
                float::<f32>("1e39").map(drop),
                r#"expected a number that fits into a floating-point number of 32 bits, found "1e39""#,
            ),
            (
                decimal::<i32>("1.234", 9, 2).map(drop),
                r#"expected a decimal number that the scale 2 holds exactly, found "1.234""#,
            ),
            (date32("2023-02-29").map(drop), r#"expected a date such as 2024-02-29, found "2023-02-29""#),
        ];
        for (result, message) in cases {
            assert_eq!(result.expect_err(message).to_string(), message);
        }
    }
}
