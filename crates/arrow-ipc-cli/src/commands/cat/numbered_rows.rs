//! Shows rows of a file by their numbers. The bytes for rows of several batches are fetched together.

use std::{iter, ops::Range, sync::Arc};

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError, Source};
use arrow_ipc_tools::{
    InputContext, SharedSource, ToolError, ToolErrorKind, Unit,
    cursor::{BatchCounts, RowNumbers, WaitingRows},
};
use arrow_select::{Select, SelectError, concat_batches};

use super::printer::Printer;
use crate::{
    context::Context,
    exit::{Failure, Status},
    terminal::watcher::Watcher,
};

/// If a batch has at most this many bytes, the rows between its selected rows are read, too.
const SMALL_BODY_BYTES: u64 = 4 << 20;

pub(super) fn show_of_file(
    context: &Context,
    name: &arrow_ipc_tools::InputName,
    reader: &FileReader<SharedSource>,
    first_row: u64,
    row_numbers: &[u64],
    printer: &mut Printer<'_>,
) -> Result<Status, Failure> {
    // The text may be longer if the file is longer.
    let n_bytes = reader.source().n_bytes().in_input(name)?;
    printer.set_input_bytes(n_bytes);
    let (parts, located) = locate(reader, row_numbers);
    let mut watcher = Watcher::for_stdout(context);
    watcher.begin(Unit::Batches, Some(reader.n_batches() as u64));
    let mut left = parts.as_slice();
    while !left.is_empty() {
        let read = read_together(reader, left);
        let (now, later) = left.split_at(read.len().min(left.len()));
        for (part, read) in now.iter().zip(read) {
            let BatchRows { batch_idx, start, rows } = part;
            let batch_idx = *batch_idx;
            let failed = |error| ToolError::new(name, ToolErrorKind::Batch { batch_idx, error });
            let first = first_row.saturating_add(*start);
            let mut show = |rows: &[u64], values| printer.rows(numbered(values, rows, first));
            match read {
                Some(read) => show(rows, chosen_around(read, rows).map_err(failed)?)?,
                None => each_group(reader, batch_idx, rows, failed, show)?,
            }
            watcher.set(batch_idx as u64 + 1);
        }
        left = later;
    }
    located.in_input(name)?;
    Ok(Status::Fine)
}

/// The selected rows of one batch.
struct BatchRows {
    batch_idx: usize,
    /// The number of the first row of the batch.
    start: u64,
    /// The selected rows in ascending order, counted from the first row of the batch.
    rows: Vec<u64>,
}

/// Finds the batches of these rows. If the rows of a batch cannot be counted, returns the batches before it, and the
/// error.
fn locate(
    reader: &FileReader<SharedSource>,
    row_numbers: &[u64],
) -> (Vec<BatchRows>, Result<(), ToolErrorKind>) {
    let end_of_all = row_numbers.last().map_or(0, |row| row.saturating_add(1));
    let mut row_numbers = row_numbers.iter().copied().peekable();
    let mut start = 0u64;
    let mut counts = BatchCounts::default();
    let n_batches = reader.n_batches();
    let mut found = Vec::new();
    for batch_idx in 0..n_batches {
        if row_numbers.peek().is_none() {
            break;
        }
        let left = end_of_all.saturating_sub(start);
        let end = match counts.n_rows_of(reader, batch_idx..n_batches, left) {
            Ok(n_rows) => start.saturating_add(n_rows),
            Err(error) => return (found, Err(ToolErrorKind::Batch { batch_idx, error })),
        };
        let rows = iter::from_fn(|| row_numbers.next_if(|row| *row < end));
        let rows: Vec<u64> = rows.map(|row| row.saturating_sub(start)).collect();
        if !rows.is_empty() {
            found.push(BatchRows { batch_idx, start, rows });
        }
        start = end;
    }
    (found, Ok(()))
}

/// Reads each batch from its first to its last selected row. Stops before the first batch whose rows are read one by
/// one.
fn read_together(reader: &FileReader<SharedSource>, parts: &[BatchRows]) -> Vec<Option<RecordBatch>> {
    let together = parts.iter().take_while(|part| !are_apart(reader, part.batch_idx, &part.rows));
    let ranges: Vec<(usize, Range<u64>)> =
        together.map(|part| (part.batch_idx, around(&part.rows))).collect();
    match reader.rows_of_each(&ranges) {
        Ok(read) if !read.is_empty() => read.into_iter().map(Some).collect(),
        // After an error, each batch is read alone, to know which one fails.
        Ok(_) | Err(_) => iter::repeat_with(|| None).take(ranges.len().max(1)).collect(),
    }
}

/// The range from the first to the last of these rows, which must be in ascending order.
fn around(rows: &[u64]) -> Range<u64> {
    let [first, last] = [rows.first(), rows.last()].map(|row| row.copied().unwrap_or(0));
    first..last.saturating_add(1)
}

