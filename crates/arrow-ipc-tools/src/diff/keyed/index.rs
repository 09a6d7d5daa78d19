//! The keys of an input, as hashes.

use std::mem;

use arrow_buffer::BudgetError;
use arrow_compute::StatisticsError;
use arrow_data::{DataError, DataErrorKind, ValueHasher};

use crate::{
    diff::{
        rows::{self, KeyNames},
        side::SideRows,
        teller::{Halt, Teller},
    },
    error::{ToolError, ToolErrorKind},
    observer::{Note, NoteKind},
    row_keys::KeyReader,
};

/// Hashes keys. Nobody outside can choose keys whose hashes are equal.
#[derive(Default)]
pub(super) struct KeyHasher {
    hasher: ValueHasher,
    bits: u64,
}

impl KeyHasher {
    pub(super) fn new(bits: u64) -> KeyHasher {
        KeyHasher { hasher: ValueHasher::default(), bits }
    }

    fn hash(&self, key: &[u8]) -> u64 {
        self.hasher.written(key) & self.bits
    }
}

/// The hash of the key of each row, and the number of the row, sorted by hash.
pub(super) struct KeyIndex {
    pub(super) rows: Vec<[u64; 2]>,
}

impl KeyIndex {
    /// Reads all keys of an input. Returns what of the input is not compared.
    ///
    /// # Errors
    /// If it cannot be read, if consecutive rows have the same key, or if there is not enough memory.
    pub(super) fn read(
        keys: &mut SideRows,
        hasher: &KeyHasher,
        teller: &mut Teller<'_>,
    ) -> Result<KeyIndex, Halt> {
        let work = keys.work();
        teller.progress(keys.name(), work, 0)?;
        let mut hashed: Vec<[u64; 2]> = Vec::new();
        let (mut key, mut last, mut n_null) = (Vec::new(), Vec::new(), 0);
        loop {
            keys.fill()?;
            let Some((batch, _)) = keys.at_hand() else { break };
            let failed = |error: DataError| rows::failed(keys, error);
            let mut reader = KeyReader::try_new(batch).map_err(failed)?;
            for row in 0..batch.n_rows() {
                n_null += u64::from(reader.read(row, &mut key).map_err(failed)?);
                let number = hashed.len() as u64;
                // Slots without bytes may be too many for any memory. All of them are equal.
                if key == last && number > 0 {
                    let names = KeyNames::of_columns(keys, batch);
                    let key = names.of(row).map_err(|error| rows::failed(keys, error))?;
                    let kind = ToolErrorKind::RepeatedKey { key, rows: [number - 1, number] };
                    return Err(ToolError::new(keys.name().clone(), kind).into());
                }
                if hashed.len() == hashed.capacity() {
                    let requested = (hashed.len() as u64).saturating_mul(32);
                    hashed.try_reserve(1).map_err(|_| {
                        let error = DataErrorKind::Memory(BudgetError::OutOfMemory { requested });
                        let kind = ToolErrorKind::Statistics(StatisticsError::Data(error.into()));
                        ToolError::new(keys.name().clone(), kind)
                    })?;
                }
                hashed.push([hasher.hash(&key), number]);
                mem::swap(&mut key, &mut last);
            }
            keys.advance(batch.n_rows());
            teller.progress(keys.name(), work, keys.n_done())?;
        }
        hashed.sort_unstable_by_key(|entry| entry[0]);
        if n_null > 0 {
            teller.note(&Note { input: keys.name().clone(), kind: NoteKind::NullKeys { n_rows: n_null } });
        }
        Ok(KeyIndex { rows: hashed })
    }
}
