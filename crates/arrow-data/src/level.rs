//! How far arrays are checked.

/// How far an array has been checked, or must be. Each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// Lengths and counts, which are always valid.
    #[default]
    Structure,
    /// What safe and meaningful access needs: offsets in order and in range, UTF-8, views, indices, type ids, run ends,
    /// and the number of nulls.
    Content,
    /// What the format asks of values too, but producers are known to violate: decimals within their precision,
    /// date64 of whole days, times within a day, offsets of dense unions in order, a value in each slot of a field
    /// that is not nullable, also where a dictionary, runs or a union would hold the null.
    Strict,
}

/// How far data is checked when it is read or imported. The structure of arrays is sound in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Validation {
    /// Content is checked: offsets, text, views, indices, type ids, run ends, null counts.
    #[default]
    Content,
    /// Content is checked when a typed array is made of a column, or when the caller validates it.
    /// Values of dictionaries with deltas are checked when they are read: joining them looks at them.
    Deferred,
    /// Also what producers are known to violate: see [`Level::Strict`].
    Strict,
}

impl Validation {
    /// The level that is proven right away.
    pub const fn level(self) -> Level {
        match self {
            Validation::Content => Level::Content,
            Validation::Deferred => Level::Structure,
            Validation::Strict => Level::Strict,
        }
    }
}
