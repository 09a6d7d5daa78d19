//! Messages that are not sound, whose bytes are searched again.

use std::ops::Range;

use arrow_array::{DictionaryBuilder, Utf8Array, Utf8Builder};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{DictionaryPolicy, FileWriter, WriteOptions, message::Message};
use arrow_schema::IndexType;

use super::harness::{file_of, recover, same, stream_of};

fn batch(nth: usize, n_rows: usize, word: Option<ArrayData>) -> RecordBatch {
    let texts = (0..n_rows).map(|row| Some(format!("row {row} of {nth}")));
    let texts: ArrayData = Utf8Array::try_from_iter(texts).unwrap().into();
    RecordBatch::try_from_columns([("t", texts)].into_iter().chain(word.map(|word| ("w", word)))).unwrap()
}

fn parts(bytes: &[u8]) -> Vec<Range<usize>> {
    let range = |message: &Message| {
        message.position() as usize..(message.body_position() + message.n_body_bytes()) as usize
    };
    let mut parts: Vec<_> = recover(bytes).unwrap().messages.iter().map(range).collect();
    parts.sort_by_key(|part| part.start);
    parts
}

/// Bytes were removed, so that the lengths of a batch include the batches after it, and no complete message follows:
/// that batch is damaged.
#[test]
fn batches_inside_of_one_that_is_not_sound_are_found() {
    let all: Vec<RecordBatch> =
        [5, 400, 7, 9, 200].into_iter().enumerate().map(|(nth, n_rows)| batch(nth, n_rows, None)).collect();
    for bytes in [stream_of(&all), file_of(&all)] {
        let parts = parts(&bytes);
        let (large, last) = (&parts[1], &parts[4]);
        let mut damaged = bytes[..large.start + 600].to_vec();
        damaged.extend_from_slice(&bytes[large.end - 8..last.start + 100]);
        damaged.resize(damaged.len() + 8_000, 0x5a);
        let found = recover(&damaged).unwrap();
        let expected = [&all[0], &all[2], &all[3]].map(Clone::clone);
        assert!(same(&found.batches, &expected), "{:?}", found.lost_text());
        let lost = found.lost.iter().map(|lost| lost.range());
        let second = (large.start + 608) as u64;
        assert!(lost.into_iter().any(|lost| lost == (large.start as u64..second)), "{:?}", found.lost_text());
    }
}

/// The dictionary of a file was moved into a batch, which is not sound then. All others wait for it.
#[test]
fn batches_wait_for_a_dictionary_that_was_moved() {
    let words = || {
        let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        (0..400).for_each(|row| column.append(["a", "b", "c"][row % 3]));
        Some(ArrayData::from(column.finish().unwrap()))
    };
    let all: Vec<RecordBatch> = (0..4).map(|nth| batch(nth, 400, words())).collect();
    let bytes = file_of(&all);
    let parts = parts(&bytes);
    let (dictionary, third) = (&parts[0], &parts[3]);
    let mut damaged = bytes.clone();
    damaged[third.start + 1_600..third.start + 1_600 + dictionary.len()]
        .copy_from_slice(&bytes[dictionary.clone()]);
    damaged[dictionary.clone()].fill(0xab);
    let found = recover(&damaged).unwrap();
    let expected = [&all[0], &all[1], &all[3]].map(Clone::clone);
    assert!(same(&found.batches, &expected), "{} batches, {:?}", found.batches.len(), found.lost_text());
}

/// A footer with a wrong byte lists messages at other positions, or in another order. Values are still added to a
/// dictionary in the right order, and the footer is reported.
#[test]
fn a_wrong_byte_of_a_footer_changes_no_values() {
    let words = |nth: usize| {
        let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        (0..6).for_each(|row| column.append(["a", "b", "c", "d", "e", "f", "g"][nth + row % 3]));
        Some(ArrayData::from(column.finish().unwrap()))
    };
    let all: Vec<RecordBatch> = (0..4).map(|nth| batch(nth, 6, words(nth))).collect();
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    let bytes = writer.finish().unwrap();
    let footer = parts(&bytes).last().unwrap().end;
    for at in footer..bytes.len() {
        for bit in [0x01, 0x04, 0x40, 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] ^= bit;
            let Ok(found) = recover(&damaged) else { continue };
            let what = format!("{bit:#x} of byte {at}: {:?}", found.lost_text());
            assert!(same(&found.batches, &all) || !found.lost.is_empty(), "{what}");
            // The schema may be another one, which is reported.
            let is_same = found.schema.is_some_and(|schema| schema.schema() == all[0].schema());
            if !is_same {
                continue;
            }
            for batch in &found.batches {
                assert!(all.iter().any(|of| of.same_values(batch).unwrap()), "{what}");
            }
        }
    }
}
