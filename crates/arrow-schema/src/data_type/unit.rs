//! Units of time.

use std::fmt;

/// The unit of timestamps and durations.
///
/// ```
/// use arrow_schema::TimeUnit;
///
/// assert_eq!(TimeUnit::Microsecond.to_string(), "us");
/// assert_eq!(TimeUnit::Microsecond.per_second(), 1_000_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeUnit {
    /// Whole seconds; `s` in text.
    Second,
    /// Thousandths of a second; `ms` in text.
    Millisecond,
    /// Millionths of a second; `us` in text.
    Microsecond,
    /// Billionths of a second; `ns` in text.
    Nanosecond,
}

impl TimeUnit {
    /// All units, the longest first.
    pub const ALL: [Self; 4] = [Self::Second, Self::Millisecond, Self::Microsecond, Self::Nanosecond];

    /// The number of units in a second.
    pub const fn per_second(self) -> i64 {
        match self {
            Self::Second => 1,
            Self::Millisecond => 1_000,
            Self::Microsecond => 1_000_000,
            Self::Nanosecond => 1_000_000_000,
        }
    }

    /// The number of digits after the decimal point of a number of seconds: 0, 3, 6 or 9.
    pub const fn n_fraction_digits(self) -> usize {
        match self {
            Self::Second => 0,
            Self::Millisecond => 3,
            Self::Microsecond => 6,
            Self::Nanosecond => 9,
        }
    }

    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Millisecond => "ms",
            Self::Microsecond => "us",
            Self::Nanosecond => "ns",
        }
    }
}

/// The unit of a time of day that is stored in 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Time32Unit {
    /// Whole seconds; `s` in text.
    Second,
    /// Thousandths of a second; `ms` in text.
    Millisecond,
}

/// The unit of a time of day that is stored in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Time64Unit {
    /// Millionths of a second; `us` in text.
    Microsecond,
    /// Billionths of a second; `ns` in text.
    Nanosecond,
}

/// The units of a calendar interval. The numbers of an interval are independent, and each has its own sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntervalUnit {
    /// Months, in 32 bits.
    YearMonth,
    /// Days and milliseconds, 32 bits each.
    DayTime,
    /// Months and days of 32 bits each, and nanoseconds of 64.
    MonthDayNano,
}

impl IntervalUnit {
    /// All three units.
    pub const ALL: [Self; 3] = [Self::YearMonth, Self::DayTime, Self::MonthDayNano];
}

impl From<Time32Unit> for TimeUnit {
    fn from(unit: Time32Unit) -> Self {
        match unit {
            Time32Unit::Second => Self::Second,
            Time32Unit::Millisecond => Self::Millisecond,
        }
    }
}

impl From<Time64Unit> for TimeUnit {
    fn from(unit: Time64Unit) -> Self {
        match unit {
            Time64Unit::Microsecond => Self::Microsecond,
            Time64Unit::Nanosecond => Self::Nanosecond,
        }
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl fmt::Display for Time32Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TimeUnit::from(*self).symbol())
    }
}

impl fmt::Display for Time64Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TimeUnit::from(*self).symbol())
    }
}

impl fmt::Display for IntervalUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::YearMonth => "year_month",
            Self::DayTime => "day_time",
            Self::MonthDayNano => "month_day_nano",
        })
    }
}
