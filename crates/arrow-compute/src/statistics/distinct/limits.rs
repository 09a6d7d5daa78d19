//! Limits for counting distinct values exactly.

/// Up to these limits, the distinct values of a column are counted exactly. Counting takes the memory of these values, plus 16
/// KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatisticsLimits {
    /// The maximum number of distinct values; 65,536 by default. Each takes 16 to 32 bytes.
    pub max_distinct: usize,
    /// The maximum total length of distinct values that have more than 8 bytes; 4 MiB by default.
    pub max_distinct_bytes: usize,
}

impl Default for StatisticsLimits {
    fn default() -> StatisticsLimits {
        StatisticsLimits { max_distinct: 1 << 16, max_distinct_bytes: 4 << 20 }
    }
}
