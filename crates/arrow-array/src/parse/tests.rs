//! Tests the errors of values. Also tests that values of every type that is not nested are read back from the output of
//! `display`.

use std::fmt::Debug;

use crate::*;
use arrow_buffer::{F16, I128, I256, IntervalDayTime, IntervalMonthDayNano, NativeType};
use arrow_schema::{DataType, IntervalUnit, Time32Unit, Time64Unit, TimeUnit};
use testing_support::Rng;

use super::{error::ValueResult, *};

#[test]
fn errors_say_what_was_expected_and_found() {
    let long = "é".repeat(100);
    let error = boolean(&long).expect_err("it is no boolean");
    assert_eq!(error.expected(), &Expectation::Boolean);
    assert_eq!(error.found(), "é".repeat(32) + "…");
    let cases = [
        (boolean("TRUE\u{1b}").map(drop), r#"expected true or false, found "TRUE\u{1b}""#),
        (integer::<i8>("128").map(drop), r#"expected an integer from -128 to 127, found "128""#),
        (
            float::<f32>("1e39").map(drop),
            r#"expected a number that fits into a floating-point number of 32 bits, found "1e39""#,
        ),
        (
            decimal::<i32>("1.234", 9, 2).map(drop),
            r#"expected a decimal number that is exact with the scale 2, found "1.234""#,
        ),
        (date32("2023-02-29").map(drop), r#"expected a date such as 2024-02-29, found "2023-02-29""#),
    ];
    for (result, message) in cases {
        assert_eq!(result.expect_err(message).to_string(), message);
    }
}

/// Writes and reads the numbers, and compares their `Debug` output, which distinguishes the two zeros but not NaNs.
fn check<T: PrimitiveType>(
    data_type: DataType,
    numbers: Vec<T::Native>,
    parse: impl Fn(&str) -> ValueResult<T::Native>,
) {
    let array = PrimitiveArray::<T>::try_new(data_type.clone(), numbers.clone(), None);
    let array = array.unwrap_or_else(|error| panic!("{data_type}: {error}"));
    let column = ColumnText::try_new(array.data(), TextStyle::Json)
        .unwrap_or_else(|error| panic!("{data_type}: {error}"));
    assert!(numbers.len() > 300);
    for (number, value) in numbers.iter().zip(&column) {
        let text = value.to_string();
        let found = parse(text.trim_matches('"')).unwrap_or_else(|error| panic!("{data_type}: {error}"));
        assert_eq!(debug(&found), debug(number), "{data_type}: {text}");
    }
}

fn debug(value: &impl Debug) -> String {
    format!("{value:?}")
}

/// The ends of the range of 64 bits, numbers around zero, and numbers of all sizes.
fn integers() -> Vec<i64> {
    let mut rng = Rng::new(7);
    let mut numbers = vec![i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    for shift in 0..64 {
        numbers.extend((0..20).map(|_| rng.bits().cast_signed() >> shift));
    }
    numbers
}

/// The same numbers, without those that do not fit into `n_bits` bits.
fn narrow<N: TryFrom<i64> + NativeType>(n_bits: u32) -> Vec<N> {
    integers().into_iter().filter_map(|number| N::try_from(number >> (64 - n_bits)).ok()).collect()
}

fn bits() -> Vec<u64> {
    integers().into_iter().map(i64::cast_unsigned).collect()
}

#[test]
fn integers_read_back() {
    check::<Int8Type>(DataType::Int8, narrow(8), integer);
    check::<Int16Type>(DataType::Int16, narrow(16), integer);
    check::<Int32Type>(DataType::Int32, narrow(32), integer);
    check::<Int64Type>(DataType::Int64, integers(), integer);
    check::<UInt8Type>(DataType::UInt8, narrow(9), integer);
    check::<UInt16Type>(DataType::UInt16, narrow(17), integer);
    check::<UInt32Type>(DataType::UInt32, narrow(33), integer);
    check::<UInt64Type>(DataType::UInt64, bits(), integer);
    for unit in [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond] {
        check::<DurationType>(DataType::Duration(unit), integers(), integer);
    }
}

#[test]
fn floats_read_back() {
    check::<Float16Type>(
        DataType::Float16,
        (0..=u16::MAX).map(F16::from_bits).filter(|half| !half.is_nan()).collect(),
        float,
    );
    let singles = bits().into_iter().flat_map(|bits| [bits as u32, (bits >> 32) as u32]).map(f32::from_bits);
    let singles =
        singles.chain([f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -0.0]);
    check::<Float32Type>(DataType::Float32, singles.collect(), float);
    let doubles = bits().into_iter().map(f64::from_bits);
    let doubles =
        doubles.chain([f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0]);
    check::<Float64Type>(DataType::Float64, doubles.collect(), float);
    assert!(float::<F16>("NaN").is_ok_and(F16::is_nan));
}

/// Numbers with one to `precision` digits, with both signs, and both ends of the range.
fn digits<N: std::str::FromStr>(precision: u8) -> Vec<N> {
    let mut rng = Rng::new(precision.into());
    let mut texts =
        vec!["0".to_owned(), "9".repeat(precision.into()), format!("-{}", "9".repeat(precision.into()))];
    for n_digits in (1..=usize::from(precision)).cycle().take(400) {
        let digits: String = (0..n_digits).map(|_| (b'0' + rng.below(10) as u8) as char).collect();
        texts.push(if rng.one_in(2) { format!("-{digits}") } else { digits });
    }
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

#[test]
fn decimals_read_back() {
    for scale in [0, 1, 2, 9, 40, 1_000, 1_001, i32::MAX, -1, -3, -1_000, -1_001, i32::MIN] {
        for precision in [1, 9] {
            let data_type = DataType::decimal32(precision, scale).expect("it is legal");
            check::<Decimal32Type>(data_type, digits(precision), |text| decimal(text, precision, scale));
        }
        let data_type = DataType::decimal64(18, scale).expect("it is legal");
        check::<Decimal64Type>(data_type, digits(18), |text| decimal(text, 18, scale));
        let data_type = DataType::decimal128(38, scale).expect("it is legal");
        check::<Decimal128Type>(data_type, digits::<I128>(38), |text| decimal(text, 38, scale));
        let data_type = DataType::decimal256(76, scale).expect("it is legal");
        check::<Decimal256Type>(data_type, digits::<I256>(76), |text| decimal(text, 76, scale));
    }
}

#[test]
fn times_read_back() {
    check::<Date32Type>(DataType::Date32, narrow(32), date32);
    let whole_days = integers().into_iter().map(|number| number / 86_400_000 * 86_400_000);
    check::<Date64Type>(DataType::Date64, integers().into_iter().chain(whole_days).collect(), date64);
    for unit in [Time32Unit::Second, Time32Unit::Millisecond] {
        check::<Time32Type>(DataType::Time32(unit), narrow(32), |text| time32(text, unit));
    }
    for unit in [Time64Unit::Microsecond, Time64Unit::Nanosecond] {
        check::<Time64Type>(DataType::Time64(unit), integers(), |text| time64(text, unit));
    }
    for unit in [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond] {
        check::<TimestampType>(DataType::timestamp(unit), integers(), |text| timestamp(text, unit));
        check::<TimestampType>(DataType::timestamp_with_zone(unit, ""), integers(), |text| {
            timestamp(text, unit)
        });
        check::<TimestampType>(DataType::timestamp_with_zone(unit, "Asia/Tokyo"), integers(), |text| {
            timestamp_with_zone(text, unit)
        });
    }
}

#[test]
fn intervals_read_back() {
    let parts = || integers().into_iter().zip(integers().into_iter().rev());
    check::<IntervalYearMonthType>(
        DataType::Interval(IntervalUnit::YearMonth),
        narrow(32),
        interval_year_month,
    );
    let day_time = parts().map(|(a, b)| IntervalDayTime { days: (a >> 32) as i32, milliseconds: b as i32 });
    check::<IntervalDayTimeType>(
        DataType::Interval(IntervalUnit::DayTime),
        day_time.collect(),
        interval_day_time,
    );
    let month_day_nano = parts().map(|(a, b)| IntervalMonthDayNano {
        months: a as i32,
        days: (a >> 32) as i32,
        nanoseconds: b,
    });
    check::<IntervalMonthDayNanoType>(
        DataType::Interval(IntervalUnit::MonthDayNano),
        month_day_nano.collect(),
        interval_month_day_nano,
    );
}

#[test]
fn bytes_and_booleans_read_back() {
    let mut rng = Rng::new(3);
    let values: Vec<Vec<u8>> = (0..100).map(|n_bytes| rng.bytes(n_bytes)).collect();
    let array = BinaryViewArray::from_iter(&values);
    let column = ColumnText::try_new(array.data(), TextStyle::Json).expect("it is valid");
    for (bytes, value) in values.iter().zip(&column) {
        let mut found = Vec::new();
        let text = value.to_string();
        assert_eq!(hex(text.trim_matches('"'), &mut found), Ok(()));
        assert_eq!(hex_of_width(text.trim_matches('"'), bytes.len(), &mut Vec::new()), Ok(()));
        assert_eq!(found, *bytes);
    }
    let array = BooleanArray::from_iter([true, false]);
    let column = ColumnText::try_new(array.data(), TextStyle::Json).expect("it is valid");
    assert!(column.iter().map(|value| boolean(&value.to_string())).eq([Ok(true), Ok(false)]));
}

#[test]
fn no_text_makes_it_panic() {
    let mut rng = Rng::new(11);
    let starts =
        ["", "2024-02-29T12:34:56.789Z", "+010000-01-01", "12:34:56", "-12.5e-3", "{\"months\":14}", "00ff"];
    let alphabet: Vec<char> = "0123456789+-:.,TZeE {}\"afN\u{e9}\u{663}\0".chars().collect();
    let mut n_read = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = rng.pick(&starts).chars().collect();
        for _ in 0..rng.below(4) {
            let at = rng.below(text.len() + 1);
            let end = (at + rng.below(3)).min(text.len());
            let new: Vec<char> = (0..rng.below(4)).map(|_| *rng.pick(&alphabet)).collect();
            text.splice(at..end, new);
        }
        let text: String = text.into_iter().collect();
        let outcomes = [
            integer::<i8>(&text).is_ok(),
            integer::<u64>(&text).is_ok(),
            float::<F16>(&text).is_ok(),
            float::<f64>(&text).is_ok(),
            decimal::<i32>(&text, 9, -2).is_ok(),
            decimal::<I256>(&text, 76, i32::MAX).is_ok(),
            date32(&text).is_ok(),
            date64(&text).is_ok(),
            time32(&text, Time32Unit::Second).is_ok(),
            time64(&text, Time64Unit::Nanosecond).is_ok(),
            timestamp(&text, TimeUnit::Nanosecond).is_ok(),
            timestamp_with_zone(&text, TimeUnit::Second).is_ok(),
            interval_year_month(&text).is_ok(),
            interval_day_time(&text).is_ok(),
            interval_month_day_nano(&text).is_ok(),
            hex(&text, &mut Vec::new()).is_ok(),
        ];
        n_read += outcomes.into_iter().filter(|is_ok| *is_ok).count();
    }
    assert!(n_read > 10_000, "{n_read} values were read");
}
