//! `truncate` leaves no trace of the removed slots.

use arrow_array::{
    AnyBuilder, Builder, DictionaryBuilder, Int8Builder, ListViewBuilder, Utf8Builder, Utf8ViewBuilder,
};
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
            let mut builder = AnyBuilder::new(&data_type);
            let mut expected = Vec::new();
            for _ in 0..12 {
                for _ in 0..rng.below(9) {
                    let value = pool[rng.below(pool.len())].clone();
                    append(&mut builder, &value);
                    expected.push(value);
                }
                let n_retained = rng.below(expected.len() + 3);
                builder.truncate(n_retained);
                expected.truncate(n_retained);
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

/// `truncate` may end in any part of a block, and may remove several blocks.
#[test]
fn blocks_of_views_are_filled_as_if_nothing_had_been_forgotten() {
    let text = |n_bytes: usize| "x".repeat(n_bytes);
    for n_before in (0..700).step_by(21) {
        let retained = || std::iter::repeat_n(text(13), n_before).chain([text(14), text(5000), text(20)]);
        let expected = Utf8ViewBuilder::new().with_values(retained()).finish().expect("they are short");
        let mut builder = Utf8ViewBuilder::new();
        for (slot, value) in retained().enumerate() {
            if slot > 0 {
                builder.extend([text(13), text(200), text(9000), text(30_000)]);
                builder.truncate(slot);
            }
            builder.append(value);
        }
        let found = builder.finish().expect("they are short");
        assert_eq!(found.data().dump().to_string(), expected.data().dump().to_string(), "{n_before}");
    }
}

/// Removing slots takes time in proportion to the removed slots. If it took time for all slots, this test would take an hour.
#[test]
fn little_is_forgotten_in_little_time() {
    let mut lists = ListViewBuilder::new(Int8Builder::new());
    lists.append_nulls(300_000);
    for _ in 0..300_000 {
        lists.append_with(|items| items.append(1));
        lists.append_null();
        lists.truncate(300_000);
    }
    let mut texts = ListViewBuilder::new(Utf8ViewBuilder::new());
    texts.append(["x".repeat((2 << 20) - 20)]);
    for _ in 0..100_000 {
        texts.append(["0123456789abc", "0123456789abc"]);
        texts.truncate(1);
    }
    assert_eq!((lists.items().len(), texts.items().len()), (0, 1));
}
