//! The batches of a file, read and checked by several threads.

use std::{convert::Infallible, num::NonZeroUsize};

use arrow_ipc::{FileReader, IpcError, RowCounts, Threads};
use arrow_ipc_statistics::FileStatistics;

use crate::{
    ahead::WantedBatch,
    contradiction::Contradiction,
    error::{ToolError, ToolErrorKind},
    in_order::{Give, in_order},
    name::InputName,
    observer::Pass,
    parts::{PartError, take_parts},
    row_window::RowWindow,
    source::SharedSource,
};

/// Reads and checks all batches, and returns how many rows they have. Several batches are checked at the same time, or one by several threads.
///
/// A thread of a pool does all of it alone, since it must not wait for others that use the pool.
///
/// # Errors
/// The error of the first batch, in the order of the footer, that cannot be read or is not valid. If the observer stops
/// the work.
pub(super) fn check_batches(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    n_threads: NonZeroUsize,
    pass: &mut Pass<'_>,
) -> Result<u64, ToolError> {
    let failed = |batch_idx, error| ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx, error });
    let n_batches = reader.n_batches();
    let n_at_once = if Threads::is_in_pool() { 1 } else { n_threads.get().min(n_batches) };
    let n_of_batch = if n_at_once < 2 { n_threads } else { NonZeroUsize::MIN };
    let check = |wanted: Result<WantedBatch, (usize, IpcError)>, give: Give<'_, _>| {
        let checked = wanted.and_then(|batch| {
            let batch_idx = batch.batch_idx();
            check_batch(batch, n_of_batch).map_err(|error| (batch_idx, error))
        });
        give(checked);
    };
    let (mut n_rows, mut n_done) = (0u64, 0u64);
    in_order(n_at_once, RowWindow::ALL.of_file(reader), check, |checked| {
        let rows = checked.map_err(|(batch_idx, error)| failed(batch_idx, error))?;
        (n_rows, n_done) = (n_rows.saturating_add(rows), n_done.saturating_add(1));
        pass.set(n_done)
    })?;
    Ok(n_rows)
}

/// Compares the statistics in the footer, if there are any, with the batches, which are read once more.
///
/// # Errors
/// If a batch cannot be read. If the observer stops the work.
pub(super) fn check_statistics(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    pass: &mut Pass<'_>,
) -> Result<Option<Contradiction>, ToolError> {
    let metadata = reader.footer().metadata();
    if metadata.get(RowCounts::STATISTICS_KEY).is_none() {
        return Ok(None);
    }
    let Some(known) = FileStatistics::of_footer(reader.footer()) else {
        return Ok(Some(Contradiction::NoStatistics));
    };
    for wanted in RowWindow::ALL.of_file(reader) {
        let failed =
            |batch_idx, error| ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx, error });
        let wanted = wanted.map_err(|(batch_idx, error)| failed(batch_idx, error))?;
        let batch_idx = wanted.batch_idx();
        let mut check = known.begin_check(batch_idx);
        for rows in wanted.in_windows() {
            if let Err(error) = check.add(&rows.map_err(|error| failed(batch_idx, error))?) {
                return Ok(Some(Contradiction::Statistics { batch_idx, error }));
            }
            pass.set(reader.n_batches() as u64)?;
        }
        if let Err(error) = check.finish() {
            return Ok(Some(Contradiction::Statistics { batch_idx, error }));
        }
    }
    Ok(None)
}

/// Reads and checks a batch, and returns how many rows it has. Several threads share the work if the batch is large.
///
/// # Errors
/// If it cannot be read or is not valid.
pub(crate) fn check_batch(batch: WantedBatch, n_threads: NonZeroUsize) -> Result<u64, IpcError> {
    let n_threads = if Threads::is_in_pool() { NonZeroUsize::MIN } else { n_threads };
    match take_parts(&batch, n_threads, |_, _| Ok::<_, Infallible>(())) {
        Ok(Some(n_rows)) => Ok(n_rows),
        Ok(None) => Ok(batch.read()?.batch.n_rows() as u64),
        Err(PartError::Read(error)) => Err(error),
        Err(PartError::Taking(never)) => match never {},
    }
}
