//! Converts temporal values to values of `jiff` and back: known pairs, the greatest and least values, and values that
//! have no counterpart.
#![cfg(feature = "jiff")]

use std::fmt::Debug;

use arrow_array::*;
use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano};
use arrow_schema::{DataType, IntervalUnit, Time32Unit, Time64Unit, TimeUnit};
use jiff::{
    SignedDuration, Span, Timestamp, Zoned,
    civil::{Date, DateTime, Time, date, time},
};

type Error = Box<dyn std::error::Error>;

/// Checks that each stored number converts to its value, and each value back to its number.
fn check<T: PrimitiveType, V: JiffValue<T> + PartialEq + Debug + Clone>(
    parameters: T::Parameters,
    pairs: impl IntoIterator<Item = (T::Native, V)>,
) {
    for (stored, value) in pairs {
        assert_eq!(V::from_stored(stored, parameters).as_ref(), Ok(&value), "{stored:?} in {parameters:?}");
        assert_eq!(value.to_stored(parameters), Ok(stored), "{value:?} in {parameters:?}");
    }
}

const DAY: i64 = 86_400_000;

#[test]
fn pairs() {
    let days = [(0, date(1970, 1, 1)), (-1, date(1969, 12, 31)), (19_782, date(2024, 2, 29))];
    let ends = [(-4_371_587, Date::MIN), (2_932_896, Date::MAX)];
    let all = days.into_iter().chain(ends);
    check::<Date32Type, Date>((), all.clone());
    check::<Date64Type, Date>((), all.map(|(days, date)| (i64::from(days) * DAY, date)));

    check::<Time32Type, Time>(Time32Unit::Second, [(0, time(0, 0, 0, 0)), (86_399, time(23, 59, 59, 0))]);
    check::<Time32Type, Time>(Time32Unit::Millisecond, [(1_001, time(0, 0, 1, 1_000_000))]);
    check::<Time64Type, Time>(Time64Unit::Microsecond, [(86_399_999_999, time(23, 59, 59, 999_999_000))]);
    check::<Time64Type, Time>(
        Time64Unit::Nanosecond,
        [(86_399_999_999_999, Time::MAX), (1, time(0, 0, 0, 1))],
    );

    let first = date(1970, 1, 1);
    check::<TimestampType, DateTime>(
        TimeUnit::Second,
        [(-1, date(1969, 12, 31).at(23, 59, 59, 0)), (-377_705_116_800, DateTime::MIN)],
    );
    check::<TimestampType, DateTime>(
        TimeUnit::Millisecond,
        [(-1, date(1969, 12, 31).at(23, 59, 59, 999_000_000))],
    );
    check::<TimestampType, DateTime>(
        TimeUnit::Microsecond,
        [(253_402_300_799_999_999, date(9999, 12, 31).at(23, 59, 59, 999_999_000))],
    );
    check::<TimestampType, DateTime>(TimeUnit::Nanosecond, [(1, first.at(0, 0, 0, 1))]);
    let timestamp = |text: &str| text.parse::<Timestamp>().expect(text);
    check::<TimestampType, Timestamp>(TimeUnit::Second, [(-1, timestamp("1969-12-31T23:59:59Z"))]);
    check::<TimestampType, Timestamp>(
        TimeUnit::Nanosecond,
        [
            (i64::MAX, timestamp("2262-04-11T23:47:16.854775807Z")),
            (i64::MIN, timestamp("1677-09-21T00:12:43.145224192Z")),
        ],
    );

    for (unit, per_second) in [
        (TimeUnit::Second, 1),
        (TimeUnit::Millisecond, 1_000),
        (TimeUnit::Microsecond, 1_000_000),
        (TimeUnit::Nanosecond, 1_000_000_000),
    ] {
        let seconds = [0, 1, -90].map(|seconds| (seconds * per_second, SignedDuration::from_secs(seconds)));
        check::<DurationType, SignedDuration>(unit, seconds);
        for stored in [i64::MIN, i64::MAX] {
            let value: SignedDuration =
                JiffValue::<DurationType>::from_stored(stored, unit).expect("all fit");
            assert_eq!(JiffValue::<DurationType>::to_stored(&value, unit), Ok(stored));
        }
    }
}

