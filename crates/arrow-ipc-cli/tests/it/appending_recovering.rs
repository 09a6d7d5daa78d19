//! `recover` and `append`, on copies of files that other libraries wrote.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::program::{Outcome, corpus, folder_in_memory, golden_cases, run, run_with_input};

const FILE: &str = "golden/pyarrow-26.0.1/integers-nulls.arrow";
const STREAM: &str = "golden/pyarrow-26.0.1/integers-nulls.arrows";
const DICTIONARIES: &str = "golden/pyarrow-26.0.1/dictionary-nested.arrow";

fn on<const N: usize>(command: &str, names: [&Path; N], options: &[&str]) -> Outcome {
    let args = [Path::new(command)].into_iter().chain(names).map(Path::to_owned);
    run(args.chain(options.iter().map(PathBuf::from)))
}

fn rows(path: &Path) -> String {
    on("cat", [path], &["--format", "json"]).expect(&[0]).text().to_owned()
}

#[test]
fn golden_files_are_recovered_without_their_footers() {
    let folder = folder_in_memory();
    let [broken, sound] = ["broken", "sound.arrow"].map(|name| folder.path().join(name));
    let mut n_files = 0;
    for (_, files) in golden_cases() {
        for file in files.iter().filter(|file| file.extension().is_some_and(|name| name == "arrow")) {
            // Polars writes no readable schema message, so the footer has the only schema. Files without batches have
            // no message at all.
            let is_without_schema = file.components().any(|part| {
                let part = part.as_os_str().to_string_lossy();
                part.starts_with("polars") || part.starts_with("apache-arrow-js")
            });
            if is_without_schema || !file.to_string_lossy().contains("-nulls") {
                continue;
            }
            let bytes = fs::read(file).unwrap();
            fs::write(&broken, &bytes[..bytes.len() - 10]).unwrap();
            let outcome = on("recover", [&broken, Path::new("-o"), &sound], &[]);
            outcome.expect(&[3]);
            assert!(
                outcome.stderr.contains(": the footer is lost: "),
                "{}: {}",
                file.display(),
                outcome.stderr
            );
            assert_eq!(outcome.stderr.lines().count(), 2, "{}: {}", file.display(), outcome.stderr);
            assert_eq!(rows(&sound), rows(file), "{}", file.display());
            on("validate", [&sound], &[]).expect(&[0]);
            n_files += 1;
        }
    }
    assert!(n_files > 20, "{n_files}");
}

