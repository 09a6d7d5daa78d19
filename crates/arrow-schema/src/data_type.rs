//! The logical types of the format.
//!
//! Defines `DataType`: its variants, their meaning, and its methods. All other properties of a type are in its row of `table`.
//! Only `table` matches on all types.

mod compare;
mod construct;
mod dictionary_type;
mod map_type;
mod precision;
mod run_end_encoded_type;
mod size;
pub(crate) mod table;
mod union_type;
mod unit;

use std::{fmt, slice, sync::Arc};

use self::table::{Family, Shape, TypeRow};
use crate::{Field, PreOrder, QuotedText, TypeError};

pub use self::dictionary_type::{DictionaryOrder, DictionaryType, IndexType};
pub use self::map_type::{KeyOrder, MapType};
pub use self::precision::Precision;
pub use self::run_end_encoded_type::{RunEndEncodedType, RunEndType};
pub use self::size::FixedSize;
pub use self::union_type::{UnionMode, UnionType};
pub use self::unit::{IntervalUnit, Time32Unit, Time64Unit, TimeUnit};

/// The logical type of a column: one of the types of the Arrow format, with its parameters.
///
/// A value of this type is always valid: parameters that the format forbids cannot be represented, or the constructors
/// refuse them. A type takes at most 24 bytes, and a clone increments at most one reference count.
///
/// Types are equal only if the metadata of their child fields is equal, too; [`DataType::same_type`] ignores metadata.
/// [`std::fmt::Display`] writes the [text form](crate#text-form).
///
/// The list is complete: the format has no other types, so a `match` may list all variants.
///
/// ```
/// use arrow_schema::{DataType, Field};
///
/// let point = DataType::struct_([
///     Field::new("x", DataType::Float64).required(),
///     Field::new("y", DataType::Float64).required(),
/// ]);
/// assert_eq!(point.to_string(), "struct<x: float64 not null, y: float64 not null>");
/// assert_eq!(DataType::decimal128(38, -2)?.to_string(), "decimal128(38, -2)");
/// # Ok::<(), arrow_schema::TypeError>(())
/// ```
///
/// Specification: columnar format, "Data Types".
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DataType {
    /// Every value is null.
    Null,
    /// Booleans of one bit each.
    Boolean,
    /// A signed integer of 8 bits.
    Int8,
    /// A signed integer of 16 bits.
    Int16,
    /// A signed integer of 32 bits.
    Int32,
    /// A signed integer of 64 bits.
    Int64,
    /// An unsigned integer of 8 bits.
    UInt8,
    /// An unsigned integer of 16 bits.
    UInt16,
    /// An unsigned integer of 32 bits.
    UInt32,
    /// An unsigned integer of 64 bits.
    UInt64,
    /// An IEEE 754 number of 16 bits.
    Float16,
    /// An IEEE 754 number of 32 bits.
    Float32,
    /// An IEEE 754 number of 64 bits.
    Float64,
    /// A decimal number of at most 9 digits in 32 bits: the stored integer times 10 to the power of minus
    /// the scale.
    Decimal32(Precision<9>, i32),
    /// A decimal number of at most 18 digits in 64 bits.
    Decimal64(Precision<18>, i32),
    /// A decimal number of at most 38 digits in 128 bits.
    Decimal128(Precision<38>, i32),
    /// A decimal number of at most 76 digits in 256 bits.
    Decimal256(Precision<76>, i32),
    /// Days since 1970-01-01, in 32 bits.
    Date32,
    /// Milliseconds since 1970-01-01, in 64 bits; whole days only.
    Date64,
    /// The time of a day in seconds or milliseconds, in 32 bits.
    Time32(Time32Unit),
    /// The time of a day in microseconds or nanoseconds, in 64 bits.
    Time64(Time64Unit),
    /// A timestamp: the number of units since 1970-01-01 00:00:00, in 64 bits. If the type has a time zone, timestamps
    /// are in UTC; otherwise they are in local time of an unknown zone. An empty time zone is an unknown one, too, but
    /// the types differ.
    Timestamp(TimeUnit, Option<Arc<str>>),
    /// A length of time independent of calendars, in 64 bits.
    Duration(TimeUnit),
    /// A length of time in calendar units: months, days, and parts of a day.
    Interval(IntervalUnit),
    /// Byte strings that all have the same length.
    FixedSizeBinary(FixedSize),
    /// Byte strings with offsets of 32 bits.
    Binary,
    /// Byte strings with offsets of 64 bits.
    LargeBinary,
    /// Byte strings with views of 16 bytes. Short values are stored in the view.
    BinaryView,
    /// UTF-8 text with offsets of 32 bits.
    Utf8,
    /// UTF-8 text with offsets of 64 bits.
    LargeUtf8,
    /// UTF-8 text with views of 16 bytes. Short values are stored in the view.
    Utf8View,
    /// Lists with offsets of 32 bits.
    List(Arc<Field>),
    /// Lists with offsets of 64 bits.
    LargeList(Arc<Field>),
    /// Lists with offsets and sizes of 32 bits, which may refer to items in any order and may overlap.
    ListView(Arc<Field>),
    /// Lists with offsets and sizes of 64 bits, which may refer to items in any order and may overlap.
    LargeListView(Arc<Field>),
    /// Lists that all have the same number of items.
    FixedSizeList(Arc<Field>, FixedSize),
    /// A fixed sequence of fields; names may repeat and may be empty.
    Struct(Arc<[Field]>),
    /// Lists of pairs of a key and a value.
    Map(Arc<MapType>),
    /// A value of one of several types, selected by a type id.
    Union(Arc<UnionType>),
    /// Indices into a dictionary of values.
    Dictionary(Arc<DictionaryType>),
    /// Runs of equal values, each stored once with the end of its run.
    RunEndEncoded(Arc<RunEndEncodedType>),
}

