//! Reads the values of views from their data buffers. `GrowingViews` appends views while other code reads snapshots.

use std::fmt;
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::buffer::growing::GrowingBuffer;
use crate::number::view::View;

impl View {
    /// The bytes of the value, from the view itself or from its data buffer. All fields of the view are checked first.
    ///
    /// # Errors
    ///
    /// If the view is invalid.
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

/// The reason why a view is invalid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ViewError {
    /// The view has a negative size.
    NegativeSize {
        /// The size that the view states.
        n_bytes: i32,
    },
    /// The padding after a value inside the view is not all zero.
    Padding,
    /// There is no data buffer with this index.
    BufferIndex {
        /// The index that the view states.
        buffer_idx: i32,
        /// The number of data buffers.
        n_buffers: usize,
    },
    /// The value does not lie inside its data buffer.
    OutOfBuffer {
        /// The index of the data buffer.
        buffer_idx: i32,
        /// The offset in the data buffer at which the value starts.
        offset: i32,
        /// The length of the value in bytes.
        n_bytes: i32,
        /// The length of the data buffer in bytes.
        buffer_len: usize,
    },
    /// The first four bytes in the view are not those in the data buffer.
    Prefix,
    /// The value is not UTF-8.
    NotUtf8,
    /// There are more data buffers than views can refer to.
    TooManyBuffers {
        /// The number of data buffers so far.
        n_buffers: usize,
    },
}

arrow_error::debug_as_display!(ViewError);

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::NegativeSize { n_bytes } => {
                write!(f, "the length of the view is {n_bytes}, which is negative")
            }
            ViewError::Padding => f.write_str("the padding of the short value is not zero"),
            ViewError::BufferIndex { buffer_idx, n_buffers } => write!(
                f,
                "data buffer {buffer_idx} is out of bounds; the number of data buffers is {n_buffers}"
            ),
            ViewError::OutOfBuffer { buffer_idx, offset, n_bytes, buffer_len } => write!(
                f,
                "{n_bytes} bytes at offset {offset} are out of bounds of data buffer {buffer_idx}, which has {buffer_len} bytes"
            ),
            ViewError::Prefix => f.write_str("the prefix in the view differs from the value"),
            ViewError::NotUtf8 => f.write_str("the value is not UTF-8"),
            ViewError::TooManyBuffers { n_buffers } => {
                write!(f, "there are {n_buffers} data buffers; views cannot refer to more than 2147483648")
            }
        }
    }
}

impl std::error::Error for ViewError {}

/// Views that can grow, with their data buffers. A snapshot copies nothing.
///
/// Small data buffers are joined into few large ones, so that the cost of a snapshot does not grow with the number of
/// calls. Only the buffer index of a view is checked; valid views stay valid.
///
/// ```
/// use arrow_buffer::{Buffer, GrowingViews, View};
///
/// let text = b"longer than twelve bytes";
/// let data = [Buffer::copy_from(text)];
/// let mut views = GrowingViews::new();
/// views.extend([View::long(text, 0, 0).unwrap()], &data).unwrap();
/// views.extend([View::long(&text[2..], 0, 2).unwrap()], &data).unwrap();
/// let (views, data) = (views.views(), views.data().unwrap());
/// assert_eq!((views.view::<View>()?[1].bytes(&data), data.len()), (Ok(&text[2..]), 1));
/// # Ok::<(), arrow_buffer::MisalignedError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GrowingViews {
    /// The views, as numbers of type `View`.
    views: GrowingBuffer,
    /// The data buffers before the last one, to which nothing is appended any more.
    full: Vec<Buffer>,
    /// The last data buffer, to which bytes can still be appended.
    open: GrowingBuffer,
}

/// The largest number of bytes in a joined data buffer, since offsets of views have 32 bits.
const MAX_DATA_BYTES: usize = i32::MAX as usize;

impl GrowingViews {
    /// Makes an empty list of views.
    pub const fn new() -> GrowingViews {
        GrowingViews { views: GrowingBuffer::new(), full: Vec::new(), open: GrowingBuffer::new() }
    }

