//! Why a temporal value could not be converted. Feature `jiff`.

use std::sync::Arc;

/// Why a temporal value could not be converted to or from a type of `jiff`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemporalError {
    /// The stored number lies outside of what the type of `jiff` holds.
    #[error("{stored} {unit} are out of bounds of {into}")]
    OutOfRange {
        /// The number.
        stored: i64,
        /// What it counts.
        unit: &'static str,
        /// The type.
        into: &'static str,
    },
    /// Parts of a stored interval differ in sign; a span has one sign.
    #[error("months, days and the rest of the interval differ in sign; a span has one sign")]
    MixedSigns,
    /// The value is no whole number in the unit of the array.
    #[error("the value is not a whole number of {unit}")]
    Inexact {
        /// The unit.
        unit: &'static str,
    },
    /// The value has a part that the array cannot store.
    #[error("the span has {part}, which {into} does not store")]
    Unstorable {
        /// The units that it has.
        part: &'static str,
        /// The type of the array.
        into: &'static str,
    },
    /// The value does not fit into the stored number.
    #[error("the value does not fit into {n_bits} bits of {unit}")]
    Overflow {
        /// How wide the number is.
        n_bits: usize,
        /// What it counts.
        unit: &'static str,
    },
    /// The array has no time zone: it holds readings of a clock, not points in time.
    #[error("timestamps without time zone are readings of a clock, not points in time")]
    NoZone,
    /// The array has a time zone: it holds points in time, not readings of a clock.
    #[error("timestamps with a time zone are points in time, not readings of a clock")]
    HasZone,
    /// The time zone is neither an offset nor the name of one that `jiff` finds.
    #[error("unknown time zone {zone:?}")]
    UnknownZone {
        /// The zone, as the type has it.
        zone: Arc<str>,
    },
}
