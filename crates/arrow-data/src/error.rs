//! Errors of arrays and batches: the cause and the position.

use std::fmt;

use arrow_error::ErrorClass;

use arrow_buffer::BudgetError;
use arrow_schema::{DataType, FieldPath, LookupError, PathStep};

mod kind;

pub use self::kind::DataErrorKind;
use crate::layout::Role;

/// The reason why an array or batch is invalid, or why an operation failed: the cause and, if known, the path of the
/// field, the role of the buffer, and the slot.
#[derive(Clone, PartialEq)]
pub struct DataError(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    path: FieldPath,
    role: Option<Role>,
    slot: Option<u64>,
    kind: DataErrorKind,
}

impl DataError {
    /// The path from the checked array or batch to the field with the error; empty if the error is about the array
    /// itself.
    pub fn path(&self) -> &FieldPath {
        &self.0.path
    }

    /// The role of the buffer with the error; `None` if the error is not about one buffer.
    pub fn role(&self) -> Option<Role> {
        self.0.role
    }

    /// The slot with the error, in the array at [`path`](DataError::path); `None` if the error is not about one slot.
    pub fn slot(&self) -> Option<u64> {
        self.0.slot
    }

    /// The cause, with the value that was found and the values that are allowed.
    pub fn kind(&self) -> &DataErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// The error for an impossible state, which is a bug of the crate that reports it.
    #[cold]
    pub fn internal(what: &'static str) -> DataError {
        DataErrorKind::Internal { what }.into()
    }

    /// Adds the role of the buffer with the error, unless it is known.
    #[must_use]
    pub fn in_role(mut self, role: Role) -> DataError {
        self.0.role.get_or_insert(role);
        self
    }

    /// Adds the slot with the error, unless it is known.
    #[must_use]
    pub fn at_slot(mut self, slot: usize) -> DataError {
        self.0.slot.get_or_insert(slot as u64);
        self
    }

    /// Puts `prefix` before the [`path`](DataError::path) of this error.
    pub fn prefix_path(&mut self, prefix: &FieldPath) {
        let steps = prefix.steps().iter().chain(self.0.path.steps()).cloned();
        self.0.path = steps.collect();
    }

    /// Puts `step` before the path of this error.
    #[must_use]
    pub fn below(mut self, step: PathStep) -> DataError {
        self.0.path.prepend(step);
        self
    }

    /// Puts the child of `parent` at `position` before the path of this error.
    #[must_use]
    pub fn in_child(self, parent: &DataType, position: usize) -> DataError {
        let name = parent.children().get(position).map_or("", |field| field.name());
        self.in_field(position, name)
    }

    /// Puts the field `name` at `position` before the path of this error.
    #[must_use]
    pub fn in_field(self, position: usize, name: &str) -> DataError {
        self.below(PathStep::Child {
            position: u32::try_from(position).unwrap_or(u32::MAX),
            name: name.into(),
        })
    }
}

impl From<DataErrorKind> for DataError {
    fn from(kind: DataErrorKind) -> DataError {
        DataError(Box::new(Inner { path: FieldPath::root(), role: None, slot: None, kind }))
    }
}

impl From<BudgetError> for DataError {
    fn from(error: BudgetError) -> DataError {
        DataErrorKind::Memory(error).into()
    }
}

impl From<LookupError> for DataError {
    fn from(error: LookupError) -> DataError {
        DataErrorKind::from(error).into()
    }
}

arrow_error::debug_as_display!(DataError);

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { path, role, slot, kind } = &*self.0;
        let mut separator = "";
        if !path.is_root() {
            write!(f, "field `{path}`")?;
            separator = ", ";
        }
        if let Some(role) = role {
            write!(f, "{separator}{role}")?;
            separator = ", ";
        }
        if let Some(slot) = slot {
            write!(f, "{separator}slot {slot}")?;
            separator = ", ";
        }
        if !separator.is_empty() {
            f.write_str(": ")?;
        }
        fmt::Display::fmt(kind, f)
    }
}

/// There is no `source`, since the message contains the cause.
impl std::error::Error for DataError {}
