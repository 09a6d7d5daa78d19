//! Why a document is not what the format of integration tests says, and where.

use std::fmt;

use arrow_data::DataError;
use arrow_ipc::IpcError;
use arrow_schema::DataType;

/// A document that cannot be read, or batches that no document can hold.
#[derive(Debug)]
pub struct DocumentError {
    /// The way to the value that is wrong, its last step first.
    place: Vec<Step>,
    kind: Box<DocumentErrorKind>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(usize),
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    Syntax(serde_json::Error),
    /// A value of another sort, or one that the type cannot hold.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the format has here.
        expected: &'static str,
        /// The beginning of what is there.
        found: String,
    },
    /// A member that has to be there.
    #[error("the member \"{name}\" is missing")]
    Missing {
        /// Its name.
        name: &'static str,
    },
    /// A repeated member.
    #[error("the member \"{name}\" is repeated")]
    Repeated {
        /// Its name.
        name: String,
    },
    /// An array of the wrong length.
    #[error("expected {expected} elements, found {found}")]
    Length {
        /// How many the counts and types ask for.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// No dictionary of this id.
    #[error("there is no dictionary with the id {id}")]
    NoDictionary {
        /// The id.
        id: i64,
    },
    /// Two dictionaries of this id.
    #[error("the dictionary with the id {id} is repeated")]
    RepeatedDictionary {
        /// The id.
        id: i64,
    },
    /// One dictionary for fields whose values differ in type.
    #[error("fields share the dictionary with the id {id}, but its values are {expected} and {found}")]
    SharedDictionary {
        /// The id.
        id: i64,
        /// The type of the first field's values.
        expected: DataType,
        /// The type of another field's values.
        found: DataType,
    },
    /// A document has one dictionary for each id, and these batches have several.
    #[error("the dictionary with the id {id} changes from batch to batch, which a document cannot describe")]
    ChangedDictionary {
        /// The id.
        id: i64,
    },
    /// Nulls that would take more memory than a document of any use.
    #[error("nulls take more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// A length of a value that is not what its offsets say.
    #[error("the value has {found} bytes; its offsets say {expected}")]
    ValueLength {
        /// As the offsets have it.
        expected: i128,
        /// As the value has it.
        found: usize,
    },
    /// A schema that does not follow the format.
    #[error("{0}")]
    Schema(arrow_text::SchemaJsonErrorKind),
    /// Arrays that are not valid.
    #[error("{0}")]
    Data(DataError),
    /// A schema that IPC cannot have.
    #[error("{0}")]
    Ipc(IpcError),
}

/// Reading and writing documents ends so.
pub(crate) type Result<T, E = DocumentError> = std::result::Result<T, E>;

impl DocumentError {
    /// What is wrong.
    pub fn kind(&self) -> &DocumentErrorKind {
        &self.kind
    }

    /// A schema that does not follow the format, with the place in it.
    pub(crate) fn of_schema(error: arrow_text::SchemaJsonError) -> DocumentError {
        let outside = DocumentError::from(DocumentErrorKind::Schema(error.kind().clone()));
        match error.place() {
            place if place.is_empty() => outside,
            place => outside.in_member(&place),
        }
    }

    /// Whether the place is in this member of the document.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        matches!(self.place.last(), Some(Step::Member(member)) if member == name)
    }

    /// The same error inside of a member.
    pub(crate) fn in_member(mut self, name: &str) -> DocumentError {
        self.place.push(Step::Member(name.to_owned()));
        self
    }

    /// The same error inside of an element.
    pub(crate) fn in_item(mut self, idx: usize) -> DocumentError {
        self.place.push(Step::Item(idx));
        self
    }
}

impl<T: Into<DocumentErrorKind>> From<T> for DocumentError {
    fn from(kind: T) -> DocumentError {
        DocumentError { place: Vec::new(), kind: Box::new(kind.into()) }
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

impl From<IpcError> for DocumentErrorKind {
    fn from(error: IpcError) -> DocumentErrorKind {
        DocumentErrorKind::Ipc(error)
    }
}

/// Writes `batches[0].columns[2].DATA[5]: ` before what is wrong.
impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, step) in self.place.iter().rev().enumerate() {
            match step {
                Step::Member(name) => write!(f, "{}{name}", if idx == 0 { "" } else { "." })?,
                Step::Item(item) => write!(f, "[{item}]")?,
            }
        }
        write!(f, "{}{}", if self.place.is_empty() { "" } else { ": " }, self.kind)
    }
}

impl std::error::Error for DocumentError {}
