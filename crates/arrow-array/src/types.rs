//! Rust types for the Arrow types whose values are numbers of one width. One table has all of them, with their arrays and
//! builders.

mod number_slot;

use std::fmt::Debug;

use arrow_buffer::{F16, I128, I256, IntervalDayTime, IntervalMonthDayNano, NativeType};
use arrow_schema::{DataType, IntervalUnit, Time32Unit, Time64Unit, TimeUnit};

use crate::{
    decimal::DecimalParameters,
    error::ArrayError,
    kind::{Kind, kind},
};

mod sealed {
    pub trait Sealed {}
}

/// A marker for an Arrow type whose values are numbers of one width; the parameter of
/// [`PrimitiveArray`](crate::PrimitiveArray).
///
/// The trait is sealed.
pub trait PrimitiveType: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// The Rust type of a stored number.
    type Native: NativeType + PlainNumberSlot<Self>;
    /// The parameters of a type, which say what a number means: a unit, a scale, or `()`.
    type Parameters: Copy + Debug + PartialEq + Send + Sync + 'static;
    /// The name of the Arrow type, without its parameters.
    const NAME: &'static str;

    /// The parameters of `data_type`. `None` if this marker does not represent that type.
    fn parameters(data_type: &DataType) -> Option<Self::Parameters>;
}

/// A [`PrimitiveType`] whose only Arrow type has no parameters. An array of it can be made from numbers alone.
pub trait PlainType: PrimitiveType<Parameters = ()> {
    /// The Arrow type.
    const DATA_TYPE: DataType;
}

/// A value for a slot of an array of type `T`: a number, a reference to a number, or an option of either, where `None` is null.
///
/// Arrays of decimals also accept [`Decimal`](crate::Decimal) values, which are converted to the scale of the array. Arrays of
/// decimals of 128 and 256 bits store an `i128` unchanged. With the feature `jiff`, temporal arrays accept values of the crate
/// `jiff`, which are converted to the unit of the array. A value that would be rounded or does not fit is an error.
///
/// ```
/// use arrow_array::{Decimal, Decimal64Array, Int64Array};
/// use arrow_schema::DataType;
///
/// assert_eq!(Int64Array::from_iter(&[1, 2]), Int64Array::from_iter([Some(1), Some(2)]));
///
/// let prices = [Decimal::new(5, 1), Decimal::new(12_345, 2)];
/// let prices = Decimal64Array::try_from_iter(DataType::decimal64(12, 2)?, prices)?;
/// assert_eq!(format!("{prices:?}"), r#"decimal64(12, 2) ["0.50", "123.45"]"#);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value of `{T}` arrays",
    label = "neither its number, nor a reference to that or an option of it",
    note = "convert it to the number that `{T}` stores: `number.into()`, or `as` where that loses nothing"
)]
pub trait NumberSlot<T: PrimitiveType> {
    /// If `true`, [`number`](NumberSlot::number) must return a number for each value. Builders then copy collections of these
    /// values unchanged, and panic if `number` returns `None` or an error.
    const IS_NUMBER: bool = false;

    /// Returns the number to store in an array of this type, or `None` for null.
    ///
    /// # Errors
    /// If the value cannot be converted to a number of the type.
    fn number(
        &self,
        data_type: &DataType,
        parameters: T::Parameters,
    ) -> Result<Option<T::Native>, ArrayError>;
}

/// A [`NumberSlot`] whose values are numbers or nulls, so that [`number`](NumberSlot::number) returns no errors.
pub trait PlainNumberSlot<T: PrimitiveType>: NumberSlot<T> {}

