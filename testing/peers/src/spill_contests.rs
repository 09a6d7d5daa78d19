//! The work of arrow-rs's own benches `ipc_reader` and `ipc_writer`, by their names and with batches of the same shape; and spilling:
//! batches are written to a file and read back, as engines do when memory is short.
//!
//! Our readers check all content. Beside arrow-rs with its checks stands arrow-rs without them, which is `unsafe` there and what engines use
//! for their own spills.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Cursor, Seek};
use std::sync::Arc;

use crate::contest::Contest;
use crate::format::Format;
use crate::{ours, theirs};
use arrow_ipc::{Compression, FileReader, FileWriter, StreamReader, StreamWriter, WriteOptions};
use rs_array::builder::{
    Date32Builder, Decimal128Builder, Int32Builder, StringBuilder, StringDictionaryBuilder,
};
use rs_array::types::UInt32Type;
use rs_array::{ArrayRef, RecordBatch, StringViewArray};
use rs_ipc::CompressionType;
use rs_ipc::reader::{FileReader as TheirFileReader, StreamReader as TheirStreamReader};
use rs_ipc::writer::{
    DictionaryHandling, FileWriter as TheirFileWriter, IpcWriteOptions, StreamWriter as TheirStreamWriter,
};

const N_ROWS: usize = 8192;
const N_BATCHES: usize = 10;

/// The same batches for both, and what arrow-rs writes of them.
struct Batches {
    ours: Vec<arrow_data::RecordBatch>,
    theirs: Vec<RecordBatch>,
    options: IpcWriteOptions,
    our_options: WriteOptions,
    stream: Vec<u8>,
}

/// The data of all contests.
pub struct SpillData {
    mixed: Batches,
    mixed_zstd: Batches,
    views: Batches,
    dictionaries: Batches,
    deltas: Batches,
    file: Vec<u8>,
}

impl Default for SpillData {
    fn default() -> Self {
        let zstd = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD));
        let zstd = zstd.expect("the codec is built in");
        let our_zstd = WriteOptions::default().with_compression(Compression::zstd());
        let plain = IpcWriteOptions::default;
        let delta = plain().with_dictionary_handling(DictionaryHandling::Delta);
        let mixed = vec![mixed(); N_BATCHES];
        let source = theirs::Source {
            schema: mixed[0].schema(),
            batches: mixed.clone(),
            options: plain(),
            footer_metadata: Vec::new(),
        };
        Self {
            file: theirs::write(&source, Format::File).expect("memory takes all"),
            mixed_zstd: Batches::new(mixed.clone(), zstd, our_zstd),
            mixed: Batches::new(mixed, plain(), WriteOptions::default()),
            views: Batches::new(vec![views(); N_BATCHES], plain(), WriteOptions::default()),
            dictionaries: Batches::new(dictionaries(), plain(), WriteOptions::default()),
            deltas: Batches::new(deltas(), delta, WriteOptions::default()),
        }
    }
}

impl Batches {
    fn new(theirs: Vec<RecordBatch>, options: IpcWriteOptions, our_options: WriteOptions) -> Self {
        let (schema, batches) = (theirs[0].schema(), theirs.clone());
        let source =
            theirs::Source { schema, batches, options: options.clone(), footer_metadata: Vec::new() };
        let stream = theirs::write(&source, Format::Stream).expect("memory takes all");
        let (_, ours) = ours::read(&stream, Format::Stream).expect("both understand it");
        Self { ours, theirs, options, our_options, stream }
    }
}

