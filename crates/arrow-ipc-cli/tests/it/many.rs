//! Commands with several inputs.

use std::{fs, path::Path};

use crate::program::{corpus, run, run_with_input};

const A: &str = "golden/pyarrow-26.0.1/integers-full.arrow";
const B: &str = "golden/pyarrow-26.0.1/integers-nulls.arrows";
const OTHER: &str = "golden/pyarrow-26.0.1/structs-full.arrow";

#[test]
fn rows_of_several_inputs_follow_each_other() {
    let [a, b] = [A, B].map(|name| run(["cat", name]).expect(&[0]).text().to_owned());
    let both = a.clone() + &b;
    assert_eq!(run(["cat", A, B]).expect(&[0]).text(), both);
    let pipe = fs::read(corpus().join(B)).unwrap();
    assert_eq!(run_with_input(["cat", A, "-"], &pipe).expect(&[0]).text(), both);
    let n_first = a.lines().count();
    let lines: Vec<&str> = both.lines().collect();
    for (start, end) in [(0, 1), (n_first - 1, n_first + 1), (n_first, n_first + 2), (n_first + 1, 1000)] {
        let some = run(["cat", A, B, "--rows", &format!("{start}..{end}")]);
        let expected = &lines[start..end.min(lines.len())];
        assert!(some.expect(&[0]).text().lines().eq(expected.iter().copied()), "{start}..{end}: {some:?}");
        let (offset, limit) = (start.to_string(), (end - start).to_string());
        assert_eq!(run(["cat", A, B, "--offset", &offset, "-n", &limit]).text(), some.text());
    }
    // Inputs after the last selected row are not opened, but have to be there.
    run(["cat", A, "README.md", "-n", "1"]).expect(&[0]);
    run(["cat", A, "no/such/file", "-n", "1"]).expect(&[4]);
    // A table has a single head.
    let table = run(["cat", "--format", "table", A, B]);
    assert_eq!(table.expect(&[0]).text().lines().count(), lines.len() + 3);
    let csv = run(["cat", "--format", "csv", A, B]);
    assert_eq!(csv.expect(&[0]).text().lines().count(), lines.len() + 1);
}

/// The other inputs are processed. The message names the damaged file, and the status reports it.
#[test]
fn one_broken_file_among_several_is_named() {
    let commands: [(&[&str], &str); 10] = [
        (&["inspect"], "integers-nulls.arrows:\nan Arrow IPC stream of "),
        (&["inspect", "--json"], "\"input\":\"golden/pyarrow-26.0.1/integers-nulls.arrows\"}\n"),
        (&["explain"], "\n\ngolden/pyarrow-26.0.1/integers-nulls.arrows is an Arrow stream"),
        (
            &["explain", "--json"],
            "{\"input\":\"golden/pyarrow-26.0.1/integers-nulls.arrows\",\"container\":\"stream\"",
        ),
        (&["cat"], "{\"int8\""),
        (&["count"], "  total\n"),
        (&["count", "--json"], "\"input\":null,"),
        (&["schema"], " bytes\nint8: int8\n"),
        (&["validate", "-v"], "integers-nulls.arrows: ok: "),
        (&["validate", "--json", "--threads", "2"], "\"valid\":true"),
    ];
    for (command, last) in commands {
        let with = |middle: &str| run(command.iter().copied().chain([A, middle, B]));
        type StatusOf = fn(&str) -> i32;
        let cases: [(&str, StatusOf); 4] = [
            ("no/such/file", |_| 4),
            ("hostile/utf8-invalid.stream", |command| match command {
                "validate" => 1,
                // This input has other columns.
                "cat" => 5,
                _ => 0,
            }),
            ("hostile/file-cut-40.arrow_file", |_| 1),
            ("tensors/pyarrow-26.0.1/dense-int32.tensor", |command| match command {
                "cat" | "count" => 5,
                _ => 0,
            }),
        ];
        for (middle, status_of) in cases {
            let outcome = with(middle);
            let status = status_of(command[0]);
            assert_eq!(outcome.status, status, "{command:?} {middle}: {outcome:?}");
            assert_eq!(status != 0, outcome.stderr.contains(&format!("error: {middle}: ")), "{outcome:?}");
            assert!(outcome.text().contains(last), "{command:?} {middle}: {outcome:?}");
        }
    }
    let refused = run(["cat", A, OTHER, B]);
    assert!(refused.expect(&[5]).stderr.contains("has other columns than golden"), "{refused:?}");
    assert_eq!(refused.text(), run(["cat", A, B]).text());
}

