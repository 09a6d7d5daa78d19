//! Text files as inputs of rows. Each command has the same output as for a stream with these rows.

use std::fs;

use crate::program::{Outcome, run, run_with_input, temporary_folder};

const CSV: &str = "id,name,when\n1,ada,2020-01-02\n2,,2021-01-01\n3,\"cy, d\",\n";
const JSON: &str = "{\"id\":1,\"name\":\"ada\"}\n{\"id\":2}\n{\"id\":3,\"name\":\"cy\"}\n";

/// A folder with `a.csv`, `a.jsonl`, and the files that `convert` makes of them.
fn inputs() -> tempfile::TempDir {
    let folder = temporary_folder();
    for (name, text) in [("a.csv", CSV), ("a.jsonl", JSON)] {
        fs::write(folder.path().join(name), text).unwrap();
        in_folder(&folder, &["convert", name, &format!("{name}.arrows")]).expect(&[0]);
    }
    folder
}

fn in_folder(folder: &tempfile::TempDir, args: &[&str]) -> Outcome {
    run(args.iter().map(|arg| if arg.starts_with("a.") { folder.path().join(arg) } else { arg.into() }))
}

#[test]
fn commands_that_read_rows_read_text() {
    let folder = inputs();
    let commands: [&[&str]; 10] = [
        &["cat"],
        &["cat", "--format", "csv", "--columns", "name,id"],
        &["cat", "--rows", "1..2"],
        &["head", "-n", "2", "--vertical"],
        &["tail", "-n", "1"],
        &["sample", "-n", "2", "--seed", "3"],
        &["count"],
        &["count", "--json"],
        &["stats"],
        &["stats", "--columns", "id", "-n", "2"],
    ];
    for name in ["a.csv", "a.jsonl"] {
        let stream_name = format!("{name}.arrows");
        for command in commands {
            let text = in_folder(&folder, &[command, &[name]].concat());
            // The length of a pipe is unknown.
            let bytes = fs::read(folder.path().join(&stream_name)).unwrap();
            let stream = run_with_input([command, &["-"]].concat(), &bytes);
            let path = folder.path().join(name);
            let said = text.text().replace(path.to_str().unwrap(), "standard input");
            assert_eq!(said, stream.expect(&[0]).text(), "{command:?} {name}");
            assert_eq!((text.status, &*text.stderr), (0, ""), "{command:?} {name}");
        }
        for (a, b) in [(name, &*stream_name), (&*stream_name, name), (name, name)] {
            in_folder(&folder, &["diff", a, b]).expect(&[0]);
        }
        for command in ["validate", "inspect"] {
            let outcome = in_folder(&folder, &[command, name]);
            assert!(outcome.stderr.contains("`arrow-ipc convert "), "{outcome:?}");
            outcome.expect(&[1]);
        }
        let inferred = in_folder(&folder, &["schema", name]).expect(&[0]).stdout.clone();
        assert_eq!(inferred, in_folder(&folder, &["schema", "--infer", name]).stdout);
    }
}

#[test]
fn text_in_pipes_is_read_if_it_is_clear_or_said_what_it_is() {
    let folder = inputs();
    let commands: [&[&str]; 6] =
        [&["cat"], &["head", "-n", "2"], &["tail"], &["sample", "-n", "9"], &["count"], &["stats"]];
    let packed = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    for (form, text, name) in [("csv", CSV, "a.csv"), ("jsonl", JSON, "a.jsonl")] {
        for command in commands {
            let expected = in_folder(&folder, &[command, &[name]].concat());
            let args = [command, &["-", "--from", form]].concat();
            for bytes in [text.as_bytes().to_vec(), packed(text)] {
                let outcome = run_with_input(&args, &bytes);
                assert_eq!(outcome.expect(&[0]).stdout, expected.stdout, "{command:?} {form}");
                assert_eq!(outcome.stderr, "");
                let without = run_with_input([command, &["-"]].concat(), &bytes);
                assert_eq!(without.expect(&[0]).stdout, expected.stdout, "{command:?} {form}");
            }
            // The option is an error for Arrow data.
            let stream = fs::read(folder.path().join(format!("{name}.arrows"))).unwrap();
            let outcome = run_with_input(&args, &stream);
            let words = "standard input: --from is for text, but the content is Arrow data";
            assert!(outcome.expect(&[2]).stderr.contains(words), "{outcome:?}");
        }
        let stream_name = folder.path().join(format!("{name}.arrows"));
        let stream_name = stream_name.to_str().unwrap();
        // The option is for the input that is text.
        let (text, stream) = (text.as_bytes(), &fs::read(stream_name).unwrap()[..]);
        for input in [text, stream] {
            run_with_input(["diff", "-", stream_name, "--from", form], input).expect(&[0]);
        }
        run_with_input(["cat", "-", stream_name, "--from", form], text).expect(&[0]);
    }
}

