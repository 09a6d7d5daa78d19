//! Converts temporal values to and from types of `jiff`. Needs the feature `jiff`.
//!
//! Stored integers have a larger range than the calendar of `jiff`. Reading a number outside of this range is an error; it is
//! not wrapped or clamped. Storing a value is exact, or an error.

mod arrays;
mod clock;
mod intervals;

use arrow_schema::DataType;
use jiff::{
    SignedDuration, Span, Timestamp,
    civil::{Date, DateTime, Time},
};

use crate::{
    error::{ArrayError, ArrayErrorKind, TemporalError},
    types::{NumberSlot, PrimitiveType},
};

/// A type of `jiff` that arrays of the type `T` can store: `Date`, `Time`, `DateTime`, `Timestamp`, `SignedDuration` or `Span`.
/// The trait is sealed.
///
/// Arrays and builders accept values of these types instead of numbers, and also options of them:
///
/// ```
/// use arrow_array::{Date32Array, TimestampBuilder};
/// use arrow_schema::{DataType, TimeUnit};
/// use jiff::{Zoned, civil::date};
///
/// let days = Date32Array::try_from_iter(DataType::Date32, [Some(date(2024, 2, 29)), None])?;
/// assert_eq!(days.get(0), Some(19_782));
///
/// let meeting: Zoned = "2024-02-29T09:00[Europe/Berlin]".parse()?;
/// let data_type = DataType::timestamp_with_zone(TimeUnit::Second, "Europe/Berlin");
/// let mut meetings = TimestampBuilder::try_new(data_type)?;
/// meetings.append(meeting.timestamp());
/// assert_eq!(meetings.finish()?.zoned()?.next(), Some(Ok(Some(meeting))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A value is an error if it is not a whole number in the unit of the array, or does not fit into the integers of the
/// array. Local times need a type without a time zone, and timestamps need a type with a time zone; other combinations
/// are errors.
///
/// ```
/// use arrow_array::{JiffValue, TimestampType};
/// use arrow_schema::TimeUnit;
/// use jiff::Timestamp;
///
/// let seen: Timestamp = "2024-02-29T12:00:00.5Z".parse()?;
/// let stored = JiffValue::<TimestampType>::to_stored(&seen, TimeUnit::Millisecond)?;
/// assert_eq!(stored, 1_709_208_000_500);
/// // Half a second is no whole number of seconds.
/// assert!(JiffValue::<TimestampType>::to_stored(&seen, TimeUnit::Second).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait JiffValue<T: PrimitiveType>: Sized + sealed::Sealed {
    /// Converts a stored number, whose unit is in `parameters`.
    ///
    /// # Errors
    /// If the value is outside the range of the `jiff` type.
    fn from_stored(stored: T::Native, parameters: T::Parameters) -> Result<Self, TemporalError>;

    /// Converts the value to a number in the unit of the array.
    ///
    /// # Errors
    /// If the value is not a whole number in this unit. If the number does not fit into `T::Native`.
    fn to_stored(&self, parameters: T::Parameters) -> Result<T::Native, TemporalError>;
}

mod sealed {
    use super::{DataType, TemporalError};

    /// This trait is private, so other crates cannot implement [`JiffValue`](super::JiffValue).
    pub trait Sealed {
        /// Checks that an array of this type can store values of this Rust type.
        fn check_type(_data_type: &DataType) -> Result<(), TemporalError> {
            Ok(())
        }
    }
}

/// Checks the type of the array, and converts a value to the number to store.
fn stored<T: PrimitiveType, V: JiffValue<T>>(
    value: &V,
    data_type: &DataType,
    parameters: T::Parameters,
) -> Result<T::Native, ArrayError> {
    let stored = V::check_type(data_type).and_then(|()| value.to_stored(parameters));
    stored.map_err(|error| ArrayErrorKind::Temporal(error).into())
}

/// `Slot of Value, |slot| option of a value`: implements `NumberSlot` for values that are converted to the unit of the array.
macro_rules! slot {
    ($slot:ty, $value:ty, $read:expr) => {
        impl<T: PrimitiveType> NumberSlot<T> for $slot
        where
            $value: JiffValue<T>,
        {
            fn number(
                &self,
                data_type: &DataType,
                parameters: T::Parameters,
            ) -> Result<Option<T::Native>, ArrayError> {
                let value: Option<$value> = $read(self);
                value.map(|value| stored(&value, data_type, parameters)).transpose()
            }
        }
    };
}

macro_rules! slots {
    ($($value:ty),*) => {$(
        slot!($value, $value, |slot: &$value| Some(*slot));
        slot!(&$value, $value, |slot: &&$value| Some(**slot));
        slot!(Option<$value>, $value, |slot: &Option<$value>| *slot);
        slot!(&Option<$value>, $value, |slot: &&Option<$value>| **slot);
    )*};
}

slots!(Date, Time, DateTime, Timestamp, SignedDuration, Span);

impl sealed::Sealed for Date {}
impl sealed::Sealed for Time {}
impl sealed::Sealed for SignedDuration {}
impl sealed::Sealed for Span {}
