//! Dictionaries are told apart without looking at them.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, Level, RecordBatch};
use arrow_ipc::{DictionaryPolicy, IpcSchema};
use arrow_schema::{DataType, IndexType};
use testing_support::ints;

use super::harness::{Encoder, PLACES, options, unified};

#[test]
fn dictionaries_that_are_the_same_are_not_looked_at() {
    // Looked at for each batch, ten billion values take minutes.
    let large = Arc::new(ints(0..1 << 20).validate(Level::Content).unwrap());
    let other = Arc::new(ints((0..1 << 20).rev()).validate(Level::Content).unwrap());
    let copy = Arc::new(ArrayData::clone(&large));
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Int32).unwrap();
    let batch = |values: &Arc<ArrayData>| {
        let column = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![5_i32]), Buffer::new()],
            dictionary: Some(Arc::clone(values)),
            ..ArrayParts::new(data_type.clone(), 1)
        });
        RecordBatch::try_from_columns([("a", column.unwrap())]).unwrap()
    };
    let (large, other, copy) = (batch(&large), batch(&other), batch(&copy));
    let schema = IpcSchema::from(large.schema());
    let unified = unified(&schema, &[large.clone(), other.clone()]);
    for policy in [DictionaryPolicy::Error, DictionaryPolicy::Replace, DictionaryPolicy::Delta, unified] {
        for place in PLACES {
            let grows = matches!(policy, DictionaryPolicy::Delta | DictionaryPolicy::Unify(_));
            let mut encoder = Encoder::new(place, &schema, options(policy.clone()));
            for n in 0..5000 {
                // Two that are the same, in turns; where others may come, with one of other values.
                let batches = [&large, &copy, if grows { &other } else { &large }];
                let n_dictionaries = encoder.encode(batches[n % 3]).unwrap().messages().len() - 1;
                let n_expected = if n == 0 { 1 } else { 0 };
                assert!(n < 2 && n_dictionaries <= 2 || n_dictionaries == n_expected, "{policy:?} {n}");
            }
        }
    }
}
