//! `tail`: the last rows of all inputs.

use std::{collections::VecDeque, io::Write, mem};

use arrow_data::{DataError, RecordBatch};
use arrow_ipc_tools::{
    RowMemory, RowQuery, RowWindow, Selection, Streams, ToolError, ToolErrorKind, add_rows,
};

use super::{
    later::{Arrived, Later, MatchingRows, OpenedRows, Seen, each_arriving},
    printer::{Printer, Style, empty_batch},
    show::{finish, print_batch, show_rows, status_after},
};
use crate::{
    args::{ShowArgs, TailArgs},
    exit::{Failure, Status},
    import::check_use,
    inputs::{attempt, each},
    names::InputArg,
    output::text_stdout,
    watcher::Watcher,
};

pub(crate) fn tail(args: &TailArgs) -> Result<Status, Failure> {
    let style = Style::of(&args.show)?;
    check_use(&args.show.files, &args.show.text())?;
    let query = args.condition.of(args.show.query());
    let mut last = Last { n_wanted: args.limit, ..Last::default() };
    let mut status = each(&args.show.files, |name| last.add(name, &args.show, &query))?;
    let out = text_stdout(style.escapes());
    let mut printer = Printer::new(style, out).allowing(Some(args.limit)).with_threads(args.show.threads.n());
    printer.continue_at(last.n_rows.saturating_sub(args.limit));
    let n_rows = last.n_rows;
    for (part, skipped) in last.into_parts() {
        let shown = part.show(skipped, &args.show, &mut printer);
        if attempt(shown, &mut status).is_break() {
            break;
        }
    }
    finish(printer, status, || Some(n_rows))
}

/// The last rows of the inputs so far.
#[derive(Default)]
struct Last {
    n_wanted: u64,
    /// The number of rows of all inputs so far.
    n_rows: u64,
    /// The number of rows of all parts.
    n_kept: u64,
    parts: VecDeque<LastPart>,
    /// The memory of rows that cannot be read again.
    memory: RowMemory,
}

/// Rows that follow each other.
struct LastPart {
    n_rows: u64,
    rows: LastRows,
}

enum LastRows {
    /// Rows of an input that can be read again.
    Later(Later),
    /// Rows of a stream that is read as it arrives, and how many bytes were read for them.
    Arrived { name: arrow_ipc_tools::InputName, batch: Arrived, n_bytes: u64, selection: Selection },
    /// Rows that match, with their numbers over all inputs.
    Matching { name: arrow_ipc_tools::InputName, matches: MatchingRows, selection: Selection },
}

impl Last {
    fn add(&mut self, name: &InputArg, show: &ShowArgs, query: &RowQuery) -> Result<Status, Failure> {
        match Seen::of(name, show, query)? {
            Seen::Later(later, n_rows, status) => {
                self.keep(LastPart { n_rows, rows: LastRows::Later(later) }).map_err(of(name))?;
                Ok(status)
            }
            Seen::Streams(streams, selection) => self.join(name, |last| last.read(*streams, &selection)),
            Seen::Matching(opened) => {
                let n_rows_before = self.n_rows;
                self.join(name, |last| last.read_matching(*opened, n_rows_before))
            }
        }
    }

    /// Adds the last rows of an input that is read now.
    fn join(
        &mut self,
        name: &InputArg,
        read: impl FnOnce(&mut Last) -> Result<Status, Failure>,
    ) -> Result<Status, Failure> {
        // If reading fails, nothing is added, as for inputs whose rows are counted first.
        let memory = mem::take(&mut self.memory);
        let mut arrived = Last { n_wanted: self.n_wanted, memory, ..Last::default() };
        let read = read(&mut arrived);
        let Last { n_rows, n_kept, parts, mut memory, .. } = arrived;
        memory.end_input();
        if read.is_err() {
            parts.iter().filter_map(LastPart::in_memory).for_each(|rows| memory.remove(rows));
        }
        self.memory = memory;
        let status = read?;
        self.count(n_rows.saturating_sub(n_kept)).map_err(of(name))?;
        parts.into_iter().try_for_each(|part| self.keep(part)).map_err(of(name))?;
        Ok(status)
    }

