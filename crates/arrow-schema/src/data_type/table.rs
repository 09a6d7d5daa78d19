//! The table of types: the name, the family and the shape of each, said once.
//!
//! With [`layout`](https://docs.rs/arrow-data) and the wire form this is what a new type needs; all else in this crate
//! goes by families and shapes.

use super::{
    DataType, DictionaryType, FixedSize, IntervalUnit, MapType, Precision, RunEndEncodedType, Time32Unit,
    Time64Unit, TimeUnit, UnionMode, UnionType,
};
use crate::{Field, TypeError};

/// The families of types.
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

/// What a type consists of beside its name. Types of one shape have the same parameters, children and text form.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape<'a> {
    /// Nothing.
    Plain,
    /// Precision and scale.
    Decimal(u8, i32),
    /// A unit, as the text form has it.
    Unit(&'static str),
    Timestamp(TimeUnit, Option<&'a str>),
    FixedSizeBinary(FixedSize),
    /// The items, and the type of the same name with others.
    List(&'a Field, fn(Field) -> DataType),
    FixedSizeList(&'a Field, FixedSize),
    Struct(&'a [Field]),
    Map(&'a MapType),
    Union(&'a UnionType),
    Dictionary(&'a DictionaryType),
    RunEndEncoded(&'a RunEndEncodedType),
}

/// What follows a name in the text form.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// Nothing: this is the type.
    Plain(DataType),
    /// Precision, of at most so many digits, and scale.
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

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) name: &'static str,
    pub(super) family: Family,
    pub(super) shape: Shape<'a>,
}

macro_rules! types {
    (
        plain { $($plain:ident = $plain_name:literal, $plain_family:ident;)* }
        decimals { $($decimal:ident = $decimal_name:literal, $max_digits:literal;)* }
        units { $($of_unit:ident = $unit_name:literal, $unit_type:ident { $($unit:ident = $symbol:literal),+ };)* }
        lists { $($list:ident = $list_name:literal, $new_list:ident;)* }
        others { $($pattern:pat => $name:expr, $family:ident, $shape:expr, [$($form_name:literal = $form:expr),+];)* }
    ) => {
        impl DataType {
            /// The row of this type. Inlined: who asks for one part does not pay for the others.
            #[inline(always)]
            pub(super) fn row(&self) -> Row<'_> {
                let (name, family, shape) = match self {
                    $(DataType::$plain => ($plain_name, Family::$plain_family, Shape::Plain),)*
                    $(DataType::$decimal(precision, scale) => {
                        ($decimal_name, Family::Decimal, Shape::Decimal(precision.get(), *scale))
                    })*
                    $($(DataType::$of_unit($unit_type::$unit) => {
                        ($unit_name, Family::Temporal, Shape::Unit($symbol))
                    })+)*
                    $(DataType::$list(item) => {
                        ($list_name, Family::List, Shape::List(item, DataType::$new_list))
                    })*
                    $($pattern => ($name, Family::$family, $shape),)*
                };
                Row { name, family, shape }
            }
        }

        impl Form {
            /// The form of the type of this name.
            pub(crate) fn of(name: &str) -> Option<Form> {
                Some(match name {
                    $($plain_name => Form::Plain(DataType::$plain),)*
                    $($decimal_name => {
                        let new = |n_digits, scale| Ok(DataType::$decimal(Precision::try_from(n_digits)?, scale));
                        Form::Decimal { max_digits: $max_digits, new }
                    })*
                    $($unit_name => {
                        const UNITS: &[(&str, DataType)] =
                            &[$(($symbol, DataType::$of_unit($unit_type::$unit))),+];
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
        Null = "null", Null;
        Boolean = "bool", Boolean;
        Int8 = "int8", SignedInteger;
        Int16 = "int16", SignedInteger;
        Int32 = "int32", SignedInteger;
        Int64 = "int64", SignedInteger;
        UInt8 = "uint8", UnsignedInteger;
        UInt16 = "uint16", UnsignedInteger;
        UInt32 = "uint32", UnsignedInteger;
        UInt64 = "uint64", UnsignedInteger;
        Float16 = "float16", FloatingPoint;
        Float32 = "float32", FloatingPoint;
        Float64 = "float64", FloatingPoint;
        Date32 = "date32", Temporal;
        Date64 = "date64", Temporal;
        Binary = "binary", Binary;
        LargeBinary = "large_binary", Binary;
        BinaryView = "binary_view", Binary;
        Utf8 = "utf8", Text;
        LargeUtf8 = "large_utf8", Text;
        Utf8View = "utf8_view", Text;
    }
    decimals {
        Decimal32 = "decimal32", 9;
        Decimal64 = "decimal64", 18;
        Decimal128 = "decimal128", 38;
        Decimal256 = "decimal256", 76;
    }
    units {
        Time32 = "time32", Time32Unit { Second = "s", Millisecond = "ms" };
        Time64 = "time64", Time64Unit { Microsecond = "us", Nanosecond = "ns" };
        Duration = "duration", TimeUnit { Second = "s", Millisecond = "ms", Microsecond = "us", Nanosecond = "ns" };
        Interval = "interval", IntervalUnit {
            YearMonth = "year_month", DayTime = "day_time", MonthDayNano = "month_day_nano"
        };
    }
    lists {
        List = "list", list;
        LargeList = "large_list", large_list;
        ListView = "list_view", list_view;
        LargeListView = "large_list_view", large_list_view;
    }
    others {
        DataType::Timestamp(unit, zone) => "timestamp", Temporal, Shape::Timestamp(*unit, zone.as_deref()),
            ["timestamp" = Form::Timestamp];
        DataType::FixedSizeBinary(n_bytes) => "fixed_size_binary", Binary, Shape::FixedSizeBinary(*n_bytes),
            ["fixed_size_binary" = Form::FixedSizeBinary];
        DataType::FixedSizeList(item, n_items) => "fixed_size_list", List, Shape::FixedSizeList(item, *n_items),
            ["fixed_size_list" = Form::FixedSizeList];
        DataType::Struct(fields) => "struct", Struct, Shape::Struct(fields), ["struct" = Form::Struct];
        DataType::Map(map) => "map", Map, Shape::Map(map), ["map" = Form::Map];
        DataType::Union(union) => union.mode().name(), Union, Shape::Union(union),
            ["sparse_union" = Form::Union(UnionMode::Sparse), "dense_union" = Form::Union(UnionMode::Dense)];
        DataType::Dictionary(dictionary) => "dictionary", Dictionary, Shape::Dictionary(dictionary),
            ["dictionary" = Form::Dictionary];
        DataType::RunEndEncoded(runs) => "run_end_encoded", RunEndEncoded, Shape::RunEndEncoded(runs),
            ["run_end_encoded" = Form::RunEndEncoded];
    }
}

impl UnionMode {
    /// The name of unions of this mode.
    const fn name(self) -> &'static str {
        match self {
            UnionMode::Sparse => "sparse_union",
            UnionMode::Dense => "dense_union",
        }
    }
}
