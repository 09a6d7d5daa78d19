//! Equality of arrays by their values.

use std::ops::Range;

use arrow_data::ArrayData;

use super::{Lists, MapArray, Positions, StructArray, UnionArray, proven::part};
use crate::dispatch::AnyArray;

/// Whether two arrays have the same type, metadata left out, and the same values. Both have been validated.
pub(crate) fn arrays_equal(left: &ArrayData, right: &ArrayData) -> bool {
    left.data_type().same_type(right.data_type()) && values_equal(left, right)
}

/// Whether two arrays of the same type have the same values, and nulls in the same slots.
///
/// What is encoded compares by what it stands for, floating-point numbers by their bits.
fn values_equal(left: &ArrayData, right: &ArrayData) -> bool {
    if left.len() != right.len() {
        return false;
    }
    match typed(left, right) {
        Some(pair) => compare(&pair),
        None => false,
    }
}

// Apart, so that what recurses takes little stack.
#[inline(never)]
fn typed(left: &ArrayData, right: &ArrayData) -> Option<Box<(AnyArray, AnyArray)>> {
    let (left, right) = (AnyArray::try_new(left).ok()?, AnyArray::try_new(right).ok()?);
    Some(Box::new((left, right)))
}

fn compare(pair: &(AnyArray, AnyArray)) -> bool {
    use AnyArray as A;
    match pair {
        (A::Null(_), A::Null(_)) => true,
        (A::Boolean(left), A::Boolean(right)) => left.iter().eq(right),
        (A::Binary(left), A::Binary(right)) => left.iter().eq(right),
        (A::LargeBinary(left), A::LargeBinary(right)) => left.iter().eq(right),
        (A::BinaryView(left), A::BinaryView(right)) => left.iter().eq(right),
        (A::FixedSizeBinary(left), A::FixedSizeBinary(right)) => left.iter().eq(right),
        (A::Utf8(left), A::Utf8(right)) => left.iter().eq(right),
        (A::LargeUtf8(left), A::LargeUtf8(right)) => left.iter().eq(right),
        (A::Utf8View(left), A::Utf8View(right)) => left.iter().eq(right),
        (A::List(left), A::List(right)) => lists_equal(left, right),
        (A::LargeList(left), A::LargeList(right)) => lists_equal(left, right),
        (A::ListView(left), A::ListView(right)) => lists_equal(left, right),
        (A::LargeListView(left), A::LargeListView(right)) => lists_equal(left, right),
        (A::FixedSizeList(left), A::FixedSizeList(right)) => lists_equal(left, right),
        (A::Struct(left), A::Struct(right)) => structs_equal(left, right),
        (A::Map(left), A::Map(right)) => maps_equal(left, right),
        (A::Union(left), A::Union(right)) => unions_equal(left, right),
        (A::Dictionary(left), A::Dictionary(right)) => encoded_equal(left, right),
        (A::RunEndEncoded(left), A::RunEndEncoded(right)) => encoded_equal(left, right),
        (left, right) => match (left.numbers(), right.numbers()) {
            (Some((left_bytes, n_bytes)), Some((right_bytes, _))) => all_slots(left.len(), |slot| {
                let bytes = slot * n_bytes..(slot + 1) * n_bytes;
                slots_equal(left.data(), right.data(), slot, || {
                    left_bytes.get(bytes.clone()) == right_bytes.get(bytes)
                })
            }),
            _ => false,
        },
    }
}

fn all_slots(n_slots: usize, equal: impl FnMut(usize) -> bool) -> bool {
    (0..n_slots).all(equal)
}

/// Whether a slot is null in both, or in neither and equal.
fn slots_equal(left: &ArrayData, right: &ArrayData, slot: usize, equal: impl FnOnce() -> bool) -> bool {
    match (left.is_valid(slot), right.is_valid(slot)) {
        (true, true) => equal(),
        (false, false) => true,
        (true, false) | (false, true) => false,
    }
}

fn parts_equal(left: &ArrayData, at: Range<usize>, right: &ArrayData, other: Range<usize>) -> bool {
    at.len() == other.len() && (at.is_empty() || values_equal(&part(left, at), &part(right, other)))
}

fn lists_equal<L: Lists>(left: &L, right: &L) -> bool {
    all_slots(left.len(), |slot| {
        slots_equal(left.data(), right.data(), slot, || {
            parts_equal(left.items(), left.range(slot), right.items(), right.range(slot))
        })
    })
}

fn maps_equal(left: &MapArray, right: &MapArray) -> bool {
    all_slots(left.len(), |slot| {
        slots_equal(left.data(), right.data(), slot, || {
            parts_equal(left.keys(), left.range(slot), right.keys(), right.range(slot))
                && parts_equal(left.values(), left.range(slot), right.values(), right.range(slot))
        })
    })
}

