//! Damage in the middle: the messages before and after it are found.

use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileWriter, MessageKind, StreamWriter, WriteOptions};
use arrow_ipc_recover::{LostContent, LostPart};
use testing_support::{Generator, Hunt};

use super::harness::{recover, same};

fn batches() -> Vec<RecordBatch> {
    let schema = "id: int64\nname: utf8\nlist: list<item: int16>".parse::<arrow_schema::Schema>().unwrap();
    Generator::new(11).batches(&schema, &[20, 5, 9, 30, 2])
}

fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    inputs_of(&batches())
}

fn inputs_of(all: &[RecordBatch]) -> Vec<(&'static str, Vec<u8>)> {
    let write_stream = |options| {
        let mut writer = StreamWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
        all.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap()
    };
    let mut writer = FileWriter::try_new(Vec::new(), all[0].schema()).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    let file = writer.finish().unwrap();
    let n_footer_bytes = 300;
    vec![
        ("file", file.clone()),
        ("file without a footer", file[..file.len() - n_footer_bytes].to_vec()),
        ("stream", write_stream(WriteOptions::new())),
        ("dense stream", write_stream(WriteOptions::new().with_alignment(8))),
        ("lz4 stream", write_stream(WriteOptions::new().with_compression(Compression::lz4()))),
    ]
}

/// The messages of an undamaged input: kind, start, start of the body, end.
fn layout(bytes: &[u8]) -> Vec<(MessageKind, usize, usize, usize)> {
    let found = recover(bytes).unwrap();
    let message = |message: &arrow_ipc::message::Message| {
        let body = message.body_position();
        (message.kind(), message.position() as usize, body as usize, (body + message.n_body_bytes()) as usize)
    };
    found.messages.iter().map(message).collect()
}

/// Checks that all batches except one are found, and that this one is lost or has other values.
fn check(damaged: &[u8], all: &[RecordBatch], idx: usize, what: &dyn Fn() -> String) {
    let found = recover(damaged).unwrap_or_else(|error| panic!("{}: {error}", what()));
    let (before, after) = (&all[..idx], &all[idx + 1..]);
    let texts = || format!("{}: {} batches, lost {:?}", what(), found.batches.len(), found.lost_text());
    match found.batches.len() == all.len() {
        true => {
            assert!(
                same(&found.batches[..idx], before) && same(&found.batches[idx + 1..], after),
                "{}",
                texts()
            );
        }
        false => {
            assert!(same(&found.batches, &[before, after].concat()), "{}", texts());
            assert!(!found.lost.is_empty(), "{}", texts());
        }
    }
}

#[test]
fn a_wrong_byte_costs_one_batch_at_most() {
    let all = batches();
    let step = Hunt::from_env().count(3, 1);
    for (name, bytes) in inputs() {
        for (idx, (_, start, body, _)) in layout(&bytes).into_iter().enumerate() {
            for at in (start..body + 8).step_by(step).chain(start..start + 8) {
                for change in [0xff, 0x01, 0x80] {
                    let mut damaged = bytes.clone();
                    damaged[at] ^= change;
                    check(&damaged, &all, idx, &|| {
                        format!("{name}, byte {at} ^ {change:#x} of message {idx}")
                    });
                }
            }
        }
    }
}

