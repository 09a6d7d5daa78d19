//! Reads the flatbuffer of a schema with a maximum depth and a budget. Several references may lead to the same table,
//! so a small flatbuffer can describe a huge tree.

use std::{collections::HashMap, mem::discriminant, sync::Arc};

use crate::{
    flatbuffer::{Enumeration, FlatbufferCause, Tables},
    tables as fb,
};
use arrow_buffer::Budget;
use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, FieldPath, IndexType, Metadata, Name, Nullability,
    Schema,
};

use super::{
    data_type::{decode_index_type, decode_type},
    metadata::decode_metadata,
};
use crate::{
    error::{FormatErrorKind, Result, UnsupportedPart, required},
    limits::Limits,
    protocol::{Endianness, Feature},
    schema::{IpcSchema, SchemaIrregularity, SharedList, UnsupportedColumn},
};

mod names;
#[cfg(test)]
pub(super) mod tests;

use self::names::NameDecoder;

/// The bytes charged for a field without its name and metadata: the field, its column, and its entry in a projection.
const FIELD_BYTES: u64 = 160;

/// The bytes charged for a list of fields.
const LIST_BYTES: u64 = 48;

/// The bytes charged for a dictionary besides its field: the columns of its values, and its entry in the store.
const DICTIONARY_BYTES: u64 = 240;

/// Reads a schema with its dictionary ids. The caller sets the metadata version. Columns of unknown types are listed
/// separately.
pub fn decode_schema(schema: fb::Schema<'_>, limits: &Limits, mut budget: Budget) -> Result<IpcSchema> {
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
        names: NameDecoder::default(),
        known_types: KnownTypes::default(),
        irregularities: Vec::new(),
    };
    let fields = schema.fields()?;
    if fields.is_none() {
        decoder.irregularities.push(SchemaIrregularity::NoFields);
    }
    let (fields, unsupported) = decoder.columns(fields)?;
    let metadata = decode_metadata(schema.custom_metadata()?, &mut decoder.budget)?;
    let schema = Schema::new(fields).with_metadata(metadata);
    let schema = IpcSchema::from_ids(schema.into(), decoder.dictionary_ids.into());
    let schema = schema.with_endianness(endianness).with_features(features).with_unsupported(unsupported);
    Ok(schema.with_irregularities(decoder.irregularities))
}

fn decode_features(schema: fb::Schema<'_>, budget: &mut Budget) -> Result<Vec<Feature>> {
    let Some(features) = schema.features()? else { return Ok(Vec::new()) };
    budget.spend("bytes of decoded schema", features.len() as u64)?;
    let decoded = features.iter().map(|found| match fb::Feature::from_number(found) {
        Some(fb::Feature::Unused) => Ok(Feature::Unused),
        Some(fb::Feature::DictionaryReplacement) => Ok(Feature::DictionaryReplacement),
        Some(fb::Feature::CompressedBody) => Ok(Feature::CompressedBody),
        None => Err(FormatErrorKind::Unsupported { what: UnsupportedPart::Feature { found } }.into()),
    });
    decoded.collect()
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
    names: NameDecoder,
    known_types: KnownTypes,
    /// The first of each kind.
    irregularities: Vec<SchemaIrregularity>,
}

/// The fields of a schema, or the children of a field.
type Fields<'a> = Tables<'a, fb::Field<'a>>;

struct DecodedType {
    tag: fb::TypeTag,
    /// The position of the type's table in the metadata.
    position: Option<usize>,
    data_type: DataType,
}

/// Types without children that were decoded. Fields of one type often share its table.
#[derive(Default)]
struct KnownTypes {
    /// The last ones, since wide schemas often alternate between a few types.
    recent: [Option<DecodedType>; 8],
    /// The index at which the next type is stored.
    next: usize,
    /// All types that were charged, such as those with a time zone, by the position of their table. Each is decoded and
    /// charged once.
    charged: HashMap<usize, DecodedType>,
}

/// The path to a field, as a linked list. It becomes a `FieldPath` only for an error.
#[derive(Clone, Copy)]
struct PathStack<'a> {
    parent: Option<&'a PathStack<'a>>,
    depth: usize,
    position: usize,
    name: &'a str,
}

impl PathStack<'_> {
    fn path(&self) -> FieldPath {
        let parent = self.parent.map_or_else(FieldPath::root, PathStack::path);
        parent.child(u32::try_from(self.position).unwrap_or(u32::MAX), self.name)
    }
}

