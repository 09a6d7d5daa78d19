//! Files that have a column in different encodings, and the obvious way to read them.

use std::sync::Arc;

use arrow_array::{AnyBuilder, Builder, Float64Array, Int64Array, append_text};
use arrow_compute::{Digits, Predicate, cast};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_dataset::{Dataset, DatasetErrorKind, DatasetOptions, FileColumns, common_schema};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::Select;
use testing_support::make::list;

use super::support::{Folder, file_of, file_with_statistics, rows_of, rows_of_set, texts};

/// An array of a type, whose values are given as texts of another type. A list has one value in each slot.
fn array_of(data_type: &DataType, values_type: &DataType, values: &[&str]) -> ArrayData {
    let mut builder = AnyBuilder::new(values_type);
    for text in values {
        match *text {
            "null" => builder.append_nulls(1),
            text => append_text(&mut builder, text).unwrap(),
        }
    }
    let plain = builder.finish_data().unwrap();
    let plain = if data_type.is_list() {
        let offsets: Vec<i64> = (0..).take(values.len() + 1).collect();
        list(&DataType::list(Field::new("item", values_type.clone())), &offsets, plain)
    } else {
        plain
    };
    cast(&plain, data_type, Digits::Keep).unwrap()
}

/// The rows of each batch, cast to the schema, and then filtered.
fn naive_rows(batches: &[RecordBatch], schema: &Arc<Schema>, condition: &Predicate) -> Vec<String> {
    let cast_batch = |batch: &RecordBatch| {
        let columns = batch.columns().iter().zip(schema.fields());
        let columns = columns.map(|(column, field)| cast(column, field.data_type(), Digits::Keep).unwrap());
        RecordBatch::try_new(Arc::clone(schema), columns.collect::<Vec<_>>()).unwrap()
    };
    let bound = condition.bind(schema).unwrap();
    let matching = batches.iter().map(cast_batch).map(|batch| {
        let rows = bound.matches(&batch).unwrap();
        rows_of(&batch.filter(&rows).unwrap())
    });
    matching.flatten().collect()
}

fn n_batches(set: &Dataset) -> usize {
    set.split(u64::MAX).unwrap().iter().flat_map(|task| &task.files).map(|file| file.batches.len()).sum()
}

type Encodings = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    [&'static [&'static str]; 2],
    &'static str,
    bool,
);

