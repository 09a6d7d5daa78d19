//! Comparisons by a key: its columns have the same names on both sides, and any place and width.

use arrow_array::Int64Array;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_report::{DiffSummaryText, DifferenceText};
use arrow_ipc_tools::{
    ColumnNames, DiffOptions, Difference, Input, RowQuery, columns::ColumnName, diff,
};

use crate::samples::{file, stream};

fn ints(values: &[i64]) -> ArrayData {
    Int64Array::from_iter(values.iter().copied()).into_data()
}

fn batch(columns: &[(&str, ArrayData)]) -> RecordBatch {
    RecordBatch::try_from_columns(columns.iter().cloned()).unwrap()
}

fn names(names: &str) -> ColumnNames {
    let name = |name: &str| match name {
        _ if name.contains('*') => ColumnName::Pattern(name.to_owned()),
        _ => ColumnName::from(name),
    };
    names.split(',').map(name).collect()
}

fn by_key(key: &str) -> DiffOptions {
    DiffOptions { key: Some(names(key)), ..DiffOptions::new() }
}

/// The first line of the output, and the differences that are not in it. Files and streams give the same.
fn compared(a: &RecordBatch, b: &RecordBatch, options: &DiffOptions) -> (String, Vec<String>) {
    let of = |bytes: [Vec<u8>; 2]| {
        let [a, b] = bytes.map(|bytes| Input::try_from_buffer("memory", bytes.into()).unwrap());
        let mut found: Vec<Difference> = Vec::new();
        let summary = diff(a, b, options, &mut found).unwrap();
        let is_told =
            |found: &&Difference| !matches!(found, Difference::Rows { .. } | Difference::OnlyRows { .. });
        let lines = found.iter().filter(is_told).map(|found| DifferenceText(found).to_string());
        (DiffSummaryText(&summary).to_string(), lines.collect())
    };
    let [a, b] = [a, b].map(|batch| [batch.slice(0, 1), batch.slice(1, batch.n_rows() - 1)]);
    let found = of([stream(&a), stream(&b)]);
    assert_eq!(of([file(&a), file(&b)]), found);
    found
}

#[test]
fn columns_of_the_key_are_not_excluded() {
    let of = |values: &[i64]| batch(&[("w", ints(&[5, 6])), ("id", ints(&[1, 2])), ("v", ints(values))]);
    let (a, b) = (of(&[10, 20]), of(&[10, 21]));
    for excluded in ["id", "*id", "id,w", "*i*"] {
        let query = RowQuery::new().with_columns(ColumnNames::all().without(names(excluded)));
        let (summary, lines) = compared(&a, &b, &DiffOptions { query, ..by_key("id") });
        assert_eq!(summary, "differ: 1 of 2 rows with a key in both, in column v (1)", "{excluded}");
        assert_eq!(lines, ["id 2, field v: 20 in A, 21 in B"], "{excluded}");
    }
    // Of the other columns, none is left.
    let query = RowQuery::new().with_columns(ColumnNames::all().without(names("*")));
    let (summary, lines) = compared(&a, &b, &DiffOptions { query, ..by_key("id") });
    assert_eq!((&summary[..6], lines.len()), ("equal:", 0), "{summary}");
}
