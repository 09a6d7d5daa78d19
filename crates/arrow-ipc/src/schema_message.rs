//! A schema as a message of its own, without a stream around it: what protocols exchange before data.

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use crate::{
    error::{IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    limits::Limits,
    message::Header,
    options::WriteOptions,
    stream::{MessageStep, Messages, StreamEncoder},
};

impl IpcSchema {
    /// The schema message alone, with its prefix and this custom metadata, as a stream of the same version, byte order
    /// and features begins.
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
    /// As [`StreamEncoder::try_new`](crate::StreamEncoder::try_new) and [`StreamEncoder::start`](crate::StreamEncoder::start).
    pub fn to_message(&self, metadata: &Metadata) -> Result<Buffer> {
        let options = WriteOptions::new()
            .with_version(self.version())
            .with_endianness(self.endianness())
            .with_features(self.features().iter().copied())
            .with_file_metadata(metadata.clone());
        Ok(StreamEncoder::try_new(self, options)?.start()?.to_bytes().freeze())
    }

    /// Reads a schema message, and gives its custom metadata beside it. What follows the message is not looked at, so the
    /// bytes may be those of a stream.
    ///
    /// # Errors
    /// If the bytes do not begin with a whole schema message, or ask for more than the limits allow.
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
