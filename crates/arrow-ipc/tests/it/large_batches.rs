//! Batches of streams whose bodies are kept apart: what comes out is what comes out of the stream as a whole.

use std::{
    fs,
    io::{Cursor, Read},
};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::RecordBatch;
use arrow_ipc::{
    BatchWithMetadata, ErrorClass, FileReader, ReadOptions, Result, Step, StreamReader, StreamWriter,
};
use testing_support::{Hunt, rows};

use crate::ALLOCATOR;

/// The destination of the body of a large batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyTarget {
    /// The body stays in the source.
    Skipped,
    /// The body is copied to memory.
    Taken,
}

type Reader<'a> = StreamReader<Cursor<&'a [u8]>>;

/// The recorded steps of reading a stream: a line for each step, and a line for the end.
#[derive(Default)]
struct StepLog {
    lines: Vec<String>,
    /// Large batches, each with its line: they are read when all else has been.
    large: Vec<(usize, FileReader<Buffer>)>,
}

fn seen(bytes: &[u8], min_bytes: u64, way: BodyTarget) -> Vec<String> {
    let mut seen = StepLog::default();
    if let Err(error) = seen.all_of(bytes, min_bytes, way) {
        seen.lines.push(error.to_string());
    }
    for (line, reader) in seen.large {
        let batch = reader.batch_with_metadata(0);
        if let Ok(read) = &batch {
            assert_eq!(reader.footer_metadata(), &read.metadata);
        }
        if batch.is_err() {
            // A batch that is read at once ends the stream here.
            seen.lines.truncate(line);
            seen.lines.push(shown(batch));
            break;
        }
        seen.lines[line].insert_str(0, &shown(batch));
    }
    seen.lines
}

fn shown(batch: Result<BatchWithMetadata>) -> String {
    match batch {
        Ok(next) => format!("{:?} {:?}", rows(&next.batch), next.metadata),
        Err(error) => error.to_string(),
    }
}

impl StepLog {
    fn all_of(&mut self, bytes: &[u8], min_bytes: u64, way: BodyTarget) -> Result<()> {
        let mut reader = StreamReader::try_new(Cursor::new(bytes))?.with_large_batches_over(min_bytes);
        loop {
            let line = match reader.next_step()? {
                Step::Batch(batch) => shown(Ok(batch)),
                Step::LargeBatch(batch) => {
                    assert!(batch.n_body_bytes() > min_bytes);
                    let (start, n_bytes) = (batch.body_position(), batch.n_body_bytes());
                    let body = match way {
                        BodyTarget::Taken => take_body(&mut reader)?,
                        BodyTarget::Skipped => {
                            skip_body(&mut reader)?;
                            let start = usize::try_from(start).unwrap();
                            Buffer::copy_from(&bytes[start..start + usize::try_from(n_bytes).unwrap()])
                        }
                    };
                    self.large.push((self.lines.len(), batch.try_into_reader(body)?));
                    String::new()
                }
                Step::End => {
                    let (n_bytes, has_end_marker) = (reader.n_bytes_consumed(), reader.has_end_marker());
                    self.lines.push(format!("ends at {n_bytes}, marked: {has_end_marker}"));
                    return Ok(());
                }
                step => format!("{step:?}"),
            };
            self.lines.push(format!("{line} to {}", reader.n_bytes_consumed()));
        }
    }
}

fn take_body(reader: &mut StreamReader<impl Read>) -> Result<Buffer> {
    let mut body = Vec::new();
    while let Some(bytes) = reader.next_body_bytes()? {
        body.extend_from_slice(&bytes);
    }
    Ok(Buffer::from(body))
}

fn skip_body(reader: &mut Reader<'_>) -> Result<()> {
    reader.skip_body(|source, n_left| {
        let n_skipped = n_left.min((source.get_ref().len() as u64).saturating_sub(source.position()));
        source.set_position(source.position() + n_skipped);
        Ok(n_skipped)
    })
}

/// Streams of all kinds and producers, those with dictionaries that change among them.
fn golden() -> Vec<(String, Vec<u8>)> {
    let folder = testing_support::corpus_dir().join("golden");
    let files = testing_support::files_below(&folder, ".arrows");
    let read = |path: std::path::PathBuf| (path.display().to_string(), fs::read(path).unwrap());
    files.into_iter().map(read).collect()
}

#[test]
fn rows_are_those_of_the_stream() {
    let (mut n_files, mut n_with_dictionaries) = (0, 0);
    for (name, bytes) in golden() {
        let expected = seen(&bytes, u64::MAX, BodyTarget::Taken);
        for (min_bytes, way) in [
            (0, BodyTarget::Taken),
            (0, BodyTarget::Skipped),
            (200, BodyTarget::Taken),
            (200, BodyTarget::Skipped),
        ] {
            assert_eq!(seen(&bytes, min_bytes, way), expected, "{name}, over {min_bytes}, {way:?}");
        }
        n_files += 1;
        n_with_dictionaries += usize::from(expected.iter().any(|line| line.contains("is_delta: true")));
    }
    assert!(n_files > 150 && n_with_dictionaries > 0, "{n_files} files, {n_with_dictionaries} with deltas");
}