#[test]
fn what_is_lost_is_named_and_counted() {
    let folder = folder_in_memory();
    let [broken, sound, stream] =
        ["broken.arrow", "sound.arrow", "sound.arrows"].map(|name| folder.path().join(name));
    let bytes = fs::read(corpus().join(FILE)).unwrap();
    fs::write(&broken, &bytes).unwrap();
    let whole = on("recover", [&broken, Path::new("-o"), &sound], &[]);
    whole.expect(&[0]);
    assert!(whole.stderr.contains("recovered 2 batches with 11 rows"), "{}", whole.stderr);
    assert_eq!(rows(&sound), rows(&broken));

    // Cuts the second batch.
    let cut = &bytes[..1_700];
    let outcome = run_with_input(["recover", "-", "-o", stream.to_str().unwrap()], cut);
    outcome.expect(&[3]);
    assert!(outcome.stderr.contains("standard input: recovered 1 batch with 11 rows"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("is truncated: "), "{}", outcome.stderr);
    assert!(rows(Path::new(FILE)).starts_with(&rows(&stream)));

    let nothing =
        run_with_input(["recover", "-", "-o", stream.to_str().unwrap()], b"hello, world, here is no Arrow");
    nothing.expect(&[1]);
    let empty = run_with_input(["recover", "-", "-", "--to", "stream"], b"");
    empty.expect(&[1]);
    assert!(empty.stdout.is_empty());
}

#[test]
fn replaced_dictionaries_are_unified_in_a_file() {
    let folder = folder_in_memory();
    let [file, stream] = ["a.arrow", "a.arrows"].map(|name| folder.path().join(name));
    let read = |name: &str| fs::read(corpus().join(format!("golden/pyarrow-26.0.1/{name}.arrows"))).unwrap();
    // Repeating the same dictionaries is no replacement.
    let twice = read("dictionary-nested").repeat(2);
    run_with_input(["recover", "-", "-o", file.to_str().unwrap()], &twice).expect(&[0]);
    assert_eq!(rows(&file), rows(Path::new(DICTIONARIES)).repeat(2));
    let replaced = read("dictionary-replaced");
    run_with_input(["recover", "-", "-o", file.to_str().unwrap()], &replaced).expect(&[0]);
    run_with_input(["recover", "-", "-o", stream.to_str().unwrap()], &replaced).expect(&[0]);
    assert_eq!(rows(&file), rows(&stream));
    on("validate", [&file], &[]).expect(&[0]);
}

#[test]
fn doubtful_dictionaries_are_recovered_on_request() {
    let folder = folder_in_memory();
    let stream = folder.path().join("a.arrows");
    let mut bytes = fs::read(corpus().join("golden/pyarrow-26.0.1/dictionary-replaced.arrows")).unwrap();
    // Damages the metadata of the second batch. The third batch has the same dictionaries.
    let metadata = 9_136..9_808;
    assert_eq!(bytes[metadata.clone()][..4], [0xff; 4]);
    bytes[metadata].fill(0x11);
    let recovered = |options: &[&str]| {
        let outcome =
            run_with_input([&["recover", "-", "-o", stream.to_str().unwrap()], options].concat(), &bytes);
        outcome.expect(&[3]);
        rows(&stream).lines().count()
    };
    let without = recovered(&[]);
    assert_eq!(recovered(&["--keep-dictionaries"]), without + 3);
}

#[test]
fn rows_are_appended_in_place_and_to_a_new_file() {
    let folder = folder_in_memory();
    let [grown, longer] = ["grown.arrow", "longer.arrow"].map(|name| folder.path().join(name));
    fs::copy(corpus().join(FILE), &grown).unwrap();
    let before = fs::read(&grown).unwrap();
    // FILE stays unchanged.
    let outcome = on("append", [&grown, Path::new(FILE)], &["--to", grown.to_str().unwrap()]);
    assert!(outcome.expect(&[2]).stderr.contains("is an input, too"), "{outcome:?}");
    assert_eq!(fs::read(&grown).unwrap(), before);
    on("append", [&grown, Path::new(FILE), Path::new(STREAM)], &["--to", longer.to_str().unwrap()])
        .expect(&[0]);
    assert!(fs::read(&grown).unwrap() == before);
    on("append", [&grown, Path::new(FILE), Path::new(STREAM)], &[]).expect(&[0]);
    assert_eq!(fs::read(&grown).unwrap(), fs::read(&longer).unwrap());
    assert_eq!(rows(&grown), rows(Path::new(FILE)).repeat(3));
    on("validate", [&grown], &[]).expect(&[0]);
    on("append", [&grown, Path::new(STREAM)], &["--compression", "lz4", "--alignment", "8"]).expect(&[0]);
    assert_eq!(rows(&grown), rows(Path::new(FILE)).repeat(4));
}

/// As in `concat` and `split`, new batches get the codec of the file, unless an option sets another codec.
#[test]
fn what_is_appended_is_compressed_as_the_last_batch() {
    let folder = folder_in_memory();
    let grown = folder.path().join("grown.arrow");
    let codecs = || {
        let inspected = run([Path::new("inspect"), &grown]);
        let batches = inspected
            .text()
            .lines()
            .filter(|line| line.contains("  record batch  ") && line.contains("block "));
        let codec =
            |line: &str| ["LZ4", "ZSTD"].into_iter().find(|codec| line.contains(codec)).unwrap_or("none");
        batches.map(codec).collect::<Vec<_>>()
    };
    on("convert", [Path::new(FILE), &grown], &["--compression", "zstd", "--batch-rows", "1000"])
        .expect(&[0, 3]);
    let before = codecs();
    assert!(before.iter().all(|codec| *codec == "ZSTD") && !before.is_empty());
    for (options, codec) in [
        (&[][..], "ZSTD"),
        (&["--compression", "none"], "none"),
        (&[], "none"),
        (&["--compression", "lz4"], "LZ4"),
        (&[], "LZ4"),
    ] {
        let n_before = codecs().len();
        on("append", [&grown, Path::new(STREAM)], options).expect(&[0]);
        let all = codecs();
        assert!(
            all.len() > n_before && all[n_before..].iter().all(|found| *found == codec),
            "{options:?}: {all:?}"
        );
    }
}

/// Bytes after the last complete footer may be batches, which appending would remove.
#[test]
fn what_could_be_recovered_is_not_removed() {
    let folder = folder_in_memory();
    let grown = folder.path().join("grown.arrow");
    let [file, stream] = [FILE, STREAM].map(|name| fs::read(corpus().join(name)).unwrap());
    fs::write(&grown, [&file[..], &stream].concat()).unwrap();
    let before = fs::read(&grown).unwrap();
    let outcome = on("append", [&grown, Path::new(STREAM)], &[]);
    outcome.expect(&[1]);
    let text = format!(
        "the last complete footer ends at byte {}; appending would remove the {} bytes after it",
        file.len(),
        stream.len()
    );
    assert!(
        outcome.stderr.contains(&text) && outcome.stderr.contains("arrow-ipc recover"),
        "{}",
        outcome.stderr
    );
    assert!(fs::read(&grown).unwrap() == before);
    let copy = folder.path().join("copy.arrow");
    let outcome = on("append", [&grown, Path::new(STREAM)], &["--to", copy.to_str().unwrap()]);
    outcome.expect(&[1]);
    assert!(outcome.stderr.contains(&text) && !copy.exists(), "{}", outcome.stderr);
}

/// The last footer of files that follow each other lists blocks at the positions of the first. The rows of the second are
/// before that footer.
#[test]
fn a_file_inside_a_file_is_not_removed() {
    let folder = folder_in_memory();
    let [one, none, joined, copy] =
        ["one.arrow", "none.arrow", "joined.arrow", "copy.arrow"].map(|name| folder.path().join(name));
    for options in [&[][..], &["--compression", "lz4"]] {
        on("convert", [Path::new(FILE), Path::new("-o"), &one], options).expect(&[0, 3]);
        on("convert", [Path::new(FILE), Path::new("-o"), &none], &["--rows", "0..0"]).expect(&[0, 3]);
        let [one, none] = [&one, &none].map(|path| fs::read(path).unwrap());
        for parts in [&[&one[..], &one][..], &[&one, &one, &one], &[&one, &[0; 16], &one], &[&one, &none]] {
            let bytes = parts.concat();
            fs::write(&joined, &bytes).unwrap();
            let to = ["--to", copy.to_str().unwrap()];
            for to in [&[][..], &to] {
                let outcome = on("append", [&joined, Path::new(STREAM)], to);
                let text = format!("a second file begins at byte {}, before the last footer", one.len());
                let is_padded = parts.len() == 3 && parts[1].len() == 16;
                assert!(
                    outcome.expect(&[1]).stderr.contains("arrow-ipc recover")
                        && (is_padded || outcome.stderr.contains(&text)),
                    "{outcome:?}"
                );
                assert!(fs::read(&joined).unwrap() == bytes && !copy.exists());
            }
            // What the hint says.
            on("recover", [&*joined, Path::new("-o"), &*copy], &[]).expect(&[0, 3]);
            let n_files = parts.iter().filter(|part| **part == one).count();
            assert_eq!(rows(&copy).lines().count(), n_files * rows(Path::new(FILE)).lines().count());
            on("append", [&copy, Path::new(STREAM)], &[]).expect(&[0, 3]);
            fs::remove_file(&copy).unwrap();
        }
    }
}

/// Appended batches have the metadata version and the codec of the file, even if bytes follow its last complete footer.
#[test]
fn an_incomplete_end_changes_neither_version_nor_codec() {
    let folder = folder_in_memory();
    let [grown, longer] = ["grown.arrow", "longer.arrow"].map(|name| folder.path().join(name));
    let lines = |path: &Path, what: &str| {
        let inspected = run([Path::new("inspect"), path]);
        inspected.text().lines().filter(|line| line.contains(what)).count()
    };
    for (options, what) in [
        (&["--metadata-version", "4"][..], "V4"),
        (&["--compression", "zstd", "--batch-rows", "1000"], "ZSTD"),
    ] {
        on("convert", [Path::new(FILE), Path::new("-o"), &grown], options).expect(&[0, 3]);
        let sound = fs::read(&grown).unwrap();
        let n_before = lines(&grown, what);
        // Like a file after a crash: a part of the last bytes of a longer file.
        fs::write(&grown, [&sound[..], &[0; 100], &[7, 0, 0, 0, b'A', b'R']].concat()).unwrap();
        on("append", [&grown, Path::new(STREAM)], &["--to", longer.to_str().unwrap()]).expect(&[0]);
        on("append", [&grown, Path::new(STREAM)], &[]).expect(&[0]);
        assert_eq!(fs::read(&grown).unwrap(), fs::read(&longer).unwrap());
        fs::write(&longer, &sound).unwrap();
        on("append", [&longer, Path::new(STREAM)], &[]).expect(&[0]);
        assert_eq!(fs::read(&grown).unwrap(), fs::read(&longer).unwrap(), "{what}");
        assert!(lines(&grown, what) > n_before || lines(&grown, "V5") == 0, "{what}");
        on("validate", [&grown], &[]).expect(&[0]);
    }
}

/// pyarrow writes V5 into the schema of the footer, for any version of the messages.
#[test]
fn what_is_appended_has_the_version_of_the_messages() {
    let folder = folder_in_memory();
    let grown = folder.path().join("grown.arrow");
    let golden = |name: &str| corpus().join("golden/pyarrow-26.0.1").join(name);
    fs::copy(golden("metadata-v4.arrow"), &grown).unwrap();
    let count = |version: &str| {
        let inspected = on("inspect", [&grown], &["--json"]);
        inspected.text().matches(&format!("\"version\":\"{version}\"")).count()
    };
    let (n_old, n_new) = (count("V4"), count("V5"));
    on("append", [&grown, &golden("metadata-v4.arrows")], &[]).expect(&[0]);
    assert!(count("V4") > n_old && count("V5") == n_new, "{n_old}, {n_new}");
}

#[test]
fn a_file_is_what_it_was_if_an_input_fails() {
    let folder = folder_in_memory();
    let [grown, cut] = ["grown.arrow", "cut.arrows"].map(|name| folder.path().join(name));
    fs::copy(corpus().join(FILE), &grown).unwrap();
    let before = fs::read(&grown).unwrap();
    let stream = fs::read(corpus().join(STREAM)).unwrap();
    fs::write(&cut, &stream[..stream.len() - 100]).unwrap();
    on("append", [&grown, Path::new(STREAM), &cut], &[]).expect(&[1]);
    assert!(fs::read(&grown).unwrap() == before);
    // An input with other columns is an error of the file.
    let outcome = on("append", [&grown, Path::new(DICTIONARIES)], &[]);
    outcome.expect(&[5]);
    assert!(outcome.stderr.contains("grown.arrow: "), "{}", outcome.stderr);
    on("append", [&cut, Path::new(STREAM)], &[]).expect(&[1]);
    on("append", [&folder.path().join("none.arrow"), Path::new(STREAM)], &[]).expect(&[4]);
    run(["append", FILE, "-", "-"]).expect(&[2]);
    assert!(fs::read(&grown).unwrap() == before);
}

/// Inputs with other columns are refused, even if they have no batch.
#[test]
fn inputs_without_batches_have_the_columns() {
    let folder = folder_in_memory();
    let [grown, none] = ["grown.arrow", "none.arrow"].map(|name| folder.path().join(name));
    fs::copy(corpus().join(FILE), &grown).unwrap();
    let before = fs::read(&grown).unwrap();
    let write_none = |schema: &str| {
        let schema: arrow_schema::Schema = schema.parse().unwrap();
        let writer = arrow_ipc::FileWriter::create(&none, schema).unwrap();
        writer.finish().unwrap();
    };
    write_none("other: int64");
    let refused = on("append", [&grown, &none], &[]);
    assert!(refused.status != 0 && refused.stderr.contains("grown.arrow: "), "{}", refused.stderr);
    assert!(fs::read(&grown).unwrap() == before);
    on("append", [&grown, Path::new(FILE)], &[]).expect(&[0]);
}

#[test]
fn new_dictionary_values_are_refused_or_appended() {
    const REPLACED: &str = "golden/pyarrow-26.0.1/dictionary-replaced.arrows";
    let folder = folder_in_memory();
    let grown = folder.path().join("grown.arrow");
    on("split", [Path::new(REPLACED), &grown], &["--batches", "0..1"]).expect(&[0]);
    let (before, first) = (fs::read(&grown).unwrap(), rows(&grown));
    let refused = on("append", [&grown, Path::new(REPLACED)], &[]);
    refused.expect(&[5]);
    assert!(refused.stderr.contains("grown.arrow: "), "{}", refused.stderr);
    assert!(refused.stderr.contains("hint: --dictionaries delta uses"), "{}", refused.stderr);
    assert!(fs::read(&grown).unwrap() == before);
    on("append", [&grown, Path::new(REPLACED)], &["--dictionaries", "delta"]).expect(&[0]);
    assert_eq!(rows(&grown), first + &rows(Path::new(REPLACED)));
}

#[test]
fn row_counts_are_updated_and_a_second_append_is_refused() {
    let folder = folder_in_memory();
    let grown = folder.path().join("grown.arrow");
    on("convert", [Path::new(FILE), &grown], &["--row-counts"]).expect(&[0]);
    let lock = fs::File::options().read(true).write(true).open(&grown).unwrap();
    lock.try_lock().unwrap();
    let refused = on("append", [&grown, Path::new(FILE)], &[]);
    refused.expect(&[4]);
    assert!(refused.stderr.contains("another process or thread appends to it"), "{}", refused.stderr);
    // Programs that other tests start at the same time also have the file open until they run.
    lock.unlock().unwrap();
    on("append", [&grown, Path::new(FILE)], &[]).expect(&[0]);
    assert_eq!(on("count", [&grown], &[]).expect(&[0]).text(), "22\n");
    let bytes = fs::read(&grown).unwrap();
    let counts = b"{\"record_batch_cum_len\":[11,11,22,22]}";
    assert!(bytes.windows(counts.len()).any(|window| window == counts));
}

#[test]
fn a_damaged_input_is_not_replaced() {
    let folder = folder_in_memory();
    let broken = folder.path().join("broken.arrow");
    let bytes = fs::read(corpus().join(FILE)).unwrap();
    fs::write(&broken, &bytes[..bytes.len() - 10]).unwrap();
    let same = folder.path().join(".").join("broken.arrow");
    let outcome = on("recover", [&broken, &same], &[]);
    outcome.expect(&[2]);
    assert!(outcome.stderr.contains("is an input, too"), "{}", outcome.stderr);
    assert_eq!(fs::read(&broken).unwrap(), bytes[..bytes.len() - 10]);
}

/// Neither the schema message nor the schema in the footer is readable.
#[test]
fn a_schema_can_be_given() {
    let folder = folder_in_memory();
    let [broken, sound, text] = ["broken", "sound.arrow", "types.txt"].map(|name| folder.path().join(name));
    let whole = corpus().join(FILE);
    let bytes = fs::read(&whole).unwrap();
    let mut headless = bytes[..bytes.len() - 10].to_vec();
    headless[16..64].fill(0xee);
    fs::write(&broken, &headless).unwrap();
    let refused = on("recover", [&broken, Path::new("-o"), &sound], &[]);
    assert!(
        refused.expect(&[1]).stderr.contains("hint: --schema FILE takes the schema"),
        "{}",
        refused.stderr
    );
    fs::write(&text, on("schema", [&whole], &[]).expect(&[0]).text()).unwrap();
    for schema in [&whole, &text] {
        let outcome =
            on("recover", [&broken, Path::new("-o"), &sound], &["--schema", schema.to_str().unwrap()]);
        outcome.expect(&[3]);
        assert!(outcome.stderr.contains("recovered 2 batches with 11 rows"), "{}", outcome.stderr);
        assert_eq!(rows(&sound), rows(&whole));
        on("validate", [&sound], &[]).expect(&[0]);
    }
    // Polars also writes the schema at the start of the file, without its prefix. arrow-js writes it only into the
    // footer.
    let polars = corpus().join("golden/polars-2.1.0/text-nulls.arrow");
    let bytes = fs::read(&polars).unwrap();
    fs::write(&broken, &bytes[..bytes.len() - 10]).unwrap();
    on("recover", [&broken, Path::new("-o"), &sound], &[]).expect(&[3]);
    assert_eq!(rows(&sound), rows(&polars));
    let js = corpus().join("golden/apache-arrow-js-21.2.0/many-batches.arrow");
    let bytes = fs::read(&js).unwrap();
    fs::write(&broken, &bytes[..bytes.len() - 10]).unwrap();
    on("recover", [&broken, Path::new("-o"), &sound], &[]).expect(&[1]);
    on("recover", [&broken, Path::new("-o"), &sound], &["--schema", js.to_str().unwrap()]).expect(&[3]);
    assert_eq!(rows(&sound), rows(&js));

    fs::write(&text, "no schema: at all").unwrap();
    let outcome = on("recover", [&broken, Path::new("-o"), &sound], &["--schema", text.to_str().unwrap()]);
    outcome.expect(&[2]);
    assert!(outcome.stderr.contains("neither a schema as text nor a file"), "{}", outcome.stderr);
}

/// The error names the full file, whether the copy, a batch or the footer does not fit.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_the_output() {
    let outcome = run(["append", FILE, STREAM, "--to", "/dev/full"]);
    let error = &outcome.expect(&[4]).stderr;
    assert!(error.contains("/dev/full: ") && !error.contains(FILE), "{error}");
    let folder = folder_in_memory();
    let no_file = folder.path().join("no.arrow");
    std::fs::write(&no_file, b"ARROW1\0\0").unwrap();
    let outcome = on("append", [&no_file, &corpus().join(STREAM)], &["--to", "/dev/full"]);
    assert!(outcome.stderr.contains("no.arrow: "), "{outcome:?}");
}

