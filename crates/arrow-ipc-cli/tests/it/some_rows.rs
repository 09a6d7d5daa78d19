//! Commands with selected rows and columns use the same rows as `cat`.

use std::{fs, path::Path};

use arrow_array::{Int64Array, NullArray, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileWriter, StreamWriter, WriteOptions};
use testing_support::Hunt;

use crate::program::{Outcome, run, run_with_input, temporary_folder};

/// Three batches of ten rows, numbered from 0.
fn batches() -> Vec<RecordBatch> {
    let batch = |first: i64| {
        let ids = Int64Array::from_iter(first..first + 10).into_data();
        let names = Utf8Array::try_from_iter((first..first + 10).map(|id| format!("name {id}"))).unwrap();
        RecordBatch::try_from_columns([("id", ids), ("name", names.into_data())]).unwrap()
    };
    [0, 10, 20].map(batch).into()
}

/// A folder with `in.arrow`, `in.arrows`, `in.csv` and `in.jsonl`, which have the same rows.
fn inputs() -> tempfile::TempDir {
    let folder = temporary_folder();
    let batches = batches();
    let file = FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap();
    fs::write(folder.path().join("in.arrow"), &file).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| stream.write(batch).unwrap());
    fs::write(folder.path().join("in.arrows"), stream.finish().unwrap()).unwrap();
    for (name, format) in [("in.csv", "csv"), ("in.jsonl", "json")] {
        let text = in_folder(&folder, &["cat", "in.arrow", "--format", format]);
        fs::write(folder.path().join(name), text.expect(&[0]).text()).unwrap();
    }
    folder
}

/// Runs the program. Names of files in the arguments are in the folder.
fn in_folder(folder: &tempfile::TempDir, args: &[&str]) -> Outcome {
    let path = |arg: &&str| match arg.contains(".arrow") || arg.contains(".csv") || arg.contains(".jsonl") {
        true => folder.path().join(arg),
        false => arg.into(),
    };
    run(args.iter().map(path))
}

const WINDOWS: [(&[&str], std::ops::Range<i64>); 8] = [
    (&["--rows", "12..14"], 12..14),
    (&["--rows", "8..22"], 8..22),
    (&["--rows", "..3"], 0..3),
    (&["--rows", "25.."], 25..30),
    (&["-n", "11"], 0..11),
    (&["--offset", "20"], 20..30),
    (&["--offset", "9", "--limit", "2"], 9..11),
    (&["-n", "100"], 0..30),
];

type Matches = fn(i64) -> bool;

/// Conditions, and a function that says which rows match.
const CONDITIONS: [(&str, Matches); 9] = [
    ("id > 7.5", |id| id >= 8),
    ("id between 8 and 12", |id| (8..=12).contains(&id)),
    ("not (id >= 3 and id < 27)", |id| !(3..27).contains(&id)),
    ("name = 'name 13'", |id| id == 13),
    ("name like \"name _\"", |id| id < 10),
    ("id in (1, 11, 29, 99) or name like '%5'", |id| [1, 11, 29].contains(&id) || id % 10 == 5),
    ("id is not null", |_| true),
    ("id is null", |_| false),
    ("id > 1000", |_| false),
];

