//! Why an output has no statistics in its footer.

/// Why an output has no statistics in its footer, although they were wanted, or its input has some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LostStatistics {
    /// The statistics of the input cannot be read, or describe other batches.
    #[error("the statistics in the footer could not be continued, and were left out")]
    Unreadable,
    /// The statistics take more than 2 % of the file.
    #[error(
        "no statistics were written: those of one column would take more than 2 % of the file, since batches are small"
    )]
    NoRoom,
    /// The footer of the input has statistics, and those of the output were not wanted.
    #[error(
        "the footer has statistics, which are not copied: `convert --statistics` writes those of the output"
    )]
    Unwanted,
}
