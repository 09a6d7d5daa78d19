//! Tests that `with_zeroed_nulls` replaces the data of null slots only, and what `with_unused_nulls` makes null.

use arrow_buffer::{Bitmap, Buffer, GrowingViews, View};
use arrow_data::{ArrayData, ArrayParts, Count, DataError, DataErrorKind, Role, Validation};
use arrow_schema::{DataType, Field, RunEndType, UnionMode};
use arrow_select::Select;
use testing_support::{Generator, Nulls, all_types, values};

use testing_support::make::{binary, dictionary, int32, nulls, runs, union};

#[test]
fn values_stay_and_zeroed_slots_stay_zeroed() {
    let mut generator = Generator::new(77);
    for (name, data_type) in all_types() {
        for kind in Nulls::ALL {
            for n_slots in [0, 1, 9, 70] {
                let array = generator.sliced_array(&data_type, n_slots, kind);
                let zeroed = array.with_zeroed_nulls().unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(values(&zeroed), values(&array), "{name}");
                let zeroed =
                    zeroed.validate(Validation::Strict).unwrap_or_else(|error| panic!("{name}: {error}"));
                let again = zeroed.with_zeroed_nulls().unwrap();
                assert_eq!(again.dump().to_string(), zeroed.dump().to_string(), "{name}");
                check_zeros(&zeroed, &name);
            }
        }
    }
}

/// Checks that the elements of null slots are zero.
fn check_zeros(array: &ArrayData, name: &str) {
    for (k, spec) in array.layout().data_buffers().iter().enumerate() {
        let n_bytes = usize::try_from(spec.element_bytes()).unwrap();
        let has_values = matches!(spec.role, Role::Values | Role::Views | Role::Sizes);
        if n_bytes == 0 || spec.count != Count::PerSlot || !has_values {
            continue;
        }
        for (slot, element) in array.buffer(k).chunks_exact(n_bytes).enumerate().take(array.len()) {
            assert!(array.is_valid(slot) || element.iter().all(|byte| *byte == 0), "{name}: slot {slot}");
        }
    }
    array.children().iter().for_each(|child| check_zeros(child, name));
}

