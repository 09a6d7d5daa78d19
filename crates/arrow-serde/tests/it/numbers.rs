//! Numbers keep their values: whatever a type cannot hold is an error, and floating-point numbers are rounded once.

use std::fmt::Debug;

use arrow_serde::{to_batch, try_from_batch};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{json, schema};

#[derive(Debug, Serialize, Deserialize)]
struct Row<T> {
    v: T,
}

/// Writes a value to a column. Returns it as in JSON, or the error.
fn written(data_type: &str, v: impl Serialize) -> String {
    match to_batch(schema(&format!("v: {data_type}")), [Row { v }]) {
        Ok(batch) => json(&batch).trim_end().trim_start_matches("{\"v\":").trim_end_matches('}').to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Writes a value, and reads it as another type.
fn read<T: DeserializeOwned>(data_type: &str, v: impl Serialize) -> Result<T, String> {
    let batch = to_batch(schema(&format!("v: {data_type}")), [Row { v }]).expect(data_type);
    let row = try_from_batch::<Row<T>>(&batch).expect("it is valid").next().expect("there is a row");
    row.map(|row| row.v).map_err(|error| error.to_string())
}

fn refused<T: DeserializeOwned + Debug>(data_type: &str, v: impl Serialize, found: &str) {
    let name = std::any::type_name::<T>();
    let error = read::<T>(data_type, v).expect_err(data_type);
    assert_eq!(error, format!("rows[0].v: invalid value: {found}, expected {name}"), "{data_type}");
}

#[test]
fn integers_are_read_as_equal_floating_point_numbers() {
    const LIMIT: i64 = 1 << 53;
    for data_type in ["int64", "dictionary<int8, int64>", "duration(s)"] {
        assert_eq!(read(data_type, LIMIT), Ok(LIMIT as f64), "{data_type}");
        assert_eq!(read(data_type, -LIMIT - 2), Ok(-(LIMIT as f64) - 2.0), "{data_type}");
        refused::<f64>(data_type, LIMIT + 1, "integer `9007199254740993`");
        refused::<f64>(data_type, -LIMIT - 1, "integer `-9007199254740993`");
        refused::<f64>(data_type, i64::MAX, "integer `9223372036854775807`");
        refused::<f32>(data_type, LIMIT + 1, "integer `9007199254740993`");
    }
    assert_eq!(read("int64", i64::MIN), Ok(i64::MIN as f64));
    assert_eq!(read("int64", i64::MIN), Ok(i64::MIN as f32));
    refused::<f64>("uint64", u64::MAX, "integer `18446744073709551615`");
    assert_eq!(read("uint64", 1_u64 << 63), Ok((1_u64 << 63) as f64));
    refused::<f32>("int32", 16_777_217, "integer `16777217`");
    refused::<f32>("uint32", u32::MAX, "integer `4294967295`");
    assert_eq!(read("int32", 16_777_218), Ok(16_777_218_f32));
    assert_eq!((read("int16", -5), read("uint8", 5)), (Ok(-5_f32), Ok(5_f64)));
}

#[test]
fn floating_point_numbers_are_rounded_but_stay_finite() {
    refused::<f32>("float64", 1e300, "number `1e300`");
    refused::<f32>("float64", -1e39, "number `-1e39`");
    assert_eq!((read("float64", 0.1), read("float64", 1e-300)), (Ok(0.1_f32), Ok(0_f32)));
    assert_eq!(read("float64", f64::from(f32::MAX)), Ok(f32::MAX));
    assert_eq!(read("float64", f64::NEG_INFINITY), Ok(f32::NEG_INFINITY));
    assert!(
        read::<f32>("run_end_encoded<run_ends: int32 not null, values: float64>", f64::NAN)
            .is_ok_and(f32::is_nan)
    );
    assert_eq!((read("float32", 0.1_f32), read("float16", 0.5)), (Ok(f64::from(0.1_f32)), Ok(0.5_f64)));
    assert_eq!(read("dictionary<int8, float64>", 0.1), Ok(0.1_f64));
    assert_eq!(written("float16", 2_049.000_000_000_1), "2050.0");
    assert_eq!(written("float32", 0.1), "0.1");
}

#[test]
fn decimals_are_rounded_once() {
    let above_middle = "1.000000059604644775390625000001";
    assert_eq!(read("decimal256(76, 40)", above_middle), Ok(1.000_000_1_f32));
    assert_eq!(read("decimal256(76, 40)", "1.000000059604644775390625"), Ok(1_f32));
    assert_eq!(read("decimal256(76, 40)", above_middle), Ok(1.000_000_059_604_644_8_f64));
    assert_eq!(read("decimal64(5, 1)", "1.5"), Ok(1.5_f32));
    assert_eq!(read("decimal64(5, -3)", "12000"), Ok(12_000_f64));
    assert_eq!(read("decimal64(5, 2000)", "12e-2000"), Ok(0_f64));
    refused::<f64>("decimal64(5, -2000)", "12e2000", "number `12e2000`");
    let large = "9999999999999999999999999999999999999999999999";
    refused::<f32>("decimal256(76, 0)", large, &format!("number `{large}`"));
    assert_eq!(read("decimal256(76, 0)", large), Ok(1e46_f64));
}

#[test]
fn large_decimals_are_read_as_the_integers_they_were() {
    for number in [0, 1 << 64, 1 << 127, u128::MAX] {
        assert_eq!(read("decimal256(76, 0)", number), Ok(number));
        assert_eq!(read("decimal256(76, 5)", number), Ok(number));
    }
    assert_eq!(read("decimal256(76, 2)", i128::MIN), Ok(i128::MIN));
    let error = read::<i64>("decimal256(76, 0)", u128::MAX).expect_err("it is large");
    assert!(error.contains("invalid type: integer `340282366920938463463374607431768211455`"), "{error}");
    let error = read::<u128>("decimal256(76, 0)", format!("{}0", u128::MAX)).expect_err("it is larger");
    assert!(error.contains("invalid type: string"), "{error}");
}

#[test]
fn integers_are_written_as_equal_floating_point_numbers() {
    let refused = |data_type: &str, number: &dyn ToString, found: String| {
        assert_eq!(found, format!("rows[0].v: {} does not fit into {data_type}", number.to_string()));
    };
    // Just above the middle of two numbers of 32 bits, and less than 64 bits can tell.
    let above_middle = (16_777_217_i64 << 30) + 1;
    for data_type in ["float32", "float64", "float16"] {
        refused(data_type, &u64::MAX, written(data_type, u64::MAX));
        refused(data_type, &i128::MAX, written(data_type, i128::MAX));
        refused(data_type, &u128::MAX, written(data_type, u128::MAX));
        refused(data_type, &((1_u128 << 127) + 1), written(data_type, (1_u128 << 127) + 1));
        refused(data_type, &((1_i64 << 53) + 1), written(data_type, (1_i64 << 53) + 1));
    }
    refused("float32", &above_middle, written("float32", above_middle));
    refused("float32", &above_middle, written("float32", i128::from(above_middle)));
    refused("float32", &16_777_217, written("float32", 16_777_217));
    refused("float16", &2_049, written("float16", 2_049));
    refused("float16", &65_520, written("float16", 65_520));
    assert_eq!(read("float16", 65_504), Ok(65_504_f32));
    assert_eq!(written("float32", -16_777_218), "-16777218.0");
    assert_eq!(written("float64", 1_i64 << 60), "1.152921504606847e18");
    for number in [1_u128 << 127, 3 << 126] {
        assert_eq!(read("float64", number), Ok(number as f64));
        assert_eq!(read("float32", number), Ok(number as f32));
    }
    assert_eq!(read("float32", i128::MIN), Ok(i128::MIN as f32));
}

#[test]
fn integers_are_times_of_a_day_and_whole_days() {
    let cases = [
        ("time32(s)", 86_400),
        ("time32(ms)", 86_400_000),
        ("time64(us)", 86_400_000_000),
        ("time64(ns)", 86_400_000_000_000),
    ];
    for (data_type, end) in cases {
        assert_eq!(read(data_type, end - 1), Ok(end - 1), "{data_type}");
        assert_eq!(read(data_type, 0), Ok(0), "{data_type}");
        for number in [-1, end, i64::MAX] {
            let expected = format!("rows[0].v: {number} does not fit into {data_type}");
            assert_eq!(written(data_type, number), expected);
        }
    }
    assert_eq!(read("date64", -86_400_000), Ok(-86_400_000));
    assert_eq!(written("date64", 1), "rows[0].v: 1 does not fit into date64");
    assert_eq!(written("date64", i128::MAX), format!("rows[0].v: {} does not fit into date64", i128::MAX));
}

#[test]
fn text_may_be_outside_a_day() {
    // As in JSON rows, so that values that some producers store can be written again.
    assert_eq!(read("time32(s)", "86400"), Ok(86_400));
    assert_eq!(read("date64", "1970-01-01T00:00:00.001"), Ok(1));
}
