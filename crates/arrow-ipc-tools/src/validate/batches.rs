//! Checks the batches of a file with several threads.

use std::{convert::Infallible, num::NonZeroUsize};

use arrow_ipc::{FileReader, IpcError, Threads};
use arrow_ipc_statistics::{FileStatistics, StatisticsCheck};
use arrow_threads::{ResultSink, in_order};

use crate::{
    error::{Contradiction, InputContext, ToolError, ToolErrorKind, name::InputName},
    observer::Pass,
    rows::{
        parts::{PartError, take_parts},
        prefetch::SelectedBatch,
        row_window::RowWindow,
    },
    source::SharedSource,
};

/// The results of checking one batch, or all batches of a file.
pub(super) struct CheckedBatches {
    pub(super) n_rows: u64,
    /// The first batch that contradicts the statistics in the footer.
    pub(super) wrong: Option<Contradiction>,
}

/// Reads and checks all batches, and compares them with the statistics in the footer. Returns the number of rows, and the
/// first contradiction. Several threads check different batches at the same time. If there is only one batch, they share
/// it.
///
/// If the calling thread belongs to a thread pool, it checks all batches alone, because it must not wait for other
/// threads of the pool.
///
/// # Errors
/// The error of the first invalid batch in the order of the footer. If the observer stops the work.
pub(super) fn check_batches(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    n_threads: NonZeroUsize,
    statistics: Option<&FileStatistics>,
    pass: &mut Pass<'_>,
) -> Result<CheckedBatches, ToolError> {
    let n_batches = reader.n_batches();
    let n_at_once = if Threads::is_in_pool() { 1 } else { n_threads.get().min(n_batches) };
    let n_of_batch = if n_at_once < 2 { n_threads } else { NonZeroUsize::MIN };
    let check = |selected: Result<SelectedBatch, ToolErrorKind>, give: ResultSink<'_, _>| {
        let checked = selected.and_then(|batch| {
            let batch_idx = batch.batch_idx();
            let checked = check_with_statistics(batch, n_of_batch, statistics);
            checked.map_err(|error| ToolErrorKind::Batch { batch_idx, error })
        });
        give(checked);
    };
    let mut found = CheckedBatches { n_rows: 0, wrong: None };
    let mut n_done = 0u64;
    in_order(n_at_once, 0, RowWindow::ALL.batches_in(reader), check, |checked| {
        let checked = checked.in_input(name)?;
        n_done = n_done.saturating_add(1);
        found.n_rows = found.n_rows.saturating_add(checked.n_rows);
        found.wrong = found.wrong.take().or(checked.wrong);
        pass.set(n_done)
    })?;
    Ok(found)
}

/// The statistics in the footer; `None` if the footer has none.
///
/// # Errors
/// If the statistics cannot be read.
pub(super) fn statistics_of(
    reader: &FileReader<SharedSource>,
) -> Result<Option<FileStatistics>, Contradiction> {
    // Statistics in an unknown format are ignored.
    if reader.footer().statistics().is_none() {
        return Ok(None);
    }
    FileStatistics::from_footer(reader.footer()).map(Some).ok_or(Contradiction::NoStatistics)
}

/// Reads and checks a batch, and compares it with the statistics. A large batch is read a second time to compare it,
/// some rows at a time.
fn check_with_statistics(
    batch: SelectedBatch,
    n_threads: NonZeroUsize,
    statistics: Option<&FileStatistics>,
) -> Result<CheckedBatches, IpcError> {
    let Some(statistics) = statistics else {
        return Ok(CheckedBatches { n_rows: check_batch(batch, n_threads)?, wrong: None });
    };
    check_large(&batch, n_threads)?;
    let batch_idx = batch.batch_idx();
    let mut n_rows = 0_u64;
    let mut check = Ok(statistics.begin_check(batch_idx));
    for rows in batch.in_windows() {
        let rows = rows?;
        n_rows = n_rows.saturating_add(rows.n_rows() as u64);
        check = check.and_then(|mut check| check.add(&rows).map(|()| check));
    }
    let wrong = check.and_then(StatisticsCheck::finish).err();
    let wrong = wrong.map(|error| Contradiction::Statistics { batch_idx, error });
    Ok(CheckedBatches { n_rows, wrong })
}

/// Reads and checks a batch, and returns its number of rows. Several threads share a large batch.
///
/// # Errors
/// If the batch cannot be read or is not valid.
pub(crate) fn check_batch(batch: SelectedBatch, n_threads: NonZeroUsize) -> Result<u64, IpcError> {
    match check_large(&batch, n_threads)? {
        Some(n_rows) => Ok(n_rows),
        None => Ok(batch.read()?.batch.n_rows() as u64),
    }
}

/// Reads and checks a large batch in parts, and returns its number of rows; `None` if the batch is not large.
fn check_large(batch: &SelectedBatch, n_threads: NonZeroUsize) -> Result<Option<u64>, IpcError> {
    let n_threads = if Threads::is_in_pool() { NonZeroUsize::MIN } else { n_threads };
    take_parts(batch, n_threads, |_, _| Ok::<_, Infallible>(())).map_err(|error| match error {
        PartError::Read(error) => error,
        PartError::Taking(never) => match never {},
    })
}
