//! Comparisons: differences are reported as data, and a report can stop the comparison.

use std::ops::ControlFlow;

use arrow_array::{AnyArray, Int32Array, Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{ErrorClass, FileWriter, IpcError, Limits, StreamWriter};
use arrow_ipc_report::DifferenceText;
use arrow_ipc_tools::{
    DiffOptions, DiffSink, Difference, Input, Note, NoteKind, Observer, Progress, RowQuery, ToolErrorKind,
    columns::ColumnName,
    diff,
    diff::{DiffSummary, MetadataScope, Side},
};
use arrow_schema::{DataType, RunEndType, Schema};

use crate::samples::{OnDisk, file, ids, stream};

fn input(bytes: Vec<u8>) -> Input {
    Input::try_from_buffer("memory", bytes.into()).unwrap()
}

fn differences(a: Vec<u8>, b: Vec<u8>, options: &DiffOptions) -> (Option<bool>, Vec<Difference>) {
    let mut found: Vec<Difference> = Vec::new();
    let is_same = diff(input(a), input(b), options, &mut found).unwrap().is_same;
    (is_same, found)
}

#[test]
fn containers_and_batches_do_not_matter() {
    let a = stream(&[ids([1, 2]), ids([3])]);
    let b = file(&[ids([1]), ids([2, 3])]);
    let (is_same, found) = differences(a, b, &DiffOptions::new());
    assert_eq!(is_same, Some(true), "{found:?}");
}

#[test]
fn values_that_differ_are_at_hand() {
    let (is_same, found) =
        differences(stream(&[ids([1, 2, 3])]), stream(&[ids([1, 5])]), &DiffOptions::new());
    assert_eq!(is_same, Some(false));
    let [
        Difference::Value { row, column, difference, .. },
        Difference::Rows { n_different: 1, n_compared: 2 },
        more,
    ] = &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!((row.number, column.to_string()), (1, "id".to_owned()));
    let sides = [difference.left(), difference.right()];
    let shown = sides.map(|side| AnyArray::try_from(side.clone()).unwrap().display(0).to_string());
    assert_eq!(shown, ["2", "5"]);
    assert!(matches!(more, Difference::MoreRows { side: Side::A, n_rows: 1 }));
    assert_eq!(DifferenceText(&found[0]).to_string(), "row 1, field id: 2 in A, 5 in B");
}

#[test]
fn schemas_and_metadata_differ_too() {
    let of = |text: &str, value: &str| {
        let schema: Schema = text.parse().unwrap();
        let schema = schema.with_metadata([("unit", value)].into_iter().collect());
        StreamWriter::try_new(Vec::new(), schema).unwrap().finish().unwrap()
    };
    let (a, b) = (of("id: int64\nx: utf8", "cm"), of("id: int32", "mm"));
    let (_, found) = differences(a.clone(), b.clone(), &DiffOptions::new());
    let [Difference::Metadata { of: MetadataScope::Schema, key: Some(key), a: of_a, b: of_b }, rest @ ..] =
        &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!(key, "unit");
    let value = |text: &str| Some(vec![Some(text.to_owned())]);
    assert_eq!((of_a, of_b), (&value("cm"), &value("mm")));
    let lines: Vec<String> = rest.iter().map(|difference| DifferenceText(difference).to_string()).collect();
    let expected = ["field x: utf8, only in A", "field id: int64 in A, int32 in B, compared as int64"];
    assert_eq!(lines, expected);
    let without = DiffOptions {
        ignores_metadata: true,
        query: RowQuery::new().with_columns([ColumnName::from("id")].into_iter().collect()),
        ..DiffOptions::new()
    };
    assert_eq!(differences(a, b, &without).1.len(), 1);
}

#[test]
fn a_column_that_does_not_exist_is_an_error_with_the_columns_there_are() {
    let options = DiffOptions {
        query: RowQuery::new().with_columns([ColumnName::from("di")].into_iter().collect()),
        ..DiffOptions::new()
    };
    let bytes = stream(&[ids([1])]);
    let error = diff(input(bytes.clone()), input(bytes), &options, &mut Vec::new()).unwrap_err();
    let ToolErrorKind::Columns { schema, .. } = error.kind() else { panic!("{error}") };
    assert_eq!(schema.fields()[0].name(), "id");
}

/// Stops at the first difference, and collects notes.
#[derive(Default)]
struct First {
    found: Option<Difference>,
    notes: Vec<String>,
}

impl Observer for First {
    fn note(&mut self, note: &Note) {
        assert!(matches!(note.kind, NoteKind::TrailingBytes(_)));
        self.notes.push(format!("{:?}", note.kind));
    }
}

impl DiffSink for First {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        assert!(self.found.replace(difference).is_none(), "nothing is told after the end");
        ControlFlow::Break(())
    }
}

