//! The schema that is used if the schemas differ: a given schema before the schemas of the input; the schema of a
//! footer that lists messages.

use arrow_array::{DictionaryBuilder, Int64Array, Utf8Array, Utf8Builder};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    Endianness, ErrorClass, FileWriter, FormatErrorKind, IpcErrorKind, IpcSchema, Limits, MessageKind,
    Result, WriteOptions, file::Footer,
};
use arrow_ipc_recover::{LostCause, LostContent, Recovery, SchemaMismatch};
use arrow_schema::IndexType;

use super::harness::{RecoveryResult, file_of, recover, run, same, stream_of};

fn batches(first: &str) -> Vec<RecordBatch> {
    let batch = |nth: i64| {
        let texts = (0..30).map(|row| Some(format!("{nth}/{row}")));
        let columns = [
            (first, Int64Array::from_iter(nth * 1_000..nth * 1_000 + 30).into()),
            ("text", Utf8Array::try_from_iter(texts).unwrap().into()),
        ];
        RecordBatch::try_from_columns(columns).unwrap()
    };
    (1..5).map(batch).collect()
}

/// The batch with two columns of dictionaries.
fn with_words(batch: &RecordBatch) -> RecordBatch {
    let words = |words: [&str; 3]| {
        let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        (0..batch.n_rows()).for_each(|row| column.append(words[row % 3]));
        column.finish().unwrap().into()
    };
    let mut columns: Vec<(String, ArrayData)> =
        vec![("first".into(), words(["a", "b", "c"])), ("second".into(), words(["x", "y", "z"]))];
    let fields = batch.schema().fields().iter().map(|field| field.name().to_owned());
    columns.extend(fields.zip(batch.columns().iter().cloned()));
    RecordBatch::try_from_columns(columns).unwrap()
}

fn footer(file: &[u8]) -> usize {
    Footer::read(&Buffer::copy_from(file), &Limits::default()).unwrap().position() as usize
}

fn recover_with(bytes: &[u8], schema: &IpcSchema) -> Result<RecoveryResult> {
    run(Recovery::new(bytes.len() as u64).with_ipc_schema(schema.clone()), bytes)
}

/// A changed byte of a name makes another schema, which decodes.
#[test]
fn a_given_schema_is_taken_before_one_that_was_changed() {
    let all = batches("id");
    let sound = stream_of(&all);
    let given = recover(&sound).unwrap().schema.unwrap();
    let file = file_of(&all);
    let headless = file[..footer(&file)].to_vec();
    let mut damaged_footer = file.clone();
    damaged_footer[footer(&file)..].fill(0xee);
    for (name, bytes) in
        [("stream", sound), ("file without a footer", headless), ("damaged footer", damaged_footer)]
    {
        let start = recover(&bytes).unwrap().messages[0].position() as usize;
        let at = bytes[..start].windows(4).position(|word| word == b"text").unwrap();
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(b"tent");
        let own = recover(&changed).unwrap();
        let names = |found: &RecoveryResult| {
            found.schema.as_ref().unwrap().schema().field(1).unwrap().name().to_owned()
        };
        assert_eq!(names(&own), "tent", "{name}");
        let found = recover_with(&changed, &given).unwrap();
        assert_eq!(names(&found), "text", "{name}");
        assert!(same(&found.batches, &all), "{name}: {:?}", found.lost_text());
        let is_said = |lost: &arrow_ipc_recover::LostPart| {
            matches!(lost.cause(), LostCause::GivenSchema)
                && lost.what() == arrow_ipc_recover::LostContent::Message(MessageKind::Schema)
        };
        assert!(found.lost.iter().any(is_said), "{name}: {:?}", found.lost_text());
    }
}

/// The last footer belongs to another file, whose messages are not in the input; without a footer, no batch has a
/// schema.
#[test]
fn earlier_footers_are_tried_when_the_last_one_is_wrong() {
    let (all, others) =
        (batches("id"), batches("a name that is far longer, so that all blocks are elsewhere"));
    let (file, other) = (file_of(&all), file_of(&others[..3]));
    let start = recover(&file).unwrap().messages[0].position() as usize;
    let wrong = &other[footer(&other)..];
    let cut = b"what was cut off";
    for n_wrong in 0..4 {
        let mut damaged = [&file[..], &wrong.repeat(n_wrong), cut].concat();
        // Only the footer has the schema.
        damaged[8..start].fill(0xff);
        let found = recover(&damaged).unwrap();
        assert!(same(&found.batches, &all), "{n_wrong}: {:?}", found.lost_text());
        assert_eq!(found.schema.as_ref().unwrap().schema(), all[0].schema(), "{n_wrong}");
        assert!(!found.lost.is_empty());
        let mut without = [&file[..footer(&file)], &wrong.repeat(n_wrong), cut].concat();
        without[8..start].fill(0xff);
        recover(&without).unwrap_err();
    }
}

