//! The number of nulls: counted at the first call, or declared and not yet checked.

use std::sync::atomic::{AtomicU64, Ordering};

use arrow_buffer::Bitmap;

/// The null count in one word: unknown, declared or counted. Two threads that count at the same time store the same
/// number, so the race is harmless.
#[derive(Debug)]
pub(crate) struct NullCount(AtomicU64);

const UNKNOWN: u64 = u64::MAX;
/// The bit that marks a declared number that has not been checked. No bitmap in memory has `1 << 63` bits.
const DECLARED: u64 = 1 << 63;

impl NullCount {
    /// A number that has not been counted. `declared` is the number that the source of the array declares.
    #[inline]
    pub(crate) fn new(declared: Option<usize>) -> NullCount {
        NullCount(AtomicU64::new(declared.map_or(UNKNOWN, |n| n as u64 | DECLARED)))
    }

    pub(crate) fn counted(null_count: usize) -> NullCount {
        NullCount(AtomicU64::new(null_count as u64))
    }

    /// The declared number, if it has not been checked.
    pub(crate) fn declared(&self) -> Option<usize> {
        let state = self.0.load(Ordering::Relaxed);
        if state == UNKNOWN || state & DECLARED == 0 { None } else { usize::try_from(state & !DECLARED).ok() }
    }

    pub(crate) fn is_counted(&self) -> bool {
        self.0.load(Ordering::Relaxed) & DECLARED == 0
    }

    pub(crate) fn counted_by(&self, validity: Option<&Bitmap>) -> usize {
        let state = self.0.load(Ordering::Relaxed);
        if state & DECLARED == 0 {
            return usize::try_from(state).unwrap_or(usize::MAX);
        }
        let null_count = validity.map_or(0, Bitmap::count_unset);
        // A wrong declared number stays stored, so that the content check can report it.
        if state == UNKNOWN || state == null_count as u64 | DECLARED {
            self.0.store(null_count as u64, Ordering::Relaxed);
        }
        null_count
    }
}

impl Clone for NullCount {
    fn clone(&self) -> NullCount {
        NullCount(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}
