//! Reads text and writes its rows as a stream or file: CSV and lines of JSON.

#[cfg(test)]
mod tests;

mod encoding;
mod failure;
mod form;
mod json_text;
mod stream;

use std::{
    fmt,
    io::{self, BufRead, BufReader, Read, Write},
    iter,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{ErrorClass, IpcSchema};
use arrow_ipc_dataset::threads::{Give, in_order};
use arrow_schema::{Field, Metadata, Schema};
use arrow_text::{
    CsvOptions, CsvPart, CsvParts, CsvReader, InferRows, JsonPart, JsonParts, JsonReader, NullBytes,
    RowError, RowErrorKind, SkippedRows, infer_csv, infer_json_except,
};

use self::json_text::RowsAsLines;
pub use self::{
    encoding::TextEncoding,
    failure::cause_of,
    form::{FoundText, GivenForm, form_of_name, is_marked_arrow},
    stream::{WriteStream, stream_of},
};
use crate::{
    bytes_read::BytesRead,
    compressed::BUFFER_BYTES,
    convert::{CastRows, Caster, ConvertOptions, Loss, RowsWriter, cast_by, convert},
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::{Observer, Pass, Unit},
    recorded::Recorded,
    target::Target,
};

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    /// CSV in the form that these options describe.
    Csv(CsvOptions),
    /// JSON, one object per line.
    JsonLines,
    /// JSON objects one after the other, or in an array, on any number of lines.
    Json,
}

/// How [`Import`] reads text.
#[derive(Debug, Clone)]
pub struct ImportOptions {
    format: TextFormat,
    schema: Option<Schema>,
    /// Columns whose types are not inferred.
    columns: Vec<Field>,
    infer_rows: InferRows,
    n_null_bytes: u64,
}

impl ImportOptions {
    /// Reads text in this form. The schema is inferred from the first 1,000 rows.
    pub fn new(format: TextFormat) -> ImportOptions {
        let infer_rows = InferRows::First(1000);
        ImportOptions { format, schema: None, columns: Vec::new(), infer_rows, n_null_bytes: 256 << 20 }
    }

    /// Sets how much memory all nulls may take. At least 256 times the length of the text is always allowed.
    #[must_use]
    pub fn with_max_null_bytes(self, n_null_bytes: u64) -> ImportOptions {
        ImportOptions { n_null_bytes, ..self }
    }

    /// Sets the schema, which is then not inferred.
    #[must_use]
    pub fn with_schema(self, schema: Schema) -> ImportOptions {
        ImportOptions { schema: Some(schema), ..self }
    }

    /// Sets the type of the column with this name. The types of other columns are inferred.
    #[must_use]
    pub fn with_column(mut self, field: Field) -> ImportOptions {
        self.columns.push(field);
        self
    }

    /// Infers the schema from this many rows at the start, or from all rows, which are then copied to a temporary file.
    #[must_use]
    pub fn with_infer_rows(self, rows: impl Into<InferRows>) -> ImportOptions {
        ImportOptions { infer_rows: rows.into(), ..self }
    }
}

/// Text with a known schema, of which only the first rows have been read.
///
/// ```
/// use arrow_ipc::{FileReader, WriteOptions};
/// use arrow_ipc_tools::{ConvertOptions, Import, ImportOptions, Target, TextFormat};
/// use arrow_text::CsvOptions;
///
/// let text = Box::new("id,name\n1,ada\n2,\n".as_bytes());
/// let import = Import::open("people.csv", text, &ImportOptions::new(TextFormat::Csv(CsvOptions::new())))?;
/// assert_eq!(import.schema().to_string(), "id: int64\nname: utf8");
/// let (file, _) = import.write_to(Vec::new(), &ConvertOptions::new(Target::File), &mut ())?;
/// assert_eq!(FileReader::try_from_buffer(file.into())?.n_rows()?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Import {
    name: InputName,
    rows: TextRows,
    numbering: RowNumbering,
    n_threads: NonZeroUsize,
    n_null_bytes: u64,
    bytes_read: Option<BytesRead>,
    skipped: SkippedSoFar,
}

/// The rows of a text that were skipped so far. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct SkippedSoFar(Arc<Mutex<SkippedRows>>);

impl SkippedSoFar {
    /// The rows that were skipped.
    pub fn rows(&self) -> SkippedRows {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, next: &SkippedRows) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).append(next);
    }
}

/// The unit in which errors count: lines or rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowNumbering {
    Lines,
    Rows,
}