#[test]
fn conditions_select_the_same_rows_everywhere() {
    let folder = inputs();
    let windows: [(&[&str], std::ops::Range<usize>); 4] =
        [(&[], 0..99), (&["-n", "4"], 0..4), (&["--offset", "1"], 1..99), (&["--rows", "1..3"], 1..3)];
    let hunt = Hunt::from_env();
    let mut turn = 0;
    for (condition, matches) in CONDITIONS {
        let all: Vec<i64> = (0..30).filter(|id| matches(*id)).collect();
        for (window, expected) in &windows {
            // Windows are tested with the two conditions that many rows match.
            if !window.is_empty() && all.len() < 15 {
                continue;
            }
            let found = &all[expected.start..expected.end.min(all.len())];
            let numbers: String = found.iter().map(|id| format!("{id}\n")).collect();
            let n_rows = format!("\"n_rows\":{},", found.len());
            let with = |args: &[&str]| in_folder(&folder, &[args, *window, &["--where", condition]].concat());
            let rows = |name: &str| {
                in_folder(&folder, &["cat", name, "--columns", "id", "--format", "csv", "--no-header"])
            };
            // A short run uses one of four inputs, and one container, in turn.
            turn += 1;
            for &input in hunt.some_of(&["in.arrow", "in.csv", "in.arrows", "in.jsonl"], 1, turn) {
                let context = format!("{input} {window:?} {condition}");
                let shown = with(&["cat", input, "--columns", "id", "--format", "csv", "--no-header"]);
                assert_eq!(shown.expect(&[0]).text(), numbers, "{context}");
                with(&["convert", input, "-o", "out.arrow", "--batch-rows", "7"]).expect(&[0]);
                assert_eq!(rows("out.arrow").text(), numbers, "convert {context}");
                // The column of the condition need not be in the output.
                with(&["convert", input, "-o", "out.arrows", "--columns", "id", "--rename", "id=n"])
                    .expect(&[0]);
                let written = in_folder(&folder, &["cat", "out.arrows", "--format", "csv", "--no-header"]);
                assert_eq!(written.text(), numbers, "convert {context}");
                let described = with(&["stats", input, "--columns", "name", "--json"]);
                assert!(described.expect(&[0]).text().contains(&n_rows), "stats {context}");
                if window.is_empty() {
                    let csv = ["--columns", "id", "--format", "csv", "--no-header"];
                    let last = with(&[&["tail", input, "-n", "7"], &csv[..]].concat());
                    let expected = numbers.split_inclusive('\n').skip(found.len().saturating_sub(7));
                    assert_eq!(last.expect(&[0]).text(), expected.collect::<String>(), "tail {context}");
                    let some = with(&[&["sample", input, "-n", "30"], &csv[..]].concat());
                    assert_eq!(some.expect(&[0]).text(), numbers, "sample {context}");
                    let counted = with(&["count", input]);
                    assert_eq!(counted.expect(&[0]).text(), format!("{}\n", found.len()), "count {context}");
                }
            }
            for &input in hunt.some_of(&["in.arrow", "in.arrows"], 1, turn) {
                let context = format!("{input} {window:?} {condition}");
                with(&["concat", input, "-o", "out.arrow"]).expect(&[0]);
                assert_eq!(rows("out.arrow").text(), numbers, "concat {context}");
                with(&["split", input, "-o", "out.arrow"]).expect(&[0]);
                assert_eq!(rows("out.arrow").text(), numbers, "split {context}");
                fs::copy(folder.path().join("in.arrow"), folder.path().join("to.arrow")).unwrap();
                with(&["append", "to.arrow", input]).expect(&[0]);
                let appended = rows("to.arrow");
                let appended = appended.text();
                assert_eq!(
                    appended.lines().skip(30).map(|line| format!("{line}\n")).collect::<String>(),
                    numbers,
                    "append {context}"
                );
                let bytes = fs::read(folder.path().join(input)).unwrap();
                let piped = [
                    &["cat", "-", "--columns", "id", "--format", "csv", "--no-header"],
                    *window,
                    &["--where", condition],
                ];
                let shown = run_with_input(piped.concat(), &bytes);
                assert_eq!(shown.expect(&[0]).text(), numbers, "pipe {context}");
            }
        }
    }
}

