//! The batches of an input: of a file, or of all its streams.

mod following;
mod streams;

use std::{fs::File, sync::Arc};

use arrow_ipc::{Container, FileReader, IpcSchema, Projection, ReadOptions};
use arrow_schema::{Metadata, Schema};

pub(crate) use self::{
    following::{Following, following},
    streams::{Part, Streams},
};
use crate::{
    columns::{ColumnNames, SelectError, Selection, advice},
    exit::Failure,
    input::Input,
    names::InputName,
    progress::{Progress, Unit},
};

/// A source of rows.
#[derive(Debug)]
pub(crate) enum Rows {
    Streams(Box<Streams>),
    File { reader: FileReader<Arc<File>>, file: Arc<File> },
}

impl Rows {
    /// Opens an input to read all columns.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn open(input: Input) -> Result<Rows, Failure> {
        Ok(Rows::open_selected(input, None)?.0)
    }

    /// Opens an input to read its schema, which may have columns of unknown types.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn open_schema(input: Input) -> Result<Rows, Failure> {
        Ok(Rows::open_selected(input, Some(&ColumnNames::default()))?.0)
    }

    /// Opens an input to read the columns that these names and paths need, and how to select from them.
    ///
    /// # Errors
    /// If the input cannot be read, holds tensors only, or does not have exactly one column or field of each name.
    pub(crate) fn open_selected(
        mut input: Input,
        columns: Option<&ColumnNames>,
    ) -> Result<(Rows, Selection), Failure> {
        let name = input.name().clone();
        let select = |schema: &IpcSchema| select(&name, schema, columns);
        // Columns are selected by name once the schema is known. Until then none is, so that one of an unknown type is no
        // error unless it is named.
        let options = match columns {
            None => ReadOptions::default(),
            Some(_) => ReadOptions::default().with_projection(Projection::Positions(Vec::new())),
        };
        if input.container() != Container::File {
            if input.holds_tensors_alone()? {
                return Err(Failure::TensorsAlone { name });
            }
            let (streams, selection) = Streams::open(input, &options, select)?;
            return Ok((Rows::Streams(Box::new(streams)), selection));
        }
        let failed = |error| Failure::Input { name: name.clone(), error };
        let file = Arc::new(input.into_file()?);
        let reader = FileReader::try_from_source(Arc::clone(&file), options).map_err(failed)?;
        let selection = select(reader.ipc_schema())?;
        let reader = reader.project(selection.projection()).map_err(failed)?;
        Ok((Rows::File { reader, file }, selection))
    }

    /// The schema of the columns that are read.
    pub(crate) fn schema(&self) -> &Arc<Schema> {
        match self {
            Rows::Streams(streams) => streams.schema(),
            Rows::File { reader, .. } => reader.schema(),
        }
    }

    /// The schema of all columns.
    pub(crate) fn ipc_schema(&self) -> &IpcSchema {
        match self {
            Rows::Streams(streams) => streams.ipc_schema(),
            Rows::File { reader, .. } => reader.ipc_schema(),
        }
    }

    /// The metadata of the whole: of a file's footer, or of the first stream's schema message.
    pub(crate) fn metadata(&self) -> &Metadata {
        match self {
            Rows::Streams(streams) => streams.metadata(),
            Rows::File { reader, .. } => reader.metadata(),
        }
    }

    /// A progress display for reading.
    pub(crate) fn progress(&self) -> Progress {
        match self {
            Rows::Streams(streams) => Progress::new(Unit::Bytes, streams.n_bytes()),
            Rows::File { reader, .. } => Progress::new(Unit::Batches, Some(reader.n_batches() as u64)),
        }
    }
}

fn select(name: &InputName, schema: &IpcSchema, columns: Option<&ColumnNames>) -> Result<Selection, Failure> {
    let Some(columns) = columns else { return Ok(Selection::default()) };
    columns.check_supported(schema).map_err(|error| Failure::Input { name: name.clone(), error })?;
    let schema = schema.schema();
    columns.select(schema).map_err(|error| match error {
        SelectError::Lookup(error) => {
            let advice = advice(&error, schema);
            Failure::Columns { name: name.clone(), error, advice }
        }
        SelectError::Path(error) => Failure::Path { name: name.clone(), error },
    })
}
