//! Opens inputs of tools: Arrow data and text, which may be compressed as a whole with gzip, Zstandard or LZ4.

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read};
use std::path::PathBuf;
use std::time::Instant;

use arrow_ipc_report::text_note;
use arrow_ipc_tools::{
    ForeignFormat, Import, ImportOptions, Input, InputName, InputSet, RowQuery, ToolError, ToolErrorKind,
    byte_counter::ByteCounter,
    compressed::CompressedDamage,
    import::{SkipCounter, TextDetection, TextDetector, TextEncoding, TextFormat},
};
use arrow_schema::Field;
use arrow_text::{CsvOptions, DateOrder, InferRows, Sniff};
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{
    arguments::{CellNulls, InferRowsArg, TextArgs},
    change_args::retyped,
};
use crate::{
    error::{Failure, Result, exception, is_damage, warn},
    hints::hint_of_csv,
    options::{self, unknown},
    schema::Schema,
    sink::{TURN, attached},
    source::{self, FILE_LIKE, URL},
};

/// Opens an input, to read its rows. A folder or pattern is a data set.
pub(crate) fn open(source: source::Input) -> Result<Input> {
    if let source::Input::Path(path) = &source
        && let Some(set) = InputSet::open(path, &RowQuery::new(), &options::limits())
    {
        let input = set.and_then(InputSet::into_input).map_err(from_set_error)?;
        return Ok(input.with_limits(options::limits()));
    }
    open_one(source)
}

/// Opens a single input, to inspect all of it.
pub(crate) fn open_one(source: source::Input) -> Result<Input> {
    let input = match source {
        source::Input::Path(path) => Input::open_compressed(&path).map_err(|error| with_path(path, error))?,
        source::Input::Memory(bytes) if ForeignFormat::detect_codec(&bytes).is_some() => {
            Input::try_from_compressed_reader("the bytes".into(), Cursor::new(bytes))?
        }
        source::Input::Memory(bytes) => Input::try_from_buffer("the bytes", bytes)?,
        source::Input::Ranges(file) => {
            let again = file.again();
            match Input::try_new(URL, file) {
                Err(error) if is_compressed(&error) => {
                    Input::try_from_compressed_reader(URL.into(), again.into_reader())?
                }
                opened => opened?,
            }
        }
        source::Input::FileLike(file) if file.is_seekable()? => {
            let again = file.again();
            match Input::try_new(FILE_LIKE, file) {
                Err(error) if is_compressed(&error) => {
                    Input::try_from_compressed_reader(FILE_LIKE.into(), again.rewind()?)?
                }
                opened => opened?,
            }
        }
        source::Input::FileLike(file) => Input::try_from_compressed_reader(FILE_LIKE.into(), file)?,
    };
    Ok(input.with_limits(options::limits()))
}

/// Opens an input that may be damaged, and may begin with any bytes.
pub(crate) fn open_damaged(source: source::Input) -> Result<Input> {
    let (input, _) = match source {
        source::Input::Path(path) => {
            Input::open_damaged_compressed(&path).map_err(|error| with_path(path, error))?
        }
        source::Input::Memory(bytes) if ForeignFormat::detect_codec(&bytes).is_some() => {
            Input::try_from_damaged_compressed_reader("the bytes".into(), Cursor::new(bytes))?
        }
        source::Input::Memory(bytes) => {
            (Input::from_damaged("the bytes", bytes), CompressedDamage::default())
        }
        source::Input::Ranges(file) => {
            if source::Input::Ranges(file.again()).codec()?.is_none() {
                return Ok(Input::from_damaged(URL, file).with_limits(options::limits()));
            }
            Input::try_from_damaged_compressed_reader(URL.into(), file.into_reader())?
        }
        source::Input::FileLike(file) if file.is_seekable()? => {
            if source::Input::FileLike(file.again()).codec()?.is_none() {
                return Ok(Input::from_damaged(FILE_LIKE, file).with_limits(options::limits()));
            }
            Input::try_from_damaged_compressed_reader(FILE_LIKE.into(), file.rewind()?)?
        }
        source::Input::FileLike(file) => Input::try_from_damaged_compressed_reader(FILE_LIKE.into(), file)?,
    };
    Ok(input.with_limits(options::limits()))
}

