//! Options of compression: codec, level, threads.

use std::num::NonZeroUsize;

use crate::protocol::Codec;

/// Settings for compressing the buffers of batches and dictionaries. Each buffer has its own frame.
///
/// Buffers that would not become smaller are written uncompressed; readers then share their memory.
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

    /// A codec with its default level.
    pub const fn with_codec(codec: Codec) -> Compression {
        Compression { codec, level: None, min_savings_percent: 0 }
    }

    /// The level: for Zstandard from −131,072 (fastest) to 22 (smallest), default 1. LZ4 has no levels. Writers and encoders
    /// refuse a level that the codec does not have.
    #[must_use]
    pub const fn with_level(self, level: i32) -> Compression {
        Compression { level: Some(level), ..self }
    }

    /// A buffer is compressed only if that saves this many percent of its bytes. Default 0: any saving is enough.
    #[must_use]
    pub const fn with_min_savings_percent(self, min_savings_percent: u8) -> Compression {
        Compression { min_savings_percent, ..self }
    }

    /// The format of the frames.
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// See [`with_level`](Compression::with_level); `None` for the default.
    pub const fn level(&self) -> Option<i32> {
        self.level
    }

    /// See [`with_min_savings_percent`](Compression::with_min_savings_percent).
    pub const fn min_savings_percent(&self) -> u8 {
        self.min_savings_percent
    }

    /// Whether a frame is written instead of the uncompressed bytes.
    pub(crate) fn saves_enough(&self, n_bytes: usize, n_frame_bytes: usize) -> bool {
        let (n_bytes, n_frame_bytes) = (n_bytes as u128, n_frame_bytes as u128);
        let n_percent = 100u128.saturating_sub(self.min_savings_percent.into());
        n_frame_bytes < n_bytes && n_frame_bytes * 100 <= n_bytes * n_percent
    }
}

/// The threads that compress and decompress the buffers of a large message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Threads {
    /// The threads of the calling thread's pool, or else of the global pool. Without the feature `rayon` this is the same as
    /// `One`.
    #[default]
    Pool,
    /// Only the calling thread.
    One,
}

impl Threads {
    /// Whether the calling thread belongs to a pool of `rayon`. Such a thread must not wait for a thread that uses
    /// [`Threads::Pool`], since all other threads of the pool may wait in the same way. False without the feature `rayon`.
    ///
    /// ```
    /// assert!(!arrow_ipc::Threads::is_in_pool());
    /// ```
    pub fn is_in_pool() -> bool {
        #[cfg(feature = "rayon")]
        return rayon::current_thread_index().is_some();
        #[cfg(not(feature = "rayon"))]
        false
    }

    /// Makes the global pool of `rayon` with this many threads, unless the pool exists. It has fewer threads if the
    /// system refuses some. With one thread, the pool is the calling thread. Without this call, the pool is made when
    /// it is first needed, with a thread for each processor. The call has no effect without the feature `rayon`.
    ///
    /// ```
    /// arrow_ipc::Threads::make_pool(std::num::NonZero::<usize>::MIN);
    /// assert_eq!(arrow_ipc::Threads::n_available(), 1);
    /// ```
    pub fn make_pool(n_threads: NonZeroUsize) {
        #[cfg(feature = "rayon")]
        super::pool::make_global(n_threads);
        #[cfg(not(feature = "rayon"))]
        let _ = n_threads;
    }

    /// The number of threads that the calling thread may start as helpers, whose results it takes: the number of
    /// threads in the global pool of `rayon`. The number is 1 in a thread of a pool, if the system refuses threads for
    /// a pool, and without the feature `rayon`.
    ///
    /// ```
    /// assert!(arrow_ipc::Threads::n_available() >= 1);
    /// ```
    pub fn n_available() -> usize {
        #[cfg(feature = "rayon")]
        if !Threads::is_in_pool() {
            return super::pool::n_threads();
        }
        1
    }
}
