//! Runs the commands that hints suggest.

use std::{fs, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};

use crate::program::{Outcome, command, finish, temporary_folder};

fn run_in(folder: &Path, args: &[&str]) -> Outcome {
    finish(command(args).current_dir(folder), b"")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The files of the cases, each with its text.
const FILES: [(&str, &str); 31] = [
    ("pairs.jsonl", "[[\"id\",1],[\"id\",2]]\n"),
    ("columns.txt", "id: int64\nid: int64\n"),
    ("people.csv", "ada,rome\nbob,oslo\n"),
    ("object.jsonl", "{\"a\":{\"b\":1}}\n{\"a\":[1]}\n"),
    ("item.jsonl", "{\"n\":[]}\n{\"n\":[1,\"x\"]}\n"),
    ("whole.csv", "v\n1\n"),
    ("half.csv", "v\n2.5\n"),
    ("log.csv", "id,t\n1,a\n"),
    ("one.csv", "number,t\n1,a\n"),
    ("other.csv", "seq,kind,u\n1,a,b\n"),
    ("twice.csv", "id,id,v\n1,2,x\n"),
    ("words.csv", "v,w\nx,1\n"),
    ("a.csv", "k,v\n1,x\n2,y\n"),
    ("b.csv", "k,v\n2,y\n1,x\n"),
    ("times.csv", "a,b\n2024-01-01 10:00,08:30\n"),
    ("zoned.csv", "id,at\n1,2024-02-28T23:30:00Z\n2,2024-02-29T12:00:00Z\n3,2024-10-27T01:30:00Z\n"),
    ("local.csv", "at\n2024-02-28T23:30:00\n"),
    ("skipped.csv", "at\n2024-03-31T02:30:00\n"),
    ("repeated.csv", "at\n2024-10-27T02:30:00\n"),
    ("hash.csv", "a,b\n# hi\n1,2\n"),
    ("items.jsonl", "{\"v\":[1]}\n"),
    ("words.jsonl", "{\"v\":[\"x\"]}\n"),
    ("large.jsonl", "{\"a\":[300]}\n"),
    ("times.csv", "time\n2000-01-01 00:00:00\n"),
    ("times.jsonl", "{\"time\":\"2000-01-01T00:00:00Z\"}\n"),
    ("members.jsonl", "{\"a\":{\"k\":1,\"z\":\"x\"}}\n"),
    ("word.jsonl", "{\"a\":1}\n{\"a\":\"x\"}\n"),
    ("member.jsonl", "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":true}}\n"),
    ("day.jsonl", "{\"a\":\"2024-02-29\"}\n{\"a\":\"x\"}\n"),
    ("half.jsonl", "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2.5}}\n"),
    ("numbers.jsonl", "1\n2\n"),
];

/// A command, its status and error, and the command in the hint with its output.
type Case<'a> = (&'a [&'a str], i32, &'a str, &'a [&'a str], &'a str);

/// A command, its status and error, the options that its hint names, and what is then in the folder.
type LossyCase<'a> = (&'a [&'a str], i32, &'a str, &'a [&'a str], &'a [&'a str]);

