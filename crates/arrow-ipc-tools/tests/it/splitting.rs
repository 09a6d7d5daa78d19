//! Inputs that are split into several files.

use std::{
    fs::File,
    io::{self, Write},
    num::NonZero,
    ops::Range,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_array::{DictionaryArray, Float64Array, Int8Array, Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_compute::Digits;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, FileReader, FileWriter, Source, StreamReader, StreamWriter, WriteOptions, WrittenContainer,
};
use arrow_ipc_tools::{
    ConvertOptions, Input, Reshaping, ToolError,
    columns::ColumnName,
    convert::{FileSplit, Loss, PartPath, PartStore, RowDivision, SplitRule, split_files},
};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat_batches;

use crate::ALLOCATOR;

/// Writes files into their folder.
struct Files;

impl PartStore for Files {
    type File = File;
    type Failure = String;

    fn create(&self, path: &PartPath) -> Result<File, String> {
        File::create(&path.temporary).map_err(|error| error.to_string())
    }

    fn store(&self, mut file: File, _: &PartPath) -> Result<(), String> {
        file.flush().map_err(|error| error.to_string())
    }

    fn io_failure(&self, _: &Path, error: io::Error) -> String {
        error.to_string()
    }

    fn tool_failure(&self, error: ToolError) -> String {
        error.to_string()
    }
}

/// Counts the bytes that are fetched.
#[derive(Clone)]
struct Counted(Buffer, Arc<AtomicU64>);

impl Source for Counted {
    fn n_bytes(&self) -> io::Result<u64> {
        self.0.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.1.fetch_add(range.end.saturating_sub(range.start), Ordering::Relaxed);
        Ok(Buffer::copy_from(&self.0.fetch(range)?))
    }
}

/// What a split has written.
struct Parts {
    /// The batches of each file, in the order of their names.
    batches: Vec<Vec<RecordBatch>>,
    losses: Vec<Loss>,
    n_fetched: u64,
}

fn split(bytes: &[u8], by: SplitRule, options: &ConvertOptions) -> Parts {
    let source = Counted(Buffer::copy_from(bytes), Arc::default());
    let n_fetched = Arc::clone(&source.1);
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("parts");
    let rule = FileSplit { root: root.clone(), by, max_files: 1_000 };
    let open = || Input::try_new("in", source.clone());
    let (_, losses) = split_files(&open, &rule, options, &Files, &mut ()).unwrap();
    let mut paths = Vec::new();
    paths_below(&root, &mut paths);
    paths.sort();
    let read = |path: &std::path::PathBuf| match options.container {
        WrittenContainer::File => FileReader::open(path).unwrap().batches().map(Result::unwrap).collect(),
        WrittenContainer::Stream => {
            StreamReader::try_new(File::open(path).unwrap()).unwrap().map(Result::unwrap).collect()
        }
    };
    let batches = paths.iter().map(read).collect();
    let losses = losses.into_iter().map(|(_, loss)| loss).collect();
    Parts { batches, losses, n_fetched: n_fetched.load(Ordering::Relaxed) }
}

fn paths_below(folder: &Path, paths: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { paths_below(&path, paths) } else { paths.push(path) }
    }
}

fn into(n_parts: u64) -> SplitRule {
    SplitRule::Rows(RowDivision::Parts(NonZero::new(n_parts).unwrap()))
}

fn ints(values: impl IntoIterator<Item = i64>) -> ArrayData {
    Int64Array::from_iter(values).into_data()
}

/// 200 batches of 500 rows, with a dictionary that stays the same.
fn words() -> Vec<RecordBatch> {
    let values = Int64Array::from_iter(0..50).into_data();
    let batch = |k: i64| {
        let word = DictionaryArray::try_new(Int64Array::from_iter((0..500).map(|n| n % 50)), values.clone());
        let columns = [("id", ints(k * 500..(k + 1) * 500)), ("word", word.unwrap().into_data())];
        RecordBatch::try_from_columns(columns).unwrap()
    };
    (0..200).map(batch).collect()
}

