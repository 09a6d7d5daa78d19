//! `tail`: the last rows of all inputs.

use std::{collections::VecDeque, mem, sync::Arc};

use arrow_array::ArrayError;
use arrow_data::RecordBatch;
use arrow_ipc_tools::{
    InputContext, RowQuery, RowWindow, ToolError, ToolErrorKind,
    count::RowCount,
    cursor::{RowCursor, RowNumbers, WaitingRows},
};
use arrow_select::{Select, SelectError};

use super::{
    deferred::{ArrivedBatch, ArrivedRows, CountedInput, DeferredInput, PrinterInput, each_arrived},
    printer::{Printer, Style, empty_batch},
    show::{RowsToShow, finish, show_rows, status_after},
};
use crate::{
    args::{ShowArgs, TailArgs},
    context::Context,
    exit::{Failure, Status},
    inputs::{attempt, each, import::check_use},
    names::InputArg,
    output::text_stdout,
    terminal::watcher::Watcher,
};

pub(crate) fn tail(context: &Context, args: &TailArgs) -> Result<Status, Failure> {
    let style = Style::from_args(&args.show)?;
    args.show.check_index()?;
    check_use(context, &args.show.files, &args.show.text())?;
    let query = args.show.query_with(&args.condition)?;
    let mut last = RowTail { n_requested: args.limit, ..RowTail::default() };
    let mut status = each(context, &args.show.files, |name| last.add(context, name, &args.show, &query))?;
    let out = text_stdout(style.escapes(context));
    let mut printer =
        Printer::new(context, style, out).with_limit(Some(args.limit)).with_threads(args.show.threads.n());
    let n_rows = last.n_rows;
    let mut last_input = None;
    for (part, skipped) in last.into_parts() {
        let shown = part.show(context, skipped, &args.show, &mut printer, &mut last_input);
        if attempt(context, shown, &mut status).is_break() {
            break;
        }
    }
    finish(printer, status, || Some(n_rows))
}

/// The last rows of the inputs that have been passed.
#[derive(Default)]
struct RowTail {
    n_requested: u64,
    /// The number of rows in the passed inputs.
    n_rows: u64,
    /// The number of rows in `parts`.
    n_held: u64,
    parts: VecDeque<LastPart>,
    /// The memory of rows from inputs that cannot be read again.
    memory: WaitingRows,
}

/// Consecutive rows of one input.
struct LastPart {
    n_rows: u64,
    rows: LastRows,
}

enum LastRows {
    /// Rows of an input that can be read again, from the row with this number on.
    Later(DeferredInput, u64),
    /// Rows that have been read, because their input cannot be read again.
    Arrived(Arc<PrinterInput>, ArrivedBatch),
}

impl RowTail {
    fn add(
        &mut self,
        context: &Context,
        name: &InputArg,
        show: &ShowArgs,
        query: &RowQuery,
    ) -> Result<Status, Failure> {
        match CountedInput::try_new(context, name, show, query)? {
            CountedInput::Later(later, n_rows, status) => {
                let rows = LastRows::Later(later, self.n_rows);
                self.keep(LastPart { n_rows, rows }).in_input(name)?;
                Ok(status)
            }
            CountedInput::Now(opened) => {
                // If reading fails, no row of this input is shown. The same holds for inputs that are read later.
                let memory = mem::take(&mut self.memory);
                let mut arrived = RowTail { n_requested: self.n_requested, memory, ..RowTail::default() };
                let read = arrived.read(context, *opened, self.n_rows);
                let RowTail { n_rows, n_held, parts, mut memory, .. } = arrived;
                memory.end_input();
                if read.is_err() {
                    parts.iter().filter_map(LastPart::in_memory).for_each(|rows| memory.remove(rows));
                }
                self.memory = memory;
                let status = read?;
                self.count(n_rows.saturating_sub(n_held)).in_input(name)?;
                parts.into_iter().try_for_each(|part| self.keep(part)).in_input(name)?;
                Ok(status)
            }
        }
    }