#[test]
fn hints_lead_to_commands_that_work() {
    let folder = temporary_folder();
    let folder = folder.path();
    for (name, text) in FILES {
        fs::write(folder.join(name), text).unwrap();
    }
    for name in ["whole", "half", "log", "one", "other", "a", "b", "skipped", "repeated"] {
        run_in(folder, &["convert", &format!("{name}.csv"), &format!("{name}.arrow")]).expect(&[0]);
    }
    run_in(folder, &["convert", "items.jsonl", "items.arrow"]).expect(&[0]);
    run_in(folder, &["convert", "items.jsonl", "texts.arrow", "--cast", "v=list<utf8>"]).expect(&[0]);
    let berlin = "at=timestamp(us, \"Europe/Berlin\")";
    run_in(folder, &["convert", "zoned.csv", "berlin.arrow", "--cast", berlin]).expect(&[0]);
    run_in(folder, &["convert", "zoned.csv", "mars.arrow", "--cast", "at=timestamp(us, Mars/Base)"])
        .expect(&[0]);
    let packed = gzip(&"a,b\n".repeat(9_000));
    fs::write(folder.join("followed.csv.gz"), [&packed[..], b"junk"].concat()).unwrap();
    let noise: String =
        (0..2_000_u64).map(|n| format!("{}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let packed = gzip(&format!("a\n{noise}"));
    fs::write(folder.join("cut.csv.gz"), &packed[..2_000]).unwrap();
    let cases: &[Case<'_>] = &[
        (
            &["cat", "object.jsonl"],
            1,
            "hint: --type a=json keeps the values of the column as JSON text\n",
            &["cat", "object.jsonl", "--type", "a=json"],
            "{\"a\":{\"b\":1}}\n{\"a\":[1]}\n",
        ),
        (
            &["cat", "pairs.jsonl"],
            1,
            "`arrow-ipc convert pairs.jsonl OUT.arrow --schema COLUMNS.txt` reads them, if each line",
            &["convert", "pairs.jsonl", "pairs.arrow", "--schema", "columns.txt"],
            "",
        ),
        (
            &["cat", "item.jsonl"],
            1,
            "--type n=json",
            &["cat", "item.jsonl", "--type", "n=json"],
            "{\"n\":[]}\n{\"n\":[1,\"x\"]}\n",
        ),
        (
            &["count", "followed.csv.gz"],
            1,
            "the compressed data is damaged: other bytes follow its end",
            &[],
            "",
        ),
        (&["head", "cut.csv.gz"], 1, "cut.csv.gz: the compressed data is truncated", &[], ""),
        (&["count", "cut.csv.gz"], 1, "cut.csv.gz: the compressed data is truncated", &[], ""),
        (
            &["cat", "whole.csv", "half.csv"],
            5,
            "hint: --type v=float64 reads both as this type\n",
            &["cat", "whole.csv", "half.csv", "--type", "v=float64"],
            "{\"v\":1.0}\n{\"v\":2.5}\n",
        ),
        (
            &["cat", "half.csv", "whole.csv"],
            5,
            "hint: --type v=float64 reads both as this type\n",
            &["cat", "half.csv", "whole.csv", "--type", "v=float64"],
            "{\"v\":2.5}\n{\"v\":1.0}\n",
        ),
        (
            &["concat", "whole.arrow", "half.arrow", "-o", "both.arrow"],
            5,
            "hint: --cast v=float64 makes both equal\n",
            &["concat", "whole.arrow", "half.arrow", "-o", "both.arrow", "--cast", "v=float64"],
            "",
        ),
        (
            &["concat", "one.arrow", "other.arrow", "-o", "both.arrow"],
            5,
            "hint: --union writes the columns of all inputs\n",
            &["concat", "one.arrow", "other.arrow", "-o", "both.arrow", "--union"],
            "",
        ),
        (
            &["append", "log.arrow", "one.arrow"],
            5,
            "hint: --rename number=id makes both equal\n",
            &["append", "log.arrow", "one.arrow", "--rename", "number=id"],
            "",
        ),
        (&["append", "log.arrow", "other.arrow"], 5, "expected the name \"id\", found \"seq\"\n", &[], ""),
        (
            &["convert", "a.csv", "b.csv", "all.arrow"],
            2,
            "write all.arrow/ to get a file for each input in a folder; `concat all.arrow/*.arrow OUT.arrow`",
            &["convert", "a.csv", "b.csv", "all.arrow/"],
            "",
        ),
        (
            &["count", "a.csv", "b.csv", "x.csv"],
            4,
            "x.csv",
            &["concat", "all.arrow/a.arrow", "all.arrow/b.arrow", "joined.arrow"],
            "",
        ),
        (
            &["cat", "people.csv", "--columns", "customer"],
            2,
            "hint: the columns are: ada, rome; if these are values of the first row, --from-no-header reads it as c0, c1 and so on\n",
            &["cat", "people.csv", "--columns", "c0", "--from-no-header"],
            "{\"c0\":\"ada\"}\n{\"c0\":\"bob\"}\n",
        ),
        (
            &["convert", "a.csv", "-o", "r.arrow", "--rename", "k=key", "--where", "key > 1"],
            2,
            "no field is named \"key\"; use its old name k, since columns are renamed last\n",
            &["convert", "a.csv", "-o", "r.arrow", "--rename", "k=key", "--where", "k > 1", "--columns", "k"],
            "",
        ),
        (&["cat", "twice.csv", "--columns", "id_1"], 2, "hint: did you mean id?\n", &[], ""),
        (
            &["convert", "a.csv", "-o", "r.arrow", "--rename", "k="],
            2,
            "the new name is empty; \"\" stands for an empty name",
            &["convert", "a.csv", "-o", "r.arrow", "--rename", "k=\"\""],
            "",
        ),
        (
            &["cat", "mars.arrow", "--where", "at >= \"2024-02-29\""],
            2,
            "the time zone \"Mars/Base\" is unknown, so a time needs an offset: write 2024-02-29T00:00:00Z",
            &["cat", "mars.arrow", "--where", "at >= \"2024-02-29T00:00:00+01:00\"", "--columns", "id"],
            "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n",
        ),
        (
            &["cat", "berlin.arrow", "--where", "at = '2024-10-27 02:30'"],
            2,
            "write '2024-10-27T02:30:00.000000+02:00' or '2024-10-27T02:30:00.000000+01:00'\n",
            &["cat", "berlin.arrow", "--where", "at = '2024-10-27T02:30:00.000000+01:00'", "--columns", "id"],
            "{\"id\":3}\n",
        ),
        (
            &["cat", "berlin.arrow", "--where", "at > 2024-10-27 02:00:01"],
            2,
            "text needs quotes: write \"2024-10-27 02:00:01\"",
            &["cat", "berlin.arrow", "--where", "at > \"2024-10-27 03:00:01\"", "--columns", "id"],
            "",
        ),
        (
            &["convert", "local.csv", "-o", "r.arrow", "--type", berlin],
            1,
            "hint: --type 'at=timestamp(us)' reads local times, which --cast gives a zone\n",
            &["convert", "local.csv", "-o", "r.arrow", "--type", "at=timestamp(us)", "--cast", berlin],
            "",
        ),
        (
            &["convert", "local.csv", "-o", "r.arrow", "--cast", "at=timestamp(us, Europe/Berlyn)"],
            5,
            "hint: a zone is a name such as Europe/Paris, or an offset such as +02:00\n",
            &["convert", "local.csv", "-o", "r.arrow", "--cast", "at=timestamp(us, +02:00)"],
            "",
        ),
        (
            &["concat", "--union", "texts.arrow", "items.arrow", "-o", "union.arrow"],
            5,
            "hint: `arrow-ipc concat` with --cast 'v=list<item: utf8>' gives the column this type in all files\n",
            &[
                "concat",
                "--union",
                "texts.arrow",
                "items.arrow",
                "-o",
                "union.arrow",
                "--cast",
                "v=list<item: utf8>",
            ],
            "",
        ),
        (
            &["concat", "--union", "items.jsonl", "words.jsonl", "-o", "union.arrow"],
            5,
            "hint: --type v=json keeps the values of the column as JSON text\n",
            &["concat", "--union", "items.jsonl", "words.jsonl", "-o", "union.arrow", "--type", "v=json"],
            "",
        ),
        (
            &["cat", "large.jsonl", "--type", "a=list<int8>"],
            1,
            "hint: the field has the type that --type or --partial-schema gives its column: int64 takes this value\n",
            &["cat", "large.jsonl", "--type", "a=list<int64>"],
            "{\"a\":[300]}\n",
        ),
        (
            &["convert", "times.csv", "dates.arrow", "--type", "time=date32"],
            1,
            "hint: without the type, `arrow-ipc convert times.csv OUT.arrow --cast time=date32` makes dates of timestamps\n",
            &["convert", "times.csv", "dates.arrow", "--cast", "time=date32"],
            "",
        ),
        (
            &["cat", "times.jsonl", "--type", "time=date32"],
            1,
            "OUT.arrow --cast time=date32 --lossy` makes dates of timestamps\n",
            &["cat", "dates.arrow"],
            "{\"time\":\"2000-01-01\"}\n",
        ),
        (
            &["cat", "members.jsonl", "--type", "a=struct<z: utf8>"],
            1,
            "hint: the column has the type that --type or --partial-schema gives it: add the field to that type\n",
            &["cat", "members.jsonl", "--type", "a=struct<z: utf8, k: int64>"],
            "{\"a\":{\"z\":\"x\",\"k\":1}}\n",
        ),
        // No type that is inferred has numbers and strings.
        (
            &["cat", "word.jsonl", "--infer-rows", "1"],
            1,
            "hint: --type a=utf8 reads the column as utf8\n",
            &["cat", "word.jsonl", "--type", "a=utf8"],
            "{\"a\":\"1\"}\n{\"a\":\"x\"}\n",
        ),
        (
            &["cat", "member.jsonl", "--infer-rows", "1"],
            1,
            "hint: --type a=json keeps the values of the column as JSON text\n",
            &["cat", "member.jsonl", "--type", "a=json"],
            "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":true}}\n",
        ),
        (
            &["cat", "day.jsonl", "--infer-rows", "1"],
            1,
            "hint: --type a=utf8 reads the column as utf8; --infer-rows all infers types from all rows\n",
            &["cat", "day.jsonl", "--infer-rows", "all"],
            "{\"a\":\"2024-02-29\"}\n{\"a\":\"x\"}\n",
        ),
        (
            &["cat", "half.jsonl", "--infer-rows", "1"],
            1,
            "hint: --infer-rows all infers types from all rows\n",
            &["cat", "half.jsonl", "--infer-rows", "all"],
            "{\"a\":{\"b\":1.0}}\n{\"a\":{\"b\":2.5}}\n",
        ),
        (
            &["head", "numbers.jsonl"],
            1,
            "hint: rows of JSON are objects, such as {\"a\":1}: `arrow-ipc convert --from jsonl numbers.jsonl OUT.arrow` says which row is none\n",
            &[],
            "",
        ),
        (
            &["index", "items.arrow", "items.index"],
            1,
            "hint: a file needs no index: its footer has the positions of its batches\n",
            &[],
            "",
        ),
        (
            &["schema", "whole.arrow", "--type", "v=utf8"],
            2,
            "--type is for text, but the content is Arrow data",
            &["schema", "whole.csv", "--type", "v=utf8"],
            "v: utf8\n",
        ),
    ];
    for (wrong, status, said, right, shown) in cases {
        let outcome = run_in(folder, wrong);
        assert!(outcome.expect(&[*status]).stderr.contains(said), "{wrong:?}: {}", outcome.stderr);
        assert!(!said.ends_with('\n') || outcome.stderr.ends_with(said), "{wrong:?}: {}", outcome.stderr);
        if !right.is_empty() {
            assert_eq!(run_in(folder, right).expect(&[0]).text(), *shown, "{right:?}");
        }
    }
    // Hints whose commands leave something out, which status 3 says.
    let in_berlin = ["--cast", berlin];
    let cases: &[LossyCase<'_>] = &[
        (
            &["split", "berlin.arrow", "days/", "--by", "at"],
            2,
            "it has times of day, and --cast COLUMN=date32 --lossy makes days of its time zone of them\n",
            &["--cast", "at=date32", "--lossy"],
            &["at=2024-02-29", "at=2024-10-27"],
        ),
        (
            &[&["split", "skipped.arrow", "skipped/", "--file-rows", "9"], &in_berlin[..]].concat(),
            5,
            "hint: --lossy makes such times later by as much as clocks are set forward\n",
            &["--lossy"],
            &["part-0.arrow"],
        ),
        (
            &[&["split", "repeated.arrow", "repeated/", "--file-rows", "9"], &in_berlin[..]].concat(),
            5,
            "hint: --lossy takes the earlier of both instants\n",
            &["--lossy"],
            &["part-0.arrow"],
        ),
    ];
    for (wrong, status, said, more, files) in cases {
        let outcome = run_in(folder, wrong);
        assert!(outcome.expect(&[*status]).stderr.ends_with(said), "{wrong:?}: {}", outcome.stderr);
        run_in(folder, &[wrong, *more].concat()).expect(&[3]);
        let mut found: Vec<String> = fs::read_dir(folder.join(wrong[2]))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        assert_eq!(found, *files, "{wrong:?}");
    }
}

