//! Shows the rows of an input with a printer.

use arrow_ipc_tools::{Input, InputContext, RowQuery, RowWindow, ToolError, cursor::RowCursor};

use super::printer::Printer;
use crate::{
    context::Context,
    exit::{Failure, Status, note_remarks},
    terminal::watcher::Watcher,
};

/// Ends the output, unless there was an error.
pub(super) fn finish(
    printer: Printer<'_>,
    status: Status,
    n_rows: impl FnOnce() -> Option<u64>,
) -> Result<Status, Failure> {
    if matches!(status, Status::Fine | Status::DataLost) {
        let n_rows = if printer.counts_rows() { n_rows() } else { None };
        return Ok(printer.finish(n_rows)?.max(status));
    }
    Ok(status)
}

/// The rows that are still to be shown, from all inputs that follow.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowsToShow {
    pub(super) window: RowWindow,
    /// The number that the next row gets.
    pub(super) next_row: u64,
}

impl RowsToShow {
    fn from_cursor(cursor: &RowCursor) -> RowsToShow {
        RowsToShow { window: cursor.window(), next_row: cursor.next_row() }
    }
}

/// Shows the selected rows of an input. `n_rows` gets the number of all its rows, if it is read like a file.
pub(super) fn show_input(
    context: &Context,
    input: Input,
    query: &RowQuery,
    left: &mut RowsToShow,
    printer: &mut Printer<'_>,
    n_rows: Option<&mut Option<u64>>,
) -> Result<Status, Failure> {
    // Rows after others are found by position. The first rows of a stream are read before its later metadata.
    let skips_rows = left.window.rest().first() > 0 && query.condition().is_none();
    let cursor = if skips_rows {
        RowCursor::open_by_position(input, query, left.window)?
    } else {
        RowCursor::open(input, query, left.window)?
    };
    let mut cursor = cursor.with_first_row(left.next_row);
    show_rows(context, &mut cursor, left, printer)?;
    if let Some(n_rows) = n_rows
        && printer.counts_rows()
    {
        // A file that cannot be counted has been shown as far as requested.
        *n_rows = cursor.rows().n_rows().and_then(Result::ok);
    }
    Ok(status_after(context, &cursor)?)
}

/// Reports bytes that are not read, tensors, which are not shown, and text that is not UTF-8. Returns the resulting status.
///
/// # Errors
/// If such bytes cannot be read.
pub(super) fn status_after(context: &Context, cursor: &RowCursor) -> Result<Status, ToolError> {
    let remarks = cursor.rows().remarks().in_input(cursor.name())?;
    Ok(note_remarks(context, cursor.name(), "shown", &remarks))
}

/// Shows the rows of a cursor, up to the last selected row. Reads only the metadata of batches of a file before the
/// selected rows, and nothing of batches after them. If only some rows of a batch are shown, reads only their bytes, if
/// the layout allows this. After each batch, sets `left` to the rows that are still to be shown.
pub(super) fn show_rows(
    context: &Context,
    cursor: &mut RowCursor,
    left: &mut RowsToShow,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    printer.begin(cursor.name(), cursor.rows().schema(), cursor.selection().clone())?;
    let mut watcher = Watcher::for_stdout(context);
    let (unit, n_total) = cursor.rows().work();
    watcher.begin(unit, n_total);
    printer.set_input_bytes(cursor.n_bytes()?);
    while cursor.next_batch()? {
        printer.set_input_bytes(cursor.n_bytes()?);
        while let Some(rows) = cursor.next_rows()? {
            printer.rows(rows)?;
            if cursor.selection().has_condition() {
                *left = RowsToShow::from_cursor(cursor);
            }
        }
        *left = RowsToShow::from_cursor(cursor);
        watcher.set(cursor.n_done());
    }
    *left = RowsToShow::from_cursor(cursor);
    Ok(())
}
