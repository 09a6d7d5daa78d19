//! Values that share bytes or items, so that an array of a few bytes has very many of them.

use std::iter;

use arrow_array::{BooleanArray, Int8Array};
use arrow_buffer::{Buffer, View};
use arrow_compute::{Digits, DistinctCount, Statistics, cast};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use crate::ALLOCATOR;

fn array(data_type: &str, parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(ArrayParts { data_type: data_type.parse().unwrap(), ..parts }).unwrap()
}

/// An array of `n_views` views of the same `n_bytes` bytes.
fn views(n_views: usize, n_bytes: usize) -> ArrayData {
    let bytes = Buffer::from(vec![b'x'; n_bytes]);
    let view = View::long(&bytes, 0, 0).unwrap();
    let parts = ArrayParts {
        buffers: [vec![view; n_views].into(), Buffer::new()],
        variadic: Some([bytes].into()),
        ..ArrayParts::new(DataType::BinaryView, n_views)
    };
    ArrayData::try_new(parts).unwrap()
}

/// An array of `n_lists` list views of the same items.
fn list_views(n_lists: usize, items: ArrayData) -> ArrayData {
    let data_type = format!("large_list_view<item: {}>", items.data_type());
    let n_items = items.len() as i64;
    let parts = ArrayParts {
        buffers: [vec![0_i64; n_lists].into(), vec![n_items; n_lists].into()],
        children: Some([items].into()),
        ..ArrayParts::new(DataType::Null, n_lists)
    };
    array(&data_type, parts)
}

fn numbers(n_items: usize) -> ArrayData {
    Int8Array::from_iter(iter::repeat_n(1, n_items)).into_data()
}

fn distinct(array: &ArrayData) -> DistinctCount {
    let mut statistics = Statistics::new(array.data_type().clone());
    statistics.add(array).unwrap();
    statistics.distinct()
}

#[test]
fn views_that_share_bytes_are_hashed_only_so_far() {
    // At most 64 times the bytes of the array, plus 16 MiB, are hashed.
    assert_eq!(distinct(&views(60, 1 << 20)), DistinctCount::Exact(1));
    assert_eq!(distinct(&views(100_000, 1 << 20)), DistinctCount::Unknown);
}

/// One list of 100,000 views of the same 2,000 items would take 200 MB. The limit is in proportion to the bytes of the list.
#[test]
fn a_nested_value_takes_little_memory() {
    let views = list_views(100_000, numbers(2_000));
    let parts = ArrayParts {
        buffers: [vec![0_i64, 100_000].into(), Buffer::new()],
        children: Some([views.clone()].into()),
        ..ArrayParts::new(DataType::Null, 1)
    };
    let list = array(&format!("large_list<item: {}>", views.data_type()), parts);
    let (found, usage) = ALLOCATOR.measure(|| distinct(&list));
    assert_eq!(found, DistinctCount::Unknown);
    assert!(usage.peak_bytes < 40 << 20, "{} bytes", usage.peak_bytes);
}

/// Neighbouring values are compared without being copied.
#[test]
fn runs_of_values_that_share_are_found_in_little_time_and_memory() {
    let nulls = ArrayData::try_new(ArrayParts::new(DataType::Null, 60_000_000)).unwrap();
    for values in [list_views(60_000, nulls), views(60_000, 16 << 20), list_views(60_000, numbers(1 << 20))] {
        let to = format!("run_end_encoded<run_ends: int32 not null, values: {}>", values.data_type());
        let to = to.parse().unwrap();
        let (runs, usage) = ALLOCATOR.measure(|| cast(&values, &to, Digits::Keep).unwrap());
        assert_eq!((runs.len(), runs.children()[1].len()), (60_000, 1), "{to}");
        assert!(usage.peak_bytes < 8 << 20, "{} bytes for {to}", usage.peak_bytes);
    }
}

/// A slot takes one bit, which is less than the table stores for a value.
#[test]
fn many_booleans_can_be_encoded() {
    const N: usize = 500_000;
    let flags = BooleanArray::from_iter((0..N).map(|slot| slot % 3 == 0)).into_data();
    let dictionary = cast(&flags, &"dictionary<int8, bool>".parse().unwrap(), Digits::Keep).unwrap();
    assert_eq!((dictionary.len(), dictionary.dictionary().unwrap().len()), (N, 2));
    let runs = "run_end_encoded<run_ends: int32 not null, values: bool>".parse().unwrap();
    let runs = cast(&flags, &runs, Digits::Keep).unwrap();
    assert_eq!(runs.children()[1].len(), 2 * (N / 3) + 2);
}

/// The error contains only the start of the value.
#[test]
fn errors_have_the_start_of_a_value() {
    const N: usize = 1 << 62;
    let nulls = ArrayData::try_new(ArrayParts::new(DataType::Null, N)).unwrap();
    let parts = ArrayParts {
        buffers: [vec![0_i64, N as i64].into(), Buffer::new()],
        children: Some([nulls].into()),
        ..ArrayParts::new(DataType::Null, 1)
    };
    let list = array("large_list<item: null>", parts);
    let error = cast(&list, &"fixed_size_list<item: null; 2>".parse().unwrap(), Digits::Keep).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("[null,null") && text.contains('…') && text.len() < 400, "{text}");
}
