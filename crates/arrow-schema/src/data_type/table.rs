//! The table of types: each type's name, family and shape, in one row.
//!
//! A new type needs a row here, a row in [`layout`](https://docs.rs/arrow-data), and its form in schema messages. All
//! other code of this crate depends only on families and shapes.

use super::{
    DataType, DictionaryType, FixedSize, IntervalUnit, MapType, Precision, RunEndEncodedType, Time32Unit,
    Time64Unit, TimeUnit, UnionMode, UnionType,
};
use crate::{Field, TypeError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
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

/// The parameters of a type. All types with the same variant have the same kinds of parameters and children, and the same text form.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape<'a> {
    /// No parameters.
    Plain,
    /// A precision and a scale.
    Decimal(u8, i32),
    /// A unit, as it is written in the text form.
    Unit(&'static str),
    Timestamp(TimeUnit, Option<&'a str>),
    FixedSizeBinary(FixedSize),
    /// The field of the items, and a function that makes the type with another field.
    List(&'a Field, fn(Field) -> DataType),
    FixedSizeList(&'a Field, FixedSize),
    Struct(&'a [Field]),
    Map(&'a MapType),
    Union(&'a UnionType),
    Dictionary(&'a DictionaryType),
    RunEndEncoded(&'a RunEndEncodedType),
}

/// The parameters that follow a name in the text form.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// No parameters: the name is the type.
    Plain(DataType),
    /// A scale, and a precision of at most `max_digits` digits.
    Decimal {
        max_digits: u8,
        new: fn(i32, i32) -> Result<DataType, TypeError>,
    },
    /// One of these units.
    Unit(&'static [(&'static str, DataType)]),
    Timestamp,
    FixedSizeBinary,
    List(fn(Field) -> DataType),
    FixedSizeList,
    Struct,
    Map,
    Union(UnionMode),
    Dictionary,
    RunEndEncoded,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TypeRow<'a> {
    pub(super) name: &'static str,
    pub(super) family: Family,
    /// The number of bits that each slot takes in the data buffer, if it is the same for all slots.
    pub(super) width: Option<u64>,
    pub(super) shape: Shape<'a>,
}

macro_rules! types {
    (
        plain { $($plain:ident = $plain_name:literal, $plain_family:ident, $plain_width:expr;)* }
        decimals { $($decimal:ident = $decimal_name:literal, $max_digits:literal, $decimal_width:literal;)* }
        units {
            $($with_unit:ident = $unit_name:literal, $unit_type:ident {
                $($unit:ident = $symbol:literal, $unit_width:literal);+
            };)*
        }
        lists { $($list:ident = $list_name:literal, $new_list:ident;)* }
        others {
            $($pattern:pat => $name:expr, $family:ident, $width:expr, $shape:expr,
                [$($form_name:literal = $form:expr),+];)*
        }
    ) => {
        impl DataType {
            /// The row of this type. The function is inlined, so that a caller that needs one field of the row does not compute the others.
            #[inline(always)]
            pub(super) fn row(&self) -> TypeRow<'_> {
                let (name, family, width, shape) = match self {
                    $(DataType::$plain => ($plain_name, Family::$plain_family, $plain_width, Shape::Plain),)*
                    $(DataType::$decimal(precision, scale) => {
                        let shape = Shape::Decimal(precision.get(), *scale);
                        ($decimal_name, Family::Decimal, Some($decimal_width), shape)
                    })*
                    $($(DataType::$with_unit($unit_type::$unit) => {
                        ($unit_name, Family::Temporal, Some($unit_width), Shape::Unit($symbol))
                    })+)*
                    $(DataType::$list(item) => {
                        ($list_name, Family::List, None, Shape::List(item, DataType::$new_list))
                    })*
                    $($pattern => ($name, Family::$family, $width, $shape),)*
                };
                TypeRow { name, family, width, shape }
            }
        }

        impl Form {
            pub(crate) fn from_name(name: &str) -> Option<Form> {
                Some(match name {
                    $($plain_name => Form::Plain(DataType::$plain),)*
                    $($decimal_name => {
                        let new = |n_digits, scale| Ok(DataType::$decimal(Precision::try_from(n_digits)?, scale));
                        Form::Decimal { max_digits: $max_digits, new }
                    })*
                    $($unit_name => {
                        const UNITS: &[(&str, DataType)] =
                            &[$(($symbol, DataType::$with_unit($unit_type::$unit))),+];
                        Form::Unit(UNITS)
                    })*
                    $($list_name => Form::List(DataType::$new_list),)*
                    $($($form_name => $form,)+)*
                    _ => return None,
                })
            }
        }

        /// The names of all types.
        pub(crate) const NAMES: &[&str] = &[
            $($plain_name,)*
            $($decimal_name,)*
            $($unit_name,)*
            $($list_name,)*
            $($($form_name,)+)*
        ];
    };
}

types! {
    plain {
        Null = "null", Null, None;
        Boolean = "bool", Boolean, Some(1);
        Int8 = "int8", SignedInteger, Some(8);
        Int16 = "int16", SignedInteger, Some(16);
        Int32 = "int32", SignedInteger, Some(32);
        Int64 = "int64", SignedInteger, Some(64);
        UInt8 = "uint8", UnsignedInteger, Some(8);
        UInt16 = "uint16", UnsignedInteger, Some(16);
        UInt32 = "uint32", UnsignedInteger, Some(32);
        UInt64 = "uint64", UnsignedInteger, Some(64);
        Float16 = "float16", FloatingPoint, Some(16);
        Float32 = "float32", FloatingPoint, Some(32);
        Float64 = "float64", FloatingPoint, Some(64);
        Date32 = "date32", Temporal, Some(32);
        Date64 = "date64", Temporal, Some(64);
        Binary = "binary", Binary, None;
        LargeBinary = "large_binary", Binary, None;
        BinaryView = "binary_view", Binary, None;
        Utf8 = "utf8", Text, None;
        LargeUtf8 = "large_utf8", Text, None;
        Utf8View = "utf8_view", Text, None;
    }
    decimals {
        Decimal32 = "decimal32", 9, 32;
        Decimal64 = "decimal64", 18, 64;
        Decimal128 = "decimal128", 38, 128;
        Decimal256 = "decimal256", 76, 256;
    }
    units {
        Time32 = "time32", Time32Unit { Second = "s", 32; Millisecond = "ms", 32 };
        Time64 = "time64", Time64Unit { Microsecond = "us", 64; Nanosecond = "ns", 64 };
        Duration = "duration", TimeUnit {
            Second = "s", 64; Millisecond = "ms", 64; Microsecond = "us", 64; Nanosecond = "ns", 64
        };
        Interval = "interval", IntervalUnit {
            YearMonth = "year_month", 32; DayTime = "day_time", 64; MonthDayNano = "month_day_nano", 128
        };
    }
    lists {
        List = "list", list;
        LargeList = "large_list", large_list;
        ListView = "list_view", list_view;
        LargeListView = "large_list_view", large_list_view;
    }
    others {
        DataType::Timestamp(unit, zone) => "timestamp", Temporal, Some(64), Shape::Timestamp(*unit, zone.as_deref()),
            ["timestamp" = Form::Timestamp];
        DataType::FixedSizeBinary(n_bytes) => "fixed_size_binary", Binary, Some(u64::from(n_bytes.get()) * 8),
            Shape::FixedSizeBinary(*n_bytes),
            ["fixed_size_binary" = Form::FixedSizeBinary];
        DataType::FixedSizeList(item, n_items) => "fixed_size_list", List, None, Shape::FixedSizeList(item, *n_items),
            ["fixed_size_list" = Form::FixedSizeList];
        DataType::Struct(fields) => "struct", Struct, None, Shape::Struct(fields), ["struct" = Form::Struct];
        DataType::Map(map) => "map", Map, None, Shape::Map(map), ["map" = Form::Map];
        DataType::Union(union) => union.mode().name(), Union, None, Shape::Union(union),
            ["sparse_union" = Form::Union(UnionMode::Sparse), "dense_union" = Form::Union(UnionMode::Dense)];
        DataType::Dictionary(dictionary) => "dictionary", Dictionary, Some(u64::from(dictionary.index().n_bits())),
            Shape::Dictionary(dictionary),
            ["dictionary" = Form::Dictionary];
        DataType::RunEndEncoded(runs) => "run_end_encoded", RunEndEncoded, None, Shape::RunEndEncoded(runs),
            ["run_end_encoded" = Form::RunEndEncoded];
    }
}

impl UnionMode {
    const fn name(self) -> &'static str {
        match self {
            UnionMode::Sparse => "sparse_union",
            UnionMode::Dense => "dense_union",
        }
    }
}
