//! What an inspection passes to its report: messages, ends of streams, and footers.

use std::{collections::HashSet, ops::ControlFlow};

use arrow_ipc::{
    BufferDescription, BufferDescriptions, BufferMap, Container, IpcError, IpcSchema, MetadataVersion,
    file::Footer,
    message::{BatchHeader, Header, Message},
};
use arrow_ipc_tensor::AnyTensorHeader;
use arrow_schema::{FieldPath, Metadata};

use super::lengths::{CompressedBody, Length};
use crate::{
    error::ToolError,
    input::Input,
    observer::{Observer, Pass, Unit},
    walk::Walk,
};

/// A message, and everything that could be read from it.
#[derive(Debug)]
pub struct MessageView<'a> {
    /// The message. It has no body if the input is read by position.
    pub message: &'a Message,
    /// The index of the message in its stream; `None` if only the footer refers to it.
    pub index: Option<u64>,
    /// The parsed header, or the error of parsing it.
    pub header: Result<Header, IpcError>,
    /// The header of a tensor; `None` for other messages.
    pub tensor: Option<AnyTensorHeader>,
    /// Whether the message replaces an earlier dictionary.
    pub is_replacement: bool,
    /// The compression of the body, and the lengths of its buffers; `None` if the body is not compressed.
    pub compression: Option<CompressedBody>,
    /// The custom metadata, or the error of reading it.
    pub metadata: Result<Metadata, IpcError>,
    /// Names the field and the role of each buffer, or has the reason why this is impossible. `None` if buffers are
    /// not shown, or if the message has none. [`buffers`](MessageView::buffers) lists the buffers.
    pub buffer_map: Option<Result<&'a BufferMap, IpcError>>,
    /// The fields whose buffers to show; `None` for all fields.
    pub(super) shown_fields: Option<&'a FieldSet>,
    /// Whether and where the footer lists the message.
    pub listing: Listing,
    /// The number of body bytes that are missing because the input ends, or its footer begins, too early. Truncated
    /// messages of a pipe are not shown.
    pub n_missing_bytes: u64,
    /// The reason why a message with readable metadata cannot be decoded: the message is inconsistent, or contradicts
    /// the schema, an earlier message, or the footer. Only metadata is checked.
    pub contradiction: Option<IpcError>,
}

/// Selected fields, including all fields inside them.
#[derive(Debug, Clone, Default)]
pub(super) struct FieldSet(HashSet<Vec<u32>>);

impl FieldSet {
    pub(super) fn new(paths: &[FieldPath]) -> FieldSet {
        FieldSet(paths.iter().map(|path| path.positions().collect()).collect())
    }

    /// Whether the field at `path` is selected, or is inside a selected field.
    fn contains(&self, path: &FieldPath) -> bool {
        let positions: Vec<u32> = path.positions().collect();
        (1..=positions.len())
            .any(|n_steps| positions.get(..n_steps).is_some_and(|path| self.0.contains(path)))
    }
}

/// Whether and where the footer lists a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// There is no footer, or the message is of a kind that footers do not list.
    NoFooter,
    /// The footer lists the message. The value is the index in the footer's list of this kind.
    Block(usize),
    /// The footer does not list the message, so file readers do not return it.
    Missing,
}

/// A result of an inspection.
#[derive(Debug, Clone, Copy)]
pub enum InspectItem<'a> {
    /// The kind of the input, and its length in bytes if it is known. This is the first item.
    Container(Container, Option<u64>),
    /// The schema of the footer, if there is no readable schema message before the first item that needs a schema.
    /// Such an item is a message with buffers, or the footer.
    FooterSchema(&'a IpcSchema),
    /// A message, with everything that could be read from it.
    Message(&'a MessageView<'a>),
    /// The end of the stream inside a file, or of each stream.
    End {
        /// The byte offset after the last message, or after the end marker.
        position: u64,
        /// Whether the stream ends with an end marker or the footer of its file.
        is_marked: bool,
    },
    /// The footer of a file.
    Footer {
        /// The parsed footer.
        footer: &'a Footer,
        /// The length of the footer in bytes, without the length field and the magic that follow it.
        n_bytes: u64,
    },
}

/// Receives the results of an inspection, in order.
pub trait InspectSink {
    /// Receives the next result. [`Break`](ControlFlow::Break) stops the inspection with an error.
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()>;
}

impl<'a> InspectItem<'a> {
    /// The end of the stream, after `walk` has returned its last message.
    pub(super) fn end_of(walk: &Walk) -> InspectItem<'static> {
        InspectItem::End { position: walk.position(), is_marked: walk.has_end_marker() }
    }

    /// The footer of a file of this length.
    pub(super) fn footer(footer: &'a Footer, n_file_bytes: u64) -> InspectItem<'a> {
        const TAIL_BYTES: u64 = 10;
        let n_bytes = n_file_bytes.saturating_sub(footer.position()).saturating_sub(TAIL_BYTES);
        InspectItem::Footer { footer, n_bytes }
    }
}