/// The types of two files, the type of the data set, the type of the values as texts, these of each file, and a condition. With it,
/// bounds of footers show that some batches have no matching row, or not.
const TABLE: [Encodings; 25] = [
    (
        "utf8",
        "utf8_view",
        "utf8",
        "utf8",
        [&["a", "b"], &["null", "a long text of many bytes"]],
        "c >= 'b'",
        true,
    ),
    ("utf8_view", "utf8", "utf8_view", "utf8", [&["a", "b"], &["c", "a"]], "c = 'a'", true),
    ("utf8", "large_utf8", "large_utf8", "utf8", [&["a", "b"], &["b", "null"]], "c > 'a'", true),
    ("large_utf8", "utf8_view", "large_utf8", "utf8", [&["a", "b"], &["c", ""]], "c < 'b'", true),
    ("binary", "binary_view", "binary", "binary", [&["00", "01"], &["ff", "0102"]], "c is not null", false),
    (
        "fixed_size_binary(1)",
        "binary",
        "binary",
        "binary",
        [&["00", "01"], &["ff", "0102"]],
        "c is null",
        true,
    ),
    ("dictionary<int8, utf8>", "utf8", "utf8", "utf8", [&["a", "b"], &["c", "null"]], "c = 'c'", true),
    (
        "utf8_view",
        "dictionary<int32, large_utf8>",
        "large_utf8",
        "utf8",
        [&["a", "b"], &["c", "b"]],
        "c <= 'a'",
        true,
    ),
    (
        "dictionary<int8, utf8>",
        "dictionary<int32, utf8>",
        "dictionary<int32, utf8>",
        "utf8",
        [&["a", "b"], &["c", "null"]],
        "c = 'c'",
        true,
    ),
    (
        "dictionary<uint16, utf8_view>",
        "dictionary<int8, utf8>",
        "dictionary<uint16, utf8_view>",
        "utf8",
        [&["a", "b"], &["c", "a"]],
        "c != 'a'",
        true,
    ),
    (
        "run_end_encoded<run_ends: int16 not null, values: utf8>",
        "utf8",
        "utf8",
        "utf8",
        [&["a", "a"], &["b", "null"]],
        "c = 'b'",
        true,
    ),
    ("int32", "int64", "int64", "int64", [&["1", "-2"], &["3", "null"]], "c >= 1", true),
    ("int64", "int32", "int64", "int64", [&["9007199254740993", "-2"], &["3", "5"]], "c > 4", true),
    ("uint8", "int8", "int16", "int8", [&["1", "127"], &["-1", "3"]], "c < 0", true),
    ("uint64", "int8", "decimal128(20, 0)", "int8", [&["1", "127"], &["-1", "3"]], "c < 0", true),
    ("int64", "float64", "float64", "int64", [&["1", "127"], &["-1", "3"]], "c > 100.5", true),
    ("float32", "float64", "float64", "int64", [&["1", "7"], &["-1", "3"]], "c between 2 and 4", true),
    (
        "decimal128(9, 2)",
        "decimal128(12, 4)",
        "decimal128(12, 4)",
        "decimal128(9, 2)",
        [&["1.50", "7.00"], &["-1.00", "3.00"]],
        "c < 0",
        true,
    ),
    (
        "timestamp(ms)",
        "timestamp(us)",
        "timestamp(us)",
        "timestamp(ms)",
        [&["2024-01-01T00:00:00.001", "null"], &["1969-12-31T23:59:59.999", "2024-02-02T00:00:00"]],
        "c < '1970-01-01'",
        true,
    ),
    (
        "date32",
        "timestamp(us)",
        "timestamp(us)",
        "date32",
        [&["2024-01-01", "1960-05-06"], &["2024-01-02", "null"]],
        "c < '1970-01-01'",
        true,
    ),
    ("null", "int64", "int64", "null", [&["null", "null"], &["null", "null"]], "c is null", false),
    (
        "list<item: utf8>",
        "large_list<x: utf8_view>",
        "large_list<item: utf8>",
        "utf8",
        [&["a", "b"], &["c", "d"]],
        "c is not null",
        false,
    ),
    (
        "list_view<item: int64>",
        "list<item: int32>",
        "list_view<item: int64>",
        "int32",
        [&["1", "2"], &["3", "4"]],
        "c is null",
        true,
    ),
    (
        "fixed_size_list<item: int8; 1>",
        "list<item: int16>",
        "list<item: int16>",
        "int8",
        [&["1", "2"], &["3", "4"]],
        "c is not null",
        false,
    ),
    (
        "list<item: dictionary<int8, utf8>>",
        "list<item: utf8>",
        "list<item: utf8>",
        "utf8",
        [&["a", "b"], &["c", "d"]],
        "c is null",
        true,
    ),
];

