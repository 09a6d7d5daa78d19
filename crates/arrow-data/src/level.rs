//! The levels up to which arrays are checked.

/// The level up to which an array has been checked, or must be checked. Each level includes the lower levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// Lengths and counts, which are always valid.
    #[default]
    Structure,
    /// The rules for safe and meaningful access: offsets in order and in range, UTF-8, views, indices, type ids, run
    /// ends, and the number of nulls.
    Content,
    /// Rules that the format requires but some producers violate: decimals fit their precision, date64 has whole days,
    /// times are within a day, and offsets of dense unions are in order. A field that is not nullable has no nulls, and
    /// selects no nulls of a dictionary, of runs or of the children of a union.
    Strict,
}

/// Whether data is checked while it is read or imported. The structure of arrays is checked in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Validation {
    /// Content is checked: offsets, text, views, indices, type ids, run ends, null counts.
    #[default]
    Content,
    /// Content is checked when a column becomes a typed array, or when the caller validates it. Values of dictionaries
    /// with deltas are checked at once, since joining a delta to its dictionary reads the values.
    Deferred,
    /// Content is checked, and so are the rules that some producers violate: see [`Level::Strict`].
    Strict,
}

impl Validation {
    /// The level up to which data is checked while it is read or imported.
    pub const fn level(self) -> Level {
        match self {
            Validation::Content => Level::Content,
            Validation::Deferred => Level::Structure,
            Validation::Strict => Level::Strict,
        }
    }
}
