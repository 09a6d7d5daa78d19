//! Messages that are rewritten in the form that the options require.

use std::{fs, io, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, Encoded, FileReader, FileWriter, FormatErrorKind, IpcErrorKind, IpcSchema, MessageKind,
    MetadataVersion, Result, SharedBuffers, StreamWriter, WriteOptions, WrittenContainer, message::Message,
};
use arrow_ipc_rewrite::{RewriteError, Transcoder};
use arrow_schema::Metadata;
use testing_support::{Generator, Hunt, Nulls, corpus_dir, files_below, rows, schema_of_all_types};

use super::inputs::{messages_of, messages_of_file, read, transcoded};

/// Ways to write that need no arrays.
pub(super) fn forms() -> Vec<(&'static str, WriteOptions)> {
    let new = WriteOptions::new;
    let rarely = Compression::lz4().with_min_savings_percent(30);
    vec![
        ("plain", new()),
        ("aligned to 8", new().with_alignment(8)),
        ("aligned to 4096", new().with_alignment(4096)),
        ("lz4", new().with_compression(Compression::lz4())),
        ("lz4 where it pays", new().with_compression(rarely).with_alignment(128)),
        ("zstd", new().with_compression(Compression::zstd())),
    ]
}

pub(super) fn written(to: WrittenContainer, batches: &[RecordBatch], options: &WriteOptions) -> Buffer {
    let metadata = Metadata::from_pairs(vec![(Some("part".into()), Some("1".into()))]);
    let (schema, options) = (batches[0].schema(), options.clone());
    match to {
        WrittenContainer::Stream => {
            let mut writer = StreamWriter::try_new_with(Vec::new(), schema, options).unwrap();
            batches.iter().for_each(|batch| writer.write_with_metadata(batch, &metadata).unwrap());
            writer.finish().unwrap().into()
        }
        WrittenContainer::File => {
            let mut writer = FileWriter::try_new_with(Vec::new(), schema, options).unwrap();
            batches.iter().for_each(|batch| writer.write_with_metadata(batch, &metadata).unwrap());
            writer.finish().unwrap().into()
        }
    }
}

pub(super) fn schema_and_messages(from: WrittenContainer, bytes: &Buffer) -> (IpcSchema, Vec<Message>) {
    match from {
        WrittenContainer::Stream => {
            messages_of(bytes).map(|(schema, _, messages)| (schema, messages)).unwrap()
        }
        WrittenContainer::File => {
            let schema = FileReader::try_from_buffer(bytes.clone()).unwrap().ipc_schema().clone();
            let mut messages = messages_of_file(bytes).unwrap();
            messages.sort_by_key(Message::position);
            (schema, messages)
        }
    }
}

/// A way to write messages.
type WriteMessage = for<'a> fn(&'a mut Transcoder, &Message) -> Result<Encoded<'a>>;

/// Like [`Transcoder::transcode`], by ranges of the body.
fn by_ranges<'a>(transcoder: &'a mut Transcoder, message: &Message) -> Result<Encoded<'a>> {
    transcoder.transcode_from(message, |range| {
        let bytes = message.body().try_slice(range.start(), range.n_bytes());
        bytes.map_err(|error| io::Error::new(io::ErrorKind::UnexpectedEof, error))
    })
}

/// From each form to each other: what comes out is what the writer writes, byte for byte.
#[test]
fn what_is_transcoded_is_what_the_writer_writes() {
    let hunt = Hunt::from_env();
    let schema = Arc::new(schema_of_all_types());
    let forms = forms();
    for (case, nulls) in [Nulls::Some, Nulls::None, Nulls::All].into_iter().enumerate() {
        let mut generator = Generator::new(hunt.seed(17 + case as u64));
        let batch = generator.batch(&schema, hunt.count(60, 700), nulls);
        let batches = [batch.slice(0, 0), batch.slice(5, 20), batch];
        for container in [WrittenContainer::Stream, WrittenContainer::File] {
            for (from_name, from) in hunt.some_of(&forms, 1, case) {
                let input = written(container, &batches, from);
                let (schema, messages) = schema_and_messages(container, &input);
                for (to_name, to) in &forms {
                    let expected = written(container, &batches, to);
                    for write in [Transcoder::transcode as WriteMessage, by_ranges] {
                        let output = transcoded((container, &schema, to.clone()), &messages, write).unwrap();
                        assert!(output == expected, "{nulls:?} {container:?} from {from_name} to {to_name}");
                    }
                }
            }
        }
    }
}

