//! Writes the bytes after the fields of a schema: what fields share, dictionaries and metadata.

use std::ops::Range;

use crate::flatbuf as fb;
use arrow_schema::{DataType, DictionaryType, Field, Metadata};
use planus::Builder;

use crate::{
    error::{FormatError, Result},
    flatbuffer::{TableLayout, back, distance, n_text_bytes, put, word},
    protocol::Feature,
    schema::{data_type::encode_type, field_table::type_of_root},
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

    pub(super) fn of(field: &Field) -> FieldForm {
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
        TableLayout::of([4, 1, 1, 4, width(self.has_dictionary), 4, width(self.has_metadata)])
    }
}

/// The end of a flatbuffer, to which bytes are appended. It begins at the position `start`.
pub(super) struct SharedParts {
    start: usize,
    bytes: Vec<u8>,
    no_fields: Option<usize>,
    field_vtables: [Option<usize>; FieldForm::N],
    dictionary_vtable: Option<usize>,
    /// The tables of index types. Their vtable is written last.
    indices: Vec<usize>,
    /// The last types that were written, which fields with the same type refer to.
    types: Vec<EncodedType>,
    builder: Option<Builder>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TypeAt {
    pub(super) tag: u8,
    pub(super) table: usize,
}

/// A written type: the position of its table, and the bytes that belong to the type.
struct EncodedType {
    /// The type, if it has no children. Types with children are compared by their bytes.
    leaf: Option<DataType>,
    bytes: Range<usize>,
    at: TypeAt,
}

/// The number of types in `types`. Wide schemas alternate between a few types.
const MAX_KNOWN_TYPES: usize = 16;

/// The bytes that the types and vtables of most schemas need.
const N_LIKELY_BYTES: usize = 512;

/// The layout of an index type: bit width, and whether it is signed.
fn index_layout() -> TableLayout<2> {
    TableLayout::of([4, 1])
}

impl SharedParts {
    /// `start` is a multiple of four.
    pub(super) fn starting_at(start: usize) -> SharedParts {
        SharedParts {
            start,
            bytes: Vec::new(),
            no_fields: None,
            field_vtables: [None; FieldForm::N],
            dictionary_vtable: None,
            indices: Vec::new(),
            types: Vec::new(),
            builder: None,
        }
    }

    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The likely final length, with padding, types and vtables.
    pub(super) fn n_likely_bytes(&self) -> usize {
        self.bytes.len() + N_LIKELY_BYTES
    }

    fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    /// Adds zeros up to a multiple of `alignment` plus `after`, then `n_bytes` zeros. Returns the position of the
    /// `n_bytes` zeros.
    fn zeros(&mut self, n_bytes: usize, after: usize, alignment: usize) -> usize {
        while self.end() % alignment != after {
            self.bytes.push(0);
        }
        let at = self.end();
        self.bytes.resize(self.bytes.len() + n_bytes, 0);
        at
    }

    fn put<const N: usize>(&mut self, at: usize, value: [u8; N]) {
        put(&mut self.bytes, at - self.start, value);
    }

    fn refer(&mut self, at: usize, to: usize) {
        self.put(at, distance(at, to));
    }

    fn vtable<const N: usize>(&mut self, layout: &TableLayout<N>) -> usize {
        let at = self.zeros(layout.n_vtable_bytes(), 0, 4);
        layout.put_vtable(&mut self.bytes, at - self.start);
        at
    }

    /// The position of the empty list of fields, which is written once.
    pub(super) fn no_fields(&mut self) -> usize {
        if let Some(at) = self.no_fields {
            return at;
        }
        let at = self.zeros(4, 0, 4);
        self.no_fields = Some(at);
        at
    }

    pub(super) fn field_vtable(&mut self, form: FieldForm) -> usize {
        if let Some(at) = self.field_vtables[form.idx()] {
            return at;
        }
        let at = self.vtable(&form.layout());
        self.field_vtables[form.idx()] = Some(at);
        at
    }

    /// Writes the type of a field without its children, unless it was written before.
    pub(super) fn data_type(&mut self, data_type: &DataType) -> Result<TypeAt> {
        if let Some(known) = self.types.iter().rev().find(|known| known.leaf.as_ref() == Some(data_type)) {
            return Ok(known.at);
        }
        let mut builder = match self.builder.take() {
            Some(builder) => builder,
            None => {
                self.bytes.reserve(N_LIKELY_BYTES);
                Builder::with_capacity(N_LIKELY_BYTES)
            }
        };
        builder.clear();
        let encoded = encode_type(&mut builder, data_type);
        let field = fb::Field::create(&mut builder, (), false, encoded, (), (), ());
        let at = self.built_type(builder.finish(field, None), data_type);
        self.builder = Some(builder);
        at
    }