impl RowNumbering {
    fn of(self, error: RowError) -> RowError {
        match self {
            RowNumbering::Lines => error,
            RowNumbering::Rows => error.counting_rows(),
        }
    }
}

type TextSource = Box<dyn BufRead + Send>;

enum TextRows {
    Csv(Box<CsvParts<TextSource>>),
    Json(Box<JsonParts<TextSource>>),
}

impl Import {
    /// Reads as much as the schema needs. The first rows are in memory: 8 MiB, and one row of at most 16 MiB.
    ///
    /// # Errors
    /// If the text fails or is malformed in these rows, or if text cannot be read with the schema.
    pub fn open(
        name: impl Into<InputName>,
        text: TextSource,
        options: &ImportOptions,
    ) -> Result<Import, ToolError> {
        let name = name.into();
        let (text, numbering) = match options.format {
            TextFormat::Csv(_) | TextFormat::JsonLines => (text, RowNumbering::Lines),
            TextFormat::Json => {
                let lines = BufReader::with_capacity(BUFFER_BYTES, RowsAsLines::new(text));
                (Box::new(lines) as TextSource, RowNumbering::Rows)
            }
        };
        let failed = |error: RowError| failure(&name, numbering.of(error));
        let mut given = Vec::new();
        let (schema, text) = match &options.schema {
            Some(schema) => (schema.clone(), text),
            None => {
                let mut first = Recorded::new(text);
                let schema = match options.format {
                    TextFormat::Csv(csv) => infer_csv(&mut first, csv, options.infer_rows),
                    TextFormat::JsonLines | TextFormat::Json => {
                        let given: Vec<&str> = options.columns.iter().map(Field::name).collect();
                        infer_json_except(&mut first, options.infer_rows, &given)
                    }
                };
                let schema = schema.map_err(failed)?;
                let again = first.again();
                let again =
                    again.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Spool(error)))?;
                (schema, Box::new(again) as TextSource)
            }
        };
        let schema = with_columns(schema, &options.columns, &mut given);
        let schema = schema.map_err(|kind| ToolError::new(name.clone(), kind))?;
        let is_inferred = options.schema.is_none();
        let rows = match options.format {
            TextFormat::Csv(csv) => {
                let parts = CsvParts::try_new(text, schema, csv).map_err(failed)?;
                let parts = parts.with_max_null_bytes(options.n_null_bytes);
                TextRows::Csv(Box::new(if is_inferred { parts.keeping_digits_except(&given) } else { parts }))
            }
            TextFormat::JsonLines | TextFormat::Json => {
                let parts = JsonParts::try_new(text, schema).map_err(failed)?;
                let parts = parts.with_max_null_bytes(options.n_null_bytes);
                TextRows::Json(Box::new(if is_inferred {
                    parts.keeping_digits_except(&given)
                } else {
                    parts
                }))
            }
        };
        let n_null_bytes = options.n_null_bytes;
        let (n_threads, skipped) = (NonZeroUsize::MIN, SkippedSoFar::default());
        Ok(Import { name, rows, numbering, n_threads, n_null_bytes, bytes_read: None, skipped })
    }

    /// Reads the rows with this many threads, at most 8, while the calling thread writes. With one thread, it reads and writes
    /// in turn. The number of threads does not change the batches.
    #[must_use]
    pub fn with_threads(self, n_threads: NonZeroUsize) -> Import {
        Import { n_threads, ..self }
    }

    /// Reports progress in bytes of the text. By default it is in batches, whose number is unknown.
    #[must_use]
    pub fn with_bytes_read(self, bytes_read: BytesRead) -> Import {
        Import { bytes_read: Some(bytes_read), ..self }
    }

    /// The counter of the bytes that have been read of the text.
    pub fn bytes_read(&self) -> Option<&BytesRead> {
        self.bytes_read.as_ref()
    }

    /// The rows that have been skipped so far.
    pub fn skipped(&self) -> SkippedSoFar {
        self.skipped.clone()
    }

    /// The schema, given or inferred.
    pub fn schema(&self) -> &Arc<Schema> {
        match &self.rows {
            TextRows::Csv(reader) => reader.schema(),
            TextRows::Json(reader) => reader.schema(),
        }
    }

    /// Writes all rows. Returns the output, and what was lost by casts. A few batches for each thread are in memory. A batch has up to 65,536
    /// rows, and ends after 8 MiB of text. If only some rows are selected, nothing is read after the batch with the last
    /// of them. To unify dictionaries, the rows are written to a temporary stream first.
    ///
    /// # Errors
    /// If the text fails or is malformed, or a row does not fit the schema; the error is that of the first such row. If
    /// the output fails, or the observer stops the work.
    pub fn write_to<W: Write>(
        self,
        output: W,
        options: &ConvertOptions,
        observer: &mut dyn Observer,
    ) -> Result<(W, Vec<(InputName, Loss)>), ToolError> {
        let Some((first, second)) = options.apart() else {
            return self.write_rows(output, options, observer);
        };
        let name = self.name.clone();
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Spool(error));
        let stream = tempfile::tempfile().map_err(failed)?;
        let (stream, losses) = self.write_rows(stream, &first, observer).map_err(of_temporary)?;
        // Text has no metadata that could be lost.
        let (output, _) = convert(Input::try_from_source(name, stream)?, output, &second, observer)?;
        Ok((output, losses))
    }

    /// All rows as a stream, which another thread makes while it is read. If the system refuses another thread, the whole stream is
    /// made first, in a temporary file. [`cause_of`] gives the error of the text from that of the reader.
    ///
    /// # Errors
    /// If there is no temporary file.
    pub fn into_stream(self) -> io::Result<Box<dyn Read + Send>> {
        let options = ConvertOptions::new(Target::Stream);
        stream::stream_of(Box::new(move |sink| self.write_to(sink, &options, &mut ()).map(drop)))
    }

    fn write_rows<W: Write>(
        self,
        output: W,
        options: &ConvertOptions,
        observer: &mut dyn Observer,
    ) -> Result<(W, Vec<(InputName, Loss)>), ToolError> {
        let Import { name, rows, numbering, n_threads, n_null_bytes, bytes_read, skipped } = self;
        let failed = |kind| ToolError::new(name.clone(), kind);
        let caster = options.caster_of_text(rows.schema()).map_err(failed)?;
        let schema = IpcSchema::from(caster.as_ref().map_or(rows.schema(), Caster::schema));
        let writer = RowsWriter::begin(output, options, &schema, options.writing());
        let mut writer = writer.map_err(|error| failed(ToolErrorKind::Output(error)))?;
        let mut selected = options.selected();
        let work = bytes_read.as_ref().map_or((Unit::Batches, None), |read| (Unit::Bytes, read.n_total()));
        let mut pass = Pass::begin(observer, &name, work)?;
        let mut n_done: u64 = 0;
        let mut has_all = false;
        let mut nulls = NullBytes::default();
        let take = |rows: Result<RowsOfPart, RowError>| {
            // Parts are read at the same time, but counted in order.
            let rows = match rows.map_err(|error| failure(&name, numbering.of(error)))? {
                RowsOfPart::Batch(batch, added) => nulls.add(added, n_null_bytes).map(|()| batch),
                RowsOfPart::End(rows) => {
                    skipped.append(&rows);
                    return Ok(());
                }
            };
            let batch = rows.map_err(|error| failure(&name, numbering.of(error)))?;
            // Text may be compressed as a whole.
            if let Some(read) = &bytes_read {
                writer.joiner.has_read(read.n_read());
            }
            let cast = |batch: RecordBatch| {
                let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
                let batch = cast_by(caster.as_ref(), batch, n_bytes).map_err(failed)?;
                Ok(CastRows { rows: (batch, Metadata::new()), is_last: true })
            };
            let rows = match &caster {
                Some(caster) if caster.has_condition() => cast(batch)?.selected_by(&mut selected),
                _ => selected.take(batch).map(cast).transpose()?,
            };
            if let Some(rows) = rows {
                writer.take(&name, rows)?;
            }
            n_done = n_done.saturating_add(1);
            pass.set(bytes_read.as_ref().map_or(n_done, BytesRead::n_read))?;
            has_all = selected.is_done();
            // This ends reading, and is not an error.
            if has_all { Err(ToolError::new(name.clone(), ToolErrorKind::Stopped)) } else { Ok(()) }
        };
        let read = match rows {
            TextRows::Csv(parts) => read_parts(*parts, n_threads, csv_batches, take),
            TextRows::Json(parts) => read_parts(*parts, n_threads, json_batches, take),
        };
        if !has_all {
            read?;
        }
        selected.check_start(&name)?;
        writer.rest(&name)?;
        let output = writer.finish(&name, observer)?;
        let cut = caster.iter().flat_map(Caster::lost_digits);
        let losses = cut.map(|(column, n_values)| (name.clone(), Loss::Digits { column, n_values }));
        Ok((output, losses.collect()))
    }
}

