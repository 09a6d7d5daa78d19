//! The messages of streams and files, for programs that handle messages directly. [`Messages`](crate::Messages) and
//! [`MessageScan`](crate::MessageScan) return them.
//!
//! This module parses flatbuffers into checked types, so the rest of the crate sees no negative length, and no buffer
//! outside its body.

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use crate::{
    error::{IpcErrorKind, Result},
    limits::Limits,
    protocol::{MessageKind, MetadataVersion},
};

mod batch_header;
mod encode;
mod experimental;
mod head;
mod header;
#[cfg(not(feature = "tensor"))]
mod no_tensor;
mod open_batch;

#[cfg(not(feature = "tensor"))]
pub(crate) use self::no_tensor::{AnyTensor, SparseTensorHeader, TensorHeader};
pub use self::{batch_header::BatchHeader, header::Header, open_batch::Node};
pub(crate) use self::{
    encode::{BatchLists, MessageEncoder, MessageFormat, wire_version},
    head::Head,
    open_batch::{DictionaryMessage, OpenBatch},
};
#[cfg(feature = "tensor")]
pub(crate) use crate::tensor::{AnyTensor, SparseTensorHeader, TensorHeader};

/// One encapsulated message of a stream or file: its metadata as bytes, and its body.
#[derive(Debug, Clone)]
pub struct Message {
    pub(crate) index: u64,
    pub(crate) position: u64,
    pub(crate) n_prefix_bytes: u64,
    pub(crate) head: Head,
    pub(crate) body: Buffer,
}

impl Message {
    /// The index of the message in the stream or file. The schema has index 0.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The position of the message's first byte in the stream or file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The kind of the message, as its header states it.
    pub fn kind(&self) -> MessageKind {
        self.head.kind
    }

    /// The metadata version that the message states.
    pub fn version(&self) -> MetadataVersion {
        self.head.version
    }

    /// The number of bytes before the body: prefix, metadata, and padding of the metadata. The
    /// [`Block`](crate::file::Block) of a footer states the same number. The prefix has 8 bytes, or 4 before Arrow
    /// 0.15. The length of [`metadata_bytes`](Message::metadata_bytes) does not include the prefix.
    pub fn n_metadata_bytes(&self) -> u64 {
        self.n_prefix_bytes + self.head.metadata.len() as u64
    }

    /// Whether the message has a prefix. Polars writes the schema message of a file without a prefix.
    pub fn has_prefix(&self) -> bool {
        self.n_prefix_bytes > 0
    }

    /// Whether the message has the legacy framing, which has no continuation marker.
    pub fn has_legacy_framing(&self) -> bool {
        (1..8).contains(&self.n_prefix_bytes)
    }

    /// The flatbuffer of the metadata with its padding, without the prefix.
    pub fn metadata_bytes(&self) -> &Buffer {
        &self.head.metadata
    }

    /// The length of the body, in bytes.
    pub fn n_body_bytes(&self) -> u64 {
        self.head.n_body_bytes
    }

    /// The position of the body's first byte in the stream or file.
    pub fn body_position(&self) -> u64 {
        self.position.saturating_add(self.n_metadata_bytes())
    }

    /// The body. It is empty if a [`MessageScan`](crate::MessageScan) or
    /// [`Messages`](crate::Messages::leaving_out_bodies) skipped it.
    pub fn body(&self) -> &Buffer {
        &self.body
    }

    /// The custom metadata of the message; empty if it has none.
    ///
    /// # Errors
    /// If the metadata is invalid.
    pub fn custom_metadata(&self) -> Result<Metadata> {
        self.head.custom_metadata(&Limits::default())
    }

    /// Parses the metadata and checks all its numbers.
    ///
    /// # Errors
    /// If the metadata is invalid, unsupported, or over a limit.
    pub fn header(&self, limits: &Limits) -> Result<Header> {
        let header = self.header_to_read(limits)?;
        if let Header::Schema(schema) = &header {
            schema.check_supported()?;
        }
        Ok(header)
    }

    /// Like [`header`](Message::header), but accepts a schema with [unsupported
    /// columns](crate::IpcSchema::unsupported_columns).
    ///
    /// # Errors
    /// If the metadata is invalid, unsupported for another reason, or over a limit.
    pub fn header_to_read(&self, limits: &Limits) -> Result<Header> {
        Ok(Header::read(&self.head, limits)?)
    }

    /// The tensor of a tensor message. It shares the bytes of the body.
    /// [`SparseTensor::validate`](crate::tensor::SparseTensor::validate) checks the indices of a sparse tensor; this
    /// method does not.
    ///
    /// # Errors
    /// If the message is not a tensor, is invalid, unsupported or over a limit, or if its body was skipped.
    #[cfg_attr(
        not(feature = "tensor"),
        expect(clippy::useless_conversion, reason = "without the feature, tensors and headers are one type")
    )]
    pub fn tensor(&self, limits: &Limits) -> Result<AnyTensor> {
        match self.header(limits)? {
            Header::Tensor(header) => header.read(&self.body).map(AnyTensor::from),
            Header::SparseTensor(header) => header.read(&self.body).map(AnyTensor::from),
            Header::Schema(_) | Header::DictionaryBatch { .. } | Header::RecordBatch(_) => {
                Err(IpcErrorKind::UnexpectedMessage { expected: "a tensor", found: self.kind() }.into())
            }
        }
    }
}
