//! The commands that `explain` and hints name work on the input that they are about.

use std::{fs, path::Path};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileReader, FileWriter, StreamWriter, WriteOptions};
use serde_json::Value;
use testing_support::{Hunt, files_below};

use crate::program::{Outcome, corpus, run, temporary_folder};

/// The Arrow files and streams of the corpus: all hostile ones, and some golden ones of each writer. In a short run, every
/// second of them, from this one on.
fn inputs(first: usize) -> Vec<String> {
    let is_arrow = |path: &Path| {
        let extensions = ["arrow", "arrows", "stream", "arrow_file", "tensor"];
        path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension))
    };
    let of = |folder: &str| files_below(&corpus().join(folder), "").into_iter().filter(|path| is_arrow(path));
    let inputs = of("hostile").chain(of("tensors")).chain(of("golden").step_by(5));
    // Many names have two forms, a file and a stream.
    let is_taken = |idx: usize| Hunt::from_env().is_on() || (idx + idx / 2) % 2 == first;
    let inputs = inputs.enumerate().filter(|(idx, _)| is_taken(*idx));
    inputs.map(|(_, path)| path.to_str().unwrap().to_owned()).collect()
}

fn explained(input: &str) -> (i32, Value) {
    let explanation = run(["explain", "--json", input]);
    (explanation.status, serde_json::from_str(explanation.text()).unwrap_or_default())
}

/// Whether a recovery found that the schema fits no batch, and names the option that gives another one.
fn names_schema(outcome: &Outcome) -> bool {
    outcome.status == 1
        && ["does not fit the only batch", "fits none of"].iter().any(|text| outcome.stderr.contains(text))
        && outcome.stderr.contains("hint: --schema FILE")
}

#[test]
fn commands_of_findings_work() {
    let folder = temporary_folder();
    let (mut n_run, mut n_of_values) = (0, 0);
    for input in inputs(0) {
        let (status, explanation) = explained(&input);
        let extension = if explanation["container"] == "file" { "arrow" } else { "arrows" };
        for finding in explanation["findings"].as_array().into_iter().flatten() {
            let remedy = &finding["remedy"];
            let Some(command) = remedy["command"].as_str() else { continue };
            let options = remedy["options"].as_array().unwrap().iter();
            let options: Vec<&str> = options.map(|option| option.as_str().unwrap()).collect();
            if options == ["--schema", "FILE"] {
                // The user has to know the columns.
                assert!(command == "recover" && status == 1, "{input}: {explanation}");
                continue;
            }
            let output = folder.path().join(format!("out.{extension}")).to_str().unwrap().to_owned();
            let outcome = run([&[command, &input, "-o", &output], &options[..]].concat());
            n_run += 1;
            if names_schema(&outcome) {
                assert_eq!(command, "recover", "{input}: {explanation}");
                continue;
            }
            if outcome.status == 1 && status == 0 {
                // `explain` does not look at values.
                run(["validate", &input]).expect(&[1]);
                n_of_values += 1;
                continue;
            }
            assert!([0, 3].contains(&outcome.status), "{input}: {finding}: {outcome:?}");
            assert!(Path::new(&output).exists(), "{input}: {finding}");
            fs::remove_file(&output).unwrap();
        }
    }
    let least = Hunt::from_env().count(100, 200);
    assert!(n_run > least && n_of_values < 5, "{n_run}, {n_of_values}");
}

/// The commands of a hint, with another name for the output.
fn commands_of(stderr: &str, output: &str) -> Vec<Vec<String>> {
    let hints = stderr.lines().filter_map(|line| line.strip_prefix("  hint: "));
    let quoted = hints.flat_map(|hint| hint.split('`').skip(1).step_by(2));
    let commands = quoted.filter_map(|quoted| quoted.strip_prefix("arrow-ipc "));
    let is_whole =
        |command: &&str| !["COLUMNS.txt", "A,B", "--from csv"].iter().any(|part| command.contains(part));
    let args = |command: &str| command.replace(" OUT.arrow", &format!(" -o {output}"));
    let args = |command: &str| args(command).split(' ').map(str::to_owned).collect();
    commands.filter(is_whole).map(args).collect()
}

