//! The messages of streams and files.
//!
//! This module parses flatbuffers into checked types, so the rest of the crate sees no negative length, and no buffer
//! outside its body.

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use crate::{
    error::{FormatErrorKind, Result},
    flatbuffer::TypedTable,
    limits::Limits,
    protocol::{MessageKind, MetadataVersion},
};

mod batch_view;
mod encode;
mod envelope;
mod header;
mod next;

pub use self::{
    batch_view::FieldNode,
    header::{BatchHeader, Header},
    next::{NextMessage, cut_prefix},
};
pub use self::{
    batch_view::{BatchView, DictionaryHeader},
    encode::{BatchHeaderBuilder, BatchMetadata, MessageFormat, MetadataEncoder, wire_version},
    envelope::Envelope,
};

/// One encapsulated message of a stream or file: its metadata as bytes, and its body.
#[derive(Debug, Clone)]
pub struct Message {
    /// The index and the position of the first byte; `None` if no stream or file has the message.
    location: Option<(u64, u64)>,
    n_prefix_bytes: u64,
    envelope: Envelope,
    body: Buffer,
}

impl Message {
    /// A message that arrived without a prefix, as other protocols carry it: its flatbuffer, and its body. It has no
    /// [location](Message::location).
    ///
    /// # Errors
    /// If the metadata is not a message, or if its version or kind is unsupported. If the metadata or the body exceeds its
    /// limit. If the body has another length than the metadata states.
    pub fn try_new(metadata: Buffer, body: Buffer, limits: &Limits) -> Result<Message> {
        let n_metadata_bytes = metadata.len() as u64;
        limits.check_metadata(n_metadata_bytes, n_metadata_bytes)?;
        let envelope = Envelope::parse(metadata, limits)?;
        let message = Message { location: None, n_prefix_bytes: 0, envelope, body };
        message.check_body()?;
        Ok(message)
    }

    /// A message that was found in a stream or file: its index, the position of its first byte, the length of its prefix
    /// (0 if it has none), its metadata, and its body (empty if it was skipped).
    pub fn from_parts(
        index: u64,
        position: u64,
        n_prefix_bytes: u64,
        envelope: Envelope,
        body: Buffer,
    ) -> Message {
        Message { location: Some((index, position)), n_prefix_bytes, envelope, body }
    }

    /// Parses the metadata of a message that was found in a stream or file. The arguments are those of
    /// [`from_parts`](Message::from_parts); the body is empty.
    ///
    /// # Errors
    /// If the metadata is not a message, if its version or kind is unsupported, or if the body exceeds the limit.
    pub fn without_body(
        index: u64,
        position: u64,
        n_prefix_bytes: u64,
        metadata: Buffer,
        limits: &Limits,
    ) -> Result<Message> {
        let envelope = Envelope::parse(metadata, limits)?;
        Ok(Message::from_parts(index, position, n_prefix_bytes, envelope, Buffer::new()))
    }

    /// The metadata and the body.
    pub fn into_parts(self) -> (Envelope, Buffer) {
        (self.envelope, self.body)
    }

    /// The same message with another body.
    #[must_use]
    pub fn with_body(self, body: Buffer) -> Message {
        Message { body, ..self }
    }

    /// Compares the length of the body with the length that the metadata states.
    ///
    /// # Errors
    /// If they differ, for example because a reader skipped the body.
    pub fn check_body(&self) -> Result<()> {
        let stated = self.envelope.n_body_bytes();
        let found = self.body.len() as u64;
        if found < stated {
            let what = "body";
            return Err(FormatErrorKind::Truncated { what, needed: stated, available: found }.into());
        }
        if found > stated {
            return Err(FormatErrorKind::BodyLength { stated, found }.into());
        }
        Ok(())
    }

    /// The index of the message in the stream or file, and the position of its first byte. `None` if the message arrived
    /// in another way.
    pub fn location(&self) -> Option<(u64, u64)> {
        self.location
    }

    /// The index of the message in the stream or file. The schema has index 0. Without a location, 0.
    pub fn index(&self) -> u64 {
        self.location.map_or(0, |(index, _)| index)
    }

    /// The position of the message's first byte in the stream or file. Without a location, 0.
    pub fn position(&self) -> u64 {
        self.location.map_or(0, |(_, position)| position)
    }

    /// The length of the prefix; 0 if the message has none.
    pub fn n_prefix_bytes(&self) -> u64 {
        self.n_prefix_bytes
    }

    /// The metadata, except the header.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// The kind of the message, as its header states it.
    pub fn kind(&self) -> MessageKind {
        self.envelope.kind()
    }

    /// The metadata version that the message states.
    pub fn version(&self) -> MetadataVersion {
        self.envelope.version()
    }

    /// The number of bytes before the body: prefix, metadata, and padding of the metadata. The
    /// block in the footer of a file states the same number. The prefix has 8 bytes, or 4 before Arrow
    /// 0.15. The length of [`metadata_bytes`](Message::metadata_bytes) does not include the prefix.
    pub fn n_metadata_bytes(&self) -> u64 {
        self.n_prefix_bytes + self.envelope.metadata().len() as u64
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
        self.envelope.metadata()
    }

    /// The length of the body, in bytes.
    pub fn n_body_bytes(&self) -> u64 {
        self.envelope.n_body_bytes()
    }

    /// The position of the body's first byte in the stream or file.
    pub fn body_position(&self) -> u64 {
        self.position().saturating_add(self.n_metadata_bytes())
    }

    /// The body. It is empty if the reader skipped it.
    pub fn body(&self) -> &Buffer {
        &self.body
    }

    /// The custom metadata of the message; empty if it has none.
    ///
    /// # Errors
    /// If the metadata is invalid.
    pub fn custom_metadata(&self) -> Result<Metadata> {
        self.envelope.custom_metadata(&Limits::default())
    }

    /// The table of the header, for a message of this kind.
    ///
    /// # Errors
    /// If the message has another kind, or the table is malformed.
    pub fn header_table<'a, T: TypedTable<'a>>(&'a self, expected: MessageKind) -> Result<T> {
        if self.kind() != expected {
            let (expected, found) = (expected.as_expected(), self.kind());
            return Err(FormatErrorKind::UnexpectedMessage { expected, found }.into());
        }
        Ok(self.envelope.header()?)
    }

    /// Parses the metadata and checks all its numbers, except those of tensors: `arrow-ipc-tensor` reads and checks them.
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
        Header::read(&self.envelope, limits)
    }
}

/// The lengths of the lists in the header of a batch.
#[derive(Debug)]
pub struct VectorLengths {
    /// The metadata version of the message.
    pub version: MetadataVersion,
    /// The number of nodes.
    pub n_nodes: usize,
    /// The number of buffers.
    pub n_buffers: usize,
    /// The number of variadic counts.
    pub n_variadic_counts: usize,
    /// The sum of the variadic counts, or the error of the first invalid count.
    pub n_variadic_buffers: Result<usize>,
}
