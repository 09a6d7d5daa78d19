//! Compares random tables, and checks the result against a slow comparison with two maps from keys to rows.

use std::{collections::BTreeMap, ops::ControlFlow};

use arrow_array::{Int64Array, StructArray, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, StreamWriter};
use arrow_schema::DataType;
use testing_support::Rng;

use super::*;
use crate::{
    columns::{ColumnName, RowQuery},
    diff::{Comparison, DiffOptions, DiffSink, diff},
    input::Input,
    observer::{Observer, Progress},
};

type Key = (Option<i64>, Option<String>);
type Row = (Option<i64>, String);

#[derive(Default)]
struct DifferenceLog {
    lines: Vec<String>,
    /// The numbers of rows with different values.
    rows: Vec<u64>,
    /// The reported progress in pairs of rows: how many were compared, and the total.
    compared: Vec<(u64, Option<u64>)>,
}

impl Observer for DifferenceLog {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        let Progress { unit, n_done, n_total } = progress;
        self.compared.extend((unit == Unit::Rows).then_some((n_done, n_total)));
        ControlFlow::Continue(())
    }
}

impl DiffSink for DifferenceLog {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        self.lines.push(line(&difference));
        if let Difference::Value { row, .. } = difference {
            self.rows.push(row.number);
        }
        ControlFlow::Continue(())
    }
}

/// The key and the column of a difference, in a form of this test.
fn line(difference: &Difference) -> String {
    if let Difference::Value { row, column, difference, .. } = difference {
        return format!("{}, {column}/{difference}", row.key.as_deref().unwrap());
    }
    if let Difference::OnlyRow { side, row, .. } = difference {
        return format!("{}, only in {side}", row.key.as_deref().unwrap());
    }
    format!("{difference:?}")
}

fn batch(rows: &[(Key, Row)]) -> RecordBatch {
    let ids = Int64Array::from_iter(rows.iter().map(|((id, _), _)| *id));
    let names = Utf8Array::try_from_iter(rows.iter().map(|((_, name), _)| name.as_deref())).unwrap();
    let values = Int64Array::from_iter(rows.iter().map(|(_, (value, _))| *value));
    let notes = Utf8Array::try_from_iter(rows.iter().map(|(_, (_, note))| note.as_str())).unwrap();
    RecordBatch::try_from_columns([
        ("value", values.into_data()),
        ("id", ids.into_data()),
        ("note", notes.into_data()),
        ("name", names.into_data()),
    ])
    .unwrap()
}

/// Writes the rows to a file or a stream, in batches of random lengths.
fn input(rows: &[(Key, Row)], rng: &mut Rng) -> Input {
    let mut batches = Vec::new();
    let mut rest = rows;
    while !rest.is_empty() {
        let (some, later) = rest.split_at(rest.len().min(rng.below(40) + 1));
        batches.push(batch(some));
        rest = later;
    }
    let schema = batch(&[]).schema().clone();
    let bytes = match rng.below(3) {
        0 => FileWriter::write_to_buffer(&schema, &batches).unwrap(),
        kind => {
            let bytes = StreamWriter::write_to_buffer(&schema, &batches).unwrap();
            if kind == 1 {
                return Input::try_from_reader("pipe", std::io::Cursor::new(bytes)).unwrap();
            }
            bytes
        }
    };
    Input::try_from_buffer("memory", bytes).unwrap()
}

fn shuffled(rows: &BTreeMap<Key, Row>, rng: &mut Rng) -> Vec<(Key, Row)> {
    let mut rows: Vec<(Key, Row)> = rows.iter().map(|(key, row)| (key.clone(), row.clone())).collect();
    if rng.below(3) > 0 {
        for last in (1..rows.len()).rev() {
            rows.swap(last, rng.below(last + 1));
        }
    }
    rows
}

fn by_key(names: &str) -> DiffOptions {
    DiffOptions { key: Some(names.split(',').map(ColumnName::from).collect()), ..DiffOptions::new() }
}

