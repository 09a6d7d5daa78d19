//! Constructs arrays of dates, times, timestamps, durations and decimals from objects of Python.

use arrow_array::{Decimal128Array, Int32Array, Int64Array};
use arrow_buffer::I128;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use pyo3::{
    exceptions::{PyOverflowError, PyRuntimeError, PyTypeError},
    intern,
    prelude::*,
    types::{PyList, PyString},
};

use super::{extract_with, unnamed, with_type};
use crate::{
    array::Array,
    error::{Result, exception, misuse},
    schema::field_of,
};

/// The number of the day 1970-01-01 in Python, which counts from 0001-01-01 as day 1.
const EPOCH_ORDINAL: i32 = 719_163;

/// Makes an array of date32, time64(us), duration(us) or timestamp(us) from objects of `datetime`, or `None`.
///
/// # Errors
/// `OverflowError` if a duration in microseconds has more than 64 bits.
#[pyfunction]
pub(crate) fn _times_of(values: &Bound<'_, PyList>, data_type: &Bound<'_, PyString>) -> Result<Array> {
    let data_type = field_of(data_type, "type")?.data_type().clone();
    let data: ArrayData = match data_type.name() {
        "date32" => Int32Array::from_iter(days(values)?).into(),
        "time64" => Int64Array::from_iter(extract_with(values, microseconds_of_day)?).into(),
        "duration" => Int64Array::from_iter(extract_with(values, microseconds)?).into(),
        "timestamp" => {
            let since =
                EpochConverter::try_new(values.py(), matches!(data_type.as_timestamp(), Some((_, Some(_)))))?;
            Int64Array::from_iter(extract_with(values, |time| microseconds(&since.epoch(time)?))?).into()
        }
        other => {
            return Err(misuse("TypeMismatch", format!("no objects of `datetime` become {other}")).into());
        }
    };
    Ok(unnamed(with_type(data, data_type)?))
}

/// The days since 1970 of dates. `map` calls a method faster than the limited API of Python does.
fn days(dates: &Bound<'_, PyList>) -> PyResult<Vec<Option<i32>>> {
    let py = dates.py();
    let method = py.import("datetime")?.getattr("date")?.getattr("toordinal")?;
    let given = if dates.iter().any(|date| date.is_none()) {
        PyList::new(py, dates.iter().filter(|date| !date.is_none()).collect::<Vec<_>>())?
    } else {
        dates.clone()
    };
    let mut ordinals = py.import("builtins")?.getattr("map")?.call1((method, given))?.try_iter()?;
    extract_with(dates, |_| {
        let ordinal: i32 =
            ordinals.next().ok_or_else(|| exception::<PyRuntimeError>("dates changed"))??.extract()?;
        Ok(ordinal.saturating_sub(EPOCH_ORDINAL))
    })
}

