//! Rows of compressed batches that are large: they are the slice of the batch, and no more is read and decompressed than they need.
#![cfg(all(feature = "lz4", feature = "zstd"))]

use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{Compression, ErrorClass, FileReader, FileWriter, ReadOptions, WriteOptions};
use arrow_schema::{Field, Schema};
use testing_support::{Generator, Nulls, all_types, rows};

use crate::rows::CountedSource;

fn written(batch: &RecordBatch, compression: Compression) -> CountedSource {
    let options = WriteOptions::new().with_compression(compression);
    let bytes =
        FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), options).unwrap();
    CountedSource { bytes, n_read: Arc::default() }
}

fn open(file: &CountedSource, options: ReadOptions) -> FileReader<CountedSource> {
    let reader = FileReader::try_new_with(file.clone(), options.with_tail_bytes(0)).unwrap();
    file.n_read.store(0, Ordering::Relaxed);
    reader
}

/// Some rows, repeated many times. Runs that cannot have this number of rows are left out.
fn repeated(batch: &RecordBatch, n_times: usize) -> Option<RecordBatch> {
    let repeat = |column: &ArrayData| arrow_select::concat(&vec![column.clone(); n_times]).ok();
    let columns = batch.columns().iter().map(repeat).collect::<Option<Vec<ArrayData>>>()?;
    Some(RecordBatch::try_new(Arc::clone(batch.schema()), columns).unwrap())
}

#[test]
fn rows_of_large_batches_are_the_slice() {
    const N_ROWS: usize = 40_000;
    let mut n_in_part = 0;
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = Schema::new([Field::new("column", data_type)]);
        let some = Generator::new(seed as u64).batch(&schema, N_ROWS / 40, Nulls::Some);
        let Some(batch) = repeated(&some, 40) else { continue };
        let compression = if seed % 2 == 0 { Compression::lz4() } else { Compression::zstd() };
        let file = written(&batch, compression);
        let reader = open(&file, ReadOptions::new());
        for Range { start, end } in [0..10, 20_001..20_005, N_ROWS - 1..N_ROWS] {
            let found = reader.batch_rows(0, start as u64..end as u64);
            let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(rows(&found), rows(&batch.slice(start, end - start)), "{name}, {start}..{end}");
        }
        let n_decompressed = reader.stats().n_decompressed_bytes;
        let mut windows = reader.parts_of(0, 0..0, 0).unwrap();
        // The last one begins again.
        for Range { start, end } in [0..13, 13..9_001, 9_001..9_002, 20_000..40_000, 17..18] {
            let found = windows.read(start as u64..end as u64);
            let found = found.unwrap_or_else(|error| panic!("{name}, {start}..{end}: {error}"));
            assert!(found.same_values(&batch.slice(start, end - start)).unwrap(), "{name}, {start}..{end}");
        }
        let n_whole = open(&file, ReadOptions::new());
        n_whole.batch(0).unwrap();
        n_in_part += usize::from(n_decompressed < n_whole.stats().n_decompressed_bytes * 5 / 2);
    }
    assert!(n_in_part > 20, "{n_in_part} types are decompressed in part");
}

fn numbers_and_texts(n_rows: i64) -> RecordBatch {
    let numbers = arrow_array::Int64Array::from_iter(0..n_rows).into_data();
    let texts = (0..n_rows).map(|n| (n * 7919 % 1_000_003).to_string());
    let texts = arrow_array::Utf8Array::try_from_iter(texts).unwrap().into_data();
    let flags = arrow_array::BooleanArray::from_iter((0..n_rows).map(|n| n % 7 == 3)).into_data();
    RecordBatch::try_from_columns([("n", numbers), ("t", texts), ("f", flags)]).unwrap()
}