    /// Reads the last rows that match.
    fn read_matching(&mut self, mut opened: OpenedRows, n_rows_before: u64) -> Result<Status, Failure> {
        let (name, selection) = (opened.name.clone(), opened.selection.clone());
        let part = |matches: MatchingRows| {
            let (name, selection) = (name.clone(), selection.clone());
            LastPart {
                n_rows: matches.rows.len() as u64,
                rows: LastRows::Matching { name, matches, selection },
            }
        };
        // A table without rows needs the columns.
        let empty = empty_batch(opened.rows.schema());
        let values = empty.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Values(error)))?;
        let empty = part(MatchingRows { values, rows: Vec::new(), n_bytes: 0 });
        self.push(empty).map_err(|kind| ToolError::new(name.clone(), kind))?;
        let (n_rows, status) = opened.each_matching(|mut matches| {
            self.memory.has_read(matches.n_bytes);
            let last = last_rows(matches.values, self.n_wanted);
            let (values, n_dropped) = last.map_err(|error| ToolErrorKind::Values(error.into()))?;
            matches.values = values;
            // At most all rows of the batch are dropped.
            matches.rows.drain(..usize::try_from(n_dropped).unwrap_or(usize::MAX).min(matches.rows.len()));
            matches.rows.iter_mut().for_each(|row| *row = row.saturating_add(n_rows_before));
            self.count(n_dropped)?;
            self.push(part(matches))?;
            self.memory.check()
        })?;
        self.count(n_rows.saturating_sub(self.n_rows)).map_err(|kind| ToolError::new(name, kind))?;
        Ok(status)
    }

    /// Reads the last rows of streams as they arrive.
    fn read(&mut self, mut streams: Streams, selection: &Selection) -> Result<Status, Failure> {
        let name = streams.name().clone();
        let invalid = |kind| ToolError::new(name.clone(), kind);
        let mut n_bytes_before = 0;
        let part = |batch: Arrived, n_bytes| {
            let (name, selection) = (name.clone(), selection.clone());
            LastPart { n_rows: batch.n_rows(), rows: LastRows::Arrived { name, batch, n_bytes, selection } }
        };
        // A table without rows needs the columns.
        let empty = empty_batch(streams.schema()).map_err(|error| invalid(ToolErrorKind::Values(error)))?;
        self.push(part(Arrived::Whole(empty), 0)).map_err(invalid)?;
        each_arriving(&mut streams, Watcher::default(), |batch, n_bytes| {
            self.memory.has_read(n_bytes);
            let (batch, n_dropped) = match batch {
                Arrived::Whole(batch) => {
                    let last = last_rows(batch, self.n_wanted);
                    let (last, n_dropped) =
                        last.map_err(|error| invalid(ToolErrorKind::Values(error.into())))?;
                    (Arrived::Whole(last), n_dropped)
                }
                Arrived::Large(batch) => (Arrived::Large(batch), 0),
            };
            self.count(n_dropped).map_err(invalid)?;
            self.push(part(batch, n_bytes.saturating_sub(n_bytes_before))).map_err(invalid)?;
            self.memory.check().map_err(invalid)?;
            n_bytes_before = n_bytes;
            Ok::<_, ToolError>(true)
        })?;
        Ok(status_after(&name, &streams))
    }

    /// # Errors
    /// If there are too many rows to count.
    fn count(&mut self, n_rows: u64) -> Result<(), ToolErrorKind> {
        self.n_rows = add_rows(self.n_rows, n_rows).map_err(ToolErrorKind::Input)?;
        Ok(())
    }

    /// Counts the memory of a part, and adds it as [`keep`](Last::keep) does.
    fn push(&mut self, part: LastPart) -> Result<(), ToolErrorKind> {
        part.in_memory().into_iter().for_each(|rows| self.memory.add(rows));
        self.keep(part)
    }

    /// Adds a part, and drops parts that are no longer wanted.
    fn keep(&mut self, part: LastPart) -> Result<(), ToolErrorKind> {
        self.count(part.n_rows)?;
        // This is at most `n_rows`, so it does not overflow.
        self.n_kept = self.n_kept.saturating_add(part.n_rows);
        // A part without rows is only needed for its columns, if there is no other part.
        if part.n_rows == 0 && !self.parts.is_empty() {
            part.in_memory().into_iter().for_each(|rows| self.memory.remove(rows));
            return Ok(());
        }
        self.parts.push_back(part);
        while let Some(first) = self.parts.front()
            && self.parts.len() > 1
            && self.n_kept.saturating_sub(first.n_rows) >= self.n_wanted
        {
            self.n_kept = self.n_kept.saturating_sub(first.n_rows);
            first.in_memory().into_iter().for_each(|rows| self.memory.remove(rows));
            self.parts.pop_front();
        }
        Ok(())
    }

    /// The parts, each with the number of unwanted rows at its start.
    fn into_parts(self) -> impl Iterator<Item = (LastPart, u64)> {
        let mut n_skipped = self.n_kept.saturating_sub(self.n_wanted);
        self.parts.into_iter().map(move |part| {
            let skipped = n_skipped.min(part.n_rows);
            n_skipped = n_skipped.saturating_sub(skipped);
            (part, skipped)
        })
    }
}

