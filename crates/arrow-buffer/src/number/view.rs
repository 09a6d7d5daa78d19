//! The sixteen bytes of a view, as a number.

use std::fmt;

/// The greatest length in bytes of a value that is stored inside its view.
pub const MAX_INLINE_BYTES: usize = 12;

/// One slot of a binary-view or utf8-view array.
///
/// A view begins with the size of the value. The bytes of a value of up to [`MAX_INLINE_BYTES`] bytes follow, padded
/// with zeros. For a longer value, its first four bytes follow, then the index of a data buffer and the offset in that
/// buffer. Specification: "Variable-size Binary View Layout". The fields of a view may be invalid; [`View::bytes`]
/// checks them.
///
/// ```
/// use arrow_buffer::{Buffer, View};
///
/// let long = b"longer than twelve bytes";
/// let data = [Buffer::copy_from(long)];
/// let views = [View::inline(b"short").unwrap(), View::long(long, 0, 0).unwrap()];
/// assert_eq!(views[0].bytes(&data)?, b"short");
/// assert_eq!(views[1].bytes(&data)?, long);
/// # Ok::<(), arrow_buffer::ViewError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C, align(8))]
pub struct View {
    pub(crate) n_bytes: i32,
    /// The bytes of the value, in memory order. For a long value, the prefix, the index of the data buffer, and the offset.
    pub(crate) rest: [u32; 3],
}

impl View {
    /// Makes a view that contains `bytes`. `None` if there are more than 12 bytes.
    #[inline]
    pub fn inline(bytes: &[u8]) -> Option<View> {
        if bytes.len() > MAX_INLINE_BYTES {
            return None;
        }
        let n_bytes = i32::try_from(bytes.len()).ok()?;
        let rest = padded(bytes).map(u32::to_le_bytes).map(u32::from_ne_bytes);
        Some(View { n_bytes, rest })
    }

    /// Makes a view of `bytes`, which lie in the data buffer `buffer_idx` from `offset` on.
    ///
    /// `None` if there are at most 12 bytes (they belong inside the view) or more than `i32::MAX`, or if the buffer index or
    /// the offset is negative.
    pub fn long(bytes: &[u8], buffer_idx: i32, offset: i32) -> Option<View> {
        let n_bytes = i32::try_from(bytes.len()).ok()?;
        if bytes.len() <= MAX_INLINE_BYTES || buffer_idx < 0 || offset < 0 {
            return None;
        }
        let prefix = bytes.first_chunk::<4>()?;
        Some(View::from_parts(n_bytes, *prefix, buffer_idx, offset))
    }

    /// Makes a view of these four fields without checking them.
    pub const fn from_parts(n_bytes: i32, prefix: [u8; 4], buffer_idx: i32, offset: i32) -> View {
        View { n_bytes, rest: [u32::from_ne_bytes(prefix), buffer_idx as u32, offset as u32] }
    }

    /// The size of the value in bytes. It is not negative if the view is valid.
    #[inline]
    pub const fn n_bytes(&self) -> i32 {
        self.n_bytes
    }

    /// Whether the value lies inside the view.
    #[inline]
    pub const fn is_inline(&self) -> bool {
        0 <= self.n_bytes && self.n_bytes <= MAX_INLINE_BYTES as i32
    }

    /// The bytes of a value that lies inside the view; `None` for a long value or an invalid size.
    #[inline]
    pub fn inline_bytes(&self) -> Option<&[u8]> {
        self.rest().get(..usize::try_from(self.n_bytes).ok()?)
    }

    /// The four bytes after the size: the first bytes of the value.
    #[inline]
    pub const fn prefix(&self) -> [u8; 4] {
        self.rest[0].to_ne_bytes()
    }

    /// The index of the data buffer of the value. The number has no meaning if the value is stored inside the view.
    #[inline]
    pub const fn buffer_idx(&self) -> i32 {
        self.rest[1] as i32
    }

    /// The offset in the data buffer at which the value starts. The number has no meaning if the value is stored inside
    /// the view.
    #[inline]
    pub const fn offset(&self) -> i32 {
        self.rest[2] as i32
    }

    /// The twelve bytes after the size.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8; MAX_INLINE_BYTES] {
        bytemuck::cast_ref(&self.rest)
    }
}

/// At most twelve bytes followed by zeros, as little-endian words. Two overlapping words, one from each end, cover all
/// bytes. Copying a variable number of bytes would call a function, which takes longer.
#[inline]
fn padded(bytes: &[u8]) -> [u32; 3] {
    let n_missing_bits = |n_bytes: usize| (n_bytes - bytes.len()) * 8;
    let tail = bytes.last_chunk::<4>().map_or(0, |tail| u64::from(u32::from_le_bytes(*tail)));
    if let Some(head) = bytes.first_chunk::<8>() {
        let head = u64::from_le_bytes(*head);
        [head as u32, (head >> 32) as u32, (tail >> n_missing_bits(12)) as u32]
    } else if let Some(head) = bytes.first_chunk::<4>() {
        [u32::from_le_bytes(*head), (tail >> n_missing_bits(8)) as u32, 0]
    } else {
        [bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)), 0, 0]
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inline_bytes() {
            Some(bytes) => write!(f, "View(\"{}\")", bytes.escape_ascii()),
            None => {
                let (prefix, idx, offset) = (self.prefix(), self.buffer_idx(), self.offset());
                let prefix = prefix.escape_ascii();
                write!(f, "View({} bytes \"{prefix}…\" in buffer {idx} from {offset} on)", self.n_bytes)
            }
        }
    }
}
