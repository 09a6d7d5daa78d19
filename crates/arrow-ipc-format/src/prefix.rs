//! The prefix of a message: the bytes before its metadata.

use crate::error::{FormatErrorKind, Result};

/// The first bytes of a message since Arrow 0.15. In legacy framing, messages begin with the length of the metadata.
pub const CONTINUATION: [u8; 4] = [0xff; 4];

/// The length in bytes of a prefix: the marker and the length of the metadata.
pub const PREFIX_BYTES: u64 = 8;

/// The length in bytes of a prefix in legacy framing, which has only the length of the metadata.
pub const LEGACY_PREFIX_BYTES: u64 = 4;

/// The marker after the last message of a stream. In legacy framing, the marker is four zeros.
pub const END_MARKER: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The content of a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// A prefix of `n_prefix_bytes` bytes, followed by metadata of `n_metadata_bytes` bytes.
    Message {
        /// The length of the prefix.
        n_prefix_bytes: u64,
        /// The length of the metadata that follows.
        n_metadata_bytes: u32,
    },
    /// The end marker of a stream. It has `n_prefix_bytes` bytes.
    EndOfStream {
        /// The length of the marker.
        n_prefix_bytes: u64,
    },
}

impl Prefix {
    /// Parses the prefix at the start of these bytes. Returns `None` if there are too few bytes.
    pub fn parse(bytes: &[u8]) -> Result<Option<Prefix>> {
        match (bytes.first_chunk::<4>(), bytes.get(4..).and_then(<[u8]>::first_chunk::<4>)) {
            (Some(&CONTINUATION), Some(length)) => from_length(8, *length).map(Some),
            (Some(&CONTINUATION), None) | (None, _) => Ok(None),
            (Some(length), _) => from_length(4, *length).map(Some),
        }
    }

    /// The bytes of a prefix of 8 or 4 bytes.
    pub fn to_bytes(n_prefix_bytes: u64, n_metadata_bytes: u64) -> Vec<u8> {
        let length = u32::try_from(n_metadata_bytes).unwrap_or(u32::MAX).to_le_bytes();
        match n_prefix_bytes {
            8 => [CONTINUATION, length].concat(),
            _ => length.to_vec(),
        }
    }
}

fn from_length(n_prefix_bytes: u64, length: [u8; 4]) -> Result<Prefix> {
    let found = i32::from_le_bytes(length);
    match u32::try_from(found) {
        Ok(0) => Ok(Prefix::EndOfStream { n_prefix_bytes }),
        Ok(n_metadata_bytes) => Ok(Prefix::Message { n_prefix_bytes, n_metadata_bytes }),
        Err(_) => Err(FormatErrorKind::MetadataLength { found }.into()),
    }
}
