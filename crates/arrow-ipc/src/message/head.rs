//! The metadata of a message. The envelope is read when the metadata arrives, and the header when it is needed.

use arrow_buffer::Buffer;
use arrow_ipc_format::flatbuf as fb;
use arrow_schema::Metadata;
use planus::ReadAsRoot;

use crate::{
    error::{IpcErrorKind, Result, Unsupported, WireResult},
    flatbuffer::{not_negative, required},
    limits::Limits,
    protocol::{MessageKind, MetadataVersion},
    schema::{IpcSchema, SchemaTable, decode_metadata, decode_schema},
};

/// The metadata of a message, with the content of its envelope: kind, version and length of the body.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    kind: MessageKind,
    version: MetadataVersion,
    n_body_bytes: u64,
    metadata: Buffer,
}

impl Head {
    /// Reads the envelope.
    ///
    /// # Errors
    /// If the metadata is not a message, if its version or kind is unsupported, or if the body exceeds the limit.
    pub(crate) fn parse(metadata: Buffer, limits: &Limits) -> Result<Head> {
        let (kind, version, n_body_bytes) = parse_envelope(&metadata)?;
        Limits::check("bytes of body", n_body_bytes, limits.max_body_bytes)?;
        Ok(Head { kind, version, n_body_bytes, metadata })
    }

    /// A copy that shares no memory with the input.
    pub(crate) fn copied(&self) -> Head {
        Head { metadata: Buffer::copy_from(&self.metadata), ..*self }
    }

    pub(crate) fn kind(&self) -> MessageKind {
        self.kind
    }

    pub(crate) fn version(&self) -> MetadataVersion {
        self.version
    }

    pub(crate) fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// The length of metadata and body.
    pub(crate) fn n_message_bytes(&self) -> u64 {
        self.n_body_bytes.saturating_add(self.metadata.len() as u64)
    }

    /// The flatbuffer with its padding.
    pub(crate) fn metadata(&self) -> &Buffer {
        &self.metadata
    }

    /// The custom metadata of the message.
    pub(crate) fn custom_metadata(&self, limits: &Limits) -> Result<Metadata> {
        let read = || -> WireResult<Metadata> {
            self.decode_custom_metadata(fb::MessageRef::read_as_root(&self.metadata)?, limits)
        };
        Ok(read()?)
    }

    /// The schema of a schema message. Some of its columns may be unsupported.
    ///
    /// # Errors
    /// If it is another kind of message, or malformed.
    pub(crate) fn schema(&self, limits: &Limits) -> Result<IpcSchema> {
        let found = self.kind();
        if found != MessageKind::Schema {
            return Err(IpcErrorKind::UnexpectedMessage { expected: "the schema", found }.into());
        }
        let decode = || -> WireResult<IpcSchema> {
            let table = required(SchemaTable::of_message(&self.metadata)?, "the message header")?;
            let schema = decode_schema(table, limits, limits.schema_budget(self.metadata.len()))?;
            Ok(schema.with_version(self.version))
        };
        Ok(decode()?)
    }

    /// The root table of the metadata, and the header in it.
    pub(super) fn open(&self) -> WireResult<(fb::MessageRef<'_>, fb::MessageHeaderRef<'_>)> {
        let message = fb::MessageRef::read_as_root(&self.metadata)?;
        let header = required(message.header()?, "the message header")?;
        Ok((message, header))
    }

    pub(super) fn decode_custom_metadata(
        &self,
        message: fb::MessageRef<'_>,
        limits: &Limits,
    ) -> WireResult<Metadata> {
        match message.custom_metadata()? {
            None => Ok(Metadata::new()),
            pairs => decode_metadata(pairs, &mut limits.schema_budget(self.metadata.len())),
        }
    }
}

fn parse_envelope(metadata: &[u8]) -> WireResult<(MessageKind, MetadataVersion, u64)> {
    let message = fb::MessageRef::read_as_root(metadata)?;
    let version = parse_version(message.version()?)?;
    let kind = match required(message.header()?, "the message header")? {
        fb::MessageHeaderRef::Schema(_) => MessageKind::Schema,
        fb::MessageHeaderRef::DictionaryBatch(_) => MessageKind::DictionaryBatch,
        fb::MessageHeaderRef::RecordBatch(_) => MessageKind::RecordBatch,
        fb::MessageHeaderRef::Tensor(_) => MessageKind::Tensor,
        fb::MessageHeaderRef::SparseTensor(_) => MessageKind::SparseTensor,
    };
    Ok((kind, version, not_negative(message.body_length()?, "the body length")?))
}

/// Reads the version, if this library supports it.
fn parse_version(version: fb::MetadataVersion) -> Result<MetadataVersion> {
    let found = match version {
        fb::MetadataVersion::V4 => return Ok(MetadataVersion::V4),
        fb::MetadataVersion::V5 => return Ok(MetadataVersion::V5),
        fb::MetadataVersion::V1 => 0,
        fb::MetadataVersion::V2 => 1,
        fb::MetadataVersion::V3 => 2,
    };
    Err(IpcErrorKind::Unsupported { what: Unsupported::MetadataVersion { found } }.into())
}
