//! Integers, decimals, floating-point numbers, and numbers of time units.

mod wide;

use arrow_array::{AnyArray, with_ordered};
use arrow_buffer::{Buffer, F16, I128, I256};
use arrow_data::{ArrayData, ArrayParts, Level};
use arrow_schema::DataType;

use super::{Cast, CastError, CastErrorKind, Digits, memory};

/// What numbers count. Casts go between types of one sort, and from dates to timestamps without a zone and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Integers, and decimals with their scale.
    Number { scale: i32 },
    /// Floating-point numbers.
    Float,
    /// A time of day or a duration, in units of so many nanoseconds.
    Time { nanoseconds: i128, is_duration: bool },
    /// A day or a timestamp, in units of so many nanoseconds.
    Instant { nanoseconds: i128, has_zone: bool },
}

impl Sort {
    fn of(data_type: &DataType) -> Option<Sort> {
        if data_type.is_integer() {
            return Some(Sort::Number { scale: 0 });
        }
        if let Some((_, scale)) = data_type.as_decimal() {
            return Some(Sort::Number { scale });
        }
        if data_type.is_floating_point() {
            return Some(Sort::Float);
        }
        let nanoseconds = match data_type.unit() {
            Some("s") => 1_000_000_000,
            Some("ms") => 1_000_000,
            Some("us") => 1_000,
            Some("ns") => 1,
            Some(_) => return None,
            None if *data_type == DataType::Date32 => 86_400_000_000_000,
            None if *data_type == DataType::Date64 => 1_000_000,
            None => return None,
        };
        let is_time = data_type.name() == "time32" || data_type.name() == "time64";
        Some(match data_type.as_timestamp() {
            Some((_, zone)) => Sort::Instant { nanoseconds, has_zone: zone.is_some() },
            None if data_type.unit().is_none() => Sort::Instant { nanoseconds, has_zone: false },
            None => Sort::Time { nanoseconds, is_duration: !is_time },
        })
    }

