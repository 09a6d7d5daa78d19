//! Hashes all keys of an input.

use std::mem;

use arrow_buffer::BudgetError;
use arrow_compute::StatisticsError;
use arrow_data::DataErrorKind;
use arrow_select::{PairOrder, SelectError, ValueHasher};

use crate::{
    diff::{
        reporter::{ComparisonEnd, DiffReporter},
        rows::{self, KeyNames},
        side::SideRows,
    },
    error::{ToolError, ToolErrorKind},
    observer::{Note, NoteKind},
    rows::row_keys::{KeyReader, word_of},
};

/// Hashes keys with random secret numbers. Without these numbers, nobody can prepare an input whose keys have equal
/// hashes.
pub(super) struct KeyHasher {
    hasher: ValueHasher,
    /// Random secret numbers. The second number is odd, so that a multiplication by it is reversible.
    word_key: [u64; 2],
    bits: u64,
}

impl KeyHasher {
    pub(super) fn new(bits: u64) -> KeyHasher {
        let hasher = ValueHasher::default();
        let word_key = [hasher.fixed(b"first"), hasher.fixed(b"second") | 1];
        KeyHasher { hasher, word_key, bits }
    }

    fn hash(&self, key: &[u8]) -> u64 {
        match word_of(key) {
            Some(word) => self.hash_word(word),
            None => self.hasher.written(key) & self.bits,
        }
    }

    /// The hash of a key that is a number. Each step is reversible, so different numbers have different hashes.
    fn hash_word(&self, word: u64) -> u64 {
        let [first, second] = self.word_key;
        let mixed = (word ^ first).wrapping_mul(second);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(second);
        (mixed ^ mixed >> 29) & self.bits
    }

    /// Reads all keys of an input. Sends a note to the report if keys contain nulls. Returns the hash of each key and the
    /// number of its row, sorted by hash.
    ///
    /// # Errors
    /// If the input cannot be read, if two consecutive rows have the same key, or if there is not enough memory.
    pub(super) fn hashed_keys(
        &self,
        keys: &mut SideRows,
        reporter: &mut DiffReporter<'_>,
    ) -> Result<Vec<[u64; 2]>, ComparisonEnd> {
        let work = keys.work();
        reporter.progress(keys.name(), work, 0)?;
        let mut hashed: Vec<[u64; 2]> = Vec::new();
        let mut key = Vec::new();
        let mut last = Vec::new();
        let mut last_word = None;
        let mut n_null = 0;
        loop {
            keys.fill()?;
            let Some((batch, _)) = keys.current() else { break };
            let failed = |error: SelectError| rows::failed(keys, error);
            let out_of_memory = |n_rows: usize| {
                let error = BudgetError::OutOfMemory { requested: (n_rows as u64).saturating_mul(32) };
                let error = StatisticsError::Data(DataErrorKind::Memory(error).into());
                ToolError::new(keys.name(), ToolErrorKind::Statistics(error))
            };
            // Two consecutive rows with the same key are an error at once. Otherwise, an input whose values have no
            // bytes could declare more rows, all with the same key, than fit in memory.
            let repeated = |row: usize, number: u64| {
                let names = KeyNames::from_columns(keys, batch);
                let key = names.at(row).map_err(|error| rows::failed(keys, error))?;
                let kind = ToolErrorKind::RepeatedKey { key, rows: [number - 1, number] };
                Err(ToolError::new(keys.name(), kind).into())
            };
            let mut reader = KeyReader::try_new(batch).map_err(failed)?;
            let n_before = hashed.len() as u64;
            if let Some(words) = reader.words() {
                hashed.try_reserve(words.len()).map_err(|_| out_of_memory(hashed.len()))?;
                let follows = words.first().filter(|word| last_word == Some(**word)).map(|_| 0);
                let repeats = || words.windows(2).position(|two| two[0] == two[1]).map(|before| before + 1);
                if let Some(row) = follows.or_else(repeats) {
                    return repeated(row, n_before + row as u64);
                }
                last_word = words.last().copied();
                let numbered = words.into_iter().zip(n_before..);
                hashed.extend(numbered.map(|(word, number)| [self.hash_word(word), number]));
                last.clear();
            } else {
                for row in 0..batch.n_rows() {
                    n_null += u64::from(reader.read(row, &mut key).map_err(failed)?);
                    let number = n_before + row as u64;
                    if key == last {
                        return repeated(row, number);
                    }
                    if hashed.len() == hashed.capacity() {
                        hashed.try_reserve(1).map_err(|_| out_of_memory(hashed.len()))?;
                    }
                    hashed.push([self.hash(&key), number]);
                    mem::swap(&mut key, &mut last);
                }
                last_word = None;
            }
            keys.advance(batch.n_rows());
            reporter.progress(keys.name(), work, keys.n_done())?;
        }
        reporter.sort(&mut hashed, PairOrder::First)?;
        if n_null > 0 {
            reporter.note(&Note { input: keys.name().clone(), kind: NoteKind::NullKeys { n_rows: n_null } });
        }
        Ok(hashed)
    }
}