impl Decoder<'_> {
    /// Reads the top-level fields. Returns the supported ones and the unsupported ones.
    fn columns(&mut self, fields: Option<Fields<'_>>) -> Result<(Arc<[Field]>, Vec<UnsupportedColumn>)> {
        let Some(fields) = fields else { return Ok((Arc::default(), Vec::new())) };
        self.charge(fields.len(), None)?;
        let names = self.names.names(fields, &mut self.budget)?;
        let mut n_before = 0;
        let mut unsupported = Vec::new();
        let decoded = collect_fields(fields.len(), |position| {
            let n_ids = self.dictionary_ids.len();
            let n_nodes = self.n_nodes;
            let table = fields.get(position)?;
            let field = self.field(table, self.names.name(&names, position), None, position)?;
            n_before += usize::from(field.is_some());
            if let Some((path, what)) = self.unknown_type.take() {
                unsupported.push(UnsupportedColumn {
                    position,
                    path,
                    what,
                    n_nodes: self.n_nodes - n_nodes,
                    n_before,
                    dictionary_ids: self.dictionary_ids.split_off(n_ids),
                });
            }
            Ok(field)
        })?;
        Ok((decoded, unsupported))
    }

    /// Charges the budget for `n_fields` fields, and checks the depth.
    fn charge(&mut self, n_fields: usize, parent: Option<&PathStack<'_>>) -> Result<()> {
        let limit = self.limits.max_depth;
        if parent.is_some_and(|parent| parent.depth >= limit) {
            return Err(FormatErrorKind::TooDeep { limit }.into());
        }
        self.n_fields = self.n_fields.saturating_add(n_fields as u64);
        self.limits.check_fields(self.n_fields)?;
        let n_bytes = (n_fields as u64).saturating_mul(FIELD_BYTES).saturating_add(LIST_BYTES);
        Ok(self.budget.spend("bytes of decoded schema", n_bytes)?)
    }

    /// Reads the children of a field, all of them even after an unknown type.
    fn children(&mut self, fields: Option<Fields<'_>>, parent: &PathStack<'_>) -> Result<SharedList<Field>> {
        let Some(fields) = fields.filter(|fields| !fields.is_empty()) else {
            return Ok(SharedList::default());
        };
        self.charge(fields.len(), Some(parent))?;
        let names = self.names.names(fields, &mut self.budget)?;
        let decoded = collect_fields(fields.len(), |position| {
            let table = fields.get(position)?;
            self.field(table, self.names.name(&names, position), Some(parent), position)
        })?;
        self.names.forget(names);
        Ok(decoded.into())
    }

    /// Reads a field; `None` if it contains an unknown type.
    #[inline]
    fn field(
        &mut self,
        table: fb::Field<'_>,
        name: Name,
        parent: Option<&PathStack<'_>>,
        position: usize,
    ) -> Result<Option<Field>> {
        let depth = parent.map_or(1, |parent| parent.depth + 1);
        let trail = PathStack { parent, depth, position, name: &name };
        if self.n_dictionaries_around == 0 {
            self.n_nodes += 1;
        }
        let data_type = self.data_type(table, &trail).map_err(|error| error.in_field(&|| trail.path()))?;
        let nullability = if table.nullable()? { Nullability::Nullable } else { Nullability::Required };
        let metadata = decode_metadata(table.custom_metadata()?, &mut self.budget)?;
        Ok(data_type.map(|data_type| Field::from_parts(name, data_type, nullability, metadata)))
    }

    fn data_type(&mut self, field: fb::Field<'_>, trail: &PathStack<'_>) -> Result<Option<DataType>> {
        let dictionary = match field.dictionary()? {
            Some(dictionary) => {
                self.budget.spend("bytes of decoded schema", DICTIONARY_BYTES)?;
                // In pre-order, the id of a dictionary precedes the ids of dictionaries inside its values.
                self.dictionary_ids.push(dictionary.id()?);
                if dictionary.index_type()?.is_none() {
                    self.note_irregularity(|field| SchemaIrregularity::NoIndexType { field }, trail);
                }
                Some(decode_dictionary(dictionary)?)
            }
            None => None,
        };
        let n_dictionaries_around = self.n_dictionaries_around;
        self.n_dictionaries_around += usize::from(dictionary.is_some());
        let children = self.children(field.children()?, trail)?;
        self.n_dictionaries_around = n_dictionaries_around;
        let Some(value) = self.value_type(field, children, trail)? else { return Ok(None) };
        Ok(Some(match dictionary {
            Some((index, order)) => {
                DataType::Dictionary(Arc::new(DictionaryType::try_new(index, value, order)?))
            }
            None => value,
        }))
    }

    /// Reads the type of the values of a field; `None` if it contains an unknown type.
    #[inline]
    fn value_type(
        &mut self,
        field: fb::Field<'_>,
        children: SharedList<Field>,
        trail: &PathStack<'_>,
    ) -> Result<Option<DataType>> {
        let position = field.0.target(&fb::Field::TYPE)?;
        let tag = match field.type_tag() {
            Ok(tag) => required(tag, "the type")?,
            Err(error) => {
                let FlatbufferCause::Union { tag } = error.cause() else { return Err(error.into()) };
                required(position, "the type")?;
                self.note_unknown(UnsupportedPart::TypeTag { found: tag.into() }, trail);
                return Ok(None);
            }
        };
        let is_leaf = children.is_empty();
        if is_leaf
            && self.unknown_type.is_none()
            && let Some(known) = self.known_types.at(tag, position)
        {
            return Ok(Some(known.data_type.clone()));
        }
        let found = required(field.type_()?, "the type")?;
        // An integer of 128 bits counts as unknown.
        if let fb::Type::Int(int) = found
            && int.bit_width()? == 128
        {
            self.note_unknown(UnsupportedPart::WideInteger { is_signed: int.is_signed()? }, trail);
        }
        // A [`DataType`] cannot contain an unknown type.
        if self.unknown_type.is_some() {
            return Ok(None);
        }
        if let (fb::Type::Map(_), [entries]) = (found, &*children)
            && (entries.is_nullable() || entries.children().first().is_some_and(Field::is_nullable))
        {
            self.note_irregularity(|field| SchemaIrregularity::NullableMap { field }, trail);
        }
        let n_bytes_left = self.budget.n_left();
        let data_type = decode_type(found, children, &mut self.budget)?;
        if is_leaf {
            let decoded = DecodedType { tag, position, data_type: data_type.clone() };
            match position.filter(|_| self.budget.n_left() < n_bytes_left) {
                Some(position) => drop(self.known_types.charged.insert(position, decoded)),
                None => self.known_types.add(decoded),
            }
        }
        Ok(Some(data_type))
    }

    fn note_irregularity(&mut self, kind: fn(FieldPath) -> SchemaIrregularity, trail: &PathStack<'_>) {
        let found = kind(trail.path());
        let is_other = |known: &SchemaIrregularity| discriminant(known) != discriminant(&found);
        if self.irregularities.iter().all(is_other) {
            self.irregularities.push(found);
        }
    }

    fn note_unknown(&mut self, unknown: UnsupportedPart, trail: &PathStack<'_>) {
        self.unknown_type.get_or_insert_with(|| (trail.path(), unknown));
    }
}

