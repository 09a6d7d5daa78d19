//! Counts the copies that reading makes, and what is unusual in messages.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrow_data::{Repairs, Validation};
use arrow_ipc_format::FormatError;

use crate::error::Result;

/// Counts the bytes and buffers that a reader had to copy although they were in memory, and says what was unusual in the
/// messages that it decoded.
///
/// Data in memory or in a memory map is read without copies if it is uncompressed, aligned to 8 bytes, and in the byte
/// order of this machine. Deltas of dictionaries, and buffers that must be repaired, are still copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadStats {
    /// The number of buffers that were copied because they were not aligned for their elements.
    pub n_realigned_buffers: u64,
    /// The total length of the realigned buffers, in bytes.
    pub n_realigned_bytes: u64,
    /// The number of buffers that were copied to change their byte order to the byte order of this machine.
    pub n_swapped_buffers: u64,
    /// The total length of the swapped buffers, in bytes.
    pub n_swapped_bytes: u64,
    /// The number of buffers that were made to replace invalid values in null slots.
    pub n_repaired_buffers: u64,
    /// The total length of the repaired buffers, in bytes.
    pub n_repaired_bytes: u64,
    /// The number of bytes of dictionaries that were copied to append deltas.
    pub n_joined_bytes: u64,
    /// The number of buffers that were decompressed. Uncompressed buffers of a compressed body do not count.
    pub n_decompressed_buffers: u64,
    /// The total length of the decompressed buffers, in bytes, after decompression.
    pub n_decompressed_bytes: u64,
    /// The number of bytes that were copied because they were not contiguous in memory. In a stream, these are messages
    /// that arrived in several buffers or reads. In a file, these are ranges that were provided in several buffers.
    pub n_reassembled_bytes: u64,
    /// The number of bytes of a file's dictionaries that were copied. Without the copy, they would keep a much larger
    /// fetched buffer in memory.
    pub n_detached_bytes: u64,
    /// Whether a batch or dictionary had an empty validity buffer for a column without a validity bitmap. pyarrow wrote
    /// one up to 25 for each field of an extension type whose storage is null, a union or run-end encoded, and writes one
    /// for run-end encoded columns in metadata V4. Other readers may misread the columns after such a column.
    pub has_extra_validity: bool,
    /// Whether a batch or dictionary had another metadata version than the schema message, or, in a file, than the schema
    /// in the footer.
    pub has_other_version: bool,
    /// Whether a name, a time zone or custom metadata was not UTF-8. It was [escaped](arrow_schema::decode_text).
    pub has_text_not_utf8: bool,
}

/// [`ReadStats`] that several threads update.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    n_realigned_buffers: AtomicU64,
    n_realigned_bytes: AtomicU64,
    n_swapped_buffers: AtomicU64,
    n_swapped_bytes: AtomicU64,
    n_repaired_buffers: AtomicU64,
    n_repaired_bytes: AtomicU64,
    n_joined_bytes: AtomicU64,
    n_decompressed_buffers: AtomicU64,
    n_decompressed_bytes: AtomicU64,
    n_reassembled_bytes: AtomicU64,
    n_detached_bytes: AtomicU64,
    has_extra_validity: AtomicBool,
    has_other_version: AtomicBool,
    has_text_not_utf8: AtomicBool,
}

impl Counters {
    pub(crate) fn realigned(&self, n_bytes: usize) {
        self.n_realigned_buffers.fetch_add(1, Ordering::Relaxed);
        self.n_realigned_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn swapped(&self, n_bytes: usize) {
        self.n_swapped_buffers.fetch_add(1, Ordering::Relaxed);
        self.n_swapped_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn repaired(&self, repairs: &Repairs) {
        if repairs.n_buffers() > 0 {
            self.n_repaired_buffers.fetch_add(repairs.n_buffers(), Ordering::Relaxed);
            self.n_repaired_bytes.fetch_add(repairs.n_bytes(), Ordering::Relaxed);
        }
    }

    pub(crate) fn joined(&self, n_bytes: u64) {
        self.n_joined_bytes.fetch_add(n_bytes, Ordering::Relaxed);
    }

    pub(crate) fn decompressed(&self, n_bytes: usize) {
        self.n_decompressed_buffers.fetch_add(1, Ordering::Relaxed);
        self.n_decompressed_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
    }

    #[cfg(feature = "file")]
    pub(crate) fn gathered(&self, n_bytes: u64) {
        self.n_reassembled_bytes.fetch_add(n_bytes, Ordering::Relaxed);
    }

    #[cfg(feature = "file")]
    pub(crate) fn detached(&self, n_bytes: usize) {
        self.n_detached_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn extra_validity(&self) {
        self.has_extra_validity.store(true, Ordering::Relaxed);
    }

    pub(crate) fn other_version(&self) {
        self.has_other_version.store(true, Ordering::Relaxed);
    }

    /// Takes the result of a check whether text is UTF-8.
    ///
    /// # Errors
    /// If it is not, and `level` is strict.
    pub(crate) fn utf8(
        &self,
        checked: std::result::Result<(), FormatError>,
        level: Validation,
    ) -> Result<()> {
        let Err(error) = checked else { return Ok(()) };
        self.has_text_not_utf8.store(true, Ordering::Relaxed);
        if level == Validation::Strict { Err(error.into()) } else { Ok(()) }
    }

    pub(crate) fn snapshot(&self) -> ReadStats {
        ReadStats {
            n_realigned_buffers: self.n_realigned_buffers.load(Ordering::Relaxed),
            n_realigned_bytes: self.n_realigned_bytes.load(Ordering::Relaxed),
            n_swapped_buffers: self.n_swapped_buffers.load(Ordering::Relaxed),
            n_swapped_bytes: self.n_swapped_bytes.load(Ordering::Relaxed),
            n_repaired_buffers: self.n_repaired_buffers.load(Ordering::Relaxed),
            n_repaired_bytes: self.n_repaired_bytes.load(Ordering::Relaxed),
            n_joined_bytes: self.n_joined_bytes.load(Ordering::Relaxed),
            n_decompressed_buffers: self.n_decompressed_buffers.load(Ordering::Relaxed),
            n_decompressed_bytes: self.n_decompressed_bytes.load(Ordering::Relaxed),
            n_reassembled_bytes: self.n_reassembled_bytes.load(Ordering::Relaxed),
            n_detached_bytes: self.n_detached_bytes.load(Ordering::Relaxed),
            has_extra_validity: self.has_extra_validity.load(Ordering::Relaxed),
            has_other_version: self.has_other_version.load(Ordering::Relaxed),
            has_text_not_utf8: self.has_text_not_utf8.load(Ordering::Relaxed),
        }
    }
}
