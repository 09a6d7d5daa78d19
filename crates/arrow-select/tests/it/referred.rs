//! The bytes to which slots refer are those of a compact copy, for every type.

use std::sync::Arc;

use arrow_data::{ArrayData, ChunkedArray, RecordBatch, Table};
use arrow_select::{ReferredBytes, Select};
use testing_support::{Generator, Nulls, all_types, disguise};

/// The bytes of a copy whose dictionaries are copied, too, at all levels.
fn n_compact_bytes(array: &ArrayData) -> u64 {
    fn with_compact_dictionaries(array: ArrayData) -> ArrayData {
        let mut parts = array.into_parts();
        parts.dictionary = parts
            .dictionary
            .map(|values| Arc::new(with_compact_dictionaries(values.compact().expect("sound"))));
        parts.children =
            parts.children.map(|children| children.iter().cloned().map(with_compact_dictionaries).collect());
        ArrayData::try_new(parts).expect("the same structure")
    }
    with_compact_dictionaries(array.compact().expect("sound")).n_bytes()
}

fn check(array: &ArrayData, name: &str) {
    assert_eq!(array.n_referred_bytes().expect("sound"), n_compact_bytes(array), "{name}");
}

#[test]
fn they_are_the_bytes_of_a_compact_copy() {
    for (name, data_type) in all_types() {
        for (seed, nulls) in [Nulls::None, Nulls::Some].into_iter().enumerate() {
            let mut generator = Generator::new(seed as u64);
            let array = generator.array(&data_type, 150, nulls);
            for (start, n_slots) in [(0, 150), (0, 0), (1, 1), (7, 100), (64, 64), (149, 1), (150, 0)] {
                check(&array.slice(start, n_slots), &format!("{name}: {n_slots} slots from {start}"));
            }
            check(&array.take(&[149, 3, 3, 3, 80, 4, 5, 0]).expect("inside"), &name);
            check(&disguise(&mut generator, &array), &name);
            check(&disguise(&mut generator, &array).slice(10, 20), &name);
        }
    }
}

#[test]
fn columns_and_chunks_are_added_up() {
    let array = Generator::new(5).array(&"utf8".parse().expect("a type"), 40, Nulls::Some);
    let batch =
        RecordBatch::try_from_columns([("a", array.clone()), ("b", array.slice(0, 40))]).expect("one length");
    let n_bytes = array.n_referred_bytes().expect("sound");
    assert_eq!(batch.n_referred_bytes().expect("sound"), 2 * n_bytes);
    let parts = [batch.slice(0, 11), batch.slice(11, 29)];
    let n_parts: u64 = parts.iter().map(|part| part.n_referred_bytes().expect("sound")).sum();
    let table = Table::try_from(parts.to_vec()).expect("one schema");
    assert_eq!(table.n_referred_bytes().expect("sound"), n_parts);
    let column: &ChunkedArray = table.column("a").expect("it is there");
    assert_eq!(column.n_referred_bytes().expect("sound"), n_parts / 2);
}
