//! Several streams in sequence in one input, as from `cat a.arrows b.arrows`.

use std::{fs, path::Path};

use arrow_array::Int64Array;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, Limits, StreamWriter, WriteOptions, file::Footer};
use arrow_schema::{Metadata, Schema, decode_text};

use crate::program::{Outcome, corpus, run, run_with_input, temporary_folder};

const STREAM: &str = "golden/pyarrow-26.0.1/dictionary-nested.arrows";

/// Runs a command on these bytes, by path and from a pipe. Both must have the same output.
fn on(bytes: &[u8], args: &[&str]) -> Outcome {
    let folder = temporary_folder();
    let path = folder.path().join("in.arrows");
    let name = path.to_str().unwrap();
    fs::write(&path, bytes).unwrap();
    let with = |input: &str| args.iter().map(|arg| arg.replace("IN", input)).collect::<Vec<_>>();
    let by_path = run(with(name));
    let by_pipe = run_with_input(with("-"), bytes);
    let named = |outcome: &Outcome| {
        let names = [(name, "IN"), ("standard input", "IN"), (" -`", " IN`"), (" - OUT", " IN OUT")];
        let stderr =
            names.iter().fold(outcome.stderr.clone(), |text, (name, other)| text.replace(name, other));
        Outcome { stderr, ..outcome.clone() }
    };
    assert_eq!(named(&by_path).stderr, named(&by_pipe).stderr, "{args:?}");
    // The length of a pipe is unknown.
    let shown = |outcome: &Outcome| match args[0] {
        "schema" => {
            outcome.text().lines().filter(|line| !line.starts_with("# ")).flat_map(str::bytes).collect()
        }
        "inspect" => outcome.text().lines().skip(1).flat_map(str::bytes).collect(),
        // A pipe has no lengths of columns.
        "stats" => Vec::new(),
        _ => outcome.stdout.clone(),
    };
    assert_eq!((shown(&by_path), by_path.status), (shown(&by_pipe), by_pipe.status), "{args:?}");
    named(&by_path)
}

fn numbers(name: &str, metadata: &[(&str, &str)]) -> Vec<u8> {
    let batch = RecordBatch::try_from_columns([(name, Int64Array::from_iter([1, 2]).into_data())]).unwrap();
    let metadata: Metadata = metadata.iter().copied().collect();
    let options = WriteOptions::new().with_file_metadata(metadata);
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap()
}

#[test]
fn all_streams_are_read() {
    let one = fs::read(corpus().join(STREAM)).unwrap();
    let rows = run(["cat", STREAM]);
    let rows = rows.expect(&[0]).text();
    let n_rows = rows.lines().count();
    // The streams have padding between them, or none.
    for two in [[&one[..], &one].concat(), [&one[..], &[0; 64], &one, &[0; 4]].concat()] {
        assert_eq!(on(&two, &["cat", "IN"]).expect(&[0]).text(), [rows, rows].concat());
        assert_eq!(on(&two, &["validate", "IN"]).expect(&[0]).stderr, "");
        let differs = on(&two, &["diff", "IN", STREAM]);
        assert_eq!(
            differs.expect(&[1]).text(),
            format!("differ: none of {n_rows} rows; A has {n_rows} more rows\n")
        );
        let n_messages = |outcome: &Outcome| outcome.text().matches("\"what\":\"message\"").count();
        let inspected = on(&two, &["inspect", "--json", "--buffers", "IN"]);
        let from_one_row = run(["inspect", "--json", "--buffers", STREAM]);
        assert_eq!(n_messages(inspected.expect(&[0])), 2 * n_messages(&from_one_row));
        // The schema of the first stream counts for all.
        let columns =
            |outcome: Outcome| outcome.text().lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(columns(on(&two, &["schema", "IN"])), columns(run(["schema", STREAM])));
        let folder = temporary_folder();
        let path = folder.path().join("two.arrows");
        fs::write(&path, &two).unwrap();
        for (out, how) in [("out.arrows", "replace"), ("out.arrow", "replace"), ("out.arrow", "unify")] {
            let out = folder.path().join(out);
            let how = ["--dictionaries", how].map(Path::new);
            let converted = run([Path::new("convert"), &path, Path::new("-o"), &out].into_iter().chain(how));
            assert_eq!(converted.expect(&[0]).stderr, "");
            let same = run([Path::new("diff"), &path, &out]);
            assert_eq!((same.expect(&[0]).differences(), &same.stderr[..]), ("", ""));
        }
    }
}

