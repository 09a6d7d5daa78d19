//! Rewrites changing dictionaries with each value of `--dictionaries`.

use std::{fs, path::Path};

use arrow_data::RecordBatch;
use arrow_ipc::StreamWriter;
use arrow_schema::{DataType, Field, Schema};
use arrow_text::JsonReader;

use crate::program::{Outcome, run, run_with_input, temporary_folder};

/// Makes batches of words, each with its own dictionary.
fn batches(data_type: &str, words: &[&[&str]]) -> Vec<RecordBatch> {
    let data_type: DataType = data_type.parse().unwrap();
    let schema = Schema::new([Field::new("word", data_type)]);
    let rows =
        |words: &&[&str]| words.iter().map(|word| format!("{{\"word\":{word}}}\n")).collect::<String>();
    words.iter().map(|words| JsonReader::read_batch(&rows(words), schema.clone()).unwrap()).collect()
}

fn write(path: &Path, batches: &[RecordBatch]) {
    let sink = fs::File::create(path).unwrap();
    let mut writer = StreamWriter::try_new(sink, batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

const WORDS: [&[&str]; 3] =
    [&[r#""x""#, r#""y""#], &[r#""z""#, "null", r#""x""#], &[r#""y""#, r#""x""#, r#""w""#]];

/// For each dictionary message: the number of its values, whether it is a delta, and whether it is a replacement.
fn dictionaries(file: &Path) -> Vec<(u64, bool, bool)> {
    let outcome = run([Path::new("inspect"), Path::new("--json"), file]);
    let lines = outcome.expect(&[0]).text().lines();
    let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let dictionaries = lines.filter(|line| line["kind"] == "dictionary batch");
    let flag = |value: &serde_json::Value| value.as_bool().unwrap();
    let shown = dictionaries.map(|line| {
        (line["n_rows"].as_u64().unwrap(), flag(&line["is_delta"]), flag(&line["is_replacement"]))
    });
    shown.collect()
}

fn convert(input: &Path, output: &Path, how: &str) -> Outcome {
    run([Path::new("convert"), input, Path::new("-o"), output, Path::new("--dictionaries"), Path::new(how)])
}

#[test]
fn dictionaries_are_replaced_added_to_or_unified() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let input = path("in.arrows");
    write(&input, &batches("dictionary<int8, utf8>", &WORDS));
    let cases = [
        ("replace", "out.arrows", vec![(2, false, false), (2, false, true), (3, false, true)]),
        ("delta", "out.arrows", vec![(2, false, false), (1, true, false), (1, true, false)]),
        ("delta", "out.arrow", vec![(2, false, false), (1, true, false), (1, true, false)]),
        ("unify", "out.arrows", vec![(4, false, false)]),
        ("unify", "out.arrow", vec![(4, false, false)]),
    ];
    for (how, output, expected) in cases {
        let output = path(output);
        let converted = convert(&input, &output, how);
        assert_eq!((converted.status, &converted.stderr[..]), (0, ""), "{how}");
        assert_eq!(dictionaries(&output), expected, "{how} {}", output.display());
        let same = run([Path::new("diff"), &input, &output]);
        assert_eq!(
            (same.status, same.differences(), &same.stderr[..]),
            (0, "", ""),
            "{how} {}",
            output.display()
        );
        // A pipe has the same result.
        let to = if output.extension().is_some_and(|suffix| suffix == "arrow") { "file" } else { "stream" };
        let args = ["convert", "-", "-", "--to", to, "--dictionaries", how];
        let piped = run_with_input(args, &fs::read(&input).unwrap());
        assert!(piped.expect(&[0]).stdout == fs::read(&output).unwrap(), "{how} {to}");
        // An output with one dictionary can be read by all readers, and can be copied.
        if how == "unify" {
            run([Path::new("convert"), &output, Path::new("-o"), &path("again.arrow")]).expect(&[0]);
        }
    }
}

#[test]
fn what_cannot_be_written_is_said_with_the_option_that_helps() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrows", "out.arrow"].map(|name| folder.path().join(name));
    let many: Vec<Vec<String>> =
        (0..2).map(|batch| (0..100).map(|i| format!("\"{}\"", batch * 100 + i)).collect()).collect();
    let many: Vec<Vec<&str>> = many.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
    let many: Vec<&[&str]> = many.iter().map(Vec::as_slice).collect();
    type Words<'a> = &'a [&'a [&'a str]];
    let cases: [(&str, Words<'_>, &str, &[&str]); 3] = [
        // The type of the indices is too small for the number of values.
        ("dictionary<int8, utf8>", &many, "unify", &["field `word`", "200"]),
        ("dictionary<int8, utf8>", &many, "delta", &["field `word`", "200"]),
        ("dictionary<int8, utf8, ordered>", &WORDS, "unify", &["order"]),
    ];
    for (data_type, words, how, said) in cases {
        write(&input, &batches(data_type, words));
        let outcome = convert(&input, &output, how);
        outcome.expect(&[5]);
        for words in said {
            assert!(outcome.stderr.contains(words), "{how}: {words} in {outcome:?}");
        }
        assert!(!output.exists());
        run([Path::new("convert"), &input, &output, Path::new("--to"), Path::new("stream")]).expect(&[0]);
        fs::remove_file(&output).unwrap();
    }
}

/// Each batch of text, and each batch of a cast column, has its own dictionary.
#[test]
fn dictionaries_of_text_and_of_changed_columns_are_unified() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [csv, plain, schema] = ["a.csv", "plain.arrow", "schema"].map(path);
    // More rows than a batch of text has. Each batch has new words.
    let rows = |n: usize| (0..n).map(|row| format!("{row},w{}\n", row / 20_000)).collect::<String>();
    fs::write(&csv, format!("id,word\n{}", rows(70_000))).unwrap();
    fs::write(&schema, "id: int64\nword: dictionary<int32, utf8>\n").unwrap();
    run(["convert", &csv, &plain]).expect(&[0]);
    let cast = ["--cast", "word=dictionary<int32, utf8>"];
    let by_schema = ["--schema", &schema];
    let changed = ["--columns", "word", "--rename", "word=w", "--rows", "25000..", "--batch-rows", "15000"];
    let cases: [(&str, &str, Vec<&str>, &str, u64); 7] = [
        ("convert", &csv, by_schema.to_vec(), "out.arrow", 4),
        ("convert", &csv, [&by_schema[..], &changed].concat(), "out.arrow", 3),
        ("convert", &csv, cast.to_vec(), "out.arrows", 4),
        ("convert", &plain, cast.to_vec(), "out.arrow", 4),
        ("convert", &plain, [&cast[..], &changed].concat(), "out.arrow", 3),
        ("split", &plain, cast.to_vec(), "out.arrow", 4),
        ("concat", &plain, [&[plain.as_str()], &cast[..]].concat(), "out.arrow", 4),
    ];
    for (command, input, options, out, n_values) in cases {
        let out = path(out);
        // Several inputs precede the output.
        let n_inputs = usize::from(command == "concat");
        let (inputs, options) = options.split_at(n_inputs);
        let args = [&[command, input], inputs, &["-o", &out], options].concat();
        // A file gets one dictionary without an option.
        run(&args).expect(&[0]);
        if out.ends_with(".arrow") {
            assert_eq!(dictionaries(Path::new(&out)), [(n_values, false, false)], "{args:?}");
        }
        let written = run([&args[..], &["--dictionaries", "unify"]].concat());
        assert_eq!((written.status, &written.stderr[..]), (0, ""), "{args:?}");
        assert_eq!(dictionaries(Path::new(&out)), [(n_values, false, false)], "{args:?}");
        // The rows are the same as with replaced dictionaries.
        let replaced = path("replaced.arrows");
        run([&[command, input], inputs, &["-o", &replaced], options].concat()).expect(&[0]);
        run(["diff", &replaced, &out]).expect(&[0]);
    }
    // A pipe has the same result.
    let args = ["convert", "-", "-", "--from", "csv", "--to", "file", "--dictionaries", "unify"];
    let piped = run_with_input([&args[..], &cast].concat(), &fs::read(&csv).unwrap());
    run(["convert", &csv, &path("file.arrow"), "--dictionaries", "unify", cast[0], cast[1]]).expect(&[0]);
    assert!(piped.expect(&[0]).stdout == fs::read(path("file.arrow")).unwrap());
}