/// Matching rows keep their numbers. Metadata of batches without matching rows is lost.
#[test]
fn matching_rows_keep_their_numbers() {
    let folder = inputs();
    let shown = in_folder(
        &folder,
        &["cat", "in.arrow", "in.arrows", "--where", "id = 12", "--vertical", "--columns", "id"],
    );
    assert_eq!(shown.expect(&[0]).text(), "row 12\n  id  12\n\nrow 42\n  id  12\n\n(2 of 60 rows)\n");
    in_folder(&folder, &["convert", "in.arrow", "out.arrow", "--where", "id = 12"]).expect(&[0]);
    let counted = in_folder(&folder, &["count", "out.arrow", "--json"]);
    assert!(counted.text().contains("\"n_batches\":1"), "{}", counted.text());
}

/// Row numbers count over all inputs, and matching rows are the same for all containers.
#[test]
fn saved_matches_are_rows_of_all_inputs() {
    let folder = inputs();
    let with = |args: &[&str]| {
        let shown = [args, &["--where", "id in (3, 12, 25)", "--vertical", "--columns", "name"]].concat();
        in_folder(&folder, &shown).expect(&[0]).text().to_owned()
    };
    let row = |number: u64, id: u64| format!("row {number}\n  name  name {id}\n\n");
    let inputs = ["in.arrow", "in.arrows", "in.csv"];
    let last = with(&[&["tail", "-n", "4"], &inputs[..]].concat());
    let expected = row(55, 25) + &row(63, 3) + &row(72, 12) + &row(85, 25);
    assert_eq!(last, format!("{expected}(4 of 90 rows)\n"));
    let all = with(&[&["sample", "-n", "9"], &inputs[..]].concat());
    let expected: String =
        (0..9).map(|at| (at / 3 * 30, [3, 12, 25][at as usize % 3])).map(|(n, id)| row(n + id, id)).collect();
    assert_eq!(all, format!("{expected}(9 of 90 rows)\n"));
    let some = |inputs: &[&str]| with(&[&["sample", "-n", "2", "--seed", "5"], inputs].concat());
    assert_eq!(some(&["in.arrow"]), some(&["in.arrows"]));
}

/// `diff` compares matching rows in their order.
#[test]
fn diff_compares_rows_that_match() {
    let folder = inputs();
    in_folder(&folder, &["convert", "in.arrow", "even.arrows", "--where", "not id in (4, 14, 24)"])
        .expect(&[0]);
    let cases: [(&[&str], i32, &str); 7] = [
        (&["--where", "id < 4"], 0, ""),
        // A condition may begin with a hyphen, like an option.
        (&["--where", "-1 < id and id < 4"], 0, ""),
        (&["--where", "id = 4"], 1, "A has 1 more row"),
        (&["--where", "id < 6"], 1, "row 4: 1 row, only in A"),
        (&["--where", "id < 6", "--rows", "..4"], 0, ""),
        (&["--where", "id > 24", "--rows", "1..3"], 0, ""),
        // There are 5 matches in each.
        (&["--where", "id > 24", "--rows", "7.."], 0, ""),
    ];
    for (args, status, text) in cases {
        for (a, b) in [("in.arrow", "even.arrows"), ("in.csv", "even.arrows")] {
            let columns = if a == "in.csv" { &["--ignore-metadata"][..] } else { &[] };
            let outcome = in_folder(&folder, &[&["diff", a, b], args, columns].concat());
            let outcome = outcome.expect(&[status]);
            let output = format!("{}{}", outcome.text(), outcome.stderr);
            assert!(output.contains(text), "{a} {args:?}: {output}");
        }
    }
}

/// Reading stops after the last needed match.
#[test]
fn what_follows_enough_matches_is_not_read() {
    let folder = inputs();
    let stream = fs::read(folder.path().join("in.arrows")).unwrap();
    fs::write(folder.path().join("cut.arrows"), &stream[..stream.len() - 60]).unwrap();
    for args in
        [&["cat", "cut.arrows"][..], &["stats", "cut.arrows"], &["convert", "cut.arrows", "-o", "out.arrows"]]
    {
        let with = |n_rows: &str| in_folder(&folder, &[args, &["--where", "id < 3", "-n", n_rows]].concat());
        with("3").expect(&[0]);
        // To find a fourth match, the whole input is read.
        with("4").expect(&[1]);
    }
}

