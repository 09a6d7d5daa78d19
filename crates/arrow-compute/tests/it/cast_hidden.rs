//! Casts of arrays whose children and dictionaries have values that no slot shows. These values need not fit.

use arrow_array::{AnyArray, Int64Array, Utf8Array};
use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, Digits, cast};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};
use testing_support::make::{dictionary, fixed_size_list, list, list_view, nulls, runs, struct_, union_of};

fn numbers(numbers: &[i64]) -> ArrayData {
    let parts = Int64Array::from_iter(numbers.iter().copied()).into_data().into_parts();
    ArrayData::try_new(ArrayParts { validity: None, ..parts }).unwrap()
}

fn item(data_type: DataType) -> Field {
    Field::new("item", data_type)
}

/// Arrays of two slots whose only number is 1. The numbers after it are hidden.
fn arrays() -> Vec<(ArrayData, &'static str)> {
    let field = |array: &ArrayData| Field::new("a", array.data_type().clone());
    let pairs = |child: ArrayData| nulls(struct_(vec![(field(&child), child)]), "10");
    let list_type = || DataType::list(item(DataType::Int64));
    let list_of =
        |items: ArrayData| list(&DataType::list(item(items.data_type().clone())), &[0, 1, 2], items);
    let lists = nulls(list(&list_type(), &[0, 1, 2], numbers(&[1, 300])), "10");
    let texts = Utf8Array::try_from_iter(["1", "x"]).unwrap().into_data();
    let union = |mode, offsets: &[i32], ids: &[i8], numbers: ArrayData, texts: ArrayData| {
        let fields = [(0, field(&numbers)), (1, Field::new("b", DataType::Utf8))];
        union_of(mode, fields, ids, offsets, [numbers, texts])
    };
    let words = DataType::dictionary(IndexType::Int8, DataType::Int64).unwrap();
    let words = nulls(dictionary(&words, &[0, 1], numbers(&[1, 300])), "10");
    let sparse = union(UnionMode::Sparse, &[], &[0, 1], numbers(&[1, 300]), texts.clone());
    let dense = union(UnionMode::Dense, &[0, 1], &[0, 1], numbers(&[1, 300]), texts.clone());
    let narrow_sparse = union(UnionMode::Sparse, &[], &[0, 0], numbers(&[1, 300]), texts.clone());
    let required = Field::new("a", DataType::Int64).required();
    let pair_dictionary = DataType::struct_([Field::new("a", DataType::Int64)]);
    let pair_dictionary = DataType::dictionary(IndexType::Int8, pair_dictionary).unwrap();
    vec![
        (pairs(numbers(&[1, 300])), "struct<a: int8>"),
        (pairs(texts), "struct<a: int64>"),
        (
            pairs(runs(RunEndType::Int32, 2, &[1, 2], numbers(&[1, 300]))),
            "struct<a: run_end_encoded<run_ends: int32 not null, values: int8>>",
        ),
        (
            list_of(runs(RunEndType::Int32, 2, &[1, 2], numbers(&[1, 300]))).slice(0, 1),
            "list<item: run_end_encoded<run_ends: int32 not null, values: int8>>",
        ),
        (nulls(struct_(vec![(required, numbers(&[1, 300]))]), "10"), "struct<a: int8 not null>"),
        (pairs(pairs(numbers(&[1, 300]))), "struct<a: struct<a: int8>>"),
        (pairs(list(&list_type(), &[0, 1, 2], numbers(&[1, 300]))), "struct<a: list<item: int8>>"),
        (pairs(words.clone()), "struct<a: dictionary<int8, int8>>"),
        (words, "dictionary<uint8, int8>"),
        (lists, "list<item: int8>"),
        (list(&list_type(), &[0, 1, 2], numbers(&[1, 300])).slice(0, 1), "list<item: int8>"),
        (
            list_view(&DataType::list_view(item(DataType::Int64)), &[0, 0], &[1, 1], numbers(&[1, 300])),
            "list_view<item: int8>",
        ),
        (
            nulls(fixed_size_list(item(DataType::Int64), 2, 1, numbers(&[1, 300])), "10"),
            "fixed_size_list<item: int8; 1>",
        ),
        (sparse, "sparse_union<0=a: int8, 1=b: utf8>"),
        (dense, "dense_union<0=a: int8, 1=b: utf8>"),
        (pairs(narrow_sparse), "struct<a: sparse_union<0=a: int8, 1=b: utf8>>"),
        (
            dictionary(&pair_dictionary, &[0, 1], pairs(numbers(&[1, 300]))),
            "dictionary<int8, struct<a: int8>>",
        ),
    ]
}

