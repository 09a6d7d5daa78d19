//! The output of `diff` for equal inputs, and for inputs that differ in one property.

mod encodings;
mod inputs;
mod schemas;
mod wider;

use std::{
    fs,
    path::{Path, PathBuf},
    slice::from_ref,
};

use arrow_array::{
    BooleanArray, DictionaryBuilder, Float32Array, Float64Array, Int64Array, Int64Builder, ListBuilder,
    StructBuilder, Utf8Array, Utf8Builder,
};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{FileWriter, StreamWriter, WriteOptions};
use arrow_schema::IndexType;

use crate::program::{Outcome, folder_in_memory, run, temporary_folder};

type Columns<'a> = Vec<(&'a str, ArrayData)>;

fn batch(columns: Columns<'_>) -> RecordBatch {
    RecordBatch::try_from_columns(columns).unwrap()
}

fn ints(values: impl IntoIterator<Item = i64>) -> ArrayData {
    Int64Array::from_iter(values).into_data()
}

fn texts<'a>(values: impl IntoIterator<Item = &'a str>) -> ArrayData {
    Utf8Array::try_from_iter(values).unwrap().into_data()
}

/// Rows with a nested address. `zip` is the zip code of the second row.
fn people(zip: Option<i64>) -> RecordBatch {
    let address = StructBuilder::new((("street", Utf8Builder::new()), ("zip", Int64Builder::new())));
    let phones = ListBuilder::new(Int64Builder::new());
    let mut people =
        StructBuilder::new((("id", Int64Builder::new()), ("address", address), ("phones", phones)));
    people.append((1, ("main street", 5), [1, 2]));
    people.append((2, ("side street", zip), [3, zip.unwrap_or(9)]));
    people.append((3, None::<(&str, i64)>, [0; 0]));
    people.finish_batch().unwrap()
}

fn encoded(words: &[&str], keys: &[usize]) -> ArrayData {
    let mut builder = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).unwrap();
    // The first rows determine the order of the words in the dictionary. The slice leaves them out.
    words.iter().for_each(|word| builder.append(*word));
    keys.iter().for_each(|key| builder.append(words[*key]));
    let array = ArrayData::from(builder.finish().unwrap());
    array.slice(words.len(), keys.len())
}

