//! Converts a schema to a schema message and back, for protocols that exchange the schema before the data.

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use crate::{
    error::{IpcErrorKind, Result},
    limits::Limits,
    message::Header,
    options::WriteOptions,
    schema::IpcSchema,
    stream::{MessageStep, Messages, StreamEncoder},
};

impl IpcSchema {
    /// Encodes the schema message with this custom metadata. The message has the version, byte order and features of
    /// this schema, and can begin a stream.
    ///
    /// ```
    /// use arrow_ipc::{IpcSchema, Limits};
    /// use arrow_schema::{DataType, Field, Metadata, Schema};
    ///
    /// let schema = IpcSchema::from(Schema::new([Field::new("id", DataType::Int64)]));
    /// let message = schema.to_message(&Metadata::new())?;
    /// let (read, metadata) = IpcSchema::try_from_message(message, &Limits::default())?;
    /// assert_eq!((read, metadata), (schema, Metadata::new()));
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If [`StreamEncoder::try_new`](crate::StreamEncoder::try_new) or
    /// [`StreamEncoder::start`](crate::StreamEncoder::start) fails.
    pub fn to_message(&self, metadata: &Metadata) -> Result<Buffer> {
        let options = WriteOptions::new()
            .with_version(self.version())
            .with_endianness(self.endianness())
            .with_features(self.features().iter().copied())
            .with_file_metadata(metadata.clone());
        Ok(StreamEncoder::try_new(self, options)?.start()?.to_bytes().freeze())
    }

    /// Reads a schema message, and returns the schema and the custom metadata of the message. Ignores bytes after the
    /// message, such as the rest of a stream.
    ///
    /// # Errors
    /// If the bytes do not begin with a complete schema message, or exceed the limits.
    pub fn try_from_message(bytes: impl Into<Buffer>, limits: &Limits) -> Result<(IpcSchema, Metadata)> {
        let mut messages = Messages::new(limits.clone());
        messages.feed(bytes.into());
        messages.end_of_input();
        let message = match messages.step()? {
            MessageStep::Message(message) => message,
            MessageStep::NeedBytes(_) | MessageStep::End => {
                return Err(IpcErrorKind::Missing { what: "the schema message" }.into());
            }
        };
        match message.header(limits)? {
            Header::Schema(schema) => Ok((schema, message.custom_metadata()?)),
            Header::DictionaryBatch { .. }
            | Header::RecordBatch { .. }
            | Header::Tensor { .. }
            | Header::SparseTensor { .. } => {
                let (expected, found) = ("a schema", message.kind());
                Err(IpcErrorKind::UnexpectedMessage { expected, found }.into())
            }
        }
    }
}