#[test]
fn conditions_that_do_not_fit_are_usage_errors() {
    let folder = inputs();
    let cases = [
        ("id >< 5", "\n    id >< 5\n        ^\n"),
        ("idd = 5", "did you mean id?"),
        ("id = 'x'", "in column id: not a value of int64: expected an integer"),
        ("id like 'x'", "in column id: the type int64 does not support `like` and `contains`; expected text"),
        ("id = null", "expected `is null`"),
        ("", "expected a column"),
    ];
    for (condition, expected) in cases {
        for command in [&["cat", "in.arrow"][..], &["count", "in.arrows"], &["convert", "in.csv", "no.arrow"]]
        {
            let outcome = in_folder(&folder, &[command, &["--where", condition]].concat());
            let errors = &outcome.expect(&[2]).stderr;
            assert!(errors.contains(expected), "{command:?} {condition}: {errors}");
        }
    }
    assert!(!folder.path().join("no.arrow").exists());
}

/// Nobody knows the number of matches before, so a range of them may begin after the last one.
#[test]
fn ranges_of_matches_may_be_empty() {
    let folder = inputs();
    let commands: [&[&str]; 6] = [
        &["cat", "in.arrow"],
        &["cat", "in.csv"],
        &["stats", "in.arrow"],
        &["convert", "in.arrows", "-o", "out.arrow"],
        &["concat", "in.arrow", "in.arrow", "-o", "out.arrow"],
        &["split", "in.arrow", "-o", "out.arrow"],
    ];
    for command in commands {
        let with = |args: &[&str]| in_folder(&folder, &[command, args].concat());
        with(&["--where", "id > 27", "--rows", "5..6"]).expect(&[0]);
        with(&["--where", "id > 99", "--rows", "1.."]).expect(&[0]);
        assert!(with(&["--rows", "99.."]).expect(&[2]).stderr.contains("no row 99"), "{command:?}");
    }
}

#[test]
fn commands_that_write_take_the_rows_that_cat_shows() {
    let folder = inputs();
    for (window, expected) in WINDOWS {
        let with = |args: &[&str]| in_folder(&folder, &[args, window].concat());
        let rows = |name: &str| {
            in_folder(&folder, &["cat", name, "--columns", "id", "--format", "csv", "--no-header"])
        };
        let numbers: String = expected.clone().map(|id| format!("{id}\n")).collect();
        let shown = with(&["cat", "in.arrow", "--columns", "id", "--format", "csv", "--no-header"]);
        assert_eq!(shown.expect(&[0]).text(), numbers, "{window:?}");
        for input in ["in.arrow", "in.arrows", "in.csv", "in.jsonl"] {
            with(&["convert", input, "-o", "out.arrow"]).expect(&[0]);
            assert_eq!(rows("out.arrow").text(), numbers, "convert {input} {window:?}");
        }
        with(&["convert", "in.arrow", "-o", "out.arrow", "--batch-rows", "4", "--dictionaries", "delta"])
            .expect(&[0]);
        assert_eq!(rows("out.arrow").text(), numbers, "{window:?}");
        for input in ["in.arrow", "in.arrows"] {
            with(&["split", input, "-o", "out.arrow"]).expect(&[0]);
            assert_eq!(rows("out.arrow").text(), numbers, "split {input} {window:?}");
            with(&["append", "in.arrow", input, "--to", "out.arrow"]).expect(&[0]);
            let all: String = (0..30).map(|id| format!("{id}\n")).collect();
            assert_eq!(rows("out.arrow").text(), all + &numbers, "append {input} {window:?}");
        }
        // Numbers count over all inputs.
        let both =
            with(&["cat", "in.arrow", "in.arrows", "--columns", "id", "--format", "csv", "--no-header"]);
        for command in [
            &["concat", "in.arrow", "in.arrows", "-o", "out.arrow"][..],
            &["append", "out.arrow", "in.arrow", "in.arrows"],
        ] {
            if command[0] == "append" {
                in_folder(&folder, &["convert", "in.arrow", "-o", "out.arrow", "-n", "0"]).expect(&[0]);
            }
            with(command).expect(&[0]);
            assert_eq!(rows("out.arrow").text(), both.text(), "{command:?} {window:?}");
        }
        for input in ["in.arrow", "in.arrows"] {
            let stats = with(&["stats", "--json", input]);
            let words = [
                format!("\"n_rows\":{}", expected.end - expected.start),
                format!("\"min\":{}", expected.start),
                format!("\"max\":{}", expected.end - 1),
            ];
            let text = stats.expect(&[0]).text();
            assert!(words.iter().all(|words| text.contains(words)), "{input} {window:?}: {text}");
        }
    }
    let head = in_folder(&folder, &["head", "in.arrow", "--offset", "9", "-n", "2", "--format", "csv"]);
    assert_eq!(head.expect(&[0]).text(), "id,name\n9,name 9\n10,name 10\n");
}

