//! Counts the data to which slots refer, one slot after the other.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::ArrayParts;
use arrow_schema::{DataType, Field, IndexType, UnionMode};
use testing_support::Rng;

use super::*;

/// An array without data buffers, children and dictionary.
fn array(data_type: DataType, n_slots: usize, buffers: [Buffer; 2]) -> ArrayData {
    let empty = |field: &Field| ArrayData::new_empty(field.data_type());
    let dictionary =
        data_type.as_dictionary().map(|dictionary| Arc::new(ArrayData::new_empty(dictionary.value())));
    let children = Some(data_type.children().iter().map(empty).collect());
    ArrayData::try_new(ArrayParts { buffers, children, dictionary, ..ArrayParts::new(data_type, n_slots) })
        .unwrap()
}

/// Random arrays, each with the ranges that its slots refer to.
fn arrays(rng: &mut Rng, n_slots: usize, n: usize) -> Vec<(ArrayData, Vec<UsedRange>)> {
    let item = || Field::new("item", DataType::Null);
    let parts: Vec<UsedRange> = (0..n_slots)
        .map(|_| {
            let start = rng.below(n);
            UsedRange { of: rng.below(3), start, end: start + 1 + rng.below((n - start).min(20)) }
        })
        .collect();
    let starts: Vec<i32> = parts.iter().map(|part| part.start as i32).collect();
    let sizes: Vec<i32> = parts.iter().map(|part| part.n() as i32).collect();
    let views = parts
        .iter()
        .map(|part| View::from_parts(20 + part.n() as i32, [0; 4], part.of as i32, part.start as i32));
    let views: Vec<View> = views.collect();
    let view_ranges = parts.iter().map(|part| UsedRange { end: part.end + 20, ..*part }).collect();
    let items = parts.iter().map(|part| UsedRange { of: 0, ..*part }).collect();
    let values = |of: fn(&UsedRange) -> usize| {
        parts.iter().map(|part| UsedRange { of: of(part), start: part.start, end: part.start + 1 }).collect()
    };
    let ids: Vec<i8> = parts.iter().map(|part| 2 * part.of as i8).collect();
    let mut ends = starts.clone();
    ends.sort_unstable();
    let bytes = ends
        .windows(2)
        .map(|pair| UsedRange { of: 0, start: pair[0] as usize, end: pair[1] as usize })
        .collect();
    let union = DataType::union(UnionMode::Dense, [0, 2, 4].map(|id| (id, item()))).unwrap();
    let words = DataType::dictionary(IndexType::Int32, DataType::Utf8).unwrap();
    vec![
        (array(DataType::BinaryView, n_slots, [views.into(), Buffer::new()]), view_ranges),
        (array(DataType::list_view(item()), n_slots, [starts.clone().into(), sizes.into()]), items),
        (array(union, n_slots, [ids.into(), starts.clone().into()]), values(|part| part.of)),
        (array(words, n_slots, [starts.into(), Buffer::new()]), values(|_| 0)),
        (array(DataType::Binary, n_slots - 1, [ends.into(), Buffer::new()]), bytes),
    ]
}

#[test]
fn each_byte_counts_once() {
    let mut rng = Rng::new(7);
    for (n_slots, n) in [(1, 50), (9, 50), (9, 1000), (200, 1000), (100_000, 300_000)] {
        let (one, two) = (arrays(&mut rng, n_slots, n), arrays(&mut rng, n_slots, n));
        for ((one, parts), (two, more)) in one.into_iter().zip(two) {
            let mut used = UsedRanges::default();
            let mut naive = vec![[false; 3]; n + 60];
            for (array, parts) in [(&one, &parts), (&two, &more)] {
                used.add_slots(array).unwrap();
                parts.iter().for_each(|part| part.range().for_each(|at| naive[at][part.of] = true));
            }
            for (of, n) in (0..3).flat_map(|of| [(of, n / 3), (of, n + 60)]) {
                let expected = naive[..n].iter().filter(|used| used[of]).count();
                assert_eq!(used.n_of(of, n), expected, "{} {n_slots} {n} {of}", one.data_type());
            }
            assert!(used.parts.capacity() < 4 * naive.len().max(1 << 16));
        }
    }
}

#[test]
fn invalid_slots_refer_to_nothing() {
    let item = || Field::new("item", DataType::Null);
    let pair = [vec![-1_i32, 3, i32::MAX].into(), vec![5_i32, -2, 2].into()];
    for (array, expected) in [
        (array(DataType::list_view(item()), 3, pair), Ok(0)),
        (array(DataType::Binary, 2, [vec![3_i32, 2, 9].into(), Buffer::new()]), Err(())),
        (array(DataType::Binary, 1, [vec![-3_i32, 2].into(), Buffer::new()]), Err(())),
        (array(DataType::Binary, 1, [vec![3_i32, 900].into(), Buffer::new()]), Ok(97)),
    ] {
        let mut used = UsedRanges::default();
        let found = used.add_slots(&array).map(|()| used.n_of(0, 100));
        assert_eq!(found.map_err(drop), expected, "{}", array.data_type());
    }
}
