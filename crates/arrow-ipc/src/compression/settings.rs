//! Options of compression: the codec, its level, and the minimum savings.

use arrow_ipc_format::Codec;

/// Sets how the buffers of batches and dictionaries are compressed. Each buffer has its own frame.
///
/// A buffer that compression does not make smaller is written uncompressed, so readers need not copy it.
///
/// ```
/// use arrow_ipc::{Compression, WriteOptions};
///
/// let options = WriteOptions::default().with_compression(Compression::zstd().with_level(3));
/// # assert_eq!(options.compression().and_then(|compression| compression.level()), Some(3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compression {
    codec: Codec,
    level: Option<i32>,
    min_savings_percent: u8,
}

impl Compression {
    /// Compresses with LZ4, which is the fastest to read. Needs the feature `lz4`.
    pub const fn lz4() -> Compression {
        Compression::with_codec(Codec::Lz4Frame)
    }

    /// Compresses with Zstandard, which makes the smallest buffers. Needs the feature `zstd`.
    pub const fn zstd() -> Compression {
        Compression::with_codec(Codec::Zstd)
    }

    /// Sets a codec and its default level.
    pub const fn with_codec(codec: Codec) -> Compression {
        Compression { codec, level: None, min_savings_percent: 0 }
    }

    /// Sets the level: for Zstandard from −131,072 (fastest) to 22 (smallest), default 1. LZ4 has no levels. Writers and
    /// encoders return an error for a level that the codec does not have.
    #[must_use]
    pub const fn with_level(self, level: i32) -> Compression {
        Compression { level: Some(level), ..self }
    }

    /// Sets the minimum savings, in percent of the bytes of a buffer. If compression saves less, the buffer is written
    /// uncompressed. Default 0: any saving is enough.
    #[must_use]
    pub const fn with_min_savings_percent(self, min_savings_percent: u8) -> Compression {
        Compression { min_savings_percent, ..self }
    }

    /// The codec that compresses the buffers.
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// The level that [`with_level`](Compression::with_level) has set; `None` for the default level.
    pub const fn level(&self) -> Option<i32> {
        self.level
    }

    /// The minimum savings, in percent of the bytes of a buffer; 0 by default.
    pub const fn min_savings_percent(&self) -> u8 {
        self.min_savings_percent
    }

    /// Whether a frame of this length is written instead of the uncompressed bytes.
    pub(crate) fn saves_enough(&self, n_bytes: usize, n_frame_bytes: usize) -> bool {
        let n_bytes = n_bytes as u128;
        let n_frame_bytes = n_frame_bytes as u128;
        let n_percent = 100u128.saturating_sub(self.min_savings_percent.into());
        n_frame_bytes < n_bytes && n_frame_bytes * 100 <= n_bytes * n_percent
    }
}
