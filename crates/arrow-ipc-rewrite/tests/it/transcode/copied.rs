//! Messages that are copied as they are.

use std::{fs, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::{
    Endianness, FileReader, FileWriter, FormatErrorKind, IpcErrorKind, IpcSchema, Limits, MessageKind,
    MessageScan, WriteOptions, WrittenContainer, message::Message,
};
use arrow_ipc_rewrite::{RewriteError, Transcoder};
use testing_support::{Generator, Nulls, corpus_dir, files_below, rows, schema_of_all_types};

use super::inputs::{messages_of, messages_of_file, read, transcoded};

/// Options that keep what copies keep. Footers of V4 files may say V5.
fn options_of(schema: &IpcSchema, messages: &[Message]) -> WriteOptions {
    let version = messages.first().map_or(schema.version(), Message::version);
    WriteOptions::new().with_version(version).with_endianness(schema.endianness())
}

#[test]
fn golden_messages_are_copied_into_both_containers() {
    let folder = corpus_dir().join("golden");
    let (mut n_written, mut n_replaced) = (0, 0);
    for (suffix, from) in [(".arrows", WrittenContainer::Stream), (".arrow", WrittenContainer::File)] {
        for path in files_below(&folder, suffix) {
            let name = path.display().to_string();
            let bytes = Buffer::from(fs::read(&path).unwrap());
            let (schema, messages) = match from {
                WrittenContainer::Stream => {
                    messages_of(&bytes).map(|(schema, _, messages)| (schema, messages)).unwrap()
                }
                WrittenContainer::File => {
                    let schema = FileReader::try_from_buffer(bytes.clone()).unwrap().ipc_schema().clone();
                    (schema, messages_of_file(&bytes).unwrap())
                }
            };
            let expected: Vec<_> = read(from, &bytes).unwrap().iter().map(rows).collect();
            for to in [WrittenContainer::Stream, WrittenContainer::File] {
                let copied =
                    transcoded((to, &schema, options_of(&schema, &messages)), &messages, Transcoder::copy);
                let copied = match copied {
                    Err(error) if matches!(error.kind(), IpcErrorKind::ReplacedDictionary { .. }) => {
                        assert_eq!((from, to), (WrittenContainer::Stream, WrittenContainer::File), "{name}");
                        n_replaced += 1;
                        continue;
                    }
                    copied => copied.unwrap_or_else(|error| panic!("{name}: {error}")),
                };
                let found: Vec<_> = read(to, &copied).unwrap().iter().map(rows).collect();
                assert!(found == expected, "{name} as {to:?}");
                n_written += 1;
            }
        }
    }
    assert!(n_written > 200 && n_replaced > 0, "{n_written}, {n_replaced}");
}

/// A file whose messages are copied is the file that the writer makes, byte for byte.
#[test]
fn copies_are_what_the_writer_writes() {
    let schema = Arc::new(schema_of_all_types());
    let mut generator = Generator::new(5);
    let batch = generator.batch(&schema, 50, Nulls::Some);
    for options in [WriteOptions::new(), WriteOptions::new().with_alignment(4096)] {
        let mut writer = FileWriter::try_new_with(Vec::new(), &schema, options.clone()).unwrap();
        for batch in [&batch, &batch.slice(7, 9)] {
            writer.write(batch).unwrap();
        }
        let file = Buffer::from(writer.finish().unwrap());
        let messages = messages_of_file(&file).unwrap();
        let schema = FileReader::try_from_buffer(file.clone()).unwrap().ipc_schema().clone();
        let copied =
            transcoded((WrittenContainer::File, &schema, options), &messages, Transcoder::copy).unwrap();
        assert!(copied == file);
    }
}

/// Bodies may be written by the caller: then nothing of them is in memory.
#[test]
fn metadata_is_copied_without_bodies() {
    let mut generator = Generator::new(6);
    let schema = Arc::new(schema_of_all_types());
    let batch = generator.batch(&schema, 2_000, Nulls::Some);
    let mut writer = FileWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&batch).unwrap();
    let file = Buffer::from(writer.finish().unwrap());
    let schema = FileReader::try_from_buffer(file.clone()).unwrap().ipc_schema().clone();
    let mut transcoder = Transcoder::try_new(&schema, WrittenContainer::File).unwrap();
    let mut written = Vec::new();
    let mut scan = MessageScan::try_from_file(file.clone(), Limits::default()).unwrap();
    while let Some(message) = scan.next_message().unwrap() {
        if message.kind() == MessageKind::Schema {
            continue;
        }
        if message.n_body_bytes() > 0 {
            let error = transcoder.copy(&message).unwrap_err();
            assert!(
                matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::Truncated { what: "body", .. })),
                "{error}"
            );
        }
        transcoder.copy_metadata(&message).unwrap().write_to(&mut written).unwrap();
        let body = file.try_slice(message.body_position(), message.n_body_bytes()).unwrap();
        written.extend_from_slice(&body);
        assert_eq!(transcoder.position(), written.len() as u64);
    }
    transcoder.finish().unwrap().write_to(&mut written).unwrap();
    assert!(*written == *file);
}

#[test]
fn what_needs_arrays_is_refused() {
    let schema = IpcSchema::from(schema_of_all_types());
    let other = match Endianness::NATIVE {
        Endianness::Little => Endianness::Big,
        Endianness::Big => Endianness::Little,
    };
    for options in [
        WriteOptions::new().with_endianness(other),
        WriteOptions::new().with_null_slots(arrow_ipc::NullSlots::Zeros),
        WriteOptions::new().with_unused_items(arrow_ipc::UnusedValues::Remove),
        WriteOptions::new().with_unused_values(arrow_ipc::UnusedValues::Remove),
        WriteOptions::new().with_dictionaries(arrow_ipc::DictionaryPolicy::Delta),
    ] {
        let error = Transcoder::try_new_with(&schema, WrittenContainer::Stream, options).unwrap_err();
        assert!(
            matches!(RewriteError::from_ipc_error(&error), Some(RewriteError::NeedsDecoding { .. })),
            "{error}"
        );
    }
}

/// A refused message leaves the transcoder unchanged.
#[test]
fn messages_that_do_not_fit_are_refused() {
    let golden = |name: &str| {
        let path = corpus_dir().join("golden/pyarrow-26.0.1").join(name);
        Buffer::from(fs::read(path).unwrap())
    };
    let (schema, _, messages) = messages_of(&golden("structs-full.arrows")).unwrap();
    let (_, _, others) = messages_of(&golden("unions-full.arrows")).unwrap();
    let (_, _, old) = messages_of(&golden("metadata-v4.arrows")).unwrap();
    let mut transcoder = Transcoder::try_new(&schema, WrittenContainer::File).unwrap();
    let mut written = Vec::new();
    for message in &messages {
        let error = transcoder.copy(&others[0]).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::NodeCount { .. })), "{error}");
        assert_eq!(error.location().message, Some(1));
        let error = transcoder.copy(&old[0]).unwrap_err();
        assert!(
            matches!(RewriteError::from_ipc_error(&error), Some(RewriteError::NeedsDecoding { .. })),
            "{error}"
        );
        transcoder.copy(message).unwrap().write_to(&mut written).unwrap();
    }
    transcoder.finish().unwrap().write_to(&mut written).unwrap();
    let copied = Buffer::from(written);
    assert_eq!(read(WrittenContainer::File, &copied).unwrap().len(), messages.len());
    assert!(
        copied
            == transcoded(
                (WrittenContainer::File, &schema, WriteOptions::new()),
                &messages,
                Transcoder::copy
            )
            .unwrap()
    );
}
