//! Counts the copies that reading makes.

use std::sync::atomic::{AtomicU64, Ordering};

use arrow_data::Repairs;

/// Counts the bytes and buffers that a reader had to copy although they were in memory.
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
    pub n_gathered_bytes: u64,
    /// The number of bytes of a file's dictionaries that were copied. Without the copy, they would keep a much larger
    /// fetched buffer in memory.
    pub n_detached_bytes: u64,
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
    n_gathered_bytes: AtomicU64,
    n_detached_bytes: AtomicU64,
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

    pub(crate) fn gathered(&self, n_bytes: u64) {
        self.n_gathered_bytes.fetch_add(n_bytes, Ordering::Relaxed);
    }

    pub(crate) fn detached(&self, n_bytes: usize) {
        self.n_detached_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
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
            n_gathered_bytes: self.n_gathered_bytes.load(Ordering::Relaxed),
            n_detached_bytes: self.n_detached_bytes.load(Ordering::Relaxed),
        }
    }
}
