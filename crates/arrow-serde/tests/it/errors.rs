//! Errors of rows. A failed row leaves no values.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use arrow_serde::{RowWriter, to_batch, try_from_batch};
use serde::{Deserialize, Serialize, Serializer};

use crate::{json, schema};

#[derive(Serialize)]
struct Row<T> {
    id: u8,
    value: T,
}

/// The error of writing `bad` after `good`.
fn error_of<T: Serialize>(data_type: &str, good: T, bad: T) -> String {
    let mut writer =
        RowWriter::try_new(schema(&format!("id: int8\nvalue: {data_type}"))).expect("it is not deep");
    writer.write(&Row { id: 1, value: &good }).expect("it is good");
    let error = writer.write(&Row { id: 2, value: bad }).expect_err(data_type);
    assert_eq!(error.row(), Some(1));
    // The failed row is removed, and the next row follows the first one.
    writer.write(&Row { id: 3, value: &good }).expect("it is good");
    let found = writer.finish().expect("it is good").expect("it has rows");
    let rows = [Row { id: 1, value: &good }, Row { id: 3, value: &good }];
    let expected = to_batch(found.schema().clone(), &rows).expect("it is good");
    assert_eq!(json(&found), json(&expected), "{data_type}");
    error.to_string()
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        (error_of("uint8", 1, 300), "rows[1].value: 300 does not fit into uint8"),
        (error_of("uint64", 1, -1), "rows[1].value: -1 does not fit into uint64"),
        (
            error_of("int64", u128::MAX >> 127, u128::MAX),
            "rows[1].value: 340282366920938463463374607431768211455 does not fit into int64",
        ),
        (error_of("float32", 1.0, 1e300), "rows[1].value: 1e300 does not fit into float32"),
        (error_of("float16", 1.0, -7e4), "rows[1].value: -70000.0 does not fit into float16"),
        (
            error_of("utf8 not null", Some("a"), None),
            "rows[1].value: expected a value, found null; the field is `not null`",
        ),
        (
            error_of(
                "dense_union<0=outer: sparse_union<0=inner: int8>> not null",
                BTreeMap::from([("outer", BTreeMap::from([("inner", Some(1))]))]),
                BTreeMap::from([("outer", BTreeMap::from([("inner", None)]))]),
            ),
            "rows[1].value.outer.inner: expected a value, found null; the field is `not null`",
        ),
        (
            error_of("date32", "2024-02-29", "2023-02-29"),
            r#"rows[1].value: expected a date such as 2024-02-29, found "2023-02-29""#,
        ),
        (
            error_of("decimal32(3, 1)", "1.5", "1.25"),
            r#"rows[1].value: expected a decimal number that is exact with the scale 1, found "1.25""#,
        ),
        (
            error_of("decimal32(3, 1)", 5, 100),
            r#"rows[1].value: expected a decimal number within precision 3 and scale 1, found "100""#,
        ),
        (
            error_of("list<item: int8>", vec![1], vec![1, 200]),
            "rows[1].value.item: 200 does not fit into int8",
        ),
        (
            error_of(
                "dictionary<int8, struct<x: int8>>",
                BTreeMap::from([("x", 1)]),
                BTreeMap::from([("x", 200)]),
            ),
            "rows[1].value.x: 200 does not fit into int8",
        ),
        (
            error_of("struct<x: int8>", BTreeMap::from([("x", 1)]), BTreeMap::from([("x", 1), ("y", 2)])),
            r#"rows[1].value: unknown field "y""#,
        ),
        (
            error_of(
                "struct<x: int8, y: int8 not null>",
                BTreeMap::from([("x", 1), ("y", 1)]),
                BTreeMap::from([("x", 1)]),
            ),
            "rows[1].value.y: the row lacks a value that must not be null",
        ),
        (error_of("fixed_size_binary(2)", vec![1, 2], vec![1]), "rows[1].value: expected 2 bytes, found 1"),
        (error_of("binary", vec![1, 2], vec![1, 256]), "rows[1].value.item: 256 does not fit into uint8"),
        (
            error_of("fixed_size_list<item: int8; 2>", vec![1, 2], vec![1]),
            "rows[1].value: the list has 1 items; the type needs 2",
        ),
        (
            error_of(
                "map<entries: struct<key: utf8 not null, value: int8> not null>",
                BTreeMap::from([("a", 1)]),
                BTreeMap::from([("b", 128)]),
            ),
            "rows[1].value.value: 128 does not fit into int8",
        ),
        (
            error_of(
                "interval(day_time)",
                BTreeMap::from([("days", 1), ("milliseconds", 2)]),
                BTreeMap::from([("days", 1)]),
            ),
            "rows[1].value: the row lacks a value that must not be null",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn values_of_another_sort_are_errors() {
    let message = |data_type: &str, found: &str| {
        format!("rows[0].value: expected a value of {data_type}, found {found}")
    };
    let text =
        |data_type| to_batch(schema(&format!("id: int8\nvalue: {data_type}")), [Row { id: 1, value: "5" }]);
    for data_type in ["int8", "bool", "float64", "duration(s)", "list<item: utf8>", "struct<x: int8>"] {
        assert_eq!(text(data_type).expect_err(data_type).to_string(), message(data_type, "a string"));
    }
    let list = |data_type: &str| {
        to_batch(schema(&format!("id: int8\nvalue: {data_type}")), [Row { id: 1, value: vec![1] }])
    };
    for data_type in
        ["int8", "map<entries: struct<key: utf8 not null, value: int8> not null>", "struct<x: int8>"]
    {
        let schema = schema(&format!("c: {data_type}"));
        let data_type = schema.fields()[0].data_type().to_string();
        assert_eq!(list(&data_type).expect_err(&data_type).to_string(), message(&data_type, "a sequence"));
    }
    let error = to_batch(schema("id: int8"), [5]).expect_err("it is no row").to_string();
    assert_eq!(error, "rows[0]: expected a value of struct<id: int8>, found an integer");
    let error = to_batch(schema("a: int8\nb: int8"), [(1,)]).expect_err("it is short").to_string();
    assert_eq!(error, "rows[0]: expected 2 values of a tuple, found 1");
}

/// Panics while its second field is serialized.
struct Panics;

impl Serialize for Panics {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("no value")
    }
}

#[test]
fn a_row_that_panics_is_removed() {
    let mut writer = RowWriter::try_new(schema("a: list<item: int8>\nb: utf8")).expect("it is not deep");
    writer.write(&(vec![1], "x")).expect("it fits");
    let row = (vec![2, 3], Panics);
    assert!(catch_unwind(AssertUnwindSafe(|| writer.write(&row))).is_err());
    writer.write(&(vec![4], "y")).expect("it fits");
    let batch = writer.finish().expect("it fits").expect("it has rows");
    assert_eq!(json(&batch), "{\"a\":[1],\"b\":\"x\"}\n{\"a\":[4],\"b\":\"y\"}\n");
}

/// Whether the row would have been the second of its batch or the first of the next one.
#[test]
fn earlier_rows_stay_where_a_row_panics() {
    for n_rows in [2, 1] {
        let writer = RowWriter::try_new(schema("a: list<item: int8>\nb: utf8")).expect("it is not deep");
        let mut writer = writer.with_batch_rows(n_rows);
        for text in ["x", "y"] {
            assert!(writer.write(&(vec![1], text)).expect("it fits").is_none());
            let row = (vec![2, 3], Panics);
            assert!(catch_unwind(AssertUnwindSafe(|| writer.write(&row))).is_err());
            assert_eq!(writer.n_rows(), 1);
            let batch = writer.finish().expect("it fits").expect("it has a row");
            assert_eq!(json(&batch), format!("{{\"a\":[1],\"b\":\"{text}\"}}\n"));
            assert!(writer.finish().expect("there are no rows").is_none());
        }
    }
}

#[test]
fn reading_says_where_and_what() {
    #[derive(Debug, Deserialize)]
    struct Read<T> {
        #[allow(dead_code)] // The fields are only read.
        value: T,
    }
    fn error_of<T: serde::de::DeserializeOwned + std::fmt::Debug>(
        data_type: &str,
        value: impl Serialize,
    ) -> String {
        let batch = to_batch(schema(&format!("id: int8\nvalue: {data_type}")), [Row { id: 1, value }])
            .expect("it fits");
        let mut rows = try_from_batch::<Read<T>>(&batch).expect("it is valid");
        rows.next().expect("it has a row").expect_err(data_type).to_string()
    }
    let cases = [
        (error_of::<i8>("int64", 300), "rows[0].value: invalid value: integer `300`, expected i8"),
        (error_of::<i8>("utf8", "x"), "rows[0].value: invalid type: string \"x\", expected i8"),
        (error_of::<String>("int64", 3), "rows[0].value: invalid type: integer `3`, expected a string"),
        (error_of::<i64>("int64", None::<i64>), "rows[0].value: found null; read it as an `Option`"),
        (
            error_of::<Vec<i8>>("list<item: int16>", [1, 300]),
            "rows[0].value.item: invalid value: integer `300`, expected i8",
        ),
        (
            error_of::<i64>("decimal64(5, 1)", "1.5"),
            "rows[0].value: invalid type: string \"1.5\", expected i64",
        ),
        (
            error_of::<(i8, i8)>("list<item: int8>", [1, 2, 3]),
            "rows[0].value: expected 2 values of a tuple, found 3",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let batch = to_batch(schema("other: int8"), [(1,)]).expect("it fits");
    let error = try_from_batch::<Read<i8>>(&batch)
        .expect("it is valid")
        .next()
        .expect("it has a row")
        .expect_err("none");
    assert_eq!(error.to_string(), "rows[0]: missing field `value`");
}

#[test]
fn invalid_content_is_named_once() {
    let parts = arrow_data::ArrayParts {
        buffers: [arrow_buffer::Buffer::from(vec![0_i32, 1]), arrow_buffer::Buffer::copy_from(b"\xff")],
        ..arrow_data::ArrayParts::new(arrow_schema::DataType::Utf8, 1)
    };
    let column = arrow_data::ArrayData::try_new(parts).expect("its buffers are long enough");
    let batch = arrow_data::RecordBatch::try_from_columns([("value", column)]).expect("one column");
    let error = try_from_batch::<(String,)>(&batch).map(drop).expect_err("invalid").to_string();
    assert_eq!(error, "field `value`, bytes, slot 0: the value is not UTF-8 at its byte 0");
}

#[test]
fn a_struct_refuses_a_repeated_name_and_a_map_keeps_the_last() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)] // It is only read.
    struct Named {
        a: i8,
    }
    let batch = to_batch(schema("a: int8\na: int8"), [(1, 2)]).expect("it fits");
    let rows: Vec<BTreeMap<String, i8>> =
        try_from_batch(&batch).expect("it is valid").collect::<Result<_, _>>().expect("a map");
    assert_eq!(rows, [BTreeMap::from([("a".to_owned(), 2)])]);
    let error = try_from_batch::<Named>(&batch).expect("it is valid").next().expect("a row").unwrap_err();
    assert_eq!(error.to_string(), "rows[0].a: the field is repeated");
}
