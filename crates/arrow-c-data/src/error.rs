//! The reasons why a structure cannot be imported, or an array cannot be exported.

use std::fmt;

use arrow_error::ErrorClass;

use arrow_data::{DataError, DataErrorKind};
use arrow_schema::{FieldPath, PathStep, TypeError};

mod kind;

pub use self::kind::{CDataErrorKind, Structure};

/// The reason why a structure cannot be imported or exported: the path of the field, and the cause.
#[derive(Clone, PartialEq)]
pub struct CDataError(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    path: FieldPath,
    kind: CDataErrorKind,
}

impl CDataError {
    /// The path from the structure to the field with the error. Empty for the structure itself.
    pub fn path(&self) -> &FieldPath {
        if let CDataErrorKind::Data(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    /// The cause, with the value that was found and the values that are allowed.
    pub fn kind(&self) -> &CDataErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// Puts `step` before the path of this error.
    pub(crate) fn below(mut self, step: PathStep) -> CDataError {
        if let CDataErrorKind::Data(error) = &mut self.0.kind {
            error.prefix_path(&FieldPath::from_iter([step]));
        } else {
            self.0.path.prepend(step);
        }
        self
    }

    /// Puts the child `name` at `position` before the path of this error.
    pub(crate) fn in_child(self, position: usize, name: &str) -> CDataError {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.below(PathStep::Child { position, name: name.into() })
    }
}

impl From<CDataErrorKind> for CDataError {
    fn from(kind: CDataErrorKind) -> CDataError {
        CDataError(Box::new(Inner { path: FieldPath::root(), kind }))
    }
}

impl From<DataError> for CDataError {
    fn from(error: DataError) -> CDataError {
        CDataErrorKind::Data(error).into()
    }
}

impl From<DataErrorKind> for CDataError {
    fn from(kind: DataErrorKind) -> CDataError {
        DataError::from(kind).into()
    }
}

impl From<TypeError> for CDataError {
    fn from(error: TypeError) -> CDataError {
        CDataErrorKind::Type(error).into()
    }
}

arrow_error::debug_as_display!(CDataError);

impl fmt::Display for CDataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_root() {
            write!(f, "field `{}`: ", self.0.path)?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

/// There is no `source`, since the message contains the cause.
impl std::error::Error for CDataError {}