/// Numbers, text with a null in each tenth slot, dates and decimals.
fn mixed() -> RecordBatch {
    let (mut numbers, mut dates) = (Int32Builder::new(), Date32Builder::new());
    let mut texts = StringBuilder::new();
    let mut decimals = Decimal128Builder::new().with_precision_and_scale(11, 2).expect("a type");
    for row in 0..N_ROWS {
        numbers.append_value(row as i32);
        texts.append_option((!row.is_multiple_of(10)).then(|| format!("this is string number {row}")));
        dates.append_value(row as i32);
        decimals.append_value(row as i128 * 1_000_000);
    }
    let columns: [(&str, ArrayRef); 4] = [
        ("c0", Arc::new(numbers.finish())),
        ("c1", Arc::new(texts.finish())),
        ("c2", Arc::new(dates.finish())),
        ("c3", Arc::new(decimals.finish())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
        .expect("the columns have one length")
}

/// Views of text that is not in the views: what engines spill of text columns.
fn views() -> RecordBatch {
    let text = |row| format!("this is string number {row}");
    let column = StringViewArray::from_iter_values((0..N_ROWS).map(text));
    RecordBatch::try_from_iter([("v", Arc::new(column) as ArrayRef)]).expect("one column")
}

/// A dictionary of its own for each batch.
fn dictionaries() -> Vec<RecordBatch> {
    let batch = |idx| {
        let mut builder = StringDictionaryBuilder::<UInt32Type>::new();
        (0..N_ROWS).for_each(|row| builder.append_value(format!("batch {idx} value {}", row % (N_ROWS / 2))));
        RecordBatch::try_from_iter([("d0", Arc::new(builder.finish()) as ArrayRef)]).expect("one column")
    };
    (0..N_BATCHES).map(batch).collect()
}

/// A dictionary that grows with each batch.
fn deltas() -> Vec<RecordBatch> {
    let mut builder = StringDictionaryBuilder::<UInt32Type>::new();
    let mut batch = |idx| {
        for row in 0..N_ROWS {
            if row < N_ROWS / 4 {
                builder.append_value(format!("batch {idx} value {row}"));
            } else {
                builder.append_value(format!("shared {row}"));
            }
        }
        let column: ArrayRef = Arc::new(builder.finish_preserve_values());
        RecordBatch::try_from_iter([("d0", column)]).expect("one column")
    };
    (0..N_BATCHES).map(&mut batch).collect()
}

/// Whether arrow-rs checks what it reads.
#[derive(Clone, Copy, PartialEq)]
enum TheirChecks {
    All,
    None,
}

impl SpillData {
    pub fn contests(&self) -> Vec<Contest<'_>> {
        use TheirChecks::{All, None};
        vec![
            read("StreamReader/read_10", &self.mixed, All),
            read("StreamReader/read_10, theirs /no_validation", &self.mixed, None),
            read("StreamReader/read_10/zstd", &self.mixed_zstd, All),
            read("StreamReader/read_10/zstd, theirs /no_validation", &self.mixed_zstd, None),
            read_file("FileReader/read_10", &self.file, All),
            read_file("FileReader/read_10, theirs /no_validation", &self.file, None),
            write("StreamWriter/write_10", &self.mixed),
            write("StreamWriter/write_10/zstd", &self.mixed_zstd),
            write_file("FileWriter/write_10", &self.mixed),
            write("StreamWriter/write_10/dict", &self.dictionaries),
            write("StreamWriter/write_10/dict/delta", &self.deltas),
            spill("spill 10 batches, checked by both", &self.mixed, All),
            spill("spill 10 batches, theirs unchecked", &self.mixed, None),
            spill("spill 10 batches of views, checked by both", &self.views, All),
            spill("spill 10 batches of views, theirs unchecked", &self.views, None),
        ]
    }
}

fn contest<'a>(name: &'static str, ours: impl FnMut() + 'a, theirs: impl FnMut() + 'a) -> Contest<'a> {
    Contest { name, n_times: 1, ours: Box::new(ours), theirs: Box::new(theirs), floor: None }
}

fn unchecked<R: std::io::Read>(reader: TheirStreamReader<R>, checks: TheirChecks) -> TheirStreamReader<R> {
    // SAFETY: arrow-rs has written the stream, of its own arrays.
    unsafe { reader.with_skip_validation(checks == TheirChecks::None) }
}

fn read<'a>(name: &'static str, data: &'a Batches, checks: TheirChecks) -> Contest<'a> {
    let ours = || {
        let reader = StreamReader::try_new(&data.stream[..]).expect("it can be read");
        reader.for_each(|batch| drop(black_box(batch.expect("it can be read"))));
    };
    let theirs = move || {
        let reader = TheirStreamReader::try_new(&data.stream[..], None).expect("they wrote it");
        unchecked(reader, checks).for_each(|batch| drop(black_box(batch.expect("they wrote it"))));
    };
    contest(name, ours, theirs)
}

