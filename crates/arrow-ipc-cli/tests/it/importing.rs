//! Imports CSV and lines of JSON, compressed or not, with a given or an inferred schema.

use std::{fs, io::Write as _, path::Path};

use flate2::{Compression, write::GzEncoder};

use crate::program::{Outcome, run, run_with_input, temporary_folder};

const CSV: &str = "id,name,at\n1,ada,2024-02-29T10:00:00Z\n2,,\n";
const JSON: &str = "{\"id\":1,\"tags\":[\"a\"]}\n{\"id\":2.5}\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 1).unwrap()
}

/// Converts these bytes. Returns the outcome, and the rows of the output.
fn converted(bytes: &[u8], options: &[&str]) -> (Outcome, String) {
    let folder = temporary_folder();
    let (from, to) = (folder.path().join("input"), folder.path().join("a.arrow"));
    fs::write(&from, bytes).unwrap();
    let args = [Path::new("convert"), &from, &to];
    let outcome = run(args.into_iter().chain(options.iter().map(Path::new)));
    let rows = match to.exists() {
        true => run([Path::new("cat"), &to, Path::new("--format"), Path::new("json")]).text().to_owned(),
        false => String::new(),
    };
    (outcome, rows)
}

#[test]
fn text_is_recognized_by_its_content() {
    let csv = "{\"id\":1,\"name\":\"ada\",\"at\":\"2024-02-29T10:00:00.000000Z\"}\n{\"id\":2,\"name\":null,\"at\":null}\n";
    let json = "{\"id\":1.0,\"tags\":[\"a\"]}\n{\"id\":2.5,\"tags\":null}\n";
    let marked = format!("\u{feff}{CSV}");
    let semicolons = CSV.replace(',', ";");
    let cases: [(Vec<u8>, &str); 8] = [
        (CSV.into(), csv),
        (marked.into(), csv),
        (semicolons.into(), csv),
        (CSV.replace('\n', "\r\n").into(), csv),
        (gzip(CSV), csv),
        (zstd(CSV), csv),
        (JSON.into(), json),
        (gzip(JSON), json),
    ];
    for (bytes, expected) in cases {
        let (outcome, rows) = converted(&bytes, &[]);
        outcome.expect(&[0]);
        assert_eq!(rows, expected, "{bytes:?}");
    }
}

#[test]
fn damaged_compressed_text_is_a_damaged_input() {
    let long = CSV.repeat(2_000);
    for bytes in [gzip(&long), zstd(&long)] {
        let half = &bytes[..bytes.len() / 2];
        for options in [&[][..], &["--from", "csv"]] {
            let (outcome, rows) = converted(half, options);
            assert!(outcome.expect(&[1]).stderr.contains("the compressed data is"), "{}", outcome.stderr);
            assert_eq!(rows, "");
        }
    }
}

/// A named pipe cannot be read twice.
#[test]
#[cfg(unix)]
fn named_pipes_lose_nothing() {
    let folder = temporary_folder();
    let (pipe, to) = (folder.path().join("pipe.csv"), folder.path().join("a.arrow"));
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: named pipes: there is no mkfifo");
        return;
    }
    for (options, statuses, n_rows) in [(&[][..], &[0], "2\n"), (&["--from", "csv"], &[0], "2\n")] {
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::write(pipe, CSV)
        });
        let args = [Path::new("convert"), &pipe, Path::new("-o"), &to];
        run(args.into_iter().chain(options.iter().map(Path::new))).expect(statuses);
        // Writing fails if nothing is read.
        let _ = writer.join().unwrap();
        assert_eq!(to.exists(), !n_rows.is_empty());
        if to.exists() {
            assert_eq!(run([Path::new("count"), &to]).text(), n_rows);
        }
    }
}

