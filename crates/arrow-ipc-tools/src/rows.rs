//! Opens an input as the batches of a file or of streams. Also prefetches batches, reads them in parts, joins rows, and finds rows by
//! their number or key.

pub(crate) mod accumulator;
pub(crate) mod metadata;
pub(crate) mod parts;
pub(crate) mod prefetch;
pub(crate) mod row_keys;
pub(crate) mod row_window;
pub(crate) mod streams;

use std::sync::Arc;

use arrow_ipc::{
    Container, FileReader, IpcError, IpcSchema, Limits, Projection, ReadOptions, Source, file::StreamEnd,
};
use arrow_schema::{Metadata, Schema};

use self::streams::Streams;
use crate::{
    columns::{ColumnNames, RowQuery, Selection},
    error::{InputContext, ToolError, ToolErrorKind, name::InputName, trailing::TrailingBytes},
    input::Input,
    observer::{InputRemarks, Unit},
    source::SharedSource,
};

/// An input that was opened to read its batches, as a file or as streams.
///
/// ```
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_tools::{Input, Rows};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let rows = Rows::open(Input::try_from_buffer("stream", stream.into())?)?;
/// assert_eq!(rows.schema().to_string(), "id: int64");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum Rows {
    /// One stream, or several in sequence.
    Streams(Box<Streams>),
    /// A file, with its footer.
    File {
        /// Reads the batches that the footer lists.
        reader: FileReader<SharedSource>,
    },
}

impl Rows {
    /// Opens an input to read all columns.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn open(input: Input) -> Result<Rows, ToolError> {
        Ok(Rows::open_selected(input, &RowQuery::new())?.0)
    }

    /// Opens an input to read only its schema. Columns of unknown types are no error.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn open_schema(input: Input) -> Result<Rows, ToolError> {
        let no_columns = RowQuery::new().with_columns(ColumnNames::default());
        Ok(Rows::open_selected(input, &no_columns)?.0)
    }

    /// Opens an input to read the columns that a query needs. Also returns the [`Selection`], which applies the query
    /// to batches.
    ///
    /// # Errors
    /// If the input cannot be read or has only tensors. If a name does not identify exactly one column or field. If a
    /// constant of the condition does not fit the type of its column.
    pub fn open_selected(input: Input, query: &RowQuery) -> Result<(Rows, Selection), ToolError> {
        Rows::open_with(input, query, ReadOptions::new())
    }

    /// Like [`open_selected`](Rows::open_selected), to read a few rows. A stream that is read by position is opened like a
    /// file: its metadata is read first, and of the bodies only what is needed. A stream that other bytes follow, that has
    /// tensors, or that is cut or malformed is read in order, unless the input has an
    /// [index](crate::Input::with_index).
    ///
    /// # Errors
    /// The errors of [`open_selected`](Rows::open_selected).
    pub fn open_by_position(input: Input, query: &RowQuery) -> Result<(Rows, Selection), ToolError> {
        if let Some(source) = input.positioned_stream() {
            let name = input.name().clone();
            let limits = Limits::clone(input.limits());
            let options = options_before_schema(ReadOptions::new(), query).with_limits(limits);
            if let Some(index) = &input.index {
                let reader = FileReader::try_new_indexed_with(source, index, options).in_input(&name)?;
                return open_file_rows(&name, reader, query);
            }
            if let Some(reader) = open_whole_stream(source, options) {
                return open_file_rows(&name, reader, query);
            }
        }
        Rows::open_selected(input, query)
    }

    /// Like [`open_selected`](Rows::open_selected), with these options of reading. The projection and the limits in the
    /// options have no effect.
    pub(crate) fn open_with(
        mut input: Input,
        query: &RowQuery,
        options: ReadOptions,
    ) -> Result<(Rows, Selection), ToolError> {
        let name = input.name().clone();
        let options = options_before_schema(options, query);
        if input.container() != Container::File {
            if input.holds_tensors_alone()? {
                return Err(ToolError::new(name, ToolErrorKind::TensorsAlone));
            }
            let (streams, selection) = Streams::open(input, &options, query)?;
            return Ok((Rows::Streams(Box::new(streams)), selection));
        }
        let file = input.into_source()?;
        let options = options.with_limits(file.limits().clone());
        let reader = FileReader::try_new_with(file, options).in_input(&name)?;
        open_file_rows(&name, reader, query)
    }

    /// The schema of the columns that are read. [`Selection::schema`] has the shown columns.
    pub fn schema(&self) -> &Arc<Schema> {
        match self {
            Rows::Streams(streams) => streams.schema(),
            Rows::File { reader } => reader.schema(),
        }
    }

    /// The schema of all columns of the input, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        match self {
            Rows::Streams(streams) => streams.ipc_schema(),
            Rows::File { reader } => reader.ipc_schema(),
        }
    }

    /// The custom metadata of the footer of a file, or of the first stream's schema message.
    pub fn metadata(&self) -> &Metadata {
        match self {
            Rows::Streams(streams) => streams.metadata(),
            Rows::File { reader } => reader.footer_metadata(),
        }
    }

    /// The number of rows in all batches of a file, or of a stream that is read like a file; `None` for streams that are read
    /// in order. Reads the metadata of batches that have not been read, unless the footer has the numbers.
    ///
    /// # Errors
    /// If metadata cannot be read.
    pub fn n_rows(&self) -> Option<Result<u64, IpcError>> {
        self.reader().map(FileReader::n_rows)
    }

    pub(crate) fn reader(&self) -> Option<&FileReader<SharedSource>> {
        match self {
            Rows::Streams(_) => None,
            Rows::File { reader } => Some(reader),
        }
    }

    /// What the input has beside its rows. Complete only after the last batch.
    ///
    /// # Errors
    /// If bytes before the footer cannot be read.
    pub fn remarks(&self) -> Result<InputRemarks, IpcError> {
        match self {
            Rows::Streams(streams) => Ok(streams.remarks()),
            Rows::File { reader } => remarks_of(reader),
        }
    }

    /// Whether a name, a time zone or custom metadata of what was read up to now is not UTF-8.
    pub(crate) fn has_text_not_utf8(&self) -> bool {
        match self {
            Rows::Streams(streams) => streams.remarks().has_text_not_utf8,
            Rows::File { reader } => reader.stats().has_text_not_utf8,
        }
    }

    /// The unit of progress, and the total in this unit; `None` if it is unknown.
    pub fn work(&self) -> (Unit, Option<u64>) {
        match self {
            Rows::Streams(streams) => streams.work(),
            Rows::File { reader } => (Unit::Batches, Some(reader.n_batches() as u64)),
        }
    }
}

