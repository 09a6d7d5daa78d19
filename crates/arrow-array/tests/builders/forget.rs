//! Slots that are forgotten leave no trace.

use arrow_array::{AnyBuilder, Builder, DictionaryBuilder, Utf8Builder};
use arrow_schema::IndexType;
use samples::append;
use testing_support::{Generator, Nulls, Rng, all_types, values};

use super::built;

#[test]
fn what_was_forgotten_leaves_no_trace() {
    for (name, data_type) in all_types() {
        for seed in 0..super::n_seeds() {
            let mut rng = Rng::new(seed);
            let pool = values(&Generator::new(seed).array(&data_type, 80, Nulls::Some));
            let mut builder = AnyBuilder::try_new(&data_type).expect(&name);
            let mut expected = Vec::new();
            for _ in 0..12 {
                for _ in 0..rng.below(9) {
                    let value = pool[rng.below(pool.len())].clone();
                    append(&mut builder, &value);
                    expected.push(value);
                }
                let n_kept = rng.below(expected.len() + 3);
                builder.truncate(n_kept);
                expected.truncate(n_kept);
                assert_eq!(builder.len(), expected.len(), "{name}");
            }
            let array = builder.finish_data().expect(&name);
            let whole = built(&data_type, &expected);
            assert_eq!(array.dump().to_string(), whole.dump().to_string(), "{name}, seed {seed}");
            assert_eq!(values(&array), expected, "{name}");
        }
    }
}

#[test]
fn a_forgotten_value_of_a_dictionary_is_new_again() {
    let mut builder = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).expect("text is plain");
    builder.extend(["a", "b", "a", "c", "b"]);
    builder.truncate(3);
    builder.extend([Some("d"), None, Some("c"), Some("b")]);
    let array = builder.finish().expect("few values");
    let keys: Vec<_> = array.iter().collect();
    assert_eq!(keys, [Some(0), Some(1), Some(0), Some(2), None, Some(3), Some(1)]);
    assert_eq!(array.values().len(), 4);
}
