//! Tests inputs that fail.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, ReadOptions, SeekSource, StreamReader, WrittenContainer};
use arrow_ipc_async::{AsyncFileReader, AsyncStreamReader};
use arrow_ipc_tensor::TensorReader;
use arrow_ipc_tools::{ConvertOptions, Input, RecoverOptions, convert, recover};
use mutants::drive;
use testing_support::{corpus_dir, files_below};

use super::{CASES, FAULTS, Fault, Faulty, FaultyRanges, golden, positions, same};

/// The batches that were read before the end or an error, and the text of the error.
type Read = (Vec<RecordBatch>, Option<String>);

/// A way to read.
struct Shell {
    name: &'static str,
    /// The ending of the names of its inputs.
    of: &'static str,
    /// Whether it requests ranges, which are read completely or not at all.
    has_ranges: bool,
    read: fn(Faulty) -> Read,
}

const SHELLS: [Shell; 8] = [
    Shell { name: "StreamReader", of: "arrows", has_ranges: false, read: stream },
    Shell { name: "AsyncStreamReader", of: "arrows", has_ranges: false, read: async_stream },
    Shell { name: "convert of a pipe", of: "arrows", has_ranges: false, read: converted },
    Shell { name: "FileReader that seeks", of: "arrow", has_ranges: false, read: seeking },
    Shell { name: "FileReader of a source", of: "arrow", has_ranges: true, read: source },
    Shell { name: "AsyncFileReader", of: "arrow", has_ranges: true, read: async_file },
    Shell { name: "convert of a source", of: "arrow", has_ranges: true, read: converted_source },
    Shell { name: "recover of a source", of: "arrow", has_ranges: true, read: recovered },
];

fn all(batches: impl Iterator<Item = arrow_ipc::Result<RecordBatch>>) -> Read {
    let mut found = Vec::new();
    for batch in batches {
        match batch {
            Ok(batch) => found.push(batch),
            Err(error) => return (found, Some(error.to_string())),
        }
    }
    (found, None)
}

fn failed(error: impl std::fmt::Display) -> Read {
    (Vec::new(), Some(error.to_string()))
}

fn stream(bytes: Faulty) -> Read {
    StreamReader::try_new(bytes).map_or_else(failed, all)
}

fn async_stream(bytes: Faulty) -> Read {
    let mut reader = match drive(AsyncStreamReader::try_new(bytes)) {
        Ok(reader) => reader,
        Err(error) => return failed(error),
    };
    all(std::iter::from_fn(|| drive(reader.next_batch()).map(|next| next.map(|next| next.batch)).transpose()))
}

fn small_reads() -> ReadOptions {
    ReadOptions::new().with_tail_bytes(64)
}

fn seeking(bytes: Faulty) -> Read {
    let reader = FileReader::try_new_with(SeekSource::new(bytes), small_reads());
    reader.map_or_else(failed, |reader| all((0..reader.n_batches()).map(|idx| reader.batch(idx))))
}

fn source(bytes: Faulty) -> Read {
    let reader = FileReader::try_new_with(FaultyRanges(bytes), small_reads());
    reader.map_or_else(failed, |reader| all(reader.batches()))
}

fn async_file(bytes: Faulty) -> Read {
    let reader = drive(AsyncFileReader::try_new_with(FaultyRanges(bytes), small_reads()));
    reader.map_or_else(failed, |reader| all((0..reader.n_batches()).map(|idx| drive(reader.batch(idx)))))
}

fn convert_input(input: Result<Input, arrow_ipc_tools::ToolError>) -> Read {
    let options = ConvertOptions::new(WrittenContainer::Stream);
    match input.and_then(|input| convert(input, Vec::new(), &options, &mut ())) {
        Ok((written, _)) => StreamReader::try_new(&*written).map_or_else(failed, all),
        Err(error) => failed(error),
    }
}

fn converted(bytes: Faulty) -> Read {
    convert_input(Input::try_from_reader("input", bytes))
}

fn converted_source(bytes: Faulty) -> Read {
    convert_input(Input::try_new("input", FaultyRanges(bytes)))
}

fn recovered(bytes: Faulty) -> Read {
    let input = Input::from_damaged("input", FaultyRanges(bytes));
    match recover(input, Vec::new(), &RecoverOptions::new(WrittenContainer::Stream), &mut ()) {
        Ok((written, _)) => StreamReader::try_new(&*written).map_or_else(failed, all),
        Err(error) => failed(error),
    }
}

#[test]
fn inputs_that_fail_are_errors_or_the_same() {
    for (number, case) in CASES.iter().enumerate() {
        for shell in &SHELLS {
            let bytes = golden(case, shell.of);
            let (expected, error) = (shell.read)(Faulty::new(&bytes, Fault::Short, usize::MAX));
            assert_eq!(error, None, "{case}, {}", shell.name);
            let mut n_errors = 0;
            for (turn, at) in positions(bytes.len(), 14, number).enumerate() {
                // In the short form each position has another fault.
                for fault in testing_support::Hunt::from_env().some_of(&FAULTS, 2, turn) {
                    let what =
                        || format!("{}, {case}, {fault:?} at byte {at} of {}", shell.name, bytes.len());
                    let (found, error) = (shell.read)(Faulty::new(&bytes, *fault, at));
                    assert!(same(&found, &expected[..found.len()]), "{}: other rows", what());
                    if fault.is_harmless() && !shell.has_ranges {
                        assert_eq!(error, None, "{}", what());
                    }
                    // A stream without its end mark may end between messages; all else is told.
                    let may_end = *fault == Fault::Nothing && shell.of == "arrows";
                    assert!(error.is_some() || may_end || found.len() == expected.len(), "{}", what());
                    n_errors += usize::from(error.is_some());
                }
            }
            assert!(n_errors > 3, "{case}, {}: {n_errors} errors", shell.name);
        }
    }
}

#[test]
fn tensors_that_cannot_be_read_are_errors() {
    let paths = files_below(&corpus_dir().join("tensors"), ".tensor");
    for (number, path) in paths.iter().enumerate().step_by(5) {
        let bytes = Buffer::from(std::fs::read(path).expect("it exists"));
        let read =
            |at, fault| TensorReader::new(Faulty::new(&bytes, fault, at)).collect::<Result<Vec<_>, _>>();
        let expected = read(usize::MAX, Fault::Short).expect("golden");
        for at in positions(bytes.len(), 20, number) {
            for fault in FAULTS {
                match read(at, fault) {
                    Ok(found) if fault == Fault::Nothing => assert!(found.len() <= expected.len()),
                    Ok(found) => {
                        assert_eq!(found.len(), expected.len(), "{}, {fault:?} at {at}", path.display())
                    }
                    Err(error) => {
                        assert!(!fault.is_harmless(), "{}, {fault:?} at {at}: {error}", path.display())
                    }
                }
            }
        }
    }
}
