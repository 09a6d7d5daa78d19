//! An input has the same rows whatever way its bytes arrive: by path, through a redirection or a pipe, compressed or not.
//! In these files the footer and the stream inside disagree. All commands follow the footer.

use std::{
    fs::{self, File},
    process::Stdio,
};

use arrow_ipc::{
    Endianness, FileReader, FileWriter, RowCounts, WriteOptions,
    file::{Block, Footer},
};
use arrow_schema::{Metadata, Schema};
use arrow_text::JsonReader;
use serde_json::Value;
use testing_support::Hunt;

use crate::{
    compressed::{gzip, zstd},
    program::{Outcome, command, outcome, run, run_with_input, temporary_folder},
};

const SCHEMA: &str = "a: int32\nd: dictionary<int8, utf8>\ne: dictionary<int8, utf8>";

/// A file of three batches with 3, 4 and 2 rows.
fn file(schema: &str, options: WriteOptions) -> Vec<u8> {
    let schema: Schema = schema.parse().unwrap();
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().to_owned()).collect();
    let row = |n: i32| {
        format!(r#"{{"{}":{n},"{}":"{}","{}":"{}"}}"#, names[0], names[1], n % 2, names[2], 7 - n % 2) + "\n"
    };
    let text = (1..10).map(row).collect::<String>();
    let batch = JsonReader::read_batch(&text, schema).unwrap();
    let batches = [(0, 3), (3, 4), (7, 2)].map(|(start, n_rows)| batch.slice(start, n_rows));
    FileWriter::write_to_buffer_with(batch.schema(), &batches, options).unwrap().to_vec()
}

fn footer_of(file: &[u8]) -> Footer {
    FileReader::try_from_buffer(file.to_vec().into()).unwrap().footer().clone()
}

/// The stream of one file, and the footer of another, which lists the messages of the first.
fn with_footer_of(stream: &[u8], other: &[u8]) -> Vec<u8> {
    let [ours, others] = [stream, other].map(footer_of);
    let bytes_of = |block: &Block| {
        let lengths = [block.position(), block.n_metadata_bytes(), block.n_body_bytes()];
        lengths.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>()
    };
    let mut footer = other[others.position() as usize..].to_vec();
    let blocks =
        |footer: &Footer| footer.dictionaries().iter().chain(footer.batches()).copied().collect::<Vec<_>>();
    for (ours, others) in blocks(&ours).iter().zip(&blocks(&others)) {
        let at = footer.windows(24).position(|bytes| bytes == bytes_of(others)).unwrap();
        footer[at..at + 24].copy_from_slice(&bytes_of(ours));
    }
    [&stream[..ours.position() as usize], &footer].concat()
}

/// The bytes of a file, and where its footer lists the batches. Each block has 24 bytes.
fn with_blocks(mut file: Vec<u8>, change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let footer = footer_of(&file);
    let first = footer.batches()[0].position().to_le_bytes();
    let start = footer.position() as usize;
    let at = (start..file.len()).find(|at| file[*at..].starts_with(&first)).unwrap();
    // The number of blocks precedes them.
    change(&mut file[at - 4..at + 3 * 24]);
    file
}

fn replaced(mut file: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    let start = footer_of(&file).position() as usize;
    let at = (start..file.len()).find(|at| file[*at..].starts_with(from)).unwrap();
    file[at..at + to.len()].copy_from_slice(to);
    file
}

