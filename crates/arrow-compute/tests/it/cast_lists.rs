//! Casts of random lists, of items of every type, to lists of fixed size and back.

use arrow_array::{AnyArray, Int64Array};
use arrow_buffer::Buffer;
use arrow_compute::{CastErrorKind, Digits, cast};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, Field};
use testing_support::make::{list, list_view, struct_};
use testing_support::{Generator, Hunt, Nulls, all_types, values};

use crate::ALLOCATOR;

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

/// Items to which several lists refer are cast once, and still shared.
#[test]
fn shared_items_are_not_copied_for_each_list() {
    let items = Int64Array::from_iter(0..1000).into_data();
    let mut offsets = vec![1000_i64; 9];
    offsets[0] = 0;
    let lists = list(&"list<item: int64>".parse().unwrap(), &offsets, items);
    let views = list_view(&"list_view<item: list<item: int64>>".parse().unwrap(), &[0; 3], &[1; 3], lists);
    let to = "list_view<item: list<item: int32>>".parse().unwrap();
    let made = cast(&views, &to, Digits::Keep).unwrap();
    assert_eq!(made.children()[0].children()[0].len(), 1000);
    assert_eq!(values(&made), values(&views));
}

/// A slice of lists keeps all of their items. Only those that it shows are cast.
#[test]
fn a_slice_costs_the_items_that_it_shows() {
    const N_LISTS: usize = 1000;
    const N_ITEMS: i64 = 100;
    let items = || Int64Array::from_iter(0..N_LISTS as i64 * N_ITEMS).into_data();
    let offsets: Vec<i64> = (0..=N_LISTS as i64).map(|slot| slot * N_ITEMS).collect();
    let lists = list(&"list<item: int64>".parse().unwrap(), &offsets, items());
    let sizes = [N_ITEMS; N_LISTS];
    let views = list_view(&"list_view<item: int64>".parse().unwrap(), &offsets[..N_LISTS], &sizes, items());
    let ones: Vec<i64> = (0..=N_LISTS as i64).collect();
    let nested = list(&"list<item: list<item: int64>>".parse().unwrap(), &ones, lists.clone());
    let map: DataType = "map<entries: struct<k: int64 not null, v: int64> not null>".parse().unwrap();
    let fields = map.children()[0].data_type().children();
    let entries = struct_(fields.iter().map(|field| (field.clone(), items())).collect());
    let maps = list(&map, &offsets, entries);
    for (array, to) in [
        (lists, "list<item: int32>"),
        (views, "list_view<item: int32>"),
        (nested, "list<item: list<item: int32>>"),
        (maps, "map<entries: struct<k: int64 not null, v: int32> not null>"),
    ] {
        let (array, to) = (array.validate(Validation::Content).unwrap(), to.parse().unwrap());
        let cost = |start, n_slots| {
            let (made, usage) = ALLOCATOR.measure(|| cast(&array.slice(start, n_slots), &to, Digits::Keep));
            let made = made.unwrap();
            assert_eq!(values(&made).len(), n_slots);
            (made, usage.total_bytes)
        };
        let (all, all_bytes) = cost(0, N_LISTS);
        let (few, few_bytes) = cost(7, 3);
        assert!(few_bytes * 20 < all_bytes, "{to}: {few_bytes} of {all_bytes} bytes");
        assert_eq!(values(&few), values(&all.slice(7, 3)), "{to}");
        assert!(few.validate(Validation::Strict).is_ok(), "{to}");
    }
}
