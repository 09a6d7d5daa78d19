//! Reads temporal arrays as values of `jiff`.

use jiff::{
    SignedDuration, Span, Timestamp, Zoned,
    civil::{Date, DateTime, Time},
    tz::{Offset, TimeZone},
};

use super::{JiffValue, TemporalError, sealed::Sealed};
use crate::{
    array::primitive::{
        Date32Array, Date64Array, DurationArray, IntervalDayTimeArray, IntervalMonthDayNanoArray,
        IntervalYearMonthArray, PrimitiveArray, Time32Array, Time64Array, TimestampArray,
    },
    time_zone,
    types::PrimitiveType,
};

/// The converted value of a slot. `None` if the slot is null or out of bounds.
type TemporalSlot<V> = Result<Option<V>, TemporalError>;

fn slot<T: PrimitiveType, V: JiffValue<T>>(array: &PrimitiveArray<T>, slot: usize) -> TemporalSlot<V> {
    array.get(slot).map(|stored| V::from_stored(stored, array.parameters())).transpose()
}

fn slots<T: PrimitiveType, V: JiffValue<T>>(
    array: &PrimitiveArray<T>,
) -> impl DoubleEndedIterator<Item = TemporalSlot<V>> + ExactSizeIterator {
    let parameters = array.parameters();
    array.iter().map(move |stored| stored.map(|stored| V::from_stored(stored, parameters)).transpose())
}

macro_rules! read_as {
    ($($array:ident: $value:ty, $one:ident, $all:ident, $what:literal;)*) => {$(
        impl $array {
            #[doc = concat!("The ", $what, " in a slot; `None` if the slot is null or out of bounds. Feature `jiff`.")]
            ///
            /// # Errors
            /// If the stored number is outside the range of `jiff`.
            pub fn $one(&self, slot: usize) -> Result<Option<$value>, TemporalError> {
                self::slot(self, slot)
            }

            #[doc = concat!("The ", $what, "s in order, from either end; `None` for null slots. Feature `jiff`.")]
            ///
            /// The item is an error if the stored number is outside the range of `jiff`. To stop at the first error, collect
            /// into a `Result` of a vector.
            pub fn $all(
                &self,
            ) -> impl DoubleEndedIterator<Item = Result<Option<$value>, TemporalError>> + ExactSizeIterator {
                slots(self)
            }
        }
    )*};
}

read_as! {
    Date32Array: Date, date, dates, "date";
    Date64Array: Date, date, dates, "date";
    Time32Array: Time, time, times, "time of day";
    Time64Array: Time, time, times, "time of day";
    DurationArray: SignedDuration, duration, durations, "duration";
    IntervalYearMonthArray: Span, span, spans, "span";
    IntervalDayTimeArray: Span, span, spans, "span";
    IntervalMonthDayNanoArray: Span, span, spans, "span";
}

impl TimestampArray {
    /// The local time of a slot. `None` if the slot is null or out of bounds. Needs the feature `jiff`.
    ///
    /// # Errors
    /// If the type has a time zone. If the stored number is outside the range of `jiff`.
    pub fn date_time(&self, slot: usize) -> Result<Option<DateTime>, TemporalError> {
        DateTime::check_type(self.data_type())?;
        self::slot(self, slot)
    }

    /// The local times in order, `None` for null slots. Can also be read from the end. Needs the feature `jiff`.
    ///
    /// ```
    /// use arrow_array::TimestampArray;
    /// use arrow_schema::{DataType, TimeUnit};
    /// use jiff::civil::date;
    ///
    /// let seen = TimestampArray::try_from_iter(DataType::timestamp(TimeUnit::Second), [Some(3_600), None])?;
    /// let seen = seen.date_times()?.collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(seen, [Some(date(1970, 1, 1).at(1, 0, 0, 0)), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the type has a time zone.
    pub fn date_times(
        &self,
    ) -> Result<
        impl DoubleEndedIterator<Item = Result<Option<DateTime>, TemporalError>> + ExactSizeIterator,
        TemporalError,
    > {
        DateTime::check_type(self.data_type())?;
        Ok(slots(self))
    }