#[test]
fn pipes_are_text_if_that_is_clear_or_said() {
    let to_stream = ["convert", "-", "-", "--to", "stream"];
    for unclear in ["a,b\n", "a,b\n1\n2,3\n", "hello, world\nhi\n"] {
        let outcome = run_with_input(to_stream, unclear.as_bytes());
        assert!(outcome.expect(&[1]).stderr.contains("--from csv"), "{}", outcome.stderr);
    }
    for clear in [CSV.as_bytes(), JSON.as_bytes(), b"Title\n\na,b\n1,2\n3,4\n", &gzip(CSV), &gzip(JSON)] {
        let stream = run_with_input(to_stream, clear);
        assert_eq!(run_with_input(["count", "-"], &stream.expect(&[0]).stdout).text(), "2\n");
        assert_eq!(run_with_input(["count", "-"], clear).text(), "2\n");
    }
    for (form, bytes) in [("csv", CSV.as_bytes().to_vec()), ("jsonl", zstd(JSON))] {
        let stream = run_with_input([&to_stream[..], &["--from", form]].concat(), &bytes);
        assert_eq!(run_with_input(["count", "-"], &stream.expect(&[0]).stdout).text(), "2\n");
    }
    // Compressed Arrow data is not text.
    let stream = run_with_input([&to_stream[..], &["--from", "csv"]].concat(), CSV.as_bytes()).stdout;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&stream).unwrap();
    let (outcome, rows) = converted(&encoder.finish().unwrap(), &[]);
    outcome.expect(&[0]);
    assert_eq!(rows.lines().count(), 2);
}

#[test]
fn schemas_are_inferred_edited_and_given_back() {
    let folder = temporary_folder();
    let (text, schema) = (folder.path().join("a.csv"), folder.path().join("a.schema"));
    fs::write(&text, CSV).unwrap();
    let inferred = run([Path::new("schema"), Path::new("--infer"), &text]);
    assert_eq!(inferred.expect(&[0]).text(), "id: int64\nname: utf8\nat: timestamp(us, \"UTC\")\n");
    let edited = inferred.text().replace("int64", "int8 not null").replace("utf8", "large_string");
    let metadata = "\nmetadata of the schema:\n  \"by\": null\n\nmetadata of field id:\n  \"unit\": \"m\"\n";
    fs::write(&schema, edited + metadata).unwrap();
    let file = folder.path().join("a.arrow");
    let args = [Path::new("convert"), &text, &file, Path::new("--schema"), &schema];
    run(args).expect(&[0]);
    let expected = format!("id: int8 not null\nname: large_utf8\nat: timestamp(us, \"UTC\")\n{metadata}");
    assert!(run([Path::new("schema"), &file]).text().ends_with(&expected));
    // The schema of a file, from the file itself and as JSON.
    let json = run([Path::new("schema"), Path::new("--json"), &file]);
    fs::write(&schema, json.text()).unwrap();
    for given in [&schema, &file.clone()] {
        let second = folder.path().join("again.arrow");
        run([Path::new("convert"), &text, Path::new("-o"), &second, Path::new("--schema"), given])
            .expect(&[0]);
        run([Path::new("diff"), &file, &second]).expect(&[0]);
    }
}

#[test]
fn a_schema_is_text_of_some_length_or_arrow_data() {
    let folder = temporary_folder();
    let [text, schema, file] = ["a.csv", "long", "a.arrow"].map(|name| folder.path().join(name));
    fs::write(&text, CSV).unwrap();
    let given = [Path::new("convert"), &text, Path::new("-o"), &file, Path::new("--schema"), &schema];
    let mut bytes = b"# a schema as text, and too long\nid: int64\n".repeat(400_000);
    fs::write(&schema, &bytes).unwrap();
    let outcome = run(given);
    assert!(outcome.expect(&[5]).stderr.contains("longer than 16 MiB"), "{}", outcome.stderr);
    assert!(!file.exists());
    // Arrow data may be longer than the limit for text.
    run([Path::new("convert"), &text, &file]).expect(&[0]);
    bytes.splice(
        ..0,
        run([Path::new("convert"), &file, Path::new("-"), Path::new("--to"), Path::new("stream")]).stdout,
    );
    fs::write(&schema, &bytes).unwrap();
    run(given).expect(&[0]);
}