/// Any byte of the schema message may be wrong, also in the id of a dictionary, or of the message and the magic.
#[test]
fn a_given_schema_finds_all_despite_a_damaged_one() {
    let all: Vec<RecordBatch> = batches("id").iter().map(with_words).collect();
    let (stream, file) = (stream_of(&all), file_of(&all));
    let headless = file[..footer(&file)].to_vec();
    let given = recover(&file).unwrap().schema.unwrap();
    for (name, bytes) in [("stream", stream), ("file", file), ("file without a footer", headless)] {
        let first = recover(&bytes).unwrap().messages[0].position() as usize;
        for at in 8..first {
            for bit in [0x01, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= bit;
                let found = recover_with(&damaged, &given).unwrap();
                let what = format!("{name}, {bit:#x} of byte {at}: {:?}", found.lost_text());
                assert!(same(&found.batches, &all), "{what}, {} batches", found.batches.len());
            }
        }
    }
}

/// Damaged bytes after an end marker may have been the schema message of another stream. A schema that was given counts.
#[test]
fn a_given_schema_counts_after_false_end_markers() {
    let all = batches("id");
    let stream = stream_of(&all);
    let found = recover(&stream).unwrap();
    let (second, third) = (found.messages[1].position() as usize, found.messages[2].position() as usize);
    let given = found.schema.unwrap();
    for fill in [0x00, 0xab] {
        let mut damaged = stream.clone();
        damaged[second + 4..second + 8].fill(0);
        damaged[second + 8..third].fill(fill);
        let found = recover(&damaged).unwrap();
        assert!(same(&found.batches, &all[..1]), "{fill:#x}: {:?}", found.lost_text());
        let found = recover_with(&damaged, &given).unwrap();
        assert!(same(&found.batches, &[&all[..1], &all[2..]].concat()), "{fill:#x}: {:?}", found.lost_text());
        assert!(found.lost.iter().any(|lost| lost.range().end == third as u64), "{:?}", found.lost_text());
    }
}

/// Before the schema message and after it bytes are damaged, and the footer is, too.
#[test]
fn a_schema_message_between_damaged_bytes_is_found() {
    let all = batches("id");
    let file = file_of(&all);
    let (first, second) = {
        let messages = recover(&file).unwrap().messages;
        (messages[0].position() as usize, messages[1].position() as usize)
    };
    for fill in [0x00, 0xab, 0xff] {
        let mut damaged = file.clone();
        damaged[0] ^= 1;
        damaged[first..first + 200].fill(fill);
        damaged[footer(&file)..].fill(fill);
        let found = recover(&damaged).unwrap();
        assert!(same(&found.batches, &all[1..]), "{fill:#x}: {:?}", found.lost_text());
        assert!(found.lost.iter().any(|lost| lost.range().end == second as u64), "{:?}", found.lost_text());
    }
}

/// An empty input, or a stream that begins with a batch: nothing precedes the messages, and the schema message is lost all the same.
#[test]
fn a_schema_message_that_is_not_there_is_lost() {
    let all = batches("id");
    let bytes = stream_of(&all);
    let sound = recover(&bytes).unwrap();
    let (given, first) = (sound.schema.unwrap(), sound.messages[0].position() as usize);
    for (bytes, expected) in [(&bytes[..0], &all[..0]), (&bytes[first..], &all[..])] {
        let found = recover_with(bytes, &given).unwrap();
        assert!(same(&found.batches, expected), "{:?}", found.lost_text());
        let [lost] = &found.lost[..] else { panic!("{:?}", found.lost_text()) };
        assert_eq!((lost.range(), lost.what()), (0..0, LostContent::Message(MessageKind::Schema)));
    }
}

/// The end of another file follows, whose footer is sound: its blocks are no messages of this one.
#[test]
fn a_footer_of_another_file_is_not_trusted() {
    let all = batches("id");
    let others: Vec<RecordBatch> = batches("other").iter().map(with_words).collect();
    let (file, other) = (file_of(&all), file_of(&others));
    let end = &other[footer(&other)..];
    for damaged in [[&file[..], end].concat(), [&file[..], &[0xab; 700], end].concat()] {
        let found = recover(&damaged).unwrap();
        assert!(same(&found.batches, &all), "{:?}", found.lost_text());
        let range = file.len() as u64..damaged.len() as u64;
        assert!(found.lost.iter().any(|lost| lost.range() == range), "{:?}", found.lost_text());
    }
}

