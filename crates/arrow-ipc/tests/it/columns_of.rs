//! The columns of one batch, some after others: they are those of the batch, held to its limits, in the memory of a few.

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, ErrorClass, FileReader, FileWriter, IpcErrorKind, Limits, Projection, ReadOptions, Result,
    SeekSource, WriteOptions,
};
use testing_support::{Generator, rows, schema_of_all_types};

fn ways_of_writing() -> [WriteOptions; 3] {
    [None, Compression::lz4().into(), Compression::zstd().into()]
        .map(|codec| WriteOptions::new().with_compression(codec))
}

fn file(batch: &RecordBatch, options: WriteOptions) -> Option<Buffer> {
    FileWriter::to_buffer(batch.schema(), std::slice::from_ref(batch), options).ok()
}

fn open(bytes: &Buffer, options: ReadOptions) -> FileReader<SeekSource<std::io::Cursor<Vec<u8>>>> {
    let source = SeekSource::new(std::io::Cursor::new(bytes.to_vec()));
    FileReader::try_from_source(source, options.with_tail_bytes(0)).unwrap()
}

#[test]
fn they_are_those_of_the_batch() {
    let schema = schema_of_all_types();
    let batch = Generator::new(5).batches(&schema, &[70]).remove(0);
    for options in ways_of_writing() {
        let Some(bytes) = file(&batch, options) else { continue };
        let all = open(&bytes, ReadOptions::new());
        let some = all.project(&Projection::Positions(vec![40, 2, 7, 19])).unwrap();
        let none = all.project(&Projection::Positions(Vec::new())).unwrap();
        for reader in [all, some, none] {
            let whole = reader.batch(0).unwrap();
            for max_bytes in [0, 2_000, 20_000, u64::MAX] {
                let parts: Vec<RecordBatch> =
                    reader.columns_of(0, max_bytes).unwrap().collect::<Result<_>>().unwrap();
                // A column of nulls has no bytes.
                assert!(max_bytes > 0 || parts.len() + 2 > whole.n_columns());
                assert!(max_bytes < u64::MAX || parts.len() == 1);
                let fields = parts.iter().flat_map(|part| part.schema().fields().to_vec());
                assert_eq!(fields.collect::<Vec<_>>(), whole.schema().fields());
                let columns: Vec<_> = parts.iter().flat_map(|part| part.columns().to_vec()).collect();
                let joined = RecordBatch::try_new_with_rows(whole.schema().clone(), columns, 70).unwrap();
                assert_eq!(rows(&joined), rows(&whole));
            }
        }
    }
}

fn numbers(n_columns: i64) -> RecordBatch {
    let column = |idx: i64| arrow_array::Int64Array::from_iter((0..50_000).map(|n| n * idx)).into_data();
    RecordBatch::try_from_columns((0..n_columns).map(|idx| (format!("{idx}"), column(idx)))).unwrap()
}

/// 16 columns of 400 KB: each within the memory of four.
#[test]
fn memory_is_that_of_a_few_columns() {
    for options in ways_of_writing() {
        let Some(bytes) = file(&numbers(16), options) else { continue };
        let budget = MemoryBudget::new(4 * 400_000);
        let reader = open(&bytes, ReadOptions::new().with_memory_budget(budget.clone()));
        assert!(
            matches!(reader.batch(0).unwrap_err().kind(), IpcErrorKind::Memory(_)),
            "the batch has 6.4 MB"
        );
        let n_columns = reader.columns_of(0, 10_000).unwrap().map(|columns| columns.unwrap().n_columns());
        assert_eq!(n_columns.sum::<usize>(), 16);
    }
}

/// A limit of what a batch decompresses to is not one of each column.
#[test]
fn limits_are_those_of_the_batch() {
    let limits = Limits::new().with_max_decompressed_bytes(400_000 * 5 / 2);
    for options in &ways_of_writing()[1..] {
        let Some(bytes) = file(&numbers(4), options.clone()) else { continue };
        let reader = open(&bytes, ReadOptions::new().with_limits(limits.clone()));
        let mut columns = reader.columns_of(0, 0).unwrap();
        assert!(columns.next().unwrap().is_ok() && columns.next().unwrap().is_ok());
        assert_eq!(columns.next().unwrap().unwrap_err().class(), ErrorClass::LimitExceeded);
        assert!(columns.next().is_none(), "an error is the end");
        assert!(reader.columns_of(1, 0).is_err());
    }
}
