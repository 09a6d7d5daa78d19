//! Rows of a batch in windows. They equal the rows of the batch. If rows refer to bytes and items in order, they take
//! little memory and work; otherwise, the work is limited.

mod denied;

use std::{
    io,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_buffer::{Buffer, MemoryBudget, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, FetchCost, FileReader, FileWriter, IpcErrorKind, ReadOptions, Source, WriteOptions,
};
use arrow_schema::{DataType, Field, RunEndType, UnionMode};
use arrow_select::UnusedValues;
use testing_support::{Generator, Hunt, Nulls, all_types, rows};

/// Counts the fetched bytes.
#[derive(Debug, Clone)]
struct CountedSource {
    bytes: Buffer,
    n_fetched: Arc<AtomicU64>,
}

impl Source for CountedSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_fetched.fetch_add(range.end - range.start, Ordering::Relaxed);
        Ok(Buffer::copy_from(&self.bytes.fetch(range)?))
    }
}

fn ways_of_writing() -> [WriteOptions; 3] {
    [None, Compression::lz4().into(), Compression::zstd().into()]
        .map(|codec| WriteOptions::new().with_compression(codec))
}

fn file(batch: &RecordBatch, options: WriteOptions) -> Option<CountedSource> {
    let bytes =
        FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), options).ok()?;
    Some(CountedSource { bytes, n_fetched: Arc::default() })
}

fn open(file: &CountedSource, budget: u64) -> FileReader<CountedSource> {
    let options = ReadOptions::new().with_tail_bytes(0).with_fetch_cost(FetchCost::FREE_REQUESTS);
    let options = options.with_memory_budget(MemoryBudget::new(budget));
    FileReader::try_new_with(file.clone(), options).unwrap()
}

#[test]
fn they_are_the_rows_of_every_type() {
    let mut n_in_windows = 0;
    let hunt = Hunt::from_env();
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let array = Generator::new(seed as u64).array(&data_type, 100, Nulls::Garbage);
        let batch = RecordBatch::try_from_columns([("a", array)]).unwrap();
        let all = rows(&batch);
        for options in hunt.some_of(&ways_of_writing(), 1, seed) {
            let Some(file) = file(&batch, options.clone()) else { continue };
            let reader = open(&file, u64::MAX);
            for wanted in [0..100, 0..0, 17..18, 3..99] {
                for max_bytes in [0, 64, 1_000, u64::MAX] {
                    let windows = reader.parts_of(0, wanted.clone(), max_bytes).unwrap();
                    assert_eq!(windows.n_rows_left(), wanted.end - wanted.start);
                    let read: Vec<RecordBatch> = windows.collect::<Result<_, _>>().unwrap();
                    n_in_windows += usize::from(read.len() > 3);
                    let Range { start, end } = wanted;
                    let read: Vec<_> = read.iter().flat_map(rows).collect();
                    let expected = &all[start as usize..end as usize];
                    assert_eq!(read, expected, "{name}, {wanted:?}, {max_bytes} bytes");
                }
            }
        }
    }
    assert!(n_in_windows > 100, "{n_in_windows}");
}

#[test]
fn there_must_be_such_rows() {
    let batch = RecordBatch::try_from_columns([("n", numbers(0..9))]).unwrap();
    let reader = open(&file(&batch, WriteOptions::new()).unwrap(), u64::MAX);
    for wanted in [0..10, 10..10, Range { start: 3, end: 2 }] {
        let error = reader.parts_of(0, wanted, 8).unwrap().next().unwrap().unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::NoSuchRows { n_rows: 9, .. }), "{error}");
    }
    assert!(reader.parts_of(1, 0..0, 8).is_err());
}

const N_ROWS: usize = 200_000;

const WINDOW_BYTES: u64 = 1 << 20;

/// The position of the data of a row: in the order of the rows, in another order, or the same for all rows.
type ItemOrder = fn(usize) -> usize;

const IN_ORDER: ItemOrder = |row| row;
const SHUFFLED: ItemOrder = |row| row * 7_919 % N_ROWS;
const BACKWARDS: ItemOrder = |row| N_ROWS - 1 - row;
const AT_ONE: ItemOrder = |_| N_ROWS / 2;

fn numbers(numbers: Range<i64>) -> ArrayData {
    let scattered = |n: i64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()) >> 24;
    arrow_array::Int64Array::from_iter(numbers.map(scattered)).into_data()
}

