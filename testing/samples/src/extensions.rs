//! Columns of extension types.

use std::sync::Arc;

use arrow_schema::{
    Bool8, CanonicalExtension, DataType, Extension, Field, FixedShapeTensor, FixedSize, IndexType, Json,
    Opaque, ParquetVariant, Schema, TimeUnit, TimestampWithOffset, Uuid, VariableShapeTensor,
};
use testing_support::{Generator, Nulls};

use crate::Sample;

/// A column for each canonical extension type, named after the type, and a column of an unknown extension type. The
/// values are those of the storage type.
pub(super) fn extensions(generator: &mut Generator) -> Sample {
    let columns = canonical().into_iter().enumerate().map(|(column_idx, (extension, storage))| {
        let field = Field::new(format!("{}/{column_idx}", extension.name()), storage);
        field.with_canonical_extension(&extension).expect("the storage is that of the type")
    });
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).expect("the value is plain");
    let unknown = Extension { name: "example.unheard_of", metadata: Some("{\"a\": 1}") };
    let unknown = Field::new("unknown", words).with_extension(unknown);
    let schema = Arc::new(Schema::new(columns.chain([unknown]).collect::<Vec<_>>()));
    let whole = generator.batch(&schema, 12, Nulls::Some);
    Sample {
        name: "extensions".to_owned(),
        about: "a column of each canonical extension type, and of an unknown one".to_owned(),
        dictionaries_change: false,
        batches: vec![whole.slice(3, 4), whole],
        schema,
        nulls: Nulls::Some,
    }
}

fn canonical() -> Vec<(CanonicalExtension, DataType)> {
    let element = || Field::new("item", DataType::Float32);
    let fixed = FixedShapeTensor::try_new([2, 3]).expect("few elements");
    let named = fixed.clone().with_dim_names(["rows", "ö\"\n"]).expect("two names");
    let named = named.with_permutation([1, 0]).expect("two dimensions");
    let variable = VariableShapeTensor::new(FixedSize::from(2));
    let uniform = variable.clone().with_uniform_shape([None, Some(4)]).expect("two dimensions");
    let timestamps = TimestampWithOffset::new(TimeUnit::Microsecond);
    vec![
        (Bool8.into(), Bool8.storage()),
        (Uuid.into(), Uuid.storage()),
        (Json.into(), DataType::Utf8),
        (Json.into(), DataType::LargeUtf8),
        (Opaque::new("varray", "Oracle").into(), DataType::Null),
        (Opaque::new("ö\"\n\u{202e}", "").into(), DataType::Binary),
        (fixed.clone().into(), fixed.storage(element())),
        (named.clone().into(), named.storage(element())),
        (variable.clone().into(), variable.storage(element())),
        (uniform.clone().into(), uniform.storage(element())),
        (ParquetVariant.into(), ParquetVariant.storage()),
        (timestamps.into(), timestamps.storage()),
    ]
}
