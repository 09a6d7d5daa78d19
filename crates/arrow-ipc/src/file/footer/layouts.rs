//! Layouts: copies of the metadata of record batches. A footer has them in its custom metadata, under a key of this
//! library. With layouts, a reader finds the position of each buffer before it has read any byte of a batch.
//!
//! The value is `1:`, then base64 (RFC 4648, section 4, without padding) of runs of batches with the same metadata. A run
//! is a list of varints (LEB128): the number of its batches, the number of words in the metadata of one batch, and these
//! words. The words are 64-bit little-endian numbers, from the prefix of the message to its body. Each word is encoded as
//! its difference from the word four words earlier (or from 0), modulo 2⁶⁴ and in zigzag encoding. Columns of the same
//! type have similar numbers, so the differences are small.

use arrow_buffer::Buffer;

use super::{
    content::Footer,
    packed::{pack, unpack},
};
use crate::{
    error::{IpcErrorKind, Result},
    file::varint::{self, Varints},
};

const WORD_BYTES: usize = 8;
/// Each word is stored as the difference from the word that is this many words before it. Two words are the length
/// and null count of a node, or the start and length of a buffer. Four words suit columns with two buffers, which
/// are the most frequent.
const BACK: usize = 4;

/// The metadata of all record batches, as a footer repeats it.
#[derive(Debug)]
pub(crate) struct Layouts {
    /// The metadata of each run, with the index of the first batch after the run.
    runs: Vec<(usize, Buffer)>,
}

impl Layouts {
    /// Parses the layouts in the metadata of a footer. Returns `None` if there are none, or their version is unknown,
    /// or if the number of batches or the length of a batch's metadata differs from the footer.
    ///
    /// Each word has at least one encoded byte, so the memory is at most seven times the length of the value.
    pub(crate) fn find(footer: &Footer) -> Option<Layouts> {
        let bytes = unpack(footer.metadata().get(Footer::LAYOUTS_KEY)?)?;
        // The slice of all blocks is made only if the footer has layouts.
        let batches = footer.batches();
        let mut numbers = Varints::new(&bytes);
        let (mut runs, mut first) = (Vec::new(), 0usize);
        while !numbers.is_empty() {
            let end = first.checked_add(usize::try_from(numbers.next()?).ok()?)?;
            let n_words = usize::try_from(numbers.next()?).ok()?;
            let blocks = batches.get(first..end).filter(|blocks| !blocks.is_empty())?;
            let n_bytes = (n_words as u64).checked_mul(WORD_BYTES as u64)?;
            // Checked before the allocation: each word needs at least one of the remaining bytes.
            if n_words > numbers.n_bytes_left()
                || blocks.iter().any(|block| block.n_metadata_bytes() != n_bytes)
            {
                return None;
            }
            let mut words: Vec<u64> = Vec::new();
            words.try_reserve_exact(n_words).ok()?;
            for word_idx in 0..n_words {
                let before = word_idx.checked_sub(BACK).and_then(|before| words.get(before)).copied();
                words.push(before.unwrap_or(0).wrapping_add(unzigzag(numbers.next()?)));
            }
            words.iter_mut().for_each(|word| *word = word.to_le());
            runs.push((end, Buffer::from(words)));
            first = end;
        }
        (first == batches.len()).then_some(Layouts { runs })
    }

    /// The metadata of a batch, from the prefix to the body.
    pub(crate) fn metadata_of(&self, batch_idx: usize) -> Option<&Buffer> {
        let run = self.runs.partition_point(|(end, _)| *end <= batch_idx);
        self.runs.get(run).map(|(_, metadata)| metadata)
    }

    /// Compares the layout of a batch with the metadata in its message.
    ///
    /// # Errors
    /// If they differ.
    pub(crate) fn check(&self, batch_idx: usize, found: &[u8]) -> Result<()> {
        let Some(expected) = self.metadata_of(batch_idx).filter(|expected| ***expected != *found) else {
            return Ok(());
        };
        let pairs = words_of(expected).zip(words_of(found)).enumerate();
        let (word_idx, (footer, message)) =
            pairs.into_iter().find(|(_, (expected, found))| expected != found).unwrap_or_default();
        let offset = (word_idx * WORD_BYTES) as u64;
        Err(IpcErrorKind::Layout { offset, footer, message }.into())
    }
}

