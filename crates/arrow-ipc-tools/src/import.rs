//! Reads rows from text: CSV and JSON.

#[cfg(test)]
mod tests;

mod detect;
mod encoding;
mod json_text;
mod note;
mod rewriting;

use std::{
    collections::HashMap,
    fmt,
    io::{self, BufRead, BufReader},
    iter,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_data::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use arrow_text::{
    CsvOptions, CsvPart, CsvParts, InferRows, JsonPart, JsonParts, NullBytes, RowError, RowErrorKind,
    SkippedRows, TextReader, infer_csv_with, infer_json_except,
};
use arrow_threads::OrderedJobs;

pub use self::{
    detect::{TextDetection, TextDetector},
    encoding::TextEncoding,
    note::TextNote,
};
use self::{json_text::LineRewriter, rewriting::RewritingReader};
use crate::{
    byte_counter::{BUFFER_BYTES, ByteCounter},
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::Input,
    source::recording::RecordingReader,
};

/// The format of text that is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    /// CSV with these options.
    Csv(CsvOptions),
    /// JSON with one object on each line.
    JsonLines,
    /// JSON objects in sequence or in an array, on any number of lines.
    Json,
}

/// The types of columns without values in the rows from which a schema is inferred.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EmptyColumns {
    /// utf8 in CSV, null in JSON.
    #[default]
    OfFormat,
    /// Null: the text says nothing about these columns.
    Null,
    /// The types of these fields, which are found by name. Columns that are not among them have the type of the format.
    Typed(Vec<Field>),
}

impl EmptyColumns {
    /// The schema, in which columns without values have the type null, with their types.
    fn typed(&self, schema: Schema, default_type: &DataType) -> Schema {
        let (fields, others) = match self {
            EmptyColumns::OfFormat => (&[][..], default_type),
            EmptyColumns::Null => (&[][..], &DataType::Null),
            EmptyColumns::Typed(fields) => (fields.as_slice(), default_type),
        };
        // Of fields with the same name, the first counts, which is the last to be collected.
        let types: HashMap<&str, &DataType> =
            fields.iter().rev().map(|field| (field.name(), field.data_type())).collect();
        let type_of = |field: &Field| types.get(field.name()).copied().unwrap_or(others).clone();
        let typed = |field: &Field| {
            let is_null = *field.data_type() == DataType::Null;
            if is_null { field.clone().with_data_type(type_of(field)) } else { field.clone() }
        };
        let fields: Vec<Field> = schema.fields().iter().map(typed).collect();
        Schema::new(fields).with_metadata(schema.metadata().clone())
    }
}

/// Options for reading text with [`Import`].
#[derive(Debug, Clone)]
pub struct ImportOptions {
    /// The format of the text.
    pub format: TextFormat,
    /// The schema of the rows; `None` to infer it from the text.
    pub schema: Option<Schema>,
    /// Types of some columns, which are found by name. The types of all other columns are inferred.
    pub columns: Vec<Field>,
    /// Whether `columns` that the text does not have are ignored, since they may be columns of other inputs. Otherwise they are an
    /// error.
    pub ignores_missing: bool,
    /// The types of columns without values in the rows from which the schema is inferred.
    pub empty: EmptyColumns,
    /// Whether the text is read only to count its rows, if the schema is not given: columns of CSV are utf8, and rows of JSON are
    /// objects without columns. No type is inferred, so rows are well-formed whatever their values are.
    pub is_only_counted: bool,
    /// How many rows at the start are read to infer the schema. More than 32 MiB of them are copied to a temporary file,
    /// unless the text [can be opened again](Import::open_again).
    pub infer_rows: InferRows,
    /// The limit for the memory of all null slots: this number of bytes, or 256 times the length of the text if that is
    /// more.
    pub max_null_bytes: u64,
}

impl ImportOptions {
    /// Options for text in `format`. The schema is inferred from the first 8 MiB, and null slots may take 256 MiB.
    pub fn new(format: TextFormat) -> ImportOptions {
        let infer_rows = InferRows::Start;
        ImportOptions {
            format,
            schema: None,
            columns: Vec::new(),
            ignores_missing: false,
            empty: EmptyColumns::default(),
            is_only_counted: false,
            infer_rows,
            max_null_bytes: 256 << 20,
        }
    }
}

