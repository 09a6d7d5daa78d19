//! Detects the format of text from its first lines: CSV or JSON, possibly compressed or in another encoding than UTF-8.

use std::{
    io::{self, BufRead, Cursor, Read},
    path::Path,
};

use arrow_ipc::Container;
use arrow_text::{CsvOptions, Sniff, SniffedCsv, sniff_csv};

use super::{TextFormat, encoding::TextEncoding, json_text::are_no_lines, note::TextNote};
use serde_json::Value;

use crate::{
    compressed::ArrivingBytes,
    error::{
        foreign::{ForeignFormat, has_control_chars},
        malformed_text::MalformedText,
    },
};

/// What is already known about the format of a text.
#[derive(Debug, Clone, Default)]
pub struct TextDetector {
    /// Whether the text is JSON or CSV. `None` if the first line determines the format.
    pub is_json: Option<bool>,
    /// The options for reading CSV. Sniffing may change them.
    pub csv: CsvOptions,
    /// What is detected from the first lines of CSV.
    pub sniff: Sniff,
    /// The encoding. With `None`, text is read as UTF-16 if it has the byte order mark of UTF-16 or begins with four ASCII
    /// characters of UTF-16, and otherwise as UTF-8.
    pub encoding: Option<TextEncoding>,
    /// Known names of columns. A line of CSV that has one of them may be the line of names, even if it looks like a row.
    pub names: Vec<String>,
}

/// The kind of an input, and its decompressed bytes.
#[expect(clippy::large_enum_variant, reason = "there is one of an input")]
pub enum TextDetection {
    /// The input is empty.
    Empty,
    /// Arrow data, although the options are for text.
    Arrow(Box<dyn BufRead + Send>),
    /// Text, with the format that was detected or specified.
    Text {
        /// The format.
        format: TextFormat,
        /// The decompressed text in UTF-8.
        text: Box<dyn BufRead + Send>,
        /// The encoding before the conversion to UTF-8.
        encoding: TextEncoding,
        /// The codec with which the whole input is compressed; `None` if it is not compressed.
        codec: Option<ForeignFormat>,
        /// Whether the format is certain. If `false`, it is a guess.
        is_clear: bool,
        /// What may be read in another way, such as skipped leading lines.
        notes: Vec<TextNote>,
    },
    /// The input is not text.
    Other {
        /// The format that the first bytes show; `None` if it is unknown.
        found: Option<ForeignFormat>,
        /// The codec with which the whole input is compressed; `None` if it is not compressed.
        codec: Option<ForeignFormat>,
        /// The decompressed bytes.
        bytes: Box<dyn BufRead + Send>,
    },
}

/// The maximal number of CSV bytes that are inspected.
const MAX_LOOK_BYTES: usize = 64 << 10;

