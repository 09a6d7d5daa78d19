//! Errors of casts.

use std::fmt;

use arrow_error::ErrorClass;

use arrow_array::{ArrayError, ArrayErrorKind};
use arrow_data::DataError;
use arrow_schema::{DataType, Field, FieldPath, PathStep, QuotedText};
use arrow_select::SelectError;

/// Why a column cannot be cast, and which field of the column is at fault.
#[derive(Clone, PartialEq)]
pub struct CastError(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    path: FieldPath,
    kind: CastErrorKind,
}

pub(super) type CastResult<T> = Result<T, CastError>;

/// The cause of a [`CastError`], without the field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CastErrorKind {
    /// No cast between these types exists.
    #[error("{from} cannot be cast to {to}{}", lost_field(from, to))]
    Unsupported {
        /// The type of the array or of one of its children.
        from: DataType,
        /// The type to which it should be cast.
        to: DataType,
    },
    /// A value is outside the range of the new type.
    #[error("the value {value} in slot {slot} does not fit {to}")]
    OutOfRange {
        /// The start of the value, as text.
        value: String,
        /// The slot that contains the value.
        slot: usize,
        /// The new type.
        to: DataType,
    },
    /// A value has digits that the new type cannot store.
    #[error("the value {value} in slot {slot} would lose digits as {to}")]
    LostDigits {
        /// The start of the value, as text.
        value: String,
        /// The slot that contains the value.
        slot: usize,
        /// The new type.
        to: DataType,
    },
    /// A timestamp has a time zone or a day, which the new type cannot store.
    #[error("the value {value} in slot {slot} would lose its {part} as {to}")]
    LostPart {
        /// The timestamp, as text.
        value: String,
        /// The slot that contains the timestamp.
        slot: usize,
        /// What the cast would drop: `zone` or `day`.
        part: &'static str,
        /// The new type.
        to: DataType,
    },
    /// Clocks of the zone skip a local time, or show it twice, so the instant is not known.
    #[error("the local time {value} in slot {slot} {} {}", if *is_repeated { "occurs twice in" } else { "does not exist in" }, zone_of(to))]
    LocalTime {
        /// The local time, as text.
        value: String,
        /// The slot that contains the local time.
        slot: usize,
        /// Whether clocks show the local time twice. Otherwise they skip it.
        is_repeated: bool,
        /// The new type.
        to: DataType,
    },
    /// The rules of a time zone are not known.
    #[error("the time zone {} is unknown", shown(zone))]
    UnknownZone {
        /// The name of the time zone.
        zone: String,
    },
    /// Binary values cannot become text, since their bytes are not UTF-8.
    #[error("the bytes in slot {slot} are not UTF-8 from byte {position} on")]
    NotUtf8 {
        /// The slot that contains the bytes.
        slot: usize,
        /// The offset of the first invalid byte in the value.
        position: usize,
    },
    /// A field of the new type is not nullable, but values are null.
    #[error("{null_count} of the values are null, which {field} does not allow")]
    Nulls {
        /// The number of null values.
        null_count: usize,
        /// The field of the new type.
        field: Field,
    },
    /// An array of the new type cannot be made, for example because its index type is too narrow.
    #[error(transparent)]
    Array(ArrayError),
    /// The content of the array is invalid, or there is too little memory.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The indices, offsets or run ends of the new type overflow.
    #[error(transparent)]
    Select(SelectError),
}

impl CastErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Array(error) => error.class(),
            Self::Data(error) => error.class(),
            Self::Select(error) => error.class(),
            Self::Unsupported { .. } | Self::UnknownZone { .. } => ErrorClass::Unsupported,
            Self::OutOfRange { .. }
            | Self::LostDigits { .. }
            | Self::LostPart { .. }
            | Self::LocalTime { .. }
            | Self::NotUtf8 { .. }
            | Self::Nulls { .. } => ErrorClass::Misuse,
        }
    }
}

impl CastErrorKind {
    /// Whether a single value is at fault, rather than the types or the memory.
    pub(super) fn is_of_value(&self) -> bool {
        match self {
            CastErrorKind::OutOfRange { .. }
            | CastErrorKind::LostDigits { .. }
            | CastErrorKind::LostPart { .. }
            | CastErrorKind::LocalTime { .. }
            | CastErrorKind::NotUtf8 { .. } => true,
            CastErrorKind::Unsupported { .. }
            | CastErrorKind::UnknownZone { .. }
            | CastErrorKind::Nulls { .. }
            | CastErrorKind::Array(_)
            | CastErrorKind::Data(_)
            | CastErrorKind::Select(_) => false,
        }
    }
}

fn zone_of(data_type: &DataType) -> String {
    shown(data_type.as_timestamp().and_then(|(_, zone)| zone).unwrap_or_default())
}

/// The start of a text in quotes, for an error.
pub(crate) fn shown(text: &str) -> String {
    const MAX_BYTES: usize = 40;
    let start = text.get(..arrow_buffer::floor_char_boundary(text, MAX_BYTES)).unwrap_or_default();
    format!("{}{}", QuotedText(start), if start.len() < text.len() { "…" } else { "" })
}

/// The name of a field that only one of two structs has. Empty if both have the same fields.
fn lost_field(from: &DataType, to: &DataType) -> String {
    let are_structs = from.is_struct() && to.is_struct();
    let is_lost = |field: &&Field| are_structs && to.children().iter().all(|new| new.name() != field.name());
    let lost = from.children().iter().find(is_lost);
    lost.map(|field| format!(", which has no field `{}`", field.name())).unwrap_or_default()
}

impl CastError {
    /// What went wrong, for a `match`.
    pub fn kind(&self) -> &CastErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// The path of the field at fault within the column. Empty for the column itself.
    pub fn path(&self) -> &FieldPath {
        &self.0.path
    }

    /// Prepends the child at `position` to the path of the error.
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

impl From<SelectError> for CastErrorKind {
    fn from(error: SelectError) -> CastErrorKind {
        error.into_data().map_or_else(CastErrorKind::Select, CastErrorKind::Data)
    }
}

impl<K: Into<CastErrorKind>> From<K> for CastError {
    fn from(kind: K) -> CastError {
        CastError(Box::new(Inner { path: FieldPath::root(), kind: kind.into() }))
    }
}

arrow_error::debug_as_display!(CastError);

impl fmt::Display for CastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_root() {
            write!(f, "field `{}`: ", self.path())?;
        }
        self.kind().fmt(f)
    }
}

impl std::error::Error for CastError {}
