//! The errors of computing statistics.

use arrow_array::ArrayError;
use arrow_data::DataError;
use arrow_schema::DataType;

/// The reason why an array could not be added to the statistics of a column.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// The array does not have the type of the column.
    #[error("expected {expected}, found {found}")]
    OtherType {
        /// The type of the column.
        expected: DataType,
        /// The type of the array.
        found: DataType,
    },
    /// The array is invalid.
    #[error(transparent)]
    Array(#[from] ArrayError),
    /// The array is invalid.
    #[error(transparent)]
    Data(#[from] DataError),
}
