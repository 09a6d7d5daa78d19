//! Tests which arguments the constructors of types accept, refuse and preserve.

use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, FixedSize, IndexType, KeyOrder, MapType, Precision,
    RunEndEncodedType, RunEndType, TimeUnit, TypeError, UnionMode, UnionType,
};

fn field(data_type: DataType) -> Field {
    Field::new("f", data_type)
}

fn fields(n_fields: usize) -> Vec<Field> {
    vec![field(DataType::Int8); n_fields]
}

#[test]
fn precisions_end_at_what_the_width_holds() {
    type Constructor = fn(u8, i32) -> Result<DataType, TypeError>;
    let widths: [(Constructor, u8); 4] = [
        (DataType::decimal32, 9),
        (DataType::decimal64, 18),
        (DataType::decimal128, 38),
        (DataType::decimal256, 76),
    ];
    for (constructor, max) in widths {
        for precision in 0..=u8::MAX {
            let made = constructor(precision, -7);
            if (1..=max).contains(&precision) {
                assert!(made.is_ok_and(|made| made.to_string().ends_with(&format!("({precision}, -7)"))));
            } else {
                assert_eq!(made, Err(TypeError::PrecisionOutOfRange { found: i32::from(precision), max }));
            }
        }
    }
    for found in [i32::MIN, -1, 0, 10, 265, i32::MAX] {
        assert_eq!(Precision::<9>::try_from(found), Err(TypeError::PrecisionOutOfRange { found, max: 9 }));
    }
    assert_eq!(Precision::<9>::try_from(9), Ok(Precision::MAX));
}

#[test]
fn sizes_fit_the_format() {
    for n in [0, 1, 16, i32::MAX.unsigned_abs()] {
        let size = FixedSize::new(n);
        assert_eq!(size.map(FixedSize::get), Some(n));
        assert_eq!(size.map(FixedSize::as_usize), usize::try_from(n).ok());
        assert_eq!(size.map(FixedSize::as_i32), i32::try_from(n).ok());
    }
    for n in [1 << 31, u32::MAX] {
        let refused = TypeError::SizeOutOfRange { found: i64::from(n) };
        assert_eq!(FixedSize::new(n), None);
        assert_eq!(DataType::fixed_size_binary(n), Err(refused.clone()));
        assert_eq!(DataType::fixed_size_list(field(DataType::Null), n), Err(refused));
    }
    for n in [-1, i32::MIN] {
        assert_eq!(FixedSize::try_from(n), Err(TypeError::SizeOutOfRange { found: i64::from(n) }));
    }
    assert_eq!(FixedSize::try_from(i32::MAX), Ok(FixedSize::MAX));
}

#[test]
fn unions_need_one_small_unique_id_per_child() {
    let all_ids: Vec<i8> = (0..=i8::MAX).collect();
    type Case<'a> = (usize, Option<&'a [i8]>, Result<(), TypeError>);
    let cases: [Case<'_>; 11] = [
        (0, None, Ok(())),
        (0, Some(&[]), Ok(())),
        (128, None, Ok(())),
        (128, Some(&all_ids), Ok(())),
        (2, Some(&[127, 0]), Ok(())),
        (129, None, Err(TypeError::UnionChildren { found: 129 })),
        (2, Some(&[0]), Err(TypeError::UnionTypeIdCount { n_fields: 2, n_type_ids: 1 })),
        (1, Some(&all_ids), Err(TypeError::UnionTypeIdCount { n_fields: 1, n_type_ids: 128 })),
        (2, Some(&[0, -1]), Err(TypeError::UnionTypeId { found: -1 })),
        (1, Some(&[i8::MIN]), Err(TypeError::UnionTypeId { found: i8::MIN })),
        (3, Some(&[4, 0, 4]), Err(TypeError::UnionTypeIdRepeated { type_id: 4 })),
    ];
    for (n_fields, type_ids, expected) in cases {
        for mode in [UnionMode::Sparse, UnionMode::Dense] {
            let made = UnionType::try_new(fields(n_fields), type_ids, mode);
            assert_eq!(made.as_ref().map(|_| ()), expected.as_ref().map(|_| ()), "{n_fields} {type_ids:?}");
            if let Ok(union) = made {
                check_ids(&union);
            }
        }
    }
}

/// Compares `child_of` with a search through the type ids.
fn check_ids(union: &UnionType) {
    assert_eq!(union.type_ids().len(), union.fields().len());
    for type_id in i8::MIN..=i8::MAX {
        let searched = union.type_ids().iter().position(|&known| known == type_id);
        assert_eq!(union.child_of(type_id), searched, "{type_id} of {:?}", union.type_ids());
    }
}

