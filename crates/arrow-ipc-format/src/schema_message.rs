//! A schema as one encapsulated message, for protocols that exchange the schema before the data.

use std::ops::Range;

use arrow_buffer::{Buffer, BufferMut};
use arrow_schema::Metadata;

use crate::{
    error::{FormatError, FormatErrorKind, Result},
    limits::Limits,
    message::{MessageFormat, MetadataEncoder, NextMessage},
    schema::{IpcSchema, SchemaPart, check_readable},
};

impl IpcSchema {
    /// Encodes the schema message with this custom metadata. The message has the version, byte order and features of
    /// this schema, and can begin a stream.
    ///
    /// ```
    /// use arrow_ipc_format::{IpcSchema, Limits};
    /// use arrow_schema::{DataType, Field, Metadata, Schema};
    ///
    /// let schema = IpcSchema::from(Schema::new([Field::new("id", DataType::Int64)]));
    /// let message = schema.to_message(&Metadata::new())?;
    /// let (read, metadata) = IpcSchema::try_from_message(message, &Limits::default())?;
    /// assert_eq!((read, metadata), (schema, Metadata::new()));
    /// # Ok::<(), arrow_ipc_format::FormatError>(())
    /// ```
    ///
    /// # Errors
    /// If a column is unsupported. If the schema has more fields or depth than readers accept by default, or is longer
    /// than the format can express.
    pub fn to_message(&self, metadata: &Metadata) -> Result<Buffer> {
        self.check_supported()?;
        check_readable(self.schema(), Limits::default().max_fields())?;
        let format = MessageFormat { version: self.version(), ..MessageFormat::default() };
        let mut message = BufferMut::new();
        MetadataEncoder::new(format).schema(&mut message, &SchemaPart::try_new(self)?, metadata, 0)?;
        Ok(message.freeze())
    }

    /// Reads a schema message, and returns the schema and the custom metadata of the message. Ignores bytes after the
    /// message, such as the rest of a stream.
    ///
    /// # Errors
    /// If the bytes do not begin with a complete schema message, or exceed the limits. If a column has an unsupported
    /// type.
    pub fn try_from_message(bytes: impl Into<Buffer>, limits: &Limits) -> Result<(IpcSchema, Metadata)> {
        let bytes = bytes.into();
        let fetch = |range: Range<u64>| Ok(Some(bytes.try_slice(range.start, range.end - range.start)?));
        let message = match NextMessage::read::<FormatError>(0, 0..bytes.len() as u64, limits, fetch)? {
            Some(NextMessage::Message(message)) => message,
            Some(NextMessage::EndMarker { .. } | NextMessage::EndOfBytes) | None => {
                return Err(FormatErrorKind::Missing { what: "the schema message" }.into());
            }
        };
        let envelope = message.envelope();
        let schema = envelope.schema(limits)?;
        schema.check_supported()?;
        Ok((schema, envelope.custom_metadata(limits)?))
    }
}
