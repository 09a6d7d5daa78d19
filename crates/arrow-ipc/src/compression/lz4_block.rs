//! A block of an LZ4 frame, decompressed into the place where its bytes stay. Follows "LZ4 Block Format Description".
//!
//! A block is a list of sequences: literals, then a match, which repeats bytes from before. Both are mostly short, so the
//! fast ways copy a fixed number of bytes, of which those that are too many are overwritten by what follows. What a fast
//! way does not know it leaves to the next one, and the last one knows all.

use std::ops::ControlFlow;

/// Where in the destination a block belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Matches reach back to here: to the block's start, or to that of blocks before it.
    pub(super) first: usize,
    /// Where its bytes begin.
    pub(super) start: usize,
}

/// Why a block is none.
type Result<T> = std::result::Result<T, &'static str>;

const TOO_SHORT: &str = "a block ends too early";
const TOO_LONG: &str = "a block holds more bytes than there is room for";
const TOO_FAR: &str = "a block repeats bytes from before the first one";

/// The shortest match.
const MIN_MATCH: usize = 4;
/// A length of four bits that is continued by bytes.
const CONTINUED: usize = 15;

/// What the fast ways may read: a token, literals, the offset of a match, and a byte of its length.
const FAST_INPUT_BYTES: usize = 1 + 16 + 2 + 1;
/// What the fast ways may write: literals and a match.
const FAST_OUTPUT_BYTES: usize = 16 + LONG_MATCH_BYTES;
/// The longest match whose length is not continued.
const SHORT_MATCH_BYTES: usize = MIN_MATCH + CONTINUED - 1;
/// The longest of the others that the fast ways copy.
const LONG_MATCH_BYTES: usize = 32;

/// What is left of a block, and how far the destination is written.
#[derive(Debug, Clone, Copy)]
struct Progress<'a> {
    left: &'a [u8],
    end: usize,
}

/// Decompresses a block, and tells where its bytes end.
///
/// # Errors
/// If it does not end where a block may end, needs more room than there is, or repeats bytes that there are not.
pub(super) fn decompress_block(block: &[u8], to: &mut [u8], place: Place) -> Result<usize> {
    let Place { first, start } = place;
    let to = to.get_mut(first..).ok_or(TOO_LONG)?;
    let mut progress = Progress { left: block, end: start - first };
    loop {
        let Progress { left, end } = progress;
        if let Some(next) = left.first_chunk::<FAST_INPUT_BYTES>()
            && let Some(room) = chunk_mut::<FAST_OUTPUT_BYTES>(to, end)
        {
            let (n_literals, n_short) = (usize::from(next[0] >> 4), usize::from(next[0] & 15));
            if n_literals < CONTINUED {
                room[..16].copy_from_slice(&next[1..17]);
                let offset = usize::from(u16::from_le_bytes([next[1 + n_literals], next[2 + n_literals]]));
                let begin = end + n_literals;
                if n_short < CONTINUED {
                    let n_matched = MIN_MATCH + n_short;
                    if offset >= SHORT_MATCH_BYTES {
                        if copy::<SHORT_MATCH_BYTES>(to, begin, offset).is_some() {
                            progress = Progress { left: &left[3 + n_literals..], end: begin + n_matched };
                            continue;
                        }
                    } else if matches!(offset, 8 | 16) && n_matched <= 8 {
                        let later = near(progress, to);
                        if later.left.len() < left.len() {
                            progress = later;
                            continue;
                        }
                    }
                } else {
                    let n_matched = MIN_MATCH + CONTINUED + usize::from(next[3 + n_literals]);
                    if offset >= LONG_MATCH_BYTES
                        && n_matched <= LONG_MATCH_BYTES
                        && copy::<LONG_MATCH_BYTES>(to, begin, offset).is_some()
                    {
                        progress = Progress { left: &left[4 + n_literals..], end: begin + n_matched };
                        continue;
                    }
                }
            }
        }
        progress = match sequence(progress, to)? {
            ControlFlow::Continue(later) => later,
            ControlFlow::Break(end) => return Ok(first + end),
        };
    }
}

