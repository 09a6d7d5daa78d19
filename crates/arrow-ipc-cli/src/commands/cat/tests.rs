//! Tests which rows of a file `cat` shows, and how many bytes it reads.

use std::{
    fs, io,
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FetchCost, FileReader, Projection, ReadOptions, Source};
use arrow_ipc_tools::{Rows, cursor::RowCursor};
use arrow_text::JsonWriter;

use super::{show::show_rows, *};

/// Counts the bytes that are fetched.
struct CountingSource {
    bytes: Buffer,
    n_fetched_bytes: AtomicU64,
}

impl Source for &CountingSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let bytes = self.bytes.fetch(range)?;
        self.n_fetched_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}

/// Leaks the source, because inputs require a source that lives as long as the program.
fn counting(bytes: Buffer) -> &'static CountingSource {
    Box::leak(Box::new(CountingSource { bytes, n_fetched_bytes: AtomicU64::new(0) }))
}

fn golden(case: &str) -> &'static CountingSource {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1").join(case);
    counting(fs::read(path).unwrap().into())
}

/// Runs `cat` on a file. Returns the shown rows, and the number of bytes that are read after the file is opened.
fn cat(source: &'static CountingSource, columns: &Projection, window: RowWindow) -> (Vec<String>, u64) {
    let options = ReadOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS).with_tail_bytes(10);
    let input = Input::try_new("memory", source).unwrap();
    let Rows::File { reader } = Rows::open(input).unwrap() else { panic!("a file") };
    let reader = FileReader::try_new_with(reader.source().clone(), options).unwrap();
    let reader = reader.project(columns).unwrap();
    source.n_fetched_bytes.store(0, Ordering::Relaxed);
    let mut out = Vec::new();
    let name = arrow_ipc_tools::InputName::from("memory");
    let mut printer =
        Printer::new(&Context::default(), Style::Json(JsonWriter::new(), RepeatedNames::Pairs), &mut out);
    let mut cursor = RowCursor::new(name, Rows::File { reader }, Selection::default(), window);
    show_rows(&Context::default(), &mut cursor, &mut RowsToShow { window, next_row: 0 }, &mut printer)
        .unwrap();
    drop(printer);
    let lines = String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
    (lines, source.n_fetched_bytes.load(Ordering::Relaxed))
}

fn window(offset: u64, limit: u64) -> RowWindow {
    RowWindow::new(offset, (limit < u64::MAX).then_some(limit))
}

#[test]
fn only_the_selected_batches_are_read() {
    let source = golden("many-batches.arrow");
    let all = Projection::All;
    let file = FileReader::try_new(source).unwrap();
    let n_rows: Vec<u64> = (0..file.n_batches()).map(|batch| file.n_rows_of(batch).unwrap()).collect();
    let block_bytes: Vec<[u64; 2]> = file
        .footer()
        .batches()
        .iter()
        .map(|block| [block.n_metadata_bytes(), block.n_metadata_bytes() + block.n_body_bytes()])
        .collect();
    let (everything, _) = cat(source, &all, window(0, u64::MAX));
    let total: u64 = n_rows.iter().sum();
    assert_eq!(everything.len() as u64, total);
    assert!(n_rows.len() > 3 && total > 3, "{n_rows:?}");
    for offset in 0..=total + 1 {
        for limit in [0, 1, 2, total, u64::MAX] {
            let (rows, n_read) = cat(source, &all, window(offset, limit));
            let expected = everything.iter().skip(offset as usize).take(limit.min(total) as usize);
            assert!(rows.iter().eq(expected), "offset {offset}, limit {limit}: {rows:?}");
            // The expected bytes are the metadata of the batches before the rows, and all bytes of the batches with the
            // rows.
            let mut to_skip = offset;
            let mut left = limit;
            let mut expected_bytes = 0;
            for (n_rows, [metadata_bytes, all_bytes]) in n_rows.iter().zip(&block_bytes) {
                if left == 0 {
                    break;
                }
                if to_skip > 0 {
                    expected_bytes += metadata_bytes;
                    if *n_rows <= to_skip {
                        to_skip -= n_rows;
                        continue;
                    }
                }
                expected_bytes += all_bytes;
                left -= left.min(n_rows - to_skip);
                to_skip = 0;
            }
            // Less is read if only some rows of a batch are shown.
            assert!(n_read <= expected_bytes, "offset {offset}, limit {limit}: {n_read} > {expected_bytes}");
        }
    }
}