#[test]
fn commands_of_hints_work() {
    let folder = temporary_folder();
    // A stream, since the dictionaries of some inputs change.
    let output = folder.path().join("out.arrows").to_str().unwrap().to_owned();
    let (mut n_run, mut n_inspected) = (0, 0);
    for input in inputs(1).into_iter().filter(|input| !input.contains("utf16")) {
        let failed = run(["cat", "--limit", "10", &input]);
        for command in commands_of(&failed.stderr, &output) {
            let allowed: &[i32] = match command[0].as_str() {
                "recover" => &[0, 3],
                "inspect" => &[0, 1, 5],
                "schema" => &[0, 5],
                _ => &[0],
            };
            let outcome = run(&command);
            if command[0] == "recover" && names_schema(&outcome) {
                continue;
            }
            assert!(allowed.contains(&outcome.status), "{failed:?}\n{command:?}: {outcome:?}");
            n_run += 1;
            n_inspected += usize::from(command[0] == "inspect");
        }
    }
    let [least, least_inspected] = [75, 10].map(|n| Hunt::from_env().count(n, 2 * n));
    assert!(
        n_run > least && n_inspected > least_inspected && n_inspected < n_run / 2,
        "{n_run}, {n_inspected}"
    );
}

fn batch(n_rows: i64) -> RecordBatch {
    RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..n_rows).into())]).unwrap()
}

/// The body of the last batch of a file is cut; the footer comes after it. Bytes of the footer are no body.
#[test]
fn a_body_that_is_cut_before_the_footer_is_truncated() {
    let folder = temporary_folder();
    let path = folder.path().join("in.arrow").to_str().unwrap().to_owned();
    let file = FileWriter::write_to_buffer(batch(4).schema(), &[batch(4), batch(400)]).unwrap();
    let footer = FileReader::try_from_buffer(file.clone()).unwrap().footer().clone();
    let body_start = footer.batches()[1].range().end - footer.batches()[1].n_body_bytes();
    for n_left in [0, 8, 3_192] {
        let cut = [&file[..body_start as usize + n_left], &file[footer.position() as usize..]].concat();
        fs::write(&path, cut).unwrap();
        let rows = "4 rows in 1 complete batch";
        let explained = run(["explain", &path]);
        assert!(
            explained.expect(&[1]).text().contains(&format!("{rows} of 1 column, and 1 truncated.")),
            "{explained:?}"
        );
        let counted = run(["count", &path]);
        assert!(counted.expect(&[1]).stderr.ends_with(&format!("{rows}, and 1 truncated\n")), "{counted:?}");
        let inspected = run(["inspect", &path]);
        let errors: Vec<&str> = inspected.expect(&[1]).stderr.lines().collect();
        let truncated = format!("the body is truncated: {n_left} of ");
        assert!(
            matches!(&errors[..], [block, body] if block.contains("block of record batch 1") && body.contains(&truncated)),
            "{errors:?}"
        );
        let output = folder.path().join("out.arrow").to_str().unwrap().to_owned();
        run(["recover", &path, "-o", &output]).expect(&[3]);
        assert_eq!(run(["count", &output]).expect(&[0]).text(), "4\n");
    }
}

/// The length before a frame and the header of the frame contradict each other. Metadata alone shows that.
#[test]
fn lengths_that_contradict_frames_are_found() {
    let folder = temporary_folder();
    let path = folder.path().join("in.arrows").to_str().unwrap().to_owned();
    let options = WriteOptions::new().with_compression(Compression::zstd());
    let stream = StreamWriter::write_to_vec_with(batch(1_000).schema(), &[batch(1_000)], options).unwrap();
    let frame = stream.windows(4).position(|bytes| bytes == [0x28, 0xb5, 0x2f, 0xfd]).unwrap();
    for length in [0_i64, 7_999, 1 << 40] {
        let mut changed = stream.clone();
        changed[frame - 8..frame].copy_from_slice(&length.to_le_bytes());
        fs::write(&path, changed).unwrap();
        for command in ["explain", "inspect", "validate"] {
            let outcome = run([command, &path]);
            assert!(outcome.expect(&[1]).stderr.contains("malformed ZSTD frame"), "{length}: {outcome:?}");
        }
        let (_, explanation) = explained(&path);
        let findings = explanation["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["remedy"]["command"] != "convert"), "{explanation}");
    }
}
