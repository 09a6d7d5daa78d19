//! Errors of kernels: the cause and the field.

use std::fmt;

use arrow_error::ErrorClass;

use arrow_buffer::BudgetError;
use arrow_data::{DataError, DataErrorKind};
use arrow_schema::{DataType, FieldPath, LookupError, PathStep};

/// Why arrays or batches could not be selected, concatenated or grown: the cause and, if known, the path of the
/// field.
#[derive(Clone, PartialEq)]
pub struct SelectError(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    /// Where the error occurred. Empty for [`SelectErrorKind::Data`], which has its own path.
    path: FieldPath,
    kind: SelectErrorKind,
}

/// The cause of a [`SelectError`], with the value that was found and the values that are allowed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum SelectErrorKind {
    /// An array or batch is invalid, or the memory budget or the system refuses memory.
    Data(DataError),
    /// An index for `take` is out of bounds; `position` is its position among the indices.
    TakeOutOfRange { position: u64, index: i128, n_slots: u64 },
    /// A range of slots to take begins after its end.
    ReversedRange { position: u64, start: u64, end: u64 },
    /// A mask does not have the length of the array or batch that it filters.
    MaskLength { expected: u64, found: u64 },
    /// There are more bytes or items than offsets of 32 bits can express.
    OffsetOverflow { data_type: DataType },
    /// A child of a dense union has more values than offsets of 32 bits can express.
    UnionOffsetOverflow { type_id: i8 },
    /// There are more slots than the type of the run ends can express.
    RunEndOverflow { run_end_type: DataType, n_slots: u64 },
    /// A dictionary has more values than the type of its indices can express.
    IndexOverflow { index_type: DataType, n_values: u64 },
    /// Ordered dictionaries cannot be merged, since their orders may contradict each other.
    OrderedDictionaries,
    /// A growing array needs more copies than [`GrowingArray::append`](crate::GrowingArray::append) may make.
    TooManyCopies { n_bytes: u64, limit: u64 },
    /// Values written out in full take more bytes than the caller allows.
    ValueBytes { limit: u64 },
}

impl SelectErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Data(error) => error.class(),
            Self::TooManyCopies { .. } | Self::ValueBytes { .. } => ErrorClass::LimitExceeded,
            Self::TakeOutOfRange { .. }
            | Self::ReversedRange { .. }
            | Self::MaskLength { .. }
            | Self::OffsetOverflow { .. }
            | Self::UnionOffsetOverflow { .. }
            | Self::RunEndOverflow { .. }
            | Self::IndexOverflow { .. }
            | Self::OrderedDictionaries => ErrorClass::Misuse,
        }
    }
}

impl SelectError {
    /// The path from the given array or batch to the field with the error; empty if the error is about the array itself.
    pub fn path(&self) -> &FieldPath {
        self.data().map_or(&self.0.path, DataError::path)
    }

    /// The cause, with the value that was found and the values that are allowed.
    pub fn kind(&self) -> &SelectErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// The cause if it is about invalid data or memory.
    pub fn data(&self) -> Option<&DataError> {
        if let SelectErrorKind::Data(error) = &self.0.kind { Some(error) } else { None }
    }

    /// The cause if it is about invalid data or memory, and otherwise this error.
    ///
    /// # Errors
    /// If the cause is not [`SelectErrorKind::Data`].
    pub fn into_data(self) -> Result<DataError, SelectError> {
        if let SelectErrorKind::Data(error) = self.0.kind { Ok(error) } else { Err(self) }
    }

    /// The path and the cause. The path is empty if the cause is [`SelectErrorKind::Data`], which has its own.
    pub fn into_parts(self) -> (FieldPath, SelectErrorKind) {
        (self.0.path, self.0.kind)
    }

