//! Builds bitmaps bit by bit.

use crate::bitmap::{Bitmap, iter::low_bits};
use crate::budget::{BudgetError, MemoryBudget};
use crate::buffer::mutable::BufferMut;

/// Collects bits into a [`Bitmap`].
///
/// ```
/// use arrow_buffer::BitmapBuilder;
///
/// let mut validity = BitmapBuilder::new();
/// validity.extend_constant(true, 100);
/// validity.push(false);
/// assert_eq!(validity.finish().count_unset(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct BitmapBuilder {
    /// The bytes of all full words.
    bytes: BufferMut,
    /// The bits after the full words: fewer than 64.
    word: u64,
    len: usize,
    n_unset: usize,
}

impl BitmapBuilder {
    /// Makes a builder without bits.
    pub const fn new() -> BitmapBuilder {
        BitmapBuilder { bytes: BufferMut::new(), word: 0, len: 0, n_unset: 0 }
    }

    /// Makes a builder without bits, with a capacity for `n_bits`.
    ///
    /// # Panics
    ///
    /// If the allocation fails, as `Vec` does.
    pub fn with_capacity(n_bits: usize) -> BitmapBuilder {
        let bytes = BufferMut::with_capacity(n_bits.div_ceil(64).saturating_mul(8));
        BitmapBuilder { bytes, ..BitmapBuilder::new() }
    }

    /// Like [`with_capacity`](BitmapBuilder::with_capacity), but the memory is charged to a budget. Without a budget,
    /// only the system can refuse the memory.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_with_capacity_in(
        n_bits: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BitmapBuilder, BudgetError> {
        let n_bytes = n_bits.div_ceil(64).saturating_mul(8);
        let bytes = BufferMut::try_with_capacity_in(n_bytes, budget)?;
        Ok(BitmapBuilder { bytes, ..BitmapBuilder::new() })
    }

