//! The verifier refuses what is damaged: every word that is neither number nor padding, inverted; metadata cut at every
//! length.

use arrow_ipc::{Limits, MessageKind, MessageScan, WriteOptions, file::Footer, message::Message};
use arrow_schema::{DataType, Field, IndexType, Schema};
use testing_support::{Generator, Nulls, schema_of_all_types, verify_footer, verify_message};

use super::walk::{TAIL_BYTES, write};
use crate::containers::Container;

/// A schema, its dictionaries, and a batch twice, the second time with metadata of its own.
fn messages_of(schema: Schema) -> Vec<Message> {
    let batch = Generator::new(3).batch(&schema, 20, Nulls::Some);
    let stream = write(Container::Stream, &schema.into(), &[batch], &WriteOptions::new()).unwrap();
    let mut scan = MessageScan::try_new(stream.bytes, 0..u64::MAX, Limits::default()).unwrap();
    std::iter::from_fn(|| scan.next_message().unwrap()).collect()
}

/// The positions of the words of four bytes that must be as they are.
fn words_that_matter(metadata: &[u8]) -> Vec<usize> {
    let matters = |position: &usize| {
        let mut damaged = metadata.to_vec();
        damaged[*position..*position + 4].iter_mut().for_each(|byte| *byte ^= 0xff);
        verify_message(&damaged).is_err()
    };
    (0..metadata.len()).step_by(4).filter(matters).collect()
}

/// All words that are references, in messages that are written without the generated bindings.
#[test]
fn inverted_words_are_refused() {
    // The root, the vtable of `Message`, where its own vtable and its header are, version and kind.
    let message = [0, 4, 8, 12, 16, 20, 32];
    // One column of dictionaries and one of text, with two nodes, four buffers and one variadic count. Of the tables
    // vtable, offsets, and the lengths of the vectors matter.
    let record = [36, 40, 44, 48, 52, 64, 68, 72, 76, 116, 188];
    // After the dictionary's own table one node, two buffers and one count.
    let dictionary = [36, 40, 44, 52, 64, 76, 80, 84, 88, 92, 104, 108, 112, 116, 140, 180];

    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8View).unwrap();
    let schema = Schema::new([Field::new("words", words), Field::new("text", DataType::Utf8View)]);
    let messages = messages_of(schema);
    for (message_idx, kind, header) in
        [(1, MessageKind::DictionaryBatch, &dictionary[..]), (2, MessageKind::RecordBatch, &record)]
    {
        assert_eq!(messages[message_idx].kind(), kind);
        let found = words_that_matter(messages[message_idx].metadata_bytes());
        assert_eq!(found, [&message, header].concat(), "{kind:?}");
    }
}

#[test]
fn cut_metadata_is_refused() {
    for message in messages_of(schema_of_all_types()) {
        check_cuts(message.metadata_bytes(), |bytes| verify_message(bytes).is_ok());
    }
    let schema = schema_of_all_types();
    let batch = Generator::new(3).batch(&schema, 20, Nulls::Some);
    let file = write(Container::File, &schema.into(), &[batch], &WriteOptions::new()).unwrap().bytes;
    let start = Footer::read(&file, &Limits::default()).unwrap().position();
    let start = usize::try_from(start).unwrap();
    check_cuts(&file[start..file.len() - TAIL_BYTES], |bytes| verify_footer(bytes).is_ok());
}

/// Only padding may be missing, which is zero.
fn check_cuts(metadata: &[u8], is_accepted: impl Fn(&[u8]) -> bool) {
    let shortest = (0..=metadata.len()).find(|n_bytes| is_accepted(&metadata[..*n_bytes])).unwrap();
    assert!(metadata.len() - shortest < 64, "{shortest} of {} bytes", metadata.len());
    assert!(metadata[shortest..].iter().all(|byte| *byte == 0), "{shortest} of {} bytes", metadata.len());
}
