//! Compares flatbuffers of this encoder with flatbuffers of the generated code.

use crate::flatbuf as fb;
use arrow_schema::{DataType, Field, FixedSize, IndexType};
use planus::ReadAsRoot;
use testing_support::{Hunt, Rng, all_types, verify_message};

use super::*;
use crate::{
    message::{MessageFormat, MetadataEncoder},
    protocol::{Feature, MetadataVersion},
    schema::decode::tests::random_field,
};

fn written(schema: &IpcSchema, metadata: &Metadata) -> Vec<u8> {
    let format = MessageFormat { version: schema.version(), ..MessageFormat::default() };
    let mut to = BufferMut::new();
    let schema = SchemaPart::try_new(schema).unwrap();
    let n_bytes = MetadataEncoder::new(format).schema(&mut to, &schema, metadata, 0).unwrap();
    assert_eq!((to.len() as u64, to.len() % 64), (n_bytes, 0));
    to[8..].to_vec()
}

fn meaning(bytes: &[u8]) -> fb::Message {
    let message = fb::MessageRef::read_as_root(bytes).expect("a message");
    message.try_into().expect("all of it can be read")
}

/// Compares the two schema messages. Returns the length of ours and of the generated one.
fn compare(schema: &IpcSchema, metadata: &Metadata, name: &str) -> (usize, usize) {
    let by_hand = written(schema, metadata);
    verify_message(&by_hand).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let generated = oracle::encode_message(schema, metadata);
    assert!(meaning(&by_hand) == meaning(&generated), "{name}");
    (by_hand.len(), generated.len())
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
    // Each field has a reference, a table and a name of 12 bytes. Lists also have the list of one child, its table, and "item".
    let (n_lists, n_field_bytes) = (1_000, 4 + 20 + 12);
    assert!(many - few <= 4_000 * n_field_bytes + n_lists * (4 + n_field_bytes) + 64, "{}", many - few);
    // Only a few previous types are compared with each type.
    let sizes = |n_bytes: u32| DataType::FixedSizeBinary(FixedSize::new(n_bytes).unwrap());
    let differ: Vec<Field> = (0..1_000).map(|n_bytes| Field::new("", sizes(n_bytes))).collect();
    compare(&Schema::new(differ).into(), &none, "sizes");
    // The length is about the same as with the generated code, which also shares vtables, but leaves out defaults.
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

/// A schema message by the generated code.
mod oracle {
    use crate::flatbuf as fb;
    use arrow_schema::{DataType, DictionaryType, Field, Metadata};
    use planus::{Builder, Offset, UnionOffset};

    use crate::{
        error::{FormatError, Result},
        protocol::{Endianness, Feature, MetadataVersion},
        schema::{IpcSchema, data_type::encode_type, metadata::encode_metadata},
    };

    pub(super) fn encode_message(schema: &IpcSchema, metadata: &Metadata) -> Vec<u8> {
        let builder = &mut Builder::new();
        let table = encode_schema(builder, schema).unwrap();
        let header = fb::MessageHeader::create_schema(builder, table);
        let metadata = encode_metadata(builder, metadata);
        let version = match schema.version() {
            MetadataVersion::V4 => fb::MetadataVersion::V4,
            MetadataVersion::V5 => fb::MetadataVersion::V5,
        };
        let message = fb::Message::create(builder, version, header, 0i64, metadata);
        builder.finish(message, None).to_vec()
    }

    /// Writes a schema. Its dictionary ids are in the order of a walk in which each field comes before its children.
    ///
    /// # Errors
    /// An internal error if there are more dictionaries than ids, since `IpcSchema` has compared the numbers.
    fn encode_schema(builder: &mut Builder, schema: &IpcSchema) -> Result<Offset<fb::Schema>> {
        let endianness = match schema.endianness() {
            Endianness::Little => fb::Endianness::Little,
            Endianness::Big => fb::Endianness::Big,
        };
        let mut encoder = GeneratedEncoder {
            // Old readers need the list of children even if it is empty. All fields without children share one.
            no_children: builder.create_vector::<Offset<fb::Field>>(&[] as &[Offset<fb::Field>]),
            builder,
            ids: schema.dictionary_ids().iter(),
            last_leaf: None,
        };
        let fields = encoder.fields(schema.schema().fields())?;
        let metadata = encode_metadata(builder, schema.schema().metadata());
        let feature = |feature: &Feature| match feature {
            Feature::Unused => fb::Feature::Unused,
            Feature::DictionaryReplacement => fb::Feature::DictionaryReplacement,
            Feature::CompressedBody => fb::Feature::CompressedBody,
        };
        let features: Vec<fb::Feature> = schema.features().iter().map(feature).collect();
        let features = Some(features.as_slice()).filter(|features| !features.is_empty());
        Ok(fb::Schema::create(builder, endianness, fields, metadata, features))
    }

    struct GeneratedEncoder<'a, 'b> {
        builder: &'b mut Builder,
        ids: std::slice::Iter<'a, i64>,
        no_children: Offset<[Offset<fb::Field>]>,
        /// Consecutive fields of one type share its table, which halves the schema of a wide table.
        last_leaf: Option<(&'a DataType, UnionOffset<fb::Type>)>,
    }

    impl<'a> GeneratedEncoder<'a, '_> {
        fn fields(&mut self, fields: &'a [Field]) -> Result<Offset<[Offset<fb::Field>]>> {
            if fields.is_empty() {
                return Ok(self.no_children);
            }
            let fields = fields.iter().map(|field| self.field(field)).collect::<Result<Vec<_>>>()?;
            Ok(self.builder.create_vector(fields.as_slice()))
        }

        fn field(&mut self, field: &'a Field) -> Result<Offset<fb::Field>> {
            let dictionary = field.data_type().as_dictionary();
            // In pre-order, the id of a dictionary precedes the ids of dictionaries inside its values.
            let dictionary = dictionary.map(|dictionary| self.dictionary(dictionary)).transpose()?;
            let value_type = field.data_type().value_type();
            let children = self.fields(value_type.children())?;
            let data_type = self.data_type(value_type);
            let metadata = encode_metadata(self.builder, field.metadata());
            let (name, nullable) = (field.name(), field.is_nullable());
            Ok(fb::Field::create(self.builder, name, nullable, data_type, dictionary, children, metadata))
        }

        fn dictionary(&mut self, dictionary: &DictionaryType) -> Result<Offset<fb::DictionaryEncoding>> {
            let id = *self.ids.next().ok_or_else(|| FormatError::internal("a dictionary has no id"))?;
            // The cast loses nothing: the width is at most 64.
            let bit_width = dictionary.index().n_bits().cast_signed();
            let index = fb::Int::create(self.builder, bit_width, dictionary.index().is_signed());
            let (ordered, kind) = (dictionary.is_ordered(), fb::DictionaryKind::DenseArray);
            Ok(fb::DictionaryEncoding::create(self.builder, id, index, ordered, kind))
        }

        fn data_type(&mut self, data_type: &'a DataType) -> UnionOffset<fb::Type> {
            match self.last_leaf {
                Some((last, encoded)) if last == data_type => encoded,
                _ => {
                    let encoded = encode_type(self.builder, data_type);
                    if data_type.children().is_empty() {
                        self.last_leaf = Some((data_type, encoded));
                    }
                    encoded
                }
            }
        }
    }
}
