//! Views and the data buffers that they refer to.

pub(crate) mod growing;

use crate::buffer::Buffer;
use crate::number::view::View;

impl View {
    /// The value, after all that the view says of it was checked.
    ///
    /// # Errors
    ///
    /// If something about the view is wrong.
    pub fn bytes<'a>(&'a self, data: &'a [Buffer]) -> Result<&'a [u8], ViewError> {
        let Ok(n_bytes) = usize::try_from(self.n_bytes()) else {
            return Err(ViewError::NegativeSize { n_bytes: self.n_bytes() });
        };
        if let Some((bytes, padding)) = self.rest().split_at_checked(n_bytes) {
            return if padding.iter().all(|&byte| byte == 0) { Ok(bytes) } else { Err(ViewError::Padding) };
        }
        let (buffer_idx, offset) = (self.buffer_idx(), self.offset());
        let buffer = usize::try_from(buffer_idx).ok().and_then(|idx| data.get(idx));
        let Some(buffer) = buffer else {
            return Err(ViewError::BufferIndex { buffer_idx, n_buffers: data.len() });
        };
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| Some(start..start.checked_add(n_bytes)?))
            .and_then(|range| buffer.as_slice().get(range));
        let Some(bytes) = bytes else {
            let n_bytes = self.n_bytes();
            return Err(ViewError::OutOfBuffer { buffer_idx, offset, n_bytes, buffer_len: buffer.len() });
        };
        if bytes.first_chunk() == Some(&self.prefix()) { Ok(bytes) } else { Err(ViewError::Prefix) }
    }
}

/// What is wrong about a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The size is negative.
    #[error("the size of the view is {n_bytes}")]
    NegativeSize {
        /// The size.
        n_bytes: i32,
    },
    /// The padding after a value inside the view is not all zero.
    #[error("the padding of the short value is not zero")]
    Padding,
    /// There is no such data buffer.
    #[error("the view points into data buffer {buffer_idx}, there are {n_buffers}")]
    BufferIndex {
        /// The index in the view.
        buffer_idx: i32,
        /// How many data buffers there are.
        n_buffers: usize,
    },
    /// The value would not lie inside its data buffer.
    #[error(
        "{n_bytes} bytes from byte {offset} on do not lie inside data buffer {buffer_idx} of {buffer_len} bytes"
    )]
    OutOfBuffer {
        /// The index of the data buffer.
        buffer_idx: i32,
        /// Where the value would start.
        offset: i32,
        /// How long it would be.
        n_bytes: i32,
        /// How long the data buffer is.
        buffer_len: usize,
    },
    /// The first four bytes in the view are not those in the data buffer.
    #[error("the prefix in the view differs from the value")]
    Prefix,
    /// The value is not UTF-8.
    #[error("the value is not UTF-8")]
    NotUtf8,
}
