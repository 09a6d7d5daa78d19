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
    /// Rules of the format that some producers violate: decimals fit their precision, date64 has whole days, times are
    /// within a day, and offsets of dense unions are in order. No slot of a field that is not nullable is null, or
    /// refers to a null in a dictionary, a run or a child of a union.
    Strict,
}

/// Whether data that is read or imported is checked at once. The structure of arrays is always valid.
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
    /// The level that is checked at once.
    pub const fn level(self) -> Level {
        match self {
            Validation::Content => Level::Content,
            Validation::Deferred => Level::Structure,
            Validation::Strict => Level::Strict,
        }
    }
}
