//! Casts of random arrays of every type: the values equal those of code without optimisation. Numbers are tested by examples.

use arrow_array::{
    AnyArray, AnyBuilder, BinaryArray, Builder, Float64Array, Int32Array, Int64Array, IntervalDayTimeArray,
    IntervalMonthDayNanoArray, IntervalYearMonthArray, StructArray, Utf8Array,
};
use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano, MemoryBudget};
use arrow_compute::{Cast, CastErrorKind, Digits, Statistics, cast};
use arrow_data::{ArrayData, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, Uuid};
use testing_support::{Generator, Hunt, Nulls, Value, all_types, values};

/// Pairs of types in which each value of the first type also exists in the second.
const SAME_VALUES: [(&str, &str); 14] = [
    ("utf8", "large_utf8"),
    ("utf8", "utf8_view"),
    ("large_utf8", "utf8"),
    ("utf8_view", "utf8"),
    ("binary", "binary_view"),
    ("large_binary", "binary"),
    ("binary_view", "large_binary"),
    ("list", "large_list"),
    ("list", "list_view"),
    ("large_list", "large_list_view"),
    ("list_view", "list"),
    ("large_list_view", "large_list"),
    ("int16", "int64"),
    ("uint8", "int32"),
];

/// Replaces the first word of a pair by the second, everywhere in a type. `None` if the type does not contain it.
fn replaced(data_type: &DataType, (from, to): (&str, &str)) -> Option<DataType> {
    let text = data_type.to_string();
    let mut words: Vec<String> = vec![String::new()];
    for char in text.chars() {
        let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let last = words.last_mut().unwrap();
        if last.chars().next_back().is_none_or(|before| is_word(before) == is_word(char)) {
            last.push(char);
        } else {
            words.push(char.to_string());
        }
    }
    let other: String = words.iter().map(|word| if word == from { to } else { word }).collect();
    (other != text).then(|| other.parse().ok()).flatten()
}

fn check_same(array: &ArrayData, to: &DataType) {
    let found = cast(array, to, Digits::Keep);
    let found = found.unwrap_or_else(|error| panic!("{} to {to}: {error}", array.data_type()));
    assert_eq!(found.data_type(), to);
    assert_eq!(found.len(), array.len());
    found.clone().validate(Validation::Content).unwrap();
    assert_eq!(values(&found), values(array), "{} to {to}", array.data_type());
}

#[test]
fn values_stay_the_same_in_other_layouts() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(5));
    let mut n_checked = 0;
    for _ in 0..hunt.count(1, 50) {
        for (_, data_type) in all_types() {
            for nulls in Nulls::ALL {
                let array = generator.sliced_array(&data_type, 20, nulls);
                for words in SAME_VALUES {
                    if let Some(to) = replaced(&data_type, words) {
                        check_same(&array, &to);
                        n_checked += 1;
                    }
                }
            }
        }
    }
    assert!(n_checked > 200, "{n_checked}");
}

#[test]
fn every_type_can_be_encoded_and_decoded() {
    let mut generator = Generator::new(Hunt::from_env().seed(6));
    for (name, data_type) in all_types() {
        for nulls in [Nulls::None, Nulls::Some] {
            let array = generator.sliced_array(&data_type, 30, nulls);
            let is_encoded = data_type.is_dictionary() || data_type.is_run_end_encoded();
            let plain = data_type.value_type();
            let dictionary =
                (!is_encoded).then(|| DataType::dictionary(arrow_schema::IndexType::UInt8, plain.clone()));
            let runs = DataType::run_end_encoded(RunEndType::Int16, data_type.clone());
            for encoded in dictionary.map(|made| made.unwrap()).into_iter().chain([runs]) {
                check_same(&array, &encoded);
                let there = cast(&array, &encoded, Digits::Keep).unwrap();
                if encoded.is_run_end_encoded() {
                    let texts = values(&array);
                    let n_runs = 1 + texts.windows(2).filter(|pair| pair[0] != pair[1]).count();
                    assert_eq!(there.children()[1].len(), n_runs, "{name}");
                }
                // Skips runs: their values may be unions, and a null index or run does not say which child is null.
                if !data_type.is_run_end_encoded() {
                    let back = cast(&there, &data_type, Digits::Keep);
                    let back = back.unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(values(&back), values(&array), "{name}");
                }
            }
            if let Some(dictionary) = data_type.as_dictionary() {
                check_same(&array, dictionary.value());
            }
            if let Some(runs) = data_type.as_run_end_encoded() {
                check_same(&array, runs.values().data_type());
            }
        }
    }
}

