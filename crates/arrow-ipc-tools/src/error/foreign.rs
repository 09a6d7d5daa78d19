//! Detects formats other than Arrow by their first bytes, to name them in errors.

use std::fmt;

use arrow_buffer::Buffer;
use arrow_ipc::{Container, IpcErrorKind};

use super::ToolErrorKind;

/// A format that is not Arrow IPC, detected by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForeignFormat {
    /// Data that is compressed with gzip.
    Gzip,
    /// Data that is compressed with Zstandard.
    Zstd,
    /// Data that is compressed with LZ4, in frames.
    Lz4,
    /// Data that is compressed with LZ4 in its legacy format, which has no frames.
    Lz4Legacy,
    /// Data that is compressed with xz.
    Xz,
    /// Data that is compressed with bzip2.
    Bzip2,
    /// A ZIP archive.
    Zip,
    /// A workbook of Excel or of LibreOffice, which is a ZIP archive.
    Workbook,
    /// Apache Avro.
    Avro,
    /// Apache ORC.
    Orc,
    /// HDF5, also used by netCDF 4.
    Hdf5,
    /// An SQLite database.
    Sqlite,
    /// An HTML page.
    Html,
    /// XML.
    Xml,
    /// UTF-16 text. It begins with a byte order mark, or with four ASCII characters.
    Utf16,
    /// JSON, or lines of JSON.
    Json,
    /// Text whose first line has a separator.
    Csv,
}

/// The number of leading bytes that are searched for the format.
pub(crate) const LOOKED_AT_BYTES: u64 = 4 << 10;

/// The first bytes of formats with a magic number.
const MAGIC: [(&[u8], ForeignFormat); 13] = [
    (b"\x1f\x8b\x08", ForeignFormat::Gzip),
    (b"\x28\xb5\x2f\xfd", ForeignFormat::Zstd),
    (b"\x04\x22\x4d\x18", ForeignFormat::Lz4),
    (b"\x02\x21\x4c\x18", ForeignFormat::Lz4Legacy),
    (b"\xfd7zXZ\0", ForeignFormat::Xz),
    (b"BZh", ForeignFormat::Bzip2),
    (b"PK\x03\x04", ForeignFormat::Zip),
    (b"Obj\x01", ForeignFormat::Avro),
    (b"ORC", ForeignFormat::Orc),
    (b"\x89HDF\r\n\x1a\n", ForeignFormat::Hdf5),
    (b"SQLite format 3\0", ForeignFormat::Sqlite),
    (b"\xff\xfe", ForeignFormat::Utf16),
    (b"\xfe\xff", ForeignFormat::Utf16),
];

impl ForeignFormat {
    /// The format of an input that begins with these bytes; `None` if it is unknown.
    ///
    /// ```
    /// use arrow_ipc_tools::ForeignFormat;
    ///
    /// assert_eq!(ForeignFormat::detect(b"id,name\n1,ada\n"), Some(ForeignFormat::Csv));
    /// assert_eq!(ForeignFormat::detect(b"{\"id\": 1}\n"), Some(ForeignFormat::Json));
    /// assert_eq!(ForeignFormat::detect(b"hello, \x00"), None);
    /// ```
    pub fn detect(start: &[u8]) -> Option<ForeignFormat> {
        if let [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] = start {
            // Parallel compressors write a skippable frame before each frame. LZ4 has them, too, which `decompress` finds.
            return Some(ForeignFormat::Zstd);
        }
        if is_utf16(start) {
            return Some(ForeignFormat::Utf16);
        }
        if start.starts_with(b"PK\x03\x04") && is_workbook(start) {
            return Some(ForeignFormat::Workbook);
        }
        let magic = MAGIC.iter().find(|(magic, _)| start.starts_with(magic));
        magic.map(|(_, format)| *format).or_else(|| text_format(start))
    }

    /// Whether an input that is compressed as a whole in this format is decompressed while it is read.
    pub fn is_decompressed(self) -> bool {
        matches!(self, ForeignFormat::Gzip | ForeignFormat::Zstd | ForeignFormat::Lz4)
    }
}

/// Whether the names of files at the start of a ZIP archive are those of a workbook.
fn is_workbook(start: &[u8]) -> bool {
    let has = |name: &[u8]| start.windows(name.len()).any(|bytes| bytes == name);
    has(b"[Content_Types].xml") && (has(b"xl/") || has(b"workbook"))
        || has(b"xl/workbook.xml")
        || has(b"application/vnd.oasis.opendocument.spreadsheet")
}

/// Whether the first eight bytes are four ASCII characters in UTF-16.
pub(crate) fn is_utf16(start: &[u8]) -> bool {
    let is_char = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let Some((&[a, b, c, d, e, f, g, h], _)) = start.split_first_chunk() else { return false };
    let is_text = |chars: [u8; 4], zeros: [u8; 4]| zeros == [0; 4] && chars.into_iter().all(is_char);
    is_text([a, c, e, g], [b, d, f, h]) || is_text([b, d, f, h], [a, c, e, g])
}

