//! Casts of a few bytes whose result would exceed memory return an error.

use std::iter;

use arrow_array::{
    AnyArray, DictionaryArray, Int8Array, Int32Array, Int64Array, LargeBinaryArray, Utf8Array,
};
use arrow_buffer::{Buffer, MemoryBudget, View};
use arrow_compute::{Cast, CastError, Digits, cast};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field};
use arrow_select::GrowingArray;

fn check_refused(array: &ArrayData, to: &str) {
    let error = cast(array, &to.parse().unwrap(), Digits::Keep).expect_err(to);
    let says_so = ["the system cannot provide", "exceed the memory budget"]
        .iter()
        .any(|words| error.to_string().contains(words));
    assert!(says_so, "{} to {to}: {error}", array.data_type());
}

/// An array of a few bytes can have this number of slots.
#[test]
fn slots_beyond_memory_are_refused() {
    const N: usize = 1 << 62;
    let of = |data_type: &str, children: Vec<ArrayData>| {
        let children = (!children.is_empty()).then(|| children.into());
        let parts = ArrayParts::new(data_type.parse().unwrap(), N);
        ArrayData::try_new(ArrayParts { children, ..parts }).unwrap()
    };
    let ends = Int64Array::from_iter([N as i64]).into_data();
    let one = || Int64Array::from_iter([7]).into_data();
    let runs_of = |values: &str| format!("run_end_encoded<run_ends: int64 not null, values: {values}>");
    let runs = of(&runs_of("int64"), vec![ends.clone(), one()]);
    for to in ["int64", "int8", "dictionary<int8, int64>", &runs_of("int8")] {
        check_refused(&runs, to);
    }
    let structs = of(&format!("struct<a: {}>", runs_of("int64")), vec![runs]);
    check_refused(&structs, "struct<a: int64>");
    let nulls = of("null", vec![]);
    for to in ["int64", "bool", "utf8", "dictionary<int8, null>", "dictionary<int8, utf8>", &runs_of("utf8")]
    {
        check_refused(&nulls, to);
    }
    let empty = of("fixed_size_binary(0)", vec![]);
    for to in
        ["binary", "utf8", "binary_view", "fixed_size_binary(1)", "dictionary<int8, fixed_size_binary(0)>"]
    {
        check_refused(&empty, to);
    }
    // A null becomes a fixed-size list, which has items.
    let item = "fixed_size_binary(2000000)";
    let null = ArrayData::try_new(ArrayParts {
        validity: Some(iter::once(false).collect()),
        buffers: [vec![0_i32, 0].into(), Buffer::new()],
        children: Some([ArrayData::new_empty(&item.parse().unwrap())].into()),
        ..ArrayParts::new(format!("list<item: {item}>").parse().unwrap(), 1)
    });
    check_refused(&null.unwrap(), &format!("fixed_size_list<item: {item}; 2000000000>"));
    let lists = of("fixed_size_list<item: int64; 0>", vec![one()]);
    for to in ["list<item: int64>", "large_list_view<item: int64>", "dictionary<int8, list<item: int64>>"] {
        check_refused(&lists, to);
    }
    // Casts that need no memory succeed.
    let encoded =
        [&nulls, &empty, &structs].map(|array| (array.clone(), runs_of(&array.data_type().to_string())));
    for (array, to) in encoded {
        let found = cast(&array, &to.parse().unwrap(), Digits::Keep).unwrap();
        assert_eq!((found.len(), found.children()[1].len()), (N, 1), "{to}");
    }
    let runs = of(&runs_of("null"), vec![ends, nulls.slice(0, 1)]);
    assert_eq!(cast(&runs, &DataType::Null, Digits::Keep).unwrap().len(), N);
}

