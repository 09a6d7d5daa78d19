//! The notation of the values of each type in the member `DATA` of documents.
//!
//! In this crate, only this file and the generator match on [`DataType`].

use arrow_schema::{DataType, IndexType, IntervalUnit};

/// The notation of values of a type: the kind of JSON, and the kind of number in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// There are no values, only validity and children.
    None,
    /// `true` and `false`.
    Boolean,
    Int8,
    Int16,
    Int32,
    /// From here on, integers of 64 bits and more are strings of digits.
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    /// Unscaled integers, always strings.
    Decimal32,
    Decimal64,
    Decimal128,
    Decimal256,
    /// An object of days and milliseconds.
    DayTime,
    /// An object of months, days and nanoseconds.
    MonthDayNano,
    /// Two upper-case digits for each byte.
    Hex,
    /// A string.
    Text,
}

/// The notation of values of this type. For a dictionary-encoded type, it is that of the indices.
pub(crate) fn notation(data_type: &DataType) -> Notation {
    use DataType as T;
    match data_type {
        T::Null
        | T::List(_)
        | T::LargeList(_)
        | T::ListView(_)
        | T::LargeListView(_)
        | T::FixedSizeList(..)
        | T::Struct(_)
        | T::Map(_)
        | T::Union(_)
        | T::RunEndEncoded(_) => Notation::None,
        T::Boolean => Notation::Boolean,
        T::Int8 => Notation::Int8,
        T::Int16 => Notation::Int16,
        T::Int32 | T::Date32 | T::Time32(_) | T::Interval(IntervalUnit::YearMonth) => Notation::Int32,
        T::Int64 | T::Date64 | T::Time64(_) | T::Timestamp(..) | T::Duration(_) => Notation::Int64,
        T::UInt8 => Notation::UInt8,
        T::UInt16 => Notation::UInt16,
        T::UInt32 => Notation::UInt32,
        T::UInt64 => Notation::UInt64,
        T::Float16 => Notation::Float16,
        T::Float32 => Notation::Float32,
        T::Float64 => Notation::Float64,
        T::Decimal32(..) => Notation::Decimal32,
        T::Decimal64(..) => Notation::Decimal64,
        T::Decimal128(..) => Notation::Decimal128,
        T::Decimal256(..) => Notation::Decimal256,
        T::Interval(IntervalUnit::DayTime) => Notation::DayTime,
        T::Interval(IntervalUnit::MonthDayNano) => Notation::MonthDayNano,
        T::FixedSizeBinary(_) | T::Binary | T::LargeBinary | T::BinaryView => Notation::Hex,
        T::Utf8 | T::LargeUtf8 | T::Utf8View => Notation::Text,
        T::Dictionary(dictionary) => match dictionary.index() {
            IndexType::Int8 => Notation::Int8,
            IndexType::Int16 => Notation::Int16,
            IndexType::Int32 => Notation::Int32,
            IndexType::Int64 => Notation::Int64,
            IndexType::UInt8 => Notation::UInt8,
            IndexType::UInt16 => Notation::UInt16,
            IndexType::UInt32 => Notation::UInt32,
            IndexType::UInt64 => Notation::UInt64,
        },
    }
}
