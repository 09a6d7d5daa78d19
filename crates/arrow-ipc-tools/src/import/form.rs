//! What text is: CSV or lines of JSON, also compressed. Its first line tells.

use std::{
    io::{self, BufRead, Cursor, Read},
    path::Path,
};

use arrow_ipc::Container;
use arrow_text::CsvOptions;

use super::TextFormat;
use crate::{
    compressed::{ArrivingBytes, codec_of, decompressed},
    foreign::Foreign,
};

/// The form of text, as far as it is given.
#[derive(Debug, Clone, Default)]
pub struct GivenForm {
    /// Lines of JSON, if it is true; CSV, if it is false; else what the first line tells.
    pub is_json: Option<bool>,
    /// The separator of CSV; else what the first line has most of.
    pub separator: Option<CsvOptions>,
    /// A cell of CSV without quotes that is null, besides an empty one.
    pub null: Option<String>,
    /// Whether CSV begins with a row.
    pub no_header: bool,
}

/// What an input was found to be.
pub enum FoundText {
    /// Nothing.
    Empty,
    /// Arrow data, although a form of text is given.
    Arrow(ArrivingBytes),
    /// Text of this format.
    Text(TextFormat, ArrivingBytes),
    /// No text.
    Other {
        /// What it may be.
        found: Option<Foreign>,
        /// How it is compressed.
        codec: Option<Foreign>,
    },
}

impl GivenForm {
    /// Looks at the start of an input; the name of `is_called_csv` says that it is CSV. What is compressed is decompressed.
    ///
    /// # Errors
    /// If it cannot be read.
    #[expect(clippy::fn_params_excessive_bools, reason = "the name says one thing, or nothing")]
    pub fn find(&self, text: ArrivingBytes, is_called_csv: bool) -> io::Result<FoundText> {
        let (mut start, mut text) = look(text)?;
        let codec = codec_of(&start);
        if let Some(codec) = codec {
            (start, text) = decompressed(codec, text).and_then(look)?;
        }
        let start = start.as_slice();
        if start.is_empty() || start == b"\xef\xbb\xbf" {
            return Ok(FoundText::Empty);
        }
        if self.is_json.is_some() && is_arrow(start) {
            return Ok(FoundText::Arrow(text));
        }
        let found = Foreign::detect(start.get(..4096).unwrap_or(start));
        let format = match (self.is_json, found) {
            // Whatever the caller says: UTF-8 has no such bytes.
            (_, Some(Foreign::Utf16)) => return Ok(FoundText::Other { found, codec: None }),
            (Some(false), _) => TextFormat::Csv(csv_options(self, start)),
            (Some(true), _) => TextFormat::JsonLines,
            (None, Some(Foreign::Json)) => TextFormat::JsonLines,
            // A line of one name has no separator.
            (None, None) if is_called_csv && std::str::from_utf8(start).is_ok() => {
                TextFormat::Csv(csv_options(self, start))
            }
            (None, Some(Foreign::Csv)) => TextFormat::Csv(csv_options(self, start)),
            (None, _) => return Ok(FoundText::Other { found, codec }),
        };
        Ok(FoundText::Text(format, text))
    }
}

/// Whether an input begins as Arrow data does, and no text.
fn is_arrow(start: &[u8]) -> bool {
    let first = start.get(..8).unwrap_or(start);
    matches!(Container::detect(first), Container::File | Container::Stream)
        && first.iter().any(|byte| matches!(byte, 0 | 0xff))
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

/// The options. If no separator is given, the first line decides it.
fn csv_options(form: &GivenForm, start: &[u8]) -> CsvOptions {
    let csv = match form.separator {
        Some(options) => options,
        None => CsvOptions::new().with_delimiter(delimiter_of(start)).unwrap_or_default(),
    };
    let csv = match &form.null {
        Some(text) => csv.with_null_text(text).unwrap_or(csv),
        None => csv,
    };
    if form.no_header { csv.without_header() } else { csv }
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

/// The form of text that a name promises, as `--from` takes it.
pub fn form_of_name(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches('\'').to_ascii_lowercase();
    let packed = [".gz", ".zst", ".xz", ".bz2"].iter().find_map(|end| name.strip_suffix(end));
    match Path::new(packed.unwrap_or(&name)).extension()?.to_str()? {
        "csv" | "tsv" => Some("csv"),
        "json" | "jsonl" | "ndjson" => Some("jsonl"),
        _ => None,
    }
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
            let (start, mut whole) = look(Box::new(io::BufReader::new(Bytewise(bytes)))).unwrap();
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
