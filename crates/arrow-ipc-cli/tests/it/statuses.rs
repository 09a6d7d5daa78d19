//! Exit statuses, and texts that messages must have.

use std::{fs, path::Path, process::Stdio};

use crate::program::{command, corpus, finish, run, run_with_input, temporary_folder};

const FILE: &str = "golden/pyarrow-26.0.1/integers-full.arrow";
const STREAM: &str = "golden/pyarrow-26.0.1/integers-full.arrows";
const BROKEN: &str = "hostile/file-batch-offsets-past.arrow_file";
const VIEWS: &str = "golden/pyarrow-26.0.1/views-full.arrow";
const MISSING: &str = "no/such/file.arrow";

#[test]
fn statuses() {
    let cases: &[(&[&str], i32, &str)] = &[
        // Fine.
        (&["--help"], 0, ""),
        (&["--version"], 0, ""),
        (&["cat", "--help"], 0, ""),
        (&["help"], 0, ""),
        (&["help", "cat"], 0, ""),
        (&["schema", FILE], 0, ""),
        (&["cat", FILE, "--limit", "0"], 0, ""),
        (&["cat", FILE, "--offset", "1000000"], 0, ""),
        (&["cat", FILE, "--rows", "1000000..1000000"], 0, ""),
        (&["head", FILE, "--offset", "1000000", "-n", "1000000"], 0, ""),
        (&["inspect", STREAM], 0, ""),
        (&["count", FILE], 0, ""),
        (&["validate", FILE, STREAM], 0, ""),
        // The answer is no.
        (&["validate", BROKEN], 1, "field `s`"),
        (&["cat", BROKEN], 1, "record batch 0 at byte 144"),
        (&["count", "hostile/file-cut-40.arrow_file"], 1, "arrow-ipc recover hostile/file-cut-40.arrow_file"),
        (
            &["validate", "hostile/file-cut-40.arrow_file"],
            1,
            "`arrow-ipc recover hostile/file-cut-40.arrow_file OUT.arrow` saves the complete batches",
        ),
        (&["cat", "README.md"], 1, "neither an Arrow IPC file nor a stream"),
        (&["cat", "hostile/file-empty.arrow_file"], 1, "the file is empty"),
        (
            &["schema", "hostile/file-cut-40.arrow_file"],
            1,
            "arrow-ipc recover hostile/file-cut-40.arrow_file",
        ),
        (
            &["append", STREAM, FILE],
            1,
            "`arrow-ipc convert golden/pyarrow-26.0.1/integers-full.arrows OUT.arrow`",
        ),
        (&["inspect", "hostile/file-footer-garbage.arrow_file"], 1, "malformed"),
        (&["convert", BROKEN, "-", "--to", "file"], 1, "offset 99"),
        // A truncated stream is not searched forever.
        (
            &["concat", "hostile/framing-header-none.stream", "-", "--to", "stream"],
            1,
            "framing-header-none.stream",
        ),
        // Wrong usage.
        (&[], 2, "Usage"),
        (&["no-such-command"], 2, "no-such-command"),
        // Standard input, which is not a terminal here.
        (&["cat"], 1, "standard input: the input is empty"),
        // Hints name the arguments of this program.
        (&[FILE], 0, ""),
        (&["no/such.arrow"], 2, "hint: `arrow-ipc cat no/such.arrow` shows its rows"),
        (&["no/such file"], 2, "hint: `arrow-ipc cat 'no/such file'` shows its rows"),
        (&["cat", FILE, "--json"], 2, "hint: use --format json\n\nUsage: arrow-ipc cat [OPTIONS] <FILE>..."),
        (&["sample", "--csv", FILE], 2, "hint: use --format csv"),
        (&["stats", "--format", "json", FILE], 2, "hint: use --json\n\nUsage: arrow-ipc stats [OPTIONS] "),
        (&["convert", FILE, "--out", "out.arrow"], 2, "hint: use --output"),
        (&["convert", FILE, "--target-rows", "5", "-"], 2, "hint: use --batch-rows"),
        (&["split", FILE, "--target-rows", "5", "-"], 2, "hint: use --batch-rows"),
        (&["concat", FILE, "--rows-per-batch", "5", "-"], 2, "hint: use --batch-rows"),
        (&["count", "--delimiter", ";", FILE], 2, "a similar argument exists: '--from-delimiter'"),
        (
            &["sort", FILE],
            2,
            "hint: this program does not sort; polars does: python3 -c 'import polars, sys; \
             polars.scan_ipc(sys.argv[1]).sort(\"COLUMN\").sink_ipc(sys.argv[2])' \
             golden/pyarrow-26.0.1/integers-full.arrow OUT.arrow\n",
        ),
        (
            &["join", FILE, "no.arrow", "--on", "id"],
            2,
            "scan_ipc(sys.argv[1]).join(polars.scan_ipc(sys.argv[2]), on=\"COLUMN\").sink_ipc(sys.argv[3])' \
             golden/pyarrow-26.0.1/integers-full.arrow IN.arrow OUT.arrow\n",
        ),
        (
            &["sql", "select 1"],
            2,
            "print(polars.scan_ipc(sys.argv[1]).sql(\"SELECT * FROM self LIMIT 5\").collect())' IN.arrow\n",
        ),
        (&["to-parquet", FILE], 2, "integers-full.arrow OUT.parquet\n"),
        (&["merge", FILE, FILE], 2, "integers-full.arrow OUT.arrow` writes the rows of all as one file"),
        (&["merge"], 2, "`arrow-ipc concat A.arrow B.arrow OUT.arrow` writes"),
        (
            &["filter", FILE],
            2,
            "integers-full.arrow --where 'COLUMN > 1'` shows rows, and `convert` writes them",
        ),
        (&["grep", "ada", FILE], 2, "integers-full.arrow --where 'COLUMN like \"%TEXT%\"'` shows"),
        (
            &["select", "id"],
            2,
            "`arrow-ipc cat IN.arrow --columns A,B` shows columns, and `convert` writes them",
        ),
        (&["help", "null"], 2, "hint: `arrow-ipc help nulls` shows a page"),
        (&["help", "sorting"], 2, "hint: `arrow-ipc help topics` lists pages, `arrow-ipc --help` commands"),
        (&["convert", FILE, "a.txt"], 2, "`convert` also writes text: OUT.csv, OUT.jsonl"),
        (&["head", FILE, "-n", "-2"], 2, "must be at least 0; `count` says how many rows there are"),
        (&["cat", FILE, "--limit", "-1"], 2, "invalid value '-1' for '--limit <N>': must be at least 0"),
        (&["cat", FILE, "--offset", "-1"], 2, "invalid value '-1' for '--offset <N>'"),
        (&["cat", FILE, "--ofset", "1"], 2, "\n  hint: "),
        (&["help", "no-such-command"], 2, "no-such-command"),
        (&["cat", FILE, "--limit", "many"], 2, "--limit"),
        (&["cat", FILE, "--format", "xml"], 2, "table, json, csv"),
        (&["cat", FILE, "--columns", ""], 2, "a name is missing"),
        (&["cat", FILE, "--columns", "no"], 2, "no field is named"),
        (&["cat", STREAM, "--columns", "Int8"], 2, "did you mean int8?"),
        (&["cat", FILE, "--columns", "z*"], 2, "no column matches \"z*\""),
        (&["head", FILE, "-n", "-1"], 2, "invalid value '-1'"),
        (&["tail", "-", "-"], 2, "standard input is given 2 times"),
        (&["sample", FILE, "--seed", "x"], 2, "--seed"),
        (&["cat", FILE, "--vertical", "--format", "json"], 2, "cannot be used with"),
        (&["cat", FILE, "--vertical", "--no-header"], 2, "--no-header needs --format csv"),
        (&["cat", FILE, "--rows", "3..1"], 2, "the end of the range is before its start"),
        (&["cat", FILE, "--rows", "1..3", "--limit", "1"], 2, "cannot be used with"),
        (&["cat", "-", FILE, "-"], 2, "standard input is given 2 times"),
        (&["count", "-", "-"], 2, "standard input is given 2 times"),
        (&["validate", "--threads", "0", FILE], 2, "'--threads <N>': must be a whole number from 1 to 256"),
        (&["stats", "--threads", "257", FILE], 2, "'--threads <N>': must be a whole number from 1 to 256"),
        (&["convert", FILE, "-", "--batch-rows", "0"], 2, "'--batch-rows <N>': must be at least 1"),
        (&["split", FILE, "-", "--batch-rows", "0"], 2, "'--batch-rows <N>': must be at least 1"),
        (&["validate", "--json", "-v", FILE], 2, "cannot be used with"),
        (&["cat", STREAM, "--columns", "int8.x"], 2, "select the whole field: int8"),
        (&["cat", FILE, "--no-header"], 2, "--no-header needs --format csv"),
        (&["validate"], 1, "standard input: the input is empty"),
        (&["validate", "-", FILE, "-"], 2, "standard input is given 2 times"),
        (
            &["convert", FILE],
            2,
            "<OUT>\n\n  hint: OUT is the last path, after each IN, or -o OUT; `-` is standard output",
        ),
        (&["concat", FILE], 2, "hint: OUT is the last path"),
        (&["convert"], 2, "<IN>... <OUT>\n"),
        (&["append", FILE], 2, "<IN>...\n\nUsage"),
        (
            &["convert", MISSING, "-", "--to", "stream", "--row-counts"],
            2,
            "--row-counts writes into the footer of",
        ),
        (
            &["convert", MISSING, "a.arrows", "--statistics"],
            2,
            "hint: omit the option, or write a file: --to file",
        ),
        (&["cat", FILE, "--rows", "1000000.."], 2, "no row 1000000: there are "),
        (
            &["cat", FILE, STREAM, "--format", "csv", "--rows", "99..100"],
            2,
            "integers-full.arrows: no row 99: ",
        ),
        (&["convert", FILE, "out.parquet"], 2, "sink_parquet(sys.argv[2])'"),
        (&["convert", FILE, "out.x"], 2, "--to stream or --to file"),
        (&["concat", FILE, STREAM, "golden"], 2, "hint: name the file: golden/OUT.arrow"),
        (
            &["convert", FILE, STREAM, "a.arrow"],
            2,
            "hint: write a.arrow/ to get a file for each input in a folder",
        ),
        (
            &["concat", "golden/pyarrow-26.0.1/names.arrow", FILE, "-", "--to", "file"],
            5,
            "has other columns than golden/pyarrow-26.0.1/names.arrow: ",
        ),
        (
            &["convert", FILE, "-", "--to", "file", "--cast", "int8=date32"],
            5,
            "hint: --cast changes encodings",
        ),
        (&["concat", FILE, FILE, "a.csv"], 2, "| arrow-ipc convert - a.csv` writes text"),
        (&["convert", "a.csv", "a.csv.xz"], 2, "or text: OUT.csv.gz"),
        (&["convert", FILE, "a.arrow.gz", "--to", "file"], 2, "OUT.arrow with --compression zstd"),
        (
            &["concat", FILE, FILE, "a.zst", "--to", "stream"],
            2,
            "the extension means that the whole output is compressed",
        ),
        (
            &["split", FILE, "a.arrow.GZ", "--to", "file"],
            2,
            "the extension means that the whole output is compressed",
        ),
        (&["convert", FILE, "-", "--to", "file", "--metadata-version", "6"], 2, "possible values: 4, 5"),
        (&["convert", FILE, "-", "--to", "file", "--endian", "middle"], 2, "possible values: little, big"),
        // Detected before the input is read.
        (&["convert", MISSING, "-", "--to", "file", "--legacy-framing"], 2, "needs --metadata-version 4"),
        (&["convert", MISSING, "-", "--to", "file", "--compression", "zstd:99"], 2, "up to 22"),
        (&["convert", MISSING, "-", "--to", "file", "--compression", "lz4:3"], 2, "lz4 has no levels"),
        (&["convert", MISSING, "-", "--to", "file", "--compression", "zstd:fast"], 2, "up to 22"),
        (&["convert", MISSING, "-", "--to", "file", "--compression", "gzip"], 2, "expected none, lz4, zstd"),
        (&["convert", MISSING, "-", "--to", "file", "--dictionaries", "error"], 2, "replace, delta, unify"),
        (
            &["convert", MISSING, "-", "--to", "file", "--compression", "lz4", "--metadata-version", "4"],
            2,
            "omit --metadata-version 4",
        ),
        // Done, but data was lost.
        (&["convert", "hostile/framing-message-after-eos.stream", "-", "--to", "file"], 3, "not read"),
        // Cannot be read or written.
        (&["cat", MISSING], 4, MISSING),
        (&["schema", MISSING], 4, MISSING),
        (&["inspect", MISSING], 4, MISSING),
        (&["validate", MISSING], 4, MISSING),
        (&["append", MISSING, FILE], 4, "error: no/such/file.arrow: No such file"),
        (&["cat", "golden"], 5, "the schema does not fit the schemas of preceding files"),
        (&["convert", MISSING, "out.arrow"], 4, MISSING),
        (
            &["convert", FILE, "no/such/folder/out.arrow"],
            4,
            "error: no/such/folder/out.arrow: the folder no/such/folder does not exist\n  hint: `mkdir -p no/such/folder` creates it",
        ),
        // Unsupported. Of several inputs, the worst status counts.
        (&["cat", "hostile/file-footer-v6.arrow_file"], 5, "V6"),
        (
            &["convert", VIEWS, "-", "--to", "file", "--metadata-version", "4"],
            5,
            "V4 does not allow the layout of views",
        ),
        (&["validate", FILE, BROKEN, MISSING, STREAM], 4, MISSING),
        (&["validate", BROKEN, "hostile/file-footer-v6.arrow_file", FILE], 5, "offset 99"),
    ];
    for (args, status, words) in cases {
        let outcome = run(*args);
        assert_eq!(outcome.status, *status, "{args:?}: {outcome:?}");
        assert!(outcome.stderr.contains(words), "{args:?}: {words} in {outcome:?}");
        assert!(*status != 0 || outcome.stderr.is_empty(), "{args:?}: {outcome:?}");
    }
}

