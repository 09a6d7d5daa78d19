//! Reading copies only the buffers that must be copied, and counts them.

use std::{fs, path::Path};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    ErrorClass, FileReader, IpcErrorKind, Limits, Messages, ReadOptions, ReadStats, Step, StreamDecoder,
    StreamReader, StreamWriter,
};
use arrow_schema::{Field, Schema};
use testing_support::{Generator, Nulls, Value, all_types, rows};

pub(crate) fn golden(name: &str) -> Buffer {
    let path = testing_support::corpus_dir().join("golden").join(name);
    Buffer::from(fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Every golden file, but those in which null slots hold what must be blanked, those that are compressed, and those in
/// which dictionaries are put together.
fn golden_files(extension: &str) -> Vec<std::path::PathBuf> {
    let mut files = testing_support::files_below(&testing_support::corpus_dir().join("golden"), extension);
    files.retain(|path| {
        let copied = ["null-garbage", "view-buffers", "lz4", "zstd", "deltas"];
        !copied.iter().any(|name| path.to_string_lossy().contains(name))
    });
    assert!(files.len() > 150, "{} files", files.len());
    files
}

#[test]
fn reading_from_memory_copies_no_buffer() {
    for path in golden_files(".arrow") {
        check_shared(&path, &Buffer::from(fs::read(&path).unwrap()).to_aligned(64));
    }
    for path in golden_files(".arrows") {
        let bytes = Buffer::from(fs::read(&path).unwrap()).to_aligned(64);
        let mut decoder = StreamDecoder::new();
        decoder.feed(bytes.clone());
        decoder.finish_input();
        loop {
            match decoder.step().unwrap() {
                Step::Batch(next) => assert_inside(&next.batch, &bytes, &path.to_string_lossy()),
                Step::End => break,
                _ => {}
            }
        }
        assert_eq!(decoder.stats(), ReadStats::default(), "{}", path.display());
    }
}

#[test]
fn reading_from_a_map_copies_no_buffer() {
    for path in golden_files(".arrow") {
        check_shared(&path, &testing_support::map_file(&path));
    }
}

/// Every buffer of a file's batches lies in these bytes, its content.
fn check_shared(path: &Path, bytes: &Buffer) {
    let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
    for batch in reader.batches() {
        assert_inside(&batch.unwrap(), bytes, &path.to_string_lossy());
    }
    // The footers of pyarrow say V5, whatever version the messages have.
    let stats = reader.stats();
    let mut expected = ReadStats::default();
    expected.has_other_version = stats.has_other_version;
    assert_eq!(stats, expected, "{}", path.display());
}

fn assert_inside(batch: &RecordBatch, bytes: &Buffer, name: &str) {
    let range = bytes.as_ptr_range();
    let mut arrays: Vec<&ArrayData> = batch.columns().iter().collect();
    while let Some(array) = arrays.pop() {
        arrays.extend(array.children());
        arrays.extend(array.dictionary().map(|dictionary| &**dictionary));
        let validity = array.validity().map(|validity| validity.buffer());
        let buffers = [array.buffer(0), array.buffer(1)].into_iter().chain(array.variadic()).chain(validity);
        for buffer in buffers.filter(|buffer| !buffer.is_empty()) {
            let inside = range.contains(&buffer.as_ptr()) && buffer.as_ptr_range().end <= range.end;
            assert!(inside, "{name}: a buffer of {} was copied", array.data_type());
        }
    }
}

#[test]
fn text_under_nulls_is_blanked_and_counted() {
    let file = golden("pyarrow-26.0.1/null-garbage.arrow").to_aligned(64);
    let reader = FileReader::try_from_buffer(file).unwrap();
    let n_rows: usize = reader.batches().map(|batch| batch.unwrap().n_rows()).sum();
    let stats = reader.stats();
    assert!(n_rows > 0 && stats.n_repaired_buffers > 0 && stats.n_repaired_bytes > 0, "{stats:?}");
    assert_eq!((stats.n_realigned_buffers, stats.n_reassembled_bytes), (0, 0), "{stats:?}");
}

#[test]
fn misaligned_buffers_are_copied_and_counted() {
    let bytes = golden("pyarrow-26.0.1/decimals-full.arrows");
    let mut shifted = vec![0u8; 1];
    shifted.extend_from_slice(&bytes);
    let shifted = Buffer::copy_from(&shifted).slice(1..);
    let (rows, stats) = decoded(&shifted);
    assert_eq!(rows, decoded(&bytes).0);
    assert!(stats.n_realigned_buffers > 0 && stats.n_realigned_bytes > 0, "{stats:?}");
}

fn decoded(stream: &Buffer) -> (Vec<Vec<Value>>, ReadStats) {
    let mut decoder = StreamDecoder::new();
    decoder.feed(stream.clone());
    decoder.finish_input();
    let mut found = Vec::new();
    loop {
        match decoder.step().unwrap() {
            Step::Batch(next) => found.extend(rows(&next.batch)),
            Step::End => return (found, decoder.stats()),
            _ => {}
        }
    }
}

/// Buffers of other writers begin at multiples of 64 or of 8, and may begin at any address in memory.
#[test]
fn every_type_is_read_wherever_its_buffers_lie() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = Schema::new([Field::new("column", data_type)]);
        let batch = Generator::new(seed as u64).batch(&schema, 70, Nulls::Some);
        let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let stream = writer.finish().unwrap();
        for shift in [0, 8, 1, 4] {
            let shifted = Buffer::copy_from(&[vec![0; shift], stream.clone()].concat()).slice(shift..);
            let (found, stats) = decoded(&shifted);
            assert_eq!(found, rows(&batch), "{name}, {shift}");
            if shift % 8 == 0 {
                assert_eq!(stats.n_realigned_buffers, 0, "{name}, {shift}");
            }
        }
    }
}