/// Names can be looked up only after the schema is known. Until then no column is selected, so that columns of unknown
/// types are errors only if the query selects them.
fn options_before_schema(options: ReadOptions, query: &RowQuery) -> ReadOptions {
    match query.columns() {
        None => options,
        Some(_) => options.with_projection(Projection::Positions(Vec::new())),
    }
}

/// What a file has beside its rows: the bytes before its footer that none of its blocks has, and text that is not UTF-8 in what was read.
/// A stream that is read like a file has no such bytes.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn remarks_of(reader: &FileReader<SharedSource>) -> Result<InputRemarks, IpcError> {
    Ok(InputRemarks {
        trailing_bytes: reader.unreferenced_bytes()?.map(TrailingBytes::before_footer),
        n_tensors: 0,
        has_text_not_utf8: reader.stats().has_text_not_utf8,
    })
}

fn open_file_rows(
    name: &InputName,
    reader: FileReader<SharedSource>,
    query: &RowQuery,
) -> Result<(Rows, Selection), ToolError> {
    let selection = query.select_of_file(reader.footer()).in_input(name)?;
    let reader = reader.project(selection.projection()).in_input(name)?;
    Ok((Rows::File { reader }, selection))
}

/// The reader of the metadata of a stream, if its input [has other positions](Input::with_positions): otherwise the
/// metadata of each message would cost a request, but this reader requests several at the same time. `None` for other inputs, and as
/// [`open_whole_stream`] has it.
pub(crate) fn walked_stream(input: &Input) -> Option<FileReader<SharedSource>> {
    let source = if input.has_other_positions() { input.positioned_stream() } else { None };
    open_whole_stream(source?, input.metadata_options())
}

/// Opens a stream by a walk over its metadata. `None` if its record batches are not all that the input has, or after an
/// error: read it in order, which returns the errors.
fn open_whole_stream(source: SharedSource, options: ReadOptions) -> Option<FileReader<SharedSource>> {
    let reader = FileReader::try_new_with(source, options).ok()?;
    if is_whole(&reader) { Some(reader) } else { None }
}

/// Whether the record batches of a stream are all that its input has.
fn is_whole(reader: &FileReader<SharedSource>) -> bool {
    let is_complete = reader.stream_end() != Some(StreamEnd::Incomplete);
    let is_last = reader.source().n_bytes().is_ok_and(|n_bytes| n_bytes == reader.footer().position());
    is_complete && is_last && reader.n_tensors() == 0
}