#[test]
fn a_report_ends_the_comparison() {
    let mut report = First::default();
    let (a, b) = (stream(&[ids([1, 2])]), stream(&[ids([3, 4])]));
    let summary = diff(input(a), input(b), &DiffOptions::new(), &mut report).unwrap();
    assert_eq!(summary.is_same, Some(false));
    assert!(report.found.is_some());
}

#[test]
fn trailing_bytes_leave_the_answer_open() {
    let bytes = stream(&[ids([1, 2])]);
    let mut report = First::default();
    let b = [&bytes[..], b"words"].concat();
    let summary = diff(input(bytes), input(b), &DiffOptions::new(), &mut report).unwrap();
    assert_eq!(summary.is_same, None);
    assert_eq!(report.notes.len(), 1, "{:?}", report.notes);
}

#[test]
fn rows_are_reported_up_to_a_limit() {
    let (a, b) = (stream(&[ids(0..100)]), stream(&[ids(100..200)]));
    let options = DiffOptions { max_rows: 2, ..DiffOptions::new() };
    let (_, found) = differences(a.clone(), b.clone(), &options);
    assert!(matches!(found[..], [_, _, Difference::OneMoreRow { row: 2, is_first: false }]), "{found:?}");
    let (_, found) = differences(a, b, &DiffOptions { counts_all: true, ..options });
    assert!(matches!(found[..], [_, _, Difference::Rows { n_different: 100, n_compared: 100 }]), "{found:?}");
}

/// If the comparison stops at a row after the limit, it has counted the rows before that only one side has.
#[test]
fn rows_of_one_side_are_counted_up_to_a_limit() {
    let a: Vec<i64> = (0..40).collect();
    let b = [999].into_iter().chain((0..40).map(|id| if (10..=20).contains(&id) { -id } else { id }));
    let (a, b) = (stream(&[ids(a)]), stream(&[ids(b)]));
    let options = DiffOptions { max_rows: 10, ..DiffOptions::new() };
    let summary = diff(input(a.clone()), input(b.clone()), &options, &mut Vec::new()).unwrap();
    assert_eq!((summary.is_cut, summary.n_only, summary.n_different), (true, [0, 1], 11));
    let summary = diff(input(b), input(a), &options, &mut Vec::new()).unwrap();
    assert_eq!((summary.is_cut, summary.n_only), (true, [1, 0]));
}

#[test]
fn names_of_differences_are_those_of_both_sides() {
    let words = Utf8Array::try_from_iter(["a"]).unwrap();
    let of = |name: &str| {
        let batch = RecordBatch::try_from_columns([(name, words.clone().into())]).unwrap();
        stream(&[batch])
    };
    let (_, found) = differences(of("old"), of("new"), &DiffOptions::new());
    assert!(matches!(&found[..], [Difference::Name { a, b, .. }] if a == "old" && b == "new"), "{found:?}");
}

/// A few bytes can declare 2^63 rows or more. Limits refuse them, and an observer can stop the counting.
#[test]
fn counting_ends_by_a_limit_or_the_observer() {
    const N: i64 = i64::MAX;
    let run = |value: i32| {
        let [ends, values] =
            [AnyArray::from(Int64Array::from_iter([N])), AnyArray::from(Int32Array::from_iter([value]))];
        let parts = ArrayParts::new(
            DataType::run_end_encoded(RunEndType::Int64, DataType::Int32),
            usize::try_from(N).unwrap(),
        );
        let children = [ends, values].map(AnyArray::into_data);
        let run = ArrayData::try_new(ArrayParts { children: Some(children.into()), ..parts }).unwrap();
        RecordBatch::try_from_columns([("run", run)]).unwrap()
    };
    let (a, b) = (stream(&[run(1)]), stream(&[run(2)]));
    let options = DiffOptions { counts_all: true, ..DiffOptions::new() };
    let within = |bytes: &[u8]| input(bytes.to_vec()).with_limits(Limits::new().with_max_slots(1_000_000));
    let error = diff(within(&a), within(&b), &options, &mut Vec::new()).unwrap_err();
    assert_eq!(error.ipc_error().map(IpcError::class), Some(ErrorClass::LimitExceeded), "{error}");

    struct Impatient(u32);
    impl Observer for Impatient {
        fn progress(&mut self, _: Progress) -> ControlFlow<()> {
            self.0 += 1;
            if self.0 < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
    }
    impl DiffSink for Impatient {
        fn difference(&mut self, _: Difference) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }
    let error = diff(input(a), input(b), &options, &mut Impatient(0)).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Stopped), "{error}");
}