/// For any batch, the first rows need the first block of each buffer, and a piece of its bytes.
#[test]
fn the_first_rows_cost_no_more_in_a_larger_batch() {
    for compression in [Compression::lz4(), Compression::zstd()] {
        let costs = [200_000, 800_000].map(|n_rows| {
            let batch = numbers_and_texts(n_rows);
            let file = written(&batch, compression);
            let reader = open(&file, ReadOptions::new().with_memory_budget(MemoryBudget::new(2 << 20)));
            let found = reader.batch_rows(0, 0..10).unwrap();
            assert_eq!(rows(&found), rows(&batch.slice(0, 10)));
            (reader.stats().n_decompressed_bytes, file.n_read.load(Ordering::Relaxed))
        });
        let [small, large] = costs;
        assert!(
            large.0 <= 500_000 && large.0 <= small.0 + small.0 / 2,
            "{compression:?}: {costs:?} decompressed"
        );
        assert!(large.1 <= 400_000, "{compression:?}: {costs:?} read");
    }
}

/// The last rows need all of each frame, but it is neither kept nor is what it decompresses to.
#[test]
fn the_last_rows_take_little_memory() {
    let batch = numbers_and_texts(1_000_000);
    for compression in [Compression::lz4(), Compression::zstd()] {
        let file = written(&batch, compression);
        let budget = MemoryBudget::new(8 << 20);
        let reader = open(&file, ReadOptions::new().with_memory_budget(budget.clone()));
        assert!(reader.batch(0).is_err(), "the batch has 19 MB");
        let found = reader.batch_rows(0, 999_990..1_000_000).unwrap();
        assert_eq!(rows(&found), rows(&batch.slice(999_990, 10)));
        drop(found);
        assert!(file.n_read.load(Ordering::Relaxed) <= file.bytes.len() as u64 * 3, "{compression:?}");
    }
}

/// Lengths before frames that declare 2⁶⁰ bytes; and frames with fewer bytes than requested.
#[test]
fn declared_lengths_are_refused_before_anything_is_decompressed() {
    let batch = numbers_and_texts(200_000);
    for compression in [Compression::lz4(), Compression::zstd()] {
        let file = written(&batch, compression);
        let declared_length = (200_000u64 * 8).to_le_bytes();
        let position = file
            .bytes
            .windows(8)
            .position(|word| *word == declared_length)
            .expect("the length of the numbers");
        for (declared, class) in [(1u64 << 60, ErrorClass::Malformed), (1_700_000, ErrorClass::Malformed)] {
            let mut bytes = file.bytes.to_vec();
            bytes[position..position + 8].copy_from_slice(&declared.to_le_bytes());
            let damaged = CountedSource { bytes: bytes.into(), n_read: Arc::default() };
            let reader = open(&damaged, ReadOptions::new().with_memory_budget(MemoryBudget::new(4 << 20)));
            for rows in [0..1, 199_999..200_000] {
                match reader.batch_rows(0, rows.clone()) {
                    Err(error) => assert_eq!(error.class(), class, "{error}"),
                    // A frame that does not say how much it holds was not decompressed that far.
                    Ok(found) => assert_eq!((declared, found.n_rows()), (1_700_000, 1)),
                }
            }
        }
    }
}

/// Of each buffer all is read and decompressed once, in the memory of some windows.
#[test]
fn windows_in_order_decompress_the_batch_once() {
    let batch = numbers_and_texts(1_000_000);
    for compression in [Compression::lz4(), Compression::zstd()] {
        let file = written(&batch, compression);
        let reader = open(&file, ReadOptions::new().with_memory_budget(MemoryBudget::new(8 << 20)));
        let mut windows = reader.parts_of(0, 0..0, 0).unwrap();
        for start in (0..1_000_000).step_by(50_000) {
            let found = windows.read(start as u64..start as u64 + 50_000).unwrap();
            assert!(found.same_values(&batch.slice(start, 50_000)).unwrap(), "{start}");
        }
        let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).sum::<u64>();
        // For each window of each buffer, a little that the next one needs is read, too.
        let most_read = file.bytes.len() as u64 * 5 / 4 + 20 * 4 * (80 << 10);
        let (n_made, n_read) = (reader.stats().n_decompressed_bytes, file.n_read.load(Ordering::Relaxed));
        assert!(n_made < n_bytes + n_bytes / 20, "{compression:?}: {n_made} of {n_bytes} decompressed");
        assert!(n_read < most_read, "{compression:?}: {n_read} of {} read", file.bytes.len());
    }
}
