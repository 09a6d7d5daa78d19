//! Text as input: CSV and lines of JSON, also compressed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use arrow_ipc_tools::{Foreign, Import, ImportOptions, Input, TextFormat, ToolError, ToolErrorKind};
use arrow_text::CsvOptions;
use flate2::bufread::MultiGzDecoder;

use crate::{
    args::{TextArgs, TextForm},
    exit::Failure,
    names::InputName,
    schema_file::schema_of,
};

/// An input by its content.
pub(crate) enum Opened {
    Arrow(Input),
    Text(Text, TextFormat),
}

pub(crate) type Text = Box<dyn BufRead + Send>;

const BUFFER_BYTES: usize = 256 << 10;

/// Opens an input as what it is, or as the text that the arguments say it is. A pipe is Arrow data unless they say so.
///
/// # Errors
/// If it cannot be read, or is neither Arrow data nor text.
pub(crate) fn open(name: &InputName, args: &TextArgs) -> Result<Opened, Failure> {
    if args.from.is_none() {
        match name.open() {
            Ok(input) => return Ok(Opened::Arrow(input)),
            Err(error) if name.is_path() && is_text(error.kind()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let failed = |error| ToolError::new(name.into(), ToolErrorKind::Read(error));
    let mut text = raw(name)?;
    let start = text.fill_buf().map_err(failed)?;
    if start.starts_with(b"\x1f\x8b") {
        text = Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(text)));
    } else if start.starts_with(b"\x28\xb5\x2f\xfd") {
        let decoder = zstd::Decoder::with_buffer(text).map_err(failed)?;
        text = Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder));
    }
    let start = text.fill_buf().map_err(failed)?;
    if start.is_empty() {
        return Err(ToolError::new(name.into(), ToolErrorKind::Empty).into());
    }
    let format = match args.from {
        Some(TextForm::Csv) => TextFormat::Csv(csv_options(args, start)),
        Some(TextForm::Jsonl) => TextFormat::JsonLines,
        None if start.starts_with(b"ARROW1") || start.starts_with(&[0xff; 4]) => {
            return Ok(Opened::Arrow(Input::try_from_reader(arrow_ipc_tools::InputName::from(name), text)?));
        }
        None => match Foreign::detect(start.get(..4096).unwrap_or(start)) {
            Some(Foreign::Json) => TextFormat::JsonLines,
            Some(Foreign::Csv) => TextFormat::Csv(csv_options(args, start)),
            found => return Err(ToolError::new(name.into(), ToolErrorKind::NotArrow { found }).into()),
        },
    };
    Ok(Opened::Text(text, format))
}

/// Prepares to read text, by the schema in a file or one that is inferred.
///
/// # Errors
/// If the first rows cannot be read, or there is no schema in the file.
pub(crate) fn import(
    name: &InputName,
    (text, format): (Text, TextFormat),
    args: &TextArgs,
    schema: Option<&Path>,
) -> Result<Import, Failure> {
    let options = ImportOptions::new(format).with_infer_rows(args.infer_rows.get());
    let options = match schema {
        Some(path) => options.with_schema(schema_of(path)?),
        None => options,
    };
    Ok(Import::open(name, text, &options)?)
}

/// Whether what was found instead of Arrow data may be text.
fn is_text(kind: &ToolErrorKind) -> bool {
    use Foreign::{Csv, Gzip, Json, Zstd};
    matches!(kind, ToolErrorKind::NotArrow { found: Some(Gzip | Zstd | Json | Csv) })
}

fn raw(name: &InputName) -> Result<Text, Failure> {
    let read: Box<dyn Read + Send> = match name {
        InputName::Stdin => Box::new(io::stdin()),
        InputName::Path(path) => {
            let file =
                File::open(path).map_err(|error| ToolError::new(name.into(), ToolErrorKind::Read(error)));
            Box::new(file?)
        }
        InputName::Url(_) => {
            let error = io::Error::new(
                io::ErrorKind::Unsupported,
                "text at URLs is not supported: download it first",
            );
            return Err(ToolError::new(name.into(), ToolErrorKind::Read(error)).into());
        }
    };
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, read)))
}

/// The options, with a separator by the first line if none is given.
fn csv_options(args: &TextArgs, start: &[u8]) -> CsvOptions {
    let options = match args.delimiter {
        Some(delimiter) => delimiter.0,
        None => CsvOptions::new().with_delimiter(delimiter_of(start)).unwrap_or_default(),
    };
    if args.no_header { options.without_header() } else { options }
}

/// The separator that the first line has most of, outside of quotes; the first of several.
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