/// Where a hint says that types can be inferred from all rows, they can.
#[test]
fn types_are_inferred_from_all_rows_where_a_hint_says_so() {
    let values = [
        "1",
        "0.5",
        "true",
        "99999999999999999999",
        "9007199254740993",
        "\"x\"",
        "\"5\"",
        "\"2024-02-29\"",
        "\"12:34:56\"",
        "\"2024-02-29T12:34:56Z\"",
        "[1]",
        "{\"b\":1}",
    ];
    let mut n_said = 0;
    for (first, second) in values.iter().flat_map(|first| values.map(|second| (*first, second))) {
        let text = format!("{{\"a\":{first}}}\n{{\"a\":{second}}}\n");
        let cat = |rows| finish(&mut command(["cat", "-", "--infer-rows", rows]), text.as_bytes());
        let one = cat("1");
        if one.stderr.contains("--infer-rows all") {
            n_said += 1;
            assert_eq!(cat("all").status, 0, "{text}: {}", one.stderr);
        }
    }
    assert!(n_said > 10, "{n_said}");
}

/// A condition that compares text with a number says how to make numbers of the text.
#[test]
fn text_that_is_compared_with_numbers_is_converted() {
    let folder = temporary_folder();
    let folder = folder.path();
    fs::write(folder.join("n.csv"), "v,w\n1,a\n20,b\n").unwrap();
    run_in(folder, &["convert", "n.csv", "n.arrow", "--type", "v=utf8"]).expect(&[0]);
    let outcome = run_in(folder, &["cat", "n.csv", "--type", "v=utf8", "--where", "v > 3"]);
    let hint = "error: n.csv: in column v: the type utf8 cannot be compared with a number; expected text in quotes\n  \
                hint: --type v=float64 reads the column as numbers\n";
    assert_eq!(outcome.expect(&[2]).stderr, hint);
    let outcome = run_in(folder, &["cat", "n.arrow", "--where", "v > 3"]);
    let end =
        "  hint: `arrow-ipc convert n.arrow OUT.arrow --cast v=float64` converts the column to numbers\n";
    assert!(outcome.expect(&[2]).stderr.ends_with(end), "{}", outcome.stderr);
    run_in(folder, &["convert", "n.arrow", "OUT.arrow", "--cast", "v=float64"]).expect(&[0]);
    for args in [&["cat", "n.csv", "--type", "v=float64"][..], &["cat", "OUT.arrow"]] {
        let found = run_in(folder, &[args, &["--where", "v > 3"]].concat());
        assert_eq!(found.expect(&[0]).text(), "{\"v\":20.0,\"w\":\"b\"}\n");
    }
}

