//! What `diff` says about pairs of inputs that differ in one thing, and about those that differ in nothing.

use std::{
    fs,
    path::{Path, PathBuf},
    slice::from_ref,
};

use arrow_array::{
    BooleanArray, DictionaryBuilder, Float32Array, Float64Array, Int32Array, Int64Array, Int64Builder,
    LargeUtf8Array, ListBuilder, NullArray, StructBuilder, Utf8Array, Utf8Builder, Utf8ViewArray,
};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{FileWriter, StreamWriter, WriteOptions};
use arrow_schema::{DataType, Field, IndexType, Metadata, Schema};

use crate::program::{Outcome, corpus, golden_cases, run, run_with_input, temporary_folder};

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

/// People with a nested address; the zip code of the second may be chosen.
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

/// The same rows with other fields.
fn with_fields(batch: &RecordBatch, change: impl Fn(&Field) -> Field) -> RecordBatch {
    let fields: Vec<Field> = batch.schema().fields().iter().map(change).collect();
    let schema = Schema::new(fields).with_metadata(batch.schema().metadata().clone());
    RecordBatch::try_new_with_rows(schema, batch.columns(), batch.n_rows()).unwrap()
}

fn with_metadata(batch: &RecordBatch, pairs: &[(&str, &str)]) -> RecordBatch {
    let schema = Schema::new(batch.schema().fields()).with_metadata(pairs.iter().copied().collect());
    RecordBatch::try_new_with_rows(schema, batch.columns(), batch.n_rows()).unwrap()
}

fn encoded(words: &[&str], keys: &[usize]) -> ArrayData {
    let mut builder = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).unwrap();
    // The dictionary has the words in their order.
    words.iter().for_each(|word| builder.append(*word));
    keys.iter().for_each(|key| builder.append(words[*key]));
    let array = ArrayData::from(builder.finish().unwrap());
    array.slice(words.len(), keys.len())
}

