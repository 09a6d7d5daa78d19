//! The messages that the footer of a file lists, without their bodies.

use arrow_ipc::{Block, Footer, IpcError, IpcErrorKind, Limits, Message, MessageKind, MessageScan};

use crate::source::SharedSource;

/// The dictionaries of a file, then its batches, in the order of the footer.
pub(crate) fn block_messages(
    file: &SharedSource,
    footer: &Footer,
    limits: &Limits,
) -> impl Iterator<Item = Result<Message, IpcError>> {
    let dictionaries = footer.dictionaries().iter().map(|block| (block, MessageKind::DictionaryBatch));
    let batches = footer.batches().iter().map(|block| (block, MessageKind::RecordBatch));
    dictionaries.chain(batches).map(move |(block, kind)| message(file, *block, (kind, limits)))
}

/// The message of a batch that the footer of a file lists, without its body.
///
/// # Errors
/// If the file fails, or there is no message as the footer says.
pub(crate) fn batch_message(file: &SharedSource, block: Block, limits: &Limits) -> Result<Message, IpcError> {
    message(file, block, (MessageKind::RecordBatch, limits))
}

/// The message of a block.
///
/// # Errors
/// If the file fails, or there is no message as the footer says.
fn message(
    file: &SharedSource,
    block: Block,
    (kind, limits): (MessageKind, &Limits),
) -> Result<Message, IpcError> {
    let (start, end) = (block.position(), block.position().saturating_add(block.n_bytes()));
    let message = MessageScan::try_new(file.clone(), start..end, limits.clone())?.next_message()?;
    let Some(message) = message else {
        return Err(IpcErrorKind::Missing { what: "the message of a block" }.into());
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
        return Err(IpcErrorKind::UnexpectedMessage { expected, found: message.kind() }.into());
    }
    Ok(message)
}
