//! Casts integers, decimals, floating-point numbers, dates, times, timestamps and durations.

mod blocks;
mod local;
mod steps;

use std::ops::Range;

use arrow_array::{AnyArray, with_ordered};
use arrow_buffer::{Buffer, BufferMut, F16, I128, I256, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, TimeUnit};

use self::{
    local::{LocalTimes, PartOfInstant},
    steps::CastFailure,
};
use super::{CastContext, CastErrorKind, error::CastResult, memory};

/// What the numbers of a type mean. Types with the same meaning can be cast to each other. So can dates and timestamps without
/// a time zone, and integers and floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberKind {
    /// Integers, whose scale is 0, and decimals.
    Number { scale: i32 },
    /// Floating-point numbers.
    Float,
    /// A time of day or a duration, in units of `nanoseconds`.
    Time { nanoseconds: i128, is_duration: bool },
    /// A date or a timestamp, in units of `nanoseconds`.
    Instant { nanoseconds: i128, has_zone: bool },
}

impl NumberKind {
    fn from_data_type(data_type: &DataType) -> Option<NumberKind> {
        Some(match data_type {
            DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::UInt8
            | DataType::UInt16
            | DataType::UInt32
            | DataType::UInt64 => NumberKind::Number { scale: 0 },
            DataType::Decimal32(_, scale)
            | DataType::Decimal64(_, scale)
            | DataType::Decimal128(_, scale)
            | DataType::Decimal256(_, scale) => NumberKind::Number { scale: *scale },
            DataType::Float16 | DataType::Float32 | DataType::Float64 => NumberKind::Float,
            DataType::Date32 => NumberKind::Instant { nanoseconds: DAY_NANOSECONDS, has_zone: false },
            DataType::Date64 => NumberKind::Instant { nanoseconds: 1_000_000, has_zone: false },
            DataType::Time32(unit) => {
                NumberKind::Time { nanoseconds: nanoseconds((*unit).into()), is_duration: false }
            }
            DataType::Time64(unit) => {
                NumberKind::Time { nanoseconds: nanoseconds((*unit).into()), is_duration: false }
            }
            DataType::Duration(unit) => {
                NumberKind::Time { nanoseconds: nanoseconds(*unit), is_duration: true }
            }
            DataType::Timestamp(unit, _) => NumberKind::Instant {
                nanoseconds: nanoseconds(*unit),
                has_zone: matches!(data_type.as_timestamp(), Some((_, Some(_)))),
            },
            DataType::Null
            | DataType::Boolean
            | DataType::Interval(_)
            | DataType::FixedSizeBinary(_)
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::List(_)
            | DataType::LargeList(_)
            | DataType::ListView(_)
            | DataType::LargeListView(_)
            | DataType::FixedSizeList(..)
            | DataType::Struct(_)
            | DataType::Map(_)
            | DataType::Union(_)
            | DataType::Dictionary(_)
            | DataType::RunEndEncoded(_) => return None,
        })
    }

    /// The factor or divisor for a cast to another type. `None` if there is no such cast.
    fn ratio(self, to: NumberKind) -> Option<Ratio> {
        match (self, to) {
            (NumberKind::Number { scale }, NumberKind::Number { scale: new }) => {
                let power = 10_i128.checked_pow(scale.abs_diff(new))?;
                Some(if new >= scale { Ratio::Times(power) } else { Ratio::By(power) })
            }
            (
                NumberKind::Time { nanoseconds, is_duration },
                NumberKind::Time { nanoseconds: new, is_duration: to_duration },
            ) if is_duration == to_duration => Some(Ratio::from_units(nanoseconds, new)),
            (
                NumberKind::Instant { nanoseconds, has_zone },
                NumberKind::Instant { nanoseconds: new, has_zone: to_zone },
            ) if has_zone == to_zone => Some(Ratio::from_units(nanoseconds, new)),
            _ => None,
        }
    }
}

/// Whether the scales of two decimals are so far apart that no integer of 128 bits is the ratio of their units.
fn is_far(from: NumberKind, to: NumberKind) -> bool {
    matches!((from, to), (NumberKind::Number { .. }, NumberKind::Number { .. })) && from.ratio(to).is_none()
}

const DAY_NANOSECONDS: i128 = 86_400_000_000_000;

/// The nanoseconds in a unit.
fn nanoseconds(unit: TimeUnit) -> i128 {
    match unit {
        TimeUnit::Second => 1_000_000_000,
        TimeUnit::Millisecond => 1_000_000,
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1,
    }
}

