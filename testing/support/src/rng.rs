//! A small random number generator. Its numbers do not change between versions.

use std::ops::RangeInclusive;

/// SplitMix64: the same seed gives the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Makes a generator from a seed.
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number less than `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.bits() % n as u64) as usize }
    }

    /// A number in the range.
    pub fn within(&mut self, range: RangeInclusive<i64>) -> i64 {
        let n = range.end().wrapping_sub(*range.start()).cast_unsigned();
        let step = if n == u64::MAX { self.bits() } else { self.bits() % (n + 1) };
        range.start().wrapping_add(step.cast_signed())
    }

    /// `true` in one of `n` calls, on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the given things.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// `n_bytes` random bytes.
    pub fn bytes(&mut self, n_bytes: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..n_bytes.div_ceil(8)).flat_map(|_| self.bits().to_ne_bytes()).collect();
        bytes.truncate(n_bytes);
        bytes
    }
}
