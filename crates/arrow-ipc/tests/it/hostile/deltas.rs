//! Dictionaries that are added to and replaced, put together by hand: cases of the table in `crafted.rs`, and what is not
//! read or not copied.

use arrow_buffer::Buffer;
use arrow_ipc::{
    ErrorClass, FileReader, Limits, Projection, ReadOptions, Result, Step, StreamDecoder, StreamReader,
    Validation,
};
use bindings::flatbuf as fb;

use super::{
    crafted::{
        Case,
        Outcome::{Refused, Rows},
    },
    wire::{Batch, Message, bool_type, encoded, field, file, int8, schema, stream, words},
};

#[rustfmt::skip]
pub(crate) const CASES: &[Case] = &[
    ("delta", "stream", || word_stream([base("ab"), rows(&[0, 1]), delta("c"), rows(&[2, 0])]), Rows(&[A, B, C, A])),
    ("deltas before one batch", "stream", || word_stream([base("a"), delta("b"), delta(""), delta("c"), rows(&[2, 1])]), Rows(&[C, B])),
    ("delta that no batch follows", "stream", || word_stream([base("a"), rows(&[0]), delta("b")]), Rows(&[A])),
    ("delta of an empty dictionary", "stream", || word_stream([base(""), delta("b"), rows(&[0])]), Rows(&[B])),
    ("delta with nulls", "stream", || word_stream([base("a"), rows(&[0]), null_delta(), rows(&[1, 0]), delta("c"), rows(&[2, 1])]), Rows(&[A, NULL, A, C, NULL])),
    ("dictionary that repeats a value", "stream", || word_stream([base("aba"), rows(&[2, 1, 0])]), Rows(&[A, B, A])),
    ("delta of a dictionary never sent", "stream", || word_stream([delta("a"), rows(&[0])]), Refused(ErrorClass::Malformed, "message 1 at byte 144, field `w.<dictionary>`: the delta for the dictionary with id 7")),
    ("delta with an unknown id", "stream", || word_stream([base("a"), letters("b").into_delta(8)]), Refused(ErrorClass::Malformed, "8")),
    ("index past the delta", "stream", || word_stream([base("a"), delta("b"), rows(&[2])]), Refused(ErrorClass::Malformed, "index 2 is out of bounds; the dictionary has 2 values")),
    ("index that a later delta would allow", "stream", || word_stream([base("a"), rows(&[1]), delta("b")]), Refused(ErrorClass::Malformed, "1 values")),
    ("delta that is no text", "stream", || word_stream([base("a"), delta("\u{0}").break_text()]), Refused(ErrorClass::Malformed, "field `w.<dictionary>`, buffer 2 (bytes), slot 0: the value is not UTF-8")),
    ("dictionary replaced after a delta", "stream", || word_stream([base("ab"), delta("c"), rows(&[2]), base("c"), rows(&[0]), delta("a"), rows(&[1])]), Rows(&[C, C, A])),
    ("index after a replaced delta", "stream", || word_stream([base("ab"), delta("c"), base("c"), rows(&[2])]), Refused(ErrorClass::Malformed, "1 values")),
    ("dictionary and delta after nulls", "stream", || word_stream([null_row(), base("a"), delta("b"), rows(&[1])]), Rows(&[NULL, B])),
    ("delta of a shared dictionary", "stream", shared, Rows(&[r#"{"w":"a","v":"b"}"#, r#"{"w":"c","v":"c"}"#])),

    ("nested deltas", "stream", || list_stream([inner("ab"), outer(&[1]), rows(&[0]), inner_delta("c"), outer_delta(&[2, 0]), rows(&[1, 0, 2])]), Rows(&[L_B, L_C, L_B, L_A])),
    ("nested delta of the outer only", "stream", || list_stream([inner("ab"), outer(&[1]), outer_delta(&[0]), rows(&[1, 0])]), Rows(&[L_A, L_B])),
    ("nested delta of the inner only", "stream", || list_stream([inner("a"), outer(&[0]), inner_delta("b"), rows(&[0])]), Rows(&[L_A])),
    ("nested index past the inner delta", "stream", || list_stream([inner("a"), outer(&[0]), inner_delta("b"), outer_delta(&[2])]), Refused(ErrorClass::Malformed, "index 2")),
    ("nested, inner replaced", "stream", || list_stream([inner("ab"), outer(&[1]), inner("c"), rows(&[0]), outer_delta(&[0]), rows(&[0, 1]), inner_delta("a"), outer_delta(&[1, 0]), rows(&[2, 3, 0])]), Rows(&[L_B, L_B, L_C, L_A, L_C, L_B])),

    ("deltas of a file", "file", || file_of_words([base("ab"), delta("c"), rows(&[2, 0])]), Rows(&[C, A])),
    ("deltas of a file after batches", "file", || file_of_words([rows(&[2, 0]), base("a"), rows(&[1]), delta("b"), delta("c")]), Rows(&[C, A, B])),
    ("nested deltas of a file", "file", || file_of_lists([outer(&[1]), inner("ab"), rows(&[0]), outer_delta(&[2, 0]), inner_delta("c"), rows(&[1, 0, 2])]), Rows(&[L_B, L_C, L_B, L_A])),
    ("delta of a file before its dictionary", "file", || file_of_words([delta("c"), base("ab"), rows(&[0])]), Refused(ErrorClass::Malformed, "dictionary batch 0 at byte 152: the delta for the dictionary with id 7")),
    ("delta of a file without its dictionary", "file", || file_of_words([delta("c"), rows(&[0])]), Refused(ErrorClass::Malformed, "id 7")),
    ("dictionary of a file after its delta", "file", || file_of_words([base("ab"), delta("c"), base("ab"), rows(&[0])]), Refused(ErrorClass::Malformed, "dictionary batch 2 at byte 552: a second dictionary has the id 7")),
    ("delta of a file that is no text", "file", || file_of_words([base("a"), delta("\u{0}").break_text(), rows(&[0])]), Refused(ErrorClass::Malformed, "dictionary batch 1")),

    ("bits copied again and again", "stream", || flags(1 << 20, 200), Refused(ErrorClass::LimitExceeded, "field `f.<dictionary>`: appending to the array would copy")),
];

const A: &str = r#"{"w":"a"}"#;
const B: &str = r#"{"w":"b"}"#;
const C: &str = r#"{"w":"c"}"#;
const NULL: &str = r#"{"w":null}"#;
const L_A: &str = r#"{"l":["a"]}"#;
const L_B: &str = r#"{"l":["b"]}"#;
const L_C: &str = r#"{"l":["c"]}"#;

/// A word of each letter.
fn letters(letters: &str) -> Batch {
    let n_words = letters.len() as i64;
    let offsets: Vec<i32> = (0..=letters.len() as i32).collect();
    Batch::new(n_words).node(n_words, 0).buffer(&[]).i32s(&offsets).buffer(letters.as_bytes())
}

fn base(words: &str) -> Message {
    letters(words).into_dictionary(7)
}

fn delta(words: &str) -> Message {
    letters(words).into_delta(7)
}

fn null_delta() -> Message {
    Batch::new(1).node(1, 1).buffer(&[0]).i32s(&[0, 0]).buffer(&[]).into_delta(7)
}

fn rows(indices: &[i32]) -> Message {
    let n_rows = indices.len() as i64;
    Batch::new(n_rows).node(n_rows, 0).buffer(&[]).i32s(indices).into_message()
}

fn null_row() -> Message {
    Batch::new(1).node(1, 1).buffer(&[0]).i32s(&[5]).into_message()
}

fn word_stream<const N: usize>(messages: [Message; N]) -> Vec<u8> {
    stream([Message::schema(schema([words("w", 7)]))].into_iter().chain(messages))
}

fn file_of_words<const N: usize>(messages: [Message; N]) -> Vec<u8> {
    file(schema([words("w", 7)]), messages, 0)
}

fn shared() -> Vec<u8> {
    let pair = |one: i32, other: i32| {
        let batch = Batch::new(1).node(1, 0).buffer(&[]).i32s(&[one]);
        batch.node(1, 0).buffer(&[]).i32s(&[other]).into_message()
    };
    let schema = Message::schema(schema([words("w", 7), words("v", 7)]));
    stream([schema, base("ab"), pair(0, 1), delta("c"), pair(2, 2)])
}

/// Lists of words; both are encoded.
fn lists() -> fb::Schema {
    schema([encoded(field("l", fb::Type::List(Box::default()), [words("item", 7)]), 9)])
}

fn inner(words: &str) -> Message {
    base(words)
}

fn inner_delta(words: &str) -> Message {
    delta(words)
}

/// Lists of one word each.
fn lists_of(indices: &[i32]) -> Batch {
    let n_lists = indices.len() as i64;
    let offsets: Vec<i32> = (0..=indices.len() as i32).collect();
    let batch = Batch::new(n_lists).node(n_lists, 0).buffer(&[]).i32s(&offsets);
    batch.node(n_lists, 0).buffer(&[]).i32s(indices)
}

fn outer(indices: &[i32]) -> Message {
    lists_of(indices).into_dictionary(9)
}

fn outer_delta(indices: &[i32]) -> Message {
    lists_of(indices).into_delta(9)
}

fn list_stream<const N: usize>(messages: [Message; N]) -> Vec<u8> {
    stream([Message::schema(lists())].into_iter().chain(messages))
}

fn file_of_lists<const N: usize>(messages: [Message; N]) -> Vec<u8> {
    file(lists(), messages, 0)
}

/// A dictionary of many booleans, and deltas of one value, each followed by a row.
fn flags(n_bytes: usize, n_deltas: usize) -> Vec<u8> {
    let flags = |n_flags: i64, bits: &[u8]| Batch::new(n_flags).node(n_flags, 0).buffer(&[]).buffer(bits);
    let mut messages = vec![Message::schema(schema([encoded(field("f", bool_type(), []), 7)]))];
    messages.push(flags(n_bytes as i64 * 8 - 7, &vec![0xff; n_bytes]).into_dictionary(7));
    for _ in 0..n_deltas {
        messages.extend([flags(1, &[0]).into_delta(7), rows(&[0])]);
    }
    stream(messages)
}

/// Values with a validity bitmap of `n_bytes` bytes, and deltas of one null each.
fn bytes_with_nulls(n_bytes: usize, n_deltas: usize) -> Vec<u8> {
    let n_values = n_bytes as i64 * 8 - 7;
    let base = Batch::new(n_values).node(n_values, 1).buffer(&validity_with_a_null(n_bytes));
    let values = schema([encoded(field("b", int8(), []), 7)]);
    let base = base.buffer(&vec![1; n_values as usize]).into_dictionary(7);
    let mut messages = vec![Message::schema(values), base];
    for _ in 0..n_deltas {
        messages.extend([Batch::new(1).node(1, 1).buffer(&[0]).buffer(&[0]).into_delta(7), rows(&[0])]);
    }
    stream(messages)
}

fn validity_with_a_null(n_bytes: usize) -> Vec<u8> {
    let mut bytes = vec![0xff; n_bytes];
    bytes[0] = 0xfe;
    bytes
}

/// However many batches came before, and although all are kept, each delta copies its own words.
#[test]
fn copies_are_in_proportion() {
    for n_deltas in [1, 100, 1_000] {
        let word = |idx: i32| [delta("w"), rows(&[idx])];
        let messages = [Message::schema(schema([words("w", 7)])), base("b")].into_iter();
        let stream = stream(messages.chain((1..=n_deltas).flat_map(word)));
        let mut reader = StreamReader::try_new(stream.as_slice()).unwrap();
        let batches = reader.by_ref().collect::<Result<Vec<_>>>().unwrap();
        assert_eq!(reader.stats().n_joined_bytes, (n_deltas as u64 + 1) * (8 + 1), "offsets and letters");
        for (n_before, batch) in batches.iter().enumerate() {
            assert_eq!(batch.columns()[0].dictionary().map(|values| values.len()), Some(n_before + 2));
        }
    }
}

/// If each batch is dropped before the next one is read, no bits are copied.
#[test]
fn bits_that_no_batch_holds_are_not_copied() {
    let bytes = 1 << 20;
    for (stream, n_bytes) in
        [(flags(bytes, 200), bytes), (bytes_with_nulls(bytes / 8, 200), bytes + bytes / 8)]
    {
        let mut reader = StreamReader::try_new(stream.as_slice()).unwrap();
        let n_rows = reader.by_ref().map(|batch| batch.unwrap().n_rows()).sum::<usize>();
        assert_eq!(n_rows, 200);
        let file = FileReader::try_from_buffer(Buffer::from(stream.clone())).unwrap();
        assert_eq!(file.batches().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 200);
        // The dictionary itself, and with the first delta no more.
        for n_joined in [reader.stats().n_joined_bytes, file.stats().n_joined_bytes] {
            assert!(n_joined < n_bytes as u64 + 8 * 200, "{n_joined}");
        }
    }
}

/// Deltas, too, are read only where a selected column needs their dictionary.
#[test]
fn deltas_of_other_columns_are_not_read() {
    let pair = Batch::new(1).node(1, 0).buffer(&[]).i32s(&[1]).node(1, 0).buffer(&[]).i32s(&[0]);
    let messages = [
        base("a"),
        letters("x").into_dictionary(8),
        delta("b"),
        letters("\u{0}").into_delta(8).break_text(),
        pair.into_message(),
    ];
    let bytes = file(schema([words("w", 7), words("v", 8)]), messages, 0);
    let file = FileReader::try_from_buffer(Buffer::from(bytes)).unwrap();
    let good = file.project(&Projection::names(["w"])).unwrap();
    let batch = good.batch(0).unwrap();
    let values = batch.columns()[0].dictionary().unwrap();
    assert_eq!((values.len(), values.text().map(|text| &**text)), (2, Some("ab")));
    assert_eq!(file.stats().n_joined_bytes, 2 * (8 + 1));
    let again = good.batch(0).unwrap();
    assert!(std::sync::Arc::ptr_eq(again.columns()[0].dictionary().unwrap(), values), "joined once");
    let error = file.batch(0).unwrap_err();
    assert!(error.to_string().contains("dictionary batch 3"), "{error}");
    assert!(file.check_dictionaries().is_err());
    assert!(good.batch(0).is_ok());
}

/// The values of a dictionary with its deltas must fit in one array.
#[test]
fn slots_are_limited() {
    let limits = |max_slots| ReadOptions::default().with_limits(Limits::default().with_max_slots(max_slots));
    let messages = || [base("ab"), rows(&[0]), delta("c"), rows(&[2])];
    for (max_slots, is_refused) in [(3, false), (2, true)] {
        let of_stream = StreamReader::try_new_with(word_stream(messages()).as_slice(), limits(max_slots))
            .and_then(|reader| reader.collect::<Result<Vec<_>>>().map(drop));
        let of_file = FileReader::try_new_with(Buffer::from(file_of_words(messages())), limits(max_slots))
            .and_then(|file| file.batch(1).map(drop));
        for outcome in [of_stream, of_file] {
            let class = outcome.as_ref().err().map(|error| error.class());
            assert_eq!(class, is_refused.then_some(ErrorClass::LimitExceeded), "{outcome:?}");
        }
    }
}

/// Steps say which dictionaries add to others.
#[test]
fn steps_report_deltas() {
    let mut decoder = StreamDecoder::new();
    decoder.feed(Buffer::from(word_stream([base("a"), delta("b"), rows(&[1]), base("c")])));
    decoder.finish_input();
    let mut reported = Vec::new();
    loop {
        match decoder.step().unwrap() {
            Step::Dictionary { id, is_delta, .. } => reported.push((id, is_delta)),
            Step::End => break,
            _ => {}
        }
    }
    assert_eq!(reported, [(7, false), (7, true), (7, false)]);
}

/// Joining reads the content, so it is checked even if the check was deferred.
#[test]
fn joined_content_is_checked() {
    let read = |messages: Vec<Message>| -> Result<usize> {
        let messages = [Message::schema(lists())].into_iter().chain(messages);
        let options = ReadOptions::default().with_validation(Validation::Structure);
        let stream = stream(messages);
        StreamReader::try_new_with(stream.as_slice(), options)?.map(|batch| Ok(batch?.n_rows())).sum()
    };
    let rows = || rows(&[0]);
    for (messages, expected) in [
        (vec![inner("\u{0}").break_text(), outer(&[0]), rows()], None),
        (vec![inner("\u{0}").break_text(), outer(&[0]), inner_delta("b"), rows()], Some("not UTF-8")),
        (vec![inner("\u{0}").break_text(), outer(&[0]), outer_delta(&[0]), rows()], Some("not UTF-8")),
        (vec![inner("a"), outer(&[1]), rows(), outer_delta(&[0])], Some("index 1 is out of bounds")),
        (vec![inner("a"), outer(&[0]), outer_delta(&[1])], Some("index 1 is out of bounds")),
        (vec![inner("a"), outer(&[0]), outer_delta(&[0]), rows()], None),
    ] {
        let outcome = read(messages);
        match (&outcome, expected) {
            (Ok(n_rows), None) => assert_eq!(*n_rows, 1),
            (Err(error), Some(words)) => assert!(error.to_string().contains(words), "{error}"),
            _ => panic!("{outcome:?}, not {expected:?}"),
        }
    }
}
