//! Every command on a damaged input ends with an exit status and a message.

use std::{fs, path::Path};

use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::StreamWriter;
use arrow_schema::DataType;
use testing_support::Hunt;

use crate::program::{Outcome, corpus, folder_in_memory, run, temporary_folder};

/// In this stream, a message follows the end marker.
const AFTER_END: &str = "framing-message-after-eos.stream";

/// A stream with a tensor, which has no rows and is reported.
const TENSOR: &str = "framing-tensor-in-stream.stream";

/// The footer of this file does not list its second batch.
const UNLISTED: &str = "file-blocks-twice.arrow_file";

fn manifest() -> Vec<[String; 2]> {
    let manifest = fs::read_to_string(corpus().join("hostile/manifest.tsv")).unwrap();
    let rows = manifest.lines().skip(1).map(|row| {
        let mut cells = row.split('\t');
        let (file, _, expect) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
        [file.to_owned(), expect.to_owned()]
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() > 250, "{} files", rows.len());
    rows
}

fn has_raw_controls(text: &str) -> bool {
    text.chars().any(|char| char.is_control() && char != '\n')
}

#[test]
fn validate_judges_as_the_manifest_says() {
    for [file, expect] in manifest() {
        let outcome = run(["validate", &format!("hostile/{file}")]);
        match expect.as_str() {
            // The stream is valid, but has trailing bytes.
            "ok" if file == AFTER_END => outcome.expect(&[1]),
            // The error names the unsupported feature.
            "ok" | "optional" => outcome.expect(&[0, 5]),
            "error" => outcome.expect(&[1, 5]),
            _ => outcome.expect(&[0, 1, 5]),
        };
        assert!(outcome.stdout.is_empty(), "{file}: {outcome:?}");
        let errors = outcome.stderr.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, usize::from(outcome.status != 0), "{file}: {outcome:?}");
        let others = outcome.stderr.lines().filter(|line| !line.starts_with("  hint: ")).count();
        assert!(outcome.status == 0 || others == 1, "{file}: {outcome:?}");
        assert!(!has_raw_controls(&outcome.stderr), "{file}: {outcome:?}");
    }
}

fn check_message(file: &str, outcome: &Outcome) {
    outcome.expect(&[0, 1, 3, 5]);
    assert!(outcome.status != 3 || [AFTER_END, TENSOR, UNLISTED].contains(&file), "{file}: {outcome:?}");
    assert_eq!(matches!(outcome.status, 0 | 3), !outcome.stderr.contains("error: "), "{file}: {outcome:?}");
    assert!(!has_raw_controls(&outcome.stderr), "{file}: {outcome:?}");
}

#[test]
fn every_command_ends_with_a_status_of_its_own() {
    let commands: [&[&str]; 14] = [
        &["stats"],
        &["count"],
        &["head", "--vertical"],
        &["tail", "--format", "table", "-n", "3"],
        &["sample", "--seed", "1"],
        &["cat", "--format", "csv", "--offset", "1", "-n", "2"],
        &["validate", "--json", "--strict", "--threads", "2"],
        &["schema"],
        &["cat", "--format", "json", "--limit", "5"],
        &["inspect", "--buffers"],
        &["explain"],
        &["schema", "--json"],
        &["cat", "--format", "table", "--limit", "5"],
        &["inspect", "--buffers", "--json"],
    ];
    let hunt = Hunt::from_env();
    for (case, [file, _]) in manifest().into_iter().enumerate() {
        let path = format!("hostile/{file}");
        // A short run uses one of these commands for each file.
        for command in hunt.some_of(&commands, 1, case) {
            let outcome = run(command.iter().copied().chain([path.as_str()]));
            check_message(&file, &outcome);
            assert!(command[0] != "inspect" || !has_raw_controls(outcome.text()), "{file}: {outcome:?}");
        }
    }
}

#[test]
fn nothing_differs_from_itself() {
    let mut n_equal = 0;
    let hunt = Hunt::from_env();
    for (case, [file, expect]) in manifest().into_iter().enumerate() {
        // A short run compares every second file with itself, and every fourth with another file.
        if !hunt.is_on() && !case.is_multiple_of(2) {
            continue;
        }
        let path = format!("hostile/{file}");
        // A damaged file does not differ from itself.
        let outcome = run(["diff", &path, &path]);
        outcome.expect(match expect.as_str() {
            _ if [AFTER_END, UNLISTED].contains(&&*file) => &[6],
            "ok" => &[0, 5],
            _ => &[0, 5, 6],
        });
        assert!(outcome.differences().is_empty(), "{file}: {outcome:?}");
        assert_eq!(outcome.status == 0, outcome.summary().starts_with("equal: "), "{file}: {outcome:?}");
        let is_fine = outcome.status == 0 || [AFTER_END, UNLISTED].contains(&&*file);
        assert_eq!(is_fine, !outcome.stderr.contains("error: "), "{file}: {outcome:?}");
        n_equal += usize::from(outcome.status == 0);
        // It is also not equal to another file.
        if !hunt.is_on() && !case.is_multiple_of(4) {
            continue;
        }
        let other = run(["diff", "golden/pyarrow-26.0.1/integers-full.arrow", &path]);
        other.expect(&[1, 5, 6]);
        assert!(!has_raw_controls(other.text()) && !has_raw_controls(&other.stderr), "{file}: {other:?}");
    }
    assert!(n_equal > 25, "{n_equal} readable files");
}