fn write_stream(path: &Path, batches: &[RecordBatch], options: WriteOptions) {
    let schema = batches[0].schema().clone();
    let mut writer = StreamWriter::new(fs::File::create(path).unwrap(), schema, options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

fn write_file(path: &Path, batches: &[RecordBatch], options: WriteOptions) {
    let mut writer = FileWriter::create(path, batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

/// What `diff` says about two inputs, which it must say whatever their containers are.
fn diff(a: &[RecordBatch], b: &[RecordBatch], args: &[&str]) -> Outcome {
    let folder = temporary_folder();
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
    assert_eq!((outcome.text(), outcome.stderr.as_str()), (expected, ""), "{args:?}");
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
    // A dictionary that is replaced, which only streams can do.
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    write_stream(&path("a"), &[a.slice(0, 2), b.slice(2, 2)], WriteOptions::default());
    write_stream(&path("b"), &[a], WriteOptions::default());
    let outcome = run(["diff".into(), path("a"), path("b")]);
    assert_eq!((outcome.status, outcome.text(), &outcome.stderr[..]), (0, "", ""));
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
            "row 0, field t: \"a\\u001b[31m\\u{202e}\" in A, \"\" in B\n\
             row 1, field t: \"null\" in A, null in B\n2 of 2 rows differ\n",
        ),
        (
            many(1),
            many(2),
            &["--limit", "2"],
            &format!("{ten}row 3 differs, too; --limit shows more, --count counts them\n"),
        ),
        (many(1), many(2), &["--limit", "2", "--count"], &format!("{ten}99 of 100 rows differ\n")),
        (
            many(1),
            many(2),
            &["--limit", "0"],
            "row 1 differs, too; --limit shows more, --count counts them\n",
        ),
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
        // Where batches begin makes no difference.
        let halves = [a.slice(0, a.n_rows() / 2), a.slice(a.n_rows() / 2, a.n_rows() - a.n_rows() / 2)];
        check(&halves, &[b], args, expected);
    }
}

fn list(lists: &[&[i64]]) -> ArrayData {
    let mut builder = ListBuilder::new(Int64Builder::new());
    lists.iter().for_each(|items| builder.append(*items));
    builder.finish().unwrap().into()
}

#[test]
fn differing_schemas_are_said() {
    let base = || vec![("id", ints([1, 2])), ("name", texts(["x", "y"])), ("zip", ints([5, 6]))];
    let a = batch(base());
    let changed = |change: &dyn Fn(&mut Columns<'static>)| {
        let mut columns = base();
        change(&mut columns);
        batch(columns)
    };
    let unit = |unit: &str| {
        let metadata = Metadata::from_iter([("unit", unit)]);
        with_fields(&a, |field| match field.name() {
            "zip" => field.clone().with_metadata(metadata.clone()),
            _ => field.clone(),
        })
    };
    let inside = |street: DataType| {
        with_nested(Field::new("address", DataType::struct_([Field::new("street", street)])))
    };
    let cases: [(RecordBatch, RecordBatch, &[&str], &str); 19] = [
        (a.clone(), changed(&|c| drop(c.remove(1))), &[], "field name: utf8, only in A\n"),
        (changed(&|c| drop(c.remove(0))), a.clone(), &[], "field id: int64, only in B\n"),
        (
            a.clone(),
            changed(&|c| c[2].0 = "postcode"),
            &[],
            "field zip: named \"zip\" in A, \"postcode\" in B\n",
        ),
        (
            a.clone(),
            changed(&|c| c[2] = ("postcode", ints([5, 7]))),
            &[],
            "field zip: named \"zip\" in A, \"postcode\" in B\nrow 1, field zip: 6 in A, 7 in B\n1 of 2 rows differs\n",
        ),
        (
            a.clone(),
            changed(&|c| c[2].1 = Int32Array::from_iter([5, 6]).into()),
            &[],
            "field zip: int64 in A, int32 in B\nfield zip: values of these types are not compared\n",
        ),
        (
            a.clone(),
            changed(&|c| c[1].1 = encoded(&["y", "x"], &[1, 0])),
            &[],
            "field name: utf8 in A, dictionary<int8, utf8> in B, which hold the same values\n",
        ),
        (
            changed(&|c| c[1].1 = LargeUtf8Array::try_from_iter(["x", "y"]).unwrap().into()),
            changed(&|c| c[1].1 = Utf8ViewArray::from_iter(["x", "z"]).into()),
            &[],
            "field name: large_utf8 in A, utf8_view in B, which hold the same values\n\
             row 1, field name: \"y\" in A, \"z\" in B\n1 of 2 rows differs\n",
        ),
        (a.clone(), changed(&|c| c.swap(0, 1)), &[], "order of columns: id, name in A, name, id in B\n"),
        (
            a.clone(),
            changed(&|c| {
                c.rotate_left(1);
                c[0].1 = texts(["x", "n"]);
            }),
            &[],
            "order of columns: id, name, zip in A, name, zip, id in B\n\
             row 1, field name: \"y\" in A, \"n\" in B\n1 of 2 rows differs\n",
        ),
        (
            a.clone(),
            with_fields(&a, |field| field.clone().required()),
            &["--columns", "id"],
            "field id: nullable in A, not null in B\n",
        ),
        (a.clone(), unit("mm"), &[], "metadata of field zip, \"unit\": \"mm\", only in B\n"),
        (unit("cm"), unit("mm"), &[], "metadata of field zip, \"unit\": \"cm\" in A, \"mm\" in B\n"),
        (unit("cm"), unit("mm"), &["--ignore-metadata"], ""),
        (unit("cm"), unit("mm"), &["--columns", "name,id"], ""),
        (
            with_metadata(&a, &[("k", "1"), ("same", ""), ("k", "2"), ("e", "\u{1b}")]),
            with_metadata(&a, &[("same", ""), ("k", "1"), ("new", "")]),
            &[],
            "metadata of the schema, \"k\": \"1\", \"2\" in A, \"1\" in B\n\
             metadata of the schema, \"e\": \"\\u001b\", only in A\nmetadata of the schema, \"new\": \"\", only in B\n",
        ),
        (with_metadata(&a, &[("a", "1"), ("b", "2")]), with_metadata(&a, &[("b", "2"), ("a", "1")]), &[], ""),
        (
            inside(DataType::Utf8),
            inside(DataType::Int8),
            &[],
            "field address.street: utf8 in A, int8 in B\nfield address: values of these types are not compared\n",
        ),
        (
            with_nested(Field::new("l", DataType::list(Field::new("item", DataType::Utf8)))),
            with_nested(Field::new(
                "l",
                DataType::list(Field::new("element", DataType::Utf8View).required()),
            )),
            &[],
            "field l.item: named \"item\" in A, \"element\" in B\nfield l.item: nullable in A, not null in B\n\
             field l.item: utf8 in A, utf8_view in B, which hold the same values\n",
        ),
        (batch(vec![]), batch(vec![("n", NullArray::new(0).into())]), &[], "field n: null, only in B\n"),
    ];
    for (a, b, args, expected) in cases {
        check(&[a], &[b], args, expected);
    }
}

/// A batch of no rows.
fn with_nested(field: Field) -> RecordBatch {
    let column = ArrayData::empty(field.data_type());
    RecordBatch::try_new(Schema::new([field]), [column]).unwrap()
}

#[test]
fn metadata_of_the_whole_is_compared() {
    let folder = temporary_folder();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let mut options = WriteOptions::default();
    write_file(&a, &[people(None)], options.clone());
    options.file_metadata = Metadata::from_iter([("writer", "1")]);
    write_stream(&b, &[people(None)], options);
    let outcome = run([Path::new("diff"), &a, &b]);
    assert_eq!(
        (outcome.status, outcome.text()),
        (1, "metadata of the whole, \"writer\": \"1\", only in B\n")
    );
    run([Path::new("diff"), &a, &b, Path::new("--ignore-metadata")]).expect(&[0]);
}

#[test]
fn golden_files_are_what_their_streams_are() {
    let mut n_pairs = 0;
    let mut different = Vec::new();
    for (case, files) in golden_cases() {
        let [stream, file] = &files[..] else { continue };
        n_pairs += 1;
        let outcome = run([Path::new("diff"), file, stream]);
        assert_eq!(outcome.stderr, "", "{}", case.display());
        if outcome.status != 0 {
            let is_of_footer =
                |line: &str| line.starts_with("metadata of the whole, ") && line.ends_with("only in A");
            assert!(outcome.text().lines().all(is_of_footer), "{}: {outcome:?}", case.display());
            different.push(case.file_name().unwrap().to_owned());
        }
        // What is rewritten here says it in both.
        let rewritten =
            run([Path::new("convert"), file, Path::new("-"), Path::new("--to"), Path::new("stream")]);
        let args = [Path::new("diff"), file, Path::new("-")];
        let again = run_with_input(args, &rewritten.expect(&[0]).stdout);
        assert_eq!((again.status, again.text(), &again.stderr[..]), (0, "", ""), "{}", case.display());
    }
    assert!(n_pairs > 100, "{n_pairs} pairs");
    // Their writers give it to the footer alone.
    different.sort();
    assert_eq!(different, ["metadata", "metadata", "metadata-footer"]);
}

#[test]
fn statuses_tell_different_from_broken() {
    const FILE: &str = "golden/pyarrow-26.0.1/integers-full.arrow";
    const BROKEN: &str = "hostile/file-batch-offsets-past.arrow_file";
    let cases: [(&[&str], i32, &str); 14] = [
        (&[FILE, FILE], 0, ""),
        (&[FILE, "golden/pyarrow-26.0.1/integers-sliced.arrow"], 1, ""),
        (&[FILE, "golden/pyarrow-26.0.1/integers-sliced.arrow", "--quiet"], 1, ""),
        (&[FILE], 2, "<B>"),
        (&["-", "-"], 2, "standard input is given 2 times"),
        (&[FILE, FILE, "--columns", "int"], 2, "similar names are: int8, int16"),
        (&[FILE, FILE, "--quiet", "--count"], 2, "--count"),
        (&[FILE, FILE, "--limit", "-1"], 2, "invalid value"),
        (&[FILE, "no/such/file"], 4, "no/such/file"),
        (&[FILE, "hostile/file-footer-v6.arrow_file"], 5, "V6"),
        (&[BROKEN, BROKEN], 6, "offset 99"),
        (&[FILE, BROKEN], 6, "offset 99"),
        (&["hostile/file-empty.arrow_file", FILE], 6, "the file is empty"),
        (&["hostile/manifest.tsv", FILE], 6, "neither an Arrow IPC file nor a stream"),
    ];
    for (args, status, words) in cases {
        let outcome = run(["diff"].iter().chain(args));
        assert_eq!(outcome.status, status, "{args:?}: {outcome:?}");
        assert!(outcome.stderr.contains(words), "{args:?}: {words} in {outcome:?}");
        assert_eq!(outcome.stderr.is_empty(), status <= 1, "{args:?}: {outcome:?}");
        assert!(status != 0 || outcome.stdout.is_empty(), "{args:?}: {outcome:?}");
    }
}

#[test]
fn differences_before_the_damage_are_said() {
    let folder = temporary_folder();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let rows = |first| batch(vec![("n", ints([first, 2]))]);
    write_stream(&a, &[rows(1), rows(1)], WriteOptions::default());
    write_stream(&b, &[rows(5), rows(1)], WriteOptions::default());
    let bytes = fs::read(&b).unwrap();
    fs::write(&b, &bytes[..bytes.len() - 40]).unwrap();
    let outcome = run([Path::new("diff"), &a, &b]);
    assert_eq!((outcome.status, outcome.text()), (6, "row 0, field n: 1 in A, 5 in B\n"));
    assert!(outcome.stderr.starts_with("error: ") && outcome.stderr.contains("hint: "), "{outcome:?}");
    // What is enough for the answer has been read before that.
    assert_eq!(run([Path::new("diff"), &a, &b, Path::new("--quiet")]).status, 1);
}

#[test]
fn either_side_may_be_standard_input() {
    const CASE: &str = "golden/pyarrow-26.0.1/many-batches";
    for suffix in ["arrow", "arrows"] {
        let name = format!("{CASE}.{suffix}");
        let bytes = fs::read(corpus().join(&name)).unwrap();
        for args in [["diff", "-", &name], ["diff", &name, "-"]] {
            let outcome = run_with_input(args, &bytes);
            assert_eq!((outcome.status, outcome.text(), &outcome.stderr[..]), (0, "", ""), "{args:?}");
        }
    }
    let behind = fs::read(corpus().join("hostile/framing-message-after-eos.stream")).unwrap();
    let outcome = run_with_input(["diff", "-", "hostile/framing-message-after-eos.stream"], &behind);
    assert_eq!(outcome.expect(&[0]).stderr.lines().filter(|line| line.contains("are not read")).count(), 2);
}

#[test]
fn whoever_closes_the_pipe_knows_that_they_differ() {
    use std::process::Stdio;
    let folder = temporary_folder();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    write_file(&a, &[batch(vec![("n", ints(0..100_000))])], WriteOptions::default());
    write_file(&b, &[batch(vec![("n", ints(1..100_001))])], WriteOptions::default());
    let mut command =
        crate::program::command([Path::new("diff"), &a, &b, Path::new("--limit"), Path::new("100000")]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0), "{output:?}");
}
