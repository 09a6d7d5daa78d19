//! Merges fields by name, or by position if their names have no meaning.

use std::{collections::HashMap, sync::Arc};

use super::{
    DifferenceRule, MergeError, MergeErrorKind as Kind, MergeOptions, MetadataRule, MissingFieldRule,
    WiderType, join_metadata,
};
use crate::{
    DataType, DictionaryOrder, DictionaryType, Field, IndexType, KeyOrder, MapType, Metadata, Nullability,
    PathStep,
};

/// The fields of several schemas or structs, by name.
pub(super) struct Fields<'a> {
    options: &'a MergeOptions,
    merged: Vec<MergedField>,
    /// The position of the field with each name.
    positions: HashMap<Arc<str>, usize>,
    n_sides: usize,
}

struct MergedField {
    field: Field,
    /// The number of schemas or structs that have the field. `last_side` is the last of them.
    n_seen: usize,
    last_side: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn new(options: &'a MergeOptions) -> Fields<'a> {
        Fields { options, merged: Vec::new(), positions: HashMap::new(), n_sides: 0 }
    }

    /// Adds the fields of one more schema or struct.
    pub(super) fn add(&mut self, fields: &[Field]) -> Result<(), MergeError> {
        self.n_sides += 1;
        let side = self.n_sides;
        for field in fields {
            let next = self.merged.len();
            let position = *self.positions.entry(field.to_shared_name()).or_insert(next);
            let error = match self.merged.get_mut(position) {
                None if side > 1 && self.options.missing() == MissingFieldRule::Refuse => {
                    Kind::Additional.into()
                }
                None => {
                    self.merged.push(MergedField { field: field.clone(), n_seen: 1, last_side: side });
                    continue;
                }
                Some(merged) if merged.last_side == side => Kind::Repeated.into(),
                Some(merged) => match merge(&merged.field, field, MergeNames::Matter, self.options) {
                    Ok(field) => {
                        *merged = MergedField { field, n_seen: merged.n_seen + 1, last_side: side };
                        continue;
                    }
                    Err(error) => error.with_types(&merged.field, field),
                },
            };
            return Err(error.below(step(position, field)));
        }
        if self.options.missing() == MissingFieldRule::Refuse {
            let missing = self.merged.iter().enumerate().find(|(_, merged)| merged.last_side != side);
            if let Some((position, MergedField { field, .. })) = missing {
                return Err(MergeError::from(Kind::Missing).below(step(position, field)));
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<Field> {
        let field = |merged: MergedField| {
            let is_missing = merged.n_seen < self.n_sides;
            if is_missing && self.options.missing() == MissingFieldRule::MakeNullable {
                merged.field.with_nullability(Nullability::Nullable)
            } else {
                merged.field
            }
        };
        self.merged.into_iter().map(field).collect()
    }
}

/// Whether fields are merged by name, like those of a struct, or by position, if their names have no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MergeNames {
    Matter,
    AreFree,
}

fn step(position: usize, field: &Field) -> PathStep {
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    PathStep::Child { position, name: field.to_shared_name() }
}

/// Makes a field that allows the values of both fields. It has the name of the first field.
fn merge(
    left: &Field,
    right: &Field,
    names: MergeNames,
    options: &MergeOptions,
) -> Result<Field, MergeError> {
    if left == right {
        return Ok(left.clone());
    }
    let types = merge_types(left.data_type(), right.data_type(), names, options)?;
    let change = match left.extension() {
        Some(_) if !types.is_null_replaced => {
            let sides = [left.data_type(), right.data_type()];
            sides.map(|side| storage_change(side, &types.merged, names)).into_iter().max()
        }
        _ => None,
    };
    let has_same_extension = left.extension() == right.extension();
    if change == Some(StorageChange::NewFields) && (has_same_extension || options.wider_type().is_none()) {
        return Err(
            Kind::Type { preceding: left.data_type().clone(), found: right.data_type().clone() }.into()
        );
    }
    let loses_extension = options.wider_type().is_some()
        && !types.is_null_replaced
        && if has_same_extension {
            change > Some(StorageChange::Layout)
        } else {
            options.metadata() == MetadataRule::KeepFirst
        };
    let nullability = match (left.nullability(), right.nullability()) {
        (preceding, found) if preceding == found => preceding,
        (preceding, found) if options.nullability() == DifferenceRule::Refuse => {
            return Err(Kind::Nullability { preceding, found }.into());
        }
        _ => Nullability::Nullable,
    };
    let nullability = if types.is_null_replaced { Nullability::Nullable } else { nullability };
    let metadata = if loses_extension {
        let [left, right] = [left, right].map(|field| field.clone().without_extension());
        join_metadata(left.metadata(), right.metadata(), options)?
    } else {
        merge_metadata(left, right, &types, options)?
    };
    let field = left.clone().with_data_type(types.merged);
    Ok(field.with_nullability(nullability).with_metadata(metadata))
}

/// How the storage of an extension type was changed by a merge, which gives a meaning to its storage as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StorageChange {
    /// The values are the same, in the same or in another layout.
    Layout,
    /// The type has more values.
    Widened,
    /// A struct has more fields.
    NewFields,
}

/// The change from the type of a field to the type of the merged field.
fn storage_change(side: &DataType, merged: &DataType, names: MergeNames) -> StorageChange {
    let (side, merged) = (side.decoded(), merged.decoded());
    let (fields, merged_fields) = (side.children(), merged.children());
    let field_change =
        |side: &Field, merged: &Field, names| storage_change(side.data_type(), merged.data_type(), names);
    let changes = if side.is_struct() && merged.is_struct() && names == MergeNames::Matter {
        let by_name: HashMap<&str, &Field> = fields.iter().map(|field| (field.name(), field)).collect();
        let change = |merged: &Field| {
            let field = by_name.get(merged.name());
            field.map_or(StorageChange::NewFields, |field| field_change(field, merged, names))
        };
        merged_fields.iter().map(change).max()
    } else if fields.is_empty() && *side != DataType::Null && !side.same_values(merged) {
        Some(StorageChange::Widened)
    } else {
        let below = if side.is_map() { MergeNames::AreFree } else { MergeNames::Matter };
        fields.iter().zip(merged_fields).map(|(field, merged)| field_change(field, merged, below)).max()
    };
    changes.unwrap_or(StorageChange::Layout)
}

/// The name and the parameters of an extension type always come from the same field.
fn merge_metadata(
    left: &Field,
    right: &Field,
    types: &Types,
    options: &MergeOptions,
) -> Result<Metadata, MergeError> {
    let (mut from_left, mut from_right) = (left.clone(), right.clone());
    if left.extension() != right.extension() {
        if types.is_null_replaced {
            let left_is_null = left.data_type() == &DataType::Null;
            let null = if left_is_null { &mut from_left } else { &mut from_right };
            *null = null.clone().without_extension();
        } else if options.metadata() == MetadataRule::KeepFirst {
            from_right = from_right.without_extension();
        } else {
            let name = |field: &Field| field.extension().map(|extension| extension.name.into());
            let (preceding, found): (Option<Arc<str>>, _) = (name(left), name(right));
            if preceding != found {
                return Err(Kind::Extension { preceding, found }.into());
            }
            let key = crate::EXTENSION_METADATA_KEY;
            let [preceding, found] =
                [left, right].map(|field| vec![field.metadata().get(key).map(Arc::from)]);
            return Err(Kind::Metadata { key: Some(key.into()), preceding, found }.into());
        }
    }
    Ok(join_metadata(from_left.metadata(), from_right.metadata(), options)?)
}

/// A type that allows the values of both types.
struct Types {
    merged: DataType,
    /// Whether one of the types is the null type, and the other type replaces it.
    is_null_replaced: bool,
}

fn merge_types(
    left: &DataType,
    right: &DataType,
    names: MergeNames,
    options: &MergeOptions,
) -> Result<Types, MergeError> {
    let different = || MergeError::from(Kind::Type { preceding: left.clone(), found: right.clone() });
    if !left.same_kind(right) {
        let merged = match (*left == DataType::Null, *right == DataType::Null, options.wider_type()) {
            (false, false, None) => return Err(different()),
            (false, false, Some(wider_type)) => {
                let merged = merge_kinds(left, right, options, wider_type)
                    .map_err(|error| if error.path().is_root() { different() } else { error })?;
                return Ok(Types { merged, is_null_replaced: false });
            }
            _ if options.null_type() == DifferenceRule::Refuse => return Err(different()),
            (true, ..) => right.clone(),
            (false, true, _) => left.clone(),
        };
        return Ok(Types { merged, is_null_replaced: true });
    }
    let merged = if let (Some(dictionary), Some(other)) = (left.as_dictionary(), right.as_dictionary()) {
        let values = merge_types(dictionary.value(), other.value(), MergeNames::Matter, options)
            .map_err(|error| error.below(PathStep::Dictionary))?;
        DictionaryType::try_new(dictionary.index(), values.merged, dictionary.order()).map(DataType::from)
    } else if left.is_struct() && names == MergeNames::Matter {
        let mut fields = Fields::new(options);
        fields.add(left.children())?;
        fields.add(right.children())?;
        Ok(DataType::struct_(fields.finish()))
    } else {
        let below = if left.is_map() { MergeNames::AreFree } else { MergeNames::Matter };
        if left.children().len() != right.children().len() {
            return Err(different());
        }
        let children = left.children().iter().zip(right.children()).enumerate();
        let children = children.map(|(position, (child, other))| {
            if left.is_union() && child.name() != other.name() {
                return Err(different());
            }
            merge(child, other, below, options).map_err(|error| error.below(step(position, child)))
        });
        left.with_children(children.collect::<Result<Vec<Field>, MergeError>>()?)
    };
    Ok(Types { merged: merged.map_err(|_| different())?, is_null_replaced: false })
}

/// A type that has the values of two types of different kinds, neither of which is null.
fn merge_kinds(
    left: &DataType,
    right: &DataType,
    options: &MergeOptions,
    wider_type: WiderType,
) -> Result<DataType, MergeError> {
    let different = || MergeError::from(Kind::Type { preceding: left.clone(), found: right.clone() });
    let merge_values =
        |left, right| merge_types(left, right, MergeNames::Matter, options).map(|types| types.merged);
    if let (Some(dictionary), Some(other)) = (left.as_dictionary(), right.as_dictionary()) {
        let values = merge_values(dictionary.value(), other.value())
            .map_err(|error| error.below(PathStep::Dictionary))?;
        // Indices are not negative, so an unsigned type has more of them than the signed type of its width.
        let n_bits = |index: IndexType| index.n_bits() - u32::from(index.is_signed());
        let [index, other_index] = [dictionary.index(), other.index()];
        let index = if n_bits(index) >= n_bits(other_index) { index } else { other_index };
        let order =
            if dictionary.order() == other.order() { dictionary.order() } else { DictionaryOrder::Unordered };
        return DictionaryType::try_new(index, values, order).map(DataType::from).map_err(|_| different());
    }
    let (left_values, right_values) = (left.decoded(), right.decoded());
    if !std::ptr::eq(left, left_values) || !std::ptr::eq(right, right_values) {
        return merge_values(left_values, right_values);
    }
    let are = |is: fn(&DataType) -> bool| is(left) && is(right);
    let layout = if are(DataType::is_list) {
        larger(left, right).cloned().or_else(|| left.children().first().cloned().map(DataType::list))
    } else if are(DataType::is_text) {
        larger(left, right).cloned()
    } else if are(DataType::is_binary) {
        larger(left, right).cloned().or(Some(DataType::Binary))
    } else if let (Some(map), Some(_)) = (left.as_map(), right.as_map()) {
        MapType::try_new(map.entries().clone(), KeyOrder::Unsorted).map(DataType::from).ok()
    } else if are(|data_type| !data_type.is_nested()) {
        wider_type(left, right)
    } else {
        None
    };
    let layout = layout.ok_or_else(different)?;
    let below = if left.is_map() { MergeNames::AreFree } else { MergeNames::Matter };
    let children =
        left.children().iter().zip(right.children()).enumerate().map(|(position, (child, other))| {
            merge(child, other, below, options).map_err(|error| error.below(step(position, child)))
        });
    layout.with_children(children.collect::<Result<Vec<Field>, MergeError>>()?).map_err(|_| different())
}

/// Of two types of text, of bytes or of lists, the one whose arrays may be larger, or the first. `None` if both have values of a fixed
/// size.
fn larger<'a>(left: &'a DataType, right: &'a DataType) -> Option<&'a DataType> {
    use DataType as T;
    let has_fixed_size = |data_type: &T| matches!(data_type, T::FixedSizeBinary(_) | T::FixedSizeList(..));
    let is_large = |data_type: &T| {
        matches!(data_type, T::LargeUtf8 | T::LargeBinary | T::LargeList(_) | T::LargeListView(_))
    };
    let rank = |data_type: &DataType| u8::from(!has_fixed_size(data_type)) + u8::from(is_large(data_type));
    match (rank(left), rank(right)) {
        (0, 0) => None,
        (first, other) => Some(if first >= other { left } else { right }),
    }
}