/// Text with a schema. Only the rows that were needed to infer the schema have been read.
///
/// ```
/// use arrow_ipc::{FileReader, WrittenContainer};
/// use arrow_ipc_tools::{ConvertOptions, Import, ImportOptions, convert, import::TextFormat};
/// use arrow_text::CsvOptions;
///
/// let text = Box::new("id,name\n1,ada\n2,\n".as_bytes());
/// let import = Import::open("people.csv", text, &ImportOptions::new(TextFormat::Csv(CsvOptions::new())))?;
/// assert_eq!(import.schema().to_string(), "id: int64\nname: utf8");
/// let (file, _) = convert(import.into_input(), Vec::new(), &ConvertOptions::new(WrittenContainer::File), &mut ())?;
/// assert_eq!(FileReader::try_from_buffer(file.into())?.n_rows()?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Import {
    name: InputName,
    schema: Arc<Schema>,
    rows: ReadText,
    /// Whether errors count rows, and not lines.
    has_row_numbers: bool,
    n_threads: NonZeroUsize,
    n_null_bytes: u64,
    bytes_read: Option<ByteCounter>,
    skipped: SkipCounter,
}

/// Counts the skipped rows of a text while the text is read. Clones share the count.
#[derive(Debug, Clone, Default)]
pub struct SkipCounter(Arc<Mutex<SkippedRows>>);

impl SkipCounter {
    /// The rows that have been skipped up to now.
    pub fn rows(&self) -> SkippedRows {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, next: &SkippedRows) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).append(next);
    }
}

type TextSource = Box<dyn BufRead + Send>;

/// Reads the rows with the given number of threads.
type ReadText = Box<dyn FnOnce(NonZeroUsize) -> PartResults + Send>;

impl Import {
    /// Opens text, and reads the rows from which the schema is inferred. At most 32 MiB of these rows are in memory,
    /// plus one row of at most 16 MiB.
    ///
    /// # Errors
    /// If the text cannot be read, if these rows are malformed, or if text cannot be converted to a type of the schema.
    pub fn open(
        name: impl Into<InputName>,
        text: TextSource,
        options: &ImportOptions,
    ) -> Result<Import, ToolError> {
        Import::open_as(name.into(), text, None, options)
    }

    /// Like [`open`](Import::open), for text that can be opened again: the rows from which the schema is inferred are read
    /// twice, and not cached.
    ///
    /// # Errors
    /// The errors of [`open`](Import::open), and of `reopen`.
    pub fn open_again(
        name: impl Into<InputName>,
        text: TextSource,
        reopen: impl FnOnce() -> Result<TextSource, ToolError>,
        options: &ImportOptions,
    ) -> Result<Import, ToolError> {
        Import::open_as(name.into(), text, Some(Box::new(reopen)), options)
    }

