//! The one place of this crate that looks at which [`DataType`] it has to do with.
//!
//! [`kind`] sorts types into the typed arrays that stand for them and keeps their parameters; [`AnyArray`] is
//! the typed array of any type. All else asks one of the two.

use arrow_data::ArrayData;
use arrow_schema::{DataType, IntervalUnit, Time32Unit, Time64Unit, TimeUnit};

use crate::{array::*, error::ArrayError, types::DecimalParameters};

/// The typed array that stands for a type, with the parameters that matter for access. Children are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Decimal32(DecimalParameters),
    Decimal64(DecimalParameters),
    Decimal128(DecimalParameters),
    Decimal256(DecimalParameters),
    Date32,
    Date64,
    Time32(Time32Unit),
    Time64(Time64Unit),
    Timestamp(TimeUnit),
    Duration(TimeUnit),
    IntervalYearMonth,
    IntervalDayTime,
    IntervalMonthDayNano,
    FixedSizeBinary(usize),
    Binary,
    LargeBinary,
    BinaryView,
    Utf8,
    LargeUtf8,
    Utf8View,
    List,
    LargeList,
    ListView,
    LargeListView,
    FixedSizeList(usize),
    Struct,
    Map,
    Union,
    Dictionary,
    RunEndEncoded,
}

/// What stands for `data_type`.
pub(crate) fn kind(data_type: &DataType) -> Kind {
    let decimal = |precision, scale| DecimalParameters { precision, scale };
    match data_type {
        DataType::Null => Kind::Null,
        DataType::Boolean => Kind::Boolean,
        DataType::Int8 => Kind::Int8,
        DataType::Int16 => Kind::Int16,
        DataType::Int32 => Kind::Int32,
        DataType::Int64 => Kind::Int64,
        DataType::UInt8 => Kind::UInt8,
        DataType::UInt16 => Kind::UInt16,
        DataType::UInt32 => Kind::UInt32,
        DataType::UInt64 => Kind::UInt64,
        DataType::Float16 => Kind::Float16,
        DataType::Float32 => Kind::Float32,
        DataType::Float64 => Kind::Float64,
        DataType::Decimal32(precision, scale) => Kind::Decimal32(decimal(precision.get(), *scale)),
        DataType::Decimal64(precision, scale) => Kind::Decimal64(decimal(precision.get(), *scale)),
        DataType::Decimal128(precision, scale) => Kind::Decimal128(decimal(precision.get(), *scale)),
        DataType::Decimal256(precision, scale) => Kind::Decimal256(decimal(precision.get(), *scale)),
        DataType::Date32 => Kind::Date32,
        DataType::Date64 => Kind::Date64,
        DataType::Time32(unit) => Kind::Time32(*unit),
        DataType::Time64(unit) => Kind::Time64(*unit),
        DataType::Timestamp(unit, _) => Kind::Timestamp(*unit),
        DataType::Duration(unit) => Kind::Duration(*unit),
        DataType::Interval(IntervalUnit::YearMonth) => Kind::IntervalYearMonth,
        DataType::Interval(IntervalUnit::DayTime) => Kind::IntervalDayTime,
        DataType::Interval(IntervalUnit::MonthDayNano) => Kind::IntervalMonthDayNano,
        DataType::FixedSizeBinary(n_bytes) => Kind::FixedSizeBinary(n_bytes.as_usize()),
        DataType::Binary => Kind::Binary,
        DataType::LargeBinary => Kind::LargeBinary,
        DataType::BinaryView => Kind::BinaryView,
        DataType::Utf8 => Kind::Utf8,
        DataType::LargeUtf8 => Kind::LargeUtf8,
        DataType::Utf8View => Kind::Utf8View,
        DataType::List(_) => Kind::List,
        DataType::LargeList(_) => Kind::LargeList,
        DataType::ListView(_) => Kind::ListView,
        DataType::LargeListView(_) => Kind::LargeListView,
        DataType::FixedSizeList(_, n_items) => Kind::FixedSizeList(n_items.as_usize()),
        DataType::Struct(_) => Kind::Struct,
        DataType::Map(_) => Kind::Map,
        DataType::Union(_) => Kind::Union,
        DataType::Dictionary(_) => Kind::Dictionary,
        DataType::RunEndEncoded(_) => Kind::RunEndEncoded,
    }
}

#[macro_use]
mod with;

