//! Implements `NumberSlot` for numbers and decimals.

use arrow_buffer::{F16, I128, I256, IntervalDayTime, IntervalMonthDayNano};
use arrow_schema::DataType;

use super::{Decimal128Type, Decimal256Type, NumberSlot, PlainNumberSlot, PrimitiveType};
use crate::{
    decimal::{Decimal, DecimalParameters, NativeDecimal},
    digits::AsciiText,
    error::{ArrayError, ArrayErrorKind},
};

/// `Value => Native, whether it is always a number, |value| option of a number`: implements `NumberSlot` for values that are
/// stored unchanged.
macro_rules! plain {
    ($($slot:ty => $native:ty, $is_number:expr, $number:expr;)*) => {$(
        impl<T: PrimitiveType<Native = $native>> NumberSlot<T> for $slot {
            const IS_NUMBER: bool = $is_number;

            #[inline]
            fn number(&self, _: &DataType, _: T::Parameters) -> Result<Option<$native>, ArrayError> {
                let number: fn(&$slot) -> Option<$native> = $number;
                Ok(number(self))
            }
        }

        impl<T: PrimitiveType<Native = $native>> PlainNumberSlot<T> for $slot {}
    )*};
}

macro_rules! natives {
    ($($native:ty),*) => {$(
        plain! {
            $native => $native, true, |number| Some(*number);
            &$native => $native, true, |number| Some(**number);
            Option<$native> => $native, false, |number| *number;
            &Option<$native> => $native, false, |number| **number;
        }
    )*};
}

natives!(
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    F16,
    f32,
    f64,
    I128,
    I256,
    IntervalDayTime,
    IntervalMonthDayNano
);

/// Implements `NumberSlot` for `i128`, which decimals of 128 and 256 bits store unchanged.
macro_rules! widened {
    ($($slot:ty, $number:expr;)*) => {$(
        widened!(@into Decimal128Type => I128, $slot, $number);
        widened!(@into Decimal256Type => I256, $slot, $number);
    )*};
    (@into $marker:ty => $native:ty, $slot:ty, $number:expr) => {
        impl NumberSlot<$marker> for $slot {
            fn number(&self, _: &DataType, _: DecimalParameters) -> Result<Option<$native>, ArrayError> {
                let number: fn(&$slot) -> Option<i128> = $number;
                Ok(number(self).map(Into::into))
            }
        }
    };
}

widened! {
    i128, |number| Some(*number);
    &i128, |number| Some(**number);
    Option<i128>, |number| *number;
    &Option<i128>, |number| **number;
}

/// Converts a decimal to the scale of the array.
fn stored<N: NativeDecimal>(value: &Decimal<N>, parameters: DecimalParameters) -> Result<N, ArrayError> {
    let DecimalParameters { precision, scale } = parameters;
    let number = if value.scale() == scale { Some(*value) } else { value.rescaled(scale) };
    match number.map(|number| number.unscaled()).filter(|unscaled| n_digits(*unscaled) <= precision.into()) {
        Some(unscaled) => Ok(unscaled),
        None => Err(does_not_fit(value, parameters)),
    }
}

#[cold]
fn does_not_fit<N: NativeDecimal>(value: &Decimal<N>, parameters: DecimalParameters) -> ArrayError {
    let DecimalParameters { precision, scale } = parameters;
    // 256 bits can express the digits of each narrower type.
    let unscaled = value
        .unscaled()
        .to_string()
        .parse::<I256>()
        .unwrap_or_else(|_| unreachable!("256 bits hold each narrower integer"));
    ArrayErrorKind::DecimalDoesNotFit { value: Decimal::new(unscaled, value.scale()), precision, scale }
        .into()
}

fn n_digits<N: NativeDecimal>(number: N) -> usize {
    let mut text = AsciiText::new();
    // This cannot fail, since the longest number fits into the buffer.
    let _ = text.push_display(number);
    text.as_str().trim_start_matches('-').len()
}

/// `Slot => Value, |slot| option of a value`: implements `NumberSlot` for values that are converted to the scale of the array.
macro_rules! decimal_slots {
    ($native:ty: $($slot:ty, $value:expr;)*) => {$(
        impl<T> NumberSlot<T> for $slot
        where
            T: PrimitiveType<Native = $native, Parameters = DecimalParameters>,
        {
            fn number(
                &self,
                _: &DataType,
                parameters: DecimalParameters,
            ) -> Result<Option<$native>, ArrayError> {
                let value: fn(&$slot) -> Option<Decimal<$native>> = $value;
                value(self).map(|value| stored(&value, parameters)).transpose()
            }
        }
    )*};
}

macro_rules! decimals {
    ($($native:ty),*) => {$(
        decimal_slots! {
            $native:
            Decimal<$native>, |value| Some(*value);
            &Decimal<$native>, |value| Some(**value);
            Option<Decimal<$native>>, |value| *value;
            &Option<Decimal<$native>>, |value| **value;
        }
    )*};
}

decimals!(i32, i64, I128, I256);
