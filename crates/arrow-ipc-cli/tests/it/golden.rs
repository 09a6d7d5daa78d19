//! Shows the files of other implementations, and rewrites them without changes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use arrow_schema::Schema;
use testing_support::Hunt;

use crate::program::{folder_in_memory, golden_cases, run, run_with_input};

#[test]
fn rows_schema_and_validity() {
    let hunt = Hunt::from_env();
    for (position, (case, files)) in golden_cases().into_iter().enumerate() {
        let json = fs::read_to_string(case.with_extension("json")).unwrap();
        let schema = fs::read_to_string(case.with_extension("schema")).unwrap();
        assert!(!files.is_empty(), "{}", case.display());
        let n_files = files.len();
        for (idx, file) in files.into_iter().enumerate() {
            let name = file.display();
            // A short run shows the rows of one file for every second case.
            if hunt.is_on() || (position % 2 == 0 && position / 2 % n_files == idx) {
                let rows = run([Path::new("cat"), Path::new("--json-pairs"), &file]);
                rows.expect(&[0]);
                assert!(rows.text() == json && rows.stderr.is_empty(), "{name}: {rows:?}");
            }
            // A short run alternates between `inspect` and `schema`.
            let turn = (position + idx) % 4;
            if hunt.is_on() || turn == 0 {
                let inspected = run([Path::new("inspect"), Path::new("--buffers"), &file]);
                assert!(inspected.status == 0 && inspected.stderr.is_empty(), "{name}: {inspected:?}");
            }
            if !hunt.is_on() && turn != 3 {
                continue;
            }
            let shown = run([Path::new("schema"), &file]);
            // The schema, which can be parsed, follows the headline.
            let (headline, shown) = shown.expect(&[0]).text().split_once('\n').unwrap();
            let counts = headline.strip_suffix(", metadata names polars").unwrap_or(headline);
            assert!(counts.starts_with("# ") && counts.ends_with(" bytes"), "{headline}");
            let columns = shown.split("\n\n").next().unwrap_or_default();
            // Metadata follows an empty line. Without columns, there is only metadata.
            let columns =
                if schema.trim().is_empty() && columns.contains("metadata of") { "" } else { columns };
            assert_eq!(columns.trim_end(), schema.trim_end(), "{name}");
            let whole = format!("{headline}\n{shown}");
            let read: Schema = whole.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(shown.starts_with(&format!("{read:#}")), "{name}");
        }
    }
}

/// All notes, but those about metadata versions and metadata of footers: the footers of pyarrow say V5, whatever version the
/// messages have, and some footers have metadata of their own.
fn unexpected_notes(stderr: &str) -> Vec<&str> {
    let expected =
        ["batches or dictionaries have another metadata version", "only the footer has the custom metadata"];
    let is_other = |note: &&str| !expected.iter().any(|words| note.contains(words));
    stderr.lines().filter(is_other).collect()
}

/// Validates all files in one run, which names invalid files.
#[test]
fn all_are_valid() {
    let files = golden_cases().into_iter().flat_map(|(_, files)| files);
    let valid = run([PathBuf::from("validate")].into_iter().chain(files));
    let notes = unexpected_notes(&valid.stderr);
    assert_eq!((valid.status, notes, valid.text()), (0, Vec::new(), ""));
}

#[test]
fn strict_validation_agrees_with_the_cases() {
    let mut n_not_strict = 0;
    let mut strict = vec![PathBuf::from("validate"), PathBuf::from("--strict")];
    for folder in fs::read_dir(crate::program::corpus().join("golden")).unwrap() {
        let folder = folder.unwrap().path();
        let Ok(cases) = fs::read_to_string(folder.join("cases.tsv")) else { continue };
        for row in cases.lines().skip(1) {
            let cells: Vec<&str> = row.split('\t').collect();
            let (case, formats, level) = (cells[0], cells[1], cells[3]);
            for format in formats.split(',') {
                let suffix = if format == "file" { "arrow" } else { "arrows" };
                let file = folder.join(format!("{case}.{suffix}"));
                if level == "strict" {
                    strict.push(file);
                    continue;
                }
                let outcome = run([Path::new("validate"), Path::new("--strict"), &file]);
                let errors = outcome.expect(&[1]).stderr.lines().filter(|line| line.starts_with("error: "));
                assert_eq!(errors.count(), 1, "{outcome:?}");
                n_not_strict += 1;
            }
        }
    }
    let outcome = run(&strict);
    assert_eq!((outcome.status, unexpected_notes(&outcome.stderr)), (0, Vec::new()));
    assert!(
        n_not_strict > 0 && strict.len() > 200,
        "{n_not_strict} are not strictly valid, {} are",
        strict.len()
    );
}

