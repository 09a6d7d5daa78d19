//! Differences between a document and a file.

use arrow_data::DataError;
use arrow_ipc::IpcError;
use arrow_schema::SchemaDifference;

/// The first difference between a document and a file.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Mismatch(#[from] Box<MismatchKind>);

/// The kind of a difference.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MismatchKind {
    /// The file cannot be read.
    #[error("the file: {0}")]
    File(#[source] IpcError),
    /// The part of the file that is a stream cannot be read.
    #[error("the file as a stream: {0}")]
    Stream(#[source] IpcError),
    /// The stream in the file has other content than the document.
    #[error("the file as a stream: {0}")]
    StreamContent(#[source] Box<MismatchKind>),
    /// The stream in the file has no end marker.
    #[error("the file as a stream: there is no end of the stream before the footer")]
    NoEnd,
    /// The schemas differ in more than metadata.
    #[error("schema: {0}")]
    Schema(#[source] SchemaDifference),
    /// Metadata differs.
    #[error("metadata of {location}: the document has {expected}, the file {found}")]
    Metadata {
        /// The schema or field that has the metadata.
        location: String,
        /// The metadata in the document.
        expected: String,
        /// The metadata in the file.
        found: String,
    },
    /// The numbers of batches differ.
    #[error("the document has {expected} batches, the file {found}")]
    BatchCount {
        /// The number in the document.
        expected: usize,
        /// The number in the file.
        found: usize,
    },
    /// The numbers of rows of a batch differ.
    #[error("batch {idx}: the document has {expected} rows, the file {found}")]
    RowCount {
        /// The index of the batch.
        idx: usize,
        /// The number in the document.
        expected: usize,
        /// The number in the file.
        found: usize,
    },
    /// A value differs.
    #[error("batch {idx}, {location}: the document has {expected}, the file {found}")]
    Value {
        /// The index of the batch.
        idx: usize,
        /// The row, and the path in it.
        location: String,
        /// The value in the document.
        expected: String,
        /// The value in the file.
        found: String,
    },
    /// The batches cannot be compared.
    #[error("batch {idx}: {error}")]
    Incomparable {
        /// The index of the batch.
        idx: usize,
        /// The reason.
        error: DataError,
    },
    /// A value of the document breaks a rule of its type.
    #[error("the document, batch {idx}: {error}")]
    DocumentContent {
        /// The index of the batch.
        idx: usize,
        /// The error that names the rule.
        error: DataError,
    },
    /// A value of the file breaks a rule of its type.
    #[error("the file, batch {idx}: {error}")]
    FileContent {
        /// The index of the batch.
        idx: usize,
        /// The error that names the rule.
        error: DataError,
    },
}

impl Mismatch {
    /// The kind of the difference.
    pub fn kind(&self) -> &MismatchKind {
        &self.0
    }
}

impl From<MismatchKind> for Mismatch {
    fn from(kind: MismatchKind) -> Mismatch {
        Mismatch(Box::new(kind))
    }
}