/// Whether an error means that the input is compressed with a codec that the tools support.
fn is_compressed(error: &ToolError) -> bool {
    matches!(error.kind(), ToolErrorKind::NotArrow { found: Some(found) } if found.is_decompressed())
}

/// Converts an error of a file. The path becomes `OSError.filename`.
pub(crate) fn with_path(path: PathBuf, error: ToolError) -> Failure {
    match error.kind() {
        // An error of the bytes has the path in its text.
        ToolErrorKind::Read(cause) if !is_damage(cause) => {
            let cause = cause.raw_os_error().map_or_else(
                || io::Error::new(cause.kind(), cause.to_string()),
                io::Error::from_raw_os_error,
            );
            Failure::from_path(path, cause)
        }
        _ => error.into(),
    }
}

/// Converts an error of a data set. Names the file, and adds its format as a hint if it is not Arrow.
pub(crate) fn from_set_error(error: ToolError) -> Failure {
    let InputName::Path(path) = error.input().clone() else { return error.into() };
    with_path(path.clone(), error).with_format_of(&path)
}

/// The arguments for reading text.
#[derive(Clone, Default)]
pub(crate) struct GivenText {
    form: TextDetector,
    pub(super) schema: Option<arrow_schema::Schema>,
    columns: Vec<Field>,
    infer_rows: Option<InferRows>,
    n_null_bytes: Option<u64>,
    /// Whether rows are only counted.
    is_only_counted: bool,
    /// Whether the notes about the text were shown.
    is_reported: bool,
}

impl GivenText {
    /// Makes the options from the arguments. `schema` replaces inference.
    pub(crate) fn new(
        from: Option<&str>,
        schema: Option<&Bound<'_, PyAny>>,
        args: TextArgs<'_>,
    ) -> Result<GivenText> {
        let is_json = match from {
            None => None,
            Some("csv") => Some(false),
            Some("jsonl" | "json") => Some(true),
            Some(other) => return Err(unknown("from_", other, "'csv' or 'jsonl'").into()),
        };
        let schema =
            schema.map(Schema::from_object).transpose()?.map(|schema| arrow_schema::Schema::clone(&schema));
        let columns = retyped("types", args.types.as_ref())?;
        let columns: Vec<Field> =
            columns.into_iter().map(|(column, field)| field.with_name(column)).collect();
        let sniff = Sniff {
            delimiter: args.delimiter.is_none(),
            title: args.skip.is_none() && schema.is_none(),
            header: !(args.header || args.no_header) && schema.is_none(),
            quote: args.quote.is_none(),
            end_delimiters: true,
        };
        let names = columns.iter().map(|field| field.name().to_owned()).collect();
        let form =
            TextDetector { is_json, csv: form_of_csv(&args)?, sniff, encoding: encoding(&args)?, names };
        let infer_rows = args.infer_rows.map(|InferRowsArg(n_rows)| n_rows);
        Ok(GivenText {
            form,
            schema,
            columns,
            infer_rows,
            n_null_bytes: args.max_null_bytes,
            is_only_counted: false,
            is_reported: false,
        })
    }

    /// The same options, for a text whose notes were shown.
    pub(crate) fn without_notes(&self) -> GivenText {
        GivenText { is_reported: true, ..self.clone() }
    }

    /// The same options for rows that are only counted, unless the types of columns were given.
    pub(super) fn for_counting(self) -> GivenText {
        GivenText { is_only_counted: self.columns.is_empty(), ..self }
    }

    /// The same options with a schema, for texts that must have the columns of the first text.
    pub(crate) fn with_schema(self, schema: &arrow_schema::Schema) -> GivenText {
        let names = schema.fields().iter().map(|field| field.name().to_owned()).collect();
        let form = TextDetector { names, ..self.form };
        GivenText { form, schema: Some(schema.clone()), columns: Vec::new(), ..self }
    }
}

