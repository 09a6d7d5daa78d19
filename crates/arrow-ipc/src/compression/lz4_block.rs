//! A block of an LZ4 frame, decompressed into the place where its bytes stay. Follows "LZ4 Block Format Description".
//!
//! A block is a list of sequences: literals, then a match, which repeats bytes from before. Both are mostly short, so the
//! fast way copies a fixed number of bytes, of which those that are too many are overwritten by what follows.

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

/// What the fast way may read: a token, literals and the offset of a match.
const FAST_INPUT_BYTES: usize = 1 + 16 + 2;
/// What the fast way may write: literals and a match.
const FAST_OUTPUT_BYTES: usize = 16 + 32;

/// Decompresses a block, and tells where its bytes end.
///
/// # Errors
/// If it does not end where a block may end, needs more room than there is, or repeats bytes that there are not.
pub(super) fn decompress_block(block: &[u8], to: &mut [u8], place: Place) -> Result<usize> {
    let Place { first, start: mut end } = place;
    let mut at = 0;
    loop {
        let token = *block.get(at).ok_or(TOO_SHORT)?;
        let (mut n_literals, mut n_matched) = (usize::from(token >> 4), usize::from(token & 15) + MIN_MATCH);
        if n_literals < CONTINUED
            && let Some(next) = block.get(at..at + FAST_INPUT_BYTES)
            && let Some(room) = to.get_mut(end..end + FAST_OUTPUT_BYTES)
        {
            room[..16].copy_from_slice(&next[1..17]);
            let offset = usize::from(u16::from_le_bytes([next[1 + n_literals], next[2 + n_literals]]));
            at += 3 + n_literals;
            end += n_literals;
            if n_matched == MIN_MATCH + CONTINUED {
                n_matched += continued(block, &mut at)?;
            }
            if offset == 0 || offset > end - first {
                return Err(TOO_FAR);
            }
            let from = end - offset;
            // There is room for 32 bytes: literals took at most 14 of it.
            if offset >= 16 && n_matched <= 32 {
                copy::<16>(to, from, end);
                copy::<16>(to, from + 16, end + 16);
            } else if offset >= n_matched && n_matched <= 8 {
                copy::<8>(to, from, end);
            } else if offset >= 8 && n_matched <= 24 {
                copy::<8>(to, from, end);
                copy::<8>(to, from + 8, end + 8);
                copy::<8>(to, from + 16, end + 16);
            } else {
                repeat(to, end, offset, n_matched)?;
            }
            end += n_matched;
            continue;
        }

        at += 1;
        if n_literals == CONTINUED {
            n_literals += continued(block, &mut at)?;
        }
        let literals = block.get(at..at + n_literals).ok_or(TOO_SHORT)?;
        to.get_mut(end..end + n_literals).ok_or(TOO_LONG)?.copy_from_slice(literals);
        at += n_literals;
        end += n_literals;
        if at == block.len() {
            return Ok(end);
        }
        let offset = block.get(at..at + 2).ok_or(TOO_SHORT)?;
        let offset = usize::from(u16::from_le_bytes([offset[0], offset[1]]));
        at += 2;
        if n_matched == MIN_MATCH + CONTINUED {
            n_matched += continued(block, &mut at)?;
        }
        if offset == 0 || offset > end - first {
            return Err(TOO_FAR);
        }
        repeat(to, end, offset, n_matched)?;
        end += n_matched;
    }
}

/// Copies a fixed number of bytes, which takes no call.
#[inline]
fn copy<const N: usize>(to: &mut [u8], from: usize, end: usize) {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&to[from..from + N]);
    to[end..end + N].copy_from_slice(&bytes);
}

/// The rest of a length. A block has at most 4 MiB, so the sum fits.
fn continued(block: &[u8], at: &mut usize) -> Result<usize> {
    let mut length = 0;
    loop {
        let byte = *block.get(*at).ok_or(TOO_SHORT)?;
        *at += 1;
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
