use arrow_buffer::{Buffer, BufferMut};

use bindings::flatbuf;

use super::*;
use crate::{
    limits::Limits,
    message::{BatchHeader, BatchView, Envelope},
    prefix::CONTINUATION,
    protocol::{Codec, Framing, MetadataVersion},
};

fn lists(n_nodes: usize, buffers: &[usize], counts: &[usize]) -> BatchHeaderBuilder {
    let mut lists = BatchHeaderBuilder::default();
    lists.begin(n_nodes as u64 * 3);
    (0..n_nodes).for_each(|idx| lists.add_node(idx * 3, idx));
    buffers.iter().for_each(|n_bytes| {
        lists.add_buffer(*n_bytes);
    });
    counts.iter().for_each(|count| lists.add_variadic_count(*count));
    lists.end_body();
    lists
}

/// The metadata without its prefix.
fn unframe(framed: &[u8], framing: Framing) -> &[u8] {
    let (marker, rest) = framed.split_at(if framing == Framing::Current { 4 } else { 0 });
    assert_eq!(marker, &CONTINUATION[..marker.len()]);
    let (length, metadata) = rest.split_at(4);
    assert_eq!(length, (metadata.len() as u32).to_le_bytes());
    metadata
}

/// The content of the metadata, according to this crate's reader.
fn meaning(metadata: &[u8], lists: &BatchHeaderBuilder) -> String {
    let limits = Limits::default();
    let envelope = Envelope::parse(Buffer::copy_from(metadata), &limits).unwrap();
    assert_eq!(envelope.n_body_bytes(), lists.n_body_bytes());
    let kind = envelope.kind();
    let version = envelope.version();
    let message = BatchView::parse(envelope, &limits).unwrap();
    let header = BatchHeader::try_new(&message).unwrap();
    format!("{kind} {version} {:?} {:?} {header:?}", message.dictionary(), message.custom_metadata())
}

/// The flatbuffer of a batch, written by planus.
fn by_planus(
    format: MessageFormat,
    kind: Option<DictionaryHeader>,
    lists: &BatchHeaderBuilder,
    metadata: &Metadata,
) -> Vec<u8> {
    use flatbuf as fb;
    let node = |[length, null_count]: &[i64; 2]| fb::FieldNode { length: *length, null_count: *null_count };
    let buffer = |[offset, length]: &[i64; 2]| fb::Buffer { offset: *offset, length: *length };
    let compression = format.codec.map(|codec| {
        let codec = match codec {
            Codec::Lz4Frame => fb::CompressionType::Lz4Frame,
            Codec::Zstd => fb::CompressionType::Zstd,
        };
        Box::new(fb::BodyCompression { codec, method: fb::BodyCompressionMethod::Buffer })
    });
    let batch = Box::new(fb::RecordBatch {
        length: lists.wire_rows(),
        nodes: Some(lists.nodes().iter().map(node).collect()),
        buffers: Some(lists.buffers().iter().map(buffer).collect()),
        compression,
        variadic_buffer_counts: Some(lists.variadic_counts().to_vec()).filter(|counts| !counts.is_empty()),
    });
    let header = match kind {
        None => fb::MessageHeader::RecordBatch(batch),
        Some(DictionaryHeader { id, is_delta }) => {
            fb::MessageHeader::DictionaryBatch(Box::new(fb::DictionaryBatch {
                id,
                data: Some(batch),
                is_delta,
            }))
        }
    };
    let pair = |(key, value): (Option<&str>, Option<&str>)| fb::KeyValue {
        key: key.map(str::to_owned),
        value: value.map(str::to_owned),
    };
    let message = fb::Message {
        version: match format.version {
            MetadataVersion::V4 => fb::MetadataVersion::V4,
            MetadataVersion::V5 => fb::MetadataVersion::V5,
        },
        header: Some(header),
        body_length: lists.wire_body_bytes().unwrap(),
        custom_metadata: Some(metadata.iter().map(pair).collect::<Vec<_>>())
            .filter(|pairs| !pairs.is_empty()),
    };
    planus::Builder::new().finish(&message, None).to_vec()
}