#[test]
fn rows_are_those_of_each_file_cast_and_then_filtered() {
    for (left, right, common, values_type, values, condition, prunes) in TABLE {
        let case = format!("{left}, {right}, {condition}");
        let values_type: DataType = values_type.parse().unwrap();
        let folder = Folder::new();
        let mut batches = Vec::new();
        for (name, data_type, values) in [("a.arrow", left, values[0]), ("b.arrow", right, values[1])] {
            let data_type: DataType = data_type.parse().unwrap();
            // The batches of a file share its dictionary.
            let column = array_of(&data_type, &values_type, values);
            let expected_of_file = (0..values.len()).map(|row| {
                let id = Int64Array::from_iter([10 + row as i64]).into_data();
                let value = column.try_slice(row, 1).unwrap();
                RecordBatch::try_from_columns([("id", id), ("c", value)]).unwrap()
            });
            let expected_of_file: Vec<RecordBatch> = expected_of_file.collect();
            folder.write(name, &file_with_statistics(expected_of_file[0].schema(), &expected_of_file));
            batches.extend(expected_of_file);
        }
        let set = folder.open(&[""]).unwrap();
        assert_eq!(set.schema().to_string(), format!("id: int64\nc: {common}"), "{case}");
        for text in ["id is not null", condition] {
            let predicate: Predicate = text.parse().unwrap();
            let expected = naive_rows(&batches, set.schema(), &predicate);
            let trusting = DatasetOptions::new().with_trusted_statistics();
            let trusting = Dataset::open_with([folder.path()], trusting).unwrap();
            for (set, trusts) in [(&set, false), (&trusting, true)] {
                let some = set.clone().with_predicate(predicate.clone()).unwrap();
                assert_eq!(rows_of_set(&some), expected, "{case}");
                assert_eq!(some.count().unwrap(), expected.len() as u64, "{case}");
                let by_threads = some.read_by_threads(2).unwrap().flat_map(|batch| rows_of(&batch.unwrap()));
                assert_eq!(by_threads.collect::<Vec<_>>(), expected, "{case}");
                let found_of_tasks = some.split(1).unwrap().into_iter().flat_map(|task| {
                    task.read().unwrap().flat_map(|batch| rows_of(&batch.unwrap())).collect::<Vec<_>>()
                });
                assert_eq!(found_of_tasks.collect::<Vec<_>>(), expected, "{case}");
                if trusts && text == condition {
                    assert_eq!(n_batches(&some) < batches.len(), prunes, "{case}: {}", n_batches(&some));
                }
            }
        }
    }
}

/// The order of the files does not decide whether they can be read. Three files have one type, too.
#[test]
fn many_files_have_one_type() {
    let folder = Folder::new();
    let write = |name: &str, data_type: &str| {
        let data_type = data_type.parse().unwrap();
        let column = array_of(&data_type, &DataType::Int8, &["1", "2"]);
        folder.write(name, &file_of(&[RecordBatch::try_from_columns([("c", column)]).unwrap()]));
    };
    for (types, common) in [
        (["int8", "int64", "int16"], "int64"),
        (["dictionary<int8, int8>", "int32", "dictionary<int32, int64>"], "int64"),
        (["float32", "int8", "float64"], "float64"),
    ] {
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            for (name, idx) in ["a.arrow", "b.arrow", "c.arrow"].into_iter().zip(order) {
                write(name, types[idx]);
            }
            let set = folder.open(&[""]).unwrap();
            assert_eq!(set.schema().to_string(), format!("c: {common}"), "{types:?}");
            assert_eq!(rows_of_set(&set).len(), 6);
        }
    }
}

#[test]
fn a_value_that_the_wider_type_lacks_is_an_error_only_if_it_is_read() {
    let folder = Folder::new();
    let batch = |id: i64, c: ArrayData| {
        RecordBatch::try_from_columns([("id", Int64Array::from_iter([id]).into_data()), ("c", c)]).unwrap()
    };
    folder.write("a.arrow", &file_of(&[batch(1, Float64Array::from_iter([0.5]).into_data())]));
    folder
        .write("b.arrow", &file_of(&[batch(2, Int64Array::from_iter([9_007_199_254_740_993]).into_data())]));
    let set = folder.open(&[""]).unwrap();
    assert_eq!(set.schema().to_string(), "id: int64\nc: float64");
    // Other columns are not cast, whatever is selected of them.
    assert_eq!(rows_of_set(&set.clone().with_columns(["id"]).unwrap()), ["1", "2"]);
    let some = set.clone().with_columns(["id"]).unwrap().with_predicate("id > 1".parse().unwrap()).unwrap();
    assert_eq!((rows_of_set(&some), some.count().unwrap()), (vec!["2".to_owned()], 1));
    let error = set.read().unwrap().find_map(Result::err).unwrap();
    let text = folder.text_of(&error);
    assert!(text.starts_with("b.arrow: batch 0: column \"c\": the value 9007199254740993"), "{text}");
}

