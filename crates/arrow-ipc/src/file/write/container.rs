//! The encoder of a stream or a file.

use super::FileEncoder;
use crate::{
    columns::SchemaColumns,
    error::Result,
    options::WriteOptions,
    protocol::WrittenContainer,
    schema::IpcSchema,
    segment::encoded::Encoded,
    stream::{BatchEncoder, MessageOutput, StreamEncoder},
};

#[derive(Debug)]
pub(crate) enum ContainerEncoder {
    Stream(Box<StreamEncoder>),
    File(Box<FileEncoder>),
}

impl ContainerEncoder {
    pub(crate) fn stream_of(schema: IpcSchema, options: WriteOptions) -> Result<ContainerEncoder> {
        Ok(ContainerEncoder::Stream(Box::new(StreamEncoder::try_new(schema, options)?)))
    }

    pub(crate) fn file_of(schema: IpcSchema, options: WriteOptions) -> Result<ContainerEncoder> {
        Ok(ContainerEncoder::File(Box::new(FileEncoder::try_new(schema, options)?)))
    }

    pub(crate) fn written(&self) -> WrittenContainer {
        match self {
            ContainerEncoder::Stream(_) => WrittenContainer::Stream,
            ContainerEncoder::File(_) => WrittenContainer::File,
        }
    }

    /// The encoder of the messages.
    pub(crate) fn stream(&self) -> &StreamEncoder {
        match self {
            ContainerEncoder::Stream(stream) => stream,
            ContainerEncoder::File(file) => file.stream(),
        }
    }

    pub(crate) fn stream_mut(&mut self) -> &mut StreamEncoder {
        match self {
            ContainerEncoder::Stream(stream) => stream,
            ContainerEncoder::File(file) => file.stream_mut(),
        }
    }

    /// See [`StreamEncoder::add_message`].
    pub(crate) fn add_message(
        &mut self,
        add: impl FnOnce(&mut MessageOutput, &SchemaColumns) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        match self {
            ContainerEncoder::Stream(stream) => stream.add_message(add),
            ContainerEncoder::File(file) => file.add_message(add),
        }
    }

    pub(crate) fn finish(&mut self) -> Result<Encoded<'_>> {
        match self {
            ContainerEncoder::Stream(stream) => StreamEncoder::finish(stream),
            ContainerEncoder::File(file) => FileEncoder::finish(file),
        }
    }
}