/// Selects these rows of `read`, which has all rows from the first to the last of them.
fn chosen_around(read: RecordBatch, rows: &[u64]) -> Result<RecordBatch, IpcError> {
    let first = around(rows).start;
    Ok(chosen_of(read, &rows.iter().map(|row| row.saturating_sub(first)).collect::<Vec<u64>>())?)
}

/// Selects these rows of a batch. Copies nothing if they are all of its rows.
pub(super) fn chosen_of(batch: RecordBatch, rows: &[u64]) -> Result<RecordBatch, SelectError> {
    if rows.len() == batch.n_rows() { Ok(batch) } else { batch.take(rows) }
}

/// Numbers rows of a batch: `values` are the rows `rows`, and the first row of the batch has the number `first`.
pub(super) fn numbered(values: RecordBatch, rows: &[u64], first: u64) -> (RecordBatch, RowNumbers) {
    let numbers = rows.iter().map(|row| first.saturating_add(*row)).collect();
    (values, RowNumbers::Each(numbers))
}

/// Passes these rows of a batch to `put`, with their numbers. The rows must be in ascending order. Rows that are read
/// one by one are passed in groups.
pub(super) fn each_group<E: From<ToolError>>(
    reader: &FileReader<SharedSource>,
    batch_idx: usize,
    rows: &[u64],
    failed: impl Fn(IpcError) -> ToolError,
    mut put: impl FnMut(&[u64], RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    const GROUP_ROWS: usize = 1024;
    const GROUP_BYTES: u64 = 1 << 20;
    if rows.is_empty() {
        return Ok(());
    }
    if !are_apart(reader, batch_idx, rows) {
        let read = reader.batch_rows(batch_idx, around(rows));
        return put(rows, read.and_then(|read| chosen_around(read, rows)).map_err(failed)?);
    }
    let mut goes_on = reader.parts_of(batch_idx, around(rows), 0).map_err(&failed)?;
    let mut left = rows;
    while !left.is_empty() {
        let (mut group, mut n_bytes): (Vec<RecordBatch>, u64) = (Vec::new(), 0);
        let mut read = Ok(());
        for row in left.iter().take(GROUP_ROWS) {
            match goes_on.read(around(std::slice::from_ref(row))) {
                Ok(row) => {
                    n_bytes = n_bytes.saturating_add(WaitingRows::bytes_of_rows(&row));
                    group.push(row);
                }
                Err(error) => read = Err(failed(error)),
            }
            if read.is_err() || n_bytes >= GROUP_BYTES {
                break;
            }
        }
        let (now, later) = left.split_at(group.len().min(left.len()));
        if !group.is_empty() {
            let values = concat_batches(Arc::clone(reader.schema()), &group);
            put(now, values.map_err(|error| failed(error.into()))?)?;
        }
        read?;
        left = later;
    }
    Ok(())
}

/// Whether the selected rows of a batch are read one by one. In a batch with a small body, the rows between them are
/// read, too. In both cases, each compressed buffer is decompressed once.
fn are_apart(reader: &FileReader<SharedSource>, batch_idx: usize, rows: &[u64]) -> bool {
    let block = reader.footer().batch(batch_idx);
    rows.len() > 1 && block.is_some_and(|block| block.n_body_bytes() > SMALL_BODY_BYTES)
}

#[cfg(test)]
mod tests {
    use arrow_array::Int64Array;
    use arrow_ipc::FileWriter;
    use arrow_ipc_tools::Input;

    use super::*;

    /// Each row is passed to `put` once, in large groups.
    #[test]
    fn rows_are_passed_on_in_groups() {
        for (n_rows, n_groups) in [(10_000, 1), (1_000_000, 4)] {
            let column = Int64Array::from_iter(0..n_rows).into_data();
            let batch = RecordBatch::try_from_columns([("n", column)]).unwrap();
            let file = FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
            let rows = arrow_ipc_tools::Rows::open(Input::try_from_buffer("in", file).unwrap()).unwrap();
            let arrow_ipc_tools::Rows::File { reader } = rows else { panic!("it is a file") };
            let row_numbers: Vec<u64> = (7..n_rows as u64).step_by(n_rows as usize / 4000).collect();
            let mut found = Vec::new();
            let mut n_found = 0;
            let failed = |error| ToolError::new("in", ToolErrorKind::Batch { batch_idx: 0, error });
            each_group(&reader, 0, &row_numbers, failed, |rows, values| {
                let values = Int64Array::try_from(values.columns()[0].clone()).unwrap();
                assert!(values.iter().map(|n| n.unwrap() as u64).eq(rows.iter().copied()));
                found.extend_from_slice(rows);
                n_found += 1;
                Ok::<(), ToolError>(())
            })
            .unwrap();
            assert_eq!((found, n_found), (row_numbers, n_groups));
        }
    }
}