#[test]
fn map_entries_are_a_struct_of_two() -> Result<(), TypeError> {
    for refused in [
        DataType::Int8,
        DataType::struct_([]),
        DataType::struct_(fields(1)),
        DataType::struct_(fields(3)),
        DataType::list(field(DataType::struct_(fields(2)))),
    ] {
        let made = MapType::try_new(field(refused.clone()), KeyOrder::Unsorted);
        assert_eq!(made, Err(TypeError::MapEntries { found: refused }));
    }
    let pair = [Field::new("k", DataType::Utf8), Field::new("v", DataType::Int8)];
    let map = MapType::try_new(Field::new("e", DataType::struct_(pair.clone())), KeyOrder::Unsorted)?;
    assert_eq!([map.key(), map.value()], [&pair[0], &pair[1]]);
    assert_eq!(map.entries().name(), "e");
    assert!(map.entries().is_nullable() && map.key().is_nullable(), "what is given is kept");
    assert!(!map.keys_sorted());

    let [key, value] = pair;
    let usual = MapType::from_key_value(key.clone(), value.clone(), KeyOrder::Sorted);
    assert_eq!([usual.key(), usual.value()], [&key.required(), &value]);
    assert!(!usual.entries().is_nullable() && usual.keys_sorted());
    Ok(())
}

#[test]
fn dictionaries_hold_no_dictionaries() -> Result<(), TypeError> {
    let inner = DataType::dictionary(IndexType::Int8, DataType::Utf8)?;
    let made = DataType::dictionary(IndexType::Int8, inner.clone());
    assert_eq!(made, Err(TypeError::DictionaryOfDictionary { found: inner.clone() }));
    let below_a_list = DataType::dictionary(IndexType::Int8, DataType::list(field(inner)))?;
    assert_eq!(below_a_list.children(), []);
    assert_eq!(below_a_list.value_children().len(), 1);
    Ok(())
}

#[test]
fn indices_and_run_ends_are_integers() -> Result<(), TypeError> {
    for index in IndexType::ALL {
        let data_type = DataType::from(index);
        assert_eq!(IndexType::try_from(&data_type), Ok(index));
        let name = format!("{}int{}", if index.is_signed() { "" } else { "u" }, index.n_bits());
        assert_eq!([index.to_string(), data_type.to_string()], [name.clone(), name]);
        let dictionary = DictionaryType::try_new(index, DataType::Null, DictionaryOrder::Ordered)?;
        assert_eq!(dictionary.index_type(), data_type);
        assert!(dictionary.is_ordered());
    }
    for run_end_type in RunEndType::ALL {
        let data_type = DataType::from(run_end_type);
        assert_eq!(data_type.to_string(), format!("int{}", run_end_type.n_bits()));
        let runs = RunEndEncodedType::try_new(field(data_type), field(DataType::Utf8))?;
        assert_eq!(runs.run_end_type(), run_end_type);
        assert!(runs.run_ends().is_nullable(), "what is given is kept");
    }
    for refused in [DataType::Int8, DataType::UInt16, DataType::UInt64, DataType::Float32, DataType::Null] {
        let made = RunEndEncodedType::try_new(field(refused.clone()), field(DataType::Utf8));
        assert_eq!(made, Err(TypeError::RunEnds { found: refused }));
    }
    for found in [DataType::Float64, DataType::Utf8, DataType::Null, DataType::Date32] {
        assert_eq!(IndexType::try_from(&found), Err(TypeError::DictionaryIndex { found }));
    }
    Ok(())
}

#[test]
fn children_and_depth() -> Result<(), TypeError> {
    let list = DataType::list(field(DataType::Int8));
    let cases: [(DataType, usize, usize); 9] = [
        (DataType::Int8, 0, 1),
        (list.clone(), 1, 2),
        (DataType::struct_([]), 0, 1),
        (DataType::struct_([field(DataType::Int8), field(list.clone()), field(DataType::Int8)]), 3, 3),
        (DataType::map(field(DataType::Utf8), field(list.clone())), 1, 4),
        (DataType::union(UnionMode::Dense, [(0, field(list.clone())), (1, field(list.clone()))])?, 2, 3),
        (DataType::dictionary(IndexType::Int8, DataType::Utf8)?, 0, 1),
        (DataType::dictionary(IndexType::Int8, list.clone())?, 0, 2),
        (DataType::run_end_encoded(RunEndType::Int16, list), 2, 3),
    ];
    for (data_type, n_children, depth) in cases {
        assert_eq!(data_type.children().len(), n_children, "{data_type}");
        assert_eq!(data_type.depth(), depth, "{data_type}");
    }
    Ok(())
}

