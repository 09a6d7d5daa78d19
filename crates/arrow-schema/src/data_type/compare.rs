//! Comparing types without the metadata of their fields.

use std::mem;

use crate::{DataType, DictionaryOrder, FixedSize, IndexType, IntervalUnit, KeyOrder, TimeUnit, UnionMode};

impl DataType {
    /// Whether the two types are equal when metadata is left out at every depth.
    ///
    /// Names, types and nullability of child fields count.
    pub fn same_type(&self, other: &DataType) -> bool {
        self.same_kind(other)
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

    /// Whether kind and parameters are equal; looks neither at children nor at the values of dictionaries.
    pub(crate) fn same_kind(&self, other: &DataType) -> bool {
        mem::discriminant(self) == mem::discriminant(other) && self.parameters() == other.parameters()
    }

    fn parameters(&self) -> Parameters<'_> {
        match self {
            Self::Null
            | Self::Boolean
            | Self::Int8
            | Self::Int16
            | Self::Int32
            | Self::Int64
            | Self::UInt8
            | Self::UInt16
            | Self::UInt32
            | Self::UInt64
            | Self::Float16
            | Self::Float32
            | Self::Float64
            | Self::Date32
            | Self::Date64
            | Self::Binary
            | Self::LargeBinary
            | Self::BinaryView
            | Self::Utf8
            | Self::LargeUtf8
            | Self::Utf8View
            | Self::List(_)
            | Self::LargeList(_)
            | Self::ListView(_)
            | Self::LargeListView(_)
            | Self::Struct(_)
            | Self::RunEndEncoded(_) => Parameters::None,
            Self::Decimal32(precision, scale) => Parameters::Decimal(precision.get(), *scale),
            Self::Decimal64(precision, scale) => Parameters::Decimal(precision.get(), *scale),
            Self::Decimal128(precision, scale) => Parameters::Decimal(precision.get(), *scale),
            Self::Decimal256(precision, scale) => Parameters::Decimal(precision.get(), *scale),
            Self::Time32(unit) => Parameters::Time((*unit).into(), None),
            Self::Time64(unit) => Parameters::Time((*unit).into(), None),
            Self::Timestamp(unit, zone) => Parameters::Time(*unit, zone.as_deref()),
            Self::Duration(unit) => Parameters::Time(*unit, None),
            Self::Interval(unit) => Parameters::Interval(*unit),
            Self::FixedSizeBinary(size) | Self::FixedSizeList(_, size) => Parameters::Size(*size),
            Self::Map(map) => Parameters::Map(map.order()),
            Self::Union(union) => Parameters::Union(union.mode(), union.type_ids()),
            Self::Dictionary(dictionary) => Parameters::Dictionary(dictionary.index(), dictionary.order()),
        }
    }
}

/// The parameters of a type other than its children.
#[derive(PartialEq)]
enum Parameters<'a> {
    None,
    Decimal(u8, i32),
    Time(TimeUnit, Option<&'a str>),
    Interval(IntervalUnit),
    Size(FixedSize),
    Map(KeyOrder),
    Union(UnionMode, &'a [i8]),
    Dictionary(IndexType, DictionaryOrder),
}