/// `Span` does not implement equality, so spans are compared unit by unit.
#[test]
fn spans() {
    let (day_time, nano) = (
        |days, milliseconds| IntervalDayTime { days, milliseconds },
        |months, days, nanoseconds| IntervalMonthDayNano { months, days, nanoseconds },
    );
    let same = |found: Result<Span, TemporalError>, wanted: Span| {
        assert_eq!(found.map(Span::fieldwise), Ok(wanted.fieldwise()));
    };
    same(JiffValue::<IntervalYearMonthType>::from_stored(-14, ()), Span::new().months(-14));
    same(
        JiffValue::<IntervalDayTimeType>::from_stored(day_time(1, 25), ()),
        Span::new().days(1).milliseconds(25),
    );
    same(JiffValue::<IntervalDayTimeType>::from_stored(day_time(0, -25), ()), Span::new().milliseconds(-25));
    same(
        JiffValue::<IntervalMonthDayNanoType>::from_stored(nano(-1, -2, -3), ()),
        Span::new().months(-1).days(-2).nanoseconds(-3),
    );
    let mixed = [nano(1, -1, 0), nano(0, 1, -1), nano(-1, 0, 1)];
    for stored in mixed {
        let found: Result<Span, _> = JiffValue::<IntervalMonthDayNanoType>::from_stored(stored, ());
        assert_eq!(found.map(Span::fieldwise), Err(TemporalError::MixedSigns));
    }
    let found: Result<Span, _> = JiffValue::<IntervalYearMonthType>::from_stored(i32::MAX, ());
    assert_eq!(
        found.map(Span::fieldwise).expect_err("it is too long").to_string(),
        "2147483647 months are out of bounds of jiff::Span"
    );

    let long = Span::new().years(1).months(2).weeks(1).days(3).hours(1).milliseconds(5).nanoseconds(7);
    let stored = JiffValue::<IntervalMonthDayNanoType>::to_stored(&long, ());
    assert_eq!(stored, Ok(nano(14, 10, 3_600_005_000_007)));
    let year_month = |span: Span| JiffValue::<IntervalYearMonthType>::to_stored(&span, ());
    assert_eq!(year_month(Span::new().years(-2).months(-1)), Ok(-25));
    let part = |part, into| TemporalError::Unstorable { part, into };
    assert_eq!(year_month(Span::new().days(1)), Err(part("days", "interval(year_month)")));
    assert_eq!(year_month(Span::new().hours(24)), Err(part("units of time", "interval(year_month)")));
    let day_time_of = |span: Span| JiffValue::<IntervalDayTimeType>::to_stored(&span, ());
    assert_eq!(day_time_of(Span::new().weeks(2).seconds(3)), Ok(day_time(14, 3_000)));
    assert_eq!(day_time_of(Span::new().months(1)), Err(part("months", "interval(day_time)")));
    assert_eq!(
        day_time_of(Span::new().microseconds(1)),
        Err(TemporalError::Inexact { unit: "milliseconds" })
    );
    let overflow = TemporalError::Overflow { n_bits: 32, unit: "milliseconds" };
    assert_eq!(day_time_of(Span::new().hours(1_000)), Err(overflow));
}

#[test]
fn what_does_not_fit() {
    let cases: Vec<(Result<(), TemporalError>, &str)> = vec![
        (
            Date32Array::from_iter([i32::MAX]).date(0).map(drop),
            "2147483647 days are out of bounds of jiff::civil::Date",
        ),
        (
            Date64Array::from_iter([i64::MIN]).date(0).map(drop),
            "-9223372036854775808 milliseconds are out of bounds of jiff::civil::Date",
        ),
        (
            <Time as JiffValue<Time32Type>>::from_stored(86_400, Time32Unit::Second).map(drop),
            "86400 seconds are out of bounds of jiff::civil::Time",
        ),
        (
            <Time as JiffValue<Time64Type>>::from_stored(-1, Time64Unit::Nanosecond).map(drop),
            "-1 nanoseconds are out of bounds of jiff::civil::Time",
        ),
        (
            <Timestamp as JiffValue<TimestampType>>::from_stored(i64::MAX, TimeUnit::Second).map(drop),
            "9223372036854775807 seconds are out of bounds of jiff::Timestamp",
        ),
        (
            <DateTime as JiffValue<TimestampType>>::from_stored(i64::MIN, TimeUnit::Microsecond).map(drop),
            "-9223372036854775808 microseconds are out of bounds of jiff::civil::DateTime",
        ),
        (
            JiffValue::<TimestampType>::to_stored(&Timestamp::MAX, TimeUnit::Second).map(drop),
            "the value is not a whole number of seconds",
        ),
        (
            JiffValue::<TimestampType>::to_stored(&Timestamp::MAX, TimeUnit::Nanosecond).map(drop),
            "the value does not fit into 64 bits of nanoseconds",
        ),
        (
            JiffValue::<Time32Type>::to_stored(&time(1, 0, 0, 1), Time32Unit::Millisecond).map(drop),
            "the value is not a whole number of milliseconds",
        ),
        (
            JiffValue::<DurationType>::to_stored(&SignedDuration::MAX, TimeUnit::Nanosecond).map(drop),
            "the value does not fit into 64 bits of nanoseconds",
        ),
    ];
    for (result, message) in cases {
        assert_eq!(result.map_err(|error| error.to_string()), Err(message.to_owned()));
    }
}

