//! Metadata of schemas and columns that options set and remove.

use std::{fs, path::Path};

use crate::program::{Outcome, command, finish, temporary_folder};

fn run_in(folder: &Path, args: &[&str], input: &[u8]) -> Outcome {
    finish(command(args).current_dir(folder), input)
}

const ROWS: &str = "{\"id\":1,\"place\":{\"h\":1.5,\"x:y\":\"a\"},\"tags\":[1],\"a:b\":\"x\"}\n\
                    {\"id\":2,\"place\":{\"h\":2.5,\"x:y\":\"b\"},\"tags\":[],\"a:b\":\"y\"}\n";

const CHANGES: [&str; 18] = [
    "--set-metadata",
    "source=sensor=7",
    "--set-metadata",
    "\"a=b\"=",
    "--set-column-metadata",
    "id:ARROW:extension:name=shop.id",
    "--set-column-metadata",
    "place.h:unit=m",
    "--set-column-metadata",
    "place.\"x:y\":k=v",
    "--set-column-metadata",
    "tags.item:k=w",
    "--set-column-metadata",
    "\"a:b\":\"k=1\"=v:1=2",
    "--set-column-metadata",
    "\"a:b\":gone=x",
    "--set-metadata",
    "gone=y",
];

const ROW_COUNTS: &str =
    "\nmetadata of the whole:\n  \"__POLARS_IPC_METADATA\": \"{\\\"record_batch_cum_len\\\":[2]}\"\n";

const CHANGED: &str = "
metadata of the schema:
  \"source\": \"sensor=7\"
  \"a=b\": \"\"

metadata of field id:
  \"ARROW:extension:name\": \"shop.id\"

metadata of field place.h:
  \"unit\": \"m\"

metadata of field place.x:y:
  \"k\": \"v\"

metadata of field tags.item:
  \"k\": \"w\"

metadata of field a:b:
  \"k=1\": \"v:1=2\"
";

/// The text of `schema` from the first empty line on.
fn metadata(folder: &Path, file: &str) -> String {
    let shown = run_in(folder, &["schema", file], b"");
    let text = shown.expect(&[0]).text();
    text.find("\n\n").map(|start| text[start + 1..].to_owned()).unwrap_or_default()
}

#[test]
fn metadata_is_set_and_removed_however_rows_are_written() {
    let folder = temporary_folder();
    let folder = folder.path();
    fs::write(folder.join("rows.jsonl"), ROWS).unwrap();
    for out in ["rows.arrow", "rows.arrows"] {
        run_in(folder, &["convert", "rows.jsonl", out], b"").expect(&[0]);
    }
    let stream = fs::read(folder.join("rows.arrows")).unwrap();
    let remove = ["--remove-metadata", "gone", "--remove-column-metadata", "\"a:b\":gone"];
    // Messages are copied, decoded, cast, divided and joined; from files, streams, pipes and text.
    let cases: &[(&[&str], u64)] = &[
        (&["convert", "rows.arrow"], 2),
        (&["convert", "rows.arrows"], 2),
        (&["convert", "rows.arrow", "--unchecked"], 2),
        (&["convert", "rows.arrow", "--compression", "lz4"], 2),
        (&["convert", "rows.arrow", "--batch-rows", "1"], 2),
        (&["convert", "rows.arrow", "--statistics"], 2),
        (&["convert", "rows.arrow", "--rows", "0..1"], 1),
        (&["convert", "rows.arrow", "--where", "id > 1"], 1),
        (&["convert", "rows.arrow", "--cast", "id=int8"], 2),
        (&["convert", "rows.arrow", "--cast", "a:b=dictionary"], 2),
        (&["convert", "rows.arrow", "--rename", "id=id"], 2),
        (&["convert", "rows.jsonl"], 2),
        (&["convert", "-"], 2),
        (&["concat", "rows.arrow", "rows.arrows"], 4),
        (&["concat", "rows.arrow", "rows.arrows", "--union"], 4),
        (&["concat", "rows.arrow", "--batch-rows", "1"], 2),
    ];
    for (args, n_rows) in cases {
        for out in ["set.arrow", "set.arrows"] {
            if out == "set.arrows" && args.contains(&"--statistics") {
                continue;
            }
            let set = [*args, &["-o", out], &CHANGES].concat();
            run_in(folder, &set, &stream).expect(&[0]);
            let second_out = if out == "set.arrow" { "less.arrow" } else { "less.arrows" };
            run_in(folder, &[&["convert", out, "-o", second_out], &remove[..]].concat(), b"").expect(&[0]);
            // Statistics come with row counts, which stay right while batches are copied.
            let counts = if args.contains(&"--statistics") { ROW_COUNTS } else { "" };
            assert_eq!(metadata(folder, second_out), format!("{CHANGED}{counts}"), "{args:?}");
            assert_eq!(
                run_in(folder, &["count", second_out], b"").expect(&[0]).text(),
                format!("{n_rows}\n")
            );
            run_in(folder, &["validate", second_out], b"").expect(&[0]);
        }
    }
}

