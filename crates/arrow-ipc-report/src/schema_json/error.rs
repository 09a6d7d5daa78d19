//! The error of reading a schema from JSON.

use std::{error, fmt};

use arrow_schema::{Field, ParseError, TypeError};

/// Why a text is no schema as JSON: the cause, and the path to the wrong value.
pub struct SchemaFromJsonError(Box<Inner>);

struct Inner {
    path: String,
    kind: SchemaFromJsonErrorKind,
}

/// The cause of a [`SchemaFromJsonError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaFromJsonErrorKind {
    /// The text is not JSON, or is nested too deeply. The error has the line and column.
    #[error("not JSON: {0}")]
    Syntax(#[source] serde_json::Error),
    /// A JSON value is of the wrong kind.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The kind of value that the document must have at this position.
        expected: &'static str,
        /// The start of the JSON text that was found instead.
        found: String,
    },
    /// An object does not have a required member.
    #[error("the member \"{name}\" is missing")]
    Missing {
        /// The name of the member.
        name: &'static str,
    },
    /// The text of a type is invalid.
    #[error(transparent)]
    Type(ParseError),
    /// The JSON has another number of children than the text of the type.
    #[error("found {found} children, but the type has {expected}")]
    ChildCount {
        /// The number of children in the JSON value.
        found: usize,
        /// The number of children in the text of the type.
        expected: usize,
    },
    /// A child in the JSON differs from the corresponding child in the text of the type.
    #[error("the type requires the child {expected}")]
    OtherChild {
        /// The child in the text of the type.
        expected: Field,
    },
    /// A type cannot have these children.
    #[error(transparent)]
    Children(TypeError),
}

impl SchemaFromJsonError {
    pub(super) fn new(kind: SchemaFromJsonErrorKind, path: String) -> SchemaFromJsonError {
        SchemaFromJsonError(Box::new(Inner { path, kind }))
    }

    /// The path to the wrong value, such as `fields[0].name`. Empty if the error is about the whole document.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The cause, without the path.
    pub fn kind(&self) -> &SchemaFromJsonErrorKind {
        &self.0.kind
    }
}

arrow_error::debug_as_display!(SchemaFromJsonError);

/// The output is not escaped. Use [`Escaped`](arrow_text::format::Escaped) if names may contain control characters.
impl fmt::Display for SchemaFromJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        self.0.kind.fmt(f)
    }
}

impl error::Error for SchemaFromJsonError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.0.kind)
    }
}
