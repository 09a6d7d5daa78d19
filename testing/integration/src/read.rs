//! Converts JSON to arrays.

mod bytes;
mod dictionaries;
mod numbers;
mod slots;
mod views;

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, Role, layout};
use arrow_schema::DataType;

use self::{dictionaries::Dictionaries, slots::Slots};
use crate::{
    error::{DocumentErrorKind as Kind, Result},
    json::{Json, Object},
    schema::Node,
    types::{Notation, notation},
};

/// The greatest number of bytes for the nulls of a document. A null is a few bytes of text, but may take gigabytes of
/// memory.
const MAX_NULL_BYTES: u64 = 256 << 20;

/// Reads the columns of one document.
pub(crate) struct ColumnReader<'a> {
    dictionaries: Dictionaries<'a>,
    n_null_bytes: u64,
}

impl<'a> ColumnReader<'a> {
    /// A reader of columns with these fields. The document has their dictionaries in this member.
    ///
    /// # Errors
    /// If two dictionaries have the same id, or if fields of different types share a dictionary.
    pub(crate) fn try_new(
        fields: &'a [Node<'a>],
        dictionaries: Option<Json<'a>>,
    ) -> Result<ColumnReader<'a>> {
        Ok(ColumnReader { dictionaries: Dictionaries::try_new(fields, dictionaries)?, n_null_bytes: 0 })
    }

    /// The column of a field.
    pub(crate) fn column(&mut self, node: &'a Node<'a>, json: Json<'a>) -> Result<ArrayData> {
        let object = json.object()?;
        let mut parts = self.parts(node.field.data_type(), &object)?;
        match node.id {
            Some(id) => parts.dictionary = Some(self.dictionary(id)?),
            None => parts.children = self.children(&node.children, &object)?,
        }
        Ok(ArrayData::try_new(parts)?)
    }

    /// The values of the dictionary with this id. They are read and validated once.
    fn dictionary(&mut self, id: i64) -> Result<Arc<ArrayData>> {
        if let Some(values) = self.dictionaries.known(id) {
            return Ok(values);
        }
        let (node, json) = self.dictionaries.source(id)?;
        let values = self.dictionary_values(node, json);
        let values = values.map_err(|error| self.dictionaries.locate(id, error))?;
        Ok(self.dictionaries.keep(id, values))
    }

    fn dictionary_values(&mut self, node: &'a Node<'a>, json: Json<'a>) -> Result<ArrayData> {
        let object = json.object()?;
        let mut parts = self.parts(node.field.data_type().value_type(), &object)?;
        parts.children = self.children(&node.children, &object)?;
        Ok(ArrayData::try_new(parts)?.validate(arrow_data::Validation::Content)?)
    }

    fn children(&mut self, nodes: &'a [Node<'a>], object: &Object<'a>) -> Result<Option<Arc<[ArrayData]>>> {
        if nodes.is_empty() {
            return Ok(None);
        }
        let arrays = object.read("children", Json::array)?;
        if arrays.len() != nodes.len() {
            let (expected, found) = (nodes.len() as u64, arrays.len() as u64);
            return Err(Kind::Length { expected, found })
                .map_err(|kind| crate::DocumentError::from(kind).in_member("children"));
        }
        let mut children = Vec::with_capacity(nodes.len());
        for (idx, (node, json)) in nodes.iter().zip(arrays).enumerate() {
            let child = self.column(node, json);
            children.push(child.map_err(|error| error.in_item(idx).in_member("children"))?);
        }
        Ok(Some(children.into()))
    }

    /// Reads the buffers of an array, as the table of layouts lists them.
    #[inline(never)]
    fn parts(&mut self, data_type: &DataType, object: &Object<'a>) -> Result<ArrayParts> {
        let layout = layout(data_type);
        let n_slots = object.read("count", |json| json.number("a number of slots"))?;
        let mut parts = ArrayParts::new(data_type.clone(), n_slots);
        let slots = if layout.has_validity() { Slots::read(object, n_slots)? } else { Slots::all(n_slots) };
        let specs = layout.data_buffers();
        let has_bytes = specs.iter().any(|spec| spec.role == Role::Bytes);
        for (k, spec) in specs.iter().enumerate() {
            let buffer = match spec.role {
                Role::Values if notation(data_type) == Notation::Hex => {
                    self.count_nulls(&slots, spec.element_bytes())?;
                    bytes::read_fixed(object, &slots, spec.element_bytes())?
                }
                Role::Values => numbers::read_values(object, &slots, notation(data_type))?,
                Role::Offsets if has_bytes => continue,
                Role::Bytes => {
                    parts.buffers = bytes::read_variable(object, &slots, specs[0].bits, notation(data_type))?;
                    continue;
                }
                Role::Offsets => numbers::read_integers(object, "OFFSET", &slots, spec)?,
                Role::Sizes => numbers::read_integers(object, "SIZE", &slots, spec)?,
                Role::TypeIds => numbers::read_integers(object, "TYPE_ID", &slots, spec)?,
                Role::Views => {
                    let (views, data) = views::read_views(object, &slots, notation(data_type))?;
                    parts.variadic = Some(data.into());
                    views
                }
                Role::Validity | Role::Variadic => Buffer::new(),
            };
            parts.buffers[k] = buffer;
        }
        parts.validity = slots.into_validity();
        Ok(parts)
    }

    /// Charges the memory of nulls among values of a fixed size.
    fn count_nulls(&mut self, slots: &Slots, n_bytes: u64) -> Result<()> {
        let null_count = slots.null_count() as u64;
        self.n_null_bytes = self.n_null_bytes.saturating_add(null_count.saturating_mul(n_bytes));
        if self.n_null_bytes > MAX_NULL_BYTES {
            return Err(Kind::TooLarge { limit: MAX_NULL_BYTES }.into());
        }
        Ok(())
    }
}
