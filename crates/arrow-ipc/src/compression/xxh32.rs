//! The checksum of LZ4 frames: XXH32 with the seed 0.

const PRIME_1: u32 = 0x9E37_79B1;
const PRIME_2: u32 = 0x85EB_CA77;
const PRIME_3: u32 = 0xC2B2_AE3D;
const PRIME_4: u32 = 0x27D4_EB2F;
const PRIME_5: u32 = 0x1656_67B1;

/// Four lanes of four bytes each.
const STRIPE_BYTES: usize = 16;

/// The hash of `bytes`.
pub(super) fn xxh32(bytes: &[u8]) -> u32 {
    let stripes = bytes.chunks_exact(STRIPE_BYTES);
    let mut rest = stripes.remainder();
    let mut hash = if stripes.len() == 0 { PRIME_5 } else { hash_stripes(stripes) };
    // The format adds the length modulo 2³².
    hash = hash.wrapping_add(bytes.len() as u32);
    while let Some((word, left)) = rest.split_first_chunk::<4>() {
        let mixed = hash.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(PRIME_3));
        hash = mixed.rotate_left(17).wrapping_mul(PRIME_4);
        rest = left;
    }
    for byte in rest {
        let mixed = hash.wrapping_add(u32::from(*byte).wrapping_mul(PRIME_5));
        hash = mixed.rotate_left(11).wrapping_mul(PRIME_1);
    }
    hash = (hash ^ (hash >> 15)).wrapping_mul(PRIME_2);
    hash = (hash ^ (hash >> 13)).wrapping_mul(PRIME_3);
    hash ^ (hash >> 16)
}

fn hash_stripes<'a>(stripes: impl Iterator<Item = &'a [u8]>) -> u32 {
    let mut lanes = [PRIME_1.wrapping_add(PRIME_2), PRIME_2, 0, PRIME_1.wrapping_neg()];
    for stripe in stripes {
        for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<4>().0) {
            let mixed = lane.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(PRIME_2));
            *lane = mixed.rotate_left(13).wrapping_mul(PRIME_1);
        }
    }
    let rotated = lanes.iter().zip([1, 7, 12, 18]).map(|(lane, n_bits)| lane.rotate_left(n_bits));
    rotated.fold(0, u32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_as_others_do() {
        let cases: [(&[u8], u32); 4] = [
            (b"", 0x02CC_5D05),
            (b"a", 0x550D_7456),
            (b"abc", 0x32D1_53FF),
            (b"Nobody inspects the spammish repetition", 0xE229_3B2F),
        ];
        for (bytes, hash) in cases {
            assert_eq!(xxh32(bytes), hash, "{}", bytes.escape_ascii());
        }
    }
}
