//! The options of `convert` change how rows are written, but not the rows.

use std::{fs, path::Path, sync::Arc};

use arrow_array::{DictionaryBuilder, Int64Array, Utf8Builder, Utf8ViewArray};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{FileWriter, SharedBuffers, WriteOptions};
use arrow_schema::{DataType, Field, IndexType};
use arrow_select::Select;
use testing_support::Hunt;

use crate::program::{corpus, folder_in_memory, golden_cases, run, run_with_input, temporary_folder};

/// Options, and what `inspect` and `schema` must show for files that were written with them.
pub(crate) type Way = (&'static [&'static str], Written);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    version: &'static str,
    has_legacy_framing: bool,
    endianness: &'static str,
    compression: Option<&'static str>,
}

const fn v5(endianness: &'static str, compression: Option<&'static str>) -> Written {
    Written { version: "V5", has_legacy_framing: false, endianness, compression }
}

const V4: Written =
    Written { version: "V4", has_legacy_framing: false, endianness: "little", compression: None };
const LEGACY: Written = Written { has_legacy_framing: true, endianness: "big", ..V4 };

pub(crate) const WAYS: [Way; 10] = [
    (&[], v5("little", None)),
    (&["--endian", "big"], v5("big", None)),
    (
        &["--endian", "little", "--metadata-version", "5", "--alignment", "4096", "--share-buffers"],
        v5("little", None),
    ),
    (&["--metadata-version", "4"], V4),
    (&["--metadata-version", "4", "--legacy-framing", "--endian", "big"], LEGACY),
    (&["--compression", "lz4", "--alignment", "8"], v5("little", Some("LZ4"))),
    (&["--compression", "zstd", "--dictionaries", "delta"], v5("little", Some("ZSTD"))),
    (&["--compression", "zstd:19", "--endian", "big"], v5("big", Some("ZSTD"))),
    (&["--dictionaries", "delta", "--compact"], v5("little", None)),
    (&["--dictionaries", "unify", "--compression", "lz4", "--endian", "big"], v5("big", Some("LZ4"))),
];

/// Checks that a file was written with the requested options. Returns the number of messages.
fn check_written(file: &Path, expected: Written) -> usize {
    let schema = run([Path::new("schema"), Path::new("--json"), file]);
    let schema: serde_json::Value = serde_json::from_str(schema.expect(&[0]).text()).unwrap();
    assert_eq!(schema["endianness"], expected.endianness);
    let lines = run([Path::new("inspect"), Path::new("--json"), file]);
    let lines = lines.expect(&[0]).text().lines();
    let lines: Vec<serde_json::Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let messages: Vec<_> = lines.iter().filter(|line| line["what"] == "message").collect();
    for message in &messages {
        assert_eq!(message["version"], expected.version);
        assert_eq!(message["legacy_framing"], expected.has_legacy_framing);
        let compression = if message["kind"] == "schema" { None } else { expected.compression };
        assert_eq!(message["compression"].as_str(), compression, "{message}");
    }
    messages.len()
}

#[test]
fn options_change_how_and_not_what() {
    let folder = folder_in_memory();
    let (mut n_written, mut n_refused) = (0, 0);
    let files =
        golden_cases().into_iter().step_by(Hunt::from_env().count(19, 9)).flat_map(|(_, files)| files);
    let ways: Vec<_> = WAYS.iter().flat_map(|way| ["arrow", "arrows"].map(|suffix| (*way, suffix))).collect();
    let hunt = Hunt::from_env();
    for (position, file) in files.enumerate() {
        // A short run writes each file with the next two sets of options.
        for &((way, written), suffix) in hunt.some_of(&ways, 2, position) {
            let name = format!("{} {way:?} {suffix}", file.display());
            let out = folder.path().join("out").with_extension(suffix);
            let args = [Path::new("convert"), &file, Path::new("-o"), &out];
            let converted = run(args.into_iter().chain(way.iter().map(Path::new)));
            if converted.stderr.contains("cannot merge ordered dictionaries") {
                // These dictionaries can be neither extended nor unified.
                assert!(way.contains(&"--dictionaries"), "{name}: {converted:?}");
                converted.expect(&[5]);
                continue;
            }
            if suffix == "arrow" && converted.stderr.contains("--dictionaries unify") {
                // A file cannot have the changing dictionaries of this stream.
                assert!(!way.contains(&"--dictionaries"), "{name}: {converted:?}");
                converted.expect(&[5]);
                continue;
            }
            if converted.status == 5 && written.version == "V4" {
                assert!(converted.stderr.contains("V4 does not allow"), "{name}: {converted:?}");
                assert!(converted.stderr.contains("omit --metadata-version 4"), "{converted:?}");
                n_refused += 1;
                continue;
            }
            assert_eq!((converted.status, &converted.stderr[..]), (0, ""), "{name}");
            let same = run([Path::new("diff"), &file, &out]);
            assert!(same.status == 0 && same.differences().is_empty(), "{name}: {same:?}");
            run([Path::new("validate"), &out]).expect(&[0]);
            n_written += check_written(&out, written);
        }
    }
    assert!(n_written > 50 && n_refused > 0, "{n_written} messages, {n_refused} refused");
}

