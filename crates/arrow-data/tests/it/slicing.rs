//! Slicing and then reading equals reading and then slicing, for every type. Checked content stays checked, and no data
//! is copied.

use arrow_data::{ArrayData, Validation};
use proptest::prelude::*;
use testing_support::{Generator, Nulls, all_types, rows, schema_of_all_types, values};

#[track_caller]
fn check(array: &ArrayData, start: usize, n_slots: usize) -> ArrayData {
    let slice = array.slice(start, n_slots);
    assert_eq!(slice.len(), n_slots);
    assert_eq!(slice.checked(), array.checked());
    assert_eq!(values(&slice), values(array)[start..start + n_slots], "{}", array.data_type());
    if let Some(validity) = slice.validity() {
        assert_eq!(slice.null_count(), (0..n_slots).filter(|slot| !slice.is_valid(*slot)).count());
        assert_eq!(validity.len(), n_slots);
    }
    assert!(slice.n_bytes() <= array.n_bytes());
    // The parts of a slice make a valid array with the same values.
    let again =
        ArrayData::try_new(slice.clone().into_parts()).and_then(|array| array.validate(Validation::Strict));
    assert_eq!(again.map(|array| values(&array)), Ok(values(&slice)), "{}", array.data_type());
    slice
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn reading_commutes(seed: u64, n_slots in 0..100_usize, cuts: [prop::sample::Index; 4]) {
        let mut generator = Generator::new(seed);
        for (_, data_type) in all_types() {
            let nulls = *generator.rng().pick(&Nulls::ALL);
            let mut array = generator.array(&data_type, n_slots, nulls);
            if seed % 2 == 0 {
                array = array.validate(Validation::Content).expect("generated arrays are valid");
            }
            let start = cuts[0].index(n_slots + 1);
            let slice = check(&array, start, cuts[1].index(n_slots - start + 1));
            let inner = cuts[2].index(slice.len() + 1);
            check(&slice, inner, cuts[3].index(slice.len() - inner + 1));
        }
    }
}

#[test]
fn edges() {
    let mut generator = Generator::new(11);
    for (name, data_type) in all_types() {
        for n_slots in [0, 1, 9] {
            let array = generator.array(&data_type, n_slots, Nulls::Some);
            check(&array, 0, 0);
            check(&array, n_slots, 0);
            check(&array, 0, n_slots);
            for (start, n) in [(0, n_slots + 1), (n_slots + 1, 0), (usize::MAX, 1), (1, usize::MAX)] {
                let error = array.try_slice(start, n).expect_err("it is outside");
                let end = start as u128 + n as u128;
                assert_eq!(
                    error.to_string(),
                    format!("slots {start}..{end} are out of bounds; the array has {n_slots} slots"),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn buffers_are_shared() {
    let array = Generator::new(2).array(&arrow_schema::DataType::Int32, 10, Nulls::None);
    let slice = array.slice(3, 4);
    assert!(slice.buffer(0).same_memory(&array.buffer(0).slice(12..28)));
}

#[test]
fn batches() {
    let schema = schema_of_all_types();
    let mut generator = Generator::new(4);
    let batch = generator.batch(&schema, 50, Nulls::Some).validate(Validation::Content).expect("it is valid");
    for (start, n_rows) in [(0, 50), (0, 0), (50, 0), (7, 20), (49, 1)] {
        let slice = batch.slice(start, n_rows);
        assert_eq!(slice.n_rows(), n_rows);
        assert_eq!(rows(&slice), rows(&batch)[start..start + n_rows]);
        assert!(slice.columns().iter().all(|column| column.checked() == Validation::Content));
    }
}