/// Files in which the footer and the stream inside disagree, by what they disagree about.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let plain = || file(SCHEMA, WriteOptions::new());
    let other = |schema: &str| with_footer_of(&plain(), &file(schema, WriteOptions::new()));
    let with_metadata = |value: &str| {
        let metadata = Metadata::from_iter([("key", value)]);
        file(SCHEMA, WriteOptions::new().with_file_metadata(metadata))
    };
    let counted = || file(SCHEMA, WriteOptions::new().with_row_counts(RowCounts::Written));
    let ids = || {
        let [mut swapped, file] = [plain(), plain()];
        let [first, second] = [0, 1].map(|block_idx| footer_of(&file).dictionaries()[block_idx].range());
        let [first, second] = [first, second].map(|range| range.start as usize..range.end as usize);
        swapped[first.clone()].copy_from_slice(&file[second.clone()]);
        swapped[second].copy_from_slice(&file[first]);
        swapped
    };
    vec![
        ("nothing", plain()),
        ("two of three batches", with_blocks(plain(), |blocks| blocks[0] = 2)),
        ("no batches", with_blocks(plain(), |blocks| blocks[0] = 0)),
        ("the order of batches", with_blocks(plain(), |blocks| blocks[4..].rotate_left(24))),
        ("a batch twice", with_blocks(plain(), |blocks| blocks.copy_within(4..28, 28))),
        ("the length of a body", with_blocks(plain(), |blocks| blocks[4 + 16] += 8)),
        ("the length of metadata", with_blocks(plain(), |blocks| blocks[4 + 8] += 8)),
        ("the offset of a batch", with_blocks(plain(), |blocks| blocks[4] += 8)),
        ("the name of a column", other(&SCHEMA.replace("a:", "b:"))),
        ("the type of a column", other(&SCHEMA.replace("int32", "uint32"))),
        ("the width of a column", other(&SCHEMA.replace("int32", "int16"))),
        ("the nulls of a column", other(&SCHEMA.replace("int32", "int32 not null"))),
        (
            "the byte order",
            with_footer_of(&plain(), &file(SCHEMA, WriteOptions::new().with_endianness(Endianness::Big))),
        ),
        ("metadata", with_footer_of(&with_metadata("one"), &with_metadata("two"))),
        ("dictionary ids", ids()),
        ("row counts", replaced(counted(), b"[3,7,9]", b"[2,6,9]")),
        ("the number of rows", replaced(counted(), b"[3,7,9]", b"[3,7,8]")),
        ("the end of the stream", {
            let mut file = plain();
            let second = footer_of(&file).batches()[1].position() as usize;
            file[second..second + 8].copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
            file
        }),
        ("the first prefix", {
            let mut file = plain();
            file[8 + 4] += 8;
            file
        }),
    ]
}

const COMMANDS: [&[&str]; 24] = [
    &["head", "-n", "1", "IN"],
    &["head", "-n", "5", "IN"],
    &["head", "-n", "3", "--offset", "4", "IN"],
    &["head", "-n", "2", "--where", "d = '1'", "IN"],
    &["head", "-n", "5", "--columns", "e", "IN"],
    &["cat", "IN"],
    &["cat", "--rows", "0..5", "IN"],
    &["cat", "--rows", "2..4", "--vertical", "IN"],
    &["cat", "--batches", "1..2", "IN"],
    &["cat", "--batches", "0..1", "--format", "csv", "IN"],
    &["tail", "-n", "3", "IN"],
    &["tail", "-n", "3", "--where", "d = '1'", "IN"],
    &["sample", "-n", "4", "--seed", "7", "IN"],
    &["count", "IN"],
    &["count", "--where", "d = '1'", "IN"],
    &["schema", "IN"],
    &["stats", "--json", "IN"],
    &["validate", "IN"],
    &["diff", "IN", "reference"],
    &["convert", "IN", "-", "--to", "stream"],
    &["convert", "IN", "-", "--to", "json"],
    &["convert", "IN", "-", "--to", "file", "--compression", "lz4"],
    &["concat", "IN", "reference", "-"],
    &["inspect", "--json", "IN"],
];

/// The status and the lines of an outcome, without the name of the input, and without what is only told of files that are
/// opened again: hints, and the numbers of all rows, batches and bytes.
fn reported(outcome: &Outcome, name: &str) -> (i32, Vec<String>) {
    let is_reported = |line: &&str| {
        let is_count = line.starts_with('(') && line.ends_with(" rows)")
            || line.starts_with("note: ") && line.contains(" complete batch");
        !(is_count || line.starts_with("  hint: ") || line.starts_with("# file of "))
    };
    let text = String::from_utf8_lossy(&outcome.stdout);
    let lines = text.lines().chain(outcome.stderr.lines()).filter(is_reported);
    let lines = lines.filter(|line| !line.is_empty()).map(|line| line.replace(name, "IN"));
    (outcome.status, lines.collect())
}

