//! Each row of the table in `NOTATION.md`, for an array of such values.

use std::sync::Arc;

use arrow_array::*;
use arrow_buffer::{Bitmap, Buffer, F16, I128, I256, IntervalDayTime, IntervalMonthDayNano};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{
    DataType, Field, IndexType, RunEndType, Schema, Time32Unit, Time64Unit, TimeUnit, TypeError, UnionMode,
};
use arrow_text::*;

/// Checks the JSON of each value of an array.
fn check(array: impl Into<ArrayData>, expected: &[&str]) {
    let array = array.into();
    let column = ColumnText::try_new(&array, TextStyle::Json)
        .unwrap_or_else(|error| panic!("{}: {error}", array.data_type()));
    let values: Vec<String> = column.iter().map(|value| value.to_string()).collect();
    assert_eq!(values, expected, "{}", array.data_type());
}

fn make(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).expect("the parts fit")
}

fn timed<T: PrimitiveType>(data_type: DataType, values: &[T::Native]) -> PrimitiveArray<T> {
    PrimitiveArray::try_new(data_type, values.to_vec(), None).expect("the type fits")
}

#[test]
fn plain_values() {
    check(NullArray::new(2), &["null", "null"]);
    check(BooleanArray::from_iter([Some(true), Some(false), None]), &["true", "false", "null"]);
    check(Int8Array::from_iter([i8::MIN, i8::MAX]), &["-128", "127"]);
    check(Int16Array::from_iter([i16::MIN, 0]), &["-32768", "0"]);
    check(Int32Array::from_iter([Some(i32::MIN), None]), &["-2147483648", "null"]);
    check(Int64Array::from_iter([i64::MIN, i64::MAX]), &["-9223372036854775808", "9223372036854775807"]);
    check(UInt8Array::from_iter([u8::MAX]), &["255"]);
    check(UInt16Array::from_iter([u16::MAX]), &["65535"]);
    check(UInt32Array::from_iter([u32::MAX]), &["4294967295"]);
    check(UInt64Array::from_iter([u64::MAX, 0]), &["18446744073709551615", "0"]);
}