/// Many slots share a value of 1 GiB. It consists of zeros that are not read, so it takes no memory.
#[test]
fn shared_values_beyond_memory_are_refused() {
    const N: usize = 1 << 17;
    let long = Buffer::from(vec![0_u8; 1 << 30]);
    let view = View::long(&long, 0, 0).unwrap();
    let value = ArrayParts {
        buffers: [vec![0_i64, 1 << 30].into(), long.clone()],
        ..ArrayParts::new(DataType::LargeBinary, 1)
    };
    let values = LargeBinaryArray::try_from(ArrayData::try_new(value).unwrap()).unwrap();
    let dictionary = DictionaryArray::try_new(Int8Array::from_iter(iter::repeat_n(0, N)), values).unwrap();
    check_refused(dictionary.data(), "large_binary");
    let views = ArrayParts {
        buffers: [vec![view; N].into(), Buffer::new()],
        variadic: Some([long].into()),
        ..ArrayParts::new(DataType::BinaryView, N)
    };
    let views = ArrayData::try_new(views).unwrap();
    for to in ["large_binary", "large_utf8"] {
        check_refused(&views, to);
    }
}

/// Values that become much larger are charged to a budget, which refuses before memory is allocated.
#[test]
fn what_unfolds_has_a_budget() {
    let of = |data_type: &str, n_slots: usize, children: Vec<ArrayData>| {
        let children = (!children.is_empty()).then(|| children.into());
        let parts = ArrayParts::new(data_type.parse().unwrap(), n_slots);
        ArrayData::try_new(ArrayParts { children, ..parts }).unwrap()
    };
    let numbers = |n: i64| Int64Array::from_iter(0..n).into_data();
    let lists = "fixed_size_list<item: int64; 50000000>";
    let none = Int8Array::from_iter([None::<i8>; 4]);
    let no_lists = AnyArray::try_from(ArrayData::new_empty(&lists.parse().unwrap())).unwrap();
    let nulls_of_lists = DictionaryArray::try_new(none, no_lists).unwrap().into_data();
    let runs = "run_end_encoded<run_ends: int64 not null, values: int64>";
    let runs = of(runs, 1 << 26, vec![Int64Array::from_iter([1 << 26]).into_data(), numbers(1)]);
    let words = LargeBinaryArray::try_from_iter([vec![7_u8; 1 << 16]]).unwrap();
    let words = DictionaryArray::try_new(Int8Array::from_iter(iter::repeat_n(0, 1 << 13)), words).unwrap();
    // Each list has all items.
    let n = 1 << 13;
    let views = ArrayParts {
        buffers: [vec![0_i32; n].into(), vec![n as i32; n].into()],
        children: Some([numbers(n as i64)].into()),
        ..ArrayParts::new("list_view<item: int64>".parse().unwrap(), n)
    };
    let views = ArrayData::try_new(views).unwrap();
    let null = of("null", 1 << 26, vec![]);
    let cases = [
        (&nulls_of_lists, lists, false),
        (&null, lists, false),
        (&null, "struct<a: int64, b: int64>", false),
        (&null, "list<item: int64>", true),
        (&runs, "int64", false),
        (words.data(), "large_binary", true),
        (&views, "list<item: int64>", true),
    ];
    let memory = testing_support::CountingAllocator;
    for (array, to, fits_default) in cases {
        let to: DataType = to.parse().unwrap();
        let budget = MemoryBudget::new(1 << 20);
        let (result, usage) = memory.measure(|| within(array, &to, &budget));
        let error = result.expect_err("a mebibyte is not enough");
        assert!(error.to_string().contains("exceed the memory budget"), "{to}: {error}");
        assert!(usage.peak_bytes < 4 << 20, "{to}: {usage:?}");
        assert_eq!(budget.n_bytes_allocated(), 0);
        if !fits_default {
            check_refused(array, &to.to_string());
        }
    }
}

