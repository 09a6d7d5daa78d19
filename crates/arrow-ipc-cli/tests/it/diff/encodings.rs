//! Compares equal values in other encodings and layouts, and written with other options of `convert`.

use std::{path::Path, slice::from_ref};

use arrow_data::RecordBatch;
use arrow_ipc::WriteOptions;
use arrow_schema::{DataType, Field, Schema};
use arrow_text::JsonReader;
use testing_support::Hunt;

use super::{diff, write_file};
use crate::{
    program::{run, temporary_folder},
    writing::WAYS,
};

/// A batch with one column `c` of this type.
fn column(data_type: &str, values: &[&str]) -> RecordBatch {
    let data_type: DataType = data_type.parse().unwrap();
    let rows: String = values.iter().map(|value| format!("{{\"c\":{value}}}\n")).collect();
    JsonReader::read_batch(&rows, Schema::new([Field::new("c", data_type)])).unwrap()
}

const TEXTS: [&str; 5] = [r#""x""#, "null", r#""x""#, r#""a text longer than views hold""#, r#""""#];
const NUMBERS: [&str; 4] = ["1", "1", "null", "-2"];
const LISTS: [&str; 4] = [r#"["x",null,"y"]"#, "null", "[]", r#"["x","x"]"#];
const STRUCTS: [&str; 3] = [r#"{"a":"x","b":1}"#, "null", r#"{"a":null,"b":1}"#];
const MAPS: [&str; 3] = [r#"[["k","v"],["l",null]]"#, "null", "[]"];
const BINARY: [&str; 3] = [r#""00ff""#, "null", r#""""#];

/// Types that can have the same values, the values, a row, and two other values for this row.
type Family<'a> = (&'a [&'a str], &'a [&'a str], usize, [&'a str; 2]);

const FAMILIES: [Family<'static>; 6] = [
    (
        &[
            "utf8",
            "large_utf8",
            "utf8_view",
            "dictionary<int8, utf8>",
            "dictionary<uint64, large_utf8>",
            "dictionary<int16, utf8_view>",
            "run_end_encoded<run_ends: int32 not null, values: utf8>",
            "run_end_encoded<run_ends: int16 not null, values: dictionary<uint8, utf8>>",
        ],
        &TEXTS,
        3,
        [r#""a text longer than views holds""#, "null"],
    ),
    (
        &[
            "int32",
            "dictionary<int8, int32>",
            "dictionary<uint32, int32>",
            "run_end_encoded<run_ends: int64 not null, values: int32>",
        ],
        &NUMBERS,
        2,
        ["1", "-2"],
    ),
    (
        &[
            "list<item: utf8>",
            "large_list<item: utf8_view>",
            "list_view<item: dictionary<int8, utf8>>",
            "large_list_view<item: utf8>",
            "dictionary<int8, list<item: utf8>>",
            "list<item: run_end_encoded<run_ends: int32 not null, values: utf8>>",
        ],
        &LISTS,
        0,
        [r#"["x",null]"#, r#"["x","","y"]"#],
    ),
    (
        &[
            "struct<a: utf8, b: int64>",
            "struct<a: dictionary<int8, utf8>, b: dictionary<int8, int64>>",
            "dictionary<int32, struct<a: utf8_view, b: int64>>",
            "run_end_encoded<run_ends: int32 not null, values: struct<a: utf8, b: int64>>",
        ],
        &STRUCTS,
        2,
        [r#"{"a":null,"b":2}"#, "null"],
    ),
    (
        &[
            "map<entries: struct<key: utf8 not null, value: utf8> not null>",
            "map<entries: struct<key: utf8 not null, value: dictionary<int8, utf8>> not null>",
            "dictionary<int8, map<entries: struct<key: large_utf8 not null, value: utf8> not null>>",
        ],
        &MAPS,
        0,
        [r#"[["k","v"],["l",""]]"#, r#"[["k","v"]]"#],
    ),
    (
        &["binary", "large_binary", "binary_view", "dictionary<int8, binary>"],
        &BINARY,
        0,
        [r#""00fe""#, r#""00""#],
    ),
];

#[test]
fn encodings_of_the_same_values_differ_in_their_types_alone() {
    let hunt = Hunt::from_env();
    for (types, values, row, others) in FAMILIES {
        let changed = others.map(|other| {
            let mut changed = values.to_vec();
            changed[row] = other;
            changed
        });
        let pairs = types.iter().flat_map(|a| types.iter().map(move |b| (a, b)));
        for (pair, (a, b)) in pairs.enumerate() {
            let (row_idx, column_idx) = (pair / types.len(), pair % types.len());
            // In a short run, one of the two orders of each pair is skipped.
            let is_turned = (row_idx + column_idx).is_multiple_of(2) == (row_idx < column_idx);
            if !hunt.is_on() && row_idx != column_idx && is_turned {
                continue;
            }
            let name = format!("{a} and {b}");
            let left = column(a, values);
            let same = diff(from_ref(&left), &[column(b, values)], &[]);
            assert_eq!((same.status, &same.stderr[..]), (i32::from(a != b), ""), "{name}: {same:?}");
            let is_type_line = |line: &str| {
                line.ends_with(", which hold the same values") || line.starts_with("field c.run_ends: ")
            };
            assert!(same.differences().lines().all(is_type_line), "{name}: {same:?}");
            // In a short run, only every fourth pair gets one of the two changes.
            let is_tried = hunt.is_on() || (row_idx + column_idx).is_multiple_of(4);
            for changed in hunt.some_of(if is_tried { &changed[..] } else { &[] }, 1, row_idx) {
                let differs = diff(from_ref(&left), &[column(b, changed)], &[]);
                let lines = differs.expect(&[1]).differences().lines().filter(|line| !is_type_line(line));
                let lines: Vec<&str> = lines.collect();
                assert_eq!(lines.len(), 1, "{name}: {differs:?}");
                assert!(lines[0].starts_with(&format!("row {row}, field c")), "{name}: {differs:?}");
                let expected = format!("1 of {} rows, in column c (1)", values.len());
                assert!(differs.summary().ends_with(&expected), "{name}: {differs:?}");
            }
        }
    }
}

#[test]
fn the_way_of_writing_is_not_compared() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    // One type of each family is enough to compare bytes. V4 cannot store all types.
    let batch = |changed: bool| {
        let columns = FAMILIES.iter().map(|(types, values, row, others)| {
            let mut values = values.to_vec();
            if changed {
                values[*row] = others[0];
            }
            let n_rows = values.len();
            (types[0], (0..6).map(|row| values[row % n_rows]).collect::<Vec<_>>())
        });
        let columns: Vec<_> = columns.collect();
        let named = columns.iter().zip(["t", "n", "l", "s", "m", "b"]);
        let named =
            named.map(|((data_type, values), name)| (name, column(data_type, values).columns()[0].clone()));
        RecordBatch::try_from_columns(named.collect::<Vec<_>>()).unwrap()
    };
    write_file(&path("a.arrow"), &[batch(false)], WriteOptions::default());
    write_file(&path("b.arrow"), &[batch(true)], WriteOptions::default());
    let expected = run([Path::new("diff"), &path("a.arrow"), &path("b.arrow")]);
    assert!(expected.expect(&[1]).summary().contains(" rows, in column"), "{expected:?}");
    for (way, _) in WAYS {
        for (from, suffix) in [("a", "arrow"), ("a", "arrows"), ("b", "arrow"), ("b", "arrows")] {
            let out = path(&format!("{from}-out.{suffix}"));
            let args = [Path::new("convert"), &path(from).with_extension("arrow"), Path::new("-o"), &out];
            run(args.into_iter().chain(way.iter().map(Path::new))).expect(&[0]);
        }
        for suffix in ["arrow", "arrows"] {
            let [a, b] = ["a", "b"].map(|name| path(&format!("{name}-out.{suffix}")));
            let same = run([Path::new("diff"), &path("a.arrow"), &a]);
            assert_eq!((same.status, same.differences(), &same.stderr[..]), (0, "", ""), "{way:?} {suffix}");
            assert_eq!(run([Path::new("diff"), &path("a.arrow"), &b]), expected, "{way:?} {suffix}");
            assert_eq!(run([Path::new("diff"), &a, &path("b.arrow")]), expected, "{way:?} {suffix}");
        }
    }
}