/// A type, the texts of values, another type, and the expected texts or the expected error.
pub(super) type Case = (
    &'static str,
    &'static [&'static str],
    &'static str,
    Digits,
    Result<&'static [&'static str], &'static str>,
);

pub(super) fn built(data_type: &str, texts: &[&str]) -> ArrayData {
    let data_type: DataType = data_type.parse().unwrap();
    let mut builder = AnyBuilder::new(&data_type);
    for text in texts {
        let number = || text.parse::<i128>().unwrap();
        match &mut builder {
            AnyBuilder::Boolean(flags) => flags.append(text.parse::<bool>().unwrap()),
            AnyBuilder::Utf8(texts) => texts.append(text),
            AnyBuilder::Utf8View(texts) => texts.append(text),
            AnyBuilder::Int8(numbers) => numbers.append(number() as i8),
            AnyBuilder::Int32(numbers) => numbers.append(number() as i32),
            AnyBuilder::Int64(numbers) => numbers.append(number() as i64),
            AnyBuilder::UInt64(numbers) => numbers.append(number() as u64),
            AnyBuilder::Float16(numbers) => {
                numbers.append(arrow_buffer::F16::from_f64(text.parse().unwrap()))
            }
            AnyBuilder::Float32(numbers) => numbers.append(text.parse::<f32>().unwrap()),
            AnyBuilder::Float64(numbers) => numbers.append(text.parse::<f64>().unwrap()),
            AnyBuilder::Date32(days) => days.append(number() as i32),
            AnyBuilder::Timestamp(numbers) => numbers.append(number() as i64),
            AnyBuilder::Duration(numbers) => numbers.append(number() as i64),
            AnyBuilder::Time32(numbers) => numbers.append(number() as i32),
            AnyBuilder::Decimal64(numbers) => numbers.append(number() as i64),
            AnyBuilder::Decimal128(numbers) => numbers.append(number()),
            AnyBuilder::Decimal256(numbers) => numbers.append(text.parse::<arrow_buffer::I256>().unwrap()),
            other => panic!("no values of {}", other.data_type()),
        }
    }
    builder.finish_data().unwrap()
}

