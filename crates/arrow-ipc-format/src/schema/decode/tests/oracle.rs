//! Reads a schema field by field, and shares nothing between fields.

use std::sync::Arc;

use crate::{flatbuffer::Tables, tables as fb};
use arrow_buffer::Budget;
use arrow_schema::{DataType, DictionaryType, Field, FieldPath, Nullability, Schema};

use super::super::{
    DICTIONARY_BYTES, FIELD_BYTES, LIST_BYTES, decode_dictionary, decode_features, names::BYTES_PER_BYTE,
};
use crate::{
    error::{FormatError, FormatErrorKind, Result, UnsupportedPart, required},
    limits::Limits,
    protocol::Endianness,
    schema::{IpcSchema, UnsupportedColumn, data_type::decode_type, metadata::decode_metadata},
};

/// Does the same as the function under test.
pub(super) fn decode_schema(
    schema: fb::Schema<'_>,
    limits: &Limits,
    mut budget: Budget,
) -> Result<IpcSchema> {
    let endianness = match schema.endianness()? {
        fb::Endianness::Little => Endianness::Little,
        fb::Endianness::Big => Endianness::Big,
    };
    let features = decode_features(schema, &mut budget)?;
    let mut decoder = Decoder {
        limits,
        budget,
        n_fields: 0,
        dictionary_ids: Vec::new(),
        n_nodes: 0,
        n_dictionaries_around: 0,
        unknown_type: None,
    };
    let (fields, unsupported) = decoder.columns(schema.fields()?)?;
    let metadata = decode_metadata(schema.custom_metadata()?, &mut decoder.budget)?;
    let schema = Schema::new(fields).with_metadata(metadata);
    let schema = IpcSchema::try_with_dictionary_ids(schema, decoder.dictionary_ids)?;
    Ok(schema.with_endianness(endianness).with_features(features).with_unsupported(unsupported))
}

struct Decoder<'a> {
    limits: &'a Limits,
    budget: Budget,
    n_fields: u64,
    dictionary_ids: Vec<i64>,
    /// The number of fields so far that have a node in record batches. Fields inside dictionaries have none.
    n_nodes: u64,
    n_dictionaries_around: usize,
    /// The first unknown type in the current column.
    unknown_type: Option<(FieldPath, UnsupportedPart)>,
}

type Fields<'a> = Option<Tables<'a, fb::Field<'a>>>;

/// The path to a field, as a linked list. It becomes a `FieldPath` only for an error.
#[derive(Clone, Copy)]
struct PathStack<'a> {
    parent: Option<&'a PathStack<'a>>,
    depth: usize,
    position: usize,
    name: &'a Arc<str>,
}

impl PathStack<'_> {
    fn path(&self) -> FieldPath {
        let parent = self.parent.map_or_else(FieldPath::root, PathStack::path);
        parent.child(u32::try_from(self.position).unwrap_or(u32::MAX), Arc::clone(self.name))
    }
}

