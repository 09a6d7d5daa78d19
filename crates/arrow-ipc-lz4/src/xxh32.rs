//! The checksum of LZ4 frames: XXH32 with the seed 0.

const PRIME_1: u32 = 0x9E37_79B1;
const PRIME_2: u32 = 0x85EB_CA77;
const PRIME_3: u32 = 0xC2B2_AE3D;
const PRIME_4: u32 = 0x27D4_EB2F;
const PRIME_5: u32 = 0x1656_67B1;

/// The length of a stripe: four lanes of four bytes each.
const STRIPE_BYTES: usize = 16;

/// The XXH32 hash of `bytes` with the seed 0. For bytes in several pieces, use [`Xxh32`].
pub fn xxh32(bytes: &[u8]) -> u32 {
    let mut hash = Xxh32::new();
    hash.update(bytes);
    hash.finish()
}

/// Computes the XXH32 hash, with the seed 0, of bytes that arrive in several pieces.
#[derive(Debug, Clone)]
pub struct Xxh32 {
    lanes: [u32; 4],
    /// The bytes after the last complete stripe.
    rest: [u8; STRIPE_BYTES],
    n_rest_bytes: usize,
    n_bytes: u64,
}

impl Default for Xxh32 {
    fn default() -> Xxh32 {
        Xxh32::new()
    }
}

impl Xxh32 {
    /// The hash before any byte has been added.
    pub fn new() -> Xxh32 {
        Xxh32 {
            lanes: [PRIME_1.wrapping_add(PRIME_2), PRIME_2, 0, PRIME_1.wrapping_neg()],
            rest: [0; STRIPE_BYTES],
            n_rest_bytes: 0,
            n_bytes: 0,
        }
    }

    /// Adds bytes to the hash. They may have any length.
    pub fn update(&mut self, bytes: &[u8]) {
        self.n_bytes = self.n_bytes.wrapping_add(bytes.len() as u64);
        let mut bytes = bytes;
        if self.n_rest_bytes > 0 {
            let free = self.rest.get_mut(self.n_rest_bytes..).unwrap_or_default();
            let n_more = free.len().min(bytes.len());
            let (more, after) = bytes.split_at(n_more);
            free[..n_more].copy_from_slice(more);
            self.n_rest_bytes += n_more;
            bytes = after;
            if self.n_rest_bytes < STRIPE_BYTES {
                return;
            }
            hash_stripes(&mut self.lanes, &[self.rest]);
        }
        let (stripes, rest) = bytes.as_chunks::<STRIPE_BYTES>();
        hash_stripes(&mut self.lanes, stripes);
        self.rest[..rest.len()].copy_from_slice(rest);
        self.n_rest_bytes = rest.len();
    }

    /// The hash of all bytes added so far. You can add more bytes afterwards.
    pub fn finish(&self) -> u32 {
        let hash = match self.n_bytes {
            ..16 => PRIME_5,
            _ => {
                let rotated = self.lanes.iter().zip([1, 7, 12, 18]);
                rotated.fold(0, |hash: u32, (lane, n_bits)| hash.wrapping_add(lane.rotate_left(n_bits)))
            }
        };
        finish(hash, self.n_bytes, self.rest.get(..self.n_rest_bytes).unwrap_or_default())
    }
}

/// Adds the bytes after the last complete stripe, and mixes the result.
fn finish(hash: u32, n_bytes: u64, rest: &[u8]) -> u32 {
    let mut rest = rest;
    // The format defines this: it adds the length modulo 2³².
    let mut hash = hash.wrapping_add(n_bytes as u32);
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

fn hash_stripes(all: &mut [u32; 4], stripes: &[[u8; STRIPE_BYTES]]) {
    let mut lanes = *all;
    for stripe in stripes {
        for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<4>().0) {
            let mixed = lane.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(PRIME_2));
            *lane = mixed.rotate_left(13).wrapping_mul(PRIME_1);
        }
    }
    *all = lanes;
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

    #[test]
    fn pieces_hash_as_the_whole() {
        let bytes: Vec<u8> = (0..200_u8).collect();
        for n_bytes in 0..bytes.len() {
            let bytes = &bytes[..n_bytes];
            for n_each in [1, 3, 15, 16, 17, 50] {
                let mut hash = Xxh32::new();
                bytes.chunks(n_each).for_each(|piece| hash.update(piece));
                assert_eq!(hash.finish(), xxh32(bytes), "{n_bytes} bytes by {n_each}");
            }
        }
    }
}
