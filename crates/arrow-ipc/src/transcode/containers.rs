//! The encoder of either container.

use crate::{
    columns::SchemaColumns,
    dictionary::WrittenContainer,
    error::Result,
    file::FileEncoder,
    options::WriteOptions,
    schema::IpcSchema,
    segment::encoded::Encoded,
    stream::{BatchEncoder, MessageOutput, StreamEncoder},
};

/// Encodes a stream or a file.
#[derive(Debug)]
pub(super) enum ContainerEncoder {
    Stream(Box<StreamEncoder>),
    File(Box<FileEncoder>),
}

impl ContainerEncoder {
    pub(super) fn stream_of(schema: IpcSchema, options: WriteOptions) -> Result<ContainerEncoder> {
        Ok(ContainerEncoder::Stream(Box::new(StreamEncoder::try_new(schema, options)?)))
    }

    pub(super) fn file_of(schema: IpcSchema, options: WriteOptions) -> Result<ContainerEncoder> {
        Ok(ContainerEncoder::File(Box::new(FileEncoder::try_new(schema, options)?)))
    }

    pub(super) fn written(&self) -> WrittenContainer {
        match self {
            ContainerEncoder::Stream(_) => WrittenContainer::Stream,
            ContainerEncoder::File(_) => WrittenContainer::File,
        }
    }

    /// The stream that contains all messages.
    pub(super) fn stream(&self) -> &StreamEncoder {
        match self {
            ContainerEncoder::Stream(stream) => stream,
            ContainerEncoder::File(file) => file.stream_inside(),
        }
    }

    pub(super) fn stream_mut(&mut self) -> &mut StreamEncoder {
        match self {
            ContainerEncoder::Stream(stream) => stream,
            ContainerEncoder::File(file) => file.stream(),
        }
    }

    /// See [`StreamEncoder::add_message`].
    pub(super) fn add_message(
        &mut self,
        add: impl FnOnce(&mut MessageOutput, &SchemaColumns) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        match self {
            ContainerEncoder::Stream(stream) => stream.add_message(add),
            ContainerEncoder::File(file) => file.add_message(add),
        }
    }

    pub(super) fn finish(&mut self) -> Result<Encoded<'_>> {
        match self {
            ContainerEncoder::Stream(stream) => StreamEncoder::finish(stream),
            ContainerEncoder::File(file) => FileEncoder::finish(file),
        }
    }
}
