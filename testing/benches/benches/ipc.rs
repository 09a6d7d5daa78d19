//! Measures writing and reading, compared with the least cost: copying or reading the same bytes. Run with `cargo bench
//! -p benches --bench ipc`; judge by the ratio to the least cost in the same run.

#![allow(missing_docs)] // what the macros of criterion make

use std::{hint::black_box, io::Write};

use arrow_array::{Float64Array, Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    FileReader, Projection, ReadOptions, Step, StreamDecoder, StreamEncoder, StreamWriter, Validation,
};
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};

criterion_group!(benches, bulk_write, bulk_text_read, wide, tiny);
criterion_main!(benches);

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn numbers(n_columns: usize, n_rows: usize) -> RecordBatch {
    let column = |column_idx: usize| {
        let first = column_idx as i64;
        let values = Int64Array::from_iter((0..n_rows as i64).map(|row| row * 7919 + first));
        (format!("column_{column_idx}"), ArrayData::from(values))
    };
    RecordBatch::try_from_columns((0..n_columns).map(column)).unwrap()
}

fn text(pattern: &str, n_columns: usize, n_rows: usize) -> RecordBatch {
    let column = |column_idx: usize| {
        let values = (0..n_rows).map(|row| format!("{pattern} {}", (row * 7919 + column_idx) % 100_000));
        let values = Utf8Array::try_from_iter(values.collect::<Vec<_>>().iter().map(String::as_str)).unwrap();
        (format!("column_{column_idx}"), ArrayData::from(values))
    };
    RecordBatch::try_from_columns((0..n_columns).map(column)).unwrap()
}

fn small() -> RecordBatch {
    let words: Vec<String> = (0..10).map(|row| format!("value {row}")).collect();
    RecordBatch::try_from_columns([
        ("id", ArrayData::from(Int64Array::from_iter(0..10))),
        ("price", ArrayData::from(Float64Array::from_iter((0..10).map(f64::from)))),
        ("name", ArrayData::from(Utf8Array::try_from_iter(words.iter().map(String::as_str)).unwrap())),
        ("count", ArrayData::from(Int64Array::from_iter((0..10).map(|row| (row % 3 > 0).then_some(row))))),
    ])
    .unwrap()
}

fn stream(batches: &[RecordBatch]) -> Buffer {
    let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    Buffer::from(writer.finish().unwrap()).to_aligned(64)
}

/// Reads a stream in memory without a copy.
fn read(stream: &Buffer, validation: Validation) -> usize {
    let options = ReadOptions::new().with_validation(validation);
    let mut decoder = StreamDecoder::new_with(options);
    decoder.feed(stream.clone());
    decoder.finish_input();
    let mut n_rows = 0;
    loop {
        match decoder.step().unwrap() {
            Step::Batch(next) => n_rows += next.batch.n_rows(),
            Step::End => return n_rows,
            _ => {}
        }
    }
}

/// Memory that is overwritten each time.
struct ReusedMemory<'a> {
    memory: &'a mut [u8],
    n_written: usize,
}