/// CSV whose last row has another type than the first 8 MiB.
fn late_text() -> String {
    format!("x,t\n{}y,\n", format!("1,{}\n", "a".repeat(1_000)).repeat(8_500))
}

#[test]
fn options_say_how_text_is_read() {
    let folder = inputs();
    fs::write(folder.path().join("a.bars.csv"), "x,y|z\n1|2\n3|4\n").unwrap();
    fs::write(folder.path().join("a.late.csv"), late_text()).unwrap();
    fs::write(folder.path().join("a.long.jsonl"), "{\"x\":0.5}\n{\"x\":9007199254740993}\n").unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["cat", "a.bars.csv", "--from-delimiter", "|"], 0, "{\"x,y\":1,\"z\":2}\n{\"x,y\":3,\"z\":4}\n"),
        (
            &["cat", "a.bars.csv", "--from-delimiter", "|", "--format", "csv", "--delimiter", ";"],
            0,
            "x,y;z\n1;2\n3;4\n",
        ),
        (
            &["tail", "a.bars.csv", "--from-delimiter", "|", "-n", "1", "--from-no-header"],
            0,
            "{\"c0\":\"3\",\"c1\":\"4\"}\n",
        ),
        (&["count", "a.csv", "--from-no-header"], 0, "4\n"),
        (&["convert", "a.bars.csv", "-o", "a.bars.arrow", "--from-delimiter", "|"], 0, ""),
        (&["convert", "a.bars.csv", "-o", "a.bars.arrow", "--delimiter", "|"], 0, ""),
        // An option without a side in its name is for the side that is CSV.
        (
            &["convert", "a.bars.csv", "-o", "a.b.csv", "--delimiter", "|"],
            2,
            "--delimiter: IN and OUT are both CSV: use --from-delimiter for IN, --to-delimiter for OUT",
        ),
        (&["convert", "a.bars.csv", "-o", "a.b.csv", "--no-header"], 2, "--to-no-header for OUT"),
        (&["convert", "a.bars.csv", "-o", "a.b.csv", "--from-delimiter", "|", "--to-delimiter", ";"], 0, ""),
        (&["cat", "a.b.csv", "--from-delimiter", ";"], 0, "{\"x,y\":1,\"z\":2}\n{\"x,y\":3,\"z\":4}\n"),
        (&["convert", "a.bars.arrow", "-o", "a.b.csv", "--delimiter", ";", "--no-header"], 0, ""),
        (
            &["cat", "a.b.csv", "--from-delimiter", ";", "--from-no-header"],
            0,
            "{\"c0\":1,\"c1\":2}\n{\"c0\":3,\"c1\":4}\n",
        ),
        (&["convert", "a.bars.arrow", "-o", "a.b.tsv", "--to-no-header"], 0, ""),
        (&["cat", "a.b.tsv", "--from-no-header"], 0, "{\"c0\":1,\"c1\":2}\n{\"c0\":3,\"c1\":4}\n"),
        (&["convert", "a.jsonl", "-o", "a.b.csv", "--delimiter", ";"], 0, ""),
        (&["convert", "a.bars.csv", "-o", "a.b.jsonl", "--delimiter", "|"], 0, ""),
        (&["cat", "a.b.jsonl"], 0, "{\"x,y\":1,\"z\":2}\n{\"x,y\":3,\"z\":4}\n"),
        (
            &["convert", "a.bars.csv", "-o", "a.b.arrow", "--to-delimiter", "|"],
            2,
            "b.arrow: --to-delimiter is for CSV, but the content is Arrow data",
        ),
        (
            &["convert", "a.bars.csv", "-o", "a.b.jsonl", "--to-no-header"],
            2,
            "b.jsonl: --to-no-header is for CSV, but the content is JSON",
        ),
        (
            &["convert", "a.bars.arrow", "-o", "a.b.csv", "--from-delimiter", "|"],
            2,
            "--from-delimiter is for text",
        ),
        (&["convert", "a.jsonl", "-o", "a.b.csv", "--from-no-header"], 2, "--from-no-header is for CSV, but"),
        (
            &["convert", "a.csv", "-o", "a.b.csv", "--delimiter", ";", "--to-delimiter", ";"],
            2,
            "cannot be used with",
        ),
        (&["diff", "a.bars.csv", "a.bars.arrow", "--from-delimiter=|"], 0, "equal: 2 rows in 1 batch\n"),
        (&["stats", "a.late.csv"], 1, "--infer-rows all"),
        (&["tail", "-n", "1", "a.late.csv", "--infer-rows", "9000"], 0, "{\"x\":\"y\",\"t\":null}\n"),
        (&["convert", "a.late.csv", "-o", "a.late.arrow", "--infer-rows", "1000"], 1, "--infer-rows all"),
        (&["convert", "a.late.csv", "-o", "a.late.arrow", "--type", "x=int64"], 1, "--type"),
        (
            &["stats", "a.long.jsonl", "--infer-rows", "1"],
            1,
            "line 2, byte 6: field `x`: expected a whole number that float64 represents exactly",
        ),
        (&["stats", "a.long.jsonl", "--infer-rows", "1"], 1, "--type x=utf8"),
        (
            &["cat", "a.long.jsonl", "--infer-rows", "2"],
            0,
            "{\"x\":\"0.5\"}\n{\"x\":\"9007199254740993.0\"}\n",
        ),
        (
            &["stats", "a.jsonl", "--from-delimiter", ";"],
            2,
            "--from-delimiter is for CSV, but the content is JSON",
        ),
        (
            &["stats", "a.csv.arrows", "--from-no-header"],
            2,
            "--from-no-header is for text, but the content is Arrow",
        ),
        (&["diff", "a.csv.arrows", "a.csv.arrows", "--infer-rows", "5"], 2, "--infer-rows is for text, but"),
        (
            &["head", "a.csv.arrows", "a.csv.arrows", "--from", "csv"],
            2,
            "--from is for text, but the content is",
        ),
        (
            &["cat", "a.bars.csv", "--delimiter", "|"],
            2,
            "hint: --from-delimiter is the separator of CSV that",
        ),
        (&["cat", "a.csv", "--infer-rows", "0"], 2, "must be at least 1, and a whole number"),
    ];
    for (args, status, words) in cases {
        let outcome = in_folder(&folder, args);
        let said = if *status == 0 { outcome.text() } else { &outcome.stderr };
        let says =
            if *status == 0 { said == *words } else { said.contains(words) && outcome.stdout.is_empty() };
        assert!(outcome.status == *status && says, "{args:?}: {outcome:?}");
    }
}

