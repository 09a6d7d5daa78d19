//! The decompressed lengths of the buffers of a compressed body, from the prefix of each buffer. The lengths are not
//! checked, because nothing is decompressed.

use std::{io, ops::Range};

use arrow_buffer::Buffer;
use arrow_ipc::{
    BodyRange, Codec, IpcError, IpcErrorKind, Source,
    message::{BatchHeader, Message},
};

use crate::source::SharedSource;

#[derive(Debug)]
pub(super) enum BodySource {
    InMessages,
    /// The bodies are read from the input, by position.
    InFile(SharedSource),
}

/// The compression of a body, according to the prefixes of its buffers. The prefixes are not checked.
#[derive(Debug)]
pub struct CompressedBody {
    /// The codec.
    pub codec: Codec,
    /// The length of each buffer of the batch; `None` if the lengths could not be read. A `StoredLength` takes half the
    /// memory of a [`Length`].
    lengths: Option<Vec<StoredLength>>,
    /// The reason why the lengths could not be read.
    pub error: Option<IpcError>,
}

/// The length of one buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// The length of a buffer that is not compressed.
    Raw(u64),
    /// The decompressed length of a buffer with a frame.
    Frame(u64),
}

/// A length of at most 2⁶³ - 1. A `Length::Frame` is stored as its length, a `Length::Raw` as its length with all bits
/// inverted.
#[derive(Debug, Clone, Copy)]
struct StoredLength(i64);

impl StoredLength {
    fn new(length: Length) -> StoredLength {
        let n_bytes = i64::try_from(length.n_bytes()).unwrap_or(i64::MAX);
        StoredLength(if length.is_raw() { !n_bytes } else { n_bytes })
    }

    fn length(self) -> Length {
        match u64::try_from(self.0) {
            Ok(n_bytes) => Length::Frame(n_bytes),
            Err(_) => Length::Raw((!self.0).unsigned_abs()),
        }
    }
}

/// The prefix of a buffer that is not compressed.
const RAW: i64 = -1;
const PREFIX_BYTES: usize = 8;

impl CompressedBody {
    /// The ranges of the input that [`read`](CompressedBody::read) fetches.
    pub(super) fn wanted_ranges(message: &Message, batch: &BatchHeader) -> impl Iterator<Item = Range<u64>> {
        let buffers = batch.buffers().iter().filter(|_| batch.compression().is_some());
        buffers.map(|buffer| {
            let start = message.body_position().saturating_add(buffer.start());
            start..start.saturating_add(buffer.n_bytes().min(PREFIX_BYTES as u64))
        })
    }

    /// Reads the lengths that precede the buffers; `None` if the body is not compressed.
    pub(super) fn read(
        message: &Message,
        batch: &BatchHeader,
        bodies: &BodySource,
    ) -> Option<CompressedBody> {
        let codec = batch.compression()?;
        let (lengths, error) = match read_lengths(message, batch, bodies) {
            Ok(lengths) => (Some(lengths), None),
            // A body past the end of the input is no error here: it is reported when the next message is read.
            Err(error) if is_end(&error) => (None, None),
            Err(error) => (None, Some(error)),
        };
        Some(CompressedBody { codec, lengths, error })
    }

    /// The decompressed length of all buffers in bytes; `None` if it is unknown.
    pub fn n_decompressed_bytes(&self) -> Option<u64> {
        let lengths = self.lengths.as_ref()?;
        Some(lengths.iter().fold(0, |sum: u64, stored| sum.saturating_add(stored.length().n_bytes())))
    }

    /// The length of a buffer of the batch; `None` if the lengths could not be read.
    pub fn length(&self, buffer_idx: usize) -> Option<Length> {
        self.lengths.as_ref()?.get(buffer_idx).map(|stored| stored.length())
    }
}

impl Length {
    /// The length of the buffer in bytes after decompression.
    pub fn n_bytes(self) -> u64 {
        match self {
            Length::Raw(n_bytes) | Length::Frame(n_bytes) => n_bytes,
        }
    }

    /// Whether the buffer is not compressed.
    pub(crate) fn is_raw(self) -> bool {
        matches!(self, Length::Raw(_))
    }
}

fn is_end(error: &IpcError) -> bool {
    matches!(error.kind(), IpcErrorKind::Io(error) | IpcErrorKind::Fetch { error, .. } if error.kind() == io::ErrorKind::UnexpectedEof)
}

fn read_lengths(
    message: &Message,
    batch: &BatchHeader,
    bodies: &BodySource,
) -> Result<Vec<StoredLength>, IpcError> {
    let mut lengths = Vec::with_capacity(batch.buffers().len());
    for range in batch.buffers() {
        lengths.push(StoredLength::new(read_length(message, *range, bodies)?));
    }
    Ok(lengths)
}

fn read_length(message: &Message, range: BodyRange, bodies: &BodySource) -> Result<Length, IpcError> {
    if range.n_bytes() == 0 {
        return Ok(Length::Raw(0));
    }
    let (prefix_bytes, found) = (PREFIX_BYTES as u64, range.n_bytes());
    let bytes = bodies.fetch(message, range.start(), prefix_bytes.min(found))?;
    let Some((length, _)) = bytes.split_first_chunk::<PREFIX_BYTES>() else {
        return Err(IpcErrorKind::CompressedLength { found }.into());
    };
    match i64::from_le_bytes(*length) {
        RAW => Ok(Length::Raw(found.saturating_sub(prefix_bytes))),
        found => match u64::try_from(found) {
            Ok(n_bytes) => Ok(Length::Frame(n_bytes)),
            Err(_) => {
                Err(IpcErrorKind::Negative { what: "the length of a decompressed buffer", found }.into())
            }
        },
    }
}

impl BodySource {
    /// Whether requests have a high latency and can run at the same time.
    pub(super) fn are_far(&self) -> bool {
        matches!(self, BodySource::InFile(file) if file.is_far())
    }

    /// If requests have a high latency, fetches these ranges together for later reads.
    pub(super) fn gather(&self, ranges: &[Range<u64>]) {
        if let BodySource::InFile(file) = self {
            file.gather(ranges);
        }
    }

    pub(super) fn fetch(&self, message: &Message, start: u64, n_bytes: u64) -> io::Result<Buffer> {
        let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
        match self {
            BodySource::InMessages => message.body().try_slice(start, n_bytes).map_err(|_| cut()),
            BodySource::InFile(file) => {
                let start = message.body_position().checked_add(start).ok_or_else(cut)?;
                let end = start.checked_add(n_bytes).ok_or_else(cut)?;
                file.fetch(start..end)
            }
        }
    }
}
