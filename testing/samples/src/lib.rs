//! Batches of every type, which other implementations read in `testing/peers` and `testing/python`.
//!
//! They are made by the generator of `testing-support`. Some arrays are [rebuilt] by builders.
//!
//! Each type has samples without nulls, with some nulls, with only nulls, and with garbage in null slots. Arrays are
//! whole, slices, or without rows.
#![forbid(unsafe_code)]

mod build;
mod dictionaries;
mod extensions;
mod planned;
mod tensors;
mod variants;

pub use crate::{
    build::{append, rebuilt, rebuilt_batch},
    planned::planned,
    tensors::{TensorSample, tensor_samples},
    variants::{Variant, variants},
};

use std::sync::Arc;

use arrow_array::{
    BinaryViewArray, Float64Array, Int8Array, Int64Array, LargeUtf8Array, UInt64Array, Utf8Array,
    Utf8ViewArray,
};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Field, Metadata, Schema};
use testing_support::{Generator, Nulls, all_types};

/// The content of one stream and one file.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The name in lower case, with hyphens.
    pub name: String,
    /// A description of the sample.
    pub about: String,
    /// The schema of all batches.
    pub schema: Arc<Schema>,
    /// The batches. The arrays are valid at the strict level.
    pub batches: Vec<RecordBatch>,
    /// Which slots are null.
    pub nulls: Nulls,
    /// Whether dictionaries change between batches. Files do not support all such changes.
    pub dictionaries_change: bool,
}

/// All samples. The same seed gives the same samples.
pub fn samples(seed: u64) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (type_idx, (name, data_type)) in all_types().into_iter().enumerate() {
        for (nulls_idx, nulls) in Nulls::ALL.into_iter().enumerate() {
            let mut generator = Generator::new(seed ^ (16 * type_idx + nulls_idx) as u64);
            samples.push(sample_of(&mut generator, &name, &data_type, nulls));
        }
        for (nulls_idx, nulls) in [Nulls::Some, Nulls::None, Nulls::All].into_iter().enumerate() {
            let mut generator = Generator::new(seed ^ (16 * type_idx + 15 - nulls_idx) as u64);
            samples.push(built(&mut generator, &name, &data_type, nulls));
        }
    }
    samples.push(extremes());
    samples.push(all_columns(&mut Generator::new(seed)));
    samples.push(shared_buffers(&mut Generator::new(seed)));
    samples.push(metadata(&mut Generator::new(seed)));
    samples.push(extensions::extensions(&mut Generator::new(seed)));
    samples.extend(without_data());
    samples.extend(dictionaries::samples(&mut Generator::new(seed)));
    samples
}

/// A sample of one type. The batches are slices of one array, so that all have the same dictionaries, as files require.
fn sample_of(generator: &mut Generator, name: &str, data_type: &DataType, nulls: Nulls) -> Sample {
    let schema = Arc::new(Schema::new([Field::new("column", data_type.clone())]));
    let whole = RecordBatch::try_new(schema.clone(), vec![generator.array(data_type, 40, nulls)])
        .expect("the column is of this type");
    let slices = [(3, 21), (0, 0), (17, 1), (24, 16)].map(|(start, n_rows)| whole.slice(start, n_rows));
    Sample {
        name: format!("{}-{}", file_name(name), word(nulls)),
        about: format!("{name}, nulls: {}", word(nulls)),
        schema,
        batches: [vec![whole], slices.into()].concat(),
        nulls,
        dictionaries_change: false,
    }
}

/// A sample of arrays from builders. A rebuilt dictionary has other values, so there is only one batch, and a slice of
/// it.
fn built(generator: &mut Generator, name: &str, data_type: &DataType, nulls: Nulls) -> Sample {
    let schema = Arc::new(Schema::new([Field::new("column", data_type.clone())]));
    let array = rebuilt(&generator.array(data_type, 50, nulls)).expect("the values are of this type");
    let whole = RecordBatch::try_new(schema.clone(), vec![array]).expect("the column is of this type");
    let batches = vec![whole.slice(0, 0), whole.slice(11, 30), whole];
    let (name, nulls_word) = (file_name(name), word(nulls));
    let about = format!("{name}, from a builder, nulls: {nulls_word}");
    Sample {
        name: format!("{name}-built-{nulls_word}"),
        about,
        schema,
        batches,
        nulls,
        dictionaries_change: false,
    }
}

/// Columns that share memory, which can be written once.
fn shared_buffers(generator: &mut Generator) -> Sample {
    let types = [("int64", DataType::Int64), ("utf8", DataType::Utf8), ("bool", DataType::Boolean)];
    let arrays = types.map(|(name, data_type)| (name, generator.array(&data_type, 900, Nulls::Some)));
    let columns = arrays.iter().chain(&arrays).enumerate();
    let columns = columns.map(|(idx, (name, array))| (format!("{name}-{idx}"), array.clone()));
    let batch = RecordBatch::try_from_columns(columns.collect::<Vec<_>>()).expect("columns of one length");
    Sample {
        name: "shared-buffers".to_owned(),
        about: "columns in the same memory".to_owned(),
        schema: batch.schema().clone(),
        batches: vec![batch.clone(), batch.slice(64, 800)],
        nulls: Nulls::Some,
        dictionaries_change: false,
    }
}

