//! Converts dates, times, timestamps, durations and intervals to values of `datetime`. A value that `datetime` cannot
//! represent is an error.

use arrow_array::{AnyArray, PrimitiveArray, PrimitiveType, TimeZones, TimestampArray};
use arrow_schema::{FieldPath, TimeUnit};
use pyo3::{
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
};

use super::{PyValue, Values, values_with};
use crate::{
    error::{arrow_ipc_error, misuse},
    location::Location,
};

/// The number of the day 1970-01-01 in Python, which counts from 0001-01-01 as day 1.
const EPOCH_ORDINAL: i64 = 719_163;
const SECONDS_PER_DAY: i64 = 86_400;
const MILLISECONDS_PER_DAY: i64 = 86_400_000;
const INTERVAL: &str = "MonthDayNano";

/// The converter for an array of one of these types.
pub(super) fn values(py: Python<'_>, array: &AnyArray, path: &FieldPath) -> PyResult<Values> {
    let datetime = py.import("datetime")?;
    let class = |name: &str| Ok::<_, PyErr>(datetime.getattr(name)?.unbind());
    let interval_class = || Ok::<_, PyErr>(py.import("arrow_ipc._arrow_ipc")?.getattr(INTERVAL)?.unbind());
    let from_ordinal = || Ok::<_, PyErr>(datetime.getattr("date")?.getattr("fromordinal")?.unbind());
    Ok(match array {
        AnyArray::Date32(array) => {
            let date = from_ordinal()?;
            temporal(array, path, "datetime.date", move |py, days| date_of(py, &date, days.into()))
        }
        AnyArray::Date64(array) => {
            let date = from_ordinal()?;
            temporal(array, path, "datetime.date", move |py, milliseconds| {
                let is_whole = milliseconds % MILLISECONDS_PER_DAY == 0;
                if is_whole { date_of(py, &date, milliseconds / MILLISECONDS_PER_DAY) } else { Ok(None) }
            })
        }
        AnyArray::Time32(array) => {
            let unit = array.unit().into();
            let time = class("time")?;
            temporal(array, path, "datetime.time", move |py, value| {
                time_of(py, &time, Parts::try_new(value.into(), unit))
            })
        }
        AnyArray::Time64(array) => {
            let unit = array.unit().into();
            let time = class("time")?;
            temporal(array, path, "datetime.time", move |py, value| {
                time_of(py, &time, Parts::try_new(value, unit))
            })
        }
        AnyArray::Timestamp(array) => timestamps(py, array, path)?,
        AnyArray::Duration(array) => {
            let unit = array.unit();
            let timedelta = class("timedelta")?;
            temporal(array, path, "datetime.timedelta", move |py, value| {
                Parts::try_new(value, unit)
                    .map_or(Ok(None), |parts| in_range(py, parts.timedelta(py, &timedelta)))
            })
        }
        AnyArray::IntervalYearMonth(array) => {
            let class = interval_class()?;
            temporal(array, path, INTERVAL, move |py, months| interval(py, &class, (months, 0, 0)))
        }
        AnyArray::IntervalDayTime(array) => {
            let class = interval_class()?;
            temporal(array, path, INTERVAL, move |py, value| {
                interval(py, &class, (0, value.days, i64::from(value.milliseconds) * 1_000_000))
            })
        }
        AnyArray::IntervalMonthDayNano(array) => {
            let class = interval_class()?;
            temporal(array, path, INTERVAL, move |py, value| {
                interval(py, &class, (value.months, value.days, value.nanoseconds))
            })
        }
        other => {
            let text = format!("{} is no type of dates and times", other.data_type());
            return Err(misuse("TypeMismatch", text));
        }
    })
}

/// The converter for an array. `convert` returns `None` if `class` cannot represent a value.
fn temporal<T: PrimitiveType>(
    array: &PrimitiveArray<T>,
    path: &FieldPath,
    class: &'static str,
    convert: impl for<'py> Fn(Python<'py>, T::Native) -> PyResult<Option<PyValue<'py>>> + Send + Sync + 'static,
) -> Values {
    let array = array.clone();
    let path = path.clone();
    let is_in_nanoseconds = array.data_type().unit() == Some("ns");
    values_with(move |making, slot| {
        let Some(value) = array.get(slot) else { return Ok(making.none()) };
        convert(making.py, value)?.ok_or_else(|| {
            let found = AnyArray::try_new(array.data()).map(|array| array.display(slot).to_string());
            let in_field = if path.is_root() { String::new() } else { format!("field `{path}`, ") };
            let text = format!(
                "{in_field}slot {slot} of {}: {class} cannot hold {}, since Python has the years 1 to 9999, days of 24 hours, and no \
                 nanoseconds: `to_numpy(zero_copy_only=False)` of an array of this type keeps every value{}",
                array.data_type(),
                found.unwrap_or_default(),
                if is_in_nanoseconds {
                    ", and `cast` to a type in \"us\" with `lossy=True` leaves out nanoseconds"
                } else {
                    ""
                }
            );
            arrow_ipc_error(making.py, text, "NotInPython".to_owned(), "unsupported", Location::at_slot(&path, slot))
        })
    })
}

