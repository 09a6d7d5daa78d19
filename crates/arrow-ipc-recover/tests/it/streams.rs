//! Streams that follow each other, of which one has lost its schema: its batches are not read with the schema or the dictionaries of
//! another.

use std::{ops::Range, sync::Arc};

use arrow_array::{DictionaryBuilder, Float64Array, Int64Array, Utf8Builder};
use arrow_data::RecordBatch;
use arrow_ipc::{Framing, MessageKind, MetadataVersion, StreamWriter, WriteOptions};
use arrow_ipc_recover::LostCause;
use arrow_schema::IndexType;

use super::harness::{RecoveryResult, recover, same};

fn words(words: [&str; 2]) -> RecordBatch {
    let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
    words.iter().for_each(|word| column.append(word));
    RecordBatch::try_from_columns([("c", column.finish().unwrap().into())]).unwrap()
}

fn ints() -> RecordBatch {
    RecordBatch::try_from_columns([("c", Int64Array::from_iter([1, 2, 3]).into())]).unwrap()
}

fn floats() -> RecordBatch {
    RecordBatch::try_from_columns([("c", Float64Array::from_iter([1.5, 2.5, 3.5]).into())]).unwrap()
}

/// More than one column, of which some have children, parameters and metadata.
fn wide() -> RecordBatch {
    let schema =
        "id: int64\nat: timestamp(us, \"Europe/Zurich\")\nitems: list<item: struct<a: utf8, b: bool>>";
    let schema = schema.parse::<arrow_schema::Schema>().unwrap();
    testing_support::Generator::new(7).batches(&schema, &[30]).remove(0)
}