/// Calls a macro with a row for each type: `marker: array, builder, description { native, kind, name, type }`. The row of a
/// type with parameters has the parameters after `kind`, and no `type`.
macro_rules! each_primitive {
    ($callback:ident) => {
        $callback! {
            Int8Type: Int8Array, Int8Builder, "signed integers of 8 bits"
                { i8, Int8, "int8", DataType::Int8 }
            Int16Type: Int16Array, Int16Builder, "signed integers of 16 bits"
                { i16, Int16, "int16", DataType::Int16 }
            Int32Type: Int32Array, Int32Builder, "signed integers of 32 bits"
                { i32, Int32, "int32", DataType::Int32 }
            Int64Type: Int64Array, Int64Builder, "signed integers of 64 bits"
                { i64, Int64, "int64", DataType::Int64 }
            UInt8Type: UInt8Array, UInt8Builder, "unsigned integers of 8 bits"
                { u8, UInt8, "uint8", DataType::UInt8 }
            UInt16Type: UInt16Array, UInt16Builder, "unsigned integers of 16 bits"
                { u16, UInt16, "uint16", DataType::UInt16 }
            UInt32Type: UInt32Array, UInt32Builder, "unsigned integers of 32 bits"
                { u32, UInt32, "uint32", DataType::UInt32 }
            UInt64Type: UInt64Array, UInt64Builder, "unsigned integers of 64 bits"
                { u64, UInt64, "uint64", DataType::UInt64 }
            Float16Type: Float16Array, Float16Builder, "floating-point numbers of 16 bits"
                { F16, Float16, "float16", DataType::Float16 }
            Float32Type: Float32Array, Float32Builder, "floating-point numbers of 32 bits"
                { f32, Float32, "float32", DataType::Float32 }
            Float64Type: Float64Array, Float64Builder, "floating-point numbers of 64 bits"
                { f64, Float64, "float64", DataType::Float64 }
            Date32Type: Date32Array, Date32Builder, "dates, in days since 1970-01-01"
                { i32, Date32, "date32", DataType::Date32 }
            Date64Type: Date64Array, Date64Builder, "dates, in milliseconds since 1970-01-01"
                { i64, Date64, "date64", DataType::Date64 }
            IntervalYearMonthType: IntervalYearMonthArray, IntervalYearMonthBuilder,
                "calendar intervals, in months"
                { i32, IntervalYearMonth, "interval(year_month)",
                    DataType::Interval(IntervalUnit::YearMonth) }
            IntervalDayTimeType: IntervalDayTimeArray, IntervalDayTimeBuilder,
                "calendar intervals, in days and milliseconds"
                { IntervalDayTime, IntervalDayTime, "interval(day_time)",
                    DataType::Interval(IntervalUnit::DayTime) }
            IntervalMonthDayNanoType: IntervalMonthDayNanoArray, IntervalMonthDayNanoBuilder,
                "calendar intervals, in months, days and nanoseconds"
                { IntervalMonthDayNano, IntervalMonthDayNano, "interval(month_day_nano)",
                    DataType::Interval(IntervalUnit::MonthDayNano) }
            Decimal32Type: Decimal32Array, Decimal32Builder,
                "decimal numbers of at most 9 digits, as unscaled integers of 32 bits"
                { i32, Decimal32(DecimalParameters), "decimal32" }
            Decimal64Type: Decimal64Array, Decimal64Builder,
                "decimal numbers of at most 18 digits, as unscaled integers of 64 bits"
                { i64, Decimal64(DecimalParameters), "decimal64" }
            Decimal128Type: Decimal128Array, Decimal128Builder,
                "decimal numbers of at most 38 digits, as unscaled integers of 128 bits"
                { I128, Decimal128(DecimalParameters), "decimal128" }
            Decimal256Type: Decimal256Array, Decimal256Builder,
                "decimal numbers of at most 76 digits, as unscaled integers of 256 bits"
                { I256, Decimal256(DecimalParameters), "decimal256" }
            Time32Type: Time32Array, Time32Builder, "times of day, in seconds or milliseconds"
                { i32, Time32(Time32Unit), "time32" }
            Time64Type: Time64Array, Time64Builder, "times of day, in microseconds or nanoseconds"
                { i64, Time64(Time64Unit), "time64" }
            TimestampType: TimestampArray, TimestampBuilder, "timestamps, counted from 1970-01-01 00:00:00"
                { i64, Timestamp(TimeUnit), "timestamp" }
            DurationType: DurationArray, DurationBuilder, "lengths of time"
                { i64, Duration(TimeUnit), "duration" }
        }
    };
}

pub(crate) use each_primitive;

macro_rules! markers {
    ($($marker:ident: $array:ident, $builder:ident, $what:literal { $($row:tt)* })*) => {
        $(marker! { $marker: $($row)* })*
    };
}

macro_rules! marker {
    ($marker:ident: $native:ty, $kind:ident, $name:literal, $data_type:expr) => {
        marker! { $marker: $native, (), $name, |kind| (kind == Kind::$kind).then_some(()) }

        impl PlainType for $marker {
            const DATA_TYPE: DataType = $data_type;
        }
    };
    ($marker:ident: $native:ty, $kind:ident($parameters:ty), $name:literal) => {
        marker! {
            $marker: $native, $parameters, $name,
            |kind| if let Kind::$kind(parameters) = kind { Some(parameters) } else { None }
        }
    };
    ($marker:ident: $native:ty, $parameters:ty, $name:literal, |$found:ident| $kind_type:expr) => {
        #[doc = concat!("Marks arrays of `", $name, "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $marker;

        impl sealed::Sealed for $marker {}

        impl PrimitiveType for $marker {
            type Native = $native;
            type Parameters = $parameters;
            const NAME: &'static str = $name;

            fn parameters(data_type: &DataType) -> Option<$parameters> {
                let $found = kind(data_type);
                $kind_type
            }
        }
    };
}

each_primitive!(markers);
