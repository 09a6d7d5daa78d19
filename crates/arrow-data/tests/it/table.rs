//! Tables give the same results as one batch of all their rows, for any division into batches.

use std::num::NonZero;

use arrow_data::{ArrayData, ChunkedArray, RecordBatch, Table, Validation};
use arrow_schema::{DataType, Field, Metadata, Schema};
use arrow_select::combine_table;
use proptest::prelude::*;
use testing_support::{Generator, Nulls, Value, rows, schema_of_all_types};

use testing_support::make::{binary, int32, nulls};

fn schema(text: &str) -> Schema {
    text.parse().expect("a schema")
}

fn rows_of(table: &Table) -> Vec<Vec<Value>> {
    table.batches().flat_map(|batch| rows(&batch)).collect()
}

fn error<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.expect_err("it does not fit").to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn agrees_with_one_batch(seed: u64, n_rows in 0..60_usize) {
        let mut generator = Generator::new(seed);
        let whole = generator.batch(&schema_of_all_types(), n_rows, Nulls::Some);
        let all = rows(&whole);
        let table = Table::from(whole.clone());
        let at = |generator: &mut Generator, n: usize| generator.rng().below(n + 1);

        // The batches end at random rows, and one column is divided at other rows.
        let mut batches = Vec::new();
        let mut start = 0;
        while start < n_rows {
            let n = at(&mut generator, n_rows - start);
            batches.push(whole.slice(start, n));
            start += n;
        }
        let n_filled = batches.iter().filter(|batch| batch.n_rows() > 0).count();
        let cut = Table::try_from_batches(whole.schema().clone(), batches).expect("one schema");
        prop_assert!(cut.columns().iter().all(|column| column.n_chunks() == n_filled));
        let k = at(&mut generator, n_rows);
        let array = &whole.columns()[3];
        let halves = [array.slice(0, k), array.slice(k, n_rows - k)];
        let halves = ChunkedArray::try_new(array.data_type().clone(), halves).expect("one type");
        let cut = cut.with_column(whole.schema().fields()[3].clone(), halves).expect("as many rows");

        prop_assert_eq!(cut.n_rows(), n_rows);
        prop_assert_eq!(rows_of(&cut), all.clone());
        prop_assert!(cut.batches().all(|batch| batch.n_rows() > 0));
        prop_assert_eq!(cut.same_values(&table), Ok(true));
        prop_assert_eq!(combine_table(&cut).map(|batch| rows(&batch)), Ok(all.clone()));
        if let Some(max_rows) = NonZero::new(at(&mut generator, 9)) {
            let pieces: Vec<RecordBatch> = cut.batches().with_max_rows(max_rows).collect();
            prop_assert!(pieces.iter().all(|batch| (1..=max_rows.get()).contains(&batch.n_rows())));
            prop_assert_eq!(pieces.iter().flat_map(rows).collect::<Vec<_>>(), all.clone());
        }

        let start = at(&mut generator, n_rows);
        let n = at(&mut generator, n_rows - start);
        let slice = cut.slice(start, n);
        prop_assert_eq!(rows_of(&slice), all[start..start + n].to_vec());
        let parts = [cut.slice(0, start), table.slice(start, n_rows - start)];
        let joined = Table::concat(whole.schema().clone(), &parts).expect("one schema");
        prop_assert_eq!(joined.same_values(&cut), Ok(true));
    }
}

#[test]
fn columns_fit_the_schema() {
    let two = || ChunkedArray::from(int32(&[1, 2]));
    let table = |columns: Vec<ChunkedArray>| Table::try_new(schema("a: int32\n\"b c\": int32"), columns);
    let good = table(vec![two(), two()]).expect("it fits");
    assert_eq!((good.n_rows(), good.n_columns()), (2, 2));
    assert_eq!(error(table(vec![two()])), "the batch has 1 columns; the schema has 2");
    assert_eq!(
        error(table(vec![two(), two().slice(0, 1)])),
        "field `b c`: the column has 1 rows; the batch has 2"
    );
    let utf8 = ChunkedArray::new_empty(DataType::Utf8);
    assert_eq!(error(table(vec![two(), utf8])), "field `b c`: expected int32, found utf8");
    assert_eq!(good.column("b c").map(ChunkedArray::len), Ok(2));
    assert!(good.column_at(2).is_none() && good.column("c").is_err());
    assert_eq!(error(good.try_slice(1, 2)), "slots 1..3 are out of bounds; the array has 2 slots");
    assert_eq!(
        format!("{good:?}"),
        r#"Table { n_rows: 2, columns: [a: int32 (1 chunks), "b c": int32 (1 chunks)] }"#
    );
}

