//! Writers of streams, files and tensors: an encoder, and a sink for its bytes.

use std::{
    io::{self, Write},
    mem,
};

use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::StreamEncoder;
use crate::{
    error::{IpcErrorKind, Result},
    schema::IpcSchema,
    segment::encoded::Encoded,
};

/// Encodes record batches as messages, and writes the messages to a sink. [`StreamWriter`](crate::StreamWriter) writes
/// a stream, and [`FileWriter`](crate::FileWriter) writes a file.
///
/// Each call uses vectored writes, so the sink needs neither buffering nor `Seek`. After the sink has failed, the
/// writer does not use it again. Dropping the writer writes nothing.
#[derive(Debug)]
pub struct SinkWriter<E, W> {
    encoder: E,
    sink: W,
    /// Called with the sink when its content is complete.
    commit: fn(&mut W) -> io::Result<()>,
    has_failed: bool,
}

impl<E, W: Write> SinkWriter<E, W> {
    pub(crate) fn of(encoder: E, sink: W) -> SinkWriter<E, W> {
        SinkWriter { encoder, sink, commit: |_| Ok(()), has_failed: false }
    }

    /// Sets the function to call with the sink when its content is complete.
    pub(crate) fn committing(self, commit: fn(&mut W) -> io::Result<()>) -> SinkWriter<E, W> {
        SinkWriter { commit, ..self }
    }

    pub(crate) fn encoder(&self) -> &E {
        &self.encoder
    }

    pub(crate) fn encoder_mut(&mut self) -> &mut E {
        &mut self.encoder
    }

    /// The sink. It has got all bytes of written batches, but may have buffered some of them.
    pub fn sink(&self) -> &W {
        &self.sink
    }

    pub(crate) fn put(&mut self, encode: impl FnOnce(&mut E) -> Result<Encoded<'_>>) -> Result<()> {
        self.check()?;
        let written = encode(&mut self.encoder)?.write_to(&mut self.sink);
        self.has_failed |= written.is_err();
        Ok(written?)
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
        Ok(flushed?)
    }

    /// Flushes, commits and returns the sink.
    pub(crate) fn into_sink(mut self) -> Result<W> {
        self.flush()?;
        (self.commit)(&mut self.sink)?;
        Ok(self.sink)
    }

    fn check(&self) -> Result<()> {
        if self.has_failed { Err(IpcErrorKind::AlreadyFailed { what: "writer" }.into()) } else { Ok(()) }
    }
}

impl<E: BatchEncoder, W: Write> SinkWriter<E, W> {
    /// Writes the magic of a file and the schema message.
    pub(crate) fn begin(self) -> Result<SinkWriter<E, W>> {
        let mut writer = self;
        writer.put(|encoder| encoder.stream_mut().start())?;
        Ok(writer)
    }

    /// The schema of the stream or file, with the version, byte order and features of the options.
    pub fn schema(&self) -> &IpcSchema {
        self.encoder.stream().schema()
    }

    /// The number of bytes that have been written, including the schema message.
    pub fn position(&self) -> u64 {
        self.encoder.stream().position()
    }

    /// Writes a batch. Messages of its new and changed dictionaries come first.
    ///
    /// The errors of [`StreamEncoder::encode`] and [`FileEncoder::encode`](crate::FileEncoder::encode); you can still
    /// write the next batch. If the sink fails: the stream or file is then incomplete, and later calls fail.
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
        self.encoder.stream_mut().clear();
        written
    }

    /// Sets the custom metadata of the next message of a dictionary. See [`StreamEncoder::set_dictionary_metadata`].
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::set_dictionary_metadata`].
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        self.encoder.stream_mut().set_dictionary_metadata(id, metadata)
    }

    /// Finishes the stream or file and returns its sink. The next stream or file is written to `sink`.
    pub(crate) fn next(&mut self, sink: W) -> Result<W> {
        self.put(E::finish)?;
        self.flush()?;
        self.encoder.reset();
        let mut finished = mem::replace(&mut self.sink, sink);
        (self.commit)(&mut finished)?;
        Ok(finished)
    }

    /// Writes the end of the stream or file, flushes, and returns the sink. The end of a file includes the footer. A
    /// file from [`create_atomic`](crate::FileWriter::create_atomic) gets its final name here.
    ///
    /// # Errors
    /// If the sink fails, or has failed before. The errors of [`FileEncoder::finish`](crate::FileEncoder::finish).
    pub fn finish(mut self) -> Result<W> {
        self.put(E::finish)?;
        self.into_sink()
    }
}

/// An encoder of a stream or file, for [`SinkWriter`]. Other crates cannot implement this trait.
pub trait BatchEncoder {
    /// The encoder of the stream, or of the stream inside the file.
    fn stream(&self) -> &StreamEncoder;
    /// The encoder of the stream, or of the stream inside the file.
    fn stream_mut(&mut self) -> &mut StreamEncoder;
    /// Encodes a batch. Messages of its new and changed dictionaries come first.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::encode`].
    fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>>;
    /// Encodes the end of the stream or file.
    ///
    /// # Errors
    /// If a length is greater than the format can express.
    fn finish(&mut self) -> Result<Encoded<'_>>;
    /// Begins another stream or file, with the same schema and options.
    fn reset(&mut self);
}

impl BatchEncoder for StreamEncoder {
    fn stream(&self) -> &StreamEncoder {
        self
    }

    fn stream_mut(&mut self) -> &mut StreamEncoder {
        self
    }

    fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        StreamEncoder::encode_with_metadata(self, batch, metadata)
    }

    fn finish(&mut self) -> Result<Encoded<'_>> {
        StreamEncoder::finish(self)
    }

    fn reset(&mut self) {
        StreamEncoder::reset(self);
    }
}
