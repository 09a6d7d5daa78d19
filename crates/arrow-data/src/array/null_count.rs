//! A number of nulls that is counted when first asked, beside the one that was declared.

use std::sync::atomic::{AtomicU64, Ordering};

use arrow_buffer::Bitmap;

/// Counted lazily and kept. Counting twice gives the same number, so a race between threads is harmless.
#[derive(Debug)]
pub(crate) struct NullCount {
    counted: AtomicU64,
    declared: u64,
}

const UNKNOWN: u64 = u64::MAX;

impl NullCount {
    /// Not counted yet; `declared` is what the maker of the array says.
    pub(crate) fn new(declared: Option<usize>) -> NullCount {
        NullCount { counted: AtomicU64::new(UNKNOWN), declared: declared.map_or(UNKNOWN, |n| n as u64) }
    }

    /// What was declared and has not been compared yet.
    pub(crate) fn declared(&self) -> Option<usize> {
        if self.declared == UNKNOWN { None } else { usize::try_from(self.declared).ok() }
    }

    /// Forgets what was declared, once it has been compared with the count.
    pub(crate) fn settle(&mut self) {
        self.declared = UNKNOWN;
    }

    pub(crate) fn counted_by(&self, validity: Option<&Bitmap>) -> usize {
        let Some(validity) = validity else { return 0 };
        let known = self.counted.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return usize::try_from(known).unwrap_or(usize::MAX);
        }
        let n_nulls = validity.count_unset();
        self.counted.store(n_nulls as u64, Ordering::Relaxed);
        n_nulls
    }
}

impl Clone for NullCount {
    fn clone(&self) -> NullCount {
        NullCount { counted: AtomicU64::new(self.counted.load(Ordering::Relaxed)), declared: self.declared }
    }
}
