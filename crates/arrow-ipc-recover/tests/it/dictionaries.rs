//! Dictionaries in damaged bytes: never wrong values.

use std::ops::Range;

use arrow_array::{DictionaryBuilder, Utf8Builder};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, FileWriter, Limits, MessageKind, StreamWriter, WriteOptions, file::Footer,
    message::Message,
};
use arrow_ipc_recover::{LostCause, Recovery};
use arrow_schema::IndexType;

use super::harness::{RecoveryResult, recover, run, same};

fn words(batches: &[&[&str]]) -> Vec<RecordBatch> {
    let batch = |words: &&[&str]| {
        let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        words.iter().for_each(|word| column.append(word));
        RecordBatch::try_from_columns([("word", column.finish().unwrap().into())]).unwrap()
    };
    batches.iter().map(batch).collect()
}

fn samples() -> Vec<RecordBatch> {
    words(&[&["a", "b"], &["c", "d"], &["d", "c"], &["e", "f"]])
}

fn stream(policy: DictionaryPolicy) -> Vec<u8> {
    let (all, options) = (samples(), WriteOptions::new().with_dictionaries(policy));
    let mut writer = StreamWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn file() -> Vec<u8> {
    let (all, options) = (samples(), WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta));
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn footer(file: &[u8]) -> usize {
    Footer::read(&Buffer::copy_from(file), &Limits::default()).unwrap().position() as usize
}

/// The damaged part of a message.
#[derive(Debug, Clone, Copy)]
enum MessagePart {
    Metadata,
    Body,
}

/// Damages a part of the dictionary message of this number: its metadata, or its body.
fn damage(bytes: &[u8], dictionary_idx: usize, part: MessagePart) -> Vec<u8> {
    let found = recover(bytes).unwrap();
    let mut dictionaries = found.messages.iter().filter(|found| found.kind() == MessageKind::DictionaryBatch);
    let message = dictionaries.nth(dictionary_idx).unwrap();
    let (start, body) = (message.position() as usize, message.body_position() as usize);
    let mut damaged = bytes.to_vec();
    match part {
        // Offsets.
        MessagePart::Body => damaged[body..body + message.n_body_bytes() as usize].fill(0x7f),
        MessagePart::Metadata => damaged[start..body].fill(0x11),
    }
    damaged
}

fn check(found: &RecoveryResult, complete: &[usize], n_of_lost_dictionaries: usize, what: &str) {
    let all = samples();
    let expected: Vec<RecordBatch> = complete.iter().map(|idx| all[*idx].clone()).collect();
    assert!(
        same(&found.batches, &expected),
        "{what}: {} batches, {:?}",
        found.batches.len(),
        found.lost_text()
    );
    let needs = found.lost.iter().filter(|part| matches!(part.cause(), LostCause::LostDictionary { .. }));
    assert_eq!(needs.count(), n_of_lost_dictionaries, "{what}: {:?}", found.lost_text());
}

#[test]
fn batches_that_need_a_lost_dictionary_are_lost() {
    let bytes = stream(DictionaryPolicy::Replace);
    assert_eq!(recover(&bytes).unwrap().n_dictionaries(), 4);
    for part in [MessagePart::Metadata, MessagePart::Body] {
        for (idx, complete) in [(0, [1, 2, 3]), (1, [0, 2, 3]), (2, [0, 1, 3]), (3, [0, 1, 2])] {
            let found = recover(&damage(&bytes, idx, part)).unwrap();
            check(&found, &complete, 1, &format!("replaced {idx}, {part:?}"));
        }
    }
    let text = recover(&damage(&bytes, 1, MessagePart::Body)).unwrap().lost_text();
    assert!(text[1].contains(
        "the dictionary with id 0, which the message needs, was or may have been in the damaged bytes"
    ));
}

#[test]
fn deltas_after_a_lost_one_are_not_added() {
    // Each delta is two words; the third batch has no new ones.
    let bytes = stream(DictionaryPolicy::Delta);
    assert_eq!(recover(&bytes).unwrap().n_dictionaries(), 3);
    let found = recover(&damage(&bytes, 1, MessagePart::Body)).unwrap();
    // Batches 1 and 2 have indices past the known values; the next delta is refused, and so is batch 3.
    check(&found, &[0], 4, "stream");
    let bytes = file();
    for bytes in [&bytes[..], &bytes[..footer(&bytes)]] {
        for part in [MessagePart::Metadata, MessagePart::Body] {
            check(&recover(&damage(bytes, 1, part)).unwrap(), &[0], 4, "file");
        }
    }
}

#[test]
fn unknown_bytes_may_have_replaced_a_dictionary_of_a_stream() {
    let bytes = stream(DictionaryPolicy::Delta);
    // The metadata of the batch itself: what it was is unknown.
    let message = recover(&bytes).unwrap().messages.swap_remove(1);
    assert_eq!(message.kind(), MessageKind::RecordBatch);
    let (start, body) = (message.position() as usize, message.body_position() as usize);
    let mut damaged = bytes.clone();
    damaged[start..body].fill(0x11);
    check(&recover(&damaged).unwrap(), &[], 5, "doubtful");
    let recovery = Recovery::new(damaged.len() as u64).with_uncertain_dictionaries();
    check(&run(recovery, &damaged).unwrap(), &[1, 2, 3], 0, "kept");
    // A file replaces nothing; without a footer a delta may be missing.
    let bytes = file();
    let mut damaged = bytes.clone();
    damaged[start + 8..body + 8].fill(0x11);
    check(&recover(&damaged).unwrap(), &[1, 2, 3], 0, "file with a footer");
    check(&recover(&damaged[..footer(&damaged)]).unwrap(), &[], 5, "file without a footer");
}

/// Blocks of a disk that were not written are zeros.
#[test]
fn dictionaries_that_became_zeros_are_lost() {
    let all = samples();
    for (bytes, is_file) in [(stream(DictionaryPolicy::Replace), false), (file(), true)] {
        let messages = recover(&bytes).unwrap().messages;
        for message in messages.iter().filter(|message| message.kind() == MessageKind::DictionaryBatch) {
            let range = message.position()..message.body_position() + message.n_body_bytes();
            let mut damaged = bytes.clone();
            damaged[range.start as usize..range.end as usize].fill(0);
            let found = recover(&damaged).unwrap();
            assert!(found.lost.iter().any(|lost| lost.range() == range), "{:?}", found.lost_text());
            let mut rest = all.iter();
            let is_of_all = |batch: &RecordBatch| rest.any(|whole| whole.same_values(batch).unwrap());
            assert!(found.batches.iter().all(is_of_all), "file: {is_file}, {range:?}");
        }
    }
}

#[test]
fn zeros_after_the_end_of_a_stream_are_padding() {
    let bytes = [stream(DictionaryPolicy::Replace), vec![0; 3 << 20]].concat();
    let found = recover(&bytes).unwrap();
    assert!(found.lost.is_empty(), "{:?}", found.lost_text());
    assert!(same(&found.batches, &samples()));
}

/// The footer lists a delta past the end of the input, and bytes are inserted after the next one: the deltas are added in their order.
#[test]
fn a_delta_with_a_wrong_block_is_not_left_out() {
    let (bytes, all) = growing();
    let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
    let positions: Vec<u64> = footer.dictionaries().iter().map(|block| block.position()).collect();
    assert_eq!(positions.len(), all.len());
    for wrong in 1..positions.len() - 2 {
        let mut damaged = bytes.clone();
        let at = block_position(&bytes, &footer, wrong);
        // Its position, and the length of its metadata.
        damaged[at + 4] = 0x7f;
        damaged[at + 8] ^= 0x08;
        let at = positions[wrong + 2] as usize - 200;
        damaged.insert(at, 7);
        let found = recover(&damaged).unwrap();
        check_known(&found, &footer, &all, (wrong + 1, 1));
    }
}

/// The footer lists two deltas at wrong positions, and one of them with wrong lengths. The deltas are still added in
/// the right order.
#[test]
fn deltas_with_wrong_blocks_keep_their_order() {
    let (bytes, all) = growing();
    let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
    for wrong in 1..all.len() - 1 {
        let mut damaged = bytes.clone();
        let at = block_position(&bytes, &footer, wrong);
        damaged[at + 4] = 0x7f;
        damaged[at + 8] ^= 0x08;
        let at = block_position(&bytes, &footer, wrong + 1);
        damaged[at + 3] = 0x70;
        let found = recover(&damaged).unwrap();
        check_known(&found, &footer, &all, (all.len(), 0));
        assert!(!found.lost.is_empty());
    }
}

/// The footer lists no dictionaries, zeros are where it lists batches, and a batch is lost: the deltas are added in the order of the file, up
/// to the first lost bytes.
#[test]
fn deltas_that_no_footer_lists_keep_their_order() {
    let (bytes, all) = growing();
    let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
    let start = footer.dictionaries()[2].position() as usize;
    for n_bytes in [(footer.position() as usize - start) / 8 * 8 - 24, 40, 64] {
        for lost in 2..all.len() {
            let mut damaged = bytes.clone();
            let at = block_position(&bytes, &footer, 0);
            damaged[at - 4..at].fill(0);
            let at = footer.batches()[lost].position() as usize;
            damaged[at + 8..at + 40].fill(0x11);
            damaged.splice(start..start, vec![0; n_bytes]);
            let found = recover(&damaged).unwrap();
            check_known(&found, &footer, &all, (2, n_bytes as u64));
        }
    }
}

/// The position at which the footer lists the position of a dictionary.
fn block_position(bytes: &[u8], footer: &Footer, dictionary_idx: usize) -> usize {
    let position = footer.dictionaries()[dictionary_idx].position().to_le_bytes();
    let start = footer.position() as usize;
    start + bytes[start..].windows(8).position(|word| *word == position).unwrap()
}

/// A copy of the dictionary has replaced a delta: the later ones are not added in its stead.
#[test]
fn a_copy_of_a_dictionary_is_no_delta() {
    let (bytes, all) = growing();
    let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
    let ranges = footer.dictionaries().iter().map(|block| {
        let start = block.position() as usize;
        start..start + block.n_bytes() as usize
    });
    let ranges: Vec<Range<usize>> = ranges.collect();
    for replaced in 1..ranges.len() {
        assert_eq!(ranges[0].len(), ranges[replaced].len());
        let mut damaged = bytes.clone();
        damaged.copy_within(ranges[0].clone(), ranges[replaced].start);
        let found = recover(&damaged).unwrap();
        check_known(&found, &footer, &all, (replaced, 0));
        assert!(found.batches.len() < all.len() && !found.lost.is_empty());
    }
}

/// A file in which each batch adds two words to the dictionary.
fn growing() -> (Vec<u8>, Vec<RecordBatch>) {
    let all = words(&[&["a", "b"], &["c", "d"], &["e", "f"], &["g", "h"], &["i", "j"]]);
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    // So that the messages of dictionary and deltas have the same lengths.
    let options = options.with_compression(arrow_ipc::Compression::lz4());
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    (writer.finish().unwrap(), all)
}

/// The first batches are found, and all found batches have their original values. So many bytes may have been inserted
/// before them.
fn check_known(
    found: &RecoveryResult,
    footer: &Footer,
    all: &[RecordBatch],
    (n_first, n_inserted): (usize, u64),
) {
    let messages = found.messages.iter().filter(|message| message.kind() == MessageKind::RecordBatch);
    for (message, batch) in messages.zip(&found.batches) {
        let mut blocks = footer.batches().iter();
        let idx = blocks
            .position(|block| [0, n_inserted].contains(&message.position().wrapping_sub(block.position())));
        let idx = idx.unwrap();
        assert!(batch.same_values(&all[idx]).unwrap(), "batch {idx}: {batch:?}, {:#?}", found.lost_text());
    }
    assert!(same(&found.batches[..n_first], &all[..n_first]), "{:#?}", found.lost_text());
}

/// A dictionary to which others are added says that it is one: where it is, and how often, makes no delta doubtful.
#[test]
fn a_moved_or_copied_dictionary_leaves_the_deltas_certain() {
    let (bytes, all) = (file(), samples());
    let messages = recover(&bytes).unwrap().messages;
    let range = |of: &Message| of.position() as usize..(of.body_position() + of.n_body_bytes()) as usize;
    let mut ranges: Vec<Range<usize>> = messages.iter().map(range).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let (first, last) = (ranges[0].clone(), ranges[ranges.len() - 1].end);
    let mut moved = bytes.clone();
    moved[first.clone()].fill(0);
    moved.splice(last..last, bytes[first].iter().copied());
    let found = recover(&moved).unwrap();
    assert!(same(&found.batches, &all), "moved: {:?}", found.lost_text());
    // From the schema message to somewhere in the metadata of the first batch, twice.
    let first = ranges[1].start;
    for at in (first + 8..first + 180).step_by(24) {
        let repeated = [&bytes[..at], &bytes[100..at], &bytes[at..]].concat();
        let found = recover(&repeated).unwrap();
        assert!(same(&found.batches, &all), "repeated to {at}: {:?}", found.lost_text());
    }
}

/// Bytes of a file come twice, from inside of one message to inside of a later one, so that each message is whole somewhere. The footer says
/// which deltas there are: none is added twice, and none is lost.
#[test]
fn a_repeated_range_of_a_file_leaves_the_deltas_certain() {
    let (bytes, all) = (file(), samples());
    let messages = recover(&bytes).unwrap().messages;
    let mut starts: Vec<usize> = messages.iter().map(|of| of.position() as usize).collect();
    starts.sort_unstable();
    let near = |start: &usize| [0, 24, 200].map(|further| start + further);
    for (nth, first) in starts.iter().enumerate() {
        for (from, to) in near(first)
            .into_iter()
            .flat_map(|from| starts[nth + 1..].iter().flat_map(near).map(move |to| (from, to)))
        {
            let repeated = [&bytes[..to], &bytes[from..]].concat();
            let found = recover(&repeated).unwrap();
            let is_known = |batch: &RecordBatch| all.iter().any(|known| batch.same_values(known).unwrap());
            let is_found =
                |batch: &RecordBatch| found.batches.iter().any(|it| batch.same_values(it).unwrap());
            let is_all = all.iter().all(is_found) && found.batches.iter().all(is_known);
            assert!(is_all, "{from}..{to}: {} batches, {:#?}", found.batches.len(), found.lost_text());
            assert!(!found.lost.is_empty(), "{from}..{to}");
        }
    }
}
