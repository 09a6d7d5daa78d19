//! Opens the files of data sets: files of Arrow IPC, and streams. A stream has no footer, so its batches are found by the
//! metadata of its messages, and read in order.

use std::{
    io::{self, Read},
    sync::Arc,
};

use arrow_ipc::{
    BatchWithMetadata, Container, FileReader, IpcErrorKind, Limits, MessageKind, MessageScan, Projection,
    Source, Step, StreamReader, message::Header,
};
use arrow_schema::{Metadata, Schema};

use crate::{error::DatasetErrorKind as Kind, store::StoredFile};

/// The size of a batch, as its metadata states it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchExtent {
    pub(crate) n_rows: u64,
    pub(crate) n_bytes: u64,
}

/// An opened file of a data set.
#[derive(Debug)]
pub(crate) enum OpenedFile {
    File(FileReader<Arc<dyn StoredFile>>),
    Stream(Box<OpenedStream>),
}

impl OpenedFile {
    pub(crate) fn open(source: Arc<dyn StoredFile>) -> Result<OpenedFile, Kind> {
        let options = source.options();
        match FileReader::try_new_with(Arc::clone(&source), options) {
            // Only then is the start examined, because each request may take long.
            Err(error)
                if matches!(error.kind(), IpcErrorKind::WrongContainer { found: Container::Stream, .. }) =>
            {
                Ok(OpenedFile::Stream(Box::new(OpenedStream::open(source)?)))
            }
            opened => Ok(OpenedFile::File(opened?)),
        }
    }
}

/// A stream, whose batches are read in order.
#[derive(Debug)]
pub(crate) struct OpenedStream {
    source: Arc<dyn StoredFile>,
    reader: StreamReader<StoredBytes>,
    /// The number of batches that were read.
    n_done: usize,
}

impl OpenedStream {
    fn open(source: Arc<dyn StoredFile>) -> Result<OpenedStream, Kind> {
        let bytes = StoredBytes { n_bytes: source.n_bytes()?, source: Arc::clone(&source), position: 0 };
        let reader = StreamReader::try_new_with(bytes, source.options())?;
        Ok(OpenedStream { source, reader, n_done: 0 })
    }

    pub(crate) fn source(&self) -> &Arc<dyn StoredFile> {
        &self.source
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        self.reader.schema()
    }

    pub(crate) fn metadata(&self) -> &Metadata {
        self.reader.schema_message_metadata()
    }

    /// The batches, from the metadata of all messages.
    ///
    /// # Errors
    /// If a message is malformed or truncated, or if other bytes than padding follow the stream.
    pub(crate) fn batches(&self) -> Result<Vec<BatchExtent>, Kind> {
        let limits = Limits::default();
        let mut scan = MessageScan::try_new(&self.source, 0..u64::MAX, limits.clone())?;
        let mut batches = Vec::new();
        while let Some(message) = scan.next_message()? {
            if message.kind() == MessageKind::RecordBatch
                && let Header::RecordBatch(batch) = message.header(&limits)?
            {
                let n_bytes = scan.position().saturating_sub(message.position());
                batches.push(BatchExtent { n_rows: batch.n_rows(), n_bytes });
            }
        }
        let n_bytes = self.source.n_bytes()?;
        let mut padding = Padding::default();
        let mut position = scan.position();
        while position < n_bytes {
            let end = position.saturating_add(PIECE_BYTES).min(n_bytes);
            if !self.source.fetch(position..end)?.iter().all(|byte| padding.continues_with(*byte)) {
                return Err(Kind::AfterStream { position: scan.position() });
            }
            position = end;
        }
        if padding.n_marker > 0 {
            return Err(Kind::AfterStream { position: scan.position() });
        }
        Ok(batches)
    }

    /// Reads only some columns from now on.
    pub(crate) fn project(&mut self, positions: &[usize]) -> Result<(), Kind> {
        Ok(self.reader.project(&Projection::Positions(positions.to_vec()))?)
    }

    /// Reads a batch. Skips the batches before it, and must not be called for one of these later.
    pub(crate) fn batch(&mut self, batch_idx: usize) -> Result<BatchWithMetadata, Kind> {
        loop {
            match self.reader.next_step()? {
                Step::Batch(batch) => {
                    let found = self.n_done;
                    self.n_done = found.saturating_add(1);
                    if found == batch_idx {
                        return Ok(batch);
                    }
                }
                Step::End => {
                    return Err(Kind::Batches { wanted: batch_idx.saturating_add(1), found: self.n_done });
                }
                // Data sets have no tensors, as files have none.
                Step::NeedBytes(_)
                | Step::Schema(_)
                | Step::Dictionary { .. }
                | Step::LargeBatch(_)
                | Step::Tensor(..)
                | _ => {}
            }
        }
    }
}

/// The bytes after a stream that are no data: zeros, and end markers, which are FF FF FF FF 00 00 00 00.
#[derive(Default)]
struct Padding {
    /// The number of bytes of an end marker that have been found.
    n_marker: u8,
}

impl Padding {
    fn continues_with(&mut self, byte: u8) -> bool {
        let is_padding = match self.n_marker {
            0 => matches!(byte, 0 | 0xff),
            1..4 => byte == 0xff,
            _ => byte == 0,
        };
        if byte == 0xff || self.n_marker > 0 {
            self.n_marker = (self.n_marker + 1) % 8;
        }
        is_padding
    }
}

/// The number of bytes of each request when the bytes after a stream are examined.
const PIECE_BYTES: u64 = 64 << 10;

/// Reads a file of a store from its start to its end.
#[derive(Debug)]
struct StoredBytes {
    source: Arc<dyn StoredFile>,
    position: u64,
    n_bytes: u64,
}

impl Read for StoredBytes {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        let n_read = match self.source.read_at() {
            Some(source) => source.read_at(place, self.position)?,
            None => {
                let left = self.n_bytes.saturating_sub(self.position).min(place.len() as u64);
                let mut bytes = &*match left {
                    0 => return Ok(0),
                    left => self.source.fetch(self.position..self.position.saturating_add(left))?,
                };
                bytes.read(place)?
            }
        };
        self.position = self.position.saturating_add(n_read as u64);
        Ok(n_read)
    }
}
