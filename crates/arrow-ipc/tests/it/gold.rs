//! The public test data of Arrow: files that released versions of other libraries wrote, and inputs that fuzzing
//! found. Needs `ARROW_TEST_DATA`.

use std::{fs, path::Path};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{ErrorClass, FileReader, Result, StreamReader};

/// Codecs that are not built in are refused by name.
const HAS_CODECS: bool = cfg!(all(feature = "lz4", feature = "zstd"));

/// A folder of gold files, and whether it is read or refused by name.
const GOLD: [(&str, Outcome); 7] = [
    ("0.14.1", Outcome::Read),
    ("0.17.1", Outcome::Read),
    ("1.0.0-littleendian", Outcome::Read),
    ("4.0.0-shareddict", Outcome::Read),
    ("cpp-21.0.0", Outcome::Read),
    ("2.0.0-compression", if HAS_CODECS { Outcome::Read } else { Outcome::Refused("feature `") }),
    ("1.0.0-bigendian", Outcome::Read),
];

#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Read,
    /// Refused as not supported, with a message that holds this word.
    Refused(&'static str),
}

fn read_stream(path: &Path) -> Result<Vec<RecordBatch>> {
    StreamReader::try_new(fs::File::open(path)?)?.collect()
}

fn read_file(path: &Path) -> Result<Vec<RecordBatch>> {
    FileReader::open(path)?.batches().collect()
}

#[test]
fn gold_files_are_read() {
    let Some(data) = testing_support::arrow_test_data("gold files") else { return };
    for (folder, expect) in GOLD {
        let folder = data.join("arrow-ipc-stream/integration").join(folder);
        let mut n_cases = 0;
        for path in testing_support::files_below(&folder, ".stream") {
            check_case(&path, expect);
            n_cases += 1;
        }
        assert!(n_cases > 0, "no cases in {}", folder.display());
    }
}

fn check_case(stream: &Path, expect: Outcome) {
    let file = stream.with_extension("arrow_file");
    let outcomes = [(stream, read_stream(stream)), (file.as_path(), read_file(&file))];
    if let Outcome::Refused(word) = expect {
        for (path, outcome) in outcomes {
            let error = outcome.expect_err("should be refused");
            assert_eq!(error.class(), ErrorClass::Unsupported, "{}: {error}", path.display());
            assert!(error.to_string().contains(word), "{}: {error}", path.display());
        }
        return;
    }
    let [from_stream, from_file] = outcomes.map(|(path, outcome)| match outcome {
        Ok(batches) => batches,
        Err(error) => panic!("{}: {error}", path.display()),
    });
    assert_eq!(from_stream.len(), from_file.len(), "{}", stream.display());
    for (a, b) in from_stream.iter().zip(&from_file) {
        // Names inside of maps differ in one pair of the gold files themselves.
        assert_eq!(names(a), names(b), "{}", stream.display());
        assert_eq!(testing_support::rows(a), testing_support::rows(b), "{}", stream.display());
    }
}

fn names(batch: &RecordBatch) -> Vec<&str> {
    batch.schema().fields().iter().map(|field| field.name()).collect()
}

#[test]
fn fuzzed_inputs_end_in_a_result() {
    let Some(data) = testing_support::arrow_test_data("fuzzed inputs") else { return };
    let mut n_inputs = 0;
    for folder in ["arrow-ipc-stream", "arrow-ipc-file", "arrow-ipc-tensor-stream", "forward-compatibility"] {
        for path in testing_support::files_below(&data.join(folder), "") {
            if path.to_string_lossy().contains("integration") {
                continue;
            }
            n_inputs += 1;
            // Whatever they are named: as a stream, and as a file; what can be read is walked.
            let bytes = Buffer::from(fs::read(&path).unwrap());
            if let Ok(reader) = StreamReader::try_new(&*bytes) {
                reader.flatten().for_each(|batch| drop(testing_support::rows(&bounded(&batch))));
            }
            if let Ok(file) = FileReader::try_from_buffer(bytes) {
                file.batches().flatten().for_each(|batch| drop(testing_support::rows(&bounded(&batch))));
            }
        }
    }
    assert!(n_inputs > 50, "{n_inputs} inputs");
}

/// Lengths that are backed by no bytes may be beyond what a test can walk.
fn bounded(batch: &RecordBatch) -> RecordBatch {
    batch.slice(0, batch.n_rows().min(1_000))
}

#[test]
fn a_newer_version_is_refused_by_name() {
    let Some(data) = testing_support::arrow_test_data("a file of a newer version") else { return };
    let error = read_stream(&data.join("forward-compatibility/schema_v6.arrow")).expect_err("V6");
    assert_eq!(error.class(), ErrorClass::Unsupported);
    assert!(error.to_string().contains("V6"), "{error}");
}
