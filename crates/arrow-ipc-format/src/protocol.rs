//! Enums of the IPC protocol: versions, framings, byte orders, codecs, kinds of messages and containers.

use std::{ffi::OsStr, fmt, path::Path};

use crate::tables::MessageHeaderTag;

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// The schema, the first message of every stream.
    Schema,
    /// A dictionary, or a delta that adds values to a dictionary.
    DictionaryBatch,
    /// A record batch.
    RecordBatch,
    /// A dense tensor.
    Tensor,
    /// A sparse tensor.
    SparseTensor,
}

impl MessageKind {
    /// The kind of the header with this tag.
    pub fn from_tag(tag: MessageHeaderTag) -> MessageKind {
        match tag {
            MessageHeaderTag::Schema => MessageKind::Schema,
            MessageHeaderTag::DictionaryBatch => MessageKind::DictionaryBatch,
            MessageHeaderTag::RecordBatch => MessageKind::RecordBatch,
            MessageHeaderTag::Tensor => MessageKind::Tensor,
            MessageHeaderTag::SparseTensor => MessageKind::SparseTensor,
        }
    }
}

/// The version of the metadata in messages. Readers support V4 and V5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum MetadataVersion {
    /// Metadata V4, which Arrow 0.8 to 0.17 wrote. Unions have a validity bitmap.
    V4,
    /// Metadata V5, which Arrow has written since 1.0. Unions have no validity bitmap.
    #[default]
    V5,
}

/// The byte order of bodies. Metadata is always little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endianness {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Endianness {
    /// The byte order of this machine.
    pub const NATIVE: Endianness =
        if cfg!(target_endian = "big") { Endianness::Big } else { Endianness::Little };
}

/// The form of the prefix that precedes the metadata of each message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Framing {
    /// A continuation marker, then the length. Used since Arrow 0.15.
    #[default]
    Current,
    /// Only the length, without a continuation marker. Used before Arrow 0.15.
    Legacy,
}

/// A feature in the list `features` of a schema. The format requires readers to support these features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// The number 0 in the format. It has no meaning.
    Unused,
    /// A stream may replace dictionaries.
    DictionaryReplacement,
    /// Bodies may be compressed.
    CompressedBody,
}

/// The codec with which each buffer of a body is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// The LZ4 frame format.
    Lz4Frame,
    /// Zstandard.
    Zstd,
}

impl MessageKind {
    /// The kind with its article, for errors.
    pub(crate) fn as_expected(self) -> &'static str {
        match self {
            MessageKind::Schema => "a schema",
            MessageKind::DictionaryBatch => "a dictionary batch",
            MessageKind::RecordBatch => "a record batch",
            MessageKind::Tensor => "a tensor",
            MessageKind::SparseTensor => "a sparse tensor",
        }
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MessageKind::Schema => "schema",
            MessageKind::DictionaryBatch => "dictionary batch",
            MessageKind::RecordBatch => "record batch",
            MessageKind::Tensor => "tensor",
            MessageKind::SparseTensor => "sparse tensor",
        })
    }
}

impl fmt::Display for MetadataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MetadataVersion::V4 => "V4",
            MetadataVersion::V5 => "V5",
        })
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Unused => "UNUSED",
            Feature::DictionaryReplacement => "DICTIONARY_REPLACEMENT",
            Feature::CompressedBody => "COMPRESSED_BODY",
        })
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Framing::Current => "current",
            Framing::Legacy => "legacy",
        })
    }
}

impl Default for Endianness {
    /// The byte order of this machine.
    fn default() -> Endianness {
        Endianness::NATIVE
    }
}

impl fmt::Display for Endianness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Endianness::Little => "little-endian",
            Endianness::Big => "big-endian",
        })
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Codec::Lz4Frame => "LZ4",
            Codec::Zstd => "ZSTD",
        })
    }
}

/// The magic at the start and at the end of an Arrow file.
pub const FILE_MAGIC: &[u8; 6] = b"ARROW1";