#[test]
fn each_part_of_a_split_has_the_metadata() {
    let folder = temporary_folder();
    let folder = folder.path();
    fs::write(folder.join("rows.jsonl"), ROWS).unwrap();
    run_in(folder, &["convert", "rows.jsonl", "rows.arrow"], b"").expect(&[0]);
    for (out, by) in [("rows/", ["--file-rows", "1"]), ("ids/", ["--by", "id"])] {
        let changes = ["--set-metadata", "k=v", "--set-column-metadata", "place.h:unit=m"];
        run_in(folder, &[&["split", "rows.arrow", out], &by[..], &changes].concat(), b"").expect(&[0]);
    }
    let expected =
        "\nmetadata of the schema:\n  \"k\": \"v\"\n\nmetadata of field place.h:\n  \"unit\": \"m\"\n";
    for part in ["rows/part-0.arrow", "rows/part-1.arrow", "ids/id=1/part-0.arrow", "ids/id=2/part-0.arrow"] {
        assert_eq!(metadata(folder, part), expected, "{part}");
    }
}

/// No file has a column whose values name folders, so its metadata would be written nowhere.
#[test]
fn metadata_of_a_column_that_names_folders_is_refused() {
    let folder = temporary_folder();
    let folder = folder.path();
    fs::write(folder.join("rows.jsonl"), ROWS).unwrap();
    run_in(folder, &["convert", "rows.jsonl", "rows.arrow"], b"").expect(&[0]);
    for (by, change) in [("id", "id:k=v"), ("n", "n:k=v")] {
        let args =
            ["split", "rows.arrow", "out/", "--by", by, "--rename", "id=n", "--set-column-metadata", change];
        let args = if by == "id" { [&args[..5], &args[7..]].concat() } else { args.to_vec() };
        let outcome = run_in(folder, &args, b"");
        let said = format!("column {by} cannot name folders: its metadata changes");
        assert!(outcome.expect(&[2]).stderr.contains(&said), "{}", outcome.stderr);
        assert!(!folder.join("out").exists());
    }
}

/// If only metadata changes, messages are copied, byte by byte, with values that other writers would not write.
#[test]
fn record_batches_are_the_same_bytes() {
    let folder = temporary_folder();
    let folder = folder.path();
    fs::write(folder.join("rows.jsonl"), ROWS).unwrap();
    let writing = ["--keep-unused", "--compression", "lz4", "--batch-rows", "1"];
    run_in(folder, &[&["convert", "rows.jsonl", "rows.arrows"], &writing[..]].concat(), b"").expect(&[0]);
    let changes = ["--set-metadata", "k=v", "--set-column-metadata", "place.h:unit=m"];
    run_in(folder, &[&["concat", "rows.arrows", "changed.arrows"], &changes[..]].concat(), b"").expect(&[0]);
    let batches = |file: &str| {
        let bytes = fs::read(folder.join(file)).unwrap();
        let schema = 8 + u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        bytes[schema..].to_vec()
    };
    assert!(batches("rows.arrows") == batches("changed.arrows"));
    assert_ne!(metadata(folder, "rows.arrows"), metadata(folder, "changed.arrows"));
}