#[test]
fn types_can_be_given_for_columns_without_a_common_type() {
    let folder = Folder::new();
    let file = |c: ArrayData| file_of(&[RecordBatch::try_from_columns([("c", c)]).unwrap()]);
    folder.write("k=1/a.arrow", &file(texts(&["7"])));
    folder.write("k=2/b.arrow", &file(Int64Array::from_iter([8]).into_data()));
    let expected = "k=2/b.arrow: the schema does not fit the schemas of preceding files: field c, schema 1: the type is int64; preceding schemas say utf8";
    let error = folder.open(&[""]).unwrap_err();
    assert_eq!(folder.text_of(&error), expected);
    assert_eq!(error.conflicting_column(), Some(("c", Some(DataType::Utf8))));
    let open = |types: &[(&str, &str)]| {
        let types = types.iter().map(|(name, text)| (*name, text.parse().unwrap()));
        Dataset::open_with([folder.path()], DatasetOptions::new().with_types(types))
    };
    for (types, schema, rows) in [
        (&[("c", "utf8")][..], "c: utf8\nk: int64", ["7,1", "8,2"]),
        (&[("c", "int16"), ("k", "utf8")], "c: int16\nk: utf8", ["7,1", "8,2"]),
        (&[("c", "dictionary<int8, utf8>")], "c: dictionary<int8, utf8>\nk: int64", ["7,1", "8,2"]),
    ] {
        let set = open(types).unwrap();
        assert_eq!(
            (set.schema().to_string().as_str(), rows_of_set(&set)),
            (schema, rows.map(str::to_owned).into())
        );
    }
    let error = open(&[("c", "utf8"), ("d", "utf8")]).unwrap_err();
    assert_eq!(error.to_string(), "no field is named \"d\"");
    let error = open(&[("c", "utf8"), ("k", "bool")]).unwrap_err();
    let expected = "k=1/a.arrow: the value \"1\" in the name of the folder is not of type bool";
    assert_eq!(folder.text_of(&error), expected);
    let error = open(&[("c", "list<item: utf8>")]).unwrap_err();
    assert!(folder.text_of(&error).starts_with("k=1/a.arrow: column \"c\": "), "{error}");
}

/// The type that is known for both is that of the whole column.
#[test]
fn types_of_conflicting_columns_have_the_values_of_both() {
    for (left, right, to) in [
        ("int64", "utf8", Some("utf8")),
        ("large_utf8", "bool", Some("utf8")),
        ("fixed_size_binary(2)", "int8", Some("utf8")),
        ("struct<b: int64>", "struct<b: utf8>", Some("struct<b: utf8>")),
        ("struct<b: int64, n: int8>", "struct<b: utf8, m: int8>", Some("struct<b: utf8, n: int8, m: int8>")),
        ("list<item: utf8>", "large_list<item: date32>", Some("large_list<item: utf8>")),
        (
            "map<entries: struct<key: utf8 not null, value: int64> not null>",
            "map<entries: struct<key: utf8 not null, value: bool> not null>",
            Some("map<entries: struct<key: utf8 not null, value: utf8> not null>"),
        ),
        ("list<item: int64>", "utf8", None),
        ("struct<b: int64>", "int64", None),
    ] {
        let schemas = [left, right].map(|side| format!("c: {side}").parse::<Schema>().unwrap());
        let error = DatasetErrorKind::Merge(common_schema(&schemas).unwrap_err());
        let (name, found) = error.conflicting_column().unwrap();
        assert_eq!((name, found), ("c", to.map(|to| to.parse().unwrap())), "{left}, {right}");
    }
}

/// A file with the schema of the data set is not cast.
#[test]
fn columns_of_the_right_type_share_their_memory() {
    let batch =
        RecordBatch::try_from_columns([("c", texts(&["a"])), ("id", Int64Array::from_iter([1]).into_data())]);
    let batch = batch.unwrap();
    let schema = Arc::new("id: int64\nc: utf8".parse::<Schema>().unwrap());
    let mut columns = FileColumns::try_new(&schema, batch.schema(), &[]).unwrap();
    let read = batch.project(columns.positions()).unwrap();
    let made = columns.batch(None, &read, 0).unwrap();
    assert_eq!(made.schema(), &schema);
    assert!(made.columns().iter().zip(read.columns()).all(|(made, read)| made.same_memory(read)));
}