#[test]
fn overwritten_and_removed_ranges_cost_what_they_touch() {
    let all = batches();
    for (name, bytes) in inputs() {
        let layout = layout(&bytes);
        for (first, (_, start, body, _)) in layout.iter().enumerate() {
            for (last, (_, _, _, end)) in layout.iter().enumerate().skip(first) {
                for fill in [0x00, 0xff, 0xab] {
                    for from in [*start, *body] {
                        let mut damaged = bytes.clone();
                        damaged[from..*end].fill(fill);
                        let found = recover(&damaged).unwrap();
                        // Zeros may be values; then a batch is there, with others.
                        let texts =
                            || format!("{name}, {first}..={last} is {fill:#x}: {:?}", found.lost_text());
                        let n_after = all.len() - last - 1;
                        let n_found = found.batches.len();
                        assert!(n_found >= first + n_after, "{}", texts());
                        assert!(from == *body || !found.lost.is_empty(), "{}", texts());
                        assert!(same(&found.batches[..first], &all[..first]), "{}", texts());
                        assert!(same(&found.batches[n_found - n_after..], &all[last + 1..]), "{}", texts());
                    }
                }
                if name.contains("stream") {
                    // Removed and inserted bytes, in multiples of eight.
                    let removed = [&bytes[..start + 16], &bytes[*end..]].concat();
                    let found = recover(&removed).unwrap();
                    let rest = [&all[..first], &all[last + 1..]].concat();
                    assert!(same(&found.batches, &rest), "{name}: {:?}", found.lost_text());
                    assert!(!found.lost.is_empty());
                    let inserted = [&bytes[..*start], &[0xcd; 4_000][..], &bytes[*start..]].concat();
                    let found = recover(&inserted).unwrap();
                    assert!(same(&found.batches, &all), "{name}: {:?}", found.lost_text());
                    assert_eq!(found.lost[0].range(), *start as u64..*start as u64 + 4_000);
                }
            }
        }
    }
}

/// Messages are numbered like in readers and `MessageScan`: the schema is the first.
#[test]
fn messages_have_the_numbers_of_the_whole_input() {
    for (name, bytes) in inputs() {
        let messages = layout(&bytes);
        for (lost, (_, start, body, end)) in messages.iter().enumerate() {
            let mut damaged = bytes.clone();
            damaged[*body..*end].fill(0x7f);
            let found = recover(&damaged).unwrap();
            let numbers: Vec<u64> = found.messages.iter().map(|message| message.index()).collect();
            let others = (1..=messages.len() as u64).filter(|number| *number != lost as u64 + 1);
            assert_eq!(numbers, others.collect::<Vec<u64>>(), "{name}: {:?}", found.lost_text());
            let what = format!("message {} at byte {start}", lost + 1);
            assert!(found.lost_text().iter().any(|text| text.contains(&what)), "{:?}", found.lost_text());
        }
        if name == "file" {
            // The footer tells what was there.
            let (_, start, body, _) = messages[0];
            let mut damaged = bytes.clone();
            damaged[start..body].fill(0x11);
            assert_eq!(recover(&damaged).unwrap().messages[0].index(), 2);
        }
        if name == "stream" {
            let found = recover(&[&bytes[..], &bytes].concat()).unwrap();
            let numbers: Vec<u64> = found.messages.iter().map(|message| message.index()).collect();
            let each_number = 1..=messages.len() as u64;
            assert_eq!(numbers, each_number.clone().chain(each_number).collect::<Vec<u64>>());
        }
    }
}

#[test]
fn what_is_lost_is_said() {
    let (_, bytes) = inputs().swap_remove(0);
    let (_, start, body, end) = layout(&bytes)[2];
    let mut damaged = bytes.clone();
    // Offsets that go down: the metadata is sound, the content is not.
    damaged[body..end].fill(0x7f);
    let found = recover(&damaged).unwrap();
    let [lost] = &found.lost[..] else { panic!("{:?}", found.lost_text()) };
    assert_eq!(lost.range(), start as u64..end as u64);
    assert_eq!(lost.what(), LostContent::Message(MessageKind::RecordBatch));
    let text = lost.to_string();
    assert!(
        text.starts_with(&format!(
            "bytes {start}..{end}: a record batch is lost: message 3 at byte {start}, field `"
        )),
        "{text}"
    );

    let mut damaged = bytes.clone();
    damaged[start..body].fill(0x11);
    let found = recover(&damaged).unwrap();
    let [lost] = &found.lost[..] else { panic!("{:?}", found.lost_text()) };
    // The footer knows what it was.
    assert_eq!(
        (lost.range(), lost.what()),
        (start as u64..end as u64, LostContent::Message(MessageKind::RecordBatch))
    );

    let wrong_length = "the lengths of the message are wrong, or the bytes after it are damaged";
    let zeros = "the bytes begin with zeros";
    for (zeroed, cause) in [(0..8, zeros), (0..end - start, zeros), (4..8, wrong_length)] {
        let mut damaged = bytes.clone();
        damaged[start..][zeroed].fill(0);
        let found = recover(&damaged).unwrap();
        let [lost] = &found.lost[..] else { panic!("{:?}", found.lost_text()) };
        assert_eq!((lost.range(), lost.cause().to_string()), (start as u64..end as u64, cause.to_owned()));
    }
}

