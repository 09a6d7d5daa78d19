//! The batches of a file, read and checked by several threads.

use std::{
    convert::Infallible,
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use arrow_ipc::{FileReader, IpcError, Threads};

use crate::{
    error::{ToolError, ToolErrorKind},
    name::InputName,
    observer::Pass,
    parts::{PartError, take_parts},
    queue::queue,
    source::SharedSource,
};

/// Reads and checks all batches, and returns how many rows they have. Each thread takes the next batch that none has taken.
///
/// A thread of a pool does it alone: it must not wait for others that use the pool.
///
/// # Errors
/// That of the first batch, in the order of the footer, that cannot be read or is not valid; if the observer stops the work.
pub(super) fn check_batches(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    n_threads: NonZeroUsize,
    pass: &mut Pass<'_>,
) -> Result<u64, ToolError> {
    let failed = |batch_idx, error| ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx, error });
    let n_batches = reader.n_batches();
    let mut n_rows: u64 = 0;
    if n_threads.get().min(n_batches) < 2 || Threads::is_in_pool() {
        for batch_idx in 0..n_batches {
            let rows =
                check_batch((reader, batch_idx), n_threads).map_err(|error| failed(batch_idx, error))?;
            n_rows = n_rows.saturating_add(rows);
            pass.set((batch_idx as u64).saturating_add(1))?;
        }
        return Ok(n_rows);
    }
    let n_threads = n_threads.get().min(n_batches);
    let next = AtomicUsize::new(0);
    let (send, checked) = queue(n_threads);
    let mut stopped = Ok(());
    let mut first_error: Option<(usize, IpcError)> = None;
    thread::scope(|scope| {
        for _ in 0..n_threads {
            let (next, send) = (&next, send.clone());
            scope.spawn(move || {
                loop {
                    let batch_idx = next.fetch_add(1, Ordering::Relaxed);
                    if batch_idx >= n_batches {
                        break;
                    }
                    let rows = check_batch((reader, batch_idx), NonZeroUsize::MIN);
                    if send.send((batch_idx, rows)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut n_done: u64 = 0;
        for (batch_idx, rows) in checked {
            n_done = n_done.saturating_add(1);
            match rows {
                Ok(rows) => n_rows = n_rows.saturating_add(rows),
                Err(error) if first_error.as_ref().is_none_or(|(first, _)| batch_idx < *first) => {
                    first_error = Some((batch_idx, error));
                }
                Err(_) => {}
            }
            if first_error.is_none() && stopped.is_ok() {
                stopped = pass.set(n_done);
            }
            if first_error.is_some() || stopped.is_err() {
                // No thread takes another one. All before an invalid one have been taken, and are waited for.
                next.store(n_batches, Ordering::Relaxed);
            }
        }
    });
    stopped?;
    match first_error {
        Some((batch_idx, error)) => Err(failed(batch_idx, error)),
        None => Ok(n_rows),
    }
}

/// Reads and checks a batch, and returns how many rows it has. Several threads do if it is large.
///
/// # Errors
/// If it cannot be read or is not valid.
pub(super) fn check_batch(
    (reader, batch_idx): (&FileReader<SharedSource>, usize),
    n_threads: NonZeroUsize,
) -> Result<u64, IpcError> {
    let n_threads = if Threads::is_in_pool() { NonZeroUsize::MIN } else { n_threads };
    match take_parts((reader, batch_idx), n_threads, |_, _| Ok::<_, Infallible>(())) {
        Ok(Some(n_rows)) => Ok(n_rows),
        Ok(None) => Ok(reader.batch(batch_idx)?.n_rows() as u64),
        Err(PartError::Read(error)) => Err(error),
        Err(PartError::Taking(never)) => match never {},
    }
}
