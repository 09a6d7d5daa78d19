//! Writes the bytes after the fields of a schema: what fields share, dictionaries and metadata.

use std::ops::Range;

use crate::{flatbuffer::FlatbufferWriter, tables as fb};
use arrow_schema::{DataType, DictionaryType, Field, Metadata};

use crate::{
    flatbuffer::{TableLayout, back},
    protocol::Feature,
    schema::{
        data_type::{TypeTable, write_type},
        metadata::write_metadata,
    },
};

/// Which optional fields the table of a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldForm {
    has_dictionary: bool,
    has_metadata: bool,
}

impl FieldForm {
    const N: usize = 4;
    pub(super) const PLAIN: FieldForm = FieldForm { has_dictionary: false, has_metadata: false };
    const PLAIN_BYTES: usize = 20;
    pub(super) const MAX_BYTES: usize = FieldForm::PLAIN_BYTES + 8;

    pub(super) fn from_field(field: &Field) -> FieldForm {
        let has_dictionary = field.data_type().as_dictionary().is_some();
        FieldForm { has_dictionary, has_metadata: !field.metadata().is_empty() }
    }

    fn idx(self) -> usize {
        usize::from(self.has_dictionary) + 2 * usize::from(self.has_metadata)
    }

    pub(super) fn n_bytes(self) -> usize {
        FieldForm::PLAIN_BYTES + 4 * (usize::from(self.has_dictionary) + usize::from(self.has_metadata))
    }

    /// The layout of the table: name, nullable, tag of the type, type, dictionary, children, custom metadata.
    pub(super) fn layout(self) -> TableLayout<7> {
        let width = |is_there: bool| 4 * u16::from(is_there);
        TableLayout::new([4, 1, 1, 4, width(self.has_dictionary), 4, width(self.has_metadata)])
    }
}

/// The end of a flatbuffer, to which bytes are appended.
pub(super) struct SharedParts {
    writer: FlatbufferWriter,
    no_fields: Option<usize>,
    field_vtables: [Option<usize>; FieldForm::N],
    dictionary_vtable: Option<usize>,
    /// The tables of index types. Their vtable is written last.
    indices: Vec<usize>,
    /// The last types that were written, which fields with the same type refer to.
    types: Vec<EncodedType>,
}

/// A written type.
struct EncodedType {
    /// The type, if it has no children. Types with children are compared by their bytes.
    leaf: Option<DataType>,
    bytes: Range<usize>,
    at: TypeTable,
}

/// The number of types in `types`. Wide schemas alternate between a few types.
const MAX_KNOWN_TYPES: usize = 16;

/// The bytes that the types and vtables of most schemas need.
const N_LIKELY_BYTES: usize = 512;

/// The layout of an index type: bit width, and whether it is signed.
fn index_layout() -> TableLayout<2> {
    TableLayout::new([4, 1])
}

impl SharedParts {
    /// `start` is a multiple of four.
    pub(super) fn starting_at(start: usize) -> SharedParts {
        SharedParts {
            writer: FlatbufferWriter::new_at(start),
            no_fields: None,
            field_vtables: [None; FieldForm::N],
            dictionary_vtable: None,
            indices: Vec::new(),
            types: Vec::new(),
        }
    }

    pub(super) fn start(&self) -> usize {
        self.writer.start()
    }

    /// The likely final length, with padding, types and vtables.
    pub(super) fn n_likely_bytes(&self) -> usize {
        self.writer.bytes().len() + N_LIKELY_BYTES
    }

    /// The position of the empty list of fields, which is written once.
    pub(super) fn no_fields(&mut self) -> usize {
        if let Some(at) = self.no_fields {
            return at;
        }
        let at = self.writer.zeros(4, 0, 4);
        self.no_fields = Some(at);
        at
    }

    pub(super) fn field_vtable(&mut self, form: FieldForm) -> usize {
        if let Some(at) = self.field_vtables[form.idx()] {
            return at;
        }
        let at = self.writer.vtable(&form.layout());
        self.field_vtables[form.idx()] = Some(at);
        at
    }

