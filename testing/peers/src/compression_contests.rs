//! Compares the compression of bodies with buffers of 512 KiB and of 4 KiB: they are written, and read from a stream of
//! many batches. `testing/python/bench_compression.py` has the same data for Arrow C++.

use crate::contest::Contest;
use crate::{format::Format, ours, theirs};
use arrow_ipc::{Compression, Step, StreamDecoder, StreamEncoder, WriteOptions};
use rs_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use rs_buffer::MutableBuffer;
use rs_ipc::CompressionType;
use rs_ipc::writer::{IpcWriteOptions, StreamWriter};
use std::hint::black_box;
use std::sync::Arc;

const N_LARGE_ROWS: u64 = 64 << 10;
const N_LARGE_COLUMNS: u64 = 8;
const N_SMALL_ROWS: u64 = 512;
const N_SMALL_COLUMNS: u64 = 100;

const N_BATCHES: usize = 8;

/// The level of Zstandard for both.
const LEVEL: i32 = 1;

/// One batch for both libraries, and a stream of it for each codec, written by arrow-rs.
struct Data {
    name: &'static str,
    ours: arrow_data::RecordBatch,
    theirs: RecordBatch,
    streams: [Stream; 2],
}

struct Stream {
    codec: Codec,
    ours: arrow_buffer::Buffer,
    theirs: rs_buffer::Buffer,
}

#[derive(Clone, Copy)]
struct Codec {
    name: &'static str,
    ours: Compression,
    theirs: CompressionType,
}

/// Makes a column of a number of rows, by its position.
type MakeColumn = fn(u64, u64) -> ArrayRef;

/// The data of all contests.
pub struct CompressionData(Vec<Data>);