/// Options that are not given have their defaults, regardless of the input.
#[test]
fn the_way_of_the_input_makes_no_difference() {
    let folder = temporary_folder();
    let out = |name: &str| folder.path().join(name);
    let file = corpus().join("golden/pyarrow-26.0.1/dictionary-nested.arrow");
    run([Path::new("convert"), &file, &out("plain.arrow")]).expect(&[0]);
    let plain = fs::read(out("plain.arrow")).unwrap();
    // With `--dictionaries`, unused values may be left out.
    for (way, _) in WAYS.into_iter().filter(|(way, _)| !way.contains(&"--dictionaries")) {
        let args = [Path::new("convert"), &file, Path::new("-o"), &out("way.arrows")];
        run(args.into_iter().chain(way.iter().map(Path::new))).expect(&[0]);
        let back =
            run_with_input(["convert", "-", "-", "--to", "file"], &fs::read(out("way.arrows")).unwrap());
        assert!(back.expect(&[0]).stdout == plain, "{way:?}");
    }
}

#[test]
fn bodies_are_aligned_and_buffers_shared_as_requested() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrow", "out.arrow"].map(|name| folder.path().join(name));
    let column = Int64Array::from_iter(0..10_000).into_data();
    let batch = RecordBatch::try_from_columns([("a", column.clone()), ("b", column)]).unwrap();
    let options = WriteOptions::new().with_shared_buffers(SharedBuffers::Once);
    let mut writer = FileWriter::create_with(&input, batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    for (way, n_copies) in [(&["--share-buffers"][..], 1), (&[], 2), (&["--alignment", "4096"], 2)] {
        let args = [Path::new("convert"), &input, Path::new("-o"), &output];
        run(args.into_iter().chain(way.iter().map(Path::new))).expect(&[0]);
        let lines = run([Path::new("inspect"), Path::new("--json"), &output]);
        let lines = lines.expect(&[0]).text().lines();
        let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let body = lines.filter(|line| line["kind"] == "record batch").map(|line| {
            let [position, metadata, body] =
                ["position", "n_metadata_bytes", "n_body_bytes"].map(|name| line[name].as_u64().unwrap());
            (position + metadata, body)
        });
        let [(start, n_bytes)] = body.collect::<Vec<_>>()[..] else { panic!("one batch") };
        assert_eq!(n_bytes / 80_000, n_copies, "{way:?}: {n_bytes}");
        assert!(start % 4096 == 0 || !way.contains(&"4096"), "{way:?}: {start}");
        let same = run([Path::new("diff"), &input, &output]);
        assert_eq!(same.expect(&[0]).differences(), "");
    }
    let refused = run(["convert", "no/such/file", "-", "--to", "file", "--alignment", "12"]);
    assert!(refused.expect(&[2]).stderr.contains("12"), "{refused:?}");
}

