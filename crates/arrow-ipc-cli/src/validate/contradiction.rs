//! Where the footer of a file and the stream inside of it say different things. Readers believe the footer; whoever
//! reads the file front to back gets something else.

use std::{collections::HashSet, fmt, fs::File, sync::Arc};

use arrow_ipc::{Block, Footer, Header, IpcError, IpcSchema, Limits, Message, MessageKind};
use arrow_schema::{Metadata, Quoted, SchemaDifference, SchemaDifferenceKind};

use crate::walk::Walk;

/// The first difference between footer and stream.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Contradiction {
    #[error("the stream inside of the file cannot be read: {error}")]
    BrokenStream { error: IpcError },
    #[error("the schema's message and the footer disagree{}", ShowDifference(.0))]
    Columns(#[from] SchemaDifference),
    #[error("the schema's message and the footer disagree about the metadata of {of}")]
    Metadata { of: &'static str },
    #[error(
        "the schema's message and the footer disagree about the ids of dictionaries: {message:?} and {footer:?}"
    )]
    DictionaryIds { message: Vec<i64>, footer: Vec<i64> },
    #[error("the schema's message and the footer disagree about the byte order")]
    Endianness,
    #[error("message {index} at byte {position}, a {kind}, is in no block of the footer")]
    NotInFooter { index: u64, position: u64, kind: MessageKind },
    #[error(
        "the footer lists a {kind} at byte {position}, where the stream inside of the file has no message"
    )]
    NotInStream { position: u64, kind: MessageKind },
}

/// A difference as what either side says; the schema of the message is the one that was asked.
struct ShowDifference<'a>(&'a SchemaDifference);

impl fmt::Display for ShowDifference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.0.path();
        if !path.is_root() {
            write!(f, " about field `{path}`")?;
        }
        match self.0.kind() {
            SchemaDifferenceKind::FieldCount { expected, found } => {
                let fields = if *expected == 1 { "field" } else { "fields" };
                write!(f, ": the message has {expected} {fields}, the footer {found}")
            }
            SchemaDifferenceKind::Name { expected, found } => {
                write!(f, ": the message names it {}, the footer {}", Quoted(expected), Quoted(found))
            }
            SchemaDifferenceKind::Type { expected, found } => {
                write!(f, ": the message says {expected}, the footer {found}")
            }
            SchemaDifferenceKind::Nullability { expected, found } => {
                write!(f, ": the message says {expected}, the footer {found}")
            }
        }
    }
}

/// Compares the stream inside of a file with its footer, by metadata alone. A missing end mark is nothing, nor is a
/// missing schema: there are writers that leave them out.
///
/// # Errors
/// If the file fails.
pub(super) fn check_agreement(
    file: Arc<File>,
    footer: &Footer,
    limits: &Limits,
) -> Result<Option<Contradiction>, IpcError> {
    let walk = Walk::file(file, Some(footer), limits.clone())?;
    Ok(compare(walk, footer, limits).err())
}

fn compare(mut walk: Walk, footer: &Footer, limits: &Limits) -> Result<(), Contradiction> {
    let broken = |error| Contradiction::BrokenStream { error };
    let mut next = walk.next_message().map_err(broken)?;
    if let Some(first) = &next
        && let Header::Schema(schema) = first.header(limits).map_err(broken)?
    {
        let whole = first.custom_metadata().map_err(broken)?;
        compare_schemas(&schema, &whole, footer)?;
        next = walk.next_message().map_err(broken)?;
    }
    let positions = |blocks: &[Block]| blocks.iter().map(Block::position).collect::<HashSet<u64>>();
    let mut dictionaries = positions(footer.dictionaries());
    let mut batches = positions(footer.batches());
    while let Some(message) = next {
        let listed = match message.kind() {
            MessageKind::DictionaryBatch => dictionaries.remove(&message.position()),
            MessageKind::RecordBatch => batches.remove(&message.position()),
            MessageKind::Schema | MessageKind::Tensor | MessageKind::SparseTensor => false,
        };
        if !listed {
            return Err(not_in_footer(&message));
        }
        next = walk.next_message().map_err(broken)?;
    }
    let rest = [(dictionaries, MessageKind::DictionaryBatch), (batches, MessageKind::RecordBatch)];
    for (positions, kind) in rest {
        if let Some(position) = positions.into_iter().min() {
            return Err(Contradiction::NotInStream { position, kind });
        }
    }
    Ok(())
}

/// Compares the message of the schema, and the custom metadata of that message, with the footer.
///
/// # Errors
/// The first difference.
pub(crate) fn compare_schemas(
    message: &IpcSchema,
    whole: &Metadata,
    footer: &Footer,
) -> Result<(), Contradiction> {
    // Many writers give metadata of the whole to the footer alone.
    let whole_differs = !whole.is_empty() && whole != footer.metadata();
    let footer = footer.schema();
    message.schema().check_same_columns(footer.schema())?;
    if message.dictionary_ids() != footer.dictionary_ids() {
        let (message, footer) = (message.dictionary_ids().to_vec(), footer.dictionary_ids().to_vec());
        return Err(Contradiction::DictionaryIds { message, footer });
    }
    if message.endianness() != footer.endianness() {
        return Err(Contradiction::Endianness);
    }
    if message.schema().metadata() != footer.schema().metadata() {
        return Err(Contradiction::Metadata { of: "the schema" });
    }
    // All else is equal, so this is the metadata of some field.
    if message.schema() != footer.schema() {
        return Err(Contradiction::Metadata { of: "a field" });
    }
    if whole_differs {
        return Err(Contradiction::Metadata { of: "the whole" });
    }
    Ok(())
}

fn not_in_footer(message: &Message) -> Contradiction {
    let (index, position, kind) = (message.index(), message.position(), message.kind());
    Contradiction::NotInFooter { index, position, kind }
}