/// A data format, as detected from the first bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// An Arrow IPC stream.
    Stream,
    /// An Arrow IPC file.
    File,
    /// A Feather file of version 1, which is not an Arrow IPC file.
    FeatherV1,
    /// A Parquet file.
    Parquet,
    /// An unknown format.
    #[default]
    Unknown,
}

impl Container {
    /// Detects the format of data from its first bytes. Eight bytes are enough.
    ///
    /// A stream begins with the continuation marker, or before Arrow 0.15 with a plausible length of a schema message.
    /// A stream without messages begins with an end marker.
    ///
    /// ```
    /// use arrow_ipc_format::Container;
    ///
    /// assert_eq!(Container::detect(b"ARROW1\0\0"), Container::File);
    /// assert_eq!(Container::detect(&[0xff; 8]), Container::Stream);
    /// assert_eq!(Container::detect(b"hello, world"), Container::Unknown);
    /// assert_eq!(Container::detect(b"\x1f\x8b\x08\x00"), Container::Unknown);
    /// ```
    pub fn detect(bytes: &[u8]) -> Container {
        const MAX_LEGACY_SCHEMA_BYTES: u32 = 1 << 24;
        match bytes {
            [b'A', b'R', b'R', b'O', rest @ ..] if b"W1".starts_with(rest) || rest.starts_with(b"W1") => {
                Container::File
            }
            [b'F', b'E', b'A', b'1', ..] => Container::FeatherV1,
            [b'P', b'A', b'R', b'1', ..] => Container::Parquet,
            [0xff, 0xff, 0xff, 0xff, ..] => Container::Stream,
            // The magic of gzip. Read as a length of metadata, it would be odd, but such lengths are even.
            [0x1f, 0x8b, ..] => Container::Unknown,
            [a, b, c, d, ..] if u32::from_le_bytes([*a, *b, *c, *d]) <= MAX_LEGACY_SCHEMA_BYTES => {
                Container::Stream
            }
            _ => Container::Unknown,
        }
    }
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Container::Stream => "an Arrow IPC stream",
            Container::File => "an Arrow IPC file",
            Container::FeatherV1 => "a Feather file of version 1",
            Container::Parquet => "a Parquet file",
            Container::Unknown => "no Arrow data",
        })
    }
}

/// The format that a writer writes: stream or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenContainer {
    /// An Arrow IPC stream. Writers write each dictionary before the first batch, since some readers expect this.
    Stream,
    /// An Arrow IPC file. A reader may read batches in any order, so no dictionary may be replaced. A dictionary may be
    /// stored after batches that do not use it.
    File,
}

impl WrittenContainer {
    /// The format that the extension of a file name means, in upper or lower case: `.arrows` is a stream; `.arrow`,
    /// `.feather` and `.ipc` are files. `None` for all other extensions.
    pub fn from_file_name(path: &Path) -> Option<WrittenContainer> {
        let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
        match extension.as_str() {
            "arrows" => Some(WrittenContainer::Stream),
            "arrow" | "feather" | "ipc" => Some(WrittenContainer::File),
            _ => None,
        }
    }

    /// The bytes before the schema message: the magic of a file, padded to eight bytes.
    pub fn start(self) -> &'static [u8] {
        match self {
            WrittenContainer::Stream => b"",
            WrittenContainer::File => b"ARROW1\0\0",
        }
    }

    /// The extension for new file names, without a dot: `arrows` for streams, `arrow` for files.
    pub fn extension(self) -> &'static str {
        match self {
            WrittenContainer::Stream => "arrows",
            WrittenContainer::File => "arrow",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_hold() {
        let cases = [
            ("a.arrows", Some(WrittenContainer::Stream)),
            ("a.arrow", Some(WrittenContainer::File)),
            ("b/a.feather", Some(WrittenContainer::File)),
            ("a.ipc", Some(WrittenContainer::File)),
            ("A.ARROWS", Some(WrittenContainer::Stream)),
            ("a.parquet", None),
            ("arrow", None),
            ("a.arrow/b", None),
        ];
        for (name, expected) in cases {
            assert_eq!(WrittenContainer::from_file_name(Path::new(name)), expected, "{name}");
        }
    }
}
