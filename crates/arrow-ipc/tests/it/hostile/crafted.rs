//! Streams and files that the format allows but no library writes, and similar hostile ones: one case for each question
//! that `docs/FORMAT.md` answers and no file of the corpus covers.

use arrow_ipc::{ErrorClass, Limits, ReadOptions, StreamReader, Validation};
use arrow_text::JsonRows;
use bindings::flatbuf as fb;

use super::{
    deltas, envelopes, extra_validity, old_versions,
    readers::{Content, class_name, readers},
    wire::{Batch, Message, field, file, int32, key_values, le_bytes, schema, stream, utf8, words},
};

/// A name, as `docs/FORMAT.md` cites it; the format; the bytes; what reading them comes to.
pub(crate) type Case = (&'static str, &'static str, fn() -> Vec<u8>, Outcome);

pub(crate) enum Outcome {
    /// The rows as JSON.
    Rows(&'static [&'static str]),
    /// This schema, fields divided by `; `.
    Fields(&'static str),
    /// The pairs of the schema's custom metadata.
    Metadata(&'static [(Option<&'static str>, Option<&'static str>)]),
    /// An error of this class, whose message contains this.
    Refused(ErrorClass, &'static str),
}
use Outcome::{Fields, Metadata, Refused, Rows};

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("plain", "stream", plain, Rows(&INTS)),

    ("legacy length of 16 MiB", "stream", || legacy_length(1 << 24), Refused(ErrorClass::Truncated, "")),
    ("legacy length over 16 MiB", "stream", || legacy_length((1 << 24) + 1), Refused(ErrorClass::Malformed, "stream")),
    ("metadata length 8n + 4", "stream", || padded(4), Rows(&INTS)),
    ("metadata length 8n + 1", "stream", || padded(1), Rows(&INTS)),
    ("buffer at 8n + 4", "stream", || gap(4), Rows(&INTS)),
    ("buffer at 8n + 3", "stream", || gap(3), Rows(&INTS)),

    ("field without a name", "stream", field_without_name, Fields(r#""": int32"#)),
    ("time zones", "stream", time_zones, Fields(r#"none: timestamp(s); empty: timestamp(s, ""); utc: timestamp(s, "UTC")"#)),
    ("child of a leaf", "stream", child_of_leaf, Refused(ErrorClass::Malformed, "int32")),
    ("unused feature", "stream", || features(0), Fields("a: int32")),
    ("known features", "stream", || features(2), Fields("a: int32")),
    ("unknown feature", "stream", || features(9), Refused(ErrorClass::Unsupported, "feature")),
    ("metadata without keys or values", "stream", odd_metadata, Metadata(&ODD_PAIRS)),

    ("null count -1", "stream", || nulls(-1, &[0b10]), Rows(&[r#"{"a":null}"#, r#"{"a":2}"#])),
    ("null count -1, no bitmap", "stream", || nulls(-1, &[]), Rows(&INTS)),
    ("nulls declared, no bitmap", "stream", || nulls(1, &[]), Refused(ErrorClass::Malformed, "0 of 1 bytes")),
    ("no nulls declared, bitmap has one", "stream", || nulls(0, &[0b10]), Refused(ErrorClass::Malformed, "null")),
    ("null count -2", "stream", || nulls(-2, &[0b10]), Refused(ErrorClass::Malformed, "-2")),
    ("null array that declares no nulls", "stream", || null_array(0), Rows(&[r#"{"n":null}"#; 2])),
    ("runs that declare nulls", "stream", || runs(2, 2, &[2, 3]), Rows(&RUNS)),
    ("a node too many", "stream", || stream([int_schema(), ints().node(0, 0).into_message()]), Refused(ErrorClass::Malformed, "2")),
    ("no slots, no offsets", "stream", || no_slots(&[]), Rows(&[])),
    ("fixed-size list with a longer child", "stream", || fixed_size_list(7), Rows(&[r#"{"l":[0,1]}"#, r#"{"l":[2,3]}"#])),
    ("fixed-size list with a shorter child", "stream", || fixed_size_list(3), Refused(ErrorClass::Malformed, "")),
    ("more values than runs", "stream", || runs(0, 3, &[2, 3]), Rows(&RUNS)),
    ("more runs than values", "stream", || runs(0, 1, &[2, 3]), Refused(ErrorClass::Malformed, "")),

    ("columns share a buffer", "stream", || shared_ints(3, 0), Fields("c: int32; c: int32; c: int32")),
    ("columns share a buffer too often", "stream", || shared_ints(1_200, 0), Refused(ErrorClass::LimitExceeded, "buffers")),
    ("columns share a misaligned buffer", "stream", || shared_ints(3, 1), Fields("c: int32; c: int32; c: int32")),
    ("columns share a misaligned buffer too often", "stream", || shared_ints(30, 1), Refused(ErrorClass::LimitExceeded, "realigned")),
    ("columns share text to repair", "stream", || shared_text(3), Fields("c: utf8; c: utf8; c: utf8")),
    ("columns share text to repair too often", "stream", || shared_text(30), Refused(ErrorClass::LimitExceeded, "")),

    ("union without typeIds", "stream", union_without_type_ids, Rows(&UNION)),
    ("union that declares nulls", "stream", || union(1), Rows(&UNION)),

    ("dictionary never sent, no valid index", "stream", || words_without_dictionary(0b00), Rows(&[r#"{"w":null}"#; 2])),
    ("dictionary never sent, a valid index", "stream", || words_without_dictionary(0b01), Refused(ErrorClass::Malformed, "dictionary")),

    ("file", "file", || words_file(0, [0, 1]), Rows(&WORDS)),
    ("dictionaries after batches", "file", || words_file(0, [1, 0]), Rows(&WORDS)),
    ("blocks at 8n + 4", "file", || words_file(4, [0, 1]), Rows(&WORDS)),
    ("blocks at 8n + 1", "file", || words_file(1, [0, 1]), Rows(&WORDS)),
];

pub(crate) const INTS: [&str; 2] = [r#"{"a":1}"#, r#"{"a":2}"#];
pub(crate) const UNION: [&str; 2] = [r#"{"u":{"a":1}}"#, r#"{"u":{"b":5}}"#];
pub(crate) const RUNS: [&str; 3] = [r#"{"r":0}"#, r#"{"r":0}"#, r#"{"r":1}"#];
const WORDS: [&str; 2] = [r#"{"w":"b"}"#, r#"{"w":"a"}"#];

const ODD_PAIRS: [(Option<&str>, Option<&str>); 6] = [
    (Some("k"), Some("1")),
    (None, Some("2")),
    (Some("k"), None),
    (None, None),
    (Some(""), Some("")),
    (Some("k"), Some("1")),
];

/// The names of all cases.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all_cases().map(|(name, ..)| *name)
}

fn all_cases() -> impl Iterator<Item = &'static Case> {
    [CASES, deltas::CASES, envelopes::CASES, extra_validity::CASES, old_versions::CASES].into_iter().flatten()
}

#[test]
fn crafted_input_is_judged_as_listed() {
    let mut failures = Vec::new();
    for (name, format, bytes, expect) in all_cases() {
        let bytes = bytes();
        for (reader, read) in readers(format) {
            if let Some(failure) = check(read(&bytes, Validation::Content), expect) {
                failures.push(format!("{name} ({reader}): {failure}"));
            }
            let _ = read(&bytes, Validation::Structure);
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// The fault of an outcome.
fn check(outcome: arrow_ipc::Result<Content>, expect: &Outcome) -> Option<String> {
    match (outcome, expect) {
        (Ok(content), Rows(expected)) => {
            let rows = rows(&content);
            (rows != *expected).then(|| format!("{rows:?}, not {expected:?}"))
        }
        (Ok(content), Fields(expected)) => {
            let fields = content.schema.to_string().replace('\n', "; ");
            (fields != *expected).then(|| format!("{fields}, not {expected}"))
        }
        (Ok(content), Metadata(expected)) => {
            let pairs: Vec<_> = content.schema.metadata().iter().collect();
            (pairs != *expected).then(|| format!("{pairs:?}, not {expected:?}"))
        }
        (Err(error), Refused(class, words)) => {
            let is_as_listed = error.class() == *class && error.to_string().contains(words);
            (!is_as_listed).then(|| format!("{}: {error}", class_name(error.class())))
        }
        (Ok(content), Refused(..)) => Some(format!("{:?} should be refused", rows(&content))),
        (Err(error), Rows(_) | Fields(_) | Metadata(_)) => Some(error.to_string()),
    }
}

#[test]
fn types_nest_no_deeper_than_is_allowed() {
    let deep = |n_levels: usize| {
        let list = |child, _| field("l", fb::Type::List(Box::default()), [child]);
        let field = (1..n_levels).fold(field("i", int32(), []), list);
        stream([Message::schema(schema([field]))])
    };
    let read = |bytes: &[u8], limit| {
        let limits = Limits::default().with_max_depth(limit);
        StreamReader::try_new_with(bytes, ReadOptions::default().with_limits(limits)).map(drop)
    };
    for (n_levels, limit, is_refused) in
        [(63, 63, false), (64, 63, true), (64, 64, false), (64, usize::MAX, false), (65, usize::MAX, true)]
    {
        let outcome = read(&deep(n_levels), limit);
        let is_limit = outcome.as_ref().is_err_and(|error| error.class() == ErrorClass::LimitExceeded);
        assert_eq!((outcome.is_err(), is_limit), (is_refused, is_refused), "{n_levels} levels: {outcome:?}");
    }
}

fn rows(content: &Content) -> Vec<String> {
    let mut rows = Vec::new();
    for batch in &content.batches {
        rows.extend(JsonRows::try_new(batch).unwrap().iter().map(|row| row.to_string()));
    }
    rows
}

pub(crate) fn int_schema() -> Message {
    Message::schema(schema([field("a", int32(), [])]))
}

pub(crate) fn ints() -> Batch {
    Batch::new(2).node(2, 0).buffer(&[]).i32s(&[1, 2])
}

fn plain() -> Vec<u8> {
    stream([int_schema(), ints().into_message()])
}

fn legacy_length(length: i32) -> Vec<u8> {
    [&length.to_le_bytes()[..], &[0; 100]].concat()
}

fn padded(n_padding: usize) -> Vec<u8> {
    stream([int_schema().padded(n_padding), ints().into_message().padded(n_padding)])
}

fn gap(n_bytes: usize) -> Vec<u8> {
    let batch = Batch::new(2).node(2, 0).buffer(&[]).gap(n_bytes).buffer_here(&le_bytes(&[1, 2]));
    stream([int_schema(), batch.into_message()])
}

fn field_without_name() -> Vec<u8> {
    stream([Message::schema(schema([fb::Field { name: None, ..field("", int32(), []) }]))])
}

fn time_zones() -> Vec<u8> {
    let timestamp = |name, zone: Option<&str>| {
        let timezone = zone.map(str::to_owned);
        let timestamp = fb::Timestamp { unit: fb::TimeUnit::Second, timezone };
        field(name, fb::Type::Timestamp(Box::new(timestamp)), [])
    };
    let fields = [timestamp("none", None), timestamp("empty", Some("")), timestamp("utc", Some("UTC"))];
    stream([Message::schema(schema(fields))])
}

fn child_of_leaf() -> Vec<u8> {
    stream([Message::schema(schema([field("a", int32(), [field("b", int32(), [])])]))])
}

/// A schema with three features; the last one is this number.
fn features(last: i64) -> Vec<u8> {
    // The bindings write known features only, so the bytes are changed.
    let known =
        [fb::Feature::CompressedBody, fb::Feature::DictionaryReplacement, fb::Feature::CompressedBody];
    let written: Vec<u8> = [2i64, 1, 2].iter().flat_map(|feature| feature.to_le_bytes()).collect();
    let schema = fb::Schema { features: Some(known.to_vec()), ..schema([field("a", int32(), [])]) };
    let mut bytes = stream([Message::schema(schema)]);
    let position = bytes.windows(written.len()).position(|window| window == written).unwrap();
    bytes[position + 16..position + 24].copy_from_slice(&last.to_le_bytes());
    bytes
}

fn odd_metadata() -> Vec<u8> {
    let custom_metadata = Some(key_values(&ODD_PAIRS));
    stream([Message::schema(fb::Schema { custom_metadata, ..schema([field("a", int32(), [])]) })])
}

pub(crate) fn union_schema(type_ids: Option<Vec<i32>>) -> fb::Schema {
    let union = fb::Type::Union(Box::new(fb::Union { mode: fb::UnionMode::Sparse, type_ids }));
    schema([field("u", union, [field("a", int32(), []), field("b", int32(), [])])])
}

fn union_without_type_ids() -> Vec<u8> {
    stream([Message::schema(union_schema(None)), union_batch(Batch::new(2).node(2, 0))])
}

fn union(null_count: i64) -> Vec<u8> {
    stream([Message::schema(union_schema(Some(vec![0, 1]))), union_batch(Batch::new(2).node(2, null_count))])
}

/// The buffers and children after the node of a union: type ids and children.
pub(crate) fn union_batch(batch: Batch) -> Message {
    let batch = batch.buffer(&[0, 1]).node(2, 0).buffer(&[]).i32s(&[1, 2]);
    batch.node(2, 0).buffer(&[]).i32s(&[4, 5]).into_message()
}

fn nulls(null_count: i64, bitmap: &[u8]) -> Vec<u8> {
    let batch = Batch::new(2).node(2, null_count).buffer(bitmap).i32s(&[1, 2]);
    stream([int_schema(), batch.into_message()])
}

fn null_array(null_count: i64) -> Vec<u8> {
    let schema = schema([field("n", fb::Type::Null(Box::default()), [])]);
    stream([Message::schema(schema), Batch::new(2).node(2, null_count).into_message()])
}

/// A column of text without slots.
fn no_slots(offsets: &[i32]) -> Vec<u8> {
    let batch = Batch::new(0).node(0, 0).buffer(&[]).i32s(offsets).buffer(&[]);
    stream([Message::schema(schema([field("t", utf8(), [])])), batch.into_message()])
}

/// Two lists of two, over a child of this length.
fn fixed_size_list(n_slots: i32) -> Vec<u8> {
    let list = fb::Type::FixedSizeList(Box::new(fb::FixedSizeList { list_size: 2 }));
    let schema = schema([field("l", list, [field("item", int32(), [])])]);
    let values: Vec<i32> = (0..n_slots).collect();
    let batch = Batch::new(2).node(2, 0).buffer(&[]).node(n_slots.into(), 0).buffer(&[]).i32s(&values);
    stream([Message::schema(schema), batch.into_message()])
}

/// Columns over the same 64 Ki numbers, which begin `n_gap` bytes after a multiple of 8.
fn shared_ints(n_columns: usize, n_gap: usize) -> Vec<u8> {
    const N_ROWS: i64 = 64 << 10;
    let mut batch = Batch::new(N_ROWS).gap(n_gap).buffer_here(&[0; 4 * N_ROWS as usize]);
    let (schema, numbers) = (schema(vec![field("c", int32(), []); n_columns]), batch.buffers.remove(0));
    for _ in 0..n_columns {
        batch = batch.node(N_ROWS, 0).buffer(&[]);
        batch.buffers.push(numbers);
    }
    stream([Message::schema(schema), batch.into_message()])
}

/// Columns over the same bytes, of two rows each: a null over 256 KiB that are no text, and text.
fn shared_text(n_columns: usize) -> Vec<u8> {
    const N_BYTES: i32 = 256 << 10;
    let bytes = [vec![0xff; N_BYTES as usize], b"text".to_vec()].concat();
    let mut batch = Batch::new(2).buffer(&[0b10]).i32s(&[0, N_BYTES, N_BYTES + 4]).buffer(&bytes);
    let (schema, buffers) =
        (schema(vec![field("c", utf8(), []); n_columns]), std::mem::take(&mut batch.buffers));
    for _ in 0..n_columns {
        batch = batch.node(2, 1);
        batch.buffers.extend(&buffers);
    }
    stream([Message::schema(schema), batch.into_message()])
}

fn runs(null_count: i64, n_values: i32, run_ends: &[i32]) -> Vec<u8> {
    stream(runs_messages(null_count, n_values, run_ends))
}

/// Three rows in runs with these ends, and `n_values` values.
pub(crate) fn runs_messages(null_count: i64, n_values: i32, run_ends: &[i32]) -> [Message; 2] {
    let required = fb::Field { nullable: false, ..field("run_ends", int32(), []) };
    let runs = fb::Type::RunEndEncoded(Box::default());
    let schema = schema([field("r", runs, [required, field("values", int32(), [])])]);
    let values: Vec<i32> = (0..n_values).collect();
    let batch = Batch::new(3).node(3, null_count);
    let batch = batch.node(run_ends.len() as i64, 0).buffer(&[]).i32s(run_ends);
    let batch = batch.node(n_values.into(), 0).buffer(&[]).i32s(&values);
    [Message::schema(schema), batch.into_message()]
}

fn words_without_dictionary(bitmap: u8) -> Vec<u8> {
    let null_count = 2 - i64::from(bitmap.count_ones());
    let batch = Batch::new(2).node(2, null_count).buffer(&[bitmap]).i32s(&[0, 0]);
    stream([Message::schema(schema([words("w", 7)])), batch.into_message()])
}

/// A dictionary and a batch, in this order.
fn words_file(n_shift: usize, order: [usize; 2]) -> Vec<u8> {
    let message = |position| match position {
        0 => Batch::new(2).node(2, 0).buffer(&[]).i32s(&[0, 1, 2]).buffer(b"ab").into_dictionary(7),
        _ => Batch::new(2).node(2, 0).buffer(&[]).i32s(&[1, 0]).into_message(),
    };
    file(schema([words("w", 7)]), order.map(message), n_shift)
}
