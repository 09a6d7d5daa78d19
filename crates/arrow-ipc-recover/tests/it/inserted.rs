//! Bytes inserted into the bodies of a file, or repeated there: no values are shifted without a word.

use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, MessageKind, WriteOptions};
use arrow_ipc_recover::{LostCause, LostContent};
use testing_support::{batch_of, ints};

use super::harness::{RecoveryResult, recover, same};

fn file_of(all: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), all[0].schema()).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

/// Batches that end with zeros are shifted so that zeros follow the bodies.
fn inputs() -> [Vec<RecordBatch>; 2] {
    let all = |value: fn(i32, i32) -> i32| {
        [119, 140, 109, 130].map(|n| batch_of(ints((0..n).map(|nth| value(nth, n))))).to_vec()
    };
    [all(|nth, _| nth * 7 + 0x0101_0101), all(|nth, n| if nth < n / 2 { nth + 1 } else { 0 })]
}

/// The doubtful batches, and the number of bytes for each.
fn doubts(found: &RecoveryResult) -> Vec<(u64, i64)> {
    let doubt = |lost: &arrow_ipc_recover::LostPart| match (lost.what(), lost.cause()) {
        (
            LostContent::Certainty { kind: MessageKind::RecordBatch, number: Some(number) },
            LostCause::Shifted { n_surplus },
        ) => Some((number, *n_surplus)),
        _ => None,
    };
    found.lost.iter().filter_map(doubt).collect()
}

#[test]
fn a_batch_into_which_bytes_were_inserted_is_doubtful() {
    for all in inputs() {
        let file = file_of(&all);
        let messages = recover(&file).unwrap().messages;
        assert!(doubts(&recover(&file).unwrap()).is_empty());
        for (idx, message) in messages.iter().enumerate() {
            let body = message.body_position() as usize;
            let end = body + message.n_body_bytes() as usize;
            for at in [body, body + 12, (body + end) / 2, end - 64, end - 1, end] {
                for n in [1, 3, 4, 8, 64, 512, 4_096] {
                    let repeated = file[at.saturating_sub(n)..at].to_vec();
                    for inserted in [vec![0; n], vec![0xcd; n], repeated] {
                        let damaged = [&file[..at], &inserted, &file[at..]].concat();
                        let found = recover(&damaged).unwrap();
                        let what = format!("{n} at {at} of {idx}: {:?}", found.lost_text());
                        // A copy of whole messages is found as such.
                        if found.batches.len() != all.len() {
                            assert!(!found.lost.is_empty(), "{what}");
                            continue;
                        }
                        let is_right = same(&found.batches, &all);
                        let is_reported = doubts(&found).iter().any(|(number, _)| *number == idx as u64);
                        assert!(is_right || is_reported, "{what}");
                        assert!(at == end && inserted[0] == 0 || !found.lost.is_empty(), "{what}");
                        let others =
                            |batches: &[RecordBatch]| [&batches[..idx], &batches[idx + 1..]].concat();
                        assert!(same(&others(&found.batches), &others(&all)), "{what}");
                        let expected = format!("batch {idx} of the footer may hold shifted values: ");
                        let is_named = found.lost_text().iter().any(|lost| lost.contains(&expected));
                        assert_eq!(is_named, is_reported, "{what}");
                    }
                }
            }
        }
    }
}

/// If the next message begins at the expected position, no batch before it is shifted.
#[test]
fn a_batch_that_the_next_one_follows_is_certain() {
    let all = &inputs()[0];
    let file = file_of(all);
    let messages = recover(&file).unwrap().messages;
    for message in &messages[1..] {
        let (start, body) = (message.position() as usize, message.body_position() as usize);
        for at in [start + 8, start + 20, body - 1, body + 9] {
            for n in [1, 8, 512] {
                let inserted = [&file[..at], &vec![0xcd; n], &file[at..]].concat();
                let mut removed = file.clone();
                removed.drain(at..(at + n).min(body + 64));
                for damaged in [inserted, removed] {
                    let found = recover(&damaged).unwrap();
                    let text = found.lost_text();
                    let before =
                        messages.iter().position(|other| other.position() == message.position()).unwrap() - 1;
                    assert!(!text.is_empty());
                    assert!(
                        doubts(&found).iter().all(|(number, _)| *number != before as u64),
                        "{n} at {at}: {text:?}"
                    );
                    assert!(same(&found.batches[..before + 1], &all[..before + 1]), "{n} at {at}: {text:?}");
                }
            }
        }
    }
}

/// A range that has the end of a body and the start of the next message: the body ends with bytes of another.
#[test]
fn a_batch_whose_end_was_removed_with_the_next_start_is_doubtful() {
    let all = &inputs()[0];
    let file = file_of(all);
    let messages = recover(&file).unwrap().messages;
    for (idx, message) in messages.iter().enumerate().take(all.len() - 2) {
        let body = message.body_position();
        let end = (body + message.n_body_bytes()) as usize;
        for (n_before, n_after) in [(8, 8), (100, 20), (64, 64), (3, 9), (200, 300)] {
            let removed = [&file[..end - n_before], &file[end + n_after..]].concat();
            let found = recover(&removed).unwrap();
            let text = found.lost_text();
            let is_right =
                found.batches.iter().all(|batch| all.iter().any(|of| of.same_values(batch).unwrap()));
            let is_reported = doubts(&found).contains(&(idx as u64, -((n_before + n_after) as i64)));
            assert!(is_right || is_reported, "{idx}, {n_before} and {n_after}: {text:?}");
            assert!(!text.is_empty());
        }
    }
}

/// Without a footer, the end of a body that was moved may begin with zeros, as space between messages does.
#[test]
fn a_moved_end_that_begins_with_zeros_makes_a_batch_doubtful() {
    for zeros in [0..0, 10..12, 10..13, 11..16] {
        let value = |nth: i32| if zeros.contains(&nth) { 0 } else { nth + 0x0101_0101 };
        let all = [batch_of(ints((0..16).map(value))), batch_of(ints(21..30))];
        let options = WriteOptions::new().with_alignment(8);
        let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
        all.iter().for_each(|batch| writer.write(batch).unwrap());
        let file = writer.finish().unwrap();
        let messages = recover(&file).unwrap().messages;
        let last = messages.last().unwrap();
        let end = (last.body_position() + last.n_body_bytes()) as usize;
        let at = messages[0].body_position() as usize + 4;
        let damaged = [&file[..at], &[0x63; 24], &file[at..end]].concat();
        let found = recover(&damaged).unwrap();
        let is_reported = found.lost.iter().any(|lost| matches!(lost.cause(), LostCause::Unproven { .. }));
        assert!(
            is_reported || !found.batches.iter().any(|batch| batch.n_rows() == 16),
            "{zeros:?}: {:?}",
            found.lost_text()
        );
    }
}
