//! Writers of streams and files: an encoder, and a sink for its bytes.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
};

use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::{BatchEncoder, trailer::Trailer};
use crate::{
    error::{IpcErrorKind, Result},
    segment::encoded::Encoded,
};
use arrow_ipc_format::IpcSchema;

/// Encodes record batches as messages, and writes the messages to a sink. `T` is what follows the messages:
/// [`StreamWriter`](crate::StreamWriter) writes a stream, and [`FileWriter`](crate::FileWriter) writes a file.
///
/// Each call uses vectored writes, so the sink needs neither buffering nor `Seek`. After the sink has failed, the
/// writer does not use it again. Dropping the writer writes nothing.
#[derive(Debug)]
pub struct SinkWriter<T, W> {
    encoder: BatchEncoder<T>,
    sink: W,
    /// Called with the sink when its content is complete.
    commit: fn(&mut W) -> io::Result<()>,
    has_failed: bool,
}

impl<T, W: Write> SinkWriter<T, W> {
    pub(crate) fn from_encoder(encoder: BatchEncoder<T>, sink: W) -> SinkWriter<T, W> {
        SinkWriter { encoder, sink, commit: |_| Ok(()), has_failed: false }
    }

    /// Sets the function to call with the sink when its content is complete.
    #[cfg(feature = "file")]
    pub(crate) fn with_commit(self, commit: fn(&mut W) -> io::Result<()>) -> SinkWriter<T, W> {
        SinkWriter { commit, ..self }
    }

    #[cfg(feature = "file")]
    pub(crate) fn encoder(&self) -> &BatchEncoder<T> {
        &self.encoder
    }

    pub(crate) fn encoder_mut(&mut self) -> &mut BatchEncoder<T> {
        &mut self.encoder
    }

    /// The sink. It has received all bytes of written batches, but may have buffered some of them.
    pub fn sink(&self) -> &W {
        &self.sink
    }

    pub(crate) fn put(
        &mut self,
        encode: impl FnOnce(&mut BatchEncoder<T>) -> Result<Encoded<'_>>,
    ) -> Result<()> {
        self.check()?;
        let written = encode(&mut self.encoder)?.write_to(&mut self.sink);
        self.has_failed |= written.is_err();
        Ok(written.map_err(IpcErrorKind::Write)?)
    }

    /// Flushes the sink, for example to let a reader at the other end of a connection get all batches. Sinks that do
    /// not buffer need no flush.
    ///
    /// # Errors
    /// If the sink fails, or has failed before.
    pub fn flush(&mut self) -> Result<()> {
        self.check()?;
        let flushed = self.sink.flush();
        self.has_failed |= flushed.is_err();
        Ok(flushed.map_err(IpcErrorKind::Write)?)
    }

    /// Flushes, commits and returns the sink.
    pub(crate) fn into_sink(mut self) -> Result<W> {
        self.flush()?;
        (self.commit)(&mut self.sink).map_err(IpcErrorKind::Write)?;
        Ok(self.sink)
    }

    fn check(&self) -> Result<()> {
        if self.has_failed { Err(IpcErrorKind::AlreadyFailed { what: "writer" }.into()) } else { Ok(()) }
    }
}

impl<T: Trailer, W: Write> SinkWriter<T, W> {
    /// Writes the magic of a file and the schema message.
    pub(crate) fn begin(self) -> Result<SinkWriter<T, W>> {
        let mut writer = self;
        writer.put(BatchEncoder::start)?;
        Ok(writer)
    }

    /// The schema of the written batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.ipc_schema().schema()
    }

    /// The schema of the stream or file, with the version, byte order and features of the options.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.encoder.ipc_schema()
    }

    /// The number of bytes of the schema message and all messages after it. After an error of the sink, these include bytes
    /// that it has not taken.
    pub fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// Writes a batch. Messages of its new and changed dictionaries come first.
    ///
    /// # Errors
    /// The errors of [`BatchEncoder::encode`]; the next batch can still be written then. If the sink fails. The stream
    /// or file is then incomplete, and later calls fail.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write_with_metadata(batch, &Metadata::new())
    }

    /// Like [`write`](SinkWriter::write), with custom metadata for the message of the batch.
    ///
    /// # Errors
    /// The errors of [`write`](SinkWriter::write).
    pub fn write_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        let written = self.put(|encoder| encoder.encode_with_metadata(batch, metadata));
        // Drops the references to the buffers of the batch.
        self.encoder.clear();
        written
    }

    /// Sets the custom metadata of the next message of a dictionary. See
    /// [`StreamEncoder::set_dictionary_metadata`](crate::StreamEncoder::set_dictionary_metadata).
    ///
    /// # Errors
    /// The errors of [`BatchEncoder::set_dictionary_metadata`].
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        self.encoder.set_dictionary_metadata(id, metadata)
    }

    /// Finishes the stream or file and returns its sink. The next stream or file is written to `sink`.
    pub(crate) fn next(&mut self, sink: W) -> Result<W> {
        self.put(BatchEncoder::finish)?;
        self.flush()?;
        self.encoder.reset();
        let mut finished = mem::replace(&mut self.sink, sink);
        let committed = (self.commit)(&mut finished);
        self.has_failed |= committed.is_err();
        committed.map_err(IpcErrorKind::Write)?;
        Ok(finished)
    }

    /// Writes the end of the stream or file, flushes, and returns the sink. The end of a file includes the footer. A
    /// file from [`create_atomic`](crate::FileWriter::create_atomic) gets its final name here.
    ///
    /// # Errors
    /// If the sink fails, or has failed before. The errors of [`BatchEncoder::finish`].
    pub fn finish(mut self) -> Result<W> {
        self.put(BatchEncoder::finish)?;
        self.into_sink()
    }
}
