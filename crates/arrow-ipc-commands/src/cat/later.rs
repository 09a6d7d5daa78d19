//! Inputs whose rows are shown later, once it is known which are wanted.

use arrow_ipc::{Container, FileReader, Limits};
use arrow_ipc_tools::{Rows, Selection, SharedSource, Streams, ToolError, ToolErrorKind, count_rows};

use crate::{
    args::ShowArgs,
    exit::{Failure, Status, note_left_out},
    names::InputArg,
    text_rows::open_rows,
    watcher::Watcher,
};

/// An input that has been looked at.
pub(super) enum Seen {
    /// Its rows can be read later. It has their number, and the status of what was reported.
    Later(Later, u64, Status),
    /// Its rows are read as they arrive, and cannot be read later.
    Streams(Box<Streams>, Selection),
}

/// An input whose rows can be read later.
pub(super) enum Later {
    /// It is opened again. Its rows were counted by metadata.
    Path(InputArg),
    /// It stays open: the only file, or the temporary copy of a file from a pipe.
    Open(Box<OpenedRows>),
}

/// An open input, and its columns that are shown.
pub(super) struct OpenedRows {
    pub(super) name: arrow_ipc_tools::InputName,
    pub(super) rows: Rows,
    pub(super) selection: Selection,
}

impl Seen {
    /// # Errors
    /// If the input cannot be read, or lacks a column.
    pub(super) fn of(name: &InputArg, show: &ShowArgs) -> Result<Seen, Failure> {
        let input = open_rows(name, &show.text())?;
        // A file that is the only input stays open, with the metadata that was read.
        let stays_open = show.files.len() == 1 && input.container() == Container::File;
        if input.n_bytes().is_some() && !stays_open {
            let shown = input.name().clone();
            let count = count_rows(input, &Limits::default(), &mut Watcher::default())?;
            let status = note_left_out(&shown, "shown", count.trailing_bytes, count.n_tensors);
            return Ok(Seen::Later(Later::Path(name.clone()), count.n_rows, status));
        }
        let name = input.name().clone();
        let (rows, selection) = Rows::open_selected(input, &show.query())?;
        Ok(match rows {
            Rows::Streams(streams) => Seen::Streams(streams, selection),
            Rows::File { reader, file } => {
                let n_rows = n_rows_of(&name, &reader)?;
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

fn n_rows_of(name: &arrow_ipc_tools::InputName, reader: &FileReader<SharedSource>) -> Result<u64, ToolError> {
    reader.n_rows().map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))
}
