//! Reads the flatbuffer of a schema with a maximum depth and a budget. Several references may lead to the same table,
//! so a small flatbuffer can describe a huge tree.

use std::sync::Arc;

use crate::flatbuf as fb;
use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, FieldPath, IndexType, Name, Nullability, Schema,
};

use super::{
    data_type::{decode_index_type, decode_type},
    field_table::{FieldList, FieldTable, KnownVtable, SchemaTable, TypePlace},
    metadata::decode_metadata,
};
use crate::{
    error::{FormatError, FormatErrorKind, Unsupported, WireError, WireResult as Result},
    flatbuffer::required,
    limits::{Budget, Limits},
    protocol::{Endianness, Feature},
    schema::{IpcSchema, SharedList, UnsupportedColumn},
};

mod collect;
mod names;
#[cfg(test)]
pub(super) mod tests;

use self::{collect::collect, names::NameDecoder};

/// The bytes charged for a field without its name and metadata: the field, its column, and its entry in a projection.
const FIELD_BYTES: u64 = 160;

/// The bytes charged for a list of fields.
const LIST_BYTES: u64 = 48;

/// The bytes charged for a dictionary besides its field: the columns of its values, and its entry in the store.
const DICTIONARY_BYTES: u64 = 240;

/// Reads a schema with its dictionary ids. The caller sets the metadata version. Columns of unknown types are listed
/// separately.
pub fn decode_schema(table: SchemaTable<'_>, limits: &Limits, mut budget: Budget) -> Result<IpcSchema> {
    let schema = table.generated();
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
        known_vtable: KnownVtable::default(),
        known_types: KnownTypes::default(),
    };
    let (fields, unsupported) = decoder.columns(table.fields()?)?;
    let metadata = decode_metadata(schema.custom_metadata()?, &mut decoder.budget)?;
    let schema = Schema::new(fields).with_metadata(metadata);
    let schema = IpcSchema::of_ids(schema.into(), decoder.dictionary_ids.into());
    Ok(schema.with_endianness(endianness).with_features(features).with_unsupported(unsupported))
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
            Err(FormatErrorKind::Unsupported { what: Unsupported::Feature { found } }.into())
        }
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
    unknown_type: Option<(FieldPath, Unsupported)>,
    names: NameDecoder,
    known_vtable: KnownVtable,
    known_types: KnownTypes,
}

struct DecodedType {
    place: TypePlace,
    data_type: DataType,
    /// The bytes charged for the type.
    n_bytes: u64,
}

/// The last types without children. Fields of one type often share its table, and wide schemas often alternate between
/// a few types.
#[derive(Default)]
struct KnownTypes {
    types: [Option<DecodedType>; 8],
    /// The index at which the next type is stored.
    next: usize,
}

/// The path to a field, as a linked list. It becomes a `FieldPath` only for an error.
#[derive(Clone, Copy)]
struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    depth: usize,
    position: usize,
    name: &'a str,
}

impl Trail<'_> {
    fn path(&self) -> FieldPath {
        let parent = self.parent.map_or_else(FieldPath::root, Trail::path);
        parent.child(u32::try_from(self.position).unwrap_or(u32::MAX), self.name)
    }
}