#[test]
fn rows_that_are_not_there_are_no_output() {
    let folder = inputs();
    let before = fs::read(folder.path().join("in.arrow")).unwrap();
    for input in ["in.arrow", "in.arrows", "in.csv"] {
        for command in ["convert", "split", "concat"] {
            if input == "in.csv" && command != "convert" {
                continue;
            }
            let outcome = in_folder(&folder, &[command, input, "out.arrow", "--rows", "30..31"]);
            let words = "no row 30: there are 30 rows, counted from 0";
            assert!(outcome.expect(&[2]).stderr.contains(words), "{command} {input}: {outcome:?}");
            assert!(!folder.path().join("out.arrow").exists());
        }
    }
    for args in [
        &["append", "in.arrow", "in.arrows", "--offset", "31"][..],
        &["stats", "in.arrow", "--offset", "30"],
        &["stats", "--json", "in.arrows", "--rows", "31.."],
        &["diff", "in.arrow", "in.arrows", "--quiet", "--rows", "30.."],
    ] {
        let outcome = in_folder(&folder, args);
        assert!(
            outcome.expect(&[2]).stderr.contains("there are 30 rows, counted from 0"),
            "{args:?}: {outcome:?}"
        );
        assert!(outcome.stdout.is_empty(), "{args:?}: {outcome:?}");
    }
    assert_eq!(fs::read(folder.path().join("in.arrow")).unwrap(), before);
}

/// The last batch has invalid UTF-8.
#[test]
fn what_follows_the_rows_is_not_read() {
    let folder = inputs();
    for name in ["in.arrow", "in.arrows"] {
        let path = folder.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes.windows(7).rposition(|bytes| bytes == b"name 25").unwrap();
        bytes[at] = 0xff;
        fs::write(&path, bytes).unwrap();
        for (args, broken) in [
            (&["convert", name, "-o", "out.arrow"][..], 1),
            (&["stats", name], 1),
            (&["diff", name, "in.arrow"], 6),
            (&["append", "in.arrow", name, "--to", "out.arrow"], 1),
            (&["validate", name], 1),
        ] {
            in_folder(&folder, args).expect(&[broken]);
            if args[0] == "validate" {
                in_folder(&folder, &[args, &["--columns", "id"]].concat()).expect(&[0]);
                in_folder(&folder, &[args, &["--columns", "name"]].concat()).expect(&[1]);
                continue;
            }
            in_folder(&folder, &[args, &["--rows", "3..20"]].concat()).expect(&[0]);
            in_folder(&folder, &[args, &["--rows", "3..26"]].concat()).expect(&[broken]);
        }
    }
}

