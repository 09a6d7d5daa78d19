//! The metadata of a message. `Envelope::parse` reads the envelope; the header is read later, when a caller needs it.

use crate::flatbuf as fb;
use arrow_buffer::Buffer;
use arrow_schema::Metadata;
use planus::{SliceWithStartOffset, TableRead, TableReadUnion, errors::ErrorKind, table_reader::Table};

use crate::{
    error::{FormatErrorKind, Result, Unsupported, WireResult},
    flatbuffer::{ListPlace, TableResult, ValuePlace, WireTable, not_negative, required, root_table},
    limits::Limits,
    protocol::{MessageKind, MetadataVersion},
    schema::{IpcSchema, SchemaTable, decode_metadata, decode_schema},
};

/// The metadata of a message, with the fields of its envelope: kind, version and length of the body.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// The kind of the message.
    pub kind: MessageKind,
    /// The metadata version.
    pub version: MetadataVersion,
    /// The length of the body in bytes.
    pub n_body_bytes: u64,
    /// The flatbuffer with its padding, without the prefix.
    pub metadata: Buffer,
    place: ValuePlace,
    custom_metadata: Option<ValuePlace>,
}

impl Envelope {
    /// Reads the envelope.
    ///
    /// # Errors
    /// If the metadata is not a message, if its version or kind is unsupported, or if the body exceeds the limit.
    pub fn parse(metadata: Buffer, limits: &Limits) -> Result<Envelope> {
        let read = || -> WireResult<_> {
            let message = root_table(&metadata, "[MessageRef]")?;
            let version = message.access(0, "Message", "version")?.unwrap_or(fb::MetadataVersion::V1);
            let version = parse_version(version)?;
            let header = message.access_union(1, "Message", "header")?;
            let header: HeaderPlace = required(header, "the message header")?;
            let n_body_bytes = message.access(3, "Message", "body_length")?.unwrap_or(0);
            let n_body_bytes = not_negative(n_body_bytes, "the body length")?;
            Ok((version, header, n_body_bytes, message.access(4, "Message", "custom_metadata")?))
        };
        let (version, HeaderPlace(kind, place), n_body_bytes, custom_metadata) = read()?;
        Limits::check("bytes of body", n_body_bytes, limits.max_body_bytes)?;
        Ok(Envelope { kind, version, n_body_bytes, place, custom_metadata, metadata })
    }

    /// A copy that shares no memory with the buffer that was read.
    pub fn copied(&self) -> Envelope {
        Envelope { metadata: Buffer::copy_from(&self.metadata), ..*self }
    }

    /// The length of metadata and body.
    pub fn n_message_bytes(&self) -> u64 {
        // No overflow: both lengths have at most 63 bits.
        self.n_body_bytes + self.metadata.len() as u64
    }

    /// The custom metadata of the message.
    ///
    /// # Errors
    /// If it is malformed or over a limit.
    pub fn custom_metadata(&self, limits: &Limits) -> Result<Metadata> {
        let Some(place) = self.custom_metadata else { return Ok(Metadata::new()) };
        let read = || -> WireResult<Metadata> {
            let pairs = place.read(&self.metadata, "Message", "custom_metadata")?;
            decode_metadata(Some(pairs), &mut limits.schema_budget(self.metadata.len()))
        };
        Ok(read()?)
    }

    /// The end of the last key or value of the custom metadata; 0 without custom metadata.
    pub(super) fn custom_metadata_end(&self) -> planus::Result<usize> {
        let Some(place) = self.custom_metadata else { return Ok(0) };
        let pairs: ListPlace<4> = place.read(&self.metadata, "Message", "custom_metadata")?;
        let mut end = pairs.range().end;
        for pair in pairs.tables() {
            let WireTable(pair) = pair.read(&self.metadata, "[KeyValueRef]", "get")?;
            let key: ListPlace<1> = pair.access(0, "KeyValue", "key")?.unwrap_or_default();
            let value: ListPlace<1> = pair.access(1, "KeyValue", "value")?.unwrap_or_default();
            end = end.max(key.range().end).max(value.range().end);
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
        let decode = || -> WireResult<IpcSchema> {
            let table: SchemaTable<'_> = self.header()?;
            let schema = decode_schema(table, limits, limits.schema_budget(self.metadata.len()))?;
            Ok(schema.with_version(self.version))
        };
        Ok(decode()?)
    }

    pub(super) fn header<'a, T: TableRead<'a>>(&'a self) -> planus::Result<T> {
        self.place.read(&self.metadata, "Message", "header")
    }
}

/// The kind of a header and where its table is.
struct HeaderPlace(MessageKind, ValuePlace);

impl TableReadUnion<'_> for HeaderPlace {
    fn from_buffer(bytes: SliceWithStartOffset<'_>, tag: u8, offset: usize) -> TableResult<HeaderPlace> {
        let kind = MessageKind::of_tag(tag).ok_or(ErrorKind::UnknownUnionTag { tag })?;
        // Refuses a header that is not a table.
        Table::from_buffer(bytes, offset)?;
        Ok(HeaderPlace(kind, ValuePlace::from_buffer(bytes, offset)?))
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
    Err(FormatErrorKind::Unsupported { what: Unsupported::MetadataVersion { found } }.into())
}
