//! The work that `bench-peers` compares.

use crate::contest::Contest;
use crate::format::Format;
use crate::{ours, theirs};
use arrow_ipc::{FileReader, Projection, ReadOptions, Step, StreamDecoder, StreamEncoder};
use rs_array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use rs_buffer::MutableBuffer;
use rs_ipc::reader::FileReaderBuilder;
use rs_ipc::writer::{IpcWriteOptions, StreamWriter};
use std::hint::black_box;
use std::io::Cursor;
use std::sync::Arc;

const N_TINY_BATCHES: usize = 1_000;
const N_WIDE_COLUMNS: usize = 10_000;
const N_WIDE_BATCHES: usize = 20;
const N_BULK_ROWS: i64 = 1 << 19;
const N_TEXT_ROWS: usize = 1 << 20;

/// One batch for both libraries, and a stream and a file of it.
pub struct Data {
    ours: arrow_data::RecordBatch,
    theirs: RecordBatch,
    stream: Bytes,
    file: Bytes,
}

/// The same bytes in aligned buffers of both libraries.
struct Bytes {
    ours: arrow_buffer::Buffer,
    theirs: rs_buffer::Buffer,
}

/// The data of all contests.
pub struct AllData {
    tiny: Data,
    schema: Data,
    wide: Data,
    bulk: Data,
    ascii: Data,
    multi_byte: Data,
}

impl Default for AllData {
    fn default() -> Self {
        let tiny: Vec<(String, ArrayRef)> = vec![
            ("id".into(), Arc::new(Int64Array::from_iter_values(0..10))),
            ("weight".into(), Arc::new(Float64Array::from_iter_values((0..10).map(f64::from)))),
            ("count".into(), Arc::new(Int32Array::from_iter((0..10).map(|k| (k % 3 > 0).then_some(k))))),
            ("name".into(), text("name", 10)),
        ];
        let column: ArrayRef = Arc::new(Int64Array::from_iter_values(0..10));
        let wide: Vec<_> = (0..N_WIDE_COLUMNS).map(|idx| (format!("column {idx}"), column.clone())).collect();
        let numbers = |k: i64| Arc::new(Int64Array::from_iter_values((0..N_BULK_ROWS).map(|n| n * k)));
        let bulk = (0..8).map(|k| (format!("column {k}"), numbers(k) as ArrayRef)).collect();
        let text_of = |word| vec![("text".to_owned(), text(word, N_TEXT_ROWS))];
        Self {
            tiny: Data::new(tiny, N_TINY_BATCHES),
            schema: Data::new(wide.clone(), 0),
            wide: Data::new(wide, N_WIDE_BATCHES),
            bulk: Data::new(bulk, 1),
            ascii: Data::new(text_of("a word of plain letters "), 1),
            multi_byte: Data::new(text_of("żółw 龍 🐉 mañana "), 1),
        }
    }
}

impl AllData {
    pub fn contests(&self) -> Vec<Contest<'_>> {
        vec![
            write("write a batch of 10 rows x 4 columns", &self.tiny),
            read("read a batch of 10 rows x 4 columns", &self.tiny),
            write("write a batch of 10,000 columns", &self.wide),
            read("read a batch of 10,000 columns", &self.wide),
            write_schema("write a schema of 10,000 fields", &self.schema),
            read("read a schema of 10,000 fields", &self.schema),
            read_one_column("open a file of 10,000 columns, read one", &self.wide),
            with_memcpy(write("write 32 MiB of numbers", &self.bulk), &self.bulk),
            with_memcpy(read("read and check ASCII text", &self.ascii), &self.ascii),
            with_memcpy(read("read and check multi-byte text", &self.multi_byte), &self.multi_byte),
        ]
    }
}

fn text(word: &str, n_rows: usize) -> ArrayRef {
    Arc::new(StringArray::from_iter_values((0..n_rows).map(|k| format!("{word}{}", k % 1_000))))
}

impl Data {
    fn new(columns: Vec<(String, ArrayRef)>, n_batches: usize) -> Self {
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, column)| (name, column, true)),
        );
        let theirs = batch.expect("the columns have one length");
        let source = theirs::Source {
            schema: theirs.schema(),
            batches: vec![theirs.clone(); n_batches],
            options: IpcWriteOptions::default(),
            footer_metadata: Vec::new(),
        };
        let [stream, file] =
            Format::ALL.map(|format| theirs::write(&source, format).expect("memory takes all"));
        let one = theirs::Source { batches: vec![theirs.clone()], ..source };
        let one = theirs::write(&one, Format::Stream).expect("memory takes all");
        let (_, mut batches) = ours::read(&one, Format::Stream).expect("both understand it");
        let ours = batches.pop().expect("one batch");
        Self { ours, theirs, stream: Bytes::new(&stream), file: Bytes::new(&file) }
    }
}

