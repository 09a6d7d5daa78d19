//! Estimates the number of distinct hashes by HyperLogLog. Uses the estimator of Ertl, "New cardinality estimation algorithms
//! for HyperLogLog sketches" (2017), which needs no table of corrections.

/// The number of bits of a hash that select one of 8,192 registers. The standard error is 1.04 divided by the square root of
/// the number of registers: 1.15 %.
const INDEX_BITS: u32 = 13;
const N_REGISTERS: usize = 1 << INDEX_BITS;
/// The largest rank: the number of other bits of a hash, plus one.
const MAX_RANK: usize = 64 - INDEX_BITS as usize + 1;

/// The HyperLogLog registers. The rank of a hash is one more than the number of its trailing zeros. A register stores the
/// largest rank of the hashes that select it.
pub(super) struct Estimate {
    ranks: Box<[u8; N_REGISTERS]>,
}

impl Default for Estimate {
    fn default() -> Estimate {
        Estimate { ranks: Box::new([0; N_REGISTERS]) }
    }
}

impl std::fmt::Debug for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Estimate").field("count", &self.count()).finish()
    }
}

impl Estimate {
    /// Adds a hash. Its bits must look random.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64) {
        let rest = hash >> INDEX_BITS;
        // The cast is exact: the rest has 51 bits, so the rank is at most 52.
        let rank = (rest | 1 << (64 - INDEX_BITS)).trailing_zeros() as u8 + 1;
        if let Some(found) = self.ranks.get_mut(hash as usize % N_REGISTERS) {
            *found = rank.max(*found);
        }
    }

    /// Estimates the number of distinct hashes.
    pub(super) fn count(&self) -> u64 {
        let mut counts = [0_u32; MAX_RANK + 1];
        for rank in self.ranks.iter() {
            if let Some(count) = counts.get_mut(usize::from(*rank)) {
                *count += 1;
            }
        }
        let n = N_REGISTERS as f64;
        let [n_empty, between @ .., n_full] = counts;
        let start = n * tau(1.0 - f64::from(n_full) / n);
        let sum = between.iter().rev().fold(start, |sum, count| 0.5 * (sum + f64::from(*count)));
        let sum = sum + n * sigma(f64::from(n_empty) / n);
        // If all registers are empty, `sum` is infinite and the result is 0.
        (n * n / (2.0 * std::f64::consts::LN_2 * sum)).round() as u64
    }
}

/// Computes x + Σ x^(2^k) · 2^(k-1), for k from 1.
fn sigma(x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut x, mut factor, mut sum) = (x, 1.0, x);
    loop {
        x *= x;
        let before = sum;
        sum += x * factor;
        factor += factor;
        if sum == before {
            return sum;
        }
    }
}

/// Computes (1 - x - Σ (1 - x^(2^-k))² · 2^-k, for k from 1) / 3.
fn tau(x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut x, mut factor, mut sum) = (x, 1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = sum;
        factor *= 0.5;
        sum -= (1.0 - x) * (1.0 - x) * factor;
        if sum == before {
            return sum / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::hash_table::{hash_of_bytes, hash_of_number},
        *,
    };

    /// Compares estimates with the true number, at powers of two and a little later. The values are consecutive numbers,
    /// multiples, and text.
    #[test]
    fn estimates_are_near() {
        let forms: [fn(u64) -> u64; 3] =
            [hash_of_number, |n| hash_of_number(n << 20), |n| hash_of_bytes(format!("value {n}").as_bytes())];
        for form in forms {
            let mut estimate = Estimate::default();
            assert_eq!(estimate.count(), 0);
            let mut errors = Vec::new();
            for n in 1..=100_000_u64 {
                estimate.insert(form(n));
                estimate.insert(form(n / 2 + 1));
                if n.is_power_of_two() || n % 9973 == 0 {
                    errors.push((estimate.count() as f64 / n as f64 - 1.0).abs());
                }
            }
            assert!(errors.iter().all(|error| *error < 0.045), "{errors:?}");
            assert!(errors.iter().sum::<f64>() / errors.len() as f64 <= 0.015, "{errors:?}");
        }
    }

    #[test]
    fn extreme_hashes_are_counted() {
        let mut estimate = Estimate::default();
        estimate.insert(0);
        estimate.insert(u64::MAX);
        assert_eq!(estimate.count(), 2);
        (0..N_REGISTERS as u64).for_each(|hash| estimate.insert(hash));
        assert!(estimate.count() > 1 << 60);
    }
}
