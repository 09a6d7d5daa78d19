//! Hash tables of distinct values, with open addressing and bounded searches.
//!
//! Hashes are the same in each run of a program, so estimates are reproducible. An attacker can therefore choose values whose
//! hashes collide. If a search takes too many steps, the table is dropped and the number is estimated.

use super::StatisticsLimits;

/// The maximum number of steps of a search. With random values, one of 10¹⁵ tables has a longer search.
const MAX_STEPS: usize = 256;

const FIRST_SLOTS: usize = 64;

pub(super) trait HashTable {
    /// The number of distinct values in the table.
    fn len(&self) -> u64;

    /// The hash of each value, for switching to an estimate.
    fn hashes(&self) -> impl Iterator<Item = u64>;
}

/// A table of 64-bit numbers. Each number has its own hash, so only hashes are stored.
#[derive(Debug, Default)]
pub(super) struct NumberTable {
    /// The hash in each used entry, and 0 in empty entries. The number of entries is a power of two, and at least twice the
    /// number of hashes.
    slots: Vec<u64>,
    n_used: usize,
    has_zero: bool,
}

/// A table of byte strings.
#[derive(Debug, Default)]
pub(super) struct StringTable {
    /// The index of the value in each used entry, counted from 1, and 0 in empty entries.
    slots: Vec<u32>,
    /// For each value, its hash and the end of its bytes.
    values: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

/// A bijective hash: different numbers have different hashes.
#[inline]
pub(super) fn hash_of_number(number: u64) -> u64 {
    let hash = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

#[inline]
pub(super) fn hash_of_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let step = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ (hash >> 32)
    };
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
    hash_of_number(step(hash, u64::from_le_bytes(last)))
}

/// The entries in which a hash may be, in the order of the search.
#[inline]
fn search(hash: u64, n_slots: usize) -> impl Iterator<Item = usize> {
    let mask = n_slots.wrapping_sub(1);
    (0..MAX_STEPS.min(n_slots)).map(move |step| (hash as usize).wrapping_add(step) & mask)
}

impl HashTable for NumberTable {
    fn len(&self) -> u64 {
        self.n_used as u64 + u64::from(self.has_zero)
    }

    fn hashes(&self) -> impl Iterator<Item = u64> {
        let zero = self.has_zero.then_some(0);
        self.slots.iter().copied().filter(|hash| *hash != 0).chain(zero)
    }
}

impl NumberTable {
    /// Adds a hash, unless the table contains it. Returns `false` if there is no free entry, or the limit is reached.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, max_values: usize) -> bool {
        let may_grow = self.len() < max_values as u64;
        if hash == 0 {
            self.has_zero |= may_grow;
            return self.has_zero;
        }
        // At most half of the entries are used.
        let is_full = self.n_used.saturating_mul(2) >= self.slots.len();
        for slot in search(hash, self.slots.len()) {
            match self.slots.get_mut(slot) {
                Some(found) if *found == hash => return true,
                Some(found) if *found == 0 => {
                    if !may_grow {
                        return false;
                    }
                    if is_full {
                        return self.grow() && self.insert(hash, max_values);
                    }
                    *found = hash;
                    self.n_used += 1;
                    return true;
                }
                _ => {}
            }
        }
        self.slots.is_empty() && may_grow && self.grow() && self.insert(hash, max_values)
    }

    /// Doubles the number of entries. Returns `false` if a search took too many steps.
    #[cold]
    fn grow(&mut self) -> bool {
        let n_slots = self.slots.len().saturating_mul(2).max(FIRST_SLOTS);
        let before = std::mem::replace(&mut self.slots, vec![0; n_slots]);
        before.into_iter().filter(|hash| *hash != 0).all(|hash| {
            let free = search(hash, n_slots).find(|slot| self.slots.get(*slot) == Some(&0));
            free.and_then(|slot| self.slots.get_mut(slot)).map(|slot| *slot = hash).is_some()
        })
    }
}

impl HashTable for StringTable {
    fn len(&self) -> u64 {
        self.values.len() as u64
    }

    fn hashes(&self) -> impl Iterator<Item = u64> {
        self.values.iter().map(|(hash, _)| *hash)
    }
}

