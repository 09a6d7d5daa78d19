//! Errors of conversions to and from `jiff`. Needs the feature `jiff`.

use std::{fmt, sync::Arc};

/// Why a temporal value cannot be converted to or from a type of `jiff`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemporalError {
    /// The stored number is outside the range of the type of `jiff`.
    OutOfRange {
        /// The number in the array.
        stored: i64,
        /// The unit that the number counts.
        unit: &'static str,
        /// The type of `jiff`.
        into: &'static str,
    },
    /// The numbers of an interval have different signs, but a span of `jiff` has one sign for all its units.
    MixedSigns,
    /// The value is not a whole number in the unit of the array.
    Inexact {
        /// The unit that the array stores.
        unit: &'static str,
    },
    /// The value of `jiff` has units that the array cannot store.
    Unstorable {
        /// The names of these units.
        part: &'static str,
        /// The type of the array.
        into: &'static str,
    },
    /// The value does not fit into the integers of the array.
    Overflow {
        /// The width of these integers in bits.
        n_bits: usize,
        /// The unit that the array stores.
        unit: &'static str,
    },
    /// The array has no time zone: its values are local times of an unknown zone.
    NoZone,
    /// The array has a time zone: its values are timestamps in UTC, not local times.
    HasZone,
    /// The time zone is neither an offset nor a name in the time zone database of `jiff`.
    UnknownZone {
        /// The time zone of the type.
        zone: Arc<str>,
    },
}

impl fmt::Display for TemporalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemporalError::OutOfRange { stored, unit, into } => write!(f, "{stored} {unit} are out of bounds of {into}"),
            TemporalError::MixedSigns => f.write_str("the interval has positive and negative parts, but all parts of a `jiff::Span` have the same sign; read its months, days and nanoseconds as integers"),
            TemporalError::Inexact { unit } => write!(f, "the value is not a whole number of {unit}"),
            TemporalError::Unstorable { part, into } => write!(f, "the span has {part}, which {into} does not store"),
            TemporalError::Overflow { n_bits, unit } => write!(f, "the value does not fit into {n_bits} bits of {unit}"),
            TemporalError::NoZone => f.write_str("the timestamps have no time zone, so they are local times; use `jiff::civil::DateTime`"),
            TemporalError::HasZone => f.write_str("the timestamps have a time zone, so they are not local times; use `jiff::Timestamp`"),
            TemporalError::UnknownZone { zone } => write!(f, "unknown time zone {zone:?}"),
        }
    }
}

impl std::error::Error for TemporalError {}

arrow_error::debug_as_display!(TemporalError);
