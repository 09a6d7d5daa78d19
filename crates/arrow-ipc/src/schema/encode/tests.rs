//! Flatbuffers that are written by hand mean the same as those of the generated code.

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{DataType, Field, FixedSize, IndexType};
use planus::ReadAsRoot;
use testing_support::{Hunt, Rng, all_types, verify_footer, verify_message};

use super::*;
use crate::{
    file::FileWriter,
    message::{MessageEncoder, MessageFormat},
    options::WriteOptions,
    protocol::{Feature, MetadataVersion},
    schema::decode::tests::random_field,
};

/// The metadata of the message, with its padding.
fn written(schema: &IpcSchema, metadata: &Metadata) -> Vec<u8> {
    let format = MessageFormat { version: schema.version(), ..MessageFormat::default() };
    let mut to = BufferMut::new();
    let schema = SchemaPart::try_new(schema).unwrap();
    let n_bytes = MessageEncoder::new(format).schema(&mut to, &schema, metadata, 0).unwrap();
    assert_eq!((to.len() as u64, to.len() % 64), (n_bytes, 0));
    to[8..].to_vec()
}

fn meaning(bytes: &[u8]) -> fb::Message {
    let message = fb::MessageRef::read_as_root(bytes).expect("a message");
    message.try_into().expect("all of it can be read")
}

/// Compares both schema messages. Returns the length of ours, and of the generated one.
fn compare(schema: &IpcSchema, metadata: &Metadata, name: &str) -> (usize, usize) {
    let by_hand = written(schema, metadata);
    verify_message(&by_hand).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let generated = oracle::encode_message(schema, metadata);
    assert!(meaning(&by_hand) == meaning(&generated), "{name}");
    (by_hand.len(), generated.len())
}

/// Compares the schema and metadata of a footer with those of a message.
fn compare_footer(schema: &IpcSchema, metadata: &Metadata, name: &str) {
    let options = WriteOptions::default().with_footer_metadata(metadata.clone());
    let options = options.with_features(schema.features().iter().copied());
    let options = options.with_endianness(schema.endianness()).with_version(schema.version());
    let Ok(writer) = FileWriter::try_new(Vec::new(), schema.clone(), options) else {
        // Metadata V4 does not have all types.
        return assert_eq!(schema.version(), MetadataVersion::V4);
    };
    let file = writer.finish().unwrap();
    let (rest, length) = file.strip_suffix(b"ARROW1").unwrap().split_last_chunk::<4>().unwrap();
    let footer = &rest[rest.len() - u32::from_le_bytes(*length) as usize..];
    verify_footer(footer).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let footer: fb::Footer = fb::FooterRef::read_as_root(footer).unwrap().try_into().unwrap();
    let expected = meaning(&oracle::encode_message(schema, metadata));
    assert_eq!(footer.version, expected.version, "{name}");
    assert!(footer.schema.map(fb::MessageHeader::Schema) == expected.header, "{name}");
    assert!(footer.custom_metadata == expected.custom_metadata, "{name}");
}

/// Keys and values that are absent, empty and long.
fn random_metadata(rng: &mut Rng) -> Metadata {
    let text = |rng: &mut Rng| (!rng.one_in(3)).then(|| "é".repeat(rng.below(4)).into());
    let n_pairs = rng.below(6).saturating_sub(2);
    Metadata::from_pairs((0..n_pairs).map(|_| (text(rng), text(rng))).collect())
}

#[test]
fn schemas_mean_what_the_generated_code_writes() {
    let none = Metadata::new();
    let fields: Vec<Field> =
        all_types().into_iter().map(|(name, data_type)| Field::new(name, data_type)).collect();
    for field in &fields {
        compare(&Schema::new([field.clone()]).into(), &none, field.name());
    }
    compare(&Schema::new(fields).into(), &none, "all types");
    compare(&Schema::new([]).into(), &none, "no fields");
    let hunt = Hunt::from_env();
    let rng = &mut hunt.rng(53);
    for case in 0..hunt.count(300, 30_000) {
        let mut fields: Vec<Field> = (0..rng.below(12)).map(|_| random_field(rng, 0)).collect();
        for field in &mut fields {
            if rng.one_in(4) {
                *field = field.clone().with_metadata(random_metadata(rng));
            }
        }
        let features = [Feature::Unused, Feature::DictionaryReplacement, Feature::CompressedBody];
        let schema = IpcSchema::from(Schema::new(fields).with_metadata(random_metadata(rng)))
            .with_version(*rng.pick(&[MetadataVersion::V4, MetadataVersion::V5]))
            .with_endianness(*rng.pick(&[Endianness::Little, Endianness::Big]))
            .with_features(features[..rng.below(4)].to_vec());
        let metadata = random_metadata(rng);
        compare(&schema, &metadata, &format!("case {case}"));
        compare_footer(&schema, &metadata, &format!("case {case}"));
    }
}

#[test]
fn what_fields_share_is_written_once() {
    let none = Metadata::new();
    let types = [
        DataType::Int64,
        DataType::Utf8,
        DataType::Date32,
        DataType::list(Field::new("item", DataType::Float64)),
    ];
    let columns = |n: usize| -> IpcSchema {
        let field = |idx: usize| Field::new(format!("{idx:07}"), types[idx % 4].clone());
        Schema::new((0..n).map(field).collect::<Vec<_>>()).into()
    };
    let [few, many] = [400, 4_400].map(|n| written(&columns(n), &none).len());
    // A reference, a table and a name of 12 bytes each. Lists also have the list of one child, its table, and "item".
    let (n_lists, n_field_bytes) = (1_000, 4 + 20 + 12);
    assert!(many - few <= 4_000 * n_field_bytes + n_lists * (4 + n_field_bytes) + 64, "{}", many - few);
    // If all types differ, only a few are searched.
    let sizes = |n_bytes: u32| DataType::FixedSizeBinary(FixedSize::new(n_bytes).unwrap());
    let differ: Vec<Field> = (0..1_000).map(|n_bytes| Field::new("", sizes(n_bytes))).collect();
    compare(&Schema::new(differ).into(), &none, "sizes");
    // The length is about that of the generated code, which also shares vtables, leaves out defaults, and here has no padding.
    let dictionary = DataType::dictionary(IndexType::UInt16, DataType::Utf8).unwrap();
    for (data_type, n_more) in
        [(DataType::Int8, 0), (DataType::list(Field::new("item", DataType::Utf8)), 0), (dictionary, 4)]
    {
        let fields = (0..100).map(|_| Field::new("a name", data_type.clone()));
        let schema: IpcSchema = fields.collect::<Schema>().into();
        let (by_hand, generated) = compare(&schema, &none, "one type");
        assert!(by_hand <= generated + 100 * n_more + 128, "{data_type}: {by_hand}, generated {generated}");
    }
}
