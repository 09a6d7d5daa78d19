//! The levels up to which arrays are checked.

/// The level up to which data has been checked, or must be checked while it is read, imported or validated. Each level
/// includes the lower levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Validation {
    /// Lengths and counts, which are always valid. A reader with this level checks the content when a column becomes a
    /// typed array, or when the caller validates it. Only values of dictionaries with deltas are checked at once, since
    /// joining a delta to its dictionary reads the values.
    Structure,
    /// The rules for safe and meaningful access: offsets in order and in range, UTF-8, views, indices, type ids, run
    /// ends, and the number of nulls.
    #[default]
    Content,
    /// Rules that the format requires but some producers violate: decimals fit their precision, date64 has whole days,
    /// times are within a day, and offsets of dense unions are in order. A field that is not nullable has no nulls, and
    /// selects no nulls of a dictionary, of runs or of the children of a union.
    Strict,
}