#[test]
fn streams_are_decoded_once_for_all_parts() {
    let batches = words();
    let schema = batches[0].schema();
    let whole = concat_batches(schema.clone(), &batches).unwrap();
    let bytes = StreamWriter::write_to_vec(schema, &batches).unwrap();
    let plain = whole.project(&[0]).unwrap();
    let plain_batches: Vec<RecordBatch> = batches.iter().map(|batch| batch.project(&[0]).unwrap()).collect();
    let plain_bytes = StreamWriter::write_to_vec(plain.schema(), &plain_batches).unwrap();
    let cast = Reshaping::new().with_cast("id", "int32".parse().unwrap());
    for container in [WrittenContainer::File, WrittenContainer::Stream] {
        let copying = ConvertOptions::copying(container);
        let casting = ConvertOptions { reshaping: Some(cast.clone()), ..copying.clone() };
        let joining = ConvertOptions { n_batch_rows: NonZero::new(700), ..copying.clone() };
        for (bytes, whole, options, is_cast) in [
            (&bytes, &whole, &copying, false),
            (&bytes, &whole, &joining, false),
            (&plain_bytes, &plain, &casting, true),
        ] {
            let [two, many] = [2, 50].map(|n_parts| split(bytes, into(n_parts), options));
            for parts in [&two, &many] {
                assert!(parts.losses.is_empty(), "{:?}", parts.losses);
                let all: Vec<RecordBatch> = parts.batches.iter().flatten().cloned().collect();
                let together = concat_batches(all[0].schema().clone(), &all).unwrap();
                assert_eq!(together.n_rows(), whole.n_rows());
                if !is_cast {
                    assert_eq!(&together, whole);
                }
            }
            assert_eq!((two.batches.len(), many.batches.len()), (2, 50));
            let sizes: Vec<usize> = many.batches[1].iter().map(RecordBatch::n_rows).collect();
            let expected: &[usize] =
                if options.n_batch_rows.is_some() { &[700, 700, 600] } else { &[500, 500, 500, 500] };
            assert_eq!(sizes, expected);
            let [n_two, n_many] = [two.n_fetched, many.n_fetched];
            assert!(n_many < 2 * n_two, "{container:?}: {n_two} bytes for 2 parts, {n_many} for 50");
        }
    }
}

/// Dictionaries that change do not fit one temporary file.
#[test]
fn changing_dictionaries_are_split_too() {
    let batch = |first: i64| {
        let values = Int64Array::from_iter(first..first + 2).into_data();
        let word = DictionaryArray::try_new(Int64Array::from_iter([0, 1, 1]), values).unwrap();
        RecordBatch::try_from_columns([("word", word.into_data())]).unwrap()
    };
    let batches: Vec<RecordBatch> = (0..8).map(batch).collect();
    let whole = concat_batches(batches[0].schema().clone(), &batches).unwrap();
    let bytes = StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap();
    for container in [WrittenContainer::File, WrittenContainer::Stream] {
        let parts = split(&bytes, into(8), &ConvertOptions::copying(container));
        let all: Vec<RecordBatch> = parts.batches.iter().flatten().cloned().collect();
        assert_eq!(concat_batches(all[0].schema().clone(), &all).unwrap(), whole);
        assert_eq!(parts.batches.len(), 8);
    }
}

/// Each part finds that the input loses something.
#[test]
fn losses_of_the_input_are_reported_once() {
    for batches in [words(), words().iter().map(|batch| batch.project(&[0]).unwrap()).collect()] {
        let mut bytes = StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap();
        bytes.extend_from_slice(b"more words");
        for options in [WrittenContainer::File, WrittenContainer::Stream].map(ConvertOptions::copying) {
            let parts = split(&bytes, into(20), &options);
            assert!(matches!(parts.losses[..], [Loss::TrailingBytes(_)]), "{:?}", parts.losses);
        }
    }
}