/// Bytes that are not padding hide the stream after them. This is reported.
#[test]
fn a_hidden_stream_is_not_skipped_in_silence() {
    let one = fs::read(corpus().join(STREAM)).unwrap();
    for between in [&b"\0"[..], b"\n", &[0, 0, 0, 0, 1, 2]] {
        let two = [&one[..], between, &one].concat();
        let words = "trailing bytes are not a stream, and not read";
        for (args, status) in [
            (&["validate", "IN"][..], 1),
            (&["cat", "IN"], 3),
            (&["tail", "-n", "2", "IN"], 3),
            (&["sample", "-n", "2", "--seed", "1", "IN"], 3),
            (&["diff", "IN", STREAM], 6),
            (&["diff", "IN", STREAM, "--quiet"], 6),
            (&["diff", "IN", "golden/pyarrow-26.0.1/integers-full.arrow"], 1),
            (&["convert", "IN", "-", "--to", "file"], 3),
            (&["inspect", "IN"], 0),
        ] {
            let outcome = on(&two, args);
            assert_eq!(outcome.expect(&[status]).stderr.matches(words).count(), 1, "{args:?}: {outcome:?}");
        }
    }
    // Zeros are only padding.
    for n_zeros in 1..10 {
        let padded = [&one[..], &vec![0; n_zeros]].concat();
        for args in [&["validate", "IN"][..], &["cat", "IN"], &["diff", "IN", STREAM], &["inspect", "IN"]] {
            assert_eq!(on(&padded, args).expect(&[0]).stderr, "", "{args:?}: {n_zeros}");
        }
    }
}

#[test]
fn a_file_inside_of_another_is_not_skipped_in_silence() {
    let folder = temporary_folder();
    let [path, out] = ["two.arrow", "out.arrow"].map(|name| folder.path().join(name));
    let one = fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrow")).unwrap();
    fs::write(&path, [&one[..], &one].concat()).unwrap();
    let words = format!("a second file begins at byte {}; only batches of the first are read", one.len());
    let validated = run([Path::new("validate"), &path]);
    assert!(validated.expect(&[1]).stderr.contains(&words), "{validated:?}");
    let converted = run([Path::new("convert"), &path, &out]);
    assert!(converted.expect(&[3]).stderr.contains(&words), "{converted:?}");
}

#[test]
fn a_broken_stream_is_no_end() {
    let one = fs::read(corpus().join(STREAM)).unwrap();
    let rows = run(["cat", STREAM]);
    let words = format!("in the stream that begins at byte {}: ", one.len());
    // Cuts the second stream in its last batch, and in its schema.
    for n_bytes in [one.len() - 20, 300] {
        let two = [&one[..], &one[..n_bytes]].concat();
        let is_in_schema = n_bytes == 300;
        for command in ["cat", "validate"] {
            let outcome = on(&two, &[command, "IN"]);
            assert!(is_in_schema || outcome.expect(&[1]).stderr.contains(&words), "{outcome:?}");
            outcome.expect(&[1]);
            assert!(command == "validate" || outcome.text().starts_with(rows.text()), "{outcome:?}");
        }
        run_with_input(["inspect", "-"], &two).expect(&[1]);
        on(&two, &["diff", "IN", STREAM]).expect(&[6]);
        on(&two, &["convert", "IN", "-", "--to", "file"]).expect(&[1]);
    }
}

