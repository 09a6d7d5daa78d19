//! What sort of type it is.

use crate::{DataType, UnionMode};

/// The families of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Null,
    Boolean,
    SignedInteger,
    UnsignedInteger,
    FloatingPoint,
    Decimal,
    Temporal,
    Binary,
    Text,
    List,
    Struct,
    Map,
    Union,
    Dictionary,
    RunEndEncoded,
}

impl DataType {
    /// The name of the type without its parameters, as the [text form](crate#text-form) begins.
    pub fn name(&self) -> &'static str {
        self.kind().0
    }

    /// Whether it is a signed or unsigned integer.
    pub fn is_integer(&self) -> bool {
        matches!(self.family(), Family::SignedInteger | Family::UnsignedInteger)
    }

    /// Whether it is a signed integer.
    pub fn is_signed_integer(&self) -> bool {
        self.family() == Family::SignedInteger
    }

    /// Whether it is a floating-point number.
    pub fn is_floating_point(&self) -> bool {
        self.family() == Family::FloatingPoint
    }

    /// Whether it is a decimal number of any width.
    pub fn is_decimal(&self) -> bool {
        self.family() == Family::Decimal
    }

    /// Whether it is a date, a time, a timestamp, a duration or an interval.
    pub fn is_temporal(&self) -> bool {
        self.family() == Family::Temporal
    }

    /// Whether it holds strings of bytes that need not be text.
    pub fn is_binary(&self) -> bool {
        self.family() == Family::Binary
    }

    /// Whether it holds UTF-8 text.
    pub fn is_text(&self) -> bool {
        self.family() == Family::Text
    }

    /// Whether it is a list of any kind; a map is not.
    pub fn is_list(&self) -> bool {
        self.family() == Family::List
    }

    /// Whether it is dictionary-encoded.
    pub fn is_dictionary(&self) -> bool {
        self.family() == Family::Dictionary
    }

    /// Whether it has child fields by its kind: a list, a struct, a map, a union or a run-end encoded type.
    /// A dictionary has none of its own.
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

    fn family(&self) -> Family {
        self.kind().1
    }

    fn kind(&self) -> (&'static str, Family) {
        match self {
            Self::Null => ("null", Family::Null),
            Self::Boolean => ("bool", Family::Boolean),
            Self::Int8 => ("int8", Family::SignedInteger),
            Self::Int16 => ("int16", Family::SignedInteger),
            Self::Int32 => ("int32", Family::SignedInteger),
            Self::Int64 => ("int64", Family::SignedInteger),
            Self::UInt8 => ("uint8", Family::UnsignedInteger),
            Self::UInt16 => ("uint16", Family::UnsignedInteger),
            Self::UInt32 => ("uint32", Family::UnsignedInteger),
            Self::UInt64 => ("uint64", Family::UnsignedInteger),
            Self::Float16 => ("float16", Family::FloatingPoint),
            Self::Float32 => ("float32", Family::FloatingPoint),
            Self::Float64 => ("float64", Family::FloatingPoint),
            Self::Decimal32(..) => ("decimal32", Family::Decimal),
            Self::Decimal64(..) => ("decimal64", Family::Decimal),
            Self::Decimal128(..) => ("decimal128", Family::Decimal),
            Self::Decimal256(..) => ("decimal256", Family::Decimal),
            Self::Date32 => ("date32", Family::Temporal),
            Self::Date64 => ("date64", Family::Temporal),
            Self::Time32(_) => ("time32", Family::Temporal),
            Self::Time64(_) => ("time64", Family::Temporal),
            Self::Timestamp(..) => ("timestamp", Family::Temporal),
            Self::Duration(_) => ("duration", Family::Temporal),
            Self::Interval(_) => ("interval", Family::Temporal),
            Self::FixedSizeBinary(_) => ("fixed_size_binary", Family::Binary),
            Self::Binary => ("binary", Family::Binary),
            Self::LargeBinary => ("large_binary", Family::Binary),
            Self::BinaryView => ("binary_view", Family::Binary),
            Self::Utf8 => ("utf8", Family::Text),
            Self::LargeUtf8 => ("large_utf8", Family::Text),
            Self::Utf8View => ("utf8_view", Family::Text),
            Self::List(_) => ("list", Family::List),
            Self::LargeList(_) => ("large_list", Family::List),
            Self::ListView(_) => ("list_view", Family::List),
            Self::LargeListView(_) => ("large_list_view", Family::List),
            Self::FixedSizeList(..) => ("fixed_size_list", Family::List),
            Self::Struct(_) => ("struct", Family::Struct),
            Self::Map(_) => ("map", Family::Map),
            Self::Union(union) => match union.mode() {
                UnionMode::Sparse => ("sparse_union", Family::Union),
                UnionMode::Dense => ("dense_union", Family::Union),
            },
            Self::Dictionary(_) => ("dictionary", Family::Dictionary),
            Self::RunEndEncoded(_) => ("run_end_encoded", Family::RunEndEncoded),
        }
    }
}
