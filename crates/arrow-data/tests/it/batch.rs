//! Batches and what their schema has to do with their columns.

use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, Metadata, Schema};

use crate::make::{array, int32, struct_};

fn error(result: Result<RecordBatch, arrow_data::DataError>) -> String {
    result.expect_err("it does not fit").to_string()
}

#[test]
fn columns_fit_the_schema() {
    let schema = Schema::new([Field::new("a", DataType::Int32), Field::new("b c", DataType::Int32)]);
    let batch = |columns: Vec<ArrayData>| RecordBatch::try_new(schema.clone(), columns);
    let good = batch(vec![int32(&[1, 2]), int32(&[3, 4])]).expect("it fits");
    assert_eq!((good.n_rows(), good.n_columns()), (2, 2));
    assert_eq!(error(batch(vec![int32(&[1])])), "the schema has 2 columns, 1 are given");
    assert_eq!(
        error(batch(vec![int32(&[1, 2]), int32(&[3])])),
        "field `b c`: the column has 1 rows, the batch 2"
    );
    let utf8 = ArrayData::empty(&DataType::Utf8);
    assert_eq!(
        error(batch(vec![int32(&[]), utf8])),
        "field `b c`: the type is int32, the array given is utf8"
    );
    let columns = good.columns().to_vec();
    assert_eq!(
        error(RecordBatch::try_new_with_rows(schema.clone(), columns, 3)),
        "field `a`: the column has 2 rows, the batch 3"
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
    assert_eq!(batch.project(&[3]).expect_err("three columns").to_string(), "there is no field 3 among 3");
}

/// Metadata of nested fields is a matter of the schema, not of the columns.
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