/// Slices of views that are not in order refer to bytes anywhere in the data.
#[test]
fn unused_bytes_are_bounded_copied_or_left_out_as_requested() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrow", "out.arrow"].map(|name| folder.path().join(name));
    let texts = Utf8ViewArray::from_iter((0..2_000).map(|row| Some(format!("a text of 24 bytes, {row:04}"))));
    let shuffled = (0..2_000).map(|row| row * 777 % 2_000).collect::<Vec<u32>>();
    let batch =
        RecordBatch::try_from_columns([("text", texts.into_data().take(&shuffled).unwrap())]).unwrap();
    fs::write(&input, FileWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap())
        .unwrap();
    let sizes = [&["--keep-unused"][..], &[], &["--compact"]].map(|way| {
        let args = [Path::new("convert"), &input, Path::new("-o"), &output]
            .into_iter()
            .chain(way.iter().map(Path::new));
        run(args.chain(["--batch-rows", "20"].map(Path::new))).expect(&[0]);
        assert_eq!(run([Path::new("diff"), &input, &output]).expect(&[0]).differences(), "");
        fs::metadata(&output).unwrap().len()
    });
    let [whole, bounded, left_out] = sizes;
    assert!(left_out <= bounded && bounded < 2_000 * 100 && whole > 20 * bounded, "{sizes:?}");
    let both = ["convert", "no/such/file", "-", "--to", "file", "--compact", "--keep-unused"];
    assert!(run(both).expect(&[2]).stderr.contains("'--keep-unused'"));
}

#[test]
fn unused_dictionary_values_are_left_out_on_request() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrow", "out.arrow"].map(|name| folder.path().join(name));
    let mut words = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
    (0..1_000).for_each(|row| words.append(&*format!("word {row}")));
    let words = words.finish().unwrap().into_data();
    let batch = RecordBatch::try_from_columns([("word", words)]).unwrap();
    let batch = batch.slice(500, 3);
    let mut writer = FileWriter::create(&input, batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    for (way, n_values) in
        [(&["--compact"][..], 3), (&["--compact", "--dictionaries", "delta"], 3), (&[], 1_000)]
    {
        let args = [Path::new("convert"), &input, Path::new("-o"), &output];
        run(args.into_iter().chain(way.iter().map(Path::new))).expect(&[0]);
        let lines = run([Path::new("inspect"), Path::new("--json"), &output]);
        let lines = lines.expect(&[0]).text().lines();
        let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let found: Vec<_> = lines.filter(|line| line["kind"] == "dictionary batch").collect();
        assert_eq!(found.iter().map(|line| line["n_rows"].as_u64()).collect::<Vec<_>>(), [Some(n_values)]);
        assert_eq!(run([Path::new("diff"), &input, &output]).expect(&[0]).differences(), "", "{way:?}");
    }
}

/// A few bytes can declare a list view with 2^40 nulls as items, or a dictionary with 2^40 values.
#[test]
fn slots_without_bytes_are_compacted_without_a_walk() {
    const N_NULLS: usize = 1 << 40;
    let folder = temporary_folder();
    let [input, output] = ["in.arrow", "out.arrow"].map(|name| folder.path().join(name));
    let nulls = || ArrayData::try_new(ArrayParts::new(DataType::Null, N_NULLS)).unwrap();
    let last = N_NULLS as i64 - 1;
    let lists = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0_i64, last, 5]), Buffer::from(vec![1_i64, 1, 0])],
        children: Some(Arc::from([nulls()])),
        ..ArrayParts::new(DataType::large_list_view(Field::new("item", DataType::Null)), 3)
    });
    let words = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![last, 0, last]), Buffer::new()],
        dictionary: Some(Arc::new(nulls())),
        ..ArrayParts::new(DataType::dictionary(IndexType::Int64, DataType::Null).unwrap(), 3)
    });
    let columns = [("lists", lists.unwrap()), ("words", words.unwrap())];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let mut writer = FileWriter::create(&input, batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    assert!(fs::metadata(&input).unwrap().len() < 4_000);
    run([Path::new("convert"), Path::new("--compact"), &input, Path::new("-o"), &output]).expect(&[0]);
    let rows = run([Path::new("cat"), Path::new("--format"), Path::new("json"), &output]);
    let expected = "{\"lists\":[null],\"words\":null}\n{\"lists\":[null],\"words\":null}\n{\"lists\":[],\"words\":null}\n";
    assert_eq!(rows.expect(&[0]).text(), expected);
    assert_eq!(run([Path::new("diff"), &input, &output]).expect(&[0]).differences(), "");
    let lines = run([Path::new("inspect"), Path::new("--json"), &output]);
    let lines = lines.expect(&[0]).text().lines();
    let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let values = lines.filter(|line| line["kind"] == "dictionary batch").map(|line| line["n_rows"].as_u64());
    assert_eq!(values.collect::<Vec<_>>(), [Some(2)]);
}
