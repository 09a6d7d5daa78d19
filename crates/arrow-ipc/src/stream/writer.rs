//! Writes a stream to any sink.

use std::io::Write;

use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::StreamEncoder;
use crate::{
    encoded::Encoded,
    error::{IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    options::WriteOptions,
};

/// Writes record batches as an IPC stream.
///
/// Each call writes with vectored writes, so the sink needs no buffering. A stream is complete when
/// [`finish`](StreamWriter::finish) has said so; dropping the writer writes nothing.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{StreamWriter, WriteOptions};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::empty(&DataType::Int64))])?;
/// let mut writer = StreamWriter::new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// writer.write(&batch)?;
/// let stream: Vec<u8> = writer.finish()?;
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct StreamWriter<W> {
    encoder: StreamEncoder,
    sink: CheckedSink<W>,
}

impl<W: Write> StreamWriter<W> {
    /// Writes the schema.
    ///
    /// # Errors
    /// If the sink fails. As [`StreamEncoder::new`].
    pub fn new(sink: W, schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<StreamWriter<W>> {
        let mut writer =
            StreamWriter { encoder: StreamEncoder::new(schema, options)?, sink: CheckedSink::new(sink) };
        writer.sink.write(writer.encoder.start()?)?;
        Ok(writer)
    }

    /// The schema as it is written.
    pub fn schema(&self) -> &IpcSchema {
        self.encoder.schema()
    }

    /// The bytes written so far.
    pub fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// Where it writes to.
    pub fn sink(&self) -> &W {
        &self.sink.inner
    }

    /// Writes a batch, after its dictionaries where they are new or have changed.
    ///
    /// # Errors
    /// As [`StreamEncoder::encode`]; the next batch can still be written then. If the sink fails, which leaves the
    /// stream incomplete: later calls fail.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write_with_metadata(batch, &Metadata::new())
    }

    /// As [`write`](StreamWriter::write), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// As [`write`](StreamWriter::write).
    pub fn write_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        self.sink.check()?;
        let written = self.sink.write(self.encoder.encode_with_metadata(batch, metadata)?);
        // The batch's buffers are the caller's again.
        self.encoder.clear();
        written
    }

    /// Flushes the sink, so that a reader at the other end gets what has been written. Sinks that do not buffer need
    /// no flush.
    ///
    /// # Errors
    /// If the sink fails, now or before.
    pub fn flush(&mut self) -> Result<()> {
        self.sink.check()?;
        self.sink.flush()
    }

    /// Writes the end of the stream, flushes, and gives the sink back.
    ///
    /// # Errors
    /// If the sink fails, now or before.
    pub fn finish(mut self) -> Result<W> {
        self.sink.check()?;
        self.sink.write(self.encoder.finish()?)?;
        self.sink.finish()
    }
}

/// A sink that is not written to again once it has failed.
#[derive(Debug)]
pub(crate) struct CheckedSink<W> {
    pub(crate) inner: W,
    has_failed: bool,
}

impl<W: Write> CheckedSink<W> {
    pub(crate) fn new(inner: W) -> CheckedSink<W> {
        CheckedSink { inner, has_failed: false }
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.has_failed { Err(IpcErrorKind::AlreadyFailed { what: "writer" }.into()) } else { Ok(()) }
    }

    pub(crate) fn write(&mut self, encoded: Encoded<'_>) -> Result<()> {
        let written = encoded.write_to(&mut self.inner);
        self.has_failed |= written.is_err();
        Ok(written?)
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        let flushed = self.inner.flush();
        self.has_failed |= flushed.is_err();
        Ok(flushed?)
    }

    pub(crate) fn finish(mut self) -> Result<W> {
        self.flush()?;
        Ok(self.inner)
    }
}
