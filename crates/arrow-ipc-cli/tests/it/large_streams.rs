//! Streams with large batches, from a disk and through a pipe. Commands have the same output as for files with these
//! rows.

use std::{fs, path::Path, sync::LazyLock};

use arrow_array::{DictionaryArray, Int16Array, Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, DictionaryPolicy, FileWriter, StreamWriter, WriteOptions};
use testing_support::Hunt;

use crate::program::{Outcome, command, finish, run, run_with_input, temporary_folder};

/// Makes rows of a large batch. With each codec, 100,000 rows are longer than the limit.
fn batch(first: i64, n_rows: i64, words: &[&str]) -> RecordBatch {
    let rows = first..first + n_rows;
    let mixed = |n: i64| {
        let once = |n: i64| (n ^ (n >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed());
        once(once(n.wrapping_add(1)))
    };
    // Each byte of text has six random bits, so codecs save little.
    let long = |n: i64| {
        let mut text = Vec::with_capacity(130);
        for k in 0..13 {
            let bits = mixed(n ^ (k << 40));
            text.extend([0, 6, 12, 18, 24, 30, 36, 42, 48, 54].map(|at| b'0' + ((bits >> at) & 63) as u8));
        }
        String::from_utf8(text).unwrap()
    };
    let text = rows.clone().map(|n| (n % 7 > 0).then(|| long(n)));
    let indices = rows.clone().map(|n| (n % words.len() as i64) as i16);
    let words =
        DictionaryArray::try_new(Int16Array::from_iter(indices), Utf8Array::try_from_iter(words).unwrap());
    RecordBatch::try_from_columns([
        ("id", Int64Array::from_iter(rows.clone()).into_data()),
        ("text", Utf8Array::try_from_iter(text).unwrap().into_data()),
        ("word", words.unwrap().into()),
        ("mixed", Int64Array::from_iter(rows.clone().map(mixed)).into_data()),
        ("again", Int64Array::from_iter(rows.map(|n| mixed(!n))).into_data()),
    ])
    .unwrap()
}

fn stream(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    StreamWriter::write_to_buffer_with(batches[0].schema(), batches, options).unwrap().to_vec()
}

const WORDS: [&str; 3] = ["ada", "grace", "barbara"];

/// The large batches of all inputs, with rows from 0 and from 10 on. Made once for all tests.
static LARGE: LazyLock<[RecordBatch; 2]> =
    LazyLock::new(|| [0, 10].map(|first| batch(first, 100_000, &WORDS)));

const INPUTS: [&str; 6] = ["plain", "lz4", "zstd", "deltas", "replaced", "two"];

/// A folder with those of the [`INPUTS`] that have these names, each as a stream and as a file.
fn inputs(names: &[&str]) -> tempfile::TempDir {
    let folder = temporary_folder();
    let [one, large] = &*LARGE;
    let one = std::slice::from_ref(one);
    let between = |first: RecordBatch, last: &[&str]| [first, large.clone(), batch(100_010, 20, last)];
    let several = between(batch(0, 10, &WORDS[..2]), &WORDS);
    let replaced = between(batch(0, 10, &["x"]), &["y", "z"]);
    let options = WriteOptions::new;
    let codec = |codec: Compression| options().with_compression(codec);
    let delta = || options().with_dictionaries(DictionaryPolicy::Delta);
    for name in names {
        let (stream, batches) = match *name {
            "plain" => (stream(one, options()), one),
            "lz4" => (stream(one, codec(Compression::lz4())), one),
            "zstd" => (stream(one, codec(Compression::zstd())), one),
            "deltas" => (stream(&several, delta()), &several[..]),
            "replaced" => (stream(&replaced, options()), &replaced[..]),
            "two" => {
                let second = stream(&several[2..], codec(Compression::lz4()));
                ([stream(&several[..2], options()), second].concat(), &several[..])
            }
            name => panic!("{name} is no input"),
        };
        assert!(stream.len() > 9 << 20, "{name}: {} bytes", stream.len());
        fs::write(folder.path().join(format!("{name}.arrows")), stream).unwrap();
        let file = FileWriter::write_to_buffer_with(batches[0].schema(), batches, delta()).unwrap();
        fs::write(folder.path().join(format!("{name}.arrow")), file).unwrap();
    }
    folder
}

const COMMANDS: [&[&str]; 16] = [
    &["head"],
    &["head", "-n", "3", "--offset", "50000"],
    &["head", "-n", "0"],
    &["head", "--columns", "id,word", "-n", "12", "--format", "csv"],
    &["cat", "--format", "csv"],
    &["cat", "--format", "json", "--columns", "word"],
    &["cat", "--rows", "8..13"],
    &["cat", "--rows", "99995..100015", "--format", "csv"],
    &["cat", "--rows", "200000.."],
    &["cat", "--rows", "99999..", "--vertical"],
    &["tail"],
    &["tail", "-n", "25", "--format", "csv"],
    &["tail", "-n", "100000", "--format", "csv", "--columns", "id,word"],
    &["sample", "-n", "9", "--seed", "4", "--format", "csv"],
    &["sample", "-n", "30", "--seed", "5", "--format", "json", "--columns", "text"],
    &["sample", "-n", "100", "--seed", "1", "--columns", "id", "--format", "csv"],
];

/// The outcome without lines that name the input or its number of rows.
fn shown(outcome: &Outcome) -> (i32, Vec<&str>, bool) {
    let is_shown = |line: &&str| !line.is_empty() && !line.contains(" rows");
    (outcome.status, outcome.text().lines().filter(is_shown).collect(), outcome.stderr.is_empty())
}

fn with(args: &[&str], input: &Path) -> Outcome {
    run(args.iter().map(Path::new).chain([input]))
}

#[test]
fn rows_are_those_of_files() {
    let (folder, hunt) = (inputs(&INPUTS), Hunt::from_env());
    // The file is read for the first of several inputs with equal rows.
    let mut file_outcomes: Vec<(Vec<u8>, [Option<Outcome>; COMMANDS.len()])> = Vec::new();
    for (idx, name) in INPUTS.into_iter().enumerate() {
        let [stream, file] = ["arrows", "arrow"].map(|end| folder.path().join(format!("{name}.{end}")));
        let bytes = fs::read(&stream).unwrap();
        let rows = fs::read(&file).unwrap();
        let known = file_outcomes.iter().position(|(of, _)| *of == rows).unwrap_or_else(|| {
            file_outcomes.push((rows, [const { None }; COMMANDS.len()]));
            file_outcomes.len() - 1
        });
        for (command_idx, (args, expected)) in
            COMMANDS.into_iter().zip(&mut file_outcomes[known].1).enumerate()
        {
            // A short run has every third command for each input, in turn.
            if !hunt.is_on() && !(idx + command_idx).is_multiple_of(3) {
                continue;
            }
            let expected = &*expected.get_or_insert_with(|| with(args, &file));
            let ways: [(&str, &dyn Fn() -> Outcome); 2] = [
                ("on a disk", &|| with(args, &stream)),
                ("in a pipe", &|| run_with_input(args.iter().chain(&["-"]), &bytes)),
            ];
            // A short run uses one of the two ways for each input and command.
            for (way, run) in hunt.some_of(&ways, 1, idx + command_idx) {
                let found = run();
                assert!(shown(&found) == shown(expected), "{name} {way}, {args:?}: {}", found.stderr);
            }
        }
        let same = run([Path::new("diff"), &stream, &file]);
        same.expect(&[0]);
        let mut from_pipe = command([Path::new("diff"), &file, Path::new("-")]);
        finish(&mut from_pipe, &bytes).expect(&[0]);
        finish(&mut command(["validate", "-"]), &bytes).expect(&[0]);
    }
}

/// Several inputs have the same rows as one input with all of them.
#[test]
fn large_batches_of_several_inputs() {
    let names = ["plain", "deltas", "two"];
    let folder = inputs(&names);
    let paths = |end: &str| names.map(|name| folder.path().join(format!("{name}.{end}")));
    for args in
        [&["tail", "-n", "100040"][..], &["sample", "-n", "50", "--seed", "2"], &["head", "-n", "100005"]]
    {
        let args = [args, &["--columns", "id,word", "--format", "csv"]].concat();
        let [streams, files] = ["arrows", "arrow"].map(|end| {
            let paths = paths(end);
            run(args.iter().map(Path::new).chain(paths.iter().map(|path| &**path)))
        });
        assert!(shown(&streams) == shown(&files), "{args:?}");
    }
}

/// If no temporary file can be created, the input stays in memory.
#[test]
fn a_pipe_without_a_temporary_folder() {
    let folder = inputs(&["zstd"]);
    let bytes = fs::read(folder.path().join("zstd.arrows")).unwrap();
    let expected = with(&["head", "-n", "3", "--offset", "90000"], &folder.path().join("zstd.arrow"));
    let mut command = command(["head", "-n", "3", "--offset", "90000", "-"]);
    let found = finish(command.env("TMPDIR", "/there/is/no/such/folder"), &bytes);
    assert_eq!(shown(&found), shown(&expected), "{found:?}");
}

/// If memory is refused, the error does not call the valid input malformed.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_not_damage() {
    use std::process::Command;

    const KIB: &str = "120000";
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let zeros = Int64Array::from_iter(std::iter::repeat_n(0, 16 << 20));
    let batch = RecordBatch::try_from_columns([("n", zeros.into())]).unwrap();
    let mut n_refused = 0;
    for (codec, compression) in [("zstd", Compression::zstd()), ("lz4", Compression::lz4())] {
        let options = WriteOptions::new().with_compression(Some(compression));
        let input = path(&format!("{codec}.arrows"));
        fs::write(
            &input,
            StreamWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(&batch), options)
                .unwrap(),
        )
        .unwrap();
        for args in [
            &["validate", &input][..],
            &["stats", &input],
            &[
                "convert",
                &input,
                &path("out.arrow"),
                "--compression",
                if codec == "lz4" { "zstd" } else { "lz4" },
            ],
            &["convert", &input, &path("out.arrow"), "--batch-rows", "1000"],
            &["convert", &input, &path("out.arrows"), "--cast", "n=utf8"],
        ] {
            let mut command = Command::new("bash");
            command.args(["-c", &format!("ulimit -v {KIB} && exec \"$0\" \"$@\"")]);
            command.arg(env!("CARGO_BIN_EXE_arrow-ipc")).args(args).args(["--threads", "1"]);
            let outcome = finish(&mut command, b"");
            if outcome.stderr.contains("arrow-ipc: error while loading") {
                return eprintln!("SKIPPED: limits of memory: {outcome:?}");
            }
            outcome.expect(&[0, 4]);
            if outcome.status == 4 {
                assert!(outcome.stderr.contains("the system cannot provide "), "{args:?}: {outcome:?}");
                n_refused += 1;
            }
        }
    }
    assert!(n_refused > 1, "{n_refused} refused");
}
