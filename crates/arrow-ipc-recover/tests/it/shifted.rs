//! Bytes removed from a message or inserted between two, in any number: the messages after them are found where they are.

use arrow_data::RecordBatch;
use arrow_ipc::{
    FileWriter, Framing, MessageKind, MetadataVersion, StreamWriter, WriteOptions, message::Message,
};
use arrow_ipc_recover::{LostCause, LostContent};
use testing_support::{Hunt, batch_of, ints};

use super::harness::{RecoveryResult, recover, same};

/// Any four bytes are a valid value, and none of them is zero.
fn batches() -> Vec<RecordBatch> {
    [119, 140, 109, 130, 112].map(|n| batch_of(ints((0..n).map(|nth| nth * 7 + 0x0101_0101)))).to_vec()
}

fn inputs(all: &[RecordBatch]) -> Vec<(&'static str, Vec<u8>)> {
    let stream = |options| {
        let mut writer = StreamWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
        all.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap()
    };
    let file = |options| {
        let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
        all.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap()
    };
    let legacy = || WriteOptions::new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy);
    let whole = file(WriteOptions::new());
    // So that the schema message does not look as if bodies were aligned to more than 8 bytes.
    let dense = |options: WriteOptions| {
        let metadata = [("k".to_owned(), "a value of some more bytes".to_owned())].into_iter().collect();
        options.with_alignment(8).with_file_metadata(metadata)
    };
    vec![
        ("file", whole.clone()),
        ("file without a footer", whole[..whole.len() - 200].to_vec()),
        ("stream", stream(WriteOptions::new())),
        ("dense stream", stream(dense(WriteOptions::new()))),
        ("legacy stream", stream(legacy())),
        ("dense legacy file", file(dense(legacy()))),
    ]
}

/// Of a message: its start, its body, its end.
fn positions(message: &Message) -> (usize, usize, usize) {
    let body = message.body_position();
    (message.position() as usize, body as usize, (body + message.n_body_bytes()) as usize)
}

fn check_others(found: &RecoveryResult, all: &[RecordBatch], idx: usize, what: &str) {
    let rest = [&all[..idx], &all[idx + 1..]].concat();
    let n_found = found.batches.len();
    assert!(same(&found.batches, &rest), "{what}: {n_found} batches, lost {:?}", found.lost_text());
}

