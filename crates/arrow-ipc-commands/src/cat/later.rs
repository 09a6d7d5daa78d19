//! Inputs whose rows are shown later, once it is known which are wanted.

use std::sync::Arc;

use arrow_data::RecordBatch;
use arrow_ipc::{Container, Limits, Source};
use arrow_ipc_tools::{
    Part, RowQuery, RowWindow, Rows, Selection, SpooledBatch, Streams, ToolError, ToolErrorKind, add_rows,
    count_rows,
};
use arrow_schema::Schema;

use super::show::status_after;
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
    /// Its rows are read as they arrive, and cannot be read later.
    Streams(Box<Streams>, Selection),
    /// There is a condition, so all of its rows must be read to know which are wanted.
    Matching(Box<OpenedRows>),
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
        if query.condition().is_some() {
            let name = input.name().clone();
            let (rows, selection) = Rows::open_selected(input, query)?;
            return Ok(Seen::Matching(Box::new(OpenedRows { name, rows, selection })));
        }
        // If a file is the only input, it stays open with the metadata that was read.
        let stays_open = show.files.len() == 1 && input.container() == Container::File;
        if input.n_bytes().is_some() && !stays_open {
            let shown = input.name().clone();
            let count = count_rows(input, &Limits::default(), &mut Watcher::default())?;
            let status = note_left_out(&shown, "shown", count.trailing_bytes, count.n_tensors);
            return Ok(Seen::Later(Later::Path(name.clone()), count.n_rows, status));
        }
        let name = input.name().clone();
        let (rows, selection) = Rows::open_selected(input, query)?;
        Ok(match rows {
            Rows::Streams(streams) => Seen::Streams(streams, selection),
            Rows::File { reader, file } => {
                let n_rows = reader.n_rows();
                let n_rows =
                    n_rows.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))?;
                let rows = Rows::File { reader, file };
                Seen::Later(Later::Open(Box::new(OpenedRows { name, rows, selection })), n_rows, Status::Fine)
            }
        })
    }
}

impl Later {
    /// # Errors
    /// If the input cannot be opened again, or lacks a column.
    pub(super) fn open(self, show: &ShowArgs) -> Result<OpenedRows, Failure> {
        match self {
            Later::Open(opened) => Ok(*opened),
            Later::Path(name) => {
                let input = name.open()?;
                let name = input.name().clone();
                let (rows, selection) = Rows::open_selected(input, &show.query())?;
                Ok(OpenedRows { name, rows, selection })
            }
        }
    }
}

/// A batch of a stream that is read as it arrives.
pub(super) enum Arrived {
    Whole(RecordBatch),
    /// A large batch, whose body is in a temporary file.
    Large(SpooledBatch),
}

/// Passes on the batches of streams as they arrive, each with the number of bytes up to its end, as long as `take`
/// returns true.
///
/// # Errors
/// If the streams cannot be read. The first error of `take`.
pub(super) fn each_arriving<E: From<ToolError>>(
    streams: &mut Streams,
    mut watcher: Watcher,
    mut take: impl FnMut(Arrived, u64) -> Result<bool, E>,
) -> Result<(), E> {
    let (unit, n_total) = streams.work();
    watcher.begin(unit, n_total);
    streams.keep_large_batches_apart();
    while let Some(part) = streams.next_part()? {
        let n_bytes = streams.n_bytes_consumed();
        watcher.set(streams.n_done());
        let batch = match part {
            Part::Batch(batch, _) => Arrived::Whole(batch),
            Part::Large(batch) => Arrived::Large(batch),
            Part::Dictionary { .. } | Part::Tensor(..) => continue,
        };
        if !take(batch, n_bytes)? {
            break;
        }
    }
    Ok(())
}

/// The matching rows among rows of an input that were read together.
pub(super) struct MatchingRows {
    pub(super) values: RecordBatch,
    /// The numbers of the rows in the input.
    pub(super) rows: Vec<u64>,
    /// How many bytes of the input were read; for a file, its length.
    pub(super) n_bytes: u64,
}

impl OpenedRows {
    /// Reads all rows, and passes on those that match. Returns how many rows there are.
    ///
    /// # Errors
    /// If the input cannot be read. The first error of `take`.
    pub(super) fn each_matching(
        &mut self,
        mut take: impl FnMut(MatchingRows) -> Result<(), ToolErrorKind>,
    ) -> Result<(u64, Status), ToolError> {
        let OpenedRows { name, rows, selection } = self;
        let failed = |kind| ToolError::new(name.clone(), kind);
        let mut watcher = Watcher::default();
        let (unit, n_total) = rows.work();
        watcher.begin(unit, n_total);
        let mut cursor = rows.select(name, selection, RowWindow::ALL);
        // The number of the next row.
        let mut first = 0_u64;
        let add =
            |first, n_rows| add_rows(first, n_rows).map_err(|error| failed(ToolErrorKind::Input(error)));
        while let Some(batch) = cursor.next_batch(rows)? {
            let n_bytes = match rows {
                Rows::Streams(streams) => streams.n_bytes_consumed(),
                Rows::File { file, .. } => {
                    file.n_bytes().map_err(|error| failed(ToolErrorKind::Read(error)))?
                }
            };
            first = add(first, cursor.n_rows_skipped())?;
            for batch in batch.in_windows() {
                let batch = batch?;
                let n_rows = batch.n_rows() as u64;
                let matching = selection.matching(&batch).map_err(failed)?;
                let slots: Vec<u64> = match matching {
                    Some(matching) => matching.iter_set().map(|slot| slot as u64).collect(),
                    None => (0..n_rows).collect(),
                };
                let values = batch.take(&slots).map_err(|error| failed(ToolErrorKind::Path(error)))?;
                let rows = slots.into_iter().map(|slot| first.saturating_add(slot)).collect();
                take(MatchingRows { values, rows, n_bytes }).map_err(failed)?;
                first = add(first, n_rows)?;
            }
            watcher.set(cursor.n_done(rows));
        }
        let n_rows = add(first, cursor.n_rows_skipped())?;
        let status = match rows {
            Rows::File { .. } => Status::Fine,
            Rows::Streams(streams) => status_after(name, streams),
        };
        Ok((n_rows, status))
    }
}

impl Arrived {
    pub(super) fn n_rows(&self) -> u64 {
        match self {
            Arrived::Whole(batch) => batch.n_rows() as u64,
            Arrived::Large(batch) => batch.n_rows(),
        }
    }

    pub(super) fn schema(&self) -> &Arc<Schema> {
        match self {
            Arrived::Whole(batch) => batch.schema(),
            Arrived::Large(batch) => batch.reader().schema(),
        }
    }
}
