//! The batches of a file, read and checked by several threads.

use std::{convert::Infallible, num::NonZeroUsize};

use arrow_ipc::{FileReader, IpcError, Threads};
use arrow_ipc_dataset::threads::{Give, in_order};
use arrow_ipc_statistics::FileStatistics;

use crate::{
    ahead::WantedBatch,
    contradiction::Contradiction,
    error::{ToolError, ToolErrorKind},
    name::InputName,
    observer::Pass,
    parts::{PartError, take_parts},
    row_window::RowWindow,
    source::SharedSource,
};

/// Reads and checks all batches, and compares known statistics with them. Returns how many rows the batches have, and
/// the first contradiction. Threads check several batches at the same time; if there is only one, they share its work.
///
/// A thread of a pool does all the work alone, since it must not wait for other threads of the pool.
///
/// # Errors
/// The error of the first batch, in the order of the footer, that cannot be read or is not valid. If the observer stops
/// the work.
pub(super) fn check_batches(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    n_threads: NonZeroUsize,
    known: Option<&FileStatistics>,
    pass: &mut Pass<'_>,
) -> Result<(u64, Option<Contradiction>), ToolError> {
    let failed = |batch_idx, error| ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx, error });
    let n_batches = reader.n_batches();
    let n_at_once = if Threads::is_in_pool() { 1 } else { n_threads.get().min(n_batches) };
    let n_of_batch = if n_at_once < 2 { n_threads } else { NonZeroUsize::MIN };
    let check = |wanted: Result<WantedBatch, (usize, IpcError)>, give: Give<'_, _>| {
        let checked = wanted.and_then(|batch| {
            let batch_idx = batch.batch_idx();
            check_known(batch, n_of_batch, known).map_err(|error| (batch_idx, error))
        });
        give(checked);
    };
    let (mut n_rows, mut n_done, mut contradiction) = (0u64, 0u64, None);
    in_order(n_at_once, RowWindow::ALL.of_file(reader), check, |checked| {
        let checked = checked.map_err(|(batch_idx, error)| failed(batch_idx, error))?;
        (n_rows, n_done) = (n_rows.saturating_add(checked.n_rows), n_done.saturating_add(1));
        contradiction = contradiction.take().or(checked.contradiction);
        pass.set(n_done)
    })?;
    Ok((n_rows, contradiction))
}

/// The statistics in the footer; `None` if there are none.
///
/// # Errors
/// If they cannot be read.
pub(super) fn statistics_of(
    reader: &FileReader<SharedSource>,
) -> Result<Option<FileStatistics>, Contradiction> {
    // Statistics of another version are ignored.
    if reader.footer().statistics().is_none() {
        return Ok(None);
    }
    FileStatistics::of_footer(reader.footer()).map(Some).ok_or(Contradiction::NoStatistics)
}

/// The result of checking a batch.
struct CheckedBatch {
    n_rows: u64,
    /// How the statistics of the footer contradict the batch.
    contradiction: Option<Contradiction>,
}

/// Reads and checks a batch, and compares the statistics in the footer with it. To compare them, a large batch is read
/// a second time, in windows.
fn check_known(
    batch: WantedBatch,
    n_threads: NonZeroUsize,
    known: Option<&FileStatistics>,
) -> Result<CheckedBatch, IpcError> {
    let Some(known) = known else {
        return Ok(CheckedBatch { n_rows: check_batch(batch, n_threads)?, contradiction: None });
    };
    check_large(&batch, n_threads)?;
    let batch_idx = batch.batch_idx();
    let (mut n_rows, mut check, mut wrong) = (0_u64, known.begin_check(batch_idx), None);
    for rows in batch.in_windows() {
        let rows = rows?;
        n_rows = n_rows.saturating_add(rows.n_rows() as u64);
        wrong = wrong.or_else(|| check.add(&rows).err());
    }
    let wrong = wrong.or_else(|| check.finish().err());
    let contradiction = wrong.map(|error| Contradiction::Statistics { batch_idx, error });
    Ok(CheckedBatch { n_rows, contradiction })
}

/// Reads and checks a batch, and returns how many rows it has. Several threads share the work if the batch is large.
///
/// # Errors
/// If it cannot be read or is not valid.
pub(crate) fn check_batch(batch: WantedBatch, n_threads: NonZeroUsize) -> Result<u64, IpcError> {
    match check_large(&batch, n_threads)? {
        Some(n_rows) => Ok(n_rows),
        None => Ok(batch.read()?.batch.n_rows() as u64),
    }
}

/// Reads and checks a large batch in parts, and returns how many rows it has; `None` if it is not large.
fn check_large(batch: &WantedBatch, n_threads: NonZeroUsize) -> Result<Option<u64>, IpcError> {
    let n_threads = if Threads::is_in_pool() { NonZeroUsize::MIN } else { n_threads };
    take_parts(batch, n_threads, |_, _| Ok::<_, Infallible>(())).map_err(|error| match error {
        PartError::Read(error) => error,
        PartError::Taking(never) => match never {},
    })
}
