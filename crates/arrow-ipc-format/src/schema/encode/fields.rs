//! Writes lists of fields, and the table and name of each field.

use crate::tables as fb;
use arrow_schema::{DictionaryType, Field, Nullability, encode_text};

use super::shared::{FieldForm, SharedParts};
use crate::{
    error::{FormatError, Result},
    flatbuffer::{TableLayout, back, distance, n_text_bytes, put, word},
    schema::metadata::n_metadata_bytes,
};

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct FieldLengths {
    /// The bytes that [`FieldWriter`] writes for the lists.
    pub(super) n_field_bytes: u64,
    /// The length of all names and metadata.
    pub(super) n_text_bytes: u64,
}

/// The length of a reference, and of the length field of a list.
const WORD_BYTES: usize = 4;

impl FieldLengths {
    pub(super) fn from_fields(fields: &[Field]) -> FieldLengths {
        let mut lengths = FieldLengths::default();
        lengths.add(fields);
        lengths
    }

    fn add(&mut self, fields: &[Field]) {
        if fields.is_empty() {
            return;
        }
        let mut n_bytes = WORD_BYTES as u64;
        for field in fields {
            let n_name_bytes = n_text_bytes(&encode_text(field.name()));
            let n_own_bytes = WORD_BYTES + FieldForm::from_field(field).n_bytes() + n_name_bytes;
            n_bytes = n_bytes.saturating_add(n_own_bytes as u64);
            let n_own_text_bytes =
                (field.name().len() as u64).saturating_add(n_metadata_bytes(field.metadata()));
            self.n_text_bytes = self.n_text_bytes.saturating_add(n_own_text_bytes);
            self.add(field.data_type().value_type().children());
        }
        self.n_field_bytes = self.n_field_bytes.saturating_add(n_bytes);
    }
}

/// Writes fields into memory that was allocated at once.
pub(super) struct FieldWriter<'a> {
    bytes: &'a mut [u8],
    at: usize,
    shared: &'a mut SharedParts,
    ids: std::slice::Iter<'a, i64>,
    /// The form and layout of the last table. Most tables have the same form.
    last: (FieldForm, TableLayout<7>),
}

impl<'a> FieldWriter<'a> {
    /// `ids` are the dictionary ids in pre-order.
    pub(super) fn new(
        bytes: &'a mut [u8],
        at: usize,
        shared: &'a mut SharedParts,
        ids: &'a [i64],
    ) -> FieldWriter<'a> {
        let form = FieldForm::PLAIN;
        FieldWriter { bytes, at, shared, ids: ids.iter(), last: (form, form.layout()) }
    }

    /// Writes a list, and returns its position. Old readers need a list of children even if it is empty, so all fields
    /// without children share one empty list.
    pub(super) fn list(&mut self, fields: &[Field]) -> Result<usize> {
        if fields.is_empty() {
            return Ok(self.shared.no_fields());
        }
        let list = self.at;
        put(self.bytes, list, word(fields.len()));
        let mut entry = list + WORD_BYTES;
        self.at = entry + WORD_BYTES * fields.len();
        for field in fields {
            put(self.bytes, entry, distance(entry, self.at));
            self.field(field)?;
            entry += WORD_BYTES;
        }
        Ok(list)
    }

    fn field(&mut self, field: &Field) -> Result<()> {
        let table = self.at;
        let form = FieldForm::from_field(field);
        let name = table + form.n_bytes();
        let name_text = encode_text(field.name());
        // In pre-order, the id of a dictionary precedes the ids of dictionaries inside its values.
        let dictionary = field.data_type().as_dictionary();
        let dictionary = dictionary.map(|dictionary| self.dictionary(dictionary)).transpose()?;
        let metadata = self.shared.metadata(field.metadata());
        let value_type = field.data_type().value_type();
        let data_type = self.shared.data_type(value_type);
        self.at = name + n_text_bytes(&name_text);
        let children = self.list(value_type.children())?;
        if form != self.last.0 {
            self.last = (form, form.layout());
        }
        let layout = &self.last.1;
        let mut bytes = [0; FieldForm::MAX_BYTES];
        put(&mut bytes, 0, back(table, self.shared.field_vtable(form)));
        bytes[layout.offset_of(fb::Field::NULLABLE.index)] =
            u8::from(field.nullability() == Nullability::Nullable);
        bytes[layout.offset_of(fb::Field::TYPE_TAG.index)] = data_type.tag as u8;
        let references = [
            (fb::Field::NAME, Some(name)),
            (fb::Field::TYPE, Some(data_type.table)),
            (fb::Field::DICTIONARY, dictionary),
            (fb::Field::CHILDREN, Some(children)),
            (fb::Field::CUSTOM_METADATA, metadata),
        ];
        for (slot, at) in references {
            if let Some(at) = at {
                let offset = layout.offset_of(slot.index);
                put(&mut bytes, offset, distance(table + offset, at));
            }
        }
        self.bytes[table..name].copy_from_slice(&bytes[..form.n_bytes()]);
        put(self.bytes, name, word(name_text.len()));
        let text = name + WORD_BYTES;
        self.bytes[text..text + name_text.len()].copy_from_slice(&name_text);
        Ok(())
    }

    fn dictionary(&mut self, dictionary: &DictionaryType) -> Result<usize> {
        let id = *self.ids.next().ok_or_else(|| FormatError::internal("a dictionary has no id"))?;
        Ok(self.shared.dictionary(id, dictionary))
    }
}
