//! Makes messages with the options of an output. A body that is too long for memory is copied from the source, or
//! encoded in a temporary file.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

use arrow_ipc::{
    BodyRange, Encoded, ErrorClass, IpcError, IpcErrorKind, Limits, MessageKind, OwnedEncoded, Source,
    file::Block,
    message::{Header, Message},
};
use arrow_ipc_rewrite::{BufferMove, Transcoder};

use super::{
    blocks::batch_message,
    body::{SourceBody, output_error, source_error},
};
use crate::{error::ToolErrorKind, source::SharedSource};

/// The maximal length of a body that is encoded in memory. Half of this for compressed bodies.
const LONG_BODY_BYTES: u64 = 16 << 20;

/// The maximal length of a body that is read at once.
const SMALL_BODY_BYTES: u64 = 4 << 20;

/// A message to write. Its body may be outside of memory.
pub(crate) struct EncodedMessage {
    encoded: OwnedEncoded,
    body: EncodedBody,
}

enum EncodedBody {
    /// The body is in memory, in the encoded message.
    Encoded,
    /// The body is in a temporary file, which begins with it. The number is its length.
    Spooled(File, u64),
    /// The body has buffers of an old body, at new offsets. The old body is in `source`.
    Moved { source: SharedSource, from: (u64, u64), moves: Vec<BufferMove>, n_bytes: u64 },
}

impl From<OwnedEncoded> for EncodedMessage {
    fn from(encoded: OwnedEncoded) -> EncodedMessage {
        EncodedMessage { encoded, body: EncodedBody::Encoded }
    }
}

impl EncodedMessage {
    /// The message of a batch whose body is too long to be encoded in memory; `None` if it is not too long.
    ///
    /// # Errors
    /// If the file cannot be read, or does not contain the message that the footer lists.
    pub(crate) fn long_batch(source: &SharedSource, block: Block) -> Result<Option<Message>, IpcError> {
        if block.n_body_bytes() <= LONG_BODY_BYTES / 2 {
            return Ok(None);
        }
        Ok(Some(batch_message(source, block)?).filter(is_long))
    }

    /// Converts a message to the options of the output. Its old body is in `source`.
    ///
    /// # Errors
    /// The errors of [`Transcoder::transcode_from`]. If the temporary file cannot be written.
    pub(crate) fn make(
        transcoder: &mut Transcoder,
        message: &Message,
        source: &SharedSource,
    ) -> Result<EncodedMessage, ToolErrorKind> {
        if !is_long(message) {
            return Ok(transcoded(transcoder, message, source)?.into_owned().into());
        }
        let start = message.body_position();
        let n_from = message.n_body_bytes();
        if transcoder.can_relocate(message).map_err(transcode_error)? {
            let relocation = transcoder.relocate(message).map_err(transcode_error)?;
            let moves = relocation.moves().to_vec();
            let n_bytes = relocation.n_body_bytes();
            // A body that is in memory is used from there, because `source` may drop it when the next batch is fetched.
            let (source, start) = match source.cached(&(start..start.saturating_add(n_from))) {
                Some(body) => (SharedSource::new(body), 0),
                None => (source.clone(), start),
            };
            let body = EncodedBody::Moved { source, from: (start, n_from), moves, n_bytes };
            return Ok(EncodedMessage { encoded: relocation.into_metadata().into_owned(), body });
        }
        let mut file = tempfile::tempfile().map_err(output_error)?;
        let fetch = |range: BodyRange| {
            source.fetch(start.saturating_add(range.start())..start.saturating_add(range.end()))
        };
        let spooled = transcoder.transcode_to_spool(message, fetch, &mut file);
        let encoded = spooled.map_err(transcode_error)?.into_owned();
        let n_bytes = encoded.messages().last().map_or(0, |message| message.n_body_bytes());
        file.seek(SeekFrom::Start(0)).map_err(output_error)?;
        Ok(EncodedMessage { encoded, body: EncodedBody::Spooled(file, n_bytes) })
    }

    /// Writes the whole message.
    ///
    /// # Errors
    /// If the body cannot be read, or the output cannot be written.
    pub(crate) fn write(self, sink: &mut dyn Write) -> Result<(), ToolErrorKind> {
        self.encoded.write_to(sink).map_err(output_error)?;
        match self.body {
            EncodedBody::Encoded => Ok(()),
            EncodedBody::Spooled(file, n_bytes) => {
                let n_copied = io::copy(&mut file.take(n_bytes), sink).map_err(output_error)?;
                if n_copied == n_bytes {
                    Ok(())
                } else {
                    Err(source_error(io::ErrorKind::UnexpectedEof.into()))
                }
            }
            EncodedBody::Moved { source, from: (start, n_from), moves, n_bytes } => {
                SourceBody::new(&source, start, n_from).relocate(&moves, n_bytes, sink)
            }
        }
    }
}

/// Converts a message to the options of the output. Its old body is in `source`.
fn transcoded<'a>(
    transcoder: &'a mut Transcoder,
    message: &Message,
    source: &SharedSource,
) -> Result<Encoded<'a>, ToolErrorKind> {
    let start = message.body_position();
    let n_bytes = message.n_body_bytes();
    let fetch = |range: std::ops::Range<u64>| {
        source.fetch(start.saturating_add(range.start)..start.saturating_add(range.end))
    };
    let small = if n_bytes <= SMALL_BODY_BYTES {
        Some(fetch(0..n_bytes).map_err(|error| ToolErrorKind::Input(error.into()))?)
    } else {
        None
    };
    let encoded = transcoder.transcode_from(message, |range| match &small {
        None => fetch(range.start()..range.end()),
        Some(body) => body
            .try_slice(range.start(), range.n_bytes())
            .map_err(|error| io::Error::new(io::ErrorKind::UnexpectedEof, error)),
    });
    encoded.map_err(transcode_error)
}

/// Converts an error of the transcoder. The class `Misuse` means that the output does not support the message. All
/// other errors are about the input, unless a temporary file cannot be written.
pub(super) fn transcode_error(error: IpcError) -> ToolErrorKind {
    let is_of_output = error.class() == ErrorClass::Misuse || matches!(error.kind(), IpcErrorKind::Write(_));
    if is_of_output { ToolErrorKind::Output(error) } else { ToolErrorKind::Input(error) }
}

/// Whether the body of a message is too long to be encoded in memory.
fn is_long(message: &Message) -> bool {
    let n_bytes = message.n_body_bytes();
    let is_batch = matches!(message.kind(), MessageKind::RecordBatch | MessageKind::DictionaryBatch);
    is_batch && (n_bytes > LONG_BODY_BYTES || n_bytes > LONG_BODY_BYTES / 2 && is_compressed(message))
}

fn is_compressed(message: &Message) -> bool {
    // An invalid header is reported when the message is transcoded.
    let header = message.header(&Limits::default());
    matches!(header, Ok(Header::RecordBatch(batch)) if batch.compression().is_some())
}
