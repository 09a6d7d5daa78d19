//! Powers of ten in 128 bits, computed at compile time.

/// The smallest and the largest exponent for [`power`], enough for the texts of `f64`, which have at most 17 digits.
const LEAST: i32 = -292;
const GREATEST: i32 = 324;
const N_POWERS: usize = (GREATEST - LEAST) as usize + 1;

static POWERS: [u128; N_POWERS] = powers();

/// The highest 128 bits of a power of ten, rounded up. The exponent is from -292 to 324.
pub(super) fn power(exponent: i32) -> u128 {
    POWERS[(exponent - LEAST) as usize]
}

/// The number of 64-bit limbs for 10³²⁴, which has 1,077 bits. It also suffices for 10⁻²⁹², a fraction whose 128 significant
/// bits follow many zeros.
const N_LIMBS: usize = 19;

/// An integer in limbs of 64 bits, the lowest first.
type Limbs = [u64; N_LIMBS];

const fn powers() -> [u128; N_POWERS] {
    let mut powers = [0; N_POWERS];
    let mut limbs: Limbs = [0; N_LIMBS];
    limbs[0] = 1;
    let mut exponent = 0;
    while exponent <= GREATEST {
        let (highest, is_whole) = highest_bits(&limbs);
        powers[(exponent - LEAST) as usize] = if is_whole { highest } else { highest + 1 };
        limbs = times_ten(limbs);
        exponent += 1;
    }
    // Powers with negative exponents are fractions, multiplied by a power of two. Repeated division rounds down like a single
    // division. The remainder is not zero, since no power of two is a multiple of ten.
    limbs = [0; N_LIMBS];
    limbs[N_LIMBS - 1] = 1;
    exponent = -1;
    while exponent >= LEAST {
        limbs = by_ten(limbs);
        let (highest, _) = highest_bits(&limbs);
        powers[(exponent - LEAST) as usize] = highest + 1;
        exponent -= 1;
    }
    powers
}

const fn times_ten(mut limbs: Limbs) -> Limbs {
    let mut idx = 0;
    let mut carry = 0;
    while idx < N_LIMBS {
        let product = limbs[idx] as u128 * 10 + carry;
        (limbs[idx], carry) = (product as u64, product >> 64);
        idx += 1;
    }
    limbs
}

const fn by_ten(mut limbs: Limbs) -> Limbs {
    let mut idx = N_LIMBS;
    let mut rest = 0;
    while idx > 0 {
        idx -= 1;
        let dividend = rest << 64 | limbs[idx] as u128;
        (limbs[idx], rest) = ((dividend / 10) as u64, dividend % 10);
    }
    limbs
}

/// 128 bits from the first set bit on, and whether all later bits are zero. `limbs` is not zero.
const fn highest_bits(limbs: &Limbs) -> (u128, bool) {
    let mut idx = N_LIMBS - 1;
    while limbs[idx] == 0 {
        idx -= 1;
    }
    let n_zeros = limbs[idx].leading_zeros();
    let [first, second, third] = [limb(limbs, idx, 0), limb(limbs, idx, 1), limb(limbs, idx, 2)];
    let mut highest = (first as u128) << 64 | second as u128;
    let mut rest = third;
    if n_zeros > 0 {
        highest = highest << n_zeros | (third >> (64 - n_zeros)) as u128;
        rest = third << n_zeros;
    }
    let mut is_whole = rest == 0;
    let mut lower = 0;
    while lower + 2 < idx {
        is_whole = is_whole && limbs[lower] == 0;
        lower += 1;
    }
    (highest, is_whole)
}

const fn limb(limbs: &Limbs, idx: usize, n_below: usize) -> u64 {
    if n_below > idx { 0 } else { limbs[idx - n_below] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_as_arithmetic_of_any_width_has_them() {
        for (exponent, expected) in [
            (-292, 0xFF77_B1FC_BEBC_DC4F_25E8_E89C_13BB_0F7B),
            (-37, 0x881C_EA14_545C_7575_7E50_D641_77DA_2E55),
            (-1, 0xCCCC_CCCC_CCCC_CCCC_CCCC_CCCC_CCCC_CCCD),
            (0, 1 << 127),
            (1, 0xA << 124),
            (27, 10_u128.pow(27) << 38),
            (38, 10_u128.pow(38) << 1),
            // This is the largest power that is exact.
            (55, 5_u128.pow(55)),
            (56, 0x8281_8F12_81ED_449F_BFF8_F10E_7A89_21A5),
            (100, 0x924D_692C_A61B_E758_593C_2626_705F_9C57),
            (324, 0x9E19_DB92_B4E3_1BA9_6C07_A2C2_6A83_46D2),
        ] {
            assert_eq!(power(exponent), expected, "{exponent}");
        }
    }
}