impl TextDetector {
    /// Detects the format of an input from its first bytes, and decompresses it. `is_called_csv` is whether the input
    /// has the name of a CSV file.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn detect(&self, text: Box<dyn BufRead + Send>, is_called_csv: bool) -> io::Result<TextDetection> {
        let (mut start, mut text) = read_start(text, TextStart::Line)?;
        let codec = ForeignFormat::detect_codec(&start);
        if let Some(codec) = codec {
            (start, text) = codec.decompress(text).and_then(|text| read_start(text, TextStart::Line))?;
        }
        // Opening a Parquet file as Arrow data returns an error that names the format.
        let is_parquet = Container::detect(&start) == Container::Parquet && has_control_chars(&start);
        let is_given_as_text = self.is_json.is_some() || self.encoding.is_some();
        let is_arrow =
            if is_given_as_text { TextDetection::has_arrow_magic(&start) } else { is_arrow(&start) };
        if is_arrow || is_parquet {
            return Ok(TextDetection::Arrow(text));
        }
        let marked = TextEncoding::from_byte_order_mark(&start);
        let encoding = self.encoding.or(marked).unwrap_or(TextEncoding::Utf8);
        if let Some(found) = marked.filter(|marked| *marked != encoding) {
            return Err(MalformedText::Encoding { found: found.name(), given: encoding.name() }.into());
        }
        if encoding != TextEncoding::Utf8 {
            (start, text) = read_start(encoding.decoded(text), TextStart::Line)?;
        }
        if start.is_empty() || start == b"\xef\xbb\xbf" {
            return Ok(TextDetection::Empty);
        }
        let found = ForeignFormat::detect(start.get(..4096).unwrap_or(&start));
        use ForeignFormat::{Avro, Bzip2, Hdf5, Lz4Legacy, Orc, Sqlite, Workbook, Xz, Zip};
        if matches!(found, Some(Avro | Bzip2 | Hdf5 | Lz4Legacy | Orc | Sqlite | Workbook | Xz | Zip))
            && has_control_chars(&start)
        {
            return Ok(TextDetection::Other { found, codec, bytes: text });
        }
        // A first line without a separator may be a title or the name of a single column, so the text may still be CSV.
        let may_be_csv = found == Some(ForeignFormat::Csv) || found.is_none() && is_utf8(&start);
        if self.is_json.is_none() && found != Some(ForeignFormat::Json) && !may_be_csv {
            return Ok(TextDetection::Other { found, codec, bytes: text });
        }
        if self.is_json.unwrap_or(found == Some(ForeignFormat::Json)) {
            let format = if are_no_lines(&start) { TextFormat::Json } else { TextFormat::JsonLines };
            let notes = note_other_format(self.is_json, found, &start).into_iter().collect();
            return Ok(TextDetection::Text { format, text, encoding, codec, is_clear: true, notes });
        }
        let other = if self.csv.n_skipped_lines() == 0 {
            note_other_format(self.is_json, found, &start)
        } else {
            None
        };
        if self.sniff != Sniff::NOTHING {
            (start, text) = read_start(text, TextStart::Table)?;
            // Ignores the last record if the inspected text ends inside it.
            if start.len() >= MAX_LOOK_BYTES {
                let n_whole = start.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
                start.truncate(n_whole.unwrap_or(start.len()));
            }
        }
        let csv = sniff_csv(&start, self.csv, self.sniff, &self.names);
        let is_clear = csv.is_clear;
        if found.is_none() && !(is_clear || csv.is_declared || is_called_csv || self.is_json.is_some()) {
            return Ok(TextDetection::Other { found, codec, bytes: text });
        }
        Ok(TextDetection::Text {
            format: TextFormat::Csv(csv.options),
            text,
            encoding,
            codec,
            is_clear: is_clear || csv.is_declared,
            notes: notes(&self.csv, self.sniff, &csv).into_iter().chain(other).collect(),
        })
    }
}

impl TextDetection {
    /// Whether an input begins with the magic of a file and its padding, or with the continuation marker of a stream. Text may
    /// begin with the magic alone.
    pub fn has_arrow_magic(start: &[u8]) -> bool {
        start.starts_with(b"ARROW1\0") || start.starts_with(&[0xff; 4])
    }
}

impl TextFormat {
    /// The name of the format of text that an extension shows, `csv` or `jsonl`; `None` if it is not an extension of text.
    pub fn name_of_extension(name: &str) -> Option<&'static str> {
        let name = name.to_ascii_lowercase();
        let packed = [".gz", ".zst", ".lz4", ".xz", ".bz2"].iter().find_map(|end| name.strip_suffix(end));
        match Path::new(packed.unwrap_or(&name)).extension()?.to_str()? {
            "csv" | "tsv" => Some("csv"),
            "json" | "jsonl" | "ndjson" => Some("jsonl"),
            _ => None,
        }
    }
}

/// Whether bytes are UTF-8, except for a character whose other bytes have not been read.
fn is_utf8(start: &[u8]) -> bool {
    std::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// A note that the first line of a text looks like another format than the given one. A line of CSV may begin with `{`.
fn note_other_format(is_json: Option<bool>, found: Option<ForeignFormat>, start: &[u8]) -> Option<TextNote> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_row = || serde_json::from_slice(line).is_ok_and(|row: Value| row.is_object() || row.is_array());
    let is_open = || [b"[", b"{"].iter().any(|open| line.trim_ascii() == *open);
    let format = match (is_json?, found?) {
        (false, ForeignFormat::Json) if is_open() || is_row() => ForeignFormat::Json,
        (false, ForeignFormat::Html) => ForeignFormat::Html,
        (true, ForeignFormat::Csv) => ForeignFormat::Csv,
        _ => return None,
    };
    Some(TextNote::OtherFormat(format))
}

