//! Columns of numbers.

use std::fmt;

use arrow_buffer::F16;

use super::{NULL, TextStyle, WriteSlot};
use crate::{
    array::{BooleanArray, NullArray, PrimitiveArray},
    decimal::{self, DecimalNative},
    digits::Digits,
    types::PrimitiveType,
};

/// How a number of one type is written.
pub(super) trait NumberFormat<N>: Send + Sync + 'static {
    /// `quote` is written on both sides of what is a string in JSON.
    fn write(&self, number: N, quote: &str, out: &mut dyn fmt::Write) -> fmt::Result;
}

/// A column of numbers in some format.
pub(super) struct Numbers<T: PrimitiveType, F> {
    pub(super) array: PrimitiveArray<T>,
    pub(super) format: F,
    pub(super) style: TextStyle,
}

impl<T: PrimitiveType, F: NumberFormat<T::Native>> WriteSlot for Numbers<T, F> {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        match self.array.get(slot) {
            Some(number) => self.format.write(number, self.style.quote(), out),
            None => out.write_str(NULL),
        }
    }

    fn is_null(&self, slot: usize) -> bool {
        !self.array.is_valid(slot)
    }
}

impl WriteSlot for NullArray {
    fn write(&self, _slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(NULL)
    }

    fn is_null(&self, _slot: usize) -> bool {
        true
    }
}

impl WriteSlot for BooleanArray {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(match self.get(slot) {
            Some(true) => "true",
            Some(false) => "false",
            None => NULL,
        })
    }

    fn is_null(&self, slot: usize) -> bool {
        !self.is_valid(slot)
    }
}

/// Integers as they are.
pub(super) struct Integers;

impl<N: Into<i64> + 'static> NumberFormat<N> for Integers {
    fn write(&self, number: N, _quote: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        write_integer(number.into(), out)
    }
}

/// Unsigned integers of 64 bits as they are.
pub(super) struct Unsigned;

impl NumberFormat<u64> for Unsigned {
    fn write(&self, number: u64, _quote: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut text = Digits::new();
        text.push_unsigned(number)?;
        out.write_str(text.as_str())
    }
}

pub(super) fn write_integer(number: i64, out: &mut dyn fmt::Write) -> fmt::Result {
    let mut text = Digits::new();
    text.push_integer(number)?;
    out.write_str(text.as_str())
}

/// The shortest text that reads back as the same number of the same width.
pub(super) struct Floats;

macro_rules! float_format {
    ($($float:ty, $value:ident => $wide:expr;)*) => {$(
        impl NumberFormat<$float> for Floats {
            fn write(&self, $value: $float, quote: &str, out: &mut dyn fmt::Write) -> fmt::Result {
                let wide: f64 = $wide;
                // `Debug` of floats is the shortest text, always with a point or an exponent.
                match not_a_number(wide) {
                    Some(name) => write!(out, "{quote}{name}{quote}"),
                    None => write!(out, "{:?}", $value),
                }
            }
        }
    )*};
}

float_format! {
    F16, value => value.into();
    f32, value => value.into();
    f64, value => value;
}

fn not_a_number(value: f64) -> Option<&'static str> {
    match value {
        _ if value.is_nan() => Some("NaN"),
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        _ => None,
    }
}

/// Decimals with this scale.
pub(super) struct Scaled(pub(super) i32);

impl<N: DecimalNative> NumberFormat<N> for Scaled {
    fn write(&self, number: N, quote: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(quote)?;
        decimal::write(number, self.0, out)?;
        out.write_str(quote)
    }
}
