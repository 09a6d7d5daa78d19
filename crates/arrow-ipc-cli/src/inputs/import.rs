//! Opens inputs that are text: CSV and lines of JSON, possibly compressed.

use std::{
    fs::{File, Metadata},
    io::{self, BufRead, Read},
    num::NonZero,
};

use arrow_ipc::IpcSchema;
use arrow_ipc_report::text_note;
use arrow_ipc_tools::{
    ForeignFormat, Import, ImportOptions, Input, InputContext, ToolError, ToolErrorKind,
    byte_counter::ByteCounter,
    import::{TextDetection, TextEncoding, TextFormat},
};
use arrow_schema::{Field, Schema};
use arrow_text::InferRows;

use crate::{
    args::TextOptions,
    context::Context,
    exit::{Failure, advice::advice_of_csv},
    names::InputArg,
    terminal::progress::ProgressReader,
};

/// An opened input: Arrow data, or text.
pub(crate) enum OpenedInput {
    Arrow(Input),
    Text(TextInput),
}

/// Text, after its format has been detected.
pub(crate) struct TextInput {
    text: Box<dyn BufRead + Send>,
    pub(crate) format: TextFormat,
    pub(crate) encoding: TextEncoding,
    pub(crate) codec: Option<ForeignFormat>,
    bytes_read: ByteCounter,
}

impl TextInput {
    /// Makes JSON text without rows.
    pub(crate) fn without_rows() -> TextInput {
        let text = Box::new(io::empty());
        let bytes_read = ByteCounter::with_total(Some(0));
        let format = TextFormat::JsonLines;
        let encoding = TextEncoding::Utf8;
        TextInput { text, format, encoding, codec: None, bytes_read }
    }
}

/// Whether a failure means that an input is empty. If the schema is known, an empty input counts as text without rows.
pub(crate) fn is_empty(failure: &Failure) -> bool {
    matches!(failure, Failure::Tool(error) if matches!(error.kind(), ToolErrorKind::Empty))
}