/// The values stay the same, and so do all buffers but bitmaps.
#[test]
fn what_no_slot_shows_becomes_null() {
    fn buffers(array: &ArrayData) -> Vec<*const u8> {
        let own = [0, 1].map(|k| array.buffer(k).as_ptr());
        own.into_iter().chain(array.children().iter().flat_map(buffers)).collect()
    }
    let mut generator = Generator::new(78);
    for (name, data_type) in all_types() {
        for kind in Nulls::ALL {
            for n_slots in [0, 1, 9, 70] {
                let array = generator.sliced_array(&data_type, n_slots, kind);
                let shown = array.with_unused_nulls().unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(values(&shown), values(&array), "{name}");
                assert_eq!(buffers(&shown), buffers(&array), "{name}");
                shown.validate(Validation::Strict).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
    let of = |data_type: DataType, validity: &str, buffers: [Buffer; 2], items: ArrayData| {
        let children = Some([items].into());
        let parts = ArrayParts { buffers, children, ..ArrayParts::new(data_type, validity.len()) };
        nulls(ArrayData::try_new(parts).unwrap(), validity)
    };
    let item = || Field::new("item", DataType::Int32);
    let none = || [Buffer::new(), Buffer::new()];
    let offsets = || [Buffer::from(vec![1i32, 2, 3, 4]), Buffer::new()];
    let numbers = || int32(&[1, 2, 3, 4, 5]);
    let pair = DataType::struct_([item().required()]);
    let sparse = union(
        UnionMode::Sparse,
        &[5, 2, 5],
        &[],
        [int32(&[1, 2, 3]), binary(&DataType::Utf8, &[0, 1, 2, 3], b"abc")],
    );
    let cases = [
        (of(pair.clone(), "101", none(), nulls(int32(&[1, 2, 3]), "110")), vec!["100"]),
        (of(pair, "111", none(), int32(&[1, 2, 3])), vec![""]),
        (of(DataType::list(item()), "101", offsets(), numbers()), vec!["01010"]),
        (of(DataType::fixed_size_list(item(), 2).unwrap(), "01", none(), int32(&[1, 2, 3, 4])), vec!["0011"]),
        (sparse, vec!["101", "010"]),
    ];
    for (array, expected) in cases {
        let shown = array.with_unused_nulls().unwrap();
        assert!(shown.with_unused_nulls().unwrap().same_memory(&shown), "nothing is left to change");
        let bits = |child: &ArrayData| -> String {
            child.validity().into_iter().flatten().map(|bit| if bit { '1' } else { '0' }).collect()
        };
        let found: Vec<String> = shown.children().iter().map(bits).collect();
        assert_eq!(found, expected, "{}", array.dump());
    }
}

/// Compares each array with the same array made without unused data.
#[test]
fn what_is_left_is_what_was_never_there() {
    let list_of = |items: ArrayData| {
        ArrayData::try_new(ArrayParts {
            validity: Some(Bitmap::from_iter([true, false, true])),
            buffers: [Buffer::from(vec![0i32, 1, 3, 4]), Buffer::new()],
            children: Some([items].into()),
            ..ArrayParts::new(DataType::list(Field::new("item", DataType::Int32)), 3)
        })
        .unwrap()
    };
    let struct_of = |child: ArrayData| {
        ArrayData::try_new(ArrayParts {
            validity: Some(Bitmap::from_iter([true, false])),
            buffers: [Buffer::new(), Buffer::new()],
            children: Some([child.clone()].into()),
            ..ArrayParts::new(DataType::struct_([Field::new("c", child.data_type().clone())]), 2)
        })
        .unwrap()
    };
    let runs_of = |numbers: &[i32]| runs(RunEndType::Int32, 2, &[1, 2], int32(numbers));
    let words = || binary(&DataType::Utf8, &[0, 1], b"a");
    let words_type = DataType::dictionary(arrow_schema::IndexType::Int8, DataType::Utf8).unwrap();
    let unions = |first: &[i32], second: &[u8]| {
        let second = binary(&DataType::Utf8, &[0, 1, 2], second);
        union(UnionMode::Sparse, &[5, 2], &[], [int32(first), second])
    };
    let dense = |first: &[i32]| {
        let second = binary(&DataType::Utf8, &[0], b"");
        union(UnionMode::Dense, &[5, 5], &[1, 0], [int32(first), second])
    };
    let cases = [
        (nulls(int32(&[1, 7, 3]), "101"), nulls(int32(&[1, 0, 3]), "101")),
        (
            nulls(binary(&DataType::Binary, &[0, 1, 3, 4], b"abcd"), "101"),
            nulls(binary(&DataType::Binary, &[0, 1, 3, 4], b"a\0\0d"), "101"),
        ),
        (list_of(int32(&[1, 2, 3, 4])), list_of(int32(&[1, 0, 0, 4]))),
        (struct_of(int32(&[1, 2])), struct_of(int32(&[1, 0]))),
        (struct_of(runs_of(&[1, 2])), struct_of(runs_of(&[1, 0]))),
        (struct_of(unions(&[1, 8], b"ab")), struct_of(unions(&[1, 0], b"\0\0"))),
        (struct_of(dense(&[7, 1])), struct_of(dense(&[0, 1]))),
        (
            struct_of(dictionary(&words_type, &[0, 0], words())),
            struct_of(dictionary(&words_type, &[0, 0], words())),
        ),
    ];
    for (array, expected) in cases {
        let zeroed = array.with_zeroed_nulls().unwrap();
        assert_eq!(zeroed.dump().to_string(), expected.dump().to_string(), "{}", array.dump());
    }
}

/// An invalid view in a child is an error, not an empty string.
#[test]
fn wrong_views_of_children_are_refused() {
    let text = Buffer::copy_from(b"longer than twelve bytes");
    let end = View::long(&text[..20], 0, 10).unwrap();
    let array = |views: [View; 2]| {
        let views = views_buffer(GrowingViews::default(), views.into_iter());
        let views = ArrayData::try_new(ArrayParts {
            buffers: [views, Buffer::new()],
            variadic: Some([text.clone()].into()),
            ..ArrayParts::new(DataType::Utf8View, 2)
        });
        let structs = DataType::struct_([Field::new("c", DataType::Utf8View)]);
        ArrayData::try_new(ArrayParts {
            validity: Some(Bitmap::from_iter([false, true])),
            children: Some([views.unwrap()].into()),
            ..ArrayParts::new(structs, 2)
        })
        .unwrap()
    };
    let good = View::long(&text[4..], 0, 4).unwrap();
    assert_eq!(values(&array([good; 2]).with_zeroed_nulls().unwrap()), values(&array([good; 2])));
    let error = array([good, end]).with_zeroed_nulls().unwrap_err();
    assert!(!matches!(error.data().map(DataError::kind), Some(DataErrorKind::Internal { .. })), "{error}");
    assert!(error.to_string().contains('c'), "{error}");
}

/// Slots that take no memory may be too many to visit one by one.
#[test]
fn slots_without_end_are_not_walked() {
    let n_slots = 1usize << 62;
    let null = || ArrayData::try_new(ArrayParts::new(DataType::Null, n_slots)).unwrap();
    let wrap = |data_type: DataType, buffers: [Buffer; 2], n_slots, child: ArrayData| {
        let children = Some([child].into());
        ArrayData::try_new(ArrayParts { buffers, children, ..ArrayParts::new(data_type, n_slots) }).unwrap()
    };
    let no_buffers = || [Buffer::new(), Buffer::new()];
    let field = |array: &ArrayData| Field::new("c", array.data_type().clone());
    let struct_of =
        |child: ArrayData| wrap(DataType::struct_([field(&child)]), no_buffers(), child.len(), child);
    let empty = ArrayData::new_empty(&DataType::Int8);
    let no_items = DataType::fixed_size_list(field(&empty), 0).unwrap();
    let runs = runs(RunEndType::Int64, n_slots, &[1 << 62], nulls(int32(&[9]), "0"));
    let endless = [null(), struct_of(struct_of(null())), wrap(no_items, no_buffers(), n_slots, empty), runs];
    for array in endless {
        let lists = DataType::large_list(field(&array));
        let list = wrap(lists, [Buffer::from(vec![0i64, 0, 1 << 62]), Buffer::new()], 2, array.clone());
        for array in [struct_of(array.clone()), struct_of(struct_of(list.clone())), nulls(list, "01"), array]
        {
            for other in [array.with_zeroed_nulls().unwrap(), array.with_unused_nulls().unwrap()] {
                assert_eq!((other.len(), other.data_type()), (array.len(), array.data_type()));
            }
        }
    }
}

/// If many views refer to the same bytes, the result has these bytes once, and only the bytes to which valid slots
/// refer.
#[test]
fn bytes_that_many_views_share_stay_shared() {
    let text = vec![b'x'; 1 << 20];
    let n_slots = 1 << 12;
    let view = |slot: usize| match slot {
        0 => View::long(&text[..500_000], 0, 100_000),
        1 => View::long(&text[..13], 0, 1_000_000),
        _ => View::long(&text[..400_000], 0, 300_000),
    };
    let views = GrowingViews::default();
    let array = ArrayData::try_new(ArrayParts {
        validity: Some(Bitmap::from_iter((0..n_slots).map(|slot| slot != 1))),
        buffers: [views_buffer(views, (0..n_slots).map(|slot| view(slot).unwrap())), Buffer::new()],
        variadic: Some([Buffer::from(text.clone())].into()),
        ..ArrayParts::new(DataType::Utf8View, n_slots)
    })
    .unwrap();
    let zeroed = array.with_zeroed_nulls().unwrap();
    assert_eq!(zeroed.variadic().iter().map(|data| data.len()).collect::<Vec<_>>(), [600_000]);
    assert!(zeroed.same_values(&array).unwrap());
}

/// A slice is changed without what is outside of it, and slices of the changed array have the same values.
#[test]
fn slices_cost_what_they_refer_to() {
    const N: i32 = 1000;
    let items = || nulls(int32(&(0..N).collect::<Vec<_>>()), &"1011".repeat(N as usize / 4));
    let item = || Field::new("item", DataType::Int32);
    let of = |data_type: DataType, buffers: [Buffer; 2], children: Vec<ArrayData>| {
        let children = (!children.is_empty()).then(|| children.into());
        ArrayData::try_new(ArrayParts { buffers, children, ..ArrayParts::new(data_type, 500) }).unwrap()
    };
    let ends = || (0..=500).map(|slot| slot * 2);
    let offsets = || Buffer::from(ends().collect::<Vec<i32>>());
    let wide = || Buffer::from(ends().map(i64::from).collect::<Vec<i64>>());
    // Every second slot is empty, with an offset that is far away.
    let starts =
        || Buffer::from((0..500).map(|slot| if slot % 2 == 0 { slot * 2 } else { N }).collect::<Vec<i32>>());
    let sizes = || Buffer::from((0..500).map(|slot| (1 - slot % 2) * 2).collect::<Vec<i32>>());
    let fields = [(5, Field::new("a", DataType::Int32)), (2, Field::new("b", DataType::Int32))];
    let type_ids = Buffer::from((0..500).map(|slot| if slot % 2 == 0 { 5 } else { 2 }).collect::<Vec<i8>>());
    let run_ends = (1..=N).collect::<Vec<i32>>();
    let text = || Buffer::from(vec![b'x'; N as usize]);
    let bit = |slot: i32| slot % 3 != 1;
    let with_nulls = |array: ArrayData| {
        let validity = Some(Bitmap::from_iter((0..500).map(bit)));
        ArrayData::try_new(ArrayParts { validity, ..array.into_parts() }).unwrap()
    };
    let arrays = [
        with_nulls(of(DataType::Utf8, [offsets(), text()], vec![])),
        with_nulls(of(DataType::LargeBinary, [wide(), text()], vec![])),
        of(DataType::list(item()), [offsets(), Buffer::new()], vec![items()]),
        with_nulls(of(DataType::large_list(item()), [wide(), Buffer::new()], vec![items()])),
        of(DataType::list_view(item()), [starts(), sizes()], vec![items()]),
        with_nulls(of(DataType::list_view(item()), [starts(), sizes()], vec![items()])),
        of(
            DataType::union(UnionMode::Dense, fields).unwrap(),
            [type_ids, Buffer::from((0..500).collect::<Vec<i32>>())],
            vec![items(), items()],
        ),
        of(
            DataType::run_end_encoded(RunEndType::Int32, DataType::Int32),
            [Buffer::new(), Buffer::new()],
            vec![int32(&run_ends), items()],
        ),
    ];
    for array in arrays {
        let array = array.validate(Validation::Strict).unwrap();
        for slice in [array.slice(400, 9), array.slice(0, 5), array.slice(7, 1), array.slice(500, 0)] {
            let name = format!("{} of {}", slice.len(), array.data_type());
            let zeroed = slice.with_zeroed_nulls().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(zeroed.checked() >= Validation::Content, "{name}");
            assert_eq!(values(&zeroed), values(&slice), "{name}");
            let n_items =
                zeroed.children().iter().map(ArrayData::len).sum::<usize>() + zeroed.buffer(1).len();
            // Each slot refers to at most two slots of a child, and to one of each of them in a union.
            let is_shared = zeroed.children().is_empty() && zeroed.null_count() == 0;
            assert!(
                is_shared || n_items <= slice.len() * 4 + 2 * size_of::<i32>() * slice.len(),
                "{name}: {n_items}"
            );
            check_zeros(&zeroed, &name);
        }
    }
}

/// An array without nulls stays as it is, with its level of validation.
#[test]
fn what_is_not_overwritten_stays_the_same() {
    let list = binary(&DataType::Utf8, &[0, 1, 2], b"ab");
    let children = Some([list].into());
    let data_type = DataType::struct_([Field::new("c", DataType::Utf8)]);
    let array = ArrayData::try_new(ArrayParts { children, ..ArrayParts::new(data_type, 2) }).unwrap();
    let array = array.validate(Validation::Strict).unwrap();
    let zeroed = array.with_zeroed_nulls().unwrap();
    assert_eq!(zeroed.checked(), Validation::Strict);
    let address = |array: &ArrayData| array.children()[0].buffer(0).as_ptr();
    assert_eq!(address(&zeroed), address(&array));
    // What is overwritten is checked again.
    let zeroed = nulls(array, "10").validate(Validation::Strict).unwrap().with_zeroed_nulls().unwrap();
    assert_eq!(zeroed.checked(), Validation::Content);
}

fn views_buffer(mut growing: GrowingViews, views: impl Iterator<Item = View>) -> Buffer {
    growing.extend(views, &[Buffer::zeroed(13)]).unwrap();
    growing.views()
}
