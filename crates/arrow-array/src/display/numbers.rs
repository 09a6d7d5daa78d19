//! Writes columns of numbers.

use std::fmt;

use arrow_buffer::F16;

use super::{AppendedText, NULL, TextStyle, WriteSlot, strings::ByteWriter};
use crate::{
    array::{BooleanArray, NullArray, PrimitiveArray},
    decimal::{self, NativeDecimal},
    digits::AsciiText,
    types::PrimitiveType,
};

/// Writes the numbers of one type as text.
pub(super) trait NumberFormat<N>: Send + Sync + 'static {
    /// Whether the texts contain only the characters that [`AppendedText::Plain`] allows, apart from quotes.
    const IS_PLAIN: bool = true;

    /// Appends the text to a buffer. Writes `quote` around the text if it is a string in JSON. Returns an error if the text
    /// does not fit into the buffer.
    fn push(&self, number: N, quote: &str, text: &mut AsciiText) -> fmt::Result;

    /// Writes the text, whatever its length.
    fn write(&self, number: N, quote: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut text = AsciiText::new();
        self.push(number, quote, &mut text)?;
        out.write_str(text.as_str())
    }
}

/// Writes a column of numbers in the format `F`.
pub(super) struct NumberColumn<T: PrimitiveType, F> {
    pub(super) array: PrimitiveArray<T>,
    pub(super) format: F,
    pub(super) style: TextStyle,
}

impl<T: PrimitiveType, F: NumberFormat<T::Native>> NumberColumn<T, F> {
    /// Appends a text that does not fit on the stack: that of a decimal with a large scale, which has at most the zeros of
    /// `MAX_PLAIN_SCALE`. Returns `false` and appends nothing if it has no text.
    #[cold]
    fn append_long(&self, number: T::Native, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        let is_written = self.format.write(number, self.style.quote(), &mut ByteWriter(out)).is_ok();
        if !is_written {
            out.truncate(start);
        }
        is_written
    }
}

impl<T: PrimitiveType, F: NumberFormat<T::Native>> WriteSlot for NumberColumn<T, F> {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        match self.array.get(slot) {
            Some(number) => self.format.write(number, self.style.quote(), out),
            None => out.write_str(NULL),
        }
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        let Some(number) = self.array.get(slot) else { return AppendedText::Null };
        let mut text = AsciiText::new();
        if self.format.push(number, self.style.quote(), &mut text).is_ok() {
            text.append_to(out);
        } else if !self.append_long(number, out) {
            return AppendedText::Long;
        }
        match self.style {
            TextStyle::Plain | TextStyle::Cell | TextStyle::LocalCell(_) if F::IS_PLAIN => {
                AppendedText::Plain
            }
            TextStyle::Plain | TextStyle::Cell | TextStyle::LocalCell(_) | TextStyle::Json => {
                AppendedText::Short
            }
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

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        match self.get(slot) {
            Some(true) => out.extend_from_slice(b"true"),
            Some(false) => out.extend_from_slice(b"false"),
            None => return AppendedText::Null,
        }
        AppendedText::Plain
    }

    fn is_null(&self, slot: usize) -> bool {
        !self.is_valid(slot)
    }
}

pub(super) struct Integers;

impl<N: Into<i64> + 'static> NumberFormat<N> for Integers {
    fn push(&self, number: N, _quote: &str, text: &mut AsciiText) -> fmt::Result {
        text.push_integer(number.into())
    }
}

/// Writes unsigned integers of 64 bits.
pub(super) struct UnsignedIntegers;

impl NumberFormat<u64> for UnsignedIntegers {
    fn push(&self, number: u64, _quote: &str, text: &mut AsciiText) -> fmt::Result {
        text.push_unsigned(number)
    }
}

/// Writes floating-point numbers. Each text is the shortest that reads back as the same number of the same width.
pub(super) struct Floats;

macro_rules! float_format {
    ($($float:ty, $push:ident;)*) => {$(
        impl NumberFormat<$float> for Floats {
            fn push(&self, value: $float, quote: &str, text: &mut AsciiText) -> fmt::Result {
                match not_a_number(value.into()) {
                    Some(name) => [quote, name, quote].into_iter().try_for_each(|part| text.push(part)),
                    None => text.$push(value),
                }
            }
        }
    )*};
}

float_format! {
    // `Debug` of floats is the shortest text, always with a point or an exponent.
    F16, push_debug;
    f32, push_float;
    f64, push_float;
}

fn not_a_number(value: f64) -> Option<&'static str> {
    match value {
        _ if value.is_nan() => Some("NaN"),
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        _ => None,
    }
}

/// Writes decimals of this scale.
pub(super) struct Decimals(pub(super) i32);

impl<N: NativeDecimal> NumberFormat<N> for Decimals {
    fn push(&self, number: N, quote: &str, text: &mut AsciiText) -> fmt::Result {
        self.write(number, quote, text)
    }

    fn write(&self, number: N, quote: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(quote)?;
        decimal::write(number, self.0, out)?;
        out.write_str(quote)
    }
}
