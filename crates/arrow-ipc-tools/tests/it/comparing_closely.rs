//! Comparisons of floating-point numbers within a tolerance.

use arrow_array::{AnyArray, Float32Array, Float64Array, Int64Array};
use arrow_compute::{Digits, cast};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc_tools::{DiffOptions, Input, columns::ColumnName, diff, diff::DiffSummary};
use arrow_schema::{DataType, RunEndType};
use testing_support::Rng;

use crate::{
    ALLOCATOR,
    samples::{file, stream},
};

fn compared(bytes: [Vec<u8>; 2], options: &DiffOptions) -> DiffSummary {
    let [a, b] = bytes.map(|bytes| Input::try_from_buffer("memory", bytes.into()).unwrap());
    diff(a, b, options, &mut Vec::new()).unwrap()
}

fn within(tolerance: f64) -> DiffOptions {
    DiffOptions { tolerance: Some(tolerance), counts_all: true, ..DiffOptions::new() }
}

/// A batch on one side is compared with many on the other. Only the slots that are compared are decoded.
#[test]
fn the_cost_does_not_depend_on_batches() {
    const N_ROWS: usize = 1 << 16;
    let numbers = |add: f32| Float32Array::from_iter((0..N_ROWS).map(|n| n as f32 * 0.5 + add)).into_data();
    let ids = Int64Array::from_iter(0..N_ROWS as i64).into_data();
    let batch = |add| RecordBatch::try_from_columns([("x", numbers(add)), ("id", ids.clone())]).unwrap();
    let (a, b) = (batch(0.0), batch(0.25));
    let by_key = DiffOptions { key: Some([ColumnName::from("id")].into_iter().collect()), ..within(0.3) };
    for (options, n_different) in [(within(0.3), 0), (within(0.2), N_ROWS as u64), (by_key, 0)] {
        let cost = |n_batches: usize| {
            let n_rows = N_ROWS / n_batches;
            let batches: Vec<RecordBatch> = (0..n_batches).map(|k| b.slice(k * n_rows, n_rows)).collect();
            let bytes = [stream(std::slice::from_ref(&a)), stream(&batches)];
            let (summary, usage) = ALLOCATOR.measure(|| compared(bytes, &options));
            assert_eq!((summary.n_rows, summary.n_different), (N_ROWS as u64, n_different));
            usage.total_bytes
        };
        let [few, many] = [cost(2), cost(128)];
        assert!(many < 3 * few, "{few} bytes for few batches, {many} for many");
    }
}

/// Few bytes declare more slots than could be decoded in memory at once.
#[test]
fn long_runs_are_compared_within_the_tolerance() {
    const N_ROWS: usize = 12_000_000;
    let run = |value: f64| {
        let [ends, values] = [
            AnyArray::from(Int64Array::from_iter([N_ROWS as i64])),
            AnyArray::from(Float64Array::from_iter([value])),
        ];
        let data_type = DataType::run_end_encoded(RunEndType::Int64, DataType::Float64);
        let children = [ends, values].map(AnyArray::into_data);
        let parts = ArrayParts { children: Some(children.into()), ..ArrayParts::new(data_type, N_ROWS) };
        RecordBatch::try_from_columns([("x", ArrayData::try_new(parts).unwrap())]).unwrap()
    };
    assert!(cast(&run(1.0).columns()[0], &DataType::Float64, Digits::Drop).is_err());
    let bytes = || [stream(&[run(1.0)]), stream(&[run(1.05)])];
    let (summary, usage) = ALLOCATOR.measure(|| compared(bytes(), &within(0.1)));
    assert_eq!((summary.is_same, summary.n_rows), (Some(true), N_ROWS as u64));
    assert!(usage.peak_bytes < 32 << 20, "{usage:?}");
    let summary = compared(bytes(), &DiffOptions { max_rows: 1, counts_all: false, ..within(0.01) });
    assert_eq!((summary.is_cut, summary.n_different), (true, 2));
}

/// The counts are those of a slow comparison, for any division into batches.
#[test]
fn random_numbers_are_close_or_not() {
    let mut rng = Rng::new(11);
    let numbers = [Some(0.0), Some(-0.0), Some(1.0), Some(1.5), Some(f64::NAN), Some(f64::INFINITY), None];
    for round in 0..40 {
        let n = 1 + rng.below(if round % 10 == 0 { 20_000 } else { 300 });
        let a: Vec<Option<f64>> = (0..n).map(|_| numbers[rng.below(numbers.len())]).collect();
        let often = 1 + rng.below(50);
        let other = |number: &Option<f64>| match rng.below(often) {
            0 => numbers[rng.below(numbers.len())],
            _ => number.map(|number| if rng.below(2) == 0 { number + 0.25 } else { number }),
        };
        let b: Vec<Option<f64>> = a.iter().map(other).collect();
        let is_close = |(a, b): &(&Option<f64>, &Option<f64>)| match (a, b) {
            (Some(a), Some(b)) => a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 0.3,
            (a, b) => a.is_none() && b.is_none(),
        };
        let n_different = a.iter().zip(&b).filter(|pair| !is_close(pair)).count() as u64;
        let [a, b] = [a, b].map(|numbers| {
            // The row numbers keep all rows at their places.
            let ids = Int64Array::from_iter(0..n as i64).into_data();
            let numbers = Float64Array::from_iter(numbers).into_data();
            let batch = RecordBatch::try_from_columns([("id", ids), ("x", numbers)]).unwrap();
            let n_rows = 1 + rng.below(n);
            let parts = (0..n).step_by(n_rows).map(|first| batch.slice(first, n_rows.min(n - first)));
            file(&parts.collect::<Vec<RecordBatch>>())
        });
        let summary = compared([a, b], &within(0.3));
        assert_eq!((summary.n_rows, summary.n_different), (n as u64, n_different), "{round}");
    }
}
