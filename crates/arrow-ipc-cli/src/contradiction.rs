//! Contradictions between the footer of a file and the stream inside it. Readers of files follow the footer; a program
//! that reads the file as a stream gets different rows.

use std::fmt;

use arrow_ipc::{FooterIrregularity, IpcError, MessageKind};
use arrow_schema::{Quoted, SchemaDifference, SchemaDifferenceKind};

/// The first difference between footer and stream.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Contradiction {
    #[error("the stream inside of the file cannot be read: {error}")]
    BrokenStream { error: IpcError },
    #[error("the schema's message and the footer disagree{}", ShowDifference::new(.0, ["the message", "the footer"]))]
    Columns(#[from] SchemaDifference),
    #[error(
        "the schema's message and the footer disagree about the columns of unknown types: the message has {message}, the footer {footer}"
    )]
    Unsupported { message: String, footer: String },
    #[error("the schema's message and the footer disagree about the metadata of {of}")]
    Metadata { of: &'static str },
    #[error("the schema's message and the footer disagree about the metadata of the whole")]
    WholeMetadata,
    #[error(
        "the schema's message and the footer disagree about the ids of dictionaries: {message:?} and {footer:?}"
    )]
    DictionaryIds { message: Vec<i64>, footer: Vec<i64> },
    #[error("the schema's message and the footer disagree about the byte order")]
    Endianness,
    #[error("{0}")]
    Footer(FooterIrregularity),
    #[error("message {index} at byte {position}, a {kind}, is in no block of the footer")]
    NotInFooter { index: u64, position: u64, kind: MessageKind },
    #[error(
        "the footer lists a {kind} at byte {position}, where the stream inside of the file has no message"
    )]
    NotInStream { position: u64, kind: MessageKind },
    #[error(
        "the stream inside of the file ends at byte {end}; from there to the footer at byte {footer}, not all bytes are zeros"
    )]
    BytesBeforeFooter { end: u64, footer: u64 },
}

/// A difference, with what each of the two named sides says.
pub(crate) struct ShowDifference<'a> {
    difference: &'a SchemaDifference,
    sides: [&'static str; 2],
}

impl<'a> ShowDifference<'a> {
    pub(crate) fn new(difference: &'a SchemaDifference, sides: [&'static str; 2]) -> ShowDifference<'a> {
        ShowDifference { difference, sides }
    }
}

impl fmt::Display for ShowDifference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.sides;
        let path = self.difference.path();
        if !path.is_root() {
            write!(f, " about field `{path}`")?;
        }
        match self.difference.kind() {
            SchemaDifferenceKind::FieldCount { expected, found } => {
                let fields = if *expected == 1 { "field" } else { "fields" };
                write!(f, ": {a} has {expected} {fields}, {b} {found}")
            }
            SchemaDifferenceKind::Name { expected, found } => {
                write!(f, ": {a} names it {}, {b} {}", Quoted(expected), Quoted(found))
            }
            SchemaDifferenceKind::Type { expected, found } => {
                write!(f, ": {a} says {expected}, {b} {found}")
            }
            SchemaDifferenceKind::Nullability { expected, found } => {
                write!(f, ": {a} says {expected}, {b} {found}")
            }
        }
    }
}

/// A difference between the columns of the first stream and of a later one.
pub(crate) struct ShowColumns<'a>(pub(crate) &'a SchemaDifference);

impl fmt::Display for ShowColumns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.0.path();
        match self.0.kind() {
            SchemaDifferenceKind::Name { expected, found } => {
                write!(f, "the field is named {} in the first stream, {}", Quoted(expected), Quoted(found))?;
            }
            SchemaDifferenceKind::FieldCount { expected, found } => {
                if !path.is_root() {
                    write!(f, "of field `{path}`, ")?;
                }
                let fields = if *expected == 1 { "field" } else { "fields" };
                write!(f, "{expected} {fields} in the first stream, {found}")?;
            }
            SchemaDifferenceKind::Type { expected, found } => {
                write!(f, "field `{path}` is {expected} in the first stream, {found}")?;
            }
            SchemaDifferenceKind::Nullability { expected, found } => {
                write!(f, "field `{path}` is {expected} in the first stream, {found}")?;
            }
        }
        f.write_str(" in this one")
    }
}