/// Each part loses digits of its own rows.
#[test]
fn lost_digits_of_all_parts_are_added_up() {
    let batch = RecordBatch::try_from_columns([(
        "a",
        Float64Array::from_iter((0..1_000).map(|n| n as f64 + 0.5)).into(),
    )]);
    let batches: Vec<RecordBatch> = (0..4).map(|n| batch.as_ref().unwrap().slice(n * 250, 250 - n)).collect();
    let n_rows: usize = batches.iter().map(RecordBatch::n_rows).sum();
    let reshaping = Reshaping::new().with_cast("a", DataType::Int64).with_digits(Digits::Drop);
    let options =
        ConvertOptions { reshaping: Some(reshaping), ..ConvertOptions::copying(WrittenContainer::File) };
    let schema = batches[0].schema();
    let file = FileWriter::write_to_buffer(schema, &batches).unwrap();
    for bytes in [StreamWriter::write_to_vec(schema, &batches).unwrap(), file.to_vec()] {
        for n_parts in [1, 2, 3, 7] {
            let parts = split(&bytes, into(n_parts), &options);
            assert_eq!(lost_digits(&parts), ("a".to_owned(), n_rows as u64), "{n_parts} parts");
        }
    }
}

fn lost_digits(parts: &Parts) -> (String, u64) {
    match &parts.losses[..] {
        [Loss::Digits { column, n_values, .. }] => (column.clone(), *n_values),
        other => panic!("{other:?}"),
    }
}

/// Each part casts the dictionary, whose values count once.
#[test]
fn lost_digits_of_a_shared_dictionary_count_once() {
    let halves = Float64Array::from_iter([0.5, 1.5, 2.5]);
    let halves = DictionaryArray::try_new(Int8Array::from_iter([0, 1, 2, 0, 1, 2, 0, 1]), halves).unwrap();
    let batch = RecordBatch::try_from_columns([("a", halves.into())]).unwrap();
    let batches: Vec<RecordBatch> = (0..4).map(|n| batch.slice(n * 2, 2)).collect();
    let to = "dictionary<int8, int64>".parse().unwrap();
    let reshaping = Reshaping::new().with_cast("a", to).with_digits(Digits::Drop);
    let options =
        ConvertOptions { reshaping: Some(reshaping), ..ConvertOptions::copying(WrittenContainer::File) };
    let file = FileWriter::write_to_buffer(batch.schema(), &batches).unwrap();
    for n_parts in [1, 2, 4] {
        assert_eq!(lost_digits(&split(&file, into(n_parts), &options)), ("a".to_owned(), 3));
    }
}

/// No part holds a large batch as a whole, as it would in a temporary file with all rows.
#[test]
fn large_batches_of_streams_are_read_in_parts() {
    const N_ROWS: usize = 4 << 20;
    let batch = RecordBatch::try_from_columns([("a", ints(0..N_ROWS as i64))]).unwrap();
    let bytes = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    drop(batch);
    let reshaping = Reshaping::new().with_cast("a", DataType::Int32);
    let options =
        ConvertOptions { reshaping: Some(reshaping), ..ConvertOptions::copying(WrittenContainer::File) };
    let source = Counted(Buffer::from(bytes), Arc::default());
    let folder = tempfile::tempdir().unwrap();
    let rule = FileSplit { root: folder.path().join("parts"), by: into(16), max_files: 1_000 };
    let open = || Input::try_new("in", source.clone());
    let (written, usage) = ALLOCATOR.measure(|| split_files(&open, &rule, &options, &Files, &mut ()));
    assert_eq!(written.unwrap().0, 16);
    // Each part has 2 MiB of the 32 MiB.
    assert!(usage.peak_bytes < 12 << 20, "{} bytes", usage.peak_bytes);
}

