//! Errors of reading a schema from JSON.

use std::fmt;

use arrow_schema::{Field, ParseError, QuotedText, TypeError};

/// Why a schema cannot be read from JSON: the path of the wrong value, what was expected, and what was found.
#[derive(Clone, PartialEq, Eq)]
pub struct SchemaJsonError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    /// The path of the wrong value, in reverse order.
    path: Vec<DocumentStep>,
    kind: SchemaJsonErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum DocumentStep {
    Member(&'static str),
    Item(usize),
}

/// The cause of a [`SchemaJsonError`], without the path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaJsonErrorKind {
    /// The text is not valid JSON.
    #[error("not JSON: {problem}")]
    Syntax {
        /// The message of the parser, with line and column.
        problem: String,
    },
    /// A value has the wrong kind, or is outside of the allowed range.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What is allowed, such as `an array`.
        expected: &'static str,
        /// The value that was found, or the start of a long value.
        found: String,
    },
    /// An object has no member of a required name.
    #[error("the member \"{name}\" is missing")]
    Missing {
        /// The required name.
        name: &'static str,
    },
    /// An object has two members of the same name.
    #[error("the member \"{name}\" is repeated")]
    Repeated {
        /// The repeated name.
        name: &'static str,
    },
    /// A name is unknown, such as the name of a type or a unit.
    #[error("there is no {what} {}", QuotedText(name))]
    UnknownName {
        /// What the name stands for, such as `type`.
        what: &'static str,
        /// The unknown name.
        name: String,
    },
    /// A type does not have the number of children that it requires.
    #[error("{name} takes {expected} children, found {found}")]
    ChildCount {
        /// The name of the type in the JSON form, or its text.
        name: String,
        /// The number of children that the type requires.
        expected: usize,
        /// The number of children that the JSON contains.
        found: usize,
    },
    /// A type cannot be made, since its parameters are invalid.
    #[error(transparent)]
    Type(TypeError),
    /// The text of a type is invalid.
    #[error(transparent)]
    TypeText(ParseError),
    /// A child differs from what the text of the type has.
    #[error("the type requires the child {expected}")]
    OtherChild {
        /// The child in the text of the type.
        expected: Box<Field>,
    },
    /// No type has this bit width, or the unit does not allow it.
    #[error("{what} of {n_bits} bits does not exist")]
    Width {
        /// What has the width, such as `an integer`.
        what: &'static str,
        /// The invalid bit width.
        n_bits: u32,
    },
    /// The types of the schema exceed the maximum depth.
    #[error("types nest deeper than the limit of {limit} levels")]
    TooDeep {
        /// The maximum number of levels.
        limit: usize,
    },
    /// The number of given ids is not the number of dictionary-encoded fields.
    #[error("the schema has {expected} dictionary-encoded fields, found {found} ids")]
    DictionaryIds {
        /// The number of dictionary-encoded fields in the schema.
        expected: usize,
        /// The number of ids that were given.
        found: usize,
    },
}

pub(super) type Result<T, E = SchemaJsonError> = std::result::Result<T, E>;

impl SchemaJsonError {
    /// The path in the document, such as `fields[0].type`. Empty for the whole document.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.path.iter().rev() {
            match step {
                DocumentStep::Member(name) if path.is_empty() => path.push_str(name),
                DocumentStep::Member(name) => path.extend([".", name]),
                DocumentStep::Item(item) => path.push_str(&format!("[{item}]")),
            }
        }
        path
    }

    /// What went wrong, for a `match`.
    pub fn kind(&self) -> &SchemaJsonErrorKind {
        &self.0.kind
    }

    /// Adds a member to the path.
    pub(super) fn in_member(mut self, name: &'static str) -> SchemaJsonError {
        self.0.path.push(DocumentStep::Member(name));
        self
    }

    /// Adds the index of an array element to the path.
    pub(super) fn in_item(mut self, idx: usize) -> SchemaJsonError {
        self.0.path.push(DocumentStep::Item(idx));
        self
    }
}

impl From<SchemaJsonErrorKind> for SchemaJsonError {
    fn from(kind: SchemaJsonErrorKind) -> SchemaJsonError {
        SchemaJsonError(Box::new(Inner { path: Vec::new(), kind }))
    }
}

impl From<TypeError> for SchemaJsonError {
    fn from(error: TypeError) -> SchemaJsonError {
        SchemaJsonErrorKind::Type(error).into()
    }
}

arrow_error::debug_as_display!(SchemaJsonError);

/// Writes the path, such as `fields[2].children[0].type: `, and then the cause.
impl fmt::Display for SchemaJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

impl std::error::Error for SchemaJsonError {}