/// Values of types without bytes have any number of slots.
#[test]
fn few_bytes_are_not_rows_for_ever() {
    let folder = temporary_folder();
    let path = folder.path().join("rows.arrows");
    let name = path.to_str().unwrap();
    let nulls = |n| ArrayData::try_new(ArrayParts::new(DataType::Null, n)).unwrap();
    const N_ITEMS: usize = 2_000_000_000;
    let lists = |items: ArrayData| {
        let n_lists = items.len() / N_ITEMS;
        let data_type = format!("fixed_size_list<item: {}; {N_ITEMS}>", items.data_type()).parse().unwrap();
        let children = Some([items].into());
        ArrayData::try_new(ArrayParts { children, ..ArrayParts::new(data_type, n_lists) }).unwrap()
    };
    let rows = [(nulls(1 << 62), "3", 0), (lists(lists(nulls(N_ITEMS * N_ITEMS))), "1", 5)];
    for (column, limit, limit_status) in rows {
        write_column(&path, column);
        let shown = run(["cat", "--format", "json", name]);
        assert!(shown.expect(&[5]).stderr.contains("--limit N allows 4096 more"), "{}", shown.stderr);
        assert!(shown.stdout.len() < 80 << 20, "{}", shown.stdout.len());
        let csv = folder.path().join("rows.csv");
        let converted = run([Path::new("convert"), &path, &csv]);
        let said = "the output exceeds the limit of 67,108,864 bytes for values of ";
        assert!(converted.expect(&[5]).stderr.contains(said) && !csv.exists(), "{}", converted.stderr);
        run(["cat", "--format", "json", name, "--limit", limit]).expect(&[limit_status]);
        run(["validate", name]).expect(&[0]);
        run(["diff", name, name]).expect(&[0]);
        for to in ["stream", "file"] {
            run(["convert", name, "-", "--to", to]).expect(&[0]);
        }
    }
}

/// The largest number of rows is counted from metadata.
#[test]
fn the_most_rows_are_reported_at_once() {
    let folder = folder_in_memory();
    let base = folder.path().join("base.arrow");
    fs::copy(corpus().join("golden/pyarrow-26.0.1/integers-full.arrow"), &base).unwrap();
    for file in ["hostile/batch-null-2e62.stream", "hostile/fsl-size-zero-2e62.stream"] {
        let n_rows = (1_u64 << 62).to_string();
        for command in [&["stats", "--json"][..], &["count"], &["explain", "--json"]] {
            let outcome = run(command.iter().chain([&file]));
            assert!(outcome.expect(&[0]).text().contains(&n_rows), "{command:?} {file}: {outcome:?}");
        }
        run(["stats", file]).expect(&[0]);
        // Dividing these rows would make too many batches.
        run(["convert", "--batch-rows", "2", file, "-", "--to", "stream"]).expect(&[5]);
        run(["split", "--batch-rows", "2", file, "-", "--to", "stream"]).expect(&[5]);
        let refused = run([
            Path::new("append"),
            &base,
            Path::new("golden/pyarrow-26.0.1/integers-full.arrow"),
            Path::new(file),
        ]);
        let expected = format!("{file}: cannot be appended to {}: ", base.display());
        assert!(refused.expect(&[5]).stderr.contains(&expected), "{refused:?}");
    }
}