impl DataType {
    /// The name of the type without its parameters. The [text form](crate#text-form) starts with it.
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// Whether the type is a signed or unsigned integer.
    pub fn is_integer(&self) -> bool {
        matches!(self.family(), Family::SignedInteger | Family::UnsignedInteger)
    }

    /// Whether the type is a signed integer.
    pub fn is_signed_integer(&self) -> bool {
        self.family() == Family::SignedInteger
    }

    /// Whether the type is an unsigned integer.
    pub fn is_unsigned_integer(&self) -> bool {
        self.family() == Family::UnsignedInteger
    }

    /// Whether the type is a number: an integer, a floating-point number or a decimal. Booleans and temporal types are not.
    pub fn is_numeric(&self) -> bool {
        self.is_integer() || self.is_floating_point() || self.is_decimal()
    }

    /// Whether the type is a floating-point number.
    pub fn is_floating_point(&self) -> bool {
        self.family() == Family::FloatingPoint
    }

    /// Whether the type is a decimal number of any width.
    pub fn is_decimal(&self) -> bool {
        self.family() == Family::Decimal
    }

    /// Whether the type is a date, a time, a timestamp, a duration or an interval.
    pub fn is_temporal(&self) -> bool {
        self.family() == Family::Temporal
    }

    /// Whether the values of the type are byte strings that need not be UTF-8.
    pub fn is_binary(&self) -> bool {
        self.family() == Family::Binary
    }

    /// Whether the values of the type are UTF-8: `utf8`, `large_utf8` or `utf8_view`.
    pub fn is_text(&self) -> bool {
        self.family() == Family::Text
    }

    /// Whether the values of the type are byte strings, UTF-8 or not, in any layout.
    pub fn is_binary_like(&self) -> bool {
        self.is_binary() || self.is_text()
    }

    /// Whether the type is a list of any kind; a map is not.
    pub fn is_list(&self) -> bool {
        self.family() == Family::List
    }

    /// Whether each slot has any number of items: a list of any kind, or a map.
    pub fn is_list_like(&self) -> bool {
        self.is_list() || self.is_map()
    }

