//! Batches that other threads read ahead. A forked process lacks these threads, and would wait for them forever.

use std::{mem::ManuallyDrop, process};

use crate::{
    data::BoxedBatches,
    error::{Result, misuse},
};

/// Batches that threads of one process read.
struct ProcessBatches {
    /// `None` after they are dropped.
    batches: Option<BoxedBatches>,
    process: u32,
}

/// Wraps batches that other threads read. Reading them in a forked process is an error.
pub(crate) fn refuse_after_fork(batches: BoxedBatches) -> BoxedBatches {
    Box::new(ProcessBatches { batches: Some(batches), process: process::id() })
}

impl ProcessBatches {
    fn is_forked(&self) -> bool {
        self.process != process::id()
    }
}

impl Iterator for ProcessBatches {
    type Item = Result<arrow_data::RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_forked() {
            let text = "the stream was opened before the process was forked, and its threads do not exist in the new \
                        process: open it again there";
            return Some(Err(misuse("Forked", text).into()));
        }
        self.batches.as_mut()?.next()
    }
}

impl Drop for ProcessBatches {
    fn drop(&mut self) {
        if self.is_forked() {
            // In a forked process, dropping the batches would wait for the threads.
            let _ = ManuallyDrop::new(self.batches.take());
        }
    }
}
