//! Whether the footer of a file and the stream inside of it agree.

use std::{collections::HashSet, fs::File, sync::Arc};

use arrow_ipc::{Block, Footer, Header, IpcError, IpcSchema, Limits, Message, MessageKind};
use arrow_schema::Metadata;

use crate::{contradiction::Contradiction, walk::Walk};

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
