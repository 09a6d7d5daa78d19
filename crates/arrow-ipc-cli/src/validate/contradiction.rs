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
    #[error("the schema's message and the footer disagree{}", ShowDifference::new(.0, ["the message", "the footer"]))]
    Columns(#[from] SchemaDifference),
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
    #[error("the footer lists the {kind} at byte {position} more than once")]
    ListedTwice { position: u64, kind: MessageKind },
    #[error("the footer lists the {kind} at byte {position} after one that follows it in the file")]
    OutOfOrder { position: u64, kind: MessageKind },
    #[error("message {index} at byte {position}, a {kind}, is in no block of the footer")]
    NotInFooter { index: u64, position: u64, kind: MessageKind },
    #[error(
        "the footer lists a {kind} at byte {position}, where the stream inside of the file has no message"
    )]
    NotInStream { position: u64, kind: MessageKind },
}

/// A difference as what either side says, the one that was asked first.
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

/// Compares the stream inside of a file with its footer, by metadata alone. A missing end mark is nothing, nor is a
/// missing schema: there are writers that leave them out.
///
/// # Errors
/// If the file fails.
pub(crate) fn check_agreement(
    file: &Arc<File>,
    footer: &Footer,
    limits: &Limits,
) -> Result<Option<Contradiction>, IpcError> {
    let walk = Walk::file(Arc::clone(file), Some(footer), limits.clone())?;
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
    let mut dictionaries = positions(footer.dictionaries(), MessageKind::DictionaryBatch)?;
    let mut batches = positions(footer.batches(), MessageKind::RecordBatch)?;
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

/// Where the blocks of a list are. Whoever reads the file front to back gets each message once, in the order in which
/// they are in the file.
fn positions(blocks: &[Block], kind: MessageKind) -> Result<HashSet<u64>, Contradiction> {
    let mut positions = HashSet::new();
    let mut last = 0;
    for position in blocks.iter().map(Block::position) {
        if !positions.insert(position) {
            return Err(Contradiction::ListedTwice { position, kind });
        }
        if position < last {
            return Err(Contradiction::OutOfOrder { position, kind });
        }
        last = position;
    }
    Ok(positions)
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
        return Err(Contradiction::WholeMetadata);
    }
    Ok(())
}

fn not_in_footer(message: &Message) -> Contradiction {
    let (index, position, kind) = (message.index(), message.position(), message.kind());
    Contradiction::NotInFooter { index, position, kind }
}
