//! Flatbuffers to checked types. Every number of a message's metadata ends here: behind this room lengths are not
//! negative, and buffers lie inside their body.

use std::fmt;

use arrow_buffer::Buffer;
use arrow_ipc_format::flatbuf as fb;
use arrow_schema::Metadata;
use planus::ReadAsRoot;

use crate::{
    error::{IpcErrorKind, Result, Unsupported},
    ipc_schema::{IpcSchema, MetadataVersion},
    limits::Limits,
    schema::{decode_metadata, decode_schema},
    tensor::{AnyTensor, SparseTensorHeader, TensorHeader},
};

mod batch_header;
mod encode;
mod experimental;
mod header_lists;

pub use self::batch_header::{BatchHeader, BodyRange, Codec, Node};
use self::experimental::experimental_codec;
pub(crate) use self::header_lists::HeaderLists;

pub(crate) use self::encode::{
    BatchKind, BatchLists, MessageEncoder, MessageFormat, n_batch_bytes, wire_version,
};

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// The schema, first in every stream.
    Schema,
    /// A dictionary, or an addition to one.
    DictionaryBatch,
    /// Rows.
    RecordBatch,
    /// A dense tensor.
    Tensor,
    /// A sparse tensor.
    SparseTensor,
}

/// One message as it is encapsulated in a stream or file: its metadata as bytes, and its body.
#[derive(Debug, Clone)]
pub struct Message {
    /// Counted from 0.
    pub(crate) index: u64,
    /// Where its first byte is.
    pub(crate) position: u64,
    pub(crate) n_prefix_bytes: u64,
    pub(crate) kind: MessageKind,
    pub(crate) version: MetadataVersion,
    pub(crate) metadata: Buffer,
    pub(crate) n_body_bytes: u64,
    pub(crate) body: Buffer,
}

/// What a message's metadata says, checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Header {
    /// Names and types.
    Schema(IpcSchema),
    /// The values of a dictionary.
    DictionaryBatch {
        /// The id that fields refer to.
        id: i64,
        /// Whether the values follow those that the dictionary has already.
        is_delta: bool,
        /// Their lists.
        batch: BatchHeader,
    },
    /// The lists of a record batch.
    RecordBatch(BatchHeader),
    /// Type, shape and strides of a dense tensor.
    Tensor(TensorHeader),
    /// Type, shape and index of a sparse tensor.
    SparseTensor(SparseTensorHeader),
}

/// What has to be known of a message before its body has arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) kind: MessageKind,
    pub(crate) version: MetadataVersion,
    pub(crate) n_body_bytes: u64,
}

impl Head {
    pub(crate) fn parse(metadata: &[u8], limits: &Limits) -> Result<Head> {
        let message = fb::MessageRef::read_as_root(metadata)?;
        let version = parse_version(message.version()?)?;
        let kind = match required(message.header()?, "the message header")? {
            fb::MessageHeaderRef::Schema(_) => MessageKind::Schema,
            fb::MessageHeaderRef::DictionaryBatch(_) => MessageKind::DictionaryBatch,
            fb::MessageHeaderRef::RecordBatch(_) => MessageKind::RecordBatch,
            fb::MessageHeaderRef::Tensor(_) => MessageKind::Tensor,
            fb::MessageHeaderRef::SparseTensor(_) => MessageKind::SparseTensor,
        };
        let n_body_bytes = not_negative(message.body_length()?, "the body length")?;
        Limits::check("bytes of body", n_body_bytes, limits.max_body_bytes)?;
        Ok(Head { kind, version, n_body_bytes })
    }
}

impl Message {
    /// Its number in the stream or file, the schema being 0.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The position of its first byte in the stream or file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// What it is.
    pub fn kind(&self) -> MessageKind {
        self.kind
    }

    /// The version of its metadata.
    pub fn version(&self) -> MetadataVersion {
        self.version
    }

