//! Errors name the table, the field, the position and the cause. Forms of schemas that the format does not allow, and that are
//! read, are listed.

use arrow_ipc_format::{
    IpcSchema, Limits, Message as WireMessage, SchemaIrregularity,
    flatbuffer::{FlatbufferError, TypedTable},
    tables::{Footer, KeyValue, Message, Tensor},
};
use bindings::flatbuf as fb;

fn text<T>(result: Result<T, FlatbufferError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn errors_say_where() {
    assert_eq!(
        text(Footer::root(&[0; 8])),
        "the root table Footer has a vtable of 0 bytes; its length must be even and at least 4"
    );
    assert_eq!(
        text(Footer::root(&[9, 0, 0, 0])),
        "the root table Footer has an offset outside of the metadata"
    );
    // A tensor whose vtable ends after the tag of its type.
    let mut bytes = [12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0];
    let tensor = Tensor::root(&bytes).expect("a table");
    assert_eq!(
        text(tensor.type_()),
        "`type` of the Tensor at byte 12 of the metadata has a tag, but no value"
    );
    // No writer that writes defaults gives an absent type a value.
    bytes[16] = 0;
    let tensor = Tensor::root(&bytes).expect("a table");
    assert_eq!(text(tensor.type_()), "`type` of the Tensor at byte 12 of the metadata is absent");
    bytes[16] = 27;
    let tensor = Tensor::root(&bytes).expect("a table");
    assert_eq!(
        text(tensor.type_()),
        "`type` of the Tensor at byte 12 of the metadata has the unknown tag 27"
    );
    let version = [10, 0, 0, 0, 6, 0, 6, 0, 4, 0, 6, 0, 0, 0, 9, 0];
    let message = Message::root(&version).expect("a table");
    assert_eq!(
        text(message.version()),
        "`version` of the Message at byte 10 of the metadata has the unknown value 9"
    );
}

#[test]
fn texts_are_checked() {
    // A root table at byte 12 whose first field refers to the text at byte 20.
    let start = [12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0];
    let cases: [(&[u8], &str); 2] = [
        (&[9, 0, 0, 0, b'a', b'b', 0], "has a length past the end of the metadata"),
        (&[9, 0, 0], "has an offset outside of the metadata"),
    ];
    for (end, cause) in cases {
        let bytes = [&start, end].concat();
        let pair = KeyValue::root(&bytes).expect("a table");
        assert_eq!(text(pair.key()), format!("`key` of the KeyValue at byte 12 of the metadata {cause}"));
    }
    for (text, expected) in [(b"ab", "ab"), (b"a\xff", r"not UTF-8: a\xff")] {
        let bytes = [&start[..], &[2, 0, 0, 0], text, &[0]].concat();
        assert_eq!(KeyValue::root(&bytes).and_then(KeyValue::key), Ok(Some(expected.into())));
    }
}

/// The schema of a message with these fields.
fn read(fields: Option<Vec<fb::Field>>) -> IpcSchema {
    let schema = fb::Schema { fields, ..fb::Schema::default() };
    let message = fb::Message {
        version: fb::MetadataVersion::V5,
        header: Some(fb::MessageHeader::Schema(Box::new(schema))),
        body_length: 0,
        custom_metadata: None,
    };
    let bytes = planus::Builder::new().finish(&message, None).to_vec();
    let message = WireMessage::try_new(bytes.into(), Vec::<u8>::new().into(), &Limits::default()).unwrap();
    message.envelope().schema(&Limits::default()).unwrap()
}

fn field(name: &str, type_: fb::Type, children: Vec<fb::Field>) -> fb::Field {
    fb::Field {
        name: Some(name.to_owned()),
        type_: Some(type_),
        children: Some(children),
        ..fb::Field::default()
    }
}

#[test]
fn the_first_of_each_kind_is_reported() {
    let int = || fb::Type::Int(Box::new(fb::Int { bit_width: 32, is_signed: true }));
    let words = |name| {
        let dictionary = fb::DictionaryEncoding::default();
        fb::Field {
            dictionary: Some(Box::new(dictionary)),
            ..field(name, fb::Type::Utf8(Box::default()), Vec::new())
        }
    };
    let map = |name| {
        let pair = vec![field("key", int(), Vec::new()), field("value", int(), Vec::new())];
        let entries =
            fb::Field { nullable: true, ..field("entries", fb::Type::Struct(Box::default()), pair) };
        field(name, fb::Type::Map(Box::default()), vec![entries])
    };
    let schema = read(Some(vec![words("d"), map("m"), words("e"), map("n")]));
    let found: Vec<String> = schema
        .irregularities()
        .iter()
        .map(|found| match found {
            SchemaIrregularity::NoIndexType { field } => format!("no index type: {field}"),
            SchemaIrregularity::NullableMap { field } => format!("nullable map: {field}"),
            found => panic!("{found:?}"),
        })
        .collect();
    assert_eq!(found, ["no index type: d", "nullable map: m"]);
    assert_eq!(read(None).irregularities(), [SchemaIrregularity::NoFields]);
    assert!(read(Some(vec![field("a", int(), Vec::new())])).irregularities().is_empty());
}
