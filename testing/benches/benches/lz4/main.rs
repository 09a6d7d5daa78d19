//! Measures LZ4 with thirteen kinds of data, in buffers of three sizes. It writes and reads a column of bytes, in turns with
//! the frames of `lz4_flex`, whose encoder has `unsafe` code and whose decoder has none. Prints the best of many rounds, in GB/s
//! of uncompressed bytes, and how many times larger the uncompressed bytes are. Run with `cargo bench -p benches --bench lz4`.

mod kinds;

use std::{hint::black_box, io::Read, time::Instant};

use arrow_array::UInt8Array;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileReader, FileWriter, WriteOptions};
use lz4_flex::frame::{FrameDecoder, FrameEncoder};

const N_ROUNDS: usize = 100;
const ALL_BYTES: usize = 1 << 20;

fn main() {
    let lz4_flex = "lz4_flex";
    println!(
        "{:<18} {:>8} | {:>6} {lz4_flex:>9} | {:>6} {lz4_flex:>9} | {:>6} {lz4_flex:>9}",
        "kind", "bytes", "ratio", "write", "read"
    );
    for (name, make) in kinds::KINDS {
        for n_bytes in [4 << 10, 64 << 10, 1 << 20] {
            let bytes = make(ALL_BYTES);
            let batches: Vec<RecordBatch> = bytes.chunks(n_bytes).map(batch).collect();
            let file = Buffer::from(write(&batches));
            let frames: Vec<Vec<u8>> = bytes.chunks(n_bytes).map(frame).collect();
            let (mut best, mut to) = ([f64::MAX; 4], vec![0; n_bytes]);
            for _ in 0..N_ROUNDS {
                let start = Instant::now();
                black_box(write(&batches));
                best[0] = best[0].min(start.elapsed().as_secs_f64());

                let start = Instant::now();
                FileReader::try_from_buffer(file.clone())
                    .unwrap()
                    .batches()
                    .for_each(|batch| drop(black_box(batch.unwrap())));
                best[1] = best[1].min(start.elapsed().as_secs_f64());

                let start = Instant::now();
                bytes.chunks(n_bytes).for_each(|bytes| drop(black_box(frame(bytes))));
                best[2] = best[2].min(start.elapsed().as_secs_f64());

                let start = Instant::now();
                for frame in &frames {
                    FrameDecoder::new(&**frame).read_exact(&mut to).unwrap();
                    black_box(&to);
                }
                best[3] = best[3].min(start.elapsed().as_secs_f64());
            }
            let ratio = |n_compressed: usize| ALL_BYTES as f64 / n_compressed as f64;
            let (ours, theirs) = (ratio(file.len()), ratio(frames.iter().map(Vec::len).sum()));
            let [write, read, encode, decode] = best.map(|seconds| ALL_BYTES as f64 / seconds / 1e9);
            println!(
                "{name:<18} {n_bytes:>8} | {ours:>6.2} {theirs:>9.2} | {write:>6.2} {encode:>9.2} | {read:>6.2} {decode:>9.2}"
            );
        }
    }
}

fn batch(bytes: &[u8]) -> RecordBatch {
    let column = UInt8Array::from_iter(bytes.iter().copied());
    RecordBatch::try_from_columns([("bytes", column.into())]).unwrap()
}

fn write(batches: &[RecordBatch]) -> Vec<u8> {
    let options = WriteOptions::new().with_compression(Compression::lz4());
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = FrameEncoder::new(Vec::new());
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
}
