//! Statistics in footers. Batches that cannot match are not read, and the rows are the same as without statistics.

use std::{fs, path::Path};

use arrow_array::{Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter};

use crate::program::{Outcome, run, temporary_folder};

const BATCH_ROWS: i64 = 5_000;

fn batches() -> Vec<RecordBatch> {
    let batch = |first: i64| {
        let ids = Int64Array::from_iter(first..first + BATCH_ROWS).into_data();
        let names = (0..BATCH_ROWS).map(|row| format!("name {}", (row * 7919) % BATCH_ROWS));
        let names = Utf8Array::try_from_iter(names).unwrap().into_data();
        RecordBatch::try_from_columns([("name", names), ("id", ids)]).unwrap()
    };
    (0..8).map(|idx| batch(idx * BATCH_ROWS)).collect()
}

fn in_folder(folder: &Path, args: &[&str]) -> Outcome {
    run(args.iter().map(|arg| if arg.contains(".arrow") { folder.join(arg) } else { arg.into() }))
}

/// `plain.arrow`, and `known.arrow` with statistics. In `known.arrow`, batches 0 to 4 are damaged.
fn inputs() -> tempfile::TempDir {
    let folder = temporary_folder();
    let batches = batches();
    let file = FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap();
    fs::write(folder.path().join("plain.arrow"), &file).unwrap();
    in_folder(folder.path(), &["convert", "plain.arrow", "known.arrow", "--statistics"]).expect(&[0]);
    folder
}

fn damage(folder: &Path) {
    let path = folder.join("known.arrow");
    let mut bytes = fs::read(&path).unwrap();
    let reader = FileReader::open(&path).unwrap();
    let end = reader.footer().batch(5).unwrap().position() as usize;
    bytes[1_000..end].fill(0xff);
    fs::write(path, bytes).unwrap();
}

#[test]
fn batches_without_matches_are_not_read() {
    let folder = inputs();
    in_folder(folder.path(), &["validate", "known.arrow"]).expect(&[0]);
    damage(folder.path());
    let conditions = [
        "id >= 30100 and id < 30103",
        "id between 25000 and 25001 or id = 39999",
        "id > 99999",
        "id > 25000 and name = 'name 7'",
    ];
    let commands: [&[&str]; 8] = [
        &["cat", "IN", "--vertical"],
        &["cat", "IN", "-n", "2", "--columns", "name", "--vertical"],
        &["head", "IN", "--format", "csv"],
        &["tail", "IN", "-n", "2", "--vertical"],
        &["sample", "IN", "-n", "2", "--seed", "3", "--vertical"],
        &["count", "IN"],
        &["stats", "IN", "--columns", "name", "--json"],
        &["diff", "IN", "plain.arrow"],
    ];
    for condition in conditions {
        for command in commands {
            let with = |name: &str, options: &[&str]| {
                let args: Vec<&str> =
                    command.iter().map(|arg| if *arg == "IN" { name } else { arg }).collect();
                in_folder(folder.path(), &[&args[..], &["--where", condition], options].concat())
            };
            let (trusting, all) = (with("known.arrow", &["--trust-statistics"]), with("plain.arrow", &[]));
            if command[0] == "diff" {
                // `diff` reads all of the other input.
                assert!(trusting.status <= 1, "{condition}: {trusting:?}");
                continue;
            }
            assert_eq!(all.status, 0, "{command:?} {condition}: {all:?}");
            // Counts of rows that do not match come from damaged metadata.
            let rows = |outcome: &Outcome| {
                let rows = outcome.text().lines().filter(|line| !line.contains(" of ") && !line.is_empty());
                // The part of the output of `stats` that is about rows.
                let is_row_line = |line: &str| {
                    line.split("\"n_bytes\"").next().unwrap().replace("plain.arrow", "known.arrow")
                };
                rows.map(is_row_line).collect::<Vec<_>>()
            };
            assert_eq!(rows(&trusting), rows(&all), "{command:?} {condition}: {trusting:?}");
            with("known.arrow", &[]).expect(&[1]);
        }
        // The stream inside the damaged file contradicts its footer. This is reported.
        for input in ["plain.arrow", "known.arrow"] {
            let output = format!("of_{input}");
            in_folder(
                folder.path(),
                &["convert", input, "-o", &output, "--where", condition, "--trust-statistics"],
            )
            .expect(&[0, 3]);
        }
        in_folder(folder.path(), &["diff", "of_plain.arrow", "of_known.arrow"]).expect(&[0]);
    }
    in_folder(folder.path(), &["cat", "known.arrow", "--trust-statistics"]).expect(&[2]);
}

