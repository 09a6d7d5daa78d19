//! Exact sums of decimals.

use arrow_buffer::I256;

/// The sum of integers of 256 bits, each of which counts for up to 2⁶⁴ rows: it has at most 320 bits and a sign.
#[derive(Debug, Default)]
pub(super) struct DecimalSum {
    /// What is in neither of the others.
    small: i128,
    /// The absolute values, the least significant word first.
    positive: [u64; N_WORDS],
    negative: [u64; N_WORDS],
}

const N_WORDS: usize = 6;

impl DecimalSum {
    /// Adds a number that counts for several rows.
    pub(super) fn add(&mut self, number: I256, n_rows: u64) {
        if let Ok(number) = i64::try_from(number) {
            // No overflow: the product has at most 127 bits and a sign.
            let product = i128::from(number) * i128::from(n_rows);
            match self.small.checked_add(product) {
                Some(sum) => self.small = sum,
                None => {
                    self.add_magnitude(I256::from(self.small), 1);
                    self.small = product;
                }
            }
            return;
        }
        self.add_magnitude(number, n_rows);
    }

    fn add_magnitude(&mut self, number: I256, n_rows: u64) {
        let sum = if number.is_negative() { &mut self.negative } else { &mut self.positive };
        let [a, b, c, d] = number.unsigned_abs();
        let mut carry = 0;
        for (word, added) in sum.iter_mut().zip([a, b, c, d, 0, 0]) {
            // No overflow: (2⁶⁴ − 1)² + 2 × (2⁶⁴ − 1) = 2¹²⁸ − 1.
            let next = u128::from(added) * u128::from(n_rows) + u128::from(*word) + carry;
            *word = next as u64;
            carry = next >> 64;
        }
    }

    /// The sum, divided by a number of rows and by ten to the power of `scale`: the nearest number. `None` if there are no rows.
    pub(super) fn mean(&self, n_rows: u64, scale: i32) -> Option<f64> {
        let mut all = DecimalSum { small: 0, ..*self };
        all.add_magnitude(I256::from(self.small), 1);
        let is_negative = all.negative.iter().rev().gt(all.positive.iter().rev());
        let (large, small) =
            if is_negative { (all.negative, all.positive) } else { (all.positive, all.negative) };
        let mut words = difference(large, small);
        let mut remainder = divide(&mut words, n_rows)?;
        // The last digits first.
        let mut digits = Vec::new();
        while words.iter().any(|word| *word != 0) {
            digits.push(divide(&mut words, 10)?);
        }
        let sign = if is_negative { "-" } else { "" };
        let mut text: String = digits.iter().rev().map(u64::to_string).collect();
        text = format!("{sign}0{text}.");
        for _ in 0..N_FRACTION_DIGITS {
            let next = u128::from(remainder) * 10;
            text += &(next / u128::from(n_rows)).to_string();
            remainder = (next % u128::from(n_rows)) as u64;
        }
        // Rust rounds any such text to the nearest number. What follows makes it greater, if only a little.
        text += if remainder == 0 { "0" } else { "1" };
        text += &format!("e{}", -i64::from(scale));
        text.parse().ok()
    }
}

/// A fraction with a denominator below 2⁶⁴ has at most 19 zeros before its first digit, and 17 digits tell a number from its neighbours.
const N_FRACTION_DIGITS: usize = 40;

/// The difference of a number and one that is not greater.
fn difference(mut large: [u64; N_WORDS], small: [u64; N_WORDS]) -> [u64; N_WORDS] {
    let mut borrow = false;
    for (word, subtracted) in large.iter_mut().zip(small) {
        let (less, is_below) = word.overflowing_sub(subtracted);
        let (less, is_borrowed) = less.overflowing_sub(u64::from(borrow));
        (*word, borrow) = (less, is_below || is_borrowed);
    }
    large
}

/// Divides a number, and returns the remainder; `None` for a division by zero.
fn divide(words: &mut [u64; N_WORDS], divisor: u64) -> Option<u64> {
    let divisor = u128::from(divisor);
    let mut remainder = 0_u128;
    for word in words.iter_mut().rev() {
        let part = remainder << 64 | u128::from(*word);
        // The quotient has 64 bits, since the remainder is less than the divisor.
        *word = part.checked_div(divisor)? as u64;
        remainder = part.checked_rem(divisor)?;
    }
    Some(remainder as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(numbers: &[(&str, u64)], scale: i32) -> Option<f64> {
        let mut sum = DecimalSum::default();
        let mut n_rows = 0_u64;
        for (number, n_more) in numbers {
            sum.add(number.parse().expect(number), *n_more);
            n_rows += n_more;
        }
        sum.mean(n_rows, scale)
    }

    #[test]
    fn means_are_the_nearest_numbers() {
        let max = &I256::MAX.to_string()[..];
        let min = &I256::MIN.to_string()[..];
        for (numbers, scale, expected) in [
            (&[("1", 1), ("0", 2)][..], 0, "0.3333333333333333333333"),
            (&[("10", 1), ("0", 2)], 1, "0.3333333333333333333333"),
            (&[("-7", 3)], 2, "-0.07"),
            (&[("1", 1)], 76, "1e-76"),
            (&[("1", 1), ("0", u64::MAX - 1)], 0, "5.42101086242752217e-20"),
            (&[("3", 1)], -20, "3e20"),
            (&[("123456789012345678901234567890", 1)], 10, "12345678901234567890.123456789"),
            (
                &[("99999999999999999999999999999999999999", 2)],
                38,
                "0.99999999999999999999999999999999999999",
            ),
            (&[(max, 5)], 0, max),
            (&[(max, u64::MAX - 9), (min, 9)], 70, &format!("{max}e-70")),
            (&[(min, u64::MAX)], 0, min),
            (&[(max, 1), (min, 1)], 0, "-0.5"),
            (&[("9223372036854775807", u64::MAX / 2), ("-9223372036854775808", u64::MAX / 2)], 0, "-0.5"),
            (
                &[("9223372036854775807", u64::MAX / 2), ("9223372036854775807", u64::MAX / 2)],
                0,
                "9223372036854775807",
            ),
            (&[("1", 1)], i32::MAX, "0"),
        ] {
            assert_eq!(mean(numbers, scale), Some(expected.parse().expect(expected)), "{numbers:?}, {scale}");
        }
        assert_eq!(mean(&[("1", 1)], i32::MIN), Some(f64::INFINITY));
        assert_eq!(mean(&[], 2), None);
    }
}
