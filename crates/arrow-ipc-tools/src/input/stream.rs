//! The bytes of a stream in order, and its large batches, whose bodies are read by position, like the bodies of a file.

use std::{
    fmt,
    io::{self, Read, Write},
};

use arrow_buffer::BufferMut;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError, LargeBatch, StreamReader};
use arrow_schema::Metadata;

use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    source::{PositionedRead, Section, SharedSource},
};

pub(crate) enum StreamSource {
    /// A source whose bytes are read as they arrive.
    Pipe(Box<dyn Read + Send>),
    /// A source that is read by position, and its length in bytes.
    Positioned(PositionedRead, u64),
}

impl StreamSource {
    /// The length in bytes; `None` for a pipe.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        match self {
            StreamSource::Pipe(_) => None,
            StreamSource::Positioned(_, n_bytes) => Some(*n_bytes),
        }
    }

    /// The source, if it is read by position; `None` for a pipe.
    pub(crate) fn positioned(&self) -> Option<&SharedSource> {
        match self {
            StreamSource::Pipe(_) => None,
            StreamSource::Positioned(source, _) => Some(source.source()),
        }
    }

    /// Skips `n_bytes` bytes, or fewer at the end of the source. Returns the number of skipped bytes.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn skip(&mut self, n_bytes: u64) -> io::Result<u64> {
        match self {
            StreamSource::Pipe(rest) => io::copy(&mut rest.by_ref().take(n_bytes), &mut io::sink()),
            StreamSource::Positioned(source, _) => source.skip(n_bytes),
        }
    }
}

impl Read for StreamSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            StreamSource::Pipe(rest) => rest.read(buffer),
            StreamSource::Positioned(source, _) => source.read(buffer),
        }
    }
}

impl fmt::Debug for StreamSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamSource").field("n_bytes", &self.n_bytes()).finish_non_exhaustive()
    }
}

/// Identifies a stream of an input in errors.
#[derive(Debug, Clone)]
pub(crate) struct StreamLocation {
    pub(crate) name: InputName,
    /// The byte offset of the stream in the input.
    pub(crate) start: u64,
}

impl StreamLocation {
    /// Converts an error of this stream. Positions in the error count from the start of the stream.
    pub(crate) fn failed(&self, error: IpcError) -> ToolError {
        let kind = match self.start {
            0 => ToolErrorKind::Input(error),
            position => ToolErrorKind::LaterStream { position, error },
        };
        ToolError::new(&self.name, kind)
    }
}

/// A large batch of a stream. Its body is in the input, or in a temporary file that is removed when the batch is
/// dropped.
#[derive(Debug)]
pub struct SpooledBatch {
    location: StreamLocation,
    reader: FileReader<SharedSource>,
    n_rows: u64,
}

impl SpooledBatch {
    /// Opens a batch that a stream has returned without its body. If the input cannot be read by position, copies the
    /// body to a temporary file. Moves `stream` to the end of the body.
    ///
    /// # Errors
    /// If the input cannot be read or ends inside the body, the body cannot be copied, or the message is malformed.
    pub(crate) fn open(
        batch: LargeBatch,
        stream: &mut StreamReader<StreamSource>,
        (location, source): (StreamLocation, Option<&SharedSource>),
    ) -> Result<SpooledBatch, ToolError> {
        match source {
            Some(source) => {
                stream.skip_body(StreamSource::skip).map_err(|error| location.failed(error))?;
                SpooledBatch::stored(batch, location, source)
            }
            None => {
                let body = copy_body(stream, &location)?;
                SpooledBatch::with_body(batch, location, body)
            }
        }
    }

    /// Opens a batch whose body is read from `source`.
    ///
    /// # Errors
    /// If the input cannot be read, or the message is malformed.
    pub(crate) fn stored(
        batch: LargeBatch,
        location: StreamLocation,
        source: &SharedSource,
    ) -> Result<SpooledBatch, ToolError> {
        let start = location.start.saturating_add(batch.body_position());
        let end = start.saturating_add(batch.n_body_bytes());
        let body = SharedSource::new(Section::new(source.clone(), start..end));
        SpooledBatch::with_body(batch, location, body)
    }

    fn with_body(
        batch: LargeBatch,
        location: StreamLocation,
        body: SharedSource,
    ) -> Result<SpooledBatch, ToolError> {
        let failed = |error| location.failed(error);
        let reader = batch.try_into_reader(body).map_err(failed)?;
        let n_rows = reader.n_rows_of(0).map_err(failed)?;
        Ok(SpooledBatch { location, reader, n_rows })
    }

    /// A reader with a single batch: batch 0 is this batch.
    pub fn reader(&self) -> &FileReader<SharedSource> {
        &self.reader
    }

    /// The number of rows of the batch.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The custom metadata of the message of the batch.
    pub fn metadata(&self) -> &Metadata {
        self.reader.footer_metadata()
    }

    /// Reads the whole batch at once.
    ///
    /// # Errors
    /// If the batch is malformed, unsupported or over a limit.
    pub fn read(&self) -> Result<RecordBatch, ToolError> {
        self.reader.batch(0).map_err(|error| self.failed(error))
    }

    /// Adds the name of the input and the position of the stream to an error of the reader.
    pub fn failed(&self, error: IpcError) -> ToolError {
        self.location.failed(error)
    }

    /// Adds the name of the input to an error. If the error is about the batch, also adds the position of the stream.
    pub(crate) fn refused(&self, kind: ToolErrorKind) -> ToolError {
        if let ToolErrorKind::Batch { error, .. } = kind {
            return self.failed(error);
        }
        // The reader has a single batch, whose index in the input is unknown.
        ToolError::new(&self.location.name, kind.in_batch(None))
    }
}

/// Copies the body of the stream's last batch to a temporary file, or to memory if there is no folder for temporary
/// files.
fn copy_body(
    stream: &mut StreamReader<StreamSource>,
    location: &StreamLocation,
) -> Result<SharedSource, ToolError> {
    let mut file = match tempfile::tempfile() {
        Ok(file) => file,
        Err(error) if has_no_folder(&error) => return body_in_memory(stream, location),
        Err(error) => return Err(ToolError::new(&location.name, ToolErrorKind::Spool(error))),
    };
    while let Some(bytes) = stream.next_body_bytes().map_err(|error| location.failed(error))? {
        file.write_all(&bytes).map_err(ToolErrorKind::Spool).in_input(&location.name)?;
    }
    Ok(SharedSource::new(file))
}

/// Whether the folder for temporary files does not exist, or cannot be written to.
fn has_no_folder(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem)
}

fn body_in_memory(
    stream: &mut StreamReader<StreamSource>,
    location: &StreamLocation,
) -> Result<SharedSource, ToolError> {
    let mut body = BufferMut::new();
    while let Some(bytes) = stream.next_body_bytes().map_err(|error| location.failed(error))? {
        body.extend_from_slice(&bytes);
    }
    Ok(SharedSource::new(body.freeze()))
}
