//! `cat`: rows as a table, JSON or CSV. Only the batches and columns that are shown are read.

mod deferred;
mod numbered_rows;
mod parallel;
mod printer;
mod repeated_names;
mod reservoir;
mod sample;
mod show;
mod tail;
mod tensor_rows;
mod vertical;

use std::{io::Write, num::NonZeroUsize, ops::Range};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{Container, IpcError, Threads, Validation};
use arrow_ipc_tools::{
    Conversion, Input, InputContext, InputRemarks, Loss, RowQuery, RowWindow, ToolError, columns::Selection,
    count_rows, cursor::RowNumbers, tensors::Tensors,
};
use arrow_schema::Metadata;
use arrow_text::{CsvOptions, CsvWriter, JsonWriter};

use self::{
    printer::{Printer, Style},
    repeated_names::RepeatedNames,
    show::{RowsToShow, finish, show_input},
    tensor_rows::ElementRows,
};
pub(crate) use self::{sample::sample, tail::tail};
use crate::{
    args::{CatArgs, HeadArgs, ShowArgs},
    context::Context,
    exit::{Failure, Status, note_losses, note_remarks},
    inputs::{each, import::check_use, text_rows::open_rows},
    names::InputArg,
    output::{not_written, text_stdout},
    terminal::watcher::Watcher,
};

pub(crate) fn run(context: &Context, args: &CatArgs) -> Result<Status, Failure> {
    let query = args.show.query_with(args.rows.condition())?;
    show_window(context, &args.show, &query, args.rows.window(), |window, last| {
        args.rows.check_named(window, last)
    })
}

pub(crate) fn head(context: &Context, args: &HeadArgs) -> Result<Status, Failure> {
    let query = args.show.query_with(&args.condition)?;
    show_window(context, &args.show, &query, RowWindow::new(args.offset, Some(args.limit)), |_, _| Ok(()))
}

/// Shows the rows of a window over all inputs. After the last input, calls `check` with the rest of the window.
fn show_window(
    context: &Context,
    show: &ShowArgs,
    query: &RowQuery,
    window: RowWindow,
    check: impl FnOnce(RowWindow, &arrow_ipc_tools::InputName) -> Result<(), ToolError>,
) -> Result<Status, Failure> {
    let files = &show.files[..];
    let style = Style::from_args(show)?;
    show.check_index()?;
    check_use(context, files, &show.text())?;
    let is_vertical = matches!(style, Style::Vertical(_));
    let out = text_stdout(style.escapes(context));
    let mut printer =
        Printer::new(context, style, out).with_limit(window.n_left()).with_threads(show.threads.n());
    // With a condition, rows are numbered from 0, because all rows are tested.
    let next_row = if query.condition().is_some() { 0 } else { window.first() };
    let mut left = RowsToShow { window, next_row };
    let is_limited = !window.is_everything() || query.condition().is_some();
    // Rows are shown with their numbers in all of the input, so a data set must not leave out other rows.
    let needed = if is_vertical { query.clone().with_row_numbers() } else { query.clone() };
    let is_one = files.len() == 1;
    // The rows of each input that was shown by its own reader.
    let mut n_rows_of_shown = vec![None; files.len()];
    let mut next_count = n_rows_of_shown.iter_mut();
    let status = each(context, files, |name| {
        let n_rows = next_count.next().filter(|_| is_limited);
        if left.window.is_done() && printer.has_columns() {
            // Nothing of it is shown, but it has to be there.
            return name.check_exists().map(|()| Status::Fine).map_err(Failure::from);
        }
        let mut input = show.indexed(open_rows(context, name, &show.text(), &needed)?)?;
        // Tensors are shown only if there is no other input, because their columns differ from those of all other
        // inputs.
        if is_one && input.container() != Container::File && input.holds_tensors_alone()? {
            if *query != RowQuery::new() {
                return Err(Failure::ColumnsOfTensors { name: input.name().clone() });
            }
            return cat_tensors(context, input, show, &mut left.window);
        }
        show_input(context, input, query, &mut left, &mut printer, n_rows)
    })?;
    if let (Status::Fine | Status::DataLost, Some(last)) = (status, files.last()) {
        check(left.window, &last.into())?;
    }
    finish(printer, status, || if is_limited { total_rows(context, files, &n_rows_of_shown) } else { None })
}

