//! Casts numbers block by block: if the least and the greatest number of a block fit, all of its numbers do.

use std::ops::{Range, RangeInclusive};

use arrow_array::AnyArray;
use arrow_buffer::BufferMut;
use arrow_schema::DataType;

use super::{BLOCK_SLOTS, DAY_NANOSECONDS, Number, NumberKind, Ratio, are_counts};

/// A cast of numbers of which each has an exact result.
#[derive(Debug)]
enum ExactCast {
    /// Multiplies whole numbers.
    Times(i64),
    /// Divides whole numbers, which must be multiples of the divisor.
    By(i64),
    /// Divides whole numbers by a power of ten. The result is the nearest floating-point number, since both are exact.
    ToFloat(PowerOfTen),
    /// Finds the whole numbers from which [`ExactCast::ToFloat`] makes these floating-point numbers.
    FromFloat(PowerOfTen),
    /// Changes the width of floating-point numbers.
    Resize,
}

/// A power of ten, and the absolute value up to which whole numbers are cast to floating-point numbers and back.
#[derive(Debug)]
struct PowerOfTen {
    power: f64,
    max: i64,
}

/// Numbers that are farther from zero may be others that 64 bits cannot store.
const MAX: i64 = i64::MAX - 1;

/// Casts all numbers and appends them to `bytes`, which is empty, with zeros for null slots. Returns `false` and appends nothing
/// if there may be a number that does not fit, or is not exact in the new type. They have to be cast one by one.
pub(super) fn cast(array: &AnyArray, to: &DataType, bytes: &mut BufferMut) -> bool {
    let Some(exact) = ExactCast::try_new(array.data_type(), to) else { return false };
    let mut whole = Vec::new();
    let mut floats = Vec::new();
    let is_done = (0..array.len()).step_by(BLOCK_SLOTS).all(|start| {
        let slots = start..array.len().min(start.saturating_add(BLOCK_SLOTS));
        match &exact {
            ExactCast::Times(factor) => {
                read(array, slots, &mut whole);
                let fits = are_within(&whole, &symmetric(MAX / factor));
                whole.iter_mut().for_each(|number| *number = number.wrapping_mul(*factor));
                fits && append(to, &whole, bytes)
            }
            ExactCast::By(divisor) => {
                read(array, slots, &mut whole);
                are_within(&whole, &symmetric(MAX))
                    && divide(&mut whole, *divisor)
                    && append(to, &whole, bytes)
            }
            ExactCast::ToFloat(ten) => {
                read(array, slots, &mut whole);
                floats.clear();
                floats.extend(whole.iter().map(|number| *number as f64 / ten.power));
                are_within(&whole, &symmetric(ten.max)) && append_floats(to, &floats, bytes)
            }
            ExactCast::FromFloat(ten) => {
                read(array, slots, &mut floats);
                whole.clear();
                // The cast saturates. The comparison finds wrong results, and NaN.
                whole
                    .extend(floats.iter().map(|float| (float * ten.power + 0.5_f64.copysign(*float)) as i64));
                let is_same = |(number, float): (&i64, &f64)| *number as f64 / ten.power == *float;
                let are_same =
                    whole.iter().zip(&floats).fold(true, |are_same, pair| are_same & is_same(pair));
                are_same && are_within(&whole, &symmetric(ten.max)) && append(to, &whole, bytes)
            }
            ExactCast::Resize => {
                read(array, slots, &mut floats);
                append_floats(to, &floats, bytes)
            }
        }
    });
    if !is_done {
        bytes.clear();
    }
    is_done
}

impl ExactCast {
    /// `None` if there is no such cast, or if its numbers have to be cast one by one.
    fn try_new(from: &DataType, to: &DataType) -> Option<ExactCast> {
        // Dates in milliseconds have to be whole days.
        if *to == DataType::Date64 || [from, to].iter().any(|of| of.byte_width() == Some(32)) {
            return None;
        }
        match (NumberKind::from_data_type(from)?, NumberKind::from_data_type(to)?) {
            (NumberKind::Float, NumberKind::Float) => Some(ExactCast::Resize),
            (NumberKind::Number { .. }, NumberKind::Float) => {
                PowerOfTen::try_new(from, to).map(ExactCast::ToFloat)
            }
            (NumberKind::Float, NumberKind::Number { .. }) => {
                PowerOfTen::try_new(to, from).map(ExactCast::FromFloat)
            }
            (old, new) => match old.ratio(new).or_else(|| are_counts(from, to))? {
                Ratio::Times(factor) => i64::try_from(factor).ok().map(ExactCast::Times),
                Ratio::By(divisor) => i64::try_from(divisor).ok().map(ExactCast::By),
            },
        }
    }
}

impl PowerOfTen {
    fn try_new(whole: &DataType, float: &DataType) -> Option<PowerOfTen> {
        let Some((_, scale)) = whole.as_decimal() else {
            return Some(PowerOfTen { power: 1.0, max: 1 << 53 });
        };
        if *float != DataType::Float64 || !(0..=22).contains(&scale) {
            return None;
        }
        // Different numbers of 15 digits are different numbers in 64 bits, so one of them is the shortest text of the other. Up to
        // this power, those of ten are exact.
        let power = (0..scale).fold(1.0, |power, _| power * 10.0);
        Some(PowerOfTen { power, max: 999_999_999_999_999 })
    }
}