/// Writes what has one line for each typed array; the patterns of kinds with parameters are given in full.
macro_rules! any_array {
    (
        integers { $($integers:tt)* }
        ordered { $($ordered:tt)* }
        intervals { $($intervals:tt)* }
        bytes { $($bytes:tt)* }
        texts { $($texts:tt)* }
        lists { $($lists:tt)* }
        others { $($others:tt)* }
    ) => {
        any_array!(
            @enum $($others)* $($bytes)* $($texts)* $($lists)* $($integers)* $($ordered)* $($intervals)*
        );
        any_array!(
            @macros [$($integers)*] [$($ordered)*] [$($intervals)*] [$($bytes)*] [$($texts)*] [$($lists)*]
            [$($others)*]
        );
    };
    (@enum $($variant:ident $(($parameter:tt))? => $array:ident, $what:literal;)*) => {
        /// The typed array of any type: made once, matched exhaustively.
        ///
        /// ```
        /// use arrow_array::{AnyArray, Int64Array};
        /// use arrow_data::ArrayData;
        ///
        /// let column = ArrayData::from(Int64Array::from_iter([Some(1), None, Some(3)]));
        /// let what = match AnyArray::try_new(&column)? {
        ///     AnyArray::Int64(numbers) => format!("the sum is {}", numbers.iter().flatten().sum::<i64>()),
        ///     AnyArray::Boolean(flags) => format!("{} bits are set", flags.values().count_set()),
        ///     other => format!("{} has no sum", other.data().data_type()),
        /// };
        /// assert_eq!(what, "the sum is 4");
        /// # Ok::<(), arrow_array::ArrayError>(())
        /// ```
        #[derive(Clone)]
        pub enum AnyArray {
            $(#[doc = $what] $variant($array),)*
        }

        impl AnyArray {
            /// The typed array of `data`, which is shared. Content is validated unless it has been already.
            ///
            /// # Errors
            /// If the content is not valid.
            pub fn try_new(data: &ArrayData) -> Result<AnyArray, ArrayError> {
                AnyArray::try_from(data.clone())
            }
        }

        impl TryFrom<ArrayData> for AnyArray {
            type Error = ArrayError;

            fn try_from(data: ArrayData) -> Result<AnyArray, ArrayError> {
                match kind(data.data_type()) {
                    $(Kind::$variant $(($parameter))? => $array::try_from(data).map(AnyArray::$variant),)*
                }
            }
        }

        $(impl From<$array> for AnyArray {
            fn from(array: $array) -> AnyArray {
                AnyArray::$variant(array)
            }
        })*
    };
    (@macros $([$($variant:ident $(($_p:tt))? => $_array:ident, $_what:literal;)*])*) => {
        with_macros!(($) $([$($variant)*])*);
    };
}

any_array! {
    integers {
        Int8 => Int8Array, "Signed integers of 8 bits.";
        Int16 => Int16Array, "Signed integers of 16 bits.";
        Int32 => Int32Array, "Signed integers of 32 bits.";
        Int64 => Int64Array, "Signed integers of 64 bits.";
        UInt8 => UInt8Array, "Unsigned integers of 8 bits.";
        UInt16 => UInt16Array, "Unsigned integers of 16 bits.";
        UInt32 => UInt32Array, "Unsigned integers of 32 bits.";
        UInt64 => UInt64Array, "Unsigned integers of 64 bits.";
    }
    ordered {
        Float16 => Float16Array, "Floating-point numbers of 16 bits.";
        Float32 => Float32Array, "Floating-point numbers of 32 bits.";
        Float64 => Float64Array, "Floating-point numbers of 64 bits.";
        Decimal32(_) => Decimal32Array, "Decimals of 32 bits.";
        Decimal64(_) => Decimal64Array, "Decimals of 64 bits.";
        Decimal128(_) => Decimal128Array, "Decimals of 128 bits.";
        Decimal256(_) => Decimal256Array, "Decimals of 256 bits.";
        Date32 => Date32Array, "Dates in days.";
        Date64 => Date64Array, "Dates in milliseconds.";
        Time32(_) => Time32Array, "Times of day in 32 bits.";
        Time64(_) => Time64Array, "Times of day in 64 bits.";
        Timestamp(_) => TimestampArray, "Timestamps of any unit, with or without time zone.";
        Duration(_) => DurationArray, "Durations of any unit.";
        IntervalYearMonth => IntervalYearMonthArray, "Intervals of months.";
    }
    intervals {
        IntervalDayTime => IntervalDayTimeArray, "Intervals of days and milliseconds.";
        IntervalMonthDayNano => IntervalMonthDayNanoArray, "Intervals of months, days and nanoseconds.";
    }
    bytes {
        FixedSizeBinary(_) => FixedSizeBinaryArray, "Bytes, each value of the same length.";
        Binary => BinaryArray, "Bytes with offsets of 32 bits.";
        LargeBinary => LargeBinaryArray, "Bytes with offsets of 64 bits.";
        BinaryView => BinaryViewArray, "Bytes behind views.";
    }
    texts {
        Utf8 => Utf8Array, "Text with offsets of 32 bits.";
        LargeUtf8 => LargeUtf8Array, "Text with offsets of 64 bits.";
        Utf8View => Utf8ViewArray, "Text behind views.";
    }
    lists {
        List => ListArray, "Lists with offsets of 32 bits.";
        LargeList => LargeListArray, "Lists with offsets of 64 bits.";
        ListView => ListViewArray, "Lists in any order, with offsets and sizes of 32 bits.";
        LargeListView => LargeListViewArray, "Lists in any order, with offsets and sizes of 64 bits.";
        FixedSizeList(_) => FixedSizeListArray, "Lists, each of the same length.";
    }
    others {
        Null => NullArray, "Nothing but nulls.";
        Boolean => BooleanArray, "True or false.";
        Struct => StructArray, "Structs.";
        Map => MapArray, "Maps.";
        Union => UnionArray, "Unions, sparse or dense.";
        Dictionary => DictionaryArray, "Positions in a dictionary.";
        RunEndEncoded => RunEndEncodedArray, "Runs of equal values.";
    }
}

mod access;
mod shown;

impl TryFrom<&ArrayData> for AnyArray {
    type Error = ArrayError;

    fn try_from(data: &ArrayData) -> Result<AnyArray, ArrayError> {
        AnyArray::try_new(data)
    }
}
