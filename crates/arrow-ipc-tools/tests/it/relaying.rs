//! Conversions that decode nothing. The output equals the input, and checks find invalid content unless they are
//! turned off.

use std::{
    fs,
    io::{self, Write},
    num::NonZero,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use arrow_array::Int64Array;
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{Compression, FetchCost, FileWriter, Source, WriteOptions, WrittenContainer};
use arrow_ipc_tools::{
    ConvertOptions, DiffOptions, Difference, Input, RowWindow, ToolErrorKind, ValidateOptions, convert, diff,
    validate,
};
use arrow_schema::DataType;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use testing_support::{Hunt, batch_of, corpus_dir, files_below};

use crate::samples::{file, ids, stream};

fn input(bytes: &[u8]) -> Input {
    Input::try_from_buffer("memory", bytes.to_vec().into()).unwrap()
}

fn written(bytes: &[u8], options: &ConvertOptions) -> Result<Vec<u8>, ToolErrorKind> {
    let converted = Input::try_from_buffer("memory", bytes.to_vec().into())
        .and_then(|input| convert(input, Vec::new(), options, &mut ()));
    converted.map(|(bytes, _)| bytes).map_err(|error| error.into_kind())
}

fn ways() -> Vec<ConvertOptions> {
    let forms = [None, Some(Compression::lz4()), Some(Compression::zstd())];
    let forms = forms.map(|compression| WriteOptions::new().with_compression(compression));
    let targets = [WrittenContainer::Stream, WrittenContainer::File];
    let ways = targets.map(|container| {
        forms.clone().map(|form| ConvertOptions { writing: Some(form), ..ConvertOptions::new(container) })
    });
    ways.into_iter().flatten().collect()
}

/// The values of golden files of all producers stay equal. The output has the same bytes with and without checks.
#[test]
fn golden_files_are_converted_by_value() {
    let hunt = Hunt::from_env();
    let mut n_converted = 0;
    let files =
        [".arrow", ".arrows"].map(|suffix| files_below(&corpus_dir().join("golden"), suffix)).concat();
    for (case, path) in files.into_iter().enumerate() {
        let bytes = fs::read(&path).unwrap();
        for way in hunt.some_of(&ways(), 1, case) {
            let name = path.display();
            let output = match written(&bytes, way) {
                // A file cannot have a dictionary that changes.
                Err(ToolErrorKind::Output(_)) => continue,
                output => output.unwrap_or_else(|error| panic!("{name}: {error:?}")),
            };
            assert!(
                written(&bytes, &ConvertOptions { checks_values: false, ..way.clone() })
                    .is_ok_and(|bytes| bytes == output),
                "{name}"
            );
            let mut found: Vec<Difference> = Vec::new();
            // The metadata of this file does not fit a stream.
            if path.ends_with("row-counts.arrow") {
                continue;
            }
            let summary = diff(input(&bytes), input(&output), &DiffOptions::new(), &mut found).unwrap();
            assert!(summary.is_same == Some(true), "{name}: {found:?}");
            n_converted += 1;
        }
    }
    assert!(n_converted > 250, "{n_converted}");
}

/// An error has the same position, whether only the divided batches or all batches are decoded.
#[test]
fn errors_of_cut_streams_have_a_location() {
    let mut n_compared = 0;
    for path in files_below(&corpus_dir().join("hostile"), ".stream") {
        let bytes = fs::read(&path).unwrap();
        for rows in [0..1, 1..2, 0..1000] {
            let rows = RowWindow::from_rows(rows);
            let n_rows = NonZero::new(2).unwrap();
            let options = [
                ConvertOptions::copying(WrittenContainer::Stream),
                ConvertOptions::new(WrittenContainer::Stream),
            ];
            let output = options.map(|options| {
                let options = ConvertOptions { rows, n_batch_rows: Some(n_rows), ..options };
                let input = Input::try_from_buffer("memory", bytes.clone().into());
                let output = input.and_then(|input| convert(input, Vec::new(), &options, &mut ()));
                output.map_err(|error| error.to_string())
            });
            // An undivided batch is not decoded.
            if let [Err(relayed), Err(decoded)] = output
                && !relayed.contains(": no row ")
            {
                // An error of a header names no field.
                let [location, other] = [&relayed, &decoded].map(|error| error.split([',', ':']).nth(1));
                assert_eq!(location, other, "{}, {rows:?}: {relayed}", path.display());
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 200, "{n_compared}");
}

/// A conversion refuses invalid content, or its output is invalid, too.
#[test]
fn hostile_files_are_refused_or_stay_what_they_are() {
    let hunt = Hunt::from_env();
    let (mut n_refused, mut n_repaired) = (0, 0);
    let folder = corpus_dir().join("hostile");
    let files = [".stream", ".arrow_file"].map(|suffix| files_below(&folder, suffix)).concat();
    for (case, path) in files.into_iter().enumerate() {
        let (bytes, name) = (fs::read(&path).unwrap(), path.display());
        for way in hunt.some_of(&ways(), 1, case) {
            let checked = written(&bytes, way);
            match (checked, written(&bytes, &ConvertOptions { checks_values: false, ..way.clone() })) {
                (Ok(checked), unchecked) => {
                    assert!(unchecked.is_ok_and(|unchecked| unchecked == checked), "{name}");
                }
                (Err(_), Err(_)) => n_refused += 1,
                (Err(_), Ok(repaired)) => {
                    let verdict = validate(input(&repaired), &ValidateOptions::new(), &mut ());
                    // A conversion drops false row counts of the footer. These inputs have no other error.
                    let is_mended = name.to_string().contains("/file-row-counts-");
                    assert_eq!(verdict.is_ok(), is_mended, "{name}");
                    n_repaired += 1;
                }
            }
        }
    }
    assert!(n_refused > 100 && n_repaired > 50, "{n_refused}, {n_repaired}");
}

/// Counts the bytes that are fetched.
#[derive(Clone)]
struct Counted {
    bytes: Buffer,
    n_fetched: Arc<AtomicU64>,
}

impl Source for Counted {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_fetched.fetch_add(range.end.saturating_sub(range.start), Ordering::Relaxed);
        self.bytes.fetch(range)
    }
}

/// A conversion checks the bytes that it writes. It reads only the first bytes, the footer and the metadata of a file
/// twice.
#[test]
fn files_are_read_once_to_be_checked_and_written() {
    let batches = [ids(0..200_000), ids(7..150_000), ids([1])];
    for from in &ways()[3..] {
        let bytes = written(&file(&batches), from).unwrap();
        for to in ways() {
            let n_fetched = Arc::default();
            let counted = Counted { bytes: bytes.clone().into(), n_fetched: Arc::clone(&n_fetched) };
            let input = Input::try_new("counted", counted).unwrap();
            let (output, _) = convert(input, Vec::new(), &to, &mut ()).unwrap();
            assert!(written(&bytes, &to).is_ok_and(|expected| expected == output));
            let (n_fetched, most) = (n_fetched.load(Ordering::Relaxed), bytes.len() as u64 + (256 << 10));
            assert!(n_fetched <= most, "{n_fetched} bytes of {}", bytes.len());
        }
    }
}

/// All threads of a pool convert at the same time, and share work with each other.
#[test]
fn threads_of_a_pool_convert_without_waiting_for_each_other() {
    let (done, finished) = mpsc::channel();
    let worker = thread::spawn(move || {
        // These batches are so large that threads share the buffers.
        let column = |first: i64| Int64Array::from_iter(first..first + 70_000).into();
        let batch = RecordBatch::try_from_columns([("a", column(0)), ("b", column(7))]).unwrap();
        let batches = [batch.slice(0, 1), batch];
        let inputs = [stream(&batches), file(&batches)];
        let all = ways().len() * rayon::current_num_threads();
        (0..all).into_par_iter().for_each(|number| {
            let way = &ways()[number % ways().len()];
            let there = written(&inputs[number % 2], way).unwrap();
            assert_eq!(written(&inputs[1 - number % 2], way).unwrap(), there);
        });
        // After the timeout, nobody receives this message.
        let _ = done.send(());
    });
    let found = finished.recv_timeout(Duration::from_secs(120));
    assert_ne!(found, Err(mpsc::RecvTimeoutError::Timeout), "the threads wait for each other");
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// The output of an invalid input has no end marker or footer.
#[test]
fn invalid_values_leave_an_output_without_its_end() {
    struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let bytes = fs::read(corpus_dir().join("hostile/utf8-invalid.stream")).unwrap();
    for container in [WrittenContainer::Stream, WrittenContainer::File] {
        let sink = std::rc::Rc::default();
        let options = ConvertOptions::new(container);
        let converted = convert(input(&bytes), Shared(std::rc::Rc::clone(&sink)), &options, &mut ());
        let error = converted.err().expect("the text is not UTF-8");
        assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{error}");
        let written = sink.borrow();
        assert!(!written.ends_with(b"ARROW1") && !written.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    }
}

/// The output equals the output of a writer, with another codec or in the other container.
#[test]
fn conversions_there_and_back_change_nothing() {
    let batches = [ids(0..50_000), ids([1])];
    for (from, to) in [(stream(&batches), WrittenContainer::Stream), (file(&batches), WrittenContainer::File)]
    {
        for way in ways() {
            let there = written(&from, &way).unwrap();
            assert!(written(&there, &ConvertOptions::new(to)).is_ok_and(|back| back == from));
        }
    }
}

/// A remote file, which counts the bytes that are fetched.
#[derive(Clone)]
struct Far {
    bytes: Buffer,
    n_fetched: Arc<AtomicU64>,
}

impl Source for Far {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_fetched.fetch_add(range.end - range.start, Ordering::Relaxed);
        self.bytes.fetch(range)
    }

    fn fetch_cost(&self) -> FetchCost {
        FetchCost::OBJECT_STORE
    }
}

/// An output that takes five seconds for a gibibyte. Fetching takes no time.
struct Slow {
    n_written: u64,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.n_written += bytes.len() as u64;
        thread::sleep(Duration::from_micros(bytes.len() as u64 / 200));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes that were fetched for the check are not fetched again for writing, although the next batch has replaced them
/// in memory.
#[test]
fn long_batches_that_are_far_are_fetched_once() {
    const N_BYTES: usize = 36 << 20;
    let buffers = [Buffer::zeroed(N_BYTES), Buffer::new()];
    let numbers = ArrayParts { buffers, ..ArrayParts::new(DataType::Int8, N_BYTES) };
    let batch = batch_of(ArrayData::try_new(numbers).unwrap());
    let bytes = FileWriter::write_to_vec(batch.schema(), &[batch.clone(), batch.clone(), batch.clone()]);
    let file = Far { bytes: bytes.unwrap().into(), n_fetched: Arc::default() };
    let sink = Slow { n_written: 0 };
    let input = Input::try_new("far", file.clone()).unwrap();
    let (sink, _) = convert(input, sink, &ConvertOptions::new(WrittenContainer::Stream), &mut ()).unwrap();
    assert!(sink.n_written > 3 * N_BYTES as u64);
    let (n_fetched, n_bytes) = (file.n_fetched.load(Ordering::Relaxed), file.bytes.len() as u64);
    assert!(n_fetched < n_bytes + (1 << 20), "{n_fetched} of {n_bytes}");
}