    /// Whether the type is a struct: [`as_struct`](DataType::as_struct) returns its fields.
    pub fn is_struct(&self) -> bool {
        self.family() == Family::Struct
    }

    /// Whether the type is a map: [`as_map`](DataType::as_map) returns its fields.
    pub fn is_map(&self) -> bool {
        self.family() == Family::Map
    }

    /// Whether the type is a union, sparse or dense.
    pub fn is_union(&self) -> bool {
        self.family() == Family::Union
    }

    /// Whether the type is run-end encoded: [`as_run_end_encoded`](DataType::as_run_end_encoded) returns its fields.
    pub fn is_run_end_encoded(&self) -> bool {
        self.family() == Family::RunEndEncoded
    }

    /// Whether the type is dictionary-encoded: [`as_dictionary`](DataType::as_dictionary) returns its parameters.
    pub fn is_dictionary(&self) -> bool {
        self.family() == Family::Dictionary
    }

    /// Whether types of this kind have child fields: lists, structs, maps, unions and run-end encoded types. A dictionary has
    /// no child fields of its own.
    pub fn is_nested(&self) -> bool {
        match self.family() {
            Family::List | Family::Struct | Family::Map | Family::Union | Family::RunEndEncoded => true,
            Family::Null
            | Family::Boolean
            | Family::SignedInteger
            | Family::UnsignedInteger
            | Family::FloatingPoint
            | Family::Decimal
            | Family::Temporal
            | Family::Binary
            | Family::Text
            | Family::Dictionary => false,
        }
    }

    /// Whether each slot takes the same number of bits, so that [`bit_width`](DataType::bit_width) is a number.
    pub fn is_fixed_width(&self) -> bool {
        self.bit_width().is_some()
    }

    /// The width in bits of each slot in the buffer of values: 1 for a boolean, and the width of an index for a
    /// dictionary. `None` if the width varies, as for text and lists, or if there is no buffer of values, as for a
    /// struct or a fixed-size list.
    ///
    /// ```
    /// use arrow_schema::{DataType, IndexType};
    ///
    /// assert_eq!((DataType::Int32.bit_width(), DataType::Int32.byte_width()), (Some(32), Some(4)));
    /// assert_eq!((DataType::Boolean.bit_width(), DataType::Boolean.byte_width()), (Some(1), None));
    /// assert_eq!(DataType::fixed_size_binary(3)?.byte_width(), Some(3));
    /// assert_eq!(DataType::dictionary(IndexType::Int8, DataType::Utf8)?.bit_width(), Some(8));
    /// assert_eq!(DataType::Utf8.bit_width(), None);
    /// # Ok::<(), arrow_schema::TypeError>(())
    /// ```
    ///
    /// Specification: columnar format, "Fixed-Size Primitive Layout".
    pub fn bit_width(&self) -> Option<u64> {
        self.row().width
    }

    /// The bytes that each slot takes, if [`bit_width`](DataType::bit_width) is a whole number of bytes.
    pub fn byte_width(&self) -> Option<u64> {
        self.bit_width().filter(|n_bits| n_bits % 8 == 0).map(|n_bits| n_bits / 8)
    }

    /// The precision and the scale of a decimal; `None` for other types.
    pub fn as_decimal(&self) -> Option<(u8, i32)> {
        if let Shape::Decimal(precision, scale) = self.row().shape { Some((precision, scale)) } else { None }
    }