/// A footer with a changed schema that can still be read is ignored if batches only fit the schema of the message.
#[test]
fn batches_decide_which_schema_is_theirs() {
    let all: Vec<RecordBatch> = batches("id").iter().map(with_words).collect();
    let file = file_of(&all);
    let n_fields = all[0].schema().fields_in_pre_order().count();
    let mut n_wrong = 0;
    for start in (footer(&file)..file.len() - 10).step_by(4) {
        for n_bytes in [1, 2, 8, 40, 100] {
            let mut damaged = file.clone();
            let end = (start + n_bytes).min(file.len() - 10);
            damaged[start..end].fill(0);
            let found = recover(&damaged).unwrap();
            let schema = found.schema.as_ref().unwrap().schema();
            let what = format!("{n_bytes} bytes at {start}: {schema:?}, {:?}", found.lost_text());
            assert_eq!(schema.fields_in_pre_order().count(), n_fields, "{what}");
            assert_eq!(found.batches.len(), all.len(), "{what}");
            n_wrong += usize::from(
                found.lost_text().iter().any(|lost| lost.contains("footer is damaged: its schema")),
            );
        }
    }
    assert!(n_wrong > 0);
}

/// The schema message and the footer say different byte orders: the values tell which is right. Numbers do not tell it;
/// then it is little-endian.
#[test]
fn values_decide_the_byte_order() {
    let texts = batches("id");
    let words: Vec<RecordBatch> = texts.iter().map(with_words).collect();
    let numbers: Vec<RecordBatch> = texts
        .iter()
        .map(|batch| RecordBatch::try_from_columns([("id", batch.columns()[0].clone())]).unwrap())
        .collect();
    for (all, is_reported) in [(&texts, true), (&words, true), (&numbers, false)] {
        let file = |endianness| {
            let options = WriteOptions::new().with_endianness(endianness);
            let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
            all.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap()
        };
        let (little, big) = (file(Endianness::Little), file(Endianness::Big));
        let (little_end, big_end) = (footer(&little), footer(&big));
        let first = recover(&little).unwrap().messages.iter().map(|of| of.position() as usize).min().unwrap();
        assert_eq!((little_end, first), (big_end, recover(&big).unwrap().messages[0].position() as usize));
        let other_footer = |body: &[u8], footer: &[u8]| [&body[..little_end], &footer[little_end..]].concat();
        let other_message = |body: &[u8], message: &[u8]| [&message[..first], &body[first..]].concat();
        for (name, damaged, is_right) in [
            ("big footer", other_footer(&little, &big), true),
            ("little footer", other_footer(&big, &little), is_reported),
            ("big message", other_message(&little, &big), true),
            ("little message", other_message(&big, &little), is_reported),
        ] {
            let found = recover(&damaged).unwrap();
            let what = format!("{name}, {} columns: {:#?}", all[0].columns().len(), found.lost_text());
            assert_eq!(same(&found.batches, all), is_right, "{what}");
            let [lost] = &found.lost[..] else { panic!("{what}") };
            assert!(matches!(lost.cause(), LostCause::OtherByteOrder), "{what}");
        }
    }
}

/// Zeros over a schema message made it a valid schema of no columns.
#[test]
fn a_schema_that_fits_no_batch_is_an_error() {
    let path = testing_support::corpus_dir().join("damaged/zeros-over-schema.arrows");
    let bytes = std::fs::read(path).unwrap();
    let error = recover(&bytes).unwrap_err();
    assert_eq!((error.location().message, error.location().byte_offset), (Some(1), Some(3096)));
    assert_eq!(error.class(), ErrorClass::Malformed);
    let mismatch = SchemaMismatch::from_error(&error).expect("a mismatch");
    assert_eq!((mismatch.is_given, mismatch.n_batches), (false, 31));
    let IpcErrorKind::Format(FormatErrorKind::NodeCount { expected: 0, found: 2 }) = &mismatch.first else {
        panic!("{error}")
    };
    let given: arrow_schema::Schema = "id: int64\ns: utf8".parse().unwrap();
    assert_eq!(recover_with(&bytes, &given.into()).unwrap().batches.len(), 31);
    let all = batches("id");
    let error = recover_with(&stream_of(&all), &"a: int8".parse::<arrow_schema::Schema>().unwrap().into());
    let error = error.unwrap_err();
    let mismatch = SchemaMismatch::from_error(&error).expect("a mismatch");
    assert_eq!((mismatch.is_given, mismatch.n_batches), (true, 4));
}

/// A given schema counts before a footer and a schema message that agree.
#[test]
fn a_given_schema_counts_before_two_that_agree() {
    let path = testing_support::corpus_dir().join("damaged/view-without-count.arrow");
    let bytes = std::fs::read(path).unwrap();
    // Two copies of the schema agree, so the batch is wrong.
    let found = recover(&bytes).unwrap();
    assert_eq!((found.batches.len(), found.lost.len()), (0, 1), "{:?}", found.lost_text());
    let given: arrow_schema::Schema = "s: large_utf8".parse().unwrap();
    let found = recover_with(&bytes, &given.into()).unwrap();
    assert_eq!((found.batches.len(), found.lost.len()), (1, 1), "{:?}", found.lost_text());
    assert!(matches!(found.lost[0].cause(), LostCause::GivenSchema));
}