/// Writes a stream with one batch of one column, whose long name makes each row of text long.
fn write_column(path: &Path, column: ArrayData) {
    let batch = RecordBatch::try_from_columns([(&*"n".repeat(2000), column)]).unwrap();
    let mut writer = StreamWriter::try_new(fs::File::create(path).unwrap(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
}

#[test]
fn broken_input_leaves_no_output() {
    let folder = temporary_folder();
    let old = b"the old content";
    let mut n_broken = 0;
    let hunt = Hunt::from_env();
    for (case, [file, expect]) in manifest().into_iter().enumerate() {
        // Valid files may declare more rows than can be written.
        if expect != "error" {
            continue;
        }
        for &name in hunt.some_of(&["new.arrow", "new.arrows", "old.arrow"], 1, case) {
            let out = folder.path().join(name);
            if name == "old.arrow" {
                fs::write(&out, old).unwrap();
            }
            let input = format!("hostile/{file}");
            let outcome = run([Path::new("convert"), Path::new(&input), Path::new("-o"), &out]);
            check_message(&file, &outcome);
            if outcome.status == 0 {
                // Only a dictionary that no batch uses has an error.
                fs::remove_file(&out).unwrap();
                continue;
            }
            n_broken += 1;
            let left = fs::read(&out).ok();
            let expected = (name == "old.arrow").then(|| old.to_vec());
            assert_eq!(left, expected, "{file} to {name}");
        }
        fs::remove_file(folder.path().join("old.arrow")).ok();
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert!(left.is_empty(), "{file}: {left:?}");
    }
    assert!(n_broken > hunt.count(150, 500), "{n_broken} refused conversions");
}

/// Either the output is valid, or nothing is written, and the message has the position of the error in the input.
#[test]
fn commands_that_write_leave_nothing_broken() {
    let folder = folder_in_memory();
    let [out, base] = ["out.arrow", "base.arrow"].map(|name| folder.path().join(name));
    let sound = fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrow")).unwrap();
    // The arguments, and whether values are checked.
    let commands: [(&[&str], bool); 9] = [
        (&["concat", "IN", "OUT", "--columns", "*"], true),
        (&["append", "BASE", "IN", "--columns", "*"], true),
        (&["concat", "IN", "OUT"], false),
        (&["split", "IN", "OUT", "--rows", "..2"], false),
        (&["split", "IN", "OUT", "--batch-rows", "2"], false),
        (&["recover", "IN", "OUT"], true),
        (&["convert", "IN", "OUT", "--compression", "lz4"], true),
        (&["convert", "IN", "OUT", "--dictionaries", "unify"], true),
        (&["append", "BASE", "IN"], true),
    ];
    let (mut n_written, mut n_refused) = (0, 0);
    let hunt = Hunt::from_env();
    for (case, [file, expect]) in manifest().into_iter().enumerate() {
        if expect != "error" {
            continue;
        }
        for (command, is_checked) in hunt.some_of(&commands, 1, case) {
            fs::write(&base, &sound).unwrap();
            let input = format!("hostile/{file}");
            let argument = |word: &&str| match *word {
                "IN" => input.clone(),
                "OUT" => out.display().to_string(),
                "BASE" => base.display().to_string(),
                word => word.to_owned(),
            };
            let outcome = run(command.iter().map(argument));
            outcome.expect(&[0, 1, 2, 3, 5]);
            assert!(!has_raw_controls(&outcome.stderr) && outcome.stdout.is_empty(), "{file}: {outcome:?}");
            let is_written = matches!(outcome.status, 0 | 3);
            // A valid input may still have other columns than the file.
            assert!(is_written || outcome.stderr.contains(&input), "{command:?}: {outcome:?}");
            if command[0] == "append" {
                assert!(is_written || fs::read(&base).unwrap() == sound, "{command:?} {file}");
                run([Path::new("validate"), &base]).expect(&[0]);
                continue;
            }
            assert_eq!(out.exists(), is_written, "{command:?} {file}: {outcome:?}");
            if is_written {
                let checks = if *is_checked { "validate" } else { "count" };
                let found = run([Path::new(checks), &out]);
                assert_eq!(found.status, 0, "{command:?} {file}: {found:?}");
                fs::remove_file(&out).unwrap();
                n_written += 1;
            } else {
                n_refused += 1;
            }
        }
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "{file}");
    }
    assert!(n_written > 10 && n_refused > 80, "{n_written} written, {n_refused} refused");
}

/// Messages are copied without decoding only if the file has all dictionaries.
#[test]
fn a_file_without_a_dictionary_is_not_copied() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    let input = Path::new("hostile/file-dict-missing.arrow_file");
    let commands: [&[&str]; 6] = [
        &["convert", "--unchecked"],
        &["convert"],
        &["concat"],
        &["split"],
        &["split", "--to", "stream"],
        &["split", "--rows", "0..1"],
    ];
    for command in commands {
        let args = command.iter().map(Path::new).chain([input, Path::new("-o"), &out]);
        let refused = run(args);
        assert!(
            refused.expect(&[1]).stderr.contains("the dictionary with id 0 is used before"),
            "{refused:?}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{command:?}");
    }
}

/// An index has positions of messages whose metadata is right by itself. What the values are, and whether they fit the schema, is
/// not checked.
#[test]
fn an_index_is_not_written_of_malformed_metadata() {
    let folder = temporary_folder();
    let out = folder.path().join("out.index");
    let index = |name: &str| {
        let input = Path::new("hostile").join(name);
        run([Path::new("index"), &input, &out])
    };
    for (name, said) in [
        ("batch-buffer-offset-out.stream", "message 1 at byte 144: buffer 1"),
        ("batch-length-negative.stream", "message 1 at byte 144"),
        ("batch-nullcount-min.stream", "null count"),
        ("view-variadic-many.stream", "variadic buffer count is 1000"),
        ("framing-tensor-in-stream.stream", "Tensor"),
    ] {
        let refused = index(name);
        assert!(refused.expect(&[1]).stderr.contains(said), "{name}: {refused:?}");
        assert!(!out.exists(), "{name}");
    }
    for name in ["batch-nodes-few.stream", "utf8-invalid.stream", "dict-missing.stream"] {
        index(name).expect(&[0]);
    }
}
