//! Errors of conversions to and from `jiff`. Needs the feature `jiff`.

use std::sync::Arc;

/// Why a temporal value cannot be converted to or from a type of `jiff`.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemporalError {
    /// The stored number is outside the range of the type of `jiff`.
    #[error("{stored} {unit} are out of bounds of {into}")]
    OutOfRange {
        /// The number in the array.
        stored: i64,
        /// The unit that the number counts.
        unit: &'static str,
        /// The type of `jiff`.
        into: &'static str,
    },
    /// The numbers of an interval have different signs, but a span of `jiff` has one sign for all its units.
    #[error(
        "the interval has positive and negative parts, but all parts of a `jiff::Span` have the same sign; read its months, days and nanoseconds as integers"
    )]
    MixedSigns,
    /// The value is not a whole number in the unit of the array.
    #[error("the value is not a whole number of {unit}")]
    Inexact {
        /// The unit that the array stores.
        unit: &'static str,
    },
    /// The value of `jiff` has units that the array cannot store.
    #[error("the span has {part}, which {into} does not store")]
    Unstorable {
        /// The names of these units.
        part: &'static str,
        /// The type of the array.
        into: &'static str,
    },
    /// The value does not fit into the integers of the array.
    #[error("the value does not fit into {n_bits} bits of {unit}")]
    Overflow {
        /// The width of these integers in bits.
        n_bits: usize,
        /// The unit that the array stores.
        unit: &'static str,
    },
    /// The array has no time zone: its values are local times of an unknown zone.
    #[error("the timestamps have no time zone, so they are local times; use `jiff::civil::DateTime`")]
    NoZone,
    /// The array has a time zone: its values are timestamps in UTC, not local times.
    #[error("the timestamps have a time zone, so they are not local times; use `jiff::Timestamp`")]
    HasZone,
    /// The time zone is neither an offset nor a name in the time zone database of `jiff`.
    #[error("unknown time zone {zone:?}")]
    UnknownZone {
        /// The time zone of the type.
        zone: Arc<str>,
    },
}

arrow_buffer::debug_as_display!(TemporalError);