    /// Reads the last matching rows of an input. Row numbers include the rows of previous inputs.
    fn read(
        &mut self,
        context: &Context,
        mut opened: RowCursor,
        n_rows_before: u64,
    ) -> Result<Status, ToolError> {
        let input = Arc::new(PrinterInput::from_cursor(&opened));
        // Without rows, a table still shows the columns.
        let empty = empty_batch(&input.schema).in_input(&input.name)?;
        let empty =
            ArrivedBatch { rows: ArrivedRows::Whole(empty), numbers: RowNumbers::From(0), n_bytes: 0 };
        self.push(&input, empty).in_input(&input.name)?;
        each_arrived(&mut opened, Watcher::new(context), |arrived| {
            let ArrivedBatch { mut rows, numbers, n_bytes } = arrived;
            self.memory.has_read(n_bytes);
            let mut n_dropped = 0;
            if let ArrivedRows::Whole(batch) = &mut rows {
                let last = last_rows(batch.clone(), self.n_requested);
                (*batch, n_dropped) = last.map_err(ArrayError::from).in_input(&input.name)?;
            }
            let numbers = numbers.after(n_dropped, n_rows_before);
            self.count(n_dropped).in_input(&input.name)?;
            self.push(&input, ArrivedBatch { rows, numbers, n_bytes }).in_input(&input.name)?;
            self.memory.check().in_input(&input.name)?;
            Ok::<_, ToolError>(true)
        })?;
        // Also counts rows that do not match.
        self.count(opened.next_row().saturating_sub(self.n_rows)).in_input(&input.name)?;
        status_after(context, &opened)
    }

    /// Adds rows to the number of rows in the passed inputs.
    ///
    /// # Errors
    /// If there are too many rows to count.
    fn count(&mut self, n_rows: u64) -> Result<(), ToolErrorKind> {
        self.n_rows = RowCount::add(self.n_rows, n_rows)?;
        Ok(())
    }

    /// Adds rows like [`keep`](Last::keep), and counts their memory.
    fn push(&mut self, input: &Arc<PrinterInput>, rows: ArrivedBatch) -> Result<(), ToolErrorKind> {
        let part = LastPart { n_rows: rows.n_rows(), rows: LastRows::Arrived(Arc::clone(input), rows) };
        part.in_memory().into_iter().for_each(|rows| self.memory.add(rows));
        self.keep(part)
    }

    /// Adds rows, and drops earlier rows that are no longer among the last `n_requested` rows.
    fn keep(&mut self, part: LastPart) -> Result<(), ToolErrorKind> {
        self.count(part.n_rows)?;
        // The sum is at most `n_rows`, so it does not overflow.
        self.n_held = self.n_held.saturating_add(part.n_rows);
        // A batch without rows is only needed to show the columns, if there are no rows.
        if part.n_rows == 0 && !self.parts.is_empty() {
            part.in_memory().into_iter().for_each(|rows| self.memory.remove(rows));
            return Ok(());
        }
        self.parts.push_back(part);
        while let Some(first) = self.parts.front()
            && self.parts.len() > 1
            && self.n_held.saturating_sub(first.n_rows) >= self.n_requested
        {
            self.n_held = self.n_held.saturating_sub(first.n_rows);
            first.in_memory().into_iter().for_each(|rows| self.memory.remove(rows));
            self.parts.pop_front();
        }
        Ok(())
    }

    /// The rows of each input, with the number of rows to skip at their start.
    fn into_parts(self) -> impl Iterator<Item = (LastPart, u64)> {
        let mut n_skipped = self.n_held.saturating_sub(self.n_requested);
        self.parts.into_iter().map(move |part| {
            let skipped = n_skipped.min(part.n_rows);
            n_skipped = n_skipped.saturating_sub(skipped);
            (part, skipped)
        })
    }
}

/// The last rows of a batch, and the number of rows before them. If they are only a part of the batch, they are
/// copied, to free the memory of the batch.
fn last_rows(batch: RecordBatch, n_requested: u64) -> Result<(RecordBatch, u64), SelectError> {
    let n_held = usize::try_from(n_requested).unwrap_or(usize::MAX).min(batch.n_rows());
    match batch.n_rows() - n_held {
        0 => Ok((batch, 0)),
        n_dropped => Ok((batch.slice(n_dropped, n_held).compact()?, n_dropped as u64)),
    }
}

