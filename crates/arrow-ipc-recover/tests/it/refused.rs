//! Invalid batches whose lengths are right cost only themselves. Dictionaries that a file replaces.

use std::{fs, ops::Range, slice::from_ref};

use arrow_array::{DictionaryBuilder, Int64Array, Utf8Array, Utf8Builder};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, FileWriter, Limits, StreamWriter, WriteOptions, file::Footer, message::Message,
};
use arrow_ipc_recover::Recovery;
use arrow_schema::IndexType;

use super::harness::{RecoveryResult, recover, run, same};

/// Batches of text, and of words. Each batch has `n_new` words that those before it do not have.
fn batches(n_batches: usize, n_words: usize, n_new: usize) -> Vec<RecordBatch> {
    let batch = |nth: usize| {
        let mut word = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        let first = nth * n_new;
        (0..7).for_each(|row| word.append(&format!("word {}", first + row % n_words)));
        let texts = (0..7).map(|row| Some(format!("row {row} of {nth}")));
        RecordBatch::try_from_columns([
            ("id", Int64Array::from_iter((nth * 7) as i64..(nth * 7 + 7) as i64).into()),
            ("text", Utf8Array::try_from_iter(texts).unwrap().into()),
            ("word", word.finish().unwrap().into()),
        ])
        .unwrap()
    };
    (0..n_batches).map(batch).collect()
}