/// Rows in previous inputs count, also before a file from a pipe, which is read twice.
#[test]
fn rows_are_counted_over_files_and_pipes() {
    let folder = inputs();
    let file = fs::read(folder.path().join("in.arrow")).unwrap();
    let path = folder.path().join("in.arrow");
    let args = ["cat", "--rows", "150..160", path.to_str().unwrap(), "-"];
    let piped = run_with_input(args, &file);
    let named = in_folder(&folder, &["cat", "--rows", "150..160", "in.arrow", "in.arrow"]);
    assert!(named.expect(&[2]).stderr.contains("no row 150: there are 60 rows"), "{named:?}");
    assert!(piped.expect(&[2]).stderr.contains("no row 150: there are 60 rows"), "{piped:?}");
}

/// A truncated input shows no rows, from a file or a pipe.
#[test]
fn rows_of_inputs_that_fail_are_not_shown() {
    let folder = inputs();
    let stream = fs::read(folder.path().join("in.arrows")).unwrap();
    let cut = &stream[..stream.len() * 4 / 5];
    fs::write(folder.path().join("cut.arrows"), cut).unwrap();
    let whole = folder.path().join("in.arrow");
    let whole = whole.to_str().unwrap();
    for command in [&["tail", "-n", "25"][..], &["sample", "-n", "25", "--seed", "1"]] {
        for names in [["-", whole], [whole, "-"]] {
            let piped = run_with_input([command, &names].concat(), cut);
            let named = names.map(|name| if name == "-" { "cut.arrows" } else { "in.arrow" });
            let named = in_folder(&folder, &[command, &named].concat());
            assert_eq!(piped.expect(&[1]).text(), named.expect(&[1]).text(), "{names:?}");
            assert_eq!(named.text().lines().count(), 25);
        }
    }
}

#[test]
fn diff_compares_some_rows_and_numbers_them_in_the_inputs() {
    let folder = inputs();
    let mut other = batches();
    let names = Utf8Array::try_from_iter((20..30).map(|id| format!("name {}", id % 25))).unwrap();
    let columns = [("id", other[2].column_at(0).unwrap().clone()), ("name", names.into_data())];
    other[2] = RecordBatch::try_from_columns(columns).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), other[0].schema()).unwrap();
    other.iter().for_each(|batch| stream.write(batch).unwrap());
    fs::write(folder.path().join("other.arrows"), stream.finish().unwrap()).unwrap();
    let cases = [
        ("0..25", 0, "equal: 25 rows"),
        ("24..26", 1, "row 25, field name: \"name 25\" in A, \"name 0\" in B"),
        ("29..40", 1, "row 29, field name"),
        ("30..", 2, ""),
        ("40..50", 2, ""),
        ("30..30", 0, "equal: 0 rows"),
    ];
    for (rows, status, words) in cases {
        for input in ["in.arrow", "in.arrows"] {
            let outcome = in_folder(&folder, &["diff", input, "other.arrows", "--rows", rows]);
            assert!(outcome.expect(&[status]).text().contains(words), "{rows}: {outcome:?}");
        }
    }
}

