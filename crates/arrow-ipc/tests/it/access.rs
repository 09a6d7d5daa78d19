//! What reading touches: no byte that was not asked for, no copy that is not needed.

use std::{
    fs,
    ops::Range,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    FileReader, Projection, ReadOptions, ReadStats, Source, Step, StreamDecoder, StreamReader, StreamWriter,
    WriteOptions,
};
use arrow_schema::{Field, Schema};
use testing_support::{Generator, Nulls, Value, all_types, rows};

/// Remembers which ranges were asked for.
#[derive(Clone, Debug)]
struct Recorder {
    bytes: Buffer,
    ranges: Arc<Mutex<Vec<Range<u64>>>>,
    n_requests: Arc<AtomicUsize>,
}

impl Source for Recorder {
    fn n_bytes(&self) -> std::io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> std::io::Result<Buffer> {
        self.ranges.lock().unwrap().push(range.clone());
        self.bytes.fetch(range)
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> std::io::Result<Vec<Buffer>> {
        self.n_requests.fetch_add(1, Ordering::Relaxed);
        ranges.iter().map(|range| self.fetch(range.clone())).collect()
    }
}

impl Recorder {
    fn take_ranges(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut *self.ranges.lock().unwrap())
    }

    fn take_bytes(&self) -> u64 {
        self.take_ranges().into_iter().map(|range| range.end - range.start).sum()
    }

    /// How often bytes were asked for, of any number of ranges at once.
    fn take_requests(&self) -> usize {
        self.n_requests.swap(0, Ordering::Relaxed)
    }
}