/// Short sequences that repeat what is 8 or 16 bytes before, as columns of numbers have them, up to one that is not. There
/// may be none.
///
/// A processor waits when bytes are read in other pieces than they were just written in. So the last 16 are kept in
/// registers.
#[inline(never)]
fn near<'a>(progress: Progress<'a>, to: &mut [u8]) -> Progress<'a> {
    let Progress { mut left, mut end } = progress;
    let Some(before) = end.checked_sub(16).and_then(|from| chunk::<16>(to, from)) else { return progress };
    let (mut older, mut last) = (word(before, 0), word(before, 8));
    while let Some(next) = left.first_chunk::<10>()
        && let Some(room) = chunk_mut::<16>(to, end)
    {
        let (n_literals, n_matched) = (usize::from(next[0] >> 4), usize::from(next[0] & 15) + MIN_MATCH);
        if n_literals > 7 || n_matched > 8 {
            break;
        }
        let offset = u16::from_le_bytes([next[1 + n_literals], next[2 + n_literals]]);
        // 0 or 1, told by one comparison: which of them it is cannot be foreseen.
        let n_words = offset.wrapping_sub(8).rotate_right(3);
        if n_words > 1 {
            break;
        }
        let literals = word(next, 1);
        let n_bits = 8 * n_literals;
        older = older >> n_bits | (last << 8) << (56 - n_bits);
        last = last >> n_bits | (literals << 8) << (56 - n_bits);
        let repeated = if n_words == 0 { last } else { older };
        room[..8].copy_from_slice(&literals.to_le_bytes());
        room[n_literals..n_literals + 8].copy_from_slice(&repeated.to_le_bytes());
        // At least four bytes.
        let n_bits = 8 * n_matched - 32;
        older = older >> 32 >> n_bits | last << (32 - n_bits);
        last = last >> 32 >> n_bits | repeated << (32 - n_bits);
        left = &left[3 + n_literals..];
        end += n_literals + n_matched;
    }
    Progress { left, end }
}

/// Any sequence. Breaks with the end of the bytes if it was the last one.
#[inline(never)]
fn sequence<'a>(progress: Progress<'a>, to: &mut [u8]) -> Result<ControlFlow<usize, Progress<'a>>> {
    let Progress { mut left, mut end } = progress;
    let token = byte(&mut left)?;
    let (mut n_literals, mut n_matched) = (usize::from(token >> 4), usize::from(token & 15) + MIN_MATCH);
    if n_literals == CONTINUED {
        n_literals += continued(&mut left)?;
    }
    if n_literals <= 32
        && let Some(literals) = left.first_chunk::<32>()
        && let Some(room) = chunk_mut::<32>(to, end)
    {
        *room = *literals;
        left = &left[n_literals..];
    } else {
        let (literals, behind) = left.split_at_checked(n_literals).ok_or(TOO_SHORT)?;
        to.get_mut(end..end + n_literals).ok_or(TOO_LONG)?.copy_from_slice(literals);
        left = behind;
    }
    end += n_literals;
    if left.is_empty() {
        return Ok(ControlFlow::Break(end));
    }
    let (offset, behind) = left.split_first_chunk().ok_or(TOO_SHORT)?;
    left = behind;
    let offset = usize::from(u16::from_le_bytes(*offset));
    if n_matched == MIN_MATCH + CONTINUED {
        n_matched += continued(&mut left)?;
    }
    if offset == 0 || offset > end {
        return Err(TOO_FAR);
    }
    let has_room = to.len() - end >= LONG_MATCH_BYTES;
    if has_room && offset >= 16 && n_matched <= 32 {
        let _ = copy::<16>(to, end, offset);
        let _ = copy::<16>(to, end + 16, offset);
    } else if has_room && offset >= 8 && n_matched <= 24 {
        let _ = copy::<8>(to, end, offset);
        let _ = copy::<8>(to, end + 8, offset);
        let _ = copy::<8>(to, end + 16, offset);
    } else {
        repeat(to, end, offset, n_matched)?;
    }
    Ok(ControlFlow::Continue(Progress { left, end: end + n_matched }))
}

/// So many bytes from a place on, if there are.
#[inline]
fn chunk<const N: usize>(bytes: &[u8], from: usize) -> Option<&[u8; N]> {
    bytes.get(from..)?.first_chunk()
}

#[inline]
fn chunk_mut<const N: usize>(bytes: &mut [u8], from: usize) -> Option<&mut [u8; N]> {
    bytes.get_mut(from..)?.first_chunk_mut()
}

/// Eight bytes as a number whose lowest byte is the first.
#[inline]
fn word<const N: usize>(bytes: &[u8; N], from: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[from..from + 8]);
    u64::from_le_bytes(word)
}

/// Copies a fixed number of bytes from `offset` before a place, which takes no call. None are copied where so many do not
/// lie before it, or there is no room.
#[inline]
#[must_use]
fn copy<const N: usize>(to: &mut [u8], begin: usize, offset: usize) -> Option<()> {
    let (done, room) = to.split_at_mut_checked(begin)?;
    *room.first_chunk_mut::<N>()? = *chunk::<N>(done, begin.checked_sub(offset)?)?;
    Some(())
}

#[inline]
fn byte(left: &mut &[u8]) -> Result<u8> {
    let (byte, behind) = left.split_first().ok_or(TOO_SHORT)?;
    *left = behind;
    Ok(*byte)
}