/// The batch of a message, and the id of its dictionary, if it is a dictionary batch; `None` for other messages.
pub(super) fn batch_of(header: &Header) -> Option<(Option<i64>, &BatchHeader)> {
    match header {
        Header::RecordBatch(batch) => Some((None, batch)),
        Header::DictionaryBatch { id, batch, .. } => Some((Some(*id), batch)),
        Header::Schema(_) | Header::Tensor | Header::SparseTensor => None,
    }
}

/// The buffers of a message with a batch, or the error if they do not fit the schema; `None` for other messages.
pub(super) fn described<'a>(
    map: &'a BufferMap,
    header: &'a Header,
    version: MetadataVersion,
) -> Option<Result<BufferDescriptions<'a>, IpcError>> {
    let (dictionary, batch) = batch_of(header)?;
    let buffers = match dictionary {
        None => map.record_batch(batch, version),
        Some(id) => map.dictionary_batch(id, batch, version),
    };
    Some(buffers.map_err(IpcError::from))
}

impl MessageView<'_> {
    /// The number of rows of a record batch, or of values in a dictionary batch; `None` for other messages.
    pub fn n_rows(&self) -> Option<u64> {
        let (_, batch) = batch_of(self.header.as_ref().ok()?)?;
        Some(batch.n_rows())
    }

    /// Names an unusual framing of the message: `legacy framing` or `without prefix`. `None` if the message has a
    /// continuation marker.
    pub fn framing_note(&self) -> Option<&'static str> {
        let legacy = self.message.has_legacy_framing().then_some("legacy framing");
        legacy.or_else(|| (!self.message.has_prefix()).then_some("without prefix"))
    }

    /// Whether the message is not truncated, and nothing in its metadata is wrong. Values are not checked.
    pub fn is_complete(&self) -> bool {
        self.n_missing_bytes == 0 && self.is_readable()
    }

    /// Whether nothing in the metadata of the message is wrong.
    pub fn is_readable(&self) -> bool {
        let has_lengths = self.compression.as_ref().is_none_or(|body| body.error.is_none());
        has_lengths
            && self.contradiction.is_none()
            && self.header.is_ok()
            && self.metadata.is_ok()
            && !matches!(self.buffer_map, Some(Err(_)))
    }

    /// The number of body bytes that are present.
    pub fn n_body_bytes(&self) -> u64 {
        self.message.n_body_bytes().saturating_sub(self.n_missing_bytes)
    }

    /// The decompressed length of the body, which is the stored length if the body is not compressed. `None` if it is
    /// unknown: nothing of the body was read, or it is cut off.
    pub fn n_decompressed_bytes(&self) -> Option<u64> {
        match &self.compression {
            None => Some(self.n_body_bytes()),
            Some(body) if self.n_missing_bytes == 0 => body.n_decompressed_bytes(),
            Some(_) => None,
        }
    }

    /// The buffers to show, with the lengths in their prefixes if the body is compressed. The iterator creates one
    /// description at a time, because many buffers may have the same long path, and all descriptions together may be
    /// large.
    pub fn buffers(&self) -> impl Iterator<Item = (BufferDescription, Option<Length>)> {
        let described = match (&self.buffer_map, &self.header) {
            (Some(Ok(map)), Ok(header)) => {
                described(map, header, self.message.version()).and_then(Result::ok)
            }
            _ => None,
        };
        let length = |idx: usize| self.compression.as_ref().and_then(|compression| compression.length(idx));
        let is_shown = |buffer: &BufferDescription| {
            self.shown_fields.is_none_or(|shown_fields| shown_fields.contains(&buffer.path))
        };
        let described = described.into_iter().flatten().enumerate();
        described.filter(move |(_, buffer)| is_shown(buffer)).map(move |(idx, buffer)| (buffer, length(idx)))
    }
}

pub(super) struct ProgressSink<'a> {
    report: &'a mut dyn InspectSink,
    pass: Pass<'a>,
}

impl<'a> ProgressSink<'a> {
    /// Begins to report on an input.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(super) fn begin(
        report: &'a mut dyn InspectSink,
        observer: &'a mut dyn Observer,
        input: &Input,
    ) -> Result<ProgressSink<'a>, ToolError> {
        let pass = Pass::begin(observer, input.name(), (Unit::Bytes, input.n_bytes()))?;
        Ok(ProgressSink { report, pass })
    }

    /// Passes a result to the report. After a message, also reports progress to the observer.
    ///
    /// # Errors
    /// If the report or the observer stops the inspection.
    pub(super) fn observe(&mut self, item: InspectItem<'_>) -> Result<(), ToolError> {
        if self.report.item(item).is_break() {
            return Err(self.pass.stopped());
        }
        let InspectItem::Message(view) = item else { return Ok(()) };
        self.pass.set(view.message.body_position().saturating_add(view.message.n_body_bytes()))
    }
}

/// Copies a file from a pipe, so that it can be read by position before the inspection begins. Returns streams
/// unchanged.
///
/// # Errors
/// If the copy cannot be made.
pub(super) fn positioned(input: Input) -> Result<Input, ToolError> {
    if input.container() != Container::File {
        return Ok(input);
    }
    let [input, _] = input.twice()?;
    Ok(input)
}