#[test]
fn hidden_values_need_not_fit() {
    for (array, to) in arrays() {
        let to = to.parse().unwrap();
        let shown = |array: &ArrayData| {
            let array = AnyArray::try_new(array).unwrap();
            (0..array.len()).map(|slot| array.display(slot).to_string()).collect::<Vec<String>>()
        };
        let made = cast(&array, &to, Digits::Keep).unwrap_or_else(|error| panic!("{to}: {error}"));
        assert_eq!(made.data_type(), &to);
        let expected = shown(&array).iter().map(|text| text.replace("\"1\"", "1")).collect::<Vec<String>>();
        assert_eq!(shown(&made), expected, "{to}");
        made.validate(Validation::Strict).unwrap_or_else(|error| panic!("{to}: {error}"));
    }
    // Values that slots show are named, not the hidden ones before them.
    let hidden = nulls(struct_(vec![(Field::new("a", DataType::Int64), numbers(&[300, 400]))]), "01");
    let error = cast(&hidden, &"struct<a: int8>".parse().unwrap(), Digits::Keep).unwrap_err();
    assert_eq!(error.to_string(), "field `a`: the value 400 in slot 1 does not fit int8");
    // Hidden nulls count, so those that the cast adds must not be blamed.
    let error = cast(&hidden, &"struct<a: int8 not null>".parse().unwrap(), Digits::Keep).unwrap_err();
    assert_eq!(error.to_string(), "field `a`: the value 300 in slot 0 does not fit int8");
}

/// A dictionary with a value that does not fit is read once, not again for each array that uses its other values.
#[test]
fn dictionaries_with_hidden_faults_are_cast_once() {
    const N_VALUES: usize = 100_000;
    let words = (0..N_VALUES).map(|_| "1").chain(["x"]);
    let words = Utf8Array::try_from_iter(words).unwrap().into_data();
    let of = DataType::dictionary(IndexType::Int32, DataType::Utf8).unwrap();
    let array = dictionary(&of, &[0, 7], words);
    let to: DataType = "dictionary<int32, int64>".parse().unwrap();
    let all = Cast::new(to, Digits::Keep);
    let cast = |n_times: usize| {
        let (_, usage) = crate::ALLOCATOR.measure(|| {
            for _ in 0..n_times {
                let made = all.array(&array, &MemoryBudget::new(64 << 20)).unwrap();
                assert_eq!(AnyArray::try_new(&made).unwrap().display(1).to_string(), "1");
            }
        });
        usage.total_bytes
    };
    cast(1);
    // Without the first cast, an array takes as much memory as its slots.
    assert!(cast(100) < 8 * N_VALUES as u64, "values are cast again");
}

/// Only values that a slot shows are counted, and each value of a dictionary once.
#[test]
fn hidden_values_lose_no_digits() {
    let cents = |units: &[i64]| cast(&numbers(units), &"decimal64(9, 2)".parse().unwrap(), Digits::Keep);
    let halves = |units: &[i64]| {
        let parts = cents(units).unwrap().into_parts();
        let half: Vec<i64> = units.iter().map(|unit| unit * 100 + 50).collect();
        ArrayData::try_new(ArrayParts { buffers: [half.into(), Default::default()], ..parts }).unwrap()
    };
    let words = DataType::dictionary(IndexType::Int8, halves(&[1]).data_type().clone()).unwrap();
    let words = dictionary(&words, &[0, 1], halves(&[7, 8, 9]));
    let fields = [("a", halves(&[1, 2])), ("b", words)];
    let fields = fields.map(|(name, child)| (Field::new(name, child.data_type().clone()), child));
    let array = nulls(struct_(fields.to_vec()), "10");
    let to: DataType = "struct<a: int64, b: dictionary<int8, int64>>".parse().unwrap();
    let all = Cast::new(to, Digits::Drop);
    for expected in [1 + 3, 1 + 3 + 1] {
        let made = all.array(&array, &MemoryBudget::new(1 << 20)).unwrap();
        assert_eq!(AnyArray::try_new(&made).unwrap().display(0).to_string(), r#"{"a":1,"b":7}"#);
        assert_eq!(all.n_cut(), expected);
    }
}
