//! Comparing types without the metadata of their fields.

use std::mem;

use crate::{
    DataType, DictionaryOrder, Field, FixedSize, IndexType, IntervalUnit, KeyOrder, TimeUnit, UnionMode,
};

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

    /// Whether the two types hold the same values, however these are encoded and laid out.
    ///
    /// Dictionary and run-end encoded types are read through to their values, at every depth. Text is text and
    /// binary is binary, with offsets of either width or as views; lists are lists, with offsets of either width
    /// or as views; sparse and dense unions are one. Neither nullability nor metadata counts, nor the order of
    /// dictionaries and of the keys of maps, nor the names of items, entries, keys, values and run ends. Structs
    /// and unions need the same names in the same order, unions also the same type ids. All else counts: widths,
    /// units, time zones, precisions, scales and fixed sizes.
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

    /// The type without the encodings around it: no dictionary and not run-end encoded. Does not recurse.
    fn decoded(&self) -> &DataType {
        let mut decoded = self;
        loop {
            decoded = match (decoded.as_dictionary(), decoded.as_run_end_encoded()) {
                (Some(dictionary), _) => dictionary.value(),
                (None, Some(runs)) => runs.values().data_type(),
                (None, None) => return decoded,
            };
        }
    }

    /// What types of the same values have in common, their fields left out.
    fn value_family(&self) -> ValueFamily<'_> {
        match self {
            Self::Utf8 | Self::LargeUtf8 | Self::Utf8View => ValueFamily::Text,
            Self::Binary | Self::LargeBinary | Self::BinaryView => ValueFamily::Binary,
            Self::List(_) | Self::LargeList(_) | Self::ListView(_) | Self::LargeListView(_) => {
                ValueFamily::List
            }
            Self::Struct(_) => ValueFamily::Struct,
            Self::Map(_) => ValueFamily::Map,
            Self::Union(union) => ValueFamily::Union(union.type_ids()),
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
            | Self::Decimal32(..)
            | Self::Decimal64(..)
            | Self::Decimal128(..)
            | Self::Decimal256(..)
            | Self::Date32
            | Self::Date64
            | Self::Time32(_)
            | Self::Time64(_)
            | Self::Timestamp(..)
            | Self::Duration(_)
            | Self::Interval(_)
            | Self::FixedSizeBinary(_)
            | Self::FixedSizeList(..)
            | Self::Dictionary(_)
            | Self::RunEndEncoded(_) => ValueFamily::Kind(mem::discriminant(self), self.parameters()),
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

/// Types that hold the same values if their fields do.
#[derive(PartialEq)]
enum ValueFamily<'a> {
    Text,
    Binary,
    List,
    Struct,
    Map,
    Union(&'a [i8]),
    // Nothing but types of this kind with these parameters.
    Kind(mem::Discriminant<DataType>, Parameters<'a>),
}

impl ValueFamily<'_> {
    /// Whether the names of the fields are part of the values.
    fn has_names(&self) -> bool {
        match self {
            Self::Struct | Self::Union(_) => true,
            Self::Text | Self::Binary | Self::List | Self::Map | Self::Kind(..) => false,
        }
    }

    /// The fields of the values of a type of this family: for a map its key and its value.
    fn fields<'a>(&self, data_type: &'a DataType) -> &'a [Field] {
        match self {
            Self::Map => data_type.children().first().map_or(&[], Field::children),
            Self::Struct | Self::Union(_) | Self::Text | Self::Binary | Self::List | Self::Kind(..) => {
                data_type.children()
            }
        }
    }
}
