//! Decoded arrays of any type have the same naive values, and no dictionary or runs at any depth.

use arrow_buffer::MemoryBudget;
use arrow_compute::{CastErrorKind, Decode};
use arrow_data::{ArrayData, RecordBatch, Validation};
use arrow_schema::{DataType, Field, IndexType};
use testing_support::{
    Generator, Nulls, all_types, disguise,
    make::{binary, dictionary},
    values,
};

fn is_plain(data_type: &DataType) -> bool {
    !data_type.is_dictionary()
        && !data_type.is_run_end_encoded()
        && data_type.children().iter().all(|field| is_plain(field.data_type()))
}

#[test]
fn decoded_arrays_have_the_same_values() {
    let mut generator = Generator::new(651);
    let mut n_decoded = 0;
    for (name, data_type) in all_types() {
        for nulls in Nulls::ALL {
            let array = generator.sliced_array(&data_type, 20, nulls);
            for array in [disguise(&mut generator, &array), array] {
                let found = match array.decoded() {
                    Ok(found) => found,
                    Err(error) => {
                        // Unions and runs of required values cannot be null.
                        let is_refused = matches!(
                            error.kind(),
                            CastErrorKind::Unsupported { from: DataType::Null, .. }
                                | CastErrorKind::Nulls { .. }
                        );
                        assert!(is_refused, "{name} {}: {error}", array.data_type());
                        continue;
                    }
                };
                n_decoded += 1;
                assert!(is_plain(found.data_type()), "{name}: {}", found.data_type());
                assert_eq!(found.data_type(), &array.data_type().to_decoded());
                assert_eq!(values(&found), values(&array), "{name} {}", array.data_type());
                assert!(found.clone().validate(Validation::Content).is_ok());
                let column = RecordBatch::try_from_columns([("a", array)]).expect("a column");
                assert_eq!(column.decoded().expect("as the array").columns(), [found]);
            }
        }
    }
    assert!(n_decoded > 300, "{n_decoded}");
}

#[test]
fn plain_arrays_share_their_memory() {
    let mut generator = Generator::new(652);
    let array = generator.array(&DataType::list(Field::new("item", DataType::Utf8)), 20, Nulls::Some);
    let array = array.validate(Validation::Content).expect("it is valid");
    let decoded = array.decoded().expect("plain");
    assert!(decoded.same_memory(&array), "{decoded:?}");
}

/// A long value that is referenced many times is an error under a budget, and not an allocation.
#[test]
fn memory_is_bounded() {
    let long = vec![b'a'; 1 << 20];
    let text = binary(&DataType::Utf8, &[0, 1 << 20], &long);
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Utf8).expect("text");
    let repeated: ArrayData = dictionary(&data_type, &[0; 1000], text);
    let error = repeated.decoded_in(&MemoryBudget::new(100 << 20)).expect_err("too much");
    assert!(matches!(error.kind(), CastErrorKind::Data(_)), "{error}");
    let decoded = repeated.slice(0, 3).decoded().expect("3 MiB");
    assert_eq!(decoded.buffer(1).len(), 3 << 20);
    let column = RecordBatch::try_from_columns([("a", repeated)]).expect("a column");
    let error = column.decoded_in(&MemoryBudget::new(100 << 20)).expect_err("too much");
    assert!(error.to_string().contains('a') && !error.path().is_root(), "{error}");
}