#[derive(Debug, Clone, Copy)]
enum Ratio {
    Times(i128),
    By(i128),
}

impl Ratio {
    fn from_units(from: i128, to: i128) -> Ratio {
        if from >= to { Ratio::Times(from / to.max(1)) } else { Ratio::By(to / from.max(1)) }
    }
}

/// The factor for a cast between an integer and a type with a unit, which the integer counts. `None` for dates: an integer such
/// as 20240229 is probably not a number of days.
fn are_counts(from: &DataType, to: &DataType) -> Option<Ratio> {
    let has_counts = |data_type: &DataType| match NumberKind::from_data_type(data_type) {
        Some(NumberKind::Time { .. }) => true,
        Some(NumberKind::Instant { .. }) => data_type.as_timestamp().is_some(),
        Some(NumberKind::Number { .. } | NumberKind::Float) | None => false,
    };
    (from.is_integer() && has_counts(to) || has_counts(from) && to.is_integer()).then_some(Ratio::By(1))
}

/// Casts numbers. `None` if there is no cast between these types.
pub(super) fn cast(
    casting: CastContext<'_>,
    array: &AnyArray,
    to: &DataType,
) -> CastResult<Option<ArrayData>> {
    let (Some(from), Some(new)) =
        (NumberKind::from_data_type(array.data_type()), NumberKind::from_data_type(to))
    else {
        return Ok(None);
    };
    let failed = |problem: CastFailure, slot| {
        let value = memory::start_of(array, slot);
        let to = to.clone();
        match problem {
            CastFailure::Range => CastErrorKind::OutOfRange { value, slot, to },
            CastFailure::Digits => CastErrorKind::LostDigits { value, slot, to },
            CastFailure::Part(part) => CastErrorKind::LostPart { value, slot, part, to },
            CastFailure::Local { is_repeated } => CastErrorKind::LocalTime { value, slot, is_repeated, to },
        }
    };
    let is_wide = [array.data_type(), to].iter().any(|data_type| data_type.byte_width() == Some(32))
        || is_far(from, new);
    let n_bytes = array.len() as u128 * u128::from(to.byte_width().unwrap_or_default());
    let mut bytes = memory::bytes(n_bytes, casting.budget)?;
    let done = if blocks::cast(array, to, &mut bytes) {
        Ok(())
    } else if from == NumberKind::Float && new == NumberKind::Float {
        let step = |float: f64| steps::float(casting, float, to);
        each(array, step, |floats| {
            append_floats(to, floats, &mut bytes);
            Ok(())
        })
    } else if array.data_type().is_integer() && new == NumberKind::Float {
        let step = |number: i128| steps::checked_rounded(casting, number, to);
        each(array, step, |numbers| {
            let floats: Vec<f64> = numbers.iter().map(|number| steps::rounded(*number, to)).collect();
            append_floats(to, &floats, &mut bytes);
            Ok(())
        })
    } else if from == NumberKind::Float && to.is_integer() {
        let step = |float: f64| steps::whole(casting, float);
        each(array, step, |floats| {
            // `i128` saturates, and its limits are outside the ranges of all integer types.
            let numbers: Vec<i128> = floats.iter().map(|float| *float as i128).collect();
            append(to, &numbers, &mut bytes)
        })
    } else if let (NumberKind::Number { scale }, NumberKind::Number { .. }, true) = (from, new, is_wide) {
        let step = |number| steps::wide(casting, (number, scale), to);
        each(array, step, |numbers| append_wide(to, numbers, &mut bytes))
    } else if let Some(lost) = PartOfInstant::try_new(array.data_type(), to, casting.zones)? {
        let step = |tick: i128| {
            if casting.cuts() {
                lost.leave(tick, to).ok_or(CastFailure::Range)
            } else {
                Err(CastFailure::Part(lost.part()))
            }
        };
        each(array, step, |numbers| append(to, numbers, &mut bytes))
    } else if let Some(local) = LocalTimes::try_new(array.data_type(), to, casting.zones)? {
        let step = |tick: i128| {
            casting.in_steps(|| {
                let tick = steps::scaled(casting, tick, local.ratio(), new)?;
                local.instant(tick, || casting.cuts())
            })
        };
        each(array, step, |numbers| append(to, numbers, &mut bytes))
    } else if let Some(ratio) = from.ratio(new).or_else(|| are_counts(array.data_type(), to)) {
        let max = to.as_decimal().and_then(|(precision, _)| 10_i128.checked_pow(precision.into()));
        // A time of day must be shorter than a day.
        let day = match new {
            NumberKind::Time { nanoseconds, is_duration: false } => DAY_NANOSECONDS.checked_div(nanoseconds),
            NumberKind::Time { .. }
            | NumberKind::Number { .. }
            | NumberKind::Instant { .. }
            | NumberKind::Float => None,
        };
        let step = |number: i128| {
            let number = if *to == DataType::Date64 {
                casting.in_steps(|| steps::whole_day(casting, steps::scaled(casting, number, ratio, new)?))?
            } else {
                steps::scaled(casting, number, ratio, new)?
            };
            let fits = max.is_none_or(|max| number < max && number > -max)
                && day.is_none_or(|day| (0..day).contains(&number));
            if fits { Ok(number) } else { Err(CastFailure::Range) }
        };
        each(array, step, |numbers| append(to, numbers, &mut bytes))
    } else {
        return Ok(None);
    };
    if let Err((problem, slot)) = done {
        return Err(failed(problem, slot).into());
    }
    let parts = ArrayParts::new(to.clone(), array.len());
    let validity = array.validity().cloned();
    let parts = ArrayParts { validity, buffers: [bytes.freeze(), Buffer::new()], ..parts };
    Ok(Some(ArrayData::try_new(parts)?.validate(Validation::Content)?))
}

