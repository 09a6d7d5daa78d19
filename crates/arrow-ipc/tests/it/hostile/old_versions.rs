//! Differences of versions before V5: cases of the table in `crafted.rs`.

use arrow_ipc::ErrorClass;
use bindings::flatbuf as fb;

use super::{
    crafted::{
        Case, INTS, Outcome,
        Outcome::{Fields, Refused, Rows},
        RUNS, UNION, int_schema, ints, runs_messages, union_batch, union_schema,
    },
    envelopes::view_of_two_letters,
    wire::{Batch, Message, field, int32, le_bytes, schema, stream, utf8_view},
};

#[rustfmt::skip]
pub(crate) const CASES: &[Case] = &[
    ("union of V4 without nulls", "stream", || union_of_v4(0, &[]), Rows(&UNION)),
    ("union of V4 with nulls", "stream", || union_of_v4(1, &[0b10]), Rows(&[r#"{"u":{"a":null}}"#, UNION[1]])),
    ("union of V4 with all nulls", "stream", || union_of_v4(2, &[0b00]), Rows(&[r#"{"u":{"a":null}}"#, r#"{"u":{"b":null}}"#])),
    ("union of V4 with an uncounted null", "stream", || union_of_v4(-1, &[0b01]), Rows(&[UNION[0], r#"{"u":{"b":null}}"#])),
    ("union of V4 that declares no null", "stream", || union_of_v4(0, &[0b10]), Refused(ErrorClass::Malformed, "the null count is 0")),
    ("union of V4 that declares a null", "stream", || union_of_v4(1, &[0b11]), Refused(ErrorClass::Malformed, "the null count is 1")),
    ("union of V4 without its bitmap", "stream", || union_of_v4(1, &[]), Refused(ErrorClass::Malformed, "0 of 1 bytes")),
    ("dense union of V4 with nulls", "stream", || dense_union_of_v4(&[0, 1, 0], 0b110), Rows(&[r#"{"u":{"a":null}}"#, r#"{"u":{"a":2}}"#, r#"{"u":{"b":5}}"#])),
    ("dense union of V4 whose null shares a slot", "stream", || dense_union_of_v4(&[1, 1, 0], 0b110), Rows(&[r#"{"u":{"a":null}}"#, r#"{"u":{"a":2}}"#, r#"{"u":{"b":5}}"#])),
    ("dense union of V4 with a null out of range", "stream", || dense_union_of_v4(&[9, 1, 0], 0b110), Refused(ErrorClass::Malformed, "offset")),
    ("union of V4 inside of one", "stream", nested_unions_of_v4, Rows(&[r#"{"u":{"v":{"a":null}}}"#, r#"{"u":{"v":{"b":5}}}"#])),
    ("dense union of V4 with a child without bytes", "stream", || dense_union_of_nothing(1 << 40), Refused(ErrorClass::LimitExceeded, "nulls that unions hand")),
    ("dense union of V4 with nothing but nulls", "stream", || dense_union_of_nulls(1 << 40), Rows(&[r#"{"u":{"n":null}}"#; 2])),
    ("compression of V4", "stream", || compression_of_v4(V4, "ZSTD"), COMPRESSED_INTS),
    ("compression of V4, another codec than it says", "stream", || compression_of_v4(V4, "lz4"), NOT_LZ4),
    ("compression of V4, no codec", "stream", || stream([int_schema(), ints().into_message().metadata(&[COMPRESSION_OF_NONE])].map(|message| message.version(V4))), Rows(&INTS)),
    ("compression of V4, unknown codec", "stream", || compression_of_v4(V4, "snappy"), Refused(ErrorClass::Unsupported, "compress")),
    ("compression of V4 in V5", "stream", || compression_of_v4(V5, "zstd"), Fields("a: int32")),

    ("schema of V4, batch of V5", "stream", || unions([V4, V5], Batch::new(2).node(2, 0)), Rows(&UNION)),
    ("schema of V5, batch of V4", "stream", || unions([V5, V4], Batch::new(2).node(2, 1).buffer(&[0b10])), Rows(&[r#"{"u":{"a":null}}"#, UNION[1]])),
    ("batch of V3", "stream", || unions([V5, fb::MetadataVersion::V3], Batch::new(2).node(2, 0)), Refused(ErrorClass::Unsupported, "V3")),
    ("runs in V4", "stream", runs_in_v4, Rows(&RUNS)),
    ("views in V4", "stream", views_in_v4, Rows(&[r#"{"v":"ab"}"#])),
];

const V4: fb::MetadataVersion = fb::MetadataVersion::V4;
const V5: fb::MetadataVersion = fb::MetadataVersion::V5;
const COMPRESSION_OF_NONE: (Option<&str>, Option<&str>) =
    (Some("ARROW:experimental_compression"), Some("UNCOMPRESSED"));

#[cfg(feature = "zstd")]
const COMPRESSED_INTS: Outcome = Rows(&INTS);
#[cfg(not(feature = "zstd"))]
const COMPRESSED_INTS: Outcome = Refused(ErrorClass::Unsupported, "without the feature `zstd`");

#[cfg(feature = "lz4")]
const NOT_LZ4: Outcome = Refused(ErrorClass::Malformed, "LZ4");
#[cfg(not(feature = "lz4"))]
const NOT_LZ4: Outcome = Refused(ErrorClass::Unsupported, "without the feature `lz4`");

/// Before V5 unions had a bitmap.
fn union_of_v4(null_count: i64, bitmap: &[u8]) -> Vec<u8> {
    let batch = union_batch(Batch::new(2).node(2, null_count).buffer(bitmap));
    let messages = [Message::schema(union_schema(Some(vec![0, 1]))), batch];
    stream(messages.map(|message| message.version(V4)))
}

fn union_type(mode: fb::UnionMode) -> fb::Type {
    fb::Type::Union(Box::new(fb::Union { mode, type_ids: None }))
}

/// Two slots of the first child, one of the second.
fn dense_union_of_v4(offsets: &[i32], bitmap: u8) -> Vec<u8> {
    let dense =
        field("u", union_type(fb::UnionMode::Dense), [field("a", int32(), []), field("b", int32(), [])]);
    let batch = Batch::new(3).node(3, 1).buffer(&[bitmap]).buffer(&[0, 0, 1]).i32s(offsets);
    let batch = batch.node(2, 0).buffer(&[]).i32s(&[1, 2]).node(1, 0).buffer(&[]).i32s(&[5]).into_message();
    stream([Message::schema(schema([dense])), batch].map(|it| it.version(V4)))
}

/// A dense union of two slots, the first of them null, and a child with `n_slots` slots without bytes.
fn dense_union_of(child: fb::Field, n_slots: i64, null_count: i64, n_buffers: usize) -> Vec<u8> {
    let dense = field("u", union_type(fb::UnionMode::Dense), [child]);
    let batch =
        Batch::new(2).node(2, 1).buffer(&[0b10]).buffer(&[0, 0]).i32s(&[0, 1]).node(n_slots, null_count);
    let batch = (0..n_buffers).fold(batch, |batch, _| batch.buffer(&[])).into_message();
    stream([Message::schema(schema([dense])), batch].map(|it| it.version(V4)))
}

fn dense_union_of_nothing(n_slots: i64) -> Vec<u8> {
    dense_union_of(field("s", fb::Type::Struct(Box::default()), []), n_slots, 0, 1)
}

fn dense_union_of_nulls(n_slots: i64) -> Vec<u8> {
    dense_union_of(field("n", fb::Type::Null(Box::default()), []), n_slots, n_slots, 0)
}

/// A sparse union whose only child is one; the outer one has a null.
fn nested_unions_of_v4() -> Vec<u8> {
    let children = [field("a", int32(), []), field("b", int32(), [])];
    let inner = field("v", union_type(fb::UnionMode::Sparse), children);
    let outer = field("u", union_type(fb::UnionMode::Sparse), [inner]);
    let batch = Batch::new(2).node(2, 1).buffer(&[0b10]).buffer(&[0, 0]).node(2, 0).buffer(&[]);
    let messages = [Message::schema(schema([outer])), union_batch(batch)];
    stream(messages.map(|message| message.version(V4)))
}

/// Arrow 0.17 marked compressed bodies by custom metadata of the message.
fn compression_of_v4(version: fb::MetadataVersion, codec: &str) -> Vec<u8> {
    let batch = Batch::new(2).node(2, 0).buffer(&[]).zstd_buffer(&le_bytes(&[1, 2])).into_message();
    let messages = [int_schema(), batch.metadata(&[(Some("ARROW:experimental_compression"), Some(codec))])];
    stream(messages.map(|message| message.version(version)))
}

/// A union over two rows, in messages of two versions.
fn unions(versions: [fb::MetadataVersion; 2], batch: Batch) -> Vec<u8> {
    let messages = [Message::schema(union_schema(None)), union_batch(batch)];
    stream(messages.into_iter().zip(versions).map(|(message, version)| message.version(version)))
}

/// V4 does not say what runs are.
fn runs_in_v4() -> Vec<u8> {
    stream(runs_messages(0, 2, &[2, 3]).map(|message| message.version(V4)))
}

/// Nor views.
fn views_in_v4() -> Vec<u8> {
    let batch = view_of_two_letters().into_message();
    stream([Message::schema(schema([field("v", utf8_view(), [])])), batch].map(|message| message.version(V4)))
}
