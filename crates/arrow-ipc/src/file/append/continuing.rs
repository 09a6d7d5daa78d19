//! Makes the encoder that appends batches after the last block of a file.

use crate::{
    error::{BlockIndex, Context, IpcErrorKind, Result},
    file::{
        FILE,
        read::{FileDecoder, FileState, ProvidedRanges, load},
        write::FileEncoder,
    },
    options::WriteOptions,
};
use arrow_ipc_format::Container;

/// The encoder that appends to a file. `decoder` needs all dictionaries. `None` if bytes are missing.
pub(crate) fn encoder_to_append(
    decoder: &FileDecoder,
    options: &WriteOptions,
    bytes: &mut ProvidedRanges,
) -> Result<Option<FileEncoder>> {
    let FileDecoder { file, message_decoder, .. } = decoder;
    let found = decoder.container();
    if found != Container::File {
        return Err(IpcErrorKind::WrongContainer { expected: FILE, found }.into());
    }
    let end = end_of_messages(file, bytes);
    let is_checked = check_batches(file, bytes)?;
    let is_loaded = load(file, message_decoder, bytes)?;
    let Some(end) = end else { return Ok(None) };
    // Bytes after the last block are overwritten. Without them, there may be too few bytes for blocks that overlap.
    file.footer.check_overlap(end)?;
    if !is_loaded || !is_checked {
        return Ok(None);
    }
    let mut encoder = FileEncoder::continuing(&file.footer, end, options.clone())?;
    for (dictionary, values) in message_decoder.loaded_dictionaries() {
        encoder.register_dictionary(dictionary, values)?;
    }
    Ok(Some(encoder))
}

/// Compares batches with the footer. Returns `false` if bytes are missing. If the footer belonged to another file, new
/// bytes would overwrite data. So this compares the first batch, the last batch, and the batch with the last position.
/// If the footer has row counts, this compares all batches, since the counts are written again.
fn check_batches(file: &FileState, bytes: &mut ProvidedRanges) -> Result<bool> {
    let batches = file.footer.batches();
    let last = batches.len().saturating_sub(1);
    // A block in the footer may end too early, so the last batch is found by its position, which is compared with the
    // message.
    let lies_last = batches.iter().enumerate().max_by_key(|(_, block)| (block.position(), block.end()));
    let ends = [0, last, lies_last.map_or(last, |(batch_idx, _)| batch_idx)];
    let is_meant = |batch_idx: usize| file.footer.batch_row_counts().is_some() || ends.contains(&batch_idx);
    let mut is_complete = true;
    for (batch_idx, block) in batches.iter().enumerate().filter(|(batch_idx, _)| is_meant(*batch_idx)) {
        let index = BlockIndex::RecordBatch(batch_idx);
        let message = file.record_batch(index, block, bytes).in_block(index, block.position())?;
        is_complete &= message.is_some();
    }
    Ok(is_complete)
}

/// The position after the last block. Without blocks, this is the position after the schema message. Without a schema
/// message, it is the position of the footer: Polars writes no schema message into a file without blocks.
fn end_of_messages(file: &FileState, bytes: &mut ProvidedRanges) -> Option<u64> {
    let footer = &file.footer;
    let blocks = footer.dictionary_blocks().iter().chain(footer.batch_blocks().iter());
    if let Some(end) = blocks.map(|block| block.end()).max() {
        return Some(end);
    }
    let position = footer.position();
    let found = file.schema_message(bytes).unwrap_or(Some(None))?;
    let end = found.and_then(|message| message.body_position().checked_add(message.n_body_bytes()));
    Some(end.filter(|end| *end <= position).unwrap_or(position))
}
