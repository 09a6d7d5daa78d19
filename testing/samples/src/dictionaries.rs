//! Samples whose dictionaries are used late or not at all, or change from batch to batch.

use std::sync::Arc;

use arrow_array::{DictionaryArray, Int16Array};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Field, IndexType, RunEndType, Schema, UnionMode};
use testing_support::{Generator, Nulls};

use crate::Sample;

pub(crate) fn samples(generator: &mut Generator) -> Vec<Sample> {
    let [late, unused] = late_dictionaries(generator);
    let mut samples = vec![late, unused, replaced(generator), growing(generator)];
    samples.extend(odd_values(generator));
    samples
}

/// Dictionaries whose values have types that few libraries support: views, list views, maps, unions and runs.
fn odd_values(generator: &mut Generator) -> Vec<Sample> {
    let item = || Field::new("item", DataType::Utf8);
    let union = |mode| {
        let fields = [(0, Field::new("number", DataType::Int32)), (5, Field::new("text", DataType::Utf8))];
        DataType::union(mode, fields).expect("the ids are legal")
    };
    let types = [
        ("utf8-views", DataType::Utf8View),
        ("list-views", DataType::list_view(item())),
        (
            "maps",
            DataType::map(Field::new("key", DataType::Utf8).required(), Field::new("value", DataType::Int8)),
        ),
        ("sparse-unions", union(UnionMode::Sparse)),
        ("dense-unions", union(UnionMode::Dense)),
        ("runs", DataType::run_end_encoded(RunEndType::Int32, DataType::Utf8)),
    ];
    let sample = |(name, value): (&str, DataType)| {
        let schema = schema_of(&[value]);
        let whole = generator.batch(&schema, 40, Nulls::Some);
        Sample {
            name: format!("dictionary-values-{name}"),
            about: format!("dictionaries of {name}"),
            batches: vec![whole.slice(3, 21), whole.slice(0, 0), whole],
            schema,
            nulls: Nulls::Some,
            dictionaries_change: false,
        }
    };
    types.into_iter().map(sample).collect()
}

fn dictionary(value: DataType) -> DataType {
    DataType::dictionary(IndexType::Int16, value).expect("the value is plain")
}

/// Dictionaries that are used late or not at all. The batches before bring other dictionaries, and do not use these.
fn late_dictionaries(generator: &mut Generator) -> [Sample; 2] {
    let words = dictionary(DataType::Utf8);
    let lists = dictionary(DataType::list(Field::new("item", words.clone())));
    let schema = Arc::new(Schema::new([Field::new("words", words), Field::new("lists", lists)]));
    let unused = generator.batch(&schema, 3, Nulls::All);
    let others = generator.batch(&schema, 9, Nulls::All);
    let used = generator.batch(&schema, 20, Nulls::Some);
    let sample = |name: &str, about: &str, batches| {
        let (name, about, schema) = (name.to_owned(), about.to_owned(), schema.clone());
        Sample { name, about, schema, batches, nulls: Nulls::Some, dictionaries_change: false }
    };
    [
        sample(
            "late-dictionaries",
            "dictionaries that are needed late",
            vec![unused.slice(0, 0), unused.clone(), others.clone(), used.slice(5, 9), others.clone(), used],
        ),
        sample("unused-dictionaries", "dictionaries that are not needed", vec![unused, others]),
    ]
}

/// Value types with each kind of layout that other implementations allow in dictionaries.
fn value_types() -> [DataType; 5] {
    let item = Field::new("item", DataType::Utf8);
    [DataType::Utf8, DataType::Int64, DataType::Boolean, DataType::LargeBinary, DataType::list(item)]
}

fn schema_of(value_types: &[DataType]) -> Arc<Schema> {
    let field = |(k, value): (usize, &DataType)| Field::new(format!("c{k}"), dictionary(value.clone()));
    Arc::new(Schema::new(value_types.iter().enumerate().map(field).collect::<Vec<_>>()))
}

fn replaced(generator: &mut Generator) -> Sample {
    let schema = schema_of(&value_types());
    Sample {
        name: "replaced-dictionaries".to_owned(),
        about: "each batch has dictionaries of its own".to_owned(),
        batches: [20, 0, 7, 13].map(|n_rows| generator.batch(&schema, n_rows, Nulls::Some)).into(),
        schema,
        nulls: Nulls::Some,
        dictionaries_change: true,
    }
}

fn growing(generator: &mut Generator) -> Sample {
    let types = value_types();
    let schema = schema_of(&types);
    let longest = types.map(|value| generator.array(&value, 40, Nulls::Some));
    let batch = |n_values: i16| {
        let columns = longest.iter().map(|values| {
            let values = values.slice(0, n_values.unsigned_abs().into());
            let keys = (0..9).map(|k| (k % 4 != 3).then_some(n_values - 1 - k % n_values));
            DictionaryArray::try_new(Int16Array::from_iter(keys), values)
                .expect("the keys are within")
                .into_data()
        });
        RecordBatch::try_new(schema.clone(), columns.collect::<Vec<_>>()).expect("the columns fit")
    };
    Sample {
        name: "growing-dictionaries".to_owned(),
        about: "the dictionaries of a batch begin with those of the one before".to_owned(),
        batches: [3, 3, 8, 17, 40].map(batch).into(),
        schema: schema.clone(),
        nulls: Nulls::Some,
        dictionaries_change: true,
    }
}
