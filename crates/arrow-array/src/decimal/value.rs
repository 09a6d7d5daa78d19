//! Compares and converts the numeric values of decimals.

use std::cmp::Ordering;

use super::{Decimal, NativeDecimal};

impl<T: NativeDecimal> Decimal<T> {
    /// Compares numeric values, so 1.0 and 1.00 are equal.
    ///
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use arrow_array::Decimal;
    ///
    /// let (a, b) = (Decimal::new(15_i64, 1), Decimal::new(149_i64, 2));
    /// assert_eq!(a.cmp_value(&b), Ordering::Greater);
    /// assert_eq!(a.cmp_value(&Decimal::new(150, 2)), Ordering::Equal);
    /// ```
    pub fn cmp_value(&self, other: &Decimal<T>) -> Ordering {
        if self.scale() == other.scale() {
            return self.unscaled().cmp(&other.unscaled());
        }
        let zero = T::default();
        let (sign, other_sign) = (self.unscaled().cmp(&zero), other.unscaled().cmp(&zero));
        sign.cmp(&other_sign).then_with(|| match sign {
            Ordering::Greater => magnitude_cmp(self, other),
            Ordering::Equal => Ordering::Equal,
            Ordering::Less => magnitude_cmp(other, self),
        })
    }

    /// The nearest `f64`. Drops digits after about the sixteenth.
    ///
    /// ```
    /// use arrow_array::Decimal;
    ///
    /// assert_eq!(Decimal::new(-5_i32, 2).to_f64_lossy(), -0.05);
    /// assert_eq!(Decimal::new(5_i32, -400).to_f64_lossy(), f64::INFINITY);
    /// ```
    pub fn to_f64_lossy(&self) -> f64 {
        let exponent = -i64::from(self.scale());
        // Rust parses any text of this form, and rounds it to the nearest number.
        format!("{}e{exponent}", self.unscaled()).parse().unwrap_or(f64::NAN)
    }
}

/// Compares the absolute values of two decimals that are not zero and have the same sign.
fn magnitude_cmp<T: NativeDecimal>(left: &Decimal<T>, right: &Decimal<T>) -> Ordering {
    let (left_text, right_text) = (left.unscaled().to_string(), right.unscaled().to_string());
    let (left_digits, right_digits) = (left_text.trim_start_matches('-'), right_text.trim_start_matches('-'));
    // The number with more digits before the decimal point is larger.
    let whole = |digits: &str, decimal: &Decimal<T>| digits.len() as i64 - i64::from(decimal.scale());
    whole(left_digits, left)
        .cmp(&whole(right_digits, right))
        .then_with(|| left_digits.trim_end_matches('0').cmp(right_digits.trim_end_matches('0')))
}

#[cfg(test)]
mod tests {
    use arrow_buffer::I128;

    use super::*;

    #[test]
    fn compares_as_multiplied_numbers_do() {
        let unscaled = [-1_000_i64, -999, -10, -1, 0, 1, 9, 10, 11, 99, 100, 1_000];
        let decimals: Vec<(i64, i32)> =
            unscaled.iter().flat_map(|unscaled| (-3..=3).map(|scale| (*unscaled, scale))).collect();
        for (a, a_scale) in &decimals {
            for (b, b_scale) in &decimals {
                let times = |scale: i32| 10_i64.pow(3_u32.saturating_add_signed(-scale));
                let expected = (a * times(*a_scale)).cmp(&(b * times(*b_scale)));
                let [left, right] =
                    [(a, a_scale), (b, b_scale)].map(|(n, scale)| Decimal::new(I128::from(*n), *scale));
                assert_eq!(left.cmp_value(&right), expected, "{left} and {right}");
            }
        }
        let large = Decimal::new(1_i32, i32::MIN);
        let small = Decimal::new(i32::MAX, i32::MAX);
        assert_eq!(large.cmp_value(&small), Ordering::Greater);
        assert_eq!(Decimal::new(i32::MIN, 0).cmp_value(&Decimal::new(i32::MIN, 1)), Ordering::Less);
    }
}
