//! Compares the results of comparison with a naive comparison of values, for every type and in other layouts.

use arrow_data::{
    ArrayData, ArrayParts, Comparer, DataErrorKind, DifferenceKind, RecordBatch, Table, Validation,
};
use arrow_schema::{DataType, Field, IndexType, RunEndType, Schema, UnionMode};
use arrow_select::concat;
use proptest::prelude::*;
use testing_support::{Generator, Hunt, Nulls, Value, all_types, disguise, value, values};

use testing_support::make::{
    array, binary, dictionary, fixed, fixed_size_list, int32, list, list_view, nulls, runs, struct_, union,
};

fn comparer(left: &ArrayData, right: &ArrayData) -> Comparer {
    Comparer::try_new(left, right)
        .unwrap_or_else(|error| panic!("{} with {}: {error}", left.data_type(), right.data_type()))
}

/// Compares each slot with each slot, and ranges of slots, and checks the results against naive values.
fn check(left: &ArrayData, right: &ArrayData) {
    let what = format!("{}\n{}\n{}", left.data_type(), left.dump(), right.dump());
    let (lefts, rights) = (values(left), values(right));
    let mut comparer = comparer(left, right);
    for (i, value) in lefts.iter().enumerate() {
        for (j, other) in rights.iter().enumerate() {
            assert_eq!(comparer.differs(i, j), Ok(value != other), "{i} {j} {what}");
        }
    }
    for start in 0..lefts.len().min(4) {
        for right_start in 0..rights.len().min(4) {
            let n = (lefts.len() - start).min(rights.len() - right_start);
            let expected = (0..n).find(|k| lefts[start + k] != rights[right_start + k]);
            let found = comparer.first_mismatch(start..start + n, right_start);
            assert_eq!(found, Ok(expected), "{start} {right_start} {what}");
            let difference = comparer.first_difference(start..start + n, right_start).expect("inside");
            let Some(difference) = difference else { continue };
            assert_eq!(difference.left_slot() - start, difference.right_slot() - right_start);
            let (one, other) = (value(difference.left(), 0), value(difference.right(), 0));
            assert_ne!(one, other);
            assert_eq!(follow(&lefts[difference.left_slot()], &difference), one);
            assert_eq!(follow(&rights[difference.right_slot()], &difference), other);
        }
    }
    assert_eq!(left.same_values(right), Ok(lefts == rights), "{what}");
}

