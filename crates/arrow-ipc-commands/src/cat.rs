//! `cat`: rows as a table, JSON or CSV. Reads only the wanted batches and columns.

mod chosen;
mod distinct;
mod elements;
mod in_parts;
mod later;
mod printer;
mod reservoir;
mod sample;
mod tail;
mod vertical;

use std::{io::Write, num::NonZeroUsize, ops::Range};

use arrow_ipc::{Container, Limits, ReadOptions, Source, Threads};
use arrow_ipc_tools::{
    Input, RowQuery, RowWindow, Rows, RowsInWindows, Selection, Streams, Tensors, ToolError, ToolErrorKind,
    count_rows,
};
use arrow_text::{CsvOptions, CsvWriter, JsonWriter};

use self::{
    distinct::RepeatedNames,
    elements::ElementRows,
    printer::{Printer, Style},
};
pub(crate) use self::{sample::sample, tail::tail};
use crate::{
    args::{CatArgs, HeadArgs, ShowArgs},
    exit::{Failure, Status, note_left_out},
    import::check_use,
    inputs::each,
    names::InputArg,
    output::{not_written, text_stdout},
    text_rows::open_rows,
    watcher::{ProgressShown, Watcher},
};

pub(crate) fn run(args: &CatArgs) -> Result<Status, Failure> {
    let query = args.rows.condition().of(args.show.query());
    show_window(&args.show, &query, args.rows.window(), |window, last| args.rows.check_named(window, last))
}

pub(crate) fn head(args: &HeadArgs) -> Result<Status, Failure> {
    let query = args.condition.of(args.show.query());
    show_window(&args.show, &query, RowWindow::new(args.offset, Some(args.limit)), |_, _| Ok(()))
}

/// Shows the rows of a window over all inputs. After the last input, `check` gets the rest of the window.
fn show_window(
    show: &ShowArgs,
    query: &RowQuery,
    mut window: RowWindow,
    check: impl FnOnce(RowWindow, &arrow_ipc_tools::InputName) -> Result<(), ToolError>,
) -> Result<Status, Failure> {
    let files = &show.files[..];
    let style = Style::of(show)?;
    check_use(files, &show.text())?;
    let out = text_stdout(style.escapes());
    let mut printer = Printer::new(style, out).allowing(window.n_left()).with_threads(show.threads.n());
    // With a condition, all rows are looked at, so they are numbered from 0.
    printer.continue_at(if query.condition().is_some() { 0 } else { window.first() });
    let is_limited = !window.is_everything() || query.condition().is_some();
    let is_one = files.len() == 1;
    let status = each(files, |name| {
        if window.is_done() && printer.has_begun() {
            return Ok(Status::Fine);
        }
        let mut input = open_rows(name, &show.text(), query)?;
        // Tensors have columns of their own, so they are only shown alone.
        if is_one && input.container() != Container::File && input.holds_tensors_alone()? {
            if *query != RowQuery::new() {
                return Err(Failure::ColumnsOfTensors { name: input.name().clone() });
            }
            return cat_tensors(input, show, &mut window);
        }
        show_input(input, query, &mut window, &mut printer)
    })?;
    if let (Status::Fine | Status::DataLost, Some(last)) = (status, files.last()) {
        check(window, &last.into())?;
    }
    finish(printer, status, || if is_limited { total_rows(files) } else { None })
}

/// Writes all rows of a stream as text, and returns the output and whether it holds all of them.
///
/// # Errors
/// If the stream or the output fails.
pub(crate) fn write_text<W: Write + Send>(
    input: Input,
    csv: Option<CsvOptions>,
    mut out: W,
) -> Result<(W, Status), Failure> {
    let json = || Style::Json(JsonWriter::new(), RepeatedNames::Numbered);
    let style = csv.map_or_else(json, |options| Style::Csv(CsvWriter::new(options)));
    let threads = NonZeroUsize::new(Threads::n_available()).unwrap_or(NonZeroUsize::MIN);
    let mut printer = Printer::new(style, &mut out).with_threads(threads);
    printer.progress = ProgressShown::No;
    show_input(input, &RowQuery::new(), &mut RowWindow::new(0, None), &mut printer)?;
    let status = printer.finish(None)?;
    Ok((out, status))
}