/// An option that would have no effect is an error.
#[test]
fn options_of_text_are_for_text() {
    let file = "golden/pyarrow-26.0.1/many-batches.arrow";
    for (options, option) in [
        (&["--delimiter", ";"][..], "--delimiter"),
        (&["--no-header"], "--no-header"),
        (&["--infer-rows", "5"], "--infer-rows"),
        (&["--schema", file], "--schema"),
    ] {
        let outcome = run(["convert", file, "-", "--to", "stream"].iter().chain(options).copied());
        let expected = format!("{option} is for text, but the content is Arrow data");
        assert!(outcome.expect(&[2]).stderr.contains(&expected), "{}", outcome.stderr);
        assert!(outcome.stdout.is_empty());
        if option != "--schema" {
            let outcome = run(["schema", "--infer", file].iter().chain(options).copied());
            assert!(outcome.expect(&[2]).stderr.contains(&expected), "{}", outcome.stderr);
            let outcome = run(["schema", file].iter().chain(options).copied());
            assert!(outcome.expect(&[2]).stderr.contains(&expected), "{}", outcome.stderr);
        }
    }
    for option in ["--delimiter=;", "--no-header"] {
        let (outcome, rows) = converted(JSON.as_bytes(), &[option]);
        assert!(
            outcome.expect(&[2]).stderr.contains("is for CSV, but the content is JSON"),
            "{}",
            outcome.stderr
        );
        assert_eq!(rows, "");
    }
}

#[test]
fn options_of_columns_apply_to_text() {
    let options = [
        "--columns",
        "name,id",
        "--cast",
        "id=int8",
        "--rename",
        "id=n",
        "--batch-rows",
        "1",
        "--row-counts",
    ];
    let (outcome, rows) = converted(CSV.as_bytes(), &options);
    outcome.expect(&[0]);
    assert_eq!(rows, "{\"name\":\"ada\",\"n\":1}\n{\"name\":null,\"n\":2}\n");
    let (outcome, rows) = converted(b"1|x\n2|y\n", &["--no-header", "--from", "csv"]);
    outcome.expect(&[0]);
    assert_eq!(rows, "{\"c0\":1,\"c1\":\"x\"}\n{\"c0\":2,\"c1\":\"y\"}\n");
}

