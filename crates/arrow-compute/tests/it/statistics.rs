//! Statistics of random arrays of every type, compared with the results of code without optimisation.

use std::collections::{BTreeSet, HashSet};

use arrow_array::{
    DictionaryArray, Float64Array, Int8Builder, Int32Array, Int64Array, ListViewBuilder, Utf8Array,
    Utf8ViewArray,
};
use arrow_compute::{DistinctCount, Statistics, StatisticsError, StatisticsLimits};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;
use testing_support::{Generator, Hunt, Nulls, Value, all_types, value, values};

/// Whether values can be compared by the order of [`Value`]. Nested values and intervals of days have no order.
fn has_order(values: &[Value]) -> bool {
    values
        .iter()
        .all(|value| matches!(value, Value::Bool(_) | Value::Int(_) | Value::Bytes(_) | Value::Str(_)))
}

fn length(value: &Value) -> Option<usize> {
    match value {
        Value::Bytes(bytes) => Some(bytes.len()),
        Value::Str(text) => Some(text.len()),
        Value::List(items) => Some(items.len()),
        Value::Map(pairs) => Some(pairs.len()),
        _ => None,
    }
}

fn is_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Union(_, value) => is_null(value),
        _ => false,
    }
}

fn check(name: &str, data_type: &DataType, arrays: &[ArrayData]) {
    let mut statistics = Statistics::new(data_type.clone());
    for array in arrays {
        statistics.add(array).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let all: Vec<Value> = arrays.iter().flat_map(values).collect();
    let (nulls, found): (Vec<Value>, Vec<Value>) = all.into_iter().partition(is_null);
    assert_eq!(statistics.n_rows(), (nulls.len() + found.len()) as u64, "{name}");
    assert_eq!(statistics.null_count(), nulls.len() as u64, "{name}");
    let different: HashSet<&Value> = found.iter().collect();
    assert_eq!(statistics.distinct(), DistinctCount::Exact(different.len() as u64), "{name}");

    let lengths: Vec<usize> = found.iter().filter_map(length).collect();
    let mean = (!lengths.is_empty()).then(|| lengths.iter().sum::<usize>() as f64 / lengths.len() as f64);
    assert_eq!(statistics.mean_len(), mean, "{name}");

    let (min, max) = (statistics.min(), statistics.max());
    assert_eq!(min.is_some(), max.is_some(), "{name}");
    if !statistics.has_order() {
        assert_eq!(min, None, "{name}");
    } else if has_order(&found) {
        let sorted: BTreeSet<&Value> = found.iter().collect();
        let of = |extreme: &Option<arrow_compute::Extreme>| {
            extreme.as_ref().map(|extreme| value(extreme.value().as_array().data(), 0))
        };
        assert_eq!(of(&min).as_ref(), sorted.first().copied(), "{name}");
        assert_eq!(of(&max).as_ref(), sorted.last().copied(), "{name}");
    }
}

#[test]
fn agrees_with_the_plainest_reading() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(11));
    for round in 0..hunt.count(2, 100) {
        for (name, data_type) in all_types() {
            for nulls in Nulls::ALL {
                let sizes = [0, generator.rng().below(90), round, 65];
                let arrays = sizes.map(|n_slots| generator.sliced_array(&data_type, n_slots, nulls));
                check(&name, &data_type, &arrays);
            }
        }
    }
}

#[test]
fn nan_has_no_position_in_the_order() {
    let numbers = Float64Array::from_iter([Some(f64::NAN), None, Some(2.5), Some(-0.0), Some(f64::NAN)]);
    let mut statistics = Statistics::new(DataType::Float64);
    statistics.add(numbers.slice(0, 2).data()).unwrap();
    assert_eq!((statistics.min(), statistics.distinct()), (None, DistinctCount::Exact(1)));
    statistics.add(numbers.data()).unwrap();
    let shown = [statistics.min(), statistics.max()].map(|extreme| extreme.unwrap().to_string());
    assert_eq!(shown, ["-0.0", "2.5"]);
    assert_eq!(statistics.distinct(), DistinctCount::Exact(3));
    assert_eq!((statistics.n_nans(), statistics.mean()), (Some(3), Some(1.25)));
}