/// Text and numbers that fit into a budget one by one, but not together: several columns, and children of a column. At any
/// time, the allocated memory is the charged memory, plus some for blocks and handles.
#[test]
fn what_is_made_is_charged_until_it_is_dropped() {
    const N: usize = 1 << 12;
    let encoded = |value: &str| {
        let words = Utf8Array::try_from_iter([value]).unwrap();
        DictionaryArray::try_new(Int8Array::from_iter(iter::repeat_n(0, N)), words).unwrap().into_data()
    };
    let words = encoded(&"x".repeat(100));
    let plain = cast(&words, &DataType::Utf8, Digits::Keep).unwrap();
    let numbers = Int8Array::from_iter(iter::repeat_n(7, 1 << 18)).into_data();
    let halves: Vec<i32> = (0..1 << 16).map(|n| n % 2).collect();
    let changing = Int32Array::from_iter(halves).into_data();
    let runs = "run_end_encoded<run_ends: int32 not null, values: int32>";
    let memory = testing_support::CountingAllocator;
    for (array, to) in [
        (&words, "utf8"),
        (&words, "large_utf8"),
        (&words, "utf8_view"),
        (&words, "fixed_size_binary(100)"),
        (&plain, "large_utf8"),
        (&plain, "binary_view"),
        (&plain, "dictionary<int16, utf8>"),
        (&numbers, "int64"),
        (&numbers, "decimal256(10, 2)"),
        (&changing, runs),
        (&changing, "dictionary<int64, int32>"),
    ] {
        let to: DataType = to.parse().unwrap();
        let array = match to {
            // Casts between text and bytes depend on the type of the values.
            DataType::FixedSizeBinary(_) => {
                &cast(&cast(array, &DataType::Utf8, Digits::Keep).unwrap(), &DataType::Binary, Digits::Keep)
                    .unwrap()
            }
            _ => array,
        };
        let unlimited = MemoryBudget::unlimited();
        let made = within(array, &to, &unlimited).unwrap();
        let (n_made, n_peak) = (unlimited.n_bytes_allocated(), unlimited.n_bytes_peak());
        assert!(n_made >= own_bytes(&made), "{to}: {n_made}");
        drop(made);
        assert_eq!(unlimited.n_bytes_allocated(), 0, "{to}");
        // One result fits into the budget. A second does not, as long as the first exists.
        let budget = MemoryBudget::new(n_peak);
        let (first, usage) = memory.measure(|| within(array, &to, &budget).unwrap());
        assert!(usage.peak_bytes < n_peak as i64 * 11 / 10 + (64 << 10), "{to}: {usage:?}, {n_peak}");
        let error = within(array, &to, &budget).expect_err("both");
        assert!(error.to_string().contains("exceed the memory budget"), "{to}: {error}");
        drop(first);
        within(array, &to, &budget).unwrap();
        // The same holds for the children of one column.
        let pair =
            |of: &DataType| DataType::struct_([Field::new("a", of.clone()), Field::new("b", of.clone())]);
        let both = ArrayData::try_new(ArrayParts {
            children: Some([array.clone(), array.clone()].into()),
            ..ArrayParts::new(pair(array.data_type()), array.len())
        });
        let (both, to) = (both.unwrap(), pair(&to));
        let error = within(&both, &to, &budget).expect_err("children");
        assert!(error.to_string().contains("exceed the memory budget"), "{to}: {error}");
        within(&both, &to, &MemoryBudget::new(2 * n_peak)).unwrap();
    }
}

