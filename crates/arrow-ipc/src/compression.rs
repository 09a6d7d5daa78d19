//! Compressed bodies: the length that precedes each buffer, and the frames of both codecs. Follows "Compression" of the
//! specification. Only `lz4.rs`, `zstd.rs` and `zstd_pure.rs` call the crate of a codec.

use arrow_buffer::{Budget, Buffer};

use crate::{
    error::{FormatErrorKind, FrameError, IpcErrorKind, Result},
    recycled::BufferPool,
};
use arrow_ipc_format::Codec;

mod codec;
mod compressor;
mod content;
mod decompress;
mod frame_decoder;
mod settings;

#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "zstd")]
mod zstd;
#[cfg(any(feature = "zstd", feature = "zstd-pure"))]
mod zstd_frame;
#[cfg(all(feature = "zstd-pure", any(test, not(feature = "zstd"))))]
mod zstd_pure;

use self::codec::FrameCodec;
pub use self::{
    codec::Piece,
    compressor::{BufferCompressor, BufferEncoding},
    content::{BufferContent, FetchRange},
    decompress::decompress_all,
    settings::Compression,
};
pub(crate) use self::{
    compressor::BodyCompressor,
    decompress::decompress_within,
    frame_decoder::{FrameDecoder, FrameProgress, FrameRest},
};

/// The length in bytes of the prefix of each buffer that is not empty. The prefix is the uncompressed length of the
/// buffer, or −1 if the buffer is stored uncompressed.
pub const PREFIX_BYTES: usize = 8;

/// The prefix of a buffer that is stored uncompressed.
const RAW: i64 = -1;

/// A buffer of a compressed body. Its prefix has been read, and its frame has been walked, but not decompressed.
///
/// ```
/// # #[cfg(feature = "lz4")] {
/// use arrow_buffer::{Buffer, BufferMut};
/// use arrow_ipc::{Codec, Compression, compression::{BufferCompressor, BufferEncoding, CompressedBuffer}};
///
/// let mut bytes = BufferMut::new();
/// let mut compressor = BufferCompressor::try_new(Compression::lz4())?;
/// assert_eq!(compressor.compress(&[7; 1_000], &mut bytes)?, BufferEncoding::Frame);
///
/// let CompressedBuffer::Frame(frame) = CompressedBuffer::try_new(Codec::Lz4Frame, Buffer::from(bytes))? else {
///     panic!("it is a frame");
/// };
/// let mut found = vec![0; frame.n_bytes()];
/// frame.decompress(&mut found)?;
/// assert_eq!(found, [7; 1_000]);
/// # }
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub enum CompressedBuffer {
    /// The bytes of a buffer that is stored uncompressed.
    Raw(Buffer),
    /// A frame to decompress.
    Frame(Frame),
}

/// A frame whose blocks have been walked, but not decompressed. The walk has shown that the frame ends where its buffer
/// ends, and can hold the declared number of bytes.
#[derive(Debug)]
pub struct Frame {
    bytes: Buffer,
    n_bytes: usize,
    codec: Codec,
}

/// The meaning of the prefix of a buffer of a compressed body.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DeclaredLength {
    /// This many uncompressed bytes follow.
    Raw { n_bytes: u64 },
    /// A frame follows, whose prefix states this many decompressed bytes.
    Frame { declared: u64 },
}

impl DeclaredLength {
    /// Reads the prefix from the first bytes of a buffer of `n_buffer_bytes` bytes. Does not read the frame.
    ///
    /// # Errors
    /// If the codec is not built in. If the prefix is truncated or negative. If a frame of this length cannot hold the
    /// declared number of bytes.
    pub(crate) fn try_new(codec: Codec, start: &[u8], n_buffer_bytes: u64) -> Result<DeclaredLength> {
        let length = DeclaredLength::parse(start, n_buffer_bytes)?;
        if let DeclaredLength::Frame { declared } = length {
            let most = frame_codec(codec)?.most_of(n_buffer_bytes.saturating_sub(PREFIX_BYTES as u64));
            if declared > most {
                return Err(
                    IpcErrorKind::Frame { codec, error: FrameError::TooSmall { declared, most } }.into()
                );
            }
        }
        Ok(length)
    }

    /// The number of uncompressed bytes of the buffer.
    pub(crate) fn n_bytes(self) -> u64 {
        match self {
            DeclaredLength::Raw { n_bytes: found } | DeclaredLength::Frame { declared: found } => found,
        }
    }

    fn parse(start: &[u8], n_buffer_bytes: u64) -> Result<DeclaredLength> {
        let Some((length, _)) = start.split_first_chunk::<PREFIX_BYTES>() else {
            return Err(IpcErrorKind::CompressedLength { found: start.len() as u64 }.into());
        };
        let n_bytes = n_buffer_bytes.saturating_sub(PREFIX_BYTES as u64);
        let found = i64::from_le_bytes(*length);
        match u64::try_from(found) {
            _ if found == RAW => Ok(DeclaredLength::Raw { n_bytes }),
            Ok(0) if n_bytes == 0 => Ok(DeclaredLength::Raw { n_bytes }),
            Ok(declared) => Ok(DeclaredLength::Frame { declared }),
            Err(_) => {
                Err(FormatErrorKind::Negative { what: "the uncompressed length of the buffer", found }.into())
            }
        }
    }
}

/// The number of first bytes of a compressed buffer that [`check_frame_start`] needs: the length that
/// precedes the frame, and the longest header of a frame.
pub const FRAME_START_BYTES: u64 = PREFIX_BYTES as u64 + 19;

