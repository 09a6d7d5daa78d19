//! The values that a growing dictionary has so far, and where each of them is.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::{BuildHasher, BuildHasherDefault, Hasher},
    ops::Range,
    sync::Arc,
};

use arrow_data::{DataError, DataErrorKind, ValueBytes};

/// The values of one dictionary in the order in which they were added, as bytes that are the same where values are.
///
/// No array is kept: what has been added costs its own bytes and about 50 for each value, whatever it came from.
#[derive(Debug, Clone, Default)]
pub(super) struct Pool {
    /// The bytes of all values, one after the other, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    hashes: Vec<u64>,
    /// The last value of each hash, and for each value the one before it of the same hash.
    newest: HashMap<u64, usize, BuildHasherDefault<AsItIs>>,
    before: Vec<Option<usize>>,
    hasher: RandomState,
}

/// What the slots of a dictionary are in a pool.
#[derive(Debug, Clone)]
pub(crate) enum Mapping {
    /// The values of the same numbers.
    Same,
    /// For each slot its value.
    Table(Arc<[u64]>),
}

/// What a dictionary has brought.
#[derive(Debug)]
pub(super) struct Absorbed {
    pub(super) mapping: Mapping,
    pub(super) added: Added,
}

/// The slots whose values were added.
#[derive(Debug)]
pub(super) enum Added {
    /// These, as they stand: none, or all behind those that were there.
    Range(Range<usize>),
    /// Some, in their order.
    Slots(Vec<usize>),
}

/// What is kept for each value beside its bytes.
const VALUE_BYTES: usize = 48;

impl Pool {
    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Finds the values of a dictionary, and adds those that are not there.
    ///
    /// A dictionary that goes on where this one ends is added as it stands, also where it has a value twice; so its
    /// indices stay what they are. Of any other one each value is there once.
    ///
    /// # Errors
    /// If the values have more than `max_bytes`, with what is kept of each beside its bytes. Some have been added then; [`truncate`](Pool::truncate) forgets them.
    pub(super) fn absorb(&mut self, values: &ValueBytes, max_bytes: usize) -> Result<Absorbed, DataError> {
        let (n_values, n_known) = (values.n_slots(), self.len());
        let mut reader = Reader { values, max_bytes, n_left: max_bytes };
        let mut n_same = 0;
        let mut value = Vec::new();
        while n_same < n_values.min(n_known) {
            value.clear();
            reader.append(n_same, &mut value)?;
            if value != self.value(n_same) {
                break;
            }
            n_same += 1;
        }
        if n_same == n_values {
            return Ok(Absorbed { mapping: Mapping::Same, added: Added::Range(0..0) });
        }
        if n_same == n_known {
            self.reserve((n_values - n_same).min(reader.n_left / VALUE_BYTES));
            for slot in n_same..n_values {
                let hash = self.write(slot, &mut reader)?;
                self.keep(hash);
            }
            return Ok(Absorbed { mapping: Mapping::Same, added: Added::Range(n_same..n_values) });
        }
        let mut table: Vec<u64> = (0..n_same as u64).collect();
        let mut added = Vec::new();
        for slot in n_same..n_values {
            let hash = self.write(slot, &mut reader)?;
            let position = match self.find(hash) {
                Some(known) => known,
                None => {
                    added.push(slot);
                    self.keep(hash)
                }
            };
            table.push(position as u64);
        }
        Ok(Absorbed { mapping: Mapping::Table(table.into()), added: Added::Slots(added) })
    }

    /// Forgets all values but the first ones.
    pub(super) fn truncate(&mut self, n_values: usize) {
        while self.len() > n_values {
            let (hash, before) = (self.hashes.pop(), self.before.pop().flatten());
            self.ends.pop();
            if let Some(hash) = hash {
                match before {
                    Some(before) => self.newest.insert(hash, before),
                    None => self.newest.remove(&hash),
                };
            }
        }
        self.bytes.truncate(self.end());
    }

    fn reserve(&mut self, n_values: usize) {
        self.ends.reserve(n_values);
        self.hashes.reserve(n_values);
        self.newest.reserve(n_values);
        self.before.reserve(n_values);
    }

    fn end(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn value(&self, position: usize) -> &[u8] {
        let start = position.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(position).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The bytes behind those of all values, where one may have been written that does not count yet.
    fn written(&self) -> &[u8] {
        self.bytes.get(self.end()..).unwrap_or_default()
    }

    /// Writes the value of a slot behind all others, and tells its hash.
    fn write(&mut self, slot: usize, reader: &mut Reader<'_>) -> Result<u64, DataError> {
        self.bytes.truncate(self.end());
        reader.append(slot, &mut self.bytes)?;
        let mut hasher = self.hasher.build_hasher();
        hasher.write(self.written());
        Ok(hasher.finish())
    }

    /// Lets what has been written count; tells its place.
    fn keep(&mut self, hash: u64) -> usize {
        let position = self.len();
        self.ends.push(self.bytes.len());
        self.hashes.push(hash);
        self.before.push(self.newest.insert(hash, position));
        position
    }

    /// A value that is the same as what has been written.
    fn find(&self, hash: u64) -> Option<usize> {
        let before = |position: &usize| self.before.get(*position).copied().flatten();
        std::iter::successors(self.newest.get(&hash).copied(), before)
            .find(|known| self.value(*known) == self.written())
    }
}

impl Mapping {
    /// The table, where indices have to be changed.
    pub(crate) fn table(&self) -> Option<&[u64]> {
        match self {
            Mapping::Same => None,
            Mapping::Table(table) => Some(table),
        }
    }
}

impl Added {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Added::Range(range) => range.is_empty(),
            Added::Slots(slots) => slots.is_empty(),
        }
    }
}

/// Takes the bytes of values, as long as there are not too many.
struct Reader<'a> {
    values: &'a ValueBytes,
    max_bytes: usize,
    n_left: usize,
}

impl Reader<'_> {
    #[inline]
    fn append(&mut self, slot: usize, to: &mut Vec<u8>) -> Result<(), DataError> {
        let n_before = to.len();
        let max_bytes = n_before.saturating_add(self.n_left);
        self.values.append(slot, to, max_bytes)?;
        // Values may have hardly any bytes, and be more than memory holds.
        let n_bytes = (to.len() - n_before).saturating_add(VALUE_BYTES);
        self.n_left = self.n_left.checked_sub(n_bytes).ok_or_else(|| too_many(self.max_bytes))?;
        Ok(())
    }
}

#[cold]
fn too_many(max_bytes: usize) -> DataError {
    DataErrorKind::ValueBytes { limit: max_bytes as u64 }.into()
}

/// Hashes hashes.
#[derive(Debug, Clone, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests;
