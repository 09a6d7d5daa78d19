//! Swaps the byte order of buffers, by the words in the layout table.

use arrow_buffer::View;

use crate::layout::Swap;

const VIEW_BYTES: usize = size_of::<View>();
/// Values up to this length are stored in the view.
const MAX_INLINE_BYTES: i32 = 12;

impl Swap {
    /// Whether the byte order makes a difference for these elements.
    pub const fn changes_bytes(self) -> bool {
        !matches!(self, Swap::None | Swap::Word1)
    }

    /// Converts elements of the other byte order to the byte order of this machine. Bytes after the last whole element
    /// stay unchanged.
    ///
    /// ```
    /// use arrow_data::Swap;
    ///
    /// let mut bytes = 7i32.swap_bytes().to_ne_bytes();
    /// Swap::Word4.to_native(&mut bytes);
    /// assert_eq!(i32::from_ne_bytes(bytes), 7);
    /// ```
    pub fn to_native(self, bytes: &mut [u8]) {
        self.swap_words(bytes, |n_bytes| i32::from_ne_bytes(n_bytes).swap_bytes());
    }

    /// Converts elements of this machine to the other byte order; the reverse of [`to_native`](Swap::to_native).
    pub fn from_native(self, bytes: &mut [u8]) {
        self.swap_words(bytes, i32::from_ne_bytes);
    }

    /// Reverses the bytes of each word. `length` reads the length of a view before it is swapped.
    fn swap_words(self, bytes: &mut [u8], length: fn([u8; 4]) -> i32) {
        match self {
            Swap::None | Swap::Word1 => {}
            Swap::View => swap_views(bytes, length),
            Swap::Word2 => reverse_each::<2>(bytes),
            Swap::Word4 | Swap::DayTime => reverse_each::<4>(bytes),
            Swap::Word8 => reverse_each::<8>(bytes),
            Swap::Word16 => reverse_each::<16>(bytes),
            Swap::Word32 => reverse_each::<32>(bytes),
            Swap::MonthDayNano => {
                for element in bytes.as_chunks_mut::<16>().0 {
                    let (months_and_days, nanoseconds) = element.split_at_mut(8);
                    reverse_each::<4>(months_and_days);
                    nanoseconds.reverse();
                }
            }
        }
    }
}

/// Reverses words of `N` bytes. Compilers turn the loop into vector instructions.
fn reverse_each<const N: usize>(bytes: &mut [u8]) {
    for word in bytes.as_chunks_mut::<N>().0 {
        word.reverse();
    }
}

/// Swaps the length of each view. Swaps the buffer index and the offset, too, unless the value is inlined. Values and prefixes are bytes,
/// and stay as they are.
fn swap_views(bytes: &mut [u8], length: fn([u8; 4]) -> i32) {
    for view in bytes.as_chunks_mut::<VIEW_BYTES>().0 {
        let [a, b, c, d, ..] = *view;
        let is_inline = length([a, b, c, d]) <= MAX_INLINE_BYTES;
        let (head, tail) = view.split_at_mut(8);
        if let Some(length) = head.first_chunk_mut::<4>() {
            length.reverse();
        }
        if !is_inline {
            reverse_each::<4>(tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Swap; 10] = [
        Swap::None,
        Swap::Word1,
        Swap::Word2,
        Swap::Word4,
        Swap::Word8,
        Swap::Word16,
        Swap::Word32,
        Swap::DayTime,
        Swap::MonthDayNano,
        Swap::View,
    ];

    #[test]
    fn words_are_reversed_each_for_itself() {
        for swap in ALL.into_iter().filter(|swap| *swap != Swap::View) {
            let before: Vec<u8> = (0..67).collect();
            let mut expected = before.clone();
            let n_bytes: usize = swap.words().iter().map(|n_bytes| usize::from(*n_bytes)).sum();
            for element in expected.chunks_exact_mut(n_bytes.max(1)) {
                let mut rest = element;
                for n_bytes in swap.words() {
                    let (word, next) = rest.split_at_mut(usize::from(*n_bytes));
                    word.reverse();
                    rest = next;
                }
            }
            let mut bytes = before.clone();
            swap.to_native(&mut bytes);
            assert_eq!(bytes, expected, "{swap:?}");
            assert_eq!(bytes != before, swap.changes_bytes(), "{swap:?}");
            swap.from_native(&mut bytes);
            assert_eq!(bytes, before, "{swap:?}");
        }
    }

    #[test]
    fn views_keep_their_bytes() {
        let inline = |n: i32| [n.swap_bytes().to_ne_bytes(), *b"abcd", *b"efgh", *b"ijkl"].concat();
        let [n_bytes, buffer_idx, offset] = [13i32, 2, 5].map(|number| number.swap_bytes().to_ne_bytes());
        let long = [n_bytes, *b"abcd", buffer_idx, offset].concat();
        let foreign = [inline(0), inline(12), long, inline(-1)].concat();
        let mut bytes = foreign.clone();
        Swap::View.to_native(&mut bytes);
        let words: Vec<i32> =
            bytes.chunks(4).map(|word| i32::from_ne_bytes(word.try_into().unwrap())).collect();
        let [abcd, efgh, ijkl] = [*b"abcd", *b"efgh", *b"ijkl"].map(i32::from_ne_bytes);
        assert_eq!(words, [0, abcd, efgh, ijkl, 12, abcd, efgh, ijkl, 13, abcd, 2, 5, -1, abcd, efgh, ijkl]);
        Swap::View.from_native(&mut bytes);
        assert_eq!(bytes, foreign);
    }
}
