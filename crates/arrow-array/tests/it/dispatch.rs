//! Macros for arrays of some types: which types each macro accepts, and which traits their values have.

use std::cmp::Ordering;

use arrow_array::*;
use arrow_data::ArrayData;
use testing_support::{Generator, Nulls, all_types};

fn texts<A: for<'a> Array<Item<'a> = &'a str>>(array: &A) -> Vec<Option<String>> {
    array.iter().map(|text| text.map(str::to_owned)).collect()
}

fn bytes<A: for<'a> Array<Item<'a> = &'a [u8]>>(array: &A) -> Vec<Option<Vec<u8>>> {
    array.iter().map(|bytes| bytes.map(<[u8]>::to_vec)).collect()
}

fn n_items<L: Lists>(lists: &L) -> usize {
    (0..lists.len()).map(|slot| lists.range(slot).len()).sum()
}

/// The names of the groups that a type is in.
fn groups(any: &AnyArray) -> Vec<&'static str> {
    let is_in = [
        ("primitive", with_primitive!(any, array => array.values().len() == any.len(), _ => false)),
        (
            "ordered",
            with_ordered!(any, array => array.min_max().is_none_or(|(min, max)| min <= max), _ => false),
        ),
        (
            "integer",
            with_integer!(any, array => array.iter().flatten().all(|n| i128::from(n) < 1 << 65), _ => false),
        ),
        ("text", with_text!(any, array => texts(array).len() == any.len(), _ => false)),
        ("bytes", with_bytes!(any, array => bytes(array).len() == any.len(), _ => false)),
        ("list", with_list!(any, array => n_items(array) < usize::MAX, _ => false)),
    ];
    is_in.into_iter().filter(|(_, is_in)| *is_in).map(|(name, _)| name).collect()
}

#[test]
fn types_are_in_their_groups() {
    let mut generator = Generator::new(5);
    for (name, data_type) in all_types() {
        let array = generator.array(&data_type, 9, Nulls::Some);
        let any = AnyArray::try_new(&array).expect("it is sound");
        let text = data_type.to_string();
        let expected: &[&str] = match text.split(['<', '(', '[']).next().unwrap_or_default() {
            _ if data_type.is_integer() => &["primitive", "ordered", "integer"],
            _ if data_type.is_floating_point() || data_type.is_decimal() => &["primitive", "ordered"],
            "interval" if text != "interval(year_month)" => &["primitive"],
            "date32" | "date64" | "time32" | "time64" | "timestamp" | "duration" | "interval" => {
                &["primitive", "ordered"]
            }
            "utf8" | "large_utf8" | "utf8_view" => &["text"],
            "binary" | "large_binary" | "binary_view" | "fixed_size_binary" => &["bytes"],
            "list" | "large_list" | "list_view" | "large_list_view" | "fixed_size_list" => &["list"],
            _ => &[],
        };
        assert_eq!(groups(&any), expected, "{name}: {data_type}");
    }
}

/// Compares `min_max` with sorting.
fn check_min_max<T: PrimitiveType<Native: PartialOrd>>(array: &PrimitiveArray<T>, name: &str) {
    let mut sorted: Vec<T::Native> = array.iter().flatten().collect();
    sorted.retain(|value| value.partial_cmp(value) == Some(Ordering::Equal));
    sorted.sort_by(|left, right| left.partial_cmp(right).expect("all are numbers"));
    let expected = sorted.first().copied().zip(sorted.last().copied());
    assert_eq!(array.min_max(), expected, "{name}");
}

#[test]
fn the_least_and_the_greatest_are_first_and_last() {
    let mut generator = Generator::new(6);
    let mut n_checked = 0;
    for (name, data_type) in all_types() {
        for (nulls, n_slots) in Nulls::ALL.into_iter().flat_map(|nulls| [0, 1, 3, 70].map(|n| (nulls, n))) {
            let array = generator.sliced_array(&data_type, n_slots, nulls);
            let any = AnyArray::try_new(&array).expect("it is sound");
            with_ordered!(&any, array => { check_min_max(array, &name); n_checked += 1 }, _ => {});
        }
    }
    assert!(n_checked > 16 * 20, "{n_checked} arrays");

    let floats = |values: &[f64]| Float64Array::from_iter(values.iter().copied());
    let nan = f64::NAN;
    type Extremes = Option<(f64, f64)>;
    let cases: [(&[f64], Extremes); 5] = [
        (&[], None),
        (&[nan, nan], None),
        (&[nan, 1.0, nan], Some((1.0, 1.0))),
        (&[2.0, nan, f64::NEG_INFINITY, 3.0], Some((f64::NEG_INFINITY, 3.0))),
        (&[-0.0, 0.0], Some((-0.0, -0.0))),
    ];
    for (values, expected) in cases {
        let bits = |found: Extremes| found.map(|(min, max)| (min.to_bits(), max.to_bits()));
        assert_eq!(bits(floats(values).min_max()), bits(expected), "{values:?}");
    }
    let data: ArrayData = Int8Array::from_iter([Some(3), None, Some(-128)]).into();
    assert_eq!(Int8Array::try_from(data).expect("its type").min_max(), Some((-128, 3)));
}