/// Compares batches of 48 MB in steps of some rows.
#[test]
fn large_batches_are_compared_in_little_memory() {
    const N_ROWS: i64 = 6_000_000;
    let column = |last: i64| Int64Array::from_iter((0..N_ROWS - 1).chain([last])).into_data();
    let file = |last| {
        let batch = RecordBatch::try_from_columns([("n", column(last))]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        Buffer::from(writer.finish().unwrap())
    };
    let (a, b) = (file(N_ROWS - 1), file(7));
    for (other, expected) in
        [(&a, "equal: 6,000,000 rows in 1 batch"), (&b, "differ: 1 of 6,000,000 rows, in column n (1)")]
    {
        let [a, b] = [&a, other].map(|bytes| Input::try_new("disk", OnDisk(bytes.clone())).unwrap());
        let (summary, usage) =
            crate::ALLOCATOR.measure(|| diff(a, b, &DiffOptions::new(), &mut Vec::new()).unwrap());
        assert_eq!(arrow_ipc_report::DiffSummaryText(&summary).to_string(), expected);
        assert!(usage.peak_bytes < 40 << 20, "{} bytes", usage.peak_bytes);
    }
}

fn summary_of(a: Vec<u8>, b: Vec<u8>) -> DiffSummary {
    let options = DiffOptions { counts_all: true, ..DiffOptions::new() };
    diff(input(a), input(b), &options, &mut Vec::new()).unwrap()
}

#[test]
fn rows_after_an_added_one_are_paired() {
    let mut b: Vec<i64> = (0..1000).collect();
    b.insert(10, -5);
    for (a, b) in
        [(stream(&[ids(0..1000)]), file(&[ids(b.clone())])), (file(&[ids(0..1000)]), stream(&[ids(b)]))]
    {
        let (is_same, found) = differences(a.clone(), b.clone(), &DiffOptions::new());
        assert_eq!(is_same, Some(false));
        let lines: Vec<String> =
            found.iter().map(|difference| DifferenceText(difference).to_string()).collect();
        assert_eq!(lines, ["row 10: 1 row, only in B", "1 row only in B"]);
        let (_, found) = differences(b, a, &DiffOptions::new());
        assert_eq!(DifferenceText(&found[0]).to_string(), "row 10: 1 row, only in A");
    }
    // An inserted row shifts the rows after it, so a difference names the row numbers of both sides.
    let (a, mut b) = (0..1000, (0..1000).collect::<Vec<i64>>());
    b[500] = -1;
    b.splice(10..10, [-2, -3]);
    let (_, found) = differences(stream(&[ids(a)]), stream(&[ids(b)]), &DiffOptions::new());
    let lines: Vec<String> = found.iter().map(|difference| DifferenceText(difference).to_string()).collect();
    let expected = [
        "row 10: 2 rows, only in B",
        "row 500 (502 in B), field id: 500 in A, -1 in B",
        "1 of 1000 rows differs",
        "2 rows only in B",
    ];
    assert_eq!(lines, expected);
}

/// Inserted rows are found across batches, up to a maximal number. If more rows are inserted, rows with equal numbers
/// are compared.
#[test]
fn many_added_rows_are_found_across_batches() {
    for (n_new, is_found) in [(1, true), (1025, true), (16_000, true), (17_000, false)] {
        let a: Vec<i64> = (0..20_000).collect();
        let b: Vec<i64> = (0..5).chain(1_000_000..1_000_000 + n_new).chain(5..20_000).collect();
        for n_rows in [1_000_000, 4096, 100] {
            let [of_a, of_b] = [&a, &b].map(|rows| {
                let batches = rows.chunks(n_rows).map(|rows| ids(rows.iter().copied()));
                stream(&batches.collect::<Vec<RecordBatch>>())
            });
            let found = summary_of(of_a, of_b);
            let expected = if is_found { [0, n_new as u64] } else { [0, 0] };
            assert_eq!(found.n_only, expected, "{n_new} {n_rows}: {found:?}");
            assert_eq!(found.n_different == 0, is_found, "{n_new} {n_rows}");
            assert_eq!(found.more_rows.is_none(), is_found);
        }
    }
}

/// Long rows are not stored to search for equal rows.
#[test]
fn lookahead_of_long_rows_takes_bounded_memory() {
    let row = |id: u64| {
        let text = Utf8Array::try_from_iter([format!("{id:07}").repeat(1 << 16)]).unwrap();
        RecordBatch::try_from_columns([("text", text.into_data())]).unwrap()
    };
    // 200 different rows of 450 KiB.
    let [a, b] = [0, 1000].map(|first| {
        let rows: Vec<RecordBatch> = (first..first + 200).map(row).collect();
        Buffer::from(file(&rows))
    });
    let [a, b] = [a, b].map(|bytes| Input::try_new("disk", OnDisk(bytes)).unwrap());
    let options = DiffOptions { counts_all: true, ..DiffOptions::new() };
    let (summary, usage) = crate::ALLOCATOR.measure(|| diff(a, b, &options, &mut Vec::new()).unwrap());
    assert_eq!(summary.n_different, 200);
    assert!(usage.peak_bytes < 60 << 20, "{} bytes", usage.peak_bytes);
}

/// Edits that are far apart are reported separately. Each row is counted once, however the rows are divided into
/// batches.
#[test]
fn random_edits_are_counted() {
    let hunt = testing_support::Hunt::from_env();
    let mut rng = hunt.rng(7);
    for round in 0..hunt.count(16, 200) {
        let n = 50 + rng.below(2000);
        let a: Vec<i64> = (0..n as i64).collect();
        let (mut b, mut n_changed, mut n_added, mut n_removed) = (Vec::new(), 0, 0, 0);
        let mut next = rng.below(30);
        for id in &a {
            if *id != next as i64 {
                b.push(*id);
                continue;
            }
            next += 30 + rng.below(200);
            match rng.below(3) {
                0 => {
                    n_changed += 1;
                    b.push(-1 - *id);
                }
                1 => n_removed += 1,
                _ => {
                    let n_new = 1 + rng.below(5);
                    n_added += n_new as u64;
                    b.extend((0..n_new).map(|k| 1_000_000 + k as i64));
                    b.push(*id);
                }
            }
        }
        let cut = |ids_of: &[i64], n_rows: usize| -> Vec<RecordBatch> {
            ids_of.chunks(n_rows).map(|rows| ids(rows.iter().copied())).collect()
        };
        let mut expected = None;
        for n_rows in [5000, 64, 1, 1 + rng.below(300)] {
            let batches = [cut(&a, n_rows), cut(&b, 1 + n_rows / 2 + rng.below(n_rows))];
            let batches = if n_rows == 5000 { [cut(&a, 5000), cut(&b, 5000)] } else { batches };
            let of_b = if rng.below(2) == 0 { stream(&batches[1]) } else { file(&batches[1]) };
            // The division into batches does not change the result.
            let options = DiffOptions { max_rows: 50, counts_all: true, ..DiffOptions::new() };
            let (_, texts) = differences(stream(&batches[0]), of_b.clone(), &options);
            let texts: Vec<String> =
                texts.iter().map(|difference| DifferenceText(difference).to_string()).collect();
            assert_eq!(*expected.get_or_insert_with(|| texts.clone()), texts, "{round}: {n_rows}");
            let found = summary_of(stream(&batches[0]), of_b);
            assert_eq!(found.is_same, Some(a == b));
            let [only_a, only_b] = found.n_only;
            let (more_a, more_b) = match found.more_rows {
                None => (0, 0),
                Some((Side::A, n_rows)) => (n_rows, 0),
                Some((Side::B, n_rows)) => (0, n_rows),
            };
            assert_eq!(found.n_rows + only_a + more_a, a.len() as u64);
            assert_eq!(found.n_rows + only_b + more_b, b.len() as u64);
            // At the ends, an edit may be reported as a change or as an added row.
            let n_reported = found.n_different + only_a + only_b + more_a + more_b;
            assert!(n_reported <= n_changed + n_added + n_removed, "{round}: {found:?}");
        }
    }
}
