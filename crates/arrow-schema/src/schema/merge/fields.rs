//! Merges fields by name, or by position if their names have no meaning.

use std::{collections::HashMap, sync::Arc};

use super::{
    DifferenceRule, MergeError, MergeErrorKind as Kind, MergeOptions, MetadataRule, MissingFieldRule,
    metadata,
};
use crate::{DataType, DictionaryType, Field, Metadata, Nullability, PathStep};

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
                    Err(error) => error,
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
    if left.extension().is_some() && !types.is_null_replaced {
        let sides = [left.data_type(), right.data_type()];
        if sides.into_iter().any(|side| has_new_fields(side, &types.merged, names)) {
            return Err(
                Kind::Type { preceding: left.data_type().clone(), found: right.data_type().clone() }.into()
            );
        }
    }
    let nullability = match (left.nullability(), right.nullability()) {
        (preceding, found) if preceding == found => preceding,
        (preceding, found) if options.nullability() == DifferenceRule::Refuse => {
            return Err(Kind::Nullability { preceding, found }.into());
        }
        _ => Nullability::Nullable,
    };
    let nullability = if types.is_null_replaced { Nullability::Nullable } else { nullability };
    let metadata = merge_metadata(left, right, &types, options)?;
    let field = left.clone().with_data_type(types.merged);
    Ok(field.with_nullability(nullability).with_metadata(metadata))
}

/// Whether a struct has fields that are not in the type from which it was merged. An extension type gives a meaning to its
/// storage as a whole.
fn has_new_fields(side: &DataType, merged: &DataType, names: MergeNames) -> bool {
    if let (Some(side), Some(merged)) = (side.as_dictionary(), merged.as_dictionary()) {
        return has_new_fields(side.value(), merged.value(), MergeNames::Matter);
    }
    let (fields, merged_fields) = (side.children(), merged.children());
    if side.is_struct() && merged.is_struct() && names == MergeNames::Matter {
        let by_name: HashMap<&str, &Field> = fields.iter().map(|field| (field.name(), field)).collect();
        let is_new = |merged: &Field| {
            let field = by_name.get(merged.name());
            field.is_none_or(|field| has_new_fields(field.data_type(), merged.data_type(), names))
        };
        return merged_fields.iter().any(is_new);
    }
    let below = if side.is_map() { MergeNames::AreFree } else { MergeNames::Matter };
    let mut pairs = fields.iter().zip(merged_fields);
    pairs.any(|(field, merged)| has_new_fields(field.data_type(), merged.data_type(), below))
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
    Ok(metadata::merge(from_left.metadata(), from_right.metadata(), options)?)
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
        if options.null_type() == DifferenceRule::Refuse {
            return Err(different());
        }
        let merged = match (*left == DataType::Null, *right == DataType::Null) {
            (true, _) => right.clone(),
            (false, true) => left.clone(),
            (false, false) => return Err(different()),
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