/// The floating-point number in a slot. Returns 0 for arrays of other types.
pub(super) fn float_at(array: &AnyArray, slot: usize) -> f64 {
    with_ordered!(array, numbers => numbers.values().get(slot).map_or(0.0, |number| number.float()), _ => 0.0)
}

/// The number of numbers in a block.
const BLOCK_SLOTS: usize = 1024;

/// Casts all numbers, and passes them to `put` in blocks, with zeros for null slots. If a number does not fit the new type,
/// `put` returns its index in the block as an error.
///
/// # Errors
/// The first problem, and its slot.
fn each<N: Number>(
    array: &AnyArray,
    cast: impl Fn(N) -> Result<N, CastFailure>,
    mut put: impl FnMut(&[N]) -> Result<(), usize>,
) -> Result<(), (CastFailure, usize)> {
    let mut block = Vec::with_capacity(BLOCK_SLOTS.min(array.len()));
    let validity = array.validity();
    for start in (0..array.len()).step_by(BLOCK_SLOTS) {
        let slots = start..array.len().min(start.saturating_add(BLOCK_SLOTS));
        block.clear();
        N::read(array, slots.clone(), &mut block);
        let mut problem = None;
        for (slot, number) in slots.zip(&mut block) {
            if validity.is_some_and(|validity| validity.get(slot) != Some(true)) {
                *number = N::default();
                continue;
            }
            match cast(*number) {
                Ok(cast) => *number = cast,
                Err(found) => {
                    problem = Some((found, slot));
                    break;
                }
            }
        }
        if let Some((_, slot)) = &problem {
            block.truncate(slot.saturating_sub(start));
        }
        put(&block).map_err(|slot| (CastFailure::Range, start.saturating_add(slot)))?;
        problem.map_or(Ok(()), Err)?;
    }
    Ok(())
}

/// The number type in which a cast computes: `f64`, `i64`, `i128` or `I256`.
trait Number: Copy + Default {
    /// Appends the numbers of `slots`. The numbers of null slots have no meaning.
    fn read(array: &AnyArray, slots: Range<usize>, to: &mut Vec<Self>);
}

impl Number for i128 {
    fn read(array: &AnyArray, slots: Range<usize>, to: &mut Vec<i128>) {
        with_ordered!(array, numbers => extend(to, numbers.values().get(slots), WholeNumber::whole), _ => {});
    }
}

/// A number that does not fit 64 bits becomes the greatest that does.
impl Number for i64 {
    fn read(array: &AnyArray, slots: Range<usize>, to: &mut Vec<i64>) {
        let narrow = |number: i128| i64::try_from(number).unwrap_or(i64::MAX);
        with_ordered!(array, numbers => extend(to, numbers.values().get(slots), |number| narrow(number.whole())), _ => {});
    }
}

impl Number for f64 {
    fn read(array: &AnyArray, slots: Range<usize>, to: &mut Vec<f64>) {
        with_ordered!(array, numbers => extend(to, numbers.values().get(slots), WholeNumber::float), _ => {});
    }
}

impl Number for I256 {
    fn read(array: &AnyArray, slots: Range<usize>, to: &mut Vec<I256>) {
        with_ordered!(array, numbers => extend(to, numbers.values().get(slots), WholeNumber::wide), _ => {});
    }
}

