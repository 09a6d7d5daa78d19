//! Logical operations on bitmaps, which process a word at a time.

use std::fmt;

use crate::bitmap::Bitmap;
use crate::buffer::mutable::BufferMut;

impl Bitmap {
    /// The bits that are set in both bitmaps.
    ///
    /// # Errors
    ///
    /// If the bitmaps differ in length.
    ///
    /// ```
    /// use arrow_buffer::Bitmap;
    ///
    /// let odd = Bitmap::from_iter([false, true, false, true]);
    /// let late = Bitmap::from_iter([false, false, true, true]);
    /// assert_eq!(odd.and(&late)?, Bitmap::from_iter([false, false, false, true]));
    /// assert_eq!(odd.and_not(&late)?, Bitmap::from_iter([false, true, false, false]));
    /// assert_eq!(odd.or(&late)?.count_set(), 3);
    /// assert!(odd.and(&late.slice(0, 3)).is_err());
    /// # Ok::<(), arrow_buffer::BitmapLengthError>(())
    /// ```
    pub fn and(&self, other: &Bitmap) -> Result<Bitmap, BitmapLengthError> {
        self.join(other, |left, right| left & right)
    }

    /// The bits that are set in at least one of the two bitmaps.
    ///
    /// # Errors
    ///
    /// If the bitmaps differ in length.
    pub fn or(&self, other: &Bitmap) -> Result<Bitmap, BitmapLengthError> {
        self.join(other, |left, right| left | right)
    }

    /// The bits that are set in exactly one of the two bitmaps.
    ///
    /// # Errors
    ///
    /// If the bitmaps differ in length.
    pub fn xor(&self, other: &Bitmap) -> Result<Bitmap, BitmapLengthError> {
        self.join(other, |left, right| left ^ right)
    }

    /// The bits that are set in this bitmap and not in `other`.
    ///
    /// # Errors
    ///
    /// If the bitmaps differ in length.
    pub fn and_not(&self, other: &Bitmap) -> Result<Bitmap, BitmapLengthError> {
        self.join(other, |left, right| left & !right)
    }

    /// A bitmap of the same length in which each bit is inverted.
    pub fn not(&self) -> Bitmap {
        Bitmap::from_words(self.words().map(|word| !word), self.len)
    }

    #[inline]
    fn join(&self, other: &Bitmap, join: impl Fn(u64, u64) -> u64) -> Result<Bitmap, BitmapLengthError> {
        if self.len != other.len {
            return Err(BitmapLengthError { left: self.len, right: other.len });
        }
        let words = self.words().zip(other.words()).map(|(left, right)| join(left, right));
        Ok(Bitmap::from_words(words, self.len))
    }

    /// Makes a bitmap of the first `n_bits` bits of words, from the lowest bit of the first word on. If there are too
    /// few words, the remaining bits are not set.
    ///
    /// ```
    /// use arrow_buffer::Bitmap;
    ///
    /// assert_eq!(Bitmap::from_words([0b101].into_iter(), 4), Bitmap::from_iter([true, false, true, false]));
    /// ```
    #[inline]
    pub fn from_words(words: impl Iterator<Item = u64>, n_bits: usize) -> Bitmap {
        let mut bytes = BufferMut::new();
        bytes.extend_zeros(n_bits.div_ceil(8));
        let (whole, last) = bytes.as_mut_slice().as_chunks_mut::<8>();
        let mut whole = whole.iter_mut();
        for word in words.take(n_bits.div_ceil(64)) {
            match whole.next() {
                Some(chunk) => *chunk = word.to_le_bytes(),
                None => last.copy_from_slice(&word.to_le_bytes()[..last.len()]),
            }
        }
        if let (Some(last), used @ 1..) = (bytes.as_mut_slice().last_mut(), n_bits % 8) {
            *last &= super::low_bits(used) as u8;
        }
        Bitmap { buffer: bytes.freeze(), bit_offset: 0, len: n_bits }
    }
}

/// The error for two bitmaps that differ in length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BitmapLengthError {
    /// The length of the first bitmap.
    pub left: usize,
    /// The length of the second bitmap.
    pub right: usize,
}

arrow_error::debug_as_display!(BitmapLengthError);

impl fmt::Display for BitmapLengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BitmapLengthError { left, right } = self;
        write!(f, "the bitmaps have {left} and {right} bits; both need the same number")
    }
}

impl std::error::Error for BitmapLengthError {}