#[test]
fn what_cannot_be_changed_is_an_error() {
    let folder = temporary_folder();
    let folder = folder.path();
    fs::write(folder.join("rows.jsonl"), ROWS).unwrap();
    run_in(folder, &["convert", "rows.jsonl", "rows.arrow", "--set-metadata", "k=v"], b"").expect(&[0]);
    let cases: &[(&[&str], &str)] = &[
        (&["--remove-metadata", "K"], "the schema has no metadata \"K\"; it has \"k\"\n"),
        (&["--remove-column-metadata", "id:k"], "the column id has no metadata \"k\", since it has none\n"),
        (&["--set-column-metadata", "ID:k=v"], "no field is named \"ID\""),
        (&["--set-column-metadata", "place.z:k=v"], "in place: no field is named \"z\""),
        (&["--set-column-metadata", "id:k=v", "--columns", "tags"], "no field is named \"id\""),
        (&["--set-column-metadata", "id:k=v", "--rename", "id=n"], "no field is named \"id\""),
        (
            &["--set-column-metadata", "id:ARROW:extension:name=arrow.uuid"],
            "field `id`: arrow.uuid: the storage must be fixed_size_binary(16), found int64\n",
        ),
        (
            &[
                "--set-column-metadata",
                "tags:ARROW:extension:name=arrow.variable_shape_tensor",
                "--set-column-metadata",
                "tags:ARROW:extension:metadata={",
            ],
            "field `tags`: arrow.variable_shape_tensor: ",
        ),
        (&["--set-column-metadata", "id=k"], "expected COLUMN:KEY=VALUE"),
        (&["--set-column-metadata", "id:k"], "expected COLUMN:KEY=VALUE"),
        (&["--remove-column-metadata", "id"], "expected COLUMN:KEY"),
        (&["--set-metadata", "k"], "expected KEY=VALUE"),
    ];
    for (args, said) in cases {
        let outcome = run_in(folder, &[&["convert", "rows.arrow", "out.arrow"], *args].concat(), b"");
        assert!(outcome.expect(&[2]).stderr.contains(said), "{args:?}: {}", outcome.stderr);
        assert!(!folder.join("out.arrow").exists(), "{args:?}");
    }
    let changes = [
        ["--set-metadata", "k=v"],
        ["--remove-metadata", "k"],
        ["--set-column-metadata", "id:k=v"],
        ["--remove-column-metadata", "id:k"],
    ];
    for ([option, value], out) in changes.into_iter().zip(["o.csv", "o.json", "o.jsonl.gz", "o.tsv"]) {
        let outcome = run_in(folder, &["convert", "rows.arrow", out, option, value], b"");
        let said = format!("{option} is for Arrow data, but the content is text");
        assert!(outcome.expect(&[2]).stderr.contains(&said), "{}", outcome.stderr);
    }
    // An extension type whose two keys are set together, and one of another program.
    let bool8 = ["--set-column-metadata", "id:ARROW:extension:name=arrow.bool8", "--cast", "id=int8"];
    run_in(folder, &[&["convert", "rows.arrow", "b.arrow"], &bool8[..]].concat(), b"").expect(&[0]);
    let shown = run_in(folder, &["cat", "b.arrow", "--columns", "id"], b"");
    assert_eq!(shown.expect(&[0]).text(), "{\"id\":true}\n{\"id\":2}\n");
}

#[test]
fn a_key_is_given_once() {
    let folder = temporary_folder();
    let folder = folder.path();
    fs::write(folder.join("rows.jsonl"), ROWS).unwrap();
    for options in [
        ["--set-metadata", "k=1", "--set-metadata", "k=2"],
        ["--set-metadata", "k=1", "--remove-metadata", "k"],
        ["--set-column-metadata", "id:k=1", "--set-column-metadata", "id:k=2"],
        ["--set-column-metadata", "id:k=1", "--remove-column-metadata", "id:k"],
    ] {
        for command in ["convert", "concat", "split"] {
            let outcome =
                run_in(folder, &[&[command, "rows.jsonl", "-o", "out.arrow"], &options[..]].concat(), b"");
            assert!(outcome.expect(&[2]).stderr.contains("the key k is given twice"), "{outcome:?}");
            assert!(!folder.join("out.arrow").exists());
        }
    }
    // The same key of two columns.
    let both =
        ["--set-column-metadata", "id:k=1", "--set-column-metadata", "place:k=1", "--set-metadata", "k=1"];
    run_in(folder, &[&["convert", "rows.jsonl", "-o", "out.arrow"], &both[..]].concat(), b"").expect(&[0]);
}
