//! Tests outputs that fail.

use std::{
    io::{self, Seek, SeekFrom, Write},
    ops::Range,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, FileAppender, FileReader, FileWriter, IpcError, Source, StreamReader, StreamWriter,
    WriteOptions, WrittenContainer, file::AppendFile,
};
use arrow_ipc_async::{AsyncFileWriter, AsyncStreamWriter};
use arrow_ipc_tensor::{Tensor, TensorWriter};
use arrow_ipc_tools::{ConvertOptions, Input, RecoverOptions, convert, recover};
use arrow_schema::DataType;
use mutants::drive;
use testing_support::Hunt;
use tokio::io::AsyncWrite;

use super::{CASES, FAULTS, Fault, golden, positions, same};

/// A file or pipe to which writing fails at some byte. Clones share their content.
#[derive(Debug, Clone)]
struct Sink {
    inner: Arc<Mutex<Inner>>,
    position: usize,
}

#[derive(Debug)]
struct Inner {
    bytes: Vec<u8>,
    fault: Fault,
    at: usize,
    /// The number of bytes that were written so far. A file may be written in any order.
    n_written: usize,
    n_met: usize,
    n_calls: usize,
}

impl Sink {
    fn new(bytes: Vec<u8>, fault: Fault, at: usize) -> Sink {
        let inner = Inner { bytes, fault, at, n_written: 0, n_met: 0, n_calls: 0 };
        Sink { inner: Arc::new(Mutex::new(inner)), position: 0 }
    }

    fn bytes(&self) -> Vec<u8> {
        self.inner.lock().expect("no panic").bytes.clone()
    }

    fn n_calls(&self) -> usize {
        self.inner.lock().expect("no panic").n_calls
    }
}

impl Write for Sink {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let mut inner = self.inner.lock().expect("no panic");
        inner.n_calls += 1;
        let (fault, at, n_written) = (inner.fault, inner.at, inner.n_written);
        let n_bytes = fault.apply(at, n_written, from.len(), &mut inner.n_met)?;
        let end = self.position + n_bytes;
        if inner.bytes.len() < end {
            inner.bytes.resize(end, 0);
        }
        inner.bytes[self.position..end].copy_from_slice(&from[..n_bytes]);
        inner.n_written += n_bytes;
        self.position = end;
        Ok(n_bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsyncWrite for Sink {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.write(from))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(position) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.position = position as usize;
        Ok(position)
    }
}

