//! The short and the long form of tests with very many cases.

use crate::Rng;

/// The environment variable that selects the long form. Its value is the seed.
const VARIABLE: &str = "ARROW_HUNT";

/// The environment variable that selects single cases, in the form that tests print when they fail.
const CASES_VARIABLE: &str = "ARROW_HUNT_CASES";

/// How many cases a test with random or very many cases runs.
///
/// `cargo test` runs a short form with the same cases each time. `cargo xtask hunt random` runs the long form with one seed
/// after the other. `ARROW_HUNT=SEED` in the environment also selects the long form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hunt {
    seed: Option<u64>,
}

impl Hunt {
    /// The form that the environment selects.
    pub fn from_env() -> Hunt {
        let value = std::env::var(VARIABLE).ok().filter(|value| !value.is_empty());
        Hunt {
            seed: value
                .map(|value| value.parse().unwrap_or_else(|_| panic!("{VARIABLE}={value} is not a seed"))),
        }
    }

    /// The cases to run instead of all cases: the name of an input and the seed of the case, as `file, plain|7; stream,
    /// zstd|8`. Empty if the environment variable `ARROW_HUNT_CASES` is not set.
    pub fn cases() -> Vec<(String, u64)> {
        let value = std::env::var(CASES_VARIABLE).unwrap_or_default();
        let cases = value.split([';', '\n']).map(str::trim).filter(|case| !case.is_empty());
        let case = |case: &str| {
            let (name, seed) = case.rsplit_once('|')?;
            Some((name.trim().to_owned(), seed.trim().parse().ok()?))
        };
        cases.map(|text| case(text).unwrap_or_else(|| panic!("{text} is no case, as name|seed is"))).collect()
    }

    /// Whether the long form is selected.
    pub fn is_on(self) -> bool {
        self.seed.is_some()
    }

    /// The number of cases: `short` or `long`.
    pub fn count(self, short: usize, long: usize) -> usize {
        if self.is_on() { long } else { short }
    }

    /// A source of random numbers. It is the same each time in the short form, and different for each seed of a hunt.
    /// `base` gives each test different numbers.
    pub fn rng(self, base: u64) -> Rng {
        Rng::new(self.seed(base))
    }

    /// The seed of [`rng`](Hunt::rng).
    pub fn seed(self, base: u64) -> u64 {
        self.seed.map_or(base, |seed| Rng::new(base ^ seed.rotate_left(32)).bits())
    }

    /// In the short form, `n` of the things for each case, in turn. In a hunt, all things.
    pub fn some_of<T>(self, things: &[T], n: usize, case: usize) -> impl Iterator<Item = &T> {
        let n = if self.is_on() { things.len() } else { n.min(things.len()) };
        (0..n).map(move |idx| &things[(case * n + idx) % things.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_stay_the_same_and_go_round() {
        let (short, long) = (Hunt { seed: None }, Hunt { seed: Some(1) });
        assert_eq!((short.count(3, 9), long.count(3, 9)), (3, 9));
        assert_eq!(short.seed(7), 7);
        assert_ne!(long.seed(7), Hunt { seed: Some(2) }.seed(7));
        assert_ne!(long.seed(7), long.seed(8));
        let taken = |hunt: Hunt, case| hunt.some_of(&[1, 2, 3], 2, case).copied().collect::<Vec<_>>();
        assert_eq!([0, 1, 2].map(|case| taken(short, case)), [[1, 2], [3, 1], [2, 3]]);
        assert_eq!([0, 1].map(|case| taken(long, case)), [[1, 2, 3], [1, 2, 3]]);
        assert_eq!(short.some_of::<u8>(&[], 2, 1).count(), 0);
    }
}