/// Formats, kinds and custom metadata in all combinations.
fn combinations() -> Vec<(MessageFormat, Option<DictionaryHeader>, Metadata)> {
    let versions = [MetadataVersion::V4, MetadataVersion::V5];
    let framings = [Framing::Current, Framing::Legacy];
    let codecs = [None, Some(Codec::Lz4Frame), Some(Codec::Zstd)];
    let dictionary = |id, is_delta| Some(DictionaryHeader { id, is_delta });
    let kinds = [None, dictionary(-5, false), dictionary(i64::MAX, true)];
    let pairs = vec![(Some("k".into()), Some("v".into())), (None, None), (Some("k".into()), Some("".into()))];
    let metadata = [Metadata::new(), Metadata::from_pairs(pairs)];
    let mut all = Vec::new();
    for version in versions {
        for (framing, codec) in framings.iter().flat_map(|framing| codecs.map(|codec| (*framing, codec))) {
            let format = MessageFormat { version, framing, codec, ..MessageFormat::default() };
            all.extend(
                kinds.iter().flat_map(|kind| metadata.clone().map(|metadata| (format, *kind, metadata))),
            );
        }
    }
    all
}

#[test]
fn messages_mean_the_same_as_those_of_planus() {
    for lists in [
        lists(0, &[], &[]),
        lists(1, &[0, 8], &[]),
        lists(2, &[1, 100, 0], &[]),
        lists(3, &[64, 64, 7, 0, 100_000], &[2]),
        lists(1000, &[9; 2000], &[0; 5]),
    ] {
        for (format, kind, custom) in combinations() {
            let encoder = MetadataEncoder::new(format);
            let mut by_hand = BufferMut::new();
            // The message is appended after other bytes, which must not change the message.
            by_hand.extend_from_slice(b"before");
            encoder.batch(&mut by_hand, kind, &lists, &custom).unwrap();
            let by_hand = &by_hand[6..];
            let metadata = encoder.batch_metadata(kind, &lists, &custom).unwrap();
            assert_eq!((by_hand.len(), by_hand.len() % 64), (metadata.n_bytes(), 0));
            let generated = by_planus(format, kind, &lists, &custom);
            let by_hand = unframe(by_hand, format.framing);
            assert_eq!(meaning(by_hand, &lists), meaning(&generated, &lists), "{format:?} {kind:?}");
        }
    }
}

#[test]
fn custom_metadata_is_retained() {
    let pairs = vec![(Some("k".into()), Some("v".into())), (None, None), (Some("k".into()), Some("".into()))];
    let metadata = Metadata::from_pairs(pairs);
    let lists = lists(1, &[0, 8], &[]);
    let mut bytes = BufferMut::new();
    MetadataEncoder::default().batch(&mut bytes, None, &lists, &metadata).unwrap();
    assert_eq!(bytes.len() % 64, 0);
    let limits = Limits::default();
    let envelope = Envelope::parse(Buffer::copy_from(unframe(&bytes, Framing::Current)), &limits).unwrap();
    assert_eq!(envelope.custom_metadata(&limits).unwrap(), metadata);
    assert_eq!(BatchView::parse(envelope, &limits).unwrap().custom_metadata(), &metadata);
}

#[test]
fn a_list_that_ends_after_the_metadata_is_refused_when_the_batch_is_opened() {
    let lists = lists(1, &[0, 8], &[]);
    let mut bytes = BufferMut::new();
    MetadataEncoder::default().batch(&mut bytes, None, &lists, &Metadata::new()).unwrap();
    let metadata = unframe(&bytes, Framing::Current);
    let one_node = 1u32.to_le_bytes();
    // The vector of nodes begins with its length; the struct of the node follows.
    let node: Vec<u8> = lists.nodes()[0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let nodes = [&one_node[..], &node].concat();
    let at = metadata.windows(nodes.len()).position(|bytes| bytes == nodes).unwrap();
    let limits = Limits::default();
    for (n_nodes, is_read) in [(1u32, true), (u32::MAX, false), (100, false)] {
        let mut metadata = metadata.to_vec();
        metadata[at..at + 4].copy_from_slice(&n_nodes.to_le_bytes());
        let open = BatchView::parse(Envelope::parse(metadata.into(), &limits).unwrap(), &limits);
        assert_eq!(open.is_ok(), is_read, "{n_nodes} nodes: {open:?}");
    }
}
