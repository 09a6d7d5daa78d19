//! Tests of `==` of arrays.

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

fn dictionary(indices: &[Option<i8>], values: &[Option<&str>]) -> DictionaryArray {
    let values = Utf8ViewArray::from_iter(values.iter().copied()).into_data();
    let data_type = DataType::dictionary(IndexType::Int8, DataType::Utf8View).expect("no dictionary");
    let data = ArrayData::try_new(ArrayParts {
        data_type,
        dictionary: Some(values.into()),
        ..Int8Array::from_iter(indices.iter().copied()).into_data().into_parts()
    });
    DictionaryArray::try_from(data.expect("it is sound")).expect("it is valid")
}

#[test]
fn encoded_arrays_compare_by_their_values() {
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
        let data = ArrayData::new_empty(&DataType::list(field));
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