/// The schema with the given types. The positions of these columns are added to a list.
///
/// # Errors
/// If there is no such column.
fn with_columns(
    schema: Schema,
    columns: &[Field],
    positions: &mut Vec<usize>,
) -> Result<Schema, ToolErrorKind> {
    let mut fields = schema.fields().to_vec();
    for column in columns {
        let n_before = positions.len();
        for (position, field) in
            fields.iter_mut().enumerate().filter(|(_, field)| field.name() == column.name())
        {
            *field = column.clone();
            positions.push(position);
        }
        if positions.len() == n_before {
            let failed = |error| ToolErrorKind::Columns { error, schema: Arc::new(schema.clone()) };
            schema.index_of(column.name()).map(drop).map_err(failed)?;
        }
    }
    Ok(Schema::new(fields).with_metadata(schema.metadata().clone()))
}

impl TextRows {
    fn schema(&self) -> &Arc<Schema> {
        match self {
            TextRows::Csv(reader) => reader.schema(),
            TextRows::Json(reader) => reader.schema(),
        }
    }
}

fn csv_batches(part: CsvPart) -> Result<impl Iterator<Item = Result<RowsOfPart, RowError>>, RowError> {
    Ok(counted(part.reader()?, CsvReader::null_bytes, CsvReader::skipped_rows))
}

