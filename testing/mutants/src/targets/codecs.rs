//! Tests compressed buffers. A naive LZ4 decoder is the reference for ours.

use std::{ops::Range, sync::LazyLock};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, Limits, ReadOptions, StreamReader, StreamWriter, WriteOptions};
use arrow_schema::DataType;
use testing_support::Rng;

use super::naive_lz4;
use crate::wire::{Map, number};

/// The greatest number of uncompressed bytes that a buffer may declare.
const MAX_BYTES: u64 = 1 << 20;

/// A stream with one column of bytes, whose only buffer is compressed, and the positions of the numbers that depend on
/// the buffer.
struct Template {
    stream: Vec<u8>,
    /// The positions of the numbers of rows and slots.
    rows: Vec<usize>,
    /// The position of the length of the buffer.
    length: Vec<usize>,
    body_length: Vec<usize>,
    body: Range<usize>,
}

/// A number of rows that is different from all other numbers of the message.
const N_ROWS: usize = 70_001;

impl Template {
    fn new(compression: Compression) -> Template {
        let stream = compressed(compression, vec![0; N_ROWS]);
        let map = Map::of(&stream);
        let [.., last] = &map.messages[..] else { panic!("a schema and a batch") };
        let body = last.body.clone();
        let [.., buffer] = &map.buffers[..] else { panic!("one buffer is not empty") };
        let numbers =
            map.numbers.iter().filter(|number| number.n_bytes == 8 && last.range.contains(&number.at));
        let locations = |value: usize| -> Vec<usize> {
            let locations = numbers.clone().map(|number| number.at);
            locations.filter(|at| number(&stream, *at, 8) == Some(value as u64)).collect()
        };
        let (rows, length, body_length) = (locations(N_ROWS), locations(buffer.len()), locations(body.len()));
        assert!((rows.len(), length.len(), body_length.len()) == (2, 1, 1), "each number is there");
        Template { stream, rows, length, body_length, body }
    }

    /// The stream with `n_rows` rows and with this buffer.
    fn with(&self, n_rows: u64, buffer: &[u8]) -> Vec<u8> {
        let mut stream = self.stream[..self.body.start].to_vec();
        let n_body_bytes = buffer.len().next_multiple_of(8);
        let mut set = |locations: &[usize], value: u64| {
            locations.iter().for_each(|at| stream[*at..*at + 8].copy_from_slice(&value.to_le_bytes()));
        };
        set(&self.rows, n_rows);
        set(&self.length, buffer.len() as u64);
        set(&self.body_length, n_body_bytes as u64);
        stream.extend_from_slice(buffer);
        stream.resize(self.body.start + n_body_bytes, 0);
        stream
    }
}

fn compressed(compression: Compression, bytes: Vec<u8>) -> Vec<u8> {
    let array = testing_support::array(
        DataType::UInt8,
        bytes.len(),
        [Buffer::from(bytes), Buffer::new()],
        Vec::new(),
    );
    let batch = RecordBatch::try_from_columns([("bytes", array)]).expect("one column");
    let options = WriteOptions::new().with_compression(compression).with_alignment(8);
    StreamWriter::write_to_vec_with(batch.schema(), std::slice::from_ref(&batch), options)
        .expect("it can be compressed")
}

static TEMPLATES: LazyLock<[Template; 2]> =
    LazyLock::new(|| [Compression::lz4(), Compression::zstd()].map(Template::new));

/// The first byte selects the codec, the next four bytes are the uncompressed length, and the rest is the frame. If we
/// accept an LZ4 frame, the naive decoder must also accept it, with the same bytes.
pub(super) fn decompress(bytes: &[u8]) {
    let Some(([codec, length @ ..], frame)) = bytes.split_first_chunk::<5>() else { return };
    let n_rows = u64::from(u32::from_le_bytes(*length)) % (MAX_BYTES + 1);
    let codec = usize::from(codec % 2);
    let buffer = [&n_rows.to_le_bytes()[..], frame].concat();
    let stream = TEMPLATES[codec].with(n_rows, &buffer);
    let options = ReadOptions::new().with_limits(Limits::new().with_max_decompressed_bytes(2 * MAX_BYTES));
    let Ok(reader) = StreamReader::try_new_with(&*stream, options) else { panic!("the schema is sound") };
    let Ok(batches) = reader.collect::<Result<Vec<_>, _>>() else { return };
    let [batch] = &batches[..] else { panic!("one batch") };
    let found = batch.columns()[0].buffer(0);
    assert_eq!(found.len() as u64, n_rows);
    if codec == 0 && n_rows > 0 {
        let expected = naive_lz4::decompress(frame).expect("the naive decoder refuses what we take");
        assert!(expected == **found, "the naive decoder finds other bytes");
    }
}

/// Inputs with valid frames of several kinds of bytes.
pub(super) fn frames() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(4);
    let mut inputs = Vec::new();
    for (codec, compression) in [Compression::lz4(), Compression::zstd()].into_iter().enumerate() {
        for n_bytes in [200_usize, 1_000, 70_000, 300_000] {
            for n_kinds in [1, 3, 100] {
                let bytes = (0..n_bytes).map(|_| rng.below(n_kinds) as u8).collect();
                let stream = compressed(compression, bytes);
                let map = Map::of(&stream);
                let Some(buffer) = map.buffers.last() else { continue };
                let declared = number(&stream, buffer.start, 4).unwrap_or(0) as u32;
                let frame = &stream[buffer.start + 8..buffer.end];
                if frame.len() < 40_000 {
                    inputs.push([&[codec as u8][..], &declared.to_le_bytes(), frame].concat());
                }
            }
        }
    }
    inputs
}