/// Statistics are valid for one file. `validate` detects wrong statistics.
#[test]
fn statistics_are_of_one_file() {
    let folder = inputs();
    let has_statistics = |name: &str| {
        let reader = FileReader::open(folder.path().join(name)).unwrap();
        reader.footer().statistics().is_some()
    };
    assert!(has_statistics("known.arrow") && !has_statistics("plain.arrow"));
    let note = "known.arrow: the footer has statistics, which are not copied: `convert --statistics` writes those of the output";
    let is_reported = |args: &[&str]| {
        let outcome = in_folder(folder.path(), args);
        outcome.expect(&[0]);
        assert!(outcome.stderr.matches(note).count() <= 1, "{outcome:?}");
        outcome.stderr.contains(note)
    };
    for command in ["convert", "concat"] {
        assert!(is_reported(&[command, "known.arrow", "-o", "copy.arrow", "-n", "9"]), "{command}");
        assert!(!has_statistics("copy.arrow"), "{command}");
    }
    assert!(is_reported(&["convert", "known.arrow", "-o", "copy.arrow"]) && !has_statistics("copy.arrow"));
    assert!(is_reported(&["concat", "plain.arrow", "known.arrow", "-o", "copy.arrow"]));
    assert!(is_reported(&["recover", "known.arrow", "-o", "copy.arrow"]) && !has_statistics("copy.arrow"));
    assert!(is_reported(&["convert", "known.arrow", "copy.arrows"]));
    let parts = folder.path().join("parts/");
    let (parts, n_rows) = (parts.to_str().unwrap(), ["--into", "3"]);
    assert!(is_reported(&[&["split", "known.arrow", parts], &n_rows[..]].concat()));
    assert!(!is_reported(&["convert", "plain.arrow", "-o", "copy.arrow"]));
    assert!(!is_reported(&["convert", "known.arrow", "copy.arrow.csv"]));
    assert!(!is_reported(&["convert", "known.arrow", "-o", "copy.arrow", "--statistics"]));
    assert!(has_statistics("copy.arrow"));
    in_folder(folder.path(), &["convert", "plain.arrow", "out.arrows", "--statistics"]).expect(&[2]);
    let n_bytes = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    assert!(n_bytes("known.arrow") <= n_bytes("plain.arrow") * 102 / 100);

    let batches = batches();
    let reader = FileReader::open(folder.path().join("known.arrow")).unwrap();
    for (order, status) in [([0, 1, 2, 3, 4, 5, 6, 7], 0), ([0, 1, 2, 3, 4, 5, 7, 6], 1)] {
        let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
        order.iter().for_each(|idx| writer.write(&batches[*idx]).unwrap());
        writer.set_statistics(&reader.footer().statistics().unwrap()).unwrap();
        fs::write(folder.path().join("copy.arrow"), writer.finish().unwrap()).unwrap();
        let outcome = in_folder(folder.path(), &["validate", "copy.arrow"]);
        let text = "batch 6: in the footer, the statistics say that no value of id is ";
        assert_eq!(outcome.expect(&[status]).stderr.contains(text), status == 1, "{outcome:?}");
    }
}