/// The metadata of the batches in `inspect --json`, and the schema with its metadata.
fn metadata_and_schema(file: &Path) -> (Vec<serde_json::Value>, serde_json::Value) {
    let outcome = run([Path::new("inspect"), Path::new("--json"), file]);
    let lines = outcome.expect(&[0]).text().lines();
    let lines: Vec<serde_json::Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let batches = lines.iter().filter(|line| line["kind"] == "record batch");
    let metadata = batches.map(|line| line["custom_metadata"].clone()).collect();
    let outcome = run([Path::new("schema"), Path::new("--json"), file]);
    let mut schema: serde_json::Value = serde_json::from_str(outcome.expect(&[0]).text()).unwrap();
    let schema_members = schema.as_object_mut().unwrap();
    schema_members.remove("container");
    // The output has the current metadata version, regardless of the input.
    schema_members.remove("metadata_version");
    (metadata, schema)
}

#[test]
fn a_rewrite_keeps_everything() {
    let folder = folder_in_memory();
    let mut rewritten = vec![PathBuf::from("validate")];
    let hunt = Hunt::from_env();
    for (position, (case, files)) in golden_cases().into_iter().enumerate() {
        let json = fs::read_to_string(case.with_extension("json")).unwrap();
        for (idx, file) in files.into_iter().enumerate() {
            let name = file.display();
            // A short run rewrites one of the two files in one of three cases, alternates between the containers, and
            // compares some of the metadata.
            if !hunt.is_on() && (position % 2 != idx || position % 3 > 0) {
                continue;
            }
            let compares_metadata = hunt.is_on() || (position / 4).is_multiple_of(4);
            for &suffix in hunt.some_of(&["arrows", "arrow"], 1, position / 2) {
                let out = folder.path().join(format!("{position}-{idx}")).with_extension(suffix);
                let converted = run([Path::new("convert"), &file, &out]);
                if suffix == "arrow" && converted.stderr.contains("the ordered dictionaries") {
                    // A file cannot have the changing dictionaries of this stream, and their orders differ.
                    converted.expect(&[5]);
                    continue;
                }
                assert!(converted.status == 0 && converted.stderr.is_empty(), "{name}: {converted:?}");
                assert!(converted.stdout.is_empty(), "{name}");
                assert_eq!(
                    run([Path::new("cat"), Path::new("--json-pairs"), &out]).expect(&[0]).text(),
                    json,
                    "{name} as {suffix}"
                );
                if compares_metadata {
                    assert_eq!(metadata_and_schema(&out), metadata_and_schema(&file), "{name} as {suffix}");
                }
                rewritten.push(out);
            }
        }
    }
    assert!(unexpected_notes(&run(&rewritten).expect(&[0]).stderr).is_empty());
}

#[test]
fn pipes_are_as_good_as_files() {
    for (case, files) in golden_cases().into_iter().step_by(11) {
        let json = fs::read_to_string(case.with_extension("json")).unwrap();
        for file in files {
            let (bytes, name) = (fs::read(&file).unwrap(), file.display());
            assert_eq!(
                run_with_input(["cat", "--json-pairs", "-"], &bytes).expect(&[0]).text(),
                json,
                "{name}"
            );
            for command in ["schema", "inspect", "validate"] {
                let from_file = run([Path::new(command), &file]);
                let from_pipe = run_with_input([command, "-"], &bytes);
                assert_eq!((from_pipe.status, &from_pipe.stderr), (0, &String::new()), "{name}");
                if command == "schema" {
                    // The headline has counts for files only.
                    let columns = from_file.text().split_once('\n').map(|(_, columns)| columns);
                    assert_eq!(columns, Some(from_pipe.text()), "{name}");
                }
            }
            let converted = run_with_input(["convert", "-", "-", "--to", "stream"], &bytes);
            let rows = run_with_input(["cat", "--json-pairs", "-"], &converted.expect(&[0]).stdout);
            assert_eq!(rows.expect(&[0]).text(), json, "{name}");
        }
    }
}
