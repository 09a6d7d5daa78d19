//! Errors in documents of the integration tests, with the path in the document.

use std::fmt;

use arrow_data::DataError;
use arrow_ipc::{FormatError, IpcError};
use arrow_schema::DataType;
use arrow_select::SelectError;

/// A document that cannot be read, or batches that no document can represent.
#[derive(Debug)]
pub struct DocumentError {
    /// The path to the wrong value, with its last step first.
    location: Vec<Step>,
    kind: Box<DocumentErrorKind>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(usize),
}

/// The cause of a [`DocumentError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Syntax(serde_json::Error),
    /// A value of another kind, or a value that the type cannot contain.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The value that the format requires.
        expected: &'static str,
        /// The beginning of the value that was found.
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
        name: String,
    },
    /// An array has the wrong length.
    #[error("expected {expected} elements, found {found}")]
    Length {
        /// The length that the counts and types require.
        expected: u64,
        /// The length of the array.
        found: u64,
    },
    /// There is no dictionary with this id.
    #[error("there is no dictionary with the id {id}")]
    NoDictionary {
        /// The id of the dictionary.
        id: i64,
    },
    /// There are two dictionaries with this id.
    #[error("the dictionary with the id {id} is repeated")]
    RepeatedDictionary {
        /// The id of the dictionaries.
        id: i64,
    },
    /// Fields share a dictionary, but their values have different types.
    #[error("fields share the dictionary with the id {id}, but its values are {expected} and {found}")]
    SharedDictionary {
        /// The id of the dictionary.
        id: i64,
        /// The type of the values of the first field.
        expected: DataType,
        /// The type of the values of another field.
        found: DataType,
    },
    /// The batches have several dictionaries for an id. A document can have only one.
    #[error("the dictionary with the id {id} changes from batch to batch, which a document cannot describe")]
    ChangedDictionary {
        /// The id of the dictionaries.
        id: i64,
    },
    /// The nulls would take more memory than is allowed.
    #[error("nulls take more than {limit} bytes")]
    TooLarge {
        /// The greatest number of bytes.
        limit: u64,
    },
    /// The length of a value differs from its offsets.
    #[error("the value has {found} bytes; its offsets say {expected}")]
    ValueLength {
        /// The length according to the offsets.
        expected: i128,
        /// The length of the value.
        found: usize,
    },
    /// The schema does not follow the format.
    #[error("{0}")]
    Schema(arrow_text::SchemaJsonErrorKind),
    /// The arrays are not valid.
    #[error("{0}")]
    Data(DataError),
    /// Arrays cannot be selected or compared.
    #[error("{0}")]
    Select(SelectError),
    /// IPC does not support the schema.
    #[error("{0}")]
    Ipc(IpcError),
}

/// The result of reading and writing documents.
pub(crate) type Result<T, E = DocumentError> = std::result::Result<T, E>;

impl DocumentError {
    /// The cause.
    pub fn kind(&self) -> &DocumentErrorKind {
        &self.kind
    }

    /// An error in the schema, with the path in the schema.
    pub(crate) fn of_schema(error: arrow_text::SchemaJsonError) -> DocumentError {
        let outside = DocumentError::from(DocumentErrorKind::Schema(error.kind().clone()));
        match error.path() {
            path if path.is_empty() => outside,
            path => outside.in_member(&path),
        }
    }

    /// Whether the path begins with this member of the document.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        matches!(self.location.last(), Some(Step::Member(member)) if member == name)
    }

    /// The same error, with a member added to its path.
    pub(crate) fn in_member(mut self, name: &str) -> DocumentError {
        self.location.push(Step::Member(name.to_owned()));
        self
    }

    /// The same error, with the index of an element added to its path.
    pub(crate) fn in_item(mut self, idx: usize) -> DocumentError {
        self.location.push(Step::Item(idx));
        self
    }
}

impl<T: Into<DocumentErrorKind>> From<T> for DocumentError {
    fn from(kind: T) -> DocumentError {
        DocumentError { location: Vec::new(), kind: Box::new(kind.into()) }
    }
}

impl From<serde_json::Error> for DocumentErrorKind {
    fn from(error: serde_json::Error) -> DocumentErrorKind {
        DocumentErrorKind::Syntax(error)
    }
}

impl From<DataError> for DocumentErrorKind {
    fn from(error: DataError) -> DocumentErrorKind {
        DocumentErrorKind::Data(error)
    }
}

impl From<SelectError> for DocumentErrorKind {
    fn from(error: SelectError) -> DocumentErrorKind {
        error.into_data().map_or_else(DocumentErrorKind::Select, DocumentErrorKind::Data)
    }
}

impl From<FormatError> for DocumentErrorKind {
    fn from(error: FormatError) -> DocumentErrorKind {
        DocumentErrorKind::Ipc(error.into())
    }
}

impl From<IpcError> for DocumentErrorKind {
    fn from(error: IpcError) -> DocumentErrorKind {
        DocumentErrorKind::Ipc(error)
    }
}

/// Writes the path, such as `batches[0].columns[2].DATA[5]: `, and then the cause.
impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, step) in self.location.iter().rev().enumerate() {
            match step {
                Step::Member(name) => write!(f, "{}{name}", if idx == 0 { "" } else { "." })?,
                Step::Item(item) => write!(f, "[{item}]")?,
            }
        }
        write!(f, "{}{}", if self.location.is_empty() { "" } else { ": " }, self.kind)
    }
}

impl std::error::Error for DocumentError {}
