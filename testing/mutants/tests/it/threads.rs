//! Many threads share a reader. Each thread must read the same as a single thread.

use std::{sync::Barrier, thread};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, ReadOptions, RecycledMemory};
use testing_support::{Generator, Nulls, Rng, schema_of_all_types};

const N_THREADS: usize = 16;

/// A file with every type, whose batches share dictionaries.
fn file() -> Buffer {
    let schema = schema_of_all_types();
    let batch = Generator::new(46).batch(&schema, 30, Nulls::Some);
    let batches = [batch.slice(0, 9), batch.slice(4, 0), batch.clone(), batch.slice(27, 3)];
    FileWriter::write_to_buffer(batch.schema(), &batches).expect("generated")
}

/// Each thread reads the batches in a different order, all at the same time. A dictionary is read by the first thread
/// that needs it.
fn read_by_all(reader: &FileReader<Buffer>, expected: &[RecordBatch]) {
    let barrier = Barrier::new(N_THREADS);
    thread::scope(|scope| {
        for number in 0..N_THREADS {
            let (reader, barrier) = (reader.clone(), &barrier);
            scope.spawn(move || {
                let mut rng = Rng::new(number as u64);
                barrier.wait();
                for _ in 0..2 * expected.len() {
                    let batch_idx = rng.below(expected.len());
                    let batch = reader.batch(batch_idx).expect("it is sound");
                    assert_eq!(batch.same_values(&expected[batch_idx]), Ok(true), "batch {batch_idx}");
                }
            });
        }
    });
}

#[test]
fn threads_share_a_reader_and_its_dictionaries() {
    let bytes = file();
    let reader = FileReader::try_from_buffer(bytes.clone()).expect("it is sound");
    let expected: Vec<RecordBatch> = reader.batches().collect::<Result<_, _>>().expect("it is sound");
    for options in [
        ReadOptions::new(),
        ReadOptions::new().with_tail_bytes(64).with_recycled_memory(RecycledMemory::new()),
    ] {
        // A new reader each time: nothing has been read of its dictionaries.
        let reader = FileReader::try_new_with(bytes.clone(), options).expect("it is sound");
        read_by_all(&reader, &expected);
    }
}
