//! Measures the cost of content checks for each kind of rule, compared with copying the same bytes. Also measures writing
//! views and small batches to a file. Run with `cargo bench -p benches --bench checks`.

#![allow(missing_docs)] // what the macros of criterion make

use std::{fs::File, hint::black_box};

use arrow_array::{Int64Array, LargeBinaryArray, Utf8Array, Utf8ViewArray};
use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{StreamEncoder, StreamWriter};
use arrow_schema::{DataType, IndexType};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

criterion_group!(benches, checks, write_views, write_to_file);
criterion_main!(benches);

const N_SLOTS: usize = 64 << 10;

/// The same array, marked as not validated.
fn unchecked(array: impl Into<ArrayData>) -> ArrayData {
    ArrayData::try_new(array.into().into_parts()).unwrap()
}

fn words(pattern: &str) -> Vec<String> {
    (0..N_SLOTS).map(|row| format!("{pattern} {}", row * 7919 % 100_000)).collect()
}

fn texts(pattern: &str) -> ArrayData {
    unchecked(Utf8Array::try_from_iter(words(pattern).iter().map(String::as_str)).unwrap())
}

fn views(pattern: &str) -> ArrayData {
    unchecked(words(pattern).iter().map(String::as_str).collect::<Utf8ViewArray>())
}

/// Indices into ten values. Every third slot is null; with `garbage`, its index is out of bounds.
fn indices(garbage: i32) -> ArrayData {
    let is_null = |slot: usize| slot.is_multiple_of(3);
    let index = |slot: usize| if is_null(slot) { garbage } else { (slot % 10) as i32 };
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Int64).unwrap();
    ArrayData::try_new(ArrayParts {
        buffers: [(0..N_SLOTS).map(index).collect::<Vec<i32>>().into(), Buffer::new()],
        validity: Some((0..N_SLOTS).map(|slot| !is_null(slot)).collect::<Bitmap>()),
        dictionary: Some(ArrayData::from(Int64Array::from_iter(0..10)).into()),
        ..ArrayParts::new(data_type, N_SLOTS)
    })
    .unwrap()
}

fn checks(criterion: &mut Criterion) {
    let bytes = unchecked(LargeBinaryArray::from_iter((0..N_SLOTS).map(|_| b"".as_slice())));
    for (name, array) in [
        ("offsets of 64 bits", bytes),
        ("ASCII text", texts("some text of plain letters")),
        ("multi-byte text", texts("grüße, мир и 世界 — ça va")),
        ("short views", views("ab")),
        ("long views, ASCII", views("some text of plain letters")),
        ("long views, multi-byte", views("grüße, мир и 世界 — ça va")),
        ("indices", indices(0)),
        ("indices with garbage below nulls", indices(i32::MAX)),
    ] {
        let mut group = criterion.benchmark_group(format!("check {name}"));
        let n_bytes = array.n_bytes() as usize;
        group.throughput(Throughput::Bytes(n_bytes as u64)).sample_size(20);
        let (from, mut to) = (vec![1u8; n_bytes], vec![0u8; n_bytes]);
        group.bench_function("floor: memcpy", |bencher| {
            bencher.iter(|| to.copy_from_slice(black_box(&from)));
        });
        group.bench_function("content", |bencher| {
            bencher.iter_batched(
                || array.clone(),
                |array| array.validate(Validation::Content).unwrap(),
                BatchSize::SmallInput,
            );
        });
        group.finish();
    }
}

fn write_views(criterion: &mut Criterion) {
    let views = views("some text of plain letters").validate(Validation::Content).unwrap();
    let batch = RecordBatch::try_from_columns([("v", views)]).unwrap();
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    let whole = encoder.encode(&batch).unwrap().to_bytes();
    let mut group = criterion.benchmark_group("write a column of views");
    group.throughput(Throughput::Bytes(whole.len() as u64)).sample_size(20);
    let mut memory = vec![0u8; whole.len()];
    group.bench_function("floor: memcpy", |bencher| {
        bencher.iter(|| memory.copy_from_slice(black_box(&whole)));
    });
    group.bench_function("batch", |bencher| {
        bencher.iter(|| {
            let mut sink = &mut memory[..];
            encoder.encode(&batch).unwrap().write_to(&mut sink).unwrap();
        });
    });
    group.finish();
}

fn write_to_file(criterion: &mut Criterion) {
    const N_BATCHES: usize = 1_000;
    let column = || ArrayData::from(Int64Array::from_iter(0..10));
    let batch = RecordBatch::try_from_columns(["a", "b", "c", "d"].map(|name| (name, column()))).unwrap();
    let path = std::env::temp_dir().join(format!("arrow-ipc-bench-{}.arrows", std::process::id()));
    let mut group = criterion.benchmark_group("1,000 batches of 10 rows × 4 columns to an unbuffered file");
    group.throughput(Throughput::Elements(N_BATCHES as u64)).sample_size(20);
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            let sink = File::create(&path).unwrap();
            let mut writer = StreamWriter::try_new(sink, batch.schema()).unwrap();
            (0..N_BATCHES).for_each(|_| writer.write(&batch).unwrap());
            writer.finish().unwrap();
        });
    });
    group.finish();
    std::fs::remove_file(path).unwrap();
}