    /// Appends views, and the data buffers `data` to which they refer. The bytes of large buffers are shared, other
    /// bytes are copied.
    ///
    /// # Errors
    ///
    /// If a view refers to a buffer that `data` does not have, or if its offset would exceed 2³¹ − 1. If there would be
    /// more than 2³¹ data buffers. The error contains the index of the view (0 for too many buffers). Nothing is
    /// appended.
    pub fn extend(
        &mut self,
        views: impl IntoIterator<Item = View>,
        data: &[Buffer],
    ) -> Result<(), (usize, ViewError)> {
        let positions = self.positions_of(data).map_err(|kind| (0, kind))?;
        let moved = views.into_iter().enumerate().map(|(idx, view)| {
            if view.is_inline() {
                return Ok(view);
            }
            let position = usize::try_from(view.buffer_idx()).ok().and_then(|idx| positions.get(idx));
            let Some(&(buffer_idx, start)) = position else {
                let (buffer_idx, n_buffers) = (view.buffer_idx(), data.len());
                return Err((idx, ViewError::BufferIndex { buffer_idx, n_buffers }));
            };
            let out_of_bounds = || {
                let buffer = usize::try_from(view.buffer_idx()).ok().and_then(|idx| data.get(idx));
                let buffer_idx = view.buffer_idx();
                let buffer_len = buffer.map_or(0, Buffer::len);
                let (offset, n_bytes) = (view.offset(), view.n_bytes());
                (idx, ViewError::OutOfBuffer { buffer_idx, offset, n_bytes, buffer_len })
            };
            let offset = view.offset().checked_add(start).ok_or_else(out_of_bounds)?;
            Ok(View::from_parts(view.n_bytes(), view.prefix(), buffer_idx, offset))
        });
        let moved = moved.collect::<Result<Vec<View>, _>>()?;
        for (buffer, (buffer_idx, _)) in data.iter().zip(&positions) {
            self.add_data(buffer, *buffer_idx);
        }
        self.views.extend_values(&moved);
        Ok(())
    }

    /// All views so far, as bytes. Nothing is copied. The views of the snapshot never change.
    pub fn views(&self) -> Buffer {
        self.views.snapshot()
    }

    /// The data buffers so far. `None` if there are none.
    pub fn data(&self) -> Option<Arc<[Buffer]>> {
        let open = (!self.open.is_empty()).then(|| self.open.snapshot());
        let data: Vec<Buffer> = self.full.iter().cloned().chain(open).collect();
        (!data.is_empty()).then(|| Arc::from(data))
    }

    /// For each of the data buffers, the index of the buffer to which `add_data` will add its bytes, and their offset in it.
    fn positions_of(&self, data: &[Buffer]) -> Result<Vec<(i32, i32)>, ViewError> {
        let (mut n_full, mut n_open_bytes) = (self.full.len(), self.open.len());
        let positions = data.iter().map(|bytes| {
            if bytes.len() > MAX_DATA_BYTES - n_open_bytes && n_open_bytes > 0 {
                (n_full, n_open_bytes) = (n_full + 1, 0);
            }
            let buffer_idx = next_buffer_idx(n_full)?;
            let start = i32::try_from(n_open_bytes).expect("as many bytes as offsets reach were let in");
            if bytes.len() > MAX_DATA_BYTES {
                n_full += 1;
            } else {
                n_open_bytes += bytes.len();
            }
            Ok((buffer_idx, start))
        });
        positions.collect()
    }

    /// Adds bytes to the data, in the buffer with the index that `positions_of` has returned.
    fn add_data(&mut self, bytes: &Buffer, buffer_idx: i32) {
        if usize::try_from(buffer_idx).is_ok_and(|buffer_idx| buffer_idx > self.full.len()) {
            self.full.push(std::mem::take(&mut self.open).snapshot());
        }
        if bytes.len() > MAX_DATA_BYTES {
            self.full.push(bytes.clone());
        } else {
            self.open.extend_from_slice(bytes);
        }
    }
}

/// The index of the data buffer after `n_buffers` other buffers. Shared buffers take only a few bytes each, so their
/// number can exceed the largest index.
fn next_buffer_idx(n_buffers: usize) -> Result<i32, ViewError> {
    i32::try_from(n_buffers).map_err(|_| ViewError::TooManyBuffers { n_buffers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_refer_to_no_more_buffers_than_an_index_can_count() {
        let largest = MAX_DATA_BYTES;
        assert_eq!((next_buffer_idx(0), next_buffer_idx(largest)), (Ok(0), Ok(i32::MAX)));
        for n_buffers in [largest + 1, usize::MAX] {
            assert_eq!(next_buffer_idx(n_buffers), Err(ViewError::TooManyBuffers { n_buffers }));
        }
    }
}
