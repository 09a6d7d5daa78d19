//! The metadata of a message: its envelope is read when the metadata arrives, its header in place when it is needed.

use arrow_buffer::Buffer;
use arrow_ipc_format::flatbuf as fb;
use arrow_schema::Metadata;
use planus::ReadAsRoot;

use super::{BatchHeader, Header, HeaderLists, experimental::experimental_codec};
use crate::{
    error::{IpcErrorKind, Result, Unsupported, WireResult},
    limits::Limits,
    protocol::{MessageKind, MetadataVersion},
    schema::{decode_metadata, decode_schema},
    tensor::{SparseTensorHeader, TensorHeader},
    wire::{not_negative, required},
};

/// The metadata of a message, with what its envelope says: kind, version, and length of the body.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    kind: MessageKind,
    version: MetadataVersion,
    n_body_bytes: u64,
    metadata: Buffer,
}

/// The metadata of a batch message; its lists stay where they are.
#[derive(Debug)]
pub(crate) struct BatchMessage<'a> {
    pub(crate) version: MetadataVersion,
    pub(crate) lists: HeaderLists<'a>,
    pub(crate) custom_metadata: Metadata,
    /// Only of a dictionary batch.
    pub(crate) dictionary: Option<DictionaryMessage>,
}

/// The id and kind of a dictionary batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DictionaryMessage {
    pub(crate) id: i64,
    pub(crate) is_delta: bool,
}

impl Head {
    /// Reads the envelope.
    ///
    /// # Errors
    /// If the metadata is no message, of a version or kind that is unsupported, or if the body is over the limit.
    pub(crate) fn parse(metadata: Buffer, limits: &Limits) -> Result<Head> {
        let (kind, version, n_body_bytes) = parse_envelope(&metadata)?;
        Limits::check("bytes of body", n_body_bytes, limits.max_body_bytes)?;
        Ok(Head { kind, version, n_body_bytes, metadata })
    }

    /// The same with a copy of the metadata, which shares no memory with the input.
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

    /// The flatbuffer, padding included.
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

    /// Everything that the header says, checked. All columns of a schema are supported.
    pub(crate) fn header(&self, limits: &Limits) -> Result<Header> {
        let header = self.header_to_read(limits)?;
        if let Header::Schema(schema) = &header {
            schema.check_supported()?;
        }
        Ok(header)
    }

    /// As [`header`](Head::header), but a schema may have unsupported columns beside others.
    pub(crate) fn header_to_read(&self, limits: &Limits) -> Result<Header> {
        Ok(self.decode_header(limits)?)
    }

    /// What a record batch or dictionary batch says; each entry of its lists is checked when it is taken.
    pub(crate) fn batch<'a>(&'a self, limits: &'a Limits) -> Result<BatchMessage<'a>> {
        Ok(self.decode_batch(limits)?)
    }

    fn decode_header(&self, limits: &Limits) -> WireResult<Header> {
        let (message, header) = read(&self.metadata)?;
        let budget = limits.schema_budget(self.metadata.len());
        Ok(match header {
            fb::MessageHeaderRef::Schema(schema) => {
                Header::Schema(decode_schema(schema, limits, budget)?.with_version(self.version))
            }
            fb::MessageHeaderRef::DictionaryBatch(_) | fb::MessageHeaderRef::RecordBatch(_) => {
                let BatchMessage { lists, dictionary, .. } = self.decode_lists(message, header, limits)?;
                let batch = BatchHeader::try_new(&lists)?;
                match dictionary {
                    None => Header::RecordBatch(batch),
                    Some(DictionaryMessage { id, is_delta }) => {
                        Header::DictionaryBatch { id, is_delta, batch }
                    }
                }
            }
            fb::MessageHeaderRef::Tensor(tensor) => {
                Header::Tensor(TensorHeader::parse(tensor, self.n_body_bytes, limits, budget)?)
            }
            fb::MessageHeaderRef::SparseTensor(tensor) => {
                Header::SparseTensor(SparseTensorHeader::parse(tensor, self.n_body_bytes, limits, budget)?)
            }
        })
    }

    fn decode_batch<'a>(&'a self, limits: &'a Limits) -> WireResult<BatchMessage<'a>> {
        let (message, header) = read(&self.metadata)?;
        self.decode_lists(message, header, limits)
    }

    fn decode_lists<'a>(
        &self,
        message: fb::MessageRef<'a>,
        header: fb::MessageHeaderRef<'a>,
        limits: &'a Limits,
    ) -> WireResult<BatchMessage<'a>> {
        let (data, dictionary) = match header {
            fb::MessageHeaderRef::RecordBatch(batch) => (batch, None),
            fb::MessageHeaderRef::DictionaryBatch(batch) => {
                let dictionary = DictionaryMessage { id: batch.id()?, is_delta: batch.is_delta()? };
                (required(batch.data()?, "the data of the dictionary")?, Some(dictionary))
            }
            fb::MessageHeaderRef::Schema(_)
            | fb::MessageHeaderRef::Tensor(_)
            | fb::MessageHeaderRef::SparseTensor(_) => {
                let (expected, found) = ("a record batch", self.kind);
                return Err(IpcErrorKind::UnexpectedMessage { expected, found }.into());
            }
        };
        let custom_metadata = self.decode_custom_metadata(message, limits)?;
        let codec = experimental_codec(self.version, &custom_metadata)?;
        let lists = HeaderLists::try_new(data, self.n_body_bytes, limits)?.or_compression(codec);
        Ok(BatchMessage { version: self.version, lists, custom_metadata, dictionary })
    }

    fn decode_custom_metadata(&self, message: fb::MessageRef<'_>, limits: &Limits) -> WireResult<Metadata> {
        match message.custom_metadata()? {
            None => Ok(Metadata::new()),
            pairs => decode_metadata(pairs, &mut limits.schema_budget(self.metadata.len())),
        }
    }
}

/// The root of some metadata, and the header in it.
fn read(metadata: &[u8]) -> WireResult<(fb::MessageRef<'_>, fb::MessageHeaderRef<'_>)> {
    let message = fb::MessageRef::read_as_root(metadata)?;
    let header = required(message.header()?, "the message header")?;
    Ok((message, header))
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

/// The versions that this library reads.
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
