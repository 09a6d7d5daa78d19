//! Mutated files and streams, read and then used in every way there is: written again whole and in slices, as typed
//! arrays, as JSON and as a table, checked strictly. There is never a panic, and what was checked reads back equal.

use std::{fmt::Write, fs, panic::AssertUnwindSafe};

use arrow_array::AnyArray;
use arrow_buffer::Buffer;
use arrow_data::{RecordBatch, Validation};
use arrow_ipc::{FileReader, ReadOptions, StreamReader, StreamWriter};
use arrow_text::{JsonRows, TableOptions, TablePrinter};
use testing_support::{Hunt, Rng};

/// Bytes that lengths, offsets and tags like to trip over.
const WORDS: [u32; 7] = [0, 1, 0x40, 0x4000_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for suffix in [".arrows", ".arrow", ".stream", ".arrow_file"] {
        for path in testing_support::files_below(&testing_support::corpus_dir(), suffix) {
            let bytes = fs::read(&path).unwrap();
            if bytes.len() < 40_000 {
                files.push((path.display().to_string(), bytes));
            }
        }
    }
    assert!(files.len() > 500, "{} files", files.len());
    files
}

fn mutate(bytes: &mut [u8], rng: &mut Rng) {
    let position = rng.below(bytes.len());
    match rng.below(4) {
        0 => bytes[position] ^= 1 << rng.below(8),
        1 => bytes[position] = rng.bits().to_le_bytes()[0],
        2 => {
            let word = rng.pick(&WORDS).to_le_bytes();
            bytes[position..].iter_mut().zip(word).for_each(|(to, from)| *to = from);
        }
        _ => {
            let from = rng.below(bytes.len());
            let n_bytes = 8.min(bytes.len() - position.max(from));
            bytes.copy_within(from..from + n_bytes, position);
        }
    }
}

fn read_and_use(bytes: &Buffer) -> usize {
    let mut n_batches = 0;
    for validation in [Validation::Content, Validation::Structure] {
        let options = ReadOptions::new().with_validation(validation);
        if let Ok(reader) = StreamReader::try_new_with(&**bytes, options.clone()) {
            n_batches += reader.flatten().map(|batch| use_batch(&batch, validation)).count();
        }
        if let Ok(file) = FileReader::try_new_with(bytes.clone(), options) {
            n_batches += file.batches().take(50).flatten().map(|batch| use_batch(&batch, validation)).count();
            n_batches += some_rows(&file).map(|batch| use_batch(&batch, validation)).count();
        }
    }
    n_batches
}

/// The first, the middle and the last row of each batch, as far as they can be read alone.
fn some_rows(file: &FileReader<Buffer>) -> impl Iterator<Item = RecordBatch> {
    (0..file.n_batches().min(50)).flat_map(move |batch_idx| {
        let n_rows = file.n_rows_of(batch_idx).unwrap_or(0);
        let rows = [0, n_rows / 2, n_rows.saturating_sub(1)];
        rows.into_iter().flat_map(move |row| file.batch_rows(batch_idx, row..row.saturating_add(1)))
    })
}

fn use_batch(batch: &RecordBatch, validation: Validation) {
    let n_rows = batch.n_rows();
    let first_rows = batch.slice(0, n_rows.min(40));
    let middle = batch.slice(n_rows / 3, (n_rows - n_rows / 3).min(40));
    if n_rows < 100_000 {
        write(batch, validation);
    }
    write(&first_rows, validation);
    write(&middle, validation);
    for column in first_rows.columns() {
        if let Ok(array) = AnyArray::try_new(column) {
            assert!(!format!("{array:?}").is_empty());
        }
        let _ = column.clone().validate(Validation::Strict);
    }
    show(&first_rows);
}

fn write(batch: &RecordBatch, validation: Validation) {
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    let written = writer.write(batch);
    // What was not checked may turn out to be unsound.
    if validation == Validation::Content {
        written.unwrap_or_else(|error| panic!("what was read cannot be written: {error}"));
        let stream = writer.finish().unwrap();
        let read: Vec<_> = StreamReader::try_new(&*stream).unwrap().map(Result::unwrap).collect();
        let [read] = &*read else { panic!("{} batches", read.len()) };
        if batch.n_rows() <= 40 {
            assert_eq!(testing_support::rows(read), testing_support::rows(batch));
        }
    }
}

fn show(batch: &RecordBatch) {
    const MAX_BYTES: usize = 1 << 20;
    if let Ok(rows) = JsonRows::try_new(batch) {
        let mut text = String::new();
        for row in rows.iter() {
            write!(text, "{row}").unwrap();
            if text.len() > MAX_BYTES {
                break;
            }
        }
    }
    let options = TableOptions::new().with_max_width(80);
    if let Ok(table) = TablePrinter::try_new_with(batch.schema(), Some(batch), options) {
        assert!(table.header().to_string().is_ascii() || batch.n_columns() > 0);
        if let Ok(rows) = table.rows(batch) {
            (0..rows.len().min(3)).for_each(|row| drop(rows.row(row).to_string()));
        }
    }
}

#[test]
fn whatever_is_read_can_be_used() {
    let files = corpus();
    let hunt = Hunt::from_env();
    let n_inputs = hunt.count(700, 40_000);
    let mut rng = hunt.rng(0x5eed);
    let mut n_used = 0;
    for n in 0..n_inputs {
        let (name, bytes) = rng.pick(&files);
        let mut bytes = bytes.clone();
        if bytes.is_empty() {
            continue;
        }
        for _ in 0..1 + rng.below(4) {
            mutate(&mut bytes, &mut rng);
        }
        let bytes = Buffer::copy_from(&bytes);
        let used = std::panic::catch_unwind(AssertUnwindSafe(|| read_and_use(&bytes)));
        n_used += usize::from(used.unwrap_or_else(|_| panic!("input {n}, made of {name}")) > 0);
    }
    assert!(n_used > n_inputs / 10, "{n_used} inputs could be used");
}
