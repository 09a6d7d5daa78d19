//! The common schema of many files.

use std::sync::Arc;

use arrow_array::{Int8Array, Int64Array, StructArray};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_dataset::{Dataset, DatasetBatches, DatasetOptions, RowSelection};
use arrow_schema::{DataType, Field, Schema, work_done};

use super::support::{Folder, all_rows, file_of, ids_batch, rows_of_set, texts};

fn batch(columns: Vec<(&str, ArrayData)>) -> RecordBatch {
    RecordBatch::try_from_columns(columns).unwrap()
}

/// The time is in proportion to the number of columns: this would take minutes if each were searched for.
#[test]
fn many_columns_are_found() {
    let folder = Folder::new();
    let names: Vec<String> = (0..20_000).map(|n| format!("c{n}")).collect();
    let one = Int64Array::from_iter([1]).data().clone();
    let columns = |names: &[String]| batch(names.iter().map(|name| (name.as_str(), one.clone())).collect());
    folder.write("a.arrow", &file_of(&[columns(&names)]));
    folder.write("b.arrow", &file_of(&[columns(&names[..10])]));
    let set = Dataset::open([folder.path()]).unwrap();
    assert_eq!(set.schema().fields().len(), names.len());
    assert_eq!(set.count().unwrap(), 2);
    // Each column is checked for nulls.
    let required = set.schema().fields().iter().map(|field| field.clone().required());
    let options = DatasetOptions::new().with_schema(Schema::new(required.collect::<Vec<_>>()));
    let set = Dataset::open_with([folder.path().join("a.arrow")], options).unwrap();
    assert_eq!(set.read().unwrap().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 1);
}

/// Each task searches for its columns.
#[test]
fn columns_are_found_in_time_in_proportion_to_their_number() {
    let names: Vec<String> = (0..2_000).map(|n| format!("c{n}")).collect();
    let fields: Vec<Field> = names.iter().map(|name| Field::new(name.as_str(), DataType::Int8)).collect();
    let all = Arc::new(Schema::new(fields));
    for wanted in [&names[..], &names[..1], &[], &[&names[..], &names[..]].concat()] {
        let before = work_done();
        let selection = RowSelection::try_new(Arc::clone(&all), Some(wanted), None).unwrap();
        assert!(work_done() - before <= 10 * names.len() as u64, "{}", wanted.len());
        let found = selection.schema().fields().iter().map(Field::name);
        assert!(found.eq(wanted.iter().map(String::as_str)));
    }
    let twice = Arc::new("a: int8\nb: int8\na: int16".parse::<Schema>().unwrap());
    for name in ["a", "c"] {
        let names = ["b".to_owned(), name.to_owned()];
        let error = RowSelection::try_new(Arc::clone(&twice), Some(&names), None).unwrap_err();
        assert_eq!(error.to_string(), twice.index_of(name).unwrap_err().to_string());
    }
}

/// Columns of which files have types without a common one do not keep the others from being read.
#[test]
fn conflicting_columns_are_refused_only_where_they_are_read() {
    let folder = Folder::new();
    let ids = || Int64Array::from_iter([1, 2]).into_data();
    let twos = || texts(&["x", "y"]);
    folder.write("a.arrow", &file_of(&[batch(vec![("a", ids()), ("b", ids()), ("c", ids())])]));
    folder.write("b.arrow", &file_of(&[batch(vec![("b", ids()), ("a", twos()), ("c", twos())])]));
    let refused = Dataset::open([folder.path()]).unwrap_err();
    assert_eq!(refused.conflicting_column().unwrap().0, "a");
    let options = DatasetOptions::new().without_conflicting_columns();
    let set = Dataset::open_with([folder.path()], options.clone()).unwrap();
    assert_eq!(set.schema().to_string(), "b: int64");
    assert_eq!(set.full_schema().to_string(), "a: int64\nb: int64\nc: int64");
    assert_eq!(set.conflicting_columns().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(rows_of_set(&set), ["1", "2", "1", "2"]);
    assert_eq!(set.count().unwrap(), 4);
    assert!(set.conflict_of("b").is_none() && set.conflict_of("nope").is_none());
    let some = set.clone().with_predicate("b = 2".parse().unwrap()).unwrap();
    assert_eq!((some.count().unwrap(), rows_of_set(&some).join(",")), (2, "2,2".to_owned()));
    assert!(
        some.split(u64::MAX)
            .unwrap()
            .iter()
            .all(|task| all_rows(task.read().unwrap()).unwrap() == ["2", "2"])
    );
    for error in [
        set.conflict_of("a").unwrap(),
        set.clone().with_columns(["b", "a"]).unwrap_err(),
        // The constant fits the type in one of the files only.
        set.clone().with_predicate("b = 1 or a = 'x'".parse().unwrap()).unwrap_err(),
        set.with_predicate("a = 1".parse().unwrap()).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), refused.to_string());
    }
    let set = Dataset::open_with([folder.path()], options.with_types([("a", DataType::Utf8)])).unwrap();
    assert_eq!(set.schema().to_string(), "a: utf8\nb: int64");
    assert_eq!(set.conflicting_columns().collect::<Vec<_>>(), ["c"]);
}