impl LastPart {
    fn in_memory(&self) -> Option<&RecordBatch> {
        match &self.rows {
            LastRows::Arrived(_, ArrivedBatch { rows: ArrivedRows::Whole(rows), .. }) => Some(rows),
            LastRows::Arrived(..) | LastRows::Later(..) => None,
        }
    }

    /// Shows the rows after the first `skipped` rows. `last_input` is the last input that the printer has opened, if that
    /// input cannot be read again.
    fn show(
        self,
        context: &Context,
        skipped: u64,
        show: &ShowArgs,
        printer: &mut Printer<'_>,
        last_input: &mut Option<Arc<PrinterInput>>,
    ) -> Result<Status, Failure> {
        let mut window = RowWindow::from_rows(skipped..self.n_rows);
        let (input, ArrivedBatch { rows, numbers, n_bytes }) = match self.rows {
            LastRows::Arrived(input, arrived) => (input, arrived),
            LastRows::Later(later, first) => {
                let mut cursor = later.open(context, show)?.with_first_row(first.saturating_add(skipped));
                cursor.restart(window);
                let mut left = RowsToShow { window, next_row: cursor.next_row() };
                show_rows(context, &mut cursor, &mut left, printer)?;
                return Ok(Status::Fine);
            }
        };
        if last_input.as_ref().is_none_or(|last_input| !Arc::ptr_eq(last_input, &input)) {
            printer.begin(&input.name, &input.schema, input.selection.clone())?;
            *last_input = Some(input);
        }
        printer.set_input_bytes(n_bytes);
        let numbers = numbers.after(skipped, 0);
        match rows {
            ArrivedRows::Whole(batch) => match window.take(batch) {
                None => {}
                Some(rows) => printer.rows((rows, numbers))?,
            },
            ArrivedRows::Large(batch) => {
                let mut next_row = numbers.at(0);
                for rows in batch.rows_after(skipped)? {
                    let rows = rows?;
                    let numbers = RowNumbers::From(next_row);
                    next_row = next_row.saturating_add(rows.n_rows() as u64);
                    printer.rows((rows, numbers))?;
                }
            }
        }
        Ok(Status::Fine)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Utf8ViewArray;
    use arrow_ipc_tools::columns::Selection;

    use super::*;

    #[test]
    fn more_rows_than_can_be_counted_are_refused() {
        let texts = Utf8ViewArray::from_iter([Some("a")]);
        let batch = RecordBatch::try_from_columns([("text", texts.into())]).unwrap();
        let part = |n_rows| {
            let name = "in".into();
            let schema = Arc::clone(batch.schema());
            let selection = Selection::default();
            let input = Arc::new(PrinterInput { name, schema, selection });
            let rows = ArrivedRows::Whole(batch.clone());
            let numbers = RowNumbers::From(0);
            LastPart { n_rows, rows: LastRows::Arrived(input, ArrivedBatch { rows, numbers, n_bytes: 0 }) }
        };
        let mut last = RowTail { n_requested: 5, ..RowTail::default() };
        last.keep(part(i64::MAX as u64)).unwrap();
        assert!(matches!(last.keep(part(1)), Err(ToolErrorKind::Input(_))));
    }

    #[test]
    fn last_rows_let_go_of_their_batch() {
        let texts = Utf8ViewArray::from_iter((0..10_000).map(|row| Some(format!("the text of row {row}"))));
        let batch = RecordBatch::try_from_columns([("text", texts.into())]).unwrap();
        let (last, n_dropped) = last_rows(batch.clone(), 3).unwrap();
        assert_eq!((last.n_rows(), n_dropped), (3, 9_997));
        assert!(last.columns()[0].n_bytes() < 3 * 48, "{}", last.columns()[0].n_bytes());
        assert!(last.same_values(&batch.slice(9_997, 3)).unwrap());
        assert_eq!(last_rows(batch, u64::MAX).unwrap().1, 0);
    }
}