impl Default for CompressionData {
    fn default() -> Self {
        let sets: [(&'static str, MakeColumn, u64, u64); 5] = [
            ("sorted i64, 512 KiB", sorted, N_LARGE_ROWS, N_LARGE_COLUMNS),
            ("f64, 512 KiB", floats, N_LARGE_ROWS, N_LARGE_COLUMNS),
            ("text, 1.6 MiB", text, N_LARGE_ROWS, N_LARGE_COLUMNS),
            ("sorted i64, 4 KiB", sorted, N_SMALL_ROWS, N_SMALL_COLUMNS),
            ("text, 13 KiB", text, N_SMALL_ROWS, N_SMALL_COLUMNS),
        ];
        Self(
            sets.into_iter()
                .map(|(name, column, n_rows, n_columns)| {
                    let column = |idx| (format!("column {idx}"), column(n_rows, idx));
                    Data::new(name, (0..n_columns).map(column).collect())
                })
                .collect(),
        )
    }
}

fn mixed(k: u64) -> u64 {
    let k = k.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (k ^ k >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

/// Sorted numbers, with steps from 0 to 999.
fn sorted(n_rows: u64, column_idx: u64) -> ArrayRef {
    let steps = (0..n_rows).scan(0, |sum, k| {
        *sum += mixed(k + column_idx) as i64 % 1_000;
        Some(*sum)
    });
    Arc::new(Int64Array::from_iter_values(steps))
}

fn floats(n_rows: u64, column_idx: u64) -> ArrayRef {
    let float = |k: u64| (mixed(k) ^ mixed(k * 31 + 7)) as f64 / 3.0;
    Arc::new(Float64Array::from_iter_values((0..n_rows).map(|k| float(k + column_idx))))
}

fn text(n_rows: u64, column_idx: u64) -> ArrayRef {
    let word = |k: u64| format!("a word of plain letters {}", mixed(k) % 1_000);
    Arc::new(StringArray::from_iter_values((0..n_rows).map(|k| word(k + column_idx))))
}

impl Data {
    fn new(name: &'static str, columns: Vec<(String, ArrayRef)>) -> Self {
        let theirs = RecordBatch::try_from_iter(columns).expect("the columns have one length");
        let plain = theirs_to_bytes(&theirs, 1, IpcWriteOptions::default());
        let (_, mut batches) = ours::read(&plain, Format::Stream).expect("both understand it");
        let codecs = [
            Codec { name: "LZ4", ours: Compression::lz4(), theirs: CompressionType::LZ4_FRAME },
            Codec {
                name: "ZSTD",
                ours: Compression::zstd().with_level(LEVEL),
                theirs: CompressionType::ZSTD,
            },
        ];
        let streams = codecs.map(|codec| {
            let bytes = theirs_to_bytes(&theirs, N_BATCHES, codec.their_options());
            let mut aligned = MutableBuffer::new(bytes.len());
            aligned.extend_from_slice(&bytes);
            Stream { codec, ours: arrow_buffer::Buffer::copy_from(&bytes), theirs: aligned.into() }
        });
        Self { name, ours: batches.pop().expect("one batch"), theirs, streams }
    }
}

fn theirs_to_bytes(batch: &RecordBatch, n_batches: usize, options: IpcWriteOptions) -> Vec<u8> {
    let batches = vec![batch.clone(); n_batches];
    let source = theirs::Source { schema: batch.schema(), batches, options, footer_metadata: Vec::new() };
    theirs::write(&source, Format::Stream).expect("memory takes all")
}

impl Codec {
    fn their_options(self) -> IpcWriteOptions {
        let options = IpcWriteOptions::default().try_with_compression(Some(self.theirs));
        let options = options.expect("the codec is built in");
        match self.theirs {
            CompressionType::ZSTD => options.try_with_compression_level(Some(LEVEL)).expect("a level"),
            _ => options,
        }
    }
}

impl CompressionData {
    pub fn contests(&self) -> Vec<Contest<'_>> {
        let pairs = || self.0.iter().flat_map(|data| data.streams.iter().map(move |stream| (data, stream)));
        pairs()
            .map(|(data, stream)| write(data, stream))
            .chain(pairs().map(|(data, stream)| read(data, stream)))
            .collect()
    }
}

fn name(verb: &str, data: &Data, stream: &Stream) -> &'static str {
    format!("{verb} {}: {}", stream.codec.name, data.name).leak()
}

fn write<'a>(data: &'a Data, stream: &'a Stream) -> Contest<'a> {
    let options = WriteOptions::default().with_compression(stream.codec.ours);
    let mut encoder = StreamEncoder::try_new_with(data.ours.schema(), options).expect("it was read");
    encoder.start().expect("there are no limits");
    let mut memory = Vec::new();
    let options = stream.codec.their_options();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &data.theirs.schema(), options)
        .expect("memory takes all");
    Contest {
        name: name("write", data, stream),
        n_times: 1,
        ours: Box::new(move || {
            memory.clear();
            let encoded = encoder.encode(&data.ours).expect("it fits its schema");
            encoded.write_to(&mut memory).expect("memory takes all");
            black_box(&memory);
        }),
        theirs: Box::new(move || {
            writer.get_mut().clear();
            writer.write(&data.theirs).expect("it fits its schema");
            black_box(writer.get_ref());
        }),
        floor: None,
    }
}

/// Reads a stream that arrow-rs has written, with content validation.
fn read<'a>(data: &'a Data, stream: &'a Stream) -> Contest<'a> {
    Contest {
        name: name("read", data, stream),
        n_times: N_BATCHES as u32,
        ours: Box::new(move || {
            let mut decoder = StreamDecoder::new();
            decoder.feed(stream.ours.clone());
            decoder.finish_input();
            loop {
                match decoder.step().expect("it can be read") {
                    Step::Batch(next) => drop(black_box(next.batch)),
                    Step::End => return,
                    _ => {}
                }
            }
        }),
        theirs: Box::new(move || {
            let mut decoder = rs_ipc::reader::StreamDecoder::new();
            let mut bytes = stream.theirs.clone();
            while let Some(batch) = decoder.decode(&mut bytes).expect("they wrote it") {
                black_box(batch);
            }
        }),
        floor: None,
    }
}
