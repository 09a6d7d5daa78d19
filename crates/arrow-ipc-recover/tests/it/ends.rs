//! Damaged ends: magic, schema message, footer. One of the two schemas is enough.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, Limits, WriteOptions, file::Footer};
use arrow_ipc_recover::{LostCause, LostContent};
use arrow_schema::Metadata;
use testing_support::{Generator, schema_of_all_types};

use super::harness::{file_of, recover, same, stream_of};

fn metadata() -> Metadata {
    [("key".to_owned(), "value".to_owned())].into_iter().collect()
}

fn batches() -> Vec<RecordBatch> {
    let schema = "id: int64\nname: utf8".parse::<arrow_schema::Schema>().unwrap();
    Generator::new(5).batches(&schema, &[10, 3, 0, 40])
}

fn file() -> Vec<u8> {
    let all = batches();
    let options = WriteOptions::new().with_file_metadata(metadata());
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn footer(file: &[u8]) -> usize {
    Footer::read(&Buffer::copy_from(file), &Limits::default()).unwrap().position() as usize
}

#[test]
fn each_byte_of_the_schema_message_or_the_footer_may_be_wrong() {
    let (file, all) = (file(), batches());
    let start = footer(&file);
    for at in (0..200).chain(start - 8..file.len()) {
        let mut damaged = file.clone();
        damaged[at] ^= 0xff;
        let found = recover(&damaged).unwrap_or_else(|error| panic!("byte {at}: {error}"));
        // A wrong byte may make another schema of one of the two: then that is said.
        let is_same = found.schema.as_ref().is_some_and(|found| found.schema() == all[0].schema());
        assert!(is_same || !found.lost.is_empty(), "byte {at}");
        assert!(!is_same || same(&found.batches, &all), "byte {at}: {:?}", found.lost_text());
    }
}

#[test]
fn both_schemas_are_needed_by_nobody_and_one_by_everybody() {
    let (file, all) = (file(), batches());
    let start = footer(&file);
    let mut without_schema = file.clone();
    without_schema[8..100].fill(0xff);
    let found = recover(&without_schema).unwrap();
    assert!(same(&found.batches, &all));
    assert_eq!(found.lost.iter().map(|part| part.what()).collect::<Vec<_>>(), [LostContent::SchemaMessage]);

    let mut without_footer = file.clone();
    without_footer[start..].fill(0xee);
    let found = recover(&without_footer).unwrap();
    assert!(same(&found.batches, &all));
    assert_eq!(found.lost.iter().map(|part| part.what()).collect::<Vec<_>>(), [LostContent::Footer]);
    assert_eq!(found.lost[0].range(), start as u64..file.len() as u64);

    let mut without_both = without_schema.clone();
    without_both[start..].fill(0xee);
    recover(&without_both).unwrap_err();
}

#[test]
fn batches_that_the_footer_does_not_list_are_found() {
    let all = batches();
    let mut writer = FileWriter::try_new(Vec::new(), all[0].schema()).unwrap();
    all[..1].iter().for_each(|batch| writer.write(batch).unwrap());
    let short = writer.finish().unwrap();
    let long = file_of(&all);
    // All messages, with the end of the shorter file.
    let mixed = [&long[..footer(&long)], &short[footer(&short)..]].concat();
    let found = recover(&mixed).unwrap();
    let [lost] = &found.lost[..] else { panic!("{:?}", found.lost_text()) };
    assert!(lost.to_string().ends_with(" messages are not listed"), "{lost}");
    assert!(same(&found.batches, &all));
}

/// The footer at the end lists the first batches where they are, as one of another file may; an earlier one lists all.
#[test]
fn the_footer_that_lists_most_messages_counts() {
    let all = batches();
    let (long, short) = (file_of(&all), file_of(&all[..2]));
    let damaged = [&long[..], &short[footer(&short)..]].concat();
    let found = recover(&damaged).unwrap();
    assert!(same(&found.batches, &all), "{:?}", found.lost_text());
    let last = (long.len() as u64)..(damaged.len() as u64);
    assert_eq!(
        found.lost.iter().map(|part| part.range()).collect::<Vec<_>>(),
        [last],
        "{:?}",
        found.lost_text()
    );
}

#[test]
fn garbage_before_and_after_a_stream_is_lost() {
    let all = batches();
    let bytes = [&[0xab; 800][..], &stream_of(&all), b"more than nothing"].concat();
    let found = recover(&bytes).unwrap();
    assert!(same(&found.batches, &all));
    let n_bytes = bytes.len() as u64;
    assert_eq!(
        found.lost.iter().map(|part| part.range()).collect::<Vec<_>>(),
        [0..800, n_bytes - 17..n_bytes]
    );
}

/// Readers look for the magic at the end, and refuse such a file.
#[test]
fn zeros_after_a_file_are_reported() {
    let all = batches();
    let file = file_of(&all);
    for n_zeros in [1, 4, 8, 64, 5000] {
        let found = recover(&[&file[..], &vec![0; n_zeros]].concat()).unwrap();
        assert!(same(&found.batches, &all));
        let (start, end) = (file.len() as u64, (file.len() + n_zeros) as u64);
        let ranges: Vec<_> = found.lost.iter().map(|part| (part.range().start, part.range().end)).collect();
        assert_eq!(ranges, [(start, end)], "{:?}", found.lost_text());
    }
}

#[test]
fn streams_that_follow_are_one_if_their_schema_is() {
    let all = batches();
    let other = Generator::new(6).batches(&schema_of_all_types(), &[4, 4]);
    let bytes = [stream_of(&all), stream_of(&other), stream_of(&all)].concat();
    let found = recover(&bytes).unwrap();
    assert!(same(&found.batches, &[all.clone(), all].concat()));
    assert!(found.lost.iter().all(|part| matches!(part.cause(), LostCause::OtherSchema)));
    assert!(found.lost.len() >= 3, "the schema and two batches at least");
}

#[test]
fn bytes_that_are_no_arrow_are_refused() {
    for bytes in [&b""[..], b"A", b"ARROW1", b"ARROW1\0\0", b"hello, world", &[0; 100], &[0xff; 4_096]] {
        recover(bytes).unwrap_err();
    }
}