#[test]
fn random_tables_differ_as_maps_do() {
    let mut rng = Rng::new(29);
    for round in 0..120 {
        let n = rng.below(if round % 10 == 0 { 900 } else { 60 });
        let mut tables: [BTreeMap<Key, Row>; 2] = Default::default();
        for _ in 0..n {
            let id = (rng.below(9) > 0).then(|| rng.below(n) as i64);
            let name = (rng.below(9) > 0).then(|| "abc"[..rng.below(4)].to_owned());
            let key = (id, name);
            let row = (Some(rng.below(5) as i64), "x".repeat(rng.below(3)));
            match rng.below(8) {
                0 => drop(tables[0].insert(key, row)),
                1 => drop(tables[1].insert(key, row)),
                2 => {
                    tables[0].insert(key.clone(), row);
                    tables[1].insert(key, (None, "y".to_owned()));
                }
                _ => tables.iter_mut().for_each(|table| drop(table.insert(key.clone(), row.clone()))),
            }
        }
        let [a, b] = &tables;
        let both = a.iter().filter_map(|(key, row)| Some((row, b.get(key)?)));
        let mut n_both = 0;
        let mut n_rows = 0;
        let mut n_values = 0;
        let mut n_notes = 0;
        for (left, right) in both {
            n_both += 1;
            n_rows += u64::from(left != right);
            n_values += u64::from(left.0 != right.0);
            n_notes += u64::from(left.1 != right.1);
        }
        let n_only_a = a.keys().filter(|key| !b.contains_key(key)).count() as u64;
        let n_only_b = b.keys().filter(|key| !a.contains_key(key)).count() as u64;

        for hash_bits in [u64::MAX, 7, 0] {
            let mut options = DiffOptions { max_rows: 1_000_000, ..by_key("id,name") };
            if round % 4 == 1 {
                let names = ["note", "value", "id"].into_iter().map(ColumnName::from);
                options.query = RowQuery::new().with_columns(names.collect());
            }
            let mut log = DifferenceLog::default();
            let inputs = tables.each_ref().map(|table| input(&shuffled(table, &mut rng), &mut rng));
            let [left, right] = inputs;
            let opened = Comparison { hash_bits, ..Comparison::open(left, &options).unwrap() };
            let found = opened.against(right, &mut log).unwrap();
            assert_eq!(found.is_same, Some(a == b), "{round}");
            assert_eq!((found.n_rows, found.n_different), (n_both, n_rows), "{round} {hash_bits}");
            assert_eq!(found.n_only, [n_only_a, n_only_b], "{round} {hash_bits}");
            let of = |name: &str| {
                let found = found.columns.iter().find(|(path, _)| path.to_string() == name);
                found.map_or(0, |(_, n)| *n)
            };
            assert_eq!((of("value"), of("note"), of("id")), (n_values, n_notes, 0), "{round}");
            let n_lines = |end: &str| log.lines.iter().filter(|line| line.contains(end)).count() as u64;
            assert_eq!(n_lines(", value/"), n_values);
            assert_eq!(n_lines(", only in A"), n_only_a);
            assert_eq!(n_lines(", only in B"), n_only_b);
        }
    }
}

fn rows_of(ids: &[i64]) -> Vec<(Key, Row)> {
    ids.iter().map(|id| ((Some(*id), Some("n".to_owned())), (Some(id * 10), String::new()))).collect()
}

fn file_of(rows: &[(Key, Row)]) -> Input {
    let batch = batch(rows);
    let bytes = FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    Input::try_from_buffer("memory", bytes).unwrap()
}

#[test]
fn rows_are_named_by_their_keys() {
    let mut other = rows_of(&[4, 3, 2, 9]);
    other[0].1.0 = None;
    let a = file_of(&rows_of(&[1, 2, 3, 4]));
    let b = file_of(&other);
    let mut log = DifferenceLog::default();
    let summary = diff(a, b, &by_key("id"), &mut log).unwrap();
    assert_eq!(summary.is_same, Some(false));
    let expected = [
        "id 4, value/",
        "Rows { n_different: 1, n_compared: 3 }",
        "id 1, only in A",
        "OnlyRows { side: A, n_rows: 1 }",
        "id 9, only in B",
        "OnlyRows { side: B, n_rows: 1 }",
    ];
    assert_eq!(log.lines, expected);
    assert_eq!((summary.n_rows, summary.n_different, summary.n_only), (3, 1, [1, 1]));
    let columns: Vec<(String, u64)> =
        summary.columns.iter().map(|(path, n)| (path.to_string(), *n)).collect();
    assert_eq!(columns, [("value".to_owned(), 1)]);
    assert!(summary.is_by_key);

    // Rows that are not reported are counted.
    let a = file_of(&rows_of(&[1, 2]));
    let b = file_of(&other);
    let mut log = DifferenceLog::default();
    let summary = diff(a, b, &DiffOptions { max_rows: 0, ..by_key("id") }, &mut log).unwrap();
    assert_eq!(summary.is_same, Some(false));
    assert_eq!(log.lines, ["OnlyRows { side: A, n_rows: 1 }", "OnlyRows { side: B, n_rows: 3 }"]);
}

