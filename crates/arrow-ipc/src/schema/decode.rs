//! Walks the flatbuffers of a schema, with a limit on depth and a budget on what they unfold to: parts of a
//! flatbuffer may be shared, so a small one can describe a tree without end.

use std::sync::Arc;

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, FieldPath, IndexType, Nullability, Schema,
};

use super::{data_type::decode_type, metadata::decode_metadata};
use crate::{
    error::{Context, IpcErrorKind, Unsupported, WireResult as Result},
    ipc_schema::{Endianness, Feature, IpcSchema},
    limits::{Budget, Limits},
    wire::required,
};

/// Types deeper than this are refused whatever the limits say, since walking them takes stack.
const MAX_DEPTH: usize = 256;

/// What a field is charged, its name and metadata apart.
const FIELD_BYTES: u64 = 128;

/// Reads a schema, with its dictionary ids. The version is that of the message around it.
pub(crate) fn decode_schema(
    schema: fb::SchemaRef<'_>,
    limits: &Limits,
    mut budget: Budget,
) -> Result<IpcSchema> {
    let endianness = match schema.endianness()? {
        fb::Endianness::Little => Endianness::Little,
        fb::Endianness::Big => Endianness::Big,
    };
    let features = decode_features(schema, &mut budget)?;
    let mut decoder = Decoder { limits, budget, n_fields: 0, dictionary_ids: Vec::new() };
    let fields = decoder.fields(schema.fields()?, None)?;
    let metadata = decode_metadata(schema.custom_metadata()?, &mut decoder.budget)?;
    let schema = Schema::new(fields).with_metadata(metadata);
    let schema = IpcSchema::with_dictionary_ids(schema, decoder.dictionary_ids)?;
    Ok(schema.with_endianness(endianness).with_features(features))
}

fn decode_features(schema: fb::SchemaRef<'_>, budget: &mut Budget) -> Result<Vec<Feature>> {
    let Some(features) = schema.features()? else { return Ok(Vec::new()) };
    budget.spend("bytes of decoded schema", features.len() as u64)?;
    let decoded = features.iter().map(|feature| match feature {
        Ok(fb::Feature::Unused) => Ok(Feature::Unused),
        Ok(fb::Feature::DictionaryReplacement) => Ok(Feature::DictionaryReplacement),
        Ok(fb::Feature::CompressedBody) => Ok(Feature::CompressedBody),
        Err(unknown) => {
            let found = i64::try_from(unknown.error_kind.tag).unwrap_or(i64::MAX);
            Err(IpcErrorKind::Unsupported { what: Unsupported::Feature { found } }.into())
        }
    });
    decoded.collect()
}

struct Decoder<'a> {
    limits: &'a Limits,
    budget: Budget,
    n_fields: u64,
    dictionary_ids: Vec<i64>,
}

type Fields<'a> = Option<planus::Vector<'a, planus::Result<fb::FieldRef<'a>>>>;

/// The way to a field; becomes a path only for a message.
#[derive(Clone, Copy)]
struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    depth: usize,
    position: usize,
    name: &'a Arc<str>,
}

impl Trail<'_> {
    fn path(&self) -> FieldPath {
        let parent = self.parent.map_or_else(FieldPath::root, Trail::path);
        parent.child(u32::try_from(self.position).unwrap_or(u32::MAX), Arc::clone(self.name))
    }
}

impl Decoder<'_> {
    fn fields(&mut self, fields: Fields<'_>, parent: Option<&Trail<'_>>) -> Result<Arc<[Field]>> {
        // The empty list is shared, and nearly all fields have it.
        let Some(fields) = fields.filter(|fields| !fields.is_empty()) else { return Ok(Arc::default()) };
        let limit = self.limits.max_depth.min(MAX_DEPTH);
        if parent.is_some_and(|parent| parent.depth >= limit) {
            return Err(IpcErrorKind::TooDeep { limit }.into());
        }
        self.n_fields = self.n_fields.saturating_add(fields.len() as u64);
        Limits::check("fields", self.n_fields, self.limits.max_fields)?;
        self.budget.spend("bytes of decoded schema", (fields.len() as u64).saturating_mul(FIELD_BYTES))?;
        let mut decoded = Vec::with_capacity(fields.len());
        for (position, field) in fields.iter().enumerate() {
            decoded.push(self.field(field?, parent, position)?);
        }
        Ok(decoded.into())
    }

    fn field(
        &mut self,
        field: fb::FieldRef<'_>,
        parent: Option<&Trail<'_>>,
        position: usize,
    ) -> Result<Field> {
        let name: Arc<str> = field.name()?.unwrap_or_default().into();
        self.budget.spend("bytes of decoded schema", name.len() as u64)?;
        let depth = parent.map_or(1, |parent| parent.depth + 1);
        let trail = Trail { parent, depth, position, name: &name };
        let data_type = self.data_type(field, &trail).in_field(|| trail.path())?;
        let nullability = if field.nullable()? { Nullability::Nullable } else { Nullability::Required };
        let metadata = decode_metadata(field.custom_metadata()?, &mut self.budget)?;
        Ok(Field::new(name, data_type).with_nullability(nullability).with_metadata(metadata))
    }

    fn data_type(&mut self, field: fb::FieldRef<'_>, trail: &Trail<'_>) -> Result<DataType> {
        let dictionary = match field.dictionary()? {
            Some(dictionary) => {
                // The id comes before those of dictionaries inside the values: pre-order.
                self.dictionary_ids.push(dictionary.id()?);
                Some(decode_dictionary(dictionary)?)
            }
            None => None,
        };
        let children = self.fields(field.children()?, Some(trail))?;
        let value = decode_type(required(field.type_()?, "the type")?, children, &mut self.budget)?;
        match dictionary {
            Some((index, order)) => {
                Ok(DataType::Dictionary(Arc::new(DictionaryType::new(index, value, order)?)))
            }
            None => Ok(value),
        }
    }
}

fn decode_dictionary(dictionary: fb::DictionaryEncodingRef<'_>) -> Result<(IndexType, DictionaryOrder)> {
    match dictionary.dictionary_kind()? {
        fb::DictionaryKind::DenseArray => {}
    }
    let index = match dictionary.index_type()? {
        None => IndexType::Int32,
        Some(index) => match (index.bit_width()?, index.is_signed()?) {
            (8, true) => IndexType::Int8,
            (16, true) => IndexType::Int16,
            (32, true) => IndexType::Int32,
            (64, true) => IndexType::Int64,
            (8, false) => IndexType::UInt8,
            (16, false) => IndexType::UInt16,
            (32, false) => IndexType::UInt32,
            (64, false) => IndexType::UInt64,
            (found, _) => {
                let (what, found) = ("the bit width of a dictionary index", found.into());
                return Err(IpcErrorKind::OutOfRange { what, found, allowed: "8, 16, 32 and 64" }.into());
            }
        },
    };
    let order = if dictionary.is_ordered()? { DictionaryOrder::Ordered } else { DictionaryOrder::Unordered };
    Ok((index, order))
}
