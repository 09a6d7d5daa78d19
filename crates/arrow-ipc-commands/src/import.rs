//! Text as input: CSV and lines of JSON, also compressed.

use std::{
    fs::{File, Metadata},
    io::{self, BufRead, BufReader, Cursor, Read},
};

use arrow_ipc::{Container, IpcSchema};
use arrow_ipc_tools::{
    BytesRead, Foreign, Import, ImportOptions, Input, TextFormat, ToolError, ToolErrorKind,
};
use arrow_schema::Schema;
use arrow_text::CsvOptions;

use crate::{
    args::{TextForm, TextOptions},
    compressed::{ArrivingBytes, BUFFER_BYTES, codec_of, decompressed},
    exit::{Failure, form_of_name},
    names::InputArg,
};

/// An input by its content.
pub(crate) enum OpenedInput {
    Arrow(Input),
    Text(TextInput),
}

/// Text of a known form.
pub(crate) struct TextInput {
    text: ArrivingBytes,
    format: TextFormat,
    bytes_read: BytesRead,
}

impl TextInput {
    /// Text of JSON without any line.
    pub(crate) fn without_rows() -> TextInput {
        let (text, bytes_read) = (Box::new(io::empty()), BytesRead::of(Some(0)));
        TextInput { text, format: TextFormat::JsonLines, bytes_read }
    }
}

/// Whether an input has no bytes. With a given schema, such a text has no rows.
pub(crate) fn is_empty(failure: &Failure) -> bool {
    matches!(failure, Failure::Tool(error) if matches!(error.kind(), ToolErrorKind::Empty))
}

/// Opens an input as what it is, or as the text that the arguments say it is. A pipe is Arrow data unless they say
/// otherwise.
///
/// # Errors
/// If it cannot be read, or is neither Arrow data nor text. If a given option belongs to another form.
pub(crate) fn open(name: &InputArg, options: &TextOptions) -> Result<OpenedInput, Failure> {
    if options.form.from.is_none() {
        match name.open() {
            Ok(input) => return arrow(name, input, options),
            Err(error) if name.is_file() && (is_text(error.kind()) || is_called_csv(name, error.kind())) => {}
            Err(error) => return Err(of_pipe(name, error)),
        }
    }
    let failed = |error| ToolError::new(name.into(), ToolErrorKind::Read(error));
    let (text, bytes_read) = raw(name)?;
    let (mut start, mut text) = look(text).map_err(failed)?;
    let codec = codec_of(&start);
    if let Some(codec) = codec {
        (start, text) = decompressed(codec, text).and_then(look).map_err(failed)?;
    }
    let start = start.as_slice();
    if start.is_empty() || start == b"\xef\xbb\xbf" {
        return Err(ToolError::new(name.into(), ToolErrorKind::Empty).into());
    }
    if options.form.from.is_some() && is_arrow(start) {
        let again = if name.is_file() { name.open() } else { Input::try_from_reader(name, text) };
        return arrow(name, again?, options);
    }
    let found = Foreign::detect(start.get(..4096).unwrap_or(start));
    let format = match (options.form.from, found) {
        // Whatever the arguments say: UTF-8 has no such bytes.
        (_, Some(Foreign::Utf16)) => {
            return Err(ToolError::new(name.into(), ToolErrorKind::NotArrow { found }).into());
        }
        (Some(TextForm::Csv), _) => TextFormat::Csv(csv_options(options, start)),
        (Some(TextForm::Jsonl), _) => TextFormat::JsonLines,
        (None, Some(Foreign::Json)) => TextFormat::JsonLines,
        // A line of one name has no separator.
        (None, None)
            if std::str::from_utf8(start).is_ok() && form_of_name(&name.to_string()) == Some("csv") =>
        {
            TextFormat::Csv(csv_options(options, start))
        }
        (None, Some(Foreign::Csv)) => TextFormat::Csv(csv_options(options, start)),
        (None, _) if codec.is_some() && name.is_file() => {
            let error = ToolError::new(name.into(), ToolErrorKind::NotArrow { found: codec });
            let advice = "it was decompressed, and what is inside is neither Arrow data nor text";
            return Err(Failure::Advised { error, advice: advice.into() });
        }
        (None, _) => return Err(ToolError::new(name.into(), ToolErrorKind::NotArrow { found }).into()),
    };
    match (&format, options.of_csv()) {
        (TextFormat::JsonLines, Some(option)) if !options.has_others => {
            Err(Failure::OptionOf { option, expected: "CSV", found: "JSON", name: name.clone() })
        }
        _ => Ok(OpenedInput::Text(TextInput { text, format, bytes_read })),
    }
}

