//! Tests batches, and the rules for their schema and their columns.

use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, Metadata, Schema};

use testing_support::{Generator, Nulls, all_types};

use testing_support::make::{array, binary, int32, nulls, struct_};

fn error(result: Result<RecordBatch, arrow_data::DataError>) -> String {
    result.expect_err("it does not fit").to_string()
}

#[test]
fn columns_fit_the_schema() {
    let schema = Schema::new([Field::new("a", DataType::Int32), Field::new("b c", DataType::Int32)]);
    let batch = |columns: Vec<ArrayData>| RecordBatch::try_new(schema.clone(), columns);
    let good = batch(vec![int32(&[1, 2]), int32(&[3, 4])]).expect("it fits");
    assert_eq!((good.n_rows(), good.n_columns()), (2, 2));
    assert_eq!(error(batch(vec![int32(&[1])])), "the batch has 1 columns; the schema has 2");
    assert_eq!(
        error(batch(vec![int32(&[1, 2]), int32(&[3])])),
        "field `b c`: the column has 1 rows; the batch has 2"
    );
    let utf8 = ArrayData::new_empty(&DataType::Utf8);
    assert_eq!(error(batch(vec![int32(&[]), utf8])), "field `b c`: expected int32, found utf8");
    let columns = good.columns().to_vec();
    assert_eq!(
        error(RecordBatch::try_new_with_rows(schema.clone(), columns, 3)),
        "field `a`: the column has 2 rows; the batch has 3"
    );
}

#[test]
fn batches_without_columns_have_rows() {
    let batch = RecordBatch::try_new_with_rows(Schema::default(), vec![], 7).expect("it fits");
    assert_eq!((batch.n_rows(), batch.slice(2, 4).n_rows()), (7, 4));
    let empty = RecordBatch::try_new(Schema::default(), vec![]).expect("it fits");
    assert_eq!(empty.n_rows(), 0);
    let one = RecordBatch::try_from_columns([("a", int32(&[1, 2, 3]))]).expect("it fits");
    assert_eq!(one.project(&[]).map(|batch| (batch.n_rows(), batch.n_columns())), Ok((3, 0)));
}

