//! Bodies that are made piece by piece, which are what they are when they are made at once.

use std::{io, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::{
    Codec, FileReader, FormatErrorKind, IpcErrorKind, MessageKind, Result, SharedBuffers, WriteOptions,
    WrittenContainer, message::Message,
};
use arrow_ipc_rewrite::Transcoder;
use testing_support::{Generator, Nulls, rows, schema_of_all_types};

use super::{
    inputs::read,
    remade::{forms, schema_and_messages, written},
};
use crate::ALLOCATOR;

/// Whether a message can be made piece by piece.
pub(super) fn is_batch(message: &Message) -> bool {
    matches!(message.kind(), MessageKind::RecordBatch | MessageKind::DictionaryBatch)
}

/// A message with its body.
pub(super) fn by_spool(transcoder: &mut Transcoder, message: &Message) -> Result<Vec<u8>> {
    // What was there before stays, where nothing is written.
    let mut spool = io::Cursor::new(vec![0xaa; 100]);
    spool.set_position(4);
    let fetch = |range: arrow_ipc::BodyRange| {
        let bytes = message.body().try_slice(range.start(), range.n_bytes());
        bytes.map_err(|error| io::Error::new(io::ErrorKind::UnexpectedEof, error))
    };
    let encoded = transcoder.transcode_to_spool(message, fetch, &mut spool)?;
    let n_body_bytes = encoded.messages().last().unwrap().n_body_bytes() as usize;
    let mut output = encoded.to_bytes().to_vec();
    output.extend_from_slice(&spool.into_inner()[4..4 + n_body_bytes]);
    Ok(output)
}

/// Transcodes from each form to each other form. Frames of LZ4 are the same; frames of Zstandard may have other blocks.
#[test]
fn they_equal_messages_in_memory() {
    let small = Generator::new(4).batch(&Arc::new(schema_of_all_types()), 60, Nulls::Some);
    let long = "a: int64\nb: utf8\nc: list<item: int32>".parse::<arrow_schema::Schema>().unwrap();
    let long = Generator::new(9).batch(&Arc::new(long), 140_000, Nulls::Some);
    for (batch, container) in [(small, WrittenContainer::File), (long, WrittenContainer::Stream)] {
        for (from_name, from) in forms() {
            let input = written(container, std::slice::from_ref(&batch), &from);
            let (schema, messages) = schema_and_messages(container, &input);
            for (to_name, to) in forms() {
                let expected = written(container, std::slice::from_ref(&batch), &to);
                let mut transcoder = Transcoder::try_new_with(&schema, container, to.clone()).unwrap();
                let mut output = Vec::new();
                for message in &messages {
                    output.extend(by_spool(&mut transcoder, message).unwrap());
                }
                transcoder.finish().unwrap().write_to(&mut output).unwrap();
                assert_eq!(transcoder.position(), output.len() as u64);
                let what = format!("{container:?} from {from_name} to {to_name}");
                if to.compression().map(|compression| compression.codec()) != Some(Codec::Zstd) {
                    assert!(*output == *expected, "{what}");
                    continue;
                }
                assert!(
                    output.len() < expected.len() + expected.len() / 20 + 500,
                    "{what}: {}",
                    output.len()
                );
                let output = read(container, &output.into()).unwrap();
                assert!(output.iter().flat_map(rows).eq(rows(&batch)), "{what}");
            }
        }
    }
}

#[test]
fn shared_buffers_stay_shared_on_request() {
    let schema = Arc::new("a: int64".parse::<arrow_schema::Schema>().unwrap());
    let column = Generator::new(1).batch(&schema, 1_000, Nulls::None).columns()[0].clone();
    let batch = ["a", "b", "c"].map(|name| (name, column.clone()));
    let batch = arrow_data::RecordBatch::try_from_columns(batch).unwrap();
    for (name, form) in forms() {
        let once = form.clone().with_shared_buffers(SharedBuffers::Once);
        let input = written(WrittenContainer::Stream, std::slice::from_ref(&batch), &once);
        let (schema, messages) = schema_and_messages(WrittenContainer::Stream, &input);
        for way in [SharedBuffers::Once, SharedBuffers::Repeated] {
            let to = form.clone().with_shared_buffers(way);
            let mut at_once =
                Transcoder::try_new_with(&schema, WrittenContainer::Stream, to.clone()).unwrap();
            let mut in_pieces = Transcoder::try_new_with(&schema, WrittenContainer::Stream, to).unwrap();
            let expected = at_once.transcode(&messages[0]).unwrap().n_bytes();
            let output = by_spool(&mut in_pieces, &messages[0]).unwrap().len() as u64;
            assert!(output.abs_diff(expected) < 200, "{name}, {way:?}: {output}, {expected}");
        }
    }
}

/// Counts bytes.
#[derive(Default)]
struct CountingSink(u64);

impl io::Write for CountingSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for CountingSink {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let io::SeekFrom::Current(n) = to else { panic!("{to:?}") };
        self.0 = self.0.checked_add_signed(n).unwrap();
        Ok(self.0)
    }
}

/// A column of 24 MB.
#[test]
fn memory_is_that_of_a_few_pieces() {
    let numbers = (0..3_000_000i64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()) >> 20);
    let column = arrow_array::Int64Array::from_iter(numbers).into_data();
    let batch = arrow_data::RecordBatch::try_from_columns([("n", column)]).unwrap();
    for (from_name, from) in forms() {
        let input = written(WrittenContainer::File, std::slice::from_ref(&batch), &from);
        let reader = FileReader::try_from_buffer(input.clone()).unwrap();
        let (schema, messages) = (reader.ipc_schema(), schema_and_messages(WrittenContainer::File, &input).1);
        for (to_name, to) in forms() {
            let mut transcoder = Transcoder::try_new_with(schema, WrittenContainer::File, to).unwrap();
            let fetch = |range: arrow_ipc::BodyRange| {
                assert!(range.n_bytes() <= 2 << 20, "{range:?}");
                Ok(messages[0].body().try_slice(range.start(), range.n_bytes()).unwrap())
            };
            let output =
                || transcoder.transcode_to_spool(&messages[0], fetch, &mut CountingSink::default()).map(drop);
            let (output, usage) = ALLOCATOR.measure(output);
            output.unwrap();
            assert!(usage.peak_bytes < 8 << 20, "from {from_name} to {to_name}: {usage:?}");
        }
    }
}

#[test]
fn failures_are_reported() {
    let schema = Arc::new("a: int64".parse::<arrow_schema::Schema>().unwrap());
    let batch = Generator::new(1).batch(&schema, 100, Nulls::None);
    let input = written(WrittenContainer::Stream, &[batch], &WriteOptions::new());
    let (schema, messages) = schema_and_messages(WrittenContainer::Stream, &input);
    let mut transcoder = Transcoder::try_new(&schema, WrittenContainer::Stream).unwrap();
    let spool = || io::Cursor::new(Vec::new());
    let error = transcoder.transcode_to_spool(&messages[0], |_| Ok(Buffer::new()), &mut spool()).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            IpcErrorKind::Format(FormatErrorKind::Truncated { needed: 800, available: 0, .. })
        ),
        "{error}"
    );
    assert_eq!((error.location().message, error.location().buffer), (Some(1), Some((1, None))));
    let mut full = io::Cursor::new([0; 100]);
    let body = messages[0].body();
    let fetch = |range: arrow_ipc::BodyRange| Ok(body.slice(range.start() as usize..range.end() as usize));
    let error = transcoder.transcode_to_spool(&messages[0], fetch, &mut full).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::Write(_)), "{error}");
}
