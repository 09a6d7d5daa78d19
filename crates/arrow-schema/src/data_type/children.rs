//! What is inside a type: child fields, and the parts of the types that have a struct of their own.

use std::slice;

use crate::{
    DataType, DictionaryType, Field, FixedSize, MapType, PreOrder, RunEndEncodedType, TimeUnit, UnionType,
};

impl DataType {
    /// The child fields of this type, in the order of the format; empty for flat types.
    ///
    /// A list has one, a map one (its entries), a run-end encoded type two. A dictionary has none: its
    /// values are kept apart, see [`DataType::as_dictionary`] and [`DataType::value_children`].
    pub fn children(&self) -> &[Field] {
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
            | Self::Binary
            | Self::LargeBinary
            | Self::BinaryView
            | Self::Utf8
            | Self::LargeUtf8
            | Self::Utf8View
            | Self::Dictionary(_) => &[],
            Self::List(item)
            | Self::LargeList(item)
            | Self::ListView(item)
            | Self::LargeListView(item)
            | Self::FixedSizeList(item, _) => slice::from_ref(item),
            Self::Struct(fields) => fields,
            Self::Map(map) => slice::from_ref(map.entries()),
            Self::Union(union) => union.fields(),
            Self::RunEndEncoded(runs) => runs.children(),
        }
    }

    /// The children of this type or, for a dictionary, those of its value type.
    ///
    /// These are the fields that a schema message nests below a field of this type.
    pub fn value_children(&self) -> &[Field] {
        self.value_type().children()
    }

    /// The value type of a dictionary; every other type as it is.
    pub fn value_type(&self) -> &DataType {
        match self.as_dictionary() {
            Some(dictionary) => dictionary.value(),
            None => self,
        }
    }

    /// The number of levels: 1 for a flat type, one more than the deepest child for others.
    ///
    /// A dictionary is as deep as its value type. Does not recurse.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field};
    ///
    /// assert_eq!(DataType::Int32.depth(), 1);
    /// assert_eq!(DataType::list(Field::new("item", DataType::Int32)).depth(), 2);
    /// ```
    pub fn depth(&self) -> usize {
        let mut below = PreOrder::new(self.value_children());
        let mut deepest = 0;
        while below.next().is_some() {
            deepest = deepest.max(below.depth());
        }
        deepest + 1
    }

    /// The fields of a struct.
    pub fn as_struct(&self) -> Option<&[Field]> {
        if let Self::Struct(fields) = self { Some(fields) } else { None }
    }

    /// The items of a list whose lists all have the same length, and that length.
    pub fn as_fixed_size_list(&self) -> Option<(&Field, FixedSize)> {
        if let Self::FixedSizeList(item, size) = self { Some((item, *size)) } else { None }
    }

    /// The parts of a map.
    pub fn as_map(&self) -> Option<&MapType> {
        if let Self::Map(map) = self { Some(map) } else { None }
    }

    /// The parts of a union.
    pub fn as_union(&self) -> Option<&UnionType> {
        if let Self::Union(union) = self { Some(union) } else { None }
    }

    /// The parts of a dictionary-encoded type.
    pub fn as_dictionary(&self) -> Option<&DictionaryType> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// The parts of a run-end encoded type.
    pub fn as_run_end_encoded(&self) -> Option<&RunEndEncodedType> {
        if let Self::RunEndEncoded(runs) = self { Some(runs) } else { None }
    }

    /// The unit and the time zone of a timestamp.
    pub fn as_timestamp(&self) -> Option<(TimeUnit, Option<&str>)> {
        if let Self::Timestamp(unit, zone) = self { Some((*unit, zone.as_deref())) } else { None }
    }
}
