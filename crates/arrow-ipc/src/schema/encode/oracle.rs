//! A schema message by the generated code.

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{DataType, DictionaryType, Field, Metadata};
use planus::{Builder, Offset, UnionOffset};

use crate::{
    error::{IpcError, Result},
    protocol::{Endianness, Feature, MetadataVersion},
    schema::{IpcSchema, data_type::encode_type, metadata::encode_metadata},
};

/// The flatbuffer of a message.
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

/// Writes a schema. Its ids are taken in pre-order, as they are listed.
///
/// # Errors
/// An internal error if there are more dictionaries than ids, since `IpcSchema` has compared the numbers.
fn encode_schema(builder: &mut Builder, schema: &IpcSchema) -> Result<Offset<fb::Schema>> {
    let endianness = match schema.endianness() {
        Endianness::Little => fb::Endianness::Little,
        Endianness::Big => fb::Endianness::Big,
    };
    let mut encoder = GeneratedEncoder {
        // Old readers need the list of children even if it is empty. All leaves share one.
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
    /// Neighbouring fields of one type share its table, which halves the schema of a wide table.
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
        // In pre-order, the id comes before those of dictionaries inside the values.
        let dictionary = dictionary.map(|dictionary| self.dictionary(dictionary)).transpose()?;
        let value_type = field.data_type().value_type();
        let children = self.fields(value_type.children())?;
        let data_type = self.data_type(value_type);
        let metadata = encode_metadata(self.builder, field.metadata());
        let (name, nullable) = (field.name(), field.is_nullable());
        Ok(fb::Field::create(self.builder, name, nullable, data_type, dictionary, children, metadata))
    }

    fn dictionary(&mut self, dictionary: &DictionaryType) -> Result<Offset<fb::DictionaryEncoding>> {
        let id = *self.ids.next().ok_or_else(|| IpcError::internal("a dictionary has no id"))?;
        // The width is at most 64.
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