fn form_of_csv(args: &TextArgs<'_>) -> PyResult<CsvOptions> {
    let wrong = |error: &dyn std::fmt::Display| exception::<PyValueError>(error.to_string());
    let mut csv = args.delimiter.as_deref().map(separator).transpose()?.unwrap_or_default();
    match &args.null {
        None => csv = csv.with_usual_nulls(),
        Some(CellNulls(texts)) => {
            for text in texts {
                csv = csv.with_null_text(text).map_err(|error| wrong(&error))?;
            }
        }
    }
    if let Some(comment) = &args.comment {
        let byte = if let [byte] = comment.as_bytes() { Some(*byte) } else { None };
        let with = byte.and_then(|byte| csv.with_comment(byte).ok());
        csv = with.ok_or_else(|| {
            unknown("comment", comment, "one character of ASCII, no quote and not the delimiter")
        })?;
    }
    if let Some(quote) = &args.quote {
        let with = match quote.as_bytes() {
            [] => csv.with_quote(None).ok(),
            [byte] => csv.with_quote(Some(*byte)).ok(),
            _ => None,
        };
        csv = with.ok_or_else(|| {
            unknown("quote", quote, "one character of ASCII that is not the delimiter, or '' for none")
        })?;
    }
    if args.decimal.is_some() || args.thousands.is_some() {
        let marked = csv.with_number_marks(args.decimal.unwrap_or('.'), args.thousands);
        csv = marked.map_err(|error| wrong(&error))?;
    }
    csv = match args.dates.as_deref() {
        None => csv,
        Some("dmy") => csv.with_date_order(DateOrder::DayFirst),
        Some("mdy") => csv.with_date_order(DateOrder::MonthFirst),
        Some("ymd") => csv.with_date_order(DateOrder::YearFirst),
        Some(other) => return Err(unknown("dates", other, "'dmy', 'mdy' or 'ymd'")),
    };
    if args.header && args.no_header {
        return Err(exception::<PyValueError>("header and no_header exclude each other"));
    }
    csv = csv.with_ragged_rows(args.ragged.0).with_skipped_lines(args.skip.unwrap_or(0));
    Ok(if args.no_header { csv.without_header() } else { csv })
}

fn encoding(args: &TextArgs<'_>) -> PyResult<Option<TextEncoding>> {
    let Some(given) = args.encoding.as_deref() else { return Ok(None) };
    // Like Python, accepts several names for each encoding, in any case.
    Ok(Some(match given.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => TextEncoding::Utf8,
        "utf-16le" | "utf-16-le" => TextEncoding::Utf16Little,
        "utf-16be" | "utf-16-be" => TextEncoding::Utf16Big,
        "latin1" | "latin-1" | "iso-8859-1" => TextEncoding::Latin1,
        "windows-1252" | "cp1252" => TextEncoding::Windows1252,
        _ => {
            let known = "'utf-8', 'utf-16le', 'utf-16be', 'latin1' or 'windows-1252'";
            return Err(unknown("encoding", given, known));
        }
    }))
}

/// Parses the separator of cells.
pub(crate) fn separator(text: &str) -> PyResult<CsvOptions> {
    let failed = |error: String| exception::<PyValueError>(format!("delimiter is {text:?}: {error}"));
    match text.as_bytes() {
        [byte] => CsvOptions::new().with_delimiter(*byte).map_err(|error| failed(error.to_string())),
        _ => Err(failed("it is not one ASCII character".to_owned())),
    }
}

/// An opened input: Arrow data, or text.
pub(crate) enum OpenInput {
    Arrow(Input),
    Text(Import),
}

