//! Checks the values of a file while it is copied. Each batch is read and decompressed once, checked, and encoded
//! from the same memory. A long batch is read twice: in parts to check it, then piece by piece to copy it.

use std::num::NonZero;

use arrow_ipc::{ErrorClass, FileReader, IpcError};
use arrow_ipc_rewrite::Transcoder;

use super::pipeline::{MessageWriter, OutputMessage};
use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    rows::row_window::RowWindow,
    source::SharedSource,
    validate::check_batch,
    walk::relay::{EncodedMessage, block_messages_for},
};

/// Encodes the dictionaries. The reader checks a dictionary's values when it reads the first batch that uses it.
///
/// # Errors
/// If the file cannot be read or is malformed. The first error of `put`.
pub(super) fn copy_dictionaries(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    transcoder: &mut Transcoder,
    put: MessageWriter<'_>,
) -> Result<(), ToolError> {
    let source = reader.source();
    let footer = reader.footer();
    let n_dictionaries = footer.dictionaries().len();
    let with_body = |block_idx| block_idx < n_dictionaries;
    for message in block_messages_for(source, footer, with_body).take(n_dictionaries) {
        let message = message.in_input(name)?;
        let message = EncodedMessage::make(transcoder, &message, source).in_input(name)?;
        put(OutputMessage { message, n_done: 0 })?;
    }
    Ok(())
}

/// Checks and encodes the batches.
///
/// # Errors
/// If the file cannot be read, is malformed, or has invalid values. The first error of `put`.
pub(super) fn copy_batches(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    transcoder: &mut Transcoder,
    put: MessageWriter<'_>,
) -> Result<(), ToolError> {
    for batch in RowWindow::ALL.batches_in(reader) {
        let batch = batch.in_input(name)?;
        let batch_idx = batch.batch_idx();
        let in_batch = |error: IpcError| {
            // An error of the class `Misuse` comes from the output; all others come from the input.
            let kind = if error.class() == ErrorClass::Misuse {
                ToolErrorKind::Output(error)
            } else {
                ToolErrorKind::Batch { batch_idx, error }
            };
            ToolError::new(name, kind)
        };
        let n_done = (batch_idx as u64).saturating_add(1);
        let block = reader.footer().batch(batch_idx);
        let long = block.map(|block| EncodedMessage::long_batch(reader.source(), block));
        if let Some(message) = long.transpose().map_err(in_batch)?.flatten() {
            // The batch is too large for memory, so its parts are checked one after the other.
            check_batch(batch, NonZero::<usize>::MIN).map_err(in_batch)?;
            let message = EncodedMessage::make(transcoder, &message, reader.source()).in_input(name)?;
            put(OutputMessage { message, n_done })?;
            continue;
        }
        let opened = batch.decompress().map_err(in_batch)?;
        opened.decode().map_err(in_batch)?;
        let encoded = transcoder.transcode_decompressed(&opened).map_err(in_batch)?.into_owned();
        // Frees the memory of the batch for the next batch, unless `encoded` shares it.
        drop(opened);
        put(OutputMessage { message: encoded.into(), n_done })?;
    }
    Ok(())
}