fn read_file<'a>(name: &'static str, bytes: &'a [u8], checks: TheirChecks) -> Contest<'a> {
    let shared = arrow_buffer::Buffer::copy_from(bytes);
    let ours = move || {
        let file = FileReader::try_from_buffer(shared.clone()).expect("it can be read");
        file.batches().for_each(|batch| drop(black_box(batch.expect("it can be read"))));
    };
    let theirs = move || {
        let reader = TheirFileReader::try_new(Cursor::new(bytes), None).expect("they wrote it");
        // SAFETY: arrow-rs has written the file, of its own arrays.
        let reader = unsafe { reader.with_skip_validation(checks == TheirChecks::None) };
        reader.for_each(|batch| drop(black_box(batch.expect("they wrote it"))));
    };
    contest(name, ours, theirs)
}

fn write<'a>(name: &'static str, data: &'a Batches) -> Contest<'a> {
    let mut memory = Vec::with_capacity(data.stream.len());
    let ours = move || {
        memory.clear();
        write_ours(data, &mut memory);
        black_box(&memory);
    };
    let mut memory = Vec::with_capacity(data.stream.len());
    let theirs = move || {
        memory.clear();
        write_theirs(data, &mut memory);
        black_box(&memory);
    };
    contest(name, ours, theirs)
}

fn write_ours(data: &Batches, sink: impl std::io::Write) {
    let schema = data.ours[0].schema();
    let writer = StreamWriter::try_new_with(sink, schema, data.our_options.clone());
    let mut writer = writer.expect("the sink takes all");
    data.ours.iter().try_for_each(|batch| writer.write(batch)).expect("the sink takes all");
    writer.finish().expect("the sink takes all");
}

fn write_theirs(data: &Batches, sink: impl std::io::Write) {
    let schema = data.theirs[0].schema();
    let writer = TheirStreamWriter::try_new_with_options(sink, &schema, data.options.clone());
    let mut writer = writer.expect("the sink takes all");
    data.theirs.iter().try_for_each(|batch| writer.write(batch)).expect("the sink takes all");
    writer.finish().expect("the sink takes all");
}

fn write_file<'a>(name: &'static str, data: &'a Batches) -> Contest<'a> {
    let mut memory = Vec::with_capacity(data.stream.len());
    let ours = move || {
        memory.clear();
        let mut writer = FileWriter::try_new(&mut memory, data.ours[0].schema()).expect("memory takes all");
        data.ours.iter().try_for_each(|batch| writer.write(batch)).expect("memory takes all");
        writer.finish().expect("memory takes all");
        black_box(&memory);
    };
    let mut memory = Vec::with_capacity(data.stream.len());
    let theirs = move || {
        memory.clear();
        let writer = TheirFileWriter::try_new(&mut memory, &data.theirs[0].schema());
        let mut writer = writer.expect("memory takes all");
        data.theirs.iter().try_for_each(|batch| writer.write(batch)).expect("memory takes all");
        writer.finish().expect("memory takes all");
        black_box(&memory);
    };
    contest(name, ours, theirs)
}

/// Writes a temporary file and reads it back. Each uses its library as its documents say: arrow-rs with buffers around
/// the file, ours without.
fn spill<'a>(name: &'static str, data: &'a Batches, checks: TheirChecks) -> Contest<'a> {
    let mut file = temporary_file();
    let ours = move || {
        file.rewind().expect("a file");
        write_ours(data, &file);
        file.rewind().expect("a file");
        let reader = StreamReader::try_new(&file).expect("it can be read");
        reader.for_each(|batch| drop(black_box(batch.expect("it can be read"))));
    };
    let mut file = temporary_file();
    let theirs = move || {
        file.rewind().expect("a file");
        write_theirs(data, BufWriter::new(&file));
        file.rewind().expect("a file");
        let reader = TheirStreamReader::try_new(BufReader::new(&file), None).expect("they wrote it");
        unchecked(reader, checks).for_each(|batch| drop(black_box(batch.expect("they wrote it"))));
    };
    contest(name, ours, theirs)
}

fn temporary_file() -> File {
    tempfile::tempfile().expect("a temporary file")
}
