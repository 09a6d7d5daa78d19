//! Sound files and streams, and what each of their messages is.

use std::ops::Range;

use arrow_array::{DictionaryBuilder, Int64Array, Utf8Array, Utf8Builder};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, FileWriter, Framing, IpcSchema, Limits, MessageKind, MetadataVersion,
    StreamWriter, WriteOptions, file::Footer, message::Header,
};
use arrow_schema::IndexType;

use crate::harness::recover;

/// An input before it is damaged.
#[derive(Debug)]
pub(super) struct Sound {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) schema: IpcSchema,
    pub(super) batches: Vec<RecordBatch>,
    /// Dictionaries and batches, in the order of the input.
    pub(super) messages: Vec<SoundMessage>,
    pub(super) schema_message: Range<usize>,
    /// To the end of the file.
    pub(super) footer: Option<Range<usize>>,
}

/// A message of a sound input.
#[derive(Debug)]
pub(super) struct SoundMessage {
    pub(super) range: Range<usize>,
    pub(super) body: usize,
    pub(super) is: Is,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    Batch(usize),
    Dictionary { id: i64, is_delta: bool },
}

/// What columns batches have beside their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Columns {
    Plain,
    /// Each batch has the same values.
    Dictionary,
    /// Each batch has new ones.
    Growing,
    Two,
}

fn batches(columns: Columns, n_batches: usize, n_rows: impl Fn(usize) -> usize) -> Vec<RecordBatch> {
    let words = |nth: usize, n: usize| -> arrow_data::ArrayData {
        let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        let first = if columns == Columns::Growing { nth * 2 } else { 0 };
        (0..n).for_each(|row| column.append(&format!("word {}", first + row % 3)));
        column.finish().unwrap().into()
    };
    let batch = |nth: usize| {
        let n = n_rows(nth);
        let start = (nth * 10_000 + 1) as i64;
        let ids = Int64Array::from_iter(start..start + n as i64);
        let texts = (0..n).map(|row| Some(format!("r{nth}/{row}")));
        let texts = Utf8Array::try_from_iter(texts).unwrap();
        let mut all = vec![("id", ids.into()), ("text", texts.into())];
        if columns != Columns::Plain {
            all.push(("word", words(nth, n)));
        }
        if columns == Columns::Two {
            all.push(("other", words(nth + 1, n)));
        }
        RecordBatch::try_from_columns(all).unwrap()
    };
    (0..n_batches).map(batch).collect()
}

pub(super) fn sound_inputs() -> Vec<Sound> {
    let new = WriteOptions::new;
    let legacy = || new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy);
    let delta = || new().with_dictionaries(DictionaryPolicy::Delta);
    let uniform = |_: usize| 50;
    let mixed = |nth: usize| [60, 3, 200, 17, 90, 5][nth % 6];
    let cases = [
        ("plain", new(), batches(Columns::Plain, 5, uniform)),
        ("plain, 8 bytes", new().with_alignment(8), batches(Columns::Plain, 9, mixed)),
        ("dictionary", new(), batches(Columns::Dictionary, 6, mixed)),
        ("dictionary, uniform", new().with_alignment(8), batches(Columns::Dictionary, 10, uniform)),
        ("two dictionaries", new(), batches(Columns::Two, 4, mixed)),
        ("deltas", delta(), batches(Columns::Growing, 5, uniform)),
        ("legacy", legacy(), batches(Columns::Plain, 6, mixed)),
        ("one batch", new(), batches(Columns::Plain, 1, |_| 400)),
        ("many", new(), batches(Columns::Plain, 60, mixed)),
        ("zstd", new().with_compression(Compression::zstd()), batches(Columns::Dictionary, 6, uniform)),
        ("lz4", new().with_compression(Compression::lz4()), batches(Columns::Plain, 6, mixed)),
    ];
    let mut inputs = Vec::new();
    for (name, options, batches) in cases {
        let mut writer =
            StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options.clone()).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        let stream = writer.finish().unwrap();
        let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        let file = writer.finish().unwrap();
        inputs.push(sound(format!("file, {name}"), file, batches.clone()));
        inputs.push(sound(format!("stream, {name}"), stream, batches));
    }
    // What replaces dictionaries has no file.
    let replaced = batches(Columns::Growing, 5, mixed);
    let mut writer = StreamWriter::try_new_with(Vec::new(), replaced[0].schema(), new()).unwrap();
    replaced.iter().for_each(|batch| writer.write(batch).unwrap());
    inputs.push(sound("stream, replaced dictionaries".into(), writer.finish().unwrap(), replaced));
    inputs
}

fn sound(name: String, bytes: Vec<u8>, batches: Vec<RecordBatch>) -> Sound {
    let found = recover(&bytes).unwrap();
    assert!(found.lost.is_empty(), "{name}: {:?}", found.lost_text());
    let mut n_batches = 0;
    let part = |message: &arrow_ipc::message::Message| {
        let body = message.body_position();
        let range = message.position() as usize..(body + message.n_body_bytes()) as usize;
        let is = match message.header(&Limits::default()).unwrap() {
            Header::DictionaryBatch { id, is_delta, .. } => Is::Dictionary { id, is_delta },
            _ => {
                n_batches += 1;
                Is::Batch(n_batches - 1)
            }
        };
        SoundMessage { range, body: body as usize, is }
    };
    // Dictionaries of a file come first.
    let mut messages: Vec<SoundMessage> = found.messages.iter().map(part).collect();
    messages.sort_by_key(|part| part.range.start);
    assert_eq!(messages.iter().filter(|part| matches!(part.is, Is::Batch(_))).count(), batches.len());
    assert!(found.messages.iter().all(|message| message.kind() != MessageKind::Schema));
    let is_file = bytes.starts_with(b"ARROW1");
    let footer = is_file.then(|| {
        let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
        footer.position() as usize..bytes.len()
    });
    let schema_message = if is_file { 8 } else { 0 }..messages[0].range.start;
    Sound { name, bytes, schema: found.schema.unwrap(), batches, messages, schema_message, footer }
}