/// In JSON, `NaN` and `Infinity` as text are numbers if the column also has numbers, and text if it also has text.
#[test]
fn numbers_that_json_does_not_have_are_inferred() {
    let cases = [
        ("{\"f\":\"NaN\"}\n{\"f\":0.5}\n", "f: float64\n"),
        ("{\"f\":1}\n{\"f\":\"-Infinity\"}\n{\"f\":\"Infinity\"}\n", "f: float64\n"),
        ("{\"f\":[1,\"NaN\"]}\n", "f: list<item: float64>\n"),
        ("{\"f\":\"NaN\"}\n", "f: utf8\n"),
        ("{\"f\":\"NaN\"}\n{\"f\":\"x\"}\n", "f: utf8\n"),
        ("{\"f\":\"2024-01-01\"}\n{\"f\":\"NaN\"}\n", "f: utf8\n"),
    ];
    for (text, expected) in cases {
        let args = ["schema", "--from", "jsonl", "--infer", "-"];
        let outcome = finish(&mut command(args), text.as_bytes());
        assert_eq!(outcome.expect(&[0]).text(), expected, "{text}");
    }
    for text in ["{\"f\":\"NaN\"}\n{\"f\":true}\n", "{\"f\":9007199254740993}\n{\"f\":\"NaN\"}\n"] {
        finish(&mut command(["cat", "--from", "jsonl", "-"]), text.as_bytes()).expect(&[1]);
    }
}