fn stream(all: &[RecordBatch], policy: DictionaryPolicy) -> Vec<u8> {
    let options = WriteOptions::new().with_dictionaries(policy);
    let mut writer = StreamWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn file(all: &[RecordBatch], policy: DictionaryPolicy) -> Vec<u8> {
    let options = WriteOptions::new().with_dictionaries(policy);
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

/// Makes a text of a batch invalid.
fn damage_text(bytes: &mut [u8], nth: usize) {
    let text = format!("row 3 of {nth}");
    let at = bytes.windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
    bytes[at] = 0xff;
}

fn without(all: &[RecordBatch], lost: &[usize]) -> Vec<RecordBatch> {
    let complete = all.iter().enumerate().filter(|(idx, _)| !lost.contains(idx));
    complete.map(|(_, batch)| batch.clone()).collect()
}

#[test]
fn an_invalid_batch_costs_only_itself() {
    let (same_words, growing) = (batches(8, 3, 0), batches(8, 3, 3));
    let headless = |all: &[RecordBatch]| {
        let mut bytes = file(all, DictionaryPolicy::Delta);
        bytes.truncate(
            Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap().position() as usize
        );
        bytes
    };
    let inputs = [
        (&same_words, stream(&same_words, DictionaryPolicy::Replace)),
        (&growing, stream(&growing, DictionaryPolicy::Replace)),
        (&growing, stream(&growing, DictionaryPolicy::Delta)),
        (&growing, headless(&growing)),
        (&growing, file(&growing, DictionaryPolicy::Delta)),
    ];
    for (input, (all, bytes)) in inputs.into_iter().enumerate() {
        for lost in [&[0][..], &[3], &[1, 2], &[2, 4, 6], &[7]] {
            let mut damaged = bytes.clone();
            lost.iter().for_each(|nth| damage_text(&mut damaged, *nth));
            let found = recover(&damaged).unwrap();
            let what = format!("input {input}, {lost:?}: {:#?}", found.lost_text());
            assert!(same(&found.batches, &without(all, lost)), "{what}");
            let is_text = |text: &&String| text.contains("field `text`");
            assert_eq!(found.lost_text().iter().filter(is_text).count(), lost.len(), "{what}");
        }
    }
}

/// If bytes after an invalid batch are damaged, too, they may have replaced the dictionary.
#[test]
fn damaged_bytes_after_an_invalid_batch_are_still_doubtful() {
    let all = batches(6, 3, 0);
    let bytes = stream(&all, DictionaryPolicy::Replace);
    let parts = parts(&recover(&bytes).unwrap());
    let mut damaged = bytes.clone();
    damage_text(&mut damaged, 1);
    damaged[parts[3].start..parts[3].end].fill(0x11);
    let found = recover(&damaged).unwrap();
    assert!(same(&found.batches, &all[..1]), "{:#?}", found.lost_text());
    let recovery = Recovery::new(damaged.len() as u64).with_uncertain_dictionaries();
    let found = run(recovery, &damaged).unwrap();
    assert!(same(&found.batches, &without(&all, &[1, 2])), "{:#?}", found.lost_text());
}

fn parts(found: &RecoveryResult) -> Vec<Range<usize>> {
    let range = |message: &Message| {
        message.position() as usize..(message.body_position() + message.n_body_bytes()) as usize
    };
    found.messages.iter().map(range).collect()
}

/// Bytes are removed from the middle of a batch to the middle of the next dictionary, as many as the dictionary has, so that
/// the next message begins where the damaged one ends. The batches after it must not get the values of the old dictionary.
#[test]
fn removed_bytes_may_have_been_a_dictionary() {
    let all = batches(6, 3, 3);
    let bytes = stream(&all, DictionaryPolicy::Replace);
    let parts = parts(&recover(&bytes).unwrap());
    // Dictionary and batch take turns after the schema message.
    let (mut n_damages, mut n_recovered) = (0, 0);
    for nth in [1, 2, 3] {
        let (batch, dictionary) = (parts[2 * nth + 1].clone(), parts[2 * nth + 2].clone());
        for cut in (batch.start + 8..batch.end).step_by(8) {
            let mut damaged = bytes.clone();
            damaged.drain(cut..(cut + dictionary.len()).min(dictionary.end));
            let found = recover(&damaged).unwrap();
            // Nothing tells that the dictionary is missing if the batch is valid with the bytes at its end.
            if found.lost.is_empty() {
                continue;
            }
            let is_known =
                |batch: &RecordBatch| all.iter().any(|known| same(from_ref(batch), from_ref(known)));
            assert!(found.batches.iter().all(is_known), "{nth}, {cut}: {:#?}", found.lost_text());
            (n_damages, n_recovered) = (n_damages + 1, n_recovered + found.batches.len());
        }
    }
    assert!(n_damages > 60 && n_recovered > n_damages, "{n_recovered} of {n_damages}");
}

fn corpus(name: &str) -> Vec<u8> {
    fs::read(testing_support::corpus_dir().join("damaged").join(name)).unwrap()
}

/// The first batch needs a dictionary that comes after it.
#[test]
fn a_dictionary_that_comes_late_costs_one_batch() {
    let found = recover(&corpus("dictionary-late.arrows")).unwrap();
    assert_eq!((found.batches.len(), found.lost.len()), (1, 1), "{:#?}", found.lost_text());
}

#[test]
fn a_file_that_replaces_a_dictionary_is_read_in_its_order() {
    let bytes = corpus("dictionary-replaced.arrow");
    let sound = recover(&bytes).unwrap();
    assert_eq!(sound.lost_text().len(), 1);
    assert!(sound.lost_text()[0].contains("a dictionary is replaced"), "{:?}", sound.lost_text());
    let (all, parts) = (&sound.batches, parts(&sound));
    // As its stream is read.
    let end = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap().position() as usize;
    let stream = recover(&bytes[8..end]).unwrap();
    assert!(same(&stream.batches, all));
    assert!(!all[0].same_values(&all[1]).unwrap());
    // With damaged messages or footer, no batch has the values of the other dictionary.
    for (nth, part) in parts.iter().enumerate() {
        for fill in [0x00, 0x11] {
            let mut damaged = bytes.clone();
            damaged[part.clone()].fill(fill);
            // Without the footer and the first dictionary, nothing shows that there were two.
            let headless = (nth > 0).then_some(&damaged[..end]);
            for damaged in [&damaged[..]].into_iter().chain(headless) {
                let found = recover(damaged).unwrap();
                let expected = match nth {
                    0 | 1 => &all[1..],
                    _ => &all[..1],
                };
                let what = format!("{nth}, {fill:#x}: {:#?}", found.lost_text());
                if damaged.len() < bytes.len() {
                    // A second dictionary may be a copy that the damage made.
                    let is_of_all = |batch: &RecordBatch| all.iter().any(|of| of.same_values(batch).unwrap());
                    assert!(found.batches.iter().all(is_of_all), "{what}");
                } else {
                    assert!(same(&found.batches, expected), "{what}");
                }
            }
        }
    }
    for at in end..bytes.len() {
        for bit in [0x01, 0x04, 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] ^= bit;
            let found = recover(&damaged).unwrap();
            let is_same = found.schema.as_ref().unwrap().schema() == sound.schema.as_ref().unwrap().schema();
            let is_of_all = |batch: &RecordBatch| all.iter().any(|of| of.same_values(batch).unwrap());
            let is_known = found.batches.iter().all(is_of_all);
            assert!(is_known || !is_same, "{bit:#x} of {at}: {:#?}", found.lost_text());
        }
    }
}