/// The same rows, and then the same error.
#[test]
fn streams_that_are_cut_off() {
    let mut n_cut = 0;
    let hunt = Hunt::from_env();
    for (name, bytes) in golden() {
        if bytes.len() > 3_000 {
            continue;
        }
        for n_bytes in (0..bytes.len()).step_by(hunt.count(21, 7)) {
            let cut = &bytes[..n_bytes];
            let expected = seen(cut, u64::MAX, BodyTarget::Taken);
            for way in [BodyTarget::Taken, BodyTarget::Skipped] {
                assert_eq!(seen(cut, 0, way), expected, "{name}, {n_bytes} bytes, {way:?}");
            }
            n_cut += 1;
        }
    }
    assert!(n_cut > hunt.count(1_667, 5_000), "{n_cut} streams");
}

/// Bodies that nobody takes are passed over, and a reader of batches gives them as others.
#[test]
fn what_is_done_with_a_body_is_up_to_the_caller() {
    let name = "golden/pyarrow-26.0.1/dictionary-deltas-and-replaced.arrows";
    let path = testing_support::corpus_dir().join(name);
    let bytes = fs::read(path).unwrap();
    let open = || StreamReader::try_new(Cursor::new(&bytes[..])).unwrap();
    let expected: Vec<RecordBatch> = open().collect::<Result<_>>().unwrap();
    let whole: Vec<RecordBatch> = open().with_large_batches_over(0).collect::<Result<_>>().unwrap();
    let all = |batches: &[RecordBatch]| batches.iter().flat_map(rows).collect::<Vec<_>>();
    assert_eq!(all(&whole), all(&expected));
    let mut passing = open().with_large_batches_over(0);
    let mut n_batches = 0;
    loop {
        match passing.next_step().unwrap() {
            Step::LargeBatch(_) => n_batches += 1,
            Step::End => break,
            _ => {}
        }
    }
    assert_eq!((n_batches, passing.n_bytes_consumed()), (expected.len(), bytes.len() as u64));
    assert!(open().with_large_batches_over(0).next_stream().unwrap().is_none());
}

/// A reader of batches ends after an error in a large one, as after any other.
#[test]
fn nothing_follows_a_large_batch_that_is_invalid() {
    let text = |words: &[&str]| {
        let column = arrow_array::Utf8Array::try_from_iter(words).unwrap();
        RecordBatch::try_from_columns([("text", column.into())]).unwrap()
    };
    let batches = [text(&["ada"]), text(&["grace!"]), text(&["ada"])];
    let mut bytes = StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap();
    let position = bytes.windows(6).position(|bytes| bytes == b"grace!").unwrap();
    bytes[position] = 0xff;
    for min_bytes in [0, u64::MAX] {
        let reader = StreamReader::try_new(&bytes[..]).unwrap().with_large_batches_over(min_bytes);
        let found: Vec<bool> = reader.map(|batch| batch.is_ok()).collect();
        assert_eq!(found, [true, false], "{min_bytes}");
    }
}

/// A body that claims to have 2⁶² bytes takes only memory for the bytes that arrive.
#[test]
fn declared_lengths_are_not_trusted() {
    let path = testing_support::corpus_dir().join("hostile/framing-bodylen-2e62.stream");
    let start = fs::read(path).unwrap();
    for n_more in [0, 1, 100_000, 20 << 20] {
        let budget = MemoryBudget::new(2 << 20);
        let (error, usage) = ALLOCATOR.measure(|| {
            let source = start.chain(std::io::repeat(0).take(n_more));
            let options = ReadOptions::new().with_memory_budget(budget.clone());
            let reader = StreamReader::try_new_with(source, options).unwrap();
            let mut reader = reader.with_large_batches_over(1 << 20);
            let Step::LargeBatch(batch) = reader.next_step().unwrap() else { panic!("it is large") };
            assert_eq!(batch.n_body_bytes(), 1 << 62);
            let mut n_taken = 0;
            let error = loop {
                match reader.next_body_bytes() {
                    Ok(bytes) => n_taken += bytes.map_or(0, |bytes| bytes.len() as u64),
                    Err(error) => break error,
                }
            };
            assert!(n_taken >= n_more);
            // What is there is not the body.
            let open = batch.try_into_reader(Buffer::new()).unwrap_err();
            assert_eq!(open.class(), ErrorClass::Truncated, "{open}");
            assert!(matches!(reader.next_step(), Ok(Step::End)), "it is exhausted");
            error
        });
        assert_eq!(error.class(), ErrorClass::Truncated, "{error}");
        assert_eq!(error.location().message, Some(1), "{error}");
        assert!(usage.peak_bytes < 2 << 20, "{} bytes", usage.peak_bytes);
    }
}

/// A body that is read whole is charged to the budget, like the body of any batch.
#[test]
fn bodies_that_are_read_whole_are_charged() {
    let numbers = arrow_array::Int64Array::from_iter(0..1_000_000).into_data();
    let batch = RecordBatch::try_from_columns([("a", numbers)]).unwrap();
    let stream =
        arrow_ipc::StreamWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let read = |budget| {
        let options = ReadOptions::new().with_memory_budget(MemoryBudget::new(budget));
        let reader = StreamReader::try_new_with(Cursor::new(&stream[..]), options).unwrap();
        reader.with_large_batches_over(1_000).next_batch()
    };
    assert_eq!(read(32 << 20).unwrap().unwrap().batch.n_rows(), 1_000_000);
    let error = read(6 << 20).unwrap_err();
    assert!(matches!(error.kind(), arrow_ipc::IpcErrorKind::Memory(_)), "{error}");
}
