//! The table in the documentation of the crate: for each type, the values that can be written and the types that can be read.

use std::{collections::BTreeMap, fmt::Debug};

use arrow_data::RecordBatch;
use arrow_schema::Schema;
use arrow_serde::{to_batch, try_from_batch};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::dynamic::DynamicValue;

#[derive(Serialize, Deserialize)]
struct Row<T> {
    c: T,
}

fn written<T: Serialize>(data_type: &str, value: T) -> RecordBatch {
    let schema: Schema = format!("c: {data_type}").parse().expect(data_type);
    to_batch(schema, [Row { c: value }]).unwrap_or_else(|error| panic!("{data_type}: {error}"))
}

fn check_read<T: DeserializeOwned + PartialEq + Debug>(batch: &RecordBatch, expected: T) {
    let data_type = batch.columns()[0].data_type();
    let mut rows = try_from_batch::<Row<T>>(batch).expect("it is valid");
    let row = rows.next().expect("one row").unwrap_or_else(|error| panic!("{data_type}: {error}"));
    assert_eq!(row.c, expected, "{data_type}");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Color {
    Red,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Point {
    x: i64,
    y: i64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    #[serde(rename = "number")]
    Number(i64),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Months {
    months: i32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Days {
    days: i32,
    milliseconds: i32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Nanoseconds {
    months: i32,
    days: i32,
    nanoseconds: i64,
}

fn map<V>(entries: impl IntoIterator<Item = (&'static str, V)>) -> BTreeMap<String, V> {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// For each type: what is written, and as what it is read.
macro_rules! pairs {
    ($($data_type:expr, [$($written:expr),+] => [$($read:expr),+];)+) => {$(
        for data_type in $data_type {
            let mut batches = Vec::new();
            $(batches.push(written(data_type, $written));)+
            for batch in &batches {
                $(check_read(batch, $read);)+
            }
        }
    )+};
}

#[test]
fn types_are_written_and_read_as_the_table_says() {
    let text = || "ada".to_owned();
    let bytes = || vec![0xfb_u8, 0x01];
    pairs! {
        ["null"], [(), None::<i32>, Unit] => [(), None::<i32>, Unit];
        ["bool"], [true] => [true, Some(true)];
        ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
            [5_i8, 5_u16, 5_i32, 5_u64, 5_i128] => [5_i8, 5_u16, 5_i64, 5_u64, 5_f32, 5_f64];
        ["float16", "float32", "float64"], [2_u8, 2_f32, 2_f64] => [2_f32, 2_f64];
        ["decimal32(5, 2)", "decimal64(9, 2)", "decimal128(20, 2)", "decimal256(40, 2)"],
            ["7", "7.00", 7_i64] => ["7.00".to_owned(), 7_i32, 7_u64, 7_f64];
        ["date32"], ["2024-02-29", 19_782_i32] => ["2024-02-29".to_owned(), 19_782_i64];
        ["date64"], ["2024-02-29", 1_709_164_800_000_i64] => ["2024-02-29".to_owned(), 1_709_164_800_000_i64];
        ["time32(s)"], ["01:00:05", 3_605_u16] => ["01:00:05".to_owned(), 3_605_u32];
        ["timestamp(s)"], ["2024-02-29T00:00:00", 1_709_164_800_i64] => [1_709_164_800_i64];
        ["duration(ms)"], [1_500_i64, 1_500_u16] => [1_500_i32, 1_500_u64];
        ["interval(year_month)"], [Months { months: 14 }, map([("months", 14)]), 14_i8]
            => [Months { months: 14 }, map([("months", 14_i64)]), 14_i32];
        ["interval(day_time)"], [Days { days: 1, milliseconds: 2 }] => [Days { days: 1, milliseconds: 2 }];
        ["interval(month_day_nano)"], [Nanoseconds { months: 1, days: 2, nanoseconds: 3 }]
            => [Nanoseconds { months: 1, days: 2, nanoseconds: 3 }];
        ["utf8", "large_utf8", "utf8_view"], ["ada", text()] => [text(), Some(text())];
        ["utf8", "utf8_view"], ['r', "r"] => ['r', "r".to_owned()];
        ["utf8", "dictionary<int8, utf8>"], [Color::Red, "Red"] => [Color::Red, "Red".to_owned()];
        ["binary", "large_binary", "binary_view", "fixed_size_binary(2)"],
            [DynamicValue::Bytes(bytes()), bytes(), [0xfb_u8, 0x01], "fb01"]
            => [DynamicValue::Bytes(bytes()), bytes(), [0xfb_u8, 0x01], "fb01".to_owned()];
        [
            "list<item: int64>", "large_list<item: int64>", "list_view<item: int64>",
            "large_list_view<item: int64>", "fixed_size_list<item: int64; 2>",
        ], [vec![1, 2], [1_i64, 2], (1_i32, 2_u8)] => [vec![1_i64, 2], [1_i32, 2], (1_i64, 2_u8)];
        ["struct<x: int64, y: int64>"], [Point { x: 1, y: 2 }, map([("x", 1), ("y", 2)]), (1, 2)]
            => [Point { x: 1, y: 2 }, map([("x", 1_i64), ("y", 2)]), (1_i64, 2_i64)];
        ["map<entries: struct<key: utf8 not null, value: int64> not null>"], [map([("x", 1), ("y", 2)]), Point { x: 1, y: 2 }]
            => [map([("x", 1_i64), ("y", 2)]), Point { x: 1, y: 2 }, vec![("x".to_owned(), 1), ("y".to_owned(), 2)]];
        ["dense_union<0=number: int64>", "sparse_union<0=number: int64>"],
            [Shape::Number(3), map([("number", 3)])] => [Shape::Number(3), map([("number", 3_i64)])];
        ["dictionary<int8, int64>", "run_end_encoded<run_ends: int32 not null, values: int64>"],
            [5_u8, 5_i64] => [5_i64, Some(5_u8)];
    }
}