impl StringTable {
    /// Adds a value, unless the table contains it. Returns `false` if there is no free entry, or a limit is reached.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, value: &[u8], limits: &StatisticsLimits) -> bool {
        let mut free = None;
        for slot in search(hash, self.slots.len()) {
            match self.slots.get(slot) {
                Some(0) => {
                    free = Some(slot);
                    break;
                }
                Some(position) if self.is(*position, hash, value) => return true,
                _ => {}
            }
        }
        let n_values = self.values.len();
        let n_bytes = self.bytes.len().saturating_add(value.len());
        let max_values = limits.max_distinct.min(u32::MAX as usize);
        if n_values >= max_values || n_bytes > limits.max_distinct_bytes {
            return false;
        }
        if n_values.saturating_mul(2) >= self.slots.len() {
            return self.grow() && self.insert(hash, value, limits);
        }
        let Some(slot) = free.and_then(|slot| self.slots.get_mut(slot)) else { return false };
        self.bytes.extend_from_slice(value);
        self.values.push((hash, self.bytes.len()));
        // The cast is exact, since there are at most `max_values` values.
        *slot = self.values.len() as u32;
        true
    }

    /// Whether the value with this index, counted from 1, is equal to `value`.
    #[inline]
    fn is(&self, position: u32, hash: u64, value: &[u8]) -> bool {
        let idx = (position as usize).wrapping_sub(1);
        let Some((found, end)) = self.values.get(idx) else { return false };
        let start = idx.checked_sub(1).and_then(|before| self.values.get(before)).map_or(0, |(_, end)| *end);
        *found == hash && self.bytes.get(start..*end) == Some(value)
    }

    #[cold]
    fn grow(&mut self) -> bool {
        let n_slots = self.slots.len().saturating_mul(2).max(FIRST_SLOTS);
        self.slots = vec![0; n_slots];
        self.values.iter().zip(1..).all(|((hash, _), position)| {
            let free = search(*hash, n_slots).find(|slot| self.slots.get(*slot) == Some(&0));
            free.and_then(|slot| self.slots.get_mut(slot)).map(|slot| *slot = position).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use testing_support::Rng;

    use super::*;

    #[test]
    fn tables_count_as_sets_do() {
        let mut rng = Rng::new(1);
        for n_different in [1, 2, 31, 32, 33, 1000, 70_000] {
            let limits = StatisticsLimits { max_distinct: 5000, max_distinct_bytes: 20_000 };
            let mut numbers = NumberTable::default();
            let mut strings = StringTable::default();
            let mut all = HashSet::new();
            let mut n_bytes = 0;
            let mut texts = HashSet::new();
            for _ in 0..3000 {
                let number = rng.below(n_different) as u64;
                let before = all.len();
                assert!(numbers.insert(hash_of_number(number), limits.max_distinct), "{n_different}");
                all.insert(number);
                assert_eq!(numbers.len() as usize, all.len(), "{n_different} {before}");
                let text = format!("{number:0>9}");
                let is_new = !texts.contains(&text);
                let fits = n_bytes + text.len() <= limits.max_distinct_bytes;
                assert_eq!(
                    strings.insert(hash_of_bytes(text.as_bytes()), text.as_bytes(), &limits),
                    !is_new || fits
                );
                if is_new && fits {
                    n_bytes += text.len();
                    texts.insert(text);
                }
                assert_eq!(strings.len() as usize, texts.len());
            }
            assert_eq!(numbers.hashes().collect::<HashSet<_>>().len(), all.len());
            assert_eq!(strings.hashes().collect::<HashSet<_>>().len(), texts.len());
        }
    }

    #[test]
    fn no_value_beyond_the_limit_is_stored() {
        for max_distinct in [0, 1, 32, 100] {
            let limits = StatisticsLimits { max_distinct, max_distinct_bytes: usize::MAX };
            let mut numbers = NumberTable::default();
            let mut strings = StringTable::default();
            for number in 1..=200_u64 {
                let fits = number as usize <= max_distinct;
                assert_eq!(numbers.insert(hash_of_number(number), max_distinct), fits, "{number}");
                let bytes = number.to_le_bytes();
                assert_eq!(strings.insert(hash_of_bytes(&bytes), &bytes, &limits), fits, "{number}");
            }
            assert_eq!((numbers.len(), strings.len()), (max_distinct as u64, max_distinct as u64));
        }
    }

    #[test]
    fn hashes_that_collide_end_the_search() {
        let mut numbers = NumberTable::default();
        let limits = StatisticsLimits::default();
        let n_inserted = (1..10_000_u64).take_while(|n| numbers.insert(n << 32, limits.max_distinct)).count();
        assert!(n_inserted <= MAX_STEPS, "{n_inserted}");
        let mut strings = StringTable::default();
        let n_inserted = (1..10_000_u64).take_while(|n| strings.insert(5, &n.to_le_bytes(), &limits)).count();
        assert!(n_inserted <= MAX_STEPS, "{n_inserted}");
    }
}
