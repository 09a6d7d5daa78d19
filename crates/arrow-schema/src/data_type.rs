//! The logical types of the format.
//!
//! Defines `DataType`: its variants and their meaning. All other properties of a type are in its row of `table`. Only this file and `table`
//! match on all types.

mod children;
mod compare;
mod construct;
mod dictionary_type;
mod display;
mod kind;
mod map_type;
mod precision;
mod run_end_encoded_type;
mod size;
pub(crate) mod table;
mod union_type;
mod unit;

use std::sync::Arc;

use crate::Field;

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
