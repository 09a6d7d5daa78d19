//! Compares types without the metadata of their fields.

use std::mem;

use super::table::{Family, Shape};
use crate::{DataType, Field};

impl DataType {
    /// Whether the two types are equal, including names, types and nullability of child fields. Ignores the metadata of
    /// fields at every depth.
    pub fn same_type(&self, other: &DataType) -> bool {
        if mem::discriminant(self) != mem::discriminant(other) {
            return false;
        }
        let shape = self.row().shape;
        // A fast path for types without parameters: most columns have such a type, and every batch compares all of its
        // columns.
        if matches!(shape, Shape::Plain) {
            return true;
        }
        shape.same_parameters(&other.row().shape)
            && match (self.as_dictionary(), other.as_dictionary()) {
                (Some(left), Some(right)) => left.value().same_type(right.value()),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            }
            && {
                let (left, right) = (self.children(), other.children());
                std::ptr::eq(left, right)
                    || left.len() == right.len()
                        && left.iter().zip(right).all(|(left, right)| left.same_column(right))
            }
    }

    /// Whether the two types can have the same values, in any encoding and layout.
    ///
    /// A dictionary or run-end encoded type equals the type of its values, at every depth. All utf8 types are equal.
    /// All binary types with offsets or views are equal. All lists with offsets or views are equal. Sparse and dense
    /// unions are equal. The comparison ignores nullability, metadata, the order of dictionaries and of the keys of
    /// maps, and the names of items, entries, keys, values and run ends. Structs and unions need the same names in the
    /// same order, and unions also the same type ids. Widths, units, time zones, precisions, scales and fixed sizes
    /// must be equal.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, IndexType};
    ///
    /// let words = DataType::list(Field::new("item", DataType::Utf8));
    /// let encoded = DataType::dictionary(IndexType::Int8, DataType::Utf8View)?;
    /// assert!(words.same_values(&DataType::large_list(Field::new("element", encoded))));
    /// assert!(!DataType::Int32.same_values(&DataType::Int64));
    /// # Ok::<(), arrow_schema::TypeError>(())
    /// ```
    pub fn same_values(&self, other: &DataType) -> bool {
        let (left, right) = (self.decoded(), other.decoded());
        let (left_family, right_family) = (left.value_family(), right.value_family());
        let names_count = left_family.has_names();
        let (left, right) = (left_family.fields(left), right_family.fields(right));
        left_family == right_family
            && left.len() == right.len()
            && left.iter().zip(right).all(|(left, right)| {
                (!names_count || left.name() == right.name())
                    && left.data_type().same_values(right.data_type())
            })
    }

    /// The type of the values after decoding: without dictionaries and run-end encoding around it. Does not recurse.
    pub(crate) fn decoded(&self) -> &DataType {
        let mut decoded = self;
        loop {
            decoded = match (decoded.as_dictionary(), decoded.as_run_end_encoded()) {
                (Some(dictionary), _) => dictionary.value(),
                (None, Some(runs)) => runs.values().data_type(),
                (None, None) => return decoded,
            };
        }
    }

    /// The family of types that have the same values. The fields of the types are compared separately.
    fn value_family(&self) -> ValueFamily<'_> {
        match (self.family(), self.row().shape) {
            (Family::Text, _) => ValueFamily::Text,
            // Binary values of any length, with offsets or views. Fixed-size binary has the family `Kind`, since types
            // of different sizes have different values.
            (Family::Binary, Shape::Plain) => ValueFamily::Binary,
            (Family::List, Shape::List(..)) => ValueFamily::List,
            (Family::Struct, _) => ValueFamily::Struct,
            (Family::Map, _) => ValueFamily::Map,
            (Family::Union, Shape::Union(union)) => ValueFamily::Union(union.type_ids()),
            (_, shape) => ValueFamily::Kind(mem::discriminant(self), shape),
        }
    }

    /// Whether the kind and the parameters of both types are equal. Children and values of dictionaries are not
    /// compared.
    pub(crate) fn same_kind(&self, other: &DataType) -> bool {
        mem::discriminant(self) == mem::discriminant(other)
            && self.row().shape.same_parameters(&other.row().shape)
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