/// Opens an input. Detects its format, unless the arguments say what kind of text it is.
pub(crate) fn open_any(source: source::Input, args: &GivenText) -> Result<OpenInput> {
    let mut source = source;
    if args.form.is_json.is_none() && args.form.encoding.is_none() {
        let again = again(&source)?;
        match (open(source), again) {
            (Ok(input), _) => return Ok(OpenInput::Arrow(input)),
            (Err(Failure::Tool(error)), Some(again)) if may_be_text(&error) => source = again,
            (Err(failure), _) => return Err(failure),
        }
    }
    let is_called_csv = is_called_csv(&source);
    let path = if let source::Input::Path(path) = &source { Some(path.clone()) } else { None };
    let (name, text, bytes_read) = as_text(source)?;
    let failed = |kind| Failure::from(ToolError::new(name.clone(), kind));
    // Opening a folder succeeds, but reading it fails.
    let unread = |error| {
        let error = ToolError::new(name.clone(), ToolErrorKind::Read(error));
        match path {
            Some(path) => with_path(path, error),
            None => error.into(),
        }
    };
    let found = args.form.detect(text, is_called_csv).map_err(unread)?;
    let (format, text) = match found {
        TextDetection::Text { format, text, notes, .. } => {
            if !args.is_reported {
                notes.iter().try_for_each(|note| warn(&with_arguments(&text_note(note))))?;
            }
            (format, text)
        }
        TextDetection::Arrow(text) => {
            return Ok(OpenInput::Arrow(Input::try_from_reader(name, text)?.with_limits(options::limits())));
        }
        TextDetection::Empty => match (&args.schema, args.form.is_json) {
            (Some(_), _) => {
                let none: Box<dyn BufRead + Send> = Box::new(io::empty());
                (TextFormat::JsonLines, none)
            }
            (None, _) => return Err(failed(ToolErrorKind::Empty)),
        },
        TextDetection::Other { found, codec, .. } => {
            return Err(failed(ToolErrorKind::NotArrow { found: codec.or(found) }));
        }
    };
    let mut options = ImportOptions::new(format);
    options.schema.clone_from(&args.schema);
    options.columns.clone_from(&args.columns);
    options.is_only_counted = args.is_only_counted;
    options.infer_rows = args.infer_rows.unwrap_or(options.infer_rows);
    options.max_null_bytes = args.n_null_bytes.unwrap_or(options.max_null_bytes);
    // Otherwise, other threads would also notice Ctrl-C in this way, and each needs the lock of the interpreter for it.
    let is_whole = options.schema.is_none() && options.infer_rows != InferRows::Start;
    let text = if is_whole {
        Box::new(InterruptibleText { text, looked: Instant::now(), exception: None })
    } else {
        text
    };
    let import = Import::open(name, text, &options).map_err(|error| match hint_of_csv(&error) {
        Some(hint) if matches!(format, TextFormat::Csv(_)) => Failure::from(error).with_hint(&hint),
        _ => error.into(),
    })?;
    let import = import.with_bytes_read(bytes_read);
    Ok(OpenInput::Text(import.with_n_threads(options::n_threads(None))))
}

/// Notices Ctrl-C while a text is read.
struct InterruptibleText {
    text: Box<dyn BufRead + Send>,
    looked: Instant,
    /// What the signal raised, for the next read: bytes that are read again before they are consumed must not fail.
    exception: Option<io::Error>,
}

impl BufRead for InterruptibleText {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.exception.take().map_or(Ok(()), Err)?;
        self.text.fill_buf()
    }

    fn consume(&mut self, n_bytes: usize) {
        self.text.consume(n_bytes);
        if self.looked.elapsed() >= TURN {
            self.looked = Instant::now();
            self.exception = attached(|py| py.check_signals()).err();
        }
    }
}

impl Read for InterruptibleText {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.fill_buf()?.read(to)?;
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}

/// Opens Arrow data, or the rows of text as a stream. Call [`note_skipped`] after reading, to warn of skipped rows.
pub(crate) fn open_rows(source: source::Input, args: &GivenText) -> Result<(Input, SkipCounter)> {
    match open_any(source, args)? {
        OpenInput::Arrow(input) => Ok((input, SkipCounter::default())),
        OpenInput::Text(import) => {
            let skipped = import.skipped();
            Ok((import.into_input().with_limits(options::limits()), skipped))
        }
    }
}

