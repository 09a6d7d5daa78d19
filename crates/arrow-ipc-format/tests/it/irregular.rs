//! Forms of schemas that the format does not allow.

use arrow_ipc_format::{IpcSchema, Limits, Message, SchemaIrregularity};
use bindings::flatbuf as fb;

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
    let message = Message::try_new(bytes.into(), Vec::<u8>::new().into(), &Limits::default()).unwrap();
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
fn the_first_of_each_kind_is_told() {
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
