//! The flatbuffers verifier accepts all metadata that we write, with the bindings of arrow-rs. The positions in the
//! metadata are correct.

use arrow_buffer::Buffer;
use arrow_schema::Metadata;
use peers::format::Format;
use peers::ours;
use rs_ipc::{MessageHeader, MetadataVersion, root_as_footer, root_as_message};
use samples::samples;
use std::collections::BTreeMap;

/// The position of a message in the footer of a file: its offset, the length of its metadata with the prefix, and the
/// length of its body.
type Location = (i64, i32, i64);

#[test]
fn messages_and_footers_are_verified() {
    let none = Metadata::new();
    let some: Metadata = [("key", "value"), ("", ""), ("key", "ключ")].into_iter().collect();
    let mut n_seen = BTreeMap::new();
    for sample in samples(11) {
        for metadata in [&none, &some] {
            let formats = if sample.dictionaries_change { &[Format::Stream][..] } else { &Format::ALL };
            for &format in formats {
                let bytes =
                    ours::write_with_metadata(&sample.schema, &sample.batches, metadata, format).unwrap();
                for (kind, _) in verify(&bytes, format, metadata, &sample.name) {
                    *n_seen.entry(format!("{kind:?}")).or_insert(0) += 1;
                }
            }
        }
    }
    for kind in [MessageHeader::Schema, MessageHeader::DictionaryBatch, MessageHeader::RecordBatch] {
        let n_messages = n_seen.get(&format!("{kind:?}")).copied().unwrap_or_default();
        assert!(n_messages > 500, "{n_messages} messages of {kind:?}");
    }
}

/// The messages in order.
fn verify(bytes: &[u8], format: Format, metadata: &Metadata, name: &str) -> Vec<(MessageHeader, Location)> {
    let start = match format {
        Format::Stream => 0,
        Format::File => 8,
    };
    let (messages, end) = walk(bytes, start, metadata, name);
    match format {
        Format::Stream => assert_eq!(end, bytes.len(), "{name}: the stream ends with its marker"),
        Format::File => verify_footer(bytes, end, &messages, metadata, name),
    }
    messages
}

/// The messages from a position on, and the position after the end of the stream.
fn walk(
    bytes: &[u8],
    start: usize,
    metadata: &Metadata,
    name: &str,
) -> (Vec<(MessageHeader, Location)>, usize) {
    let mut messages = Vec::new();
    let mut position = start;
    loop {
        assert_eq!(bytes[position..position + 4], [0xff; 4], "{name}: a marker at {position}");
        let n_bytes = i32::from_le_bytes(bytes[position + 4..position + 8].try_into().unwrap());
        let body = position + 8 + n_bytes as usize;
        if n_bytes == 0 {
            return (messages, body);
        }
        // The verifier minds the alignment of the memory.
        let flatbuffer = Buffer::copy_from(&bytes[position + 8..body]);
        let message = root_as_message(&flatbuffer)
            .unwrap_or_else(|error| panic!("{name}: message {}: {error}", messages.len()));
        assert_eq!(message.version(), MetadataVersion::V5, "{name}");
        assert_eq!((body % 64, message.bodyLength() % 64), (0, 0), "{name}: aligned bodies");
        if message.header_type() == MessageHeader::RecordBatch {
            assert_eq!(pairs(message.custom_metadata()), ours_as_pairs(metadata), "{name}");
        }
        let location = (position as i64, 8 + n_bytes, message.bodyLength());
        messages.push((message.header_type(), location));
        position = body + message.bodyLength() as usize;
    }
}

fn verify_footer(
    bytes: &[u8],
    start: usize,
    messages: &[(MessageHeader, Location)],
    metadata: &Metadata,
    name: &str,
) {
    assert_eq!((&bytes[..8], &bytes[bytes.len() - 6..]), (&b"ARROW1\0\0"[..], &b"ARROW1"[..]), "{name}");
    let end = bytes.len() - 10;
    let n_bytes = i32::from_le_bytes(bytes[end..end + 4].try_into().unwrap());
    assert_eq!(end - n_bytes as usize, start, "{name}: the footer begins after the stream");
    let flatbuffer = Buffer::copy_from(&bytes[start..end]);
    let footer = root_as_footer(&flatbuffer).unwrap_or_else(|error| panic!("{name}: footer: {error}"));
    assert_eq!(footer.version(), MetadataVersion::V5, "{name}");
    assert_eq!(pairs(footer.custom_metadata()), ours_as_pairs(metadata), "{name}");
    let listed = [
        (MessageHeader::DictionaryBatch, footer.dictionaries()),
        (MessageHeader::RecordBatch, footer.recordBatches()),
    ];
    for (kind, blocks) in listed {
        let blocks = blocks.into_iter().flatten();
        let found: Vec<Location> =
            blocks.map(|block| (block.offset(), block.metaDataLength(), block.bodyLength())).collect();
        let expected: Vec<Location> =
            messages.iter().filter(|(found, _)| *found == kind).map(|(_, location)| *location).collect();
        assert_eq!(found, expected, "{name}: {kind:?}");
    }
}

type Pairs = Vec<(String, String)>;

fn pairs<'a>(pairs: Option<impl IntoIterator<Item = rs_ipc::KeyValue<'a>>>) -> Pairs {
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    pairs.into_iter().flatten().map(|pair| (text(pair.key()), text(pair.value()))).collect()
}

fn ours_as_pairs(metadata: &Metadata) -> Pairs {
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    metadata.iter().map(|(key, value)| (text(key), text(value))).collect()
}