#[test]
fn bad_text_is_refused_with_its_location_and_leaves_no_output() {
    let long = [b"a,b\n1,\"", "x".repeat(17 << 20).as_bytes(), b"\"\n"].concat();
    let deep = format!("{{\"a\":{}{}}}\n", "[".repeat(64), "]".repeat(64));
    let wide = [",".repeat(1 << 17).as_bytes(), b"\n1\n"].concat();
    let cases: [(&[u8], &[&str], i32, &str); 43] = [
        // With thousands, `0,123` is no number.
        (b"v;w\n1;2\n0,123;2\n", &["--infer-rows", "1"], 1, "--decimal ,"),
        (b"v;w\n1;2\n0.123;2\n", &["--infer-rows", "1", "--decimal", ","], 1, "--type v=utf8"),
        (b"a,b\n1,\"x\n", &[], 1, "line 2: cell 2 has no closing quote"),
        (b"a,b\n1,\"x\"y\n", &[], 1, "line 2: cell 2 has text after its closing quote"),
        (b"a,b\n1\n", &[], 1, "line 2: expected 2 cells, found 1"),
        (b"a,b\n1,x\nq,y\n", &["--infer-rows", "1"], 1, "line 3: field `a`: expected an integer"),
        (b"a,b\n1,gr\xfc\xdfe\n", &[], 1, "line 2: cell 2 is not UTF-8"),
        (
            b"{\"a\":1}\n{\"a\":[]}\n",
            &[],
            1,
            "line 2, byte 6: field `a`: expected an integer, as in earlier values, found an array",
        ),
        (b"{\"a\":1}\n{\"a\":[]}\n", &[], 1, "--type a=json"),
        (b"{\"a\":[1]}\n{\"a\":2}\n", &["--infer-rows", "1"], 1, "--type a=json"),
        (b"a,b\n1,2\n", &["--from", "jsonl"], 1, "the text looks like CSV: --from csv reads it"),
        (b"{\"a b\":{\"c\":1}}\n{\"a b\":{\"c\":\"x\"}}\n", &[], 1, "--type 'a b=json'"),
        (b"a,b\n1,\"1,000\"\n", &["--type", "b=int64"], 1, "--thousands ,"),
        (b"a,b\n1,\"1,00\"\n", &["--type", "b=int64"], 1, "--decimal ,"),
        (b"{\"a\":1}\n{\"b\":1}\n", &["--infer-rows", "1"], 1, "--infer-rows all"),
        (b"1\n2\n", &["--from", "jsonl"], 1, "hint: jq -c '{value: .}'"),
        (b"{}\n2\n", &["--from", "jsonl"], 1, "hint: without the rows that are not objects: jq -c 'objects'"),
        (
            b"null\n{}\n",
            &["--from", "jsonl"],
            1,
            "hint: without the rows that are not objects: jq -c 'objects'",
        ),
        (
            b"{\"a\":1}\nnull\n",
            &["--infer-rows", "1"],
            1,
            "hint: without the rows that are not objects: jq -c 'objects'",
        ),
        (b"{\"a\":1,\"b\":2}\n{}\n{}\n", &["--max-null-bytes", "8"], 5, "--max-null-bytes BYTES"),
        (&long, &[], 5, "hint: a row of text has at most 16 MiB; a quote that is not closed"),
        (deep.as_bytes(), &[], 5, "types are nested 65 levels deep; the limit is 64"),
        (&wide, &["--from", "csv"], 5, "line 1: more than 131072 columns"),
        (
            b"name,x\n1,2\n",
            &["--schema", "golden/pyarrow-26.0.1/many-batches.arrow"],
            1,
            "hint: the file of --schema must have the names of the header",
        ),
        (b"[{\"a\":1},\n{\"a\":[]}]\n", &[], 1, "row 2, byte 6: field `a`: expected an integer"),
        (b"{\n\"a\":1\n", &[], 1, "row 1, byte 8: the line ends inside a value"),
        (b"[{\"a\":1}\n", &[], 1, "the array of rows has no end, at byte 9"),
        (b"[[1,2]]\n", &[], 1, "expected an object, found an array"),
        (b"[[1,\"b\"]]\n", &[], 1, "expected an object, found an array"),
        (b"[[\"id\",\"name\",\"city\"],[1,\"x\",\"y\"]]\n", &[], 1, "expected an object, found an array"),
        (b"[[\"id\",\"name\"],[1,\"x\"]]\n", &[], 1, "expected an object, found an array"),
        (b"[[\"a b\"]]\n", &[], 1, "expected an object, found an array"),
        (
            b"{\"a\":NaN}\n",
            &[],
            1,
            "hint: JSON has no such numbers: the writer must write the name in quotes",
        ),
        (b"{\"a\":1,}\n", &[], 1, "hint: JSON has no comma before ] and }"),
        (b"{\"a\":\"\\ud800\"}\n", &[], 1, "hint: \\ud800 to \\udfff are halves of characters"),
        (b"d,n\n2024-01-01,1\n", &["--type", "d=timestamp(s)"], 1, "--dates ymd"),
        (
            b"t,n\n2024-01-01T10:00:00.5,1\n2024-01-01T10:00:00.123456789,1\n",
            &["--infer-rows", "1"],
            1,
            "--type 't=timestamp(ns)'",
        ),
        (b"{\"t\":1704067200}\n", &["--type", "t=timestamp(s)"], 1, "gives it: int64 takes this value"),
        (b"{\"a\":", &[], 1, "line 1"),
        (b"", &["--from", "csv"], 1, "is empty"),
        (&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1], &[], 1, "the compressed data is truncated"),
        (b"a,b\n1,x\nq,y\n", &["--infer-rows", "1", "--dictionaries", "unify"], 1, "line 3: field `a`"),
        (b"a,b\n1,2\n", &["--cast", "a=date32"], 5, "cannot be cast"),
    ];
    for (bytes, options, status, text) in cases {
        let (outcome, rows) = converted(bytes, options);
        assert!(outcome.expect(&[status]).stderr.contains(text), "{options:?}: {}", outcome.stderr);
        assert_eq!(rows, "");
    }
    let (outcome, _) = converted(CSV.as_bytes(), &["--schema", "no/such/file"]);
    outcome.expect(&[4]);
}

/// The output of `cat` without rows can be read with a schema.
#[test]
fn a_text_without_rows_needs_a_schema() {
    let folder = temporary_folder();
    let schema = folder.path().join("schema");
    std::fs::write(&schema, "id: int64").unwrap();
    let (outcome, rows) = converted(b"", &["--schema", schema.to_str().unwrap()]);
    outcome.expect(&[0]);
    assert_eq!(rows, "");
    let (outcome, _) = converted(b"", &[]);
    assert!(outcome.expect(&[1]).stderr.contains("is empty"));
}

