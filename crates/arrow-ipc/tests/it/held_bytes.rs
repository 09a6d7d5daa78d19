//! The bytes that a batch holds are those that the allocator gets back when it is dropped.

use arrow_buffer::{AllocationSet, Bitmap, Buffer};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{StreamReader, StreamWriter};
use arrow_select::Select;
use testing_support::{Generator, Nulls, all_types};

use crate::ALLOCATOR;

fn add_buffers(array: &ArrayData, to: &mut Vec<Buffer>) {
    to.extend(array.validity().map(Bitmap::buffer).cloned());
    to.extend([array.buffer(0).clone(), array.buffer(1).clone()]);
    to.extend(array.variadic().iter().cloned());
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
    below.for_each(|array| add_buffers(array, to));
}

/// Drops the batches and then their buffers, one after the other. A buffer that is the last of its memory frees the memory and
/// the reference count.
fn n_freed_bytes(batches: Vec<RecordBatch>) -> u64 {
    let own = Buffer::from(vec![1_u8]);
    let n_own_bytes = -ALLOCATOR.measure(|| drop(own)).1.live_bytes - 1;
    let mut buffers = Vec::new();
    batches.iter().flat_map(RecordBatch::columns).for_each(|column| add_buffers(column, &mut buffers));
    drop(batches);
    let mut n_freed = 0;
    while let Some(buffer) = buffers.pop() {
        let n_bytes = -ALLOCATOR.measure(|| drop(buffer)).1.live_bytes;
        n_freed += if n_bytes > 0 { n_bytes - n_own_bytes } else { 0 };
    }
    n_freed as u64
}

fn n_held_bytes(batches: &[RecordBatch]) -> u64 {
    let mut allocations = AllocationSet::new();
    batches.iter().for_each(|batch| batch.add_allocations(&mut allocations));
    allocations.n_bytes()
}

fn check(batches: Vec<RecordBatch>, name: &str) {
    let n_bytes = n_held_bytes(&batches);
    let apart: u64 = batches.iter().map(RecordBatch::n_held_bytes).sum();
    assert!(apart >= n_bytes, "{name}");
    assert_eq!(n_freed_bytes(batches), n_bytes, "{name}");
}

#[test]
fn they_are_the_freed_bytes() {
    for (name, data_type) in all_types() {
        let batch = || {
            let array = Generator::new(2).array(&data_type, 300, Nulls::Some);
            let twice = array.slice(10, 200);
            RecordBatch::try_from_columns([("a", array.slice(0, 200)), ("b", twice)]).unwrap()
        };
        check(vec![batch()], &name);
        let whole = batch();
        let row = whole.slice(3, 1);
        drop(whole);
        check(vec![row], &format!("{name}, one row"));
        let whole = batch();
        let halves = vec![whole.slice(0, 100), whole.slice(100, 100)];
        drop(whole);
        check(halves, &format!("{name}, two halves"));
        let whole = batch();
        let compact = whole.compact().unwrap();
        drop(whole);
        check(vec![compact], &format!("{name}, compact"));
    }
}

/// All columns and both batches share the memory of the stream.
#[test]
fn batches_of_one_stream_share_its_memory() {
    let array = Generator::new(2).array(&"utf8".parse().unwrap(), 300, Nulls::Some);
    let batch = RecordBatch::try_from_columns([("a", array.clone()), ("b", array)]).unwrap();
    let schema = batch.schema().clone();
    let stream = StreamWriter::write_to_buffer(schema, &[batch.clone(), batch]).unwrap();
    let n_bytes = stream.len() as u64;
    let reader = StreamReader::try_from_buffer(stream).unwrap();
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    assert!(batches.iter().all(|batch| batch.n_held_bytes() >= n_bytes));
    assert!(n_held_bytes(&batches) < n_bytes + 200);
    check(batches, "stream");
}