/// Ends the output, unless something failed: then it stays incomplete.
fn finish(
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

/// The number of rows of all inputs, if all of them are local files; otherwise `None`.
fn total_rows(files: &[InputArg]) -> Option<u64> {
    files.iter().try_fold(0, |sum: u64, name| {
        let input = name.is_file().then(|| name.open().ok()).flatten()?;
        input.n_bytes()?;
        sum.checked_add(count_rows(input, &Limits::default(), &mut Watcher::of_output()).ok()?.n_rows)
    })
}

/// Shows the rows of an input that are in the window.
fn show_input(
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

fn show_rows(
    name: &arrow_ipc_tools::InputName,
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
fn set_length(
    name: &arrow_ipc_tools::InputName,
    file: &impl Source,
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    let n_bytes = file.n_bytes();
    let n_bytes = n_bytes.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Read(error)))?;
    printer.set_input_bytes(n_bytes);
    Ok(())
}

/// Reports the parts of streams that were not shown.
fn status_after(name: &arrow_ipc_tools::InputName, streams: &Streams) -> Status {
    note_left_out(name, "shown", streams.trailing_bytes(), streams.n_tensors())
}

/// Shows the elements of tensors with their positions. Each tensor has a head of its own.
fn cat_tensors(input: Input, show: &ShowArgs, window: &mut RowWindow) -> Result<Status, Failure> {
    const BATCH_ROWS: u64 = 4096;
    let name = input.name().clone();
    let mut tensors = Tensors::open(input, &ReadOptions::default())?;
    let allowed = window.n_left();
    let mut out = text_stdout(Style::of(show)?.escapes());
    let mut is_first = true;
    while !window.is_done() {
        let Some(next) = tensors.next_tensor()? else { break };
        let failed = |kind| ToolError::new(name.clone(), kind);
        let elements = ElementRows::of(next.tensor);
        let elements = elements.map_err(|error| failed(ToolErrorKind::Input(error.into())))?;
        let style = Style::of(show)?;
        if !std::mem::take(&mut is_first) && matches!(style, Style::Table(_)) {
            writeln!(out).map_err(not_written)?;
        }
        let mut printer = Printer::new(style, &mut out).allowing(allowed).with_threads(show.threads.n());
        printer.begin(&name, elements.schema(), Selection::default())?;
        printer.set_input_bytes(tensors.n_bytes_consumed());
        let Range { start, end } = window.advance(elements.n_rows());
        printer.continue_at(start);
        for first in (start..end).step_by(BATCH_ROWS as usize) {
            let batch = elements.batch(first..end.min(first.saturating_add(BATCH_ROWS)));
            printer.batch(batch.map_err(|error| failed(ToolErrorKind::Values(error)))?)?;
        }
        printer.finish(None)?;
    }
    Ok(note_left_out(&name, "shown", tensors.trailing_bytes(), 0))
}

/// Shows rows, and stops after the last wanted one. In a file, only the metadata of batches before these rows is read,
/// and nothing after them. If only some rows of a batch are shown, only their bytes are read, as far as the layout
/// tells where they are. Rows of a large batch are read in windows.
fn print_rows(
    name: &arrow_ipc_tools::InputName,
    rows: &mut Rows,
    window: &mut RowWindow,
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    let mut watcher = match printer.progress {
        ProgressShown::Yes => Watcher::of_output(),
        ProgressShown::No => Watcher::showing(ProgressShown::No),
    };
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
fn print_batch(rows: RowsInWindows, printer: &mut Printer<impl Write + Send>) -> Result<(), Failure> {
    let mut rows = rows;
    rows.try_for_each(|rows| printer.batch(rows?))
}

#[cfg(test)]
mod tests;