/// `validate`, `recover`, `explain` and `count` agree about errors and oddities of an input, in their exit statuses and
/// in the findings of `explain`.
#[test]
fn validate_recover_explain_and_count_agree() {
    let stream = fs::read(corpus().join(STREAM)).unwrap();
    let unmarked = &stream[..stream.len() - 8];
    let file = fs::read(corpus().join(FILE)).unwrap();
    let footer = footer_position(&file);
    // A file with the same schema, and no batches.
    let empty = {
        let schema = arrow_ipc::FileReader::open(corpus().join(FILE)).unwrap().schema().clone();
        let writer = arrow_ipc::FileWriter::try_new(Vec::new(), schema).unwrap();
        writer.finish().unwrap()
    };
    let empty_end = &empty[footer_position(&empty)..];
    let hostile = |name: &str| fs::read(corpus().join("hostile").join(name)).unwrap();
    let like_marker = {
        let batch = testing_support::batch_of(testing_support::ints([1, 2, -1, 0]));
        let options = arrow_ipc::WriteOptions::new().with_alignment(8);
        let mut writer = arrow_ipc::StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap()
    };
    let zeros = |n_zeros: usize| [unmarked, &vec![0; n_zeros]].concat();
    type Case<'a> = (&'a str, Vec<u8>, [i32; 4], Option<&'a str>);
    let cases: &[Case<'_>] = &[
        ("a stream", stream.clone(), [0, 0, 0, 0], None),
        ("a stream without an end marker", unmarked.to_vec(), [0, 0, 0, 0], Some("no_end_marker")),
        // Its last values may be an end marker, and bytes may be missing before it.
        (
            "values like an end marker",
            like_marker[..like_marker.len() - 8].to_vec(),
            [0, 3, 0, 0],
            Some("no_end_marker"),
        ),
        ("values like an end marker before one", like_marker.clone(), [0, 0, 0, 0], None),
        ("a stream that ends with a legacy end marker", zeros(4), [0, 0, 0, 0], None),
        ("a stream that ends with 8 zeros", zeros(8), [0, 0, 0, 0], None),
        ("a stream that ends with 60 zeros", zeros(60), [0, 0, 0, 0], None),
        ("zeros after an end marker", [&stream[..], &[0; 100]].concat(), [0, 0, 0, 0], None),
        ("trailing bytes", [&stream[..], b"not a stream"].concat(), [1, 3, 0, 3], Some("trailing_bytes")),
        ("two streams", stream.repeat(2), [0, 0, 0, 0], Some("several_streams")),
        ("two streams without an end marker between", [unmarked, &stream].concat(), [1, 3, 1, 1], None),
        ("a file", file.clone(), [0, 0, 0, 0], None),
        ("a file without an end marker", [&file[..footer - 8], &file[footer..]].concat(), [0, 0, 0, 0], None),
        ("a footer without batches", [&file[..footer], empty_end].concat(), [1, 3, 0, 3], Some("unlisted")),
        ("another footer after that", [&file[..], empty_end].concat(), [1, 3, 0, 3], Some("unlisted")),
        ("blocks out of order", with_swapped_blocks(&file), [1, 3, 0, 0], Some("contradiction")),
        (
            "a block without the body",
            hostile("file-block-body-zero.arrow_file"),
            [1, 3, 1, 1],
            Some("damage"),
        ),
    ];
    let folder = folder_in_memory();
    for (name, bytes, statuses, finding) in cases {
        let is_file = bytes.starts_with(b"ARROW1");
        let [input, output] = [if is_file { "in.arrow" } else { "in.arrows" }, "out.arrow"]
            .map(|name| folder.path().join(name));
        fs::write(&input, bytes).unwrap();
        let _ = fs::remove_file(&output);
        let validated = on("validate", [&input], &[]);
        let recovered = on("recover", [&input, &output], &[]);
        let explained = on("explain", [&input], &["--json"]);
        // `count` reads only metadata.
        let counted = on("count", [&input], &[]);
        let found = [&validated, &recovered, &explained, &counted].map(|outcome| outcome.status);
        assert_eq!(&found, statuses, "{name}: {}{}", validated.stderr, recovered.stderr);
        match finding {
            Some(finding) => {
                assert!(explained.text().contains(&format!("\"{finding}\"")), "{name}: {}", explained.text());
            }
            None => assert!(!explained.text().contains("no_end_marker"), "{name}: {}", explained.text()),
        }
    }
}

/// Swaps the first two batches in the footer of a file.
fn with_swapped_blocks(file: &[u8]) -> Vec<u8> {
    let footer = footer_position(file);
    let bytes = arrow_buffer::Buffer::copy_from(file);
    let listed = arrow_ipc::file::Footer::read(&bytes, &arrow_ipc::Limits::default()).unwrap();
    let at = |nth: usize| {
        let position = listed.batches()[nth].position().to_le_bytes();
        footer + file[footer..].windows(8).position(|bytes| bytes == position).unwrap()
    };
    let (first, second) = (at(0), at(1));
    let mut swapped = file.to_vec();
    swapped[first..first + 24].copy_from_slice(&file[second..second + 24]);
    swapped[second..second + 24].copy_from_slice(&file[first..first + 24]);
    swapped
}

fn footer_position(file: &[u8]) -> usize {
    let bytes = arrow_buffer::Buffer::copy_from(file);
    arrow_ipc::file::Footer::read(&bytes, &arrow_ipc::Limits::default()).unwrap().position() as usize
}
