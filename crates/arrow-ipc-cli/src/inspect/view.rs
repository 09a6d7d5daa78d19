//! What `inspect` shows, as text or JSON.

use std::io;

use arrow_ipc::{BufferDescription, Container, Footer, Header, IpcError, Message};
use arrow_schema::Metadata;

use super::lengths::{CompressedBody, Length};
use crate::walk::Walk;

/// A message and what could be read of it.
pub(super) struct MessageView<'a> {
    pub(super) message: &'a Message,
    /// Counted from the schema; `None` if only the footer refers to it.
    pub(super) index: Option<u64>,
    pub(super) header: Result<Header, IpcError>,
    /// Whether it replaces an earlier dictionary.
    pub(super) is_replacement: bool,
    /// If the body is compressed.
    pub(super) compression: Option<CompressedBody>,
    pub(super) metadata: Result<Metadata, IpcError>,
    /// With `--buffers`, if the message has buffers.
    pub(super) buffers: Option<Result<Vec<BufferDescription>, IpcError>>,
    pub(super) listing: Listing,
}

/// How the footer lists a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// There is no footer, or it does not list such messages.
    NoFooter,
    /// It is at this position of its list.
    Block(usize),
    /// It should be listed, but is not.
    Missing,
}

/// The end of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) position: u64,
    /// Whether the input has an end marker or a footer.
    pub(super) is_marked: bool,
}

/// Shows what is found, in order.
pub(super) trait Report {
    fn container(&mut self, container: Container, n_bytes: Option<u64>) -> io::Result<()>;

    fn message(&mut self, view: &MessageView<'_>) -> io::Result<()>;

    fn end(&mut self, end: End) -> io::Result<()>;

    fn footer(&mut self, footer: &Footer, file_bytes: u64) -> io::Result<()>;

    /// Flushes the output.
    fn finish(&mut self) -> io::Result<()>;
}

impl End {
    /// The end of a finished walk.
    pub(super) fn of(walk: &Walk) -> End {
        End { position: walk.position(), is_marked: walk.has_end_marker() }
    }
}

impl MessageView<'_> {
    /// The number of rows of a batch, or of values of a dictionary.
    pub(super) fn n_rows(&self) -> Option<u64> {
        match &self.header {
            Ok(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. }) => Some(batch.n_rows()),
            _ => None,
        }
    }

    /// The buffers, with the preceding lengths if the body is compressed.
    pub(super) fn buffers(&self) -> impl Iterator<Item = (&BufferDescription, Option<Length>)> {
        let lengths = self.compression.as_ref().and_then(|compression| compression.lengths.as_deref());
        let length = move |idx: usize| lengths.and_then(|lengths| lengths.get(idx)).copied();
        let buffers = self.buffers.iter().flatten().flatten().enumerate();
        buffers.map(move |(idx, buffer)| (buffer, length(idx)))
    }
}