#[test]
fn streams_in_pieces_of_any_size_give_the_same() {
    for name in ["nested-full", "dictionary-inside-nulls", "views-nulls", "legacy-framing"] {
        let bytes = golden(&format!("pyarrow-26.0.1/{name}.arrows"));
        let rows = |batches: Vec<RecordBatch>| -> Vec<_> {
            batches.iter().flat_map(testing_support::rows).collect()
        };
        let whole: Vec<RecordBatch> = StreamReader::try_new(&*bytes).unwrap().map(Result::unwrap).collect();
        let whole = rows(whole);
        for n_max_bytes in [1, 2, 3, 7, 8, 64, 1000, 100_000] {
            let source = testing_support::ChunkedReader::new(&*bytes, n_max_bytes).interrupted(3);
            let batches = StreamReader::try_new(source).unwrap().map(Result::unwrap).collect();
            assert_eq!(rows(batches), whole, "{name} in pieces of {n_max_bytes}");
        }
    }
}

#[test]
fn bytes_after_a_stream_are_given_back() {
    let bytes = golden("pyarrow-26.0.1/integers-full.arrows");
    let mut twice = bytes.to_vec();
    twice.extend_from_slice(&bytes);
    let mut first = StreamReader::try_new(&*twice).unwrap();
    let n_rows = first.by_ref().map(|batch| batch.unwrap().n_rows()).sum::<usize>();
    assert_eq!(first.n_bytes_consumed(), bytes.len() as u64);
    let (source, rest) = first.into_inner();
    let second = StreamReader::try_resume_with(rest, source, ReadOptions::default()).unwrap();
    assert_eq!(second.map(|batch| batch.unwrap().n_rows()).sum::<usize>(), n_rows);
}