/// Makes errors of an input.
fn of(name: &InputArg) -> impl Fn(ToolErrorKind) -> ToolError {
    |kind| ToolError::new(name.into(), kind)
}

/// The last rows of a batch, and how many rows are before them. Unless they are the whole batch, they are copied.
fn last_rows(batch: RecordBatch, n_wanted: u64) -> Result<(RecordBatch, u64), DataError> {
    let n_kept = usize::try_from(n_wanted).unwrap_or(usize::MAX).min(batch.n_rows());
    match batch.n_rows() - n_kept {
        0 => Ok((batch, 0)),
        n_dropped => Ok((batch.slice(n_dropped, n_kept).compact()?, n_dropped as u64)),
    }
}

impl LastPart {
    fn in_memory(&self) -> Option<&RecordBatch> {
        match &self.rows {
            LastRows::Arrived { batch: Arrived::Whole(rows), .. } => Some(rows),
            LastRows::Matching { matches, .. } => Some(&matches.values),
            LastRows::Arrived { batch: Arrived::Large(_), .. } | LastRows::Later(_) => None,
        }
    }

    fn show(
        self,
        skipped: u64,
        show: &ShowArgs,
        printer: &mut Printer<impl Write + Send>,
    ) -> Result<Status, Failure> {
        let mut window = RowWindow::of(skipped..self.n_rows);
        match self.rows {
            LastRows::Later(later) => {
                let OpenedRows { name, mut rows, selection } = later.open(show)?;
                show_rows(&name, &mut rows, selection, &mut window, printer)?;
            }
            LastRows::Matching { name, matches, selection } => {
                printer.begin(&name, matches.values.schema(), selection)?;
                printer.set_input_bytes(matches.n_bytes);
                let numbers = matches.rows.into_iter().skip(usize::try_from(skipped).unwrap_or(usize::MAX));
                let numbers = numbers.collect();
                window.take(matches.values).map_or(Ok(()), |values| printer.chosen(values, numbers))?;
            }
            LastRows::Arrived { name, batch, n_bytes, selection } => {
                printer.begin(&name, batch.schema(), selection)?;
                printer.set_input_bytes(n_bytes);
                match batch {
                    Arrived::Whole(batch) => {
                        window.take(batch).map_or(Ok(()), |batch| printer.batch(batch))?;
                    }
                    Arrived::Large(batch) => {
                        let rows = batch.select(&mut window)?;
                        rows.map_or(Ok(()), |rows| print_batch(rows.in_windows(), printer))?;
                    }
                }
            }
        }
        Ok(Status::Fine)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Utf8ViewArray;

    use super::*;

    #[test]
    fn more_rows_than_can_be_counted_are_refused() {
        let texts = Utf8ViewArray::from_iter([Some("a")]);
        let batch = RecordBatch::try_from_columns([("text", texts.into())]).unwrap();
        let part = |n_rows| {
            let (name, selection) = ("in".into(), Selection::default());
            let rows =
                LastRows::Arrived { name, batch: Arrived::Whole(batch.clone()), n_bytes: 0, selection };
            LastPart { n_rows, rows }
        };
        let mut last = Last { n_wanted: 5, ..Last::default() };
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
        assert!(last.same_rows(&batch.slice(9_997, 3)).unwrap());
        assert_eq!(last_rows(batch, u64::MAX).unwrap().1, 0);
    }
}