#[test]
fn conflicts_of_schemas_are_named() {
    let batch = RecordBatch::try_from_columns([("id", int32(&[1]))]).expect("one column");
    let cases = [
        ("id: int32", None),
        ("id: int64", Some("field id: expected type int64, found int32")),
        ("id: int32 not null", Some("field id: expected not null, found nullable")),
        ("key: int32", Some("field key: expected the name \"key\", found \"id\"")),
        ("id: int32\nname: utf8", Some("expected 2 fields, found 1")),
    ];
    for (text, expected) in cases {
        let result = Table::try_from_batches(schema(text), [batch.clone()]);
        match expected {
            None => assert_eq!(result.map(|table| table.n_rows()), Ok(1)),
            Some(expected) => assert_eq!(error(result), expected),
        }
    }
    let noted = schema("id: int32").with_metadata(Metadata::from_iter([("k", "v")]));
    let table = Table::try_from_batches(noted, [batch]).expect("metadata may differ");
    assert_eq!(table.schema().metadata().len(), 1);
    assert_eq!(table.batches().next().map(|batch| batch.schema().metadata().len()), Some(1));
}

#[test]
fn columns_come_and_go() {
    let batch =
        RecordBatch::try_from_columns([("a", int32(&[1, 2])), ("b", int32(&[3, 4]))]).expect("it fits");
    let table = Table::from(batch);
    let field = |name: &str| Field::new(name, DataType::Int32).required();
    let more = table.with_column(field("c"), int32(&[5, 6])).expect("it fits");
    assert_eq!(more.schema().to_string(), "a: int32\nb: int32\nc: int32 not null");
    assert_eq!(
        error(table.with_column(field("a"), int32(&[1]))),
        "field `a`: the column has 1 rows; the batch has 2"
    );
    let swapped = more.select(&["c", "a"]).expect("they exist");
    assert_eq!(swapped.schema().to_string(), "c: int32 not null\na: int32");
    assert_eq!(more.project(&[2, 0]).map(|table| table.same_values(&swapped)), Ok(Ok(true)));
    assert_eq!(
        more.project(&[3]).expect_err("three").to_string(),
        "field 3 is out of bounds; there are 3 fields, counted from 0"
    );
    let none = table.without_column("a").and_then(|table| table.without_column("b")).expect("they are there");
    assert_eq!((none.n_columns(), none.n_rows()), (0, 2));
    assert_eq!(none.batches().map(|batch| batch.n_rows()).collect::<Vec<_>>(), [2]);
    assert_eq!(none.without_column("a").expect_err("none").to_string(), r#"no field is named "a""#);
    let renamed = table.with_schema(schema("x: int32\nb: int32")).expect("two columns of int32");
    assert_eq!(renamed.same_values(&table), Ok(false));
    assert_eq!(
        error(table.with_schema(schema("x: int8\nb: int32"))),
        "field `x`: expected int8, found int32"
    );
}

#[test]
fn tables_without_columns_or_rows() {
    let empty = Table::try_from_batches(schema("a: int32"), []).expect("no rows");
    assert_eq!((empty.n_rows(), empty.batches().count()), (0, 0));
    assert_eq!(combine_table(&empty).map(|batch| (batch.n_rows(), batch.n_columns())), Ok((0, 1)));
    let rows = |n: usize| RecordBatch::try_new_with_rows(Schema::default(), [], n).expect("no columns");
    let table = Table::try_from_batches(Schema::default(), [rows(2), rows(3)]).expect("no columns");
    assert_eq!((table.n_rows(), table.slice(1, 3).n_rows()), (5, 3));
    assert_eq!(combine_table(&table).map(|batch| batch.n_rows()), Ok(5));
    let result = Table::try_from_batches(Schema::default(), [rows(2), rows(usize::MAX)]);
    assert!(result.is_err(), "{result:?}");
}

#[test]
fn content_and_required_columns_are_checked() {
    let broken = binary(&DataType::Utf8, &[0, 2], b"\xff\xff");
    let table =
        Table::from(RecordBatch::try_from_columns([("id", int32(&[1])), ("t", broken)]).expect("it fits"));
    let expected = "field `t`, bytes, slot 0: the value is not UTF-8 at its byte 0";
    assert_eq!(error(table.clone().validate(Validation::Content)), expected);
    assert_eq!(error(table.same_values(&table)), expected);
    assert_eq!(error(combine_table(&table)), expected);
    let chunks: [ArrayData; 2] = [int32(&[1]), nulls(int32(&[1, 2]), "10")];
    let column = ChunkedArray::try_new(DataType::Int32, chunks).expect("one type");
    let table = Table::try_new(schema("a: int32 not null"), vec![column]).expect("it fits");
    assert!(table.clone().validate(Validation::Content).is_ok());
    let expected = "field `a`, validity, slot 1: the value is null, but the field is not nullable";
    assert_eq!(error(table.validate(Validation::Strict)), expected);
}