impl Write for ReusedMemory<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.memory[self.n_written..][..bytes.len()].copy_from_slice(bytes);
        self.n_written += bytes.len();
        Ok(bytes.len())
    }

    fn write_vectored(&mut self, slices: &[std::io::IoSlice<'_>]) -> std::io::Result<usize> {
        slices.iter().try_fold(0, |n_written, slice| Ok(n_written + self.write(slice)?))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn copy_floor(group: &mut Group<'_>, bytes: &[u8]) {
    let mut copy = vec![0u8; bytes.len()];
    group.bench_function("floor: memcpy", |bencher| bencher.iter(|| copy.copy_from_slice(black_box(bytes))));
}

fn bulk_write(criterion: &mut Criterion) {
    let batches: Vec<RecordBatch> = (0..4).map(|_| numbers(16, 64 << 10)).collect();
    let whole = stream(&batches);
    let mut group = criterion.benchmark_group("write 32 MiB of int64");
    group.throughput(Throughput::Bytes(whole.len() as u64)).sample_size(20);
    copy_floor(&mut group, &whole);
    let mut memory = vec![0u8; whole.len()];
    group.bench_function("reused memory", |bencher| {
        bencher.iter(|| {
            let sink = ReusedMemory { memory: &mut memory, n_written: 0 };
            let mut writer = StreamWriter::try_new(sink, batches[0].schema()).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            assert_eq!(writer.finish().unwrap().n_written, whole.len());
        });
    });
    // Memory that is fresh each time: most of this is page faults.
    group.bench_function("fresh memory, to_buffer", |bencher| {
        bencher.iter(|| StreamWriter::write_to_buffer(batches[0].schema(), &batches).unwrap());
    });
    group.bench_function("fresh memory, a vector that grows", |bencher| {
        bencher.iter(|| {
            let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap()
        });
    });
    group.finish();
}

fn bulk_text_read(criterion: &mut Criterion) {
    for (name, pattern) in
        [("ASCII", "some text of plain letters"), ("multi-byte", "grüße, мир и 世界 — ça va")]
    {
        let whole = stream(&[text(pattern, 8, 64 << 10), text(pattern, 8, 64 << 10)]);
        let mut group = criterion.benchmark_group(format!("read {name} utf8 from memory, content checked"));
        group.throughput(Throughput::Bytes(whole.len() as u64)).sample_size(20);
        copy_floor(&mut group, &whole);
        group.bench_function("stream", |bencher| bencher.iter(|| read(&whole, Validation::Content)));
        group.finish();
    }
}

fn wide(criterion: &mut Criterion) {
    let batch = numbers(10_000, 10);
    let whole = stream(std::slice::from_ref(&batch));
    let mut group = criterion.benchmark_group("one batch of 10,000 columns");
    group.sample_size(20);
    copy_floor(&mut group, &whole);
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    encoder.start().unwrap();
    let mut memory = vec![0u8; whole.len()];
    group.bench_function("write the batch", |bencher| {
        bencher.iter(|| {
            let mut sink = ReusedMemory { memory: &mut memory, n_written: 0 };
            encoder.encode(&batch).unwrap().write_to(&mut sink).unwrap();
        });
    });
    group.bench_function("write schema and batch", |bencher| {
        bencher.iter(|| {
            let sink = ReusedMemory { memory: &mut memory, n_written: 0 };
            let mut writer = StreamWriter::try_new(sink, batch.schema()).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap().n_written
        });
    });
    group.bench_function("read schema and batch", |bencher| {
        bencher.iter(|| read(&whole, Validation::Content))
    });
    wide_file(&mut group, &batch);
    group.finish();
}

fn wide_file(group: &mut Group<'_>, batch: &RecordBatch) {
    let mut writer = arrow_ipc::FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(batch).unwrap();
    let file = Buffer::from(writer.finish().unwrap()).to_aligned(64);
    group.bench_function("open the file", |bencher| {
        bencher.iter_batched(
            || file.clone(),
            |file| FileReader::try_from_buffer(file).unwrap(),
            BatchSize::PerIteration,
        );
    });
    let reader = FileReader::try_from_buffer(file).unwrap();
    group.bench_function("read the batch", |bencher| bencher.iter(|| reader.batch(0).unwrap()));
    let column = reader.project(&Projection::Positions(vec![5_000])).unwrap();
    group.bench_function("read one column", |bencher| bencher.iter(|| column.batch(0).unwrap()));
}

fn tiny(criterion: &mut Criterion) {
    const N_BATCHES: usize = 1_000;
    let batch = small();
    let whole = stream(&vec![batch.clone(); N_BATCHES]);
    let mut group = criterion.benchmark_group("1,000 batches of 10 rows × 4 columns");
    group.throughput(Throughput::Elements(N_BATCHES as u64)).sample_size(20);
    copy_floor(&mut group, &whole);
    let mut memory = vec![0u8; whole.len()];
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            let sink = ReusedMemory { memory: &mut memory, n_written: 0 };
            let mut writer = StreamWriter::try_new(sink, batch.schema()).unwrap();
            (0..N_BATCHES).for_each(|_| writer.write(&batch).unwrap());
            writer.finish().unwrap().n_written
        });
    });
    for validation in [Validation::Content, Validation::Structure] {
        let name = format!("read, {validation:?}");
        group.bench_function(name, |bencher| bencher.iter(|| read(&whole, validation)));
    }
    group.finish();
}