/// Encodes the layouts of batches in their order.
#[derive(Debug, Default)]
pub(crate) struct LayoutEncoder {
    bytes: Vec<u8>,
    last: Vec<u8>,
    n_last: usize,
    n_batches: usize,
}

impl LayoutEncoder {
    pub(crate) fn continuing(layouts: &Layouts) -> LayoutEncoder {
        let (mut encoder, mut first) = (LayoutEncoder::default(), 0);
        for (end, metadata) in &layouts.runs {
            encoder.push(metadata, end - first);
            first = *end;
        }
        encoder
    }

    /// Adds `n_batches` batches with this metadata, from the prefix to the body.
    pub(crate) fn push(&mut self, metadata: &[u8], n_batches: usize) {
        if self.n_last > 0 && metadata != self.last {
            self.end_run();
        }
        if self.n_last == 0 {
            self.last = metadata.to_vec();
        }
        self.n_last = self.n_last.saturating_add(n_batches);
        self.n_batches = self.n_batches.saturating_add(n_batches);
    }

    /// The length of the encoded runs, plus the length of the last run's metadata, which is not encoded yet.
    pub(crate) fn n_bytes(&self) -> u64 {
        (self.bytes.len() + self.last.len()) as u64
    }

    pub(crate) fn n_batches(&self) -> usize {
        self.n_batches
    }

    pub(crate) fn clear(&mut self) {
        *self = LayoutEncoder::default();
    }

    fn end_run(&mut self) {
        let words: Vec<u64> = words_of(&self.last).collect();
        varint::push(&mut self.bytes, self.n_last as u64);
        varint::push(&mut self.bytes, words.len() as u64);
        for (word_idx, word) in words.iter().enumerate() {
            let before = word_idx.checked_sub(BACK).and_then(|before| words.get(before)).copied();
            varint::push(&mut self.bytes, zigzag(word.wrapping_sub(before.unwrap_or(0))));
        }
        self.n_last = 0;
    }

    /// The text of the layouts for the custom metadata.
    pub(crate) fn value(&self) -> String {
        let mut all = LayoutEncoder { bytes: self.bytes.clone(), last: self.last.clone(), ..*self };
        if all.n_last > 0 {
            all.end_run();
        }
        pack(&all.bytes)
    }
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.as_chunks::<WORD_BYTES>().0.iter().map(|word| u64::from_le_bytes(*word))
}

fn zigzag(difference: u64) -> u64 {
    (difference << 1) ^ ((difference as i64) >> 63) as u64
}

fn unzigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_written_as_the_format_has_it() {
        let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let mut encoder = LayoutEncoder::default();
        assert_eq!(encoder.value(), "1:");
        encoder.push(&bytes(&[1, 0, u64::MAX, 4, 3]), 1);
        encoder.push(&bytes(&[1, 0, u64::MAX, 4, 3]), 1);
        // Two batches, five words: 1, 0, −1, 4, and 3 − 1.
        assert_eq!(unpack("1:AgUCAAEIBA").as_deref(), Some(&[2, 5, 2, 0, 1, 8, 4][..]));
        assert_eq!(encoder.value(), "1:AgUCAAEIBA");
        encoder.push(&bytes(&[200]), 1);
        // One batch, one word: 400 in seven bits and two.
        assert_eq!(encoder.value(), pack(&[2, 5, 2, 0, 1, 8, 4, 1, 1, 0x90, 3]));
        assert_eq!(encoder.n_batches(), 3);
    }

    #[test]
    fn differences_are_zigzag() {
        for (difference, number) in [(0, 0), (u64::MAX, 1), (1, 2), (1 << 63, u64::MAX), (u64::MAX - 1, 3)] {
            assert_eq!((zigzag(difference), unzigzag(number)), (number, difference));
        }
    }
}