    /// Bytes before the body: prefix, metadata and its padding, as a [`Block`](crate::Block) of a footer counts them.
    /// The prefix, of 8 bytes or before Arrow 0.15 of 4, is not part of
    /// [`metadata_bytes`](Message::metadata_bytes), which is that much shorter.
    pub fn n_metadata_bytes(&self) -> u64 {
        self.n_prefix_bytes.saturating_add(self.metadata.len() as u64)
    }

    /// Whether it begins with its length, as before Arrow 0.15, instead of the continuation marker.
    pub fn has_legacy_framing(&self) -> bool {
        self.n_prefix_bytes < 8
    }

    /// The flatbuffer of the metadata, padding included, without the prefix that
    /// [`n_metadata_bytes`](Message::n_metadata_bytes) counts too.
    pub fn metadata_bytes(&self) -> &Buffer {
        &self.metadata
    }

    /// Bytes of the body.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// The position of the body's first byte in the stream or file.
    pub fn body_position(&self) -> u64 {
        self.position.saturating_add(self.n_metadata_bytes())
    }

    /// The body; empty where a [`MessageScan`](crate::MessageScan) has left it out.
    pub fn body(&self) -> &Buffer {
        &self.body
    }

    /// The message's own custom metadata.
    ///
    /// # Errors
    /// If the metadata is malformed.
    pub fn custom_metadata(&self) -> Result<Metadata> {
        let message = fb::MessageRef::read_as_root(&self.metadata)?;
        let mut budget = Limits::default().schema_budget(self.metadata.len());
        decode_metadata(message.custom_metadata()?, &mut budget)
    }

    /// Parses and checks the metadata.
    ///
    /// # Errors
    /// If it is malformed, not supported, or over a limit.
    pub fn header(&self, limits: &Limits) -> Result<Header> {
        let message = fb::MessageRef::read_as_root(&self.metadata)?;
        match required(message.header()?, "the message header")? {
            fb::MessageHeaderRef::Schema(schema) => {
                let budget = limits.schema_budget(self.metadata.len());
                let schema = decode_schema(schema, limits, budget)?;
                Ok(Header::Schema(schema.with_version(self.version)))
            }
            fb::MessageHeaderRef::DictionaryBatch(dictionary) => {
                let (id, is_delta) = (dictionary.id()?, dictionary.is_delta()?);
                let data = required(dictionary.data()?, "the data of the dictionary")?;
                let lists = self.lists(data, limits)?;
                Ok(Header::DictionaryBatch { id, is_delta, batch: BatchHeader::try_new(&lists)? })
            }
            fb::MessageHeaderRef::RecordBatch(data) => {
                let lists = self.lists(data, limits)?;
                Ok(Header::RecordBatch(BatchHeader::try_new(&lists)?))
            }
            fb::MessageHeaderRef::Tensor(tensor) => {
                let budget = limits.schema_budget(self.metadata.len());
                Ok(Header::Tensor(TensorHeader::parse(tensor, self.n_body_bytes, limits, budget)?))
            }
            fb::MessageHeaderRef::SparseTensor(tensor) => {
                let budget = limits.schema_budget(self.metadata.len());
                Ok(Header::SparseTensor(SparseTensorHeader::parse(
                    tensor,
                    self.n_body_bytes,
                    limits,
                    budget,
                )?))
            }
        }
    }

    /// The tensor that it is, which shares the bytes of the body. The numbers in the index of a sparse tensor are not
    /// looked at: see [`SparseTensor::validate`](crate::SparseTensor::validate).
    ///
    /// # Errors
    /// If it is no tensor, is malformed, not supported or over a limit, or if its body has been left out.
    pub fn tensor(&self, limits: &Limits) -> Result<AnyTensor> {
        match self.header(limits)? {
            Header::Tensor(header) => Ok(AnyTensor::Dense(header.read(&self.body)?)),
            Header::SparseTensor(header) => Ok(AnyTensor::Sparse(header.read(&self.body)?)),
            Header::Schema(_) | Header::DictionaryBatch { .. } | Header::RecordBatch(_) => {
                Err(IpcErrorKind::UnexpectedMessage { expected: "a tensor", found: self.kind }.into())
            }
        }
    }