#[test]
fn readers_are_shared_between_threads() {
    let reader = FileReader::try_from_buffer(golden("pyarrow-26.0.1/many-batches.arrow")).unwrap();
    let n_rows = reader.n_rows().unwrap();
    let sum: u64 = std::thread::scope(|scope| {
        let read = |batch_idx| {
            let reader = &reader;
            scope.spawn(move || reader.batch(batch_idx).unwrap().n_rows() as u64)
        };
        let threads: Vec<_> = (0..reader.n_batches()).map(read).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(sum, n_rows);
}

#[test]
fn offered_memory_is_void_after_other_bytes() {
    let bytes = golden("pyarrow-26.0.1/integers-full.arrows");
    let (begin, rest) = (bytes.slice(..100), bytes.slice(100..));
    let mut decoder = StreamDecoder::new();
    decoder.feed(begin);
    assert!(matches!(decoder.step().unwrap(), Step::NeedBytes(_)));
    let n_offered = decoder.spare().len();
    decoder.feed(rest);
    // These are not the bytes that come next; to say that they are has no effect.
    decoder.filled(n_offered);
    let mut n_batches = 0;
    loop {
        match decoder.step().unwrap() {
            Step::NeedBytes(_) => decoder.finish_input(),
            Step::End => break,
            Step::Batch(_) => n_batches += 1,
            _ => {}
        }
    }
    assert!(n_batches > 0);
    // More than was offered cannot have been filled.
    let mut decoder = StreamDecoder::new();
    decoder.spare();
    decoder.filled(usize::MAX);
    decoder.filled(usize::MAX);
    assert!(decoder.step().is_err());
}

#[test]
fn no_bytes_are_not_the_end_of_the_input() {
    let bytes = golden("pyarrow-26.0.1/integers-full.arrows");
    let mut decoder = StreamDecoder::new();
    let mut n_batches = 0;
    let mut rest = &*bytes;
    let mut n_waits = 0;
    loop {
        match decoder.step().unwrap() {
            // A socket has nothing yet every other time.
            Step::NeedBytes(_) if n_waits % 2 == 0 => {
                n_waits += 1;
                decoder.spare();
                decoder.filled(0);
                decoder.feed(Buffer::new());
            }
            Step::NeedBytes(_) => {
                n_waits += 1;
                let n_bytes = decoder.spare().len().min(rest.len()).min(100);
                decoder.spare()[..n_bytes].copy_from_slice(&rest[..n_bytes]);
                decoder.filled(n_bytes);
                rest = &rest[n_bytes..];
            }
            Step::Batch(_) => n_batches += 1,
            Step::End => break,
            _ => {}
        }
    }
    assert!(n_batches > 0 && n_waits > 20, "{n_waits} waits");
}

#[test]
fn bytes_after_the_end_of_the_input_are_an_error() {
    let bytes = golden("pyarrow-26.0.1/integers-full.arrows");
    for n_before in [0, 3, 100, bytes.len() - 8, bytes.len()] {
        let started = || {
            let mut decoder = StreamDecoder::new();
            decoder.feed(bytes.slice(..n_before));
            decoder.finish_input();
            decoder.finish_input();
            decoder
        };
        let read = |mut decoder: StreamDecoder| loop {
            match decoder.step() {
                Ok(Step::End) => return None,
                Ok(Step::NeedBytes(_)) => panic!("the input is finished"),
                Ok(_) => {}
                Err(error) => return Some(error),
            }
        };
        let is_whole = n_before >= bytes.len() - 8;
        // No bytes are no mistake.
        let mut decoder = started();
        decoder.feed(Buffer::new());
        decoder.spare();
        decoder.filled(0);
        assert_eq!(read(decoder).is_none(), is_whole, "{n_before}");
        let mut decoder = started();
        decoder.feed(bytes.slice(n_before.min(bytes.len() - 1)..));
        let found = read(decoder).expect("bytes after the end");
        assert!(matches!(found.kind(), IpcErrorKind::InputFinished), "{found}");
        assert!(found.location().message.is_some() && found.location().byte_offset.is_some(), "{found}");
        let mut messages = Messages::new(Limits::default());
        messages.finish_input();
        messages.feed(bytes.clone());
        assert!(matches!(messages.step().unwrap_err().kind(), IpcErrorKind::InputFinished));
        assert!(matches!(messages.step().unwrap_err().kind(), IpcErrorKind::AlreadyFailed { .. }));
        let mut decoder = started();
        decoder.spare();
        decoder.filled(1);
        let found = read(decoder).expect("bytes after the end");
        assert_eq!(found.class(), ErrorClass::Misuse, "{found}");
    }
}

#[test]
fn a_source_that_reports_too_many_bytes_is_an_error() {
    struct LyingReader(u64);
    impl std::io::Read for LyingReader {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            Ok(buffer.len() + 1)
        }
    }
    impl std::io::Seek for LyingReader {
        fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
            Ok(self.0)
        }
    }
    for n_bytes in [0, 1, 100, u64::MAX] {
        let source = arrow_ipc::SeekSource::new(LyingReader(n_bytes));
        assert!(FileReader::try_new(source).is_err());
    }
}
