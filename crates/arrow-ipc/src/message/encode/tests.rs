use arrow_buffer::{Buffer, BufferMut};

use super::*;
use crate::{
    limits::Limits,
    message::{BatchHeader, Head, OpenBatch},
};

fn lists(n_nodes: usize, buffers: &[usize], counts: &[usize]) -> BatchLists {
    let mut lists = BatchLists::default();
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
fn unframe(framed: &[u8]) -> &[u8] {
    let (prefix, metadata) = framed.split_at(8);
    assert_eq!(prefix[..4], [0xff; 4]);
    assert_eq!(prefix[4..], (metadata.len() as u32).to_le_bytes());
    metadata
}

/// The content of the metadata, according to this crate's reader.
fn meaning(metadata: &[u8], lists: &BatchLists) -> String {
    let limits = Limits::default();
    let head = Head::parse(Buffer::copy_from(metadata), &limits).unwrap();
    assert_eq!(head.n_body_bytes, lists.n_body_bytes());
    let (kind, version) = (head.kind, head.version);
    let message = OpenBatch::parse(head, &limits).unwrap();
    let header = BatchHeader::try_new(&message).unwrap();
    format!("{kind} {version} {:?} {:?} {header:?}", message.dictionary, message.custom_metadata)
}

#[test]
fn both_ways_to_write_a_batch_mean_the_same() {
    let mut encoder = MessageEncoder::default();
    let kinds = [
        None,
        Some(DictionaryMessage { id: -5, is_delta: false }),
        Some(DictionaryMessage { id: i64::MAX, is_delta: false }),
    ];
    for lists in [
        lists(0, &[], &[]),
        lists(1, &[0, 8], &[]),
        lists(2, &[1, 100, 0], &[]),
        lists(3, &[64, 64, 7, 0, 100_000], &[2]),
        lists(1000, &[9; 2000], &[0; 5]),
    ] {
        for kind in kinds {
            let mut by_hand = BufferMut::new();
            // The message is appended after other bytes, which must not change the message.
            by_hand.extend_from_slice(b"before");
            let n_bytes = encoder.batch(&mut by_hand, kind, &lists, &Metadata::new()).unwrap();
            let by_hand = &by_hand[6..];
            assert_eq!((by_hand.len() as u64, by_hand.len() % 64), (n_bytes, 0));
            assert_eq!(n_bytes, encoder.n_batch_bytes(kind, &lists, &Metadata::new()).unwrap());
            let generated = encoder.build_batch(kind, &lists, &Metadata::new()).unwrap();
            assert_eq!(meaning(unframe(by_hand), &lists), meaning(generated, &lists), "{kind:?}");
        }
    }
}

#[test]
fn custom_metadata_is_kept() {
    let pairs = vec![(Some("k".into()), Some("v".into())), (None, None), (Some("k".into()), Some("".into()))];
    let metadata = Metadata::from_pairs(pairs);
    let lists = lists(1, &[0, 8], &[]);
    let mut bytes = BufferMut::new();
    MessageEncoder::default().batch(&mut bytes, None, &lists, &metadata).unwrap();
    assert_eq!(bytes.len() % 64, 0);
    let limits = Limits::default();
    let head = Head::parse(Buffer::copy_from(unframe(&bytes)), &limits).unwrap();
    assert_eq!(head.custom_metadata(&limits).unwrap(), metadata);
    assert_eq!(OpenBatch::parse(head, &limits).unwrap().custom_metadata, metadata);
}

#[test]
fn a_list_that_ends_after_the_metadata_is_refused_when_the_batch_is_opened() {
    let lists = lists(1, &[0, 8], &[]);
    let mut bytes = BufferMut::new();
    MessageEncoder::default().batch(&mut bytes, None, &lists, &Metadata::new()).unwrap();
    let metadata = unframe(&bytes);
    let one_node = 1u32.to_le_bytes();
    // The vector of nodes begins with its length; the struct of the node follows.
    let node: Vec<u8> = lists.nodes()[0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let nodes = [&one_node[..], &node].concat();
    let at = metadata.windows(nodes.len()).position(|bytes| bytes == nodes).unwrap();
    let limits = Limits::default();
    for (n_nodes, is_read) in [(1u32, true), (u32::MAX, false), (100, false)] {
        let mut metadata = metadata.to_vec();
        metadata[at..at + 4].copy_from_slice(&n_nodes.to_le_bytes());
        let open = OpenBatch::parse(Head::parse(metadata.into(), &limits).unwrap(), &limits);
        assert_eq!(open.is_ok(), is_read, "{n_nodes} nodes: {open:?}");
    }
}
