//! Reads the bytes of a frame from start to end.

use crate::error::{FrameError, FrameResult as Result};

/// The part of a frame that has not been read.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameCursor<'a> {
    left: &'a [u8],
}

impl<'a> FrameCursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> FrameCursor<'a> {
        FrameCursor { left: bytes }
    }

    /// Reads the next `n_bytes` bytes.
    pub(super) fn take(&mut self, n_bytes: usize) -> Result<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(n_bytes).ok_or(FrameError::Truncated)?;
        self.left = left;
        Ok(taken)
    }

    /// Reads the next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, left) = self.left.split_first_chunk::<N>().ok_or(FrameError::Truncated)?;
        self.left = left;
        Ok(*taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Checks that no bytes follow.
    pub(super) fn end(self) -> Result<()> {
        match self.left.len() as u64 {
            0 => Ok(()),
            n_bytes => Err(FrameError::TrailingBytes { n_bytes }),
        }
    }

    /// The bytes that have not been read.
    #[cfg(feature = "lz4")]
    pub(super) fn rest(self) -> &'a [u8] {
        self.left
    }

    #[cfg(any(feature = "lz4", feature = "zstd-pure"))]
    pub(super) fn n_left(self) -> usize {
        self.left.len()
    }
}