/// `count` reads no more of a text than its rows, unless an option says something about values.
#[test]
fn rows_are_counted_whatever_values_they_have() {
    let folder = inputs();
    let long = "x".repeat(1_000);
    let csv = format!("x,t\n{}y,1.5\n", format!("1,{long}\n").repeat(8_500));
    fs::write(folder.path().join("a.late.csv"), &csv).unwrap();
    let json =
        format!("{}{{\"x\":[1],\"y\":{{}}}}\n", format!("{{\"x\":1,\"t\":\"{long}\"}}\n").repeat(8_500));
    fs::write(folder.path().join("a.late.jsonl"), &json).unwrap();
    fs::write(folder.path().join("a.array.json"), "[{\"x\":1},\n{\"x\":\"y\"}]\n").unwrap();
    fs::write(folder.path().join("a.ragged.csv"), "x,t\n1,2\ny\n").unwrap();
    let deep = format!("{{\"x\":{}{}}}\n", "[".repeat(70), "]".repeat(70));
    fs::write(folder.path().join("a.deep.jsonl"), deep).unwrap();
    fs::write(folder.path().join("a.cut.jsonl"), "{\"x\":1}\n{\"x\":\n").unwrap();
    let cases: [(&[&str], i32, &str); 12] = [
        (&["a.late.csv"], 0, "8501\n"),
        (&["a.late.jsonl"], 0, "8501\n"),
        (&["a.array.json"], 0, "2\n"),
        (&["a.deep.jsonl"], 0, "1\n"),
        (&["a.ragged.csv"], 1, "line 3: expected 2 cells, found 1"),
        (&["a.ragged.csv", "--ragged", "skip"], 3, "1\n"),
        (&["a.cut.jsonl"], 1, "line 2, byte 5: the line ends inside a value"),
        (&["a.late.csv", "--type", "x=int64"], 1, "line 8502: field `x`"),
        (&["a.late.csv", "--type", "z=int64"], 2, "no field is named \"z\""),
        (&["a.late.jsonl", "--type", "x=json"], 1, "unknown field \"y\""),
        (&["a.late.csv", "--where", "x = 1"], 1, "line 8502: field `x`"),
        (&["a.late.csv", "--where", "x = '1'", "--type", "x=utf8", "--type", "t=utf8"], 0, "8500\n"),
    ];
    for (args, status, said) in cases {
        let outcome = in_folder(&folder, &[&["count"][..], args].concat());
        let output = outcome.expect(&[status]).text().to_owned() + &outcome.stderr;
        assert!(output.contains(said), "{args:?}: {output}");
    }
}

