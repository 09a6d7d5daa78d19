//! Values have the same bytes if and only if a naive comparison finds them equal.

use std::collections::{HashMap, HashSet};

use arrow_data::{ArrayData, Comparer};
use arrow_schema::{DataType, Field};
use arrow_select::{SelectErrorKind, ValueBytes};
use testing_support::{Generator, Nulls, all_types, disguise, values};

use testing_support::make::{binary, int32, list_view, nulls};

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

/// Compares each slot with each slot, so that equal and different values of all types occur, in the same and in
/// different layouts.
#[test]
fn the_comparer_agrees() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(1000 + seed as u64);
        let (mut n_same, mut n_different, mut seen) = (0, 0, HashSet::new());
        for nulls in Nulls::ALL {
            let left = generator.sliced_array(&data_type, 24, nulls);
            seen.extend(values(&left));
            let other = generator.array(&data_type, 12, nulls);
            let disguised = [disguise(&mut generator, &left), disguise(&mut generator, &other)];
            for right in [left.clone(), other].iter().chain(&disguised) {
                let mut comparer = Comparer::try_new(&left, right).expect("types of the same values");
                let (left_bytes, right_bytes) = (bytes_of(&left), bytes_of(right));
                for (i, left_bytes) in left_bytes.iter().enumerate() {
                    for (j, right_bytes) in right_bytes.iter().enumerate() {
                        let is_same = left_bytes == right_bytes;
                        assert_eq!(comparer.differs(i, j), Ok(!is_same), "{name}: {i} and {j}, {nulls:?}");
                        if is_same { n_same += 1 } else { n_different += 1 }
                    }
                }
            }
        }
        // If a type has only nulls, all values are equal.
        assert!(n_same > 0 && (n_different > 0 || seen.len() == 1), "{name}");
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
    // Each level contains the level below it twice.
    let twice = |child: ArrayData| {
        let data_type = DataType::list_view(Field::new("item", child.data_type().clone()));
        list_view(&data_type, &[0, 0], &[2, 2], child)
    };
    let deep = (0..60).fold(nulls(int32(&[1, 2]), "01"), |array, _| twice(array));
    let bytes = ValueBytes::try_new(&deep).expect("sound content");
    let mut to = Vec::new();
    let error = bytes.append(1, &mut to, 10_000).expect_err("2⁶⁰ items");
    assert_eq!(error.kind(), &SelectErrorKind::ValueBytes { limit: 10_000 });
    assert!(to.len() <= 10_000);
    assert!(bytes.append(2, &mut to, ENOUGH).is_err());
    let three = bytes_of(&(0..3).fold(int32(&[1, 2]), |array, _| twice(array)));
    assert_eq!(three[0], three[1]);
}
