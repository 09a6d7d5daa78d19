//! Types with the same values.

use arrow_schema::{DataType, ParseError};

/// Each row is a class: its types have the same values. Types of different rows have different values.
const CLASSES: &[&[&str]] = &[
    &["null"],
    &["bool", "dictionary<int8, bool>"],
    &["int8"],
    &[
        "int32",
        "dictionary<int8, int32>",
        "dictionary<uint64, int32, ordered>",
        "run_end_encoded<run_ends: int16 not null, values: int32>",
        "run_end_encoded<e: int64, v: int32 not null>",
        "run_end_encoded<e: int64, v: dictionary<int8, int32>>",
        "dictionary<int8, run_end_encoded<e: int16, v: run_end_encoded<e: int16, v: int32>>>",
    ],
    &["int64"],
    &["uint32"],
    &["float32"],
    &["decimal32(9, 2)"],
    &["decimal128(9, 2)", "dictionary<int8, decimal128(9, 2)>"],
    &["decimal128(9, 3)"],
    &["decimal128(8, 2)"],
    &["date32"],
    &["date64"],
    &["time32(s)"],
    &["time32(ms)"],
    &["time64(us)"],
    &["timestamp(us)"],
    &["timestamp(ns)"],
    &[r#"timestamp(us, "")"#],
    &[r#"timestamp(us, "UTC")"#],
    &["duration(us)"],
    &["interval(day_time)"],
    &["interval(year_month)"],
    &["fixed_size_binary(3)", "dictionary<int8, fixed_size_binary(3)>"],
    &["fixed_size_binary(4)"],
    &["binary", "large_binary", "binary_view", "dictionary<int8, binary_view>"],
    &[
        "utf8",
        "large_utf8",
        "utf8_view",
        "dictionary<int8, large_utf8>",
        "run_end_encoded<e: int16, v: dictionary<int8, utf8_view>>",
    ],
    &[
        "list<item: utf8>",
        "large_list<element: utf8 not null>",
        r#"list_view<"": dictionary<int8, utf8_view>>"#,
        "large_list_view<item: run_end_encoded<e: int16, v: large_utf8>>",
        "dictionary<int8, list<item: utf8>>",
    ],
    &["list<item: int8>", "large_list<item: int8>"],
    &["list<item: list<item: utf8>>", "list_view<item: dictionary<int8, large_list<item: utf8_view>>>"],
    &["fixed_size_list<item: utf8; 2>", "fixed_size_list<i: large_utf8 not null; 2>"],
    &["fixed_size_list<item: utf8; 3>"],
    &["fixed_size_list<item: int8; 2>"],
    &["struct<>"],
    &[
        "struct<a: utf8>",
        "struct<a: utf8_view not null>",
        "dictionary<int8, struct<a: dictionary<int8, utf8>>>",
    ],
    &["struct<b: utf8>"],
    &["struct<a: int8>"],
    &["struct<a: utf8, b: int8>", "struct<a: large_utf8, b: dictionary<int8, int8>>"],
    &["struct<b: int8, a: utf8>"],
    &["struct<a: utf8, a: utf8>"],
    &[
        "map<entries: struct<key: utf8 not null, value: int8> not null>",
        "map<e: struct<k: utf8_view, v: dictionary<int8, int8>>, sorted>",
    ],
    &["map<entries: struct<key: utf8 not null, value: int16> not null>"],
    &["map<entries: struct<key: int8 not null, value: utf8> not null>"],
    &["list<entries: struct<key: utf8 not null, value: int8> not null>"],
    &["sparse_union<>", "dense_union<>"],
    &[
        "sparse_union<0=a: utf8, 5=b: int8>",
        "dense_union<0=a: utf8, 5=b: int8>",
        "dense_union<0=a: large_utf8 not null, 5=b: dictionary<int8, int8>>",
    ],
    &["sparse_union<5=a: utf8, 0=b: int8>"],
    &["sparse_union<5=b: int8, 0=a: utf8>"],
    &["sparse_union<0=a: utf8, 5=c: int8>"],
    &["sparse_union<0=a: utf8, 5=b: int16>"],
    &["sparse_union<0=a: utf8>"],
];

#[test]
fn types_of_one_class_hold_the_same_values() -> Result<(), ParseError> {
    let mut types = Vec::new();
    for (class, texts) in CLASSES.iter().enumerate() {
        for text in *texts {
            types.push((class, text.parse::<DataType>()?));
        }
    }
    for (left_class, left) in &types {
        for (right_class, right) in &types {
            assert_eq!(left.same_values(right), left_class == right_class, "{left} and {right}");
        }
    }
    Ok(())
}

#[test]
fn every_type_holds_its_own_values() -> Result<(), ParseError> {
    for (_, data_type) in testing_support::all_types() {
        let read: DataType = data_type.to_string().parse()?;
        assert!(data_type.same_values(&read), "{data_type}");
        let encoded = format!("run_end_encoded<run_ends: int16, values: {data_type}>");
        assert!(encoded.parse::<DataType>()?.same_values(&data_type), "{data_type}");
    }
    Ok(())
}