#[test]
fn bytes_removed_from_a_body_cost_its_batch_and_are_counted() {
    let all = batches();
    let step = Hunt::from_env().count(5, 1);
    for (name, bytes) in inputs(&all) {
        let messages = recover(&bytes).unwrap().messages;
        // The last body is followed by an end marker, which is no message. That of legacy framing looks like four zeros of a value,
        // unless the footer can be read that follows it.
        let n_followed = if name == "dense legacy file" { all.len() - 2 } else { all.len() - 1 };
        for (idx, message) in messages.iter().enumerate().take(n_followed) {
            let (start, body, end) = positions(message);
            for n_removed in (1..=19).step_by(step).chain([4, 8, 16, 64]) {
                for at in [body, body + 5, (body + end) / 2, body + 9 * 8 - n_removed.min(9 * 8)] {
                    let removed = [&bytes[..at], &bytes[at + n_removed..]].concat();
                    let found = recover(&removed).unwrap();
                    let what = format!("{name}, message {idx}, {n_removed} bytes at {at}");
                    check_others(&found, &all, idx, &what);
                    let lost = &found.lost[0];
                    let what = format!("{what}: {:?}", found.lost_text());
                    assert_eq!(lost.range(), start as u64..(end - n_removed) as u64, "{what}");
                    assert_eq!(lost.what(), LostContent::Message(MessageKind::RecordBatch), "{what}");
                    let n_bytes = n_removed as u64;
                    let is_counted =
                        matches!(lost.cause(), LostCause::Missing { n_bytes: n } if *n == n_bytes);
                    assert!(is_counted, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_whole_body_may_be_missing_and_more() {
    let all = batches();
    for (name, bytes) in inputs(&all) {
        let messages = recover(&bytes).unwrap().messages;
        let (_, body, _) = positions(&messages[1]);
        for last in 1..all.len() - 2 {
            let (_, _, end) = positions(&messages[last]);
            // The rest of a body, and all messages up to another one.
            let removed = [&bytes[..body + 11], &bytes[end..]].concat();
            let found = recover(&removed).unwrap();
            let rest = [&all[..1], &all[last + 1..]].concat();
            assert!(same(&found.batches, &rest), "{name}, {last}: {:?}", found.lost_text());
        }
    }
}

#[test]
fn bytes_of_metadata_may_be_missing() {
    let all = batches();
    for (name, bytes) in inputs(&all) {
        let messages = recover(&bytes).unwrap().messages;
        for (idx, message) in messages.iter().enumerate().take(all.len() - 1) {
            let (start, body, _) = positions(message);
            for at in (start..body - 24).step_by(Hunt::from_env().count(13, 1)) {
                for n_removed in [1, 2, 3, 5, 7, 11] {
                    let removed = [&bytes[..at], &bytes[at + n_removed..]].concat();
                    let found = recover(&removed).unwrap();
                    let what = format!("{name}, message {idx}, {n_removed} bytes at {at}");
                    // Lengths that were shifted may be read as others: then more than one batch is lost, and none is wrong.
                    let n_found = found.batches.len();
                    assert!(n_found + 1 >= all.len(), "{what}: {n_found}, lost {:?}", found.lost_text());
                    assert!(same(&found.batches[..idx], &all[..idx]), "{what}");
                    let n_after = all.len() - idx - 1;
                    assert!(same(&found.batches[n_found - n_after..], &all[idx + 1..]), "{what}");
                    assert!(!found.lost.is_empty(), "{what}");
                }
            }
        }
    }
}

#[test]
fn bytes_inserted_between_messages_cost_nothing() {
    let all = batches();
    for (name, bytes) in inputs(&all) {
        for message in &recover(&bytes).unwrap().messages {
            let (start, _, _) = positions(message);
            for n_inserted in [1, 2, 3, 4, 5, 7, 8, 13, 100] {
                let inserted = [&bytes[..start], &vec![0xcd; n_inserted], &bytes[start..]].concat();
                let found = recover(&inserted).unwrap();
                let what = format!("{name}, {n_inserted} at {start}: {:?}", found.lost_text());
                assert!(same(&found.batches, &all), "{what}: {}", found.batches.len());
                let range = start as u64..(start + n_inserted) as u64;
                assert_eq!(found.lost[0].range(), range, "{what}");
            }
        }
    }
}

/// The values of the last batch have come into the one before it, and nothing else of that is left.
#[test]
fn a_batch_into_which_others_have_come_is_named() {
    let all = batches();
    let file = inputs(&all).swap_remove(0).1;
    let messages = recover(&file).unwrap().messages;
    let last = all.len() - 2;
    let ((start, _, end), (_, next_body, next_end)) =
        (positions(&messages[last]), positions(&messages[last + 1]));
    let at = end - 120;
    for n_removed in next_body - at..next_end - end {
        let removed = [&file[..at], &file[at + n_removed..]].concat();
        let found = recover(&removed).unwrap();
        let what = format!("{n_removed} bytes: {:?}", found.lost_text());
        assert!(same(&found.batches[..last], &all[..last]), "{what}");
        let is_named = found.lost.iter().any(|lost| lost.range().start == start as u64);
        assert!(is_named, "{what}");
    }
}

/// The end marker has come into the body of the last batch. The rows are recovered if it may be values.
#[test]
fn bytes_removed_from_the_last_body_are_reported() {
    let all = batches();
    let options = WriteOptions::new().with_alignment(8);
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    let file = writer.finish().unwrap();
    let (_, body, _) = positions(recover(&file).unwrap().messages.last().unwrap());
    for n_removed in 1..=16 {
        let removed = [&file[..body + 16], &file[body + 16 + n_removed..]].concat();
        let found = recover(&removed).unwrap();
        let what = format!("{n_removed} bytes: {:?}", found.lost_text());
        assert!(same(&found.batches[..4], &all[..4]), "{what}");
        assert!(!found.lost.is_empty(), "{what}");
    }
}

/// The schema message shows no alignment, at any end position.
#[test]
fn a_batch_is_found_if_all_after_it_are_zeros() {
    // Also one whose body has a length that a larger alignment allows.
    let numbers = |n_rows| {
        let column: arrow_array::Int64Array = (0..n_rows).collect();
        vec![RecordBatch::try_from_columns([("a", column.into())]).unwrap(); 3]
    };
    for (name, all) in [("batches", batches()), ("64", numbers(8)), ("72", numbers(9)), ("128", numbers(16))]
    {
        for n_bytes in 0..64 {
            let metadata = [("k".to_owned(), "v".repeat(n_bytes))].into_iter().collect();
            let options = WriteOptions::new().with_alignment(8).with_file_metadata(metadata);
            let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
            all.iter().for_each(|batch| writer.write(batch).unwrap());
            let mut file = writer.finish().unwrap();
            let (_, _, end) = positions(&recover(&file).unwrap().messages[0]);
            file[end..].fill(0);
            let found = recover(&file).unwrap();
            assert!(same(&found.batches, &all[..1]), "{name}, {n_bytes}: {:?}", found.lost_text());
        }
    }
}

/// A stream in a value is not taken for one of the input when the message after its batch is damaged.
#[test]
fn messages_inside_of_values_stay_there() {
    let inner = inputs(&batches()).swap_remove(2).1;
    let value = |nth: usize| [inner.clone(), vec![nth as u8; nth]].concat();
    let all: Vec<RecordBatch> = (0..3)
        .map(|nth| {
            let column: arrow_array::BinaryArray =
                arrow_array::BinaryArray::try_from_iter([Some(value(nth))]).unwrap();
            RecordBatch::try_from_columns([("value", column.into())]).unwrap()
        })
        .collect();
    for (name, bytes) in inputs(&all) {
        let messages = recover(&bytes).unwrap().messages;
        let (start, _, _) = positions(&messages[1]);
        let mut damaged = bytes.clone();
        damaged[start..start + 40].fill(0xab);
        let found = recover(&damaged).unwrap();
        assert!(same(&found.batches[..1], &all[..1]), "{name}: {:?}", found.lost_text());
        assert!(same(&found.batches[found.batches.len() - 1..], &all[2..]), "{name}");
    }
}