/// Where neither the text nor the output is a pipe, `convert` begins again with types that all rows have.
#[test]
fn a_later_row_of_another_type_restarts_convert() {
    let folder = inputs();
    fs::write(folder.path().join("a.late.csv"), late_text()).unwrap();
    let rows = format!("{{\"x\":1,\"t\":\"{}\"}}\n", "a".repeat(1_000)).repeat(8_500);
    let json = [("a.wide.jsonl", "{\"x\":2,\"t\":null,\"y\":[2]}\n"), ("a.mixed.jsonl", "{\"x\":\"1\"}\n")];
    for (name, last) in json {
        fs::write(folder.path().join(name), rows.clone() + last).unwrap();
    }
    for (name, last) in [("a.late.csv", "{\"x\":\"y\",\"t\":null}\n"), json[0]] {
        let converted = in_folder(&folder, &["convert", name, "-o", "a.out.arrow"]);
        let note = "its schema was inferred again, from all rows";
        assert_eq!(converted.expect(&[0]).stderr.matches(note).count(), 1, "{converted:?}");
        let shown = in_folder(&folder, &["tail", "-n", "1", "--format", "json", "a.out.arrow"]);
        assert_eq!(shown.expect(&[0]).text(), last);
        // What is written cannot be begun again.
        let piped = in_folder(&folder, &["convert", name, "-", "--to", "stream"]);
        assert!(piped.expect(&[1]).stderr.contains("--infer-rows all"), "{}", piped.stderr);
    }
    // With a type that was given, the same error would come again.
    for (option, value, last) in [
        ("--type", "y=list<int8>", "{\"x\":2,\"y\":[300]}\n"),
        ("--type", "y=struct<z: utf8>", "{\"x\":2,\"y\":{\"k\":1}}\n"),
        ("--partial-schema", "a.txt", "{\"x\":2,\"y\":[300]}\n"),
    ] {
        fs::write(folder.path().join("a.txt"), "y: list<item: int8>\n").unwrap();
        fs::write(folder.path().join("a.given.jsonl"), format!("{{\"x\":1,\"y\":null}}\n{last}")).unwrap();
        let given = in_folder(&folder, &["convert", "a.given.jsonl", "-o", "a.out.arrow", option, value]);
        let output = &given.expect(&[1]).stderr;
        assert!(!output.contains("inferred again") && !output.contains("--infer-rows"), "{output}");
    }
    // No type fits all rows.
    let mixed = in_folder(&folder, &["convert", "a.mixed.jsonl", "-o", "a.out.arrow"]);
    assert!(mixed.expect(&[1]).stderr.contains("--type x=utf8 reads both as text"), "{}", mixed.stderr);
}