#[test]
fn streams_of_other_columns_are_valid_and_no_rows_of_the_first() {
    let two = [numbers("a", &[]), numbers("b", &[])].concat();
    let words = format!(
        "the stream that begins at byte {} has different columns: the field is named \"a\" in the first stream, \"b\" here",
        two.len() / 2
    );
    assert_eq!(on(&two, &["validate", "IN"]).expect(&[0]).stderr, "");
    assert!(on(&two, &["inspect", "--buffers", "IN"]).expect(&[0]).text().contains("  b"));
    let shown = on(&two, &["cat", "IN"]);
    assert_eq!(shown.expect(&[5]).text(), "{\"a\":1}\n{\"a\":2}\n");
    for args in [&["cat", "IN"][..], &["convert", "IN", "-", "--to", "file"], &["diff", "IN", STREAM]] {
        let refused = on(&two, args);
        assert!(refused.expect(&[5]).stderr.contains(&words), "{args:?}: {refused:?}");
    }
}

#[test]
fn metadata_of_later_streams_is_missed() {
    let two = [numbers("a", &[]), numbers("a", &[("writer", "2")])].concat();
    let converted = on(&two, &["convert", "IN", "-", "--to", "stream"]);
    assert!(
        converted.expect(&[3]).stderr.contains("the metadata of a stream after the first"),
        "{converted:?}"
    );
    let compared = on(&two, &["diff", "IN", STREAM, "--count"]);
    assert!(compared.expect(&[1]).stderr.contains("metadata of streams after the first"), "{compared:?}");
    assert!(on(&two, &["cat", "IN"]).expect(&[0]).stderr.is_empty());
}

/// The blocks of the second file are at other positions than the batches of the first, so reading fails.
#[test]
fn a_file_after_a_file_of_another_shape_is_reported_beside_the_error() {
    let file = |n_rows: i64| {
        let column = Int64Array::from_iter(0..n_rows).into_data();
        let batch = RecordBatch::try_from_columns([("a", column)]).unwrap();
        FileWriter::write_to_vec(batch.schema().clone(), &[batch]).unwrap()
    };
    let folder = temporary_folder();
    let path = folder.path().join("in.arrow");
    let [short, long] = [file(2), file(1_000)];
    for (first, second) in [(&short, &long), (&long, &short)] {
        fs::write(&path, [&first[..], second].concat()).unwrap();
        for command in ["cat", "count", "stats"] {
            let outcome = run([command, path.to_str().unwrap()]);
            let outcome = outcome.expect(&[1]);
            let text = format!("hint: a second file begins at byte {},", first.len());
            assert!(outcome.stderr.contains(&text), "{command}: {outcome:?}");
        }
        let out = folder.path().join("out.arrow");
        let outcome = run(["recover", path.to_str().unwrap(), "-o", out.to_str().unwrap()]);
        let text = format!("in.arrow: a second file begins at byte {}\n", first.len());
        assert!(outcome.stderr.contains(&text), "{outcome:?}");
        let outcome = run(["count", out.to_str().unwrap()]);
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), "1002\n");
    }
}

/// Commands that read rows or schemas: of the file `input`, and of its folder `set`, which `pattern` matches, too.
fn commands_on<'a>([input, set, pattern]: [&'a str; 3], [out, text]: [&'a str; 2]) -> [Vec<&'a str>; 31] {
    [
        vec!["schema", input],
        vec!["schema", input, "--json"],
        vec!["schema", input, "--columns", "a"],
        vec!["schema", set],
        vec!["schema", pattern],
        vec!["cat", input],
        vec!["cat", input, "--rows", "0..9"],
        vec!["cat", input, "--where", "a > 0"],
        vec!["head", input],
        vec!["tail", input, "-n", "1"],
        vec!["tail", input, "--where", "a > 0"],
        vec!["sample", input],
        vec!["count", input],
        vec!["count", input, "--where", "a > 0"],
        vec!["stats", input],
        vec!["cat", set],
        vec!["cat", pattern],
        vec!["cat", set, "--rows", "0..9"],
        vec!["cat", set, "--where", "a > 0"],
        vec!["head", set],
        vec!["tail", set, "-n", "1"],
        vec!["tail", set, "--where", "a > 0"],
        vec!["sample", set],
        vec!["count", set],
        vec!["count", pattern],
        vec!["count", set, "--where", "a > 0"],
        vec!["stats", set],
        vec!["convert", set, "-o", out],
        vec!["convert", input, "-o", out],
        vec!["convert", input, "-o", text],
        vec!["split", input, "-o", out, "--rows", "0.."],
    ]
}

