//! Compresses blocks, as in "LZ4 Block Format Description".

use std::{mem, ops::Range};

/// The maximum length of a block. Offsets have 16 bits, so any earlier position in the block can be the source of a
/// match.
pub const MAX_BLOCK_BYTES: usize = 1 << 16;

/// The maximum length of a compressed block. A block without matches, in which all bytes are literals, has this length.
pub const MAX_COMPRESSED_BYTES: usize = MAX_BLOCK_BYTES + MAX_BLOCK_BYTES / 255 + 16;

/// The shortest match that the format allows.
const MIN_MATCH_BYTES: usize = 4;

/// The last bytes of a block, which must be literals. The format requires this.
const N_LAST_LITERALS: usize = 5;

/// The last match must begin at least this number of bytes before the end of a block. The format requires 12. With 17,
/// the twelve bytes that are compared first are not among the last literals.
const LAST_MATCH_BYTES: usize = MIN_MATCH_BYTES + 8 + N_LAST_LITERALS;

/// The smallest length that does not fit into a token.
const LONG: usize = 15;

const N_SLOTS: usize = 1 << 13;

/// Shorter blocks use fewer slots: clearing all slots takes too long beside compressing such a block.
const LARGE_BLOCK_BYTES: usize = 16 << 10;
const N_MEDIUM_SLOTS: usize = 1 << 12;
const MEDIUM_BLOCK_BYTES: usize = 2 << 10;
const N_SMALL_SLOTS: usize = 1 << 10;

/// A prime number of XXH64. Multiplication by this number distributes words over the slots. The number is shifted by
/// three bytes, so only five bytes of a word are hashed.
const FACTOR: u64 = 0x9e37_79b1_85eb_ca87 << 24;

/// After 2 to the power of this number of positions without a match, steps become one byte longer.
const STEP_BITS: u32 = 5;

/// After a match of at least this length, the last position is not stored in the table: another match rarely begins
/// there.
const LONG_MATCH_BYTES: usize = 16;

/// Memory for [`compress_block`], which can be reused for other blocks.
#[derive(Debug)]
pub struct CompressTable {
    /// For each hash of five bytes, the last position with this hash. 0 may also mean that there is no such position;
    /// the bytes are then compared with the bytes at position 0.
    slots: Box<[u16; N_SLOTS]>,
}

impl Default for CompressTable {
    fn default() -> CompressTable {
        CompressTable { slots: Box::new([0; N_SLOTS]) }
    }
}

/// Compresses a block into the start of `dest`. Returns the number of compressed bytes; `None` if `dest` is shorter
/// than [`MAX_COMPRESSED_BYTES`], or the block is longer than [`MAX_BLOCK_BYTES`]. The result depends only on the
/// block, not on earlier uses of the table.
#[inline(never)]
pub fn compress_block(bytes: &[u8], dest: &mut [u8], table: &mut CompressTable) -> Option<usize> {
    let CompressTable { slots } = table;
    let mut output = Sequences { dest: dest.first_chunk_mut()?, n_bytes: 0 };
    let n_done = if let Ok(block) = <&[u8; MAX_BLOCK_BYTES]>::try_from(bytes) {
        // Most blocks have this length, so the function is compiled separately for it.
        add_matches(block, slots, &mut output)?
    } else if bytes.len() < MEDIUM_BLOCK_BYTES {
        add_matches::<N_SMALL_SLOTS>(bytes, slots.first_chunk_mut()?, &mut output)?
    } else if bytes.len() < LARGE_BLOCK_BYTES {
        add_matches::<N_MEDIUM_SLOTS>(bytes, slots.first_chunk_mut()?, &mut output)?
    } else if bytes.len() < MAX_BLOCK_BYTES {
        add_matches(bytes, slots, &mut output)?
    } else {
        return None;
    };
    output.add_last_literals(bytes.get(n_done..)?)?;
    Some(output.n_bytes)
}

