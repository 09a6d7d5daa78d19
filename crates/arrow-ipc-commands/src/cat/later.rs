//! Inputs whose rows are shown later, once it is known which are wanted.

use arrow_data::RecordBatch;
use arrow_ipc::{Container, Limits, Source};
use arrow_ipc_tools::{
    BatchAtHand, Input, Part, RowQuery, RowWindow, Rows, Selection, SpooledBatch, ToolError, ToolErrorKind,
    add_rows, count_rows,
};

use super::{show::status_after, vertical::RowNumbers};
use crate::{
    args::ShowArgs,
    exit::{Failure, Status, note_left_out},
    names::InputArg,
    text_rows::open_rows,
    watcher::Watcher,
};

/// An input that has been looked at.
pub(super) enum Seen {
    /// Its rows can be read later. Has their number, and the status that `note_left_out` returned.
    Later(Later, u64, Status),
    /// All of its rows are read now: they cannot be read later, or there is a condition, so it is not known which are wanted.
    Now(Box<OpenedRows>),
}

/// An input whose rows can be read later.
pub(super) enum Later {
    /// It is opened again. Its rows were counted by metadata.
    Path(InputArg),
    /// It stays open: the only file, or the temporary copy of a file from a pipe.
    Open(Box<OpenedRows>),
}

/// An open input, and the columns and rows of it that are shown.
pub(super) struct OpenedRows {
    pub(super) name: arrow_ipc_tools::InputName,
    pub(super) rows: Rows,
    pub(super) selection: Selection,
}

impl Seen {
    /// # Errors
    /// If the input cannot be read, or lacks a column.
    pub(super) fn of(name: &InputArg, show: &ShowArgs, query: &RowQuery) -> Result<Seen, Failure> {
        // Rows that match have their number among all rows, so the whole input is opened.
        let needed = if query.condition().is_some() { RowQuery::new() } else { query.clone() };
        let input = open_rows(name, &show.text(), &needed)?;
        // If a file is the only input, it stays open with the metadata that was read.
        let stays_open = show.files.len() == 1 && input.container() == Container::File;
        let name_of_input = input.name().clone();
        let has_condition = query.condition().is_some();
        if input.n_bytes().is_some() && !stays_open && !has_condition {
            let count = count_rows(input, &Limits::default(), &mut Watcher::default())?;
            let status = note_left_out(&name_of_input, "shown", count.trailing_bytes, count.n_tensors);
            return Ok(Seen::Later(Later::Path(name.clone()), count.n_rows, status));
        }
        let opened = Box::new(OpenedRows::of(input, query)?);
        let n_rows = match &opened.rows {
            Rows::File { reader, .. } if !has_condition => reader.n_rows(),
            Rows::File { .. } | Rows::Streams(_) => return Ok(Seen::Now(opened)),
        };
        let n_rows = n_rows.map_err(|error| ToolError::new(name_of_input, ToolErrorKind::Input(error)))?;
        Ok(Seen::Later(Later::Open(opened), n_rows, Status::Fine))
    }
}

impl Later {
    /// # Errors
    /// If the input cannot be opened again, or lacks a column.
    pub(super) fn open(self, show: &ShowArgs) -> Result<OpenedRows, Failure> {
        match self {
            Later::Open(opened) => Ok(*opened),
            Later::Path(name) => OpenedRows::of(name.open()?, &show.query()),
        }
    }
}

/// Rows of an input that were read together, or that are read when they are wanted.
pub(super) struct Arrived {
    pub(super) rows: ArrivedRows,
    /// Their numbers in the input.
    pub(super) numbers: RowNumbers,
    /// How many bytes of the input were read; for a file, its length.
    pub(super) n_bytes: u64,
}

pub(super) enum ArrivedRows {
    Whole(RecordBatch),
    /// A large batch of a stream, whose body is in a temporary file.
    Large(SpooledBatch),
}

