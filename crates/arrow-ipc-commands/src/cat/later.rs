//! Inputs whose rows are shown later, once it is known which are wanted.

use std::sync::Arc;

use arrow_data::RecordBatch;
use arrow_ipc::{Container, FileReader, Limits};
use arrow_ipc_tools::{
    Part, Rows, Selection, SharedSource, SpooledBatch, Streams, ToolError, ToolErrorKind, Unit, count_rows,
};
use arrow_schema::Schema;

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

/// A batch of a stream that is read as it arrives.
pub(super) enum Arrived {
    Whole(RecordBatch),
    /// A large batch, whose body is in a temporary file.
    Large(SpooledBatch),
}

/// Passes on the batches of streams as they arrive, each with the number of bytes up to its end, as long as `take` wants more.
///
/// # Errors
/// If the streams cannot be read. The first error of `take`.
pub(super) fn each_arriving<E: From<ToolError>>(
    streams: &mut Streams,
    mut watcher: Watcher,
    mut take: impl FnMut(Arrived, u64) -> Result<bool, E>,
) -> Result<(), E> {
    watcher.begin(Unit::Bytes, streams.n_bytes());
    streams.keep_large_batches_apart();
    while let Some(part) = streams.next_part()? {
        let n_bytes = streams.n_bytes_consumed();
        watcher.set(n_bytes);
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

fn n_rows_of(name: &arrow_ipc_tools::InputName, reader: &FileReader<SharedSource>) -> Result<u64, ToolError> {
    reader.n_rows().map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))
}