/// Adds a sequence for each match. Returns the position after the last match. The result is `Some`: all positions are
/// inside the block, and `output` has room for all sequences.
#[inline(always)]
fn add_matches<const N: usize>(
    block: &[u8],
    slots: &mut [u16; N],
    output: &mut Sequences<'_>,
) -> Option<usize> {
    let n_bytes = block.len();
    let Some(last_start) = n_bytes.checked_sub(LAST_MATCH_BYTES) else { return Some(0) };
    let last_start = last_start.min(MAX_BLOCK_BYTES - LAST_MATCH_BYTES);
    let end = (n_bytes - N_LAST_LITERALS).min(MAX_BLOCK_BYTES - N_LAST_LITERALS);
    slots.fill(0);
    // Stores a position under the hash of its bytes. Returns the position that was stored there.
    let mut remember = |word: u64, position: usize| {
        usize::from(mem::replace(&mut slots[slot_of::<N>(word)], position as u16))
    };
    let mut n_done = 0;
    let mut position = 1;
    loop {
        let mut n_tried = 1 << STEP_BITS;
        let mut earlier = loop {
            if position > last_start {
                return Some(n_done);
            }
            let word = word_at(block, position)?;
            let earlier = remember(word, position);
            if is_match(word_at(block, earlier)?, word) {
                break earlier;
            }
            position += n_tried >> STEP_BITS;
            n_tried += 1;
        };
        let mut n_before = n_equal_before(block, earlier, position, n_done);
        loop {
            // Four bytes are equal, and the next eight are compared at once. Whether the match of a word in a text ends in the first eight
            // would be a branch that cannot be predicted.
            let (earlier_rest, rest) = (earlier + MIN_MATCH_BYTES, position + MIN_MATCH_BYTES);
            let match_end = match word_at(block, earlier_rest)? ^ word_at(block, rest)? {
                0 => end_of_match(block, earlier_rest + 8, rest + 8, end),
                difference => rest + n_equal_bytes(difference),
            };
            let literals = n_done..position - n_before;
            let n_match_bytes = match_end - position;
            output.add(block, literals, (position - earlier) as u16, n_before + n_match_bytes)?;
            (n_done, position, n_before) = (match_end, match_end, 0);
            if position > last_start {
                return Some(n_done);
            }
            if n_match_bytes < LONG_MATCH_BYTES {
                remember(word_at(block, position - 2)?, position - 2);
            }
            let word = word_at(block, position)?;
            earlier = remember(word, position);
            if !is_match(word_at(block, earlier)?, word) {
                position += 1;
                break;
            }
        }
    }
}

/// Hashes the first five bytes to one of `N` slots.
#[inline(always)]
fn slot_of<const N: usize>(word: u64) -> usize {
    (word.wrapping_mul(FACTOR) >> (u64::BITS - N.ilog2())) as usize
}

#[inline(always)]
fn word_at(block: &[u8], position: usize) -> Option<u64> {
    let word = block.get(position..position + 8)?;
    word.first_chunk().map(|word| u64::from_le_bytes(*word))
}

/// Whether two words begin with the same four bytes, the length of the shortest match.
#[inline(always)]
fn is_match(earlier: u64, word: u64) -> bool {
    earlier as u32 == word as u32
}

/// The number of equal bytes at the start of two words. `difference` is the exclusive or of the words.
#[inline(always)]
fn n_equal_bytes(difference: u64) -> usize {
    (difference.trailing_zeros() / 8) as usize
}

/// The number of equal bytes directly before two positions. The count ends at `start` for the later position.
#[inline(always)]
fn n_equal_before(block: &[u8], earlier: usize, position: usize, start: usize) -> usize {
    let mut n_equal = 0;
    while position - n_equal > start
        && earlier > n_equal
        && block[position - n_equal - 1] == block[earlier - n_equal - 1]
    {
        n_equal += 1;
    }
    n_equal
}

