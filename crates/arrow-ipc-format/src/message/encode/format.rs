//! What all messages of a stream share, and how metadata is framed: prefix, flatbuffer, padding. See "Encapsulated
//! message format" in the specification.

use crate::tables as fb;
use arrow_buffer::BufferMut;

use crate::{
    alignment::Alignment,
    error::Result,
    flatbuffer::put,
    limits::Limits,
    prefix::{CONTINUATION, END_MARKER, LEGACY_PREFIX_BYTES, PREFIX_BYTES},
    protocol::{Codec, Framing, MetadataVersion},
};

/// The properties that all messages of a stream share.
#[derive(Debug, Clone, Copy, Default)]
pub struct MessageFormat {
    /// The metadata version.
    pub version: MetadataVersion,
    /// The form of the prefix.
    pub framing: Framing,
    /// The codec of the bodies.
    pub codec: Option<Codec>,
    /// The alignment of messages and bodies.
    pub alignment: Alignment,
}

/// The lengths of framed metadata.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameLengths {
    framing: Framing,
    /// The length of prefix, flatbuffer and padding.
    pub(super) n_bytes: usize,
    /// The length in the prefix: flatbuffer and padding.
    length: i32,
}

impl MessageFormat {
    /// The end marker.
    pub fn end_of_stream(self) -> &'static [u8] {
        match self.framing {
            Framing::Current => &END_MARKER,
            Framing::Legacy => &[0; 4],
        }
    }

    /// Appends a prefix, the bytes that `write` appends, and padding. `position` is the position of the message in the
    /// output. Returns the length of all three.
    pub(super) fn frame(
        self,
        to: &mut BufferMut,
        position: u64,
        write: impl FnOnce(&mut BufferMut),
    ) -> Result<u64> {
        let start = to.len();
        let n_prefix_bytes = self.n_prefix_bytes();
        to.extend_zeros(n_prefix_bytes);
        write(to);
        let n_written = to.len() - start;
        let lengths = self.framed(position, n_written - n_prefix_bytes)?;
        to.extend_zeros(lengths.n_bytes - n_written);
        lengths.put_prefix(&mut to.as_mut_slice()[start..]);
        Ok(lengths.n_bytes as u64)
    }

    /// The lengths of the framed metadata of a message at `position`, with a flatbuffer of `n_flatbuffer_bytes` bytes.
    ///
    /// # Errors
    /// If the metadata is longer than readers accept by default.
    #[inline]
    pub(super) fn framed(self, position: u64, n_flatbuffer_bytes: usize) -> Result<FrameLengths> {
        let n_prefix_bytes = self.n_prefix_bytes();
        let n_written = n_flatbuffer_bytes as u64 + n_prefix_bytes as u64;
        let alignment = self.alignment.n_bytes();
        // The alignment is a power of two.
        let n_padding = position.wrapping_add(n_written).wrapping_neg() & (alignment - 1);
        let n_bytes = n_written.saturating_add(n_padding);
        let length = n_bytes - n_prefix_bytes as u64;
        // Readers accept no more by default.
        Limits::check("bytes of metadata", length, Limits::DEFAULT_METADATA_BYTES)?;
        let length = Limits::fit("bytes of metadata", length, Limits::MAX_I32)?;
        // The number fits: it is at most 256 MiB plus the prefix.
        Ok(FrameLengths { framing: self.framing, n_bytes: n_bytes as usize, length })
    }

    fn n_prefix_bytes(self) -> usize {
        match self.framing {
            Framing::Current => PREFIX_BYTES as usize,
            Framing::Legacy => LEGACY_PREFIX_BYTES as usize,
        }
    }
}

impl FrameLengths {
    /// Writes the prefix: the marker, unless the framing is legacy, and the length. Returns the rest of `to`.
    #[inline]
    pub(super) fn put_prefix(self, to: &mut [u8]) -> &mut [u8] {
        let length = self.length.to_le_bytes();
        match self.framing {
            Framing::Current => {
                let (prefix, rest) = to.split_at_mut(8);
                put(prefix, 0, CONTINUATION);
                put(prefix, 4, length);
                rest
            }
            Framing::Legacy => {
                let (prefix, rest) = to.split_at_mut(4);
                put(prefix, 0, length);
                rest
            }
        }
    }
}

/// The version as the bindings name it.
pub fn wire_version(version: MetadataVersion) -> fb::MetadataVersion {
    match version {
        MetadataVersion::V4 => fb::MetadataVersion::V4,
        MetadataVersion::V5 => fb::MetadataVersion::V5,
    }
}

pub(super) fn wire_codec(codec: Codec) -> fb::CompressionType {
    match codec {
        Codec::Lz4Frame => fb::CompressionType::Lz4Frame,
        Codec::Zstd => fb::CompressionType::Zstd,
    }
}
