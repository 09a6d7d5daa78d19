//! Reads large batches in parts, to save memory. A part has some of the columns, and some of their rows.

use std::{
    iter,
    num::NonZero,
    sync::{Mutex, PoisonError},
};

use arrow_data::RecordBatch;
use arrow_ipc::{IpcError, file::BatchParts};
use arrow_threads::by_threads;

use crate::{
    rows::prefetch::{SelectedBatch, bytes_at_once},
    source::SharedSource,
};

/// The approximate number of decompressed bytes in a part. Each thread has one part in memory.
const PART_BYTES: u64 = 4 << 20;

pub(crate) enum PartError<E> {
    Read(IpcError),
    /// The function that receives the parts has returned an error.
    Taking(E),
}

/// Reads a large batch in parts, and passes each to `take`. A part has some rows of some columns. `take` receives the
/// index of the part's first column, and the part. Several threads call `take` with parts of different columns, in
/// any order. Returns the number of rows of the batch; `None` if the batch is not large, or if some of its rows are
/// not selected.
///
/// # Errors
/// If the batch cannot be read or is invalid. If `take` fails.
pub(crate) fn take_parts<E: Send>(
    batch: &SelectedBatch,
    n_threads: NonZero<usize>,
    take: impl Fn(usize, &RecordBatch) -> Result<(), E> + Sync,
) -> Result<Option<u64>, PartError<E>> {
    if !batch.is_large() || !batch.is_whole() {
        return Ok(None);
    }
    let reader = batch.reader();
    let batch_idx = batch.batch_idx();
    // If requests have a high latency, all threads together read the number of bytes that one thread would read at
    // once.
    let part_bytes = PART_BYTES.max(bytes_at_once(reader, 0) / n_threads.get() as u64);
    // After an error here, the caller reads the whole batch, and returns the error of that read.
    let parts = reader
        .n_rows_of(batch_idx)
        .and_then(|n_rows| Ok((n_rows, reader.parts_of(batch_idx, 0..n_rows, part_bytes)?.by_columns()?)));
    // A batch without columns has no parts. The caller reads it as a whole.
    let Some((n_rows, parts)) = parts.ok().filter(|(_, parts)| !parts.is_empty()) else { return Ok(None) };
    let n_threads = n_threads.get().min(parts.len());
    match each_by_threads(n_threads, parts.into_iter(), |part| take_part(part, &take)) {
        Ok(()) => Ok(Some(n_rows)),
        Err(PartError::Read(error)) => Err(PartError::Read(batch.error_of_whole(error))),
        Err(error) => Err(error),
    }
}

/// Calls `work` for each job, on up to `n_threads` threads. After an error, starts no more jobs.
pub(crate) fn each_by_threads<J, E: Send>(
    n_threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let left = Mutex::new(Some(jobs.fuse()));
    let left = || left.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || left().as_mut().and_then(Iterator::next);
    let all = || iter::from_fn(next).try_for_each(&work).inspect_err(|_| *left() = None);
    by_threads(n_threads, all).into_iter().collect()
}

fn take_part<E>(
    mut part: BatchParts<SharedSource>,
    take: impl Fn(usize, &RecordBatch) -> Result<(), E>,
) -> Result<(), PartError<E>> {
    let first = part.columns().start;
    part.try_for_each(|rows| take(first, &rows.map_err(PartError::Read)?).map_err(PartError::Taking))
}