/// Texts of 40 bytes, in data buffers of about 1 MB.
fn views(order: ItemOrder) -> ArrayData {
    const PER_BUFFER: usize = 25_000;
    let text =
        |row: usize| format!("{row:08}{:032x}", (row as u128 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C));
    let texts: Vec<Vec<u8>> = (0..N_ROWS / PER_BUFFER)
        .map(|buffer| (0..PER_BUFFER).flat_map(|row| text(buffer * PER_BUFFER + row).into_bytes()).collect())
        .collect();
    let view = |row: usize| {
        let (buffer, offset) = (order(row) / PER_BUFFER, order(row) % PER_BUFFER * 40);
        let prefix: [u8; 4] = texts[buffer][offset..offset + 4].try_into().unwrap();
        View::from_parts(40, prefix, buffer as i32, offset as i32)
    };
    let views: Vec<View> = (0..N_ROWS).map(view).collect();
    let data: Vec<Buffer> = texts.into_iter().map(Buffer::from).collect();
    let parts = ArrayParts {
        buffers: [Buffer::from(views), Buffer::new()],
        variadic: Some(data.into()),
        ..ArrayParts::new(DataType::Utf8View, N_ROWS)
    };
    ArrayData::try_new(parts).unwrap()
}

/// Lists of four numbers.
fn list_views(order: ItemOrder) -> ArrayData {
    let items = numbers(0..4 * N_ROWS as i64);
    let offsets: Vec<i32> = (0..N_ROWS).map(|row| 4 * order(row) as i32).collect();
    let data_type = DataType::list_view(Field::new("item", DataType::Int64));
    let parts = ArrayParts {
        buffers: [Buffer::from(offsets), Buffer::from(vec![4i32; N_ROWS])],
        children: Some([items].into()),
        ..ArrayParts::new(data_type, N_ROWS)
    };
    ArrayData::try_new(parts).unwrap()
}

/// Numbers and lists of numbers by turns.
fn dense_unions(order: ItemOrder) -> ArrayData {
    let lists = list_views(IN_ORDER).slice(0, N_ROWS / 2);
    let children = [numbers(0..N_ROWS as i64 / 2), lists];
    let fields = children.each_ref().map(|child| Field::new("child", child.data_type().clone()));
    let data_type = DataType::union(UnionMode::Dense, (0..).zip(fields)).unwrap();
    let type_ids: Vec<u8> = (0..N_ROWS).map(|row| (row % 2) as u8).collect();
    let offsets: Vec<i32> = (0..N_ROWS).map(|row| (order(row) / 2) as i32).collect();
    let parts = ArrayParts {
        buffers: [Buffer::from(type_ids), Buffer::from(offsets)],
        children: Some(children.into()),
        ..ArrayParts::new(data_type, N_ROWS)
    };
    ArrayData::try_new(parts).unwrap()
}

/// Runs of one to seven texts.
fn runs(_: ItemOrder) -> ArrayData {
    let mut end = 0;
    let ends: Vec<i32> = (0..N_ROWS as i32)
        .map(|run| {
            end += 1 + run % 7;
            end
        })
        .collect();
    let ends = arrow_array::Int32Array::from_iter(ends).into_data();
    let values = arrow_array::Utf8Array::try_from_iter(
        (0..N_ROWS).map(|n| format!("{:020x}", (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))),
    );
    let data_type = DataType::run_end_encoded(RunEndType::Int32, DataType::Utf8);
    let children = [ends, values.unwrap().into_data()];
    let parts = ArrayParts { children: Some(children.into()), ..ArrayParts::new(data_type, end as usize) };
    ArrayData::try_new(parts).unwrap()
}