/// Compares more rows than are gathered at once, with and without a column that cannot be gathered.
#[test]
fn many_scattered_rows_of_one_batch_are_compared() {
    let n_rows = N_PAIRED_ROWS as i64 * 2 + 7;
    let ids: Vec<i64> = (0..n_rows).collect();
    let is_changed = |id: i64| id % 1000 == 3 || id / 2 == N_PAIRED_ROWS as i64 / 2;
    // The order of the rows is `step`, 2 × `step`, and so on, modulo their number. Each step is coprime to that number.
    for step in [7, n_rows - 1] {
        let mut other = rows_of(&ids.iter().map(|id| id * step % n_rows).collect::<Vec<i64>>());
        for ((id, _), (value, _)) in &mut other {
            if is_changed(id.unwrap()) {
                *value = None;
            }
        }
        let tables = [batch(&rows_of(&ids)), batch(&other)];
        let nested = tables.each_ref().map(|table| {
            let value =
                StructArray::try_new([Field::new("x", DataType::Int64)], [table.columns()[0].clone()], None)
                    .unwrap();
            RecordBatch::try_from_columns([("id", table.columns()[1].clone()), ("value", value.into_data())])
                .unwrap()
        });
        for (tables, field) in [(&tables, "value/"), (&nested, "value/x")] {
            let [a, b] = tables.each_ref().map(|table| {
                let bytes = FileWriter::write_to_buffer(table.schema(), std::slice::from_ref(table)).unwrap();
                Input::try_from_buffer("memory", bytes).unwrap()
            });
            let mut log = DifferenceLog::default();
            diff(a, b, &DiffOptions { max_rows: 1_000_000, ..by_key("id") }, &mut log).unwrap();
            let changed = ids.iter().filter(|id| is_changed(**id));
            let line = |id: &i64| format!("id {id}, {field}");
            let mut expected: Vec<String> = changed.map(line).collect();
            expected.push(format!("Rows {{ n_different: {}, n_compared: {n_rows} }}", expected.len()));
            assert_eq!(log.lines, expected, "{step}");
            let rows = log.rows.iter().copied();
            assert!(rows.eq(ids.iter().filter(|id| is_changed(**id)).map(|id| *id as u64)), "{step}");
        }
    }
}

#[test]
fn repeated_keys_and_other_types_are_refused() {
    // The repeated rows follow each other, or are apart. The repeated rows are in A, or in B.
    // Of several, the first row is reported, whatever the hashes are.
    let many: Vec<i64> = (0..200).chain(100..200).collect();
    for (ids, rows) in [(vec![1, 2, 2], [1, 2]), (vec![5, 1, 7, 5], [0, 3]), (many, [100, 200])] {
        for is_swapped in [false, true] {
            let mut a = file_of(&rows_of(&ids));
            let mut b = file_of(&rows_of(&[1]));
            if is_swapped {
                std::mem::swap(&mut a, &mut b);
            }
            let error = diff(a, b, &by_key("id"), &mut Vec::new()).unwrap_err();
            let ToolErrorKind::RepeatedKey { key, rows: found } = error.kind() else { panic!("{error}") };
            assert_eq!(
                (key.as_str(), *found),
                (format!("id {}", ids[rows[0]]).as_str(), rows.map(|row| row as u64))
            );
        }
    }
    let other =
        RecordBatch::try_from_columns([("id", Utf8Array::try_from_iter(["1"]).unwrap().into())]).unwrap();
    let bytes = FileWriter::write_to_buffer(other.schema(), std::slice::from_ref(&other)).unwrap();
    let b = Input::try_from_buffer("other", bytes).unwrap();
    let error = diff(file_of(&rows_of(&[1])), b, &by_key("id"), &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "other: column \"id\" of the key is int64 in A and utf8 in B, whose values are never equal"
    );
}

/// Pairs are counted while they are compared, for any order of the rows of B.
#[test]
fn progress_counts_pairs_of_rows() {
    let rows: Vec<(Key, Row)> = rows_of(&(0..3_000).collect::<Vec<i64>>());
    let mut turned = rows.clone();
    turned.reverse();
    for other in [rows.clone(), turned] {
        let mut log = DifferenceLog::default();
        let mut rng = Rng::new(7);
        let options = by_key("id,name");
        diff(input(&rows, &mut rng), input(&other, &mut rng), &options, &mut log).unwrap();
        let done: Vec<u64> = log.compared.iter().map(|(n_done, _)| *n_done).collect();
        assert!(log.compared.iter().all(|(_, n_total)| *n_total == Some(3_000)), "{done:?}");
        assert!(done.is_sorted() && done.len() > 3, "{done:?}");
        assert_eq!((done.first(), done.last()), (Some(&0), Some(&3_000)));
    }
}