#[test]
fn columns_are_found_by_name_and_missing_ones_are_null() {
    let folder = Folder::new();
    let ids = || Int64Array::from_iter([1, 2]).into_data();
    folder.write("a.arrow", &file_of(&[batch(vec![("id", ids()), ("name", texts(&["ada", "bob"]))])]));
    folder.write("b.arrow", &file_of(&[batch(vec![("note", texts(&["x", "y"])), ("id", ids())])]));
    let nulls = arrow_array::Scalar::try_new_null(&DataType::Null).unwrap().to_array(2).unwrap().into_data();
    folder.write("c.arrow", &file_of(&[batch(vec![("name", nulls), ("id", ids())])]));
    let set = folder.open(&[""]).unwrap();
    assert_eq!(set.schema().to_string(), "id: int64\nname: utf8\nnote: utf8");
    let expected = ["1,ada,null", "2,bob,null", "1,null,x", "2,null,y", "1,null,null", "2,null,null"];
    assert_eq!(rows_of_set(&set), expected);
    // If a file does not have a column, a condition on it is decided without reading the file.
    let some = set.clone().with_predicate("note = 'y' or name is null and id = 1".parse().unwrap()).unwrap();
    assert_eq!(rows_of_set(&some), ["1,null,x", "2,null,y", "1,null,null"]);
    let some = set.clone().with_predicate("note >= 'x'".parse().unwrap()).unwrap();
    let tasks = some.split(1).unwrap();
    assert_eq!(tasks.len(), 1);
    // The task contains the schema, because no file has all columns.
    assert_eq!(tasks[0].schema.as_ref(), Some(set.schema()));
    assert_eq!(all_rows(tasks[0].read().unwrap()).unwrap(), ["1,null,x", "2,null,y"]);
    let some = set.clone().with_columns(["note", "id", "note"]).unwrap();
    assert_eq!(rows_of_set(&some)[1..3], ["null,2,null", "x,1,x"]);
    assert!(set.clone().with_columns(["nope"]).is_err());
    assert!(set.with_predicate("nope = 1".parse().unwrap()).is_err());
}

#[test]
fn types_that_differ_are_cast_to_a_given_schema_and_keep_their_values() {
    let folder = Folder::new();
    folder.write_ids("a.arrow", [1, 300]);
    let small = batch(vec![("id", Int8Array::from_iter([1, -1]).into_data())]);
    folder.write("b.arrow", &file_of(&[small]));
    assert_eq!(rows_of_set(&folder.open(&[""]).unwrap()), ["1", "300", "1", "-1"]);
    let open = |schema: &str| {
        let schema: Schema = schema.parse().unwrap();
        Dataset::open_with([folder.path()], DatasetOptions::new().with_schema(Arc::new(schema)))
    };
    assert_eq!(
        rows_of_set(&open("id: int32\nx: utf8").unwrap()),
        ["1,null", "300,null", "1,null", "-1,null"]
    );
    // A value that does not fit the type ends the reading with an error.
    let (rows, error) = all_rows(open("id: int8").unwrap().read().unwrap()).unwrap_err();
    assert_eq!(rows, [""; 0]);
    assert_eq!(
        folder.text_of(&error),
        "a.arrow: batch 0: column \"id\": the value 300 in slot 1 does not fit int8"
    );
    let error = open("id: struct<a: utf8>").unwrap().read().unwrap_err();
    assert!(folder.text_of(&error).starts_with("a.arrow: column \"id\": "), "{error}");
    let error = open("id: int64\nx: utf8 not null").unwrap().read().unwrap_err();
    assert_eq!(folder.text_of(&error), "a.arrow: the file has no column \"x\", which is not nullable");
}