type Column = (&'static str, fn(ItemOrder) -> ArrayData);

const COLUMNS: [Column; 4] =
    [("views", views), ("list views", list_views), ("dense unions", dense_unions), ("runs", runs)];

/// The content that was read from a file: the rows in windows and in parts, and the fetched and decompressed bytes of
/// each.
fn read(file: &CountedSource, batch: &RecordBatch, budget: u64) -> [(u64, u64); 2] {
    let reader = open(file, budget);
    let compare = |(column, first): (usize, u64), found: &RecordBatch| {
        let (first, n_rows) = (first as usize, found.n_rows());
        let expected = batch.project(&[column]).unwrap().slice(first, n_rows);
        assert!(found.same_values(&expected).unwrap());
        first as u64 + n_rows as u64
    };
    let cost = |read: &dyn Fn(&FileReader<CountedSource>)| {
        file.n_fetched.store(0, Ordering::Relaxed);
        let reader = open(file, budget);
        read(&reader);
        (file.n_fetched.load(Ordering::Relaxed), reader.stats().n_decompressed_bytes)
    };
    let n_rows = reader.n_rows_of(0).unwrap();
    [
        cost(&|reader| {
            let windows = reader.parts_of(0, 0..n_rows, WINDOW_BYTES).unwrap();
            let end = windows.fold(0, |first, rows| compare((0, first), &rows.unwrap()));
            assert_eq!(end, n_rows);
        }),
        cost(&|reader| {
            for part in reader.parts_of(0, 0..n_rows, WINDOW_BYTES).unwrap().by_columns().unwrap() {
                let column = part.columns().start;
                let end = part.fold(0, |first, rows| compare((column, first), &rows.unwrap()));
                assert_eq!(end, n_rows);
            }
        }),
    ]
}

#[test]
fn in_order_they_cost_what_the_batch_does_in_little_memory() {
    for (case, (name, column)) in COLUMNS.into_iter().enumerate() {
        let column = column(IN_ORDER);
        let batch = RecordBatch::try_from_columns([("a", column)]).unwrap();
        for options in Hunt::from_env().some_of(&ways_of_writing(), 2, case) {
            let Some(file) = file(&batch, options.clone()) else { continue };
            let whole = open(&file, u64::MAX);
            let n_body_bytes = whole.footer().batch(0).unwrap().n_body_bytes();
            whole.batch(0).unwrap();
            let n_decompressed = whole.stats().n_decompressed_bytes;
            for (n_fetched, n_made) in read(&file, &batch, 9 << 20) {
                assert!(
                    n_fetched < n_body_bytes * 3 / 2 + (1 << 20),
                    "{name}: {n_fetched} of {n_body_bytes}"
                );
                assert!(n_made <= n_decompressed * 21 / 20, "{name}: {n_made} of {n_decompressed}");
            }
        }
    }
}

#[test]
fn in_any_order_they_cost_a_few_times_what_the_batch_does() {
    for (column_idx, (name, column)) in COLUMNS.into_iter().enumerate() {
        let orders = [SHUFFLED, BACKWARDS, AT_ONE];
        // Runs are in order.
        let orders = if name == "runs" { &orders[..1] } else { &orders };
        for (order_idx, order) in orders.iter().enumerate() {
            let batch = RecordBatch::try_from_columns([("a", column(*order))]).unwrap();
            // Short, each column in each way once, and each order of items in each way once.
            for options in Hunt::from_env().some_of(&ways_of_writing(), 1, column_idx + order_idx) {
                let Some(file) = file(&batch, options.clone()) else { continue };
                let whole = open(&file, u64::MAX);
                let n_body_bytes = whole.footer().batch(0).unwrap().n_body_bytes();
                whole.batch(0).unwrap();
                let n_decompressed = whole.stats().n_decompressed_bytes;
                for (n_fetched, n_made) in read(&file, &batch, u64::MAX) {
                    assert!(
                        n_fetched < n_body_bytes.max(n_decompressed) * 4 + (2 << 20),
                        "{name}: {n_fetched} of {n_body_bytes}"
                    );
                    assert!(n_made < n_decompressed * 4 + (2 << 20), "{name}: {n_made} of {n_decompressed}");
                }
            }
        }
    }
}

/// Text of which one is not UTF-8.
fn texts_but_one(n: usize, invalid: usize) -> ArrayData {
    let bytes: Vec<u8> = (0..n).map(|slot| if slot == invalid { 0xff } else { b'a' }).collect();
    let offsets: Vec<i32> = (0..=n as i32).collect();
    let parts = ArrayParts { buffers: [offsets.into(), bytes.into()], ..ArrayParts::new(DataType::Utf8, n) };
    ArrayData::try_new(parts).unwrap()
}

/// The numbers from one on, and a gap in the middle.
fn starts(first: i32) -> Vec<i32> {
    (0..1_000).map(|row| if row < 500 { first + row } else { 58_000 + first + row }).collect()
}

/// Data to which no row refers is checked, too: before, between and after the data of the rows.
#[test]
fn what_no_row_refers_to_is_checked() {
    const N_ITEMS: usize = 59_100;
    let parts = |data_type, buffers, items| ArrayParts {
        buffers,
        children: Some([items].into()),
        ..ArrayParts::new(data_type, 1_000)
    };
    // Writers leave out what comes before the first row and after the last.
    let all = starts(0).into_iter().map(|start| if start == 58_999 { 59_099 } else { start });
    let all: Vec<i32> = all.collect();
    for (invalid, is_read) in
        [(0, false), (9, false), (10, true), (30_000, false), (59_009, true), (59_099, false)]
    {
        let items = texts_but_one(N_ITEMS, invalid);
        let lists = DataType::list_view(Field::new("item", DataType::Utf8));
        let lists = parts(lists, [all.clone().into(), vec![1i32; 1_000].into()], items.clone());
        let unions = DataType::union(UnionMode::Dense, [(5, Field::new("a", DataType::Utf8))]).unwrap();
        let unions = parts(unions, [vec![5u8; 1_000].into(), all.clone().into()], items);
        for parts in [lists, unions] {
            let batch = RecordBatch::try_from_columns([("a", ArrayData::try_new(parts).unwrap())]).unwrap();
            let file = file(&batch, WriteOptions::new().with_unused_items(UnusedValues::Keep)).unwrap();
            let mut bytes = file.bytes.to_vec();
            let [before, after] = [all.clone(), starts(10)].map(Buffer::from);
            let position =
                bytes.windows(before.len()).position(|bytes| *bytes == *before).expect("the offsets");
            bytes[position..position + after.len()].copy_from_slice(&after);
            let reader = open(&CountedSource { bytes: bytes.into(), ..file }, u64::MAX);
            let expected = reader.batch(0).unwrap_err();
            let mut parts =
                reader.parts_of(0, 0..1_000, 100).unwrap().by_columns().unwrap().into_iter().flatten();
            assert!(parts.any(|rows| rows.is_err()), "{invalid}: {expected}");
            let mut windows = reader.parts_of(0, 0..1_000, 100).unwrap();
            assert!(windows.any(|rows| rows.is_err()), "{invalid}: {expected}");
            let mut some = reader.parts_of(0, 1..1_000, 100).unwrap();
            if !is_read {
                assert!(some.all(|rows| rows.is_ok()), "{invalid}");
            }
        }
    }
}

/// Damaged frames of data buffers, of which few rows name few bytes.
#[cfg(all(feature = "lz4", feature = "zstd"))]
#[test]
fn frames_of_data_are_checked_to_their_end() {
    const N_TEXTS: usize = 9_000;
    let text = |n: usize| format!("number {:013}", n * 7_919);
    let bytes_of =
        |buffer: usize| (0..N_TEXTS + buffer).flat_map(|n| text(n).into_bytes()).collect::<Vec<u8>>();
    let data: Vec<Buffer> = (0..4).map(|buffer| bytes_of(buffer).into()).collect();
    for named in 0..4 {
        let view = |buffer: usize, n: usize| View::from_parts(20, *b"numb", buffer as i32, 20 * n as i32);
        // The first and the last text of each, then those of one.
        let ends = (0..4).flat_map(|buffer| [view(buffer, 0), view(buffer, N_TEXTS + buffer - 1)]);
        let views = ends.chain((0..3_992).map(|n| view(named, n)));
        let parts = ArrayParts {
            buffers: [views.collect::<Vec<View>>().into(), Buffer::new()],
            variadic: Some(data.clone().into()),
            ..ArrayParts::new(DataType::Utf8View, 4_000)
        };
        let batch = RecordBatch::try_from_columns([("a", ArrayData::try_new(parts).unwrap())]).unwrap();
        for options in &ways_of_writing()[1..] {
            let file = file(&batch, options.clone().with_unused_items(UnusedValues::Keep)).unwrap();
            let frames: Vec<usize> = data
                .iter()
                .map(|buffer| {
                    let length = (buffer.len() as u64).to_le_bytes();
                    file.bytes.windows(8).rposition(|word| word == length).expect("the length of a frame")
                })
                .collect();
            for position in frames {
                let mut bytes = file.bytes.to_vec();
                bytes[position + 2_000] ^= 0x40;
                let reader =
                    open(&CountedSource { bytes: bytes.into(), n_fetched: Arc::default() }, u64::MAX);
                let is_valid = reader.batch(0).is_ok();
                for max_bytes in [1_000, 50_000] {
                    let parts = reader
                        .parts_of(0, 0..4_000, max_bytes)
                        .unwrap()
                        .by_columns()
                        .unwrap()
                        .into_iter()
                        .flatten();
                    assert_eq!(parts.filter(|rows| rows.is_err()).count() == 0, is_valid);
                    let windows = reader.parts_of(0, 0..4_000, max_bytes).unwrap();
                    assert_eq!(windows.filter(|rows| rows.is_err()).count() == 0, is_valid);
                }
            }
        }
    }
}

/// For 200,000 runs: the runs of a few rows are found with some of the run ends, in little memory; each run is read
/// once if the rows are in order.
#[test]
fn runs_of_a_few_rows_are_found_in_little_memory() {
    let batch = RecordBatch::try_from_columns([("a", runs(IN_ORDER))]).unwrap();
    let n_rows = batch.n_rows();
    for (options, n_decompressed) in ways_of_writing().into_iter().zip([0, 5_600_000, 5_600_000]) {
        let Some(file) = file(&batch, options) else { continue };
        let reader = open(&file, 6 << 20);
        for start in [0, 1, n_rows / 2, n_rows / 3 * 2, n_rows - 10] {
            file.n_fetched.store(0, Ordering::Relaxed);
            let (wanted, before) = (start as u64..start as u64 + 10, reader.stats().n_decompressed_bytes);
            let found = reader.batch_rows(0, wanted.clone()).unwrap();
            assert!(found.same_values(&batch.slice(start, 10)).unwrap(), "{start}");
            let window = reader.parts_of(0, wanted, WINDOW_BYTES).unwrap().next().unwrap().unwrap();
            assert!(window.same_values(&found).unwrap(), "{start}");
            let n_made = reader.stats().n_decompressed_bytes - before;
            // Twice, and the run ends once more to finish their frame.
            assert!(n_made <= n_decompressed * 24 / 10, "{start}: {n_made}");
            let n_fetched = file.n_fetched.load(Ordering::Relaxed);
            assert!(n_decompressed > 0 || n_fetched < 60_000, "{start}: {n_fetched}");
        }
        let reader = open(&file, 6 << 20);
        let mut rows = reader.parts_of(0, 0..n_rows as u64, 0).unwrap();
        for start in (0..n_rows - 10).step_by(5_000) {
            let found = rows.read(start as u64..start as u64 + 10).unwrap();
            assert!(found.same_values(&batch.slice(start, 10)).unwrap(), "{start}");
        }
        let n_made = reader.stats().n_decompressed_bytes;
        assert!(n_made <= n_decompressed * 11 / 10, "{n_made}");
    }
}

/// Columns of numbers keep nothing of the rows that were read, also if they follow runs for which bytes were waited.
#[test]
fn columns_after_runs_keep_no_windows() {
    let runs = runs(IN_ORDER);
    let n_rows = runs.len();
    let columns = [0, 1, 2].map(|n| numbers(n..n + n_rows as i64));
    let [a, b, c] = &columns;
    let first = RecordBatch::try_from_columns([
        ("r", runs.clone()),
        ("a", a.clone()),
        ("b", b.clone()),
        ("c", c.clone()),
    ]);
    let last = RecordBatch::try_from_columns([
        ("a", a.clone()),
        ("b", b.clone()),
        ("c", c.clone()),
        ("r", runs.clone()),
    ]);
    for options in ways_of_writing() {
        let n_held_bytes = [&first, &last].map(|batch| {
            let file = file(batch.as_ref().unwrap(), options.clone())?;
            let budget = MemoryBudget::unlimited();
            let options = ReadOptions::new().with_tail_bytes(0).with_memory_budget(budget.clone());
            let reader = FileReader::try_new_with(file, options).unwrap();
            let before = budget.n_bytes_allocated();
            let mut windows = reader.parts_of(0, 0..0, 0).unwrap();
            drop(windows.read(0..100_000).unwrap());
            drop(windows.read(100_000..200_000).unwrap());
            Some(budget.n_bytes_allocated() - before)
        });
        let [Some(first), Some(last)] = n_held_bytes else { continue };
        assert!(first <= last + (256 << 10), "{first} bytes are held after runs, {last} before them");
    }
}