/// Options or a schema set the types of some columns. The types of the others are inferred, from some rows or from all.
#[test]
fn one_wrong_type_needs_no_schema() {
    let folder = temporary_folder();
    let text = folder.path().join("a.csv");
    fs::write(&text, "zip,v,w\n0150,1,1\n2000,2,2\n9999,2.5,x\n").unwrap();
    let partial = folder.path().join("v.schema");
    fs::write(&partial, "v: float32 not null\n").unwrap();
    let (name, partial) = (text.to_str().unwrap(), partial.to_str().unwrap());
    let cases: [(&[&str], &str); 10] = [
        (&[], "zip: utf8\nv: float64\nw: utf8\n"),
        (
            &["--type", "w=utf8", "--type", "v=float32", "--infer-rows", "1"],
            "zip: utf8\nv: float32\nw: utf8\n",
        ),
        // Types that inference would not choose. int16 loses the leading zeros.
        (&["--type", "zip=int16", "--infer-rows", "all"], "zip: int16\nv: float64\nw: utf8\n"),
        (&["--type", "zip=dictionary<int8, string>"], "zip: dictionary<int8, utf8>\nv: float64\nw: utf8\n"),
        (&["--partial-schema", partial], "zip: utf8\nv: float32 not null\nw: utf8\n"),
        (&["--infer-rows", "2"], "line 4: field `v`: expected an integer"),
        (&["--infer-rows", "2"], "--type v=float64"),
        (&["--infer-rows", "2", "--type", "v=float64"], "--type w=utf8"),
        (&["--type", "x=utf8"], "no field is named"),
        (&["--partial-schema", partial, "--schema", partial], "cannot be used with"),
    ];
    for (options, expected) in cases {
        let to = folder.path().join("a.arrow");
        let outcome = run([&["convert", name, "-o", to.to_str().unwrap()][..], options].concat());
        if outcome.stderr.is_empty() {
            assert_eq!(
                run([Path::new("schema"), &to]).text().split_once('\n').unwrap().1,
                expected,
                "{options:?}"
            );
        } else {
            assert!(outcome.expect(&[1, 2]).stderr.contains(expected), "{options:?} {}", outcome.stderr);
        }
    }
    let counted =
        run(["count", name, "--where", "zip = \"0150\"", "--type", "v=float64", "--infer-rows", "all"]);
    assert_eq!(counted.expect(&[0]).text(), "1\n");
    let odd = fs::write(&text, "\"a b\",c\n1,2\nx,2\n");
    odd.unwrap();
    let hint = run(["cat", name, "--infer-rows", "1"]);
    assert!(hint.expect(&[1]).stderr.contains("--type 'a b=utf8'"), "{}", hint.stderr);
    assert_eq!(run(["cat", name, "--type", "\"a b\"=utf8"]).expect(&[0]).text().lines().count(), 2);
    // More text than fits in memory. The last row has the value that is not an integer.
    let row = format!("1,2,{}\n", "long ".repeat(80));
    let long = format!("a,b,c\n{}9.5,x,y\n", row.repeat((36 << 20) / row.len()));
    let shown =
        run_with_input(["schema", "--infer", "--from", "csv", "--infer-rows", "all", "-"], long.as_bytes());
    assert_eq!(shown.expect(&[0]).text(), "a: float64\nb: utf8\nc: utf8\n");
}

