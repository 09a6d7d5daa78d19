//! Memory that JavaScript fills.

use arrow_buffer::{Buffer, BufferMut};

use crate::failure::{Class, Failure, Result};

/// Bytes that JavaScript writes.
pub(crate) struct Input {
    /// Begins with unused bytes, so that the others have the alignment that they have in their file.
    bytes: BufferMut,
    start: usize,
}

impl Input {
    /// Memory for `n_bytes`, the first of which has the position `position` in its file.
    pub(crate) fn try_new(n_bytes: usize, position: u64) -> Result<Input> {
        // Less than 64.
        let start = (position % 64) as usize;
        let needed = n_bytes.saturating_add(start);
        let refused = || Failure { text: format!("no memory for {n_bytes} bytes"), class: Class::Input };
        let mut bytes = BufferMut::try_with_capacity(needed).ok_or_else(refused)?;
        bytes.try_extend_zeros(needed)?;
        Ok(Input { bytes, start })
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        self.bytes.as_slice().get(self.start..).unwrap_or_default()
    }

    /// Shares the memory.
    pub(crate) fn into_buffer(self) -> Buffer {
        let Input { bytes, start } = self;
        let bytes = bytes.freeze();
        bytes.slice(start.min(bytes.len())..)
    }
}
