//! `explain` reports each finding for a small file that has it, and the command that it names fixes the file.

use std::{fs, path::Path};

use arrow_array::{Int64Array, Utf8ViewArray};
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileWriter, UnusedValues, WriteOptions};
use arrow_select::Select;
use serde_json::Value;
use testing_support::files_below;

use crate::program::{corpus, run, temporary_folder};

/// Makes an input in a folder, and returns its path.
type Make = fn(&Path) -> String;

const CASES: [(&str, Make); 32] = [
    ("damage", |_| "hostile/file-cut-40.arrow_file".to_owned()),
    ("unlisted", |_| "hostile/file-block-offset-mid.arrow_file".to_owned()),
    ("contradiction", |_| "hostile/file-footer-schema-differs.arrow_file".to_owned()),
    ("bytes_before_footer", |_| "oddities/pyarrow-closed-twice.arrow".to_owned()),
    ("extra_validity", |_| "extra-validity/as-written/many.arrow".to_owned()),
    ("mixed_versions", |_| "oddities/mixed-versions.arrow".to_owned()),
    ("schema_form", |_| "oddities/map-entries-nullable.arrows".to_owned()),
    ("unknown_zone", |_| "oddities/zone-fixed.arrow".to_owned()),
    ("text_not_utf8", |_| "hostile/meta-not-utf8-field.arrow_file".to_owned()),
    ("dictionary_extension", |_| "oddities/dictionary-of-extension.arrow".to_owned()),
    ("trailing_bytes", |folder| {
        write(folder, "in.arrows", &[&read("integers-full.arrows")[..], b"not a stream"].concat())
    }),
    ("no_schema_message", |_| "golden/polars-2.1.0/batches.arrow".to_owned()),
    ("no_end_marker", |folder| {
        let bytes = read("integers-full.arrows");
        write(folder, "in.arrows", &bytes[..bytes.len() - 8])
    }),
    ("several_streams", |folder| write(folder, "in.arrows", &read("integers-full.arrows").repeat(2))),
    ("unsupported", |folder| {
        // The type utf8 in the schema becomes an unknown type.
        crate::unknown_types::write_unknown(folder)[0].clone()
    }),
    ("legacy_framing", |_| golden("legacy-framing.arrow")),
    ("old_version", |_| golden("metadata-v4.arrow")),
    ("big_endian", |folder| converted(folder, &golden("integers-full.arrow"), &["--endian", "big"])),
    ("unaligned", |folder| {
        let stream = read("integers-full.arrows");
        write(folder, "in.arrows", &[&stream[..], &[0; 4], &stream].concat())
    }),
    ("deltas", |_| golden("dictionary-deltas.arrow")),
    ("replacements", |_| golden("dictionary-replaced.arrows")),
    ("large_dictionaries", |folder| {
        let cast = ["--columns", "n", "--cast", "n=dictionary<int32, int64>"];
        let whole = converted(folder, &golden("rows-300.arrow"), &cast);
        let some = folder.join("some.arrow").to_str().unwrap().to_owned();
        run(["split", &whole, &some, "--rows", "0..3"]).expect(&[0]);
        some
    }),
    ("unused", |folder| write(folder, "in.arrow", &slices(None))),
    ("repeated_view_data", |folder| write(folder, "in.arrow", &slices(Some(Compression::zstd())))),
    ("empty_batches", |_| golden("binary-text-nulls.arrow")),
    ("small_batches", |_| "golden/apache-arrow-js-21.2.0/many-batches.arrow".to_owned()),
    ("much_metadata", |_| golden("compressed-lz4.arrow")),
    ("mixed_compression", |folder| {
        let parts = ["lz4", "zstd"].map(|codec| {
            let part = converted(folder, &golden("rows-300.arrow"), &["--compression", codec]);
            let renamed = folder.join(format!("{codec}.arrow")).to_str().unwrap().to_owned();
            fs::rename(part, &renamed).unwrap();
            renamed
        });
        let both = folder.join("both.arrow").to_str().unwrap().to_owned();
        run(["concat", &parts[0], &parts[1], &both]).expect(&[0]);
        both
    }),
    ("useless_compression", |_| "golden/apache-arrow-js-21.2.0/stored-lz4.arrow".to_owned()),
    ("no_compression", |folder| {
        let column = Int64Array::from_iter(0..200_000).into_data();
        let batch = RecordBatch::try_from_columns([("id", column)]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        write(folder, "in.arrow", &writer.finish().unwrap())
    }),
    ("much_padding", |_| "golden/arrow-rs-60.1.0/bit-offsets.arrow".to_owned()),
    ("nulls_without_nulls", |_| "golden/nanoarrow-0.9.0/binary-text-nulls.arrows".to_owned()),
];

/// Three equal batches of views. The views of a batch use a third of its long data.
fn slices(compression: Option<Compression>) -> Vec<u8> {
    // Text that compresses badly.
    let text =
        |row: u128| format!("{:032x}", (row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
    let texts = |n: u128| (0..n).map(|row| Some(text(row)));
    let [one, two] = [texts(300), texts(900)].map(Utf8ViewArray::from_iter);
    let all = arrow_select::concat(&[one.into_data(), two.into_data()]).unwrap();
    let third = all.take(&(0..1200).step_by(3).collect::<Vec<u32>>()).unwrap();
    let batches = vec![RecordBatch::try_from_columns([("text", third)]).unwrap(); 3];
    let options = WriteOptions::new().with_unused_items(UnusedValues::Keep).with_compression(compression);
    FileWriter::write_to_vec_with(batches[0].schema(), &batches, options).unwrap()
}

fn golden(name: &str) -> String {
    format!("golden/pyarrow-26.0.1/{name}")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(corpus().join(golden(name))).unwrap()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn converted(folder: &Path, input: &str, options: &[&str]) -> String {
    let output = folder.join("converted.arrow").to_str().unwrap().to_owned();
    run([&["convert", input, &output], options].concat()).expect(&[0]);
    output
}

fn findings(input: &str) -> Vec<Value> {
    let explanation = run(["explain", "--json", input]);
    let explanation: Value = serde_json::from_str(explanation.expect(&[0, 1, 5]).text()).unwrap();
    explanation["findings"].as_array().unwrap().clone()
}

#[test]
fn findings_are_mended_by_their_commands() {
    for (name, make) in CASES {
        let folder = temporary_folder();
        let input = make(folder.path());
        let all = findings(&input);
        let finding = all.iter().find(|finding| finding["finding"] == name);
        let finding = finding.unwrap_or_else(|| panic!("{name}: {all:?}"));
        let prose = run(["explain", &input]);
        assert!(prose.text().contains(finding["text"].as_str().unwrap()), "{name}: {prose:?}");
        mend(folder.path(), &input, finding);
    }
}

/// Runs the command that a finding names, and checks that the output does not have the finding.
fn mend(folder: &Path, input: &str, finding: &Value) {
    let (name, remedy) = (&finding["finding"], &finding["remedy"]);
    let Some(command) = remedy["command"].as_str() else { return };
    let prose = run(["explain", input]);
    let extension = if prose.text().contains("OUT.arrows") { "arrows" } else { "arrow" };
    let output = folder.join(format!("out.{extension}")).to_str().unwrap().to_owned();
    let options: Vec<&str> =
        remedy["options"].as_array().unwrap().iter().map(|option| option.as_str().unwrap()).collect();
    let line = format!("arrow-ipc {command} {input} OUT.{extension} {}", options.join(" "));
    // The shell needs quotes around options with spaces.
    let is_quoted = options.iter().any(|option| option.contains(' '));
    assert!(is_quoted || prose.text().contains(line.trim_end()), "{name}: {}", prose.text());
    run([&[command, input, "-o", &output], &options[..]].concat()).expect(&[0, 3]);
    // Compressed bodies stay compressed, unless compression is the finding.
    let is_compressed = |path: &str| run(["explain", path]).text().contains("Bodies are compressed");
    assert!(!is_compressed(input) || is_compressed(&output) || name == "useless_compression", "{name}");
    let left = findings(&output);
    assert!(left.iter().all(|finding| finding["finding"] != *name), "{input}: {name}: {left:?}");
}

/// Findings about dictionaries also apply to files with several columns of dictionaries.
#[test]
fn findings_of_dictionaries_are_mended_by_their_commands() {
    let folder = temporary_folder();
    let mut n_mended = 0;
    for file in files_below(&corpus().join("golden/pyarrow-26.0.1"), "") {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("dictionary") || !(name.ends_with(".arrow") || name.ends_with(".arrows")) {
            continue;
        }
        let input = golden(&name);
        for finding in findings(&input) {
            if ["large_dictionaries", "unused", "empty_batches"]
                .iter()
                .any(|mended| finding["finding"] == *mended)
            {
                mend(folder.path(), &input, &finding);
                n_mended += 1;
            }
        }
    }
    assert!(n_mended > 20, "{n_mended}");
}

/// Appending values to an ordered dictionary breaks its order, so ordered dictionaries are not joined.
#[test]
fn dictionaries_with_an_order_become_plain() {
    let folder = temporary_folder();
    let schema = write(folder.path(), "a.schema", b"\"it's n\": dictionary<int32, int64, ordered>");
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let parts = ["1", "2"].map(|n| {
        let rows = write(folder.path(), "rows.jsonl", format!("{{\"it's n\":{n}}}\n").as_bytes());
        let part = path(&format!("{n}.arrows"));
        run(["convert", &rows, &part, "--schema", &schema]).expect(&[0]);
        part
    });
    let [stream, output] = ["in.arrows", "out.arrows"].map(path);
    run(["concat", &parts[0], &parts[1], &stream]).expect(&[0]);
    run(["convert", &stream, "-o", &output, "--dictionaries", "unify"]).expect(&[5]);
    let replacements =
        |input: &str| findings(input).into_iter().find(|finding| finding["finding"] == "replacements");
    let finding = replacements(&stream).unwrap();
    let remedy = &finding["remedy"];
    assert_eq!(remedy.to_string(), r#"{"command":"convert","options":["--cast","it's n=int64"]}"#);
    assert!(finding["text"].as_str().unwrap().contains("Some are ordered"), "{finding}");
    let prose = run(["explain", &stream]);
    let line = format!("arrow-ipc convert {stream} OUT.arrows --cast \"it's n=int64\"\n");
    assert!(prose.expect(&[0]).text().contains(&line), "{prose:?}");
    run(["convert", &stream, "-o", &output, "--cast", "it's n=int64"]).expect(&[0]);
    assert_eq!(replacements(&output), None);
    // Tests a name that must be quoted, and a name that two columns have.
    run(["convert", &stream, "-o", &output, "--rename", "it's n=a=b"]).expect(&[0]);
    assert_eq!(replacements(&output).unwrap()["remedy"]["options"][1], "\"a=b\"=int64");
    let twice = path("twice.arrows");
    let columns = ["--columns", "it's n,it's n"];
    run([&["convert", &stream, &twice][..], &columns].concat()).expect(&[0]);
    assert_eq!(replacements(&twice).unwrap()["remedy"], Value::Null);
}

#[test]
fn findings_are_documented() {
    let (_, section) = include_str!("../../JSON.md").split_once("## JSON of `explain`").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `\"")?.split_once("\"` |"));
    let documented: Vec<&str> = rows.map(|(name, _)| name).collect();
    assert_eq!(documented, CASES.map(|(name, _)| name));
    let explanation = run(["explain", "--json", &golden("dictionary-deltas.arrow")]);
    let explanation: Value = serde_json::from_str(explanation.expect(&[0]).text()).unwrap();
    for member in explanation.as_object().unwrap().keys() {
        assert!(section.contains(&format!("`{member}`")), "{member}");
    }
}

/// Shares are relative to the bytes that are present in a truncated input.
#[test]
fn missing_bytes_are_distinguished() {
    let folder = temporary_folder();
    let path = folder.path().join("cut.arrows");
    let name = path.to_str().unwrap();
    let bytes = std::fs::read(corpus().join(golden("rows-300.arrows"))).unwrap();
    for n_bytes in (bytes.len() / 3..bytes.len()).step_by(97) {
        std::fs::write(&path, bytes.get(..n_bytes).unwrap()).unwrap();
        let explanation = run(["explain", "--json", name]);
        let explanation: Value = serde_json::from_str(explanation.text()).unwrap();
        let number = |member: &str| explanation[member].as_u64().unwrap();
        let columns = explanation["columns"].as_array().unwrap().iter();
        let shares = columns.map(|column| column["n_bytes"].as_u64().unwrap()).sum::<u64>();
        assert_eq!(shares + number("n_padding_bytes"), number("n_body_bytes"), "{n_bytes}: {explanation}");
        assert!(number("n_body_bytes") + number("n_metadata_bytes") <= n_bytes as u64, "{explanation}");
        let prose = run(["explain", name]);
        let words = "missing: bodies are cut off";
        assert_eq!(prose.text().contains(words), number("n_missing_bytes") > 0, "{prose:?}");
    }
}

/// `explain`, `count`, `recover` and the page find the same complete batches in a damaged file.
#[test]
fn damaged_files_have_the_same_batches_everywhere() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["rows-300.arrow", "rows-300.arrows"] {
        let bytes = std::fs::read(corpus().join(golden(name))).unwrap();
        let (cut, output) = (path(name), path("out.arrows"));
        for n_bytes in [bytes.len() / 2, bytes.len() * 4 / 5] {
            std::fs::write(&cut, &bytes[..n_bytes]).unwrap();
            run(["recover", &cut, "-o", &output]).expect(&[3]);
            let n_batches = run(["inspect", "--json", &output]).text().matches("\"record batch\"").count();
            let n_rows = run(["count", &output]).expect(&[0]).text().trim().to_owned();
            let [rows, batches] =
                [(n_rows.as_str(), "row"), (&n_batches.to_string(), "complete batch")].map(|(n, noun)| {
                    let end = if n == "1" {
                        ""
                    } else if noun == "row" {
                        "s"
                    } else {
                        "es"
                    };
                    format!("{n} {noun}{end}")
                });
            let explained = run(["explain", &cut]);
            let sentence = format!("It has {rows} in {batches} of ");
            assert!(explained.expect(&[1]).text().contains(&sentence), "{sentence}: {explained:?}");
            assert!(explained.text().contains(", and 1 truncated.\n"), "{explained:?}");
            let counted = run(["count", &cut]);
            let note = format!("note: {cut}: {rows} in {batches}, and 1 truncated\n");
            assert!(counted.expect(&[1]).stderr.ends_with(&note) && counted.stdout.is_empty(), "{counted:?}");
        }
    }
}

/// The numbers are the same as in other commands.
#[test]
fn numbers_are_those_of_other_commands() {
    for name in ["rows-300.arrow", "compressed-lz4.arrow", "dictionary-nested.arrows", "views-full.arrow"] {
        let input = &golden(name);
        let explanation: Value = serde_json::from_str(run(["explain", "--json", input]).text()).unwrap();
        let count = run(["count", input]);
        assert_eq!(explanation["n_rows"].to_string(), count.text().trim(), "{name}");
        let inspected = run(["inspect", "--json", "--buffers", input]);
        let objects = inspected.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let objects: Vec<Value> = objects.collect();
        let sum = |member: &str| objects.iter().filter_map(|object| object[member].as_u64()).sum::<u64>();
        assert_eq!(explanation["n_body_bytes"], sum("n_body_bytes"), "{name}");
        let buffers = objects.iter().filter_map(|object| object["buffers"].as_array()).flatten();
        let n_bytes: u64 = buffers.map(|buffer| buffer["n_bytes"].as_u64().unwrap()).sum();
        let columns = explanation["columns"].as_array().unwrap().iter();
        assert_eq!(columns.map(|column| column["n_bytes"].as_u64().unwrap()).sum::<u64>(), n_bytes, "{name}");
        assert_eq!(explanation["n_padding_bytes"].as_u64().unwrap() + n_bytes, sum("n_body_bytes"), "{name}");
    }
}

/// The bytes in the output add up to the length of the input, and the shares are those of `stats`.
#[test]
fn all_bytes_are_listed() {
    let tensors = "tensors/pyarrow-26.0.1/dense-several.tensor";
    for input in [
        &golden("rows-300.arrow"),
        &golden("rows-300.arrows"),
        &golden("compressed-lz4.arrow"),
        &golden("dictionary-nested.arrows"),
        tensors,
        "golden/polars-2.1.0/batches.arrow",
    ] {
        let explanation: Value =
            serde_json::from_str(run(["explain", "--json", input]).expect(&[0]).text()).unwrap();
        let number = |member: &str| explanation[member].as_u64().unwrap();
        let parts =
            ["n_tensor_bytes", "n_unknown_bytes", "n_metadata_bytes", "n_padding_bytes", "n_other_bytes"];
        let columns = explanation["columns"].as_array().unwrap();
        let n_columns: u64 = columns.iter().map(|column| column["n_bytes"].as_u64().unwrap()).sum();
        assert_eq!(
            parts.map(number).iter().sum::<u64>() + n_columns,
            number("n_bytes"),
            "{input}: {explanation}"
        );
        assert_eq!(number("n_unknown_bytes"), 0, "{input}");
        assert_eq!(number("n_tensor_bytes") > 0, input == tensors, "{input}");
        let prose = run(["explain", input]);
        let footer = prose.text().contains("and the footer");
        assert_eq!(footer, explanation["container"] == "file", "{prose:?}");
    }
    let input = &golden("rows-300.arrow");
    let (explained, stats) = (run(["explain", input]), run(["stats", input]));
    for column in ["s: utf8", "n: int64"] {
        let line = explained.text().lines().find(|line| line.ends_with(column)).unwrap();
        let share = line.split_whitespace().next().unwrap();
        assert!(stats.text().contains(&format!("  {share} %")), "{line}\n{}", stats.text());
    }
}

/// The remedy saves the rows that `convert` leaves out, or that no other command finds.
#[test]
fn remedies_save_all_rows() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let batch = |first: i64| {
        let column = Int64Array::from_iter(first..first + 1_000).into_data();
        RecordBatch::try_from_columns([("id", column)]).unwrap()
    };
    let batches: Vec<RecordBatch> = (0..10).map(|n| batch(n * 1_000)).collect();
    let file = FileWriter::write_to_vec(batches[0].schema(), &batches).unwrap();
    let small = FileWriter::write_to_vec(batches[0].schema(), &batches[..1]).unwrap();
    let mut overwritten = file.clone();
    overwritten[..4096].fill(0);
    for (name, bytes, finding, n_rows) in [
        ("overwritten.arrow", &overwritten, "damage", 9_000),
        ("twice.arrow", &small.repeat(2), "contradiction", 2_000),
    ] {
        let input = write(folder.path(), name, bytes);
        let found = findings(&input).into_iter().find(|found| found["finding"] == finding).unwrap();
        assert_eq!(found["remedy"].to_string(), r#"{"command":"recover","options":[]}"#, "{name}");
        run(["recover", &input, "-o", &path("out.arrow")]).expect(&[0, 3]);
        assert_eq!(run(["count", &path("out.arrow")]).expect(&[0]).text(), format!("{n_rows}\n"), "{name}");
    }
    let input = path("overwritten.arrow");
    for command in ["cat", "count", "validate", "schema"] {
        let outcome = run([command, &input]);
        let hint = format!("`arrow-ipc recover {input} OUT.arrow` saves");
        assert!(outcome.expect(&[1]).stderr.contains(&hint), "{command}: {outcome:?}");
    }
    // Zeros alone have no batches.
    let input = write(folder.path(), "zeros.arrow", &[0; 5_000]);
    assert_eq!(findings(&input)[0]["remedy"], Value::Null);
}

/// Readers of files take the schema of the footer.
#[test]
fn the_columns_of_a_file_are_those_of_its_footer() {
    const FILE: &str = "hostile/file-footer-schema-differs.arrow_file";
    let explained = run(["explain", FILE]);
    let lines: Vec<&str> = explained.expect(&[0]).text().lines().collect();
    assert!(lines.iter().any(|line| line.ends_with("24  a: float32")), "{explained:?}");
    let warning = "the message says int32, the footer float32";
    assert!(explained.text().contains(warning) && explained.stderr.contains(warning), "{explained:?}");
    let json: Value = serde_json::from_slice(&run(["explain", FILE, "--json"]).stdout).unwrap();
    assert_eq!(json["columns"][0]["type"], "float32");
    assert_eq!(json["columns"][0]["n_bytes"], 24);
}
