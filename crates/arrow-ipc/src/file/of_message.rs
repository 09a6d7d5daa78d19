//! A file of one batch, which is a message of a stream: its metadata is there, and the source has its body.

use std::sync::{Arc, OnceLock};

use super::{
    block::Block,
    decoder::{FileDecoder, FileShared},
    footer::Footer,
    metadata::KeptMetadata,
    provided::FilePart,
    reader::FileReader,
};
use crate::{
    error::{Context, IpcError, IpcErrorKind, Result},
    message::BatchMessage,
    session::Session,
    source::Source,
    stream::LargeBatch,
};

/// Where a message is in its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessagePlace {
    index: u64,
    position: u64,
}

impl MessagePlace {
    /// Says in an error of the batch where it is in the stream.
    pub(super) fn locate(self, error: IpcError) -> IpcError {
        error.of_message(self.index, self.position)
    }
}

impl LargeBatch {
    /// Reads the batch from its body: a source of these bytes and no others. The reader has this batch alone, with the number 0, the
    /// columns that the stream has selected and the dictionaries that had come. Its
    /// [`metadata`](FileReader::metadata) is that of the message. So of a large batch some rows can be read
    /// ([`batch_rows`](FileReader::batch_rows)), or all of them in the memory of a few
    /// ([`parts_of`](FileReader::parts_of), [`rows_of`](FileReader::rows_of)). The stream can be read on meanwhile.
    ///
    /// # Errors
    /// If the source fails, or has another number of bytes; if the metadata of the message is malformed, not supported or over a
    /// limit.
    pub fn open<S: Source>(self, body: S) -> Result<FileReader<S>> {
        let LargeBatch { message, session } = self;
        let place = MessagePlace { index: message.index(), position: message.position() };
        let open = || {
            let message = BatchMessage::parse(message.head, session.options().limits())?;
            FileReader::of_message((message.into_copied(), place), session, body)
        };
        open().in_message(place.index, place.position)
    }
}

impl<S: Source> FileReader<S> {
    /// Reads a record batch whose body is the first bytes of a source, as the only one of a file. The session has its dictionaries.
    ///
    /// # Errors
    /// If the source fails or is shorter than the body.
    fn of_message(
        (message, place): (BatchMessage, MessagePlace),
        session: Session,
        body: S,
    ) -> Result<FileReader<S>> {
        let (needed, available) = (message.n_body_bytes(), body.n_bytes()?);
        if available < needed {
            return Err(IpcErrorKind::Truncated { what: "body", needed, available }.into());
        }
        let block = Block::of_body(needed);
        let footer =
            Footer::of_message(session.ipc_schema().clone(), message.custom_metadata().clone(), block);
        let base = body.whole().and_then(|whole| whole.try_slice(0, needed).ok());
        let file = FileShared {
            footer: footer?,
            n_bytes: needed,
            base: base.map(|bytes| FilePart { start: 0, bytes }),
            kept: KeptMetadata::of_message(message),
            layouts: OnceLock::new(),
            believes_layouts: false,
            dictionary_blocks: OnceLock::new(),
            of_message: Some(place),
        };
        Ok(FileReader::new(body, FileDecoder { file: Arc::new(file), session }))
    }
}

impl FileShared {
    /// Where an error of a batch is, if that is not in this file.
    pub(super) fn located<T>(&self, result: Result<T>) -> Result<T> {
        match self.of_message {
            Some(place) => result.map_err(|error| place.locate(error)),
            None => result,
        }
    }
}