/// The rows of each part are joined, and a joined batch has the metadata of its first row.
#[test]
fn metadata_of_batches_that_folders_lose_is_reported() {
    let by_day = || SplitRule::Values([ColumnName::from("day")].into_iter().collect());
    let written = |batches: &[(&[i64], &str)]| {
        let batch = |days: &[i64]| {
            let columns = [("day", ints(days.iter().copied())), ("v", ints(0..days.len() as i64))];
            RecordBatch::try_from_columns(columns).unwrap()
        };
        let schema = batch(&[]).schema().clone();
        let mut writer = StreamWriter::try_new_with(Vec::new(), schema, WriteOptions::new()).unwrap();
        for (days, value) in batches {
            let metadata = [("k", *value)].into_iter().filter(|(_, value)| !value.is_empty()).collect();
            writer.write_with_metadata(&batch(days), &metadata).unwrap();
        }
        writer.finish().unwrap()
    };
    let options = ConvertOptions::copying(WrittenContainer::File);
    for (batches, n_lost) in [
        (&[(&[7, 7][..], "a"), (&[7], "b")][..], 1),
        (&[(&[7, 7], "a"), (&[7], "a")], 0),
        (&[(&[7, 7], "a"), (&[7], "")], 0),
        // Each folder has the rows of one batch.
        (&[(&[7, 7], "a"), (&[8], "b")], 0),
        // One of two folders has the second batch's metadata.
        (&[(&[7, 7], "a"), (&[8, 7], "b")], 1),
        (&[(&[7], "a"), (&[7], "b"), (&[], "c"), (&[7], "d")], 3),
    ] {
        let parts = split(&written(batches), by_day(), &options);
        let found = match parts.losses[..] {
            [] => 0,
            [Loss::BatchMetadata { n_batches }] => n_batches,
            _ => panic!("{:?}", parts.losses),
        };
        assert_eq!(found, n_lost, "{batches:?}");
    }
}

/// No file has a column whose values are names of folders.
#[test]
fn lost_metadata_of_a_column_that_names_folders_is_reported() {
    let field =
        |name, value| Field::new(name, DataType::Int64).with_metadata([("k", value)].into_iter().collect());
    let schema = Schema::new([field("day", "a"), field("v", "b")]);
    let batch = RecordBatch::try_new(schema, vec![ints([7, 8]), ints([1, 2])]).unwrap();
    let stream = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let by_day = SplitRule::Values([ColumnName::from("day")].into_iter().collect());
    let parts = split(&stream, by_day, &ConvertOptions::copying(WrittenContainer::File));
    let [Loss::FolderMetadata { column, metadata }] = &parts.losses[..] else { panic!("{:?}", parts.losses) };
    assert_eq!((column.as_str(), metadata.get("k")), ("day", Some("a")));
    assert_eq!(parts.batches[0][0].schema().field(0).and_then(|field| field.metadata().get("k")), Some("b"));
}

/// A column of values that have this number of zeros.
fn zeros(n_rows: usize, n_bytes: u32) -> ArrayData {
    let buffers = [Buffer::from(vec![0_u8; n_rows * n_bytes as usize]), Buffer::new()];
    let data_type = DataType::fixed_size_binary(n_bytes).unwrap();
    ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(data_type, n_rows) }).unwrap()
}

/// Many rows of one value do not count as rows that wait.
#[test]
fn files_of_values_have_full_batches() {
    const N_BATCH_ROWS: usize = 1_300;
    let columns = [("day", ints(vec![7; N_BATCH_ROWS])), ("v", zeros(N_BATCH_ROWS, 1 << 10))];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let options = WriteOptions::new().with_compression(Compression::lz4());
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    // These are about 128 MiB.
    (0..100).for_each(|_| writer.write(&batch).unwrap());
    let n_batch_rows = NonZero::new(1_000);
    let options = ConvertOptions { n_batch_rows, ..ConvertOptions::copying(WrittenContainer::File) };
    let by = SplitRule::Values([ColumnName::from("day")].into_iter().collect());
    let parts = split(&writer.finish().unwrap(), by, &options);
    let sizes: Vec<usize> = parts.batches[0].iter().map(RecordBatch::n_rows).collect();
    assert_eq!((parts.batches.len(), sizes), (1, vec![1_000; 130]));
}

/// Rows that wait for others keep their dictionaries in memory, whose bytes have a limit, too.
#[test]
fn replaced_dictionaries_wait_in_little_memory() {
    const N_VALUES: usize = 500_000;
    let row = |n_values: usize| {
        let words = Utf8Array::from_iter((0..n_values).map(|_| Some(""))).into_data();
        let data_type: DataType = "dictionary<int32, utf8>".parse().unwrap();
        let words = testing_support::make::dictionary(&data_type, &[0], words);
        RecordBatch::try_from_columns([("day", ints(vec![7])), ("word", words)]).unwrap()
    };
    let rows = [row(N_VALUES), row(N_VALUES - 1)];
    let options = WriteOptions::new().with_compression(Compression::zstd());
    let mut writer = StreamWriter::try_new_with(Vec::new(), rows[0].schema(), options).unwrap();
    // The dictionaries are about 400 MB in all.
    (0..100).for_each(|_| rows.iter().for_each(|row| writer.write(row).unwrap()));
    let stream = writer.finish().unwrap();
    assert!(stream.len() < 1 << 20);
    let by = SplitRule::Values([ColumnName::from("day")].into_iter().collect());
    let options = ConvertOptions::copying(WrittenContainer::File);
    let (parts, usage) = ALLOCATOR.measure(|| split(&stream, by, &options));
    let n_rows: usize = parts.batches[0].iter().map(RecordBatch::n_rows).sum();
    assert_eq!((parts.batches.len(), n_rows), (1, 200));
    assert!(usage.peak_bytes < 150 << 20, "{usage:?}");
}

