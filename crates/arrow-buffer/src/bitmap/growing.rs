//! Bits that grow while other code reads snapshots.

use crate::bitmap::Bitmap;
use crate::bitmap::builder::BitmapBuilder;
use crate::buffer::growing::GrowingBuffer;

/// A bitmap that can grow. [`snapshot`](GrowingBitmap::snapshot) returns a [`Bitmap`] at any time without a copy.
///
/// Works like [`GrowingBuffer`], except for the last byte: if a snapshot still refers to that byte, and an append
/// changes its unused bits, all bytes are copied. Unused bits are stored as set bits. So appending set bits, which most
/// validity bits are, changes no shared byte and copies nothing.
///
/// ```
/// use arrow_buffer::{Bitmap, GrowingBitmap};
///
/// let mut bits = GrowingBitmap::new();
/// bits.extend_constant(true, 3);
/// let before = bits.snapshot();
/// assert_eq!(bits.extend_from_bitmap(&Bitmap::from_iter([true, true])), 0);
/// assert_eq!((before.len(), bits.snapshot().count_set()), (3, 5));
/// ```
#[derive(Debug, Clone, Default)]
pub struct GrowingBitmap {
    /// The bytes that contain the bits, and no other bytes. In the last byte, the bits after the last bit are set.
    bytes: GrowingBuffer,
    len: usize,
    n_unset: usize,
}

impl GrowingBitmap {
    /// Makes an empty bitmap.
    pub const fn new() -> GrowingBitmap {
        GrowingBitmap { bytes: GrowingBuffer::new(), len: 0, n_unset: 0 }
    }

    /// The number of bits so far.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of bits that are not set.
    pub const fn n_unset(&self) -> usize {
        self.n_unset
    }

    /// Appends all bits of a bitmap. Returns how many existing bytes had to be copied.
    pub fn extend_from_bitmap(&mut self, bits: &Bitmap) -> usize {
        self.extend(bits.len(), |builder| builder.extend_from_bitmap(bits))
    }

    /// Appends the same bit `n_bits` times. Returns how many existing bytes had to be copied.
    pub fn extend_constant(&mut self, bit: bool, n_bits: usize) -> usize {
        self.extend(n_bits, |builder| builder.extend_constant(bit, n_bits))
    }

    /// All bits so far. Nothing is copied. The bits of the snapshot never change.
    pub fn snapshot(&self) -> Bitmap {
        let Ok(bitmap) = Bitmap::try_new(self.bytes.snapshot(), 0, self.len) else {
            unreachable!("there is a byte for every eight bits")
        };
        bitmap
    }

    fn extend(&mut self, n_bits: usize, append: impl FnOnce(&mut BitmapBuilder)) -> usize {
        if n_bits == 0 {
            return 0;
        }
        // If the last byte is not full, writing starts with it; otherwise after it.
        let n_used = self.len % 8;
        let last = if n_used == 0 { None } else { self.bytes.last().copied() };
        let mut builder = BitmapBuilder::with_capacity(n_used + n_bits);
        (0..n_used).for_each(|bit| builder.push(last.unwrap_or(0) >> bit & 1 == 1));
        let n_unset = builder.n_unset();
        append(&mut builder);
        self.n_unset += builder.n_unset() - n_unset;
        let n_free = (n_used + n_bits).next_multiple_of(8) - (n_used + n_bits);
        builder.extend_constant(true, n_free);
        let bits = builder.finish();
        let mut bytes = bits.buffer().as_slice();
        let mut n_copied = 0;
        if let (Some(last), Some((first, rest))) = (last, bytes.split_first()) {
            if last == *first {
                bytes = rest;
            } else {
                n_copied = self.bytes.truncate(self.bytes.len() - 1);
            }
        }
        self.bytes.extend_from_slice(bytes);
        self.len += n_bits;
        n_copied
    }
}