/// URLs need the program with this feature. Passwords and signatures are not shown.
#[cfg(not(feature = "remote"))]
#[test]
fn urls_need_the_feature() {
    let error = run(["cat", "https://a:b@example.org/x?y"]).expect(&[4]).stderr.clone();
    assert!(
        error.contains("error: https://example.org/x: URLs are not supported by this program"),
        "{error}"
    );
    let error = run(["count", "s3://bucket/x"]).expect(&[4]).stderr.clone();
    assert!(error.contains("it is built without `--features remote`"), "{error}");
}

/// Four zeros mark the end of a stream.
#[test]
fn zeros_are_a_stream_that_lacks_its_schema() {
    for command in ["cat", "count", "schema", "stats", "inspect", "explain", "validate"] {
        let outcome = run_with_input([command, "-"], &[0; 1_000]);
        assert!(
            outcome.expect(&[1]).stderr.contains("an end marker, and no schema before it"),
            "{outcome:?}"
        );
    }
}

/// A length is past the end of the input: bytes are missing, or the length is wrong. The limits are high enough.
#[test]
fn lengths_beyond_the_end_are_missing_bytes() {
    let commands: [(&[&str], i32); 14] = [
        (&["cat", "IN"], 1),
        (&["head", "-n", "1000000", "IN"], 1),
        (&["tail", "IN"], 1),
        (&["sample", "IN"], 1),
        (&["count", "IN"], 1),
        (&["stats", "IN"], 1),
        (&["inspect", "IN"], 1),
        (&["explain", "IN"], 1),
        (&["validate", "IN"], 1),
        (&["convert", "IN", "OUT"], 1),
        (&["concat", "IN", "-o", "OUT"], 1),
        (&["split", "IN", "OUT"], 1),
        (&["append", "FILE", "IN"], 1),
        (&["diff", "IN", "IN"], 6),
    ];
    let folder = temporary_folder();
    let [input, output, file] =
        ["in.arrows", "out.arrows", "file.arrow"].map(|name| folder.path().join(name));
    fs::copy(corpus().join(FILE), &file).unwrap();
    let stream = fs::read(corpus().join(STREAM)).unwrap();
    let (before, marker) = stream.split_at(stream.len() - 8);
    assert_eq!(marker, [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    let ends = [(b"\xff\xff\xff\xff\xff\xff\xff\x7f", "0 of 2147483647"), (b"gap!gap!", "4 of 561013095")];
    for (end, missing) in ends {
        let bytes = [before, end].concat();
        fs::write(&input, &bytes).unwrap();
        let unchanged = fs::read(&file).unwrap();
        for (args, status) in &commands {
            let path_of = |word: &str| match word {
                "IN" => input.to_str().unwrap().to_owned(),
                "OUT" => output.to_str().unwrap().to_owned(),
                "FILE" => file.to_str().unwrap().to_owned(),
                word => word.to_owned(),
            };
            let by_path = run(args.iter().map(|word| path_of(word)));
            let pipe = || args.iter().map(|word| if *word == "IN" { "-".to_owned() } else { path_of(word) });
            // Standard input can only be one of the inputs.
            let by_pipe = (args[0] != "diff").then(|| run_with_input(pipe(), &bytes));
            for outcome in [Some(by_path), by_pipe].into_iter().flatten() {
                let words = format!("the metadata is truncated: {missing} bytes");
                assert!(outcome.expect(&[*status]).stderr.contains(&words), "{args:?}: {outcome:?}");
                assert!(!output.exists() && fs::read(&file).unwrap() == unchanged, "{args:?}");
            }
        }
    }
}

#[test]
fn nothing_is_recovered_from_a_length_beyond_the_end() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrows", "out.arrows"].map(|name| folder.path().join(name));
    fs::write(&input, [&b"\xff\xff\xff\xff\xff\xff\xff\x7f"[..], &[1; 100]].concat()).unwrap();
    let outcome = run([Path::new("recover"), &input, &output]);
    assert!(outcome.expect(&[1]).stderr.contains("the metadata is truncated"), "{outcome:?}");
    assert!(!output.exists());
}

#[test]
fn other_formats_are_named() {
    for command in ["cat", "schema", "inspect", "validate", "recover"] {
        let to: &[&str] = if command == "recover" { &["-", "--to", "file"] } else { &[] };
        let outcome = run_with_input([&[command, "-"], to].concat(), b"PAR1 and more");
        let [what, advice] = ["a Parquet file", "polars.scan_parquet(sys.argv[1])"];
        outcome.expect(&[5]);
        assert!(outcome.stderr.contains(what) && outcome.stderr.contains(advice), "{outcome:?}");
    }
}

#[test]
fn what_is_no_arrow_data_is_named() {
    let cases: [(&[u8], &str, &str); 9] = [
        (
            b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\xcbH\xcd\xc9\xc9\xe7\x02\0 0:6\x06\0\0\0",
            "compressed by gzip",
            "arrow-ipc convert ",
        ),
        (b"\x28\xb5\x2f\xfd\x20\x06\x31\0\0hello\n", "compressed by Zstandard", "arrow-ipc convert "),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "a tool for HDF5"),
        (b"Obj\x01\x04\x14avro", "an Avro file", "a tool for Avro"),
        (b"ORC and more", "an ORC file", "a tool for ORC"),
        (b"<!DOCTYPE html><html><title>404", "an HTML page", "servers send a page"),
        (b"{\"id\": 1, \"name\": \"ada\"}\n", "but JSON", " OUT.arrow` reads it"),
        (b"i\0d\0,\0n\0\n\x001\0,\x002\0\n\0", "text in UTF-16, by its first bytes", " OUT.arrow` reads it"),
        (b"identifier,name\n1,ada\n", "perhaps CSV", " OUT.arrow` reads it"),
    ];
    let folder = temporary_folder();
    let path = folder.path().join("a");
    let name = path.to_str().unwrap();
    for (bytes, what, advice) in cases {
        fs::write(&path, bytes).unwrap();
        for command in ["cat", "schema", "inspect", "count", "head", "convert", "validate", "recover"] {
            let writes = ["convert", "recover"].contains(&command);
            let to: &[&str] = if writes { &["-", "--to", "stream"] } else { &[] };
            // `recover` searches the decompressed bytes for batches.
            if command == "recover" && what.starts_with("compressed") {
                continue;
            }
            // `convert` reads input that may be text, unless it is an unclear pipe.
            let is_text = ["but JSON", "perhaps CSV", "text in UTF-16, by its first bytes"].contains(&what)
                || what.starts_with("compressed");
            // These commands read rows of CSV and JSON.
            let has_rows =
                ["cat", "head", "count", "schema"].contains(&command) && !what.starts_with("compressed");
            let is_read = is_text && (command == "convert" || has_rows);
            let by_path = (!is_read).then(|| run([&[command, name], to].concat()));
            // `schema` infers that of a pipe only if it is told to.
            let is_clear = is_read && !what.starts_with("compressed") && command != "schema";
            let by_pipe = (!is_clear).then(|| run_with_input([&[command, "-"], to].concat(), bytes));
            for outcome in by_path.into_iter().chain(by_pipe) {
                outcome.expect(&[1]);
                assert!(outcome.stdout.is_empty(), "{command}: {outcome:?}");
                // Commands that read text have an option for its format; `schema` can infer it.
                let advices = [advice, "hint: add --from ", "`arrow-ipc schema --infer "];
                let advices = if is_text { &advices[..] } else { &advices[..1] };
                let advises = advices.iter().any(|advice| outcome.stderr.contains(advice));
                let says = outcome.stderr.contains(what) && advises;
                assert!(says, "{command}: {what}: {outcome:?}");
            }
        }
    }
}