#[test]
fn columns_are_found() {
    let batch = RecordBatch::try_from_columns([("a", int32(&[1])), ("b", int32(&[2])), ("b", int32(&[3]))]);
    let batch = batch.expect("names may repeat");
    assert_eq!(batch.column("a").map(ArrayData::len), Ok(1));
    for (name, expected) in [("b", r#"2 fields are named "b""#), ("c", r#"no field is named "c""#)] {
        assert_eq!(batch.column(name).expect_err("not one").to_string(), expected);
    }
    assert_eq!(batch.column_at(2).map(|column| column.buffer(0).as_slice()[0]), Some(3));
    assert!(batch.column_at(3).is_none());
    let swapped = batch.project(&[2, 0]).expect("they exist");
    assert_eq!(swapped.schema().to_string(), "b: int32\na: int32");
    assert_eq!(
        batch.project(&[3]).expect_err("three columns").to_string(),
        "field 3 is out of bounds; there are 3 fields, counted from 0"
    );
}

/// Metadata of nested fields may differ between the schema and the columns.
#[test]
fn metadata_does_not_matter() {
    let plain = Field::new("x", DataType::Int32);
    let noted = plain.clone().with_metadata(Metadata::from_iter([("unit", "mm")]));
    let schema = Schema::new([Field::new("s", DataType::struct_([noted.clone()]))]);
    let column = struct_(vec![(plain, int32(&[1]))]);
    let batch = RecordBatch::try_new(schema, vec![column]).expect("types are equal but for metadata");
    assert_eq!(batch.schema().fields()[0].children()[0], noted);
    let required = Schema::new([batch.schema().fields()[0].clone().required()]);
    assert!(batch.with_schema(required).is_ok());
    let parts = ArrayParts {
        children: Some(vec![int32(&[1])].into()),
        ..ArrayParts::new(DataType::struct_([noted]), 1)
    };
    assert_eq!(array(parts).len(), 1);
}

#[test]
fn columns_come_and_go() {
    let batch =
        RecordBatch::try_from_columns([("a", int32(&[1, 2])), ("b", int32(&[3, 4]))]).expect("it fits");
    let noted =
        Schema::new(batch.schema().fields().to_vec()).with_metadata(Metadata::from_iter([("k", "v")]));
    let batch = batch.with_schema(noted).expect("the same columns");
    let field = |name: &str| Field::new(name, DataType::Int32).required();

    let more = batch.with_column(field("c"), int32(&[5, 6])).expect("it fits");
    assert_eq!(more.schema().to_string(), "a: int32\nb: int32\nc: int32 not null");
    let other = batch.with_column(field("a"), int32(&[7, 8])).expect("it fits");
    assert_eq!(other.schema().to_string(), "a: int32 not null\nb: int32");
    assert_eq!(other.column("a").expect("it is there").buffer(0).view::<i32>(), Ok(&[7, 8][..]));
    assert_eq!(other.schema().metadata(), batch.schema().metadata());

    assert_eq!(
        error(batch.with_column(field("c"), int32(&[1]))),
        "field `c`: the column has 1 rows; the batch has 2"
    );
    let utf8 = ArrayData::new_empty(&DataType::Utf8);
    assert_eq!(error(batch.with_column(field("b"), utf8)), "field `b`: expected int32, found utf8");
    let twice =
        batch.with_schema("b: int32\nb: int32".parse::<Schema>().expect("a schema")).expect("two columns");
    assert_eq!(error(twice.with_column(field("b"), int32(&[1, 2]))), r#"2 fields are named "b""#);

    let less = batch.without_column("a").expect("it is there");
    assert_eq!((less.schema().to_string().as_str(), less.schema().metadata().len()), ("b: int32", 1));
    let none = less.without_column("b").expect("it is there");
    assert_eq!((none.n_columns(), none.n_rows()), (0, 2));
    for (batch, expected) in [(&none, r#"no field is named "b""#), (&twice, r#"2 fields are named "b""#)] {
        assert_eq!(batch.without_column("b").expect_err(expected).to_string(), expected);
    }
}

#[test]
fn schemas_are_exchanged() {
    let inner = Field::new("x", DataType::Int32);
    let column = struct_(vec![(inner, int32(&[1, 2]))]);
    let batch = RecordBatch::try_from_columns([("s", column)]).expect("it fits");
    let cases = [
        ("s: struct<x: int32>", None),
        ("renamed: struct<x: int32> not null", None),
        ("s: struct<y: int32>", Some("field `s`: expected struct<y: int32>, found struct<x: int32>")),
        (
            "s: struct<x: int32 not null>",
            Some("field `s`: expected struct<x: int32 not null>, found struct<x: int32>"),
        ),
        ("", Some("the batch has 1 columns; the schema has 0")),
    ];
    for (schema, expected) in cases {
        let found = batch.with_schema(schema.parse::<Schema>().expect("a schema"));
        match (found, expected) {
            (Ok(found), None) => {
                assert_eq!((found.schema().to_string().as_str(), found.n_rows()), (schema, 2))
            }
            (Err(error), Some(expected)) => assert_eq!(error.to_string(), expected),
            (found, expected) => panic!("{schema}: {found:?}, expected {expected:?}"),
        }
    }
}

#[test]
fn columns_are_found_by_the_text_of_a_path() {
    let column = struct_(vec![(Field::new("x.y", DataType::Int32), int32(&[1, 2]))]);
    let batch = RecordBatch::try_from_columns([("s", column)]).expect("it fits");
    let found = batch.column_by_path(r#"s."x.y""#).expect("it is there");
    assert_eq!(found.same_values(&int32(&[1, 2])), Ok(true));
    let cases = [
        ("", "the path of the column is empty"),
        ("t", r#"no field is named "t""#),
        ("s.x", r#"in s: no field is named "x""#),
    ];
    for (path, expected) in cases {
        assert_eq!(batch.column_by_path(path).expect_err(expected).to_string(), expected);
    }
}

#[test]
fn debug_says_what_it_is_in_little_text() {
    let column = nulls(int32(&[1, 2]), "10");
    let batch =
        RecordBatch::try_from_columns([("a", column.clone()), ("b", int32(&[3, 4]))]).expect("it fits");
    assert_eq!(
        format!("{batch:?}"),
        "RecordBatch { n_rows: 2, columns: [a: int32 [1, null], b: int32 [3, 4]] }"
    );
    assert_eq!(
        format!("{column:?}"),
        "ArrayData { data_type: int32, values: [1, null], n_slots: 2, null_count: 1, buffer_bytes: [8], checked: Structure }"
    );

    let fields = (0..1_000).map(|k| Field::new(format!("column {k}"), DataType::Int32));
    let wide = struct_(fields.map(|field| (field, int32(&[0; 100]))).collect());
    let names = (0..1_000).map(|k| (format!("column {k}"), wide.clone()));
    let wide = RecordBatch::try_from_columns(names.collect::<Vec<_>>()).expect("it fits");
    let (text, column) = (format!("{wide:?}"), format!("{:?}", wide.columns()[0]));
    assert!(text.len() < 20 * 450 && text.ends_with("n_more_columns: 980 }"), "{text}");
    assert!(column.len() < 600 && column.contains("…"), "{column}");
}

#[test]
fn batches_may_cross_a_caught_panic() {
    fn check<T: std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    check::<RecordBatch>();
    check::<ArrayData>();
}

/// `Debug` of each type prints its first values, also of invalid content, and never much.
#[test]
fn debug_shows_the_first_values() {
    let mut generator = Generator::new(3);
    for (name, data_type) in all_types() {
        for n_slots in [0, 1, 30] {
            let array = generator.sliced_array(&data_type, n_slots, Nulls::Some);
            let text = format!("{array:?}");
            assert!(text.len() < 900 && text.contains("values: ["), "{name}: {text}");
        }
    }
    let text = |array: &ArrayData| {
        let batch = RecordBatch::try_from_columns([("a", array.clone())]).expect("a column");
        let text = format!("{batch:?}");
        text.split_once("columns: [a: ").expect("a column").1.trim_end_matches("] }").to_owned()
    };
    let words = binary(&DataType::Utf8, &[0, 3, 3], b"ada");
    assert_eq!(text(&words), r#"utf8 ["ada", ""]"#);
    assert_eq!(text(&binary(&DataType::Utf8, &[0, 9, 3], b"ada")), "utf8 invalid");
    assert_eq!(text(&int32(&[7; 12])), "int32 [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, … 2 more]");
    let structs = struct_(vec![(Field::new("x", DataType::Utf8), words)]);
    assert_eq!(text(&structs), r#"struct<x: utf8> [{x: "ada"}, {x: ""}]"#);
}