impl Bytes {
    fn new(bytes: &[u8]) -> Self {
        let mut aligned = MutableBuffer::new(bytes.len());
        aligned.extend_from_slice(bytes);
        Self { ours: arrow_buffer::Buffer::copy_from(bytes), theirs: aligned.into() }
    }
}

/// Writes one batch into memory that is reused.
fn write<'a>(name: &'static str, data: &'a Data) -> Contest<'a> {
    let mut encoder = StreamEncoder::try_new(data.ours.schema()).expect("it was read");
    encoder.start().expect("there are no limits");
    let mut memory = Vec::with_capacity(data.stream.ours.len());
    let mut writer = StreamWriter::try_new(Vec::with_capacity(data.stream.ours.len()), &data.theirs.schema())
        .expect("memory takes all");
    Contest {
        name,
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

/// Writes the start of a stream into memory that is reused.
fn write_schema<'a>(name: &'static str, data: &'a Data) -> Contest<'a> {
    let n_bytes = data.stream.ours.len();
    let (mut memory, mut their_memory) = (Vec::with_capacity(n_bytes), Vec::with_capacity(n_bytes));
    Contest {
        name,
        n_times: 1,
        ours: Box::new(move || {
            memory.clear();
            let encoder = StreamEncoder::try_new(data.ours.schema());
            let mut encoder = encoder.expect("it was read");
            let encoded = encoder.start().expect("there are no limits");
            encoded.write_to(&mut memory).expect("memory takes all");
            black_box(&memory);
        }),
        theirs: Box::new(move || {
            their_memory.clear();
            let writer = StreamWriter::try_new(&mut their_memory, data.theirs.schema_ref());
            black_box(writer.expect("memory takes all"));
        }),
        floor: None,
    }
}

/// Reads a whole stream without a copy, with content validation; or only the schema if there are no batches.
fn read<'a>(name: &'static str, data: &'a Data) -> Contest<'a> {
    let n_batches = count_batches(data);
    Contest {
        name,
        n_times: n_batches.max(1),
        ours: Box::new(move || assert_eq!(count_batches(data), n_batches)),
        theirs: Box::new(move || {
            let mut decoder = rs_ipc::reader::StreamDecoder::new();
            let mut bytes = data.stream.theirs.clone();
            let mut n_found = 0;
            while let Some(batch) = decoder.decode(&mut bytes).expect("they wrote it") {
                black_box(batch);
                n_found += 1;
            }
            assert_eq!(n_found, n_batches);
        }),
        floor: None,
    }
}

fn count_batches(data: &Data) -> u32 {
    let mut decoder = StreamDecoder::new();
    decoder.feed(data.stream.ours.clone());
    decoder.finish_input();
    let mut n_batches = 0;
    loop {
        match decoder.step().expect("it can be read") {
            Step::Batch(next) => {
                let batch = next.batch;
                black_box(batch);
                n_batches += 1;
            }
            Step::End => return n_batches,
            _ => {}
        }
    }
}

fn read_one_column<'a>(name: &'static str, data: &'a Data) -> Contest<'a> {
    let column_idx = N_WIDE_COLUMNS / 2;
    Contest {
        name,
        n_times: 1,
        ours: Box::new(move || {
            let options = ReadOptions::new().with_projection(Projection::Positions(vec![column_idx]));
            let file = FileReader::try_new_with(data.file.ours.clone(), options).expect("it can be opened");
            black_box(file.batch(0).expect("it can be read"));
        }),
        theirs: Box::new(move || {
            let file = FileReaderBuilder::new().with_projection(vec![column_idx]);
            let mut file = file.build(Cursor::new(data.file.theirs.as_slice())).expect("they wrote it");
            black_box(file.next().expect("a batch").expect("they wrote it"));
        }),
        floor: None,
    }
}

/// Adds a copy of the bytes of the stream as the least work.
fn with_memcpy<'a>(contest: Contest<'a>, data: &'a Data) -> Contest<'a> {
    let mut memory = vec![1; data.stream.ours.len()];
    let copy = move || {
        memory.copy_from_slice(&data.stream.ours);
        black_box(&memory);
    };
    Contest { floor: Some(Box::new(copy)), ..contest }
}