#[test]
fn one_row_of_a_large_batch_is_few_bytes() {
    const N_ROWS: i64 = 1 << 20;
    let column = arrow_array::Int64Array::from_iter(0..N_ROWS).into_data();
    let batch = RecordBatch::try_from_columns([("n", column)]).unwrap();
    let options = arrow_ipc::WriteOptions::default();
    let mut writer = arrow_ipc::FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    let source = counting(writer.finish().unwrap().into());
    for offset in [0, 500_000, N_ROWS as u64 - 1] {
        let (rows, n_read) = cat(source, &Projection::All, window(offset, 1));
        assert_eq!(rows, [format!("{{\"n\":{offset}}}")]);
        assert!(n_read < 10_000, "{n_read} bytes");
    }
}

/// Runs `sample` for these rows of a file. Returns its output, and the number of bytes that it reads.
fn sampled(bytes: Buffer, rows: &[u64]) -> (Vec<String>, u64) {
    let source = counting(bytes);
    let input = Input::try_new("memory", source).unwrap();
    let name = input.name().clone();
    let Rows::File { reader } = Rows::open(input).unwrap() else { panic!("a file") };
    source.n_fetched_bytes.store(0, Ordering::Relaxed);
    let mut out = Vec::new();
    let mut printer =
        Printer::new(&Context::default(), Style::Json(JsonWriter::new(), RepeatedNames::Pairs), &mut out);
    printer.begin(&name, reader.schema(), Selection::default()).unwrap();
    numbered_rows::show_of_file(&Context::default(), &name, &reader, 0, rows, &mut printer).unwrap();
    drop(printer);
    let lines = String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
    (lines, source.n_fetched_bytes.load(Ordering::Relaxed))
}

#[test]
fn a_row_of_each_batch_is_few_bytes() {
    let column = |n| arrow_array::Int64Array::from_iter(0..n).into_data();
    let options = arrow_ipc::WriteOptions::default();
    let batches = [10, 1 << 20, 1 << 20].map(|n| RecordBatch::try_from_columns([("n", column(n))]).unwrap());
    let mut writer = arrow_ipc::FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let (lines, n_read) =
        sampled(writer.finish().unwrap().into(), &[3, 9, 10, 1_000_000, 1_000_001, (1 << 21) + 9]);
    let expected = ["3", "9", "0", "999990", "999991", "1048575"].map(|n| format!("{{\"n\":{n}}}"));
    assert_eq!(lines, expected);
    assert!(n_read < 20_000, "{n_read} bytes");
}

/// A large compressed batch is read once, because its buffers are decompressed as a whole.
#[test]
fn rows_of_a_large_compressed_batch_are_read_together() {
    let value = |n: i64| n.wrapping_mul(0x5851_F42D_4C95_7F2D);
    let column = arrow_array::Int64Array::from_iter((0..1 << 20).map(value)).into_data();
    let batch = RecordBatch::try_from_columns([("n", column)]).unwrap();
    let options = arrow_ipc::WriteOptions::default().with_compression(arrow_ipc::Compression::lz4());
    let mut writer = arrow_ipc::FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    let bytes = Buffer::from(writer.finish().unwrap());
    let n_bytes = bytes.len() as u64;
    assert!(n_bytes > 5 << 20, "{n_bytes}");
    let rows = [0, 7, 500_000, 1_000_000, (1 << 20) - 1];
    let (lines, n_read) = sampled(bytes, &rows);
    let expected = rows.map(|n| format!("{{\"n\":{}}}", value(n as i64)));
    assert_eq!(lines, expected);
    assert!(n_read < n_bytes + 20_000, "{n_read} of {n_bytes} bytes");
}

#[test]
fn only_the_selected_columns_are_read() {
    let source = golden("fifty-columns.arrow");
    let (everything, n_all_bytes) = cat(source, &Projection::All, window(0, u64::MAX));
    let (rows, n_read) = cat(source, &Projection::Positions(vec![20]), window(0, u64::MAX));
    assert_eq!(rows.len(), everything.len());
    let file = FileReader::try_new(source).unwrap();
    let n_metadata_bytes: u64 = file.footer().batches().iter().map(|block| block.n_metadata_bytes()).sum();
    let n_body_bytes: u64 = file.footer().batches().iter().map(|block| block.n_body_bytes()).sum();
    assert!(n_all_bytes >= n_metadata_bytes + n_body_bytes);
    let n_read_of_bodies = n_read - n_metadata_bytes;
    assert!(
        n_read_of_bodies > 0 && n_read_of_bodies < n_body_bytes / 10,
        "{n_read_of_bodies} of {n_body_bytes}"
    );
}

