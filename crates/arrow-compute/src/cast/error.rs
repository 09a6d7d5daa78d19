//! The reason why a column cannot be cast.

use std::fmt;

use arrow_array::{ArrayError, ArrayErrorKind};
use arrow_data::DataError;
use arrow_schema::{DataType, Field, FieldPath, PathStep};

/// The reason why a column cannot be cast, and the position of the error in the column.
#[derive(Debug, Clone, PartialEq)]
pub struct CastError(Box<Inner>);

#[derive(Debug, Clone, PartialEq)]
struct Inner {
    path: FieldPath,
    kind: CastErrorKind,
}

pub(super) type CastResult<T> = Result<T, CastError>;

/// The cause of a [`CastError`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CastErrorKind {
    /// There is no cast between these types.
    #[error("{from} cannot be cast to {to}{}", lost_field(from, to))]
    Unsupported {
        /// The type of the values.
        from: DataType,
        /// The requested type.
        to: DataType,
    },
    /// A value does not fit the type.
    #[error("the value {value} in slot {slot} does not fit {to}")]
    OutOfRange {
        /// The value, as text.
        value: String,
        /// The slot of the array that contains the value.
        slot: usize,
        /// The requested type.
        to: DataType,
    },
    /// A value has digits that the type cannot store.
    #[error("the value {value} in slot {slot} would lose digits as {to}")]
    LostDigits {
        /// The value, as text.
        value: String,
        /// The slot of the array that contains the value.
        slot: usize,
        /// The requested type.
        to: DataType,
    },
    /// A timestamp has a time zone or a day that the type cannot store.
    #[error("the value {value} in slot {slot} would lose its {part} as {to}")]
    LostPart {
        /// The value, as text.
        value: String,
        /// The slot of the array that contains the value.
        slot: usize,
        /// What would be lost: "zone" or "day".
        part: &'static str,
        /// The requested type.
        to: DataType,
    },
    /// Bytes are not UTF-8.
    #[error("the bytes in slot {slot} are not UTF-8 from byte {position} on")]
    NotUtf8 {
        /// The slot of the array that contains the bytes.
        slot: usize,
        /// The position of the first byte that is not UTF-8.
        position: usize,
    },
    /// Values are null, but the field does not allow nulls.
    #[error("{n_nulls} of the values are null, which {field} does not allow")]
    Nulls {
        /// The number of nulls.
        n_nulls: usize,
        /// The field that is not nullable.
        field: Field,
    },
    /// An array cannot be made. For example, its index type is too narrow for the number of its values.
    #[error(transparent)]
    Array(ArrayError),
    /// An array is invalid, or cannot be made because its offsets exceed 32 bits.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// The name of a field of one struct that the other struct does not have; empty if both have the same fields.
fn lost_field(from: &DataType, to: &DataType) -> String {
    let are_structs = from.is_struct() && to.is_struct();
    let is_lost = |field: &&Field| are_structs && to.children().iter().all(|new| new.name() != field.name());
    let lost = from.children().iter().find(is_lost);
    lost.map(|field| format!(", which has no field `{}`", field.name())).unwrap_or_default()
}

impl CastError {
    /// The cause.
    pub fn kind(&self) -> &CastErrorKind {
        &self.0.kind
    }

    /// The path from the column to the field of the error. It does not include the column itself.
    pub fn path(&self) -> &FieldPath {
        &self.0.path
    }

    /// The same error, with the child at `position` added to the path.
    pub(super) fn in_child(mut self, position: usize, field: &Field) -> CastError {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.0.path.prepend(PathStep::Child { position, name: field.to_shared_name() });
        self
    }
}

impl From<ArrayError> for CastErrorKind {
    fn from(error: ArrayError) -> CastErrorKind {
        if let ArrayErrorKind::Data(error) = error.kind() {
            return CastErrorKind::Data(error.clone());
        }
        CastErrorKind::Array(error)
    }
}

impl<K: Into<CastErrorKind>> From<K> for CastError {
    fn from(kind: K) -> CastError {
        CastError(Box::new(Inner { path: FieldPath::root(), kind: kind.into() }))
    }
}

impl fmt::Display for CastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_root() {
            write!(f, "field `{}`: ", self.path())?;
        }
        self.kind().fmt(f)
    }
}

impl std::error::Error for CastError {}