/// Means of one column, of the same rows as a dictionary, and of rows with nulls.
#[test]
fn means_are_those_of_all_rows() {
    let mean = |arrays: &[&ArrayData]| {
        let mut statistics = Statistics::new(arrays[0].data_type().clone());
        arrays.iter().for_each(|array| statistics.add(array).unwrap());
        statistics.mean()
    };
    let many = Int64Array::from_iter((0..1_000).map(|n| n * n));
    let with_nulls = Int64Array::from_iter((0..2_000).map(|n| (n % 2 == 0).then_some(n * n / 4)));
    assert_eq!([mean(&[many.data()]), mean(&[with_nulls.data()])], [Some(332_833.5); 2]);
    assert_eq!(mean(&[many.slice(0, 300).data(), many.slice(300, 700).data()]), Some(332_833.5));
    let floats = |numbers: &[f64]| mean(&[Float64Array::from_iter(numbers.iter().copied()).data()]);
    let extreme = [1e300, -1e300].map(|number| Float64Array::from_iter([number]));
    let three = Float64Array::from_iter([3.0]);
    assert_eq!(mean(&[extreme[0].data(), three.data(), extreme[1].data()]), Some(1.0));
    for numbers in
        [&[f64::INFINITY, 1.0][..], &[f64::INFINITY, f64::NEG_INFINITY], &[f64::MAX; 2], &[f64::NAN], &[]]
    {
        assert_eq!(floats(numbers), None, "{numbers:?}");
    }
    let indices = Int32Array::from_iter([Some(0), Some(0), None, Some(1), Some(0)]);
    let words = DictionaryArray::try_new(indices, Int64Array::from_iter([Some(2), Some(4)])).unwrap();
    assert_eq!(mean(&[words.data()]), Some(2.5));
    let data_type = DataType::decimal128(5, 2).unwrap();
    let cents = [125_i64, 175].map(arrow_buffer::I128::from);
    let decimals = arrow_array::Decimal128Array::try_from_iter(data_type, cents).unwrap();
    assert_eq!(mean(&[decimals.data()]), Some(1.5));
    // The nearest number to a third is not what a division by three and then by ten gives.
    let data_type = DataType::decimal256(76, 1).unwrap();
    let decimals = [10_i64, 0, 0].map(arrow_buffer::I256::from);
    let decimals = arrow_array::Decimal256Array::try_from_iter(data_type, decimals).unwrap();
    assert_eq!(mean(&[decimals.data()]), Some(1.0 / 3.0));
    assert_eq!(mean(&[Utf8Array::try_from_iter(["a"]).unwrap().data()]), None);
}

#[test]
fn decimals_are_ordered_as_numbers() {
    let data_type = DataType::decimal256(70, 2).unwrap();
    let numbers = ["-5", "100", "99999999999999999999999999999999999999999999", "-0.01"];
    let numbers = numbers.map(|text| {
        arrow_array::Decimal::<arrow_buffer::I256>::parse_with_scale(text, 2).unwrap().unscaled()
    });
    let array = arrow_array::Decimal256Array::try_from_iter(data_type.clone(), numbers).unwrap();
    let mut statistics = Statistics::new(data_type);
    statistics.add(array.data()).unwrap();
    let shown = [statistics.min(), statistics.max()].map(|extreme| extreme.unwrap().to_string());
    assert_eq!(shown, ["-5.00", "99999999999999999999999999999999999999999999.00"]);
}

#[test]
fn many_values_are_estimated() {
    let limits = StatisticsLimits { max_distinct: 100, ..StatisticsLimits::default() };
    for n_values in [100, 101, 20_000_i64] {
        let array = Int64Array::from_iter((0..2 * n_values).map(|n| n / 2));
        let mut statistics = Statistics::with_limits(DataType::Int64, limits);
        statistics.add(array.data()).unwrap();
        match statistics.distinct() {
            DistinctCount::Exact(n) => assert_eq!((n, n_values), (100, 100)),
            DistinctCount::Estimate(n) => {
                let error = n as f64 / n_values as f64 - 1.0;
                assert!(n_values > 100 && error.abs() < 0.04, "{n} of {n_values}");
            }
            DistinctCount::Unknown => panic!("numbers can be counted"),
        }
    }
}