#[test]
fn errors_of_text_are_reported_as_by_convert() {
    let folder = inputs();
    let long: String = (0..5000).map(|id| format!("{id}\n")).collect();
    let texts = [
        ("a.csv", format!("id,n\n{}", long.replace('\n', ",1\n")) + "x,2\n", "line 5002: field `id`"),
        ("a.csv", "id,n\n1,\"2\n".to_owned(), "closing quote"),
        ("a.jsonl", "{\"id\":1}\n".repeat(2000) + "{\"id\":\"x\"}\n", "line 2001, "),
        ("a.jsonl", "{\"id\":1}\n{\"id\":".to_owned(), "line 2"),
    ];
    for (name, text, words) in texts {
        fs::write(folder.path().join(name), text).unwrap();
        let first_rows = ["--infer-rows", "1000"];
        let expected = in_folder(&folder, &[&["convert", name, "a.out.arrow"][..], &first_rows].concat());
        assert!(expected.expect(&[1]).stderr.contains(words), "{expected:?}");
        for command in ["cat", "tail", "sample", "stats"] {
            let outcome = in_folder(&folder, &[&[command, name][..], &first_rows].concat());
            assert_eq!(outcome.expect(&[1]).stderr, expected.stderr, "{command} {name}");
        }
        // Malformed rows cannot be counted, others can.
        let count = in_folder(&folder, &["count", name]);
        let is_malformed = !words.contains(", ") && !words.contains("field");
        assert_eq!(count.status, i32::from(is_malformed), "{name} {words}: {count:?}");
        assert!(!is_malformed || count.stderr == expected.stderr, "{name}: {}", count.stderr);
        let outcome = in_folder(&folder, &[&["diff", name, "a.csv.arrows"][..], &first_rows].concat());
        assert_eq!(outcome.expect(&[6]).stderr, expected.stderr, "{name}");
        assert_eq!(
            in_folder(&folder, &["head", "-n", "0", name]).status,
            in_folder(&folder, &["cat", "-n", "0", name]).status
        );
    }
}

#[test]
fn csv_of_one_column_is_recognized_by_its_name_and_nothing_by_a_byte_order_mark() {
    let folder = temporary_folder();
    fs::write(folder.path().join("a.csv"), "name\nada\nbob\n").unwrap();
    assert_eq!(in_folder(&folder, &["count", "a.csv"]).expect(&[0]).text(), "2\n");
    in_folder(&folder, &["convert", "a.csv", "a.arrow"]).expect(&[0]);
    assert_eq!(in_folder(&folder, &["count", "a.arrow"]).expect(&[0]).text(), "2\n");
    for (name, bytes, words) in [
        ("a.csv", &b"\xef\xbb\xbf"[..], "is empty"),
        ("a.bin", b"\xef\xbb\xbf", "is empty"),
        ("a.csv", b"", "is empty"),
        ("a.txt", b"name\nada\n", "neither"),
        ("a.csv", b"na\xefve\nada\n", "--from csv"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        for command in ["count", "cat"] {
            let outcome = in_folder(&folder, &[command, name]);
            assert!(outcome.expect(&[1]).stderr.contains(words), "{name}: {outcome:?}");
        }
        let outcome = in_folder(&folder, &["convert", name, "a.out.arrow"]);
        assert!(outcome.expect(&[1]).stderr.contains(words), "{name}: {outcome:?}");
    }
}

/// `explain` describes the first lines of text, also if it is compressed or in another encoding.
#[test]
fn explain_says_how_text_is_read() {
    let folder = temporary_folder();
    let utf_16: Vec<u8> = "\u{feff}Sales\nn|v\n1|x\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let cases: [(&str, &[u8], &[&str]); 6] = [
        (
            "a.csv",
            b"a,b\n1,2\n",
            &[
                "a.csv is CSV in UTF-8, as far as its first rows tell.",
                "separated by ',', and quoted by '\"'; line 1 has names",
            ],
        ),
        ("a.txt", b"sep=;\na;b\n1;2\n", &["separated by ';'", "1 line skipped; line 2 has names"]),
        ("a.csv", b"1\tx\n2\ty\n", &["separated by '\\t'", "line 1 has a row"]),
        ("a.csv", &utf_16, &["CSV in UTF-16, big-endian, as", "separated by '|'", "1 line skipped; line 2"]),
        ("a.json", b"[{\"a\":1}]", &["JSON, whose rows are no lines in UTF-8"]),
        (
            "a.gz",
            &zstd::encode_all(&b"{\"a\":1}\n"[..], 1).unwrap(),
            &["is lines of JSON in UTF-8, compressed by Zstandard, as"],
        ),
    ];
    for (name, bytes, words) in cases {
        fs::write(folder.path().join(name), bytes).unwrap();
        let shown = in_folder(&folder, &["explain", name]);
        for word in [words, &["arrow-ipc schema --infer "]].concat() {
            assert!(shown.expect(&[0]).text().contains(word), "{name}: {word}: {shown:?}");
        }
        let json = in_folder(&folder, &["explain", "--json", name]);
        assert!(json.expect(&[0]).text().starts_with("{\"container\":\"text\",\"format\":\""), "{json:?}");
    }
    assert!(
        in_folder(&folder, &["explain", "a.csv", "--columns", "a"])
            .expect(&[2])
            .stderr
            .contains("--columns is for Arrow data")
    );
    fs::write(folder.path().join("a.bin"), b"\0\x01\x02").unwrap();
    in_folder(&folder, &["explain", "a.bin"]).expect(&[1]);
}

