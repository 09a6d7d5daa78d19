//! Parses floating-point numbers, rounded to the nearest number of their width.

use arrow_buffer::F16;

use super::error::{Expectation, ValueError, ValueResult};

/// A floating-point type that can be parsed.
pub(super) trait ParsedFloat: Sized {
    const N_BITS: u32;
    /// Converts NaN or an infinity from `f64`.
    fn from_f64(value: f64) -> Self;
    /// The number nearest to `text`, or an infinity if it is too large. `None` if the text is not a number.
    fn nearest(text: &str) -> Option<Self>;
    fn is_finite(&self) -> bool;
}

/// Parses a number in any notation, `NaN`, `Infinity` or `-Infinity`. `inf` and upper-case letters are also allowed. A number
/// that is too large for the type is an error, and one that is too small becomes zero.
pub(super) fn float<T: ParsedFloat>(text: &str) -> ValueResult<T> {
    if let Some(special) = special(text) {
        return Ok(T::from_f64(special));
    }
    let number = T::nearest(text).ok_or_else(|| ValueError::new(Expectation::Float, text))?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err(ValueError::new(Expectation::FiniteFloat { n_bits: T::N_BITS }, text))
    }
}

/// Parses NaN and infinities.
fn special(text: &str) -> Option<f64> {
    // Most texts are numbers, and comparing bytes is fast.
    let word = match text.as_bytes() {
        [b'-' | b'+', word @ ..] | word => word,
    };
    if !matches!(word, [b'n' | b'N' | b'i' | b'I', ..]) {
        return None;
    }
    let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    match text.starts_with('-') {
        _ if is("nan") => Some(f64::NAN),
        is_negative if is("inf") || is("infinity") => {
            Some(if is_negative { f64::NEG_INFINITY } else { f64::INFINITY })
        }
        _ => None,
    }
}

macro_rules! float {
    ($($float:ident: $n_bits:literal, $from_f64:expr;)*) => {$(
        impl ParsedFloat for $float {
            const N_BITS: u32 = $n_bits;

            fn from_f64(value: f64) -> $float {
                let from_f64: fn(f64) -> $float = $from_f64;
                from_f64(value)
            }

            fn nearest(text: &str) -> Option<$float> {
                // The standard library also accepts words such as `nan`. They are rejected here, since they begin with a
                // letter.
                let first = text.bytes().find(|byte| !matches!(byte, b'+' | b'-'))?;
                if first.is_ascii_digit() || first == b'.' { text.parse().ok() } else { None }
            }

            fn is_finite(&self) -> bool {
                f64::from(*self).is_finite()
            }
        }
    )*};
}

float! {
    F16: 16, F16::from_f64;
    f32: 32, |value| value as f32;
    f64: 64, |value| value;
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Notation;

    use super::*;

    #[test]
    fn floats_by_hand() {
        fn check<T: ParsedFloat + std::fmt::Debug>(
            text: &str,
            expected: std::result::Result<&str, Expectation>,
        ) {
            let found = float::<T>(text).map(|number| format!("{number:?}"));
            let found = found.map_err(|error| error.expected().clone());
            assert_eq!(found, expected.map(str::to_owned), "{text}");
        }
        let too_large = |n_bits| Err(Expectation::FiniteFloat { n_bits });
        for (text, number) in
            [("1", "1.0"), ("-0", "-0.0"), ("+.5e1", "5.0"), ("1e-999", "0.0"), ("-1E-999", "-0.0")]
        {
            check::<F16>(text, Ok(number));
            check::<f32>(text, Ok(number));
            check::<f64>(text, Ok(number));
        }
        for (text, number) in
            [("inf", "inf"), ("-Inf", "-inf"), ("+Infinity", "inf"), ("-INFINITY", "-inf"), ("nan", "NaN")]
        {
            check::<F16>(text, Ok(number));
            check::<f32>(text, Ok(number));
            check::<f64>(text, Ok(number));
        }
        for text in ["", "in", "nano", "infinit", "-", "--inf", "1,5", "0x10", " 1", "1f", "true"] {
            check::<F16>(text, Err(Expectation::Float));
            check::<f32>(text, Err(Expectation::Float));
            check::<f64>(text, Err(Expectation::Float));
        }
        check::<F16>("65519.999999999999999999999", Ok("65500.0"));
        check::<F16>("65520", too_large(16));
        check::<F16>("-65520", too_large(16));
        check::<f32>("1e39", too_large(32));
        check::<f64>("1e39", Ok("1e39"));
        check::<f64>("-1e309", too_large(64));
        // Both widths must accept the same notations.
        for text in [
            ".", "5.", ".5", "+.5", "5.e1", ".e1", "1e", "1e+", "+-1", "--1", "1.2.3", "1_0", "1e1.0",
            "1.5E-2",
        ] {
            let number = Notation::parse(text);
            assert_eq!(number.is_some(), float::<f64>(text).is_ok(), "{text}");
            assert_eq!(number.is_some(), float::<f32>(text).is_ok(), "{text}");
        }
        // Slightly greater than the midpoint of two numbers of 32 bits. Rounding to 64 bits first would give the midpoint.
        check::<f32>("1.00000005960464477539062500000000000000001", Ok("1.0000001"));
        check::<f32>("1.000000059604644775390625", Ok("1.0"));
    }
}