    fn open_as(
        name: InputName,
        text: TextSource,
        reopen: Option<Box<dyn FnOnce() -> Result<TextSource, ToolError> + '_>>,
        options: &ImportOptions,
    ) -> Result<Import, ToolError> {
        let lines_of = |text: TextSource| match options.format {
            TextFormat::Csv(_) | TextFormat::JsonLines => text,
            TextFormat::Json => {
                let lines = RewritingReader::new(text, LineRewriter::default());
                Box::new(BufReader::with_capacity(BUFFER_BYTES, lines))
            }
        };
        let has_row_numbers = match options.format {
            TextFormat::Csv(_) | TextFormat::JsonLines => false,
            TextFormat::Json => true,
        };
        let text = lines_of(text);
        let failed = |error: RowError| failure(&name, error, has_row_numbers);
        let infer = |text: &mut dyn BufRead| {
            let schema = match (options.format, options.is_only_counted) {
                (TextFormat::Csv(csv), false) => {
                    infer_csv_with(text, options.infer_rows, csv.with_null_columns())
                }
                (TextFormat::Csv(csv), true) => infer_csv_with(text, 1, csv).map(|schema| {
                    let fields = schema.fields().iter();
                    fields.map(|field| field.clone().with_data_type(DataType::Utf8)).collect()
                }),
                (TextFormat::JsonLines | TextFormat::Json, true) => Ok(Schema::default()),
                (TextFormat::JsonLines | TextFormat::Json, false) => {
                    let given: Vec<&str> = options.columns.iter().map(Field::name).collect();
                    infer_json_except(text, options.infer_rows, &given)
                }
            };
            let default_type = match options.format {
                TextFormat::Csv(_) => DataType::Utf8,
                TextFormat::JsonLines | TextFormat::Json => DataType::Null,
            };
            schema.map(|schema| options.empty.typed(schema, &default_type)).map_err(failed)
        };
        let mut given = Vec::new();
        let (schema, text) = match (&options.schema, reopen) {
            (Some(schema), _) => (schema.clone(), text),
            (None, Some(reopen)) => {
                let mut first = text;
                let schema = infer(&mut first)?;
                drop(first);
                (schema, lines_of(reopen()?))
            }
            (None, None) => {
                let mut first = RecordingReader::new(text);
                let schema = infer(&mut first)?;
                let text = first.rewound().map_err(ToolErrorKind::Spool).in_input(&name)?;
                (schema, Box::new(text) as TextSource)
            }
        };
        let schema = with_columns(schema, options, &mut given).in_input(&name)?;
        let is_inferred = options.schema.is_none();
        let (schema, rows): (Arc<Schema>, ReadText) = match options.format {
            TextFormat::Csv(csv) => {
                let parts = CsvParts::try_new_with(text, schema, csv).map_err(failed)?;
                let parts = parts.with_max_null_bytes(options.max_null_bytes);
                let parts = if is_inferred { parts.with_exact_numbers_except(&given) } else { parts };
                let schema = Arc::clone(parts.schema());
                (schema, Box::new(|n_threads| read_parts(parts, n_threads, CsvPart::reader)))
            }
            TextFormat::JsonLines | TextFormat::Json => {
                let parts = JsonParts::try_new(text, schema).map_err(failed)?;
                let parts = parts.with_max_null_bytes(options.max_null_bytes);
                let parts = if is_inferred { parts.with_exact_numbers_except(&given) } else { parts };
                let schema = Arc::clone(parts.schema());
                let is_only_counted = options.is_only_counted;
                let reader = move |part: JsonPart| match part.reader() {
                    Ok(reader) if is_only_counted => Ok(reader.with_ignored_unknown_members()),
                    reader => reader,
                };
                (schema, Box::new(move |n_threads| read_parts(parts, n_threads, reader)))
            }
        };
        let n_null_bytes = options.max_null_bytes;
        let n_threads = NonZeroUsize::MIN;
        let skipped = SkipCounter::default();
        Ok(Import { name, schema, rows, has_row_numbers, n_threads, n_null_bytes, bytes_read: None, skipped })
    }

    /// Reads the rows with this many threads, at most 8, while the calling thread uses the batches. With 1, the
    /// calling thread reads the rows. The number of threads does not change the batches.
    #[must_use]
    pub fn with_n_threads(self, n_threads: NonZeroUsize) -> Import {
        Import { n_threads, ..self }
    }

    /// Reports progress in bytes of the text. By default, progress counts batches, without a total.
    #[must_use]
    pub fn with_bytes_read(self, bytes_read: ByteCounter) -> Import {
        Import { bytes_read: Some(bytes_read), ..self }
    }

    /// Counts the rows that are skipped while the text is read.
    pub fn skipped(&self) -> SkipCounter {
        self.skipped.clone()
    }

    /// The schema, as inferred or from the options.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Reads the rows in batches. Several threads prefetch rows. After an error, the iterator ends.
    pub fn into_batches(self) -> impl Iterator<Item = Result<RecordBatch, ToolError>> + Send {
        let Import { name, rows, has_row_numbers, n_threads, n_null_bytes, skipped, .. } = self;
        let mut reading = Some(rows(n_threads));
        let mut nulls = NullBytes::default();
        iter::from_fn(move || {
            loop {
                let rows = match reading.as_mut()?.next()? {
                    Ok(PartRows::Batch(batch, added)) => nulls.add(added, n_null_bytes).map(|()| batch),
                    Ok(PartRows::End(rows)) => {
                        skipped.append(&rows);
                        continue;
                    }
                    Err(error) => Err(error),
                };
                // After an error, the start of the next row is unknown, so reading stops.
                reading.take_if(|_| rows.is_err());
                return Some(rows.map_err(|error| failure(&name, error, has_row_numbers)));
            }
        })
    }

