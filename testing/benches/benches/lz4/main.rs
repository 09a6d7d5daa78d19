//! Measures LZ4 with thirteen kinds of data for which the code was not tuned, in buffers of three sizes. It writes and
//! reads a column of bytes, alternating with the frame decoder of `lz4_flex`. Prints the best of many rounds, in GB/s of
//! uncompressed bytes. Run with `cargo bench -p benches --bench lz4`.

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
    println!("{:<18} {:>8} {:>7} {:>7} {:>7} {:>10}", "kind", "bytes", "ratio", "write", "read", "lz4_flex");
    for (name, make) in kinds::KINDS {
        for n_bytes in [4 << 10, 64 << 10, 1 << 20] {
            let bytes = make(ALL_BYTES);
            let batches: Vec<RecordBatch> = bytes.chunks(n_bytes).map(batch).collect();
            let file = Buffer::from(write(&batches));
            let frames: Vec<Vec<u8>> = bytes.chunks(n_bytes).map(frame).collect();
            let (mut best, mut to) = ([f64::MAX; 3], vec![0; n_bytes]);
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
                for frame in &frames {
                    FrameDecoder::new(&**frame).read_exact(&mut to).unwrap();
                    black_box(&to);
                }
                best[2] = best[2].min(start.elapsed().as_secs_f64());
            }
            let n_compressed: usize = frames.iter().map(Vec::len).sum();
            let ratio = ALL_BYTES as f64 / n_compressed as f64;
            let [write, read, peer] = best.map(|seconds| ALL_BYTES as f64 / seconds / 1e9);
            println!("{name:<18} {n_bytes:>8} {ratio:>7.2} {write:>7.2} {read:>7.2} {peer:>10.2}");
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