impl KnownTypes {
    #[inline]
    fn at(&self, tag: fb::TypeTag, position: Option<usize>) -> Option<&DecodedType> {
        let mut recent = self.recent.iter().flatten();
        let recent = recent.find(|known| known.position == position && known.tag == tag);
        recent.or_else(|| self.charged.get(&position?).filter(|known| known.tag == tag))
    }

    /// Stores a type in place of the oldest one.
    fn add(&mut self, known: DecodedType) {
        if let Some(oldest) = self.recent.get_mut(self.next) {
            *oldest = Some(known);
        }
        self.next = (self.next + 1) % self.recent.len();
    }
}

/// Collects the fields that `decode` returns for 0 to `n - 1`, without those for which it returns `None`.
///
/// All memory is allocated at once. For a wide schema, this takes half of the memory and less than half of the time of
/// a copied vector. The caller has charged the memory.
fn collect_fields(n: usize, mut decode: impl FnMut(usize) -> Result<Option<Field>>) -> Result<Arc<[Field]>> {
    // Stands for an unsupported field until it is removed below.
    let empty = || Field::from_parts(Name::default(), DataType::Null, Nullability::Nullable, Metadata::new());
    let mut failed = None;
    let mut left_out = Vec::new();
    let decode = |idx| {
        if failed.is_none() {
            match decode(idx) {
                Ok(Some(field)) => return field,
                Ok(None) => left_out.push(idx),
                Err(error) => failed = Some(error),
            }
        }
        empty()
    };
    let fields: Arc<[Field]> = (0..n).map(decode).collect();
    match failed {
        Some(error) => Err(error),
        None if left_out.is_empty() => Ok(fields),
        None => {
            let mut left_out = left_out.into_iter().peekable();
            let stays = fields.iter().enumerate().filter(|(idx, _)| left_out.next_if_eq(idx).is_none());
            Ok(stays.map(|(_, field)| field.clone()).collect::<Vec<_>>().into())
        }
    }
}

fn decode_dictionary(dictionary: fb::DictionaryEncoding<'_>) -> Result<(IndexType, DictionaryOrder)> {
    match dictionary.dictionary_kind()? {
        fb::DictionaryKind::DenseArray => {}
    }
    let index = match dictionary.index_type()? {
        None => IndexType::Int32,
        Some(index) => decode_index_type(index, "the bit width of the dictionary indices")?,
    };
    let order = if dictionary.is_ordered()? { DictionaryOrder::Ordered } else { DictionaryOrder::Unordered };
    Ok((index, order))
}