#[test]
fn a_stream_is_read_no_further_than_needed() {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/many-batches.arrows");
    let bytes = fs::read(path).unwrap();
    let n_bytes = bytes.len() as u64;
    let pipe = testing_support::ChunkedReader::new(io::Cursor::new(bytes), 16);
    let input = Input::try_from_reader("a pipe", pipe).unwrap();
    let mut cursor = RowCursor::open(input, &RowQuery::new(), window(1, 1)).unwrap();
    let mut out = Vec::new();
    let mut printer =
        Printer::new(&Context::default(), Style::Json(JsonWriter::new(), RepeatedNames::Pairs), &mut out);
    show_rows(
        &Context::default(),
        &mut cursor,
        &mut RowsToShow { window: window(1, 1), next_row: 0 },
        &mut printer,
    )
    .unwrap();
    drop(printer);
    assert_eq!(String::from_utf8(out).unwrap().lines().count(), 1);
    assert!(cursor.n_bytes().unwrap() < n_bytes / 2);
}

/// Counts the bytes that are read.
struct CountingReader(io::Cursor<Vec<u8>>, &'static AtomicU64);

impl io::Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.0.read(buffer)?;
        self.1.fetch_add(n_bytes as u64, Ordering::Relaxed);
        Ok(n_bytes)
    }
}

/// Runs `cat` on a file from a pipe. Returns the shown text, and the number of bytes that it reads.
fn cat_pipe(bytes: &[u8], window: RowWindow) -> (Result<String, String>, u64) {
    let n_read: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(0)));
    let input =
        Input::try_from_reader("a pipe", CountingReader(io::Cursor::new(bytes.to_vec()), n_read)).unwrap();
    let show = ShowArgs {
        files: Vec::new(),
        columns: None,
        exclude: None,
        cast: Default::default(),
        format: None,
        vertical: false,
        delimiter: None,
        index: None,
        no_header: false,
        json_pairs: false,
        csv_decimal: None,
        csv_escape_formulas: false,
        text: Default::default(),
        threads: Default::default(),
    };
    let mut out = Vec::new();
    let mut printer =
        Printer::new(&Context::default(), Style::Json(JsonWriter::new(), RepeatedNames::Pairs), &mut out);
    let mut left = RowsToShow { window, next_row: window.first() };
    let shown = show_input(&Context::default(), input, &show.query(), &mut left, &mut printer, None);
    drop(printer);
    let text = shown.map_err(|failure| failure.to_string()).map(|_| String::from_utf8(out).unwrap());
    (text, n_read.load(Ordering::Relaxed))
}

/// A file from a pipe is read to its end, because its footer says which rows it has.
#[test]
fn a_piped_file_without_footer_shows_no_rows() {
    let bytes =
        fs::read(testing_support::corpus_dir().join("golden/pyarrow-26.0.1/many-batches.arrow")).unwrap();
    let (text, n_read) = cat_pipe(&bytes, window(1, 1));
    assert_eq!((text.unwrap().lines().count(), n_read), (1, bytes.len() as u64));
    let error = cat_pipe(&bytes[..bytes.len() - 1], window(0, 1)).0.unwrap_err();
    assert!(error.contains("ARROW1"), "{error}");
}

/// `cat` shows the same rows of a file from a pipe as of a file that is read by position.
#[test]
fn piped_files_have_the_rows_of_their_footers() {
    let golden = testing_support::corpus_dir().join("golden");
    for path in testing_support::files_below(&golden, ".arrow").into_iter().step_by(7) {
        let bytes = fs::read(&path).unwrap();
        let source = counting(bytes.clone().into());
        for (offset, limit) in [(0, 3), (2, 1), (0, 1000)] {
            let (expected, _) = cat(source, &Projection::All, window(offset, limit));
            let (text, _) = cat_pipe(&bytes, window(offset, limit));
            assert!(text.unwrap().lines().eq(expected), "{}", path.display());
        }
    }
}
