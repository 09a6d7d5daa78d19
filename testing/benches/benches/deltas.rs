//! Measures streams in which each batch comes with a delta of its dictionary. The cost of a batch must not depend on the
//! number of earlier batches. Run with `cargo bench -p benches --bench deltas`; compare the throughput of the lengths.

#![allow(missing_docs)] // what the macros of criterion make

use std::hint::black_box;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Step, StreamDecoder};
use bindings::flatbuf as fb;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

#[allow(dead_code)] // Most of it is for the tests.
#[path = "../../../crates/arrow-ipc/tests/it/hostile/wire.rs"]
mod wire;

use wire::{Batch, Message, encoded, field, schema, stream, words};

criterion_group!(benches, deltas);
criterion_main!(benches);

/// The number of values of each delta, and of rows of each batch.
const N_VALUES: i32 = 100;

fn word_values(delta_idx: i32, null_count: i64) -> Batch {
    let first = delta_idx * N_VALUES;
    let text: String = (first..first + N_VALUES).map(|word| format!("word number {word:08}")).collect();
    let offsets: Vec<i32> = (0..=N_VALUES).map(|word| word * 20).collect();
    let mut bits = [0xff; 13];
    bits[5] = if null_count > 0 { 0xf7 } else { 0xff };
    Batch::new(N_VALUES.into())
        .node(N_VALUES.into(), null_count)
        .buffer(if null_count > 0 { &bits } else { &[] })
        .i32s(&offsets)
        .buffer(text.as_bytes())
}

fn list_values(delta_idx: i32) -> Batch {
    let first = delta_idx * N_VALUES;
    let offsets: Vec<i32> = (0..=N_VALUES).collect();
    let indices: Vec<i32> = (first..first + N_VALUES).rev().collect();
    let batch = Batch::new(N_VALUES.into()).node(N_VALUES.into(), 0).buffer(&[]).i32s(&offsets);
    batch.node(N_VALUES.into(), 0).buffer(&[]).i32s(&indices)
}

fn values(batch: Batch, id: i64, delta_idx: i32) -> Message {
    if delta_idx == 0 { batch.into_dictionary(id) } else { batch.into_delta(id) }
}

fn rows(delta_idx: i32) -> Message {
    let indices: Vec<i32> = (0..N_VALUES).map(|row| row * (delta_idx + 1)).collect();
    Batch::new(N_VALUES.into()).node(N_VALUES.into(), 0).buffer(&[]).i32s(&indices).into_message()
}

fn word_stream(n_batches: i32, null_count: i64) -> Vec<u8> {
    let batches = (0..n_batches)
        .flat_map(|delta_idx| [values(word_values(delta_idx, null_count), 7, delta_idx), rows(delta_idx)]);
    stream([Message::schema(schema([words("w", 7)]))].into_iter().chain(batches))
}

fn list_stream(n_batches: i32) -> Vec<u8> {
    let lists = encoded(field("l", fb::Type::List(Box::default()), [words("item", 7)]), 9);
    let batches = (0..n_batches).flat_map(|delta_idx| {
        let inner = values(word_values(delta_idx, 0), 7, delta_idx);
        [inner, values(list_values(delta_idx), 9, delta_idx), rows(delta_idx)]
    });
    stream([Message::schema(schema([lists]))].into_iter().chain(batches))
}

/// Reads all batches. A batch that is kept shares the memory of its dictionary at that time.
fn read(stream: &Buffer, mut keep: impl FnMut(RecordBatch)) -> usize {
    let mut decoder = StreamDecoder::new();
    decoder.feed(stream.clone());
    let mut n_batches = 0;
    loop {
        match decoder.step().unwrap() {
            Step::Batch(next) => {
                let batch = next.batch;
                keep(batch);
                n_batches += 1;
            }
            Step::End => return n_batches,
            _ => {}
        }
    }
}

fn deltas(criterion: &mut Criterion) {
    for (name, make) in [
        ("words", (|n| word_stream(n, 0)) as fn(i32) -> Vec<u8>),
        ("words, a null in each delta", |n| word_stream(n, 1)),
        ("lists of encoded words", list_stream),
    ] {
        let mut group = criterion.benchmark_group(name);
        for n_batches in [100, 1_000, 4_000] {
            let stream = Buffer::from(make(n_batches)).to_aligned(64);
            assert_eq!(read(&stream, drop), n_batches as usize);
            group.throughput(Throughput::Elements(n_batches as u64));
            group.bench_function(format!("{n_batches} batches, each dropped"), |bencher| {
                bencher.iter(|| black_box(read(&stream, drop)));
            });
            group.bench_function(format!("{n_batches} batches, all kept"), |bencher| {
                bencher.iter(|| {
                    let mut retained = Vec::new();
                    read(&stream, |batch| retained.push(batch));
                    retained
                });
            });
        }
    }
}