/// Whether there are control characters that text does not have. DEL is allowed, because JSON and CSV may contain it.
pub(crate) fn has_control_chars(start: &[u8]) -> bool {
    start.iter().any(|byte| *byte < b' ' && !b"\t\r\n".contains(byte))
}

fn text_format(start: &[u8]) -> Option<ForeignFormat> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    if has_control_chars(start) {
        return None;
    }
    let begins_with =
        |word: &[u8]| start.get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
    match start.first()? {
        b'<' if begins_with(b"<!doctype html") || begins_with(b"<html") => Some(ForeignFormat::Html),
        b'<' => Some(ForeignFormat::Xml),
        b'{' | b'[' => Some(ForeignFormat::Json),
        _ => {
            let line = start.split(|byte| *byte == b'\n').next()?;
            line.iter().any(|byte| b",;\t|".contains(byte)).then_some(ForeignFormat::Csv)
        }
    }
}

impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ForeignFormat::Gzip => "compressed by gzip",
            ForeignFormat::Zstd => "compressed by Zstandard",
            ForeignFormat::Lz4 => "compressed by LZ4",
            ForeignFormat::Lz4Legacy => "compressed by LZ4 in its legacy format",
            ForeignFormat::Xz => "compressed by xz",
            ForeignFormat::Bzip2 => "compressed by bzip2",
            ForeignFormat::Zip => "a ZIP archive",
            ForeignFormat::Workbook => "an Excel workbook",
            ForeignFormat::Avro => "an Avro file",
            ForeignFormat::Orc => "an ORC file",
            ForeignFormat::Hdf5 => "an HDF5 file",
            ForeignFormat::Sqlite => "an SQLite database",
            ForeignFormat::Html => "an HTML page",
            ForeignFormat::Xml => "XML",
            ForeignFormat::Utf16 => "text in UTF-16, by its first bytes",
            ForeignFormat::Json => "JSON",
            ForeignFormat::Csv => "text, perhaps CSV",
        })
    }
}

/// The byte order mark of UTF-8. An input of only this mark counts as empty.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The error for an input that begins with `start`; `None` if it may be a stream or a file. `start` must have at
/// least eight bytes, or the whole input. `more` returns more bytes, to name the format in the error.
pub(crate) fn not_arrow(start: &[u8], more: impl FnOnce() -> Buffer) -> Option<ToolErrorKind> {
    let found = Container::detect(start);
    // A stream in legacy framing begins with the length of its metadata, a multiple of 4.
    let is_length = start.first().is_some_and(|byte| byte % 4 == 0);
    let is_foreign = found == Container::Stream
        && (is_utf16(start)
            || !is_length
                && matches!(ForeignFormat::detect(start), Some(ForeignFormat::Gzip | ForeignFormat::Utf16)));
    if let (Container::Stream | Container::File, false) = (found, is_foreign) {
        return None;
    }
    Some(if start.is_empty() || start == BYTE_ORDER_MARK {
        ToolErrorKind::Empty
    } else if found == Container::Unknown || is_foreign {
        ToolErrorKind::NotArrow { found: ForeignFormat::detect(&more()) }
    } else {
        let expected = "an Arrow IPC stream or file";
        ToolErrorKind::Input(IpcErrorKind::WrongContainer { expected, found }.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_recognized_by_its_first_line() {
        let cases: [(&[u8], Option<ForeignFormat>); 21] = [
            (b"\xef\xbb\xbfa;b\n1;2", Some(ForeignFormat::Csv)),
            (b"name\tcaf\xe9\n", Some(ForeignFormat::Csv)),
            (b"one word\na,b", None),
            (b" \n [1, 2]", Some(ForeignFormat::Json)),
            (b"<!DOCTYPE HTML>\n", Some(ForeignFormat::Html)),
            (b"<html lang=\"en\">", Some(ForeignFormat::Html)),
            (b"<?xml version=\"1.0\"?>", Some(ForeignFormat::Xml)),
            (b"a,b\x1b", None),
            (b"\xff\xfea\0,\0", Some(ForeignFormat::Utf16)),
            (b"\xfe\xff\0a\0,", Some(ForeignFormat::Utf16)),
            (b"", None),
            (b"a\0,\0b\0\n\0", Some(ForeignFormat::Utf16)),
            (b"\0a\0,\0b\0\n\0", Some(ForeignFormat::Utf16)),
            (b"a\0,\0b\0\n", None),
            (b"\x10\0\0\0\x0c\0\0\0", None),
            (b"BZh91AY", Some(ForeignFormat::Bzip2)),
            (b"\x04\x22\x4d\x18\x64", Some(ForeignFormat::Lz4)),
            (b"\x02\x21\x4c\x18\0", Some(ForeignFormat::Lz4Legacy)),
            (b"\x04\x22\x4d", None),
            (b"\x1f\x8b", None),
            (b"\x1f\x8b\x08\0", Some(ForeignFormat::Gzip)),
        ];
        for (bytes, expected) in cases {
            assert_eq!(ForeignFormat::detect(bytes), expected, "{bytes:?}");
        }
    }
}