fn stream(batch: &RecordBatch, framing: Framing) -> Vec<u8> {
    let options = match framing {
        Framing::Legacy => WriteOptions::new().with_version(MetadataVersion::V4).with_framing(framing),
        _ => WriteOptions::new(),
    };
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    (0..2).for_each(|_| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

/// The range of the schema message in a stream, and the range with the dictionaries.
fn beginnings(stream: &[u8]) -> [Range<usize>; 2] {
    let messages = recover(stream).unwrap().messages;
    let start_of = |kind: Option<MessageKind>| {
        let mut found = messages.iter().filter(|message| kind.is_none_or(|kind| message.kind() == kind));
        found.next().unwrap().position() as usize
    };
    [0..start_of(None), 0..start_of(Some(MessageKind::RecordBatch))]
}

fn is_lost_for_schema(found: &RecoveryResult) -> bool {
    found.lost.iter().any(|lost| matches!(lost.cause(), LostCause::NoSchema))
}

#[test]
fn batches_after_a_damaged_schema_are_lost() {
    let pairs = [(words(["a", "b"]), words(["c", "d"])), (ints(), floats()), (ints(), words(["a", "b"]))];
    for framing in [Framing::Current, Framing::Legacy] {
        for (first, second) in &pairs {
            let (a, b) = (stream(first, framing), stream(second, framing));
            for range in beginnings(&b) {
                for fill in [0x00, 0xab, 0xff] {
                    let mut damaged = b.clone();
                    damaged[range.clone()].fill(fill);
                    // Another stream follows, whose schema is sound.
                    let bytes = [&a[..], &damaged, &a].concat();
                    let found = recover(&bytes).unwrap();
                    let what = format!("{framing:?}, {range:?} is {fill:#x}: {:?}", found.lost_text());
                    let expected = vec![first.clone(); 4];
                    assert!(same(&found.batches, &expected), "{what}, {} batches", found.batches.len());
                    assert!(is_lost_for_schema(&found), "{what}");
                    // What is damaged is lost, too; 0xff is a part of a marker.
                    let is_damage = |lost: Range<u64>| lost.start <= a.len() as u64 + 8 && !lost.is_empty();
                    assert!(found.lost.iter().any(|lost| is_damage(lost.range())), "{what}");
                    let whole = found
                        .lost
                        .iter()
                        .any(|lost| lost.range() == (a.len() as u64..(a.len() + range.end) as u64));
                    assert!(whole || framing == Framing::Legacy || fill == 0xff, "{what}");
                }
            }
        }
    }
}

/// A batch directly after an end marker belongs to the stream before it, and the marker is reported. If there are bytes
/// between the two, they may have been another schema.
#[test]
fn an_end_marker_before_a_batch_is_reported() {
    for framing in [Framing::Current, Framing::Legacy] {
        let (a, others) = (stream(&ints(), framing), stream(&words(["a", "b"]), framing));
        let [schema, _] = beginnings(&a);
        let marker = if framing == Framing::Legacy { 4 } else { 8 };
        let found = recover(&[&a[..], &a[schema.end..]].concat()).unwrap();
        assert!(same(&found.batches, &vec![ints(); 4]), "{framing:?}: {:?}", found.lost_text());
        let [lost] = &found.lost[..] else { panic!("{:?}", found.lost_text()) };
        let end = a.len() as u64;
        assert!(lost.to_string().contains("an end marker") && lost.range() == (end - marker..end), "{lost}");
        // What has other columns is none of its batches.
        let [schema_of_others, _] = beginnings(&others);
        let found = recover(&[&a[..], &others[schema_of_others.end..]].concat()).unwrap();
        assert!(same(&found.batches, &[ints(), ints()]) && found.lost.len() > 1, "{:?}", found.lost_text());
        let found = recover(&[&a[..], &[b'x'; 100], &a[schema.end..]].concat()).unwrap();
        assert!(same(&found.batches, &[ints(), ints()]), "{framing:?}: {:?}", found.lost_text());
        assert!(is_lost_for_schema(&found));
    }
}

/// Longer than what is looked at in one piece.
#[test]
fn zeros_between_streams_are_padding() {
    let a = stream(&words(["a", "b"]), Framing::Current);
    for n_zeros in [8, 64, 600 << 10] {
        let zeros = vec![0; n_zeros];
        let found = recover(&[&a[..], &zeros, &a, &zeros].concat()).unwrap();
        assert!(found.lost.is_empty(), "{:?}", found.lost_text());
        assert_eq!(found.batches.len(), 4);
        // They are a loss where something else follows.
        let found = recover(&[&a[..], &zeros, b"something else"].concat()).unwrap();
        let range = a.len() as u64..(a.len() + n_zeros + 14) as u64;
        assert_eq!(found.lost.iter().map(|lost| lost.range()).collect::<Vec<_>>(), [range]);
    }
}

/// A marker that metadata follows at once is a prefix whose length is damaged: the stream goes on.
#[test]
fn a_length_that_became_zero_costs_its_message() {
    for framing in [Framing::Current, Framing::Legacy] {
        let bytes = stream(&ints(), framing);
        let message = &recover(&bytes).unwrap().messages[0];
        let (start, body) = (message.position() as usize, message.body_position() as usize);
        let n_prefix_bytes = if framing == Framing::Legacy { 4 } else { 8 };
        let mut damaged = bytes.clone();
        damaged[start + n_prefix_bytes - 4..start + n_prefix_bytes].fill(0);
        let found = recover(&damaged).unwrap();
        assert!(same(&found.batches, &[ints()]), "{framing:?}: {:?}", found.lost_text());
        let [lost] = &found.lost[..] else { panic!("{:?}", found.lost_text()) };
        assert!(lost.range().start == start as u64 && lost.range().end >= body as u64, "{lost}");
    }
}

/// The second stream has other metadata. Its rows belong to the same columns.
#[test]
fn streams_with_other_metadata_are_read() {
    for batch in [ints(), words(["a", "b"])] {
        let schema = batch.schema().as_ref().clone().with_metadata([("made", "later")].into_iter().collect());
        let other = RecordBatch::try_new(Arc::new(schema), batch.columns().to_vec()).unwrap();
        let first = stream(&batch, Framing::Current);
        let found = recover(&[&first[..], &stream(&other, Framing::Current), &first].concat()).unwrap();
        assert!(same(&found.batches, &vec![batch.clone(); 6]), "{}", found.batches.len());
        let causes: Vec<String> = found.lost.iter().map(|lost| lost.cause().to_string()).collect();
        assert_eq!(causes, ["the metadata differs from that of the first stream"]);
    }
}

/// A sound schema message belongs to its stream even if the bytes after it are damaged, in a later stream as in the first.
#[test]
fn a_schema_before_damaged_bytes_is_recovered() {
    for framing in [Framing::Current, Framing::Legacy] {
        for batch in [ints(), floats(), wide()] {
            let a = stream(&batch, framing);
            let [schema, _] = beginnings(&a);
            // Zeros are an end marker in legacy framing.
            for fill in [0x00, 0xab, 0xff].into_iter().filter(|fill| framing == Framing::Current || *fill > 0)
            {
                let mut damaged = a.clone();
                damaged[schema.end..schema.end + 40].fill(fill);
                for n_before in [0, 1] {
                    let bytes = [a.repeat(n_before), damaged.clone()].concat();
                    let found = recover(&bytes).unwrap();
                    let what = format!("{framing:?}, {n_before}, {fill:#x}: {:#?}", found.lost_text());
                    assert!(same(&found.batches, &vec![batch.clone(); 2 * n_before + 1]), "{what}");
                    let starts: Vec<u64> = found.lost.iter().map(|lost| lost.range().start).collect();
                    assert_eq!(starts, [(n_before * a.len() + schema.end) as u64], "{what}");
                }
            }
        }
    }
}