fn json_batches(part: JsonPart) -> Result<impl Iterator<Item = Result<RowsOfPart, RowError>>, RowError> {
    Ok(counted(part.reader()?, JsonReader::null_bytes, |_| SkippedRows::default()))
}

/// The results of a part of the text.
enum RowsOfPart {
    /// A batch, with the memory that its nulls take.
    Batch(RecordBatch, NullBytes),
    /// The rows that were skipped, at the end.
    End(SkippedRows),
}

/// The batches of a part, each with the memory that its nulls take.
fn counted<R: Iterator<Item = Result<RecordBatch, RowError>>>(
    mut reader: R,
    nulls: impl Fn(&R) -> NullBytes,
    skipped: impl Fn(&R) -> SkippedRows,
) -> impl Iterator<Item = Result<RowsOfPart, RowError>> {
    let mut before = nulls(&reader);
    let mut is_over = false;
    iter::from_fn(move || {
        let Some(batch) = reader.next() else {
            let is_end = !std::mem::replace(&mut is_over, true);
            return is_end.then(|| Ok(RowsOfPart::End(skipped(&reader))));
        };
        let added = nulls(&reader).since(before);
        before = nulls(&reader);
        Some(batch.map(|batch| RowsOfPart::Batch(batch, added)))
    })
}

/// The most threads that read. More threads would only have more parts in memory.
const MAX_THREADS: usize = 8;

/// Passes the batches of all parts to `take`, in their order.
///
/// # Errors
/// The first error of `take`, after which no more is read. `take` has to return the error of a batch, since the text
/// after it may not begin with a row.
fn read_parts<P, B: Iterator<Item = Result<RowsOfPart, RowError>>>(
    parts: impl Iterator<Item = Result<P, RowError>> + Send,
    n_threads: NonZeroUsize,
    reader: impl Fn(P) -> Result<B, RowError> + Sync,
    take: impl FnMut(Result<RowsOfPart, RowError>) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let read = |part: Result<P, RowError>, give: Give<'_, _>| match part.and_then(&reader) {
        Err(error) => drop(give(Err(error))),
        Ok(mut batches) => drop(batches.all(give)),
    };
    in_order(n_threads.get().min(MAX_THREADS), parts, read, take)
}

/// The error of writing the temporary stream, which is not an error of the output.
fn of_temporary(error: ToolError) -> ToolError {
    let name = error.input().clone();
    if !matches!(error.kind(), ToolErrorKind::Output(error) if error.class() == ErrorClass::Io) {
        return error;
    }
    let error = if let ToolErrorKind::Output(error) = error.into_kind() {
        io::Error::other(error)
    } else {
        io::Error::other("the temporary stream cannot be written")
    };
    ToolError::new(name, ToolErrorKind::Spool(error))
}

/// The error for a row. If the input failed, it is an error of the input instead.
fn failure(name: &InputName, error: RowError) -> ToolError {
    if !matches!(error.kind(), RowErrorKind::Io(_)) {
        return ToolError::new(name.clone(), ToolErrorKind::Row(error));
    }
    let error = if let RowErrorKind::Io(error) = error.into_kind() {
        error
    } else {
        io::Error::other("the text cannot be read")
    };
    ToolError::new(name.clone(), ToolErrorKind::Read(error))
}

impl fmt::Debug for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.rows.schema();
        f.debug_struct("Import").field("name", &self.name).field("schema", schema).finish_non_exhaustive()
    }
}
