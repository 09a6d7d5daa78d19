//! Errors of computing statistics.

use arrow_array::ArrayError;
use arrow_data::DataError;
use arrow_error::ErrorClass;
use arrow_schema::DataType;
use arrow_select::SelectError;

/// Why an array cannot be added to the statistics of a column.
#[derive(Clone, PartialEq, thiserror::Error)]
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
    /// The array cannot be converted to a typed array, since its content is invalid.
    #[error(transparent)]
    Array(#[from] ArrayError),
    /// The content of the array violates the format.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Values cannot be selected or joined.
    #[error(transparent)]
    Select(SelectError),
}

impl StatisticsError {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Array(error) => error.class(),
            Self::Data(error) => error.class(),
            Self::Select(error) => error.class(),
            Self::OtherType { .. } => ErrorClass::Misuse,
        }
    }
}

impl From<SelectError> for StatisticsError {
    fn from(error: SelectError) -> StatisticsError {
        error.into_data().map_or_else(StatisticsError::Select, StatisticsError::Data)
    }
}

arrow_error::debug_as_display!(StatisticsError);
