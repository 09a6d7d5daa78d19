//! Iterates over bits one by one, over words of bits, and over the positions and ranges of set bits.

use std::iter::FusedIterator;
use std::ops::Range;

use super::Bitmap;

/// The bits of a bitmap, one after the other.
#[derive(Clone, Debug)]
pub struct BitmapIter<'a> {
    bytes: &'a [u8],
    /// The bits from `next` to `end` are left. Both count from the first bit of `bytes`.
    next: usize,
    end: usize,
}

impl<'a> BitmapIter<'a> {
    pub(super) fn new(bytes: &'a [u8], bit_offset: usize, n_bits: usize) -> BitmapIter<'a> {
        BitmapIter { bytes, next: bit_offset, end: bit_offset + n_bits }
    }

    fn bit(&self, at: usize) -> Option<bool> {
        self.bytes.get(at / 8).map(|byte| byte >> (at % 8) & 1 == 1)
    }
}

impl Iterator for BitmapIter<'_> {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        if self.next >= self.end {
            return None;
        }
        let bit = self.bit(self.next);
        self.next += 1;
        bit
    }

    fn nth(&mut self, n: usize) -> Option<bool> {
        self.next = self.next.saturating_add(n).min(self.end);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = self.end - self.next;
        (n_left, Some(n_left))
    }
}

impl DoubleEndedIterator for BitmapIter<'_> {
    fn next_back(&mut self) -> Option<bool> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        self.bit(self.end)
    }
}

impl ExactSizeIterator for BitmapIter<'_> {}

/// The bits of a bitmap, one after the other, with the memory that they are in.
#[derive(Clone, Debug)]
pub struct BitmapIntoIter {
    pub(super) bitmap: Bitmap,
    pub(super) bits: Range<usize>,
}

impl Iterator for BitmapIntoIter {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        self.bits.next().and_then(|bit| self.bitmap.get(bit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.bits.size_hint()
    }
}

impl DoubleEndedIterator for BitmapIntoIter {
    #[inline]
    fn next_back(&mut self) -> Option<bool> {
        self.bits.next_back().and_then(|bit| self.bitmap.get(bit))
    }
}

impl ExactSizeIterator for BitmapIntoIter {}
impl FusedIterator for BitmapIntoIter {}
impl FusedIterator for BitmapIter<'_> {}

/// The bits of a bitmap in words of 64 bits. The first bit is the lowest bit of a word. Unused bits of the last word
/// are zero.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    /// The bytes of the remaining bits.
    bytes: &'a [u8],
    /// The position of a word's first bit within the byte that contains this bit. It is the same for all words.
    shift: u32,
    n_bits: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8], bit_offset: usize, n_bits: usize) -> Words<'a> {
        let first = bit_offset / 8;
        let shift = bit_offset % 8;
        let bytes = &bytes[first.min(bytes.len())..];
        let n_bytes = n_bits.div_ceil(8) + usize::from(shift + (n_bits + 7) % 8 >= 8 && n_bits > 0);
        Words { bytes: &bytes[..n_bytes.min(bytes.len())], shift: shift as u32, n_bits }
    }

    #[inline]
    fn whole(&mut self) -> Option<u64> {
        let (word, rest) = self.bytes.split_first_chunk::<8>()?;
        let word = u64::from_le_bytes(*word);
        self.bytes = rest;
        self.n_bits -= 64;
        if self.shift == 0 {
            return Some(word);
        }
        let above = rest.first().copied().map_or(0, u64::from);
        Some(word >> self.shift | above << (64 - self.shift))
    }

    /// The last word, which has less than 64 bits.
    #[cold]
    fn partial(&mut self) -> Option<u64> {
        if self.n_bits == 0 {
            return None;
        }
        let mut bytes = [0; 16];
        bytes[..self.bytes.len()].copy_from_slice(self.bytes);
        let word = (u128::from_le_bytes(bytes) >> self.shift) as u64 & low_bits(self.n_bits);
        self.n_bits = 0;
        Some(word)
    }
}

