//! The table of the kinds of types: one row for each, with its typed array and its builder.
//!
//! A row of [`each_type`] has a [`Kind`] with its parameters, the types of this kind, the typed array and the builder. The
//! function [`kind`], the enums [`AnyArray`](crate::AnyArray) and [`AnyBuilder`](crate::AnyBuilder), and the macros that match
//! on them are generated from the table.

use arrow_schema::{DataType, IntervalUnit, Time32Unit, Time64Unit, TimeUnit};

use crate::decimal::DecimalParameters;

/// Calls a macro with the rows of the table: `Kind(parameters: expression) = types => array, builder, description`.
///
/// Each `with_…` macro matches the arrays of one or more of the groups.
macro_rules! each_type {
    ($callback:ident) => {
        $callback! {
            integers {
                Int8 = DataType::Int8 => Int8Array, Int8Builder, "Signed integers of 8 bits.";
                Int16 = DataType::Int16 => Int16Array, Int16Builder, "Signed integers of 16 bits.";
                Int32 = DataType::Int32 => Int32Array, Int32Builder, "Signed integers of 32 bits.";
                Int64 = DataType::Int64 => Int64Array, Int64Builder, "Signed integers of 64 bits.";
                UInt8 = DataType::UInt8 => UInt8Array, UInt8Builder, "Unsigned integers of 8 bits.";
                UInt16 = DataType::UInt16 => UInt16Array, UInt16Builder, "Unsigned integers of 16 bits.";
                UInt32 = DataType::UInt32 => UInt32Array, UInt32Builder, "Unsigned integers of 32 bits.";
                UInt64 = DataType::UInt64 => UInt64Array, UInt64Builder, "Unsigned integers of 64 bits.";
            }
            ordered {
                Float16 = DataType::Float16 =>
                    Float16Array, Float16Builder, "Floating-point numbers of 16 bits.";
                Float32 = DataType::Float32 =>
                    Float32Array, Float32Builder, "Floating-point numbers of 32 bits.";
                Float64 = DataType::Float64 =>
                    Float64Array, Float64Builder, "Floating-point numbers of 64 bits.";
                Decimal32(DecimalParameters: decimal(precision.get(), *scale)) = DataType::Decimal32(precision, scale) =>
                    Decimal32Array, Decimal32Builder, "Decimals of 32 bits.";
                Decimal64(DecimalParameters: decimal(precision.get(), *scale)) = DataType::Decimal64(precision, scale) =>
                    Decimal64Array, Decimal64Builder, "Decimals of 64 bits.";
                Decimal128(DecimalParameters: decimal(precision.get(), *scale)) = DataType::Decimal128(precision, scale) =>
                    Decimal128Array, Decimal128Builder, "Decimals of 128 bits.";
                Decimal256(DecimalParameters: decimal(precision.get(), *scale)) = DataType::Decimal256(precision, scale) =>
                    Decimal256Array, Decimal256Builder, "Decimals of 256 bits.";
                Date32 = DataType::Date32 => Date32Array, Date32Builder, "Dates in days.";
                Date64 = DataType::Date64 => Date64Array, Date64Builder, "Dates in milliseconds.";
                Time32(Time32Unit: *unit) = DataType::Time32(unit) =>
                    Time32Array, Time32Builder, "Times of day in 32 bits.";
                Time64(Time64Unit: *unit) = DataType::Time64(unit) =>
                    Time64Array, Time64Builder, "Times of day in 64 bits.";
                Timestamp(TimeUnit: *unit) = DataType::Timestamp(unit, _) =>
                    TimestampArray, TimestampBuilder, "Timestamps of any unit, with or without time zone.";
                Duration(TimeUnit: *unit) = DataType::Duration(unit) =>
                    DurationArray, DurationBuilder, "Durations of any unit.";
                IntervalYearMonth = DataType::Interval(IntervalUnit::YearMonth) =>
                    IntervalYearMonthArray, IntervalYearMonthBuilder, "Intervals of months.";
            }
            intervals {
                IntervalDayTime = DataType::Interval(IntervalUnit::DayTime) =>
                    IntervalDayTimeArray, IntervalDayTimeBuilder, "Intervals of days and milliseconds.";
                IntervalMonthDayNano = DataType::Interval(IntervalUnit::MonthDayNano) =>
                    IntervalMonthDayNanoArray, IntervalMonthDayNanoBuilder,
                    "Intervals of months, days and nanoseconds.";
            }
            bytes {
                FixedSizeBinary(usize: n_bytes.as_usize()) = DataType::FixedSizeBinary(n_bytes) =>
                    FixedSizeBinaryArray, FixedSizeBinaryBuilder, "Bytes, each value of the same length.";
                Binary = DataType::Binary => BinaryArray, BinaryBuilder, "Bytes with offsets of 32 bits.";
                LargeBinary = DataType::LargeBinary =>
                    LargeBinaryArray, LargeBinaryBuilder, "Bytes with offsets of 64 bits.";
                BinaryView = DataType::BinaryView =>
                    BinaryViewArray, BinaryViewBuilder, "Bytes with views.";
            }
            texts {
                Utf8 = DataType::Utf8 => Utf8Array, Utf8Builder, "Text with offsets of 32 bits.";
                LargeUtf8 = DataType::LargeUtf8 =>
                    LargeUtf8Array, LargeUtf8Builder, "Text with offsets of 64 bits.";
                Utf8View = DataType::Utf8View => Utf8ViewArray, Utf8ViewBuilder, "Text with views.";
            }
            lists {
                List = DataType::List(_) =>
                    ListArray, ListBuilder<Box<AnyBuilder>>, "Lists with offsets of 32 bits.";
                LargeList = DataType::LargeList(_) =>
                    LargeListArray, LargeListBuilder<Box<AnyBuilder>>, "Lists with offsets of 64 bits.";
                ListView = DataType::ListView(_) =>
                    ListViewArray, ListViewBuilder<Box<AnyBuilder>>,
                    "Lists in any order, with offsets and sizes of 32 bits.";
                LargeListView = DataType::LargeListView(_) =>
                    LargeListViewArray, LargeListViewBuilder<Box<AnyBuilder>>,
                    "Lists in any order, with offsets and sizes of 64 bits.";
                FixedSizeList(usize: n_items.as_usize()) = DataType::FixedSizeList(_, n_items) =>
                    FixedSizeListArray, FixedSizeListBuilder<Box<AnyBuilder>>,
                    "Lists, each of the same length.";
            }
            others {
                Null = DataType::Null => NullArray, NullBuilder, "Nothing but nulls.";
                Boolean = DataType::Boolean => BooleanArray, BooleanBuilder, "True or false.";
                Struct = DataType::Struct(_) => StructArray, StructBuilder<Vec<AnyBuilder>>, "Structs.";
                Map = DataType::Map(_) => MapArray, MapBuilder<Box<AnyBuilder>, Box<AnyBuilder>>, "Maps.";
                Union = DataType::Union(_) =>
                    UnionArray, UnionBuilder<Vec<AnyBuilder>>, "Unions, sparse or dense.";
                Dictionary = DataType::Dictionary(_) =>
                    DictionaryArray, DictionaryBuilder<Box<AnyBuilder>>, "Positions in a dictionary.";
                RunEndEncoded = DataType::RunEndEncoded(_) =>
                    RunEndEncodedArray, RunEndEncodedBuilder<Box<AnyBuilder>>, "Runs of equal values.";
            }
        }
    };
}

pub(crate) use each_type;

/// Generates the enum of kinds, and the function that maps types to kinds.
macro_rules! kinds {
    ($($group:ident {
        $($variant:ident $(($parameters:ty: $value:expr))? = $types:pat => $array:ident, $builder:ty, $what:literal;)*
    })*) => {
        /// The kind of a type, which determines the typed array. Contains the parameters that access to values needs, but no
        /// child types.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($($variant $(($parameters))?,)*)*
        }

        pub(crate) fn kind(data_type: &DataType) -> Kind {
            match data_type {
                $($($types => Kind::$variant $(($value))?,)*)*
            }
        }
    };
}

each_type!(kinds);

const fn decimal(precision: u8, scale: i32) -> DecimalParameters {
    DecimalParameters { precision, scale }
}
