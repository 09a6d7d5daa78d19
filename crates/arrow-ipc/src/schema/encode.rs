//! A schema as flatbuffers, with its dictionary ids. Walks types as deep as they are: that has been checked.

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{DataType, DictionaryType, Field, FieldPath, Schema};
use planus::{Builder, Offset, UnionOffset};

use super::{
    data_type::encode_type,
    metadata::{encode_metadata, n_metadata_bytes},
};
use crate::{
    error::{Context, IpcError, IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    limits::Limits,
    protocol::{Endianness, Feature},
};

/// Checks that no type nests deeper than readers go, counted as they do.
///
/// # Errors
/// Names the top-level field.
pub(crate) fn check_depth(schema: &Schema) -> Result<()> {
    let limit = Limits::default().max_depth;
    match schema.fields().iter().enumerate().find(|(_, field)| field.data_type().depth() > limit) {
        None => Ok(()),
        Some((position, field)) => Err(IpcError::from(IpcErrorKind::TooDeep { limit })).in_field(|| {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            FieldPath::root().child(position, field.to_shared_name())
        }),
    }
}

/// Writes a schema. Its ids are taken in pre-order, as they are listed.
///
/// # Errors
/// An internal error if there are more dictionaries than ids: `IpcSchema` has compared the numbers.
pub(crate) fn encode_schema(builder: &mut Builder, schema: &IpcSchema) -> Result<Offset<fb::Schema>> {
    let endianness = match schema.endianness() {
        Endianness::Little => fb::Endianness::Little,
        Endianness::Big => fb::Endianness::Big,
    };
    let mut encoder = Encoder {
        // Old readers need the list of children also where it is empty; all leaves share one.
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

/// Room for a schema, so that a builder need not grow often.
pub(crate) fn n_likely_schema_bytes(schema: &IpcSchema) -> usize {
    const BASE_BYTES: usize = 1 << 10;
    const FIELD_BYTES: usize = 64;
    schema.schema().fields().len().saturating_mul(FIELD_BYTES).saturating_add(BASE_BYTES)
}

struct Encoder<'a, 'b> {
    builder: &'b mut Builder,
    ids: std::slice::Iter<'a, i64>,
    no_children: Offset<[Offset<fb::Field>]>,
    /// Neighbours of one type share its table, which makes the schema of a wide table half as large.
    last_leaf: Option<(&'a DataType, UnionOffset<fb::Type>)>,
}

impl<'a> Encoder<'a, '_> {
    fn fields(&mut self, fields: &'a [Field]) -> Result<Offset<[Offset<fb::Field>]>> {
        if fields.is_empty() {
            return Ok(self.no_children);
        }
        let fields = fields.iter().map(|field| self.field(field)).collect::<Result<Vec<_>>>()?;
        Ok(self.builder.create_vector(fields.as_slice()))
    }

    fn field(&mut self, field: &'a Field) -> Result<Offset<fb::Field>> {
        let dictionary = field.data_type().as_dictionary();
        // The id comes before those of dictionaries inside the values: pre-order.
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
        // No wider than 64.
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

/// The bytes of all names and metadata of a schema.
pub(crate) fn n_text_bytes(schema: &Schema) -> u64 {
    let of_field =
        |field: &Field| (field.name().len() as u64).saturating_add(n_metadata_bytes(field.metadata()));
    let fields = schema.fields_in_pre_order().map(of_field);
    fields.fold(n_metadata_bytes(schema.metadata()), u64::saturating_add)
}
