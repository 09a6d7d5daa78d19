//! The ranges of bits that are set.

use std::iter::FusedIterator;
use std::ops::Range;

use crate::bitmap::iter::Words;

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