/// Converts and appends numbers of one Rust type. Types of one width share the compiled code.
#[inline(never)]
fn extend<N: Copy, M>(list: &mut Vec<M>, numbers: Option<&[N]>, make: impl Fn(N) -> M) {
    list.extend(numbers.unwrap_or_default().iter().map(|number| make(*number)));
}

/// A stored number of any width, and its conversions. Callers only call the conversions that fit the type.
trait WholeNumber: Copy {
    fn whole(self) -> i128 {
        0
    }

    fn float(self) -> f64 {
        0.0
    }

    fn wide(self) -> I256 {
        I256::from(self.whole())
    }
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl WholeNumber for $number {
            fn whole(self) -> i128 {
                self.into()
            }
        }
    )*};
}

whole!(i8, i16, i32, i64, u8, u16, u32, u64, I128);

impl WholeNumber for I256 {
    fn wide(self) -> I256 {
        self
    }
}

macro_rules! float {
    ($($number:ty: $float:expr),*) => {$(
        impl WholeNumber for $number {
            fn float(self) -> f64 {
                $float(self).into()
            }
        }
    )*};
}

float!(F16: F16::to_f32, f32: f64::from, f64: f64::from);

/// Makes a buffer of integers, times or decimals, and charges its memory to the budget.
///
/// # Errors
/// The outer error means that memory was refused. The inner error is the slot of the first number that does not fit the type.
pub(super) fn buffer(
    data_type: &DataType,
    mut numbers: impl Iterator<Item = i128>,
    n_numbers: usize,
    budget: &MemoryBudget,
) -> CastResult<Result<Buffer, usize>> {
    let n_bytes = n_numbers as u128 * u128::from(data_type.byte_width().unwrap_or_default());
    let mut bytes = memory::bytes(n_bytes, budget)?;
    let mut block = Vec::with_capacity(BLOCK_SLOTS.min(n_numbers));
    let mut start = 0_usize;
    loop {
        block.clear();
        block.extend(numbers.by_ref().take(BLOCK_SLOTS));
        if block.is_empty() {
            return Ok(Ok(bytes.freeze()));
        }
        if let Err(slot) = append(data_type, &block, &mut bytes) {
            return Ok(Err(start.saturating_add(slot)));
        }
        start = start.saturating_add(block.len());
    }
}

/// Appends numbers in the width of a type. The error is the index of the first number that does not fit.
fn append(data_type: &DataType, numbers: &[i128], to: &mut BufferMut) -> Result<(), usize> {
    fn all<T: arrow_buffer::NativeType>(
        numbers: &[i128],
        to: &mut BufferMut,
        cast: impl Fn(i128) -> Option<T>,
    ) -> Result<(), usize> {
        numbers.iter().enumerate().try_for_each(|(slot, number)| {
            to.push(cast(*number).ok_or(slot)?);
            Ok(())
        })
    }
    match (data_type.byte_width(), data_type.is_unsigned_integer()) {
        (Some(1), false) => all(numbers, to, |number| i8::try_from(number).ok()),
        (Some(2), false) => all(numbers, to, |number| i16::try_from(number).ok()),
        (Some(4), false) => all(numbers, to, |number| i32::try_from(number).ok()),
        (Some(8), false) => all(numbers, to, |number| i64::try_from(number).ok()),
        (Some(1), true) => all(numbers, to, |number| u8::try_from(number).ok()),
        (Some(2), true) => all(numbers, to, |number| u16::try_from(number).ok()),
        (Some(4), true) => all(numbers, to, |number| u32::try_from(number).ok()),
        (Some(8), true) => all(numbers, to, |number| u64::try_from(number).ok()),
        _ => all(numbers, to, |number| Some(I128::from(number))),
    }
}

fn append_floats(data_type: &DataType, numbers: &[f64], to: &mut BufferMut) {
    match data_type.byte_width() {
        Some(2) => numbers.iter().for_each(|number| to.push(F16::from_f64(*number))),
        Some(4) => numbers.iter().for_each(|number| to.push(*number as f32)),
        _ => to.extend_values(numbers),
    }
}

/// Appends numbers in the width of a type. The error is the index of the first number that does not fit.
fn append_wide(data_type: &DataType, numbers: &[I256], to: &mut BufferMut) -> Result<(), usize> {
    if data_type.byte_width() == Some(32) {
        to.extend_values(numbers);
        return Ok(());
    }
    let narrow = |(slot, number): (usize, &I256)| i128::try_from(*number).map_err(|_| slot);
    let narrow: Vec<i128> = numbers.iter().enumerate().map(narrow).collect::<Result<_, _>>()?;
    append(data_type, &narrow, to)
}