    /// The unit of a time, a timestamp, a duration or an interval, as written in the [text form](crate#text-form).
    ///
    /// ```
    /// use arrow_schema::{DataType, TimeUnit};
    ///
    /// assert_eq!(DataType::time(TimeUnit::Millisecond).unit(), Some("ms"));
    /// assert_eq!(DataType::Date32.unit(), None);
    /// ```
    pub fn unit(&self) -> Option<&'static str> {
        match self.row().shape {
            Shape::Unit(unit) => Some(unit),
            Shape::Timestamp(unit, _) => Some(unit.symbol()),
            Shape::Plain
            | Shape::Decimal(..)
            | Shape::FixedSizeBinary(_)
            | Shape::List(..)
            | Shape::FixedSizeList(..)
            | Shape::Struct(_)
            | Shape::Map(_)
            | Shape::Union(_)
            | Shape::Dictionary(_)
            | Shape::RunEndEncoded(_) => None,
        }
    }

    fn family(&self) -> Family {
        self.row().family
    }

    // Each of these functions matches one variant. A lookup in `row` would compile the whole table into every caller.

    /// The fields of a struct; `None` for other types.
    #[inline]
    pub fn as_struct(&self) -> Option<&[Field]> {
        if let DataType::Struct(fields) = self { Some(fields) } else { None }
    }

    /// The item field and the number of items of a fixed-size list; `None` for other types.
    #[inline]
    pub fn as_fixed_size_list(&self) -> Option<(&Field, FixedSize)> {
        if let DataType::FixedSizeList(item, size) = self { Some((item, *size)) } else { None }
    }

    /// The fields and the key order of a map; `None` for other types.
    #[inline]
    pub fn as_map(&self) -> Option<&MapType> {
        if let DataType::Map(map) = self { Some(map) } else { None }
    }

    /// The children, type ids and mode of a union; `None` for other types.
    #[inline]
    pub fn as_union(&self) -> Option<&UnionType> {
        if let DataType::Union(union) = self { Some(union) } else { None }
    }

    /// The index type, value type and order of a dictionary-encoded type; `None` for other types.
    #[inline]
    pub fn as_dictionary(&self) -> Option<&DictionaryType> {
        if let DataType::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// The run ends and the values of a run-end encoded type; `None` for other types.
    #[inline]
    pub fn as_run_end_encoded(&self) -> Option<&RunEndEncodedType> {
        if let DataType::RunEndEncoded(runs) = self { Some(runs) } else { None }
    }

    /// The unit and the time zone of a timestamp; `None` for other types. The zone is `None` if it is unset or empty: both are an
    /// unknown zone (`Timestamp` in `Schema.fbs`).
    #[inline]
    pub fn as_timestamp(&self) -> Option<(TimeUnit, Option<&str>)> {
        let DataType::Timestamp(unit, zone) = self else { return None };
        Some((*unit, zone.as_deref().filter(|zone| !zone.is_empty())))
    }

    /// The child fields of this type, in the order of the format; empty for flat types.
    ///
    /// A list has one child. A map has one child: its entries. A run-end encoded type has two children. A dictionary
    /// has no children, since its values are separate: see [`DataType::as_dictionary`] and
    /// [`DataType::value_children`].
    pub fn children(&self) -> &[Field] {
        match self.row().shape {
            Shape::Plain
            | Shape::Decimal(..)
            | Shape::Unit(_)
            | Shape::Timestamp(..)
            | Shape::FixedSizeBinary(_)
            | Shape::Dictionary(_) => &[],
            Shape::List(item, _) | Shape::FixedSizeList(item, _) => slice::from_ref(item),
            Shape::Struct(fields) => fields,
            Shape::Map(map) => slice::from_ref(map.entries()),
            Shape::Union(union) => union.fields(),
            Shape::RunEndEncoded(runs) => runs.children(),
        }
    }

    /// The children of this type. For a dictionary, the children of its value type.
    ///
    /// These are the fields that a schema message nests below a field of this type.
    pub fn value_children(&self) -> &[Field] {
        self.value_type().children()
    }

    /// The value type of a dictionary-encoded type; every other type unchanged.
    pub fn value_type(&self) -> &DataType {
        match self.as_dictionary() {
            Some(dictionary) => dictionary.value(),
            None => self,
        }
    }

    /// The number of levels: 1 for a flat type, otherwise the depth of the deepest child plus 1.
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

    /// Replaces the child fields, and keeps the kind of the type and its parameters.
    ///
    /// A flat type or a dictionary has no children. A struct may have any number. A union keeps its type ids, so the
    /// number of its children must stay the same.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field};
    ///
    /// let list = DataType::large_list(Field::new("item", DataType::Int8));
    /// let renamed = list.with_children(vec![Field::new("element", DataType::Int8)])?;
    /// assert_eq!(renamed.to_string(), "large_list<element: int8>");
    /// # Ok::<(), arrow_schema::TypeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TypeError::ChildCount`] if a type of this kind cannot have this number of children, and otherwise the errors of the
    /// constructor of the kind.
    pub fn with_children(&self, children: Vec<Field>) -> Result<DataType, TypeError> {
        construct::with_children(self, children)
    }

    /// The type of the same values without dictionaries and run-end encoding, at any depth. Keeps names, nullability and
    /// metadata of children. Recurses once for each level.
    ///
    /// ```
    /// use arrow_schema::DataType;
    ///
    /// let encoded: DataType = "list<item: dictionary<int8, utf8>>".parse()?;
    /// assert_eq!(encoded.to_decoded().to_string(), "list<item: utf8>");
    /// # Ok::<(), arrow_schema::ParseError>(())
    /// ```
    #[must_use]
    pub fn to_decoded(&self) -> DataType {
        construct::to_decoded(self)
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

    /// Whether the two types are equal, including names, types and nullability of child fields. Ignores the metadata of
    /// fields at every depth.
    pub fn same_type(&self, other: &DataType) -> bool {
        compare::same_type(self, other)
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
        compare::same_values(self, other)
    }

    /// Whether the kind and the parameters of both types are equal. Children and values of dictionaries are not
    /// compared.
    pub(crate) fn same_kind(&self, other: &DataType) -> bool {
        compare::same_kind(self, other)
    }
}

/// Writes the [text form](crate#text-form), without metadata. Recurses once per level.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TypeRow { name, family: _, width: _, shape } = self.row();
        f.write_str(name)?;
        match shape {
            Shape::Plain => Ok(()),
            Shape::Decimal(precision, scale) => write!(f, "({precision}, {scale})"),
            Shape::Unit(unit) => write!(f, "({unit})"),
            Shape::Timestamp(unit, None) => write!(f, "({unit})"),
            Shape::Timestamp(unit, Some(zone)) => write!(f, "({unit}, {})", QuotedText(zone)),
            Shape::FixedSizeBinary(size) => write!(f, "({size})"),
            Shape::List(item, _) => write!(f, "<{item}>"),
            Shape::FixedSizeList(item, size) => write!(f, "<{item}; {size}>"),
            Shape::Struct(fields) => write_fields(f, fields),
            Shape::Map(map) => {
                write!(f, "<{}{}>", map.entries(), if map.keys_sorted() { ", sorted" } else { "" })
            }
            Shape::Union(union) => {
                f.write_str("<")?;
                for (position, (type_id, field)) in union.type_ids().iter().zip(union.fields()).enumerate() {
                    write!(f, "{}{type_id}={field}", separator(position))?;
                }
                f.write_str(">")
            }
            Shape::Dictionary(dictionary) => {
                let order = if dictionary.is_ordered() { ", ordered" } else { "" };
                write!(f, "<{}, {}{order}>", dictionary.index(), dictionary.value())
            }
            Shape::RunEndEncoded(runs) => write_fields(f, runs.children()),
        }
    }
}

fn write_fields(f: &mut fmt::Formatter<'_>, fields: &[Field]) -> fmt::Result {
    f.write_str("<")?;
    for (position, field) in fields.iter().enumerate() {
        write!(f, "{}{field}", separator(position))?;
    }
    f.write_str(">")
}

fn separator(position: usize) -> &'static str {
    if position == 0 { "" } else { ", " }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_small() {
        assert!(size_of::<DataType>() <= 24, "{}", size_of::<DataType>());
        assert!(size_of::<Option<DataType>>() <= 24, "{}", size_of::<Option<DataType>>());
        assert!(size_of::<Field>() <= 64, "{}", size_of::<Field>());
    }
}