fn write_stream(path: &Path, batches: &[RecordBatch], options: WriteOptions) {
    let schema = batches[0].schema().clone();
    let mut writer = StreamWriter::try_new_with(fs::File::create(path).unwrap(), schema, options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

fn write_file(path: &Path, batches: &[RecordBatch], options: WriteOptions) {
    let mut writer = FileWriter::create_with(path, batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

/// Runs `diff` for two inputs, in all combinations of containers. All must have the same output.
fn diff(a: &[RecordBatch], b: &[RecordBatch], args: &[&str]) -> Outcome {
    let folder = folder_in_memory();
    let path = |name: &str| folder.path().join(name);
    for (name, batches) in [("a", a), ("b", b)] {
        write_stream(&path(name).with_extension("arrows"), batches, WriteOptions::default());
        write_file(&path(name).with_extension("arrow"), batches, WriteOptions::default());
    }
    let run_pair = |a: &str, b: &str| {
        let pair = ["diff".into(), path(a), path(b)];
        run(pair.into_iter().chain(args.iter().map(PathBuf::from)))
    };
    let outcome = run_pair("a.arrow", "b.arrow");
    for (a, b) in [("a.arrow", "b.arrows"), ("a.arrows", "b.arrow"), ("a.arrows", "b.arrows")] {
        assert_eq!(run_pair(a, b), outcome, "{a} and {b}");
    }
    outcome
}

fn check(a: &[RecordBatch], b: &[RecordBatch], args: &[&str], expected: &str) {
    let outcome = diff(a, b, args);
    // The summary has the number of different rows.
    let is_of_summary = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        matches!(words[..], [_, "of", _, "row" | "rows", _] | [_, "has", _, "more", _])
    };
    for line in expected.lines().filter(is_of_summary) {
        let said = line.strip_suffix(" differs").or(line.strip_suffix(" differ")).unwrap_or(line);
        assert!(outcome.summary().contains(said), "{said} in {outcome:?}");
    }
    let lines: String =
        expected.split_inclusive('\n').filter(|line| !is_of_summary(&line.trim_end())).collect();
    let is_in_order = outcome.summary().contains(" more row") && !outcome.summary().contains("none of");
    let has_id = a.first().is_some_and(|batch| batch.column("id").is_ok());
    let key = if has_id { "id" } else { "COLUMN" };
    let note = format!("note: rows were compared in their order; --key {key} pairs rows by their values\n");
    let note = if is_in_order { note } else { String::new() };
    assert_eq!((outcome.differences(), &outcome.stderr), (&*lines, &note), "{args:?}");
    assert!(outcome.summary().starts_with(if expected.is_empty() { "equal: " } else { "differ: " }));
    assert_eq!(outcome.status, i32::from(!expected.is_empty()), "{args:?}: {outcome:?}");
}

#[test]
fn the_way_of_writing_makes_no_difference() {
    let whole = batch(vec![
        ("id", ints(0..10)),
        ("even", BooleanArray::from_iter((0..10).map(|i| i % 2 == 0)).into()),
    ]);
    let pieces = [0..3, 3..3, 3..9, 9..10].map(|rows| whole.slice(rows.start, rows.len()));
    check(from_ref(&whole), &pieces, &[], "");
    check(&pieces, &[whole.slice(0, 7), whole.slice(7, 3)], &[], "");
    check(&[people(Some(7))], &[people(Some(7))], &[], "");

    let a = batch(vec![("word", encoded(&["x", "y", "z"], &[0, 1, 2, 0]))]);
    let b = batch(vec![("word", encoded(&["z", "unused", "y", "x"], &[3, 2, 0, 3]))]);
    check(from_ref(&a), &[b.slice(0, 2), b.slice(2, 2)], &[], "");
    // Only streams can replace a dictionary.
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    write_stream(&path("a"), &[a.slice(0, 2), b.slice(2, 2)], WriteOptions::default());
    write_stream(&path("b"), &[a], WriteOptions::default());
    let outcome = run(["diff".into(), path("a"), path("b")]);
    assert_eq!(
        (outcome.status, outcome.text(), &outcome.stderr[..]),
        (0, "equal: 4 rows in 2 and 1 batch\n", "")
    );
}

#[test]
fn differing_rows_are_said() {
    let nan = f64::from_bits(0x7ff8_0000_0000_0001);
    let control = "a\u{1b}[31m\u{202e}";
    let many = |step: i64| batch(vec![("n", ints((0..100).map(|i| i * step)))]);
    let ten = "row 1, field n: 1 in A, 2 in B\nrow 2, field n: 2 in A, 4 in B\n";
    let cases: [(RecordBatch, RecordBatch, &[&str], &str); 16] = [
        (
            people(Some(5)),
            people(Some(7)),
            &[],
            "row 1, field address.zip: 5 in A, 7 in B\nrow 1, field phones[1]: 5 in A, 7 in B\n1 of 3 rows differs\n",
        ),
        (
            people(None),
            people(Some(9)),
            &[],
            "row 1, field address.zip: null in A, 9 in B\n1 of 3 rows differs\n",
        ),
        (
            batch(vec![("f", Float64Array::from_iter([0.0, f64::NAN, f64::NAN]).into())]),
            batch(vec![("f", Float64Array::from_iter([-0.0, nan, f64::NAN]).into())]),
            &[],
            "row 0, field f: 0.0 in A, -0.0 in B\n\
             row 1, field f: \"NaN\" in A, \"NaN\" in B (bits: 0x7ff8000000000000 and 0x7ff8000000000001)\n\
             2 of 3 rows differ\n",
        ),
        (
            batch(vec![("f", Float32Array::from_iter([Some(f32::NAN)]).into())]),
            batch(vec![("f", Float32Array::from_iter([None::<f32>]).into())]),
            &[],
            "row 0, field f: \"NaN\" in A, null in B\n1 of 1 row differs\n",
        ),
        (
            batch(vec![("t", texts([control, "null"]))]),
            batch(vec![("t", Utf8Array::try_from_iter([Some(""), None]).unwrap().into())]),
            &[],
            "row 0, field t: \"a\\u001b[31m\\u202e\" in A, \"\" in B\n\
             row 1, field t: \"null\" in A, null in B\n2 of 2 rows differ\n",
        ),
        (
            many(1),
            many(2),
            &["--limit", "2"],
            &format!("{ten}row 3 differs, too; --limit shows more, --count counts them\n"),
        ),
        (many(1), many(2), &["--limit", "2", "--count"], &format!("{ten}99 of 100 rows differ\n")),
        (many(1), many(2), &["--limit", "0"], "row 1 differs; --limit shows more, --count counts them\n"),
        (many(1), many(2), &["--limit", "0", "--count"], "99 of 100 rows differ\n"),
        (many(1), many(1).slice(0, 97), &[], "A has 3 more rows\n"),
        (many(1).slice(0, 99), many(1), &[], "B has 1 more row\n"),
        (
            many(1).slice(0, 2),
            many(2),
            &[],
            "row 1, field n: 1 in A, 2 in B\n1 of 2 rows differs\nB has 98 more rows\n",
        ),
        (
            batch(vec![("l", list(&[&[1, 2], &[]]))]),
            batch(vec![("l", list(&[&[1], &[]]))]),
            &[],
            "row 0, field l: [1,2] in A, [1] in B (items: 2 and 1)\n1 of 2 rows differs\n",
        ),
        (
            batch(vec![("t", texts([&*format!("{}1", "x".repeat(1000))]))]),
            batch(vec![("t", texts([&*format!("{}2", "x".repeat(1000))]))]),
            &[],
            "row 0, field t: …xxxxxxxxxxxxxxxxxxxx1\" in A, …xxxxxxxxxxxxxxxxxxxx2\" in B\n1 of 1 row differs\n",
        ),
        (
            batch(vec![("a.b", ints([1])), ("", ints([1])), ("", ints([2]))]),
            batch(vec![("a.b", ints([2])), ("", ints([1])), ("", ints([1]))]),
            &[],
            "row 0, field \"a.b\": 1 in A, 2 in B\nrow 0, field \"\": 2 in A, 1 in B\n1 of 1 row differs\n",
        ),
        (people(Some(5)), people(Some(7)), &["--quiet"], ""),
    ];
    for (a, b, args, expected) in cases {
        if args.contains(&"--quiet") {
            let outcome = diff(&[a], &[b], args);
            assert_eq!((outcome.status, outcome.text(), &outcome.stderr[..]), (1, "", ""));
            continue;
        }
        check(from_ref(&a), from_ref(&b), args, expected);
        // Batch boundaries make no difference.
        let halves = [a.slice(0, a.n_rows() / 2), a.slice(a.n_rows() / 2, a.n_rows() - a.n_rows() / 2)];
        check(&halves, &[b], args, expected);
    }
}

fn list(lists: &[&[i64]]) -> ArrayData {
    let mut builder = ListBuilder::new(Int64Builder::new());
    lists.iter().for_each(|items| builder.append(*items));
    builder.finish().unwrap().into()
}
