//! Temporal values as those of `jiff`, and back. Feature `jiff`.
//!
//! Stored integers reach further than calendars do: what lies outside of the years that `jiff` knows is an error of
//! that value, never a wrapped or clamped one. The way back is exact or an error, too.

mod arrays;
mod clock;
mod error;
mod intervals;
mod zone;

pub use self::error::TemporalError;

use arrow_schema::DataType;
use jiff::{
    SignedDuration, Span, Timestamp,
    civil::{Date, DateTime, Time},
};

use crate::{
    array::PrimitiveArray,
    error::{ArrayError, ArrayErrorKind},
    types::PrimitiveType,
};

/// A value of `jiff` that arrays marked by `T` store: `Date`, `Time`, `DateTime`, `Timestamp`, `SignedDuration` or
/// `Span`. The set is closed.
///
/// ```
/// use arrow_array::{JiffValue, TimestampType};
/// use arrow_schema::TimeUnit;
/// use jiff::Timestamp;
///
/// let moment: Timestamp = "2024-02-29T12:00:00.5Z".parse()?;
/// let stored = JiffValue::<TimestampType>::to_stored(&moment, TimeUnit::Millisecond)?;
/// assert_eq!(stored, 1_709_208_000_500);
/// // Half a second is no whole number of seconds.
/// assert!(JiffValue::<TimestampType>::to_stored(&moment, TimeUnit::Second).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait JiffValue<T: PrimitiveType>: Sized + sealed::Sealed {
    /// The value that a stored number stands for.
    ///
    /// # Errors
    /// If it lies outside of what the type holds.
    fn from_stored(stored: T::Native, parameters: T::Parameters) -> Result<Self, TemporalError>;

    /// The number that stands for this value, in the unit of the array.
    ///
    /// # Errors
    /// If the number is not a whole one, or does not fit.
    fn to_stored(&self, parameters: T::Parameters) -> Result<T::Native, TemporalError>;

    /// Whether an array of this type means such values.
    #[doc(hidden)]
    fn check_type(_data_type: &DataType) -> Result<(), TemporalError> {
        Ok(())
    }
}

/// What a slot of a temporal array can be made of: a value of `jiff`, or an option of one, where `None` is null. The
/// set is closed.
pub trait JiffSlot: sealed::Sealed {
    /// The value.
    type Value;

    /// The value; `None` for null.
    fn into_value(self) -> Option<Self::Value>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! slots {
    ($($value:ty),*) => {$(
        impl sealed::Sealed for $value {}
        impl sealed::Sealed for Option<$value> {}

        impl JiffSlot for $value {
            type Value = $value;

            fn into_value(self) -> Option<$value> {
                Some(self)
            }
        }

        impl JiffSlot for Option<$value> {
            type Value = $value;

            fn into_value(self) -> Option<$value> {
                self
            }
        }
    )*};
}

slots!(Date, Time, DateTime, Timestamp, SignedDuration, Span);

impl<T: PrimitiveType> PrimitiveArray<T> {
    /// An array of values of `jiff`, or of options of them, where `None` is null.
    ///
    /// ```
    /// use arrow_array::{Date32Array, TimestampArray};
    /// use arrow_schema::{DataType, TimeUnit};
    /// use jiff::{Zoned, civil::{Date, date}};
    ///
    /// let days = [Some(date(2024, 2, 29)), None];
    /// let days = Date32Array::try_from_jiff(DataType::Date32, days)?;
    /// assert_eq!(days.get(0), Some(19_782));
    ///
    /// let meeting: Zoned = "2024-02-29T09:00[Europe/Berlin]".parse()?;
    /// let data_type = DataType::timestamp_with_zone(TimeUnit::Second, "Europe/Berlin");
    /// let meetings = TimestampArray::try_from_jiff(data_type, [meeting.timestamp()])?;
    /// assert_eq!(meetings.zoned()?.next(), Some(Ok(Some(meeting))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `data_type` is not of the sort that `T` marks, or does not mean such values: readings of a clock have no
    /// time zone, moments have one. If a value is no whole number in its unit, or does not fit.
    pub fn try_from_jiff<S: JiffSlot<Value: JiffValue<T>>>(
        data_type: DataType,
        values: impl IntoIterator<Item = S>,
    ) -> Result<PrimitiveArray<T>, ArrayError> {
        let Some(parameters) = T::parameters(&data_type) else {
            return Err(ArrayError::type_mismatch(T::NAME, &data_type));
        };
        S::Value::check_type(&data_type).map_err(ArrayErrorKind::Temporal)?;
        let stored = |value: S| value.into_value().map(|value| value.to_stored(parameters)).transpose();
        let stored: Result<Vec<Option<T::Native>>, _> = values.into_iter().map(stored).collect();
        PrimitiveArray::try_from_iter(data_type, stored.map_err(ArrayErrorKind::Temporal)?)
    }
}
