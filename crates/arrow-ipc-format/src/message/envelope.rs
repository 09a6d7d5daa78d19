//! The metadata of a message. `Envelope::parse` reads the envelope; the header is read later, when a caller needs it.

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use crate::{
    error::{FormatError, FormatErrorKind, Result, UnsupportedPart, not_negative, required},
    flatbuffer::{self, Table, TypedTable, put},
    limits::Limits,
    message::encode::wire_version,
    protocol::{MessageKind, MetadataVersion},
    schema::{IpcSchema, decode_metadata, decode_schema},
    tables as fb,
};

/// The metadata of a message, with the fields of its envelope: kind, version and length of the body.
#[derive(Debug, Clone)]
pub struct Envelope {
    kind: MessageKind,
    version: MetadataVersion,
    n_body_bytes: u64,
    metadata: Buffer,
    /// The position of the header's table in the metadata.
    header: usize,
    has_custom_metadata: bool,
}

impl Envelope {
    /// Reads the envelope.
    ///
    /// # Errors
    /// If the metadata is not a message, if its version or kind is unsupported, or if the body exceeds the limit.
    pub fn parse(metadata: Buffer, limits: &Limits) -> Result<Envelope> {
        let message = fb::Message::root(&metadata)?;
        let version = parse_version(message.version()?)?;
        let kind = MessageKind::from_tag(required(message.header_tag()?, "the message header")?);
        // Refuses a header that is not a table.
        let header = message.0.table::<Table<'_>>(&fb::Message::HEADER)?;
        let header = message.0.required(&fb::Message::HEADER, header)?.position();
        let n_body_bytes = not_negative(message.body_length()?, "the body length")?;
        let has_custom_metadata = message.0.target(&fb::Message::CUSTOM_METADATA)?.is_some();
        Limits::check("bytes of body", n_body_bytes, limits.max_body_bytes)?;
        Ok(Envelope { kind, version, n_body_bytes, header, has_custom_metadata, metadata })
    }

    /// The kind of the message.
    #[inline]
    pub fn kind(&self) -> MessageKind {
        self.kind
    }

    /// The metadata version.
    #[inline]
    pub fn version(&self) -> MetadataVersion {
        self.version
    }

    /// The length of the body in bytes.
    #[inline]
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// The flatbuffer with its padding, without the prefix.
    #[inline]
    pub fn metadata(&self) -> &Buffer {
        &self.metadata
    }

    /// A copy that shares no memory with the buffer that was read.
    pub fn copied(&self) -> Envelope {
        Envelope { metadata: Buffer::copy_from(&self.metadata), ..*self }
    }

    /// The same metadata with another version, which is one number of the flatbuffer.
    ///
    /// # Errors
    /// An internal error if the metadata states no version, since [`parse`](Envelope::parse) has read it.
    pub fn with_version(&self, version: MetadataVersion) -> Result<Envelope> {
        if version == self.version {
            return Ok(self.clone());
        }
        let message = fb::Message::root(&self.metadata)?;
        let position = message.0.position_of(fb::Message::VERSION.index);
        let position = position.ok_or_else(|| FormatError::internal("a message has no version"))?;
        let mut metadata = self.metadata.to_vec();
        put(&mut metadata, position, (wire_version(version) as i16).to_le_bytes());
        Ok(Envelope { version, metadata: metadata.into(), ..*self })
    }

    /// The length of metadata and body.
    pub fn n_message_bytes(&self) -> u64 {
        // No overflow: both lengths have at most 63 bits.
        self.n_body_bytes + self.metadata.len() as u64
    }

    /// The custom metadata of the message; empty if it has none.
    ///
    /// # Errors
    /// If it is malformed or over a limit.
    pub fn custom_metadata(&self, limits: &Limits) -> Result<Metadata> {
        if !self.has_custom_metadata {
            return Ok(Metadata::new());
        }
        let pairs = fb::Message::root(&self.metadata)?.custom_metadata()?;
        decode_metadata(pairs, &mut limits.schema_budget(self.metadata.len()))
    }

    /// The end of the last key or value of the custom metadata; 0 without custom metadata.
    pub(super) fn custom_metadata_end(&self) -> flatbuffer::Result<usize> {
        let Some(pairs) = fb::Message::root(&self.metadata)?.custom_metadata()? else { return Ok(0) };
        let mut end = pairs.end();
        for pair in pairs.iter() {
            let pair = pair?;
            for slot in [&fb::KeyValue::KEY, &fb::KeyValue::VALUE] {
                let text = pair.0.vector::<u8>(slot)?;
                end = end.max(text.map_or(0, |text| text.span().range().end));
            }
        }
        Ok(end)
    }

    /// The schema of a schema message. Some of its columns may be unsupported.
    ///
    /// # Errors
    /// If the message is of another kind, or malformed.
    pub fn schema(&self, limits: &Limits) -> Result<IpcSchema> {
        let found = self.kind;
        if found != MessageKind::Schema {
            return Err(FormatErrorKind::UnexpectedMessage { expected: "the schema", found }.into());
        }
        let table: fb::Schema<'_> = self.header()?;
        let schema = decode_schema(table, limits, limits.schema_budget(self.metadata.len()))?;
        Ok(schema.with_version(self.version))
    }

    /// The header. The caller knows its type by the kind of the message.
    #[inline]
    pub(super) fn header<'a, T: TypedTable<'a>>(&'a self) -> flatbuffer::Result<T> {
        Ok(T::from_table(Table::at(&self.metadata, self.header, &fb::Message::HEADER)?))
    }
}

fn parse_version(version: fb::MetadataVersion) -> Result<MetadataVersion> {
    let found = match version {
        fb::MetadataVersion::V4 => return Ok(MetadataVersion::V4),
        fb::MetadataVersion::V5 => return Ok(MetadataVersion::V5),
        fb::MetadataVersion::V1 => 0,
        fb::MetadataVersion::V2 => 1,
        fb::MetadataVersion::V3 => 2,
    };
    Err(FormatErrorKind::Unsupported { what: UnsupportedPart::MetadataVersion { found } }.into())
}