/// A line whose cells look like values is the line of names, if an option names one of them.
#[test]
fn names_may_be_numbers() {
    let folder = temporary_folder();
    let text = folder.path().join("a.csv");
    let partial = folder.path().join("partial");
    fs::write(&partial, "\"11\": int8\n").unwrap();
    let (name, partial) = (text.to_str().unwrap(), partial.to_str().unwrap());
    let cases: [(&str, &[&str], &str); 8] = [
        ("item,11\na,1\n", &["--type", "11=int8"], "item: utf8\n\"11\": int8\n"),
        ("item,11\na,1\n", &["--partial-schema", partial], "item: utf8\n\"11\": int8\n"),
        ("item,11\na,1\n", &["--type", "item=large_utf8"], "item: large_utf8\n\"11\": int64\n"),
        ("item,11\na,1\n", &["--type", "c1=int8"], "c0: utf8\nc1: int8\n"),
        ("item,11\na,1\n", &[], "c0: utf8\nc1: int64\n"),
        ("city,2023,2024\nOslo,1,2\n", &[], "city: utf8\n\"2023\": int64\n\"2024\": int64\n"),
        ("city,2023\nOslo,1.5\n", &["--type", "2023=float32"], "city: utf8\n\"2023\": float32\n"),
        ("ada,1990\nbob,1985\n", &[], "c0: utf8\nc1: int64\n"),
    ];
    for (rows, options, expected) in cases {
        fs::write(&text, rows).unwrap();
        let to = folder.path().join("a.arrow");
        let outcome = run([&["convert", name, "-o", to.to_str().unwrap()][..], options].concat());
        let is_reported = outcome.expect(&[0]).stderr.contains("--from-header takes it for names");
        assert_eq!(is_reported, expected.starts_with("c0"), "{rows:?} {options:?}");
        let shown = run([Path::new("schema"), &to]);
        assert_eq!(shown.text().split_once('\n').unwrap().1, expected, "{rows:?} {options:?}");
    }
}

/// Rows of JSON in an array, on several lines, and several on one line, from files and pipes, compressed or not.
#[test]
fn rows_of_json_need_not_be_lines() {
    let rows = "{\"a\":1,\"b\":[\"x]\"]}\n{\"a\":2,\"b\":null}\n";
    for text in [
        "[{\"a\":1,\"b\":[\"x]\"]},{\"a\":2}]",
        "[\n  {\n    \"a\": 1,\n    \"b\": [\n      \"x]\"\n    ]\n  },\n  {\"a\": 2}\n]\n",
        "{\n  \"a\": 1,\n  \"b\": [\"x]\"]\n}\n{\n  \"a\": 2\n}\n",
        "{\"a\":1,\"b\":[\"x]\"]} {\"a\":2}",
    ] {
        let (outcome, found) = converted(text.as_bytes(), &[]);
        outcome.expect(&[0]);
        assert_eq!(found, rows, "{text}");
        for bytes in [text.as_bytes().to_vec(), gzip(text)] {
            assert_eq!(run_with_input(["cat", "-"], &bytes).expect(&[0]).text(), rows, "{text}");
        }
    }
    // Many rows are read in parts of limited length.
    let many = format!("[{}]", vec!["{\"n\":1}"; 200_000].join(","));
    assert_eq!(run_with_input(["count", "-"], many.as_bytes()).text(), "200000\n");
}

