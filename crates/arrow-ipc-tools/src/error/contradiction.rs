//! Contradictions between the footer of a file and the stream inside it. Readers of files follow the footer, so a
//! program that reads the file as a stream may return other rows.

use std::fmt;

use arrow_ipc::{IpcError, MessageKind, file::FooterIrregularity};
use arrow_ipc_statistics::WrongStatistics;
use arrow_schema::{QuotedText, SchemaDifference, SchemaDifferenceKind};

use crate::error::trailing::TrailingBytes;

/// The first difference between the footer and the stream, which includes the schema message.
#[derive(Debug, thiserror::Error)]
pub enum Contradiction {
    /// The stream inside the file cannot be read.
    #[error("the stream inside the file cannot be read: {error}")]
    BrokenStream {
        /// The error of reading the stream.
        error: IpcError,
    },
    /// The columns differ.
    #[error("the schema message and the footer disagree{}", SchemaDifferenceText(.0))]
    Columns(#[from] SchemaDifference),
    /// The columns of unknown types differ by name or position.
    #[error(
        "the schema message and the footer disagree about the columns of unknown types: the message has {message}, the footer {footer}"
    )]
    Unsupported {
        /// The names of these columns in the schema message, with their positions.
        message: String,
        /// The names of these columns in the footer, with their positions.
        footer: String,
    },
    /// The metadata of the schema or of a field differs between the schema message and the footer.
    #[error("the schema message and the footer disagree about the metadata of {of}")]
    Metadata {
        /// The owner of the metadata: `the schema` or `a field`.
        of: &'static str,
    },
    /// The custom metadata of the schema message differs from the metadata of the footer.
    #[error("the schema message and the footer disagree about the metadata of the whole file")]
    WholeMetadata,
    /// The ids of dictionaries differ between the schema message and the footer.
    #[error(
        "the schema message and the footer disagree about the ids of dictionaries: the message has {message:?}, the footer {footer:?}"
    )]
    DictionaryIds {
        /// The ids in the schema message, in the order of the fields.
        message: Vec<i64>,
        /// The ids in the footer, in the order of the fields.
        footer: Vec<i64>,
    },
    /// The schema message and the footer state different byte orders.
    #[error("the schema message and the footer disagree about the byte order")]
    Endianness,
    /// The footer lists blocks twice, out of order or inside each other.
    #[error("{0}")]
    Footer(FooterIrregularity),
    /// The statistics of a batch in the footer are wrong.
    #[error("batch {batch_idx}: in the footer, {error}")]
    Statistics {
        /// The number of the batch, from 0.
        batch_idx: usize,
        /// What is wrong in the statistics.
        error: WrongStatistics,
    },
    /// The statistics in the footer cannot be read.
    #[error("the statistics in the footer cannot be read, or are for another number of batches")]
    NoStatistics,
    /// The stream has a message that the footer does not list.
    #[error("message {index} at byte {position}, a {kind}, is in no block of the footer")]
    NotInFooter {
        /// The index of the message in the stream.
        index: u64,
        /// The byte offset of the message.
        position: u64,
        /// The kind of the message.
        kind: MessageKind,
    },
    /// The footer lists a message that the stream does not have.
    #[error("the footer lists a {kind} at byte {position}, where the stream inside the file has no message")]
    NotInStream {
        /// The byte offset of the block, from the footer.
        position: u64,
        /// The kind of the block in the footer.
        kind: MessageKind,
    },
    /// The file has no schema message, although there are bytes before the first block.
    #[error(
        "no schema message is between byte 8 and byte {first_block}, where the first block or the footer begins"
    )]
    NoSchemaMessage {
        /// The byte offset of the first block, or of the footer if there are no blocks.
        first_block: u64,
    },
    /// The bytes between the end of the stream and the footer are not only zeros, end markers and older footers.
    #[error(
        "the stream inside the file ends at byte {end}; from there to the footer at byte {footer}, the bytes are neither zeros and end markers nor an older footer"
    )]
    BytesBeforeFooter {
        /// The byte offset at which the stream ends.
        end: u64,
        /// The byte offset of the footer.
        footer: u64,
    },
    /// Bytes between the end of the stream and the footer are a second file, or more than padding.
    #[error("{0}")]
    Unreferenced(TrailingBytes),
}

