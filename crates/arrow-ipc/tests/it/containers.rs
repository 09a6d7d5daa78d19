//! Streams and files by the same functions, for tests of what is written into either.

use arrow_data::RecordBatch;
use arrow_ipc::{Encoded, FileEncoder, IpcError, IpcSchema, StreamEncoder, WriteOptions};
use arrow_schema::Metadata;

/// A destination for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Stream,
    File,
}

pub(crate) const CONTAINERS: [Container; 2] = [Container::Stream, Container::File];

pub(crate) enum Encoder {
    Stream(Box<StreamEncoder>),
    File(Box<FileEncoder>),
}

impl Encoder {
    pub(crate) fn try_new(
        container: Container,
        schema: &IpcSchema,
        options: WriteOptions,
    ) -> Result<Encoder, IpcError> {
        Ok(match container {
            Container::Stream => Encoder::Stream(Box::new(StreamEncoder::try_new_with(schema, options)?)),
            Container::File => Encoder::File(Box::new(FileEncoder::try_new_with(schema, options)?)),
        })
    }

    pub(crate) fn set_dictionary_metadata(
        &mut self,
        id: i64,
        metadata: Metadata,
    ) -> Result<Option<Metadata>, IpcError> {
        match self {
            Encoder::Stream(encoder) => encoder.set_dictionary_metadata(id, metadata),
            Encoder::File(encoder) => encoder.set_dictionary_metadata(id, metadata),
        }
    }

    pub(crate) fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>, IpcError> {
        match self {
            Encoder::Stream(encoder) => encoder.encode(batch),
            Encoder::File(encoder) => encoder.encode(batch),
        }
    }

    pub(crate) fn encode_with_metadata(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
    ) -> Result<Encoded<'_>, IpcError> {
        match self {
            Encoder::Stream(encoder) => encoder.encode_with_metadata(batch, metadata),
            Encoder::File(encoder) => encoder.encode_with_metadata(batch, metadata),
        }
    }

    pub(crate) fn finish(&mut self) -> Result<Encoded<'_>, IpcError> {
        match self {
            Encoder::Stream(encoder) => encoder.finish(),
            Encoder::File(encoder) => encoder.finish(),
        }
    }
}