impl Source for Sink {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.inner.lock().expect("no panic").bytes.len() as u64)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let inner = self.inner.lock().expect("no panic");
        let found = inner.bytes.get(range.start as usize..range.end as usize);
        found.map(Buffer::copy_from).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl AppendFile for Sink {
    fn set_len(&mut self, n_bytes: u64) -> io::Result<()> {
        self.inner.lock().expect("no panic").bytes.resize(n_bytes as usize, 0);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A way to write batches. It returns the error, if there is one. After a failed write, finishing must also fail.
type WriteAll = fn(Sink, &[RecordBatch]) -> Result<(), String>;

const SHELLS: [(&str, WriteAll); 7] = [
    ("StreamWriter", stream),
    ("FileWriter", file),
    ("AsyncStreamWriter", async_stream),
    ("AsyncFileWriter", async_file),
    ("TensorWriter", tensors),
    ("convert", converted),
    ("recover", recovered),
];

fn options() -> WriteOptions {
    WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Checks the results of writes and of finishing: after the first failure, everything must fail.
fn judged(written: Vec<Result<(), IpcError>>, finished: Result<(), IpcError>) -> Result<(), String> {
    if let Some(first) = written.iter().position(Result::is_err) {
        assert!(written[first..].iter().all(Result::is_err), "a write succeeds after one that failed");
        assert!(finished.is_err(), "the end succeeds after a write that failed");
    }
    written.into_iter().collect::<Result<Vec<()>, _>>().and(finished).map_err(text)
}

fn stream(sink: Sink, batches: &[RecordBatch]) -> Result<(), String> {
    let mut writer = StreamWriter::try_new_with(sink, batches[0].schema(), options()).map_err(text)?;
    let written = batches.iter().map(|batch| writer.write(batch)).collect();
    judged(written, writer.finish().map(drop))
}

fn file(sink: Sink, batches: &[RecordBatch]) -> Result<(), String> {
    let mut writer = FileWriter::try_new_with(sink, batches[0].schema(), options()).map_err(text)?;
    let written = batches.iter().map(|batch| writer.write(batch)).collect();
    judged(written, writer.finish().map(drop))
}

fn async_stream(sink: Sink, batches: &[RecordBatch]) -> Result<(), String> {
    let mut writer = AsyncStreamWriter::try_new_with(sink, batches[0].schema(), options()).map_err(text)?;
    let written = batches.iter().map(|batch| drive(writer.write(batch))).collect();
    judged(written, drive(writer.finish()).map(drop))
}

fn async_file(sink: Sink, batches: &[RecordBatch]) -> Result<(), String> {
    let mut writer = AsyncFileWriter::try_new_with(sink, batches[0].schema(), options()).map_err(text)?;
    let written = batches.iter().map(|batch| drive(writer.write(batch))).collect();
    judged(written, drive(writer.finish()).map(drop))
}

fn tensors(sink: Sink, _: &[RecordBatch]) -> Result<(), String> {
    let values = Buffer::from((0..60).collect::<Vec<i32>>());
    let tensor = Tensor::try_new(DataType::Int32, [6_u64, 10], values).map_err(text)?;
    let mut writer = TensorWriter::new(sink);
    let written = (0..3).map(|_| writer.write(&tensor)).collect();
    judged(written, writer.finish().map(drop))
}

fn bytes_of(batches: &[RecordBatch]) -> Buffer {
    FileWriter::write_to_buffer_with(batches[0].schema(), batches, options()).expect("golden")
}

fn converted(sink: Sink, batches: &[RecordBatch]) -> Result<(), String> {
    let input = Input::try_from_buffer("input", bytes_of(batches)).map_err(text)?;
    convert(input, sink, &ConvertOptions::new(WrittenContainer::Stream), &mut ()).map(drop).map_err(text)
}

fn recovered(sink: Sink, batches: &[RecordBatch]) -> Result<(), String> {
    let input = Input::from_damaged("input", bytes_of(batches));
    recover(input, sink, &RecoverOptions::new(WrittenContainer::File), &mut ()).map(drop).map_err(text)
}

fn batches_of(case: &str) -> Vec<RecordBatch> {
    let reader = StreamReader::try_new(&*golden(case, "arrows")).map(Iterator::collect::<Result<Vec<_>, _>>);
    let batches = reader.expect("golden").expect("golden");
    batches.iter().map(|batch| batch.slice(0, batch.n_rows().min(10))).collect()
}

#[test]
fn outputs_that_fail_are_errors_and_hold_a_start() {
    for (number, case) in CASES.iter().enumerate() {
        let batches = batches_of(case);
        for (name, write) in SHELLS {
            let sink = Sink::new(Vec::new(), Fault::Short, usize::MAX);
            write(sink.clone(), &batches).unwrap_or_else(|error| panic!("{case}, {name}: {error}"));
            let expected = sink.bytes();
            for (turn, at) in positions(expected.len() - 1, 14, number).enumerate() {
                for fault in Hunt::from_env().some_of(&FAULTS, 2, turn) {
                    let what = || format!("{name}, {case}, {fault:?} at byte {at} of {}", expected.len());
                    let sink = Sink::new(Vec::new(), *fault, at);
                    let result = write(sink.clone(), &batches);
                    assert_eq!(result.is_ok(), fault.is_harmless(), "{}: {result:?}", what());
                    let written = sink.bytes();
                    let n_bytes = if fault.is_harmless() { expected.len() } else { at };
                    assert!(written == expected[..n_bytes], "{}: {} bytes", what(), written.len());
                }
            }
        }
    }
}

/// A writer that is dropped writes nothing and does not panic, whether it has failed before or not.
#[test]
fn dropped_writers_are_silent() {
    let batches = batches_of("structs-full");
    for at in [100, usize::MAX] {
        let sinks = [(); 2].map(|()| Sink::new(Vec::new(), Fault::Failure, at));
        let mut stream = StreamWriter::try_new_with(sinks[0].clone(), batches[0].schema(), options());
        let mut file = FileWriter::try_new_with(sinks[1].clone(), batches[0].schema(), options());
        let _ = stream.as_mut().map(|writer| writer.write(&batches[0]));
        let _ = file.as_mut().map(|writer| writer.write(&batches[0]));
        let before = sinks.each_ref().map(|sink| (sink.n_calls(), sink.bytes()));
        drop((stream, file));
        assert!(before == sinks.each_ref().map(|sink| (sink.n_calls(), sink.bytes())));
    }
}

/// A file to which batches are appended keeps its old batches and those that were flushed, whatever fails.
#[test]
fn appending_keeps_what_was_there() {
    for (number, case) in CASES.iter().enumerate() {
        let batches = batches_of(case);
        let old = bytes_of(&batches).to_vec();
        let append = |sink: &Sink| -> Result<(), IpcError> {
            let mut appender = FileAppender::try_new_with(sink.clone(), options())?;
            for batch in &batches {
                appender.write(batch)?;
                appender.flush()?;
            }
            appender.finish().map(drop)
        };
        let whole = Sink::new(old.clone(), Fault::Short, usize::MAX);
        append(&whole).unwrap_or_else(|error| panic!("{case}: {error}"));
        let n_written = whole.inner.lock().expect("no panic").n_written;
        for (turn, at) in positions(n_written - 1, 14, number).enumerate() {
            for fault in Hunt::from_env().some_of(&FAULTS, 2, turn) {
                let what = || format!("{case}, {fault:?} at byte {at} of {n_written}");
                let sink = Sink::new(old.clone(), *fault, at);
                let result = append(&sink);
                assert_eq!(result.is_ok(), fault.is_harmless(), "{}: {result:?}", what());
                if fault.is_harmless() {
                    assert!(sink.bytes() == whole.bytes(), "{}", what());
                    continue;
                }
                // As after a crash: what opens it again finds the last complete footer.
                let again = Sink::new(sink.bytes(), Fault::Short, usize::MAX);
                let repaired =
                    FileAppender::try_new_with(again.clone(), options()).and_then(FileAppender::finish);
                repaired.unwrap_or_else(|error| panic!("{}: {error}", what()));
                let reader =
                    FileReader::try_from_buffer(Buffer::from(again.bytes())).expect("it was repaired");
                let found: Vec<_> = reader.batches().collect::<Result<_, _>>().expect("all are whole");
                let expected: Vec<_> = batches.iter().chain(&batches).cloned().collect();
                assert!(found.len() >= batches.len(), "{}: {} batches", what(), found.len());
                assert!(same(&found, &expected[..found.len()]), "{}: other rows", what());
            }
        }
    }
}