/// Files that were written one after the other, as by `cat a.arrow b.arrow`: the last footer lists the blocks of the first.
#[test]
fn bytes_that_no_block_has_are_reported_by_every_command() {
    let file = |n_batches: usize| {
        let batch =
            RecordBatch::try_from_columns([("a", Int64Array::from_iter([1, 2]).into_data())]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
        (0..n_batches).for_each(|_| writer.write(&batch).unwrap());
        writer.finish().unwrap()
    };
    let folder = temporary_folder();
    let set = folder.path().join("set");
    fs::create_dir(&set).unwrap();
    let [path, pattern] = ["in.arrow", "*.arrow"].map(|name| set.join(name));
    let [input, set, pattern] = [&path, &set, &pattern].map(|path| path.to_str().unwrap());
    let [out, text] = ["out.arrow", "out.csv"].map(|name| folder.path().join(name));
    let [out, text] = [&out, &text].map(|path| path.to_str().unwrap());
    let commands = commands_on([input, set, pattern], [out, text]);
    for (first, second) in [(1, Some(1)), (2, Some(1)), (1, Some(0)), (0, Some(0)), (1, None)] {
        let mut bytes = file(first);
        if let Some(second) = second {
            bytes.extend(file(second));
        } else {
            // Zeros and end markers before the footer are harmless.
            let footer = Footer::read(&Buffer::from(bytes.clone()), &Limits::default()).unwrap();
            let footer = usize::try_from(footer.position()).unwrap();
            let markers = [&[0; 16][..], &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]].concat();
            bytes.splice(footer..footer, markers);
        }
        fs::write(&path, &bytes).unwrap();
        for args in &commands {
            let outcome = run(args);
            let (status, n_notes) = if second.is_some() { (3, 1) } else { (0, 0) };
            assert_eq!(outcome.status, status, "{first} {second:?} {args:?}: {outcome:?}");
            assert_eq!(outcome.stderr.matches("note: ").count(), n_notes, "{first} {args:?}: {outcome:?}");
            let has_text =
                outcome.stderr.contains(&format!("a second file begins at byte {}", file(first).len()));
            // The footer of fewer batches misses those of the first file.
            let is_reported_as_loss =
                first > second.unwrap_or(first) && matches!(args[0], "convert" | "split");
            assert!(has_text == second.is_some() || is_reported_as_loss, "{first} {args:?}: {outcome:?}");
        }
        for args in [["diff", input, input], ["diff", input, set], ["diff", pattern, set]] {
            let outcome = run(args);
            let (status, n_notes) = if second.is_some() { (6, 2) } else { (0, 0) };
            assert_eq!(outcome.status, status, "{first} {second:?} {args:?}: {outcome:?}");
            let n_found = outcome.stderr.matches("a second file begins").count();
            assert_eq!(n_found, n_notes, "{first} {second:?} {args:?}: {outcome:?}");
        }
        for args in [&["validate", input][..], &["inspect", input], &["explain", input]] {
            let outcome = run(args);
            let texts = format!("{}{}", outcome.text(), outcome.stderr);
            let is_reported = texts.contains("a second file begins");
            assert!(is_reported == (second == Some(first)), "{first} {second:?} {args:?}: {outcome:?}");
        }
    }
    // Bytes that are no file, and more zeros than padding has.
    for (n_batches, between) in [(1, &[7; 100][..]), (2, &[7; 9_000]), (0, &[7; 9_000]), (1, &[0; 5_000])] {
        let bytes = file(n_batches);
        let footer = Footer::read(&Buffer::from(bytes.clone()), &Limits::default()).unwrap();
        let (start, end) = bytes.split_at(usize::try_from(footer.position()).unwrap());
        fs::write(&path, [start, between, end].concat()).unwrap();
        let n_bytes = between.len() + 8;
        let text =
            format!("{n_bytes} bytes from byte {} to the footer are in none of its blocks", start.len() - 8);
        for args in &commands {
            let outcome = run(args);
            assert_eq!(outcome.status, 3, "{n_batches} {args:?}: {outcome:?}");
            assert_eq!(outcome.stderr.matches("note: ").count(), 1, "{n_batches} {args:?}: {outcome:?}");
            let is_compared = matches!(args[0], "convert" | "split") && between[0] != 0;
            assert!(outcome.stderr.contains(&text) != is_compared, "{n_batches} {args:?}: {outcome:?}");
        }
        let outcome = run(["diff", input, set]);
        assert_eq!((outcome.status, outcome.stderr.matches(&text).count()), (6, 2), "{outcome:?}");
    }
}