/// The statistics of columns, without the lengths of their buffers, which only files with positions have.
fn without_lengths((status, mut lines): (i32, Vec<String>)) -> (i32, Vec<String>) {
    for line in lines.iter_mut().filter(|line| line.starts_with('{')) {
        let Ok(mut found) = serde_json::from_str::<Value>(line) else { continue };
        let columns = found["columns"].take();
        let columns = columns.as_array().cloned().unwrap_or_default();
        let mut objects: Vec<Value> = [found].into_iter().chain(columns).collect();
        for object in objects.iter_mut().filter_map(Value::as_object_mut) {
            ["n_bytes", "n_decompressed_bytes", "share"].iter().for_each(|key| drop(object.remove(*key)));
        }
        *line = Value::from(objects).to_string();
    }
    (status, lines)
}

#[test]
fn rows_are_the_same_whatever_way_the_bytes_arrive() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let reference = path("reference.arrow");
    fs::write(&reference, file(SCHEMA, WriteOptions::new())).unwrap();
    let (plain, gz) = (path("in.arrow"), path("in.arrow.gz"));
    let hunt = Hunt::from_env();
    for (file_idx, (what, bytes)) in files().into_iter().enumerate() {
        fs::write(&plain, &bytes).unwrap();
        fs::write(&gz, gzip(&bytes)).unwrap();
        for (command_idx, command_line) in COMMANDS.into_iter().enumerate() {
            let with = |name: &str| -> Vec<String> {
                let arg = |arg: &&str| arg.replace("IN", name).replace("reference", &reference);
                command_line.iter().map(arg).collect()
            };
            let redirected = |path: &str| {
                let stdin = Stdio::from(File::open(path).unwrap());
                outcome(&command(with("-")).stdin(stdin).output().unwrap())
            };
            let stdin = "standard input";
            let expected = without_lengths(reported(&run(with(&plain)), &plain));
            // A short run takes one way, another one with each command and file.
            for way in
                hunt.some_of(&["redirected", "pipe", "pipe of zstd", "gzip"], 1, file_idx + command_idx)
            {
                let (outcome, name) = match *way {
                    "redirected" => (redirected(&plain), stdin),
                    "pipe" => (run_with_input(with("-"), &bytes), stdin),
                    "pipe of zstd" => (run_with_input(with("-"), &zstd(&bytes)), stdin),
                    _ => (run(with(&gz)), &*gz),
                };
                let found = without_lengths(reported(&outcome, name));
                assert_eq!(found, expected, "{what}, {way}, {command_line:?}");
            }
        }
    }
}

/// A file without footer shows no rows of the stream inside, whatever way its bytes arrive.
#[test]
fn a_file_without_footer_shows_no_rows() {
    let bytes = file(SCHEMA, WriteOptions::new());
    let cut = &bytes[..bytes.len() - 1];
    for bytes in [cut.to_vec(), gzip(cut)] {
        let outcome = run_with_input(["head", "-n", "1", "-"], &bytes);
        assert!(outcome.expect(&[1]).stdout.is_empty() && outcome.stderr.contains("ARROW1"), "{outcome:?}");
    }
}

/// A redirected file is read in place: standard input may also be read from the middle of a file, as a pipe is.
#[cfg(unix)]
#[test]
fn a_file_in_the_middle_of_standard_input_is_read_as_a_pipe() {
    let folder = temporary_folder();
    let path = folder.path().join("in");
    let bytes = file(SCHEMA, WriteOptions::new());
    fs::write(&path, [&b"a line\n"[..], &bytes].concat()).unwrap();
    let mut shell = std::process::Command::new("sh");
    let line = r#"{ read -r line; "$0" count -; } < "$1""#;
    let output = shell.args(["-c", line, env!("CARGO_BIN_EXE_arrow-ipc")]).arg(&path).output().unwrap();
    assert_eq!(outcome(&output).expect(&[0]).text(), "9\n");
}