    /// Makes an input that reads the rows. If [`with_bytes_read`](Import::with_bytes_read) was called, the progress of
    /// the input counts the bytes of the text.
    pub fn into_input(self) -> Input {
        let (name, schema, bytes_read) =
            (self.name.clone(), Arc::clone(self.schema()), self.bytes_read.clone());
        let input = Input::from_batches(name, schema, self.into_batches());
        bytes_read.into_iter().fold(input, Input::with_bytes_read)
    }
}

/// Replaces the types of the given columns in the schema. Adds the positions of these columns to `positions`.
///
/// # Errors
/// If a column does not exist, unless the options ignore it.
fn with_columns(
    schema: Schema,
    options: &ImportOptions,
    positions: &mut Vec<usize>,
) -> Result<Schema, ToolErrorKind> {
    // Of columns with the same name, the last counts.
    let mut given: HashMap<&str, (&Field, bool)> =
        options.columns.iter().map(|column| (column.name(), (column, false))).collect();
    let mut fields = schema.fields().to_vec();
    for (position, field) in fields.iter_mut().enumerate() {
        if let Some((column, is_found)) = given.get_mut(field.name()) {
            *is_found = true;
            *field = column.clone();
            positions.push(position);
        }
    }
    if !options.ignores_missing {
        let is_missing = |column: &&Field| given.get(column.name()).is_some_and(|(_, is_found)| !is_found);
        if let Some(column) = options.columns.iter().find(is_missing) {
            let failed = |error| ToolErrorKind::Columns { error, schema: Arc::new(schema.clone()) };
            schema.index_of(column.name()).map(drop).map_err(failed)?;
        }
    }
    Ok(Schema::new(fields).with_metadata(schema.metadata().clone()))
}

/// A result of reading one part of the text.
enum PartRows {
    /// A batch, and the memory that its nulls take.
    Batch(RecordBatch, NullBytes),
    End(SkippedRows),
}

/// Reads the batches of a part. Each comes with the memory that its nulls take.
fn counted<T>(mut reader: TextReader<T>) -> impl Iterator<Item = Result<PartRows, RowError>>
where
    TextReader<T>: Iterator<Item = Result<RecordBatch, RowError>>,
{
    let mut before = reader.null_bytes();
    let mut is_over = false;
    iter::from_fn(move || {
        let Some(batch) = reader.next() else {
            let is_end = !std::mem::replace(&mut is_over, true);
            return is_end.then(|| Ok(PartRows::End(reader.skipped_rows())));
        };
        let added = reader.null_bytes().since(before);
        before = reader.null_bytes();
        Some(batch.map(|batch| PartRows::Batch(batch, added)))
    })
}

/// The maximal number of threads. More threads need memory for more parts, but are not faster.
const MAX_THREADS: usize = 8;

type PartResults = Box<dyn Iterator<Item = Result<PartRows, RowError>> + Send>;

/// Reads the rows of all parts. The results are in the order of the parts.
fn read_parts<P: Send + 'static, T: 'static>(
    parts: impl Iterator<Item = Result<P, RowError>> + Send + 'static,
    n_threads: NonZeroUsize,
    reader: impl Fn(P) -> Result<TextReader<T>, RowError> + Send + Sync + 'static,
) -> PartResults
where
    TextReader<T>: Iterator<Item = Result<RecordBatch, RowError>> + Send,
{
    let read = move |part: Result<P, RowError>| -> PartResults {
        match part.and_then(&reader) {
            Err(error) => Box::new(iter::once(Err(error))),
            Ok(reader) => Box::new(counted(reader)),
        }
    };
    Box::new(OrderedJobs::start(n_threads.get().min(MAX_THREADS), parts, read))
}

/// Converts the error of a row. If the bytes of the text could not be read, the result is [`ToolErrorKind::Read`].
fn failure(name: &InputName, error: RowError, has_row_numbers: bool) -> ToolError {
    let error = if has_row_numbers { error.with_row_numbers() } else { error };
    if !matches!(error.kind(), RowErrorKind::Io(_)) {
        return ToolError::new(name, ToolErrorKind::Row(error));
    }
    let error = if let RowErrorKind::Io(error) = error.into_kind() {
        error
    } else {
        io::Error::other("the text cannot be read")
    };
    ToolError::new(name, error)
}

impl fmt::Debug for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Import { name, schema, .. } = self;
        f.debug_struct("Import").field("name", name).field("schema", schema).finish_non_exhaustive()
    }
}