    /// The timestamp of a slot. `None` if the slot is null or out of bounds. Needs the feature `jiff`.
    ///
    /// # Errors
    /// If the type has no time zone. If the stored number is outside the range of `jiff`.
    pub fn timestamp(&self, slot: usize) -> Result<Option<Timestamp>, TemporalError> {
        Timestamp::check_type(self.data_type())?;
        self::slot(self, slot)
    }

    /// The timestamps in order, `None` for null slots. Can also be read from the end. Needs the feature `jiff`.
    ///
    /// # Errors
    /// If the type has no time zone. The zone need not be in the time zone database.
    pub fn timestamps(
        &self,
    ) -> Result<
        impl DoubleEndedIterator<Item = Result<Option<Timestamp>, TemporalError>> + ExactSizeIterator,
        TemporalError,
    > {
        Timestamp::check_type(self.data_type())?;
        Ok(slots(self))
    }

    /// The time zone of the type: an offset such as `+05:30`, or a name in the time zone database. Needs the feature `jiff`.
    ///
    /// # Errors
    /// If the type has no time zone, or its name is not in the database.
    pub fn jiff_time_zone(&self) -> Result<TimeZone, TemporalError> {
        find_zone(self.time_zone().ok_or(TemporalError::NoZone)?)
    }

    /// The timestamps in order, in the time zone of the type; `None` for null slots. Can also be read from the end. Needs the
    /// feature `jiff`.
    ///
    /// ```
    /// use arrow_array::TimestampArray;
    /// use arrow_schema::{DataType, TimeUnit};
    ///
    /// let data_type = DataType::timestamp_with_zone(TimeUnit::Second, "+05:30");
    /// let seen = TimestampArray::try_from_iter(data_type, [0])?;
    /// let first = seen.zoned()?.next().transpose()?.flatten();
    /// assert_eq!(first.map(|zoned| zoned.to_string()).as_deref(), Some("1970-01-01T05:30:00+05:30[+05:30]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the type has no time zone, or its name is not in the database.
    pub fn zoned(
        &self,
    ) -> Result<
        impl DoubleEndedIterator<Item = Result<Option<Zoned>, TemporalError>> + ExactSizeIterator,
        TemporalError,
    > {
        let zone = self.jiff_time_zone()?;
        let in_zone = move |seen: Timestamp| seen.to_zoned(zone.clone());
        Ok(slots(self).map(move |slot: TemporalSlot<Timestamp>| slot.map(|seen| seen.map(&in_zone))))
    }
}

/// Finds the time zone with an offset such as `+05:30`, or with a name in the time zone database.
fn find_zone(zone: &str) -> Result<TimeZone, TemporalError> {
    let found = match time_zone::parse_offset(zone) {
        Some(offset) => Offset::from_seconds(offset).ok().map(TimeZone::fixed),
        None if time_zone::is_portable(zone) => TimeZone::get(zone).ok().filter(|zone| !zone.is_unknown()),
        None => None,
    };
    found.ok_or_else(|| TemporalError::UnknownZone { zone: zone.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones() {
        let cases = [
            ("+05:30", Some(19_800)),
            ("-00:45", Some(-2_700)),
            ("+00:00", Some(0)),
            ("UTC", None),
            ("Europe/Berlin", None),
        ];
        for (zone, seconds) in cases {
            let found = find_zone(zone).expect(zone);
            assert_eq!(
                found.to_fixed_offset().ok().map(Offset::seconds),
                seconds.or((zone == "UTC").then_some(0))
            );
        }
        for zone in [
            "",
            "Etc/Unknown",
            "localtime",
            "Factory",
            "Nowhere/Atall",
            "+5:30",
            "+05:60",
            "+0530",
            "+99:00",
            "05:30",
            "+05:30 ",
        ] {
            assert_eq!(find_zone(zone), Err(TemporalError::UnknownZone { zone: zone.into() }), "{zone}");
        }
    }
}
