//! Predicates: examples of their text, of the types that they fit, and of the rows that match.

mod bytes;
mod columns;
mod nested;
mod random;
mod syntax;

use std::sync::Arc;

use arrow_array::{
    AnyBuilder, Builder, Float64Array, Int8Array, Int64Array, NativeDecimal, NullArray, Scalar, Utf8Array,
    append_text,
};
use arrow_buffer::{Buffer, I128, I256};
use arrow_compute::{ColumnBounds, ComparisonOperator, Predicate, PredicateErrorKind};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{Bool8, DataType, Field, RunEndType, Schema};

pub(crate) fn parsed(text: &str) -> Predicate {
    with_json_values(text.parse().unwrap_or_else(|error| panic!("{text}: {error}")))
}

fn with_json_values(predicate: Predicate) -> Predicate {
    predicate.with_json_values(|data_type, json| {
        arrow_text::read_json_value(data_type, json).map_err(|error| error.kind().to_string())
    })
}

#[test]
fn the_text_form_prints_as_it_is_read() {
    let cases = [
        ("a=1", "a = 1"),
        ("a == -1.5e3", "a = -1.5e3"),
        ("a <> 'x''y'", "a != 'x''y'"),
        (r#"a = "x\"\\y""#, r#"a = "x\"\\y""#),
        (r#"a = "x""y" or a = """" or a = "\x""#, r#"a = "x\"y" or a = "\"" or a = "\\x""#),
        (r#""odd ""q""".b."""" = 2"#, r#""odd \"q\"".b."\"" = 2"#),
        ("\"a\tb\" = '\t' and 1 < \"\n\".b", "\"a\\tb\" = '\t' and \"\\n\".b > 1"),
        ("a ≠ true", "a != true"),
        ("a = X'00fF' or x = x\"\"", "a = x'00fF' or x = x''"),
        ("100<amount", "amount > 100"),
        ("a.b.\"c d\" >= .5", "a.b.\"c d\" >= .5"),
        ("a BETWEEN 1 AND 2 or b", "(a >= 1 and a <= 2) or b"),
        ("a not between 1 and 2", "not (a >= 1 and a <= 2)"),
        ("not not a is null", "a is null"),
        ("a is not null", "a is not null"),
        ("not a = 1", "not a = 1"),
        ("not a like 'x%'", "a not like 'x%'"),
        ("a in () or a in (1,'2' , true)", "a in () or a in (1, '2', true)"),
        ("((a and b) and (c)) or ((d or e))", "(a and b and c) or d or e"),
        ("größe > 5", "größe > 5"),
        ("a ILIKE \"x%\" and not b ilike 'y'", "a ilike 'x%' and b not ilike 'y'"),
        (r#"a contains "50%_\\" or a not contains 'b'"#, r#"a like '%50\%\_\\%' or a not like '%b%'"#),
        ("a > b.c or a between b and 3", "a > b.c or (a >= b and a <= 3)"),
        ("contains contains 'x' and ilike = like_", "contains like '%x%' and ilike = like_"),
        (r#""and" and "first name" = 'x'"#, r#""and" and "first name" = 'x'"#),
    ];
    for (text, printed) in cases {
        let predicate = parsed(text);
        assert_eq!(predicate.to_string(), printed, "{text}");
        assert_eq!(parsed(printed), predicate, "{text}");
    }
}

#[test]
fn integers_of_bool8_are_true_unless_they_are_0() {
    let flags = Int8Array::from_iter([Some(0), Some(1), Some(-1), None]).into_data();
    let named = |name| Field::new(name, DataType::Int8);
    let flag = named("flag").with_extension_type(&Bool8).expect("it is the storage");
    let schema = Schema::new([flag, named("plain")]);
    let batch = RecordBatch::try_new(schema, vec![flags.clone(), flags]).expect("they have these types");
    let cases = [
        ("flag", "0110"),
        ("not flag", "1000"),
        ("flag = true", "0110"),
        ("flag != true", "1000"),
        ("flag = false", "1000"),
        ("flag <> false", "0110"),
        ("flag = 1", "0100"),
        ("flag is null", "0001"),
    ];
    for (text, expected) in cases {
        assert_eq!(rows(&batch, text), expected, "{text}");
    }
    for text in ["plain", "plain = true", "flag > false", "flag in (true)"] {
        assert!(parsed(text).bind(batch.schema()).is_err(), "{text}");
    }
}

#[test]
fn errors_say_where() {
    let deep = format!("{}a{}", "(".repeat(100), ")".repeat(100));
    let nots = format!("{} a", "not ".repeat(100_000));
    let cases = [
        ("", "at byte 0: expected a column, `not` or `(`, found the end"),
        ("a >", "at byte 3: expected a number, text in quotes, `true`, `false` or a column, found the end"),
        (
            "a > b c",
            r#"at byte 4: expected a number, text in quotes, `true`, `false` or a column; text needs quotes: write "b""#,
        ),
        ("a >< 1", r#"at byte 3: expected a number, text in quotes, `true`, `false` or a column, found "<""#),
        ("a = 1 b", r#"at byte 6: expected `and`, `or`, or the end, found "b""#),
        ("(a = 1", "at byte 6: expected `)`, `and` or `or`, found the end"),
        ("a = 'x", "at byte 4: the text in quotes that begins here is not closed"),
        ("a = \"x\\\"", "at byte 4: the text in quotes that begins here is not closed"),
        ("a = null", "at byte 4: null cannot be compared; expected `is null`"),
        ("a in (1, )", r#"at byte 9: expected a number, text in quotes, `true` or `false`, found ")""#),
        ("a in (1 2)", r#"at byte 8: expected `,` or `)`, found "2""#),
        ("a like 5", r#"at byte 7: expected a pattern in quotes; text needs quotes: write "5""#),
        ("a not 5", r#"at byte 6: expected `in`, `like`, `ilike`, `contains` or `between`, found "5""#),
        ("a is 5", r#"at byte 5: expected `null` or `not null`, found "5""#),
        ("a between 1 or 2", r#"at byte 12: expected `and` and the greatest value, found "or""#),
        ("a. = 1", r#"at byte 2: expected a name after the point, found " ""#),
        ("a = 1;", r#"at byte 5: expected `and`, `or`, or the end, found ";""#),
        ("5 = 5", r#"at byte 4: expected a column, found "5""#),
        ("and", r#"at byte 0: expected a column, `not` or `(`, found "and""#),
        (&deep, "at byte 64: nesting exceeds the limit of 64 levels"),
        (&nots, "at byte 256: nesting exceeds the limit of 64 levels"),
    ];
    for (text, message) in cases {
        let error = text.parse::<Predicate>().expect_err(text);
        assert_eq!(error.to_string(), message.replacen(": ", " of the condition: ", 1), "{text}");
        assert!(error.range().is_some_and(|range| text.get(range).is_some()), "{text}");
    }
}

fn schema() -> Schema {
    let zip = DataType::struct_([Field::new("zip", DataType::Utf8)]);
    let types = [
        ("i", DataType::Int8),
        ("u", DataType::UInt64),
        ("d", DataType::decimal128(5, 2).unwrap()),
        ("f", DataType::Float32),
        ("s", DataType::Utf8View),
        ("b", DataType::Binary),
        ("day", DataType::Date32),
        ("at", "timestamp(ms)".parse().unwrap()),
        ("flag", DataType::Boolean),
        ("l", DataType::list(Field::new("item", DataType::Int64))),
        ("n", DataType::Null),
        ("months", "interval(year_month)".parse().unwrap()),
        ("address", zip),
        ("a.b", DataType::Int8),
        ("twice", DataType::Int8),
        ("twice", DataType::Int8),
    ];
    Schema::new(types.map(|(name, data_type)| Field::new(name, data_type)))
}

#[test]
fn columns_and_constants_fit_the_schema() {
    let schema = schema();
    for text in [
        "i = 1000",
        "u < -1",
        "d = 1.234",
        "f = 1e99",
        "f = 'NaN'",
        "s = 'x'",
        "b = x'ff00'",
        "b in (x'', X'00')",
        "day = '2024-02-29'",
        "at > '2024-02-29'",
        "at > '2024-02-29 12:00:00'",
        "at > '2024-02-29 12:00'",
        "at > '2024-02-29T12:00'",
        "flag",
        "flag = false",
        "l = '[1,2]'",
        "n is null",
        "n = '1'",
        "address.zip = '1'",
        "a.b = 1",
        "\"a.b\" = 1",
        "i = '5'",
        "months = '{\"months\": 14}'",
    ] {
        parsed(text).bind(&schema).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    let cases = [
        ("x = 1", r#"no field is named "x""#),
        ("address.city = 'x'", r#"in address: no field is named "city""#),
        ("twice = 1", r#"2 fields are named "twice""#),
        (
            "i = true",
            "in column i: the type int8 cannot be compared with true or false; expected a number or text in quotes",
        ),
        ("i = 'x'", r#"in column i: not a value of int8: expected an integer from -128 to 127, found "x""#),
        (
            "i = x'00'",
            "in column i: the type int8 cannot be compared with bytes; expected a number or text in quotes",
        ),
        (
            "s = x'00'",
            "in column s: the type utf8_view cannot be compared with bytes; expected text in quotes",
        ),
        (
            "b = 'ab'",
            "in column b: the type binary cannot be compared with text; expected bytes, such as x'6f6b' for the text ok",
        ),
        (
            "b = x'0'",
            r#"in column b: not a value of binary: expected two hexadecimal digits for each byte, found "0""#,
        ),
        ("i like 'x'", "in column i: the type int8 does not support `like` and `contains`; expected text"),
        ("i", "in column i: the type int8 does not support use alone; expected a comparison, such as `= 1`"),
        (
            "s > 5",
            "in column s: the type utf8_view cannot be compared with a number; expected text in quotes",
        ),
        (
            "flag = 1",
            "in column flag: the type bool cannot be compared with a number; expected true or false",
        ),
        (
            "l.item = 5",
            "in column l.item: conditions can only use columns and fields of structs; this field is inside list<item: int64>",
        ),
        (
            "months = 'soon'",
            r#"in column months: not a value of interval(year_month): expected an object such as {"months":14}, with integers that fit, found "soon""#,
        ),
        ("l > '[1]'", "in column l: the type list<item: int64> does not support >; expected =, != or in"),
        (
            "b = x'xy'",
            r#"in column b: not a value of binary: expected two hexadecimal digits for each byte, found "xy""#,
        ),
        (
            "day = '2023-02-29'",
            r#"in column day: not a value of date32: expected a date such as 2024-02-29, found "2023-02-29""#,
        ),
        (
            "at = 'noon'",
            r#"in column at: not a value of timestamp(ms): expected a timestamp such as 2024-02-29T12:34:56, without a time zone, found "noon""#,
        ),
    ];
    for (text, message) in cases {
        let error = parsed(text).bind(&schema).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let null = Predicate::compare("i", ComparisonOperator::Equal, None::<i32>);
    let error = null.bind(&schema).unwrap_err();
    assert_eq!(error.kind(), &PredicateErrorKind::NullConstant);
    assert_eq!(error.column(), Some("i"));
}

#[test]
fn batches_of_other_types_are_refused() {
    let bound = parsed("id > 5").bind(&Schema::new([Field::new("id", DataType::Int64)])).unwrap();
    let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int32))]).unwrap();
    let error = bound.matches(&batch).unwrap_err();
    assert_eq!(
        error.to_string(),
        "in column id: the column has type int32; the predicate is bound to a column of type int64"
    );
}

/// Constants for times are not rounded to the unit of the column.
#[test]
fn times_compare_with_finer_ones() {
    let column = |data_type: &str, ticks: &[&str]| {
        let mut builder = AnyBuilder::new(&data_type.parse().unwrap());
        ticks.iter().for_each(|tick| append_text(&mut builder, tick).unwrap());
        RecordBatch::try_from_columns([("t", builder.finish_data().unwrap())]).unwrap()
    };
    let seconds = column("time32(s)", &["10:00:00", "10:00:01", "23:59:59"]);
    let microseconds = column("time64(us)", &["10:00:00", "10:00:00.000001"]);
    let durations = column("duration(s)", &["-6", "-5", "5", "6"]);
    for (batch, text, expected) in [
        (&seconds, "t > '10:00:00.5'", "011"),
        (&seconds, "t <= '10:00:00.000000001'", "100"),
        (&seconds, "t = '10:00:00.5'", "000"),
        (&seconds, "t != '10:00:00.5'", "111"),
        (&seconds, "t = '10:00:01.000'", "010"),
        (&seconds, "t < '23:59:59.9999999999'", "111"),
        (&seconds, "t between '09:59:59.9' and '10:00:00.1'", "100"),
        (&microseconds, "t >= '10:00:00.0000001'", "01"),
        (&microseconds, "t in ('10:00:00.0000010', '10:00:00.0000001')", "01"),
        (&durations, "t > 5.5", "0001"),
        (&durations, "t > -5.5", "0111"),
        (&durations, "t <= '5.5 s'", "1110"),
        (&durations, "t = 5.0", "0010"),
        (&durations, "t < 1e30", "1111"),
        (&durations, "t >= '-5.000 s'", "0111"),
    ] {
        assert_eq!(rows(batch, text), expected, "{text}");
    }
    for (batch, text) in [
        (&seconds, "t > '10:00.5'"),
        (&seconds, "t > '25:00:00.5'"),
        (&seconds, "t > '10:00:00.5Z'"),
        (&durations, "t > '5.5 ms'"),
        (&durations, "t > '5.5s'"),
    ] {
        parsed(text).bind(batch.schema()).expect_err(text);
    }
}

/// Decimals may have more digits than their type allows.
#[test]
fn decimals_compare_by_what_they_are() {
    let digits = [999_999_i32, 100, -999_999].map(i32::to_ne_bytes).concat();
    for data_type in ["decimal32(5, 2)", "decimal32(9, 2)"] {
        let data_type: DataType = data_type.parse().unwrap();
        let parts =
            ArrayParts { buffers: [digits.clone().into(), Buffer::new()], ..ArrayParts::new(data_type, 3) };
        let decimals = ArrayData::try_new(parts).unwrap();
        let known = ColumnBounds::from_array(&decimals, 32).unwrap();
        assert!(known.encloses(&known));
        let batch = RecordBatch::try_from_columns([("d", decimals)]).unwrap();
        for (text, expected) in [
            ("d > 1000", "100"),
            ("d < 1000", "011"),
            ("d > 999.99", "100"),
            ("d = 9999.99", "100"),
            ("d in (9999.99, -9999.99)", "101"),
            ("d > 1e20", "000"),
            ("d >= -9999.99", "111"),
            ("d > -9999.99", "110"),
        ] {
            assert_eq!(rows(&batch, text), expected, "{text}");
        }
    }
}

/// The integers of each width have more digits than its greatest precision. The oracle compares them as integers.
#[test]
fn integers_beyond_each_precision_compare_by_what_they_are() {
    fn check<N: NativeDecimal>(type_name: &str, scale: i32, least: N, greatest: N) {
        let type_name = format!("{type_name}, {scale})");
        let number = |text: &str| text.parse::<N>().unwrap_or_else(|_| panic!("{text}"));
        let (least_text, greatest_text) = (least.to_string(), greatest.to_string());
        let next = |text: &str| {
            let (start, last) = text.split_at(text.len() - 1);
            format!("{start}{}", last.parse::<u8>().unwrap() - 1)
        };
        // The greatest integer, the one before it, one with a zero less, and the same below zero.
        let shorter = &greatest_text[..greatest_text.len() - 1];
        let stored =
            [least_text.clone(), next(&least_text), format!("-{shorter}"), "5".into(), shorter.into()]
                .into_iter()
                .chain([next(&greatest_text), greatest_text.clone()]);
        let stored: Vec<N> = stored.map(|text| number(&text)).collect();
        let buffers = [Buffer::from(stored.clone()), Buffer::new()];
        let data_type: DataType = type_name.parse().unwrap();
        let parts = ArrayParts { buffers, ..ArrayParts::new(data_type, stored.len()) };
        let column = ArrayData::try_new(parts).unwrap().validate(Validation::Content).unwrap();
        let batch = RecordBatch::try_from_columns([("c", column.clone())]).unwrap();
        for constant in &stored {
            let slot = stored.iter().position(|value| value == constant).unwrap();
            let scalar = Scalar::try_from_slot(&column, slot).unwrap();
            for comparison in ComparisonOperator::ALL {
                let text = format!("c {comparison} {constant}e{}", -scale);
                let order: String = stored
                    .iter()
                    .map(|value| match comparison {
                        ComparisonOperator::Equal => value == constant,
                        ComparisonOperator::NotEqual => value != constant,
                        ComparisonOperator::Less => value < constant,
                        ComparisonOperator::LessOrEqual => value <= constant,
                        ComparisonOperator::Greater => value > constant,
                        ComparisonOperator::GreaterOrEqual => value >= constant,
                    })
                    .map(|holds| if holds { '1' } else { '0' })
                    .collect();
                assert_eq!(rows(&batch, &text), order, "{type_name}: {text}");
                let by_scalar = Predicate::compare("c", comparison, scalar.clone()).to_string();
                assert_eq!(rows(&batch, &by_scalar), order, "{type_name}: {by_scalar}");
            }
            // Bounds enclose exactly what is between them.
            let bounds = |values: &[N]| {
                let buffers = [Buffer::from(values.to_vec()), Buffer::new()];
                let parts =
                    ArrayParts { buffers, ..ArrayParts::new(column.data_type().clone(), values.len()) };
                ColumnBounds::from_array(&ArrayData::try_new(parts).unwrap(), 64).unwrap()
            };
            for (low, high) in [(least, greatest), (number("5"), greatest), (least, *constant)] {
                let encloses = low <= *constant && *constant <= high;
                assert_eq!(bounds(&[low, high]).encloses(&bounds(&[*constant])), encloses, "{type_name}");
            }
        }
        for (text, expected) in [
            // One more than the greatest, one less than the least, and halves.
            (format!("c > {greatest_text}1e{}", -scale), "0000000"),
            (format!("c <= {greatest_text}0e{}", -scale), "1111111"),
            (format!("c < {least_text}0e{}", -scale), "0000000"),
            (format!("c < {greatest_text}.5e{}", -scale), "1111111"),
            (format!("c < {}.5e{}", next(&greatest_text), -scale), "1111110"),
            (format!("c > {least_text}.5e{}", -scale), "1111111"),
        ] {
            assert_eq!(rows(&batch, &text), expected, "{type_name}: {text}");
        }
    }
    for scale in [0, 2, -3] {
        check("decimal32(9", scale, i32::MIN, i32::MAX);
        check("decimal64(18", scale, i64::MIN, i64::MAX);
        check("decimal128(38", scale, I128::MIN, I128::MAX);
        check("decimal256(76", scale, I256::MIN, I256::MAX);
    }
}

/// A batch of a few bytes can have any number of rows.
#[test]
fn rows_without_bytes_are_bounded() {
    let run = |n_rows: i64| {
        let ends = arrow_array::Int64Array::from_iter([n_rows]).into_data();
        let parts = ArrayParts {
            children: Some(Arc::new([ends, arrow_array::Int8Array::from_iter([1]).into_data()])),
            ..ArrayParts::new(
                DataType::run_end_encoded(RunEndType::Int64, DataType::Int8),
                usize::try_from(n_rows).unwrap(),
            )
        };
        ArrayData::try_new(parts).unwrap()
    };
    let null = |n_rows: i64| NullArray::new(usize::try_from(n_rows).unwrap()).into_data();
    for (n_rows, is_allowed) in [(1 << 20, true), (1 << 40, false)] {
        for (column, text) in
            [(run(n_rows), "c = 1"), (run(n_rows), "c is null"), (null(n_rows), "not c = '1'")]
        {
            let batch = RecordBatch::try_from_columns([("c", column)]).unwrap();
            let found = parsed(text).bind(batch.schema()).unwrap().matches(&batch);
            match found {
                Ok(rows) => assert!(is_allowed && rows.len() == batch.n_rows(), "{text}"),
                Err(error) => {
                    assert!(!is_allowed && error.to_string().contains("268435456"), "{text}: {error}")
                }
            }
        }
    }
}

/// Only the values of runs in the array are compared: an array of a few bytes can have any number of other values.
#[test]
fn only_values_of_runs_are_tested() {
    let ends = arrow_array::Int32Array::from_iter([2, 4, 5, 9]).into_data();
    let runs_of = |values: ArrayData| {
        let data_type = DataType::run_end_encoded(RunEndType::Int32, values.data_type().clone());
        let children: Option<Arc<[ArrayData]>> = Some(Arc::new([ends.clone(), values]));
        ArrayData::try_new(ArrayParts { children, ..ArrayParts::new(data_type, 9) }).unwrap()
    };
    let column = |column: ArrayData| RecordBatch::try_from_columns([("c", column)]).unwrap();
    let nulls = column(runs_of(NullArray::new(1 << 40).into_data()));
    assert_eq!(rows(&nulls, "c = 'x' or c is null"), "111111111");
    assert_eq!(rows(&nulls, "c = 'x' or not c = 'x'"), "000000000");
    // Slices may start and end inside of runs.
    let numbers = runs_of(Int64Array::from_iter([Some(7), Some(8), None, Some(7)]).into_data());
    for start in 0..=9 {
        for end in start..=9 {
            let batch = column(numbers.slice(start, end - start));
            assert_eq!(rows(&batch, "c = 7"), &"110001111"[start..end], "{start}..{end}");
            assert_eq!(rows(&batch, "c is null"), &"000010000"[start..end], "{start}..{end}");
            assert_eq!(rows(&batch, "not c = 7"), &"001100000"[start..end], "{start}..{end}");
        }
    }
}

/// Many constants in any order are sorted as numbers.
#[test]
fn many_constants_are_found() {
    let numbers = (0..20_000_i64).map(|k| (k * 7_919 % 20_000 * 2 - 20_000).to_string());
    let listed = numbers.chain(["'NaN'".to_owned(), "-1e2".to_owned()]).collect::<Vec<_>>().join(", ");
    let floats =
        Float64Array::from_iter([-20_002.0, -20_000.0, -1.0, 0.0, 2.0, 19_998.0, 20_000.0, f64::NAN]);
    let batch = RecordBatch::try_from_columns([("c", floats.into_data())]).unwrap();
    assert_eq!(rows(&batch, &format!("c in ({listed})")), "01011101");
    let integers = Int64Array::from_iter([-20_002, -20_000, -1, 0, 2, 19_998, 20_000]);
    let batch = RecordBatch::try_from_columns([("c", integers.into_data())]).unwrap();
    assert_eq!(rows(&batch, &format!("c in ({})", listed.replace("'NaN', ", ""))), "0101110");
}

/// The rows as text: 1 if the row matches, otherwise 0.
fn rows(batch: &RecordBatch, text: &str) -> String {
    let bound = parsed(text).bind(batch.schema()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let rows = bound.matches(batch).unwrap_or_else(|error| panic!("{text}: {error}"));
    rows.iter().map(|row| if row { '1' } else { '0' }).collect()
}

#[test]
fn nulls_and_numbers_that_are_not_there() {
    let ids = Int64Array::from_iter([Some(-2), Some(-1), None, Some(0), Some(1), Some(2)]);
    let nan = Float64Array::from_iter([
        Some(f64::NAN),
        Some(-0.0),
        Some(0.0),
        None,
        Some(f64::INFINITY),
        Some(-1.5),
    ]);
    let texts =
        Utf8Array::try_from_iter([Some("a"), Some(""), None, Some("a%b"), Some("äb"), Some("b")]).unwrap();
    let columns = [("i", ids.into_data()), ("f", nan.into_data()), ("s", texts.into_data())];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let cases = [
        ("i > 0", "000011"),
        ("not i > 0", "110100"),
        ("i > 0 or i is null", "001011"),
        ("i > 0.5", "000011"),
        ("i >= 0.5", "000011"),
        ("i < 0.5", "110100"),
        ("i = 0.5", "000000"),
        ("i != 0.5", "110111"),
        ("i > -1.5", "010111"),
        ("i <= -1.5", "100000"),
        ("i < 99999999999999999999", "110111"),
        ("i > -99999999999999999999", "110111"),
        ("i = 1e400000000000000000000", "000000"),
        ("i = 1e0", "000010"),
        ("i = 10e-1", "000010"),
        ("i in (1, 1.5, 2, 99999999999999999999)", "000011"),
        ("i not in (1, 2)", "110100"),
        ("i in ()", "000000"),
        ("i not in ()", "110111"),
        ("f = 0", "011000"),
        ("f > 5", "100010"),
        ("f >= 'NaN'", "100000"),
        ("f = 'NaN'", "100000"),
        ("f != 'NaN'", "011011"),
        ("f < 'NaN'", "011011"),
        ("f <= 'NaN'", "111011"),
        ("f > 'NaN'", "000000"),
        ("f in ('NaN', 0)", "111000"),
        ("f < 1e999", "011001"),
        ("f > -1e999", "111011"),
        ("f < '1e999'", "011001"),
        ("f = '-Infinity'", "000000"),
        ("'b' <= s", "000011"),
        ("'a' = s", "100000"),
        ("f between -2 and 0", "011001"),
        ("s like 'a%'", "100100"),
        ("s like 'a\\%_'", "000100"),
        ("s like '_'", "100001"),
        ("s like '__'", "000010"),
        ("s not like '%b'", "110000"),
        ("s >= 'a'", "100111"),
        ("s = ''", "010000"),
        ("s is null and i is null", "001000"),
        // If one side is null, the other side may still decide.
        ("i > 0 and s = 'x'", "000000"),
        ("not (i > 0 and s = 'x')", "110111"),
    ];
    for (text, expected) in cases {
        if !expected.is_empty() {
            assert_eq!(rows(&batch, text), expected, "{text}");
        }
    }
}