fn golden(name: &str) -> Buffer {
    let path = testing_support::corpus_dir().join("golden").join(name);
    Buffer::from(fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Opens a file and asks for no more of its end than has to be.
fn open(name: &str) -> (Recorder, FileReader<Recorder>) {
    open_with(name, ReadOptions::default().with_merge_gap_bytes(0).with_tail_bytes(0))
}

fn open_with(name: &str, options: ReadOptions) -> (Recorder, FileReader<Recorder>) {
    let source = Recorder { bytes: golden(name), ranges: Arc::default(), n_requests: Arc::default() };
    let reader = FileReader::from_source(source.clone(), options).unwrap();
    (source, reader)
}

#[test]
fn opening_reads_both_ends_and_the_footer() {
    let (source, reader) = open("pyarrow-26.0.1/fifty-columns.arrow");
    let n_bytes = source.bytes.len() as u64;
    assert_eq!(source.take_bytes(), 8 + 10 + (n_bytes - 10 - reader.footer().position()));
    assert_eq!(reader.n_batches(), reader.footer().batches().len());
    assert_eq!(source.take_bytes(), 0);
}

#[test]
fn the_end_of_a_file_comes_with_one_request() {
    let name = "pyarrow-26.0.1/fifty-columns.arrow";
    let n_bytes = golden(name).len() as u64;
    let footer_bytes = n_bytes - FileReader::from_buffer(golden(name)).unwrap().footer().position();
    // The whole of a small file; nothing is asked for after that.
    let (source, reader) = open_with(name, ReadOptions::default().with_tail_bytes(n_bytes));
    assert_eq!(source.take_ranges(), std::slice::from_ref(&(0..n_bytes)));
    assert!(reader.batches().all(|batch| batch.is_ok()) && reader.n_rows().is_ok());
    assert_eq!(source.take_ranges(), []);
    // As much of a large one as is asked for, from where memory is aligned.
    let options = || ReadOptions::default().with_merge_gap_bytes(0);
    let (source, _) = open_with(name, options().with_tail_bytes(footer_bytes));
    let tail = (n_bytes - footer_bytes) / 64 * 64;
    assert_eq!(source.take_ranges(), [0..8, tail..n_bytes]);
    // The footer is longer than the end that was read: the rest of it is asked for.
    let (source, _) = open_with(name, options().with_tail_bytes(footer_bytes / 2));
    let tail = (n_bytes - footer_bytes / 2) / 64 * 64;
    assert_eq!(source.take_ranges(), [0..8, tail..n_bytes, n_bytes - footer_bytes..tail]);
}

#[test]
fn metadata_that_was_read_is_not_asked_for_again() {
    let (source, reader) = open("pyarrow-26.0.1/many-batches.arrow");
    let blocks = reader.footer().batches().to_vec();
    let metadata: u64 = blocks.iter().map(|block| block.n_metadata_bytes()).sum();
    source.take_bytes();
    reader.n_rows().unwrap();
    assert_eq!(source.take_bytes(), metadata);
    let last = reader.project(&Projection::Positions(vec![])).unwrap();
    assert!(reader.n_rows().is_ok() && last.batches().all(|batch| batch.is_ok()));
    assert_eq!(source.take_bytes(), 0);
    reader.batch(0).unwrap();
    assert_eq!(source.take_bytes(), blocks[0].n_body_bytes());
    // Unless there is no room to keep it.
    let options =
        ReadOptions::default().with_merge_gap_bytes(0).with_tail_bytes(0).with_kept_metadata_bytes(0);
    let (source, reader) = open_with("pyarrow-26.0.1/many-batches.arrow", options);
    source.take_bytes();
    for _ in 0..2 {
        reader.n_rows().unwrap();
        assert_eq!(source.take_bytes(), metadata);
    }
}

#[test]
fn what_is_known_to_be_needed_is_asked_for_at_once() {
    let (source, reader) = open("pyarrow-26.0.1/every-type-one-row.arrow");
    let n_dictionaries = reader.footer().dictionaries().len();
    assert!(n_dictionaries > 1);
    source.take_requests();
    reader.batch(0).unwrap();
    // The block with the metadata of all dictionaries, then their bodies; not one after the other.
    assert_eq!(source.take_requests(), 2);
    reader.batch(0).unwrap();
    assert_eq!(source.take_requests(), 1);
    let plain = reader.project(&Projection::Positions(vec![0])).unwrap();
    plain.batch(0).unwrap();
    assert!(source.take_requests() <= 1);
}

#[test]
fn a_batch_reads_its_block_once() {
    let (source, reader) = open("pyarrow-26.0.1/many-batches.arrow");
    source.take_bytes();
    for batch_idx in 0..reader.n_batches() {
        reader.batch(batch_idx).unwrap();
        let block = reader.footer().batches()[batch_idx];
        assert_eq!(source.take_bytes(), block.n_metadata_bytes() + block.n_body_bytes());
    }
}

#[test]
fn a_projection_reads_the_metadata_and_its_columns() {
    let (_, reader) = open("pyarrow-26.0.1/fifty-columns.arrow");
    let all = reader.batch(0).unwrap();
    let block = reader.footer().batches()[0];
    for position in 0..all.n_columns() {
        // Nothing of the block has been read.
        let (source, reader) = open("pyarrow-26.0.1/fifty-columns.arrow");
        source.take_bytes();
        let column = reader.project(&Projection::Positions(vec![position])).unwrap();
        let batch = column.batch(0).unwrap();
        assert_eq!(batch.n_columns(), 1);
        let body_bytes = source.take_bytes() - block.n_metadata_bytes();
        assert!(body_bytes * 10 < block.n_body_bytes(), "{body_bytes} of {}", block.n_body_bytes());
        assert_eq!(
            testing_support::values(&batch.columns()[0]),
            testing_support::values(&all.columns()[position])
        );
    }
}

#[test]
fn counting_rows_reads_no_body() {
    let (source, reader) = open("pyarrow-26.0.1/many-batches.arrow");
    source.take_bytes();
    let n_rows = reader.n_rows().unwrap();
    let metadata: u64 = reader.footer().batches().iter().map(|block| block.n_metadata_bytes()).sum();
    assert_eq!(source.take_bytes(), metadata);
    assert_eq!(reader.batches().map(|batch| batch.unwrap().n_rows() as u64).sum::<u64>(), n_rows);
}

#[test]
fn dictionaries_are_read_when_a_column_needs_them() {
    let (source, reader) = open("pyarrow-26.0.1/every-type-one-row.arrow");
    source.take_bytes();
    let schema = Arc::clone(reader.schema());
    let dictionary_blocks: Vec<Range<u64>> = {
        let blocks = reader.footer().dictionaries().iter();
        blocks
            .map(|block| block.position()..block.position() + block.n_metadata_bytes() + block.n_body_bytes())
            .collect()
    };
    assert!(!dictionary_blocks.is_empty());
    let touches = |range: &Range<u64>| dictionary_blocks.iter().any(|block| block.contains(&range.start));
    for (position, field) in schema.fields().iter().enumerate() {
        let column = reader.project(&Projection::Positions(vec![position])).unwrap();
        column.batch(0).unwrap();
        let ranges = source.take_ranges();
        if !field.data_type().to_string().contains("dictionary") {
            assert!(!ranges.iter().any(touches), "{field}");
        }
    }
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
        let mut decoder = StreamDecoder::new(ReadOptions::default());
        decoder.feed(bytes.clone());
        decoder.end_of_input();
        loop {
            match decoder.step().unwrap() {
                Step::Batch(batch, _) => assert_inside(&batch, &bytes, &path.to_string_lossy()),
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
    let reader = FileReader::from_buffer(bytes.clone()).unwrap();
    for batch in reader.batches() {
        assert_inside(&batch.unwrap(), bytes, &path.to_string_lossy());
    }
    assert_eq!(reader.stats(), ReadStats::default(), "{}", path.display());
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
    let reader = FileReader::from_buffer(file).unwrap();
    let n_rows: usize = reader.batches().map(|batch| batch.unwrap().n_rows()).sum();
    let stats = reader.stats();
    assert!(n_rows > 0 && stats.n_repaired_buffers > 0 && stats.n_repaired_bytes > 0, "{stats:?}");
    assert_eq!((stats.n_realigned_buffers, stats.n_gathered_bytes), (0, 0), "{stats:?}");
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
    let mut decoder = StreamDecoder::new(ReadOptions::default());
    decoder.feed(stream.clone());
    decoder.end_of_input();
    let mut found = Vec::new();
    loop {
        match decoder.step().unwrap() {
            Step::Batch(batch, _) => found.extend(rows(&batch)),
            Step::End => return (found, decoder.stats()),
            _ => {}
        }
    }
}

/// What others write begins at multiples of 64 or of 8, and lies in memory as it comes.
#[test]
fn every_type_is_read_wherever_its_buffers_lie() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = Schema::new([Field::new("column", data_type)]);
        let batch = Generator::new(seed as u64).batch(&schema, 70, Nulls::Some);
        let mut writer = StreamWriter::new(Vec::new(), batch.schema(), WriteOptions::default()).unwrap();
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
        let whole: Vec<RecordBatch> = StreamReader::new(&*bytes).unwrap().map(Result::unwrap).collect();
        let whole = rows(whole);
        for n_max_bytes in [1, 2, 3, 7, 8, 64, 1000, 100_000] {
            let source = testing_support::ChunkedReader::new(&*bytes, n_max_bytes).interrupted(3);
            let batches = StreamReader::new(source).unwrap().map(Result::unwrap).collect();
            assert_eq!(rows(batches), whole, "{name} in pieces of {n_max_bytes}");
        }
    }
}

#[test]
fn bytes_behind_a_stream_are_given_back() {
    let bytes = golden("pyarrow-26.0.1/integers-full.arrows");
    let mut twice = bytes.to_vec();
    twice.extend_from_slice(&bytes);
    let mut first = StreamReader::new(&*twice).unwrap();
    let n_rows = first.by_ref().map(|batch| batch.unwrap().n_rows()).sum::<usize>();
    assert_eq!(first.n_bytes_consumed(), bytes.len() as u64);
    let (source, rest) = first.into_inner();
    let second = StreamReader::after(rest, source, ReadOptions::default()).unwrap();
    assert_eq!(second.map(|batch| batch.unwrap().n_rows()).sum::<usize>(), n_rows);
}

#[test]
fn readers_are_shared_between_threads() {
    let reader = FileReader::from_buffer(golden("pyarrow-26.0.1/many-batches.arrow")).unwrap();
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
fn a_place_that_was_offered_is_void_after_other_bytes() {
    let bytes = golden("pyarrow-26.0.1/integers-full.arrows");
    let (begin, rest) = (bytes.slice(..100), bytes.slice(100..));
    let mut decoder = StreamDecoder::new(ReadOptions::default());
    decoder.feed(begin);
    assert!(matches!(decoder.step().unwrap(), Step::NeedBytes(_)));
    let n_offered = decoder.spare().len();
    decoder.feed(rest);
    // These are not the bytes that come next; to say that they are has no effect.
    decoder.filled(n_offered);
    let mut n_batches = 0;
    loop {
        match decoder.step().unwrap() {
            Step::NeedBytes(_) => decoder.end_of_input(),
            Step::End => break,
            Step::Batch(..) => n_batches += 1,
            _ => {}
        }
    }
    assert!(n_batches > 0);
    // More than was offered cannot have been filled.
    let mut decoder = StreamDecoder::new(ReadOptions::default());
    decoder.spare();
    decoder.filled(usize::MAX);
    decoder.filled(usize::MAX);
    assert!(decoder.step().is_err());
}

#[test]
fn a_source_that_claims_too_much_is_an_error() {
    struct Boaster(u64);
    impl std::io::Read for Boaster {
        fn read(&mut self, place: &mut [u8]) -> std::io::Result<usize> {
            Ok(place.len() + 1)
        }
    }
    impl std::io::Seek for Boaster {
        fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
            Ok(self.0)
        }
    }
    for n_bytes in [0, 1, 100, u64::MAX] {
        let source = arrow_ipc::SeekSource::new(Boaster(n_bytes));
        assert!(FileReader::from_source(source, ReadOptions::default()).is_err());
    }
}
