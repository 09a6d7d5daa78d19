//! Walks the flatbuffers of a schema, with a limit on depth and a budget on what they unfold to: parts of a
//! flatbuffer may be shared, so a small one can describe a tree without end.

use std::sync::Arc;

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, FieldPath, IndexType, Nullability, Schema,
};

use super::{data_type::decode_type, metadata::decode_metadata};
use crate::{
    error::{Context, IpcError, IpcErrorKind, Result, Unsupported},
    ipc_schema::{Endianness, IpcSchema},
    limits::{Budget, Limits},
    message::required,
};

/// Types deeper than this are refused whatever the limits say, since walking them takes stack.
const MAX_DEPTH: usize = 512;

/// Reads a schema, with its dictionary ids. The version is that of the message around it.
pub(crate) fn decode_schema(schema: fb::SchemaRef<'_>, limits: &Limits, budget: Budget) -> Result<IpcSchema> {
    let endianness = match schema.endianness()? {
        fb::Endianness::Little => Endianness::Little,
        fb::Endianness::Big => Endianness::Big,
    };
    check_features(schema)?;
    let mut decoder = Decoder { limits, budget, n_fields: 0, dictionary_ids: Vec::new() };
    let fields = decoder.fields(schema.fields()?, &FieldPath::root(), 0)?;
    let metadata = decode_metadata(schema.custom_metadata()?, &mut decoder.budget)?;
    let schema = Schema::new(fields).with_metadata(metadata);
    Ok(IpcSchema::with_dictionary_ids(schema, decoder.dictionary_ids)?.with_endianness(endianness))
}

fn check_features(schema: fb::SchemaRef<'_>) -> Result<()> {
    for feature in schema.features()?.into_iter().flatten() {
        match feature {
            Ok(fb::Feature::Unused | fb::Feature::DictionaryReplacement | fb::Feature::CompressedBody) => {}
            Err(unknown) => {
                let found = i64::try_from(unknown.error_kind.tag).unwrap_or(i64::MAX);
                return Err(IpcErrorKind::Unsupported { what: Unsupported::Feature { found } }.into());
            }
        }
    }
    Ok(())
}

struct Decoder<'a> {
    limits: &'a Limits,
    budget: Budget,
    n_fields: u64,
    dictionary_ids: Vec<i64>,
}

type Fields<'a> = Option<planus::Vector<'a, planus::Result<fb::FieldRef<'a>>>>;

impl Decoder<'_> {
    fn fields(&mut self, fields: Fields<'_>, path: &FieldPath, depth: usize) -> Result<Arc<[Field]>> {
        let Some(fields) = fields else { return Ok(Arc::new([])) };
        let limit = self.limits.max_depth.min(MAX_DEPTH);
        if depth >= limit && !fields.is_empty() {
            return Err(IpcError::from(IpcErrorKind::TooDeep { limit })).in_field(|| path.clone());
        }
        let mut decoded = Vec::new();
        for (position, field) in fields.iter().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            decoded.push(self.field(field?, path, (position, depth))?);
        }
        Ok(decoded.into())
    }

    fn field(&mut self, field: fb::FieldRef<'_>, path: &FieldPath, at: (u32, usize)) -> Result<Field> {
        const FIELD_BYTES: u64 = 128;
        let (position, depth) = at;
        let name: Arc<str> = field.name()?.unwrap_or_default().into();
        self.n_fields += 1;
        Limits::check("the number of fields", self.n_fields, self.limits.max_fields)?;
        self.budget.spend("the schema", FIELD_BYTES + name.len() as u64)?;
        let path = path.clone().child(position, Arc::clone(&name));
        let data_type = self.data_type(field, &path, depth).in_field(|| path.clone())?;
        let nullability = if field.nullable()? { Nullability::Nullable } else { Nullability::Required };
        let metadata = decode_metadata(field.custom_metadata()?, &mut self.budget)?;
        Ok(Field::new(name, data_type).with_nullability(nullability).with_metadata(metadata))
    }

    fn data_type(&mut self, field: fb::FieldRef<'_>, path: &FieldPath, depth: usize) -> Result<DataType> {
        let dictionary = match field.dictionary()? {
            Some(dictionary) => {
                // The id comes before those of dictionaries inside the values: pre-order.
                self.dictionary_ids.push(dictionary.id()?);
                Some(decode_dictionary(dictionary)?)
            }
            None => None,
        };
        let children = self.fields(field.children()?, path, depth + 1)?;
        let value = decode_type(required(field.type_()?, "the type")?, children)?;
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
