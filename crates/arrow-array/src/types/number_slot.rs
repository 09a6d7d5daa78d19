//! What numbers can be made of.

use arrow_buffer::{F16, I128, I256, IntervalDayTime, IntervalMonthDayNano};
use arrow_schema::DataType;

use super::{Decimal128Type, Decimal256Type, PrimitiveType};
use crate::{
    decimal::{Decimal, DecimalNative, DecimalParameters},
    digits::AsciiText,
    error::{ArrayError, ArrayErrorKind},
};

/// What a slot of an array that `T` marks can be made of: the stored number, a reference to it, or an option of one,
/// where `None` is null.
///
/// Arrays of decimals also take [`Decimal`] values, which are brought to the scale of the array, and those of 128 and 256
/// bits an `i128`. With the feature `jiff` temporal arrays take values of that crate, which are counted in the unit of
/// the array. What does not fit exactly is an error.
///
/// ```
/// use arrow_array::{Decimal, Decimal64Array, Int64Array};
/// use arrow_schema::DataType;
///
/// assert_eq!(Int64Array::from_iter(&[1, 2]), Int64Array::from_iter([Some(1), Some(2)]));
///
/// let prices = [Decimal::new(5, 1), Decimal::new(12_345, 2)];
/// let prices = Decimal64Array::try_from_iter(DataType::decimal64(12, 2)?, prices)?;
/// assert_eq!(format!("{prices:?}"), r#"decimal64(12, 2) ["0.50", "123.45"]"#);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value of `{T}` arrays",
    label = "neither its number, nor a reference to that or an option of it",
    note = "convert it to the number that `{T}` stores: `number.into()`, or `as` where that loses nothing"
)]
pub trait NumberSlot<T: PrimitiveType> {
    /// Promises that [`number`](NumberSlot::number) always gives a number: never null, and never an error. Builders
    /// then copy collections of such values as they are, and panic if the promise is broken.
    const IS_NUMBER: bool = false;

    /// The number to store in an array of this type; `None` for null.
    ///
    /// # Errors
    /// If the value is no such number.
    fn number(
        &self,
        data_type: &DataType,
        parameters: T::Parameters,
    ) -> Result<Option<T::Native>, ArrayError>;
}

/// A [`NumberSlot`] that is a number as it is, so that making an array of it cannot fail.
pub trait PlainNumberSlot<T: PrimitiveType>: NumberSlot<T> {}

/// `Value => Native, whether it is always a number, |value| option of a number`: what is stored as it is.
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

/// Integers of the language as those that have no place in it.
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

/// As [`NumberSlot`] of a decimal, which is brought to the scale of the array.
fn stored<N: DecimalNative>(value: &Decimal<N>, parameters: DecimalParameters) -> Result<N, ArrayError> {
    let DecimalParameters { precision, scale } = parameters;
    let number = if value.scale() == scale { Some(*value) } else { value.rescaled(scale) };
    match number.map(|number| number.unscaled()).filter(|unscaled| n_digits(*unscaled) <= precision.into()) {
        Some(unscaled) => Ok(unscaled),
        None => Err(does_not_fit(value, parameters)),
    }
}

#[cold]
fn does_not_fit<N: DecimalNative>(value: &Decimal<N>, parameters: DecimalParameters) -> ArrayError {
    let DecimalParameters { precision, scale } = parameters;
    // The widest type holds all others.
    let unscaled = value
        .unscaled()
        .to_string()
        .parse::<I256>()
        .unwrap_or_else(|_| unreachable!("256 bits hold each narrower integer"));
    ArrayErrorKind::DecimalDoesNotFit { value: Decimal::new(unscaled, value.scale()), precision, scale }
        .into()
}

fn n_digits<N: DecimalNative>(number: N) -> usize {
    let mut text = AsciiText::new();
    // There is room for the longest number.
    let _ = text.push_display(number);
    text.as_str().trim_start_matches('-').len()
}

/// `Slot => Value, |slot| option of a value`, of each native: what is brought to the scale of the array.
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