#[test]
fn long_values_are_cut() {
    let long = |end: &str| format!("{}{end}", "ä".repeat(600));
    let texts = [long("b"), long("a"), "ä".repeat(512)];
    let mut statistics = Statistics::new(DataType::Utf8);
    statistics.add(Utf8Array::try_from_iter(texts[..2].iter().map(String::as_str)).unwrap().data()).unwrap();
    assert!(statistics.min().unwrap().is_cut() && statistics.max().unwrap().is_cut());
    assert_eq!(statistics.min().unwrap().to_string(), format!("{}…", "ä".repeat(512)));
    statistics.add(Utf8Array::try_from_iter([texts[2].as_str()]).unwrap().data()).unwrap();
    assert!(!statistics.min().unwrap().is_cut() && statistics.max().unwrap().is_cut());
}

#[test]
fn dictionaries_are_looked_through() {
    let indices = Int32Array::from_iter([Some(3), Some(3), None, Some(1), Some(0)]);
    let words = Utf8ViewArray::from_iter([Some("bee"), None, Some("zoo"), Some("ant")]);
    let array = DictionaryArray::try_new(indices, words).unwrap();
    let mut statistics = Statistics::new(array.data_type().clone());
    statistics.add(array.data()).unwrap();
    assert_eq!((statistics.n_rows(), statistics.null_count()), (5, 2));
    assert_eq!(statistics.distinct(), DistinctCount::Exact(2));
    let shown = [statistics.min(), statistics.max()].map(|extreme| extreme.unwrap().to_string());
    assert_eq!(shown, ["ant", "bee"]);
    assert_eq!(statistics.mean_len(), Some(3.0));
}

#[test]
fn histograms_are_of_rows() {
    let mut statistics = Statistics::new(DataType::Int64);
    for start in [0, 50_000] {
        statistics.add(Int64Array::from_iter(start..start + 50_000).data()).unwrap();
    }
    let bins = statistics.histogram(4).unwrap();
    let n_sampled: u64 = bins.iter().sum();
    assert!((2048..=4096).contains(&n_sampled), "{bins:?}");
    assert!(bins.iter().all(|n| n.abs_diff(n_sampled / 4) <= 8), "{bins:?}");
    // Values that repeat periodically are sampled in proportion. A single large value is not lost from the range.
    let mut alternating = Statistics::new(DataType::Int64);
    alternating.add(Int64Array::from_iter((0..200_000).map(|row| 100 * (row % 2))).data()).unwrap();
    let bins = alternating.histogram(2).unwrap();
    assert!(bins.iter().all(|n| n.abs_diff(bins.iter().sum::<u64>() / 2) < 200), "{bins:?}");
    alternating.add(Int64Array::from_iter([1000]).data()).unwrap();
    assert!(alternating.histogram(10).unwrap().iter().skip(2).all(|n| *n <= 1));
    assert_eq!(Statistics::new(DataType::Utf8).histogram(4), None);
    let mut extreme = Statistics::new(DataType::Float64);
    extreme.add(Float64Array::from_iter([f64::MIN, 0.0, f64::MAX, f64::INFINITY]).data()).unwrap();
    assert_eq!(extreme.histogram(2), Some(vec![1, 2]));
}

#[test]
fn another_type_is_refused() {
    let mut statistics = Statistics::new(DataType::Int64);
    let error = statistics.add(Int32Array::from_iter([1]).data()).unwrap_err();
    assert_eq!(error.to_string(), "expected int64, found int32");
    assert!(matches!(error, StatisticsError::OtherType { .. }));
    assert_eq!(statistics.n_rows(), 0);
}

/// 20,000 views of one list of 20,000 items would have 400 million items.
#[test]
fn values_that_unfold_are_not_counted() {
    const N: i32 = 20_000;
    let mut lists = ListViewBuilder::new(Int8Builder::new());
    lists.append(vec![1; N as usize]);
    let one = lists.finish().unwrap().into_data();
    let mut parts = one.into_parts();
    parts.n_slots = N as usize;
    parts.buffers = [vec![0_i32; N as usize].into(), vec![N; N as usize].into()];
    let array = ArrayData::try_new(parts).unwrap();
    let mut statistics = Statistics::new(array.data_type().clone());
    statistics.add(&array).unwrap();
    assert_eq!((statistics.n_rows(), statistics.distinct()), (20_000, DistinctCount::Unknown));
    assert_eq!(statistics.mean_len(), Some(20_000.0));
}