/// Bytes that are inserted into a body shift its values, which cannot be detected for certain. But the recovery reports
/// a doubt.
#[test]
fn bytes_inserted_into_a_body_are_noticed() {
    let all = batches();
    for (name, bytes) in inputs() {
        for (idx, (_, _, body, end)) in layout(&bytes).into_iter().enumerate() {
            let at = body + (end - body) / 16 * 8;
            let inserted = [&bytes[..at], &[7; 8][..], &bytes[at..]].concat();
            let found = recover(&inserted).unwrap();
            let texts = || format!("{name}, message {idx}: {:?}", found.lost_text());
            assert!(!found.lost.is_empty(), "{}", texts());
            let n_found = found.batches.len();
            let n_after = all.len() - idx - 1;
            assert!(n_found >= idx + n_after, "{}", texts());
            let is_uncertain = |lost: &LostPart| matches!(lost.what(), LostContent::Certainty { .. });
            // Removed or inserted bytes of dictionaries and of padding change no values.
            assert!(n_found == idx + n_after || found.lost.iter().any(is_uncertain), "{}", texts());
            assert!(same(&found.batches[..idx], &all[..idx]), "{}", texts());
            assert!(same(&found.batches[n_found - n_after..], &all[idx + 1..]), "{}", texts());
        }
    }
}

/// The number of removed bytes is at most the padding of the body: the next message begins inside the body according to
/// the metadata.
#[test]
fn bytes_removed_from_a_padded_body_lose_its_batch() {
    // Any eight bytes are a valid value, and the last one is not zero.
    let all = [19, 5, 9, 30, 2].map(|n| testing_support::batch_of(testing_support::ints(1..n + 1)));
    let mut n_tried = 0;
    let plain = ["file", "stream", "dense stream"];
    for (name, bytes) in inputs_of(&all).into_iter().filter(|(name, _)| plain.contains(name)) {
        for (idx, (_, start, body, end)) in layout(&bytes).into_iter().enumerate() {
            let n_padding = bytes[body..end].iter().rev().take_while(|byte| **byte == 0).count() / 8 * 8;
            for n_removed in (8..=n_padding.min(64)).step_by(8) {
                let content_end = end - n_padding;
                for at in
                    [body, body + (content_end - body) / 2, content_end.saturating_sub(n_removed).max(body)]
                {
                    let removed = [&bytes[..at], &bytes[at + n_removed..]].concat();
                    let found = recover(&removed).unwrap();
                    let texts =
                        || format!("{name}, message {idx}, {n_removed} at {at}: {:?}", found.lost_text());
                    let rest = [&all[..idx], &all[idx + 1..]].concat();
                    assert!(same(&found.batches, &rest), "{}", texts());
                    let lost = &found.lost[0];
                    // Before the end of the input it looks cut off, and its range has the end marker.
                    let (range, next) = (lost.range(), (end - n_removed) as u64);
                    assert_eq!(range.start, start as u64, "{}", texts());
                    assert!((next..=next + 8).contains(&range.end), "{}", texts());
                    assert_eq!(lost.what(), LostContent::Message(MessageKind::RecordBatch));
                    n_tried += 1;
                }
            }
        }
    }
    assert!(n_tried > 100, "{n_tried}");
}
