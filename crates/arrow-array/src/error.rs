//! Why a typed array could not be made.

use std::fmt;

use arrow_data::DataError;
use arrow_schema::DataType;

/// Why a typed array, or the display of one, could not be made.
///
/// ```
/// use arrow_array::{Int64Array, Utf8Array};
/// use arrow_data::ArrayData;
///
/// let numbers = ArrayData::from(Int64Array::from_iter([1, 2, 3]));
/// let error = Utf8Array::try_from(&numbers).expect_err("numbers are not text");
/// assert_eq!(error.to_string(), "expected utf8, found int64");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayError(Box<ArrayErrorKind>);

/// The cause of an [`ArrayError`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayErrorKind {
    /// The data is of another type than the array asked for.
    #[error("expected {expected}, found {found}")]
    TypeMismatch {
        /// The type that the array stands for, without its parameters.
        expected: &'static str,
        /// The type of the data.
        found: DataType,
    },
    /// The data is not sound.
    #[error(transparent)]
    Data(DataError),
    /// The values together are longer than the offsets of the type can say.
    #[error("the values have {n_bytes} bytes or more together, {offsets} offsets reach to {max}")]
    OffsetOverflow {
        /// How many bytes there were when it was noticed.
        n_bytes: u64,
        /// The type of the offsets.
        offsets: &'static str,
        /// The largest offset.
        max: u64,
    },
}

impl ArrayError {
    /// The cause.
    pub fn kind(&self) -> &ArrayErrorKind {
        &self.0
    }

    /// The cause, given away.
    pub fn into_kind(self) -> ArrayErrorKind {
        *self.0
    }

    pub(crate) fn type_mismatch(expected: &'static str, found: &DataType) -> ArrayError {
        ArrayErrorKind::TypeMismatch { expected, found: found.clone() }.into()
    }

    /// Adds that the error is about the column `name` at `position`, or something below it.
    pub(crate) fn in_field(self, position: usize, name: &str) -> ArrayError {
        match *self.0 {
            ArrayErrorKind::Data(error) => ArrayErrorKind::Data(error.in_field(position, name)).into(),
            kind @ (ArrayErrorKind::TypeMismatch { .. } | ArrayErrorKind::OffsetOverflow { .. }) => {
                kind.into()
            }
        }
    }
}

impl From<ArrayErrorKind> for ArrayError {
    fn from(kind: ArrayErrorKind) -> ArrayError {
        ArrayError(Box::new(kind))
    }
}

impl From<DataError> for ArrayError {
    fn from(error: DataError) -> ArrayError {
        ArrayErrorKind::Data(error).into()
    }
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

// By hand: the message of the cause is already ours, so the chain goes on below it.
impl std::error::Error for ArrayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&*self.0)
    }
}