    /// Puts `prefix` before the [`path`](SelectError::path) of this error.
    pub fn prefix_path(&mut self, prefix: &FieldPath) {
        if let SelectErrorKind::Data(error) = &mut self.0.kind {
            error.prefix_path(prefix);
        } else {
            let steps = prefix.steps().iter().chain(self.0.path.steps()).cloned();
            self.0.path = steps.collect();
        }
    }

    /// The error for an impossible state, which is a bug of this crate.
    #[cold]
    pub(crate) fn internal(what: &'static str) -> SelectError {
        DataError::internal(what).into()
    }

    /// Puts the child of `parent` at `position` before the path of this error.
    pub(crate) fn in_child(self, parent: &DataType, position: usize) -> SelectError {
        let name = parent.children().get(position).map_or("", |field| field.name());
        self.in_field(position, name)
    }

    /// Puts the field `name` at `position` before the path of this error.
    pub(crate) fn in_field(self, position: usize, name: &str) -> SelectError {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.below(PathStep::Child { position, name: name.into() })
    }

    /// Puts `step` before the path of this error.
    pub(crate) fn below(mut self, step: PathStep) -> SelectError {
        if let SelectErrorKind::Data(error) = self.0.kind {
            return error.below(step).into();
        }
        self.0.path.prepend(step);
        self
    }
}

impl From<SelectErrorKind> for SelectError {
    fn from(kind: SelectErrorKind) -> SelectError {
        SelectError(Box::new(Inner { path: FieldPath::root(), kind }))
    }
}

impl From<DataError> for SelectError {
    #[cold]
    fn from(error: DataError) -> SelectError {
        SelectErrorKind::Data(error).into()
    }
}

impl From<DataErrorKind> for SelectError {
    fn from(kind: DataErrorKind) -> SelectError {
        DataError::from(kind).into()
    }
}

impl From<LookupError> for SelectError {
    fn from(error: LookupError) -> SelectError {
        DataError::from(error).into()
    }
}

impl From<BudgetError> for SelectError {
    fn from(error: BudgetError) -> SelectError {
        DataError::from(error).into()
    }
}

arrow_error::debug_as_display!(SelectError);

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_root() {
            write!(f, "field `{}`: ", self.0.path)?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

/// There is no `source`, since the message contains the cause.
impl std::error::Error for SelectError {}

impl fmt::Display for SelectErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectErrorKind::Data(error) => fmt::Display::fmt(error, f),
            SelectErrorKind::TakeOutOfRange { position, index, n_slots } => {
                write!(f, "index {index} at position {position} is out of bounds; there are {n_slots} slots")
            }
            SelectErrorKind::ReversedRange { position, start, end } => {
                write!(f, "range {start}..{end} at position {position} begins after its end")
            }
            SelectErrorKind::MaskLength { expected, found } => {
                write!(f, "the mask has {found} bits for {expected} slots")
            }
            SelectErrorKind::OffsetOverflow { data_type } => {
                write!(
                    f,
                    "{data_type} cannot hold so many bytes or items; use a large type or several arrays"
                )
            }
            SelectErrorKind::UnionOffsetOverflow { type_id } => {
                write!(f, "the child of type id {type_id} has too many values for 32-bit union offsets")
            }
            SelectErrorKind::RunEndOverflow { run_end_type, n_slots } => {
                write!(f, "{n_slots} slots are too many for {run_end_type} run ends; use a wider type")
            }
            SelectErrorKind::IndexOverflow { index_type, n_values } => {
                write!(f, "{n_values} values are too many for {index_type} indices; use a wider index type")
            }
            SelectErrorKind::OrderedDictionaries => {
                f.write_str("cannot merge ordered dictionaries with different values")
            }
            SelectErrorKind::TooManyCopies { n_bytes, limit } => {
                write!(f, "appending to the array would copy {n_bytes} bytes in all; the limit is {limit}")
            }
            SelectErrorKind::ValueBytes { limit } => write!(
                f,
                "written out in full, the values exceed {limit} bytes; slots may refer to the same items many times"
            ),
        }
    }
}

impl std::error::Error for SelectErrorKind {}
