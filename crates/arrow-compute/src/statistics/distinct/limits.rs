//! Limits for counting different values exactly.

/// The limits up to which the different values of a column are counted exactly. Counting takes the memory of these
/// values, plus 16 KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatisticsLimits {
    /// The greatest number of different values; 65,536 by default. Each value takes 16 to 32 bytes.
    pub max_distinct: usize,
    /// The greatest sum of the lengths of all different values with more than 8 bytes; 4 MiB by default.
    pub max_distinct_bytes: usize,
}

impl Default for StatisticsLimits {
    fn default() -> StatisticsLimits {
        StatisticsLimits { max_distinct: 1 << 16, max_distinct_bytes: 4 << 20 }
    }
}