#[test]
fn columns_are_chosen_by_name() {
    let file = "golden/pyarrow-26.0.1/integers-full.arrow";
    for file in [file, &format!("{file}s")] {
        let rows = run(["cat", file, "--columns", "int16,int8", "--offset", "1", "--limit", "2"]);
        let first = rows.expect(&[0]).text().lines().next().unwrap();
        assert!(first.starts_with("{\"int16\":") && first.contains(",\"int8\":"), "{rows:?}");
        assert_eq!(rows.text().lines().count(), 2);
    }
}

#[test]
fn a_closed_pipe_ends_silently() {
    let file = corpus().join("golden/pyarrow-26.0.1/rows-300.arrow");
    let folder = temporary_folder();
    let large = folder.path().join("large.arrows");
    // More than fits in a pipe, so that the program still writes when the reader is gone.
    let stream = fs::read(file.with_extension("arrows")).unwrap();
    let rows = run_with_input(["cat", "-"], &stream);
    assert!(rows.stdout.len() > 1_000);
    fs::write(&large, &stream).unwrap();
    let commands: [&[&str]; 7] = [
        &["cat"],
        &["cat", "--format", "csv"],
        &["cat", "--format", "table"],
        &["schema"],
        &["schema", "--json"],
        &["inspect"],
        &["inspect", "--json"],
    ];
    for args in commands {
        let mut command = command(args);
        command.arg(&file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
    }
    for to in ["stream", "file"] {
        let mut child = command(["convert", "-", "-", "--to", to])
            .stdin(fs::File::open(&large).unwrap())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
    }
    let mut child = command(["--help"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A closed output does not change the exit status.
#[test]
fn all_inputs_are_validated_though_nobody_reads() {
    let folder = temporary_folder();
    let sound = corpus().join("golden/pyarrow-26.0.1/integers-full.arrow");
    let cut = folder.path().join("cut.arrow");
    fs::write(&cut, &fs::read(&sound).unwrap()[..1_000]).unwrap();
    for threads in ["1", "2"] {
        let mut command = command(["validate", "--verbose", "--threads", threads]);
        command.args([&sound, &sound, &cut]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let commands: [&[&str]; 11] = [
        &["cat", FILE],
        &["cat", "--format", "csv", FILE],
        &["diff", FILE, "golden/pyarrow-26.0.1/integers-nulls.arrow"],
        &["cat", "--format", "table", FILE],
        &["schema", FILE],
        &["inspect", FILE],
        &["inspect", "--json", STREAM],
        &["convert", FILE, "-", "--to", "stream"],
        &["convert", FILE, "-", "--to", "file"],
        &["--help"],
        &["cat", "--help"],
    ];
    for args in commands {
        let mut command = command(args);
        let output =
            command.stdout(full()).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{args:?}: {stderr}");
        assert!(stderr.contains("standard output") && stderr.contains("No space left"), "{args:?}: {stderr}");
    }
    let outcome = finish(&mut command(["convert", FILE, "/dev/full", "--to", "file"]), &[]);
    outcome.expect(&[4]);
    assert!(outcome.stderr.contains("/dev/full"), "{outcome:?}");
}

/// What a command prints is not lost without an error where standard output is closed; a command that prints nothing works.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_said() {
    let folder = temporary_folder();
    let copy = folder.path().join("copy.arrows").to_string_lossy().into_owned();
    let cases: [(&[&str], i32); 13] = [
        (&["cat", FILE], 4),
        (&["cat", "--format", "csv", FILE], 4),
        (&["cat", "--format", "table", FILE], 4),
        (&["head", FILE], 4),
        (&["count", FILE], 4),
        (&["stats", FILE], 4),
        (&["schema", FILE], 4),
        (&["inspect", "--json", STREAM], 4),
        (&["convert", FILE, "-", "--to", "stream"], 4),
        (&["cat", "--help"], 4),
        (&["--version"], 4),
        (&["completions", "bash"], 4),
        (&["convert", FILE, &copy], 0),
    ];
    for (args, status) in cases {
        let program = command(args);
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", r#"exec "$0" "$@" >&-"#]).arg(program.get_program()).args(program.get_args());
        let output = shell.current_dir(corpus()).stdin(Stdio::null()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {stderr}");
        assert_eq!(
            stderr.contains("standard output: the file descriptor is closed"),
            status != 0,
            "{args:?}: {stderr}"
        );
    }
}

/// An invalid argument is shown only around the error.
#[test]
fn long_arguments_are_not_shown_whole() {
    let many = |text: &str| text.repeat(100_000 / text.len());
    let cases = [
        (format!("int8 = 1 {}", many("or int8 = 2 ")) + "or", ""),
        (format!("int8 ! 1 {}", many("or int8 = 2 ")), "int8 ! 1 or int8 = 2"),
        (format!("{}int8 ! 1", many("int8 = 2 or ")), "or int8 ! 1\n"),
        (many("é "), "é é é"),
    ];
    for (condition, shown) in cases {
        let outcome = run(["cat", FILE, "--where", &condition]);
        let text = &outcome.expect(&[2]).stderr;
        assert!(text.len() < 1_500 && text.contains(shown) && text.contains('^'), "{text}");
    }
}
