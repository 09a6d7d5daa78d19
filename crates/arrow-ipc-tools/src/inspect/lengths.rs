//! Reads the decompressed length of each buffer in a compressed body, and compares it with the header of the frame.
//! Nothing is decompressed, so these lengths may be wrong.

use std::{io, ops::Range};

use arrow_buffer::Buffer;
use arrow_ipc::{
    BodyRange, Codec, FormatErrorKind, IpcError, IpcErrorKind, Source,
    compression::{FRAME_START_BYTES, check_frame_start},
    message::{BatchHeader, Message},
};

use crate::source::SharedSource;

#[derive(Debug)]
pub(super) enum BodySource {
    InMessages,
    /// Bodies that are read by position from the input.
    InFile(SharedSource),
    /// Bodies of which nothing is read.
    Unread,
}

/// The compression of a body, and the lengths that the prefixes of its buffers declare. These lengths may be wrong.
#[derive(Debug)]
pub struct CompressedBody {
    /// The codec of all buffers in the body.
    pub codec: Codec,
    /// The length of each buffer; `None` if the lengths could not be read. `StoredLength` takes half the memory of a
    /// [`Length`].
    lengths: Option<Vec<StoredLength>>,
    /// The error of reading the lengths.
    pub error: Option<IpcError>,
}

/// The length of a buffer in a compressed body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// The length of a buffer that is stored without compression.
    Raw(u64),
    /// The decompressed length of a compressed buffer.
    Frame(u64),
}

/// A length of at most 2⁶³ - 1. A `Length::Frame` is stored as it is, and a `Length::Raw` with all bits inverted.
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

/// The prefix of a buffer that is stored without compression.
const RAW: i64 = -1;
const PREFIX_BYTES: usize = 8;

impl CompressedBody {
    /// The byte ranges of the prefixes that [`read`](CompressedBody::read) reads.
    pub(super) fn needed_ranges(message: &Message, batch: &BatchHeader) -> impl Iterator<Item = Range<u64>> {
        let buffers = if batch.compression().is_some() { batch.buffers() } else { &[] };
        buffers.iter().map(|buffer| {
            let start = message.body_position().saturating_add(buffer.start());
            start..start.saturating_add(buffer.n_bytes().min(FRAME_START_BYTES))
        })
    }

    /// Reads the prefixes of the buffers; `None` if the body is not compressed.
    pub(super) fn read(
        message: &Message,
        batch: &BatchHeader,
        bodies: &BodySource,
    ) -> Option<CompressedBody> {
        let codec = batch.compression()?;
        let (lengths, error) = match read_lengths(message, batch, codec, bodies) {
            Ok(lengths) => (Some(lengths), None),
            // A body past the end of the input is reported when the next message is read.
            Err(error) if is_end(&error) => (None, None),
            Err(error) => (None, Some(error)),
        };
        Some(CompressedBody { codec, lengths, error })
    }

    /// The total decompressed length of all buffers in bytes; `None` if a length is unknown.
    pub fn n_decompressed_bytes(&self) -> Option<u64> {
        let lengths = self.lengths.as_ref()?;
        Some(lengths.iter().fold(0, |sum: u64, stored| sum.saturating_add(stored.length().n_bytes())))
    }

    /// The length of the buffer with this index in the batch; `None` if the lengths could not be read.
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
    pub fn is_raw(self) -> bool {
        matches!(self, Length::Raw(_))
    }
}

fn is_end(error: &IpcError) -> bool {
    io_kind(error) == Some(io::ErrorKind::UnexpectedEof)
}

fn io_kind(error: &IpcError) -> Option<io::ErrorKind> {
    if let IpcErrorKind::Io(error) | IpcErrorKind::Fetch { error, .. } = error.kind() {
        Some(error.kind())
    } else {
        None
    }
}

fn read_lengths(
    message: &Message,
    batch: &BatchHeader,
    codec: Codec,
    bodies: &BodySource,
) -> Result<Vec<StoredLength>, IpcError> {
    let mut lengths = Vec::with_capacity(batch.buffers().len());
    let mut missing = None;
    for range in batch.buffers() {
        match read_length(message, *range, codec, bodies) {
            Ok(length) => lengths.push(StoredLength::new(length)),
            // The source notes all that it lacks.
            Err(error) if io_kind(&error) == Some(io::ErrorKind::WouldBlock) => {
                missing.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    missing.map_or(Ok(lengths), Err)
}

fn read_length(
    message: &Message,
    range: BodyRange,
    codec: Codec,
    bodies: &BodySource,
) -> Result<Length, IpcError> {
    if range.n_bytes() == 0 {
        return Ok(Length::Raw(0));
    }
    let prefix_bytes = PREFIX_BYTES as u64;
    let found = range.n_bytes();
    let bytes = bodies.fetch(message, range.start(), found.min(FRAME_START_BYTES))?;
    let Some((length, _)) = bytes.split_first_chunk::<PREFIX_BYTES>() else {
        return Err(IpcErrorKind::CompressedLength { found }.into());
    };
    check_frame_start(codec, &bytes, found)?;
    match i64::from_le_bytes(*length) {
        RAW => Ok(Length::Raw(found.saturating_sub(prefix_bytes))),
        found => match u64::try_from(found) {
            Ok(n_bytes) => Ok(Length::Frame(n_bytes)),
            Err(_) => Err(IpcErrorKind::Format(FormatErrorKind::Negative {
                what: "the uncompressed length of the buffer",
                found,
            })
            .into()),
        },
    }
}

impl BodySource {
    /// Whether concurrent requests are worthwhile, because requests have a high latency.
    pub(super) fn are_far(&self) -> bool {
        matches!(self, BodySource::InFile(file) if file.is_far())
    }

    /// Fetches these ranges together for later reads, if requests have a high latency.
    pub(super) fn prefetch(&self, ranges: Vec<Range<u64>>) {
        if let BodySource::InFile(file) = self {
            file.prefetch(ranges);
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
            BodySource::Unread => Err(cut()),
        }
    }
}
