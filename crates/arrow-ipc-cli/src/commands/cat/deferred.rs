//! Inputs that are read in two steps: first the rows to show are chosen, then they are read.

use std::sync::Arc;

use arrow_data::RecordBatch;
use arrow_ipc_tools::{
    Input, InputContext, InputName, RowQuery, RowWindow, Rows, ToolError,
    columns::Selection,
    count_rows,
    cursor::{RowCursor, RowNumbers, SpooledBatch},
};
use arrow_schema::Schema;

use super::show::status_after;
use crate::{
    args::ShowArgs,
    context::Context,
    exit::{Failure, Status, note_remarks},
    inputs::text_rows::open_rows,
    names::InputArg,
    terminal::watcher::Watcher,
};

/// An opened input, and its number of rows if rows are read later.
pub(super) enum CountedInput {
    /// The input, its number of rows, and the status that `note_remarks` returned.
    Later(DeferredInput, u64, Status),
    /// An input whose rows are all read now, because it cannot be read later, or because of a condition.
    Now(Box<RowCursor>),
}

/// An input whose rows can be read later.
pub(super) enum DeferredInput {
    /// An input that is opened again. Its rows were counted from metadata.
    Path(InputArg),
    /// An input that stays open: a file that is the only input, or a temporary copy of a file from a pipe.
    Open(Box<RowCursor>),
}

/// An input that cannot be read again, as the printer needs it.
pub(super) struct PrinterInput {
    pub(super) name: InputName,
    pub(super) schema: Arc<Schema>,
    pub(super) selection: Selection,
}

impl CountedInput {
    /// Opens an input. Counts its rows if they can be read later.
    ///
    /// # Errors
    /// If the input cannot be read, or lacks a column.
    pub(super) fn try_new(
        context: &Context,
        name: &InputArg,
        show: &ShowArgs,
        query: &RowQuery,
    ) -> Result<CountedInput, Failure> {
        // Row numbers count all rows, also those that do not match a condition.
        let needed = query.clone().with_row_numbers();
        let input = show.indexed(open_rows(context, name, &show.text(), &needed)?)?;
        let name_of_input = input.name().clone();
        let has_condition = query.condition().is_some();
        // A single input stays open, to not read its metadata twice.
        if show.files.len() == 1 && input.n_bytes().is_some() && !has_condition {
            let opened = RowCursor::open_by_position(input, query, RowWindow::ALL)?;
            if let Rows::File { reader } = opened.rows() {
                let n_rows = reader.n_rows().in_input(name_of_input)?;
                let status = status_after(context, &opened)?;
                return Ok(CountedInput::Later(DeferredInput::Open(Box::new(opened)), n_rows, status));
            }
            // It is read in order, and opened again for that.
            return CountedInput::counted(context, name, open_rows(context, name, &show.text(), &needed)?);
        }
        if input.n_bytes().is_some() && !has_condition {
            return CountedInput::counted(context, name, input);
        }
        let opened = Box::new(RowCursor::open(input, query, RowWindow::ALL)?);
        let n_rows = match opened.rows() {
            Rows::File { reader } if !has_condition => reader.n_rows(),
            Rows::File { .. } | Rows::Streams(_) => return Ok(CountedInput::Now(opened)),
        };
        let n_rows = n_rows.in_input(name_of_input)?;
        let status = status_after(context, &opened)?;
        Ok(CountedInput::Later(DeferredInput::Open(opened), n_rows, status))
    }

    /// Counts the rows of an input that is opened again later.
    fn counted(context: &Context, name: &InputArg, input: Input) -> Result<CountedInput, Failure> {
        let name_of_input = input.name().clone();
        let count = count_rows(input, &mut Watcher::new(context))?;
        let status = note_remarks(context, &name_of_input, "shown", &count.remarks);
        Ok(CountedInput::Later(DeferredInput::Path(name.clone()), count.n_rows, status))
    }
}

impl DeferredInput {
    /// Opens the input to read its rows.
    ///
    /// # Errors
    /// If the input cannot be opened again, or lacks a column.
    pub(super) fn open(self, context: &Context, show: &ShowArgs) -> Result<RowCursor, Failure> {
        match self {
            DeferredInput::Open(opened) => Ok(*opened),
            DeferredInput::Path(name) => Ok(RowCursor::open_by_position(
                show.indexed(name.open(context)?)?,
                &show.query(),
                RowWindow::ALL,
            )?),
        }
    }
}

impl PrinterInput {
    pub(super) fn from_cursor(cursor: &RowCursor) -> PrinterInput {
        PrinterInput {
            name: cursor.name().clone(),
            schema: Arc::clone(cursor.rows().schema()),
            selection: cursor.selection().clone(),
        }
    }
}

/// Rows of an input, which are in memory, or in a large batch that is read later.
pub(super) struct ArrivedBatch {
    pub(super) rows: ArrivedRows,
    /// The numbers of these rows in the input.
    pub(super) numbers: RowNumbers,
    /// The number of input bytes that were read; for a file, its length.
    pub(super) n_bytes: u64,
}

pub(super) enum ArrivedRows {
    Whole(RecordBatch),
    /// A large batch of a stream. Its body is read later.
    Large(SpooledBatch),
}

/// Reads all rows, and passes matching rows to `take`. Stops if `take` returns `false`.
///
/// # Errors
/// If the input cannot be read. The first error of `take`.
pub(super) fn each_arrived<E: From<ToolError>>(
    cursor: &mut RowCursor,
    mut watcher: Watcher,
    mut take: impl FnMut(ArrivedBatch) -> Result<bool, E>,
) -> Result<(), E> {
    let (unit, n_total) = cursor.rows().work();
    watcher.begin(unit, n_total);
    while cursor.next_batch()? {
        let n_bytes = cursor.n_bytes()?;
        let large = if cursor.selection().has_condition() { None } else { cursor.take_large() };
        if let Some((large, numbers)) = large
            && !take(ArrivedBatch { rows: ArrivedRows::Large(large), numbers, n_bytes })?
        {
            return Ok(());
        }
        while let Some((rows, numbers)) = cursor.next_rows()? {
            if !take(ArrivedBatch { rows: ArrivedRows::Whole(rows), numbers, n_bytes })? {
                return Ok(());
            }
        }
        watcher.set(cursor.n_done());
    }
    Ok(())
}

impl ArrivedBatch {
    pub(super) fn n_rows(&self) -> u64 {
        match &self.rows {
            ArrivedRows::Whole(batch) => batch.n_rows() as u64,
            ArrivedRows::Large(batch) => batch.n_rows(),
        }
    }
}