#[test]
fn inferred_schemas_are_json_too() {
    let folder = inputs();
    let json = in_folder(&folder, &["schema", "--infer", "--json", "a.csv"]);
    assert!(json.expect(&[0]).text().starts_with("{\"container\":\"text\","), "{json:?}");
    fs::write(folder.path().join("a.schema"), json.text()).unwrap();
    in_folder(&folder, &["convert", "a.csv", "a.arrow", "--schema", "a.schema"]).expect(&[0]);
    in_folder(&folder, &["diff", "a.arrow", "a.csv.arrows"]).expect(&[0]);
    let two = in_folder(&folder, &["schema", "--infer", "--json", "a.csv", "a.jsonl.arrows"]);
    let lines: Vec<&str> = two.expect(&[0]).text().lines().collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("{\"input\":")), "{two:?}");
}

/// Rows without columns are blank lines of CSV, which are no rows.
#[test]
fn rows_without_columns_are_lost_in_csv() {
    let folder = temporary_folder();
    fs::write(folder.path().join("a.jsonl"), "{}\n".repeat(5)).unwrap();
    in_folder(&folder, &["convert", "a.jsonl", "a.arrow"]).expect(&[0]);
    let note =
        "note: 5 rows without columns written as blank lines, which readers of CSV skip; JSON keeps rows\n";
    for args in [&["convert", "a.arrow", "a.csv"][..], &["cat", "a.arrow", "--format", "csv"]] {
        assert_eq!(in_folder(&folder, args).expect(&[3]).stderr, note, "{args:?}");
    }
    assert_eq!(in_folder(&folder, &["count", "a.csv"]).expect(&[0]).text(), "0\n");
    assert_eq!(in_folder(&folder, &["convert", "a.arrow", "-o", "a.out.jsonl"]).expect(&[0]).stderr, "");
    assert_eq!(in_folder(&folder, &["count", "a.out.jsonl"]).expect(&[0]).text(), "5\n");
}