#[test]
fn floating_point() {
    check(
        Float64Array::from_iter([1.0, -0.0, 0.1, 1e30, 1e-5, 0.0001, 1e15, 1e16, f64::MIN_POSITIVE]),
        &[
            "1.0",
            "-0.0",
            "0.1",
            "1e30",
            "1e-5",
            "0.0001",
            "1000000000000000.0",
            "1e16",
            "2.2250738585072014e-308",
        ],
    );
    check(
        Float64Array::from_iter([f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
        &["\"NaN\"", "\"NaN\"", "\"Infinity\"", "\"-Infinity\""],
    );
    check(
        Float32Array::from_iter([0.1, f32::MAX, 16777216.0, f32::INFINITY]),
        &["0.1", "3.4028235e38", "16777216.0", "\"Infinity\""],
    );
    check(
        Float16Array::from_iter([0x3c00, 0x2e66, 0x7bff, 0x0001, 0x8000, 0x7c00, 0xfe00].map(F16::from_bits)),
        &["1.0", "0.1", "65500.0", "6e-8", "-0.0", "\"Infinity\"", "\"NaN\""],
    );
}

#[test]
fn decimals() -> Result<(), TypeError> {
    check(
        timed::<Decimal32Type>(DataType::decimal32(9, 2)?, &[12345, -5, 0]),
        &["\"123.45\"", "\"-0.05\"", "\"0.00\""],
    );
    check(timed::<Decimal64Type>(DataType::decimal64(18, -2)?, &[5, 0]), &["\"500\"", "\"0\""]);
    check(timed::<Decimal128Type>(DataType::decimal128(38, 0)?, &[I128::from(123_i128)]), &["\"123\""]);
    check(
        timed::<Decimal256Type>(DataType::decimal256(76, 76)?, &[I256::MAX, I256::MIN]),
        &[
            "\"5.7896044618658097711785492504343953926634992332820282019728792003956564819967\"",
            "\"-5.7896044618658097711785492504343953926634992332820282019728792003956564819968\"",
        ],
    );
    check(timed::<Decimal32Type>(DataType::decimal32(9, i32::MAX)?, &[9]), &["\"9e-2147483647\""]);
    Ok(())
}

#[test]
fn times() {
    const DAY: i64 = 86_400_000;
    check(
        Date32Array::from_iter([0, -1, 19_782, 2_932_897, -719_529]),
        &["\"1970-01-01\"", "\"1969-12-31\"", "\"2024-02-29\"", "\"+010000-01-01\"", "\"-000001-12-31\""],
    );
    check(Date64Array::from_iter([-DAY, DAY - 1]), &["\"1969-12-31\"", "\"1970-01-01T23:59:59.999\""]);
    check(
        timed::<Time32Type>(DataType::Time32(Time32Unit::Second), &[0, 86_399, 86_400, -1]),
        &["\"00:00:00\"", "\"23:59:59\"", "86400", "-1"],
    );
    check(timed::<Time32Type>(DataType::Time32(Time32Unit::Millisecond), &[1]), &["\"00:00:00.001\""]);
    check(timed::<Time64Type>(DataType::Time64(Time64Unit::Microsecond), &[1]), &["\"00:00:00.000001\""]);
    check(timed::<Time64Type>(DataType::Time64(Time64Unit::Nanosecond), &[1]), &["\"00:00:00.000000001\""]);
    let timestamps = [
        (DataType::timestamp(TimeUnit::Second), "\"1969-12-31T23:59:59\""),
        (DataType::timestamp(TimeUnit::Millisecond), "\"1969-12-31T23:59:59.999\""),
        (DataType::timestamp(TimeUnit::Microsecond), "\"1969-12-31T23:59:59.999999\""),
        (DataType::timestamp(TimeUnit::Nanosecond), "\"1969-12-31T23:59:59.999999999\""),
        (DataType::timestamp_with_zone(TimeUnit::Second, "Asia/Tokyo"), "\"1969-12-31T23:59:59Z\""),
        (DataType::timestamp_with_zone(TimeUnit::Second, ""), "\"1969-12-31T23:59:59\""),
    ];
    for (data_type, timestamp) in timestamps {
        check(timed::<TimestampType>(data_type, &[-1]), &[timestamp]);
    }
    check(timed::<DurationType>(DataType::Duration(TimeUnit::Nanosecond), &[-1500]), &["-1500"]);
    check(IntervalYearMonthArray::from_iter([14]), &["{\"months\":14}"]);
    let day_time = IntervalDayTime { days: 1, milliseconds: -500 };
    check(
        IntervalDayTimeArray::from_iter([Some(day_time), None]),
        &["{\"days\":1,\"milliseconds\":-500}", "null"],
    );
    let month_day_nano = IntervalMonthDayNano { months: 1, days: -2, nanoseconds: i64::MIN };
    check(
        IntervalMonthDayNanoArray::from_iter([month_day_nano]),
        &["{\"months\":1,\"days\":-2,\"nanoseconds\":-9223372036854775808}"],
    );
}

#[test]
fn strings() -> Result<(), ArrayError> {
    let bytes = [Some(b"\x00\xff".as_slice()), None, Some(b"")];
    let hex = ["\"00ff\"", "null", "\"\""];
    check(BinaryArray::try_from_iter(bytes)?, &hex);
    check(LargeBinaryArray::from_iter(bytes), &hex);
    check(BinaryViewArray::from_iter(bytes), &hex);
    check(BinaryViewArray::from_iter([[0xab_u8; 13].as_slice()]), &["\"ababababababababababababab\""]);
    let fixed = make(ArrayParts {
        validity: Some(Bitmap::from_iter([true, false])),
        buffers: [Buffer::copy_from(b"\x01\x02\x03\x04"), Buffer::new()],
        ..ArrayParts::new(DataType::FixedSizeBinary(2.into()), 2)
    });
    check(fixed, &["\"0102\"", "null"]);
    check(make(ArrayParts::new(DataType::FixedSizeBinary(0.into()), 2)), &["\"\"", "\"\""]);

    let text = [Some("grüße, a text that is long"), None, Some(""), Some("\"\\\n\u{7f}\u{85}")];
    let json = ["\"grüße, a text that is long\"", "null", "\"\"", r#""\"\\\n\u007f\u0085""#];
    check(Utf8Array::try_from_iter(text)?, &json);
    check(LargeUtf8Array::from_iter(text), &json);
    check(Utf8ViewArray::from_iter(text), &json);
    Ok(())
}

#[test]
fn lists() -> Result<(), TypeError> {
    let items = || Some([Int32Array::from_iter([Some(1), None, Some(3)]).into_data()].into());
    let item = || Field::new("item", DataType::Int32);
    let validity = || Some(Bitmap::from_iter([true, true, false]));
    let offsets = [Buffer::from(vec![0, 2, 2, 3]), Buffer::new()];
    let wide = [Buffer::from(vec![0_i64, 2, 2, 3]), Buffer::new()];
    let views = [Buffer::from(vec![1, 0, 0]), Buffer::from(vec![2, 0, 1])];
    let wide_views = [Buffer::from(vec![1_i64, 0, 0]), Buffer::from(vec![2_i64, 0, 1])];
    let cases = [
        (DataType::list(item()), offsets, ["[1,null]", "[]", "null"]),
        (DataType::large_list(item()), wide, ["[1,null]", "[]", "null"]),
        (DataType::list_view(item()), views, ["[null,3]", "[]", "null"]),
        (DataType::large_list_view(item()), wide_views, ["[null,3]", "[]", "null"]),
        (DataType::fixed_size_list(item(), 1)?, Default::default(), ["[1]", "[null]", "null"]),
        (DataType::fixed_size_list(item(), 0)?, Default::default(), ["[]", "[]", "null"]),
    ];
    for (data_type, buffers, expected) in cases {
        let parts =
            ArrayParts { validity: validity(), buffers, children: items(), ..ArrayParts::new(data_type, 3) };
        check(make(parts), &expected);
    }
    Ok(())
}

#[test]
fn names() -> Result<(), TypeError> {
    let columns = || -> Option<Arc<[ArrayData]>> {
        Some(
            [Int32Array::from_iter([1, 2]).into_data(), Utf8ViewArray::from_iter(["a", "b"]).into_data()]
                .into(),
        )
    };
    let validity = || Some(Bitmap::from_iter([true, false]));
    let fields =
        |names: [&str; 2]| [Field::new(names[0], DataType::Int32), Field::new(names[1], DataType::Utf8View)];
    for (names, expected) in [
        (["x", "y"], r#"{"x":1,"y":"a"}"#),
        (["x", "x"], r#"[["x",1],["x","a"]]"#),
        (["", "\"\n"], r#"{"":1,"\"\n":"a"}"#),
    ] {
        let data_type = DataType::struct_(fields(names));
        let parts = ArrayParts { validity: validity(), children: columns(), ..ArrayParts::new(data_type, 2) };
        check(make(parts), &[expected, "null"]);
    }
    check(make(ArrayParts::new(DataType::struct_([]), 1)), &["{}"]);

    for (names, mode, expected) in [
        (["x", "y"], UnionMode::Sparse, [r#"{"y":"a"}"#, r#"{"x":2}"#]),
        (["x", "x"], UnionMode::Sparse, [r#"[9,"a"]"#, "[5,2]"]),
        (["x", "y"], UnionMode::Dense, [r#"{"y":"b"}"#, r#"{"x":1}"#]),
    ] {
        let [number, text] = fields(names);
        let data_type = DataType::union(mode, [(5, number), (9, text)])?;
        let offsets = if mode == UnionMode::Dense { Buffer::from(vec![1_i32, 0]) } else { Buffer::new() };
        let buffers = [Buffer::from(vec![9_i8, 5]), offsets];
        check(make(ArrayParts { buffers, children: columns(), ..ArrayParts::new(data_type, 2) }), &expected);
    }
    Ok(())
}

#[test]
fn maps() {
    let keys = Utf8ViewArray::from_iter(["a", "b", "a"]).into_data();
    let values = Int32Array::from_iter([Some(1), None, Some(3)]).into_data();
    let data_type =
        DataType::map(Field::new("key", DataType::Utf8View), Field::new("value", DataType::Int32));
    let entries_type = data_type.children()[0].data_type().clone();
    let entries =
        make(ArrayParts { children: Some([keys, values].into()), ..ArrayParts::new(entries_type, 3) });
    let maps = make(ArrayParts {
        validity: Some(Bitmap::from_iter([true, true, false])),
        buffers: [Buffer::from(vec![0, 2, 2, 3]), Buffer::new()],
        children: Some([entries].into()),
        ..ArrayParts::new(data_type, 3)
    });
    check(maps, &[r#"[["a",1],["b",null]]"#, "[]", "null"]);
}

#[test]
fn encoded() -> Result<(), TypeError> {
    let values = Utf8ViewArray::from_iter([Some("red"), None]).into_data();
    let keys = UInt8Array::from_iter([Some(1), None, Some(0)]).into_data();
    let dictionary = make(ArrayParts {
        data_type: DataType::dictionary(IndexType::UInt8, DataType::Utf8View)?,
        dictionary: Some(values.clone().into()),
        ..keys.into_parts()
    });
    check(dictionary, &["null", "null", "\"red\""]);

    let run_ends = Int16Array::from_iter([2, 3]).into_data();
    let runs = make(ArrayParts {
        children: Some([run_ends, values].into()),
        ..ArrayParts::new(DataType::run_end_encoded(RunEndType::Int16, DataType::Utf8View), 3)
    });
    check(runs.clone(), &["\"red\"", "\"red\"", "null"]);
    check(runs.slice(1, 2), &["\"red\"", "null"]);
    Ok(())
}

#[test]
fn rows() -> Result<(), Box<dyn std::error::Error>> {
    let column = || ArrayData::from(Int32Array::from_iter([1, 2]));
    let lines = |batch: &RecordBatch| -> Result<String, Box<dyn std::error::Error>> {
        let mut out = Vec::new();
        JsonRows::try_new(batch)?.write_to(&mut out)?;
        Ok(String::from_utf8(out)?)
    };
    let batch = RecordBatch::try_from_columns([("a", column()), ("b", column())])?;
    assert_eq!(lines(&batch)?, "{\"a\":1,\"b\":1}\n{\"a\":2,\"b\":2}\n");
    let batch = RecordBatch::try_from_columns([("a", column()), ("a", column())])?;
    assert_eq!(lines(&batch)?, "[[\"a\",1],[\"a\",1]]\n[[\"a\",2],[\"a\",2]]\n");
    let batch = RecordBatch::try_new_with_rows(Schema::default(), [], 2)?;
    assert_eq!(lines(&batch)?, "{}\n{}\n");
    Ok(())
}

#[test]
fn writing_passes_large_values_and_errors_on() {
    /// Accepts a number of bytes, then fails.
    struct LimitedSink(usize);

    impl std::io::Write for LimitedSink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let long = "x".repeat(200_000);
    let texts = ["a", &long, "b"].repeat(3);
    let batch =
        RecordBatch::try_from_columns([("t", Utf8ViewArray::from_iter(&texts).into())]).expect("one column");
    let rows = JsonRows::try_new(&batch).expect("it is valid");
    let mut out = Vec::new();
    rows.write_to(&mut out).expect("memory takes all");
    let expected: String = texts.iter().map(|text| format!("{{\"t\":\"{text}\"}}\n")).collect();
    assert_eq!(String::from_utf8(out).as_deref(), Ok(expected.as_str()));
    for n_bytes in [0, 10, 100_000, expected.len() - 1] {
        let error = rows.write_to(&mut LimitedSink(n_bytes)).expect_err("there is not enough room");
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }
    assert!(rows.write_to(&mut LimitedSink(expected.len())).is_ok());
}

#[test]
fn rows_and_values_are_iterated_from_both_ends() {
    let ids = Int64Array::from_iter([5, 6, 7, 8]);
    let column = ColumnText::try_new(ids.data(), TextStyle::Json).expect("it is valid");
    let batch = RecordBatch::try_from_columns([("id", ids.into())]).expect("one column");
    let rows = JsonRows::try_new(&batch).expect("it is valid");

    let (mut column_values, mut row_values) = (column.iter(), rows.iter());
    for (step, expected) in ["8", "6", "7"].into_iter().enumerate() {
        let (value, row) = match step {
            0 => (column_values.next_back(), row_values.next_back()),
            1 => (column_values.nth(1), row_values.nth(1)),
            _ => (column_values.next(), row_values.next()),
        };
        assert_eq!(value.expect("a value").to_string(), expected);
        assert_eq!(row.expect("a row").to_string(), format!("{{\"id\":{}}}", expected));
        let n_left = [3, 1, 0][step];
        assert_eq!((column_values.len(), row_values.len()), (n_left, n_left));
    }
    assert!(column_values.next().is_none() && row_values.next_back().is_none());
    let (mut n_values, mut n_rows) = (0, 0);
    for _ in &column {
        n_values += 1;
    }
    for _ in &rows {
        n_rows += 1;
    }
    assert_eq!((n_values, n_rows), (4, 4));
}

/// Text of times may be outside a day. Other numbers of a builder are checked, whatever text it has read.
#[test]
fn text_does_not_change_what_else_is_checked() {
    let built = |data_type: &str, text: &str, number: i128| {
        let mut builder = AnyBuilder::new(&data_type.parse().unwrap());
        append_text(&mut builder, text).unwrap();
        match &mut builder {
            AnyBuilder::Decimal128(decimals) => decimals.append(number),
            AnyBuilder::Time32(times) => times.append(i32::try_from(number).unwrap()),
            _ => unreachable!("no other type is built"),
        }
        builder.finish().map(|array| array.len())
    };
    assert!(built("decimal128(5, 2)", "1.00", 100_000).is_err());
    assert_eq!(built("decimal128(5, 2)", "1.00", 99_999).unwrap(), 2);
    assert_eq!(built("time32(s)", "86400", -1).unwrap(), 2);
}