/// Batches that are encoded between converted dictionaries have the bytes that a writer writes.
#[test]
fn batches_are_encoded_as_the_writer_encodes_them() {
    let schema = Arc::new(schema_of_all_types());
    let batch = Generator::new(23).batch(&schema, 60, Nulls::Some);
    // The slices have the same dictionaries, which are written once.
    let batches = [batch.clone(), batch.slice(5, 20), batch.slice(7, 0)];
    for container in [WrittenContainer::Stream, WrittenContainer::File] {
        let input = written(container, std::slice::from_ref(&batch), &WriteOptions::new());
        let (schema, messages) = schema_and_messages(container, &input);
        let metadata = messages.last().unwrap().custom_metadata().unwrap();
        // Each batch takes the place of a message: those of dictionaries, and three times the one of the batch.
        let (last, dictionaries) = messages.split_last().unwrap();
        assert!(!dictionaries.is_empty());
        let messages = [dictionaries, &[last.clone(), last.clone(), last.clone()]].concat();
        for (name, options) in forms() {
            let mut rest = batches.iter();
            let output =
                transcoded((container, &schema, options.clone()), &messages, |transcoder, message| {
                    match message.kind() {
                        MessageKind::RecordBatch => transcoder.encode(rest.next().unwrap(), &metadata),
                        _ => transcoder.transcode(message),
                    }
                });
            assert!(output.unwrap() == written(container, &batches, &options), "{container:?} as {name}");
        }
    }
    let other = RecordBatch::try_from_columns([("a", batch.columns()[0].clone())]).unwrap();
    let mut transcoder = Transcoder::try_new(&schema, WrittenContainer::Stream).unwrap();
    transcoder.start().unwrap();
    let position = transcoder.position();
    let error = transcoder.encode(&other, &Metadata::new()).map(|_| ()).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::Schema(_)), "{error}");
    assert_eq!(transcoder.position(), position);
}

/// Golden files of all producers, of both versions, byte orders and framings.
#[test]
fn golden_messages_are_transcoded_by_value() {
    let hunt = Hunt::from_env();
    let (mut n_written, mut n_unions) = (0, 0);
    let forms = forms();
    for (suffix, from) in [(".arrows", WrittenContainer::Stream), (".arrow", WrittenContainer::File)] {
        let files = files_below(&corpus_dir().join("golden"), suffix);
        for (case, path) in files.iter().enumerate() {
            let name = path.display().to_string();
            let bytes = Buffer::from(fs::read(path).unwrap());
            let (schema, messages) = schema_and_messages(from, &bytes);
            let expected: Vec<_> = read(from, &bytes).unwrap().iter().map(rows).collect();
            for (form, options) in hunt.some_of(&forms, 1, case) {
                let options = options.clone().with_endianness(schema.endianness());
                let output = transcoded((from, &schema, options), &messages, Transcoder::transcode);
                match output {
                    Err(error)
                        if matches!(
                            RewriteError::from_ipc_error(&error),
                            Some(RewriteError::NeedsDecoding { .. })
                        ) =>
                    {
                        assert!(error.to_string().contains("a union of another metadata version"), "{error}");
                        assert!(messages.iter().any(|message| message.version() == MetadataVersion::V4));
                        n_unions += 1;
                    }
                    output => {
                        let output = output.unwrap_or_else(|error| panic!("{name} as {form}: {error}"));
                        let found: Vec<_> = read(from, &output).unwrap().iter().map(rows).collect();
                        assert!(found == expected, "{name} as {form}");
                        n_written += 1;
                    }
                }
            }
        }
    }
    assert!(n_written > 100 && n_unions > 0, "{n_written}, {n_unions}");
}

