//! Counts set bits without the processor's instruction for it, since some processors lack this instruction.

/// The words that are counted together. They take 256 bits: one or two registers.
type Lanes = [u64; 4];

/// Words are first added bit by bit, like in a full adder. The carries of 8 words fit into one word, so only one word
/// in eight has to be counted.
const BLOCK_BYTES: usize = 8 * size_of::<Lanes>();

/// The number of bits of these bytes that are set.
pub(super) fn count_ones(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
    let mut ones = Lanes::default();
    let mut twos = Lanes::default();
    let mut fours = Lanes::default();
    let mut n_eights = 0;
    for block in blocks {
        let [a, b, c, d, e, f, g, h] = lanes(block);
        let (two_a, sum) = add(ones, a, b);
        let (two_b, sum) = add(sum, c, d);
        let (four_a, sum_of_twos) = add(twos, two_a, two_b);
        let (two_a, sum) = add(sum, e, f);
        let (two_b, sum) = add(sum, g, h);
        let (four_b, sum_of_twos) = add(sum_of_twos, two_a, two_b);
        let (eights, sum_of_fours) = add(fours, four_a, four_b);
        (ones, twos, fours) = (sum, sum_of_twos, sum_of_fours);
        n_eights += count(eights);
    }
    8 * n_eights + 4 * count(fours) + 2 * count(twos) + count(ones) + count_words(rest)
}

fn lanes(block: &[u8; BLOCK_BYTES]) -> [Lanes; 8] {
    let (words, _) = block.as_chunks::<8>();
    let (lanes, _) = words.as_chunks::<4>();
    std::array::from_fn(|idx| lanes[idx].map(u64::from_ne_bytes))
}

/// The carry and the sum of three words, for each bit.
fn add(a: Lanes, b: Lanes, c: Lanes) -> (Lanes, Lanes) {
    let mut carry = Lanes::default();
    let mut sum = Lanes::default();
    for lane in 0..sum.len() {
        let one_of_two = a[lane] ^ b[lane];
        carry[lane] = (a[lane] & b[lane]) | (one_of_two & c[lane]);
        sum[lane] = one_of_two ^ c[lane];
    }
    (carry, sum)
}

fn count(lanes: Lanes) -> u64 {
    lanes.iter().map(|word| u64::from(word.count_ones())).sum()
}

fn count_words(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let in_words: u64 = words.iter().map(|word| u64::from(u64::from_ne_bytes(*word).count_ones())).sum();
    in_words + rest.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_one_by_one() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        for n_bytes in (0..70).chain([255, 256, 257, 511, 512, 600, 1_024, 5_000]) {
            for mask in [0xff, 0x11, 0] {
                let bytes: Vec<u8> = (0..n_bytes).map(|_| next() | !mask).collect();
                let one_by_one =
                    bytes.iter().flat_map(|byte| (0..8).filter(move |bit| byte >> bit & 1 == 1)).count();
                assert_eq!(count_ones(&bytes), one_by_one as u64, "{n_bytes} bytes");
            }
        }
    }
}