#[test]
fn columns_are_those_of_every_command() {
    let folder = inputs();
    let schema = in_folder(&folder, &["schema", "in.arrow", "--columns", "name"]);
    assert!(schema.expect(&[0]).text().ends_with("\nname: utf8\n"), "{schema:?}");
    fs::write(folder.path().join("of.schema"), schema.text()).unwrap();
    let json = in_folder(&folder, &["schema", "in.arrow", "--json", "--columns", "*"]);
    assert_eq!(json.text(), in_folder(&folder, &["schema", "in.arrow", "--json"]).text());
    let inferred = in_folder(&folder, &["schema", "--infer", "in.csv", "--columns", "name"]);
    assert_eq!(inferred.expect(&[0]).text(), "name: utf8\n");
    // `convert` can read the printed text.
    let names = in_folder(&folder, &["cat", "in.arrow", "--columns", "name", "--format", "csv"]);
    let given = folder.path().join("of.schema");
    let out = folder.path().join("names.arrow");
    let args = ["convert", "--from", "csv", "-"].map(Path::new).into_iter();
    run_with_input(args.chain([&*out, Path::new("--schema"), &given]), &names.stdout).expect(&[0]);
    let buffers = in_folder(&folder, &["inspect", "in.arrow", "--columns", "name"]);
    let paths =
        |outcome: &Outcome, path: &str| outcome.text().lines().filter(|line| line.ends_with(path)).count();
    assert_eq!((paths(&buffers, "  id"), paths(&buffers, "  name")), (0, 9), "{buffers:?}");
    let explained = in_folder(&folder, &["explain", "in.arrow", "--columns", "id"]);
    assert!(explained.expect(&[0]).text().contains("  id: int64") && !explained.text().contains("  name: "));
    for command in ["schema", "validate", "inspect", "explain", "stats"] {
        let missing = in_folder(&folder, &[command, "in.arrow", "--columns", "nam"]);
        assert!(missing.expect(&[2]).stderr.contains("\"nam\""), "{missing:?}");
    }
}

/// A few bytes can decompress to any length. The rows that `tail` and `sample` store from a pipe are limited by the
/// bytes that were read; rows that they have dropped do not count.
#[test]
fn rows_that_are_held_of_a_pipe_have_a_bound() {
    let text = Utf8Array::try_from_iter(["a".repeat(24 << 20)]).unwrap();
    let batch = RecordBatch::try_from_columns([("text", text.into_data())]).unwrap();
    let options = WriteOptions::new().with_compression(Compression::zstd());
    let stream = StreamWriter::write_to_vec_with(batch.schema(), &vec![batch.clone(); 12], options).unwrap();
    for command in ["tail", "sample"] {
        let refused = run_with_input([command, "-n", "12", "--format", "csv", "-"], &stream);
        refused.expect(&[5]);
        for part in ["the rows to keep take 276,8", "268,435,456 are allowed", "-n N of `tail` and `sample`"]
        {
            assert!(refused.stderr.contains(part), "{command}: {}", refused.stderr);
        }
        let shown = run_with_input([command, "-n", "2", "--format", "csv", "-"], &stream);
        shown.expect(&[0]);
        assert_eq!(shown.stdout.len(), 2 * ((24 << 20) + 2) + 7, "{command}");
    }
}

/// A range may end after the last row, also in a file from a pipe.
#[test]
fn ranges_may_end_after_the_last_row_of_a_file_in_a_pipe() {
    let folder = inputs();
    let bytes = fs::read(folder.path().join("in.arrow")).unwrap();
    let n_rows: u64 = batches().iter().map(|batch| batch.n_rows() as u64).sum();
    for (first, end) in [(n_rows - 2, n_rows + 5), (0, n_rows + 1), (n_rows - 1, n_rows)] {
        let rows = format!("{first}..{end}");
        let from_file = in_folder(&folder, &["cat", "in.arrow", "--rows", &rows]);
        let piped = run_with_input(["cat", "-", "--rows", &rows], &bytes);
        from_file.expect(&[0]);
        assert_eq!(piped.expect(&[0]).text(), from_file.text(), "{rows}");
    }
    let rows = format!("{n_rows}..");
    run_with_input(["cat", "-", "--rows", &rows], &bytes).expect(&[2]);
}

/// A file of a few bytes declares 2⁴⁰ rows.
#[test]
fn conditions_on_rows_without_bytes_are_refused() {
    let folder = temporary_folder();
    let nulls = NullArray::new(1 << 40).into_data();
    let batch = RecordBatch::try_from_columns([("n", nulls)]).unwrap();
    let file = FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    fs::write(folder.path().join("in.arrow"), &file).unwrap();
    for args in [&["count", "in.arrow"][..], &["stats", "in.arrow"], &["convert", "in.arrow", "out.arrows"]] {
        let outcome = in_folder(&folder, &[args, &["--where", "n is not null"]].concat());
        assert!(outcome.expect(&[5]).stderr.contains("268435456"), "{args:?} {}", outcome.stderr);
    }
}

