//! Why an output has no statistics in its footer.

use std::fmt;

/// The reason why an output has no statistics in its footer, although statistics were wanted or the input has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostStatistics {
    /// The statistics of the input cannot be read, or describe other batches.
    Unreadable,
    /// The statistics take more than 2 % of the file.
    NoRoom,
    /// The footer of the input has statistics, and those of the output were not wanted.
    Unwanted,
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
            LostStatistics::Unwanted => {
                "the footer has statistics, which are not copied: `convert --statistics` writes those of the output"
            }
        })
    }
}
