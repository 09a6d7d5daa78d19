//! Batches of every type are read as values of any kind and written again. The values are the same.

use std::sync::Arc;

use arrow_data::{RecordBatch, Validation};
use arrow_schema::{Field, Schema};
use arrow_serde::{to_batch, try_from_batch};
use testing_support::{Generator, Nulls, Value, all_types, rows};

use crate::dynamic::DynamicValue;

fn check(what: &str, batch: &RecordBatch) {
    let read: Result<Vec<DynamicValue>, _> = try_from_batch(batch).expect("it is valid").collect();
    let read = read.unwrap_or_else(|error| panic!("{what}: {error}"));
    let schema = Arc::clone(batch.schema());
    let written = to_batch(schema, &read).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(written.schema(), batch.schema(), "{what}");
    written.clone().validate(Validation::Strict).unwrap_or_else(|error| panic!("{what}: {error}"));
    let (expected, found): (Vec<Vec<Value>>, _) = (rows(batch), rows(&written));
    assert_eq!(found, expected, "{what}");
}

/// Whether a value is null, or a union whose child is null.
fn is_null(value: &Value) -> bool {
    match value {
        Value::Union(_, value) => is_null(value),
        value => *value == Value::Null,
    }
}

#[test]
fn values_of_every_type_come_back() {
    for (seed, (name, data_type)) in (0..).zip(all_types()) {
        for nulls in Nulls::ALL {
            let schema = Schema::new([Field::new("c", data_type.clone())]);
            let batch = Generator::new(seed).batch(&schema, 20, nulls);
            check(&format!("{name}, {nulls:?}"), &batch);
            if !rows(&batch).iter().flatten().any(is_null) {
                let required = Schema::new([Field::new("c", data_type.clone()).required()]);
                let batch = batch.with_schema(required).expect("it has no nulls");
                check(&format!("{name} not null, {nulls:?}"), &batch);
            }
        }
    }
}