    /// Reserves capacity for `n_bits` more bits.
    pub fn reserve(&mut self, n_bits: usize) {
        self.bytes.reserve(n_bits.div_ceil(64).saturating_mul(8));
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

    /// The bit at position `bit_idx`; `false` if out of bounds.
    #[inline]
    pub fn get(&self, bit_idx: usize) -> bool {
        let word = if bit_idx / 64 == self.len / 64 { self.word } else { self.word_at(bit_idx / 64) };
        bit_idx < self.len && word >> (bit_idx % 64) & 1 == 1
    }

    /// Removes all bits after the first `n_bits`. Does nothing if there are at most `n_bits` bits.
    pub fn truncate(&mut self, n_bits: usize) {
        if n_bits >= self.len {
            return;
        }
        let word_idx = n_bits / 64;
        let n_remaining = n_bits % 64;
        // The bits after the last bit must stay zero.
        let n_unset_of = |word: u64, n_bits: usize| n_bits - word.count_ones() as usize;
        let is_last = |idx: usize| idx == self.len / 64;
        let word_at = |idx: usize| if is_last(idx) { self.word } else { self.word_at(idx) };
        let bits_in = |idx: usize| if is_last(idx) { self.len % 64 } else { 64 };
        let removed = (word_idx..self.len.div_ceil(64)).map(|idx| n_unset_of(word_at(idx), bits_in(idx)));
        let word = word_at(word_idx) & low_bits(n_remaining);
        self.n_unset -= removed.sum::<usize>() - n_unset_of(word, n_remaining);
        self.bytes.truncate(word_idx * 8);
        self.word = word;
        self.len = n_bits;
    }

    /// The full word at an index; zero if out of bounds.
    fn word_at(&self, word_idx: usize) -> u64 {
        let bytes = self.bytes.as_slice().get(word_idx * 8..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Appends one bit.
    #[inline]
    pub fn push(&mut self, bit: bool) {
        self.word |= u64::from(bit) << (self.len % 64);
        self.n_unset += usize::from(!bit);
        self.len += 1;
        if self.len.is_multiple_of(64) {
            self.flush();
        }
    }

    /// Appends the same bit `n_bits` times.
    pub fn extend_constant(&mut self, bit: bool, n_bits: usize) {
        let word = if bit { u64::MAX } else { 0 };
        self.n_unset += if bit { 0 } else { n_bits };
        let used = self.len % 64;
        let n_first = n_bits.min(64 - used);
        let first = if n_first == 64 { word } else { word & low_bits(n_first) };
        self.word |= first << used;
        self.len += n_first;
        if used + n_first == 64 {
            self.flush();
        }
        let n_words = (n_bits - n_first) / 64;
        let n_last = (n_bits - n_first) % 64;
        self.bytes.resize(self.bytes.len() + n_words * 8, word as u8);
        self.word |= word & low_bits(n_last);
        self.len += n_words * 64 + n_last;
    }

    /// Appends all bits of a bitmap.
    pub fn extend_from_bitmap(&mut self, bits: &Bitmap) {
        self.n_unset += bits.count_unset();
        let mut n_left = bits.len();
        for word in bits.words() {
            let n_bits = n_left.min(64);
            let used = self.len % 64;
            self.word |= word << used;
            self.len += n_bits;
            if used + n_bits >= 64 {
                self.flush();
                self.word = if used == 0 { 0 } else { word >> (64 - used) };
            }
            n_left -= n_bits;
        }
    }

    /// Makes a bitmap of all bits.
    pub fn finish(mut self) -> Bitmap {
        let n_last = (self.len % 64).div_ceil(8);
        self.bytes.extend_from_slice(&self.word.to_le_bytes()[..n_last]);
        let Ok(bitmap) = Bitmap::try_new(self.bytes.freeze(), 0, self.len) else {
            unreachable!("a byte was written for every eight bits")
        };
        bitmap
    }

    /// Makes a validity bitmap; `None` if all bits are set, since an array without nulls needs no bitmap.
    pub fn finish_with_nulls(self) -> Option<Bitmap> {
        (self.n_unset > 0).then(|| self.finish())
    }

    // This is a function of its own, since only one of 64 calls needs it.
    #[inline(never)]
    fn flush(&mut self) {
        self.bytes.push(self.word.to_le());
        self.word = 0;
    }
}

impl Extend<bool> for BitmapBuilder {
    fn extend<I: IntoIterator<Item = bool>>(&mut self, bits: I) {
        bits.into_iter().for_each(|bit| self.push(bit));
    }
}

impl From<Vec<bool>> for Bitmap {
    /// A bitmap with a bit for each value.
    ///
    /// ```
    /// use arrow_buffer::Bitmap;
    ///
    /// let bitmap = Bitmap::from(vec![true, false, true]);
    /// assert_eq!(bitmap, Bitmap::from([true, false, true]));
    /// assert_eq!(Vec::from_iter(bitmap), [true, false, true]);
    /// ```
    fn from(bits: Vec<bool>) -> Bitmap {
        bits.into_iter().collect()
    }
}

impl From<&[bool]> for Bitmap {
    /// A bitmap with a bit for each value.
    fn from(bits: &[bool]) -> Bitmap {
        bits.iter().copied().collect()
    }
}

impl<const N: usize> From<[bool; N]> for Bitmap {
    /// A bitmap with a bit for each value.
    fn from(bits: [bool; N]) -> Bitmap {
        bits.into_iter().collect()
    }
}

impl FromIterator<bool> for Bitmap {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Bitmap {
        let bits = bits.into_iter();
        let mut builder = BitmapBuilder::with_capacity(bits.size_hint().0);
        bits.for_each(|bit| builder.push(bit));
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitmaps_have_the_bits_that_they_are_made_of() {
        for n_bits in [0, 1, 7, 8, 9, 64, 65, 200] {
            let bits: Vec<bool> = (0..n_bits).map(|bit| bit % 3 == 0).collect();
            assert_eq!(Vec::from_iter(Bitmap::from(&bits[..])), bits);
            let bitmap = Bitmap::from(bits.clone());
            assert!(bitmap.into_iter().rev().eq(bits.into_iter().rev()));
        }
    }
}
