//! Reads the messages that the footer of a file lists, without their bodies.

use std::ops::Range;

use arrow_ipc::{
    FormatErrorKind, IpcError, IpcErrorKind, MessageKind,
    file::{Block, Footer},
    message::Message,
    planner::METADATA_REQUEST_BYTES,
};

use crate::source::SharedSource;

/// The messages of all blocks in a footer: dictionaries, then batches, in the order of the footer.
pub(crate) fn block_messages(
    file: &SharedSource,
    footer: &Footer,
) -> impl Iterator<Item = Result<Message, IpcError>> {
    block_messages_for(file, footer, |_| false)
}

/// Like [`block_messages`], for a caller that reads some of the bodies. `with_body` says whether the caller reads the
/// body of the message with this index. All of these bodies are fetched together in advance.
pub(crate) fn block_messages_for(
    file: &SharedSource,
    footer: &Footer,
    with_body: impl Fn(usize) -> bool,
) -> impl Iterator<Item = Result<Message, IpcError>> {
    let range_of =
        |block_idx, block: &Block| if with_body(block_idx) { block.range() } else { metadata_range(block) };
    let mut upcoming = file.queue_of(blocks(footer).map(|(block, _)| block).collect(), range_of);
    blocks(footer).enumerate().map(move |(block_idx, (block, kind))| {
        file.prefetch_next(&mut upcoming, block_idx..usize::MAX);
        message(file, *block, kind)
    })
}

fn blocks(footer: &Footer) -> impl Iterator<Item = (&Block, MessageKind)> {
    let dictionaries = footer.dictionaries().iter().map(|block| (block, MessageKind::DictionaryBatch));
    let batches = footer.batches().iter().map(|block| (block, MessageKind::RecordBatch));
    dictionaries.chain(batches)
}

/// The byte range that is read for the metadata of a block.
fn metadata_range(block: &Block) -> Range<u64> {
    let n_bytes = block.n_metadata_bytes().max(METADATA_REQUEST_BYTES).min(block.n_bytes());
    block.position()..block.position().saturating_add(n_bytes)
}

/// The message of a record batch in a footer, without its body.
///
/// # Errors
/// If the file cannot be read, or does not contain the message that the footer lists.
pub(crate) fn batch_message(file: &SharedSource, block: Block) -> Result<Message, IpcError> {
    message(file, block, MessageKind::RecordBatch)
}

/// The message of a block, without its body.
///
/// # Errors
/// If the file cannot be read, or does not contain the message that the footer lists.
fn message(file: &SharedSource, block: Block, kind: MessageKind) -> Result<Message, IpcError> {
    let message = file.scan(block.range())?.next_message()?;
    let Some(message) = message else {
        return Err(IpcErrorKind::Format(FormatErrorKind::Missing {
            what: "the message of the footer's block",
        })
        .into());
    };
    let lengths = [
        ("the metadata", block.n_metadata_bytes(), message.n_metadata_bytes()),
        ("the body", block.n_body_bytes(), message.n_body_bytes()),
    ];
    if let Some((what, footer, message)) = lengths.into_iter().find(|(_, footer, message)| footer != message)
    {
        return Err(IpcErrorKind::BlockMismatch { what, footer, message }.into());
    }
    if message.kind() != kind {
        let is_dictionary = kind == MessageKind::DictionaryBatch;
        let expected = if is_dictionary { "a dictionary" } else { "a record batch" };
        return Err(IpcErrorKind::Format(FormatErrorKind::UnexpectedMessage {
            expected,
            found: message.kind(),
        })
        .into());
    }
    Ok(message)
}