#[test]
fn numbers_are_cast_or_refused() {
    use Digits::{Drop, Keep};
    const CASES: &[Case] = &[
        ("int64", &["-128", "127"], "int8", Keep, Ok(&["-128", "127"])),
        ("int64", &["0", "128"], "int8", Drop, Err("the value 128 in slot 1 does not fit int8")),
        ("int64", &["-1"], "uint64", Keep, Err("the value -1 in slot 0 does not fit uint64")),
        ("uint64", &["18446744073709551615"], "decimal128(20, 0)", Keep, Ok(&["18446744073709551615"])),
        ("int8", &["5", "-7"], "decimal64(4, 2)", Keep, Ok(&["5.00", "-7.00"])),
        (
            "int8",
            &["100"],
            "decimal64(4, 2)",
            Keep,
            Err("the value 100 in slot 0 does not fit decimal64(4, 2)"),
        ),
        ("decimal64(4, 2)", &["-500"], "int8", Keep, Ok(&["-5"])),
        ("decimal64(4, 2)", &["199", "-199"], "decimal128(4, 1)", Drop, Ok(&["1.9", "-1.9"])),
        (
            "decimal64(4, 2)",
            &["199"],
            "decimal128(4, 1)",
            Keep,
            Err("the value 1.99 in slot 0 would lose digits as decimal128(4, 1)"),
        ),
        (
            "decimal128(38, 0)",
            &["-99999999999999999999999999999999999999"],
            "decimal256(40, 2)",
            Keep,
            Ok(&["-99999999999999999999999999999999999999.00"]),
        ),
        (
            "decimal256(40, 2)",
            &["9999999999999999999999999999999999999900"],
            "decimal128(38, 0)",
            Keep,
            Ok(&["99999999999999999999999999999999999999"]),
        ),
        (
            "decimal256(40, 2)",
            &["101"],
            "decimal64(4, 1)",
            Keep,
            Err("the value 1.01 in slot 0 would lose digits as decimal64(4, 1)"),
        ),
        ("decimal256(40, 2)", &["109", "-3", "-109"], "decimal64(4, 1)", Drop, Ok(&["1.0", "0.0", "-1.0"])),
        (
            "decimal256(70, 0)",
            &["100000"],
            "decimal64(4, 0)",
            Keep,
            Err("the value 100000 in slot 0 does not fit decimal64(4, 0)"),
        ),
        ("float64", &["0.5", "NaN", "inf", "-0.0"], "float32", Keep, Ok(&["0.5", "NaN", "Infinity", "-0.0"])),
        ("float64", &["0.1"], "float32", Keep, Err("the value 0.1 in slot 0 would lose digits as float32")),
        ("float64", &["0.1"], "float32", Drop, Ok(&["0.1"])),
        ("float64", &["1e300"], "float32", Drop, Err("the value 1e300 in slot 0 does not fit float32")),
        ("float64", &["65504"], "float16", Keep, Ok(&["65500.0"])),
        (
            "timestamp(s)",
            &["-1", "1"],
            "timestamp(ns)",
            Keep,
            Ok(&["1969-12-31T23:59:59.000000000", "1970-01-01T00:00:01.000000000"]),
        ),
        (
            "timestamp(s)",
            &["9223372037"],
            "timestamp(ns)",
            Keep,
            Err("the value 2262-04-11T23:47:17 in slot 0 does not fit timestamp(ns)"),
        ),
        (
            "timestamp(ms)",
            &["-1"],
            "timestamp(s)",
            Keep,
            Err("the value 1969-12-31T23:59:59.999 in slot 0 would lose digits as timestamp(s)"),
        ),
        (
            "timestamp(ms)",
            &["-1", "1999"],
            "timestamp(s)",
            Drop,
            Ok(&["1969-12-31T23:59:59", "1970-01-01T00:00:01"]),
        ),
        (
            "timestamp(s, \"UTC\")",
            &["0"],
            "timestamp(ms, \"Asia/Tokyo\")",
            Keep,
            Ok(&["1970-01-01T00:00:00.000Z"]),
        ),
        (
            "timestamp(s)",
            &["0"],
            "timestamp(s, \"UTC\")",
            Keep,
            Err("timestamp(s) cannot be cast to timestamp(s, \"UTC\")"),
        ),
        ("date32", &["-1"], "date64", Keep, Ok(&["1969-12-31"])),
        ("timestamp(s)", &["-86400", "86400"], "date64", Keep, Ok(&["1969-12-31", "1970-01-02"])),
        (
            "timestamp(s)",
            &["0", "86401"],
            "date64",
            Keep,
            Err("the value 1970-01-02T00:00:01 in slot 1 would lose digits as date64"),
        ),
        ("timestamp(ms)", &["-1", "86399999"], "date64", Drop, Ok(&["1969-12-31", "1970-01-01"])),
        ("timestamp(ns)", &["86400000000001"], "date64", Drop, Ok(&["1970-01-02"])),
        ("date32", &["19000"], "timestamp(ms)", Keep, Ok(&["2022-01-08T00:00:00.000"])),
        ("timestamp(s)", &["86401"], "date32", Drop, Ok(&["1970-01-02"])),
        ("time32(s)", &["1"], "time64(ns)", Keep, Ok(&["00:00:01.000000000"])),
        ("time32(s)", &["1"], "duration(s)", Keep, Err("time32(s) cannot be cast to duration(s)")),
        ("duration(s)", &["7"], "duration(us)", Keep, Ok(&["7000000 us"])),
        ("duration(ms)", &["-1999", "-1", "1999"], "duration(s)", Drop, Ok(&["-1 s", "0 s", "1 s"])),
        ("int64", &["1", "-9007199254740992"], "float64", Keep, Ok(&["1.0", "-9007199254740992.0"])),
        (
            "int64",
            &["9007199254740993"],
            "float64",
            Keep,
            Err("the value 9007199254740993 in slot 0 would lose digits as float64"),
        ),
        ("int64", &["9007199254740993"], "float64", Drop, Ok(&["9007199254740992.0"])),
        ("int64", &["9007199791611905"], "float32", Drop, Ok(&["9007200000000000.0"])),
        ("uint64", &["18446744073709551615"], "float32", Drop, Ok(&["1.8446744e19"])),
        ("int32", &["65519", "65504"], "float16", Drop, Ok(&["65500.0", "65500.0"])),
        ("int32", &["65520"], "float16", Drop, Err("the value 65520 in slot 0 does not fit float16")),
        ("float64", &["-3", "-0.0"], "int8", Keep, Ok(&["-3", "0"])),
        ("float64", &["1", "0.5"], "int64", Keep, Err("the value 0.5 in slot 1 would lose digits as int64")),
        ("float16", &["1.5", "-1.5"], "int64", Drop, Ok(&["1", "-1"])),
        (
            "float64",
            &["9223372036854775808"],
            "int64",
            Drop,
            Err("the value 9.223372036854776e18 in slot 0 does not fit int64"),
        ),
        ("float64", &["1e300"], "uint64", Drop, Err("the value 1e300 in slot 0 does not fit uint64")),
        ("float32", &["NaN"], "int64", Drop, Err("the value NaN in slot 0 does not fit int64")),
        ("float32", &["-1"], "uint8", Keep, Err("the value -1.0 in slot 0 does not fit uint8")),
    ];
    check_cases(CASES);
}