/// Arrow data as an input; an error if a given option belongs to text.
fn arrow(name: &InputArg, input: Input, options: &TextOptions) -> Result<OpenedInput, Failure> {
    match options.of_text() {
        Some(option) if !options.has_others => Err(option_of_text(option, name)),
        _ => Ok(OpenedInput::Arrow(input)),
    }
}

/// # Errors
/// If options of text are given, but each input is a file of Arrow data.
pub(crate) fn check_use<'a>(
    names: impl IntoIterator<Item = &'a InputArg>,
    options: &TextOptions,
) -> Result<(), Failure> {
    let Some(option) = options.of_text() else { return Ok(()) };
    let mut names = names.into_iter().peekable();
    let first = names.peek().copied();
    match first.filter(|_| names.all(|name| name.is_file() && name.open().is_ok())) {
        Some(first) => Err(option_of_text(option, first)),
        None => Ok(()),
    }
}

fn option_of_text(option: &'static str, name: &InputArg) -> Failure {
    Failure::OptionOf { option, expected: "text", found: "Arrow data", name: name.clone() }
}

/// Whether an input begins as Arrow data does, and no text.
fn is_arrow(start: &[u8]) -> bool {
    let first = start.get(..8).unwrap_or(start);
    matches!(Container::detect(first), Container::File | Container::Stream)
        && first.iter().any(|byte| matches!(byte, 0 | 0xff))
}

/// The failure for text that comes through a pipe: the arguments have to say what it is.
fn of_pipe(name: &InputArg, error: ToolError) -> Failure {
    let advice = match error.kind() {
        _ if name.is_file() || matches!(name, InputArg::Url(_)) => return error.into(),
        ToolErrorKind::NotArrow { found: Some(Foreign::Csv) } => "add --from csv",
        ToolErrorKind::NotArrow { found: Some(Foreign::Json) } => "add --from jsonl",
        ToolErrorKind::NotArrow { found: Some(Foreign::Gzip | Foreign::Zstd) } => {
            "add --from csv or --from jsonl if what was compressed is text"
        }
        _ => return error.into(),
    };
    Failure::Advised { error, advice: advice.into() }
}

/// Prepares to read text, with the given or an inferred schema.
///
/// # Errors
/// If the first rows cannot be read.
pub(crate) fn import(
    name: &InputArg,
    input: TextInput,
    text_options: &TextOptions,
    schema: Option<&IpcSchema>,
) -> Result<Import, Failure> {
    let mut options = ImportOptions::new(input.format);
    if let Some(n_rows) = text_options.form.infer_rows {
        options = options.with_infer_rows(n_rows.get());
    }
    if let Some(n_bytes) = text_options.form.max_null_bytes {
        options = options.with_max_null_bytes(n_bytes.get());
    }
    if let Some(schema) = schema {
        options = options.with_schema(Schema::clone(schema.schema()));
    }
    Ok(Import::open(name, input.text, &options)?.with_bytes_read(input.bytes_read))
}