/// With several inputs, each output follows the name of its input.
#[test]
fn inputs_are_inspected_and_explained_one_after_the_other() {
    let text = |args: &[&str]| run(args).expect(&[0]).text().to_owned();
    for command in ["inspect", "explain"] {
        let [a, b] = [A, B].map(|file| text(&[command, file]));
        let expected = match command {
            "inspect" => format!("{A}:\n{a}\n{B}:\n{b}"),
            _ => format!("{a}\n{b}"),
        };
        assert_eq!(text(&[command, A, B]), expected);
        let [a, b] = [A, B].map(|file| text(&[command, "--json", file]));
        let named = text(&[command, "--json", A, B]);
        let names = [A, B].map(|file| format!("\"input\":\"{file}\""));
        assert!(names.iter().all(|name| named.matches(name).count() == 1), "{named}");
        let [first, second] = names.map(|name| [format!("{name},"), format!(",{name}")]);
        let unnamed = [first, second].concat().iter().fold(named, |text, name| text.replace(name, ""));
        assert_eq!(unnamed, a + &b);
    }
}

/// The schema names the program that the metadata indicates, or none.
#[test]
fn schemas_name_their_writer() {
    let folder = crate::program::temporary_folder();
    let path = folder.path().join("a.arrow");
    let writer = |key: &str| {
        let schema = format!("id: int64\n\nmetadata of the schema:\n  \"{key}\": \"{{}}\"\n");
        let schema: arrow_schema::Schema = schema.parse().unwrap();
        arrow_ipc::FileWriter::create(&path, schema).unwrap().finish().unwrap();
        let outcome = run([Path::new("schema"), &path]);
        let line = outcome.expect(&[0]).text().lines().next().unwrap().to_owned();
        line.split_once(", metadata names ").map(|(_, writer)| writer.to_owned())
    };
    assert_eq!(writer("pandas").as_deref(), Some("pandas, through pyarrow"));
    assert_eq!(writer("r").as_deref(), Some("the arrow package of R"));
    assert_eq!(writer("writer"), None);
    let polars = run(["schema", "golden/polars-2.1.0/categories-full.arrow"]);
    assert!(polars.text().lines().next().unwrap().ends_with(", metadata names polars"), "{polars:?}");
}

#[test]
fn columns_are_chosen_by_patterns() {
    let of = |columns: &str| {
        let rows = run([Path::new("cat"), Path::new(A), Path::new("--columns"), Path::new(columns)]);
        let line = rows.expect(&[0]).text().lines().next().unwrap().to_owned();
        let row: serde_json::Value = serde_json::from_str(&line).unwrap();
        row.as_object().unwrap().keys().cloned().collect::<Vec<String>>().join(",")
    };
    assert_eq!(of("*"), "int8,int16,int32,int64,uint8,uint16,uint32,uint64,required");
    assert_eq!(of("uint8,*"), "uint8,int8,int16,int32,int64,uint16,uint32,uint64,required");
    assert_eq!(of("*64,u*"), "int64,uint64,uint8,uint16,uint32");
    let same = run(["diff", A, A, "--columns", "u*"]);
    assert_eq!(same.expect(&[0]).differences(), "");
    // In quotes, a star has no special meaning.
    run(["cat", A, "--columns", "\"*\""]).expect(&[2]);
    // `*` includes columns of unknown types.
    let unknown = "golden/pyarrow-26.0.1/every-type-one-row.arrow";
    assert_eq!(run(["cat", unknown, "--columns", "*"]).text(), run(["cat", unknown]).text());
}

#[test]
fn threads_change_nothing_that_is_said() {
    let files = testing_support::files_below(&corpus().join("hostile"), ".arrow_file");
    let files: Vec<String> = files.iter().step_by(9).map(|path| path.display().to_string()).collect();
    let with = |n_threads: &'static str| {
        let args = ["validate", "--json", "--threads", n_threads].map(str::to_owned);
        run(args.into_iter().chain(files.clone()))
    };
    let one = with("1");
    assert!(files.len() > 5 && one.text().lines().count() == files.len(), "{one:?}");
    assert_eq!(with("3"), one);
    for (line, file) in one.text().lines().zip(&files) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["input"], **file);
    }
}