#[test]
fn arrays_there_and_back() -> Result<(), Error> {
    let days = [Some(date(2024, 2, 29)), None, Some(date(1, 1, 1))];
    let array = Date32Array::try_from_iter(DataType::Date32, days)?;
    assert_eq!(array.dates().collect::<Result<Vec<_>, _>>()?, days);
    assert_eq!((array.date(0)?, array.date(1)?, array.date(3)?), (days[0], None, None));
    let array = Date64Array::try_from_iter(DataType::Date64, days)?;
    assert_eq!(array.dates().rev().collect::<Result<Vec<_>, _>>()?, [days[2], days[1], days[0]]);
    // A stored millisecond that is not the first of its day returns the day that contains it.
    assert_eq!(Date64Array::from_iter([-1]).date(0)?, Some(date(1969, 12, 31)));

    let times = [time(12, 30, 0, 0)];
    let array = Time32Array::try_from_iter(DataType::Time32(Time32Unit::Second), times)?;
    assert_eq!(array.times().next(), Some(Ok(Some(times[0]))));
    let array = Time64Array::try_from_iter(DataType::Time64(Time64Unit::Microsecond), times)?;
    assert_eq!((array.get(0), array.time(0)?), (Some(45_000_000_000), Some(times[0])));

    let durations = [Some(SignedDuration::from_mins(-3)), None];
    let array = DurationArray::try_from_iter(DataType::Duration(TimeUnit::Millisecond), durations)?;
    assert_eq!(array.durations().collect::<Result<Vec<_>, _>>()?, durations);

    let span = Span::new().days(1).milliseconds(2);
    let array = IntervalDayTimeArray::try_from_iter(DataType::Interval(IntervalUnit::DayTime), [span])?;
    assert_eq!(array.span(0)?.map(Span::fieldwise), Some(span.fieldwise()));
    assert_eq!(array.spans().len(), 1);
    Ok(())
}

#[test]
fn zones_make_timestamps() -> Result<(), Error> {
    let timestamp: Timestamp = "2024-07-01T10:00:00Z".parse()?;
    let read = date(2024, 7, 1).at(10, 0, 0, 0);
    let make = |zone: Option<&str>| {
        let data_type = match zone {
            Some(zone) => DataType::timestamp_with_zone(TimeUnit::Second, zone),
            None => DataType::timestamp(TimeUnit::Second),
        };
        TimestampArray::try_from_iter(data_type, [Some(timestamp.as_second()), None]).expect("a timestamp")
    };
    let plain = make(None);
    assert_eq!(plain.date_times()?.collect::<Result<Vec<_>, _>>()?, [Some(read), None]);
    assert_eq!(plain.date_time(0)?, Some(read));
    assert_eq!(plain.timestamps().err(), Some(TemporalError::NoZone));
    assert_eq!(plain.zoned().err(), Some(TemporalError::NoZone));
    assert_eq!(TimestampArray::try_from_iter(plain.data_type().clone(), [read, read])?.len(), 2);
    let error = TimestampArray::try_from_iter(plain.data_type().clone(), [timestamp]).expect_err("no zone");
    assert!(matches!(error.kind(), ArrayErrorKind::Temporal(TemporalError::NoZone)));

    for (zone, text) in [
        ("Europe/Berlin", "2024-07-01T12:00:00+02:00[Europe/Berlin]"),
        ("UTC", "2024-07-01T10:00:00+00:00[UTC]"),
        ("-03:30", "2024-07-01T06:30:00-03:30[-03:30]"),
    ] {
        let array = make(Some(zone));
        assert_eq!(array.timestamps()?.collect::<Result<Vec<_>, _>>()?, [Some(timestamp), None]);
        let zoned = array.zoned()?.collect::<Result<Vec<_>, _>>()?;
        assert_eq!(
            zoned.iter().map(|zoned| zoned.as_ref().map(Zoned::to_string)).collect::<Vec<_>>(),
            [Some(text.to_owned()), None]
        );
        assert_eq!(array.date_time(0), Err(TemporalError::HasZone));
        assert!(TimestampArray::try_from_iter(array.data_type().clone(), [read]).is_err());
        assert_eq!(TimestampArray::try_from_iter(array.data_type().clone(), [Some(timestamp), None])?, array);
    }
    let array = make(Some("Mars/Olympus"));
    assert_eq!(array.timestamp(0)?, Some(timestamp));
    assert_eq!(array.zoned().err(), Some(TemporalError::UnknownZone { zone: "Mars/Olympus".into() }));
    for zone in [None, Some("")] {
        let array = make(zone);
        assert_eq!(array.timestamp(0), Err(TemporalError::NoZone), "{zone:?}");
        assert_eq!(array.zoned().err(), Some(TemporalError::NoZone), "{zone:?}");
        assert!(array.date_time(0)?.is_some(), "{zone:?}");
    }
    Ok(())
}