#[test]
fn text_that_is_not_utf8_is_reported_by_every_command() {
    let folder = temporary_folder();
    let set = folder.path().join("set");
    fs::create_dir(&set).unwrap();
    let [path, pattern] = ["in.arrow", "*.arrow"].map(|name| set.join(name));
    let inputs = [&path, &set, &pattern].map(|path| path.to_str().unwrap());
    let outputs = ["out.arrow", "out.csv"].map(|name| folder.path().join(name));
    let outputs = outputs.each_ref().map(|path| path.to_str().unwrap());
    let pickle = || Metadata::from([("k", &*decode_text(b"\x80\x04\xff"))]);
    let batch = RecordBatch::try_from_columns([("a", Int64Array::from_iter([1, 2]).into_data())]).unwrap();
    let has_note = |outcome: &Outcome| outcome.stderr.matches("custom metadata are not UTF-8").count();
    for in_footer in [false, true] {
        let schema = Schema::clone(batch.schema());
        let (schema, options) = if in_footer {
            (schema, WriteOptions::new().with_footer_metadata(pickle()))
        } else {
            (schema.with_metadata(pickle()), WriteOptions::new())
        };
        let batch = batch.with_schema(schema).unwrap();
        let mut writer =
            FileWriter::try_new_with(fs::File::create(&path).unwrap(), batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        for args in commands_on(inputs, outputs) {
            // Files of a data set are joined without the metadata of their footers, which is a loss.
            let loses = in_footer && args[0] == "convert" && args[1] == inputs[1];
            let outcome = run(&args);
            assert_eq!(outcome.status, if loses { 3 } else { 0 }, "{args:?}: {outcome:?}");
            assert_eq!(has_note(&outcome), 1, "{args:?}: {outcome:?}");
        }
        for b in &inputs[..2] {
            // Data sets do not have the metadata of footers.
            let status = if in_footer && *b == inputs[1] { 1 } else { 0 };
            let outcome = run(["diff", inputs[0], b]);
            assert_eq!((outcome.status, has_note(&outcome)), (status, 2), "{b}: {outcome:?}");
        }
    }
    // Of streams, metadata of batches is told by the commands that read them, of any of the streams.
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let plain = writer.finish().unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write_with_metadata(&batch, &pickle()).unwrap();
    let streams = [plain, writer.finish().unwrap()].concat();
    for args in [
        &["cat", "IN"][..],
        &["head", "IN"],
        &["count", "IN"],
        &["count", "IN", "--where", "a > 0"],
        &["stats", "IN"],
    ] {
        let outcome = on(&streams, args);
        assert_eq!((outcome.status, has_note(&outcome)), (0, 1), "{args:?}: {outcome:?}");
    }
}
