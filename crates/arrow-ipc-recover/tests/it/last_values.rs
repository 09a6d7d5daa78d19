//! A body that ends with the bytes of an end marker: without an end marker after it, these bytes may be its last values,
//! or bytes of it may be missing.

use arrow_array::{BinaryArray, Int32Array, Int64Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{FileWriter, Limits, MessageKind, StreamWriter, WriteOptions, file::Footer};
use arrow_ipc_recover::{LostCause, LostContent, LostPart};

use super::harness::{read, recover, same, stream_of};

const MARKER_BYTES: usize = 8;

fn batch(column: impl Into<ArrayData>) -> RecordBatch {
    RecordBatch::try_from_columns([("a", column.into())]).unwrap()
}

fn dense() -> WriteOptions {
    WriteOptions::new().with_alignment(8)
}

fn stream(all: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with(Vec::new(), all[0].schema(), dense()).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

/// A file, and the position of its footer.
fn file(all: &[RecordBatch]) -> (Vec<u8>, usize) {
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), dense()).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    let file = writer.finish().unwrap();
    let footer = Footer::read(&Buffer::copy_from(&file), &Limits::default()).unwrap().position() as usize;
    (file, footer)
}

/// Batches whose bodies end with the bytes of an end marker.
fn inputs() -> Vec<[RecordBatch; 2]> {
    // The end marker of the value is the end of the body.
    let value = stream_of(&[batch(Int32Array::from_iter(0..100))]);
    let binary = |value: &[u8]| batch(BinaryArray::try_from_iter([Some(value)]).unwrap());
    vec![
        [batch(Int32Array::from_iter([7, 7])), batch(Int32Array::from_iter([1, 2, -1, 0]))],
        [batch(Int64Array::from_iter([7])), batch(Int64Array::from_iter([5, 4_294_967_295]))],
        [binary(b"a value"), binary(&value)],
    ]
}

fn doubts(lost: &[LostPart]) -> Vec<(MessageKind, Option<u64>, u64)> {
    let doubt = |part: &LostPart| match (part.what(), part.cause()) {
        (LostContent::Certainty { kind, number }, LostCause::EndMarkerInside { n_bytes }) => {
            Some((kind, number, *n_bytes))
        }
        _ => None,
    };
    lost.iter().filter_map(doubt).collect()
}

#[test]
fn values_like_an_end_marker_are_recovered_and_the_doubt_is_reported() {
    for all in inputs() {
        let stream = stream(&all);
        let (file, footer) = file(&all);
        let unmarked = &stream[..stream.len() - MARKER_BYTES];
        assert!(unmarked.ends_with(&stream[stream.len() - MARKER_BYTES..]));
        let file_without_marker = [&file[..footer - MARKER_BYTES], &file[footer..]].concat();
        for (name, bytes, number) in [("stream", unmarked, None), ("file", &file_without_marker, Some(1))] {
            assert!(same(&read(bytes).unwrap(), &all), "{name}");
            let found = recover(bytes).unwrap();
            assert!(same(&found.batches, &all), "{name}: {:?}", found.lost_text());
            assert_eq!(doubts(&found.lost), [(MessageKind::RecordBatch, number, 8)], "{name}");
            assert_eq!(found.lost.len(), 1, "{name}: {:?}", found.lost_text());
        }
        // The file was cut after its last body.
        let found = recover(&file[..footer - MARKER_BYTES]).unwrap();
        assert!(same(&found.batches, &all), "{:?}", found.lost_text());
        assert_eq!(doubts(&found.lost), [(MessageKind::RecordBatch, None, 8)]);
    }
}

/// Readers take four zeros for a legacy end marker.
#[test]
fn a_value_before_a_legacy_end_marker_is_recovered() {
    let all = [batch(Int32Array::from_iter([1, 2, 3, -1]))];
    let stream = stream(&all);
    let bytes = [&stream[..stream.len() - MARKER_BYTES], &[0; 4]].concat();
    assert!(same(&read(&bytes).unwrap(), &all));
    let found = recover(&bytes).unwrap();
    assert!(same(&found.batches, &all), "{:?}", found.lost_text());
    assert_eq!(doubts(&found.lost), [(MessageKind::RecordBatch, None, 4)]);
}

#[test]
fn with_an_end_marker_nothing_is_doubtful() {
    for all in inputs() {
        for bytes in [stream(&all), file(&all).0, [stream(&all), stream(&all)].concat()] {
            let found = recover(&bytes).unwrap();
            assert!(same(&found.batches[..2], &all) && found.lost.is_empty(), "{:?}", found.lost_text());
        }
    }
}

/// Padding consists of zeros, so an end marker in it shows that bytes are missing.
#[test]
fn an_end_marker_in_padding_loses_the_batch() {
    let all = [batch(Int64Array::from_iter([1, 2]))];
    let stream = stream_of(&all);
    let end = stream.len() - MARKER_BYTES;
    let bytes = [&stream[..end - MARKER_BYTES], &stream[end..]].concat();
    let found = recover(&bytes).unwrap();
    assert!(found.batches.is_empty(), "{:?}", found.lost_text());
    assert!(matches!(found.lost[0].cause(), LostCause::Missing { n_bytes: 8 }), "{:?}", found.lost_text());
}

/// Bytes removed from the last body look like an input without an end marker.
#[test]
fn bytes_removed_before_the_end_marker_are_reported() {
    let all = [batch(Int32Array::from_iter(1..9))];
    let stream = stream(&all);
    let (file, footer) = file(&all);
    for (bytes, marker) in [(&stream, stream.len() - MARKER_BYTES), (&file, footer - MARKER_BYTES)] {
        for n_removed in 1..=16 {
            let removed = [&bytes[..marker - 16], &bytes[marker - 16 + n_removed..]].concat();
            let found = recover(&removed).unwrap();
            assert!(!found.lost.is_empty(), "{n_removed}");
            let is_doubtful = n_removed == 4 || n_removed == 8;
            assert_eq!(!doubts(&found.lost).is_empty(), is_doubtful, "{n_removed}: {:?}", found.lost_text());
            assert_eq!(found.batches.len(), usize::from(is_doubtful), "{n_removed}");
        }
    }
}