impl Iterator for Words<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.n_bits >= 64 { self.whole() } else { self.partial() }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_words = self.n_bits.div_ceil(64);
        (n_words, Some(n_words))
    }

    /// Folds all whole words without checking each time how many are left.
    fn fold<B, F: FnMut(B, u64) -> B>(mut self, start: B, mut step: F) -> B {
        let n_whole = self.n_bits / 64;
        let mut result = start;
        let (chunks, _) = self.bytes.as_chunks::<8>();
        if self.shift == 0 {
            for word in &chunks[..n_whole] {
                result = step(result, u64::from_le_bytes(*word));
            }
        } else {
            let above = self.bytes.iter().skip(8).step_by(8);
            for (word, &above) in chunks[..n_whole].iter().zip(above) {
                let word = u64::from_le_bytes(*word) >> self.shift;
                result = step(result, word | u64::from(above) << (64 - self.shift));
            }
        }
        self.bytes = &self.bytes[n_whole * 8..];
        self.n_bits %= 64;
        match self.partial() {
            Some(last) => step(result, last),
            None => result,
        }
    }
}

impl ExactSizeIterator for Words<'_> {}
impl FusedIterator for Words<'_> {}

/// The positions of the bits that are set, ascending.
#[derive(Clone, Debug)]
pub struct SetBits<'a> {
    words: Words<'a>,
    /// The remaining bits of the current word.
    word: u64,
    /// The position of the lowest bit of the current word.
    base: usize,
    /// The position of the lowest bit of the next word.
    next_base: usize,
}

impl<'a> SetBits<'a> {
    pub(super) fn new(words: Words<'a>) -> SetBits<'a> {
        SetBits { words, word: 0, base: 0, next_base: 0 }
    }
}

impl Iterator for SetBits<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            self.word = self.words.next()?;
            self.base = self.next_base;
            self.next_base += 64;
        }
        let position = self.base + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_here = self.word.count_ones() as usize;
        (n_here, Some(n_here + self.words.n_bits))
    }
}

impl FusedIterator for SetBits<'_> {}

/// A word in which the lowest `n_bits` bits are set. The number of bits is less than 64.
pub(crate) const fn low_bits(n_bits: usize) -> u64 {
    (1 << n_bits) - 1
}

/// The ranges of bits that are set, ascending. At least one unset bit separates two ranges.
#[derive(Clone, Debug)]
pub struct SetRuns<'a> {
    words: Words<'a>,
    /// The remaining bits of the current word.
    word: u64,
    /// The position of the lowest bit of the current word.
    base: usize,
    /// The position of the lowest bit of the next word.
    next_base: usize,
}

impl<'a> SetRuns<'a> {
    pub(super) fn new(words: Words<'a>) -> SetRuns<'a> {
        SetRuns { words, word: 0, base: 0, next_base: 0 }
    }

    #[inline]
    fn next_word(&mut self) -> Option<u64> {
        let word = self.words.next()?;
        self.base = self.next_base;
        self.next_base += 64;
        Some(word)
    }
}

impl Iterator for SetRuns<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        while self.word == 0 {
            self.word = self.next_word()?;
        }
        let n_before = self.word.trailing_zeros();
        let start = self.base + n_before as usize;
        // Adding the lowest set bit carries through all set bits that follow it. Without a carry out of the word, the run ends in this
        // word.
        let (above, is_open) = self.word.overflowing_add(1 << n_before);
        if !is_open {
            let end = self.base + above.trailing_zeros() as usize;
            self.word &= above;
            return Some(start..end);
        }
        self.word = 0;
        loop {
            let Some(word) = self.next_word() else { return Some(start..self.next_base) };
            if word != u64::MAX {
                let n_ones = word.trailing_ones();
                self.word = word & (u64::MAX << n_ones);
                return Some(start..self.base + n_ones as usize);
            }
        }
    }
}

impl FusedIterator for SetRuns<'_> {}