#[test]
fn parts_of_types() {
    let zoned = DataType::timestamp_with_zone(TimeUnit::Second, "UTC");
    assert_eq!(zoned.as_timestamp(), Some((TimeUnit::Second, Some("UTC"))));
    let plain = DataType::timestamp(TimeUnit::Second);
    assert_eq!(plain.as_timestamp(), Some((TimeUnit::Second, None)));
    let empty = DataType::timestamp_with_zone(TimeUnit::Second, "");
    assert_ne!(plain, empty);
    assert_eq!(empty.as_timestamp(), Some((TimeUnit::Second, None)), "unknown, as if there was none");
    assert_eq!(DataType::Date32.as_timestamp(), None);
    for unit in TimeUnit::ALL {
        let time = DataType::time(unit).to_string();
        let width = if unit <= TimeUnit::Millisecond { "32" } else { "64" };
        assert_eq!(time, format!("time{width}({unit})"));
    }
}

#[test]
fn types_are_rebuilt_with_other_children() -> Result<(), TypeError> {
    let list = || DataType::list(field(DataType::Int8));
    let cases: [(DataType, usize, Option<TypeError>); 11] = [
        (DataType::Utf8, 0, None),
        (DataType::Utf8, 1, Some(TypeError::ChildCount { kind: "utf8", expected: 0, found: 1 })),
        (list(), 0, Some(TypeError::ChildCount { kind: "list", expected: 1, found: 0 })),
        (list(), 1, None),
        (DataType::fixed_size_list(field(DataType::Utf8), 7)?, 1, None),
        (DataType::struct_(fields(2)), 0, None),
        (DataType::struct_(fields(2)), 5, None),
        (UnionType::try_new(fields(2), None, UnionMode::Dense)?.into(), 2, None),
        (
            UnionType::try_new(fields(2), None, UnionMode::Dense)?.into(),
            1,
            Some(TypeError::UnionTypeIdCount { n_fields: 1, n_type_ids: 2 }),
        ),
        (
            DataType::map(field(DataType::Utf8), field(DataType::Utf8)),
            1,
            Some(TypeError::MapEntries { found: DataType::Int8 }),
        ),
        (
            DataType::run_end_encoded(RunEndType::Int64, DataType::Utf8),
            2,
            Some(TypeError::RunEnds { found: DataType::Int8 }),
        ),
    ];
    for (data_type, n_children, refused) in cases {
        let rebuilt = data_type.with_children(fields(n_children));
        assert_eq!(rebuilt.as_ref().err(), refused.as_ref(), "{data_type}");
        if let Ok(rebuilt) = rebuilt {
            assert_eq!(rebuilt.children(), fields(n_children), "{data_type}");
            assert_eq!(rebuilt.name(), data_type.name());
        }
    }
    Ok(())
}

/// Checks the message of each error.
#[test]
fn errors_say_what_was_found_and_allowed() {
    let cases = [
        (
            TypeError::PrecisionOutOfRange { found: 39, max: 38 },
            "the precision of the decimal is 39; its bit width allows 1 to 38",
        ),
        (TypeError::SizeOutOfRange { found: -1 }, "the fixed size is -1; allowed: 0 to 2147483647"),
        (
            TypeError::MapEntries { found: DataType::Int8 },
            "map entries must be a struct of a key and a value, found int8",
        ),
        (TypeError::UnionChildren { found: 129 }, "a union has at most 128 children, found 129"),
        (
            TypeError::UnionTypeIdCount { n_fields: 2, n_type_ids: 3 },
            "a union has one type id for each child, found 3 type ids for 2 children",
        ),
        (TypeError::UnionTypeId { found: -1 }, "a union type id is -1; allowed: 0 to 127"),
        (TypeError::UnionTypeIdRepeated { type_id: 4 }, "union type id 4 belongs to more than one child"),
        (
            TypeError::DictionaryIndex { found: DataType::Null },
            "dictionary indices must be integers, found null",
        ),
        (TypeError::RunEnds { found: DataType::Int8 }, "run ends must be int16, int32 or int64, found int8"),
        (
            TypeError::ChildCount { kind: "list", expected: 1, found: 2 },
            "expected 1 children of list, found 2",
        ),
    ];
    for (error, text) in cases {
        assert_eq!(error.to_string(), text);
    }
}