/// The Python value; `None` if it is out of the range of its class.
fn in_range<'py>(py: Python<'py>, made: PyResult<PyValue<'py>>) -> PyResult<Option<PyValue<'py>>> {
    match made {
        Ok(value) => Ok(Some(value)),
        Err(error)
            if error.is_instance_of::<PyOverflowError>(py) || error.is_instance_of::<PyValueError>(py) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn date_of<'py>(py: Python<'py>, from_ordinal: &Py<PyAny>, days: i64) -> PyResult<Option<PyValue<'py>>> {
    in_range(py, from_ordinal.bind(py).call1((days.saturating_add(EPOCH_ORDINAL),)))
}

fn time_of<'py>(py: Python<'py>, time: &Py<PyAny>, parts: Option<Parts>) -> PyResult<Option<PyValue<'py>>> {
    let Some(Parts { days: 0, seconds, microseconds }) = parts else { return Ok(None) };
    in_range(py, time.bind(py).call1((seconds / 3_600, seconds / 60 % 60, seconds % 60, microseconds)))
}

/// A duration in the units that `timedelta` has.
struct Parts {
    days: i64,
    seconds: i64,
    microseconds: i64,
}

impl Parts {
    /// Splits a duration into these units; `None` if it has nanoseconds, which `timedelta` cannot represent.
    fn try_new(value: i64, unit: TimeUnit) -> Option<Parts> {
        let per_second = unit.per_second();
        let seconds = value.div_euclid(per_second);
        let rest = value.rem_euclid(per_second);
        let microseconds = match unit {
            TimeUnit::Second => 0,
            TimeUnit::Millisecond => rest * 1_000,
            TimeUnit::Microsecond => rest,
            TimeUnit::Nanosecond if rest % 1_000 == 0 => rest / 1_000,
            TimeUnit::Nanosecond => return None,
        };
        let days = seconds.div_euclid(SECONDS_PER_DAY);
        let seconds = seconds.rem_euclid(SECONDS_PER_DAY);
        Some(Parts { days, seconds, microseconds })
    }

    fn timedelta<'py>(&self, py: Python<'py>, class: &Py<PyAny>) -> PyResult<PyValue<'py>> {
        class.bind(py).call1((self.days, self.seconds, self.microseconds))
    }
}

/// Makes `datetime` values, without a zone or in the zone of the type.
fn timestamps(py: Python<'_>, array: &TimestampArray, path: &FieldPath) -> PyResult<Values> {
    let datetime = py.import("datetime")?;
    let timedelta = datetime.getattr("timedelta")?.unbind();
    let zone = array.time_zone().map(|zone| time_zone(py, zone)).transpose()?;
    let epoch = datetime.getattr("datetime")?.call1((1970, 1, 1, 0, 0, 0, 0, zone.clone()))?.unbind();
    // `fromutc` needs a UTC time whose `tzinfo` is the zone.
    let from_utc = zone.map(|zone| Ok::<_, PyErr>(zone.getattr("fromutc")?.unbind())).transpose()?;
    let unit = array.unit();
    Ok(temporal(array, path, "datetime.datetime", move |py, value| {
        let Some(parts) = Parts::try_new(value, unit) else { return Ok(None) };
        let made = parts.timedelta(py, &timedelta).and_then(|since| epoch.bind(py).add(since));
        let made = made.and_then(|utc| match &from_utc {
            Some(from_utc) => from_utc.bind(py).call1((utc,)),
            None => Ok(utc),
        });
        in_range(py, made)
    }))
}

/// The `tzinfo` for a zone. The zones are those that conditions and casts know: offsets such as `+01:00`, and names.
fn time_zone<'py>(py: Python<'py>, name: &str) -> PyResult<PyValue<'py>> {
    let unknown = |advice: &str| {
        let name: String = name.chars().take(100).collect();
        let text = format!("the time zone {name:?} is not known{advice} `cast` to a timestamp in \"UTC\"");
        arrow_ipc_error(py, text, "UnknownTimeZone".to_owned(), "unsupported", Location::default())
    };
    let rules = TimeZones::database().find(name).ok_or_else(|| unknown(":"))?;
    // Names do not begin so.
    if name.starts_with(['+', '-'])
        && let Some(seconds) = rules.as_fixed()
    {
        let datetime = py.import("datetime")?;
        let offset = datetime.getattr("timedelta")?.call1((0, seconds))?;
        return datetime.getattr("timezone")?.call1((offset,));
    }
    let zoneinfo = crate::calls::import(py, "zoneinfo")?;
    let zone_of = |name: &str| zoneinfo.getattr("ZoneInfo")?.call1((name,));
    zone_of(name).or_else(|_| {
        // Names of other capitals are known, too.
        let names = zoneinfo.getattr("available_timezones")?.call0()?;
        let same = names.try_iter()?.filter_map(|known| known.ok()?.extract::<String>().ok());
        let same = same.into_iter().find(|known| known.eq_ignore_ascii_case(name));
        same.map_or_else(
            || Err(unknown(" to Python here: install the package `tzdata`, or")),
            |known| zone_of(&known),
        )
    })
}

/// A `MonthDayNano`: a named tuple of months, days and nanoseconds.
fn interval<'py>(
    py: Python<'py>,
    class: &Py<PyAny>,
    parts: (i32, i32, i64),
) -> PyResult<Option<PyValue<'py>>> {
    class.bind(py).call1(parts).map(Some)
}