/// Arrays that share a dictionary, also inside other types, and a dictionary that grows: each value is cast once. The result is
/// the same as from [`cast()`].
#[test]
fn values_that_arrays_share_are_cast_once() {
    const N: i64 = 1 << 16;
    let encoded = |values: ArrayData| {
        let indices = Int32Array::from_iter([0, values.len() as i32 - 1]);
        DictionaryArray::try_new(indices, AnyArray::try_from(values).unwrap()).unwrap().into_data()
    };
    let in_struct = |column: ArrayData| {
        let parts = ArrayParts::new(DataType::struct_([Field::new("a", column.data_type().clone())]), 2);
        ArrayData::try_new(ArrayParts { children: Some([column].into()), ..parts }).unwrap()
    };
    let numbers = |range| Int64Array::from_iter(range).into_data();
    let mut growing = GrowingArray::new(&DataType::Int64).append(&numbers(0..N), u64::MAX).unwrap();
    let mut series = vec![growing.array(); 8];
    for value in 0..8 {
        growing = growing.append(&numbers(value..value + 1), u64::MAX).unwrap();
        series.push(growing.array());
    }
    // Other dictionaries, which are cast, and some that start again.
    series.extend([numbers(5..9), numbers(5..9), growing.array().slice(0, 7), growing.array()]);
    let memory = testing_support::CountingAllocator;
    for (around, to) in [
        (&(|values| values) as &dyn Fn(ArrayData) -> ArrayData, "dictionary<int64, int32>"),
        (&in_struct, "struct<b: dictionary<uint32, decimal128(20, 1)>>"),
        (&in_struct, "struct<b: int32>"),
    ] {
        let to: DataType = to.parse().unwrap();
        let (same, budget) = (Cast::new(to.clone(), Digits::Keep), MemoryBudget::unlimited());
        let arrays: Vec<ArrayData> = series.iter().map(|values| around(encoded(values.clone()))).collect();
        let made = |arrays: &[ArrayData]| -> Vec<ArrayData> {
            arrays.iter().map(|array| same.array(array, &budget).unwrap()).collect()
        };
        let (first, _) = memory.measure(|| made(&arrays[..1]));
        let (shared, usage) = memory.measure(|| made(&arrays[1..8]));
        assert!(usage.total_bytes < 100_000, "{to}: {usage:?}");
        let (grown, usage) = memory.measure(|| made(&arrays[8..16]));
        // The dictionary moves once, to memory in which it can grow.
        assert!(usage.total_bytes < 5 * 16 * N as u64, "{to}: {usage:?}");
        let others = made(&arrays[16..]);
        for (array, made) in arrays.iter().zip([first, shared, grown, others].concat()) {
            assert!(made.same_values(&cast(array, &to, Digits::Keep).unwrap()).unwrap(), "{to}");
        }
    }
    // A dictionary that has grown stays charged, and one that the budget refuses is cast again, which it refuses, too.
    let to: DataType = "dictionary<int64, decimal256(40, 0)>".parse().unwrap();
    let [budget, scarce] = [u64::MAX, 3 * 16 * N as u64].map(MemoryBudget::new);
    let same = Cast::new(to, Digits::Keep);
    drop(same.array(&encoded(series[0].clone()), &budget).unwrap());
    let made = same.array(&encoded(series[8].clone()), &budget).unwrap();
    assert!(budget.n_bytes_allocated() >= made.dictionary().unwrap().n_bytes(), "{budget:?}");
    let first = same.array(&encoded(series[0].clone()), &scarce).unwrap();
    drop(same.array(&encoded(series[8].clone()), &scarce).unwrap_err());
    drop(first);
    // A dictionary that grows takes its memory, and that of the first result, however often it grows.
    let budget = MemoryBudget::new(5 * 16 * N as u64);
    let arrays: Result<Vec<ArrayData>, CastError> =
        series[7..16].iter().map(|values| same.array(&encoded(values.clone()), &budget)).collect();
    assert_eq!(arrays.unwrap().len(), 9);
    // A new value that does not fit is an error with its own slot, and does not change later casts.
    let cast = Cast::new("dictionary<int8, int16>".parse().unwrap(), Digits::Keep);
    let small = GrowingArray::new(&DataType::Int64).append(&numbers(7..9), u64::MAX).unwrap();
    let large = small.clone().append(&numbers(40_000..40_001), u64::MAX).unwrap();
    let budget = MemoryBudget::unlimited();
    for _ in 0..2 {
        let made = cast.array(&encoded(small.array()), &budget).unwrap();
        assert_eq!(made.dictionary().unwrap().len(), 2);
        let error = cast.array(&encoded(large.array()), &budget).unwrap_err();
        assert_eq!(error.to_string(), "the value 40000 in slot 2 does not fit int16");
    }
}

fn within(array: &ArrayData, to: &DataType, budget: &MemoryBudget) -> Result<ArrayData, CastError> {
    Cast::new(to.clone(), Digits::Keep).array(array, budget)
}

/// The number of bytes of an array. Dictionaries may be shared, so they do not count.
fn own_bytes(array: &ArrayData) -> u64 {
    array.n_bytes() - array.dictionary().map_or(0, |values| values.n_bytes())
}
