//! The types whose values are numbers of one width, as types of Rust.

mod number_slot;

use std::fmt::Debug;

use arrow_buffer::{F16, I128, I256, IntervalDayTime, IntervalMonthDayNano, Native};
use arrow_schema::{DataType, IntervalUnit, Time32Unit, Time64Unit, TimeUnit};

use crate::{
    decimal::DecimalParameters,
    kind::{Kind, kind},
};

pub use self::number_slot::{NumberSlot, PlainNumberSlot};

mod sealed {
    pub trait Sealed {}
}

/// A type whose values are numbers of one width: the marker in [`PrimitiveArray`](crate::PrimitiveArray).
///
/// The set is closed.
pub trait PrimitiveType: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// The number of a value.
    type Native: Native + PlainNumberSlot<Self>;
    /// What the type needs besides its name to give a number meaning: a unit, a scale, or nothing.
    type Parameters: Copy + Debug + PartialEq + Send + Sync + 'static;
    /// The name of the type without its parameters, as its text form begins.
    const NAME: &'static str;

    /// The parameters, if `data_type` is of this sort.
    fn parameters(data_type: &DataType) -> Option<Self::Parameters>;
}

/// A [`PrimitiveType`] without parameters: arrays of it can be made of numbers alone.
pub trait PlainType: PrimitiveType<Parameters = ()> {
    /// The type.
    const DATA_TYPE: DataType;
}

macro_rules! plain {
    ($($marker:ident = $native:ty, $kind:ident, $name:literal, $data_type:expr;)*) => {$(
        #[doc = concat!("Marks arrays of `", $name, "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $marker;

        impl sealed::Sealed for $marker {}

        impl PrimitiveType for $marker {
            type Native = $native;
            type Parameters = ();
            const NAME: &'static str = $name;

            fn parameters(data_type: &DataType) -> Option<()> {
                (kind(data_type) == Kind::$kind).then_some(())
            }
        }

        impl PlainType for $marker {
            const DATA_TYPE: DataType = $data_type;
        }
    )*};
}

macro_rules! with_parameters {
    ($($marker:ident = $native:ty, $kind:ident($parameters:ty), $name:literal;)*) => {$(
        #[doc = concat!("Marks arrays of `", $name, "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $marker;

        impl sealed::Sealed for $marker {}

        impl PrimitiveType for $marker {
            type Native = $native;
            type Parameters = $parameters;
            const NAME: &'static str = $name;

            fn parameters(data_type: &DataType) -> Option<$parameters> {
                if let Kind::$kind(parameters) = kind(data_type) { Some(parameters) } else { None }
            }
        }
    )*};
}

plain! {
    Int8Type = i8, Int8, "int8", DataType::Int8;
    Int16Type = i16, Int16, "int16", DataType::Int16;
    Int32Type = i32, Int32, "int32", DataType::Int32;
    Int64Type = i64, Int64, "int64", DataType::Int64;
    UInt8Type = u8, UInt8, "uint8", DataType::UInt8;
    UInt16Type = u16, UInt16, "uint16", DataType::UInt16;
    UInt32Type = u32, UInt32, "uint32", DataType::UInt32;
    UInt64Type = u64, UInt64, "uint64", DataType::UInt64;
    Float16Type = F16, Float16, "float16", DataType::Float16;
    Float32Type = f32, Float32, "float32", DataType::Float32;
    Float64Type = f64, Float64, "float64", DataType::Float64;
    Date32Type = i32, Date32, "date32", DataType::Date32;
    Date64Type = i64, Date64, "date64", DataType::Date64;
    IntervalYearMonthType = i32, IntervalYearMonth, "interval(year_month)",
        DataType::Interval(IntervalUnit::YearMonth);
    IntervalDayTimeType = IntervalDayTime, IntervalDayTime, "interval(day_time)",
        DataType::Interval(IntervalUnit::DayTime);
    IntervalMonthDayNanoType = IntervalMonthDayNano, IntervalMonthDayNano, "interval(month_day_nano)",
        DataType::Interval(IntervalUnit::MonthDayNano);
}

with_parameters! {
    Decimal32Type = i32, Decimal32(DecimalParameters), "decimal32";
    Decimal64Type = i64, Decimal64(DecimalParameters), "decimal64";
    Decimal128Type = I128, Decimal128(DecimalParameters), "decimal128";
    Decimal256Type = I256, Decimal256(DecimalParameters), "decimal256";
    Time32Type = i32, Time32(Time32Unit), "time32";
    Time64Type = i64, Time64(Time64Unit), "time64";
    TimestampType = i64, Timestamp(TimeUnit), "timestamp";
    DurationType = i64, Duration(TimeUnit), "duration";
}
