//! Comparisons by a key: its columns have the same names on both sides, and any place and width.

use arrow_array::{Int32Array, Int64Array, StructArray};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_report::{DiffSummaryText, DifferenceText};
use arrow_ipc_tools::{
    ColumnNames, DiffOptions, Difference, Input, RowQuery, ToolErrorKind, columns::ColumnName, diff,
};
use arrow_schema::Field;

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
        let is_reported =
            |found: &&Difference| !matches!(found, Difference::Rows { .. } | Difference::OnlyRows { .. });
        let lines = found.iter().filter(is_reported).map(|found| DifferenceText(found).to_string());
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

#[test]
fn columns_of_the_key_are_paired_by_their_names() {
    let ids = |first: &str, second: &str, values: [[i64; 2]; 3]| {
        let [of_first, of_second, v] = values.map(|values| ints(&values));
        batch(&[(first, of_first), (second, of_second), ("v", v)])
    };
    let a = ids("id_a", "id_b", [[1, 3], [2, 4], [5, 6]]);
    let b = ids("id_b", "id_a", [[2, 4], [1, 3], [5, 6]]);
    let some = RowQuery::new().with_columns(names("v"));
    for query in [RowQuery::new(), some] {
        let (summary, lines) = compared(&a, &b, &DiffOptions { query, ..by_key("id_*") });
        assert_eq!(summary, "differ: 1 difference of schema; none of 2 rows with a key in both");
        assert!(matches!(&lines[..], [line] if line.contains("id_a, id_b")), "{lines:?}");
    }
    // A pattern that finds other columns in B.
    let other = ids("id_a", "id_c", [[1, 3], [2, 4], [5, 6]]);
    for (a, b, column, types) in
        [(&a, &other, "id_b", ["int64", "missing"]), (&other, &a, "id_c", ["int64", "missing"])]
    {
        let [a, b] = [a, b].map(|batch| stream(std::slice::from_ref(batch)));
        let [a, b] = [a, b].map(|bytes| Input::try_from_buffer("memory", bytes.into()).unwrap());
        let error = diff(a, b, &by_key("id_*"), &mut Vec::new()).unwrap_err();
        let ToolErrorKind::KeyTypes { column: named, types: found } = error.kind() else { panic!("{error}") };
        assert_eq!((&named[..], found.each_ref().map(String::as_str)), (column, types));
    }
}

#[test]
fn fields_of_the_key_may_differ_in_width() {
    let of = |id: ArrayData, v: &[i64]| {
        let field = Field::new("id", id.data_type().clone());
        let s = StructArray::try_new([field], [id], None).unwrap().into_data();
        batch(&[("v", ints(v)), ("s", s)])
    };
    let a = of(Int32Array::from_iter([1, 2, 3]).into_data(), &[10, 20, 30]);
    let b = of(ints(&[3, 1, 2]), &[30, 10, 21]);
    let type_line = "field s.id: int32 in A, int64 in B";
    let different = "s.id 2, field v: 20 in A, 21 in B";
    for columns in [None, Some("*"), Some("v")] {
        let query = columns.map_or_else(RowQuery::new, |of| RowQuery::new().with_columns(names(of)));
        let (summary, lines) = compared(&a, &b, &DiffOptions { query, ..by_key("s.id") });
        assert!(summary.contains("; 1 of 3 rows "), "{columns:?}: {summary}");
        assert!(!summary.contains("only in"), "{columns:?}: {summary}");
        assert!(lines.iter().any(|line| line.starts_with(type_line)), "{columns:?}: {lines:?}");
        assert!(lines.iter().any(|line| line == different), "{columns:?}: {lines:?}");
    }
}