    /// What a number has to be multiplied or divided by.
    fn ratio(self, to: Sort) -> Option<Ratio> {
        match (self, to) {
            (Sort::Number { scale }, Sort::Number { scale: new }) => {
                let power = 10_i128.checked_pow(scale.abs_diff(new))?;
                Some(if new >= scale { Ratio::Times(power) } else { Ratio::By(power) })
            }
            (
                Sort::Time { nanoseconds, is_duration },
                Sort::Time { nanoseconds: new, is_duration: to_duration },
            ) if is_duration == to_duration => Some(Ratio::of_units(nanoseconds, new)),
            (
                Sort::Instant { nanoseconds, has_zone },
                Sort::Instant { nanoseconds: new, has_zone: to_zone },
            ) if has_zone == to_zone => Some(Ratio::of_units(nanoseconds, new)),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Ratio {
    Times(i128),
    By(i128),
}

impl Ratio {
    fn of_units(from: i128, to: i128) -> Ratio {
        if from >= to { Ratio::Times(from / to.max(1)) } else { Ratio::By(to / from.max(1)) }
    }
}

/// Why a number is not cast.
enum Problem {
    Range,
    Digits,
}

impl Cast<'_> {
    /// `None` if there is no cast between such types.
    pub(super) fn numbers(self, array: &AnyArray, to: &DataType) -> Result<Option<ArrayData>, CastError> {
        let (Some(from), Some(new)) = (Sort::of(array.data_type()), Sort::of(to)) else { return Ok(None) };
        let failed = |problem: Problem, slot| {
            let (value, to) = (memory::start_of(array, slot), to.clone());
            match problem {
                Problem::Range => CastErrorKind::OutOfRange { value, slot, to },
                Problem::Digits => CastErrorKind::LostDigits { value, slot, to },
            }
        };
        let mut problem = None;
        let mut note = |found: Problem, slot| {
            problem.get_or_insert((found, slot));
        };
        let is_wide = [array.data_type(), to].iter().any(|data_type| data_type.byte_width() == Some(32));
        // All numbers in one width, and then in that of the type.
        let n_slot_bytes: u128 = if is_wide { 32 + 16 + 32 } else { 16 + 16 };
        memory::check_room((array.len() as u128).saturating_mul(n_slot_bytes))?;
        let buffer = if from == Sort::Float && new == Sort::Float {
            let numbers = self.each(array, |float: f64| self.float(float, to), &mut note);
            floats(to, &numbers)
        } else if let (Sort::Number { scale }, Sort::Number { .. }, true) = (from, new, is_wide) {
            wide::cast((array, scale), to, self.digits, &mut note)
        } else if let Some(ratio) = from.ratio(new) {
            let max = to.as_decimal().and_then(|(precision, _)| 10_i128.checked_pow(precision.into()));
            let step = |number: i128| {
                let number = self.scaled(number, ratio, new)?;
                let number = if *to == DataType::Date64 { self.whole_day(number)? } else { number };
                let fits = max.is_none_or(|max| number < max && number > -max);
                if fits { Ok(number) } else { Err(Problem::Range) }
            };
            let numbers = self.each(array, step, &mut note);
            buffer(to, &numbers).unwrap_or_else(|slot| {
                note(Problem::Range, slot);
                Buffer::new()
            })
        } else {
            return Ok(None);
        };
        if let Some((problem, slot)) = problem {
            return Err(failed(problem, slot).into());
        }
        let parts = ArrayParts::new(to.clone(), array.len());
        let validity = array.validity().cloned();
        let parts = ArrayParts { validity, buffers: [buffer, Buffer::new()], ..parts };
        Ok(Some(ArrayData::try_new(parts)?.validate(Level::Content)?))
    }

    /// All numbers, cast; zeros for null slots, and where there is a problem.
    fn each<N: Number>(
        self,
        array: &AnyArray,
        cast: impl Fn(N) -> Result<N, Problem>,
        note: &mut impl FnMut(Problem, usize),
    ) -> Vec<N> {
        let mut numbers = N::all(array);
        for_each_valid(array, &mut numbers, |slot, number| match cast(*number) {
            Ok(cast) => *number = cast,
            Err(problem) => {
                *number = N::default();
                note(problem, slot);
            }
        });
        numbers
    }

    fn scaled(self, number: i128, ratio: Ratio, new: Sort) -> Result<i128, Problem> {
        match ratio {
            Ratio::Times(factor) => number.checked_mul(factor).ok_or(Problem::Range),
            Ratio::By(1) => Ok(number),
            Ratio::By(divisor) => {
                let (whole, rest) = (number / divisor, number % divisor);
                match (rest, self.digits, new) {
                    (0, _, _) => Ok(whole),
                    (_, Digits::Keep, _) => Err(Problem::Digits),
                    (_, Digits::Drop, Sort::Number { .. }) => Ok(whole),
                    // The last unit before it.
                    (_, Digits::Drop, _) => Ok(number.div_euclid(divisor)),
                }
            }
        }
    }

    /// Of milliseconds, those of the day that they lie in: a date has no time of day.
    fn whole_day(self, milliseconds: i128) -> Result<i128, Problem> {
        const DAY: i128 = 86_400_000;
        match (milliseconds.rem_euclid(DAY), self.digits) {
            (0, _) => Ok(milliseconds),
            (_, Digits::Keep) => Err(Problem::Digits),
            (rest, Digits::Drop) => milliseconds.checked_sub(rest).ok_or(Problem::Range),
        }
    }

    fn float(self, float: f64, to: &DataType) -> Result<f64, Problem> {
        let cast = match to.byte_width() {
            Some(2) => f64::from(F16::from_f64(float).to_f32()),
            Some(4) => f64::from(float as f32),
            _ => float,
        };
        if cast.is_infinite() && !float.is_infinite() {
            return Err(Problem::Range);
        }
        let is_same = cast == float || float.is_nan();
        if is_same || self.digits == Digits::Drop { Ok(cast) } else { Err(Problem::Digits) }
    }
}

/// What the numbers of all types are cast in.
trait Number: Copy + Default {
    /// Those of an array. Null slots have any.
    fn all(array: &AnyArray) -> Vec<Self>;
}

impl Number for i128 {
    fn all(array: &AnyArray) -> Vec<i128> {
        with_ordered!(array, numbers => made(numbers.values(), Whole::whole), _ => Vec::new())
    }
}

impl Number for f64 {
    fn all(array: &AnyArray) -> Vec<f64> {
        with_ordered!(array, numbers => made(numbers.values(), Whole::float), _ => Vec::new())
    }
}

/// Made once for the numbers of several types.
#[inline(never)]
fn made<N: Copy, M>(numbers: &[N], make: impl Fn(N) -> M) -> Vec<M> {
    numbers.iter().map(|number| make(*number)).collect()
}

/// Calls with each valid slot and its number. Null slots become zero.
fn for_each_valid<N: Default>(array: &AnyArray, numbers: &mut [N], mut call: impl FnMut(usize, &mut N)) {
    let slots = numbers.iter_mut().enumerate();
    match array.validity() {
        None => slots.for_each(|(slot, number)| call(slot, number)),
        Some(validity) => slots.zip(validity.iter()).for_each(|((slot, number), is_valid)| {
            if is_valid {
                call(slot, number);
            } else {
                *number = N::default();
            }
        }),
    }
}

/// A number of any type, as far as it is one. What it is not is not asked for.
trait Whole: Copy {
    fn whole(self) -> i128 {
        0
    }

    fn float(self) -> f64 {
        0.0
    }
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl Whole for $number {
            fn whole(self) -> i128 {
                self.into()
            }
        }
    )*};
}

