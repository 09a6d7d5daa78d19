//! Finds equal dictionaries. Dictionaries in the same memory are not read.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{DictionaryPolicy, IpcSchema};
use arrow_schema::{DataType, Field, IndexType};
use testing_support::ints;

use super::harness::{
    CONTAINERS, Container, Encoder, batch, encoded, messages, options, read, unified, write,
};

#[test]
fn dictionaries_that_are_the_same_are_not_looked_at() {
    // Looked at for each batch, a billion values take long.
    let large = Arc::new(ints(0..1 << 18).validate(Validation::Content).unwrap());
    let other = Arc::new(ints((0..1 << 18).rev()).validate(Validation::Content).unwrap());
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
        for container in CONTAINERS {
            let grows = matches!(policy, DictionaryPolicy::Delta | DictionaryPolicy::Unify(_));
            let mut encoder = Encoder::try_new(container, &schema, options(policy.clone())).unwrap();
            for n in 0..600 {
                // Two that are the same, in turns; where others may come, with one of other values.
                let batches = [&large, &copy, if grows { &other } else { &large }];
                let n_dictionaries = encoder.encode(batches[n % 3]).unwrap().messages().len() - 1;
                let n_expected = if n == 0 { 1 } else { 0 };
                assert!(n < 2 && n_dictionaries <= 2 || n_dictionaries == n_expected, "{policy:?} {n}");
            }
        }
    }
}

#[test]
fn dictionaries_of_the_same_values_are_the_same_whatever_their_buffers() {
    let validity = |bits: [bool; 3]| Some(Bitmap::from_iter(bits));
    let of = |numbers: [i32; 3], validity: Option<Bitmap>| {
        let buffers = [Buffer::from(numbers.to_vec()), Buffer::new()];
        let parts = ArrayParts { buffers, validity, ..ArrayParts::new(DataType::Int32, 3) };
        batch([encoded(&Arc::new(ArrayData::try_new(parts).unwrap()), &[2, 0])])
    };
    // What lies below a null makes no difference, nor a bitmap without nulls.
    let same = [
        [of([1, 2, 3], validity([true, false, true])), of([1, 9, 3], validity([true, false, true]))],
        [of([1, 2, 3], None), of([1, 2, 3], validity([true; 3]))],
    ];
    for batches in same {
        let schema = IpcSchema::from(batches[0].schema());
        for container in CONTAINERS {
            for policy in [DictionaryPolicy::Error, DictionaryPolicy::Replace, DictionaryPolicy::Delta] {
                let bytes = write(container, &schema, &batches, options(policy)).unwrap();
                assert_eq!(messages(container, &bytes).matches(['D', 'd']).count(), 1);
            }
        }
    }
    let batches = [of([1, 2, 3], None), of([1, 2, 3], validity([true, false, true]))];
    let schema = IpcSchema::from(batches[0].schema());
    for container in CONTAINERS {
        assert!(write(container, &schema, &batches, options(DictionaryPolicy::Error)).is_err());
    }
}

/// The values of the outer dictionary stay the same while the inner one changes its order: the indices in between mean
/// something else then, so both are written again.
#[test]
fn an_inner_dictionary_in_another_order_takes_the_outer_one_along() {
    let words = [ints([10, 20]), ints([20, 10])];
    let batches = [[0, 1], [1, 0]].iter().zip(words).map(|(indices, words)| {
        let items = encoded(&Arc::new(words), indices);
        let parts = ArrayParts::new(DataType::list(Field::new("item", items.data_type().clone())), 2);
        let buffers = [Buffer::from(vec![0_i32, 1, 2]), Buffer::new()];
        let lists = ArrayParts { buffers, children: Some(Arc::new([items])), ..parts };
        batch([encoded(&Arc::new(ArrayData::try_new(lists).unwrap()), &[1, 1, 0])])
    });
    let batches: Vec<RecordBatch> = batches.collect();
    assert!(batches[0].same_values(&batches[1]).unwrap());
    let schema = IpcSchema::from(batches[0].schema());
    let bytes = write(Container::Stream, &schema, &batches, options(DictionaryPolicy::Replace)).unwrap();
    assert_eq!(messages(Container::Stream, &bytes).matches('D').count(), 4);
    for read in read(Container::Stream, &bytes) {
        assert!(read.same_values(&batches[0]).unwrap());
    }
}