#[test]
fn a_schema_that_allows_no_nulls_gets_none() {
    let folder = Folder::new();
    let ids = |values: [Option<i64>; 2]| batch(vec![("id", Int64Array::from_iter(values).into_data())]);
    folder.write("a.arrow", &file_of(&[ids([Some(1), Some(2)]), ids([Some(3), None])]));
    let open = |schema: &str| {
        let schema: Schema = schema.parse().unwrap();
        Dataset::open_with([folder.path()], DatasetOptions::new().with_schema(Arc::new(schema)))
    };
    for schema in
        ["id: int64 not null", "id: int32 not null", "x: int8\nid: dictionary<int8, int64> not null"]
    {
        let error = open(schema).and_then(|set| all_rows(set.read().unwrap()).map_err(|(_, error)| error));
        let expected =
            "a.arrow: batch 1: column \"id\" has nulls, which the schema of the data set does not allow";
        assert_eq!(folder.text_of(&error.unwrap_err()), expected, "{schema}");
    }
    // Only rows that match have to have values.
    let some = open("id: int64 not null").unwrap().with_predicate("id is not null".parse().unwrap()).unwrap();
    assert_eq!(rows_of_set(&some), ["1", "2", "3"]);
    folder.write("a.arrow", &file_of(&[ids([Some(1), Some(2)])]));
    assert_eq!(rows_of_set(&open("id: int64 not null").unwrap()), ["1", "2"]);
    // The value of the folder is null.
    let folder = Folder::new();
    folder.write_ids("k=1/a.arrow", [4]);
    folder.write_ids("k=__HIVE_DEFAULT_PARTITION__/b.arrow", [5]);
    let schema: Schema = "id: int64\nk: int8 not null".parse().unwrap();
    let set = Dataset::open_with([folder.path()], DatasetOptions::new().with_schema(Arc::new(schema)));
    let error = set.and_then(|set| all_rows(set.read().unwrap()).map_err(|(_, error)| error)).unwrap_err();
    let expected = "k=__HIVE_DEFAULT_PARTITION__/b.arrow: column \"k\" has nulls, which the schema of the data set does not allow";
    assert_eq!(folder.text_of(&error), expected);
}

#[test]
fn metadata_that_differs_is_that_of_the_first() {
    let folder = Folder::new();
    for (name, value) in [("a", "1"), ("b", "2")] {
        let metadata = [("pandas", value)].into_iter().collect();
        let batch = ids_batch([7]);
        let schema = Schema::new([Field::new("id", DataType::Int64)]).with_metadata(metadata);
        let batch = batch.with_schema(schema).unwrap();
        folder.write(&format!("{name}.arrow"), &file_of(&[batch]));
    }
    let set = folder.open(&[""]).unwrap();
    assert_eq!(set.schema().metadata().get("pandas"), Some("1"));
    assert_eq!(rows_of_set(&set), ["7", "7"]);
    assert_eq!(set.split(u64::MAX).unwrap().len(), 1);
    let rows: Vec<_> =
        set.split(1).unwrap().iter().flat_map(|task| all_rows(task.read().unwrap()).unwrap()).collect();
    assert_eq!(rows, ["7", "7"]);
    for n_threads in [1, 2] {
        let mut batches = DatasetBatches::new(set.schema().clone(), set.split(1).unwrap(), n_threads);
        assert_eq!((batches.by_ref().count(), batches.n_lost_metadata()), (2, 1), "{n_threads}");
    }
}

/// Values are found by the names of fields, in structs, too.
#[test]
fn fields_of_structs_are_found_by_name() {
    let folder = Folder::new();
    let number = |n: i64| Int64Array::from_iter([n]).into_data();
    let structs = |fields: &[(&str, i64)]| {
        let types = fields.iter().map(|(name, _)| Field::new(*name, DataType::Int64)).collect::<Vec<_>>();
        let values = fields.iter().map(|(_, n)| number(*n)).collect::<Vec<_>>();
        StructArray::try_new(types, values, None).unwrap().into_data()
    };
    for (path, fields) in [
        ("1.arrow", &[("a", 1), ("b", 2)][..]),
        ("2.arrow", &[("b", 20), ("a", 10)]),
        ("3.arrow", &[("a", 100)]),
        ("4.arrow", &[("c", 3), ("b", 2)]),
    ] {
        folder.write(path, &file_of(&[batch(vec![("x", structs(fields))])]));
    }
    let set = folder.open(&[""]).unwrap();
    assert_eq!(set.schema().to_string(), "x: struct<a: int64, b: int64, c: int64>");
    assert_eq!(
        rows_of_set(&set),
        [
            r#"{"a":1,"b":2,"c":null}"#,
            r#"{"a":10,"b":20,"c":null}"#,
            r#"{"a":100,"b":null,"c":null}"#,
            r#"{"a":null,"b":2,"c":3}"#
        ]
    );
    // Values are not matched by position. A missing field is null, and a field that the schema does not have is an
    // error.
    let file = |name: &str, schema: &str| {
        let schema: Schema = schema.parse().unwrap();
        let options = DatasetOptions::new().with_schema(schema);
        let set = Dataset::open_with([folder.path().join(name)], options);
        let rows = set.and_then(|set| all_rows(set.read()?).map_err(|(_, error)| error));
        rows.map_err(|error| folder.text_of(&error))
    };
    assert_eq!(file("3.arrow", "x: struct<c: int64, a: int32>").unwrap(), [r#"{"c":null,"a":100}"#]);
    for (schema, lost) in
        [("struct<a: int64, c: int64>", "b"), ("struct<c: int64, d: int64>", "a"), ("struct<a: int64>", "b")]
    {
        let error = file("1.arrow", &format!("x: {schema}")).unwrap_err();
        let expected = format!(
            "1.arrow: column \"x\": struct<a: int64, b: int64> cannot be cast to {schema}, which has no field `{lost}`"
        );
        assert_eq!(error, expected);
    }
}
