//! One batch in parts: together they equal the batch, have the same limits, and take the memory of a few rows.

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, Endianness, ErrorClass, FileReader, FileWriter, IpcErrorKind, Limits, Projection,
    ReadOptions, Result, SeekSource, WriteOptions, file::BatchParts,
};
use arrow_schema::RunEndType;
use testing_support::{Generator, make, rows, schema_of_all_types};

fn ways_of_writing() -> [WriteOptions; 3] {
    [None, Compression::lz4().into(), Compression::zstd().into()]
        .map(|codec| WriteOptions::new().with_compression(codec))
}

fn file(batch: &RecordBatch, options: WriteOptions) -> Option<Buffer> {
    FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), options).ok()
}

type MemorySource = SeekSource<std::io::Cursor<Vec<u8>>>;

fn open(bytes: &Buffer, options: ReadOptions) -> FileReader<MemorySource> {
    let source = SeekSource::new(std::io::Cursor::new(bytes.to_vec()));
    FileReader::try_new_with(source, options.with_tail_bytes(0)).unwrap()
}

fn by_columns(reader: &FileReader<MemorySource>, max_bytes: u64) -> Result<Vec<BatchParts<MemorySource>>> {
    reader.parts_of(0, 0..reader.n_rows_of(0)?, max_bytes)?.by_columns()
}

fn parts(reader: &FileReader<MemorySource>, max_bytes: u64) -> Result<Vec<Vec<RecordBatch>>> {
    by_columns(reader, max_bytes)?.into_iter().map(Iterator::collect).collect()
}

#[test]
fn they_are_the_batch() {
    let schema = schema_of_all_types();
    let batch = Generator::new(5).batches(&schema, &[70]).remove(0);
    for options in ways_of_writing() {
        let Some(bytes) = file(&batch, options) else { continue };
        let all = open(&bytes, ReadOptions::new());
        let some = all.project(&Projection::Positions(vec![40, 2, 7, 19])).unwrap();
        let none = all.project(&Projection::Positions(Vec::new())).unwrap();
        for reader in [all, some, none] {
            let whole = reader.batch(0).unwrap();
            for max_bytes in [0, 100, 2_000, 20_000, u64::MAX] {
                let (parts, mut first) = (parts(&reader, max_bytes).unwrap(), 0);
                // A column of nulls has no bytes.
                assert!(max_bytes > 0 || parts.len() + 2 > whole.n_columns());
                assert!(max_bytes < u64::MAX || parts.len() == 1);
                assert!(max_bytes > 100 || whole.n_columns() == 0 || parts.iter().any(|part| part.len() > 2));
                for part in parts {
                    let columns: Vec<usize> = (first..first + part[0].n_columns()).collect();
                    first += columns.len();
                    let expected = whole.project(&columns).unwrap();
                    assert!(part.iter().all(|rows| rows.schema() == expected.schema()));
                    let found: Vec<_> = part.iter().flat_map(rows).collect();
                    assert_eq!(found, rows(&expected));
                }
                assert_eq!(first, whole.n_columns());
            }
        }
    }
}

fn numbers(n_columns: i64) -> RecordBatch {
    let column = |idx: i64| arrow_array::Int64Array::from_iter((0..50_000).map(|n| n * idx)).into_data();
    RecordBatch::try_from_columns((0..n_columns).map(|idx| (format!("{idx}"), column(idx)))).unwrap()
}

/// 16 columns of 400 KB: the rows of each, and what a codec keeps of it.
#[test]
fn memory_is_that_of_a_few_rows() {
    for options in ways_of_writing() {
        let Some(bytes) = file(&numbers(16), options) else { continue };
        let budget = MemoryBudget::new(3 * 400_000);
        let reader = open(&bytes, ReadOptions::new().with_memory_budget(budget.clone()));
        assert!(
            matches!(reader.batch(0).unwrap_err().kind(), IpcErrorKind::Memory(_)),
            "the batch has 6.4 MB"
        );
        let mut n_columns = 0;
        for part in by_columns(&reader, 10_000).unwrap() {
            n_columns += part.columns().len();
            let rows = part.map(|rows| rows.unwrap().n_rows());
            assert_eq!(rows.sum::<usize>(), 50_000);
        }
        assert_eq!(n_columns, 16);
    }
}