/// The end of a match. All bytes of the match before `earlier` and `position` are known to be equal.
#[inline(always)]
fn end_of_match(block: &[u8], earlier: usize, position: usize, end: usize) -> usize {
    /// After this number of equal words, larger chunks are compared.
    const N_WORDS: usize = 4;
    let mut earlier = earlier;
    let mut position = position;
    let mut n_words = 0;
    while position + 8 <= end {
        let (Some(a), Some(b)) = (word_at(block, earlier), word_at(block, position)) else { break };
        if a != b {
            return position + n_equal_bytes(a ^ b);
        }
        (earlier, position, n_words) = (earlier + 8, position + 8, n_words + 1);
        if n_words == N_WORDS {
            let n_equal = n_equal_chunks(block, earlier, position, end);
            (earlier, position) = (earlier + n_equal, position + n_equal);
        }
    }
    while position < end && block[earlier] == block[position] {
        (earlier, position) = (earlier + 1, position + 1);
    }
    position
}

/// The number of equal bytes from two positions on, rounded down to a multiple of 32.
#[inline(never)]
fn n_equal_chunks(block: &[u8], earlier: usize, position: usize, end: usize) -> usize {
    let (a, b) = (&block[earlier..end], &block[position..end]);
    let chunks = a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0);
    32 * chunks.take_while(|(a, b)| a == b).count()
}

/// The compressed block so far: sequences, each with literals and a match.
struct Sequences<'a> {
    dest: &'a mut [u8; MAX_COMPRESSED_BYTES],
    n_bytes: usize,
}

impl Sequences<'_> {
    #[inline(always)]
    fn add(&mut self, block: &[u8], literals: Range<usize>, offset: u16, n_match_bytes: usize) -> Option<()> {
        /// Literals are copied in pieces of this length. A copy may include bytes after the literals.
        const PIECE: usize = 16;
        /// The maximum length of a sequence with few literals: token, literals, offset, and one byte of the length.
        const MAX_SHORT_BYTES: usize = PIECE + 4;
        let n_literals = literals.end - literals.start;
        let n_more = n_match_bytes - MIN_MATCH_BYTES;
        if n_literals < LONG
            && n_more < LONG + 255
            && self.n_bytes <= MAX_COMPRESSED_BYTES - MAX_SHORT_BYTES
            && let Some(piece) = block[literals.start..].first_chunk::<PIECE>()
            && let Some(dest) = self.dest[self.n_bytes..].first_chunk_mut::<MAX_SHORT_BYTES>()
        {
            dest[0] = token(n_literals, n_more);
            dest[1..=PIECE].copy_from_slice(piece);
            [dest[1 + n_literals], dest[2 + n_literals]] = offset.to_le_bytes();
            // This byte belongs to the block only if the length does not fit into the token.
            dest[3 + n_literals] = n_more.wrapping_sub(LONG) as u8;
            self.n_bytes += 3 + n_literals + usize::from(n_more >= LONG);
            return Some(());
        }
        self.add_long(block.get(literals)?, offset, n_more)
    }

    #[inline(never)]
    fn add_long(&mut self, literals: &[u8], offset: u16, n_more: usize) -> Option<()> {
        self.put(&[token(literals.len(), n_more)])?;
        self.put_length(literals.len())?;
        self.put(literals)?;
        self.put(&offset.to_le_bytes())?;
        self.put_length(n_more)
    }

    fn add_last_literals(&mut self, literals: &[u8]) -> Option<()> {
        self.put(&[token(literals.len(), 0)])?;
        self.put_length(literals.len())?;
        self.put(literals)
    }

    /// Adds the bytes of a length that does not fit into a token.
    fn put_length(&mut self, length: usize) -> Option<()> {
        let Some(mut n_left) = length.checked_sub(LONG) else { return Some(()) };
        while n_left >= 255 {
            self.put(&[255])?;
            n_left -= 255;
        }
        self.put(&[n_left as u8])
    }

    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.dest.get_mut(self.n_bytes..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.n_bytes += bytes.len();
        Some(())
    }
}