/// Replaces the content of `block` by the numbers of `slots`, with zeros for null slots.
fn read<N: Number>(array: &AnyArray, slots: Range<usize>, block: &mut Vec<N>) {
    block.clear();
    N::read(array, slots.clone(), block);
    if let Some(validity) = array.validity() {
        for (slot, number) in slots.zip(block) {
            if validity.get(slot) != Some(true) {
                *number = N::default();
            }
        }
    }
}

fn symmetric(max: i64) -> RangeInclusive<i64> {
    max.saturating_neg()..=max
}

fn are_within(numbers: &[i64], limits: &RangeInclusive<i64>) -> bool {
    let (min, max) =
        numbers.iter().fold((0, 0), |(min, max): (i64, i64), number| (min.min(*number), max.max(*number)));
    limits.contains(&min) && limits.contains(&max)
}

/// Divides all numbers. Returns whether they were multiples of the divisor.
fn divide(numbers: &mut [i64], divisor: i64) -> bool {
    fn all(numbers: &mut [i64], divisor: i64, divide: impl Fn(i64) -> i64) -> bool {
        numbers.iter_mut().fold(true, |are_multiples, number| {
            let quotient = divide(*number);
            let is_multiple = quotient.wrapping_mul(divisor) == *number;
            *number = quotient;
            are_multiples & is_multiple
        })
    }
    // Dividing by a constant is a multiplication.
    match divisor {
        1 => true,
        1_000 => all(numbers, divisor, |number| number / 1_000),
        1_000_000 => all(numbers, divisor, |number| number / 1_000_000),
        _ => all(numbers, divisor, |number| number.checked_div(divisor).unwrap_or(0)),
    }
}

/// Appends numbers in the width of a type. Returns `false` if one does not fit.
fn append(to: &DataType, numbers: &[i64], bytes: &mut BufferMut) -> bool {
    if !are_within(numbers, &limits(to)) {
        return false;
    }
    // Those of unsigned types that fit have the same bits.
    match to.byte_width() {
        Some(1) => extend(bytes, numbers, |number| (number as i8).to_ne_bytes()),
        Some(2) => extend(bytes, numbers, |number| (number as i16).to_ne_bytes()),
        Some(4) => extend(bytes, numbers, |number| (number as i32).to_ne_bytes()),
        Some(8) => bytes.extend_values(numbers),
        _ => extend(bytes, numbers, |number| i128::from(number).to_ne_bytes()),
    }
    true
}

/// The limits of a type, with 0, which null slots have.
fn limits(to: &DataType) -> RangeInclusive<i64> {
    if let Some((precision, _)) = to.as_decimal() {
        return symmetric(10_i64.checked_pow(precision.into()).map_or(MAX, |power| power - 1));
    }
    if let Some(NumberKind::Time { nanoseconds, is_duration: false }) = NumberKind::from_data_type(to) {
        let day = DAY_NANOSECONDS.checked_div(nanoseconds).and_then(|day| i64::try_from(day).ok());
        return 0..=day.map_or(0, |day| day - 1);
    }
    match (to.byte_width(), to.is_unsigned_integer()) {
        (Some(1), false) => i8::MIN.into()..=i8::MAX.into(),
        (Some(2), false) => i16::MIN.into()..=i16::MAX.into(),
        (Some(4), false) => i32::MIN.into()..=i32::MAX.into(),
        (_, false) => symmetric(MAX),
        (Some(1), true) => 0..=u8::MAX.into(),
        (Some(2), true) => 0..=u16::MAX.into(),
        (Some(4), true) => 0..=u32::MAX.into(),
        (_, true) => 0..=MAX,
    }
}

/// Appends numbers in the width of a type. Returns `false` if one is not exact.
fn append_floats(to: &DataType, numbers: &[f64], bytes: &mut BufferMut) -> bool {
    match to.byte_width() {
        Some(4) => {
            extend(bytes, numbers, |number| (number as f32).to_ne_bytes());
            let is_same = |number: &f64| f64::from(*number as f32) == *number || number.is_nan();
            numbers.iter().fold(true, |are_same, number| are_same & is_same(number))
        }
        Some(8) => {
            bytes.extend_values(numbers);
            true
        }
        _ => false,
    }
}

fn extend<const N: usize, M: Copy>(bytes: &mut BufferMut, numbers: &[M], cast: impl Fn(M) -> [u8; N]) {
    let start = bytes.len();
    bytes.extend_zeros(numbers.len().saturating_mul(N));
    let (slots, _) = bytes.as_mut_slice().get_mut(start..).unwrap_or_default().as_chunks_mut();
    for (slot, number) in slots.iter_mut().zip(numbers) {
        *slot = cast(*number);
    }
}