    /// Copies the type of the encoded field `built`, unless an equal type was written before. Returns its position.
    fn built_type(&mut self, built: &[u8], data_type: &DataType) -> Result<TypeAt> {
        let missing = || FormatError::internal("a type that was encoded is not there");
        let found = type_of_root(built).ok().flatten();
        let found = found.ok_or_else(missing)?;
        // The type's table and all bytes after it belong to the type: the builder writes referring bytes first. Its
        // values have at most four bytes.
        let at = TypeAt { tag: found.tag, table: self.zeros(0, 0, 4) };
        let built = built.get(found.table..).ok_or_else(missing)?;
        let same = |known: &&EncodedType| {
            known.at.tag == found.tag && self.bytes.get(known.bytes.clone()) == Some(built)
        };
        if let Some(known) = self.types.iter().rev().find(same) {
            return Ok(known.at);
        }
        self.bytes.extend_from_slice(built);
        if self.types.len() == MAX_KNOWN_TYPES {
            self.types.remove(0);
        }
        let leaf = Some(data_type).filter(|data_type| data_type.children().is_empty()).cloned();
        self.types.push(EncodedType { leaf, bytes: at.table - self.start..self.bytes.len(), at });
        Ok(at)
    }

    /// Writes the dictionary encoding of a field: id, index type, and whether values are ordered. The index type
    /// directly follows the table. Its vtable is written last.
    pub(super) fn dictionary(&mut self, id: i64, dictionary: &DictionaryType) -> usize {
        // The lengths of the fields: id, index type, order. The kind of the dictionary is absent, which means
        // `DenseArray`.
        let (layout, index_layout) = (TableLayout::of([8, 4, 1]), index_layout());
        let vtable = match self.dictionary_vtable {
            Some(vtable) => vtable,
            None => self.vtable(&layout),
        };
        self.dictionary_vtable = Some(vtable);
        let table = self.zeros(layout.n_table_bytes() + index_layout.n_table_bytes(), 4, 8);
        let index = table + layout.n_table_bytes();
        self.put(table, back(table, vtable));
        self.put(table + layout.place(0), id.to_le_bytes());
        self.refer(table + layout.place(1), index);
        self.put(table + layout.place(2), [u8::from(dictionary.is_ordered())]);
        self.put(index + index_layout.place(0), dictionary.index().n_bits().to_le_bytes());
        self.put(index + index_layout.place(1), [u8::from(dictionary.index().is_signed())]);
        self.indices.push(index);
        table
    }

    /// The finished bytes. Nothing can be added later.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let indices = std::mem::take(&mut self.indices);
        if !indices.is_empty() {
            let vtable = self.vtable(&index_layout());
            indices.into_iter().for_each(|index| self.put(index, back(index, vtable)));
        }
        // The bytes that follow may have values of eight bytes.
        self.zeros(0, 0, 8);
        self.bytes
    }

    /// Writes the pairs of a `custom_metadata`; `None` if there are none.
    pub(super) fn metadata(&mut self, metadata: &Metadata) -> Option<usize> {
        if metadata.is_empty() {
            return None;
        }
        let n_pairs = metadata.len();
        let list = self.zeros(4 + 4 * n_pairs, 0, 4);
        self.put(list, word(n_pairs));
        // Key and value may be absent, so there are up to four vtables.
        let mut vtables = [None; 4];
        for (idx, (key, value)) in metadata.iter().enumerate() {
            let form = usize::from(key.is_some()) + 2 * usize::from(value.is_some());
            let layout = TableLayout::of([4 * u16::from(key.is_some()), 4 * u16::from(value.is_some())]);
            let vtable = match vtables[form] {
                Some(vtable) => vtable,
                None => self.vtable(&layout),
            };
            vtables[form] = Some(vtable);
            let table = self.zeros(layout.n_table_bytes(), 0, 4);
            self.refer(list + 4 + 4 * idx, table);
            self.put(table, back(table, vtable));
            for (part, text) in [(0, key), (1, value)] {
                let place = table + layout.place(part);
                if let Some(text) = text {
                    let at = self.text(text);
                    self.refer(place, at);
                }
            }
        }
        Some(list)
    }

    fn text(&mut self, text: &str) -> usize {
        let at = self.zeros(n_text_bytes(text), 0, 4);
        self.put(at, word(text.len()));
        let start = at + 4 - self.start;
        self.bytes[start..start + text.len()].copy_from_slice(text.as_bytes());
        at
    }

    /// Writes the list of features; `None` if there are none.
    pub(super) fn features(&mut self, features: &[Feature]) -> Option<usize> {
        if features.is_empty() {
            return None;
        }
        // The items have eight bytes and follow the length of four bytes.
        let list = self.zeros(4 + 8 * features.len(), 4, 8);
        self.put(list, word(features.len()));
        for (idx, feature) in features.iter().enumerate() {
            let feature = match feature {
                Feature::Unused => fb::Feature::Unused,
                Feature::DictionaryReplacement => fb::Feature::DictionaryReplacement,
                Feature::CompressedBody => fb::Feature::CompressedBody,
            };
            self.put(list + 4 + 8 * idx, (feature as i64).to_le_bytes());
        }
        Some(list)
    }

    /// Writes the blocks of a footer, which are encoded already.
    pub(super) fn blocks(&mut self, blocks: &[[u8; 24]]) -> usize {
        let bytes = blocks.as_flattened();
        self.bytes.reserve(8 + bytes.len());
        let list = self.zeros(4, 4, 8);
        self.put(list, word(blocks.len()));
        self.bytes.extend_from_slice(bytes);
        list
    }
}
