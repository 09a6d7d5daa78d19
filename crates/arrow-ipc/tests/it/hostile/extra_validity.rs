//! Validity buffers of columns without a bitmap: cases of the table in `crafted.rs`.

use arrow_ipc::ErrorClass;
use bindings::flatbuf as fb;

use super::{
    crafted::{
        Case,
        Outcome::{Refused, Rows},
        RUNS, UNION, union_batch, union_schema,
    },
    wire::{Batch, Message, field, int32, key_values, schema, stream},
};

#[rustfmt::skip]
pub(crate) const CASES: &[Case] = &[
    ("extension over null with a validity buffer", "stream", || null_and_int(EXTENSION, &[&[]]), NULL_AND_INT),
    ("extension over null with a bitmap", "stream", || null_and_int(EXTENSION, &[&[0xff]]), NULL_AND_INT),
    ("extension over null without a validity buffer", "stream", || null_and_int(EXTENSION, &[]), NULL_AND_INT),
    ("extension over null with two validity buffers", "stream", || null_and_int(EXTENSION, &[&[], &[]]), Refused(ErrorClass::Malformed, "lists 4 buffers; the schema needs 2")),
    ("null with a validity buffer", "stream", || null_and_int(PLAIN, &[&[]]), Refused(ErrorClass::Malformed, "lists 3 buffers; the schema needs 2")),
    ("extension name without a value, over null with a validity buffer", "stream", || null_and_int(UNNAMED, &[&[]]), Refused(ErrorClass::Malformed, "lists 3 buffers; the schema needs 2")),
    ("extension over a union with a validity buffer", "stream", || union_in(EXTENSION, &[]), Rows(&UNION)),
    ("extension over a union with a bitmap", "stream", || union_in(EXTENSION, &[0b10]), Refused(ErrorClass::Malformed, "buffer 0 (validity): the buffer has 1 bytes; it must be empty")),
    ("union of V5 with a bitmap", "stream", || union_in(PLAIN, &[0b10]), Refused(ErrorClass::Malformed, "field `u`: the message lists 6 buffers; the schema needs 5: unions have a validity bitmap, as before metadata V5")),
    ("extension over runs with a validity buffer", "stream", || runs_in(V5, EXTENSION, &[&[]]), Rows(&RUNS)),
    ("extension over runs with a bitmap", "stream", || runs_in(V5, EXTENSION, &[&[0b110]]), Refused(ErrorClass::Malformed, "buffer 0 (validity): the buffer has 1 bytes; it must be empty")),
    ("runs with a validity buffer", "stream", || runs_in(V5, PLAIN, &[&[]]), Refused(ErrorClass::Malformed, "lists 5 buffers; the schema needs 4")),
    ("runs in V4 with a validity buffer", "stream", || runs_in(V4, PLAIN, &[&[]]), Rows(&RUNS)),
    ("runs in V4 with a bitmap", "stream", || runs_in(V4, PLAIN, &[&[0b110]]), Refused(ErrorClass::Malformed, "it must be empty")),
    ("runs in V4 with two validity buffers", "stream", || runs_in(V4, EXTENSION, &[&[], &[]]), Refused(ErrorClass::Malformed, "lists 6 buffers; the schema needs 4")),
];

const V4: fb::MetadataVersion = fb::MetadataVersion::V4;
const V5: fb::MetadataVersion = fb::MetadataVersion::V5;
const NULL_AND_INT: super::crafted::Outcome = Rows(&[r#"{"n":null,"a":1}"#, r#"{"n":null,"a":2}"#]);

type Pairs = &'static [(Option<&'static str>, Option<&'static str>)];
const EXTENSION: Pairs = &[(Some("ARROW:extension:name"), Some("x"))];
const UNNAMED: Pairs = &[(Some("ARROW:extension:name"), None)];
const PLAIN: Pairs = &[];

fn with(field: fb::Field, pairs: Pairs) -> fb::Field {
    fb::Field { custom_metadata: Some(key_values(pairs)), ..field }
}

/// Two nulls with these buffers, then two numbers.
fn null_and_int(pairs: Pairs, buffers: &[&[u8]]) -> Vec<u8> {
    let null = with(field("n", fb::Type::Null(Box::default()), []), pairs);
    let batch = buffers.iter().fold(Batch::new(2).node(2, 2), |batch, bytes| batch.buffer(bytes));
    let batch = batch.node(2, 0).buffer(&[]).i32s(&[1, 2]).into_message();
    stream([Message::schema(schema([null, field("a", int32(), [])])), batch])
}

/// A union with a validity buffer.
fn union_in(pairs: Pairs, bitmap: &[u8]) -> Vec<u8> {
    let mut schema = union_schema(None);
    let fields = schema.fields.iter_mut().flatten();
    fields.for_each(|field| *field = with(std::mem::take(field), pairs));
    stream([Message::schema(schema), union_batch(Batch::new(2).node(2, 0).buffer(bitmap))])
}

/// Runs with validity buffers.
fn runs_in(version: fb::MetadataVersion, pairs: Pairs, buffers: &[&[u8]]) -> Vec<u8> {
    let required = fb::Field { nullable: false, ..field("run_ends", int32(), []) };
    let runs = fb::Type::RunEndEncoded(Box::default());
    let runs = with(field("r", runs, [required, field("values", int32(), [])]), pairs);
    let batch = buffers.iter().fold(Batch::new(3).node(3, 0), |batch, bytes| batch.buffer(bytes));
    let batch =
        batch.node(2, 0).buffer(&[]).i32s(&[2, 3]).node(2, 0).buffer(&[]).i32s(&[0, 1]).into_message();
    let messages = [Message::schema(schema([runs])), batch];
    stream(messages.map(|message| message.version(version)))
}
