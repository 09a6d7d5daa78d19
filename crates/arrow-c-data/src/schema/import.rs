//! Imports schemas.

use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, IndexType, KeyOrder, Nullability, PathStep, Schema,
};

use super::{ArrowSchema, FLAG_DICTIONARY_ORDERED, FLAG_MAP_KEYS_SORTED, FLAG_NULLABLE, StringMember};
use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::CStructure;
use crate::{format, metadata};

/// The greatest depth of types. The limit also stops at a cycle of structures.
const MAX_DEPTH: usize = 64;

/// The number of fields that a schema may have by default. A structure to which several structures point counts several times.
pub(crate) const MAX_FIELDS: u64 = 1_000_000;

/// Reads a structure as a schema of at most `max_fields` fields.
pub(super) fn to_schema(schema: &ArrowSchema, max_fields: u64) -> Result<Schema, CDataError> {
    let mut walk = SchemaWalk::new(max_fields);
    // The schema itself is no field, and does not count as a level: its fields are the first level.
    let data_type = walk.data_type(schema, 0)?;
    let Some(fields) = data_type.as_struct() else {
        return Err(Kind::NotAStruct { found: data_type }.into());
    };
    Ok(Schema::new(fields.to_vec()).with_metadata(schema.metadata(&mut walk.n_text_bytes)?))
}

/// The number of fields and bytes of one schema that have been read, and how many fields it may have.
pub(super) struct SchemaWalk {
    max_fields: u64,
    n_fields: u64,
    /// The bytes of names, formats and metadata. A text to which several structures point counts several times.
    n_text_bytes: u64,
}

impl SchemaWalk {
    pub(super) fn new(max_fields: u64) -> SchemaWalk {
        SchemaWalk { max_fields, n_fields: 0, n_text_bytes: 0 }
    }

    pub(super) fn field(&mut self, schema: &ArrowSchema, depth: usize) -> Result<Field, CDataError> {
        // As in the messages of IPC, the values of a dictionary are no field of their own. Each field has at most one dictionary.
        self.n_fields = self.n_fields.saturating_add(1);
        if self.n_fields > self.max_fields {
            return Err(Kind::TooManyFields { limit: self.max_fields }.into());
        }
        let data_type = self.data_type(schema, depth)?;
        let name = metadata::text_of(self.text(schema, StringMember::Name)?.unwrap_or_default());
        let nullability = Nullability::from(schema.flags & FLAG_NULLABLE != 0);
        let metadata = schema.metadata(&mut self.n_text_bytes)?;
        Ok(Field::new(name, data_type).with_nullability(nullability).with_metadata(metadata))
    }

    fn text<'a>(&mut self, schema: &'a ArrowSchema, text: StringMember) -> Result<Option<&'a [u8]>, Kind> {
        let text = schema.text(text)?;
        metadata::charge(&mut self.n_text_bytes, text.map_or(0, <[u8]>::len))?;
        Ok(text)
    }

    pub(super) fn data_type(&mut self, schema: &ArrowSchema, depth: usize) -> Result<DataType, CDataError> {
        schema.check_not_released()?;
        if depth > MAX_DEPTH {
            return Err(Kind::TooDeep { limit: MAX_DEPTH }.into());
        }
        let null = Kind::NullMember { structure: Structure::ArrowSchema, member: "format" };
        let format = std::str::from_utf8(self.text(schema, StringMember::Format)?.ok_or(null)?)
            .map_err(|error| Kind::NotUtf8 { member: "format", valid_up_to: error.valid_up_to() })?;
        let children = self.children(schema, depth)?;
        let key_order = match schema.flags & FLAG_MAP_KEYS_SORTED {
            0 => KeyOrder::Unsorted,
            _ => KeyOrder::Sorted,
        };
        let data_type = format::type_of(format, children, key_order)?;
        match schema.dictionary().map_err(|error| error.below(PathStep::Dictionary))? {
            None => Ok(data_type),
            Some(dictionary) => {
                let value = self
                    .dictionary_values(dictionary, depth)
                    .map_err(|error| error.below(PathStep::Dictionary))?;
                let index = IndexType::try_from(&data_type)?;
                let order = match schema.flags & FLAG_DICTIONARY_ORDERED {
                    0 => DictionaryOrder::Unordered,
                    _ => DictionaryOrder::Ordered,
                };
                Ok(DictionaryType::try_new(index, value, order)?.into())
            }
        }
    }

    /// The type of the values of a dictionary. The dictionary does not count as a level.
    fn dictionary_values(&mut self, values: &ArrowSchema, depth: usize) -> Result<DataType, CDataError> {
        // This is checked before the recursion, which does not increase the depth: dictionaries of dictionaries may
        // form a cycle.
        if values.dictionary()?.is_some() {
            return Err(Kind::DictionaryOfDictionary.into());
        }
        self.data_type(values, depth)
    }

    fn children(&mut self, schema: &ArrowSchema, depth: usize) -> Result<Vec<Field>, CDataError> {
        let found = schema.n_children;
        let n_children =
            usize::try_from(found).map_err(|_| Kind::Negative { member: "n_children", found })?;
        let mut fields = Vec::new();
        for position in 0..n_children {
            let child = schema.child(position).map_err(|error| error.in_child(position, ""))?;
            let field = self.field(child, depth.saturating_add(1)).map_err(|error| {
                let name = child.text(StringMember::Name).ok().flatten();
                error.in_child(position, &metadata::text_of(name.unwrap_or_default()))
            })?;
            fields.push(field);
        }
        Ok(fields)
    }
}