impl Contradiction {
    /// Whether readers of streams get something else than readers of files, or fail.
    pub fn changes_what_is_read(&self) -> bool {
        !matches!(self, Contradiction::BytesBeforeFooter { .. } | Contradiction::Unreferenced(_))
    }

    /// Whether the footer and the stream disagree about what the bytes of batches mean.
    pub fn changes_meaning(&self) -> bool {
        match self {
            Contradiction::Columns(difference) => match difference.kind() {
                SchemaDifferenceKind::FieldCount { .. } | SchemaDifferenceKind::Type { .. } => true,
                SchemaDifferenceKind::Name { .. } | SchemaDifferenceKind::Nullability { .. } => false,
            },
            Contradiction::Unsupported { .. }
            | Contradiction::DictionaryIds { .. }
            | Contradiction::Endianness => true,
            Contradiction::BrokenStream { .. }
            | Contradiction::Metadata { .. }
            | Contradiction::WholeMetadata
            | Contradiction::Footer(_)
            | Contradiction::Statistics { .. }
            | Contradiction::NoStatistics
            | Contradiction::NotInFooter { .. }
            | Contradiction::NotInStream { .. }
            | Contradiction::NoSchemaMessage { .. }
            | Contradiction::BytesBeforeFooter { .. }
            | Contradiction::Unreferenced(_) => false,
        }
    }
}

/// Formats a difference between the schema message and the footer.
struct SchemaDifferenceText<'a>(&'a SchemaDifference);

impl fmt::Display for SchemaDifferenceText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SchemaDifferenceText(difference) = self;
        let path = difference.path();
        if !path.is_root() {
            write!(f, " about field `{path}`")?;
        }
        let verb = match difference.kind() {
            SchemaDifferenceKind::FieldCount { .. } => "has",
            SchemaDifferenceKind::Name { .. } => "names it",
            SchemaDifferenceKind::Type { .. } | SchemaDifferenceKind::Nullability { .. } => "says",
        };
        let [in_message, in_footer] = stated(difference.kind());
        write!(f, ": the message {verb} {in_message}, the footer {in_footer}")
    }
}

/// Formats a difference between the columns of a stream or file and the columns of an earlier stream or file.
pub(crate) struct ColumnsText<'a> {
    pub(crate) difference: &'a SchemaDifference,
    /// The name of the earlier stream or file.
    pub(crate) first: &'a str,
}

impl fmt::Display for ColumnsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ColumnsText { difference, first } = self;
        let path = difference.path();
        match difference.kind() {
            SchemaDifferenceKind::Name { .. } => f.write_str("the field is named ")?,
            SchemaDifferenceKind::FieldCount { .. } if path.is_root() => {}
            SchemaDifferenceKind::FieldCount { .. } => write!(f, "of field `{path}`, ")?,
            SchemaDifferenceKind::Type { .. } | SchemaDifferenceKind::Nullability { .. } => {
                write!(f, "field `{path}` is ")?;
            }
        }
        let [in_first, in_this] = stated(difference.kind());
        write!(f, "{in_first} in {first}, {in_this} here")
    }
}

/// What both sides state. Only the first number has a noun.
fn stated(kind: &SchemaDifferenceKind) -> [String; 2] {
    match kind {
        SchemaDifferenceKind::FieldCount { expected, found } => {
            let fields = if *expected == 1 { "field" } else { "fields" };
            [format!("{expected} {fields}"), found.to_string()]
        }
        SchemaDifferenceKind::Name { expected, found, .. } => {
            [expected, found].map(|name| QuotedText(name).to_string())
        }
        SchemaDifferenceKind::Type { expected, found } => [expected, found].map(ToString::to_string),
        SchemaDifferenceKind::Nullability { expected, found } => [expected, found].map(ToString::to_string),
    }
}