/// The value at the position of a difference.
fn follow(value: &Value, difference: &arrow_data::ColumnDifference) -> Value {
    let mut value = value.clone();
    let positions: Vec<usize> = difference.path().positions().map(|position| position as usize).collect();
    for (position, item) in positions.into_iter().zip(difference.items()) {
        value = match (value, item) {
            (Value::List(items), Some(item)) => items[*item].clone(),
            (Value::Map(pairs), Some(item)) => {
                let (key, value) = pairs[*item].clone();
                Value::Struct(vec![key, value])
            }
            (Value::Struct(fields), None) => fields[position].clone(),
            (Value::Union(_, value), None) => *value,
            (value, item) => panic!("no {position}, {item:?} in {value:?}"),
        };
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn agrees_with_the_oracle(seed: u64, n_slots in 0..40_usize) {
        let mut generator = Generator::new(seed);
        for (_, data_type) in all_types() {
            let nulls = *generator.rng().pick(&Nulls::ALL);
            let left = generator.sliced_array(&data_type, n_slots, nulls);
            let disguised = disguise(&mut generator, &left);
            check(&left, &disguised);
            check(&disguised, &left.slice(n_slots / 3, n_slots / 2));
            let other = generator.array(&data_type, n_slots, nulls);
            check(&disguised, &disguise(&mut generator, &other));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Hunt::from_env().count(8, 24) as u32))]

    #[test]
    fn long_ones_agree_too(seed: u64, n_slots in 4000..10_000_usize, cut in 0..70_usize) {
        let mut generator = Generator::new(seed);
        for (name, data_type) in all_types().into_iter().step_by(4 + seed as usize % 7) {
            for nulls in Nulls::ALL {
                let left = generator.sliced_array(&data_type, n_slots, nulls);
                let right = disguise(&mut generator, &left).slice(cut, n_slots - cut);
                let mut comparer = comparer(&left, &right);
                assert_eq!(comparer.first_mismatch(cut..n_slots, 0), Ok(None), "{name}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Hunt::from_env().count(10, 24) as u32))]

    /// Compares all pairs of slots of list views that share items, so most comparisons use the memo.
    #[test]
    fn overlapping_lists_agree_with_the_oracle(
        seed: u64,
        views in prop::collection::vec((0..30_usize, 0..30_usize), 1..30),
        changed in 0..30_usize,
    ) {
        let mut generator = Generator::new(seed);
        for (_, data_type) in all_types() {
            let nulls = *generator.rng().pick(&Nulls::ALL);
            let items = generator.array(&data_type, 30, nulls);
            let other = disguise(&mut generator, &items);
            let of = |items: ArrayData| {
                let offsets = views.iter().map(|(start, _)| *start as i64).collect::<Vec<_>>();
                let sizes = views.iter().map(|(start, n)| (*n).min(30 - start) as i64).collect::<Vec<_>>();
                let data_type = DataType::list_view(Field::new("item", items.data_type().clone()));
                list_view(&data_type, &offsets, &sizes, items)
            };
            check(&of(items.clone()), &of(other.clone()));
            // The same before the changed slot, then other values. Ordered dictionaries are not concatenated.
            let after = generator.array(&data_type, 30, nulls);
            let Ok(mixed) = concat(&[items.slice(0, changed), after.slice(changed, 30 - changed)]) else { continue };
            check(&of(other), &of(mixed));
        }
    }
}

#[test]
fn the_path_is_named() {
    let words = |values: &[&str]| {
        let mut offsets = vec![0];
        offsets.extend(values.iter().scan(0, |end, value| {
            *end += value.len() as i64;
            Some(*end)
        }));
        binary(&DataType::Utf8, &offsets, values.concat().as_bytes())
    };
    let address = |zips: &[i32], streets: &[&str]| {
        struct_(vec![
            (Field::new("zip.code", DataType::Int32), int32(zips)),
            (Field::new("street", DataType::Utf8), words(streets)),
        ])
    };
    let lists = |offsets: &[i64], items: ArrayData| {
        list(&DataType::list(Field::new("item", items.data_type().clone())), offsets, items)
    };
    let index = |values: ArrayData, indices: &[i64]| {
        let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone());
        dictionary(&data_type.expect("no dictionary"), indices, values)
    };
    let (a, b) = (address(&[1, 2], &["x", "y"]), address(&[1, 2], &["x", "z"]));
    let c = address(&[1, 3], &["x", "z"]);
    let of = |left, right| DifferenceKind::Length { left, right };
    let cases = [
        (a.clone(), b.clone(), 1, "street", DifferenceKind::Value),
        (a.clone(), c.clone(), 1, "\"zip.code\"", DifferenceKind::Value),
        (a.clone(), nulls(a.clone(), "10"), 1, "", DifferenceKind::Null),
        (lists(&[0, 0, 2], a.clone()), lists(&[0, 0, 2], b.clone()), 1, "[1].street", DifferenceKind::Value),
        (lists(&[0, 0, 2], a.clone()), lists(&[0, 1, 2], a.clone()), 0, "", of(0, 1)),
        (
            lists(&[0, 1], lists(&[0, 2], a.clone())),
            lists(&[0, 1], lists(&[0, 1], b.clone())),
            0,
            "[0]",
            of(2, 1),
        ),
        (
            index(a.clone(), &[0, 1, 0]),
            index(b.clone(), &[0, 0, 1]),
            1,
            "\"zip.code\"",
            DifferenceKind::Value,
        ),
        (
            runs(RunEndType::Int16, 4, &[2, 4], nulls(int32(&[1, 2]), "10")),
            int32(&[1, 1, 2, 2]),
            2,
            "",
            DifferenceKind::Null,
        ),
        (
            union(UnionMode::Sparse, &[5, 2], &[], [int32(&[1, 2]), words(&["", "b"])]),
            union(UnionMode::Dense, &[5, 5], &[0, 0], [int32(&[1]), words(&[])]),
            1,
            "",
            DifferenceKind::TypeId { left: 2, right: 5 },
        ),
        (
            union(UnionMode::Sparse, &[5, 2], &[], [int32(&[1, 2]), words(&["", "b"])]),
            union(UnionMode::Dense, &[5, 2], &[0, 0], [int32(&[1]), words(&["c"])]),
            1,
            "text",
            DifferenceKind::Value,
        ),
    ];
    for (left, right, slot, path, kind) in cases {
        let mut comparer = comparer(&left, &right);
        let difference = comparer.first_difference(0..left.len(), 0).expect("inside").expect(path);
        assert_eq!((difference.left_slot(), difference.to_string().as_str()), (slot, path));
        assert_eq!(difference.kind(), kind, "{path}");
    }
}

/// Different indices into one dictionary may select equal values. Slots with equal indices differ if one slot is null.
#[test]
fn indices_into_a_shared_dictionary() {
    let data_type = DataType::dictionary(IndexType::Int16, DataType::Int32).expect("no dictionary");
    let indices: Vec<i64> = (0..5000).map(|slot| slot % 4).collect();
    let all = dictionary(&data_type, &indices, nulls(int32(&[9, 5, 5, 6]), "0111"));
    let all = all.validate(Validation::Content).expect("it is valid");
    let with = |buffer: Vec<i16>, valid: Vec<bool>| {
        let parts = ArrayParts {
            validity: Some(valid.into_iter().collect()),
            buffers: [buffer.into(), Default::default()],
            ..all.clone().into_parts()
        };
        array(parts)
    };
    // Null values are null indices, and both fives are the same.
    let swapped = || (0..5000).map(|slot| [0, 2, 1, 3][slot % 4]).collect::<Vec<i16>>();
    let nulls_for_nulls = with(swapped(), (0..5000).map(|slot| slot % 4 != 0).collect());
    assert_eq!(nulls_for_nulls.same_values(&all), Ok(true));
    for at in [1, 4095, 4096, 4097, 4999] {
        let mut indices = swapped();
        indices[at] = if at % 4 == 3 { 1 } else { 3 };
        let other = with(indices, vec![true; 5000]);
        assert_eq!(comparer(&all, &other).first_mismatch(0..5000, 0), Ok(Some(at)));
        let null = with(swapped(), (0..5000).map(|slot| slot != at).collect());
        let expected = if at % 4 == 0 { None } else { Some(at) };
        assert_eq!(comparer(&all, &null).first_mismatch(0..5000, 0), Ok(expected));
    }
}

#[test]
fn bits_of_floats_are_compared() {
    let floats = |bits: &[u64]| {
        fixed(DataType::Float64, bits.iter().map(|bits| f64::from_bits(*bits)).collect::<Vec<f64>>())
    };
    let (nan, other_nan, zero, minus_zero) = (0x7ff8 << 48, 0x7ff8 << 48 | 1, 0, 1 << 63);
    for (left, right, same) in
        [(nan, nan, true), (nan, other_nan, false), (zero, minus_zero, false), (zero, zero, true)]
    {
        assert_eq!(floats(&[left]).same_values(&floats(&[right])), Ok(same));
    }
}

#[test]
fn types_that_hold_other_values_are_not_compared() {
    let names = |name: &str| struct_(vec![(Field::new(name, DataType::Int32), int32(&[1]))]);
    let sized = |n_slots, n_items| {
        fixed_size_list(Field::new("item", DataType::Int32), n_slots, n_items, int32(&[1, 2]))
    };
    let from_ids = |ids: [i8; 2]| {
        let fields = ids.map(|id| (id, Field::new("same", DataType::Int32)));
        ArrayData::new_empty(&DataType::union(UnionMode::Sparse, fields).expect("two ids"))
    };
    let cases = [
        (int32(&[1]), fixed(DataType::Date32, [1_i32])),
        (int32(&[1]), fixed(DataType::Float32, [0_f32])),
        (binary(&DataType::Utf8, &[0, 1], b"a"), binary(&DataType::Binary, &[0, 1], b"a")),
        (names("a"), names("b")),
        (ArrayData::new_empty(&DataType::Null), ArrayData::new_empty(&DataType::Int8)),
        (sized(1, 2), sized(2, 1)),
        (sized(1, 2), list(&DataType::list(Field::new("item", DataType::Int32)), &[0, 2], int32(&[1, 2]))),
        (from_ids([5, 2]), from_ids([5, 3])),
        (from_ids([5, 2]), from_ids([2, 5])),
    ];
    for (left, right) in cases {
        let error = Comparer::try_new(&left, &right).expect_err("other types");
        assert!(matches!(error.kind(), DataErrorKind::Incomparable { .. }), "{error}");
        assert_eq!(left.same_values(&right), Ok(false));
    }
    let nested =
        |inner| struct_(vec![(Field::new("outer", DataType::clone(ArrayData::data_type(&inner))), inner)]);
    let error = Comparer::try_new(&nested(int32(&[1])), &nested(names("a"))).expect_err("other types");
    assert_eq!(
        error.to_string(),
        "field `outer`: values of type int32 and of type struct<a: int32> cannot be compared"
    );
}

#[test]
fn content_that_is_wrong_is_an_error() {
    let bad = binary(&DataType::Utf8, &[0, 9, 3], b"abc");
    let good = binary(&DataType::Utf8, &[0, 1, 3], b"abc");
    assert!(bad.same_values(&good).is_err());
    assert!(good.same_values(&bad).is_err());
    assert!(Comparer::try_new(&bad, &bad).is_err());
    assert_ne!(bad, bad.clone());
    let batch =
        |column: &ArrayData| RecordBatch::try_from_columns([("a", column.clone())]).expect("one column");
    assert_ne!(batch(&bad), batch(&bad));
    assert_ne!(Table::from(batch(&bad)), Table::from(batch(&bad)));
    assert_eq!(batch(&good), batch(&good));
}

/// `==` of arrays, columns, batches and tables is equality of types without metadata, and of naive values.
#[test]
fn equal_values_of_equal_types_are_equal() {
    let mut generator = Generator::new(65);
    for (_, data_type) in all_types() {
        let arrays = [0, 5, 5, 6].map(|n_slots| generator.array(&data_type, n_slots, Nulls::Some));
        let disguised = arrays.each_ref().map(|array| disguise(&mut generator, array));
        let all: Vec<&ArrayData> = arrays.iter().chain(&disguised).collect();
        for left in &all {
            for right in &all {
                let expected = left.data_type().same_type(right.data_type()) && values(left) == values(right);
                assert_eq!(left == right, expected, "{data_type}\n{}\n{}", left.dump(), right.dump());
                let [one, other] = [left, right].map(|array| {
                    RecordBatch::try_from_columns([("a", ArrayData::clone(array))]).expect("one column")
                });
                assert_eq!(one == other, expected, "{data_type}");
                let n_rows = one.n_rows() / 2;
                let halves = [one.slice(0, n_rows), one.slice(n_rows, one.n_rows() - n_rows)];
                let halves = Table::try_from_batches(one.schema().clone(), halves).expect("one schema");
                assert_eq!(halves == Table::from(other), expected, "{data_type}");
            }
        }
    }
}

#[test]
fn names_and_nullability_count_and_metadata_does_not() {
    let batch =
        |field: Field| RecordBatch::try_new(Schema::new([field]), [int32(&[1, 2])]).expect("a column");
    let plain = batch(Field::new("a", DataType::Int32));
    assert_eq!(plain, batch(Field::new("a", DataType::Int32).with_metadata([("k", "v")].into())));
    assert_ne!(plain, batch(Field::new("b", DataType::Int32)));
    assert_ne!(plain, batch(Field::new("a", DataType::Int32).required()));
    assert!(plain.same_values(&batch(Field::new("a", DataType::Int32).required())).expect("valid"));
}

#[test]
fn slots_that_are_not_there_are_an_error() {
    let mut comparer = comparer(&int32(&[1, 2, 3]), &int32(&[1, 2]));
    for (left, right) in [(3, 0), (0, 2), (usize::MAX, 0), (0, usize::MAX)] {
        let error = comparer.differs(left, right).expect_err("there are 3 and 2");
        assert!(matches!(error.kind(), DataErrorKind::SliceOutOfRange { .. }), "{error}");
    }
    assert!(comparer.first_mismatch(0..3, 0).is_err());
    #[expect(clippy::reversed_empty_ranges, reason = "an empty range like any other")]
    let empty = 2..1;
    assert_eq!(comparer.first_mismatch(empty, 2), Ok(None));
    assert_eq!(comparer.first_mismatch(3..3, 2), Ok(None));
}

/// Arrays have many slots in little memory, or values that are much larger than their memory.
#[cfg(target_pointer_width = "64")]
#[test]
fn work_is_in_proportion_to_memory() {
    let n_slots = 1 << 60;
    let many = |data_type: DataType| array(ArrayParts::new(data_type, n_slots));
    let none = fixed_size_list(Field::new("item", DataType::Null), 1 << 40, 0, ArrayData::default());
    let runs_of = |data_type: DataType| {
        let values = array(ArrayParts::new(data_type, 3));
        runs(RunEndType::Int64, n_slots, &[1 << 59, (1 << 60) - 1, 1 << 60], values)
    };
    let null_runs = || runs_of(DataType::Null);
    let no_bytes = || DataType::fixed_size_binary(0).expect("a small size");
    let no_items =
        |n| fixed_size_list(Field::new("item", DataType::Int8), n, 0, ArrayData::new_empty(&DataType::Int8));
    let items = |n| fixed_size_list(Field::new("item", DataType::Null), 1 << 30, n, many(DataType::Null));
    let pairs = [
        (many(DataType::Null), many(DataType::Null)),
        (many(DataType::struct_([])), many(DataType::struct_([]))),
        (none.clone(), none),
        (null_runs(), null_runs()),
        (null_runs(), many(DataType::Null)),
        (items(1 << 30), items(1 << 30)),
        (many(DataType::struct_([])), runs_of(DataType::struct_([]))),
        (runs_of(no_bytes()), many(no_bytes())),
        (no_items(n_slots), runs(RunEndType::Int64, n_slots, &[1 << 60], no_items(1))),
    ];
    for (left, right) in pairs {
        let left = left.validate(Validation::Content).expect("it is valid");
        assert_eq!(left.same_values(&right), Ok(true), "{}", left.data_type());
    }
}

/// Each level refers twice to the level below: 2 to the power of 60 items in total.
#[test]
fn values_beyond_counting_are_compared() {
    let both = |child: ArrayData| {
        let data_type = DataType::list_view(Field::new("item", child.data_type().clone()));
        list_view(&data_type, &[0, 0], &[2, 2], child)
    };
    let indexed = |child: ArrayData| {
        let data_type = DataType::list(Field::new("item", child.data_type().clone()));
        let lists = list(&data_type, &[0, 2], child);
        let data_type = DataType::dictionary(IndexType::Int8, lists.data_type().clone());
        dictionary(&data_type.expect("no dictionary"), &[0, 0], lists)
    };
    let wraps: [&dyn Fn(ArrayData) -> ArrayData; 2] = [&both, &indexed];
    for wrap in wraps {
        let deep = |leaf: [i32; 2]| (0..60).fold(int32(&leaf), |child, _| wrap(child));
        assert_eq!(deep([1, 1]).same_values(&deep([1, 1])), Ok(true));
        assert_eq!(deep([1, 1]).same_values(&deep([1, 2])), Ok(false));
        let (left, right) = (deep([1, 1]), deep([1, 2]));
        let mut comparer = comparer(&left, &right);
        let difference = comparer.first_difference(0..2, 0).expect("inside").expect("they differ");
        assert_eq!(difference.path().steps().len(), 60);
        assert_eq!(difference.items().last(), Some(&Some(1)));
    }
}
