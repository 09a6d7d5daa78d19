//! Compares the stream in a file: a file is a stream with bytes before and after it.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Limits, MessageStep, Messages, MetadataVersion, StreamReader, file::Footer};

use super::{batches::check_batches, mismatch::MismatchKind, schemas};
use crate::document::Document;

/// The length of the magic at the start of a file, with its padding.
const N_MAGIC_BYTES: usize = 8;

/// Reads the stream in a file, and compares it with the document.
pub(super) fn check(document: &Document, footer: &Footer, file: &Buffer) -> Result<(), MismatchKind> {
    let end = usize::try_from(footer.position()).unwrap_or(usize::MAX).min(file.len());
    let stream = file.slice(start(file).min(end)..end);
    let in_stream = |kind| MismatchKind::StreamContent(Box::new(kind));

    let reader = StreamReader::try_new(stream.as_slice()).map_err(MismatchKind::Stream)?;
    schemas::check(document.schema().schema(), reader.schema()).map_err(in_stream)?;
    // Writers of version 4 went from the last batch on to the footer.
    let needs_end = reader.ipc_schema().version() >= MetadataVersion::V5;
    let n_batches = document.batches().len();
    let mut batches: Vec<RecordBatch> = Vec::with_capacity(n_batches);
    for batch in reader.take(if needs_end { usize::MAX } else { n_batches }) {
        batches.push(batch.map_err(MismatchKind::Stream)?);
    }
    check_batches(document.batches(), &batches).map_err(in_stream)?;
    if needs_end && !has_end(stream).map_err(MismatchKind::Stream)? {
        return Err(MismatchKind::NoEnd);
    }
    Ok(())
}

/// The position of the first message. Some writers leave a gap after the magic, with bytes that no stream begins with.
fn start(file: &[u8]) -> usize {
    let after = file.get(N_MAGIC_BYTES..).unwrap_or_default();
    let (words, _) = after.as_chunks::<8>();
    N_MAGIC_BYTES + 8 * words.iter().take_while(|word| **word == [0; 8]).count()
}

fn has_end(stream: Buffer) -> arrow_ipc::Result<bool> {
    let mut messages = Messages::new(Limits::default());
    messages.feed(stream);
    messages.finish_input();
    loop {
        match messages.step()? {
            MessageStep::End => return Ok(messages.has_end_marker()),
            // All bytes are there.
            _ => continue,
        }
    }
}
