//! Why a schema could not be read from JSON, and where.

use std::fmt;

use arrow_schema::{Quoted, TypeError};

/// Why a schema could not be read from JSON: the path to the wrong value, what was expected, and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaJsonError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    /// The path to the wrong value, with its last step first.
    place: Vec<DocumentStep>,
    kind: SchemaJsonErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum DocumentStep {
    Member(&'static str),
    Item(usize),
}

/// The cause of a [`SchemaJsonError`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaJsonErrorKind {
    /// The text is not JSON.
    #[error("not JSON: {problem}")]
    Syntax {
        /// The message of the parser, with line and column.
        problem: String,
    },
    /// A value has the wrong kind, or is out of the range of its type.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The kind of value that is required.
        expected: &'static str,
        /// The start of the value that was found.
        found: String,
    },
    /// A required member is missing.
    #[error("the member \"{name}\" is missing")]
    Missing {
        /// The name of the member.
        name: &'static str,
    },
    /// A member is repeated.
    #[error("the member \"{name}\" is repeated")]
    Repeated {
        /// The name of the member.
        name: &'static str,
    },
    /// A name is not one of the allowed names.
    #[error("there is no {what} {}", Quoted(name))]
    UnknownName {
        /// The kind of thing that has the name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A type has the wrong number of children.
    #[error("{name} takes {expected} children, found {found}")]
    ChildCount {
        /// The type's name in JSON.
        name: String,
        /// The number of children that the type needs.
        expected: usize,
        /// The number of children that it has.
        found: usize,
    },
    /// The parameters of a type contradict each other.
    #[error(transparent)]
    Type(TypeError),
    /// The width does not fit the unit, or there is no number with this width.
    #[error("{what} of {n_bits} bits does not exist")]
    Width {
        /// The kind of number that has the width.
        what: &'static str,
        /// The width.
        n_bits: u32,
    },
    /// Types are nested too deeply.
    #[error("types are nested more than {limit} levels deep")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// The number of ids differs from the number of dictionary-encoded fields.
    #[error("the schema has {expected} dictionary-encoded fields, found {found} ids")]
    DictionaryIds {
        /// The number of dictionary-encoded fields.
        expected: usize,
        /// The number of ids.
        found: usize,
    },
}

pub(super) type Result<T, E = SchemaJsonError> = std::result::Result<T, E>;

impl SchemaJsonError {
    /// The path in the document, such as `fields[0].type`. Empty for the whole document.
    pub fn place(&self) -> String {
        let mut place = String::new();
        for step in self.0.place.iter().rev() {
            match step {
                DocumentStep::Member(name) if place.is_empty() => place.push_str(name),
                DocumentStep::Member(name) => place.extend([".", name]),
                DocumentStep::Item(item) => place.push_str(&format!("[{item}]")),
            }
        }
        place
    }

    /// The cause.
    pub fn kind(&self) -> &SchemaJsonErrorKind {
        &self.0.kind
    }

    /// The same error, with a member added to its path.
    pub(super) fn in_member(mut self, name: &'static str) -> SchemaJsonError {
        self.0.place.push(DocumentStep::Member(name));
        self
    }

    /// The same error, with the index of an array element added to its path.
    pub(super) fn in_item(mut self, idx: usize) -> SchemaJsonError {
        self.0.place.push(DocumentStep::Item(idx));
        self
    }
}

impl From<SchemaJsonErrorKind> for SchemaJsonError {
    fn from(kind: SchemaJsonErrorKind) -> SchemaJsonError {
        SchemaJsonError(Box::new(Inner { place: Vec::new(), kind }))
    }
}

impl From<TypeError> for SchemaJsonError {
    fn from(error: TypeError) -> SchemaJsonError {
        SchemaJsonErrorKind::Type(error).into()
    }
}

/// Writes the path, such as `fields[2].children[0].type: `, and then the cause.
impl fmt::Display for SchemaJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

impl std::error::Error for SchemaJsonError {}