/// The first line, up to 64 KiB of it, and the whole text. A pipe may return it in pieces of any length.
fn look(mut text: ArrivingBytes) -> io::Result<(Vec<u8>, ArrivingBytes)> {
    const MAX_BYTES: usize = 64 << 10;
    // What compressed data begins with may have a line end in it.
    const MIN_BYTES: usize = 4;
    let mut start = Vec::new();
    while start.len() < MIN_BYTES || !start.contains(&b'\n') && start.len() < MAX_BYTES {
        let piece = match text.fill_buf() {
            Ok([]) => break,
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let n_bytes = piece.len().min(MAX_BYTES.saturating_sub(start.len()).max(1));
        start.extend_from_slice(piece.get(..n_bytes).unwrap_or(piece));
        text.consume(n_bytes);
    }
    let again = Cursor::new(start.clone()).chain(text);
    Ok((start, Box::new(again)))
}

/// Whether the first bytes tell no format, and the name says that it is CSV.
fn is_called_csv(name: &InputArg, kind: &ToolErrorKind) -> bool {
    matches!(kind, ToolErrorKind::NotArrow { found: None }) && form_of_name(&name.to_string()) == Some("csv")
}

/// Whether the format that was found instead of Arrow data may be text.
fn is_text(kind: &ToolErrorKind) -> bool {
    use Foreign::{Csv, Gzip, Json, Zstd};
    matches!(kind, ToolErrorKind::NotArrow { found: Some(Gzip | Zstd | Json | Csv) })
}

/// The bytes of an input, and a counter of them.
fn raw(name: &InputArg) -> Result<(ArrivingBytes, BytesRead), Failure> {
    let (read, n_bytes): (Box<dyn Read + Send>, _) = match name {
        InputArg::Stdin => (Box::new(io::stdin()), None),
        InputArg::Path(path) => {
            let file =
                File::open(path).map_err(|error| ToolError::new(name.into(), ToolErrorKind::Read(error)));
            let file = file?;
            let n_bytes = file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len());
            (Box::new(file), n_bytes)
        }
        InputArg::Url(_) => {
            let error = io::Error::new(
                io::ErrorKind::Unsupported,
                "text at URLs is not supported: download it first",
            );
            return Err(ToolError::new(name.into(), ToolErrorKind::Read(error)).into());
        }
    };
    let bytes_read = BytesRead::of(n_bytes);
    let text = BufReader::with_capacity(BUFFER_BYTES, bytes_read.count(read));
    Ok((Box::new(text), bytes_read))
}

/// The options. If no separator is given, the first line decides it.
fn csv_options(options: &TextOptions, start: &[u8]) -> CsvOptions {
    let csv = match options.delimiter {
        Some(delimiter) => delimiter.0,
        None => CsvOptions::new().with_delimiter(delimiter_of(start)).unwrap_or_default(),
    };
    let csv = match &options.form.null {
        Some(text) => csv.with_null_text(text).unwrap_or(csv),
        None => csv,
    };
    if options.no_header { csv.without_header() } else { csv }
}

/// The separator that is most frequent in the first line, outside quotes. If several are, the first of them.
fn delimiter_of(start: &[u8]) -> u8 {
    let line = start.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let mut best = (b',', 0);
    for delimiter in *b",;\t|" {
        let mut is_quoted = false;
        let n_found = line.iter().filter(|byte| {
            is_quoted ^= **byte == b'"';
            !is_quoted && **byte == delimiter
        });
        let n_found = n_found.count();
        if n_found > best.1 {
            best = (delimiter, n_found);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time.
    struct Bytewise<'a>(&'a [u8]);

    impl Read for Bytewise<'_> {
        fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
            let n_bytes = place.len().min(1);
            self.0.read(place.get_mut(..n_bytes).unwrap_or_default())
        }
    }

    #[test]
    fn the_first_line_is_looked_at_however_it_comes() {
        for (text, expected) in
            [("", ""), ("a", "a"), ("a;b\n1;2\n", "a;b\n"), ("\n\n\n\n\n", "\n\n\n\n"), ("a;b", "a;b")]
        {
            let bytes: &'static [u8] = text.as_bytes();
            let (start, mut whole) = look(Box::new(BufReader::new(Bytewise(bytes)))).unwrap();
            assert_eq!(start, expected.as_bytes());
            let mut all = String::new();
            whole.read_to_string(&mut all).unwrap();
            assert_eq!(all, text);
        }
        let long = vec![b'x'; 200 << 10];
        let (start, mut whole) = look(Box::new(Cursor::new(long.clone()))).unwrap();
        assert_eq!(start.len(), 64 << 10);
        let mut all = Vec::new();
        whole.read_to_end(&mut all).unwrap();
        assert_eq!(all, long);
    }

    #[test]
    fn separators_are_those_of_the_first_line() {
        let cases: [(&[u8], u8); 8] = [
            (b"", b','),
            (b"a\nb;c", b','),
            (b"a,b\n", b','),
            (b"a;b,c;d\n", b';'),
            (b"a\tb\r\n1,2", b'\t'),
            (b"a|b", b'|'),
            (b"\"a,b,c\";d", b';'),
            (b"a,b;c", b','),
        ];
        for (start, expected) in cases {
            assert_eq!(delimiter_of(start), expected, "{start:?}");
        }
    }
}