/// Replaces options of the program by Python arguments, in a note about text.
pub(crate) fn with_arguments(note: &str) -> String {
    let note = note.replace("--thousands ' '", "thousands=\" \"");
    let note = note.replace("--from jsonl", "read_json").replace("--from csv", "read_csv");
    let mut words = note.split(' ');
    let mut text = Vec::new();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--") else {
            text.push(word.to_owned());
            continue;
        };
        let argument = option.strip_prefix("from-").unwrap_or(option).replace('-', "_");
        let value = match argument.as_str() {
            "header" | "no_header" => "True".to_owned(),
            "skip" => words.next().unwrap_or_default().to_owned(),
            _ => match words.next().unwrap_or_default() {
                // The program writes an apostrophe in double quotes.
                "\"'\"" => "\"'\"".to_owned(),
                value => format!("{:?}", value.trim_matches('\'')),
            },
        };
        text.push(format!("{argument}={value}"));
    }
    text.join(" ").replace("\" thousands=", "\", thousands=")
}

/// Warns of skipped rows. `name` is empty, or the name of the file with a colon.
pub(crate) fn warn_skipped(name: &str, skipped: &SkipCounter) -> PyResult<()> {
    let rows = skipped.rows();
    if rows.n_rows() > 0 { warn(&format!("{name}{rows}")) } else { Ok(()) }
}

/// Warns of skipped rows, and adds the warning to the notes of a report.
pub(crate) fn note_skipped(skipped: &SkipCounter, notes: &mut Vec<String>) -> PyResult<()> {
    let rows = skipped.rows();
    notes.extend((rows.n_rows() > 0).then(|| rows.to_string()));
    warn_skipped("", skipped)
}

/// Returns the same source from its start; `None` if it can be read only once.
pub(crate) fn again(source: &source::Input) -> Result<Option<source::Input>> {
    let has_start = match source {
        source::Input::Path(path) => path.is_file(),
        source::Input::FileLike(file) => file.is_seekable()?,
        source::Input::Memory(_) | source::Input::Ranges(_) => true,
    };
    Ok(has_start.then(|| source.again()))
}

/// Whether an input that is not Arrow data may be text.
fn may_be_text(error: &ToolError) -> bool {
    match error.kind() {
        ToolErrorKind::NotArrow { found } => {
            use ForeignFormat::{Csv, Gzip, Json, Lz4, Utf16, Zstd};
            // The first line may be a title, so an unknown format may be text.
            matches!(found, None | Some(Gzip | Zstd | Lz4 | Json | Csv | Utf16))
        }
        ToolErrorKind::Empty => true,
        _ => false,
    }
}

fn is_called_csv(source: &source::Input) -> bool {
    match source {
        source::Input::Path(path) => TextFormat::name_of_extension(&path.to_string_lossy()) == Some("csv"),
        source::Input::Ranges(file) => TextFormat::name_of_extension(file.path()) == Some("csv"),
        source::Input::Memory(_) | source::Input::FileLike(_) => false,
    }
}

/// Opens all bytes of the source, with a counter of the bytes that are read.
fn as_text(source: source::Input) -> Result<(InputName, Box<dyn BufRead + Send>, ByteCounter)> {
    let counted =
        |read: Box<dyn Read + Send>, n_total: Option<u64>| -> (Box<dyn BufRead + Send>, ByteCounter) {
            let bytes_read = ByteCounter::with_total(n_total);
            (Box::new(bytes_read.count(read)), bytes_read)
        };
    let (name, (text, bytes_read)) = match source {
        source::Input::Path(path) => {
            let file = File::open(&path).map_err(|error| {
                with_path(path.clone(), ToolError::new(path.as_path(), ToolErrorKind::Read(error)))
            })?;
            // A pipe has no length.
            let file_bytes = file.metadata().ok().filter(|found| found.is_file()).map(|found| found.len());
            (path.into(), counted(Box::new(file), file_bytes))
        }
        source::Input::Memory(bytes) => {
            let n_bytes = bytes.len() as u64;
            ("the bytes".into(), counted(Box::new(Cursor::new(bytes)), Some(n_bytes)))
        }
        source::Input::FileLike(file) => {
            let file = if file.is_seekable()? { file.rewind()? } else { file };
            (FILE_LIKE.into(), counted(Box::new(file), None))
        }
        source::Input::Ranges(file) => {
            let n_bytes = arrow_ipc::Source::n_bytes(&file).ok();
            (URL.into(), counted(Box::new(file.into_reader()), n_bytes))
        }
    };
    Ok((name, text, bytes_read))
}