/// Notes about lines that are neither names nor rows, about missing column names, and about options that read the
/// text in another way.
fn notes(given: &CsvOptions, sniff: Sniff, found: &SniffedCsv) -> Vec<TextNote> {
    let form = &found.options;
    let delimiter = form.delimiter();
    let line = found.first_line;
    let first_line = u64::from(found.is_declared).max(given.n_skipped_lines()).saturating_add(1);
    let last_line = form.n_skipped_lines();
    let is_guess = sniff.delimiter;
    let is_declared = found.is_declared && given.n_skipped_lines() == 0;
    let has_no_header = given.has_header() && !form.has_header();
    let has_ends = form.has_end_delimiters() && !given.has_end_delimiters();
    let unused_order = if found.dates.is_none() { found.unused_order } else { None };
    let notes = [
        is_declared.then_some(TextNote::DeclaredDelimiter { delimiter }),
        (last_line >= first_line).then_some(TextNote::Title { first_line, last_line }),
        found.other_delimiter.map(|other| TextNote::OtherDelimiter { delimiter, other, is_guess }),
        has_no_header.then_some(TextNote::NoHeader { line }),
        found.names_may_be_row.then_some(TextNote::NamesMayBeRow { line }),
        found.names_may_be_title.then_some(TextNote::NamesMayBeTitle { line }),
        found.names_may_be_comment.then_some(TextNote::NamesMayBeComment { line }),
        found.has_apostrophes.then_some(TextNote::Apostrophes),
        has_ends.then_some(TextNote::EndDelimiters { delimiter }),
        found.dates.map(TextNote::Dates),
        unused_order.map(TextNote::UnusedDateOrder),
        found.commas.map(TextNote::Commas),
    ];
    notes.into_iter().flatten().collect()
}

/// Whether an input begins like an Arrow file or stream. Requires a byte that text does not have.
fn is_arrow(start: &[u8]) -> bool {
    let first = start.get(..8).unwrap_or(start);
    matches!(Container::detect(first), Container::File | Container::Stream)
        && first.iter().any(|byte| matches!(byte, 0 | 0xff))
        && TextEncoding::from_byte_order_mark(first).is_none_or(|marked| marked == TextEncoding::Utf8)
        && ForeignFormat::detect_codec(first).is_none()
}

/// How many of the first lines of a text are inspected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextStart {
    Line,
    Table,
}