/// The least and greatest numbers, text with characters of one to four bytes, and values that are just short enough and
/// just too long to be inlined in a view.
fn extremes() -> Sample {
    let texts =
        ["", "é", "龍", "🐉", "twelve bytes", "thirteen byte", "zwölf 🐉🐉🐉", "\u{7f}\u{ffff}\u{10ffff}"];
    let columns = [
        ("int8", Int8Array::from_iter([i8::MIN, i8::MAX, -1, 0, 1, 2, 3, 4]).into()),
        ("int64", Int64Array::from_iter([i64::MIN, i64::MAX, -1, 0, 1, 2, 3, 4]).into()),
        ("uint64", UInt64Array::from_iter([u64::MAX, 0, 1, 1 << 63, 2, 3, 4, 5]).into()),
        (
            "float64",
            Float64Array::from_iter([
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                -0.0,
                f64::MIN,
                f64::MAX,
                f64::MIN_POSITIVE,
                f64::from_bits(1),
            ])
            .into(),
        ),
        ("utf8", Utf8Array::try_from_iter(texts).expect("few bytes").into()),
        ("large_utf8", LargeUtf8Array::from_iter(texts).into()),
        ("utf8_view", Utf8ViewArray::from_iter(texts).into()),
        ("binary_view", BinaryViewArray::from_iter(texts.map(str::as_bytes)).into()),
    ];
    let whole = RecordBatch::try_from_columns(columns).expect("eight rows");
    let (name, about) = ("extremes-built".to_owned(), "extreme values, from builders".to_owned());
    let batches = vec![whole.clone(), whole.slice(1, 6)];
    Sample {
        name,
        about,
        schema: whole.schema().clone(),
        batches,
        nulls: Nulls::None,
        dictionaries_change: false,
    }
}

fn all_columns(generator: &mut Generator) -> Sample {
    let schema = Arc::new(testing_support::schema_of_all_types());
    let whole = generator.batch(&schema, 33, Nulls::Some);
    Sample {
        name: "every-type".to_owned(),
        about: "a column of every type".to_owned(),
        schema,
        batches: vec![whole.slice(0, 0), whole.slice(7, 9), whole],
        nulls: Nulls::Some,
        dictionaries_change: false,
    }
}

fn metadata(generator: &mut Generator) -> Sample {
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<Metadata>();
    let item = Field::new("item", DataType::Utf8).with_metadata(pairs(&[("on", "item")]));
    let uuid = DataType::FixedSizeBinary(16u16.into());
    let fields = [
        Field::new("id", uuid).required().with_metadata(pairs(&[("ARROW:extension:name", "arrow.uuid")])),
        Field::new("list", DataType::list(item))
            .with_metadata(pairs(&[("on", "list"), ("ключ", "值\n\"\\")])),
    ];
    let top = pairs(&[("zebra", "1"), ("apple", ""), ("", "an empty key")]);
    let schema = Arc::new(Schema::new(fields).with_metadata(top));
    Sample {
        name: "metadata".to_owned(),
        about: "custom metadata of schema and fields".to_owned(),
        batches: vec![generator.batch(&schema, 5, Nulls::Some)],
        schema,
        nulls: Nulls::Some,
        dictionaries_change: false,
    }
}

fn without_data() -> [Sample; 3] {
    let sample = |name: &str, about: &str, schema: Schema, n_rows: &[usize]| {
        let schema = Arc::new(schema);
        let batch = |n_rows: &usize| {
            RecordBatch::try_new_with_rows(schema.clone(), vec![], *n_rows).expect("there are no columns")
        };
        let batches = n_rows.iter().map(batch).collect();
        Sample {
            name: name.to_owned(),
            about: about.to_owned(),
            schema,
            batches,
            nulls: Nulls::None,
            dictionaries_change: false,
        }
    };
    let every = testing_support::schema_of_all_types();
    [
        sample("no-columns", "batches of 3, 0 and 2 rows without columns", Schema::default(), &[3, 0, 2]),
        sample("nothing", "no columns and no batches", Schema::default(), &[]),
        sample("every-type-no-batches", "a column of every type, no batches", every, &[]),
    ]
}

/// The word for nulls in the name of a sample.
fn word(nulls: Nulls) -> &'static str {
    match nulls {
        Nulls::None => "full",
        Nulls::Some => "nulls",
        Nulls::All => "all-null",
        Nulls::Garbage => "garbage",
    }
}

/// The name of a file for a type: `timestamp(us, "UTC")` becomes `timestamp-us-utc`. A minus sign and an empty text
/// become words.
fn file_name(name: &str) -> String {
    let plain: String = name
        .to_ascii_lowercase()
        .replace(" -", " minus ")
        .replace("\"\"", "empty")
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { ' ' })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let samples = samples(0);
        let names: BTreeSet<&str> = samples.iter().map(|sample| sample.name.as_str()).collect();
        assert_eq!(names.len(), samples.len());
    }
}
