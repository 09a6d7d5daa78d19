//! Shows the rows of an input through a printer.

use std::io::Write;

use arrow_ipc::Source;
use arrow_ipc_tools::{
    Input, InputName, RowQuery, RowWindow, Rows, RowsInWindows, Selection, Streams, ToolError, ToolErrorKind,
};

use super::printer::Printer;
use crate::{
    exit::{Failure, Status, note_left_out},
    watcher::Watcher,
};

/// Ends the output, unless something failed: then it stays incomplete.
pub(super) fn finish(
    printer: Printer<impl Write + Send>,
    status: Status,
    n_rows: impl FnOnce() -> Option<u64>,
) -> Result<Status, Failure> {
    if matches!(status, Status::Fine | Status::DataLost) {
        let n_rows = if printer.counts_rows() { n_rows() } else { None };
        return Ok(printer.finish(n_rows)?.max(status));
    }
    Ok(status)
}

/// Shows the rows of an input that are in the window.
pub(super) fn show_input(
    input: Input,
    query: &RowQuery,
    window: &mut RowWindow,
    printer: &mut Printer<impl Write + Send>,
) -> Result<Status, Failure> {
    let name = input.name().clone();
    let inside = if window.n_left().is_some() { input.into_stream_inside() } else { Err(input) };
    let input = match inside {
        Err(input) => input,
        Ok((stream, file)) => {
            let (wanted, first) = (*window, printer.next_row());
            show_stream_inside(stream, query, window, printer)?;
            if window.is_done() {
                return Ok(Status::Fine);
            }
            // The stream has too few rows, or fails, so the rest comes from the file, as its footer says.
            *window = wanted.after(*window);
            if query.condition().is_some() {
                printer.continue_at(first);
            }
            file.into_input()?
        }
    };
    let (mut rows, selection) = Rows::open_selected(input, query)?;
    show_rows(&name, &mut rows, selection, window, printer)?;
    Ok(match rows {
        Rows::File { .. } => Status::Fine,
        Rows::Streams(streams) => status_after(&name, &streams),
    })
}

pub(super) fn show_rows(
    name: &InputName,
    rows: &mut Rows,
    selection: Selection,
    window: &mut RowWindow,
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    printer.begin(name, rows.schema(), selection)?;
    print_rows(name, rows, window, printer)
}

/// Shows rows of the stream inside a file, up to its end or an error in it.
///
/// # Errors
/// If the output fails or is over its limit.
fn show_stream_inside(
    stream: Input,
    query: &RowQuery,
    window: &mut RowWindow,
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    let name = stream.name().clone();
    let Ok((mut rows, selection)) = Rows::open_selected(stream, query) else { return Ok(()) };
    // A failure of the stream is not reported here: the file is read instead, and reports its own.
    match show_rows(&name, &mut rows, selection, window, printer) {
        Err(Failure::Tool(_)) => Ok(()),
        shown => shown,
    }
}

/// Tells the printer the length of a file, which bounds the length of the text.
pub(super) fn set_length(
    name: &InputName,
    file: &impl Source,
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    let n_bytes = file.n_bytes();
    let n_bytes = n_bytes.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Read(error)))?;
    printer.set_input_bytes(n_bytes);
    Ok(())
}

/// Reports the parts of streams that were not shown.
pub(super) fn status_after(name: &InputName, streams: &Streams) -> Status {
    note_left_out(name, "shown", streams.trailing_bytes(), streams.n_tensors())
}

/// Shows rows, and stops after the last wanted one. In a file, only the metadata of batches before these rows is read,
/// and nothing after them. If only some rows of a batch are shown, only their bytes are read, as far as the layout
/// tells where they are. Rows of a large batch are read in windows.
fn print_rows(
    name: &InputName,
    rows: &mut Rows,
    window: &mut RowWindow,
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    let mut watcher = Watcher::of_output();
    let (unit, n_total) = rows.work();
    watcher.begin(unit, n_total);
    if let Rows::File { file, .. } = rows {
        set_length(name, file, printer)?;
    }
    // With a condition, the window counts the rows that match, which are known after a batch is read.
    let has_condition = printer.selection().has_condition();
    let mut cursor = rows.select(name, printer.selection(), *window);
    while !(has_condition && window.is_done())
        && let Some(batch) = cursor.next_batch(rows)?
    {
        if let Rows::Streams(streams) = rows {
            printer.set_input_bytes(streams.n_bytes_consumed());
        }
        if has_condition {
            printer.continue_at(printer.next_row().saturating_add(cursor.n_rows_skipped()));
            for rows in batch.in_windows() {
                printer.matching(rows?, window)?;
                if window.is_done() {
                    break;
                }
            }
        } else {
            print_batch(batch.in_windows(), printer)?;
            *window = cursor.window();
        }
        watcher.set(cursor.n_done(rows));
    }
    if has_condition {
        printer.continue_at(printer.next_row().saturating_add(cursor.n_rows_skipped()));
    } else {
        *window = cursor.window();
    }
    Ok(())
}

/// Shows rows of a batch.
pub(super) fn print_batch(
    mut rows: RowsInWindows,
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    rows.try_for_each(|rows| printer.batch(rows?))
}