/// Rows of a stream by its index are those without it, and an index of something else is refused.
#[test]
fn an_index_finds_the_same_rows() {
    let folder = inputs();
    let index = folder.path().join("index.arrow");
    in_folder(&folder, &["index", "in.arrows", "index.arrow"]).expect(&[0]);
    let n_messages = in_folder(&folder, &["count", "index.arrow"]);
    assert_eq!(n_messages.expect(&[0]).text(), "4\n");
    let commands: [&[&str]; 5] = [
        &["cat", "in.arrows", "--rows", "12..22"],
        &["cat", "in.arrows"],
        &["head", "in.arrows", "-n", "3"],
        &["tail", "in.arrows", "-n", "11"],
        &["sample", "in.arrows", "-n", "5", "--seed", "7"],
    ];
    for command in commands {
        let without = in_folder(&folder, command);
        let with = in_folder(&folder, &[command, &["--index", "index.arrow"]].concat());
        assert_eq!(with.expect(&[0]).text(), without.expect(&[0]).text(), "{command:?}");
    }
    // Another stream, a file, and what is no index.
    let other = folder.path().join("other.arrows");
    let batches = &batches()[..1];
    fs::write(&other, StreamWriter::write_to_buffer(batches[0].schema(), batches).unwrap()).unwrap();
    let refused = in_folder(&folder, &["tail", "other.arrows", "--index", "index.arrow"]);
    assert!(refused.expect(&[1]).stderr.contains("the index does not fit the stream"), "{refused:?}");
    let refused = in_folder(&folder, &["tail", "in.arrows", "--index", "in.arrow"]);
    assert!(refused.expect(&[1]).stderr.contains("not an index"), "{refused:?}");
    let advice = "hint: `arrow-ipc index STREAM INDEX` writes the index of a stream\n";
    assert!(refused.stderr.ends_with(advice), "{refused:?}");
    let refused = in_folder(&folder, &["index", "in.arrow", "other-index.arrow"]);
    assert!(refused.expect(&[1]).stderr.contains("expected an Arrow IPC stream"), "{refused:?}");
    let refused = in_folder(&folder, &["cat", "in.arrows", "other.arrows", "--index", "index.arrow"]);
    assert_eq!(refused.expect(&[2]).stderr, "error: --index needs one FILE\n");
    let refused = in_folder(&folder, &["tail", "in.arrow", "--index", "index.arrow"]);
    assert!(refused.expect(&[2]).stderr.contains("--index needs a stream"), "{refused:?}");
    // A stream that was cut has no index.
    let cut = fs::read(folder.path().join("in.arrows")).unwrap();
    fs::write(folder.path().join("cut.arrows"), &cut[..cut.len() - 100]).unwrap();
    let refused = in_folder(&folder, &["index", "cut.arrows", "cut-index.arrow"]);
    assert!(refused.expect(&[1]).stderr.contains("truncated"), "{refused:?}");
    assert!(index.exists() && !folder.path().join("cut-index.arrow").exists());
    // The rows of a second stream would be missing. Zeros are not data.
    let whole = fs::read(folder.path().join("in.arrows")).unwrap();
    for (more, status) in [(&whole[..], 1), (b"no stream", 1), (&[0; 8][..], 0)] {
        fs::write(folder.path().join("two.arrows"), [&whole[..], more].concat()).unwrap();
        let indexed = in_folder(&folder, &["index", "two.arrows", "two-index.arrow"]);
        indexed.expect(&[status]);
        let text =
            format!("the stream ends at byte {}, but the input has {} more bytes", whole.len(), more.len());
        assert_eq!(indexed.stderr.contains(&text), status == 1, "{indexed:?}");
    }
}
