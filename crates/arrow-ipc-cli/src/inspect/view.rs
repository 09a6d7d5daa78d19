//! What is shown of a message, whatever it is shown as.

use std::io;

use arrow_ipc::{BufferDescription, Container, Footer, Header, IpcError, Message};
use arrow_schema::Metadata;

/// A message with what could be made of it.
pub(super) struct MessageView<'a> {
    pub(super) message: &'a Message,
    /// Counted from the schema; not known where only the footer led to it.
    pub(super) index: Option<u64>,
    pub(super) header: Result<Header, IpcError>,
    pub(super) metadata: Result<Metadata, IpcError>,
    /// Where they are asked for, and the message has some.
    pub(super) buffers: Option<Result<Vec<BufferDescription>, IpcError>>,
    pub(super) listing: Listing,
}

/// What the footer says about a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// There is no footer, or it does not list such messages.
    NoFooter,
    /// Its list for such messages has it here.
    Block(usize),
    /// It should be listed, and is not.
    Missing,
}

/// Shows what is found, as it is found.
pub(super) trait Report {
    fn container(&mut self, container: Container, n_bytes: Option<u64>) -> io::Result<()>;

    fn message(&mut self, view: &MessageView<'_>) -> io::Result<()>;

    /// The end of what could be walked through.
    fn end(&mut self, position: u64, has_end_marker: Option<bool>) -> io::Result<()>;

    fn footer(&mut self, footer: &Footer, file_bytes: u64) -> io::Result<()>;

    /// Writes what is left.
    fn finish(&mut self) -> io::Result<()>;
}

impl MessageView<'_> {
    /// The number of rows of a batch, or of values of a dictionary.
    pub(super) fn n_rows(&self) -> Option<u64> {
        match &self.header {
            Ok(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. }) => Some(batch.n_rows()),
            _ => None,
        }
    }

    /// How the body is compressed.
    pub(super) fn codec(&self) -> Option<&'static str> {
        match &self.header {
            Ok(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. }) => {
                batch.compression().map(|codec| match codec {
                    arrow_ipc::Codec::Lz4Frame => "LZ4",
                    arrow_ipc::Codec::Zstd => "ZSTD",
                })
            }
            _ => None,
        }
    }
}
