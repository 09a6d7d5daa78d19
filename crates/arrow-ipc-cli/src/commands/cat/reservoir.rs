//! Chooses items from a sequence of unknown length, all with equal probability.

/// Chooses items of a sequence at random, with algorithm L of Kim-Hung Li. The time grows with the logarithm of the
/// length of the sequence, because most items are skipped without a random number.
#[derive(Clone)]
pub(super) struct Reservoir {
    n_chosen: u64,
    random: SplitMix,
    /// The number of items that have been passed.
    n_seen: u64,
    /// The index of the next item to choose.
    next: u64,
    /// The algorithm gives each item a random number. This is the greatest number among the chosen items.
    greatest: f64,
}

impl Reservoir {
    pub(super) fn new(n_chosen: u64, seed: u64) -> Reservoir {
        let next = if n_chosen == 0 { u64::MAX } else { 0 };
        Reservoir { n_chosen, random: SplitMix(seed), n_seen: 0, next, greatest: 1.0 }
    }

    /// Passes the next `n_items` items. For each chosen item, calls `choose` with its index among these items, and
    /// with its slot in the choice. This is the slot of the item that it replaces, or the next free slot.
    ///
    /// # Errors
    /// The errors of `choose`.
    pub(super) fn pass<E>(
        &mut self,
        n_items: u64,
        mut choose: impl FnMut(u64, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.n_seen;
        self.n_seen = start.saturating_add(n_items);
        while self.next < self.n_seen {
            let item = self.next;
            let slot = if item < self.n_chosen { item } else { self.random.below(self.n_chosen) };
            self.advance();
            choose(item - start, usize::try_from(slot).unwrap_or(usize::MAX))?;
        }
        Ok(())
    }

    /// Finds the next item to choose.
    fn advance(&mut self) {
        let following = self.next.saturating_add(1);
        if following < self.n_chosen {
            self.next = following;
            return;
        }
        self.greatest *= (self.random.unit().ln() / self.n_chosen as f64).exp();
        let skipped = (self.random.unit().ln() / (-self.greatest).ln_1p()).floor();
        // For a large number, the cast saturates, and the result is greater than any number of rows.
        self.next = following.saturating_add(skipped as u64);
    }
}

/// A small random number generator: `SplitMix64`.
#[derive(Clone)]
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A random number greater than 0, and at most 1.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// A random number less than `end`; 0 if `end` is 0.
    fn below(&mut self, end: u64) -> u64 {
        u64::try_from((u128::from(self.next()) * u128::from(end)) >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(n_chosen: u64, seed: u64, parts: &[u64]) -> Vec<u64> {
        let mut reservoir = Reservoir::new(n_chosen, seed);
        let mut slots: Vec<u64> = Vec::new();
        for n_items in parts {
            let start = reservoir.n_seen;
            let result: Result<(), ()> = reservoir.pass(*n_items, |item, slot| {
                assert!(item < *n_items && slot <= slots.len());
                match slots.get_mut(slot) {
                    Some(chosen) => *chosen = start + item,
                    None => slots.push(start + item),
                }
                Ok(())
            });
            result.unwrap();
        }
        slots.sort_unstable();
        slots
    }

    #[test]
    fn parts_do_not_matter_and_nothing_is_chosen_twice() {
        for seed in 0..50 {
            for n_chosen in [0, 1, 3, 10] {
                let whole = chosen(n_chosen, seed, &[1000]);
                assert_eq!(whole.len() as u64, n_chosen);
                assert!(whole.is_sorted_by(|a, b| a < b) && whole.last().is_none_or(|last| *last < 1000));
                assert_eq!(chosen(n_chosen, seed, &[0, 1, 2, 5, 0, 92, 900]), whole);
            }
            assert_eq!(chosen(10, seed, &[3, 4]), (0..7).collect::<Vec<u64>>());
        }
        // Passing 2⁶² items takes no longer than passing a few.
        let far = chosen(5, 1, &[1 << 62, 1 << 62]);
        assert!(far.len() == 5 && far.iter().any(|item| *item > 1 << 60), "{far:?}");
    }

    #[test]
    fn each_is_as_likely_as_any_other() {
        const N_ITEMS: usize = 40;
        const N_RUNS: u64 = 4000;
        let mut counts = [0u64; N_ITEMS];
        for seed in 0..N_RUNS {
            for item in chosen(10, seed, &[N_ITEMS as u64]) {
                counts[item as usize] += 1;
            }
        }
        // In 4,000 runs, each item is chosen about 1,000 times, with a standard deviation of 27.
        assert!(counts.iter().all(|count| (870..1130).contains(count)), "{counts:?}");
    }
}