    fn lists<'a>(&self, data: fb::RecordBatchRef<'a>, limits: &'a Limits) -> Result<HeaderLists<'a>> {
        let lists = HeaderLists::try_new(data, self.n_body_bytes, limits)?;
        match self.version {
            MetadataVersion::V5 => Ok(lists),
            MetadataVersion::V4 => {
                Ok(lists.or_compression(experimental_codec(self.version, &self.custom_metadata()?)?))
            }
        }
    }
}

/// The metadata of a batch message; its lists stay where they are.
#[derive(Debug)]
pub(crate) struct BatchMessage<'a> {
    pub(crate) lists: HeaderLists<'a>,
    pub(crate) custom_metadata: Metadata,
    /// What a dictionary batch says beyond that.
    pub(crate) dictionary: Option<DictionaryMessage>,
}

/// The id and kind of a dictionary batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DictionaryMessage {
    pub(crate) id: i64,
    pub(crate) is_delta: bool,
}

impl<'a> BatchMessage<'a> {
    /// Parses a record batch or a dictionary batch.
    pub(crate) fn parse(
        metadata: &'a [u8],
        n_body_bytes: u64,
        limits: &'a Limits,
    ) -> Result<BatchMessage<'a>> {
        let message = fb::MessageRef::read_as_root(metadata)?;
        let (data, dictionary) = match required(message.header()?, "the message header")? {
            fb::MessageHeaderRef::RecordBatch(batch) => (batch, None),
            fb::MessageHeaderRef::DictionaryBatch(batch) => {
                let dictionary = DictionaryMessage { id: batch.id()?, is_delta: batch.is_delta()? };
                (required(batch.data()?, "the data of the dictionary")?, Some(dictionary))
            }
            fb::MessageHeaderRef::Schema(_) => return Err(unexpected(MessageKind::Schema)),
            fb::MessageHeaderRef::Tensor(_) => return Err(unexpected(MessageKind::Tensor)),
            fb::MessageHeaderRef::SparseTensor(_) => return Err(unexpected(MessageKind::SparseTensor)),
        };
        let custom_metadata = match message.custom_metadata()? {
            None => Metadata::new(),
            pairs => decode_metadata(pairs, &mut limits.schema_budget(metadata.len()))?,
        };
        let codec = experimental_codec(parse_version(message.version()?)?, &custom_metadata)?;
        let lists = HeaderLists::try_new(data, n_body_bytes, limits)?.or_compression(codec);
        Ok(BatchMessage { lists, custom_metadata, dictionary })
    }
}

fn unexpected(found: MessageKind) -> crate::IpcError {
    IpcErrorKind::UnexpectedMessage { expected: "a record batch", found }.into()
}

/// The versions that this library reads.
pub(crate) fn parse_version(version: fb::MetadataVersion) -> Result<MetadataVersion> {
    let found = match version {
        fb::MetadataVersion::V4 => return Ok(MetadataVersion::V4),
        fb::MetadataVersion::V5 => return Ok(MetadataVersion::V5),
        fb::MetadataVersion::V1 => 0,
        fb::MetadataVersion::V2 => 1,
        fb::MetadataVersion::V3 => 2,
    };
    Err(IpcErrorKind::Unsupported { what: Unsupported::MetadataVersion { found } }.into())
}

pub(crate) fn required<T>(value: Option<T>, what: &'static str) -> Result<T> {
    value.ok_or_else(|| IpcErrorKind::Missing { what }.into())
}

pub(crate) fn not_negative(found: i64, what: &'static str) -> Result<u64> {
    u64::try_from(found).map_err(|_| IpcErrorKind::Negative { what, found }.into())
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MessageKind::Schema => "schema",
            MessageKind::DictionaryBatch => "dictionary batch",
            MessageKind::RecordBatch => "record batch",
            MessageKind::Tensor => "tensor",
            MessageKind::SparseTensor => "sparse tensor",
        })
    }
}