/// A null in a single column of CSV is written as `""`. It is read back as null only if the column has no empty text.
#[test]
fn nulls_of_a_single_column_of_csv_are_counted() {
    let folder = temporary_folder();
    let rows = "{\"city\":null,\"n\":1}\n{\"city\":\"\",\"n\":null}\n{\"city\":null,\"n\":3}\n";
    fs::write(folder.path().join("a.jsonl"), rows).unwrap();
    let lost = "note: 2 nulls written as \"\", like empty text";
    let cases: [(&[&str], i32, &str); 7] = [
        (&["cat", "a.jsonl", "--columns", "city", "--format", "csv"], 3, lost),
        (&["tail", "a.jsonl", "--columns", "city", "--format", "csv"], 3, lost),
        (&["convert", "a.jsonl", "a.csv", "--columns", "city"], 3, lost),
        (
            &[
                "convert",
                "a.jsonl",
                "-o",
                "a.b.csv",
                "--columns",
                "city",
                "--cast",
                "city=dictionary<int8, utf8>",
            ],
            3,
            lost,
        ),
        (&["head", "a.jsonl", "-n", "1", "--columns", "city", "--format", "csv"], 3, "note: 1 null written"),
        (&["cat", "a.jsonl", "--columns", "n", "--format", "csv"], 0, ""),
        (&["cat", "a.jsonl", "--format", "csv"], 0, ""),
    ];
    for (args, status, note) in cases {
        let outcome = in_folder(&folder, args);
        let output = outcome.expect(&[status]).stderr.clone();
        assert!(output.contains(note) && output.is_empty() == note.is_empty(), "{args:?}: {output}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.csv")).unwrap(), "city\n\"\"\n\"\"\n\"\"\n");
}

/// Rows are objects, unless an option asks for pairs.
#[test]
fn names_of_columns_may_repeat() {
    let folder = temporary_folder();
    let (from, to) = (folder.path().join("a.csv"), folder.path().join("a.jsonl"));
    let [from, to] = [&from, &to].map(|path| path.to_str().unwrap());
    fs::write(from, "id,id,id_1\n1,2,3\n4,5,6\n").unwrap();
    let rows = "{\"id\":1,\"id_2\":2,\"id_1\":3}\n{\"id\":4,\"id_2\":5,\"id_1\":6}\n";
    let shown = run(["cat", from]);
    assert_eq!(shown.expect(&[0]).text(), rows);
    assert!(
        shown
            .stderr
            .starts_with("note: several columns have the same name; in JSON, the later ones are called id_2"),
        "{shown:?}"
    );
    let pairs = run(["cat", from, "--json-pairs", "-n", "1"]);
    assert_eq!(pairs.expect(&[0]).text(), "[[\"id\",1],[\"id\",2],[\"id_1\",3]]\n");
    assert_eq!(pairs.stderr, "");
    run(["convert", from, to]).expect(&[0]);
    assert_eq!(fs::read_to_string(to).unwrap(), rows);
    let refused = run(["cat", from, "--json-pairs", "--format", "csv"]);
    assert!(refused.expect(&[2]).stderr.contains("--json-pairs needs --format json"), "{refused:?}");
}

/// `explain` accepts the options of `cat`, reads pipes, and refuses the same inputs.
#[test]
fn text_is_explained_as_it_is_read() {
    type Case<'a> = (&'a [u8], &'a [&'a str], i32, &'a str);
    let wide = [",".repeat(200_000).as_bytes(), b"\n1\n"].concat();
    let cases: [Case<'_>; 7] = [
        (
            b"a;b\n1;2\n",
            &[],
            0,
            "is CSV in UTF-8, as far as its first rows tell.\nCells are separated by ';', and quoted by '\"'",
        ),
        (
            b"a;b\n1;2\n",
            &["--from-delimiter", ",", "--from", "csv", "--quote", ""],
            0,
            "separated by ',', and not quoted; line 1 has names",
        ),
        (b"n,v\n1,gr\xfcn\n", &["--from", "csv"], 1, "hint: text is read as UTF-8"),
        (b"n,v\n1,gr\xfcn\n", &["--encoding", "latin1"], 0, "is CSV in latin1"),
        (b"{\"v\":1}\n{\"v\":\"a\"}\n", &[], 1, "--type v=utf8"),
        (b"{\"v\":1}\n{\"v\":\"a\"}\n", &["--type", "v=utf8"], 0, "is lines of JSON in UTF-8"),
        (&wide, &["--from", "csv"], 5, "line 1: more than 131072 columns, the limit for inferring a schema"),
    ];
    for (text, options, status, said) in cases {
        let outcome = run_with_input([&["explain", "-"][..], options].concat(), text);
        let output = outcome.expect(&[status]).text().to_owned() + &outcome.stderr;
        assert!(output.contains(said), "{options:?} {output}");
        let read = run_with_input([&["cat", "-"][..], options].concat(), text);
        assert_eq!(read.status, status, "{options:?} {}", read.stderr);
    }
}