/// A limit of what a batch decompresses to is not one of each column, whether its rows are read at once or some after others.
#[test]
fn limits_are_those_of_the_batch() {
    let limits = Limits::new().with_max_decompressed_bytes(400_000 * 5 / 2);
    for options in &ways_of_writing()[1..] {
        let Some(bytes) = file(&numbers(4), options.clone()) else { continue };
        let reader = open(&bytes, ReadOptions::new().with_limits(limits.clone()));
        for max_bytes in [50_000, 500_000] {
            let mut parts = by_columns(&reader, max_bytes).unwrap().into_iter();
            assert!((0..2).all(|_| parts.next().unwrap().all(|rows| rows.is_ok())));
            let mut third = parts.next().unwrap();
            let error = third.find_map(Result::err).unwrap();
            assert_eq!(error.class(), ErrorClass::LimitExceeded);
            assert!(third.next().is_none(), "an error is the end");
        }
        assert!(reader.parts_of(1, 0..0, 0).is_err());
    }
}

/// Parts of some rows, and any rows between them, equal the rows of the batch.
#[test]
fn some_rows_are_divided_by_columns_and_read_in_any_order() {
    let schema = schema_of_all_types();
    let batch = Generator::new(6).batches(&schema, &[70]).remove(0);
    for options in ways_of_writing() {
        let Some(bytes) = file(&batch, options) else { continue };
        let reader = open(&bytes, ReadOptions::new());
        let whole = reader.batch(0).unwrap();
        let mut n_columns = 0;
        for part in reader.parts_of(0, 9..61, 500).unwrap().by_columns().unwrap() {
            assert_eq!((part.n_rows_left(), part.columns().start), (52, n_columns));
            let columns: Vec<usize> = part.columns().collect();
            n_columns += columns.len();
            let found: Vec<_> = part.flat_map(|read| rows(&read.unwrap())).collect();
            assert_eq!(found, rows(&whole.project(&columns).unwrap().slice(9, 52)));
        }
        assert_eq!(n_columns, whole.n_columns());
        let (mut parts, mut found) = (reader.parts_of(0, 9..61, 500).unwrap(), Vec::new());
        while let Some(part) = parts.next() {
            found.extend(rows(&part.unwrap()));
            for start in [3u64, 66, 40] {
                let read = parts.read(start..start + 2).unwrap();
                assert_eq!(rows(&read), rows(&whole.slice(start as usize, 2)));
            }
        }
        assert_eq!(found, rows(&whole.slice(9, 52)));
    }
}

/// Each part looks for its runs, and copies their ends for that in the byte order of the machine. All parts together do not exceed
/// the copies that a batch allows.
#[test]
fn small_parts_of_runs_in_the_other_byte_order_are_read() {
    const N_RUNS: i64 = 50_000;
    let other = if Endianness::NATIVE == Endianness::Little { Endianness::Big } else { Endianness::Little };
    let ends: Vec<i64> = (1..=N_RUNS).collect();
    let values = arrow_array::Int64Array::from_iter(0..N_RUNS).into_data();
    let runs = make::runs(RunEndType::Int64, N_RUNS as usize, &ends, values);
    let batch = RecordBatch::try_from_columns([("r", runs)]).unwrap();
    let bytes = file(&batch, WriteOptions::new().with_endianness(other)).unwrap();
    let reader = open(&bytes, ReadOptions::new());
    let mut n_rows = 0;
    for part in reader.parts_of(0, 0..N_RUNS as u64, 1_000).unwrap() {
        let part = part.unwrap();
        n_rows += part.n_rows();
        assert!(part.n_rows() < 1_000);
    }
    assert_eq!(n_rows, N_RUNS as usize);
}
