//! Compares inputs with different schemas.

use std::path::Path;

use arrow_array::{Int32Array, LargeUtf8Array, NullArray, Utf8ViewArray};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::WriteOptions;
use arrow_schema::{DataType, Field, Metadata, Schema};

use super::{Columns, batch, check, encoded, ints, people, texts, write_file, write_stream};
use crate::program::{run, temporary_folder};

/// Changes the fields of a batch.
fn with_fields(batch: &RecordBatch, change: impl Fn(&Field) -> Field) -> RecordBatch {
    let fields: Vec<Field> = batch.schema().fields().iter().map(change).collect();
    let schema = Schema::new(fields).with_metadata(batch.schema().metadata().clone());
    RecordBatch::try_new_with_rows(schema, batch.columns(), batch.n_rows()).unwrap()
}

fn with_metadata(batch: &RecordBatch, pairs: &[(&str, &str)]) -> RecordBatch {
    let schema = Schema::new(batch.schema().fields()).with_metadata(pairs.iter().copied().collect());
    RecordBatch::try_new_with_rows(schema, batch.columns(), batch.n_rows()).unwrap()
}

#[test]
fn differing_schemas_are_said() {
    let base = || vec![("id", ints([1, 2])), ("name", texts(["x", "y"])), ("zip", ints([5, 6]))];
    let a = batch(base());
    let changed = |change: &dyn Fn(&mut Columns<'static>)| {
        let mut columns = base();
        change(&mut columns);
        batch(columns)
    };
    let unit = |unit: &str| {
        let metadata = Metadata::from_iter([("unit", unit)]);
        with_fields(&a, |field| match field.name() {
            "zip" => field.clone().with_metadata(metadata.clone()),
            _ => field.clone(),
        })
    };
    let inside = |street: DataType| {
        with_nested(Field::new("address", DataType::struct_([Field::new("street", street)])))
    };
    let cases: [(RecordBatch, RecordBatch, &[&str], &str); 19] = [
        (a.clone(), changed(&|c| drop(c.remove(1))), &[], "field name: utf8, only in A\n"),
        (changed(&|c| drop(c.remove(0))), a.clone(), &[], "field id: int64, only in B\n"),
        (
            a.clone(),
            changed(&|c| c[2].0 = "postcode"),
            &[],
            "field zip: named \"zip\" in A, \"postcode\" in B\n",
        ),
        (
            a.clone(),
            changed(&|c| c[2] = ("postcode", ints([5, 7]))),
            &[],
            "field zip: named \"zip\" in A, \"postcode\" in B\nrow 1, field zip: 6 in A, 7 in B\n1 of 2 rows differs\n",
        ),
        (
            a.clone(),
            changed(&|c| c[2].1 = Int32Array::from_iter([5, 6]).into()),
            &[],
            "field zip: int64 in A, int32 in B, compared as int64\n",
        ),
        (
            a.clone(),
            changed(&|c| c[1].1 = encoded(&["y", "x"], &[1, 0])),
            &[],
            "field name: utf8 in A, dictionary<int8, utf8> in B, which hold the same values\n",
        ),
        (
            changed(&|c| c[1].1 = LargeUtf8Array::try_from_iter(["x", "y"]).unwrap().into()),
            changed(&|c| c[1].1 = Utf8ViewArray::from_iter(["x", "z"]).into()),
            &[],
            "field name: large_utf8 in A, utf8_view in B, which hold the same values\n\
             row 1, field name: \"y\" in A, \"z\" in B\n1 of 2 rows differs\n",
        ),
        (a.clone(), changed(&|c| c.swap(0, 1)), &[], "order of columns: id, name in A, name, id in B\n"),
        (
            a.clone(),
            changed(&|c| {
                c.rotate_left(1);
                c[0].1 = texts(["x", "n"]);
            }),
            &[],
            "order of columns: id, name, zip in A, name, zip, id in B\n\
             row 1, field name: \"y\" in A, \"n\" in B\n1 of 2 rows differs\n",
        ),
        (
            a.clone(),
            with_fields(&a, |field| field.clone().required()),
            &["--columns", "id"],
            "field id: nullable in A, not null in B\n",
        ),
        (a.clone(), unit("mm"), &[], "metadata of field zip, \"unit\": \"mm\", only in B\n"),
        (unit("cm"), unit("mm"), &[], "metadata of field zip, \"unit\": \"cm\" in A, \"mm\" in B\n"),
        (unit("cm"), unit("mm"), &["--ignore-metadata"], ""),
        (unit("cm"), unit("mm"), &["--columns", "name,id"], ""),
        (
            with_metadata(&a, &[("k", "1"), ("same", ""), ("k", "2"), ("e", "\u{1b}")]),
            with_metadata(&a, &[("same", ""), ("k", "1"), ("new", "")]),
            &[],
            "metadata of the schema, \"k\": \"1\", \"2\" in A, \"1\" in B\n\
             metadata of the schema, \"e\": \"\\u001b\", only in A\nmetadata of the schema, \"new\": \"\", only in B\n",
        ),
        (with_metadata(&a, &[("a", "1"), ("b", "2")]), with_metadata(&a, &[("b", "2"), ("a", "1")]), &[], ""),
        (
            inside(DataType::Utf8),
            inside(DataType::Int8),
            &[],
            "field address.street: utf8 in A, int8 in B\nfield address: values of these types are not compared\n",
        ),
        (
            with_nested(Field::new("l", DataType::list(Field::new("item", DataType::Utf8)))),
            with_nested(Field::new(
                "l",
                DataType::list(Field::new("element", DataType::Utf8View).required()),
            )),
            &[],
            "field l.item: named \"item\" in A, \"element\" in B\nfield l.item: nullable in A, not null in B\n\
             field l.item: utf8 in A, utf8_view in B, which hold the same values\n",
        ),
        (batch(vec![]), batch(vec![("n", NullArray::new(0).into())]), &[], "field n: null, only in B\n"),
    ];
    for (a, b, args, expected) in cases {
        check(&[a], &[b], args, expected);
    }
}

/// A batch with this column and without rows.
fn with_nested(field: Field) -> RecordBatch {
    let column = ArrayData::new_empty(field.data_type());
    RecordBatch::try_new(Schema::new([field]), [column]).unwrap()
}

#[test]
fn metadata_of_the_whole_is_compared() {
    let folder = temporary_folder();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let options = WriteOptions::default();
    write_file(&a, &[people(None)], options.clone());
    let options = options.with_file_metadata(Metadata::from_iter([("writer", "1")]));
    write_stream(&b, &[people(None)], options);
    let outcome = run([Path::new("diff"), &a, &b]);
    assert_eq!(
        (outcome.status, outcome.differences()),
        (1, "metadata of the whole, \"writer\": \"1\", only in B\n")
    );
    run([Path::new("diff"), &a, &b, Path::new("--ignore-metadata")]).expect(&[0]);
}
