//! Why a file that was to have statistics in its footer has none.

use std::fmt;

/// Why a file has no statistics in its footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostStatistics {
    /// The statistics of the input cannot be read, or describe other batches.
    Unreadable,
    /// The statistics take more than 2 % of the file.
    NoRoom,
}

impl fmt::Display for LostStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LostStatistics::Unreadable => {
                "the statistics in the footer could not be continued, and were left out"
            }
            LostStatistics::NoRoom => {
                "no statistics were written: those of one column would take more than 2 % of the file, since batches are small"
            }
        })
    }
}