    /// Writes the type of a field without its children, unless it was written before.
    pub(super) fn data_type(&mut self, data_type: &DataType) -> TypeTable {
        if let Some(known) = self.types.iter().rev().find(|known| known.leaf.as_ref() == Some(data_type)) {
            return known.at;
        }
        if self.types.is_empty() {
            self.writer.reserve(N_LIKELY_BYTES);
        }
        let start = self.writer.zeros(0, 0, 4);
        let at = write_type(&mut self.writer, data_type);
        let written = self.writer.bytes_from(start);
        let same = |known: &&EncodedType| {
            known.at.tag == at.tag && self.writer.bytes().get(known.bytes.clone()) == Some(written)
        };
        if let Some(known) = self.types.iter().rev().find(same) {
            let at = known.at;
            self.writer.truncate(start);
            return at;
        }
        if self.types.len() == MAX_KNOWN_TYPES {
            self.types.remove(0);
        }
        let leaf = Some(data_type).filter(|data_type| data_type.children().is_empty()).cloned();
        let bytes = start - self.writer.start()..self.writer.bytes().len();
        self.types.push(EncodedType { leaf, bytes, at });
        at
    }

    /// Writes the dictionary encoding of a field: id, index type, and whether values are ordered. The index type
    /// directly follows the table. Its vtable is written last.
    pub(super) fn dictionary(&mut self, id: i64, dictionary: &DictionaryType) -> usize {
        // The lengths of the fields: id, index type, order. The kind of the dictionary is absent, which means
        // `DenseArray`.
        let layout = TableLayout::new([8, 4, 1]);
        let index_layout = index_layout();
        let vtable = match self.dictionary_vtable {
            Some(vtable) => vtable,
            None => self.writer.vtable(&layout),
        };
        self.dictionary_vtable = Some(vtable);
        let table = self.writer.zeros(layout.n_table_bytes() + index_layout.n_table_bytes(), 4, 8);
        let index = table + layout.n_table_bytes();
        self.writer.put(table, back(table, vtable));
        self.writer.put(table + layout.offset_of(fb::DictionaryEncoding::ID.index), id.to_le_bytes());
        self.writer.refer(table + layout.offset_of(fb::DictionaryEncoding::INDEX_TYPE.index), index);
        self.writer.put(
            table + layout.offset_of(fb::DictionaryEncoding::IS_ORDERED.index),
            [u8::from(dictionary.is_ordered())],
        );
        self.writer.put(
            index + index_layout.offset_of(fb::Int::BIT_WIDTH.index),
            dictionary.index().n_bits().to_le_bytes(),
        );
        self.writer.put(
            index + index_layout.offset_of(fb::Int::IS_SIGNED.index),
            [u8::from(dictionary.index().is_signed())],
        );
        self.indices.push(index);
        table
    }

    /// The finished bytes. Nothing can be added later.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let indices = std::mem::take(&mut self.indices);
        if !indices.is_empty() {
            let vtable = self.writer.vtable(&index_layout());
            indices.into_iter().for_each(|index| self.writer.put(index, back(index, vtable)));
        }
        // The bytes that follow may have values of eight bytes.
        self.writer.finish()
    }

    /// Writes the pairs of a `custom_metadata`; `None` if there are none.
    pub(super) fn metadata(&mut self, metadata: &Metadata) -> Option<usize> {
        write_metadata(&mut self.writer, metadata)
    }

    /// Writes the list of features; `None` if there are none.
    pub(super) fn features(&mut self, features: &[Feature]) -> Option<usize> {
        if features.is_empty() {
            return None;
        }
        let number = |feature: &Feature| {
            let feature = match feature {
                Feature::Unused => fb::Feature::Unused,
                Feature::DictionaryReplacement => fb::Feature::DictionaryReplacement,
                Feature::CompressedBody => fb::Feature::CompressedBody,
            };
            (feature as i64).to_le_bytes()
        };
        Some(self.writer.vector(&features.iter().map(number).collect::<Vec<_>>()))
    }

    /// Writes the blocks of a footer, which are encoded already.
    pub(super) fn blocks(&mut self, blocks: &[[u8; 24]]) -> usize {
        self.writer.vector(blocks)
    }
}
