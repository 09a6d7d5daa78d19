//! Data around and between the rows: bytes of other formats, bodies of odd lengths, absent lists, dictionaries beside
//! batches of another kind. The table is in `crafted.rs`.

use arrow_ipc::{ErrorClass, Limits, ReadOptions, StreamReader};
use bindings::flatbuf as fb;

use super::{
    crafted::{
        Case, INTS, Outcome,
        Outcome::{Fields, Refused, Rows},
        int_schema, ints,
    },
    wire::{
        Batch, Message, encoded, end_file, field, file, int32, le_bytes, schema, stream, utf8_view, words,
    },
};

#[rustfmt::skip]
pub(crate) const CASES: &[Case] = &[
    ("Feather V1 as a stream", "stream", feather, Refused(ErrorClass::Unsupported, "a Feather file of version 1")),
    ("Feather V1 as a file", "file", feather, Refused(ErrorClass::Unsupported, "a Feather file of version 1")),
    ("Parquet as a stream", "stream", parquet, Refused(ErrorClass::Unsupported, "a Parquet file")),
    ("Parquet as a file", "file", parquet, Refused(ErrorClass::Unsupported, "a Parquet file")),

    ("schema with a body", "stream", || stream([int_schema().longer(8), ints().into_message()]), Rows(&INTS)),
    ("body of 8n + 1 bytes", "stream", || stream([int_schema(), odd_ints(), odd_ints()]), Rows(&TWICE)),
    ("body of 8n + 1 bytes, in a file", "file", || file(schema([field("a", int32(), [])]), [odd_ints(), odd_ints()], 0), Rows(&TWICE)),
    ("field without a list of children", "stream", field_without_children, Fields("a: int32; s: struct<>")),
    ("footer without lists of blocks", "file", footer_without_blocks, Rows(&[])),

    ("views in a dictionary", "stream", views_in_dictionary, Rows(&[r#"{"v":"ab"}"#; 2])),
    ("compressed dictionary, batch not", "stream", || words_by([ZSTD, None]), WORDS),
    ("compressed batch, dictionary not", "stream", || words_by([None, ZSTD]), WORDS),
];

const TWICE: [&str; 4] = [INTS[0], INTS[1], INTS[0], INTS[1]];

#[cfg(feature = "zstd")]
const WORDS: Outcome = Rows(&[r#"{"w":"b"}"#, r#"{"w":"a"}"#]);
#[cfg(not(feature = "zstd"))]
const WORDS: Outcome = Refused(ErrorClass::Unsupported, "without the feature `zstd`");

fn feather() -> Vec<u8> {
    [b"FEA1", &[0; 60][..], b"FEA1"].concat()
}

fn parquet() -> Vec<u8> {
    [b"PAR1", &[0; 60][..], b"PAR1"].concat()
}

fn odd_ints() -> Message {
    ints().into_message().longer(1)
}

fn field_without_children() -> Vec<u8> {
    let without = |name, data_type| fb::Field { children: None, ..field(name, data_type, []) };
    let fields = [without("a", int32()), without("s", fb::Type::Struct(Box::default()))];
    stream([Message::schema(schema(fields))])
}

fn footer_without_blocks() -> Vec<u8> {
    let schema = Some(Box::new(schema([field("a", int32(), [])])));
    let footer = fb::Footer { version: fb::MetadataVersion::V5, schema, ..Default::default() };
    end_file(b"ARROW1\0\0".to_vec(), &footer)
}

/// A column of one view that needs no data buffer.
pub(crate) fn view_of_two_letters() -> Batch {
    let view = [&2u32.to_le_bytes()[..], b"ab", &[0; 10]].concat();
    Batch::new(1).node(1, 0).buffer(&[]).buffer(&view).variadic(0)
}

/// The message of the dictionary counts data buffers; the message of the batch has no such list.
fn views_in_dictionary() -> Vec<u8> {
    let views = encoded(field("v", utf8_view(), []), 7);
    let batch = Batch::new(2).node(2, 0).buffer(&[]).i32s(&[0, 0]);
    stream([Message::schema(schema([views])), view_of_two_letters().into_dictionary(7), batch.into_message()])
}

const ZSTD: Option<fb::CompressionType> = Some(fb::CompressionType::Zstd);

/// A dictionary and a batch, each with the compression of its body.
fn words_by([of_dictionary, of_batch]: [Option<fb::CompressionType>; 2]) -> Vec<u8> {
    let add = |batch: Batch, codec: Option<fb::CompressionType>, bytes: &[u8]| match codec {
        Some(codec) => batch.zstd_buffer(bytes).compressed(codec),
        None => batch.buffer(bytes),
    };
    let values = Batch::new(2).node(2, 0).buffer(&[]);
    let values = add(values, of_dictionary, &le_bytes(&[0, 1, 2]));
    let values = add(values, of_dictionary, b"ab");
    let batch = add(Batch::new(2).node(2, 0).buffer(&[]), of_batch, &le_bytes(&[1, 0]));
    stream([Message::schema(schema([words("w", 7)])), values.into_dictionary(7), batch.into_message()])
}

#[test]
fn slots_of_batches_are_limited() {
    let bytes = stream([int_schema(), ints().into_message()]);
    for (max_slots, is_refused) in [(2, false), (1, true)] {
        let options = ReadOptions::default().with_limits(Limits::default().with_max_slots(max_slots));
        let batch = StreamReader::try_new_with(&*bytes, options).unwrap().next().unwrap();
        let is_limit = batch.as_ref().is_err_and(|error| error.class() == ErrorClass::LimitExceeded);
        assert_eq!(is_limit, is_refused, "{max_slots}: {batch:?}");
    }
}
