//! Values of any type are written and read back.

use arrow_data::{RecordBatch, Validation};
use arrow_schema::{DataType, Field, Schema};
use arrow_text::{CsvOptions, CsvReader, CsvWriter, JsonReader, JsonRows};
use testing_support::{Generator, Nulls, Value, all_types, rows, schema_of_all_types};

/// The rows, in which each NaN is replaced by the NaN that reading returns.
pub(crate) fn plain_rows(batches: &[RecordBatch]) -> Vec<Vec<Value>> {
    let types: Vec<DataType> = batches.first().map_or(Vec::new(), |batch| {
        batch.schema().fields().iter().map(|field| field.data_type().clone()).collect()
    });
    let mut all: Vec<Vec<Value>> = batches.iter().flat_map(rows).collect();
    for row in &mut all {
        row.iter_mut().zip(&types).for_each(|(value, data_type)| settle_nan(value, data_type));
    }
    all
}

fn settle_nan(value: &mut Value, data_type: &DataType) {
    let data_type = data_type.value_type();
    let data_type = data_type.as_run_end_encoded().map_or(data_type, |runs| runs.values().data_type());
    let data_type = data_type.value_type();
    let child = |position: usize| data_type.children()[position].data_type();
    match value {
        Value::Float(bits) => {
            let (infinity, all) = match data_type {
                DataType::Float16 => (0x7c00, 0x7fff),
                DataType::Float32 => (0x7f80_0000, 0x7fff_ffff),
                _ => (0x7ff0_0000_0000_0000, u64::MAX >> 1),
            };
            if *bits & all > infinity {
                *bits = u64::MAX;
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| settle_nan(item, child(0))),
        Value::Struct(fields) => {
            fields.iter_mut().enumerate().for_each(|(idx, field)| settle_nan(field, child(idx)));
        }
        Value::Map(entries) => {
            let map = data_type.as_map().expect("it is a map");
            for (key, value) in entries {
                settle_nan(key, map.key().data_type());
                settle_nan(value, map.value().data_type());
            }
        }
        Value::Union(type_id, value) => {
            let union = data_type.as_union().expect("it is a union");
            settle_nan(value, child(union.child_of(*type_id).expect("it is a child")));
        }
        _ => {}
    }
}

pub(crate) fn json(batch: &RecordBatch) -> String {
    let mut out = Vec::new();
    JsonRows::try_new(batch).expect("it is valid").write_to(&mut out).expect("memory takes all");
    String::from_utf8(out).expect("JSON is text")
}

pub(crate) fn csv(batch: &RecordBatch, options: CsvOptions) -> String {
    let mut out = Vec::new();
    CsvWriter::new_with(options)
        .rows(batch)
        .expect("it is valid")
        .write_to(&mut out)
        .expect("memory takes all");
    String::from_utf8(out).expect("CSV is text")
}

/// Writes a batch in every format, reads it, and compares.
fn check(what: &str, batch: &RecordBatch) {
    let expected = plain_rows(std::slice::from_ref(batch));
    let schema = batch.schema();
    let compare = |form: &str, found: Vec<RecordBatch>| {
        for batch in &found {
            assert_eq!(batch.schema(), schema, "{what}, {form}");
            batch
                .clone()
                .validate(Validation::Strict)
                .unwrap_or_else(|error| panic!("{what}, {form}: {error}"));
        }
        assert_eq!(plain_rows(&found), expected, "{what}, {form}");
    };
    let text = json(batch);
    for n_rows in [usize::MAX, 7] {
        let reader = JsonReader::try_new(text.as_bytes(), schema.clone()).expect("it is not deep");
        let found: Result<Vec<_>, _> = reader.with_batch_rows(n_rows).collect();
        compare("JSON", found.unwrap_or_else(|error| panic!("{what}: {error}\n{text}")));
    }
    let options = [
        CsvOptions::new(),
        CsvOptions::new().with_crlf().without_header(),
        CsvOptions::new().with_delimiter(b'\t').expect("it may stand between cells"),
        // Values that a reader would take for comments and nulls are quoted.
        CsvOptions::new().with_comment(b'-').expect("it is no delimiter").with_usual_nulls(),
        ["true", "0", "null", "NaN", "x"]
            .into_iter()
            .fold(CsvOptions::new(), |options, text| options.with_null_text(text).expect("they are short")),
    ];
    for options in options {
        let text = csv(batch, options);
        let reader = CsvReader::try_new_with(text.as_bytes(), schema.clone(), options);
        let reader = reader.expect("it is not deep");
        let found: Result<Vec<_>, _> = reader.with_batch_rows(11).collect();
        compare("CSV", found.unwrap_or_else(|error| panic!("{what}: {error}\n{text}")));
    }
}

#[test]
fn every_type_reads_back() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        let fields = [Field::new("id", DataType::Int8).required(), Field::new(name.as_str(), data_type)];
        let schema = Schema::new(fields);
        for nulls in Nulls::ALL {
            for n_rows in [0, 1, 9, 60] {
                let batch = generator.batch(&schema, n_rows, nulls);
                check(&name, &batch);
                check(&name, &batch.slice(n_rows / 3, n_rows / 2));
            }
        }
    }
}

#[test]
fn all_types_at_once_read_back() {
    let mut generator = Generator::new(99);
    let schema = schema_of_all_types();
    for batch in generator.batches(&schema, &[40, 3, 0, 70]) {
        check("all types", &batch);
    }
}

#[test]
fn repeated_names_read_back() {
    let fields = [DataType::Int32, DataType::Utf8, DataType::Boolean];
    let schema = Schema::new(fields.map(|data_type| Field::new("a", data_type)));
    for batch in Generator::new(3).batches(&schema, &[20, 20, 20, 20]) {
        check("repeated names", &batch);
    }
}

/// In a single column, a null and an empty text are both a pair of quotes.
#[test]
fn single_columns_read_back() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = Schema::new([Field::new("only", data_type.clone())]);
        let values = data_type.as_run_end_encoded().map_or(&data_type, |runs| runs.values().data_type());
        let values = values.value_type();
        let has_empty_text = values.is_text() || values.is_binary();
        let nulls = if has_empty_text { Nulls::None } else { Nulls::Some };
        let batch = Generator::new(seed as u64).batch(&schema, 50, nulls);
        if has_empty_text && plain_rows(std::slice::from_ref(&batch)).contains(&vec![Value::Null]) {
            continue;
        }
        check(&name, &batch);
    }
}
