//! The common part of the writers of streams, files and tensors: an encoder, whose bytes go to a sink.

use std::{io::Write, mem};

use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::StreamEncoder;
#[cfg(feature = "tensor")]
use crate::tensor::TensorRef;
use crate::{
    error::{IpcErrorKind, Result},
    segment::encoded::Encoded,
};

/// An encoder and a sink. After the sink has failed, nothing is written to it any more.
#[derive(Debug)]
pub(crate) struct SinkWriter<E, W> {
    encoder: E,
    sink: W,
    has_failed: bool,
}

impl<E, W: Write> SinkWriter<E, W> {
    /// Writes nothing yet.
    pub(crate) fn new(encoder: E, sink: W) -> SinkWriter<E, W> {
        SinkWriter { encoder, sink, has_failed: false }
    }

    pub(crate) fn encoder(&self) -> &E {
        &self.encoder
    }

    pub(crate) fn encoder_mut(&mut self) -> &mut E {
        &mut self.encoder
    }

    pub(crate) fn sink(&self) -> &W {
        &self.sink
    }

    /// Writes what `encode` returns.
    pub(crate) fn put(&mut self, encode: impl FnOnce(&mut E) -> Result<Encoded<'_>>) -> Result<()> {
        self.check()?;
        let written = encode(&mut self.encoder)?.write_to(&mut self.sink);
        self.has_failed |= written.is_err();
        Ok(written?)
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.check()?;
        let flushed = self.sink.flush();
        self.has_failed |= flushed.is_err();
        Ok(flushed?)
    }

    /// Flushes, and returns the sink.
    pub(crate) fn into_sink(mut self) -> Result<W> {
        self.flush()?;
        Ok(self.sink)
    }

    fn check(&self) -> Result<()> {
        if self.has_failed { Err(IpcErrorKind::AlreadyFailed { what: "writer" }.into()) } else { Ok(()) }
    }
}

impl<E: BatchEncoder, W: Write> SinkWriter<E, W> {
    /// Writes the bytes before the first batch.
    pub(crate) fn begin(encoder: E, sink: W) -> Result<SinkWriter<E, W>> {
        let mut writer = SinkWriter::new(encoder, sink);
        writer.put(|encoder| encoder.stream().start())?;
        Ok(writer)
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        let written = self.put(|encoder| encoder.encode_with_metadata(batch, metadata));
        // Releases the batch's buffers, which belong to the caller.
        self.encoder.stream().clear();
        written
    }

    /// Writes a tensor between the batches of a stream.
    #[cfg(feature = "tensor")]
    pub(crate) fn write_tensor(&mut self, tensor: TensorRef<'_>, metadata: &Metadata) -> Result<()> {
        let written = self.put(|encoder| encoder.stream().encode_tensor(tensor, metadata));
        // Releases the tensor's buffers, which belong to the caller.
        self.encoder.stream().clear();
        written
    }

    /// Writes the end, flushes, and begins the next stream in another sink. Returns the first sink.
    pub(crate) fn next(&mut self, sink: W) -> Result<W> {
        self.put(E::finish)?;
        self.flush()?;
        self.encoder.reset();
        Ok(mem::replace(&mut self.sink, sink))
    }

    /// Writes the end, and flushes.
    pub(crate) fn finish(mut self) -> Result<W> {
        self.put(E::finish)?;
        self.into_sink()
    }
}

/// An encoder of a stream or file.
pub(crate) trait BatchEncoder {
    /// The stream with all messages.
    fn stream(&mut self) -> &mut StreamEncoder;
    fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>>;
    fn finish(&mut self) -> Result<Encoded<'_>>;
    fn reset(&mut self);
}

impl BatchEncoder for StreamEncoder {
    fn stream(&mut self) -> &mut StreamEncoder {
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
