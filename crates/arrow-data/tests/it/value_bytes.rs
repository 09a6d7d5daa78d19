//! Values as bytes: the same where the naive reading says that the values are.

use std::collections::HashMap;

use arrow_data::{ArrayData, DataErrorKind, ValueBytes};
use arrow_schema::{DataType, Field};
use testing_support::{Generator, Nulls, all_types, values};

use crate::make::{binary, int32, list_view, nulls};

const ENOUGH: usize = 1 << 20;

fn bytes_of(array: &ArrayData) -> Vec<Vec<u8>> {
    let all = ValueBytes::try_new(array).expect("sound content");
    assert_eq!(all.n_slots(), array.len());
    let bytes = |slot| {
        let mut bytes = b"before".to_vec();
        all.append(slot, &mut bytes, ENOUGH).expect("few bytes");
        bytes.split_off(6)
    };
    (0..array.len()).map(bytes).collect()
}

#[test]
fn bytes_are_the_same_where_values_are() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        let (mut by_bytes, mut by_value) = (HashMap::new(), HashMap::new());
        let mut n_repeated = 0;
        for nulls in Nulls::ALL {
            for n_slots in [0, 1, 70] {
                let whole = generator.array(&data_type, n_slots, nulls);
                let sliced = generator.sliced_array(&data_type, n_slots, nulls);
                for array in [whole.clone(), whole.slice(n_slots / 3, n_slots - n_slots / 3), sliced] {
                    for (bytes, value) in bytes_of(&array).into_iter().zip(values(&array)) {
                        let known = by_bytes.insert(bytes.clone(), value.clone());
                        assert!(known.is_none_or(|known| known == value), "{name}: {value:?} and another");
                        let known = by_value.insert(value, bytes.clone());
                        n_repeated += usize::from(known.is_some());
                        assert!(known.is_none_or(|known| known == bytes), "{name}: {bytes:?} and others");
                    }
                }
            }
        }
        assert!(n_repeated > 0, "{name}");
        let mut sorted: Vec<_> = by_bytes.into_keys().collect();
        sorted.sort();
        let is_prefix = sorted.windows(2).any(|pair| pair[1].starts_with(&pair[0]));
        assert!(!is_prefix, "{name}: a value begins with another one");
    }
}

#[test]
fn lengths_of_all_sizes() {
    let lengths = [0, 1, 253, 254, 255, 256, 70_000];
    let mut offsets = vec![0];
    lengths.iter().for_each(|n| offsets.push(offsets[offsets.len() - 1] + n));
    let words = binary(&DataType::Binary, &offsets, &vec![b'a'; offsets[lengths.len()] as usize]);
    let mut all = bytes_of(&words);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), lengths.len());
    assert!(all.windows(2).all(|pair| !pair[1].starts_with(&pair[0])));
}

#[test]
fn values_that_unfold_without_end_are_refused() {
    // Each level has the one below twice.
    let twice = |child: ArrayData| {
        let data_type = DataType::list_view(Field::new("item", child.data_type().clone()));
        list_view(&data_type, &[0, 0], &[2, 2], child)
    };
    let deep = (0..60).fold(nulls(int32(&[1, 2]), "01"), |array, _| twice(array));
    let bytes = ValueBytes::try_new(&deep).expect("sound content");
    let mut to = Vec::new();
    let error = bytes.append(1, &mut to, 10_000).expect_err("2⁶⁰ items");
    assert_eq!(error.kind(), &DataErrorKind::ValueBytes { limit: 10_000 });
    assert!(to.len() <= 10_000);
    assert!(bytes.append(2, &mut to, ENOUGH).is_err());
    let three = bytes_of(&(0..3).fold(int32(&[1, 2]), |array, _| twice(array)));
    assert_eq!(three[0], three[1]);
}