/// The rest of a length. A block has at most 4 MiB, so the sum fits.
#[inline]
fn continued(left: &mut &[u8]) -> Result<usize> {
    let mut length = 0;
    loop {
        let byte = byte(left)?;
        length += usize::from(byte);
        if byte != 255 {
            return Ok(length);
        }
    }
}

/// Repeats bytes from `offset` before the end, which may overlap with what is made of them.
fn repeat(to: &mut [u8], end: usize, offset: usize, n_bytes: usize) -> Result<()> {
    if n_bytes > to.len() - end {
        return Err(TOO_LONG);
    }
    let from = end - offset;
    if offset == 1 {
        let byte = to[from];
        to[end..end + n_bytes].fill(byte);
        return Ok(());
    }
    // Each copy doubles what there is to copy from.
    let mut n_done = 0;
    while n_done < n_bytes {
        let n_copied = (offset + n_done).min(n_bytes - n_done);
        to.copy_within(from..from + n_copied, end + n_done);
        n_done += n_copied;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lz4_flex::block::{compress, compress_with_dict, decompress_into};

    use super::*;

    const ALONE: Place = Place { first: 0, start: 0 };

    /// Bytes that repeat with all sorts of offsets and lengths.
    fn samples() -> Vec<Vec<u8>> {
        let mut state = 1u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut samples = vec![Vec::new()];
        for _ in 0..2_000 {
            let mut bytes: Vec<u8> = (0..below(30)).map(|_| below(256) as u8).collect();
            for _ in 0..below(60) {
                let n_literals = below(40);
                bytes.extend((0..n_literals).map(|_| below(256) as u8));
                let offset = 1 + below(40);
                let most = if below(10) == 0 { 1_000 } else { 60 };
                for _ in 0..below(most) {
                    let byte = bytes.len().checked_sub(offset).map_or(0, |at| bytes[at]);
                    bytes.push(byte);
                }
            }
            samples.push(bytes);
            // Columns of numbers that grow, with one of them or two in a row.
            let (n_columns, most) = (1 + below(2), 1 + below(100_000));
            let mut numbers = [0u64; 2];
            let mut bytes = Vec::new();
            for row in 0..below(60) {
                let number = &mut numbers[row % n_columns];
                *number += below(most) as u64;
                bytes.extend(number.to_le_bytes());
            }
            samples.push(bytes);
        }
        samples
    }

    #[test]
    fn blocks_of_another_implementation_are_read() {
        for bytes in samples() {
            let block = compress(&bytes);
            let mut to = vec![0xaa; bytes.len()];
            assert_eq!(decompress_block(&block, &mut to, ALONE), Ok(bytes.len()));
            assert_eq!(to, bytes);
            // With room behind it, where the fast way goes to the end.
            let mut to = vec![0xaa; bytes.len() + 100];
            assert_eq!(decompress_block(&block, &mut to, ALONE), Ok(bytes.len()));
            assert_eq!(to[..bytes.len()], bytes);
            if let Some(short) = bytes.len().checked_sub(1) {
                assert!(decompress_block(&block, &mut vec![0; short], ALONE).is_err());
            }
        }
    }

    #[test]
    fn blocks_look_back_as_far_as_they_may() {
        for bytes in samples() {
            let (before, after) = bytes.split_at(bytes.len() / 2);
            let block = compress_with_dict(after, before);
            let mut to = [before, &vec![0; after.len()]].concat();
            let place = Place { first: 0, start: before.len() };
            assert_eq!(decompress_block(&block, &mut to, place), Ok(bytes.len()));
            assert_eq!(to, bytes);
        }
        // One literal, and four bytes from two before.
        let block = [0x10, 7, 2, 0, 0];
        let decompress = |first| decompress_block(&block, &mut [1; 100], Place { first, start: 1 });
        assert_eq!((decompress(0), decompress(1)), (Ok(6), Err(TOO_FAR)));
    }

    /// What both make of blocks with a byte changed: the same bytes, or an error.
    #[test]
    fn damaged_blocks_are_what_they_are_to_another_implementation() {
        let (mut n_read, mut n_refused) = (0, 0);
        for (k, bytes) in samples().into_iter().enumerate().step_by(7) {
            let mut block = compress(&bytes);
            let at = k * 31 % block.len();
            block[at] ^= 1 << (k % 8);
            let (mut ours, mut theirs) = (vec![0; bytes.len() + 40], vec![0; bytes.len() + 40]);
            let expected = decompress_into(&block, &mut theirs).ok();
            let found = decompress_block(&block, &mut ours, ALONE).ok();
            assert_eq!(found, expected, "{block:x?}");
            match found {
                Some(n_bytes) => {
                    n_read += 1;
                    assert_eq!(ours[..n_bytes], theirs[..n_bytes]);
                }
                None => n_refused += 1,
            }
        }
        assert!(n_read > 20 && n_refused > 20, "{n_read}, {n_refused}");
    }
}