fn array(data_type: &str, n_slots: usize, children: Vec<ArrayData>) -> ArrayData {
    let children = (!children.is_empty()).then(|| children.into());
    let parts = ArrayParts::new(data_type.parse().unwrap(), n_slots);
    ArrayData::try_new(ArrayParts { children, ..parts }).unwrap()
}

/// The rows of three such arrays are more than 64 bits can count.
#[test]
fn rows_without_end_are_counted_as_the_most() {
    const N: usize = i64::MAX as usize;
    let ends = Int64Array::from_iter([N as i64]).into_data();
    let values = Int64Array::from_iter([7]).into_data();
    let runs = array("run_end_encoded<run_ends: int64 not null, values: int64>", N, vec![ends, values]);
    let mut statistics = Statistics::new(runs.data_type().clone());
    for n_rows in [N as u64, 2 * N as u64, u64::MAX, u64::MAX] {
        statistics.add(&runs).unwrap();
        assert_eq!(statistics.n_rows(), n_rows);
        assert!(statistics.histogram(1).is_some_and(|bins| bins[0] >= 2_048));
    }
    assert_eq!(statistics.distinct(), DistinctCount::Exact(1));
}

/// An array of a few bytes can have this number of slots, or a run of this length.
#[test]
fn slots_without_bytes_are_counted_at_once() {
    const N: usize = 1 << 62;
    let nulls = |n_slots| array("null", n_slots, vec![]);
    let empty = || array("fixed_size_binary(0)", N, vec![]);
    let items = || Int64Array::from_iter([7]).into_data();
    let long = Utf8Array::try_from_iter(["x".repeat(1 << 20)]).unwrap().into_data();
    let ends = Int64Array::from_iter([N as i64]).into_data().into_parts();
    let ends = ArrayData::try_new(ArrayParts { validity: None, ..ends }).unwrap();
    let runs = "run_end_encoded<run_ends: int64 not null, values: utf8>";
    let encoded = || array(runs, N, vec![ends.clone(), long.clone()]);
    let nothing = || Utf8Array::try_from_iter([None::<&str>]).unwrap().into_data();
    // The slot of the union selects a run that has too many slots for a bitmap.
    let union = ArrayParts {
        buffers: [vec![0_i8].into(), vec![0_i32].into()],
        children: Some([array(runs, N, vec![ends.clone(), nothing()])].into()),
        ..ArrayParts::new(format!("dense_union<0=a: {runs}>").parse().unwrap(), 1)
    };
    let union = ArrayData::try_new(union).unwrap();

    let (one, unknown) = (DistinctCount::Exact(1), DistinctCount::Unknown);
    let cases = [
        (nulls(N), N, DistinctCount::Exact(0), None),
        (empty(), 0, one, Some(0.0)),
        (array("struct<>", N, vec![]), 0, one, None),
        (array("struct<a: null, b: fixed_size_binary(0)>", N, vec![nulls(N), empty()]), 0, one, None),
        (array("fixed_size_list<item: int64; 0>", N, vec![items()]), 0, one, Some(0.0)),
        (array("fixed_size_list<item: null; 4>", N / 4, vec![nulls(N)]), 0, one, Some(4.0)),
        (array(runs, N, vec![ends.clone(), nothing()]), N, DistinctCount::Exact(0), None),
        (union, 1, DistinctCount::Exact(0), None),
        (encoded(), 0, one, Some((1 << 20) as f64)),
        (array(&format!("struct<a: {runs}>"), N, vec![encoded()]), 0, unknown, None),
        (array(&format!("fixed_size_list<item: {runs}; 1>"), N, vec![encoded()]), 0, unknown, Some(1.0)),
    ];
    for (array, null_count, distinct, mean_len) in cases {
        let mut statistics = Statistics::new(array.data_type().clone());
        for n_times in 1..=2 {
            statistics.add(&array).unwrap();
            let found = (statistics.n_rows(), statistics.null_count());
            assert_eq!(found, ((array.len() * n_times) as u64, (null_count * n_times) as u64));
        }
        let found = (statistics.distinct(), statistics.mean_len());
        assert_eq!(found, (distinct, mean_len), "{}", array.data_type());
    }
}