impl Decoder<'_> {
    /// The top-level fields, and the unsupported columns.
    fn columns(&mut self, fields: Fields<'_>) -> Result<(Arc<[Field]>, Vec<UnsupportedColumn>)> {
        let Some(fields) = fields else { return Ok((Arc::default(), Vec::new())) };
        self.charge(fields.len(), None)?;
        let mut decoded = Vec::with_capacity(fields.len());
        let mut unsupported = Vec::new();
        for (position, field) in fields.iter().enumerate() {
            let n_ids = self.dictionary_ids.len();
            let n_nodes = self.n_nodes;
            decoded.extend(self.field(field?, None, position)?);
            if let Some((path, what)) = self.unknown_type.take() {
                unsupported.push(UnsupportedColumn {
                    position,
                    path,
                    what,
                    n_nodes: self.n_nodes.saturating_sub(n_nodes),
                    n_before: decoded.len(),
                    dictionary_ids: self.dictionary_ids.split_off(n_ids),
                });
            }
        }
        Ok((decoded.into(), unsupported))
    }

    /// Checks that `n_fields` more fields are allowed.
    fn charge(&mut self, n_fields: usize, parent: Option<&PathStack<'_>>) -> Result<()> {
        let limit = self.limits.max_depth;
        if parent.is_some_and(|parent| parent.depth >= limit) {
            return Err(FormatErrorKind::TooDeep { limit }.into());
        }
        self.n_fields = self.n_fields.saturating_add(n_fields as u64);
        self.limits.check_fields(self.n_fields)?;
        self.budget.spend("bytes of decoded schema", n_fields as u64 * FIELD_BYTES + LIST_BYTES)?;
        Ok(())
    }

    /// Reads the children of a field, all of them even after an unknown type.
    fn children(&mut self, fields: Fields<'_>, parent: &PathStack<'_>) -> Result<Arc<[Field]>> {
        // The empty list is shared, and nearly all fields have it.
        let Some(fields) = fields.filter(|fields| !fields.is_empty()) else { return Ok(Arc::default()) };
        self.charge(fields.len(), Some(parent))?;
        let mut decoded = Vec::with_capacity(fields.len());
        for (position, field) in fields.iter().enumerate() {
            decoded.extend(self.field(field?, Some(parent), position)?);
        }
        Ok(decoded.into())
    }

    /// A field; `None` if its type, or a type inside it, is unknown.
    fn field(
        &mut self,
        field: fb::Field<'_>,
        parent: Option<&PathStack<'_>>,
        position: usize,
    ) -> Result<Option<Field>> {
        let name: Arc<str> = field.name()?.unwrap_or_default().into();
        self.budget.spend("bytes of decoded schema", name.len() as u64 * BYTES_PER_BYTE)?;
        let depth = parent.map_or(1, |parent| parent.depth + 1);
        let trail = PathStack { parent, depth, position, name: &name };
        if self.n_dictionaries_around == 0 {
            self.n_nodes = self.n_nodes.saturating_add(1);
        }
        let data_type = self.data_type(field, &trail).map_err(|error| error.in_field(&|| trail.path()))?;
        let nullability = if field.nullable()? { Nullability::Nullable } else { Nullability::Required };
        let metadata = decode_metadata(field.custom_metadata()?, &mut self.budget)?;
        let Some(data_type) = data_type else { return Ok(None) };
        Ok(Some(Field::new(name, data_type).with_nullability(nullability).with_metadata(metadata)))
    }

    fn data_type(&mut self, field: fb::Field<'_>, trail: &PathStack<'_>) -> Result<Option<DataType>> {
        let dictionary = match field.dictionary()? {
            Some(dictionary) => {
                self.budget.spend("bytes of decoded schema", DICTIONARY_BYTES)?;
                // In pre-order, the id of a dictionary precedes the ids of dictionaries inside its values.
                self.dictionary_ids.push(dictionary.id()?);
                Some(decode_dictionary(dictionary)?)
            }
            None => None,
        };
        let n_dictionaries_around = self.n_dictionaries_around;
        self.n_dictionaries_around += usize::from(dictionary.is_some());
        let children = self.children(field.children()?, trail)?;
        self.n_dictionaries_around = n_dictionaries_around;
        let value = match known_type(field)? {
            // A [`DataType`] cannot contain an unknown type.
            Ok(_) if self.unknown_type.is_some() => return Ok(None),
            Ok(known) => decode_type(known, children.into(), &mut self.budget)?,
            Err(unknown) => {
                self.unknown_type.get_or_insert_with(|| (trail.path(), unknown));
                return Ok(None);
            }
        };
        Ok(Some(match dictionary {
            Some((index, order)) => {
                DataType::Dictionary(Arc::new(DictionaryType::try_new(index, value, order)?))
            }
            None => value,
        }))
    }
}

/// The type of a field, or the number of an unknown type.
fn known_type(field: fb::Field<'_>) -> Result<std::result::Result<fb::Type<'_>, UnsupportedPart>> {
    match field.type_() {
        Ok(Some(fb::Type::Int(int))) if int.bit_width()? == 128 => {
            Ok(Err(UnsupportedPart::WideInteger { is_signed: int.is_signed()? }))
        }
        Ok(found) => Ok(Ok(required(found, "the type")?)),
        Err(error) => {
            let error = FormatError::from(error);
            if let FormatErrorKind::Unsupported { what: what @ UnsupportedPart::TypeTag { .. } } =
                error.kind()
            {
                required(field.0.target(&fb::Field::TYPE)?, "the type")?;
                return Ok(Err(what.clone()));
            }
            Err(error)
        }
    }
}
