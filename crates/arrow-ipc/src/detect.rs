//! Detects the container by its first bytes.

use std::fmt;

/// The magic at both ends of an Arrow file.
pub(crate) const FILE_MAGIC: &[u8; 6] = b"ARROW1";

/// A kind of data, detected by its first bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// An Arrow IPC stream.
    Stream,
    /// An Arrow IPC file.
    File,
    /// A Feather file of version 1, which is a different format.
    FeatherV1,
    /// A Parquet file.
    Parquet,
    /// An unknown format.
    #[default]
    Unknown,
}

impl Container {
    /// The container that begins with these bytes; eight are enough.
    ///
    /// A stream begins with the continuation marker, or before Arrow 0.15 with a length that a schema could have. It may
    /// also consist of an end marker only.
    ///
    /// ```
    /// use arrow_ipc::Container;
    ///
    /// assert_eq!(Container::detect(b"ARROW1\0\0"), Container::File);
    /// assert_eq!(Container::detect(&[0xff; 8]), Container::Stream);
    /// assert_eq!(Container::detect(b"hello, world"), Container::Unknown);
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
