//! What an inspection passes on: messages, ends of streams, and footers.

use std::{collections::HashSet, ops::ControlFlow};

use arrow_ipc::{
    BufferDescription, BufferMap, Container, IpcError, IpcSchema,
    file::Footer,
    message::{Header, Message},
};
use arrow_schema::{FieldPath, Metadata};

use super::lengths::{BodySource, CompressedBody, Length};
use crate::walk::Walk;

/// A message, with the parts of it that could be read.
#[derive(Debug)]
pub struct MessageView<'a> {
    /// The message. If the input is read by position, the message has no body.
    pub message: &'a Message,
    /// The number of the message in its stream, from 0; `None` if only the footer refers to it.
    pub index: Option<u64>,
    /// The header of the message, or the error of reading it.
    pub header: Result<Header, IpcError>,
    /// Whether the message replaces an earlier dictionary.
    pub is_replacement: bool,
    /// The compression of the body; `None` if it is not compressed.
    pub compression: Option<CompressedBody>,
    /// The custom metadata of the message, or the error of reading it.
    pub metadata: Result<Metadata, IpcError>,
    /// The map that names the fields and roles of the buffers, or the error of creating this map. `None` if buffers are
    /// not shown, or the message has no buffers. [`buffers`](MessageView::buffers) lists the buffers.
    pub buffer_map: Option<Result<&'a BufferMap, IpcError>>,
    /// The fields whose buffers are shown; `None` for all fields.
    pub wanted: Option<&'a WantedFields>,
    /// Whether and where the footer lists the message.
    pub listing: Listing,
    /// The number of bytes that are missing at the end of the body, because the input ends or its footer begins before the
    /// end of the body. Truncated messages of a pipe are not shown.
    pub n_missing_bytes: u64,
    /// The reason why a message with readable metadata cannot be decoded: it is inconsistent, or contradicts the
    /// schema, an earlier message, or the footer. Only metadata is checked.
    pub contradiction: Option<IpcError>,
    pub(super) bodies: &'a BodySource,
}

/// A set of selected fields, with all fields inside them.
#[derive(Debug, Clone, Default)]
pub struct WantedFields(HashSet<Vec<u32>>);

impl WantedFields {
    pub(super) fn new(paths: &[FieldPath]) -> WantedFields {
        WantedFields(paths.iter().map(|path| path.positions().collect()).collect())
    }

    /// Whether the field at a path is one of the selected fields, or is inside one of them.
    pub fn contains(&self, path: &FieldPath) -> bool {
        let positions: Vec<u32> = path.positions().collect();
        (1..=positions.len())
            .any(|n_steps| positions.get(..n_steps).is_some_and(|path| self.0.contains(path)))
    }
}

/// Whether and where the footer lists a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// There is no footer, or footers do not list messages of this kind.
    NoFooter,
    /// The footer lists the message, with this index in the list for its kind.
    Block(usize),
    /// The footer does not list the message, so readers of the file skip it.
    Missing,
}

/// The end of a stream that was inspected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The position after the last message, or after the end marker.
    pub position: u64,
    /// Whether the stream ends with an end marker or the footer of its file.
    pub is_marked: bool,
}

/// A footer, and its length.
#[derive(Debug, Clone, Copy)]
pub struct FooterView<'a> {
    /// The footer.
    pub footer: &'a Footer,
    /// The length of the file.
    pub n_file_bytes: u64,
}

/// A result of an inspection.
#[derive(Debug, Clone, Copy)]
pub enum InspectItem<'a> {
    /// The container, and the length of the input if it is known.
    Container(Container, Option<u64>),
    /// The schema of the footer, if no readable schema message was found before a schema is needed. This item precedes
    /// the first message with buffers, or the footer.
    FooterSchema(&'a IpcSchema),
    /// A message.
    Message(&'a MessageView<'a>),
    /// The end of the stream inside a file, or of each stream.
    End(End),
    /// The footer of a file.
    Footer(FooterView<'a>),
}

/// Receives the results of an inspection, in order.
pub trait InspectReport {
    /// Receives the next result. [`Break`](ControlFlow::Break) stops the inspection.
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()>;
}

impl End {
    /// The end of the stream, after `walk` has returned its last message.
    pub(super) fn of(walk: &Walk) -> End {
        End { position: walk.position(), is_marked: walk.has_end_marker() }
    }
}

impl FooterView<'_> {
    /// The length of the footer, without the length field and the magic after it.
    pub fn n_bytes(&self) -> u64 {
        const TAIL_BYTES: u64 = 10;
        self.n_file_bytes.saturating_sub(self.footer.position()).saturating_sub(TAIL_BYTES)
    }
}

impl MessageView<'_> {
    /// The number of rows of a record batch, or of values in a dictionary batch; `None` for other messages.
    pub fn n_rows(&self) -> Option<u64> {
        let Ok(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. }) = &self.header else {
            return None;
        };
        Some(batch.n_rows())
    }

    /// The unusual framing of the message; `None` for the usual framing with a continuation marker.
    pub fn framing_note(&self) -> Option<&'static str> {
        let legacy = self.message.has_legacy_framing().then_some("legacy framing");
        legacy.or_else(|| (!self.message.has_prefix()).then_some("without prefix"))
    }

    /// Whether the whole message is present, and its metadata could be read without an error. The values are not
    /// checked.
    pub fn is_complete(&self) -> bool {
        self.n_missing_bytes == 0 && self.is_readable()
    }

    /// Whether all parts of the message could be read without an error.
    pub(super) fn is_readable(&self) -> bool {
        let has_lengths = self.compression.as_ref().is_none_or(|body| body.error.is_none());
        has_lengths
            && self.contradiction.is_none()
            && self.header.is_ok()
            && self.metadata.is_ok()
            && !matches!(self.buffer_map, Some(Err(_)))
    }

    /// The number of bytes of the body that are present.
    pub fn n_body_bytes(&self) -> u64 {
        self.message.n_body_bytes().saturating_sub(self.n_missing_bytes)
    }

    /// The decompressed length of the body. If it is unknown or the body is not compressed, the stored length.
    pub(crate) fn n_decompressed_bytes(&self) -> u64 {
        let body = self.compression.as_ref().filter(|_| self.n_missing_bytes == 0);
        let n_bytes = body.and_then(CompressedBody::n_decompressed_bytes);
        n_bytes.unwrap_or_else(|| self.n_body_bytes())
    }

    /// The buffers to show, with their lengths from the prefixes if the body is compressed. Each description is created
    /// when the iterator returns it: all descriptions together may be large, because many buffers may have the same
    /// long path.
    pub fn buffers(&self) -> impl Iterator<Item = (BufferDescription, Option<Length>)> {
        let version = self.message.version();
        let described = match (&self.buffer_map, &self.header) {
            (Some(Ok(map)), Ok(Header::RecordBatch(batch))) => map.record_batch(batch, version).ok(),
            (Some(Ok(map)), Ok(Header::DictionaryBatch { id, batch, .. })) => {
                map.dictionary_batch(*id, batch, version).ok()
            }
            _ => None,
        };
        let length = |idx: usize| self.compression.as_ref().and_then(|compression| compression.length(idx));
        let is_wanted =
            |buffer: &BufferDescription| self.wanted.is_none_or(|wanted| wanted.contains(&buffer.path));
        let described = described.into_iter().flatten().enumerate();
        described.filter(move |(_, buffer)| is_wanted(buffer)).map(move |(idx, buffer)| (buffer, length(idx)))
    }
}