/// Opens an input. Detects its format, unless options say that it is text.
///
/// # Errors
/// If the input cannot be read, or is neither Arrow data nor text. If an option does not fit the format. If the input
/// is a pipe, and its format is not certain from its content.
pub(crate) fn open(
    context: &Context,
    name: &InputArg,
    options: &TextOptions,
) -> Result<OpenedInput, Failure> {
    let is_pipe = !name.is_file() && !matches!(name, InputArg::Url(_));
    if !options.is_text()
        && let Some(input) = name.open_redirected(context)
    {
        return arrow(context, name, input, options);
    }
    // A data set whose files cannot be listed gives the error of listing them.
    if !options.is_text() && (!is_pipe || name.is_set()) {
        match name.open(context) {
            Ok(input) => return arrow(context, name, input, options),
            Err(error) if name.is_file() && is_text(error.kind()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let (text, bytes_read) = raw(context, name)?;
    let not_arrow = |found| ToolError::new(name, ToolErrorKind::NotArrow { found });
    let found = options
        .text_detector()?
        .detect(text, TextFormat::name_of_extension(&name.to_string()) == Some("csv"));
    match found.in_input(name)? {
        TextDetection::Empty => Err(ToolError::new(name, ToolErrorKind::Empty).into()),
        TextDetection::Arrow(text) => {
            let reopened =
                if name.is_file() { name.open(context) } else { Input::try_from_reader(name, text) };
            arrow(context, name, reopened?, options)
        }
        TextDetection::Other { codec: codec @ Some(_), .. } if is_pipe && options.form.from.is_none() => {
            Err(pipe_failure(name, not_arrow(codec)))
        }
        TextDetection::Other { codec: codec @ Some(_), .. } => {
            let advice = "the decompressed content is neither Arrow data nor text";
            Err(Failure::Advised { error: not_arrow(codec), advice: advice.into() })
        }
        TextDetection::Other { found, codec: None, bytes } => {
            // Opens the input as Arrow data, to get an error with the name of its format.
            let input = if is_pipe { Input::try_from_reader(name, bytes) } else { Err(not_arrow(found)) };
            arrow(context, name, input.map_err(|error| pipe_failure(name, error))?, options)
        }
        TextDetection::Text { format: TextFormat::Csv(_), is_clear: false, .. }
            if is_pipe
                && options.form.from.is_none()
                && TextFormat::name_of_extension(&name.to_string()).is_none() =>
        {
            Err(pipe_failure(name, not_arrow(Some(ForeignFormat::Csv))))
        }
        TextDetection::Text { format, text, encoding, codec, is_clear: _, notes } => {
            match (&format, options.csv_option()) {
                (TextFormat::JsonLines | TextFormat::Json, Some(option)) if !options.has_others => {
                    Err(Failure::OptionOf { option, expected: "CSV", found: "JSON", name: name.clone() })
                }
                _ => {
                    context.notes(notes.iter().map(|note| format!("{name}: {}", text_note(note))));
                    Ok(OpenedInput::Text(TextInput { text, format, encoding, codec, bytes_read }))
                }
            }
        }
    }
}

/// Returns an input of Arrow data. An option for text is an error for such an input.
fn arrow(
    context: &Context,
    name: &InputArg,
    input: Input,
    options: &TextOptions,
) -> Result<OpenedInput, Failure> {
    match options.text_option() {
        Some(option) if !options.has_others => Err(option_of_text(option, name)),
        _ => Ok(OpenedInput::Arrow(input.with_limits(context.limits()))),
    }
}

/// Checks that options for text have an effect on at least one input.
///
/// # Errors
/// If options for text are given, but all inputs are files of Arrow data.
pub(crate) fn check_use<'a>(
    context: &Context,
    names: impl IntoIterator<Item = &'a InputArg>,
    options: &TextOptions,
) -> Result<(), Failure> {
    let Some(option) = options.text_option() else { return Ok(()) };
    let mut names = names.into_iter().peekable();
    let first = names.peek().copied();
    let is_arrow = |name: &InputArg| {
        if options.is_text() { is_marked(context, name) } else { name.open(context).is_ok() }
    };
    match first {
        Some(first) if names.all(|name| name.is_set() || name.is_file() && is_arrow(name)) => {
            Err(option_of_text(option, first))
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether a file begins with bytes that occur in Arrow data, but not in text.
fn is_marked(context: &Context, name: &InputArg) -> bool {
    let mut start = Vec::new();
    let read = raw(context, name).map(|(text, _)| text.take(8).read_to_end(&mut start));
    matches!(read, Ok(Ok(_))) && TextDetection::has_arrow_magic(&start)
}

fn option_of_text(option: &'static str, name: &InputArg) -> Failure {
    Failure::OptionOf { option, expected: "text", found: "Arrow data", name: name.clone() }
}

/// Converts the error of a pipe. If the pipe may have text, the hint is to specify the format.
fn pipe_failure(name: &InputArg, error: ToolError) -> Failure {
    let advice = match error.kind() {
        _ if name.is_file() || matches!(name, InputArg::Url(_)) => return error.into(),
        ToolErrorKind::NotArrow { found: Some(ForeignFormat::Csv) } => "add --from csv",
        ToolErrorKind::NotArrow { found: Some(ForeignFormat::Json) } => "add --from jsonl",
        ToolErrorKind::NotArrow { found: Some(found) } if found.is_decompressed() => {
            "add --from csv or --from jsonl if what was compressed is text"
        }
        _ => return error.into(),
    };
    Failure::Advised { error, advice: advice.into() }
}

/// Prepares to read text, with `schema` or an inferred schema.
///
/// # Errors
/// If the first rows cannot be read.
pub(crate) fn import(
    context: &Context,
    name: &InputArg,
    input: TextInput,
    text_options: &TextOptions,
    schema: Option<&IpcSchema>,
) -> Result<Import, Failure> {
    let mut options = ImportOptions::new(input.format);
    options.schema = schema.map(|schema| Schema::clone(schema.schema()));
    options.infer_rows = text_options.form.infer_rows.unwrap_or(options.infer_rows);
    options.max_null_bytes = text_options.form.max_null_bytes.map_or(options.max_null_bytes, NonZero::get);
    options.is_only_counted = text_options.is_only_counted;
    options.columns = text_options.typed_columns().cloned().collect();
    options.ignores_missing = text_options.ignores_missing;
    options.empty = text_options.empty.clone();
    context.set_types(options.columns.iter().map(Field::name));
    let mut bytes_read = input.bytes_read;
    // The first 8 MiB are read and saved sooner than they are opened again.
    let import = if name.is_file() && options.infer_rows != InferRows::Start {
        let reopened = || {
            let (text, counter) = reopened(context, name, text_options)?;
            bytes_read = counter;
            Ok(text)
        };
        Import::open_again(name, input.text, reopened, &options)
    } else {
        Import::open(name, input.text, &options)
    };
    let import = import.map_err(|error| match advice_of_csv(&error) {
        Some(advice) if matches!(input.format, TextFormat::Csv(_)) => {
            Failure::Advised { error, advice: advice.into() }
        }
        _ => error.into(),
    })?;
    let import = import.with_bytes_read(bytes_read);
    context.count_skipped(name.to_string(), import.skipped());
    Ok(import)
}

/// Opens text again whose schema was inferred.
///
/// # Errors
/// If it cannot be read, or is no text any more.
fn reopened(
    context: &Context,
    name: &InputArg,
    options: &TextOptions,
) -> Result<(Box<dyn BufRead + Send>, ByteCounter), ToolError> {
    let changed = || io::Error::other("it was changed while it was read");
    let (text, bytes_read) = raw(context, name).map_err(|_failure| changed()).in_input(name)?;
    let detector = options.text_detector().map_err(|_failure| changed()).in_input(name)?;
    let is_csv = TextFormat::name_of_extension(&name.to_string()) == Some("csv");
    match detector.detect(text, is_csv).in_input(name)? {
        TextDetection::Text { text, .. } => Ok((text, bytes_read)),
        _ => Err(changed()).in_input(name),
    }
}

/// Whether an input that is not Arrow data may be text. An unknown format may be text whose first line is a title.
pub(crate) fn is_text(kind: &ToolErrorKind) -> bool {
    use ForeignFormat::{Csv, Gzip, Json, Lz4, Utf16, Zstd};
    matches!(kind, ToolErrorKind::NotArrow { found: None | Some(Gzip | Zstd | Lz4 | Json | Csv | Utf16) })
}

/// Opens the bytes of an input. Returns a reader and a counter of the bytes.
fn raw(context: &Context, name: &InputArg) -> Result<(Box<dyn BufRead + Send>, ByteCounter), Failure> {
    let (read, n_bytes): (Box<dyn Read + Send>, _) = match name {
        InputArg::Stdin => (Box::new(ProgressReader::with_total(context, io::stdin(), None)), None),
        InputArg::Path(path) => {
            let file = File::open(path).in_input(name)?;
            let n_bytes = file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len());
            (Box::new(ProgressReader::with_total(context, file, n_bytes)), n_bytes)
        }
        InputArg::Url(_) => {
            let error = io::Error::new(
                io::ErrorKind::Unsupported,
                "text at URLs is not supported: download it first",
            );
            return Err(ToolError::new(name, ToolErrorKind::Read(error)).into());
        }
    };
    let bytes_read = ByteCounter::with_total(n_bytes);
    let text = bytes_read.count(read);
    Ok((Box::new(text), bytes_read))
}
