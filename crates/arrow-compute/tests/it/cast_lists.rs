//! Casts of random lists, of items of every type, to lists of fixed size and back.

use arrow_array::{AnyArray, Int64Array};
use arrow_buffer::Buffer;
use arrow_compute::{CastErrorKind, Digits, cast};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, Field};
use testing_support::{Generator, Hunt, Nulls, all_types, values};

/// When lists get a fixed size, null slots get items.
#[test]
fn lists_of_fixed_size_come_back_from_other_lists() {
    let mut generator = Generator::new(Hunt::from_env().seed(9));
    for (name, data_type) in all_types() {
        let item = Field::new("item", data_type);
        for item in [item.clone(), item.required()] {
            let fixed = DataType::fixed_size_list(item.clone(), 3).unwrap();
            for nulls in Nulls::ALL {
                let array = generator.sliced_array(&fixed, 12, nulls);
                for other in [DataType::list(item.clone()), DataType::large_list_view(item.clone())] {
                    let there = cast(&array, &other, Digits::Keep).unwrap();
                    let back = match cast(&there, &fixed, Digits::Keep) {
                        // The items cannot be null, and there is no item to repeat.
                        Err(_) if name == "runs of required float64" && array.null_count() == array.len() => {
                            continue;
                        }
                        back => back.unwrap_or_else(|error| panic!("{name}: {error}")),
                    };
                    assert_eq!(back.data_type(), &fixed);
                    assert_eq!(values(&back), values(&array), "{name}");
                    // An array whose items are of the null type but not nullable is not strictly valid.
                    let is_strict = |array: &ArrayData| array.clone().validate(Validation::Strict).is_ok();
                    assert_eq!(is_strict(&back), is_strict(&array), "{name}");
                }
            }
        }
    }
    // All valid lists must have the new size.
    let items = Int64Array::from_iter(0..5).into_data();
    let parts = ArrayParts {
        validity: Some([false, true, true].into_iter().collect()),
        buffers: [vec![0_i32, 2, 4, 5].into(), Buffer::new()],
        children: Some([items].into()),
        ..ArrayParts::new("list<item: int64>".parse().unwrap(), 3)
    };
    let lists = ArrayData::try_new(parts).unwrap();
    let to: DataType = "fixed_size_list<item: int64; 2>".parse().unwrap();
    let error = cast(&lists, &to, Digits::Keep).unwrap_err();
    assert!(matches!(error.kind(), CastErrorKind::OutOfRange { slot: 2, .. }), "{error}");
    let made = cast(&lists.slice(0, 2), &to, Digits::Keep).unwrap();
    assert_eq!(
        format!("{:?}", AnyArray::try_new(&made).unwrap()),
        "fixed_size_list<item: int64; 2> [null, [2,3]]"
    );
}
