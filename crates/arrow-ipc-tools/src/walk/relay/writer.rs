//! Writes messages of inputs to a stream or file.

use std::io::Write;

use arrow_data::RecordBatch;
use arrow_ipc::{IpcError, IpcErrorKind, message::Message};
use arrow_ipc_rewrite::{RewriteError, Transcoder};
use arrow_schema::Metadata;

use super::{
    body::{SourceBody, output_error},
    encoded_message::{EncodedMessage, transcode_error},
};
use crate::{error::ToolErrorKind, source::SharedSource};

pub(crate) struct RelayWriter<'a> {
    transcoder: Transcoder,
    sink: &'a mut dyn Write,
    /// Whether messages are converted to the metadata version, codec and alignment of the options. Otherwise they are written as
    /// they are, but without validity buffers that the format does not have.
    converts: bool,
}

impl<'a> RelayWriter<'a> {
    /// Writes the bytes before the first message.
    pub(crate) fn begin(
        sink: &'a mut dyn Write,
        mut transcoder: Transcoder,
        converts: bool,
    ) -> Result<RelayWriter<'a>, IpcError> {
        transcoder.start()?.write_to(sink).map_err(IpcErrorKind::Write)?;
        Ok(RelayWriter { transcoder, sink, converts })
    }

    /// Writes a message whose body is in `source`.
    pub(crate) fn write(&mut self, message: &Message, source: &SharedSource) -> Result<(), ToolErrorKind> {
        let RelayWriter { transcoder, sink, converts } = self;
        let start = message.body_position();
        let n_bytes = message.n_body_bytes();
        let mut body = SourceBody::new(source, start, n_bytes);
        if !*converts {
            match transcoder.copy_metadata(message) {
                Ok(start) => {
                    start.write_to(sink).map_err(output_error)?;
                    return body.copy(sink);
                }
                // The message has validity buffers that the format does not have.
                Err(error)
                    if matches!(
                        RewriteError::from_ipc_error(&error),
                        Some(RewriteError::NeedsDecoding { .. })
                    ) => {}
                Err(error) => return Err(transcode_error(error)),
            }
        }
        if transcoder.can_relocate(message).map_err(transcode_error)? {
            let relocation = transcoder.relocate(message).map_err(transcode_error)?;
            relocation.metadata().write_to(sink).map_err(output_error)?;
            return body.relocate(relocation.moves(), relocation.n_body_bytes(), sink);
        }
        EncodedMessage::make(transcoder, message, source)?.write(sink)
    }

    /// The transcoder and the sink, which two threads can use at the same time. The caller must write all converted
    /// messages to the sink, in order.
    pub(crate) fn parts(&mut self) -> (&mut Transcoder, &mut dyn Write) {
        (&mut self.transcoder, self.sink)
    }

    /// Encodes and writes a batch. The messages of its dictionaries must already be in the output.
    pub(crate) fn write_batch(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), IpcError> {
        self.transcoder.encode(batch, metadata)?.write_to(self.sink).map_err(IpcErrorKind::Write)?;
        self.transcoder.clear();
        Ok(())
    }

    /// Writes the end marker or footer, and flushes the sink.
    pub(crate) fn finish(mut self) -> Result<(), IpcError> {
        let end = self.transcoder.finish()?;
        Ok(end.write_to(self.sink).and_then(|()| self.sink.flush()).map_err(IpcErrorKind::Write)?)
    }
}