fn structs_equal(left: &StructArray, right: &StructArray) -> bool {
    let columns = || left.columns().iter().zip(right.columns());
    if left.null_count() == 0 && right.null_count() == 0 {
        return columns().all(|(left, right)| values_equal(left, right));
    }
    all_slots(left.len(), |slot| {
        slots_equal(left.data(), right.data(), slot, || {
            columns().all(|(left, right)| parts_equal(left, slot..slot + 1, right, slot..slot + 1))
        })
    })
}

fn unions_equal(left: &UnionArray, right: &UnionArray) -> bool {
    all_slots(left.len(), |slot| {
        left.type_ids().get(slot) == right.type_ids().get(slot)
            && values_equal(&left.selected(slot), &right.selected(slot))
    })
}

/// A null key and a key of a null stand for the same.
fn encoded_equal<P: Positions>(left: &P, right: &P) -> bool {
    let selected = |array: &P, slot| {
        array.get(slot).map(|position| part(array.encoded_values(), position..position.saturating_add(1)))
    };
    let null_value = |value: &ArrayData| AnyArray::try_new(value).is_ok_and(|value| value.is_null(0));
    all_slots(left.len(), |slot| match (selected(left, slot), selected(right, slot)) {
        (Some(left), Some(right)) => values_equal(&left, &right),
        (Some(value), None) | (None, Some(value)) => null_value(&value),
        (None, None) => true,
    })
}

#[cfg(test)]
mod tests {
    use crate::*;
    use arrow_data::{ArrayData, ArrayParts};
    use arrow_schema::{DataType, Field, IndexType, Metadata};

    #[test]
    fn floats_compare_by_their_bits() {
        let other_nan = f64::from_bits(f64::NAN.to_bits() ^ 1);
        let cases = [
            (f64::NAN, f64::NAN, true),
            (f64::NAN, other_nan, false),
            (0.0, -0.0, false),
            (1.5, 1.5, true),
            (1.5, 2.5, false),
        ];
        for (left, right, equal) in cases {
            let [left, right] = [left, right].map(|value| Float64Array::from_iter([Some(value), None]));
            assert_eq!(left == right, equal, "{left:?} {right:?}");
            assert_eq!(AnyArray::from(left.clone()) == AnyArray::from(right.clone()), equal);
            let [left, right] = [left, right].map(|column| {
                let fields = [Field::new("x", DataType::Float64)];
                let data = ArrayData::try_new(ArrayParts {
                    children: Some([column.into_data()].into()),
                    ..ArrayParts::new(DataType::struct_(fields), 2)
                });
                StructArray::try_from(data.expect("it is sound")).expect("it is valid")
            });
            assert_eq!(left == right, equal, "{left:?} {right:?}");
        }
    }

    fn dictionary(keys: &[Option<i8>], values: &[Option<&str>]) -> DictionaryArray {
        let values = Utf8ViewArray::from_iter(values.iter().copied()).into_data();
        let data_type = DataType::dictionary(IndexType::Int8, DataType::Utf8View).expect("no dictionary");
        let data = ArrayData::try_new(ArrayParts {
            data_type,
            dictionary: Some(values.into()),
            ..Int8Array::from_iter(keys.iter().copied()).into_data().into_parts()
        });
        DictionaryArray::try_from(data.expect("it is sound")).expect("it is valid")
    }

    #[test]
    fn encoded_arrays_compare_by_what_they_stand_for() {
        let (a, b) = (Some("a"), Some("b"));
        let array = dictionary(&[Some(0), Some(1), None], &[a, b]);
        let same = dictionary(&[Some(2), Some(1), Some(0)], &[None, b, a]);
        let other = dictionary(&[Some(2), Some(1), Some(1)], &[None, b, a]);
        assert_eq!(array, same);
        assert_ne!(array, other);
        let decoded = |array: &DictionaryArray| array.decoded::<Utf8ViewArray>().expect("text");
        assert_eq!(decoded(&array), decoded(&same));
        assert_ne!(decoded(&array), decoded(&other));
    }

    #[test]
    fn metadata_makes_no_difference_and_types_do() {
        let list = |field: Field| {
            let data = ArrayData::empty(&DataType::list(field));
            ListArray::try_from(data).expect("no slots")
        };
        let plain = list(Field::new("item", DataType::Int8));
        assert_eq!(
            plain,
            list(Field::new("item", DataType::Int8).with_metadata(Metadata::from_iter([("a", "b")])))
        );
        assert_ne!(plain, list(Field::new("item", DataType::Int16)));
        assert_ne!(AnyArray::from(plain), AnyArray::from(NullArray::new(0)));
    }
}