/// The name of the output determines its compression. The decompressed text is equal to the output of `cat`.
#[test]
fn text_is_written_by_its_name() {
    let folder = temporary_folder();
    let from = folder.path().join("a.csv");
    fs::write(&from, CSV).unwrap();
    let arrow = folder.path().join("a.arrow");
    run([Path::new("convert"), &from, &arrow]).expect(&[0]);
    let cat = |format: &str| {
        run([Path::new("cat"), &arrow, Path::new("--format"), Path::new(format)]).text().to_owned()
    };
    let (csv, json) = (cat("csv"), cat("json"));
    let unpacked = |name: &str, bytes: &[u8]| {
        let mut text = String::new();
        match name.rsplit_once('.') {
            Some((_, "gz")) => {
                std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(bytes), &mut text).unwrap()
            }
            Some((_, "zst")) => {
                std::io::Read::read_to_string(&mut zstd::Decoder::new(bytes).unwrap(), &mut text).unwrap()
            }
            _ => std::io::Read::read_to_string(&mut &*bytes, &mut text).unwrap(),
        };
        text
    };
    let tabs = csv.replace(',', "\t");
    fs::create_dir(folder.path().join("of.tsv")).unwrap();
    for (name, expected) in [
        ("b.csv", &csv),
        ("of.tsv/b.csv", &csv),
        ("b.tsv.csv", &csv),
        ("b.TSV.gz", &tabs),
        ("b.tsv", &tabs),
        ("b.jsonl", &json),
        ("b.JSON.gz", &json),
        ("b.csv.gz", &csv),
        ("b.ndjson.zst", &json),
    ] {
        // The inputs are Arrow data, text, and a stream from a pipe.
        let to = folder.path().join(name);
        for input in [&arrow, &from] {
            run([Path::new("convert"), input, Path::new("-o"), &to]).expect(&[0]);
            assert_eq!(unpacked(&name.to_lowercase(), &fs::read(&to).unwrap()), *expected, "{name}");
        }
    }
    // Without files, standard input is read, unless it is a terminal.
    assert_eq!(run_with_input(["cat", "--format", "csv"], csv.as_bytes()).expect(&[0]).text(), csv);
    assert_eq!(run_with_input(["count"], &fs::read(&arrow).unwrap()).expect(&[0]).text(), "2\n");
    let to = folder.path().join("c.csv");
    let [from, arrow, to] = [&from, &arrow, &to].map(|path| path.to_str().unwrap());
    let options = [
        "--columns",
        "id,name",
        "--rename",
        "name=who",
        "--rename",
        "id=n",
        "--cast",
        "n=int32",
        "--where",
        "id = 1",
    ];
    run([&["convert", arrow, to][..], &options].concat()).expect(&[0]);
    assert_eq!(fs::read_to_string(to).unwrap(), "n,who\n1,ada\n");
    fs::remove_file(to).unwrap();
    // After an error, no output is left. Options that text does not support are refused.
    fs::write(from, "a,b\n1,2\nx,2\n").unwrap();
    run(["convert", from, to, "--infer-rows", "1"]).expect(&[1]);
    let refused = run(["convert", arrow, to, "--compression", "zstd"]);
    assert!(
        refused.expect(&[2]).stderr.contains("--compression is for Arrow data, but the content is text"),
        "{refused:?}"
    );
    assert!(!Path::new(to).exists());
    // Standard output is a stream.
    let stream = run(["convert", arrow, "-"]);
    assert_eq!(run_with_input(["count", "-"], &stream.expect(&[0]).stdout).text(), "2\n");
    let hint = run(["convert", arrow, "d.parquet"]).expect(&[2]).stderr.clone();
    assert!(hint.contains("polars.scan_ipc(") && hint.contains(" d.parquet"), "{hint}");
    for (args, words) in [
        (&["tail", "-n", "+3", arrow][..], "without a sign"),
        (&["sort", arrow], "polars.scan_ipc(sys.argv[1]).sort("),
        (&["group", arrow], "polars.scan_ipc(sys.argv[1]).group_by(\"COLUMN\").len()"),
    ] {
        let refused = run(args);
        assert!(refused.expect(&[2]).stderr.contains(words), "{refused:?}");
    }
}

/// `--cast` accepts the old or the new name of a column. If both exist, a note says which one counts.
#[test]
fn names_of_casts_are_old_or_new() {
    let folder = temporary_folder();
    let (from, to) = (folder.path().join("a.csv"), folder.path().join("a.arrow"));
    fs::write(&from, "a,b\n1,2\n").unwrap();
    let cases: [(&[&str], &str, &str); 4] = [
        (&["--rename", "a=c", "--cast", "a=utf8"], "c: utf8\nb: int64\n", ""),
        (&["--rename", "a=c", "--cast", "c=utf8"], "c: utf8\nb: int64\n", ""),
        (&["--rename", "a=c", "--cast", "b=utf8"], "c: int64\nb: utf8\n", ""),
        (
            &["--rename", "a=b", "--rename", "b=a", "--cast", "b=utf8"],
            "b: int64\na: utf8\n",
            "note: --cast b casts the column with the old name b, not the one that --rename gives this name\n",
        ),
    ];
    for (options, schema, said) in cases {
        let paths = ["convert", from.to_str().unwrap(), "-o", to.to_str().unwrap()];
        let outcome = run([&paths[..], options].concat());
        assert_eq!(outcome.expect(&[0]).stderr, said, "{options:?}");
        assert_eq!(run([Path::new("schema"), &to]).text().split_once('\n').unwrap().1, schema, "{options:?}");
    }
    for options in [
        &["--cast", "a=utf8", "--cast", "a=int8"][..],
        &["--cast", "a=int64", "--cast", "a=int64"],
        &["--rename", "a=c", "--cast", "a=utf8", "--cast", "c=int8"],
    ] {
        let paths = ["convert", from.to_str().unwrap(), "-o", to.to_str().unwrap()];
        let outcome = run([&paths[..], options].concat());
        let said = "the column a would be cast to more than one type\n";
        assert!(outcome.expect(&[2]).stderr.ends_with(said), "{options:?}: {}", outcome.stderr);
    }
}