/// Compares what the first bytes of a compressed buffer state: the length of the buffer before the frame, and the header
/// of the frame. `start` has [`FRAME_START_BYTES`] bytes, or the whole buffer if it is shorter. Does not
/// read the blocks of the frame, so their content may still contradict both. Of a codec that is not built in, checks
/// only the length.
///
/// # Errors
/// If the length is truncated or negative, or a frame in `n_buffer_bytes` bytes cannot hold it. If the header is
/// malformed, or states another length.
pub fn check_frame_start(codec: Codec, start: &[u8], n_buffer_bytes: u64) -> Result<()> {
    let DeclaredLength::Frame { declared } = DeclaredLength::parse(start, n_buffer_bytes)? else {
        return Ok(());
    };
    let Ok(frames) = frame_codec(codec) else { return Ok(()) };
    DeclaredLength::try_new(codec, start, n_buffer_bytes)?;
    let header = frames.check_header(start.get(PREFIX_BYTES..).unwrap_or_default(), declared);
    header.map_err(|error| IpcErrorKind::Frame { codec, error }.into())
}

impl CompressedBuffer {
    /// Reads the prefix of a buffer, and walks the blocks of its frame.
    ///
    /// # Errors
    /// If the codec is not built in. If the prefix is truncated or negative. If the bytes after the prefix are not
    /// exactly one frame that can hold the declared number of bytes.
    pub fn try_new(codec: Codec, bytes: Buffer) -> Result<CompressedBuffer> {
        check_available(codec)?;
        if bytes.is_empty() {
            return Ok(CompressedBuffer::Raw(bytes));
        }
        let length = DeclaredLength::parse(&bytes, bytes.len() as u64)?;
        let bytes = bytes.slice(PREFIX_BYTES..);
        match length {
            DeclaredLength::Raw { .. } => Ok(CompressedBuffer::Raw(bytes)),
            DeclaredLength::Frame { declared } => {
                Frame::try_new(codec, bytes, declared).map(CompressedBuffer::Frame)
            }
        }
    }

    /// The number of uncompressed bytes. A frame only declares it; decompressing compares it.
    pub fn n_bytes(&self) -> usize {
        match self {
            CompressedBuffer::Raw(bytes) => bytes.len(),
            CompressedBuffer::Frame(frame) => frame.n_bytes,
        }
    }

    /// The length of the decompressed frame; `None` if the buffer is stored uncompressed.
    pub(crate) fn n_frame_bytes(&self) -> Option<usize> {
        match self {
            CompressedBuffer::Raw(_) => None,
            CompressedBuffer::Frame(frame) => Some(frame.n_bytes),
        }
    }

    /// Charges the length of the decompressed frame. A buffer that is stored uncompressed costs nothing.
    ///
    /// # Errors
    /// If the budget is exceeded.
    pub fn charge(&self, budget: &mut Budget) -> Result<()> {
        Ok(budget.spend("bytes of decompressed buffers", self.n_frame_bytes().unwrap_or(0) as u64)?)
    }
}

impl Frame {
    fn try_new(codec: Codec, bytes: Buffer, declared: u64) -> Result<Frame> {
        let failed = |error| IpcErrorKind::Frame { codec, error };
        let most = frame_codec(codec)?.walk(&bytes, declared).map_err(failed)?;
        match usize::try_from(declared) {
            Ok(n_bytes) if declared <= most => Ok(Frame { bytes, n_bytes, codec }),
            _ => Err(failed(FrameError::TooSmall { declared, most }).into()),
        }
    }

    /// The number of decompressed bytes, as declared.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Decompresses the frame into `to`, which must have the declared length.
    ///
    /// # Errors
    /// If the frame is malformed, or decompresses to another length.
    pub fn decompress(&self, to: &mut [u8]) -> Result<()> {
        let decompressed = frame_codec(self.codec)?.decompress(&self.bytes, to);
        decompressed.map_err(|error| IpcErrorKind::Frame { codec: self.codec, error }.into())
    }
}

/// The implementation of a codec.
///
/// # Errors
/// If the codec is not built in.
fn frame_codec(codec: Codec) -> Result<&'static dyn FrameCodec> {
    match codec {
        #[cfg(feature = "lz4")]
        Codec::Lz4Frame => Ok(&lz4::Lz4),
        #[cfg(not(feature = "lz4"))]
        Codec::Lz4Frame => Err(unsupported("LZ4 compression: arrow-ipc was built without the feature `lz4`")),
        #[cfg(feature = "zstd")]
        Codec::Zstd => Ok(&zstd::Zstd),
        // It also makes frames.
        #[cfg(all(feature = "zstd-pure", not(feature = "zstd")))]
        Codec::Zstd => Ok(&zstd_pure::PureZstd),
        #[cfg(not(any(feature = "zstd", feature = "zstd-pure")))]
        Codec::Zstd => Err(unsupported("ZSTD compression: arrow-ipc was built without the feature `zstd`")),
    }
}

/// Checks that a codec is built in.
pub(crate) fn check_available(codec: Codec) -> Result<()> {
    frame_codec(codec).map(drop)
}

#[cfg(not(all(feature = "lz4", any(feature = "zstd", feature = "zstd-pure"))))]
fn unsupported(what: &'static str) -> crate::error::IpcError {
    let what = crate::error::UnsupportedPart::Part(what);
    FormatErrorKind::Unsupported { what }.into()
}

#[cfg(all(test, feature = "lz4", feature = "zstd"))]
mod tests;