/// Writes the rows of a conversion as text. The returned status says whether anything was lost.
///
/// # Errors
/// If an input cannot be read or the output cannot be written.
pub(crate) fn write_text<W: Write + Send>(
    context: &Context,
    conversion: Conversion,
    (csv, limit): (Option<CsvOptions>, Option<u64>),
    mut out: W,
) -> Result<(W, Status), Failure> {
    let json = || Style::Json(JsonWriter::new(), RepeatedNames::Numbered);
    let style = csv.map_or_else(json, |options| Style::Csv(CsvWriter::new_with(options)));
    let threads = NonZeroUsize::new(Threads::n_available()).unwrap_or(NonZeroUsize::MIN);
    let name = conversion.name().clone();
    let printer = Printer::new(context, style, &mut out).with_threads(threads);
    let mut printer = printer.with_limit_by_values().with_limit(limit);
    printer.begin(&name, conversion.schema(), Selection::default())?;
    let mut n_bytes: u64 = 0;
    let mut print = |batch: &RecordBatch, _: &Metadata| {
        n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(n_bytes, u64::saturating_add);
        printer.set_input_bytes(n_bytes);
        // CSV and JSON do not show row numbers, so this number has no effect.
        printer.rows((batch.clone(), RowNumbers::From(0)))
    };
    let mut losses = conversion.each_batch(&mut print, &mut Watcher::new(context))?;
    let n_tensors =
        losses.iter().map(|(_, loss)| if let Loss::Tensors { n_tensors } = loss { *n_tensors } else { 0 });
    let remarks = InputRemarks { n_tensors: n_tensors.sum::<usize>() as u64, ..InputRemarks::default() };
    let noted = note_remarks(context, &name, "shown", &remarks);
    let status = printer.finish(None)?;
    // Metadata cannot be written as text, and the note above already reports tensors.
    losses.retain(|(_, loss)| {
        !matches!(loss, Loss::FileMetadata | Loss::DictionaryMetadata { .. } | Loss::Tensors { .. })
    });
    Ok((out, note_losses(context, &losses).max(noted).max(status)))
}

/// The number of rows of all inputs; `None` unless all of them are local files. Opens only those whose rows are not `known`.
fn total_rows(context: &Context, files: &[InputArg], known: &[Option<u64>]) -> Option<u64> {
    files.iter().zip(known).try_fold(0, |sum: u64, (name, known)| {
        if !name.is_file() {
            return None;
        }
        if let Some(n_rows) = known {
            return sum.checked_add(*n_rows);
        }
        let input = name.open(context).ok()?;
        input.n_bytes()?;
        sum.checked_add(count_rows(input, &mut Watcher::for_stdout(context)).ok()?.n_rows)
    })
}

/// Shows the values of tensors with their indices. Each tensor has its own heading.
fn cat_tensors(
    context: &Context,
    input: Input,
    show: &ShowArgs,
    window: &mut RowWindow,
) -> Result<Status, Failure> {
    const BATCH_ROWS: u64 = 4096;
    let name = input.name().clone();
    let mut tensors = Tensors::open(input, Validation::default())?;
    let allowed = window.n_left();
    let mut out = text_stdout(Style::from_args(show)?.escapes(context));
    let mut is_first = true;
    while !window.is_done() {
        let Some(next) = tensors.next_tensor()? else { break };
        let elements = ElementRows::try_new(next.tensor).map_err(IpcError::from).in_input(&name)?;
        let style = Style::from_args(show)?;
        if !std::mem::take(&mut is_first) && matches!(style, Style::Table(_)) {
            writeln!(out).map_err(not_written)?;
        }
        let mut printer =
            Printer::new(context, style, &mut out).with_limit(allowed).with_threads(show.threads.n());
        printer.begin(&name, elements.schema(), Selection::default())?;
        printer.set_input_bytes(tensors.n_bytes_consumed());
        let Range { start, end } = window.advance(elements.n_rows());
        for first in (start..end).step_by(BATCH_ROWS as usize) {
            let rows = elements.batch(first..end.min(first.saturating_add(BATCH_ROWS)));
            let rows = rows.in_input(&name)?;
            printer.rows((rows, RowNumbers::From(first)))?;
        }
        printer.finish(None)?;
    }
    let remarks = InputRemarks { trailing_bytes: tensors.trailing_bytes(), ..InputRemarks::default() };
    Ok(note_remarks(context, &name, "shown", &remarks))
}

#[cfg(test)]
mod tests;