impl OpenedRows {
    fn of(input: Input, query: &RowQuery) -> Result<OpenedRows, Failure> {
        let name = input.name().clone();
        let (rows, selection) = Rows::open_selected(input, query)?;
        Ok(OpenedRows { name, rows, selection })
    }

    /// Reads all rows, and passes on those that match, as long as `take` returns true. Returns how many rows were read.
    ///
    /// # Errors
    /// If the input cannot be read. The first error of `take`.
    pub(super) fn each<E: From<ToolError>>(
        &mut self,
        mut watcher: Watcher,
        mut take: impl FnMut(Arrived) -> Result<bool, E>,
    ) -> Result<u64, E> {
        let OpenedRows { name, rows, selection } = self;
        let failed = |kind| ToolError::new(name.clone(), kind);
        let add =
            |first, n_rows| add_rows(first, n_rows).map_err(|error| failed(ToolErrorKind::Input(error)));
        let (unit, n_total) = rows.work();
        watcher.begin(unit, n_total);
        let mut cursor = rows.select(name, selection, RowWindow::ALL);
        // The number of the next row.
        let mut first = 0_u64;
        loop {
            watcher.set(cursor.n_done(rows));
            let (batch, n_bytes) = match rows {
                Rows::Streams(streams) if !selection.has_condition() => {
                    let part = streams.next_part()?;
                    let n_bytes = streams.n_bytes_consumed();
                    match part {
                        None => return Ok(first),
                        Some(Part::Batch(batch, _)) => (BatchAtHand::Read(batch), n_bytes),
                        Some(Part::Large(batch)) => {
                            let (start, n_rows) = (first, batch.n_rows());
                            first = add(start, n_rows)?;
                            let (rows, numbers) = (ArrivedRows::Large(batch), RowNumbers::From(start));
                            match take(Arrived { rows, numbers, n_bytes })? {
                                true => continue,
                                false => return Ok(first),
                            }
                        }
                        Some(Part::Dictionary { .. } | Part::Tensor(..)) => continue,
                    }
                }
                _ => {
                    let batch = cursor.next_batch(rows)?;
                    first = add(first, cursor.n_rows_skipped())?;
                    let n_bytes = match rows {
                        Rows::Streams(streams) => streams.n_bytes_consumed(),
                        Rows::File { file, .. } => {
                            file.n_bytes().map_err(|error| failed(ToolErrorKind::Read(error)))?
                        }
                    };
                    match batch {
                        None => return Ok(first),
                        Some(batch) => (batch, n_bytes),
                    }
                }
            };
            for batch in batch.in_windows() {
                let (batch, start) = (batch?, first);
                first = add(start, batch.n_rows() as u64)?;
                let (batch, numbers) = match selection.matching(&batch).map_err(failed)? {
                    None => (batch, RowNumbers::From(start)),
                    Some(matching) => {
                        let slots: Vec<u64> = matching.iter_set().map(|slot| slot as u64).collect();
                        let matching =
                            batch.take(&slots).map_err(|error| failed(ToolErrorKind::Path(error)))?;
                        let numbers = slots.into_iter().map(|slot| start.saturating_add(slot)).collect();
                        (matching, RowNumbers::Each(numbers))
                    }
                };
                if !take(Arrived { rows: ArrivedRows::Whole(batch), numbers, n_bytes })? {
                    return Ok(first);
                }
            }
        }
    }

    /// Reports what was not shown, after all rows were read.
    pub(super) fn status(&self) -> Status {
        match &self.rows {
            Rows::File { .. } => Status::Fine,
            Rows::Streams(streams) => status_after(&self.name, streams),
        }
    }
}

impl Arrived {
    pub(super) fn n_rows(&self) -> u64 {
        match &self.rows {
            ArrivedRows::Whole(batch) => batch.n_rows() as u64,
            ArrivedRows::Large(batch) => batch.n_rows(),
        }
    }
}