pub(super) fn check_cases(cases: &[Case]) {
    for (from, texts, to, digits, expected) in cases {
        let array = built(from, texts);
        let found = cast(&array, &to.parse().unwrap(), *digits);
        let found = found.map(|array| {
            let array = AnyArray::try_from(array).unwrap();
            (0..array.len()).map(|slot| array.display(slot).to_string()).collect::<Vec<_>>()
        });
        let found = found.map_err(|error| error.to_string());
        let expected = expected.map(|texts| texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(found, expected.map_err(str::to_owned), "{from} {texts:?} to {to}");
    }
}

#[test]
fn values_become_text_and_text_values() {
    use Digits::{Drop, Keep};
    check_cases(&[
        ("int64", &["1", "-5"], "utf8", Keep, Ok(&["1", "-5"])),
        ("utf8", &["1", "-5", "007", "+3"], "int8", Keep, Ok(&["1", "-5", "7", "3"])),
        ("utf8", &["1", "x"], "int8", Keep, Err("the value \"x\" in slot 1 does not fit int8")),
        ("utf8", &["300"], "int8", Drop, Err("the value \"300\" in slot 0 does not fit int8")),
        ("utf8", &["1.5"], "int8", Keep, Err("the value \"1.5\" in slot 0 would lose digits as int8")),
        ("utf8_view", &["1.5", "-0.5", "-1.99"], "int8", Drop, Ok(&["1", "0", "-1"])),
        ("utf8", &["1.5x"], "int8", Drop, Err("the value \"1.5x\" in slot 0 does not fit int8")),
        (
            "utf8",
            &["-1.59", "1.5e-3", "7", "1e2"],
            "decimal128(5, 1)",
            Drop,
            Ok(&["-1.5", "0.0", "7.0", "100.0"]),
        ),
        ("utf8", &["1.50"], "decimal128(5, 1)", Keep, Ok(&["1.5"])),
        (
            "utf8",
            &["1.55"],
            "decimal128(5, 1)",
            Keep,
            Err("the value \"1.55\" in slot 0 would lose digits as decimal128(5, 1)"),
        ),
        ("utf8", &["0.1", "1e3", "-inf"], "float32", Keep, Ok(&["0.1", "1000.0", "-Infinity"])),
        ("float32", &["0.1", "1e30"], "large_utf8", Keep, Ok(&["0.1", "1e30"])),
        ("bool", &["true", "false"], "utf8_view", Keep, Ok(&["true", "false"])),
        ("utf8", &["True", "false"], "bool", Keep, Ok(&["true", "false"])),
        ("utf8", &["1"], "bool", Drop, Err("the value \"1\" in slot 0 does not fit bool")),
        ("date32", &["19000"], "large_utf8", Keep, Ok(&["2022-01-08"])),
        ("utf8", &["2022-01-08"], "date32", Keep, Ok(&["2022-01-08"])),
        ("utf8", &["2024-02-29 10:00:00.75"], "timestamp(ms)", Keep, Ok(&["2024-02-29T10:00:00.750"])),
        ("utf8", &["1969-12-31T23:59:59.75"], "timestamp(s)", Drop, Ok(&["1969-12-31T23:59:59"])),
        (
            "utf8",
            &["2024-02-29T10:00:00.75+02:00"],
            "timestamp(s, \"UTC\")",
            Drop,
            Ok(&["2024-02-29T08:00:00Z"]),
        ),
        (
            "utf8",
            &["2024-02-29T10:00:00Z"],
            "timestamp(s)",
            Keep,
            Err("the value \"2024-02-29T10:00:00Z\" in slot 0 does not fit timestamp(s)"),
        ),
        ("utf8", &["10:00:00.123456"], "time32(ms)", Drop, Ok(&["10:00:00.123"])),
        ("timestamp(s, \"UTC\")", &["0"], "utf8", Keep, Ok(&["1970-01-01T00:00:00Z"])),
        ("duration(ms)", &["1500"], "utf8", Keep, Ok(&["1500"])),
        ("utf8", &["1500"], "duration(ms)", Keep, Ok(&["1500 ms"])),
        ("utf8", &[""], "int64", Keep, Err("the value \"\" in slot 0 does not fit int64")),
        // A cast between decimals and floating-point numbers compares digits.
        ("decimal128(5, 2)", &["100", "10", "-9999"], "float64", Keep, Ok(&["1.0", "0.1", "-99.99"])),
        (
            "decimal128(20, 0)",
            &["9007199254740993"],
            "float64",
            Keep,
            Err("the value 9007199254740993 in slot 0 would lose digits as float64"),
        ),
        ("decimal128(20, 0)", &["9007199254740993"], "float64", Drop, Ok(&["9007199254740992.0"])),
        (
            "decimal128(20, 2)",
            &["10", "123456789"],
            "float32",
            Keep,
            Err("the value 1234567.89 in slot 1 would lose digits as float32"),
        ),
        ("float64", &["0.1", "1e3"], "decimal128(6, 2)", Keep, Ok(&["0.10", "1000.00"])),
        (
            "float64",
            &["0.125"],
            "decimal128(6, 2)",
            Keep,
            Err("the value 0.125 in slot 0 would lose digits as decimal128(6, 2)"),
        ),
        ("float64", &["-0.129", "1.5e-7"], "decimal128(6, 2)", Drop, Ok(&["-0.12", "0.00"])),
        (
            "float64",
            &["1e6"],
            "decimal128(6, 2)",
            Drop,
            Err("the value 1000000.0 in slot 0 does not fit decimal128(6, 2)"),
        ),
        (
            "float64",
            &["NaN"],
            "decimal128(6, 2)",
            Drop,
            Err("the value NaN in slot 0 does not fit decimal128(6, 2)"),
        ),
        // The integer counts the unit of the type. Dates have no such cast.
        ("int64", &["1500"], "timestamp(ms)", Keep, Ok(&["1970-01-01T00:00:01.500"])),
        ("timestamp(us, \"UTC\")", &["-1"], "int64", Keep, Ok(&["-1"])),
        ("duration(s)", &["300"], "int8", Drop, Err("the value 300 s in slot 0 does not fit int8")),
        ("int64", &["20240229"], "date32", Keep, Err("int64 cannot be cast to date32")),
        ("interval(year_month)", &[], "utf8", Keep, Err("interval(year_month) cannot be cast to utf8")),
    ]);
}

/// The type with all three parts has the values of both others, also inside of other types.
#[test]
fn intervals_become_those_with_all_parts() {
    let to: DataType = "interval(month_day_nano)".parse().unwrap();
    let day_time = |(days, milliseconds)| IntervalDayTime { days, milliseconds };
    let all = |(months, days, nanoseconds)| IntervalMonthDayNano { months, days, nanoseconds };
    let months = IntervalYearMonthArray::from_iter([Some(14), None, Some(i32::MIN)]);
    let parts = [(1, 0), (0, 1), (-2, 3), (i32::MAX, i32::MIN)].map(day_time);
    let days = IntervalDayTimeArray::from_iter(parts.map(Some).into_iter().chain([None]));
    let cases = [
        (months.into_data(), vec![Some((14, 0, 0)), None, Some((i32::MIN, 0, 0))]),
        (
            days.into_data(),
            vec![
                Some((0, 1, 0)),
                Some((0, 0, 1_000_000)),
                Some((0, -2, 3_000_000)),
                Some((0, i32::MAX, i64::from(i32::MIN) * 1_000_000)),
                None,
            ],
        ),
    ];
    for (array, expected) in cases {
        let expected = IntervalMonthDayNanoArray::from_iter(expected.into_iter().map(|value| value.map(all)));
        let (array, expected) = (array.slice(1, array.len() - 1), expected.data().slice(1, array.len() - 1));
        assert_eq!(cast(&array, &to, Digits::Keep).unwrap(), expected);
        let dictionary = DataType::dictionary(IndexType::Int8, array.data_type().clone()).unwrap();
        let encoded = cast(&array, &dictionary, Digits::Keep).unwrap();
        assert_eq!(cast(&encoded, &to, Digits::Keep).unwrap(), expected);
    }
    let error =
        cast(&ArrayData::new_empty(&to), &"interval(day_time)".parse().unwrap(), Digits::Keep).unwrap_err();
    assert!(matches!(error.kind(), CastErrorKind::Unsupported { .. }), "{error}");
}

/// After a cast to a finer unit or a wider type, the cast back returns the original values.
#[test]
fn casts_are_undone() {
    const PAIRS: [(&str, &str); 9] = [
        ("timestamp(s)", "timestamp(us)"),
        ("timestamp(ms, \"UTC\")", "timestamp(ns, \"UTC\")"),
        ("duration(ms)", "duration(us)"),
        ("time32(ms)", "time64(ns)"),
        ("date32", "date64"),
        ("float32", "float64"),
        ("decimal32(7, 3)", "decimal64(18, 9)"),
        ("decimal128(20, 3)", "decimal256(60, 9)"),
        ("uint32", "decimal128(12, 2)"),
    ];
    let mut generator = Generator::new(Hunt::from_env().seed(7));
    let mut n_undone = 0;
    for (from, to) in PAIRS {
        let (from, to): (DataType, DataType) = (from.parse().unwrap(), to.parse().unwrap());
        for n_slots in [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 20] {
            let array = generator.sliced_array(&from, n_slots, Nulls::Some);
            match cast(&array, &to, Digits::Keep) {
                Ok(there) => {
                    let back = cast(&there, &from, Digits::Keep).unwrap();
                    assert_eq!(values(&back), values(&array), "{from} {to}");
                    n_undone += back.len();
                }
                Err(error) => {
                    assert!(matches!(error.kind(), CastErrorKind::OutOfRange { .. }), "{from}: {error}")
                }
            }
        }
    }
    assert!(n_undone > 50, "{n_undone}");
}

#[test]
fn errors_name_the_field_and_the_slot() {
    let data_type: DataType = "struct<a: list<item: int64>>".parse().unwrap();
    let mut generator = Generator::new(1);
    let array = generator.array(&data_type, 50, Nulls::None);
    let error = cast(&array, &"struct<a: list<item: int8>>".parse().unwrap(), Digits::Keep).unwrap_err();
    assert_eq!(error.path().to_string(), "a.item");
    assert!(error.to_string().starts_with("field `a.item`: the value "), "{error}");

    let error = cast(
        &generator.array(&data_type, 50, Nulls::Some),
        &"struct<a: list<item: int64> not null>".parse().unwrap(),
        Digits::Keep,
    );
    assert!(matches!(error.unwrap_err().kind(), CastErrorKind::Nulls { .. }));

    let bytes = BinaryArray::try_from_iter([&b"ok"[..], b"a\xff"]).unwrap();
    let error = cast(bytes.data(), &DataType::Utf8, Digits::Keep).unwrap_err();
    assert_eq!(error.to_string(), "the bytes in slot 1 are not UTF-8 from byte 1 on");

    let numbers = Int64Array::from_iter(0..200);
    let error = cast(numbers.data(), &"dictionary<int8, int64>".parse().unwrap(), Digits::Keep).unwrap_err();
    assert!(matches!(error.kind(), CastErrorKind::OutOfRange { slot: 128, .. }), "{error}");
    let runs = "run_end_encoded<run_ends: int16 not null, values: int64>".parse().unwrap();
    let long = Int64Array::from_iter((0..40_000).map(|_| 1));
    let error = cast(long.data(), &runs, Digits::Keep).unwrap_err();
    assert!(
        error.to_string().starts_with("the value 40000 slots in slot 0 does not fit run_end_encoded"),
        "{error}"
    );

    for (from, to, lost) in [
        ("list<item: int8>", "map<entries: struct<k: int8 not null, v: int8> not null>", ""),
        ("struct<a: int8>", "struct<a: int8, b: int8 not null>", ""),
        ("struct<a: int8, b: int8>", "struct<b: int8, c: int8>", ", which has no field `a`"),
        ("struct<a: int8, b: int8>", "struct<a: int8>", ", which has no field `b`"),
        ("struct<a: int8, a: int8>", "struct<a: int8, b: int8, a: int8>", ""),
        ("struct<a: int8>", "struct<b: int8, a: int8, a: int8>", ""),
    ] {
        let array = generator.array(&from.parse().unwrap(), 3, Nulls::None);
        let error = cast(&array, &to.parse().unwrap(), Digits::Keep).unwrap_err();
        assert_eq!(error.to_string(), format!("{from} cannot be cast to {to}{lost}"));
    }
}

/// A cast does not move values to a field with another name.
#[test]
fn fields_of_structs_keep_their_names() {
    let column = |numbers: [i64; 2]| Int64Array::from_iter(numbers).into_data();
    let (a, b) = (column([1, 2]), column([3, 4]));
    let fields = ["a", "b"].map(|name| Field::new(name, DataType::Int64));
    let array = StructArray::try_new(fields.to_vec(), vec![a.clone(), b.clone()], None).unwrap().into_data();
    let none = Int32Array::from_iter([None, None]).into_data();
    let cases: [(&str, Vec<&ArrayData>); 5] = [
        ("struct<b: int64, a: int64>", vec![&b, &a]),
        ("struct<new: int32, b: int64, a: int64>", vec![&none, &b, &a]),
        ("struct<a: int64, b: int64, new: int32>", vec![&a, &b, &none]),
        ("struct<x: int64, y: int64>", vec![&a, &b]),
        ("struct<a: int64, y: int64>", vec![&a, &b]),
    ];
    for (to, expected) in cases {
        for array in [array.clone(), array.slice(1, 1), array.slice(0, 0)] {
            let cast = cast(&array, &to.parse().unwrap(), Digits::Keep).unwrap();
            for (found, expected) in cast.children().iter().zip(&expected) {
                let expected =
                    if array.len() == 2 { (*expected).clone() } else { expected.slice(1, array.len()) };
                assert_eq!(values(found), values(&expected), "{to}");
            }
        }
    }
    // The same holds inside other types.
    let list = "list<item: struct<a: int8, b: int8>>".parse().unwrap();
    let list = Generator::new(7).array(&list, 9, Nulls::Some);
    let swapped =
        cast(&list, &"list<item: struct<b: int8, a: int8>>".parse().unwrap(), Digits::Keep).unwrap();
    let back = cast(&swapped, list.data_type(), Digits::Keep).unwrap();
    assert_eq!(values(&back), values(&list));
    assert_eq!(values(&swapped.children()[0].children()[0]), values(&list.children()[0].children()[1]));
}

/// With `with_same_names`, fields are matched by name at all levels, as between files.
#[test]
fn casts_can_refuse_new_names() {
    let cases = [
        ("struct<a: int8, b: int8>", "struct<b: int64, a: int8>", true),
        ("struct<a: int8>", "struct<c: int8, a: int8>", true),
        ("struct<a: int8, b: int8>", "struct<a: int8, c: int8>", false),
        ("struct<a: int8>", "struct<b: int8>", false),
        ("list<item: struct<a: int8>>", "large_list<item: struct<b: int8>>", false),
        ("list<item: int8>", "list<element: int16>", true),
        ("dense_union<0=a: int8>", "dense_union<0=a: int16>", true),
        ("dense_union<0=a: int8>", "dense_union<0=b: int8>", false),
    ];
    for (from, to, expected) in cases {
        let (from, to): (DataType, DataType) = (from.parse().unwrap(), to.parse().unwrap());
        let array = Generator::new(9).array(&from, 5, Nulls::Some);
        let budget = MemoryBudget::new(1 << 20);
        let made = Cast::new(to.clone(), Digits::Keep).with_same_names().array(&array, &budget);
        assert_eq!(made.is_ok(), expected, "{from} to {to}: {made:?}");
    }
    // The names in the entries of maps may differ, but not the names below them.
    let map = |names: [&str; 2], value: &str| {
        DataType::map(
            Field::new(names[0], DataType::Utf8).required(),
            Field::new(names[1], value.parse().unwrap()),
        )
    };
    let array = Generator::new(9).array(&map(["key", "value"], "struct<a: int8>"), 5, Nulls::Some);
    for (value, expected) in [("struct<a: int8>", true), ("struct<b: int8>", false)] {
        let to = map(["k", "v"], value);
        let made = Cast::new(to, Digits::Keep).with_same_names().array(&array, &MemoryBudget::new(1 << 20));
        assert_eq!(made.is_ok(), expected, "{value}");
    }
}

#[test]
fn what_has_the_type_is_shared() {
    let array = Float64Array::from_iter([1.0, 2.0]);
    let same = cast(array.data(), &DataType::Float64, Digits::Keep).unwrap();
    assert!(same.buffer(0).same_memory(array.data().buffer(0)));
    assert_eq!(Statistics::new(DataType::Float64).n_rows(), 0);
    assert_eq!(values(&same)[0], Value::Float(1.0_f64.to_bits()));
}

/// A `date64` is a number of milliseconds without a time of day.
#[test]
fn dates_are_whole_days() {
    let times = built("timestamp(ms)", &["-1", "0", "86399999", "86400000"]);
    let dates = cast(&times, &DataType::Date64, Digits::Drop).unwrap();
    assert_eq!(dates.buffer(0).view::<i64>(), Ok(&[-86_400_000, 0, 0, 86_400_000][..]));
}

#[test]
fn text_is_cast_to_a_uuid_and_back_on_request() {
    let (id, budget) = ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", MemoryBudget::new(1 << 20));
    let texts = Utf8Array::try_from_iter([Some(id), None, Some(&*id.replace('-', "").to_uppercase())])
        .expect("it is short");
    let to_uuid = || Cast::new(Uuid.storage(), Digits::Keep);
    let made = to_uuid().with_uuids().array(texts.data(), &budget).expect("they are UUIDs");
    let back =
        Cast::new(DataType::Utf8, Digits::Keep).with_uuids().array(&made, &budget).expect("they have a text");
    let back = Utf8Array::try_from(back).expect("it is utf8");
    assert_eq!(back.iter().collect::<Vec<_>>(), [Some(id), None, Some(id)]);
    let other = Utf8Array::try_from_iter([Some("f81d4fae")]).expect("it is short");
    assert!(to_uuid().array(texts.data(), &budget).is_err());
    assert!(to_uuid().with_uuids().array(other.data(), &budget).is_err());
}
