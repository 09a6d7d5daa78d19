//! Compares types without the metadata of their fields.

use std::mem;

use super::table::{Family, Shape};
use crate::{DataType, Field};

/// [`DataType::same_type`].
pub(super) fn same_type(one: &DataType, other: &DataType) -> bool {
    if mem::discriminant(one) != mem::discriminant(other) {
        return false;
    }
    let shape = one.row().shape;
    // A fast path for types without parameters: most columns have such a type, and every batch compares all of its
    // columns.
    if matches!(shape, Shape::Plain) {
        return true;
    }
    shape.same_parameters(&other.row().shape)
        && match (one.as_dictionary(), other.as_dictionary()) {
            (Some(left), Some(right)) => left.value().same_type(right.value()),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
        && {
            let (left, right) = (one.children(), other.children());
            std::ptr::eq(left, right)
                || left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| left.same_column(right))
        }
}

/// [`DataType::same_values`].
pub(super) fn same_values(one: &DataType, other: &DataType) -> bool {
    let (left, right) = (one.decoded(), other.decoded());
    let (left_family, right_family) = (value_family(left), value_family(right));
    let names_count = left_family.has_names();
    let (left, right) = (left_family.fields(left), right_family.fields(right));
    left_family == right_family
        && left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            (!names_count || left.name() == right.name()) && left.data_type().same_values(right.data_type())
        })
}

/// [`DataType::same_kind`].
pub(super) fn same_kind(one: &DataType, other: &DataType) -> bool {
    mem::discriminant(one) == mem::discriminant(other) && one.row().shape.same_parameters(&other.row().shape)
}

/// The family of types that have the same values. The fields of the types are compared separately.
fn value_family(data_type: &DataType) -> ValueFamily<'_> {
    match (data_type.family(), data_type.row().shape) {
        (Family::Text, _) => ValueFamily::Text,
        // Binary values of any length, with offsets or views. Fixed-size binary has the family `Kind`, since types
        // of different sizes have different values.
        (Family::Binary, Shape::Plain) => ValueFamily::Binary,
        (Family::List, Shape::List(..)) => ValueFamily::List,
        (Family::Struct, _) => ValueFamily::Struct,
        (Family::Map, _) => ValueFamily::Map,
        (Family::Union, Shape::Union(union)) => ValueFamily::Union(union.type_ids()),
        (_, shape) => ValueFamily::Kind(mem::discriminant(data_type), shape),
    }
}

impl Shape<'_> {
    /// Whether two types with the same name have equal parameters. Children and values of dictionaries are not
    /// compared.
    fn same_parameters(&self, other: &Shape<'_>) -> bool {
        match (self, other) {
            (Shape::Decimal(precision, scale), Shape::Decimal(other_precision, other_scale)) => {
                (precision, scale) == (other_precision, other_scale)
            }
            (Shape::Unit(unit), Shape::Unit(other)) => unit == other,
            (Shape::Timestamp(unit, zone), Shape::Timestamp(other_unit, other_zone)) => {
                (unit, zone) == (other_unit, other_zone)
            }
            (Shape::FixedSizeBinary(size), Shape::FixedSizeBinary(other))
            | (Shape::FixedSizeList(_, size), Shape::FixedSizeList(_, other)) => size == other,
            (Shape::Map(map), Shape::Map(other)) => map.order() == other.order(),
            (Shape::Union(union), Shape::Union(other)) => {
                (union.mode(), union.type_ids()) == (other.mode(), other.type_ids())
            }
            (Shape::Dictionary(dictionary), Shape::Dictionary(other)) => {
                (dictionary.index(), dictionary.order()) == (other.index(), other.order())
            }
            (Shape::Plain, Shape::Plain)
            | (Shape::List(..), Shape::List(..))
            | (Shape::Struct(_), Shape::Struct(_))
            | (Shape::RunEndEncoded(_), Shape::RunEndEncoded(_)) => true,
            _ => false,
        }
    }
}

/// A family of types that have the same values if their fields have the same values.
enum ValueFamily<'a> {
    Text,
    Binary,
    List,
    Struct,
    Map,
    Union(&'a [i8]),
    // Only types of this kind with these parameters.
    Kind(mem::Discriminant<DataType>, Shape<'a>),
}

impl PartialEq for ValueFamily<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Union(ids), Self::Union(other)) => ids == other,
            (Self::Kind(kind, shape), Self::Kind(other, other_shape)) => {
                kind == other && shape.same_parameters(other_shape)
            }
            _ => mem::discriminant(self) == mem::discriminant(other),
        }
    }
}

impl ValueFamily<'_> {
    /// Whether the names of the fields are part of the values.
    fn has_names(&self) -> bool {
        match self {
            Self::Struct | Self::Union(_) => true,
            Self::Text | Self::Binary | Self::List | Self::Map | Self::Kind(..) => false,
        }
    }

    /// The fields to compare in a type of this family: for a map its key and its value, otherwise its children.
    fn fields<'a>(&self, data_type: &'a DataType) -> &'a [Field] {
        match self {
            Self::Map => data_type.children().first().map_or(&[], Field::children),
            Self::Struct | Self::Union(_) | Self::Text | Self::Binary | Self::List | Self::Kind(..) => {
                data_type.children()
            }
        }
    }
}
