//! What differs between a document and a file.

use arrow_data::DataError;
use arrow_ipc::IpcError;
use arrow_schema::SchemaDifference;

/// The first difference between a document and a file.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Mismatch(#[from] Box<MismatchKind>);

/// What differs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MismatchKind {
    /// The file cannot be read.
    #[error("the file: {0}")]
    File(#[source] IpcError),
    /// The part of the file that is a stream cannot be read.
    #[error("the file as a stream: {0}")]
    Stream(#[source] IpcError),
    /// The part of the file that is a stream holds something else.
    #[error("the file as a stream: {0}")]
    StreamContent(#[source] Box<MismatchKind>),
    /// The stream in the file has no end.
    #[error("the file as a stream: there is no end of the stream before the footer")]
    NoEnd,
    /// The schemas differ in more than metadata.
    #[error("schema: {0}")]
    Schema(#[source] SchemaDifference),
    /// Metadata differs.
    #[error("metadata of {place}: the document has {expected}, the file {found}")]
    Metadata {
        /// Whose metadata it is.
        place: String,
        /// As the document has it.
        expected: String,
        /// As the file has it.
        found: String,
    },
    /// One has more batches than the other.
    #[error("the document has {expected} batches, the file {found}")]
    BatchCount {
        /// In the document.
        expected: usize,
        /// In the file.
        found: usize,
    },
    /// A batch has more rows in one than in the other.
    #[error("batch {idx}: the document has {expected} rows, the file {found}")]
    RowCount {
        /// Which batch.
        idx: usize,
        /// In the document.
        expected: usize,
        /// In the file.
        found: usize,
    },
    /// A value differs.
    #[error("batch {idx}, {place}: the document has {expected}, the file {found}")]
    Value {
        /// Which batch.
        idx: usize,
        /// Which row, and what of it.
        place: String,
        /// In the document.
        expected: String,
        /// In the file.
        found: String,
    },
    /// Batches that cannot be compared.
    #[error("batch {idx}: {error}")]
    Incomparable {
        /// Which batch.
        idx: usize,
        /// Why not.
        error: DataError,
    },
    /// A value of the document breaks a rule of its type.
    #[error("the document, batch {idx}: {error}")]
    DocumentContent {
        /// Which batch.
        idx: usize,
        /// Which rule.
        error: DataError,
    },
    /// A value of the file breaks a rule of its type.
    #[error("the file, batch {idx}: {error}")]
    FileContent {
        /// Which batch.
        idx: usize,
        /// Which rule.
        error: DataError,
    },
}

impl Mismatch {
    /// What differs.
    pub fn kind(&self) -> &MismatchKind {
        &self.0
    }
}

impl From<MismatchKind> for Mismatch {
    fn from(kind: MismatchKind) -> Mismatch {
        Mismatch(Box::new(kind))
    }
}