impl Decoder<'_> {
    /// Reads the top-level fields. Returns the supported ones and the unsupported ones.
    fn columns(&mut self, fields: Option<FieldList<'_>>) -> Result<(Arc<[Field]>, Vec<UnsupportedColumn>)> {
        let Some(fields) = fields else { return Ok((Arc::default(), Vec::new())) };
        self.charge(fields.len(), None)?;
        let names = self.names.of(&fields, &mut self.known_vtable, &mut self.budget)?;
        let (mut n_before, mut unsupported) = (0, Vec::new());
        let decoded = collect(fields.len(), |position| {
            let (n_ids, n_nodes) = (self.dictionary_ids.len(), self.n_nodes);
            let table = fields.field(position, &mut self.known_vtable)?;
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
    fn charge(&mut self, n_fields: usize, parent: Option<&Trail<'_>>) -> Result<()> {
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
    fn children(&mut self, fields: Option<FieldList<'_>>, parent: &Trail<'_>) -> Result<SharedList<Field>> {
        let Some(fields) = fields.filter(|fields| fields.len() > 0) else { return Ok(SharedList::default()) };
        self.charge(fields.len(), Some(parent))?;
        let names = self.names.of(&fields, &mut self.known_vtable, &mut self.budget)?;
        let decoded = collect(fields.len(), |position| {
            let table = fields.field(position, &mut self.known_vtable)?;
            self.field(table, self.names.name(&names, position), Some(parent), position)
        })?;
        self.names.forget(names);
        Ok(decoded.into())
    }

    /// Reads a field; `None` if it contains an unknown type.
    #[inline]
    fn field(
        &mut self,
        table: FieldTable<'_>,
        name: Name,
        parent: Option<&Trail<'_>>,
        position: usize,
    ) -> Result<Option<Field>> {
        let depth = parent.map_or(1, |parent| parent.depth + 1);
        let trail = Trail { parent, depth, position, name: &name };
        if self.n_dictionaries_around == 0 {
            self.n_nodes += 1;
        }
        let data_type = self
            .data_type(table, &trail)
            .map_err(|error| FormatError::from(error).in_field(&|| trail.path()))?;
        let nullability = if table.is_nullable()? { Nullability::Nullable } else { Nullability::Required };
        let metadata = decode_metadata(table.custom_metadata()?, &mut self.budget)?;
        Ok(data_type.map(|data_type| Field::from_parts(name, data_type, nullability, metadata)))
    }

    fn data_type(&mut self, field: FieldTable<'_>, trail: &Trail<'_>) -> Result<Option<DataType>> {
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
        field: FieldTable<'_>,
        children: SharedList<Field>,
        trail: &Trail<'_>,
    ) -> Result<Option<DataType>> {
        let place = required(field.type_place()?, "the type")?;
        let is_leaf = children.is_empty();
        if is_leaf
            && self.unknown_type.is_none()
            && let Some(known) = self.known_types.at(place)
        {
            self.budget.spend("bytes of decoded schema", known.n_bytes)?;
            return Ok(Some(known.data_type.clone()));
        }
        let known = match known_type(field, place)? {
            // A [`DataType`] cannot contain an unknown type.
            Ok(_) if self.unknown_type.is_some() => return Ok(None),
            Ok(known) => known,
            Err(unknown) => {
                self.unknown_type.get_or_insert_with(|| (trail.path(), unknown));
                return Ok(None);
            }
        };
        let n_bytes_left = self.budget.n_bytes_left();
        let data_type = decode_type(known, children, &mut self.budget)?;
        if is_leaf {
            let n_bytes = n_bytes_left - self.budget.n_bytes_left();
            let place = TypePlace { field: field.last_that_sees(place), ..place };
            self.known_types.add(DecodedType { place, data_type: data_type.clone(), n_bytes });
        }
        Ok(Some(data_type))
    }
}

impl KnownTypes {
    #[inline]
    fn at(&self, place: TypePlace) -> Option<&DecodedType> {
        self.types.iter().flatten().find(|known| known.is_at(place))
    }

    /// Stores a type in place of the oldest one.
    fn add(&mut self, known: DecodedType) {
        if let Some(oldest) = self.types.get_mut(self.next) {
            *oldest = Some(known);
        }
        self.next = (self.next + 1) % self.types.len();
    }
}

impl DecodedType {
    /// Whether this is the type at `place`. Flatbuffer offsets only point forward, so a field after the table of
    /// this type cannot refer to it: the result is `false`.
    #[inline]
    fn is_at(&self, place: TypePlace) -> bool {
        place.table == self.place.table && place.tag == self.place.tag && place.field <= self.place.field
    }
}

/// The type of a field, or the number of an unknown type. An integer of 128 bits counts as unknown.
fn known_type(
    field: FieldTable<'_>,
    place: TypePlace,
) -> Result<std::result::Result<fb::TypeRef<'_>, Unsupported>> {
    match field.type_at(place) {
        Ok(fb::TypeRef::Int(int)) if int.bit_width()? == 128 => {
            Ok(Err(Unsupported::WideInteger { is_signed: int.is_signed()? }))
        }
        Ok(found) => Ok(Ok(found)),
        Err(error) => {
            let error = FormatError::from(WireError::from(error));
            if let FormatErrorKind::Unsupported { what: what @ Unsupported::TypeTag { .. } } = error.kind() {
                return Ok(Err(what.clone()));
            }
            Err(error.into())
        }
    }
}

fn decode_dictionary(dictionary: fb::DictionaryEncodingRef<'_>) -> Result<(IndexType, DictionaryOrder)> {
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
