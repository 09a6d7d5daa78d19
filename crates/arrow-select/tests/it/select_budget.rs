//! Selection under a memory budget returns the same result, or refuses and leaves nothing charged.

use std::sync::Arc;

use arrow_buffer::{Bitmap, BudgetError, MemoryBudget};
use arrow_data::{ArrayData, DataError, DataErrorKind as Kind, RecordBatch};
use arrow_select::{Select, SelectError, Selector, concat, concat_batches};
use testing_support::{Generator, Nulls, all_types, rows, schema_of_all_types, values};

type Selection<'a> = &'a dyn Fn(&Selector) -> Result<ArrayData, SelectError>;

/// Runs a selection under budgets of many sizes. Returns the largest number of charged bytes.
fn check(name: &str, select: Selection<'_>, expected: &Result<ArrayData, SelectError>) -> u64 {
    let budget = MemoryBudget::unlimited();
    let under = |budget: &MemoryBudget| Selector::new().with_memory_budget(budget.clone());
    let found = select(&under(&budget));
    match (&found, expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(values(found), values(expected), "{name}");
            assert_eq!(found.checked(), expected.checked(), "{name}");
            assert_eq!(found.text_views().is_some(), expected.text_views().is_some(), "{name}");
        }
        (Err(found), Err(expected)) => assert_eq!(found, expected, "{name}"),
        (found, expected) => panic!("{name}: {found:?}, expected {expected:?}"),
    }
    drop(found);
    assert_eq!(budget.n_bytes_allocated(), 0, "{name}");

    let peak = budget.n_bytes_peak();
    for limit in (0..peak).step_by((peak / 8).max(1) as usize).chain(peak.checked_sub(1)) {
        let budget = MemoryBudget::new(limit);
        if let Err(error) = select(&under(&budget)) {
            let is_refused = |limit: u64| match error.data().map(DataError::kind) {
                Some(Kind::Memory(BudgetError::Refused { limit: found, .. })) => *found == limit,
                _ => expected.is_err(),
            };
            assert!(is_refused(limit), "{name}, {limit} of {peak}: {error}");
        }
        assert_eq!(budget.n_bytes_allocated(), 0, "{name}, {limit} of {peak}");
        assert!(budget.n_bytes_peak() <= limit, "{name}, {limit} of {peak}: {budget:?}");
    }
    let enough = MemoryBudget::new(peak);
    assert_eq!(select(&under(&enough)).is_ok(), expected.is_ok(), "{name}");
    if peak > 0 && expected.is_ok() {
        let short = MemoryBudget::new(peak - 1);
        assert!(select(&under(&short)).is_err(), "{name}");
    }
    peak
}

#[test]
fn every_type() {
    const N: usize = 50;
    let mut generator = Generator::new(23);
    let mut n_charged = 0;
    for (name, data_type) in all_types() {
        let arrays = [N, N / 2].map(|n| generator.sliced_array(&data_type, n, Nulls::Some));
        let indices: Vec<usize> = (0..N + 10).map(|_| generator.rng().below(N)).collect();
        let mask: Bitmap = (0..N).map(|slot| slot % 3 != 1).collect();
        let (one, ranges) = (&arrays[0], [2..9, 0..1, 5..N]);
        let peaks = [
            check(&name, &|selector| selector.concat(&arrays), &concat(&arrays)),
            check(&name, &|selector| selector.take(one, &indices), &one.take(&indices)),
            check(&name, &|selector| selector.filter(one, &mask), &one.filter(&mask)),
            check(&name, &|selector| selector.take_ranges(one, &ranges), &one.take_ranges(&ranges)),
        ];
        n_charged += usize::from(peaks.iter().all(|peak| *peak > 0));
    }
    assert!(n_charged > 75, "{n_charged} types");
}

/// The charged bytes equal the bytes of new memory.
#[test]
fn what_is_copied_is_charged() {
    let mut generator = Generator::new(5);
    for data_type in ["int64", "bool", "utf8", "large_list<item: int32>", "struct<a: int8, b: binary>"] {
        let data_type = data_type.parse().expect("a type");
        let array = generator.array(&data_type, 1_000, Nulls::Some);
        let budget = MemoryBudget::unlimited();
        let selector = Selector::new().with_memory_budget(budget.clone());
        let twice = selector.concat(&[array.clone(), array]).expect("it is valid");
        let (charged, new) = (budget.n_bytes_allocated(), twice.n_bytes());
        assert!((new..new + 1_000).contains(&charged), "{data_type}: {charged} of {new}");
    }
}

#[test]
fn rows_of_batches() {
    let schema = Arc::new(schema_of_all_types());
    let batch = Generator::new(7).batch(&schema, 30, Nulls::Some);
    let mask: Bitmap = (0..30).map(|row| row % 4 != 0).collect();
    let budget = MemoryBudget::unlimited();
    let selector = Selector::new().with_memory_budget(budget.clone());
    let pieces = [batch.slice(0, 11), batch.slice(11, 19)];
    let cases: [(Result<RecordBatch, SelectError>, Result<RecordBatch, SelectError>); 3] = [
        (selector.take_rows(&batch, &[3_i32, 29, 3]), batch.take(&[3_i32, 29, 3])),
        (selector.filter_rows(&batch, &mask), batch.filter(&mask)),
        (selector.concat_batches(Arc::clone(&schema), &pieces), concat_batches(Arc::clone(&schema), &pieces)),
    ];
    for (found, expected) in cases {
        assert_eq!(found.map(|batch| rows(&batch)), expected.map(|batch| rows(&batch)));
    }
    assert!(budget.n_bytes_peak() > 0);
    assert_eq!(budget.n_bytes_allocated(), 0);
    let none = Selector::new().with_memory_budget(MemoryBudget::new(100));
    let error = none.take_rows(&batch, &[3, 29, 3, 2, 1]).expect_err("too little");
    assert!(
        matches!(error.data().map(DataError::kind), Some(Kind::Memory(_))) && !error.path().is_root(),
        "{error}"
    );
}
