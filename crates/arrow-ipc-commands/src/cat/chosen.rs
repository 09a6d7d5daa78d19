//! Chosen rows of a file. The bytes that several batches need for their rows are fetched together.

use std::{io::Write, iter, ops::Range};

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError};
use arrow_ipc_tools::{BatchCounts, SharedSource, ToolError, ToolErrorKind, Unit};

use super::{printer::Printer, set_length};
use crate::{
    exit::{Failure, Status},
    watcher::Watcher,
};

/// Batches with bodies up to this length are read whole.
const SMALL_BODY_BYTES: u64 = 4 << 20;

pub(super) fn show_of_file(
    name: &arrow_ipc_tools::InputName,
    reader: &FileReader<SharedSource>,
    file: &SharedSource,
    first_row: u64,
    wanted: &[u64],
    printer: &mut Printer<impl Write + Send>,
) -> Result<Status, Failure> {
    set_length(name, file, printer)?;
    let (parts, located) = locate(reader, wanted);
    let mut watcher = Watcher::of_output();
    watcher.begin(Unit::Batches, Some(reader.n_batches() as u64));
    let mut left = parts.as_slice();
    while !left.is_empty() {
        let read = read_together(reader, left);
        let (now, later) = left.split_at(read.len().min(left.len()));
        for (part, read) in now.iter().zip(read) {
            let OfBatch { batch_idx, start, rows } = part;
            let failed = |error| of_batch(name, (*batch_idx, error));
            let mut show = |row: u64, values| {
                printer.continue_at(first_row.saturating_add(*start).saturating_add(row));
                printer.batch(values)
            };
            match read {
                Some(read) => put_each(&read, rows, &mut show)?,
                None => each_row(reader, *batch_idx, rows, failed, show)?,
            }
            watcher.set(*batch_idx as u64 + 1);
        }
        left = later;
    }
    located.map_err(|error| of_batch(name, error))?;
    Ok(Status::Fine)
}

fn of_batch(name: &arrow_ipc_tools::InputName, (batch_idx, error): (usize, IpcError)) -> ToolError {
    ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx, error })
}

/// The wanted rows of a batch.
struct OfBatch {
    batch_idx: usize,
    /// The number of its first row.
    start: u64,
    /// The rows in order, counted from the first row of the batch.
    rows: Vec<u64>,
}

/// The batches that have these rows. If the rows of a batch cannot be counted, these are the batches before it, with
/// the error.
fn locate(
    reader: &FileReader<SharedSource>,
    wanted: &[u64],
) -> (Vec<OfBatch>, Result<(), (usize, IpcError)>) {
    let end_of_all = wanted.last().map_or(0, |row| row.saturating_add(1));
    let mut wanted = wanted.iter().copied().peekable();
    let (mut start, mut counts, n_batches) = (0u64, BatchCounts::default(), reader.n_batches());
    let mut found = Vec::new();
    for batch_idx in 0..n_batches {
        if wanted.peek().is_none() {
            break;
        }
        let left = end_of_all.saturating_sub(start);
        let end = match counts.n_rows_of(reader, batch_idx..n_batches, left) {
            Ok(n_rows) => start.saturating_add(n_rows),
            Err(error) => return (found, Err((batch_idx, error))),
        };
        let rows = iter::from_fn(|| wanted.next_if(|row| *row < end));
        let rows: Vec<u64> = rows.map(|row| row.saturating_sub(start)).collect();
        if !rows.is_empty() {
            found.push(OfBatch { batch_idx, start, rows });
        }
        start = end;
    }
    (found, Ok(()))
}

/// The rows of the first of these batches, with the rows between them. Nothing is read for batches whose rows are read
/// one by one.
fn read_together(reader: &FileReader<SharedSource>, parts: &[OfBatch]) -> Vec<Option<RecordBatch>> {
    let together = parts.iter().take_while(|part| !are_apart(reader, part.batch_idx, &part.rows));
    let ranges: Vec<(usize, Range<u64>)> =
        together.map(|part| (part.batch_idx, around(&part.rows))).collect();
    match reader.rows_of_each(&ranges) {
        Ok(read) if !read.is_empty() => read.into_iter().map(Some).collect(),
        // An error is that of the batch which has it.
        Ok(_) | Err(_) => iter::repeat_with(|| None).take(ranges.len().max(1)).collect(),
    }
}

/// The range from the first of these rows to the last. The rows are in order.
fn around(rows: &[u64]) -> Range<u64> {
    let [first, last] = [rows.first(), rows.last()].map(|row| row.copied().unwrap_or(0));
    first..last.saturating_add(1)
}

/// Passes on each of these rows as a batch of one row, from a batch with these rows and those between them.
fn put_each<E>(
    read: &RecordBatch,
    rows: &[u64],
    mut put: impl FnMut(u64, RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    let first = around(rows).start;
    rows.iter().try_for_each(|row| put(*row, one_row(read, row.saturating_sub(first))))
}

/// Passes on each of these rows of a batch as a batch of one row. The rows are in order.
pub(super) fn each_row<E: From<ToolError>>(
    reader: &FileReader<SharedSource>,
    batch_idx: usize,
    rows: &[u64],
    failed: impl Fn(IpcError) -> ToolError,
    mut put: impl FnMut(u64, RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    let mut goes_on = match are_apart(reader, batch_idx, rows) {
        true => Some(reader.parts_of(batch_idx, around(rows), 0).map_err(&failed)?),
        false => None,
    };
    for rows in rows.chunks(if goes_on.is_none() { rows.len().max(1) } else { 1 }) {
        let batch = match &mut goes_on {
            Some(batch) => batch.read(around(rows)),
            None => reader.batch_rows(batch_idx, around(rows)),
        };
        put_each(&batch.map_err(&failed)?, rows, &mut put)?;
    }
    Ok(())
}

/// Whether each of the wanted rows of a batch is read alone. Of a small body, all are read with the rows between them. A
/// compressed buffer is decompressed once, going on from one row to the next.
fn are_apart(reader: &FileReader<SharedSource>, batch_idx: usize, rows: &[u64]) -> bool {
    let block = reader.footer().batch(batch_idx);
    rows.len() > 1 && block.is_some_and(|block| block.n_body_bytes() > SMALL_BODY_BYTES)
}

/// One row of a batch, which has it.
pub(super) fn one_row(batch: &RecordBatch, row: u64) -> RecordBatch {
    let row = usize::try_from(row).unwrap_or(usize::MAX).min(batch.n_rows());
    batch.slice(row, batch.n_rows().saturating_sub(row).min(1))
}