/// The rows at which a file is cut, found by going through all multiples of `n_bytes`.
fn plain_cuts(reader: &FileReader<Buffer>, n_bytes: u64) -> Vec<u64> {
    let mut cuts = vec![0];
    let [mut n_rows_before, mut n_bytes_before] = [0, 0];
    for (batch_idx, block) in reader.footer().batches().iter().enumerate() {
        let n_rows = reader.batch(batch_idx).unwrap().n_rows() as u64;
        let n_batch_bytes = block.n_body_bytes();
        for byte in (n_bytes_before..n_bytes_before + n_batch_bytes).filter(|byte| byte % n_bytes == 0) {
            cuts.push(n_rows_before + n_rows * (byte - n_bytes_before) / n_batch_bytes);
        }
        n_rows_before += n_rows;
        n_bytes_before += n_batch_bytes;
    }
    cuts.push(n_rows_before);
    cuts.dedup();
    cuts
}

/// Rows may have more bytes than a file should have. Each file then has one row.
#[test]
fn files_of_a_number_of_bytes_have_a_row_at_least() {
    for sizes in [&[2][..], &[1, 1], &[3, 0, 5], &[0, 4], &[7, 1, 0, 2]] {
        let of_size = |n_rows: &usize| RecordBatch::try_from_columns([("v", zeros(*n_rows, 1_000))]).unwrap();
        let batches: Vec<RecordBatch> = sizes.iter().map(of_size).collect();
        let n_rows: usize = sizes.iter().sum();
        let file = FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap();
        let reader = FileReader::try_from_buffer(file.clone()).unwrap();
        for n_bytes in [1, 3, 500, 999, 1_000, 1_001, 1_024, 1_700, 2_000, 3_500, 1 << 40] {
            let cuts = plain_cuts(&reader, n_bytes);
            let expected: Vec<u64> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let rule = RowDivision::Bytes(NonZero::new(n_bytes).unwrap());
            // No more files are needed than there are.
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().join("parts");
            let split =
                FileSplit { root: root.clone(), by: SplitRule::Rows(rule), max_files: expected.len() };
            let open = || Input::try_from_buffer("in", file.clone());
            let options = ConvertOptions::copying(WrittenContainer::File);
            split_files(&open, &split, &options, &Files, &mut ()).unwrap();
            let mut paths = Vec::new();
            paths_below(&root, &mut paths);
            paths.sort();
            let n_rows_of = |path: &std::path::PathBuf| {
                FileReader::open(path).unwrap().batches().map(|batch| batch.unwrap().n_rows() as u64).sum()
            };
            assert_eq!(paths.iter().map(n_rows_of).collect::<Vec<u64>>(), expected, "{sizes:?}, {n_bytes}");
            assert!(n_bytes > 1_000 || expected.len() == n_rows);
        }
    }
}

/// The number of steps does not depend on the number of bytes.
#[test]
fn large_rows_are_cut_at_once() {
    let batch = RecordBatch::try_from_columns([("v", zeros(2, 1 << 20))]).unwrap();
    let file = FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let rule = RowDivision::Bytes(NonZero::new(1_000).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let split = FileSplit { root: folder.path().join("parts"), by: SplitRule::Rows(rule), max_files: 2 };
    let open = || Input::try_from_buffer("in", file.clone());
    let options = ConvertOptions::copying(WrittenContainer::File);
    assert_eq!(split_files(&open, &split, &options, &Files, &mut ()).unwrap().0, 2);
}