/// The first byte of a sequence: the number of literals, and the length of the match minus `MIN_MATCH_BYTES`.
#[inline(always)]
fn token(n_literals: usize, n_more: usize) -> u8 {
    (n_literals.min(LONG) << 4 | n_more.min(LONG)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompress_block;

    type Kind = (&'static str, fn(&mut Dice) -> Vec<u8>);

    /// Kinds of data that are appended repeatedly.
    const KINDS: [Kind; 12] = [
        ("ascii text", |dice| format!("a word of plain letters {}", dice.below(1_000)).into_bytes()),
        ("multi-byte text", |dice| format!("größer als 龍 🐉 {}", dice.below(1_000)).into_bytes()),
        ("sorted numbers", |dice| dice.sum(1_000).to_le_bytes().to_vec()),
        ("random numbers", |dice| dice.next().to_le_bytes().to_vec()),
        ("small numbers", |dice| (dice.below(1_000) as i32).to_le_bytes().to_vec()),
        ("random floats", |dice| ((dice.next() >> 11) as f64 / 3.0).to_le_bytes().to_vec()),
        ("floats of few digits", |dice| (dice.below(100_000) as f64 / 100.0).to_le_bytes().to_vec()),
        ("bits", |dice| vec![(dice.next() & dice.next()) as u8]),
        ("offsets", |dice| (dice.sum(30) as i32).to_le_bytes().to_vec()),
        ("zeros", |_| vec![0]),
        ("two letters", |dice| vec![b'a' + dice.below(2) as u8]),
        ("runs", |dice| vec![dice.below(4) as u8; dice.below(700) as usize]),
    ];

    /// A word of 1,000, which is farther away than the last 4,096 positions.
    fn words(dice: &mut Dice) -> Vec<u8> {
        let mut of_word = Dice { state: dice.below(1_000) + 1, sum: 0 };
        let n_letters = 3 + of_word.below(8);
        (0..n_letters).map(|_| b'a' + of_word.below(26) as u8).chain([b' ']).collect()
    }

    struct Dice {
        state: u64,
        sum: u64,
    }

    impl Dice {
        fn next(&mut self) -> u64 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
        }

        fn below(&mut self, n: u64) -> u64 {
            (self.next() >> 33) % n
        }

        fn sum(&mut self, step: u64) -> u64 {
            self.sum += self.below(step);
            self.sum
        }
    }

    fn content(append: fn(&mut Dice) -> Vec<u8>, seed: u64, n_bytes: usize) -> Vec<u8> {
        let mut dice = Dice { state: seed, sum: 0 };
        let mut bytes = Vec::new();
        while bytes.len() < n_bytes {
            bytes.extend(append(&mut dice));
        }
        bytes.truncate(n_bytes);
        bytes
    }

    /// Decodes sequence after sequence, and checks the rules for the end of a block.
    fn naive(block: &[u8]) -> Vec<u8> {
        fn length(block: &mut &[u8], in_token: u8) -> usize {
            let mut length = usize::from(in_token);
            let mut has_more = in_token == 15;
            while has_more {
                let (more, rest) = block.split_first().expect("a length has an end");
                *block = rest;
                length += usize::from(*more);
                has_more = *more == 255;
            }
            length
        }
        let mut block = block;
        let mut made = Vec::new();
        let mut last_match = None;
        loop {
            let (token, rest) = block.split_first().expect("there is a sequence");
            block = rest;
            let n_literals = length(&mut block, token >> 4);
            let (literals, rest) = block.split_at(n_literals);
            made.extend(literals);
            if rest.is_empty() {
                assert_eq!(token & 15, 0);
                if let Some(start) = last_match {
                    assert!(n_literals >= 5, "only {n_literals} literals at the end");
                    assert!(made.len() - start >= 12, "a match of the last 12 bytes");
                }
                return made;
            }
            let (offset, rest) = rest.split_first_chunk().expect("an offset follows literals");
            block = rest;
            let offset = usize::from(u16::from_le_bytes(*offset));
            assert!(offset > 0 && offset <= made.len(), "an offset of {offset} after {}", made.len());
            last_match = Some(made.len());
            for _ in 0..MIN_MATCH_BYTES + length(&mut block, token & 15) {
                made.push(made[made.len() - offset]);
            }
        }
    }

    /// Compresses a block, and decompresses it with two decoders.
    fn check(bytes: &[u8], table: &mut CompressTable, what: &str) -> Vec<u8> {
        let mut dest = vec![0xaa; MAX_COMPRESSED_BYTES];
        let n_compressed = compress_block(bytes, &mut dest, table).expect("there is room");
        let n_most = bytes.len() + bytes.len() / 255 + 16;
        assert!(n_compressed <= n_most, "{n_compressed} bytes for {what}");
        dest.truncate(n_compressed);
        assert_eq!(naive(&dest), bytes, "{what}");
        let mut made = vec![0; bytes.len()];
        assert_eq!(decompress_block(&dest, &mut made).ok(), Some(bytes.len()), "{what}");
        assert_eq!(made, bytes, "{what}");
        dest
    }

    #[test]
    fn blocks_of_every_length_hold_what_they_were_made_of() {
        let table = &mut CompressTable::default();
        for (name, append) in KINDS {
            let bytes = content(append, 1, 300);
            for n_bytes in 0..=bytes.len() {
                check(&bytes[..n_bytes], table, &format!("{n_bytes} bytes of {name}"));
            }
        }
    }

    #[test]
    fn long_blocks_hold_what_they_were_made_of_whatever_was_compressed_before() {
        let used = &mut CompressTable::default();
        for n_bytes in [MEDIUM_BLOCK_BYTES, 4_096, LARGE_BLOCK_BYTES, 30_000, MAX_BLOCK_BYTES]
            .into_iter()
            .flat_map(|n_bytes| [n_bytes - 1, n_bytes])
        {
            for (seed, (name, append)) in KINDS.into_iter().enumerate() {
                let (bytes, what) =
                    (content(append, seed as u64 + 1, n_bytes), format!("{n_bytes} bytes of {name}"));
                let block = check(&bytes, used, &what);
                assert_eq!(check(&bytes, &mut CompressTable::default(), &what), block, "{what}");
            }
        }
    }

    #[test]
    fn mixed_blocks_hold_what_they_were_made_of() {
        let table = &mut CompressTable::default();
        let mut dice = Dice { state: 5, sum: 0 };
        for round in 0..300 {
            let mut bytes = Vec::new();
            for _ in 0..dice.below(20) {
                match bytes.len() {
                    0 => {}
                    n_bytes => {
                        let start = dice.below(n_bytes as u64) as usize;
                        let end = (start + dice.below(400) as usize).min(n_bytes);
                        bytes.extend_from_within(start..end);
                    }
                }
                let (_, append) = KINDS[dice.below(KINDS.len() as u64) as usize];
                bytes.extend(content(append, dice.next() | 1, dice.below(600) as usize));
            }
            check(&bytes, table, &format!("round {round}"));
        }
    }

    #[test]
    fn repeated_bytes_become_few() {
        let table = &mut CompressTable::default();
        for (name, append, n_most) in [
            (KINDS[0].0, KINDS[0].1, 11_000),
            (KINDS[2].0, KINDS[2].1, 41_000),
            (KINDS[9].0, KINDS[9].1, 280),
            ("words", words, 33_000),
        ] {
            let n_bytes = check(&content(append, 1, MAX_BLOCK_BYTES), table, name).len();
            assert!(n_bytes < n_most, "{n_bytes} bytes for {name}");
        }
    }

    #[test]
    fn input_that_is_too_long_or_a_destination_that_is_too_short_is_refused() {
        let table = &mut CompressTable::default();
        let long = vec![0; MAX_BLOCK_BYTES + 1];
        let mut dest = vec![0; MAX_COMPRESSED_BYTES];
        assert_eq!(compress_block(&long, &mut dest, table), None);
        dest.pop();
        assert_eq!(compress_block(&[], &mut dest, table), None);
    }
}