whole!(i8, i16, i32, i64, u8, u16, u32, u64, I128);

/// Read by [`wide`].
impl Whole for I256 {}

macro_rules! float {
    ($($number:ty: $float:expr),*) => {$(
        impl Whole for $number {
            fn float(self) -> f64 {
                $float(self).into()
            }
        }
    )*};
}

float!(F16: F16::to_f32, f32: f64::from, f64: f64::from);

/// Numbers as those of a type of integers, of time or of decimals have them. The first that does not fit is the error.
pub(super) fn buffer(data_type: &DataType, numbers: &[i128]) -> Result<Buffer, usize> {
    fn all<T: arrow_buffer::Native>(
        numbers: &[i128],
        cast: impl Fn(i128) -> Option<T>,
    ) -> Result<Buffer, usize> {
        let cast = |(slot, number): (usize, &i128)| cast(*number).ok_or(slot);
        numbers.iter().enumerate().map(cast).collect::<Result<Vec<T>, usize>>().map(Buffer::from)
    }
    match (data_type.byte_width(), data_type.is_unsigned_integer()) {
        (Some(1), false) => all(numbers, |number| i8::try_from(number).ok()),
        (Some(2), false) => all(numbers, |number| i16::try_from(number).ok()),
        (Some(4), false) => all(numbers, |number| i32::try_from(number).ok()),
        (Some(8), false) => all(numbers, |number| i64::try_from(number).ok()),
        (Some(1), true) => all(numbers, |number| u8::try_from(number).ok()),
        (Some(2), true) => all(numbers, |number| u16::try_from(number).ok()),
        (Some(4), true) => all(numbers, |number| u32::try_from(number).ok()),
        (Some(8), true) => all(numbers, |number| u64::try_from(number).ok()),
        _ => all(numbers, |number| Some(I128::from(number))),
    }
}

fn floats(data_type: &DataType, numbers: &[f64]) -> Buffer {
    match data_type.byte_width() {
        Some(2) => Buffer::from(numbers.iter().map(|number| F16::from_f64(*number)).collect::<Vec<_>>()),
        Some(4) => Buffer::from(numbers.iter().map(|number| *number as f32).collect::<Vec<_>>()),
        _ => Buffer::from(numbers.to_vec()),
    }
}