/// Reads the first line of a text, or up to 64 KiB of its first lines. Returns these bytes, and a reader of the whole
/// text. A pipe may return few bytes at a time.
fn read_start(mut text: ArrivingBytes, at: TextStart) -> io::Result<(Vec<u8>, ArrivingBytes)> {
    // The first bytes of compressed data and of UTF-16 may include the byte of a line end, so reading stops only after
    // as many bytes as distinguish them: see `is_utf16`.
    const MIN_BYTES: usize = 8;
    let mut start = Vec::new();
    while start.len() < MIN_BYTES
        || (at == TextStart::Table || !start.contains(&b'\n')) && start.len() < MAX_LOOK_BYTES
    {
        let piece = match text.fill_buf() {
            Ok([]) => break,
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let n_bytes = piece.len().min(MAX_LOOK_BYTES.saturating_sub(start.len()).max(1));
        start.extend_from_slice(piece.get(..n_bytes).unwrap_or(piece));
        text.consume(n_bytes);
    }
    let rewound = Cursor::new(start.clone()).chain(text);
    Ok((start, Box::new(rewound)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns one byte at a time.
    struct BytewiseReader<'a>(&'a [u8]);

    impl Read for BytewiseReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n_bytes = buffer.len().min(1);
            self.0.read(buffer.get_mut(..n_bytes).unwrap_or_default())
        }
    }

    #[test]
    fn other_compressed_data_is_no_text() {
        let form = TextDetector { is_json: Some(false), ..TextDetector::default() };
        let of = |bytes: &'static [u8]| form.detect(Box::new(Cursor::new(bytes)), true).unwrap();
        let magics =
            [&b"BZh91AY&SY\xff\x00"[..], b"PK\x03\x04\xff", b"\xfd7zXZ\x00\xff", b"Obj\x01\n", b"ORC\x1d\n"];
        for bytes in magics {
            assert!(matches!(of(bytes), TextDetection::Other { found: Some(_), .. }), "{bytes:?}");
        }
        // The first column name may begin with the same bytes as bzip2 data.
        assert!(matches!(of(b"BZh,b\n1,2\n"), TextDetection::Text { .. }));
        // Opening a Parquet file as Arrow data returns an error that names the format.
        assert!(matches!(of(b"PAR1\x15\x04\x15\n"), TextDetection::Arrow(_)));
        assert!(matches!(of(b"PAR1,b\n1,2\n"), TextDetection::Text { .. }));
        // So may that of an Arrow file, after which padding follows.
        assert!(matches!(of(b"ARROW1,b\n1,2\n"), TextDetection::Text { .. }));
        assert!(matches!(of(b"ARROW1\0\0\xff\xff\xff\xff\n"), TextDetection::Arrow(_)));
    }

    /// A reader that returns these pieces.
    struct TextPieces(Vec<Vec<u8>>);

    impl Read for TextPieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let piece = self.0.remove(0);
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }

    /// The encoding and the text are the same for each division of the first bytes.
    #[test]
    fn the_encoding_is_found_however_the_bytes_come() {
        let texts =
            ["n\n-9\n12\n", "n,m\n1,2\n", "\n\n\n\nn\n", "ab\n1\n", "é\n1\n", "n\n", "\u{feff}n\n1\n"];
        for text in texts {
            let units: Vec<u16> = text.encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for bytes in [little, big, text.as_bytes().to_vec()] {
                let found = |pieces: Vec<Vec<u8>>| {
                    let text = Box::new(io::BufReader::new(TextPieces(pieces)));
                    let form = TextDetector { is_json: Some(false), ..TextDetector::default() };
                    let found = form.detect(text, true).unwrap();
                    let TextDetection::Text { encoding, format, mut text, .. } = found else {
                        return Err("no text".to_owned());
                    };
                    let mut all = Vec::new();
                    text.read_to_end(&mut all).map_err(|error| error.to_string())?;
                    Ok((encoding, format!("{format:?}"), all))
                };
                let expected = found(vec![bytes.clone()]);
                // The bits say after which of the first bytes a piece ends.
                let n_first = bytes.len().min(9);
                for ends in 0..1_u32 << n_first {
                    let mut pieces = vec![Vec::new()];
                    for (idx, byte) in bytes.iter().enumerate() {
                        pieces.last_mut().unwrap().push(*byte);
                        if idx < n_first && ends >> idx & 1 == 1 {
                            pieces.push(Vec::new());
                        }
                    }
                    pieces.retain(|piece| !piece.is_empty());
                    assert_eq!(found(pieces), expected, "{text:?} {bytes:?} {ends:b}");
                }
            }
        }
    }

    #[test]
    fn the_first_line_is_looked_at_however_it_comes() {
        for (text, expected) in [
            ("", ""),
            ("a", "a"),
            ("a;b\n1;2\n3;4\n", "a;b\n1;2\n"),
            ("name;id\n1;2\n", "name;id\n"),
            ("\n\n\n\n\n", "\n\n\n\n\n"),
            ("\n\n\n\n\n\n\n\n\n", "\n\n\n\n\n\n\n\n"),
            ("a;b", "a;b"),
        ] {
            let bytes: &'static [u8] = text.as_bytes();
            let (start, mut whole) =
                read_start(Box::new(io::BufReader::new(BytewiseReader(bytes))), TextStart::Line).unwrap();
            assert_eq!(start, expected.as_bytes());
            let mut all = String::new();
            whole.read_to_string(&mut all).unwrap();
            assert_eq!(all, text);
        }
        let long = vec![b'x'; 200 << 10];
        let (start, mut whole) = read_start(Box::new(Cursor::new(long.clone())), TextStart::Line).unwrap();
        assert_eq!(start.len(), 64 << 10);
        let mut all = Vec::new();
        whole.read_to_end(&mut all).unwrap();
        assert_eq!(all, long);
    }
}