/// Appended batches get statistics if the file has some, in place or in a new file. If these are too long, the
/// program says so.
#[test]
fn appended_batches_have_statistics() {
    let folder = inputs();
    let path = |name: &str| folder.path().join(name);
    // `validate` compares statistics with all batches.
    let known = |name: &str| FileReader::open(path(name)).unwrap().footer().statistics().is_some();
    fs::copy(path("known.arrow"), path("log.arrow")).unwrap();
    for command in [
        &["append", "log.arrow", "plain.arrow", "plain.arrow", "--where", "id < 12000"][..],
        &["append", "log.arrow", "plain.arrow", "--to", "longer.arrow"],
    ] {
        assert_eq!(in_folder(folder.path(), command).expect(&[0]).stderr, "");
    }
    assert!(known("log.arrow") && known("longer.arrow"));
    in_folder(folder.path(), &["validate", "log.arrow", "longer.arrow"]).expect(&[0]);
    let condition = ["--where", "id = 11999", "--trust-statistics"];
    let found = in_folder(folder.path(), &[&["count", "longer.arrow"], &condition[..]].concat());
    assert!(found.text().starts_with("4"), "{found:?}");
    // A file without statistics gets none.
    fs::copy(path("plain.arrow"), path("without.arrow")).unwrap();
    in_folder(folder.path(), &["append", "without.arrow", "known.arrow"]).expect(&[0]);
    assert!(!known("without.arrow"));

    let line = "no statistics were written: those of even one column would take more than 2 % of the file, since batches are small, or the footer would be too long\n";
    let small = ["convert", "plain.arrow", "small.arrow", "--statistics", "--batch-rows", "100"];
    let small = in_folder(folder.path(), &small);
    assert!(small.expect(&[0]).stderr.ends_with(line), "{small:?}");
    assert!(!known("small.arrow"));
    let appended = in_folder(folder.path(), &["append", "log.arrow", "small.arrow"]);
    assert!(appended.expect(&[0]).stderr.ends_with(&format!("log.arrow: {line}")), "{appended:?}");
    assert!(!known("log.arrow"));
    in_folder(folder.path(), &["validate", "log.arrow"]).expect(&[0]);

    let mut writer = FileWriter::try_new(Vec::new(), batches()[0].schema()).unwrap();
    writer.write(&batches()[0]).unwrap();
    writer.set_statistics(b"nothing of the kind").unwrap();
    fs::write(path("log.arrow"), writer.finish().unwrap()).unwrap();
    let appended = in_folder(folder.path(), &["append", "log.arrow", "plain.arrow"]);
    let line =
        "log.arrow: the statistics in the footer could not be extended to the new rows, and were left out\n";
    assert!(appended.expect(&[0]).stderr.ends_with(line), "{appended:?}");
    in_folder(folder.path(), &["validate", "log.arrow"]).expect(&[0]);
}

/// `explain` describes statistics in a sentence, and `inspect` shows their length.
#[test]
fn statistics_are_shown() {
    let folder = inputs();
    let shown = |command: &str, name: &str| {
        let shown = in_folder(folder.path(), &[command, name]).expect(&[0]).text().to_owned();
        shown.lines().filter(|line| line.contains("statistics")).map(str::to_owned).collect::<Vec<_>>()
    };
    let reader = FileReader::open(folder.path().join("known.arrow")).unwrap();
    let n_bytes = reader.footer_metadata().get("arrow-ipc.statistics").unwrap().len();
    let grouped = format!("{},{:03}", n_bytes / 1_000, n_bytes % 1_000);
    let sentence = format!(
        "The footer has statistics of 2 of 2 columns in {grouped} bytes: `--where CONDITION --trust-statistics` skips batches by them."
    );
    assert_eq!(shown("explain", "known.arrow"), [sentence]);
    assert_eq!(shown("explain", "plain.arrow"), [""; 0]);
    let [line] = &shown("inspect", "known.arrow")[..] else { panic!("one line") };
    assert!(line.ends_with(&format!(r#""... {n_bytes} bytes"}}"#)), "{line}");

    let mut writer = FileWriter::try_new(Vec::new(), batches()[0].schema()).unwrap();
    writer.set_statistics(b"nothing of the kind").unwrap();
    fs::write(folder.path().join("log.arrow"), writer.finish().unwrap()).unwrap();
    let sentence = "The footer has statistics of other batches, or none that can be read, in 28 bytes: no batches are skipped by them.";
    assert_eq!(shown("explain", "log.arrow"), [sentence]);
    for (name, expected) in [
        ("known.arrow", format!(r#""statistics":{{"n_bytes":{n_bytes},"n_columns":2}}"#)),
        ("plain.arrow", r#""statistics":null"#.to_owned()),
        ("log.arrow", r#""statistics":{"n_bytes":28,"n_columns":null}"#.to_owned()),
    ] {
        let explanation = in_folder(folder.path(), &["explain", "--json", name]);
        assert!(explanation.expect(&[0]).text().contains(&expected), "{explanation:?}");
    }
}
