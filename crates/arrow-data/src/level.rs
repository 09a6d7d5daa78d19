//! How far arrays are checked.

/// How far an array has been checked, or is to be. Each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// Sizes and counts; always holds.
    #[default]
    Structure,
    /// What safe and meaningful access needs: offsets in order and in range, UTF-8, views, indices, type ids, run
    /// ends, and the number of nulls.
    Content,
    /// What the format asks of values too, but producers are known to violate: decimals within their precision,
    /// date64 of whole days, times within a day, offsets of dense unions in order, a value in each slot of a field
    /// that is not nullable, also where a dictionary, runs or a union would hold the null.
    Strict,
}
