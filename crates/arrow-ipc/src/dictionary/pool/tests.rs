use arrow_data::{ArrayData, ArrayParts, ValueBytes};
use arrow_schema::DataType;
use testing_support::{Rng, ints};

use super::*;

/// Adds numbers to a pool and to a list of what it has, and compares the two.
fn absorb(pool: &mut Pool, known: &mut Vec<i32>, numbers: &[i32]) {
    let values = ValueBytes::try_new(&ints(numbers.iter().copied())).unwrap();
    let Absorbed { mapping, added } = pool.absorb(&values, 1 << 20).unwrap();
    let added: Vec<usize> = match added {
        Added::Range(range) => range.collect(),
        Added::Slots(slots) => slots,
    };
    let is_continued = numbers.starts_with(known) || known.starts_with(numbers);
    let n_known = known.len();
    known.extend(added.iter().map(|slot| numbers[*slot]));
    assert_eq!(pool.len(), known.len());
    match mapping {
        Mapping::Same => assert!(is_continued && known.starts_with(numbers), "{numbers:?} in {known:?}"),
        Mapping::Table(table) => {
            assert!(!is_continued);
            let found: Vec<i32> = table.iter().map(|position| known[*position as usize]).collect();
            assert_eq!(found, numbers);
            let mut once = known[n_known..].to_vec();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), added.len(), "{numbers:?} in {known:?}");
            assert!(!known[..n_known].iter().any(|number| once.contains(number)), "{numbers:?} in {known:?}");
        }
    }
}

#[test]
fn agrees_with_a_list() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (mut pool, mut known) = (Pool::default(), Vec::new());
        for _ in 0..30 {
            let n_max = 1 + rng.below(12);
            let mut numbers: Vec<i32> = (0..n_max).map(|_| rng.below(9) as i32).collect();
            if rng.one_in(3) {
                numbers.splice(0..0, known.iter().copied());
            }
            absorb(&mut pool, &mut known, &numbers);
            if rng.one_in(3) {
                let n_values = rng.below(known.len() + 1);
                pool.truncate(n_values);
                known.truncate(n_values);
            }
        }
    }
}

#[test]
fn values_without_bytes_are_counted() {
    for data_type in [DataType::Null, DataType::fixed_size_binary(0).unwrap(), DataType::struct_([])] {
        let values = ArrayData::try_new(ArrayParts::new(data_type, 1 << 60)).unwrap();
        let values = ValueBytes::try_new(&values).unwrap();
        assert!(Pool::default().absorb(&values, 1 << 20).is_err());
    }
}

#[test]
fn too_many_bytes_are_refused_and_forgotten() {
    let values = |n| ValueBytes::try_new(&ints(0..n)).unwrap();
    let mut pool = Pool::default();
    pool.absorb(&values(10), 10 * (5 + VALUE_BYTES)).unwrap();
    assert!(pool.absorb(&values(30), 1000).is_err());
    pool.truncate(10);
    let Absorbed { added, .. } = pool.absorb(&values(12), 1000).unwrap();
    assert!(matches!(added, Added::Range(range) if range == (10..12)));
}