/// The caller copies buffers to the positions that the transcoder returns, and adds the parts that the transcoder
/// makes.
#[test]
fn relocations_are_the_same_bytes() {
    let schema = Arc::new(schema_of_all_types());
    let batch = Generator::new(3).batch(&schema, 3_000, Nulls::Some);
    let input = written(WrittenContainer::File, &[batch], &WriteOptions::new().with_alignment(8));
    let (schema, messages) = schema_and_messages(WrittenContainer::File, &input);
    let expected =
        transcoded((WrittenContainer::File, &schema, WriteOptions::new()), &messages, Transcoder::transcode)
            .unwrap();
    let mut transcoder = Transcoder::try_new(&schema, WrittenContainer::File).unwrap();
    let mut output = Vec::new();
    for message in &messages {
        assert!(transcoder.can_relocate(message).unwrap());
        let relocation = transcoder.relocate(message).unwrap();
        relocation.metadata().write_to(&mut output).unwrap();
        let start = output.len();
        for buffer in relocation.moves() {
            output.resize(start + buffer.start() as usize, 0);
            let from = buffer.from();
            output.extend_from_slice(&message.body().try_slice(from.start(), from.n_bytes()).unwrap());
        }
        output.resize(start + relocation.n_body_bytes() as usize, 0);
    }
    transcoder.finish().unwrap().write_to(&mut output).unwrap();
    assert!(*output == *expected);
    let options = WriteOptions::new().with_compression(Compression::lz4());
    let mut transcoder = Transcoder::try_new_with(&schema, WrittenContainer::File, options).unwrap();
    assert!(!transcoder.can_relocate(&messages[0]).unwrap());
    let error = transcoder.relocate(&messages[0]).unwrap_err();
    assert!(matches!(RewriteError::from_ipc_error(&error), Some(RewriteError::CannotRelocate)), "{error}");
}

/// Compressed as a whole by several threads, buffers are large.
#[test]
fn large_buffers_are_transcoded_in_parallel_to_the_same_bytes() {
    let schema = Arc::new("a: int64\nb: utf8\nc: list<item: int32>".parse::<arrow_schema::Schema>().unwrap());
    let batch = Generator::new(9).batch(&schema, 60_000, Nulls::Some);
    for (from_name, from) in forms() {
        let input = written(WrittenContainer::Stream, std::slice::from_ref(&batch), &from);
        let (schema, messages) = schema_and_messages(WrittenContainer::Stream, &input);
        for (to_name, to) in forms().into_iter().filter(|(_, to)| to.compression().is_some()) {
            let expected = written(WrittenContainer::Stream, std::slice::from_ref(&batch), &to);
            for threads in [arrow_ipc::Threads::Pool, arrow_ipc::Threads::One] {
                let to = to.clone().with_threads(threads);
                let output =
                    transcoded((WrittenContainer::Stream, &schema, to), &messages, by_ranges).unwrap();
                assert!(output == expected, "from {from_name} to {to_name} by {threads:?}");
            }
        }
    }
}

/// Buffers that columns share in the input are shared in the output, or not, like in the output of a writer.
#[test]
fn shared_buffers_stay_shared_on_request() {
    let schema = Arc::new("a: int64".parse::<arrow_schema::Schema>().unwrap());
    let column = Generator::new(1).batch(&schema, 1_000, Nulls::None).columns()[0].clone();
    let names = ["a", "b", "c", "d"];
    let batch = RecordBatch::try_from_columns(names.map(|name| (name, column.clone()))).unwrap();
    for (_, form) in forms() {
        let once = form.clone().with_shared_buffers(SharedBuffers::Once);
        let input = written(WrittenContainer::Stream, std::slice::from_ref(&batch), &once);
        let (schema, messages) = schema_and_messages(WrittenContainer::Stream, &input);
        let ways = [SharedBuffers::Once, SharedBuffers::Repeated];
        let to = forms().into_iter();
        for (name, to) in
            to.flat_map(|(name, to)| ways.map(|way| (name, to.clone().with_shared_buffers(way))))
        {
            let expected = written(WrittenContainer::Stream, std::slice::from_ref(&batch), &to);
            let output =
                transcoded((WrittenContainer::Stream, &schema, to), &messages, Transcoder::transcode)
                    .unwrap();
            assert!(output == expected, "{name}");
        }
    }
}

#[test]
fn sources_that_give_too_little_are_errors() {
    let schema = Arc::new("a: int64".parse::<arrow_schema::Schema>().unwrap());
    let batch = Generator::new(1).batch(&schema, 100, Nulls::None);
    let input = written(WrittenContainer::Stream, &[batch], &WriteOptions::new());
    let (schema, messages) = schema_and_messages(WrittenContainer::Stream, &input);
    let mut transcoder = Transcoder::try_new(&schema, WrittenContainer::Stream).unwrap();
    let error = transcoder.transcode_from(&messages[0], |_| Ok(Buffer::new())).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            IpcErrorKind::Format(FormatErrorKind::Truncated { needed: 800, available: 0, .. })
        ),
        "{error}"
    );
    assert_eq!((error.location().message, error.location().buffer), (Some(1), Some((1, None))));
    let error = transcoder.transcode_from(&messages[0], |_| Err(io::ErrorKind::NotConnected.into()));
    assert!(matches!(error.unwrap_err().kind(), IpcErrorKind::Io(_)));
}