/// Two schemas of one column, each with its value as JSON, and the argument of `--cast` in the hint.
type Conflict<'a> = ([(&'a str, &'a str); 2], Option<&'a str>);

/// Files of a folder, and inputs of `--union`, that have no common type for a column: with the type in the hint they are read together.
#[test]
fn types_in_hints_have_the_values_of_all_inputs() {
    let cases: &[Conflict<'_>] = &[
        ([("c: int64", "1"), ("c: utf8", "\"x\"")], Some("c=utf8")),
        ([("c: utf8", "\"x\""), ("c: int64", "1")], Some("c=utf8")),
        ([("c: large_utf8", "\"x\""), ("c: bool", "true")], Some("c=utf8")),
        ([("c: date32", "\"2024-02-29\""), ("c: int64", "1")], Some("c=utf8")),
        ([("c: dictionary<int8, utf8>", "\"x\""), ("c: float64", "1.5")], Some("c=utf8")),
        (
            [("c: struct<b: int64>", "{\"b\":1}"), ("c: struct<b: utf8>", "{\"b\":\"x\"}")],
            Some("c=struct<b: utf8>"),
        ),
        (
            [("c: list<item: utf8>", "[\"x\"]"), ("c: large_list<item: int64>", "[1]")],
            Some("c=large_list<item: utf8>"),
        ),
        (
            [
                ("c: struct<x: list<item: int64>>", "{\"x\":[1]}"),
                ("c: struct<y: int8, x: list<item: utf8>>", "{\"y\":1,\"x\":[\"x\"]}"),
            ],
            Some("c=struct<x: list<item: utf8>, y: int8>"),
        ),
        ([("c: struct<b: int64>", "{\"b\":1}"), ("c: int64", "1")], None),
        ([("c: list<item: int64>", "[1]"), ("c: utf8", "\"x\"")], None),
    ];
    for (sides, typed) in cases {
        let folder = temporary_folder();
        let folder = folder.path();
        fs::create_dir(folder.join("set")).unwrap();
        for (name, (schema, value)) in ["a", "b"].iter().zip(sides) {
            fs::write(folder.join("schema"), schema).unwrap();
            fs::write(folder.join("in.jsonl"), format!("{{\"c\":{value}}}\n")).unwrap();
            let file = format!("set/{name}.arrow");
            run_in(folder, &["convert", "in.jsonl", &file, "--schema", "schema"]).expect(&[0]);
        }
        let union = ["concat", "--union", "set/a.arrow", "set/b.arrow", "-o", "union.arrow"];
        for refused in [
            &["cat", "set"][..],
            &["stats", "set/*.arrow"],
            &["convert", "set", "-o", "refused.arrow"],
            &["split", "set", "refused", "--into", "2"],
            &union,
        ] {
            let outcome = run_in(folder, refused);
            let hint = outcome.expect(&[5]).stderr.lines().find_map(|line| line.strip_prefix("  hint: "));
            let found =
                hint.and_then(|hint| hint.split(" --cast ").nth(1)?.split(" gives the column ").next());
            assert_eq!(found.map(|typed| typed.trim_matches('\'')), *typed, "{refused:?}: {outcome:?}");
        }
        let Some(typed) = typed else { continue };
        let renamed = typed.replacen("c=", "d=", 1);
        for (command, output) in [
            (&union[..], "union.arrow"),
            (&["convert", "set", "-o", "out.arrow"], "out.arrow"),
            (&["convert", "set/*.arrow", "-o", "out.jsonl"], "out.jsonl"),
            (&["concat", "set", "-o", "out.arrow"], "out.arrow"),
            (
                &["concat", "--union", "set", "set/a.arrow", "-o", "twice.arrow", "--rows", "..2"],
                "twice.arrow",
            ),
            (&["split", "set", "parts", "--into", "2"], "parts"),
            (&["append", "union.arrow", "set", "--rows", "0..0"], "union.arrow"),
        ] {
            run_in(folder, &[command, &["--cast", typed]].concat()).expect(&[0, 3]);
            let counted = run_in(folder, &["count", output]);
            assert_eq!(counted.expect(&[0]).text(), "2\n", "{typed}: {command:?}");
        }
        let new_name = ["convert", "set", "-o", "out.arrow", "--rename", "c=d", "--cast", &renamed];
        run_in(folder, &new_name).expect(&[0]);
    }
    // A type that some values do not have, and a type for another column.
    let folder = temporary_folder();
    let folder = folder.path();
    fs::create_dir(folder.join("set")).unwrap();
    for (name, text) in [("a", "c,d\n1,1\n"), ("b", "c,d\nx,1\n")] {
        fs::write(folder.join("in.csv"), text).unwrap();
        run_in(folder, &["convert", "in.csv", &format!("set/{name}.arrow")]).expect(&[0]);
    }
    for (typed, words) in
        [("c=int64", "column \"c\""), ("d=utf8", "the type is utf8; preceding schemas say int64")]
    {
        let refused = run_in(folder, &["convert", "set", "-o", "out.arrow", "--cast", typed]);
        assert!(refused.expect(&[5]).stderr.contains(words), "{typed}: {refused:?}");
    }
}
