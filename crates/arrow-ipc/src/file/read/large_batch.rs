//! Reads a message of a stream as a file with one batch. Its metadata is in memory, and a source has its body.

use std::sync::{Arc, OnceLock};

use super::{
    decoder::FileDecoder,
    metadata::MetadataCache,
    plan::MessageLocation,
    reader::FileReader,
    state::{FileOrigin, FileState, RowEnds},
};
use crate::{
    error::{Context, FormatErrorKind, Result},
    file::footer::{Block, Footer},
    message_decoder::MessageDecoder,
    source::{LocatedBytes, Source},
    stream::LargeBatch,
};
use arrow_ipc_format::BatchView;

impl LargeBatch {
    /// Reads the batch from a source that has exactly the bytes of its body. The returned reader has one batch, with
    /// index 0. It has the columns that the stream reader has selected, and the dictionaries that had arrived. Its
    /// [`footer_metadata`](FileReader::footer_metadata) is the custom metadata of the message. Use it to read some rows of a large
    /// batch ([`batch_rows`](FileReader::batch_rows)), or all rows in parts that need little memory
    /// ([`parts_of`](FileReader::parts_of)). You can continue to read the stream at the same time.
    ///
    /// # Errors
    /// If the source fails, or has another length than the body. If the metadata of the message is malformed, unsupported
    /// or over a limit.
    pub fn try_into_reader<S: Source>(self, body: S) -> Result<FileReader<S>> {
        let LargeBatch { message, message_decoder } = self;
        let location = MessageLocation { index: message.index(), position: message.position() };
        let open = || {
            let message = BatchView::parse(message.envelope().clone(), message_decoder.options().limits())?;
            reader_of(message.into_copied(), location, message_decoder, body)
        };
        open().in_message(location.index, location.position)
    }
}

/// Makes a reader for a record batch whose body is at the start of a source. `message_decoder` must have the dictionaries
/// of the
/// batch.
///
/// # Errors
/// If the source fails or is shorter than the body.
fn reader_of<S: Source>(
    message: BatchView,
    location: MessageLocation,
    message_decoder: MessageDecoder,
    body: S,
) -> Result<FileReader<S>> {
    let needed = message.envelope().n_body_bytes();
    let available = body.n_bytes()?;
    if available < needed {
        return Err(FormatErrorKind::Truncated { what: "body", needed, available }.into());
    }
    let block = Block::from_body_length(needed);
    let footer = Footer::try_from_message(
        message_decoder.ipc_schema().clone(),
        message.custom_metadata().clone(),
        block,
    );
    let base = body.whole().and_then(|whole| whole.try_slice(0, needed).ok());
    let file = FileState {
        footer: footer?,
        n_bytes: needed,
        tail: base.map(|bytes| LocatedBytes { start: 0, bytes }),
        whole: OnceLock::new(),
        metadata_cache: Arc::new(MetadataCache::from_message(message)),
        limits: message_decoder.options().limits().clone(),
        dictionary_blocks: OnceLock::new(),
        row_ends: RowEnds::default(),
        origin: FileOrigin::Body(location),
    };
    let file = Arc::new(file);
    Ok(FileReader::new(body, FileDecoder { file, message_decoder, dictionaries: None, projection: None }))
}