/// The microseconds since midnight of a `time`.
fn microseconds_of_day(time: &Bound<'_, PyAny>) -> PyResult<i64> {
    let py = time.py();
    let hours: i64 = time.getattr(intern!(py, "hour"))?.extract()?;
    let minutes: i64 = time.getattr(intern!(py, "minute"))?.extract()?;
    let seconds: i64 = time.getattr(intern!(py, "second"))?.extract()?;
    let microseconds: i64 = time.getattr(intern!(py, "microsecond"))?.extract()?;
    // Python has at most 24 hours.
    Ok(((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + microseconds)
}

/// The microseconds of a `timedelta`.
fn microseconds(delta: &Bound<'_, PyAny>) -> PyResult<i64> {
    let py = delta.py();
    let days: i64 = delta.getattr(intern!(py, "days"))?.extract()?;
    let seconds: i64 = delta.getattr(intern!(py, "seconds"))?.extract()?;
    let microseconds: i64 = delta.getattr(intern!(py, "microseconds"))?.extract()?;
    let seconds = i128::from(days) * 86_400 + i128::from(seconds);
    let all = seconds * 1_000_000 + i128::from(microseconds);
    i64::try_from(all).map_err(|error| exception::<PyOverflowError>(error.to_string()))
}

/// Subtracts 1970 from times, without the methods of classes that are derived from `datetime`.
struct EpochConverter<'py> {
    class: Bound<'py, PyAny>,
    subtract: Bound<'py, PyAny>,
    epoch: Bound<'py, PyAny>,
    /// The zone UTC, if the times have zones.
    utc: Option<Bound<'py, PyAny>>,
}

impl<'py> EpochConverter<'py> {
    fn try_new(py: Python<'py>, has_zone: bool) -> PyResult<EpochConverter<'py>> {
        let datetime = py.import("datetime")?;
        let class = datetime.getattr("datetime")?;
        let utc = if has_zone { Some(datetime.getattr("timezone")?.getattr("utc")?) } else { None };
        let epoch = class.call1((1970, 1, 1, 0, 0, 0, 0, utc.as_ref()))?;
        Ok(EpochConverter { subtract: class.getattr("__sub__")?, class, epoch, utc })
    }

    /// The `timedelta` since 1970: on the clock of a time without a zone, or in UTC.
    fn epoch(&self, time: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let since = if time.get_type().is(&self.class) {
            time.sub(&self.epoch)
        } else {
            self.subtract.call1((time, &self.epoch))
        };
        match (since, &self.utc) {
            // A zone may have no offset. Python takes such a time as one of the system's zone.
            (Err(error), Some(utc)) if error.is_instance_of::<PyTypeError>(time.py()) => {
                let time = time.call_method1(intern!(time.py(), "astimezone"), (utc,))?;
                self.subtract.call1((time, &self.epoch))
            }
            (since, _) => since,
        }
    }
}

/// Makes an array of decimal128 from `Decimal`s, or `None`, with the least precision and scale that holds all. Returns
/// nothing if there is no such type.
#[pyfunction]
pub(crate) fn _decimals_of(values: &Bound<'_, PyList>) -> Result<Option<Array>> {
    let numbers = extract_with(values, |value| Ok(DecimalParts::read(value.str()?.to_str()?)))?;
    let mut scale = 0;
    let mut n_whole = 0;
    for number in numbers.iter().flatten() {
        let Some(number) = number else { return Ok(None) };
        scale = scale.max(number.exponent.saturating_neg());
        n_whole = n_whole.max(number.n_digits.saturating_add(number.exponent));
    }
    let Ok(precision) = u8::try_from(n_whole.max(0).saturating_add(scale).max(1)) else { return Ok(None) };
    let Ok(data_type) = DataType::decimal128(precision, scale) else { return Ok(None) };
    let mut unscaled = Vec::with_capacity(numbers.len());
    for number in numbers.into_iter().map(Option::flatten) {
        unscaled.push(match number {
            None => None,
            Some(number) => match number.unscaled(scale) {
                None => return Ok(None),
                unscaled => unscaled,
            },
        });
    }
    Ok(Some(unnamed(Decimal128Array::try_from_iter(data_type, unscaled)?.into())))
}

/// A decimal as Python writes it: an integer, and the exponent of the power of ten that it counts.
struct DecimalParts {
    integer: i128,
    n_digits: i32,
    exponent: i32,
}

impl DecimalParts {
    /// `None` for other texts, such as `NaN`, and for integers of more than 38 digits.
    fn read(text: &str) -> Option<DecimalParts> {
        const MAX_DIGITS: i32 = 38;
        let (number, exponent) = match text.split_once(['E', 'e']) {
            Some((number, exponent)) => (number, exponent.parse().ok()?),
            None => (text, 0_i32),
        };
        let digits = number.strip_prefix('-').unwrap_or(number);
        let mut written = DecimalParts { integer: 0, n_digits: 0, exponent };
        let mut is_fraction = false;
        for byte in digits.bytes() {
            match byte {
                b'0'..=b'9' => {
                    written.n_digits += i32::from(written.n_digits > 0 || byte > b'0');
                    if written.n_digits > MAX_DIGITS {
                        return None;
                    }
                    written.integer = written.integer * 10 + i128::from(byte - b'0');
                    written.exponent = written.exponent.checked_sub(is_fraction.into())?;
                }
                b'.' if !is_fraction => is_fraction = true,
                _ => return None,
            }
        }
        // Python counts the zero as a digit.
        written.n_digits = written.n_digits.max(1);
        if digits.len() < number.len() {
            written.integer = -written.integer;
        }
        Some(written)
    }

    /// The integer that counts parts of this scale.
    fn unscaled(&self, scale: i32) -> Option<I128> {
        let factor = 10_i128.checked_pow(u32::try_from(scale.checked_add(self.exponent)?).ok()?)?;
        Some(self.integer.checked_mul(factor)?.into())
    }
}
