//! The error of reading or planning a document of shapes.

use std::{error, fmt};

use arrow_ipc::IpcError;
use arrow_schema::{Field, ParseError, Quoted, TypeError};
use arrow_text::SchemaJsonError;

use super::place::ReportedPlace;
use crate::numbers::listed;

/// The error of reading or planning a document of shapes: the cause, the line of the wrong value, and the path to it.
pub struct ShapesError(Box<Inner>);

struct Inner {
    /// The line of the wrong value, and the path to it; `None` if the error is about the whole document, or already
    /// has a line.
    source: Option<ReportedPlace>,
    kind: ShapesErrorKind,
}

/// The cause of a [`ShapesError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShapesErrorKind {
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
    /// An object has a member with an unknown name.
    #[error("there is no member {}; the members are {}", Quoted(name), in_quotes(allowed))]
    UnknownMember {
        /// The name that is not allowed.
        name: String,
        /// The names that are allowed.
        allowed: &'static [&'static str],
    },
    /// An object has several members that exclude each other.
    #[error("a column has more than one of {}; only one is allowed", in_quotes(names))]
    Exclusive {
        /// The names of the members.
        names: &'static [&'static str],
    },
    /// The schema has no field with this name.
    #[error("no field is named {}", Quoted(name))]
    NoField {
        /// The name of the field.
        name: String,
    },
    /// Several fields of the schema have this name.
    #[error("several fields are named {}; an array describes fields in their order", Quoted(name))]
    AmbiguousField {
        /// The name of the field.
        name: String,
    },
    /// An array of shapes is longer than the list of fields.
    #[error("expected {expected} fields, found {found}")]
    TooManyFields {
        /// The number of fields in the schema.
        expected: usize,
        /// The number of shapes in the array.
        found: usize,
    },
    /// The schema has no dictionary with this id.
    #[error("the schema has no dictionary {id}")]
    NoDictionary {
        /// The id of the dictionary.
        id: i64,
    },
    /// The schema is not valid in the JSON format of Arrow's integration tests.
    #[error(transparent)]
    JsonSchema(SchemaJsonError),
    /// The text of the schema is invalid.
    #[error(transparent)]
    TextSchema(ParseError),
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
    /// A shape contradicts the schema, the options or the format. The error says how.
    #[error(transparent)]
    Plan(IpcError),
}

impl ShapesError {
    pub(super) fn new(kind: ShapesErrorKind, source: ReportedPlace) -> ShapesError {
        ShapesError(Box::new(Inner { source: Some(source), kind }))
    }

    pub(super) fn of_text(error: serde_json::Error) -> ShapesError {
        ShapesError(Box::new(Inner { source: None, kind: ShapesErrorKind::Syntax(error) }))
    }

    pub(super) fn of_whole(error: IpcError) -> ShapesError {
        ShapesError(Box::new(Inner { source: None, kind: ShapesErrorKind::Plan(error) }))
    }

    /// The line in the document, from 1; `None` if the error is about the whole document.
    pub fn line(&self) -> Option<usize> {
        match (&self.0.source, &self.0.kind) {
            (Some(source), _) => Some(source.line),
            (None, ShapesErrorKind::Syntax(error)) => Some(error.line()),
            (None, _) => None,
        }
    }

    /// The path to the wrong value, such as `batches[0].columns.name`. Empty if the error is about the whole document.
    pub fn place(&self) -> &str {
        self.0.source.as_ref().map_or("", |source| &source.place)
    }

    /// The cause, without the line and path.
    pub fn kind(&self) -> &ShapesErrorKind {
        &self.0.kind
    }

    /// The cause, without the line and path.
    pub fn into_kind(self) -> ShapesErrorKind {
        self.0.kind
    }
}

arrow_buffer::debug_as_display!(ShapesError);

/// The output is not escaped. Use [`Escaped`](crate::Escaped) if names may contain control characters.
impl fmt::Display for ShapesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ReportedPlace { line, place }) = &self.0.source {
            write!(f, "line {line}")?;
            if !place.is_empty() {
                write!(f, ", {place}")?;
            }
            f.write_str(": ")?;
        }
        self.0.kind.fmt(f)
    }
}

impl error::Error for ShapesError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.0.kind)
    }
}

/// Joins names with commas, each in quotes.
fn in_quotes(names: &[&str]) -> String {
    listed(names.iter().map(|name| format!("\"{name}\"")))
}
